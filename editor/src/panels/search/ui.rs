//! The search as it is shown.
use super::{Data, replaced};
use crate::command::{self, Command};
use crate::document::Revision;
use crate::panels::Context;
use houserule::ide::Query;

/// What the search keeps between frames.
#[derive(Debug, Default)]
pub struct State {
    wanted: Query,
    with: String,
    /// What was found, and for what and when.
    found: Option<(Query, Revision, Data)>,
    /// Whether the field is to have the keyboard.
    pub focus: bool,
}

impl State {
    /// Shows the search, and gives what is wanted.
    pub fn ui(&mut self, ui: &mut egui::Ui, cx: &Context) -> Vec<Command> {
        let mut out = Vec::new();
        let label = ui.label("Find in all files");
        let field = egui::TextEdit::singleline(&mut self.wanted.text).desired_width(f32::INFINITY);
        let field = ui.add(field).labelled_by(label.id);
        if std::mem::take(&mut self.focus) {
            field.request_focus();
        }
        let label = ui.label("Replace by");
        ui.add(egui::TextEdit::singleline(&mut self.with).desired_width(f32::INFINITY)).labelled_by(label.id);
        ui.checkbox(&mut self.wanted.case, "Capital and small letters differ");
        ui.checkbox(&mut self.wanted.word, "Whole words only");
        let now = cx.document.revision();
        match &mut self.found {
            Some((wanted, then, data)) if *wanted == self.wanted => {
                if *then != now {
                    data.again(cx.document, wanted);
                    *then = now;
                }
            }
            other => *other = Some((self.wanted.clone(), now, Data::of(cx.document, &self.wanted))),
        }
        let Some((_, _, data)) = &self.found else { return out };
        let count = match (data.found.len(), data.more) {
            (0, _) if self.wanted.text.is_empty() => String::from("Type what you look for."),
            (0, _) => String::from("It is nowhere."),
            (1, _) => String::from("1 place"),
            (n, true) => format!("more than {n} places"),
            (n, false) => format!("{n} places"),
        };
        ui.horizontal(|ui| {
            ui.weak(count);
            let all = ui.add_enabled(!data.found.is_empty() && !data.more, egui::Button::new("Replace all"));
            if all
                .on_hover_text(
                    "Put the second text in place of the first everywhere; one step of the history.",
                )
                .clicked()
            {
                out.push(command::apply(now, replaced(&data.found, &self.wanted, &self.with)));
            }
        });
        // Rows of one height, so that only those in sight are laid out: a heading for each file is a row, too.
        let mut rows: Vec<Result<&str, &super::Found>> = Vec::new();
        let mut file = "";
        for f in &data.found {
            if *f.place.file != *file {
                file = &f.place.file;
                rows.push(Ok(file));
            }
            rows.push(Err(f));
        }
        let high = ui.spacing().interact_size.y;
        egui::ScrollArea::both().auto_shrink(false).show_rows(ui, high, rows.len(), |ui, range| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            for row in rows.get(range).unwrap_or(&[]) {
                match row {
                    Ok(file) => {
                        ui.strong(*file);
                    }
                    Err(f) => {
                        if ui.selectable_label(false, format!("{}: {}", f.line, f.text)).clicked() {
                            out.push(Command::GoTo(f.place.clone()));
                        }
                    }
                }
            }
        });
        out
    }
}
