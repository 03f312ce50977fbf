//! The interpreter: one loop over instructions.
pub(crate) mod ask_fast;
pub(crate) mod ask_inline;
pub(crate) mod effects;
pub(crate) mod layers;
pub(crate) mod lines;
pub(crate) mod list_ops;
pub(crate) mod rare;
pub(crate) mod run_loop;
pub(crate) mod set_ops;
