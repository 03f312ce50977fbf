//! Mutation testing of single tests: changes the rules that a test with a rule's number (`test "F018: three steps" { … }`) reaches, and runs that test alone.
//! One that passes on every change asserts nothing.
use super::{
    ChangeSort, MutationPlan, MutationSite, change_files, find_places, has_reached, is_named_by,
    measure_tests, name_of,
};
use crate::checklist::numbers_of;
use crate::testing::{self, Lot};
use houserule_play::Game;
use houserule_text::{FileId, Files, Span};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// So many changes are tried on each test unless the plan says otherwise.
const TRIED: usize = 64;

/// A test that names numbers and notices nothing.
#[derive(Clone, Debug)]
pub struct Idle {
    /// Its title.
    pub title: String,
    /// Where it stands.
    pub span: Span,
    /// The numbers that it names.
    pub numbers: Vec<String>,
    /// How many changes it has passed on.
    pub tried: usize,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Numbered {
    /// How many tests name numbers.
    pub tests: usize,
    /// Those that notice nothing, in the order of the text.
    pub idle: Vec<Idle>,
    /// Numbers that only such tests name.
    pub numbers: Vec<String>,
}

/// Runs each test that names a rule's number, alone, on changes of what it reaches or names: first of what the fewest tests reach, for that is what it is there for.
pub fn check_numbered_tests(game: &Game, files: &Files, plan: &MutationPlan) -> Numbered {
    let mut places = find_places(files);
    places.retain(|p| plan.sorts.is_empty() || plan.sorts.contains(&p.change.sort));
    let reached = measure_tests(game);
    let limits = testing::find_limits(game);
    let tests = &game.model().tests;
    let matters = |p: &MutationSite, i: usize| {
        if tests.get(i).is_some_and(|t| t.refused.is_some()) {
            return is_of_seats(p, files);
        }
        let name = files.get(p.file).and_then(|f| name_of(p, f));
        let c = &p.change;
        let done = reached.get(i).is_some_and(|r| has_reached(r, p.file, &c.range));
        done || (!c.done || c.sort == ChangeSort::Offer) && name.is_some_and(|n| is_named_by(game, i, n))
    };
    // For each place the tests that it may matter to.
    let of_place: Vec<Vec<usize>> =
        places.par_iter().map(|p| (0..tests.len()).filter(|i| matters(p, *i)).collect()).collect();
    let try_test = |i: usize| -> Option<usize> {
        let mut own: Vec<usize> = (0..places.len())
            .filter(|p| of_place.get(*p).is_some_and(|all| all.binary_search(&i).is_ok()))
            .collect();
        own.sort_by_key(|p| of_place.get(*p).map_or(0, Vec::len));
        // One change of each declaration, then a second of each.
        let mut seen: BTreeMap<(FileId, usize), usize> = BTreeMap::new();
        own.sort_by_cached_key(|p| {
            let key = places.get(*p).map_or((FileId(0), 0), |p| (p.file, p.change.item.start));
            let n = seen.entry(key).or_default();
            *n += 1;
            *n
        });
        let mut tried = 0;
        for place in own.iter().filter_map(|p| places.get(*p)) {
            if tried == plan.limit.unwrap_or(TRIED) {
                break;
            }
            let changed = change_files(files, place).and_then(|f| Game::load(&f).ok());
            match changed.map(|mutant| testing::play_lot(&mutant, i, &limits)) {
                Some(Lot::Failed) => return None,
                Some(Lot::Passed) => tried += 1,
                Some(Lot::Unplayable) | None => {}
            }
        }
        Some(tried)
    };
    let named: Vec<(usize, Vec<String>)> = tests
        .iter()
        .enumerate()
        .map(|(i, t)| (i, numbers_of(&t.title).into_iter().map(String::from).collect::<Vec<_>>()))
        .filter(|(_, n)| !n.is_empty())
        .collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.jobs).build().ok();
    let run = || -> Vec<Option<usize>> { named.par_iter().map(|(i, _)| try_test(*i)).collect() };
    let lots = match &pool {
        Some(p) => p.install(run),
        None => run(),
    };
    let mut out = Numbered { tests: named.len(), ..Numbered::default() };
    let (mut noticed, mut idle) = (BTreeSet::new(), BTreeSet::new());
    for ((i, numbers), lot) in named.into_iter().zip(lots) {
        match (lot, tests.get(i)) {
            // Of what it reaches nothing can be changed: it is no less a test for that.
            (Some(0), _) => {}
            (Some(tried), Some(t)) => {
                idle.extend(numbers.iter().cloned());
                out.idle.push(Idle { title: t.title.to_string(), span: t.span, numbers, tried });
            }
            _ => noticed.extend(numbers),
        }
    }
    out.numbers = idle.difference(&noticed).cloned().collect();
    out
}

/// Whether it says who may play: how many, and what a set-up needs. That is what a test of a refused set-up is there for.
fn is_of_seats(place: &MutationSite, files: &Files) -> bool {
    let text = files.get(place.file).and_then(|f| f.text.get(place.change.item.clone()));
    matches!(text.and_then(|t| t.split_whitespace().next()), Some("needs" | "players" | "seats"))
}
