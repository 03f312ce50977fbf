//! Starts a match in a given state: from a file, or from a text of the JSON conversation.
use crate::io::{Failure, Io};
use crate::report;
use crate::setup::Loaded;
use crate::store::{LARGEST, read_whole};
use houserule_lab::given::{self, GivenError, NAME};
use houserule_play::{Match, Setup};
use serde_json::Value;
use std::path::Path;

/// Begins a match in the state that a file describes.
pub fn start_match(loaded: &Loaded, path: &Path, setup: &Setup, io: &mut Io) -> Result<Match, Failure> {
    let text = read_whole(path, LARGEST)
        .and_then(|bytes| String::from_utf8(bytes).map_err(std::io::Error::other))
        .map_err(|e| Failure::Unreadable(format!("cannot read {}: {e}", path.display())))?;
    from_text(loaded, &text, setup).map_err(|wrong| {
        // The block stands in the file that was named.
        let mut bundle = loaded.bundle.clone();
        bundle.shown.insert(String::from(NAME), path.display().to_string());
        let shown = report::draw_findings(&bundle, &wrong.files, &wrong.report.findings, io);
        io.write_findings(&shown);
        Failure::Wrong(format!("{}: the match cannot begin with this state", path.display()))
    })
}

/// Begins a match in the state that a text describes.
pub fn from_text(loaded: &Loaded, text: &str, setup: &Setup) -> Result<Match, GivenError> {
    given::begin_match(&loaded.bundle.files, text, setup)
}

/// What is wrong, in a sentence and for machines.
pub fn describe_wrong(loaded: &Loaded, wrong: &GivenError) -> (String, Value) {
    let findings = wrong.report.findings.iter();
    let message = wrong.first_finding().map_or(String::new(), |d| {
        format!("the match cannot begin with this state: {}: {}", wrong.files.place(d.at.span), d.message)
    });
    (message, findings.map(|d| report::finding_to_json(&loaded.bundle, &wrong.files, d)).collect())
}
