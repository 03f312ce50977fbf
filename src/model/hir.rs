//! The checked game: every name resolved to a number, every expression typed. Pure data.
//!
//! One [`Model`] holds the game with **all** its scenarios, variants and mods; each declaration says in its [`Scope`] when it is in force.
//! Lowering picks those of one set-up. Nothing here is text any more except what people are shown; spans are carried for messages.
use crate::text::Span;
use std::sync::Arc;

macro_rules! ids {
    ($($(#[$m:meta])* $name:ident),* $(,)?) => { $(
        $(#[$m])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);
        impl $name {
            /// As an index into the model's table.
            pub fn index(self) -> usize { self.0 as usize }
        }
    )* };
}
ids! {
    /// In [`Model::kinds`].
    KindId,
    /// In [`Model::members`]: one `K name { … }`.
    MemberId,
    /// In [`Model::attrs`].
    AttrId,
    /// In [`Model::zones`].
    ZoneId,
    /// In [`Model::maps`].
    MapId,
    /// In [`Model::values`].
    ValueId,
    /// In [`Model::rules`] (rules and phases).
    RuleId,
    /// In [`Model::menus`].
    MenuId,
    /// In [`Model::actions`].
    ActionId,
    /// In [`Model::options`].
    OptionId,
    /// In [`Model::hooks`].
    HookId,
    /// A name bound inside one body: parameter, `let`, loop or fold variable, `it`. In [`Body::locals`].
    LocalId,
    /// In [`Model::scopes`].
    ScopeId,
}

/// When a declaration is in force.
#[derive(Clone, Debug)]
pub struct Scope {
    /// What it is.
    pub kind: ScopeKind,
    /// The word that names it in options and saves (`teams`, `long_road`, a mod's title).
    pub name: Arc<str>,
    /// For people.
    pub title: Arc<str>,
    /// Where it is declared.
    pub span: Span,
    /// The scope in which it is declared ([`ScopeId`] 0, the game itself, for most).
    pub parent: Option<ScopeId>,
    /// Parts that a scenario takes in: one of each list.
    pub with: Vec<Vec<ScopeId>>,
    /// Conditions on the set-up under which it may be on, with their reasons.
    pub needs: Vec<(Expr, Option<Text>)>,
    /// Values that it gives to options.
    pub options: Vec<(OptionId, Expr)>,
    /// Numbers of seats that a scenario allows, where it says so.
    pub seats: Option<(u32, u32)>,
    /// Numbers of players that a scenario allows, where it says so.
    pub players: Option<(u32, u32)>,
    /// Names that a mod removes: members, actions, attachments' carriers.
    pub removes: Vec<Removed>,
}

/// Something that a mod takes out of the game.
#[derive(Clone, Debug)]
pub enum Removed {
    /// A member: no component of it is made.
    Member(MemberId),
    /// An action: it is offered nowhere.
    Action(ActionId),
    /// A variant or scenario.
    Scope(ScopeId),
}

/// What a [`Scope`] is. Scope 0 is always the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeKind {
    /// In force always.
    Game,
    /// On or off at set-up.
    Variant,
    /// One is chosen at set-up, or none.
    Scenario,
    /// Taken in by scenarios.
    Part,
    /// Loaded from outside.
    Mod,
}

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
    /// `team`: as many as players; `team(p)` defaults to one each.
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
    /// A component that covers several spaces.
    Patch,
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
    /// Enum words and other members in the order declared (all scopes; the kind's own, not its subkinds').
    pub members: Vec<MemberId>,
    /// Attributes declared here (not the parent's).
    pub attrs: Vec<AttrId>,
    /// Zones and slots declared here.
    pub zones: Vec<ZoneId>,
    /// `x5` at the kind itself: so many without a member's name.
    pub copies: Option<Expr>,
    /// `discards to …`, with `this` and `owner`.
    pub discards: Option<Body<Expr>>,
    /// `out when C` of players: who is out is not asked. The local is the player.
    pub out_when: Option<Body<Expr>>,
    /// Sides of a die kind without members (`faces: 1..6`), or none.
    pub sides: Vec<Side>,
    /// How it is drawn: slot, place, expression with `this`.
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
    /// `top`, `corner` …
    pub place: Option<Arc<str>>,
    /// What is drawn; its one local is the thing drawn.
    pub expr: Body<Expr>,
}

