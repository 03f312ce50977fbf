//! Fuzzes the rules of one game: plays it in ways in which people seldom play, to find where the rules fail, and shrinks each failure to few choices.
//!
//! What counts as a failure: a rule error (an endless loop is one), an invariant that does not hold, and a position in which nobody is asked and nothing ends
//! the game. Games that do not end within a limit are counted.
mod playing;
mod shrink;

use super::record::{record_failing_start, record_failure};
use houserule_engine::{Fault, Machine, Refusal, below, mix};
use houserule_play::{Game, Setup};
use houserule_text::{Diagnostic, Files, Report};
use playing::{Player, STREAM, Start, find_failure, of_fault, stuck_failure};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

pub use playing::{Failure, Style, Taken};

/// What is to be tried.
#[derive(Clone, Debug)]
pub struct GameFuzzPlan {
    /// The set-ups, which take turns; their seeds do not matter.
    pub setups: Vec<Setup>,
    /// Of all that is drawn.
    pub seed: u64,
    /// Games at most.
    pub games: u64,
    /// Choices after which a game is left.
    pub cap: usize,
    /// Games that are tried to make a failure shorter.
    pub tries: u32,
}

/// A failure, with the shortest game that shows it.
#[derive(Clone, Debug)]
pub struct FoundFailure {
    /// What it is.
    pub failure: Failure,
    /// The finding, as it is told of games.
    pub finding: Diagnostic,
    /// The set-up of the shortest game, with its seed.
    pub setup: Setup,
    /// The choices of that game; the last one brought the failure.
    pub choices: Vec<Taken>,
    /// The number of the game that found it, and how that was played.
    pub game: u64,
    /// How that game was played.
    pub style: Style,
    /// Its choices, before it was shrunk.
    pub unshrunk: usize,
    /// In how many games it was found.
    pub times: u64,
}

/// What was tried, and what was found.
#[derive(Clone, Debug, Default)]
pub struct GameFuzzed {
    /// Games that were played.
    pub games: u64,
    /// Choices that were made.
    pub choices: u64,
    /// Games that were left because they did not end.
    pub endless: u64,
    /// The number of the first of those.
    pub first_endless: Option<u64>,
    /// The failures, in the order of the games that found them first.
    pub found: Vec<FoundFailure>,
}

/// Games that are played before it is asked whether to go on.
const BLOCK: u64 = 64;

/// Different failures that are shrunk and told.
const MOST_FOUND: usize = 20;

/// How one game went.
struct Played {
    game: u64,
    start: usize,
    style: Style,
    seed: u64,
    choices: Vec<Taken>,
    failure: Option<(Failure, Diagnostic)>,
    endless: bool,
}

/// Plays games until there are as many as planned or `goes_on` turns false; then shrinks what was found. `done` counts games.
///
/// # Errors
/// If no set-up can be played: why the last of them cannot.
pub fn fuzz_game(
    game: &Game,
    plan: &GameFuzzPlan,
    goes_on: &(dyn Fn() -> bool + Sync),
    done: &AtomicU64,
) -> Result<GameFuzzed, Report> {
    let mut starts = Vec::new();
    let mut refused = Report::default();
    for setup in &plan.setups {
        match game.lower_setup(setup) {
            Ok(program) => {
                let hooks = game.make_hooks(&program);
                starts.push(Start { setup: setup.clone(), program, hooks });
            }
            Err(report) => refused = report,
        }
    }
    if starts.is_empty() {
        return Err(refused);
    }
    let mut out = GameFuzzed::default();
    let mut shortest: Vec<Played> = Vec::new();
    let mut times: BTreeMap<usize, u64> = BTreeMap::new();
    while out.games < plan.games && goes_on() {
        let next = out.games.saturating_add(BLOCK).min(plan.games);
        let numbers: Vec<u64> = (out.games..next).collect();
        let play = |n: &u64| {
            let played = play_one(game, &starts, plan, *n);
            done.fetch_add(1, Ordering::Relaxed);
            played
        };
        let all: Vec<Played> = numbers.par_iter().map(play).collect();
        out.games = next;
        for played in all {
            out.choices += played.choices.len() as u64;
            if played.endless {
                out.endless += 1;
                out.first_endless.get_or_insert(played.game);
            }
            let Some((failure, _)) = &played.failure else { continue };
            let same = |p: &Played| p.failure.as_ref().is_some_and(|(f, _)| f == failure);
            match shortest.iter().position(same) {
                Some(i) => {
                    *times.entry(i).or_default() += 1;
                    if let Some(known) =
                        shortest.get_mut(i).filter(|k| k.choices.len() > played.choices.len())
                    {
                        *known = played;
                    }
                }
                None if shortest.len() < MOST_FOUND => {
                    times.insert(shortest.len(), 1);
                    shortest.push(played);
                }
                None => {}
            }
        }
    }
    let shrink = |(i, played): (usize, &Played)| {
        let start = starts.get(played.start)?;
        let (failure, finding) = played.failure.clone()?;
        let mut bench = shrink::Bench::new(game, start);
        let short = bench.shrink(&failure, played.seed, &played.choices, plan.tries);
        let setup = Setup { seed: short.seed, ..start.setup.clone() };
        Some(FoundFailure {
            finding: short.finding.unwrap_or(finding),
            failure,
            setup,
            choices: short.choices,
            game: played.game,
            style: played.style,
            unshrunk: played.choices.len(),
            times: times.get(&i).copied().unwrap_or(1),
        })
    };
    out.found = shortest.par_iter().enumerate().filter_map(shrink).collect();
    Ok(out)
}

