//! Effect lowering: statements, questions, endings and steps of tests become code that changes the state.
pub mod eliminated;
pub mod endings;
pub mod history;
pub mod map_signs;
pub mod questions;
pub mod stays;
pub mod stmt;
pub mod test_steps;
