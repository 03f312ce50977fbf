//! Tests of the rules, as lists of steps.
use super::*;

/// A test of a rule file, with its code.
#[derive(Clone, Debug)]
pub struct TestPlan {
    /// Its title.
    pub title: Arc<str>,
    /// Its code.
    pub steps: Vec<TestOp>,
    /// Words of the names that steps share: functions take them all as arguments, and effects return them all.
    pub locals: u8,
    /// Place in the text.
    pub span: Span,
}

/// One step; its functions take the test's names as arguments.
#[derive(Clone, Debug)]
pub struct TestOp {
    /// Place in the text.
    pub span: Span,
    /// The step.
    pub kind: TestOpKind,
}

/// An option that the end of a game must hand on.
#[derive(Clone, Debug)]
pub struct HandedOption {
    /// The option.
    pub option: OptionId,
    /// Its word.
    pub name: Arc<str>,
    /// A pure function of the test's names to the expected value.
    pub value: FuncId,
    /// How the value is shown.
    pub show: Show,
}

/// A step of a test.
#[derive(Clone, Debug)]
pub enum TestOpKind {
    /// Runs an effect function of (none, names) that returns the names.
    Do(FuncId),
    /// Runs a pure function of the names that returns them.
    Names(FuncId),
    /// Jumps to a step if the pure function returns false.
    JumpUnless(FuncId, usize),
    /// Jumps to a step.
    Jump(usize),
    /// Expects a pure function of the names to be true.
    Expect(FuncId),
    /// Expects the game to be over, with that result, for that player or for everybody, with that text in its reason.
    ExpectOver(Option<FuncId>, VerdictCode, Option<Arc<str>>),
    /// Makes a choice.
    Answer(Option<FuncId>, TestAnswer),
    /// Lets a player's clock run out.
    TimeUp(Option<FuncId>),
    /// Expects a choice to be refused.
    Refuse(Option<FuncId>, TestAnswer, Option<Arc<str>>),
    /// Expects what is offered.
    Offered(Option<FuncId>, Vec<TestAnswer>),
    /// Expects who is asked what.
    Asked(Option<FuncId>, Arc<str>),
    /// Expects texts in the log.
    Logged(Vec<Arc<str>>),
    /// Expects the end of the game to hand on these values of options, and the scenario of that word to be next, or none.
    Handed(Vec<HandedOption>, Option<Option<Arc<str>>>),
    /// Starts the game there: an effect function of (me).
    Start(FuncId),
    /// Runs the game to there.
    RunTo(LeaseScope, Option<FuncId>),
    /// Orders the next rolls.
    Rolls(Option<FuncId>, Vec<TestRoll>),
    /// Orders the results of the next draws.
    Draws(Vec<Vec<TestDraw>>),
    /// Orders what lies on top of a place after its next shuffle: an effect function of (none, names) that returns the place after the names.
    Shuffles(FuncId, Vec<TestDraw>),
}

/// A draw that a test orders.
#[derive(Clone, Copy, Debug)]
pub enum TestDraw {
    /// A value: a pure function of the names, and how it is shown.
    Value(FuncId, Show),
    /// A die that shows a side of a constant set; see [`TestRoll::Sides`].
    Sides(u16, u32),
}

/// A roll that a test orders.
#[derive(Clone, Copy, Debug)]
pub enum TestRoll {
    /// A number: a pure function of the names.
    Number(FuncId),
    /// Any side of a constant set: dice by their index in [`Program::comps`], first word of the set in [`Program::sets`].
    Sides(u16, u32),
}

impl TestRoll {
    /// Marks an ordered roll that is a set of sides: the dice are in the bits from 32 on, the first word of the set below. No number of the rules has this form.
    pub const SIDES: u64 = 1 << 62;

    /// For an ordered roll that is a set of sides: the dice and the first word of the set.
    pub fn sides(x: u64) -> Option<(u16, u32)> {
        (x >> 62 == 1).then_some(((x >> 32) as u16, x as u32))
    }
}

/// One argument or answer: a thing, a number, a set, or the things of a written list one by one. Each function returns a part in the words of its type;
/// a face stands for any component that shows it, and for another one each time.
pub type TestParts = Vec<(FuncId, Show)>;

/// An answer in a test; its functions are pure, of the names.
#[derive(Clone, Debug)]
pub enum TestAnswer {
    /// An action with its arguments.
    Action(ActionIx, Vec<TestParts>),
    /// Done.
    Done,
    /// Pass.
    Pass,
    /// Yes or no.
    Yes(bool),
    /// A thing, number or set.
    Value(TestParts),
}
