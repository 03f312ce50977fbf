//! Search and replace in all files.
mod data;
mod ui;

pub use data::{Data, SearchHit, Task, replace_everywhere};
pub use ui::State;
