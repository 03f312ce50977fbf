//! Published counts decide. Sources: tic-tac-toe's game tree (255,168 games), the perft tables of Connect Four, Othello and chess (the Chess Programming Wiki's positions 1, 2 and 3), Ludii's of
//! Breakthrough, the empty cells of Hex, Kuhn's 1950 poker (30 histories). docs/experiments/perft.sh counts deeper.
use crate::support::{game, modded};
use houserule::lab::perft::{self, Count, perft};
use houserule::play::Setup;
use std::sync::atomic::AtomicBool;

fn counts(name: &str, depth: usize) -> Vec<Count> {
    counts_from(name, Setup::default(), depth)
}

/// With values of options.
fn counted(name: &str, depth: usize, options: &[(&str, &str)]) -> Vec<Count> {
    let options = options.iter().map(|(k, v)| (String::from(*k), String::from(*v))).collect();
    counts_from(name, Setup { options, ..Setup::default() }, depth)
}

fn counts_from(name: &str, setup: Setup, depth: usize) -> Vec<Count> {
    let game = game(name);
    let program = game.lower_setup(&setup).expect("a program");
    let mut m = game.make_machine(program, 1);
    perft(&mut m, depth, &AtomicBool::new(false)).expect("counts")
}

fn nodes(name: &str, depth: usize) -> Vec<u64> {
    counts(name, depth).iter().map(|c| c.nodes).collect()
}

/// Positions alone, those behind the last ply by the options before it.
fn in_bulk(name: &str, scenario: Option<&str>, depth: usize) -> Vec<u64> {
    let setup = Setup { scenario: scenario.map(String::from), ..Setup::default() };
    let game = game(name);
    let program = game.lower_setup(&setup).expect("a program");
    perft::count_nodes(&mut game.make_machine(program, 1), depth, &AtomicBool::new(false)).expect("counts")
}

#[test]
fn positions_counted_in_bulk_are_those_that_are_reached() {
    for (name, depth) in [("tic-tac-toe", 6), ("connect-four", 5), ("othello", 5), ("kuhn", 5), ("chess", 3)]
    {
        assert_eq!(in_bulk(name, None, depth), nodes(name, depth), "{name}");
    }
}

#[test]
fn tic_tac_toe_has_255_168_games() {
    let all = counts("tic-tac-toe", 9);
    assert_eq!(all.iter().map(|c| c.finished).sum::<u64>(), 255_168);
    assert_eq!(all.iter().map(|c| c.won[0]).sum::<u64>(), 131_184);
    assert_eq!(all.iter().map(|c| c.won[1]).sum::<u64>(), 77_904);
    assert_eq!(all.iter().map(|c| c.tied).sum::<u64>(), 46_080);
}

#[test]
fn connect_four_to_eight_plies() {
    assert_eq!(nodes("connect-four", 8), [7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234]);
}

#[test]
fn othello_to_eight_plies() {
    assert_eq!(nodes("othello", 8), [4, 12, 56, 244, 1396, 8200, 55_092, 390_216]);
}

#[test]
fn chess_to_four_plies() {
    assert_eq!(in_bulk("chess", None, 4), [20, 400, 8902, 197_281]);
}

#[test]
fn chess_from_known_positions() {
    assert_eq!(in_bulk("chess", Some("kiwipete"), 3), [48, 2039, 97_862]);
    assert_eq!(in_bulk("chess", Some("endgame"), 4), [14, 191, 2812, 43_238]);
}

/// `cargo test --release --test suite deeper -- --ignored`
#[test]
#[ignore = "takes a while without optimisation"]
fn chess_deeper() {
    assert_eq!(in_bulk("chess", None, 5), [20, 400, 8902, 197_281, 4_865_609]);
    assert_eq!(in_bulk("chess", Some("kiwipete"), 4), [48, 2039, 97_862, 4_085_603]);
    assert_eq!(in_bulk("chess", Some("endgame"), 6), [14, 191, 2812, 43_238, 674_624, 11_030_083]);
}

