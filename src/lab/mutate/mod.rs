//! Mutation testing of rules: changes a game in small ways and runs its tests on each change. A good test fails on one of them.
mod numbered;
mod places;
mod refused;
mod slips;
mod symmetric;

pub use numbered::{Idle, Numbered, check_numbered_tests};
pub use places::{Change, ChangeSort, Declared, find_changes};
pub use refused::RefusedScenario;

use super::advice;
use super::coverage::Reached;
use super::testing::{self, Lot, TestLimits};
use houserule_engine::{Stream, below};
use houserule_model::hir::{Scope, ScopeKind};
use houserule_play::Game;
use houserule_syntax::{self as syntax, Parsed};
use houserule_text::{File, FileId, Files, Span};
use rayon::prelude::*;
use std::ops::Range;

/// What is to be tried.
#[derive(Clone, Debug)]
pub struct MutationPlan {
    /// What a sample is drawn by.
    pub seed: u64,
    /// At most so many changes; none is all.
    pub limit: Option<usize>,
    /// Changes tried at once; 0 is one a core.
    pub jobs: usize,
    /// Changes of these sorts alone; empty is all.
    pub sorts: Vec<ChangeSort>,
    /// Scenarios that must be refused, for the same reasons as before the change.
    pub refused: Vec<RefusedScenario>,
}

/// A change that was tried.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// What sort of change.
    pub sort: ChangeSort,
    /// Where.
    pub span: Span,
    /// What was there, in one line.
    pub was: String,
    /// What was put there; empty if it was left out.
    pub became: String,
    /// Whether a test failed, or a scenario is no longer refused for the same reasons.
    pub killed: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Mutated {
    /// How many changes there are in all.
    pub places: usize,
    /// Changes that were tried, in the order of the text.
    pub mutants: Vec<Mutant>,
    /// Changes after which the rules have errors: they are not counted.
    pub unloaded: usize,
    /// How many tests the game has.
    pub tests: usize,
}

impl Mutated {
    /// How many were noticed.
    pub fn count_killed(&self) -> usize {
        self.mutants.iter().filter(|m| m.killed).count()
    }

    /// Whether at least so many in a hundred were killed.
    pub fn has_killed_share(&self, percent: f64) -> bool {
        self.count_killed() as f64 * 100.0 >= percent * self.mutants.len() as f64
    }

    /// Killed ones in a hundred.
    pub fn killed_percent(&self) -> f64 {
        if self.mutants.is_empty() {
            100.0
        } else {
            self.count_killed() as f64 * 100.0 / self.mutants.len() as f64
        }
    }
}

/// The stream by which samples are drawn.
const STREAM: u64 = 0x3d07;

/// Changes that are tried together before it is looked whether that is enough.
const BATCH: usize = 64;

/// One change of one file.
struct MutationSite {
    file: FileId,
    change: Change,
}

/// What came of one change: none if the rules have errors with it.
type MutantRun = Option<Mutant>;

/// Changes the rules of a game, and runs its tests on each change until one fails. `files` are the game's; its tests must pass.
pub fn mutate_game(game: &Game, files: &Files, plan: &MutationPlan) -> Mutated {
    let mut places = find_places(files);
    places.retain(|p| plan.sorts.is_empty() || plan.sorts.contains(&p.change.sort));
    let mut order: Vec<usize> = (0..places.len()).collect();
    if plan.limit.is_some_and(|n| n < places.len()) {
        let mut stream = Stream::new(plan.seed, STREAM);
        for i in (1..order.len()).rev() {
            order.swap(i, below(i as u64 + 1, || stream.draw()) as usize);
        }
    }
    let wanted = plan.limit.unwrap_or(usize::MAX);
    let limits = testing::find_limits(game);
    let reached = measure_tests(game);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.jobs).build().ok();
    let mut tried: Vec<(usize, Mutant)> = Vec::new();
    let mut unloaded = 0;
    for batch in order.chunks(BATCH) {
        let run = || -> Vec<(usize, MutantRun)> {
            let one = |i: &usize| {
                (*i, places.get(*i).and_then(|p| try_one(game, files, p, plan, &limits, &reached)))
            };
            batch.par_iter().map(one).collect()
        };
        let found = match &pool {
            Some(p) => p.install(run),
            None => run(),
        };
        for (i, mutant) in found {
            match mutant {
                _ if tried.len() >= wanted => {}
                Some(m) => tried.push((i, m)),
                None => unloaded += 1,
            }
        }
        if tried.len() >= wanted {
            break;
        }
    }
    tried.sort_by_key(|(i, _)| *i);
    Mutated {
        places: places.len(),
        mutants: tried.into_iter().map(|(_, m)| m).collect(),
        unloaded,
        tests: game.model().tests.len(),
    }
}

/// All places of a game where its rules can be changed by a little; what only bots use is left alone.
fn find_places(files: &Files) -> Vec<MutationSite> {
    let parsed: Vec<(FileId, &File, Parsed)> =
        files.iter().map(|(id, f)| (id, f, syntax::parse(id, &f.text))).collect();
    let texts: Vec<(&str, &Parsed)> = parsed.iter().map(|(_, f, p)| (f.text.as_str(), p)).collect();
    let mut declared = Declared::default();
    texts.iter().for_each(|(text, p)| declared.add_text(text, p));
    let advice = advice::find_bot_only(&texts);
    let mut out = Vec::new();
    for ((file, f, p), advice) in parsed.iter().zip(&advice) {
        if f.name.ends_with(".rules") || f.name.ends_with(".scenario") {
            let rules = find_changes(&f.text, p, &declared).into_iter().filter(|c| !advice.contains(&c.item));
            out.extend(rules.map(|change| MutationSite { file: *file, change }));
        }
    }
    out
}

