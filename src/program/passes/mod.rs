//! The pass manager: runs the passes over the code of one function, in one order. Each pass can be left out; games do not change.
//!
//! | pass | file | what it does | needs |
//! |---|---|---|---|
//! | `peephole` | `peephole` | liveness, dead code, peephole rewrites | code as it was lowered |
//! | `sum-idiom` | `sum_idiom` | a loop that sums printed values becomes one instruction | |
//! | `induction` | `copy_propagation` | live-range splitting: place and face of a component get registers of their own | a pure function with loops, as the two below |
//! | `const-prop` | `const_prop`, `bitmap_families` | forward dataflow: none or not none, constant sets, copies; removes decided branches | |
//! | `cleanup` | `peephole` | the first pass again, if `const-prop` changed anything | |
//! | `licm` | `licm` | loop-invariant code motion | |
//! | `superinstructions` | `superinstructions` | frequent pairs of instructions become one | runs last: no other pass but coverage knows its instructions |
//! | `coverage` | `coverage` | marks for coverage, in programs that are compiled for it | |
pub mod bitmap_families;
pub mod const_prop;
pub mod copies;
pub mod copy_propagation;
pub mod coverage;
pub mod licm;
pub mod liveness;
pub mod peephole;
pub mod sum_idiom;
pub mod superinstructions;
pub mod unit;

use super::ir::{Ins, Program};
pub use unit::Unit;

/// A pass over the code of one function. The order is the order in which they run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pass {
    /// Liveness, dead code, peephole rewrites.
    Peephole,
    /// Sums of printed values.
    SumIdiom,
    /// Live-range splitting.
    Induction,
    /// Constant propagation.
    ConstProp,
    /// [`Pass::Peephole`] again, after [`Pass::ConstProp`].
    Cleanup,
    /// Loop-invariant code motion.
    Licm,
    /// Frequent pairs of instructions become one.
    Superinstructions,
}

impl Pass {
    /// All passes in their order, each with its name on the command line.
    pub const ALL: [(&'static str, Pass); 7] = [
        ("peephole", Pass::Peephole),
        ("sum-idiom", Pass::SumIdiom),
        ("induction", Pass::Induction),
        ("const-prop", Pass::ConstProp),
        ("cleanup", Pass::Cleanup),
        ("licm", Pass::Licm),
        ("superinstructions", Pass::Superinstructions),
    ];
}

/// Which passes run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassSet(u8);

impl PassSet {
    /// All passes.
    pub const ALL: PassSet = PassSet(u8::MAX);
    /// No pass: the code as it was lowered.
    pub const NONE: PassSet = PassSet(0);

    /// Whether a pass runs.
    pub fn has(self, pass: Pass) -> bool {
        self.0 >> pass as u8 & 1 == 1
    }

    /// The set without one pass.
    #[must_use]
    pub fn without(self, pass: Pass) -> PassSet {
        PassSet(self.0 & !(1 << pass as u8))
    }

    /// The passes of the set up to and including `last`.
    #[must_use]
    pub fn up_to(self, last: Pass) -> PassSet {
        let kept = Pass::ALL.iter().filter(|(_, pass)| *pass <= last);
        PassSet(kept.fold(0, |bits, (_, pass)| bits | 1 << *pass as u8) & self.0)
    }
}

/// Runs the passes over the code of one function. New constants are added to the program's tables.
pub fn run(p: &mut Program, unit: &mut Unit, passes: PassSet) {
    if passes.has(Pass::Peephole) {
        peephole::run(p, unit, Vec::new());
    }
    if passes.has(Pass::SumIdiom) {
        sum_idiom::replace_sum_loops(p, unit);
    }
    // Effects mostly run once; the other passes pay only in code that runs often.
    if unit.pure_ && unit.code.iter().any(|ins| matches!(ins, Ins::SMore { .. })) {
        if passes.has(Pass::Induction) {
            copy_propagation::split_induction(p, unit);
        }
        let known = if passes.has(Pass::ConstProp) { propagate_constants(p, &mut unit.code) } else { None };
        if let Some(known) = known.filter(|_| passes.has(Pass::Cleanup)) {
            peephole::run(p, unit, known);
        }
    }
    if passes.has(Pass::Licm) {
        licm::hoist(p, unit);
    }
    if passes.has(Pass::Superinstructions) {
        superinstructions::replace_pairs(p, unit);
    }
}

/// Runs [`Pass::ConstProp`] and adds the sets and bitmaps that it made to the program's tables. Returns, if anything changed, which instructions cannot fail.
fn propagate_constants(p: &mut Program, code: &mut [Ins]) -> Option<Vec<bool>> {
    let (mut sets, mut made): (Vec<u64>, _) = (Vec::new(), bitmap_families::NewGroups::default());
    let at = p.sets.len() as u32;
    let lay = |words: &[u64]| {
        let k = sets.windows(words.len().max(1)).position(|x| x == words);
        let k = k.unwrap_or_else(|| {
            sets.extend_from_slice(words);
            sets.len() - words.len()
        });
        at + k as u32
    };
    let known = const_prop::propagate(p, code, lay, &mut made);
    p.sets.extend(sets);
    bitmap_families::add_groups(p, made);
    known
}
