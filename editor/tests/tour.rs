//! The tour: walked to its end as its strip says, and held up by what is not done.
use crate::support::{app, fills, nameless, shipped, shows, window};
use egui::{Key, Modifiers, PointerButton};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use houserule_editor::App;
use houserule_editor::command::{Act, Command};

/// A window with the game of the tour, in which the tour has begun.
fn begun() -> Harness<'static, App> {
    let own = |name: &str| name.starts_with("rules/fuji") || name.starts_with("scenarios/fuji");
    let mut h = window(app(shipped().into_iter().filter(|(name, _)| own(name)).collect()));
    h.get_by_label("Learn in three minutes").click();
    h.run_steps(4);
    h
}

/// The number of the step that is shown.
fn at(h: &Harness<App>) -> usize {
    h.state().tour().expect("a tour is made").at
}

fn press(h: &mut Harness<App>, modifiers: Modifiers, key: Key) {
    h.key_press_modifiers(modifiers, key);
    h.run_steps(4);
}

/// The last space of the map whose words fit.
fn space(h: &Harness<App>, fits: impl Fn(&str) -> bool) -> egui::Pos2 {
    let all = h.query_all_by_role(egui::accesskit::Role::Cell);
    let mut all = all.filter(|n| n.accesskit_node().label().is_some_and(|l| fits(&l)));
    all.next_back().expect("such a space").rect().center()
}

fn click(h: &mut Harness<App>, pos: egui::Pos2, button: PointerButton) {
    h.hover_at(pos);
    h.run_steps(1);
    for pressed in [true, false] {
        h.event(egui::Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
        h.run_steps(1);
    }
    h.run_steps(3);
}

#[test]
fn the_tour_is_walked_to_its_end() {
    let mut h = begun();
    assert!(shows(&h, "1 of 9: Look at the map") && shows(&h, "Press Alt+2"));
    // The bars of the tiles, which the strip moves down, are for the pointer.
    let without = nameless(&h).into_iter().filter(|n| !n.starts_with("Unknown"));
    assert_eq!(without.collect::<Vec<_>>(), Vec::<String>::new());
    press(&mut h, Modifiers::ALT, Key::Num2);
    assert_eq!(at(&h), 1);
    h.get_by_label_contains("Sign b: ").click();
    h.run_steps(2);
    let meadow = space(&h, |l| l.contains("S, meadow"));
    click(&mut h, meadow, PointerButton::Primary);
    assert_eq!(at(&h), 2, "{}", h.state().message.text);
    press(&mut h, Modifiers::COMMAND, Key::Z);
    assert_eq!(at(&h), 3);
    press(&mut h, Modifiers::ALT, Key::Num1);
    press(&mut h, Modifiers::COMMAND, Key::Home);
    press(&mut h, Modifiers::NONE, Key::End);
    press(&mut h, Modifiers::NONE, Key::Enter);
    h.event(egui::Event::Text("oops".into()));
    h.run_steps(4);
    assert_eq!(at(&h), 4, "{:?}", h.state().message.text);
    for _ in 0..6 {
        if at(&h) == 4 {
            press(&mut h, Modifiers::COMMAND, Key::Z);
        }
    }
    assert_eq!(at(&h), 5);
    assert!(h.state().document.dirty_files().is_empty());
    press(&mut h, Modifiers::ALT, Key::Num3);
    press(&mut h, Modifiers::NONE, Key::F5);
    assert_eq!(at(&h), 6, "{}", h.state().message.text);
    for _ in 0..30 {
        if at(&h) == 6 {
            press(&mut h, Modifiers::NONE, Key::Num1);
            press(&mut h, Modifiers::NONE, Key::Enter);
        }
    }
    assert_eq!(at(&h), 7);
    let dark = space(&h, |l| !l.contains("offered"));
    click(&mut h, dark, PointerButton::Secondary);
    assert_eq!(at(&h), 8);
    press(&mut h, Modifiers::ALT, Key::Num4);
    h.get_by_label("Games").focus();
    h.run_steps(1);
    press(&mut h, Modifiers::COMMAND, Key::A);
    fills(&mut h, "Games", "2");
    press(&mut h, Modifiers::NONE, Key::F5);
    for _ in 0..60 {
        if at(&h) == 8 {
            h.run_steps(1);
        }
    }
    assert_eq!(at(&h), 9);
    assert!(shows(&h, "Learn in three minutes: done") && !shows(&h, "Skip step"));
    h.get_by_label("End tour").click();
    h.run_steps(2);
    assert!(h.state().tour().is_none() && !shows(&h, "End tour"));
}

#[test]
fn what_is_not_done_is_waited_for_or_skipped() {
    let mut h = begun();
    // Nothing is done by looking on, or by another step's keys.
    h.run_steps(6);
    press(&mut h, Modifiers::ALT, Key::Num4);
    press(&mut h, Modifiers::COMMAND, Key::Z);
    assert_eq!(at(&h), 0);
    h.get_by_label("Skip step").click();
    h.run_steps(4);
    assert_eq!(at(&h), 1);
    // A space that is painted with its own sign is not changed.
    press(&mut h, Modifiers::ALT, Key::Num2);
    h.get_by_label_contains("Sign S: ").click();
    h.run_steps(2);
    let meadow = space(&h, |l| l.contains("S, meadow"));
    click(&mut h, meadow, PointerButton::Primary);
    assert_eq!(at(&h), 1);
    h.state_mut().carry_out(Command::Do(Act::EndTour));
    h.run_steps(2);
    assert!(!shows(&h, "Skip step"));
}

#[test]
fn the_tour_opens_the_games_that_ship() {
    let home = tempfile::tempdir().unwrap();
    let mut app = app(vec![("a.rules".into(), crate::support::GAME.into())]);
    let mut nowhere = window(crate::support::small());
    nowhere.state_mut().carry_out(Command::Do(Act::Tour));
    nowhere.run_steps(3);
    assert!(nowhere.state().tour().is_none() && shows(&nowhere, "The tour needs scenarios/"));
    app.home = Some(home.path().to_path_buf());
    let mut h = window(app);
    h.state_mut().carry_out(Command::Do(Act::Tour));
    h.run_steps(6);
    assert_eq!(at(&h), 0);
    assert!(h.state().workspace.as_ref().is_some_and(|w| w.root.ends_with("games")));
}
