//! Drawing by pointer, by keyboard and by form; the text follows, and the map follows the text.
use crate::support::{app, open, shipped, shows, window};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use houserule::ide::draw::{SheetId, Spot, Symmetry};
use houserule::ide::{Edit, EditSet};
use houserule_editor::App;
use houserule_editor::command::{self, Command};
use houserule_editor::panels::Pane;
use houserule_editor::panels::draw::{Act, Tool, spot};
use std::sync::Arc;

const PRACTICE: &str = "scenarios/fuji/practice.scenario";

/// The shipped files, with Draw in front and that file open.
fn drawing(file: &str) -> Harness<'static, App> {
    let mut h = window(app(shipped()));
    h.state_mut().carry_out(Command::Show(Pane::Draw));
    open(&mut h, file);
    h.run_steps(3);
    h
}

/// A small game of hexes, and one of squares, without anything else.
fn own(map: &str, picture: &str) -> Harness<'static, App> {
    let game = format!(
        "game Isle \"Isle\" {{ players 2; outcome win }}\nenum Ground {{ grass, sand }}\nmap Land {map}\n\
         space Cell on Land {{ ground: Ground = grass }}\nlegend Land {{ g: grass; s: sand }}\n\
         option long \"A long game\": bool = no\nround once {{ }}\n"
    );
    let scenario =
        format!("# Mine.\nscenario mine \"Mine\" for Isle {{\n  map Land \"\"\"\n{picture}  \"\"\"\n}}\n");
    let texts: Vec<(Arc<str>, String)> =
        vec![("rules/isle/isle.rules".into(), game), ("scenarios/isle/mine.scenario".into(), scenario)];
    let mut h = window(app(texts));
    h.state_mut().carry_out(Command::Show(Pane::Draw));
    open(&mut h, "scenarios/isle/mine.scenario");
    h.run_steps(3);
    h
}

fn text<'a>(h: &'a Harness<'_, App>, file: &str) -> &'a str {
    h.state().document.text(file).expect("the file")
}

fn mine<'a>(h: &'a Harness<'_, App>) -> &'a str {
    text(h, "scenarios/isle/mine.scenario")
}

/// The lines of the picture.
fn picture(h: &Harness<'_, App>) -> Vec<String> {
    mine(h).lines().skip(3).take_while(|l| !l.contains('"')).map(|l| l.trim().to_string()).collect()
}

/// The node of a place on the map.
fn cell<'a>(h: &'a Harness<'_, App>, name: &str) -> egui_kittest::Node<'a> {
    let begins = format!("{name}: ");
    let mut all = h.query_all_by_role(egui::accesskit::Role::Cell);
    all.find(|n| n.accesskit_node().label().is_some_and(|l| l.starts_with(&begins)))
        .expect("the place is shown")
}

/// Where a place is on the screen.
fn place(h: &Harness<'_, App>, name: &str) -> egui::Pos2 {
    cell(h, name).rect().center()
}

fn press(h: &mut Harness<'_, App>, keys: &[Key]) {
    for k in keys {
        h.key_press(*k);
        h.run_steps(1);
    }
    h.run_steps(2);
}

/// Gives the map the keyboard.
fn focus(h: &mut Harness<'_, App>) {
    h.query_all_by_role(egui::accesskit::Role::Canvas).next().expect("the map").focus();
    h.run_steps(2);
}

const SQUARE: &str = "    g  g  s  g\n    g  s  s  g\n    g  g  g  g\n";

#[test]
fn what_is_drawn_is_told() {
    for file in [PRACTICE, "scenarios/fog/solo.scenario", "scenarios/chess/endgame.scenario"] {
        let h = drawing(file);
        let name = file.rsplit(['/', '.']).nth(1).unwrap();
        insta::assert_snapshot!(
            format!("draw_{name}"),
            h.state().panes.draw.data().expect("something is shown").told()
        );
    }
}

#[test]
fn painting_changes_the_text_and_undo_brings_it_back() {
    let mut h = own("squares", SQUARE);
    let before = mine(&h).to_string();
    h.get_by_label_contains("Sign s: ").click();
    h.run_steps(2);
    cell(&h, "A1").click();
    h.run_steps(4);
    assert_eq!(picture(&h), ["g  g  s  g", "g  s  s  g", "s  g  g  g"]);
    assert!(shows(&h, "A1: s, sand"), "the map shows what the text says");
    assert!(shows(&h, "paint s at A1"), "the step says what and where");
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    h.run_steps(4);
    assert_eq!(mine(&h), before);
    assert!(shows(&h, "A1: g, grass"));
    h.check_accessibility();
}

