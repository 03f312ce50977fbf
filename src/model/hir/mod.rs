//! The checked game as plain data (high-level intermediate representation): every name is a number, every expression has a type. `program` and `reference` read it.
//!
//! One [`Model`] holds the game with **all** its scenarios, variants and mods; each declaration says in its [`Scope`] when it is in force.
//! Lowering picks those of one set-up. Nothing here is text any more except what people are shown; spans are carried for messages.
pub mod builtins;
mod exprs;
mod kinds;
mod rules;
mod stmts;
mod tests;

use crate::images::Image;
pub use builtins::{Builtin, BuiltinFacts};
pub use exprs::*;
use houserule_text::Span;
pub use kinds::*;
pub use rules::*;
use rustc_hash::FxHashMap as HashMap;
use std::sync::Arc;
pub use stmts::*;
pub use tests::*;

macro_rules! ids {
    ($($(#[$m:meta])* $name:ident),* $(,)?) => { $(
        $(#[$m])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);
        impl $name {
            /// As an index into the model's table.
            pub fn index(self) -> usize { self.0 as usize }
        }
    )* };
}
ids! {
    /// In [`Model::kinds`].
    KindId,
    /// In [`Model::members`]: one `K name { … }`.
    MemberId,
    /// In [`Model::attrs`].
    AttrId,
    /// In [`Model::zones`].
    ZoneId,
    /// In [`Model::maps`].
    MapId,
    /// In [`Model::values`].
    ValueId,
    /// In [`Model::rules`] (rules and phases).
    RuleId,
    /// In [`Model::menus`].
    MenuId,
    /// In [`Model::actions`].
    ActionId,
    /// In [`Model::options`].
    OptionId,
    /// In [`Model::hooks`].
    HookId,
    /// A name bound inside one body: parameter, `let`, loop or fold variable, `it`. In [`Body::locals`].
    LocalId,
    /// In [`Model::scopes`].
    ScopeId,
}

/// When a declaration is in force.
#[derive(Clone, Debug)]
pub struct Scope {
    /// What it is.
    pub kind: ScopeKind,
    /// The word that names it in options and saves (`teams`, `long_road`, a mod's title).
    pub name: Arc<str>,
    /// For people.
    pub title: Arc<str>,
    /// Where it is declared.
    pub span: Span,
    /// All of its declaration, with what stands in it.
    pub extent: Span,
    /// The scope in which it is declared ([`ScopeId`] 0, the game itself, for most).
    pub parent: Option<ScopeId>,
    /// What a scenario is built on: one of each list.
    pub with: Vec<Vec<ScopeId>>,
    /// Conditions on the set-up under which it may be on, with their reasons.
    pub needs: Vec<(Expr, Option<Text>)>,
    /// Values that it gives to options.
    pub options: Vec<(OptionId, Expr)>,
    /// Numbers of seats that a scenario allows, where it says so.
    pub seats: Option<(u32, u32)>,
    /// Numbers of players that a scenario allows, where it says so.
    pub players: Option<(u32, u32)>,
    /// Names that a mod removes: members, actions, attachments' carriers.
    pub removes: Vec<Removed>,
    /// Titles of mods without which a mod is not played.
    pub needs_mods: Vec<(Arc<str>, Span)>,
    /// Titles of tests and invariants that do not hold under a mod: `expects to break "T"`.
    pub breaks: Vec<(Arc<str>, Span)>,
}

/// Something that a mod takes out of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Removed {
    /// A member: no component of it is made.
    Member(MemberId),
    /// An action: it is offered nowhere.
    Action(ActionId),
    /// A variant or scenario.
    Scope(ScopeId),
}

/// What a [`Scope`] is. Scope 0 is always the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeKind {
    /// In force always.
    Game,
    /// On or off at set-up.
    Variant,
    /// One is chosen at set-up, or none.
    Scenario,
    /// Taken in by scenarios.
    Part,
    /// Loaded from outside.
    Mod,
}

/// What decides the game.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// `win`, `lose`, `tie` say so.
    Win,
    /// All win or all lose.
    Together,
    /// Each for themselves.
    Each,
    /// Most of a value of a player.
    Highest(ValueId),
    /// Least of a value.
    Lowest(ValueId),
    /// Most of a player's attribute.
    HighestAttr(AttrId),
    /// Least of it.
    LowestAttr(AttrId),
    /// A ranking.
    Ranking(ValueId),
}

