//! The typed syntax tree: what the text says, before anything is known about names.
//!
//! Everything is owned and carries its [`Span`]. Precedence is already resolved, brackets are gone (the span of a bracketed expression holds
//! its brackets), texts are cut into literals and holes. What could not be read is `Bad`: its finding has been reported by the parser, so
//! whoever walks the tree passes it over in silence. The depth of any tree is bounded by the parser.
use crate::text::Span;

/// A word of the text: a name, a kind's name, a sign.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Name {
    /// As written.
    pub text: String,
    /// Where.
    pub span: Span,
}

impl Name {
    /// Whether it is written as a kind: with a capital first letter.
    pub fn is_kind(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_uppercase())
    }
}

/// A whole number as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Int {
    /// Its value; a number too large has been reported and is `i64::MAX` here.
    pub value: i64,
    /// Where.
    pub span: Span,
}

/// A text in quotes, cut into what stands there and what is filled in.
#[derive(Clone, PartialEq, Debug)]
pub struct Text {
    /// In order; adjacent literals are joined.
    pub parts: Vec<TextPart>,
    /// With its quotes.
    pub span: Span,
}

impl Text {
    /// The text if it has no holes.
    pub fn literal(&self) -> Option<String> {
        let mut all = String::new();
        for part in &self.parts {
            match part {
                TextPart::Literal(text, _) => all.push_str(text),
                TextPart::Hole(_) => return None,
            }
        }
        Some(all)
    }
}

/// A part of a text.
#[derive(Clone, PartialEq, Debug)]
pub enum TextPart {
    /// Characters, escapes resolved.
    Literal(String, Span),
    /// `{expression}`.
    Hole(Expr),
}

/// A `##` comment: the lines without their signs, joined by line ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doc {
    /// What it says.
    pub text: String,
    /// From the first sign to the end of the last line.
    pub span: Span,
}

// ── A file and its items ─────────────────────────────────────────────────────────────────────────────────

/// A file.
#[derive(Clone, PartialEq, Debug)]
pub struct File {
    /// In order of the text.
    pub items: Vec<Item>,
    /// The whole file.
    pub span: Span,
}

/// A declaration, in a file or inside a variant, mod, part or scenario.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// What `##` lines above it say.
    pub doc: Option<Doc>,
    /// What it declares.
    pub kind: ItemKind,
    /// Without the doc.
    pub span: Span,
}

/// The declarations. Every one may stand in every place; the checker says which make no sense where.
#[derive(Clone, PartialEq, Debug)]
pub enum ItemKind {
    /// `game Kind "T" { … }`
    Game(Game),
    /// A line of a game's header that stands in a scenario, variant, part or mod.
    Header(Header),
    /// `option n "T": type = v`
    Option(OptionDecl),
    /// `name = e` in a scenario: the value of an option.
    SetOption(SetOption),
    /// `variant n "T" { … }`
    Variant(Variant),
    /// `mod "T" for Game { … }`
    Mod(ModDecl),
    /// `part n for Game { … }`
    Part(PartDecl),
    /// `scenario n "T" for Game [with part or part] { … }`
    Scenario(Scenario),
    /// `needs C else "…"`: a condition on the set-up.
    Needs(Needs),
    /// `invariant "T" { C }`
    Invariant(Invariant),
    /// `win` / `lose` / `tie` `when C "…"`; `who` is none.
    Ending(Ending),
    /// `change K { … }`
    Change(Change),
    /// `remove n, m`
    Remove(Vec<Name>),
    /// `test "T" on scenario … { … }`
    Test(Test),
    /// `enum K { … }`
    Enum(EnumDecl),
    /// `card` / `token` / `piece` / `die` `K …`
    Component(Component),
    /// `player { … }`: what every player has.
    Player(Vec<Part>),
    /// `player n … { … }`: one player's own values.
    PlayerMember(PlayerMember),
    /// `table { … }`
    Table(Vec<Part>),
    /// `map M …`
    Map(MapDecl),
    /// `space K [is K2] [on M] { … }`
    Space(SpaceDecl),
    /// `patch K of n { … }`
    Patch(PatchDecl),
    /// `list K | … { … }`
    List(ListDecl),
    /// `legend M { … }`
    Legend(Legend),
    /// `K name …`
    Member(Member),
    /// `value n(…): type = e`
    Value(ValueDecl),
    /// `heuristic n(…): type = e`
    Heuristic(ValueDecl),
    /// `hook n(…): type from "f.rhai"`
    Hook(HookDecl),
    /// `rule n(…) { … }`
    Rule(RuleDecl),
    /// `phase n(…) { … }`
    Phase(PhaseDecl),
    /// `setup { … }`
    Setup(Block),
    /// `round … { … }`
    Round(RoundDecl),
    /// `menu n { … }`
    Menu(MenuDecl),
    /// `action n(…) in menu … { … }`
    Action(ActionDecl),
    /// `score n(p: player) { … }`
    Score(LinesDecl),
    /// `ranking n(p: …) { … }`
    Ranking(LinesDecl),
    /// `modify` / `before` / `after` / `instead of` / `forbid`
    Attach(Attach),
    /// `look K { … }`
    Look(Look),
    /// What could not be read; reported by the parser.
    Bad,
}

