//! Tables of the world: universes, components, attributes, zones, places, maps, constant tables.
use super::*;

/// A numbered range of things.
#[derive(Clone, Debug)]
pub struct Universe {
    /// Its name, for people and dumps.
    pub name: Arc<str>,
    /// Number of things.
    pub n: u32,
    /// Words of a set: `ceil(n / 64)`, at least 1.
    pub w: u8,
    /// The sort of its things.
    pub sort: UniverseSort,
    /// Word and title of each thing; components are named by their faces, numbers by themselves.
    pub things: Vec<Thing>,
}

/// Lists have room for at least this many entries, because a list may hold a thing more than once.
const LEAST_ROOM: u32 = 16;
/// Lists have room for at most this many entries, so that one fits into the registers of a function.
const MOST_ROOM: u32 = 476;

impl Universe {
    /// The most entries of a list of its things.
    pub fn list_room(&self) -> u32 {
        self.n.clamp(LEAST_ROOM, MOST_ROOM)
    }
}

/// The name of a thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thing {
    /// In rules, saves and tests: `D3`, `guard`, `number(3)`.
    pub word: Arc<str>,
    /// Title, for people.
    pub title: Arc<str>,
}

/// The sort of a universe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UniverseSort {
    /// Players.
    Players,
    /// Words of an enum, directions, teams, lines of a board.
    Words,
    /// Spaces, on that map.
    Spaces(Option<MapIx>),
    /// Components; index in [`Program::comps`].
    Components(u16),
    /// Faces of components; index in [`Program::comps`].
    Faces(u16),
    /// Sides of dice; index in [`Program::comps`]. Side k of face f has the number f times the most sides of any face, plus k.
    Sides(u16),
    /// Numbers from `lo` on: thing k is the number lo + k. Registers hold the number, sets hold `number - lo`.
    Numbers { lo: i32 },
    /// No, yes.
    Truth,
}

/// The components of a root kind.
#[derive(Clone, Debug)]
pub struct Components {
    /// Their universe.
    pub universe: UniverseId,
    /// What one is called while its face is unknown: the title of the kind.
    pub title: Arc<str>,
    /// The universe of their faces.
    pub faces: UniverseId,
    /// First cell of the places, one cell for each component.
    pub place: u32,
    /// First cell of the faces.
    pub face: u32,
    /// First cell of the sides, if the kind is a die (else `u32::MAX`).
    pub side: u32,
    /// First cell of whether each lies face up; `u32::MAX` if no component of the kind is ever turned.
    pub up: u32,
    /// First cell of when each came to its place, by the clock of layers; `u32::MAX` if it is not used.
    pub came: u32,
    /// The universe of the sides, if the kind is a die.
    pub showing: Option<UniverseId>,
    /// Number of the box.
    pub boxed: u16,
    /// Where discards go: a function of a component to a place.
    pub discards: Option<FuncId>,
    /// The planes of the faces, one for each face, if the program reads them.
    pub by_face: Option<GroupIx>,
    /// For each seat, the plane of the components whose face it knows: first word, in the state's planes.
    pub known: u32,
    /// Faces of the components at the start, by number.
    pub initial: Vec<u16>,
    /// For each face, the number of its back, which it may share with others (determinization exchanges these).
    pub backs: Vec<u16>,
    /// For each back, what one with this back is called while its face is unknown: the title of the nearest kind of which all faces with this back are.
    pub back_titles: Vec<Arc<str>>,
    /// For each face, the number of its exchange class: neither a shuffle nor determinization gives a component a face of another class.
    pub classes: Vec<u16>,
    /// For each component the player to whom it belongs, for kinds that each player has (else empty).
    pub owners: Vec<i32>,
    /// For a die kind, the values on the sides of each face.
    pub sides: Vec<Vec<i32>>,
    /// Its attributes by which alike components may differ.
    pub attrs: Vec<AttrIx>,
    /// Attributes, of anything, whose value is one of these components.
    pub named_by: Vec<AttrIx>,
    /// Whether the components can be mixed up: some place for several of them is not seen by everybody. Then their numbers are secret.
    pub mixed: bool,
}

impl Components {
    /// What a component that shows this face is called while the face is unknown.
    pub fn hidden_title(&self, face: Option<usize>) -> &Arc<str> {
        let back = face.and_then(|f| self.backs.get(f));
        back.and_then(|b| self.back_titles.get(usize::from(*b))).unwrap_or(&self.title)
    }

    /// The number of sides of the face with the most sides, at least one: each face has so many numbers in the universe of sides.
    pub fn most_sides(&self) -> usize {
        self.sides.iter().map(Vec::len).max().unwrap_or(0).max(1)
    }
}

