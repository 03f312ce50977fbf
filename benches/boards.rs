//! Board games against hand-written Rust, in one run: `cargo bench --bench boards [-- --seconds S] [--rounds N] [--json] [--out FILE]`;
//! `--game othello` measures one game, `--engine` the engine alone (for a profiler), `--times` only counting, threads, and how long checking and starting takes; `--peer COMMAND` measures another hand-written
//! program beside ours, too: it is run before and after each game as `COMMAND SECONDS 1` and writes one JSON object a line with `game` (`tic_tac_toe` …), `mode` (`array` or `bits`) and `po_med`,
//! games a second. `--out` writes every round's rate for `cargo bench --bench compare`.
//!
//! Measured are uniform random games a second, on one thread, from the first position to the end, all sides round about. Where the system tells how long this thread has really run
//! (Linux does), that time counts, so that a busy machine does not spoil the ratio.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable, clippy::todo)] // A benchmark ends by a panic.
mod by_hand;
mod engine;
mod shared;

use by_hand::{
    Move, Rival, breakthrough, chess, connect_four, hex, othello, playout, record, replay, tic_tac_toe,
};
use engine::{Engine, men, owners};
use shared::report::Report;
use shared::{Rng, Row, Runner};
use std::collections::HashMap;

/// The engine may be so many times slower than plain arrays.
const FACTOR: f64 = 3.0;

/// Our games by hand must be worth the comparison: so many times as fast as a peer's, at least.
const LEAST: f64 = 0.8;

/// Races a game, by its folder's name.
type Race = fn(&str, &Args, &mut Report);

/// A game that is measured: its folder under rules/classics, and how it is raced.
const GAMES: [(&str, Race); 6] = [
    ("tic-tac-toe", |name, args, to| {
        race::<tic_tac_toe::Arrays, tic_tac_toe::Bits>(
            Engine::new(name, &[], |m| owners(m, "mark"), one),
            args,
            to,
        );
    }),
    ("connect-four", |name, args, to| {
        race::<connect_four::Arrays, connect_four::Bits>(
            Engine::new(name, &[], |m| owners(m, "disc"), one),
            args,
            to,
        );
    }),
    ("othello", |name, args, to| {
        race::<othello::Arrays, othello::Bits>(Engine::new(name, &[], |m| owners(m, "disc"), one), args, to);
    }),
    ("breakthrough", |name, args, to| {
        race::<breakthrough::Arrays, breakthrough::Bits>(
            Engine::new(name, &[], |m| owners(m, "pawn"), two),
            args,
            to,
        );
    }),
    ("hex", |name, args, to| {
        race::<hex::Arrays, hex::Bits>(Engine::new(name, &[], |m| owners(m, "stone"), one), args, to);
    }),
    // The fifty-move rule is on, repetition off.
    ("chess", |name, args, to| {
        for (depth, nodes) in [(1, 20), (2, 400), (3, 8902), (4, 197_281)] {
            assert_eq!(chess::Arrays::start().count(depth), nodes, "chess by hand, {depth} plies");
        }
        race_arrays::<chess::Arrays, chess::Drawn>(
            Engine::new(name, &[("threefold", "no")], men, man_moves),
            args,
            to,
        );
    }),
];

/// A man goes, a pawn is promoted, the king castles.
fn man_moves(params: &[u64]) -> Move {
    match params {
        [from, to] => (to << 6 | from) as Move,
        [from, to, rank] => (rank << 12 | to << 6 | from) as Move,
        // East is direction 2.
        _ => 5 << 12 | Move::from(params[0] == 2),
    }
}

/// An action with one parameter.
fn one(params: &[u64]) -> Move {
    params[0] as Move
}

/// From where, and 64 times where to.
fn two(params: &[u64]) -> Move {
    (params[0] + 64 * params[1]) as Move
}