/// `game Kind "T" { headers }`
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// Its name in the rules.
    pub name: Name,
    /// Its title.
    pub title: Text,
    /// What its head says.
    pub headers: Vec<Header>,
}

/// One line of a game's head.
#[derive(Clone, PartialEq, Debug)]
pub struct Header {
    /// What it says.
    pub kind: HeaderKind,
    /// Where.
    pub span: Span,
}

/// The lines of a game's head.
#[derive(Clone, PartialEq, Debug)]
pub enum HeaderKind {
    /// `players … [answered by e]`
    Players {
        /// How many, or their names.
        who: Players,
        /// Which seat answers for each.
        answered: Option<Expr>,
    },
    /// `seats 2` or `seats 1..4`
    Seats(Bounds),
    /// `outcome …`
    Outcome(OutcomeKind),
    /// `score v ["T"]`
    Score {
        /// The value.
        value: Expr,
        /// Its title.
        title: Option<Text>,
    },
    /// `order by e`
    OrderBy(Expr),
    /// `ends when C ["T"]`
    EndsWhen {
        /// The condition.
        when: Expr,
        /// What it says then.
        text: Option<Text>,
    },
    /// What could not be read; reported by the parser.
    Bad,
}

/// Who plays.
#[derive(Clone, PartialEq, Debug)]
pub enum Players {
    /// `2` or `2..4`
    Number(Bounds),
    /// `black, white`
    Named(Vec<Name>),
}

/// `n` or `a..b`; `to` is none in `a..`.
#[derive(Clone, PartialEq, Debug)]
pub struct Bounds {
    /// The least.
    pub from: Expr,
    /// The most; the same expression as `from` if only a number is written.
    pub to: Option<Expr>,
    /// Where.
    pub span: Span,
}

/// What decides a game.
#[derive(Clone, PartialEq, Debug)]
pub enum OutcomeKind {
    /// All win or lose together.
    Together,
    /// Everyone for himself.
    Each,
    /// One side wins.
    Win,
    /// The highest value wins.
    Highest(Expr),
    /// The lowest value wins.
    Lowest(Expr),
    /// A ranking says.
    Ranking(Name),
}

/// `option n "T": type = v`
#[derive(Clone, PartialEq, Debug)]
pub struct OptionDecl {
    /// Its name in the rules.
    pub name: Name,
    /// Its title.
    pub title: Text,
    /// Its type.
    pub ty: Type,
    /// What it is if nobody says.
    pub default: Option<Expr>,
}

/// `name = e`
#[derive(Clone, PartialEq, Debug)]
pub struct SetOption {
    /// The option.
    pub name: Name,
    /// Its value.
    pub value: Expr,
}

