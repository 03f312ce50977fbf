//! The document: all texts of the open folder, and one undo journal for all panes.
//!
//! Nothing here knows a disk or a window. A text changes only through [`Document::apply_edits`] and its sisters, so that undo is one history for text and canvas, for a file
//! that is put in or taken away, and for a file that was changed outside.
mod follow;
mod journal;

pub use follow::Followed;
pub use journal::{History, Step};

use follow::Moves;
use houserule::ide::games::{self, About, Game, Games};
use houserule::ide::{Edit, EditSet, Misfit, Refusal};
use houserule::text::{File, Files};
use journal::{Change, Journal};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// A moment of the document: it grows with each change, undo and redo among them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Revision(pub u64);

/// How an edit is put into the journal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Manner {
    /// A step of its own: a stroke, a form, a rename.
    #[default]
    Step,
    /// A key that was typed: it joins the step before it if that was typed at the same place.
    Typing,
}

/// A place in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextPlace {
    /// The file's name.
    pub file: Arc<str>,
    /// Bytes of its text.
    pub range: Range<usize>,
}

impl TextPlace {
    /// A place.
    pub fn new(file: impl Into<Arc<str>>, range: Range<usize>) -> TextPlace {
        TextPlace { file: file.into(), range }
    }
}

/// What identifies a game that is checked or played: the file of its `game` line, and the mods in force.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Subject {
    /// The file with the `game` line.
    pub game: Arc<str>,
    /// Files of the mods that are in force, by name.
    pub with: Vec<Arc<str>>,
}

/// All texts of a folder and what was done to them.
#[derive(Clone, Debug, Default)]
pub struct Document {
    texts: BTreeMap<Arc<str>, String>,
    /// What the disk holds, as far as is known.
    saved: BTreeMap<Arc<str>, Arc<str>>,
    revision: Revision,
    touched: BTreeMap<Arc<str>, Revision>,
    journal: Journal,
    moves: Moves,
    /// Files that are other than on disk, kept so that no frame compares texts.
    dirty: BTreeSet<Arc<str>>,
    abouts: BTreeMap<Arc<str>, About>,
    games: Games,
}

impl Document {
    /// The texts of a folder as they are on disk, by name: paths from the folder with `/`.
    pub fn new(texts: impl IntoIterator<Item = (Arc<str>, String)>) -> Document {
        let texts: BTreeMap<Arc<str>, String> = texts.into_iter().collect();
        let saved = texts.iter().map(|(n, t)| (n.clone(), Arc::from(t.as_str()))).collect();
        let abouts = texts.iter().map(|(n, t)| (n.clone(), games::read_about(t))).collect();
        let games = Games::from_files(&abouts);
        Document { texts, saved, abouts, games, ..Document::default() }
    }

