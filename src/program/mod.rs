//! The checked game → code and tables.
pub mod ir;
