//! The lowered program: tables and code, pure data. Made by `program::lower`, run by `engine`; neither knows text or tree.
//!
//! **Words.** A *universe* is a numbered range of things 0..n-1: players, the words of an enum, the components of a root kind, the faces of such a kind,
//! the spaces of a space kind, a range of numbers. A *set* over a universe is a bitset of `w = ceil(n / 64)` words. A *place* is one zone of one holder
//! (or the box of a component universe): one numbering for all.
//!
//! **Registers.** Code runs in a window of 256 words. A register is a number, a thing's number, or a truth value (0, 1), stored as `i64` bits; a set takes `w` consecutive
//! registers, lowest things in the first; a list takes one register for its length and then four `u16` things a word, first thing in the lowest bits.
//! [`NONE`] is none, for every type. Numbers are within `i32` and never equal to `NONE`: arithmetic that leaves that range, or meets none, is a fault.
//!
//! **Calls.** `Call { f, at }` opens a window at the caller's register `at`: the callee's register 0 is the caller's register `at`. Arguments are put there before, results (one
//! value, `w` words of a set, a list) stand there after. Link words are kept beside the stack, not in it.
//! Effect functions (rules, actions, phases) take `me` in register 0 (a player or none), then parameters in order, sets taking their words. Pure functions take their
//! parameters only; guards and enumerators of actions take `me`, the menu's parameters, then the action's.
use crate::text::Span;
use std::sync::Arc;

/// None, in registers; cells hold it as `i32::MIN`.
pub const NONE: i64 = i32::MIN as i64;

