//! Who is what number: universes, components, attributes, zones, places, maps, tables.
use super::*;

/// A numbered range of things.
#[derive(Clone, Debug)]
pub struct Universe {
    /// For people and dumps.
    pub name: Arc<str>,
    /// How many.
    pub n: u32,
    /// Words of a set: `ceil(n / 64)`, at least 1.
    pub w: u8,
    /// What it is.
    pub sort: UniverseSort,
    /// Word and title of each thing; components are named by their faces instead, numbers by themselves.
    pub things: Vec<Thing>,
}

/// How a thing is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thing {
    /// In rules, saves and tests: `D3`, `guard`, `number(3)`.
    pub word: Arc<str>,
    /// For people.
    pub title: Arc<str>,
}

/// What a universe is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UniverseSort {
    /// Players.
    Players,
    /// Words of an enum, directions, teams, lines of a board.
    Words,
    /// Spaces, on that map.
    Spaces(Option<MapIx>),
    /// Components; see [`Program::comps`] of that index.
    Components(u16),
    /// Faces of components of that index.
    Faces(u16),
    /// Sides of dice of that index: side k of face f is f times the most sides of any face, plus k.
    Sides(u16),
    /// Numbers from `lo` on: number k is thing k - lo. In registers numbers stand as themselves, in sets as `k - lo`.
    Numbers { lo: i32 },
    /// No, yes.
    Truth,
}

/// The components of a root kind.
#[derive(Clone, Debug)]
pub struct Components {
    /// Their universe.
    pub universe: UniverseId,
    /// What one is called for people whose face is not known: the kind's title.
    pub title: Arc<str>,
    /// The universe of their faces.
    pub faces: UniverseId,
    /// First cell of place, face, position in an ordered place, and flags/side, one a component each.
    pub place: u32,
    /// See above.
    pub face: u32,
    /// See above.
    pub pos: u32,
    /// Cells of the die's side, if the kind is a die (else `u32::MAX`).
    pub side: u32,
    /// Cells 0/1: lies face up. `u32::MAX`: nothing of the kind is ever turned.
    pub up: u32,
    /// Cells of when each came to where it lies, by the clock of layers; `u32::MAX`: nothing asks.
    pub came: u32,
    /// The universe of the sides, if the kind is a die.
    pub showing: Option<UniverseId>,
    /// The place number of the box.
    pub boxed: u16,
    /// Where discards go: a function of (component) to a place.
    pub discards: Option<FuncId>,
    /// Planes {components that show face f}, one a face, if the program reads them.
    pub by_face: Option<GroupIx>,
    /// For each seat a plane of components whose face it knows: first word, in the state's planes.
    pub known: u32,
    /// Faces of the components at the start, by number.
    pub initial: Vec<u16>,
    /// Of each face: the number of the back it shares with others (what determinization may exchange).
    pub backs: Vec<u16>,
    /// Of each component the player it belongs to, for per-player kinds (else empty).
    pub owners: Vec<i32>,
    /// Sides of each face of a die kind: values.
    pub sides: Vec<Vec<i32>>,
    /// Attributes of its own that make two alike components differ.
    pub attrs: Vec<AttrIx>,
    /// Attributes, of whatever, that name one of them.
    pub named_by: Vec<AttrIx>,
    /// Whether they can be mixed up: some place for several of them is not seen into by everybody. Then their numbers are told to nobody.
    pub mixed: bool,
}

impl Components {
    /// How many sides the face with the most of them has, and at least one: so many numbers each face has in the universe of sides.
    pub fn most_sides(&self) -> usize {
        self.sides.iter().map(Vec::len).max().unwrap_or(0).max(1)
    }
}

/// An attribute in the state.
#[derive(Clone, Debug)]
pub struct AttrSlot {
    /// Its name.
    pub name: Arc<str>,
    /// Whose it is; `None`: the table's.
    pub of: Option<UniverseId>,
    /// First cell; one a thing.
    pub cell: u32,
    /// Least and greatest number allowed (things: 0..n-1).
    pub lo: i32,
    /// See `lo`.
    pub hi: i32,
    /// Whether none is allowed.
    pub maybe: bool,
    /// Leaving the range is cut instead of a fault.
    pub clamped: bool,
    /// What its values are, for people.
    pub show: Show,
    /// Index planes over the owner's universe: { e : a(e) = v }.
    pub planes: Option<GroupIx>,
    /// A set-valued attribute: `w` words a thing at this word offset of the planes instead of cells.
    pub set_at: Option<u32>,
    /// Value at the start, by thing.
    pub initial: Vec<i32>,
    /// Faces whose components alone have it (`has`); empty: all.
    pub own: Vec<u16>,
    /// Back to the start value when this begins.
    pub per: Option<Per>,
    /// Who sees it: attributes follow their component; the table's and players' are open unless said.
    pub seen: SeenBy,
    /// Of a component: seen on its back too, so by all, however it lies.
    pub back: bool,
    /// For logs: whether a change is told.
    pub decl: DeclIx,
}

/// When an attribute is set back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Per {
    /// At the beginning of a turn, for the player whose turn it is (all things, if it is not a player's).
    Turn,
    /// At the beginning of a round.
    Round,
    /// At the beginning of that phase.
    Phase(PhaseIx),
    /// At the beginning of whatever phase.
    AnyPhase,
}

/// Who sees something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeenBy {
    /// All.
    All,
    /// The holder.
    Owner,
    /// Nobody.
    Nobody,
    /// Pure function of (holder or none, thing) to a set of players.
    Func(FuncId),
}

