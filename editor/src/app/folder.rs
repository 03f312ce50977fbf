//! Opening a folder, saving, changes from outside, and recovery of unsaved texts.
use super::{AfterQuestion, App, Ask};
use crate::claim::Claim;
use crate::disk::{self, LoadedFolder, Outcome, Seen, Stamp, Written};
use crate::document::{Document, Revision, TextPlace};
use crate::jobs::Job;
use crate::panels::Pane;
use crate::settings::Settings;
use crate::shipped::{self, Renewal};
use crate::workspace::{News, Recovery, Workspace, load_recovery};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// After how long without a change everything is saved, if that is wanted.
const QUIET: Duration = Duration::from_secs(2);

/// A folder that is being read.
pub(super) struct Opening {
    job: Job<Result<Opened, String>>,
}

/// A folder that was read.
struct Opened {
    root: PathBuf,
    show: Option<Arc<str>>,
    loaded: LoadedFolder,
    kept: Option<Recovery>,
    claim: Option<Claim>,
    renewal: Option<Renewal>,
}

impl App {
    /// The settings, read at the start, and why they could not be. What could not be read is kept beside them: they are written anew.
    pub fn load_settings(home: Option<&std::path::Path>) -> (Settings, Option<String>) {
        let Some((home, text)) = home.and_then(|h| Some((h, disk::read(&h.join("settings.ron"))?))) else {
            return (Settings::default(), None);
        };
        let (settings, wrong) = Settings::read(&text);
        let why = wrong.map(|wrong| {
            let aside = home.join("settings.unreadable.ron");
            match disk::write(&aside, text) {
                Ok(()) => format!("{wrong}; its old contents are kept in {}", aside.display()),
                Err(_) => wrong,
            }
        });
        (settings, why)
    }

    /// Opens a folder, or the folder around a file and the file; asks first if something is not saved.
    pub(super) fn want_open(&mut self, path: PathBuf) {
        self.want_leave(AfterQuestion::Open(path));
    }

    /// Opens the working copy of the games that ship; makes it if it is not there.
    pub(super) fn open_shipped(&mut self) {
        match self.home.as_ref().map(|h| h.join("games")) {
            Some(folder) => self.want_open(folder),
            None => self.set_message(String::from(
                "The system has no place for a working copy: open a folder instead",
            )),
        }
    }

    /// Leaves the folder, unless something is not saved: then it is asked.
    pub(super) fn want_leave(&mut self, then: AfterQuestion) {
        if self.document.dirty_files().is_empty() || self.workspace.is_none() {
            self.leave_folder(then, false);
        } else {
            self.queue_question(Ask::Unsaved(then));
        }
    }

    pub(super) fn leave_folder(&mut self, then: AfterQuestion, save: bool) {
        if save {
            self.leaving = Some(then);
            self.save_files(self.document.dirty_files().iter().cloned().collect());
            return;
        }
        if let Some(workspace) = &mut self.workspace {
            workspace.forget_recovery();
        }
        match then {
            AfterQuestion::Close => {
                self.keep_settings_now();
                self.may_close = true;
            }
            AfterQuestion::Open(path) => self.read_folder(path),
        }
    }

    /// Starts to read a folder.
    pub fn read_folder(&mut self, path: PathBuf) {
        let home = self.home.clone();
        let shipped = home.as_ref().is_some_and(|h| path == h.join("games"));
        self.set_message(format!("Opening {} …", path.display()));
        let job = self.jobs.start("Opening the folder", move |_| {
            if shipped {
                shipped::unpack_copy(&path)?;
            }
            let (root, show) = disk::root_of(&path);
            let loaded = disk::load_folder(&root)?;
            let claim = home.as_ref().and_then(|h| Claim::take(h, &root));
            let kept = claim.as_ref().and_then(|c| load_recovery(&c.recovery, &loaded));
            // Whichever way it was named.
            let copy = home.map(|h| disk::root_of(&h.join("games")).0).filter(|copy| *copy == root);
            let renewal = copy.and_then(|copy| shipped::find_renewal(&copy));
            Ok(Opened { root, show, loaded, kept, claim, renewal })
        });
        self.opening = Some(Opening { job });
    }