macro_rules! index {
    ($($(#[$m:meta])* $name:ident),* $(,)?) => { $(
        $(#[$m])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u16);
        impl $name {
            /// As an index.
            pub fn index(self) -> usize { self.0 as usize }
        }
    )* };
}
index! {
    /// In [`Program::funcs`].
    FuncId,
    /// In [`Program::universes`].
    UniverseId,
    /// In [`Program::attrs`].
    AttrIx,
    /// In [`Program::zones`].
    ZoneIx,
    /// In [`Program::maps`].
    MapIx,
    /// In [`Program::menus`].
    MenuIx,
    /// In [`Program::actions`].
    ActionIx,
    /// In [`Program::asks`].
    AskIx,
    /// In [`Program::offers`].
    OfferIx,
    /// In [`Program::templates`].
    TemplateIx,
    /// In [`Program::tables`].
    TableIx,
    /// In [`Program::groups`].
    GroupIx,
    /// In [`Program::line_tables`].
    LinesIx,
    /// In [`Program::leased`].
    LeasedIx,
    /// In [`Program::decls`].
    DeclIx,
    /// In [`Program::shuffles`]… places are runtime numbers, not this: the static part of a phase.
    PhaseIx,
}

/// A register.
pub type R = u8;

/// One instruction: 8 bytes (asserted in a test). `d` is the destination, `w` a set's length in words, `u` the low byte of a [`UniverseId`], `to` an absolute code position.
///
/// Unless said, reading a thing's attribute, place or face with none as the thing is a fault; writing to none does nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ins {
    // ── move ──
    /// d = k (also [`NONE`]).
    Li { d: R, k: i32 },
    /// d = a.
    Mov { d: R, a: R },
    /// n registers from a to d (sets, lists); they may overlap.
    MovN { d: R, a: R, n: u8 },
    /// d.. = a constant set: words `k..k+w` of [`Program::sets`].
    SConst { d: R, w: u8, k: u32 },
    /// d = a if c is true, else b.
    Select { d: R, c: R, a: R, b: R },
    // ── number ──
    /// d = a + b.
    Add { d: R, a: R, b: R },
    /// d = a - b.
    Sub { d: R, a: R, b: R },
    /// d = a * b.
    Mul { d: R, a: R, b: R },
    /// d = a / b, toward zero; by zero is a fault.
    Div { d: R, a: R, b: R },
    /// d = a + k.
    AddK { d: R, a: R, k: i32 },
    /// d = -a.
    Neg { d: R, a: R },
    /// d = the less; none counts as absent (the other is taken), of two nones none.
    Min { d: R, a: R, b: R },
    /// d = the greater; as [`Ins::Min`].
    Max { d: R, a: R, b: R },
    /// d = a modulo k (k > 0), never negative.
    ModK { d: R, a: R, k: i32 },
    /// d = (a + k) modulo m (m > 0), never negative. Made by the fusing pass: round the table.
    AddModK { d: R, a: R, k: i16, m: i16 },
    // ── truth ──
    /// d = a == b (bits; none equals none).
    Eq { d: R, a: R, b: R },
    /// d = a != b.
    Ne { d: R, a: R, b: R },
    /// d = a < b; false if either is none.
    Lt { d: R, a: R, b: R },
    /// d = a <= b; false if either is none.
    Le { d: R, a: R, b: R },
    /// d = a == k (k may be none).
    EqK { d: R, a: R, k: i32 },
    /// d = not a.
    Not { d: R, a: R },
    /// d = a and b.
    And { d: R, a: R, b: R },
    /// d = a or b.
    Or { d: R, a: R, b: R },
    // ── jump (a jump backwards charges the budget) ──
    /// Go on there.
    Jmp { to: u32 },
    /// If a is 0 (false).
    Jz { a: R, to: u32 },
    /// If a is not 0.
    Jnz { a: R, to: u32 },
    /// If a is none.
    JNone { a: R, to: u32 },
    /// If a is not none.
    JSome { a: R, to: u32 },
    /// If a == k. Made by the fusing pass.
    JEqK { a: R, k: i16, to: u32 },
    /// If a != k. Made by the fusing pass.
    JNeK { a: R, k: i16, to: u32 },
    /// a = a + 1; if it is not k then. Made by the fusing pass: the end of a counted loop.
    LoopK { a: R, k: i16, to: u32 },
    // ── read ──
    /// d = attribute of thing e.
    LdAttr { d: R, e: R, attr: AttrIx },
    /// d = attribute of the table (thing 0).
    LdGlobal { d: R, attr: AttrIx },
    /// d = tables[table][i]; outside the table is a fault.
    LdTable { d: R, i: R, table: TableIx },
    /// d = face of component c of universe u (a number of its face universe).
    LdFace { d: R, c: R, u: u8 },
    /// d = place of component c.
    LdPlace { d: R, c: R, u: u8 },
    /// d = side of die c: 0.. in the order of its faces.
    LdSide { d: R, c: R, u: u8 },
    /// d = 1 if component c lies face up.
    LdUp { d: R, c: R, u: u8 },
    /// d = place of a zone: holder's number in o (ignored for the table's), index in i (ignored where the zone has none; a register that holds 0).
    PlaceOf { d: R, o: R, i: R, zone: ZoneIx },
    /// d = what lies in the slot at place p, or none.
    LdSlot { d: R, p: R },
    /// d = one fact about place p (none gives none).
    PlaceFact { d: R, p: R, fact: PlaceFact },
    /// d = one of the counters of the game.
    LdClock { d: R, what: Clock },
    /// d = 1 while that phase is running.
    Running { d: R, phase: PhaseIx },
    /// d = 1 if any action of the menu is on offer to player p (a menu without parameters).
    CanMenu { d: R, p: R, menu: MenuIx },
    /// d = 1 if player p (register) may see the face of component c of universe u now.
    Sees { d: R, p: R, c: R, u: u8 },
    // ── write ──
    /// attribute of e = a: range checked or clamped; index planes and projections follow.
    StAttr { e: R, a: R, attr: AttrIx },
    /// attribute of the table = a.
    StGlobal { a: R, attr: AttrIx },
    /// attribute of every thing of set s = a.
    StMany { s: R, a: R, attr: AttrIx },
    /// Component c goes to place p (none of either: nothing). On top, or under all if `how` says so.
    Move { c: R, p: R, u: u8, how: MoveHow },
    /// Every component of set s goes to place p, lowest number first.
    MoveSet { s: R, p: R, u: u8, how: MoveHow },
    /// Every component of list l in order.
    MoveList { l: R, p: R, u: u8, how: MoveHow },
    /// What lies at p and at q changes places, all at once.
    SwapPlaces { p: R, q: R },
    /// Components a and b change places and positions.
    SwapThings { a: R, b: R, u: u8 },
    /// The faces of what lies at place p are permuted by the table's stream; who knew them knows them no more.
    Shuffle { p: R },
    /// Component c shows face f from now on.
    Become { c: R, f: R, u: u8 },
    /// The faces of set s become known to the players in set t (a set over players).
    Show { s: R, t: R, u: u8 },
    /// Component c lies up (a = 1), down (0), or is turned over (none).
    Flip { c: R, a: R, u: u8 },
    /// Die c shows side a (number of the side).
    StSide { c: R, a: R, u: u8 },
    // ── set ──
    /// d.. = plane at word offset `at` of the state.
    Plane { d: R, w: u8, at: u32 },
    /// d.. = plane i of a group (none is the group's last); a number outside is the empty set.
    PlaneI { d: R, i: R, group: GroupIx },
    /// d.. = the components of universe u at place p; none is the empty set.
    Members { d: R, p: R, u: u8 },
    /// d.. = what all places of a zone hold together of universe u (whoever's).
    ZoneMembers { d: R, u: u8, zone: ZoneIx },
    /// d.. = a & b.
    SAnd { d: R, a: R, b: R, w: u8 },
    /// d.. = a | b.
    SOr { d: R, a: R, b: R, w: u8 },
    /// d.. = a without b.
    SAndNot { d: R, a: R, b: R, w: u8 },
    /// d.. = all of universe u but a.
    SNot { d: R, a: R, u: u8 },
    /// d.. = all of universe u.
    SAll { d: R, u: u8 },
    /// d.. = nothing.
    SZero { d: R, w: u8 },
    /// d.. = only i (none: nothing).
    SOne { d: R, i: R, w: u8 },
    /// i is put into d.. in place (none: nothing).
    SIns { d: R, i: R, w: u8 },
    /// i is taken out of d.. in place.
    SDel { d: R, i: R, w: u8 },
    /// d = i is in s (none is in nothing).
    STest { d: R, s: R, i: R, w: u8 },
    /// d = a is part of b.
    SSub { d: R, a: R, b: R, w: u8 },
    /// d = a and b are the same.
    SEq { d: R, a: R, b: R, w: u8 },
    /// d = a and b have something in common.
    SMeets { d: R, a: R, b: R, w: u8 },
    /// d = how many.
    SCount { d: R, s: R, w: u8 },
    /// d = whether s has anything.
    SAny { d: R, s: R, w: u8 },
    /// d = the lowest, or none.
    SFirst { d: R, s: R, w: u8 },
    /// d = the highest, or none.
    SLast { d: R, s: R, w: u8 },
    /// d = the one element, or none if there are none or several.
    SOnly { d: R, s: R, w: u8 },
    /// The next element of s above i (i = none: the first) into i, or, if there is none, on at `to`. Charges the budget.
    SNext { i: R, s: R, w: u8, to: u32 },
    /// d.. = numbers a..=b of a number universe u, cut to it.
    SRange { d: R, a: R, b: R, u: u8 },
    /// d.. = things whose attribute compares so with register a (none never does): `attr op a`.
    SScan { d: R, a: R, op: Cmp, attr: AttrIx },
    /// d.. = components of set s (universe u) whose face is in the set of faces f.
    SByFace { d: R, s: R, f: R, u: u8 },
    /// d.. = set s of components with alike ones (same face, same visible attributes, same place, nothing of their own) cut down to the lowest of each class.
    Alike { d: R, s: R, u: u8 },
    // ── list ──
    /// d = length of the list at l.
    LLen { d: R, l: R },
    /// d = element i (from 0) of the list at l; outside: none.
    LGet { d: R, l: R, i: R },
    /// a is added to the list at l, which has room for `cap` things; beyond is a fault.
    LPush { l: R, a: R, cap: u16 },
    /// d.. = the set of the list's things.
    LSet { d: R, l: R, w: u8 },
    /// The list at d is turned round in place.
    LReverse { d: R },
    /// d = length of constant list i of a line table.
    LineLen { d: R, i: R, t: LinesIx },
    /// d = element j of constant list i.
    LineGet { d: R, i: R, j: R, t: LinesIx },
    /// d = first element, in the list's own order, of constant list i that is in set s, or none.
    LineFirst { d: R, i: R, s: R, t: LinesIx },
    /// d.. = constant list i as a set.
    LineSet { d: R, i: R, t: LinesIx },
    /// d.. = the lists (numbers over the table's lists) that meet set s of things.
    LinesMeeting { d: R, s: R, t: LinesIx },
    /// d = how many lie at place p.
    ZLen { d: R, p: R },
    /// d = component at position i of the ordered place p, 0 is the top (first); outside: none.
    ZGet { d: R, p: R, i: R },
    // ── weigh ──
    /// d = sum of an attribute over set s of its universe.
    SumAttr { d: R, s: R, attr: AttrIx },
    /// d = sum of tables[table][face] over the components of set s; the universe is the table's.
    SumTable { d: R, s: R, table: TableIx },
    // ── map ──
    /// d = the neighbour of c in direction r (a direction's number), or none.
    StepC { d: R, c: R, r: R, m: u8 },
    /// d.. = { c step dir : c in s }.
    StepS { d: R, s: R, dir: u8, m: u8 },
    /// d.. = neighbours of c (as the map counts them).
    Neigh { d: R, c: R, m: u8 },
    /// d.. = the neighbours of the spaces of s (s itself not added).
    Dilate { d: R, s: R, m: u8 },
    /// d = steps between a and b on the whole map, or none.
    Dist { d: R, a: R, b: R, m: u8 },
    /// d = steps from a to b over spaces of set s only (a and b need not be in it… b must), or none.
    DistThru { d: R, a: R, b: R, s: R, m: u8 },
    /// d.. = spaces within n steps of c through set s (c counts as reached); n none: any number.
    Reach { d: R, c: R, n: R, s: R, m: u8 },
    /// d.. = union over all directions of the runs from c: spaces of P in a row beginning beside c, closed by one of Q; P at p, Q at q.
    RunC { d: R, c: R, p: R, q: R, m: u8 },
    /// d.. = spaces from which [`Ins::RunC`] is not empty.
    RunSrc { d: R, p: R, q: R, m: u8 },
    /// d.. (set) = the run from c in direction r only.
    RunDir { d: R, c: R, r: R, p: R, q: R, m: u8 },
    /// d.. = the ray from c in direction r as a set, c not in it.
    RaySet { d: R, c: R, r: R, m: u8 },
    /// d = some line of the table through c lies wholly in set s.
    LineThru { d: R, c: R, s: R, t: LinesIx },
    /// d = some line of the table lies wholly in set s.
    LineAny { d: R, s: R, t: LinesIx },
    /// d = a path through set s (w words at s, then s+w the first end set, s+2w the other) joins the two end sets.
    Joined { d: R, s: R, m: u8 },
    /// d = the direction from a to b if they stand in a line, or none.
    DirOf { d: R, a: R, b: R, m: u8 },
    // ── chance: the stream is player who's, or the table's if none ──
    /// d = 0..n-1, n from register; n < 1 is a fault.
    Below { d: R, n: R, who: R },
    /// d = one of set s, or none.
    PickOne { d: R, s: R, who: R, w: u8 },
    /// d.. = n of set s (n from a register, cut to the set's size).
    PickN { d: R, s: R, n: R, who: R, w: u8 },
    /// Die c gets a random side.
    RollDie { c: R, who: R, u: u8 },
    // ── call ──
    /// See the module's page.
    Call { at: R, f: FuncId },
    /// Back to the caller; results stand in registers 0...
    Ret,
    /// A hook: arguments at `at`.., result at `at`.
    Hook { at: R, h: u16 },
    // ── scopes ──
    /// A turn of player p begins: `turn`, `turns`, attributes per turn, layers until the start of p's turn.
    TurnBegin { p: R },
    /// The turn ends: layers until the end of turn.
    TurnEnd,
    /// A round begins.
    RoundBegin,
    /// It ends.
    RoundEnd,
    /// A phase begins.
    PhaseBegin { phase: PhaseIx },
    /// It ends.
    PhaseEnd { phase: PhaseIx },
    /// Until [`Ins::LeaseClose`], writes and moves are layers that end with that scope (a phase's number or a player in a, else ignored).
    LeaseOpen { scope: LeaseScope, a: R },
    /// Back to ordinary changes.
    LeaseClose,
    /// An attachment of an open layer comes into force with `n` captured words from register at.
    LeaseAttach { at: R, n: u8, what: LeasedIx },
    /// The next instance of a leased attachment in force above i (none: the first) into i, or on at `to`; newest last.
    LeaseNext { i: R, what: LeasedIx, to: u32 },
    /// n captured words of instance i to d.
    LeaseGet { d: R, i: R, n: u8 },
    /// The layer i ends at once: it was good for once.
    LeaseDrop { i: R },
    // ── ask (only effects) ──
    /// The menus of an offer are put to the player in register `who`. If nothing is on offer d = [`OFFER_NONE`] at once. Else play stops; on an action its effect is called
    /// with its window at `at` (`me`, menu's parameters, parameters), then d = [`OFFER_ACTED`]; done and pass give [`OFFER_DONE`], [`OFFER_PASSED`].
    AskMenu { d: R, at: R, who: R, offer: OfferIx },
    /// A choice from the set (or list) at s by the player(s) in register `who`; the answer (a thing or none, or a set) to d... Bounds stand in registers that the ask names.
    Ask { d: R, s: R, who: R, ask: AskIx },
    // ── fibers ──
    /// One child for each player of the list at l runs f with `me` and then `n` captured words from `at`; goes on when all have ended.
    Fork { l: R, at: R, n: u8, f: FuncId, freely: bool },
    // ── tell ──
    /// A template's text into the log, holes read from registers.
    Say { t: TemplateIx },
    /// A rule error with that text.
    Fail { t: TemplateIx },
    /// The game ends for the players in the set at s (all if `all`).
    Verdict { s: R, verdict: VerdictCode, all: bool, t: TemplateIx },
    /// The game is over: results are worked out by [`Program::outcome`].
    End,
    // ── enumerators ──
    /// Options of an action: fixed parameters from register `at`, the last one's domain (set, or number range in two registers, or bounds and set of a subset) at `last`.
    Options { at: R, last: R, action: ActionIx },
    /// The one option of an action without parameters.
    Option { action: ActionIx },
}

/// Outcomes of [`Ins::AskMenu`].
pub const OFFER_ACTED: i64 = 0;
/// `done` was taken.
pub const OFFER_DONE: i64 = 1;
/// `pass` was taken.
pub const OFFER_PASSED: i64 = 2;
/// Nothing was on offer.
pub const OFFER_NONE: i64 = 3;
/// No template.
pub const NO_TEMPLATE: TemplateIx = TemplateIx(u16::MAX);

/// Comparisons of [`Ins::SScan`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cmp {
    /// `==`.
    Eq,
    /// `!=` (and not none).
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

/// How something moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveHow(pub u8);
impl MoveHow {
    /// To the bottom.
    pub const UNDER: MoveHow = MoveHow(1);
    /// Face up.
    pub const UP: MoveHow = MoveHow(2);
    /// Face down.
    pub const DOWN: MoveHow = MoveHow(4);
    /// Whether a flag is set.
    pub fn has(self, flag: MoveHow) -> bool {
        self.0 & flag.0 != 0
    }
}

/// Facts about a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaceFact {
    /// Its space, or none.
    Space,
    /// Its holder as a player, or none.
    Holder,
    /// Its zone's number.
    Zone,
    /// The holder's number whatever it is.
    Owner,
}

