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
        "goal: both set it; “Slow” decides where both apply, as it is loaded later",
        "knock_out: both act in its place; “Slow” does, as it is loaded later, and its `proceed()` goes on to “Quick”",
        "lay: what “Quick” forbids “Slow” does not see happen",
        "guard: both set its `rank`; “Slow” decides, as it is loaded later",
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

/// A mod whose title is that, for Love Letter, in a folder; its path.
fn write_mod(folder: &std::path::Path, title: &str, body: &str) -> String {
    let path = folder.join(format!("{}.rules", title.to_lowercase()));
    std::fs::write(&path, format!("mod \"{title}\" for LoveLetter {{\n  {body}\n}}\n"))
        .expect("it is written");
    path.to_str().expect("a path").to_string()
}

#[test]
fn two_that_meet_are_told_until_one_says_which_is_later() {
    let (_folder, [quick, slow]) = made();
    let both = ["check", "love-letter", "--mod", &quick, "--mod", &slow, "--format", "json"];
    let done = cli_args(&both);
    let told: Value = serde_json::from_str(&done.out).expect("JSON");
    let findings = told["findings"].as_array().expect("findings");
    let codes: Vec<_> = findings.iter().map(|f| f["code"].as_str().expect("a code")).collect();
    assert_eq!(codes, ["W0014"; 3], "{}", done.out);
    // Who plays them learns of it, too.
    let done = cli_args(&["sim", "love-letter", "--games", "2", "--mod", &quick, "--mod", &slow]);
    assert!(done.err.contains("two mods meet at `goal`: both set it; “Slow” decides"), "{}", done.err);
    // Once it is said, it is silent, and the order in which they are named does not matter.
    let said = QUICK.replace("  modify goal = 2\n", "  after mod \"Slow\"\n  modify goal = 2\n");
    std::fs::write(&quick, said).expect("it is written");
    for order in [[&quick, &slow], [&slow, &quick]] {
        let done = cli_args(&["check", "love-letter", "--mod", order[0], "--mod", order[1]]);
        assert!(done.out.ends_with("no findings\n"), "{}", done.out);
        let done = cli_args(&[
            "test",
            "love-letter",
            "--mod",
            order[0],
            "--mod",
            order[1],
            "--filter",
            "two hearts",
        ]);
        assert_eq!(done.exit, Exit::Fine, "{}{}", done.out, done.err);
        let done = cli_args(&["mods", "love-letter", "--mod", order[0], "--mod", order[1], "--brief"]);
        assert!(done.out.contains("“Quick” decides where both apply"), "{}", done.out);
    }
}

#[test]
fn a_mod_that_is_needed_is_found_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let below = write_mod(folder.path(), "Below", "modify goal = 3");
    let above = write_mod(
        folder.path(),
        "Above",
        "needs mod \"Below\"\n  modify goal += 1\n  test \"four hearts\" with Ann, Bo { expect goal == 4 }",
    );
    for args in
        [vec!["test", &above], vec!["test", "love-letter", "--filter", "four hearts", "--mod", &above]]
    {
        let done = cli_args(&args);
        assert_eq!(done.exit, Exit::Fine, "{args:?}: {}{}", done.out, done.err);
    }
    std::fs::remove_file(below).expect("it is removed");
    let done = cli_args(&["check", &above]);
    assert_eq!(done.exit, Exit::Findings);
    assert!(done.out.contains("“Above” needs the mod “Below”, which is not loaded"), "{}", done.out);
}

#[test]
fn those_that_do_not_go_together_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let one = write_mod(folder.path(), "One", "conflicts with mod \"Two\"\n  modify goal = 3");
    let two = write_mod(folder.path(), "Two", "modify goal += 1");
    for order in [[&one, &two], [&two, &one]] {
        let done = cli_args(&["play", "love-letter", "--mod", order[0], "--mod", order[1]]);
        assert_eq!(done.exit, Exit::Findings);
        assert!(done.err.contains("“One” cannot be played together with “Two”"), "{}", done.err);
    }
    assert_eq!(cli_args(&["check", &one]).exit, Exit::Fine);
    assert_eq!(cli_args(&["check", &two]).exit, Exit::Fine);
}

#[test]
fn what_a_mod_expects_to_break_must_break() {
    let folder = tempfile::tempdir().expect("a folder");
    let title = "three in a row win";
    let write = |says: &str| {
        let path = folder.path().join("gravity.rules");
        let rule = "forbid place(c) when c step south is some and (c step south).mark is none else \"{c} hangs in the air\"";
        std::fs::write(&path, format!("mod \"Heavy\" for TicTacToe {{\n  {says}\n  {rule}\n}}\n"))
            .expect("it is written");
        path.to_str().expect("a path").to_string()
    };
    let tested = |path: &str| cli_args(&["test", "tic-tac-toe", "--mod", path]);
    let done = tested(&write(""));
    assert!(done.exit == Exit::Findings && done.out.contains("hangs in the air"), "{}", done.out);
    let done = tested(&write(&format!("expects to break \"{title}\"")));
    assert!(done.exit == Exit::Fine && done.out.contains("1 broken as the mods expect"), "{}", done.out);
    // What is said to break and holds is told.
    let holds = "refuse: a cell is taken once";
    let all = cli_args(&["test", "tic-tac-toe", "--verbose"]).out;
    let holds = all
        .lines()
        .filter_map(|l| l.strip_prefix("ok ")?.split(" (").next())
        .find(|t| *t != title)
        .unwrap_or(holds);
    let done = tested(&write(&format!("expects to break \"{title}\", \"{holds}\"")));
    assert!(
        done.exit == Exit::Findings && done.out.contains("“Heavy” expects this test to break, and it holds"),
        "{}",
        done.out
    );
}

/// Each shipped house rule has a page, written by docs/experiments/house-rules.py: what it changes, its tests, what it breaks, and its balance table.
#[test]
fn each_shipped_one_has_a_page() {
    let root = crate::support::root();
    let mut pages = 0;
    for file in std::fs::read_dir(root.join("rules/mods")).expect("the mods") {
        let file = file.expect("a file").path();
        let stem = file.file_stem().and_then(|s| s.to_str()).expect("a name").to_string();
        let page = std::fs::read_to_string(root.join(format!("docs/house-rules/{stem}.md")))
            .unwrap_or_else(|e| panic!("{stem}: {e}"));
        let text = std::fs::read_to_string(&file).expect("the mod");
        let titles = text.lines().filter_map(|l| l.strip_prefix("  test \"")?.split('"').next());
        titles.for_each(|title| assert!(page.contains(&format!("- {title}\n")), "{stem}: {title}"));
        let (_, broken) = text.split_once("expects to break ").unwrap_or(("", ""));
        let broken = broken.split("\n\n").next().unwrap_or("").split('"').skip(1).step_by(2);
        broken.for_each(|title| assert!(page.contains(&format!("- {title}\n")), "{stem}: {title}"));
        let game = page.split("`houserule play ").nth(1).and_then(|p| p.split(' ').next()).expect("a game");
        let told = cli_args(&["mods", game, "--mod", &stem]).out;
        assert!(page.contains(&format!("```text\n{}\n```", told.trim_end())), "{stem}: {told}");
        assert!(
            page.contains("| difference (95 % interval) |") && page.contains(" 1000 pairs of games"),
            "{stem}"
        );
        pages += 1;
    }
    assert!(pages >= 6 && std::fs::read_dir(root.join("docs/house-rules")).expect("pages").count() == pages);
}
