//! The analyses of all open games, made by background jobs: the newest wins, and the last one stays until there is a newer one.
use crate::document::{Document, Revision, Subject};
use crate::jobs::{Failed, Job, Jobs};
use houserule::ide::Analysis;
use houserule::play::{Game, find_unplayable};
use houserule::text::Diagnostic;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is known of one game.
#[derive(Clone, Debug)]
pub struct GameAnalysis {
    /// The texts' revision that it is of. Spans of it are moved to the present with [`Document::follow_range`].
    pub revision: Revision,
    /// What was found.
    pub analysis: Arc<Analysis>,
    /// The last one in which nothing was wrong, for what goes on while somebody types.
    pub sound: Option<(Revision, Arc<Analysis>)>,
    /// What its set-ups lack and how they fail, once they have been tried.
    pub unplayable: Option<Arc<Vec<Diagnostic>>>,
}

/// The game of an analysis, which is not read and checked again; none if something is wrong with it.
pub fn make_game(analysis: &Analysis) -> Option<Game> {
    let make = || Game::from_checked(analysis.model.clone(), analysis.files.clone(), analysis.report.clone());
    analysis.sound.then(make)
}

/// What the check of a game is called, should it break off.
pub const WHAT: &str = "Checking the game";

/// What the trial of its set-ups is called, should it break off.
pub const TRIAL: &str = "Trying the set-ups of the game";

/// What to do after it broke off.
pub const NEXT: &str =
    "Nothing is lost. The game is shown as it was before, and is checked again when its texts change";

/// All that is known.
#[derive(Debug, Default)]
pub struct Analyses {
    known: BTreeMap<Subject, GameAnalysis>,
    running: BTreeMap<Subject, (Revision, Job<Analysis>)>,
    trials: BTreeMap<Subject, (Revision, Job<Vec<Diagnostic>>)>,
    /// Checks that broke off, and of which texts.
    failed: BTreeMap<Subject, (Revision, Failed)>,
}

impl Analyses {
    /// The newest that is known of a game; none before it was first checked.
    pub fn get(&self, subject: &Subject) -> Option<&GameAnalysis> {
        self.known.get(subject)
    }

    /// The newest that is known of the game of a file.
    pub fn of_file(&self, document: &Document, file: &str) -> Option<&GameAnalysis> {
        self.get(&document.subject(file)?)
    }

    /// Whether what is known is of the present texts.
    pub fn is_fresh(&self, document: &Document, subject: &Subject) -> bool {
        self.known.get(subject).is_some_and(|k| k.revision >= document.game_touched_at(subject))
    }

    /// Why the present texts of a game are not checked, if their check broke off.
    pub fn failure_of(&self, document: &Document, subject: &Subject) -> Option<&Failed> {
        let touched = document.game_touched_at(subject);
        self.failed.get(subject).filter(|(then, _)| *then >= touched).map(|(_, failed)| failed)
    }

    /// Whether anything is being checked.
    pub fn is_busy(&self) -> bool {
        !self.running.is_empty()
    }

    /// Takes what jobs have made, and starts those that are wanted: one a game at a time, then the newest texts. Gives checks that broke off just now.
    pub fn poll_jobs(&mut self, document: &Document, wanted: &[Subject], jobs: &Jobs) -> Vec<Failed> {
        let mut broke = Vec::new();
        // Twice, so that work that is done at once is seen at once.
        self.take_results(&mut broke);
        for subject in wanted {
            let start = document.game(subject).is_some()
                && !self.is_fresh(document, subject)
                // The same texts would break off again.
                && self.failure_of(document, subject).is_none()
                && !self.running.contains_key(subject);
            if start {
                let files = document.files(subject);
                // Files that are as they were are not read again.
                let before = self.known.get(subject).map(|k| k.analysis.clone());
                let job = jobs.start(WHAT, move |_| match before {
                    Some(before) => Analysis::after_change(&before, &files),
                    None => Analysis::from_source(&files),
                });
                self.running.insert(subject.clone(), (document.revision(), job));
            }
        }
        self.take_results(&mut broke);
        // A game that is no longer there is forgotten.
        self.known.retain(|s, _| document.game(s).is_some());
        self.failed.retain(|s, _| document.game(s).is_some());
        self.trials.retain(|s, _| document.game(s).is_some());
        broke
    }

    /// Tries the set-ups of a game in which nothing else is wrong, if they are not tried yet. Gives a trial that broke off just now.
    pub fn try_setups(&mut self, document: &Document, subject: &Subject, jobs: &Jobs) -> Option<Failed> {
        let due = self.is_fresh(document, subject) && !self.trials.contains_key(subject);
        if let Some(k) = self.known.get(subject).filter(|k| due && k.analysis.sound && k.unplayable.is_none())
        {
            let model = k.analysis.model.clone();
            let job = jobs.start(TRIAL, move |_| find_unplayable(&model));
            self.trials.insert(subject.clone(), (k.revision, job));
        }
        let (of, job) = self.trials.get_mut(subject)?;
        let (found, broke) = match job.poll()? {
            Ok(found) => (found, None),
            Err(failed) => (Vec::new(), Some(failed)),
        };
        // What was tried meanwhile belongs to older texts.
        if let Some(k) = self.known.get_mut(subject).filter(|k| k.revision == *of) {
            k.unplayable = Some(Arc::new(found));
        }
        self.trials.remove(subject);
        broke
    }

    fn take_results(&mut self, broke: &mut Vec<Failed>) {
        let (known, failed) = (&mut self.known, &mut self.failed);
        self.running.retain(|subject, (revision, job)| {
            let analysis = match job.poll() {
                None => return true,
                Some(Err(fault)) => {
                    broke.push(fault.clone());
                    failed.insert(subject.clone(), (*revision, fault));
                    return false;
                }
                Some(Ok(analysis)) => Arc::new(analysis),
            };
            failed.remove(subject);
            let before = known.get(subject).and_then(|k| k.sound.clone());
            let sound = if analysis.sound { Some((*revision, analysis.clone())) } else { before };
            known.insert(
                subject.clone(),
                GameAnalysis { revision: *revision, analysis, sound, unplayable: None },
            );
            false
        });
    }
}