/// `variant n "T" { items }`
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Text,
    /// What it holds.
    pub items: Vec<Item>,
}

/// `mod "T" for Game { items }`
#[derive(Clone, PartialEq, Debug)]
pub struct ModDecl {
    /// Its title.
    pub title: Text,
    /// The game.
    pub game: Name,
    /// What it holds.
    pub items: Vec<Item>,
}

/// `part n for Game { items }`
#[derive(Clone, PartialEq, Debug)]
pub struct PartDecl {
    /// Its name.
    pub name: Name,
    /// The game.
    pub game: Name,
    /// What it holds.
    pub items: Vec<Item>,
}

/// `scenario n "T" for Game [with part or part] { items }`
#[derive(Clone, PartialEq, Debug)]
pub struct Scenario {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Text,
    /// The game.
    pub game: Name,
    /// The parts it may take in, one of them.
    pub with: Vec<Name>,
    /// What it holds.
    pub items: Vec<Item>,
}

/// `needs C [else "…"]`, as an item, a statement or a menu's entry.
#[derive(Clone, PartialEq, Debug)]
pub struct Needs {
    /// What must hold.
    pub cond: Expr,
    /// Why not, if it does not.
    pub reason: Option<Text>,
}

/// `invariant "T" { C }`
#[derive(Clone, PartialEq, Debug)]
pub struct Invariant {
    /// What it says.
    pub title: Text,
    /// What holds between any two choices.
    pub cond: Expr,
}

/// Won, lost or tied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// `win`, `won`
    Win,
    /// `lose`, `lost`
    Lose,
    /// `tie`, `tied`
    Tie,
}

/// `win [p] when C ["T"]`: of the game (no `who`) or of a menu.
#[derive(Clone, PartialEq, Debug)]
pub struct Ending {
    /// How it ends.
    pub outcome: Outcome,
    /// For whom; none for all and in a tie.
    pub who: Option<Expr>,
    /// When.
    pub when: Expr,
    /// What it says then.
    pub text: Option<Text>,
}

/// `change K { parts }`
#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    /// What is changed.
    pub target: ChangeTarget,
    /// How.
    pub parts: Vec<Part>,
}

/// What `change` names.
#[derive(Clone, PartialEq, Debug)]
pub enum ChangeTarget {
    /// A kind.
    Kind(Name),
    /// `player`
    Player(Span),
    /// `table`
    Table(Span),
    /// A member, by its name.
    Member(Name),
}

/// `test "T" on scenario [with who, variant] [seeds a..b] { … }`
#[derive(Clone, PartialEq, Debug)]
pub struct Test {
    /// What it shows.
    pub title: Text,
    /// The scenario; none: the bare game, with everything in the box.
    pub on: Option<Name>,
    /// Who plays, and which variants are on.
    pub with: Vec<Name>,
    /// For which seeds it is run.
    pub seeds: Option<Bounds>,
    /// What happens.
    pub body: Block,
}

// ── Components, places and their attributes ──────────────────────────────────────────────────────────────

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
    /// How wide, or how many spaces.
    pub width: Option<Int>,
    /// How high.
    pub height: Option<Int>,
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

/// `space K [is K2] [on M] { parts }`
#[derive(Clone, PartialEq, Debug)]
pub struct SpaceDecl {
    /// Its name.
    pub name: Name,
    /// The kind whose parts it has.
    pub is: Option<Name>,
    /// The map whose spaces it names.
    pub on: Option<Name>,
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

// ── Members, lists, legends ──────────────────────────────────────────────────────────────────────────────

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
    /// What a rule does.
    Block(Block),
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

// ── Values, rules, phases, menus, actions ────────────────────────────────────────────────────────────────

/// A parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// What it may be.
    pub kind: ParamKind,
    /// What it is if nobody says.
    pub default: Option<Expr>,
    /// Where.
    pub span: Span,
}

