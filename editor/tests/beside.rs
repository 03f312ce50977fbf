//! What goes on while somebody does something else: offers that stand in the status bar, work whose pane is not shown, places in files that are gone.
use crate::support::{app, app_with, fills, open, shows, window};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use houserule::ide::{Edit, EditSet};
use houserule_editor::App;
use houserule_editor::command::{Act, Command};
use houserule_editor::document::{Manner, TextPlace};
use houserule_editor::jobs::Jobs;
use houserule_editor::panels::{Pane, draw, files, play};
use houserule_editor::play::Sitter;
use std::sync::Arc;

const RULES: &str = "rules/isle/isle.rules";
const MINE: &str = "scenarios/isle/mine.scenario";
const GAME: &str = "game Isle \"Isle\" { players 2; outcome win }\nenum Ground { grass, sand }\nmap Land squares \"\"\"\n  g  g\n\"\"\"\n\
    space Cell on Land { ground: Ground = grass }\nlegend Land { g: grass; s: sand }\n\
    option turns \"Turns\": 1..9 = 3\nvariant windy \"Windy\" {\n  option gusts \"Gusts\": 1..5 = 2\n  value blows: int = gusts\n}\n\
    round turns times { everyone in turn { offer move } }\nmenu move { pass }\naction stay() in move { say \"stays\" }\n";
const SCENARIO: &str = "scenario mine \"Mine\" for Isle {\n}\n";

fn texts() -> Vec<(Arc<str>, String)> {
    vec![(RULES.into(), GAME.to_string()), (MINE.into(), SCENARIO.to_string())]
}

fn isle(file: &str) -> Harness<'static, App> {
    let mut h = window(app(texts()));
    open(&mut h, file);
    h.run_steps(2);
    h
}

/// Writes as somebody does who types.
fn types(h: &mut Harness<'_, App>, file: &str, at: usize, text: &str) {
    let app = h.state_mut();
    let set = EditSet::from_edit("type", Edit::new(file, at..at, text));
    app.carry_out(Command::Apply { since: app.document.revision(), set, manner: Manner::Typing });
    h.run_steps(2);
}

#[test]
fn an_offer_is_carried_out_on_the_text_as_it_is_by_then() {
    let mut h = isle(MINE);
    h.state_mut().carry_out(Command::Show(Pane::Draw));
    h.run_steps(4);
    // The map is the game's: it can be drawn here first.
    h.state_mut().panes.draw.hand.sign = "s".into();
    h.state_mut().panes.draw.hand.selection = [draw::to_spot((0, 0))].into();
    h.state_mut().carry_out(Command::Draw(draw::Act::PaintSelection));
    h.run_steps(2);
    assert!(shows(&h, "Land is drawn elsewhere"));
    types(&mut h, MINE, 0, "# Written while the offer stands there.\n");
    h.get_by_label("draw Land in mine").click();
    h.run_steps(4);
    let want = "# Written while the offer stands there.\nscenario mine \"Mine\" for Isle {\n  map Land \"\"\"\n    g  g\n  \"\"\"\n}\n";
    assert_eq!(h.state().document.text(MINE).unwrap(), want);
}

#[test]
fn an_offer_is_of_the_texts_that_were_checked() {
    let scenario = SCENARIO.replace("\"Mine\"", "\"Mine {turns}\"");
    let mut h = window(app(vec![(RULES.into(), GAME.to_string()), (MINE.into(), scenario.clone())]));
    open(&mut h, MINE);
    h.run_steps(2);
    // What is typed now is checked only later.
    h.state_mut().jobs = Jobs::on_demand();
    types(&mut h, MINE, 0, "# Not checked yet.\n");
    let title = Some(String::from("Ours"));
    h.state_mut().carry_out(Command::Move { name: MINE.into(), to: MINE.into(), title });
    h.run_steps(2);
    h.get_by_label("set Title of mine to Ours").click();
    h.run_steps(3);
    let want = format!("# Not checked yet.\n{}", scenario.replace("\"Mine {turns}\"", "\"Ours\""));
    assert_eq!(h.state().document.text(MINE).unwrap(), want);
}

