//! The window itself: panes, the list of files, undo.
use crate::support::{GAME, app, open, shows, small, window};
use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::Queryable;
use houserule::ide::{Edit, EditSet};
use houserule_editor::command::{self, Act, Command};
use houserule_editor::panels::Pane;

#[test]
fn panes_that_are_empty_say_what_to_do() {
    let mut harness = window(small());
    assert!(shows(&harness, "Choose a game to begin with"), "Write");
    assert!(shows(&harness, "A small game"), "the list");
    assert!(!shows(&harness, "No scenario is open"), "the start page has the room of all panes");
    harness.state_mut().carry_out(Command::Show(Pane::Draw));
    harness.run_steps(3);
    assert!(shows(&harness, "No scenario is open"), "Draw");
}

#[test]
fn one_click_plays_a_game_of_the_folder() {
    let mut harness = window(crate::support::app(crate::support::shipped()));
    assert!(shows(&harness, "Read Othello") && !shows(&harness, "Draw Othello"), "it has no scenario");
    harness.get_by_label("Play Fuji").click();
    harness.run_steps(6);
    assert_eq!(harness.state().front(), Pane::Play);
    let played = |h: &mut egui_kittest::Harness<'_, houserule_editor::App>| {
        h.state_mut().panes.play.session().map(|s| s.the_match().game().title().to_string())
    };
    assert_eq!(played(&mut harness).as_deref(), Some("Fuji"));
    // Another one ends it.
    harness.state_mut().carry_out(Command::Do(Act::ShowStart));
    harness.run_steps(2);
    assert!(crate::support::nameless(&harness).is_empty(), "{:?}", crate::support::nameless(&harness));
    harness.get_by_label("Play Othello").click_accesskit();
    harness.run_steps(6);
    assert_eq!(played(&mut harness).as_deref(), Some("Othello"));
    // And the map of a scenario.
    harness.state_mut().carry_out(Command::Do(Act::ShowStart));
    harness.run_steps(2);
    harness.get_by_label("Draw The FOG").click_accesskit();
    harness.run_steps(4);
    assert_eq!(harness.state().front(), Pane::Draw);
    assert!(harness.state().panes.draw.data().is_some());
}

#[test]
fn an_edit_is_undone_by_keyboard_and_told() {
    let mut harness = window(small());
    open(&mut harness, "rules/small/small.rules");
    let app = harness.state_mut();
    assert!(app.analyses.get(&app.subject().unwrap()).unwrap().analysis.sound);
    let set = EditSet::from_edit("rename the game", Edit::new("rules/small/small.rules", 5..10, "Tiny"));
    app.carry_out(command::apply_edits(app.document.revision(), set));
    harness.run_steps(2);
    assert!(shows(&harness, "rename the game"));
    let app = harness.state();
    assert_eq!(&*app.analyses.get(&app.subject().unwrap()).unwrap().analysis.model.name, "Tiny");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_steps(3);
    assert!(shows(&harness, "Taken back: rename the game (rules/small/small.rules:1)"));
    assert!(harness.state().document.dirty_files().is_empty());
    harness.get_by_label("Redo").click();
    harness.run_steps(3);
    assert!(harness.state().document.text("rules/small/small.rules").unwrap().starts_with("game Tiny"));
}

#[test]
fn every_shipped_file_belongs_to_a_game() {
    let app = crate::support::app(crate::support::shipped());
    assert_eq!(app.document.games().strays, []);
    let mut titles: Vec<&str> = app.document.games().games.iter().map(|g| &*g.title).collect();
    titles.sort_unstable();
    assert!(titles.len() >= 14 && titles.contains(&"Fuji"), "{titles:?}");
    let fuji = app.document.games().games.iter().find(|g| &*g.word == "Fuji").unwrap();
    assert_eq!((fuji.scenarios.len(), fuji.mods.len()), (9, 2));
}

/// However many files are open, the tab of the one in front is in sight.
#[test]
fn the_tab_in_front_is_in_sight() {
    let name = |n: usize| format!("scenarios/small/s{n:02}.scenario");
    let scenario = |n: usize| format!("scenario s{n:02} \"Number {n}\" for Small {{ }}\n");
    let mut texts = vec![("rules/small/small.rules".into(), GAME.to_string())];
    texts.extend((0..90).map(|n| (name(n).into(), scenario(n))));
    let mut h = window(app(texts));
    for n in (0..90).step_by(3) {
        open(&mut h, &name(n));
    }
    h.run_steps(20);
    for n in [87, 0, 45] {
        open(&mut h, &name(n));
        h.run_steps(20);
        // The text has the left half of the window.
        let tab = h.get_by_role_and_label(Role::Tab, &format!("s{n:02}.scenario")).rect();
        assert!(tab.left() > 0.0 && tab.right() < 850.0, "the tab of {n} stands at {tab:?}");
    }
}