/// A die's side: its value and the values of `face` attributes.
#[derive(Clone, Debug)]
pub struct Side {
    /// The number that is up.
    pub value: i32,
    /// `face` attributes in the order of their declaration, as constants.
    pub marks: Vec<Expr>,
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
    /// Fillings of the kind's value slots.
    pub fills: Vec<(ValueId, Body<Expr>)>,
    /// Fillings of the kind's rule slots.
    pub rule_fills: Vec<(RuleId, Body<Block>)>,
    /// Sides of a die.
    pub sides: Vec<Side>,
    /// Who answers for a named player: `answered by`.
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
    /// State of a phase or a member (`has`).
    pub has_of: Option<HasOf>,
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
    pub refill: Option<Body<Block>>,
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

/// A map.
#[derive(Clone, Debug)]
pub struct Map {
    /// Its name.
    pub name: Arc<str>,
    /// Its shape.
    pub shape: Shape,
    /// The kind of its spaces.
    pub space: KindId,
    /// Size, where it is declared with one.
    pub size: Option<(u32, u32)>,
    /// Pictures: the scope that draws it, with the rows of signs as drawn (`.` and blanks are kept), the first row is the northmost.
    pub pictures: Vec<Picture>,
    /// What its signs mean, in the order in which legends are read: the game's first.
    pub legend: Vec<LegendRow>,
    /// `Row` and `Column` kinds of its lines.
    pub rows: Option<KindId>,
    /// See `rows`.
    pub columns: Option<KindId>,
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
    /// As its picture or its spaces say.
    Graph,
}

/// A drawn map.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Who draws it.
    pub scope: ScopeId,
    /// Its signs, row by row.
    pub cells: Vec<PictureCell>,
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
}

/// What names stand for inside one body, and the body.
#[derive(Clone, Debug)]
pub struct Body<T> {
    /// Every local: parameters first.
    pub locals: Vec<Local>,
    /// How many of them are parameters, in order.
    pub params: usize,
    /// What is done or worked out.
    pub body: T,
}

/// A bound name.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name, for people and dumps; `it`, `this`, `owner`, `me` are locals too.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Ty,
    /// Where it is bound.
    pub span: Span,
}

/// A value: looks, never acts. Its body never has `me`.
#[derive(Clone, Debug)]
pub struct Value {
    /// Its name.
    pub name: Arc<str>,
    /// Declared in a kind: the first parameter is the component or space (`this`).
    pub of: Option<KindId>,
    /// Parameters (locals 0..), then the expression; none is a slot that members fill.
    pub body: Body<Option<Expr>>,
    /// Its type.
    pub ty: Ty,
    /// What kind of value it is.
    pub role: ValueRole,
    /// Where it is declared.
    pub span: Span,
    /// Its `##` text.
    pub doc: Option<Arc<str>>,
    /// When it is in force.
    pub scope: ScopeId,
}

/// Where a value comes from.
#[derive(Clone, Debug)]
pub enum ValueRole {
    /// `value`.
    Plain,
    /// `heuristic`: bots add them up.
    Heuristic,
    /// One line of a `score` or `ranking`; `total.line(p)`.
    Line(Arc<str>, Text),
    /// The sum of a score's lines.
    Score(Vec<ValueId>),
    /// A ranking: its lines, the first that differs decides.
    Ranking(Vec<ValueId>),
}

/// A rule or phase.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name.
    pub name: Arc<str>,
    /// For people: a phase's text.
    pub title: Option<Arc<str>>,
    /// Declared in a kind: the first parameter is the component (`this`).
    pub of: Option<KindId>,
    /// Whether it is a phase.
    pub phase: bool,
    /// Parameters are locals 0.. ; `me` is the local [`Rule::me`]. No body: a slot that members fill.
    pub body: Body<Option<Block>>,
    /// The local that is `me`.
    pub me: LocalId,
    /// What it gives.
    pub gives: Ty,
    /// State that lives while it runs.
    pub has: Vec<AttrId>,
    /// Where it is declared.
    pub span: Span,
    /// Its `##` text.
    pub doc: Option<Arc<str>>,
    /// When it is in force.
    pub scope: ScopeId,
}

/// A menu.
#[derive(Clone, Debug)]
pub struct Menu {
    /// Its name.
    pub name: Arc<str>,
    /// Parameters, first choices of its actions.
    pub params: Vec<Param>,
    /// Locals of all the parts: `me`, then parameters.
    pub locals: Vec<Local>,
    /// `done`: actions until it is taken.
    pub done: Option<Ending>,
    /// `pass`.
    pub pass: Option<Ending>,
    /// `open when`: with its reason.
    pub open: Option<(Expr, Option<Text>)>,
    /// Judged when it is offered, in order; `no action` is [`ExprKind::NoAction`].
    pub endings: Vec<MenuEnding>,
    /// Guards common to its actions.
    pub needs: Vec<Guard>,
    /// Actions in the order declared (all scopes).
    pub actions: Vec<ActionId>,
    /// Where it is declared.
    pub span: Span,
    /// Its `##` text.
    pub doc: Option<Arc<str>>,
    /// When it is in force.
    pub scope: ScopeId,
}

/// `done` or `pass` of a menu.
#[derive(Clone, Debug)]
pub struct Ending {
    /// Its text for people.
    pub title: Option<Text>,
    /// When it may be taken; `pass when no action` is [`ExprKind::NoAction`].
    pub when: Option<Expr>,
    /// Why not.
    pub reason: Option<Text>,
    /// Where.
    pub span: Span,
}

