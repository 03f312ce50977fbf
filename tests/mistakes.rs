//! What `check` tells new users of their mistakes: `tests/suite/mistakes/*.md`, a mistake a section, with the findings as people read them.
use crate::support::root;
use crate::told::check_told;
use houserule::model;
use houserule::text::{Diagnostic, File, Files};

/// A finding as text: code, place, message, then help, each other place and the replacement.
fn told(d: &Diagnostic, files: &Files) -> String {
    let place = |span: houserule::text::Span| {
        let file = files.get(span.file).expect("the file of a finding");
        let at = file.line_col(span.start as usize);
        format!("{}:{}", at.line, at.col)
    };
    let mut out = format!("{} {} {}\n", d.code.0, place(d.at.span), d.message);
    for other in &d.others {
        out += &format!("  {} {}\n", place(other.span), other.text);
    }
    if let Some(help) = &d.help {
        out += &format!("  help: {help}\n");
    }
    out
}

/// What is found in the case's own text; that nothing uses something is not the point of a short case.
fn found(prelude: &str, text: &str) -> String {
    let mut files = Files::new();
    let base = std::fs::read_to_string(root().join(format!("docs/book/preludes/{prelude}.rules")));
    files.add(File::new("a.rules", base.expect("a prelude of the book")));
    let own = files.add(File::new("it.rules", text));
    let checked = model::check(&files);
    let shown = checked
        .report
        .findings
        .iter()
        .filter(|d| d.at.span.file == own && !("W0001".."W0008").contains(&d.code.0))
        .map(|d| told(d, &checked.files));
    shown.collect()
}

#[test]
fn mistakes_are_told_in_the_writers_words() {
    let (mut cases, mut wrong) = (0, Vec::new());
    for page in ["board", "cards"] {
        let path = root().join(format!("tests/suite/mistakes/{page}.md"));
        cases += check_told(&path, "```rules ", found, &mut wrong).len();
    }
    assert!(cases >= 80, "only {cases} mistakes");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
