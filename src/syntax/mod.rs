//! The parser and the formatter: from text to a lossless and a typed syntax tree, with findings. Runs before the checker; no other room knows how parsing is done.
//!
//! 1. `scan` goes over the bytes once: brackets are balanced, nesting is bounded, what cannot be read is masked.
//! 2. `grammar` (`grammar/*.pest`) matches the text; an entry that nothing matches becomes a bad piece, and its neighbours stay.
//! 3. `build` makes the typed tree ([`ast`]), `tree` the lossless one.
//! 4. `explain`  says of each bad piece how far it could be read and what was expected.
// The code that pest_derive generates names `alloc`.
extern crate alloc;

mod ahead;
pub mod ast;
mod build;
pub mod codes;
mod expected;
mod explain;
pub mod fmt;
mod grammar;
mod lex;
mod parse;
pub mod picture;
mod scan;
mod tree;
pub mod words;

pub use ahead::{Ahead, Inside, expected_behind};
pub use codes::CODES;
pub use explain::is_reserved;
pub use fmt::{format_file, format_text};
pub use parse::{LARGEST, Parsed, decode, parse, read, read_heads};
pub use scan::MOST_TOKENS;
pub use scan::is_declaration_start;
pub use tree::{Child, NodeId, NodeKind, Token, TokenKind, Tree};

#[cfg(test)]
mod tests;
