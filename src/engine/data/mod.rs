//! Plain data of the engine: the state, questions, options and choices, outcomes.
pub(crate) mod chance_order;
pub(crate) mod decision;
pub(crate) mod outcome;
pub(crate) mod seats;
pub(crate) mod state;
pub(crate) mod subsets;
