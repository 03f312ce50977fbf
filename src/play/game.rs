//! A loaded game: checked once, compiled for each set-up that is played.
use super::judge::{Unmet, judge_needs, judge_setup, place_finding};
use super::scripts::{Bridge, find_bad_scripts};
use super::setup::{Setup, resolve_setup, setup_of_test, with_options};
use super::setups::{Judged, SetupsToCheck, list_setups_of_start, list_setups_to_check, unplayable};
use houserule_engine::{Hooks, Machine};
use houserule_model::body::secrets;
use houserule_model::{
    self as model,
    hir::{Model, ScopeKind, Test},
};
use houserule_program::ir::Program;
use houserule_program::{Facts, LowerOptions, NOT_DRAWN, PassSet, Resolved, lower, lower_with};
use houserule_text::{Diagnostic, Files, Report, Source, Span};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// A checked game with all that was loaded with it: scenarios, variants, mods, tests. Cloning is cheap.
#[derive(Clone)]
pub struct Game {
    loaded: Arc<Loaded>,
    options: LowerOptions,
}

struct Loaded {
    model: Arc<Model>,
    facts: Facts,
    files: Files,
    warnings: Report,
    /// The answer of [`Game::has_hidden_lots`], once it was asked for.
    hidden_lots: OnceLock<bool>,
    /// For each test all those that stand on the same set-up, once a test was asked for.
    alike: OnceLock<Vec<Arc<[usize]>>>,
    /// What cards say, as far as it was asked for.
    described: Described,
    /// Programs made so far, newest last. Each is made once, also if several threads ask for it.
    programs: Mutex<Vec<(String, Arc<OnceLock<Made>>)>>,
}

/// What faces say, by kind and word.
pub(super) type Described = Mutex<HashMap<(Arc<str>, Arc<str>), Arc<[String]>>>;

/// What became of a set-up.
type Made = Result<CachedProgram, Report>;

/// A program with its scripts.
#[derive(Clone)]
struct CachedProgram {
    program: Arc<Program>,
    hooks: Option<Arc<dyn Hooks>>,
    /// What the rules need that its drawn maps do not have.
    unmet: Vec<Unmet>,
}

/// How many programs are kept: tests change set-ups often, and each is some hundred KB.
const KEPT: usize = 16;

impl Game {
    /// Reads and checks everything that a source holds.
    ///
    /// # Errors
    /// Every finding of all files, if one of them is an error.
    pub fn load(source: &dyn Source) -> Result<Game, Report> {
        Self::load_with_files(source).map_err(|(_, report)| report)
    }

    /// Reads and checks everything that a source holds; errors come with the files that their spans are of.
    ///
    /// # Errors
    /// The files as read and every finding, if one of them is an error.
    pub fn load_with_files(source: &dyn Source) -> Result<Game, (Files, Report)> {
        let checked = model::check(source);
        match checked.model {
            Some(model) if !checked.report.has_errors() => {
                Ok(Self::from_checked(Arc::new(model), checked.files, checked.report))
            }
            _ => Err((checked.files, checked.report)),
        }
    }

    /// A game of a model that was checked without errors: nothing is read or checked again. `files` are those that its spans are of, `warnings` what
    /// was found in them.
    pub fn from_checked(model: Arc<Model>, files: Files, warnings: Report) -> Game {
        let loaded = Loaded {
            facts: Facts::of(&model),
            model,
            files,
            warnings,
            hidden_lots: OnceLock::new(),
            alike: OnceLock::new(),
            described: Described::default(),
            programs: Mutex::default(),
        };
        Game { loaded: Arc::new(loaded), options: LowerOptions::default() }
    }

    /// This game with other options of the compiler. They change no game.
    pub fn with_lowering(&self, options: LowerOptions) -> Game {
        Game { loaded: self.loaded.clone(), options }
    }

    /// Whether hidden things may decide that chance is drawn or that a face becomes known. Then it is a secret whether that has happened.
    pub fn has_hidden_lots(&self) -> bool {
        *self.loaded.hidden_lots.get_or_init(|| secrets::has_hidden_lots(&self.loaded.model))
    }

    /// How it is lowered.
    pub fn lowering(&self) -> LowerOptions {
        self.options
    }

    /// The game's word, as saves name it.
    pub fn name(&self) -> &str {
        &self.loaded.model.name
    }