/// `win p when C "…"` in a menu, or at the top (`win when`).
#[derive(Clone, Debug)]
pub struct MenuEnding {
    /// What happens.
    pub verdict: Verdict,
    /// For whom; everybody where none is named.
    pub who: Option<Expr>,
    /// When.
    pub when: Expr,
    /// What is said.
    pub text: Option<Text>,
    /// Where.
    pub span: Span,
}

/// How a game ends for somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Won.
    Win,
    /// Lost.
    Lose,
    /// Neither.
    Tie,
}

/// A parameter of an action or menu.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its local.
    pub local: LocalId,
    /// What can be picked: a set expression over `me` and earlier parameters (for `c: Cell` it is all cells).
    pub from: Expr,
    /// One thing, or a subset between bounds.
    pub many: Many,
    /// The `where` of the parameter with its variable (the local itself).
    pub filter: Option<Expr>,
    /// Where.
    pub span: Span,
}

/// How many are chosen.
#[derive(Clone, Debug)]
pub enum Many {
    /// One.
    One,
    /// A subset of at least and at most so many; no upper bound is all.
    Subset { min: Option<Expr>, max: Option<Expr> },
}

/// A `needs` at the head of an action, menu or rule.
#[derive(Clone, Debug)]
pub struct Guard {
    /// What must hold.
    pub cond: Expr,
    /// Why not.
    pub reason: Option<Text>,
    /// Where.
    pub span: Span,
}

/// An action.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its name.
    pub name: Arc<str>,
    /// For people (its doc's first line or its name).
    pub title: Arc<str>,
    /// Menus that hold it.
    pub menus: Vec<MenuId>,
    /// Declared in a kind or member: carried by the component `this` (while it lies in an active place); `owner` may take it.
    pub carrier: Option<Carrier>,
    /// Every local: `me` is 0, then the menu's parameters, then the action's, then the rest.
    pub locals: Vec<Local>,
    /// The local that is `me`.
    pub me: LocalId,
    /// Its parameters in order.
    pub params: Vec<Param>,
    /// Lets at the head that guards need, and the guards, in source order.
    pub head: Vec<HeadStep>,
    /// `when C`.
    pub when: Option<Expr>,
    /// `once per scope`.
    pub once: Option<Once>,
    /// What it does after the head.
    pub body: Block,
    /// Where it is declared.
    pub span: Span,
    /// Its `##` text.
    pub doc: Option<Arc<str>>,
    /// When it is in force.
    pub scope: ScopeId,
}

/// A step of an action's head: no effect yet.
#[derive(Clone, Debug)]
pub enum HeadStep {
    /// `let x = e`.
    Let(LocalId, Expr),
    /// `needs`.
    Needs(Guard),
    /// `must leave`: tried on the effect.
    MustLeave(Guard),
}

/// `once`, `once per round` …
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Once {
    /// `turn`, `round`, a phase's name; none is the whole game.
    pub per: Option<Arc<str>>,
}

/// Whose an attachment or action is.
#[derive(Clone, Debug)]
pub enum Carrier {
    /// Components of a member's face.
    Member(MemberId),
    /// All components of a kind.
    Kind(KindId),
}

/// A modification, replacement, addition or prohibition.
#[derive(Clone, Debug)]
pub struct Attachment {
    /// Whose it is; none: the game's, a variant's, a scenario's, a mod's.
    pub carrier: Option<Carrier>,
    /// Every local: see the fields below for which is which.
    pub locals: Vec<Local>,
    /// The local that is `this`, where there is a carrier.
    pub this: Option<LocalId>,
    /// The local that is `owner`.
    pub owner: Option<LocalId>,
    /// In a layer of a rule: names below this number are the rule's, with what they hold when the layer begins. Else 0.
    pub outer: u32,
    /// In a layer: the rule's local that is `me` in it: who made it.
    pub maker: Option<LocalId>,
    /// The local that is `me`: who acts in the rule attached to, or who was asked by `may by`.
    pub me: Option<LocalId>,
    /// What it is attached to, each with its patterns.
    pub heads: Vec<Head>,
    /// What it does.
    pub what: AttachKind,
    /// `by p`: who acts must be (in) that.
    pub by: Option<Expr>,
    /// `during phase, …`.
    pub during: Vec<RuleId>,
    /// `when C`.
    pub when: Option<Expr>,
    /// `once per …`.
    pub once: Option<Once>,
    /// `may by p "…"`: asked first.
    pub may: Option<(Option<Expr>, Option<Text>)>,
    /// Where.
    pub span: Span,
    /// When it is in force.
    pub scope: ScopeId,
}

/// One thing attached to.
#[derive(Clone, Debug)]
pub struct Head {
    /// The thing.
    pub target: Target,
    /// One for each of the target's parameters (for a rule of a kind the component comes first); missing ones are [`Pattern::Any`].
    pub patterns: Vec<Pattern>,
}

