//! The window by keyboard alone: palette, shortcuts, panes, search, history, findings, light and dark, size.
use crate::support::{app, folder, nameless, open, opened, shipped, shows, small, tree, window};
use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use houserule::ide::{Edit, EditSet};
use houserule_editor::App;
use houserule_editor::command::{self, Act, Command};
use houserule_editor::panels::Pane;
use houserule_editor::settings::{Settings, Theme};

const FILE: &str = "rules/small/small.rules";
const SHIFTED: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

fn write(h: &mut Harness<App>, text: &str) {
    h.event(Event::Text(text.into()));
    h.run_steps(2);
}

fn press(h: &mut Harness<App>, modifiers: Modifiers, key: Key) {
    h.key_press_modifiers(modifiers, key);
    h.run_steps(3);
}

#[test]
fn every_command_is_in_the_palette_and_can_be_done_from_it() {
    let mut h = window(small());
    press(&mut h, SHIFTED, Key::P);
    assert!(shows(&h, "Do what?"));
    for command in Command::all() {
        assert!(shows(&h, command.info().unwrap().name), "{command:?}");
    }
    write(&mut h, "shdraw");
    press(&mut h, Modifiers::NONE, Key::Enter);
    assert_eq!(h.state().front(), Pane::Draw);
    assert!(!shows(&h, "Do what?"));
    press(&mut h, SHIFTED, Key::P);
    press(&mut h, Modifiers::NONE, Key::Escape);
    assert!(!shows(&h, "Do what?"), "Escape puts it away");
}

#[test]
fn the_palette_is_walked_with_the_arrows() {
    let mut h = window(small());
    press(&mut h, SHIFTED, Key::P);
    write(&mut h, "show ");
    // Whatever the second is: down and up leads to the first.
    press(&mut h, Modifiers::NONE, Key::ArrowDown);
    press(&mut h, Modifiers::NONE, Key::ArrowUp);
    write(&mut h, "play");
    press(&mut h, Modifiers::NONE, Key::Enter);
    assert_eq!(h.state().front(), Pane::Play);
}

#[test]
fn what_was_a_shortcut_is_not_written() {
    let mut h = window(small());
    open(&mut h, FILE);
    let before = h.state().document.text(FILE).map(str::to_string);
    for (key, text) in [(Key::Num2, "2"), (Key::Num1, "1")] {
        // As X11 tells it, in one frame: the key with Alt held, and what it would write.
        let key =
            Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::ALT };
        h.input_mut().events.extend([key, Event::Text(text.into())]);
        h.run_steps(3);
    }
    assert_eq!(h.state().front(), Pane::Write);
    assert_eq!(h.state().document.text(FILE).map(str::to_string), before);
}

#[test]
fn the_pane_that_is_shown_has_the_keyboard() {
    let mut h = window(small());
    open(&mut h, FILE);
    let text = |h: &Harness<App>| h.state().document.text(FILE).map(str::to_string).unwrap_or_default();
    let before = text(&h);
    press(&mut h, Modifiers::ALT, Key::Num1);
    write(&mut h, "# a");
    assert_eq!(text(&h), format!("# a{before}"), "Write writes");
    for key in [Key::Num3, Key::Num2] {
        press(&mut h, Modifiers::ALT, key);
        write(&mut h, "b");
        assert_eq!(text(&h), format!("# a{before}"), "the others do not: {key:?}");
    }
    press(&mut h, Modifiers::ALT, Key::Num1);
    write(&mut h, "c");
    assert_eq!(text(&h), format!("# ac{before}"));
}

#[test]
fn a_file_is_opened_by_a_few_letters() {
    let mut h = window(app(shipped()));
    press(&mut h, Modifiers::COMMAND, Key::P);
    write(&mut h, "fuji3");
    press(&mut h, Modifiers::NONE, Key::Enter);
    assert_eq!(h.state().open_file().as_deref(), Some("scenarios/fuji/fuji_3.scenario"));
}

