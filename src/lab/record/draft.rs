//! Writes the text of a recorded test, finds the file where it belongs, and runs it.
use super::chance::Depth;
use super::{EXPECTED, GivenBlock, Recorded, Stretch, WIDTH};
use crate::testing;
use houserule_model::hir::ScopeKind;
use houserule_play::{Game, Match};
use houserule_text::{File, FileId, Files, Span};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A test on its way.
pub(super) struct Draft {
    pub(super) head: String,
    pub(super) lines: Vec<String>,
    pub(super) expected: Vec<String>,
}

/// The lines of a test: options, the block that a match began in, and every choice behind what chance brings on it. Without `chance` this is left to the seed.
pub(super) fn make_body(
    given: &Option<GivenBlock>,
    options: &[String],
    stretches: &[Stretch],
    chance: Option<Depth>,
) -> Vec<String> {
    let mut out: Vec<String> = options.to_vec();
    for (i, s) in stretches.iter().enumerate() {
        let own = given.as_ref().filter(|_| i == 0);
        if let Some(depth) = chance {
            for statement in s.lots.to_statements(depth, own.map(|g| g.body.as_str())) {
                wrap_statement(&statement, &mut out);
            }
        }
        if let Some(g) = own {
            // Behind the first line, which has been cut out of its block, as far in as they were to each other.
            let blanks = |l: &&str| l.len() - l.trim_start().len();
            let rest = || g.body.lines().skip(1).filter(|l| !l.trim().is_empty());
            let least = rest().map(|l| blanks(&l)).min().unwrap_or(0);
            out.extend(g.body.lines().take(1).map(|l| l.trim_end().to_string()));
            out.extend(rest().map(|l| l.get(least..).unwrap_or(l).trim_end().to_string()));
        }
        out.extend((!s.says.is_empty()).then(|| s.says.clone()));
    }
    out
}

/// A statement as one line or several: it goes on behind a comma.
fn wrap_statement(statement: &str, out: &mut Vec<String>) {
    let mut line = String::new();
    for piece in statement.split_inclusive(", ") {
        if !line.is_empty() && line.len() + piece.trim_end().len() > WIDTH {
            out.push(std::mem::take(&mut line).trim_end().to_string());
            line.push_str("  ");
        }
        line.push_str(piece);
    }
    out.push(line);
}

impl Draft {
    pub(super) fn to_text(&self, indent: &str) -> String {
        let mut out = format!("{indent}{}\n", self.head);
        for line in self.lines.iter().chain(&self.expected) {
            let _ = writeln!(out, "{indent}  {}", line.trim_end());
        }
        let _ = writeln!(out, "{indent}}}");
        out
    }
}

/// Where a test belongs.
pub(super) struct Home {
    file: String,
    at: usize,
    indent: &'static str,
    /// Whether a line break is missing before it.
    breaks: &'static str,
}

impl Home {
    /// Beside the rule that it shows, if tests stand in that file; else where most tests stand; with mods in force, in the last of these.
    pub(super) fn find_home(m: &Match, files: &Files, rule: &Option<Span>) -> Home {
        let model = m.game().model();
        let mut in_force = model.scopes.iter().filter(|s| {
            let on = m.setup().mods.as_ref().is_none_or(|all| all.iter().any(|x| **x == *s.name));
            s.kind == ScopeKind::Mod && on
        });
        let name = |id: FileId| m.game().files().get(id).map(|f| f.name.clone());
        let held = |n: &str| files.iter().find(|(_, f)| f.name == n).map(|(_, f)| f);
        if let Some(scope) = in_force.next_back()
            && let Some(f) = name(scope.span.file).and_then(|n| held(&n).cloned())
            && let Some(at) = f.text.rfind('}')
        {
            return Home { file: f.name, at, indent: "  ", breaks: "\n" };
        }
        let mut tests: BTreeMap<String, usize> = BTreeMap::new();
        for t in &model.tests {
            let own = model.scopes.get(t.scope.index()).is_some_and(|s| s.kind == ScopeKind::Game);
            if let Some(n) = name(t.span.file).filter(|n| own && held(n).is_some()) {
                *tests.entry(n).or_default() += 1;
            }
        }
        let beside = rule.and_then(|r| name(r.file)).filter(|n| tests.contains_key(n));
        let most = || tests.iter().max_by_key(|(_, n)| **n).map(|(f, _)| f.clone());
        let main = || model.scopes.first().and_then(|s| name(s.span.file));
        let file = beside.or_else(most).or_else(main).unwrap_or_default();
        let text = held(&file).map_or("", |f| &f.text);
        let breaks = if text.is_empty() || text.ends_with("\n\n") {
            ""
        } else if text.ends_with('\n') {
            "\n"
        } else {
            "\n\n"
        };
        Home { at: text.len(), file, indent: "", breaks }
    }

