//! Houserule: a language for the rules of tabletop games, and an engine that plays what is written in it.
pub mod bots;
pub mod cli;
pub mod engine;
pub mod hooks;
pub mod lab;
pub mod model;
pub mod play;
pub mod program;
pub mod syntax;
pub mod text;
