//! What `check` tells new users of their mistakes: `tests/suite/mistakes/*.md`, a mistake a section, with the findings as people read them.
use crate::support::root;
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
    let bless = std::env::var_os("HOUSERULE_BLESS").is_some();
    let (mut cases, mut wrong) = (0, Vec::new());
    for page in ["board", "cards"] {
        let path = root().join(format!("tests/suite/mistakes/{page}.md"));
        let text = std::fs::read_to_string(&path).expect("a page of mistakes");
        let mut blessed = text.clone();
        for section in text.split("\n## ").skip(1) {
            let title = section.lines().next().unwrap_or_default();
            let rules = section.split("```rules ").nth(1).expect("the mistake");
            let (prelude, rules) = rules.split_once('\n').expect("the mistake's rules");
            let rules = rules.split("```").next().unwrap_or_default();
            let says = section.split("```says\n").nth(1).and_then(|s| s.split("```").next());
            let says = says.expect("what is told");
            let found = found(prelude, rules);
            cases += 1;
            assert!(!found.is_empty(), "{page}: {title}: nothing is told");
            if found != says {
                wrong.push(format!("{page}: {title}\n--- says\n{says}--- finds\n{found}"));
            }
            let head = format!("{rules}```\n\n```says\n");
            blessed = blessed.replace(&format!("{head}{says}```"), &format!("{head}{found}```"));
        }
        if bless && blessed != text {
            std::fs::write(&path, blessed).expect("the page is written");
        }
    }
    assert!(cases >= 80, "only {cases} mistakes");
    assert!(bless || wrong.is_empty(), "{}", wrong.join("\n"));
}
