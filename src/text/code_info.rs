//! The documentation of a finding's code: the text behind `houserule explain`.
use super::Code;

/// One kind of finding, explained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeInfo {
    /// The code.
    pub code: Code,
    /// One line: what it is about.
    pub title: &'static str,
    /// What it means and what to do, in Markdown.
    pub text: &'static str,
    /// The least text that shows it; empty if no text can.
    pub wrong: &'static str,
    /// The wrong example corrected; empty if there is no single correction.
    pub right: &'static str,
}
