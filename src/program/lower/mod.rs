//! The checked game and one set-up → a program: who is what number, then code for everything that can be reached.
pub mod aggregates;
pub mod attachments;
pub mod bitset;
pub mod branch;
pub mod builtins;
pub mod can_begin;
pub mod cse;
pub mod dice;
pub mod eliminated;
pub mod endings;
pub mod expr;
pub mod fn_builder;
pub mod functions;
pub mod history;
pub mod interchangeable;
pub mod lists;
pub mod number_sets;
pub mod options;
pub mod questions;
pub mod scores;
pub mod sets;
pub mod stmt;
pub mod test_steps;
pub mod turn_order;

use crate::analysis::game_facts::Facts;
use crate::ir::*;
use crate::lower::fn_builder::FnBuild;
use crate::passes::{self, Unit};
use crate::setup::{LowerOptions, Resolved};
use houserule_model::body::types;
use houserule_model::hir::{self, *};
use houserule_text::{Code, CodeInfo, Diagnostic, Span};
use rustc_hash::FxHashMap as HashMap;
use std::sync::Arc;

/// Something that a lowered set-up cannot say yet, or that is not constant where it must be.
pub const NOT_LOWERED: Code = Code("E0990");

/// A map without a picture, or a space that is not in it.
pub const NOT_DRAWN: Code = Code("E0662");

/// A set-up of more instructions than a program may have.
pub const TOO_MUCH_CODE: Code = Code("E0913");

/// Codes of the lowering, explained.
pub const CODES: &[CodeInfo] = &[
    CodeInfo {
        code: NOT_DRAWN,
        title: "A map or space that this set-up does not have",
        text: "A map without a size is drawn by scenarios. This set-up takes in no picture of it, or a rule or test names a space that its picture does not have.",
        wrong: "",
        right: "",
    },
    CodeInfo {
        code: TOO_MUCH_CODE,
        title: "Too much code for a set-up",
        text: "A set-up may have 1000000 instructions. The place is that of the value, rule or action that takes most of them.",
        wrong: "",
        right: "",
    },
    CodeInfo {
        code: NOT_LOWERED,
        title: "Right, but not yet in the engine",
        text: "The rules say something that the language means and the checker understands, but the engine cannot do yet in this set-up; or something that must be the same all \
           through a set-up (a number of copies, a size, a capacity) depends on the state of the game. The message says which.",
        wrong: "",
        right: "",
    },
];

/// Where an attribute lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// In the state.
    Cell(AttrIx),
    /// In a table by face (components) or by thing.
    Table(TableIx),
    /// In a table by the sides of dice.
    Side(TableIx),
    /// Sets in a row, by face (components) or by thing: the first word, over that universe.
    Sets(u32, UniverseId),
    /// Lists in a table of constant lists, by face (components) or by thing.
    Lists(LinesIx),
}

/// Something that attachments stand round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A rule or phase.
    Rule(RuleId),
    /// An action.
    Action(ActionId),
    /// The set-up.
    Setup,
    /// Discarding a thing of a kind.
    Discard(KindId),
    /// Rolling a die of a kind.
    Roll(KindId),
    /// Shuffling what lies in a place.
    Shuffle,
}

/// A function that waits to be made.
#[derive(Clone, Debug)]
pub enum Job {
    /// A value with its first so many modifications.
    Value(ValueId, usize),
    /// An event with all that is attached to it.
    Event(Event),
    /// An event with its replacements; also takes the age of the last one taken.
    Instead(Event),
    /// An event with what comes before and after it.
    Core(Event),
    /// An event alone.
    Body(Event),
    /// Whether a rule could begin.
    Can(RuleId),
    /// Why a rule cannot begin.
    Why(RuleId),
    /// What a member fills a rule slot with.
    Fill(MemberId, usize),
    /// Who sees into a zone: of its holder and a thing there.
    Seers(ZoneId),
    /// What a map's signs put on its spaces.
    Build(MapId),
    /// The rounds.
    Rounds,
    /// The body of an `everyone at once`: where it stands, by number.
    Everyone(usize),
    /// What an action does, as it is tried.
    Tried(ActionId),
}

