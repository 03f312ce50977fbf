//! Dead-code elimination, copy coalescing and peephole rewrites of one function. The result behaves the same; only an effect on trial may lose a read that could fail.
//! Jumps hold positions in the function.
//!
//! - a copy that is only read is replaced by its source;
//! - a result that is only copied is computed in the destination of the copy;
//! - a jump back to the head of a loop over a set becomes `SMore`; a selection from a whole universe before an intersection selects from the other set;
//! - `not` before a jump inverts the jump; a comparison or a test for the empty set is merged with the jump after it; a jump to the next instruction is removed;
//! - the two steps round the table become one, and so does the end of a turn with the step to the next player;
//! - an unused result is not computed, if that cannot fail.
//!
//! It uses `liveness`. An opaque instruction (`crate::ir::def_use`) keeps all registers alive.
use super::copies::Copied;
use super::liveness::{RegUse, liveness};
use super::unit::Unit;
use crate::ir::def_use::{used, words};
use crate::ir::*;

/// Longer functions get one round: these build a map, once for each game, and further rounds would cost more time than they save.
const LONG: usize = 1024;

/// Rewrites one function and its spans. `cannot_fail` says of instructions beyond those of which it is known that they cannot fail.
pub fn run(p: &Program, unit: &mut Unit, mut cannot_fail: Vec<bool>) {
    let rounds = if unit.code.len() > LONG { 1 } else { 100 };
    let mut uses: Vec<RegUse> = unit.code.iter().map(|i| RegUse::of(p, i)).collect();
    for _ in 0..rounds {
        if !run_round(p, unit, &mut uses, &mut cannot_fail) {
            return;
        }
    }
}

