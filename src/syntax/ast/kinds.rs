//! The syntax tree of components, maps, attributes, members, lists, legends and looks.
use super::{ActionDecl, Attach, Block, Doc, Expr, Int, Name, Param, RuleDecl, Text, Type, ValueDecl};
use houserule_text::Span;

/// `enum K | attr: type { rows }`
#[derive(Clone, PartialEq, Debug)]
pub struct EnumDecl {
    /// Its name.
    pub name: Name,
    /// The attributes of its words.
    pub columns: Vec<AttrDecl>,
    /// Its words.
    pub rows: Vec<EnumRow>,
}

/// One word of an enum.
#[derive(Clone, PartialEq, Debug)]
pub struct EnumRow {
    /// What `##` lines above it say.
    pub doc: Option<Doc>,
    /// The word; may begin with a capital.
    pub name: Name,
    /// Its title.
    pub title: Option<Text>,
    /// Its values, one a column.
    pub cells: Vec<Cell>,
    /// Where.
    pub span: Span,
}

/// Which component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComponentKind {
    /// `card`
    Card,
    /// `token`
    Token,
    /// `piece`
    Piece,
    /// `die`
    Die,
}

/// `card K [of player] [is K2] ["T"] [xN] { parts }`
#[derive(Clone, PartialEq, Debug)]
pub struct Component {
    /// Which component.
    pub kind: ComponentKind,
    /// Its name.
    pub name: Name,
    /// `of player`: a set for each.
    pub of_player: bool,
    /// The kind whose parts it has.
    pub is: Option<Name>,
    /// Its title.
    pub title: Option<Text>,
    /// How many there are.
    pub copies: Option<Expr>,
    /// Its parts; none if it has no body.
    pub parts: Vec<Part>,
}

/// `player n ["T"] [answered by e] { parts }`
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerMember {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Text>,
    /// Who answers for it.
    pub answered: Option<Expr>,
    /// Its values.
    pub parts: Vec<Part>,
}

/// `map M shape [of Patch] [picture]`
#[derive(Clone, PartialEq, Debug)]
pub struct MapDecl {
    /// Its name.
    pub name: Name,
    /// Its shape; none where a scenario draws a map that is declared elsewhere.
    pub shape: Option<Shape>,
    /// The patch it is laid out of.
    pub of: Option<Name>,
    /// What stands where.
    pub picture: Option<Picture>,
    /// The ways of a graph, one row a line.
    pub ways: Vec<WayRow>,
}

/// `a - b - c`, `a -> b -> a`, or `a - b, c`: ways between places of a graph.
#[derive(Clone, PartialEq, Debug)]
pub struct WayRow {
    /// The first place.
    pub from: Name,
    /// The other places; whether the way to it leads there only.
    pub to: Vec<(Name, bool)>,
    /// Whether all ways begin at the first place, and not each where the one before ends.
    pub star: bool,
}

/// The shape of a map.
#[derive(Clone, PartialEq, Debug)]
pub struct Shape {
    /// How its spaces lie.
    pub layout: Layout,
    /// Diagonals count as neighbours.
    pub diagonal: bool,
    /// Hexes in a rhombus.
    pub rhombus: bool,
    /// `within`: it grows, and the size is the most that it may have.
    pub grows: bool,
    /// How wide, or how many spaces.
    pub width: Option<Expr>,
    /// How high.
    pub height: Option<Expr>,
    /// Where.
    pub span: Span,
}

/// How the spaces of a map lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// `squares`
    Squares,
    /// `hexes`
    Hexes,
    /// `line`
    Line,
    /// `graph`
    Graph,
}

/// A drawn map: signs between `"""`, one row a line. Empty lines at the beginning and the end are no rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// From the top.
    pub rows: Vec<PictureRow>,
    /// With its quotes.
    pub span: Span,
}

/// One line of a picture.
#[derive(Clone, PartialEq, Debug)]
pub struct PictureRow {
    /// The row's name: the sign before `|`, if there is one.
    pub label: Option<PictureCell>,
    /// From the left, without the label.
    pub cells: Vec<PictureCell>,
    /// The line without its end.
    pub span: Span,
}

/// One sign of a picture.
#[derive(Clone, PartialEq, Debug)]
pub struct PictureCell {
    /// The sign.
    pub text: String,
    /// How many characters stand before it in its line.
    pub indent: u32,
    /// Where.
    pub span: Span,
}

