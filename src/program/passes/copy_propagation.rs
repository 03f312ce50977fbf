//! Copy propagation and available expressions: the source of a copy is read in place of the copy, as long as both are equal on every path. The peephole pass then removes unused
//! copies.
//!
//! Loop-invariant code motion (see [`crate::passes::licm`]) leaves chains of copies, one for each loop.
use super::copies::{Copied, rename_sources};
use super::unit::Unit;
use crate::ir::def_use::{Runs, used};
use crate::ir::*;

/// The most copies of a function that are followed.
const MOST_COPIES: usize = 127;

/// Available expressions, in pure functions: a value that is in a register on every path is copied and not computed again. Returns true if anything changed.
pub fn reuse_available(p: &Program, code: &mut [Ins]) -> bool {
    // A trial changes the state for a while.
    let tries = code.iter().any(|ins| matches!(ins, Ins::Try { .. } | Ins::Untry));
    if tries || code.len() > 600 || code.iter().filter(|ins| ins.is_reusable()).count() < 2 {
        return false;
    }
    // An expression: the instruction with register 0 as its destination; its destination, and the registers that it reads.
    struct Fact {
        form: Ins,
        base: R,
        w: u8,
        reads: Runs,
    }
    let mut facts: Vec<Fact> = Vec::new();
    let mut of = vec![usize::MAX; code.len()];
    for (k, ins) in code.iter().enumerate() {
        if !ins.is_reusable() {
            continue;
        }
        let Some(u) = used(p, ins) else { return false };
        let [(base, w)] = u.writes[..] else { continue };
        if u.reads.iter().any(|(r, n)| overlap(*r, *n, base, w)) {
            continue;
        }
        let mut form = *ins;
        let Some(d) = form.result_mut() else { continue };
        *d = 0;
        let same = facts.iter().position(|x| x.form == form && x.base == base);
        of[k] = match same {
            Some(i) => i,
            None if facts.len() < MOST_COPIES => {
                facts.push(Fact { form, base, w, reads: u.reads });
                facts.len() - 1
            }
            None => continue,
        };
    }
    let mut on = Touched::default();
    for (i, x) in facts.iter().enumerate() {
        on.add_fact(x.base, x.w, i);
        x.reads.iter().for_each(|(r, n)| on.add_fact(*r, *n, i));
    }
    let Some(kept) = on.facts_kept(p, code, &of) else { return false };
    let holds = facts_on_every_path(code, &kept, &of);
    let mut changed = false;
    for k in 0..code.len() {
        let ins = code[k];
        if holds[k] == u128::MAX || !ins.is_reusable() {
            continue;
        }
        let mut form = ins;
        let Some(d) = form.result_mut().map(|d| std::mem::replace(d, 0)) else { continue };
        let known = facts.iter().enumerate().find(|(i, x)| holds[k] >> i & 1 == 1 && x.form == form);
        if let Some((_, x)) = known
            && (x.base == d || !overlap(x.base, x.w, d, x.w))
        {
            let (base, w) = (x.base, x.w);
            code[k] = if w == 1 { Ins::Mov { d, a: base } } else { Ins::MovN { d, a: base, n: w } };
            changed = true;
        }
    }
    changed
}

/// The most new registers of one function.
const MOST_APART: u16 = 24;

/// Live-range splitting, in functions with loops: if the register of a component's place or face is soon overwritten, the place or face gets a register of its own, so that it stays
/// available.
pub fn split_induction(p: &Program, unit: &mut Unit) {
    let Unit { code, registers, .. } = unit;
    if code.len() > 600 {
        return;
    }
    let mut entered = vec![false; code.len() + 1];
    for to in code.iter().filter_map(Ins::target) {
        if let Some(e) = entered.get_mut(to as usize) {
            *e = true;
        }
    }
    let its = |ins: &Ins| used(p, ins).filter(|u| u.window.is_none());
    let most = *registers;
    for k in 0..code.len() {
        let (Ins::LdAt { d, c, .. } | Ins::LdFace { d, c, .. }) = code[k] else { continue };
        let Ok(own) = R::try_from(*registers) else { break };
        if d == c || *registers + 1 >= MOST_REGISTERS || *registers - most >= MOST_APART {
            continue;
        }
        // The range ends where the register is written; it has no jump in or out.
        let mut renamed: Vec<Ins> = Vec::new();
        let mut over = false;
        for (at, ins) in code.iter().enumerate().skip(k + 1).take(24) {
            if entered[at] {
                break;
            }
            let mut reader = *ins;
            rename_sources(p, &mut reader, &[Copied { base: d, w: 1, at: own }]);
            let (Some(u), Some(was)) = (its(&reader), its(ins)) else { break };
            if u.reads.iter().any(|(r, n)| overlap(*r, *n, d, 1)) {
                break;
            }
            // If renaming changed what the instruction writes, the range is left as it is.
            if u.writes != was.writes {
                break;
            }
            renamed.push(reader);
            if u.writes.iter().any(|(r, n)| overlap(*r, *n, d, 1)) {
                over = true;
                break;
            }
            if ins.target().is_some() {
                break;
            }
        }
        if !over {
            continue;
        }
        let mut first = code[k];
        if let Some(r) = first.result_mut() {
            *r = own;
        }
        code[k] = first;
        for (ins, new) in code.iter_mut().skip(k + 1).zip(renamed) {
            *ins = new;
        }
        *registers += 1;
    }
}

