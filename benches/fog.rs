//! The FOG against hand-written Rust, in one run: `cargo bench --bench fog [-- --seconds S] [--rounds N] [--json] [--out FILE]`; `--engine` measures the engine alone (for a profiler);
//! `--games N` so many games are compared first.
//!
//! Measured are uniform random games a second, on one thread, from the draft behind one of 64 set-ups to the end, both sides round about. Before that the engine's games are replayed by hand choice
//! by choice.
#[path = "engine/fog.rs"]
mod engine;
#[path = "by_hand/fog/mod.rs"]
mod fog;
mod shared;

use engine::Engine;
use fog::Fog;
use shared::report::Report;
use shared::{Row, Runner, time};
use std::hint::black_box;

/// The engine may be so many times slower than what is written by hand, and a state so large.
const FACTOR: f64 = 4.0;
const BYTES: usize = 8 << 10;

struct Args {
    seconds: f64,
    rounds: usize,
    json: bool,
    engine_only: bool,
    games: u64,
}

fn print(row: &Row, json: bool) {
    if json {
        println!(
            "{{\"game\":\"{}\",\"kind\":\"{}\",\"games_per_second\":{:.0},\"mean_length\":{:.3},\"first_won\":{:.4}}}",
            row.game, row.kind, row.rate, row.length, row.shares[1]
        );
    } else {
        println!(
            "fog, 4 players  {:<8} {:>9.0} games/s {:>11.0} choices/s   length {:>7.2}   first won {:>5.2} %",
            row.kind,
            row.rate,
            row.rate * row.length,
            row.length,
            100.0 * row.shares[1]
        );
    }
}

/// Two sides play the same game if they agree within what chance allows: four standard errors of the difference. Of a few games that says nothing.
fn same(one: &Row, other: &Row) {
    let (n, m) = (one.games as f64, other.games as f64);
    if n.min(m) < 100.0 {
        return eprintln!("  too few games to compare their length and how many are won");
    }
    let won = (n * one.shares[1] + m * other.shares[1]) / (n + m);
    let error = (won * (1.0 - won) * (1.0 / n + 1.0 / m)).sqrt();
    for (what, a, b, error) in [
        ("the mean length", one.length, other.length, one.error.hypot(other.error)),
        ("the share of games won", one.shares[1], other.shares[1], error),
    ] {
        assert!(
            (a - b).abs() <= 4.0 * error,
            "{what} differs: {} {a}, {} {b}, a standard error of the difference is {error}",
            one.kind,
            other.kind
        );
    }
}

/// The engine's recorded games, replayed by hand.
fn compare(engine: &mut Engine, args: &Args) {
    let seen = engine::agree(engine, args.games);
    if !args.json {
        println!(
            "{} games of the engine replayed by hand: {} choices among {} options the same, {} dead ends left out",
            seen.games, seen.choices, seen.options, seen.dead
        );
        let kinds: Vec<String> = seen.kinds.iter().map(|(k, n)| format!("{k} {n}")).collect();
        println!("  {}", kinds.join(", "));
    }
    let missing = seen.missing();
    assert!(args.games < 200 || missing.is_empty() && seen.dead > 0, "never came up: {missing:?}");
}

fn race(args: &Args, to: &mut Report) {
    let mut engine = Engine::new();
    if !args.engine_only {
        compare(&mut engine, args);
    }
    let begin = engine.by_hand();
    let (bytes, fresh, into) = engine::sizes(&mut engine);
    let mut theirs = Runner::new(args.seconds, |rng| engine.playout(rng));
    if args.engine_only {
        (0..args.rounds).for_each(|_| theirs.round());
        return print(&theirs.row("fog", "engine"), args.json);
    }
    let (mut some, mut others) = (Vec::new(), Vec::new());
    let n = begin.len() as u32;
    let mut plain = Runner::new(args.seconds, |rng| {
        let k = rng.below(n) as usize;
        fog::playout(&begin[k], |n| rng.below(n), &mut some)
    });
    let mut drawn = Runner::new(args.seconds, |rng| {
        let k = rng.below(n) as usize;
        fog::playout_drawn(&begin[k], |n| rng.below(n), &mut others)
    });
    for _ in 0..args.rounds {
        plain.round();
        drawn.round();
        theirs.round();
    }
    let (plain, drawn) = (plain.row("fog", "plain"), drawn.row("fog", "drawn"));
    let machine = theirs.row("fog", "engine");
    for row in [&plain, &drawn, &machine] {
        print(row, args.json);
        let bytes = if row.kind == "engine" { bytes } else { size_of::<Fog>() };
        to.lines.push(row.line("fog, 4 players", bytes));
    }
    same(&plain, &machine);
    same(&drawn, &plain);
    if args.json {
        return;
    }
    let factor = plain.rate / machine.rate;
    let met = |yes: bool| if yes { "met" } else { "NOT met" };
    println!(
        "  by hand is {factor:.1} times as fast if plain (to be at most {FACTOR}: {}), {:.1} times where dead ends are only looked for behind what is drawn",
        met(factor <= FACTOR),
        drawn.rate / machine.rate
    );
    let state = begin[0];
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
        size_of::<Fog>(),
        copied * 1e9
    );
}

fn main() {
    let mut all = Args { seconds: 0.5, rounds: 7, json: false, engine_only: false, games: 400 };
    let mut report = Report::new("fog");
    let mut out = None;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        if arg == "--out" {
            out = args.next();
            continue;
        }
        let mut number = |or: f64| args.next().and_then(|s| s.parse().ok()).unwrap_or(or);
        match arg.as_str() {
            "--seconds" => all.seconds = number(all.seconds),
            "--rounds" => all.rounds = (number(all.rounds as f64) as usize).max(1),
            "--games" => all.games = number(all.games as f64) as u64,
            "--json" => all.json = true,
            "--engine" => all.engine_only = true,
            // What cargo itself hands on, and filters, which there are none of.
            _ => {}
        }
    }
    race(&all, &mut report);
    if let Some(path) = out {
        report.write(std::path::Path::new(&path));
    }
}
