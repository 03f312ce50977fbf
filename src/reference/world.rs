//! The state of a game as plain tables. What is not here, no rule can look at.
use super::*;

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
    /// The seats (bits) that know its face.
    pub known: u32,
}

/// A change that ends with a scope.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// When it came into force, by the clock.
    pub since: i64,
    /// When it ends: with which scope, and which turn, round or phase.
    pub until: (LeaseScope, i32),
    /// What it did.
    pub change: LayerChange,
}

/// What a layer did.
#[derive(Clone, PartialEq, Debug)]
pub enum LayerChange {
    /// Something was set; what it was before, and what it became.
    Set(Slot, Datum, Datum),
    /// An attachment ([`Numbers::layered`]) came into force, with what its names hold.
    Attached(usize, Vec<(LocalId, Datum)>),
}

/// What a layer can set.
#[derive(Clone, PartialEq, Debug)]
pub enum Slot {
    /// What a thing has in an attribute ([`World::attrs`]).
    Attr((usize, Datum)),
    /// Where a component lies.
    Place(Datum),
}

/// The state of a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct World {
    /// What each thing has in each attribute that changes, by its slot in the tables; the table's own under none. What is `once` has a slot, too: whether it has been used.
    pub attrs: BTreeMap<(usize, Datum), Datum>,
    /// All components.
    pub pieces: BTreeMap<Datum, Piece>,
    /// What lies at each place, top first.
    pub lying: Vec<Vec<Datum>>,
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
    /// A component, which must be there.
    pub fn piece(&self, x: &Datum) -> Result<&Piece> {
        x.thing()?;
        known(self.pieces.get(x), "what lies somewhere and is no component")
    }

    /// The same to be changed.
    pub fn piece_mut(&mut self, x: &Datum) -> Result<&mut Piece> {
        x.thing()?;
        known(self.pieces.get_mut(x), "what lies somewhere and is no component")
    }

    /// What lies in a place, the top first; nothing where there is none.
    pub fn lying_in(&self, place: &Datum) -> Vec<Datum> {
        if let Datum::Place(p) = place { self.lying[*p as usize].clone() } else { Vec::new() }
    }
}
