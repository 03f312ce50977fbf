//! Keyboard shortcuts: the defaults and those that a person chose.
use crate::command::{Command, Info};
use crate::settings::Settings;
use egui::{Key, KeyboardShortcut, ModifierNames, Modifiers};
use std::collections::BTreeMap;

/// Shortcuts as they are now, by a command's id.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    chosen: BTreeMap<String, Option<KeyboardShortcut>>,
}

impl Keys {
    /// As settings say. A shortcut that is not understood is as by default.
    pub fn from_settings(settings: &Settings) -> Keys {
        let mut chosen = BTreeMap::new();
        for (id, text) in &settings.shortcuts {
            if text.is_empty() {
                chosen.insert(id.clone(), None);
            } else if let Some(shortcut) = read_shortcut(text) {
                chosen.insert(id.clone(), Some(shortcut));
            }
        }
        Keys { chosen }
    }

    /// The shortcut of a command.
    pub fn get(&self, info: &Info) -> Option<KeyboardShortcut> {
        self.chosen.get(info.id).copied().unwrap_or(info.shortcut)
    }

    /// The shortcut as it is shown; empty if there is none.
    pub fn to_text(&self, info: &Info) -> String {
        self.get(info).map(|s| s.format(&ModifierNames::NAMES, false)).unwrap_or_default()
    }

    /// A tooltip: what a command does, and its shortcut.
    pub fn tooltip(&self, command: &Command) -> String {
        let Some(info) = command.info() else { return String::new() };
        match self.to_text(&info) {
            s if s.is_empty() => info.about.to_string(),
            s => format!("{} ({s})", info.about),
        }
    }
}

/// A shortcut as settings keep it, such as `Ctrl+Shift+P`; `Ctrl` is the system's own command key.
pub fn write_shortcut(s: KeyboardShortcut) -> String {
    let mut out = String::new();
    for (held, name) in [
        (s.modifiers.command || s.modifiers.ctrl, "Ctrl+"),
        (s.modifiers.alt, "Alt+"),
        (s.modifiers.shift, "Shift+"),
    ] {
        if held {
            out += name;
        }
    }
    out + s.logical_key.name()
}

/// Reads a shortcut.
pub fn read_shortcut(text: &str) -> Option<KeyboardShortcut> {
    let mut modifiers = Modifiers::NONE;
    let mut rest = text;
    loop {
        if let Some(r) = rest.strip_prefix("Ctrl+") {
            (modifiers, rest) = (modifiers.plus(Modifiers::COMMAND), r);
        } else if let Some(r) = rest.strip_prefix("Alt+") {
            (modifiers, rest) = (modifiers.plus(Modifiers::ALT), r);
        } else if let Some(r) = rest.strip_prefix("Shift+") {
            (modifiers, rest) = (modifiers.plus(Modifiers::SHIFT), r);
        } else {
            return Key::from_name(rest).map(|key| KeyboardShortcut::new(modifiers, key));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortcuts_are_kept_as_text() {
        for text in ["Ctrl+Shift+P", "F8", "Alt+Enter", "Ctrl+Alt+Shift+Z"] {
            assert_eq!(write_shortcut(read_shortcut(text).unwrap()), text);
        }
        assert_eq!(read_shortcut("Ctrl+Nonsense"), None);
        let mut s = Settings::default();
        let undo = Command::Do(crate::command::Act::Undo).info().unwrap();
        assert_eq!(Keys::from_settings(&s).to_text(&undo), "Ctrl+Z");
        s.shortcuts.insert("edit.undo".into(), "F5".into());
        assert_eq!(Keys::from_settings(&s).to_text(&undo), "F5");
        s.shortcuts.insert("edit.undo".into(), String::new());
        assert_eq!(Keys::from_settings(&s).get(&undo), None);
    }
}