/// A choice at set-up.
#[derive(Clone, Debug)]
pub struct GameOption {
    /// Its name.
    pub name: Arc<str>,
    /// For people.
    pub title: Arc<str>,
    /// Its type: bool, range, enum, face.
    pub ty: Ty,
    /// Its value if the set-up gives none.
    pub default: Option<Expr>,
    /// Where.
    pub span: Span,
    /// When it is in force.
    pub scope: ScopeId,
}

/// A rhai function.
#[derive(Clone, Debug)]
pub struct HookDecl {
    /// Its name, in the rules and in the script.
    pub name: Arc<str>,
    /// Parameters.
    pub params: Vec<Local>,
    /// What it gives.
    pub ty: Ty,
    /// The script's file name as written.
    pub file: Arc<str>,
    /// The script's text.
    pub script: Arc<str>,
    /// Where it is declared.
    pub span: Span,
    /// When it is in force.
    pub scope: ScopeId,
}

/// Something that holds between any two choices.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// For people.
    pub title: Arc<str>,
    /// What holds.
    pub cond: Body<Expr>,
    /// Where.
    pub span: Span,
    /// When it is in force.
    pub scope: ScopeId,
}

/// A row of `legacy`: what the end of a game hands to the next one.
#[derive(Clone, Debug)]
pub struct LegacyRow {
    /// What it hands on.
    pub kind: LegacyKind,
    /// Where.
    pub span: Span,
    /// When it is in force.
    pub scope: ScopeId,
}

/// The sorts of rows of `legacy`.
#[derive(Clone, Debug)]
pub enum LegacyKind {
    /// The value of an option.
    Option(OptionId, Expr),
    /// The scenario that is next; none ends the campaign.
    Next(Option<ScopeId>, NextWhen),
}

/// When a scenario is next.
#[derive(Clone, Debug)]
pub enum NextWhen {
    /// Whatever has happened.
    Always,
    /// If all players have won, lost or tied.
    Outcome(Verdict),
    /// If a condition holds at the end.
    Holds(Expr),
}

/// `numbered F001..F084`: rules of a checklist, each of which a test names at the beginning of its title.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbered {
    /// The letters before each number.
    pub letters: Arc<str>,
    /// How many digits a number has at least.
    pub digits: usize,
    /// The first number.
    pub first: u32,
    /// The last one.
    pub last: u32,
    /// Where.
    pub span: Span,
}

impl Numbered {
    /// Its numbers as they are written.
    pub fn names(&self) -> impl Iterator<Item = String> + '_ {
        (self.first..=self.last).map(|n| format!("{}{n:0width$}", self.letters, width = self.digits))
    }
}

/// A numbered rule that nothing can test, with the reason: `not played F045: "advice"`.
#[derive(Clone, Debug)]
pub struct NotPlayed {
    /// The number as it is written.
    pub number: Arc<str>,
    /// Why.
    pub reason: Arc<str>,
    /// Where.
    pub span: Span,
}

