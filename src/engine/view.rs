//! What a seat may know, and nothing else: plain data, names and numbers, made from the state by the same knowledge that fills the log.
//!
//! The hidden face of a component is not in a view, nor its number, nor its own attributes: only that it lies there and what its back is.
use super::knowledge::{self, SeededFault, answering};
use super::machine::Machine;
use super::naming;
use super::outcome::Outcome;
use super::world::{self, Look};
use crate::program::ir::{AttrIx, NONE, Program, SeenBy, Show, UniverseId, UniverseSort};
use serde::Serialize;
use std::sync::Arc;

/// A word and a title.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Description {
    /// As rules and saves write it.
    pub word: Arc<str>,
    /// For people.
    pub title: Arc<str>,
}

/// An attribute as it is seen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Seen {
    /// Its name.
    pub name: Arc<str>,
    /// Its value as people read it.
    pub text: String,
    /// Its value as rules and saves write it.
    pub word: String,
    /// Its value as a number (things: their number), if it is one value and not none.
    pub number: Option<i64>,
}

/// A component as it is seen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Card {
    /// Its kind.
    pub kind: Arc<str>,
    /// The component's number, if the seat knows its face.
    pub number: Option<u32>,
    /// Its face, if the seat knows it.
    pub face: Option<Description>,
    /// The number of its face, if the seat knows it.
    pub face_number: Option<u32>,
    /// The number of its back: components with another back are told apart.
    pub back: u16,
    /// Whether it lies face up; `None` where nothing of the kind is ever turned.
    pub up: Option<bool>,
    /// The value that a die shows.
    pub side: Option<i64>,
    /// Attributes of its own, if the seat knows its face.
    pub attrs: Vec<Seen>,
}

/// What lies at one place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Pile {
    /// The zone's name.
    pub zone: Arc<str>,
    /// Its index, if the zone has several places for each holder.
    pub index: Option<i64>,
    /// The place's number.
    pub place: u16,
    /// At most one thing lies there.
    pub slot: bool,
    /// Whether the order tells: then `cards` is in order, the top first. Else the known ones come first by number, then the hidden ones by their backs.
    pub ordered: bool,
    /// What lies there.
    pub cards: Vec<Card>,
    /// How many of them are hidden.
    pub hidden: usize,
}

/// The table, a player, a space or another holder, with all that the seat may know of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct HolderView {
    /// The name of its universe; empty for the table.
    pub kind: Arc<str>,
    /// Its number.
    pub number: u32,
    /// How it is called.
    pub name: Description,
    /// Its attributes, those that the seat may see.
    pub attrs: Vec<Seen>,
    /// Its zones.
    pub piles: Vec<Pile>,
}

/// A map with its spaces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MapView {
    /// Its name.
    pub name: Arc<str>,
    /// Columns and rows.
    pub size: (u32, u32),
    /// Whether it is of hexes.
    pub hexes: bool,
    /// Where each space is drawn: column, row (0 is the south).
    pub at: Vec<(u16, u16)>,
    /// Its spaces by number.
    pub spaces: Vec<HolderView>,
}

/// All that a seat may know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// Whose view it is.
    pub seat: usize,
    /// Rounds begun.
    pub round: i32,
    /// Turns begun.
    pub turns: i32,
    /// Whose turn it is, by the player's number.
    pub turn: Option<usize>,
    /// The running phases, outermost first.
    pub phases: Vec<Description>,
    /// The table's attributes and zones.
    pub table: HolderView,
    /// The players'.
    pub players: Vec<HolderView>,
    /// Maps with their spaces.
    pub maps: Vec<MapView>,
    /// Whatever else has attributes or zones.
    pub others: Vec<HolderView>,
    /// How the game ended, if it is over.
    pub outcome: Option<Outcome>,
}
