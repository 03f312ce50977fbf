//! `houserule leaks`: finds leaks that were put into copies of shipped games and into the engine, and none in the games as shipped.
use crate::cli::cli_args;
use houserule::cli::Exit;
use houserule::engine::SeededFault;
use houserule::lab::leaks::{LeakPlan, LeaksFound, find_leaks};
use houserule::play::setup::player_range;
use houserule::play::{Game, Setup};
use houserule::text::{File, Files, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicU64;

/// A part of a game's text, and what stands in its place.
type Change = (String, String);

/// The leaks of the suite, by their titles.
fn read_seeded() -> Vec<(String, Vec<Change>)> {
    let path = crate::support::root().join("tests/suite/leaks/seeded.md");
    let text = std::fs::read_to_string(path).expect("the leaks");
    let mut out: Vec<(String, Vec<Change>)> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            out.push((title.into(), Vec::new()));
        }
        let Some((_, changes)) = out.last_mut() else { continue };
        if let Some(old) = line.strip_prefix("- ") {
            changes.push((old.into(), String::new()));
        } else if let (Some(new), Some((_, text))) = (line.strip_prefix("+ "), changes.last_mut()) {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(new);
        }
    }
    out
}

/// The files of a game with changes, and where the new texts stand in them.
fn change(game: &str, changes: &[Change]) -> (Files, Vec<(String, std::ops::Range<usize>)>) {
    let mut out = Files::new();
    let mut places = Vec::new();
    for (_, f) in crate::support::source(game).iter() {
        let mut text = f.text.clone();
        for (old, new) in changes {
            let times = text.matches(old.as_str()).count();
            assert!(times <= 1, "{game}: {old}");
            if let Some(at) = text.find(old.as_str()) {
                text.replace_range(at..at + old.len(), new);
                places.push((f.name.to_string(), at..at + new.len()));
            }
        }
        out.add(File::new(f.name.clone(), text));
    }
    assert_eq!(
        places.len(),
        changes.len(),
        "{game}: each text to be replaced must occur exactly once in the game"
    );
    (out, places)
}

fn search(game: &Game, fault: Option<SeededFault>, games: u64, choices: usize) -> LeaksFound {
    // As many players as may play: what one is shown is not what all are shown.
    let (least, most) = player_range(game.model(), None);
    let setups = vec![Setup::default().with_players(most.min(4).max(least))];
    let plan = LeakPlan { setups, seed: 1, games, choices, fault };
    find_leaks(game, &plan, &|| true, &AtomicU64::new(0)).unwrap_or_else(|r| panic!("{:?}", r.findings))
}

/// What a search names: the rule, in what way, how many read it.
fn named(found: &LeaksFound, text: &dyn Fn(Span) -> String) -> BTreeSet<(String, String, usize)> {
    let leaks = found.leaks.iter().map(|l| (l.at.unwrap_or_default(), l.channel.word().to_string(), 0));
    let told = found.told.iter().map(|t| (t.at, format!("{:?}", std::mem::discriminant(&t.kind)), t.readers));
    leaks.chain(told).map(|(at, how, readers)| (text(at), how, readers)).collect()
}

#[test]
fn leaks_in_copies_of_shipped_games_are_found_at_their_rule() {
    let seeded = read_seeded();
    assert!(seeded.len() >= 10);
    let mut missed = Vec::new();
    let mut shipped = BTreeMap::new();
    for (title, changes) in seeded {
        let game = title.split(": ").next().expect("a game");
        let load = |files: &Files| {
            let loaded = Game::load(files);
            loaded.unwrap_or_else(|r| panic!("{title}: {:?}", r.findings))
        };
        let line_of = |files: &Files, span: Span| {
            let file = files.get(span.file);
            let line = file.map(|f| f.text[..span.start as usize].matches('\n').count()).unwrap_or(0);
            file.and_then(|f| f.text.lines().nth(line)).unwrap_or("").to_string()
        };
        let before = shipped.entry(game.to_string()).or_insert_with(|| {
            let (plain, _) = change(game, &[]);
            let found = search(&load(&plain), None, 3, 8);
            assert!(found.leaks.is_empty(), "{title}: the game as shipped has {:?}", found.leaks);
            named(&found, &|s| line_of(&plain, s))
        });
        let (files, places) = change(game, &changes);
        let found = search(&load(&files), None, 3, 8);
        let after = named(&found, &|s| line_of(&files, s));
        let is_new = |at: &Span| {
            let inside = |(name, range): &(String, std::ops::Range<usize>)| {
                files.get(at.file).is_some_and(|f| *f.name == **name)
                    && range.start <= at.end as usize
                    && (at.start as usize) <= range.end
            };
            places.iter().any(inside)
        };
        let of_leaks = found.leaks.iter().filter_map(|l| l.at);
        let spans: Vec<Span> = of_leaks.chain(found.told.iter().map(|t| t.at)).collect();
        let new: Vec<_> = after.difference(before).collect();
        if !spans.iter().any(is_new) || new.is_empty() {
            missed.push(format!("{title}: new is {new:?}, of {after:?}"));
        }
    }
    assert!(missed.is_empty(), "not found at their rule:\n{}", missed.join("\n"));
}

#[test]
fn leaks_of_the_engine_are_found_and_no_rule_is_blamed_for_nothing() {
    for (fault, game) in [
        (SeededFault::ViewShowsFaces, "love-letter"),
        (SeededFault::LogUnfiltered, "love-letter"),
        (SeededFault::ShuffleKeepsKnown, "love-letter"),
    ] {
        let (files, _) = change(game, &[]);
        let game = Game::load(&files).expect("it loads");
        let found = search(&game, Some(fault), 6, 25);
        assert!(!found.leaks.is_empty(), "{fault:?} is not found");
        assert!(found.leaks.iter().all(|l| l.games > 0 && !l.what.is_empty()));
    }
}

#[test]
fn the_command_lists_what_rules_tell_and_finds_no_leak_in_a_shipped_game() {
    let words = ["leaks", "love-letter", "--games", "8", "--seed", "3", "--cap", "20"];
    let done = cli_args(&words);
    let out = done.out;
    assert_eq!(done.exit, Exit::Fine, "{}", done.err);
    assert!(out.contains("Rules that tell a seat what it could not know before:"), "{out}");
    assert!(out.contains("love-letter.rules:34:103: shows it"), "the Priest: {out}");
    assert!(out.trim_end().ends_with("no leak"), "{out}");
    let done = cli_args(&[&words[..], &["--format", "json"]].concat());
    assert_eq!(done.exit, Exit::Fine);
    let all: serde_json::Value = serde_json::from_str(&done.out).expect("JSON");
    assert_eq!(all["games"], 8);
    assert_eq!(all["leaks"].as_array().map(Vec::len), Some(0));
    let told = all["told"].as_array().expect("a list");
    let priest = told.iter().find(|t| t["place"].as_str().is_some_and(|p| p.ends_with(":34:103")));
    assert!(priest.is_some_and(|t| t["readers"].as_u64().is_some_and(|n| n < 4)), "{told:?}");
}

#[test]
fn an_unknown_game_and_a_wrong_time_are_told() {
    let unknown = cli_args(&["leaks", "no-such-game"]);
    assert_ne!(unknown.exit, Exit::Fine);
    assert!(unknown.err.contains("no-such-game"), "{}", unknown.err);
    let soon = cli_args(&["leaks", "kuhn", "--time", "soon"]);
    assert_eq!(soon.exit, Exit::Usage);
    assert!(soon.err.contains("90s"), "{}", soon.err);
}