/// A group of planes over one universe: plane of value v at word `at + (v - lo) * w`; none's plane comes last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlaneGroup {
    /// The universe of the planes' things.
    pub universe: UniverseId,
    /// First word in the state's planes; where they are `fixed`, in [`Program::sets`].
    pub at: u32,
    /// Whether they never change.
    pub fixed: bool,
    /// Whether they tell an order: a value beyond the ends then counts as the end.
    pub ordered: bool,
    /// Least value.
    pub lo: i32,
    /// How many values, none not counted.
    pub n: u16,
    /// Words a plane.
    pub w: u8,
}

/// A declared zone with all its places.
#[derive(Clone, Debug)]
pub struct ZoneSlot {
    /// Its name.
    pub name: Arc<str>,
    /// The universe of its holders; `None`: the table.
    pub of: Option<UniverseId>,
    /// What it holds: component universes by index in [`Program::comps`].
    pub holds: u16,
    /// Zones that hold the same kinds have the same number; those that hold a whole family have none.
    pub kinds: Option<u16>,
    /// First place; place = first + holder * indexes + index.
    pub first: u16,
    /// How many places each holder has (1, or one an index).
    pub indexes: u16,
    /// Least index.
    pub index_lo: i32,
    /// The universe of indexes, if they are things that have names.
    pub index_of: Option<UniverseId>,
    /// At most one thing.
    pub slot: bool,
    /// Whether order matters: it has a sequence.
    pub ordered: bool,
    /// Whether rules ask for that order: then its things can be told apart by where they lie.
    pub order_asked: bool,
    /// Who sees faces in it.
    pub seen: SeenBy,
    /// How many fit; beyond is a fault.
    pub capacity: u16,
    /// Sorted by that table of faces.
    pub sorted: Option<TableIx>,
    /// The declaration.
    pub decl: DeclIx,
}

/// One place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its zone; `u16::MAX` for the box.
    pub zone: u16,
    /// The holder's number, or [`NONE`].
    pub owner: i32,
    /// The player that holds it, or [`NONE`].
    pub holder: i32,
    /// The space that it is on, or [`NONE`].
    pub space: i32,
    /// Index in [`Program::comps`].
    pub comps: u16,
    /// First word of the plane of its members, in the state's planes.
    pub plane: u32,
    /// Cell of its length, then its sequence (top first), if ordered; of a slot the cell of what lies there, or none; `u32::MAX` of the box.
    pub seq: u32,
    /// Room of the sequence.
    pub cap: u16,
}

/// A map's topology.
#[derive(Clone, Debug)]
pub struct Topology {
    /// Its name.
    pub name: Arc<str>,
    /// The universe of its spaces.
    pub spaces: UniverseId,
    /// Columns and rows of the picture's grid (spaces may be missing).
    pub size: (u32, u32),
    /// Whether it is of hexes, for drawing.
    pub hexes: bool,
    /// Where each space is drawn: column, row (0 is the south).
    pub at: Vec<(u16, u16)>,
    /// How many directions: 8, 6, 2 or 0.
    pub dirs: u8,
    /// Successor of each space in each direction: `succ[dir * n + space]`, or `u16::MAX`.
    pub succ: Vec<u16>,
    /// For grids of at most 64 spaces, all there: a direction is a shift (positive: left) under a mask applied before.
    pub shifts: Vec<(i8, u64)>,
    /// Directions that count as neighbours, and the neighbours' planes, `w` words a space.
    pub neighbour_dirs: u16,
    /// See above.
    pub neighbours: Vec<u64>,
    /// Steps between any two, `dist[a * n + b]`; 255: none. Empty above 1,024 spaces.
    pub dist: Vec<u8>,
    /// The opposite of each direction.
    pub back: Vec<u8>,
    /// Rays: `rays[dir * n + space]` = range of `ray_list`.
    pub rays: Vec<(u32, u32)>,
    /// See above.
    pub ray_list: Vec<u16>,
}

/// Constant lists of spaces: the lines of a length, rows, columns.
#[derive(Clone, Debug)]
pub struct LineTable {
    /// The universe of their things.
    pub universe: UniverseId,
    /// The universe of the lists themselves (rows, columns), or the players' for want of one.
    pub lists: Option<UniverseId>,
    /// Range of `items` of each list.
    pub ranges: Vec<(u32, u32)>,
    /// Things in the lists' order.
    pub items: Vec<u16>,
    /// Each list as a set, `w` words.
    pub masks: Vec<u64>,
    /// For each thing, the lists that it is in: range of `through_masks`, `w` words each.
    pub through: Vec<(u32, u32)>,
    /// See above: the lists' masks, side by side.
    pub through_masks: Vec<u64>,
    /// In every list each thing has a greater number than the one before: the first of some is the least of them.
    pub ascending: bool,
}

/// A static table by thing.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name.
    pub name: Arc<str>,
    /// Whose numbers index it; for faces the component universe can be summed over.
    pub universe: UniverseId,
    /// Values.
    pub values: Vec<i32>,
}

/// An attribute that the signs of a drawn map say and nothing changes: it stands in a table, and all see it.
#[derive(Clone, Debug)]
pub struct PrintedSlot {
    /// Its name.
    pub name: Arc<str>,
    /// Whose it is.
    pub of: UniverseId,
    /// Its values.
    pub table: TableIx,
    /// What its values are, for people.
    pub show: Show,
}

/// Constant sets of a universe side by side: what a built-in says of each space, row by row of its other argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    /// The universe of the sets.
    pub universe: UniverseId,
    /// How many sets a row has.
    pub columns: u32,
    /// How many rows.
    pub rows: u32,
    /// First word in [`Program::sets`].
    pub at: u32,
    /// Words a set.
    pub w: u8,
}
