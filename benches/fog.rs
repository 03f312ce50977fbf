//! The FOG against hand-written Rust, in one run: `cargo bench --bench fog [-- --seconds S] [--rounds N] [--json] [--out FILE]`; `--engine` measures the engine alone (for a profiler);
//! `--games N` so many games are compared first.
//!
//! `cargo test` compares a few games and measures nothing.
//! Measured are uniform random games a second, on one thread, from the draft behind one of 64 set-ups to the end, both sides round about. Before that the engine's games are replayed by hand choice
//! by choice.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable, clippy::todo)] // A benchmark ends by a panic.
#[path = "engine/fog.rs"]
mod engine;
#[path = "by_hand/fog/mod.rs"]
mod fog;
mod shared;

use engine::Engine;
use fog::Fog;
use shared::Runner;
use shared::report::Report;
use shared::rival::{Args, Labels, Limits, check_same_game, print_row, print_summary};

/// The engine may be so many times slower than what is written by hand, and a state so large.
const LIMITS: Limits = Limits { factor: 4.0, bytes: 8 << 10 };

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
    if args.compare_only {
        return;
    }
    let begin = engine.by_hand();
    let sizes = engine::sizes(&mut engine);
    let labels =
        Labels { title: String::from("fog, 4 players"), players: None, won: ("first won", "first_won") };
    let mut theirs = Runner::new(args.seconds, |rng| engine.playout(rng));
    if args.engine_only {
        (0..args.rounds).for_each(|_| theirs.round());
        return print_row(&theirs.row("fog", "engine"), &labels, args.json);
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
        print_row(row, &labels, args.json);
        let bytes = if row.kind == "engine" { sizes.bytes } else { size_of::<Fog>() };
        to.lines.push(row.line(&labels.title, bytes));
    }
    check_same_game(&plain, &machine);
    check_same_game(&drawn, &plain);
    if !args.json {
        let how = "where dead ends are only looked for behind what is drawn";
        print_summary([&plain, &drawn, &machine], how, &LIMITS, sizes, begin[0]);
    }
}

fn main() {
    let args = Args::parse();
    let mut report = Report::new("fog");
    race(&args, &mut report);
    if let Some(path) = args.out {
        report.write(std::path::Path::new(&path));
    }
}
