//! What all benchmarks share: random numbers, the clock, rounds of whole games, the files of the rules.
use houserule::text::{File, Files};
#[allow(dead_code)] // Reading is for the command that compares two files.
pub mod report;
#[allow(dead_code)] // The benchmark of board games has arguments of its own.
pub mod rival;

use std::convert::Infallible;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Benchmarks measure what people run: with the allocator of the command line.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Fast random numbers: a counter, mixed by one wide product.
#[derive(Clone)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    /// 64 random bits.
    #[inline(always)]
    pub fn wide(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let wide = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (wide >> 64) as u64 ^ wide as u64
    }

    /// 0..n; the bias is below n / 2^32.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.wide() >> 32) * u64::from(n)) >> 32) as u32
    }
}

/// The rivals' random numbers, for the engine's draws: neither side has the cheaper ones.
impl rand::TryRng for Rng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.wide() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.wide())
    }

    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Infallible> {
        for part in to.chunks_mut(8) {
            let bytes = self.wide().to_le_bytes();
            part.copy_from_slice(&bytes[..part.len()]);
        }
        Ok(())
    }
}

/// What was measured of one player of one game.
#[derive(Clone, Debug)]
pub struct Row {
    pub game: &'static str,
    pub kind: &'static str,
    /// Games a second: the median of the rounds.
    pub rate: f64,
    /// Mean choices a game.
    pub length: f64,
    /// Shares: drawn (or lost together), first player (or won together), second player.
    pub shares: [f64; 3],
    /// How many games.
    pub games: u64,
    /// Standard error of the mean length.
    pub error: f64,
    /// Games a second, round by round.
    pub rates: Vec<f64>,
}

impl Row {
    /// As it is written for machines, under a name that tells the set-up, too; `bytes` of a state, 0 if not measured.
    pub fn line(&self, game: &str, bytes: usize) -> report::Line {
        report::Line {
            game: game.into(),
            kind: self.kind.into(),
            rates: self.rates.clone(),
            games: self.games,
            length: self.length,
            error: self.error,
            bytes,
        }
    }
}

/// Seconds that this thread has run. Where the system does not tell, the clock on the wall counts.
pub fn clock(start: Instant) -> f64 {
    let run = std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|s| s.split(' ').next().and_then(|n| n.parse::<f64>().ok()));
    run.map_or_else(|| start.elapsed().as_secs_f64(), |n| n / 1e9)
}

/// One side of a race: it plays rounds of as many games as fill about so many seconds.
pub struct Runner<F> {
    one: F,
    rng: Rng,
    start: Instant,
    batch: u64,
    rates: Vec<f64>,
    games: u64,
    plies: u64,
    squares: f64,
    won: [u64; 3],
}

impl<F: FnMut(&mut Rng) -> (u8, u32)> Runner<F> {
    /// `one` plays a game: who has won, and how many choices were made. A first, uncounted stretch warms caches and finds how many games fill a round.
    pub fn new(seconds: f64, one: F) -> Runner<F> {
        let mut r = Runner {
            one,
            rng: Rng::new(1),
            start: Instant::now(),
            batch: 16,
            rates: Vec::new(),
            games: 0,
            plies: 0,
            squares: 0.0,
            won: [0; 3],
        };
        loop {
            let before = clock(r.start);
            for _ in 0..r.batch {
                black_box((r.one)(&mut r.rng));
            }
            let took = clock(r.start) - before;
            if took > seconds / 8.0 {
                r.batch = ((r.batch as f64 * seconds / took) as u64).max(1);
                return r;
            }
            r.batch *= 4;
        }
    }

    /// Plays a round.
    pub fn round(&mut self) {
        let before = clock(self.start);
        let (mut plies, mut squares) = (0, 0);
        for _ in 0..self.batch {
            let (winner, n) = black_box((self.one)(&mut self.rng));
            plies += u64::from(n);
            squares += u64::from(n) * u64::from(n);
            self.won[winner as usize] += 1;
        }
        self.rates.push(self.batch as f64 / (clock(self.start) - before));
        self.games += self.batch;
        self.plies += plies;
        self.squares += squares as f64;
    }

    /// What came of it.
    pub fn row(&mut self, game: &'static str, kind: &'static str) -> Row {
        let mut rates = self.rates.clone();
        rates.sort_by(f64::total_cmp);
        let n = self.games as f64;
        let length = self.plies as f64 / n;
        let shares = self.won.map(|w| w as f64 / n);
        let rate = rates.get(rates.len() / 2).copied().unwrap_or(0.0);
        let error = ((self.squares / n - length * length) / n).max(0.0).sqrt();
        Row { game, kind, rate, length, shares, games: self.games, error, rates: self.rates.clone() }
    }
}

/// Seconds of one call by the clock on the wall (the other one is too coarse): the least of some rounds.
pub fn time(rounds: usize, calls: usize, mut one: impl FnMut()) -> f64 {
    let round = |one: &mut dyn FnMut()| {
        let begun = Instant::now();
        (0..calls).for_each(|_| one());
        begun.elapsed().as_secs_f64() / calls as f64
    };
    (0..rounds).map(|_| round(&mut one)).fold(f64::INFINITY, f64::min)
}

/// All files of a shipped game: those of its rules' folder and those of its scenarios.
pub fn source(rules: &str, name: &str) -> Files {
    fn go(folder: &Path, out: &mut Vec<PathBuf>) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        let mut paths: Vec<_> = entries.flatten().map(|e| e.path()).collect();
        paths.sort();
        for p in paths {
            if p.is_dir() { go(&p, out) } else { out.push(p) }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    go(&root.join(rules).join(name), &mut paths);
    go(&root.join("scenarios").join(name), &mut paths);
    let mut files = Files::new();
    for p in paths {
        let text = std::fs::read_to_string(&p).expect("a file of the rules");
        files
            .add(File::new(p.strip_prefix(root).expect("inside").to_string_lossy().replace('\\', "/"), text));
    }
    files
}
