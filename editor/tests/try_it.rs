//! *Try it* in Cards, driven by label and role: a card is played many times from one situation, and what comes of it is counted.
use crate::support::{app, app_with, nameless, open, shipped, shows, window};
use egui::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use houserule::ide::{Edit, EditSet};
use houserule_editor::App;
use houserule_editor::command::{Command, cards::Act, play};
use houserule_editor::document::Manner;
use houserule_editor::jobs::Jobs;
use houserule_editor::panels::Pane;

const FILE: &str = "rules/tavern/tavern.rules";

/// Whoever lays the lamp rolls a die: three coins, or nothing.
const GAME: &str = "game Tavern \"Tavern\" { players 2; outcome highest coins }
die Cube { faces: 1..6 }
card Card { rule play() }
Card lamp \"Lamp\" {
  play {
    let n = roll(Cube)
    if n >= 4 { my.coins += 3 } else { say \"It is dark\" }
  }
}
Card rope \"Rope\" x2 { play { my.coins += 1 } }
player { coins: 0..99 = 5; zone hand: Card seen by owner }
setup { for p in players { move first of box where rope to p.hand } }
round 3 times { everyone in turn { offer turn_menu } }
menu turn_menu { pass \"Rest\" }
action lay(c: one of my.hand) \"Lay {c}\" in turn_menu {
  move c to box
  c.play()
}
";

fn bench(card: &str) -> Harness<'static, App> {
    let mut h = window(app(vec![(FILE.into(), GAME.to_string())]));
    open(&mut h, FILE);
    h.state_mut().carry_out(Command::ShowAlone(Pane::Cards));
    h.run_steps(4);
    open_bench(&mut h, card);
    h
}

/// Opens a card by the beginning of its label, and tries it.
fn open_bench(h: &mut Harness<App>, card: &str) {
    let all = h.query_all_by_role(Role::Button).filter_map(|n| n.accesskit_node().label());
    let label = all.into_iter().find(|l| l.starts_with(card)).expect("a card");
    click(h, &label);
    click(h, "Try it");
    h.run_steps(4);
}

fn click(h: &mut Harness<App>, label: &str) {
    h.get_by_role_and_label(Role::Button, label).click();
    h.run_steps(6);
}

/// The outcomes by their labels: `12 of 20: …`.
fn outcomes(h: &Harness<App>) -> Vec<String> {
    let buttons = h.query_all_by_role(Role::Button).filter_map(|n| n.accesskit_node().label());
    buttons
        .filter(|l| l.split(' ').nth(1) == Some("of") && l.contains(": ") && !l.starts_with("Make"))
        .collect()
}

/// How many runs led to the outcome that says this; 0 if there is none.
fn count_of(h: &Harness<App>, text: &str) -> usize {
    let all = outcomes(h);
    let found = all.iter().find(|l| l.contains(text));
    found.map_or(0, |l| l.split(' ').next().and_then(|n| n.parse().ok()).expect("a number"))
}

fn labels(h: &Harness<App>) -> Vec<String> {
    h.root()
        .children_recursive()
        .filter_map(|n| n.accesskit_node().label().or(n.accesskit_node().value()))
        .collect()
}

/// Writes something else in the rules, as somebody does who types.
fn edit(h: &mut Harness<App>, from: &str, to: &str) {
    let text = h.state().document.text(FILE).expect("open").to_string();
    let at = text.find(from).expect("it stands there");
    let set = EditSet::from_edit("typing", Edit::new(FILE, at..at + from.len(), to));
    let since = h.state().document.revision();
    h.state_mut().carry_out(Command::Apply { since, set, manner: Manner::Step });
    h.run_steps(10);
}

fn situation(h: &Harness<App>) -> String {
    let field = h.get_by_role_and_label(Role::MultilineTextInput, "Situation");
    field.accesskit_node().value().unwrap_or_default()
}

/// Writes another situation.
fn write(h: &mut Harness<App>, text: &str) {
    h.get_by_role_and_label(Role::MultilineTextInput, "Situation").focus();
    h.run_steps(1);
    h.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    h.run_steps(1);
    h.get_by_role_and_label(Role::MultilineTextInput, "Situation").type_text(text);
    h.run_steps(8);
}

