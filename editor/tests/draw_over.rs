//! Variants and mods in Draw: their maps are drawn over a scenario's or the game's, judged there, and played as they are drawn.
use crate::support::{app, open, shows, window};
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use houserule::ide::draw::SheetId;
use houserule_editor::App;
use houserule_editor::command::Command;
use houserule_editor::document::TextPlace;
use houserule_editor::panels::{Pane, play};
use std::sync::Arc;

const RULES: &str = "rules/isle/isle.rules";
const MINE: &str = "scenarios/isle/mine.scenario";

const GAME: &str = "game Isle \"Isle\" { players 2; outcome win }\nenum Ground { grass, sand, sea }\nmap Land squares\n\
    space Cell on Land { ground: Ground = grass }\nlegend Land { g: grass; s: sand; w: sea }\n\
    invariant \"sand lies at the sea\" { every(c in Cell where sand: any(d in neighbours(c): d.ground == sea)) }\n\
    round 3 times { everyone in turn { offer move } }\nmenu move { pass }\n\
    variant wide \"Wide\" {\n  map Land \"\"\"\n    g  w  g\n  \"\"\"\n}\n\
    test \"wide\" on mine with Ann, Bo, wide { expect B1.ground == sea }\n";

const SCENARIOS: &str = "scenario mine \"Mine\" for Isle {\n  map Land \"\"\"\n    g  g\n    g  g\n  \"\"\"\n}\n\
    scenario other \"Other\" for Isle {\n  map Land \"\"\"\n    s  g\n  \"\"\"\n}\n";

fn isle(game: &str, scenarios: &str) -> Harness<'static, App> {
    let texts: Vec<(Arc<str>, String)> =
        vec![(RULES.into(), game.to_string()), (MINE.into(), scenarios.to_string())];
    let mut h = window(app(texts));
    h.state_mut().carry_out(Command::Show(Pane::Draw));
    open(&mut h, MINE);
    h.run_steps(3);
    h
}

/// Takes a line of a list.
fn choose(h: &mut Harness<'_, App>, list: &str, line: &str) {
    h.get_by_role_and_label(Role::ComboBox, list).click();
    h.run_steps(3);
    // The list of files has such lines, too; the list that is opened comes last.
    h.get_all_by_label(line).last().expect("a line").click();
    h.run_steps(6);
}

fn click(h: &mut Harness<'_, App>, place: &str) {
    let begins = format!("{place}: ");
    let is = |n: &egui_kittest::Node<'_>| n.accesskit_node().label().is_some_and(|l| l.starts_with(&begins));
    h.query_all_by_role(Role::Cell).find(is).expect("the place is shown").click();
    h.run_steps(6);
}

fn sheet(h: &Harness<'_, App>) -> SheetId {
    h.state().panes.draw.sheet().expect("a sheet").clone()
}

#[test]
fn a_variant_is_drawn_judged_and_played() {
    let mut h = isle(GAME, SCENARIOS);
    assert_eq!(sheet(&h), SheetId::Scenario("mine".into()));
    choose(&mut h, "Scenario", "Wide (variant)");
    assert!(shows(&h, "B1: w, sea") && shows(&h, "C1: g, grass") && !shows(&h, "A2: "));
    h.get_by_label_contains("Sign s: ").click();
    h.run_steps(2);
    click(&mut h, "A1");
    let text = h.state().document.text(RULES).unwrap();
    assert_eq!(text, GAME.replace("g  w  g", "s  w  g"));
    assert!(shows(&h, "A1: s, sand") && !shows(&h, "1 finding"));
    // What the game asks of its scenarios is asked of the variant, too.
    click(&mut h, "B1");
    assert!(shows(&h, "“sand lies at the sea” does not hold where it begins"));
    assert!(shows(&h, "A1: s, sand. Wrong: ") && shows(&h, "1 finding"));
    h.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
    h.run_steps(6);
    assert!(!shows(&h, "1 finding"));
    h.check_accessibility();
    // It is played as it is drawn.
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(3);
    h.state_mut().carry_out(Command::Play(play::Act::Start));
    h.run_steps(6);
    let data = h.state().panes.play.data().expect("it is played");
    assert_eq!(data.tiles[0].len(), 3, "the variant's map");
    // Another scenario is drawn: the variant goes off with its drawing.
    h.state_mut().carry_out(Command::Show(Pane::Draw));
    h.run_steps(3);
    choose(&mut h, "Scenario", "Other");
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(3);
    h.state_mut().carry_out(Command::Play(play::Act::Start));
    h.run_steps(6);
    assert_eq!(
        h.state().panes.play.data().expect("it is played").tiles[0].len(),
        2,
        "the other scenario's map"
    );
}

