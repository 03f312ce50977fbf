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
        if p.is_dir() {
            folder(&p, into);
        } else if p.extension().is_some_and(|e| e == "rules" || e == "rhai") {
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

/// The book's examples, each with its prelude.
fn examples(folder: &Path, root: &Path, out: &mut Vec<(String, Files)>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            examples(&path, root, out);
            continue;
        }
        if path.extension().is_none_or(|e| e != "md") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let mut open: Option<(usize, Option<String>, String)> = None;
        for (i, line) in text.lines().enumerate() {
            match (&mut open, line.strip_prefix("```")) {
                (Some((at, prelude, body)), Some("")) => {
                    let mut files = Files::new();
                    if let Some(p) = prelude {
                        let text = std::fs::read_to_string(root.join(format!("preludes/{p}.rules"))).unwrap();
                        files.add(File::new(format!("{p}.rules"), text));
                    }
                    files.add(File::new("example.rules", body.clone()));
                    let page = path.file_name().unwrap().to_string_lossy().to_string();
                    out.push((format!("{page}:{at}"), files));
                    open = None;
                }
                (Some((_, _, body)), _) => {
                    body.push_str(line);
                    body.push('\n');
                }
                (None, Some(info)) if info.split(' ').next() == Some("rules") => {
                    open = Some((i + 1, info.split(' ').nth(1).map(String::from), String::new()));
                }
                _ => {}
            }
        }
    }
}

#[test]
fn the_books_examples_have_no_errors() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/book");
    let mut all = Vec::new();
    examples(&root, &root, &mut all);
    assert!(all.len() >= 40, "{} examples", all.len());
    let mut bad = Vec::new();
    for (place, files) in all {
        bad.extend(
            findings(files).into_iter().filter(|f| f.starts_with('E')).map(|f| format!("{place}: {f}")),
        );
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
