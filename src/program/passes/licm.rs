//! Loop-invariant code motion: an instruction with the same result in each round of a loop over a set is moved before the first round.
//!
//! It runs after the peephole pass, on loops that begin with `SNext`, end with its `SMore`, and change only registers. Instructions whose sources do not change in the loop move to just after
//! `SNext`, which runs once and only if there is a first round, and write new registers; in the loop a copy replaces them, which the peephole pass removes if it can. An instruction that may fail moves
//! only if the first round would reach it, and before anything else that may fail.
use super::copies::{Copied, rename_sources};
use super::liveness::live_at;
use super::peephole;
use super::unit::Unit;
use crate::ir::def_use::{Use, used};
use crate::ir::*;
use houserule_text::Span;

/// The longest function on which the pass runs.
const LONG: usize = 1024;

/// Moves invariant instructions of one function.
pub fn hoist(p: &Program, unit: &mut Unit) {
    let Unit { code, spans, registers, results, pure_, .. } = unit;
    if code.len() > LONG || *registers >= MOST_REGISTERS {
        return;
    }
    let (mut now, mut changed) = (*registers, false);
    // Inner loops first.
    for head in (0..code.len()).rev() {
        if let Some(end) = canonical_loop(code, head) {
            changed |= rename_induction(p, code, *results, (head, end));
        }
    }
    for head in (0..code.len()).rev() {
        if let Some(end) = canonical_loop(code, head) {
            now = hoist_loop(p, code, spans, (head, end), now);
        }
    }
    if *pure_ {
        changed |= crate::passes::copy_propagation::reuse_available(p, code);
    }
    changed |= crate::passes::copy_propagation::propagate_copies(p, code);
    changed |= now > *registers;
    *registers = now;
    if changed {
        peephole::run(p, unit, Vec::new());
    }
}

/// If the element is only copied to another register at the begin of the loop, the loop uses that register.
fn rename_induction(p: &Program, code: &mut [Ins], results: u8, (head, end): (usize, usize)) -> bool {
    let Ins::SMore { i, s, w, to: back } = code[end] else { return false };
    let first = back as usize;
    let Ins::Mov { d, a } = code[first] else { return false };
    if a != i
        || d == i
        || overlap(d, 1, s, w)
        || head == 0
        || code[head - 1] != (Ins::Li { d: i, k: NONE as i32 })
    {
        return false;
    }
    let overlaps = |runs: &[(R, u8)], r: R| runs.iter().any(|(b, n)| overlap(*b, *n, r, 1));
    // Neither register is used elsewhere in the loop or after it, and the loop is entered only at its head.
    for (k, ins) in code.iter().enumerate().take(end).skip(head + 1) {
        let Some(u) = used(p, ins).filter(|u| u.window.is_none()) else { return false };
        if k != first && (overlaps(&u.reads, i) || overlaps(&u.writes, i) || overlaps(&u.writes, d)) {
            return false;
        }
        if k < first && overlaps(&u.reads, d) {
            return false;
        }
    }
    let entered = code.iter().enumerate().any(|(k, ins)| {
        ins.target().is_some_and(|to| {
            to as usize == head && !(head..=end).contains(&k) || to as usize == first && k != end
        })
    });
    if entered {
        return false;
    }
    let live = live_at(p, code, results, end + 1);
    if live.contains(d) || live.contains(i) {
        return false;
    }
    code[head - 1] = Ins::Li { d, k: NONE as i32 };
    if let Ins::SNext { i, .. } = &mut code[head] {
        *i = d;
    }
    code[end] = Ins::SMore { i: d, s, w, to: back };
    code[first] = Ins::Mov { d, a: d };
    true
}

/// The `SMore` that ends the loop with head `head`.
fn canonical_loop(code: &[Ins], head: usize) -> Option<usize> {
    let Ins::SNext { i, s, w, to } = *code.get(head)? else { return None };
    let end = (to as usize).checked_sub(1).filter(|end| *end > head)?;
    let Ins::SMore { i: j, s: t, w: v, to: back } = *code.get(end)? else { return None };
    let own = (i, s, w) == (j, t, v) && back as usize == head + 1;
    // No jump leads into the loop.
    let inside = |at: usize| (head + 1..=end).contains(&at);
    let shut = code
        .iter()
        .enumerate()
        .all(|(k, ins)| inside(k) || ins.target().is_none_or(|to| !inside(to as usize)));
    (own && shut).then_some(end)
}