/// `space K [is K2] [on M | for Patch] { parts }`
#[derive(Clone, PartialEq, Debug)]
pub struct SpaceDecl {
    /// Its name.
    pub name: Name,
    /// The kind whose parts it has.
    pub is: Option<Name>,
    /// The map whose spaces it names.
    pub on: Option<Name>,
    /// The patches that lie on such spaces: each is a slot of their map.
    pub patch: Option<Name>,
    /// Its parts.
    pub parts: Vec<Part>,
}

/// `patch K of n { parts }`
#[derive(Clone, PartialEq, Debug)]
pub struct PatchDecl {
    /// Its name.
    pub name: Name,
    /// Over how many spaces.
    pub size: Int,
    /// Its parts.
    pub parts: Vec<Part>,
}

/// One entry in a kind's or a member's body.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// What `##` lines above it say.
    pub doc: Option<Doc>,
    /// What it is.
    pub kind: PartKind,
    /// Without the doc.
    pub span: Span,
}

/// The entries of kinds, players, the table and members. The grammar lets in a kind: all but `Has`, `Look`, `Set`; in a member: all but
/// `Attr`, `Prints`, `DiscardsTo`, `OutWhen`.
#[derive(Clone, PartialEq, Debug)]
pub enum PartKind {
    /// `attr: type [= e] [clamped] [per scope]`
    Attr(AttrDecl),
    /// `zone n: T` and `slot n: T`
    Zone(ZoneDecl),
    /// `faces: m, m`
    Faces(Vec<Mark>),
    /// `prints { … }` of a patch
    Prints(Vec<Part>),
    /// `discards to e`
    DiscardsTo(Expr),
    /// `out when C`
    OutWhen(Expr),
    /// `value n: type [= e]`; without `=`, a slot that members fill
    Value(ValueDecl),
    /// `rule n() [{ … }]`; without a body, a slot that members fill
    Rule(RuleDecl),
    /// An action that belongs to the component.
    Action(ActionDecl),
    /// An attachment that is in force while the component is active.
    Attach(Attach),
    /// `attr = v`, `slot(x) = e`: fills a value
    FillValue(FillValue),
    /// `slot { … }`, `slot(x) { … }`: fills a rule
    FillRule(FillRule),
    /// `has …`: state of its own
    Has(Has),
    /// `look … { … }`
    Look(Look),
    /// `attr: v`
    Set(Name, Expr),
    /// What could not be read; reported by the parser.
    Bad,
}

/// On which side of a component an attribute is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// `back`: on the back too.
    Back,
    /// `face`: of a die's side.
    Face,
}

/// `[back|face] attr: type [= e] [clamped] [per scope]`
#[derive(Clone, PartialEq, Debug)]
pub struct AttrDecl {
    /// Its side, if said.
    pub side: Option<Side>,
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// What it is at first.
    pub default: Option<Expr>,
    /// Beyond its range it stays at the edge.
    pub clamped: bool,
    /// The scope at whose beginning it is back at the default.
    pub per: Option<Name>,
    /// Where.
    pub span: Span,
}

/// `zone n[i: K]: T marks`, `slot n: T marks`
#[derive(Clone, PartialEq, Debug)]
pub struct ZoneDecl {
    /// `slot`: at most one.
    pub slot: bool,
    /// Its name.
    pub name: Name,
    /// `[i: K]`: one for each.
    pub index: Option<(Name, Type)>,
    /// What it holds.
    pub ty: Type,
    /// In order of the text.
    pub marks: Vec<ZoneMark>,
    /// Where.
    pub span: Span,
}

/// What is said about a zone.
#[derive(Clone, PartialEq, Debug)]
pub enum ZoneMark {
    /// `seen by e [when C]`
    Seen {
        /// By whom.
        by: Expr,
        /// When.
        when: Option<Expr>,
    },
    /// `active [when C]`
    Active(Option<Expr>, Span),
    /// `up to n`
    UpTo(Expr),
    /// `sorted by attr`
    Sorted(Name),
    /// `unlimited`
    Unlimited(Span),
    /// `refill { … }`
    Refill(Block),
}

/// `has` + a zone or an attribute.
#[derive(Clone, PartialEq, Debug)]
pub enum Has {
    /// An attribute.
    Attr(AttrDecl),
    /// A zone.
    Zone(ZoneDecl),
}

/// `name[(x, y)] = e`
#[derive(Clone, PartialEq, Debug)]
pub struct FillValue {
    /// The value or attribute.
    pub name: Name,
    /// The names of its parameters, if brackets are there.
    pub params: Option<Vec<Name>>,
    /// What it is.
    pub value: Expr,
}

