//! The checked game: types, kinds and their attributes and zones, members, maps.
use super::*;

/// A type. Two are the same when they are equal; [`Ty::Maybe`] never nests.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    /// `yes` or `no`.
    Bool,
    /// A whole number; the bounds are those that are known (declared or inferred), within `i32`.
    Int(i32, i32),
    /// What is shown to people; only composed, never compared.
    Text,
    /// A word of an enum, a component, a space, a player, a direction, a line of a board: whatever [`Kind`] has members.
    Of(KindId),
    /// A face of a component kind: what a member declares, apart from the component that shows it.
    Face(KindId),
    /// A side of a die kind: a value and what the `face` attributes say, apart from the die that shows it.
    Side(KindId),
    /// A zone, slot, space or the box.
    Place,
    /// Things of a type that has a universe (not text, place or set), without order and each at most once.
    Set(Box<Ty>),
    /// The same in order, or places in order.
    List(Box<Ty>),
    /// Things with counts.
    Bag(Box<Ty>),
    /// A test on a component's face or a die's side: a set of them.
    Filter(KindId),
    /// A component of any of several kinds.
    AnyOf(Vec<KindId>),
    /// That, or none.
    Maybe(Box<Ty>),
    /// The type of the bare `none`.
    None,
    /// A phase.
    Phase,
    /// No value: what a rule without result gives.
    Nothing,
    /// Already reported: fits everything, so that one mistake is reported once.
    Error,
}

/// Players, seats and the like are kinds too; these are always the first in [`Model::kinds`], in this order.
pub mod builtin_kinds {
    use super::KindId;
    /// `player`.
    pub const PLAYER: KindId = KindId(0);
    /// `Direction`: north, northeast, east … clockwise.
    pub const DIRECTION: KindId = KindId(1);
    /// `team`: as many as players; see [`super::Builtin::TeamOf`].
    pub const TEAM: KindId = KindId(2);
}

/// What sort of things a kind has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KindSort {
    /// Sides of the rules.
    Player,
    /// Words in the order written.
    Enum,
    /// The eight (squares) or six (hexes) directions.
    Direction,
    /// Groups of players.
    Team,
    /// Components of that declaration word.
    Component(ComponentSort),
    /// Spaces, on a map or off any.
    Space(Option<MapId>),
    /// Rows or columns of a map of squares: each is a list of its spaces (columns from south to north, rows from west to east).
    Lines(MapId, LineSort),
}

/// Which lines a [`KindSort::Lines`] has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineSort {
    /// `Column`: A, B, C … from the west.
    Column,
    /// `Row`: 1, 2, 3 …
    Row,
}

/// The declaration word of a component kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComponentSort {
    /// `card`.
    Card,
    /// `token`.
    Token,
    /// `piece`.
    Piece,
    /// `die`.
    Die,
    /// `patch`: it covers several spaces.
    Patch,
}

/// A kind: enum, component, space, player …
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name in the rules.
    pub name: Arc<str>,
    /// For people; the name where no text is given.
    pub title: Arc<str>,
    /// What it has.
    pub sort: KindSort,
    /// `is K`: everything of the parent, and its things are the parent's too.
    pub parent: Option<KindId>,
    /// `of player`: a set of members for each player.
    pub per_player: bool,
    /// Whether `T or U` made it: above kinds that lie, or are chosen, together. The rules cannot name it.
    pub joined: bool,
    /// Enum words and other members in the order declared (all scopes; the kind's own, not its subkinds').
    pub members: Vec<MemberId>,
    /// Attributes declared here (not the parent's).
    pub attrs: Vec<AttrId>,
    /// Zones and slots declared here.
    pub zones: Vec<ZoneId>,
    /// `x5` at the kind itself: so many without a member's name.
    pub copies: Option<Expr>,
    /// `discards to …`, with `this` and `owner`: of those in force the last holds.
    pub discards: Vec<(ScopeId, Body<Expr>)>,
    /// `out when C` of players, as values of the player: who is out is not asked, and what the player's cards bring is not in force.
    pub out_when: Vec<(ScopeId, ValueId)>,
    /// Sides of a die kind without members (`faces: 1..6`), or none.
    pub sides: Vec<Side>,
    /// How it is drawn: slot, expression with `this`.
    pub look: Vec<LookRow>,
    /// Where it is declared.
    pub span: Span,
    /// Its `##` text.
    pub doc: Option<Arc<str>>,
    /// When it is in force.
    pub scope: ScopeId,
}

/// One row of a `look`.
#[derive(Clone, Debug)]
pub struct LookRow {
    /// Whether it is of the back.
    pub back: bool,
    /// `fill`, `edge`, `text` …
    pub slot: Arc<str>,
    /// What is drawn; its one local is the thing drawn.
    pub expr: Body<Expr>,
}

