//! Whether every part of the grammar is played: one that parses and changes nothing is a fault.
//!
//! For each part that a writer may leave out or exchange (`parts`), some text must show a difference without it (`differences`): another result of a test, another
//! random match, another drawing or another finding. Other code alone is none: a word may be lowered and never looked at. `shown.txt` names for each part the text and
//! the change that showed it; it is tried first, then all
//! other texts. `not_shown.txt` names the parts that cannot show, each with its reason.
//!
//! `HOUSERULE_BLESS=1 cargo test --test suite forms` looks for the strongest difference of every part whose line no longer holds and writes `shown.txt`; with
//! `HOUSERULE_BLESS=all` of every part that no test shows. `HOUSERULE_PART=zone` looks at the parts alone whose names hold that. Read the table before you commit it.
mod differences;
mod grammar;
mod parts;
mod texts;

use crate::support::root;
use differences::{Shown, Sight};
use grammar::{Grammar, Matched};
use parts::{Part, Sort, parts, places};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::OnceLock;
use texts::{Text, texts};

/// A change of a text: what stands in a range is replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Change {
    range: Range<usize>,
    new: String,
}

/// A line of `shown.txt`: a part, the text that shows it, how, and what is replaced by what in it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    part: String,
    file: String,
    how: String,
    old: String,
    new: String,
}

/// A text with what has been found out about it.
struct Known {
    text: Text,
    matches: OnceLock<Option<Vec<Matched>>>,
    sight: OnceLock<Option<Sight>>,
}

/// How many changes of a part are tried before one is taken that shows in no test.
const TRIES: usize = 60;

/// How many are tried before one is taken that shows in no play.
const MORE_TRIES: usize = 300;

/// How many texts of other alternatives are put in place of one.
const INSTEAD: usize = 12;

struct Search {
    grammar: Grammar,
    texts: Vec<Known>,
}

impl Search {
    fn new() -> Search {
        let known = |text| Known { text, matches: OnceLock::new(), sight: OnceLock::new() };
        Search { grammar: Grammar::read(), texts: texts().into_iter().map(known).collect() }
    }

