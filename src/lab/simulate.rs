//! Simulation: plays many games between policies and counts outcomes with intervals, lengths, and uses of rules and cards. The result does not depend on the number of threads.
use super::stats::{Share, Spread, Uses};
use super::testing::broken_invariant;
use houserule_bots::{self as bots, Policy, Sight};
use houserule_engine::{Choice, Fault, Machine, Numbers, QuestionKind, Stream, Verdict, below, mix};
use houserule_play::words::set_bits;
use houserule_play::{Game, Setup, codes, fault_finding};
use houserule_program::ir::{Domain, Program, UniverseId, UniverseSort};
use houserule_text::{Diagnostic, Report};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What is to be played.
#[derive(Clone, Debug)]
pub struct SimulationPlan {
    /// The set-up; its seed is of the whole simulation.
    pub setup: Setup,
    /// The number of the first game; a game is the same whichever others are played.
    pub first: u64,
    /// How many games.
    pub games: u64,
    /// A policy's name for each seat; too few are filled up with the last one, none are `random`.
    pub seats: Vec<String>,
    /// Games at once; 0 is one a core.
    pub jobs: usize,
    /// Choices after which a game is called unfinished.
    pub cap: u64,
    /// Whether uses of rules and cards are counted (slower).
    pub uses: bool,
}

/// One game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// Its number, from 0.
    pub game: u64,
    /// The seed of its chance.
    pub seed: u64,
    /// Choices that were made; of a game that failed, those before the one that brought the failure.
    pub choices: u64,
    /// Turns begun.
    pub turns: i64,
    /// Each player's lot; empty if it was not finished.
    pub verdicts: Vec<Verdict>,
    /// Each player's deciding number, where numbers decide.
    pub scores: Vec<i64>,
    /// Why it was not finished.
    pub unfinished: Option<String>,
    /// The rule error, with its place and the rules' stack, if the rules failed in it; `unfinished` is then its message.
    pub fault: Option<Box<Diagnostic>>,
    /// Uses by name: `action place`, `card guard`.
    pub uses: Vec<(String, u64)>,
}

/// All games.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Games in order of number. Fewer than planned if it was stopped.
    pub games: Vec<GameRecord>,
    /// Players' names.
    pub players: Vec<String>,
    /// Whether anybody answers for each.
    pub playing: Vec<bool>,
    /// Each player's policy: that of the first seat that answers.
    pub policies: Vec<String>,
}

/// Why a simulation could not be run.
#[derive(Debug)]
pub enum SimError {
    /// The set-up.
    Setup(Report),
    /// No such policy; the name.
    Policy(String),
}

/// Plays the games. `done` counts finished ones while it runs; when `stop` turns true no new game is begun and what is finished is kept.
/// A game in which the rules fail is kept as unfinished ([`GameRecord::fault`]), and the others go on.
///
/// # Errors
/// See [`SimError`].
pub fn simulate(
    game: &Game,
    plan: &SimulationPlan,
    stop: &AtomicBool,
    done: &AtomicU64,
) -> Result<Summary, SimError> {
    let (program, names) = prepare(game, plan)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.jobs).build().ok();
    let end = plan.first.saturating_add(plan.games);
    let run_block = |first: u64, end: u64| -> Vec<GameRecord> {
        let chunks: Vec<u64> = (first..end).step_by(CHUNK as usize).collect();
        let all: Vec<Vec<GameRecord>> = chunks
            .into_par_iter()
            .map_init(
                || game.make_machine(program.clone(), 0),
                |machine, from| {
                    let fresh = machine.state().clone();
                    let mut out = Vec::new();
                    for i in from..from.saturating_add(CHUNK).min(end) {
                        if stop.load(Ordering::Relaxed) {
                            break;
                        }
                        machine.set_state(&fresh);
                        out.push(play_game(game, &program, machine, plan, &names, i, None));
                        done.fetch_add(1, Ordering::Relaxed);
                    }
                    machine.set_state(&fresh);
                    out
                },
            )
            .collect();
        all.into_iter().flatten().collect()
    };
    let run = || -> Vec<GameRecord> {
        let mut out = Vec::new();
        let mut first = plan.first;
        while first < end && !stop.load(Ordering::Relaxed) {
            let next = first.saturating_add(BLOCK).min(end);
            out.extend(run_block(first, next));
            first = next;
        }
        out
    };
    let games = match pool {
        Some(p) => p.install(run),
        None => run(),
    };
    let players = program.universes.first().map(|u| u.things.iter().map(|t| t.title.to_string()).collect());
    let playing = program.answered.iter().map(|seats| *seats != 0).collect();
    let seat = |seats: &u32| names.get(seats.trailing_zeros() as usize).cloned().unwrap_or_default();
    let policies = program.answered.iter().map(seat).collect();
    Ok(Summary { games, players: players.unwrap_or_default(), playing, policies })
}

