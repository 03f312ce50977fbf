//! A game is loaded, set up and played: choices have words, matches a log, a time line, saves.
//!
//! [`Game::load`] checks a source, [`Game::start`] sets a [`Match`] up; [`Match::decisions`] says what is asked of whom, [`Match::choose`] and [`Match::say`] answer.
pub mod codes;
pub mod drawn;
mod game;
mod hidden;
mod matches;
pub mod pieces;
pub mod points;
pub mod save;
mod scripts;
pub mod setup;
mod setups;
mod timeline;
pub mod told;
pub mod values;
pub mod words;

pub use drawn::Face;
pub use game::{Game, fault_finding, fault_report, not_in_the_engine};
pub use matches::uncovers;
pub use matches::{
    CHOICES, Decision, Done, Ending, Illegal, LogLine, Match, NoUndo, Offered, Step, UndoMode, seat_list,
};
pub use pieces::{Piece, PieceOffer, Pieces};
pub use points::{Point, Spot, Spots};
pub use save::{LoadError, Loaded, Parted, Save};
pub use setup::{Setup, resolve, setup_of_test, with_options};
pub use words::{WordError, Wording};