/// Counters of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clock {
    /// Rounds begun.
    Round,
    /// Turns begun.
    Turns,
    /// Whose turn it is, or none.
    Turn,
    /// The innermost running phase, or none.
    Phase,
    /// The number that the next layer will have: what has a lesser one was there before.
    Age,
}

/// When a layer ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeaseScope {
    /// With this turn.
    Turn,
    /// With this round.
    Round,
    /// With the next round.
    NextRound,
    /// With the innermost running phase.
    Phase,
    /// With a phase (its number in the register).
    PhaseNamed,
    /// Never.
    Game,
    /// When a turn of the player in the register begins.
    StartOfTurn,
}

/// [`Ins::Verdict`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VerdictCode {
    /// Won.
    Win,
    /// Lost.
    Lose,
    /// Neither.
    Tie,
}

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
    /// Back to the start value when this begins.
    pub per: Option<Per>,
    /// Who sees it: attributes follow their component; the table's and players' are open unless said.
    pub seen: SeenBy,
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
    /// First word in the state's planes.
    pub at: u32,
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
    /// First place; place = first + holder * indexes + index.
    pub first: u16,
    /// How many places each holder has (1, or one an index).
    pub indexes: u16,
    /// Least index.
    pub index_lo: i32,
    /// At most one thing.
    pub slot: bool,
    /// Whether order matters: it has a sequence.
    pub ordered: bool,
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

