//! An editor to be driven: its work is done at once, its clock stands.
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use houserule_editor::document::{Document, TextPlace};
use houserule_editor::jobs::Jobs;
use houserule_editor::settings::{Pace, Settings};
use houserule_editor::{App, command::Command, style};
use std::path::Path;
use std::sync::Arc;

pub mod frames;

/// A small game of two places, with a scenario.
pub const GAME: &str = "game Small \"A small game\" { players 2; outcome win }\n\nround once { }\n";

/// The shipped files, by name, as in the repository.
pub fn shipped() -> Vec<(Arc<str>, String)> {
    fn go(dir: &Path, root: &Path, out: &mut Vec<(Arc<str>, String)>) {
        for entry in std::fs::read_dir(dir).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                go(&path, root, out);
            } else if path.extension().is_some_and(|e| e == "rules" || e == "scenario" || e == "rhai") {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                out.push((name.into(), std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut out = Vec::new();
    go(&root.join("rules"), &root, &mut out);
    go(&root.join("scenarios"), &root, &mut out);
    out.sort();
    out
}

/// As they are at first, but bots do not wait: the clock stands.
pub fn settings() -> Settings {
    Settings { pace: Pace::AtOnce, ..Settings::default() }
}

/// An editor with these texts.
pub fn app(texts: Vec<(Arc<str>, String)>) -> App {
    App::new(Document::new(texts), settings(), Jobs::at_once())
}

/// An editor with these texts, whose work goes there.
pub fn app_with(texts: Vec<(Arc<str>, String)>, jobs: Jobs) -> App {
    App::new(Document::new(texts), settings(), jobs)
}

/// An editor with the small game.
pub fn small() -> App {
    app(vec![("rules/small/small.rules".into(), GAME.to_string())])
}

/// A window around an editor.
pub fn window(app: App) -> Harness<'static, App> {
    let mut harness = Harness::builder()
        .with_size([1400.0, 900.0])
        .with_context_setup(style::set_up)
        .build_ui_state(|ui, app: &mut App| app.ui(ui), app);
    harness.run_steps(2);
    harness
}

/// Opens a file as a click in the list does.
pub fn open(harness: &mut Harness<App>, file: &str) {
    harness.state_mut().carry_out(Command::GoTo(TextPlace::new(file, 0..0)));
    harness.run_steps(3);
}

/// Writes in a field as somebody does who has clicked it.
pub fn fills(harness: &mut Harness<App>, field: &str, text: &str) {
    harness.get_by_label(field).focus();
    harness.run_steps(1);
    harness.get_by_label(field).type_text(text);
    harness.run_steps(2);
}

/// Whether something with that label is shown.
pub fn shows(harness: &Harness<App>, label: &str) -> bool {
    harness.query_all_by_label_contains(label).next().is_some()
}

/// A folder on disk with these files.
pub fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    dir
}

/// An editor with a folder of the disk, which keeps nothing of its own.
pub fn opened(root: &Path) -> App {
    let mut app = App::new(Document::new([]), settings(), Jobs::at_once());
    app.read_folder(root.to_path_buf());
    app.poll_jobs();
    app
}

/// Lets time pass.
pub fn pass(harness: &mut Harness<App>, time: std::time::Duration) {
    harness.state().jobs.pass_time(time);
    harness.run_steps(3);
}

/// Every file below a folder with its bytes.
pub fn tree(root: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(root).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            out.extend(tree(&path));
        } else {
            out.push((path.clone(), std::fs::read(&path).unwrap()));
        }
    }
    out.sort();
    out
}

/// What can be clicked or written in but has no name for a screen reader: each by its role and place.
pub fn nameless(harness: &Harness<App>) -> Vec<String> {
    use egui::Role;
    use egui_kittest::kittest::NodeT;
    let meant = [
        Role::Button,
        Role::CheckBox,
        Role::ComboBox,
        Role::Link,
        Role::MenuItem,
        Role::RadioButton,
        Role::Slider,
        Role::SpinButton,
        Role::Tab,
        Role::TextInput,
        Role::MultilineTextInput,
    ];
    let mut out = Vec::new();
    for node in harness.root().children_recursive() {
        let own = node.accesskit_node();
        let click = own.data().supports_action(egui::accesskit::Action::Click);
        // A text's name is what it says; the tiles' bars and gaps are for the pointer only, panes have keys.
        let bar = own
            .data()
            .bounds()
            .is_some_and(|r| r.width() <= 8.0 || r.height() <= 8.0 || (r.height() <= 24.0 && r.y0 < 60.0));
        let other =
            matches!(own.role(), Role::Label | Role::ScrollBar) || (own.role() == Role::Unknown && bar);
        let named = own.label().is_some_and(|l| !l.trim().is_empty());
        if (meant.contains(&own.role()) || click) && !other && !named {
            out.push(format!("{:?} {:?} {:?}", own.role(), own.value(), own.data().bounds()));
        }
    }
    out
}
