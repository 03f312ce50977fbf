//! Tables of what players are asked: menus, actions with their guards, offers, questions, histories; and attachments of layers.
use super::*;

/// A menu.
#[derive(Clone, Debug)]
pub struct MenuSlot {
    /// Its name.
    pub name: Arc<str>,
    /// Its title.
    pub title: Arc<str>,
    /// Words of its parameters.
    pub params: u8,
    /// Actions in order.
    pub actions: Vec<ActionIx>,
    /// Whether the menu is open: a function of (me, parameters), and the reason if not.
    pub open: Option<(FuncId, TemplateIx)>,
    /// `done`: when it may be taken (function of me, parameters), the reason if not, its title.
    pub done: Option<EndSlot>,
    /// `pass`.
    pub pass: Option<EndSlot>,
    /// Conditions on its lines.
    pub lines: Option<LinesSlot>,
    /// The declaration.
    pub decl: DeclIx,
}

/// Conditions on the lines of a menu: actions one after another, as long as the menu is offered again. An action stands only if a line that begins with it ends as well as any.
#[derive(Clone, Debug)]
pub struct LinesSlot {
    /// Whether the menu is offered again after an action.
    pub again: bool,
    /// `no dead ends`: a line that ends where the menu cannot be left is worth nothing; the place and the reason.
    pub alive: Option<(Span, TemplateIx)>,
    /// Values of a line at its end, the first more important than the second: pure functions of (me, menu's parameters).
    pub values: Vec<FuncId>,
    /// Whether less is better.
    pub least: bool,
    /// The best possible values by their types, if all are bounded.
    pub ideal: Option<Vec<i32>>,
    /// The reason why an action does not stand.
    pub reason: TemplateIx,
    /// Place of the values in the text.
    pub span: Span,
}

/// `done` or `pass`.
#[derive(Clone, Debug)]
pub struct EndSlot {
    /// When it may be taken.
    pub when: EndWhen,
    /// The reason if it may not.
    pub reason: TemplateIx,
    /// Its title.
    pub title: TemplateIx,
}

/// When `done` or `pass` may be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndWhen {
    /// Always.
    Always,
    /// When no action is on offer.
    NoAction,
    /// Pure function of (me, menu's parameters).
    Func(FuncId),
    /// Two of them: the condition while an action is on offer, and the condition while none is.
    ByAction(FuncId, FuncId),
}

/// The menus that an [`Ins::AskMenu`] offers.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Menus, each with the register of its first parameter.
    pub menus: Vec<(MenuIx, R)>,
    /// Whether a menu without an action is skipped ([`OFFER_NONE`]), unless it may be passed. If not, the player is asked for `done` or, where that may not be taken, for `pass`.
    pub silent: bool,
    /// The clocks of its menus, if there are any.
    pub clock: Option<ClockSlot>,
    /// Place in the text.
    pub span: Span,
    /// The declaration that contains it.
    pub decl: DeclIx,
}

/// The limit of a player's stay at an offer, from the first question until it is left.
#[derive(Clone, Debug)]
pub struct ClockSlot {
    /// The register that counts the actions taken meanwhile.
    pub spent: R,
    /// Seconds, if time is measured: the number of the menu in the offer, and a pure function of (me, menu's parameters) to a number or none. The least one counts.
    pub seconds: Vec<(u8, FuncId)>,
}

/// An action.
#[derive(Clone, Debug)]
pub struct ActionSlot {
    /// Its name.
    pub name: Arc<str>,
    /// Its title, without parameters.
    pub title: Arc<str>,
    /// The title with all parameters.
    pub said: Vec<TitlePart>,
    /// Parameters, the menu's first.
    pub params: Vec<ParamSlot>,
    /// A pure function: (me, menu's parameters) → [`Ins::Options`] / [`Ins::Option`].
    pub enumerator: FuncId,
    /// For `must leave`: the enumerator without it.
    pub loose: Option<FuncId>,
    /// For `must leave`: whether an option meets it, a function of (me, all parameters).
    pub tries: Option<FuncId>,
    /// If the last parameter is a subset that guards read: whether all of these hold, a function of (me, all parameters).
    pub each: Option<FuncId>,
    /// Plain guards in source order over (me, all parameters), for `why_not`. Membership of each parameter in its domain is among them.
    pub guards: Vec<GuardSlot>,
    /// What it costs, in parts.
    pub costs: Vec<CostSlot>,
    /// The effect: a function of (me, all parameters).
    pub effect: FuncId,
    /// The declaration.
    pub decl: DeclIx,
}

/// A part of what an action costs.
#[derive(Clone, Debug)]
pub struct CostSlot {
    /// How much: a text over (me, all parameters).
    pub due: TemplateIx,
    /// How much there is to pay from: such a text; empty where a rule pays.
    pub have: TemplateIx,
    /// Of what.
    pub word: Arc<str>,
}