#[test]
fn a_roll_has_two_outcomes_and_their_counts_make_all_runs() {
    let h = bench("Lamp");
    let all = outcomes(&h);
    assert_eq!(all.len(), 2, "{:?}", labels(&h));
    let (lit, dark) = (count_of(&h, "coins 5 → 8"), count_of(&h, "It is dark"));
    assert!(lit > 3 && dark > 3 && lit + dark == 20, "{all:?}");
    assert!(all[0].starts_with(&format!("{} of 20: ", lit.max(dark))), "the commonest comes first: {all:?}");
    assert!(shows(&h, "2 outcomes in 20 runs"));
    assert!(situation(&h).contains("move lamp to Ann.hand"), "{}", situation(&h));
    assert!(nameless(&h).is_empty(), "{:?}", nameless(&h));
}

#[test]
fn the_counts_change_with_the_rule_of_the_card() {
    let mut h = bench("Lamp");
    edit(&mut h, "n >= 4", "n >= 7");
    assert_eq!((outcomes(&h).len(), count_of(&h, "It is dark")), (1, 20), "{:?}", outcomes(&h));
    edit(&mut h, "n >= 7", "n >= 1");
    assert_eq!(count_of(&h, "coins 5 → 8"), 20, "{:?}", outcomes(&h));
    // With a mistake in the rules the last outcomes stay.
    edit(&mut h, "n >= 1", "n >=");
    assert!(shows(&h, "Something is wrong with the rules as they are now."));
    assert_eq!(count_of(&h, "coins 5 → 8"), 20);
    edit(&mut h, "n >=", "n >= 1");
    assert!(!shows(&h, "Something is wrong with the rules"));
}

#[test]
fn a_mistake_in_the_situation_is_told_with_its_line() {
    let mut h = bench("Lamp");
    write(&mut h, "given with Ann, Bo {\n  move lamp to Ann.hand\n  Ann.gold = 3\n}");
    assert!(shows(&h, "Line 3: "), "{:?}", labels(&h));
    assert!(labels(&h).iter().any(|l| l.starts_with("Line 3: ") && l.contains("gold")), "{:?}", labels(&h));
    assert!(outcomes(&h).is_empty());
    // Statements alone do, too, and the choice that was made stays.
    write(&mut h, "Ann.coins = 7\nmove lamp to Ann.hand");
    assert!(shows(&h, "Line 1: "), "nobody is called Ann: {:?}", labels(&h));
    write(&mut h, "given with Ann, Bo {\n  Ann.coins = 7\n  move lamp to Ann.hand\n}");
    assert!(count_of(&h, "coins 7 → 10") > 3, "{:?}", labels(&h));
}

#[test]
fn a_choice_that_is_refused_says_why() {
    let mut h = bench("Lamp");
    edit(&mut h, "  move c to box\n", "  needs my.coins >= 9 else \"a lamp costs 9\"\n  move c to box\n");
    assert_eq!(count_of(&h, "Refused: a lamp costs 9"), 20, "{:?}", labels(&h));
    edit(&mut h, "needs my.coins >= 9 else \"a lamp costs 9\"", "my.coins = 300 / (my.coins - my.coins)");
    let all = outcomes(&h);
    assert!(
        all.len() == 1 && all[0].starts_with("20 of 20: A rule error: rules/tavern/tavern.rules:"),
        "{all:?}"
    );
    // It leads to the rule.
    let line = all[0].strip_prefix("20 of 20: ").expect("it").to_string();
    h.get_by_role_and_label(Role::Link, &line).click();
    h.run_steps(4);
    let here = h.state().here().expect("a place").clone();
    let before = &h.state().document.text(FILE).expect("open")[..here.range.start];
    assert!(before.lines().last().is_some_and(|l| l.contains("= 300 /")), "{line}: {before}");
}

