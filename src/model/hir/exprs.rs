//! The checked game: texts and expressions.
use super::*;

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

    /// The expressions in its holes.
    pub fn holes(&self) -> Vec<&Expr> {
        self.parts.iter().filter_map(|p| if let TextPart::Hole(e) = p { Some(e) } else { None }).collect()
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
    pub kind: Arc<ExprKind>,
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
    /// Whether the position, or what stands on that map, has been there n times, counting now.
    PositionSeen(Option<MapId>, u32),
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
    /// The sum; 0 for an empty collection.
    Sum,
    /// How many.
    Count,
    /// The least; none for an empty collection.
    Min,
    /// The greatest; none for an empty collection.
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

impl FoldOp {
    /// All, with their words.
    pub const ALL: &'static [(FoldOp, &'static str)] = &[
        (FoldOp::Sum, "sum"),
        (FoldOp::Count, "count"),
        (FoldOp::Min, "min"),
        (FoldOp::Max, "max"),
        (FoldOp::Any, "any"),
        (FoldOp::Every, "every"),
        (FoldOp::No, "no"),
        (FoldOp::Union, "union"),
        (FoldOp::Collect, "collect"),
        (FoldOp::Least, "least"),
        (FoldOp::Most, "most"),
    ];
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
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

impl Comparison {
    /// Whether it holds of two values that have an order.
    pub fn holds<T: PartialOrd>(self, a: T, b: T) -> bool {
        match self {
            Comparison::Eq => a == b,
            Comparison::Ne => a != b,
            Comparison::Lt => a < b,
            Comparison::Le => a <= b,
            Comparison::Gt => a > b,
            Comparison::Ge => a >= b,
        }
    }

    /// The same with its sides exchanged: `a < b` is `b > a`.
    #[must_use]
    pub fn flipped(self) -> Comparison {
        match self {
            Comparison::Lt => Comparison::Gt,
            Comparison::Le => Comparison::Ge,
            Comparison::Gt => Comparison::Lt,
            Comparison::Ge => Comparison::Le,
            other => other,
        }
    }

    /// What holds where it does not.
    #[must_use]
    pub fn negated(self) -> Comparison {
        match self {
            Comparison::Eq => Comparison::Ne,
            Comparison::Ne => Comparison::Eq,
            Comparison::Lt => Comparison::Ge,
            Comparison::Ge => Comparison::Lt,
            Comparison::Le => Comparison::Gt,
            Comparison::Gt => Comparison::Le,
        }
    }

    /// Whether it asks for an order, and not only whether both are the same.
    pub fn is_order(self) -> bool {
        !matches!(self, Comparison::Eq | Comparison::Ne)
    }
}

/// Arithmetic; division rounds toward zero. Division by zero is a rule error.
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
    /// `mod`: the remainder of a division, never negative.
    Mod,
}
