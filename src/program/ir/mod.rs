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
mod asked;
pub mod def_use;
#[macro_use]
mod ins_table;
mod ins;
mod plans;
mod reg_set;
mod verify;
mod world;

pub use asked::*;
/// The comparisons of the language are those of the instructions: plain words without names of a game.
pub use houserule_model::hir::Comparison;
use houserule_text::Span;
pub use ins::*;
pub use ins_table::{Changes, InsKind, Sees, Shown};
pub use plans::*;
pub use reg_set::{MOST_REGISTERS, RegSet, overlap};
use std::sync::Arc;
pub use verify::{Flaw, verify};
pub use world::*;

/// None, in registers; cells hold it as `i32::MIN`.
pub const NONE: i64 = i32::MIN as i64;

/// A named player who does not play in this set-up: none of the players, and not none. In no set.
pub const ABSENT: i64 = NONE + 1;

macro_rules! index {
    ($($(#[$m:meta])* $name:ident),* $(,)?) => { $(
        $(#[$m])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
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
    /// In [`Program::grids`].
    GridIx,
    /// In [`Program::leased`].
    LeasedIx,
    /// In [`Program::histories`].
    HistoryIx,
    /// In [`Program::decls`].
    DeclIx,
    /// The static part of a phase.
    PhaseIx,
}

/// A register.
pub type R = u8;

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
    /// A template whose number is the value: texts computed.
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
    /// A pure function of the same arguments that gives a template (or none), and behind it the arguments of that.
    Reason(FuncId),
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

/// What decides.
#[derive(Clone, Debug, Default)]
pub enum OutcomeSlot {
    /// Verdicts only; whoever has none when the game ends has tied.
    #[default]
    Win,
    /// All share one.
    Together,
    /// Each has one.
    Each,
    /// Pure function of a player to a number; most wins, ties share.
    Highest(FuncId),
    /// Least wins.
    Lowest(FuncId),
    /// Pure functions of a player, or of a team where [`Program::team`] is set and the ranking in [`Program::sheets`] is one of teams; the first that differs decides.
    Ranking(Vec<FuncId>),
}

/// A score or ranking: what its lines are for each player or team.
#[derive(Clone, Debug)]
pub struct SheetSlot {
    /// Its name.
    pub name: Arc<str>,
    /// Whether it is a ranking: the first line that differs decides. Else lines add up.
    pub ranking: bool,
    /// Whether it decides the game.
    pub decides: bool,
    /// Whether its lines are of teams, not of players.
    pub teams: bool,
    /// In order.
    pub lines: Vec<SheetLine>,
    /// Of a score: a pure function to the sum, with what modifies it.
    pub sum: Option<FuncId>,
}

/// One line of a score or ranking.
#[derive(Clone, Debug)]
pub struct SheetLine {
    /// Its name.
    pub name: Arc<str>,
    /// Its title.
    pub title: Arc<str>,
    /// Pure function of a player or team.
    pub func: FuncId,
    /// Whether it is a text, which counts for nothing.
    pub text: bool,
}

/// What must hold between any two choices.
#[derive(Clone, Debug)]
pub struct InvariantSlot {
    /// For people.
    pub title: Arc<str>,
    /// Pure function: whether it holds.
    pub func: FuncId,
    /// Where it says something of each space of a map: a pure function that gives those of which it is not so, and their universe.
    pub spaces: Option<(FuncId, UniverseId)>,
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

/// How a filter that the rules write down reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FilterWords {
    /// Of which sides.
    pub universe: UniverseId,
    /// Those that pass, as a set.
    pub set: Vec<u64>,
    /// The filter in the rules' words.
    pub word: Arc<str>,
    /// The same for people.
    pub title: Arc<str>,
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

/// What is added up for each component of a set: a table over the constant set of its face, cut with another ([`Ins::SumEach`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SumSlot {
    /// The low byte of the components' universe, of one word.
    pub universe: u8,
    /// Where the constant sets of the faces stand in [`Program::sets`], a word each.
    pub sets: u32,
    /// The table.
    pub table: TableIx,
}

/// A value of one player that is expensive to compute: it is kept until something changes that it reads ([`Ins::Recall`]).
#[derive(Clone, Copy, Debug)]
pub struct KeptSlot {
    /// The pure function of a player (or of nothing) that computes it.
    pub func: FuncId,
    /// Words of what it gives.
    pub words: u8,
}

/// Everything that a game with one set-up is, ready to run.
#[derive(Clone, Debug, Default)]
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
    /// The attribute that says on which space each player stands.
    pub standing: Option<AttrIx>,
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
    /// Constant sets in rows and columns.
    pub grids: Vec<Grid>,
    /// Static tables.
    pub tables: Vec<Table>,
    /// Attributes that stand in tables but are to be seen with their things.
    pub printed: Vec<PrintedSlot>,
    /// Words of constant sets.
    pub sets: Vec<u64>,
    /// Code of all functions.
    pub code: Vec<Ins>,
    /// Spans of instructions: sorted by position; an instruction belongs to the last entry at or before it.
    pub spans: Vec<(u32, Span)>,
    /// Places in the text that are marked when they are reached, if the program is made to be covered.
    pub marks: Vec<Span>,
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
    /// Positions that are kept.
    pub histories: Vec<HistorySlot>,
    /// Questions.
    pub asks: Vec<AskSlot>,
    /// Texts.
    pub templates: Vec<Template>,
    /// Attachments of layers.
    pub leased: Vec<Leased>,
    /// What is summed over components by what is printed on them.
    pub sums: Vec<SumSlot>,
    /// Sets that several actions of a menu ask for, computed once a list of options: the words of each ([`Ins::Noted`]).
    pub noted: Vec<u8>,
    /// Values of a player that are kept by themselves.
    pub kept: Vec<KeptSlot>,
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
    /// `ends when C "…"`: what is told where C holds at the end, as pure functions of nothing, with their texts.
    pub ends: Vec<(FuncId, TemplateIx)>,
    /// Of games in which players act freely: whether a player is out by `out when`, a pure function of the player; none where the rules do not say so.
    pub out: Option<FuncId>,
    /// Scores and rankings in the order of the text.
    pub sheets: Vec<SheetSlot>,
    /// The team of a player: a pure function; none where nothing ranks teams.
    pub team: Option<FuncId>,
    /// Pure conditions that hold between any two choices.
    pub invariants: Vec<InvariantSlot>,
    /// What bots add up for a player.
    pub heuristics: Vec<NamedFunc>,
    /// Values by name.
    pub values: Vec<ValueSlot>,
    /// Looks.
    pub looks: Vec<LookSlot>,
    /// Hooks.
    pub hooks: Vec<HookSlot>,
    /// Filters of dice that the rules write down: how sets of sides read.
    pub filters: Vec<FilterWords>,
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

    /// What the rows say of instructions of every kind that has a rule of its own.
    #[test]
    fn rows_tell_registers_and_what_may_be_left_out() {
        let p = Program::default();
        let runs = |ins: Ins| ins.registers(&p).map(|u| (u.reads.to_vec(), u.writes.to_vec(), u.window));
        assert_eq!(runs(Ins::SIns { d: 4, i: 1, w: 2 }), Some((vec![(4, 2), (1, 1)], vec![(4, 2)], None)));
        assert_eq!(runs(Ins::Add { d: 0, a: 1, b: 2 }), Some((vec![(1, 1), (2, 1)], vec![(0, 1)], None)));
        assert_eq!(runs(Ins::LGet { d: 0, l: 1, i: 2 }), None, "how long a list is stands nowhere");
        // What should say it is not there: then nothing is told.
        assert_eq!(runs(Ins::Call { at: 3, f: FuncId(7) }), None);
        // A result is turned elsewhere, but not what is read and written in place, nor what is written on one way alone.
        let has_result = |mut ins: Ins| ins.result_mut().is_some();
        assert!(has_result(Ins::SFirst { d: 0, s: 1, w: 1 }) && has_result(Ins::SZero { d: 0, w: 2 }));
        assert!(
            !has_result(Ins::SIns { d: 4, i: 1, w: 2 })
                && !has_result(Ins::SNext { i: 0, s: 1, w: 1, to: 9 })
        );
        assert!(!has_result(Ins::Recall { d: 0, who: 1, k: 0, to: 4 }));
        let mut step = Ins::StepC { d: 0, c: 1, r: 2, m: 0 };
        step.for_each_source(&p, |r, w| *r += 10 * w);
        assert_eq!(step, Ins::StepC { d: 0, c: 11, r: 12, m: 0 });
        // Left out where nobody reads it: what cannot fail and changes nothing.
        assert!(Ins::Not { d: 0, a: 1 }.is_removable() && !Ins::Div { d: 0, a: 1, b: 2 }.is_removable());
        let draw = Ins::PickOne { d: 0, s: 1, who: 2, w: 1, u: 0 };
        assert!(!draw.is_removable() && !draw.may_stand_in_loop() && draw.kind() == InsKind::Chance);
    }
}
