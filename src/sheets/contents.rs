//! What a set-up of a game has, as whoever can compile the game tells it: how many components show which face, the players, and the maps as they are drawn.
use houserule_model::LookParts;
use std::sync::Arc;

/// What a set-up has.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Contents {
    /// The game's title.
    pub title: String,
    /// The scenario, if one is played.
    pub scenario: Option<Arc<str>>,
    /// The faces of its components.
    pub faces: Vec<FaceCount>,
    /// Its players, in order.
    pub players: Vec<PlayerPart>,
    /// Whether players stand on the maps: each has a piece of its own then.
    pub standing: bool,
    /// Its maps.
    pub boards: Vec<BoardPart>,
}

/// A face of components, and how many show it.
#[derive(Clone, PartialEq, Debug)]
pub struct FaceCount {
    /// The kind by its name; of a kind that is another one (`card Gold is Card`) the one at the top.
    pub kind: Arc<str>,
    /// The face's word: `queen`, `number(3)`.
    pub word: Arc<str>,
    /// For people.
    pub title: Arc<str>,
    /// What its back is called: cards that are not told apart face down have one title.
    pub back: Arc<str>,
    /// For each component the player to whom it belongs, if it belongs to one.
    pub owners: Vec<Option<usize>>,
    /// The sides of a die, in words.
    pub sides: Vec<String>,
}

/// A player.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerPart {
    /// For people.
    pub name: String,
    /// How the rules draw it.
    pub look: LookParts,
}

/// A way of a graph: from where, to where, and whether it leads there only.
pub type Way = ((u32, u32), (u32, u32), bool);

/// A map as it is drawn at the start.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BoardPart {
    /// Its name.
    pub name: String,
    /// Whether it is of hexes.
    pub hexes: bool,
    /// Of hexes: whether each row begins half a hex further east than the one below, instead of every second one.
    pub slanted: bool,
    /// Whether spaces come into play while the game goes on.
    pub grows: bool,
    /// Columns and rows.
    pub size: (u32, u32),
    /// Its spaces.
    pub spaces: Vec<SpacePart>,
    /// The ways of a graph.
    pub ways: Vec<Way>,
}

/// A space.
#[derive(Clone, PartialEq, Debug)]
pub struct SpacePart {
    /// For people.
    pub name: String,
    /// Column and row, from the south-west.
    pub at: (u32, u32),
    /// How the rules draw it.
    pub look: LookParts,
    /// What it is, where the rules draw neither text nor shape.
    pub marks: Vec<String>,
    /// Whether it belongs to a player now: then its shape or sign is a piece that stands on it, and is not printed.
    pub owned: bool,
}
