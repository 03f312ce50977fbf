//! Runs the `test` blocks of a game: each with its own set-up, once for each of its seeds.
mod junit;
mod steps;

use super::reached::Reached;
use houserule_engine::{Chanced, Fault, Machine, State, Verdict};
use houserule_model::hir::{Refused, ScopeKind, Test};
use houserule_play::codes;
use houserule_play::judge::judge_start;
use houserule_play::{Game, Setup, resolve_setup, setup_of_test, with_options};
use houserule_program::ir::{Program, TestPlan};
use houserule_program::{LowerOptions, PassSet, Resolved};
use houserule_text::{Diagnostic, Report, Span};
use rayon::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};
use steps::Run;

pub use junit::to_junit;

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
    /// The title of the mod under which it failed, as that mod expects: `expects to break "…"`. Then it has not failed.
    pub broken_by: Option<String>,
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
pub fn mod_names(game: &Game) -> Vec<String> {
    let all = game.model().scopes.iter().filter(|s| s.kind == ScopeKind::Mod);
    all.map(|s| s.name.to_string()).collect()
}

/// As [`run`], every test with these mods in force, too: what fails then is what they change.
pub fn run_under(game: &Game, filter: Option<&str>, mods: &[String]) -> Vec<TestResult> {
    run_where(game, |t| filter.is_none_or(|f| t.title.to_lowercase().contains(&f.to_lowercase())), mods)
}

/// As [`run_under`], of the tests that are wanted.
pub fn run_where(game: &Game, wanted: impl Fn(&Test) -> bool, mods: &[String]) -> Vec<TestResult> {
    let tests = game.model().tests.iter().enumerate();
    let wanted: Vec<(usize, &Test)> = tests.filter(|(_, t)| wanted(t)).collect();
    wanted.par_iter().map(|(i, t)| run_one(game, *i, t, mods)).collect()
}

fn run_one(game: &Game, index: usize, t: &Test, mods: &[String]) -> TestResult {
    let begun = Instant::now();
    let to_failure = |span: Span, message: String| Failure { place: game.files().place(span), span, message };
    let mut failure = play_test(game, index, t, mods).err().map(|w| to_failure(w.span, w.message));
    let mut broken_by = None;
    if let Some((title, at)) = find_expected_break(game, t, mods) {
        failure = match failure {
            Some(_) => {
                broken_by = Some(title);
                None
            }
            None => Some(to_failure(at, format!("“{title}” expects this test to break, and it holds"))),
        };
    }
    let file = game.files().get(t.span.file).map_or_else(String::new, |f| f.name.clone());
    TestResult { title: t.title.to_string(), file, span: t.span, failure, broken_by, time: begun.elapsed() }
}

/// The mod in force that expects a test to break, and where it says so. Of a test in the mod itself it cannot say that.
fn find_expected_break(game: &Game, t: &Test, mods: &[String]) -> Option<(String, Span)> {
    let scopes = game.model().scopes.iter().enumerate();
    let in_force = scopes.filter(|(_, s)| s.kind == ScopeKind::Mod && mods.iter().any(|m| **m == *s.name));
    in_force.filter(|(i, _)| t.scope.index() != *i).find_map(|(_, s)| {
        let (_, at) = s.breaks.iter().find(|(title, _)| *title == t.title)?;
        Some((s.title.to_string(), *at))
    })
}

/// Something in a test that was not so.
pub(super) struct TestError {
    pub span: Span,
    pub message: String,
}

fn play_test(game: &Game, index: usize, t: &Test, mods: &[String]) -> Result<(), TestError> {
    if let Some(refused) = &t.refused {
        return set_up_refused(game, t, refused, mods);
    }
    let program = lower_test_with(game, index, t, mods)?;
    play_lowered(game, &program, t, &TestLimits::default())
}

/// Whether a set-up is refused, for the reason that is named.
fn set_up_refused(game: &Game, t: &Test, refused: &Refused, mods: &[String]) -> Result<(), TestError> {
    let setup = set_up(game, t, mods)?;
    let found = match resolve_setup(game.model(), &setup) {
        Ok(set) => find_refusals(game, &set),
        Err(report) => report.findings,
    };
    if found.is_empty() {
        return fail_at(refused.span, "this set-up is not refused");
    }
    let told: Vec<&str> = found.iter().map(|d| d.message.as_str()).collect();
    match &refused.because {
        Some(text) if !told.iter().any(|m| m.contains(&**text)) => {
            fail_at(refused.span, format!("it is refused for another reason: {}", told.join("; ")))
        }
        _ => Ok(()),
    }
}

/// The `needs` that a set-up does not meet: on the drawn maps, or else in `setup`.
fn find_refusals(game: &Game, set: &Resolved) -> Vec<Diagnostic> {
    let Ok((program, mut unmet)) = game.lower_and_judge(set) else { return Vec::new() };
    if unmet.is_empty() {
        unmet = judge_start(&program, game.make_hooks(&program).as_ref(), 1, false);
    }
    unmet.into_iter().map(|u| u.finding).filter(|d| d.code == codes::NEEDS).collect()
}