/// A body of `everyone at once` with the names that it uses from outside.
#[derive(Clone, Debug)]
pub struct Captured {
    /// `me` inside.
    pub me: LocalId,
    /// What each does.
    pub body: Block,
    /// Names from outside with their types.
    pub names: Vec<(LocalId, Ty)>,
}

/// The lowering of one set-up.
pub struct Lower<'m> {
    /// The game.
    pub m: &'m Model,
    /// What all of its rules say together.
    pub facts: &'m Facts,
    /// What names and calls may hold of what lies hidden, as far as it was asked for.
    pub calls: std::cell::OnceCell<std::rc::Rc<houserule_model::body::taint::Calls<'m>>>,
    /// The set-up.
    pub set: &'m Resolved,
    /// How.
    pub opts: LowerOptions,
    /// The tests whose code is made with it.
    pub tests: Vec<usize>,
    /// What is made.
    pub p: Program,
    /// Findings: what cannot be lowered.
    pub errors: Vec<Diagnostic>,
    /// Universe of a kind's things (component kinds: of the root's).
    pub kind_uni: HashMap<KindId, UniverseId>,
    /// Component tables by root kind.
    pub comps_of: HashMap<KindId, u16>,
    /// The place of a member among its kind's things, for kinds that are not components.
    pub member_no: HashMap<MemberId, u32>,
    /// Faces of a member: first number, keys' least, how many.
    pub faces_of: HashMap<MemberId, (u16, i32, u16)>,
    /// Components of each kind as a set over the root's universe.
    pub things_of: HashMap<KindId, Vec<u64>>,
    /// Member and key of each face, by root's index.
    pub face_members: Vec<Vec<(MemberId, i32)>>,
    /// The kind of each face, by root's index.
    pub face_kinds: Vec<Vec<KindId>>,
    /// The declared sides of each face of dice, by root's index.
    pub sides: Vec<Vec<Vec<Side>>>,
    /// Attributes.
    pub homes: HashMap<AttrId, Home>,
    /// Fixed planes by table and comparison.
    pub fixed: HashMap<(TableIx, Comparison), GroupIx>,
    /// Values that look at nothing that changes, by the universe of their sets.
    pub tabulated: HashMap<(ValueId, UniverseId), Option<GroupIx>>,
    /// Values of yes and no that look at nothing that changes: of which things they are yes.
    pub truths: HashMap<(ValueId, UniverseId), Option<u32>>,
    /// Values as sets that are noted, by value and universe, and values of the one who is asked: with their numbers in [`Program::noted`].
    pub noting: HashMap<(ValueId, Option<UniverseId>), u8>,
    /// And of what some code finds.
    pub noting_code: Vec<(crate::lower::options::shared_domain::Said, u8)>,
    /// Fixed planes by what each thing has, with the comparison.
    pub by_value: HashMap<(Vec<i32>, Comparison), GroupIx>,
    /// Fixed planes of pairs, by what they hold: see [`crate::index::pairs`].
    pub by_pair: HashMap<(UniverseId, Vec<u64>), GroupIx>,
    /// Which of their parameters values look at.
    pub used_params: HashMap<ValueId, Option<std::rc::Rc<Vec<bool>>>>,
    /// The same as tables, by value.
    pub truth_tables: HashMap<ValueId, Option<TableIx>>,
    /// Tables of what one table says of what another says.
    pub composed: HashMap<(TableIx, TableIx), TableIx>,
    /// Zones.
    pub zone_ix: HashMap<ZoneId, ZoneIx>,
    /// Maps.
    pub map_ix: HashMap<MapId, MapIx>,
    /// Effects as they are tried.
    pub slim: std::collections::HashSet<FuncId>,
    /// Rows and columns.
    pub rank_tables: HashMap<KindId, LinesIx>,
    /// Lines by map and length.
    pub line_tables: HashMap<(MapIx, usize), LinesIx>,
    /// What built-ins say of each space of a map, as constant sets.
    pub grids: HashMap<(MapIx, crate::index::grids::GridSort), GridIx>,
    /// Numbers about a map: angles, mirrored spaces.
    pub turns: HashMap<(MapIx, &'static str), TableIx>,
    /// Number universes.
    pub numbers: HashMap<(i32, i32), UniverseId>,
    /// Menus and actions.
    pub menu_ix: HashMap<MenuId, MenuIx>,
    /// See above.
    pub action_ix: HashMap<ActionId, ActionIx>,
    /// Phases.
    pub phase_ix: HashMap<RuleId, PhaseIx>,
    /// The universe of phases, if there are any.
    pub phase_uni: Option<UniverseId>,
    /// Hooks.
    pub hook_ix: HashMap<HookId, u16>,
    /// Functions made or waiting.
    pub funcs: HashMap<String, FuncId>,
    /// What waits.
    pub queue: Vec<(FuncId, Job)>,
    /// Finished code by function.
    pub bodies: Vec<Option<FnBuild>>,
    /// Bodies of `everyone at once`.
    pub captured: Vec<Captured>,
    /// The kind of what is moved or looked for: whose box `box` is.
    pub boxing: Option<KindId>,
    /// The look that is being made: holes of its texts are functions of the thing drawn.
    pub drawn: Option<(UniverseId, DeclIx)>,
    /// Attachments that layers can bring; numbered as in [`Program::leased`].
    pub layered: Vec<crate::lower::attachments::Layered<'m>>,
    /// Values that have been asked whether they are plain: nothing fills, modifies or repeats them.
    pub plain: std::cell::RefCell<HashMap<ValueId, Option<Plain>>>,
    /// Values that have been asked whether they can fault; none while one is being asked.
    pub total: HashMap<crate::analysis::fault_freedom::Asked, Option<crate::analysis::fault_freedom::Result>>,
    /// Values that have been asked whether they are kept, with their numbers in [`Program::kept`].
    pub keeping: HashMap<ValueId, Option<u8>>,
    /// Parts of guards, by action, guard and part, that have been asked whether they are kept.
    pub guarding: HashMap<(ActionId, (usize, usize)), Option<u8>>,
    /// `out when` as a function of a player, once it has been asked for.
    pub outs: Option<Option<FuncId>>,
    /// And of whether any end holds, once it is known.
    pub ends: Option<Option<u8>>,
}

