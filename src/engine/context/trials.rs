//! The stack of speculative executions that are under way, with a copy of the state before each.
use crate::context::memo::Classes;
use crate::data::state::State;

/// A speculative execution under way.
pub(crate) struct Trial {
    /// The depth of calls when it began.
    pub links: usize,
    /// Whether its fiber could run effects before.
    pub acts: bool,
    /// Before it: whether events were recorded and watched, whether the state was speculative, and the changes that the memo had noted.
    pub recording: (bool, bool),
    pub keeping: bool,
    pub dirty: Classes,
    /// The length of each history.
    pub seen: smallvec::SmallVec<[u32; 2]>,
}

/// The speculative executions under way, innermost last, with copies of the states before them.
#[derive(Default)]
pub(crate) struct Trials {
    pub open: Vec<Trial>,
    pub kept: Vec<State>,
    /// Whether the outermost copy still equals the state.
    pub fresh: bool,
}

impl Trials {
    /// The number of executions under way.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Called when pure code begins: the state may have changed since the last copy.
    #[inline]
    pub fn forget(&mut self) {
        self.fresh &= !self.open.is_empty();
    }
}
