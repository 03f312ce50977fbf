//! What the log says of a chosen card: its name to whoever the rules have let see it by then, and no more to the others.
use houserule::lab::laws::{self, LawLimits};
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
    let mut m = game().start(&Setup::with_seed(2)).expect("a match");
    act(&mut m, choice);
    let of = |m: &Match, seat| m.log_since(seat, 1).first().expect("a line").text.clone();
    ([of(&m, Some(0)), of(&m, Some(1)), of(&m, Some(2))], of(&m, None))
}

fn act(m: &mut Match, choice: &str) {
    let q = m.questions()[0].id;
    let words = m.list_options(q, 0, 99).expect("options");
    let first = words.iter().find(|o| o.words.starts_with(choice)).expect("a choice").words.clone();
    m.choose_in_words(0, &first).expect("an answer");
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
    assert_eq!(seats, [all, "Hide Card".into(), "Hide Card".into()]);
    // Only who was shown it reads its name.
    let (seats, all) = lines("reveal(");
    let other = &seats[2];
    assert!(other.starts_with("Reveal Card, "), "{other}");
    assert!(seats[..2].iter().filter(|s| **s == all).count() == 2 && seats[1] != *other, "{seats:?} {all}");
}

#[test]
fn nothing_is_told_before_the_rules_disclose_it() {
    // A question lies between the choice and the card's being laid open: the line was told before.
    let (seats, all) = lines("late(");
    assert_eq!(seats, [all.clone(), "Late Card".into(), "Late Card".into()]);
    let mut m = game().start(&Setup::with_seed(2)).expect("a match");
    act(&mut m, "late(");
    m.choose_in_words(0, "Player2").expect("an answer");
    let later: Vec<String> = m.log_since(Some(1), 2).into_iter().map(|l| l.text).collect();
    assert!(later.iter().any(|t| t.starts_with("The ") && t.contains("pile")), "{later:?}");
    for seed in 1..=8 {
        let limits = LawLimits { seed, choices: 40, tuples: 0 };
        laws::check_worlds(&game(), &Setup::default(), limits).unwrap_or_else(|b| panic!("{b}"));
    }
}

const LEAK: &str = r#"game Leak "Leak" { players 3; outcome highest points }
card Card { rank: 1..9 }
Card number(n: 1..9) { rank: n }
table { zone deck: Card seen by nobody }
player { zone hand: Card seen by owner; points: 0..9 = 0 }
setup { move Card to deck; shuffle deck; for p in players { move first 2 of deck to p.hand } }
round 3 times { everyone in turn { offer act } }
menu act
action bury(c: one of my.hand) in act {
  move c to deck
  shuffle deck
  for p in others { move first 3 of deck to p.hand }
}
action open(c: one of my.hand) in act { show my.hand to others }
"#;

/// Everything that seats read of the first choice and what follows it, for many deals.
fn told(rules: &str, choice: &str, seat: usize) -> Vec<Vec<String>> {
    let mut files = Files::new();
    files.add(File::new("it/it.rules", rules));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let of_deal = |seed| {
        let mut m = game.start(&Setup::with_seed(seed)).expect("a match");
        act(&mut m, choice);
        m.log_since(Some(seat), 1).into_iter().map(|l| l.text).collect()
    };
    (1..=40).map(of_deal).collect()
}

#[test]
fn a_card_that_is_mixed_with_others_is_not_followed() {
    for lines in told(LEAK, "bury(", 1) {
        assert_eq!(lines[0], "Bury Card", "{lines:?}");
    }
    // Who drew it reads so, but not that it was the one.
    assert!(
        told(LEAK, "bury(", 1).iter().any(|l| l.iter().any(|t| t.contains("number") && t.contains("hand")))
    );
    // Of several that are shown together nobody learns which was chosen.
    for lines in told(LEAK, "open(", 1) {
        assert_eq!(lines[0], "Open Card", "{lines:?}");
    }
}

const DICE: &str = r#"game Cups "Cups" { players 2; outcome together; score count(players) }
die Die { }
Die dot x8 { faces: 1, 2, 3, 4, 5, 6 }
player { zone cup: Die seen by lookers(it); bid: 0..9 = 0 }
value lookers(d: Die): set of player = [d.holder]
setup { for p in players { move first 4 of box where Die to p.cup; roll p.cup } }
round 4 times { everyone in turn { offer main } }
menu main
action shovel() in main {
  let d = choose one of my.cup "Which?"
  d.value = choose one of 1..6 "To which value?"
}
action tape() in main { for d in choose any of my.cup "Turn which?" { d.value = 6 } }
action turn(n: 1..6) in main { for d in my.cup { d.value = n } }
action radio() in main { until end of round { modify lookers(d) = players when d.holder == me }; let x = choose one of players "?" }
action again(d: one of my.cup) in main { roll d }
"#;