    fn matches<'a>(&self, t: &'a Known) -> &'a [Matched] {
        t.matches.get_or_init(|| self.grammar.matches(&t.text.text)).as_deref().unwrap_or(&[])
    }

    /// Where a part stands in a text. An exchanged word stands where it can be exchanged.
    fn places(&self, part: &Part, t: &Known) -> Vec<Matched> {
        if part
            .words
            .as_ref()
            .is_some_and(|(a, b)| !t.text.text.contains(a.as_str()) && !t.text.text.contains(b.as_str()))
        {
            return Vec::new();
        }
        places(&self.grammar, part, self.matches(t))
    }

    /// Returns how a change of a text can be noticed. Tries the way that `shown.txt` names first.
    fn shown(&self, t: &Known, change: &Change, expected: Option<Shown>) -> Option<Shown> {
        let before = t.sight.get_or_init(|| Sight::of(&t.text, &t.text.text)).as_ref()?;
        let text = changed(&t.text.text, change);
        let after = Sight::of(&t.text, &text)?;
        expected.filter(|how| before.differs_in(&after, *how)).or_else(|| before.differs(&after))
    }

    /// The changes of a part at a place: it is left out, exchanged, and last what stands in it is altered.
    fn changes(&self, part: &Part, t: &Known, at: &Matched, pool: &Pool) -> Vec<Change> {
        let text = &t.text.text;
        let range = at.start..at.start + text[at.start..at.end].trim_end().len();
        let old = &text[range.clone()];
        let whole = |new: &str| Change { range: range.clone(), new: new.to_string() };
        let mut out = Vec::new();
        match part.sort {
            Sort::Words => {
                let Some((a, b)) = &part.words else { return out };
                out.extend((old == a).then(|| whole(b)));
                out.extend((old == b).then(|| whole(a)));
                return out;
            }
            Sort::Optional => out.push(whole("")),
            Sort::Alternative => {
                out.push(whole(""));
                let here =
                    self.matches(t).iter().filter(|m| part.others.contains(&m.node) && m.start < m.end);
                let mut others: Vec<String> =
                    here.map(|m| text[m.start..m.end].trim_end().to_string()).take(INSTEAD).collect();
                others.extend(part.others.iter().filter_map(|n| pool.get(n)).flatten().cloned());
                others.sort_by_key(String::len);
                others.dedup();
                out.extend(others.iter().filter(|o| *o != old).take(INSTEAD).map(|o| whole(o)));
            }
        }
        out.extend(alterations(text, range));
        out
    }

    /// The strongest difference that a part makes in any text; quick takes the first.
    fn search(&self, part: &Part, pool: &Pool, quick: bool) -> Option<(Shown, Row)> {
        let (mut best, mut tries): (Option<(Shown, Row)>, usize) = (None, 0);
        for t in &self.texts {
            for at in self.places(part, t) {
                for change in self.changes(part, t, &at, pool) {
                    tries += 1;
                    let Some(shown) = self.shown(t, &change, None) else { continue };
                    if best.as_ref().is_none_or(|(b, _)| shown < *b) {
                        best = Some((shown, self.row(part, t, shown, &change)));
                    }
                    if shown == Shown::Test || quick {
                        return best;
                    }
                }
                let enough =
                    best.as_ref().map(|(s, _)| if *s <= Shown::Drawing { TRIES } else { MORE_TRIES });
                if enough.is_some_and(|n| tries > n) {
                    return best;
                }
            }
        }
        best
    }

    fn row(&self, part: &Part, t: &Known, shown: Shown, c: &Change) -> Row {
        Row {
            part: part.name.clone(),
            file: t.text.name.clone(),
            how: shown.to_string(),
            old: short(&t.text.text[c.range.clone()]),
            new: c.new.clone(),
        }
    }

    /// Whether a row still shows its part.
    fn holds(&self, part: &Part, row: &Row) -> bool {
        let Some(t) = self.texts.iter().find(|t| t.text.name == row.file) else { return false };
        let text = &t.text.text;
        self.places(part, t).iter().any(|at| {
            let whole = at.start..at.start + text[at.start..at.end].trim_end().len();
            let mut all = vec![Change { range: whole.clone(), new: row.new.clone() }];
            all.extend(alterations(text, whole));
            let is_it = |c: &&Change| c.new == row.new && short(&text[c.range.clone()]) == row.old;
            all.iter().filter(is_it).any(|c| self.shown(t, c, Shown::named(&row.how)).is_some())
        })
    }

    /// Short texts of every alternative.
    fn pool(&self, parts: &[Part]) -> Pool {
        let wanted: BTreeSet<usize> = parts.iter().flat_map(|p| &p.others).copied().collect();
        let mut out = Pool::new();
        for t in &self.texts {
            for m in self.matches(t).iter().filter(|m| wanted.contains(&m.node) && m.start < m.end) {
                let text = t.text.text[m.start..m.end].trim_end();
                let all = out.entry(m.node).or_default();
                if text.len() < 80 && all.len() < 6 && !all.iter().any(|a| a == text) {
                    all.push(text.to_string());
                }
            }
        }
        out
    }
}

/// Texts of alternatives, by their nodes.
type Pool = BTreeMap<usize, Vec<String>>;

/// A text with a change made; what stood apart stays apart.
fn changed(text: &str, c: &Change) -> String {
    let (head, tail) = (&text[..c.range.start], &text[c.range.end..]);
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    let blank = if c.new.is_empty() && is_word(head.chars().last()) && is_word(tail.chars().next()) {
        " "
    } else {
        ""
    };
    format!("{head}{}{blank}{tail}", c.new)
}

/// A text in one line, not too long to name it by.
fn short(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    line.join(" ").chars().take(70).collect()
}

/// What stands in a range, altered: other texts, numbers and names.
fn alterations(text: &str, range: Range<usize>) -> Vec<Change> {
    let mut out = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let rest = &text[at..range.end];
        let c = rest.chars().next().unwrap_or(' ');
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let len = match c {
            '"' => rest[1..].find('"').map_or(rest.len(), |n| n + 2),
            c if is_part(c) => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let word = &rest[..len];
        let new = match c {
            '"' => Some("\"something else\"".to_string()),
            '0'..='9' => word.parse::<u32>().ok().map(|n| (n + 1).to_string()),
            _ => match word {
                "yes" => Some("no".into()),
                "no" => Some("yes".into()),
                "==" => Some("!=".into()),
                _ => None,
            },
        };
        out.extend(new.map(|new| Change { range: at..at + len, new }));
        at += len;
    }
    out.truncate(6);
    out
}

fn table(name: &str) -> String {
    std::fs::read_to_string(root().join("tests/forms").join(name)).unwrap_or_default()
}

fn rows() -> Vec<Row> {
    let text = table("shown.txt");
    let lines = text.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty());
    lines
        .map(|line| {
            let cells: Vec<&str> = line.splitn(4, " | ").collect();
            let [part, file, how, change] = cells[..] else { panic!("not a row of shown.txt: {line}") };
            let (old, new): (String, String) =
                serde_json::from_str(change).unwrap_or_else(|e| panic!("not a change: {change}: {e}"));
            Row { part: part.into(), file: file.into(), how: how.into(), old, new }
        })
        .collect()
}

