//! Layer of the engine above `world`: what a run uses beside the state. Budget, caches, the log, the pilot of a playout.
pub(crate) mod exit;
pub(crate) mod frames;
pub(crate) mod memo;
pub(crate) mod notes;
pub(crate) mod pilot;
pub(crate) mod recorder;
pub(crate) mod run_context;
pub(crate) mod search_room;
pub(crate) mod trials;
