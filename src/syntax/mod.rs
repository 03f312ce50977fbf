//! From text to tree: the grammar, a lossless tree, a typed one, the formatter. Nothing outside this room knows how parsing is done.
pub mod ast;
mod grammar;
