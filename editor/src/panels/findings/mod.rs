//! The list of findings of the game of the open file.
mod data;
mod ui;

pub use data::{Data, Finding, counts_text};
pub use ui::ui;
