//! What the list of findings shows, as plain data.
use crate::analyses::GameAnalysis;
use crate::document::{Document, TextPlace};

/// One finding, in the present text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Whether the game cannot be played because of it.
    pub error: bool,
    /// Its documented code.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do, if that is known.
    pub help: Option<String>,
    /// Where.
    pub place: TextPlace,
    /// File and line, as a person says it.
    pub told: String,
}

/// All findings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Data {
    /// Errors first, then by file and place.
    pub findings: Vec<Finding>,
    /// Whether the set-ups were tried, too.
    pub tried: bool,
}

impl Data {
    /// The findings of a game.
    pub fn from_known(document: &Document, known: &GameAnalysis) -> Data {
        let mut findings = Vec::new();
        let mut lines = Lines { document, file: None, at: 0, line: 1 };
        let unplayable = known.unplayable.iter().flat_map(|all| all.iter());
        for d in known.analysis.report.findings.iter().chain(unplayable) {
            let Some(file) = known.analysis.files.get(d.at.span.file) else { continue };
            let range = document.follow_range(known.revision, &file.name, d.at.span.range()).range;
            let place = TextPlace::new(&*file.name, range);
            findings.push(Finding {
                error: d.is_error(),
                code: d.code.0,
                message: d.message.clone(),
                help: d.help.clone(),
                told: lines.place_text(&place),
                place,
            });
        }
        findings.sort_by_key(|f| !f.error);
        Data { findings, tried: known.unplayable.is_some() }
    }

    /// How many errors, and how many warnings.
    pub fn count_by_severity(&self) -> (usize, usize) {
        let errors = self.findings.iter().filter(|f| f.error).count();
        (errors, self.findings.len() - errors)
    }

    /// The finding after or before a place, in order of files and places; the first or last beyond the end.
    pub fn next_from(&self, here: Option<&TextPlace>, forward: bool) -> Option<&Finding> {
        let mut all: Vec<&Finding> = self.findings.iter().collect();
        let key = |p: &TextPlace| (p.file.clone(), p.range.start);
        all.sort_by_key(|f| key(&f.place));
        let Some(here) = here.map(key) else { return all.first().copied() };
        if forward {
            all.iter().find(|f| key(&f.place) > here).or(all.first()).copied()
        } else {
            all.iter().rev().find(|f| key(&f.place) < here).or(all.last()).copied()
        }
    }
}

/// Tells places one after the other: each text is gone through once, however many findings it has.
struct Lines<'a> {
    document: &'a Document,
    file: Option<std::sync::Arc<str>>,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    /// As [`Document::place_text`].
    fn place_text(&mut self, place: &TextPlace) -> String {
        if self.file.as_ref() != Some(&place.file) || place.range.start < self.at {
            (self.file, self.at, self.line) = (Some(place.file.clone()), 0, 1);
        }
        let text = self.document.text(&place.file).unwrap_or("");
        let between = text.get(self.at..place.range.start).unwrap_or("");
        self.line += between.matches('\n').count();
        self.at = place.range.start;
        format!("{}:{}", place.file, self.line)
    }
}

/// `2 errors, 1 warning`; nothing if there are none.
pub fn counts_text(errors: usize, warnings: usize) -> String {
    let many = |n: usize, word: &str| match n {
        0 => None,
        1 => Some(format!("1 {word}")),
        n => Some(format!("{n} {word}s")),
    };
    let parts: Vec<String> =
        [many(errors, "error"), many(warnings, "warning")].into_iter().flatten().collect();
    parts.join(", ")
}