/// Letters of `fuji` are found in many names; the file that is called so comes first.
#[test]
fn a_file_of_just_that_name_comes_first() {
    for (wanted, file) in [
        ("fuji", "rules/fuji/fuji.rules"),
        ("chess", "rules/classics/chess/chess.rules"),
        ("looks.rules", "rules/discover/looks.rules"),
        ("go", "rules/classics/go/go.rules"),
    ] {
        let mut h = window(app(shipped()));
        press(&mut h, Modifiers::COMMAND, Key::P);
        write(&mut h, wanted);
        press(&mut h, Modifiers::NONE, Key::Enter);
        assert_eq!(h.state().open_file().as_deref(), Some(file), "{wanted}");
    }
}

#[test]
fn a_shortcut_is_changed_kept_and_holds() {
    let home = tempfile::tempdir().unwrap();
    let mut app = small();
    app.home = Some(home.path().to_path_buf());
    let mut h = window(app);
    press(&mut h, Modifiers::COMMAND, Key::Comma);
    h.run_steps(6);
    assert!(shows(&h, "Shortcuts"));
    h.get_by_label("Change shortcut of Show Draw, now Alt+2").click();
    h.run_steps(2);
    h.get_by_label("Change shortcut of Show Draw, now press keys …");
    press(&mut h, SHIFTED, Key::D);
    h.get_by_label("Change shortcut of Show Draw, now Ctrl+Shift+D");
    h.get_by_label("Close").click();
    h.run_steps(3);
    press(&mut h, Modifiers::ALT, Key::Num2);
    assert_eq!(h.state().front(), Pane::Write, "the old keys do nothing");
    press(&mut h, SHIFTED, Key::D);
    assert_eq!(h.state().front(), Pane::Draw);
    let (kept, wrong) = App::load_settings(Some(home.path()));
    assert_eq!((kept.shortcuts.get("view.draw").map(String::as_str), wrong), (Some("Ctrl+Shift+D"), None));
    // The keys that it came with come back.
    press(&mut h, Modifiers::COMMAND, Key::Comma);
    h.run_steps(6);
    h.get_by_label("Default: Show Draw").click();
    h.run_steps(3);
    h.get_by_label("Change shortcut of Show Draw, now Alt+2");
    assert!(App::load_settings(Some(home.path())).0.shortcuts.is_empty());
}

#[test]
fn two_commands_with_the_same_keys_are_told() {
    let mut h = window(small());
    h.state_mut().carry_out(Command::SetShortcut { id: "view.draw", text: Some("Ctrl+Z".into()) });
    press(&mut h, Modifiers::COMMAND, Key::Comma);
    assert!(shows(&h, "also Undo"));
}

#[test]
fn keys_of_another_layout_are_known_by_what_they_write() {
    // On a Cyrillic layout the key that writes `я` stands where Z is: egui then gives the key by its place.
    let mut h = window(small());
    let app = h.state_mut();
    let set = EditSet::from_edit("rename the game", Edit::new(FILE, 5..10, "Tiny"));
    app.carry_out(command::apply_edits(app.document.revision(), set));
    h.event(Event::Key {
        key: Key::Z,
        physical_key: Some(Key::Z),
        pressed: true,
        repeat: false,
        modifiers: Modifiers::COMMAND,
    });
    h.run_steps(3);
    assert!(shows(&h, "Taken back: rename the game"));
}

#[test]
fn signs_of_another_layout_are_known_by_their_place() {
    // On a Cyrillic layout the key of `/` writes `.`, and egui gives what it writes; the key of `.` writes a letter.
    let mut h = window(small());
    open(&mut h, FILE);
    press(&mut h, Modifiers::ALT, Key::Num1);
    let before = h.state().document.text(FILE).unwrap().to_string();
    let slash = |key: Key| Event::Key {
        key,
        physical_key: Some(Key::Slash),
        pressed: true,
        repeat: false,
        modifiers: Modifiers::COMMAND,
    };
    let commented = |h: &Harness<App>| h.state().document.text(FILE).unwrap().starts_with("# ");
    write(&mut h, "я");
    press(&mut h, Modifiers::NONE, Key::Backspace);
    assert_eq!(h.state().document.text(FILE).unwrap(), before);
    h.event(slash(Key::Period));
    h.run_steps(3);
    assert!(commented(&h), "Comment is on the key of `/`");
    h.event(slash(Key::Period));
    h.run_steps(3);
    assert!(!commented(&h));
    // Of a Latin layout what a key writes is what counts.
    write(&mut h, "é");
    press(&mut h, Modifiers::NONE, Key::Backspace);
    h.event(slash(Key::Period));
    h.run_steps(3);
    assert!(!commented(&h), "Ctrl+. is another command");
}

