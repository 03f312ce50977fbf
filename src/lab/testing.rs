//! Runs the `test` blocks of a game: each on its own set-up, once for each of its seeds.
use super::answers::answer_of;
use super::coverage::Reached;
use crate::engine::{Chanced, Choice, Fault, LastWays, Machine, Options, Refusal, Said, Verdict};
use crate::model::hir::{Refused, ScopeId, ScopeKind, Test};
use crate::play::words::{Wording, bits, low};
use crate::play::{Game, Setup, fault_finding, resolve, with_options};
use crate::program::LowerOptions;
use crate::program::ir::{
    FuncId, LeaseScope, NONE, Program, Show, TestAnswer, TestDraw, TestOp, TestOpKind, TestPlan, TestRoll,
    UniverseSort, VerdictCode,
};
use crate::text::{Diagnostic, Report, Span};
use rayon::prelude::*;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Steps of a test that may be taken, loops included, and choices of `run to`.
const STEPS: usize = 100_000;

/// Seeds that a test may be run for.
const SEEDS: u32 = 10_000;

/// How a test went.
#[derive(Clone, Debug)]
pub struct TestResult {
    /// Its title.
    pub title: String,
    /// The file that it stands in.
    pub file: String,
    /// Where it stands.
    pub span: Span,
    /// Why it failed, if it did.
    pub failure: Option<Failure>,
    /// How long it took, all seeds together.
    pub time: Duration,
}

/// Why a test failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The step.
    pub span: Span,
    /// Its place for people: `file:line:column`.
    pub place: String,
    /// What was not so.
    pub message: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// Runs the tests whose titles hold the filter (all without one), several at a time; results are in the order of the text.
pub fn run(game: &Game, filter: Option<&str>) -> Vec<TestResult> {
    run_under(game, filter, &[])
}

/// The names of all mods that a game was loaded with.
pub fn mods(game: &Game) -> Vec<String> {
    let all = game.model().scopes.iter().filter(|s| s.kind == ScopeKind::Mod);
    all.map(|s| s.name.to_string()).collect()
}

/// As [`run`], every test with these mods in force, too: what fails then is what they change.
pub fn run_under(game: &Game, filter: Option<&str>, mods: &[String]) -> Vec<TestResult> {
    let wanted: Vec<(usize, &Test)> = game
        .model()
        .tests
        .iter()
        .enumerate()
        .filter(|(_, t)| filter.is_none_or(|f| t.title.to_lowercase().contains(&f.to_lowercase())))
        .collect();
    wanted.par_iter().map(|(i, t)| one(game, *i, t, mods)).collect()
}

fn one(game: &Game, index: usize, t: &Test, mods: &[String]) -> TestResult {
    let begun = Instant::now();
    let failure = play(game, index, t, mods).err().map(|w| Failure {
        place: game.files().place(w.span),
        span: w.span,
        message: w.message,
    });
    let file = game.files().get(t.span.file).map_or_else(String::new, |f| f.name.clone());
    TestResult { title: t.title.to_string(), file, span: t.span, failure, time: begun.elapsed() }
}

/// Something in a test that was not so.
pub(super) struct Wrong {
    pub span: Span,
    pub message: String,
}

fn play(game: &Game, index: usize, t: &Test, mods: &[String]) -> Result<(), Wrong> {
    if let Some(refused) = &t.refused {
        return set_up_refused(game, t, refused, mods);
    }
    let program = made_under(game, index, t, mods)?;
    play_made(game, &program, t, &Limits::default())
}

/// Whether a set-up is refused, for the reason that is named.
fn set_up_refused(game: &Game, t: &Test, refused: &Refused, mods: &[String]) -> Result<(), Wrong> {
    let setup = set_up(game, t, mods)?;
    let Err(report) = resolve(game.model(), &setup) else {
        return wrong(refused.span, "this set-up is not refused");
    };
    let told: Vec<&str> = report.findings.iter().map(|d| d.message.as_str()).collect();
    match &refused.because {
        Some(text) if !told.iter().any(|m| m.contains(&**text)) => {
            wrong(refused.span, format!("it is refused for another reason: {}", told.join("; ")))
        }
        _ => Ok(()),
    }
}

