//! `houserule ci`: what it complains of, in each of its forms, and the ready workflows.
use crate::cli::cli_args;
use crate::support::root;
use houserule::cli::Exit;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The commonest word of a complaint, and what is changed in a sound game so that it comes.
const PLANTED: [(&str, &str, &str); 5] = [
    ("E0659", "points: 0..20 = 0", "points: 0..3 = 0"),
    ("E0251", "p.points += 1; say", "p.pionts += 1; say"),
    ("format", "\nsetup {", "\nsetup   {"),
    ("test", "expect Ann.points == 1", "expect Ann.points == 2"),
    ("numbered", "\nheuristic", "\nnumbered R1..R2\n\nheuristic"),
];

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path")
}

/// A sound game of cards, and its file.
fn make_game(made: &Path) -> std::path::PathBuf {
    let done = cli_args(&["new", "game", "Harvest moon", "--like", "cards", "--in", text(made)]);
    assert_eq!(done.exit, Exit::Fine, "{}", done.err);
    made.join("harvest-moon/harvest-moon.rules")
}

fn change(file: &Path, from: &str, to: &str) {
    let rules = std::fs::read_to_string(file).expect("the rules");
    assert!(rules.contains(from), "{from}: {rules}");
    std::fs::write(file, rules.replacen(from, to, 1)).expect("the rules are written");
}

/// The binary itself, in a folder; its exit code, and what it printed.
fn run_in(folder: &Path, args: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    let done = command.args(args).current_dir(folder).env_remove("GITHUB_ACTIONS").output().expect("it runs");
    let out = String::from_utf8(done.stdout).expect("text") + &*String::from_utf8_lossy(&done.stderr);
    (done.status.code().expect("a code"), out)
}

#[test]
fn a_sound_game_passes() {
    let made = folder();
    make_game(made.path());
    let done = cli_args(&["ci", text(made.path()), "--strict", "--format", "human"]);
    assert_eq!(done.exit, Exit::Fine, "{}", done.out);
    // 2 to 4 players, 20 random games and a greedy one of each.
    assert!(done.out.ends_with("3 tests, 63 games between bots (seed 1): nothing to mend\n"), "{}", done.out);
    assert_eq!(done.out.lines().count(), 1, "it is quiet: {}", done.out);
}

