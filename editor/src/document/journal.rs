//! The undo journal: the steps that were done and those that were taken back.
use super::{Manner, Revision, TextPlace};
use houserule::ide::EditSet;
use std::sync::Arc;

/// One thing that was done to the texts.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// Pieces of texts put in place of others.
    Edits {
        /// What was done.
        done: EditSet,
        /// What takes it back.
        back: EditSet,
    },
    /// A file that was not there.
    Add { label: String, name: Arc<str>, text: String },
    /// A file that is no longer there.
    Remove { label: String, name: Arc<str>, text: String },
}

impl Change {
    fn label(&self) -> &str {
        match self {
            Change::Edits { done, .. } => &done.label,
            Change::Add { label, .. } | Change::Remove { label, .. } => label,
        }
    }

    pub(super) fn place(&self) -> Option<TextPlace> {
        match self {
            Change::Edits { done, .. } => done
                .edits()
                .first()
                .map(|e| TextPlace::new(e.file.clone(), e.range.start..e.range.start + e.text.len())),
            Change::Add { name, .. } | Change::Remove { name, .. } => {
                Some(TextPlace::new(name.clone(), 0..0))
            }
        }
    }
}

/// One step of the history: what undo takes back at once.
#[derive(Clone, Debug)]
pub struct Step {
    /// What was done, as a person says it.
    pub label: String,
    /// Where, as file and line.
    pub told: String,
    /// Where.
    pub place: Option<TextPlace>,
    pub(super) changes: Vec<Change>,
}

impl Step {
    /// What and where, as undo says it.
    pub fn describe(&self) -> String {
        if self.told.is_empty() { self.label.clone() } else { format!("{} ({})", self.label, self.told) }
    }
}

/// All steps.
#[derive(Clone, Copy, Debug)]
pub struct History<'a> {
    /// Oldest first.
    pub done: &'a [Step],
    /// What was taken back; the one that redo does next is last.
    pub undone: &'a [Step],
}

/// The journal.
#[derive(Clone, Debug, Default)]
pub(super) struct Journal {
    done: Vec<Step>,
    undone: Vec<Step>,
    /// Where the run of typing ends that the next key may join: file, place, whether it put in.
    run: Option<(Arc<str>, usize, bool)>,
    /// When files last came to another game.
    shape: Revision,
}

impl Journal {
    pub(super) fn shape(&self) -> Revision {
        self.shape
    }

    pub(super) fn note_shape(&mut self, now: Revision) {
        self.shape = now;
    }

    pub(super) fn end_run(&mut self) {
        self.run = None;
    }

    pub(super) fn history(&self) -> History<'_> {
        History { done: &self.done, undone: &self.undone }
    }

    /// Notes what was done.
    pub(super) fn push_change(&mut self, place: Option<(String, TextPlace)>, change: Change, manner: Manner) {
        self.undone.clear();
        let run = if manner == Manner::Typing { run_of(&change) } else { None };
        let joins = match (&self.run, &run) {
            (Some((file, at, into)), Some(now)) => {
                *file == now.file && *into == now.into && now.is_continued_at(*at)
            }
            _ => false,
        };
        self.run = run.map(|r| (r.file, r.end, r.into));
        if joins && let Some(last) = self.done.last_mut() {
            last.changes.push(change);
            return;
        }
        let (told, place) = place.map_or((String::new(), None), |(t, p)| (t, Some(p)));
        self.done.push(Step { label: change.label().to_string(), told, place, changes: vec![change] });
    }

    /// Notes several changes that are one step.
    pub(super) fn push_changes(
        &mut self,
        label: String,
        place: Option<(String, TextPlace)>,
        changes: Vec<Change>,
    ) {
        self.undone.clear();
        self.end_run();
        let (told, place) = place.map_or((String::new(), None), |(t, p)| (t, Some(p)));
        self.done.push(Step { label, told, place, changes });
    }

    /// The name that a file has got by the steps that are done; none if they gave it none, or if one took it away.
    pub(super) fn new_name_of(&self, name: &Arc<str>) -> Option<Arc<str>> {
        let mut now = name.clone();
        for step in &self.done {
            let goes = step.changes.iter().any(|c| matches!(c, Change::Remove { name, .. } if *name == now));
            let comes = step.changes.iter().find_map(|c| match c {
                Change::Add { name, .. } if *name != now => Some(name.clone()),
                _ => None,
            });
            if goes {
                now = comes?;
            }
        }
        (now != *name).then_some(now)
    }

    pub(super) fn take_last(&mut self) -> Option<Step> {
        self.end_run();
        self.done.pop()
    }

    pub(super) fn take_last_undone(&mut self) -> Option<Step> {
        self.end_run();
        self.undone.pop()
    }

    /// Notes that a step was taken back by these changes.
    pub(super) fn note_undone(&mut self, step: Step, changes: Vec<Change>) -> Step {
        let step = Step { place: last_place(&changes, &step), changes, ..step };
        self.undone.push(step.clone());
        step
    }

    /// Notes that a step was done again by these changes.
    pub(super) fn note_redone(&mut self, step: Step, changes: Vec<Change>) -> Step {
        let step = Step { place: last_place(&changes, &step), changes, ..step };
        self.done.push(step.clone());
        step
    }
}

fn last_place(changes: &[Change], step: &Step) -> Option<TextPlace> {
    // Of a file that got another name: where the file is now.
    let file = changes.iter().rev().find(|c| matches!(c, Change::Add { .. }));
    file.or(changes.last()).and_then(Change::place).or_else(|| step.place.clone())
}

/// What a key did: where, and where the next one must be to belong to the same run.
struct Run {
    file: Arc<str>,
    start: usize,
    gone: usize,
    end: usize,
    into: bool,
    breaks: bool,
}

impl Run {
    fn is_continued_at(&self, at: usize) -> bool {
        let here =
            if self.into { self.start == at } else { self.start == at || self.start + self.gone == at };
        here && !self.breaks
    }
}

fn run_of(change: &Change) -> Option<Run> {
    let Change::Edits { done, .. } = change else { return None };
    let [edit] = done.edits() else { return None };
    let into = !edit.text.is_empty();
    // Putting in and taking out at once is the end of a run, or its beginning.
    let breaks = (into && !edit.range.is_empty()) || edit.text.contains('\n');
    let end = edit.range.start + edit.text.len();
    Some(Run { file: edit.file.clone(), start: edit.range.start, gone: edit.range.len(), end, into, breaks })
}