/// How far a test may go.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Steps of the machine between two questions; none is as many as in a game.
    pub stretch: Option<u64>,
    /// Steps of a test, and choices of `run to`.
    pub steps: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { stretch: None, steps: STEPS }
    }
}

/// How a test went, where nothing else matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lot {
    /// All was so.
    Passed,
    /// Something was not, or the rules failed.
    Failed,
    /// It could not be begun: what it stands on cannot be played.
    Unplayable,
}

/// Plays a test by its number.
pub fn lot(game: &Game, index: usize, limits: &Limits) -> Lot {
    let Some(t) = game.model().tests.get(index) else { return Lot::Unplayable };
    if let Some(refused) = &t.refused {
        let held = set_up_refused(game, t, refused, &[]).is_ok();
        return if held { Lot::Passed } else { Lot::Failed };
    }
    let Ok(program) = made(game, index, t) else { return Lot::Unplayable };
    match play_made(game, &program, t, limits) {
        Ok(()) => Lot::Passed,
        Err(_) => Lot::Failed,
    }
}

/// Plays a test by its number on code that tells where it has been, and notes what it reaches, whether it passes or not.
pub fn covered(game: &Game, index: usize, reached: &mut Reached) {
    let game = game.with_lowering(LowerOptions { lift: false, fuse: false, cover: true, ..game.lowering() });
    let Some(t) = game.model().tests.get(index) else { return };
    let Ok(program) = made(&game, index, t) else { return };
    let Ok(plan) = plan_of(&program, t) else { return };
    let (first, last) = t.seeds.unwrap_or((1, 1));
    for seed in (first..=last).take(SEEDS as usize) {
        let Ok(mut run) = Run::new(&game, program.clone(), u64::from(seed), t.span) else { return };
        run.reached = Some(std::mem::take(reached));
        let ended = run.steps(plan);
        *reached = run.reached.take().unwrap_or_default();
        reached.places(&run.machine);
        if ended.is_err() {
            return;
        }
    }
}

/// Limits within which all tests of a game pass that pass at all: tight ones if they are enough, so that what never ends is soon over.
pub fn limits(game: &Game) -> Limits {
    let tight = Limits { stretch: Some(50_000), steps: 2_000 };
    let fits = |i: usize| lot(game, i, &tight) == Lot::Passed;
    if (0..game.model().tests.len()).into_par_iter().all(fits) { tight } else { Limits::default() }
}

/// The program of a test.
fn made(game: &Game, index: usize, t: &Test) -> Result<Arc<Program>, Wrong> {
    made_under(game, index, t, &[])
}

fn made_under(game: &Game, index: usize, t: &Test, mods: &[String]) -> Result<Arc<Program>, Wrong> {
    program_of(game, index, t, &set_up(game, t, mods)?)
}

/// What a test stands on, with these mods besides its own, and with its options.
fn set_up(game: &Game, t: &Test, mods: &[String]) -> Result<Setup, Wrong> {
    let mut setup = setup_of(game, t);
    let own = setup.mods.get_or_insert_default();
    own.extend(mods.iter().filter(|m| !own.contains(m)).cloned().collect::<Vec<_>>());
    optioned(game, t, &setup)
}

fn play_made(game: &Game, program: &Arc<Program>, t: &Test, limits: &Limits) -> Result<(), Wrong> {
    let plan = plan_of(program, t)?;
    let (first, last) = t.seeds.unwrap_or((1, 1));
    if last.saturating_sub(first) >= SEEDS {
        return wrong(t.span, format!("a test runs for at most {SEEDS} seeds"));
    }
    for seed in first..=last {
        let mut run = Run::new(game, program.clone(), u64::from(seed), t.span)?;
        run.most = limits.steps;
        if let Some(steps) = limits.stretch {
            run.machine.set_budget(steps);
        }
        run.steps(plan).map_err(|w| match t.seeds {
            Some(_) => Wrong { message: format!("{} (seed {seed})", w.message), ..w },
            None => w,
        })?;
    }
    Ok(())
}

