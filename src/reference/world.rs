//! The state of a game as plain tables. What is not here, no rule can look at.
use super::numbers::Numbers;
use super::value::{Datum, Result};
use crate::model::hir::*;
use crate::program::ir::LeaseScope;
use crate::text::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Where it lies.
    pub place: u32,
    /// The face that it shows.
    pub face: u32,
    /// Of a die: which side is up.
    pub side: u32,
    /// Whether it lies face up.
    pub up: bool,
    /// When it came to where it lies.
    pub came: i64,
}

/// A change that ends with a scope.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// When it came into force, by the clock.
    pub since: i64,
    /// When it ends: with which scope, and which turn, round or phase.
    pub until: (LeaseScope, i32),
    /// What it did.
    pub change: Change,
}

/// What a layer did.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// An attribute of a thing was set; what it was before, and what it became.
    Put(AttrId, u32, Datum, Datum),
    /// A component of a kind was moved from one place to another.
    Moved(usize, u32, u32, u32),
    /// An attachment ([`Numbers::layered`]) came into force, with what its names hold.
    Attached(usize, Vec<(LocalId, Datum)>),
}

/// What `once` has been used: its declaration, and the thing or player.
pub type Used = (Span, u32);

/// The state of a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct World {
    /// What each thing has in each attribute that changes; the table's own under 0.
    pub attrs: BTreeMap<(AttrId, u32), Datum>,
    /// What limited things have been used.
    pub used: BTreeSet<Used>,
    /// All components, by kind and number.
    pub pieces: Vec<Vec<Piece>>,
    /// What lies at each place, top first.
    pub lying: Vec<Vec<u32>>,
    /// Which faces each seat knows: kind and number of the component.
    pub known: Vec<BTreeSet<(usize, u32)>>,
    /// Rounds begun.
    pub round: i64,
    /// Turns begun.
    pub turns: i64,
    /// Whose turn it is.
    pub turn: Option<u32>,
    /// Running phases, outermost first.
    pub phases: Vec<RuleId>,
    /// Turns within which the present turn is taken, outermost first.
    pub outer_turns: Vec<u32>,
    /// Changes that end with a scope, oldest first.
    pub layers: Vec<Layer>,
    /// Counts what comes into force.
    pub clock: i64,
    /// Who has won, lost or tied.
    pub verdicts: Vec<Option<Verdict>>,
    /// Whether the game is over.
    pub over: bool,
    /// The seed of all chance.
    pub seed: u64,
    /// Numbers drawn so far: for the table, then for each player.
    pub drawn: Vec<u64>,
}

impl World {
    /// A component.
    pub fn piece(&self, n: &Numbers<'_>, x: &Datum) -> Result<&Piece> {
        let (k, c) = n.component(x)?;
        Ok(&self.pieces[k][c as usize])
    }

    /// Whether all of these seats (bits) know the face of a component.
    pub fn is_known(&self, seats: u32, kind: usize, c: u32) -> bool {
        let mut known = self.known.iter().enumerate().filter(|(s, _)| seats >> s & 1 == 1);
        known.all(|(_, all)| all.contains(&(kind, c)))
    }
}