    fn show_opened(&mut self, opened: Opened) {
        let Opened { root, show, loaded, kept, claim, renewal } = opened;
        let others = claim.as_ref().map_or(0, |c| c.others);
        let shown = root.to_string_lossy().into_owned();
        let files = loaded.texts.len();
        self.document = Document::new(loaded.texts);
        self.workspace = Some(Workspace::new(root, loaded.stamps, claim, self.jobs.now()));
        self.analyses = crate::analyses::Analyses::default();
        self.panes = super::Panes::default();
        self.here = None;
        self.trail = super::Trail::default();
        self.findings = None;
        self.changed = (Revision::default(), self.jobs.now());
        let games = self.document.games().games.len();
        self.settings.note_folder(&shown);
        self.set_message(match loaded.unreadable.first() {
            Some(why) => why.clone(),
            None if renewal.is_some() => {
                format!(
                    "Opened {shown}: other games ship now than are in this copy; the start page renews it"
                )
            }
            None if others > 0 => format!(
                "{shown} is open in another window, too: what is saved there comes here, what is not saved there stays there"
            ),
            None => format!("Opened {shown}: {games} games in {files} files"),
        });
        (self.renewal, self.renewing) = (renewal, None);
        let lately = self.settings.recent_files.iter().find(|f| self.document.text(f).is_some());
        match show.or_else(|| lately.map(|f| Arc::from(f.as_str()))) {
            Some(file) => self.go_to(TextPlace::new(file, 0..0)),
            None if games == 1 => self.open_first(),
            // Who comes for the first time chooses what to begin with.
            None => self.show_pane(Pane::Write),
        }
        if let Some(kept) = kept {
            if let Some(workspace) = &mut self.workspace {
                // Until it is answered, what was kept stays as it is.
                workspace.hold_recovery();
            }
            self.queue_question(Ask::Recover(kept));
        }
    }

    /// Brings the working copy up to what ships now.
    pub(super) fn renew_copy(&mut self) {
        let (Some(workspace), Some(_), None) = (&self.workspace, &self.renewal, &self.renewing) else {
            return;
        };
        let root = workspace.root.clone();
        self.renewing = Some(self.jobs.start("Renewing the games", move |_| shipped::renew_copy(&root)));
        self.set_message(String::from("Renewing the games …"));
    }

    fn poll_renewal(&mut self) {
        let Some(got) = self.renewing.as_mut().and_then(Job::poll) else { return };
        self.renewing = None;
        match got {
            Ok(Ok(done)) => {
                self.renewal = None;
                self.set_message(done.describe());
            }
            Ok(Err(why)) => self.set_message(format!("Not all is renewed: {why}")),
            Err(failed) => {
                self.set_message(format!("{failed}. What was not renewed is unchanged; try again"))
            }
        }
        // What was written comes in as what others write does, and can be taken back like that.
        if let Some(workspace) = &mut self.workspace {
            workspace.look_soon();
        }
    }

    /// Wants files written.
    pub(super) fn save_files(&mut self, names: Vec<Arc<str>>) {
        let Some(workspace) = &mut self.workspace else {
            self.set_message(String::from(
                "These texts belong to no folder: open a folder to save them there",
            ));
            return;
        };
        workspace.want_saved(names);
        self.document.end_typing();
    }

    /// Whether all is written that was to be.
    pub fn is_saving(&self) -> bool {
        self.workspace.as_ref().is_some_and(Workspace::is_saving)
    }

