//! Shows the modal question and returns its answer.
use super::question::{Answer, Ask};
use super::{App, palette, shortcuts};
use crate::command::{AfterQuestion, Command};
use crate::disk::Stamp;
use crate::style::primary_button;
use crate::workspace::Recovery;
use houserule::ide::template;
use houserule::shipped::Template;
use std::path::PathBuf;
use std::sync::Arc;

/// Shows a question.
pub(super) fn show_question(ctx: &egui::Context, app: &App, ask: &mut Ask) -> Answer {
    let id = egui::Id::unique("ask");
    let shown = egui::Modal::new(id).show(ctx, |ui| {
        ui.set_max_width(560.0);
        show_body(ui, app, ask)
    });
    let away = shown.should_close();
    let mut answer = shown.inner;
    // A question that loses something must be answered by one of its buttons; Escape says the harmless thing.
    let harmless = !matches!(ask, Ask::Recover(_) | Ask::Changed { .. });
    if away && harmless && !answer.over && !is_waiting_for_key(ask) {
        answer.over = true;
    }
    answer
}

fn is_waiting_for_key(ask: &Ask) -> bool {
    matches!(ask, Ask::Shortcuts(state) if state.is_waiting())
}

fn show_body(ui: &mut egui::Ui, app: &App, ask: &mut Ask) -> Answer {
    match ask {
        Ask::Changed { name, now } => ask_changed(ui, app, name, now.as_ref()),
        Ask::Recover(kept) => ask_recover(ui, kept),
        Ask::Unsaved(then) => ask_unsaved(ui, app, then),
        Ask::Folder(path) => ask_folder(ui, app, path),
        Ask::NewGame { title, template } => ask_new_game(ui, app, title, template),
        Ask::NewScenario { game, title, from } => ask_new_scenario(ui, app, game, title, from),
        Ask::Move { name, to, title } => ask_move_file(ui, app, name, to, title),
        Ask::Palette(state) => palette::ui(ui, app, state),
        Ask::Shortcuts(state) => shortcuts::ui(ui, app, state),
    }
}

/// A row of buttons; the first is the one that Enter presses.
fn show_buttons<const N: usize>(ui: &mut egui::Ui, labels: [&str; N]) -> Option<usize> {
    ui.add_space(8.0);
    let mut pressed = None;
    ui.horizontal(|ui| {
        for (i, label) in labels.into_iter().enumerate() {
            let button = if i == 0 { primary_button(label) } else { egui::Button::new(label) };
            let r = ui.add(button);
            if i == 0 && ui.memory(|m| m.focused().is_none()) {
                r.request_focus();
            }
            if r.clicked() {
                pressed = Some(i);
            }
        }
    });
    pressed
}

fn ask_changed(ui: &mut egui::Ui, app: &App, name: &Arc<str>, now: Option<&(String, Stamp)>) -> Answer {
    let _ = app;
    ui.heading(if now.is_some() { "A file was changed outside" } else { "A file was removed outside" });
    ui.label(format!("{name} has changes of yours that are not saved. Either way can be taken back with Undo or by saving again."));
    let labels = match now {
        Some(_) => ["Keep mine", "Take the other"],
        None => ["Keep mine", "Remove it here too"],
    };
    match show_buttons(ui, labels) {
        Some(0) => Answer::with_command(Command::KeepMine { name: name.clone(), now: now.cloned() }),
        Some(_) => Answer::with_command(Command::TakeOther { name: name.clone(), now: now.cloned() }),
        None => Answer::default(),
    }
}

fn ask_recover(ui: &mut egui::Ui, kept: &Recovery) -> Answer {
    ui.heading("There is something that was not saved");
    ui.label("Houserule ended before these files were saved:");
    for (name, to) in &kept.gone {
        ui.monospace(match to {
            Some(to) => format!("{name} → {to}"),
            None => format!("{name} (removed)"),
        });
    }
    let renamed = |name: &str| kept.gone.iter().any(|(_, to)| to.as_deref() == Some(name));
    for (name, _) in kept.texts.iter().filter(|(name, _)| !renamed(name)) {
        ui.monospace(name);
    }
    match show_buttons(ui, ["Bring it back", "Throw it away"]) {
        Some(0) => Answer::with_command(Command::Recover(kept.clone())),
        Some(_) => Answer::with_command(Command::ForgetRecovery),
        None => Answer::default(),
    }
}