/// How a register's value is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Show {
    /// As a number.
    Number,
    /// yes or no.
    Truth,
    /// A thing of a universe.
    Thing(UniverseId),
    /// A set over a universe.
    Set(UniverseId),
    /// A list over a universe.
    List(UniverseId),
    /// A place.
    Place,
    /// A phase.
    Phase,
    /// A template whose number is the value: texts worked out.
    Text,
}

/// A text with holes.
#[derive(Clone, Debug, Default)]
pub struct Template {
    /// Pieces.
    pub parts: Vec<Piece>,
}

/// A piece of a template.
#[derive(Clone, Debug)]
pub enum Piece {
    /// As it stands.
    Literal(Arc<str>),
    /// A register of the frame in which it is told (asks, log).
    Register(R, Show),
    /// A pure function of the same arguments as the guard or question it belongs to.
    Func(FuncId, Show),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Func {
    /// For dumps and faults.
    pub name: Arc<str>,
    /// First instruction.
    pub start: u32,
    /// One past the last.
    pub end: u32,
    /// Words of arguments.
    pub args: u8,
    /// Words of results.
    pub results: u8,
    /// Registers used.
    pub frame: u16,
    /// Whether it never suspends, writes, rolls or tells.
    pub pure_: bool,
    /// What it was made from.
    pub decl: DeclIx,
}

/// A declaration, for logs, coverage, faults and dumps.
#[derive(Clone, Debug)]
pub struct Decl {
    /// `value`, `rule`, `phase`, `menu`, `action`, `card`, `attachment` …
    pub what: &'static str,
    /// Its name.
    pub name: Arc<str>,
    /// Where it is declared.
    pub span: Span,
}

/// A menu.
#[derive(Clone, Debug)]
pub struct MenuSlot {
    /// Its name.
    pub name: Arc<str>,
    /// Words of its parameters.
    pub params: u8,
    /// Actions in order.
    pub actions: Vec<ActionIx>,
    /// Guard of its being open: function of (me, parameters), with why not.
    pub open: Option<(FuncId, TemplateIx)>,
    /// `done`: whether it is there; when (function of me, parameters), why not, title.
    pub done: Option<EndSlot>,
    /// `pass`.
    pub pass: Option<EndSlot>,
    /// The declaration.
    pub decl: DeclIx,
}

/// `done` or `pass`.
#[derive(Clone, Debug)]
pub struct EndSlot {
    /// When it may be taken.
    pub when: EndWhen,
    /// Why not.
    pub reason: TemplateIx,
    /// Its title.
    pub title: TemplateIx,
}

/// When `done` or `pass` may be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndWhen {
    /// Always.
    Always,
    /// When no action is on offer.
    NoAction,
    /// Pure function of (me, menu's parameters).
    Func(FuncId),
}

