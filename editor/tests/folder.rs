//! The folder: opened, saved, changed by others, and brought back after a crash.
use crate::support::{GAME, folder, open, opened, pass, shipped, shows, tree, window};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use houserule::ide::{Edit, EditSet};
use houserule_editor::command::{self, Act, Command};
use houserule_editor::document::{Document, Manner};
use houserule_editor::jobs::Jobs;
use houserule_editor::panels::play;
use houserule_editor::play::Sitter;
use houserule_editor::settings::Settings;
use houserule_editor::{App, disk};
use std::path::Path;
use std::time::Duration;

const FILE: &str = "rules/small/small.rules";

fn type_in(h: &mut Harness<App>, at: usize, text: &str) {
    let app = h.state_mut();
    let set = EditSet::from_edit("type", Edit::new(FILE, at..at, text));
    app.carry_out(Command::Apply { since: app.document.revision(), set, manner: Manner::Typing });
    h.run_steps(2);
}

fn disk_text(root: &Path) -> String {
    std::fs::read_to_string(root.join(FILE)).unwrap()
}

#[test]
fn what_is_changed_is_saved_by_keyboard() {
    let dir = folder(&[(FILE, GAME)]);
    let mut h = window(opened(dir.path()));
    type_in(&mut h, 0, "# mine\n");
    assert!(shows(&h, "1 file not saved"));
    h.key_press_modifiers(Modifiers::COMMAND, Key::S);
    h.run_steps(4);
    assert!(shows(&h, "Saved rules/small/small.rules"));
    assert_eq!(disk_text(dir.path()), format!("# mine\n{GAME}"));
    assert!(h.state().document.dirty_files().is_empty());
    // Saving does not end the history.
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    h.run_steps(2);
    assert!(shows(&h, "1 file not saved"));
}

#[test]
fn a_file_changed_outside_comes_in_and_four_undos_take_back_exactly_four_things() {
    let dir = folder(&[(FILE, GAME), ("scenarios/small/s.scenario", "scenario s \"S\" for Small {\n}\n")]);
    let mut h = window(opened(dir.path()));
    let before = h.state().document.texts().clone();
    type_in(&mut h, 0, "# mine\n");
    let app = h.state_mut();
    let paint = EditSet::from_edit("paint a wall at A1", Edit::new("scenarios/small/s.scenario", 9..10, "t"));
    app.carry_out(command::apply_edits(app.document.revision(), paint));
    h.state_mut().carry_out(Command::Do(Act::SaveAll));
    h.run_steps(4);
    let at = h.state().document.text(FILE).unwrap().find("players 2").unwrap() + 8;
    let card = EditSet::from_edit("set players to 3", Edit::new(FILE, at..at + 1, "3"));
    let app = h.state_mut();
    app.carry_out(command::apply_edits(app.document.revision(), card));
    std::fs::write(dir.path().join("scenarios/small/s.scenario"), "scenario u \"U\" for Small {\n}\n")
        .unwrap();
    pass(&mut h, Duration::from_secs(2));
    assert!(shows(&h, "was changed outside and was read again"));
    assert!(!h.state().document.is_dirty("scenarios/small/s.scenario"));
    let steps: Vec<String> = h.state().document.history().done.iter().map(|s| s.describe()).collect();
    assert_eq!(
        steps,
        [
            "type (rules/small/small.rules:1)",
            "paint a wall at A1 (scenarios/small/s.scenario:1)",
            "set players to 3 (rules/small/small.rules:2)",
            "reload scenarios/small/s.scenario, changed outside (scenarios/small/s.scenario:1)",
        ]
    );
    for step in steps.iter().rev() {
        h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        h.run_steps(2);
        assert!(shows(&h, &format!("Taken back: {step}")), "{step}");
    }
    assert_eq!(*h.state().document.texts(), before);
}