#[test]
fn breakthrough_to_four_plies() {
    assert_eq!(nodes("breakthrough", 4), [22, 484, 11_132, 256_036]);
}

/// A ply is a whole turn: a chain of jumps counts once.
#[test]
fn draughts_to_six_plies() {
    assert_eq!(nodes("draughts", 6), [7, 49, 302, 1469, 7361, 36_768]);
}

/// The fifth man can close a mill, 40,320 times, and then one of two men is taken: 24·23·22·21·20 + 40,320.
#[test]
fn morris_to_five_plies() {
    assert_eq!(in_bulk("morris", None, 5), [24, 552, 12_144, 255_024, 5_140_800]);
}

/// OpenSpiel's `oware` has as many.
#[test]
fn oware_to_seven_plies() {
    assert_eq!(nodes("oware", 7), [6, 36, 190, 1014, 5219, 27_332, 139_157]);
}

#[test]
fn hex_to_two_plies_and_the_swap() {
    assert_eq!(nodes("hex", 2), [121, 14_520]);
    let game = modded("hex", &["swap-rule"]);
    let mut m = game.make_machine(game.lower_setup(&Setup::default()).expect("a program"), 1);
    let counts = perft(&mut m, 2, &AtomicBool::new(false)).expect("counts");
    assert_eq!(counts.iter().map(|c| c.nodes).collect::<Vec<_>>(), [121, 14_520 + 121]);
}

/// A pass, and 81 points; behind a stone 80 points and a pass, behind a pass 81 points and a pass that ends it.
#[test]
fn go_to_two_plies() {
    let all = counts("go", 2);
    assert_eq!([all[0].nodes, all[1].nodes], [82, 81 * 81 + 82]);
    assert_eq!(all[1].finished, 1);
}

#[test]
fn kuhn_poker_has_30_histories() {
    let all = counts("kuhn", 8);
    assert_eq!(all[0].nodes, 6, "six deals");
    assert_eq!(all.iter().map(|c| c.finished).sum::<u64>(), 30);
}

#[test]
fn pig_counts() {
    // Holding, or one of six faces: seven ways to go on, as long as nobody is near the goal.
    assert_eq!(nodes("pig", 6), [7, 49, 343, 2401, 16_807, 117_649]);
    // To six points: OpenSpiel's `pig(winscore=6)`, its rolls and holds counted as such plies.
    let all = counted("pig", 6, &[("goal", "6")]);
    assert_eq!(all.iter().map(|c| c.nodes).collect::<Vec<_>>(), [7, 43, 180, 761, 3064, 11_890]);
    assert_eq!(all.iter().map(|c| c.finished).collect::<Vec<_>>(), [0, 1, 19, 61, 306, 1236]);
}

#[test]
fn liars_dice_counts() {
    // 36 rolls of two dice; then every rising row of twelve bids, called at some point: 36 times 2^12 - 1 games, as OpenSpiel's `liars_dice` has.
    let all = counts("liars-dice", 14);
    assert_eq!(all.iter().take(4).map(|c| c.nodes).collect::<Vec<_>>(), [36, 432, 2808, 10_296]);
    assert_eq!(all.iter().map(|c| c.finished).sum::<u64>(), 36 * 4095);
}

#[test]
fn rock_paper_scissors_counts() {
    let all = counts("rock-paper-scissors", 2);
    assert_eq!(all.iter().map(|c| c.finished).sum::<u64>(), 9);
    assert_eq!((all[1].won.clone(), all[1].tied), (vec![3, 3], 3));
    // Best of three: of the 81 ways of two rounds 2 * 9 end it, and each other one goes on in nine.
    let all = counted("rock-paper-scissors", 6, &[("best_of", "3")]);
    assert_eq!(all[3].finished, 18);
    assert_eq!(all[5].finished, (81 - 18) * 9);
}

