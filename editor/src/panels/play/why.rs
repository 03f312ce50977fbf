//! Shows the answer to *why not?*.
use super::Wants;
use crate::command::play::Request;
use crate::play::why::Why;
use egui::{RichText, Ui};

/// The answer to *why not?*.
pub fn show_why(ui: &mut Ui, why: &Why, wants: &mut Wants) {
    ui.horizontal(|ui| {
        ui.strong(format!("Why not {}?", why.about));
        if ui.button("Close").clicked() {
            wants.ask(Request::CloseWhy);
        }
    });
    if let Some(note) = &why.note {
        ui.label(note);
    }
    for about in &why.actions {
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(&about.what).strong());
            if about.against.is_empty() {
                ui.label("– nothing forbids it");
            }
        });
        ui.indent(("against", &about.what), |ui| {
            for reason in &about.against {
                match &reason.place {
                    Some((file, range)) => {
                        if ui.link(&reason.text).on_hover_text(format!("Go to the rule in {file}.")).clicked()
                        {
                            wants.ask(Request::GoTo(file.clone(), range.clone()));
                        }
                    }
                    None => {
                        ui.label(&reason.text);
                    }
                }
            }
            if !about.against.is_empty() && !about.words.is_empty() {
                let r = ui.small_button("Make a test of this refusal");
                if r.on_hover_text(
                    "Writes a test beside the rule: it plays up to here, and then this must be refused.",
                )
                .clicked()
                {
                    wants.ask(Request::MakeTest(Some(about.words.clone())));
                }
            }
        });
    }
}
