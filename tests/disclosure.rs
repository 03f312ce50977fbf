//! What the log says of a chosen card: its name to whoever the rules have let see it by then, and no more to the others.
use houserule::lab::laws::{self, Limits};
use houserule::play::{Game, Match, Setup};
use houserule::text::{File, Files};

const RULES: &str = r#"game Lay "Lay" { players 3; outcome highest score }
card Card { rank: 1..9 = 1; discards to pile }
Card one "The one" x4 { rank: 1 }
Card two "The two" x4 { rank: 2 }
Card six "The six" x4 { rank: 6 }
table { zone deck: Card seen by nobody; zone aside: Card seen by nobody; zone pile: Card }
player { zone hand: Card seen by owner; points: 0..99 = 0 }
value score(p: player): int = p.points
setup { move Card to deck; shuffle deck; for p in players { move first 4 of deck to p.hand } }
round 1 times { everyone in turn { offer go } }
menu go
action lay(c: one of my.hand) in go { discard c }
action hide(c: one of my.hand) in go { move c to aside }
action flash(c: one of my.hand) in go { move c to pile; move c to deck; shuffle deck }
action reveal(c: one of my.hand, p: one of others) in go { show c to p; move c to aside }
action late(c: one of my.hand) in go {
  let p = choose one of others "Who is to see it?"
  discard c
  if p is some { p.points += 1 }
}
"#;

fn game() -> Game {
    let mut files = Files::new();
    files.add(File::new("lay/lay.rules", RULES));
    Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings))
}

/// The line of the first choice as each seat reads it, and its title for whoever sees everything.
fn lines(choice: &str) -> ([String; 3], String) {
    let mut m = game().start(&Setup::seed(2)).expect("a match");
    act(&mut m, choice);
    let of = |m: &Match, seat| m.log_since(seat, 1).first().expect("a line").text.clone();
    ([of(&m, Some(0)), of(&m, Some(1)), of(&m, Some(2))], of(&m, None))
}

fn act(m: &mut Match, choice: &str) {
    let q = m.questions()[0].id;
    let words = m.options(q, 0, 99).expect("options");
    let first = words.iter().find(|o| o.words.starts_with(choice)).expect("a choice").words.clone();
    m.say(0, &first).expect("an answer");
}

#[test]
fn a_card_that_an_action_lays_open_is_told_by_its_name() {
    let (seats, all) = lines("lay(");
    assert!(all.contains("The "), "{all}");
    assert_eq!(seats, [all.clone(), all.clone(), all]);
    // Also where it was open only in passing.
    let (seats, all) = lines("flash(");
    assert_eq!(seats, [all.clone(), all.clone(), all]);
}

#[test]
fn a_card_that_stays_hidden_is_told_by_its_kind() {
    let (seats, all) = lines("hide(");
    assert_eq!(seats, [all, "hide Card".into(), "hide Card".into()]);
    // Only who was shown it reads its name.
    let (seats, all) = lines("reveal(");
    let other = &seats[2];
    assert!(other.starts_with("reveal Card, "), "{other}");
    assert!(seats[..2].iter().filter(|s| **s == all).count() == 2 && seats[1] != *other, "{seats:?} {all}");
}

#[test]
fn nothing_is_told_before_the_rules_disclose_it() {
    // A question lies between the choice and the card's being laid open: the line was told before.
    let (seats, all) = lines("late(");
    assert_eq!(seats, [all.clone(), "late Card".into(), "late Card".into()]);
    let mut m = game().start(&Setup::seed(2)).expect("a match");
    act(&mut m, "late(");
    m.say(0, "Player2").expect("an answer");
    let later: Vec<String> = m.log_since(Some(1), 2).into_iter().map(|l| l.text).collect();
    assert!(later.iter().any(|t| t.starts_with("The ") && t.contains("pile")), "{later:?}");
    for seed in 1..=8 {
        let limits = Limits { seed, choices: 40, tuples: 0 };
        laws::worlds(&game(), &Setup::default(), limits).unwrap_or_else(|b| panic!("{b}"));
    }
}