#[test]
fn a_click_shows_a_match_in_play() {
    let mut h = bench("Lamp");
    let dark = outcomes(&h).into_iter().find(|l| l.contains("It is dark")).expect("an outcome");
    click(&mut h, &dark);
    assert_eq!(h.state().front(), Pane::Play);
    let data = h.state().panes.play.data().expect("a match");
    assert_eq!(data.step, (1, 1), "it stands behind the choice");
    assert!(data.log.iter().any(|l| l.text.contains("It is dark")), "{:?}", data.log);
    assert_eq!(h.state().document.text(FILE), Some(GAME));
}

#[test]
fn what_came_of_it_becomes_a_test() {
    let mut h = bench("Lamp");
    let lit = outcomes(&h).into_iter().find(|l| l.contains("coins 5 → 8")).expect("an outcome");
    let count = lit.split(':').next().expect("a count").to_string();
    click(&mut h, &format!("Make a test of {count}"));
    let text = h.state().document.text(FILE).expect("open").to_string();
    let test = &text[GAME.len()..];
    assert!(h.state().message.text.contains("it passes"), "{}", h.state().message.text);
    for line in ["move lamp to Ann.hand", "Ann: lay(lamp)", "expect Ann.coins == 8"] {
        assert!(test.contains(line), "{line}: {test}");
    }
}

#[test]
fn what_happens_without_a_choice_is_told_apart() {
    let mut h = bench("Lamp");
    write(&mut h, "given with Ann, Bo {\n  Ann.coins = roll(Cube)\n}");
    assert_eq!(count_of(&h, "Refused: "), 20, "the lamp is not there: {:?}", outcomes(&h));
    h.get_by_role_and_label(Role::ComboBox, "Choice").click();
    h.run_steps(3);
    click(&mut h, "None: what happens by itself");
    let all = outcomes(&h);
    assert!(all.len() > 3 && all.iter().all(|l| l.contains("Ann: coins ")), "{all:?}");
}

#[test]
fn every_run_begins_in_the_same_situation_also_where_that_rolls() {
    let mut h = bench("Lamp");
    write(&mut h, "given with Ann, Bo {\n  Ann.coins = roll(Cube)\n  move lamp to Ann.hand\n}");
    let all = outcomes(&h);
    assert!(all.len() == 2 && count_of(&h, "Ann: coins ") > 3, "{all:?}");
    assert!(!shows(&h, "it differs from run to run"));
    // The match that is shown can be saved and played again with changed rules: its beginning says what was rolled.
    let lit = all.into_iter().find(|l| l.contains("Ann: coins ")).expect("an outcome");
    click(&mut h, &lit);
    edit(&mut h, "my.coins += 3", "my.coins += 3  # as before");
    assert!(h.state().panes.play.parting().is_none());
    assert_eq!(h.state().panes.play.data().expect("a match").step, (1, 1));
}

#[test]
fn the_match_in_play_is_taken_as_it_stands() {
    let mut h = bench("Rope");
    click(&mut h, "Take the match in Play");
    assert!(h.state().message.text.starts_with("Play has no match of this game"));
    h.state_mut().carry_out(Command::Play(play::Act::Start));
    h.run_steps(6);
    let session = h.state_mut().panes.play.session().expect("a match");
    session.choose_in_words("lay(rope)").expect("a choice");
    h.state_mut().carry_out(Command::ShowAlone(Pane::Cards));
    h.run_steps(4);
    click(&mut h, "Take the match in Play");
    let text = situation(&h);
    assert!(text.starts_with("given with Ann, Bo {\n  start at setup\n  Ann: lay(rope)\n"), "{text}");
    // It is Bo's turn, who has a rope.
    assert_eq!(count_of(&h, "Bo: coins 5 → 6"), 20, "{:?}", labels(&h));
    assert_eq!(h.state().document.text(FILE), Some(GAME));
}

