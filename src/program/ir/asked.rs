//! What can be asked: menus, actions with their guards, questions; what layers bring.
use super::*;

/// A menu.
#[derive(Clone, Debug)]
pub struct MenuSlot {
    /// Its name.
    pub name: Arc<str>,
    /// Words of its parameters.
    pub params: u8,
    /// Actions in order.
    pub actions: Vec<ActionIx>,
    /// Guard of its being open: function of (me, parameters), with why not.
    pub open: Option<(FuncId, TemplateIx)>,
    /// `done`: whether it is there; when (function of me, parameters), why not, title.
    pub done: Option<EndSlot>,
    /// `pass`.
    pub pass: Option<EndSlot>,
    /// What its lines must come to.
    pub lines: Option<LinesSlot>,
    /// The declaration.
    pub decl: DeclIx,
}

/// What lines of a menu must come to: actions one after the other, as long as it is offered again. An action stands only if a line that begins with it ends as well as any.
#[derive(Clone, Debug)]
pub struct LinesSlot {
    /// Whether the menu is offered again behind an action.
    pub again: bool,
    /// `no dead ends`: a line is worth nothing that ends where the menu cannot be left; why not.
    pub alive: Option<(Span, TemplateIx)>,
    /// Numbers where a line ends, the first before the second: pure functions of (me, menu's parameters).
    pub values: Vec<FuncId>,
    /// Whether little is good.
    pub least: bool,
    /// The best that these numbers can be by their types, if all have a bound there.
    pub ideal: Option<Vec<i32>>,
    /// Why not, and where it stands.
    pub reason: TemplateIx,
    /// Where the values stand.
    pub span: Span,
}

/// `done` or `pass`.
#[derive(Clone, Debug)]
pub struct EndSlot {
    /// When it may be taken.
    pub when: EndWhen,
    /// Why not.
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
    /// Two of them: what holds while an action is on offer, and what holds while none is.
    ByAction(FuncId, FuncId),
}

/// What an [`Ins::AskMenu`] offers.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Menus, each with the register of its first parameter.
    pub menus: Vec<(MenuIx, R)>,
    /// Whether a menu without an action is passed over ([`OFFER_NONE`]), unless it may be passed. If not, the player is asked for `done` or, where that may not be taken, for `pass`.
    pub silent: bool,
    /// The clocks of its menus, if there are any.
    pub clock: Option<ClockSlot>,
    /// Where it stands.
    pub span: Span,
    /// In which declaration.
    pub decl: DeclIx,
}

/// How long a player may stay at what is offered to him, from the first question until it is left.
#[derive(Clone, Debug)]
pub struct ClockSlot {
    /// The register that counts the actions that have been taken meanwhile.
    pub spent: R,
    /// Seconds, if somebody measures time: number of the menu in the offer, and a pure function of (me, menu's parameters) to a number or none. The least counts.
    pub seconds: Vec<(u8, FuncId)>,
}

/// An action.
#[derive(Clone, Debug)]
pub struct ActionSlot {
    /// Its name.
    pub name: Arc<str>,
    /// For people.
    pub title: Arc<str>,
    /// Parameters, the menu's first.
    pub params: Vec<ParamSlot>,
    /// Pure: (me, menu's parameters) → [`Ins::Options`] / [`Ins::Option`].
    pub enumerator: FuncId,
    /// If something must be left: the same without trying anything.
    pub loose: Option<FuncId>,
    /// And whether what such an option leaves is as it must be: a function of (me, all parameters).
    pub tries: Option<FuncId>,
    /// Plain guards in source order over (me, all parameters): what `why_not` runs. Membership of each parameter in its domain is among them.
    pub guards: Vec<GuardSlot>,
    /// What it does: (me, all parameters).
    pub effect: FuncId,
    /// The declaration.
    pub decl: DeclIx,
}

/// A plain guard.
#[derive(Clone, Debug)]
pub struct GuardSlot {
    /// Pure: (me, parameters up to and including `upto`) to a truth value.
    pub func: FuncId,
    /// How many parameters it takes.
    pub upto: u8,
    /// Whether it tries the effect: only judged where all other guards hold.
    pub tried: bool,
    /// Whether it may read what lies hidden, of parameters that cannot be picked: only judged where those before it hold.
    pub wary: bool,
    /// Why not; with functions of the same arguments.
    pub reason: TemplateIx,
    /// Where it stands.
    pub span: Span,
}

