//! Houserule: a language for the rules of tabletop games, and an engine that plays what is written in it.
// What the parser is made of names it so where it does without `std`.
extern crate alloc;

pub mod bots;
pub mod cli;
pub mod engine;
pub mod hooks;
pub mod ide;
pub mod lab;
pub mod model;
pub mod play;
pub mod program;
pub mod reference;
pub mod shipped;
pub mod syntax;
pub mod text;