/// What an [`Ins::AskMenu`] offers.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Menus, each with the register of its first parameter.
    pub menus: Vec<(MenuIx, R)>,
    /// Whether a menu without an action is passed over silently ([`OFFER_NONE`]) — always, unless it has a pass or done that may be taken.
    pub silent: bool,
    /// Where it stands.
    pub span: Span,
    /// In which declaration.
    pub decl: DeclIx,
}

/// An action.
#[derive(Clone, Debug)]
pub struct ActionSlot {
    /// Its name.
    pub name: Arc<str>,
    /// For people.
    pub title: Arc<str>,
    /// Parameters, the menu's first.
    pub params: Vec<ParamSlot>,
    /// Pure: (me, menu's parameters) → [`Ins::Options`] / [`Ins::Option`].
    pub enumerator: FuncId,
    /// Plain guards in source order over (me, all parameters): what `why_not` runs. Membership of each parameter in its domain is among them.
    pub guards: Vec<GuardSlot>,
    /// What it does: (me, all parameters).
    pub effect: FuncId,
    /// The declaration.
    pub decl: DeclIx,
}

/// A plain guard.
#[derive(Clone, Debug)]
pub struct GuardSlot {
    /// Pure: (me, parameters up to and including `upto`) to a truth value.
    pub func: FuncId,
    /// How many parameters it takes.
    pub upto: u8,
    /// Why not; with functions of the same arguments.
    pub reason: TemplateIx,
    /// Where it stands.
    pub span: Span,
}

