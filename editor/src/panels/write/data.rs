//! What the Write pane shows, as plain data: tabs, lines with their numbers and marks, and search results.
use super::view::TextView;
use crate::document::Document;
use houserule::ide::{self, Class};
use houserule::text::Severity;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

/// One tab.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tab {
    /// The file.
    pub file: Arc<str>,
    /// As it is called: its own name, with its folder where two are called the same.
    pub title: String,
    /// Whether it is the one that is shown.
    pub open: bool,
    /// Whether it is other than on disk.
    pub dirty: bool,
}

/// The tabs in their order.
pub fn list_tabs(open: &[Arc<str>], shown: &str, document: &Document) -> Vec<Tab> {
    let own = |f: &str| f.rsplit('/').next().unwrap_or(f).to_string();
    let title = |f: &Arc<str>| {
        let twice = open.iter().filter(|o| own(o) == own(f)).count() > 1;
        if twice { f.to_string() } else { own(f) }
    };
    open.iter()
        .map(|f| Tab { file: f.clone(), title: title(f), open: **f == *shown, dirty: document.is_dirty(f) })
        .collect()
}

/// One line as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextRow {
    /// Its number, from 1.
    pub number: usize,
    /// Its bytes.
    pub range: Range<usize>,
    /// The worst finding in it.
    pub mark: Option<Severity>,
    /// Whether a fold begins here, and whether it is closed.
    pub fold: Option<bool>,
    /// Stretches with what they are; all of the line's bytes that are coloured, relative to its beginning.
    pub colours: Vec<(Range<usize>, Class)>,
    /// Findings, relative to its beginning; what is empty is one byte wide.
    pub squiggles: Vec<(Range<usize>, Severity)>,
    /// What is found in it.
    pub found: Vec<Range<usize>>,
    /// What is wrong with it, as it stands beside it: of several findings that begin here the worst one, and how many more there are.
    pub said: Option<LineMessage>,
}

impl TextRow {
    /// A line by its number from 0, with nothing that is known of it.
    pub fn from_line(v: &TextView, line: usize) -> TextRow {
        TextRow {
            number: line + 1,
            range: v.line(line),
            mark: None,
            fold: None,
            colours: Vec::new(),
            squiggles: Vec::new(),
            found: Vec::new(),
            said: None,
        }
    }
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineMessage {
    /// How bad it is.
    pub severity: Severity,
    /// The finding, with what to do if that is known.
    pub text: String,
    /// How many others begin in this line.
    pub more: usize,
}

impl LineMessage {
    /// What is wrong, in one line.
    pub fn to_line(&self) -> String {
        match self.more {
            0 => self.text.clone(),
            n => format!("{} (and {n} more)", self.text),
        }
    }

    /// The message with its line, for screen readers.
    pub fn to_spoken(&self, line: usize) -> String {
        let sort = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        format!("Line {line}, {sort}: {}", self.to_line())
    }
}

/// The rows that are shown, of those that no fold hides.
pub fn list_rows(v: &TextView, shown: Range<usize>, found: &[Range<usize>]) -> Vec<TextRow> {
    let lines = v.visible_lines().get(shown.start..shown.end.min(v.visible_lines().len())).unwrap_or(&[]);
    lines.iter().map(|n| make_row(v, *n, found)).collect()
}

fn make_row(v: &TextView, n: usize, found: &[Range<usize>]) -> TextRow {
    let line = v.line(n);
    let inside = |r: &Range<usize>| {
        let (a, b) = (r.start.max(line.start), r.end.min(line.end));
        (a < b).then(|| a - line.start..b - line.start)
    };
    let colours = v.colours_in(&line).iter().filter_map(|h| Some((inside(&h.range)?, h.class))).collect();
    let mut squiggles = Vec::new();
    let mut mark: Option<Severity> = None;
    let mut said: Option<LineMessage> = None;
    for m in &v.marks {
        let touches = m.range.start <= line.end && (m.range.end > line.start || m.range.start >= line.start);
        if !touches {
            continue;
        }
        if m.range.start >= line.start {
            let more = said.as_ref().map_or(0, |s| s.more + 1);
            match &mut said {
                Some(s) if s.severity >= m.severity => s.more = more,
                _ => {
                    let help = m.help.as_deref().map(|h| format!(" ({h})")).unwrap_or_default();
                    said = Some(LineMessage {
                        severity: m.severity,
                        text: format!("{}{help}", m.message),
                        more,
                    });
                }
            }
        }
        // An empty place is shown by the sign beside it.
        let at = match inside(&m.range) {
            Some(r) => r,
            None if m.range.start >= line.start && m.range.is_empty() => {
                let at = m.range.start - line.start;
                at..at + 1
            }
            None => continue,
        };
        squiggles.push((at, m.severity));
        mark = mark.max(Some(m.severity));
    }
    let from = found.partition_point(|r| r.end <= line.start);
    let found = found.iter().skip(from).take_while(|r| r.start < line.end).filter_map(inside).collect();
    let fold = v.fold_at(n).map(|_| v.is_folded(n));
    TextRow { number: n + 1, range: line, mark, fold, colours, squiggles, found, said }
}

/// The rows as text, for tests: number, fold, mark, what stands there, and under it what is wrong.
pub fn rows_text(v: &TextView, rows: &[TextRow]) -> String {
    let mut out = String::new();
    for r in rows {
        let fold = match r.fold {
            Some(true) => '+',
            Some(false) => '-',
            None => ' ',
        };
        let mark = match r.mark {
            Some(Severity::Error) => 'E',
            Some(Severity::Warning) => 'W',
            None => ' ',
        };
        let text = v.text().get(r.range.clone()).unwrap_or("");
        let said = r.said.as_ref().map(|s| format!("   ‹{}›", s.to_line())).unwrap_or_default();
        let _ = writeln!(out, "{:>3}{fold}{mark} {text}{said}", r.number);
        for (s, _) in &r.squiggles {
            let _ = writeln!(out, "      {}{}", " ".repeat(s.start), "~".repeat(s.len()));
        }
    }
    out
}

/// A declaration that can be gone to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// Its name.
    pub name: String,
    /// What it is.
    pub sort: &'static str,
    /// Where.
    pub place: crate::document::TextPlace,
}

