//! Finding and replacing text in many files.
use super::{Edit, EditSet, Place};
use std::ops::Range;

/// What is looked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Query {
    /// The text itself.
    pub text: String,
    /// Capital and small letters differ.
    pub case: bool,
    /// Only whole words.
    pub word: bool,
}

/// Every place in a text, in order; they do not overlap.
pub fn find(q: &Query, text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    if q.text.is_empty() {
        return out;
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let first = q.text.chars().next();
    let mut at = 0;
    while at < text.len() {
        let rest = text.get(at..).unwrap_or("");
        let found =
            if q.case { rest.find(&q.text).map(|i| (i, q.text.len())) } else { folded(rest, &q.text, first) };
        let Some((i, len)) = found else { break };
        let (start, end) = (at + i, at + i + len);
        let before = text.get(..start).and_then(|t| t.chars().next_back());
        let behind = text.get(end..).and_then(|t| t.chars().next());
        let inside =
            |own: Option<char>, other: Option<char>| own.is_some_and(is_word) && other.is_some_and(is_word);
        if q.word && (inside(first, before) || inside(q.text.chars().next_back(), behind)) {
            at = start + text.get(start..).and_then(|t| t.chars().next()).map_or(1, char::len_utf8);
            continue;
        }
        out.push(start..end);
        at = end.max(start + 1);
    }
    out
}

/// The first place where the text stands in any letters, with how many bytes it takes there.
fn folded(rest: &str, what: &str, first: Option<char>) -> Option<(usize, usize)> {
    let same = |a: char, b: char| a == b || a.to_lowercase().eq(b.to_lowercase());
    for (i, c) in rest.char_indices() {
        if !first.is_some_and(|f| same(f, c)) {
            continue;
        }
        let mut own = rest.get(i..).unwrap_or("").chars();
        if what.chars().all(|w| own.next().is_some_and(|o| same(o, w))) {
            return Some((i, rest.len() - i - own.as_str().len()));
        }
    }
    None
}

/// Every place in texts, by name.
pub fn find_all<'t>(q: &Query, texts: impl IntoIterator<Item = (&'t str, &'t str)>) -> Vec<Place> {
    let place = |name: &str, r: Range<usize>| Place { file: name.into(), start: r.start, end: r.end };
    texts
        .into_iter()
        .flat_map(|(name, text)| find(q, text).into_iter().map(move |r| place(name, r)))
        .collect()
}

/// The edits that put another text in all these places.
pub fn replace_all(q: &Query, with: &str, places: &[Place]) -> EditSet {
    let edits = places.iter().map(|p| Edit::new(p.file.clone(), p.range(), with)).collect();
    let label = format!("replace `{}` by `{with}` ({} times)", q.text, places.len());
    EditSet::new(label, edits).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(what: &str, case: bool, word: bool, text: &str, want: &[&str]) {
        let q = Query { text: what.into(), case, word };
        let found: Vec<String> =
            find(&q, text).into_iter().map(|r| format!("{}:{}", r.start, &text[r.clone()])).collect();
        assert_eq!(found, want);
    }

    #[test]
    fn places_are_found() {
        check("wind", true, false, "wind Wind windy", &["0:wind", "10:wind"]);
        check("wind", false, false, "wind Wind windy", &["0:wind", "5:Wind", "10:wind"]);
        check("wind", true, true, "wind windy my_wind .wind", &["0:wind", "20:wind"]);
        check("aa", true, false, "aaaa", &["0:aa", "2:aa"]);
        check("Ä", false, false, "xäÄ", &["1:ä", "3:Ä"]);
        check("", true, false, "abc", &[]);
        check("a", true, true, "aaa", &[]);
    }

    #[test]
    fn places_are_replaced_in_all_texts() {
        let q = Query { text: "a".into(), case: true, word: false };
        let texts = [("one", "banana"), ("two", "bn")];
        let places = find_all(&q, texts);
        let set = replace_all(&q, "o", &places);
        assert_eq!(set.applied("one", "banana").unwrap(), "bonono");
        assert_eq!(set.label, "replace `a` by `o` (3 times)");
    }
}
