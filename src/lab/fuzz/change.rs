//! The mutations of the fuzzer: one change of a text by chance (a byte, a word, a line, a number, a piece of another text, a piece repeated).
use std::ops::Range;

/// Signs and words that are put in: what begins and ends things, and what no text should hold.
const SIGNS: &[&str] = &[
    "{", "}", "(", ")", "[", "]", "\"", "\"\"\"", "\\", ":", ",", ";", ".", "..", "=", "==", "+", "-", "*",
    "/", "#", "##", "\n", "\t", "\r\n", "\0", "\u{1b}", "\u{feff}", "é", "♞", "none", "not ", "if ", "else ",
    "some ", "where ", "it", "me", "is none", "set of ", "?",
];

/// Numbers at edges.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "63",
    "64",
    "65",
    "255",
    "256",
    "1000",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "9223372036854775807",
    "9223372036854775808",
    "99999999999999999999",
];

/// The text with one change; `draw` gives one of `0..n`.
pub fn change_text(text: &str, other: &str, draw: &mut dyn FnMut(usize) -> usize) -> String {
    match draw(10) {
        0 => {
            let at = char_boundary(text, draw(text.len() + 1));
            let sign = SIGNS.get(draw(SIGNS.len())).copied().unwrap_or("");
            replace(text, at..at, sign)
        }
        1 => {
            let from = char_boundary(text, draw(text.len() + 1));
            let to = char_boundary(text, (from + 1 + draw(8)).min(text.len()));
            replace(text, from..to.max(from), "")
        }
        2 => with_piece(text, &word_ranges(text), draw, |_, _| String::new()),
        3 => {
            let all = word_ranges(text);
            let word = pick_piece(text, &all, draw);
            with_piece(text, &all, draw, |_, _| word.clone())
        }
        4 => {
            let theirs = word_ranges(other);
            let word = pick_piece(other, &theirs, draw);
            with_piece(text, &word_ranges(text), draw, |_, _| word.clone())
        }
        5 => {
            let numbers: Vec<Range<usize>> =
                word_ranges(text).into_iter().filter(|w| is_number(text, w)).collect();
            with_piece(text, &numbers, draw, |_, n| {
                NUMBERS.get(n % NUMBERS.len()).copied().unwrap_or("0").to_string()
            })
        }
        6 => with_piece(text, &line_ranges(text), draw, |_, _| String::new()),
        7 => {
            let all = line_ranges(text);
            let line = pick_piece(text, &all, draw);
            with_piece(text, &all, draw, |own, _| format!("{own}{line}"))
        }
        8 => {
            let theirs = line_ranges(other);
            let line = pick_piece(other, &theirs, draw);
            with_piece(text, &line_ranges(text), draw, |own, _| format!("{own}{line}"))
        }
        _ => {
            let pieces = if draw(2) == 0 { word_ranges(text) } else { line_ranges(text) };
            with_piece(text, &pieces, draw, |own, n| own.repeat(2 + n % 300))
        }
    }
}

/// The text with one of its pieces changed; the change is given a number to choose by.
fn with_piece(
    text: &str,
    pieces: &[Range<usize>],
    draw: &mut dyn FnMut(usize) -> usize,
    change: impl FnOnce(&str, usize) -> String,
) -> String {
    let Some(piece) = pieces.get(draw(pieces.len())).cloned() else { return text.to_string() };
    let new = change(text.get(piece.clone()).unwrap_or(""), draw(1 << 16));
    replace(text, piece, &new)
}

fn pick_piece(text: &str, pieces: &[Range<usize>], draw: &mut dyn FnMut(usize) -> usize) -> String {
    pieces.get(draw(pieces.len())).and_then(|p| text.get(p.clone())).unwrap_or("").to_string()
}

fn replace(text: &str, at: Range<usize>, new: &str) -> String {
    let (before, behind) = (text.get(..at.start).unwrap_or(text), text.get(at.end..).unwrap_or(""));
    format!("{before}{new}{behind}")
}

fn char_boundary(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}

fn is_number(text: &str, word: &Range<usize>) -> bool {
    text.get(word.clone()).is_some_and(|w| w.bytes().all(|b| b.is_ascii_digit()))
}

/// Words, numbers, and signs one by one; no blanks.
fn word_ranges(text: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut open = false;
    for (i, c) in text.char_indices() {
        let in_word = c.is_alphanumeric() || c == '_';
        match out.last_mut() {
            Some(last) if in_word && open => last.end = i + c.len_utf8(),
            _ if c.is_whitespace() => {}
            _ => out.push(i..i + c.len_utf8()),
        }
        open = in_word;
    }
    out
}

fn line_ranges(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    text.split_inclusive('\n')
        .map(|l| {
            at += l.len();
            at - l.len()..at
        })
        .collect()
}