/// Plays a test to its end and hands the machine over with all that stands in it, and what chance brought: a match that begins in a given position. What the test leaves open (scenario,
/// players, mods, options) is as the set-up has it.
///
/// # Errors
/// No such test, or why it cannot be played.
pub fn given(game: &Game, title: &str, setup: &Setup) -> Result<(Machine, Setup, Vec<Chanced>), Failure> {
    let wrong = |w: Wrong| Failure { place: game.files().place(w.span), span: w.span, message: w.message };
    let found = game.model().tests.iter().enumerate().find(|(_, t)| *t.title == *title);
    let Some((index, t)) = found else {
        let message = format!("there is no test “{title}”");
        return Err(wrong(Wrong { span: Span::default(), message }));
    };
    let own = setup_of(game, t);
    let mut variants = setup.variants.clone();
    variants.extend(own.variants.into_iter().filter(|v| !setup.variants.contains(v)));
    let (players, names) = match t.cast.is_empty() {
        true => (setup.players, setup.names.clone()),
        false => (own.players, own.names),
    };
    let scenario = own.scenario.or_else(|| setup.scenario.clone());
    let setup = Setup { scenario, variants, players, names, ..setup.clone() };
    let setup = optioned(game, t, &setup).map_err(wrong)?;
    let program = program_of(game, index, t, &setup).map_err(wrong)?;
    let plan = plan_of(&program, t).map_err(wrong)?;
    let mut run = Run::new(game, program.clone(), setup.seed, t.span).map_err(wrong)?;
    run.machine.tell_chance(true);
    run.steps(plan).map_err(wrong)?;
    let mut machine = run.machine;
    let lots = machine.take_chance();
    machine.tell_chance(false);
    machine.record(true);
    Ok((machine, setup, lots))
}

fn plan_of<'p>(program: &'p Program, t: &Test) -> Result<&'p TestPlan, Wrong> {
    let missing = || Wrong { span: t.span, message: String::from("this test was not made into code") };
    program.tests.first().ok_or_else(missing)
}

/// The set-up with the options that the test sets.
fn optioned(game: &Game, t: &Test, setup: &Setup) -> Result<Setup, Wrong> {
    let told = |d: Box<Diagnostic>| Wrong { span: d.at.span, message: d.message };
    with_options(game.model(), setup, &t.options).map_err(told)
}

fn program_of(game: &Game, index: usize, t: &Test, setup: &Setup) -> Result<Arc<Program>, Wrong> {
    let first = |r: Report| {
        let d = r.findings.into_iter().next();
        Wrong {
            span: d.as_ref().map_or(t.span, |d| d.at.span),
            message: d.map_or_else(String::new, |d| d.message),
        }
    };
    let set = resolve(game.model(), setup).map_err(first)?;
    game.with_lowering(LowerOptions { test: Some(index), ..game.lowering() }).lower(&set).map_err(first)
}

/// What a test stands on: its scenario, its cast, its variants, and the mod that it is written in.
fn setup_of(game: &Game, t: &Test) -> Setup {
    let m = game.model();
    let word = |id: ScopeId| m.scopes.get(id.index()).map(|s| s.name.to_string());
    let mut s = Setup { scenario: t.scenario.and_then(word), ..Setup::default() };
    s.variants.extend(t.variants.iter().filter_map(|v| word(*v)));
    let mut mods = Vec::new();
    // What a test stands in is in force for it, and what that stands in.
    let mut at = Some(t.scope);
    while let Some(scope) = at.and_then(|id| m.scopes.get(id.index())) {
        let name = scope.name.to_string();
        match scope.kind {
            ScopeKind::Mod => mods.push(name),
            ScopeKind::Variant if !s.variants.contains(&name) => s.variants.push(name),
            ScopeKind::Scenario if s.scenario.is_none() => s.scenario = Some(name),
            _ => {}
        }
        at = scope.parent.filter(|p| Some(*p) != at);
    }
    s.mods = Some(mods);
    if !t.cast.is_empty() {
        s.players = Some(t.cast.len() as u32);
        let own =
            m.named_players().filter_map(|id| m.members.get(id.index())).any(|x| t.cast.contains(&x.name));
        if !own {
            s.names = t.cast.iter().map(ToString::to_string).collect();
        }
    }
    s
}

/// A test on its way.
struct Run {
    machine: Machine,
    program: Arc<Program>,
    /// What the test has named, in words.
    locals: Vec<u64>,
    /// A statement of the test waits for an answer; when it has ended, the names are had from its results.
    held: bool,
    log: Vec<String>,
    /// Where menus with clocks could last be left.
    ways: LastWays,
    /// Steps and choices that it may take.
    most: usize,
    /// What was in play, if that is wanted.
    reached: Option<Reached>,
}

