//! Random numbers: counted streams, so that a draw depends only on the seed, the stream and the number of draws before it.
//!
//! The mixer is *hr-mix-1*: `mix(seed, stream, n) = f(f(seed ^ f(stream + 1)) + (n + 1) * G)` with `G = 0x9E37_79B9_7F4A_7C15` and `f` the finaliser
//! of SplitMix64 (shifts 30, 27, 31; factors `0xBF58_476D_1CE4_E5B9`, `0x94D0_49BB_1331_11EB`), all modulo 2^64. Saves name it.
//! A range `0..n` is the high half of `draw * n` (multiply-shift); draws whose low half is below `2^64 mod n` are rejected, and a rejection counts.
use rand::TryRng;
use std::convert::Infallible;

/// The name and version of the mixer, for saves.
pub const MIXER: &str = "hr-mix-1";
const G: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finaliser of SplitMix64.
fn finish(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Draw number `n` of a stream.
pub fn mix(seed: u64, stream: u64, n: u64) -> u64 {
    finish(finish(seed ^ finish(stream.wrapping_add(1))).wrapping_add(n.wrapping_add(1).wrapping_mul(G)))
}

/// One of `0..n` out of a source of 64-bit draws; 0 if `n` is 0.
#[inline]
pub fn below(n: u64, mut draw: impl FnMut() -> u64) -> u64 {
    if n <= 1 {
        return 0;
    }
    loop {
        let m = u128::from(draw()) * u128::from(n);
        let low = m as u64;
        if low >= n || low >= n.wrapping_neg() % n {
            return (m >> 64) as u64;
        }
    }
}

/// A stream outside any state, for bots, simulators and others that need repeatable numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    base: u64,
    n: u64,
}

impl Stream {
    /// The stream of that seed and number, from its beginning.
    pub fn new(seed: u64, stream: u64) -> Stream {
        Stream { base: finish(seed ^ finish(stream.wrapping_add(1))), n: 0 }
    }

    /// The next draw.
    pub fn draw(&mut self) -> u64 {
        self.n = self.n.wrapping_add(1);
        finish(self.base.wrapping_add(self.n.wrapping_mul(G)))
    }
}

impl TryRng for Stream {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.draw() >> 32) as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.draw())
    }
    fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Infallible> {
        for part in dst.chunks_mut(8) {
            let word = self.draw().to_le_bytes();
            part.copy_from_slice(&word[..part.len()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn streams_follow_the_formula() {
        let mut s = Stream::new(7, 3);
        for n in 0..5 {
            assert_eq!(s.draw(), mix(7, 3, n));
        }
        assert_ne!(mix(7, 3, 0), mix(7, 4, 0));
        assert_ne!(mix(7, 3, 0), mix(8, 3, 0));
    }
    #[test]
    fn draws_of_a_range_are_uniform() {
        let mut s = Stream::new(1, 0);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[below(6, || s.draw()) as usize] += 1;
        }
        assert!(seen.iter().all(|n| (9_500..10_500).contains(n)), "{seen:?}");
    }
}
