//! Options of every type that the checker allows are chosen by their words.
use houserule::play::{Game, Setup};
use houserule::text::{File, Files};

const RULES: &str = r#"game Opt "Opt" { players 2..4; outcome win }
enum Level { low, high }
card Good { worth: 0..99 = 0 }
Good coin x0
card Relic is Good { }
card Tool is Good { }
Relic idol "Idol" { worth: 3 }
Tool saw "Saw" x2 { worth: 7 }
Relic rune(n: 1..3) "Rune {n}" { worth: 10 * n }
map Board squares 28 by 3
space Cell on Board { }
space Inn { }
Inn bar
Inn attic "The attic"
option level "Level": Level = low
option fast "Fast": bool = no
option size "Size": 2..9 = 4
option beg "Who begins": player = first of players
option side "Side": team? = none
option way "Way": Direction = north
option home "Home": Cell = B2
option col "Column": Column = A
option rel "Relic": face of Relic = idol
option luck "Lucky number": 1..5? = none
option maybe "Maybe": Level? = none
option inn "Inn": Inn = bar
needs rel != rune(3) and home != AB3 else "not that home"
setup { say "{level} {fast} {size} {beg} {side} {way} {home} {col} {rel} {rel.worth} {luck} {maybe} {inn}" }
round once { everyone in turn { offer go } }
menu go
action go() in go { }
"#;

fn game() -> Game {
    let mut files = Files::new();
    files.add(File::new("opt/opt.rules", RULES));
    Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings))
}

fn setup(options: &[(&str, &str)]) -> Setup {
    let mut setup = Setup { names: vec!["Ann".into(), "Bo Derek".into()], ..Setup::with_seed(1) };
    setup.options.extend(options.iter().map(|(k, v)| (k.to_string(), v.to_string())));
    setup
}

fn told(game: &Game, options: &[(&str, &str)]) -> Result<String, String> {
    let m = game.start(&setup(options)).map_err(|r| {
        let all = r.findings.iter().map(|d| format!("{} {}", d.message, d.help.clone().unwrap_or_default()));
        all.collect::<Vec<_>>().join("\\n")
    })?;
    Ok(m.log(None).first().expect("a line").text.clone())
}

#[test]
fn every_type_is_chosen_by_its_words() {
    let game = game();
    assert_eq!(told(&game, &[]).as_deref(), Ok("low no 4 Ann none north B2 A Idol 3 none none bar"));
    let all = [
        ("level", "high"),
        ("fast", "yes"),
        ("size", "9"),
        ("beg", "Bo Derek"),
        ("side", "team2"),
        ("way", "southwest"),
        ("home", "AB1"),
        ("col", "AA"),
        ("rel", "rune(2)"),
        ("luck", "5"),
        ("maybe", "high"),
        ("inn", "attic"),
    ];
    let want = "high yes 9 Bo Derek team 2 southwest AB1 AA Rune 2 20 5 high The attic";
    assert_eq!(told(&game, &all).as_deref(), Ok(want));
    // And back to none, where that is a value.
    let none = [("side", "none"), ("luck", "none"), ("maybe", "none")];
    assert_eq!(told(&game, &none), told(&game, &[]));
    // A save holds the words, and plays again with them.
    let mut m = game.start(&setup(&all)).expect("a match");
    let loaded = houserule::play::Match::load(&game, &m.save()).expect("it loads");
    assert!(loaded.parted.is_none() && loaded.game.state() == m.state());
}

#[test]
fn a_wrong_word_is_told_with_what_there_is_and_what_may_be_meant() {
    let game = game();
    let cases = [
        ("level", "hihg", "it is low or high", "did you mean `high`?"),
        ("fast", "maybe", "it is yes or no", ""),
        ("size", "12", "it is a number from 2 to 9", ""),
        ("beg", "bo derek", "it is Ann or Bo Derek", "did you mean `Bo Derek`?"),
        ("side", "team3", "it is one of team1, team2, none", "did you mean `team"),
        ("way", "nroth", "it is one of north, northeast", "did you mean `north`?"),
        ("home", "AC1", "it is one of 84: A1, B1, C1, … AB3", "did you mean"),
        ("home", "b2", "it is one of 84", "did you mean `B2`?"),
        ("home", "AB3", "not that home", ""),
        ("col", "AC", "it is one of 28", ""),
        ("rel", "saw", "it is one of idol, rune(1), rune(2), rune(3)", ""),
        ("rel", "rune(4)", "it is one of idol", "did you mean `rune("),
        ("rel", "rune(3)", "not that home", ""),
        ("luck", "6", "it is a number from 1 to 5, or none", ""),
        ("inn", "bart", "it is bar or attic", "did you mean `bar`?"),
    ];
    for (option, text, why, near) in cases {
        let said = told(&game, &[(option, text)]).expect_err(text);
        assert!(said.contains(why) && said.contains(near), "{option}={text}: {said}");
    }
}
