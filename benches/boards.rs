//! The boards against hand-written Rust, in one run: `cargo bench --bench boards [-- --seconds S] [--json]`;
//! `--game othello` measures one game, `--engine` the engine alone (for a profiler); `--peer COMMAND` measures another hand-written program beside ours, too: it is run before and after
//! each game as `COMMAND SECONDS 1` and writes one JSON object a line with `game` (`tic_tac_toe` …), `mode` (`array` or `bits`) and `po_med`, games a second.
//!
//! Measured are uniform random games a second, on one thread, from the first position to the end. Where the system tells how long this thread has really run (Linux does), that
//! time counts, so that a busy machine does not spoil the ratio.
mod by_hand;
mod engine;
mod shared;

use by_hand::{Rival, chess, connect_four, othello, playout, record, replay, tic_tac_toe};
use shared::{Rng, Row, Runner};
use std::collections::HashMap;

/// Chess by hand, in arrays only.
fn chess_by_hand(seconds: f64, rounds: usize) -> Row {
    for (depth, nodes) in [(1, 20), (2, 400), (3, 8902), (4, 197_281)] {
        assert_eq!(chess::Arrays::start().count(depth), nodes, "chess by hand, {depth} plies");
    }
    measure("chess", "arrays", seconds, rounds, |rng| {
        let mut game = chess::Arrays::start();
        while game.step(rng) {}
        game.result()
    })
}

/// The engine may be so many times slower than plain arrays.
const FACTOR: f64 = 6.0;

/// Our games by hand must be worth the comparison: so many times as fast as a peer's, at least.
const LEAST: f64 = 0.8;

/// Plays for about `seconds` a round, `rounds` rounds.
pub fn measure(
    game: &'static str,
    kind: &'static str,
    seconds: f64,
    rounds: usize,
    one: impl FnMut(&mut Rng) -> (u8, u32),
) -> Row {
    let mut runner = Runner::new(seconds, one);
    (0..rounds).for_each(|_| runner.round());
    runner.row(game, kind)
}

fn rival<R: Rival>(seconds: f64, rounds: usize) -> Row {
    measure(R::GAME, R::KIND, seconds, rounds, playout::<R>)
}

/// Another hand-written program, measured in the same run.
struct Peer {
    command: String,
    seconds: f64,
}

impl Peer {
    /// Games a second by game and way of writing it.
    fn rates(&self) -> HashMap<(String, String), f64> {
        let done = std::process::Command::new(&self.command).arg(self.seconds.to_string()).arg("1").output();
        let done = done.unwrap_or_else(|e| panic!("{}: {e}", self.command));
        assert!(done.status.success(), "{} ends with {}", self.command, done.status);
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        let of = |line: &str| -> Option<((String, String), f64)> {
            let v: serde_json::Value = serde_json::from_str(line).ok()?;
            let word = |k: &str| v[k].as_str().map(String::from);
            Some(((word("game")?, word("mode")?), v["po_med"].as_f64()?))
        };
        text.lines().filter_map(of).collect()
    }

    /// How many times as fast ours are as the peer's, measured before and after.
    fn compare(&self, before: &HashMap<(String, String), f64>, ours: [&Row; 2]) {
        let after = self.rates();
        for (row, mode) in ours.into_iter().zip(["array", "bits"]) {
            let key = (row.game.replace([' ', '-'], "_"), mode.to_string());
            let (Some(x), Some(y)) = (before.get(&key), after.get(&key)) else {
                println!("  the peer does not tell of {} with {mode}", row.game);
                continue;
            };
            let ratio = row.rate / ((x + y) / 2.0);
            println!(
                "  {} by hand are {ratio:.2} times as fast as the peer's (to be at least {LEAST})",
                row.kind
            );
        }
    }
}

