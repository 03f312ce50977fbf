//! Small changes of a tiny game's rules: those that a test notices, those that none does, and those that make no sense.
use crate::cli::{Done, cli};
use houserule::cli::Exit;
use serde_json::Value;

/// Its tests try the guard and the effect, but never whether the second stone counts, nor a game without end.
const GAME: &str = r#"game Tiny "Tiny" { players a, b; outcome win }
map Board squares 2 by 1
space Cell on Board { stone: player? }
table { stones: 0..9 = 0 }
round until stones >= 2 { everyone in turn { offer move } }
menu move { pass when stones == 0 }
action lay(c: Cell) in move {
  needs c.stone is none else "taken"
  c.stone = me
  stones += 1
}
invariant "few" { stones <= 7 }
test "a stone is laid once" {
  start at round
  a: lay(A1)
  expect A1.stone == a and stones == 1
  refuse b: lay(A1) because "taken"
}
"#;

fn folder(rules: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("tiny.rules"), rules).expect("written");
    folder
}

fn mutated(rules: &str, more: &str) -> Done {
    let folder = folder(rules);
    cli(&format!("mutate {} {more}", folder.path().display()))
}

#[test]
fn what_no_test_notices_is_listed_with_its_place() {
    let done = mutated(GAME, "");
    assert_eq!(done.exit, Exit::Findings, "{}{}", done.out, done.err);
    let told = |what: &str| done.out.lines().any(|l| l.ends_with(what));
    // Nobody tries how many stones end the game, nor when one may pass.
    for survivor in [
        "tiny.rules:5:23: `2` as `3`",
        "tiny.rules:5:20: `>=` as `>`",
        "tiny.rules:6:18: without `when stones == 0`",
        "tiny.rules:6:30: `==` as `!=`",
    ] {
        assert!(told(survivor), "{survivor}: {}", done.out);
    }
    // The guard, the effects, who begins: a test fails. What tests and invariants say is never changed.
    for killed in ["tiny.rules:8:", "tiny.rules:9:", "tiny.rules:10:", "tiny.rules:12:", "tiny.rules:16:"] {
        assert!(!done.out.contains(killed), "{killed}: {}", done.out);
    }
    assert!(done.out.contains("    1 of     2 guards left out\n"), "{}", done.out);
}

#[test]
fn enough_is_what_is_asked_for_and_threads_change_nothing() {
    let folder = folder(GAME);
    let json = |more: &str| -> (Exit, Value) {
        let done = cli(&format!("mutate {} --format json {more}", folder.path().display()));
        (
            done.exit,
            serde_json::from_str(&done.out).unwrap_or_else(|e| panic!("{e}: {}{}", done.out, done.err)),
        )
    };
    let (exit, one) = json("--least 20 --jobs 1");
    assert_eq!(exit, Exit::Fine, "{one}");
    let survived = one["survivors"].as_array().map_or(0, Vec::len) as u64;
    assert_eq!(one["killed"].as_u64().map(|k| k + survived), one["mutants"].as_u64(), "{one}");
    assert_eq!(json("--least 20 --jobs 3").1, one);
    let (_, some) = json("--limit 3 --seed 7");
    assert_eq!(some["mutants"], 3);
    assert_eq!(json("--limit 3 --seed 7 --jobs 1").1, some);
}

#[test]
fn endless_changes_end_and_count_as_noticed() {
    let rules = "game Tiny \"Tiny\" { players a, b; outcome win }\ntable { n: 0..9 = 0 }\n\
                 rule up() { repeat until n >= 3 { n += 1 } }\nround once { up() }\n\
                 test \"it ends\" { up(); expect n == 3 }\n";
    let done = mutated(rules, "--least 60");
    assert_eq!(done.exit, Exit::Fine, "{}{}", done.out, done.err);
    // Without `n += 1` it would go on for ever; without `up()` in the round nobody notices.
    assert!(!done.out.contains("n += 1") && done.out.contains("without `up()`"), "{}", done.out);
    assert!(done.out.contains("    1 of     2 effects left out\n"), "{}", done.out);
}

#[test]
fn tests_must_pass_first() {
    let done = mutated(&GAME.replace("stones == 1", "stones == 2"), "");
    assert_eq!(done.exit, Exit::Findings);
    assert!(done.err.contains("this one fails: a stone is laid once"), "{}", done.err);
}

/// Its first test names a rule and asserts nothing of it.
const NUMBERED: &str = r#"game Tiny "Tiny" { players a, b; outcome win }
map Board squares 2 by 1
space Cell on Board { stone: player? }
numbered T1..T2
value laid(): int = count(c in Cell where it.stone is some) + 1
value free(c: Cell): bool = c.stone is none and laid() < 3
round { everyone in turn { offer move } }
menu move { tie when laid() == 3 }
action lay(c: Cell where free) in move { c.stone = me }
test "T1: a stone is laid where nothing lies" {
  expect free(A1) or not free(A1)
}
test "T2: two stones are the end" {
  start at round
  a: lay(A1)
  b: lay(B1)
  expect tied
}
"#;