#[test]
fn what_is_asked_next_is_tried_from_an_outcome() {
    let mut h = bench("Lamp");
    let lit = outcomes(&h).into_iter().find(|l| l.contains("coins 5 → 8")).expect("an outcome");
    assert!(
        lit.contains("Then: Ann is asked: your choice → Bo is asked") || lit.contains("Bo is asked"),
        "{lit}"
    );
    click(&mut h, &format!("Go on from {}", lit.split(':').next().expect("a count")));
    let text = situation(&h);
    assert!(text.contains("table rolls ") && text.contains("Ann: lay(lamp)"), "{text}");
    assert_eq!(count_of(&h, "Bo's turn → Round 2"), 20, "Bo is asked now: {:?}", outcomes(&h));
}

#[test]
fn another_card_has_another_situation_and_comes_back_to_its_own() {
    let mut h = bench("Lamp");
    write(&mut h, "given with Ann, Bo {\n  Ann.coins = 7\n  move lamp to Ann.hand\n}");
    h.state_mut().carry_out(Command::Cards(Act::Next));
    h.run_steps(6);
    assert!(situation(&h).contains("first of Card where rope"), "{}", situation(&h));
    assert_eq!(count_of(&h, "coins 5 → 6"), 20, "{:?}", outcomes(&h));
    h.state_mut().carry_out(Command::Cards(Act::Previous));
    h.run_steps(6);
    assert!(situation(&h).contains("Ann.coins = 7"), "{}", situation(&h));
    click(&mut h, "Close Try it");
    assert!(outcomes(&h).is_empty() && !shows(&h, "Situation"));
}

#[test]
fn the_frame_does_not_wait_and_the_newest_trial_wins() {
    let jobs = Jobs::on_demand();
    let mut h = window(app_with(vec![(FILE.into(), GAME.to_string())], jobs.clone()));
    let run = |h: &mut Harness<App>| {
        for _ in 0..4 {
            jobs.run();
            h.run_steps(2);
        }
    };
    open(&mut h, FILE);
    run(&mut h);
    h.state_mut().carry_out(Command::ShowAlone(Pane::Cards));
    h.run_steps(4);
    open_bench(&mut h, "Lamp");
    assert!(shows(&h, "It is being played …") && outcomes(&h).is_empty());
    run(&mut h);
    assert_eq!(outcomes(&h).len(), 2, "{:?}", labels(&h));
    edit(&mut h, "n >= 4", "n >= 7");
    jobs.run();
    h.run_steps(2);
    edit(&mut h, "n >= 7", "n >= 1");
    run(&mut h);
    assert_eq!(count_of(&h, "coins 5 → 8"), 20, "{:?}", outcomes(&h));
}

#[test]
fn a_situation_is_proposed_for_cards_of_shipped_games() {
    let mut h = window(app(shipped()));
    let (mut tried, mut played, mut placed) = (0, 0, Vec::new());
    let games: Vec<_> = h.state().document.games().games.iter().map(|g| g.file.clone()).collect();
    // A third of them: each is checked anew for every situation that is tried.
    for game in games.iter().step_by(3) {
        open(&mut h, game);
        h.state_mut().carry_out(Command::ShowAlone(Pane::Cards));
        h.run_steps(3);
        let first = h.state().panes.cards.data().and_then(|d| d.set.groups.first()?.cards.first().cloned());
        let Some(first) = first else { continue };
        h.key_press_modifiers(egui::Modifiers::NONE, egui::Key::Home);
        h.run_steps(2);
        h.key_press_modifiers(egui::Modifiers::NONE, egui::Key::Enter);
        h.run_steps(2);
        if !shows(&h, "Situation") {
            h.state_mut().carry_out(Command::Cards(Act::TryIt));
        }
        h.run_steps(8);
        tried += 1;
        assert!(!labels(&h).iter().any(|l| l.starts_with("Line ")), "{game} {}: {:?}", first.id, labels(&h));
        played += usize::from(!outcomes(&h).is_empty());
        // Where a player can hold it.
        if situation(&h).lines().any(|l| l.contains("  move ") && l.contains(" to ") && l.contains('.')) {
            placed.push(first.id.to_string());
        }
        h.key_press_modifiers(egui::Modifiers::NONE, egui::Key::Escape);
        h.run_steps(2);
    }
    assert!(tried >= 7 && played == tried && placed.len() >= 3, "{played} of {tried}: {placed:?}");
}
