//! Search, and replace, in all files.
mod data;
mod ui;

pub use data::{Data, Found, Task, replaced};
pub use ui::State;
