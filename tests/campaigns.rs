//! Campaigns: games in a row whose set-up is what the one before hands on, in a file that contains their saves.
use crate::cli::{cli, cli_in};
use houserule::cli::Exit;
use std::path::Path;

/// A game of one choice, with two scenarios.
const MINE: &str = r#"
game Mine "The mine" { players 1..2; outcome together; begins on upper }
option lamps "Lamps": 0..9 = 2
table { gold: 0..9 = 0 }
menu dig
action climb(n: 0..9) in dig { gold = n; if n >= 5 { win players "enough" } else { lose players "too little" } }
round { everyone in turn { offer dig } }
legacy { lamps = lamps + gold / 5 }
scenario upper "The upper gallery" for Mine { legacy { next lower when won; next upper } }
scenario lower "The lower gallery" for Mine { legacy { next none when won; next lower } }
test "one choice" with Ann { start at round; Ann: climb(5); handed lamps = 3, next lower }
"#;

fn with_rules(text: &str, check: impl FnOnce(&Path, &str)) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("mine.rules"), text).expect("rules");
    let file = folder.path().join("mine.campaign");
    let command = format!("play {} --campaign {}", folder.path().display(), file.display());
    check(folder.path(), &command);
}

/// The file of a campaign in that folder.
fn text_of(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("mine.campaign")).expect("the campaign")
}

#[test]
fn games_follow_each_other_until_none_is_next() {
    with_rules(MINE, |folder, command| {
        let first = cli_in(&format!("{command} --players 1 --seed 4"), "climb(3)\nquit\n");
        assert_eq!(first.exit, Exit::Fine, "{}", first.err);
        assert!(first.out.contains("Handed on: lamps 2."), "{}", first.out);
        assert!(first.out.contains("The next game is upper"), "{}", first.out);
        let second = cli_in(command, "climb(7)\nquit\n");
        assert!(second.out.contains("Game 1, The upper gallery: Player 1 lost"), "{}", second.out);
        assert!(second.out.contains("The upper gallery (scenario upper)"), "{}", second.out);
        assert!(second.out.contains("Handed on: lamps 3."), "{}", second.out);
        let third = cli_in(command, "climb(5)\nquit\n");
        assert!(third.out.contains("The lower gallery (scenario lower)"), "{}", third.out);
        assert!(third.out.contains("Handed on: lamps 4.\nThe campaign is over."), "{}", third.out);
        assert!(text_of(folder).contains("options: {\"lamps\": \"3\"}"), "{}", text_of(folder));
        let over = cli_in(command, "climb(5)\n");
        assert_eq!(over.exit, Exit::Fine);
        assert!(
            over.out.ends_with("Game 3, The lower gallery: Player 1 won\nThe campaign is over.\n"),
            "{}",
            over.out
        );
    });
}

#[test]
fn a_game_that_has_not_ended_changes_nothing() {
    with_rules(MINE, |folder, command| {
        let stopped = cli_in(command, "quit\n");
        assert!(stopped.err.contains("the campaign stays as it was"), "{}", stopped.err);
        assert!(!folder.join("mine.campaign").exists());
    });
}

#[test]
fn what_does_not_fit_is_refused_with_the_number_of_the_game() {
    with_rules(MINE, |folder, command| {
        cli_in(command, "climb(6)\nquit\n");
        cli_in(command, "climb(1)\nquit\n");
        let whole = text_of(folder);
        let told = |text: &str| {
            std::fs::write(folder.join("mine.campaign"), text).expect("a file");
            let done = cli_in(command, "climb(6)\nquit\n");
            assert_ne!(done.exit, Exit::Fine, "{}", done.out);
            assert_eq!(text_of(folder), text, "the file is left as it was");
            done.err
        };
        let cut: String = whole.lines().take(9).map(|l| format!("{l}\n")).collect();
        assert!(told(&cut).contains("this is no file of a campaign"));
        assert!(told("(campaign: 2, games: [])").contains("format 2; this version reads format 1"));
        let changed = told(&whole.replace("climb(1)", "climb(2)"));
        assert!(changed.contains("game 2 of the campaign") && changed.contains("was changed"), "{changed}");
        let richer = told(&whole.replace("{\"lamps\": \"3\"}", "{\"lamps\": \"4\"}"));
        assert!(richer.contains("game 2 of the campaign"), "{richer}");
        // Another edition of the rules: the games play as they did, but hand something else on.
        std::fs::write(folder.join("mine.campaign"), &whole).expect("a file");
        std::fs::write(folder.join("mine.rules"), MINE.replace("gold / 5", "gold / 3")).expect("rules");
        let other = cli_in(command, "climb(6)\nquit\n");
        assert!(
            other.err.contains("game 2 of the campaign: it does not begin as game 1 has handed on"),
            "{}",
            other.err
        );
        // One whose games end otherwise.
        std::fs::write(folder.join("mine.rules"), MINE.replace("n >= 5", "n > 6")).expect("rules");
        let other = cli_in(command, "climb(6)\nquit\n");
        assert!(
            other.err.contains("game 1 of the campaign: after 1 choices: it ended otherwise"),
            "{}",
            other.err
        );
    });
}

#[test]
fn the_campaign_says_how_its_next_game_is_set_up() {
    with_rules(MINE, |_, command| {
        cli_in(command, "climb(6)\nquit\n");
        for given in ["--scenario upper", "--option lamps=9", "--players 2", "--names Ann,Bo"] {
            let done = cli(&format!("{command} {given}"));
            assert_eq!(done.exit, Exit::Usage, "{given}");
            assert!(done.err.contains("the campaign says how its next game is set up"), "{}", done.err);
        }
    });
    let without = cli("play pig --campaign somewhere.campaign");
    assert_eq!(without.exit, Exit::Usage);
    assert!(without.err.contains("`legacy { … }`"), "{}", without.err);
}

#[test]
fn a_value_that_the_option_cannot_have_is_told() {
    let rules = MINE.replace("lamps + gold / 5", "lamps + gold").replace("handed lamps = 3, ", "handed ");
    with_rules(&rules, |folder, command| {
        let done = cli_in(command, "climb(9)\nquit\n");
        assert_ne!(done.exit, Exit::Fine);
        assert!(
            done.err.contains("gives the option `lamps` the value 11: it is a number from 0 to 9"),
            "{}",
            done.err
        );
        assert!(!folder.join("mine.campaign").exists() && folder.join("mine.save").exists());
    });
}