#[test]
fn each_planted_fault_is_found_in_each_form() {
    for (code, from, to) in PLANTED {
        let made = folder();
        let file = make_game(made.path());
        change(&file, from, to);
        let (junit, sarif) = (made.path().join("j.xml"), made.path().join("s.json"));
        let mut args = vec!["ci", text(made.path()), "--games", "10", "--strict"];
        args.extend(["--junit", text(&junit), "--sarif", text(&sarif), "--format"]);
        let run = |format: &str| {
            let done = cli_args(&[&args[..], &[format]].concat());
            assert_eq!(done.exit, Exit::Findings, "{code}: {}", done.out);
            done.out
        };
        let told = run("human");
        assert!(told.starts_with(code) || told.contains(&format!("\n{code}\n")), "{code}: {told}");
        let all: Value = serde_json::from_str(&run("json")).expect("JSON");
        let complaints = all["complaints"].as_array().expect("complaints");
        let own = complaints.iter().find(|c| c["code"] == code).unwrap_or_else(|| panic!("{code}: {all}"));
        assert_eq!((&all["passed"], &all["seed"]), (&Value::from(false), &Value::from(1)));
        assert_eq!(own["at"]["file"], text(&file), "{code}");
        let noted = run("github");
        let line = noted.lines().find(|l| l.contains(&format!("title={code}::"))).expect("an annotation");
        let at = format!("file={},line={},", text(&file), own["at"]["line"]);
        assert!(
            (line.starts_with("::error ") || line.starts_with("::warning ")) && line.contains(&at),
            "{line}"
        );
        let log: Value =
            serde_json::from_str(&std::fs::read_to_string(&sarif).expect("SARIF")).expect("JSON");
        let results = log["runs"][0]["results"].as_array().expect("results");
        let own = results.iter().find(|r| r["ruleId"] == code).expect("a result");
        let place = &own["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], format!("file://{}", text(&file)), "{code}");
        assert!(place["region"]["startLine"].as_u64().expect("a line") > 0);
        let cases = std::fs::read_to_string(&junit).expect("JUnit");
        assert!(cases.contains("<failure"), "{code}: {cases}");
    }
}

/// Without `--strict` a warning is told and passes.
#[test]
fn a_warning_passes_unless_it_is_strict() {
    let made = folder();
    make_game(made.path());
    let (sarif, cap) = (made.path().join("s.json"), ["--cap", "5", "--games", "2", "--greedy", "0"]);
    let args = ["ci", text(made.path()), "--format", "human", "--sarif", text(&sarif)];
    let args = [&args[..], &cap].concat();
    let done = cli_args(&args);
    assert_eq!(done.exit, Exit::Fine, "{}", done.out);
    let told = "2 of 2 games (2 players, random) did not end within 5 choices";
    assert!(done.out.contains(told) && done.out.ends_with(": 3 warnings\n"), "{}", done.out);
    let log = std::fs::read_to_string(&sarif).expect("SARIF");
    assert!(log.contains("\"level\": \"warning\"") && log.contains("\"ruleId\": \"unfinished\""), "{log}");
    assert!(done.out.contains("to look at the first of them:\n  houserule sim "), "{}", done.out);
    let junit = made.path().join("j.xml");
    let strict = [&args[..], &["--strict", "--junit", text(&junit)]].concat();
    assert_eq!(cli_args(&strict).exit, Exit::Findings);
    let cases = std::fs::read_to_string(&junit).expect("JUnit");
    assert!(cases.contains("failures=\"3\"") && cases.contains("did not end within 5 choices"), "{cases}");
}

/// Every way to fail is told, however many there are.
#[test]
fn no_failure_is_left_out() {
    let made = folder();
    let rules: String = (1..9).map(|n| format!("    if k == {n} {{ x += 9 }}\n")).collect();
    let text_of = format!(
        "## Fail.\ngame Many \"Many\" {{ players 2; outcome highest n }}\nplayer {{ n: 0..9 = 0 }}\ntable {{ x: 0..3 = 0 }}\n\
         round 3 times {{ everyone in turn {{ offer act }} }}\nmenu act {{ done }}\n\
         action go(k: 1..8) in act {{\n{rules}}}\n"
    );
    std::fs::write(made.path().join("many.rules"), text_of).expect("the rules");
    let done = cli_args(&["ci", text(made.path()), "--games", "200", "--greedy", "0", "--format", "json"]);
    let all: Value = serde_json::from_str(&done.out).expect("JSON");
    let failed =
        all["complaints"].as_array().expect("complaints").iter().filter(|c| c["code"] == "E0659").count();
    assert_eq!(failed, 8, "{}", done.out);
}

/// The commands that are told for a scenario of a shipped game in a file of its own can be pasted.
#[test]
fn a_lone_scenario_is_played_again_as_it_is_told() {
    let made = folder();
    let scenario =
        "scenario lone \"Lone\" for TicTacToe {\n  table { x: 0..3 = 0 }\n  after place(c) { x += 9 }\n}\n";
    std::fs::write(made.path().join("lone.scenario"), scenario).expect("the scenario");
    let (code, out) = run_in(made.path(), &["ci", "lone.scenario", "--greedy", "0"]);
    assert!(code == 1 && out.contains("x cannot be 9"), "{out}");
    for (command, wanted) in [("sim", 1), ("play", 0)] {
        let told = out.lines().find_map(|l| l.trim().strip_prefix(&format!("houserule {command} ")));
        let words: Vec<&str> = std::iter::once(command).chain(told.expect("a command").split(' ')).collect();
        let (code, told) = run_in(made.path(), &words);
        assert_eq!(code, wanted, "{words:?}: {told}");
    }
}

/// Places are where other programs find them: from the first byte of a file on, and in names of any letters.
#[test]
fn places_are_references() {
    let made = folder();
    let file = make_game(made.path());
    let odd = made.path().join("Ärger & 50% #1");
    std::fs::rename(file.parent().expect("a folder"), &odd).expect("it is moved");
    change(&odd.join("harvest-moon.rules"), "# Harvest", "  # Harvest");
    let (code, out) = run_in(made.path(), &["ci", "--games", "1", "--greedy", "0", "--sarif", "s.json"]);
    assert!(code == 1 && out.contains("houserule fmt 'Ärger & 50% #1/harvest-moon.rules'"), "{out}");
    let log: Value =
        serde_json::from_str(&std::fs::read_to_string(made.path().join("s.json")).expect("SARIF"))
            .expect("JSON");
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "%C3%84rger%20%26%2050%25%20%231/harvest-moon.rules");
    assert_eq!(place["region"]["startLine"], 1);
}

#[test]
fn reports_replace_no_rules() {
    let made = folder();
    let file = make_game(made.path());
    let before = std::fs::read_to_string(&file).expect("the rules");
    let there = made.path().join("x.json");
    for (args, code) in [
        (vec!["--junit", text(&file)], Exit::Usage),
        (vec!["--junit", text(&there), "--sarif", text(&there)], Exit::Usage),
        (vec!["--sarif", "/no/such/folder/s.json"], Exit::Unreadable),
    ] {
        let done = cli_args(&[&["ci", text(made.path())], &args[..]].concat());
        assert_eq!((done.exit, done.out.as_str()), (code, ""), "{args:?}: {}", done.err);
    }
    assert_eq!(std::fs::read_to_string(&file).expect("the rules"), before);
}

