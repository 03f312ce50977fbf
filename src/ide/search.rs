//! Searches and replaces text in many files: letter by letter, or by a regular expression whose groups can be used in the replacement.
use super::{Edit, EditSet, Location};
use regex_lite::{Regex, RegexBuilder};
use std::ops::Range;

/// What is looked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Query {
    /// The text itself, or the expression.
    pub text: String,
    /// Capital and small letters differ.
    pub case: bool,
    /// Only whole words.
    pub word: bool,
    /// The text is a regular expression: `^` and `$` are the ends of a line.
    pub pattern: bool,
}

/// A query that can be looked for.
#[derive(Clone, Debug)]
pub struct Finder<'q> {
    query: &'q Query,
    /// None: the text is looked for as it stands.
    pattern: Option<Regex>,
}

/// How much memory an expression may take: far more than anybody writes, far less than would be felt.
const LARGEST: usize = 1 << 20;

impl<'q> Finder<'q> {
    /// Reads a query.
    ///
    /// # Errors
    /// What is wrong with the expression.
    pub fn new(query: &'q Query) -> Result<Finder<'q>, String> {
        let read = || {
            let mut b = RegexBuilder::new(&query.text);
            b.multi_line(true).crlf(true).case_insensitive(!query.case).size_limit(LARGEST).build()
        };
        let pattern = query.pattern.then(read).transpose().map_err(|e| e.to_string())?;
        Ok(Finder { query, pattern })
    }

    /// Every place in a text, in order; they do not overlap.
    pub fn find(&self, text: &str) -> Vec<Range<usize>> {
        self.find_iter(text).collect()
    }

    /// Finds the places one after the other, so that the caller can stop early. With some expressions each step walks through the whole text.
    pub fn find_iter<'f>(&'f self, text: &'f str) -> Box<dyn Iterator<Item = Range<usize>> + 'f> {
        if self.query.text.is_empty() {
            return Box::new(std::iter::empty());
        }
        match &self.pattern {
            Some(p) => {
                let all = p.find_iter(text).map(|m| m.range());
                Box::new(all.filter(|r| !self.query.word || is_whole(text, r)))
            }
            None => Box::new(self.find_letters(text)),
        }
    }

    fn find_letters<'f>(&'f self, text: &'f str) -> impl Iterator<Item = Range<usize>> + 'f {
        let q = self.query;
        let first = q.text.chars().next();
        let mut at = 0;
        std::iter::from_fn(move || {
            while at < text.len() {
                let rest = text.get(at..).unwrap_or("");
                let found = if q.case {
                    rest.find(&q.text).map(|i| (i, q.text.len()))
                } else {
                    find_folded(rest, &q.text, first)
                };
                let (i, len) = found?;
                let range = at + i..at + i + len;
                if q.word && !is_whole(text, &range) {
                    at = range.start
                        + text.get(range.start..).and_then(|t| t.chars().next()).map_or(1, char::len_utf8);
                    continue;
                }
                at = range.end.max(range.start + 1);
                return Some(range);
            }
            None
        })
    }

    /// What comes in the place of what was found there: of an expression `$1`, `${name}` are its groups, and `$$` is a `$`.
    pub fn replacement_for(&self, text: &str, range: &Range<usize>, with: &str) -> String {
        let found = self.pattern.as_ref().and_then(|p| p.captures_at(text, range.start));
        match found.filter(|c| c.get(0).is_some_and(|m| m.range() == *range)) {
            Some(groups) => {
                let mut out = String::new();
                groups.expand(with, &mut out);
                out
            }
            None => with.to_string(),
        }
    }
}

/// Whether no word goes on at either end of a range.
fn is_whole(text: &str, r: &Range<usize>) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let own = text.get(r.clone()).unwrap_or("");
    let before = text.get(..r.start).and_then(|t| t.chars().next_back());
    let behind = text.get(r.end..).and_then(|t| t.chars().next());
    !(is_word(own.chars().next()) && is_word(before) || is_word(own.chars().next_back()) && is_word(behind))
}

/// Every place in a text, in order; none, if the query cannot be read.
pub fn find(q: &Query, text: &str) -> Vec<Range<usize>> {
    Finder::new(q).map(|f| f.find(text)).unwrap_or_default()
}

