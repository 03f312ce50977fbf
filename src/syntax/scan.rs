//! The pass over a text before the grammar: it balances brackets and texts, and bounds nesting.
//!
//! The grammar recovers from a broken entry by taking it whole, brackets included, so it needs brackets that match. This pass goes over the
//! bytes once. It reports brackets without a partner and texts without an end; it *masks* what no grammar should look at (the rest of the line
//! behind an unclosed text, what is nested too deeply) with a sign that no rule knows; and where a bracket stays open it cuts the file at the next
//! unindented line that begins a declaration, so that the damage ends there. All of it is linear in the length of the text.
use super::codes;
use houserule_text::{Diagnostic, FileId, Span};

/// How deep brackets (and texts with holes) may be nested.
pub const DEEPEST: usize = 64;
/// How many operators and words may be pending inside one another.
const LONGEST: usize = 256;
/// After so many cuts every declaration at the beginning of a line is cut off, so that the rest of the file is gone over once.
const MOST_CUTS: usize = 50;
/// How many words, numbers, signs and lines a file may have.
pub const MOST_TOKENS: usize = 200_000;
/// How many lines of `##` are gone over to find the declaration below them.
const LONGEST_DOC: usize = 100;
/// What masked bytes become; no rule of the grammar knows it.
const MASK: u8 = 1;

/// A stretch of the file that is given to the grammar on its own.
pub(super) struct Chunk {
    pub start: usize,
    pub end: usize,
    /// Closing brackets that are missing at its end.
    pub closers: String,
}

/// What the pass found.
#[derive(Default)]
pub(super) struct Scan {
    pub findings: Vec<Diagnostic>,
    pub chunks: Vec<Chunk>,
    /// Byte ranges in which something has been reported: entries that touch them are not reported again.
    pub damaged: Vec<(usize, usize)>,
    /// How many words, numbers, signs and lines the text has.
    pub tokens: usize,
    /// Byte ranges that the grammar must not see.
    masked: Vec<(usize, usize)>,
    /// What stands in the curly brackets that nothing is around.
    pub bodies: Vec<(usize, usize)>,
}

