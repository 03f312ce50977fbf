//! Changes the text of a view: the changes of one frame are joined into one edit.
use super::{Go, TextChange, TextView};
use std::ops::Range;

impl TextView {
    /// Puts a text in place of a range, and the caret behind it.
    pub fn put_text(&mut self, range: Range<usize>, text: &str, typed: bool) {
        if range.is_empty() && text.is_empty() {
            return;
        }
        self.note_change(&range, text, typed);
        self.splice(range.clone(), text);
        self.caret = range.start + text.len();
        self.anchor = self.caret;
        self.goal = None;
        self.reveal_caret();
    }

    /// Puts a text in place of what is selected. A closing brace that is typed first in its line stands as far left as the line of its opening one.
    pub fn insert_text(&mut self, text: &str, typed: bool) {
        let mut range = self.selection();
        if typed && text == "}" {
            let start = self.line(self.line_of(range.start)).start;
            let before = self.text.get(start..range.start).unwrap_or("");
            if !before.is_empty() && before.chars().all(|c| c == ' ') {
                let opening = self.opening_before(range.start).map(|at| self.line_of(at));
                let indent =
                    opening.map_or(0, |line| self.line_text(line).chars().take_while(|c| *c == ' ').count());
                range.start = start;
                let text = format!("{}}}", " ".repeat(indent));
                return self.put_text(range, &text, typed);
            }
        }
        self.put_text(range, text, typed);
    }

    /// Joins what changes to what has changed in this frame.
    fn note_change(&mut self, range: &Range<usize>, text: &str, typed: bool) {
        let Some(p) = self.change.take() else {
            self.change = Some(TextChange { range: range.clone(), text: text.to_string(), typed });
            return;
        };
        // What the first put in stands at `now` in the text before the second.
        let now = p.range.start..p.range.start + p.text.len();
        let (low, high) = (now.start.min(range.start), now.end.max(range.end));
        let before = self.text.get(low..range.start).unwrap_or("");
        let behind = self.text.get(range.end..high).unwrap_or("");
        let whole = low..(high + p.range.len() - p.text.len()).max(low);
        self.change = Some(TextChange {
            range: whole,
            text: format!("{before}{text}{behind}"),
            typed: typed && p.typed,
        });
    }

    /// What has changed since it was last asked, as one edit of the text then.
    pub fn take_change(&mut self) -> Option<TextChange> {
        self.change.take()
    }

    /// How the text's lines end: as the first one does.
    fn line_end(&self) -> &'static str {
        let first = self.text.find('\n').and_then(|n| self.text.get(..n));
        if first.is_some_and(|line| line.ends_with('\r')) { "\r\n" } else { "\n" }
    }

    /// Puts in what comes from elsewhere, with line ends as they are here.
    pub fn paste_text(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\n', self.line_end());
        self.insert_text(&text, false);
    }

    /// A new line, indented as the one before it, and deeper behind an opening bracket.
    pub fn break_line(&mut self) {
        let at = self.selection();
        let line = self.line_of(at.start);
        let start = self.line(line).start;
        let before = self.text.get(start..at.start).unwrap_or("");
        let indent: String = before.chars().take_while(|c| *c == ' ').collect();
        let opens = before.trim_end().ends_with(['{', '(', '[']);
        let closes = self.text.get(at.end..).is_some_and(|t| t.starts_with(['}', ')', ']']));
        let deeper = if opens { "  " } else { "" };
        let eol = self.line_end();
        if opens && closes {
            let first = format!("{eol}{indent}{deeper}");
            self.insert_text(&format!("{first}{eol}{indent}"), true);
            self.caret = at.start + first.len();
            self.anchor = self.caret;
        } else {
            self.insert_text(&format!("{eol}{indent}{deeper}"), true);
        }
    }

    /// Takes out what is selected, or what lies between the caret and where it would go.
    pub fn delete_to(&mut self, go: Go) {
        let mut range = self.selection();
        if range.is_empty() {
            let before = self.text.get(self.line(self.line_of(self.caret)).start..self.caret).unwrap_or("");
            let blanks = go == Go::Left
                && before.len() >= 2
                && before.len() % 2 == 0
                && before.chars().all(|c| c == ' ');
            let to = if blanks { self.caret - 2 } else { self.target_of(go) };
            range = self.caret.min(to)..self.caret.max(to);
        }
        self.put_text(range, "", true);
    }

    /// Moves the lines of the selection to the right, or to the left; with one caret, puts in blanks.
    pub fn indent_lines(&mut self, deeper: bool) {
        let at = self.selection();
        let (first, last) = (self.line_of(at.start), self.line_of(at.end));
        if deeper && first == last {
            let column = at.start - self.line(first).start;
            return self.insert_text(if column.is_multiple_of(2) { "  " } else { " " }, true);
        }
        self.rewrite_lines(first, last, |l| {
            if deeper {
                if l.is_empty() { String::new() } else { format!("  {l}") }
            } else {
                l.strip_prefix("  ").or_else(|| l.strip_prefix(' ')).unwrap_or(l).to_string()
            }
        });
    }

    /// Makes comments of the selected lines, or lines of comments.
    pub fn toggle_comments(&mut self) {
        let at = self.selection();
        let (first, last) = (self.line_of(at.start), self.line_of(at.end));
        let all = (first..=last).map(|n| self.line_text(n)).filter(|l| !l.trim().is_empty());
        let off = all.clone().count() > 0 && all.clone().all(|l| l.trim_start().starts_with('#'));
        // Only blanks and tabs, of one byte each: another blank of several bytes must not be cut in two.
        let depth = all.map(|l| l.len() - l.trim_start_matches([' ', '\t']).len()).min().unwrap_or(0);
        self.rewrite_lines(first, last, |l| {
            if off {
                let text = l.trim_start();
                let own = text.strip_prefix("# ").or_else(|| text.strip_prefix('#')).unwrap_or(text);
                format!("{}{own}", &l[..l.len() - text.len()])
            } else if l.trim().is_empty() {
                l.to_string()
            } else {
                format!("{}# {}", &l[..depth], &l[depth..])
            }
        });
    }

    /// Writes lines anew and selects them if more than a caret was selected.
    fn rewrite_lines(&mut self, first: usize, last: usize, f: impl Fn(&str) -> String) {
        let range = self.line(first).start..self.line(last).end;
        let line = |l: &str| l.strip_suffix('\r').map_or_else(|| f(l), |own| f(own) + "\r");
        let done: Vec<String> = self.text.get(range.clone()).unwrap_or("").split('\n').map(line).collect();
        let done = done.join("\n");
        if Some(done.as_str()) == self.text.get(range.clone()) {
            return;
        }
        let one = self.caret == self.anchor;
        let column = self.line(last).end - self.caret.min(self.line(last).end);
        self.put_text(range.clone(), &done, false);
        if one {
            self.caret = self.char_floor(self.caret.saturating_sub(column).max(range.start));
            self.anchor = self.caret;
        } else {
            self.anchor = range.start;
        }
    }
}
