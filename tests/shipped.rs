//! Every test block of every shipped game and mod, and every shipped file as the formatter would write it.
use crate::support::{files_in, game, games, modded, root};
use houserule::lab::testing;
use houserule::play::Game;

fn all_pass(game: &Game, at_least: usize) {
    let results = testing::run(game, None);
    assert!(results.len() >= at_least, "only {} tests were found", results.len());
    let failed: Vec<String> = results
        .iter()
        .filter_map(|r| r.failure.as_ref().map(|f| format!("{}: {} ({})", r.title, f.message, f.place)))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn the_games_tests_pass() {
    for name in games() {
        all_pass(&game(&name), 3);
    }
}

#[test]
fn the_mods_tests_pass() {
    // A mod's own tests run with the mod in force.
    for (name, file, title) in [
        ("tic-tac-toe", "gravity", "the bottom row first"),
        ("hex", "swap-rule", "the second may take the first stone over"),
        ("love-letter", "no-secrets-at-court", "what the Jester"),
        ("fuji", "gentle-slope", "who fails is one less tired"),
        ("fuji", "thermos", "a hot drink"),
        ("fuji", "thermos", "nothing for who is not tired"),
        ("fuji", "thermos", "the way back over an injury space"),
        ("fog", "calm-wind", "in the third round the FOG stays"),
    ] {
        let results = testing::run(&modded(name, &[file]), Some(title));
        assert_eq!(results.len(), 1, "{file}");
        assert!(results[0].failure.is_none(), "{file}: {:?}", results[0].failure);
    }
}

#[test]
fn the_games_tests_say_what_a_mod_breaks() {
    let game = modded("tic-tac-toe", &["gravity"]);
    let under = testing::run_under(&game, None, &testing::mod_names(&game));
    let broken: Vec<_> = under.iter().filter_map(|r| Some((&r.title[..], r.broken_by.as_deref()?))).collect();
    assert_eq!(broken, [("three in a row win", "Gravity")]);
    // Without a word about mods the game's tests run as ever.
    assert!(testing::run(&game, None).iter().all(|r| r.failure.is_none()));
}

#[test]
fn shipped_mods_break_what_they_say_and_nothing_else() {
    for (name, mods) in [
        ("tic-tac-toe", "gravity"),
        ("hex", "swap-rule"),
        ("love-letter", "no-secrets-at-court"),
        ("fuji", "gentle-slope"),
        ("fuji", "thermos"),
        ("fog", "calm-wind"),
    ] {
        let game = modded(name, &[mods]);
        for result in testing::run_under(&game, None, &testing::mod_names(&game)) {
            assert!(result.failure.is_none(), "{mods}: {}: {:?}", result.title, result.failure);
        }
    }
}

#[test]
fn a_failing_expectation_fails() {
    let mut files = crate::support::source("tic-tac-toe");
    files.add(houserule::text::File::new(
        "rules/classics/tic-tac-toe/more.rules",
        "test \"a lie\" {\n  start at round\n  crosses: place(A1)\n  expect A1.mark == noughts\n}\n",
    ));
    let game = Game::load(&files).expect("rules");
    let results = testing::run(&game, Some("a lie"));
    let failure = results[0].failure.as_ref().expect("the lie is found");
    assert!(failure.place.starts_with("rules/classics/tic-tac-toe/more.rules:4"), "{}", failure.place);
}

#[test]
fn what_stands_behind_the_end_of_the_game_fails() {
    let mut files = crate::support::source("tic-tac-toe");
    files.add(houserule::text::File::new(
        "rules/classics/tic-tac-toe/more.rules",
        "test \"behind the end\" {\n  start at round\n  crosses: place(A1)\n  noughts: place(A2)\n  crosses: place(B1)\n  \
         noughts: place(B2)\n  crosses: place(C1)\n  A3.mark = noughts\n}\n",
    ));
    let game = Game::load(&files).expect("rules");
    let results = testing::run(&game, Some("behind the end"));
    let failure = results[0].failure.as_ref().expect("nothing more is done");
    assert_eq!(failure.message, "the game is over, so nothing more can be done");
    assert!(failure.place.starts_with("rules/classics/tic-tac-toe/more.rules:8"), "{}", failure.place);
}

#[test]
fn a_set_up_that_is_not_refused_fails_and_so_does_another_reason() {
    let mut files = crate::support::source("fuji");
    let wrong = "test \"refused: it is not\" on practice with Ann, Bo, Cy {\n  expect refused\n}\n\n\
                 test \"refused: otherwise\" on practice with Ann, Bo {\n  level = level_2\n  expect refused because \"too many\"\n}\n\n\
                 test \"refused: it is\" on practice with Ann, Bo {\n  expect refused because \"third screen\"\n}\n";
    files.add(houserule::text::File::new("rules/fuji/more.rules", wrong));
    let game = Game::load(&files).expect("rules");
    let told: Vec<String> = testing::run(&game, Some("refused: "))
        .into_iter()
        .map(|r| r.failure.map_or_else(|| "passed".into(), |f| format!("{} {}", f.place, f.message)))
        .collect();
    assert_eq!(told[0], "rules/fuji/more.rules:2:3 this set-up is not refused");
    assert!(
        told[1].starts_with("rules/fuji/more.rules:7:3 it is refused for another reason: two seats play"),
        "{told:?}"
    );
    assert_eq!(told[2], "passed");
}

#[test]
fn shipped_files_are_formatted() {
    for path in files_in(&root().join("rules")) {
        if path.extension().is_some_and(|e| e == "rules") {
            let text = std::fs::read_to_string(&path).expect("a shipped file");
            let once = houserule::syntax::format_text(&text).expect("it parses");
            assert_eq!(once, text, "{} is not formatted", path.display());
            assert_eq!(
                houserule::syntax::format_text(&once).as_ref(),
                Ok(&once),
                "{}: not a fixed point",
                path.display()
            );
        }
    }
}

#[test]
fn a_statement_between_two_choices_changes_the_game_that_goes_on() {
    let mut files = crate::support::source("tic-tac-toe");
    files.add(houserule::text::File::new(
        "rules/classics/tic-tac-toe/more.rules",
        "test \"in the middle\" {\n  start at round\n  crosses: place(A1)\n  B2.mark = crosses\n  refuse noughts: place(B2)\n  noughts: place(C2)\n  crosses: place(C3)\n  expect crosses won\n}\n",
    ));
    let game = Game::load(&files).expect("rules");
    let results = testing::run(&game, Some("in the middle"));
    assert!(results.len() == 1 && results[0].failure.is_none(), "{:?}", results[0].failure);
}
