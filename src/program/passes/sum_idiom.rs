//! Loop idiom recognition: a sum of printed values over components, restricted by a set, as in `sum(d in S: sum(f in d.sides where need: f.value))`, becomes one instruction.
//!
//! It runs after the peephole pass and matches the loop that this leaves: read the component's face, load the constant set of that face, intersect it, sum a table over it, add
//! it up.
use crate::ir::*;
use crate::passes::liveness::live_at;
use crate::passes::unit::Unit;

/// The number of instructions of such a loop.
const LONG: usize = 9;

/// Replaces each such loop of a function by one instruction.
pub fn replace_sum_loops(p: &mut Program, unit: &mut Unit) {
    let Unit { code, spans, results, .. } = unit;
    let mut from = 0;
    while let Some(i) = (from..code.len().saturating_sub(LONG)).find(|i| is_loop_head(code, *i)) {
        from = i + 1;
        let Some((ins, slot, gone)) = match_sum_loop(code, i) else { continue };
        // The registers that the loop leaves behind are not read.
        let live = live_at(p, code, *results, i + LONG);
        let of = p.universes.get(slot.universe as usize);
        let sides = p.tables.get(slot.table.index()).and_then(|t| p.universes.get(t.universe.index()));
        let narrow = of.is_some_and(|u| u.w == 1) && sides.is_some_and(|u| u.w == 1 && !is_faces(&u.sort));
        if !narrow || gone.iter().any(|r| live.contains(*r)) {
            continue;
        }
        let known = p.sums.iter().position(|s| *s == slot);
        let Ok(sum) = u16::try_from(known.unwrap_or(p.sums.len())) else { return };
        if known.is_none() {
            p.sums.push(slot);
        }
        let Ins::SumEach { d, s, a, .. } = ins else { continue };
        code[i] = Ins::SumEach { d, s, a, sum };
        code.drain(i + 1..i + LONG);
        let n = (LONG - 1) as u32;
        for to in code.iter_mut().filter_map(Ins::target_mut).filter(|to| **to as usize > i) {
            *to -= n;
        }
        for (at, _) in spans.iter_mut().filter(|(at, _)| *at as usize > i) {
            *at = (*at).saturating_sub(n).max(i as u32);
        }
    }
}

fn is_faces(sort: &UniverseSort) -> bool {
    matches!(sort, UniverseSort::Faces(_))
}

/// Whether a loop may begin here that is entered only at its head.
fn is_loop_head(code: &[Ins], i: usize) -> bool {
    let Some(Ins::SMore { to, .. }) = code.get(i + LONG - 1) else { return false };
    let inside = i + 1..i + LONG;
    *to as usize == i + 3
        && code.iter().enumerate().all(|(k, ins)| {
            inside.contains(&k) || ins.target().is_none_or(|to| !inside.contains(&(to as usize)))
        })
}

/// Matches a loop: returns the instruction, what it sums, and the registers that it no longer writes.
fn match_sum_loop(code: &[Ins], i: usize) -> Option<(Ins, SumSlot, [R; 5])> {
    let [
        Ins::Li { d, k: 0 },
        Ins::Li { d: x, k: none },
        Ins::SNext { i: x1, s, w: 1, to: end },
        Ins::LdFace { d: face, c: x2, u },
        Ins::SConstI { d: its, i: face1, w: 1, k },
        Ins::SAnd { d: both, a: b1, b: b2, w: 1 },
        Ins::SumTable { d: part, s: both1, table },
        Ins::Add { d: d1, a: d2, b: part1 },
        Ins::SMore { i: x3, s: s1, w: 1, .. },
    ] = *code.get(i..i + LONG)?
    else {
        return None;
    };
    let a = if b1 == its { b2 } else { b1 };
    let same = i64::from(none) == NONE
        && (x, x, x) == (x1, x2, x3)
        && (face, both, part, s) == (face1, both1, part1, s1)
        && (d, d) == (d1, d2)
        && (b1 == its || b2 == its)
        && end as usize == i + LONG;
    let written = [x, face, its, both, part];
    // The loop does not change its sets, and the sum has a register of its own.
    let apart = !written.contains(&d) && ![a, s].iter().any(|r| *r == d || written.contains(r)) && x != face;
    let slot = SumSlot { universe: u, sets: k, table };
    (same && apart).then_some((Ins::SumEach { d, s, a, sum: 0 }, slot, written))
}
