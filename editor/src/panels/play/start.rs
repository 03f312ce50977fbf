//! Shows the set-up form with its button *Start*, and the tests that a match can start from.
use crate::panels::setup::{Filled, show_fields};
use crate::play::{Form, Sitter};
use crate::style::primary_button;
use egui::Ui;
use egui_material_icons::icons;

/// Shows the form, whose button has the keyboard with `focus`. True if the game is to be started.
pub fn show_start(ui: &mut Ui, filled: &mut Filled, form: &Form, focus: bool) -> bool {
    show_fields(ui, filled, form, &Sitter::all(), |_| ());
    let start = ui
        .add_enabled(
            form.wrong.is_empty(),
            primary_button(format!("{} Start", icons::ICON_PLAY_ARROW.codepoint)),
        )
        .on_hover_text("Start on a copy: nothing that is played changes a file.");
    start.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, form.wrong.is_empty(), "Start"));
    if focus {
        start.request_focus();
    }
    let mut go = start.clicked();
    if go {
        filled.test = None;
    }
    if !form.tests.is_empty() {
        ui.collapsing("Start where a test ends", |ui| {
            let field = ui.add(egui::TextEdit::singleline(&mut filled.wanted).hint_text("Find a test"));
            field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Find a test"));
            let wanted = filled.wanted.to_lowercase();
            for title in form.tests.iter().filter(|t| t.to_lowercase().contains(&wanted)).take(30) {
                if ui
                    .link(title)
                    .on_hover_text("Play its lines to their end, and go on from there.")
                    .clicked()
                {
                    filled.test = Some(title.clone());
                    go = true;
                }
            }
        });
    }
    go
}