/// What can be attached to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A value.
    Value(ValueId),
    /// A rule or phase.
    Rule(RuleId),
    /// An action.
    Action(ActionId),
    /// A menu: any action in it.
    Menu(MenuId),
    /// The set-up.
    Setup,
    /// An effect word on things of a kind: `discard(this)`.
    Effect(EffectWord),
}

/// Effect words that can be attached to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EffectWord {
    /// `discard x`.
    Discard,
    /// `roll d`.
    Roll,
    /// `shuffle z`.
    Shuffle,
}

/// A pattern for one argument.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Everything.
    Any,
    /// Binds the argument.
    Bind(LocalId),
    /// The argument, bound to the local, must pass the condition.
    Test(LocalId, Expr),
}

/// What an attachment does.
#[derive(Clone, Debug)]
pub enum AttachKind {
    /// Changes a value.
    Modify(Change, Expr),
    /// Before the rule.
    Before(Block),
    /// After it.
    After(Block),
    /// In its place.
    Instead(Block),
    /// It cannot happen.
    Forbid(Option<Text>),
}

/// How a value is changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// `=`; the value below is [`ExprKind::Usual`].
    Set,
    /// `+=`.
    Add,
    /// `-=`.
    Sub,
    /// `at least`.
    AtLeast,
    /// `at most`.
    AtMost,
}

/// A text for people with holes.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// Pieces in order.
    pub parts: Vec<TextPart>,
    /// Where.
    pub span: Span,
}

/// A piece of a [`Text`].
#[derive(Clone, Debug)]
pub enum TextPart {
    /// As it stands.
    Literal(Arc<str>),
    /// Worked out and shown.
    Hole(Expr),
}

impl Text {
    /// A text without holes.
    pub fn plain(text: impl Into<Arc<str>>, span: Span) -> Text {
        Text { parts: vec![TextPart::Literal(text.into())], span }
    }
}

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its type.
    pub ty: Ty,
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: Box<ExprKind>,
}

/// What an expression is. Filters have become plain conditions on their candidate; `it` and bare attributes are locals and reads.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number.
    Int(i32),
    /// `yes`, `no`.
    Bool(bool),
    /// `none`.
    None,
    /// A composed text.
    Text(Text),
    /// A word of an enum, a direction, a named space off any map, a named player: any member that is one thing. The number is its place in [`Kind::members`]'s order of all scopes.
    Member(MemberId),
    /// The face that a member declares (with a family's key).
    Face(MemberId, Option<Expr>),
    /// The one component of a member (with a family's key); the checker knows that there is exactly one.
    Component(MemberId, Option<Expr>),
    /// The space of a map at column and row, from 0, from the left and (as shown) from the bottom or top as the map says.
    Space(MapId, u32, u32),
    /// One of a map's lines by number, from 0.
    Line(KindId, u32),
    /// One of the eight directions, clockwise from north = 0.
    Direction(u8),
    /// A bound name.
    Local(LocalId),
    /// Everything of a kind in play or not: all its components, spaces, words, players.
    All(KindId),
    /// All faces of a kind.
    Faces(KindId),
    /// The value of an option.
    Option(OptionId),
    /// Whether a variant is on.
    VariantOn(ScopeId),
    /// An attribute of a thing.
    Attr(Expr, AttrId),
    /// An attribute of the table, a phase or a menu.
    TableAttr(AttrId),
    /// What lies in a zone: a set (list where order is asked for), or, of a slot, a thing or none. Whose, and which index.
    Zone(Option<Expr>, ZoneId, Option<Expr>),
    /// A zone as a place.
    PlaceOf(Option<Expr>, ZoneId, Option<Expr>),
    /// The set of things in the box of that kind.
    Box(KindId),
    /// A value worked out, arguments in order.
    Value(ValueId, Vec<Expr>),
    /// A hook called.
    Hook(HookId, Vec<Expr>),
    /// A built-in.
    Builtin(Builtin, Vec<Expr>),
    /// Those of a set (list, thing) that pass; the variable is the candidate.
    Where(Expr, LocalId, Expr),
    /// A fold.
    Fold(Box<Fold>),
    /// Negation.
    Not(Expr),
    /// Both; the second is not looked at if the first fails.
    And(Expr, Expr),
    /// Either.
    Or(Expr, Expr),
    /// Comparison; equality is for all types with a universe, sets included.
    Compare(Comparison, Expr, Expr),
    /// Membership in a set, list, range, zone (`x in zone`).
    In(Expr, Expr),
    /// Whether there is something.
    IsSome(Expr),
    /// Whether a set or list has nothing.
    IsEmpty(Expr),
    /// Whether a component is of a subkind.
    IsKind(Expr, KindId),
    /// Whether a component shows that face (a family: any of it when no key).
    IsFace(Expr, MemberId, Option<Expr>),
    /// Arithmetic.
    Arith(Arith, Expr, Expr),
    /// Minus.
    Neg(Expr),
    /// Union, or a list joined to a list.
    Union(Expr, Expr),
    /// Without.
    Without(Expr, Expr),
    /// A set written out.
    Set(Vec<Expr>),
    /// A list written out.
    List(Vec<Expr>),
    /// Numbers from, to.
    Range(Expr, Expr),
    /// One or the other.
    If(Expr, Expr, Expr),
    /// A name for a part: `case` is written with it.
    Let(LocalId, Expr, Expr),
    /// The first, unless it is none.
    Default(Expr, Expr),
    /// The neighbour in a direction; off the map is none.
    Step(Expr, Expr),
    /// The first (or last) of a list, or none; with a number, the first n as a set/list.
    First { n: Option<Expr>, of: Expr, last: bool },
    /// The one thing of a set; anything else is a rule error.
    The(Expr),
    /// The n-th of a list, from 1, or none.
    Nth(Expr, Expr),
    /// A choice by somebody: only in rules.
    Choose(Box<Choose>),
    /// A roll of a die kind: only in rules.
    Roll(KindId),
    /// A rule that gives something: only in rules. Who acts, arguments.
    Rule(RuleId, Option<Expr>, Vec<Expr>),
    /// Whether a player could act in a menu.
    CanMenu(Expr, MenuId, Vec<Expr>),
    /// Whether a rule's or action's guards at its head would pass (with `me`).
    CanRule(RuleId, Option<Expr>, Vec<Expr>),
    /// In a menu's parts: nothing is on offer.
    NoAction,
    /// The value below, in a modification.
    Usual,
    /// Whether a phase is running.
    Running(RuleId),
    /// The phase that is running innermost, or none; compared with [`ExprKind::Phase`].
    PhaseNow,
    /// A phase as a word.
    Phase(RuleId),
    /// Whether the position has been there n times.
    PositionSeen(u32),
    /// A filter: the faces or sides that pass; its variable is the candidate.
    Filter(KindId, LocalId, Expr),
    /// Already reported.
    Error,
}

