//! Shows the start page.
use super::{Data, GameEntry};
use crate::command::{Act, Command};
use crate::document::TextPlace;
use crate::panels::{Context, Pane, play};
use std::path::PathBuf;

/// Shows the page, and gives what is wanted.
pub fn ui(ui: &mut egui::Ui, cx: &Context) -> Vec<Command> {
    let mut out = Vec::new();
    let data = Data::from_document(cx.document, &cx.settings.recent, cx.folder, cx.renewal);
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.add_space(16.0);
        if data.games.is_empty() {
            ui.heading("No games here yet");
            ui.label("Begin one of your own, or open a folder with rules.");
        } else {
            ui.heading("Choose a game to begin with");
            ui.weak("Play it, look at its map, or read its rules; all three show the same text.");
        }
        if let Some((told, button)) = data.renewal_offer() {
            ui.add_space(6.0);
            ui.label(told);
            let help = "Files that you have not changed are replaced by their new versions. Undo takes that back, one file at a time.";
            if ui.button(button).on_hover_text(help).clicked() {
                out.push(Command::Renew);
            }
        }
        ui.add_space(10.0);
        for game in &data.games {
            show_row(ui, game, &mut out);
            ui.add_space(8.0);
        }
        ui.separator();
        ui.horizontal_wrapped(|ui| {
            for (act, name) in [(Act::NewGame, "A game of your own …"), (Act::OpenFolder, "Open a folder …")]
            {
                if ui.button(name).on_hover_text(act.info().about).clicked() {
                    out.push(Command::Do(act));
                }
            }
        });
        if !data.recent.is_empty() {
            ui.add_space(10.0);
            ui.strong("Folders opened lately");
            for folder in &data.recent {
                if ui.link(folder).clicked() {
                    out.push(Command::Open(PathBuf::from(folder)));
                }
            }
        }
    });
    out
}

fn show_row(ui: &mut egui::Ui, game: &GameEntry, out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        ui.strong(&game.title);
        ui.weak(game.size_text());
    });
    if !game.about.is_empty() {
        ui.label(&game.about);
    }
    ui.horizontal(|ui| {
        let mut button = |sign: &str, word: &str, help: &str| {
            let r = ui.button(format!("{sign} {word}")).on_hover_text(help);
            let name = format!("{word} {}", game.title);
            r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
            r.clicked()
        };
        if button("▶", "Play", "Start a game with yourself in the first seat and bots in the others.") {
            out.push(Command::GoTo(TextPlace::new(game.start_file().clone(), 0..0)));
            out.push(Command::Play(play::Act::Start));
            out.push(Command::ShowAlone(Pane::Play));
        }
        if let Some(scenario) = &game.scenario
            && button("▦", "Draw", "Show the first scenario as a map.")
        {
            out.push(Command::GoTo(TextPlace::new(scenario.clone(), 0..0)));
            out.push(Command::Show(Pane::Draw));
        }
        if button("≡", "Read", "Open the rules.") {
            out.push(Command::GoTo(TextPlace::new(game.rules.clone(), 0..0)));
            out.push(Command::Show(Pane::Write));
        }
    });
}
