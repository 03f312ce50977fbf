//! Registers whose value stands elsewhere, too: what loop-invariant code motion and copy propagation rename with.
use crate::ir::{Ins, Program, R};

/// A run of registers, and where its value stands as well.
#[derive(Clone, Copy)]
pub struct Copied {
    /// The first register of the run.
    pub base: R,
    /// How many they are.
    pub w: u8,
    /// Where its value stands, too.
    pub at: R,
}

/// Lets an instruction read a value from where it stands as well.
pub fn rename_sources(p: &Program, ins: &mut Ins, held: &[Copied]) {
    ins.for_each_source(p, |r, w| {
        if let Some(h) = held.iter().find(|h| h.base == *r && h.w == w) {
            *r = h.at;
        }
    });
}