#[test]
fn a_file_with_changes_of_ones_own_is_asked_about() {
    for (answer, expect) in [("Keep mine", "# mine\n"), ("Take the other", "# other\n")] {
        let dir = folder(&[(FILE, GAME)]);
        let mut h = window(opened(dir.path()));
        type_in(&mut h, 0, "# mine\n");
        std::fs::write(dir.path().join(FILE), format!("# other\n{GAME}")).unwrap();
        pass(&mut h, Duration::from_secs(2));
        assert!(shows(&h, "A file was changed outside"));
        h.get_by_label(answer).click();
        h.run_steps(3);
        assert!(h.state().document.text(FILE).unwrap().starts_with(expect), "{answer}");
        h.state_mut().carry_out(Command::Do(Act::SaveAll));
        h.run_steps(4);
        assert!(disk_text(dir.path()).starts_with(expect), "{answer}");
    }
}

#[test]
fn what_others_wrote_in_the_meantime_is_not_overwritten() {
    let dir = folder(&[(FILE, GAME)]);
    let mut h = window(opened(dir.path()));
    type_in(&mut h, 0, "# mine\n");
    // It was not looked at since.
    std::fs::write(dir.path().join(FILE), "# other\n").unwrap();
    h.state_mut().carry_out(Command::Do(Act::Save));
    h.run_steps(4);
    assert_eq!(disk_text(dir.path()), "# other\n");
    assert!(shows(&h, "A file was changed outside"), "it is asked about at once");
}

#[test]
fn files_that_come_and_go_outside_are_followed() {
    let dir = folder(&[(FILE, GAME)]);
    let mut h = window(opened(dir.path()));
    let path = dir.path().join("scenarios/s.scenario");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, "scenario s \"S\" for Small {\n}\n").unwrap();
    pass(&mut h, Duration::from_secs(2));
    assert_eq!(h.state().document.games().games[0].scenarios.len(), 1);
    std::fs::remove_file(&path).unwrap();
    pass(&mut h, Duration::from_secs(2));
    assert!(h.state().document.text("scenarios/s.scenario").is_none());
    assert!(h.state().document.dirty_files().is_empty());
}

#[test]
fn closing_asks_about_what_is_not_saved() {
    let dir = folder(&[(FILE, GAME)]);
    let mut h = window(opened(dir.path()));
    type_in(&mut h, 0, "# mine\n");
    h.key_press_modifiers(Modifiers::COMMAND, Key::Q);
    h.run_steps(3);
    assert!(shows(&h, "Not everything is saved"));
    h.key_press(Key::Escape);
    h.run_steps(3);
    assert!(!shows(&h, "Not everything is saved"), "Escape puts it away");
    h.key_press_modifiers(Modifiers::COMMAND, Key::Q);
    h.run_steps(3);
    h.key_press(Key::Enter);
    h.run_steps(6);
    assert_eq!(disk_text(dir.path()), format!("# mine\n{GAME}"), "Enter saves all");
}

#[test]
fn changes_are_saved_by_themselves_if_that_is_wanted() {
    let dir = folder(&[(FILE, GAME)]);
    let mut h = window(opened(dir.path()));
    h.state_mut().carry_out(Command::Do(Act::Autosave));
    type_in(&mut h, 0, "# mine\n");
    pass(&mut h, Duration::from_millis(1500));
    assert_eq!(disk_text(dir.path()), GAME);
    pass(&mut h, Duration::from_millis(1500));
    assert_eq!(disk_text(dir.path()), format!("# mine\n{GAME}"));
}

#[test]
fn a_new_scenario_is_a_step_and_a_file() {
    let dir = folder(&[(FILE, GAME)]);
    let mut h = window(opened(dir.path()));
    h.key_press_modifiers(Modifiers::COMMAND, Key::N);
    h.run_steps(3);
    h.event(egui::Event::Text("The long way".into()));
    h.run_steps(2);
    h.key_press(Key::Enter);
    h.run_steps(4);
    let name = "scenarios/small/the_long_way.scenario";
    assert_eq!(h.state().open_file().as_deref(), Some(name));
    let app = h.state();
    assert!(app.analyses.get(&app.subject().unwrap()).unwrap().analysis.sound, "it can be played at once");
    h.state_mut().carry_out(Command::Do(Act::SaveAll));
    h.run_steps(4);
    assert_eq!(
        std::fs::read_to_string(dir.path().join(name)).unwrap(),
        "scenario the_long_way \"The long way\" for Small {\n}\n"
    );
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    h.run_steps(3);
    assert!(shows(&h, "Taken back: new scenario The long way"));
    assert_eq!(h.state().document.text(name), None);
}

