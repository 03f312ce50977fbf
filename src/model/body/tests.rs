//! The checker at work on whole games: what is right passes in silence, what is wrong is told once, with its code.
use crate::model::check;
use crate::text::{File, Files};
use std::path::Path;

/// Findings of these files, one a line: `code line:col message`.
fn findings(files: Files) -> Vec<String> {
    let checked = check(&files);
    let show = |d: &crate::text::Diagnostic| {
        let fix = d.fix.as_ref().map(|f| format!(" -> {f}")).unwrap_or_default();
        format!("{} {} {}{fix}", d.code.0, checked.files.place(d.at.span), d.message)
    };
    checked.report.findings.iter().map(show).collect()
}

fn folder(path: &Path, into: &mut Files) {
    let mut names: Vec<_> = std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect();
    names.sort();
    for p in names {
        if p.extension().is_some_and(|e| e == "rules" || e == "rhai") {
            let name = p.file_name().unwrap().to_string_lossy().to_string();
            into.add(File::new(name, std::fs::read_to_string(&p).unwrap()));
        }
    }
}

#[test]
fn shipped_games_have_no_findings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let mut bad = Vec::new();
    for game in std::fs::read_dir(root.join("classics")).unwrap() {
        let mut files = Files::new();
        folder(&game.unwrap().path(), &mut files);
        bad.extend(findings(files));
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
