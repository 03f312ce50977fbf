//! The checked game → code and tables.
pub mod dump;
pub mod ir;
