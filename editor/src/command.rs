//! Everything that can be done: one enum with name, icon, shortcut and what it is for. [`crate::app::App::carry_out`] is the one place that does it.
use crate::document::{Manner, Place, Revision};
use crate::panels::{Pane, draw, play, write};
use egui::{Key, KeyboardShortcut, Modifiers};
use houserule::ide::{EditSet, Refusal};

/// What a person, or a pane for a person, wants done.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// One of the commands that have a name, of the window as a whole.
    Do(Act),
    /// One of Write's commands that have a name.
    Write(write::Act),
    /// One of Draw's commands that have a name.
    Draw(draw::Act),
    /// One of Play's commands that have a name.
    Play(play::Act),
    /// Changes texts: an edit that was planned against a revision.
    Apply {
        /// The revision that it was planned against.
        since: Revision,
        /// What changes.
        set: EditSet,
        /// Whether it is typing.
        manner: Manner,
    },
    /// Puts in a new file and opens it.
    Create {
        /// What is done, as undo says it.
        label: String,
        /// The file's name.
        name: std::sync::Arc<str>,
        /// Its text.
        text: String,
    },
    /// Tells why something was not done, and what can be done instead.
    Refuse(Refusal),
    /// Opens a file, selects the text there and brings it into view.
    GoTo(Place),
    /// The text's selection is there now; it was moved by the pane itself.
    Selected(Place),
    /// Brings a pane to the front.
    Show(Pane),
    /// Says something in the status bar and to screen readers.
    Say(String),
}

/// What is known of a command that has a name.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Never changes: settings keep shortcuts by it.
    pub id: &'static str,
    /// As the palette, menus and tooltips call it.
    pub name: &'static str,
    /// A sign that the fonts have (arrows, shapes and mathematics of Hack; no emoji); may be empty.
    pub icon: &'static str,
    /// What it does, in one sentence, for tooltips.
    pub about: &'static str,
    /// Its shortcut if none was chosen.
    pub shortcut: Option<KeyboardShortcut>,
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

/// Commands of the window as a whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Act {
    /// Takes back the last step.
    Undo,
    /// Does it again.
    Redo,
    /// Saves the open file.
    Save,
    /// Saves every file.
    SaveAll,
    /// Shows the text.
    ShowWrite,
    /// Shows the map.
    ShowDraw,
    /// Shows the game.
    ShowPlay,
}

impl Act {
    /// All of them.
    pub const ALL: &[Act] =
        &[Act::Undo, Act::Redo, Act::Save, Act::SaveAll, Act::ShowWrite, Act::ShowDraw, Act::ShowPlay];

    /// What is known of it.
    pub const fn info(self) -> Info {
        let (id, name, icon, about, shortcut) = match self {
            Act::Undo => {
                ("edit.undo", "Undo", "↶", "Take back the last step, wherever it was made.", ctrl(Key::Z))
            }
            Act::Redo => ("edit.redo", "Redo", "↷", "Do again what was taken back last.", ctrl_shift(Key::Z)),
            Act::Save => ("file.save", "Save", "⇩", "Write the open file to the disk.", ctrl(Key::S)),
            Act::SaveAll => (
                "file.save_all",
                "Save all",
                "⇊",
                "Write every changed file to the disk.",
                ctrl_shift(Key::S),
            ),
            Act::ShowWrite => {
                ("view.write", "Show Write", "≡", "Bring the text to the front.", alt(Key::Num1))
            }
            Act::ShowDraw => ("view.draw", "Show Draw", "▦", "Bring the map to the front.", alt(Key::Num2)),
            Act::ShowPlay => ("view.play", "Show Play", "▶", "Bring the game to the front.", alt(Key::Num3)),
        };
        Info { id, name, icon, about, shortcut }
    }
}

impl Command {
    /// Every command that has a name: what the palette lists and shortcuts are for.
    pub fn all() -> Vec<Command> {
        let own = Act::ALL.iter().map(|a| Command::Do(*a));
        let write = write::Act::ALL.iter().map(|a| Command::Write(*a));
        let draw = draw::Act::ALL.iter().map(|a| Command::Draw(*a));
        own.chain(write).chain(draw).chain(play::Act::ALL.iter().map(|a| Command::Play(*a))).collect()
    }

    /// What is known of it, if it has a name.
    pub fn info(&self) -> Option<Info> {
        match self {
            Command::Do(a) => Some(a.info()),
            Command::Write(a) => Some(a.info()),
            Command::Draw(a) => Some(a.info()),
            Command::Play(a) => Some(a.info()),
            _ => None,
        }
    }

    /// The pane that it belongs to, if it does: its shortcut holds only there.
    pub fn pane(&self) -> Option<Pane> {
        match self {
            Command::Write(_) => Some(Pane::Write),
            Command::Draw(_) => Some(Pane::Draw),
            Command::Play(_) => Some(Pane::Play),
            _ => None,
        }
    }
}

/// A step of its own, planned against a revision.
pub fn apply(since: Revision, set: EditSet) -> Command {
    Command::Apply { since, set, manner: Manner::Step }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_command_is_told_apart() {
        let all: Vec<Info> = Command::all().iter().filter_map(Command::info).collect();
        assert_eq!(all.len(), Command::all().len());
        let ids: BTreeSet<&str> = all.iter().map(|i| i.id).collect();
        assert_eq!(ids.len(), all.len(), "two have one id");
        assert!(all.iter().all(|i| !i.name.is_empty() && i.about.ends_with('.')));
    }
}
