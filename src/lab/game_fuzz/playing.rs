//! How a game is played while its rules are fuzzed: in which styles, and what counts as a failure.
use crate::testing::broken_invariant;
use houserule_bots::{self as bots, Policy, Sight};
use houserule_engine::{
    Choice, Fault, FaultKind, Hooks, Machine, Question, QuestionKind, State, Stream, mix,
};
use houserule_play::{Setup, codes, fault_finding};
use houserule_program::ir::{ActionIx, Program};
use houserule_text::{Diagnostic, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Streams of the chance of this module.
pub(super) const STREAM: u64 = 0xf022;

/// Options among which one is looked for.
const LOOKED_AT: usize = 64;

/// How a game is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Each option has the same chance.
    Random,
    /// Of some options the one whose action was taken least in this game.
    Rare,
    /// The first or the last option: the ends of lists and ranges.
    Ends,
    /// `done` and `pass` wherever they are offered.
    Idle,
    /// The same again and again, as long as it is offered.
    Stubborn,
    /// As the greedy bot plays.
    Greedy,
}

impl Style {
    /// How they take turns.
    pub(super) const ALL: [Style; 8] = [
        Style::Random,
        Style::Rare,
        Style::Ends,
        Style::Random,
        Style::Stubborn,
        Style::Rare,
        Style::Idle,
        Style::Greedy,
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Style::Random => "random",
            Style::Rare => "rare actions first",
            Style::Ends => "first or last options",
            Style::Idle => "idle",
            Style::Stubborn => "the same again",
            Style::Greedy => "greedy",
        }
    }
}

/// What of a failure makes two the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// A rule error at a place; what kind it is, without the numbers in it.
    Fault(Span, std::mem::Discriminant<FaultKind>),
    /// An invariant, by its title.
    Invariant(String),
    /// Nobody is asked and nothing ends the game.
    Stuck,
}

/// A choice that was made, so that it can be made again in another game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// Who was asked: the player, or anybody.
    player: Option<u8>,
    /// What kind of answer was wanted.
    kind: QuestionKind,
    /// The answer.
    pub choice: Choice,
}

impl Taken {
    pub(super) fn new(q: &Question, choice: Choice) -> Taken {
        Taken { player: (!q.anybody).then_some(q.player), kind: q.kind, choice }
    }

    /// The pending question to which it is an answer.
    pub(super) fn find_among(&self, pending: &[Question]) -> Option<usize> {
        let same = |q: &Question| q.kind == self.kind && self.player == (!q.anybody).then_some(q.player);
        pending.iter().position(same)
    }
}

/// A set-up that is ready to be played.
pub(super) struct Start {
    pub setup: Setup,
    pub program: Arc<Program>,
    pub hooks: Option<Arc<dyn Hooks>>,
}

pub(super) fn of_fault(fault: &Fault, p: &Program) -> (Failure, Diagnostic) {
    (Failure::Fault(fault.span, std::mem::discriminant(&fault.kind)), fault_finding(fault, p))
}

/// What is wrong with the position: an invariant, or that nobody is asked.
pub(super) fn find_failure(start: &Start, m: &mut Machine) -> Result<Option<(Failure, Diagnostic)>, Fault> {
    if !start.program.invariants.is_empty()
        && let Some(title) = broken_invariant(m)?
    {
        let message = format!("the invariant “{title}” does not hold");
        let finding = Diagnostic::error(codes::BROKEN_INVARIANT, Span::default(), message);
        return Ok(Some((Failure::Invariant(title), finding.label("not so between two choices"))));
    }
    Ok((!m.is_over() && m.questions().is_empty()).then(|| stuck_failure(start)))
}

pub(super) fn stuck_failure(start: &Start) -> (Failure, Diagnostic) {
    let span = start.program.decls.first().map_or(Span::default(), |d| d.span);
    let message = "nobody is asked, or nothing is on offer, and nothing ends the game";
    (Failure::Stuck, Diagnostic::error(codes::RULE_FAULT, span, message))
}

/// Who plays all seats of one game.
pub(super) struct Player<'a> {
    pub start: &'a Start,
    pub style: Style,
    pub rng: Stream,
    /// How often each action was taken.
    taken: BTreeMap<ActionIx, u32>,
    last: Option<Choice>,
    policies: Vec<Option<Box<dyn Policy>>>,
}

impl<'a> Player<'a> {
    pub fn new(style: Style, seed: u64, start: &'a Start) -> Player<'a> {
        let policy = |seat: u8| {
            (style == Style::Greedy)
                .then(|| bots::policy_by_name("greedy", mix(seed, STREAM + 2, u64::from(seat))))?
        };
        Player {
            start,
            style,
            rng: Stream::new(seed, STREAM + 1),
            taken: BTreeMap::new(),
            last: None,
            policies: (0..start.program.seats).map(policy).collect(),
        }
    }

    pub fn choose(&mut self, m: &mut Machine, at: usize, q: &Question) -> Result<Option<Choice>, Fault> {
        let chosen = match self.style {
            Style::Random => None,
            Style::Rare => self.choose_rare(m, at)?,
            Style::Ends => {
                let last = self.rng.draw().is_multiple_of(2);
                let all: Vec<Choice> = m.options(at)?.iter().take(LOOKED_AT).collect();
                if last { all.last().cloned() } else { all.first().cloned() }
            }
            Style::Idle => {
                let idle = |c: &Choice| matches!(c, Choice::Done | Choice::Pass | Choice::Truth(false));
                m.options(at)?.iter().take(LOOKED_AT).find(idle)
            }
            Style::Stubborn => {
                let last = self.last.clone();
                m.options(at)?.iter().take(LOOKED_AT).find(|c| Some(c) == last.as_ref())
            }
            Style::Greedy => self.choose_greedily(m, at, q)?,
        };
        let chosen = match chosen {
            Some(choice) => Some(choice),
            None => m.draw(at, &mut self.rng)?,
        };
        if let Some(Choice::Action { action, .. }) = &chosen {
            *self.taken.entry(*action).or_default() += 1;
        }
        self.last = chosen.clone();
        Ok(chosen)
    }

    /// Of some drawn options the one whose action was taken least.
    fn choose_rare(&mut self, m: &mut Machine, at: usize) -> Result<Option<Choice>, Fault> {
        let mut best: Option<(u32, Choice)> = None;
        for _ in 0..6 {
            let Some(choice) = m.draw(at, &mut self.rng)? else { break };
            let taken = match &choice {
                Choice::Action { action, .. } => self.taken.get(action).copied().unwrap_or(0),
                _ => u32::MAX,
            };
            if best.as_ref().is_none_or(|(least, _)| taken < *least) {
                best = Some((taken, choice));
            }
        }
        Ok(best.map(|(_, choice)| choice))
    }

    fn choose_greedily(&mut self, m: &mut Machine, at: usize, q: &Question) -> Result<Option<Choice>, Fault> {
        let seat = q.seats.trailing_zeros() as usize;
        let Some(policy) = self.policies.get_mut(seat).and_then(Option::as_mut) else { return Ok(None) };
        match Sight::new(m, self.start.hooks.clone(), seat, at) {
            Some(mut sight) => policy.choose(&mut sight),
            None => Ok(None),
        }
    }
}

/// A machine that begins the same game again and again.
pub(super) fn restart(m: &mut Machine, fresh: &State, seed: u64) -> Result<(), Fault> {
    m.set_state(fresh);
    m.reseed(seed);
    m.start()
}
