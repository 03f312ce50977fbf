//! Everything that can be done: one enum with name, icon, shortcut and what it is for. [`crate::app::App::carry_out`] is the one place that does it.
use crate::app::asks::Then;
use crate::disk::Stamp;
use crate::document::{Manner, Place, Revision};
use crate::panels::{Pane, draw, play, write};
use crate::workspace::Recovery;
use egui::{Key, KeyboardShortcut, Modifiers};
use houserule::ide::{EditSet, Refusal};
use std::path::PathBuf;
use std::sync::Arc;

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
        name: Arc<str>,
        /// Its text.
        text: String,
    },
    /// Asks for another name of a file.
    AskMove(Arc<str>),
    /// Gives a file another name, or puts it into another folder; what names it follows.
    Move {
        /// The file.
        name: Arc<str>,
        /// What it is called then.
        to: Arc<str>,
        /// Another title for the only scenario in it.
        title: Option<String>,
    },
    /// Takes a file away.
    Remove(Arc<str>),
    /// Tells why something was not done, and what can be done instead.
    Refuse {
        /// The revision of which its places and edits are.
        since: Revision,
        /// Why, and what is offered.
        refusal: Refusal,
    },
    /// Opens a file, selects the text there and brings it into view.
    GoTo(Place),
    /// The text's selection is there now; it was moved by the pane itself.
    Selected(Place),
    /// Brings a pane to the front.
    Show(Pane),
    /// Says something in the status bar and to screen readers.
    Say(String),
    /// Takes back, or does again, until so many steps are done.
    Travel(usize),
    /// Opens a folder, or the folder of a file and the file.
    Open(PathBuf),
    /// Opens the working copy of the games that ship.
    OpenShipped,
    /// Lets a folder be chosen in the system's own dialog.
    Browse,
    /// Lets a place for a match be chosen there, and saves it.
    SaveMatch {
        /// The file's name that is proposed.
        name: String,
        /// The match.
        text: String,
    },
    /// Lets a saved match be chosen there, and goes on with it.
    LoadMatch,
    /// A file with changes of one's own was changed outside: they stay.
    KeepMine {
        /// The file.
        name: Arc<str>,
        /// What the disk holds, and what it looks like there.
        now: Option<(String, Stamp)>,
    },
    /// A file with changes of one's own was changed outside: that comes in their place.
    TakeOther {
        /// The file.
        name: Arc<str>,
        /// What the disk holds, and what it looks like there.
        now: Option<(String, Stamp)>,
    },
    /// Brings back what was not saved when the program last ended.
    Recover(Recovery),
    /// Throws that away.
    ForgetRecovery,
    /// Brings the working copy of the games that ship up to what ships now, but for files with changes of one's own.
    Renew,
    /// Closes the window or opens another folder, with what is not saved or without.
    Leave {
        /// What is done then.
        then: Then,
        /// Whether everything is saved before.
        save: bool,
    },
    /// Changes a shortcut: empty for none, nothing for the one by default.
    SetShortcut {
        /// The command's id.
        id: &'static str,
        /// The keys.
        text: Option<String>,
    },
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

/// Shift and a key.
pub const fn shift(key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(Modifiers::SHIFT, key))
}

/// Commands of the window as a whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Act {
    /// Take back the last step, wherever it was made.
    Undo,
    /// Do again what was taken back last.
    Redo,
    /// Find any command by its name.
    Palette,
    /// Open a file by its name.
    GoToFile,
    /// Write the open file to the disk.
    Save,
    /// Write every changed file to the disk.
    SaveAll,
    /// Turn on or off that changes are saved when nothing was typed for two seconds.
    Autosave,
    /// Open a folder with rules and scenarios.
    OpenFolder,
    /// Begin a game from a small one that can be played.
    NewGame,
    /// Begin a scenario, empty or as a copy of another.
    NewScenario,
    /// Give the open file another name or folder.
    MoveFile,
    /// Take the open file away; Undo brings it back.
    RemoveFile,
    /// Close the window; what is not saved is asked about.
    Close,
    /// Show the page to begin with: all games of the folder.
    ShowStart,
    /// Bring the text to the front.
    ShowWrite,
    /// Bring the map to the front.
    ShowDraw,
    /// Bring the game to the front.
    ShowPlay,
    /// Give the keyboard to the next of Write, Draw and Play.
    NextPane,
    /// List games and their files on the left.
    ShowFiles,
    /// Search, and replace, in all files.
    ShowSearch,
    /// List every step, to go back to any of them.
    ShowHistory,
    /// List what is wrong with the game, or hide the list.
    ShowFindings,
    /// Go to the next place where something is wrong.
    NextFinding,
    /// Go to the place before where something is wrong.
    PreviousFinding,
    /// Go back to where you were before.
    Back,
    /// Go again to where you went back from.
    Forward,
    /// Change between light and dark.
    Theme,
    /// Make everything larger.
    ZoomIn,
    /// Make everything smaller.
    ZoomOut,
    /// Show everything in its usual size.
    ZoomReset,
    /// Read and change the keys of all commands.
    Shortcuts,
}

