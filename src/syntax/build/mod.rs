//! Builds the typed syntax tree from the pairs of the parser library. Runs after the grammar, before the checker.
//!
//! The grammar has matched already, so every part stands where it is asked for. Should grammar and builder ever disagree, the entry becomes
//! `Bad` with a finding instead of a panic.
mod expr;
mod items;
mod kinds;
mod rules;
mod stmt;

use super::ast::{Doc, EitherName, File, Int, Item, ItemKind, Name, Picture, PictureCell, PictureRow};
use super::codes;
use super::grammar::Rule;
use houserule_text::{Diagnostic, FileId, Span};
use pest::iterators::{Pair, Pairs};
pub(super) use stmt::STMT_HEADS;

/// How many branches an `if` and how many rows a `case` may have: each stands inside the one before it.
const MOST_ARMS: usize = 256;
/// What to do about more of them.
const SHORTER: &str =
    "write the values into a `list`, or move some of the branches into their own `rule` or `value`";
/// How many statements a block may have.
const MOST_STATEMENTS: usize = 2000;

/// One matched rule.
pub(super) type P<'i> = Pair<'i, Rule>;

/// An entry that nothing matched, to be explained later.
pub(super) struct BadPiece {
    /// The rule that took it.
    pub rule: Rule,
    /// What stood there should have been this.
    pub wanted: Rule,
    /// Byte range in the chunk.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
}

/// Builds the typed tree of one chunk.
pub(super) struct Builder {
    file: FileId,
    /// Where the chunk begins in the file.
    base: usize,
    /// Where the chunk's own text ends (closing brackets that were added lie behind it).
    limit: usize,
    /// What was found on the way.
    pub findings: Vec<Diagnostic>,
    /// Entries that nothing matched.
    pub bad: Vec<BadPiece>,
    /// The ways of each `either`.
    pub eithers: Vec<Vec<EitherName>>,
}

/// The children of a pair without layout.
pub(super) struct Kids<'i>(std::iter::Peekable<Pairs<'i, Rule>>);

/// Rules that only lay out text.
pub(super) fn is_layout(rule: Rule) -> bool {
    matches!(rule, Rule::gap | Rule::skip | Rule::sep | Rule::EOI)
}

/// Rules whose own end is exact, or ends in white space that can be cut off.
fn is_leaf(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::text
            | Rule::picture
            | Rule::chars
            | Rule::doc
            | Rule::bad_item
            | Rule::bad_part
            | Rule::bad_row
            | Rule::bad_stmt
            | Rule::bad_hole
    )
}

/// Where a pair really ends: without the white space that a failed optional part has swallowed.
pub(super) fn trimmed_end(pair: &P<'_>) -> usize {
    let span = pair.as_span();
    // Swallowed white space ends in white space: a line end is swallowed only where something goes on behind it.
    if span.as_str().bytes().last().is_none_or(|b| !b.is_ascii_whitespace()) {
        return span.end();
    }
    if !is_leaf(pair.as_rule()) {
        let last = pair.clone().into_inner().rev().find(|p| !is_layout(p.as_rule()));
        if let Some(last) = last {
            return trimmed_end(&last);
        }
    }
    span.start() + span.as_str().trim_end().len()
}

impl<'i> Kids<'i> {
    pub(super) fn from_pair(pair: P<'i>) -> Self {
        let mut kids = Kids(pair.into_inner().peekable());
        kids.skip_layout();
        kids
    }

    fn skip_layout(&mut self) {
        while self.0.peek().is_some_and(|p| is_layout(p.as_rule())) {
            self.0.next();
        }
    }

    /// The rule of the next child.
    pub(super) fn peek(&mut self) -> Option<Rule> {
        self.0.peek().map(Pair::as_rule)
    }

    /// The next child if it is of that rule.
    pub(super) fn next_if(&mut self, rule: Rule) -> Option<P<'i>> {
        if self.0.peek().is_some_and(|p| p.as_rule() == rule) { self.next() } else { None }
    }

    /// Whether the next child is of that rule; if so, it is passed.
    pub(super) fn take_if(&mut self, rule: Rule) -> bool {
        self.next_if(rule).is_some()
    }
}

impl<'i> Iterator for Kids<'i> {
    type Item = P<'i>;
    fn next(&mut self) -> Option<P<'i>> {
        let next = self.0.next();
        self.skip_layout();
        next
    }
}

impl Builder {
    pub(super) fn new(file: FileId, base: usize, limit: usize) -> Self {
        Builder { file, base, limit, findings: Vec::new(), bad: Vec::new(), eithers: Vec::new() }
    }

    pub(super) fn span_at(&self, start: usize, end: usize) -> Span {
        let (start, end) = (start.min(self.limit), end.min(self.limit));
        Span::new(self.file, self.base + start, self.base + end)
    }

