//! Rules that fail in the middle of a simulation: the game is kept as unfinished, the others go on, and the failing one can be looked at.
use crate::cli::cli;
use houserule::cli::Exit;
use houserule::lab::retrace::replay_first_game;
use houserule::lab::simulate::{SimulationPlan, simulate};
use houserule::lab::testing;
use houserule::play::{Game, Setup};
use houserule::program::LowerOptions;
use houserule::text::{File, Files};
use serde_json::Value;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// Whoever says “more” a fifth time goes over the edge.
const RULES: &str = "game Walk \"Walk\" { players 2; outcome highest score }\n\
    table { n: 0..9 = 0 }\n\
    player { points: 0..20 = 0 }\n\
    value score(p: player): int = p.points + n\n\
    round 6 times { everyone in turn { offer walk } }\n\
    menu walk\n\
    action more() in walk { n += 2; my.points += 1 }\n\
    action rest() in walk { }\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("walk")).expect("a folder");
    std::fs::write(folder.path().join("walk/walk.rules"), RULES).expect("written");
    folder
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).expect("a file")
}

#[test]
fn a_failing_game_does_not_end_a_simulation() {
    let folder = folder();
    let game = folder.path().join("walk").display().to_string();
    let mut before: Option<(String, String, String)> = None;
    for jobs in [1, 2] {
        let (csv, json) = (folder.path().join("all.csv"), folder.path().join("all.json"));
        let line = format!("sim {game} --games 40 --jobs {jobs} --out");
        let done = cli(&format!("{line} {}", csv.display()));
        assert_eq!(done.exit, Exit::Findings, "{}{}", done.out, done.err);
        assert!(
            done.err.contains("n cannot be 10: it must be 0..9")
                && done.err.contains("games ended with a rule error")
        );
        assert!(done.out.contains("unfinished  34\n"), "{}", done.out);
        let machine = cli(&format!("{line} {} --format json", json.display()));
        assert_eq!(machine.exit, Exit::Findings);
        let now = (done.out, read(&csv), machine.out + read(&json).as_str());
        assert!(before.as_ref().is_none_or(|b| *b == now), "--jobs {jobs} says something else");
        before = Some(now);
    }
    let (_, csv, _) = before.expect("two runs");
    let failed: Vec<&str> = csv.lines().filter(|l| l.contains("n cannot be 10: it must be 0..9 (")).collect();
    assert_eq!((csv.lines().count(), failed.len()), (41, 34));
    assert!(failed.iter().all(|l| l.contains("walk.rules:7:30)")), "{failed:?}");
    let all: Value = serde_json::from_str(&read(&folder.path().join("all.json"))).expect("JSON");
    assert_eq!((&all["finished"], &all["games"]), (&6.into(), &40.into()));
    let fault = &all["faults"][0];
    assert_eq!((&fault["games"], &fault["finding"]["at"]["line"]), (&34.into(), &7.into()));
    assert_eq!(all["each"].as_array().expect("games").iter().filter(|g| g["failed"] == true).count(), 34);
}

#[test]
fn a_failing_game_is_played_again_up_to_the_failure() {
    let folder = folder();
    let (game, file) = (folder.path().join("walk"), folder.path().join("game.save"));
    let (game, file) = (game.display(), file.display());
    let done = cli(&format!("sim {game} --games 40"));
    let said = done.err.lines().find(|l| l.contains("--only")).expect("a command").trim();
    let said = said.strip_prefix("houserule ").expect("a command");
    let (line, _) = said.split_once(" --save ").expect("a file");
    let again = cli(&format!("{line} --save {file}"));
    assert_eq!(again.exit, Exit::Findings, "{}", again.err);
    assert!(again.err.contains("up to where Player 1 chooses more."), "{}", again.err);
    let replayed = cli(&format!("replay {file} --game {game}"));
    assert_eq!(replayed.exit, Exit::Fine, "{}{}", replayed.out, replayed.err);
    assert!(replayed.out.contains("Table: n 8"), "{}", replayed.out);
}

