//! Copies are followed to what they copy, as far as both still hold the same on every way there: the fusing pass then takes out those that nobody reads.
//!
//! What is worked out once before a loop within a loop leaves a chain of copies, one a loop (see [`super::hoist`]).
use super::fuse::target;
use super::hoist::{Held, meet, rename};
use super::ir::*;
use super::regs::used;

/// So many copies of a function are followed.
const MOST_COPIES: usize = 128;

/// In functions with loops, lets what reads a copy read what was copied. True if anything changed.
pub fn follow(p: &Program, code: &mut [Ins]) -> bool {
    let mut copies: Vec<Held> = Vec::new();
    let mut made = vec![usize::MAX; code.len()];
    for (k, ins) in code.iter().enumerate() {
        let (base, at, w) = match *ins {
            Ins::Mov { d, a } => (d, a, 1),
            Ins::MovN { d, a, n } => (d, a, n),
            _ => continue,
        };
        if copies.len() < MOST_COPIES && !meet(base, w, at, w) {
            made[k] = copies.len();
            copies.push(Held { base, w, at });
        }
    }
    if copies.is_empty() {
        return false;
    }
    // What each instruction leaves of the copies.
    let mut kept = Vec::with_capacity(code.len());
    for (k, ins) in code.iter().enumerate() {
        let Some(u) = used(p, ins) else { return false };
        let mut mask = 0u128;
        for (i, c) in copies.iter().enumerate() {
            let over = |r: R, n: u8| meet(c.base, c.w, r, n) || meet(c.at, c.w, r, n);
            let past = u.window.is_some_and(|from| {
                let from = u16::from(from);
                u16::from(c.base) + u16::from(c.w) > from || u16::from(c.at) + u16::from(c.w) > from
            });
            if !past && !u.writes.iter().any(|(r, n)| over(*r, *n)) || made[k] == i {
                mask |= 1 << i;
            }
        }
        kept.push(mask);
    }
    // Those that hold before each instruction, on every way there.
    let mut holds = vec![u128::MAX; code.len() + 1];
    holds[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for (k, ins) in code.iter().enumerate() {
            let mut out = holds[k] & kept[k];
            if made[k] != usize::MAX {
                out |= 1 << made[k];
            }
            let mut put = |to: usize| {
                if let Some(h) = holds.get_mut(to)
                    && *h & out != *h
                {
                    *h &= out;
                    changed = true;
                }
            };
            if !matches!(ins, Ins::Jmp { .. } | Ins::Ret) {
                put(k + 1);
            }
            if let Some(to) = target(ins) {
                put(to as usize);
            }
        }
    }
    let mut any = false;
    for (k, ins) in code.iter_mut().enumerate() {
        if holds[k] == u128::MAX || holds[k] == 0 {
            continue;
        }
        let mut held: Vec<Held> = Vec::new();
        for (i, c) in copies.iter().enumerate() {
            if holds[k] >> i & 1 == 1 {
                held.push(*c);
            }
        }
        let before = *ins;
        rename(p, ins, &held);
        any |= *ins != before;
    }
    any
}