#[test]
fn an_offer_leads_to_where_its_place_is_by_then() {
    let mut h = isle(MINE);
    h.state_mut().carry_out(Command::Show(Pane::Draw));
    h.run_steps(4);
    h.state_mut().panes.draw.hand.selection = [draw::to_spot((0, 0))].into();
    h.state_mut().panes.draw.hand.sign = "s".into();
    h.state_mut().carry_out(Command::Draw(draw::Act::PaintSelection));
    h.run_steps(2);
    types(&mut h, RULES, 0, "# One.\n# Two.\n");
    h.get_by_label(&format!("Go to {RULES}:5")).click();
    h.run_steps(3);
    let here = h.state().here().unwrap().clone();
    assert!(h.state().document.text(RULES).unwrap()[here.range].starts_with("map Land"));
}

#[test]
fn back_passes_over_files_that_are_gone() {
    let mut h = window(app(["a", "b", "c"]
        .map(|n| (format!("rules/{n}.rules").into(), String::from("# text\n")))
        .into()));
    for n in ["a", "b", "c"] {
        open(&mut h, &format!("rules/{n}.rules"));
    }
    h.state_mut().carry_out(Command::Remove("rules/b.rules".into()));
    h.state_mut().carry_out(Command::Do(Act::Back));
    h.run_steps(2);
    assert_eq!(h.state().open_file().as_deref(), Some("rules/a.rules"));
    h.state_mut().carry_out(Command::Do(Act::Forward));
    assert_eq!(h.state().open_file().as_deref(), Some("rules/c.rules"));
    // With nothing behind it, one stays.
    h.state_mut().carry_out(Command::Remove("rules/a.rules".into()));
    for _ in 0..3 {
        h.state_mut().carry_out(Command::Do(Act::Back));
    }
    h.run_steps(2);
    assert_eq!(h.state().open_file().as_deref(), Some("rules/c.rules"));
}

#[test]
fn a_new_file_is_told() {
    let mut h = isle(MINE);
    let (label, name) = ("new scenario far".to_string(), "scenarios/isle/far.scenario".into());
    let text = "scenario far \"Far\" for Isle {\n}\n".to_string();
    h.state_mut().carry_out(Command::Create { label, name, text });
    h.run_steps(2);
    assert!(shows(&h, "new scenario far"), "the status bar says what was done");
}

#[test]
fn a_search_in_all_files_that_broke_off_is_made_again() {
    let mut h = isle(MINE);
    h.state().jobs.break_off(Some("Looking in all files"));
    h.state_mut().carry_out(Command::Do(Act::ShowSearch));
    h.run_steps(2);
    fills(&mut h, "Find in all files", "Isle");
    assert!(shows(&h, "Looking in all files was stopped by a defect in this program"));
    h.state().jobs.break_off(None);
    h.run_steps(3);
    assert!(shows(&h, "was stopped by a defect"), "not again and again by itself");
    h.get_by_label("Look again").click();
    h.run_steps(3);
    assert!(shows(&h, "3 places") && !shows(&h, "was stopped by a defect"));
    // Where the texts change it is looked for again anyway.
    h.state().jobs.break_off(Some("Looking in all files"));
    types(&mut h, MINE, 0, "# Isle\n");
    assert!(shows(&h, "was stopped by a defect"));
    h.state().jobs.break_off(None);
    types(&mut h, MINE, 0, "# Isle\n");
    assert!(shows(&h, "5 places") && !shows(&h, "was stopped by a defect"));
    // An expression that cannot be read is none, whatever the texts are.
    h.get_by_label("Regular expression").click();
    fills(&mut h, "Find in all files", "(");
    types(&mut h, MINE, 0, "# more\n");
    assert!(shows(&h, "This is not a regular expression: ") && !shows(&h, "Look again"));
}

#[test]
fn all_files_are_replaced_in_while_something_else_is_shown() {
    let jobs = Jobs::on_demand();
    let mut h = window(app_with(texts(), jobs.clone()));
    let settle = |h: &mut Harness<'_, App>| {
        for _ in 0..4 {
            h.run_steps(1);
            jobs.run();
        }
        h.run_steps(2);
    };
    open(&mut h, MINE);
    h.state_mut().carry_out(Command::Do(Act::ShowSearch));
    h.run_steps(2);
    fills(&mut h, "Find in all files", "Mine");
    settle(&mut h);
    fills(&mut h, "Replace by", "Ours");
    settle(&mut h);
    h.get_by_label("Replace all").click();
    h.run_steps(2);
    assert!(shows(&h, "replacing …"));
    h.state_mut().carry_out(Command::Do(Act::ShowFiles));
    settle(&mut h);
    assert!(h.state().document.text(MINE).unwrap().contains("\"Ours\""));
}

