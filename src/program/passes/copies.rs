//! Renames registers whose value is in another register as well; used by loop-invariant code motion and copy propagation.
use crate::ir::{Ins, Program, R};

/// A run of registers with a copy.
#[derive(Clone, Copy)]
pub struct Copied {
    /// First register of the run.
    pub base: R,
    /// Length of the run.
    pub w: u8,
    /// First register of the copy.
    pub at: R,
}

impl Copied {
    /// The run that an instruction copies, if it does nothing else; the copy is what is read there.
    pub fn of(ins: Ins) -> Option<Copied> {
        match ins {
            Ins::Mov { d, a } => Some(Copied { base: d, w: 1, at: a }),
            Ins::MovN { d, a, n } => Some(Copied { base: d, w: n, at: a }),
            _ => None,
        }
    }
}

/// Makes an instruction read a copy in place of the original.
pub fn rename_sources(p: &Program, ins: &mut Ins, held: &[Copied]) {
    ins.for_each_source(p, |r, w| {
        if let Some(h) = held.iter().find(|h| h.base == *r && h.w == w) {
            *r = h.at;
        }
    });
}
