//! The random numbers of the generator: all of them follow from one seed.
use houserule_engine::{Stream, below};

/// The generator's stream of numbers.
const STREAM: u64 = 0x9e17;

/// A source of choices.
pub struct Draw(Stream);

impl Draw {
    /// The choices of a seed.
    pub fn new(seed: u64) -> Draw {
        Draw(Stream::new(seed, STREAM))
    }

    /// A second stream of the same seed.
    pub fn with_stream_beside(seed: u64) -> Draw {
        Draw(Stream::new(seed, STREAM + 1))
    }

    /// Draws one of `0..n`; 0 if n is 0.
    pub fn draw_below(&mut self, n: usize) -> usize {
        below(n as u64, || self.0.draw()) as usize
    }

    /// Draws one of `from..=to`.
    pub fn draw_between(&mut self, from: i64, to: i64) -> i64 {
        from + self.draw_below((to - from + 1).max(1) as usize) as i64
    }

    /// Draws yes in so many of a hundred cases.
    pub fn draw_percent(&mut self, percent: usize) -> bool {
        self.draw_below(100) < percent
    }

    /// Draws one of a list.
    pub fn draw_one<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        of.get(self.draw_below(of.len())).cloned()
    }

    /// Draws an index of the weights, each as often as its weight says.
    pub fn draw_weighted(&mut self, weights: &[usize]) -> usize {
        let mut k = self.draw_below(weights.iter().sum());
        for (i, w) in weights.iter().enumerate() {
            if k < *w {
                return i;
            }
            k -= w;
        }
        0
    }
}
