//! *Try it*: what is tried with each card, played in the background whenever the situation, the choice or the rules change.
//!
//! ```text
//! Trial (kept per card) ─▶ Job: bench::run ─▶ Tried ─▶ try_show ─▶ Job: bench::replay ─▶ Play
//! ```
use crate::command::Command;
use crate::document::{Revision, Subject};
use crate::jobs::Job;
use crate::panels::Context;
use crate::panels::made_test::MakingTest;
use crate::panels::play::Shown;
use crate::play::bench::{self, Ending, Outcome, Pick, Trial, Tried, Wrong};
use crate::play::make_test::make_test;
use houserule::ide::cards::{Card, CardId};
use houserule::lab::record::{Wish, record_given};
use houserule::play::{Match, Setup};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many seeds are played unless somebody says otherwise.
const RUNS: u32 = 20;

/// What is done when a match is written as a situation, should it break off.
const TAKING: &str = "Writing the match as a situation";

/// What came of a trial, or what is wrong with its situation.
pub(super) type Made = Result<Tried, Vec<Wrong>>;

/// A card of a game.
type Whose = (Subject, CardId);

/// What was played.
#[derive(Clone, PartialEq)]
struct Of {
    whose: Whose,
    /// When its texts were last changed.
    touched: Revision,
    trial: Trial,
}

/// A match that is being written as a situation.
struct Taking {
    whose: Whose,
    setup: Setup,
    job: Job<Result<String, String>>,
}

/// The bench.
#[derive(Default)]
pub(super) struct Bench {
    /// Whether it is shown.
    pub open: bool,
    /// Whether it is to be scrolled into view.
    pub scroll: bool,
    /// What is tried with each card.
    kept: BTreeMap<Whose, Trial>,
    running: Option<(Of, Job<Made>)>,
    made: Option<(Of, Arc<Made>)>,
    /// A match that is being written as a situation.
    taking: Option<Taking>,
    showing: Option<Job<Result<Shown, String>>>,
    making: Option<MakingTest>,
}

impl std::fmt::Debug for Bench {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bench {{ open: {}, cards: {} }}", self.open, self.kept.len())
    }
}

impl Bench {
    /// What is tried with a card.
    pub(super) fn trial_of(&mut self, whose: &Whose) -> &mut Trial {
        self.kept.entry(whose.clone()).or_insert_with(|| Trial {
            situation: None,
            setup: Setup::default(),
            pick: Pick::Usual,
            runs: RUNS,
        })
    }

    /// What came of it last; that may be of older rules or of another trial.
    pub(super) fn made_for(&self, whose: &Whose) -> Option<Arc<Made>> {
        self.made.as_ref().filter(|(of, _)| of.whose == *whose).map(|(_, made)| made.clone())
    }

    /// Whether something is being played, or a situation is being made.
    pub(super) fn is_busy(&self) -> bool {
        self.running.is_some() || self.taking.is_some()
    }

    /// Plays what is tried with a card, unless that was played with the rules as they are now.
    pub(super) fn poll_trial(&mut self, cx: &Context<'_>, whose: &Whose, card: &Card) {
        let trial = self.trial_of(whose).clone();
        let mut of = Of { whose: whose.clone(), touched: cx.document.game_touched_at(&whose.0), trial };
        if let Some((was, job)) = &mut self.running
            && let Some(made) = job.poll()
        {
            let wanted = *was == of;
            self.running = None;
            if wanted {
                let text =
                    |failed: crate::jobs::Failed| Wrong { line: None, text: failed.to_string(), place: None };
                let made = made.unwrap_or_else(|failed| Err(vec![text(failed)]));
                if let Ok(tried) = &made {
                    of.trial = tried.trial.clone();
                    *self.trial_of(whose) = tried.trial.clone();
                }
                self.made = Some((of, Arc::new(made)));
                return;
            }
        }
        if self.made.as_ref().is_some_and(|(was, _)| *was == of) {
            return;
        }
        // One at a time: the old one ends at its next seed.
        if let Some((was, job)) = &self.running {
            if *was != of {
                job.stop();
            }
            return;
        }
        let Some(known) = cx.analyses.get(&whose.0).filter(|k| k.analysis.sound) else { return };
        if !cx.analyses.is_fresh(cx.document, &whose.0) || self.taking.is_some() {
            return;
        }
        let (model, files) = (known.analysis.model.clone(), cx.document.files(&whose.0));
        let (card, trial) = (card.clone(), of.trial.clone());
        let job = cx.jobs.start("Trying the card", move |stop| {
            bench::run(&model, &files, &card, &trial, &|| stop.is_wanted())
        });
        self.running = Some((of, job));
    }

