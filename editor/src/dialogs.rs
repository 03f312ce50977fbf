//! Dialogs of the system. Tests answer in their place.
use crate::jobs::{Job, Jobs};
use std::path::{Path, PathBuf};

/// Asks a person for a folder.
pub trait Dialogs {
    /// Lets a folder be chosen; none if nothing was, or if the system has no such dialog.
    fn folder(&mut self, jobs: &Jobs, title: &str, start: Option<&Path>) -> Job<Option<PathBuf>>;
}

/// The system's own dialogs.
#[derive(Debug, Default)]
pub struct Native;

impl Dialogs for Native {
    fn folder(&mut self, jobs: &Jobs, title: &str, start: Option<&Path>) -> Job<Option<PathBuf>> {
        let mut dialog = rfd::AsyncFileDialog::new().set_title(title);
        if let Some(start) = start {
            dialog = dialog.set_directory(start);
        }
        // Some systems want it made where the window is, and waited for elsewhere.
        let answer = dialog.pick_folder();
        jobs.start(move |_| crate::jobs::wait(answer).map(|f| f.path().to_path_buf()))
    }
}

/// Answers that were given beforehand.
#[derive(Debug, Default)]
pub struct Given(pub Vec<PathBuf>);

impl Dialogs for Given {
    fn folder(&mut self, jobs: &Jobs, _title: &str, _start: Option<&Path>) -> Job<Option<PathBuf>> {
        let answer = if self.0.is_empty() { None } else { Some(self.0.remove(0)) };
        jobs.start(move |_| answer)
    }
}