impl Run {
    fn new(game: &Game, program: Arc<Program>, seed: u64, span: Span) -> Result<Run, Wrong> {
        let mut machine = game.machine(program.clone(), seed);
        machine.record(true);
        machine.start_bare().map_err(|f| fault(&f, &program, span))?;
        Ok(Run {
            machine,
            program,
            locals: Vec::new(),
            ways: LastWays::default(),
            held: false,
            log: Vec::new(),
            most: STEPS,
            reached: None,
        })
    }

    fn steps(&mut self, plan: &TestPlan) -> Result<(), Wrong> {
        self.locals = vec![0; plan.locals as usize];
        let (mut at, mut taken) = (0, 0);
        while let Some(op) = plan.steps.get(at) {
            taken += 1;
            if taken > self.most {
                return Err(Wrong { span: op.span, message: format!("no end after {} steps", self.most) });
            }
            at = self.step(op)?.unwrap_or(at + 1);
            if let Some(reached) = &mut self.reached {
                reached.things(&self.machine);
            }
            self.log.extend(self.machine.take_events().iter().filter_map(|e| e.text(None)));
        }
        Ok(())
    }

    /// One step; says where to go on if not at the next.
    fn step(&mut self, op: &TestOp) -> Result<Option<usize>, Wrong> {
        let span = op.span;
        match &op.kind {
            TestOpKind::Do(f) => {
                let mut out = vec![0; self.locals.len()];
                let args = self.locals.clone();
                let ended = self
                    .machine
                    .run_aside(*f, NONE, &args, &mut out)
                    .map_err(|e| fault(&e, &self.program, span))?;
                // A statement that asked before and still waits goes on waiting.
                self.held = if ended { self.held && self.machine.is_waiting() } else { true };
                if ended {
                    self.locals = out;
                }
            }
            TestOpKind::Start(f) => {
                self.machine
                    .run_effect(*f, NONE, &[], &mut [])
                    .map_err(|e| fault(&e, &self.program, span))?;
                self.held = false;
                self.invariants(span)?;
            }
            TestOpKind::Jump(to) => return Ok(Some(*to)),
            TestOpKind::JumpUnless(f, to) => {
                if !self.truth(*f, span)? {
                    return Ok(Some(*to));
                }
            }
            TestOpKind::Expect(f) => {
                if !self.truth(*f, span)? {
                    return wrong(span, "this does not hold");
                }
            }
            TestOpKind::ExpectOver(who, verdict, because) => {
                self.over(*who, *verdict, because.as_deref(), span)?
            }
            TestOpKind::Answer(who, a) => {
                let (q, choice) = self.choice(*who, a, span)?;
                self.ways.note(&mut self.machine, q).map_err(|f| fault(&f, &self.program, span))?;
                match self.machine.choose(q, &choice) {
                    Ok(()) => {}
                    Err(Refusal::NotPending) => return wrong(span, "nothing is asked"),
                    Err(Refusal::Fault(f)) => return Err(fault(&f, &self.program, span)),
                    Err(Refusal::Illegal(reasons)) => {
                        let told: Vec<String> =
                            reasons.into_iter().map(|r| r.text).filter(|t| !t.is_empty()).collect();
                        let why =
                            if told.is_empty() { String::new() } else { format!(": {}", told.join("; ")) };
                        let open = self.on_offer(q);
                        return wrong(span, format!("this is refused{why}; on offer: {open}"));
                    }
                }
                self.answered(span)?;
            }
            TestOpKind::TimeUp(who) => {
                let q = self.question(*who, span)?;
                let mut ways = std::mem::take(&mut self.ways);
                let up = ways.time_up(&mut self.machine, q);
                self.ways = ways;
                match up {
                    Ok(()) => {}
                    Err(Refusal::NotPending) => return wrong(span, "nothing is asked"),
                    Err(Refusal::Fault(f)) => return Err(fault(&f, &self.program, span)),
                    Err(Refusal::Illegal(reasons)) => {
                        let told: Vec<String> = reasons.into_iter().map(|r| r.text).collect();
                        return wrong(span, told.join("; "));
                    }
                }
                self.answered(span)?;
            }
            TestOpKind::Refuse(who, a, because) => self.refused(*who, a, because.as_deref(), span)?,
            TestOpKind::Offered(who, all) => self.offered(*who, all, span)?,
            TestOpKind::Asked(who, text) => {
                let q = self.question(*who, span)?;
                let prompt = self.machine.prompt(q);
                if !prompt.contains(&**text) {
                    return wrong(span, format!("“{prompt}” is asked"));
                }
            }
            TestOpKind::Logged(all) => {
                let mut lines = self.log.iter();
                for text in all {
                    if !lines.any(|l| l.contains(&**text)) {
                        let tail: Vec<&str> =
                            self.log.iter().rev().take(12).rev().map(String::as_str).collect();
                        return wrong(
                            span,
                            format!(
                                "“{text}” is not in the log, or not in this order; it ends: {}",
                                tail.join(" / ")
                            ),
                        );
                    }
                }
            }
            TestOpKind::RunTo(scope, arg) => self.run_to(*scope, *arg, span)?,
            TestOpKind::Rolls(_, all) => {
                let mut rolls = Vec::new();
                for f in all {
                    rolls.push(match f {
                        TestRoll::Number(f) => self.number(*f, span)? as u64,
                        TestRoll::Sides(c, k) => TestRoll::SIDES | u64::from(*c) << 32 | u64::from(*k),
                    });
                }
                self.machine.rig(&rolls);
            }
            TestOpKind::Draws(all) => {
                let mut draws = Vec::new();
                for d in all {
                    draws.push(self.said(d, span)?);
                }
                self.machine.order_draws(&draws);
            }
            TestOpKind::Shuffles(place, all) => {
                let place = self.number(*place, span)?;
                let top = self.said(all, span)?;
                match usize::try_from(place) {
                    Ok(place) => self.machine.order_shuffle(place, &top),
                    Err(_) => return wrong(span, "there is no such place"),
                }
            }
        }
        Ok(None)
    }