/// A die's side: its value and the values of `face` attributes.
#[derive(Clone, Debug)]
pub struct Side {
    /// The number that is up.
    pub value: i32,
    /// Whether the number is written on it; else it is the side's place.
    pub numbered: bool,
    /// What it gives the `face` attributes of its kind, as constants; the others have their defaults.
    pub marks: Vec<(AttrId, Expr)>,
}

/// A member of a kind: an enum's word, a card's face, a named space, a named player.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its kind.
    pub kind: KindId,
    /// Its word; families (`number(n: 1..13)`) share it.
    pub name: Arc<str>,
    /// For people.
    pub title: Text,
    /// A family's parameter with the range of its key: one face for each key.
    pub family: Option<(LocalId, i32, i32)>,
    /// `x4`, or one. Constant in a set-up; may use `count(players)`, options and the family's key.
    pub copies: Option<Body<Expr>>,
    /// Values of attributes, as constants of a set-up (may use the family's key).
    pub sets: Vec<(AttrId, Body<Expr>)>,
    /// Bodies for the kind's abstract values.
    pub fills: Vec<(ValueId, Body<Expr>)>,
    /// Bodies for the kind's abstract rules.
    pub rule_fills: Vec<(RuleId, Body<Block>)>,
    /// Sides of a die.
    pub sides: Vec<Side>,
    /// `answered by` of an additional player: who answers for it. An empty set means nobody, [`Builtin::Seats`] means all seats, another set lists the numbers of seats
    /// from 1.
    pub answered: Option<Expr>,
    /// Where it is declared.
    pub span: Span,
    /// Its `##` text.
    pub doc: Option<Arc<str>>,
    /// When it is in force.
    pub scope: ScopeId,
}

/// Who may see something.
#[derive(Clone, Debug)]
pub enum Seen {
    /// All (the default).
    All,
    /// Whoever holds it.
    Owner,
    /// Nobody.
    Nobody,
    /// A set of players worked out: locals are the holder (`owner`), and the thing (`it`); the expression is a set of players.
    By(Body<Expr>),
}

/// An attribute.
#[derive(Clone, Debug)]
pub struct Attr {
    /// Its name.
    pub name: Arc<str>,
    /// The kind that declares it; `None` is the table (global).
    pub of: Option<KindId>,
    /// Its type; ranges are in it.
    pub ty: Ty,
    /// Its value at the start; may look at `this`/`owner`, options, `count(players)`.
    pub default: Option<Body<Expr>>,
    /// Leaving the range is not an error.
    pub clamped: bool,
    /// `per turn`, `per round` …: back to the default when the scope begins.
    pub per: Option<Arc<str>>,
    /// `back`: seen on the back too. `face`: of a die's side.
    pub side: AttrSide,
    /// Whether any rule, test or hook ever assigns it. Where none does it belongs to the face and costs nothing in the state.
    pub assigned: bool,
    /// Whether a sign of a drawn map sets it. Where nothing else does, it is known when a set-up is made, and costs nothing in the state either.
    pub drawn: bool,
    /// State of a phase or a member (`has`).
    pub has_of: Option<HasOf>,
    /// Of a bag: the attributes that say how many it holds of each word of the enum, in the order of the words.
    pub parts: Vec<AttrId>,
    /// Whether it is such a part, what a patch prints on one of its spaces, or where a space lies in its slot; the rules cannot name it.
    pub is_part: bool,
    /// Where it is declared.
    pub span: Span,
    /// Its `##` text.
    pub doc: Option<Arc<str>>,
    /// When it is in force.
    pub scope: ScopeId,
}

/// On which side an attribute is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttrSide {
    /// On the front, or nowhere.
    Front,
    /// On both sides: everybody sees it however the thing lies.
    Back,
    /// On a die's sides.
    Side,
}

/// Whose `has` it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HasOf {
    /// A phase's.
    Phase(RuleId),
    /// One member's components'.
    Member(MemberId),
    /// A menu's.
    Menu(MenuId),
}

/// A zone or slot.
#[derive(Clone, Debug)]
pub struct Zone {
    /// Its name.
    pub name: Arc<str>,
    /// The kind that has one each; `None` is the table.
    pub of: Option<KindId>,
    /// The phase whose own zone it is: emptied when the phase ends. It lies on the table.
    pub has_of: Option<RuleId>,
    /// `zone decks[d: Deck]`: one for each word or number.
    pub index: Option<Ty>,
    /// What it holds.
    pub holds: Vec<KindId>,
    /// `slot`: at most one thing, read as the thing or none.
    pub slot: bool,
    /// Who sees what lies in it.
    pub seen: Seen,
    /// Whether attachments of what lies in it are in force, and when.
    pub active: Active,
    /// `up to n`.
    pub capacity: Option<Body<Expr>>,
    /// `sorted by attr`.
    pub sorted: Option<AttrId>,
    /// A supply without end.
    pub unlimited: bool,
    /// What is done when something is to be taken and nothing is left.
    pub refill: Option<RuleId>,
    /// Where it is declared.
    pub span: Span,
    /// Its `##` text.
    pub doc: Option<Arc<str>>,
    /// When it is in force.
    pub scope: ScopeId,
}

