//! Peephole pass: replaces frequent instruction pairs by one instruction. It runs last; behind it only coverage reads the code.
//!
//! - `i = none`, the next element of a set: the loop's first element;
//! - a plane by a number, cut with a set: the set cut with the plane;
//! - a set cut, a jump where nothing is left;
//! - a jump where nothing is left to what would offer it: past that.
use super::liveness::live_behind;
use super::peephole::remove_instructions;
use crate::ir::*;
use houserule_text::Span;

/// Joins what it can in one function.
pub fn replace_pairs(p: &Program, code: &mut Vec<Ins>, spans: &mut Vec<(u32, Span)>, results: u8) {
    let n = code.len();
    let mut dead = vec![false; n];
    for i in 0..n.saturating_sub(1) {
        if let (Ins::Li { d, k }, Ins::SNext { i: x, s, w, to }) = (code[i], code[i + 1])
            && i64::from(k) == NONE
            && d == x
            && redirect_to_loop_end(code, i + 1)
        {
            code[i] = Ins::SEach { i: x, s, w, to };
            dead[i + 1] = true;
        }
    }
    remove_instructions(code, spans, &dead);
    fuse_cuts(p, code, spans, results);
    skip_empty_offers(p, code);
}

/// Where a set is known to be empty, nothing of it is offered.
fn skip_empty_offers(p: &Program, code: &mut [Ins]) {
    for i in 0..code.len() {
        let (s, w, to) = match code[i] {
            Ins::JNil { s, w, to } | Ins::SCut { d: s, w, to, .. } => (s, w, to),
            Ins::Jz { a, to } => (a, 1, to),
            _ => continue,
        };
        let Some(Ins::Options { last, action, .. }) = code.get(to as usize) else { continue };
        let of = p.actions.get(action.index()).and_then(|a| a.params.last());
        if *last == s
            && matches!(of.map(|x| x.domain), Some(Domain::Thing(u)) if p.universes.get(u.index()).is_some_and(|u| u.w == w))
            && let Some(at) = code[i].target_mut()
        {
            *at += 1;
        }
    }
}

/// Whether all that jump to the head of a loop over a set, if any do, may go on at its end, which finds the next element as well; then they do.
fn redirect_to_loop_end(code: &mut [Ins], head: usize) -> bool {
    let to_it = |ins: &Ins| ins.target() == Some(head as u32);
    if !code.iter().any(to_it) {
        return true;
    }
    let Ins::SNext { i, s, w, to } = code[head] else { return false };
    let Some(end) = (to as usize).checked_sub(1).filter(|end| *end > head) else { return false };
    // What stands between the head and where its end leads back to is the same in each round (`crate::passes::licm`).
    let back = |to: u32| (head + 1..=end).contains(&(to as usize));
    if !matches!(code.get(end), Some(Ins::SMore { i: j, s: t, w: v, to }) if (*j, *t, *v) == (i, s, w) && back(*to))
    {
        return false;
    }
    for at in code.iter_mut().filter(|ins| to_it(ins)).filter_map(Ins::target_mut) {
        *at = end as u32;
    }
    true
}

/// Sets that are cut with planes, and those of which it is asked at once whether anything is left.
fn fuse_cuts(p: &Program, code: &mut Vec<Ins>, spans: &mut Vec<(u32, Span)>, results: u8) {
    let n = code.len();
    let mut entered = vec![false; n + 1];
    for to in code.iter().filter_map(Ins::target) {
        entered[(to as usize).min(n)] = true;
    }
    let mut dead = vec![false; n];
    let mut live: Option<Vec<RegSet>> = None;
    for i in 0..n.saturating_sub(1) {
        if entered[i + 1] || dead[i] {
            continue;
        }
        match (code[i], code[i + 1]) {
            (Ins::PlaneC { d: x, i: at, group }, Ins::SAnd { d, a, b, w })
                if (a == x) != (b == x) && p.groups.get(group.index()).is_some_and(|g| g.w == w) =>
            {
                let other = if a == x { b } else { a };
                // What it is cut with is not what the plane was laid over.
                let apart = |r: R, q: R| r == q || !crate::ir::overlap(r, w, q, w);
                let unread = d == x || {
                    let live = live.get_or_insert_with(|| live_behind(p, code, results));
                    (0..w).all(|k| !live[i + 1].contains(x.saturating_add(k)))
                };
                if unread && apart(other, x) {
                    code[i] = Ins::SAndC { d, a: other, i: at, group };
                    dead[i + 1] = true;
                }
            }
            (Ins::SAnd { d, a, b, w }, Ins::JNil { s, w: v, to })
                if s == d && w == v && (a == d || b == d) =>
            {
                code[i] = Ins::SCut { d, b: if a == d { b } else { a }, w, to };
                dead[i + 1] = true;
            }
            (Ins::SAnd { d, a, b, w: 1 }, Ins::Jz { a: s, to }) if s == d && (a == d || b == d) => {
                code[i] = Ins::SCut { d, b: if a == d { b } else { a }, w: 1, to };
                dead[i + 1] = true;
            }
            _ => {}
        }
    }
    remove_instructions(code, spans, &dead);
}