/// A parameter of an action.
#[derive(Clone, Debug)]
pub struct ParamSlot {
    /// Its name.
    pub name: Arc<str>,
    /// What it is.
    pub domain: Domain,
}

/// What can be picked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// One thing of a universe.
    Thing(UniverseId),
    /// A number (two registers: least, greatest).
    Number,
    /// A subset of a universe: least, greatest size and the set stand in registers.
    Subset(UniverseId),
}

impl Domain {
    /// Words that a chosen value takes.
    pub fn words(self, p: &Program) -> u8 {
        match self {
            Domain::Thing(_) | Domain::Number => 1,
            Domain::Subset(u) => p.universes.get(u.index()).map_or(1, |u| u.w),
        }
    }
}

/// What an [`Ins::Ask`] asks.
#[derive(Clone, Debug)]
pub struct AskSlot {
    /// The universe of the set at `s`.
    pub universe: UniverseId,
    /// One thing, or a subset.
    pub one: bool,
    /// Registers of the least and greatest size of a subset.
    pub min: R,
    /// See above.
    pub max: R,
    /// Whether `s` is a list (asked as a set, in the list's order).
    pub list: bool,
    /// What is asked; holes are registers.
    pub prompt: TemplateIx,
    /// Asked even when there is just one answer: silence would tell.
    pub always: bool,
    /// Asked even when there is nothing to choose, with *none* as the only answer: that there is nothing is itself a secret.
    pub even_none: bool,
    /// Whether `who` is a set of players who must agree (a set register), else one player.
    pub several: bool,
    /// Yes or no.
    pub truth: bool,
    /// Where it stands.
    pub span: Span,
    /// In which declaration.
    pub decl: DeclIx,
}

