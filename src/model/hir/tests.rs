//! The checked game: `test` blocks.
use super::*;

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
    /// Options that it sets before its first step: `level = high`.
    pub options: Vec<(OptionId, Expr)>,
    /// That it cannot be set up so at all; then it has no steps.
    pub refused: Option<Refused>,
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

/// A set-up that the rules must refuse: `expect refused because "…"`.
#[derive(Clone, Debug)]
pub struct Refused {
    /// A part of the reason.
    pub because: Option<Arc<str>>,
    /// Where the refusal is written.
    pub span: Span,
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
    /// `p: time up`: a clock of his menu has run out.
    TimeUp(Option<Expr>),
    /// A choice that must be refused, for that reason.
    Refuse(Option<Expr>, Answer, Option<Arc<str>>),
    /// The pending question offers exactly these.
    Offered(Option<Expr>, Vec<Answer>),
    /// Somebody is asked that.
    Asked(Option<Expr>, Arc<str>),
    /// These stand in the log, in this order.
    Logged(Vec<Arc<str>>),
    /// The end of the game hands on these values of options; and this scenario is next, or none.
    Handed(Vec<(OptionId, Expr)>, Option<Option<ScopeId>>),
    /// The game runs on from that phase, rule or menu.
    StartAt(Start),
    /// The game runs, choices taken by the least option, to that point.
    RunTo(Until),
    /// The next rolls of a player, or of whoever rolls.
    Rolls(Option<Expr>, Vec<Expr>),
    /// What chance draws next: of each draw the things that it brings.
    Draws(Option<Expr>, Vec<Vec<Expr>>),
    /// What lies on top of a place after its next shuffle, the first on the very top.
    Shuffles(Option<Expr>, Expr, Vec<Expr>),
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
