//! Rules with numbers: what `houserule test` counts, and when it fails.
use crate::cli::{Done, cli};
use houserule::cli::Exit;
use serde_json::Value;

const GAME: &str = "game Tiny \"Tiny\" { players a, b; outcome win }\nround once { }\n";

/// A folder with one game of these checklists and of tests with these titles, and what `test` says of it.
fn counted(lists: &str, titles: &[&str], more: &str) -> Done {
    let folder = tempfile::tempdir().expect("a folder");
    let tests: String = titles.iter().map(|t| format!("test \"{t}\" {{ expect 1 == 1 }}\n")).collect();
    std::fs::write(folder.path().join("tiny.rules"), format!("{GAME}{lists}\n{tests}")).expect("written");
    cli(&format!("test {} {more}", folder.path().display()))
}

#[test]
fn every_number_is_tested_or_excused() {
    let rest = "F02 F03, F04 F05 F06 F07 F08 F09 F10 F11 F12 F13 F14 F15 F16 F17 F18 F19: many";
    let done = counted("numbered F01..F20\nnot played F20: \"advice\"", &["F01: one", rest, "B-F1: 9"], "");
    assert_eq!(done.exit, Exit::Fine, "{}{}", done.out, done.err);
    assert!(
        done.out.contains("Tiny: 20 numbered rules: 19 tested, 1 not played, 0 missing\n"),
        "{}",
        done.out
    );
}

#[test]
fn what_is_missing_or_too_much_fails_and_is_named() {
    let done = counted("numbered F1..F4\nnot played F3: \"a\"", &["F1 F3: one", "F9: two"], "");
    assert_eq!(done.exit, Exit::Findings, "{}", done.out);
    for told in [
        "Tiny: no test names: F2, F4",
        "Tiny: tests name what is not numbered: F9",
        "Tiny: not played, and yet a test names: F3",
        "Tiny: 4 numbered rules: 2 tested, 0 not played, 2 missing",
    ] {
        assert!(done.out.contains(told), "{told}: {}", done.out);
    }
    let done = counted("numbered F1..F4\nnot played F4: \"a\"", &["F1 F2 F3: one"], "");
    assert_eq!(done.exit, Exit::Findings, "{}", done.out);
    assert!(done.out.contains("more than 5 % are not played: 1 of 4"), "{}", done.out);
}

#[test]
fn a_choice_of_tests_is_not_judged() {
    let done = counted("numbered F1..F4", &["F1: one", "F2: two"], "--filter two");
    assert_eq!(done.exit, Exit::Fine, "{}{}", done.out, done.err);
    assert!(!done.out.contains("numbered"), "{}", done.out);
}

#[test]
fn machines_are_told_the_same() {
    let done =
        counted("numbered F1..F3\nnot played F3: \"advice\"", &["F1: one", "F7: two"], "--format json");
    assert_eq!(done.exit, Exit::Findings);
    let all: Value = serde_json::from_str(&done.out).expect("JSON");
    let wanted = serde_json::json!([{
        "game": "Tiny", "rules": 3, "tested": ["F1"], "not_played": [{ "number": "F3", "reason": "advice" }],
        "missing": ["F2"], "unknown": ["F7"], "not_played_but_tested": [], "whole": false,
    }]);
    assert_eq!(all["checklists"], wanted);
}
