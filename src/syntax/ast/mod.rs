//! The typed syntax tree: what the text says, before anything is known about names.
//!
//! Everything is owned and carries its [`Span`]. Precedence is already resolved, brackets are gone (the span of a bracketed expression holds
//! its brackets), texts are cut into literals and holes. What could not be read is `Bad`: its finding has been reported by the parser, so
//! whoever walks the tree passes it over in silence. The depth of any tree is bounded by the parser.
mod expr;
mod items;
mod kinds;
mod rules;
mod stmt;

pub use expr::*;
pub use items::*;
pub use kinds::*;
pub use rules::*;
pub use stmt::*;

use houserule_text::Span;

/// A word of the text: a name, a kind's name, a sign.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Name {
    /// As written.
    pub text: String,
    /// Where.
    pub span: Span,
}

impl Name {
    /// Whether it is written as a kind: with a capital first letter.
    pub fn is_kind(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_uppercase())
    }
}

/// A whole number as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Int {
    /// Its value; a number too large has been reported and is `i64::MAX` here.
    pub value: i64,
    /// Where.
    pub span: Span,
}

/// A text in quotes, cut into what stands there and what is filled in.
#[derive(Clone, PartialEq, Debug)]
pub struct Text {
    /// In order; adjacent literals are joined.
    pub parts: Vec<TextPart>,
    /// With its quotes.
    pub span: Span,
}

impl Text {
    /// The text if it has no holes.
    pub fn literal(&self) -> Option<String> {
        let mut all = String::new();
        for part in &self.parts {
            match part {
                TextPart::Literal(text, _) => all.push_str(text),
                TextPart::Hole(_) => return None,
            }
        }
        Some(all)
    }
}

/// A part of a text.
#[derive(Clone, PartialEq, Debug)]
pub enum TextPart {
    /// Characters, escapes resolved.
    Literal(String, Span),
    /// `{expression}`.
    Hole(Expr),
}

/// A `##` comment: the lines without their signs, joined by line ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doc {
    /// What it says.
    pub text: String,
    /// From the first sign to the end of the last line.
    pub span: Span,
}
