//! The compiled program: tables and bytecode, plain data. The compiler (`lower`) makes it, the engine runs it; it contains no text of rules and no tree.
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
pub use houserule_model::hir::{Comparison, OptionId, TitlePart};
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

/// The value of a named player who does not play in this set-up: not none, and in no set of players.
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
    /// A phase, in [`Program::phases`].
    PhaseIx,
}

/// A register.
pub type R = u8;

/// How a value in a register is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Show {
    /// As a number.
    Number,
    /// As yes or no.
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
    /// A text: the value is the number of a template.
    Text,
}

/// A text with holes.
#[derive(Clone, Debug, Default)]
pub struct Template {
    /// Its parts.
    pub parts: Vec<Piece>,
}

/// A part of a text.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Fixed text.
    Literal(Arc<str>),
    /// A register of the frame in which the text is shown (questions, log).
    Register(R, Show),
    /// A pure function of the arguments of the guard or question that the text belongs to.
    Func(FuncId, Show),
    /// A pure function of the same arguments that returns a template (or none), followed by the arguments of that.
    Reason(FuncId),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Func {
    /// Its name, for dumps and faults.
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
    /// Whether it never suspends, writes, rolls or logs.
    pub pure_: bool,
    /// The declaration that it was made from.
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

/// How the outcome of a game is decided.
#[derive(Clone, Debug, Default)]
pub enum OutcomeSlot {
    /// By verdicts only; players without a result when the game ends have tied.
    #[default]
    Win,
    /// All players share one result.
    Together,
    /// Each player has a result.
    Each,
    /// By a pure function of a player to a number: the highest wins, equals share.
    Highest(FuncId),
    /// The lowest wins.
    Lowest(FuncId),
    /// By pure functions of a player, or of a team if [`Program::team`] is set and the ranking in [`Program::sheets`] is of teams; the first difference decides.
    Ranking(Vec<FuncId>),
}

/// A score or ranking, with its lines for each player or team.
#[derive(Clone, Debug)]
pub struct SheetSlot {
    /// Its name.
    pub name: Arc<str>,
    /// Whether it is a ranking: the first line that differs decides. In a score, lines are added.
    pub ranking: bool,
    /// Whether it decides the game.
    pub decides: bool,
    /// Whether its lines belong to teams.
    pub teams: bool,
    /// Its lines, in order.
    pub lines: Vec<SheetLine>,
    /// For a score: a pure function to the sum, with its modifications.
    pub sum: Option<FuncId>,
}

/// One line of a score or ranking.
#[derive(Clone, Debug)]
pub struct SheetLine {
    /// Its name.
    pub name: Arc<str>,
    /// Its title.
    pub title: Arc<str>,
    /// A pure function of a player or team.
    pub func: FuncId,
    /// Whether it is a text, which does not count.
    pub text: bool,
}

/// A condition that must hold between any two choices.
#[derive(Clone, Debug)]
pub struct InvariantSlot {
    /// Its title.
    pub title: Arc<str>,
    /// A pure function: whether it holds.
    pub func: FuncId,
    /// For a condition on each space of a map: a pure function to the spaces that do not meet it, and their universe.
    pub spaces: Option<(FuncId, UniverseId)>,
}

/// A row of `legacy`: what the end of a game hands to the next one.
#[derive(Clone, Debug)]
pub enum LegacySlot {
    /// An option, and the pure function to its value.
    Option(OptionId, FuncId),
    /// The word of the scenario that is next, or that none is, and when.
    Next(Option<Arc<str>>, NextSlot),
}

/// When a scenario is next.
#[derive(Clone, Debug)]
pub enum NextSlot {
    /// Whatever has happened.
    Always,
    /// If all players have won, lost or tied.
    Outcome(VerdictCode),
    /// If a pure function returns true.
    Holds(FuncId),
}

/// A heuristic or another named function of a player.
#[derive(Clone, Debug)]
pub struct NamedFunc {
    /// Its name.
    pub name: Arc<str>,
    /// Its title.
    pub title: Arc<str>,
    /// A pure function.
    pub func: FuncId,
}

/// A value that `why` can explain: parameters and result.
#[derive(Clone, Debug)]
pub struct ValueSlot {
    /// Its name.
    pub name: Arc<str>,
    /// A pure function.
    pub func: FuncId,
    /// How its parameters are shown.
    pub params: Vec<Show>,
    /// How its result is shown.
    pub show: Show,
    /// Its modifications: the value without any, then after each, with the declaration.
    pub chain: Vec<(DeclIx, FuncId)>,
}

/// How a space or component is drawn: pure functions of the thing.
#[derive(Clone, Debug)]
pub struct LookSlot {
    /// The universe of the things.
    pub universe: UniverseId,
    /// For components: the faces to which it applies, as a set; empty for all.
    pub faces: Vec<u64>,
    /// How many kinds are between this kind and the universe's: if two looks apply to a face, the deeper one is used.
    pub depth: u8,
    /// What is drawn, in order.
    pub rows: Vec<LookLine>,
}

/// One row of a look.
#[derive(Clone, Debug)]
pub struct LookLine {
    /// Whether it is on the back.
    pub back: bool,
    /// `fill`, `edge`, `text` …
    pub slot: Arc<str>,
    /// A pure function of the thing.
    pub func: FuncId,
    /// How its value is shown.
    pub show: Show,
}

/// The text of a filter that the rules contain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FilterWords {
    /// The universe of its sides.
    pub universe: UniverseId,
    /// The sides that pass, as a set.
    pub set: Vec<u64>,
    /// The filter in the words of the rules.
    pub word: Arc<str>,
    /// The filter for people.
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
    /// How its parameters are shown.
    pub params: Vec<Show>,
    /// How its result is shown.
    pub gives: Show,
    /// The declaration.
    pub decl: DeclIx,
}

