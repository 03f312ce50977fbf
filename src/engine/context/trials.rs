//! The stack of speculative executions that are under way, with a copy of the state before each.
use crate::context::memo::Classes;
use crate::data::state::State;

/// A trial under way.
pub(crate) struct Trial {
    /// How many calls waited when it began.
    pub links: usize,
    /// Whether its fiber could act before.
    pub acts: bool,
    /// Whether events were recorded, whether the memo was off, and what was dirty.
    pub recording: bool,
    pub keeping: bool,
    pub dirty: Classes,
    /// How many positions each history held.
    pub seen: smallvec::SmallVec<[u32; 2]>,
}

/// The trials under way, innermost last, with the states before them.
#[derive(Default)]
pub(crate) struct Trials {
    pub open: Vec<Trial>,
    pub kept: Vec<State>,
    /// Whether the outermost copy is still like the state.
    pub fresh: bool,
}

impl Trials {
    /// How many are under way.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Pure code begins: whatever the state was like before, it may be another now.
    #[inline]
    pub fn forget(&mut self) {
        self.fresh &= !self.open.is_empty();
    }
}
