//! The list of the undo history: every step that was done or taken back, from all panes.
use crate::command::Command;
use crate::document::Document;
use crate::panels::show_empty;

/// What the history shows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Data {
    /// What was done, oldest first, then what was taken back, the next to be done again first.
    pub steps: Vec<String>,
    /// How many of them are done.
    pub done: usize,
}

impl Data {
    /// The document's history.
    pub fn from_document(document: &Document) -> Data {
        let history = document.history();
        let steps = history.done.iter().chain(history.undone.iter().rev()).map(|s| s.describe()).collect();
        Data { steps, done: history.done.len() }
    }
}

/// Shows it; a click takes back, or does again, all up to there.
pub fn ui(ui: &mut egui::Ui, data: &Data) -> Vec<Command> {
    let mut out = Vec::new();
    if data.steps.is_empty() {
        show_empty(
            ui,
            "No steps yet",
            "What you change in text or on the map is listed here, and can be taken back.",
        );
        return out;
    }
    // Rows of one height, so that of a long history only those in sight are laid out.
    let high = ui.spacing().interact_size.y;
    let area = egui::ScrollArea::both().auto_shrink(false).stick_to_bottom(true);
    area.show_rows(ui, high, data.steps.len() + 1, |ui, rows| {
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
        for row in rows {
            let Some(i) = row.checked_sub(1) else {
                if ui.selectable_label(data.done == 0, "As it was opened").clicked() {
                    out.push(Command::Travel(0));
                }
                continue;
            };
            let Some(step) = data.steps.get(i) else { continue };
            let taken = i >= data.done;
            let text = egui::RichText::new(format!("{}. {step}", i + 1));
            let text = if taken { text.weak().strikethrough() } else { text };
            let r = ui.selectable_label(i + 1 == data.done, text);
            let r = r.on_hover_text(if taken {
                "Taken back; click to do it again."
            } else {
                "Click to go back to here."
            });
            if r.clicked() {
                out.push(Command::Travel(i + 1));
            }
        }
    });
    out
}