    /// What chance is to bring, as the engine takes it.
    fn said(&mut self, all: &[TestDraw], span: Span) -> Result<Vec<Said>, Wrong> {
        let mut out = Vec::new();
        for d in all {
            let (f, show) = match d {
                TestDraw::Sides(c, k) => {
                    out.push(Said::Sides(*c, *k));
                    continue;
                }
                TestDraw::Value(f, show) => (*f, *show),
            };
            let value = self.value(f, span)?;
            let first = value.first().map_or(NONE, |w| *w as i64);
            match show {
                Show::Thing(_) | Show::Number if first == NONE => {
                    return wrong(span, "nothing is named here that chance could bring");
                }
                Show::Thing(u) => out.push(Said::Thing(u, first)),
                Show::Number => out.push(Said::Number(first)),
                Show::Set(u) => {
                    let numbers = matches!(
                        self.program.universes.get(u.index()).map(|u| &u.sort),
                        Some(UniverseSort::Numbers { .. })
                    );
                    let lo = low(&self.program, u);
                    out.extend(bits(&value).map(|i| i as i64 + lo).map(|v| match numbers {
                        true => Said::Number(v),
                        false => Said::Thing(u, v),
                    }));
                }
                _ => return wrong(span, "chance brings things and numbers, not this"),
            }
        }
        Ok(out)
    }

    /// After an answer: the names of a statement that has ended, and what must hold.
    fn answered(&mut self, span: Span) -> Result<(), Wrong> {
        if self.held && !self.machine.is_waiting() {
            let results = self.machine.results();
            for (l, r) in self.locals.iter_mut().zip(results) {
                *l = *r;
            }
            self.held = false;
        }
        self.invariants(span)
    }

    /// A pure function of the test's names; its results in words.
    fn value(&mut self, f: FuncId, span: Span) -> Result<Vec<u64>, Wrong> {
        let words = self.program.funcs.get(f.index()).map_or(1, |f| f.results as usize);
        let mut out = vec![0; words.max(1)];
        let args = self.locals.clone();
        self.machine.eval(f, &args, &mut out).map_err(|e| fault(&e, &self.program, span))?;
        Ok(out)
    }

