//! The room `play`: a game is loaded, set up and played; choices have words, matches a log, a time line, saves.
pub mod codes;
pub mod setup;

pub use setup::{Setup, resolve};