    /// Its title for people.
    pub fn title(&self) -> &str {
        &self.loaded.model.title
    }

    /// The checked game.
    pub fn model(&self) -> &Model {
        &self.loaded.model
    }

    /// What cards say, as far as it was asked for.
    pub(super) fn described(&self) -> &Described {
        &self.loaded.described
    }

    /// Its files, which spans are of.
    pub fn files(&self) -> &Files {
        &self.loaded.files
    }

    /// What the checker found that is no error.
    pub fn warnings(&self) -> &Report {
        &self.loaded.warnings
    }

    /// Where the hooks of a program of this game are run, if it has any.
    pub fn make_hooks(&self, program: &Arc<Program>) -> Option<Arc<dyn Hooks>> {
        let is_it = |(_, made): &(String, Arc<OnceLock<Made>>)| {
            let made = made.get()?.as_ref().ok()?;
            Arc::ptr_eq(&made.program, program).then(|| made.hooks.clone())
        };
        match self.loaded.programs.lock().ok().and_then(|all| all.iter().find_map(is_it)) {
            Some(hooks) => hooks,
            // No longer kept: compiled again.
            None => Bridge::compile_scripts(program).ok().flatten(),
        }
    }

    /// The program of a set-up.
    ///
    /// # Errors
    /// What is wrong with the set-up, or cannot be lowered.
    pub fn lower_setup(&self, setup: &Setup) -> Result<Arc<Program>, Report> {
        let set = resolve_setup(self.model(), setup)?;
        self.lower_resolved(&set)
    }

    /// The program of a set-up whose names are resolved already; kept for the next time.
    ///
    /// # Errors
    /// What cannot be lowered, and what the rules need that the drawn maps do not have.
    pub fn lower_resolved(&self, set: &Resolved) -> Result<Arc<Program>, Report> {
        match self.lower_and_judge(set)? {
            (program, unmet) if unmet.is_empty() => Ok(program),
            (_, unmet) => Err(Report { findings: unmet.into_iter().map(|u| u.finding).collect() }),
        }
    }

    /// As [`Game::lower_resolved`]; what the rules need that the drawn maps do not have is told beside the program.
    ///
    /// # Errors
    /// What cannot be lowered.
    pub fn lower_and_judge(&self, set: &Resolved) -> Result<(Arc<Program>, Vec<Unmet>), Report> {
        self.make_program(set, &[]).map(|made| (made.program, made.unmet))
    }

    /// The program of a set-up with the code of a test, and of other tests where all stand on the same set-up: one program does for them.
    ///
    /// # Errors
    /// As [`Game::lower_resolved`].
    pub fn lower_test(&self, set: &Resolved, test: usize) -> Result<Arc<Program>, Report> {
        let alike = self.loaded.alike.get_or_init(|| list_tests_alike(self.model())).get(test);
        let all = alike.map(|all| self.make_program(set, all));
        // What is wrong with one test is told of that alone.
        let made = match all {
            Some(Ok(made)) => made,
            _ => self.make_program(set, &[test])?,
        };
        if made.unmet.is_empty() {
            return Ok(made.program);
        }
        Err(Report { findings: made.unmet.into_iter().map(|u| u.finding).collect() })
    }

    /// The program of a set-up with these tests, from those that are kept or made now.
    fn make_program(&self, set: &Resolved, tests: &[usize]) -> Made {
        let key = format!("{set:?} {:?} {tests:?}", self.options);
        let make = || {
            let program = lower_with(self.model(), &self.loaded.facts, set, self.options, tests.to_vec())
                .map_err(|findings| Report { findings })
                .map(Arc::new)?;
            let hooks = Bridge::compile_scripts(&program).map_err(|findings| Report { findings })?;
            let unmet = judge_needs(&program, hooks.as_ref());
            Ok(CachedProgram { program, hooks, unmet })
        };
        let Ok(mut all) = self.loaded.programs.lock() else { return make() };
        let known = all.iter().find(|(k, _)| *k == key).map(|(_, made)| made.clone());
        let made = known.unwrap_or_else(|| {
            if all.len() >= KEPT {
                all.remove(0);
            }
            let made = Arc::new(OnceLock::new());
            all.push((key, made.clone()));
            made
        });
        drop(all);
        made.get_or_init(make).clone()
    }