fn hoist_loop(
    p: &Program,
    code: &mut Vec<Ins>,
    spans: &mut [(u32, Span)],
    (head, end): (usize, usize),
    most: u16,
) -> u16 {
    let body = head + 1..end;
    if !body.clone().all(|k| code[k].may_stand_in_loop()) {
        return most;
    }
    // Registers that the loop writes, and whether it is entered elsewhere than at its head.
    let mut written = RegSet::default();
    let mut entered = vec![false; code.len() + 1];
    for (k, ins) in code.iter().enumerate().take(end + 1).skip(head) {
        let Some(u) = used(p, ins).filter(|u| u.window.is_none()) else { return most };
        u.writes.iter().for_each(|(r, n)| written.insert_run(*r, *n));
        if let Some(to) = ins.target().filter(|_| k != end) {
            entered[to as usize] = true;
        }
    }
    let mut next = most;
    let (mut held, mut out): (Vec<Copied>, Vec<Ins>) = (Vec::new(), Vec::new());
    // Whether the first round reaches this instruction, and nothing before it may fail.
    let (mut certain, mut still) = (true, true);
    let mut changed = code.clone();
    for k in body {
        if entered[k] {
            held.clear();
            certain = false;
        }
        let mut ins = code[k];
        rename_sources(p, &mut ins, &held);
        let Some(u) = used(p, &ins) else { return most };
        let same = u.reads.iter().all(|(r, n)| {
            (0..*n).all(|i| {
                let r = r.saturating_add(i);
                u16::from(r) >= most || !written.contains(r)
            })
        });
        // The head of an inner loop later becomes one instruction with this one (`crate::passes::superinstructions`).
        let begins = matches!((ins, code[k + 1]), (Ins::Li { d, .. }, Ins::SNext { i, .. }) if d == i);
        // What was computed before does not fail; nor does a read of the element of an outer loop.
        let may = ins.is_invariant() && !ins.may_fail()
            || reads_outer_element(p, code, &ins, (head, end))
            || ins.is_invariant() && (certain && still || find_twin(&ins, &out).is_some());
        if let (true, true, [(d, w)]) = (same, may && !begins, &u.writes[..])
            && let Some(at) = place_before_loop(&mut ins, *w, &mut out, &mut next)
        {
            changed[k] = if *w == 1 { Ins::Mov { d: *d, a: at } } else { Ins::MovN { d: *d, a: at, n: *w } };
            held.retain(|h| !overlap(h.base, h.w, *d, *w));
            held.push(Copied { base: *d, w: *w, at });
            continue;
        }
        changed[k] = ins;
        held.retain(|h| !u.writes.iter().any(|(r, n)| overlap(h.base, h.w, *r, *n)));
        still &= !ins.may_fail();
        certain &= ins.target().is_none();
    }
    // A constant alone is not worth a register.
    if !out
        .iter()
        .any(|ins| !matches!(ins, Ins::Li { .. } | Ins::SConst { .. } | Ins::SAll { .. } | Ins::SZero { .. }))
    {
        return most;
    }
    *code = changed;
    let n = out.len() as u32;
    for (k, ins) in code.iter_mut().enumerate() {
        let behind = if k == end { head } else { head + 1 };
        if let Some(to) = ins.target_mut().filter(|to| **to as usize > behind) {
            *to += n;
        }
    }
    code.splice(head + 1..head + 1, out);
    for (at, _) in spans.iter_mut().filter(|(at, _)| *at as usize > head) {
        *at += n;
    }
    next
}

/// Whether an instruction reads place or face of the element of an outer loop, which is not none.
fn reads_outer_element(p: &Program, code: &[Ins], ins: &Ins, (head, end): (usize, usize)) -> bool {
    let (Ins::LdAt { c, .. } | Ins::LdFace { c, .. } | Ins::LdPlace { c, .. }) = *ins else { return false };
    (0..head).rev().any(|outer| {
        let Ins::SNext { i, .. } = code[outer] else { return false };
        // The outer loop uses this register, or copies its element to it first.
        let copied = code.get(outer + 1) == Some(&Ins::Mov { d: c, a: i });
        if i != c && !copied {
            return false;
        }
        let Some(out) = canonical_loop(code, outer).filter(|out| *out > end) else { return false };
        let first = outer + 1 + usize::from(copied);
        code.iter().take(out).skip(first).all(|ins| {
            let over = |u: Use| u.writes.iter().any(|(r, n)| overlap(*r, *n, c, 1) || overlap(*r, *n, i, 1));
            used(p, ins).is_some_and(|u| u.window.is_none() && !over(u))
        })
    })
}

/// The register of an equal instruction that was moved already.
fn find_twin(ins: &Ins, out: &[Ins]) -> Option<R> {
    out.iter().find_map(|there| {
        let (mut mine, mut theirs) = (*ins, *there);
        let at = *theirs.result_mut()?;
        *mine.result_mut()? = at;
        (mine == *there).then_some(at)
    })
}

/// Moves an instruction before the loop, unless an equal one is there; returns the register of its result.
fn place_before_loop(ins: &mut Ins, w: u8, out: &mut Vec<Ins>, next: &mut u16) -> Option<R> {
    if let Some(at) = find_twin(ins, out) {
        return Some(at);
    }
    let at = R::try_from(*next).ok().filter(|_| *next + u16::from(w) < MOST_REGISTERS)?;
    *ins.result_mut()? = at;
    out.push(*ins);
    *next += u16::from(w);
    Some(at)
}
