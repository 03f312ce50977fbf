//! How long frames take, told apart from what the machine does meanwhile.
//!
//! A shared machine stops any program for tens of milliseconds now and then: a loop that only adds is stopped as often. A frame that is slow because of the program is slow each time it is
//! drawn. So a series of frames is drawn several times, and of each frame the quickest is kept; beside it stands the slowest single frame, and the slowest of as many pieces of plain
//! arithmetic, each as long as a usual frame.
use std::hint::black_box;
use std::time::Instant;

/// How many times a series is drawn.
pub const TURNS: usize = 8;

/// A series of frames, drawn several times; the times are in milliseconds.
#[derive(Default)]
pub struct Series {
    turns: Vec<Vec<f64>>,
}

impl Series {
    /// The series begins once more.
    pub fn begin(&mut self) {
        self.turns.push(Vec::new());
    }

    /// Takes the time of one frame.
    pub fn frame(&mut self, draw: impl FnOnce()) {
        let start = Instant::now();
        draw();
        self.turns.last_mut().expect("a series has begun").push(milliseconds(start));
    }

    /// Prints what was measured, after the arithmetic to compare it with.
    pub fn print(&self, what: &str) {
        let frames = self.turns.iter().map(Vec::len).min().expect("a series was drawn");
        let mut all: Vec<f64> = self.turns.concat();
        all.sort_by(f64::total_cmp);
        let median = all[all.len() / 2];
        let quickest = |k: usize| self.turns.iter().map(|t| t[k]).fold(f64::INFINITY, f64::min);
        let (slowest, at) =
            (0..frames).map(|k| (quickest(k), k)).max_by(|a, b| a.0.total_cmp(&b.0)).expect("it has a frame");
        let plain = arithmetic(median, all.len());
        let over = |times: &[f64]| times.iter().filter(|t| **t > 8.0).count();
        println!(
            "{what}: {frames} frames, {} times. Median {median:.2} ms; slowest frame {slowest:.2} ms (number {at}); of all {}, slowest \
             {:.1} ms, {} over 8 ms. Arithmetic as often and as long: slowest {:.1} ms, {} over 8 ms",
            self.turns.len(),
            all.len(),
            all[all.len() - 1],
            over(&all),
            plain.iter().copied().fold(0.0, f64::max),
            over(&plain),
        );
    }
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1000.0
}

/// The times of so many pieces of arithmetic, each about as long as said.
fn arithmetic(long: f64, many: usize) -> Vec<f64> {
    let add = |steps: u64| {
        let start = Instant::now();
        black_box((0..black_box(steps)).fold(0u64, |sum, k| black_box(sum.wrapping_mul(31).wrapping_add(k))));
        milliseconds(start)
    };
    let quick = (0..20).map(|_| add(100_000)).fold(f64::INFINITY, f64::min);
    let steps = (100_000.0 * long / quick) as u64;
    (0..many).map(|_| add(steps)).collect()
}
