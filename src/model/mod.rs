//! Tree → the checked game.
pub mod body;
pub mod hir;
