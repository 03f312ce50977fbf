//! What `houserule new` makes: it passes `check` and `test` as it is, and nothing is replaced.
use crate::cli::{Done, cli_args};
use houserule::cli::Exit;
use houserule::shipped::Template;
use rayon::prelude::*;
use std::path::Path;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Runs a command that is to go well.
fn fine(args: &[&str]) -> String {
    let done = cli_args(args);
    assert_eq!(done.exit, Exit::Fine, "{args:?}: {}{}", done.out, done.err);
    done.out
}

fn refused(args: &[&str], why: &str) {
    let Done { exit, err, .. } = cli_args(args);
    assert_eq!(exit, Exit::Usage, "{args:?}: {err}");
    assert!(err.contains(why), "{args:?}: {err}");
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path")
}

#[test]
fn a_new_game_is_whole() {
    let made = folder();
    for t in Template::ALL {
        let title = format!("My {} game", t.word);
        let out = fine(&["new", "game", &title, "--like", t.word, "--in", text(made.path())]);
        let path = made.path().join(format!("my-{}-game", t.word));
        assert!(out.contains(text(&path)) && out.contains("houserule play"), "{out}");
        assert!(fine(&["check", "--strict", text(&path)]).contains("no findings"));
        assert!(fine(&["test", text(&path)]).contains(", 0 failed"));
        fine(&["fmt", "--check", text(&path)]);
    }
    let again = ["new", "game", "My board game", "--in", text(made.path())];
    refused(&again, "there is already a file");
    // Titles in other letters, and names that are devices on Windows.
    for (title, name) in [("Ärger & Co", "arger-co"), ("CON", "con-game"), ("..", "game"), ("2", "2")] {
        fine(&["new", "game", title, "--in", text(made.path())]);
        let file = made.path().join(name).join(format!("{name}.rules"));
        assert!(file.is_file(), "{}", file.display());
        fine(&["check", text(&file)]);
    }
    refused(&["new", "game", " \"{} ", "--in", text(made.path())], "it needs a title");
    assert_eq!(cli_args(&["new", "game", "A", "--like", "chess"]).exit, Exit::Usage);
}

/// A house rule for each shipped game passes beside it: what it does, and its test, fit any game.
#[test]
fn a_new_house_rule_fits_every_game() {
    let made = folder();
    let games = crate::support::games();
    assert!(games.len() > 30);
    games.par_iter().for_each(|game| {
        let title = format!("Rule of {game}");
        fine(&["new", "mod", &title, "--for", game, "--in", text(made.path())]);
        let file = made.path().join(format!("rule-of-{game}.rules"));
        assert!(fine(&["check", "--strict", text(&file)]).contains("no findings"), "{game}");
        let tested = fine(&["test", text(&file), "--filter", "is in force"]);
        assert!(tested.contains("1 test, 1 passed"), "{game}: {tested}");
        fine(&["fmt", "--check", text(&file)]);
    });
    // By the word of its own line, which is not the folder's name.
    fine(&["new", "mod", "Bluffing", "--for", "Bluff", "--in", text(made.path())]);
    refused(&["new", "mod", "Bluffing", "--for", "Bluff", "--in", text(made.path())], "already a file");
    assert_eq!(cli_args(&["new", "mod", "A", "--for", "no-such-game"]).exit, Exit::Usage);
}

#[test]
fn a_new_scenario_is_a_copy() {
    let made = folder();
    for (game, like) in [("fuji", "fuji_1"), ("fog", "xappalo"), ("discover", "cry"), ("chess", "endgame")] {
        let title = format!("Long {game}");
        let out =
            fine(&["new", "scenario", &title, "--for", game, "--like", like, "--in", text(made.path())]);
        let file = made.path().join(format!("long_{game}.scenario"));
        assert!(out.contains(like) && out.contains(text(&file)), "{out}");
        assert!(fine(&["check", "--strict", text(&file)]).contains("no findings"), "{game}");
    }
    // What the rules of Discover's scenarios declare cannot be declared twice.
    let built = std::fs::read_to_string(made.path().join("long_discover.scenario")).expect("the scenario");
    assert_eq!(built, "scenario long_discover \"Long discover\" for Discover with cry {\n}\n");
    // A game without scenarios gets one that draws nothing.
    fine(&["new", "scenario", "Plain", "--for", "go", "--in", text(made.path())]);
    fine(&["check", text(&made.path().join("plain.scenario"))]);
    refused(&["new", "scenario", "Other", "--for", "fog", "--like", "xapalo"], "did you mean xappalo?");
    refused(&["new", "scenario", "Fuji 1", "--for", "fuji"], "has a scenario fuji_1 already");
}

#[test]
fn a_new_card_is_a_copy_behind_another() {
    let made = folder();
    fine(&["new", "game", "Moon", "--like", "cards", "--in", text(made.path())]);
    let game = made.path().join("moon");
    let out = fine(&["new", "card", "Rope ladder", "--for", text(&game)]);
    assert!(out.contains("called rope_ladder, as Herald"), "{out}");
    fine(&["new", "card", "Third", "--for", text(&game), "--like", "thief"]);
    let rules = std::fs::read_to_string(game.join("moon.rules")).expect("the rules");
    let at = |name: &str| rules.find(name).unwrap_or_else(|| panic!("{name}: {rules}"));
    assert!(at("Card herald") < at("Card rope_ladder") && at("Card thief") < at("Card third"));
    fine(&["check", "--strict", text(&game)]);
    fine(&["test", text(&game)]);
    refused(&["new", "card", "A", "--for", text(&game), "--like", "theif"], "did you mean thief?");
    refused(&["new", "card", "A", "--for", "fuji"], "ships with this program");
    let out = fine(&["new", "card", "Fourth", "--for", text(&game), "--like", "Number 3"]);
    assert!(out.contains("the family of cards Fourth, called fourth, as number"), "{out}");
}

/// A house rule of one's own game is found where it is made: beside the game's folder, and in a folder beside it.
#[test]
fn a_house_rule_finds_the_game_beside_it() {
    let made = folder();
    fine(&["new", "game", "Moon", "--in", text(made.path())]);
    let game = made.path().join("moon");
    let rules = made.path().join("house");
    for folder in [made.path(), &rules] {
        fine(&["new", "mod", "Late", "--for", text(&game), "--in", text(folder)]);
        let file = folder.join("late.rules");
        assert!(fine(&["check", text(&file)]).contains("2 files: no findings"));
    }
    // From afar it is not found, which is said; in the game's own folder it would be a part of the game.
    let afar = made.path().join("a/b/my rules");
    let out = fine(&["new", "mod", "Late", "--for", text(&game), "--in", text(&afar)]);
    assert!(out.contains("not found from there") && !out.contains("houserule test"), "{out}");
    assert!(out.contains(&format!("--mod '{}/late.rules'", text(&afar))), "quoted for a shell: {out}");
    refused(&["new", "mod", "Late", "--for", text(&game), "--in", text(&game)], "the game's own folder");
}