/// `name[(x, y)] { … }`
#[derive(Clone, PartialEq, Debug)]
pub struct FillRule {
    /// The rule.
    pub name: Name,
    /// The names of its parameters, if brackets are there.
    pub params: Option<Vec<Name>>,
    /// What it does.
    pub body: Block,
}

/// `K name[(params)] ["T"] [xN] [back values] [{ parts }]` and `K a x5, b x5`
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    /// Its kind.
    pub kind: Name,
    /// Its name.
    pub name: Name,
    /// The parameters of a family.
    pub params: Option<Vec<Param>>,
    /// Its title.
    pub title: Option<Text>,
    /// How many copies.
    pub copies: Option<Expr>,
    /// Values of the back, in their order: numbers and names.
    pub given: Vec<Expr>,
    /// Its body; empty if there is none.
    pub parts: Vec<Part>,
    /// `, b x5`: more of the kind.
    pub more: Vec<MoreMember>,
}

/// A further member in one line.
#[derive(Clone, PartialEq, Debug)]
pub struct MoreMember {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Text>,
    /// How many copies.
    pub copies: Option<Expr>,
    /// Where.
    pub span: Span,
}

/// `list K | column … { rows }`
#[derive(Clone, PartialEq, Debug)]
pub struct ListDecl {
    /// The kind, or the word `player`.
    pub of: Name,
    /// What each column fills: an attribute's name, or a number of faces.
    pub columns: Vec<Name>,
    /// Its rows.
    pub rows: Vec<ListRow>,
}

/// One row of a list.
#[derive(Clone, PartialEq, Debug)]
pub struct ListRow {
    /// What `##` lines above it say.
    pub doc: Option<Doc>,
    /// The member, `K(n)` by its number, or none: so many alike.
    pub name: RowName,
    /// Its title.
    pub title: Option<Text>,
    /// How many copies.
    pub copies: Option<Expr>,
    /// One a column.
    pub cells: Vec<Cell>,
    /// Its body; empty if there is none.
    pub parts: Vec<Part>,
    /// Whether it could not be read; reported by the parser.
    pub bad: bool,
    /// Without the doc.
    pub span: Span,
}

/// How a row of a list names its member.
#[derive(Clone, PartialEq, Debug)]
pub enum RowName {
    /// By name.
    Named(Name),
    /// By number: `K(n)`.
    Number(Int),
    /// Not at all: `x8`.
    Unnamed,
}

/// One cell of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Marks, separated by commas.
    Marks(Vec<Mark>),
    /// What the rule does that the column names.
    Rule(FillRule),
}

/// `v` or `attr: v`
#[derive(Clone, PartialEq, Debug)]
pub struct Mark {
    /// The attribute, if said.
    pub attr: Option<Name>,
    /// The value.
    pub value: Expr,
    /// Where.
    pub span: Span,
}

/// `legend [M] { rows }`
#[derive(Clone, PartialEq, Debug)]
pub struct Legend {
    /// The map, if said.
    pub map: Option<Name>,
    /// Its rows.
    pub rows: Vec<LegendRow>,
}

/// `sign sign: mark, mark [when C]`
#[derive(Clone, PartialEq, Debug)]
pub struct LegendRow {
    /// The signs, as they stand in pictures.
    pub signs: Vec<Name>,
    /// What they stand for; may be empty.
    pub marks: Vec<Mark>,
    /// When.
    pub when: Option<Expr>,
    /// Whether it could not be read; reported by the parser.
    pub bad: bool,
    /// Where.
    pub span: Span,
}

/// `look K { … }`
#[derive(Clone, PartialEq, Debug)]
pub struct Look {
    /// A kind, or a word such as `table`.
    pub of: Name,
    /// What is drawn.
    pub body: LookBody,
    /// Where.
    pub span: Span,
}

/// `{ slot [place]: e; group { … } }`
#[derive(Clone, PartialEq, Debug)]
pub struct LookBody {
    /// In order.
    pub parts: Vec<LookPart>,
    /// With its brackets.
    pub span: Span,
}

/// One entry of a look.
#[derive(Clone, PartialEq, Debug)]
pub enum LookPart {
    /// `back { … }`
    Group(Name, LookBody),
    /// `slot [place]: e`
    Row {
        /// What is drawn.
        slot: Name,
        /// Where on it.
        place: Option<Name>,
        /// Its value.
        value: Expr,
        /// Where in the text.
        span: Span,
    },
}
