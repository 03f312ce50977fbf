//! The syntax tree of values, rules, phases, menus, actions and attachments.
use super::{Block, Doc, Ending, Expr, Has, Name, Needs, Text};
use houserule_text::Span;

/// A parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// What it may be.
    pub kind: ParamKind,
    /// What it is if nobody says.
    pub default: Option<Expr>,
    /// Where.
    pub span: Span,
}

/// What a parameter may be.
#[derive(Clone, PartialEq, Debug)]
pub enum ParamKind {
    /// `one of S`, `up to 2 of S`: what is chosen from a set.
    Choice {
        /// How many.
        many: Many,
        /// Of what.
        from: Expr,
    },
    /// `type [of p] [where P]`
    Typed {
        /// Its type.
        ty: Type,
        /// Whose: `K of me`.
        of: Option<Expr>,
        /// What it must be besides.
        filter: Option<Expr>,
    },
}

/// How many are chosen.
#[derive(Clone, PartialEq, Debug)]
pub struct Many {
    /// How many.
    pub kind: ManyKind,
    /// Where.
    pub span: Span,
}

/// How many are chosen.
#[derive(Clone, PartialEq, Debug)]
pub enum ManyKind {
    /// `one`
    One,
    /// `any`: a subset, may be empty
    Any,
    /// `some`: a subset, not empty
    Some,
    /// `up to n`
    UpTo(Expr),
    /// `a..b`, `a..`
    Range(Expr, Option<Expr>),
    /// `n`
    Exactly(Expr),
}

/// A type as written.
#[derive(Clone, PartialEq, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where.
    pub span: Span,
}

/// The forms of types.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    /// A kind, an enum or a word such as `int`.
    Named(Name),
    /// `a..b`, `a..`
    Range(Expr, Option<Expr>),
    /// `set of T`
    Set(Box<Type>),
    /// `list of T`
    List(Box<Type>),
    /// `bag of T`
    Bag(Box<Type>),
    /// `filter of T`
    Filter(Box<Type>),
    /// `face of T`
    Face(Box<Type>),
    /// `T?`: may be none
    Maybe(Box<Type>),
    /// `T or U`; two or more
    Or(Vec<Type>),
}

/// `value n[(params)]: type [= e]`, also a heuristic.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters, if brackets are there.
    pub params: Option<Vec<Param>>,
    /// Its type.
    pub ty: Type,
    /// What it is; none: a slot.
    pub body: Option<Expr>,
    /// Where.
    pub span: Span,
}

/// `hook n(params): type from "file"`
#[derive(Clone, PartialEq, Debug)]
pub struct HookDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its type.
    pub ty: Type,
    /// The script's name.
    pub from: Text,
}

/// `rule n(params)[: type] [by p] [pays K] [{ … }]`
#[derive(Clone, PartialEq, Debug)]
pub struct RuleDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// What it gives.
    pub ty: Option<Type>,
    /// Whose doing it is: a parameter's name.
    pub by: Option<Name>,
    /// Bags of this kind are paid through it.
    pub pays: Option<Name>,
    /// What it does; none: a slot.
    pub body: Option<Block>,
    /// Where.
    pub span: Span,
}

/// `phase n(params)[: type] ["T"] { … }`
#[derive(Clone, PartialEq, Debug)]
pub struct PhaseDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// What it gives.
    pub ty: Option<Type>,
    /// Its title.
    pub title: Option<Text>,
    /// What it does.
    pub body: Block,
}

/// `round [once | n times | until C] { … }`
#[derive(Clone, PartialEq, Debug)]
pub struct RoundDecl {
    /// How often.
    pub how: RoundHow,
    /// What a round does.
    pub body: Block,
}

/// How often there are rounds.
#[derive(Clone, PartialEq, Debug)]
pub enum RoundHow {
    /// Until the game ends.
    Always,
    /// `once`
    Once,
    /// `n times`
    Times(Expr),
    /// `until C`
    Until(Expr),
}

/// `score n(params) { line "T": e }`, also a ranking.
#[derive(Clone, PartialEq, Debug)]
pub struct LinesDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its lines.
    pub lines: Vec<Line>,
}

/// One line of a score or a ranking.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Text,
    /// What it counts.
    pub value: Expr,
    /// Where.
    pub span: Span,
}

/// `action n(params) in menu, menu [cost B] [once [per s]] [when C] [{ … }]`
#[derive(Clone, PartialEq, Debug)]
pub struct ActionDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// What people read: its parameters stand in the holes.
    pub title: Option<Text>,
    /// Where it is offered.
    pub menus: Vec<Name>,
    /// In order of the text.
    pub clauses: Vec<ActionClause>,
    /// What it does.
    pub body: Option<Block>,
    /// Where.
    pub span: Span,
}

/// What is said in an action's head.
#[derive(Clone, PartialEq, Debug)]
pub enum ActionClause {
    /// `cost B [from purse]`
    Cost(Cost),
    /// `once [per scope]`
    Once(Once),
    /// `when C`
    When(Expr),
}

