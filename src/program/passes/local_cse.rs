//! Local common-subexpression elimination: within straight-line code, a load that was just done is replaced by a copy.
//!
//! ```text
//! LdAttr d=r3 e=r1 attr=coins
//! Add    d=r4 a=r3 b=r2
//! LdAttr d=r5 e=r1 attr=coins      # becomes Mov d=r5 a=r3
//! ```
use crate::ir::def_use::used;
use crate::ir::*;

/// Reuses loads in functions with loops: in straight-line code an equal instruction has the same result and cannot fail the second time. Returns true if anything changed.
pub fn reuse_loads(p: &Program, code: &mut [Ins]) -> bool {
    if !code.iter().any(|ins| matches!(ins, Ins::SMore { .. })) {
        return false;
    }
    let mut entered = vec![false; code.len() + 1];
    for to in code.iter().filter_map(Ins::target) {
        if let Some(e) = entered.get_mut(to as usize) {
            *e = true;
        }
    }
    let mut changed = false;
    for i in 0..code.len() {
        let ins = code[i];
        if !matches!(
            ins,
            Ins::LdHeld { .. }
                | Ins::LdAttr { .. }
                | Ins::LdFace { .. }
                | Ins::Held { .. }
                | Ins::LdAt { .. }
                | Ins::LdTable { .. }
        ) {
            continue;
        }
        let Some(its) = used(p, &ins) else { continue };
        let [(d, 1)] = its.writes[..] else { continue };
        if its.reads.iter().any(|(r, n)| overlap(*r, *n, d, 1)) {
            continue;
        }
        for j in i + 1..(i + 12).min(code.len()) {
            let (mut twin, mut first) = (code[j], ins);
            let to = twin.result_mut().map(|r| std::mem::replace(r, d));
            if let (false, Some(to), true) = (entered[j], to, twin == ins && first.result_mut().is_some()) {
                code[j] = Ins::Mov { d: to, a: d };
                changed = true;
            }
            let there = &code[j];
            if entered[j] || !there.may_stand_in_loop() {
                break;
            }
            let Some(u) = used(p, there) else { break };
            let over = |r: R, n: u8| u.writes.iter().any(|(x, m)| overlap(*x, *m, r, n));
            if over(d, 1) && *there != (Ins::Mov { d, a: d }) || its.reads.iter().any(|(r, n)| over(*r, *n)) {
                break;
            }
        }
    }
    changed
}