#[derive(Clone, Default)]
struct Args {
    seconds: f64,
    rounds: usize,
    json: bool,
    engine_only: bool,
    peer: Option<String>,
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

/// As [`race`], of a game that is written by hand in arrays only: as most would, and drawing before it tries, which is what the engine does.
fn race_arrays<A: Rival, B: Rival>(mut engine: Engine, args: &Args, to: &mut Report) {
    if !args.engine_only {
        agree::<A, A>();
        engine.agree::<A, A>(40);
    }
    let (bytes, fresh, into) = engine.sizes();
    let mut arrays = Runner::new(args.seconds, playout::<A>);
    let mut drawn = Runner::new(args.seconds, playout::<B>);
    let mut theirs = Runner::new(args.seconds, |rng| engine.playout(rng));
    for _ in 0..args.rounds {
        if !args.engine_only {
            arrays.round();
            drawn.round();
        }
        theirs.round();
    }
    let ours = theirs.row(A::GAME, "engine");
    if args.engine_only {
        return print(&ours, args.json);
    }
    let (arrays, drawn) = (arrays.row(A::GAME, A::KIND), drawn.row(B::GAME, B::KIND));
    for row in [&arrays, &drawn, &ours] {
        print(row, args.json);
        to.lines.push(row.line(A::GAME, if row.kind == "engine" { bytes } else { 0 }));
    }
    if !args.json {
        let ratio = arrays.rate / ours.rate;
        println!(
            "  by hand is {ratio:.2} times as fast with arrays (to be at most {FACTOR}), {:.2} times where it draws before it tries",
            drawn.rate / ours.rate
        );
        let (fresh, into) = (fresh * 1e9, into * 1e9);
        println!("  a state: {bytes} bytes; a new copy {fresh:.0} ns, into an old one {into:.0} ns");
    }
}

/// Measures a game: what was recorded of each side is replayed by the others first.
fn race<A: Rival, B: Rival>(mut engine: Engine, args: &Args, to: &mut Report) {
    if args.engine_only {
        let mut theirs = Runner::new(args.seconds, |rng| engine.playout(rng));
        (0..args.rounds).for_each(|_| theirs.round());
        return print(&theirs.row(A::GAME, "engine"), args.json);
    }
    agree::<A, B>();
    engine.agree::<A, B>(200);
    let peer = args.peer.clone().map(|command| Peer { command, seconds: args.seconds });
    let before = peer.as_ref().map(Peer::rates);
    let (bytes, fresh, into) = engine.sizes();
    let mut arrays = Runner::new(args.seconds, playout::<A>);
    let mut bits = Runner::new(args.seconds, playout::<B>);
    let mut theirs = Runner::new(args.seconds, |rng| engine.playout(rng));
    for _ in 0..args.rounds {
        arrays.round();
        bits.round();
        theirs.round();
    }
    let (arrays, bits) = (arrays.row(A::GAME, A::KIND), bits.row(B::GAME, B::KIND));
    let ours = theirs.row(A::GAME, "engine");
    for row in [&arrays, &bits, &ours] {
        print(row, args.json);
        to.lines.push(row.line(A::GAME, if row.kind == "engine" { bytes } else { 0 }));
    }
    if let (Some(peer), Some(before)) = (peer, before) {
        peer.compare(&before, [&arrays, &bits]);
    }
    if !args.json {
        println!(
            "  by hand is {:.2} times as fast with arrays (to be at most {FACTOR}), {:.2} times with bitboards",
            arrays.rate / ours.rate,
            bits.rate / ours.rate
        );
        println!(
            "  a state: {bytes} bytes; a new copy {:.0} ns, into an old one {:.0} ns",
            fresh * 1e9,
            into * 1e9
        );
    }
}

fn main() {
    let mut all = Args { seconds: 0.5, rounds: 7, ..Args::default() };
    let mut only: Option<String> = None;
    let mut out = None;
    let mut times = false;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seconds" => all.seconds = args.next().and_then(|s| s.parse().ok()).unwrap_or(all.seconds),
            "--rounds" => all.rounds = args.next().and_then(|s| s.parse().ok()).unwrap_or(all.rounds).max(1),
            "--json" => all.json = true,
            "--game" => only = args.next(),
            "--engine" => all.engine_only = true,
            "--peer" => all.peer = args.next(),
            "--out" => out = args.next(),
            "--times" => times = true,
            // What cargo itself hands on, and filters, which there are none of.
            _ => {}
        }
    }
    let mut report = Report::new("boards");
    for (name, race) in GAMES {
        if !times && only.as_ref().is_none_or(|g| g == name) {
            race(name, &all, &mut report);
        }
    }
    if let Some(path) = out {
        report.write(std::path::Path::new(&path));
    }
    if !all.json && only.is_none() && !all.engine_only {
        engine::rates();
        engine::times();
    }
}
