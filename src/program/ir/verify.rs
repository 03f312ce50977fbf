//! Verifier for the code of one function, from the table of instructions: jumps stay inside, operands name existing entries, and no register is read that is not written on every path.
//! Runs after the passes in builds with debug assertions.
use super::*;

/// A flaw of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// It jumps out of its function.
    Target,
    /// It names an entry that does not exist.
    Operand,
    /// It uses a register that its function does not have.
    Register,
    /// It reads a register that is not written on every path to it.
    Unwritten(R),
}

/// Finds the first flaw of a function's code. `args` words are written at the begin; `registers` is the number of registers. Jumps hold positions in the code.
///
/// # Errors
/// The position and the flaw.
pub fn verify(p: &Program, code: &[Ins], args: u8, registers: u16) -> Result<(), (usize, Flaw)> {
    let mut written: Vec<Option<RegSet>> = vec![None; code.len() + 1];
    written[0] = Some(RegSet::run(0, args));
    let mut waiting = vec![0];
    for (at, ins) in code.iter().enumerate() {
        if ins.target().is_some_and(|to| to as usize > code.len()) {
            return Err((at, Flaw::Target));
        }
        if !ins.operands_exist(p) {
            return Err((at, Flaw::Operand));
        }
        let used = ins.registers(p).unwrap_or_default();
        if used.reads.iter().chain(&used.writes).any(|(r, n)| u16::from(*r) + u16::from(*n) > registers) {
            return Err((at, Flaw::Register));
        }
    }
    // Where paths join, the registers that are written on all of them are written.
    while let Some(at) = waiting.pop() {
        let (Some(ins), Some(mut there)) = (code.get(at), written[at]) else { continue };
        match ins.registers(p) {
            Some(used) => {
                // A call may overwrite its window, but for the results.
                used.window.into_iter().for_each(|from| there.remove_from(from));
                used.writes.iter().for_each(|(r, n)| there.insert_run(*r, *n));
            }
            // The writes are unknown.
            None => there = RegSet::ALL,
        }
        let next = (!matches!(ins, Ins::Ret | Ins::Jmp { .. } | Ins::End)).then_some(at + 1);
        for to in next.into_iter().chain(ins.target().map(|to| to as usize)) {
            let met = match written[to] {
                Some(before) => {
                    let mut met = before;
                    met.intersect_with(there);
                    (met != before).then_some(met)
                }
                None => Some(there),
            };
            if let Some(met) = met {
                written[to] = Some(met);
                waiting.push(to);
            }
        }
    }
    for (at, ins) in code.iter().enumerate() {
        // Unreachable code may read anything.
        let Some(there) = written[at] else { continue };
        for (r, n) in ins.registers(p).unwrap_or_default().reads {
            if let Some(r) = (0..n).map(|i| r.saturating_add(i)).find(|r| !there.contains(*r)) {
                return Err((at, Flaw::Unwritten(r)));
            }
        }
    }
    Ok(())
}

/// Whether the entry that an operand names exists.
pub(super) trait Operand {
    fn exists(&self, p: &Program) -> bool;
}

/// Operands that are numbers or words name no entry.
macro_rules! names_nothing {
    ($($t:ty),*) => { $(impl Operand for $t {
        fn exists(&self, _: &Program) -> bool {
            true
        }
    })* };
}

macro_rules! names_entry {
    ($($t:ty: $table:ident;)*) => { $(impl Operand for $t {
        fn exists(&self, p: &Program) -> bool {
            self.index() < p.$table.len()
        }
    })* };
}

names_nothing!(i32, i16, u8, u16, u32, bool, MoveHow, Comparison, PlaceFact, Clock, LeaseScope, VerdictCode);

names_entry! {
    FuncId: funcs;
    AttrIx: attrs;
    ZoneIx: zones;
    ActionIx: actions;
    TableIx: tables;
    PhaseIx: phases;
    GroupIx: groups;
    MenuIx: menus;
    OfferIx: offers;
    HistoryIx: histories;
    LinesIx: line_tables;
    GridIx: grids;
    LeasedIx: leased;
    AskIx: asks;
}

impl Operand for TemplateIx {
    fn exists(&self, p: &Program) -> bool {
        *self == NO_TEMPLATE || self.index() < p.templates.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flaw(code: &[Ins]) -> Result<(), (usize, Flaw)> {
        let p = Program::default();
        verify(&p, code, 1, 4)
    }

    #[test]
    fn right_code_has_no_flaw() {
        let code =
            [Ins::JNone { a: 0, to: 3 }, Ins::Mov { d: 1, a: 0 }, Ins::Jmp { to: 4 }, Ins::Li { d: 1, k: 5 }];
        let code = [&code[..], &[Ins::Mov { d: 0, a: 1 }, Ins::Ret]].concat();
        assert_eq!(flaw(&code), Ok(()));
    }

    #[test]
    fn each_flaw_is_found() {
        assert_eq!(flaw(&[Ins::Jmp { to: 2 }]), Err((0, Flaw::Target)));
        assert_eq!(flaw(&[Ins::LdAttr { d: 1, e: 0, attr: AttrIx(0) }, Ins::Ret]), Err((0, Flaw::Operand)));
        assert_eq!(flaw(&[Ins::MovN { d: 1, a: 0, n: 4 }, Ins::Ret]), Err((0, Flaw::Register)));
        // Written on one path, read after both.
        let code = [Ins::JNone { a: 0, to: 2 }, Ins::Li { d: 1, k: 5 }, Ins::Mov { d: 0, a: 1 }, Ins::Ret];
        assert_eq!(flaw(&code), Err((2, Flaw::Unwritten(1))));
        // A loop writes too late.
        let code = [Ins::Mov { d: 0, a: 2 }, Ins::Li { d: 2, k: 1 }, Ins::JSome { a: 2, to: 0 }, Ins::Ret];
        assert_eq!(flaw(&code), Err((0, Flaw::Unwritten(2))));
    }

    #[test]
    fn code_that_is_never_reached_may_read_anything() {
        assert_eq!(flaw(&[Ins::Jmp { to: 2 }, Ins::Mov { d: 0, a: 3 }, Ins::Ret]), Ok(()));
    }
}