/// What a parameter may be.
#[derive(Clone, PartialEq, Debug)]
pub enum ParamKind {
    /// `one of S`, `up to 2 of S`: what is chosen from a set.
    Choice {
        /// How many.
        many: Many,
        /// Of what.
        from: Expr,
    },
    /// `type [of p] [where P]`
    Typed {
        /// Its type.
        ty: Type,
        /// Whose: `Man of me`.
        of: Option<Expr>,
        /// What it must be besides.
        filter: Option<Expr>,
    },
}

/// How many are chosen.
#[derive(Clone, PartialEq, Debug)]
pub struct Many {
    /// How many.
    pub kind: ManyKind,
    /// Where.
    pub span: Span,
}

/// How many are chosen.
#[derive(Clone, PartialEq, Debug)]
pub enum ManyKind {
    /// `one`
    One,
    /// `any`: a subset, may be empty
    Any,
    /// `some`: a subset, not empty
    Some,
    /// `up to n`
    UpTo(Expr),
    /// `a..b`, `a..`
    Range(Expr, Option<Expr>),
    /// `n`
    Exactly(Expr),
}

/// A type as written.
#[derive(Clone, PartialEq, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where.
    pub span: Span,
}

/// The forms of types.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    /// A kind, an enum or a word such as `int`.
    Named(Name),
    /// `a..b`, `a..`
    Range(Expr, Option<Expr>),
    /// `set of T`
    Set(Box<Type>),
    /// `list of T`
    List(Box<Type>),
    /// `bag of T`
    Bag(Box<Type>),
    /// `filter of T`
    Filter(Box<Type>),
    /// `face of T`
    Face(Box<Type>),
    /// `T?`: may be none
    Maybe(Box<Type>),
    /// `T or U`; two or more
    Or(Vec<Type>),
}

/// `value n[(params)]: type [= e]`, also a heuristic.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters, if brackets are there.
    pub params: Option<Vec<Param>>,
    /// Its type.
    pub ty: Type,
    /// What it is; none: a slot.
    pub body: Option<Expr>,
    /// Where.
    pub span: Span,
}

/// `hook n(params): type from "file"`
#[derive(Clone, PartialEq, Debug)]
pub struct HookDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its type.
    pub ty: Type,
    /// The script's name.
    pub from: Text,
}

/// `rule n(params)[: type] [by p] [pays K] [{ … }]`
#[derive(Clone, PartialEq, Debug)]
pub struct RuleDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// What it gives.
    pub ty: Option<Type>,
    /// Whose doing it is: a parameter's name.
    pub by: Option<Name>,
    /// Bags of this kind are paid through it.
    pub pays: Option<Name>,
    /// What it does; none: a slot.
    pub body: Option<Block>,
    /// Where.
    pub span: Span,
}

/// `phase n(params)[: type] ["T"] { … }`
#[derive(Clone, PartialEq, Debug)]
pub struct PhaseDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// What it gives.
    pub ty: Option<Type>,
    /// Its title.
    pub title: Option<Text>,
    /// What it does.
    pub body: Block,
}

/// `round [once | n times | until C] { … }`
#[derive(Clone, PartialEq, Debug)]
pub struct RoundDecl {
    /// How often.
    pub how: RoundHow,
    /// What a round does.
    pub body: Block,
}

/// How often there are rounds.
#[derive(Clone, PartialEq, Debug)]
pub enum RoundHow {
    /// Until the game ends.
    Always,
    /// `once`
    Once,
    /// `n times`
    Times(Expr),
    /// `until C`
    Until(Expr),
}

/// `score n(params) { line "T": e }`, also a ranking.
#[derive(Clone, PartialEq, Debug)]
pub struct LinesDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its lines.
    pub lines: Vec<Line>,
}

/// One line of a score or a ranking.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Text,
    /// What it counts.
    pub value: Expr,
    /// Where.
    pub span: Span,
}

