//! The checked game: values, rules, menus, actions and attachments.
use super::*;

/// What names stand for inside one body, and the body.
#[derive(Clone, Debug)]
pub struct Body<T> {
    /// Every local: parameters first.
    pub locals: Vec<Local>,
    /// How many of them are parameters, in order.
    pub params: usize,
    /// What is done or worked out.
    pub body: T,
}

/// A bound name.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name, for people and dumps; `it`, `this`, `owner`, `me` are locals too.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Ty,
    /// Where it is bound.
    pub span: Span,
}

/// A value: looks, never acts. Its body never has `me`.
#[derive(Clone, Debug)]
pub struct Value {
    /// Its name.
    pub name: Arc<str>,
    /// Declared in a kind: the first parameter is the component or space (`this`).
    pub of: Option<KindId>,
    /// Parameters (locals 0..), then the expression; none is a slot that members fill.
    pub body: Body<Option<Expr>>,
    /// Its type.
    pub ty: Ty,
    /// What kind of value it is.
    pub role: ValueRole,
    /// Where it is declared.
    pub span: Span,
    /// Its `##` text.
    pub doc: Option<Arc<str>>,
    /// When it is in force.
    pub scope: ScopeId,
}

/// Where a value comes from.
#[derive(Clone, Debug)]
pub enum ValueRole {
    /// `value`.
    Plain,
    /// `heuristic`: bots add them up.
    Heuristic,
    /// One line of a `score` or `ranking`; `total.line(p)`.
    Line(Arc<str>, Text),
    /// The sum of a score's lines.
    Score(Vec<ValueId>),
    /// A ranking: its lines, the first that differs decides.
    Ranking(Vec<ValueId>),
    /// `team(p)`, the first value of every model: there without a body, so that rules may modify it.
    Team,
    /// The spaces of a growing map that are in play: written by the checker. The rules cannot name it.
    InPlay,
    /// `out when C`, `order by p`: no rule can name it.
    Out,
    /// What a space of a map of patches shows, and what lies where: written by the checker.
    Patch,
}

/// A rule or phase.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name.
    pub name: Arc<str>,
    /// For people: a phase's text.
    pub title: Option<Arc<str>>,
    /// Declared in a kind: the first parameter is the component (`this`).
    pub of: Option<KindId>,
    /// Whether it is a phase.
    pub phase: bool,
    /// Parameters are locals 0.. ; `me` is the local [`Rule::me`]. No body: a slot that members fill.
    pub body: Body<Option<Block>>,
    /// The local that is `me`.
    pub me: LocalId,
    /// What it gives.
    pub gives: Ty,
    /// State that lives while it runs.
    pub has: Vec<AttrId>,
    /// The enum whose words are paid through it.
    pub pays: Option<KindId>,
    /// Where it is declared.
    pub span: Span,
    /// Its `##` text.
    pub doc: Option<Arc<str>>,
    /// When it is in force.
    pub scope: ScopeId,
}

/// A menu.
#[derive(Clone, Debug)]
pub struct Menu {
    /// Its name.
    pub name: Arc<str>,
    /// For people: its title, or its name in separate words.
    pub title: Arc<str>,
    /// Parameters, first choices of its actions.
    pub params: Vec<Param>,
    /// Locals of all the parts: `me`, then parameters.
    pub locals: Vec<Local>,
    /// `done`: actions until it is taken.
    pub done: Option<Ending>,
    /// `pass`.
    pub pass: Option<Ending>,
    /// `open when`: with its reason.
    pub open: Option<(Expr, Option<Text>)>,
    /// Judged when it is offered, in order; `no action` is [`ExprKind::NoAction`].
    pub endings: Vec<MenuEnding>,
    /// Guards common to its actions.
    pub needs: Vec<Guard>,
    /// `must leave`: what must hold behind the effect of each of its actions.
    pub leaves: Vec<Guard>,
    /// `must minimise`, `must maximise`: what its lines are judged by.
    pub best: Option<Best>,
    /// `no dead ends`: where it stands, and why not.
    pub no_dead_ends: Option<(Span, Option<Text>)>,
    /// `clock`: how long one may stay.
    pub clock: Option<MenuClock>,
    /// Actions in the order declared (all scopes).
    pub actions: Vec<ActionId>,
    /// Where it is declared.
    pub span: Span,
    /// Its `##` text.
    pub doc: Option<Arc<str>>,
    /// When it is in force.
    pub scope: ScopeId,
}

