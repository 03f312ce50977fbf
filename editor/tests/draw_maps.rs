//! Maps in Draw as a whole: their size dragged at the edges, stamps, chance, layers, and the overview of large ones.
use crate::draw::{SQUARE, cell, forty, mine, own, picture, place};
use crate::support::frames::{self, Series};
use crate::support::{app, fills, open, shows, window};
use egui::accesskit::Role;
use egui::{Key, Modifiers, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use houserule_editor::App;
use houserule_editor::command::{self, Command};
use houserule_editor::panels::Pane;
use houserule_editor::panels::draw::{Act, Tool, to_spot};
use houserule_editor::settings::Stamp;

const HEXES: &str = "    g   g   s   g\n      g   s   s   g\n    g   g   g   g\n";

/// Takes the grip of a side and drags it by so many spaces to the east and to the south, without letting go.
fn drag_side(h: &mut Harness<'_, App>, side: &str, east: f32, south: f32) -> Pos2 {
    let from = h.get_by_role_and_label(Role::Splitter, &format!("Drag the {side} side of the map")).rect();
    let (a, b) = (cell(h, "A1").rect(), cell(h, "B1").rect());
    let to = from.center() + egui::vec2(east, south) * (b.center().x - a.center().x);
    h.drag_at(from.center());
    h.run_steps(2);
    for k in 1..=4 {
        h.hover_at(from.center() + (to - from.center()) * (k as f32 / 4.0));
        h.run_steps(1);
    }
    to
}

fn undo(h: &mut Harness<'_, App>) {
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    h.run_steps(4);
}

#[test]
fn a_side_that_is_dragged_shows_the_new_size_and_writes_it_when_let_go() {
    let mut h = own("squares", SQUARE);
    let before = mine(&h).to_string();
    let steps = h.state().document.history().done.len();
    let to = drag_side(&mut h, "east", 2.1, 0.0);
    assert!(shows(&h, "6 columns by 3 rows") && shows(&h, "now 4 by 3"));
    assert!(!shows(&h, "lost"), "it only grows");
    assert_eq!(mine(&h), before, "nothing is written yet");
    let last = cell(&h, "D1").rect();
    let canvas = h.query_all_by_role(Role::Canvas).next().expect("the map").rect();
    assert!(last.right() + 2.0 * last.width() <= canvas.right(), "all of the new size is seen");
    h.drop_at(to);
    h.run_steps(4);
    assert_eq!(picture(&h), ["g  g  s  g  .  .", "g  s  s  g  .  .", "g  g  g  g  .  ."]);
    assert_eq!(h.state().document.history().done.len(), steps + 1, "one step");
    assert!(shows(&h, "resize Land: +2 east") && !shows(&h, "6 columns by 3 rows"));
    // It is fitted again: no space is cut at the edge of the canvas.
    let (first, last) = (cell(&h, "C1").rect(), cell(&h, "F1").rect());
    assert!((first.width() - last.width()).abs() < 0.5, "{first:?} {last:?}");
    undo(&mut h);
    assert_eq!(mine(&h), before);
    h.check_accessibility();
}

#[test]
fn a_corner_moves_two_sides() {
    let mut h = own("squares", SQUARE);
    let to = drag_side(&mut h, "north-west", -1.0, 1.0);
    assert!(shows(&h, "5 columns by 2 rows"));
    h.drop_at(to);
    h.run_steps(4);
    assert_eq!(picture(&h), [".  g  s  s  g", ".  g  g  g  g"]);
}

#[test]
fn what_a_smaller_map_loses_is_told_and_escape_keeps_it() {
    let mut h = own("squares", SQUARE);
    let before = mine(&h).to_string();
    let to = drag_side(&mut h, "east", -1.9, 0.0);
    assert!(shows(&h, "2 columns by 3 rows") && shows(&h, "6 spaces are lost:"));
    assert!(h.query_all_by_label("C3: s, sand").count() == 2, "on the map and in the list");
    h.key_press(Key::Escape);
    h.run_steps(2);
    assert!(!shows(&h, "2 columns by 3 rows") && shows(&h, "The map keeps its size"));
    h.hover_at(to);
    h.run_steps(2);
    h.drop_at(to);
    h.run_steps(4);
    assert_eq!(mine(&h), before, "it was let go of before the pointer came up");
    // The next stroke paints as ever.
    h.get_by_label_contains("Sign s: ").click();
    h.run_steps(2);
    cell(&h, "A1").click();
    h.run_steps(4);
    assert_eq!(picture(&h)[2], "s  g  g  g");
}

/// A row below moves every second row by one place, so that the hexes keep their neighbours: the map becomes wider, and the preview says so.
#[test]
fn hexes_keep_their_neighbours_while_a_row_is_dragged_below() {
    let mut h = own("hexes", HEXES);
    let to = drag_side(&mut h, "south", 0.0, 0.9);
    let said = h.query_all_by_label_contains("columns by 4 rows").next().expect("the size is told");
    assert!(shows(&h, "5 columns by 4 rows"), "{said:?}");
    assert!(!shows(&h, "lost"), "nothing is cut");
    h.drop_at(to);
    h.run_steps(4);
    let board = &h.state().panes.draw.data().expect("it is drawn").drawing.boards[0];
    assert_eq!((board.lattice.columns, board.lattice.rows), (5, 4), "as the preview said");
    let sand = board.cells.iter().filter(|c| c.sign.as_deref() == Some("s")).map(|c| c.at);
    let sand: Vec<_> = sand.collect();
    let beside = |a, b| board.lattice.distance(a, b) == 1;
    assert!(sand.len() == 3 && sand.iter().all(|a| sand.iter().all(|b| a == b || beside(*a, *b))));
}

#[test]
fn a_map_whose_size_is_declared_is_not_dragged_in_a_scenario() {
    let grips = |h: &Harness<'_, App>| h.query_all_by_label_contains("side of the map").count();
    let h = own("squares 4 by 3", SQUARE);
    assert!(cell(&h, "D3").rect().is_positive());
    assert_eq!(grips(&h), 0);
    assert_eq!(grips(&own("squares", SQUARE)), 8);
}

/// Selects a rectangle by its corners.
fn select(h: &mut Harness<'_, App>, from: (u32, u32), to: (u32, u32)) {
    let all = (from.0..=to.0).flat_map(|c| (from.1..=to.1).map(move |r| to_spot((c, r))));
    h.state_mut().panes.draw.hand.selection = all.collect();
    h.run_steps(2);
}

fn tab(h: &mut Harness<'_, App>, name: &str) {
    h.get_by_role_and_label(Role::Button, name).click();
    h.run_steps(3);
}

/// Keeps what is selected under a name.
fn keep_stamp(h: &mut Harness<'_, App>, name: &str) {
    fills(h, "Name of the stamp", name);
    h.get_by_label("Keep").click();
    h.run_steps(3);
}

#[test]
fn a_selection_is_kept_under_a_name_and_put_down_by_a_click() {
    let mut h = own("squares", SQUARE);
    let before = h.state().document.texts().clone();
    tab(&mut h, "Stamps");
    assert!(shows(&h, "select it with the tool Select") && h.query_by_label("Keep").is_none());
    select(&mut h, (1, 1), (2, 2));
    keep_stamp(&mut h, "hut");
    assert!(shows(&h, "The stamp hut is kept") && shows(&h, "Stamp hut"));
    assert_eq!(h.state().settings.stamps[0].runs, [(0, 0, "s s".into()), (0, 1, "g s".into())]);
    assert_eq!(*h.state().document.texts(), before, "no text of the game is touched");
    fills(&mut h, "Name of the stamp", "hut");
    assert!(shows(&h, "There is a stamp hut already."));
    // What hangs at the pointer is what is written.
    h.get_by_label("Stamp hut").click();
    h.run_steps(3);
    h.hover_at(place(&h, "A1"));
    h.run_steps(3);
    let hand = &h.state().panes.draw.hand;
    let board = &h.state().panes.draw.data().expect("it is drawn").drawing.boards[0];
    assert_eq!(hand.proposed_strokes(board, to_spot((0, 0))).len(), 4);
    cell(&h, "A1").click();
    h.run_steps(4);
    assert_eq!(picture(&h), ["g  g  s  g", "g  s  s  g", "s  s  g  g"]);
    assert!(shows(&h, "stamp hut at"));
    // It stays in the hand until Escape.
    cell(&h, "C1").click();
    h.run_steps(4);
    assert_eq!(picture(&h), ["g  g  s  g", "g  s  g  s", "s  s  s  s"]);
    h.key_press(Key::Escape);
    h.run_steps(2);
    assert!(h.state().panes.draw.hand.held.is_none());
    undo(&mut h);
    undo(&mut h);
    assert_eq!(*h.state().document.texts(), before, "a stroke is a step");
    h.check_accessibility();
}

#[test]
fn stamps_are_renamed_removed_and_put_back() {
    let mut h = own("squares", SQUARE);
    tab(&mut h, "Stamps");
    for (name, at) in [("hut", (0, 0)), ("well", (2, 2))] {
        select(&mut h, at, at);
        keep_stamp(&mut h, name);
    }
    let names = |h: &Harness<'_, App>| -> Vec<String> {
        h.state().settings.stamps.iter().map(|s| s.name.clone()).collect()
    };
    h.get_by_label("Rename hut").click();
    h.run_steps(3);
    h.key_press_modifiers(Modifiers::COMMAND, Key::A);
    h.run_steps(2);
    h.event(egui::Event::Text("inn".into()));
    h.run_steps(2);
    h.key_press(Key::Enter);
    h.run_steps(3);
    assert_eq!(names(&h), ["inn", "well"]);
    // A name that another one has is not taken.
    h.get_by_label("Rename inn").click();
    h.run_steps(3);
    h.key_press_modifiers(Modifiers::COMMAND, Key::A);
    h.run_steps(2);
    h.event(egui::Event::Text("well".into()));
    h.run_steps(2);
    h.key_press(Key::Enter);
    h.run_steps(3);
    assert!(shows(&h, "There is a stamp well already: it keeps its name"));
    h.get_by_label("Remove inn").click();
    h.run_steps(3);
    assert_eq!(names(&h), ["well"]);
    h.get_by_label("Put inn back").click();
    h.run_steps(3);
    assert_eq!(names(&h), ["inn", "well"]);
    h.check_accessibility();
}