    /// Writes a match as the situation of a card.
    pub(super) fn take_match(&mut self, cx: &Context<'_>, whose: Whose, m: Match) {
        let setup = Setup { mods: m.setup().mods.clone(), ..Setup::default() };
        let files = cx.document.files(&whose.0);
        let job = cx.jobs.start(TAKING, move |_| record_given(&m, &files));
        self.taking = Some(Taking { whose, setup, job });
    }

    /// Writes the first match of an outcome as the situation of its card: what is asked next can be tried then.
    pub(super) fn go_on(&mut self, cx: &Context<'_>, whose: &Whose, tried: &Tried, outcome: &Outcome) {
        let Some(seed) = outcome.seeds.first().copied() else { return };
        let (files, tried) = (cx.document.files(&whose.0), tried.clone());
        let setup = tried.trial.setup.clone();
        let job = cx.jobs.start(TAKING, move |_| {
            let session = bench::replay(&files, &tried, seed)?;
            record_given(session.the_match(), &files)
        });
        self.taking = Some(Taking { whose: whose.clone(), setup, job });
    }

    /// Looks after what was begun, whichever pane is shown: a situation that is taken from Play, a test. Gives the match that is to be shown, if it is there.
    pub(super) fn poll_rest(&mut self, cx: &Context<'_>, out: &mut Vec<Command>) -> Option<Shown> {
        if let Some(Taking { whose, setup, job }) = &mut self.taking
            && let Some(taken) = job.poll()
        {
            let (whose, setup) = (whose.clone(), setup.clone());
            self.taking = None;
            out.push(Command::Say(match taken {
                Ok(Ok(text)) => {
                    let trial = self.trial_of(&whose);
                    let runs = trial.runs;
                    *trial = Trial { situation: Some(text), setup, pick: Pick::Usual, runs };
                    String::from("The situation is that of the match")
                }
                Ok(Err(why)) => format!("The match cannot be written as a situation: {why}"),
                Err(failed) => format!("{failed}. The situation is as it was"),
            }));
        }
        if self.making.as_mut().is_some_and(|making| making.poll(cx, out)) {
            self.making = None;
        }
        let shown = self.showing.as_mut()?.poll()?;
        self.showing = None;
        match shown {
            Ok(Ok(shown)) => return Some(shown),
            Ok(Err(why)) => out.push(Command::Say(format!("This match cannot be shown: {why}"))),
            Err(failed) => out.push(Command::Say(format!("{failed}. Choose the outcome again"))),
        }
        None
    }

    /// Shows the first match of an outcome in Play.
    pub(super) fn show_outcome(
        &mut self,
        cx: &Context<'_>,
        subject: &Subject,
        tried: &Tried,
        outcome: &Outcome,
    ) {
        let Some(seed) = outcome.seeds.first().copied() else { return };
        let (subject, revision) = (subject.clone(), cx.document.revision());
        let (files, tried) = (cx.document.files(&subject), tried.clone());
        let told = match outcome.ending {
            Ending::Taken => format!("The match with seed {seed}, after the choice"),
            Ending::Refused(_) | Ending::Fault(..) => {
                format!("The match with seed {seed}, before the choice that was not taken")
            }
        };
        self.showing = Some(cx.jobs.start("Showing a match", move |_| {
            let session = Box::new(bench::replay(&files, &tried, seed)?);
            Ok(Shown { subject, revision, session, told })
        }));
    }

    /// Makes a test of the first match of an outcome.
    pub(super) fn make_test(
        &mut self,
        cx: &Context<'_>,
        subject: &Subject,
        tried: &Tried,
        outcome: &Outcome,
    ) {
        let Some(seed) = outcome.seeds.first().copied() else { return };
        let (files, tried) = (cx.document.files(subject), tried.clone());
        let refused = match (&outcome.ending, &tried.trial.pick) {
            (Ending::Refused(_), Pick::Choice(c)) => Some((c.seat, c.words.clone())),
            _ => None,
        };
        self.making = Some(MakingTest::start(cx, move || {
            let session = bench::replay(&files, &tried, seed)?;
            make_test(session.the_match(), &files, &Wish { title: String::new(), refused })
        }));
    }
}