/// `clock e seconds or f choices`: how long a player may stay at a menu, from when it is put before him until it is left. What is none is no limit.
#[derive(Clone, Debug)]
pub struct MenuClock {
    /// Seconds, where somebody measures time.
    pub seconds: Option<Expr>,
    /// Choices; where seconds are measured and given, too, these do not count.
    pub choices: Option<Expr>,
    /// Where.
    pub span: Span,
}

/// `must minimise V, then W`: an action stands only if some line of the menu that begins with it ends as well as any.
#[derive(Clone, Debug)]
pub struct Best {
    /// Whether little is good.
    pub least: bool,
    /// Numbers where a line ends, the first before the second.
    pub values: Vec<Expr>,
    /// Why not.
    pub reason: Option<Text>,
    /// Where.
    pub span: Span,
}

/// `done` or `pass` of a menu.
#[derive(Clone, Debug)]
pub struct Ending {
    /// Its text for people.
    pub title: Option<Text>,
    /// When it may be taken; `pass when no action` is [`ExprKind::NoAction`].
    pub when: Option<Expr>,
    /// Why not.
    pub reason: Option<Text>,
    /// Where.
    pub span: Span,
}

/// `win p when C "…"` in a menu, or at the top (`win when`); `ends when C "…"` in a menu.
#[derive(Clone, Debug)]
pub struct MenuEnding {
    /// What happens; none if scores decide, as when the rounds are over.
    pub verdict: Option<Verdict>,
    /// For whom; everybody where none is named.
    pub who: Option<Expr>,
    /// When.
    pub when: Expr,
    /// The text that is shown.
    pub text: Option<Text>,
    /// Where.
    pub span: Span,
}

/// How a game ends for somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Won.
    Win,
    /// Lost.
    Lose,
    /// Neither.
    Tie,
}

/// A parameter of an action or menu.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its local.
    pub local: LocalId,
    /// What can be picked: a set expression over `me` and earlier parameters (for `c: Cell` it is all cells).
    pub from: Expr,
    /// One thing, or a subset between bounds.
    pub many: Many,
    /// The `where` of the parameter with its variable (the local itself).
    pub filter: Option<Expr>,
    /// Where.
    pub span: Span,
}

/// How many are chosen.
#[derive(Clone, Debug)]
pub enum Many {
    /// One.
    One,
    /// A subset of at least and at most so many; no upper bound is all.
    Subset { min: Option<Expr>, max: Option<Expr> },
}

/// A `needs` at the head of an action, menu or rule.
#[derive(Clone, Debug)]
pub struct Guard {
    /// What must hold.
    pub cond: Expr,
    /// Why not.
    pub reason: Option<Text>,
    /// Where.
    pub span: Span,
}

/// A part of an action's title.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TitlePart {
    /// A text.
    Text(Arc<str>),
    /// The parameter of that number.
    Param(u8),
}

/// An action.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its name.
    pub name: Arc<str>,
    /// For people: what stands in its title before the first parameter, or its name.
    pub title: Arc<str>,
    /// The title with its parameters, by their numbers (the menu's first).
    pub said: Vec<TitlePart>,
    /// Whether the rules give the title.
    pub has_title: bool,
    /// Menus that hold it.
    pub menus: Vec<MenuId>,
    /// Declared in a kind or member: carried by the component `this` (while it lies in an active place); `owner` may take it.
    pub carrier: Option<Carrier>,
    /// Every local: `me` is 0, then the menu's parameters, then the action's, then the rest.
    pub locals: Vec<Local>,
    /// The local that is `me`.
    pub me: LocalId,
    /// Its parameters in order.
    pub params: Vec<Param>,
    /// Lets at the head that guards need, and the guards, in source order.
    pub head: Vec<HeadStep>,
    /// What it costs, in parts: the places in `head` of the guards that there is so much, each with what is paid. The reason of such a guard begins `needs {n}`.
    pub costs: Vec<(usize, Arc<str>)>,
    /// `when C`.
    pub when: Option<Expr>,
    /// `once per scope`.
    pub once: Option<Once>,
    /// What it does after the head.
    pub body: Block,
    /// Where it is declared.
    pub span: Span,
    /// Its `##` text.
    pub doc: Option<Arc<str>>,
    /// When it is in force.
    pub scope: ScopeId,
}