/// The program, and a policy's name for every seat.
pub(super) fn prepare(game: &Game, plan: &SimulationPlan) -> Result<(Arc<Program>, Vec<String>), SimError> {
    let program = game.lower_setup(&plan.setup).map_err(SimError::Setup)?;
    let names: Vec<String> = (0..program.seats as usize)
        .map(|s| plan.seats.get(s).or(plan.seats.last()).cloned().unwrap_or_else(|| "random".into()))
        .collect();
    match names.iter().find(|n| bots::policy_by_name(n, 0).is_none()) {
        Some(n) => Err(SimError::Policy(n.clone())),
        None => Ok((program, names)),
    }
}

/// The seats that play by the uniform policy, each with a stream of its own.
struct Uniform(Vec<Option<Stream>>);

impl Numbers for Uniform {
    type Source = Stream;

    fn of(&mut self, seat: usize) -> Option<&mut Stream> {
        self.0.get_mut(seat).and_then(Option::as_mut)
    }
}

/// Games that one thread plays in a row.
const CHUNK: u64 = 16;

/// Games that are shared out among the threads at a time: however many games are asked for, the list of what is to do stays short.
const BLOCK: u64 = 1 << 20;

/// An answer as it was given.
pub(super) struct Answer {
    pub seat: usize,
    /// The question's number.
    pub question: u32,
    pub choice: Choice,
}

/// What came of a game so far.
#[derive(Default)]
struct Course {
    choices: u64,
    unfinished: Option<String>,
    /// An invariant that did not hold.
    broken: Option<Diagnostic>,
    uses: HashMap<String, u64>,
}

/// Plays a game on a machine at its start. If the answers are wanted, one that brought a failure is the last of them.
pub(super) fn play_game(
    game: &Game,
    program: &Arc<Program>,
    m: &mut Machine,
    plan: &SimulationPlan,
    names: &[String],
    index: u64,
    answers: Option<&mut Vec<Answer>>,
) -> GameRecord {
    let seed = mix(plan.setup.seed, STREAM, index);
    let mut course = Course::default();
    m.reseed(seed);
    m.record(plan.uses);
    let fault = play_on(game, program, m, plan, names, seed, &mut course, answers).err();
    let fault = fault.map(|f| fault_finding(&f, program)).or_else(|| course.broken.take()).map(Box::new);
    m.record(false);
    m.take_events();
    if let Some(f) = &fault {
        course.unfinished = Some(f.message.clone());
    }
    let turns = i64::from(m.state().turns());
    let (verdicts, scores) = match (&course.unfinished, m.outcome()) {
        (None, Some(o)) => (o.verdicts.clone(), o.scores.iter().filter_map(|s| s.first().copied()).collect()),
        _ => (Vec::new(), Vec::new()),
    };
    let Course { choices, unfinished, uses, .. } = course;
    let mut uses: Vec<_> = uses.into_iter().collect();
    uses.sort();
    GameRecord { game: index, seed, choices, turns, verdicts, scores, unfinished, fault, uses }
}