#[test]
fn what_a_stamp_has_and_the_legend_lacks_is_told_and_not_painted() {
    let mut h = own("squares", SQUARE);
    let stamp = |name: &str, hexes, runs: &[(i32, i32, &str)]| Stamp {
        name: name.into(),
        hexes,
        runs: runs.iter().map(|(q, r, s)| (*q, *r, s.to_string())).collect(),
    };
    h.state_mut().settings.stamps =
        vec![stamp("ruin", false, &[(0, 0, "s q s"), (0, 1, "sg")]), stamp("comb", true, &[(0, 0, "s")])];
    tab(&mut h, "Stamps");
    assert!(shows(&h, "Not painted, for no legend explains them here: q"));
    assert!(shows(&h, "It is of hexes, this map is not."));
    h.get_by_label("Stamp comb").click();
    h.run_steps(2);
    assert!(h.state().panes.draw.hand.held.is_none(), "it cannot be taken");
    h.get_by_label("Stamp ruin").click();
    h.run_steps(3);
    assert!(shows(&h, "It is put down without q: no legend explains them."));
    cell(&h, "A1").click();
    h.run_steps(4);
    assert_eq!(picture(&h), ["g  g  s  g", "sg s  s  g", "s  g  s  g"]);
}

/// Gives signs their weights in the palette, and lets all tools use them.
fn mix(h: &mut Harness<'_, App>, weights: &[(&str, f64)]) {
    h.get_by_label("Mix signs by weight").click();
    h.run_steps(3);
    for (sign, weight) in weights {
        h.get_by_label(&format!("Weight of {sign}")).set_value_accesskit(*weight);
        h.run_steps(3);
    }
}

