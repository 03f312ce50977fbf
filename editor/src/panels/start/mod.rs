//! Where one begins: the games of the folder, each to be played, drawn or read with one click, and what else there is to open. Shown where no file is open.
mod data;
mod ui;

pub use data::{Data, GameEntry};
pub use ui::ui;