impl Scan {
    /// The text of a chunk as the grammar reads it. Masked text is replaced by signs that no grammar rule matches; missing closing brackets are added at the end.
    pub(super) fn chunk_text(&self, text: &str, chunk: &Chunk) -> String {
        let mut bytes = text.as_bytes().get(chunk.start..chunk.end).unwrap_or_default().to_vec();
        let first = self.masked.partition_point(|(_, end)| *end <= chunk.start);
        for (start, end) in self.masked.iter().skip(first).take_while(|(start, _)| *start < chunk.end) {
            let from = start.saturating_sub(chunk.start);
            if *end >= chunk.end {
                // Of what is masked to the end one sign is enough, however long it is.
                bytes.truncate(from);
                bytes.push(MASK);
                break;
            }
            for b in bytes.iter_mut().take(end - chunk.start).skip(from) {
                *b = MASK;
            }
        }
        if !chunk.closers.is_empty() {
            bytes.push(b'\n');
            bytes.extend(chunk.closers.bytes());
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BracketKind {
    Brace,
    Paren,
    Square,
    /// The text that a hole stands in.
    Text,
    /// A hole in a text.
    Hole,
}

#[derive(Clone, Copy)]
struct Open {
    kind: BracketKind,
    at: usize,
    /// How far the line in which it opens is indented.
    indent: usize,
    /// Operators and words since the last comma or entry, at this level.
    pending: usize,
    /// Where the present entry inside it begins.
    begin: usize,
    /// Rows of signs, in which brackets and quotes mean nothing.
    legend: bool,
}

/// A `{` whose `}` is indented less than its line: where a missing `}` probably belongs.
#[derive(Clone, Copy)]
struct Suspect {
    at: usize,
    depth: usize,
}

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    file: FileId,
    i: usize,
    stack: Vec<Open>,
    /// Sum of all `pending`.
    pending: usize,
    top_pending: usize,
    top_begin: usize,
    suspect: Option<Suspect>,
    line_indent: usize,
    line_begun: bool,
    /// The word `legend` has just begun an entry.
    legend: bool,
    /// How many texts are open.
    texts: usize,
    /// Nothing of the present entry has been seen.
    fresh: bool,
    /// The last thing can only be followed by more.
    hanging: bool,
    deep: Option<(usize, usize)>,
    deep_told: bool,
    nul_told: bool,
    /// Brackets are open beyond all measure.
    hopeless: bool,
    /// Words, numbers, signs and lines up to here.
    tokens: usize,
    out: Scan,
}

/// Words that begin a declaration at the beginning of a line.
const DECLARATIONS: &[&str] = &[
    "game",
    "option",
    "variant",
    "mod",
    "part",
    "scenario",
    "needs",
    "numbered",
    "win",
    "lose",
    "tie",
    "enum",
    "card",
    "token",
    "piece",
    "die",
    "player",
    "table",
    "map",
    "space",
    "patch",
    "legend",
    "list",
    "value",
    "rule",
    "phase",
    "setup",
    "round",
    "menu",
    "action",
    "score",
    "ranking",
    "test",
    "invariant",
    "legacy",
    "heuristic",
    "hook",
    "look",
    "change",
    "remove",
    "modify",
    "before",
    "after",
    "instead",
    "forbid",
];

/// Words that take another expression, so that the tree grows deeper.
const PENDING: &[&str] = &[
    "and", "or", "not", "in", "is", "if", "then", "else", "case", "choose", "of", "where", "default", "step",
    "first", "last", "the", "can", "set", "list", "bag", "filter", "face", "by", "when",
];

/// Words with which a line can only go on, or that must be followed by more.
const HANGING: &[&str] = &[
    "and", "or", "not", "in", "is", "if", "then", "else", "case", "choose", "of", "where", "default", "step",
    "first", "last", "the", "can", "by", "when", "to", "under", "during", "once", "per", "times",
];

/// Whether a text begins with a word that begins declarations.
pub fn is_declaration_start(text: &str) -> bool {
    let len = text.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(text.len());
    text.get(..len).is_some_and(|word| DECLARATIONS.contains(&word))
}

/// Goes over a text.
pub(super) fn scan(file: FileId, text: &str) -> Scan {
    let mut scanner = Scanner::new(file, text);
    let mut start = 0;
    for cut in 0.. {
        // First to the end as if all were well; if a bracket stays open, again up to where the damage ends.
        let saved = scanner.save_state();
        scanner.run((cut >= MOST_CUTS).then_some(start));
        if scanner.tokens > MOST_TOKENS {
            return scanner.stop_at_limit();
        }
        if scanner.hopeless {
            // Far too deep: the rest of this declaration is masked, whatever brackets it holds.
            let closers = scanner.close_all(false);
            let end = scanner.i;
            scanner.out.chunks.push(Chunk { start, end, closers });
            start = end;
            if end >= text.len() {
                return scanner.finish_scan();
            }
            continue;
        }
        let bottom = scanner.stack.first().map(|o| o.at);
        if cut < MOST_CUTS {
            let Some(bottom) = bottom else { break };
            scanner.restore_state(saved);
            scanner.run(Some(bottom));
        }
        let closers = scanner.close_all(true);
        let end = scanner.i;
        scanner.out.chunks.push(Chunk { start, end, closers });
        start = end;
        if end >= text.len() {
            return scanner.finish_scan();
        }
    }
    scanner.out.chunks.push(Chunk { start, end: text.len(), closers: String::new() });
    scanner.finish_scan()
}

/// What has to be put back when a stretch is read a second time.
struct Saved {
    i: usize,
    findings: usize,
    damaged: usize,
    masked: usize,
    bodies: usize,
    nul_told: bool,
    tokens: usize,
}

impl<'t> Scanner<'t> {
    fn new(file: FileId, text: &'t str) -> Self {
        Scanner {
            text,
            bytes: text.as_bytes(),
            file,
            i: 0,
            stack: Vec::new(),
            pending: 0,
            top_pending: 0,
            top_begin: 0,
            suspect: None,
            line_indent: 0,
            line_begun: false,
            legend: false,
            texts: 0,
            fresh: true,
            hanging: false,
            deep: None,
            deep_told: false,
            nul_told: false,
            hopeless: false,
            tokens: 0,
            out: Scan::default(),
        }
    }

    fn finish_scan(mut self) -> Scan {
        self.out.tokens = self.tokens;
        self.out.masked.sort_unstable();
        self.out.damaged.sort_unstable();
        self.out
    }

    /// Nothing of the file is read but where it has too much.
    fn stop_at_limit(mut self) -> Scan {
        let at = self.i.min(self.text.len());
        let at = self.text.floor_char_boundary(at);
        self.out = Scan::default();
        let message = format!("this file has more than {MOST_TOKENS} words, numbers, signs and lines");
        self.report(codes::TOKENS, at, at, &message).help = Some(String::from("split it in two here"));
        self.out
    }

    fn save_state(&self) -> Saved {
        Saved {
            i: self.i,
            findings: self.out.findings.len(),
            damaged: self.out.damaged.len(),
            masked: self.out.masked.len(),
            bodies: self.out.bodies.len(),
            nul_told: self.nul_told,
            tokens: self.tokens,
        }
    }

    fn restore_state(&mut self, saved: Saved) {
        self.i = saved.i;
        self.out.findings.truncate(saved.findings);
        self.out.damaged.truncate(saved.damaged);
        self.out.masked.truncate(saved.masked);
        self.out.bodies.truncate(saved.bodies);
        self.nul_told = saved.nul_told;
        self.tokens = saved.tokens;
        self.stack.clear();
        self.texts = 0;
        self.end_entry(true);
        (self.pending, self.top_pending) = (0, 0);
        (self.line_indent, self.line_begun) = (0, false);
        (self.suspect, self.deep, self.deep_told) = (None, None, false);
    }

    fn byte_at(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    fn report(
        &mut self,
        code: houserule_text::Code,
        start: usize,
        end: usize,
        message: &str,
    ) -> &mut Diagnostic {
        let span = Span::new(self.file, start, end);
        self.out.damaged.push((start, end));
        self.out.findings.push(Diagnostic::error(code, span, message));
        let last = self.out.findings.len() - 1;
        &mut self.out.findings[last]
    }

    /// An entry has ended.
    fn end_entry(&mut self, fresh: bool) {
        self.fresh = fresh;
        self.legend = false;
        self.hanging = false;
        if let Some((start, deep)) = self.deep
            && self.stack.len() <= deep
        {
            self.out.masked.push((start, self.i));
            self.out.damaged.push((start, self.i));
            self.deep = None;
        }
        self.end_pending();
    }

    /// What was pending at this level is done.
    fn end_pending(&mut self) {
        let here = self.stack.last_mut().map_or(&mut self.top_pending, |o| &mut o.pending);
        self.pending = self.pending.saturating_sub(*here);
        *here = 0;
    }

    fn note_pending(&mut self, at: usize) {
        *self.stack.last_mut().map_or(&mut self.top_pending, |o| &mut o.pending) += 1;
        self.pending += 1;
        if self.pending > LONGEST {
            // The whole entry is masked: what it goes on with would look like further entries.
            let level = self.stack.iter().rposition(|o| o.kind == BracketKind::Brace).map_or(0, |n| n + 1);
            let begin =
                level.checked_sub(1).and_then(|n| self.stack.get(n)).map_or(self.top_begin, |o| o.begin);
            self.mask_too_deep(at, begin, level, "this is nested too deeply");
        }
    }

    /// Masks from `begin` to where the brackets are `level` deep again, or that entry ends.
    fn mask_too_deep(&mut self, at: usize, begin: usize, level: usize, message: &str) {
        if self.deep.is_some() {
            return;
        }
        // A text is masked whole: half of one would be no text.
        let text = self.stack.iter().position(|o| o.kind == BracketKind::Text);
        self.deep = match text.and_then(|n| self.stack.get(n).map(|o| (o.at, n))) {
            Some(outer) => Some(outer),
            None => Some((begin, level)),
        };
        if !self.deep_told {
            self.deep_told = true;
            let d = self.report(codes::DEEP, at, at + 1, message);
            d.help = Some(String::from("give parts of it names with `let`, `value` or `rule`"));
        }
    }

    fn push_bracket(&mut self, kind: BracketKind, legend: bool) {
        let open = Open { kind, at: self.i, indent: self.line_indent, pending: 0, begin: self.i + 1, legend };
        if self.stack.len() >= DEEPEST {
            self.mask_too_deep(self.i, self.i, self.stack.len(), "brackets are nested too deeply");
        }
        self.texts += usize::from(kind == BracketKind::Text);
        self.stack.push(open);
        self.hopeless |= self.stack.len() > 4 * DEEPEST;
    }

    /// Takes the innermost bracket away.
    fn pop_bracket(&mut self) -> Option<Open> {
        let open = self.stack.pop()?;
        self.texts -= usize::from(open.kind == BracketKind::Text && self.texts > 0);
        self.pending = self.pending.saturating_sub(open.pending);
        if let Some((start, deep)) = self.deep
            && (self.stack.len() < deep || (self.stack.len() == deep && start == open.at))
        {
            let end = if start == open.at { self.i + 1 } else { self.i };
            self.out.masked.push((start, end));
            self.out.damaged.push((start, end));
            self.deep = None;
        }
        Some(open)
    }

    /// Reports an open bracket.
    fn report_unclosed(&mut self, open: Open) {
        let (sign, want) = match open.kind {
            BracketKind::Paren => ("(", ")"),
            BracketKind::Square => ("[", "]"),
            _ => ("{", "}"),
        };
        let suspect = self.suspect.filter(|s| open.kind == BracketKind::Brace && s.at > open.at);
        let at = suspect.map_or(open.at, |s| s.at);
        let file = self.file;
        let d = self.report(codes::BRACKET, at, at + 1, &format!("this `{sign}` is never closed"));
        d.at.text = format!("its `{want}` is missing");
        d.help = Some(format!("write `{want}` where the part that begins here ends"));
        if suspect.is_some() {
            d.others.push(houserule_text::Label {
                span: Span::new(file, open.at, open.at + 1),
                text: String::from("so this one is never closed"),
            });
        }
        self.out.damaged.push((open.at, open.at + 1));
    }

    /// Reports all that is open and gives the braces that are missing.
    fn close_all(&mut self, tell: bool) -> String {
        self.hopeless = false;
        let mut closers = String::new();
        for (n, open) in std::mem::take(&mut self.stack).into_iter().enumerate() {
            if n >= DEEPEST {
                break; // what lies deeper is masked
            }
            match open.kind {
                BracketKind::Text | BracketKind::Hole => {}
                _ if tell => self.report_unclosed(open),
                _ => {}
            }
            if open.kind == BracketKind::Brace {
                closers.push('}');
            }
        }
        if let Some((start, _)) = self.deep.take() {
            self.out.masked.push((start, self.i));
            self.out.damaged.push((start, self.i));
        }
        self.texts = 0;
        self.end_entry(true);
        (self.pending, self.top_pending) = (0, 0);
        (self.suspect, self.deep_told) = (None, false);
        (self.line_indent, self.line_begun) = (0, false);
        closers
    }

    /// Goes on to the end, or, if `stop` is the place of a bracket that stays open, to the next declaration behind it.
    fn run(&mut self, stop: Option<usize>) {
        while self.i < self.bytes.len() {
            if self.hopeless {
                let mut end = self.end_of_line(self.i);
                while end < self.bytes.len() && !self.is_declaration_at(end + 1) {
                    end = self.end_of_line(end + 1);
                }
                self.i = (end + 1).min(self.bytes.len());
                return;
            }
            if self.tokens > MOST_TOKENS {
                return;
            }
            let b = self.byte_at(self.i);
            self.tokens += usize::from(b.is_ascii() && !matches!(b, b' ' | b'\t' | b'\r'));
            match b {
                b'\n' => {
                    if self.handle_line_end() {
                        continue;
                    }
                    self.i += 1;
                    (self.line_indent, self.line_begun) = (0, false);
                    if stop.is_some_and(|s| self.i > s) && self.is_declaration_at(self.i) {
                        return;
                    }
                    continue;
                }
                b' ' | b'\t' | b'\r' => {
                    if !self.line_begun {
                        self.line_indent += 1;
                    }
                    self.i += 1;
                    continue;
                }
                _ => {}
            }
            if self.fresh {
                let at = self.i;
                *self.stack.last_mut().map_or(&mut self.top_begin, |o| &mut o.begin) = at;
            }
            let first_of_line = !self.line_begun;
            self.line_begun = true;
            let legend_row = self.fresh && self.stack.last().is_some_and(|o| o.legend);
            if legend_row && !matches!(b, b'#' | b';' | b'}' | b'{') {
                self.scan_signs();
                continue;
            }
            match b {
                0 => self.scan_nul(),
                b'#' => {
                    self.i = self.end_of_line(self.i);
                    continue;
                }
                b'"' if self.text.get(self.i..).is_some_and(|t| t.starts_with("\"\"\"")) => {
                    self.scan_picture()
                }
                b'"' => {
                    self.push_bracket(BracketKind::Text, false);
                    self.i += 1;
                    self.scan_text();
                    continue;
                }
                b'{' => {
                    let legend = std::mem::take(&mut self.legend);
                    self.push_bracket(BracketKind::Brace, legend);
                    (self.fresh, self.hanging) = (true, false);
                    self.i += 1;
                    continue;
                }
                b'(' | b'[' => {
                    self.note_pending(self.i);
                    self.push_bracket(
                        if b == b'(' { BracketKind::Paren } else { BracketKind::Square },
                        false,
                    );
                }
                b'}' | b')' | b']' => {
                    self.close_bracket(b, first_of_line);
                    continue;
                }
                // Inside round brackets a `;` ends nothing.
                b';' if !self.is_in_round() => {
                    self.end_entry(true);
                    self.i += 1;
                    continue;
                }
                b',' | b'|' => {
                    self.end_pending();
                    self.hanging = true;
                    self.fresh = false;
                    self.i += 1;
                    continue;
                }
                b'+' | b'-' | b'*' | b'/' | b'<' | b'>' | b'=' | b'!' | b'.' | b'&' | b'%' | b'^' => {
                    self.note_pending(self.i);
                    self.hanging = true;
                    self.fresh = false;
                    self.i += 1;
                    continue;
                }
                b':' => self.hanging = true,
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                    self.scan_word();
                    continue;
                }
                _ => {}
            }
            if !matches!(b, b':') {
                self.hanging = matches!(b, b'(' | b'[');
            }
            self.fresh = false;
            self.i += 1;
        }
        self.i = self.bytes.len();
    }

    fn is_in_round(&self) -> bool {
        matches!(self.stack.last(), Some(o) if matches!(o.kind, BracketKind::Paren | BracketKind::Square | BracketKind::Hole))
    }

    fn scan_nul(&mut self) {
        if !self.nul_told {
            self.nul_told = true;
            let d = self.report(codes::BYTES, self.i, self.i + 1, "this file contains a zero character");
            d.help = Some(String::from("delete it, or save the file as UTF-8 text"));
        }
    }

    fn scan_word(&mut self) {
        let start = self.i;
        while matches!(self.byte_at(self.i), b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_') {
            self.i += 1;
        }
        let word = self.text.get(start..self.i).unwrap_or("");
        if self.fresh && word == "legend" {
            self.legend = true;
        }
        // Behind a block, `else` begins a flat next arm.
        let arm = word == "else" && self.text.get(..start).unwrap_or("").trim_end().ends_with('}');
        if arm {
            self.end_pending();
        } else if PENDING.contains(&word) {
            self.note_pending(start);
        }
        self.hanging = HANGING.contains(&word);
        self.fresh = false;
    }

    /// The signs at the beginning of a legend's row: whatever they are, up to the colon.
    fn scan_signs(&mut self) {
        self.fresh = false;
        let end = self.end_of_line(self.i);
        let row = self.text.get(self.i..end).unwrap_or("");
        let stop = row.find(['{', '}', ';', '#']).unwrap_or(row.len());
        match row.get(..stop).and_then(|r| r.find(':')) {
            Some(colon) => self.i += colon + 1,
            None if row.starts_with(|c: char| c.is_ascii_alphanumeric()) => self.scan_word_or_char(),
            None => self.i += row.chars().next().map_or(1, char::len_utf8),
        }
    }

    fn scan_word_or_char(&mut self) {
        let start = self.i;
        self.scan_word();
        if self.i == start {
            self.i += 1;
        }
    }

    /// Where the line of `at` ends, without its end.
    fn end_of_line(&self, at: usize) -> usize {
        self.bytes
            .get(at..)
            .and_then(|b| b.iter().position(|b| *b == b'\n'))
            .map_or(self.bytes.len(), |n| at + n)
    }

    /// At a line's end; true if part of the line is to be read again.
    fn handle_line_end(&mut self) -> bool {
        // A text does not go on in the next line, nor does a hole in it.
        if self.texts > 0
            && let Some(at) = self.stack.iter().position(|o| o.kind == BracketKind::Text)
        {
            self.report_unclosed_text(at);
            if self.i < self.bytes.len() && self.byte_at(self.i) != b'\n' {
                return true;
            }
        }
        if !self.is_in_round() && !self.hanging && !self.is_continued_below(self.i) {
            self.end_entry(true);
        }
        false
    }

    /// Whether the next line that holds anything begins with what can only go on.
    fn is_continued_below(&self, at: usize) -> bool {
        let mut i = at;
        loop {
            match self.byte_at(i) {
                b' ' | b'\t' | b'\r' | b'\n' => i += 1,
                b'#' => i = self.end_of_line(i),
                _ => break,
            }
            // Only look a little ahead: long comments and gaps end an entry for this purpose.
            if i > at + 400 {
                return self.pending > LONGEST / 2;
            }
        }
        match self.byte_at(i) {
            b'+' | b'-' | b'*' | b'/' | b'<' | b'>' | b'=' | b'!' | b'.' | b',' | b'|' | b'{' => true,
            b'a'..=b'z' => {
                let rest = self.bytes.get(i..).unwrap_or_default();
                let len =
                    rest.iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_').unwrap_or(rest.len());
                let word = self.text.get(i..i + len).unwrap_or("");
                matches!(
                    word,
                    "and"
                        | "or"
                        | "where"
                        | "else"
                        | "when"
                        | "by"
                        | "default"
                        | "in"
                        | "is"
                        | "then"
                        | "step"
                        | "of"
                )
            }
            _ => false,
        }
    }

    fn report_unclosed_text(&mut self, index: usize) {
        let hole = self.stack.len() > index + 1;
        let Some(open) = self.stack.get(index).copied() else { return };
        while self.stack.len() > index {
            self.pop_bracket();
        }
        let end = self.end_of_line(open.at);
        // Brackets at the line's end that were opened in this line are not meant to be in the text.
        let line = self.text.get(..open.at).and_then(|t| t.rfind('\n')).map_or(0, |n| n + 1);
        let mut here = self.stack.iter().filter(|o| o.at >= line).count();
        let mut behind = end;
        for (n, c) in self.text.get(open.at + 1..end).unwrap_or("").char_indices().rev() {
            match c {
                '}' | ')' | ']' if here > 0 => {
                    here -= 1;
                    behind = open.at + 1 + n;
                }
                ' ' | '\t' | '\r' | ';' => {}
                _ => break,
            }
        }
        let end = behind;
        self.i = end;
        self.out.masked.push((open.at, end));
        self.out.damaged.push((open.at, end));
        let d = self.report(codes::TEXT, open.at, open.at + 1, "this text has no end");
        d.at.text = String::from("a text must end in its own line");
        d.help = Some(String::from(if hole {
            "in a text, `{` begins a hole, which needs `}`; write `\\{` for the character `{`"
        } else {
            "put a `\"` at its end; write `\\\"` for the character `\"`"
        }));
    }

    /// Inside a text: up to its end, the line's end, or a hole.
    fn scan_text(&mut self) {
        loop {
            match self.byte_at(self.i) {
                _ if self.i >= self.bytes.len() => break,
                _ if self.tokens > MOST_TOKENS => return,
                b'\n' => return,
                0 => {
                    self.scan_nul();
                    self.i += 1;
                }
                b'"' => {
                    self.pop_bracket();
                    self.i += 1;
                    (self.fresh, self.hanging) = (false, false);
                    return;
                }
                b'{' => {
                    self.tokens += 1;
                    self.push_bracket(BracketKind::Hole, false);
                    self.i += 1;
                    self.hanging = false;
                    return;
                }
                b'\\' => {
                    self.tokens += 1;
                    let next = self.text.get(self.i + 1..).and_then(|t| t.chars().next());
                    let len = match next {
                        Some('\n') | None => 1,
                        Some(c) => 1 + c.len_utf8(),
                    };
                    if let Some(c) = next
                        && !matches!(c, 'n' | '"' | '\\' | '{' | '}' | '\n' | '\r')
                    {
                        let message = format!("`\\{c}` means nothing in a text");
                        let (start, end) = (self.i, self.i + len);
                        let d = self.report(codes::ESCAPE, start, end, &message);
                        d.help = Some(String::from(
                            "write `\\\\` for the character `\\`; the escapes are `\\n`, `\\\"`, `\\\\`, `\\{`, `\\}`",
                        ));
                    }
                    self.i += len;
                }
                _ => self.i += 1,
            }
        }
        if let Some(at) = self.stack.iter().position(|o| o.kind == BracketKind::Text) {
            self.report_unclosed_text(at);
        }
    }

    fn scan_picture(&mut self) {
        let start = self.i;
        let rest = self.text.get(start + 3..).unwrap_or("");
        if let Some(n) = rest.find("\"\"\"") {
            self.i = start + 3 + n + 2;
            return;
        }
        // To the next declaration, or the end.
        let mut end = self.end_of_line(start);
        while end < self.bytes.len() && !self.is_declaration_at(end + 1) {
            end = self.end_of_line(end + 1);
        }
        self.out.masked.push((start, end));
        self.out.damaged.push((start, end));
        let d = self.report(codes::PICTURE, start, start + 3, "this drawn map has no end");
        d.help = Some(String::from("put `\"\"\"` after its last row"));
        self.i = end.saturating_sub(1).max(start);
    }

    fn close_bracket(&mut self, b: u8, first_of_line: bool) {
        let want = match b {
            b'}' => BracketKind::Brace,
            b')' => BracketKind::Paren,
            _ => BracketKind::Square,
        };
        let matches = |k: BracketKind| k == want || (k == BracketKind::Hole && b == b'}');
        // A round or square bracket does not reach across a curly one.
        let across = self
            .stack
            .iter()
            .rposition(|o| {
                matches(o.kind) || (b != b'}' && matches!(o.kind, BracketKind::Brace | BracketKind::Hole))
            })
            .filter(|n| self.stack.get(*n).is_some_and(|o| matches(o.kind)));
        let Some(index) = across else {
            let (at, sign) = (self.i, b as char);
            let d = self.report(codes::STRAY, at, at + 1, &format!("this `{sign}` closes nothing"));
            d.at.text = String::from("no bracket is open here");
            d.help = Some(String::from("delete it, or write the bracket that it closes"));
            self.i += 1;
            self.fresh = false;
            return;
        };
        while self.stack.len() > index + 1 {
            if let Some(open) = self.pop_bracket()
                && open.kind != BracketKind::Text
            {
                self.report_unclosed(open);
            }
        }
        let Some(open) = self.pop_bracket() else { return };
        self.i += 1;
        (self.fresh, self.hanging, self.legend) = (false, false, false);
        match open.kind {
            BracketKind::Hole => self.scan_text(),
            BracketKind::Brace => {
                let depth = self.stack.len();
                if depth == 0 {
                    self.out.bodies.push((open.at + 1, self.i - 1));
                }
                if self.suspect.is_some_and(|s| s.depth > depth && depth == 0) {
                    self.suspect = None;
                }
                if first_of_line && self.line_indent < open.indent && self.suspect.is_none() {
                    self.suspect = Some(Suspect { at: open.at, depth });
                }
            }
            _ => {}
        }
    }

    /// Whether an unindented declaration (or the doc above one) begins at `at`, the beginning of a line.
    fn is_declaration_at(&self, at: usize) -> bool {
        let mut at = at;
        for _ in 0..LONGEST_DOC {
            if !self.text.get(at..).is_some_and(|t| t.starts_with("##")) {
                break;
            }
            at = self.end_of_line(at) + 1;
        }
        let rest = self.bytes.get(at..).unwrap_or_default();
        let len = rest.iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_').unwrap_or(rest.len());
        let word = self.text.get(at..at + len).unwrap_or("");
        let behind = rest.get(len).copied().unwrap_or(0);
        match word.as_bytes().first() {
            Some(b'A'..=b'Z') => behind == b' ' && rest.get(len + 1).is_some_and(u8::is_ascii_lowercase),
            Some(_) => matches!(behind, b' ' | b'\r' | b'\n' | b'\t') && DECLARATIONS.contains(&word),
            None => false,
        }
    }
}
