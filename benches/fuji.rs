//! Fuji against hand-written Rust, in one run: `cargo bench --bench fuji [-- --seconds S] [--rounds N] [--json]`; `--players 4` measures one size of the table, `--engine` the
//! engine alone (for a profiler), `--costs` what the engine's kinds of questions cost; `--games N` so many games are compared first.
//!
//! Measured are uniform random games a second, on one thread, from the set-up (shuffles, dealing) to the end, both sides round about. Before that the engine's games are replayed
//! by hand choice by choice.
#[path = "engine/fuji.rs"]
mod engine;
#[path = "by_hand/fuji/mod.rs"]
mod fuji;
mod shared;

use engine::Engine;
use fuji::{Fuji, Options};
use shared::{Rng, Row, Runner, time};
use std::hint::black_box;

/// The engine may be so many times slower than what is written by hand, and a state so large.
const FACTOR: f64 = 4.0;
const BYTES: usize = 8 << 10;

impl fuji::Chance for Rng {
    #[inline(always)]
    fn below(&mut self, n: u32) -> u32 {
        Rng::below(self, n)
    }
}

struct Args {
    seconds: f64,
    rounds: usize,
    json: bool,
    engine_only: bool,
    costs: bool,
    players: Option<u8>,
    games: u64,
}

fn print(row: &Row, n: u8, json: bool) {
    if json {
        println!(
            "{{\"game\":\"{}\",\"players\":{n},\"kind\":\"{}\",\"games_per_second\":{:.0},\"mean_length\":{:.3},\"won\":{:.4}}}",
            row.game, row.kind, row.rate, row.length, row.shares[1]
        );
    } else {
        println!(
            "fuji, {n} players  {:<8} {:>9.0} games/s {:>11.0} choices/s   length {:>7.2}   won {:>5.2} %",
            row.kind,
            row.rate,
            row.rate * row.length,
            row.length,
            100.0 * row.shares[1]
        );
    }
}

/// Both sides play the same game if they agree within what chance allows: four standard errors of the difference. Of a few games that says nothing.
fn same(hand: &Row, engine: &Row) {
    if hand.games.min(engine.games) < 100 {
        return eprintln!("  too few games to compare their length and how many are won");
    }
    for (what, a, b, i) in [
        ("the mean length", hand.length, engine.length, 0),
        ("the share of games won", hand.shares[1], engine.shares[1], 1),
    ] {
        let most = 4.0 * hand.errors[i].hypot(engine.errors[i]);
        assert!((a - b).abs() <= most, "{what} differs: {a} by hand, {b} by the engine, {most} at most");
    }
}

fn costs(n: u8) {
    let all = engine::costs(&mut Engine::new(n), 100);
    let choices: u64 = all.iter().map(|c| c.n).sum();
    println!("fuji, {n} players: what the engine's choices cost ({choices} of them)");
    for c in all {
        let each = |seconds: f64| 1e6 * seconds / c.n as f64;
        println!(
            "  {:<20} {:>5.1} % of choices   options {:>7.2} µs   taking it {:>7.2} µs",
            c.what,
            100.0 * c.n as f64 / choices as f64,
            each(c.options),
            each(c.taking)
        );
    }
}

fn race(n: u8, args: &Args) {
    let mut engine = Engine::new(n);
    if !args.engine_only {
        let seen = engine::agree(&mut engine, args.games, 11);
        let missing = seen.missing();
        assert!(args.games < 300 || missing.is_empty(), "never came up: {missing:?}");
        if !args.json {
            println!(
                "{} games of the engine for {n} players replayed by hand ({} won): {} choices, {} questions and {} draws the same",
                seen.games, seen.won, seen.choices, seen.questions, seen.draws
            );
        }
    }
    // Another machine: on that one chance is laid down no longer, but it was.
    let mut engine = Engine::new(n);
    let (bytes, fresh, into) = engine::sizes(&mut engine);
    let mut theirs = Runner::new(args.seconds, |rng| engine.playout(rng));
    if args.engine_only {
        (0..args.rounds).for_each(|_| theirs.round());
        return print(&theirs.row("fuji", "engine"), n, args.json);
    }
    let mut options = Options::default();
    let mut ours = Runner::new(args.seconds, |rng| fuji::playout(n, rng, &mut options));
    for _ in 0..args.rounds {
        ours.round();
        theirs.round();
    }
    let (hand, machine) = (ours.row("fuji", "by hand"), theirs.row("fuji", "engine"));
    print(&hand, n, args.json);
    print(&machine, n, args.json);
    same(&hand, &machine);
    if args.json {
        return;
    }
    let factor = hand.rate / machine.rate;
    let met = |yes: bool| if yes { "met" } else { "NOT met" };
    println!("  by hand is {factor:.2} times as fast (to be at most {FACTOR}: {})", met(factor <= FACTOR));
    let state = Fuji::start(n, &mut Rng::new(5));
    let mut other = state;
    let copied = time(5, 20_000, || {
        other = *black_box(&state);
        black_box(&other);
    });
    println!(
        "  a state: engine {bytes} bytes (to be under {BYTES}: {}), a new copy {:.0} ns, into an old one {:.0} ns; by hand {} bytes, copied in {:.0} ns",
        met(bytes < BYTES),
        fresh * 1e9,
        into * 1e9,
        size_of::<Fuji>(),
        copied * 1e9
    );
}

fn main() {
    let mut all = Args {
        seconds: 0.5,
        rounds: 7,
        json: false,
        engine_only: false,
        costs: false,
        players: None,
        games: 300,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = |or: f64| args.next().and_then(|s| s.parse().ok()).unwrap_or(or);
        match arg.as_str() {
            "--seconds" => all.seconds = number(all.seconds),
            "--rounds" => all.rounds = (number(all.rounds as f64) as usize).max(1),
            "--games" => all.games = number(all.games as f64) as u64,
            "--players" => all.players = Some((number(3.0) as u8).clamp(3, 4)),
            "--json" => all.json = true,
            "--engine" => all.engine_only = true,
            "--costs" => all.costs = true,
            // What cargo itself hands on, and filters, which there are none of.
            _ => {}
        }
    }
    for n in 3..=4 {
        if all.players.is_none_or(|p| p == n) {
            if all.costs { costs(n) } else { race(n, &all) }
        }
    }
}
