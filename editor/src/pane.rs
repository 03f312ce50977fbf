//! The five panes: Write, Draw, Play, Measure and Cards.
use serde::{Deserialize, Serialize};

/// Five ways to look at the same texts.
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
    /// The cards, as faces and forms.
    Cards,
}

impl Pane {
    /// All of them, from left to right.
    pub const ALL: [Pane; 5] = [Pane::Write, Pane::Draw, Pane::Play, Pane::Measure, Pane::Cards];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Pane::Write => "Write",
            Pane::Draw => "Draw",
            Pane::Play => "Play",
            Pane::Measure => "Measure",
            Pane::Cards => "Cards",
        }
    }
}
