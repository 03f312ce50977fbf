//! The syntax tree of files and their items: the game, its set-up, tests.
use super::{
    ActionDecl, Attach, Block, Component, Doc, EitherName, EnumDecl, Expr, HookDecl, Legend, LinesDecl,
    ListDecl, Look, MapDecl, Member, MenuDecl, Name, Part, PatchDecl, PhaseDecl, PlayerMember, RoundDecl,
    RuleDecl, SpaceDecl, Text, Type, ValueDecl,
};
use houserule_text::Span;

/// A file.
#[derive(Clone, PartialEq, Debug)]
pub struct File {
    /// In order of the text.
    pub items: Vec<Item>,
    /// The whole file.
    pub span: Span,
    /// How many words, numbers, signs and lines it has.
    pub tokens: usize,
    /// The ways of each `either` in it: their words, titles and places.
    pub eithers: Vec<Vec<EitherName>>,
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
    /// `needs mod "T"` and the like: what a mod says of other mods and of its game.
    ModLine(ModLine),
    /// `part n for Game { … }`
    Part(PartDecl),
    /// `scenario n "T" for Game [with part or part] { … }`
    Scenario(Scenario),
    /// `needs C else "…"`: a condition on the set-up.
    Needs(Needs),
    /// `invariant "T" { C }`
    Invariant(Invariant),
    /// `numbered F001..F084`: the first and the last number.
    Numbered(Name, Name),
    /// `not played F045, F046: "why"`
    NotPlayed(Vec<Name>, Text),
    /// `legacy { … }`: what the end of a game hands to the next one.
    Legacy(Vec<LegacyRow>),
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
    /// `version "1.2"`: the edition of the rules, for mods.
    Version(Text),
    /// `begins on s`: the scenario that is played unless another is named.
    BeginsOn(Name),
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

/// A row of `legacy`.
#[derive(Clone, PartialEq, Debug)]
pub struct LegacyRow {
    /// What it says.
    pub kind: LegacyRowKind,
    /// Where.
    pub span: Span,
}

/// The rows of `legacy`.
#[derive(Clone, PartialEq, Debug)]
pub enum LegacyRowKind {
    /// `gold = e`: an option of the next game.
    Option(SetOption),
    /// `next deep`: the scenario of the next game; `next none` ends the campaign.
    Next(Option<Name>),
    /// `next deep when won`
    NextOutcome(Option<Name>, Outcome),
    /// `next deep when C`
    NextWhen(Option<Name>, Expr),
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

/// A line in which a mod says something of other mods or of its game.
#[derive(Clone, PartialEq, Debug)]
pub struct ModLine {
    /// What it says.
    pub kind: ModLineKind,
    /// The titles that it names, or versions.
    pub texts: Vec<Text>,
}

/// What a line of a mod says of what it names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModLineKind {
    /// `needs mod "T"`: that mod must be loaded, too; this one is loaded after it.
    Needs,
    /// `needs version "1.2"`: the game must be of that version or a later one.
    NeedsVersion,
    /// `conflicts with mod "T"`: that mod must not be loaded.
    Conflicts,
    /// `after mod "T"`: where both are loaded, this one is the newer.
    After,
    /// `expects to break "T"`: that test or invariant does not hold under the mod.
    Breaks,
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

/// `win [p] when C ["T"]`: of the game (no `who`) or of a menu. `ends when C ["T"]`: of a menu.
#[derive(Clone, PartialEq, Debug)]
pub struct Ending {
    /// How it ends; none if scores decide, as when the rounds are over.
    pub outcome: Option<Outcome>,
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
