//! Drawing by pointer, by keyboard and by form; the text follows, and the map follows the text.
use crate::support::frames::{self, Series};
use crate::support::{app, open, shipped, shows, window};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use houserule::ide::draw::{SheetId, Spot, Symmetry};
use houserule::ide::{Edit, EditSet};
use houserule_editor::App;
use houserule_editor::command::{self, Command};
use houserule_editor::panels::Pane;
use houserule_editor::panels::draw::{Act, Tool, to_spot};
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
pub fn own(map: &str, picture: &str) -> Harness<'static, App> {
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

/// Where the rules have no space on their map, the scenario is drawn that is played unless another is named.
#[test]
fn rules_without_a_map_of_their_own_show_a_scenario() {
    let h = drawing("rules/fuji/fuji.rules");
    assert_eq!(h.state().panes.draw.sheet(), Some(&SheetId::Scenario("fuji_1".into())));
    assert!(shows(&h, "A7: "), "its spaces are drawn");
    // A map of its own is what a game shows first.
    let h = drawing("rules/classics/chess/chess.rules");
    assert_eq!(h.state().panes.draw.sheet(), Some(&SheetId::Game));
}

fn text<'a>(h: &'a Harness<'_, App>, file: &str) -> &'a str {
    h.state().document.text(file).expect("the file")
}

pub fn mine<'a>(h: &'a Harness<'_, App>) -> &'a str {
    text(h, "scenarios/isle/mine.scenario")
}

/// The lines of the picture.
pub fn picture(h: &Harness<'_, App>) -> Vec<String> {
    mine(h).lines().skip(3).take_while(|l| !l.contains('"')).map(|l| l.trim().to_string()).collect()
}

/// The node of a place on the map.
pub fn cell<'a>(h: &'a Harness<'_, App>, name: &str) -> egui_kittest::Node<'a> {
    let begins = format!("{name}: ");
    let mut all = h.query_all_by_role(egui::accesskit::Role::Cell);
    all.find(|n| n.accesskit_node().label().is_some_and(|l| l.starts_with(&begins)))
        .expect("the place is shown")
}

/// Where a place is on the screen.
pub fn place(h: &Harness<'_, App>, name: &str) -> egui::Pos2 {
    cell(h, name).rect().center()
}

pub fn press(h: &mut Harness<'_, App>, keys: &[Key]) {
    for k in keys {
        h.key_press(*k);
        h.run_steps(1);
    }
    h.run_steps(2);
}

/// Gives the map the keyboard.
pub fn focus(h: &mut Harness<'_, App>) {
    h.query_all_by_role(egui::accesskit::Role::Canvas).next().expect("the map").focus();
    h.run_steps(2);
}

pub const SQUARE: &str = "    g  g  s  g\n    g  s  s  g\n    g  g  g  g\n";

