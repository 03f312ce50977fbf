//! The three boards against hand-written Rust, in one run: `cargo bench --bench boards [-- --seconds S] [--json]`;
//! `--game othello` measures one game, `--engine` the engine alone (for a profiler).
//!
//! Measured are uniform random games a second, on one thread, from the first position to the end. Where the system tells how long this thread has really run (Linux does), that
//! time counts, so that a busy machine does not spoil the ratio.
mod by_hand;
mod engine;

use by_hand::{Rival, Rng, connect_four, othello, playout, record, replay, tic_tac_toe};
use std::hint::black_box;
use std::time::Instant;

/// What was measured of one player of one game.
#[derive(Clone, Debug)]
pub struct Row {
    pub game: &'static str,
    pub kind: &'static str,
    /// Games a second: the median of the rounds.
    pub rate: f64,
    /// Mean choices a game.
    pub length: f64,
    /// Shares: drawn, first player, second player.
    pub shares: [f64; 3],
}

/// The engine may be so many times slower than plain arrays.
const FACTOR: f64 = 6.0;

/// Seconds that this thread has run.
pub fn clock(start: Instant) -> f64 {
    let run = std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|s| s.split(' ').next().and_then(|n| n.parse::<f64>().ok()));
    run.map_or_else(|| start.elapsed().as_secs_f64(), |n| n / 1e9)
}

/// Plays for about `seconds` a round, `rounds` rounds.
pub fn measure(
    game: &'static str,
    kind: &'static str,
    seconds: f64,
    rounds: usize,
    mut one: impl FnMut(&mut Rng) -> (u8, u32),
) -> Row {
    let start = Instant::now();
    let mut rng = Rng::new(1);
    let mut rates = Vec::new();
    let (mut games, mut plies, mut won) = (0u64, 0u64, [0u64; 3]);
    // A first, uncounted stretch warms caches and finds how many games fill a round.
    let mut batch = 16u64;
    loop {
        let before = clock(start);
        for _ in 0..batch {
            black_box(one(&mut rng));
        }
        let took = clock(start) - before;
        if took > seconds / 8.0 {
            batch = ((batch as f64 * seconds / took) as u64).max(1);
            break;
        }
        batch *= 4;
    }
    for _ in 0..rounds {
        let before = clock(start);
        for _ in 0..batch {
            let (winner, n) = black_box(one(&mut rng));
            plies += u64::from(n);
            won[winner as usize] += 1;
        }
        games += batch;
        rates.push(batch as f64 / (clock(start) - before));
    }
    rates.sort_by(f64::total_cmp);
    let n = games as f64;
    Row {
        game,
        kind,
        rate: rates[rates.len() / 2],
        length: plies as f64 / n,
        shares: won.map(|w| w as f64 / n),
    }
}

fn rival<R: Rival>(seconds: f64, rounds: usize) -> Row {
    measure(R::GAME, R::KIND, seconds, rounds, playout::<R>)
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
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seconds" => seconds = args.next().and_then(|s| s.parse().ok()).unwrap_or(seconds),
            "--rounds" => rounds = args.next().and_then(|s| s.parse().ok()).unwrap_or(rounds).max(1),
            "--json" => json = true,
            "--game" => only = args.next(),
            "--engine" => engine_only = true,
            // What cargo itself hands on, and filters, which there are none of.
            _ => {}
        }
    }
    agree::<tic_tac_toe::Arrays, tic_tac_toe::Bits>();
    agree::<connect_four::Arrays, connect_four::Bits>();
    agree::<othello::Arrays, othello::Bits>();
    for name in ["tic-tac-toe", "connect-four", "othello"] {
        if only.as_ref().is_some_and(|g| g != name) {
            continue;
        }
        if engine_only {
            print(&engine::side(name, seconds, rounds), json);
            continue;
        }
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
