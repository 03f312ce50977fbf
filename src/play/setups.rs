//! Lists the set-ups that `check` compiles, so that what the engine cannot play is found before a game starts: every start with every number of players, each
//! variant and each value of an option alone, and variants in pairs.
use super::setup::{Setup, player_range, resolve_setup};
use super::values::Values;
use houserule_model::hir::*;
use houserule_program::setup::Resolved;
use houserule_text::{Diagnostic, Label, Report, Span};
use std::collections::HashSet;

/// How many set-ups are tried; those of more variants and values are left out, pairs first.
const MOST: usize = 100;
/// How many values of one option; of more, the least and the greatest.
const MOST_VALUES: usize = 6;

/// What is checked of a set-up beside that it can be compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judged {
    /// A start with a number of players: it has what the rules need, and comes to a first choice.
    Start,
    /// The same with a variant or an option's value: where the rules do not refuse it, it comes to a first choice.
    Chosen,
    /// Nothing.
    No,
}

/// The set-ups to check.
pub struct SetupsToCheck {
    /// Those that the rules allow, each once, in the order in which they are tried.
    pub all: Vec<(Resolved, Judged)>,
    /// Why scenarios are refused with the fewest or the most players that they are for, whatever variant is on.
    pub refused: Vec<Diagnostic>,
}

/// A finding about a start, told at its scenario; its own place is named beside it.
pub fn place_at_scenario(d: Diagnostic, scenario: &Scope, label: String) -> Diagnostic {
    let message = format!("{}{}", unplayable(scenario), d.message);
    let own = Some(d.at).filter(|at| at.span != Span::default());
    let others = own.into_iter().chain(d.others).collect();
    Diagnostic { message, at: Label { span: scenario.span, text: label }, others, ..d }
}

/// How a finding about a scenario begins; the reason follows.
pub fn unplayable(scenario: &Scope) -> String {
    format!("the scenario `{}` cannot be played: ", scenario.name)
}

struct Found<'m> {
    m: &'m Model,
    /// The names of all variants.
    variants: Vec<&'m str>,
    seen: HashSet<String>,
    out: SetupsToCheck,
}

impl<'m> Found<'m> {
    fn new(m: &'m Model) -> Self {
        let variants = m.scopes.iter().filter(|s| s.kind == ScopeKind::Variant).map(|s| &*s.name).collect();
        let out = SetupsToCheck { all: Vec::new(), refused: Vec::new() };
        Found { m, variants, seen: HashSet::new(), out }
    }

    /// The scenario of a start, if it is one.
    fn scenario_of(&self, start: &Option<String>) -> Option<ScopeId> {
        let is = |s: &Scope| s.kind == ScopeKind::Scenario && start.as_deref() == Some(&*s.name);
        self.m.scopes.iter().position(is).map(|i| ScopeId(i as u32))
    }

    /// The fewest and the most seats of a start.
    fn range_of(&self, start: &Option<String>) -> (u32, u32) {
        player_range(self.m, self.scenario_of(start))
    }

    /// Adds a start with each number of players.
    fn add_start(&mut self, start: &Option<String>) {
        let (least, most) = self.range_of(start);
        let (mut allowed, mut first_reason) = (false, None);
        for n in least..=most {
            let Err(report) = self.add_setup(&with(start, Some(n), &[]), Judged::Start) else {
                allowed = true;
                continue;
            };
            // A start may want a variant.
            let mut ways = self.variants.clone().into_iter();
            if ways.any(|v| self.add_setup(&with(start, Some(n), &[v]), Judged::Start).is_ok()) {
                allowed = true;
                continue;
            }
            // Who says for how many players a scenario is says no number that is always refused.
            let own = self.scenario_of(start).and_then(|id| self.m.scopes.get(id.index()));
            if let Some(s) = own.filter(|s| s.seats.or(s.players).is_some() && (n == least || n == most)) {
                let place = |d| place_at_scenario(d, s, format!("begun with {n} players"));
                self.out.refused.extend(report.findings.into_iter().map(place));
                allowed = true;
                continue;
            }
            first_reason.get_or_insert(report);
        }
        if let Some(report) = first_reason.filter(|_| !allowed) {
            let scenario = self.scenario_of(start).and_then(|id| self.m.scopes.get(id.index()));
            let players = if least == most { least.to_string() } else { format!("{least} to {most}") };
            let place = |d: Diagnostic| {
                match scenario {
                Some(s) => place_at_scenario(d, s, format!("begun with {players} players")),
                None => d.help(format!("so the game cannot be begun: it is for {players} players, and is refused with each number")),
            }
            };
            self.out.refused.extend(report.findings.into_iter().map(place));
        }
        // A scenario that is built on one of several parts: with each of them.
        let Some(s) = self.scenario_of(start).and_then(|id| self.m.scopes.get(id.index())) else { return };
        let parts = s.with.iter().filter(|one_of| one_of.len() > 1).flatten();
        for part in parts.filter_map(|id| self.m.scopes.get(id.index())) {
            if let Err(report) = self.add_setup(&with(start, None, &[&part.name]), Judged::Start) {
                let place = |d| place_at_scenario(d, s, format!("with `{}`", part.name));
                self.out.refused.extend(report.findings.into_iter().map(place));
            }
        }
    }

    /// Adds a set-up, unless the rules do not allow it; why they do not.
    fn add_setup(&mut self, s: &Setup, judged: Judged) -> Result<(), Report> {
        if self.out.all.len() < MOST {
            let set = resolve_setup(self.m, s)?;
            if self.seen.insert(format!("{set:?}")) {
                self.out.all.push((set, judged));
            }
        }
        Ok(())
    }
}

/// A set-up with nothing chosen but these.
fn with(start: &Option<String>, players: Option<u32>, variants: &[&str]) -> Setup {
    let variants = variants.iter().map(ToString::to_string).collect();
    Setup { scenario: start.clone(), players, variants, ..Setup::default() }
}

/// The set-ups of one start: a scenario, or the game without one, with each number of players.
pub fn list_setups_of_start(m: &Model, start: Option<&str>) -> SetupsToCheck {
    let mut found = Found::new(m);
    found.add_start(&start.map(String::from));
    found.out
}

/// The set-ups of a game that are worth checking, in the order in which they are tried.
pub fn list_setups_to_check(m: &Model) -> SetupsToCheck {
    let named = m.scopes.iter().filter(|s| s.kind == ScopeKind::Scenario).map(|s| Some(s.name.to_string()));
    let starts: Vec<Option<String>> =
        std::iter::once(None).filter(|_| !m.needs_scenario()).chain(named).collect();
    let mut found = Found::new(m);
    for start in &starts {
        found.add_start(start);
    }
    let variants = found.variants.clone();
    let Some(first) = starts.first() else { return found.out };
    let (_, most) = found.range_of(first);
    for v in &variants {
        let few = found.add_setup(&with(first, None, &[v]), Judged::Chosen).is_ok();
        let _ = found.add_setup(&with(first, Some(most), &[v]), Judged::Chosen).is_ok()
            || few
            || starts.iter().any(|s| found.add_setup(&with(s, None, &[v]), Judged::Chosen).is_ok());
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
            // Options that go together are allowed together only.
            let _ = found.add_setup(&s, Judged::Chosen);
        }
    }
    for (i, a) in variants.iter().enumerate() {
        for b in variants.iter().skip(i + 1) {
            let _ = found.add_setup(&with(first, None, &[a, b]), Judged::No);
        }
    }
    found.out
}