#[test]
fn typing_changes_the_map() {
    let mut h = own("squares", SQUARE);
    let at = mine(&h).find("g  g  s").unwrap();
    let set = EditSet::one("type", Edit::new("scenarios/isle/mine.scenario", at..at + 1, "s"));
    let since = h.state().document.revision();
    h.state_mut().carry_out(command::apply(since, set));
    h.run_steps(3);
    assert!(shows(&h, "A3: s, sand"));
}

#[test]
fn a_stroke_is_one_step() {
    let mut h = own("squares", SQUARE);
    let steps = h.state().document.history().done.len();
    h.get_by_label_contains("Sign s: ").click();
    h.run_steps(2);
    let (from, to) = (place(&h, "A1"), place(&h, "D1"));
    h.drag_at(from);
    h.run_steps(1);
    for k in 1..=6 {
        h.hover_at(from + (to - from) * (k as f32 / 6.0));
        h.run_steps(1);
    }
    // While the pointer is down the text stays.
    assert_eq!(picture(&h)[2], "g  g  g  g");
    h.drop_at(to);
    h.run_steps(4);
    assert_eq!(picture(&h)[2], "s  s  s  s");
    assert_eq!(h.state().document.history().done.len(), steps + 1);
}

#[test]
fn by_keyboard_alone() {
    let mut h = own("squares", SQUARE);
    focus(&mut h);
    // The cursor begins in the north-west: down to row 1, one to the east, next sign, paint.
    press(&mut h, &[Key::ArrowDown, Key::ArrowDown, Key::ArrowRight]);
    assert!(shows(&h, "B1: g, grass"));
    h.state_mut().panes.draw.hand.sign = "g".into();
    press(&mut h, &[Key::Period, Key::Space]);
    assert_eq!(picture(&h)[2], "g  s  g  g");
    // A rectangle from there to the north-east corner.
    press(
        &mut h,
        &[Key::R, Key::Space, Key::ArrowRight, Key::ArrowRight, Key::ArrowUp, Key::ArrowUp, Key::Space],
    );
    assert_eq!(picture(&h), ["g  s  s  s", "g  s  s  s", "g  s  s  s"]);
    // The selection, moved to the west by one, and erased.
    press(&mut h, &[Key::S, Key::Space, Key::ArrowDown, Key::Space]);
    assert_eq!(h.state().panes.draw.hand.selection.len(), 2);
    press(&mut h, &[Key::Delete]);
    assert_eq!(picture(&h), ["g  s  s  .", "g  s  s  .", "g  s  s  s"]);
}

#[test]
fn what_hovers_is_what_is_written() {
    let mut h = own("hexes", "    g   g   s   g\n      g   s   s   g\n    g   g   g   g\n");
    for (tool, size, symmetry) in [
        (Tool::Stamp, 2, Symmetry::Off),
        (Tool::Stamp, 1, Symmetry::WestEast),
        (Tool::Fill, 1, Symmetry::Off),
        (Tool::Replace, 1, Symmetry::Off),
        (Tool::Erase, 1, Symmetry::Half),
    ] {
        let hand = &mut h.state_mut().panes.draw.hand;
        (hand.tool, hand.size, hand.symmetry, hand.sign) = (tool, size, symmetry, "s".into());
        h.run_steps(2);
        let board = h.state().panes.draw.data().unwrap().drawing.boards[0].clone();
        let at = Spot::new(1, 1);
        let preview = h.state().panes.draw.hand.proposed(&board, at);
        assert!(!preview.is_empty());
        cell(&h, "B2").click();
        h.run_steps(4);
        let now = &h.state().panes.draw.data().unwrap().drawing.boards[0];
        for s in board.lattice.spots() {
            let want = preview.get(&s).map_or(board.sign(s), |p| Some(&**p));
            assert_eq!(now.sign(s), want, "{tool:?} at {}", s.name());
        }
    }
}

