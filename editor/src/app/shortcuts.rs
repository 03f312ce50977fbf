//! The list of shortcuts, where they can be read and changed.
use super::App;
use super::palette::match_score;
use super::question::{Answer, Shortcuts};
use crate::command::Command;
use crate::keys::write_shortcut;
use egui::{Event, Key, KeyboardShortcut, Modifiers};

/// The keys that were pressed, if they can be a shortcut.
fn pressed_shortcut(events: &[Event]) -> Option<KeyboardShortcut> {
    events.iter().find_map(|e| match e {
        Event::Key { key, pressed: true, modifiers, .. } if *key != Key::Escape => {
            let mut held = Modifiers::NONE;
            held.command = modifiers.command || modifiers.ctrl;
            held.alt = modifiers.alt;
            held.shift = modifiers.shift;
            Some(KeyboardShortcut::new(held, *key))
        }
        _ => None,
    })
}

pub(super) fn ui(ui: &mut egui::Ui, app: &App, state: &mut Shortcuts) -> Answer {
    let mut answer = Answer::default();
    if let Some(id) = state.waiting {
        let events = ui.input_mut(|i| std::mem::take(&mut i.events));
        if let Some(shortcut) = pressed_shortcut(&events) {
            state.waiting = None;
            answer.wanted.push(Command::SetShortcut { id, text: Some(write_shortcut(shortcut)) });
        } else if events.iter().any(|e| matches!(e, Event::Key { key: Key::Escape, pressed: true, .. })) {
            state.waiting = None;
        }
    }
    ui.heading("Shortcuts");
    let label = ui.label("Find a command");
    ui.add(egui::TextEdit::singleline(&mut state.wanted).desired_width(520.0)).labelled_by(label.id);
    let all = Command::all();
    egui::ScrollArea::vertical()
        .max_height(420.0)
        .min_scrolled_height(420.0)
        .auto_shrink([true, false])
        .show(ui, |ui| {
            egui::Grid::new("shortcuts").num_columns(4).striped(true).show(ui, |ui| {
                for command in &all {
                    let Some(info) = command.info() else { continue };
                    let name = match command.pane() {
                        Some(pane) => format!("{}: {}", pane.name(), info.name),
                        None => info.name.to_string(),
                    };
                    if match_score(&name, &state.wanted).is_none() {
                        continue;
                    }
                    ui.label(&name).on_hover_text(info.about);
                    let now = app.keys.get(&info);
                    let shown = match state.waiting {
                        Some(id) if id == info.id => String::from("press keys …"),
                        _ if now.is_none() => String::from("none"),
                        _ => app.keys.to_text(&info),
                    };
                    let r = ui.button(&shown).on_hover_text("Click, then press the new keys.");
                    let on = r.enabled();
                    r.widget_info(|| {
                        egui::WidgetInfo::labeled(
                            egui::Role::Button,
                            on,
                            format!("Change shortcut of {name}, now {shown}"),
                        )
                    });
                    if r.clicked() {
                        state.waiting = Some(info.id);
                    }
                    ui.horizontal(|ui| {
                        let mut small = |text: &str, told: &str, to: Option<String>| {
                            let r = ui.small_button(text).on_hover_text(told);
                            r.widget_info(|| {
                                egui::WidgetInfo::labeled(egui::Role::Button, true, format!("{text}: {name}"))
                            });
                            if r.clicked() {
                                answer.wanted.push(Command::SetShortcut { id: info.id, text: to });
                            }
                        };
                        if now.is_some() {
                            small("None", "No keys for this.", Some(String::new()));
                        }
                        if now != info.shortcut {
                            small("Default", "The keys as they were at first.", None);
                        }
                    });
                    // Two commands that may meet must not share keys.
                    let twin = all.iter().find(|c| {
                        let meet =
                            c.pane().is_none() || command.pane().is_none() || c.pane() == command.pane();
                        *c != command
                            && meet
                            && now.is_some()
                            && c.info().and_then(|i| app.keys.get(&i)) == now
                    });
                    match twin.and_then(Command::info) {
                        Some(twin) => {
                            ui.colored_label(ui.visuals().warn_fg_color, format!("also {}", twin.name))
                        }
                        None => ui.label(""),
                    };
                    ui.end_row();
                }
            });
        });
    ui.add_space(8.0);
    answer.over = ui.button("Close").clicked();
    answer
}
