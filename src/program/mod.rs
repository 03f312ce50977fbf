//! The checked game → code and tables.
pub mod dump;
pub mod ir;
pub mod setup;

pub use setup::{LowerOptions, Resolved, SeededFault};
