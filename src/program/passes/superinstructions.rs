//! Superinstructions: replaces frequent pairs of instructions by one. It runs after all other passes but coverage.
//!
//! - set a register to none, then find the next element of a set: `SEach`, the first element;
//! - load a plane by a number, then intersect: `SAndC`;
//! - a jump, if a set is empty, to the instruction that offers its members: a jump past that instruction.
use super::liveness::live_behind;
use super::peephole::remove_instructions;
use super::unit::Unit;
use crate::ir::*;
use houserule_text::Span;

/// Replaces pairs of one function.
pub fn replace_pairs(p: &Program, unit: &mut Unit) {
    let Unit { code, spans, results, .. } = unit;
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
    fuse_plane_intersections(p, code, spans, *results);
    skip_empty_offers(p, code);
}

/// A jump taken because a set is empty skips the instruction that would offer its members.
fn skip_empty_offers(p: &Program, code: &mut [Ins]) {
    for i in 0..code.len() {
        let (s, w, to) = match code[i] {
            Ins::JNil { s, w, to } => (s, w, to),
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

/// If all jumps to the head of a loop can go to its end, which also finds the next element, redirects them; returns whether that is so.
fn redirect_to_loop_end(code: &mut [Ins], head: usize) -> bool {
    let to_it = |ins: &Ins| ins.target() == Some(head as u32);
    if !code.iter().any(to_it) {
        return true;
    }
    let Ins::SNext { i, s, w, to } = code[head] else { return false };
    let Some(end) = (to as usize).checked_sub(1).filter(|end| *end > head) else { return false };
    // The code between the head and the target of its end is invariant (`crate::passes::licm`).
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

/// Merges the load of a plane with the intersection after it.
fn fuse_plane_intersections(p: &Program, code: &mut Vec<Ins>, spans: &mut Vec<(u32, Span)>, results: u8) {
    let n = code.len();
    let mut entered = vec![false; n + 1];
    for to in code.iter().filter_map(Ins::target) {
        entered[(to as usize).min(n)] = true;
    }
    let mut dead = vec![false; n];
    let mut live: Option<Vec<RegSet>> = None;
    for i in 0..n.saturating_sub(1) {
        if !entered[i + 1]
            && let (Ins::PlaneC { d: x, i: at, group }, Ins::SAnd { d, a, b, w }) = (code[i], code[i + 1])
            && (a == x) != (b == x)
            && p.groups.get(group.index()).is_some_and(|g| g.w == w)
        {
            let other = if a == x { b } else { a };
            // The other set is not in the registers into which the plane is loaded.
            let apart = other == x || !overlap(other, w, x, w);
            let unread = d == x || {
                let live = live.get_or_insert_with(|| live_behind(p, code, results));
                !live[i + 1].intersects(RegSet::run(x, w))
            };
            if unread && apart {
                code[i] = Ins::SAndC { d, a: other, i: at, group };
                dead[i + 1] = true;
            }
        }
    }
    remove_instructions(code, spans, &dead);
}
