//! The checked game: statements.
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

/// What checks, walks and analyses ask of a statement.
#[derive(Clone, Default, Debug)]
pub struct Does<'s> {
    /// The expressions directly inside it, in the order in which they are evaluated.
    pub exprs: Vec<&'s Expr>,
    /// The blocks directly inside it.
    pub blocks: Vec<&'s Block>,
    /// What it does something with: components that it moves, turns, shows, rolls or writes to.
    pub handles: Vec<&'s Expr>,
    /// Whether it moves those.
    pub moves: bool,
    /// What it turns, and whether that lies face up then; none: over.
    pub turns: Option<(&'s Expr, Option<bool>)>,
    /// What it goes through in its order.
    pub through: Option<&'s Expr>,
    /// Zones and places whose order it needs or makes.
    pub orders: Vec<&'s Expr>,
    /// Whether it asks a player, its expressions and blocks apart.
    pub asks: bool,
    /// Whether it draws by chance, its expressions and blocks apart.
    pub draws: bool,
    /// Whether it may make hidden things known, or lets a script do so.
    pub discloses: bool,
    /// The event that attachments may stand around.
    pub event: Option<EffectWord>,
    /// Whether it changes the state itself: what ends the game is judged behind it.
    pub changes: bool,
    /// Whether it may stand in a layer, which is taken back.
    pub undone: bool,
    /// Whether the rule may end with it.
    pub leaves: bool,
}

impl StmtKind {
    /// What it does: one arm for each statement, without a wildcard.
    pub fn does(&self) -> Does<'_> {
        use StmtKind::*;
        let none = Does::default;
        match self {
            Let(_, e) => Does { exprs: vec![e], undone: true, ..none() },
            Assign(lhs, _, e) => {
                let of = match lhs {
                    Lhs::Attr(b, _) | Lhs::DieValue(b) => Some(b),
                    Lhs::Local(_) | Lhs::TableAttr(_) => None,
                };
                let exprs = of.into_iter().chain([e]).collect();
                let handles = of.into_iter().collect();
                Does { exprs, handles, undone: !matches!(lhs, Lhs::DieValue(_)), changes: true, ..none() }
            }
            If(c, a, b) => Does { exprs: vec![c], blocks: vec![a, b], undone: true, ..none() },
            For(_, over, b) => {
                Does { exprs: vec![over], blocks: vec![b], through: Some(over), undone: true, ..none() }
            }
            Repeat(e, b) | RepeatUntil(e, b) | As(_, e, b) => {
                Does { exprs: vec![e], blocks: vec![b], ..none() }
            }
            Needs(g) => Does { exprs: guard(g), leaves: true, ..none() },
            MustLeave(g) => Does { exprs: guard(g), ..none() },
            Everyone(e) => {
                let exprs = std::iter::once(&e.who).chain(&e.from).chain(&e.until).collect();
                Does { exprs, blocks: vec![&e.body, &e.then], through: Some(&e.who), ..none() }
            }
            Offer(p, menus) => {
                let exprs = std::iter::once(p).chain(menus.iter().flat_map(|(_, a)| a)).collect();
                Does { exprs, asks: true, ..none() }
            }
            May(m) => {
                let exprs = m.by.iter().chain(m.prompt.iter().flat_map(Text::holes)).collect();
                Does { exprs, blocks: vec![&m.body], asks: true, ..none() }
            }
            Move(m) => Does {
                exprs: vec![&m.what, &m.to],
                handles: vec![&m.what],
                moves: true,
                turns: m.face.map(|up| (&m.what, Some(up))),
                through: Some(&m.what),
                orders: m.under.then_some(&m.to).into_iter().collect(),
                changes: true,
                undone: true,
                ..none()
            },
            Swap(a, b) => {
                Does { exprs: vec![a, b], handles: vec![a, b], moves: true, changes: true, ..none() }
            }
            Discard(x) => Does {
                exprs: vec![x],
                handles: vec![x],
                moves: true,
                through: Some(x),
                event: Some(EffectWord::Discard),
                changes: true,
                ..none()
            },
            Shuffle(zones) => Does {
                exprs: zones.iter().collect(),
                orders: zones.iter().collect(),
                draws: true,
                discloses: true,
                event: Some(EffectWord::Shuffle),
                changes: true,
                ..none()
            },
            Roll(x) => Does {
                exprs: vec![x],
                handles: vec![x],
                draws: true,
                discloses: true,
                event: Some(EffectWord::Roll),
                changes: true,
                ..none()
            },
            Flip(x, up) => Does {
                exprs: vec![x],
                handles: vec![x],
                turns: Some((x, *up)),
                discloses: true,
                changes: true,
                ..none()
            },
            Show(x, to) => Does {
                exprs: std::iter::once(x).chain(to).collect(),
                handles: vec![x],
                discloses: true,
                changes: true,
                ..none()
            },
            Becomes(x, face) => {
                Does { exprs: vec![x, face], handles: vec![x], discloses: true, changes: true, ..none() }
            }
            Until(until, b) => {
                let exprs = if let super::Until::StartOfTurn(p) = until { vec![p] } else { Vec::new() };
                Does { exprs, blocks: vec![b], discloses: true, changes: true, ..none() }
            }
            Attach(_) => Does { undone: true, ..none() },
            Build(_) => none(),
            Give(e) => Does { exprs: vec![e], leaves: true, ..none() },
            Stop => Does { leaves: true, ..none() },
            Proceed(args) => Does { exprs: args.iter().map(|(_, e)| e).collect(), ..none() },
            Say(t) => Does { exprs: t.holes(), ..none() },
            Verdict(_, who, t) => {
                let exprs = who.iter().chain(t.iter().flat_map(Text::holes)).collect();
                Does { exprs, leaves: true, ..none() }
            }
            Call(_, by, args) => Does { exprs: by.iter().chain(args).collect(), ..none() },
            CallHook(_, args) => Does { exprs: args.iter().collect(), discloses: true, ..none() },
        }
    }
}

fn guard(g: &Guard) -> Vec<&Expr> {
    std::iter::once(&g.cond).chain(g.reason.iter().flat_map(Text::holes)).collect()
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
    pub passing: Option<Passing>,
    /// The local that is `me` inside.
    pub me: LocalId,
    /// What each does.
    pub body: Block,
    /// What follows for each, also where `stop` or `needs` has ended the part early: the end of a turn.
    pub then: Block,
}

/// When those who act one after the other have passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    /// All, with nobody who acted in between.
    All,
    /// All but one: who has passed is asked no more.
    AllButOne,
}

/// How everyone acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// One after the other; each is a turn.
    InTurn,
    /// One after the other, without turns.
    OneByOne,
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