/// For each register, the facts (as bits) that a write to it ends.
struct Touched([u128; 256]);

impl Default for Touched {
    fn default() -> Touched {
        Touched([0; 256])
    }
}

impl Touched {
    /// Fact `i` depends on `n` registers from `r` on.
    fn add_fact(&mut self, r: R, n: u8, i: usize) {
        let from = r as usize;
        if let Some(run) = self.0.get_mut(from..(from + n as usize).min(256)) {
            run.iter_mut().for_each(|x| *x |= 1 << i);
        }
    }

    /// For each instruction, the facts that survive it; the fact that it establishes does. None if an instruction is opaque.
    fn facts_kept(&self, p: &Program, code: &[Ins], made: &[usize]) -> Option<Vec<u128>> {
        let of = |from: usize, to: usize| {
            self.0.get(from..to.min(256)).map_or(0, |r| r.iter().fold(0, |a, x| a | x))
        };
        code.iter()
            .zip(made)
            .map(|(ins, made)| {
                let u = used(p, ins)?;
                let mut ended = u.window.map_or(0, |from| of(from as usize, 256));
                for (r, n) in &u.writes {
                    ended |= of(*r as usize, *r as usize + *n as usize);
                }
                Some(!ended | if *made == usize::MAX { 0 } else { 1 << *made })
            })
            .collect()
    }
}

/// The facts before each instruction that hold on every path, from the facts that survive each instruction and the one that it establishes (`usize::MAX`: none). `u128::MAX`: unreachable.
fn facts_on_every_path(code: &[Ins], kept: &[u128], made: &[usize]) -> Vec<u128> {
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
            if let Some(to) = ins.target() {
                put(to as usize);
            }
        }
    }
    holds
}

/// Copy propagation, in functions with loops. Returns true if anything changed.
pub fn propagate_copies(p: &Program, code: &mut [Ins]) -> bool {
    let mut copies: Vec<Copied> = Vec::new();
    let mut made = vec![usize::MAX; code.len()];
    for (k, ins) in code.iter().enumerate() {
        let Some(copy) = Copied::of(*ins) else { continue };
        if copies.len() < MOST_COPIES && !overlap(copy.base, copy.w, copy.at, copy.w) {
            made[k] = copies.len();
            copies.push(copy);
        }
    }
    if copies.is_empty() {
        return false;
    }
    let mut on = Touched::default();
    for (i, c) in copies.iter().enumerate() {
        on.add_fact(c.base, c.w, i);
        on.add_fact(c.at, c.w, i);
    }
    let Some(kept) = on.facts_kept(p, code, &made) else { return false };
    let holds = facts_on_every_path(code, &kept, &made);
    let mut any = false;
    let mut held: Vec<Copied> = Vec::with_capacity(copies.len());
    for (k, ins) in code.iter_mut().enumerate() {
        if holds[k] == u128::MAX || holds[k] == 0 {
            continue;
        }
        held.clear();
        let mut left = holds[k];
        while left != 0 {
            held.extend(copies.get(left.trailing_zeros() as usize));
            left &= left - 1;
        }
        // A copy of a copy, one for each loop around it: reads the first source.
        for _ in 0..8 {
            let before = *ins;
            rename_sources(p, ins, &held);
            if *ins == before {
                break;
            }
            any = true;
        }
    }
    any
}
