//! Every example of the language book is checked, formatted and, where it holds tests, run.
use houserule::lab::testing;
use houserule::model;
use houserule::play::Game;
use houserule::text::{File, Files, Severity};
use std::path::{Path, PathBuf};

/// A fenced block of a page.
struct Example {
    page: String,
    line: usize,
    prelude: Option<String>,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/book")
}

fn pages(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).expect("the book").filter_map(Result::ok).map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            pages(&path, out);
        } else if path.extension().is_some_and(|e| e == "md") {
            out.push(path);
        }
    }
}

/// Blocks that begin with ```` ```rules ````; a second word names a prelude.
fn examples() -> Vec<Example> {
    let mut files = Vec::new();
    pages(&root(), &mut files);
    let mut out = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a page");
        let mut open: Option<Example> = None;
        for (i, line) in text.lines().enumerate() {
            match (&mut open, line.strip_prefix("```")) {
                (Some(_), Some("")) => out.extend(open.take()),
                (Some(example), _) => {
                    example.text.push_str(line);
                    example.text.push('\n');
                }
                (None, Some(info)) if info.split(' ').next() == Some("rules") => {
                    open = Some(Example {
                        page: path.strip_prefix(root()).unwrap_or(&path).display().to_string(),
                        line: i + 1,
                        prelude: info.split(' ').nth(1).map(String::from),
                        text: String::new(),
                    });
                }
                _ => {}
            }
        }
    }
    out
}

fn sources(example: &Example) -> Files {
    let mut files = Files::new();
    if let Some(name) = &example.prelude {
        let path = root().join(format!("preludes/{name}.rules"));
        let text = std::fs::read_to_string(path)
            .unwrap_or_else(|_| panic!("no prelude {name} ({}:{})", example.page, example.line));
        files.add(File::new(format!("{name}.rules"), text));
    }
    files.add(File::new("example.rules", example.text.clone()));
    files
}

#[test]
fn the_examples_are_right() {
    let all = examples();
    assert!(all.len() >= 40, "only {} examples were found", all.len());
    let mut wrong = Vec::new();
    let mut ran = 0;
    for example in &all {
        let place = format!("{}:{}", example.page, example.line);
        let files = sources(example);
        let checked = model::check(&files);
        let errors: Vec<_> = checked
            .report
            .findings
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .map(|d| format!("{} {} {}", checked.files.place(d.at.span), d.code.0, d.message))
            .collect();
        if !errors.is_empty() {
            wrong.push(format!("{place}: {}", errors.join("\n    ")));
            continue;
        }
        match houserule::syntax::format_text(&example.text) {
            Ok(text) if text.trim_end() == example.text.trim_end() => {}
            Ok(text) => wrong.push(format!("{place}: not formatted; should be\n{text}")),
            Err(_) => wrong.push(format!("{place}: cannot be formatted")),
        }
        if example.text.contains("test \"") {
            let game = match Game::load(&files) {
                Ok(game) => game,
                Err(report) => {
                    wrong.push(format!("{place}: {report:?}"));
                    continue;
                }
            };
            for result in testing::run(&game, None) {
                ran += 1;
                if let Some(failure) = result.failure {
                    wrong.push(format!("{place}: test \"{}\" failed: {failure}", result.title));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} examples:\n{}", wrong.len(), all.len(), wrong.join("\n"));
    assert!(ran > 30, "only {ran} tests were run");
}
