//! The four panes: Write, Draw, Play and Measure.
use serde::{Deserialize, Serialize};

/// Four ways to look at the same texts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Pane {
    /// The text.
    Write,
    /// A scenario as a map.
    Draw,
    /// The game.
    Play,
    /// Many games between bots, and their figures.
    Measure,
}

impl Pane {
    /// All of them, from left to right.
    pub const ALL: [Pane; 4] = [Pane::Write, Pane::Draw, Pane::Play, Pane::Measure];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Pane::Write => "Write",
            Pane::Draw => "Draw",
            Pane::Play => "Play",
            Pane::Measure => "Measure",
        }
    }
}
