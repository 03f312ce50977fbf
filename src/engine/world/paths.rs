//! Simple paths on a map: the sets of spaces of interest that a path can pass.
//!
//! A path goes from space to neighbouring space, enters no space twice, and takes a bounded number of steps; every space that it enters, its goal among them, must be in the set `through`.
//! The spaces that it enters count as passed: the goal, but not the beginning. All paths are enumerated, and only sets that differ are kept; both are bounded, by [`MAX_TRIES`] and [`MAX_WAYS`].
use crate::base::fault::{FaultKind, Stop};
use crate::world::graph::{Buf, MAX_WORDS, dilate, has, neighbours, put};
use houserule_program::ir::{NONE, Topology};

/// The most sets that differ.
pub(crate) const MAX_WAYS: usize = 256;
/// The most spaces entered, over all paths.
const MAX_TRIES: u32 = 200_000;
/// The longest path.
const MAX_STEPS: usize = 64;

/// A search for paths.
pub(crate) struct Walk<'a> {
    /// The map, and how many spaces it has.
    pub map: &'a Topology,
    /// See `map`.
    pub n: usize,
    /// The first space.
    pub from: i64,
    /// The goal.
    pub to: i64,
    /// The most steps, or [`NONE`].
    pub steps: i64,
    /// Spaces that may be entered.
    pub through: &'a [u64],
    /// Spaces of interest.
    pub over: &'a [u64],
    /// Side by side, the sets of spaces that cost 1, 2, 3 … steps; if there are none, each costs 1.
    pub costs: &'a [u64],
}

