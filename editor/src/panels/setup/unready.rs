//! Shows why the game of the open file has no set-up form yet: it is being read, or something is wrong with it.
use super::{LoadedGame, Preparation};
use crate::command::Command;
use crate::document::Subject;
use crate::panels::{Context, findings, show_empty};
use egui::Ui;

/// Shows it, under that title if something is wrong. False if the game has a form.
pub fn show_unready(
    ui: &mut Ui,
    cx: &Context,
    setup: &Preparation,
    subject: &Subject,
    title: &str,
    out: &mut Vec<Command>,
) -> bool {
    match &setup.loaded {
        Some(LoadedGame { subject: s, game: Ok(_), .. }) if s == subject => return false,
        Some(LoadedGame { subject: s, game: Err(wrong), .. }) if s == subject => {
            show_empty(ui, title, wrong.first().map_or("", String::as_str));
            return true;
        }
        _ => {}
    }
    match (cx.analyses.get(subject).map(|k| k.analysis.sound), cx.analyses.failure_of(cx.document, subject)) {
        (Some(false), _) => {
            show_empty(ui, title, "Something is wrong with it. A click leads to the place:");
            show_errors(ui, cx, subject, out);
        }
        (_, Some(failed)) => show_empty(ui, title, &format!("{failed}. {}.", crate::analyses::NEXT)),
        (_, None) => show_empty(ui, "One moment", "The game is being read."),
    }
    true
}

/// So many errors of a game are listed.
const ERRORS: usize = 6;

/// The errors of a game, each leading to its place.
fn show_errors(ui: &mut Ui, cx: &Context, subject: &Subject, out: &mut Vec<Command>) {
    let Some(known) = cx.analyses.get(subject) else { return };
    let found = findings::Data::from_known(cx.document, known).findings;
    let errors = || found.iter().filter(|f| f.error);
    ui.vertical_centered(|ui| {
        for f in errors().take(ERRORS) {
            if ui.link(format!("{} {}", f.code, f.message)).on_hover_text(&f.told).clicked() {
                out.push(Command::GoTo(f.place.clone()));
            }
        }
        let more = errors().count().saturating_sub(ERRORS);
        if more > 0 {
            ui.weak(format!("and {more} more in the list of findings"));
        }
    });
}
