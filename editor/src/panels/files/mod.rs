//! The list of files on the left: games, and the files of each.
mod data;
mod ui;

pub use data::{Data, FileEntry, Group};
pub use ui::State;