/// Both writings of a game must agree: each one's recorded games, replayed by the other.
fn agree<A: Rival, B: Rival>() {
    let mut rng = Rng::new(7);
    for i in 0..300 {
        let (choices, end) = if i % 2 == 0 { record::<A>(&mut rng) } else { record::<B>(&mut rng) };
        for (kind, there) in [(A::KIND, replay::<A>(&choices)), (B::KIND, replay::<B>(&choices))] {
            assert_eq!(there.as_ref(), Ok(&end), "{} by {kind}: {choices:?}", A::GAME);
        }
    }
}

fn print(row: &Row, json: bool) {
    let [drawn, first, second] = row.shares;
    if json {
        println!(
            "{{\"game\":\"{}\",\"kind\":\"{}\",\"games_per_second\":{:.0},\"mean_length\":{:.3},\"first\":{first:.4},\"second\":{second:.4},\"drawn\":{drawn:.4}}}",
            row.game, row.kind, row.rate, row.length
        );
    } else {
        println!(
            "{:<13} {:<10} {:>12.0} games/s {:>12.0} choices/s   length {:>6.3}   first {:>5.2} %  second {:>5.2} %  drawn {:>5.2} %",
            row.game,
            row.kind,
            row.rate,
            row.rate * row.length,
            row.length,
            100.0 * first,
            100.0 * second,
            100.0 * drawn
        );
    }
}

fn main() {
    let mut seconds = 0.5;
    let mut rounds = 5;
    let mut json = false;
    let mut only: Option<String> = None;
    let mut engine_only = false;
    let mut peer = None;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seconds" => seconds = args.next().and_then(|s| s.parse().ok()).unwrap_or(seconds),
            "--rounds" => rounds = args.next().and_then(|s| s.parse().ok()).unwrap_or(rounds).max(1),
            "--json" => json = true,
            "--game" => only = args.next(),
            "--engine" => engine_only = true,
            "--peer" => peer = args.next(),
            // What cargo itself hands on, and filters, which there are none of.
            _ => {}
        }
    }
    agree::<tic_tac_toe::Arrays, tic_tac_toe::Bits>();
    agree::<connect_four::Arrays, connect_four::Bits>();
    agree::<othello::Arrays, othello::Bits>();
    for name in ["tic-tac-toe", "connect-four", "othello", "chess"] {
        if only.as_ref().is_some_and(|g| g != name) {
            continue;
        }
        if engine_only {
            print(&engine::side(name, seconds, rounds), json);
            continue;
        }
        if name == "chess" {
            let arrays = chess_by_hand(seconds, rounds);
            let ours = engine::side(name, seconds, rounds);
            print(&arrays, json);
            print(&ours, json);
            if !json {
                let ratio = arrays.rate / ours.rate;
                println!("  by hand is {ratio:.2} times as fast with arrays (to be at most {FACTOR})");
                engine::sizes(name);
            }
            continue;
        }
        let peer = peer.clone().map(|command| Peer { command, seconds });
        let before = peer.as_ref().map(Peer::rates);
        let (arrays, bits) = match name {
            "tic-tac-toe" => {
                (rival::<tic_tac_toe::Arrays>(seconds, rounds), rival::<tic_tac_toe::Bits>(seconds, rounds))
            }
            "connect-four" => {
                (rival::<connect_four::Arrays>(seconds, rounds), rival::<connect_four::Bits>(seconds, rounds))
            }
            _ => (rival::<othello::Arrays>(seconds, rounds), rival::<othello::Bits>(seconds, rounds)),
        };
        print(&arrays, json);
        print(&bits, json);
        if let (Some(peer), Some(before)) = (peer, before) {
            peer.compare(&before, [&arrays, &bits]);
        }
        let ours = engine::side(name, seconds, rounds);
        print(&ours, json);
        if !json {
            println!(
                "  by hand is {:.2} times as fast with arrays (to be at most {FACTOR}), {:.2} times with bitboards",
                arrays.rate / ours.rate,
                bits.rate / ours.rate
            );
            engine::sizes(name);
        }
    }
    if !json && only.is_none() && !engine_only {
        engine::times();
    }
}
