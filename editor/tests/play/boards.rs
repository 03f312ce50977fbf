//! What seats see: snapshots, and that nothing hidden is in it.
use super::games;
use houserule::engine::{Stream, below};
use houserule::play::points::all_piles;
use houserule::play::{Setup, Spot};
use houserule_editor::canvas::{Figure, Token, outline};
use houserule_editor::panels::play::data::Data;
use houserule_editor::play::{Begin, Board, Choices, Picker, Session, Sitter, Start, time_line, why};

fn started(name: &str, setup: Setup) -> Session {
    let (game, files) = games::game(name);
    let start = Start { setup, sitters: vec![Sitter::Bot("random"); 8], begin: Begin::Start };
    Session::start(&game, &files, &start).unwrap_or_else(|e| panic!("{name}: {:?}", e.told))
}

/// The board of a seat with what it may choose, after so many choices of bots.
fn seen(name: &str, setup: Setup, seat: usize, choices: usize) -> String {
    let mut s = started(name, setup);
    for _ in 0..choices {
        s.step_bot().expect("the rules do not fail");
    }
    s.set_view_as(seat);
    let mut out = s.make_board().to_text();
    if let Some(c) = s.list_choices() {
        out.push_str(&format!("{}: {}\n", c.name, c.prompt));
        for row in &c.rows {
            out.push_str(&format!("  {} {}\n", row.key.unwrap_or(' '), row.title));
        }
    }
    for told in time_line::list_log(s.the_match(), s.files(), seat).iter().rev().take(8).rev() {
        out.push_str(&format!("| {} [{}]\n", told.text, told.rule));
    }
    out
}

#[test]
fn fuji_as_one_of_three_sees_it() {
    insta::assert_snapshot!(seen("fuji", Setup::with_seed(7).with_players(3), 1, 9));
}

#[test]
fn the_fog_as_one_of_two_sees_it() {
    insta::assert_snapshot!(seen("fog", Setup::with_seed(3).with_players(2), 0, 40));
}

#[test]
fn chess_as_black_sees_it() {
    insta::assert_snapshot!(seen("chess", Setup::with_seed(1), 1, 3));
}

#[test]
fn love_letter_as_one_of_three_sees_it() {
    insta::assert_snapshot!(seen("love-letter", Setup::with_seed(5).with_players(3), 0, 4));
}

/// Everything that a seat gets from this layer.
fn got(s: &mut Session, seat: usize, spots: &[Spot]) -> String {
    let choices = Choices::from_match(s.the_match_mut(), seat, &Picker::default());
    let mut out = Board::from_match(s.the_match_mut(), seat, choices.as_ref()).to_text();
    let board = Board::from_match(s.the_match_mut(), seat, choices.as_ref());
    // Everything that may be drawn, not its text alone.
    out.push_str(&format!("{board:?}\n"));
    out.push_str(&format!("{:?}\n", choices.map(|c| (c.rows, c.lit, c.total, c.prompt))));
    for spot in spots {
        out.push_str(&format!("{:?}\n", why::explain_refusal(s.the_match_mut(), seat, *spot)));
    }
    out
}

/// Two worlds that differ only in what a seat may not know give it the same board, choices and reasons.
#[test]
fn nothing_hidden_is_in_a_board() {
    for name in games::names() {
        let (game, _) = games::game(&name);
        for setup in games::setups(&game) {
            let mut s = started(&name, Setup { seed: 11, ..setup });
            let mut rng = Stream::new(11, 77);
            for step in 0..24 {
                let seats = s.the_match().seat_count();
                let seat = below(seats as u64, || rng.draw()) as usize;
                let spots = if step % 8 == 0 { some_spots(&mut s, seat, &mut rng) } else { Vec::new() };
                let here = got(&mut s, seat, &spots);
                let kept = s.the_match().state().clone();
                s.the_match_mut().machine().swap_hidden(seat, &mut rng);
                let there = got(&mut s, seat, &spots);
                s.the_match_mut().machine().set_state(&kept);
                assert_eq!(here, there, "{name}, seat {seat}, after {step} choices");
                if !s.step_bot().expect("the rules do not fail") {
                    break;
                }
            }
        }
    }
}

fn some_spots(s: &mut Session, seat: usize, rng: &mut Stream) -> Vec<Spot> {
    let board = Board::from_match(s.the_match_mut(), seat, None);
    let cells = board
        .maps
        .iter()
        .enumerate()
        .flat_map(|(map, m)| (0..m.cells.len()).map(move |space| Spot::Space { map, space }));
    let holders = board.table.iter().chain(&board.players).chain(&board.others);
    let pieces = holders.flat_map(|h| &h.piles).flat_map(|p| &p.pieces).map(|p| p.spot);
    let all: Vec<Spot> = cells.chain(pieces).chain([Spot::Player(0)]).collect();
    (0..3).filter_map(|_| all.get(below(all.len() as u64, || rng.draw()) as usize).copied()).collect()
}

