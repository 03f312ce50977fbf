//! The description of a named command (name, icon, shortcut, help), and how its keys are written.
use egui::{Key, KeyboardShortcut, Modifiers};

/// What is known of a command that has a name.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Never changes: settings keep shortcuts by it.
    pub id: &'static str,
    /// As the palette, menus and tooltips call it.
    pub name: &'static str,
    /// A sign of the icon font; may be empty.
    pub icon: &'static str,
    /// What it does, in one sentence, for tooltips.
    pub about: &'static str,
    /// Its shortcut if none was chosen.
    pub shortcut: Option<KeyboardShortcut>,
}

impl Info {
    /// What its button says: its icon, if it has one, and its name.
    pub fn title(&self) -> String {
        if self.icon.is_empty() { self.name.to_string() } else { format!("{} {}", self.icon, self.name) }
    }
}

/// Ctrl (or the system's own) and a key.
pub const fn ctrl(key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(Modifiers::COMMAND, key))
}

/// Ctrl, shift and a key.
pub const fn ctrl_shift(key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), key))
}

/// Alt and a key.
pub const fn alt(key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(Modifiers::ALT, key))
}

/// A key alone.
pub const fn key(key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(Modifiers::NONE, key))
}

/// Shift and a key.
pub const fn shift(key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(Modifiers::SHIFT, key))
}
