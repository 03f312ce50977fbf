//! Reusable buffers of the search over lines of a menu (`eval/lookahead.rs`). They carry no results from one search to the next.
use crate::data::decision::{Options, Words};
use crate::data::state::State;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What a line comes to, greater is better: whether the menu can be left at its end, then its numbers.
pub(crate) type LineValue = SmallVec<[i64; 4]>;

/// What is kept between searches: room, no knowledge.
#[derive(Default)]
pub(crate) struct SearchRoom {
    /// States before what is tried, by depth.
    pub kept: Vec<State>,
    pub known: FxHashMap<[u64; 2], LineValue>,
    /// Options by depth.
    pub opts: Vec<Options>,
    pub tried: u32,
    /// Of the fiber that asks, the registers in which an action's effect runs, as far as they are compared: before it, and after it if the action is applied (`WayOut::Applied`).
    pub window: Words,
}
