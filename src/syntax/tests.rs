//! Every sketch of the language is read whole; shapes, recovery and bounds one by one.
use super::ast::*;
use super::*;
use crate::text::FileId;

/// Name and text of every sketch.
pub(super) fn sketches() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sketches");
    let mut all: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .map(|p| (p.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(p).unwrap()))
        .collect();
    all.sort();
    assert_eq!(all.len(), 7);
    all
}

fn read(text: &str) -> Parsed {
    let parsed = parse(FileId(0), text);
    assert_eq!(parsed.tree.write(text), text, "not lossless");
    parsed
}

fn show(text: &str, parsed: &Parsed) -> Vec<String> {
    parsed
        .findings
        .iter()
        .map(|d| {
            let line = text[..d.at.span.start as usize].matches('\n').count() + 1;
            format!("{}:{line} {:?} {}", d.code.0, &text[d.at.span.range()], d.message)
        })
        .collect()
}

/// A text that must be sound.
fn sound(text: &str) -> File {
    let parsed = read(text);
    assert_eq!(show(text, &parsed), Vec::<String>::new(), "{text}");
    parsed.ast
}

fn findings(text: &str) -> Vec<String> {
    let parsed = read(text);
    show(text, &parsed)
}

#[test]
fn sketches_are_sound() {
    for (name, text) in sketches() {
        let parsed = read(&text);
        assert_eq!(show(&text, &parsed), Vec::<String>::new(), "{name}");
        assert!(parsed.ast.items.len() > 1);
        assert!(!format!("{:?}", parsed.ast).contains("Bad"), "{name}");
    }
}
