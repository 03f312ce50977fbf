//! Commands as people call them, by processor time of the whole process: `cargo bench --bench commands [-- --rounds N] [--seconds S] [--game NAME]`.
//!
//! `check` of Fuji and The FOG is the whole command. `sim` counts uses and writes every game (`--out`); it is compared with bare playouts of as many games from the first question on,
//! as `boards.rs` plays them. Both take turns, and the run of one game is taken off `sim`, so that reading and compiling do not count.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // A benchmark ends by a panic.
#[allow(dead_code)] // The other benchmarks use the rest.
mod shared;

use houserule::cli::{Exit, Io, run};
use houserule::engine::Stream;
use houserule::play::{Game, Setup};
use std::ffi::OsString;
use std::hint::black_box;
use std::path::Path;

/// Seconds of processor time that `check` may take.
const CHECK: f64 = 0.15;
/// How many times the playouts' processor time `sim` may take, of games of at least so many choices and of shorter ones.
const SIM: (f64, f64, f64) = (1.3, 20.0, 2.0);

/// Seconds that all threads of this process have run, also those that have ended. The system counts them in hundredths of a second.
fn process_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("a system that counts processor time");
    let behind = stat.rsplit(')').next().unwrap_or("");
    let ticks: f64 = behind.split_whitespace().skip(11).take(2).map(|n| n.parse().unwrap_or(0.0)).sum();
    ticks / 100.0
}

fn seconds_of(f: impl FnOnce()) -> f64 {
    let before = process_seconds();
    f();
    process_seconds() - before
}

/// Runs a command; what it prints is dropped.
fn command(words: &[&str]) {
    let mut io = Io::in_memory("", Box::new(std::io::sink()), Box::new(std::io::sink()));
    let exit = run(std::iter::once("houserule").chain(words.iter().copied()).map(OsString::from), &mut io);
    assert_eq!(exit, Exit::Fine, "{words:?}");
}

/// The least and the most of some figures.
fn range(all: &[f64]) -> (f64, f64) {
    (all.iter().copied().fold(f64::INFINITY, f64::min), all.iter().copied().fold(0.0, f64::max))
}

fn verdict(is: f64, most: f64) -> &'static str {
    if is <= most { "" } else { "  TOO SLOW" }
}

/// Prints how long `check` takes.
fn check(name: &str, rounds: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules").join(name);
    let folder = folder.to_string_lossy();
    const CALLS: usize = 3;
    let all: Vec<f64> = (0..rounds)
        .map(|_| seconds_of(|| (0..CALLS).for_each(|_| command(&["check", &folder]))) / CALLS as f64)
        .collect();
    let (least, most) = range(&all);
    println!("  check {name:<18} {least:.3} to {most:.3} s{}", verdict(least, CHECK));
}

/// Prints how many times the processor time of the playouts `sim` takes.
fn sim(group: &str, name: &str, rounds: usize, seconds: f64) {
    let game =
        Game::load(&shared::source(group, name)).unwrap_or_else(|r| panic!("{name}: {:?}", r.findings));
    let program = game.lower_setup(&Setup::default()).expect("a program");
    let mut machine = game.make_machine(program, 1);
    machine.start().expect("a first question");
    let first = machine.state().clone();
    let mut rng = Stream::new(1, 0);
    let mut playouts = |games: u64| -> u64 {
        let mut one = || {
            machine.set_state(&first);
            let choices = machine.playout(&mut rng, 10_000).expect("no rule error");
            black_box(machine.outcome());
            choices
        };
        (0..games).map(|_| one()).sum()
    };
    let mut games = 16;
    while seconds_of(|| assert!(playouts(games) > 0)) < seconds / 4.0 {
        games *= 2;
    }
    games *= 4;
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("games.csv").to_string_lossy().into_owned();
    let simulate = |games: u64| {
        command(&["sim", name, "--games", &games.to_string(), "-j", "1", "--out", &out]);
    };
    let fixed = seconds_of(|| (0..5).for_each(|_| simulate(1))) / 5.0;
    let mut choices = 0;
    let ratios: Vec<f64> = (0..rounds)
        .map(|_| {
            let bare = seconds_of(|| choices += playouts(games));
            (seconds_of(|| simulate(games)) - fixed) / bare
        })
        .collect();
    let (least, most) = range(&ratios);
    let length = choices as f64 / (games * rounds as u64) as f64;
    let goal = if length < SIM.1 { SIM.2 } else { SIM.0 };
    println!(
        "  sim {name:<20} {least:.2} to {most:.2} times the playouts (to be {goal}){}   {length:.0} choices a game",
        verdict(least, goal)
    );
}

fn main() {
    let (mut rounds, mut seconds, mut only) = (5, 0.5, None);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--rounds" => rounds = args.next().and_then(|s| s.parse().ok()).unwrap_or(rounds).max(1),
            "--seconds" => seconds = args.next().and_then(|s| s.parse().ok()).unwrap_or(seconds),
            "--game" => only = args.next(),
            // What cargo itself hands on.
            _ => {}
        }
    }
    let wanted = |name: &str| only.as_ref().is_none_or(|x| x == name);
    println!("processor time, least to most of {rounds} rounds:");
    ["fuji", "fog"].into_iter().filter(|n| wanted(n)).for_each(|name| check(name, rounds));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for group in ["rules/classics", "rules"] {
        let entries = std::fs::read_dir(root.join(group)).expect("a folder of rules").flatten();
        let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        let is_game = |n: &&String| wanted(n) && !matches!(n.as_str(), "classics" | "mods");
        names.iter().filter(is_game).for_each(|name| sim(group, name, rounds, seconds));
    }
}
