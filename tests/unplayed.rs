//! What the checker understands and the engine does not play: each finding says what to write instead.
use crate::support::findings;
use houserule::play::{Game, Setup};
use houserule::text::{File, Files};

/// Lines of a game, the message that comes as it starts, and a part of the advice.
const CASES: &[(&str, &str, &str)] = &[
    (
        "action a(cards: any of my.hand, n: 1..2) in act { my.coins += n * count(cards) }",
        "a set as a parameter that is not the last",
        "the set as the last parameter",
    ),
    (
        "menu early { needs my.coins > 1 }\nmenu late { needs my.coins > 2 }\naction a() in early, late { my.coins -= 1 }\naction b() in act { offer early, late }",
        "actions in several menus that ask for different things",
        "an action for each menu",
    ),
    (
        "value all(n: int): set of int = 0..n\nrule r() { let s = all(3); say \"{count(s)}\" }\naction b() in act { r() }",
        "sets of numbers without narrow bounds",
        "give the numbers bounds",
    ),
    ("token Pebble x2000\ntable { zone sack: Pebble }", "2000 components of one kind", "fewer of them"),
    (
        "player { prize: set of C }\naction a() in act { my.prize = my.hand; say \"{count(my.prize)}\" }",
        "an attribute cannot hold a set that changes, as `prize` does",
        "give each thing an attribute",
    ),
    (
        "map M squares 3 by 3\nspace Cell on M { zone heap: C; zone mound: C }\naction a() in act { move first of pile to A1 }",
        "a space that holds such things in no zone, or in several",
        "the name of the zone",
    ),
    (
        "rule q() { }\naction a() in act { until end of turn { after q() once per round { my.coins += 1 } }; q() }",
        "once per round in a layer",
        "`once` alone",
    ),
    ("action a() in act { swap pile, C }", "swapping these", "two zones"),
    (
        "action a() in act { let t = \"{my.coins} x\"; say \"{t}\" }",
        "a hole in a text that is used as a value",
        "in `say`",
    ),
    (
        "piece M { path: list of C = [] }\nM a { path: if yes then [one] else [] }\ntable { zone ms: M }\naction a() in act { my.coins = count((first of ms).path) }",
        "lists on a member that are not written out",
        "one by one",
    ),
    (
        "menu drive { done; must maximise my.coins }\naction a(cards: any of my.hand) in drive { move cards to pile }\naction b() in act { offer drive }",
        "subsets as parameters where lines of a menu are judged",
        "an action for one thing",
    ),
    ("token Big x600\ntoken More is Big x600", "1200 components of one kind", "fewer of them"),
    (
        "map M squares 3 by 3\nspace Cell on M { lit: bool = no }\naction a() in act { my.coins = count(lines(3) where every(c in it: c.lit)) }",
        "`lines` outside a fold",
        "a fold: `any(l in lines",
    ),
];

const HEAD: &str = "game It \"It\" { players 2; outcome highest coins }
player { coins: 0..9 = 2; zone hand: C }
card C { rank: 1..9 = 3 }
C one x4
table { zone pile: C }
round 2 times { everyone in turn { offer act } }
menu act { pass }
";

#[test]
fn each_says_what_to_write_instead() {
    let mut wrong = Vec::new();
    for (text, message, advice) in CASES {
        let mut files = Files::new();
        files.add(File::new("it.rules", format!("{HEAD}{text}\n")));
        let game = match Game::load(&files) {
            Ok(game) => game,
            Err(r) => {
                wrong.push(format!("{message}: {}", findings::<()>(&Err(r))));
                continue;
            }
        };
        let Err(report) = game.lower_setup(&Setup::default()) else {
            wrong.push(format!("{message}: it is played"));
            continue;
        };
        let says = |d: &&houserule::text::Diagnostic| d.code.0 == "E0990" && d.message.contains(message);
        match report.findings.iter().find(says) {
            None => wrong.push(format!("{message}: {}", findings::<()>(&Err(report)))),
            Some(d) if !d.help.as_deref().unwrap_or_default().contains(advice) => {
                wrong.push(format!("{message}: the advice is {:?}", d.help));
            }
            Some(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), CASES.len(), wrong.join("\n"));
}

/// A game whose conditions refuse every number of players that its header allows cannot be begun; one that refuses some can.
#[test]
fn a_game_that_nobody_can_begin_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("steps.rules");
    let path = path.to_str().expect("a path");
    let checked = |players: &str, rest: &str| {
        let rules = format!(
            "game Steps \"Steps\" {{ players {players}; outcome win }}\nplayer {{ n: 0..9 = 0 }}\nround 3 times {{ everyone in turn {{ my.n += 1; say \"{{my.n}}\" }} }}\n\
             needs count(players) == 3 else \"three\"\n{rest}"
        );
        std::fs::write(path, rules).expect("it is written");
        crate::cli::cli_args(&["check", path]).out
    };
    let told = checked("2", "");
    assert!(told.contains("three") && told.contains("it is for 2 players"), "{told}");
    assert!(checked("4..6", "").contains("it is for 4 to 6 players"));
    assert!(checked("2..4", "").contains("no findings"));
    // The finding names the scenario. A scenario for three players can begin.
    let told = checked("2", "scenario lone \"Lone\" for Steps { }\n");
    assert!(told.contains("the scenario `lone` cannot be played"), "{told}");
    assert!(checked("2..3", "scenario lone \"Lone\" for Steps { players 3 }\n").contains("no findings"));
}
