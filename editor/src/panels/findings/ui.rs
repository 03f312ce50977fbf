//! Shows the list of findings.
use super::Data;
use crate::command::Command;

/// Shows the list; a click leads to the place.
pub fn ui(ui: &mut egui::Ui, data: &Data, checked: bool) -> Vec<Command> {
    let mut out = Vec::new();
    if data.findings.is_empty() {
        ui.weak(match (checked, data.tried) {
            (true, true) => "Nothing is wrong with this game.",
            (true, false) => "Nothing is wrong with the text of this game; its set-ups are being tried.",
            (false, _) => "Open a file of a game to have it checked.",
        });
        return out;
    }
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        for f in &data.findings {
            let sign = if f.error { "Error" } else { "Warning" };
            let color = if f.error { ui.visuals().error_fg_color } else { ui.visuals().warn_fg_color };
            ui.horizontal_wrapped(|ui| {
                ui.colored_label(color, format!("{sign} {}", f.code));
                let r = ui.link(&f.message).on_hover_text(f.help.as_deref().unwrap_or("Go to the place."));
                if r.clicked() {
                    out.push(Command::GoTo(f.place.clone()));
                }
                ui.weak(&f.told);
            });
        }
    });
    out
}