#[test]
fn a_new_game_can_be_played_at_once() {
    let dir = folder(&[]);
    let mut h = window(opened(dir.path()));
    h.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::N);
    h.run_steps(3);
    h.event(egui::Event::Text("My first".into()));
    h.run_steps(2);
    h.key_press(Key::Enter);
    h.run_steps(4);
    let app = h.state();
    assert_eq!(app.open_file().as_deref(), Some("rules/my-first/my-first.rules"));
    let known = app.analyses.get(&app.subject().unwrap()).unwrap();
    assert!(known.analysis.report.findings.is_empty(), "{:#?}", known.analysis.report);
    assert_eq!(&*known.analysis.model.name, "MyFirst");
}

#[test]
fn opening_playing_and_closing_leaves_the_tree_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let (home, games) = (dir.path().join("home"), dir.path().join("games"));
    disk::unpack_shipped(&games).unwrap();
    let before = tree(&games);
    assert!(before.len() >= shipped().len());
    let mut app = App::new(Document::new([]), Settings::default(), Jobs::at_once());
    app.home = Some(home);
    app.read_folder(games.clone());
    let mut h = window(app);
    let all: Vec<_> = h.state().document.games().games.clone();
    assert!(all.len() >= 14);
    for game in all {
        let scenario = game.scenarios.first().map(|(_, _, f)| f.clone());
        let name = game.file.clone();
        for file in std::iter::once(game.file).chain(scenario) {
            open(&mut h, &file);
            for act in [Act::ShowDraw, Act::ShowPlay, Act::ShowWrite, Act::NextFinding] {
                h.state_mut().carry_out(Command::Do(act));
                h.run_steps(1);
            }
        }
        // A few choices by bots in every game, back and forth, another line.
        for act in [play::Act::Start, play::Act::Pause] {
            h.state_mut().carry_out(Command::Play(act));
            h.run_steps(2);
        }
        let s = h.state_mut().panes.play.session().unwrap_or_else(|| panic!("{name} is not played"));
        let seats = s.the_match().seat_count();
        s.seat_sitters(vec![Sitter::Bot("random"); seats]);
        for _ in 0..3 {
            s.step_bot().unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        assert!(s.the_match().step() > 0, "{name}: nothing was played");
        h.state_mut().panes.play.refresh();
        for act in [
            play::Act::Earlier,
            play::Act::Fork,
            play::Act::NextView,
            play::Act::TakeBack,
            play::Act::Stop,
            play::Act::Pause,
        ] {
            h.state_mut().carry_out(Command::Play(act));
            h.run_steps(1);
        }
    }
    pass(&mut h, Duration::from_secs(5));
    assert!(h.state().document.dirty_files().is_empty());
    h.state_mut().carry_out(Command::Do(Act::SaveAll));
    h.state_mut().carry_out(Command::Do(Act::Close));
    h.run_steps(3);
    assert_eq!(tree(&games), before);
}

/// Started as a program of its own by the test below, and killed by it.
#[test]
#[ignore = "it is killed by another test"]
fn crash_child() {
    let (Ok(root), Ok(home)) = (std::env::var("CRASH_ROOT"), std::env::var("CRASH_HOME")) else { return };
    let mut app = App::new(Document::new([]), Settings::default(), Jobs::on_threads(|| ()));
    app.home = Some(home.into());
    app.read_folder(root.into());
    let mut h = window(app);
    while h.state().document.names().count() == 0 {
        std::thread::sleep(Duration::from_millis(5));
        h.run_steps(1);
    }
    let mut n = 0;
    loop {
        // It is killed somewhere in here: in the middle of an edit, of a frame, or of writing.
        let at = h.state().document.text(FILE).unwrap().len();
        type_in(&mut h, at, &format!("# {n}\n"));
        while !h.state().workspace.as_ref().unwrap().is_kept(&h.state().document) {
            h.run_steps(1);
        }
        // What is kept is said, so that it can be asked for.
        std::fs::write(Path::new(&std::env::var("CRASH_HOME").unwrap()).join("kept"), n.to_string()).unwrap();
        n += 1;
    }
}