    fn number(&mut self, f: FuncId, span: Span) -> Result<i64, Wrong> {
        Ok(self.value(f, span)?.first().map_or(NONE, |w| *w as i64))
    }

    fn truth(&mut self, f: FuncId, span: Span) -> Result<bool, Wrong> {
        Ok(!matches!(self.number(f, span)?, 0 | NONE))
    }

    /// The question put to a player, or to anybody.
    fn question(&mut self, who: Option<FuncId>, span: Span) -> Result<usize, Wrong> {
        let player = match who {
            Some(f) => Some(self.number(f, span)?),
            None => None,
        };
        let all = self.machine.questions();
        // What is put to the table is answered by it, or by any player whose seat may.
        let own = |p: i64| all.iter().position(|q| !q.anybody && p == i64::from(q.player));
        let may = |p: i64| {
            let seats =
                usize::try_from(p).ok().and_then(|p| self.program.answered.get(p)).copied().unwrap_or(0);
            all.iter().position(|q| q.anybody && q.seats & seats != 0)
        };
        let found = match player {
            Some(p) => own(p).or_else(|| may(p)),
            None => all.iter().position(|q| q.anybody).or((!all.is_empty()).then_some(0)),
        };
        match found {
            Some(q) => Ok(q),
            None if all.is_empty() && self.machine.is_over() => wrong(span, "the game is over"),
            None if all.is_empty() => wrong(span, "nothing is asked"),
            None => {
                let p = &self.program;
                let who: Vec<String> = all
                    .iter()
                    .map(|q| match q.anybody {
                        true => String::from("table"),
                        false => crate::engine::thing_word(p, p.player_universe, i64::from(q.player)),
                    })
                    .collect();
                wrong(span, format!("another one is asked: {}", who.join(", ")))
            }
        }
    }

    fn options(&mut self, q: usize, span: Span) -> Result<Options, Wrong> {
        let p = self.program.clone();
        self.machine.options(q).cloned().map_err(|f| fault(&f, &p, span))
    }

    fn choice(&mut self, who: Option<FuncId>, a: &TestAnswer, span: Span) -> Result<(usize, Choice), Wrong> {
        let q = self.question(who, span)?;
        let options = self.options(q, span)?;
        let values = match a {
            TestAnswer::Action(_, args) => {
                let mut all = Vec::new();
                for (f, _) in args {
                    all.push(self.value(*f, span)?);
                }
                all
            }
            TestAnswer::Value(f, _) => vec![self.value(*f, span)?],
            _ => Vec::new(),
        };
        let Some(question) = self.machine.questions().get(q) else { return wrong(span, "nothing is asked") };
        let wording = Wording { look: self.machine.look(), question, options: &options };
        match answer_of(&wording, a, &values) {
            Ok(c) => Ok((q, c)),
            Err(message) => wrong(span, message),
        }
    }

    fn refused(
        &mut self,
        who: Option<FuncId>,
        a: &TestAnswer,
        because: Option<&str>,
        span: Span,
    ) -> Result<(), Wrong> {
        let (q, choice) = self.choice(who, a, span)?;
        let options = self.options(q, span)?;
        if options.index_of(&choice).is_some() {
            return wrong(span, "this is not refused");
        }
        let reasons = self.machine.why_not_choice(q, &choice);
        if reasons.is_empty() {
            return wrong(span, "this is not refused: something that cannot be told from it is on offer");
        }
        match because {
            Some(text) if !reasons.iter().any(|r| r.text.contains(text)) => {
                let told: Vec<String> =
                    reasons.into_iter().map(|r| r.text).filter(|t| !t.is_empty()).collect();
                let told = if told.is_empty() { String::from("no reason is given") } else { told.join("; ") };
                wrong(span, format!("it is refused for another reason: {told}"))
            }
            _ => Ok(()),
        }
    }

    fn offered(&mut self, who: Option<FuncId>, all: &[TestAnswer], span: Span) -> Result<(), Wrong> {
        let q = self.question(who, span)?;
        let options = self.options(q, span)?;
        let mut named = Vec::new();
        for a in all {
            let (_, c) = self.choice(who, a, span)?;
            match options.index_of(&c) {
                Some(k) if !named.contains(&k) => named.push(k),
                Some(_) => {}
                None => {
                    let open = self.on_offer(q);
                    return wrong(span, format!("not all of these are on offer; on offer: {open}"));
                }
            }
        }
        if named.len() as u64 != options.count() {
            let open = self.on_offer(q);
            return wrong(span, format!("more is on offer: {open}"));
        }
        Ok(())
    }

