//! Set instructions that read and write registers alone: the arms of the run loop as inlined functions.
use crate::base::fault::{FaultKind, Stop};
use crate::base::window::{Window, int, reg};
use crate::world::tables::WorldTables;
use houserule_program::ir::*;

/// The bit of number `x` in a set of `w` words: the number of the word, and a mask. `None` outside the set.
#[inline(always)]
fn bit_of(x: i64, w: u8) -> Option<(usize, u64)> {
    (0..i64::from(w) * 64).contains(&x).then(|| (x as usize / 64, 1 << (x % 64)))
}

/// [`Ins::SOne`].
#[inline(always)]
pub(crate) fn put_only(win: &mut Window, d: R, i: R, w: u8) {
    let x = int(win[i as usize]);
    clear(win, d, w as usize);
    if let Some((k, bit)) = bit_of(x, w) {
        win[reg(d, k)] = bit;
    }
}

/// [`Ins::SIns`].
#[inline(always)]
pub(crate) fn insert(win: &mut Window, d: R, i: R, w: u8) {
    if let Some((k, bit)) = bit_of(int(win[i as usize]), w) {
        win[reg(d, k)] |= bit;
    }
}

/// [`Ins::SDel`].
#[inline(always)]
pub(crate) fn remove(win: &mut Window, d: R, i: R, w: u8) {
    if let Some((k, bit)) = bit_of(int(win[i as usize]), w) {
        win[reg(d, k)] &= !bit;
    }
}

/// [`Ins::STest`].
#[inline(always)]
pub(crate) fn contains(win: &Window, s: R, i: R, w: u8) -> bool {
    let x = int(win[i as usize]);
    (0..i64::from(w) * 64).contains(&x) && win[reg(s, x as usize / 64)] >> (x % 64) & 1 == 1
}

/// The empty set, into `w` words.
#[inline(always)]
pub(crate) fn clear(win: &mut Window, d: R, w: usize) {
    for i in 0..w {
        win[reg(d, i)] = 0;
    }
}

/// [`Ins::SAll`].
#[inline(always)]
pub(crate) fn fill(world: &WorldTables, win: &mut Window, d: R, u: u8) -> Result<(), Stop> {
    let Some(uni) = world.universes.get(u as usize) else {
        return Err(Stop::from(FaultKind::BadProgram("a universe that is not there")));
    };
    let last = uni.w.saturating_sub(1);
    for i in 0..last as usize {
        win[reg(d, i)] = u64::MAX;
    }
    win[reg(d, last as usize)] = uni.rest;
    Ok(())
}

/// [`Ins::SNot`].
#[inline(always)]
pub(crate) fn complement(world: &WorldTables, win: &mut Window, d: R, a: R, u: u8) -> Result<(), Stop> {
    let Some(uni) = world.universes.get(u as usize) else {
        return Err(Stop::from(FaultKind::BadProgram("a universe that is not there")));
    };
    let last = uni.w.saturating_sub(1);
    for i in 0..last as usize {
        win[reg(d, i)] = !win[reg(a, i)];
    }
    win[reg(d, last as usize)] = !win[reg(a, last as usize)] & uni.rest;
    Ok(())
}

/// [`Ins::SCount`].
#[inline(always)]
pub(crate) fn count(win: &Window, s: R, w: u8) -> u64 {
    let mut n = u64::from(win[s as usize].count_ones());
    for i in 1..w as usize {
        let word = win[reg(s, i)];
        // Most words are empty, and a test takes less time than a count.
        if word != 0 {
            n += u64::from(word.count_ones());
        }
    }
    n
}

/// The first element of a set.
#[inline(always)]
pub(crate) fn first(win: &Window, s: R, w: u8) -> Option<u64> {
    let k = (0..w as usize).find(|k| win[reg(s, *k)] != 0)?;
    Some(k as u64 * 64 + u64::from(win[reg(s, k)].trailing_zeros()))
}

/// The next element above register `i` of a set of one word.
#[inline(always)]
pub(crate) fn next_in_word(win: &Window, i: R, s: R) -> Option<u64> {
    let x = int(win[i as usize]);
    let above = if x < 0 { u64::MAX } else { (u64::MAX - 1).checked_shl(x as u32).unwrap_or(0) };
    let word = win[s as usize] & above;
    (word != 0).then(|| u64::from(word.trailing_zeros()))
}

/// The next element above register `i` of a set.
#[inline(always)]
pub(crate) fn next(win: &Window, i: R, s: R, w: u8) -> Option<u64> {
    let x = int(win[i as usize]);
    let from = if x < 0 { 0 } else { x as usize + 1 };
    let mut k = from / 64;
    let mut word = 0;
    if k < w as usize {
        word = win[reg(s, k)] & (u64::MAX << (from % 64));
        while word == 0 && k + 1 < w as usize {
            k += 1;
            word = win[reg(s, k)];
        }
    }
    (word != 0).then(|| k as u64 * 64 + u64::from(word.trailing_zeros()))
}

/// [`Ins::SSub`].
#[inline(always)]
pub(crate) fn is_subset(win: &Window, a: R, b: R, w: u8) -> bool {
    (0..w as usize).all(|i| win[reg(a, i)] & !win[reg(b, i)] == 0)
}

/// [`Ins::SEq`].
#[inline(always)]
pub(crate) fn is_equal(win: &Window, a: R, b: R, w: u8) -> bool {
    (0..w as usize).all(|i| win[reg(a, i)] == win[reg(b, i)])
}
