//! The book's page of commands: each transcript is what the command prints, and each command has one.
use crate::cli::{cli_args, run_words};
use std::path::Path;

const PAGE: &str = "docs/book/commands.md";

/// The words of a command as a shell reads them; quotes keep blanks together.
fn split_words(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match (c, out.last_mut()) {
            ('"', _) => quoted = !quoted,
            (' ', Some(last)) if !quoted && !last.is_empty() => out.push(String::new()),
            (' ', _) if !quoted => {}
            (c, Some(last)) => last.push(c),
            (_, None) => {}
        }
    }
    out.retain(|w| !w.is_empty());
    out
}

/// What a line prints, on both streams, cut by `head -n` and `tail -n`; files are made in a folder that stands there as `scratch`.
fn run_line(line: &str, scratch: &Path) -> String {
    let folder = scratch.display().to_string();
    let mut stages = line.split(" | ");
    let first = stages.next().unwrap_or("");
    let (first, input) = first.split_once(" < ").unwrap_or((first, ""));
    let input = match input {
        "" => String::new(),
        file => std::fs::read_to_string(crate::support::root().join(file)).expect("the input"),
    };
    let words = split_words(first);
    assert_eq!(words.first().map(String::as_str), Some("houserule"), "{line}");
    let words: Vec<String> = words
        .iter()
        .skip(1)
        .map(|w| match w.strip_prefix("scratch") {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{folder}{rest}"),
            _ => w.clone(),
        })
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = run_words(words.iter().copied(), &input);
    let text = format!("{}{}", done.out, done.err).replace(&folder, "scratch");
    let mut lines: Vec<&str> = text.trim_end().lines().collect();
    for stage in stages {
        let (cut, n) = stage.rsplit_once(' ').expect("head -n N or tail -n N");
        let n: usize = n.parse().expect("a number of lines");
        match cut {
            "head -n" => lines.truncate(n),
            "tail -n" => drop(lines.drain(..lines.len().saturating_sub(n))),
            _ => panic!("{line}: only head and tail"),
        }
    }
    let lines: Vec<&str> = lines.iter().map(|l| l.trim_end()).collect();
    lines.join("\n")
}

/// The page with every transcript as it is printed now, and its commands.
fn print_page(page: &str) -> (String, Vec<String>) {
    let scratch = tempfile::tempdir().expect("a folder");
    let (mut out, mut lines, mut inside) = (String::new(), Vec::new(), false);
    for line in page.lines() {
        if line == "```console" || (inside && line == "```") {
            inside = !inside;
        } else if inside && !line.starts_with("$ ") {
            continue;
        }
        out.push_str(line);
        out.push('\n');
        if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            let printed = run_line(command, scratch.path());
            if !printed.is_empty() {
                out.push_str(&printed);
                out.push('\n');
            }
            lines.push(command.to_string());
        }
    }
    (out, lines)
}

/// `HOUSERULE_BLESS=1` writes the page as it is printed; look at what has changed.
#[test]
fn transcripts_are_what_the_commands_print() {
    let file = crate::support::root().join(PAGE);
    let page = std::fs::read_to_string(&file).expect("the page");
    let (printed, lines) = print_page(&page);
    if std::env::var_os("HOUSERULE_BLESS").is_some() {
        std::fs::write(&file, &printed).expect("the page");
        return;
    }
    for (is, should) in page.lines().zip(printed.lines()) {
        assert_eq!(is, should, "{PAGE} is not what the commands print");
    }
    assert_eq!(page, printed, "{PAGE} is not what the commands print");
    assert!(!page.contains("panicked") && !page.contains("error: unexpected"), "{page}");
    let help = cli_args(&["--help"]).out;
    let listed = help.split("\nCommands:\n").nth(1).and_then(|t| t.split("\n\n").next()).expect("commands");
    let named = listed.lines().filter(|l| l.starts_with("  ") && !l.starts_with("   "));
    for command in named.filter_map(|l| l.split_whitespace().next()) {
        let shown = lines.iter().any(|l| l.split_whitespace().nth(1) == Some(command));
        assert!(shown, "{PAGE} shows no `houserule {command}`");
    }
}
