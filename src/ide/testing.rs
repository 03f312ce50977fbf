//! Helpers for the tests of this room: a small game around a text with a cursor.
use super::Analysis;
use houserule_text::{File, Files};
use std::ops::Range;

/// What stands around a test's text, so that it is a game.
pub const GAME: &str = "game Tiny \"Tiny\" { players 2; outcome win }\nround once { say \"so\" }\n";

/// The text without its marks, the cursor `$0` and what stands between `«` and `»`.
pub fn split_marks(text: &str) -> (String, Option<usize>, Vec<Range<usize>>) {
    let (mut out, mut cursor, mut marks, mut open) = (String::new(), None, Vec::new(), Vec::new());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(more) = rest.strip_prefix("$0") {
            cursor = Some(out.len());
            rest = more;
            continue;
        }
        match c {
            '«' => open.push(out.len()),
            '»' => marks.push(open.pop().unwrap()..out.len()),
            c => out.push(c),
        }
        rest = &rest[c.len_utf8()..];
    }
    (out, cursor, marks)
}

/// The cursor's offset in the marked text's plain form, and the first marked range.
pub fn find_marks(text: &str) -> (usize, Option<Range<usize>>) {
    let (_, cursor, marks) = split_marks(text);
    (cursor.unwrap_or(0), marks.into_iter().next())
}

/// The text as `t.rules` beside `game.rules`, analysed, with the cursor.
pub fn analyse(text: &str) -> (Analysis, usize) {
    let (plain, cursor, _) = split_marks(text);
    (analyse_texts(&[("game.rules", GAME), ("t.rules", &plain)]), cursor.unwrap_or(0))
}

/// Texts by name, analysed.
pub fn analyse_texts(texts: &[(&str, &str)]) -> Analysis {
    let mut files = Files::new();
    for (name, text) in texts {
        files.add(File::new(*name, *text));
    }
    Analysis::from_source(&files)
}