/// Whether what lies in a zone has its attachments in force.
#[derive(Clone, Debug)]
pub enum Active {
    /// No.
    Never,
    /// Yes.
    Always,
    /// While a condition holds; locals are the thing (`this`) and its `owner`.
    When(Body<Expr>),
}

/// How many spaces a map may have in a set-up.
pub const MOST_SPACES: usize = 2048;

/// A map.
#[derive(Clone, Debug)]
pub struct Map {
    /// Its name.
    pub name: Arc<str>,
    /// Its shape.
    pub shape: Shape,
    /// The kind of its spaces.
    pub space: KindId,
    /// Size, where it is declared with one: columns and rows, as many as there can be.
    pub size: Option<(u32, u32)>,
    /// Columns and rows, where each set-up computes them.
    pub computed: Option<(Expr, Expr)>,
    /// Of a map that grows: the set of its spaces that are in play. The size is then the most that it may have.
    pub in_play: Option<ValueId>,
    /// Pictures: the scope that draws it, with the rows of signs as drawn (`.` and blanks are kept), the first row is the northmost.
    pub pictures: Vec<Picture>,
    /// The ways of a graph, row by row.
    pub ways: Vec<WayRow>,
    /// Where the picture of a graph puts its places: from the left, from the top.
    pub places: Vec<(MemberId, u32, u32)>,
    /// What its signs mean, in the order in which legends are read: the game's first.
    pub legend: Vec<LegendRow>,
    /// `Row` and `Column` kinds of its lines.
    pub rows: Option<KindId>,
    /// See `rows`.
    pub columns: Option<KindId>,
    /// Where the patches lie of which it is laid out: spaces whose members are the signs of its pictures.
    pub slots: Option<KindId>,
    /// Where it is declared.
    pub span: Span,
    /// When it is in force.
    pub scope: ScopeId,
}

/// How a map's spaces touch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Squares; `diagonal` tells whether slanting neighbours count as neighbours.
    Squares { diagonal: bool },
    /// Hexes in offset rows, or, as a rhombus, each row shifted by half a hex.
    Hexes { rhombus: bool },
    /// One after the other.
    Line,
    /// Places of its own, with ways between them.
    Graph,
}

/// A row of the ways of a graph.
#[derive(Clone, Debug)]
pub struct WayRow {
    /// When it is in force.
    pub scope: ScopeId,
    /// The places, in order.
    pub places: Vec<MemberId>,
    /// For each place but the first, whether the way to it leads there only.
    pub one_way: Vec<bool>,
    /// Whether all ways begin at the first place, and not each where the one before ends.
    pub star: bool,
}

impl WayRow {
    /// Its ways: from where, to where, and whether that way round only.
    pub fn ways(&self) -> impl Iterator<Item = (MemberId, MemberId, bool)> + '_ {
        let from = |i: usize| if self.star { 0 } else { i };
        let way = move |(i, (to, one_way)): (usize, (&MemberId, &bool))| {
            self.places.get(from(i)).map(|from| (*from, *to, *one_way))
        };
        self.places.iter().skip(1).zip(&self.one_way).enumerate().filter_map(way)
    }
}

/// A drawn map.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Who draws it.
    pub scope: ScopeId,
    /// Its signs, row by row.
    pub cells: Vec<PictureCell>,
    /// Names of rows, which stand before a bar: signs that hold for each space of the row. Their column is 0.
    pub labels: Vec<PictureCell>,
    /// Columns and rows.
    pub size: (u32, u32),
    /// Where it stands.
    pub span: Span,
}

/// One sign of a picture.
#[derive(Clone, Debug)]
pub struct PictureCell {
    /// From the left, from 0.
    pub column: u32,
    /// From the top, from 0.
    pub row: u32,
    /// The sign. Legends say what it is: of those in force at a set-up the latest one that explains it.
    pub sign: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// A row of a legend.
#[derive(Clone, Debug)]
pub struct LegendRow {
    /// When it is in force.
    pub scope: ScopeId,
    /// The sign.
    pub sign: Arc<str>,
    /// What it puts on a space.
    pub marks: Vec<Mark>,
    /// Under which condition of the set-up.
    pub when: Option<Expr>,
    /// The sign's place.
    pub span: Span,
}

/// What a sign of a legend means.
#[derive(Clone, Debug)]
pub enum Mark {
    /// A component of that face from the box, to that zone of the space.
    Component(MemberId, ZoneId),
    /// Any component of that kind from the box.
    OfKind(KindId, ZoneId),
    /// The first thing of a zone of the table.
    From(ZoneId, ZoneId),
    /// An attribute of the space.
    Set(AttrId, Expr),
    /// A player's word: whose the components beside it are, of kinds of which each player has a set; without such components an attribute of the space.
    Player(AttrId, Expr),
    /// Whose the components of the sign are, of kinds of which each player has a set.
    Whose(Expr),
}
