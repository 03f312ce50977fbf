//! Modal questions and their answers, as data.
use crate::command::{AfterQuestion, Command};
use crate::disk::Stamp;
use crate::workspace::Recovery;
use std::sync::Arc;

/// A question.
#[derive(Clone, PartialEq, Debug)]
pub enum Ask {
    /// A file with changes of one's own was changed outside; none: it was removed.
    Changed {
        /// The file.
        name: Arc<str>,
        /// What the disk holds, and what it looks like there.
        now: Option<(String, Stamp)>,
    },
    /// Something was not saved when the program last ended.
    Recover(Recovery),
    /// Something is not saved, and the window is to be closed, or another folder opened.
    Unsaved(AfterQuestion),
    /// Which folder to open.
    Folder(String),
    /// A new game.
    NewGame {
        /// Its title.
        title: String,
        /// The number of the template that it begins as.
        template: usize,
    },
    /// A new scenario: the game, its title, and the scenario that it is a copy of.
    NewScenario {
        /// The game's file.
        game: Arc<str>,
        /// What it is to be called.
        title: String,
        /// The file of the scenario to copy.
        from: Option<Arc<str>>,
    },
    /// Another name for a file.
    Move {
        /// The file.
        name: Arc<str>,
        /// What it is to be called, with its folder.
        to: String,
        /// The title of the only scenario in it: as it is, and as it is to be.
        title: Option<(String, String)>,
    },
    /// The command palette, or the list of files.
    Palette(Palette),
    /// All shortcuts.
    Shortcuts(Shortcuts),
}

/// What is being looked for in the command palette.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Palette {
    /// Files instead of commands.
    pub files: bool,
    pub(super) wanted: String,
    pub(super) at: usize,
}

impl Palette {
    /// A palette of commands, or of files.
    pub fn new(files: bool) -> Palette {
        Palette { files, ..Palette::default() }
    }
}

/// What is shown of all shortcuts, and the command that waits for its new keys.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Shortcuts {
    pub(super) wanted: String,
    pub(super) waiting: Option<&'static str>,
}

impl Shortcuts {
    /// Whether the next keys are a shortcut.
    pub fn is_waiting(&self) -> bool {
        self.waiting.is_some()
    }
}

/// What came of a question in this frame.
#[derive(Debug, Default)]
pub struct Answer {
    /// Whether it is answered, or was put away.
    pub over: bool,
    /// What is wanted.
    pub wanted: Vec<Command>,
}

impl Answer {
    pub(super) fn with_command(command: Command) -> Answer {
        Answer { over: true, wanted: vec![command] }
    }

    pub(super) fn nothing() -> Answer {
        Answer { over: true, wanted: Vec::new() }
    }
}