/// `action n(params) in menu, menu [cost B] [once [per s]] [when C] [{ … }]`
#[derive(Clone, PartialEq, Debug)]
pub struct ActionDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Where it is offered.
    pub menus: Vec<Name>,
    /// In order of the text.
    pub clauses: Vec<ActionClause>,
    /// What it does.
    pub body: Option<Block>,
    /// Where.
    pub span: Span,
}

/// What is said in an action's head.
#[derive(Clone, PartialEq, Debug)]
pub enum ActionClause {
    /// `cost B`
    Cost(Expr),
    /// `once [per scope]`
    Once(Once),
    /// `when C`
    When(Expr),
}

/// `once [per scope]`
#[derive(Clone, PartialEq, Debug)]
pub struct Once {
    /// The scope, if said.
    pub per: Option<Name>,
    /// Where.
    pub span: Span,
}

/// `menu n[(params)] [{ entries }]`
#[derive(Clone, PartialEq, Debug)]
pub struct MenuDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters, if brackets are there.
    pub params: Option<Vec<Param>>,
    /// Its entries.
    pub parts: Vec<MenuPart>,
}

/// One entry of a menu.
#[derive(Clone, PartialEq, Debug)]
pub struct MenuPart {
    /// What `##` lines above it say.
    pub doc: Option<Doc>,
    /// What it is.
    pub kind: MenuPartKind,
    /// Without the doc.
    pub span: Span,
}

/// The entries of menus.
#[derive(Clone, PartialEq, Debug)]
pub enum MenuPartKind {
    /// `done ["T"] [when C] [else "…"]`
    Done(Way),
    /// `pass ["T"] [when C] [else "…"]`
    Pass(Way),
    /// `open when C [else "…"]`
    Open {
        /// When it may be offered at all.
        when: Expr,
        /// Why not.
        reason: Option<Text>,
    },
    /// `cost B`
    Cost(Expr),
    /// `clock e`
    Clock(Expr),
    /// `no dead ends`
    NoDeadEnds,
    /// `must …`
    Must(Must),
    /// `win p when C "T"`
    Ending(Ending),
    /// `has …`
    Has(Has),
    /// `needs C else "…"`
    Needs(Needs),
    /// What could not be read; reported by the parser.
    Bad,
}

/// How a menu is left: done or pass.
#[derive(Clone, PartialEq, Debug)]
pub struct Way {
    /// Its title.
    pub title: Option<Text>,
    /// When it may be taken.
    pub when: Option<Expr>,
    /// Why not.
    pub reason: Option<Text>,
}

/// `must …`
#[derive(Clone, PartialEq, Debug)]
pub enum Must {
    /// `must leave C else "…"`
    Leave(Needs),
    /// `must minimise V, then W`
    Minimise(Vec<Expr>),
    /// `must maximise V, then W`
    Maximise(Vec<Expr>),
}

// ── Attachments ──────────────────────────────────────────────────────────────────────────────────────────

/// An attachment.
#[derive(Clone, PartialEq, Debug)]
pub struct Attach {
    /// What it does.
    pub kind: AttachKind,
    /// To what.
    pub heads: Vec<Head>,
    /// Only where.
    pub limits: Vec<Limit>,
    /// Where.
    pub span: Span,
}

/// What an attachment does.
#[derive(Clone, PartialEq, Debug)]
pub enum AttachKind {
    /// `modify V = e`, `+= e`, `-= e`, `at most e`, `at least e`
    Modify(ModifyHow, Expr),
    /// `before`, `after`, `instead of`
    Around {
        /// Which.
        when: Around,
        /// Asked first.
        may: Option<May>,
        /// What it does.
        body: Block,
    },
    /// `forbid R [else "…"]`
    Forbid(Option<Text>),
}

/// How a value is changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModifyHow {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Sub,
    /// `at most`
    AtMost,
    /// `at least`
    AtLeast,
}

/// Where an attachment stands round a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Around {
    /// `before`
    Before,
    /// `after`
    After,
    /// `instead of`
    Instead,
}