/// An attachment that a layer can bring into force.
#[derive(Clone, Debug)]
pub struct Leased {
    /// For the log.
    pub decl: DeclIx,
    /// Words captured.
    pub words: u8,
}

/// A phase.
#[derive(Clone, Debug)]
pub struct PhaseSlot {
    /// Its name.
    pub name: Arc<str>,
    /// For people.
    pub title: Arc<str>,
    /// The declaration.
    pub decl: DeclIx,
}

/// What decides.
#[derive(Clone, Debug)]
pub enum OutcomeSlot {
    /// Verdicts only; whoever has none when the game ends has tied.
    Win,
    /// All share one.
    Together,
    /// Each has one.
    Each,
    /// Pure function of a player to a number; most wins, ties share.
    Highest(FuncId),
    /// Least wins.
    Lowest(FuncId),
    /// Pure functions, the first that differs decides.
    Ranking(Vec<FuncId>),
}

/// A test of a rule file, with its code.
#[derive(Clone, Debug)]
pub struct TestPlan {
    /// Its title.
    pub title: Arc<str>,
    /// Its code.
    pub steps: Vec<TestOp>,
    /// Words of locals that steps share: functions take them all as arguments and give them all back.
    pub locals: u8,
    /// Where.
    pub span: Span,
}

/// One step; functions take the test's locals as arguments.
#[derive(Clone, Debug)]
pub struct TestOp {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: TestOpKind,
}

/// What a test's step does.
#[derive(Clone, Debug)]
pub enum TestOpKind {
    /// An effect function of (none, locals) that gives the locals back.
    Do(FuncId),
    /// Jumps to a step if the pure function gives false.
    JumpUnless(FuncId, usize),
    /// Jumps to a step.
    Jump(usize),
    /// A pure function of the locals must give true.
    Expect(FuncId),
    /// Over, so, for that player or for everybody, with that text in its reason.
    ExpectOver(Option<FuncId>, VerdictCode, Option<Arc<str>>),
    /// A choice.
    Answer(Option<FuncId>, TestAnswer),
    /// A refused choice.
    Refuse(Option<FuncId>, TestAnswer, Option<Arc<str>>),
    /// What is offered.
    Offered(Option<FuncId>, Vec<TestAnswer>),
    /// Who is asked what.
    Asked(Option<FuncId>, Arc<str>),
    /// What stands in the log.
    Logged(Vec<Arc<str>>),
    /// The game runs on from there: an effect function of (me).
    Start(FuncId),
    /// The game runs to there.
    RunTo(LeaseScope, Option<FuncId>),
    /// The next rolls.
    Rolls(Option<FuncId>, Vec<FuncId>),
}

/// An answer in a test; functions are pure, of the locals.
#[derive(Clone, Debug)]
pub enum TestAnswer {
    /// An action with its arguments: each function gives one parameter, in the words of its type; a face stands for any component that shows it.
    Action(ActionIx, Vec<(FuncId, Show)>),
    /// Done.
    Done,
    /// Pass.
    Pass,
    /// Yes or no.
    Yes(bool),
    /// A thing, number or set; how it reads.
    Value(FuncId, Show),
}

/// A heuristic or another named function of a player.
#[derive(Clone, Debug)]
pub struct NamedFunc {
    /// Its name.
    pub name: Arc<str>,
    /// Its title.
    pub title: Arc<str>,
    /// Pure function.
    pub func: FuncId,
}

/// A value that `why` can explain: parameters and result.
#[derive(Clone, Debug)]
pub struct ValueSlot {
    /// Its name.
    pub name: Arc<str>,
    /// Pure function.
    pub func: FuncId,
    /// Parameters.
    pub params: Vec<Show>,
    /// Result.
    pub show: Show,
    /// Chain: what it is without attachments, then after each, with its declaration.
    pub chain: Vec<(DeclIx, FuncId)>,
}

