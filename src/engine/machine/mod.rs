//! The machine as other rooms use it; how a game ended, and why something is not allowed.
pub(crate) mod bulk_count;
pub(crate) mod clock;
pub(crate) mod free_play;
pub(crate) mod game;
pub(crate) mod ordered_chance;
pub(crate) mod outcome;
pub(crate) mod reasons;
