//! The syntax tree of expressions.
use super::{Int, Many, Name, Outcome, Text};
use houserule_text::Span;

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
    /// `a mod b`
    Mod,
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
            BinaryOp::Mod => "mod",
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
    /// `2 coins`
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
    /// `can pay B [from purse]`
    CanPay(super::Cost),
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
    /// `row(2) of Board`: a word about maps, on the map of that name.
    OnMap(Expr, Name),
    /// `no action`
    NoAction,
    /// `position [of Map] seen n times`; without a number `seen before`.
    PositionSeen(Option<Name>, Option<Int>),
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
