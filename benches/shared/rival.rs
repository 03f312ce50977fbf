//! What the benchmarks of Fuji and of The FOG share: arguments, how a row is printed, whether both sides play the same game, and the summary against the limits.
use super::{Row, time};
use houserule::engine::State;
use std::hint::black_box;

/// The arguments of a benchmark.
pub struct Args {
    /// Seconds of a round.
    pub seconds: f64,
    /// How many rounds.
    pub rounds: usize,
    /// Whether rows are written for machines.
    pub json: bool,
    /// Whether the engine alone is measured.
    pub engine_only: bool,
    /// Whether the costs of the engine's kinds of questions are printed instead.
    pub costs: bool,
    /// The one size of the table that is measured.
    pub players: Option<u8>,
    /// How many games are compared first.
    pub games: u64,
    /// The file that gets every round's rate.
    pub out: Option<String>,
    /// Whether games are compared and nothing is measured: `cargo test` runs a benchmark without the word `--bench`.
    pub compare_only: bool,
}

/// How many games a run of the tests compares.
const TESTED: u64 = 40;

impl Args {
    /// Reads the arguments of the process.
    pub fn parse() -> Args {
        let mut all = Args {
            seconds: 0.5,
            rounds: 7,
            json: false,
            engine_only: false,
            costs: false,
            players: None,
            games: 400,
            out: None,
            compare_only: true,
        };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            if arg == "--out" {
                all.out = args.next();
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
                "--bench" => all.compare_only = false,
                // What cargo itself hands on, and filters, which there are none of.
                _ => {}
            }
        }
        if all.compare_only {
            all.games = TESTED;
        }
        all
    }
}

/// How the rows of a game are called.
pub struct Labels {
    /// The game and its players, as in `fog, 4 players`.
    pub title: String,
    /// How many players, if rows for machines say so.
    pub players: Option<u8>,
    /// What `Row::shares[1]` is, for people and for machines.
    pub won: (&'static str, &'static str),
}

/// Prints a row, for people or for machines.
pub fn print_row(row: &Row, labels: &Labels, json: bool) {
    let (won, key) = labels.won;
    if json {
        let players = labels.players.map(|n| format!("\"players\":{n},")).unwrap_or_default();
        println!(
            "{{\"game\":\"{}\",{players}\"kind\":\"{}\",\"games_per_second\":{:.0},\"mean_length\":{:.3},\"{key}\":{:.4}}}",
            row.game, row.kind, row.rate, row.length, row.shares[1]
        );
    } else {
        println!(
            "{}  {:<8} {:>9.0} games/s {:>11.0} choices/s   length {:>7.2}   {won} {:>5.2} %",
            labels.title,
            row.kind,
            row.rate,
            row.rate * row.length,
            row.length,
            100.0 * row.shares[1]
        );
    }
}

/// Two sides play the same game if they agree within what chance allows: four standard errors of the difference. Of a few games that says nothing, nor of what hardly ever happens.
pub fn check_same_game(one: &Row, other: &Row) {
    let (n, m) = (one.games as f64, other.games as f64);
    if n.min(m) < 100.0 {
        return eprintln!("  too few games to compare their length and how many are won");
    }
    let won = (n * one.shares[1] + m * other.shares[1]) / (n + m);
    let won_error = (won * (1.0 - won) * (1.0 / n + 1.0 / m)).sqrt();
    for (what, a, b, error, counts) in [
        ("the mean length", one.length, other.length, one.error.hypot(other.error), true),
        ("the share of games won", one.shares[1], other.shares[1], won_error, won * n.min(m) >= 10.0),
    ] {
        assert!(
            !counts || (a - b).abs() <= 4.0 * error,
            "{what} differs: {} {a}, {} {b}, a standard error of the difference is {error}",
            one.kind,
            other.kind
        );
    }
}

/// What a state takes: bytes, seconds of a copy into memory that is new, seconds of one into an old state.
#[derive(Clone, Copy)]
pub struct Sizes {
    pub bytes: usize,
    pub fresh: f64,
    pub into: f64,
}

/// Measures a state of the engine.
pub fn measure_state(state: &State) -> Sizes {
    let mut other = state.clone();
    let fresh = time(5, 20_000, || drop(black_box(state.clone())));
    let into = time(5, 20_000, || other.clone_from(black_box(state)));
    Sizes { bytes: state.bytes(), fresh, into }
}

/// What is to be reached.
pub struct Limits {
    /// The engine may be so many times slower than plain code by hand.
    pub factor: f64,
    /// A state of the engine is to be smaller than so many bytes.
    pub bytes: usize,
}

/// Prints how the engine compares with both programs by hand (`how` says what the second does), and what states take; `by_hand` is a state of theirs.
pub fn print_summary<T: Copy>(rows: [&Row; 3], how: &str, limits: &Limits, sizes: Sizes, by_hand: T) {
    let [plain, second, engine] = rows;
    let Limits { factor: most, bytes: least } = limits;
    let factor = plain.rate / engine.rate;
    let met = |yes: bool| if yes { "met" } else { "NOT met" };
    println!(
        "  by hand is {factor:.1} times as fast if plain (to be at most {most}: {}), {:.1} times {how}",
        met(factor <= *most),
        second.rate / engine.rate
    );
    let mut other = by_hand;
    let copied = time(5, 20_000, || {
        other = *black_box(&by_hand);
        black_box(&other);
    });
    println!(
        "  a state: engine {} bytes (to be under {least}: {}), a new copy {:.0} ns, into an old one {:.0} ns; by hand {} bytes, copied in {:.0} ns",
        sizes.bytes,
        met(sizes.bytes < *least),
        sizes.fresh * 1e9,
        sizes.into * 1e9,
        size_of::<T>(),
        copied * 1e9
    );
}
