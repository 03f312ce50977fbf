//! Tests that stand in rules.
use super::*;

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
    /// A player's clock has run out.
    TimeUp(Option<FuncId>),
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
    Rolls(Option<FuncId>, Vec<TestRoll>),
    /// The next draws, of each what it brings.
    Draws(Vec<Vec<TestDraw>>),
    /// What lies on top of a place after its next shuffle: an effect function of (none, locals) that gives the place behind the locals.
    Shuffles(FuncId, Vec<TestDraw>),
}

/// What a test orders to be drawn.
#[derive(Clone, Copy, Debug)]
pub enum TestDraw {
    /// A value: a pure function of the locals; how it reads.
    Value(FuncId, Show),
    /// A die that shows a side of a constant set; see [`TestRoll::Sides`].
    Sides(u16, u32),
}

/// A roll that a test orders.
#[derive(Clone, Copy, Debug)]
pub enum TestRoll {
    /// A number: a pure function of the locals.
    Number(FuncId),
    /// Any side of a constant set: dice by their index in [`Program::comps`], first word of the set in [`Program::sets`].
    Sides(u16, u32),
}

impl TestRoll {
    /// Marks an ordered roll that is a set of sides: its dice stand in the bits from 32 on, the set's first word below. Numbers of rules never look so.
    pub const SIDES: u64 = 1 << 62;

    /// Whether an ordered roll is a set of sides; then which.
    pub fn sides(x: u64) -> Option<(u16, u32)> {
        (x >> 62 == 1).then_some(((x >> 32) as u16, x as u32))
    }
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
