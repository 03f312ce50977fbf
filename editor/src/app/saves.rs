//! Saving and loading matches, and saving tables: a dialog of the system chooses the file.
use super::App;
use crate::dialogs::{Choose, Sort};
use crate::jobs::{Failed, Job, Stop};
use std::path::PathBuf;

/// What is saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    /// A match.
    Match,
    /// A table of figures.
    Table,
    /// A table of cards.
    Cards,
}

impl What {
    /// The dialog's title, and the files that it lists.
    fn dialog(self) -> (&'static str, Sort) {
        match self {
            What::Match => ("Save the match", SORT),
            What::Cards => ("Export the cards", Sort { name: "Tables", ends: &["csv"] }),
            What::Table => ("Save the figures", Sort { name: "Tables", ends: &["csv"] }),
        }
    }

    /// What the writing is called, should it break off, and what to do then.
    fn writing(self) -> (&'static str, &'static str) {
        match self {
            What::Match => ("Saving the match", "The match goes on; save it again"),
            What::Cards => ("Exporting the cards", "Nothing was changed; export them again"),
            What::Table => ("Saving the figures", "The figures are still there; save them again"),
        }
    }
}

/// What a dialog lists.
const SORT: Sort = Sort { name: "Saved matches", ends: &["save"] };

/// A save on its way.
pub(super) enum SaveJob {
    /// A place for a text is being chosen.
    To(What, Job<Option<PathBuf>>, String),
    /// The file is being written.
    Writing(What, Job<Result<(), String>>, PathBuf),
    /// A file is being chosen.
    From(Job<Option<PathBuf>>),
    /// It is being read.
    Reading(Job<Option<String>>, PathBuf),
}

impl App {
    /// Lets a place be chosen for a text.
    pub(super) fn save_text(&mut self, what: What, name: &str, text: String) {
        let start = self.workspace.as_ref().map(|w| w.root.clone());
        let (title, sort) = what.dialog();
        let job = self.dialogs.ask(&self.jobs, title, Choose::Place(sort, name), start.as_deref());
        self.save_way = Some(SaveJob::To(what, job, text));
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
            Some(SaveJob::To(what, mut job, text)) => match job.poll() {
                None => Some(SaveJob::To(what, job, text)),
                Some(Err(failed)) => self.report_failure(&failed, what.writing().1),
                Some(Ok(None)) => {
                    self.set_message(String::from("Not saved: no place was chosen"));
                    None
                }
                Some(Ok(Some(path))) => {
                    let to = path.clone();
                    let write = move |_: &Stop| crate::disk::write(&to, &text).map_err(|e| e.to_string());
                    Some(SaveJob::Writing(what, self.jobs.start(what.writing().0, write), path))
                }
            },
            Some(SaveJob::Writing(what, mut job, path)) => match job.poll() {
                None => Some(SaveJob::Writing(what, job, path)),
                Some(Err(failed)) => self.report_failure(&failed, what.writing().1),
                Some(Ok(done)) => {
                    let name = path.display();
                    self.set_message(match done {
                        Ok(()) if what != What::Match => format!("Saved to {name}"),
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