/// The whole checked game.
#[derive(Clone, Debug)]
pub struct Model {
    /// The game's word, as after `game`.
    pub name: Arc<str>,
    /// For people.
    pub title: Arc<str>,
    /// Its `##` text: what the players want to reach.
    pub doc: Option<Arc<str>>,
    /// The fewest and most players.
    pub players: (u32, u32),
    /// The fewest and most seats where `seats` says so.
    pub seats: Option<(u32, u32)>,
    /// `answered by` of the header: for each of the first so many named players the number, from 1, of its seat. A list that depends on how many seats there are.
    pub answered: Option<Expr>,
    /// What decides.
    pub outcome: Outcome,
    /// `score v "text"`.
    pub score: Option<(Expr, Option<Text>)>,
    /// `ends when`.
    pub ends: Vec<(Expr, Option<Text>)>,
    /// `begins on`: the scenario that is played unless another is named.
    pub begins_on: Option<ScopeId>,
    /// The edition of the rules: `version "1.2"`.
    pub version: Option<Arc<str>>,
    /// Scopes; 0 is the game.
    pub scopes: Vec<Scope>,
    /// See [`builtin_kinds`] for the first ones.
    pub kinds: Vec<Kind>,
    /// All members of all kinds.
    pub members: Vec<Member>,
    /// All attributes.
    pub attrs: Vec<Attr>,
    /// All zones.
    pub zones: Vec<Zone>,
    /// Zones in which things may lie face down.
    pub face_down: rustc_hash::FxHashSet<ZoneId>,
    /// All maps.
    pub maps: Vec<Map>,
    /// All values.
    pub values: Vec<Value>,
    /// All rules and phases.
    pub rules: Vec<Rule>,
    /// All menus.
    pub menus: Vec<Menu>,
    /// All actions.
    pub actions: Vec<Action>,
    /// Attachments in the order of declaration.
    pub attachments: Vec<Attachment>,
    /// Set-up blocks with their scope; `me` is none there.
    pub setups: Vec<(ScopeId, Body<Block>)>,
    /// The images that looks name, each once.
    pub images: Vec<Image>,
    /// The rounds; none: the game is its set-up.
    pub round: Option<Round>,
    /// `win when …` and the like, watched always.
    pub endings: Vec<(ScopeId, Body<MenuEnding>)>,
    /// Conditions on the set-up.
    pub needs: Vec<(Expr, Option<Text>)>,
    /// Options.
    pub options: Vec<GameOption>,
    /// Hooks.
    pub hooks: Vec<HookDecl>,
    /// The rows of `legacy`.
    pub legacy: Vec<LegacyRow>,
    /// Invariants.
    pub invariants: Vec<Invariant>,
    /// Checklists of numbered rules.
    pub numbered: Vec<Numbered>,
    /// Numbered rules that no test names, with reasons.
    pub not_played: Vec<NotPlayed>,
    /// Tests.
    pub tests: Vec<Test>,
    /// Reads that have a narrower type than what they read, by a guard in front of them: where the guard does not hold, they may give what their type excludes.
    pub narrowed: HashMap<Span, Narrowed>,
    /// `order by p`: who chooses the order in which things act after a rule.
    pub order: Option<ValueId>,
    /// With `order by`: rules after which things act, each with the rule that is called in its place.
    pub ordered: Vec<(RuleId, RuleId)>,
    /// The attribute of the table that says which phase is being left by `end PHASE`, by its number from 1.
    pub leaving: Option<AttrId>,
    /// The first attribute of the game's own: it and those behind it are noted by what the checker writes, and nobody sees them.
    pub own_attrs: Option<AttrId>,
    /// Spans of all files' declarations, for dumps and errors: what a span is in.
    pub fingerprint: u64,
}

/// What a guard in front of a read has made sure of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Narrowed {
    /// It is not none.
    pub some: bool,
    /// It is a component of a subkind.
    pub kind: bool,
    /// It is a number within narrower bounds.
    pub range: bool,
}

impl Model {
    /// The fewest and most seats of a set-up with that scenario; each seat has a player of its own unless the header says who answers for whom.
    pub fn seat_range(&self, scenario: Option<ScopeId>) -> (u32, u32) {
        let own = scenario.and_then(|s| self.scopes.get(s.index())).and_then(|s| s.seats.or(s.players));
        own.or(self.seats).unwrap_or(self.players)
    }

    /// How an attribute is called where it is shown: what a phase remembers, with the name of the phase.
    pub fn shown_name(&self, a: &Attr) -> Arc<str> {
        match a.has_of {
            Some(HasOf::Phase(r)) => {
                let phase = self.rules.get(r.index()).map_or("", |r| &*r.name);
                format!("{phase}.{}", a.name).into()
            }
            _ => a.name.clone(),
        }
    }

    /// The rule that is called where the rules say this one.
    pub fn called_for(&self, r: RuleId) -> RuleId {
        self.ordered.iter().find(|(x, _)| *x == r).map_or(r, |(_, called)| *called)
    }

    /// The rule that the rules say where this one is called.
    pub fn said_for(&self, called: RuleId) -> RuleId {
        self.ordered.iter().find(|(_, x)| *x == called).map_or(called, |(r, _)| *r)
    }

    /// Whether an attribute is the game's own.
    pub fn is_own(&self, a: AttrId) -> bool {
        self.own_attrs.is_some_and(|first| a >= first)
    }

