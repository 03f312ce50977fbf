//! Shows the list of files.
use super::Data;
use crate::command::Command;
use crate::document::{Revision, TextPlace};
use crate::panels::{Context, show_empty};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What the list keeps between frames.
#[derive(Debug, Default)]
pub struct State {
    /// What a name must have in it.
    wanted: String,
    /// Whether the field is to have the keyboard.
    pub focus: bool,
    /// The file that was brought in sight last.
    followed: Option<Arc<str>>,
    /// What was shown last, and of what it was made.
    kept: Option<(DataKey, Arc<Data>)>,
}

/// What the list is made of: the revision, what is other than on disk, what a name must have in it.
type DataKey = (Revision, BTreeSet<Arc<str>>, String);

impl State {
    /// Shows the list, and gives what is wanted.
    pub fn ui(&mut self, ui: &mut egui::Ui, cx: &Context) -> Vec<Command> {
        let mut out = Vec::new();
        let label = ui.label("Find a file");
        let field = ui.add(egui::TextEdit::singleline(&mut self.wanted).desired_width(f32::INFINITY));
        let field = field.labelled_by(label.id);
        if std::mem::take(&mut self.focus) {
            field.request_focus();
        }
        let of = (cx.document.revision(), cx.document.dirty_files().clone(), self.wanted.clone());
        let data = match &self.kept {
            Some((then, data)) if *then == of => data.clone(),
            _ => Arc::new(Data::from_document(cx.document, &self.wanted)),
        };
        self.kept = Some((of, data.clone()));
        if data.groups.is_empty() {
            let next =
                if self.wanted.is_empty() { "Open a folder with rules." } else { "No file has this name." };
            show_empty(ui, "Nothing here", next);
            return out;
        }
        let narrowed = !self.wanted.is_empty();
        // The file that is open now, until it is in sight.
        let sought = cx.here.map(|h| h.file.clone()).filter(|file| self.followed.as_ref() != Some(file));
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            for group in &data.groups {
                let open = narrowed
                    || cx
                        .here
                        .is_some_and(|h| group.parts.iter().any(|(_, e)| e.iter().any(|e| e.name == h.file)));
                let id = ui.make_persistent_id(("group", &group.game, &group.title));
                let unfolds = (open && sought.is_some()).then_some(true);
                let header = egui::CollapsingHeader::new(&group.title).id_salt(id);
                header.default_open(open).open(unfolds).show(ui, |ui| {
                    for (heading, entries) in &group.parts {
                        ui.weak(*heading);
                        for e in entries {
                            let here = cx.here.is_some_and(|h| h.file == e.name);
                            let text = if e.dirty { format!("{} •", e.shown) } else { e.shown.clone() };
                            let r = ui.selectable_label(here, text).on_hover_text(&*e.name);
                            if sought.as_ref() == Some(&e.name) {
                                if ui.clip_rect().contains(r.rect.center()) {
                                    self.followed = sought.clone();
                                } else {
                                    r.scroll_to_me(None);
                                }
                            }
                            if r.clicked() {
                                out.push(Command::GoTo(TextPlace::new(e.name.clone(), 0..0)));
                            }
                            r.context_menu(|ui| {
                                if ui.button("Rename or move …").clicked() {
                                    out.push(Command::AskMove(e.name.clone()));
                                    ui.close();
                                }
                                if ui.button("Remove").on_hover_text("Undo brings it back.").clicked() {
                                    out.push(Command::Remove(e.name.clone()));
                                    ui.close();
                                }
                            });
                        }
                    }
                });
            }
        });
        out
    }
}