/// An attribute in the state.
#[derive(Clone, Debug)]
pub struct AttrSlot {
    /// Its name.
    pub name: Arc<str>,
    /// The universe of its owners; `None`: the table.
    pub of: Option<UniverseId>,
    /// First cell; one for each thing.
    pub cell: u32,
    /// Least number allowed (things: 0).
    pub lo: i32,
    /// Greatest number allowed.
    pub hi: i32,
    /// Whether none is allowed.
    pub maybe: bool,
    /// Whether a value out of range is cut; if not, it is a fault.
    pub clamped: bool,
    /// How its values are shown.
    pub show: Show,
    /// Index planes over the owner's universe: { e : a(e) = v }.
    pub planes: Option<GroupIx>,
    /// Start values, by thing.
    pub initial: Vec<i32>,
    /// The faces whose components have it (`has`); empty: all.
    pub own: Vec<u16>,
    /// When it is reset to the start value.
    pub per: Option<Per>,
    /// Who sees it. Attributes of components are seen with the component; those of the table and of players by all, unless declared otherwise.
    pub seen: SeenBy,
    /// For components: whether it is on the back, so that all see it.
    pub back: bool,
    /// The declaration, for logs.
    pub decl: DeclIx,
}

/// When an attribute is reset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Per {
    /// At the beginning of a turn, for the player whose turn it is (all things, if it is not a player's).
    Turn,
    /// At the beginning of a round.
    Round,
    /// At the beginning of that phase.
    Phase(PhaseIx),
    /// At the beginning of any phase.
    AnyPhase,
    /// When the component leaves its place.
    Stay,
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
    /// A pure function of (holder or none, thing) to a set of players.
    Func(FuncId),
}

/// A bitmap index: planes over one universe. The plane of value v is at word `at + (v - lo) * w`; the plane of none is the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlaneGroup {
    /// The universe of the planes' things.
    pub universe: UniverseId,
    /// First word in the state's planes; for `fixed`, in [`Program::sets`].
    pub at: u32,
    /// Whether the planes never change.
    pub fixed: bool,
    /// Whether they are for an order: a value beyond the ends then counts as the end.
    pub ordered: bool,
    /// Least value.
    pub lo: i32,
    /// Number of values, without none.
    pub n: u16,
    /// Words of a plane.
    pub w: u8,
}

/// A declared zone with all its places.
#[derive(Clone, Debug)]
pub struct ZoneSlot {
    /// Its name.
    pub name: Arc<str>,
    /// The universe of its holders; `None`: the table.
    pub of: Option<UniverseId>,
    /// The components that it holds, by index in [`Program::comps`].
    pub holds: u16,
    /// Zones that hold the same kinds have the same number; those that hold a whole family have none.
    pub kinds: Option<u16>,
    /// Its first place. Places stand one behind the other, for each holder one an index: [`ZoneSlot::place`].
    pub first: u16,
    /// The least number of a holder that has places, and how many have them from there on. On a kind of components those have none that never show a face of that kind.
    pub holders: (u32, u32),
    /// Places of each holder (1, or one for each index).
    pub indexes: u16,
    /// Least index.
    pub index_lo: i32,
    /// The universe of the index, if it consists of things with names.
    pub index_of: Option<UniverseId>,
    /// Whether it holds at most one thing.
    pub slot: bool,
    /// Whether order matters: it has a sequence.
    pub ordered: bool,
    /// Whether rules read that order: its things can then be told apart by their positions.
    pub order_asked: bool,
    /// Who sees the faces in it.
    pub seen: SeenBy,
    /// The most things it holds; more are a fault.
    pub capacity: u16,
    /// Whether it never runs out.
    pub unlimited: bool,
    /// The declaration.
    pub decl: DeclIx,
}

impl ZoneSlot {
    /// The place of a holder for the n-th index; `None` if the holder has none.
    pub fn place(&self, holder: usize, n: usize) -> Option<usize> {
        let (from, many) = (self.holders.0 as usize, self.holders.1 as usize);
        let row = holder.checked_sub(from).filter(|row| *row < many)?;
        Some(usize::from(self.first) + row * usize::from(self.indexes.max(1)) + n)
    }
}

