//! What the tests and games of a tiny game reach, and what they do not.
use crate::cli::cli;
use houserule::cli::Exit;
use serde_json::Value;

/// Without its variants nobody doubles, nothing is forbidden and the joker stays in the box; no option or number of players reaches `never`.
const GAME: &str = r#"game Tiny "Tiny" { players 2..3; outcome highest points }
card Card { worth: 0..9 = 1; rule play() }
Card ace { worth: 3; play { my.points += 3 } }
Card joker { play { double() } }
player { points: 0..99 = 0; zone hand: Card seen by owner }
option rich "Rich": bool = no
value bonus: int = if rich then more else 0
value more: int = 1 + 1
setup { for p in players { p.points = bonus } }
round once { everyone in turn { move ace to my.hand; offer turn_menu } }
menu turn_menu { pass }
action lay(c: one of my.hand) in turn_menu { c.play(); move c to box }
rule double() { my.points += my.points }
rule never() { my.points = 0 }
instead of never() when count(players) == 9 { }
heuristic ahead(p: player): int = gap(p)
value gap(p: player): int = p.points - 3
variant jokers "Jokers" {
  after setup { move joker to (first of players).hand }
  forbid lay(ace) when count(players) == 9 else "no"
}
test "an ace counts three" with Ann, Bo {
  start at round
  Ann: lay(ace)
  expect Ann.points == 3
}
"#;

fn covered(rules: &str, more: &str) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("tiny.rules"), rules).expect("written");
    let done = cli(&format!("coverage {} --format json {more}", folder.path().display()));
    assert_eq!(done.exit, Exit::Fine, "{}{}", done.out, done.err);
    let mut all: Value = serde_json::from_str(&done.out).expect("JSON");
    // The folder has a name of its own.
    let text = all.to_string().replace(all["game"].as_str().expect("a name"), "tiny");
    all = serde_json::from_str(&text).expect("JSON");
    all
}

fn never(all: &Value, by: &str) -> Vec<String> {
    let list = all[by]["never"].as_array().expect("a list");
    list.iter().map(|u| format!("{} {}", u["what"], u["name"]).replace('"', "")).collect()
}

#[test]
fn what_is_never_reached_is_told_by_source_and_together() {
    let all = covered(GAME, "--games 60");
    let left = ["value more", "rule play of Card joker", "member Card joker", "rule double", "rule never"];
    let by_tests = never(&all, "by_tests");
    assert!(left.iter().all(|l| by_tests.iter().any(|t| t == l)), "{by_tests:?}");
    assert!(by_tests.iter().any(|t| t.starts_with("attachment after setup")), "{by_tests:?}");
    assert!(by_tests.iter().any(|t| t.starts_with("attachment forbid lay(ace)")), "{by_tests:?}");
    // Games are of every number of players, every option and every variant.
    assert_eq!(never(&all, "by_games"), ["rule never"], "{all}");
    assert_eq!(never(&all, "together"), ["rule never"], "{all}");
    let place = all["together"]["never"][0]["place"].as_str().expect("a place");
    assert!(place.ends_with("tiny.rules:14:1"), "{place}");
    assert_eq!((&all["games"], &all["unfinished"]), (&60.into(), &0.into()));
}

/// A value that only joins others, and is only asked where it decides, is reached when it is asked.
#[test]
fn a_value_of_nothing_but_others_is_reached_when_it_decides() {
    let rules = GAME.replace("value gap(", "value small(c: Card): bool = low(c) and not held(c)\nvalue low(c: Card): bool = c.worth < 5\nvalue held(c: Card): bool = no(p in players: c in p.hand)\nvalue gap(");
    let rules = rules.replace("{ c.play();", "{ needs any(x in my.hand: small(x)); c.play();");
    let all = covered(&rules, "--games 0");
    let by_tests = never(&all, "by_tests");
    assert!(
        !by_tests.iter().any(|t| ["value small", "value low", "value held"].contains(&t.as_str())),
        "{by_tests:?}"
    );
    // What nothing asks is not.
    let all = covered(
        &rules
            .replace("needs any(x in my.hand: small(x)); ", "")
            .replace("rule never() {", "rule never() { if small(first of box where ace) { my.points = 1 };"),
        "--games 0",
    );
    assert!(never(&all, "by_tests").iter().any(|t| t == "value small"), "{all}");
}

#[test]
fn without_games_only_the_tests_count() {
    let all = covered(GAME, "--games 0");
    assert_eq!(never(&all, "together"), never(&all, "by_tests"));
    assert_eq!(all["by_games"]["reached"], 0);
}

