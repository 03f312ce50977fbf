//! Tree → the checked game.
pub mod hir;