#[test]
fn a_fill_mixes_signs_by_weight_as_the_preview_shows() {
    let rows = format!("    {}\n", ["g"; 12].join("  ")).repeat(12);
    let mut h = own("squares", &rows);
    mix(&mut h, &[("s", 3.0), (".", 1.0)]);
    h.state_mut().panes.draw.hand.tool = Tool::Fill;
    h.hover_at(place(&h, "F6"));
    h.run_steps(3);
    let draw = &h.state().panes.draw;
    let board = &draw.data().expect("it is drawn").drawing.boards[0];
    let preview = draw.hand.proposed_strokes(board, to_spot((5, 5)));
    assert_eq!(preview.len(), 144, "all that hangs together");
    let steps = h.state().document.history().done.len();
    cell(&h, "F6").click();
    h.run_steps(4);
    let drawn = |h: &Harness<'_, App>| picture(h).join(" ");
    let count = |h: &Harness<'_, App>, sign: &str| drawn(h).split_whitespace().filter(|s| *s == sign).count();
    assert_eq!((count(&h, "g"), count(&h, "s") + count(&h, ".")), (0, 144));
    assert!((90..126).contains(&count(&h, "s")), "about three of four: {}", count(&h, "s"));
    for (spot, sign) in preview {
        let row = picture(&h)[11 - spot.row as usize]
            .split_whitespace()
            .nth(spot.column as usize)
            .map(String::from);
        assert_eq!(row.as_deref(), Some(&*sign), "{}", spot.name());
    }
    assert_eq!(h.state().document.history().done.len(), steps + 1);
    assert!(shows(&h, "fill by chance at"));
    // Another stroke has another chance; what is selected is painted in the same way.
    let first = drawn(&h);
    undo(&mut h);
    h.state_mut().carry_out(Command::Draw(Act::SelectAll));
    h.state_mut().carry_out(Command::Draw(Act::PaintSelection));
    h.run_steps(4);
    assert_eq!(count(&h, "g"), 0);
    assert_ne!(drawn(&h), first);
}