#[test]
fn over_which_scenario_a_variant_lies_is_chosen() {
    let game = GAME.replace("variant wide", "variant calm \"Calm\" { }\nvariant wide");
    let mut h = isle(&game, SCENARIOS);
    choose(&mut h, "Scenario", "Calm (variant)");
    assert!(shows(&h, "A2: g, grass"), "the first scenario's map");
    choose(&mut h, "as played on", "other");
    assert!(shows(&h, "A1: s, sand") && !shows(&h, "A2: "));
    assert!(shows(&h, "does not hold where it begins"), "with that scenario");
    assert!(shows(&h, &format!("Land is drawn in {MINE}")));
    h.get_by_label("Draw it here").click();
    h.run_steps(6);
    let text = h.state().document.text(RULES).unwrap();
    assert!(
        text.contains("variant calm \"Calm\" {\n  map Land \"\"\"\n    s  g\n  \"\"\"\n}\nvariant wide"),
        "{text}"
    );
    h.check_accessibility();
    // Its form has no lines for what scenarios alone can say.
    h.get_by_label("Form").click();
    h.run_steps(3);
    assert!(shows(&h, "Title, set here") && !shows(&h, "Seats, ") && !shows(&h, "Built on"));
    assert!(!shows(&h, "Set in other scenarios, too"));
}

#[test]
fn what_is_held_of_one_map_is_not_put_down_on_another() {
    let game = GAME.replace(
        "round 3",
        "map Sky squares \"\"\"\n  g  g\n\"\"\"\nspace Cloud on Sky { high: bool = no }\nlegend Sky { g: ; h: high }\nround 3",
    );
    let all = SCENARIOS.replace(
        "scenario other",
        "scenario high \"Up there\" for Isle {\n  map Land \"\"\"\n    g  g\n  \"\"\"\n  map Sky \"\"\"\n    h  h\n  \"\"\"\n}\nscenario other",
    );
    let mut h = isle(&game, &all);
    choose(&mut h, "Scenario", "Up there");
    h.state_mut().panes.draw.hand.selection = [houserule_editor::panels::draw::to_spot((0, 0))].into();
    h.state_mut().carry_out(Command::Draw(houserule_editor::panels::draw::Act::Move));
    h.run_steps(2);
    assert!(h.state().panes.draw.hand.held.is_some());
    h.get_by_role_and_label(Role::Button, "Sky").click();
    h.run_steps(4);
    assert!(shows(&h, "A1: h, high"), "the other map");
    let hand = &h.state().panes.draw.hand;
    assert!(hand.held.is_none() && hand.selection.is_empty());
}

#[test]
fn whoever_goes_to_a_test_sees_the_map_that_it_is_played_on() {
    let mut h = isle(GAME, SCENARIOS);
    let at = GAME.find("expect B1").unwrap();
    h.state_mut().carry_out(Command::GoTo(TextPlace::new(RULES, at..at)));
    h.run_steps(4);
    assert_eq!(sheet(&h), SheetId::Variant("wide".into(), vec!["mine".into()]));
    assert!(shows(&h, "B1: w, sea"));
}

#[test]
fn whoever_goes_to_a_test_sees_it_over_what_it_is_played_on_whatever_was_chosen_before() {
    let game = GAME.replace(
        "test \"wide\"",
        "variant calm \"Calm\" {\n  legend Land { d: sand }\n  test \"calm\" on other with Ann, Bo, shore, calm { expect A1.ground == grass }\n}\n\
         variant shore \"Shore\" {\n  map Land \"\"\"\n    s  w  s\n  \"\"\"\n}\ntest \"wide\"",
    );
    let mut h = isle(&game, SCENARIOS);
    choose(&mut h, "Scenario", "Shore (variant)");
    choose(&mut h, "as played on", "mine");
    assert_eq!(sheet(&h), SheetId::Variant("shore".into(), vec!["mine".into()]));
    let go = |h: &mut Harness<'_, App>, what: &str| {
        let at = game.find(what).unwrap();
        h.state_mut().carry_out(Command::GoTo(TextPlace::new(RULES, at..at)));
        h.run_steps(4);
    };
    go(&mut h, "expect A1.ground == grass");
    assert_eq!(sheet(&h), SheetId::Variant("shore".into(), vec!["other".into(), "calm".into()]));
    // Its declaration is the same over whatever it is looked at.
    go(&mut h, "s  w  s");
    assert_eq!(sheet(&h), SheetId::Variant("shore".into(), vec!["other".into(), "calm".into()]));
}

