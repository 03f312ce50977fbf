//! The syntax tree of statements, those of tests included.
use super::{Attach, Cost, Expr, Has, May, Must, Name, Needs, Outcome, Text};
use houserule_text::Span;

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
    /// `for x in S [by e] { }`
    For(Name, Expr, Option<Expr>, Block),
    /// `repeat until C { }`
    RepeatUntil(Expr, Block),
    /// `repeat n times { }`
    RepeatTimes(Expr, Block),
    /// `until end of scope { }`: a layer
    Until(Point, Block),
    /// `everyone … { }`
    Everyone(Everyone),
    /// `either ["T"] { } or ["T"] { }`; two or more
    Either(Vec<EitherWay>),
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
    /// `deal n of Z to zone [of S] [face up|down]`
    Deal(Deal),
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
    /// `pay B [from purse]`
    Pay(Cost),
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
    /// `expect refused [because "…"]`: nothing can be set up so.
    ExpectRefused(Option<Text>),
    /// In tests: `refuse Who: e [because "…"]`
    Refuse(Answer, Option<Text>),
    /// In tests: `offered Who: e, e`
    Offered(Name, Vec<Expr>),
    /// In tests: `asked Who "…"`
    Asked(Name, Text),
    /// In tests: `logged "…", "…"`
    Logged(Vec<Text>),
    /// In tests: `handed gold = 3, next deep`
    Handed(Vec<Handed>),
    /// In tests: `start at phase`
    StartAt(Name),
    /// In tests: `run to end of round`
    RunTo(Point),
    /// In tests: `Who rolls 2, 12`
    Rolls(Name, Vec<Expr>),
    /// In tests: `Who draws queen, [A1, B2]`
    Draws(Name, Vec<Expr>),
    /// In tests: `Who shuffles deck to queen, rider`
    Shuffles(Name, Expr, Vec<Expr>),
    /// In tests: `Who: e`
    Answer(Answer),
    /// `p: time up`
    TimeUp(Name),

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
    /// `one by one`
    OneByOne,
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
    /// `until all pass`, `until all but one pass`
    AllPass { but_one: bool, span: Span },
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

/// `deal n of Z to zone of S`
#[derive(Clone, PartialEq, Debug)]
pub struct Deal {
    /// How many each gets.
    pub count: Expr,
    /// From where.
    pub from: Expr,
    /// The zone or slot of each player.
    pub to: Name,
    /// Who gets them, if said.
    pub whom: Option<Expr>,
    /// How they lie then.
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

/// One of the ways of an `either`.
#[derive(Clone, PartialEq, Debug)]
pub struct EitherWay {
    /// How it is named.
    pub name: EitherName,
    /// What is done.
    pub body: Block,
}

/// The name of one of the ways of an `either`.
#[derive(Clone, PartialEq, Debug)]
pub struct EitherName {
    /// The word that stands for it in tests and saves: the title in small letters, `_` for all other signs; without a title, the rule that it calls, or `way_2`.
    pub word: String,
    /// For people.
    pub title: Option<Text>,
    /// Where it is written.
    pub span: Span,
}

/// The name that stands for the words of an `either`, as of an enum.
pub fn name_of_ways<'w>(ways: impl Iterator<Item = &'w EitherName>) -> String {
    let shown = |w: &EitherName| w.title.as_ref().and_then(Text::literal).unwrap_or_else(|| w.word.clone());
    let words: Vec<String> = ways.map(shown).collect();
    format!("either {}", words.join(" or "))
}

/// One part of `handed`.
#[derive(Clone, PartialEq, Debug)]
pub enum Handed {
    /// `gold = 3`
    Option(super::SetOption),
    /// `next deep`; `next none`.
    Next(Option<Name>),
}
