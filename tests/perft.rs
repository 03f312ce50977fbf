//! Published counts decide. Sources: tic-tac-toe's game tree (255,168 games), the perft tables of Connect Four, Othello and chess (the Chess Programming Wiki's positions 1, 2 and 3), Kuhn's 1950 poker (30 histories).
use crate::support::game;
use houserule::lab::perft::{Count, perft};
use houserule::play::Setup;
use std::sync::atomic::AtomicBool;

fn counts(name: &str, depth: usize) -> Vec<Count> {
    counts_from(name, Setup::default(), depth)
}

fn counts_from(name: &str, setup: Setup, depth: usize) -> Vec<Count> {
    let game = game(name);
    let program = game.program(&setup).expect("a program");
    let mut m = game.machine(program, 1);
    perft(&mut m, depth, &AtomicBool::new(false)).expect("counts")
}

fn nodes(name: &str, depth: usize) -> Vec<u64> {
    counts(name, depth).iter().map(|c| c.nodes).collect()
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

/// The position of a scenario.
fn nodes_on(name: &str, scenario: &str, depth: usize) -> Vec<u64> {
    let setup = Setup { scenario: Some(scenario.into()), ..Setup::default() };
    counts_from(name, setup, depth).iter().map(|c| c.nodes).collect()
}

#[test]
fn chess_to_three_plies() {
    assert_eq!(nodes("chess", 3), [20, 400, 8902]);
}

#[test]
fn chess_from_known_positions() {
    assert_eq!(nodes_on("chess", "kiwipete", 2), [48, 2039]);
    assert_eq!(nodes_on("chess", "endgame", 4), [14, 191, 2812, 43_238]);
}

/// `cargo test --release --test suite deeper -- --ignored`
#[test]
#[ignore = "takes a while without optimisation"]
fn chess_deeper() {
    assert_eq!(nodes("chess", 5), [20, 400, 8902, 197_281, 4_865_609]);
    assert_eq!(nodes_on("chess", "kiwipete", 4), [48, 2039, 97_862, 4_085_603]);
    assert_eq!(nodes_on("chess", "endgame", 5), [14, 191, 2812, 43_238, 674_624]);
}

#[test]
fn kuhn_poker_has_30_histories() {
    let all = counts("kuhn", 8);
    assert_eq!(all[0].nodes, 6, "six deals");
    assert_eq!(all.iter().map(|c| c.finished).sum::<u64>(), 30);
}