#[test]
fn no_command_is_done_while_signs_are_put_together() {
    let mut h = window(small());
    let app = h.state_mut();
    let set = EditSet::from_edit("rename the game", Edit::new(FILE, 5..10, "Tiny"));
    app.carry_out(command::apply_edits(app.document.revision(), set));
    let ime =
        |text: &str| Event::Ime(egui::ImeEvent::Preedit { text: text.into(), active_range_chars: None });
    h.event(ime("に"));
    h.run_steps(1);
    press(&mut h, Modifiers::COMMAND, Key::Z);
    assert!(h.state().document.text(FILE).unwrap().starts_with("game Tiny"));
    h.event(Event::Ime(egui::ImeEvent::Commit("に".into())));
    h.run_steps(1);
    press(&mut h, Modifiers::COMMAND, Key::Z);
    assert!(h.state().document.text(FILE).unwrap().starts_with("game Small"));
}

#[test]
fn all_files_are_searched_and_replaced_as_one_step() {
    let mut h = window(small());
    press(&mut h, SHIFTED, Key::F);
    write(&mut h, "small");
    assert!(shows(&h, "2 places"));
    h.get_by_label("Replace by").focus();
    h.run_steps(2);
    write(&mut h, "Large");
    h.get_by_label("Replace all").click();
    h.run_steps(3);
    assert!(h.state().document.text(FILE).unwrap().starts_with("game Large \"A Large game\""));
    assert!(shows(&h, "Nothing was found"));
    press(&mut h, Modifiers::COMMAND, Key::Z);
    assert!(h.state().document.dirty_files().is_empty());
}

#[test]
fn the_history_lists_every_step_and_leads_to_any() {
    let mut h = window(small());
    let start = h.state().document.text(FILE).unwrap().to_string();
    for (label, text) in [("first", "#1\n"), ("second", "#2\n"), ("third", "#3\n")] {
        let app = h.state_mut();
        let set = EditSet::from_edit(label, Edit::new(FILE, 0..0, text));
        app.carry_out(command::apply_edits(app.document.revision(), set));
    }
    press(&mut h, SHIFTED, Key::H);
    h.get_by_label_contains("1. first (rules/small/small.rules:1)").click();
    h.run_steps(3);
    assert_eq!(h.state().document.text(FILE).unwrap(), format!("#1\n{start}"));
    h.get_by_label_contains("3. third").click();
    h.run_steps(3);
    assert_eq!(h.state().document.text(FILE).unwrap(), format!("#3\n#2\n#1\n{start}"));
    h.get_by_label("As it was opened").click();
    h.run_steps(3);
    assert_eq!(h.state().document.text(FILE).unwrap(), start);
}

#[test]
fn findings_are_counted_listed_and_walked() {
    let wrong = "game Small \"A small game\" { players 2; outcome win }\n\nround once { nonsense }\n\nmenu m { other }\n";
    let mut h = window(app(vec![(FILE.into(), wrong.to_string())]));
    open(&mut h, FILE);
    let found = h.state().findings().unwrap();
    assert!(found.count_by_severity().0 >= 2, "{found:?}");
    assert!(shows(&h, "errors"));
    press(&mut h, SHIFTED, Key::M);
    assert!(shows(&h, &found.findings[0].message));
    press(&mut h, Modifiers::NONE, Key::F8);
    let first = h.state().here().unwrap().clone();
    press(&mut h, Modifiers::NONE, Key::F8);
    let second = h.state().here().unwrap().clone();
    assert!(first.range.start < second.range.start);
    press(&mut h, Modifiers::SHIFT, Key::F8);
    assert_eq!(h.state().here(), Some(&first));
    let link = |n: &egui_kittest::Node<'_>| n.accesskit_node().role() == egui::Role::Link;
    let all: Vec<_> = h.get_all_by_label(&found.findings[0].message).filter(link).collect();
    all[0].click();
    drop(all);
    h.run_steps(3);
    assert_eq!(h.state().here(), Some(&found.findings[0].place));
    // They keep their places while somebody types before them, until the next check is done.
    let app = h.state_mut();
    app.carry_out(command::apply_edits(
        app.document.revision(),
        EditSet::from_edit("x", Edit::new(FILE, 0..0, "# a\n")),
    ));
    h.run_steps(2);
    assert_eq!(
        h.state().findings().unwrap().findings[0].place.range.start,
        found.findings[0].place.range.start + 4
    );
}