/// How a space or component is drawn: pure functions of the thing.
#[derive(Clone, Debug)]
pub struct LookSlot {
    /// Of which universe's things.
    pub universe: UniverseId,
    /// Of components: the faces that it is for, as a set; empty for all.
    pub faces: Vec<u64>,
    /// How many kinds are between the looked-at kind and the universe's: of two looks for one face the deeper one holds.
    pub depth: u8,
    /// What is drawn, in order.
    pub rows: Vec<LookLine>,
}

/// One row of a look.
#[derive(Clone, Debug)]
pub struct LookLine {
    /// Whether it is of the back.
    pub back: bool,
    /// `fill`, `edge`, `text` …
    pub slot: Arc<str>,
    /// `top`, `corner` …
    pub place: Option<Arc<str>>,
    /// Pure function of the thing.
    pub func: FuncId,
    /// How its value reads.
    pub show: Show,
}

/// A hook's script.
#[derive(Clone, Debug)]
pub struct HookSlot {
    /// The function's name in the script.
    pub name: Arc<str>,
    /// The script.
    pub script: Arc<str>,
    /// The file's name.
    pub file: Arc<str>,
    /// Parameters.
    pub params: Vec<Show>,
    /// Result.
    pub gives: Show,
    /// The declaration.
    pub decl: DeclIx,
}

/// Everything that a game with one set-up is, ready to run.
#[derive(Clone, Debug)]
pub struct Program {
    /// The game's title.
    pub title: Arc<str>,
    /// Of rules and set-up: saves of another one are foreign.
    pub fingerprint: u64,
    /// How many players.
    pub players: u8,
    /// How many seats.
    pub seats: u8,
    /// For each player a set of seats (bits) that answer for it; 0 is nobody.
    pub answered: Vec<u32>,
    /// Player, then all others; see [`Universe`].
    pub universes: Vec<Universe>,
    /// The universe of players.
    pub player_universe: UniverseId,
    /// The universe of no and yes.
    pub truth_universe: UniverseId,
    /// Components by root kind.
    pub comps: Vec<Components>,
    /// Attributes.
    pub attrs: Vec<AttrSlot>,
    /// Zones.
    pub zones: Vec<ZoneSlot>,
    /// Places, boxes included.
    pub places: Vec<Place>,
    /// Plane groups.
    pub groups: Vec<PlaneGroup>,
    /// Maps.
    pub maps: Vec<Topology>,
    /// Constant lists.
    pub line_tables: Vec<LineTable>,
    /// Static tables.
    pub tables: Vec<Table>,
    /// Words of constant sets.
    pub sets: Vec<u64>,
    /// Code of all functions.
    pub code: Vec<Ins>,
    /// Spans of instructions: sorted by position; an instruction belongs to the last entry at or before it.
    pub spans: Vec<(u32, Span)>,
    /// Functions.
    pub funcs: Vec<Func>,
    /// Declarations.
    pub decls: Vec<Decl>,
    /// Menus.
    pub menus: Vec<MenuSlot>,
    /// Actions.
    pub actions: Vec<ActionSlot>,
    /// Offers.
    pub offers: Vec<Offer>,
    /// Questions.
    pub asks: Vec<AskSlot>,
    /// Texts.
    pub templates: Vec<Template>,
    /// Attachments of layers.
    pub leased: Vec<Leased>,
    /// Phases.
    pub phases: Vec<PhaseSlot>,
    /// Cells and plane words of a state.
    pub cells: u32,
    /// See above.
    pub planes: u32,
    /// The whole game: set-up and rounds, an effect function of (none).
    pub main: FuncId,
    /// Only set-up of maps and components that every test stands on (an effect function of (none)); tests do not run `setup`.
    pub bare: FuncId,
    /// What decides.
    pub outcome: OutcomeSlot,
    /// `score v "…"`: function of nothing or a player, and the text.
    pub score: Option<(FuncId, TemplateIx)>,
    /// Pure conditions that hold between any two choices.
    pub invariants: Vec<NamedFunc>,
    /// What bots add up for a player.
    pub heuristics: Vec<NamedFunc>,
    /// Values by name.
    pub values: Vec<ValueSlot>,
    /// Looks.
    pub looks: Vec<LookSlot>,
    /// Hooks.
    pub hooks: Vec<HookSlot>,
    /// Tests.
    pub tests: Vec<TestPlan>,
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn instructions_are_eight_bytes() {
        assert_eq!(std::mem::size_of::<Ins>(), 8);
    }
}
