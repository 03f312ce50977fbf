//! Saving and loading matches: a dialog of the system chooses the file.
use super::App;
use crate::dialogs::{Choose, Sort};
use crate::jobs::{Failed, Job, Stop};
use std::path::PathBuf;

/// What a dialog lists.
const SORT: Sort = Sort { name: "Saved matches", ends: &["save"] };

/// A save on its way.
pub(super) enum SaveJob {
    /// A place for a text is being chosen.
    To(Job<Option<PathBuf>>, String),
    /// The file is being written.
    Writing(Job<Result<(), String>>, PathBuf),
    /// A file is being chosen.
    From(Job<Option<PathBuf>>),
    /// It is being read.
    Reading(Job<Option<String>>, PathBuf),
}

impl App {
    /// Lets a place be chosen for a match.
    pub(super) fn save_match(&mut self, name: &str, text: String) {
        let start = self.workspace.as_ref().map(|w| w.root.clone());
        let what = Choose::Place(SORT, name);
        let job = self.dialogs.ask(&self.jobs, "Save the match", what, start.as_deref());
        self.save_way = Some(SaveJob::To(job, text));
    }

    /// Lets a saved match be chosen.
    pub(super) fn load_match(&mut self) {
        let start = self.workspace.as_ref().map(|w| w.root.clone());
        let (title, what) = ("Go on with a saved match", Choose::File(SORT));
        let job = self.dialogs.ask(&self.jobs, title, what, start.as_deref());
        self.save_way = Some(SaveJob::From(job));
    }

    /// A save on its way broke off: says so, and what to do. Nothing is left of it.
    fn report_failure(&mut self, failed: &Failed, next: &str) -> Option<SaveJob> {
        self.set_message(format!("{failed}. {next}"));
        None
    }

    /// Looks after a save on its way. Called before each frame.
    pub(super) fn poll_saves(&mut self) {
        self.save_way = match self.save_way.take() {
            Some(SaveJob::To(mut job, text)) => match job.poll() {
                None => Some(SaveJob::To(job, text)),
                Some(Err(failed)) => self.report_failure(&failed, "The match goes on; save it again"),
                Some(Ok(None)) => {
                    self.set_message(String::from("Not saved: no place was chosen"));
                    None
                }
                Some(Ok(Some(path))) => {
                    let to = path.clone();
                    let write = move |_: &Stop| crate::disk::write(&to, &text).map_err(|e| e.to_string());
                    Some(SaveJob::Writing(self.jobs.start("Saving the match", write), path))
                }
            },
            Some(SaveJob::Writing(mut job, path)) => match job.poll() {
                None => Some(SaveJob::Writing(job, path)),
                Some(Err(failed)) => self.report_failure(&failed, "The match goes on; save it again"),
                Some(Ok(done)) => {
                    let name = path.display();
                    self.set_message(match done {
                        Ok(()) => format!("Saved to {name}; `houserule replay {name}` shows it"),
                        Err(why) => format!("Not saved to {name}: {why}"),
                    });
                    None
                }
            },
            Some(SaveJob::From(mut job)) => match job.poll() {
                None => Some(SaveJob::From(job)),
                Some(Err(failed)) => self.report_failure(&failed, "Choose the file again"),
                Some(Ok(None)) => {
                    self.set_message(String::from("No saved match was chosen"));
                    None
                }
                Some(Ok(Some(path))) => {
                    let from = path.clone();
                    let job = self.jobs.start("Reading the match", move |_| crate::disk::read(&from));
                    Some(SaveJob::Reading(job, path))
                }
            },
            Some(SaveJob::Reading(mut job, path)) => match job.poll() {
                None => Some(SaveJob::Reading(job, path)),
                Some(Err(failed)) => self.report_failure(&failed, "Choose the file again"),
                Some(Ok(Some(text))) => {
                    self.run_in_panes(|panes, cx| panes.play.go_on_with(text, cx));
                    None
                }
                Some(Ok(None)) => {
                    self.set_message(format!("{} cannot be read", path.display()));
                    None
                }
            },
            None => None,
        };
    }
}