fn run_round(p: &Program, unit: &mut Unit, uses: &mut Vec<RegUse>, cannot_fail: &mut Vec<bool>) -> bool {
    let Unit { code, spans, results, is_trial, .. } = unit;
    let n = code.len();
    let mut entered = vec![false; n + 1];
    for ins in code.iter() {
        if let Some(to) = ins.target() {
            entered[(to as usize).min(n)] = true;
        }
    }
    let live = liveness(code, uses, *results);
    let mut dead = vec![false; n];
    let mut changed = false;
    // Liveness is no longer valid before this position.
    let mut known_from = 0;
    for i in 0..n {
        if i < known_from {
            continue;
        }
        // Rewrites of one instruction.
        match code[i] {
            Ins::AddK { d, a, k: 0 } => {
                // A number that is not none is not changed by this; none would be a fault, which loops never meet.
                let from_loop =
                    (0..i).rev().take(2).any(|j| matches!(code[j], Ins::SNext { i: x, .. } if x == a));
                if from_loop {
                    code[i] = Ins::Mov { d, a };
                    uses[i] = RegUse::of(p, &code[i]);
                    changed = true;
                }
            }
            Ins::MovN { d, a, n: 1 } => {
                code[i] = Ins::Mov { d, a };
                uses[i] = RegUse::of(p, &code[i]);
                changed = true;
            }
            _ => {}
        }
        match code[i] {
            Ins::Mov { d, a } if d == a => dead[i] = true,
            Ins::MovN { d, a, n } if d == a || n == 0 => dead[i] = true,
            Ins::Jmp { to } if to as usize == i + 1 => dead[i] = true,
            // A jump to the next instruction.
            ins if ins.kind() == InsKind::Jump
                && uses[i].writes == RegSet::default()
                && ins.target() == Some(i as u32 + 1) =>
            {
                dead[i] = true;
            }
            _ => {}
        }
        if dead[i] {
            continue;
        }
        let idle = code[i].is_removable()
            || *is_trial && code[i].kind() == InsKind::Value
            || cannot_fail.get(i).is_some_and(|cannot_fail| *cannot_fail);
        if idle
            && uses[i].described
            && !uses[i].writes.intersects(live[i])
            && uses[i].writes != RegSet::default()
        {
            dead[i] = true;
            continue;
        }
        // A result that is only copied is computed in the destination; one of several words, if nothing reads a part of its registers meanwhile.
        if i + 1 < n
            && !entered[i + 1]
            && let Some(Copied { base: d, at: a, w }) = Copied::of(code[i + 1])
            && a != d
            && uses[i].described
            && uses[i].window.is_none()
            && uses[i].writes == RegSet::run(a, w)
            && !live[i + 1].intersects(RegSet::run(a, w))
            && !RegSet::run(a, w).intersects(RegSet::run(d, w))
            && let Some(u) = used(p, &code[i])
            && (w == 1 || u.reads.iter().all(|(r, n)| (*r, *n) == (d, w) || !overlap(*r, *n, d, w)))
        {
            let mut ins = code[i];
            if let Some(r) = ins.result_mut()
                && *r == a
            {
                *r = d;
                code[i] = ins;
                code[i + 1] = Ins::MovN { d, a: d, n: w };
                uses[i] = RegUse::of(p, &code[i]);
                uses[i + 1] = RegUse::of(p, &code[i + 1]);
                changed = true;
                continue;
            }
        }
        if i + 1 < n
            && !entered[i + 1]
            && let Some(one) = fuse_pair(p, code[i], code[i + 1], live[i + 1])
        {
            code[i + 1] = one;
            uses[i + 1] = RegUse::of(p, &code[i + 1]);
            dead[i] = true;
            continue;
        }
        // The end of a turn, the step to the next player, and the end of the loop over the players.
        if i + 3 < n
            && !entered[i + 1..=i + 3].contains(&true)
            && matches!(code[i], Ins::TurnEnd)
            && let Ins::AddModK { d: who, a, k: 1, m } = code[i + 1]
            && let Ins::AddK { d: left, a: before, k: 1 } = code[i + 2]
            && let Ins::JNeK { a: count, k, to } = code[i + 3]
            && a == who
            && left == before
            && left == count
            && k == m
            && left != who
            && let Ok(n) = u8::try_from(m)
        {
            code[i + 3] = Ins::TurnNext { p: who, left, n, to };
            uses[i + 3] = RegUse::of(p, &code[i + 3]);
            dead[i..i + 3].fill(true);
            continue;
        }
        // An intersection with (in A or not in B): removes what is in B and not in A.
        if i + 2 < n
            && !entered[i + 1]
            && !entered[i + 2]
            && let Ins::SNot { d: x, a: out, u } = code[i]
            && let Ins::SOr { d: e, a: p1, b: p2, w } = code[i + 1]
            && let Ins::SAnd { d: f, a: q1, b: q2, w: v } = code[i + 2]
            && w == v
            && w == words(p, u)
            && (p1 == x) != (p2 == x)
            && (q1 == e) != (q2 == e)
            && (0..w).all(|k| e == x || !live[i + 1].contains(x.saturating_add(k)))
            && (0..w).all(|k| f == e || !live[i + 2].contains(e.saturating_add(k)))
        {
            let other = if p1 == x { p2 } else { p1 };
            let from = if q1 == e { q2 } else { q1 };
            let apart = |a: R, b: R| a == b || !(0..w).any(|k| a + k == b || b + k == a);
            // No register is overwritten before it is read.
            if apart(x, out) && from != x && apart(from, x) {
                code[i + 1] = Ins::SAndNot { d: e, a: out, b: other, w };
                code[i + 2] = Ins::SAndNot { d: f, a: from, b: e, w };
                uses[i + 1] = RegUse::of(p, &code[i + 1]);
                uses[i + 2] = RegUse::of(p, &code[i + 2]);
                dead[i] = true;
                continue;
            }
        }
        // A jump back to the head of a loop over a set: `SMore` finds the next element here.
        if let Ins::Jmp { to } = code[i]
            && (to as usize) < i
            && let Some(Ins::SNext { i: x, s, w, to: end }) = code.get(to as usize).copied()
            && end as usize == i + 1
        {
            code[i] = Ins::SMore { i: x, s, w, to: to + 1 };
            entered[to as usize + 1] = true;
            uses[i] = RegUse::of(p, &code[i]);
            changed = true;
            continue;
        }
        // All components that show something, intersected with a set: selects from the set.
        if i + 2 < n
            && !entered[i + 1]
            && !entered[i + 2]
            && let Ins::SAll { d, u } = code[i]
            && let Ins::SAnd { d: x, a, b, w } = code[i + 2]
            && b == d
            && a == x
            && a != d
            && w == words(p, u)
            && (0..w).all(|k| !live[i + 2].contains(d.saturating_add(k)))
        {
            let one = match code[i + 1] {
                Ins::SByFace { d: y, s, f, u: v } if y == d && s == d && v == u => {
                    Some(Ins::SByFace { d: x, s: x, f, u })
                }
                Ins::SByShown { d: y, s, f, u: v } if y == d && s == d && v == u => {
                    Some(Ins::SByShown { d: x, s: x, f, u })
                }
                _ => None,
            };
            if let Some(one) = one {
                code[i + 2] = one;
                uses[i + 2] = RegUse::of(p, &code[i + 2]);
                dead[i] = true;
                dead[i + 1] = true;
                continue;
            }
        }
        // A copy that is only read, in straight-line code in which neither register changes.
        if let Ins::Mov { d, a } = code[i] {
            let mut end = None;
            for j in i + 1..n {
                if entered[j] {
                    break;
                }
                if !uses[j].described {
                    break;
                }
                let (writes_d, writes_a) = (uses[j].writes.contains(d), uses[j].writes.contains(a));
                if !live[j].contains(d) || writes_d {
                    end = Some(j);
                    break;
                }
                if writes_a || code[j].target().is_some() || matches!(code[j], Ins::Ret) {
                    break;
                }
            }
            if let Some(end) = end {
                // All reads up to there must be single words that can be renamed.
                let all = (i + 1..=end).all(|j| {
                    if !uses[j].reads.contains(d) {
                        return uses[j].described;
                    }
                    let Some(u) = used(p, &code[j]) else { return false };
                    let mut ins = code[j];
                    let mut named = 0;
                    ins.for_each_source(p, |r, w| named += usize::from(*r == d && w == 1));
                    let runs = u
                        .reads
                        .iter()
                        .filter(|(r, n)| *n > 0 && d >= *r && u16::from(d) < u16::from(*r) + u16::from(*n))
                        .count();
                    let single = u.reads.iter().all(|(r, n)| *n <= 1 || *r != d);
                    // Registers in a call's window belong to the callee.
                    named == runs && single && u.window.is_none_or(|at| d < at && a < at)
                });
                if all {
                    for j in i + 1..=end {
                        let mut ins = code[j];
                        ins.for_each_source(p, |r, w| {
                            if *r == d && w == 1 {
                                *r = a;
                            }
                        });
                        code[j] = ins;
                        uses[j] = RegUse::of(p, &code[j]);
                    }
                    dead[i] = true;
                    changed = true;
                    // Liveness has changed inside this range, but not after it.
                    known_from = end + 1;
                }
            }
        }
    }
    if !dead.iter().any(|d| *d) {
        return changed;
    }
    let mut i = 0;
    uses.retain(|_| {
        i += 1;
        !dead[i - 1]
    });
    let mut i = 0;
    cannot_fail.retain(|_| {
        i += 1;
        !dead[i - 1]
    });
    remove_instructions(code, spans, &dead);
    true
}