/// A sum over the components of a set: a table summed over the constant set of each component's face, intersected with another set ([`Ins::SumEach`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SumSlot {
    /// The low byte of the components' universe, whose sets have one word.
    pub universe: u8,
    /// Where the constant sets of the faces begin in [`Program::sets`], a word each.
    pub sets: u32,
    /// The table.
    pub table: TableIx,
}

/// A memoised value of one player: it is kept until something changes that it reads ([`Ins::Recall`]).
#[derive(Clone, Copy, Debug)]
pub struct KeptSlot {
    /// The pure function of a player (or of nothing) that computes it.
    pub func: FuncId,
    /// Words of the value.
    pub words: u8,
}

/// A game with one set-up, ready to run.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The game's title.
    pub title: Arc<str>,
    /// Hash of rules and set-up: saves with another one are rejected.
    pub fingerprint: u64,
    /// Number of players.
    pub players: u8,
    /// Number of seats.
    pub seats: u8,
    /// For each player the seats that answer for it, as bits; 0 is nobody.
    pub answered: Vec<u32>,
    /// All universes; the players come first. See [`Universe`].
    pub universes: Vec<Universe>,
    /// The universe of players.
    pub player_universe: UniverseId,
    /// The universe of truth values.
    pub truth_universe: UniverseId,
    /// Components by root kind.
    pub comps: Vec<Components>,
    /// Attributes.
    pub attrs: Vec<AttrSlot>,
    /// The attribute for the space on which each player stands.
    pub standing: Option<AttrIx>,
    /// Zones.
    pub zones: Vec<ZoneSlot>,
    /// Places, with the boxes.
    pub places: Vec<Place>,
    /// Groups of planes.
    pub groups: Vec<PlaneGroup>,
    /// Maps.
    pub maps: Vec<Topology>,
    /// Tables of constant lists.
    pub line_tables: Vec<LineTable>,
    /// Grids of constant sets.
    pub grids: Vec<Grid>,
    /// Constant tables.
    pub tables: Vec<Table>,
    /// Attributes in constant tables that are shown with their things.
    pub printed: Vec<PrintedSlot>,
    /// Values that are shown with their spaces.
    pub shown: Vec<ShownSlot>,
    /// Words of constant sets.
    pub sets: Vec<u64>,
    /// Code of all functions.
    pub code: Vec<Ins>,
    /// Spans of instructions, sorted by position; an instruction belongs to the last entry at or before it.
    pub spans: Vec<(u32, Span)>,
    /// Places in the text that are marked when they are reached, if the program is compiled for coverage.
    pub marks: Vec<Span>,
    /// Each `repeat … until` of the rules that has code: where one of them may have no end, it is named.
    pub loops: Vec<Span>,
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
    /// Histories of positions.
    pub histories: Vec<HistorySlot>,
    /// Questions.
    pub asks: Vec<AskSlot>,
    /// Texts.
    pub templates: Vec<Template>,
    /// Attachments that layers can bring.
    pub leased: Vec<Leased>,
    /// Sums over components by printed values.
    pub sums: Vec<SumSlot>,
    /// Sets that several actions of a menu need, computed once for each list of options: the words of each ([`Ins::Noted`]).
    pub noted: Vec<u8>,
    /// Memoised values of a player.
    pub kept: Vec<KeptSlot>,
    /// Phases.
    pub phases: Vec<PhaseSlot>,
    /// Number of cells of a state.
    pub cells: u32,
    /// Number of words of planes of a state.
    pub planes: u32,
    /// The whole game: set-up and rounds, an effect function of (none).
    pub main: FuncId,
    /// Only the set-up of maps and components, on which every test stands (an effect function of (none)); tests do not run `setup`.
    pub bare: FuncId,
    /// How the outcome is decided.
    pub outcome: OutcomeSlot,
    /// `score v "…"`: a function of nothing or a player, and the text.
    pub score: Option<(FuncId, TemplateIx)>,
    /// `ends when C "…"`: texts that are shown if C holds at the end, with C as a pure function of nothing.
    pub ends: Vec<(FuncId, TemplateIx)>,
    /// In games where players act freely: whether a player is out by `out when`, a pure function of the player; none if the rules do not have it.
    pub out: Option<FuncId>,
    /// Scores and rankings in the order of the text.
    pub sheets: Vec<SheetSlot>,
    /// The team of a player: a pure function; none if nothing ranks teams.
    pub team: Option<FuncId>,
    /// The rows of `legacy`, those of scenarios, variants and mods first.
    pub legacy: Vec<LegacySlot>,
    /// Pure conditions that hold between any two choices.
    pub invariants: Vec<InvariantSlot>,
    /// Conditions on the set-up (`needs`), judged on the drawn maps before `setup`, with their reasons.
    pub needs: Vec<(InvariantSlot, TemplateIx)>,
    /// Functions of a player that bots add up.
    pub heuristics: Vec<NamedFunc>,
    /// Values that `why` can explain.
    pub values: Vec<ValueSlot>,
    /// Looks.
    pub looks: Vec<LookSlot>,
    /// Hooks.
    pub hooks: Vec<HookSlot>,
    /// Texts of filters of dice, for sets of sides.
    pub filters: Vec<FilterWords>,
    /// Tests.
    pub tests: Vec<TestPlan>,
}

