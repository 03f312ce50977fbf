//! Plain data for the end of a game: verdicts, places and score sheets. `machine/outcome.rs` computes them.
use serde::Serialize;
use std::sync::Arc;

/// A player's lot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Verdict {
    /// Won.
    Won,
    /// Lost.
    Lost,
    /// Tied.
    Tied,
}

/// How a game ended: made when it is over, kept until the state changes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Outcome {
    /// Each player's lot.
    pub verdicts: Vec<Verdict>,
    /// Each player's numbers, the deciding one first; where all win together, what they reached. Empty if the game has none.
    pub scores: Vec<Vec<i64>>,
    /// Each player's place, from 1, of those for whom somebody answers (0 for others); empty if the game is not decided by numbers. Equals share the best of theirs.
    pub places: Vec<u32>,
    /// What was said with the verdict, or the game's own score line; may be empty.
    pub text: String,
    /// Where each wins or loses alone: what was said of each player. Empty if nothing was, and in other games, where `text` is everybody's.
    pub texts: Vec<String>,
}

impl Outcome {
    /// What was said of a player's lot; may be empty.
    pub fn text_of(&self, player: usize) -> &str {
        self.texts.get(player).unwrap_or(&self.text)
    }
}

/// A score or ranking, worked out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Sheet {
    /// Its name in the rules.
    pub name: Arc<str>,
    /// Whether it is a ranking: the first line that differs decides. Else lines add up.
    pub ranking: bool,
    /// Whom each column is about: one player, or those of a team.
    pub columns: Vec<Vec<usize>>,
    /// Its lines.
    pub lines: Vec<SheetRow>,
    /// Of a score: the sum of each column.
    pub sum: Vec<i64>,
    /// If it has decided the game: the place of each column.
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

/// What a line says of a player or team.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// What counts.
    Number(i64),
    /// What is only told; `?` for a number that cannot be worked out.
    Text(String),
}