#[test]
fn the_list_of_findings_tries_the_set_ups() {
    let lacking = "game Small \"A small game\" { players 2; outcome win }\n\ntable { stones: 0..9 = 2 }\ninvariant \"two stones are needed\" { stones > 1 }\nmenu m\naction go() in m { win me \"first\" }\nround { everyone in turn { offer m } }\nscenario poor \"Poor\" for Small { setup { stones = 1 } }\n";
    let mut h = window(app(vec![(FILE.into(), lacking.to_string())]));
    open(&mut h, FILE);
    let found = h.state().findings().unwrap();
    assert!(found.findings.is_empty() && !found.tried, "{found:?}");
    press(&mut h, SHIFTED, Key::M);
    h.run_steps(3);
    let found = h.state().findings().unwrap();
    assert!(found.tried && found.count_by_severity() == (1, 0), "{found:?}");
    assert!(found.findings[0].message.contains("two stones are needed"), "{found:?}");
    assert!(shows(&h, &found.findings[0].message));
    let app = h.state_mut();
    let at = lacking.find("stones = 1").unwrap() + 9;
    app.carry_out(command::apply_edits(
        app.document.revision(),
        EditSet::from_edit("x", Edit::new(FILE, at..at + 1, "3")),
    ));
    h.run_steps(3);
    assert!(shows(&h, "Nothing is wrong with this game."));
}

#[test]
fn one_goes_back_to_where_one_was() {
    let mut h = window(app(shipped()));
    open(&mut h, "rules/fuji/fuji.rules");
    open(&mut h, "scenarios/fuji/fuji_1.scenario");
    press(&mut h, Modifiers::ALT, Key::ArrowLeft);
    assert_eq!(h.state().open_file().as_deref(), Some("rules/fuji/fuji.rules"));
    press(&mut h, Modifiers::ALT, Key::ArrowRight);
    assert_eq!(h.state().open_file().as_deref(), Some("scenarios/fuji/fuji_1.scenario"));
}

#[test]
fn panes_are_reached_by_keys() {
    let mut h = window(small());
    press(&mut h, Modifiers::NONE, Key::F6);
    assert_eq!(h.state().front(), Pane::Draw);
    press(&mut h, Modifiers::NONE, Key::F6);
    assert_eq!(h.state().front(), Pane::Play);
    assert!(shows(&h, "No game is being played"));
    press(&mut h, Modifiers::NONE, Key::F6);
    assert_eq!(h.state().front(), Pane::Measure);
    assert!(shows(&h, "No game is being measured"));
    press(&mut h, Modifiers::NONE, Key::F6);
    assert_eq!(h.state().front(), Pane::Cards);
    assert!(shows(&h, "No cards are shown"));
    press(&mut h, Modifiers::NONE, Key::F6);
    assert_eq!(h.state().front(), Pane::Write);
}

#[test]
fn light_dark_and_size_are_kept() {
    let home = tempfile::tempdir().unwrap();
    let mut app = small();
    app.home = Some(home.path().to_path_buf());
    let mut h = window(app);
    h.state_mut().carry_out(Command::Do(Act::Theme));
    h.run_steps(2);
    assert_eq!(h.ctx.theme(), egui::Theme::Dark);
    h.state_mut().carry_out(Command::Do(Act::Theme));
    press(&mut h, Modifiers::COMMAND, Key::Plus);
    h.run_steps(2);
    assert_eq!(h.ctx.theme(), egui::Theme::Light);
    assert!((h.ctx.zoom_factor() - 1.1).abs() < 0.001);
    let kept = App::load_settings(Some(home.path())).0;
    assert_eq!((kept.theme, kept.zoom), (Theme::Light, 110));
    for _ in 0..40 {
        h.state_mut().carry_out(Command::Do(Act::ZoomOut));
    }
    assert_eq!(h.state().settings.zoom, 50, "it cannot be lost");
}

#[test]
fn settings_that_cannot_be_read_are_as_at_first() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("settings.ron"), "(theme: Blue)").unwrap();
    let (settings, wrong) = App::load_settings(Some(home.path()));
    assert_eq!(settings, Settings::default());
    assert!(wrong.is_some());
}

