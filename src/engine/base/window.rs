//! Register windows: the 256 words that the instructions of one function read and write, and the checked access to them.
use crate::base::fault::{FaultKind, Stop};
use houserule_program::ir::*;

/// A window of registers.
pub(crate) type Window = [u64; WINDOW];

/// The registers of a window, and two words behind them, so that the first three words of a set are in it whatever its register is.
pub(crate) const WINDOW: usize = 256 + 2;

/// The most words of a fiber's stack.
const MAX_STACK: usize = 1 << 16;

/// The window at `base`; `None` beyond the stack's limit.
#[inline(always)]
pub(crate) fn window(stack: &mut Vec<u64>, base: usize) -> Option<&mut Window> {
    if stack.len() < base + WINDOW {
        if base + WINDOW > MAX_STACK {
            return None;
        }
        stack.resize(base + 512, 0);
    }
    stack.get_mut(base..).and_then(|s| s.first_chunk_mut())
}

#[inline]
pub(crate) fn int(x: u64) -> i64 {
    x as i64
}

/// The result of arithmetic on two numbers.
#[inline]
pub(crate) fn check_number(a: i64, b: i64, r: i64) -> Result<u64, Stop> {
    if r > NONE && r <= i64::from(i32::MAX) && a != NONE && b != NONE {
        Ok(r as u64)
    } else if a == NONE || b == NONE {
        Err(Stop::from(FaultKind::NoneValue))
    } else {
        Err(Stop::from(FaultKind::Overflow))
    }
}

#[inline]
pub(crate) fn reg(a: R, i: usize) -> usize {
    a.wrapping_add(i as u8) as usize
}

/// The words of a set, from register `a` on.
#[inline]
pub(crate) fn slice(win: &Window, a: R, w: usize) -> &[u64] {
    win.get(a as usize..a as usize + w).unwrap_or(&[])
}

/// Whether a set has a member. Few words without a loop.
#[inline(always)]
pub(crate) fn any(win: &Window, s: R, w: u8) -> bool {
    let mut all = win[s as usize];
    if w > 1 {
        all |= win[s as usize + 1];
        if w > 2 {
            all |= win[s as usize + 2];
            for i in 3..w as usize {
                all |= win[reg(s, i)];
            }
        }
    }
    all != 0
}

/// Writes a set's words. Most sets have few: copying them one by one is faster than a call.
#[inline]
pub(crate) fn write_words(win: &mut Window, d: R, words: &[u64]) {
    match *words {
        [x] => win[d as usize] = x,
        [x, y] => (win[d as usize], win[d as usize + 1]) = (x, y),
        [x, y, z] => (win[d as usize], win[d as usize + 1], win[d as usize + 2]) = (x, y, z),
        _ => write_many_words(win, d, words),
    }
}

#[inline(never)]
fn write_many_words(win: &mut Window, d: R, words: &[u64]) {
    if let Some(room) = win.get_mut(d as usize..d as usize + words.len()) {
        room.copy_from_slice(words);
    }
}
