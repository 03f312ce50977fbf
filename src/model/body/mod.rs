//! Bodies: from the tree of expressions, statements, actions, attachments and tests to typed ones, and what is then found out about them.
//!
//! Read in this order: `types` (what fits where), `flow` (what is certain where), `cx` (what is known while a body is read), `expr`, `resolve`, `filters`, `folds`,
//! `calls` (expressions), `stmt`, `action`, `attach`, `decl`, `test` (what holds them), `guards` and `secrets` (what may be known), `jobs` (the order of it all).
mod action;
mod attach;
mod build;
mod calls;
pub mod codes;
mod cx;
mod decl;
mod expr;
mod filters;
mod flow;
mod folds;
mod guards;
mod index;
mod jobs;
mod near;
mod resolve;
mod secrets;
mod stmt;
mod test;
pub mod types;
pub mod walk;

pub use jobs::Jobs;
