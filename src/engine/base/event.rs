//! Events of the log as typed data. The recorder (`context/recorder.rs`) makes them while recording is on; each argument says which seats may read it.
use houserule_program::ir::{ActionIx, DeclIx, PhaseIx, VerdictCode};
use houserule_text::Span;
use std::sync::Arc;

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A player took an action.
    Acted(ActionIx),
    /// A player took `done`.
    Done,
    /// A player is not done any more: the player took it back, or the rules no longer allow it.
    Reopened,
    /// A player's clock has run out.
    TimeUp,
    /// A player took `pass`.
    Passed,
    /// A player answered a question (or all of a group did).
    Answered,
    /// The rules logged a text.
    Said,
    /// An attribute of something changed.
    Changed,
    /// A component moved.
    Moved,
    /// The faces of a place were shuffled.
    Shuffled,
    /// Faces were shown to some.
    Shown,
    /// A component changed its face or was turned over, which lies at that place.
    Turned(Option<usize>),
    /// A number was rolled, or a die, which lies at that place ([`houserule_program::ir::Program::places`]).
    Rolled(Option<usize>),
    /// A round began.
    Round(i32),
    /// A turn began.
    Turn,
    /// A phase began.
    Phase(PhaseIx),
    /// A layer ended.
    LayerEnded,
    /// Players won, lost or tied.
    Verdict(VerdictCode),
    /// The game ended.
    Ended,
}

/// A piece of an event's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A text for all.
    Text(Arc<str>),
    /// A text that not all seats may read.
    Arg {
        /// For the seats that may read it.
        open: String,
        /// For the others.
        hidden: String,
        /// The seats (bits) that may read it.
        seats: u32,
    },
}

impl Part {
    /// What it says to a seat, or with everything open; none if the seat may not read it.
    pub fn read_by(&self, seat: Option<usize>) -> Option<&str> {
        match self {
            Part::Text(text) => Some(text),
            Part::Arg { open, seats, .. } => {
                seat.is_none_or(|s| s < 32 && seats & (1 << s) != 0).then_some(open)
            }
        }
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// The player who acted, if one did.
    pub player: Option<u8>,
    /// The declaration whose code was running.
    pub decl: DeclIx,
    /// The place in it.
    pub span: Span,
    /// Seats (bits) that learn of the event at all.
    pub seats: u32,
    /// Its text.
    pub parts: Vec<Part>,
}

/// The longest line of the log, in bytes; longer ones are cut.
const LONGEST: usize = 4096;

impl Event {
    /// Its text for a seat, or with everything open; `None` if the seat does not learn of it.
    pub fn text(&self, seat: Option<usize>) -> Option<String> {
        let sees = |mask: u32| seat.is_none_or(|s| s < 32 && mask & (1 << s) != 0);
        if !sees(self.seats) {
            return None;
        }
        let mut out = String::new();
        for part in &self.parts {
            match part {
                Part::Text(t) => out.push_str(t),
                Part::Arg { open, hidden, seats } => out.push_str(if sees(*seats) { open } else { hidden }),
            }
            if out.len() > LONGEST {
                out.truncate(out.floor_char_boundary(LONGEST));
                out.push('…');
                break;
            }
        }
        Some(out)
    }
}
