//! Rewrites a declaration and keeps its comments: what is the same stays byte for byte.
use houserule_syntax::{self as syntax, Token, TokenKind};
use houserule_text::FileId;
use std::ops::Range;

/// A piece of the declaration put in place of another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// The bytes that go.
    pub range: Range<usize>,
    /// What comes.
    pub text: String,
}

/// How many words a declaration may have to be compared word by word.
const MOST: usize = 2_000;

/// A word of a declaration, or a line's end.
#[derive(Clone, PartialEq, Eq, Debug)]
struct CodeWord<'t> {
    text: &'t str,
    at: Range<usize>,
}

/// What a declaration says, without its remarks, and the remarks.
struct Read<'t> {
    words: Vec<CodeWord<'t>>,
    remarks: Vec<CodeWord<'t>>,
}

impl<'t> Read<'t> {
    fn from_text(text: &'t str) -> Read<'t> {
        let parsed = syntax::parse(FileId(0), text);
        let (mut words, mut remarks): (Vec<CodeWord<'t>>, Vec<CodeWord<'t>>) = (Vec::new(), Vec::new());
        for Token { kind, start, end, .. } in parsed.tree.tokens() {
            let at = *start as usize..*end as usize;
            let own = text.get(at.clone()).unwrap_or("");
            match kind {
                TokenKind::Blank => {}
                TokenKind::Comment | TokenKind::Doc => {
                    remarks.push(CodeWord { text: own.trim_end_matches(['\r', '\n']), at });
                }
                // A line's end and a `;` say the same, and several no more than one.
                TokenKind::Newline | TokenKind::Semicolon => {
                    if words.last().is_some_and(|w| w.text != ";" && w.text != "{") {
                        words.push(CodeWord { text: ";", at });
                    }
                }
                _ => {
                    if own == "}" && words.last().is_some_and(|w| w.text == ";") {
                        words.pop();
                    }
                    words.push(CodeWord { text: own, at });
                }
            }
        }
        while words.last().is_some_and(|w| w.text == ";") {
            words.pop();
        }
        Read { words, remarks }
    }

    fn code_words(&self) -> impl Iterator<Item = &'t str> + '_ {
        self.words.iter().map(|w| w.text)
    }

    fn remarks(&self) -> impl Iterator<Item = &'t str> + '_ {
        self.remarks.iter().map(|w| w.text)
    }

    /// The word that begins what a remark is about: its own line, else the next one; none, where it stands apart or ends a block.
    fn subject_of(&self, text: &str, remark: &CodeWord<'t>) -> Option<usize> {
        let line = text.get(..remark.at.start).and_then(|t| t.rfind('\n')).map_or(0, |n| n + 1);
        let says = |w: &&CodeWord<'_>| w.text != ";";
        let mut before = self.words.iter().filter(says).filter(|w| w.at.end <= remark.at.start);
        let own = before.find(|w| line < w.at.end);
        let next = || {
            let next = self.words.iter().filter(says).find(|w| remark.at.end <= w.at.start)?;
            let lines: Vec<&str> = text.get(remark.at.end..next.at.start)?.split('\n').collect();
            let between = lines.get(1..lines.len().saturating_sub(1)).unwrap_or(&[]);
            let apart = between.iter().any(|l| l.trim().is_empty());
            (next.text != "}" && !apart).then_some(next)
        };
        let head = own.or_else(next)?;
        self.words.iter().position(|w| w.at == head.at)
    }
}

/// The pieces that turn a declaration into another text and keep all its remarks in place; none, if a remark would be lost or would have no subject.
pub(super) fn rewrite_around_remarks(old: &str, new: &str) -> Option<Vec<Piece>> {
    let (was, is) = (Read::from_text(old), Read::from_text(new));
    // Who wrote it saw the remarks: they stand where he put them.
    if was.remarks().eq(is.remarks()) {
        return Some(vec![least_piece(old, new)]);
    }
    if !is.remarks.is_empty() || was.words.len() > MOST || is.words.len() > MOST {
        return None;
    }
    let kept = common_words(&was.words, &is.words);
    let is_kept = |word: usize| kept.binary_search_by_key(&word, |(i, _)| *i).is_ok();
    if !was.remarks.iter().filter_map(|r| was.subject_of(old, r)).all(is_kept) {
        return None;
    }
    let pieces = pieces_between(old, new, &was, &is, kept);
    let done = apply_pieces(old, &pieces)?;
    let after = Read::from_text(&done);
    (after.code_words().eq(is.code_words()) && after.remarks().eq(was.remarks())).then_some(pieces)
}

/// What differs, from the first byte to the last.
fn least_piece(old: &str, new: &str) -> Piece {
    let same = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| -> usize {
        a.zip(b).take_while(|(x, y)| x == y).map(|(x, _)| x.len_utf8()).sum()
    };
    let front = same(&mut old.chars(), &mut new.chars());
    let (a, b) = (old.get(front..).unwrap_or(""), new.get(front..).unwrap_or(""));
    let back = same(&mut a.chars().rev(), &mut b.chars().rev());
    Piece { range: front..old.len() - back, text: b.get(..b.len() - back).unwrap_or("").to_string() }
}

/// The pieces between the words that both have.
fn pieces_between(
    old: &str,
    new: &str,
    was: &Read<'_>,
    is: &Read<'_>,
    mut pairs: Vec<(usize, usize)>,
) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    let (mut i, mut k) = (0, 0);
    pairs.push((was.words.len(), is.words.len()));
    for (to_i, to_k) in pairs {
        let gone = was.words.get(i..to_i).unwrap_or(&[]);
        let come = is.words.get(k..to_k).unwrap_or(&[]);
        let between =
            |a: &CodeWord<'_>, b: &CodeWord<'_>| new.get(a.at.start..b.at.end).unwrap_or("").to_string();
        let text = come.first().zip(come.last()).map(|(a, b)| between(a, b)).unwrap_or_default();
        match gone {
            [] if !text.is_empty() => {
                // Behind the word before it, as far from it as in the new text.
                let at = i.checked_sub(1).and_then(|n| was.words.get(n)).map_or(0, |w| w.at.end);
                let from = k.checked_sub(1).and_then(|n| is.words.get(n)).map_or(0, |w| w.at.end);
                let gap = come.first().and_then(|c| new.get(from..c.at.start)).unwrap_or("");
                out.push(Piece { range: at..at, text: format!("{gap}{text}") });
            }
            [] => {}
            [first, rest @ ..] => {
                // The first word gives its place to the new ones; the others go with the blanks before them.
                let behind = |at: usize, blank: &[char]| {
                    old.get(..at).map_or(at, |before| before.trim_end_matches(blank).len())
                };
                let blanks = |at: usize| behind(at, &[' ', '\t']);
                let start = if text.is_empty() { blanks(first.at.start) } else { first.at.start };
                // Lines of which nothing is left go whole.
                let whole = text.is_empty() && old.get(..start).is_some_and(|t| t.ends_with('\n'));
                out.push(Piece { range: start..first.at.end, text });
                for w in rest {
                    let start = match old.get(w.at.clone()) {
                        Some("\n") if whole => behind(w.at.start, &[' ', '\t', '\r']),
                        Some("\n") => continue,
                        _ => blanks(w.at.start),
                    };
                    out.push(Piece { range: start..w.at.end, text: String::new() });
                }
            }
        }
        (i, k) = (to_i + 1, to_k + 1);
    }
    out
}