/// How far a test may go.
#[derive(Clone, Debug)]
pub struct TestLimits {
    /// Steps of the machine between two questions; none is as many as in a game.
    pub stretch: Option<u64>,
    /// Steps of a test, and choices of `run to`.
    pub steps: usize,
}

impl Default for TestLimits {
    fn default() -> Self {
        TestLimits { stretch: None, steps: STEPS }
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
pub fn play_lot(game: &Game, index: usize, limits: &TestLimits) -> Lot {
    let Some(t) = game.model().tests.get(index) else { return Lot::Unplayable };
    if let Some(refused) = &t.refused {
        let held = set_up_refused(game, t, refused, &[]).is_ok();
        return if held { Lot::Passed } else { Lot::Failed };
    }
    let Ok(program) = lower_test(game, index, t) else { return Lot::Unplayable };
    match play_lowered(game, &program, t, limits) {
        Ok(()) => Lot::Passed,
        Err(_) => Lot::Failed,
    }
}

/// Plays a test by its number on code that tells where it has been, and notes what it reaches, whether it passes or not.
pub fn cover_test(game: &Game, index: usize, reached: &mut Reached) {
    let game = game.with_lowering(LowerOptions {
        lift: false,
        passes: PassSet::NONE,
        cover: true,
        ..game.lowering()
    });
    let Some(t) = game.model().tests.get(index) else { return };
    let Ok(program) = lower_test(&game, index, t) else { return };
    let Ok(plan) = plan_of(&program, t) else { return };
    let (first, last) = t.seeds.unwrap_or((1, 1));
    for seed in (first..=last).take(SEEDS as usize) {
        let Ok(mut run) = Run::new(&game, program.clone(), u64::from(seed), t.span) else { return };
        run.reached = Some(std::mem::take(reached));
        let ended = run.run_steps(plan);
        *reached = run.reached.take().unwrap_or_default();
        reached.note_places(&run.machine);
        if ended.is_err() {
            return;
        }
    }
}

/// Plays a test by its number, with its first seed, on a program that is handed over first; after each step somebody looks at it.
pub(super) fn watch_test<W>(
    game: &Game,
    index: usize,
    begin: impl FnOnce(&Setup, &Arc<Program>) -> Option<W>,
    mut look: impl FnMut(&mut W, &State, &Machine, Span, bool),
) -> Option<W> {
    let t = game.model().tests.get(index).filter(|t| t.refused.is_none())?;
    let setup = set_up(game, t, &[]).ok()?;
    let program = lower_for(game, index, t, &setup).ok()?;
    let plan = plan_of(&program, t).ok()?;
    let mut watch = begin(&setup, &program)?;
    let mut run = Run::new(game, program.clone(), u64::from(t.seeds.map_or(1, |(s, _)| s)), t.span).ok()?;
    // How the test ends is not asked here.
    let _ = run
        .run_steps_watched(plan, Some(&mut |before, m, span, held| look(&mut watch, before, m, span, held)));
    Some(watch)
}

/// Limits within which all tests of a game pass that pass at all: tight ones if they are enough, so that what never ends is soon over.
pub fn find_limits(game: &Game) -> TestLimits {
    let tight = TestLimits { stretch: Some(50_000), steps: 2_000 };
    let fits = |i: usize| play_lot(game, i, &tight) == Lot::Passed;
    if (0..game.model().tests.len()).into_par_iter().all(fits) { tight } else { TestLimits::default() }
}

/// The program of a test.
fn lower_test(game: &Game, index: usize, t: &Test) -> Result<Arc<Program>, TestError> {
    lower_test_with(game, index, t, &[])
}

fn lower_test_with(game: &Game, index: usize, t: &Test, mods: &[String]) -> Result<Arc<Program>, TestError> {
    lower_for(game, index, t, &set_up(game, t, mods)?)
}

/// What a test stands on, with these mods besides its own, and with its options.
fn set_up(game: &Game, t: &Test, mods: &[String]) -> Result<Setup, TestError> {
    let mut setup = setup_of_test(game.model(), t);
    let own = setup.mods.get_or_insert_default();
    own.extend(mods.iter().filter(|m| !own.contains(m)).cloned().collect::<Vec<_>>());
    with_options_of(game, t, &setup)
}

fn play_lowered(game: &Game, program: &Arc<Program>, t: &Test, limits: &TestLimits) -> Result<(), TestError> {
    let plan = plan_of(program, t)?;
    let (first, last) = t.seeds.unwrap_or((1, 1));
    if last.saturating_sub(first) >= SEEDS {
        return fail_at(t.span, format!("a test runs for at most {SEEDS} seeds"));
    }
    for seed in first..=last {
        let mut run = Run::new(game, program.clone(), u64::from(seed), t.span)?;
        run.most = limits.steps;
        if let Some(steps) = limits.stretch {
            run.machine.set_budget(steps);
        }
        run.run_steps(plan).map_err(|w| match t.seeds {
            Some(_) => TestError { message: format!("{} (seed {seed})", w.message), ..w },
            None => w,
        })?;
    }
    Ok(())
}

/// A test that a match can begin with, compiled for a set-up.
pub struct GivenPlan {
    index: usize,
    program: Arc<Program>,
    setup: Setup,
}

/// An error of a test with its place in words.
fn to_failure(game: &Game, w: TestError) -> Failure {
    Failure { place: game.files().place(w.span), span: w.span, message: w.message }
}

/// Compiles a test for [`play_given`]. What the test leaves open (scenario, players, mods, options) is as the set-up has it.
///
/// # Errors
/// No such test, or why its set-up cannot be played.
pub fn prepare_given(game: &Game, title: &str, setup: &Setup) -> Result<GivenPlan, Failure> {
    let wrong = |w: TestError| to_failure(game, w);
    let found = game.model().tests.iter().enumerate().find(|(_, t)| *t.title == *title);
    let Some((index, t)) = found else {
        let message = format!("there is no test “{title}”");
        return Err(wrong(TestError { span: Span::default(), message }));
    };
    let own = setup_of_test(game.model(), t);
    let mut variants = setup.variants.clone();
    variants.extend(own.variants.into_iter().filter(|v| !setup.variants.contains(v)));
    let (players, names) = match t.cast.is_empty() {
        true => (setup.players, setup.names.clone()),
        false => (own.players, own.names),
    };
    let scenario = own.scenario.or_else(|| setup.scenario.clone());
    let setup = Setup { scenario, variants, players, names, ..setup.clone() };
    let setup = with_options_of(game, t, &setup).map_err(wrong)?;
    let program = lower_for(game, index, t, &setup).map_err(wrong)?;
    Ok(GivenPlan { index, program, setup })
}

/// Plays a test to its end and hands the machine over with all that stands in it, and what chance brought: a match that begins in a given position.
///
/// # Errors
/// Why it cannot be played.
pub fn play_given(
    game: &Game,
    given: &GivenPlan,
    seed: u64,
) -> Result<(Machine, Setup, Vec<Chanced>), Failure> {
    let wrong = |w: TestError| to_failure(game, w);
    let Some(t) = game.model().tests.get(given.index) else {
        return Err(wrong(TestError {
            span: Span::default(),
            message: String::from("there is no such test"),
        }));
    };
    let plan = plan_of(&given.program, t).map_err(wrong)?;
    let mut run = Run::new(game, given.program.clone(), seed, t.span).map_err(wrong)?;
    run.machine.log_chance(true);
    run.run_steps(plan).map_err(wrong)?;
    let mut machine = run.machine;
    let lots = machine.take_chance();
    machine.log_chance(false);
    machine.record(true);
    Ok((machine, Setup { seed, ..given.setup.clone() }, lots))
}

fn plan_of<'p>(program: &'p Program, t: &Test) -> Result<&'p TestPlan, TestError> {
    let missing = || TestError { span: t.span, message: String::from("this test was not made into code") };
    program.tests.iter().find(|plan| plan.span == t.span).ok_or_else(missing)
}

