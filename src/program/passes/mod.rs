//! The pass manager: passes over the code of one function, in one ordered list. Each can be left out, and the games stay the same.
//!
//! | pass | file | what it does | needs |
//! |---|---|---|---|
//! | `peephole` | `peephole` | liveness, dead code, peephole rewrites | code as it was lowered |
//! | `sum-idiom` | `sum_idiom` | a loop that sums what is printed on things becomes one instruction | |
//! | `induction` | `copy_propagation` | a register that names the candidate of a loop | a pure function with loops, as the three below |
//! | `const-prop` | `const_prop`, `bitmap_families` | forward dataflow: what is not none, constant sets, copies; jumps whose way is known go | |
//! | `local-cse` | `local_cse` | a load that has just been done is not done again | |
//! | `cleanup` | `peephole` | the first pass again, where one of the two before has changed anything | |
//! | `licm` | `licm` | loop-invariant code motion | |
//! | `superinstructions` | `superinstructions` | frequent pairs of instructions become one | nothing but coverage may read the code behind it |
//! | `coverage` | `coverage` | marks for coverage; only in programs that are made to be covered | |
pub mod bitmap_families;
pub mod const_prop;
pub mod copies;
pub mod copy_propagation;
pub mod coverage;
pub mod licm;
pub mod liveness;
pub mod local_cse;
pub mod peephole;
pub mod sum_idiom;
pub mod superinstructions;

use super::ir::{Ins, Program};
use houserule_text::Span;

/// A pass over the code of one function, in the order in which they run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pass {
    /// Liveness, dead code, peephole rewrites.
    Peephole,
    /// Sums of what is printed on things.
    SumIdiom,
    /// A register that names the candidate of a loop.
    Induction,
    /// Forward dataflow.
    ConstProp,
    /// Loads that have just been done.
    LocalCse,
    /// [`Pass::Peephole`] again, behind the two before.
    Cleanup,
    /// Loop-invariant code motion.
    Licm,
    /// Frequent pairs of instructions become one.
    Superinstructions,
}

impl Pass {
    /// All passes in their order, each with its name on the command line.
    pub const ALL: [(&'static str, Pass); 8] = [
        ("peephole", Pass::Peephole),
        ("sum-idiom", Pass::SumIdiom),
        ("induction", Pass::Induction),
        ("const-prop", Pass::ConstProp),
        ("local-cse", Pass::LocalCse),
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
    /// No pass: code as it was lowered.
    pub const NONE: PassSet = PassSet(0);

    /// Whether a pass runs.
    pub fn has(self, pass: Pass) -> bool {
        self.0 >> pass as u8 & 1 == 1
    }

    /// These but one.
    #[must_use]
    pub fn without(self, pass: Pass) -> PassSet {
        PassSet(self.0 & !(1 << pass as u8))
    }

    /// Those of these up to one of them, which runs last.
    #[must_use]
    pub fn up_to(self, last: Pass) -> PassSet {
        let kept = Pass::ALL.iter().filter(|(_, pass)| *pass <= last);
        PassSet(kept.fold(0, |bits, (_, pass)| bits | 1 << *pass as u8) & self.0)
    }
}

/// The code of one function on its way through the passes.
pub struct Unit {
    /// Its instructions; jumps go to positions in it.
    pub code: Vec<Ins>,
    /// Where the code from each position on was made from.
    pub spans: Vec<(u32, Span)>,
    /// Registers that it uses.
    pub registers: u16,
    /// Words that it gives.
    pub results: u8,
    /// Whether it changes nothing.
    pub pure_: bool,
    /// Whether it is an effect that is only tried: what nobody reads of it may go, also if it could fail.
    pub is_trial: bool,
}

impl Unit {
    fn has_loops(&self) -> bool {
        self.code.iter().any(|ins| matches!(ins, Ins::SMore { .. }))
    }
}

/// Runs the passes over the code of one function. New constants go into the program's tables.
pub fn run(p: &mut Program, unit: &mut Unit, passes: PassSet) {
    let Unit { results, pure_, is_trial, .. } = *unit;
    if passes.has(Pass::Peephole) {
        peephole::run(p, &mut unit.code, &mut unit.spans, results, is_trial);
    }
    if passes.has(Pass::SumIdiom) {
        sum_idiom::replace_sum_loops(p, &mut unit.code, &mut unit.spans, results);
    }
    // Effects mostly run once: only what is asked again and again is worth another round.
    if pure_ && unit.has_loops() {
        if passes.has(Pass::Induction) {
            unit.registers = copy_propagation::split_induction(p, &mut unit.code, unit.registers);
        }
        let known = if passes.has(Pass::ConstProp) { propagate_constants(p, &mut unit.code) } else { None };
        let changed = passes.has(Pass::LocalCse) && local_cse::reuse_loads(p, &mut unit.code);
        if passes.has(Pass::Cleanup) && (changed || known.is_some()) {
            let known = known.unwrap_or_default();
            peephole::run_with_no_fail_facts(p, &mut unit.code, &mut unit.spans, results, is_trial, known);
        }
    }
    if passes.has(Pass::Licm) {
        let Unit { code, spans, registers, .. } = unit;
        *registers = licm::hoist(p, code, spans, results, *registers, pure_);
    }
    if passes.has(Pass::Superinstructions) {
        superinstructions::replace_pairs(p, &mut unit.code, &mut unit.spans, results);
    }
}

/// Runs [`Pass::ConstProp`] and lays the sets and bitmaps that it has made into the program's tables. Returns which instructions cannot fail, if anything changed.
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
