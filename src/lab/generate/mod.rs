//! Random programs that have no errors, and the laws that are held on them. A failing program is made as small as it can be.
mod run;

pub use run::{Done, Fault, Plan, run};