#[test]
fn a_test_that_asserts_nothing_of_the_rule_it_names_is_found() {
    let done = mutated(NUMBERED, "--numbered");
    assert_eq!(done.exit, Exit::Findings, "{}{}", done.out, done.err);
    assert!(done.out.contains("`T1: a stone is laid where nothing lies` passes on all"), "{}", done.out);
    assert!(done.out.contains("rule numbers whose tests notice no change: T1\n"), "{}", done.out);
    assert!(done.out.contains("2 tests name rule numbers, 1 of them notice nothing"), "{}", done.out);
    let mended = NUMBERED.replace("free(A1) or not free(A1)", "free(A1) and laid() == 1");
    let done = mutated(&mended, "--numbered");
    assert_eq!(done.exit, Exit::Fine, "{}{}", done.out, done.err);
}

#[test]
fn a_map_that_no_test_looks_at_is_listed() {
    let drawn = r#"game Isle "Isle" { players a, b; outcome win; begins on far }
map Sea squares
space Cell on Sea { sand: bool = no; hut: bool = no }
legend Sea { s: sand; h: hut }
round once { everyone in turn { offer walk } }
menu walk { pass }
action build(c: Cell where sand) in walk { c.hut = yes }
scenario near "Near" for Isle { map Sea """
  s h s
""" }
scenario far "Far" for Isle { map Sea """
  s s h
""" }
test "a hut is built" on near {
  start at round
  a: build(A1)
  expect A1.hut and B1.hut and not C1.hut
}
"#;
    let done = mutated(drawn, "--sorts map");
    assert_eq!(done.exit, Exit::Findings, "{}{}", done.out, done.err);
    assert!(done.out.contains("tiny.rules:12:5: `s h` as `h s`"), "{}", done.out);
    assert!(done.out.contains("2 of     3 signs of maps moved"), "{}", done.out);
    assert!(mutated(drawn, "--sorts mop").err.contains("there is no sort mop"));
}

/// A refused choice runs no rule: only a test that names the choice fails when a change to a menu allows it.
const REFUSED: &str = r#"game Tiny "Tiny" { players 2..3; outcome win }
numbered T1..T3
variant brief "Brief" { needs count(players) == 2 else "for two" }
table { stones: 0..9 = 0 }
phase laying() { everyone in turn { offer move } }
phase selling() { everyone in turn { offer trade } }
round { laying(); selling() }
menu move { pass }
menu trade { pass }
action lay() in move { stones += 1 }
test "T1: alone is too few" with Ann { expect refused because "2 to 3 players" }
test "T2: three are no game for two" with Ann, Bo, Cy, brief { expect refused because "for two" }
test "T3: nothing is laid while things are sold" with Ann, Bo {
  start at selling
  refuse Ann: lay()
}
"#;

#[test]
fn tests_of_what_is_refused_notice_changes() {
    let done = mutated(REFUSED, "--numbered");
    assert_eq!(done.exit, Exit::Fine, "{}{}", done.out, done.err);
    let done = mutated(REFUSED, "--sorts offer --least 60");
    assert!(!done.out.contains("tiny.rules:10:"), "{}", done.out);
    assert!(done.out.contains("    2 of     3 offers changed\n"), "{}", done.out);
    let idle = REFUSED.replace("2 to 3 players", "not 1");
    let done = mutated(&idle, "--numbered");
    assert!(done.out.contains("`T1: alone is too few` passes on all"), "{}", done.out);
}

/// Its demand is met by its own scenario: no test can notice that it goes.
const DEMANDING: &str = r#"game Isle "Isle" { players a, b; outcome win; begins on near }
map Sea squares
space Cell on Sea { sand: bool = no }
legend Sea { s: sand; w: sand: no }
needs count(Cell where sand) < 3 else "at most two beaches"
round once { everyone in turn { offer walk } }
menu walk { pass }
scenario near "Near" for Isle { map Sea """
  s w s
""" }
test "the beaches" on near { expect count(Cell where sand) == 2 }
"#;

#[test]
fn scenarios_that_must_be_refused_notice_a_changed_demand() {
    let survivors =
        |more: &str| mutated(DEMANDING, &format!("--sorts guard,comparison,number --least 0 {more}"));
    let without = survivors("");
    assert!(without.out.contains("tiny.rules:5:32: `3` as `4`"), "{}{}", without.out, without.err);
    let elsewhere = tempfile::tempdir().expect("a folder");
    let wrong = "scenario wrong \"Wrong\" for Isle { map Sea \"\"\"\n  s s s\n\"\"\" }\n";
    let page = elsewhere.path().join("page.md");
    std::fs::write(&page, format!("# A beach too many\n\n```scenario\n{wrong}```\n")).expect("written");
    let with = survivors(&format!("--refused {}", page.display()));
    assert!(
        !with.out.contains("tiny.rules:5:") && with.out.contains("the test and a refused scenario"),
        "{}",
        with.out
    );
    let file = elsewhere.path().join("right.scenario");
    std::fs::write(&file, wrong.replace("s s s", "s w s")).expect("written");
    let right = survivors(&format!("--refused {}", elsewhere.path().display()));
    assert!(right.err.contains("finds no error in") && right.err.contains("right.scenario"), "{}", right.err);
    let nothing = survivors(&format!("--refused {}", elsewhere.path().join("none.scenario").display()));
    assert!(nothing.err.contains("cannot read"), "{}", nothing.err);
}