#[test]
fn a_seed_gives_the_same_again() {
    for game in ["othello", "love-letter"] {
        let once = cli(&format!("coverage {game} --games 3 --seed 5"));
        let again = cli(&format!("coverage {game} --games 3 --seed 5"));
        assert_eq!((once.exit, &once.out), (Exit::Fine, &again.out));
        assert!(once.out.contains("declarations"), "{}", once.out);
    }
}

/// Whoever looks one step ahead never gives a point away; by chance somebody does.
#[test]
fn bots_that_play_to_win_reach_other_rules_than_chance() {
    let rules = GAME.replace("rule never()", "action waste() in turn_menu { my.points -= 1 }\nrule never()");
    let wastes =
        |seats: &str| !never(&covered(&rules, seats), "by_games").contains(&"action waste".to_string());
    assert!(wastes("--games 20") && wastes("--games 20 --seats greedy,random"));
    assert!(!wastes("--games 20 --seats greedy"));
    let done = cli("coverage othello --games 1 --seats you");
    assert!(done.exit != Exit::Fine && done.err.contains("only bots can play here"), "{}", done.err);
    let done = cli("coverage tic-tac-toe --games 2 --seats greedy");
    assert!(done.out.contains("by 2 games of greedy"), "{}", done.out);
}

/// The trace file and the page say of each line what the tests and games have reached: the same numbers, and those of the declarations.
#[test]
fn lines_and_ways_are_told_to_other_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = folder.path().join("tiny.rules");
    std::fs::write(&rules, GAME).expect("written");
    let (lcov, html) = (folder.path().join("tiny.info"), folder.path().join("tiny.html"));
    let line = format!(
        "coverage {} -n 0 --lcov {} --html {}",
        folder.path().display(),
        lcov.display(),
        html.display()
    );
    assert_eq!(cli(&line).exit, Exit::Fine);
    let told = std::fs::read_to_string(&lcov).expect("the trace file");
    let line_of = |text: &str| GAME.lines().position(|l| l.contains(text)).expect("a line") + 1;
    // One test, which lays an ace: what it reaches counts once, the rest never.
    for (text, n) in
        [("action lay(", 1), ("Card ace", 1), ("rule double()", 0), ("rule never()", 0), ("value bonus", 0)]
    {
        let line = format!("DA:{},{n}\n", line_of(text));
        assert!(told.contains(&line), "{text}: {line}{told}");
    }
    // Lines of tests and of what only bots use are none of the rules'.
    for text in ["test \"an ace", "Ann: lay(ace)", "heuristic ahead"] {
        assert!(!told.contains(&format!("DA:{},", line_of(text))), "{text}: {told}");
    }
    assert!(told.starts_with("TN:\nSF:") && told.ends_with("end_of_record\n"), "{told}");
    assert!(
        told.contains(&format!("FN:{},rule double\n", line_of("rule double()")))
            && told.contains("FNDA:0,rule double\n"),
        "{told}"
    );
    // `if rich then more else 0` has two ways. No test has met them; of forty games each looks, and some are rich.
    let ways = |told: &str| -> Vec<String> {
        let head = format!("BRDA:{},0,", line_of("value bonus"));
        told.lines().filter_map(|l| l.strip_prefix(&head)?.split(',').nth(1).map(String::from)).collect()
    };
    assert!(ways(&told).iter().all(|w| w == "-"), "{told}");
    let more = folder.path().join("more.info");
    let line = format!("coverage {} -n 40 --lcov {}", rules.display(), more.display());
    assert_eq!(cli(&line).exit, Exit::Fine);
    let more = std::fs::read_to_string(&more).expect("the trace file");
    let counts: Vec<u32> = ways(&more).iter().filter_map(|w| w.parse().ok()).collect();
    assert!(counts.contains(&40) && counts.iter().any(|n| (1..40).contains(n)), "{more}");
    let number = |key: &str| -> usize {
        told.lines().filter_map(|l| l.strip_prefix(key)?.parse::<usize>().ok()).sum()
    };
    let lines: Vec<&str> = told.lines().filter_map(|l| l.strip_prefix("DA:")).collect();
    assert_eq!(
        (number("LF:"), number("LH:")),
        (lines.len(), lines.iter().filter(|l| !l.ends_with(",0")).count())
    );
    let page = std::fs::read_to_string(&html).expect("the page");
    assert!(page.contains(&format!("{} of {} lines", number("LH:"), number("LF:"))), "{page}");
    assert_eq!(page.matches("<span class=\"no\"><i>").count(), number("LF:") - number("LH:"));
    assert!(page.contains("game Tiny &quot;Tiny&quot;"), "{page}");
}