#[test]
fn killed_in_the_middle_of_an_edit_nothing_is_lost() {
    let dir = folder(&[(FILE, GAME)]);
    let home = tempfile::tempdir().unwrap();
    let mut child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "folder::crash_child", "--ignored"])
        .env("CRASH_ROOT", dir.path())
        .env("CRASH_HOME", home.path())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let kept = || std::fs::read_to_string(home.path().join("kept")).ok()?.parse::<usize>().ok();
    let start = std::time::Instant::now();
    while kept().is_none_or(|n| n < 20) {
        assert!(start.elapsed() < Duration::from_secs(120), "the editor never got so far");
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let said = kept().unwrap_or(20);
    assert_eq!(disk_text(dir.path()), GAME, "nothing was saved");

    let mut app = App::new(Document::new([]), Settings::default(), Jobs::at_once());
    app.home = Some(home.path().to_path_buf());
    app.read_folder(dir.path().to_path_buf());
    let mut h = window(app);
    h.run_steps(2);
    assert!(shows(&h, "There is something that was not saved"));
    h.get_by_label("Bring it back").click();
    h.run_steps(3);
    let text = h.state().document.text(FILE).unwrap().to_string();
    let expect: String = (0..=said).map(|n| format!("# {n}\n")).collect();
    assert!(text.starts_with(&format!("{GAME}{expect}")), "{said}: {text}");
    assert!(h.state().document.is_dirty(FILE));
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    h.run_steps(3);
    assert_eq!(h.state().document.text(FILE), Some(GAME), "even this can be taken back");
}

#[test]
fn what_was_not_saved_is_offered_once() {
    let dir = folder(&[(FILE, GAME)]);
    let home = tempfile::tempdir().unwrap();
    let start = || {
        let mut app = App::new(Document::new([]), Settings::default(), Jobs::at_once());
        app.home = Some(home.path().to_path_buf());
        app.read_folder(dir.path().to_path_buf());
        let mut h = window(app);
        h.run_steps(2);
        h
    };
    let mut h = start();
    type_in(&mut h, 0, "# mine\n");
    drop(h);
    let h = start();
    assert!(shows(&h, "There is something that was not saved"));
    drop(h);
    let mut h = start();
    assert!(shows(&h, "There is something that was not saved"), "it was not answered");
    h.get_by_label("Throw it away").click();
    h.run_steps(4);
    drop(h);
    let h = start();
    assert!(!shows(&h, "There is something that was not saved"));
    assert!(h.state().document.dirty_files().is_empty());
}

/// A second window on a folder says so, and neither offers nor loses what the first has not saved.
#[test]
fn two_windows_on_one_folder_keep_what_is_theirs() {
    let dir = folder(&[(FILE, GAME)]);
    let home = tempfile::tempdir().unwrap();
    let mut first = kept_in(home.path(), dir.path());
    type_in(&mut first, 0, "# first\n");
    first.run_steps(3);
    let mut second = kept_in(home.path(), dir.path());
    assert!(second.state().message.text.contains("is open in another window"));
    assert!(!shows(&second, "There is something that was not saved"));
    type_in(&mut second, 0, "# second\n");
    second.run_steps(3);
    // Both end without saving, and each is offered its own.
    drop(first);
    drop(second);
    let first = kept_in(home.path(), dir.path());
    assert!(shows(&first, "There is something that was not saved"));
    let second = kept_in(home.path(), dir.path());
    assert!(shows(&second, "There is something that was not saved"));
    for (mut h, text) in [(first, "# first\n"), (second, "# second\n")] {
        h.get_by_label("Bring it back").click();
        h.run_steps(3);
        assert_eq!(h.state().document.text(FILE), Some(&*format!("{text}{GAME}")));
    }
}

/// The small game's folder in an editor that keeps what is not saved there.
fn kept_in(home: &Path, root: &Path) -> Harness<'static, App> {
    let mut app = App::new(Document::new([]), Settings::default(), Jobs::at_once());
    app.home = Some(home.to_path_buf());
    app.read_folder(root.to_path_buf());
    let mut h = window(app);
    h.run_steps(2);
    h
}

