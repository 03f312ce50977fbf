//! Which forms of the grammar a text uses, and where: for tests that leave one out.
use super::grammar::{Grammar, Rule};
use pest::Parser;
use std::ops::Range;

/// Every form of a text with the form in which it stands, by their names in the grammar. Empty where the text cannot be read.
pub fn forms(text: &str) -> Vec<(String, String, Range<usize>)> {
    let Ok(pairs) = Grammar::parse(Rule::file, text) else { return Vec::new() };
    let mut out = Vec::new();
    let mut open: Vec<_> = pairs.collect();
    while let Some(pair) = open.pop() {
        let outer = format!("{:?}", pair.as_rule());
        for part in pair.into_inner() {
            let (form, span) = (format!("{:?}", part.as_rule()), part.as_span());
            if form.starts_with("bad_") || form == "stray" {
                return Vec::new();
            }
            out.push((outer.clone(), form, span.start()..span.end()));
            open.push(part);
        }
    }
    out
}
