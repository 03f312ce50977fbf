//! The reference evaluator: what the rules of a checked game mean, worked out straight from the typed tree and a plain state.
//!
//! It is slow and has no second way to do anything, so that it can be read beside the book (docs/book/reference) and taken for its definition. It shares nothing with the
//! lowering and the engine but the numbers by which things are known ([`numbers`], [`world`]); property tests compare the two (`lab::laws::reference`).
//!
//! | file | defines |
//! |---|---|
//! | [`value`] | what an expression can give, and how an evaluation can fail |
//! | [`numbers`] | which number each thing of a set-up has, and what is printed on it: kinds.md |
//! | [`world`] | the state of a game |
//! | [`expr`] | expressions: expressions.md |
//! | [`builtins`] | built-in values: expressions.md, maps.md, chance.md |
//! | [`geometry`] | maps: maps.md |
//! | [`attach`] | what is attached to values, rules and actions: attachments.md |
//! | [`menus`] | what a menu offers: menus.md |
//! | [`effects`] | statements: statements.md |
//! | [`moving`] | where components go, and what seats know then: statements.md, secrets.md |
//! | [`events`] | what stands round rules and actions: attachments.md |
//!
//! What it does not cover is [`value::Stop::Unsupported`], never a guess.
pub mod attach;
pub mod builtins;
pub mod effects;
pub mod events;
pub mod expr;
pub mod geometry;
pub mod menus;
pub mod moving;
pub mod numbers;
pub mod value;
pub mod world;

pub use expr::{Evaluator, Frame};
pub use numbers::Numbers;
pub use value::{Datum, Failure, Stop};
pub use world::World;