/// The parts that cannot show, with their reasons.
fn not_shown() -> BTreeMap<String, String> {
    let text = table("not_shown.txt");
    let lines = text.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty());
    lines
        .map(|l| l.split_once(" | ").unwrap_or_else(|| panic!("not a row of not_shown.txt: {l}")))
        .map(|(part, reason)| (part.to_string(), reason.to_string()))
        .collect()
}

#[test]
fn every_part_of_the_grammar_makes_a_difference() {
    let search = Search::new();
    let all = parts(&search.grammar);
    let bless = std::env::var_os("HOUSERULE_BLESS").is_some();
    let anew = std::env::var("HOUSERULE_BLESS").is_ok_and(|how| how == "all");
    let only = std::env::var("HOUSERULE_PART").unwrap_or_default();
    let excused = not_shown();
    let rows: BTreeMap<String, Row> = rows().into_iter().map(|r| (r.part.clone(), r)).collect();
    let wanted: Vec<&Part> = all.iter().filter(|p| p.name.contains(&only)).collect();
    let pool = OnceLock::new();
    let found: Vec<(&Part, Option<Row>)> = wanted
        .par_iter()
        .map(|p| {
            // What shows in a test cannot show any better.
            let known = rows.get(&p.name).filter(|r| !anew || r.how == Shown::Test.to_string());
            if known.is_some_and(|r| search.holds(p, r)) {
                return (*p, known.cloned());
            }
            // What is said not to show is looked for only when the table is written.
            if !bless && excused.contains_key(&p.name) {
                return (*p, None);
            }
            let pool = pool.get_or_init(|| search.pool(&all));
            (*p, search.search(p, pool, !bless).map(|(_, row)| row))
        })
        .collect();
    if bless {
        let mut all = rows.clone();
        all.retain(|part, _| !part.contains(&only));
        all.extend(found.iter().filter_map(|(p, row)| Some((p.name.clone(), row.clone()?))));
        let mut text = String::from(HEAD);
        for row in all.values() {
            let change = serde_json::to_string(&(&row.old, &row.new)).expect("text");
            text += &format!("{} | {} | {} | {change}\n", row.part, row.file, row.how);
        }
        std::fs::write(root().join("tests/forms/shown.txt"), text).expect("the table is written");
    }
    let mut wrong = Vec::new();
    for (part, row) in &found {
        match (row, excused.get(&part.name)) {
            (None, None) => {
                let n: usize = search.texts.iter().map(|t| search.places(part, t).len()).sum();
                wrong.push(format!("{} ({n} places)", part.name));
            }
            (Some(row), Some(_)) => {
                wrong.push(format!("{} is said not to show, and shows in {}", part.name, row.file))
            }
            _ => {}
        }
    }
    let names: BTreeSet<&str> = all.iter().map(|p| p.name.as_str()).collect();
    let gone = rows.keys().filter(|_| !bless).chain(excused.keys()).filter(|p| !names.contains(p.as_str()));
    wrong.extend(gone.map(|p| format!("{p}: the grammar has no such part")));
    assert!(all.len() > 400, "only {} parts were found", all.len());
    assert!(
        wrong.is_empty(),
        "{} of {} parts make no difference in any text:\n{}",
        wrong.len(),
        all.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_word_stands_in_the_book() {
    let page =
        std::fs::read_to_string(root().join("docs/book/reference/words.md")).expect("the list of words");
    let mut listed = BTreeSet::new();
    for cell in page.lines().filter_map(|l| l.strip_prefix('|')?.split('|').next()) {
        for word in cell.split('`').skip(1).step_by(2) {
            listed.extend(word.split(|c: char| !c.is_ascii_alphanumeric()).map(String::from));
        }
    }
    let grammar = std::fs::read_to_string(root().join("grammar/words.pest")).expect("the grammar's words");
    let words = grammar.lines().filter(|l| l.starts_with("k_")).filter_map(|l| l.split('"').nth(1));
    let missing: Vec<&str> = words.filter(|w| !listed.contains(*w)).collect();
    assert!(missing.is_empty(), "words.md does not list {}", missing.join(", "));
}

/// What stands at the head of `shown.txt`.
const HEAD: &str = "# For each part of the grammar: the text that shows it, how, and what is replaced by what in it.\n\
    # Written by HOUSERULE_BLESS=1 cargo test --test suite forms\n";