#[test]
fn a_piece_is_moved_and_turned() {
    let mut h = own("squares", SQUARE);
    h.state_mut().panes.draw.hand.selection = [spot((1, 1)), spot((2, 1)), spot((2, 2))].into();
    h.state_mut().carry_out(Command::Draw(Act::Copy));
    h.state_mut().carry_out(Command::Draw(Act::TurnRight));
    h.run_steps(2);
    // B2 is held; C2 lies south of it now, and C3 south-east.
    cell(&h, "A2").click();
    h.run_steps(4);
    assert_eq!(picture(&h), ["g  g  s  g", "s  s  s  g", "s  s  g  g"]);
    h.state_mut().carry_out(Command::Draw(Act::Cancel));
    h.run_steps(1);
    assert!(h.state().panes.draw.hand.held.is_none());
}

#[test]
fn an_error_in_the_map_pauses_drawing_and_one_elsewhere_does_not() {
    let mut h = own("squares", SQUARE);
    let file = "scenarios/isle/mine.scenario";
    let end = mine(&h).rfind("\"\"\"").unwrap();
    let since = h.state().document.revision();
    h.state_mut().carry_out(command::apply(since, EditSet::one("break", Edit::new(file, end..end + 3, ""))));
    h.run_steps(3);
    assert!(shows(&h, "Drawing waits until this can be read"), "it says so");
    assert!(shows(&h, "A1: g, grass"), "the last good view stays");
    let before = mine(&h).to_string();
    cell(&h, "A1").click();
    h.run_steps(3);
    assert_eq!(mine(&h), before);
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    h.run_steps(4);
    assert!(!shows(&h, "Drawing waits"));
    // A rule that cannot be read is no reason to stop.
    let game = "rules/isle/isle.rules";
    let at = text(&h, game).find("round once").unwrap();
    let since = h.state().document.revision();
    h.state_mut()
        .carry_out(command::apply(since, EditSet::one("break", Edit::new(game, at..at, "rule x( = 3\n"))));
    h.run_steps(3);
    h.get_by_label_contains("Sign s: ").click();
    h.run_steps(2);
    cell(&h, "A1").click();
    h.run_steps(4);
    assert_eq!(picture(&h)[2], "s  g  g  g");
}

#[test]
fn what_is_wrong_lies_on_the_map() {
    let mut h = own("squares", "    g  g  q  g\n    g  s  s  g\n    g  g  g  g\n");
    assert!(shows(&h, "C3: q, which nothing explains. Wrong: no legend says what `q` is"));
    assert!(shows(&h, "1 finding"));
    // It is painted over.
    h.get_by_label_contains("Sign s: ").click();
    h.run_steps(2);
    cell(&h, "C3").click();
    h.run_steps(4);
    assert_eq!(picture(&h)[0], "g  g  s  g");
    assert!(!shows(&h, "1 finding"));
}

#[test]
fn a_place_leads_to_its_text() {
    let mut h = own("squares", SQUARE);
    cell(&h, "C3").click_modifiers(Modifiers::ALT);
    h.run_steps(3);
    let here = h.state().here().expect("somewhere").clone();
    assert_eq!(&mine(&h)[here.range.clone()], "s");
    assert_eq!(here.range.start, mine(&h).find("s  g\n").unwrap());
}

#[test]
fn the_form_sets_and_resets() {
    let mut h = own("squares", SQUARE);
    let before = mine(&h).to_string();
    h.get_by_label("Form").click();
    h.run_steps(3);
    h.get_by_label("A long game, default").click();
    h.run_steps(4);
    assert!(mine(&h).contains("\n  long = yes\n"), "{}", mine(&h));
    assert!(shows(&h, "A long game, set here"));
    let reset: Vec<_> = h.query_all_by_label("Reset").collect();
    assert_eq!(reset.len(), 1);
    reset[0].click();
    h.run_steps(4);
    assert_eq!(mine(&h), before);
    assert!(shows(&h, "A long game, default"));
    h.check_accessibility();
}

#[test]
fn a_new_scenario_is_drawn_like_the_one_that_is_shown() {
    let mut h = own("hexes", "    g   g   s   g\n      g   s   s   g\n    g   g   g   g\n");
    let was = h.state().panes.draw.data().unwrap().drawing.boards[0].clone();
    h.get_by_label("New scenario").click();
    h.run_steps(4);
    let draw = &h.state().panes.draw;
    assert_eq!(draw.sheet(), Some(&SheetId::Scenario("new_1".into())));
    let now = &draw.data().unwrap().drawing.boards[0];
    assert!(was.lattice.spots().all(|s| was.sign(s) == now.sign(s)));
    let app = h.state();
    assert!(app.analyses.get(&app.subject().unwrap()).unwrap().analysis.sound);
}