fn ask_unsaved(ui: &mut egui::Ui, app: &App, then: &AfterQuestion) -> Answer {
    let dirty = app.document.dirty_files();
    ui.heading("Not everything is saved");
    ui.label(match dirty.len() {
        1 => String::from("One file was changed:"),
        n => format!("{n} files were changed:"),
    });
    for name in dirty.iter().take(8) {
        ui.monospace(&**name);
    }
    match show_buttons(ui, ["Save all", "Do not save", "Cancel"]) {
        Some(0) => Answer::with_command(Command::Leave { then: then.clone(), save: true }),
        Some(1) => Answer::with_command(Command::Leave { then: then.clone(), save: false }),
        Some(_) => Answer::nothing(),
        None => Answer::default(),
    }
}

/// A labelled line of text that has the keyboard when it first appears. Whether Enter was pressed in it.
pub(super) fn show_field(ui: &mut egui::Ui, label: &str, text: &mut String) -> bool {
    let label = ui.label(label);
    let r = ui.add(egui::TextEdit::singleline(text).desired_width(f32::INFINITY)).labelled_by(label.id);
    let entered = r.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
    // Who opened the question let go of the keyboard.
    if ui.memory(|m| m.focused().is_none()) {
        r.request_focus();
    }
    entered
}

fn ask_folder(ui: &mut egui::Ui, app: &App, path: &mut String) -> Answer {
    ui.heading("Open a folder");
    let entered = show_field(ui, "Path of a folder with rules and scenarios", path);
    if !app.settings.recent.is_empty() {
        ui.add_space(6.0);
        ui.label("Opened lately:");
        for recent in &app.settings.recent {
            if ui.link(recent).clicked() {
                return Answer::with_command(Command::Open(PathBuf::from(recent)));
            }
        }
    }
    let pressed = show_buttons(ui, ["Open", "Browse …", "The games that ship", "Cancel"]);
    match pressed {
        _ if entered && !path.trim().is_empty() => {
            Answer::with_command(Command::Open(PathBuf::from(path.trim())))
        }
        Some(0) if !path.trim().is_empty() => Answer::with_command(Command::Open(PathBuf::from(path.trim()))),
        Some(1) => Answer::with_command(Command::Browse),
        Some(2) => Answer::with_command(Command::OpenShipped),
        Some(3) => Answer::nothing(),
        _ => Answer::default(),
    }
}

/// Why a file cannot be called so; none if it can.
fn find_name_fault(app: &App, name: &str, to: &str) -> Option<String> {
    let end = |n: &str| n.rsplit_once('.').map(|(_, e)| e.to_lowercase());
    let parts = || to.split('/');
    if parts().any(|p| p.is_empty() || p == "." || p == ".." || p.trim() != p) || to.contains(['\\', ':']) {
        Some(String::from("Write folders and a file name, with / between them."))
    } else if end(to) != end(name) {
        Some(format!("The name must end in .{} as before.", end(name).unwrap_or_default()))
    } else if to != name && app.document.text(to).is_some() {
        Some(format!("There is already a file {to}."))
    } else {
        None
    }
}

fn ask_move_file(
    ui: &mut egui::Ui,
    app: &App,
    name: &Arc<str>,
    to: &mut String,
    title: &mut Option<(String, String)>,
) -> Answer {
    ui.heading(if title.is_some() { "Rename or move a scenario" } else { "Rename or move a file" });
    ui.label(format!("{name} is to be called:"));
    let mut entered = show_field(ui, "Folder and name", to);
    let mut wrong = find_name_fault(app, name, to);
    let mut other = None;
    if let Some((was, is)) = title {
        entered |= show_field(ui, "Title", is);
        if is.trim().is_empty() {
            wrong = wrong.or(Some(String::from("A scenario needs a title.")));
        }
        other = Some(is.trim().to_string()).filter(|t| t != was);
    }
    if let Some(why) = &wrong {
        ui.colored_label(ui.visuals().warn_fg_color, why);
    }
    let good = wrong.is_none() && (*to != **name || other.is_some());
    match show_buttons(ui, ["Rename", "Cancel"]) {
        Some(1) => Answer::nothing(),
        pressed if good && (entered || pressed == Some(0)) => {
            Answer::with_command(Command::Move { name: name.clone(), to: to.as_str().into(), title: other })
        }
        _ => Answer::default(),
    }
}

