//! Everything that can be done, as data: one enum of commands, of which some have a name, an icon and a shortcut. [`crate::app::App::carry_out`] is the one place
//! that does it.
pub mod cards;
pub mod draw;
mod exchange;
mod info;
pub mod measure;
pub mod play;
mod window;
pub mod write;

pub use exchange::MapFormat;
pub use info::{Info, alt, ctrl, ctrl_shift, key, shift};
pub use window::Act;

use crate::disk::Stamp;
use crate::document::{Manner, Revision, TextPlace};
use crate::pane::Pane;
use crate::settings::{Pace, Stamp as MapStamp};
use crate::workspace::Recovery;
use houserule::ide::{EditSet, Refusal};
use std::path::PathBuf;
use std::sync::Arc;

/// What to do after the question about unsaved texts.
#[derive(Clone, PartialEq, Debug)]
pub enum AfterQuestion {
    /// The window closes.
    Close,
    /// Another folder is opened.
    Open(PathBuf),
}

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
    /// What else is asked of Play.
    AskPlay(play::Request),
    /// One of Measure's commands that have a name.
    Measure(measure::Act),
    /// What else is asked of Measure.
    AskMeasure(measure::Request),
    /// One of Cards' commands that have a name.
    Cards(cards::Act),
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
    GoTo(TextPlace),
    /// The text's selection is there now; it was moved by the pane itself.
    Selected(TextPlace),
    /// Brings a pane to the front.
    Show(Pane),
    /// Brings a pane to the front and gives it the whole window.
    ShowAlone(Pane),
    /// Lets bots answer so fast in Play.
    Pace(Pace),
    /// Keeps these stamps of Draw, and no others.
    KeepStamps(Vec<MapStamp>),
    /// Shows all panes again.
    ShowAll,
    /// Says something in the status bar and to screen readers.
    Say(String),
    /// Opens the book of the language at a place.
    ShowBook(crate::book::Place),
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
    /// Lets a place for a table be chosen there, and saves it.
    SaveTable {
        /// The file's name that is proposed.
        name: String,
        /// The table, as comma-separated values.
        text: String,
    },
    /// Lets a place for a table of cards be chosen there, and saves it.
    SaveCards {
        /// The file's name that is proposed.
        name: String,
        /// The table, as comma-separated values.
        text: String,
    },
    /// Lets a table of cards be chosen there, and shows in Cards what it would change.
    ChooseCards,
    /// Takes the match in Play, as it stands, as the situation in which the open card is tried.
    TryMatch,
    /// Lets a saved match be chosen there, and goes on with it.
    LoadMatch,
    /// Lets a map of another tool be chosen there, and shows it in Draw to be mapped to signs.
    ChooseMap,
    /// Lets a place for the map that Draw shows be chosen there, and writes it.
    ExportMap {
        /// In which format.
        format: MapFormat,
        /// The file's name that is proposed.
        name: String,
    },
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
        then: AfterQuestion,
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

impl Command {
    /// Every command that has a name: what the palette lists and shortcuts are for.
    pub fn all() -> Vec<Command> {
        let own = Act::ALL.iter().map(|a| Command::Do(*a));
        let write = write::Act::ALL.iter().map(|a| Command::Write(*a));
        let draw = draw::Act::ALL.iter().map(|a| Command::Draw(*a));
        let play = play::Act::ALL.iter().map(|a| Command::Play(*a));
        let measure = measure::Act::ALL.iter().map(|a| Command::Measure(*a));
        let cards = cards::Act::ALL.iter().map(|a| Command::Cards(*a));
        own.chain(write).chain(draw).chain(play).chain(measure).chain(cards).collect()
    }

    /// What is known of it, if it has a name.
    pub fn info(&self) -> Option<Info> {
        match self {
            Command::Do(a) => Some(a.info()),
            Command::Write(a) => Some(a.info()),
            Command::Draw(a) => Some(a.info()),
            Command::Play(a) => Some(a.info()),
            Command::Measure(a) => Some(a.info()),
            Command::Cards(a) => Some(a.info()),
            _ => None,
        }
    }

    /// The pane that it belongs to, if it does.
    pub fn pane(&self) -> Option<Pane> {
        match self {
            Command::Write(_) => Some(Pane::Write),
            Command::Draw(_) => Some(Pane::Draw),
            Command::Play(_) => Some(Pane::Play),
            Command::Measure(_) => Some(Pane::Measure),
            Command::Cards(_) => Some(Pane::Cards),
            _ => None,
        }
    }

    /// Whether its shortcut holds where that pane is in front: a pane's own hold in the pane; a game is started from wherever its texts are worked on.
    pub fn holds_before(&self, front: Pane) -> bool {
        match self {
            Command::Play(play::Act::Start) => front != Pane::Measure,
            command => command.pane().is_none_or(|pane| pane == front),
        }
    }
}

/// A refusal without an offer: it is of no text.
pub fn refuse_with(why: impl Into<String>) -> Command {
    Command::Refuse { since: Revision::default(), refusal: Refusal::with_reason(why) }
}

/// A step of its own, planned against a revision.
pub fn apply_edits(since: Revision, set: EditSet) -> Command {
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
