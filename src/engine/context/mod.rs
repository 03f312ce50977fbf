//! What a run brings along beside the state: budget, caches, the log, who answers.
pub(crate) mod exit;
pub(crate) mod frames;
pub(crate) mod memo;
pub(crate) mod notes;
pub(crate) mod pilot;
pub(crate) mod recorder;
pub(crate) mod run_context;
pub(crate) mod search_room;
pub(crate) mod trials;
