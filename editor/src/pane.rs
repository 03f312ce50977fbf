//! The three panes: Write, Draw and Play.
use serde::{Deserialize, Serialize};

/// Three ways to look at the same texts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Pane {
    /// The text.
    Write,
    /// A scenario as a map.
    Draw,
    /// The game.
    Play,
}

impl Pane {
    /// All of them, from left to right.
    pub const ALL: [Pane; 3] = [Pane::Write, Pane::Draw, Pane::Play];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Pane::Write => "Write",
            Pane::Draw => "Draw",
            Pane::Play => "Play",
        }
    }
}
