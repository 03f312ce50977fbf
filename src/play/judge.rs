//! Judges whether a set-up has what the rules ask for: `needs` on the drawn maps, before `setup` runs; then whether `setup` comes to a first choice, and the invariants there. Starts, `check` and the editor ask it.
use super::codes;
use super::faults::{fault_finding, unmet_finding};
use super::scripts::Bridge;
use super::setups::{Judged, place_at_scenario};
use super::values::Values;
use houserule_engine::{Fault, Hooks, Machine, thing_word};
use houserule_model::hir::{Model, ScopeKind};
use houserule_program::Resolved;
use houserule_program::ir::{InvariantSlot, Program, UniverseSort};
use houserule_text::{Diagnostic, Span};
use std::sync::Arc;

/// A space of a drawn map: the map's name and the space's.
pub type SpaceName = (Arc<str>, String);

/// Something that a set-up does not meet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unmet {
    /// What it is, at the place of the condition or of the rule that fails.
    pub finding: Diagnostic,
    /// The spaces that do not meet a condition on each space: the map's name and the space's.
    pub spaces: Vec<SpaceName>,
}

impl Unmet {
    /// A finding that is not about spaces.
    pub fn from_finding(finding: Diagnostic) -> Unmet {
        Unmet { finding, spaces: Vec::new() }
    }

    /// The spaces by their names, in one text: *A1, B2, C3 and 4 more*; empty if there are none.
    pub fn spaces_text(&self) -> String {
        const MOST: usize = 6;
        let names: Vec<&str> = self.spaces.iter().take(MOST).map(|(_, s)| s.as_str()).collect();
        match self.spaces.len().saturating_sub(MOST) {
            0 => names.join(", "),
            more => format!("{} and {more} more", names.join(", ")),
        }
    }
}

/// The `needs` that do not hold on the drawn maps.
pub fn judge_needs(program: &Arc<Program>, hooks: Option<&Arc<dyn Hooks>>) -> Vec<Unmet> {
    if program.needs.is_empty() { Vec::new() } else { find_needs(&mut make_machine(program, hooks, 1)) }
}

fn find_needs(machine: &mut Machine) -> Vec<Unmet> {
    let program = machine.program().clone();
    if program.needs.is_empty() {
        return Vec::new();
    }
    judge(machine, |machine| {
        machine.start_bare()?;
        let mut out = Vec::new();
        for (slot, reason) in &program.needs {
            let Some(spaces) = find_exceptions(machine, slot)? else { continue };
            let finding = unmet_finding(span_of(&program, slot), machine.fill(*reason, &[], None));
            out.push(make_unmet(finding, spaces));
        }
        Ok(out)
    })
}

/// Runs the set-up to the first choice: the rule error that ends it, or the invariants that do not hold there; with `even_over` also where the game is over then.
pub fn judge_start(
    program: &Arc<Program>,
    hooks: Option<&Arc<dyn Hooks>>,
    seed: u64,
    even_over: bool,
) -> Vec<Unmet> {
    find_at_start(&mut make_machine(program, hooks, seed), even_over)
}

fn find_at_start(machine: &mut Machine, even_over: bool) -> Vec<Unmet> {
    let program = machine.program().clone();
    judge(machine, |machine| {
        machine.start()?;
        let mut out = Vec::new();
        let judged = if machine.is_over() && !even_over { &[][..] } else { &program.invariants };
        for slot in judged {
            let Some(spaces) = find_exceptions(machine, slot)? else { continue };
            let message = format!("“{}” does not hold where it begins", slot.title);
            let finding = Diagnostic::error(codes::BROKEN_INVARIANT, span_of(&program, slot), message);
            out.push(make_unmet(finding.label("not so at the first choice"), spaces));
        }
        Ok(out)
    })
}

fn make_machine(program: &Arc<Program>, hooks: Option<&Arc<dyn Hooks>>, seed: u64) -> Machine {
    let mut machine = Machine::new(program.clone(), seed);
    if let Some(hooks) = hooks {
        machine.set_hooks(hooks.clone());
    }
    machine
}

