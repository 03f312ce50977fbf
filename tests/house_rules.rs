//! `houserule mods`: what house rules change, and where two of them meet.
use crate::cli::cli_args;
use houserule::cli::Exit;
use serde_json::Value;

const QUICK: &str = r#"mod "Quick" for LoveLetter {
  modify goal = 2
  forbid lay(princess) else "no"
  instead of knock_out(p) { proceed() }
  change guard { rank: 2 }

  test "two hearts" with Ann, Bo { expect goal == 2 }
}
"#;

const SLOW: &str = r#"mod "Slow" for LoveLetter {
  modify goal = 9
  before lay(c) { say "slowly" }
  instead of knock_out(p) { say "gently"; proceed() }
  change guard { rank: 3 }
  Letter jester "Jester" x1 { rank: 1; play { } }
}
"#;

/// A folder with the two house rules, and their paths.
fn made() -> (tempfile::TempDir, [String; 2]) {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = [("quick.rules", QUICK), ("slow.rules", SLOW)].map(|(name, text)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("it is written");
        path.to_str().expect("a path").to_string()
    });
    (folder, paths)
}

#[test]
fn each_change_is_told_with_what_the_game_says() {
    let (_folder, [quick, slow]) = made();
    let done = cli_args(&["mods", "love-letter", "--mod", &quick, "--mod", &slow]);
    assert_eq!(done.exit, Exit::Fine, "{}", done.err);
    let at = |part: &str| done.out.find(part).unwrap_or_else(|| panic!("{part}: {}", done.out));
    // First what each says, in their order; a test changes nothing.
    assert!(at("Quick changes Love Letter in 4 places") < at("Slow changes Love Letter in 5 places"));
    assert!(!done.out.contains("two hearts"), "{}", done.out);
    // Then where they meet, each told once.
    for told in [
        "goal: both set it; Slow decides where both apply, as it is loaded later",
        "knock_out: both act in its place; Slow does, as it is loaded later, and its `proceed()` goes on to Quick",
        "lay: what Quick forbids Slow does not see happen",
        "guard: both change it; what Slow says holds where both say the same of it, as it is loaded later",
    ] {
        assert_eq!(done.out.matches(told).count(), 1, "{told}: {}", done.out);
    }
    // Then in full, in the order of the game's text: the game's own, the older, the newer.
    let full = done.out.get(at("Love Letter  <shipped>")..).expect("the end");
    let own = "value goal: int = case count(players) { 2: 7, 3: 5, else: 4 }";
    let all = [
        own,
        "\n  modify goal = 2\n",
        "\n  modify goal = 9\n",
        "guard    \"Guard\"",
        "action lay(c: one of my.hand)",
    ];
    let places = all.map(|part| full.find(part).unwrap_or_else(|| panic!("{part}: {full}")));
    assert!(places.is_sorted(), "{places:?}: {full}");
    let brief = cli_args(&["mods", "love-letter", "--mod", &quick, "--brief"]);
    assert!(brief.out.ends_with("\n\n") && !brief.out.contains(own), "{}", brief.out);
}

/// What is said of two that both set a value is what is played.
#[test]
fn the_one_that_is_loaded_later_decides() {
    let (folder, [quick, slow]) = made();
    let told = folder.path().join("told.rules");
    let holds = "goal == 9 and every(c in Letter where guard: c.rank == 3)";
    let text = format!(
        "mod \"Told\" for LoveLetter {{\n  test \"the later one\" with Ann, Bo {{ expect {holds} }}\n}}\n"
    );
    std::fs::write(&told, text).expect("it is written");
    let told = told.to_str().expect("a path");
    for (first, second, passes) in [(&quick, &slow, true), (&slow, &quick, false)] {
        let args = [
            "test",
            "love-letter",
            "--filter",
            "the later one",
            "--mod",
            first,
            "--mod",
            second,
            "--mod",
            told,
        ];
        let done = cli_args(&args);
        assert_eq!(done.exit == Exit::Fine, passes, "{}", done.out);
        assert!(done.out.contains("1 test,"), "{}", done.out);
    }
}

#[test]
fn machines_are_told_the_same() {
    let (_folder, [quick, slow]) = made();
    let done = cli_args(&["mods", "love-letter", "--mod", &quick, "--mod", &slow, "--format", "json"]);
    let all: Value = serde_json::from_str(&done.out).expect("JSON");
    assert_eq!(
        (all["mods"].as_array().map(Vec::len), all["meetings"].as_array().map(Vec::len)),
        (Some(2), Some(4))
    );
    let goal = &all["mods"][0]["says"][0];
    assert_eq!((&goal["does"], &goal["name"]), (&Value::from("set"), &Value::from("goal")));
    assert!(goal["base"]["text"].as_str().expect("a text").starts_with("value goal"), "{goal}");
    let jester = &all["mods"][1]["says"][4];
    assert_eq!((&jester["does"], &jester["base"]), (&Value::from("add"), &Value::Null));
}

#[test]
fn without_a_house_rule_it_is_said_what_to_do() {
    let done = cli_args(&["mods", "love-letter"]);
    assert!(done.exit == Exit::Usage && done.err.contains("--mod FILE"), "{}", done.err);
    let done = cli_args(&["mods", "fuji", "--mod", "thermo"]);
    assert!(done.exit == Exit::Usage && done.err.contains("did you mean thermos?"), "{}", done.err);
    let (_folder, [quick, _]) = made();
    let done = cli_args(&["mods", "fuji", "--mod", &quick]);
    assert_eq!(done.exit, Exit::Findings, "{}", done.out);
}