#[allow(clippy::too_many_arguments)]
fn play_on(
    game: &Game,
    program: &Arc<Program>,
    m: &mut Machine,
    plan: &SimulationPlan,
    names: &[String],
    seed: u64,
    course: &mut Course,
    mut answers: Option<&mut Vec<Answer>>,
) -> Result<(), Fault> {
    m.start()?;
    let hooks = game.make_hooks(program);
    let mut uniform = Uniform(Vec::new());
    // What must hold is looked at between any two answers.
    let stretch = if program.invariants.is_empty() { u64::MAX } else { 1 };
    let mut policies: Vec<Option<Box<dyn Policy>>> = Vec::new();
    for (seat, name) in names.iter().enumerate() {
        let own = mix(seed, STREAM + 1, seat as u64);
        // The uniform policy needs no sight: it draws straight from the options.
        let plain = name == "random" && !plan.uses && answers.is_none();
        // The same numbers as the bot would draw: counting uses must not change the games.
        uniform.0.push(plain.then(|| Stream::new(own, bots::STREAM)));
        policies.push(if plain { None } else { bots::policy_by_name(name, own) });
    }
    let mut order = Stream::new(seed, STREAM + 2);
    let give_up = |course: &mut Course, why: String| course.unfinished = Some(why);
    while !m.is_over() {
        if !program.invariants.is_empty()
            && let Some(title) = broken_invariant(m)?
        {
            course.broken = Some(to_finding(game, &title));
            break;
        }
        // Where several are asked at once, chance says who answers next.
        let pending = m.questions().len() as u64;
        let at = if pending > 1 { below(pending, || order.draw()) as usize } else { 0 };
        let Some(q) = m.questions().get(at).copied() else {
            give_up(course, String::from("nobody is asked and nothing ends the game"));
            break;
        };
        if course.choices >= plan.cap {
            give_up(course, format!("{} choices were made and the game had not ended", course.choices));
            break;
        }
        let seat = q.seats.trailing_zeros() as usize;
        if uniform.of(seat).is_some() {
            match m.play_on(at, stretch.min(plan.cap - course.choices), &mut uniform) {
                Ok(0) => {
                    give_up(course, String::from("there was nothing to answer"));
                    break;
                }
                Ok(made) => course.choices += made,
                Err(fault) => {
                    course.choices += m.made_before_fault();
                    return Err(fault);
                }
            }
        } else {
            let policy = policies.get_mut(seat).and_then(Option::as_mut);
            let choice = match (policy, Sight::new(m, hooks.clone(), seat, at)) {
                (Some(p), Some(mut sight)) => p.choose(&mut sight)?,
                _ => None,
            };
            let Some(choice) = choice else {
                give_up(course, String::from("there was nothing to answer"));
                break;
            };
            if plan.uses {
                note_uses(program, m, q.kind, &choice, &mut course.uses);
            }
            if let Some(all) = &mut answers {
                all.push(Answer { seat, question: q.id, choice: choice.clone() });
            }
            match m.choose(at, &choice) {
                Ok(()) => {}
                Err(houserule_engine::Refusal::Fault(f)) => return Err(f),
                Err(r) => {
                    give_up(course, format!("an answer was refused: {r:?}"));
                    break;
                }
            }
            course.choices += 1;
        }
        if plan.uses {
            note_rules(program, m, &mut course.uses);
        }
    }
    Ok(())
}

/// The finding of an invariant that does not hold.
fn to_finding(game: &Game, title: &str) -> Diagnostic {
    let found = game.model().invariants.iter().find(|i| *i.title == *title);
    let span = found.map(|i| i.span).unwrap_or_default();
    let message = format!("the invariant “{title}” does not hold");
    Diagnostic::error(codes::BROKEN_INVARIANT, span, message).label("not so between two choices")
}

/// The stream of a simulation's seeds.
const STREAM: u64 = 0x51b0;