/// What a machine that has run nothing yet finds; a rule error is a finding, too.
fn judge(machine: &mut Machine, find: impl FnOnce(&mut Machine) -> Result<Vec<Unmet>, Fault>) -> Vec<Unmet> {
    find(machine).unwrap_or_else(|f| vec![Unmet::from_finding(fault_finding(&f, machine.program()))])
}

/// What a set-up does not have that the rules need, and how it fails before the first choice.
pub fn judge_setup(m: &Model, set: &Resolved, judged: Judged, program: Program) -> Vec<Diagnostic> {
    let program = Arc::new(program);
    // The findings of scripts are reported elsewhere.
    let (true, Ok(hooks)) = (judged != Judged::No, Bridge::compile_scripts(&program)) else {
        return Vec::new();
    };
    let mut machine = make_machine(&program, hooks.as_ref(), 1);
    let unstarted = machine.state().clone();
    let mut found = find_needs(&mut machine);
    if found.is_empty() {
        machine.set_state(&unstarted);
        found = find_at_start(&mut machine, false);
    }
    // Whoever chooses what the rules refuse is told so.
    let told = |u: &Unmet| judged == Judged::Start || u.finding.code != codes::NEEDS;
    found.into_iter().filter(told).map(|u| place_finding(m, set, judged, u.finding)).collect()
}

/// A finding about a set-up with what was chosen; about a start, at its scenario.
pub fn place_finding(m: &Model, set: &Resolved, judged: Judged, d: Diagnostic) -> Diagnostic {
    let on = |kind: ScopeKind| {
        let scopes = set.scopes.iter().filter_map(|id| m.scopes.get(id.index()));
        scopes.filter(move |s| s.kind == kind)
    };
    let mut with =
        vec![if set.seats == 1 { String::from("1 player") } else { format!("{} players", set.seats) }];
    with.extend(on(ScopeKind::Variant).map(|v| format!("`{}`", v.name)));
    for (id, value) in set.options.iter().filter(|_| judged == Judged::Chosen) {
        if let Some(o) = m.options.get(id.index())
            && let Some(word) = Values::from_type(m, set, &o.ty).and_then(|v| v.word_of(*value))
        {
            with.push(format!("`{}` = {word}", o.name));
        }
    }
    let with = with.join(", ");
    match on(ScopeKind::Scenario).next_back() {
        Some(scenario) if judged == Judged::Start => {
            place_at_scenario(d, scenario, format!("begun with {with}"))
        }
        Some(scenario) => d.also(scenario.span, format!("begun here with {with}")),
        None => {
            let help =
                d.help.clone().unwrap_or_else(|| format!("it is so where the game begins with {with}"));
            d.help(help)
        }
    }
}

fn span_of(p: &Program, slot: &InvariantSlot) -> Span {
    let decl = p.funcs.get(slot.func.index()).and_then(|f| p.decls.get(f.decl.index()));
    decl.map_or(Span::default(), |d| d.span)
}

/// What is not met, with the spaces in its label.
fn make_unmet(finding: Diagnostic, spaces: Vec<SpaceName>) -> Unmet {
    let mut out = Unmet { finding, spaces };
    let spaces = out.spaces_text();
    if !spaces.is_empty() {
        out.finding.at.text.push_str(&format!(": {spaces}"));
    }
    out
}

/// The spaces that do not meet a condition, none if it is not on each space; `None` if it holds.
fn find_exceptions(machine: &mut Machine, slot: &InvariantSlot) -> Result<Option<Vec<SpaceName>>, Fault> {
    let p = machine.program().clone();
    let mut holds = [0];
    machine.eval(slot.func, &[], &mut holds)?;
    if holds != [0] {
        return Ok(None);
    }
    let mut spaces = Vec::new();
    if let Some((f, u)) = slot.spaces
        && let Some(universe) = p.universes.get(u.index())
        && let Some(map) = p.maps.iter().find(|m| m.spaces == u)
        && !matches!(universe.sort, UniverseSort::Numbers { .. })
    {
        let mut set = vec![0u64; universe.w as usize];
        machine.eval(f, &[], &mut set)?;
        for i in 0..i64::from(universe.n) {
            let there = set.get(i as usize / 64).is_some_and(|w| w >> (i % 64) & 1 == 1);
            if there {
                spaces.push((map.name.clone(), thing_word(&p, u, i)));
            }
        }
    }
    Ok(Some(spaces))
}
