//! Findings, drawn for people with the text beside them, or as JSON.
use super::io::Io;
use super::load::Bundle;
use crate::text::{Diagnostic, Files, Report, Severity, Span};
use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode, SourceSpan,
    ThemeCharacters, ThemeStyles,
};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// How many findings of one run are drawn; the rest is counted.
const MOST: usize = 200;

/// How many of the other findings are drawn where text could not be read: much may only follow from that.
const FOLLOWING: usize = 10;

/// A finding with its text, as the drawing library wants it.
#[derive(Debug)]
struct Drawn {
    finding: Diagnostic,
    source: Arc<NamedSource<String>>,
    labels: Vec<LabeledSpan>,
    help: Option<String>,
}

impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.finding.message)
    }
}

impl std::error::Error for Drawn {}

impl miette::Diagnostic for Drawn {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.finding.code.0))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.finding.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|h| Box::new(h) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self.source.as_ref())
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}

/// What draws, as the streams allow.
fn handler(io: &Io) -> GraphicalReportHandler {
    let characters = if io.unicode { ThemeCharacters::unicode() } else { ThemeCharacters::ascii() };
    let styles = if io.color { ThemeStyles::ansi() } else { ThemeStyles::none() };
    GraphicalReportHandler::new_themed(GraphicalTheme { characters, styles })
        .with_width(io.width)
        .with_links(false)
        .with_context_lines(1)
        .tab_width(2)
}

/// Whether text could not be read (codes E0101 to E0189).
fn unread(d: &Diagnostic) -> bool {
    d.code.0.starts_with("E01") && d.code.0 < "E0190"
}

/// Draws findings, what could not be read first; gives the text.
pub fn draw(bundle: &Bundle, files: &Files, findings: &[Diagnostic], io: &Io) -> String {
    let handler = handler(io);
    let mut sources: HashMap<u16, Arc<NamedSource<String>>> = HashMap::new();
    let mut out = String::new();
    let unread_ones = findings.iter().filter(|d| unread(d)).count();
    let most = if unread_ones == 0 { MOST } else { (unread_ones + FOLLOWING).min(MOST) };
    let in_order = findings.iter().filter(|d| unread(d)).chain(findings.iter().filter(|d| !unread(d)));
    for finding in in_order.take(most) {
        let span = finding.at.span;
        let file = files.get(span.file);
        let source = sources.entry(span.file.0).or_insert_with(|| {
            let name = file.map_or(String::from("?"), |f| bundle.shown(&f.name));
            Arc::new(NamedSource::new(name, file.map_or(String::new(), |f| f.text.clone())))
        });
        let mut help = finding.help.clone();
        let mut labels = vec![label(files, span, &finding.at.text, true)];
        for other in &finding.others {
            if other.span.file == span.file {
                labels.push(label(files, other.span, &other.text, false));
            } else {
                let line = format!("{}: {}", place(bundle, files, other.span), other.text);
                help = Some(help.map_or(line.clone(), |h| format!("{h}\n{line}")));
            }
        }
        let drawn = Drawn { finding: finding.clone(), source: source.clone(), labels, help };
        if handler.render_report(&mut out, &drawn).is_err() {
            // Rather plain than not at all.
            out.push_str(&format!("{}: {}\n", place(bundle, files, span), finding.message));
        }
        out.push('\n');
    }
    if findings.len() > most {
        let why = if unread_ones == 0 { "" } else { "; they may only follow from what could not be read" };
        out.push_str(
            &format!("… and {} more{why}\n", findings.len() - most)
                .replace('…', if io.unicode { "…" } else { "..." }),
        );
    }
    out
}

fn label(files: &Files, span: Span, text: &str, primary: bool) -> LabeledSpan {
    let len = files.get(span.file).map_or(0, |f| f.text.len());
    let start = (span.start as usize).min(len);
    let end = (span.end as usize).clamp(start, len);
    let text = (!text.is_empty()).then(|| text.to_string());
    let at = SourceSpan::from(start..end);
    if primary { LabeledSpan::new_primary_with_span(text, at) } else { LabeledSpan::new_with_span(text, at) }
}

/// `path:line:column` of a span, with the path as a person knows it.
pub fn place(bundle: &Bundle, files: &Files, span: Span) -> String {
    match files.get(span.file) {
        Some(f) => {
            let at = f.line_col(span.start as usize);
            format!("{}:{}:{}", bundle.shown(&f.name), at.line, at.col)
        }
        None => String::from("?"),
    }
}

/// A finding for machines.
pub fn json(bundle: &Bundle, files: &Files, d: &Diagnostic) -> serde_json::Value {
    let at = |span: Span, text: &str| {
        let file = files.get(span.file);
        let (from, to) = match file {
            Some(f) => (f.line_col(span.start as usize), f.line_col(span.end as usize)),
            None => return serde_json::Value::Null,
        };
        serde_json::json!({
            "file": file.map(|f| bundle.shown(&f.name)), "start": span.start, "end": span.end,
            "line": from.line, "column": from.col, "end_line": to.line, "end_column": to.col, "text": text,
        })
    };
    serde_json::json!({
        "code": d.code.0,
        "severity": match d.severity { Severity::Error => "error", Severity::Warning => "warning" },
        "message": d.message,
        "at": at(d.at.span, &d.at.text),
        "others": d.others.iter().map(|o| at(o.span, &o.text)).collect::<Vec<_>>(),
        "help": d.help,
        "fix": d.fix,
    })
}

/// Draws a report on the error stream; for commands that need a game and have none.
pub fn complain(bundle: &Bundle, files: &Files, report: &Report, io: &mut Io) {
    let errors: Vec<Diagnostic> = report.findings.iter().filter(|d| d.is_error()).cloned().collect();
    let text = draw(bundle, files, &errors, io);
    io.warn(&text);
}

/// `2 errors and 1 warning`.
pub fn tally(errors: usize, warnings: usize) -> String {
    let plural = |n: usize, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
    match (errors, warnings) {
        (0, w) => plural(w, "warning"),
        (e, 0) => plural(e, "error"),
        (e, w) => format!("{} and {}", plural(e, "error"), plural(w, "warning")),
    }
}