/// The words that both have, in their order: as many as can be.
fn common_words(a: &[CodeWord<'_>], b: &[CodeWord<'_>]) -> Vec<(usize, usize)> {
    let wide = b.len() + 1;
    let mut long = vec![0u16; (a.len() + 1) * wide];
    let at = |long: &[u16], i: usize, k: usize| long.get(i * wide + k).copied().unwrap_or(0);
    let same = |i: usize, k: usize| a.get(i).zip(b.get(k)).is_some_and(|(x, y)| x.text == y.text);
    for i in (0..a.len()).rev() {
        for k in (0..b.len()).rev() {
            let best = match same(i, k) {
                true => at(&long, i + 1, k + 1) + 1,
                false => at(&long, i + 1, k).max(at(&long, i, k + 1)),
            };
            if let Some(cell) = long.get_mut(i * wide + k) {
                *cell = best;
            }
        }
    }
    let (mut i, mut k, mut out) = (0, 0, Vec::new());
    while i < a.len() && k < b.len() {
        if same(i, k) {
            out.push((i, k));
            (i, k) = (i + 1, k + 1);
        } else if at(&long, i + 1, k) >= at(&long, i, k + 1) {
            i += 1;
        } else {
            k += 1;
        }
    }
    out
}

fn apply_pieces(old: &str, pieces: &[Piece]) -> Option<String> {
    let (mut out, mut from) = (String::new(), 0);
    for p in pieces {
        out.push_str(old.get(from..p.range.start)?);
        out.push_str(&p.text);
        from = p.range.end;
    }
    out.push_str(old.get(from..)?);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "setup { # first\n  wind = 0   # calm\n  # dry\n  rain = 1\n}";

    fn check(new: &str, want: &str) {
        let pieces = rewrite_around_remarks(OLD, new).expect("it can be written");
        assert_eq!(apply_pieces(OLD, &pieces).as_deref(), Some(want), "{pieces:?}");
    }

    #[test]
    fn remarks_stay_where_they_are() {
        check("setup { wind = 3; rain = 1 }", "setup { # first\n  wind = 3   # calm\n  # dry\n  rain = 1\n}");
        check(
            "setup {\n  wind = 0\n  rain = 2 + 1\n}",
            "setup { # first\n  wind = 0   # calm\n  # dry\n  rain = 2 + 1\n}",
        );
        check(
            "setup { wind = 0; rain = 1; sun = 2 }",
            "setup { # first\n  wind = 0   # calm\n  # dry\n  rain = 1; sun = 2\n}",
        );
    }

    #[test]
    fn who_sees_the_remarks_writes_as_he_likes() {
        let new = "setup {\n  # first\n  wind = 1\n  # calm\n  # dry\n}";
        check(new, new);
        let one = rewrite_around_remarks(OLD, &OLD.replace("= 1", "= 12")).unwrap();
        assert_eq!(one.len(), 1);
        assert_eq!((one[0].range.len(), one[0].text.as_str()), (0, "2"));
    }

    #[test]
    fn a_remark_is_never_lost_or_made() {
        assert_eq!(rewrite_around_remarks(OLD, "setup { wind = 3 # calm\n }"), None);
        assert_eq!(rewrite_around_remarks(OLD, "setup { wind = 3 # other\n }"), None);
        // What both say cannot always be kept around the remarks: `wind =` would end its line.
        assert_eq!(
            rewrite_around_remarks("setup {\n  wind = 0   # calm\n  rain = 1\n}", "setup { wind = 1 }"),
            None
        );
    }

    #[test]
    fn a_remark_is_not_left_without_what_it_is_about() {
        for new in ["setup { }", "setup { rain = 1 }", "setup { say \"x\" }", "needs count(players) == 2"] {
            assert_eq!(rewrite_around_remarks(OLD, new), None, "{new}");
        }
        // Behind its line, and in lines above it; what no remark is about goes.
        let old = "setup {\n  wind = 0\n  # dry\n  # and cold\n  rain = 1\n  sun = 2\n  # the end\n}";
        let done =
            |new: &str| rewrite_around_remarks(old, new).map(|pieces| apply_pieces(old, &pieces).unwrap());
        assert_eq!(done("setup { wind = 0; sun = 2 }"), None);
        assert_eq!(
            done("setup { rain = 3; sun = 2 }").as_deref(),
            Some("setup {\n  # dry\n  # and cold\n  rain = 3\n  sun = 2\n  # the end\n}")
        );
        assert_eq!(
            done("setup { wind = 0; rain = 1 }").as_deref(),
            Some("setup {\n  wind = 0\n  # dry\n  # and cold\n  rain = 1\n  # the end\n}")
        );
    }

    #[test]
    fn a_remark_that_stands_apart_is_about_nothing_in_particular() {
        let old = "setup {\n  # weather\n\n  wind = 0\n  rain = 1\n}";
        let pieces = rewrite_around_remarks(old, "setup { rain = 1 }").unwrap();
        assert_eq!(apply_pieces(old, &pieces).as_deref(), Some("setup {\n  # weather\n\n  rain = 1\n}"));
    }

    #[test]
    fn carriage_returns_stay() {
        let old = OLD.replace('\n', "\r\n");
        let pieces = rewrite_around_remarks(&old, "setup { wind = 3; rain = 1; sun = 2 }").unwrap();
        let want =
            "setup { # first\n  wind = 3   # calm\n  # dry\n  rain = 1; sun = 2\n}".replace('\n', "\r\n");
        assert_eq!(apply_pieces(&old, &pieces), Some(want));
        // Also where a line goes.
        let old = "setup {\r\n  wind = 0\r\n  # dry\r\n  rain = 1\r\n}";
        let pieces = rewrite_around_remarks(old, "setup { rain = 1 }").unwrap();
        assert_eq!(apply_pieces(old, &pieces).as_deref(), Some("setup {\r\n  # dry\r\n  rain = 1\r\n}"));
    }
}
