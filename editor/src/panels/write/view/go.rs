//! Moves the caret, and finds the word and the brackets at it.
use super::{TextView, is_word};
use houserule::ide::Class;
use std::ops::Range;

/// The bytes of the last thing that a caret goes past: a character, or the two of a line's end.
fn last_step(text: &str) -> usize {
    if text.ends_with("\r\n") { 2 } else { text.chars().next_back().map_or(0, char::len_utf8) }
}

/// The bytes of the first such thing.
fn first_step(text: &str) -> usize {
    if text.starts_with("\r\n") { 2 } else { text.chars().next().map_or(0, char::len_utf8) }
}

/// Where a caret goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Go {
    /// One character to the left.
    Left,
    /// One to the right.
    Right,
    /// To the word on the left.
    WordLeft,
    /// To the end of the word on the right.
    WordRight,
    /// So many lines down; up if it is less than nothing.
    Lines(isize),
    /// To the line's first word, or its beginning.
    Home,
    /// To the line's end.
    End,
    /// To the beginning.
    Top,
    /// To the end.
    Bottom,
}

/// So many bytes away it does not matter where a bracket has its other half.
const FAR: usize = 20_000;

impl TextView {
    /// Moves the caret; with `keep` the selection grows.
    pub fn move_caret(&mut self, go: Go, keep: bool) {
        let selected = self.selection();
        let to = match go {
            Go::Left if !keep && !selected.is_empty() => selected.start,
            Go::Right if !keep && !selected.is_empty() => selected.end,
            go => self.target_of(go),
        };
        if !matches!(go, Go::Lines(_)) {
            self.goal = None;
        }
        self.caret = to;
        if !keep {
            self.anchor = to;
        }
        self.reveal_caret();
    }

    pub(super) fn target_of(&mut self, go: Go) -> usize {
        let at = self.caret;
        let (left, right) = (self.text.get(..at).unwrap_or(""), self.text.get(at..).unwrap_or(""));
        match go {
            Go::Left => at - last_step(left),
            Go::Right => at + first_step(right),
            Go::WordLeft => {
                let rest = left.trim_end_matches([' ', '\t']);
                let word = rest.trim_end_matches(is_word);
                let signs = || rest.trim_end_matches(|c: char| !is_word(c) && !c.is_whitespace());
                if word.len() < rest.len() {
                    word.len()
                } else if signs().len() < rest.len() {
                    signs().len()
                } else {
                    rest.len() - last_step(rest)
                }
            }
            Go::WordRight => {
                let rest = right.trim_start_matches([' ', '\t']);
                let word = rest.trim_start_matches(is_word);
                let signs = || rest.trim_start_matches(|c: char| !is_word(c) && !c.is_whitespace());
                let to = if word.len() < rest.len() {
                    word
                } else if signs().len() < rest.len() {
                    signs()
                } else {
                    rest.get(first_step(rest)..).unwrap_or("")
                };
                self.text.len() - to.len()
            }
            Go::Lines(n) => {
                let line = self.line_of(at);
                let start = self.line(line).start;
                let column =
                    self.goal.unwrap_or_else(|| self.text.get(start..at).unwrap_or("").chars().count());
                self.goal = Some(column);
                let row = self.row_of(line).saturating_add_signed(n);
                if n < 0 && self.row_of(line) < n.unsigned_abs() {
                    return if self.row_of(line) == 0 {
                        0
                    } else {
                        self.offset_of_column(self.rows.first().copied().unwrap_or(0), column)
                    };
                }
                match self.rows.get(row) {
                    Some(to) => self.offset_of_column(*to, column),
                    None if self.row_of(line) + 1 == self.rows.len() => self.text.len(),
                    None => self.offset_of_column(self.rows.last().copied().unwrap_or(0), column),
                }
            }
            Go::Home => {
                let line = self.line(self.line_of(at));
                let text = self.text.get(line.clone()).unwrap_or("");
                let first = line.start + (text.len() - text.trim_start().len());
                if at == first { line.start } else { first }
            }
            Go::End => self.line(self.line_of(at)).end,
            Go::Top => 0,
            Go::Bottom => self.text.len(),
        }
    }

    /// The byte of a line's character, or the line's end.
    pub fn offset_of_column(&self, line: usize, column: usize) -> usize {
        let range = self.line(line);
        let text = self.text.get(range.clone()).unwrap_or("");
        range.start + text.char_indices().nth(column).map_or(text.len(), |(i, _)| i)
    }

    /// The word at an offset, or what stands there instead.
    pub fn word_at(&self, offset: usize) -> Range<usize> {
        let at = self.char_floor(offset);
        let (left, right) = (self.text.get(..at).unwrap_or(""), self.text.get(at..).unwrap_or(""));
        let start = left.trim_end_matches(is_word).len();
        let end = self.text.len() - right.trim_start_matches(is_word).len();
        if start < end { start..end } else { at..at + right.chars().next().map_or(0, char::len_utf8) }
    }

    /// Whether a bracket there is one of the rules, not of a text, a remark or a drawn map.
    fn is_code_at(&self, offset: usize) -> bool {
        !matches!(self.class_at(offset), Some(Class::Text | Class::Comment | Class::Doc | Class::Sign))
    }

    /// The brace before an offset that is open there.
    pub fn opening_before(&self, offset: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut closed = 0u32;
        (offset.saturating_sub(FAR)..offset.min(bytes.len())).rev().find(|i| {
            match bytes.get(*i) {
                Some(b'}') if self.is_code_at(*i) => closed += 1,
                Some(b'{') if self.is_code_at(*i) && closed == 0 => return true,
                Some(b'{') if self.is_code_at(*i) => closed -= 1,
                _ => {}
            }
            false
        })
    }

    /// The brackets that belong together at the caret: the one before or behind it, and its other half.
    pub fn matching_brackets(&self) -> Option<(usize, usize)> {
        let bytes = self.text.as_bytes();
        let here = [self.caret, self.caret.wrapping_sub(1)];
        let at = here.into_iter().find(|i| {
            bytes.get(*i).is_some_and(|b| b"{}()[]".contains(b)) && self.class_at(*i) != Some(Class::Text)
        })?;
        let own = bytes[at];
        let (open, close) = match own {
            b'{' | b'}' => (b'{', b'}'),
            b'(' | b')' => (b'(', b')'),
            _ => (b'[', b']'),
        };
        let mut depth = 0i32;
        let mut walk: Box<dyn Iterator<Item = usize>> = if own == open {
            Box::new(at..bytes.len().min(at + FAR))
        } else {
            Box::new((at.saturating_sub(FAR)..=at).rev())
        };
        walk.find(|i| {
            let b = bytes[*i];
            if (b == open || b == close) && self.is_code_at(*i) {
                depth += if b == own { 1 } else { -1 };
            }
            depth == 0
        })
        .map(|other| (at, other))
    }
}
