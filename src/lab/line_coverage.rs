//! Coverage by lines: which lines of the rules, which ways of a line, and which declarations tests and games have reached, and how many of them.
//!
//! A line counts if code begins on it, or a card is declared there. Lines of tests, invariants, looks and heuristics are none of the rules'.
use super::coverage::{Unit, list_units};
use super::reached::Reached;
use houserule_play::Game;
use houserule_syntax::{self as syntax, Child, NodeId, NodeKind, Tree};
use houserule_text::{FileId, Span};
use std::collections::BTreeMap;
use std::ops::Range;

/// How often a line was reached.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// By place on the line, in order: in how many tests and games it was reached. A line with several is one with ways.
    pub ways: Vec<u64>,
}

impl Line {
    /// How many tests and games reached the line at all.
    pub fn count(&self) -> u64 {
        self.ways.iter().copied().max().unwrap_or(0)
    }

    /// Whether some of the line was reached and some was not.
    pub fn is_partial(&self) -> bool {
        self.count() > 0 && self.ways.contains(&0)
    }
}

/// A declaration, and how many tests and games reached it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// Its line, from 1.
    pub line: usize,
    /// What it is and its name: `rule pay`.
    pub name: String,
    /// How many reached it.
    pub count: u64,
}

/// What was reached of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileCoverage {
    /// The file.
    pub file: FileId,
    /// Its lines that count, from 1.
    pub lines: BTreeMap<usize, Line>,
    /// Its declarations, in the order of the text.
    pub declarations: Vec<Declaration>,
}

/// What was reached of each file that has anything to be reached.
pub fn cover_lines(game: &Game, reached: &Reached) -> Vec<FileCoverage> {
    let mut out = Vec::new();
    let units = list_units(game);
    for (file, f) in game.files().iter() {
        if !f.name.ends_with(".rules") && !f.name.ends_with(".scenario") {
            continue;
        }
        let tree = syntax::parse(file, &f.text).tree;
        let mut aside = Vec::new();
        add_aside(&tree, tree.root(), &mut aside);
        let counts = |at: usize| !aside.iter().any(|r: &Range<usize>| r.contains(&at));
        let mut lines: BTreeMap<usize, Line> = BTreeMap::new();
        let from = Span { file, start: 0, end: 0 };
        for (span, n) in reached.marks.range(from..).take_while(|(s, _)| s.file == file) {
            if counts(span.start as usize) {
                lines.entry(f.line_col(span.start as usize).line).or_default().ways.push(*n);
            }
        }
        let of_file = units.iter().filter(|u| u.span.file == file);
        let declaration = |u: &Unit| {
            let line = f.line_col(u.span.start as usize).line;
            let count = u.count_in(reached);
            if u.is_member() {
                lines.entry(line).or_default().ways.push(count);
            } else if count == 0 {
                // What nothing calls has no code, so no mark stands for it.
                for at in lines_with_text(&f.text, u.span.range()) {
                    let line = f.line_col(at).line;
                    let own = lines.entry(line).or_default();
                    if own.ways.is_empty() {
                        own.ways.push(0);
                    }
                }
            }
            Declaration { line, name: u.title(), count }
        };
        let declarations: Vec<Declaration> = of_file.map(declaration).collect();
        if !lines.is_empty() || !declarations.is_empty() {
            out.push(FileCoverage { file, lines, declarations });
        }
    }
    out
}

/// Where the lines of a stretch begin to say something: not those with nothing but a bracket or a comment.
fn lines_with_text(text: &str, range: Range<usize>) -> Vec<usize> {
    let mut out = Vec::new();
    let mut at = range.start;
    for line in text.get(range).unwrap_or("").split_inclusive('\n') {
        let said = line.trim();
        if !said.is_empty() && !said.starts_with('#') && !said.trim_matches(['{', '}', ' ', ';']).is_empty() {
            out.push(at + (line.len() - line.trim_start().len()));
        }
        at += line.len();
    }
    out
}

/// What is none of the rules'.
fn add_aside(tree: &Tree, at: NodeId, out: &mut Vec<Range<usize>>) {
    use NodeKind as K;
    if matches!(tree.kind(at), K::Test | K::Invariant | K::Heuristic | K::Look | K::Hook) {
        out.push(tree.range(at));
        return;
    }
    for kid in tree.children(at) {
        if let Child::Node(n) = kid {
            add_aside(tree, n, out);
        }
    }
}