/// A step of an action's head: no effect yet.
#[derive(Clone, Debug)]
pub enum HeadStep {
    /// `let x = e`.
    Let(LocalId, Expr),
    /// `needs`.
    Needs(Guard),
    /// `must leave`: tried on the effect.
    MustLeave(Guard),
}

/// `once`, `once per round` …
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Once {
    /// `turn`, `round`, a phase's name; none is the whole game.
    pub per: Option<Arc<str>>,
}

/// Whose an attachment or action is.
#[derive(Clone, Debug)]
pub enum Carrier {
    /// Components of a member's face.
    Member(MemberId),
    /// All components of a kind.
    Kind(KindId),
}

/// A modification, replacement, addition or prohibition.
#[derive(Clone, Debug)]
pub struct Attachment {
    /// Whose it is; none: the game's, a variant's, a scenario's, a mod's.
    pub carrier: Option<Carrier>,
    /// Every local: see the fields below for which is which.
    pub locals: Vec<Local>,
    /// The local that is `this`, where there is a carrier.
    pub this: Option<LocalId>,
    /// The local that is `owner`.
    pub owner: Option<LocalId>,
    /// In a layer of a rule: names below this number are the rule's, with what they hold when the layer begins. Else 0.
    pub outer: u32,
    /// In a layer: the rule's local that is `me` in it: who made it.
    pub maker: Option<LocalId>,
    /// The local that is `me`: who acts in the rule attached to, or who was asked by `may by`.
    pub me: Option<LocalId>,
    /// How many locals stand before its block, `may` included.
    pub names: u32,
    /// What it is attached to, each with its patterns.
    pub heads: Vec<Head>,
    /// What it does.
    pub what: AttachKind,
    /// `by p`: who acts must be (in) that.
    pub by: Option<Expr>,
    /// `during phase, …`.
    pub during: Vec<RuleId>,
    /// `when C`.
    pub when: Option<Expr>,
    /// `once per …`.
    pub once: Option<Once>,
    /// `may by p "…"`: asked first.
    pub may: Option<(Option<Expr>, Option<Text>)>,
    /// Where.
    pub span: Span,
    /// When it is in force.
    pub scope: ScopeId,
}

/// One thing attached to.
#[derive(Clone, Debug)]
pub struct Head {
    /// The thing.
    pub target: Target,
    /// One for each of the target's parameters (for a rule of a kind the component comes first); missing ones are [`Pattern::Any`].
    pub patterns: Vec<Pattern>,
}

/// What can be attached to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// A value.
    Value(ValueId),
    /// A rule or phase.
    Rule(RuleId),
    /// An action.
    Action(ActionId),
    /// A menu: any action in it.
    Menu(MenuId),
    /// The set-up.
    Setup,
    /// An effect word on things of a kind: `discard(this)`.
    Effect(EffectWord),
}

/// Effect words that can be attached to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EffectWord {
    /// `discard x`.
    Discard,
    /// `roll d`.
    Roll,
    /// `shuffle z`.
    Shuffle,
}

/// A pattern for one argument.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Everything.
    Any,
    /// Binds the argument.
    Bind(LocalId),
    /// The argument, bound to the local, must pass the condition.
    Test(LocalId, Expr),
}

/// What an attachment does.
#[derive(Clone, Debug)]
pub enum AttachKind {
    /// Changes a value.
    Modify(Change, Expr),
    /// Before the rule.
    Before(Block),
    /// After it.
    After(Block),
    /// In its place.
    Instead(Block),
    /// It cannot happen.
    Forbid(Option<Text>),
}

/// How a value is changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// `=`; the value below is [`ExprKind::Usual`].
    Set,
    /// `+=`.
    Add,
    /// `-=`.
    Sub,
    /// `at least`.
    AtLeast,
    /// `at most`.
    AtMost,
}
