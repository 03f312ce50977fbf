//! Why a choice was not taken, and why one was not taken back.
use super::words::WordError;
use houserule_engine::Reason;
use houserule_text::Diagnostic;

/// What is told of a refusal without a reason: of what a menu's whole line must come to, for one.
pub const REFUSED: &str = "this is not allowed now";

/// Why a choice was not taken. The match is as before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// The match is over.
    Over,
    /// The cap on choices is reached.
    Capped(usize),
    /// No such question is pending.
    NotPending,
    /// The question is for other seats.
    NotYours {
        /// Who is asked.
        seats: Vec<usize>,
    },
    /// The words mean nothing here.
    Words(WordError),
    /// The rules say no.
    Refused(Vec<Reason>),
    /// The rules failed on it.
    Fault(Box<Diagnostic>),
}

impl std::fmt::Display for Illegal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Illegal::Over => f.write_str("the match is over"),
            Illegal::Capped(n) => write!(f, "the match is left unfinished after {n} choices"),
            Illegal::NotPending => f.write_str("this question is not asked now"),
            Illegal::NotYours { seats } => {
                let who: Vec<String> = seats.iter().map(|s| (s + 1).to_string()).collect();
                write!(f, "seat {} is asked this", who.join(", "))
            }
            Illegal::Words(e) => e.fmt(f),
            Illegal::Refused(reasons) => {
                let told: Vec<&str> =
                    reasons.iter().map(|r| r.text.as_str()).filter(|t| !t.is_empty()).collect();
                if told.is_empty() { f.write_str(REFUSED) } else { f.write_str(&told.join("; ")) }
            }
            Illegal::Fault(d) => write!(f, "a rule error: {}", d.message),
        }
    }
}

impl std::error::Error for Illegal {}

/// What may be taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UndoMode {
    /// Everything: playtests.
    Free,
    /// Only a seat's own last choice, and only if nothing was uncovered by it.
    Fair {
        /// Whose choice it must be.
        seat: usize,
    },
}

/// Why nothing was taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoUndo {
    /// It is the beginning.
    Nothing,
    /// Something has been uncovered or rolled.
    Revealed,
    /// Another seat has chosen since.
    OthersChoice,
    /// Whether something was uncovered or rolled may be a secret in this game ([`super::Game::has_hidden_lots`]).
    HiddenLots,
}

impl std::fmt::Display for NoUndo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NoUndo::Nothing => "there is nothing to take back",
            NoUndo::Revealed => "this cannot be taken back: something was uncovered or rolled since",
            NoUndo::HiddenLots => {
                "in this game no choice can be taken back, because cards may be drawn or turned where not all players see it"
            }
            NoUndo::OthersChoice => "this cannot be taken back: another seat has chosen since",
        })
    }
}