    pub(super) fn span_of(&self, pair: &P<'_>) -> Span {
        self.span_at(pair.as_span().start(), trimmed_end(pair))
    }

    pub(super) fn build_name(&self, pair: P<'_>) -> Name {
        // `who`, `cast`, `given` and the like hold exactly one word.
        let text = pair.as_str().trim_end().to_string();
        let start = pair.as_span().start();
        Name { span: self.span_at(start, start + text.len()), text }
    }

    pub(super) fn build_int(&mut self, pair: P<'_>) -> Int {
        let span = self.span_of(&pair);
        let value = pair.as_str().trim_end().parse::<i64>().unwrap_or_else(|_| {
            self.findings.push(
                Diagnostic::error(codes::NUMBER, span, "this number is too large")
                    .help(format!("the greatest number is {}", i64::MAX)),
            );
            i64::MAX
        });
        Int { value, span }
    }

    pub(super) fn build_doc(&self, pair: P<'_>) -> Doc {
        let span = self.span_of(&pair);
        let lines = pair.into_inner().filter(|p| p.as_rule() == Rule::doc_text).map(|p| p.as_str().trim());
        Doc { text: lines.collect::<Vec<_>>().join("\n"), span }
    }

    /// Says that there is too much of something; `pair` is the first that is too much.
    fn report_too_many(&mut self, pair: &P<'_>, limit: &str, help: &str) {
        let start = pair.as_span().start();
        let at = self.span_at(start, start + 1);
        self.findings.push(Diagnostic::error(codes::DEEP, at, limit).help(help));
    }

    pub(super) fn mark_bad(&mut self, pair: &P<'_>, wanted: Rule) {
        let start = pair.as_span().start();
        let end = trimmed_end(pair);
        self.bad.push(BadPiece { rule: pair.as_rule(), wanted, start, end });
    }

    /// Entries between braces, with their docs: `entry` builds one.
    pub(super) fn build_entries<T>(
        &mut self,
        pair: P<'_>,
        mut entry: impl FnMut(&mut Self, Option<Doc>, P<'_>) -> Option<T>,
    ) -> Vec<T> {
        let mut all = Vec::new();
        let mut doc = None;
        for kid in Kids::from_pair(pair) {
            match kid.as_rule() {
                Rule::doc => doc = Some(self.build_doc(kid)),
                Rule::l_brace | Rule::r_brace | Rule::stray => doc = None,
                _ => all.extend(entry(self, doc.take(), kid)),
            }
        }
        all
    }

    /// The whole chunk.
    pub(super) fn build_file(&mut self, pair: P<'_>) -> File {
        let span = self.span_of(&pair);
        let items = self.build_entries(pair, |b, doc, kid| Some(b.build_item(doc, kid)));
        File { items, span, tokens: 0, eithers: std::mem::take(&mut self.eithers) }
    }

    fn build_item(&mut self, doc: Option<Doc>, pair: P<'_>) -> Item {
        let span = self.span_of(&pair);
        let kind = match Kids::from_pair(pair).next() {
            Some(kid) if kid.as_rule() == Rule::bad_item => {
                self.mark_bad(&kid, Rule::only_item);
                ItemKind::Bad
            }
            Some(kid) => self.build_or_report(span, |b| b.build_item_kind(kid)).unwrap_or(ItemKind::Bad),
            None => ItemKind::Bad,
        };
        Item { doc, kind, span }
    }

    /// Runs a builder; if it does not find what the grammar promised, that is a finding.
    pub(super) fn build_or_report<T>(
        &mut self,
        span: Span,
        build: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let built = build(self);
        if built.is_none() {
            self.findings.push(Diagnostic::error(codes::ITEM, span, "this cannot be read"));
        }
        built
    }

    pub(super) fn build_picture(&self, pair: P<'_>) -> Picture {
        let span = self.span_of(&pair);
        let (start, text) = (pair.as_span().start(), pair.as_str());
        let inner = text.get(3..text.len().saturating_sub(3)).unwrap_or("");
        let rows = super::picture::split_rows(inner)
            .into_iter()
            .map(|row| {
                let at = start + 3 + row.start;
                let cell = |c: super::picture::Sign| PictureCell {
                    text: inner.get(c.start..c.end).unwrap_or("").to_string(),
                    indent: c.indent,
                    span: self.span_at(start + 3 + c.start, start + 3 + c.end),
                };
                PictureRow {
                    label: row.label.map(cell),
                    cells: row.cells.into_iter().map(cell).collect(),
                    span: self.span_at(at, start + 3 + row.end),
                }
            })
            .collect();
        Picture { rows, span }
    }
}