    /// Looks after the folder: called before each frame.
    pub(super) fn poll_folder(&mut self) {
        if let Some(got) = self.picking.as_mut().and_then(Job::poll) {
            self.picking = None;
            match got {
                Ok(Some(path)) => self.want_open(path),
                Err(failed) => self.set_message(format!("{failed}. A path can be typed in Open folder, too")),
                Ok(None) => self.set_message(String::from(
                    "No folder was chosen; a path can be typed in Open folder, too",
                )),
            }
        }
        if let Some(got) = self.opening.as_mut().and_then(|o| o.job.poll()) {
            self.opening = None;
            match got {
                Ok(Ok(opened)) => self.show_opened(opened),
                Ok(Err(why)) => self.set_message(why),
                Err(failed) => {
                    self.set_message(format!("{failed}. What was open stays open; try another folder"))
                }
            }
        }
        self.poll_renewal();
        self.save_automatically();
        let news =
            self.workspace.as_mut().map(|w| w.poll_jobs(&self.document, &self.jobs)).unwrap_or_default();
        for news in news {
            match news {
                News::Outside(seen) => self.take_changes_outside(seen),
                News::Written(files) => self.take_written(files),
                News::Broken(failed, next) => {
                    // Who wanted to leave when all is saved stays.
                    self.leaving = None;
                    self.set_message(format!("{failed}. {next}"));
                }
            }
        }
        self.keep_settings();
    }

    fn save_automatically(&mut self) {
        let now = self.jobs.now();
        if self.changed.0 != self.document.revision() {
            self.changed = (self.document.revision(), now);
        }
        let due = self.settings.autosave && now.saturating_sub(self.changed.1) >= QUIET;
        if due && self.asks.is_empty() && !self.is_saving() && !self.document.dirty_files().is_empty() {
            self.changed.1 = now;
            self.save_files(self.document.dirty_files().iter().cloned().collect());
        }
    }

    /// When the next frame is needed even if nothing happens and no job ends.
    pub(super) fn time_to_next(&self) -> Option<Duration> {
        let now = self.jobs.now();
        let workspace = self.workspace.as_ref()?;
        let saves = self.settings.autosave && self.asks.is_empty() && !self.document.dirty_files().is_empty();
        let save = saves.then(|| QUIET.saturating_sub(now.saturating_sub(self.changed.1)));
        workspace.time_to_next(now).into_iter().chain(save).min()
    }

    /// Files that were changed outside: those without changes of one's own come in, the others are asked about.
    fn take_changes_outside(&mut self, seen: Seen) {
        for (name, now) in seen {
            let dirty = self.document.is_dirty(&name);
            let same = |text: Option<&str>| now.as_ref().map(|(t, _)| t.as_str()) == text;
            let stamp = now.as_ref().map(|(_, s)| *s);
            if same(self.document.text(&name)) {
                // As it is here: there is nothing to take in.
                let text = now.map(|(t, _)| t);
                self.document.note_saved(&name, text.as_deref());
                self.note_stamp(&name, stamp);
            } else if same(self.document.saved_text(&name)) {
                self.note_stamp(&name, stamp);
            } else if dirty {
                self.asks.retain(|a| !matches!(a, Ask::Changed { name: n, .. } if *n == name));
                self.note_stamp(&name, stamp);
                self.queue_question(Ask::Changed { name, now });
            } else {
                self.take_other(&name, now);
            }
        }
    }

    fn note_stamp(&mut self, name: &Arc<str>, stamp: Option<Stamp>) {
        if let Some(workspace) = &mut self.workspace {
            workspace.note_stamp(name, stamp);
        }
    }

    /// What is on disk comes in, as a step that can be taken back.
    pub(super) fn take_other(&mut self, name: &Arc<str>, now: Option<(String, Stamp)>) {
        self.note_stamp(name, now.as_ref().map(|(_, s)| *s));
        match now {
            Some((text, _)) => {
                self.document.reload(name, text);
                self.set_message(format!(
                    "{name} was changed outside and was read again; Undo takes that back"
                ));
            }
            None => {
                self.document.remove_outside(name);
                self.set_message(format!("{name} was removed outside; Undo brings it back"));
            }
        }
        self.follow_selection();
    }

