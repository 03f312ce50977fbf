//! The checked game and one set-up → a program: who is what number, then code for everything that can be reached.
pub mod attachments;
pub mod effects;
pub mod functions;
pub mod options;
pub mod values;

use crate::codes::{NOT_LOWERED, TOO_MUCH_CODE};
use crate::facts::game_facts::Facts;
use crate::fn_builder::FnBuild;
use crate::ir::*;
use crate::layout::tables::Tables;
use crate::passes::{self, Unit};
use crate::setup::{LowerOptions, Resolved};
use houserule_model::hir::*;
use houserule_text::{Diagnostic, Span};
use rustc_hash::FxHashMap as HashMap;

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

/// Code that finds a set: its instructions without their constants, and these.
#[derive(Default, PartialEq, Eq)]
pub struct FoundSet {
    /// The instructions.
    pub code: Vec<Ins>,
    /// The constants.
    pub words: Vec<u64>,
}

/// The code of a set-up while it is made. All that is laid out and tabulated is read through it.
pub struct Lower<'m> {
    tables: Tables<'m>,
    /// What names and calls may hold of what lies hidden, as far as it was asked for.
    pub taint_calls: std::cell::OnceCell<std::rc::Rc<houserule_model::body::taint::Calls<'m>>>,
    /// The tests whose code is made with it.
    pub tests: Vec<usize>,
    /// Values as sets that are noted, by value and universe, and values of the one who is asked: with their numbers in [`Program::noted`].
    pub noted_sets: HashMap<(ValueId, Option<UniverseId>), u8>,
    /// And of what some code finds.
    pub noted_code: Vec<(FoundSet, u8)>,
    /// Effects as they are tried.
    pub trial_funcs: std::collections::HashSet<FuncId>,
    /// Menus and actions.
    pub menu_ix: HashMap<MenuId, MenuIx>,
    /// See above.
    pub action_ix: HashMap<ActionId, ActionIx>,
    /// Hooks.
    pub hook_ix: HashMap<HookId, u16>,
    /// Functions made or waiting.
    pub funcs: HashMap<String, FuncId>,
    /// What waits.
    pub work_list: Vec<(FuncId, Job)>,
    /// Finished code by function.
    pub bodies: Vec<Option<FnBuild>>,
    /// Bodies of `everyone at once`.
    pub captured: Vec<Captured>,
    /// The kind of what is moved or looked for: whose box `box` is.
    pub box_kind: Option<KindId>,
    /// The look that is being made: holes of its texts are functions of the thing drawn.
    pub look_shown: Option<(UniverseId, DeclIx)>,
    /// Values that have been asked whether they are kept, with their numbers in [`Program::kept`].
    pub kept_values: HashMap<ValueId, Option<u8>>,
    /// Parts of guards, by action, guard and part, that have been asked whether they are kept.
    pub kept_guards: HashMap<(ActionId, (usize, usize)), Option<u8>>,
    /// `out when` as a function of a player, once it has been asked for.
    pub out_func: Option<Option<FuncId>>,
    /// And of whether any end holds, once it is known.
    pub kept_endings: Option<Option<u8>>,
}

impl<'m> std::ops::Deref for Lower<'m> {
    type Target = Tables<'m>;
    fn deref(&self) -> &Tables<'m> {
        &self.tables
    }
}

impl std::ops::DerefMut for Lower<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.tables
    }
}

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
        tables: Tables::new(m, facts, set, opts),
        taint_calls: std::cell::OnceCell::new(),
        tests,
        noted_sets: HashMap::default(),
        noted_code: Vec::new(),
        trial_funcs: std::collections::HashSet::default(),
        menu_ix: HashMap::default(),
        action_ix: HashMap::default(),
        hook_ix: HashMap::default(),
        funcs: HashMap::default(),
        work_list: Vec::new(),
        bodies: Vec::new(),
        captured: Vec::new(),
        box_kind: None,
        look_shown: None,
        kept_values: HashMap::default(),
        kept_guards: HashMap::default(),
        out_func: None,
        kept_endings: None,
    };
    if l.errors.is_empty() {
        l.declare_seers();
        l.find_layers();
        l.make_declarations();
        l.drain_work_list();
        if l.errors.is_empty() {
            l.assemble();
        }
    }
    let Tables { p, errors, .. } = l.tables;
    if errors.is_empty() { Ok(p) } else { Err(errors) }
}

impl Lower<'_> {
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
        self.work_list.push((f, job));
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
    pub fn finish_func(&mut self, f: FuncId, mut b: FnBuild) {
        b.emit(Ins::Ret);
        if b.most > MOST_REGISTERS {
            let decl = self.p.decls.get(self.p.funcs[f.index()].decl.index());
            let span = decl.map_or(Span::default(), |d| d.span);
            self.errors.push(
                Diagnostic::error(NOT_LOWERED, span, "this expression is too long")
                    .help("give a part of it a name with `let` or `value`"),
            );
        }
        self.bodies[f.index()] = Some(b);
    }

    fn drain_work_list(&mut self) {
        let mut total = 0;
        while let Some((f, job)) = self.work_list.pop() {
            self.make_func(f, job);
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
                        .help("make it shorter, or name fewer things one by one"),
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
            self.report_unsupported(
                Span::default(),
                "a program of more than 60,000 functions, texts or questions",
            );
            return;
        }
        let bodies = std::mem::take(&mut self.bodies);
        let Tables { p, opts, .. } = &mut self.tables;
        for (i, b) in bodies.into_iter().enumerate() {
            let base = p.code.len() as u32;
            let mut b = b.unwrap_or_else(|| FnBuild::new(false));
            let places = std::mem::take(&mut b.places);
            let (code, spans, registers) = b.finish();
            let Func { results, pure_, .. } = p.funcs[i];
            let is_trial = self.trial_funcs.contains(&FuncId(i as u16));
            let mut unit = Unit { code, spans, registers, results, pure_, is_trial };
            passes::run(p, &mut unit, opts.passes);
            if cfg!(debug_assertions)
                && let Err((at, flaw)) =
                    verify(p, &unit.code, p.funcs[i].args, unit.registers.max(u16::from(p.funcs[i].args)))
            {
                let name = &p.funcs[i].name;
                let message = format!("the code of {name} is wrong at {at}: {flaw:?}");
                self.tables.errors.push(Diagnostic::error(NOT_LOWERED, Span::default(), message));
                return;
            }
            let Unit { mut code, mut spans, registers, .. } = unit;
            if opts.cover {
                passes::coverage::insert_marks(&mut p.marks, &places, &mut code, &mut spans);
            }
            for ins in &mut code {
                ins.shift_target(base);
            }
            let decl = p.funcs[i].decl;
            // What has no place of its own stands where its declaration stands.
            if spans.first().is_none_or(|(c, _)| *c > 0)
                && let Some(d) = p.decls.get(decl.index())
            {
                p.spans.push((base, d.span));
            }
            p.code.extend(code);
            p.spans.extend(spans.into_iter().map(|(c, s)| (c + base, s)));
            let f = &mut p.funcs[i];
            f.start = base;
            f.end = p.code.len() as u32;
            f.frame = registers.max(1).max(u16::from(f.args)).max(u16::from(f.results));
        }
    }
}
