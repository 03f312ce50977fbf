//! One game from start to end without people: policies answer, choices and uses are counted.
use super::testing::broken_invariant;
use crate::bots::{Policy, Sight};
use crate::engine::{Choice, Fault, Hooks, Machine, Outcome, Question, Refusal, Stream, below};
use crate::play::fault_finding;
use crate::program::ir::{Domain, Program, UniverseSort};
use crate::text::Diagnostic;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Choices that a playout may take before it is called unfinished, unless said.
pub const CHOICES: u64 = 10_000;

/// How a playout ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Over by the rules.
    Over(Outcome),
    /// The cap on choices was reached.
    Capped,
    /// The rules failed.
    Fault(Box<Diagnostic>),
    /// An invariant did not hold: its title.
    Broken(String),
}

impl End {
    /// Why there is no result, in a few words; `None` if there is one.
    pub fn unfinished(&self) -> Option<String> {
        match self {
            End::Over(_) => None,
            End::Capped => Some(String::from("too many choices")),
            End::Fault(d) => Some(format!("the rules failed: {}", d.message)),
            End::Broken(title) => Some(format!("the invariant “{title}” did not hold")),
        }
    }
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Choices taken, forced passes included.
    pub choices: u64,
    /// Rounds begun.
    pub rounds: i32,
    /// How it ended.
    pub end: End,
    /// How often each action was taken, and each card or other component chosen: `action place`, `card guard`; if asked for, each rule that something was told of.
    pub uses: BTreeMap<String, u64>,
}

/// What a playout does beside playing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Watch {
    /// Most choices.
    pub cap: u64,
    /// Whether uses are counted.
    pub uses: bool,
}

impl Default for Watch {
    fn default() -> Self {
        Watch { cap: CHOICES, uses: false }
    }
}

/// Plays a machine that has been started to its end. `policies` has one policy a seat; where it has none, answers are drawn by the uniform policy from `rng`, and so
/// is, where several questions are pending, the next one to be answered.
pub fn playout(
    machine: &mut Machine,
    hooks: Option<&Arc<dyn Hooks>>,
    policies: &mut [Option<Box<dyn Policy>>],
    rng: &mut Stream,
    watch: Watch,
) -> Played {
    let program = machine.program().clone();
    let mut played = Played { choices: 0, rounds: 0, end: End::Capped, uses: BTreeMap::new() };
    machine.record(watch.uses);
    played.end = loop {
        if watch.uses {
            count_events(&program, machine, &mut played.uses);
        }
        if !program.invariants.is_empty() {
            match broken_invariant(machine) {
                Ok(None) => {}
                Ok(Some(title)) => break End::Broken(title),
                Err(f) => break End::Fault(Box::new(fault_finding(&f, &program))),
            }
        }
        if machine.is_over() {
            break match machine.outcome() {
                Some(o) => End::Over(o.clone()),
                None => End::Capped,
            };
        }
        if played.choices >= watch.cap {
            break End::Capped;
        }
        match answer(machine, hooks, policies, rng, watch.uses.then_some(&mut played.uses)) {
            Ok(()) => played.choices += 1,
            Err(f) => break End::Fault(Box::new(fault_finding(&f, &program))),
        }
    };
    played.rounds = machine.state().round();
    machine.record(false);
    played
}

fn answer(
    machine: &mut Machine,
    hooks: Option<&Arc<dyn Hooks>>,
    policies: &mut [Option<Box<dyn Policy>>],
    rng: &mut Stream,
    uses: Option<&mut BTreeMap<String, u64>>,
) -> Result<(), Fault> {
    let n = machine.questions().len();
    let q = if n > 1 { below(n as u64, || rng.draw()) as usize } else { 0 };
    let Some(question) = machine.questions().get(q).copied() else { return Err(stuck(machine, None)) };
    let seat = question.seats.trailing_zeros() as usize;
    let policy = policies.get_mut(seat).and_then(Option::as_mut);
    if policy.is_none() && uses.is_none() {
        // Nobody wants to know what is chosen: the fast way.
        return if machine.step(q, rng)? { Ok(()) } else { Err(stuck(machine, Some(&question))) };
    }
    let chosen = match policy {
        Some(p) => match Sight::new(machine, hooks.cloned(), seat, q) {
            Some(mut sight) => p.choose(&mut sight)?,
            None => None,
        },
        None => machine.draw(q, rng)?,
    };
    let Some(choice) = chosen else { return Err(stuck(machine, Some(&question))) };
    if let Some(uses) = uses {
        count_choice(machine, &choice, uses);
    }
    match machine.choose(q, &choice) {
        Ok(()) => Ok(()),
        Err(Refusal::Fault(f)) => Err(f),
        Err(_) => Err(stuck(machine, Some(&question))),
    }
}

/// Nobody is asked, or what was drawn is refused: a defect of the engine, told as one.
fn stuck(_machine: &Machine, q: Option<&Question>) -> Fault {
    Fault {
        kind: match q {
            None => crate::engine::FaultKind::Stuck,
            Some(_) => crate::engine::FaultKind::BadProgram("an option was refused"),
        },
        span: q.map_or_else(Default::default, |q| q.span),
        frames: Vec::new(),
    }
}

fn count(uses: &mut BTreeMap<String, u64>, name: String) {
    *uses.entry(name).or_default() += 1;
}

/// Counts the action that was chosen, and the faces of the components that were picked for it.
fn count_choice(machine: &Machine, choice: &Choice, uses: &mut BTreeMap<String, u64>) {
    let look = machine.look();
    let p = look.program;
    let Choice::Action { action, params } = choice else { return };
    let Some(slot) = p.actions.get(action.index()) else { return };
    count(uses, format!("action {}", slot.name));
    let mut at = 0;
    for param in &slot.params {
        let w = param.domain.words(p) as usize;
        let words = params.get(at..at + w).unwrap_or(&[]);
        at += w;
        let (u, things): (_, Vec<usize>) = match param.domain {
            Domain::Number => continue,
            Domain::Thing(u) => {
                (u, words.first().and_then(|x| usize::try_from(*x as i64).ok()).into_iter().collect())
            }
            Domain::Subset(u) => (u, crate::play::words::bits(words).collect()),
        };
        let Some(UniverseSort::Components(ci)) = p.universes.get(u.index()).map(|u| u.sort.clone()) else {
            continue;
        };
        let Some(faces) = p.comps.get(ci as usize).map(|c| c.faces) else { continue };
        for c in things {
            if let Some(f) = look.face(ci as usize, c) {
                count(uses, format!("card {}", crate::engine::thing_word(p, faces, f as i64)));
            }
        }
    }
}

/// Counts the rules that something was told of.
fn count_events(p: &Program, machine: &mut Machine, uses: &mut BTreeMap<String, u64>) {
    for e in machine.take_events() {
        if let Some(d) = p.decls.get(e.decl.index()).filter(|d| d.what != "action") {
            count(uses, format!("{} {}", d.what, d.name));
        }
    }
}
