//! Search, and replace, in all files.
mod data;
mod ui;

pub use data::{Data, Found, replaced};
pub use ui::State;
