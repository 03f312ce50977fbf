//! The list of files as it is shown.
use super::Data;
use crate::command::Command;
use crate::document::Place;
use crate::panels::{Context, empty};

/// What the list keeps between frames.
#[derive(Debug, Default)]
pub struct State {
    /// What a name must have in it.
    wanted: String,
    /// Whether the field is to have the keyboard.
    pub focus: bool,
}

impl State {
    /// Shows the list, and gives what is wanted.
    pub fn ui(&mut self, ui: &mut egui::Ui, cx: &Context) -> Vec<Command> {
        let mut out = Vec::new();
        let label = ui.label("Find a file");
        ui.add(egui::TextEdit::singleline(&mut self.wanted).desired_width(f32::INFINITY))
            .labelled_by(label.id);
        let data = Data::of(cx.document, &self.wanted);
        if data.groups.is_empty() {
            let next =
                if self.wanted.is_empty() { "Open a folder with rules." } else { "No file is called so." };
            empty(ui, "Nothing here", next);
            return out;
        }
        let narrowed = !self.wanted.is_empty();
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            for group in &data.groups {
                let open = narrowed
                    || cx
                        .here
                        .is_some_and(|h| group.parts.iter().any(|(_, e)| e.iter().any(|e| e.name == h.file)));
                let id = ui.make_persistent_id(("group", &group.game, &group.title));
                egui::CollapsingHeader::new(&group.title).id_salt(id).default_open(open).show(ui, |ui| {
                    for (heading, entries) in &group.parts {
                        ui.weak(*heading);
                        for e in entries {
                            let here = cx.here.is_some_and(|h| h.file == e.name);
                            let text = if e.dirty { format!("{} •", e.shown) } else { e.shown.clone() };
                            let r = ui.selectable_label(here, text).on_hover_text(&*e.name);
                            if r.clicked() {
                                out.push(Command::GoTo(Place::new(e.name.clone(), 0..0)));
                            }
                        }
                    }
                });
            }
        });
        out
    }
}