/// What is paid: `2 wood + 1 pelt from my.goods`
#[derive(Clone, PartialEq, Debug)]
pub struct Cost {
    /// How much of what.
    pub what: Expr,
    /// From which bag.
    pub from: Option<Expr>,
}

/// `once [per scope]`
#[derive(Clone, PartialEq, Debug)]
pub struct Once {
    /// The scope, if said.
    pub per: Option<Name>,
    /// Where.
    pub span: Span,
}

/// `menu n[(params)] [{ entries }]`
#[derive(Clone, PartialEq, Debug)]
pub struct MenuDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters, if brackets are there.
    pub params: Option<Vec<Param>>,
    /// What people read.
    pub title: Option<Text>,
    /// Its entries.
    pub parts: Vec<MenuPart>,
}

/// One entry of a menu.
#[derive(Clone, PartialEq, Debug)]
pub struct MenuPart {
    /// What `##` lines above it say.
    pub doc: Option<Doc>,
    /// What it is.
    pub kind: MenuPartKind,
    /// Without the doc.
    pub span: Span,
}

/// The entries of menus.
#[derive(Clone, PartialEq, Debug)]
pub enum MenuPartKind {
    /// `done ["T"] [when C] [else "…"]`
    Done(Way),
    /// `pass ["T"] [when C] [else "…"]`
    Pass(Way),
    /// `open when C [else "…"]`
    Open {
        /// When it may be offered at all.
        when: Expr,
        /// Why not.
        reason: Option<Text>,
    },
    /// `cost B`
    Cost(Cost),
    /// `clock e seconds or f choices`
    Clock(Vec<(Expr, ClockUnit)>),
    /// `no dead ends else "…"`
    NoDeadEnds(Option<Text>),
    /// `must …`
    Must(Must),
    /// `win p when C "T"`
    Ending(Ending),
    /// `has …`
    Has(Has),
    /// `needs C else "…"`
    Needs(Needs),
    /// What could not be read; reported by the parser.
    Bad,
}

/// What a clock counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockUnit {
    /// `seconds`, where somebody measures time.
    Seconds,
    /// `choices`.
    Choices,
}

/// How a menu is left: done or pass.
#[derive(Clone, PartialEq, Debug)]
pub struct Way {
    /// Its title.
    pub title: Option<Text>,
    /// When it may be taken.
    pub when: Option<Expr>,
    /// Why not.
    pub reason: Option<Text>,
}

/// `must …`
#[derive(Clone, PartialEq, Debug)]
pub enum Must {
    /// `must leave C else "…"`
    Leave(Needs),
    /// `must minimise V, then W else "…"`
    Minimise(Vec<Expr>, Option<Text>),
    /// `must maximise V, then W else "…"`
    Maximise(Vec<Expr>, Option<Text>),
}

/// An attachment.
#[derive(Clone, PartialEq, Debug)]
pub struct Attach {
    /// What it does.
    pub kind: AttachKind,
    /// To what.
    pub heads: Vec<Head>,
    /// Only where.
    pub limits: Vec<Limit>,
    /// Where.
    pub span: Span,
}

/// What an attachment does.
#[derive(Clone, PartialEq, Debug)]
pub enum AttachKind {
    /// `modify V = e`, `+= e`, `-= e`, `at most e`, `at least e`
    Modify(ModifyHow, Expr),
    /// `before`, `after`, `instead of`
    Around {
        /// Which.
        when: Around,
        /// Asked first.
        may: Option<May>,
        /// What it does.
        body: Block,
    },
    /// `forbid R [else "…"]`
    Forbid(Option<Text>),
}

/// How a value is changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModifyHow {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Sub,
    /// `at most`
    AtMost,
    /// `at least`
    AtLeast,
}

/// Where an attachment stands round a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Around {
    /// `before`
    Before,
    /// `after`
    After,
    /// `instead of`
    Instead,
}

/// `word.word(pats)`
#[derive(Clone, PartialEq, Debug)]
pub struct Head {
    /// `menu.cost` has two; at least one.
    pub path: Vec<Name>,
    /// Patterns, if brackets are there; `any` is `ExprKind::Any`.
    pub pats: Option<Vec<Expr>>,
    /// Where.
    pub span: Span,
}

/// A limit of an attachment.
#[derive(Clone, PartialEq, Debug)]
pub enum Limit {
    /// `by e`
    By(Expr),
    /// `during phase, phase`
    During(Vec<Name>),
    /// `when C`
    When(Expr),
    /// `once [per scope]`
    Once(Once),
}

/// `may [by p] ["T"]`
#[derive(Clone, PartialEq, Debug)]
pub struct May {
    /// Who is asked.
    pub by: Option<Expr>,
    /// What is asked.
    pub prompt: Option<Text>,
    /// Where.
    pub span: Span,
}
