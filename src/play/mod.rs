//! The interface of a match for people and programs: loads a game, sets it up and plays it. Choices have words; a match has a log, a time line and saves. Sits between the engine and bots, lab, command line and editor.
//!
//! [`Game::load`] checks a source, [`Game::start`] sets a [`Match`] up; [`Match::decisions`] says what is asked of whom, [`Match::choose`] and [`Match::choose_in_words`] answer.
pub mod campaign;
mod card_texts;
pub mod codes;
mod decisions;
mod faults;
mod finding;
mod game;
mod hidden;
pub mod judge;
mod log_lines;
pub mod matches;
pub mod outcome_text;
pub mod pieces;
pub mod points;
mod refused;
pub mod save;
mod scripts;
pub mod setup;
mod setups;
mod timeline;
pub mod values;
pub mod words;

pub use campaign::{Campaign, CampaignError, HandedOn, NO_CAMPAIGN, Opened};
pub use decisions::{Decision, Done, Offered};
pub use faults::{fault_finding, fault_report};
pub use finding::find_choices;
pub use game::{Game, WorkRunner, find_unplayable, find_unplayable_start, find_unplayable_with};
pub use log_lines::LogLine;
pub use matches::{CHOICES, Ending, Match, Step, is_uncovering, seat_list};
pub use pieces::{Piece, PieceOffer, Pieces};
pub use points::{Point, Spot, Spots};
pub use refused::{Illegal, NoUndo, REFUSED, UndoMode};
pub use save::{LoadError, Loaded, Parted, Save};
pub use setup::{Setup, resolve_setup, setup_of_test, with_options};
pub use words::{WordError, Wording};
