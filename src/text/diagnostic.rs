//! Findings (diagnostics): plain data with spans. The command line and the editor print them.
use super::Span;

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The rules run, but this is probably not what was meant.
    Warning,
    /// The rules do not run.
    Error,
}

/// A documented code such as `E0123` or `W0007`; `houserule explain` tells more.
///
/// E01xx text and form, E02xx names, E03xx types, E04xx none and ranges, E05xx guards, purity and secrets, E06xx set-ups, maps and components,
/// E07xx attachments, E08xx tests, E09xx hooks and limits; W0xxx warnings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Code(pub &'static str);

/// A place with a word about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there; may be empty.
    pub text: String,
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Its documented code.
    pub code: Code,
    /// Error or warning.
    pub severity: Severity,
    /// One sentence: what is wrong, in the reader's words.
    pub message: String,
    /// The place itself, with what is wrong there.
    pub at: Label,
    /// Other places that matter ("declared here").
    pub others: Vec<Label>,
    /// What to do, if that is known.
    pub help: Option<String>,
    /// A text that, put in place of `at.span`, mends it: what *did you mean* means, for editors and tests.
    pub fix: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            at: Label { span, text: String::new() },
            others: Vec::new(),
            help: None,
            fix: None,
        }
    }

    /// A warning at a place.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// Adds a label at the place itself.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.at.text = text.into();
        self
    }

    /// Adds another place with a label.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.others.push(Label { span, text: text.into() });
        self
    }

    /// Adds advice.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Adds advice, if there is any.
    pub fn help_if(mut self, text: Option<String>) -> Self {
        self.help = text.or(self.help);
        self
    }

    /// Adds a replacement for the place, shown as *did you mean*.
    pub fn suggest(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        self.help.get_or_insert_with(|| format!("did you mean `{text}`?"));
        self.fix = Some(text);
        self
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// All findings of one run, in order of file and place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The findings.
    pub findings: Vec<Diagnostic>,
}

impl Report {
    /// Whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(Diagnostic::is_error)
    }

    /// Adds one.
    pub fn push(&mut self, d: Diagnostic) {
        self.findings.push(d);
    }

    /// Sorts by file, place and code, and drops doubles.
    pub fn sort_and_dedup(&mut self) {
        self.findings.sort_by(|a, b| (a.at.span, a.code, &a.message).cmp(&(b.at.span, b.code, &b.message)));
        self.findings.dedup();
    }
}
