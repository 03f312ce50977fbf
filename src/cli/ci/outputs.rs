//! What is wrong, for machines: SARIF, annotations of GitHub, JSON.
use super::Tally;
use crate::explain::{all_codes, to_pretty_json};
use crate::load::Bundle;
use houserule_lab::testing::{Failure, TestResult};
use houserule_text::{Files, Severity, Span};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

/// What must be mended, or looked at.
pub struct Complaint {
    /// How bad it is.
    pub severity: Severity,
    /// A code of `houserule explain`, or a word.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// Where; none if it is in no file.
    pub place: Option<Place>,
}

/// A place in a file; lines and columns count from 1.
pub struct Place {
    /// The file as a person knows it.
    file: String,
    /// Where it begins: line, column.
    from: (u64, u64),
    /// Where it ends.
    to: (u64, u64),
}

impl Place {
    /// The place of a span; none for that of nothing.
    pub fn of(bundle: &Bundle, files: &Files, span: Span) -> Option<Place> {
        if span == Span::default() {
            return None;
        }
        let file = files.get(span.file).or_else(|| bundle.files.get(span.file))?;
        // What ships is in no file that a reader has.
        if bundle.shown_name(&file.name).starts_with("<shipped>") {
            return None;
        }
        let place = |at: u32| {
            let at = file.line_col(at as usize);
            (at.line as u64, at.col as u64)
        };
        Some(Place { file: bundle.shown_name(&file.name), from: place(span.start), to: place(span.end) })
    }
}

impl Complaint {
    /// The word for its severity that SARIF, GitHub and JSON have alike.
    fn level(&self) -> &'static str {
        match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }

    /// What is wrong, and what to do.
    fn text(&self) -> String {
        match &self.help {
            Some(help) => format!("{}\n{help}", self.message),
            None => self.message.clone(),
        }
    }
}

/// A line that GitHub shows beside the changed lines.
///
/// Source: GitHub Docs, *Workflow commands for GitHub Actions*.
pub fn to_annotation(c: &Complaint) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let place = c.place.as_ref().map_or(String::new(), |p| {
        let ((line, column), (end_line, end_column)) = (p.from, p.to);
        // Columns are shown within one line only.
        let columns = if line == end_line {
            format!(",col={column},endColumn={}", end_column.max(column))
        } else {
            String::new()
        };
        format!("file={},line={line},endLine={end_line}{columns},", property(&p.file))
    });
    format!("::{} {place}title={}::{}", c.level(), property(c.code), data(&c.text()))
}

/// A warning as a test that failed, where warnings count as errors.
pub fn to_failed_case(c: &Complaint) -> Option<TestResult> {
    if c.severity == Severity::Error {
        return None;
    }
    let file = c.place.as_ref().map_or(String::from("rules"), |p| p.file.clone());
    let place = c.place.as_ref().map_or(file.clone(), |p| format!("{file}:{}:{}", p.from.0, p.from.1));
    let failure = Some(Failure { span: Span::default(), place, message: c.message.clone() });
    let (title, span) = (c.code.to_string(), Span::default());
    Some(TestResult { title, file, span, failure, broken_by: None, time: Duration::ZERO })
}

/// A path as a reference of RFC 3986: from the folder in which the program runs, or a whole one.
fn to_location(path: &str) -> Value {
    let mut uri = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    if uri.starts_with('/') {
        return json!({ "uri": format!("file://{uri}") });
    }
    json!({ "uri": uri, "uriBaseId": "%SRCROOT%" })
}

/// All of it in the Static Analysis Results Interchange Format, version 2.1.0.
pub fn to_sarif(all: &[Complaint]) -> String {
    let codes: BTreeSet<&str> = all.iter().map(|c| c.code).collect();
    let known = all_codes();
    let rule = |code: &&str| {
        let info = known.iter().find(|i| i.code.0 == *code);
        match info {
            Some(i) => json!({
                "id": code, "shortDescription": { "text": i.title }, "help": { "text": i.text, "markdown": i.text },
            }),
            None => json!({ "id": code }),
        }
    };
    let result = |c: &Complaint| {
        let place = |p: &Place| {
            json!({ "physicalLocation": {
                "artifactLocation": to_location(&p.file),
                "region": {
                    "startLine": p.from.0, "startColumn": p.from.1, "endLine": p.to.0, "endColumn": p.to.1,
                },
            } })
        };
        let places: Vec<Value> = c.place.iter().map(place).collect();
        json!({ "ruleId": c.code, "level": c.level(), "message": { "text": c.text() }, "locations": places })
    };
    to_pretty_json(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "houserule", "version": env!("CARGO_PKG_VERSION"),
                "rules": codes.iter().map(rule).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": all.iter().map(result).collect::<Vec<_>>(),
        }],
    })) + "\n"
}

/// What was looked at, and what is wrong.
pub fn to_json(tally: &Tally, seed: u64, spots: usize, bad: bool) -> Value {
    let one = |c: &Complaint| {
        let place = c.place.as_ref().map(|p| {
            json!({ "file": p.file, "line": p.from.0, "column": p.from.1, "end_line": p.to.0, "end_column": p.to.1 })
        });
        json!({ "severity": c.level(), "code": c.code, "message": c.message, "help": c.help, "at": place })
    };
    json!({
        "version": 1, "passed": !bad, "games": spots, "files": tally.files.len(), "tests": tally.tested.len(),
        "played": tally.games, "seed": seed, "errors": tally.count(Severity::Error),
        "warnings": tally.count(Severity::Warning), "complaints": tally.complaints.iter().map(one).collect::<Vec<_>>(),
    })
}