#[test]
fn what_was_found_a_moment_ago_is_gone_to_where_it_is_now() {
    let mut h = isle(MINE);
    h.state_mut().carry_out(Command::Do(Act::ShowSearch));
    h.run_steps(2);
    fills(&mut h, "Find in all files", "Mine");
    assert!(shows(&h, "2 places"));
    h.state_mut().jobs = Jobs::on_demand();
    types(&mut h, MINE, 0, "# Not looked through yet.\n");
    let row = "1: scenario mine \"Mine\" for Isle {";
    h.get_all_by_label(row).next().expect("the first of two places in one line").click();
    h.run_steps(2);
    let here = h.state().here().unwrap().clone();
    assert_eq!(&h.state().document.text(MINE).unwrap()[here.range], "mine");
}

/// A match of two people in which one choice was made, with all work waiting from then on.
fn played() -> (Harness<'static, App>, Jobs) {
    let mut h = isle(MINE);
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(3);
    h.state_mut().carry_out(Command::Play(play::Act::Start));
    h.run_steps(4);
    let session = h.state_mut().panes.play.session().expect("it is played");
    session.seat_sitters(vec![Sitter::Person; 2]);
    session.choose_in_words("stay").expect("it can be chosen");
    h.state_mut().panes.play.refresh();
    h.run_steps(2);
    let jobs = Jobs::on_demand();
    h.state_mut().jobs = jobs.clone();
    h.state_mut().carry_out(Command::Play(play::Act::MakeTest));
    (h, jobs)
}

#[test]
fn a_test_is_put_in_while_another_pane_is_shown() {
    let (mut h, jobs) = played();
    h.state_mut().carry_out(Command::Show(Pane::Write));
    h.run_steps(2);
    types(&mut h, RULES, 0, "# Written meanwhile.\n");
    jobs.run();
    h.step();
    let here = h.state().here().unwrap().clone();
    let text = h.state().document.text(&here.file).unwrap();
    assert!(text.contains("\ntest \""), "{text}");
    // It leads to the title, though lines were written above it.
    assert!(text[..here.range.start].ends_with("test \""), "{}", &text[here.range.start..]);
    assert!(h.state().message.text.contains("it passes"));
}

#[test]
fn a_test_whose_place_was_changed_meanwhile_is_not_said_to_pass() {
    let (mut h, jobs) = played();
    h.state_mut().carry_out(Command::Remove(RULES.into()));
    jobs.run();
    h.run_steps(2);
    assert!(shows(&h, "No test: ") && shows(&h, "was changed meanwhile"), "{}", h.state().message.text);
    assert!(h.state().document.text(RULES).is_none());
}

#[test]
fn a_new_scenario_is_the_one_that_is_played_as_soon_as_it_has_been_read() {
    let mut h = isle(MINE);
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(2);
    let jobs = Jobs::on_demand();
    h.state_mut().jobs = jobs.clone();
    let name = "scenarios/isle/far.scenario";
    let text = "scenario far \"Far off\" for Isle {\n  map Land \"\"\"\n    s\n  \"\"\"\n}\n".to_string();
    h.state_mut().carry_out(Command::Create { label: "new".into(), name: name.into(), text });
    for _ in 0..4 {
        h.run_steps(2);
        jobs.run();
    }
    h.run_steps(2);
    h.state_mut().carry_out(Command::Play(play::Act::Start));
    for _ in 0..4 {
        h.run_steps(2);
        jobs.run();
    }
    h.run_steps(2);
    assert_eq!(h.state().panes.play.data().expect("it is played").tiles[0].len(), 1, "the new one's map");
}

#[test]
fn of_several_scenarios_in_a_file_the_one_in_which_one_stands_is_played() {
    let both =
        format!("{SCENARIO}scenario far \"Far off\" for Isle {{\n  map Land \"\"\"\n    s\n  \"\"\"\n}}\n");
    let at = both.find("\"Far").unwrap();
    let mut h = window(app(vec![(RULES.into(), GAME.to_string()), (MINE.into(), both)]));
    h.state_mut().carry_out(Command::GoTo(TextPlace::new(MINE, at..at)));
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(4);
    h.state_mut().carry_out(Command::Play(play::Act::Start));
    h.run_steps(4);
    assert_eq!(h.state().panes.play.data().expect("it is played").tiles[0].len(), 1);
}