#[test]
fn a_brush_mixes_signs_and_without_weights_it_asks_for_them() {
    let mut h = own("squares", SQUARE);
    let before = mine(&h).to_string();
    mix(&mut h, &[]);
    tab(&mut h, "Size");
    cell(&h, "A1").click();
    h.run_steps(4);
    assert!(shows(&h, "Give some signs a weight in the palette first") && shows(&h, "Weight of s"));
    assert_eq!(mine(&h), before);
    h.get_by_label("Weight of s").set_value_accesskit(2.0);
    h.run_steps(3);
    cell(&h, "A1").click();
    h.run_steps(4);
    assert_eq!(picture(&h)[2], "s  g  g  g", "the only sign that has a weight");
    // Erasing is never mixed.
    h.state_mut().panes.draw.hand.tool = Tool::Erase;
    cell(&h, "A1").click();
    h.run_steps(4);
    assert_eq!(picture(&h)[2], ".  g  g  g");
    // A sign with a weight that another map lacks is left out there.
    h.state_mut().panes.draw.hand.weights = vec![("q".into(), 5)];
    h.state_mut().panes.draw.hand.tool = Tool::Brush;
    cell(&h, "B1").click();
    h.run_steps(4);
    assert_eq!(picture(&h)[2], ".  g  g  g");
    assert!(shows(&h, "Give some signs a weight in the palette first"));
    h.check_accessibility();
}