#[test]
fn folders_are_chosen_in_the_systems_dialog_or_typed() {
    let (one, two) = (folder(&[(FILE, crate::support::GAME)]), folder(&[("x.rules", "game X \"Ex\" { }\n")]));
    let mut app = opened(one.path());
    app.dialogs = Box::new(houserule_editor::dialogs::Given(vec![two.path().to_path_buf()]));
    let mut h = window(app);
    press(&mut h, Modifiers::COMMAND, Key::O);
    h.get_by_label("Browse …").click();
    h.run_steps(4);
    assert_eq!(h.state().open_file().as_deref(), Some("x.rules"));
    press(&mut h, Modifiers::COMMAND, Key::O);
    write(&mut h, &one.path().to_string_lossy());
    press(&mut h, Modifiers::NONE, Key::Enter);
    h.run_steps(2);
    assert_eq!(h.state().open_file().as_deref(), Some(FILE));
    // Those of before are offered.
    press(&mut h, Modifiers::COMMAND, Key::O);
    assert!(shows(&h, &two.path().canonicalize().unwrap().to_string_lossy()));
}

#[test]
fn everything_that_can_be_clicked_has_a_name() {
    let mut h = window(app(shipped()));
    open(&mut h, "scenarios/fuji/fuji_1.scenario");
    for act in [Act::ShowSearch, Act::ShowHistory, Act::ShowFindings, Act::ShowFiles] {
        h.state_mut().carry_out(Command::Do(act));
        h.run_steps(3);
        assert_eq!(nameless(&h), Vec::<String>::new(), "{act:?}");
    }
    for act in [Act::Palette, Act::OpenFolder, Act::NewGame, Act::NewScenario, Act::Shortcuts] {
        h.state_mut().carry_out(Command::Do(act));
        h.run_steps(3);
        assert_eq!(nameless(&h), Vec::<String>::new(), "{act:?}");
        press(&mut h, Modifiers::NONE, Key::Escape);
        assert!(h.state().asks.is_empty(), "{act:?}: Escape puts it away");
    }
}

#[test]
fn what_was_done_is_announced() {
    let mut h = window(small());
    let app = h.state_mut();
    let set = EditSet::from_edit("rename the game", Edit::new(FILE, 5..10, "Tiny"));
    app.carry_out(command::apply_edits(app.document.revision(), set));
    press(&mut h, Modifiers::COMMAND, Key::Z);
    let said = h.get_by_label_contains("Taken back: rename the game");
    assert_eq!(said.accesskit_node().live(), egui::accesskit::Live::Polite);
}

#[test]
fn a_file_is_removed_and_brought_back() {
    let dir = folder(&[(FILE, crate::support::GAME), ("x.rules", "game X \"Ex\" { }\n")]);
    let mut h = window(opened(dir.path()));
    open(&mut h, "x.rules");
    h.state_mut().carry_out(Command::Do(Act::RemoveFile));
    h.run_steps(2);
    assert_eq!(h.state().open_file().as_deref(), Some(FILE));
    h.state_mut().carry_out(Command::Do(Act::SaveAll));
    h.run_steps(4);
    assert!(!dir.path().join("x.rules").exists());
    press(&mut h, Modifiers::COMMAND, Key::Z);
    h.state_mut().carry_out(Command::Do(Act::SaveAll));
    h.run_steps(4);
    assert_eq!(std::fs::read_to_string(dir.path().join("x.rules")).unwrap(), "game X \"Ex\" { }\n");
}

