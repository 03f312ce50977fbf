//! Runs the generated programs of a range of seeds on all cores: checks each, holds the laws on it, and shrinks those that fail.
use super::Feature;
use super::game::make_program;
use super::shrink::shrink_program;
use super::tree::Program;
use crate::laws::{self, Broken, Checked, Digest, Law, LawLimits};
use houserule_model::body::codes;
use houserule_model::hir::{Scope, ScopeKind};
use houserule_play::{Game, Setup};
use houserule_text::{File, Files, Report};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What is to be tried.
#[derive(Clone, Debug)]
pub struct ProgramPlan {
    /// The first program's seed; the next one's is one more.
    pub seed: u64,
    /// How many programs.
    pub count: u64,
    /// The laws that are held, by name; none is all.
    pub laws: Vec<String>,
    /// Parts of the language that the programs do without.
    pub without: Vec<Feature>,
    /// Choices of a match that a law looks at.
    pub choices: usize,
    /// How many smaller programs are tried of one that fails.
    pub tries: usize,
}

impl Default for ProgramPlan {
    fn default() -> ProgramPlan {
        ProgramPlan { seed: 1, count: 1000, laws: Vec::new(), without: Vec::new(), choices: 12, tries: 1500 }
    }
}

/// Programs that fail in the same way.
#[derive(Clone, Debug)]
pub struct ProgramFault {
    /// How many there are.
    pub count: u64,
    /// The seeds that make the first of them.
    pub seeds: Vec<u64>,
    /// What is wrong with the first.
    pub what: String,
    /// The smallest program that was found to fail so.
    pub text: String,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// Programs that were made.
    pub programs: u64,
    /// Those without errors.
    pub checked: u64,
    /// Those that the checker refuses for what they read of hidden things, which a program cannot know as it is made.
    pub refused: u64,
    /// Laws that were held, one a program and law.
    pub held: u64,
    /// Positions that laws looked at and counted.
    pub states: u64,
    /// Comparisons that the laws made.
    pub cases: u64,
    /// What laws could not compare.
    pub unsupported: u64,
    /// Programs that failed.
    pub failures: u64,
    /// What was found; ways to fail that came up most first.
    pub faults: Vec<ProgramFault>,
}

/// How a program fails: the same words for the same fault.
#[derive(Clone, Debug)]
struct ProgramFailure {
    sort: String,
    what: String,
}

/// What one program came to.
#[derive(Default)]
struct ProgramCheck {
    checked: bool,
    refused: bool,
    held: u64,
    sum: Checked,
    failure: Option<ProgramFailure>,
}

/// Programs between two reports: what is kept of those before does not grow with their number.
const BATCH: u64 = 512;

/// Tuples of parameters that a law tries at a position, an action.
const TUPLES: usize = 30;

/// Seeds that are kept of programs that fail in the same way, and ways to fail that are kept.
const KEPT: usize = 32;

/// Makes and tries programs; reports what has come of those so far after each batch.
///
/// # Errors
/// A law that there is not.
pub fn run(plan: &ProgramPlan, report: &mut dyn FnMut(&Done)) -> Result<Done, String> {
    Ok(run_reporting(plan, &select_laws(&plan.laws)?, report))
}

