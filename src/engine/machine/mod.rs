//! Top layer of the engine: the machine as other rooms use it, outcomes, reasons, clocks.
pub(crate) mod bulk_count;
pub(crate) mod clock;
pub(crate) mod determinize;
pub(crate) mod estimates;
pub(crate) mod free_play;
pub(crate) mod game;
pub(crate) mod legacy;
pub(crate) mod ordered_chance;
pub(crate) mod outcome;
mod pausing;
pub(crate) mod reasons;