#[test]
fn failures_are_counted_the_same_however_answers_are_drawn() {
    let mut files = Files::new();
    // A rule that the action calls fails, too, sometimes earlier: whom to ask is found by a division.
    let rules = RULES.replace("my.points += 1 }", "my.points += 1; look(n) }")
        + "rule look(x: int) { let d = choose one of (players where it.points < 20 / (8 - x)) \"Whom?\"; if d is some { d.points = 0 } }\n";
    files.add(File::new("walk.rules", rules));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let plan = |uses| SimulationPlan {
        setup: Setup::with_seed(1),
        first: 0,
        games: 30,
        seats: Vec::new(),
        jobs: 1,
        cap: 99,
        uses,
    };
    let run = |plan: &SimulationPlan| {
        simulate(&game, plan, &AtomicBool::new(false), &AtomicU64::new(0)).expect("games").games
    };
    let (plain, counted) = (run(&plan(false)), run(&plan(true)));
    assert!(plain.iter().filter(|g| g.fault.is_some()).count() > 10);
    for (i, (a, b)) in plain.iter().zip(counted.iter()).enumerate() {
        assert_eq!((a.choices, a.unfinished, a.fault), (b.choices, b.unfinished, b.fault), "game {i}");
        let one = SimulationPlan { first: i as u64, games: 1, ..plan(false) };
        assert_eq!(run(&one).first(), Some(a), "a game is the same whichever others are played");
        let again = replay_first_game(&game, &one).expect("it is played again");
        assert_eq!(again.record.first(), Some(a));
        let m = again.game.expect("somebody was asked");
        assert_eq!(m.step() as u64, a.choices, "game {i}");
        assert_eq!(again.failing.is_some(), a.fault.is_some());
    }
}

#[test]
fn an_invariant_that_does_not_hold_is_a_finding() {
    let folder = folder();
    let rules = RULES.replace("n += 2", "n += 1").replace("0..9 = 0", "0..12 = 0");
    for (bound, exit) in [(13, Exit::Fine), (6, Exit::Findings)] {
        let text = format!("{rules}invariant \"not far\" {{ n < {bound} }}\n");
        std::fs::write(folder.path().join("walk/walk.rules"), text).expect("written");
        let game = folder.path().join("walk").display().to_string();
        // Whoever is watched closely and whoever is not.
        for seats in ["random", "greedy"] {
            let done = cli(&format!("sim {game} --games 40 --seats {seats}"));
            assert_eq!(done.exit, exit, "{}{}", done.out, done.err);
            let json = cli(&format!("sim {game} --games 40 --seats {seats} --format json"));
            assert_eq!(json.exit, exit);
            let all: Value = serde_json::from_str(&json.out).expect("JSON");
            let told = done.err.contains("the invariant “not far” does not hold")
                && done.err.contains("walk.rules:9");
            assert_eq!(told, exit == Exit::Findings, "{}", done.err);
            assert_eq!(all["faults"][0]["finding"]["at"]["line"] == 9, exit == Exit::Findings, "{all}");
        }
    }
}

/// Thirty lamps, each on or off, until there is nothing to do.
const LAMPS: &str = "game Lamps \"Lamps\" { players 2; outcome win }\n\
    map Row line 30\n\
    space Lamp on Row { lit: bool = no; tried: bool = no }\n\
    table { best: -30..0 = 0 }\n\
    round once { everyone in turn { offer switch } }\n\
    menu switch { done when no action; must minimise BEST }\n\
    action turn_on(c: Lamp where not it.tried) in switch { c.lit = yes; c.tried = yes }\n\
    action leave(c: Lamp where not it.tried) in switch { c.tried = yes }\n";

#[test]
fn too_many_lines_of_a_menu_are_told_and_one_that_cannot_be_bettered_ends_the_search() {
    let load = |best: &str| {
        let mut files = Files::new();
        files.add(File::new("lamps.rules", LAMPS.replace("BEST", best)));
        Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings))
    };
    // Whether something better comes is only known when all has been looked at: no type says how little there can be.
    let endless = load("-count(Lamp where lit) - 1000");
    let told = match endless.start(&Setup::default()) {
        Err(r) => r.findings.into_iter().map(|d| d.message).collect::<Vec<_>>().join("; "),
        Ok(mut m) => m.decisions().expect_err("too many lines").to_string(),
    };
    assert!(told.contains("too many ways to compare them all"), "{told}");
    // No fewer than none can be left, and every line comes to that: the first behind each option settles it, however many there are.
    let mut m = load("count(Lamp where not it.tried)").start(&Setup::default()).expect("a match");
    let asked = m.decisions().expect("options");
    let all = m.list_options(asked[0].question, 0, 100).expect("options");
    assert_eq!(all.len(), 60);
}