#[test]
fn a_rename_that_was_not_saved_is_brought_back_as_one_step() {
    let dir = folder(&[(FILE, GAME), ("rules/small/more.rules", "value one: int = 1\n")]);
    let home = tempfile::tempdir().unwrap();
    let (to, last) = ("rules/small/tiny.rules", "rules/small/last.rules");
    let mut h = kept_in(home.path(), dir.path());
    open(&mut h, FILE);
    for (name, to) in [(FILE, to), (to, last)] {
        h.state_mut().carry_out(Command::Move { name: name.into(), to: to.into(), title: None });
        h.run_steps(2);
    }
    let app = h.state_mut();
    let set = EditSet::from_edit("type", Edit::new(last, 0..0, "# mine\n"));
    app.carry_out(command::apply_edits(app.document.revision(), set));
    app.carry_out(Command::Remove("rules/small/more.rules".into()));
    h.run_steps(3);
    // It ends before anything is saved.
    drop(h);
    let mut h = kept_in(home.path(), dir.path());
    assert!(shows(&h, &format!("{FILE} → {last}")) && shows(&h, "rules/small/more.rules (removed)"));
    h.get_by_label("Bring it back").click();
    h.run_steps(3);
    let names: Vec<String> = h.state().document.names().map(ToString::to_string).collect();
    assert_eq!(names, [last], "neither the old name nor what was removed is there");
    assert_eq!(h.state().document.text(last), Some(format!("# mine\n{GAME}").as_str()));
    assert_eq!(h.state().document.history().done.len(), 2);
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    h.run_steps(3);
    assert_eq!(h.state().document.text(FILE), Some(GAME), "both can be taken back");
    assert!(h.state().document.text(last).is_none() && h.state().document.dirty_files().is_empty());
    // Nothing of it is left to be offered.
    drop(h);
    assert!(!shows(&kept_in(home.path(), dir.path()), "There is something that was not saved"));
}

#[test]
fn a_rename_that_ended_between_two_files_is_brought_to_its_end() {
    let dir = folder(&[(FILE, GAME)]);
    let home = tempfile::tempdir().unwrap();
    let to = "rules/small/tiny.rules";
    let mut h = kept_in(home.path(), dir.path());
    open(&mut h, FILE);
    h.state_mut().carry_out(Command::Move { name: FILE.into(), to: to.into(), title: None });
    h.run_steps(3);
    drop(h);
    // The new file had been written, the old one was still to go.
    std::fs::write(dir.path().join(to), GAME).unwrap();
    let mut h = kept_in(home.path(), dir.path());
    assert!(shows(&h, &format!("{FILE} → {to}")));
    h.get_by_label("Bring it back").click();
    h.run_steps(3);
    let names: Vec<String> = h.state().document.names().map(ToString::to_string).collect();
    assert_eq!(names, [to]);
    h.state_mut().carry_out(Command::Do(Act::SaveAll));
    h.run_steps(4);
    assert!(!dir.path().join(FILE).exists() && dir.path().join(to).exists());
}

#[test]
fn a_working_copy_of_older_games_is_renewed_from_the_start_page() {
    let home = tempfile::tempdir().unwrap();
    let games = home.path().join("games");
    drop(kept_in(home.path(), &games));
    // As an older program left it; one of the files was changed since.
    let list = home.path().join("games.prints");
    let text = std::fs::read_to_string(&list).unwrap();
    let all: Vec<&str> = text
        .lines()
        .filter(|l| l.ends_with(".rules"))
        .filter_map(|l| l.split_once(' '))
        .map(|(_, n)| n)
        .take(2)
        .collect();
    let now = std::fs::read_to_string(games.join(all[0])).unwrap();
    for name in &all {
        std::fs::write(games.join(name), "# older\n").unwrap();
    }
    let prints: String = text
        .lines()
        .map(|l| {
            let name = l.split_once(' ').unwrap().1;
            // The sum of `# older` and a line's end.
            if all.contains(&name) { format!("{OLDER} {name}\n") } else { format!("{l}\n") }
        })
        .collect();
    std::fs::write(&list, prints).unwrap();
    std::fs::write(games.join(all[1]), "# mine\n").unwrap();
    let mut h = kept_in(home.path(), &games);
    assert!(shows(&h, &format!("{} has changes of yours, or may have, and stays as it is", all[1])));
    assert_eq!(std::fs::read_to_string(games.join(all[0])).unwrap(), "# older\n", "nothing is done unasked");
    h.get_by_label("Renew 1 file").click();
    h.run_steps(3);
    pass(&mut h, Duration::from_secs(2));
    assert_eq!(h.state().document.text(all[0]), Some(now.as_str()), "it is read again");
    assert_eq!(std::fs::read_to_string(games.join(all[0])).unwrap(), now);
    assert_eq!(h.state().document.text(all[1]), Some("# mine\n"));
    assert!(!shows(&h, "Renew 1 file"));
    // It is a step like any other.
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    h.run_steps(3);
    assert_eq!(h.state().document.text(all[0]), Some("# older\n"));
    drop(h);
    assert!(!shows(&kept_in(home.path(), &games), "This program comes with other games"));
}

