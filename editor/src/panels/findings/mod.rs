//! The list of all that is wrong, or probably not meant, in the game of the open file.
mod data;
mod ui;

pub use data::{Data, Finding, counts_text};
pub use ui::ui;
