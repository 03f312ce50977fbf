//! The open folder: its files on disk, what is being written, and the recovery of what was not saved when the program last ended.
use crate::claim::Claim;
use crate::disk::{self, LoadedFolder, Seen, Stamp, Written};
use crate::document::{Document, Revision};
use crate::jobs::{Failed, Job, Jobs};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How often the folder is looked at for changes from outside.
const LOOK: Duration = Duration::from_millis(1000);

/// When it is looked at again after that broke off.
const LATER: Duration = Duration::from_secs(60);

/// Texts that were not saved, as they are kept beside the settings.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Recovery {
    /// The folder.
    pub root: String,
    /// Names and texts.
    pub texts: Vec<(String, String)>,
    /// Files that were to go, each with the name that it got instead, if it got one.
    #[serde(default)]
    pub gone: Vec<(String, Option<String>)>,
}

/// What became of a job, for the app to act on.
#[derive(Debug)]
pub enum News {
    /// Files were changed outside.
    Outside(Seen),
    /// Files were written, or not.
    Written(Vec<Written>),
    /// Work with the disk broke off; and what to do.
    Broken(Failed, &'static str),
}

enum Work {
    Look(Job<Option<Seen>>),
    Save(Job<Vec<Written>>),
}

/// The folder that is open.
pub struct Workspace {
    /// Where it is.
    pub root: PathBuf,
    /// What its files looked like when they were last read or written.
    stamps: BTreeMap<Arc<str>, Stamp>,
    /// One thing at a time is done with the disk.
    work: Option<Work>,
    wanted: BTreeSet<Arc<str>>,
    next_look: Duration,
    /// Holds the file where what is not saved is kept; none to keep nothing.
    keep: Option<Claim>,
    keeping: Option<(Revision, Job<()>)>,
    kept: Revision,
    /// Whether what was kept by the run before must stay until a person has said what becomes of it.
    held: bool,
}

/// What was not saved of a folder when the window before ended that kept it in that file, as far as it is other than on disk.
pub fn load_recovery(recovery: &Path, loaded: &LoadedFolder) -> Option<Recovery> {
    let mut kept: Recovery = ron::from_str(&disk::read(recovery)?).ok()?;
    kept.texts.retain(|(name, text)| !loaded.texts.iter().any(|(n, t)| **n == **name && t == text));
    kept.gone.retain(|(name, _)| loaded.texts.iter().any(|(n, _)| **n == **name));
    (!kept.texts.is_empty() || !kept.gone.is_empty()).then_some(kept)
}

impl Workspace {
    /// A folder that was read. What is not saved is kept in the file of the claim.
    pub fn new(
        root: PathBuf,
        stamps: BTreeMap<Arc<str>, Stamp>,
        claim: Option<Claim>,
        now: Duration,
    ) -> Workspace {
        Workspace {
            keep: claim,
            root,
            stamps,
            work: None,
            wanted: BTreeSet::new(),
            next_look: now + LOOK,
            keeping: None,
            kept: Revision::default(),
            held: false,
        }
    }

    /// Wants files saved.
    pub fn want_saved(&mut self, names: impl IntoIterator<Item = Arc<str>>) {
        self.wanted.extend(names);
    }

    /// Whether anything is still to be written.
    pub fn is_saving(&self) -> bool {
        !self.wanted.is_empty() || matches!(self.work, Some(Work::Save(_)))
    }

    /// A file is known to look so on disk; none: it is not there.
    pub fn note_stamp(&mut self, name: &Arc<str>, stamp: Option<Stamp>) {
        self.stop_looking();
        match stamp {
            Some(stamp) => self.stamps.insert(name.clone(), stamp),
            None => self.stamps.remove(name),
        };
    }

