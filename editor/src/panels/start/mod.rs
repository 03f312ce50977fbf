//! The start page, shown where no file is open: recent work, and the games of the folder, each with its picture, to be played, drawn or read with one click.
mod data;
mod picture;
mod pictures;
mod ui;

pub use data::{Data, GameEntry, RecentFile};
pub use picture::Picture;
pub use ui::State;
