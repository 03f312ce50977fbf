//! Searches the games of a game's rules for leaks: two worlds that differ only in what a seat may not know must give that seat the same ([`compare_worlds`]).
//!
//! Two things are found. A *leak*: something that a seat gets differs, though no rule told it. A *disclosure*: a rule tells a seat something that it did not know, which
//! rules may do; whoever wrote them looks through the list whether they should.
use super::laws::{Broken, Channel, LawLimits, Violation, compare_worlds};
use houserule_engine::{EventKind, SeededFault};
use houserule_play::{Game, Setup};
use houserule_text::{Report, Span};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is to be searched.
#[derive(Clone, Debug)]
pub struct LeakPlan {
    /// The set-ups, which take turns; their seeds do not matter.
    pub setups: Vec<Setup>,
    /// The seed of the first game; each other has the next.
    pub seed: u64,
    /// Games at most.
    pub games: u64,
    /// Choices of a game at most.
    pub choices: usize,
    /// A leak that is put into the engine, to show that it is found.
    #[doc(hidden)]
    pub fault: Option<SeededFault>,
}

/// A leak, as the first game shows it.
#[derive(Clone, Debug)]
pub struct Leak {
    /// Where a seat learns something.
    pub channel: Channel,
    /// The rule that causes it. None: none does, the fault is this program's.
    pub at: Option<Span>,
    /// What differs.
    pub what: String,
    /// The set-up of that game, with its seed.
    pub setup: Setup,
    /// After how many choices.
    pub step: usize,
    /// In how many games it was found.
    pub games: u64,
}

/// What a rule tells.
#[derive(Clone, Debug)]
pub struct ToldByRule {
    /// The rule.
    pub at: Span,
    /// By what kind of event.
    pub kind: EventKind,
    /// The most seats that read the whole line; 0: no single line tells it.
    pub readers: usize,
    /// In how many pairs of worlds.
    pub times: u64,
    /// A line of the log.
    pub text: String,
}

/// What was searched and found.
#[derive(Clone, Debug, Default)]
pub struct LeaksFound {
    /// Games that were played.
    pub games: u64,
    /// Comparisons of what a seat gets in two worlds.
    pub compared: u64,
    /// Games that ended with an error of the rules, and the first such error.
    pub failed: (u64, Option<String>),
    /// The leaks, in the order of the games that found them.
    pub leaks: Vec<Leak>,
    /// What rules tell, by their place.
    pub told: Vec<ToldByRule>,
}

/// Games that are played before it is asked whether to go on.
const BLOCK: u64 = 4;

/// Compares worlds in random games until there are as many games as planned or `goes_on` turns false. `done` counts games.
///
/// # Errors
/// If no set-up can be played: why the last of them cannot.
pub fn find_leaks(
    game: &Game,
    plan: &LeakPlan,
    goes_on: &(dyn Fn() -> bool + Sync),
    done: &AtomicU64,
) -> Result<LeaksFound, Report> {
    let mut refused = Report::default();
    let mut setups = Vec::new();
    for setup in &plan.setups {
        match game.lower_setup(setup) {
            Ok(_) => setups.push(setup),
            Err(report) => refused = report,
        }
    }
    if setups.is_empty() {
        return Err(refused);
    }
    let mut out = LeaksFound::default();
    let mut told: BTreeMap<(Span, &'static str), ToldByRule> = BTreeMap::new();
    while out.games < plan.games && goes_on() {
        let next = out.games.saturating_add(BLOCK).min(plan.games);
        let numbers: Vec<u64> = (out.games..next).collect();
        let play = |n: &u64| {
            let setup = setups.get((*n % setups.len() as u64) as usize)?;
            let seed = plan.seed.wrapping_add(*n);
            let found = compare_worlds(
                game,
                setup,
                LawLimits { seed, choices: plan.choices, tuples: 60 },
                plan.fault,
            );
            done.fetch_add(1, Ordering::Relaxed);
            Some((Setup { seed, ..(*setup).clone() }, found))
        };
        let all: Vec<_> = numbers.par_iter().filter_map(play).collect();
        out.games = next;
        for (setup, found) in all {
            out.compared += found.checked.cases;
            for line in found.disclosures {
                let row = told.entry((line.at, kind_words(&line.kind))).or_insert_with(|| ToldByRule {
                    at: line.at,
                    kind: line.kind,
                    readers: line.readers,
                    times: 0,
                    text: line.text,
                });
                row.readers = row.readers.max(line.readers);
                row.times += 1;
            }
            if let Some(broken) = found.broken {
                out.add_broken(broken, setup);
            }
        }
    }
    out.told = told.into_values().collect();
    Ok(out)
}

impl LeaksFound {
    fn add_broken(&mut self, broken: Broken, setup: Setup) {
        let channel = match broken.kind {
            Violation::Leak(channel) => channel,
            Violation::Law => Channel::View,
            Violation::RuleError => {
                self.failed.0 += 1;
                self.failed.1.get_or_insert_with(|| broken.to_string());
                return;
            }
        };
        match self.leaks.iter_mut().find(|l| l.channel == channel && l.at == broken.at) {
            Some(known) => known.games += 1,
            None => self.leaks.push(Leak {
                channel,
                at: broken.at,
                what: broken.what,
                setup,
                step: broken.step,
                games: 1,
            }),
        }
    }
}

/// What a rule does that tells something, in words.
pub fn kind_words(kind: &EventKind) -> &'static str {
    match kind {
        EventKind::Said => "says it",
        EventKind::Shown => "shows it",
        EventKind::Moved => "moves it to where it is seen, or from there",
        EventKind::Changed | EventKind::LayerEnded => "writes it where all may read",
        EventKind::Turned(_) => "turns it over",
        EventKind::Rolled(_) => "rolls in the open",
        EventKind::Shuffled => "shuffles in the open",
        EventKind::Verdict(_) | EventKind::Ended => "decides who has won",
        EventKind::Acted(_)
        | EventKind::Answered
        | EventKind::Done
        | EventKind::Passed
        | EventKind::Reopened
        | EventKind::TimeUp => "is a choice that all hear of",
        EventKind::Round(_) | EventKind::Turn | EventKind::Phase(_) => "begins a part of the game",
    }
}