/// All declarations of a game whose names go with what was typed; nearest first.
pub fn find_targets(a: &houserule::ide::Analysis, typed: &str) -> Vec<Target> {
    fn walk(file: &str, all: &[ide::Symbol], typed: &str, out: &mut Vec<(u8, Target)>) {
        for s in all {
            let name = s.name.to_lowercase();
            let rank = match (name == typed, name.starts_with(typed), name.contains(typed)) {
                (true, ..) => Some(0),
                (_, true, _) => Some(1),
                (_, _, true) => Some(2),
                _ => None,
            };
            if let Some(rank) = rank {
                let place = crate::document::TextPlace::new(file, s.at.clone());
                out.push((rank, Target { name: s.name.clone(), sort: s.sort, place }));
            }
            walk(file, &s.inside, typed, out);
        }
    }
    let mut out = Vec::new();
    for (id, f) in a.files.iter() {
        walk(&f.name, &ide::make_outline(a, id), &typed.to_lowercase(), &mut out);
    }
    out.sort_by_key(|(rank, _)| *rank);
    out.into_iter().map(|(_, t)| t).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule::ide::{Analysis, Query};
    use houserule::text::{File, Files};

    const GAME: &str = "game Tiny \"Tiny\" { players 2; outcome win }\n\ntable {\n  wind: 0..9 = 1\n}\nsetup {\n  wind = wing\n  if wind > {\n}\n";

    fn open(text: &str) -> (TextView, Analysis) {
        let mut files = Files::new();
        files.add(File::new("t.rules", text));
        let a = Analysis::from_source(&files);
        let mut v = TextView::new("t.rules".into(), text);
        assert!(v.take_analysis(&a));
        (v, a)
    }

    #[test]
    fn lines_show_numbers_folds_and_findings() {
        let (v, _) = open(GAME);
        insta::assert_snapshot!(rows_text(&v, &list_rows(&v, 0..20, &[])));
    }

    #[test]
    fn findings_move_with_the_text() {
        let (mut v, _) =
            open("game Tiny \"Tiny\" { players 2; outcome win }\nvalue w: int = wing\nround once { }\n");
        v.follow_text(
            "\n\ngame Tiny \"Tiny\" { players 2; outcome win }\nvalue w: int = wing\nround once { }\n",
        );
        insta::assert_snapshot!(rows_text(&v, &list_rows(&v, 2..5, &[])));
    }

    #[test]
    fn what_is_found_is_in_its_lines() {
        let (v, _) = open(GAME);
        let q = Query { text: "wind".into(), case: true, word: true, pattern: false };
        let all = ide::find(&q, v.text());
        let lines: Vec<usize> =
            list_rows(&v, 0..20, &all).iter().filter(|r| !r.found.is_empty()).map(|r| r.number).collect();
        assert_eq!(lines, [4, 7, 8]);
    }

    #[test]
    fn tabs_are_told_apart() {
        let d = Document::new([
            ("a/x.rules".into(), String::new()),
            ("b/x.rules".into(), String::new()),
            ("b/y.rules".into(), String::new()),
        ]);
        let open: Vec<Arc<str>> = d.names().cloned().collect();
        let titles: Vec<String> = list_tabs(&open, "b/y.rules", &d).into_iter().map(|t| t.title).collect();
        assert_eq!(titles, ["a/x.rules", "b/x.rules", "y.rules"]);
    }

    #[test]
    fn declarations_are_gone_to_by_name() {
        let (_, a) = open(
            "game Tiny \"Tiny\" { players 2; outcome win }\ntable { wind: 0..9 = 1 }\nvalue windy: bool = yes\nrule w() { stop }\nround once { }\n",
        );
        let names: Vec<String> =
            find_targets(&a, "wind").into_iter().map(|t| format!("{} {}", t.sort, t.name)).collect();
        assert_eq!(names, ["attribute wind", "value windy"]);
    }
}
