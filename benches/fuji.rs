//! Fuji against hand-written Rust, in one run: `cargo bench --bench fuji [-- --seconds S] [--rounds N] [--json] [--out FILE]`; `--players 4` measures one size of the table, `--engine` the
//! engine alone (for a profiler), `--costs` what the engine's kinds of questions cost; `--games N` so many games are compared first.
//!
//! Measured are uniform random games a second, on one thread, from the set-up (shuffles, dealing) to the end, both sides round about. Before that the engine's games are replayed
//! by hand choice by choice.
#[path = "engine/fuji.rs"]
mod engine;
#[path = "by_hand/fuji/mod.rs"]
mod fuji;
mod shared;

use engine::{Engine, Seen};
use fuji::{Fuji, Options};
use shared::report::Report;
use shared::{Rng, Row, Runner, time};
use std::hint::black_box;

/// The engine may be so many times slower than what is written by hand, and a state so large.
const FACTOR: f64 = 2.0;
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

/// Two sides play the same game if they agree within what chance allows: four standard errors of the difference. Of a few games that says nothing, nor of what hardly ever happens.
fn same(one: &Row, other: &Row) {
    let (n, m) = (one.games as f64, other.games as f64);
    if n.min(m) < 100.0 {
        return eprintln!("  too few games to compare their length and how many are won");
    }
    let won = (n * one.shares[1] + m * other.shares[1]) / (n + m);
    for (what, a, b, error, counts) in [
        ("the mean length", one.length, other.length, one.error.hypot(other.error), true),
        (
            "the share of games won",
            one.shares[1],
            other.shares[1],
            (won * (1.0 - won) * (1.0 / n + 1.0 / m)).sqrt(),
            won * n.min(m) >= 10.0,
        ),
    ] {
        assert!(
            !counts || (a - b).abs() <= 4.0 * error,
            "{what} differs: {} {a}, {} {b}, a standard error of the difference is {error}",
            one.kind,
            other.kind
        );
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

fn race(n: u8, args: &Args, to: &mut Report) {
    if !args.engine_only {
        let mut seen = compare::<true>(n, args);
        seen.kinds.extend(compare::<false>(n, args).kinds);
        let missing = seen.missing();
        assert!(args.games < 300 || missing.is_empty(), "never came up: {missing:?}");
    }
    let mut engine = Engine::new(n);
    let (bytes, fresh, into) = engine::sizes(&mut engine);
    let mut theirs = Runner::new(args.seconds, |rng| engine.playout(rng));
    if args.engine_only {
        (0..args.rounds).for_each(|_| theirs.round());
        return print(&theirs.row("fuji", "engine"), n, args.json);
    }
    let (mut plain_options, mut bits_options) = (Options::default(), Options::default());
    let mut plain = Runner::new(args.seconds, |rng| fuji::playout::<true, _>(n, rng, &mut plain_options));
    let mut bits = Runner::new(args.seconds, |rng| fuji::playout::<false, _>(n, rng, &mut bits_options));
    for _ in 0..args.rounds {
        plain.round();
        bits.round();
        theirs.round();
    }
    let (plain, bits) = (plain.row("fuji", "plain"), bits.row("fuji", "bits"));
    let machine = theirs.row("fuji", "engine");
    print(&plain, n, args.json);
    print(&bits, n, args.json);
    print(&machine, n, args.json);
    for row in [&plain, &bits, &machine] {
        let bytes = if row.kind == "engine" { bytes } else { size_of::<Fuji<true>>() };
        to.lines.push(row.line(&format!("fuji, {n} players"), bytes));
    }
    same(&plain, &machine);
    same(&bits, &plain);
    if args.json {
        return;
    }
    let factor = plain.rate / machine.rate;
    let met = |yes: bool| if yes { "met" } else { "NOT met" };
    println!(
        "  by hand is {factor:.1} times as fast if plain (to be at most {FACTOR}: {}), {:.1} times with bits and tables",
        met(factor <= FACTOR),
        bits.rate / machine.rate
    );
    let state = Fuji::<true>::start(n, &mut Rng::new(5));
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
        size_of::<Fuji<true>>(),
        copied * 1e9
    );
}

/// The engine's recorded games, replayed by hand.
fn compare<const PLAIN: bool>(n: u8, args: &Args) -> Seen {
    let seen = engine::agree::<PLAIN>(&mut Engine::new(n), args.games, if PLAIN { 11 } else { 5_000 });
    if !args.json {
        println!(
            "{} games of the engine for {n} players replayed by hand, {} ({} won): {} choices, {} questions and {} draws the same",
            seen.games,
            if PLAIN { "plain" } else { "bits" },
            seen.won,
            seen.choices,
            seen.questions,
            seen.draws
        );
    }
    seen
}

fn main() {
    let mut all = Args {
        seconds: 0.5,
        rounds: 7,
        json: false,
        engine_only: false,
        costs: false,
        players: None,
        games: 400,
    };
    let mut report = Report::new("fuji");
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
            if all.costs { costs(n) } else { race(n, &all, &mut report) }
        }
    }
    if let Some(path) = out {
        report.write(std::path::Path::new(&path));
    }
}