/// A house rule is looked at with its game, whose own tests count once; the command that is told plays the game again.
#[test]
fn a_house_rule_that_breaks_a_game_is_found() {
    let made = folder();
    make_game(made.path());
    let rule = made.path().join("greed.rules");
    let mend = "mod \"Greed\" for HarvestMoon {\n  after round { for p in players { p.points += 9 } }\n}\n";
    std::fs::write(&rule, mend).expect("the mod is written");
    let (code, out) = run_in(made.path(), &["ci", "--greedy", "0"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("points cannot be") && out.contains("greed.rules"), "{out}");
    assert!(out.contains("2 games, 2 files, 3 tests,"), "{out}");
    let again = out.lines().find_map(|l| l.trim().strip_prefix("houserule sim ")).expect("a command");
    let words: Vec<&str> = std::iter::once("sim").chain(again.split(' ')).collect();
    let (code, out) = run_in(made.path(), &words);
    assert!(code == 1 && out.contains("points cannot be"), "{words:?}: {out}");
}

#[test]
fn only_games_that_a_change_touches_are_looked_at() {
    let made = folder();
    make_game(made.path());
    let other = cli_args(&["new", "game", "Other", "--in", text(made.path())]);
    assert_eq!(other.exit, Exit::Fine);
    let git = |args: &[&str]| {
        let who = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
        let done = Command::new("git").args(who).args(args).current_dir(made.path()).output();
        // The program needs git for this option alone.
        done.is_ok_and(|d| d.status.success())
    };
    if !git(&["--version"]) {
        return;
    }
    assert!(git(&["init", "-q"]) && git(&["add", "."]) && git(&["commit", "-qm", "rules"]));
    let looked = |games: &str| {
        let (code, out) =
            run_in(made.path(), &["ci", "--changed-since", "HEAD", "--games", "1", "--greedy", "0"]);
        assert!(code == 0 && out.starts_with(games), "{games}: {out}");
    };
    looked("0 games of 2, 0 files");
    change(&made.path().join("other/other.rules"), "# ", "# Changed. ");
    looked("1 game of 2, 1 file,");
    std::fs::write(made.path().join("harvest-moon/more.rules"), "# New.\n").expect("a file");
    looked("2 games, 3 files,");
    // What is gone touches its game, also if its whole folder is gone.
    assert!(git(&["add", "."]) && git(&["commit", "-qm", "more"]));
    let hooks = made.path().join("other/hooks");
    std::fs::create_dir(&hooks).expect("a folder");
    std::fs::write(hooks.join("pick.rhai"), "fn pick(x) { x }\n").expect("a script");
    assert!(git(&["add", "."]) && git(&["commit", "-qm", "hook"]));
    looked("0 games of 2");
    std::fs::remove_dir_all(&hooks).expect("it goes");
    looked("1 game of 2");
    for (rev, why) in [("no-such-rev", "git says"), ("--output=x", "is no revision")] {
        let (code, out) = run_in(made.path(), &["ci", &format!("--changed-since={rev}")]);
        assert!(code == 2 && out.contains(why), "{rev}: {out}");
    }
}

/// The commands of the ready workflows run in a folder with nothing but rules, and notice a fault there.
#[test]
fn the_ready_workflows_run() {
    for workflow in ["docs/ci/github.yml", "docs/ci/gitlab.yml"] {
        let yaml = std::fs::read_to_string(root().join(workflow)).expect("the workflow");
        let commands: Vec<&str> = yaml
            .lines()
            .filter_map(|l| {
                l.trim_start_matches(['-', ' ']).trim_start_matches("run: ").strip_prefix("houserule ")
            })
            .collect();
        assert_eq!(commands.len(), 1, "{workflow}");
        let words: Vec<&str> = commands[0].split(' ').collect();
        let made = folder();
        let file = make_game(made.path());
        let (code, out) = run_in(made.path(), &words);
        assert_eq!(code, 0, "{workflow}: {out}");
        for report in ["rules.xml", "rules.sarif"] {
            assert!(made.path().join(report).is_file() && yaml.contains(report), "{workflow}: {report}");
        }
        change(&file, "points: 0..20 = 0", "points: 0..3 = 0");
        assert_eq!(run_in(made.path(), &words).0, 1, "{workflow}");
    }
}

/// The book shows what is printed.
#[test]
fn the_book_shows_a_true_complaint() {
    let made = folder();
    change(&make_game(made.path()), "points: 0..20 = 0", "points: 0..3 = 0");
    let (_, out) = run_in(made.path(), &["ci", "harvest-moon"]);
    let page = std::fs::read_to_string(root().join("docs/book/rules-in-ci.md")).expect("the page");
    let shown = page.split("```text\n").nth(1).and_then(|p| p.split("```").next()).expect("a block");
    assert!(out.starts_with(shown), "{out}");
}