#[test]
fn every_shipped_scenario_is_shown_with_all_its_places() {
    let files: Vec<Arc<str>> =
        shipped().into_iter().map(|(n, _)| n).filter(|n| n.ends_with(".scenario")).collect();
    let mut h = window(app(shipped()));
    h.state_mut().carry_out(Command::Show(Pane::Draw));
    let before = h.state().document.texts().clone();
    for f in files {
        open(&mut h, &f);
        h.run_steps(2);
        let data = h.state().panes.draw.data().unwrap_or_else(|| panic!("{f} is not shown"));
        assert_eq!(*data.drawing.sheet.file, *f);
        let places: usize = data.tiles.iter().map(Vec::len).sum();
        let cells = h
            .root()
            .children_recursive()
            .filter(|n| n.accesskit_node().role() == egui::accesskit::Role::Cell)
            .count();
        assert_eq!(cells, places, "{f}");
    }
    assert_eq!(*h.state().document.texts(), before);
}

/// How long a frame takes while a stroke is drawn on a map of 40 by 40. A measurement, not a test: `cargo test --release -p houserule-editor frames -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn frames_while_dragging_on_forty_by_forty() {
    let row = |hex: bool, r: usize| {
        let signs: Vec<&str> = (0..40).map(|c| if (c * r).rem_euclid(3) == 0 { "s" } else { "g" }).collect();
        format!("    {}{}\n", if hex && r % 2 == 1 { " " } else { "" }, signs.join(" "))
    };
    for (name, hex) in [("squares", false), ("hexes", true)] {
        let picture: String = (0..40).rev().map(|r| row(hex, r)).collect();
        let mut h = own(name, &picture);
        let (from, to) = (place(&h, "B2"), place(&h, "AM39"));
        h.drag_at(from);
        h.run_steps(2);
        let mut times: Vec<f64> = Vec::new();
        for k in 0..60 {
            h.hover_at(from + (to - from) * (k as f32 / 60.0));
            let start = std::time::Instant::now();
            h.run_steps(1);
            times.push(start.elapsed().as_secs_f64() * 1000.0);
        }
        h.drop_at(to);
        h.run_steps(2);
        times.sort_by(f64::total_cmp);
        println!(
            "{name}: median {:.1} ms, worst {:.1} ms a frame, with a node for every space",
            times[30], times[59]
        );
    }
}

#[test]
fn a_resize_is_seen_before_it_is_done() {
    let mut h = own("squares", SQUARE);
    let before = mine(&h).to_string();
    h.get_by_role_and_label(egui::accesskit::Role::Button, "Size").click();
    h.run_steps(3);
    h.get_by_label("Rows in the south").set_value_accesskit(1.0);
    h.run_steps(4);
    assert_eq!(mine(&h), before, "nothing is written yet");
    let rows = |h: &Harness<'_, App>| {
        h.query_all_by_role(egui::accesskit::Role::Cell)
            .filter_map(|n| n.accesskit_node().label())
            .filter(|l| l.starts_with("A"))
            .count()
    };
    assert_eq!(rows(&h), 4, "the map as it would be");
    h.get_by_label("Resize").click();
    h.run_steps(4);
    assert_eq!(picture(&h).len(), 4);
    assert_eq!(rows(&h), 4);
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    h.run_steps(4);
    assert_eq!((mine(&h), rows(&h)), (before.as_str(), 3));
}

#[test]
fn a_mark_is_put_on_what_is_selected() {
    let mut h = own("squares", SQUARE);
    h.state_mut().panes.draw.hand.selection = [spot((0, 0)), spot((1, 0))].into();
    h.run_steps(2);
    h.get_by_label("Marks").click();
    h.run_steps(3);
    // A space has one ground: sand takes the place of grass.
    h.get_by_label("sand").click();
    h.run_steps(4);
    assert_eq!(picture(&h), ["g  g  s  g", "g  s  s  g", "s  s  g  g"]);
    assert!(shows(&h, "put sand at 2 spaces from A1 to B1"));
    // Without it nothing would be said, and no sign says nothing: the reason is told.
    h.get_by_label("sand").click();
    h.run_steps(4);
    assert_eq!(picture(&h)[2], "s  s  g  g");
    assert!(shows(&h, "no sign of Land says nothing at once"));
}
