//! Handles the keyboard of the Write pane.
use super::view::Go;
use super::{Popup, State};
use crate::command::{Command, apply_edits};
use crate::panels::Context;
use egui::{Event, EventFilter, ImeEvent, Key, Modifiers};
use std::sync::Arc;

/// The keys that the text wants for itself.
pub const FILTER: EventFilter =
    EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: true };

impl State {
    /// Does what was typed in this frame.
    pub(super) fn handle_keys(
        &mut self,
        ui: &egui::Ui,
        file: &Arc<str>,
        cx: &Context,
        out: &mut Vec<Command>,
    ) {
        let events = ui.input(|i| i.filtered_events(&FILTER));
        for event in events {
            match event {
                Event::Text(t) if !t.is_empty() && !t.chars().any(char::is_control) => {
                    self.write(file, cx, &t);
                }
                Event::Paste(t) => self.edit_view(file, |v| v.paste_text(&t)),
                Event::Copy | Event::Cut => {
                    let Some(v) = self.views.get_mut(file) else { continue };
                    if v.selected_text().is_empty() {
                        // The whole line, as elsewhere.
                        let line = v.line(v.line_of(v.caret));
                        v.select_range(line.start..(line.end + 1).min(v.text().len()));
                    }
                    ui.ctx().copy_text(v.selected_text().to_string());
                    if matches!(event, Event::Cut) {
                        self.edit_view(file, |v| v.insert_text("", false));
                    }
                }
                Event::Ime(ImeEvent::Preedit { text, .. }) => self.preedit = text,
                Event::Ime(ImeEvent::Commit(t)) => {
                    self.preedit.clear();
                    self.write(file, cx, &t);
                }
                // While an input method composes, keys are its own.
                Event::Key { key, pressed: true, modifiers, .. }
                    if self.preedit.is_empty() && !self.handle_popup_key(key, modifiers, file, cx, out) =>
                {
                    self.press_key(ui, key, modifiers, file, cx);
                }
                _ => {}
            }
        }
    }

    fn edit_view(&mut self, file: &Arc<str>, f: impl FnOnce(&mut super::TextView)) {
        self.popup = None;
        self.with_view(file, f);
    }

    fn write(&mut self, file: &Arc<str>, cx: &Context, text: &str) {
        self.with_view(file, |v| v.insert_text(text, true));
        let Some(v) = self.views.get(file) else { return };
        let word = v.word_at(v.caret);
        let open = matches!(self.popup, Some(Popup::Complete { .. }));
        let letters = text.chars().all(|c| c.is_alphanumeric() || c == '_');
        if text == "." || (letters && (open || v.caret.saturating_sub(word.start) >= 2)) {
            self.open_completion(file, cx, false);
        } else {
            self.popup = None;
        }
    }

    fn press_key(&mut self, ui: &egui::Ui, key: Key, m: Modifiers, file: &Arc<str>, cx: &Context) {
        let word = m.command || m.ctrl;
        let go = match key {
            Key::ArrowLeft => Some(if word { Go::WordLeft } else { Go::Left }),
            Key::ArrowRight => Some(if word { Go::WordRight } else { Go::Right }),
            Key::ArrowUp => Some(Go::Lines(-1)),
            Key::ArrowDown => Some(Go::Lines(1)),
            Key::PageUp => Some(Go::Lines(-self.page.max(1))),
            Key::PageDown => Some(Go::Lines(self.page.max(1))),
            Key::Home => Some(if word { Go::Top } else { Go::Home }),
            Key::End => Some(if word { Go::Bottom } else { Go::End }),
            _ => None,
        };
        if let Some(go) = go {
            return self.edit_view(file, |v| v.move_caret(go, m.shift));
        }
        match key {
            Key::Enter => self.edit_view(file, super::TextView::break_line),
            Key::Tab => self.edit_view(file, |v| v.indent_lines(!m.shift)),
            Key::Backspace | Key::Delete => {
                let go = match (key == Key::Backspace, word) {
                    (true, false) => Go::Left,
                    (true, true) => Go::WordLeft,
                    (false, false) => Go::Right,
                    (false, true) => Go::WordRight,
                };
                let open = matches!(self.popup, Some(Popup::Complete { .. }));
                self.edit_view(file, |v| v.delete_to(go));
                if open && key == Key::Backspace {
                    self.open_completion(file, cx, false);
                }
            }
            Key::A if word => self.edit_view(file, |v| v.select_range(0..v.text().len())),
            Key::Escape => {
                self.with_view(file, |v| v.anchor = v.caret);
                self.find.shown = false;
                self.uses = None;
                // A second time gives the keyboard back to the window.
                ui.ctx().request_repaint();
            }
            _ => {}
        }
    }

    /// Keys of the list at the caret; says whether it took the key.
    fn handle_popup_key(
        &mut self,
        key: Key,
        m: Modifiers,
        file: &Arc<str>,
        _cx: &Context,
        out: &mut Vec<Command>,
    ) -> bool {
        let written = self.views.get(file).map(|v| {
            let word = v.word_at(v.caret);
            v.text().get(word.start.min(v.caret)..v.caret).unwrap_or("").to_string()
        });
        let (n, chosen, takes) = match &mut self.popup {
            None => return false,
            Some(Popup::Complete { items, chosen, asked, .. }) => {
                if key == Key::ArrowDown || key == Key::ArrowUp {
                    *asked = true;
                }
                // If the word at the caret equals an item, it is complete, and Enter ends the line.
                let whole = items.iter().any(|i| Some(&*i.text) == written.as_deref());
                (items.len(), chosen, *asked || !whole)
            }
            Some(Popup::Fixes { fixes, chosen, .. }) => (fixes.len(), chosen, true),
        };
        match key {
            Key::Escape => self.popup = None,
            Key::ArrowDown if n > 0 && !m.any() => *chosen = (*chosen + 1) % n,
            Key::ArrowUp if n > 0 && !m.any() => *chosen = (*chosen + n - 1) % n,
            Key::Tab if n > 0 => self.take_completion(file, out),
            Key::Enter if n > 0 && takes => self.take_completion(file, out),
            _ => return false,
        }
        true
    }

    /// Takes what is chosen in the list at the caret.
    pub(super) fn take_completion(&mut self, file: &Arc<str>, out: &mut Vec<Command>) {
        match self.popup.take() {
            Some(Popup::Complete { items, chosen, .. }) => {
                if let Some(item) = items.get(chosen).cloned() {
                    self.with_view(file, |v| {
                        // The word as it is now: more of it may have been typed since.
                        let word = v.word_at(v.caret);
                        let from =
                            if word.contains(&v.caret) || word.end == v.caret { word.start } else { v.caret };
                        v.put_text(from..v.caret, &item.text, false);
                    });
                }
            }
            Some(Popup::Fixes { fixes, chosen, since }) => {
                if let Some(fix) = fixes.get(chosen) {
                    out.push(apply_edits(since, fix.edits.clone()));
                }
            }
            None => {}
        }
        self.focus = true;
    }
}