/// A game whose legend has grounds, men of two players, values and names of rows.
fn manned(picture: &str) -> Harness<'static, App> {
    let game = "game Isle \"Isle\" { players ann, bo; outcome win }\nenum Ground { grass, sand }\nmap Land squares\n\
        space Cell on Land { ground: Ground = grass; height: 0..5 = 0; wet: bool = no; slot man: Man }\n\
        piece Man of player\nMan chief x2\nMan guard x4\n\
        legend Land { g: grass; s: sand; h: height: 3; c: chief; m: guard; a: ann; b: bo; W: wet; t: sand, chief, ann; .: }\n\
        round once { }\n";
    let scenario =
        format!("# Mine.\nscenario mine \"Mine\" for Isle {{\n  map Land \"\"\"\n{picture}  \"\"\"\n}}\n");
    let texts = vec![
        ("rules/isle/isle.rules".into(), game.to_string()),
        ("scenarios/isle/mine.scenario".into(), scenario),
    ];
    let mut h = window(app(texts));
    h.state_mut().carry_out(Command::Show(Pane::Draw));
    open(&mut h, "scenarios/isle/mine.scenario");
    h.run_steps(3);
    h
}

/// Ticks or unticks a layer.
fn toggle(h: &mut Harness<'_, App>, layer: &str) {
    h.get_all_by_role(Role::CheckBox)
        .find(|n| n.accesskit_node().label().is_some_and(|l| l.starts_with(layer)))
        .expect("the layer is listed")
        .click();
    h.run_steps(3);
}

const MANNED: &str = "    g   gh  .   g\n    gac s   t   g\n    gbm g   a   .\n";

#[test]
fn layers_are_hidden_and_shown() {
    let mut h = manned(MANNED);
    let before = mine(&h).to_string();
    tab(&mut h, "Layers");
    assert!(shows(&h, "Components (4 spaces)") && shows(&h, "Values (1 space)"));
    assert!(!shows(&h, "What rows say"), "there is none");
    toggle(&mut h, "Components");
    assert!(shows(&h, "A2: g, grass") && !shows(&h, "chief") && !shows(&h, "guard"));
    assert!(shows(&h, "C1: a space"), "of a lone player nothing is left");
    assert!(shows(&h, "C2: t, sand"), "a sign that says both is seen with what is shown");
    toggle(&mut h, "Values");
    assert!(shows(&h, "B3: g, grass"));
    assert!(shows(&h, "Hidden: Components, Values. "));
    toggle(&mut h, "Signs");
    let tile = |h: &Harness<'_, App>| h.state().panes.draw.data().expect("drawn").tiles[0][0].text.clone();
    assert_eq!(tile(&h), "gbm", "what is exported has all of it");
    h.get_by_label("Show all").click();
    h.run_steps(3);
    assert!(shows(&h, "A2: gac, grass, ann, chief") && !shows(&h, "Hidden: "));
    assert_eq!(mine(&h), before, "no text has it");
    h.check_accessibility();
}

#[test]
fn tools_leave_alone_what_is_hidden() {
    let mut h = manned(MANNED);
    tab(&mut h, "Layers");
    toggle(&mut h, "Components");
    // All that is seen as grass hangs together, with men or without; they stay where they are.
    let hand = &mut h.state_mut().panes.draw.hand;
    (hand.tool, hand.sign) = (Tool::Fill, "s".into());
    cell(&h, "A3").click();
    h.run_steps(4);
    assert_eq!(picture(&h), ["s   gh  .   g", "sac s   t   g", "sbm s   a   ."]);
    // A brush over a man; the sign that says ground and man in one cannot be split.
    let hand = &mut h.state_mut().panes.draw.hand;
    (hand.tool, hand.sign) = (Tool::Replace, "g".into());
    cell(&h, "B2").click();
    h.run_steps(4);
    assert_eq!(picture(&h), ["g   gh  .   g", "gac g   t   g", "gbm g   a   ."]);
    h.state_mut().panes.draw.hand.tool = Tool::Brush;
    cell(&h, "C2").click();
    h.run_steps(4);
    assert_eq!(picture(&h)[1], "gac g   t   g");
    assert!(shows(&h, "1 space keeps what is hidden there"));
    // Erasing takes the ground and leaves the man; what is hidden cannot be painted.
    h.state_mut().panes.draw.hand.tool = Tool::Erase;
    cell(&h, "A1").click();
    h.run_steps(4);
    assert_eq!(picture(&h)[2], "bm  g   a   .");
    let hand = &mut h.state_mut().panes.draw.hand;
    (hand.tool, hand.sign) = (Tool::Brush, "c".into());
    cell(&h, "D3").click();
    h.run_steps(4);
    assert_eq!(picture(&h)[0], "g   gh  .   g");
    // A copy has what is seen, and Pick takes that.
    select(&mut h, (0, 1), (0, 1));
    h.state_mut().carry_out(Command::Draw(Act::Copy));
    h.run_steps(2);
    cell(&h, "D1").click();
    h.run_steps(4);
    assert_eq!(picture(&h)[2], "bm  g   a   g");
    h.state_mut().carry_out(Command::Draw(Act::Take(Tool::Pick)));
    h.run_steps(2);
    h.state_mut().panes.draw.hand.sign = "s".into();
    cell(&h, "A2").click();
    h.run_steps(2);
    assert_eq!(&*h.state().panes.draw.hand.sign, "g");
    // Shown again, all of it is there.
    toggle(&mut h, "Components");
    assert!(shows(&h, "A2: gac, grass, ann, chief") && shows(&h, "A1: bm, bo, guard"));
}