impl Walk<'_> {
    /// Puts all different sets into `out`, each with as many words as `over`, the smaller ones first, then by their lowest spaces. Nothing if there is no path.
    pub fn sets(&self, out: &mut Vec<u64>) -> Result<(), Stop> {
        out.clear();
        let w = self.over.len().min(MAX_WORDS);
        let (Ok(from), Ok(to)) = (usize::try_from(self.from), usize::try_from(self.to)) else {
            return Ok(());
        };
        if from >= self.n || to >= self.n || w == 0 {
            return Ok(());
        }
        let mut got: Buf = [0; MAX_WORDS];
        if from == to {
            add(out, &got[..w]);
            return Ok(());
        }
        let most = match self.steps {
            NONE => MAX_STEPS,
            s => usize::try_from(s).unwrap_or(0).min(MAX_STEPS),
        };
        let left = self.steps_left(from, to, w);
        let mut seen: Buf = [0; MAX_WORDS];
        put(&mut seen[..w], from);
        // The spaces of the path, and for each the neighbour that is tried next.
        let mut at = [from; MAX_STEPS + 1];
        let mut next = [0usize; MAX_STEPS + 1];
        // What the path up to each space costs.
        let mut spent = [0usize; MAX_STEPS + 1];
        let cost = |x: usize| self.costs.chunks_exact(w).position(|s| has(s, x)).map_or(1, |i| i + 1);
        let mut depth = 0;
        let mut tries = 0;
        while let (Some(here), Some(start)) = (at.get(depth).copied(), next.get(depth).copied()) {
            let near = neighbours(self.map, here, w);
            let paid = spent.get(depth).copied().unwrap_or(most);
            let found = first_from(near, start, |x| {
                has(self.through, x)
                    && !has(&seen[..w], x)
                    && left.get(x).is_some_and(|d| paid + cost(x) + usize::from(*d) <= most)
            });
            let Some(x) = found else {
                // Backtrack.
                let (word, bit) = (here / 64, 1u64 << (here % 64));
                seen[word.min(MAX_WORDS - 1)] &= !bit;
                got[word.min(MAX_WORDS - 1)] &= !bit;
                if depth == 0 {
                    break;
                }
                depth -= 1;
                continue;
            };
            tries += 1;
            if tries > MAX_TRIES {
                return Err(Stop::from(FaultKind::TooManyWays));
            }
            if let Some(n) = next.get_mut(depth) {
                *n = x + 1;
            }
            let passed = has(self.over, x);
            if passed {
                put(&mut got[..w], x);
            }
            if x == to {
                add(out, &got[..w]);
                if out.len() > MAX_WAYS * w {
                    return Err(Stop::from(FaultKind::TooManyWays));
                }
                if passed {
                    got[x / 64] &= !(1u64 << (x % 64));
                }
                continue;
            }
            put(&mut seen[..w], x);
            depth += 1;
            if let (Some(a), Some(n), Some(s)) =
                (at.get_mut(depth), next.get_mut(depth), spent.get_mut(depth))
            {
                *a = x;
                *n = 0;
                *s = paid + cost(x);
            }
        }
        Ok(())
    }

    /// By space: the least number of steps to the goal; 255 if there is no path.
    fn steps_left(&self, from: usize, to: usize, w: usize) -> [u8; MAX_WORDS * 64] {
        let mut out = [u8::MAX; MAX_WORDS * 64];
        if !has(self.through, to) {
            return out;
        }
        let (mut seen, mut near): (Buf, Buf) = ([0; MAX_WORDS], [0; MAX_WORDS]);
        put(&mut seen[..w], to);
        let mut round = 0u8;
        if let Some(d) = out.get_mut(to) {
            *d = 0;
        }
        while usize::from(round) < MAX_STEPS {
            round += 1;
            if self.map.is_two_way() {
                dilate(self.map, &seen[..w], &mut near[..w]);
            } else {
                // The spaces from which a way leads into the set.
                near.fill(0);
                let leads =
                    |c: &usize| neighbours(self.map, *c, w).iter().zip(&seen).any(|(x, s)| x & s != 0);
                (0..self.n).filter(leads).for_each(|c| put(&mut near[..w], c));
            }
            let mut grew = false;
            for x in crate::base::bitset::bits(&near[..w]) {
                if (has(self.through, x) || x == from)
                    && let Some(d) = out.get_mut(x).filter(|d| **d == u8::MAX)
                {
                    *d = round;
                    grew = true;
                }
            }
            for (i, (s, x)) in seen.iter_mut().zip(near).enumerate().take(w) {
                let here = if from / 64 == i { 1u64 << (from % 64) } else { 0 };
                *s |= x & (self.through.get(i).copied().unwrap_or(0) | here);
            }
            if !grew {
                break;
            }
        }
        out
    }
}

/// The first space of a set, from number `start` on, that passes a test.
fn first_from(set: &[u64], start: usize, passes: impl Fn(usize) -> bool) -> Option<usize> {
    let mut word = start / 64;
    let mut rest = set.get(word)? & (u64::MAX << (start % 64));
    loop {
        while rest != 0 {
            let x = word * 64 + rest.trailing_zeros() as usize;
            if passes(x) {
                return Some(x);
            }
            rest &= rest - 1;
        }
        word += 1;
        rest = *set.get(word)?;
    }
}

/// Inserts a set in order, unless it is contained.
fn add(out: &mut Vec<u64>, set: &[u64]) {
    let w = set.len();
    let key = |s: &[u64]| s.iter().map(|x| x.count_ones()).sum::<u32>();
    let lowest = |s: &[u64], t: &[u64]| {
        // The set with the lowest space that the other lacks comes first.
        let diff = s.iter().zip(t).find(|(a, b)| a != b).map(|(a, b)| (a ^ b, *a));
        diff.is_some_and(|(x, a)| a & (x & x.wrapping_neg()) != 0)
    };
    let mut place = out.len();
    for (i, old) in out.chunks_exact(w).enumerate() {
        if old == set {
            return;
        }
        let (a, b) = (key(set), key(old));
        if a < b || (a == b && lowest(set, old)) {
            place = place.min(i * w);
        }
    }
    out.extend_from_slice(set);
    if let Some(tail) = out.get_mut(place..) {
        tail.rotate_right(w);
    }
}
