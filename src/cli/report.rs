//! Prints findings, with the text beside them for people, or as JSON.
use super::excerpt::{self, AROUND, Excerpt};
use super::io::Io;
use super::load::Bundle;
use houserule_text::{Code, Diagnostic, File, Files, Label, Report, Severity, Span, to_visible};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode, ThemeCharacters, ThemeStyles};
use std::fmt;

/// How many findings of one run are drawn; the rest is counted.
const MOST: usize = 200;

/// How many of the other findings are drawn where text could not be read: much may only follow from that.
const FOLLOWING: usize = 10;

/// A finding with its text, as the drawing library wants it.
#[derive(Debug)]
struct DrawnFinding {
    code: Code,
    severity: Severity,
    message: String,
    source: Excerpt,
    labels: Vec<LabeledSpan>,
    help: Option<String>,
}

impl DrawnFinding {
    fn new(
        bundle: &Bundle,
        files: &Files,
        finding: &Diagnostic,
        marks: &[&Label],
        help: Option<String>,
        unicode: bool,
    ) -> DrawnFinding {
        let nothing = File::new("?", "");
        let file = find_file_of(bundle, files, finding.at.span).unwrap_or(&nothing);
        // Of a tall mark its two ends.
        let mut ends: Vec<(Span, &str)> = Vec::new();
        for mark in marks {
            match excerpt::split_long_mark(file, mark.span) {
                Some((first, last)) => ends.extend([(first, mark.text.as_str()), (last, "to here")]),
                None => ends.push((mark.span, &mark.text)),
            }
        }
        let spans: Vec<Span> = ends.iter().map(|(span, _)| *span).collect();
        let name = to_visible(&bundle.shown_name(&file.name)).into_owned();
        let (source, spans) = Excerpt::new(name, file, &spans, unicode);
        let labels = ends.iter().zip(spans).enumerate().map(|(i, ((_, text), at))| {
            let text = (!text.is_empty()).then(|| to_visible(text).into_owned());
            if i == 0 {
                LabeledSpan::new_primary_with_span(text, at)
            } else {
                LabeledSpan::new_with_span(text, at)
            }
        });
        DrawnFinding {
            code: finding.code,
            severity: finding.severity,
            message: to_visible(&finding.message).into_owned(),
            labels: labels.collect(),
            source,
            help: help.map(|h| to_visible(&h).into_owned()),
        }
    }
}

impl fmt::Display for DrawnFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DrawnFinding {}

impl miette::Diagnostic for DrawnFinding {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.code.0))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|h| Box::new(h) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}

/// What draws, as the streams allow.
fn make_handler(io: &Io) -> GraphicalReportHandler {
    let characters = if io.unicode { ThemeCharacters::unicode() } else { ThemeCharacters::ascii() };
    let styles = if io.color { ThemeStyles::ansi() } else { ThemeStyles::none() };
    GraphicalReportHandler::new_themed(GraphicalTheme { characters, styles })
        .with_width(io.width)
        .with_links(false)
        .with_context_lines(AROUND)
        .tab_width(2)
}

/// Whether text could not be read (codes E0101 to E0189).
fn is_unread(d: &Diagnostic) -> bool {
    d.code.0.starts_with("E01") && d.code.0 < "E0190"
}

/// Draws findings, what could not be read first; gives the text.
pub fn draw_findings(bundle: &Bundle, files: &Files, findings: &[Diagnostic], io: &Io) -> String {
    let handler = make_handler(io);
    let mut out = String::new();
    let unread_ones = findings.iter().filter(|d| is_unread(d)).count();
    let most = if unread_ones == 0 { MOST } else { (unread_ones + FOLLOWING).min(MOST) };
    let in_order = findings.iter().filter(|d| is_unread(d)).chain(findings.iter().filter(|d| !is_unread(d)));
    for finding in in_order.take(most) {
        let span = finding.at.span;
        let mut help = finding.help.clone();
        let mut marks = vec![&finding.at];
        for other in &finding.others {
            if other.span.file == span.file {
                marks.push(other);
            } else {
                let line = format!("{}: {}", place_text(bundle, files, other.span), other.text);
                help = Some(help.map_or(line.clone(), |h| format!("{h}\n{line}")));
            }
        }
        let drawn = DrawnFinding::new(bundle, files, finding, &marks, help, io.unicode);
        if handler.render_report(&mut out, &drawn).is_err() {
            // Rather plain than not at all.
            out.push_str(&format!("{}: {}\n", place_text(bundle, files, span), finding.message));
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

/// The file that a span is of: the checker's, or a script, which the checker has not read.
fn find_file_of<'a>(bundle: &'a Bundle, files: &'a Files, span: Span) -> Option<&'a File> {
    files.get(span.file).or_else(|| bundle.files.get(span.file))
}

/// `path:line:column` of a span, with the path as a person knows it.
pub fn place_text(bundle: &Bundle, files: &Files, span: Span) -> String {
    match find_file_of(bundle, files, span) {
        Some(f) => {
            let at = f.line_col(span.start as usize);
            format!("{}:{}:{}", bundle.shown_name(&f.name), at.line, at.col)
        }
        None => String::from("?"),
    }
}

/// A finding for machines.
pub fn finding_to_json(bundle: &Bundle, files: &Files, d: &Diagnostic) -> serde_json::Value {
    let at = |span: Span, text: &str| {
        let file = find_file_of(bundle, files, span);
        let (from, to) = match file {
            Some(f) => (f.line_col(span.start as usize), f.line_col(span.end as usize)),
            None => return serde_json::Value::Null,
        };
        serde_json::json!({
            "file": file.map(|f| bundle.shown_name(&f.name)), "start": span.start, "end": span.end,
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
pub fn show_report(bundle: &Bundle, files: &Files, report: &Report, io: &mut Io) {
    let errors: Vec<Diagnostic> = report.findings.iter().filter(|d| d.is_error()).cloned().collect();
    let text = draw_findings(bundle, files, &errors, io);
    io.write_findings(&text);
}

/// `2 errors and 1 warning`.
pub fn tally_text(errors: usize, warnings: usize) -> String {
    let plural = |n: usize, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
    match (errors, warnings) {
        (0, w) => plural(w, "warning"),
        (e, 0) => plural(e, "error"),
        (e, w) => format!("{} and {}", plural(e, "error"), plural(w, "warning")),
    }
}
