//! Write: typing, undo, what helps to write, by keyboard and by label.
use crate::support::{app, app_with, open, shipped, shows, window};
use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use houserule::ide::{Analysis, Edit, EditSet, Insert, plan_insert};
use houserule::shipped::Template;
use houserule_editor::App;
use houserule_editor::command::write::Act;
use houserule_editor::command::{self, Command};
use houserule_editor::document::{Document, TextPlace};
use houserule_editor::jobs::Jobs;
use std::sync::Arc;

const RULES: &str = "game Small \"A small game\" { players 2; outcome win }\n\ntable {\n  ## How hard it blows.\n  wind: 0..9 = 1\n}\nvalue double: int = wind + wind\nround once {\n  say \"{double}\"\n}\n";
const FILE: &str = "rules/small/small.rules";
const CALM: &str = "scenario calm \"Calm\" for Small { setup { wind = 0 } }\n";

fn small() -> Harness<'static, App> {
    let texts =
        vec![(FILE.into(), RULES.to_string()), ("scenarios/small/calm.scenario".into(), CALM.to_string())];
    let mut h = window(app(texts));
    open(&mut h, FILE);
    h
}

fn text(h: &Harness<App>) -> String {
    h.state().document.text(FILE).unwrap().to_string()
}

/// The caret behind the first place of a text.
fn at(h: &mut Harness<App>, what: &str) {
    let end = text(h).find(what).unwrap() + what.len();
    h.state_mut().carry_out(Command::GoTo(TextPlace::new(FILE, end..end)));
    h.run_steps(3);
}

fn types(h: &mut Harness<App>, text: &str) {
    for c in text.chars() {
        h.event(Event::Text(c.to_string()));
        h.run_steps(2);
    }
}

fn press(h: &mut Harness<App>, m: Modifiers, key: Key) {
    h.key_press_modifiers(m, key);
    h.run_steps(3);
}