/// Makes programs and holds these laws on them, whatever the plan says of laws.
pub fn run_laws(plan: &ProgramPlan, laws: &[(&'static str, Law)]) -> Done {
    run_reporting(plan, laws, &mut |_| {})
}

fn run_reporting(plan: &ProgramPlan, laws: &[(&'static str, Law)], report: &mut dyn FnMut(&Done)) -> Done {
    let mut done = Done::default();
    let mut sorts: BTreeMap<String, ProgramFault> = BTreeMap::new();
    let end = plan.seed.saturating_add(plan.count);
    let mut from = plan.seed;
    while from < end {
        let upto = from.saturating_add(BATCH).min(end);
        let tried: Vec<(u64, ProgramCheck)> = (from..upto)
            .into_par_iter()
            .map(|s| (s, check_program(&make_program(s, &plan.without).to_text(), &[s], laws, plan.choices)))
            .collect();
        for (seed, t) in tried {
            done.add_tried(&t);
            let Some(f) = t.failure else { continue };
            let known = sorts.len();
            if known < KEPT || sorts.contains_key(&f.sort) {
                let first = ProgramFault { count: 0, seeds: Vec::new(), what: f.what, text: String::new() };
                let fault = sorts.entry(f.sort).or_insert(first);
                fault.count += 1;
                if fault.seeds.len() < KEPT {
                    fault.seeds.push(seed);
                }
            }
        }
        from = upto;
        report(&done);
    }
    done.faults = sorts.into_par_iter().map(|(sort, f)| shrink_fault(plan, laws, &sort, f)).collect();
    done.faults.sort_by_key(|f| std::cmp::Reverse(f.count));
    done
}

impl Done {
    fn add_tried(&mut self, t: &ProgramCheck) {
        self.programs += 1;
        self.checked += u64::from(t.checked);
        self.refused += u64::from(t.refused);
        self.held += t.held;
        self.states += t.sum.states;
        self.cases += t.sum.cases;
        self.unsupported += t.sum.unsupported;
        self.failures += u64::from(t.failure.is_some());
    }
}

fn select_laws(names: &[String]) -> Result<Vec<(&'static str, Law)>, String> {
    if let Some(name) = names.iter().find(|n| !laws::ALL.iter().any(|(l, _)| l == n)) {
        let all: Vec<&str> = laws::ALL.iter().map(|(n, _)| *n).collect();
        return Err(format!("there is no law {name}; the laws are {}", all.join(", ")));
    }
    Ok(laws::ALL.into_iter().filter(|(l, _)| names.is_empty() || names.iter().any(|n| n == l)).collect())
}

/// The smallest program that fails in this way.
fn shrink_fault(
    plan: &ProgramPlan,
    laws: &[(&'static str, Law)],
    sort: &str,
    fault: ProgramFault,
) -> ProgramFault {
    let seed = fault.seeds.first().copied().unwrap_or_default();
    let law: Vec<_> = laws.iter().filter(|(n, _)| sort.starts_with(n)).copied().collect();
    let fails = |p: &Program| -> Option<ProgramFailure> {
        // A smaller program goes on otherwise, so that several matches are tried.
        check_program(&p.to_text(), &[seed, seed + 1, seed + 2], &law, plan.choices)
            .failure
            .filter(|f| f.sort == sort)
    };
    let small = shrink_program(&make_program(seed, &plan.without), plan.tries, &mut |p| fails(p).is_some());
    // A finding of the checker is told as it was: the smaller program may have it for another reason.
    let what =
        if sort.starts_with("check") { fault.what } else { fails(&small).map_or(fault.what, |f| f.what) };
    ProgramFault { what, text: small.to_text(), ..fault }
}

/// Checks a program once, and holds laws on a match of each of these seeds, up to the first failure.
fn check_program(text: &str, seeds: &[u64], laws: &[(&'static str, Law)], choices: usize) -> ProgramCheck {
    let mut out = ProgramCheck::default();
    let held = catch_panic(|| load_program(text)).and_then(|game| {
        out.checked = true;
        seeds.iter().try_for_each(|seed| catch_panic(|| check_laws(&game, *seed, laws, choices, &mut out)))
    });
    out.failure = held.err();
    let reads_hidden = |f: &ProgramFailure| {
        [codes::HIDDEN_IN_GUARD, codes::SECRET_KEPT]
            .iter()
            .any(|c| f.sort.starts_with(&format!("check: {} ", c.0)))
    };
    out.refused = out.failure.take_if(|f| reads_hidden(f)).is_some();
    out
}

/// Holds laws on one match, up to the first that is broken.
fn check_laws(
    game: &Game,
    seed: u64,
    laws: &[(&'static str, Law)],
    choices: usize,
    out: &mut ProgramCheck,
) -> Result<(), ProgramFailure> {
    let setup = setup_of_seed(game, seed)?;
    for (name, law) in laws {
        let broken = |b: Broken| ProgramFailure {
            sort: format!("{name}: {}", strip_details(&b.what)),
            what: format!("{name}: {b}"),
        };
        let c = law(game, &setup, LawLimits { seed, choices, tuples: TUPLES }).map_err(broken)?;
        out.held += 1;
        out.sum.states += c.states;
        out.sum.cases += c.cases;
        out.sum.unsupported += c.unsupported;
    }
    Ok(())
}

/// Takes a panic for a failure.
fn catch_panic<T>(f: impl FnOnce() -> Result<T, ProgramFailure>) -> Result<T, ProgramFailure> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text =
            text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_string())).unwrap_or_default();
        Err(ProgramFailure {
            sort: format!("panic: {}", strip_details(&text)),
            what: format!("panic: {text}"),
        })
    })
}

/// Checks a program.
fn load_program(text: &str) -> Result<Game, ProgramFailure> {
    let mut files = Files::new();
    files.add(File::new("made.rules", text));
    Game::load(&files).map_err(|r| to_failure("check", &files, &r))
}

/// The set-up of a seed: every second one has the variant, every third one the last scenario.
fn setup_of_seed(game: &Game, seed: u64) -> Result<Setup, ProgramFailure> {
    let mut setup = Setup::default();
    let is_rich = |s: &Scope| s.kind == ScopeKind::Variant && &*s.name == "rich";
    if seed % 2 == 1 && game.model().scopes.iter().any(is_rich) {
        setup.variants.push("rich".into());
    }
    let mut scenarios = game.model().scopes.iter().filter(|s| s.kind == ScopeKind::Scenario);
    if seed.is_multiple_of(3) {
        setup.scenario = scenarios.next_back().map(|s| s.name.to_string());
    }
    game.lower_setup(&setup).map_err(|r| to_failure("start", game.files(), &r))?;
    Ok(setup)
}

/// Digests of the code and of a random match of the program of a seed.
///
/// # Errors
/// The program cannot be played.
pub fn compute_digest(seed: u64, without: &[Feature], choices: usize) -> Result<Digest, String> {
    let game = load_program(&make_program(seed, without).to_text()).map_err(|f| f.what)?;
    let setup = setup_of_seed(&game, seed).map_err(|f| f.what)?;
    laws::compute_digest(&game, &setup, LawLimits { seed, choices, tuples: TUPLES })
        .map_err(|b| b.to_string())
}

fn to_failure(stage: &str, files: &Files, r: &Report) -> ProgramFailure {
    let first = r.findings.iter().find(|d| d.is_error());
    let (code, message) = first.map(|d| (d.code.0, d.message.clone())).unwrap_or_default();
    let at = first.map_or_else(String::new, |d| files.place(d.at.span));
    ProgramFailure {
        sort: format!("{stage}: {code} {}", strip_details(&message)),
        what: format!("{stage}: {code} {message} ({at})"),
    }
}

/// A message without what differs from program to program: names, numbers, what stands behind a colon.
fn strip_details(message: &str) -> String {
    let head = message.split(": …").next().unwrap_or_default();
    let mut out = String::new();
    let mut quoted = false;
    for c in head.chars() {
        match c {
            '`' | '“' | '”' | '"' => quoted = !quoted,
            _ if quoted || c.is_ascii_digit() => {}
            _ => out.push(c),
        }
    }
    out.chars().take(70).collect()
}