    /// A machine for a program of this game, nothing run yet.
    pub fn make_machine(&self, program: Arc<Program>, seed: u64) -> Machine {
        let hooks = self.make_hooks(&program);
        let mut m = Machine::new(program, seed);
        if let Some(h) = hooks {
            m.set_hooks(h);
        }
        m
    }
}

/// What is wrong with a checked game's scripts, and what it asks of the engine that it cannot do yet, in the set-ups that are worth checking and those of all tests; what scenarios do not
/// have that the rules need, and how set-ups fail.
pub fn find_unplayable(m: &Model) -> Vec<Diagnostic> {
    find_unplayable_with(m, &run_in_order)
}

/// As [`find_unplayable`], with the set-ups as pieces of work for whoever has threads.
pub fn find_unplayable_with(m: &Model, run: &WorkRunner) -> Vec<Diagnostic> {
    let facts = Facts::of(m);
    let mut out: Vec<Diagnostic> = find_bad_scripts(m);
    judge_setups(m, &facts, list_setups_to_check(m), run, &mut out);
    let tests = group_tests_by_setup(m);
    let found = run(tests.len(), &|i| {
        let Some((set, tests)) = tests.get(i) else { return Vec::new() };
        // Nobody runs this code. What is refused in plain code may be played nevertheless.
        let plain = LowerOptions { dry: true, ..plain_check() };
        match lower_with(m, &facts, set, plain, tests.clone()) {
            Ok(_) => Vec::new(),
            Err(_) => lower_with(m, &facts, set, fast_check(), tests.clone()).err().unwrap_or_default(),
        }
    });
    found.into_iter().for_each(|found| add_findings(m, &mut out, found));
    out
}

/// Of what [`find_unplayable`] finds, that of one start: a scenario, or the game without one.
pub fn find_unplayable_start(m: &Model, scenario: Option<&str>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    judge_setups(m, &Facts::of(m), list_setups_of_start(m, scenario), &run_in_order, &mut out);
    out
}

/// What cannot be said is found while code is made; making it faster finds nothing more.
fn fast_check() -> LowerOptions {
    LowerOptions { passes: PassSet::NONE, ..LowerOptions::default() }
}

/// Code that is made faster than [`fast_check`]'s, and runs slower.
fn plain_check() -> LowerOptions {
    LowerOptions { lift: false, ..fast_check() }
}

fn judge_setups(
    m: &Model,
    facts: &Facts,
    setups: SetupsToCheck,
    run: &WorkRunner,
    out: &mut Vec<Diagnostic>,
) {
    add_findings(m, out, setups.refused);
    let all = setups.all;
    let found = run(all.len(), &|i| {
        let Some((set, judged)) = all.get(i) else { return Vec::new() };
        // Plain code is refused wherever vectorised code is, and made faster. It takes more steps, so what fails in it may do without failing.
        if lower(m, facts, set, plain_check()).is_ok_and(|p| judge_setup(m, set, *judged, p).is_empty()) {
            return Vec::new();
        }
        match lower(m, facts, set, fast_check()) {
            // A map that a scenario does not draw is missed at the scenario.
            Err(found) if *judged == Judged::Start && found.iter().all(|d| d.code == NOT_DRAWN) => {
                found.into_iter().map(|d| place_finding(m, set, *judged, d)).collect()
            }
            Err(found) => found,
            Ok(program) => judge_setup(m, set, *judged, program),
        }
    });
    found.into_iter().for_each(|found| add_findings(m, out, found));
}

/// Has so many pieces of work done, each by its number, and gives what each found.
pub type WorkRunner = dyn Fn(usize, &(dyn Fn(usize) -> Vec<Diagnostic> + Sync)) -> Vec<Vec<Diagnostic>>;

/// Does one piece of work after the other.
fn run_in_order(n: usize, work: &(dyn Fn(usize) -> Vec<Diagnostic> + Sync)) -> Vec<Vec<Diagnostic>> {
    (0..n).map(work).collect()
}

/// Adds findings, each once; what fails in a part is told of the first scenario that is built on it.
fn add_findings(m: &Model, out: &mut Vec<Diagnostic>, found: Vec<Diagnostic>) {
    for d in found {
        let is_same = |o: &Diagnostic| o.at.span == d.at.span && o.message == d.message;
        if !out.iter().any(|o| is_same(o) || is_same_in_part(m, o, &d)) {
            out.push(d);
        }
    }
}

