//! Finds syntax errors inside a declaration: a drawing of a broken text must not be changed.
use crate::analysis::Analysis;
use houserule_text::{Diagnostic, FileId, Span};

/// Why a declaration cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The finding's message.
    pub why: String,
    /// Where it lies.
    pub span: Span,
}

impl Broken {
    fn from_finding(d: &Diagnostic) -> Broken {
        Broken { why: d.message.clone(), span: d.at.span }
    }
}

/// Findings about brackets, texts and pictures that are not closed, and files that cannot be read at all: after one of them nobody knows what belongs to what.
const STRUCTURE: [&str; 6] = ["E0101", "E0102", "E0103", "E0106", "E0107", "E0116"];

/// What is wrong with the form of a declaration, if something is: in its range, or with the brackets of its file.
pub fn find_broken(analysis: &Analysis, span: Span) -> Option<Broken> {
    let form = |d: &&Diagnostic| is_form(d) && d.at.span.file == span.file;
    let inside =
        |d: &Diagnostic| d.at.span.start < span.end && span.start < d.at.span.end.max(d.at.span.start + 1);
    let mut all = analysis.report.findings.iter().filter(form);
    all.find(|d| inside(d) || STRUCTURE.contains(&d.code.0)).map(Broken::from_finding)
}

/// Whether a finding is about the form of a text. What is right, but not yet in the engine, can be read all the same.
fn is_form(d: &Diagnostic) -> bool {
    d.is_error() && d.code.0.starts_with("E01") && d.code != houserule_model::body::codes::LATER
}

/// The first thing that is wrong with the form of a file.
pub fn find_first_broken(analysis: &Analysis, file: FileId) -> Option<Broken> {
    let form = |d: &&Diagnostic| is_form(d) && d.at.span.file == file;
    analysis.report.findings.iter().find(form).map(Broken::from_finding)
}
