//! Reusable buffers of the search over lines of a menu (`eval/lookahead.rs`). They carry no results from one search to the next.
use crate::data::decision::{Options, Words};
use crate::data::state::State;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The value of a line, greater is better: whether the menu can be left at its end, then the numbers that the menu compares.
pub(crate) type LineValue = SmallVec<[i64; 4]>;

/// The buffers of a search.
#[derive(Default)]
pub(crate) struct SearchRoom {
    /// By depth: the state before the action.
    pub kept: Vec<State>,
    /// The value of the best line from a position, by its hash.
    pub known: FxHashMap<[u64; 2], LineValue>,
    /// Spare lists of options.
    pub opts: Vec<Options>,
    /// The number of actions executed.
    pub tried: u32,
    /// The registers of the asking fiber in which an action's effect runs, as far as states are compared with them: before it, and after it if the action is applied
    /// (`WayOut::Applied`).
    pub window: Words,
}