/// Where the view stands: the places of the two corners that are seen.
fn seen(h: &Harness<'_, App>) -> (bool, bool) {
    let there = |name: &str| {
        let begins = format!("{name}: ");
        let mut all = h.query_all_by_role(Role::Cell);
        all.any(|n| n.accesskit_node().label().is_some_and(|l| l.starts_with(&begins)))
    };
    (there("A40"), there("AN1"))
}

#[test]
fn a_map_that_does_not_fit_has_an_overview_that_moves_the_view() {
    for (name, hex) in [("squares", false), ("hexes", true)] {
        let mut h = own(name, &forty(hex));
        let before = mine(&h).to_string();
        assert!(!shows(&h, "Overview of the map"), "all of it is seen");
        for _ in 0..6 {
            h.state_mut().carry_out(Command::Draw(Act::ZoomIn));
        }
        h.run_steps(3);
        assert_eq!(seen(&h), (false, false), "{name}");
        let rect = h.get_by_label("Overview of the map").rect();
        let canvas = h.query_all_by_role(Role::Canvas).next().expect("the map").rect();
        assert!(canvas.contains_rect(rect) && rect.width() < canvas.width() / 2.0, "{rect:?} in {canvas:?}");
        h.state_mut().panes.draw.hand.tool = Tool::Erase;
        // A click in its corner, then the pointer is dragged to the opposite one.
        h.drag_at(rect.right_bottom() - egui::vec2(3.0, 3.0));
        h.run_steps(3);
        assert_eq!(seen(&h), (false, true), "{name}");
        h.hover_at(rect.center());
        h.run_steps(2);
        assert_eq!(seen(&h), (false, false), "{name}");
        h.hover_at(rect.left_top() + egui::vec2(3.0, 3.0));
        h.run_steps(2);
        h.drop_at(rect.left_top() + egui::vec2(3.0, 3.0));
        h.run_steps(3);
        assert_eq!(seen(&h), (true, false), "{name}");
        assert_eq!(mine(&h), before, "the tool in the hand changes nothing there");
        h.state_mut().carry_out(Command::Draw(Act::Fit));
        h.run_steps(3);
        assert!(!shows(&h, "Overview of the map"));
        h.check_accessibility();
    }
}

/// How long a frame takes on a map of 40 by 40 that is moved while its overview is shown. A measurement, not a test:
/// `cargo test --release -p houserule-editor --test ui frames -- --ignored --nocapture --test-threads 1`.
#[test]
#[ignore = "a measurement"]
fn frames_beside_the_overview_of_forty_by_forty() {
    for (name, hex) in [("squares", false), ("hexes", true)] {
        let mut h = own(name, &forty(hex));
        for _ in 0..3 {
            h.state_mut().carry_out(Command::Draw(Act::ZoomIn));
        }
        h.run_steps(3);
        assert!(h.query_by_label("Overview of the map").is_some(), "it is shown");
        let mut series = Series::default();
        for _ in 0..frames::TURNS {
            series.begin();
            for k in 0..60 {
                h.state_mut().panes.draw.view().pan.x += if k % 20 < 10 { 5.0 } else { -5.0 };
                series.frame(|| h.step());
            }
        }
        series.print(&format!("40 by 40 {name}, moved beside their overview"));
    }
}