/// Starts a match, and tells which scenario and variants are played.
fn played(h: &mut Harness<'_, App>) -> (Option<String>, Vec<String>) {
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(3);
    h.state_mut().carry_out(Command::Play(play::Act::Start));
    h.run_steps(6);
    let setup = h.state_mut().panes.play.session().expect("it is played").the_match().setup().clone();
    (setup.scenario, setup.variants)
}

/// The same games, with nothing that a scenario alone draws.
fn whole() -> String {
    GAME.replace("map Land squares", "map Land squares \"\"\"\n  w  w\n\"\"\"")
}

#[test]
fn what_is_opened_behind_the_drawing_is_what_is_played() {
    let other = "scenarios/isle/other.scenario";
    let (mine, far) = SCENARIOS.split_once("scenario other").unwrap();
    let texts: Vec<(Arc<str>, String)> = vec![
        (RULES.into(), GAME.to_string()),
        (MINE.into(), mine.to_string()),
        (other.into(), format!("scenario other{far}")),
    ];
    let mut h = window(app(texts));
    h.state_mut().carry_out(Command::Show(Pane::Draw));
    open(&mut h, MINE);
    h.run_steps(3);
    assert_eq!(sheet(&h), SheetId::Scenario("mine".into()));
    // Play takes the room of Draw.
    h.state_mut().carry_out(Command::Show(Pane::Play));
    open(&mut h, other);
    assert_eq!(sheet(&h), SheetId::Scenario("mine".into()), "Draw is not shown");
    assert_eq!(played(&mut h).0.as_deref(), Some("other"));
}

#[test]
fn a_mod_that_is_drawn_over_the_game_alone_is_played_so() {
    let mods = "rules/mods/dry.rules";
    let text = "mod \"Drought\" for Isle {\n  map Land \"\"\"\n    g  w  w\n  \"\"\"\n}\n";
    let texts: Vec<(Arc<str>, String)> =
        vec![(RULES.into(), whole()), (MINE.into(), SCENARIOS.to_string()), (mods.into(), text.into())];
    let mut h = window(app(texts));
    h.state_mut().carry_out(Command::Show(Pane::Draw));
    open(&mut h, mods);
    h.run_steps(3);
    choose(&mut h, "as played on", "mine");
    assert_eq!(played(&mut h).0.as_deref(), Some("mine"));
    h.state_mut().carry_out(Command::Show(Pane::Draw));
    h.run_steps(3);
    choose(&mut h, "as played on", "the game alone");
    assert_eq!(played(&mut h).0, None);
}

#[test]
fn a_variant_that_was_on_before_it_was_drawn_stays_on() {
    let game = whole().replace("variant wide", "variant calm \"Calm\" { }\nvariant wide");
    let mut h = isle(&game, SCENARIOS);
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(3);
    h.get_by_label("Calm").click();
    h.run_steps(3);
    for sheet in ["Calm (variant)", "Wide (variant)", "Other"] {
        h.state_mut().carry_out(Command::Show(Pane::Draw));
        h.run_steps(3);
        choose(&mut h, "Scenario", sheet);
        let on = played(&mut h).1;
        assert!(on.contains(&String::from("calm")), "{sheet}: {on:?}");
        assert_eq!(on.contains(&String::from("wide")), sheet.starts_with("Wide"), "{sheet}: {on:?}");
    }
}

#[test]
fn the_games_own_map_is_shown_when_it_is_chosen() {
    let game = GAME.replace("map Land squares", "map Land squares \"\"\"\n  w  w\n\"\"\"");
    let mut h = isle(&format!("{game}scenario near \"Near\" for Isle {{ }}\n"), SCENARIOS);
    // Its file holds a scenario, too, and is not the one that is open.
    choose(&mut h, "Scenario", "Isle (the game's own)");
    assert_eq!(&*h.state().open_file().unwrap(), RULES);
    assert_eq!(sheet(&h), SheetId::Game);
}

#[test]
fn a_scenario_is_judged_as_built_on_the_one_that_is_drawn() {
    let more = format!("{SCENARIOS}scenario both \"Both\" for Isle with mine or other {{ }}\n");
    let mut h = isle(GAME, &more);
    choose(&mut h, "Scenario", "Both");
    assert!(shows(&h, "A2: g, grass") && !shows(&h, "does not hold where it begins"));
    choose(&mut h, "as built on", "other");
    assert!(shows(&h, "A1: s, sand. Wrong: “sand lies at the sea”"), "its sand lies dry");
    choose(&mut h, "as built on", "mine");
    assert!(!shows(&h, "does not hold where it begins"));
}