/// The first place where the text stands in any letters, with how many bytes it takes there.
fn find_folded(rest: &str, what: &str, first: Option<char>) -> Option<(usize, usize)> {
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
pub fn find_all<'t>(q: &Query, texts: impl IntoIterator<Item = (&'t str, &'t str)>) -> Vec<Location> {
    let place = |name: &str, r: Range<usize>| Location { file: name.into(), start: r.start, end: r.end };
    let Ok(finder) = Finder::new(q) else { return Vec::new() };
    let found = |(name, text): (&'t str, &'t str)| -> Vec<Location> {
        finder.find(text).into_iter().map(|r| place(name, r)).collect()
    };
    texts.into_iter().flat_map(found).collect()
}

/// The edits that put another text in all these places of texts, in which they were found.
pub fn replace_all<'t>(
    q: &Query,
    with: &str,
    places: &[Location],
    text: impl Fn(&str) -> Option<&'t str>,
) -> EditSet {
    let Ok(finder) = Finder::new(q) else { return EditSet::default() };
    let edit = |p: &Location| {
        let instead = finder.replacement_for(text(&p.file).unwrap_or(""), &p.range(), with);
        Edit::new(p.file.clone(), p.range(), instead)
    };
    let times = match places.len() {
        1 => String::from("once"),
        n => format!("{n} times"),
    };
    let label = format!("replace `{}` by `{with}` ({times})", q.text);
    EditSet::new(label, places.iter().map(edit).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(q: &Query, text: &str) -> Vec<String> {
        find(q, text).into_iter().map(|r| format!("{}:{}", r.start, &text[r.clone()])).collect()
    }

    fn check(what: &str, case: bool, word: bool, text: &str, want: &[&str]) {
        assert_eq!(shown(&Query { text: what.into(), case, word, pattern: false }, text), want);
    }

    fn pattern(what: &str) -> Query {
        Query { text: what.into(), case: true, word: false, pattern: true }
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
        check("a.c", true, false, "abc a.c", &["4:a.c"]);
    }

    #[test]
    fn places_are_found_by_expression() {
        assert_eq!(shown(&pattern("a.c|x+"), "abc a.c xx"), ["0:abc", "4:a.c", "8:xx"]);
        assert_eq!(shown(&pattern("^b$"), "a\nb\r\nb"), ["2:b", "5:b"]);
        assert_eq!(shown(&pattern("^"), "a\nb"), ["0:", "2:"]);
        assert_eq!(shown(&pattern(""), "abc"), [""; 0]);
        let any = Query { case: false, ..pattern("WI\\w+") };
        assert_eq!(shown(&any, "wind"), ["0:wind"]);
        let whole = Query { word: true, ..pattern("w.nd") };
        assert_eq!(shown(&whole, "wind windy wand"), ["0:wind", "11:wand"]);
    }

    #[test]
    fn an_expression_that_cannot_be_read_says_why() {
        for text in ["(", "a{2", "[z-a]", "*", "(?<n>x)(?<n>y)", "x{999}{200}"] {
            let q = pattern(text);
            assert!(Finder::new(&q).is_err_and(|why| !why.is_empty()), "{text}");
            assert_eq!(find(&q, "xyz"), []);
            assert!(replace_all(&q, "", &[], |_| None).is_empty());
        }
        // As letters it is a text like any other.
        assert_eq!(shown(&Query { pattern: false, ..pattern("(") }, "f(x)"), ["1:("]);
    }

    #[test]
    fn places_are_replaced_in_all_texts() {
        let q = Query { text: "a".into(), case: true, ..Query::default() };
        let texts = [("one", "banana"), ("two", "bn")];
        let text = |name: &str| texts.iter().find(|(n, _)| *n == name).map(|(_, t)| *t);
        let places = find_all(&q, texts);
        let set = replace_all(&q, "$1", &places, text);
        assert_eq!(set.apply_to_text("one", "banana").unwrap(), "b$1n$1n$1");
        assert_eq!(set.label, "replace `a` by `$1` (3 times)");
    }

    #[test]
    fn groups_come_in_what_is_put_instead() {
        let text = "wind: 3\nrain: 12\n";
        let check = |find: &str, with: &str, want: &str| {
            let q = pattern(find);
            let places = find_all(&q, [("t", text)]);
            assert_eq!(
                replace_all(&q, with, &places, |_| Some(text)).apply_to_text("t", text).unwrap(),
                want
            );
        };
        check(r"(\w+): (\d+)", "$2 of $1", "3 of wind\n12 of rain\n");
        check(r"(?<what>\w+): ", "${what}s = $$", "winds = $3\nrains = $12\n");
        check("^", "# ", "# wind: 3\n# rain: 12\n# ");
        check(r"\n", "", "wind: 3rain: 12");
        // What is looked around for is seen where it stands, not in the piece alone.
        check(r"\b1", "0", "wind: 3\nrain: 02\n");
    }
}
