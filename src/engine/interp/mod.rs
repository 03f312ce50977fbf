//! Layer of the engine that interprets the bytecode: one loop, and the files with the instructions that it calls.
pub(crate) mod ask_fast;
pub(crate) mod ask_inline;
pub(crate) mod cached;
pub(crate) mod effects;
pub(crate) mod layers;
pub(crate) mod lines;
pub(crate) mod list_ops;
pub(crate) mod planes;
pub(crate) mod rare;
pub(crate) mod run_loop;
pub(crate) mod set_ops;
pub(crate) mod subset_ops;
pub(crate) mod turns;
pub(crate) mod word_sets;
