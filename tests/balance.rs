//! `houserule balance`: a game without and with house rules on the same seeds.
use crate::cli::cli_args;
use houserule::cli::Exit;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Whoever begins throws first; a throw of 4 or more wins at once, and after ten rounds nobody has.
const GAME: &str = r#"game Throws "Throws" { players 2; outcome win }
option need "Needed": 1..7 = 4
die Cube { faces: 1..6 }
table { zone cup: Cube }
Cube cube
player { tries: 0..99 = 0 }
setup { move Cube to cup }
rule throw() { roll cup; my.tries += 1 }
rule idle() { my.tries += 0 }
menu turn_menu { }
action dare() in turn_menu { throw(); if (first of cup).value >= need { win me } }
action wait() in turn_menu { idle() }
round 10 times { everyone in turn { offer turn_menu } }
"#;

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path: PathBuf = folder.join(name);
    std::fs::write(&path, text).expect("it is written");
    path.to_str().expect("a path").to_string()
}

/// A folder with the game, its path and that of a mod with these entries.
fn made(entries: &str) -> (tempfile::TempDir, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("throws")).expect("a folder");
    let game = write(&folder.path().join("throws"), "throws.rules", GAME);
    let house_rule =
        write(folder.path(), "house.rules", &format!("mod \"House\" for Throws {{\n{entries}\n}}\n"));
    (folder, game, house_rule)
}

fn told(args: &[&str]) -> Value {
    let done = cli_args(&[&["balance"], args, &["--format", "json"]].concat());
    assert_eq!(done.exit, Exit::Fine, "{args:?}: {}{}", done.out, done.err);
    serde_json::from_str(&done.out).unwrap_or_else(|e| panic!("{e}: {}", done.out))
}

/// A house rule that changes nothing: no pair differs.
#[test]
fn what_changes_nothing_differs_in_nothing() {
    let (_folder, game, house_rule) = made("  before throw() { my.tries += 0 }");
    let all = told(&[&game, "--mod", &house_rule, "-n", "100"]);
    assert_eq!(all["pairs"], 100);
    assert_eq!(all["unlike"].as_array().map(Vec::len), Some(0), "{all}");
    assert_eq!(all["standings"], serde_json::json!({}));
    for player in all["players"].as_array().expect("players") {
        let d = &player["won"]["difference"];
        assert_eq!((d["value"].as_f64(), d["says"].as_str()), (Some(0.0), Some("unsure")), "{all}");
        assert!(d["low"].as_f64() < Some(0.0) && d["high"].as_f64() > Some(0.0), "{all}");
    }
}

#[test]
fn what_the_second_player_loses_is_told_with_its_interval() {
    let (_folder, game, house_rule) =
        made("  forbid dare() when me == first of clockwise(players) else \"never\"\n  modify need += 0");
    // An option is no value, so the first try is refused with its place.
    let done = cli_args(&["balance", &game, "--mod", &house_rule]);
    assert_eq!(done.exit, Exit::Findings, "{}{}", done.out, done.err);
    let (_folder, game, house_rule) =
        made("  forbid dare() when me == left(left(me)) and me.tries == 0 and round < 10 else \"never\"");
    let all = told(&[&game, "--mod", &house_rule, "-n", "400"]);
    let player = &all["players"][0];
    let d = &player["won"]["difference"];
    let share = |side: &str| player["won"][side]["share"].as_f64().expect("a share");
    let value = share("with") - share("without");
    assert!((d["value"].as_f64().expect("a value") - value).abs() < 1e-9, "{all}");
    assert_eq!(d["says"], "less", "{all}");
    // Both wait until the last round, so games are longer; the words say the same.
    assert_eq!(all["length"]["difference"]["says"], "more");
    let human = cli_args(&["balance", &game, "--mod", &house_rule, "-n", "400"]).out;
    let line = human.lines().find(|l| l.contains("Player 1 won")).unwrap_or_else(|| panic!("{human}"));
    assert!(line.contains(&format!("{:.1} %", share("without") * 100.0)) && line.contains(" (-"), "{line}");
    let pairs: Vec<&str> = human.lines().filter(|l| l.contains("--only")).collect();
    assert!(pairs.len() == 6 && pairs[1].contains("--mod") && !pairs[0].contains("--mod"), "{human}");
}

/// The same for any number of games at once, and as a table for a page.
#[test]
fn the_same_for_any_number_of_jobs_and_as_a_table() {
    let (_folder, game, house_rule) = made("  before throw() { my.tries += 1 }\n  remove wait");
    let args = [&game[..], "--mod", &house_rule, "-n", "120", "--jobs"];
    let (one, two) = (told(&[&args[..], &["1"]].concat()), told(&[&args[..], &["2"]].concat()));
    assert_eq!(one, two);
    assert_eq!(one["standings"], serde_json::json!({ "action wait": "dead" }));
    let table = cli_args(&["balance", &game, "--mod", &house_rule, "-n", "120", "--format", "markdown"]).out;
    assert!(
        table.contains(
            "|  | without | with | difference (95 % interval) |\n|---|---:|---:|---|\n| Player 1 won |"
        ),
        "{table}"
    );
    assert!(table.contains("\n- used in no game any more: action wait\n"), "{table}");
}

