//! Reports a scenario that does not exist once, however many tests name it. Where the files of the scenarios were not loaded, every test would have a finding of its own.
use super::Job;
use houserule_text::{Report, Span};
use std::collections::{BTreeMap, BTreeSet};

const HELP: &str = "declare it, or check its file with the rules: a folder of rules is read with the `.scenario` files in it and in `scenarios/NAME`, beside or above the folder NAME";

/// Leaves the first of the findings about a name, and says there how many tests it is about. A name with a replacement keeps its findings: each of them is mended at its place.
pub fn join_unknown_scenarios(jobs: &[Job<'_>], report: &mut Report) {
    let mut tests: BTreeMap<&str, BTreeSet<Span>> = BTreeMap::new();
    for job in jobs {
        if let Job::Test(_, test, _) = job
            && let Some(on) = &test.on
        {
            tests.entry(&on.text).or_default().insert(on.span);
        }
    }
    for (name, places) in tests.into_iter().filter(|(_, places)| places.len() > 1) {
        let first = places.first().copied();
        let is_of_name = |span: Span| places.contains(&span);
        let unknown = crate::codes::UNKNOWN_SCENARIO;
        report.findings.retain_mut(|d| {
            if d.code != unknown || d.fix.is_some() || !is_of_name(d.at.span) {
                return true;
            }
            d.message = format!("there is no scenario `{name}`, on which {} tests are played", places.len());
            d.help = Some(HELP.into());
            Some(d.at.span) == first
        });
    }
}