/// A touchpad's tap presses and releases within one frame.
#[test]
fn a_tap_puts_the_caret_there() {
    let mut h = small();
    at(&mut h, "wind: 0..9 = 1");
    let there = h.output().platform_output.ime.expect("the text has the keyboard").cursor_rect.center();
    at(&mut h, "game");
    h.hover_at(there);
    h.run_steps(2);
    let tap = |pressed| Event::PointerButton {
        pos: there,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    h.input_mut().events.extend([tap(true), tap(false)]);
    h.run_steps(3);
    types(&mut h, "2");
    assert!(text(&h).contains("wind: 0..9 = 12\n"), "{}", text(&h));
}

#[test]
fn what_is_typed_is_in_the_document_and_taken_back_as_one() {
    let mut h = small();
    at(&mut h, "0..9 = 1");
    types(&mut h, "23");
    assert!(text(&h).contains("0..9 = 123\n"));
    press(&mut h, Modifiers::NONE, Key::Backspace);
    assert!(text(&h).contains("0..9 = 12\n"));
    press(&mut h, Modifiers::NONE, Key::Enter);
    types(&mut h, "# so");
    assert!(text(&h).contains("0..9 = 12\n  # so\n"), "a new line is indented");
    for _ in 0..4 {
        press(&mut h, Modifiers::COMMAND, Key::Z);
    }
    assert_eq!(text(&h), RULES);
    press(&mut h, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z);
    assert!(text(&h).contains("0..9 = 123\n"));
    assert!(shows(&h, "Done again: type in small.rules"));
}

#[test]
fn a_screen_reader_is_told_the_line_and_what_is_wrong_there() {
    let mut h = small();
    at(&mut h, "double: int = win");
    types(&mut h, "g");
    press(&mut h, Modifiers::NONE, Key::Escape);
    let label = format!("Text of {FILE}");
    let node = h.get_by_label(&label);
    let told = node.accesskit_node();
    assert_eq!(told.value().as_deref(), Some("value double: int = wingd + wind"));
    assert!(told.description().unwrap().contains("line 7 of"), "{:?}", told.description());
    assert!(told.description().unwrap().contains("E0250"), "{:?}", told.description());
}

#[test]
fn completion_offers_and_takes() {
    let mut h = small();
    at(&mut h, "double: int = ");
    types(&mut h, "wi");
    assert!(shows(&h, "attribute of the table: a number 0..9"));
    press(&mut h, Modifiers::NONE, Key::Tab);
    assert!(text(&h).contains("int = windwind + wind"), "{}", text(&h));
    // A line's end is a line's end unless the list was asked for.
    at(&mut h, "windwind + wind");
    press(&mut h, Modifiers::NONE, Key::Enter);
    types(&mut h, "## do");
    press(&mut h, Modifiers::NONE, Key::Enter);
    assert!(text(&h).contains("## do\n"));
}

#[test]
fn enter_takes_what_is_offered_and_ends_a_line_behind_a_whole_word() {
    let mut h = small();
    at(&mut h, "double: int = ");
    types(&mut h, "dou");
    assert!(shows(&h, "double"));
    press(&mut h, Modifiers::NONE, Key::Enter);
    assert!(text(&h).contains("int = doublewind + wind"), "{}", text(&h));
    at(&mut h, "doublewind + ");
    types(&mut h, "wind");
    press(&mut h, Modifiers::NONE, Key::Enter);
    assert!(text(&h).contains("doublewind + wind\nwind\n"), "{}", text(&h));
}

#[test]
fn a_closing_brace_goes_below_the_line_of_its_opening_one() {
    let mut h = small();
    at(&mut h, "say \"{double}\"");
    press(&mut h, Modifiers::NONE, Key::Enter);
    types(&mut h, "if wind == 1 {");
    press(&mut h, Modifiers::NONE, Key::Enter);
    types(&mut h, "wind = 2");
    press(&mut h, Modifiers::NONE, Key::Enter);
    types(&mut h, "}");
    let all = "round once {\n  say \"{double}\"\n  if wind == 1 {\n    wind = 2\n  }\n}\n";
    assert!(text(&h).ends_with(all), "{}", text(&h));
    // In the middle of a line a brace stays where it is typed.
    at(&mut h, "wind = 2");
    types(&mut h, " }");
    assert!(text(&h).contains("    wind = 2 }\n"), "{}", text(&h));
}

#[test]
fn a_word_leads_to_its_declaration_and_its_uses() {
    let mut h = small();
    at(&mut h, "double: int = wi");
    press(&mut h, Modifiers::NONE, Key::F12);
    let place = h.state().here().unwrap().clone();
    assert_eq!(&text(&h)[place.range], "wind");
    press(&mut h, Modifiers::SHIFT, Key::F12);
    assert!(shows(&h, "Uses of wind (4)"));
    assert!(shows(&h, "scenarios/small/calm.scenario:1"));
    h.get_by_label_contains("scenarios/small/calm.scenario:1").click();
    h.run_steps(3);
    assert_eq!(&*h.state().here().unwrap().file, "scenarios/small/calm.scenario");
}

#[test]
fn a_name_is_changed_everywhere_and_back_with_one_undo() {
    let mut h = small();
    at(&mut h, "  win");
    press(&mut h, Modifiers::NONE, Key::F2);
    let field = h.get_by_role_and_label(egui::Role::TextInput, "Rename");
    field.focus();
    h.run_steps(2);
    press(&mut h, Modifiers::COMMAND, Key::A);
    h.event(Event::Text("storm".into()));
    h.run_steps(3);
    assert!(shows(&h, "4 places in 2 files"));
    press(&mut h, Modifiers::NONE, Key::Enter);
    assert!(text(&h).contains("storm: 0..9 = 1") && text(&h).contains("storm + storm"));
    assert!(h.state().document.text("scenarios/small/calm.scenario").unwrap().contains("storm = 0"));
    press(&mut h, Modifiers::COMMAND, Key::Z);
    assert_eq!(text(&h), RULES);
    assert!(shows(&h, "Taken back: rename `wind` to `storm`"));
}

#[test]
fn what_is_found_is_shown_and_replaced() {
    let mut h = small();
    at(&mut h, "  win");
    press(&mut h, Modifiers::COMMAND, Key::H);
    h.event(Event::Text("wind".into()));
    h.run_steps(3);
    assert!(shows(&h, "3 found"));
    h.get_by_label("Replace by").focus();
    h.run_steps(2);
    h.event(Event::Text("air".into()));
    h.run_steps(2);
    h.get_by_label("Replace all").click();
    h.run_steps(3);
    assert!(text(&h).contains("air + air") && !text(&h).contains("wind"));
    assert!(shows(&h, "replace `wind` by `air` (3 times)"));
}

#[test]
fn a_finding_mends_itself() {
    let mut h = small();
    at(&mut h, "double: int = win");
    press(&mut h, Modifiers::NONE, Key::Delete);
    types(&mut h, "g");
    press(&mut h, Modifiers::NONE, Key::Escape);
    press(&mut h, Modifiers::NONE, Key::F8);
    press(&mut h, Modifiers::COMMAND, Key::Period);
    assert!(shows(&h, "change `wing` to `wind`"));
    press(&mut h, Modifiers::NONE, Key::Enter);
    assert_eq!(text(&h), RULES);
}

#[test]
fn lines_names_and_layout() {
    let mut h = small();
    press(&mut h, Modifiers::COMMAND, Key::G);
    h.event(Event::Text("7".into()));
    h.run_steps(2);
    press(&mut h, Modifiers::NONE, Key::Enter);
    assert_eq!(h.state().document.place_text(h.state().here().unwrap()), format!("{FILE}:7"));
    press(&mut h, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::O);
    h.event(Event::Text("doub".into()));
    h.run_steps(3);
    press(&mut h, Modifiers::NONE, Key::Enter);
    assert_eq!(&text(&h)[h.state().here().unwrap().range.clone()], "double");
    at(&mut h, "  wind: 0..9 =");
    types(&mut h, "   ");
    press(&mut h, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::I);
    assert_eq!(text(&h), RULES);
}

#[test]
fn folds_close_and_open() {
    let mut h = small();
    at(&mut h, "table {");
    press(&mut h, Modifiers::COMMAND, Key::OpenBracket);
    press(&mut h, Modifiers::NONE, Key::ArrowDown);
    assert_eq!(h.state().document.place_text(h.state().here().unwrap()), format!("{FILE}:6"));
    press(&mut h, Modifiers::NONE, Key::ArrowUp);
    press(&mut h, Modifiers::COMMAND, Key::OpenBracket);
    press(&mut h, Modifiers::NONE, Key::ArrowDown);
    assert_eq!(h.state().document.place_text(h.state().here().unwrap()), format!("{FILE}:4"));
}

#[test]
fn open_files_stay_open_in_tabs() {
    let mut h = small();
    open(&mut h, "scenarios/small/calm.scenario");
    assert!(h.query_all_by_label("small.rules").count() > 0);
    h.get_by_role_and_label(egui::Role::Tab, "small.rules").click();
    h.run_steps(3);
    assert_eq!(&*h.state().here().unwrap().file, FILE);
    press(&mut h, Modifiers::COMMAND, Key::W);
    assert_eq!(&*h.state().here().unwrap().file, "scenarios/small/calm.scenario");
}

#[test]
fn typing_in_a_long_file_is_cheap() {
    // A frame lays out what is in view: a file of 300 KB costs little more than one of 3.
    let frame = |n: usize| {
        let mut rules = RULES.to_string();
        for i in 0..n {
            rules.push_str(&format!("value v{i}: int = wind + {i} # the number {i} of many\n"));
        }
        let mut h = window(app(vec![(FILE.into(), rules)]));
        open(&mut h, FILE);
        at(&mut h, "0..9 = 1");
        let mut best = f64::MAX;
        for c in ["2", "3", "4", "5", "6"] {
            // The check is a job on a thread elsewhere; here it would be done at once, so the frame alone is timed before it.
            h.event(Event::Text(c.into()));
            let start = std::time::Instant::now();
            h.step();
            best = best.min(start.elapsed().as_secs_f64() * 1000.0);
        }
        best
    };
    let (short, long) = (frame(60), frame(6000));
    println!("a frame with a key: {short:.1} ms at 3 KB, {long:.1} ms at 300 KB");
    assert!(long < short * 6.0 + 60.0, "{short} {long}");
}

#[test]
fn what_is_wrong_stands_beside_its_line() {
    let mut h = small();
    at(&mut h, "double: int = win");
    types(&mut h, "g");
    press(&mut h, Modifiers::NONE, Key::Escape);
    let label = |h: &Harness<App>| -> Vec<String> {
        let all = h.query_all_by_label_contains("Line 7, error: E0250");
        all.filter_map(|n| n.accesskit_node().value()).collect()
    };
    let told = label(&h);
    assert_eq!(told.len(), 1, "it is told once");
    assert!(told[0].contains("wingd"), "{told:?}");
    // It stands in the pane, behind the line's end.
    let text = h.get_by_label(&format!("Text of {FILE}")).rect();
    let rect = h.query_all_by_label_contains("Line 7, error").next().unwrap().rect();
    assert!(text.contains_rect(rect.shrink(1.0)), "{rect:?} in {text:?}");
    // A long line leaves no room: it is told all the same.
    at(&mut h, "double: int = wingd + wind");
    let long = format!(" # {}", "so ".repeat(120));
    h.event(Event::Text(long));
    h.run_steps(3);
    assert_eq!(label(&h).len(), 1);
    // What is mended is gone.
    at(&mut h, "double: int = wingd");
    press(&mut h, Modifiers::NONE, Key::Backspace);
    press(&mut h, Modifiers::NONE, Key::Backspace);
    types(&mut h, "d");
    assert!(label(&h).is_empty());
    h.check_accessibility();
}

#[test]
fn what_stands_beside_a_line_can_be_read() {
    use houserule::text::Severity;
    let part = |v: u8| {
        let x = f64::from(v) / 255.0;
        if x <= 0.040_45 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
    };
    let light = |c: egui::Color32| 0.2126 * part(c.r()) + 0.7152 * part(c.g()) + 0.0722 * part(c.b());
    for (dark, visuals) in [(true, egui::Visuals::dark()), (false, egui::Visuals::light())] {
        for severity in [Severity::Error, Severity::Warning] {
            // Also on the line of the caret.
            for ground in [visuals.panel_fill, visuals.faint_bg_color.blend(visuals.panel_fill)] {
                let own = light(houserule_editor::panels::write::message_color(severity, dark));
                let ground = light(ground);
                let contrast = (own.max(ground) + 0.05) / (own.min(ground) + 0.05);
                assert!(contrast >= 4.5, "{severity:?} dark {dark}: {contrast:.1}");
            }
        }
    }
}

#[test]
fn what_is_found_by_expression_is_replaced_with_its_groups() {
    let mut h = small();
    at(&mut h, "  win");
    press(&mut h, Modifiers::COMMAND, Key::H);
    h.get_by_role_and_label(egui::Role::Button, "Regular expression").click();
    h.run_steps(2);
    h.get_by_label("Find").focus();
    h.run_steps(2);
    press(&mut h, Modifiers::COMMAND, Key::A);
    h.event(Event::Text("(w\\w+) \\+ (".into()));
    h.run_steps(3);
    assert!(shows(&h, "This is not a regular expression: "), "it says so in place");
    h.event(Event::Text("w\\w+)".into()));
    h.run_steps(3);
    assert!(shows(&h, "1 found"));
    h.get_by_label("Replace by").focus();
    h.run_steps(2);
    h.event(Event::Text("2 * $1 - $2".into()));
    h.run_steps(2);
    h.get_by_label("Replace all").click();
    h.run_steps(3);
    assert!(text(&h).contains("double: int = 2 * wind - wind\n"), "{}", text(&h));
    press(&mut h, Modifiers::COMMAND, Key::Z);
    assert_eq!(text(&h), RULES);
}

/// The small game alone, whose work waits until it is told.
fn waiting() -> (Harness<'static, App>, Jobs) {
    let jobs = Jobs::on_demand();
    let mut h = window(app_with(vec![(FILE.into(), RULES.to_string())], jobs.clone()));
    open(&mut h, FILE);
    (h, jobs)
}

/// Puts a text into the document from elsewhere.
fn put(h: &mut Harness<App>, at: usize, text: &str) {
    let app = h.state_mut();
    let set = EditSet::from_edit("type", Edit::new(FILE, at..at, text));
    app.carry_out(command::apply_edits(app.document.revision(), set));
}

/// What the field shows, wherever the keyboard is.
fn looked_for(h: &Harness<App>) -> String {
    h.get_by_role_and_label(egui::Role::TextInput, "Find").accesskit_node().value().unwrap_or_default()
}

#[test]
fn a_search_that_is_under_way_holds_no_frame_up() {
    let (mut h, jobs) = waiting();
    press(&mut h, Modifiers::COMMAND, Key::F);
    h.get_by_role_and_label(egui::Role::Button, "Regular expression").click();
    h.run_steps(2);
    h.get_by_label("Find").focus();
    h.run_steps(2);
    // It is begun in the frame of the key: there may be no other one before the next key.
    h.event(Event::Text("w".into()));
    h.step();
    jobs.run();
    h.step();
    assert!(shows(&h, "found") && !shows(&h, "searching …"));
    for c in ["i", "n", "d"] {
        h.event(Event::Text(c.into()));
        h.run_steps(2);
    }
    // Nothing of it has been found yet, and every key is there.
    assert_eq!(looked_for(&h), "wind");
    assert!(shows(&h, "searching …"));
    // Enter goes to the first place as soon as it is known.
    press(&mut h, Modifiers::NONE, Key::Enter);
    assert_eq!(h.state().here().unwrap().range, 0..0);
    jobs.run();
    h.run_steps(3);
    assert!(shows(&h, "1 of 3"));
    assert_eq!(&RULES[h.state().here().unwrap().range.clone()], "wind");
    // The text changes while it is searched: what comes back of the older one is thrown away.
    let end = RULES.len();
    h.get_by_role_and_label(egui::Role::Button, "Regular expression").click();
    h.run_steps(2);
    put(&mut h, end, "# wind\n");
    jobs.run();
    h.step();
    assert!(shows(&h, "searching …"));
    jobs.run();
    h.run_steps(2);
    assert!(shows(&h, "of 4") || shows(&h, "4 found"), "as letters, in the newest text");
}

#[test]
fn nothing_is_replaced_in_a_text_that_was_changed_meanwhile() {
    let (mut h, jobs) = waiting();
    press(&mut h, Modifiers::COMMAND, Key::H);
    h.event(Event::Text("wind".into()));
    h.run_steps(2);
    jobs.run();
    h.run_steps(2);
    h.get_by_label("Replace by").focus();
    h.run_steps(2);
    h.event(Event::Text("air".into()));
    h.run_steps(2);
    h.get_by_label("Replace all").click();
    h.run_steps(3);
    assert!(shows(&h, "replacing …"));
    put(&mut h, 0, "# wind\n");
    h.step();
    jobs.run();
    h.run_steps(2);
    assert!(shows(&h, "Nothing was replaced"), "it was planned for another text");
    assert_eq!(text(&h), format!("# wind\n{RULES}"));
    jobs.run();
    h.run_steps(2);
    assert!(shows(&h, "4 found"));
    h.get_by_label("Replace all").click();
    h.run_steps(3);
    jobs.run();
    h.run_steps(3);
    assert!(!text(&h).contains("wind") && text(&h).contains("air + air"), "{}", text(&h));
}

#[test]
fn one_after_the_other_is_replaced_by_enter() {
    let mut h = small();
    at(&mut h, "game");
    press(&mut h, Modifiers::COMMAND, Key::H);
    press(&mut h, Modifiers::COMMAND, Key::A);
    h.event(Event::Text("wind".into()));
    h.run_steps(2);
    h.get_by_label("Replace by").focus();
    h.run_steps(2);
    h.event(Event::Text("air".into()));
    h.run_steps(2);
    // The first time shows where it is, then each time one is replaced; the field keeps the keyboard.
    for left in [3, 2, 1, 0] {
        press(&mut h, Modifiers::NONE, Key::Enter);
        assert_eq!(text(&h).matches("wind").count(), left);
    }
}

#[test]
fn the_end_is_in_sight_at_once_however_slow_the_frames_are() {
    let rules: String = (0..800).map(|i| format!("# the line {i} of many\n")).collect();
    let rules = format!("{rules}# {}the end", "and so on ".repeat(60));
    let place = |dt: f32, back: bool| {
        let app = app(vec![(FILE.into(), rules.clone())]);
        let mut h = Harness::builder()
            .with_size([1400.0, 900.0])
            .with_step_dt(dt)
            .with_context_setup(houserule_editor::style::set_up)
            .build_ui_state(|ui, app: &mut App| app.ui(ui), app);
        // As in the window: tests are without it.
        h.ctx.all_styles_mut(|s| s.scroll_animation = egui::style::ScrollAnimation::default());
        h.run_steps(2);
        open(&mut h, FILE);
        h.key_press_modifiers(Modifiers::COMMAND, Key::End);
        h.run_steps(if back { 1 } else { 3 });
        if back {
            h.key_press_modifiers(Modifiers::COMMAND, Key::Home);
            h.run_steps(3);
        }
        let pane = h.get_by_label(&format!("Text of {FILE}")).rect();
        let caret = h.output().platform_output.ime.expect("the text has the keyboard").cursor_rect;
        assert!(pane.contains(caret.center()), "{dt}: {caret:?} in {pane:?}");
        caret
    };
    for back in [false, true] {
        let all: Vec<egui::Rect> = [0.001, 1.0 / 60.0, 0.25, 2.0].map(|dt| place(dt, back)).to_vec();
        assert!(all.iter().all(|r| *r == all[0]), "{all:?}");
    }
}

#[test]
fn uses_are_gone_to_where_they_are_now() {
    let mut h = small();
    at(&mut h, "double: int = wi");
    press(&mut h, Modifiers::SHIFT, Key::F12);
    assert!(shows(&h, "Uses of wind (4)") && shows(&h, &format!("{FILE}:5 (declared)")));
    // The list stays open while somebody writes above.
    put(&mut h, 0, "# one\n# two\n");
    h.run_steps(3);
    h.get_by_label_contains(&format!("{FILE}:7 (declared)")).click();
    h.run_steps(3);
    let here = h.state().here().unwrap().range.clone();
    assert_eq!((&text(&h)[here.clone()], here.start), ("wind", text(&h).find("wind: ").unwrap()));
}

#[test]
fn what_a_word_is_stands_beside_the_pointer() {
    let mut h = small();
    at(&mut h, "int = wi");
    let caret = h.output().platform_output.ime.expect("the text has the keyboard").cursor_rect;
    assert!(!shows(&h, "How hard it blows."));
    h.hover_at(caret.center());
    h.run_steps(12);
    // Its declaration, and what is said of it there.
    let told = h.query_all_by_label_contains("How hard it blows.").count();
    assert!(told > 0 && shows(&h, "wind: 0..9"), "{told}");
}

/// Files by name.
type Texts = Vec<(Arc<str>, String)>;

/// Whatever is inserted into a game in which nothing is wrong leaves it so.
#[test]
fn what_is_inserted_is_sound() {
    let mut games: Vec<(String, Texts)> = Template::ALL
        .iter()
        .map(|t| ("a.rules".to_string(), vec![("a.rules".into(), t.make_text("My", "My"))]))
        .collect();
    games.push(("a.rules".to_string(), vec![("a.rules".into(), crate::support::GAME.to_string())]));
    let all = Document::new(shipped());
    for game in ["fuji/fuji", "fog/fog", "classics/chess/chess", "classics/hanabi/hanabi"] {
        let file = format!("rules/{game}.rules");
        let texts = all.files(&all.subject(&file).unwrap());
        let texts = texts.iter().map(|(_, f)| (Arc::from(&*f.name), f.text.to_string())).collect();
        games.push((file, texts));
    }
    for (file, texts) in games {
        let document = Document::new(texts);
        let analysis = Analysis::from_source(&document.files(&document.subject(&file).unwrap()));
        let before = document.text(&file).unwrap();
        let warnings = analysis.report.findings.len();
        for what in Insert::ALL {
            for at in [0, before.len() / 2, before.len()] {
                let name = format!("{} at {at} of {file}", what.name());
                let (set, range) = match plan_insert(&analysis, &file, at, *what) {
                    Ok(done) => done,
                    Err(refusal) => {
                        assert!(refusal.why.contains("has a look already"), "{name}: {}", refusal.why);
                        continue;
                    }
                };
                let [edit] = set.edits() else { panic!("{name}: {set:?}") };
                let mut text = before.to_string();
                text.replace_range(edit.range.clone(), &edit.text);
                assert!(text.get(range).is_some_and(|t| t.contains(what.name())), "{name} is selected");
                let known = analysis.with_texts(&[(Arc::from(file.as_str()), text.clone())].into());
                let found = &known.report.findings;
                // Where a warning is left, a comment says what to write.
                let told = edit.text.contains("# Say where");
                assert!(known.sound && (told || found.len() == warnings), "{name}: {found:?}");
                assert!(houserule::ide::format_text(&file, &text).unwrap().is_empty(), "{name} is laid out");
            }
        }
    }
}

#[test]
fn the_bar_inserts_and_one_undo_takes_it_back() {
    let mut h = small();
    h.state_mut().carry_out(Command::GoTo(TextPlace::new(FILE, 0..0)));
    h.run_steps(2);
    h.get_by_label("Insert …").click();
    h.run_steps(3);
    h.get_by_label("Insert test").click();
    h.run_steps(4);
    let begins =
        RULES.replace("outcome win }\n", "outcome win }\n\ntest \"what must hold\" with Ann, Bo {\n");
    assert!(text(&h).starts_with(begins.get(..90).unwrap()), "{}", text(&h));
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    h.run_steps(3);
    assert_eq!(text(&h), RULES);
    // A scenario's file holds scenarios alone.
    open(&mut h, "scenarios/small/calm.scenario");
    h.state_mut().carry_out(Command::Write(Act::Insert(Insert::Card)));
    h.run_steps(2);
    assert!(shows(&h, "A new card stands in the rules of the game"));
    assert!(h.state().document.dirty_files().is_empty());
}

/// The file that is open is in sight in the list of files, wherever that was scrolled to and whatever is folded.
#[test]
fn the_open_file_is_in_sight_in_its_folded_group() {
    let texts: Vec<_> =
        crate::support::shipped().into_iter().filter(|(n, _)| n.starts_with("rules/classics")).collect();
    let mut h = window(app(texts));
    for name in ["tsuro", "atoll"] {
        open(&mut h, &format!("rules/classics/{name}/{name}.rules"));
        h.run_steps(30);
        let file = format!("{name}.rules");
        let rows: Vec<egui::Rect> =
            h.query_all_by_role_and_label(egui::Role::Button, &file).map(|n| n.rect()).collect();
        // The tab of the text has that name, too, further right.
        let content = h.ctx.content_rect();
        let seen = rows.iter().any(|rect| rect.left() < 230.0 && content.contains(rect.center()));
        assert!(seen, "{name}: {rows:?}");
    }
}