#[test]
fn it_ends_when_enough_is_known() {
    let (_folder, game, house_rule) = made("  before throw() { my.tries += 0 }");
    let args = [&game[..], "--mod", &house_rule, "-n", "5000", "--until"];
    assert_eq!(told(&[&args[..], &["2"]].concat())["pairs"], 200);
    let few = told(&[&args[..], &["0.2"]].concat())["pairs"].as_u64().expect("a number");
    assert!((1000..5000).contains(&few) && few.is_multiple_of(200), "{few}");
    for wrong in ["0", "-1", "NaN", "99"] {
        let done = cli_args(&["balance", &game, "--mod", &house_rule, &format!("--until={wrong}")]);
        assert!(done.exit == Exit::Usage && done.err.contains("from 0.1 to 50"), "{wrong}: {}", done.err);
    }
}

#[test]
fn an_option_is_swept() {
    let (_folder, game, house_rule) = made("  before throw() { my.tries += 0 }");
    let won = |all: &Value, side: &str| -> Vec<f64> {
        let points = all["points"].as_array().expect("points");
        points.iter().map(|p| p[side]["players"][0]["won"].as_f64().expect("a share")).collect()
    };
    let all = told(&[&game, "--sweep", "need=1..7", "-n", "200"]);
    let shares = won(&all, "without");
    assert_eq!((shares.len(), shares[6]), (7, 0.0), "nobody throws a 7");
    assert!(shares[0] > 0.5 && shares[0] > shares[5], "{shares:?}");
    let all = told(&[&game, "--sweep", "need=2,6", "-n", "200", "--mod", &house_rule]);
    assert_eq!(won(&all, "without"), won(&all, "with"));
    let table = cli_args(&["balance", &game, "--sweep", "need=2,6", "-n", "40", "--format", "markdown"]).out;
    assert!(table.contains("| need | Player 1 won | Player 2 won | choices a game | not finished |\n|---|---|---|---|---|\n| 2 | "), "{table}");
    for (wrong, why) in [
        ("need", "there is no ="),
        ("need=", "there is no value"),
        ("need=1..x", "x is not a number"),
        ("need=1..500", "more than 100"),
        ("neeed=1", "there is no option"),
        ("need=9", "9"),
    ] {
        let done = cli_args(&["balance", &game, "--sweep", wrong, "-n", "5"]);
        assert!(done.exit == Exit::Usage && done.err.contains(why), "{wrong}: {}{}", done.out, done.err);
    }
    let done = cli_args(&["balance", &game, "--sweep", "need=1..2", "--option", "need=3"]);
    assert!(done.exit == Exit::Usage && done.err.contains("both give need a value"), "{}", done.err);
}

/// An option that the house rule brings is swept where it is there.
#[test]
fn an_option_of_the_house_rule_is_swept() {
    let (_folder, game, house_rule) = made(
        "  option patience \"Patience\": 1..9 = 1\n  forbid dare() when round < patience else \"patience\"",
    );
    let all = told(&[&game, "--sweep", "patience=1..3", "-n", "60", "--mod", &house_rule]);
    let lengths = |side: &str| -> Vec<f64> {
        let points = all["points"].as_array().expect("points");
        points.iter().map(|p| p[side]["length"].as_f64().expect("a mean")).collect()
    };
    let (without, with) = (lengths("without"), lengths("with"));
    assert!(without.iter().all(|x| *x == without[0]), "{without:?}");
    assert!(with[0] == without[0] && with[2] > with[0], "{with:?}");
}

#[test]
fn the_pairs_that_differ_most_are_saved() {
    let (folder, game, house_rule) = made("  forbid dare() when round < 4 else \"patience\"");
    let saves = folder.path().join("pairs");
    let saves = saves.to_str().expect("a path");
    let all = told(&[&game, "--mod", &house_rule, "-n", "60", "--save", saves]);
    let first = all["unlike"][0]["game"].as_u64().expect("a number");
    for (what, mods) in [("without", vec![]), ("with", vec!["--mod", &house_rule[..]])] {
        let file = format!("{saves}/{first}-{what}.save");
        let done = cli_args(&[&["replay", &file, "--game", &game][..], &mods].concat());
        assert_eq!(done.exit, Exit::Fine, "{}{}", done.out, done.err);
    }
    assert_eq!(std::fs::read_dir(saves).expect("a folder").count(), 6);
}

#[test]
fn without_house_rules_it_says_what_it_needs() {
    let done = cli_args(&["balance", "fuji"]);
    assert!(
        done.exit == Exit::Usage && done.err.contains("--mod FILE") && done.err.contains("--sweep"),
        "{}",
        done.err
    );
}
