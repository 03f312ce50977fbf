//! Where play starts: the map as it is drawn, a test, any point of the time line, a saved match; and how a set is picked on the map.
use super::window::{labels, seat, start};
use crate::support::{app, fills, open, shows, window};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use houserule::ide::{Edit, EditSet};
use houserule_editor::App;
use houserule_editor::command::{self, Command};
use houserule_editor::dialogs::Given;
use houserule_editor::panels::{Pane, play};
use houserule_editor::play::Sitter;

const RULES: &str = "rules/isle/isle.rules";
const MINE: &str = "scenarios/isle/mine.scenario";
const OTHER: &str = "scenarios/isle/other.scenario";

/// Sand is taken, one or two places at a time.
fn isle(file: &str) -> Harness<'static, App> {
    let texts = [
        (
            RULES,
            r##"game Isle "Isle" { players 2; outcome each }
enum Ground { grass, sand }
map Land squares
space Cell on Land { ground: Ground = grass; taken: bool = no }
legend Land { g: grass; s: sand }
player { sum: 0..99 = 0 }

round 3 times {
  for p in players {
    let found = choose 1..2 of (Cell where sand and not taken) by p "Which sand?"
    for c in found { c.taken = yes; p.sum += 1 }
  }
}

test "Ann has taken two" on mine with Ann, Bo {
  start at round
  Ann: [A1, A2]
  expect Ann.sum == 2
}
"##,
        ),
        (
            MINE,
            r##"# Mine.
scenario mine "Mine" for Isle {
  map Land """
    s s s g
    s s s g
  """
}
"##,
        ),
        (
            OTHER,
            r##"scenario other "Other" for Isle {
  map Land """
    s s
    s s
    s s
  """
}
"##,
        ),
    ];
    let mut h = window(app(texts.map(|(name, text)| (name.into(), text.to_string())).into()));
    open(&mut h, file);
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(3);
    h
}

fn people(h: &mut Harness<App>) {
    seat(h, vec![Sitter::Person, Sitter::Person]);
    h.run_steps(2);
}

fn step(h: &Harness<App>) -> (usize, usize) {
    h.state().panes.play.data().expect("a game is played").step
}

/// What a screen reader says of a place.
fn said(h: &Harness<App>, place: &str) -> String {
    let all = labels(h);
    all.into_iter()
        .find(|l| *l == place || l.starts_with(&format!("{place}:")) || l.starts_with(&format!("{place} ")))
        .expect("the place")
}

fn at(h: &Harness<App>, place: &str) -> egui::Pos2 {
    let mut all = h.query_all_by_role(egui::accesskit::Role::Cell);
    let is =
        |l: &str| l == place || l.starts_with(&format!("{place}:")) || l.starts_with(&format!("{place} "));
    all.find(|n| n.accesskit_node().label().is_some_and(|l| is(&l))).expect("the place").rect().center()
}

fn click(h: &mut Harness<App>, place: &str) {
    let p = at(h, place);
    h.hover_at(p);
    h.run_steps(1);
    h.drag_at(p);
    h.run_steps(1);
    h.drop_at(p);
    h.run_steps(2);
}

fn paint(h: &mut Harness<App>, from: &str, to: &str) {
    let app = h.state_mut();
    let at = app.document.text(MINE).expect("the scenario").find(from).expect("the row");
    let set = EditSet::from_edit("paint", Edit::new(MINE, at..at + from.len(), to));
    app.carry_out(command::apply_edits(app.document.revision(), set));
    h.run_steps(4);
}

