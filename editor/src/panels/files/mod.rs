//! The list on the left: games, and the files that make each.
mod data;
mod ui;

pub use data::{Data, FileEntry, Group};
pub use ui::State;
