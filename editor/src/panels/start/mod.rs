//! The start page, shown where no file is open: the games of the folder, each to be played, drawn or read with one click, and recent folders.
mod data;
mod ui;

pub use data::{Data, GameEntry};
pub use ui::ui;