#[test]
fn the_map_is_played_as_it_is_drawn_and_not_as_it_was_saved() {
    let mut h = isle(MINE);
    paint(&mut h, "s s s g", "g g s g");
    assert!(!h.state().document.dirty_files().is_empty(), "nothing is saved");
    start(&mut h);
    people(&mut h);
    assert!(said(&h, "A2").contains("grass") || !said(&h, "A2").contains("offered"), "{}", said(&h, "A2"));
    assert!(said(&h, "A1").contains("offered"), "{}", said(&h, "A1"));
    // Painted again before anybody has chosen: it is played as it is drawn now.
    paint(&mut h, "g g s g", "s g s g");
    assert!(!shows(&h, "The texts have changed"));
    assert!(said(&h, "A2").contains("offered"), "{}", said(&h, "A2"));
    // One key starts it anew.
    h.key_press(Key::F5);
    h.run_steps(4);
    people(&mut h);
    assert!(said(&h, "A2").contains("offered"), "{}", said(&h, "A2"));
    // A game that is wrong as it stands is not played as it was before.
    paint(&mut h, "s g s g", "s ? s g");
    h.key_press(Key::F5);
    h.run_steps(4);
    assert!(shows(&h, "cannot be played as its texts are now"), "{:?}", labels(&h));
}

#[test]
fn the_scenario_that_is_opened_is_the_one_that_is_played() {
    let mut h = isle(MINE);
    open(&mut h, OTHER);
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(2);
    start(&mut h);
    let size = h.state().panes.play.data().expect("play").board.maps[0].size;
    assert_eq!(size, (2, 3), "the other scenario's map");
    // While it is played another is opened: it is started by the same key.
    open(&mut h, MINE);
    h.state_mut().carry_out(Command::Play(play::Act::Start));
    h.run_steps(4);
    assert_eq!(h.state().panes.play.data().expect("play").board.maps[0].size, (4, 2));
}

#[test]
fn play_starts_where_a_test_ends_and_then_at_the_beginning_again() {
    let mut h = isle(RULES);
    h.get_by_label("Start where a test ends").click();
    h.run_steps(12);
    fills(&mut h, "Find a test", "two");
    h.get_by_label("Ann has taken two").click();
    h.run_steps(4);
    people(&mut h);
    let data = h.state().panes.play.data().expect("play");
    assert_eq!(data.players[0], "Ann");
    assert!(said(&h, "A1").contains("taken") && !said(&h, "A1").contains("offered"));
    // On from there, and a test of that. The other seat's bot may have gone on before it was taken away.
    let before = step(&h).1;
    let open = ["B1", "C1", "B2", "C2"].into_iter().find(|p| said(&h, p).contains("offered")).expect("sand");
    click(&mut h, open);
    h.key_press(Key::Enter);
    h.run_steps(3);
    assert_eq!(step(&h), (before + 1, before + 1));
    h.state_mut().carry_out(Command::Play(play::Act::MakeTest));
    h.run_steps(4);
    assert!(h.state().message.text.contains("it passes"), "{}", h.state().message.text);
    let text = h.state().document.text(RULES).expect("the rules");
    let made = text.rsplit("test \"").next().unwrap_or("").to_string();
    assert!(made.contains("Ann: [A1, A2]") && made.contains(&format!("expect {open}.taken")), "{made}");
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    h.run_steps(3);
    // The form's own button begins at the beginning.
    h.state_mut().carry_out(Command::Play(play::Act::Stop));
    h.run_steps(3);
    start(&mut h);
    people(&mut h);
    assert!(said(&h, "A1").contains("offered"));
}

#[test]
fn play_goes_on_from_any_point_of_the_time_line_and_the_other_line_stays() {
    let mut h = isle(MINE);
    start(&mut h);
    people(&mut h);
    for place in ["A1", "B1", "C1"] {
        click(&mut h, place);
        h.key_press(Key::Enter);
        h.run_steps(2);
    }
    assert_eq!(step(&h), (3, 3));
    let second = labels(&h).into_iter().find(|l| l.starts_with("Step 1")).expect("the time line");
    h.get_by_label(&second).click();
    h.run_steps(2);
    assert_eq!(step(&h), (1, 3));
    assert!(said(&h, "B1").contains("offered"), "as it was then");
    click(&mut h, "C2");
    h.key_press(Key::Enter);
    h.run_steps(2);
    let data = h.state().panes.play.data().expect("play");
    assert_eq!((data.step, data.lines.0.len(), data.lines.1), ((2, 2), 2, 1));
    h.get_by_label("line 1").click();
    h.run_steps(2);
    assert_eq!(step(&h).1, 3);
    assert!(h.state().document.dirty_files().is_empty(), "nothing that is played changes a text");
}