/// The dice of backgammon are called `D6 2` and `D6 4`: what is painted on them is the number, not the one in the name of their kind.
#[test]
fn dice_show_their_numbers() {
    for (name, setup) in [("backgammon", Setup::with_seed(3)), ("fuji", Setup::with_seed(7).with_players(3))]
    {
        let mut s = started(name, setup);
        let view = s.the_match_mut().view(0);
        let numbers: Vec<String> =
            all_piles(&view).flat_map(|p| &p.cards).filter_map(|c| Some(c.side?.to_string())).collect();
        let board = s.make_board();
        let holders = board.table.iter().chain(&board.players).chain(&board.others);
        let lying = holders.flat_map(|h| &h.piles).flat_map(|p| &p.pieces);
        let on_map = board.maps.iter().flat_map(|m| &m.cells).flat_map(|c| &c.pieces);
        let signs: Vec<String> =
            lying.chain(on_map).filter_map(|p| Some(p.die.as_ref()?.sign.clone())).collect();
        assert!(!numbers.is_empty(), "{name}");
        assert_eq!(signs, numbers, "{name}");
    }
}

/// Chess's white is white: players, men on spaces and the log have the colours of `look player`.
#[test]
fn colours_of_players_are_those_of_the_rules() {
    let mut s = started("chess", Setup::with_seed(1));
    let data = Data::from_session(&mut s);
    let shades: Vec<[u8; 3]> = data.colors.iter().map(|c| [c.r(), c.g(), c.b()]).collect();
    assert_eq!(shades, [[0xf2, 0xef, 0xe6], [0x24, 0x26, 0x2b]]);
    let man = |at: (u32, u32)| data.tiles[0].iter().find(|t| t.at == at).expect("a space").tokens.clone();
    let king = |player: usize| {
        let (outline, fill) = (outline("king").expect("a shape"), data.colors[player]);
        let figure = Some(Figure { outline, fill, edge: None, turn: 0 });
        vec![Token { text: String::new(), fill, ring: None, figure }]
    };
    assert_eq!(man((4, 0)), king(0));
    assert_eq!(man((4, 7)), king(1));
    assert_eq!(man((4, 3)), Vec::new());
}

/// Everything that is lit on a board: spaces, with what lies there, pieces beside the maps, and who or what holds them.
fn lit_on(board: &Board) -> Vec<Spot> {
    let cells = board.maps.iter().enumerate().flat_map(|(map, m)| {
        let cells = m.cells.iter().enumerate().filter(|(_, c)| c.lit.is_some());
        cells.map(move |(space, _)| Spot::Space { map, space })
    });
    let holders = || board.table.iter().chain(&board.players).chain(&board.others);
    let pieces = holders().flat_map(|h| &h.piles).flat_map(|p| &p.pieces);
    let pieces = pieces.filter(|p| p.lit.is_some()).map(|p| p.spot);
    let held = holders().filter(|h| h.lit.is_some()).filter_map(|h| h.spot);
    cells.chain(pieces).chain(held).collect()
}

/// Clicks take what is lit, and what lies on a space is lit and taken there: islanders are drafted and moved by clicks alone, men and dice, too.
#[test]
fn games_are_played_by_clicks() {
    for (name, setup, least) in [
        ("fog", Setup::with_seed(3).with_players(2), 60),
        ("chess", Setup::with_seed(1), 60),
        ("backgammon", Setup::with_seed(2), 60),
        ("fuji", Setup::with_seed(7).with_players(3), 20),
        ("discover", Setup::with_seed(7).with_players(2), 40),
    ] {
        let mut s = started(name, setup);
        s.seat_sitters(vec![Sitter::Person; 8]);
        let mut rng = Stream::new(5, 9);
        let mut by_clicks = 0;
        for _ in 0..120 {
            s.turn_to_asked();
            let step = s.the_match().step();
            let mut clicks = 0;
            while s.the_match().step() == step {
                let Some(choices) = s.list_choices() else { break };
                let board = s.make_board();
                let shown = lit_on(&board);
                for spot in choices.lit.keys() {
                    assert!(shown.contains(spot), "{name}: {spot:?} is offered and lit nowhere");
                }
                let n = shown.len() as u64;
                match shown.get(if n == 0 { 0 } else { below(n, || rng.draw()) as usize }) {
                    Some(spot) if clicks < 4 => {
                        assert!(
                            s.click_spot(*spot).expect("a choice"),
                            "{name}: {spot:?} is lit and takes nothing"
                        );
                        clicks += 1;
                    }
                    // The picked elements form a valid set, so the choice can be confirmed.
                    _ if choices.complete.is_some() => s.confirm().expect("a choice"),
                    _ => {
                        clicks += 8;
                        s.pick_row(0).expect("a choice");
                    }
                }
            }
            by_clicks += usize::from((1..8).contains(&clicks));
            if s.the_match().is_over() {
                break;
            }
        }
        assert!(by_clicks >= least, "{name}: {by_clicks} choices by clicks alone");
    }
}

/// A shape stands in the place of a letter, but it cannot say a number.
#[test]
fn a_number_stands_over_the_shape_of_its_space() {
    let (game, files) = games::game("kalah");
    let mut session = Session::start(&game, &files, &Start::default()).expect("it starts");
    let data = Data::from_session(&mut session);
    let tiles = data.tiles.first().expect("a map");
    assert!(tiles.iter().all(|t| t.text == "4" && t.figure.is_some()), "{tiles:?}");
    // And whoever cannot see it is told so.
    assert!(tiles.iter().all(|t| t.said.ends_with(": 4") || t.said.contains(": 4 – offered")), "{tiles:?}");
}