    /// What members fill a rule of their kind with.
    pub fn fills_of(&self, r: RuleId) -> impl Iterator<Item = &Block> {
        let all = self.members.iter().flat_map(|m| &m.rule_fills);
        all.filter(move |(x, _)| *x == r).map(|(_, b)| &b.body)
    }

    /// How a zone is called where it is shown: a phase's own, with the name of the phase.
    pub fn shown_zone(&self, z: &Zone) -> Arc<str> {
        match z.has_of.and_then(|r| self.rules.get(r.index())) {
            Some(phase) => format!("{}.{}", phase.name, z.name).into(),
            None => z.name.clone(),
        }
    }

    /// The zones of a phase's own.
    pub fn zones_of_phase(&self, phase: RuleId) -> impl Iterator<Item = (ZoneId, &Zone)> {
        (0..).map(ZoneId).zip(&self.zones).filter(move |(_, z)| z.has_of == Some(phase))
    }

    /// Whether scenarios alone draw some map of the game: then it is not played without one.
    pub fn needs_scenario(&self) -> bool {
        let drawn = |p: &Picture| {
            let scope = self.scopes.get(p.scope.index());
            scope.is_some_and(|s| matches!(s.kind, ScopeKind::Scenario | ScopeKind::Part))
        };
        self.maps.iter().any(|x| x.size.is_none() && !x.pictures.is_empty() && x.pictures.iter().all(drawn))
    }

    /// The scenario that is played unless another is named: the one that the header says, else the first of the text if the game is not played without one.
    pub fn first_scenario(&self) -> Option<&Scope> {
        if let Some(id) = self.begins_on {
            return self.scopes.get(id.index());
        }
        self.scopes.iter().find(|s| s.kind == ScopeKind::Scenario).filter(|_| self.needs_scenario())
    }

    /// Where what a scope declares comes in the order of loading: the game, variants, scenarios, mods.
    pub fn rank_of_scope(&self, scope: ScopeId) -> u8 {
        let parent = |s: &&Scope| s.parent.and_then(|s| self.scopes.get(s.index()));
        let line = std::iter::successors(self.scopes.get(scope.index()), parent);
        line.map(|s| match s.kind {
            ScopeKind::Game => 0,
            ScopeKind::Variant => 1,
            ScopeKind::Scenario | ScopeKind::Part => 2,
            ScopeKind::Mod => 3,
        })
        .max()
        .unwrap_or(0)
    }

    /// Players with names of their own, in table order; those that variants and scenarios bring not counted.
    pub fn named_players(&self) -> impl Iterator<Item = MemberId> + '_ {
        self.players_if(|m| m.answered.is_none())
    }

    /// Players that scopes bring beside those of the seats, in table order behind them: `player n answered by …`.
    pub fn extra_players(&self) -> impl Iterator<Item = MemberId> + '_ {
        self.players_if(|m| m.answered.is_some())
    }

    /// What may end the game between turns and rounds: the conditions of `round until` and `ends when`.
    pub fn ends_between(&self) -> impl Iterator<Item = &Expr> {
        let until = self.round.as_ref().and_then(|r| match &r.until {
            RoundUntil::Cond(c) => Some(c),
            _ => None,
        });
        until.into_iter().chain(self.ends.iter().map(|(c, _)| c))
    }

    fn players_if(&self, is: fn(&Member) -> bool) -> impl Iterator<Item = MemberId> + '_ {
        let all = self.kinds.get(builtin_kinds::PLAYER.index()).map_or(&[][..], |k| &k.members);
        all.iter().copied().filter(move |id| self.members.get(id.index()).is_some_and(is))
    }
}

/// `round`.
#[derive(Clone, Debug)]
pub struct Round {
    /// How long.
    pub until: RoundUntil,
    /// What is done each time.
    pub body: Body<Block>,
    /// Where.
    pub span: Span,
}

/// How often a round is played.
#[derive(Clone, Debug)]
pub enum RoundUntil {
    /// Until something ends the game.
    Forever,
    /// Once.
    Once,
    /// So often.
    Times(Expr),
    /// Until a condition holds, judged at each turn's beginning and the round's end.
    Cond(Expr),
}