/// `word.word(pats)`
#[derive(Clone, PartialEq, Debug)]
pub struct Head {
    /// `menu.cost` has two; at least one.
    pub path: Vec<Name>,
    /// Patterns, if brackets are there; `any` is `ExprKind::Any`.
    pub pats: Option<Vec<Expr>>,
    /// Where.
    pub span: Span,
}

/// A limit of an attachment.
#[derive(Clone, PartialEq, Debug)]
pub enum Limit {
    /// `by e`
    By(Expr),
    /// `during phase, phase`
    During(Vec<Name>),
    /// `when C`
    When(Expr),
    /// `once [per scope]`
    Once(Once),
}

/// `may [by p] ["T"]`
#[derive(Clone, PartialEq, Debug)]
pub struct May {
    /// Who is asked.
    pub by: Option<Expr>,
    /// What is asked.
    pub prompt: Option<Text>,
    /// Where.
    pub span: Span,
}

// ── Statements ───────────────────────────────────────────────────────────────────────────────────────────

/// `{ statements }`
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// In order.
    pub stmts: Vec<Stmt>,
    /// With its brackets.
    pub span: Span,
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where.
    pub span: Span,
}

/// The statements.
#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    /// `let x = e`
    Let(Name, Expr),
    /// `if C { } else if D { } else { }`
    If {
        /// Conditions with their blocks; at least one.
        arms: Vec<(Expr, Block)>,
        /// Else.
        otherwise: Option<Block>,
    },
    /// `for x in S { }`
    For(Name, Expr, Block),
    /// `repeat until C { }`
    RepeatUntil(Expr, Block),
    /// `repeat n times { }`
    RepeatTimes(Expr, Block),
    /// `until end of scope { }`: a layer
    Until(Point, Block),
    /// `everyone … { }`
    Everyone(Everyone),
    /// `either ["T"] { } or ["T"] { }`; two or more
    Either(Vec<(Option<Text>, Block)>),
    /// `may [by p] ["T"] { }`
    May(May, Block),
    /// `as p { }`
    As(Expr, Block),
    /// `needs C else "…"`
    Needs(Needs),
    /// `must …`
    Must(Must),
    /// `has …`: state of a phase
    Has(Has),
    /// An attachment in a layer.
    Attach(Attach),
    /// `move X [from Z] to Z [face up|down]`
    Move(Move),
    /// `swap X, Y`
    Swap(Expr, Expr),
    /// `flip X [up|down]`
    Flip(Expr, Option<Lying>),
    /// `show X [to S]`
    Show(Expr, Option<Expr>),
    /// `offer menu, menu`
    Offer(Vec<Expr>),
    /// `x becomes face`
    Becomes(Expr, Expr),
    /// `shuffle Z, Z`
    Shuffle(Vec<Expr>),
    /// `roll D`
    Roll(Expr),
    /// `discard X`
    Discard(Expr),
    /// `pay B`
    Pay(Expr),
    /// `build Map`
    Build(Name),
    /// `say "…"`
    Say(Text),
    /// `give e`
    Give(Expr),
    /// `end phase [e]`
    End(Name, Option<Expr>),
    /// `win p ["T"]`, `lose p ["T"]`, `tie ["T"]`
    Result {
        /// How it ends.
        outcome: Outcome,
        /// For whom; none in a tie.
        who: Option<Expr>,
        /// What it says.
        text: Option<Text>,
    },
    /// `stop`
    Stop,
    /// `x = e`, `x += e`, `x -= e`
    Assign(Expr, AssignOp, Expr),
    /// A call, also `proceed(…)`, with `by p` if another acts.
    Call(Expr, Option<Expr>),

    /// In tests: `expect C`
    Expect(Expr),
    /// In tests: `expect [p] lost [because "…"]`; without p, for everybody.
    ExpectOutcome(Option<Expr>, Outcome, Option<Text>),
    /// In tests: `refuse Who: e [because "…"]`
    Refuse(Answer, Option<Text>),
    /// In tests: `offered Who: e, e`
    Offered(Name, Vec<Expr>),
    /// In tests: `asked Who "…"`
    Asked(Name, Text),
    /// In tests: `logged "…", "…"`
    Logged(Vec<Text>),
    /// In tests: `start at phase`
    StartAt(Name),
    /// In tests: `run to end of round`
    RunTo(Point),
    /// In tests: `Who rolls 2, 12`
    Rolls(Name, Vec<Expr>),
    /// In tests: `Who: e`
    Answer(Answer),

    /// What could not be read; reported by the parser.
    Bad,
}