/// How `# older` with a line's end stands in the list of what was put in.
const OLDER: &str = "c8300fb0bfff21fe-8";

#[test]
fn settings_that_cannot_be_read_are_kept_beside_the_new_ones() {
    let home = tempfile::tempdir().unwrap();
    let mine = "(theme: Dark, shortcuts: {\"edit.undo\": \"Ctrl+U\",";
    std::fs::write(home.path().join("settings.ron"), mine).unwrap();
    let (settings, why) = App::load_settings(Some(home.path()));
    assert_eq!(settings, Settings::default());
    let aside = home.path().join("settings.unreadable.ron");
    assert!(why.unwrap().contains(&aside.display().to_string()));
    // The window that was opened with them writes them anew; nothing that was typed by hand is lost.
    let mut app = App::new(Document::new([]), settings, Jobs::at_once());
    app.home = Some(home.path().to_path_buf());
    let mut h = window(app);
    h.state_mut().carry_out(Command::Do(Act::Theme));
    h.run_steps(3);
    assert_eq!(App::load_settings(Some(home.path())).0.theme, houserule_editor::settings::Theme::Dark);
    assert_eq!(std::fs::read_to_string(aside).unwrap(), mine);
}

#[test]
fn the_first_time_a_working_copy_of_the_games_that_ship_is_opened() {
    let dir = tempfile::tempdir().unwrap();
    let mut app = App::new(Document::new([]), Settings::default(), Jobs::at_once());
    app.home = Some(dir.path().join("home"));
    app.carry_out(Command::OpenShipped);
    let mut h = window(app);
    h.run_steps(2);
    let root = h.state().workspace.as_ref().expect("a folder is open").root.clone();
    assert!(root.ends_with("home/games"), "{}", root.display());
    // All of them, byte for byte; what is done there touches nothing else.
    let disk = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
    for (name, text) in shipped() {
        assert_eq!(disk(&name), text, "{name}");
    }
    assert!(shows(&h, "Choose a game to begin with") && shows(&h, "Fuji"));
    // The next time it is the same copy, with what was written in it.
    let name = "rules/classics/pig/pig.rules";
    std::fs::write(root.join(name), "# mine\n").unwrap();
    h.state_mut().carry_out(Command::OpenShipped);
    h.run_steps(3);
    assert_eq!(disk(name), "# mine\n");
}

#[test]
fn folders_that_were_opened_lately_are_offered() {
    let (one, two) =
        (folder(&[(FILE, GAME)]), folder(&[("rules/other/other.rules", &GAME.replace("Small", "Other"))]));
    let mut h = window(opened(one.path()));
    h.state_mut().carry_out(Command::Open(two.path().to_path_buf()));
    h.run_steps(4);
    h.state_mut().carry_out(Command::Do(Act::ShowStart));
    h.run_steps(3);
    let before = one.path().canonicalize().unwrap_or(one.path().to_path_buf());
    h.get_by_label(&before.to_string_lossy()).click();
    h.run_steps(4);
    assert!(h.state().document.text(FILE).is_some(), "{:?}", h.state().settings.recent);
    assert_eq!(h.state().settings.recent.len(), 2);
}