    /// Starts what is due and takes what is done.
    pub fn poll_jobs(&mut self, document: &Document, jobs: &Jobs) -> Vec<News> {
        let mut out = Vec::new();
        self.take_results(jobs.now(), &mut out);
        if !self.wanted.is_empty() {
            self.stop_looking();
        }
        if self.work.is_none() && !self.wanted.is_empty() {
            let files: Vec<_> = std::mem::take(&mut self.wanted)
                .into_iter()
                .filter(|n| document.is_dirty(n))
                .map(|n| {
                    let (text, stamp) = (document.text(&n).map(String::from), self.stamps.get(&n).copied());
                    (n, text, stamp)
                })
                .collect();
            let root = self.root.clone();
            self.work = Some(Work::Save(jobs.start("Saving", move |_| disk::save_files(&root, files))));
        } else if self.work.is_none() && jobs.now() >= self.next_look {
            self.next_look = jobs.now() + LOOK;
            let (root, stamps) = (self.root.clone(), self.stamps.clone());
            self.work = Some(Work::Look(jobs.watch("Looking for changes in the folder", LOOK, move || {
                Some(disk::find_changes(&root, &stamps)).filter(|seen| !seen.is_empty())
            })));
        }
        self.take_results(jobs.now(), &mut out);
        self.poll_recovery(document, jobs, &mut out);
        out
    }

    /// When the next frame is needed even if nothing happens; none if whatever is to be known wakes the window.
    pub fn time_to_next(&self, now: Duration) -> Option<Duration> {
        self.work.is_none().then(|| self.next_look.saturating_sub(now))
    }

    /// What was seen of the folder so far is out of date.
    fn stop_looking(&mut self) {
        self.work.take_if(|w| matches!(w, Work::Look(_)));
    }

    fn take_results(&mut self, now: Duration, out: &mut Vec<News>) {
        let news = match &mut self.work {
            Some(Work::Look(job)) => job.poll().map(|got| match got {
                Ok(found) => found.map(News::Outside),
                Err(failed) => {
                    self.next_look = now + LATER;
                    Some(News::Broken(failed, "Saving never overwrites what was changed outside"))
                }
            }),
            Some(Work::Save(job)) => job.poll().map(|got| match got {
                Ok(written) => Some(News::Written(written)),
                Err(failed) => {
                    // Some of it may have been written.
                    self.next_look = now;
                    Some(News::Broken(failed, "What is not saved is still here: save it again"))
                }
            }),
            None => None,
        };
        if let Some(news) = news {
            self.work = None;
            out.extend(news);
        }
    }

    /// Keeps what is not saved: the newest texts as soon as those before are written.
    fn poll_recovery(&mut self, document: &Document, jobs: &Jobs, out: &mut Vec<News>) {
        if let Some((revision, job)) = &mut self.keeping
            && let Some(got) = job.poll()
        {
            if let Err(failed) = got {
                out.push(News::Broken(
                    failed,
                    "Save soon: what is not saved is kept again with the next change",
                ));
            }
            self.kept = *revision;
            self.keeping = None;
        }
        let Some(path) = self.keep.as_ref().map(|k| k.recovery.clone()) else { return };
        if self.held || self.keeping.is_some() || self.kept == document.revision() {
            return;
        }
        let texts = document
            .dirty_files()
            .iter()
            .filter_map(|n| Some((n.to_string(), document.text(n)?.to_string())));
        let gone =
            document.removed_files().into_iter().map(|(n, to)| (n.to_string(), to.map(|t| t.to_string())));
        let root = self.root.to_string_lossy().into_owned();
        let kept = Recovery { root, texts: texts.collect(), gone: gone.collect() };
        let job = jobs.start("Keeping what is not saved", move |stop| {
            if stop.is_wanted() {
                return;
            }
            if kept.texts.is_empty() && kept.gone.is_empty() {
                disk::remove_file(&path);
            } else if let Ok(text) = ron::to_string(&kept) {
                // That it could not be kept is not worth stopping for: saving says why.
                disk::write(&path, &text).ok();
            }
        });
        self.keeping = Some((document.revision(), job));
    }

    /// Whether what is not saved is kept as it is now.
    pub fn is_kept(&self, document: &Document) -> bool {
        self.keep.is_none() || self.kept == document.revision()
    }

    /// Something was saved, so that less is to be kept.
    pub fn keep_again(&mut self) {
        self.held = false;
        self.kept = Revision(u64::MAX);
    }

    /// What was kept by the run before stays until [`Workspace::keep_again`].
    pub fn hold_recovery(&mut self) {
        self.held = true;
    }

    /// Looks for changes from outside as soon as there is time.
    pub fn look_soon(&mut self) {
        self.stop_looking();
        self.next_look = Duration::ZERO;
    }

    /// Forgets what was kept: a person said that it may be lost.
    pub fn forget_recovery(&mut self) {
        self.keeping = None;
        if let Some(claim) = self.keep.take() {
            disk::remove_file(&claim.recovery);
        }
    }
}
