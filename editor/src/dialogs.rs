//! Dialogs of the system for files and folders. Tests answer in their place.
use crate::jobs::{Job, Jobs};
use std::path::{Path, PathBuf};
use std::pin::Pin;

/// Files of one kind, as a dialog lists them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sort {
    /// What they are called.
    pub name: &'static str,
    /// How their names end, without the dot.
    pub ends: &'static [&'static str],
}

/// What is to be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choose<'a> {
    /// A folder.
    Folder,
    /// A file that is there.
    File(Sort),
    /// A place for a file, and the name that is proposed. The dialog asks before a file is written over.
    Place(Sort, &'a str),
}

/// Asks a person for a folder or a file. The answer is none if nothing was chosen, or if the system has no such dialog.
pub trait Dialogs {
    /// Lets something be chosen; the dialog begins in the folder `start`.
    fn ask(
        &mut self,
        jobs: &Jobs,
        title: &str,
        choose: Choose<'_>,
        start: Option<&Path>,
    ) -> Job<Option<PathBuf>>;
}

/// What such a job is called.
const WHAT: &str = "The dialog of the system";

/// The system's own dialogs.
#[derive(Debug, Default)]
pub struct Native;

impl Dialogs for Native {
    fn ask(
        &mut self,
        jobs: &Jobs,
        title: &str,
        choose: Choose<'_>,
        start: Option<&Path>,
    ) -> Job<Option<PathBuf>> {
        let mut dialog = rfd::AsyncFileDialog::new().set_title(title);
        if let Some(start) = start {
            dialog = dialog.set_directory(start);
        }
        // Some systems want a dialog made where the window is, and waited for elsewhere.
        let answer: Pin<Box<dyn Future<Output = Option<rfd::FileHandle>> + Send>> = match choose {
            Choose::Folder => Box::pin(dialog.pick_folder()),
            Choose::File(sort) => Box::pin(dialog.add_filter(sort.name, sort.ends).pick_file()),
            Choose::Place(sort, name) => {
                Box::pin(dialog.add_filter(sort.name, sort.ends).set_file_name(name).save_file())
            }
        };
        jobs.start(WHAT, move |_| crate::jobs::wait(answer).map(|f| f.path().to_path_buf()))
    }
}

/// Answers that were given beforehand, one after the other; then nothing is chosen.
#[derive(Debug, Default)]
pub struct Given(pub Vec<PathBuf>);

impl Dialogs for Given {
    fn ask(
        &mut self,
        jobs: &Jobs,
        _title: &str,
        _choose: Choose<'_>,
        _start: Option<&Path>,
    ) -> Job<Option<PathBuf>> {
        let answer = if self.0.is_empty() { None } else { Some(self.0.remove(0)) };
        jobs.start(WHAT, move |_| answer)
    }
}
