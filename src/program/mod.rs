//! The checked game → code and tables, for one set-up.
mod actions;
mod ask;
mod build;
mod builtins;
mod can;
mod consts;
mod dice;
mod drawn;
pub mod dump;
mod events;
mod expr;
mod facts;
mod folds;
mod fuse;
mod history;
pub mod ir;
mod layout;
mod lift;
mod lower;
mod marks;
mod modify;
mod regs;
mod rules;
mod sets;
pub mod setup;
mod shared;
mod stmt;
mod tests_of;
mod through;
mod topology;
mod tried;
mod weave;

pub use facts::Facts;
pub use lower::{CODES, NOT_LOWERED, lower};
pub use setup::{LowerOptions, Resolved, SeededFault};
#[cfg(test)]
pub(crate) use topology::line_table;
