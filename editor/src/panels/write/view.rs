//! The view of one open text: caret and selection, folds, colours, marks. It uses no window.
//!
//! A key changes the view's own text at once and notes what changed; the pane hands that to the document as one edit a frame. Whatever else changes the document's text
//! is taken in by comparing: caret, colours, marks and folds move with it.
mod go;
mod write;

pub use go::Go;

use houserule::ide::{self, Analysis, Class, Highlight};
use houserule::text::Severity;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// A finding, where it is in the present text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FindingMark {
    /// Its bytes.
    pub range: Range<usize>,
    /// Error or warning.
    pub severity: Severity,
    /// Its code and what is wrong.
    pub message: String,
    /// What to do, if that is known.
    pub help: Option<String>,
}

/// A piece of the text put in place of another, in the text as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextChange {
    /// The bytes that went.
    pub range: Range<usize>,
    /// What came.
    pub text: String,
    /// Whether it was typed, key by key.
    pub typed: bool,
}

/// One open text.
#[derive(Clone, Debug, Default)]
pub struct TextView {
    /// The file.
    pub file: Arc<str>,
    text: String,
    /// Where lines begin.
    starts: Vec<usize>,
    /// Lines that are shown: those that no fold hides.
    rows: Vec<usize>,
    /// Characters of the longest line.
    widest: usize,
    /// Where one writes.
    pub caret: usize,
    /// The other end of the selection.
    pub anchor: usize,
    goal: Option<usize>,
    /// What each word is.
    pub colours: Vec<Highlight>,
    /// Findings.
    pub marks: Vec<FindingMark>,
    /// First bytes of the first and the last line of each fold.
    folds: Vec<(usize, usize)>,
    folded: BTreeSet<usize>,
    change: Option<TextChange>,
    /// Grows with each change of the text.
    pub version: u64,
    analysed: bool,
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl TextView {
    /// A text, looked at from its beginning.
    pub fn new(file: Arc<str>, text: &str) -> TextView {
        let mut v = TextView { file, text: text.to_string(), ..TextView::default() };
        v.lay_out();
        v
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many lines there are.
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// Lines that are shown, from the top.
    pub fn visible_lines(&self) -> &[usize] {
        &self.rows
    }

    /// Characters of the longest line.
    pub fn widest(&self) -> usize {
        self.widest
    }

    /// The bytes of a line, without its end.
    pub fn line(&self, n: usize) -> Range<usize> {
        let start = self.starts.get(n).copied().unwrap_or(self.text.len());
        let mut end = self.starts.get(n + 1).map_or(self.text.len(), |e| e.saturating_sub(1));
        if self.text.get(start..end).is_some_and(|l| l.ends_with('\r')) {
            end -= 1;
        }
        start..end.max(start)
    }

    /// What stands in a line.
    pub fn line_text(&self, n: usize) -> &str {
        self.text.get(self.line(n)).unwrap_or("")
    }

    /// The line that holds a byte.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|s| *s <= offset).saturating_sub(1)
    }

    /// The row in which a line is shown; of a hidden one that of the line that hides it.
    pub fn row_of(&self, line: usize) -> usize {
        self.rows.partition_point(|r| *r <= line).saturating_sub(1)
    }

    /// The selection's bytes.
    pub fn selection(&self) -> Range<usize> {
        self.caret.min(self.anchor)..self.caret.max(self.anchor)
    }

    /// What is selected.
    pub fn selected_text(&self) -> &str {
        self.text.get(self.selection()).unwrap_or("")
    }

    /// Selects a range, as far as the text has it, and shows its lines.
    pub fn select_range(&mut self, range: Range<usize>) {
        self.anchor = self.char_floor(range.start);
        self.caret = self.char_floor(range.end);
        self.goal = None;
        self.reveal_caret();
    }

    fn char_floor(&self, mut at: usize) -> usize {
        at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// Opens the folds that hide the caret.
    fn reveal_caret(&mut self) {
        let line = self.line_of(self.caret);
        let hides = |v: &TextView, first: usize| {
            v.fold_at(v.line_of(first)).is_some_and(|(a, b)| a < line && line <= b)
        };
        let open: Vec<usize> = self.folded.iter().copied().filter(|f| hides(self, *f)).collect();
        if !open.is_empty() {
            self.folded.retain(|f| !open.contains(f));
            self.show_rows();
        }
    }

    // ── Texts that change ────────────────────────────────────────────────────────────────────────────────────

    /// Takes in what the document's text is now.
    pub fn follow_text(&mut self, now: &str) {
        if self.text == now {
            return;
        }
        let same = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| -> usize {
            a.zip(b).take_while(|(x, y)| x == y).map(|(x, _)| x.len_utf8()).sum()
        };
        let front = same(&mut self.text.chars(), &mut now.chars());
        let (a, b) = (self.text.get(front..).unwrap_or(""), now.get(front..).unwrap_or(""));
        let back = same(&mut a.chars().rev(), &mut b.chars().rev());
        let range = front..self.text.len() - back;
        let text = b.get(..b.len() - back).unwrap_or("").to_string();
        let (caret, anchor) =
            (move_offset(self.caret, &range, text.len()), move_offset(self.anchor, &range, text.len()));
        self.splice(range, &text);
        (self.caret, self.anchor) = (self.char_floor(caret), self.char_floor(anchor));
        self.change = None;
    }

    fn splice(&mut self, range: Range<usize>, text: &str) {
        let came = text.len();
        self.text.replace_range(range.clone(), text);
        let behind = self.colours.partition_point(|h| h.range.end <= range.start);
        for h in self.colours.iter_mut().skip(behind) {
            h.range = move_offset(h.range.start, &range, came)..move_offset(h.range.end, &range, came);
        }
        // A letter that is typed at a word's end is the word's.
        if range.is_empty()
            && text.chars().all(is_word)
            && self.text.get(..range.start).is_some_and(|t| t.ends_with(is_word))
            && let Some(h) = behind.checked_sub(1).and_then(|i| self.colours.get_mut(i))
            && h.range.end == range.start
        {
            h.range.end += came;
        }
        for m in &mut self.marks {
            m.range = move_offset(m.range.start, &range, came)..move_offset(m.range.end, &range, came);
        }
        for f in &mut self.folds {
            *f = (move_offset(f.0, &range, came), move_offset(f.1, &range, came));
        }
        self.folded = self.folded.iter().map(|f| move_offset(*f, &range, came)).collect();
        self.version += 1;
        self.analysed = false;
        self.lay_out();
    }

    fn lay_out(&mut self) {
        self.starts.clear();
        self.starts.push(0);
        self.starts.extend(self.text.match_indices('\n').map(|(i, _)| i + 1));
        self.widest = self
            .starts
            .windows(2)
            .map(|w| w[1] - w[0])
            .max()
            .unwrap_or(0)
            .max(self.line(self.line_count() - 1).len());
        self.show_rows();
    }

    /// Takes what is known, if it is of this very text; says whether it was.
    pub fn take_analysis(&mut self, a: &Analysis) -> bool {
        if self.analysed {
            return true;
        }
        let Some((id, f)) = a.file(&self.file) else { return false };
        if f.text != self.text {
            return false;
        }
        self.colours = ide::highlight(a, id);
        self.marks = a
            .findings(id)
            .map(|d| FindingMark {
                range: d.at.span.range(),
                severity: d.severity,
                message: format!("{} {}", d.code.0, d.message),
                help: d.help.clone(),
            })
            .collect();
        let start = |v: &TextView, line: usize| v.starts.get(line).copied().unwrap_or(v.text.len());
        self.folds =
            ide::find_folds(a, id).iter().map(|f| (start(self, f.first), start(self, f.last))).collect();
        self.analysed = true;
        self.show_rows();
        true
    }

    /// Forgets of which analysis it is, because another has come.
    pub fn forget_analysis(&mut self) {
        self.analysed = false;
    }

    /// Colours a text that belongs to no game.
    pub fn colour_alone(&mut self) {
        if !self.analysed {
            self.colours = ide::highlight_text(&self.text);
            self.marks.clear();
            self.analysed = true;
        }
    }

    /// The colours that touch a range.
    pub fn colours_in(&self, range: &Range<usize>) -> &[Highlight] {
        let from = self.colours.partition_point(|h| h.range.end <= range.start);
        let to = self.colours.partition_point(|h| h.range.start < range.end);
        self.colours.get(from..to.max(from)).unwrap_or(&[])
    }

    /// What the word at an offset is.
    pub fn class_at(&self, offset: usize) -> Option<Class> {
        self.colours_in(&(offset..offset + 1)).first().map(|h| h.class)
    }

    // ── Folds ────────────────────────────────────────────────────────────────────────────────────────────────

    /// The lines of the fold that begins in a line.
    pub fn fold_at(&self, line: usize) -> Option<(usize, usize)> {
        let at = self.line(line);
        let found = self.folds.get(self.folds.partition_point(|(a, _)| *a < at.start))?;
        if found.0 > at.end {
            return None;
        }
        let last = self.line_of(found.1);
        (last > line).then_some((line, last))
    }

    /// Whether the fold that begins in a line is closed.
    pub fn is_folded(&self, line: usize) -> bool {
        self.starts.get(line).is_some_and(|s| self.folded.contains(s)) && self.fold_at(line).is_some()
    }

    /// Closes or opens the fold that begins in a line, or the one around it.
    pub fn toggle_fold(&mut self, line: usize) {
        let begins = |v: &TextView| {
            let folds = v.folds.iter().map(|(a, b)| (v.line_of(*a), v.line_of(*b)));
            folds.filter(|(a, b)| *a <= line && line <= *b).max_by_key(|(a, _)| *a).map(|(a, _)| a)
        };
        let Some(first) = self.fold_at(line).map(|(a, _)| a).or_else(|| begins(self)) else { return };
        let Some(at) = self.starts.get(first).copied() else { return };
        if !self.folded.remove(&at) {
            self.folded.insert(at);
            if self.line_of(self.caret) > first
                && self.fold_at(first).is_some_and(|(_, b)| self.line_of(self.caret) <= b)
            {
                self.caret = at;
                self.anchor = at;
            }
        }
        self.show_rows();
    }

    /// Closes all folds, or opens all if any is closed.
    pub fn toggle_all(&mut self) {
        if self.folded.is_empty() {
            self.folded = self.folds.iter().map(|(a, _)| *a).collect();
            let line = self.rows.get(self.row_of(self.line_of(self.caret))).copied().unwrap_or(0);
            self.show_rows();
            let line = self.rows.get(self.row_of(line)).copied().unwrap_or(0);
            self.caret = self.line(line).start;
            self.anchor = self.caret;
        } else {
            self.folded.clear();
            self.show_rows();
        }
    }

    fn show_rows(&mut self) {
        self.rows.clear();
        if self.folded.is_empty() {
            self.rows.extend(0..self.starts.len());
            return;
        }
        let mut line = 0;
        while line < self.starts.len() {
            self.rows.push(line);
            line = match self.is_folded(line).then(|| self.fold_at(line)).flatten() {
                Some((_, last)) => last + 1,
                None => line + 1,
            };
        }
    }
}

/// Where a byte is when a range has become so many bytes.
fn move_offset(at: usize, range: &Range<usize>, came: usize) -> usize {
    if at >= range.end {
        at - range.len() + came
    } else if at > range.start {
        at.min(range.start + came)
    } else {
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(text: &str) -> TextView {
        let at = text.find('|').unwrap();
        let mut v = TextView::new("t".into(), &text.replace('|', ""));
        v.select_range(at..at);
        v
    }

    fn shown(v: &TextView) -> String {
        let mut out = v.text().to_string();
        out.insert(v.caret, '|');
        out
    }

    fn check(text: &str, f: impl Fn(&mut TextView), want: &str) {
        let mut v = view(text);
        let before = v.text().to_string();
        f(&mut v);
        assert_eq!(shown(&v), want);
        // What is handed to the document makes the same text.
        let mut t = before;
        if let Some(c) = v.take_change() {
            t.replace_range(c.range, &c.text);
        }
        assert_eq!(t, v.text());
    }

    #[test]
    fn keys_write() {
        check("a|b", |v| v.insert_text("x", true), "ax|b");
        check("{|}", TextView::break_line, "{\n  |\n}");
        check("  go|", TextView::break_line, "  go\n  |");
        check("a {|", TextView::break_line, "a {\n  |");
        check("ab|", |v| v.delete_to(Go::Left), "a|");
        check("    |x", |v| v.delete_to(Go::Left), "  |x");
        check("ä|", |v| v.delete_to(Go::Left), "|");
        check("one two|", |v| v.delete_to(Go::WordLeft), "one |");
        check("|one two", |v| v.delete_to(Go::WordRight), "| two");
        check("a|", |v| v.indent_lines(true), "a |");
        check("  a|", |v| v.indent_lines(false), "a|");
        check("  go|", TextView::toggle_comments, "  # go|");
        check("  # go|", TextView::toggle_comments, "  go|");
        // A blank of several bytes at a line's beginning is not cut in two.
        let mut v = TextView::new("t".into(), " a\n\u{a0}b");
        v.select_range(0..5);
        v.toggle_comments();
        assert_eq!(v.text(), "#  a\n# \u{a0}b");
    }

    #[test]
    fn lines_end_as_they_do_in_the_file() {
        check("a\r\nb|", TextView::break_line, "a\r\nb\r\n|");
        check("a\r\n{|}", TextView::break_line, "a\r\n{\r\n  |\r\n}");
        check("a\nb|", TextView::break_line, "a\nb\n|");
        check("a\r\n|", |v| v.paste_text("x\ny\r\nz"), "a\r\nx\r\ny\r\nz|");
        check("a\n|", |v| v.paste_text("x\r\ny"), "a\nx\ny|");
        // A line's end is one thing for the caret: half of it is never left.
        check("a\r\n|b", |v| v.delete_to(Go::Left), "a|b");
        check("a|\r\nb", |v| v.delete_to(Go::Right), "a|b");
        check("a|\r\nb", |v| v.move_caret(Go::Right, false), "a\r\n|b");
        check("a\r\n|b", |v| v.move_caret(Go::Left, false), "a|\r\nb");
        check("a\r\n|b", |v| v.delete_to(Go::WordLeft), "a|b");
        check("a|\r\nb", |v| v.delete_to(Go::WordRight), "a|b");
        check(
            "  go\r\n\r\n  on|",
            |v| {
                v.anchor = 0;
                v.indent_lines(true)
            },
            "    go\r\n\r\n    on|",
        );
        check(
            "go\r\non|",
            |v| {
                v.anchor = 0;
                v.toggle_comments()
            },
            "# go\r\n# on|",
        );
    }

    #[test]
    fn many_keys_of_a_frame_are_one_edit() {
        check("a|d", |v| "bc".chars().for_each(|c| v.insert_text(&c.to_string(), true)), "abc|d");
        check(
            "ab|",
            |v| {
                v.delete_to(Go::Left);
                v.delete_to(Go::Left);
                v.insert_text("xyz", true);
            },
            "xyz|",
        );
        check(
            "one |two",
            |v| {
                v.insert_text("1", true);
                v.move_caret(Go::Top, false);
                v.insert_text("0", true);
                v.move_caret(Go::Bottom, false);
                v.insert_text("2", true);
            },
            "0one 1two2|",
        );
        let mut v = view("ab|c");
        v.insert_text("x", true);
        v.insert_text("y", true);
        assert_eq!(v.take_change(), Some(TextChange { range: 2..2, text: "xy".into(), typed: true }));
    }

    #[test]
    fn keys_move() {
        check("one two|", |v| v.move_caret(Go::WordLeft, false), "one |two");
        check("|one two", |v| v.move_caret(Go::WordRight, false), "one| two");
        check("one.|two", |v| v.move_caret(Go::WordLeft, false), "one|.two");
        check(
            "abc\nd\nef|g",
            |v| {
                v.move_caret(Go::Lines(-1), false);
                v.move_caret(Go::Lines(-1), false);
            },
            "ab|c\nd\nefg",
        );
        check("a|b", |v| v.move_caret(Go::Lines(-1), false), "|ab");
        check("a|b", |v| v.move_caret(Go::Lines(1), false), "ab|");
        check("  a|b", |v| v.move_caret(Go::Home, false), "  |ab");
        check("  |ab", |v| v.move_caret(Go::Home, false), "|  ab");
        check("a|b\nc", |v| v.move_caret(Go::End, false), "ab|\nc");
    }

    #[test]
    fn a_text_that_changes_elsewhere_takes_the_caret_along() {
        let mut v = view("one\ntwo|\nthree");
        v.follow_text("zero\none\ntwo\nthree");
        assert_eq!(shown(&v), "zero\none\ntwo|\nthree");
        v.follow_text("zero\none\nthree");
        assert_eq!(shown(&v), "zero\none\nt|hree");
        assert_eq!(v.take_change(), None);
    }

    #[test]
    fn folds_hide_lines_and_open_for_the_caret() {
        use houserule::text::{File, Files};
        let text = "setup {\n  say \"a\"\n  say \"b\"\n}\n";
        let mut files = Files::new();
        files.add(File::new("t.rules", text));
        let mut v = TextView::new("t.rules".into(), text);
        assert!(v.take_analysis(&Analysis::from_source(&files)));
        v.toggle_fold(0);
        assert_eq!(v.visible_lines(), [0, 3, 4]);
        v.move_caret(Go::Lines(1), false);
        assert_eq!(v.line_of(v.caret), 3);
        v.follow_text("# so\nsetup {\n  say \"a\"\n  say \"b\"\n}\n");
        assert_eq!(v.visible_lines(), [0, 1, 4, 5]);
        v.select_range(20..20);
        assert_eq!(v.visible_lines().len(), 6);
    }

    #[test]
    fn brackets_belong_together() {
        assert_eq!(view("a|(b(c))").matching_brackets(), Some((1, 6)));
        assert_eq!(view("a(b(c))|").matching_brackets(), Some((6, 1)));
        assert_eq!(view("|abc").matching_brackets(), None);
    }
}