/// Plays the game of that number.
fn play_one(game: &Game, starts: &[Start], plan: &GameFuzzPlan, number: u64) -> Played {
    let at = (number % starts.len().max(1) as u64) as usize;
    let style = Style::ALL[((number / starts.len().max(1) as u64) % Style::ALL.len() as u64) as usize];
    // A test can name seeds that are not larger.
    let seed = mix(plan.seed, STREAM, number) >> 33;
    let mut played =
        Played { game: number, start: at, style, seed, choices: Vec::new(), failure: None, endless: false };
    let Some(start) = starts.get(at) else { return played };
    let mut machine = game.make_machine(start.program.clone(), seed);
    let mut player = Player::new(style, seed, start);
    let ended = machine.start().and_then(|()| play_on(&mut machine, &mut player, plan.cap, &mut played));
    if let Err(fault) = ended {
        played.failure = Some(of_fault(&fault, &start.program));
    }
    played
}

/// Plays to the end, to a failure, or to the cap. A choice that brings a fault is the last of the choices.
fn play_on(m: &mut Machine, player: &mut Player<'_>, cap: usize, played: &mut Played) -> Result<(), Fault> {
    while !m.is_over() {
        if let Some(failure) = find_failure(player.start, m)? {
            played.failure = Some(failure);
            return Ok(());
        }
        if played.choices.len() >= cap {
            played.endless = true;
            return Ok(());
        }
        let pending = m.questions().len() as u64;
        let at = below(pending, || player.rng.draw()) as usize;
        let Some(q) = m.questions().get(at).copied() else { return Ok(()) };
        let Some(choice) = player.choose(m, at, &q)? else {
            played.failure = Some(stuck_failure(player.start));
            return Ok(());
        };
        played.choices.push(Taken::new(&q, choice.clone()));
        match m.choose(at, &choice) {
            Ok(()) => {}
            Err(Refusal::Fault(fault)) => return Err(fault),
            // What a bot proposes and the rules refuse is not made.
            Err(_) => {
                played.choices.pop();
                player.style = Style::Random;
            }
        }
    }
    Ok(())
}

impl FoundFailure {
    /// The game that shows the failure as a `test` block for the game's rules, which fails as the game does. `files` are the game's texts.
    ///
    /// # Errors
    /// Why it cannot be said as a test, in a sentence.
    pub fn to_test(&self, game: &Game, files: &Files) -> Result<String, String> {
        let title = format!("found by fuzzing: {}", self.finding.message);
        let Ok(mut m) = game.start(&self.setup) else {
            return record_failing_start(game, files, &self.setup, &title, &self.finding.message);
        };
        let mut last = None;
        for (i, taken) in self.choices.iter().enumerate() {
            let q = taken.find_among(m.questions()).and_then(|at| m.questions().get(at).copied());
            let Some(q) = q else { return Err(format!("choice {} cannot be made again", i + 1)) };
            if m.choose(q.seats.trailing_zeros() as usize, q.id, &taken.choice).is_err() {
                last = Some((q, &taken.choice));
                break;
            }
        }
        let message = match &self.failure {
            Failure::Fault(..) => Some(self.finding.message.as_str()),
            Failure::Invariant(title) => Some(title.as_str()),
            Failure::Stuck => None,
        };
        record_failure(&m, files, last.as_ref().map(|(q, choice)| (q, *choice)), &title, message)
    }
}