    /// What is on offer, in words, for messages.
    fn on_offer(&mut self, q: usize) -> String {
        let Ok(options) = self.machine.options(q).cloned() else { return String::from("?") };
        let Some(question) = self.machine.questions().get(q) else { return String::from("nothing") };
        let wording = Wording { look: self.machine.look(), question, options: &options };
        let mut out: Vec<String> = options.iter().take(20).map(|c| wording.text(&c)).collect();
        if options.count() > 20 {
            out.push(format!("… ({} in all)", options.count()));
        }
        if out.is_empty() { String::from("nothing") } else { out.join(", ") }
    }

    fn over(
        &mut self,
        who: Option<FuncId>,
        verdict: VerdictCode,
        because: Option<&str>,
        span: Span,
    ) -> Result<(), Wrong> {
        let player = match who {
            Some(f) => usize::try_from(self.number(f, span)?).ok(),
            None => None,
        };
        if !self.machine.is_over() {
            return wrong(span, "the game is not over");
        }
        let Some(outcome) = self.machine.outcome().cloned() else {
            return wrong(span, "the game has no result");
        };
        let wanted = match verdict {
            VerdictCode::Win => Verdict::Won,
            VerdictCode::Lose => Verdict::Lost,
            VerdictCode::Tie => Verdict::Tied,
        };
        let fits = match player {
            Some(p) => outcome.verdicts.get(p) == Some(&wanted),
            None => !outcome.verdicts.is_empty() && outcome.verdicts.iter().all(|v| *v == wanted),
        };
        let p = &self.program;
        let told: Vec<String> = outcome
            .verdicts
            .iter()
            .enumerate()
            .map(|(i, v)| {
                let name = crate::engine::thing_word(p, p.player_universe, i as i64);
                format!("{name} {}", verdict_word(*v))
            })
            .collect();
        if !fits {
            return wrong(span, format!("it ended otherwise: {}", told.join(", ")));
        }
        match because {
            Some(text) if !outcome.text.contains(text) => {
                wrong(span, format!("the reason is another one: “{}”", outcome.text))
            }
            _ => Ok(()),
        }
    }

    /// Takes the first option again and again until the scope has passed.
    fn run_to(&mut self, scope: LeaseScope, arg: Option<FuncId>, span: Span) -> Result<(), Wrong> {
        let arg = match arg {
            Some(f) => self.number(f, span)?,
            None => NONE,
        };
        let start = self.clock();
        for _ in 0..self.most {
            if self.machine.is_over() || self.passed(scope, arg, &start) {
                return Ok(());
            }
            // What was started has ended, and with it whatever was to end in it.
            if !self.machine.is_waiting() {
                return Ok(());
            }
            let first = match self.machine.options(0) {
                Ok(o) => o.nth(0),
                Err(f) => return Err(fault(&f, &self.program, span)),
            };
            let Some(choice) = first else { return wrong(span, "nothing is asked any more") };
            match self.machine.choose(0, &choice) {
                Ok(()) => {}
                Err(Refusal::Fault(f)) => return Err(fault(&f, &self.program, span)),
                Err(_) => return wrong(span, "the first option is refused"),
            }
            self.invariants(span)?;
        }
        wrong(span, format!("this is not reached within {} choices", self.most))
    }

    fn clock(&mut self) -> Clock {
        let turns = self.machine.view(0).turns;
        let state = self.machine.state();
        Clock { round: state.round(), turns, phases: state.phases().collect() }
    }

    fn passed(&mut self, scope: LeaseScope, arg: i64, start: &Clock) -> bool {
        let now = self.clock();
        match scope {
            LeaseScope::Turn => now.turns > start.turns,
            LeaseScope::Round => now.round > start.round,
            LeaseScope::NextRound => now.round > start.round + 1,
            LeaseScope::Phase => start.phases.last().is_some_and(|p| !now.phases.contains(p)),
            LeaseScope::PhaseNamed => !now.phases.iter().any(|p| i64::from(*p) == arg),
            LeaseScope::Game => false,
            LeaseScope::StartOfTurn => {
                now.turns > start.turns && self.machine.state().turn().is_some_and(|t| t as i64 == arg)
            }
        }
    }