/// Whether two scenarios fail in the same place of a part, for the same reason.
fn is_same_in_part(m: &Model, a: &Diagnostic, b: &Diagnostic) -> bool {
    let scopes = |kind: ScopeKind| m.scopes.iter().filter(move |s| s.kind == kind);
    let in_part =
        |at: Span| scopes(ScopeKind::Part).any(|s| s.extent.to(at) == s.extent && s.extent.file == at.file);
    let reason = |d: &Diagnostic| {
        let scenario = scopes(ScopeKind::Scenario).find(|s| s.span == d.at.span)?;
        d.message.strip_prefix(&unplayable(scenario)).map(str::to_string)
    };
    a.code == b.code
        && a.others == b.others
        && a.others.iter().any(|l| in_part(l.span))
        && reason(a).is_some_and(|a| reason(b) == Some(a))
}

/// The set-ups that tests stand on, each with its tests. What its players are called makes no difference.
fn group_tests_by_setup(m: &Model) -> Vec<(Resolved, Vec<usize>)> {
    group_tests(m, |t| Setup { names: Vec::new(), ..setup_of_test(m, t) })
}

/// For each test all those of the same set-up.
fn list_tests_alike(m: &Model) -> Vec<Arc<[usize]>> {
    let mut out: Vec<Arc<[usize]>> = (0..m.tests.len()).map(|i| [i].into()).collect();
    for (_, tests) in group_tests(m, |t| setup_of_test(m, t)) {
        let all: Arc<[usize]> = tests.into();
        for i in all.iter() {
            if let Some(place) = out.get_mut(*i) {
                *place = all.clone();
            }
        }
    }
    out
}

fn group_tests(m: &Model, setup_of: impl Fn(&Test) -> Setup) -> Vec<(Resolved, Vec<usize>)> {
    let mut out: Vec<(String, Resolved, Vec<usize>)> = Vec::new();
    for (i, t) in m.tests.iter().enumerate() {
        let setup = with_options(m, &setup_of(t), &t.options).ok();
        let Some(set) = setup.and_then(|s| resolve_setup(m, &s).ok()) else { continue };
        let key = format!("{set:?}");
        match out.iter_mut().find(|(k, ..)| *k == key) {
            Some((.., tests)) => tests.push(i),
            None => out.push((key, set, vec![i])),
        }
    }
    out.into_iter().map(|(_, set, tests)| (set, tests)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_text::File;

    #[test]
    fn errors_come_with_the_files_that_they_are_of() {
        let mut files = Files::new();
        files.add(File::new(
            "a.rules",
            "game A \"A\" { players 2; outcome win }\nround { offer nothing_such }\n",
        ));
        let Err((files, report)) = Game::load_with_files(&files) else { panic!("this must not load") };
        assert!(report.has_errors());
        assert!(files.place(report.findings[0].at.span).starts_with("a.rules:2:"));
    }

    #[test]
    fn tests_of_one_set_up_share_a_program_and_not_their_faults() {
        let words: String = (0..130).map(|i| format!("let n{i} = {i}\n")).collect();
        let text = format!(
            "game A \"A\" {{ players 1..2; outcome win }}\nround {{ win players }}\n\
             test \"one\" with Ann {{ expect 1 == 1 }}\ntest \"two\" with Ann {{ expect 2 == 2 }}\n\
             test \"many names\" with Ann {{\n{words}}}\ntest \"others\" with Ann, Bo {{ expect 3 == 3 }}\n\
             test \"again\" with Ann, Bo {{ expect 3 == 3 }}\n"
        );
        let mut files = Files::new();
        files.add(File::new("a.rules", text));
        let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
        let program = |i: usize| {
            let set = resolve_setup(game.model(), &setup_of_test(game.model(), &game.model().tests[i]));
            game.lower_test(&set.expect("players"), i)
        };
        let [one, two, many, others, again] = [0, 1, 2, 3, 4].map(program);
        assert_eq!(many.expect_err("too many").findings.len(), 1);
        let [one, two, others, again] = [one, two, others, again].map(|p| p.expect("a program"));
        assert_eq!((one.tests.len(), two.tests.len()), (1, 1), "the faulty one is left out");
        assert!(Arc::ptr_eq(&others, &again) && others.tests.len() == 2);
    }
}
