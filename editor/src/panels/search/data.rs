//! What is found in all files.
use crate::document::{Document, Place};
use houserule::ide::{EditSet, Query, find, replace_all};

/// One place where a text is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Where.
    pub place: Place,
    /// Its line, from 1.
    pub line: usize,
    /// The line's text, without its indent; long lines are cut around it.
    pub text: String,
}

/// Everything that was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Data {
    /// By file and place.
    pub found: Vec<Found>,
    /// Whether there is more than is listed.
    pub more: bool,
}

/// How many places are listed.
const MOST: usize = 1_000;

/// How many characters of a line are shown before and behind what was found.
const AROUND: usize = 60;

impl Data {
    /// Where a text is in all files.
    pub fn of(document: &Document, wanted: &Query) -> Data {
        let mut out = Data::default();
        for (name, text) in document.texts() {
            let (mut line, mut from) = (1, 0);
            for range in find(wanted, text) {
                if out.found.len() == MOST {
                    out.more = true;
                    return out;
                }
                line += text.get(from..range.start).unwrap_or("").matches('\n').count();
                from = range.start;
                out.found.push(Found {
                    line,
                    text: around(text, range.start, range.len()),
                    place: Place::new(name.clone(), range),
                });
            }
        }
        out
    }
}

fn around(text: &str, at: usize, long: usize) -> String {
    let before = text.get(..at).unwrap_or("");
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    let behind = text.get(at + long..).unwrap_or("");
    let end = at + long + behind.find('\n').unwrap_or(behind.len());
    let left = before.get(start..).unwrap_or("").trim_start();
    let skipped = left.chars().count().saturating_sub(AROUND);
    let mut out: String = if skipped > 0 { "…".into() } else { String::new() };
    out.extend(left.chars().skip(skipped));
    let rest = text.get(at..end).unwrap_or("").trim_end();
    let most = long + AROUND;
    out.extend(rest.chars().take(most));
    if rest.chars().count() > most {
        out.push('…');
    }
    out
}

/// The edit that puts a text in place of everything that was found.
pub fn replaced(found: &[Found], wanted: &Query, with: &str) -> EditSet {
    let place = |f: &Found| houserule::ide::Place {
        file: f.place.file.clone(),
        start: f.place.range.start,
        end: f.place.range.end,
    };
    let places: Vec<_> = found.iter().map(place).collect();
    replace_all(wanted, with, &places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_are_searched() {
        let long = format!("{}needle{}\n", "a".repeat(100), "b".repeat(100));
        let d = Document::new([
            ("a".into(), "one\n  A Needle here\nneedleneedle".to_string()),
            ("b".into(), long),
        ]);
        let told = |d: &Data| -> Vec<String> {
            d.found.iter().map(|f| format!("{}:{} {:?}", f.place.file, f.line, f.text)).collect()
        };
        let query = |text: &str, case, word| Query { text: text.into(), case, word };
        let all = Data::of(&d, &query("needle", false, false));
        let cut = format!("b:1 \"…{}needle{}…\"", "a".repeat(60), "b".repeat(60));
        assert_eq!(
            told(&all),
            ["a:2 \"A Needle here\"", "a:3 \"needleneedle\"", "a:3 \"needleneedle\"", &cut]
        );
        assert_eq!(Data::of(&d, &query("needle", true, false)).found.len(), 3);
        assert!(Data::of(&d, &query("", false, false)).found.is_empty());
        assert_eq!(Data::of(&d, &query("needle", false, true)).found.len(), 1);
        let mut d = d;
        d.apply(replaced(&all.found, &query("needle", false, false), "pin")).unwrap();
        assert_eq!(d.text("a"), Some("one\n  A pin here\npinpin"));
        assert_eq!(d.history().done[0].said(), "replace `needle` by `pin` (4 times) (a:2)");
    }
}