/// A parameter of an action.
#[derive(Clone, Debug)]
pub struct ParamSlot {
    /// Its name.
    pub name: Arc<str>,
    /// What it is.
    pub domain: Domain,
    /// Whether the rules write it down where not everybody may read: the log tells it to the acting player alone.
    pub sealed: bool,
    /// Whether the rules do something with what is picked (move it, show it, change it): what all see of that tells which it was.
    pub used: bool,
}

/// What can be picked.
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
    /// Words that a chosen value takes.
    pub fn words(self, p: &Program) -> u8 {
        match self {
            Domain::Thing(_) | Domain::Number => 1,
            Domain::Subset(u) => p.universes.get(u.index()).map_or(1, |u| u.w),
        }
    }
}

/// What an [`Ins::Ask`] asks.
#[derive(Clone, Debug)]
pub struct AskSlot {
    /// The universe of the set at `s`.
    pub universe: UniverseId,
    /// One thing, or a subset.
    pub one: bool,
    /// Registers of the least and greatest size of a subset.
    pub min: R,
    /// See above.
    pub max: R,
    /// Whether `s` is a list (asked as a set, in the list's order).
    pub list: bool,
    /// What is asked; holes are registers.
    pub prompt: TemplateIx,
    /// Asked even when there is just one answer: silence would tell.
    pub always: bool,
    /// Asked even when there is nothing to choose, with *none* as the only answer: that there is nothing is itself a secret.
    pub even_none: bool,
    /// Whether `who` is a set of players who must agree (a set register), else one player.
    pub several: bool,
    /// Whether it is one question for all: the set at `s` is of players, as is `who`, and any seat that answers for one of them answers, for the table.
    pub anybody: bool,
    /// Yes or no.
    pub truth: bool,
    /// Whether the rules write the answer down where not everybody may read: the log tells it to those who answer alone.
    pub sealed: bool,
    /// Whether the rules do something with the answer (move it, show it, change it): what all see of that tells which it was.
    pub used: bool,
    /// One of the sets of spaces that a walk over that map can pass: at `s` stand from, to, most steps (or none), the spaces that it may go through, those that are of interest.
    pub ways: Option<u8>,
    /// Where it stands.
    pub span: Span,
    /// In which declaration.
    pub decl: DeclIx,
}

/// Positions that are kept whenever a menu that asks for them is put before somebody.
#[derive(Clone, Debug, Default)]
pub struct HistorySlot {
    /// What stands on that map; `None`: the whole position.
    pub of: Option<MapIx>,
    /// Whether whose turn it is belongs to it.
    pub whole: bool,
    /// Attributes that belong to it: of spaces, players, the table.
    pub attrs: Vec<AttrIx>,
    /// Kinds of components that belong to it, by index in [`Program::comps`], where they lie open.
    pub comps: Vec<u16>,
}

impl HistorySlot {
    /// Whether what lies in a zone belongs to it.
    pub fn takes(&self, p: &Program, zone: &ZoneSlot) -> bool {
        match self.of.and_then(|m| p.maps.get(m.index())) {
            Some(m) => zone.of == Some(m.spaces),
            None => self.of.is_none(),
        }
    }

    /// Words of a value of a set attribute.
    pub fn set_words(&self, p: &Program, a: &AttrSlot) -> usize {
        match a.show {
            Show::Set(u) => p.universes.get(u.index()).map_or(1, |u| u.w.max(1) as usize),
            _ => 1,
        }
    }
}

/// An attachment that a layer can bring into force.
#[derive(Clone, Debug)]
pub struct Leased {
    /// For the log.
    pub decl: DeclIx,
    /// Words captured.
    pub words: u8,
    /// Which of them are single components, and of which universe.
    pub things: Vec<(u8, UniverseId)>,
}

/// A phase.
#[derive(Clone, Debug)]
pub struct PhaseSlot {
    /// Its name.
    pub name: Arc<str>,
    /// For people.
    pub title: Arc<str>,
    /// The declaration.
    pub decl: DeclIx,
}
