//! Scenarios that the rules must refuse: what `check` says of them notices changes of a game's demands on scenarios, which its own scenarios all meet.
use houserule_model as model;
use houserule_play::find_unplayable_start;
use houserule_syntax::{self as syntax, ast::ItemKind};
use houserule_text::{Diagnostic, File, FileId, Files};

/// A scenario that must not be playable, with what is found in it as the rules stand.
#[derive(Clone, Debug)]
pub struct RefusedScenario {
    /// Its text: one scenario of the game.
    text: String,
    /// Code and message of each finding in it.
    said: Vec<String>,
}

impl RefusedScenario {
    /// A scenario of the game in `files`; none if nothing is wrong in it.
    pub fn new(files: &Files, text: &str) -> Option<RefusedScenario> {
        let said = list_findings(files, text);
        (!said.is_empty()).then(|| RefusedScenario { text: text.into(), said })
    }

    /// Whether other rules refuse it for the same reasons.
    pub fn is_refused_alike(&self, files: &Files) -> bool {
        list_findings(files, &self.text) == self.said
    }
}

/// Code and message of what is wrong in a scenario.
fn list_findings(files: &Files, text: &str) -> Vec<String> {
    let mut files = files.clone();
    let own: FileId = files.add(File::new("refused.scenario", text));
    let checked = model::check(&files);
    let mut found = checked.report.findings;
    if let (Some(m), Some(name)) = (checked.model, find_name(own, text))
        && !found.iter().any(Diagnostic::is_error)
    {
        found.extend(find_unplayable_start(&m, Some(&name)));
    }
    found.retain(|d| d.is_error() && d.at.span.file == own);
    found.iter().map(|d| format!("{} {}", d.code.0, d.message)).collect()
}

/// The word of the first scenario in a text.
fn find_name(file: FileId, text: &str) -> Option<String> {
    syntax::read(file, text).0.items.into_iter().find_map(|item| match item.kind {
        ItemKind::Scenario(s) => Some(s.name.text.as_str().to_string()),
        _ => None,
    })
}