#[test]
fn too_many_sets_to_judge_are_told_and_alike_ones_do_not_count() {
    let text = "game Sets \"Sets\" { players 2; outcome highest coins }
player { coins: 0..99 = 2; zone hand: C }
card C { n: 0..99 = 0 }
C one x15
round once { everyone in turn { offer act } }
menu act { pass }
action take(cards: some of my.hand) in act { needs sum(c in cards: c.n) mod 2 == 0; my.coins += count(cards) }
test \"alike\" with Ann, Bo { move C to Ann.hand; as Ann { offer act }; Ann: take(C); expect Ann.coins == 17 }
test \"all different\" with Ann, Bo {
  move C to Ann.hand
  let n = 0
  for c in C { n += 1; c.n = n }
  as Ann { offer act }
  Ann: pass
}
";
    let mut files = Files::new();
    files.add(File::new("sets.rules", text));
    let game = Game::load(&files).expect("a game");
    let results = houserule::lab::testing::run(&game, None);
    let failures: Vec<_> = results.iter().map(|r| r.failure.as_ref().map(|f| f.message.as_str())).collect();
    assert!(failures[0].is_none(), "{failures:?}");
    assert!(
        failures[1].is_some_and(|m| m.contains("more than 20000 sets to try for `take`")),
        "{failures:?}"
    );
}

#[test]
fn a_zone_holds_no_more_than_fit() {
    let text = "game Sacks \"Sacks\" { players 2; outcome highest coins }
player { coins: 0..9 = 2; zone sack: C up to 2 }
card C
C one x4
round once { everyone in turn { offer act } }
menu act { pass }
action look() in act { my.coins += count(my.sack) }
test \"two fit\" with Ann, Bo { move first 2 of C to Ann.sack; expect count(Ann.sack) == 2 }
test \"three do not\" with Ann, Bo { move first 3 of C to Ann.sack }
";
    let mut files = Files::new();
    files.add(File::new("sacks.rules", text));
    let game = Game::load(&files).expect("a game");
    let results = houserule::lab::testing::run(&game, None);
    let failures: Vec<_> = results.iter().map(|r| r.failure.as_ref().map(|f| f.message.as_str())).collect();
    assert!(failures[0].is_none(), "{failures:?}");
    assert!(failures[1].is_some_and(|m| m.contains("sack can hold at most 2")), "{failures:?}");
}

#[test]
fn a_draw_when_all_of_a_supply_is_in_use_is_a_rule_error() {
    let text = "game Taps \"Taps\" { players 2; outcome highest n }
player { n: 0..9 = 0; zone cups: Cup }
table { zone shelf: Cup unlimited }
token Cup x4
setup { move Cup to shelf }
round once { everyone in turn { offer act } }
menu act { pass }
action take(k: 1..3) in act { move first k of shelf to my.cups; my.n += count(my.cups) }
test \"four are there\" with Ann, Bo { start at setup; Ann: take(3); expect Ann.n == 3 }
test \"five are not\" with Ann, Bo { start at setup; Ann: take(3); Bo: take(2) }
";
    let mut files = Files::new();
    files.add(File::new("taps.rules", text));
    let game = Game::load(&files).expect("a game");
    let results = houserule::lab::testing::run(&game, None);
    let failures: Vec<_> = results.iter().map(|r| r.failure.as_ref().map(|f| f.message.as_str())).collect();
    assert!(failures[0].is_none(), "{failures:?}");
    assert!(failures[1].is_some(), "{failures:?}");
}

/// A parameter or a result that leaves the range with which it is declared is a rule error, at its place.
#[test]
fn numbers_are_held_to_the_ranges_of_parameters_and_results() {
    let rules = include_str!("suite/members/held.rules");
    for (line, message) in [
        ("ann.m = 5; expect word(ann.n + ann.m) == 30", "7 is outside 1..3"),
        ("ann.n = 7; expect level(ann) == 7", "7 is outside 0..3"),
        ("ann.coins = 9; expect raised(ann) == 11", "11 is outside 0..9"),
        ("ann.n = 9; expect summed(ann) == 10", "10 is outside 0..9"),
        ("earn(ann, ann.m - 1)", "0 is outside 1..3"),
        ("ann.n = 9; take(ann)", "9 is outside 1..3"),
        ("expect of_script(ann.n) == 4", "4 is outside 1..3"),
        ("expect count(ann.shelf[ann.m - 1]) == 0", "0 is outside 1..3"),
        ("expect count(Chip where it is chip(ann.n + 2)) == 0", "4 is outside 1..3"),
    ] {
        let mut files = Files::new();
        let hook = "hook of_script(n: 0..9): 1..3 from \"twice.rhai\"";
        files.add(File::new(
            "held.rules",
            format!("{rules}\n{hook}\ntest \"out\" with ann, bo {{ {line} }}\n"),
        ));
        files.add(File::new("twice.rhai", "fn of_script(n) { n * 2 }"));
        let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
        for lift in [true, false] {
            let game = game.with_lowering(LowerOptions { lift, ..game.lowering() });
            let results = testing::run(&game, Some("out"));
            let failure = results[0].failure.as_ref().map_or("", |f| &f.message);
            assert!(failure.contains(message), "{line}: {failure}");
        }
    }
}