/// What lies where in a game, for all to see.
fn laid_out(m: &mut houserule::engine::Machine) -> String {
    let v = m.view(0);
    serde_json::to_string(&(&v.maps, v.players.iter().map(|p| &p.piles).collect::<Vec<_>>())).expect("data")
}

/// All positions in which a turn can end that stands at its first choice, with a state of each; behind it these numbers are drawn.
fn turn_ends(
    m: &mut houserule::engine::Machine,
    draws: &[u64],
) -> std::collections::BTreeMap<String, houserule::engine::State> {
    let turns = m.state().turns();
    let (mut out, mut open) = (std::collections::BTreeMap::new(), vec![m.state().clone()]);
    let mut seen = std::collections::HashSet::new();
    while let Some(here) = open.pop() {
        m.set_state(&here);
        let options: Vec<_> = m.options(0).expect("options").iter().collect();
        for choice in options {
            m.set_state(&here);
            m.lay_down(draws);
            m.choose_known(0, choice).expect("an option");
            m.take_draws();
            if m.state().turns() == turns && !m.is_over() {
                if seen.insert((laid_out(m), serde_json::to_string(&m.view(0).table).expect("data"))) {
                    open.push(m.state().clone());
                }
            } else {
                out.insert(laid_out(m), m.state().clone());
            }
        }
    }
    out
}

#[test]
fn backgammon_turns_end_where_openspiels_end() {
    let game = game("backgammon");
    let mut m = game.make_machine(game.lower_setup(&Setup::default()).expect("a program"), 1);
    let fresh = m.state().clone();
    // White's die and black's, by number; of the other five the second is drawn.
    let mut opening = |a: u64, b: u64, draws: &[u64]| {
        m.set_state(&fresh);
        m.lay_down(&[a - 1, if b < a { b - 1 } else { b - 2 }]);
        m.start().expect("it starts");
        m.take_draws();
        turn_ends(&mut m, draws)
    };
    // OpenSpiel's `backgammon`: positions in which the first turn can end, by the roll.
    let counts = [
        (1, 2, 15),
        (1, 3, 16),
        (1, 4, 14),
        (1, 5, 8),
        (1, 6, 10),
        (2, 3, 17),
        (2, 4, 18),
        (2, 5, 8),
        (2, 6, 14),
        (3, 4, 17),
        (3, 5, 9),
        (3, 6, 14),
        (4, 5, 9),
        (4, 6, 14),
        (5, 6, 7),
    ];
    for (a, b, n) in counts {
        assert_eq!(opening(a, b, &[]).len(), n, "black begins with {b} and {a}");
        assert_eq!(opening(b, a, &[]).len(), n, "white begins with {b} and {a}");
    }
    // In how many ways, each order of the dice for itself: as many as OpenSpiel has actions behind its 30 opening rolls; then 36 rolls of two dice.
    assert_eq!(nodes("backgammon", 3), [30, 758, 758 * 36]);
    // No double begins a game. After white's 6 and 5 have brought one man from 24 to 13, black answers with each roll; there is only one such position.
    let answers = [
        [42, 15, 16, 15, 11, 11],
        [0, 75, 18, 18, 12, 14],
        [0, 0, 74, 18, 13, 14],
        [0, 0, 0, 56, 13, 14],
        [0, 0, 0, 0, 14, 10],
        [0, 0, 0, 0, 0, 18],
    ];
    for (i, row) in answers.iter().enumerate() {
        for (j, n) in row.iter().enumerate().skip(i) {
            let after = opening(6, 5, &[i as u64, j as u64]);
            let (_, at) = after
                .iter()
                .find(|(k, _)| k.contains("\"1 white\"") && k.contains("\"6 white\""))
                .expect("it is there");
            let mut m = game.make_machine(game.lower_setup(&Setup::default()).expect("a program"), 1);
            m.set_state(at);
            let found = turn_ends(&mut m, &[]).len();
            assert_eq!(found, *n, "black answers with {} and {}", i + 1, j + 1);
        }
    }
}
