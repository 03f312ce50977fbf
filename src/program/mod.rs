//! The compiler: turns the checked game (`model`) and one set-up into tables and bytecode for the engine.
// The macro `by_home!` of `ir/ins_table.rs` recurses once for each instruction.
#![recursion_limit = "256"]

mod analysis;
mod codes;
pub mod dump;
mod facts;
mod fn_builder;
mod index;
pub mod ir;
mod layout;
mod lower;
pub mod passes;
pub mod setup;

pub use codes::{CODES, NOT_DRAWN, NOT_LOWERED, TOO_MANY_WORDS};
pub use facts::game_facts::Facts;
#[doc(hidden)]
pub use layout::topology::line_table;
pub use lower::{lower, lower_with};
pub use passes::{Pass, PassSet};
pub use setup::{LowerOptions, Resolved, SeededFault};