/// What each test reaches of the rules as they are.
fn measure_tests(game: &Game) -> Vec<Reached> {
    let one = |i: usize| {
        let mut reached = Reached::default();
        testing::cover_test(game, i, &mut reached);
        reached
    };
    (0..game.model().tests.len()).into_par_iter().map(one).collect()
}

fn try_one(
    game: &Game,
    files: &Files,
    place: &MutationSite,
    plan: &MutationPlan,
    limits: &TestLimits,
    reached: &[Reached],
) -> MutantRun {
    let c = &place.change;
    let old = files.get(place.file)?;
    let changed = change_files(files, place)?;
    let mutant = Game::load(&changed).ok()?;
    let mut killed = false;
    for test in order_tests(game, reached, place, old) {
        match testing::play_lot(&mutant, test, limits) {
            Lot::Passed => {}
            Lot::Failed => {
                killed = true;
                break;
            }
            Lot::Unplayable => return None,
        }
    }
    killed = killed || plan.refused.iter().any(|s| !s.is_refused_alike(&changed));
    let span = Span::new(place.file, c.range.start, c.range.end);
    Some(Mutant { sort: c.sort, span, was: to_one_line(&old.text, &c.range), became: c.text.clone(), killed })
}

/// The game's files with a change.
fn change_files(files: &Files, place: &MutationSite) -> Option<Files> {
    let c = &place.change;
    let old = files.get(place.file)?;
    let mut text = old.text.clone();
    text.get(c.range.clone())?;
    text.replace_range(c.range.clone(), &c.text);
    let mut changed = Files::new();
    for (id, f) in files.iter() {
        changed.add(if id == place.file { File::new(f.name.clone(), text.clone()) } else { f.clone() });
    }
    Some(changed)
}

/// The tests that a change may matter to, those first that reach what is changed, then those that name it. The order is always the same, so what comes of it is, too.
fn order_tests(game: &Game, reached: &[Reached], place: &MutationSite, file: &File) -> Vec<usize> {
    let c = &place.change;
    let reaches =
        |i: &usize, range: &Range<usize>| reached.get(*i).is_some_and(|r| has_reached(r, place.file, range));
    let name = name_of(place, file);
    let model = game.model();
    let names_it = |i: &usize| name.is_some_and(|n| is_named_by(game, *i, n));
    let mut all: Vec<usize> = (0..model.tests.len()).collect();
    if c.sort == ChangeSort::Map {
        all.retain(|i| is_played_on(game, *i, name.unwrap_or("")));
    }
    // A menu too many is noticed where the action is refused, and so not reached.
    if c.done && c.sort != ChangeSort::Offer {
        all.retain(|i| reaches(i, &c.item));
        // Whether it can be played at all is seen with any test.
        if all.is_empty() && !model.tests.is_empty() {
            all.push(0);
        }
    }
    all.sort_by_cached_key(|i| (!reaches(i, &c.range), !names_it(i)));
    all
}

/// Whether something inside a range was reached.
fn has_reached(r: &Reached, file: FileId, range: &Range<usize>) -> bool {
    let inner = |s: &Span| s.file == file && (s.start as usize) < range.end && s.end as usize > range.start;
    r.marks.iter().any(|(s, n)| *n > 0 && inner(s))
}

/// What is changed, by its name: the word behind that of the form, as in `rule advance`, `Card queen`, `modify cost`.
fn name_of<'f>(place: &MutationSite, file: &'f File) -> Option<&'f str> {
    let head = file.text.get(place.change.item.clone()).unwrap_or("");
    head.split(is_between).filter(|w| !w.is_empty()).nth(1)
}

/// Whether a test names something.
fn is_named_by(game: &Game, test: usize, name: &str) -> bool {
    let text = game.model().tests.get(test).map_or("", |t| game.files().slice(t.span));
    text.split(is_between).any(|w| w == name)
}

fn is_between(x: char) -> bool {
    !x.is_ascii_alphanumeric() && x != '_'
}

/// Whether a test is played on a drawn map: on the scenario that draws it or one that is built on that, or on a map of that name.
fn is_played_on(game: &Game, test: usize, name: &str) -> bool {
    let m = game.model();
    if !m.scopes.iter().any(|s| s.kind == ScopeKind::Scenario && *s.name == *name) {
        return true;
    }
    let own = m.tests.get(test).and_then(|t| m.scopes.get(t.scenario?.index())).or(m.first_scenario());
    let mut scopes: Vec<&Scope> = own.into_iter().collect();
    while let Some(s) = scopes.pop() {
        if *s.name == *name {
            return true;
        }
        scopes.extend(s.with.iter().flatten().filter_map(|id| m.scopes.get(id.index())));
    }
    false
}

/// A piece of text in one short line.
fn to_one_line(text: &str, range: &Range<usize>) -> String {
    let words: Vec<&str> = text.get(range.clone()).unwrap_or("").split_whitespace().collect();
    let line = words.join(" ");
    if line.chars().count() <= 72 {
        return line;
    }
    let short: String = line.chars().take(71).collect();
    format!("{short}…")
}