#[test]
fn a_mod_that_calls_a_script_is_checked_and_played_with_it() {
    let text = "mod \"Weather\" for Isle {\n  hook gust(n: int): int from \"gust.rhai\"\n  value blow: int = gust(turns)\n}\n";
    let mut all = texts();
    all.push(("rules/mods/weather.rules".into(), text.into()));
    all.push(("rules/mods/hooks/gust.rhai".into(), "fn gust(n) { n + 1 }\n".into()));
    let mut h = window(app(all));
    open(&mut h, "rules/mods/weather.rules");
    h.run_steps(2);
    let listed = files::Data::from_document(&h.state().document, "gust.rhai");
    assert_eq!(listed.groups[0].parts[0].0, "Scripts", "{listed:?}");
    let findings = h.state().findings().expect("it is checked");
    assert_eq!(findings.count_by_severity().0, 0, "{findings:?}");
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(3);
    h.state_mut().carry_out(Command::Play(play::Act::Start));
    h.run_steps(4);
    assert!(h.state().panes.play.data().is_some(), "it starts");
}

#[test]
fn what_is_wrong_in_the_form_can_be_set_right() {
    let mut h = isle(MINE);
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(4);
    let options = |h: &Harness<'_, App>| (shows(h, "Turns"), shows(h, "Gusts"));
    assert_eq!(options(&h), (true, false));
    h.get_by_label("Windy").click();
    h.run_steps(3);
    assert_eq!(options(&h), (true, true));
    // A value that cannot be leaves the line where it is.
    choose(&mut h, "Gusts", "5");
    // The variant goes off, and what was set of it with it: that is no reason not to play.
    h.get_by_label("Windy").click();
    h.run_steps(3);
    assert_eq!(options(&h), (true, false));
    assert!(!shows(&h, "there is no option"));
    h.state_mut().carry_out(Command::Play(play::Act::Start));
    h.run_steps(4);
    assert!(h.state().panes.play.data().is_some(), "it starts");
}

#[test]
fn a_variant_that_has_another_name_now_is_no_reason_not_to_play() {
    let mut h = isle(MINE);
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(4);
    h.get_by_label("Windy").click();
    h.run_steps(3);
    let at = GAME.find("windy").unwrap();
    let app = h.state_mut();
    let set = EditSet::from_edit("rename", Edit::new(RULES, at..at + 5, "gusty"));
    app.carry_out(Command::Apply { since: app.document.revision(), set, manner: Manner::Step });
    h.run_steps(4);
    assert!(!shows(&h, "there is no variant"));
    h.state_mut().carry_out(Command::Play(play::Act::Start));
    h.run_steps(4);
    let setup = h.state_mut().panes.play.session().expect("it starts").the_match().setup().clone();
    assert!(setup.variants.is_empty(), "{:?}", setup.variants);
}

fn choose(h: &mut Harness<'_, App>, list: &str, line: &str) {
    h.get_by_role_and_label(egui::accesskit::Role::ComboBox, list).click();
    h.run_steps(3);
    h.get_by_role_and_label(egui::accesskit::Role::Button, line).click();
    h.run_steps(3);
}

#[test]
fn an_option_that_no_set_up_may_have_can_be_chosen_otherwise() {
    let game = format!("{GAME}needs turns != 9 else \"nine is too long\"\n");
    let mut h = window(app(vec![(RULES.into(), game), (MINE.into(), SCENARIO.to_string())]));
    open(&mut h, MINE);
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(4);
    choose(&mut h, "Turns", "9");
    assert!(shows(&h, "nine is too long"));
    choose(&mut h, "Turns", "8");
    assert!(!shows(&h, "nine is too long"), "its line is still there");
}

#[test]
fn a_place_of_the_file_that_is_open_is_kept_when_another_is_removed() {
    let mut h = isle(MINE);
    let at = SCENARIO.find("Mine").unwrap();
    h.state_mut().carry_out(Command::GoTo(TextPlace::new(MINE, at..at + 4)));
    h.run_steps(2);
    h.state_mut().carry_out(Command::Remove(RULES.into()));
    h.run_steps(2);
    assert_eq!(h.state().here(), Some(&TextPlace::new(MINE, at..at + 4)));
}
