//! The command palette: finds a command or a file by its name, with the keyboard.
use super::App;
use super::question::{Answer, Palette};
use crate::command::Command;
use crate::document::TextPlace;
use egui::Key;

/// How well a name has the wanted letters in order: none if it does not, else the more the better. Beginnings of words and letters side by side count more.
pub fn match_score(name: &str, wanted: &str) -> Option<i32> {
    let mut score = 0;
    let mut letters = wanted.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).peekable();
    let (mut before, mut run) = ('\0', 0);
    for c in name.chars() {
        let Some(next) = letters.peek() else { break };
        if c.to_lowercase().eq(std::iter::once(*next)) {
            letters.next();
            run += 1;
            score += 2 * run
                + match before {
                    '\0' => 16,
                    b if b.is_alphanumeric() => 0,
                    _ => 8,
                };
        } else {
            run = 0;
        }
        before = c;
    }
    // Of two that fit as well the shorter is meant.
    letters.peek().is_none().then(|| score * 16 - i32::try_from(name.chars().count()).unwrap_or(0))
}

struct PaletteRow {
    shown: String,
    beside: String,
    about: String,
    command: Command,
}

fn list_rows(app: &App, state: &Palette) -> Vec<PaletteRow> {
    let mut out: Vec<(i32, PaletteRow)> = Vec::new();
    if state.files {
        let mut names: Vec<&std::sync::Arc<str>> =
            app.document.names().filter(|name| !name.ends_with(".png")).collect();
        // Those open lately first, as long as nothing is asked for.
        let lately = |n: &str| app.settings.recent_files.iter().position(|r| r == n).unwrap_or(usize::MAX);
        names.sort_by_key(|n| lately(n));
        for name in names {
            let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
            if let Some(score) = match_score(name, &state.wanted) {
                // A file with exactly this name, with or without its extension, comes first.
                let stem = file.split('.').next().unwrap_or(file);
                let wanted = state.wanted.trim();
                let exact = wanted.eq_ignore_ascii_case(file) || wanted.eq_ignore_ascii_case(stem);
                let score = if exact { i32::MAX } else { score };
                let command = Command::GoTo(TextPlace::new(name.clone(), 0..0));
                let row = PaletteRow {
                    shown: file.into(),
                    beside: folder.into(),
                    about: name.to_string(),
                    command,
                };
                out.push((score, row));
            }
        }
    } else {
        for command in Command::all() {
            let Some(info) = command.info() else { continue };
            let shown = match command.pane() {
                Some(pane) => format!("{}: {}", pane.name(), info.name),
                None => info.name.to_string(),
            };
            if let Some(score) = match_score(&shown, &state.wanted) {
                let row =
                    PaletteRow { shown, beside: app.keys.to_text(&info), about: info.about.into(), command };
                out.push((score, row));
            }
        }
    }
    if !state.wanted.trim().is_empty() {
        out.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    }
    out.into_iter().map(|(_, r)| r).collect()
}

pub(super) fn ui(ui: &mut egui::Ui, app: &App, state: &mut Palette) -> Answer {
    // Taken before the field sees them.
    let (up, down, enter) = ui.input_mut(|i| {
        let none = egui::Modifiers::NONE;
        (
            i.consume_key(none, Key::ArrowUp),
            i.consume_key(none, Key::ArrowDown),
            i.consume_key(none, Key::Enter),
        )
    });
    let label = ui.label(if state.files { "Go to file" } else { "Do what?" });
    let field = egui::TextEdit::singleline(&mut state.wanted).desired_width(520.0);
    let field = ui.add(field).labelled_by(label.id);
    field.request_focus();
    if field.changed() {
        state.at = 0;
    }
    let rows = list_rows(app, state);
    if up {
        state.at = state.at.saturating_sub(1);
    }
    if down {
        state.at += 1;
    }
    state.at = state.at.min(rows.len().saturating_sub(1));
    let mut chosen = None;
    egui::ScrollArea::vertical().max_height(360.0).auto_shrink([false, true]).show(ui, |ui| {
        if rows.is_empty() {
            ui.weak("Nothing has this name.");
        }
        for (i, row) in rows.iter().enumerate() {
            ui.horizontal(|ui| {
                let r = ui.selectable_label(i == state.at, &row.shown).on_hover_text(&row.about);
                ui.weak(&row.beside);
                if i == state.at && (up || down) {
                    r.scroll_to_me(None);
                }
                if r.clicked() {
                    chosen = Some(i);
                }
            });
        }
    });
    if enter {
        chosen = Some(state.at);
    }
    match chosen.and_then(|i| rows.into_iter().nth(i)) {
        Some(row) => {
            // A pane's command is done where it can be seen.
            let mut wanted: Vec<Command> = row.command.pane().map(Command::Show).into_iter().collect();
            wanted.push(row.command);
            Answer { over: true, wanted }
        }
        None => Answer::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::match_score;

    #[test]
    fn what_begins_words_fits_best() {
        let best = |wanted: &str, names: &[&'static str]| {
            let mut all: Vec<(i32, &str)> =
                names.iter().filter_map(|n| Some((match_score(n, wanted)?, *n))).collect();
            all.sort();
            all.last().map(|(_, n)| *n)
        };
        assert_eq!(best("sa", &["Use all", "Save all", "Save"]), Some("Save"));
        assert_eq!(best("sall", &["Use all", "Save all", "Save"]), Some("Save all"));
        assert_eq!(best("sw", &["Show Write", "Search everywhere"]), Some("Show Write"));
        assert_eq!(best("xyz", &["Save"]), None);
    }
}
