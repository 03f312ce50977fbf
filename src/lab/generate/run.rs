//! Makes programs one seed after the other on all cores, checks them, holds the laws on them, and makes those that fail as small as they can be.
use super::Feature;
use super::game::program;
use super::shrink::shrink;
use super::tree::Program;
use crate::lab::laws::{self, Law, Limits};
use crate::play::{Game, Setup};
use crate::text::{File, Files, Report};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What is to be tried.
#[derive(Clone, Debug)]
pub struct Plan {
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

impl Default for Plan {
    fn default() -> Plan {
        Plan { seed: 1, count: 1000, laws: Vec::new(), without: Vec::new(), choices: 12, tries: 1500 }
    }
}

/// Programs that fail in the same way.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The seeds that make them.
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
    /// Laws that were held, one a program and law.
    pub held: u64,
    /// Comparisons that the laws made.
    pub cases: u64,
    /// What was found; ways to fail that came up most first.
    pub faults: Vec<Fault>,
}

/// How a program fails: the same words for the same fault.
#[derive(Clone, Debug)]
struct Failure {
    sort: String,
    what: String,
}

/// What one program came to.
#[derive(Default)]
struct Tried {
    checked: bool,
    held: u64,
    cases: u64,
    failure: Option<Failure>,
}

/// Makes and tries programs.
///
/// # Errors
/// A law that there is not.
pub fn run(plan: &Plan) -> Result<Done, String> {
    Ok(run_laws(plan, &wanted(&plan.laws)?))
}

/// Makes programs and holds these laws on them, whatever the plan says of laws.
pub fn run_laws(plan: &Plan, laws: &[(&'static str, Law)]) -> Done {
    let seeds = plan.seed..plan.seed.saturating_add(plan.count);
    let tried: Vec<(u64, Tried)> = seeds
        .into_par_iter()
        .map(|s| (s, hold(&program(s, &plan.without).text(), s, laws, plan.choices)))
        .collect();
    let mut done = Done { programs: plan.count, ..Done::default() };
    let mut sorts: BTreeMap<String, (Vec<u64>, String)> = BTreeMap::new();
    for (seed, t) in tried {
        done.checked += u64::from(t.checked);
        done.held += t.held;
        done.cases += t.cases;
        if let Some(f) = t.failure {
            sorts.entry(f.sort).or_insert((Vec::new(), f.what)).0.push(seed);
        }
    }
    done.faults =
        sorts.into_par_iter().map(|(sort, (seeds, what))| smallest(plan, laws, &sort, seeds, what)).collect();
    done.faults.sort_by_key(|f| std::cmp::Reverse(f.seeds.len()));
    done
}

fn wanted(names: &[String]) -> Result<Vec<(&'static str, Law)>, String> {
    if let Some(name) = names.iter().find(|n| !laws::ALL.iter().any(|(l, _)| l == n)) {
        let all: Vec<&str> = laws::ALL.iter().map(|(n, _)| *n).collect();
        return Err(format!("there is no law {name}; the laws are {}", all.join(", ")));
    }
    Ok(laws::ALL.into_iter().filter(|(l, _)| names.is_empty() || names.iter().any(|n| n == l)).collect())
}

/// The smallest program that fails in this way.
fn smallest(plan: &Plan, laws: &[(&'static str, Law)], sort: &str, seeds: Vec<u64>, what: String) -> Fault {
    let seed = seeds.first().copied().unwrap_or_default();
    let law: Vec<_> = laws.iter().filter(|(n, _)| sort.starts_with(n)).copied().collect();
    let fails = |p: &Program| -> Option<Failure> {
        let text = p.text();
        // A smaller program goes on otherwise, so that several matches are tried.
        (0..3).find_map(|k| hold(&text, seed + k, &law, plan.choices).failure.filter(|f| f.sort == sort))
    };
    let small = shrink(&program(seed, &plan.without), plan.tries, &mut |p| fails(p).is_some());
    // A finding of the checker is told as it was: the smaller program may have it for another reason.
    let what = if sort.starts_with("check") { what } else { fails(&small).map_or(what, |f| f.what) };
    Fault { seeds, what, text: small.text() }
}

/// Checks a program and holds laws on it.
fn hold(text: &str, seed: u64, laws: &[(&'static str, Law)], choices: usize) -> Tried {
    let mut out = Tried::default();
    let tried = catch_unwind(AssertUnwindSafe(|| {
        let mut files = Files::new();
        files.add(File::new("made.rules", text));
        let game = match Game::load(&files) {
            Ok(game) => game,
            Err(r) => return Some(finding("check", &files, &r)),
        };
        out.checked = true;
        let setup = Setup::default();
        if let Err(r) = game.program(&setup) {
            return Some(finding("start", &files, &r));
        }
        for (name, law) in laws {
            match law(&game, &setup, Limits { seed, choices, tuples: 30 }) {
                Ok(c) => {
                    out.held += 1;
                    out.cases += c.cases;
                }
                Err(b) => {
                    return Some(Failure {
                        sort: format!("{name}: {}", bare(&b.what)),
                        what: format!("{name}: {b}"),
                    });
                }
            }
        }
        None
    }));
    out.failure = tried.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text =
            text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_string())).unwrap_or_default();
        Some(Failure { sort: format!("panic: {}", bare(&text)), what: format!("panic: {text}") })
    });
    out
}

fn finding(stage: &str, files: &Files, r: &Report) -> Failure {
    let first = r.findings.iter().find(|d| d.is_error());
    let (code, message) = first.map(|d| (d.code.0, d.message.clone())).unwrap_or_default();
    let at = first.map_or_else(String::new, |d| files.place(d.at.span));
    Failure {
        sort: format!("{stage}: {code} {}", bare(&message)),
        what: format!("{stage}: {code} {message} ({at})"),
    }
}

/// A message without what differs from program to program: names, numbers, what stands behind a colon.
fn bare(message: &str) -> String {
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