/// `sum(x in S where P: E, F)`.
#[derive(Clone, Debug)]
pub struct Fold {
    /// Which.
    pub op: FoldOp,
    /// The variable.
    pub var: LocalId,
    /// What is gone through: a set, list, range or a set of lists.
    pub over: Expr,
    /// Which of them.
    pub cond: Option<Expr>,
    /// What is folded; more than one for ties.
    pub bodies: Vec<Expr>,
}

/// Folds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldOp {
    /// Sum; of nothing 0.
    Sum,
    /// How many.
    Count,
    /// The least; none of nothing.
    Min,
    /// The greatest; none of nothing.
    Max,
    /// Whether one.
    Any,
    /// Whether all.
    Every,
    /// Whether none.
    No,
    /// All together, of sets.
    Union,
    /// The results as a set.
    Collect,
    /// Those with the least result, as a set.
    Least,
    /// Those with the greatest.
    Most,
}

/// A choice.
#[derive(Clone, Debug)]
pub struct Choose {
    /// How many; `one` gives a thing, everything else a set.
    pub many: Many,
    /// Of what: a set, list or range.
    pub from: Expr,
    /// Who chooses; `None` is chance.
    pub by: Chooser,
    /// What is asked.
    pub prompt: Option<Text>,
}

/// Who chooses.
#[derive(Clone, Debug)]
pub enum Chooser {
    /// A player, or several (then what all say, else none).
    Player(Expr),
    /// `by chance`.
    Chance,
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
}

