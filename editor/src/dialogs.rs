//! Dialogs of the system. Tests answer in their place.
use crate::jobs::{Job, Jobs};
use std::path::{Path, PathBuf};

/// Files of one kind, as a dialog lists them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sort {
    /// What they are called.
    pub name: &'static str,
    /// How their names end, without the dot.
    pub ends: &'static [&'static str],
}

/// Asks a person for a folder or a file. The answer is none if nothing was chosen, or if the system has no such dialog.
pub trait Dialogs {
    /// Lets a folder be chosen.
    fn folder(&mut self, jobs: &Jobs, title: &str, start: Option<&Path>) -> Job<Option<PathBuf>>;
    /// Lets a file be chosen that is there.
    fn file(&mut self, jobs: &Jobs, title: &str, sort: Sort, start: Option<&Path>) -> Job<Option<PathBuf>>;
    /// Lets a place for a file be chosen; `name` is proposed. The dialog asks before a file is written over.
    fn place(
        &mut self,
        jobs: &Jobs,
        title: &str,
        sort: Sort,
        name: &str,
        start: Option<&Path>,
    ) -> Job<Option<PathBuf>>;
}

/// The system's own dialogs.
#[derive(Debug, Default)]
pub struct Native;

impl Native {
    fn dialog(title: &str, start: Option<&Path>) -> rfd::AsyncFileDialog {
        let dialog = rfd::AsyncFileDialog::new().set_title(title);
        match start {
            Some(start) => dialog.set_directory(start),
            None => dialog,
        }
    }
}

// Some systems want a dialog made where the window is, and waited for elsewhere.
impl Dialogs for Native {
    fn folder(&mut self, jobs: &Jobs, title: &str, start: Option<&Path>) -> Job<Option<PathBuf>> {
        let answer = Native::dialog(title, start).pick_folder();
        jobs.start(move |_| crate::jobs::wait(answer).map(|f| f.path().to_path_buf()))
    }

    fn file(&mut self, jobs: &Jobs, title: &str, sort: Sort, start: Option<&Path>) -> Job<Option<PathBuf>> {
        let answer = Native::dialog(title, start).add_filter(sort.name, sort.ends).pick_file();
        jobs.start(move |_| crate::jobs::wait(answer).map(|f| f.path().to_path_buf()))
    }

    fn place(
        &mut self,
        jobs: &Jobs,
        title: &str,
        sort: Sort,
        name: &str,
        start: Option<&Path>,
    ) -> Job<Option<PathBuf>> {
        let dialog = Native::dialog(title, start).add_filter(sort.name, sort.ends).set_file_name(name);
        let answer = dialog.save_file();
        jobs.start(move |_| crate::jobs::wait(answer).map(|f| f.path().to_path_buf()))
    }
}

/// Answers that were given beforehand, one after the other; then nothing is chosen.
#[derive(Debug, Default)]
pub struct Given(pub Vec<PathBuf>);

impl Given {
    fn next(&mut self, jobs: &Jobs) -> Job<Option<PathBuf>> {
        let answer = if self.0.is_empty() { None } else { Some(self.0.remove(0)) };
        jobs.start(move |_| answer)
    }
}

impl Dialogs for Given {
    fn folder(&mut self, jobs: &Jobs, _title: &str, _start: Option<&Path>) -> Job<Option<PathBuf>> {
        self.next(jobs)
    }

    fn file(
        &mut self,
        jobs: &Jobs,
        _title: &str,
        _sort: Sort,
        _start: Option<&Path>,
    ) -> Job<Option<PathBuf>> {
        self.next(jobs)
    }

    fn place(
        &mut self,
        jobs: &Jobs,
        _title: &str,
        _sort: Sort,
        _name: &str,
        _start: Option<&Path>,
    ) -> Job<Option<PathBuf>> {
        self.next(jobs)
    }
}