/// `Who: e`
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// A seat's or a player's name, or `table`.
    pub who: Name,
    /// What is answered.
    pub what: Expr,
}

/// `end of round`, `start of my turn`
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// `start of`; else `end of`.
    pub start: bool,
    /// Which of them.
    pub which: PointWhich,
    /// The scope.
    pub scope: Name,
    /// Where.
    pub span: Span,
}

/// Which scope a point speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointWhich {
    /// The one that runs.
    This,
    /// `next`
    Next,
    /// `my`
    My,
}

/// `everyone [of S] [from p] order [until …] { }`
#[derive(Clone, PartialEq, Debug)]
pub struct Everyone {
    /// Of whom.
    pub of: Option<Expr>,
    /// Who begins.
    pub from: Option<Expr>,
    /// In which order.
    pub order: TurnOrder,
    /// Round and round until.
    pub until: Option<EveryoneUntil>,
    /// What each does.
    pub body: Block,
}

/// In which order everyone acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnOrder {
    /// `in turn`
    InTurn,
    /// `in any order`
    AnyOrder,
    /// `at once`
    AtOnce,
    /// `freely`
    Freely,
}

/// When everyone ends.
#[derive(Clone, PartialEq, Debug)]
pub enum EveryoneUntil {
    /// `until all pass`
    AllPass(Span),
    /// `until C`
    Cond(Expr),
}

/// `move X [from Z] to|under Z [face up|down]`
#[derive(Clone, PartialEq, Debug)]
pub struct Move {
    /// What.
    pub what: Expr,
    /// From where, if said.
    pub from: Option<Expr>,
    /// `under`: to the bottom.
    pub under: bool,
    /// Where to.
    pub to: Expr,
    /// How it lies then.
    pub lying: Option<Lying>,
}

/// Which side is up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lying {
    /// `up`
    Up,
    /// `down`
    Down,
}

/// How something is changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssignOp {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Sub,
}

// ── Expressions ──────────────────────────────────────────────────────────────────────────────────────────

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: Box<ExprKind>,
    /// Where, with its brackets.
    pub span: Span,
}

impl Expr {
    /// An expression at a place.
    pub fn new(kind: ExprKind, span: Span) -> Self {
        Expr { kind: Box::new(kind), span }
    }

    /// The name, if it is nothing but a name (or a kind's name).
    pub fn as_name(&self) -> Option<&Name> {
        match &*self.kind {
            ExprKind::Name(name) | ExprKind::Kind(name) => Some(name),
            _ => None,
        }
    }
}

/// An operator between two expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `or`
    Or,
    /// `and`
    And,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `a default b`
    Default,
    /// `c step d`
    Step,
}

impl BinaryOp {
    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            BinaryOp::Or => "or",
            BinaryOp::And => "and",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Default => "default",
            BinaryOp::Step => "step",
        }
    }
}