    /// What is here stays, and saving puts it in the place of the other.
    pub(super) fn keep_mine(&mut self, name: &Arc<str>, now: Option<(String, Stamp)>) {
        self.note_stamp(name, now.as_ref().map(|(_, s)| *s));
        self.document.note_saved(name, now.as_ref().map(|(t, _)| t.as_str()));
        self.set_message(format!("{name} stays as it is here; saving will overwrite the file on the disk"));
    }

    fn take_written(&mut self, files: Vec<Written>) {
        let mut said = match files.len() {
            0 => String::from("There is nothing to save"),
            1 => files.first().map_or(String::new(), |f| format!("Saved {}", f.name)),
            n => format!("Saved {n} files"),
        };
        let mut all = true;
        for Written { name, text, outcome } in files {
            match outcome {
                Outcome::Done(stamp) => {
                    self.document.note_saved(&name, text.as_deref());
                    self.note_stamp(&name, stamp);
                }
                Outcome::Changed => {
                    all = false;
                    said = format!("{name} was changed outside and is not saved");
                    if let Some(workspace) = &mut self.workspace {
                        workspace.look_soon();
                    }
                }
                Outcome::Failed(why) => {
                    // What went wrong first is the reason for the rest.
                    said = if all { why } else { said };
                    all = false;
                }
            }
        }
        self.set_message(said);
        if let Some(workspace) = &mut self.workspace {
            workspace.keep_again();
        }
        if let Some(then) = self.leaving.take()
            && all
        {
            self.want_leave(then);
        }
    }

    /// Brings back what was not saved when the program last ended, each file as a step; a file that got another name is one.
    pub(super) fn recover_files(&mut self, kept: Recovery) {
        let mut texts: BTreeMap<Arc<str>, String> =
            kept.texts.into_iter().map(|(n, t)| (Arc::from(n), t)).collect();
        let mut count = 0;
        for (name, to) in kept.gone {
            let (name, to): (Arc<str>, Option<Arc<str>>) = (name.into(), to.map(Arc::from));
            match to.as_ref().and_then(|to| texts.remove_entry(to)) {
                Some((to, text)) => self.document.bring_back_renamed(&name, &to, text),
                None => drop(
                    self.document
                        .remove(&format!("bring back the removal of {name}, which was not saved"), &name),
                ),
            }
            count += 1;
        }
        for (name, text) in texts {
            self.document.bring_back(&name, text);
            count += 1;
        }
        if let Some(workspace) = &mut self.workspace {
            workspace.keep_again();
        }
        self.set_message(if count == 1 {
            "Brought back 1 file".into()
        } else {
            format!("Brought back {count} files")
        });
        self.follow_selection();
    }

    /// Keeps settings when they were changed.
    fn keep_settings(&mut self) {
        let Some(path) = self.home.as_ref().map(|h| h.join("settings.ron")) else { return };
        if self.keeping_settings.as_mut().is_some_and(|j| j.poll().is_none()) {
            return;
        }
        self.keeping_settings = None;
        if self.settings_kept.is_none() {
            // What was read at the start is what is kept.
            self.settings_kept = Some(self.settings.clone());
        } else if self.settings_kept.as_ref() != Some(&self.settings) {
            self.settings_kept = Some(self.settings.clone());
            let text = self.settings.to_text();
            self.keeping_settings = Some(self.jobs.start("Keeping the settings", move |_| {
                // That they cannot be kept is no reason to stop anything.
                disk::write(&path, &text).ok();
            }));
        }
    }

    /// Keeps settings before the program ends.
    pub fn keep_settings_now(&mut self) {
        self.keeping_settings = None;
        if let Some(path) = self.home.as_ref().map(|h| h.join("settings.ron"))
            && self.settings_kept.as_ref().is_some_and(|k| *k != self.settings)
        {
            disk::write(&path, self.settings.to_text()).ok();
        }
    }
}