/// A plain value: how many parameters it has, and its body.
pub type Plain = std::rc::Rc<(usize, hir::Expr)>;

/// Lowers a checked game for one set-up.
///
/// # Errors
/// What the set-up needs and the engine cannot do yet, or that is not constant where a constant is needed, each with its place.
pub fn lower(
    m: &Model,
    facts: &Facts,
    set: &Resolved,
    opts: LowerOptions,
) -> Result<Program, Vec<Diagnostic>> {
    lower_with(m, facts, set, opts, opts.test.into_iter().collect())
}

/// The same with the code of several tests.
///
/// # Errors
/// As [`lower`].
pub fn lower_with(
    m: &Model,
    facts: &Facts,
    set: &Resolved,
    opts: LowerOptions,
    tests: Vec<usize>,
) -> Result<Program, Vec<Diagnostic>> {
    let mut l = Lower {
        m,
        facts,
        calls: std::cell::OnceCell::new(),
        set,
        opts,
        tests,
        p: empty(m, set),
        errors: Vec::new(),
        kind_uni: HashMap::default(),
        comps_of: HashMap::default(),
        member_no: HashMap::default(),
        faces_of: HashMap::default(),
        things_of: HashMap::default(),
        face_members: Vec::new(),
        face_kinds: Vec::new(),
        sides: Vec::new(),
        homes: HashMap::default(),
        fixed: HashMap::default(),
        tabulated: HashMap::default(),
        truths: HashMap::default(),
        noting: HashMap::default(),
        noting_code: Vec::new(),
        by_value: HashMap::default(),
        by_pair: HashMap::default(),
        used_params: HashMap::default(),
        truth_tables: HashMap::default(),
        composed: HashMap::default(),
        zone_ix: HashMap::default(),
        map_ix: HashMap::default(),
        slim: std::collections::HashSet::default(),
        rank_tables: HashMap::default(),
        line_tables: HashMap::default(),
        grids: HashMap::default(),
        turns: HashMap::default(),
        numbers: HashMap::default(),
        menu_ix: HashMap::default(),
        action_ix: HashMap::default(),
        phase_ix: HashMap::default(),
        phase_uni: None,
        hook_ix: HashMap::default(),
        funcs: HashMap::default(),
        queue: Vec::new(),
        drawn: None,
        bodies: Vec::new(),
        captured: Vec::new(),
        boxing: None,
        layered: Vec::new(),
        plain: std::cell::RefCell::default(),
        total: HashMap::default(),
        keeping: HashMap::default(),
        guarding: HashMap::default(),
        outs: None,
        ends: None,
    };
    l.layout();
    l.sizes();
    if l.errors.is_empty() {
        l.layers();
        l.declarations();
        l.drain();
        if l.errors.is_empty() {
            l.assemble();
        }
    }
    if l.errors.is_empty() { Ok(l.p) } else { Err(l.errors) }
}