fn ask_new_game(ui: &mut egui::Ui, app: &App, title: &mut String, template: &mut usize) -> Answer {
    ui.heading("A new game");
    ui.label("It begins as a small whole game with tests, which can be played at once. Which one is most like yours?");
    ui.add_space(4.0);
    for (n, t) in Template::ALL.iter().enumerate() {
        ui.radio_value(template, n, egui::RichText::new(t.name).strong());
        ui.indent(t.name, |ui| ui.weak(t.about()));
    }
    ui.add_space(6.0);
    let entered = show_field(ui, "Title", title);
    let word = template::to_word(title, true);
    let folder = template::to_word(title, false).replace('_', "-");
    let name = format!("rules/{folder}/{folder}.rules");
    let free = app.document.text(&name).is_none();
    let good = !title.trim().is_empty() && free;
    if !title.trim().is_empty() {
        let told = if free {
            format!("{name}, called {word} in rules")
        } else {
            format!("There is already a file {name}.")
        };
        ui.weak(told);
    }
    match show_buttons(ui, ["Make it", "Cancel"]) {
        Some(1) => Answer::nothing(),
        pressed if good && (entered || pressed == Some(0)) => {
            let shown = template::to_title(title.trim());
            let Some(template) = Template::ALL.get(*template) else { return Answer::nothing() };
            let text = template.make_text(&shown, &word);
            Answer::with_command(Command::Create {
                label: format!("new game {shown}"),
                name: name.into(),
                text,
            })
        }
        _ => Answer::default(),
    }
}

fn ask_new_scenario(
    ui: &mut egui::Ui,
    app: &App,
    game: &mut Arc<str>,
    title: &mut String,
    from: &mut Option<Arc<str>>,
) -> Answer {
    ui.heading("A new scenario");
    let entered = show_field(ui, "Title", title);
    let games = app.document.games();
    let shown = games.find_by_file(game).map_or("", |g| &g.title).to_string();
    egui::ComboBox::from_label("Game").selected_text(shown).show_ui(ui, |ui| {
        for g in &games.games {
            if ui.selectable_label(g.file == *game, &*g.title).clicked() {
                *game = g.file.clone();
                *from = None;
            }
        }
    });
    let Some(of) = games.find_by_file(game) else { return Answer::default() };
    let shown =
        of.scenarios.iter().find(|(_, _, f)| Some(f) == from.as_ref()).map_or("An empty one", |(_, t, _)| t);
    egui::ComboBox::from_label("Begins as a copy of").selected_text(shown).show_ui(ui, |ui| {
        ui.selectable_value(from, None, "An empty one");
        for (_, t, f) in &of.scenarios {
            ui.selectable_value(from, Some(f.clone()), &**t);
        }
    });
    let word = template::to_word(title, false);
    let folder = of.scenarios_folder();
    let name = houserule::ide::games::join_path(&folder, &format!("{word}.scenario"));
    let free = app.document.text(&name).is_none();
    if !title.trim().is_empty() {
        ui.weak(if free { name.clone() } else { format!("There is already a file {name}.") });
    }
    let good = !title.trim().is_empty() && free;
    match show_buttons(ui, ["Make it", "Cancel"]) {
        Some(1) => Answer::nothing(),
        pressed if good && (entered || pressed == Some(0)) => {
            let copy = from.as_ref().and_then(|f| app.document.text(f));
            let text = copy
                .and_then(|t| template::copy_scenario(t, &word, title.trim()))
                .unwrap_or_else(|| template::make_scenario(&word, title.trim(), &of.word));
            let label = format!("new scenario {}", template::to_title(title.trim()));
            Answer::with_command(Command::Create { label, name: name.into(), text })
        }
        _ => Answer::default(),
    }
}
