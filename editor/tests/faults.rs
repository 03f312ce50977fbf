//! A fault in work beside the frames: whoever waits for it is told what broke off and what to do, and all else goes on.
use crate::support::{GAME, app, folder, open, opened, shows, window};
use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use houserule::ide::{Edit, EditSet};
use houserule_editor::App;
use houserule_editor::command::{self, Command};
use houserule_editor::panels::{Pane, play};
use houserule_editor::play::Sitter;

const FILE: &str = "rules/small/small.rules";
const RULES: &str = "game Small \"A small game\" { players 2; outcome highest score }\n\nplayer { coins: 0..9 = 0 }\nvalue score(p: player): int = p.coins\n\
    round 3 times { everyone in turn { offer take } }\nmenu take { pass }\naction grab() in take { my.coins += 1 }\n";

fn game() -> Harness<'static, App> {
    let mut h = window(app(vec![(FILE.into(), RULES.to_string())]));
    open(&mut h, FILE);
    h
}

fn breaks(h: &Harness<App>, what: Option<&'static str>) {
    h.state().jobs.break_off(what);
}

fn put(h: &mut Harness<App>, text: &str) {
    let app = h.state_mut();
    let set = EditSet::from_edit("type", Edit::new(FILE, 0..0, text));
    app.carry_out(command::apply_edits(app.document.revision(), set));
    h.run_steps(4);
}

#[test]
fn a_check_that_breaks_off_is_told_and_made_again_when_the_texts_change() {
    let mut h = game();
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(2);
    assert!(shows(&h, "Seed"), "it can be started");
    breaks(&h, Some("Checking the game"));
    put(&mut h, "# one\n");
    let told = "Checking the game was stopped by a defect in this program (as a test wants). Nothing is lost";
    assert!(shows(&h, told), "the status bar says so");
    assert!(!h.state().analyses.is_busy(), "nobody waits for it");
    h.state_mut().carry_out(Command::Play(play::Act::Start));
    h.run_steps(3);
    assert!(shows(&h, "The game can be started when its texts have changed"));
    breaks(&h, None);
    h.run_steps(3);
    assert!(h.state().panes.play.data().is_none(), "the same texts are not tried again and again");
    put(&mut h, "# two\n");
    h.state_mut().carry_out(Command::Play(play::Act::Start));
    h.run_steps(4);
    assert!(h.state().panes.play.data().is_some());
}

#[test]
fn a_game_that_was_never_checked_says_so_in_every_pane() {
    let mut h = window(app(vec![(FILE.into(), GAME.to_string())]));
    breaks(&h, Some("Checking the game"));
    open(&mut h, FILE);
    for pane in [Pane::Draw, Pane::Play] {
        h.state_mut().carry_out(Command::Show(pane));
        // What the status bar says would hide that the pane says it.
        h.state_mut().set_message(String::new());
        h.run_steps(2);
        assert!(shows(&h, "Checking the game was stopped"), "{pane:?}");
    }
}

#[test]
fn a_search_that_breaks_off_is_told_in_the_bar() {
    let mut h = game();
    breaks(&h, Some("Looking in this file"));
    h.key_press_modifiers(Modifiers::COMMAND, Key::F);
    h.run_steps(2);
    h.event(Event::Text("coins".into()));
    h.run_steps(3);
    assert!(shows(
        &h,
        "Looking in this file was stopped by a defect in this program (as a test wants). Look for something else"
    ));
    assert!(!shows(&h, "searching …"));
    breaks(&h, None);
    h.event(Event::Text(" ".into()));
    h.run_steps(3);
    assert!(shows(&h, "1 found"));
}

#[test]
fn saving_that_breaks_off_loses_nothing_and_is_done_again() {
    let dir = folder(&[(FILE, GAME)]);
    let mut h = window(opened(dir.path()));
    open(&mut h, FILE);
    put(&mut h, "# mine\n");
    breaks(&h, Some("Saving"));
    h.key_press_modifiers(Modifiers::COMMAND, Key::S);
    h.run_steps(4);
    assert!(shows(
        &h,
        "Saving was stopped by a defect in this program (as a test wants). What is not saved is still here: save it again"
    ));
    assert!(!h.state().is_saving() && h.state().document.is_dirty(FILE));
    breaks(&h, None);
    h.key_press_modifiers(Modifiers::COMMAND, Key::S);
    h.run_steps(4);
    assert!(!h.state().document.is_dirty(FILE));
    assert_eq!(std::fs::read_to_string(dir.path().join(FILE)).unwrap(), format!("# mine\n{GAME}"));
}

#[test]
fn a_bot_that_breaks_off_waits_and_goes_on() {
    let mut h = game();
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.state_mut().carry_out(Command::Play(play::Act::Start));
    h.run_steps(4);
    breaks(&h, Some("A bot's thinking"));
    h.state_mut().panes.play.session().expect("play").seat_sitters(vec![Sitter::Bot("random"); 2]);
    h.run_steps(4);
    assert!(shows(
        &h,
        "A bot's thinking was stopped by a defect in this program (as a test wants). Bots wait"
    ));
    let step = |h: &Harness<App>| h.state().panes.play.data().expect("play").step.0;
    assert_eq!(step(&h), 0);
    breaks(&h, None);
    h.state_mut().carry_out(Command::Play(play::Act::Pause));
    h.run_steps(6);
    assert!(step(&h) > 0, "it thinks anew");
}

#[test]
fn a_match_or_a_test_that_breaks_off_is_told() {
    let mut h = game();
    h.state_mut().carry_out(Command::Show(Pane::Play));
    breaks(&h, Some("Starting the match"));
    h.state_mut().carry_out(Command::Play(play::Act::Start));
    h.run_steps(4);
    assert!(shows(
        &h,
        "Starting the match was stopped by a defect in this program (as a test wants). Start it again"
    ));
    breaks(&h, Some("Making a test"));
    h.state_mut().carry_out(Command::Play(play::Act::Start));
    h.run_steps(4);
    assert!(!shows(&h, "Starting the match was stopped"));
    h.state_mut().carry_out(Command::Play(play::Act::MakeTest));
    h.run_steps(4);
    assert!(shows(&h, "No test: Making a test was stopped") && !shows(&h, "making a test …"));
}
