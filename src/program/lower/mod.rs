//! Entry of the compiler: [`lower`] lays out a set-up (`layout`), then compiles every function that can be reached, from a work list, and links the code after the passes.
pub mod attachments;
pub mod effects;
pub mod functions;
pub mod options;
pub mod values;

use crate::codes::{MAP_SIZE, NOT_DRAWN, NOT_LOWERED, TOO_MANY_WORDS, TOO_MUCH_CODE};
use crate::facts::game_facts::Facts;
use crate::fn_builder::FnBuild;
use crate::ir::*;
use crate::layout::tables::Tables;
use crate::passes::{self, Unit};
use crate::setup::{LowerOptions, Resolved};
use houserule_model::hir::*;
use houserule_text::{Diagnostic, Span};
use rustc_hash::FxHashMap as HashMap;

/// A join point: what attachments act around.
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

/// An item of the work list: a function that is not compiled yet.
#[derive(Clone, Debug)]
pub enum Job {
    /// A value with its first n modifications.
    Value(ValueId, usize),
    /// An event with all its attachments.
    Event(Event),
    /// An event with its replacements; takes the age of the last replacement as well.
    Instead(Event),
    /// An event with its `before` and `after` attachments.
    Core(Event),
    /// An event without attachments.
    Body(Event),
    /// Whether a rule could begin.
    Can(RuleId),
    /// The reason why a rule cannot begin.
    Why(RuleId),
    /// The body with which a member fills a rule slot.
    Fill(MemberId, usize),
    /// The players who see into a zone: a function of the holder and a thing there.
    Seers(ZoneId),
    /// The function that puts components on a map by its signs.
    Build(MapId),
    /// The rounds.
    Rounds,
    /// The endings, as they are judged after a change or, with `after_setup`, before the first round.
    Endings {
        /// Between the set-up and the first round.
        after_setup: bool,
    },
    /// The body of an `everyone at once`, by its number in [`Lower::captured`].
    Everyone(usize),
    /// The effect of an action, as it is tried.
    Tried(ActionId),
}

/// A body of `everyone at once` with the outer names that it uses.
#[derive(Clone, Debug)]
pub struct Captured {
    /// `me` inside.
    pub me: LocalId,
    /// What each does.
    pub body: Block,
    /// Outer names with their types.
    pub names: Vec<(LocalId, Ty)>,
}

/// Code that finds a set, for comparison: instructions without constants, and the constants.
#[derive(Default, PartialEq, Eq)]
pub struct FoundSet {
    /// The instructions.
    pub code: Vec<Ins>,
    /// The constants.
    pub words: Vec<u64>,
}

/// The state of code generation for one set-up. It reads layout and tables through `Deref`.
pub struct Lower<'m> {
    tables: Tables<'m>,
    /// Taint analysis: which names and calls may depend on hidden things. Computed at the first use.
    pub taint_calls: std::cell::OnceCell<std::rc::Rc<houserule_model::body::taint::Calls<'m>>>,
    /// The tests whose code is generated.
    pub tests: Vec<usize>,
    /// Numbers in [`Program::noted`] of cached sets (value, universe) and of cached values of the player who is asked.
    pub noted_sets: HashMap<(ValueId, Option<UniverseId>), u8>,
    /// Numbers in [`Program::noted`] of cached sets that are found by the same code.
    pub noted_code: Vec<(FoundSet, u8)>,
    /// Effects on trial.
    pub trial_funcs: rustc_hash::FxHashSet<FuncId>,
    /// Numbers of menus.
    pub menu_ix: HashMap<MenuId, MenuIx>,
    /// Numbers of actions.
    pub action_ix: HashMap<ActionId, ActionIx>,
    /// Numbers of hooks.
    pub hook_ix: HashMap<HookId, u16>,
    /// Functions by name, compiled or waiting.
    pub funcs: HashMap<String, FuncId>,
    /// Functions that are not compiled yet.
    pub work_list: Vec<(FuncId, Job)>,
    /// Compiled code of each function.
    pub bodies: Vec<Option<FnBuild>>,
    /// Bodies of `everyone at once`.
    pub captured: Vec<Captured>,
    /// The kind that is moved or searched: `box` is the box of this kind.
    pub box_kind: Option<KindId>,
    /// The look that is compiled: holes in its texts become functions of the thing drawn.
    pub look_shown: Option<(UniverseId, DeclIx)>,
    /// Numbers in [`Program::kept`] of memoised values; none for a value that is not memoised.
    pub kept_values: HashMap<ValueId, Option<u8>>,
    /// Numbers in [`Program::kept`] of memoised parts of guards, by action, guard and part.
    pub kept_guards: HashMap<(ActionId, (usize, usize)), Option<u8>>,
    /// `out when` as a function of a player; the outer option is none until the first use.
    pub out_func: Option<Option<FuncId>>,
    /// Number in [`Program::kept`] of whether any ending holds; the outer option is none until the first use.
    pub kept_endings: Option<Option<u8>>,
    /// Whether code for the endings was made.
    pub judged_endings: bool,
    /// Whether the endings are a function that is called after each change, as in plain code, which is made more often than it runs; else their code stands there.
    pub calls_endings: bool,
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

