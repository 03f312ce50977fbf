//! The checked game → code and tables, for one set-up.
mod analysis;
pub mod dump;
mod index;
pub mod ir;
mod layout;
mod lower;
pub mod passes;
pub mod setup;

pub use analysis::game_facts::Facts;
#[doc(hidden)]
pub use layout::topology::line_table;
pub use lower::{CODES, NOT_LOWERED, lower, lower_with};
pub use passes::{Pass, PassSet};
pub use setup::{LowerOptions, Resolved, SeededFault};