/// The expressions.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// `7`
    Int(i64),
    /// `"…"`
    Text(Text),
    /// A name in small letters.
    Name(Name),
    /// A name with a capital: a kind, a space, a seat, a line of a board.
    Kind(Name),
    /// `me`
    Me,
    /// `my`: of me; the left of a dot
    My,
    /// `it`
    It,
    /// `this`
    This,
    /// `owner`
    Owner,
    /// `none`
    None,
    /// `yes`
    Yes,
    /// `no`
    No,
    /// `usual`
    Usual,
    /// `any`: in patterns and cases
    Any,
    /// `2 wood`, `6 blue`
    Amount(Int, Name),
    /// `[a, b]`
    Set(Vec<Expr>),
    /// `e.name`
    Field(Expr, Name),
    /// `e(args)`; the callee of `any(…)` and `no(…)` is `Name`, too
    Call(Expr, Vec<Arg>),
    /// `e[i]`
    Index(Expr, Expr),
    /// `- e`
    Neg(Expr),
    /// `not e`
    Not(Expr),
    /// Two expressions and what stands between them.
    Binary(BinaryOp, Expr, Expr),
    /// `a..b`, `a..`, `..b`; never both none
    Range(Option<Expr>, Option<Expr>),
    /// `x in S`, `x not in S`
    In {
        /// What.
        item: Expr,
        /// In what.
        set: Expr,
        /// `not in`
        not: bool,
    },
    /// `x is P`, `x is not P`, `x is some`
    Is {
        /// What.
        value: Expr,
        /// What it should be.
        test: IsTest,
        /// `is not`
        not: bool,
    },
    /// `p can menu`: whether something is on offer
    Can(Expr, Name),
    /// `p won`, `p lost`, `p tied`: in tests
    Ended(Expr, Outcome),
    /// `can rule(…)`: whether it can begin
    CanDo(Expr),
    /// `can pay B`
    CanPay(Expr),
    /// `S where P`
    Where(Expr, Expr),
    /// `if C then a else b`
    If(Expr, Expr, Expr),
    /// `case e { P: a, else: b }`
    Case(Expr, Vec<Branch>),
    /// `choose many of S [by p | by chance] ["T"]`
    Choose(Choose),
    /// `first [n] of S`, `last [n] of S`
    FirstOf {
        /// `last`
        last: bool,
        /// How many; none: one, not a set.
        count: Option<Expr>,
        /// Of what.
        from: Expr,
    },
    /// `the K [of p] [where P]`
    The {
        /// The kind, or the set.
        what: Expr,
        /// Whose.
        of: Option<Expr>,
        /// Which.
        filter: Option<Expr>,
    },
    /// `K of p`
    KindOf(Name, Expr),
    /// `no action`
    NoAction,
    /// `position seen n times`
    PositionSeen(Int),
    /// What could not be read; reported by the parser.
    Bad,
}

/// What stands behind `is`.
#[derive(Clone, PartialEq, Debug)]
pub enum IsTest {
    /// `some`: not none
    Some,
    /// A filter, a kind, a value or a range; `none` and `empty` are expressions here, too.
    Filter(Expr),
}

/// An argument.
#[derive(Clone, PartialEq, Debug)]
pub enum Arg {
    /// `e`
    Plain(Expr),
    /// `name: e`
    Named(Name, Expr),
    /// `x in S: e, f`
    Fold(Fold),
}

/// `x in S [where P][: e, f]` in a fold.
#[derive(Clone, PartialEq, Debug)]
pub struct Fold {
    /// The name of each.
    pub var: Name,
    /// Of what; a `where` is an `ExprKind::Where` here.
    pub from: Expr,
    /// What is folded, then what breaks ties; empty if there is no colon.
    pub values: Vec<Expr>,
    /// Where.
    pub span: Span,
}

/// One branch of a case.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    /// A filter; none: else.
    pub test: Option<Expr>,
    /// The value.
    pub value: Expr,
    /// Where.
    pub span: Span,
}

/// `choose many of S [by …] ["T"]`
#[derive(Clone, PartialEq, Debug)]
pub struct Choose {
    /// How many.
    pub many: Many,
    /// Of what.
    pub from: Expr,
    /// By whom; none: by me.
    pub by: Option<ChooseBy>,
    /// What is asked.
    pub prompt: Option<Text>,
}

/// Who chooses.
#[derive(Clone, PartialEq, Debug)]
pub enum ChooseBy {
    /// `by chance`
    Chance(Span),
    /// `by p`
    Player(Expr),
}

// ── Look ─────────────────────────────────────────────────────────────────────────────────────────────────

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