#[test]
fn what_is_drawn_is_told() {
    for file in [PRACTICE, "scenarios/fog/solo.scenario", "scenarios/chess/endgame.scenario"] {
        let h = drawing(file);
        let name = file.rsplit(['/', '.']).nth(1).unwrap();
        insta::assert_snapshot!(
            format!("draw_{name}"),
            h.state().panes.draw.data().expect("something is shown").to_text()
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
    let set = EditSet::from_edit("type", Edit::new("scenarios/isle/mine.scenario", at..at + 1, "s"));
    let since = h.state().document.revision();
    h.state_mut().carry_out(command::apply_edits(since, set));
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
        (Tool::Brush, 2, Symmetry::Off),
        (Tool::Brush, 1, Symmetry::WestEast),
        (Tool::Fill, 1, Symmetry::Off),
        (Tool::Replace, 1, Symmetry::Off),
        (Tool::Erase, 1, Symmetry::Half),
    ] {
        let hand = &mut h.state_mut().panes.draw.hand;
        (hand.tool, hand.size, hand.symmetry, hand.sign) = (tool, size, symmetry, "s".into());
        h.run_steps(2);
        let board = h.state().panes.draw.data().unwrap().drawing.boards[0].clone();
        let at = Spot::new(1, 1);
        let preview = h.state().panes.draw.hand.proposed_strokes(&board, at);
        assert!(!preview.is_empty());
        cell(&h, "B2").click();
        h.run_steps(4);
        let now = &h.state().panes.draw.data().unwrap().drawing.boards[0];
        for s in board.lattice.spots() {
            let want = preview.get(&s).map_or(board.sign_at(s), |p| Some(&**p));
            assert_eq!(now.sign_at(s), want, "{tool:?} at {}", s.name());
        }
    }
}

#[test]
fn a_piece_is_moved_and_turned() {
    let mut h = own("squares", SQUARE);
    h.state_mut().panes.draw.hand.selection = [to_spot((1, 1)), to_spot((2, 1)), to_spot((2, 2))].into();
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
    h.state_mut().carry_out(command::apply_edits(
        since,
        EditSet::from_edit("break", Edit::new(file, end..end + 3, "")),
    ));
    h.run_steps(3);
    assert!(shows(&h, "Drawing is possible again when this can be read"), "it says so");
    assert!(shows(&h, "A1: g, grass"), "the last good view stays");
    let before = mine(&h).to_string();
    cell(&h, "A1").click();
    h.run_steps(3);
    assert_eq!(mine(&h), before);
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    h.run_steps(4);
    assert!(!shows(&h, "Drawing is possible again"));
    // A rule that cannot be read is no reason to stop.
    let game = "rules/isle/isle.rules";
    let at = text(&h, game).find("round once").unwrap();
    let since = h.state().document.revision();
    h.state_mut().carry_out(command::apply_edits(
        since,
        EditSet::from_edit("break", Edit::new(game, at..at, "rule x( = 3\n")),
    ));
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
    assert!(shows(&h, "C3: q, which no legend explains. Wrong: no legend explains the sign `q`"));
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
fn what_the_game_asks_of_its_scenarios_lies_on_the_map() {
    let game = "game Isle \"Isle\" { players 2; outcome win }\nenum Ground { grass, sand, sea }\nmap Land squares\n\
        space Cell on Land { ground: Ground = grass }\nlegend Land { g: grass; s: sand; w: sea }\n\
        invariant \"sand lies at the sea\" { every(c in Cell where sand: any(d in neighbours(c): d.ground == sea)) }\n\
        round once { }\n";
    let scenario =
        "scenario mine \"Mine\" for Isle {\n  map Land \"\"\"\n    g s w\n    g g s\n  \"\"\"\n}\n";
    let file = "scenarios/isle/mine.scenario";
    let mut h = window(app(vec![
        ("rules/isle/isle.rules".into(), game.to_string()),
        (file.into(), scenario.to_string()),
    ]));
    h.state_mut().carry_out(Command::Show(Pane::Draw));
    open(&mut h, file);
    h.run_steps(4);
    assert!(!shows(&h, "1 finding"));
    // The sea at C2 becomes grass: what it kept wet lies dry.
    h.get_by_label_contains("Sign g: ").click();
    h.run_steps(2);
    cell(&h, "C2").click();
    h.run_steps(6);
    assert!(shows(&h, "“sand lies at the sea” does not hold where it begins"));
    assert!(shows(&h, "B2: s, sand. Wrong: “sand lies at the sea”"), "the space says so");
    assert!(shows(&h, "1 finding") && shows(&h, "Show C1"));
    h.get_by_label("Go to the text").click();
    h.run_steps(3);
    assert_eq!(&*h.state().here().unwrap().file, "rules/isle/isle.rules");
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    h.run_steps(6);
    open(&mut h, file);
    h.run_steps(4);
    assert!(!shows(&h, "1 finding"), "it is taken back");
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
    assert!(was.lattice.spots().all(|s| was.sign_at(s) == now.sign_at(s)));
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

/// A map of 40 by 40 of two signs.
pub fn forty(hex: bool) -> String {
    let row = |r: usize| {
        let signs: Vec<&str> = (0..40).map(|c| if (c * r).rem_euclid(3) == 0 { "s" } else { "g" }).collect();
        format!("    {}{}\n", if hex && r % 2 == 1 { " " } else { "" }, signs.join(" "))
    };
    (0..40).rev().map(row).collect()
}

#[test]
fn a_large_map_is_shown_whole() {
    for (name, hex) in [("squares", false), ("hexes", true)] {
        let h = own(name, &forty(hex));
        let canvas = h.query_all_by_role(egui::accesskit::Role::Canvas).next().expect("the map").rect();
        assert_eq!(h.query_all_by_role(egui::accesskit::Role::Cell).count(), 1600, "{name}");
        let (first, last) = (cell(&h, "A40").rect(), cell(&h, "AN1").rect());
        let wide = last.width();
        assert!((first.width() - wide).abs() < 0.5, "no place is cut: {first:?} {last:?}");
        assert!(canvas.contains_rect(first) && canvas.contains_rect(last), "{name}: {canvas:?}");
        // As large as there is room for.
        let (rows, columns) = (last.bottom() - first.top(), last.right() - first.left());
        assert!(
            rows > canvas.height() - 80.0 || columns > canvas.width() - 80.0,
            "{name}: {rows} {columns} in {canvas:?}"
        );
    }
}

/// How long a frame takes while a stroke is drawn on a map of 40 by 40, all of which is shown. A measurement, not a test:
/// `cargo test --release -p houserule-editor --test ui frames -- --ignored --nocapture --test-threads 1`.
#[test]
#[ignore = "a measurement"]
fn frames_while_dragging_on_forty_by_forty() {
    for (name, hex) in [("squares", false), ("hexes", true)] {
        let mut h = own(name, &forty(hex));
        let (from, to) = (place(&h, "B2"), place(&h, "AM39"));
        h.get_by_label_contains("Sign s: ").click();
        h.run_steps(2);
        let mut series = Series::default();
        for _ in 0..frames::TURNS {
            let before = mine(&h).to_string();
            h.drag_at(from);
            h.run_steps(2);
            series.begin();
            for k in 1..=60 {
                h.hover_at(from + (to - from) * (k as f32 / 60.0));
                series.frame(|| h.run_steps(1));
            }
            let stroke = h.state().panes.draw.hand.stroke.as_ref().expect("a stroke is being drawn");
            assert!(stroke.spots.len() >= 38, "from B2 to AM39");
            h.drop_at(to);
            h.run_steps(4);
            let drawn = picture(&h).iter().map(|l| l.matches('s').count()).sum::<usize>();
            assert!(drawn > forty(hex).matches('s').count(), "it is written");
            h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
            h.run_steps(4);
            assert_eq!(mine(&h), before, "and taken back, for the next");
        }
        series.print(&format!("A stroke over 40 by 40 {name}"));
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
    h.state_mut().panes.draw.hand.selection = [to_spot((0, 0)), to_spot((1, 0))].into();
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
    assert!(shows(&h, "Land has no sign that means exactly nothing"));
}

#[test]
fn a_new_scenario_is_followed_as_soon_as_it_has_been_read() {
    // The check of the game with the new file takes a while.
    let mut h = own("squares", SQUARE);
    h.state_mut().jobs = houserule_editor::jobs::Jobs::on_demand();
    let name = "scenarios/isle/other.scenario";
    let text = "scenario other \"Other\" for Isle {\n  map Land \"\"\"\n    s\n  \"\"\"\n}\n";
    let create = Command::Create { label: "new".into(), name: name.into(), text: text.into() };
    h.state_mut().carry_out(create);
    for _ in 0..4 {
        h.step();
    }
    assert_eq!(h.state().open_file().as_deref(), Some(name));
    assert_eq!(
        h.state().panes.draw.sheet(),
        Some(&SheetId::Scenario("mine".into())),
        "nothing else is known"
    );
    h.state().jobs.run();
    h.run_steps(3);
    assert_eq!(h.state().panes.draw.sheet(), Some(&SheetId::Scenario("other".into())));
    assert!(shows(&h, "A1: s, sand") && !shows(&h, "B1: "));
}

#[test]
fn a_stroke_lies_over_the_map_until_the_texts_have_been_read_with_it() {
    let mut h = own("squares", SQUARE);
    let jobs = houserule_editor::jobs::Jobs::on_demand();
    h.state_mut().jobs = jobs.clone();
    // Something is typed elsewhere, and is being read when the stroke is drawn.
    let since = h.state().document.revision();
    let typed = EditSet::from_edit("type", Edit::new("rules/isle/isle.rules", 0..0, "# so\n"));
    h.state_mut().carry_out(command::apply_edits(since, typed));
    h.run_steps(2);
    h.state_mut().panes.draw.hand.sign = "s".into();
    h.state_mut().panes.draw.hand.selection = [to_spot((0, 0))].into();
    h.state_mut().carry_out(Command::Draw(Act::PaintSelection));
    h.run_steps(2);
    assert_eq!(picture(&h)[2], "s  g  g  g", "it is written");
    assert_eq!(h.state().panes.draw.written_strokes().len(), 1);
    // What comes back first knows nothing of it.
    jobs.run();
    h.run_steps(2);
    assert!(shows(&h, "A1: g, grass"));
    assert_eq!(h.state().panes.draw.written_strokes().len(), 1, "it does not go and come again");
    jobs.run();
    h.run_steps(2);
    assert!(shows(&h, "A1: s, sand") && h.state().panes.draw.written_strokes().is_empty());
}

#[test]
fn a_stroke_that_was_refused_lies_over_nothing() {
    let mut h = own("squares", SQUARE);
    let jobs = houserule_editor::jobs::Jobs::on_demand();
    h.state_mut().jobs = jobs.clone();
    let paint = |h: &mut Harness<'_, App>, at: (u32, u32), sign: &str| {
        h.state_mut().panes.draw.hand.sign = sign.into();
        h.state_mut().panes.draw.hand.selection = [to_spot(at)].into();
        h.state_mut().carry_out(Command::Draw(Act::PaintSelection));
        h.run_steps(2);
    };
    let over = |h: &Harness<'_, App>| h.state().panes.draw.written_strokes();
    paint(&mut h, (0, 0), "s");
    paint(&mut h, (1, 0), "s");
    let both: Vec<_> = over(&h).keys().copied().collect();
    assert_eq!(both, [to_spot((0, 0)), to_spot((1, 0))], "the first is not read yet, either");
    // What is planned on the texts that were read does not fit there any more.
    paint(&mut h, (0, 0), ".");
    assert!(shows(&h, "was changed there in the meantime"));
    assert_eq!(picture(&h)[2], "s  s  g  g");
    assert!(over(&h).values().all(|sign| &**sign == "s"), "{:?}", over(&h));
    for _ in 0..3 {
        jobs.run();
        h.run_steps(2);
    }
    assert!(shows(&h, "A1: s, sand") && shows(&h, "B1: s, sand") && over(&h).is_empty());
}

#[test]
fn a_map_fits_the_room_that_is_left_when_all_beside_it_is_shown() {
    // Findings below the map take room that they did not have in the first frame.
    let tall: String = (0..16).map(|_| "    q  g\n").collect();
    let mut h = own("squares", "    g\n");
    h.set_size(egui::vec2(1400.0, 700.0));
    h.run_steps(3);
    let text = format!(
        "scenario other \"Other\" for Isle {{\n  nonsense = 1\n  rubbish = 2\n  trash = 3\n  map Land \"\"\"\n{tall}  \"\"\"\n}}\n"
    );
    let name = "scenarios/isle/other.scenario";
    h.state_mut().carry_out(Command::Create { label: "new".into(), name: name.into(), text });
    h.run_steps(6);
    let canvas = h.query_all_by_role(egui::accesskit::Role::Canvas).next().expect("the map").rect();
    let (first, last) = (cell(&h, "A16").rect(), cell(&h, "B1").rect());
    assert!((first.height() - last.height()).abs() < 0.5, "none is cut: {first:?} {last:?}");
    assert!(first.height() <= (canvas.height() - 22.0) / 16.0 + 0.1, "{first:?} in {canvas:?}");
    // Once it fits it stays as large as it is, whatever comes and goes beside it.
    h.state_mut().panes.draw.hand.tool = Tool::Select;
    let fix = EditSet::from_edit("mend", Edit::new(name, 0..0, "# so\n"));
    let since = h.state().document.revision();
    h.state_mut().carry_out(command::apply_edits(since, fix));
    h.run_steps(4);
    assert_eq!(cell(&h, "B8").rect().width(), first.width());
}

/// Two scenarios, of which one may be built on two others.
fn several() -> Harness<'static, App> {
    let game = "game Isle \"Isle\" { players 2; outcome win }\nenum Ground { grass, sand }\nmap Land squares\n\
                space Cell on Land { ground: Ground = grass }\nlegend Land { g: grass; s: sand }\n\
                option long \"A long game\": bool = no\noption turns \"How many turns\": 1..20 = 8\n\
                part small for Isle { turns = 3\n  map Land \"\"\"\n    g  g\n  \"\"\"\n}\n\
                part large for Isle { turns = 9\n  map Land \"\"\"\n    s  s  s\n  \"\"\"\n}\nround once { }\n";
    let texts: Vec<(Arc<str>, String)> = vec![
        ("rules/isle/isle.rules".into(), game.to_string()),
        (
            "scenarios/isle/mine.scenario".into(),
            "scenario mine \"Mine\" for Isle with small or large {\n  setup { # begin\n    A1.ground = sand # dry\n  }\n}\n".into(),
        ),
        ("scenarios/isle/other.scenario".into(), "scenario other \"Other\" for Isle with small {\n}\n".into()),
        ("scenarios/isle/third.scenario".into(), "scenario third \"Third\" for Isle with large {\n}\n".into()),
    ];
    let mut h = window(app(texts));
    h.state_mut().carry_out(Command::Show(Pane::Draw));
    open(&mut h, "scenarios/isle/mine.scenario");
    h.run_steps(3);
    h
}

#[test]
fn of_several_on_which_it_may_be_built_one_is_chosen() {
    let mut h = several();
    assert!(shows(&h, "B1: g, grass") && !shows(&h, "C1: "));
    h.get_by_role_and_label(egui::accesskit::Role::ComboBox, "as built on").click();
    h.run_steps(3);
    h.get_by_label("large").click();
    h.run_steps(4);
    assert!(shows(&h, "C1: s, sand"), "the other is drawn");
    h.get_by_label("Form").click();
    h.run_steps(3);
    assert!(shows(&h, "How many turns, inherited"));
    assert_eq!(
        h.state()
            .panes
            .draw
            .data()
            .unwrap()
            .drawing
            .fields
            .iter()
            .find(|f| f.label == "How many turns")
            .unwrap()
            .text,
        "9"
    );
    // Whoever works on stays with it.
    open(&mut h, "scenarios/isle/mine.scenario");
    assert!(shows(&h, "C1: s, sand"));
    h.check_accessibility();
}

#[test]
fn a_field_is_set_in_several_scenarios_at_once() {
    let mut h = several();
    let before = h.state().document.texts().clone();
    h.get_by_label("Form").click();
    h.run_steps(3);
    h.get_by_label("Set in other scenarios, too").click();
    h.run_steps(20);
    // A box, not the line of the list of files.
    h.get_by_role_and_label(egui::accesskit::Role::CheckBox, "Third").click();
    h.run_steps(3);
    assert!(shows(&h, "Set in 1 other scenario, too"));
    // The turns differ: here 3, there 9.
    assert!(shows(&h, "other in 1 of 1"));
    h.get_by_label("A long game, default").click();
    h.run_steps(4);
    for (f, set) in [("mine", true), ("other", false), ("third", true)] {
        let text = h.state().document.text(&format!("scenarios/isle/{f}.scenario")).unwrap();
        assert_eq!(text.contains("long = yes"), set, "{f}: {text}");
    }
    assert!(shows(&h, "set A long game of 2 scenarios to yes"));
    assert!(shows(&h, "A long game, set here"));
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    h.run_steps(4);
    assert_eq!(*h.state().document.texts(), before, "one step");
    h.check_accessibility();
}

#[test]
fn a_declaration_is_written_anew_and_its_remarks_stay() {
    let mut h = several();
    h.get_by_label("Form").click();
    h.run_steps(3);
    h.get_by_label("Edit: setup { # begin").click();
    h.run_steps(3);
    let field = h.get_by_label("The declaration");
    assert_eq!(
        field.accesskit_node().value().as_deref(),
        Some("setup { # begin\n    A1.ground = sand # dry\n  }")
    );
    field.focus();
    h.run_steps(2);
    h.key_press_modifiers(Modifiers::COMMAND, Key::A);
    h.run_steps(2);
    h.event(egui::Event::Text("setup { A1.ground = grass }".into()));
    h.run_steps(2);
    h.get_by_label("Write it").click();
    h.run_steps(4);
    assert!(mine(&h).contains("  setup { # begin\n    A1.ground = grass # dry\n  }\n"), "{}", mine(&h));
    assert!(h.query_by_label("The declaration").is_none());
    h.check_accessibility();
}

#[test]
fn the_tools_stand_in_one_row_however_narrow_the_pane() {
    for wide in [1400.0, 1100.0, 900.0] {
        let mut h = own("squares", SQUARE);
        h.set_size(egui::vec2(wide, 800.0));
        h.run_steps(4);
        let tools: Vec<egui::Rect> = Act::ALL
            .iter()
            .filter(|a| matches!(a, Act::Take(_)))
            .map(|a| h.get_by_role_and_label(egui::accesskit::Role::Button, a.info().name).rect())
            .collect();
        assert_eq!(tools.len(), 10);
        assert!(tools.iter().all(|r| (r.top() - tools[0].top()).abs() < 1.0), "{wide}: {tools:?}");
        assert!(tools.windows(2).all(|w| w[0].right() <= w[1].left()), "{wide}: {tools:?}");
        // A name stands beside its field.
        let label = h.get_all_by_label("Symmetry").next().unwrap().rect();
        assert!(label.width() > 10.0);
    }
}

#[test]
fn a_resize_tells_what_it_renames_elsewhere() {
    let mut h = own("squares", SQUARE);
    let file = "scenarios/isle/mine.scenario";
    let end = mine(&h).len();
    let test = "test \"names\" on mine with Ann, Bo { expect A1.ground == grass }\n";
    let since = h.state().document.revision();
    h.state_mut()
        .carry_out(command::apply_edits(since, EditSet::from_edit("test", Edit::new(file, end..end, test))));
    h.run_steps(3);
    h.get_by_role_and_label(egui::accesskit::Role::Button, "Size").click();
    h.run_steps(3);
    h.get_by_label("Rows in the south").set_value_accesskit(1.0);
    h.run_steps(4);
    assert!(shows(&h, "1 place elsewhere changes with it, in the same step:"));
    assert!(shows(&h, "scenarios/isle/mine.scenario:9: A1 → A2"));
    let steps = h.state().document.history().done.len();
    h.get_by_label("Resize").click();
    h.run_steps(4);
    assert!(mine(&h).contains("expect A2.ground == grass"));
    assert_eq!(h.state().document.history().done.len(), steps + 1);
}

#[test]
fn every_tool_is_taken_and_used_by_keyboard() {
    let mut h = own("squares", "    g  g  g  g\n    g  g  g  g\n    g  g  g  s\n");
    focus(&mut h);
    h.state_mut().panes.draw.hand.sign = "s".into();
    let before = mine(&h).to_string();
    let back = |h: &mut Harness<'_, App>| {
        h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        h.run_steps(4);
        assert_eq!(mine(h), before);
    };
    // A line from the north-west corner to the south-east; a frame about all of it.
    let across = [Key::ArrowRight, Key::ArrowRight, Key::ArrowDown, Key::ArrowDown];
    for (tool, want) in [
        (Key::L, ["s  g  g  g", "g  s  g  g", "g  g  s  s"]),
        (Key::O, ["s  s  s  g", "s  g  s  g", "s  s  s  s"]),
        (Key::R, ["s  s  s  g", "s  s  s  g", "s  s  s  s"]),
    ] {
        press(&mut h, &[tool, Key::Space]);
        press(&mut h, &across);
        press(&mut h, &[Key::Space]);
        assert_eq!(picture(&h), want, "{tool:?}");
        back(&mut h);
        press(&mut h, &[Key::ArrowLeft, Key::ArrowLeft, Key::ArrowUp, Key::ArrowUp]);
    }
    // What hangs together and is alike; all that is alike, wherever it is.
    press(&mut h, &[Key::F, Key::Space]);
    assert_eq!(picture(&h), ["s  s  s  s"; 3]);
    back(&mut h);
    h.state_mut().panes.draw.hand.sign = "g".into();
    press(&mut h, &[Key::ArrowRight, Key::ArrowRight, Key::ArrowRight, Key::ArrowDown, Key::ArrowDown]);
    press(&mut h, &[Key::A, Key::Space]);
    assert_eq!(picture(&h), ["g  g  g  g"; 3]);
    back(&mut h);
    // The sign of a place is taken up, and a larger brush put down.
    press(&mut h, &[Key::I, Key::Space]);
    assert_eq!(&*h.state().panes.draw.hand.sign, "s");
    press(&mut h, &[Key::B, Key::CloseBracket, Key::Space]);
    assert_eq!(h.state().panes.draw.hand.size, 2);
    assert_eq!(picture(&h), ["g  g  g  g", "g  g  g  s", "g  g  g  s"], "as far as there is a map");
    back(&mut h);
    // By chance: only with signs that have a weight, and another chance each time.
    press(&mut h, &[Key::OpenBracket, Key::W, Key::Space]);
    assert!(shows(&h, "Give some signs a weight in the palette first"));
    h.get_by_label("Weight of s").set_value_accesskit(1.0);
    h.run_steps(3);
    assert_eq!(h.state().panes.draw.hand.weights, [("s".into(), 1)]);
    focus(&mut h);
    // What was taken back led there.
    press(&mut h, &[Key::Space]);
    assert_eq!(picture(&h)[1], "g  g  g  s");
    back(&mut h);
    press(&mut h, &[Key::E, Key::Space]);
    assert_eq!(picture(&h)[1], "g  g  g  .");
}

/// Names of rows stand in The FOG's legend before its terrain; what is painted comes first all the same.
#[test]
fn the_palette_begins_with_terrain() {
    let mut h = window(app(crate::support::shipped()));
    h.state_mut().carry_out(Command::Show(Pane::Draw));
    open(&mut h, "scenarios/fog/xappalo.scenario");
    h.run_steps(3);
    let data = h.state().panes.draw.data().expect("the bay is drawn");
    let says: Vec<&str> = data.drawing.boards[0].palette.iter().map(|e| &*e.meaning.says).collect();
    assert_eq!(says[1..5], ["woods", "beach", "shore", "pier"], "{says:?}");
    let rows = says.iter().skip_while(|s| **s != "row_a").count();
    assert_eq!(rows, 15, "all rows are last: {says:?}");
}

/// A map whose legend says nothing: a click writes a sign, which then paints.
#[test]
fn an_empty_palette_offers_signs() {
    let game = |attrs: &str| {
        format!(
            "game Isle \"Isle\" {{ players 2; outcome win }}\nenum Ground {{ grass, gravel }}\nmap Land squares\n\
             space Cell on Land {{ {attrs} }}\nround once {{ }}\n"
        )
    };
    let scenario = "scenario mine \"Mine\" for Isle {\n  map Land \"\"\"\n    .  .\n    .  .\n  \"\"\"\n}\n";
    let drawing = |attrs: &str| {
        let texts: Vec<(Arc<str>, String)> = vec![
            ("rules/isle/isle.rules".into(), game(attrs)),
            ("scenarios/isle/mine.scenario".into(), scenario.to_string()),
        ];
        let mut h = window(app(texts));
        h.state_mut().carry_out(Command::Show(Pane::Draw));
        open(&mut h, "scenarios/isle/mine.scenario");
        h.run_steps(3);
        h
    };
    let mut h = drawing("ground: Ground = grass; wet: bool = no");
    assert!(shows(&h, "This map has no signs yet") && shows(&h, "r: gravel") && shows(&h, "w: wet"));
    h.get_by_label("g: grass").click();
    h.run_steps(4);
    assert!(mine(&h).contains("legend Land { g: grass }"), "{}", mine(&h));
    assert!(!shows(&h, "This map has no signs yet"));
    h.get_by_label_contains("Sign g: ").click();
    h.run_steps(2);
    cell(&h, "A1").click();
    h.run_steps(4);
    assert!(mine(&h).contains("    .  .\n    g  .\n"), "{}", mine(&h));
    // Where a space has no words, the sign stands for a space alone.
    let mut h = drawing("height: 0..9 = 0");
    h.get_by_label("o: a space").click();
    h.run_steps(4);
    let app = h.state();
    let known = app.analyses.of_file(&app.document, "scenarios/isle/mine.scenario").expect("it is checked");
    assert!(known.analysis.sound, "{}: {:?}", mine(&h), known.analysis.report.findings);
    assert!(shows(&h, "Sign o: "), "{}", mine(&h));
}