/// Arithmetic; division rounds toward zero, by zero is a rule error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arith {
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`.
    Div,
}

/// Built-in values (words.md). Arguments in the order of the page; optional ones absent are [`ExprKind::None`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// `neighbours(c[, dirs])`: set of spaces.
    Neighbours,
    /// `neighbours(p)`: players beside p.
    NeighbourPlayers,
    /// `direction(a, b)`.
    DirectionOf,
    /// `angle(d, e)`.
    Angle,
    /// `distance(a, b[, through])`; the third argument is a set of spaces or none.
    Distance,
    /// `reachable(from, [steps], [through])`.
    Reachable,
    /// `between(a, b)`.
    Between,
    /// `mirror(c)`.
    Mirror,
    /// `ray(c, d[, through: set][, most])`: list without c.
    Ray,
    /// `rays(c)`: set of lists.
    Rays,
    /// `run(r, P, until: Q)`: list; P and Q come as sets of spaces ([`ExprKind::Where`] over all, free of the list).
    Run,
    /// `lines(n)`: set of lists.
    Lines,
    /// `row(n)`, `row(a..b)`: set of spaces; argument a set or number.
    RowOf,
    /// `column(n)`.
    ColumnOf,
    /// `joined(A, B, through)`.
    Joined,
    /// `fan(c, d)`.
    Fan,
    /// `slides(c, dirs)`.
    Slides,
    /// `leaps(c, a, b)`.
    Leaps,
    /// Directions `straight`, `slant`, `all` as sets.
    DirectionSet(u8),
    /// `count(S)`.
    Count,
    /// `only(S)`: its one element or none.
    Only,
    /// `sum(S)`, `min(S)`, `max(S)` of a set of numbers.
    SumOf,
    /// See [`Builtin::SumOf`].
    MinOf,
    /// See [`Builtin::SumOf`].
    MaxOf,
    /// `reversed(L)`.
    Reversed,
    /// `index(L, x)`, from 1, or none.
    Index,
    /// `clockwise(S, from: p)`: list.
    Clockwise,
    /// `left(p[, among: S])`.
    Left,
    /// `face(c)`.
    FaceOf,
    /// `seats`: how the players' seats stand; count only in set-up conditions.
    Seats,
    /// `players`: sides that somebody answers for.
    Players,
    /// `others` (with the acting player as argument).
    Others,
    /// `opponent`, `opponent(p)`.
    Opponent,
    /// `team(p)`.
    TeamOf,
    /// `sees(p, x)`.
    Sees,
    /// `.at`: the space where a thing lies, or none.
    At,
    /// `.holder`: the player in whose zone it lies, or none.
    Holder,
    /// `.owner`: of a per-player kind the player it belongs to; else the holder.
    OwnerOf,
    /// `.value` of a die.
    DieValue,
    /// `.up`.
    Up,
    /// `.name` as a text.
    NameOf,
    /// `.key` of a family's member.
    KeyOf,
    /// Whether a thing lies in some zone of that declaration, whoever's.
    InZone,
    /// `round`: number from 1; 0 in set-up.
    Round,
    /// `turns`: turns begun so far.
    Turns,
    /// `turn`: whose turn it is, or none.
    Turn,
    /// A set or list as its set.
    AsSet,
    /// A line as the list of its spaces.
    LineSpaces,
    /// `odd` of a number.
    Odd,
    /// `even` of a number.
    Even,
    /// What all of a set have in an attribute, gathered (`S.attr` is [`FoldOp::Collect`]); kept for zones.
    Gather,
}

/// Statements in order.
pub type Block = Vec<Stmt>;

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: StmtKind,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A name.
    Let(LocalId, Expr),
    /// A change of a name, attribute or slot-less place.
    Assign(Lhs, Change, Expr),
    /// One or the other.
    If(Expr, Block, Block),
    /// For each, in the set's order.
    For(LocalId, Expr, Block),
    /// So many times.
    Repeat(Expr, Block),
    /// Until it holds; judged before each time.
    RepeatUntil(Expr, Block),
    /// Ends the rule that cannot go on.
    Needs(Guard),
    /// `must leave` in a rule.
    MustLeave(Guard),
    /// Several act.
    Everyone(Box<Everyone>),
    /// Menus on offer to somebody.
    Offer(Expr, Vec<(MenuId, Vec<Expr>)>),
    /// Another acts: the local is `me` inside.
    As(LocalId, Expr, Block),
    /// Yes or no; the local is `me` inside.
    May(Box<May>),
    /// One of several.
    Either(Box<Either>),
    /// A thing, set or list goes to a place.
    Move(Box<Move>),
    /// Two places, or two sets of things, change places.
    Swap(Expr, Expr),
    /// To where its kind discards.
    Discard(Expr),
    /// Zones.
    Shuffle(Vec<Expr>),
    /// Dice.
    Roll(Expr),
    /// Up, down or over (none).
    Flip(Expr, Option<bool>),
    /// Shown to some (everybody where none).
    Show(Expr, Option<Expr>),
    /// A component takes another face.
    Becomes(Expr, Expr),
    /// A map is built from its picture.
    Build(MapId),
    /// `until …`: a layer.
    Until(Until, Block),
    /// An attachment put in force for as long as the layer lasts (only in [`StmtKind::Until`]).
    Attach(Box<Attachment>),
    /// The rule's value and end.
    Give(Expr),
    /// The rule's end.
    Stop,
    /// The end of a named phase, with its value.
    End(RuleId, Option<Expr>),
    /// Goes on with what is replaced; changed arguments by parameter number.
    Proceed(Vec<(usize, Expr)>),
    /// Into the log.
    Say(Text),
    /// The game's end for some (or all).
    Verdict(Verdict, Option<Expr>, Option<Text>),
    /// A rule or phase runs. Who acts: `None` is who acts now.
    Call(RuleId, Option<Expr>, Vec<Expr>),
    /// The effect of a hook: a list of rule calls.
    CallHook(HookId, Vec<Expr>),
}

/// What can be assigned.
#[derive(Clone, Debug)]
pub enum Lhs {
    /// A `let`.
    Local(LocalId),
    /// An attribute of a thing; of none: nothing happens.
    Attr(Expr, AttrId),
    /// An attribute of the table, a phase, a menu.
    TableAttr(AttrId),
    /// A die's value (its side is turned to the first with that value).
    DieValue(Expr),
}

/// `everyone`.
#[derive(Clone, Debug)]
pub struct Everyone {
    /// Who: a set or list of players.
    pub who: Expr,
    /// From whom on.
    pub from: Option<Expr>,
    /// How.
    pub mode: Mode,
    /// Until when: judged before each player's turn.
    pub until: Option<Expr>,
    /// `until all pass`.
    pub until_all_pass: bool,
    /// The local that is `me` inside.
    pub me: LocalId,
    /// What each does.
    pub body: Block,
}

/// How everyone acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// One after the other; each is a turn.
    InTurn,
    /// One after the other, in an order chosen on the way.
    AnyOrder,
    /// In lockstep.
    AtOnce,
    /// As they come.
    Freely,
}

/// `may`.
#[derive(Clone, Debug)]
pub struct May {
    /// Who is asked; who acts where none.
    pub by: Option<Expr>,
    /// What.
    pub prompt: Option<Text>,
    /// `me` inside.
    pub me: LocalId,
    /// What is done on yes.
    pub body: Block,
}

/// `either … or …`.
#[derive(Clone, Debug)]
pub struct Either {
    /// Text and block; guards at a block's head say whether it is offered.
    pub ways: Vec<(Option<Text>, Block)>,
}

/// `move`.
#[derive(Clone, Debug)]
pub struct Move {
    /// A thing, maybe none, a set or a list.
    pub what: Expr,
    /// To where: a [`ExprKind::PlaceOf`], a space, the box ([`ExprKind::Box`]), or a conditional of those; type [`Ty::Place`] or a space; none: nothing happens.
    pub to: Expr,
    /// To the bottom.
    pub under: bool,
    /// `face up`, `face down`.
    pub face: Option<bool>,
}

/// How long a layer lasts.
#[derive(Clone, Debug)]
pub enum Until {
    /// `end of turn`.
    EndOfTurn,
    /// `end of round`.
    EndOfRound,
    /// `end of next round` …
    EndOfNextRound,
    /// `end of phase`: the innermost one now.
    EndOfPhase,
    /// `end of <phase>`.
    EndOf(RuleId),
    /// `end of game`.
    EndOfGame,
    /// `start of my turn`: of that player.
    StartOfTurn(Expr),
}

/// What decides the game.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// `win`, `lose`, `tie` say so.
    Win,
    /// All win or all lose.
    Together,
    /// Each for themselves.
    Each,
    /// Most of a value of a player.
    Highest(ValueId),
    /// Least of a value.
    Lowest(ValueId),
    /// Most of a player's attribute.
    HighestAttr(AttrId),
    /// Least of it.
    LowestAttr(AttrId),
    /// A ranking.
    Ranking(ValueId),
}

/// A choice at set-up.
#[derive(Clone, Debug)]
pub struct GameOption {
    /// Its name.
    pub name: Arc<str>,
    /// For people.
    pub title: Arc<str>,
    /// Its type: bool, range, enum, face.
    pub ty: Ty,
    /// What it is unless said.
    pub default: Option<Expr>,
    /// Where.
    pub span: Span,
    /// When it is in force.
    pub scope: ScopeId,
}

/// A rhai function.
#[derive(Clone, Debug)]
pub struct HookDecl {
    /// Its name, in the rules and in the script.
    pub name: Arc<str>,
    /// Parameters.
    pub params: Vec<Local>,
    /// What it gives.
    pub ty: Ty,
    /// The script's file name as written.
    pub file: Arc<str>,
    /// The script's text.
    pub script: Arc<str>,
    /// Where it is declared.
    pub span: Span,
    /// When it is in force.
    pub scope: ScopeId,
}

/// Something that holds between any two choices.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// For people.
    pub title: Arc<str>,
    /// What holds.
    pub cond: Body<Expr>,
    /// Where.
    pub span: Span,
    /// When it is in force.
    pub scope: ScopeId,
}

/// A `test` block.
#[derive(Clone, Debug)]
pub struct Test {
    /// For people.
    pub title: Arc<str>,
    /// On which scenario; `None` is the bare game.
    pub scenario: Option<ScopeId>,
    /// The players' names in seat order (`Clara`), or the game's own player names; empty: the least number of seats.
    pub cast: Vec<Arc<str>>,
    /// Variants that are on.
    pub variants: Vec<ScopeId>,
    /// Seeds, both ends included; else seed 1.
    pub seeds: Option<(u32, u32)>,
    /// Every local of its steps.
    pub locals: Vec<Local>,
    /// What is done and asked.
    pub steps: Vec<TestStep>,
    /// Where.
    pub span: Span,
    /// In which file's scope it stands.
    pub scope: ScopeId,
}

/// One step of a test.
#[derive(Clone, Debug)]
pub struct TestStep {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: TestStepKind,
}

/// What a test's step does. A `who` of none is the table: whoever is asked.
#[derive(Clone, Debug)]
pub enum TestStepKind {
    /// Any statement.
    Do(Stmt),
    /// `for`, `repeat`, `if` that hold test steps.
    For(LocalId, Expr, Vec<TestStep>),
    /// So many times.
    Repeat(Expr, Vec<TestStep>),
    /// One or the other.
    If(Expr, Vec<TestStep>, Vec<TestStep>),
    /// Must hold.
    Expect(Expr),
    /// The game is over so, for that player or for everybody, with that text in the reason.
    ExpectOver(Option<Expr>, Verdict, Option<Arc<str>>),
    /// A choice.
    Answer(Option<Expr>, Answer),
    /// A choice that must be refused, for that reason.
    Refuse(Option<Expr>, Answer, Option<Arc<str>>),
    /// The pending question offers exactly these.
    Offered(Option<Expr>, Vec<Answer>),
    /// Somebody is asked that.
    Asked(Option<Expr>, Arc<str>),
    /// These stand in the log, in this order.
    Logged(Vec<Arc<str>>),
    /// The game runs on from that phase, rule or menu.
    StartAt(Start),
    /// The game runs, choices taken by the least option, to that point.
    RunTo(Until),
    /// The next rolls of a player (or of the table).
    Rolls(Option<Expr>, Vec<Expr>),
}

/// Where a test starts.
#[derive(Clone, Debug)]
pub enum Start {
    /// A phase or rule without parameters.
    Rule(RuleId),
    /// The set-up, as in a real game.
    Setup,
    /// The rounds, without set-up.
    Round,
}

/// An answer in a test.
#[derive(Clone, Debug)]
pub enum Answer {
    /// An action with its arguments.
    Action(ActionId, Vec<Expr>),
    /// `done`.
    Done,
    /// `pass`.
    Pass,
    /// Yes or no.
    Yes(bool),
    /// A thing, number, word, or a set.
    Value(Expr),
}

/// The whole checked game.
#[derive(Clone, Debug)]
pub struct Model {
    /// The game's word, as after `game`.
    pub name: Arc<str>,
    /// For people.
    pub title: Arc<str>,
    /// The fewest and most players.
    pub players: (u32, u32),
    /// The fewest and most seats where `seats` says so.
    pub seats: Option<(u32, u32)>,
    /// `answered by` of the header: a list of seat numbers from 1.
    pub answered: Option<Expr>,
    /// What decides.
    pub outcome: Outcome,
    /// `score v "text"`.
    pub score: Option<(Expr, Option<Text>)>,
    /// `ends when`.
    pub ends: Vec<(Expr, Option<Text>)>,
    /// Scopes; 0 is the game.
    pub scopes: Vec<Scope>,
    /// See [`builtin_kinds`] for the first ones.
    pub kinds: Vec<Kind>,
    /// All members of all kinds.
    pub members: Vec<Member>,
    /// All attributes.
    pub attrs: Vec<Attr>,
    /// All zones.
    pub zones: Vec<Zone>,
    /// All maps.
    pub maps: Vec<Map>,
    /// All values.
    pub values: Vec<Value>,
    /// All rules and phases.
    pub rules: Vec<Rule>,
    /// All menus.
    pub menus: Vec<Menu>,
    /// All actions.
    pub actions: Vec<Action>,
    /// Attachments in the order of declaration.
    pub attachments: Vec<Attachment>,
    /// Set-up blocks with their scope; `me` is none there.
    pub setups: Vec<(ScopeId, Body<Block>)>,
    /// The rounds; none: the game is its set-up.
    pub round: Option<Round>,
    /// `win when …` and the like, watched always.
    pub endings: Vec<(ScopeId, Body<MenuEnding>)>,
    /// Conditions on the set-up.
    pub needs: Vec<(Expr, Option<Text>)>,
    /// Options.
    pub options: Vec<GameOption>,
    /// Hooks.
    pub hooks: Vec<HookDecl>,
    /// Invariants.
    pub invariants: Vec<Invariant>,
    /// Tests.
    pub tests: Vec<Test>,
    /// Spans of all files' declarations, for dumps and errors: what a span is in.
    pub fingerprint: u64,
}

/// `round`.
#[derive(Clone, Debug)]
pub struct Round {
    /// How long.
    pub until: RoundUntil,
    /// What is done each time.
    pub body: Body<Block>,
    /// Where.
    pub span: Span,
}

/// How often a round is played.
#[derive(Clone, Debug)]
pub enum RoundUntil {
    /// Until something ends the game.
    Forever,
    /// Once.
    Once,
    /// So often.
    Times(Expr),
    /// Until a condition holds, judged at each turn's beginning and the round's end.
    Cond(Expr),
}