    /// What must hold between any two choices; behind the last one of a game nothing must.
    fn invariants(&mut self, span: Span) -> Result<(), Wrong> {
        if self.machine.is_over() {
            return Ok(());
        }
        match broken_invariant(&mut self.machine) {
            Ok(None) => Ok(()),
            Ok(Some(title)) => wrong(span, format!("after this the invariant “{title}” does not hold")),
            Err(f) => Err(fault(&f, &self.program, span)),
        }
    }
}

struct Clock {
    round: i32,
    turns: i32,
    phases: Vec<u16>,
}

/// The title of an invariant that does not hold now.
///
/// # Errors
/// What went wrong while it was judged.
pub fn broken_invariant(machine: &mut Machine) -> Result<Option<String>, Fault> {
    let p = machine.program().clone();
    for i in &p.invariants {
        let mut out = [0];
        machine.eval(i.func, &[], &mut out)?;
        if out == [0] {
            return Ok(Some(i.title.to_string()));
        }
    }
    Ok(None)
}

/// `won`, `lost`, `tied`.
pub fn verdict_word(v: Verdict) -> &'static str {
    match v {
        Verdict::Won => "won",
        Verdict::Lost => "lost",
        Verdict::Tied => "tied",
    }
}

fn wrong<T>(span: Span, message: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong { span, message: message.into() })
}

fn fault(f: &Fault, p: &Program, span: Span) -> Wrong {
    let d = fault_finding(f, p);
    let span = if f.span == Span::default() { span } else { f.span };
    let mut message = format!("the rules fail: {}", d.message);
    for frame in f.frames.iter().take(6) {
        let _ = write!(message, ", in `{}`", frame.name);
    }
    Wrong { span, message }
}

/// The results as JUnit XML, one suite a file, for machines that show tests.
pub fn junit(results: &[TestResult]) -> String {
    let mut files: Vec<&str> = Vec::new();
    for r in results {
        if !files.contains(&r.file.as_str()) {
            files.push(&r.file);
        }
    }
    let failed = results.iter().filter(|r| r.failure.is_some()).count();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites tests=\"{}\" failures=\"{failed}\">", results.len());
    for file in files {
        let of: Vec<&TestResult> = results.iter().filter(|r| r.file == file).collect();
        let failed = of.iter().filter(|r| r.failure.is_some()).count();
        let time: Duration = of.iter().map(|r| r.time).sum();
        let _ = writeln!(
            out,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failed}\" time=\"{:.3}\">",
            xml(file),
            of.len(),
            time.as_secs_f64()
        );
        for r in of {
            let head = format!(
                "    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3}\"",
                xml(&r.title),
                xml(file),
                r.time.as_secs_f64()
            );
            match &r.failure {
                None => {
                    let _ = writeln!(out, "{head}/>");
                }
                Some(f) => {
                    let _ = writeln!(
                        out,
                        "{head}>\n      <failure message=\"{}\">{}</failure>\n    </testcase>",
                        xml(&f.message),
                        xml(&f.to_string())
                    );
                }
            }
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// A text as XML can hold it: marks escaped, control characters left out.
fn xml(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junit_escapes_and_counts() {
        let result = |title: &str, failure: Option<&str>| TestResult {
            title: title.into(),
            file: "a.rules".into(),
            span: Span::default(),
            failure: failure.map(|m| Failure {
                span: Span::default(),
                place: "a.rules:3:4".into(),
                message: m.into(),
            }),
            time: Duration::from_millis(1500),
        };
        let xml = junit(&[result("a < b", None), result("c", Some("\"x\" & y\u{1}"))]);
        assert!(xml.contains("tests=\"2\" failures=\"1\""), "{xml}");
        assert!(xml.contains("name=\"a &lt; b\" classname=\"a.rules\" time=\"1.500\"/>"), "{xml}");
        assert!(
            xml.contains("message=\"&quot;x&quot; &amp; y\">a.rules:3:4: &quot;x&quot; &amp; y</failure>"),
            "{xml}"
        );
    }
}
