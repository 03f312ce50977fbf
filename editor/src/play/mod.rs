//! Playtests without a window: matches of a game's texts in memory, who sits where, what a seat sees and may choose, the log, the time line, why something is not
//! on offer, and tests made of what was played. Nothing here writes a file or looks at a clock.
pub mod bench;
pub mod board;
pub mod carry;
pub mod choices;
pub mod form;
pub mod make_test;
pub mod session;
pub mod time_line;
pub mod why;

pub use board::Board;
pub use choices::{Choices, Picker};
pub use form::Form;
pub use session::{Begin, BotTask, Session, Sitter, Start};
