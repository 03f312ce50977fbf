//! Statements.
use super::*;

/// Statements in order.
pub type Block = Vec<Stmt>;

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: StmtKind,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A name.
    Let(LocalId, Expr),
    /// A change of a name, attribute or slot-less place.
    Assign(Lhs, Change, Expr),
    /// One or the other.
    If(Expr, Block, Block),
    /// For each, in the set's order.
    For(LocalId, Expr, Block),
    /// So many times.
    Repeat(Expr, Block),
    /// Until it holds; judged before each time.
    RepeatUntil(Expr, Block),
    /// Ends the rule that cannot go on.
    Needs(Guard),
    /// `must leave` in a rule.
    MustLeave(Guard),
    /// Several act.
    Everyone(Box<Everyone>),
    /// Menus on offer to somebody.
    Offer(Expr, Vec<(MenuId, Vec<Expr>)>),
    /// Another acts: the local is `me` inside.
    As(LocalId, Expr, Block),
    /// Yes or no; the local is `me` inside.
    May(Box<May>),
    /// A thing, set or list goes to a place.
    Move(Box<Move>),
    /// Two places, or two sets of things, change places.
    Swap(Expr, Expr),
    /// To where its kind discards.
    Discard(Expr),
    /// Zones.
    Shuffle(Vec<Expr>),
    /// Dice.
    Roll(Expr),
    /// Up, down or over (none).
    Flip(Expr, Option<bool>),
    /// Shown to some (everybody where none).
    Show(Expr, Option<Expr>),
    /// A component takes another face.
    Becomes(Expr, Expr),
    /// A map is built from its picture.
    Build(MapId),
    /// `until …`: a layer.
    Until(Until, Block),
    /// An attachment put in force for as long as the layer lasts (only in [`StmtKind::Until`]).
    Attach(Box<Attachment>),
    /// The rule's value and end.
    Give(Expr),
    /// The rule's end.
    Stop,
    /// Goes on with what is replaced; changed arguments by parameter number.
    Proceed(Vec<(usize, Expr)>),
    /// Into the log.
    Say(Text),
    /// The game's end for some (or all).
    Verdict(Verdict, Option<Expr>, Option<Text>),
    /// A rule or phase runs. Who acts: `None` is who acts now.
    Call(RuleId, Option<Expr>, Vec<Expr>),
    /// The effect of a hook: a list of rule calls.
    CallHook(HookId, Vec<Expr>),
}

/// What can be assigned.
#[derive(Clone, Debug)]
pub enum Lhs {
    /// A `let`.
    Local(LocalId),
    /// An attribute of a thing; of none: nothing happens.
    Attr(Expr, AttrId),
    /// An attribute of the table, a phase, a menu.
    TableAttr(AttrId),
    /// A die's value (its side is turned to the first with that value).
    DieValue(Expr),
}

/// `everyone`.
#[derive(Clone, Debug)]
pub struct Everyone {
    /// Who: a set or list of players.
    pub who: Expr,
    /// From whom on.
    pub from: Option<Expr>,
    /// How.
    pub mode: Mode,
    /// Until when: judged before each player's turn.
    pub until: Option<Expr>,
    /// `until all pass`.
    pub until_all_pass: bool,
    /// The local that is `me` inside.
    pub me: LocalId,
    /// What each does.
    pub body: Block,
}

/// How everyone acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// One after the other; each is a turn.
    InTurn,
    /// One after the other, in an order chosen on the way.
    AnyOrder,
    /// In lockstep.
    AtOnce,
    /// As they come.
    Freely,
}

/// `may`.
#[derive(Clone, Debug)]
pub struct May {
    /// Who is asked; who acts where none.
    pub by: Option<Expr>,
    /// What.
    pub prompt: Option<Text>,
    /// `me` inside.
    pub me: LocalId,
    /// What is done on yes.
    pub body: Block,
}

/// `move`.
#[derive(Clone, Debug)]
pub struct Move {
    /// A thing, maybe none, a set or a list.
    pub what: Expr,
    /// To where: a [`ExprKind::PlaceOf`], a space, the box ([`ExprKind::Box`]), or a conditional of those; type [`Ty::Place`] or a space; none: nothing happens.
    pub to: Expr,
    /// To the bottom.
    pub under: bool,
    /// `face up`, `face down`.
    pub face: Option<bool>,
}

/// How long a layer lasts.
#[derive(Clone, Debug)]
pub enum Until {
    /// `end of turn`.
    EndOfTurn,
    /// `end of round`.
    EndOfRound,
    /// `end of next round` …
    EndOfNextRound,
    /// `end of phase`: the innermost one now.
    EndOfPhase,
    /// `end of <phase>`.
    EndOf(RuleId),
    /// `end of game`.
    EndOfGame,
    /// `start of my turn`: of that player.
    StartOfTurn(Expr),
}