#[test]
fn all_files_are_searched_by_expression() {
    let texts = vec![
        (FILE.into(), crate::support::GAME.to_string()),
        ("scenarios/small/a.scenario".into(), "scenario a \"Way 1\" for Small { }\n".to_string()),
        ("scenarios/small/b.scenario".into(), "scenario b \"Way 22\" for Small { }\n".to_string()),
    ];
    let mut h = window(app(texts));
    press(&mut h, SHIFTED, Key::F);
    h.get_by_label("Regular expression").click();
    h.run_steps(2);
    h.get_by_label("Find in all files").focus();
    h.run_steps(2);
    write(&mut h, "\"(\\w+) (\\d+");
    assert!(shows(&h, "This is not a regular expression: "), "it says so in place");
    assert_eq!(nameless(&h), Vec::<String>::new());
    write(&mut h, ")\"");
    assert!(!shows(&h, "This is no expression"));
    assert!(shows(&h, "2 places"));
    h.get_by_label("Replace by").focus();
    h.run_steps(2);
    write(&mut h, "\"$2. $1\"");
    h.get_by_label("Replace all").click();
    h.run_steps(3);
    let text = |h: &Harness<App>, f: &str| h.state().document.text(f).unwrap().to_string();
    assert!(text(&h, "scenarios/small/a.scenario").starts_with("scenario a \"1. Way\" for"));
    assert!(text(&h, "scenarios/small/b.scenario").starts_with("scenario b \"22. Way\" for"));
    press(&mut h, Modifiers::COMMAND, Key::Z);
    assert!(h.state().document.dirty_files().is_empty(), "one step");
}

/// The entry of a file in the list on the left.
fn in_list<'a>(h: &'a Harness<'_, App>, name: &'a str) -> egui_kittest::Node<'a> {
    let mut all = h.query_all_by_label(name);
    all.find(|n| n.accesskit_node().role() != egui::Role::Tab && n.rect().left() < 240.0)
        .expect("it is listed")
}

#[test]
fn a_file_is_renamed_from_the_list_and_what_names_it_follows() {
    let rules = "game Small \"A small game\" { players 2; outcome win }\nhook h(): int from \"h.rhai\"\nround once { }\n";
    let script = "fn h() { 1 }\n";
    let dir =
        folder(&[(FILE, rules), ("rules/small/h.rhai", script), ("rules/small/more.rules", "# more\n")]);
    let before = tree(dir.path());
    let mut h = window(opened(dir.path()));
    open(&mut h, "rules/small/more.rules");
    open(&mut h, "rules/small/h.rhai");
    in_list(&h, "h.rhai").click_secondary();
    h.run_steps(3);
    h.get_by_label("Rename or move …").click();
    h.run_steps(3);
    assert!(shows(&h, "rules/small/h.rhai is to be called:"));
    press(&mut h, Modifiers::COMMAND, Key::A);
    write(&mut h, "rules/small/../x.rhai");
    assert!(shows(&h, "Write folders and a file name"));
    press(&mut h, Modifiers::COMMAND, Key::A);
    write(&mut h, "rules/small/more.rules");
    assert!(shows(&h, "The name must end in .rhai as before."));
    press(&mut h, Modifiers::COMMAND, Key::A);
    write(&mut h, "rules/small/hooks/new.rhai");
    press(&mut h, Modifiers::NONE, Key::Enter);
    h.run_steps(3);
    assert!(h.state().asks.is_empty());
    assert_eq!(h.state().open_file().as_deref(), Some("rules/small/hooks/new.rhai"), "it stays open");
    assert!(h.state().document.text(FILE).unwrap().contains("from \"new.rhai\""));
    assert_eq!(tree(dir.path()), before, "nothing is written yet");
    // Saving the open file takes the old name from the disk.
    press(&mut h, Modifiers::COMMAND, Key::S);
    h.run_steps(4);
    assert!(!dir.path().join("rules/small/h.rhai").exists());
    assert_eq!(std::fs::read_to_string(dir.path().join("rules/small/hooks/new.rhai")).unwrap(), script);
    // One step back, and all is as it was.
    press(&mut h, Modifiers::COMMAND, Key::Z);
    assert_eq!(h.state().open_file().as_deref(), Some("rules/small/h.rhai"));
    assert!(h.state().document.text(FILE).unwrap() == rules);
    h.state_mut().carry_out(Command::Do(Act::SaveAll));
    h.run_steps(4);
    std::fs::remove_dir(dir.path().join("rules/small/hooks")).unwrap();
    assert_eq!(tree(dir.path()), before);
    // Removed, from the list too: what was open before is open then.
    in_list(&h, "h.rhai").click_secondary();
    h.run_steps(3);
    h.get_by_label("Remove").click();
    h.run_steps(3);
    assert_eq!(h.state().document.text("rules/small/h.rhai"), None);
    assert!(h.state().open_file().is_some());
    press(&mut h, Modifiers::COMMAND, Key::Z);
    assert_eq!(h.state().document.text("rules/small/h.rhai"), Some(script));
}