#[test]
fn no_tool_and_no_selection_moves_the_map() {
    for wide in [1600.0, 1000.0, 760.0] {
        let mut h = own("squares", SQUARE);
        h.set_size(egui::vec2(wide, 700.0));
        h.run_steps(4);
        let before = cell(&h, "A1").rect();
        for act in [Act::Take(Tool::Select), Act::SelectAll, Act::Copy, Act::Cancel] {
            h.state_mut().carry_out(Command::Draw(act));
            h.run_steps(3);
            assert_eq!(cell(&h, "A1").rect(), before, "{act:?} at {wide}");
        }
    }
    // Where the names have no room they are in a menu, and do the same.
    let mut h = own("squares", SQUARE);
    h.set_size(egui::vec2(900.0, 700.0));
    h.run_steps(4);
    select(&mut h, (0, 0), (0, 0));
    assert!(h.query_by_label("Erase selection").is_none());
    h.get_by_label("Selection").click();
    h.run_steps(3);
    h.get_by_label("Erase selection").click();
    h.run_steps(4);
    assert_eq!(picture(&h)[2], ".  g  g  g");
    h.check_accessibility();
}

#[test]
fn the_tooltip_of_a_space_leaves_the_spaces_beside_it_free() {
    let mut h = own("squares", SQUARE);
    h.hover_at(place(&h, "B2"));
    h.run_steps(8);
    let canvas = h.query_all_by_role(Role::Canvas).next().expect("the map").rect();
    let said = h
        .query_all_by_role(Role::Label)
        .filter(|n| n.accesskit_node().value().as_deref() == Some("B2: s, sand"));
    let tips: Vec<_> = said.map(|n| n.rect()).filter(|r| canvas.contains_rect(*r)).collect();
    assert_eq!(tips.len(), 1, "it is shown over the map: {tips:?}");
    for name in ["A1", "B1", "C1", "A2", "B2", "C2", "A3", "B3", "C3"] {
        assert!(!cell(&h, name).rect().shrink(1.0).intersects(tips[0]), "{:?} over {name}", tips[0]);
    }
}

#[test]
fn a_map_is_fitted_again_when_its_room_becomes_less_high() {
    let tall = format!("    {}\n", "g").repeat(16);
    let mut h = own("squares", &tall);
    let whole = |h: &Harness<'_, App>| {
        let canvas = h.query_all_by_role(Role::Canvas).next().expect("the map").rect();
        let (first, last) = (cell(h, "A16").rect(), cell(h, "A1").rect());
        assert!((first.height() - last.height()).abs() < 0.5, "none is cut: {first:?} {last:?}");
        assert!(
            canvas.contains_rect(first) && canvas.contains_rect(last),
            "{first:?} {last:?} in {canvas:?}"
        );
        last.height()
    };
    let large = whole(&h);
    // The list of findings opens below all panes: the window and the pane's width stay.
    h.state_mut().carry_out(Command::Do(command::Act::ShowFindings));
    h.run_steps(6);
    let small = whole(&h);
    assert!(small < large, "{small} {large}");
    h.state_mut().carry_out(Command::Do(command::Act::ShowFindings));
    h.run_steps(6);
    assert!(whole(&h) >= small);
    // Somebody who has zoomed in keeps what they see.
    h.state_mut().carry_out(Command::Draw(Act::ZoomIn));
    h.run_steps(3);
    let zoomed = h.state_mut().panes.draw.view().scale;
    h.state_mut().carry_out(Command::Do(command::Act::ShowFindings));
    h.run_steps(6);
    assert_eq!(h.state_mut().panes.draw.view().scale, zoomed);
}