#[test]
fn what_is_done_to_hidden_dice_is_told_to_who_sees_them() {
    let mut files = Files::new();
    files.add(File::new("it/it.rules", DICE));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let after = |choices: &[&str], seat| {
        let mut m = game.start(&Setup::with_seed(3)).expect("a match");
        for choice in choices {
            let q = m.questions()[0];
            let who = m.decisions().expect("decisions")[0].seats[0];
            let words = m.list_options(q.id, 0, 99).expect("options");
            let found = match *choice {
                "last" => words.last(),
                choice => words.iter().find(|o| o.words.starts_with(choice)),
            };
            let said = found.map_or(String::from(*choice), |o| o.words.clone());
            m.choose_in_words(who, &said).unwrap_or_else(|e| panic!("{choice}: {e:?}"));
        }
        let lines: Vec<String> = m.log_since(seat, 1).into_iter().map(|l| l.text).collect();
        lines
    };
    // The new value is told to who turned the die.
    let shovel = ["shovel", "", "5"];
    assert!(after(&shovel, Some(0)).iter().any(|t| t == "5"), "{:?}", after(&shovel, Some(0)));
    assert_eq!(after(&shovel, Some(1))[..3], ["Shovel", "Die", "?"]);
    let turn = ["turn(4)"];
    assert_eq!((&*after(&turn, Some(0))[0], &*after(&turn, Some(1))[0]), ("Turn 4", "Turn ?"));
    // How many are turned is told to nobody else.
    for n in ["{}", "last"] {
        let lines = after(&["tape", n], Some(1));
        assert!(
            lines[0] == "Tape" && lines[1] == "? Die" && !lines.iter().any(|t| t.contains("turned")),
            "{lines:?}"
        );
    }
    // Who has seen dice does not see which of them are taken later.
    let radio = ["radio", "Player1", "turn(1)", "again("];
    let lines = after(&radio, Some(1));
    assert!(lines.iter().any(|t| t == "Again Die"), "{lines:?}");
}

/// The choices of a decision in words and titles.
fn offered(m: &mut Match, start: &str) -> Vec<(String, String)> {
    let q = m.questions()[0].id;
    let all = m.list_options(q, 0, 99).expect("options");
    all.into_iter().filter(|o| o.words.starts_with(start)).map(|o| (o.words, o.title)).collect()
}

/// A choice names a hidden thing by what its back shows and by where it lies, if others on offer lie elsewhere.
#[test]
fn hidden_things_are_named_by_their_backs_and_places() {
    let load = |name: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/laws").join(name);
        let mut files = Files::new();
        files.add(File::new("it/it.rules", std::fs::read_to_string(path).expect("a game")));
        Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings))
    };
    let mut m = load("lairs.rules").start(&Setup::with_seed(1)).expect("a match");
    let mut words: Vec<String> = offered(&mut m, "fight").into_iter().map(|o| o.0).collect();
    // The order on offer is by chance: it tells nothing.
    words.sort();
    let want = ["A1", "A2", "B1", "B2"].map(|at| format!("fight(Monster at {at}.beast)"));
    assert_eq!(words, want);
    m.choose_in_words(0, "fight(Monster at B1.beast)").expect("a choice");
    assert!(m.log_since(Some(1), 1).iter().any(|l| l.text.contains("is turned")));
    let words: Vec<String> = offered(&mut m, "fight").into_iter().map(|o| o.0).collect();
    assert!(words.len() == 3 && !words.iter().any(|w| w.contains("B1")), "{words:?}");
    // Cards of a hand that their owner does not see are told apart by what stands on their backs.
    let mut m = load("hints.rules").start(&Setup::with_seed(1)).expect("a match");
    let hint = offered(&mut m, "hint").first().expect("a hint").0.clone();
    let told = hint.trim_end_matches(')').rsplit(' ').next().expect("a rank").to_string();
    m.choose_in_words(0, &hint).expect("a choice");
    let lay = offered(&mut m, "lay");
    let marked = format!("lay(Card told={told})");
    assert!(lay.iter().any(|o| o.0 == marked && o.1 == format!("Lay Card (told {told})")), "{lay:?}");
    m.choose_in_words(1, &marked).expect("a choice");
}

/// Rules of which two worlds that differ in what lies in a hand look the same to the others.
fn tells_nothing(rules: &str) {
    let mut files = Files::new();
    files.add(File::new("quiet/quiet.rules", rules));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let mut cases = 0;
    for seed in 1..=30 {
        let limits = LawLimits { seed, choices: 20, tuples: 20 };
        let checked = laws::check_worlds(&game, &Setup::default(), limits).unwrap_or_else(|b| panic!("{b}"));
        cases += checked.cases;
    }
    assert!(cases > 100, "{cases}");
}

