//! What keys do in the text.
use super::view::Go;
use super::{Popup, State};
use crate::command::{Command, apply};
use crate::panels::Context;
use egui::{Event, EventFilter, ImeEvent, Key, Modifiers};
use std::sync::Arc;

/// The keys that the text wants for itself.
pub const FILTER: EventFilter =
    EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: true };

impl State {
    /// Does what was typed in this frame.
    pub(super) fn keys(&mut self, ui: &egui::Ui, file: &Arc<str>, cx: &Context, out: &mut Vec<Command>) {
        let events = ui.input(|i| i.filtered_events(&FILTER));
        for event in events {
            match event {
                Event::Text(t) if !t.is_empty() && !t.chars().any(char::is_control) => {
                    self.write(file, cx, &t);
                }
                Event::Paste(t) => self.edit(file, |v| v.paste(&t)),
                Event::Copy | Event::Cut => {
                    let Some(v) = self.views.get_mut(file) else { continue };
                    if v.selected().is_empty() {
                        // The whole line, as elsewhere.
                        let line = v.line(v.line_of(v.caret));
                        v.select(line.start..(line.end + 1).min(v.text().len()));
                    }
                    ui.ctx().copy_text(v.selected().to_string());
                    if matches!(event, Event::Cut) {
                        self.edit(file, |v| v.insert("", false));
                    }
                }
                Event::Ime(ImeEvent::Preedit { text, .. }) => self.preedit = text,
                Event::Ime(ImeEvent::Commit(t)) => {
                    self.preedit.clear();
                    self.write(file, cx, &t);
                }
                // While an input method composes, keys are its own.
                Event::Key { key, pressed: true, modifiers, .. }
                    if self.preedit.is_empty() && !self.popup_key(key, modifiers, file, cx, out) =>
                {
                    self.press(ui, key, modifiers, file, cx);
                }
                _ => {}
            }
        }
    }

    fn edit(&mut self, file: &Arc<str>, f: impl FnOnce(&mut super::View)) {
        self.popup = None;
        self.with(file, f);
    }

    fn write(&mut self, file: &Arc<str>, cx: &Context, text: &str) {
        self.with(file, |v| v.insert(text, true));
        let Some(v) = self.views.get(file) else { return };
        let word = v.word_at(v.caret);
        let open = matches!(self.popup, Some(Popup::Complete { .. }));
        let letters = text.chars().all(|c| c.is_alphanumeric() || c == '_');
        if text == "." || (letters && (open || v.caret.saturating_sub(word.start) >= 2)) {
            self.complete(file, cx, false);
        } else {
            self.popup = None;
        }
    }

    fn press(&mut self, ui: &egui::Ui, key: Key, m: Modifiers, file: &Arc<str>, cx: &Context) {
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
            return self.edit(file, |v| v.go(go, m.shift));
        }
        match key {
            Key::Enter => self.edit(file, super::View::new_line),
            Key::Tab => self.edit(file, |v| v.indent(!m.shift)),
            Key::Backspace | Key::Delete => {
                let go = match (key == Key::Backspace, word) {
                    (true, false) => Go::Left,
                    (true, true) => Go::WordLeft,
                    (false, false) => Go::Right,
                    (false, true) => Go::WordRight,
                };
                let open = matches!(self.popup, Some(Popup::Complete { .. }));
                self.edit(file, |v| v.delete(go));
                if open && key == Key::Backspace {
                    self.complete(file, cx, false);
                }
            }
            Key::A if word => self.edit(file, |v| v.select(0..v.text().len())),
            Key::Escape => {
                self.with(file, |v| v.anchor = v.caret);
                self.find.shown = false;
                self.uses = None;
                // A second time gives the keyboard back to the window.
                ui.ctx().request_repaint();
            }
            _ => {}
        }
    }

    /// Keys of the list at the caret; says whether it took the key.
    fn popup_key(
        &mut self,
        key: Key,
        m: Modifiers,
        file: &Arc<str>,
        _cx: &Context,
        out: &mut Vec<Command>,
    ) -> bool {
        let (n, chosen, takes) = match &mut self.popup {
            None => return false,
            Some(Popup::Complete { items, chosen, asked, .. }) => {
                if key == Key::ArrowDown || key == Key::ArrowUp {
                    *asked = true;
                }
                (items.len(), chosen, *asked)
            }
            Some(Popup::Fixes { fixes, chosen, .. }) => (fixes.len(), chosen, true),
        };
        match key {
            Key::Escape => self.popup = None,
            Key::ArrowDown if n > 0 && !m.any() => *chosen = (*chosen + 1) % n,
            Key::ArrowUp if n > 0 && !m.any() => *chosen = (*chosen + n - 1) % n,
            Key::Tab if n > 0 => self.take(file, out),
            Key::Enter if n > 0 && takes => self.take(file, out),
            _ => return false,
        }
        true
    }

    /// Takes what is chosen in the list at the caret.
    pub(super) fn take(&mut self, file: &Arc<str>, out: &mut Vec<Command>) {
        match self.popup.take() {
            Some(Popup::Complete { items, chosen, .. }) => {
                if let Some(item) = items.get(chosen).cloned() {
                    self.with(file, |v| {
                        // The word as it is now: more of it may have been typed since.
                        let word = v.word_at(v.caret);
                        let from =
                            if word.contains(&v.caret) || word.end == v.caret { word.start } else { v.caret };
                        v.put(from..v.caret, &item.text, false);
                    });
                }
            }
            Some(Popup::Fixes { fixes, chosen, since }) => {
                if let Some(fix) = fixes.get(chosen) {
                    out.push(apply(since, fix.edits.clone()));
                }
            }
            None => {}
        }
        self.focus = true;
    }
}