#[test]
fn a_set_is_picked_on_the_map_by_keyboard_and_enter_takes_it() {
    let mut h = isle(MINE);
    start(&mut h);
    people(&mut h);
    // The cursor begins in the upper left corner; the map has the keyboard once it was clicked: A2 is picked by that.
    click(&mut h, "A2");
    assert_eq!(step(&h).1, 0, "one of two may be all, or not");
    assert!(said(&h, "A2").contains("picked"), "{}", said(&h, "A2"));
    assert!(shows(&h, "Take {A2} (Enter)"), "what Enter does is told: {:?}", labels(&h));
    // The same again puts it back.
    h.key_press(Key::ArrowRight);
    h.run_steps(1);
    h.key_press(Key::ArrowLeft);
    h.run_steps(1);
    h.key_press(Key::Space);
    h.run_steps(2);
    assert!(!said(&h, "A2").contains("picked") && !shows(&h, "(Enter)"), "{}", said(&h, "A2"));
    h.key_press(Key::Space);
    h.run_steps(2);
    h.key_press(Key::Enter);
    h.run_steps(2);
    assert_eq!(step(&h), (1, 1), "Enter takes what is picked, with the map in hand");
    assert!(said(&h, "A2").contains("taken"), "{}", said(&h, "A2"));
    // Two at once: the second pick is the last that there can be.
    click(&mut h, "B1");
    h.key_press(Key::ArrowRight);
    h.run_steps(1);
    h.key_press(Key::Space);
    h.run_steps(2);
    assert_eq!(step(&h), (2, 2));
    assert!(said(&h, "B1").contains("taken") && said(&h, "C1").contains("taken"));
}

#[test]
fn a_match_is_saved_and_loaded_through_the_systems_dialogs() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("one.save");
    let mut h = isle(MINE);
    start(&mut h);
    people(&mut h);
    click(&mut h, "A2");
    h.key_press(Key::Enter);
    h.run_steps(2);
    // Nothing chosen: nothing is saved.
    h.state_mut().carry_out(Command::Play(play::Act::Save));
    h.run_steps(3);
    assert!(h.state().message.text.contains("no place was chosen"), "{}", h.state().message.text);
    h.state_mut().dialogs = Box::new(Given(vec![path.clone(), path.clone(), dir.path().join("none.save")]));
    h.state_mut().carry_out(Command::Play(play::Act::Save));
    h.run_steps(4);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{e}: {}", h.state().message.text));
    assert!(text.contains("says:"), "{text}");
    assert!(h.state().message.text.starts_with("Saved to"), "{}", h.state().message.text);
    // Loaded from the form, without a game under way.
    h.state_mut().carry_out(Command::Play(play::Act::Stop));
    h.run_steps(2);
    h.get_by_label("Go on with a saved match …").click();
    h.run_steps(6);
    assert_eq!(step(&h), (1, 1));
    assert!(said(&h, "A2").contains("taken"));
    h.state_mut().carry_out(Command::Play(play::Act::Load));
    h.run_steps(4);
    assert!(h.state().message.text.contains("cannot be read"), "{}", h.state().message.text);
    assert_eq!(step(&h), (1, 1), "what is played stays");
}

#[test]
fn at_580_points_every_button_of_play_is_to_be_reached() {
    let mut h = isle(MINE);
    start(&mut h);
    people(&mut h);
    h.set_size(egui::Vec2::new(820.0, 600.0));
    h.run_steps(4);
    for label in ["New game", "Take back", "Make a test of this", "More"] {
        let node = h.get_by_role_and_label(egui::accesskit::Role::Button, label);
        assert!(node.rect().max.x <= 820.0, "{label} ends at {}", node.rect().max.x);
    }
    h.get_by_role_and_label(egui::accesskit::Role::Button, "More").click();
    h.run_steps(3);
    assert!(shows(&h, "Save the match …") && shows(&h, "turn to who is asked"));
}