/// A plain guard.
#[derive(Clone, Debug)]
pub struct GuardSlot {
    /// A pure function: (me, parameters up to and including `upto`) to a truth value.
    pub func: FuncId,
    /// Number of parameters that it takes.
    pub upto: u8,
    /// Whether it executes the effect on trial: it is evaluated only if all other guards hold.
    pub tried: bool,
    /// Whether it may read hidden things of parameters that cannot be picked: it is evaluated only if those before it hold.
    pub wary: bool,
    /// The reason if it fails; its holes are functions of the same arguments.
    pub reason: TemplateIx,
    /// Place in the text.
    pub span: Span,
}

/// A parameter of an action.
#[derive(Clone, Debug)]
pub struct ParamSlot {
    /// Its name.
    pub name: Arc<str>,
    /// Its domain.
    pub domain: Domain,
    /// Whether the rules record it where not everybody may read: the log shows it only to the acting player.
    pub sealed: bool,
    /// Whether the rules use the picked thing (move it, show it, change it): its effect, which all see, then tells which it was.
    pub used: bool,
}

/// The domain of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// One thing of a universe.
    Thing(UniverseId),
    /// A number (two registers: least, greatest).
    Number,
    /// A subset of a universe: least, greatest size and the set stand in registers.
    Subset(UniverseId),
}

impl Domain {
    /// Words of a picked value.
    pub fn words(self, p: &Program) -> u8 {
        match self {
            Domain::Thing(_) | Domain::Number => 1,
            Domain::Subset(u) => p.universes.get(u.index()).map_or(1, |u| u.w),
        }
    }
}

/// The question of an [`Ins::Ask`].
#[derive(Clone, Debug)]
pub struct AskSlot {
    /// The universe of the set at `s`.
    pub universe: UniverseId,
    /// Whether one thing is chosen; if not, a subset.
    pub one: bool,
    /// Register of the least size of a subset.
    pub min: R,
    /// Register of the greatest size of a subset.
    pub max: R,
    /// The text of the question; its holes are registers.
    pub prompt: TemplateIx,
    /// Whether it is asked even if there is only one answer: skipping it would reveal something.
    pub always: bool,
    /// Whether it is asked even if there is nothing to choose, with *none* as the only answer: the lack of answers is a secret.
    pub even_none: bool,
    /// For a subset: registers of sets that tell apart what they do not both hold; none: all elements are told apart.
    pub alike: Option<Box<[R]>>,
    /// Whether `who` is a set of players who must agree, in a set register; else it is one player.
    pub several: bool,
    /// Whether it is one question for all: the set at `s` and `who` are sets of players, and any seat that answers for one of them answers, for the table.
    pub anybody: bool,
    /// Whether the answer is yes or no.
    pub truth: bool,
    /// Whether the rules record the answer where not everybody may read: the log shows it only to those who answer.
    pub sealed: bool,
    /// Whether the rules use the answer (move it, show it, change it): its effect, which all see, then tells which it was.
    pub used: bool,
    /// For a path over that map: the answers are the sets of spaces that a walk can pass. From `s` on: start, end, most steps (or none), spaces that it may go through, spaces of interest, and `costs` sets.
    pub ways: Option<u8>,
    /// For a path: how many sets say which spaces cost 1, 2, 3 … steps; without any, each costs 1.
    pub costs: u8,
    /// Place in the text.
    pub span: Span,
    /// The declaration that contains it.
    pub decl: DeclIx,
}

impl AskSlot {
    /// The question for one thing of a universe, asked of one player, without secrets.
    pub fn new(universe: UniverseId, prompt: TemplateIx, span: Span, decl: DeclIx) -> AskSlot {
        AskSlot {
            universe,
            one: true,
            min: 0,
            max: 0,
            prompt,
            always: false,
            even_none: false,
            alike: None,
            several: false,
            anybody: false,
            truth: false,
            sealed: false,
            used: true,
            ways: None,
            costs: 0,
            span,
            decl,
        }
    }
}

/// Positions that are recorded before each menu whose conditions read them.
#[derive(Clone, Debug, Default)]
pub struct HistorySlot {
    /// The map whose contents are the position; `None`: the whole position.
    pub of: Option<MapIx>,
    /// Whether the player whose turn it is belongs to it.
    pub whole: bool,
    /// Attributes that belong to it: of spaces, players, the table.
    pub attrs: Vec<AttrIx>,
    /// Kinds of components that belong to it where they lie open, by index in [`Program::comps`].
    pub comps: Vec<u16>,
}

impl HistorySlot {
    /// Whether the contents of a zone belong to it.
    pub fn takes(&self, p: &Program, zone: &ZoneSlot) -> bool {
        match self.of.and_then(|m| p.maps.get(m.index())) {
            Some(m) => zone.of == Some(m.spaces),
            None => self.of.is_none(),
        }
    }
}

/// An attachment that a layer can bring into force.
#[derive(Clone, Debug)]
pub struct Leased {
    /// Its declaration, for the log.
    pub decl: DeclIx,
    /// Number of captured words.
    pub words: u8,
    /// The captured words that are single components, with their universes.
    pub things: Vec<(u8, UniverseId)>,
}

/// A phase.
#[derive(Clone, Debug)]
pub struct PhaseSlot {
    /// Its name.
    pub name: Arc<str>,
    /// Its title.
    pub title: Arc<str>,
    /// The declaration.
    pub decl: DeclIx,
}