/// Compiles a checked game for one set-up. What cannot be vectorised, because a set or a register is one too many, is compiled to plain code: so a set-up is refused only if plain code is refused, too.
///
/// # Errors
/// Findings, each with its place: what the engine does not support, or what is not constant where a constant is needed.
pub fn lower(
    m: &Model,
    facts: &Facts,
    set: &Resolved,
    opts: LowerOptions,
) -> Result<Program, Vec<Diagnostic>> {
    lower_with(m, facts, set, opts, Vec::new())
}

/// Like [`lower`], with the code of several tests. Where only findings are wanted, code is made for these tests and what they call, and for nothing else.
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
    let mut l = Lower::make_code(m, facts, set, opts, tests.clone());
    if opts.lift && !l.errors.is_empty() {
        let plain = Lower::make_code(m, facts, set, LowerOptions { lift: false, ..opts }, tests);
        if plain.errors.is_empty() {
            l = plain;
        }
    }
    if l.errors.is_empty() && !opts.dry {
        l.assemble();
    }
    let Tables { p, mut errors, .. } = l.tables;
    // What is missing because a map is not there is not told beside that.
    let no_map = |d: &Diagnostic| d.code == NOT_DRAWN || d.code == MAP_SIZE;
    if errors.iter().any(no_map) {
        errors.retain(no_map);
    }
    if errors.is_empty() { Ok(p) } else { Err(errors) }
}

impl<'m> Lower<'m> {
    /// Lays out a set-up and compiles all its functions. [`Tables::errors`] holds a finding for each part that cannot be compiled.
    fn make_code(
        m: &'m Model,
        facts: &'m Facts,
        set: &'m Resolved,
        opts: LowerOptions,
        tests: Vec<usize>,
    ) -> Self {
        let mut l = Lower {
            tables: Tables::new(m, facts, set, opts),
            taint_calls: std::cell::OnceCell::new(),
            tests,
            noted_sets: HashMap::default(),
            noted_code: Vec::new(),
            trial_funcs: rustc_hash::FxHashSet::default(),
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
            judged_endings: false,
            calls_endings: !opts.lift,
        };
        if l.errors.is_empty() {
            l.declare_seers();
            l.find_layers();
            l.make_declarations();
            l.drain_work_list();
        }
        l
    }

    /// Returns the number of a function; puts it into the work list if it is new.
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

    /// Adds a function whose code is made at once.
    pub fn new_func(&mut self, name: &str, pure_: bool, args: u8, results: u8, decl: DeclIx) -> FuncId {
        let f = FuncId(self.p.funcs.len() as u16);
        self.p.funcs.push(Func { name: name.into(), start: 0, end: 0, args, results, frame: 0, pure_, decl });
        self.bodies.push(None);
        f
    }

    /// Stores the code of a function.
    pub fn finish_func(&mut self, f: FuncId, mut b: FnBuild) {
        b.emit(Ins::Ret);
        if b.most > MOST_REGISTERS {
            let decl = self.p.decls.get(self.p.funcs[f.index()].decl.index());
            let span = decl.map_or(Span::default(), |d| d.span);
            let message = format!("this needs more than {MOST_REGISTERS} words of memory at once");
            self.errors.push(
                Diagnostic::error(TOO_MANY_WORDS, span, message)
                    .label("a set takes a word for each 64 things of its kind, a list one for each four")
                    .help("make values of parts of it, or let the kind have fewer things: a number can stand for things that are all alike"),
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
        }
    }

    fn assemble(&mut self) {
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
            // Code without a span of its own has the span of its declaration.
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
