//! Effect lowering: statements, questions and the ends of a game to code that changes the state; and the steps of tests.
pub mod eliminated;
pub mod endings;
pub mod history;
pub mod map_signs;
pub mod questions;
pub mod stmt;
pub mod test_steps;