impl Program {
    /// How a function's result is read, and from which word on: where lists are kept, a list stands behind the set of its things.
    pub fn read_result(&self, func: FuncId, show: Show) -> (Show, usize) {
        let Show::Set(u) = show else { return (show, 0) };
        let w = self.universes.get(u.index()).map_or(1, |u| u.w);
        match self.funcs.get(func.index()) {
            Some(f) if f.results > w => (Show::List(u), usize::from(w)),
            _ => (show, 0),
        }
    }

    /// The components of a universe; none if its things are no components.
    pub fn components_of(&self, u: UniverseId) -> Option<&Components> {
        match self.universes.get(u.index())?.sort {
            UniverseSort::Components(c) => self.comps.get(c as usize),
            _ => None,
        }
    }

    /// Whether the things of a universe are the spaces of a map.
    pub fn is_map(&self, u: UniverseId) -> bool {
        matches!(self.universes.get(u.index()).map(|u| &u.sort), Some(UniverseSort::Spaces(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn instructions_are_eight_bytes() {
        assert_eq!(std::mem::size_of::<Ins>(), 8);
    }

    /// Checks instructions of each kind whose row names a function.
    #[test]
    fn rows_tell_registers_and_what_may_be_left_out() {
        let p = Program::default();
        let runs = |ins: Ins| ins.registers(&p).map(|u| (u.reads.to_vec(), u.writes.to_vec(), u.window));
        assert_eq!(runs(Ins::SIns { d: 4, i: 1, w: 2 }), Some((vec![(4, 2), (1, 1)], vec![(4, 2)], None)));
        assert_eq!(runs(Ins::Add { d: 0, a: 1, b: 2 }), Some((vec![(1, 1), (2, 1)], vec![(0, 1)], None)));
        assert_eq!(runs(Ins::LGet { d: 0, l: 1, i: 2 }), None, "how long a list is stands nowhere");
        // If an entry of a table does not exist, the registers are unknown.
        assert_eq!(runs(Ins::Call { at: 3, f: FuncId(7) }), None);
        // The result register can be changed; not a register that is read and written in place, nor one that is written on one path only.
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
        // Removable instructions cannot fail and change nothing.
        assert!(Ins::Not { d: 0, a: 1 }.is_removable() && !Ins::Div { d: 0, a: 1, b: 2 }.is_removable());
        let draw = Ins::PickOne { d: 0, s: 1, who: 2, w: 1, u: 0 };
        assert!(!draw.is_removable() && !draw.may_stand_in_loop() && draw.kind() == InsKind::Chance);
    }
}
