//! Discover beside the two other games, in one run: `cargo bench --bench discover [-- --rounds N] [--seconds S]`. Prints ratios and the goal of each.
//!
//! Choices a second of random games for four against The FOG's, both from behind their set-ups; what a state takes and what a copy costs; the same with twice as many tokens in the supply;
//! a game of `greedy` bots against one of random bots; `check` and the start against Fuji's.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // A benchmark ends by a panic.
#[allow(dead_code)] // The other benchmarks use the rest.
mod shared;

use houserule::cli::{Exit, Io, run};
use houserule::engine::{Machine, State};
use houserule::play::{Game, Setup};
use houserule::text::{File, Files};
use shared::rival::{Sizes, measure_state};
use shared::{Rng, source, time};
use std::ffi::OsString;
use std::path::Path;
use std::time::Instant;

/// So many set-ups are played from, in turn by chance.
const POOL: u64 = 64;
/// A random game is broken off after so many choices.
const LONGEST: u64 = 20_000;

/// A game for four behind some set-ups.
struct Table {
    machine: Machine,
    begin: Vec<State>,
}

impl Table {
    fn new(files: &Files, scenario: &str) -> Table {
        let game = Game::load(files).unwrap_or_else(|r| panic!("{:?}", r.findings));
        let mut setup = Setup::with_seed(1).with_players(4);
        setup.scenario = Some(scenario.into());
        let program = game.lower_setup(&setup).unwrap_or_else(|r| panic!("{:?}", r.findings));
        let mut machine = game.make_machine(program, 1);
        let blank = machine.state().clone();
        let mut laid_out = |seed| {
            machine.set_state(&blank);
            machine.reseed(seed);
            machine.start().expect("a first question");
            machine.state().clone()
        };
        let begin = (1..=POOL).map(&mut laid_out).collect();
        Table { machine, begin }
    }

    /// Choices a second of random games, for so many seconds.
    fn rate(&mut self, rng: &mut Rng, seconds: f64) -> f64 {
        let (start, mut made) = (Instant::now(), 0);
        while start.elapsed().as_secs_f64() < seconds {
            let k = rng.below(self.begin.len() as u32) as usize;
            self.machine.set_state(&self.begin[k]);
            made += self.machine.playout(rng, LONGEST).expect("no rule error");
        }
        made as f64 / start.elapsed().as_secs_f64()
    }

    fn sizes(&mut self) -> Sizes {
        self.machine.set_state(&self.begin[0]);
        self.machine.playout(&mut Rng::new(5), 100).expect("no rule error");
        measure_state(self.machine.state())
    }
}

/// The same files with twice as many tokens in the supply.
fn with_more_tokens(files: &Files) -> Files {
    let mut out = Files::new();
    let mut found = 0;
    for (_, f) in files.iter() {
        found += f.text.matches(" x100 ").count();
        out.add(File::new(f.name.to_string(), f.text.replace(" x100 ", " x200 ")));
    }
    assert_eq!(found, 1, "the supply is declared once");
    out
}

/// Runs a command; what it prints is dropped.
fn command(words: &[&str]) {
    let mut io = Io::in_memory("", Box::new(std::io::sink()), Box::new(std::io::sink()));
    let exit = run(std::iter::once("houserule").chain(words.iter().copied()).map(OsString::from), &mut io);
    assert_eq!(exit, Exit::Fine, "{words:?}");
}

fn range(all: impl Iterator<Item = f64>) -> (f64, f64) {
    all.fold((f64::INFINITY, 0.0), |(lo, hi), x| (lo.min(x), hi.max(x)))
}

fn told(what: &str, (least, most): (f64, f64), goal: &str, met: bool) {
    let missed = if met { "" } else { "  MISSED" };
    println!("  {what:<54} {least:.2} to {most:.2} (to be {goal}){missed}");
}

fn main() {
    let (mut rounds, mut seconds) = (5, 1.0);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--rounds" => rounds = args.next().and_then(|s| s.parse().ok()).unwrap_or(rounds).max(1),
            "--seconds" => seconds = args.next().and_then(|s| s.parse().ok()).unwrap_or(seconds),
            // What cargo itself hands on.
            _ => {}
        }
    }
    let files = source("rules", "discover");
    let mut fog = Table::new(&source("rules", "fog"), "xappalo");
    let mut discover = Table::new(&files, "cry");
    let mut more = Table::new(&with_more_tokens(&files), "cry");
    println!("ratios, least to most of {rounds} rounds:");
    let mut rng = Rng::new(1);
    let mut pace = Vec::new();
    for _ in 0..rounds {
        let [a, b, c] = [&mut fog, &mut discover, &mut more].map(|t| t.rate(&mut rng, seconds));
        pace.push((b / a, b / c));
    }
    let of_fog = range(pace.iter().map(|p| p.0));
    told("choices a second, of The FOG's", of_fog, "at least 0.50", of_fog.0 >= 0.5);
    let of_more = range(pace.iter().map(|p| p.1));
    told("time a choice with twice the tokens, of the usual", of_more, "at most 1.10", of_more.1 <= 1.1);
    let [a, b, c] = [fog.sizes(), discover.sizes(), more.sizes()];
    let bytes = b.bytes as f64 / a.bytes as f64;
    told(
        &format!("bytes of a state ({} KB), of The FOG's", b.bytes / 1000),
        (bytes, bytes),
        "at most 6.50",
        bytes <= 6.5,
    );
    let copies = [b.fresh / a.fresh, b.into / a.into];
    let copies = range(copies.into_iter());
    told("time of a copy, of The FOG's", copies, "at most 6.50", copies.1 <= 6.5);
    println!("  bytes of a state with twice the tokens: {} more", c.bytes as i64 - b.bytes as i64);
    let simulate = |seats: &str, games: &str| {
        let seats = [seats; 4].join(",");
        time(1, 1, || {
            command(&["sim", "discover", "--players", "4", "--games", games, "-j", "1", "--seats", &seats])
        })
    };
    let greedy = range((0..rounds).map(|_| {
        let fixed = simulate("random", "1");
        let slow = (simulate("greedy", "3") - fixed) / 2.0;
        let quick = (simulate("random", "401") - fixed) / 400.0;
        slow / quick
    }));
    told("a greedy game, of a random one", greedy, "at most 60.00", greedy.1 <= 60.0);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let check = |name: &str| time(1, 1, || command(&["check", &root.join(name).to_string_lossy()]));
    let checks = range((0..rounds).map(|_| check("discover") / check("fuji")));
    told("`check`, of Fuji's", checks, "at most 1.50", checks.1 <= 1.5);
    let start = |name: &str, scenario: &str| {
        let game = Game::load(&source("rules", name)).expect("a game");
        let mut setup = Setup::with_seed(1).with_players(4);
        setup.scenario = Some(scenario.into());
        move || time(1, 1, || drop(game.start(&setup).expect("a match")))
    };
    let (ours, theirs) = (start("discover", "cry"), start("fuji", "fuji_1"));
    let starts = range((0..rounds).map(|_| ours() / theirs()));
    told("the start, of Fuji's", starts, "at most 1.50", starts.1 <= 1.5);
}