#[test]
fn what_stands_where_is_kept_between_starts() {
    let home = tempfile::tempdir().unwrap();
    let mut app = small();
    app.home = Some(home.path().to_path_buf());
    let mut h = window(app);
    open(&mut h, FILE);
    let write = h.get_by_label("Write (tab)").rect();
    // The line between the panes, and the one beside the list, are drawn.
    let right = h.get_by_label("Draw (tab)").rect().left();
    let drag = |h: &mut Harness<App>, from: egui::Pos2, by: f32| {
        h.hover_at(from);
        h.run_steps(1);
        h.drag_at(from);
        h.run_steps(2);
        h.hover_at(from + egui::vec2(by, 0.0));
        h.run_steps(2);
        h.drop_at(from + egui::vec2(by, 0.0));
        h.run_steps(4);
    };
    drag(&mut h, egui::pos2(right - 0.5, 500.0), -150.0);
    drag(&mut h, egui::pos2(write.left() - 0.5, 500.0), 60.0);
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.state_mut().carry_out(Command::Do(Act::ShowFindings));
    h.run_steps(4);
    let places = |h: &Harness<App>| {
        let left = |l: &str| h.get_by_label(l).rect().left().round();
        (left("Write (tab)"), left("Draw (tab)"))
    };
    let now = places(&h);
    assert!(now.1 < right - 60.0, "it was moved: {now:?}");
    h.state_mut().keep_settings_now();
    let (kept, wrong) = App::load_settings(Some(home.path()));
    assert_eq!(wrong, None);
    let again = App::new(
        houserule_editor::Document::new([(FILE.into(), crate::support::GAME.to_string())]),
        kept,
        houserule_editor::jobs::Jobs::at_once(),
    );
    let mut h = window(again);
    open(&mut h, FILE);
    let then = places(&h);
    assert!((now.0 - then.0).abs() <= 2.0 && (now.1 - then.1).abs() <= 3.0, "{now:?} {then:?}");
    assert!(shows(&h, "Seed"), "Play is in front");
    assert!(
        shows(&h, "Nothing is wrong with this game.") || shows(&h, "Open a file of a game"),
        "findings are shown"
    );
}

#[test]
fn a_scenario_gets_another_name_and_title_in_one_step() {
    let scenario = "scenario calm \"Calm\" for Small { }\n";
    let name = "scenarios/small/calm.scenario";
    let mut h = window(app(vec![(FILE.into(), crate::support::GAME.into()), (name.into(), scenario.into())]));
    open(&mut h, name);
    let before = h.state().document.texts().clone();
    h.state_mut().carry_out(Command::Do(Act::MoveFile));
    h.run_steps(3);
    assert!(shows(&h, "Rename or move a scenario"));
    press(&mut h, Modifiers::COMMAND, Key::A);
    write(&mut h, "scenarios/small/storm.scenario");
    h.get_by_role_and_label(egui::Role::TextInput, "Title").focus();
    h.run_steps(2);
    press(&mut h, Modifiers::COMMAND, Key::A);
    write(&mut h, "A \"storm\"");
    assert_eq!(nameless(&h), Vec::<String>::new());
    h.get_by_label("Rename").click();
    h.run_steps(3);
    assert_eq!(h.state().open_file().as_deref(), Some("scenarios/small/storm.scenario"));
    let text = h.state().document.text("scenarios/small/storm.scenario").unwrap().to_string();
    assert_eq!(text, scenario.replace("\"Calm\"", "\"A \\\"storm\\\"\""));
    assert_eq!(h.state().document.history().done.len(), 1);
    press(&mut h, Modifiers::COMMAND, Key::Z);
    assert_eq!(*h.state().document.texts(), before);
    // The title alone.
    h.state_mut().carry_out(Command::Do(Act::MoveFile));
    h.run_steps(3);
    h.get_by_role_and_label(egui::Role::TextInput, "Title").focus();
    h.run_steps(2);
    press(&mut h, Modifiers::COMMAND, Key::A);
    write(&mut h, "Still");
    press(&mut h, Modifiers::NONE, Key::Enter);
    h.run_steps(3);
    assert_eq!(h.state().document.text(name).unwrap(), scenario.replace("Calm", "Still"));
    assert!(shows(&h, "Still"), "the list says so");
}