    /// The present moment.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The names of all files, in order.
    pub fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.texts.keys()
    }

    /// A file's text now.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// All texts now.
    pub fn texts(&self) -> &BTreeMap<Arc<str>, String> {
        &self.texts
    }

    /// When a file's text last changed; the beginning if it never did.
    pub fn touched_at(&self, name: &str) -> Revision {
        self.touched.get(name).copied().unwrap_or_default()
    }

    /// The games, and which files make them.
    pub fn games(&self) -> &Games {
        &self.games
    }

    /// The game that a file belongs to, with the mod in force if the file is one.
    pub fn subject(&self, file: &str) -> Option<Subject> {
        let (game, with) = self.games.find_owner(file)?;
        Some(Subject { game: game.file.clone(), with: with.into_iter().collect() })
    }

    /// The game of a subject.
    pub fn game(&self, subject: &Subject) -> Option<&Game> {
        self.games.find_by_file(&subject.game)
    }

    /// A game's texts in load order, named as here.
    pub fn files(&self, subject: &Subject) -> Files {
        let mut out = Files::new();
        if let Some(game) = self.game(subject) {
            for name in game.list_files(&subject.with) {
                if let Some(text) = self.texts.get(&name) {
                    out.add(File::new(&*name, text.as_str()));
                }
            }
        }
        out
    }

    /// When any text of a game last changed.
    pub fn game_touched_at(&self, subject: &Subject) -> Revision {
        let files = self.game(subject).map(|g| g.list_files(&subject.with)).unwrap_or_default();
        // A file that left the game is no longer among them, but its going was a change of some file that is, or of the game's set: the whole is asked then.
        files.iter().map(|f| self.touched_at(f)).max().unwrap_or_default().max(self.journal.shape())
    }

    /// What a place is called: file and line.
    pub fn place_text(&self, place: &TextPlace) -> String {
        // Asked in every frame: bytes are counted, which is done many at once.
        let before = self.text(&place.file).and_then(|t| t.as_bytes().get(..place.range.start));
        let line = before.unwrap_or(&[]).iter().filter(|b| **b == b'\n').count() + 1;
        format!("{}:{line}", place.file)
    }

    /// Carries out an edit that was planned against the present texts.
    ///
    /// # Errors
    /// A file that is not there, or a range that its text does not have; nothing changes then.
    pub fn apply_edits(&mut self, set: EditSet) -> Result<Revision, Misfit> {
        self.apply_as(set, Manner::Step)
    }

    /// Carries out an edit in a manner.
    ///
    /// # Errors
    /// As [`Document::apply_edits`].
    pub fn apply_as(&mut self, set: EditSet, manner: Manner) -> Result<Revision, Misfit> {
        // What changes nothing leaves no trace.
        let same = |e: &Edit| {
            self.text(&e.file).and_then(|t| t.get(e.range.clone())).is_some_and(|gone| gone == e.text)
        };
        if set.edits().iter().all(same) {
            return Ok(self.revision);
        }
        let at = set.edits().first().map(|e| TextPlace::new(e.file.clone(), e.range.clone()));
        let back = set.apply_to(&mut self.texts)?;
        let place = at.map(|p| (self.place_text(&p), p));
        self.note_changed(&set);
        self.journal.push_change(place, Change::Edits { done: set, back }, manner);
        Ok(self.revision)
    }

    /// Carries out an edit that was planned against an older revision: it is moved through what was done since.
    ///
    /// # Errors
    /// A text in its way was changed since, or is gone.
    pub fn apply_since(
        &mut self,
        since: Revision,
        set: EditSet,
        manner: Manner,
    ) -> Result<Revision, Refusal> {
        let moved = self.move_edits(since, set)?;
        self.apply_as(moved, manner).map_err(|m| Refusal::with_reason(m.to_string()))
    }

    /// An edit set as it must be now to do what it was planned to do then.
    fn move_edits(&self, since: Revision, set: EditSet) -> Result<EditSet, Refusal> {
        if since == self.revision {
            return Ok(set);
        }
        let mut edits = Vec::new();
        for e in set.edits() {
            let Some(range) = self.moves.map_exactly(since, &e.file, e.range.clone()) else {
                let why = format!("{} was changed there in the meantime", e.file);
                return Err(Refusal::with_reason(why));
            };
            edits.push(Edit::new(e.file.clone(), range, e.text.clone()));
        }
        EditSet::new(set.label.clone(), edits)
            .map_err(|o| Refusal::with_reason(format!("{} was changed there in the meantime", o.file)))
    }

    /// Where a range of an older revision is now; none if something in it was changed, or if that is too long ago to be known.
    pub fn move_range(&self, since: Revision, file: &str, range: Range<usize>) -> Option<Range<usize>> {
        self.moves.map_exactly(since, file, range)
    }

    /// Where a range of an older revision is now, as near as can be told: what was changed inside it stretches or shrinks it.
    pub fn follow_range(&self, since: Revision, file: &str, range: Range<usize>) -> Followed {
        self.moves.map_nearly(since, file, range)
    }

    /// Puts in a new file, as a step.
    ///
    /// # Errors
    /// There is a file of that name.
    pub fn add(&mut self, label: &str, name: Arc<str>, text: String) -> Result<Revision, Refusal> {
        if self.texts.contains_key(&name) {
            return Err(Refusal::with_reason(format!("there is already a file {name}")));
        }
        let change = Change::Add { label: label.to_string(), name, text };
        self.carry_out(&change);
        let place = change.place().map(|p| (self.place_text(&p), p));
        self.journal.push_change(place, change, Manner::Step);
        Ok(self.revision)
    }

    /// Takes away a file, as a step.
    ///
    /// # Errors
    /// There is no file of that name.
    pub fn remove(&mut self, label: &str, name: &str) -> Result<Revision, Refusal> {
        let Some((name, text)) = self.texts.get_key_value(name) else {
            return Err(Refusal::with_reason(format!("there is no file {name}")));
        };
        let change = Change::Remove { label: label.to_string(), name: name.clone(), text: text.clone() };
        let place = change.place().map(|p| (self.place_text(&p), p));
        self.carry_out(&change);
        self.journal.push_change(place, change, Manner::Step);
        Ok(self.revision)
    }

    /// Gives a file another name, and carries out the edits by which others call it so: one step.
    ///
    /// # Errors
    /// There is no such file, there is one of the new name, or the edits do not fit; nothing changes then.
    pub fn rename(
        &mut self,
        label: &str,
        name: &str,
        to: Arc<str>,
        edits: Vec<Edit>,
    ) -> Result<Revision, Refusal> {
        let Some((name, _)) = self.texts.get_key_value(name) else {
            return Err(Refusal::with_reason(format!("there is no file {name}")));
        };
        let name = name.clone();
        if self.texts.contains_key(&to) {
            return Err(Refusal::with_reason(format!("there is already a file {to}")));
        }
        let mut changes = Vec::new();
        if !edits.is_empty() {
            let set = EditSet::new(label, edits).map_err(|o| {
                Refusal::with_reason(format!("two changes of {} are in the same place", o.file))
            })?;
            let back = set.apply_to(&mut self.texts).map_err(|m| Refusal::with_reason(m.to_string()))?;
            self.note_changed(&set);
            changes.push(Change::Edits { done: set, back });
        }
        let text = self.text(&name).unwrap_or("").to_string();
        let label = label.to_string();
        let gone = Change::Remove { label: label.clone(), name, text: text.clone() };
        let come = Change::Add { label: label.clone(), name: to.clone(), text };
        for change in [gone, come] {
            self.carry_out(&change);
            changes.push(change);
        }
        let place = TextPlace::new(to, 0..0);
        self.journal.push_changes(label, Some((self.place_text(&place), place)), changes);
        Ok(self.revision)
    }

    /// Takes back the last step that is not taken back; none if there is none.
    pub fn undo(&mut self) -> Option<Step> {
        let step = self.journal.take_last()?;
        let mut changes = Vec::new();
        for change in step.changes.iter().rev() {
            if let Some(turned) = self.turn_back(change) {
                changes.push(turned);
            }
        }
        Some(self.journal.note_undone(step, changes))
    }

    /// Does again what was taken back last; none if nothing was.
    pub fn redo(&mut self) -> Option<Step> {
        let step = self.journal.take_last_undone()?;
        let mut changes = Vec::new();
        for change in step.changes.iter().rev() {
            if let Some(turned) = self.turn_back(change) {
                changes.push(turned);
            }
        }
        Some(self.journal.note_redone(step, changes))
    }

    /// All steps, done and taken back.
    pub fn history(&self) -> History<'_> {
        self.journal.history()
    }

    /// Ends a run of typing: what is typed next is a step of its own.
    pub fn end_typing(&mut self) {
        self.journal.end_run();
    }

    /// Takes in a text that was changed on disk, as a step that can be taken back. It is clean afterwards.
    pub fn reload(&mut self, name: &Arc<str>, text: String) {
        self.saved.insert(name.clone(), Arc::from(text.as_str()));
        self.compare_with_disk(name);
        match self.texts.get(name) {
            Some(old) => {
                if let Some(edit) = follow::least_edit(name, old, &text) {
                    let set = EditSet::from_edit(format!("reload {name}, changed outside"), edit);
                    // The range is of the very text that it was made from.
                    self.apply_edits(set).ok();
                }
            }
            None => {
                self.add(&format!("{name} was put in outside"), name.clone(), text).ok();
            }
        }
    }

    /// Brings back a text that was not saved, as a step that can be taken back.
    pub fn bring_back(&mut self, name: &Arc<str>, text: String) {
        let label = format!("bring back {name}, not saved");
        match self.texts.get(name) {
            Some(old) => {
                if let Some(edit) = follow::least_edit(name, old, &text) {
                    // The range is of the very text that it was made from.
                    self.apply_edits(EditSet::from_edit(label, edit)).ok();
                }
            }
            None => {
                self.add(&label, name.clone(), text).ok();
            }
        }
    }

    /// Brings back that a file got another name, which was not saved, with its text there: one step.
    pub fn bring_back_renamed(&mut self, name: &Arc<str>, to: &Arc<str>, text: String) {
        let label = format!("bring back {to}, which was {name}, not saved");
        match self.texts.get(name) {
            Some(old) if !self.texts.contains_key(to) => {
                let edits = follow::least_edit(name, old, &text).into_iter().collect();
                // Both names and the range are of the very texts that are here.
                self.rename(&label, name, to.clone(), edits).ok();
            }
            // One of them is on the disk already, or no longer.
            _ => {
                self.bring_back(to, text);
                self.remove(&label, name).ok();
            }
        }
    }

    /// Files that the disk has and that are to go, each with the name that it has now, if it only got another one.
    pub fn removed_files(&self) -> Vec<(Arc<str>, Option<Arc<str>>)> {
        let gone = self.dirty.iter().filter(|n| !self.texts.contains_key(*n));
        let now = |n: &Arc<str>| self.journal.new_name_of(n).filter(|now| self.texts.contains_key(now));
        gone.map(|n| (n.clone(), now(n))).collect()
    }

    /// Takes away a file that is gone from the disk, as a step that can be taken back.
    pub fn remove_outside(&mut self, name: &str) {
        if let Some((name, _)) = self.saved.remove_entry(name) {
            self.compare_with_disk(&name);
        }
        self.remove(&format!("{name} was removed outside"), name).ok();
    }

    /// Notes what the disk holds now: `None` if the file is not there.
    pub fn note_saved(&mut self, name: &Arc<str>, text: Option<&str>) {
        match text {
            Some(text) => self.saved.insert(name.clone(), Arc::from(text)),
            None => self.saved.remove(name),
        };
        self.compare_with_disk(name);
        self.end_typing();
    }

    /// What the disk holds of a file, as far as is known.
    pub fn saved_text(&self, name: &str) -> Option<&str> {
        self.saved.get(name).map(|t| &**t)
    }

    /// Whether a file is other than on disk; one that is not there counts if the disk has it.
    pub fn is_dirty(&self, name: &str) -> bool {
        self.dirty.contains(name)
    }

    /// Files that are other than on disk, those that are to go among them.
    pub fn dirty_files(&self) -> &BTreeSet<Arc<str>> {
        &self.dirty
    }

    /// Compares a file with the disk again.
    fn compare_with_disk(&mut self, name: &Arc<str>) {
        if self.text(name) == self.saved_text(name) {
            self.dirty.remove(name);
        } else {
            self.dirty.insert(name.clone());
        }
    }

    /// Carries out the contrary of a change and gives the change that undoes that.
    fn turn_back(&mut self, change: &Change) -> Option<Change> {
        let turned = match change {
            Change::Edits { done, back } => {
                let forth = back.apply_to(&mut self.texts).ok()?;
                let mut back = back.clone();
                back.label.clone_from(&done.label);
                self.note_changed(&back);
                return Some(Change::Edits { done: back, back: forth });
            }
            Change::Add { label, name, text: _ } => {
                let text = self.texts.get(name)?.clone();
                Change::Remove { label: label.clone(), name: name.clone(), text }
            }
            Change::Remove { label, name, text } => {
                Change::Add { label: label.clone(), name: name.clone(), text: text.clone() }
            }
        };
        self.carry_out(&turned);
        Some(turned)
    }

    fn carry_out(&mut self, change: &Change) {
        self.revision.0 += 1;
        match change {
            Change::Add { name, text, .. } => {
                self.texts.insert(name.clone(), text.clone());
                self.abouts.insert(name.clone(), games::read_about(text));
                self.touched.insert(name.clone(), self.revision);
            }
            Change::Remove { name, .. } => {
                self.texts.remove(name);
                self.abouts.remove(name);
                self.touched.insert(name.clone(), self.revision);
                self.moves.push_removal(self.revision, name);
            }
            Change::Edits { .. } => {}
        }
        if let Change::Add { name, .. } | Change::Remove { name, .. } = change {
            self.compare_with_disk(name);
        }
        self.update_games();
    }

    /// Notes what an edit set did to the texts.
    fn note_changed(&mut self, set: &EditSet) {
        self.revision.0 += 1;
        self.moves.push_edits(self.revision, set);
        let mut other = false;
        let mut names: Vec<&Arc<str>> = set.edits().iter().map(|e| &e.file).collect();
        names.dedup();
        for name in names {
            self.touched.insert(name.clone(), self.revision);
            self.compare_with_disk(name);
            let text = self.texts.get(name).map_or("", String::as_str);
            let about = games::read_about(text);
            // Whoever writes at the head of a file does not take it out of its game: it stays where it was until the head says something else.
            let unsaid = about == About::default() && !text.trim().is_empty();
            if self.abouts.get(name) != Some(&about) && !unsaid {
                self.abouts.insert(name.clone(), about);
                other = true;
            }
        }
        if other {
            self.update_games();
        }
    }

    fn update_games(&mut self) {
        let games = Games::from_files(&self.abouts);
        if games != self.games {
            self.games = games;
            self.journal.note_shape(self.revision);
        }
    }
}

#[cfg(test)]
mod tests;