/// A program of a set-up, with nothing in it yet.
fn empty(m: &Model, set: &Resolved) -> Program {
    let mut fingerprint = m.fingerprint;
    let mut mix =
        |x: u64| fingerprint = (fingerprint ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    mix(u64::from(set.players));
    set.scopes.iter().for_each(|s| mix(u64::from(s.0)));
    set.options.iter().for_each(|(o, v)| mix((u64::from(o.0) << 32) ^ *v as u64));
    Program {
        title: m.title.clone(),
        fingerprint,
        players: set.players as u8,
        seats: set.seats as u8,
        answered: set.answered.clone(),
        truth_universe: UniverseId(1),
        ..Program::default()
    }
}

impl<'m> Lower<'m> {
    /// Reports something that cannot be lowered.
    pub fn fail(&mut self, span: Span, what: impl std::fmt::Display) {
        let what = what.to_string();
        let d = Diagnostic::error(NOT_LOWERED, span, format!("not yet in the engine: {what}"));
        self.errors.push(d.help(crate::analysis::unsupported::advice(&what)));
    }

    /// A declaration for logs and faults.
    pub fn decl(&mut self, what: &'static str, name: &Arc<str>, span: Span) -> DeclIx {
        if let Some(i) = self.p.decls.iter().position(|d| d.what == what && d.span == span) {
            return DeclIx(i as u16);
        }
        self.p.decls.push(Decl { what, name: name.clone(), span });
        DeclIx(self.p.decls.len() as u16 - 1)
    }

    /// Whether a universe is of components whose numbers are told to nobody ([`Components::mixed`]).
    pub fn mixed(&self, u: UniverseId) -> bool {
        match self.p.universes.get(u.index()).map(|u| &u.sort) {
            Some(UniverseSort::Components(ci)) => self.p.comps.get(*ci as usize).is_some_and(|c| c.mixed),
            _ => false,
        }
    }

    /// A loop over a set whose order may show: components that can be mixed up come in the order of what they show, all else by number.
    pub fn walk(
        &self,
        f: &mut FnBuild,
        s: R,
        u: UniverseId,
    ) -> (R, crate::lower::fn_builder::Label, crate::lower::fn_builder::Label) {
        let w = self.w(u);
        if !self.mixed(u) {
            return f.each(s, w);
        }
        let left = f.alloc(w);
        f.emit(Ins::MovN { d: left, a: s, n: w });
        f.each_shown(left, u.0 as u8)
    }

    /// Words of a set over a universe.
    pub fn w(&self, u: UniverseId) -> u8 {
        self.p.universes.get(u.index()).map_or(1, |u| u.w)
    }

    /// How many things a universe has.
    pub fn n(&self, u: UniverseId) -> u32 {
        self.p.universes.get(u.index()).map_or(0, |u| u.n)
    }

    /// The number that the least element of a universe has in registers.
    pub fn lo(&self, u: UniverseId) -> i32 {
        match self.p.universes.get(u.index()).map(|u| &u.sort) {
            Some(UniverseSort::Numbers { lo }) => *lo,
            _ => 0,
        }
    }

    /// The universe of things of a type (of a set's elements).
    pub fn uni(&mut self, ty: &Ty, span: Span) -> UniverseId {
        match ty {
            Ty::Bool => self.p.truth_universe,
            Ty::Int(lo, hi) => {
                let (lo, hi) = (*lo, *hi);
                if i64::from(hi) - i64::from(lo) >= crate::lower::number_sets::MOST {
                    let message = "not yet in the engine: sets of numbers without narrow bounds";
                    self.errors.push(Diagnostic::error(NOT_LOWERED, span, message).help(
                        "give the numbers bounds (`0..99` in place of `int`), or go through the things themselves: `sum(x in S: x.n)`",
                    ));
                    return self.p.truth_universe;
                }
                if let Some(u) = self.numbers.get(&(lo, hi)) {
                    return *u;
                }
                let u = self.universe(
                    &format!("{lo}..{hi}"),
                    (hi - lo + 1) as u32,
                    UniverseSort::Numbers { lo },
                    Vec::new(),
                );
                self.numbers.insert((lo, hi), u);
                u
            }
            Ty::Of(k) => match self.kind_uni.get(k) {
                Some(u) => *u,
                None => {
                    self.fail(span, "things of this kind");
                    self.p.truth_universe
                }
            },
            Ty::Phase if let Some(u) = self.phase_uni => u,
            Ty::Side(_) => match self.comps_of_type(ty) {
                Some(c) => self.side_universe(c, span),
                None => {
                    self.fail(span, "sides of this kind");
                    self.p.truth_universe
                }
            },
            Ty::Filter(k) if types::is_die(self.m, *k) => self.uni(&Ty::Side(*k), span),
            Ty::Face(k) | Ty::Filter(k) => match self.comps_of.get(&self.root(*k)) {
                Some(c) => self.p.comps[*c as usize].faces,
                None => {
                    self.fail(span, "faces of this kind");
                    self.p.truth_universe
                }
            },
            Ty::Maybe(t) | Ty::Set(t) | Ty::List(t) => self.uni(t, span),
            Ty::AnyOf(ks) => match ks.first() {
                Some(k) if ks.iter().all(|x| self.root(*x) == self.root(*k)) => self.uni(&Ty::Of(*k), span),
                _ => {
                    self.fail(span, "sets of components of unlike kinds");
                    self.p.truth_universe
                }
            },
            _ => {
                self.fail(span, "sets of these");
                self.p.truth_universe
            }
        }
    }

    /// Registers that a value of a type takes.
    pub fn width(&mut self, ty: &Ty, span: Span) -> u8 {
        match ty {
            Ty::Set(t) | Ty::List(t) => match &**t {
                // A set of lists is never stored.
                Ty::List(_) => 1,
                t => {
                    let u = self.uni(t, span);
                    match self.list_behind(ty, span) {
                        Some(behind) => behind + self.list_words(u),
                        None => self.w(u),
                    }
                }
            },
            Ty::Maybe(t) => self.width(t, span),
            Ty::Filter(_) => {
                let u = self.uni(ty, span);
                self.w(u)
            }
            _ => 1,
        }
    }

    /// How a value of a type is shown.
    pub fn show(&mut self, ty: &Ty, span: Span) -> Show {
        match ty {
            Ty::Bool => Show::Truth,
            Ty::Int(..) => Show::Number,
            Ty::Text => Show::Text,
            Ty::Place => Show::Place,
            Ty::Phase => Show::Phase,
            Ty::Of(_) | Ty::Face(_) | Ty::Side(_) | Ty::AnyOf(_) => Show::Thing(self.uni(ty, span)),
            Ty::Maybe(t) => self.show(t, span),
            Ty::Set(t) | Ty::List(t) => Show::Set(self.uni(t, span)),
            Ty::Filter(_) => Show::Set(self.uni(ty, span)),
            _ => Show::Number,
        }
    }

    /// The kind that a component kind descends from.
    pub fn root(&self, k: KindId) -> KindId {
        types::line_of(self.m, k).last().copied().unwrap_or(k)
    }

    /// A new universe.
    pub fn universe(&mut self, name: &str, n: u32, sort: UniverseSort, things: Vec<Thing>) -> UniverseId {
        if self.p.universes.len() == 250 {
            self.fail(Span::default(), "more than 250 kinds and ranges in one game");
        }
        self.p.universes.push(Universe {
            name: name.into(),
            n,
            w: n.div_ceil(64).max(1) as u8,
            sort,
            things,
        });
        UniverseId(self.p.universes.len() as u16 - 1)
    }

    /// A constant set; gives its place in [`Program::sets`].
    pub fn const_set(&mut self, words: &[u64]) -> u32 {
        // The same set mostly stands near: it is kept once, and equal code stays equal.
        let recent = self.p.sets.len().saturating_sub(256);
        let there =
            self.p.sets.get(recent..).unwrap_or(&[]).windows(words.len().max(1)).position(|x| x == words);
        if let Some(i) = there {
            return (recent + i) as u32;
        }
        let at = self.p.sets.len() as u32;
        self.p.sets.extend_from_slice(words);
        at
    }

    /// Sizes that numbers of the program cannot hold, told before any code is made.
    fn sizes(&mut self) {
        let m = self.m;
        if self.p.universes.len() > 250 || self.p.maps.len() > 200 {
            self.fail(Span::default(), "more than 250 kinds, ranges and maps in one game");
        }
        if self.p.cells > 1 << 22 || self.p.planes > 1 << 21 {
            self.fail(Span::default(), "a state of more than 32 MB: fewer components, zones or spaces");
        }
        type List = (Vec<(Ty, Span)>, Span, ScopeId);
        let mut lists: Vec<List> = Vec::new();
        lists.extend(m.values.iter().map(|v| (self.signature(&v.body), v.span, v.scope)));
        lists.extend(m.rules.iter().map(|r| (self.signature(&r.body), r.span, r.scope)));
        for h in &m.hooks {
            lists.push((h.params.iter().map(|l| (l.ty.clone(), l.span)).collect(), h.span, h.scope));
        }
        for (i, a) in m.actions.iter().enumerate() {
            lists.push((self.action_params(ActionId(i as u32)), a.span, a.scope));
        }
        for (types, span, scope) in lists {
            if !self.set.has(scope) {
                continue;
            }
            let words: u32 = types.iter().map(|(t, s)| u32::from(self.width(t, *s))).sum();
            if words > 100 {
                self.fail(
                    span,
                    format_args!(
                        "parameters of {words} words (100 at most); sets take a word for each 64 things"
                    ),
                );
            }
        }
    }

    // ── Functions ────────────────────────────────────────────────────────────────────────────────────────

    /// A function's number, whether it is made already or waits.
    #[allow(clippy::too_many_arguments)] // The parts of a function's entry.
    pub fn func(
        &mut self,
        key: String,
        name: &str,
        pure_: bool,
        args: u8,
        results: u8,
        decl: DeclIx,
        job: Job,
    ) -> FuncId {
        if let Some(f) = self.funcs.get(&key) {
            return *f;
        }
        let f = self.new_func(name, pure_, args, results, decl);
        self.funcs.insert(key, f);
        self.queue.push((f, job));
        f
    }

    /// A function whose code is given at once.
    pub fn new_func(&mut self, name: &str, pure_: bool, args: u8, results: u8, decl: DeclIx) -> FuncId {
        let f = FuncId(self.p.funcs.len() as u16);
        self.p.funcs.push(Func { name: name.into(), start: 0, end: 0, args, results, frame: 0, pure_, decl });
        self.bodies.push(None);
        f
    }

    /// Hands in a function's code.
    pub fn done(&mut self, f: FuncId, mut b: FnBuild) {
        b.emit(Ins::Ret);
        if b.most > MOST_REGISTERS {
            let decl = self.p.decls.get(self.p.funcs[f.index()].decl.index());
            let span = decl.map_or(Span::default(), |d| d.span);
            self.errors.push(
                Diagnostic::error(NOT_LOWERED, span, "this needs more registers than a function has")
                    .help("cut it in two: give a part of it a name"),
            );
        }
        self.bodies[f.index()] = Some(b);
    }

    fn drain(&mut self) {
        let mut total = 0;
        while let Some((f, job)) = self.queue.pop() {
            self.make(f, job);
            let made = |b: &Option<FnBuild>| b.as_ref().map_or(0, |b| b.code.len());
            total += self.bodies.get(f.index()).map_or(0, made);
            let most = self.opts.most_code;
            if total > most {
                let largest = (0..self.bodies.len()).max_by_key(|i| self.bodies.get(*i).map_or(0, made));
                let func = largest.and_then(|i| self.p.funcs.get(i));
                let decl = func.and_then(|f| self.p.decls.get(f.decl.index()));
                let span = decl.map_or(Span::default(), |d| d.span);
                let message = format!("the code for a set-up has more than {most} instructions");
                self.errors.push(
                    Diagnostic::error(TOO_MUCH_CODE, span, message)
                        .label("this takes most of them")
                        .help("let it name fewer things one by one, or leave something out"),
                );
                return;
            }
        }
    }

    fn assemble(&mut self) {
        let tables = [
            self.p.funcs.len(),
            self.p.templates.len(),
            self.p.asks.len(),
            self.p.decls.len(),
            self.p.offers.len(),
        ];
        if tables.into_iter().any(|n| n > 60_000) {
            self.fail(Span::default(), "a program of more than 60,000 functions, texts or questions");
            return;
        }
        let bodies = std::mem::take(&mut self.bodies);
        for (i, b) in bodies.into_iter().enumerate() {
            let base = self.p.code.len() as u32;
            let mut b = b.unwrap_or_else(|| FnBuild::new(false));
            let places = std::mem::take(&mut b.places);
            let (code, spans, registers) = b.finish();
            let Func { results, pure_, .. } = self.p.funcs[i];
            let is_trial = self.slim.contains(&FuncId(i as u16));
            let mut unit = Unit { code, spans, registers, results, pure_, is_trial };
            passes::run(&mut self.p, &mut unit, self.opts.passes);
            let Unit { mut code, mut spans, registers, .. } = unit;
            if self.opts.cover {
                passes::coverage::mark(&mut self.p.marks, &places, &mut code, &mut spans);
            }
            for ins in &mut code {
                ins.shift_target(base);
            }
            let decl = self.p.funcs[i].decl;
            // What has no place of its own stands where its declaration stands.
            if spans.first().is_none_or(|(c, _)| *c > 0)
                && let Some(d) = self.p.decls.get(decl.index())
            {
                self.p.spans.push((base, d.span));
            }
            self.p.code.extend(code);
            self.p.spans.extend(spans.into_iter().map(|(c, s)| (c + base, s)));
            let f = &mut self.p.funcs[i];
            f.start = base;
            f.end = self.p.code.len() as u32;
            f.frame = registers.max(1).max(u16::from(f.args)).max(u16::from(f.results));
        }
    }

    /// Attachments in force that have a target like this.
    pub fn attached(&self, is: impl Fn(&hir::Target) -> bool) -> Vec<&'m Attachment> {
        let m: &'m Model = self.m;
        m.attachments
            .iter()
            .chain(self.layered.iter().map(|l| l.a))
            .filter(|a| self.set.has(a.scope) && a.heads.iter().any(|h| is(&h.target)))
            .filter(|a| match &a.carrier {
                Some(Carrier::Member(x)) => self.faces_of.contains_key(x) || self.member_no.contains_key(x),
                _ => true,
            })
            .collect()
    }
}