/// The instruction that does what two do, one after the other; `live` are the registers that are read behind them.
fn fuse_pair(p: &Program, first: Ins, second: Ins, live: RegSet) -> Option<Ins> {
    let is_read = |r: R, n: u8| live.intersects(RegSet::run(r, n));
    // A truth value that only decides a jump.
    if let Ins::Jz { a: c, to } | Ins::Jnz { a: c, to } = second
        && !is_read(c, 1)
    {
        let when = matches!(second, Ins::Jnz { .. });
        return match (first, when) {
            (Ins::Not { d, a }, true) if d == c => Some(Ins::Jz { a, to }),
            (Ins::Not { d, a }, false) if d == c => Some(Ins::Jnz { a, to }),
            (Ins::EqK { d, a, k }, _) if d == c => match (when, i16::try_from(k)) {
                (true, Ok(k)) => Some(Ins::JEqK { a, k, to }),
                (false, Ok(k)) => Some(Ins::JNeK { a, k, to }),
                (true, Err(_)) if i64::from(k) == NONE => Some(Ins::JNone { a, to }),
                (false, Err(_)) if i64::from(k) == NONE => Some(Ins::JSome { a, to }),
                _ => None,
            },
            (Ins::Le { d, a, b }, true) if d == c => Some(Ins::JLe { a, b, to }),
            (Ins::Le { d, a, b }, false) if d == c => Some(Ins::JNotLe { a, b, to }),
            (Ins::Lt { d, a, b }, true) if d == c => Some(Ins::JLt { a, b, to }),
            (Ins::Lt { d, a, b }, false) if d == c => Some(Ins::JNotLt { a, b, to }),
            (Ins::SAny { d, s, w: 1 }, true) if d == c => Some(Ins::Jnz { a: s, to }),
            (Ins::SAny { d, s, w: 1 }, false) if d == c => Some(Ins::Jz { a: s, to }),
            (Ins::SAny { d, s, w }, true) if d == c => Some(Ins::JAny { s, w, to }),
            (Ins::SAny { d, s, w }, false) if d == c => Some(Ins::JNil { s, w, to }),
            _ => None,
        };
    }
    match (first, second) {
        // A count by space of which only a part is used is restricted to the spaces of that part.
        (Ins::SCrowd { d: those, n, op, zone }, Ins::SAtIn { d, e, s, u, w })
            if s == those
                && d != n
                && !RegSet::run(those, w).intersects(RegSet::run(e, words(p, u)))
                && !is_read(those, w) =>
        {
            Some(Ins::SCrowdAt { d, e, n, op, u, zone })
        }
        // A step round the table.
        (Ins::AddK { d, a, k }, Ins::ModK { d: e, a: b, k: m }) if e == d && b == d => {
            i16::try_from(k).ok().zip(i16::try_from(m).ok()).map(|(k, m)| Ins::AddModK { d, a, k, m })
        }
        // Double negation.
        (Ins::Not { d, a }, Ins::Not { d: x, a: b }) if b == d && (x == d || !is_read(d, 1)) => {
            Some(Ins::Mov { d: x, a })
        }
        // The members of a set that are not in another: a difference in place of complement and intersection.
        (Ins::SNot { d, a: out, u }, Ins::SAnd { d: x, a, b, w })
            if (a == d) != (b == d) && w == words(p, u) && (x == d || !is_read(d, w)) =>
        {
            Some(Ins::SAndNot { d: x, a: if a == d { b } else { a }, b: out, w })
        }
        _ => None,
    }
}

/// Removes instructions and adjusts jumps and spans.
pub fn remove_instructions(code: &mut Vec<Ins>, spans: &mut Vec<(u32, houserule_text::Span)>, dead: &[bool]) {
    if !dead.iter().any(|d| *d) {
        return;
    }
    let n = code.len();
    // New positions.
    let mut at = vec![0u32; n + 1];
    let mut k = 0;
    for i in 0..n {
        at[i] = k;
        k += u32::from(!dead[i]);
    }
    at[n] = k;
    for ins in code.iter_mut() {
        if let Some(to) = ins.target_mut() {
            *to = at[(*to as usize).min(n)];
        }
    }
    let mut i = 0;
    code.retain(|_| {
        i += 1;
        !dead[i - 1]
    });
    for (c, _) in spans.iter_mut() {
        *c = at[(*c as usize).min(n)];
    }
    spans.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1 = later.1;
        }
        same
    });
}
