//! The panes of the window. Each is a folder: `data.rs` makes plain data of document, analysis and session; `ui.rs` shows it and returns commands; the app executes them.
pub mod book;
pub mod cards;
pub mod draw;
pub mod files;
pub mod findings;
pub mod history;
mod made_test;
pub mod measure;
pub mod play;
pub mod search;
pub mod setup;
pub mod start;
pub mod write;

use crate::analyses::Analyses;
use crate::command::Command;
use crate::document::{Document, Subject, TextPlace};
use crate::jobs::Jobs;
use crate::keys::Keys;
pub use crate::pane::Pane;
use crate::settings::Settings;
use crate::shipped::Renewal;
use crate::style::primary_button;

/// What is drawn, in words of a set-up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnSetup {
    /// Of which game.
    pub subject: Subject,
    /// Whether it is more than the game's own maps: these leave open what is played.
    pub chosen: bool,
    /// The scenario.
    pub scenario: Option<String>,
    /// The variants that are on.
    pub variants: Vec<String>,
}

/// What a pane sees while it is shown. It changes nothing of this itself: it gives back commands.
pub struct Context<'a> {
    /// All texts.
    pub document: &'a Document,
    /// What is known of the games, maybe of texts a little older than the present ones.
    pub analyses: &'a Analyses,
    /// What a person has chosen.
    pub settings: &'a Settings,
    /// Shortcuts as they are now.
    pub keys: &'a Keys,
    /// The open file and what is selected in it, shared by all panes; none if no file is open.
    pub here: Option<&'a TextPlace>,
    /// The file and selection that a command (`GoTo`) has just led to: a pane brings it into view. It is there for one frame only.
    pub arrived: Option<&'a TextPlace>,
    /// The pane that a command has just given the keyboard to: it asks egui for the focus. It is there for one frame only.
    pub focus: Option<Pane>,
    /// The pane that was last used.
    pub front: Pane,
    /// What Draw shows for the open file, if it does.
    pub drawn: Option<&'a DrawnSetup>,
    /// For long work.
    pub jobs: &'a Jobs,
    /// The folder that is open, as it is listed among those opened lately; none before one is.
    pub folder: Option<&'a str>,
    /// What could be renewed, if the open folder is the working copy of the games that ship.
    pub renewal: Option<&'a Renewal>,
}

/// What a pane shows where there is nothing: what it is for and what to do next.
pub fn show_empty(ui: &mut egui::Ui, title: &str, next: &str) {
    ui.vertical_centered(|ui| {
        ui.add_space(ui.available_height() * 0.3);
        ui.heading(title);
        ui.add_space(6.0);
        ui.label(next);
    });
}

/// A button of a command that has a name: labelled, with its tooltip and shortcut.
pub fn show_button(ui: &mut egui::Ui, keys: &Keys, command: Command, on: bool, wanted: &mut Vec<Command>) {
    show_command(ui, keys, command, on, false, wanted);
}

/// A button of the command that its place is for: filled.
pub fn show_primary_button(
    ui: &mut egui::Ui,
    keys: &Keys,
    command: Command,
    on: bool,
    wanted: &mut Vec<Command>,
) {
    show_command(ui, keys, command, on, true, wanted);
}

fn show_command(
    ui: &mut egui::Ui,
    keys: &Keys,
    command: Command,
    on: bool,
    primary: bool,
    wanted: &mut Vec<Command>,
) {
    let Some(info) = command.info() else { return };
    let shown = info.title();
    let button = if primary { primary_button(shown) } else { egui::Button::new(shown) };
    let r = ui.add_enabled(on, button).on_hover_text(keys.tooltip(&command));
    r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, on, info.name));
    if r.clicked() {
        wanted.push(command);
    }
}