    /// Behind the first of the game's files, for a test that belongs nowhere in particular.
    pub(super) fn at_the_end(files: &Files) -> Home {
        let first = files.iter().next().map(|(_, f)| f);
        let (file, at) = first.map_or((String::new(), 0), |f| (f.name.clone(), f.text.len()));
        Home { file, at, indent: "", breaks: "\n\n" }
    }

    fn make_insertion(&self, d: &Draft) -> String {
        format!("{}{}", self.breaks, d.to_text(self.indent))
    }

    pub(super) fn to_recorded(
        &self,
        d: &Draft,
        title: String,
        seeded: bool,
        notes: impl IntoIterator<Item = String>,
    ) -> Recorded {
        let text = self.make_insertion(d);
        // Behind its quote: the words before it may hold the same letters.
        let from = text.find(&format!("\"{title}\"")).map_or(0, |at| at + 1);
        let title_at = from..from + title.len();
        let notes = notes.into_iter().collect();
        Recorded { file: self.file.clone(), at: self.at, text, title, title_at, seeded, notes }
    }
}

/// Runs a draft where it belongs. Gives why it does not pass, with the line of the draft, from 0, if it is one; none if it passes.
///
/// # Errors
/// Why it cannot be put there.
pub(super) fn try_draft(
    files: &Files,
    home: &Home,
    title: &str,
    d: &Draft,
) -> Result<Option<(Option<usize>, String)>, String> {
    let put = home.make_insertion(d);
    let mut all = Files::new();
    let mut id = None;
    for (_, f) in files.iter() {
        let mut f = f.clone();
        if f.name == home.file {
            let mut text = f.text.clone();
            if !text.is_char_boundary(home.at.min(text.len())) {
                return Err(String::from("the file has changed"));
            }
            text.insert_str(home.at.min(text.len()), &put);
            f = File::new(f.name.clone(), text);
            id = Some(all.add(f));
            continue;
        }
        all.add(f);
    }
    let Some(id) = id else { return Err(format!("there is no file {} to put it in", home.file)) };
    // The line of the draft that a place belongs to, from 0.
    let line = |span: Span| {
        let at = span.range().start.checked_sub(home.at)?;
        let before = put.get(..at)?;
        (span.file == id).then(|| before.get(home.breaks.len()..).unwrap_or("").matches('\n').count())
    };
    Ok(match Game::load_with_files(&all) {
        Err((files, report)) => {
            let first = report.findings.into_iter().find(|x| x.is_error());
            first.map(|x| (line(x.at.span), format!("{}: {}", files.place(x.at.span), x.message)))
        }
        Ok(game) => {
            let results = testing::run(&game, Some(title));
            let mine = results.into_iter().find(|r| r.title == title);
            match mine {
                None => Some((None, String::from("the test was not found"))),
                Some(r) => r.failure.map(|f| (line(f.span), f.to_string())),
            }
        }
    })
}

/// Runs a draft; expectations that cannot be said or do not hold are left out. Gives those that are left.
///
/// # Errors
/// Why the test does not pass, or that nothing is left to be expected.
pub(super) fn run_draft(
    files: &Files,
    home: &Home,
    title: &str,
    mut d: Draft,
) -> Result<Vec<String>, String> {
    let mut last = String::new();
    for _ in 0..2 * EXPECTED + 8 {
        if d.expected.is_empty() {
            return Err(format!("a test cannot express any result of this{last}"));
        }
        let wrong = try_draft(files, home, title, &d)?;
        let Some((line, why)) = wrong else { return Ok(d.expected) };
        // The head is line 0.
        let expectation =
            line.and_then(|l| l.checked_sub(1 + d.lines.len())).filter(|i| *i < d.expected.len());
        match expectation {
            // What is to be shown must hold.
            Some(i) if !d.expected.get(i).is_some_and(|e| e.starts_with("refuse")) => {
                d.expected.remove(i);
                last = format!(": {why}");
            }
            _ => return Err(why),
        }
    }
    Err(String::from("a test can express too little of the result"))
}
