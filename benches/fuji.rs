//! Fuji against hand-written Rust, in one run: `cargo bench --bench fuji [-- --seconds S] [--rounds N] [--json] [--out FILE]`; `--players 4` measures one size of the table, `--engine` the
//! engine alone (for a profiler), `--costs` what the engine's kinds of questions cost; `--games N` so many games are compared first.
//!
//! `cargo test` compares a few games and measures nothing.
//! Measured are uniform random games a second, on one thread, from the set-up (shuffles, dealing) to the end, both sides round about. Before that the engine's games are replayed
//! by hand choice by choice.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable, clippy::todo)] // A benchmark ends by a panic.
#[path = "engine/fuji.rs"]
mod engine;
#[path = "by_hand/fuji/mod.rs"]
mod fuji;
mod shared;

use engine::{Engine, Seen};
use fuji::{Fuji, Options};
use shared::report::Report;
use shared::rival::{Args, Labels, Limits, check_same_game, print_row, print_summary};
use shared::{Rng, Runner};

/// The engine may be so many times slower than what is written by hand, and a state so large.
const LIMITS: Limits = Limits { factor: 2.0, bytes: 8 << 10 };

impl fuji::Chance for Rng {
    #[inline(always)]
    fn below(&mut self, n: u32) -> u32 {
        Rng::below(self, n)
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
    if args.compare_only {
        return;
    }
    let mut engine = Engine::new(n);
    let sizes = engine::sizes(&mut engine);
    let labels = Labels { title: format!("fuji, {n} players"), players: Some(n), won: ("won", "won") };
    let mut theirs = Runner::new(args.seconds, |rng| engine.playout(rng));
    if args.engine_only {
        (0..args.rounds).for_each(|_| theirs.round());
        return print_row(&theirs.row("fuji", "engine"), &labels, args.json);
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
    for row in [&plain, &bits, &machine] {
        print_row(row, &labels, args.json);
        let bytes = if row.kind == "engine" { sizes.bytes } else { size_of::<Fuji<true>>() };
        to.lines.push(row.line(&labels.title, bytes));
    }
    check_same_game(&plain, &machine);
    check_same_game(&bits, &plain);
    if !args.json {
        let state = Fuji::<true>::start(n, &mut Rng::new(5));
        print_summary([&plain, &bits, &machine], "with bits and tables", &LIMITS, sizes, state);
    }
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
    let args = Args::parse();
    let mut report = Report::new("fuji");
    for n in 3..=4 {
        if args.players.is_none_or(|p| p == n) {
            if args.costs && !args.compare_only { costs(n) } else { race(n, &args, &mut report) }
        }
    }
    if let Some(path) = args.out {
        report.write(std::path::Path::new(&path));
    }
}
