//! Lists the set-ups that `check` compiles, so that what the engine cannot play is found before a game starts: every start, every number of players, each
//! variant and each value of an option alone, and variants in pairs.
use super::setup::{Setup, player_range, resolve_setup};
use super::values::Values;
use houserule_model::hir::*;
use houserule_program::setup::Resolved;
use std::collections::HashSet;

/// How many set-ups are tried; those of more variants and values are left out, pairs first.
const MOST: usize = 100;
/// How many values of one option; of more, the least and the greatest.
const MOST_VALUES: usize = 6;

/// Set-ups that the rules allow, each once.
struct Found<'m> {
    m: &'m Model,
    seen: HashSet<String>,
    all: Vec<Resolved>,
}

impl Found<'_> {
    /// Adds a set-up, unless the rules do not allow it; whether they do.
    fn add_setup(&mut self, s: &Setup) -> bool {
        if self.all.len() >= MOST {
            return true;
        }
        let Ok(set) = resolve_setup(self.m, s) else { return false };
        if self.seen.insert(format!("{set:?}")) {
            self.all.push(set);
        }
        true
    }
}

/// The set-ups of a game that are worth checking, in the order in which they are tried.
pub fn list_setups_to_check(m: &Model) -> Vec<Resolved> {
    let scopes = |kind| m.scopes.iter().filter(move |s| s.kind == kind);
    let variants: Vec<&str> = scopes(ScopeKind::Variant).map(|s| &*s.name).collect();
    let named = scopes(ScopeKind::Scenario).map(|s| Some(s.name.to_string()));
    let starts: Vec<Option<String>> =
        std::iter::once(None).filter(|_| !m.needs_scenario()).chain(named).collect();
    let id_of = |word: &str| m.scopes.iter().position(|x| *x.name == *word).map(|i| ScopeId(i as u32));
    let seats = |start: &Option<String>| player_range(m, start.as_deref().and_then(id_of));
    let with = |start: &Option<String>, players: Option<u32>, variants: &[&str]| Setup {
        scenario: start.clone(),
        players,
        variants: variants.iter().map(|v| v.to_string()).collect(),
        ..Setup::default()
    };
    let mut found = Found { m, seen: HashSet::new(), all: Vec::new() };
    for start in &starts {
        let (least, most) = seats(start);
        for n in [least, most] {
            // A start may want a variant.
            let _ = found.add_setup(&with(start, Some(n), &[]))
                || variants.iter().any(|v| found.add_setup(&with(start, Some(n), &[v])));
        }
    }
    // A scenario that is built on one of several parts: with each of them.
    for s in scopes(ScopeKind::Scenario) {
        let parts = s.with.iter().filter(|one_of| one_of.len() > 1).flatten();
        for part in parts.filter_map(|id| m.scopes.get(id.index())) {
            found.add_setup(&with(&Some(s.name.to_string()), None, &[&part.name]));
        }
    }
    let Some(first) = starts.first() else { return found.all };
    let (least, most) = seats(first);
    for n in least..=most {
        found.add_setup(&with(first, Some(n), &[]));
    }
    for v in &variants {
        let few = found.add_setup(&with(first, None, &[v]));
        let _ = found.add_setup(&with(first, Some(most), &[v]))
            || few
            || starts.iter().any(|s| found.add_setup(&with(s, None, &[v])));
    }
    for o in &m.options {
        // What an option stands in must be on.
        let scope = m.scopes.get(o.scope.index());
        let inside = |kind| scope.filter(|s| s.kind == kind).map(|s| &*s.name);
        let start = inside(ScopeKind::Scenario).map(|s| Some(s.to_string()));
        let on: Vec<&str> = inside(ScopeKind::Variant).into_iter().collect();
        let base = with(start.as_ref().unwrap_or(first), None, &on);
        let Ok(set) = resolve_setup(m, &base) else { continue };
        let Some(values) = Values::from_type(m, &set, &o.ty) else { continue };
        for value in values.list_some(MOST_VALUES) {
            let mut s = base.clone();
            s.options.insert(o.name.to_string(), value);
            found.add_setup(&s);
        }
    }
    for (i, a) in variants.iter().enumerate() {
        for b in variants.iter().skip(i + 1) {
            found.add_setup(&with(first, None, &[a, b]));
        }
    }
    found.all
}