/// The set-up with the options that the test sets.
fn with_options_of(game: &Game, t: &Test, setup: &Setup) -> Result<Setup, TestError> {
    let told = |d: Box<Diagnostic>| TestError { span: d.at.span, message: d.message };
    with_options(game.model(), setup, &t.options).map_err(told)
}

fn lower_for(game: &Game, index: usize, t: &Test, setup: &Setup) -> Result<Arc<Program>, TestError> {
    let first = |r: Report| {
        let d = r.findings.into_iter().next();
        TestError {
            span: d.as_ref().map_or(t.span, |d| d.at.span),
            message: d.map_or_else(String::new, |d| d.message),
        }
    };
    let set = resolve_setup(game.model(), setup).map_err(first)?;
    game.lower_test(&set, index).map_err(first)
}

/// The title of an invariant that does not hold now.
///
/// # Errors
/// What went wrong while it was judged.
pub fn broken_invariant(machine: &mut Machine) -> Result<Option<String>, Fault> {
    let broken = machine.find_broken_invariant()?;
    Ok(broken.and_then(|i| machine.program().invariants.get(i)).map(|i| i.title.to_string()))
}

/// `won`, `lost`, `tied`.
pub fn verdict_word(v: Verdict) -> &'static str {
    match v {
        Verdict::Won => "won",
        Verdict::Lost => "lost",
        Verdict::Tied => "tied",
    }
}

fn fail_at<T>(span: Span, message: impl Into<String>) -> Result<T, TestError> {
    Err(TestError { span, message: message.into() })
}