const HANDS: &str = r#"game Quiet "Quiet" { players 2; outcome highest points }
card Card { rank: 1..9 }
Card number(n: 1..9) { rank: n }
table { zone deck: Card seen by nobody; zone pile: Card }
player { zone hand: Card seen by owner; points: 0..9 = 0 clamped }
setup { move Card to deck; shuffle deck; for p in players { move first 4 of deck to p.hand } }
round 3 times { everyone in turn { offer act } }
menu act { pass }
"#;

/// The rules move another card: that it lies open now does not tell which one was chosen.
#[test]
fn a_chosen_card_that_nothing_is_done_with_is_not_told() {
    let rules = format!("{HANDS}action nod(c: one of my.hand) in act {{ move last of my.hand to pile }}");
    tells_nothing(&rules);
    let mut files = Files::new();
    files.add(File::new("quiet/quiet.rules", rules));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    for i in 0..4 {
        let mut m = game.start(&Setup::with_seed(1)).expect("a match");
        let q = m.questions()[0].id;
        let words = m.list_options(q, 0, 9).expect("options")[i].words.clone();
        m.choose_in_words(0, &words).expect("it is on offer");
        let line = m.log_since(Some(1), 1).first().expect("a line").text.clone();
        assert_eq!(line, "Nod Card", "{words}");
    }
}

/// A card that a rule moves only on some ways is named by its move, not by the line of the choice: on the other ways another card's move would name it.
#[test]
fn a_chosen_card_is_named_only_if_something_is_done_with_it_on_every_way() {
    let line = |body: &str, choice: &str| {
        let rules = format!(
            "{HANDS}rule lay(c: Card) {{ if c.rank > 9 {{ discard_it(c) }} else {{ move c to pile }} }}\n\
             rule discard_it(c: Card) {{ move c to pile }}\n\
             action nod(c: one of my.hand) in act {{ {body} }}"
        );
        let mut files = Files::new();
        files.add(File::new("quiet/quiet.rules", rules));
        let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
        let mut m = game.start(&Setup::with_seed(1)).expect("a match");
        act(&mut m, choice);
        m.log_since(Some(1), 1).first().expect("a line").text.clone()
    };
    let seldom = "if my.points > 3 { move c to pile }; for x in my.hand { move x to pile }";
    for body in [seldom, "if my.points > 3 { stop }; move c to pile", "move c to deck"] {
        assert_eq!(line(body, "nod("), "Nod Card", "{body}");
    }
    let always = "if my.points > 3 { show c } else { let d = c; move d to pile }";
    for body in [always, "move c to pile", "lay(c)", "for x in [c] { lay(x) }"] {
        assert!(line(body, "nod(").starts_with("Nod number"), "{body}");
    }
}

/// Nor does it tell that one alone was chosen, or which, of an answer that the rules only look at.
#[test]
fn a_chosen_set_that_nothing_is_done_with_is_not_counted() {
    for play in [
        "for c in choose up to 2 of my.hand \"Which ones?\" { my.points += 1 }",
        "let c = choose one of my.hand \"Which?\"",
    ] {
        let rules = format!("{HANDS}action nod() in act {{ {play}; move first of my.hand to pile }}");
        tells_nothing(&rules);
        let mut files = Files::new();
        files.add(File::new("quiet/quiet.rules", rules));
        let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
        let mut lines = std::collections::BTreeSet::new();
        for i in 0..5 {
            let mut m = game.start(&Setup::with_seed(1)).expect("a match");
            m.choose_in_words(0, "nod").expect("it is on offer");
            let q = m.questions()[0].id;
            let Some(o) = m.list_options(q, 0, 9).expect("options").get(i).map(|o| o.words.clone()) else {
                continue;
            };
            m.choose_in_words(0, &o).expect("it is on offer");
            let log = m.log_since(Some(1), 1);
            lines.insert(
                log.iter().filter(|l| !l.text.contains(" goes from ")).map(|l| l.text.clone()).nth(1),
            );
        }
        lines.retain(|l| l.as_deref() != Some("nothing"));
        assert_eq!(lines.len(), 1, "{lines:?}");
    }
}

/// What a guard reads by a name of the action is read of what lies hidden, too.
#[test]
fn reasons_tell_nothing_of_what_a_name_was_worked_out_from() {
    tells_nothing(&format!(
        "{HANDS}action weigh(c: one of my.hand) in act {{ let r = c.rank; let s = r + 1; needs s > 5 else \"too light\" }}"
    ));
}