/// Counts what a choice names: its action, and the cards that were picked, by their faces.
fn note_uses(p: &Program, m: &Machine, kind: QuestionKind, choice: &Choice, uses: &mut HashMap<String, u64>) {
    let one = |x: i64| usize::try_from(x).into_iter().collect::<Vec<_>>();
    match (choice, kind) {
        (Choice::Action { action, params }, _) => {
            let Some(a) = p.actions.get(action.index()) else { return };
            *uses.entry(format!("action {}", a.name)).or_default() += 1;
            let mut at = 0;
            for slot in &a.params {
                let n = slot.domain.words(p) as usize;
                let words = params.get(at..at + n).unwrap_or(&[]);
                at += n;
                match slot.domain {
                    Domain::Number => {}
                    Domain::Thing(u) => {
                        note_cards(p, m, u, words.first().map_or(Vec::new(), |x| one(*x as i64)), uses)
                    }
                    Domain::Subset(u) => note_cards(p, m, u, set_bits(words).collect(), uses),
                }
            }
        }
        (Choice::One(x), QuestionKind::One(_, u)) => note_cards(p, m, u, one(*x), uses),
        (Choice::Subset(set), QuestionKind::Subset(_, u)) => {
            note_cards(p, m, u, set_bits(set).collect(), uses)
        }
        _ => {}
    }
}

fn note_cards(p: &Program, m: &Machine, u: UniverseId, things: Vec<usize>, uses: &mut HashMap<String, u64>) {
    let Some(UniverseSort::Components(ci)) = p.universes.get(u.index()).map(|u| &u.sort) else { return };
    let Some(faces) = p.comps.get(*ci as usize).and_then(|c| p.universes.get(c.faces.index())) else {
        return;
    };
    for c in things {
        if let Some(thing) = m.look().face(*ci as usize, c).and_then(|f| faces.things.get(f)) {
            *uses.entry(format!("card {}", thing.word)).or_default() += 1;
        }
    }
}

/// Counts the rules, cards and attachments that something was told of since the last choice, each once a choice.
fn note_rules(p: &Program, m: &mut Machine, uses: &mut HashMap<String, u64>) {
    let mut decls: Vec<u16> = m.take_events().iter().map(|e| e.decl.0).collect();
    decls.sort_unstable();
    decls.dedup();
    for d in decls.into_iter().filter_map(|d| p.decls.get(usize::from(d))) {
        // Actions are counted by the choices.
        if !matches!(d.what, "action" | "game" | "round") {
            *uses.entry(format!("{} {}", d.what, d.name)).or_default() += 1;
        }
    }
}

impl Summary {
    /// Games in which the rules failed.
    pub fn faults(&self) -> impl Iterator<Item = (&GameRecord, &Diagnostic)> {
        self.games.iter().filter_map(|g| g.fault.as_deref().map(|f| (g, f)))
    }

    /// Games that were finished.
    pub fn finished(&self) -> u64 {
        self.games.iter().filter(|g| g.unfinished.is_none()).count() as u64
    }

    /// Share of finished games in which a player had that lot.
    pub fn share(&self, player: usize, lot: Verdict) -> Share {
        let count = self.games.iter().filter(|g| g.verdicts.get(player) == Some(&lot)).count() as u64;
        Share { count, of: self.finished() }
    }

    /// Choices a finished game.
    pub fn lengths(&self) -> Spread {
        let mut s = Spread::default();
        self.games.iter().filter(|g| g.unfinished.is_none()).for_each(|g| s.add(g.choices as i64));
        s
    }

    /// A player's deciding numbers.
    pub fn scores(&self, player: usize) -> Spread {
        let mut s = Spread::default();
        self.games.iter().filter_map(|g| g.scores.get(player)).for_each(|x| s.add(*x));
        s
    }

    /// Uses over all games.
    pub fn uses(&self) -> Uses {
        let mut all = Uses::default();
        for g in &self.games {
            g.uses.iter().for_each(|(name, times)| all.add_game(name, *times));
        }
        all
    }
}
