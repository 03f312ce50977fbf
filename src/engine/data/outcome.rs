//! Plain data for the end of a game: verdicts, places and score sheets. `machine/outcome.rs` computes them.
use houserule_program::ir::VerdictCode;
use serde::Serialize;
use std::sync::Arc;

/// How the game ends for a player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub enum Verdict {
    /// Won.
    Won,
    /// Lost.
    Lost,
    /// Tied.
    Tied,
}

impl From<VerdictCode> for Verdict {
    fn from(code: VerdictCode) -> Self {
        match code {
            VerdictCode::Win => Verdict::Won,
            VerdictCode::Lose => Verdict::Lost,
            VerdictCode::Tie => Verdict::Tied,
        }
    }
}

/// How a game ended: computed when it is over, kept until the state changes.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct Outcome {
    /// By player: the verdict.
    pub verdicts: Vec<Verdict>,
    /// By player: the numbers of the score or ranking, the deciding one first; if all win together, the score that they reached. Empty if the game has none.
    pub scores: Vec<Vec<i64>>,
    /// By player: the place, from 1 (0 for players for whom nobody answers); players with equal numbers share the better place. Empty if the game is not decided by numbers.
    pub places: Vec<u32>,
    /// The text of the verdict, or the game's own score line; may be empty.
    pub text: String,
    /// In games in which each wins or loses alone: the text of each player's verdict. Empty if there is none, and in other games, in which `text` is for all.
    pub texts: Vec<String>,
}

impl Outcome {
    /// The text of a player's verdict; may be empty.
    pub fn text_of(&self, player: usize) -> &str {
        self.texts.get(player).unwrap_or(&self.text)
    }
}

/// A score or ranking with its numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Sheet {
    /// Its name in the rules.
    pub name: Arc<str>,
    /// Whether it is a ranking: the first line that differs decides. Else lines add up.
    pub ranking: bool,
    /// The players of each column: one player, or those of a team.
    pub columns: Vec<Vec<usize>>,
    /// Its lines.
    pub lines: Vec<SheetRow>,
    /// Of a score: the sum of each column.
    pub sum: Vec<i64>,
    /// The place of each column, if this score or ranking decided the game.
    pub places: Vec<u32>,
}

/// A line of a score or ranking: a cell for each column.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SheetRow {
    /// Its name in the rules.
    pub name: Arc<str>,
    /// For people.
    pub title: Arc<str>,
    /// In the order of the columns.
    pub cells: Vec<Cell>,
}

/// The value of a line for a player or team.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// A number.
    Number(i64),
    /// A text that does not count; `?` for a number that cannot be computed.
    Text(String),
}
