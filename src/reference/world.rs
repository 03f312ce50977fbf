//! The state of a game as plain tables. What is not here, no rule can look at.
use super::*;

/// A component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    pub place: u32, // Where it lies.
    pub face: u32,  // The face that it shows.
    pub side: u32,  // Of a die: which side is up.
    pub up: bool,   // Whether it lies face up.
    pub came: i64,  // When it came to where it lies.
    pub known: u32, // The seats (bits) that know its face.
}

/// A change that ends with a scope.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    pub since: i64,               // When it came into force, by the clock.
    pub until: (LeaseScope, i32), // When it ends: with which scope, and which turn, round or phase.
    pub change: LayerChange,      // What it did.
}

/// What a layer did.
#[derive(Clone, PartialEq, Debug)]
pub enum LayerChange {
    Set(Slot, Datum, Datum), // Something was set; what it was before, and what it became.
    Attached(usize, Vec<(LocalId, Datum)>), // An attachment ([`Numbers::layered`]) came, with its names.
}

/// What a layer can set.
#[derive(Clone, PartialEq, Debug)]
pub enum Slot {
    Attr((usize, Datum)), // What a thing has in an attribute ([`World::attrs`]).
    Place(Datum),         // Where a component lies.
}

/// The state of a game. What is `once` has a slot among those of attributes, too: whether it has been used.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct World {
    pub attrs: BTreeMap<(usize, Datum), Datum>, // What each thing has in each slot; the table's own under none.
    pub pieces: BTreeMap<Datum, Piece>,         // All components.
    pub lying: Vec<Vec<Datum>>,                 // What lies at each place, top first.
    pub round: i64,                             // Rounds begun.
    pub turns: i64,                             // Turns begun.
    pub turn: Option<u32>,                      // Whose turn it is.
    pub phases: Vec<RuleId>,                    // Running phases, outermost first.
    pub outer_turns: Vec<u32>, // Turns within which the present turn is taken, outermost first.
    pub layers: Vec<Layer>,    // Changes that end with a scope, oldest first.
    pub clock: i64,            // Counts what comes into force.
    pub verdicts: Vec<Option<Verdict>>, // Who has won, lost or tied.
    pub over: bool,            // Whether the game is over.
    pub seed: u64,             // The seed of all chance.
    pub drawn: Vec<u64>,       // Numbers drawn so far: for the table, then for each player.
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