/// One place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its zone; `u16::MAX` for the box.
    pub zone: u16,
    /// Number of the holder, or [`NONE`].
    pub owner: i32,
    /// The player who holds it, or [`NONE`].
    pub holder: i32,
    /// The space on which it is, or [`NONE`].
    pub space: i32,
    /// Index in [`Program::comps`].
    pub comps: u16,
    /// First word of the plane of its contents, in the state's planes.
    pub plane: u32,
    /// A cell: of an ordered place, where its components begin in the row of its family; of a slot, its component, or none. `u32::MAX` for other places.
    pub seq: u32,
    /// The first cell of the family's row: the components in its ordered places, from the top of the first place to the bottom of the last. The cells before it say where each
    /// place begins, and where the last one ends. `u32::MAX` for places without an order.
    pub row: u32,
    /// How many components the row has room for.
    pub room: u16,
}

/// A way of a graph: from where, to where, whether it leads there only.
pub type Way = (u16, u16, bool);

/// A map's topology.
#[derive(Clone, Debug)]
pub struct Topology {
    /// Its name.
    pub name: Arc<str>,
    /// The universe of its spaces.
    pub spaces: UniverseId,
    /// Columns and rows of the picture (spaces may be missing).
    pub size: (u32, u32),
    /// Whether its spaces are hexes, for drawing.
    pub hexes: bool,
    /// Column and row of each space (row 0 is the south).
    pub at: Vec<(u16, u16)>,
    /// Number of directions: 8, 6, 2 or 0.
    pub dirs: u8,
    /// Successor of each space in each direction: `succ[dir * n + space]`, or `u16::MAX`.
    pub succ: Vec<u16>,
    /// For maps of at most 64 spaces without gaps: a direction is a shift (positive: left) after a mask.
    pub shifts: Vec<(i8, u64)>,
    /// The neighbours of each space, `w` words each.
    pub neighbours: Vec<u64>,
    /// The ways of a graph; none on other maps.
    pub ways: Vec<Way>,
    /// The spaces of each row of a graph's ways, in order.
    pub rows: Vec<Vec<u16>>,
    /// Of a map that grows: a pure function to the set of its spaces that are in play.
    pub in_play: Option<FuncId>,
    /// Steps between any two spaces, `dist[a * n + b]`; 255: unreachable. Empty if some are too far apart for that.
    pub dist: Vec<u8>,
    /// The opposite of each direction.
    pub back: Vec<u8>,
    /// Ray of each direction and space, `rays[dir * n + space]`: a range of `ray_list`.
    pub rays: Vec<(u32, u32)>,
    /// Spaces of the rays.
    pub ray_list: Vec<u16>,
}

impl Topology {
    /// Whether each space is a neighbour of its neighbours.
    pub fn is_two_way(&self) -> bool {
        self.ways.iter().all(|(.., one_way)| !one_way)
    }
}

/// A table of constant lists: the lines of a length, rows, columns, printed lists.
#[derive(Clone, Debug)]
pub struct LineTable {
    /// The universe of their things.
    pub universe: UniverseId,
    /// The universe of the lists themselves (rows, columns), if there is one.
    pub lists: Option<UniverseId>,
    /// The range of `items` of each list.
    pub ranges: Vec<(u32, u32)>,
    /// The things of the lists, in order.
    pub items: Vec<u16>,
    /// Each list as a set, `w` words.
    pub masks: Vec<u64>,
    /// For each thing, the lists that contain it: a range of `through_masks`, `w` words each.
    pub through: Vec<(u32, u32)>,
    /// The sets of these lists, side by side.
    pub through_masks: Vec<u64>,
    /// Whether each list is in ascending order, so that the first of some of its things is the least.
    pub ascending: bool,
}

/// A constant table by thing.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name.
    pub name: Arc<str>,
    /// The universe that indexes it; a table by face can be summed over components.
    pub universe: UniverseId,
    /// Values.
    pub values: Vec<i32>,
}

/// An attribute that only the signs of a drawn map set: it is in a constant table, and all see it.
#[derive(Clone, Debug)]
pub struct PrintedSlot {
    /// Its name.
    pub name: Arc<str>,
    /// The universe of its owners.
    pub of: UniverseId,
    /// The table of its values.
    pub table: TableIx,
    /// How its values are shown.
    pub show: Show,
}

/// What spaces show of what lies on them, beside their attributes: all see it.
#[derive(Clone, Debug)]
pub struct ShownSlot {
    /// Its name.
    pub name: Arc<str>,
    /// The universe of the spaces.
    pub of: UniverseId,
    /// A pure function of the space.
    pub func: FuncId,
    /// How its value is shown.
    pub show: Show,
}

/// Constant sets of a universe in rows and columns: the result of a built-in for each space, with its other argument as the row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    /// The universe of the sets.
    pub universe: UniverseId,
    /// Number of sets in a row.
    pub columns: u32,
    /// Number of rows.
    pub rows: u32,
    /// First word in [`Program::sets`].
    pub at: u32,
    /// Words of a set.
    pub w: u8,
}