impl Act {
    /// All of them, as the palette lists them.
    pub const ALL: &[Act] = &[
        Act::Undo,
        Act::Redo,
        Act::Palette,
        Act::GoToFile,
        Act::Save,
        Act::SaveAll,
        Act::Autosave,
        Act::OpenFolder,
        Act::NewGame,
        Act::NewScenario,
        Act::MoveFile,
        Act::RemoveFile,
        Act::Close,
        Act::ShowStart,
        Act::ShowWrite,
        Act::ShowDraw,
        Act::ShowPlay,
        Act::NextPane,
        Act::ShowFiles,
        Act::ShowSearch,
        Act::ShowHistory,
        Act::ShowFindings,
        Act::NextFinding,
        Act::PreviousFinding,
        Act::Back,
        Act::Forward,
        Act::Theme,
        Act::ZoomIn,
        Act::ZoomOut,
        Act::ZoomReset,
        Act::Shortcuts,
    ];

    /// What is known of it.
    pub const fn info(self) -> Info {
        let (id, name, icon, about, shortcut) = match self {
            Act::Undo => {
                ("edit.undo", "Undo", "↶", "Take back the last step, wherever it was made.", ctrl(Key::Z))
            }
            Act::Redo => ("edit.redo", "Redo", "↷", "Do again what was taken back last.", ctrl_shift(Key::Z)),
            Act::Palette => {
                ("view.palette", "All commands", "»", "Find any command by its name.", ctrl_shift(Key::P))
            }
            Act::GoToFile => ("file.go_to", "Go to file", "", "Open a file by its name.", ctrl(Key::P)),
            Act::Save => ("file.save", "Save", "", "Write the open file to the disk.", ctrl(Key::S)),
            Act::SaveAll => (
                "file.save_all",
                "Save all",
                "⇩",
                "Write every changed file to the disk.",
                ctrl_shift(Key::S),
            ),
            Act::Autosave => (
                "file.autosave",
                "Save by itself",
                "",
                "Turn on or off that changes are saved when nothing was typed for two seconds.",
                None,
            ),
            Act::OpenFolder => (
                "file.open_folder",
                "Open folder …",
                "",
                "Open a folder with rules and scenarios.",
                ctrl(Key::O),
            ),
            Act::NewGame => (
                "file.new_game",
                "New game …",
                "",
                "Begin a game from a small one that can be played.",
                ctrl_shift(Key::N),
            ),
            Act::NewScenario => (
                "file.new_scenario",
                "New scenario …",
                "",
                "Begin a scenario, empty or as a copy of another.",
                ctrl(Key::N),
            ),
            Act::MoveFile => (
                "file.move",
                "Rename or move file …",
                "",
                "Give the open file another name or folder; what names it follows.",
                None,
            ),
            Act::RemoveFile => {
                ("file.remove", "Remove file", "", "Take the open file away; Undo brings it back.", None)
            }
            Act::Close => (
                "file.close",
                "Close window",
                "",
                "Close the window; what is not saved is asked about.",
                ctrl(Key::Q),
            ),
            Act::ShowStart => (
                "view.start",
                "Start page",
                "",
                "Show the page to begin with: all games of the folder.",
                None,
            ),
            Act::ShowWrite => {
                ("view.write", "Show Write", "≡", "Bring the text to the front.", alt(Key::Num1))
            }
            Act::ShowDraw => ("view.draw", "Show Draw", "▦", "Bring the map to the front.", alt(Key::Num2)),
            Act::ShowPlay => ("view.play", "Show Play", "▶", "Bring the game to the front.", alt(Key::Num3)),
            Act::NextPane => (
                "view.next_pane",
                "Next pane",
                "",
                "Give the keyboard to the next of Write, Draw and Play.",
                key(Key::F6),
            ),
            Act::ShowFiles => (
                "view.files",
                "Show files",
                "",
                "List games and their files on the left.",
                ctrl_shift(Key::E),
            ),
            Act::ShowSearch => (
                "view.search",
                "Find in all files",
                "",
                "Search, and replace, in all files.",
                ctrl_shift(Key::F),
            ),
            Act::ShowHistory => (
                "view.history",
                "Show history",
                "",
                "List every step, to go back to any of them.",
                ctrl_shift(Key::H),
            ),
            Act::ShowFindings => (
                "view.findings",
                "Show findings",
                "",
                "List what is wrong with the game, or hide the list.",
                ctrl_shift(Key::M),
            ),
            Act::NextFinding => (
                "go.next_finding",
                "Next finding",
                "",
                "Go to the next place where something is wrong.",
                key(Key::F8),
            ),
            Act::PreviousFinding => (
                "go.previous_finding",
                "Previous finding",
                "",
                "Go to the place before where something is wrong.",
                shift(Key::F8),
            ),
            Act::Back => ("go.back", "Back", "←", "Go back to where you were before.", alt(Key::ArrowLeft)),
            Act::Forward => {
                ("go.forward", "Forward", "→", "Go again to where you went back from.", alt(Key::ArrowRight))
            }
            Act::Theme => ("view.theme", "Light or dark", "◐", "Change between light and dark.", None),
            Act::ZoomIn => ("view.zoom_in", "Larger", "", "Make everything larger.", ctrl(Key::Plus)),
            Act::ZoomOut => ("view.zoom_out", "Smaller", "", "Make everything smaller.", ctrl(Key::Minus)),
            Act::ZoomReset => {
                ("view.zoom_reset", "Usual size", "", "Show everything in its usual size.", ctrl(Key::Num0))
            }
            Act::Shortcuts => (
                "view.shortcuts",
                "Shortcuts …",
                "",
                "Read and change the keys of all commands.",
                ctrl(Key::Comma),
            ),
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

/// A refusal without an offer: it is of no text.
pub fn refuse(why: impl Into<String>) -> Command {
    Command::Refuse { since: Revision::default(), refusal: Refusal::because(why) }
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
