//! The Write pane: the text with colours and findings, and everything that helps to write it.
//!
//! The pane holds a [`view::TextView`] of each open file. Keys change the view at once; what changed goes to the document as one edit a frame, so that undo is the
//! document's and nothing is ever edited past it.
mod ask;
mod bars;
pub mod data;
mod find;
mod keys;
mod paint;
pub mod view;

pub use paint::message_color;

use crate::analyses::GameAnalysis;
use crate::book::{find_word, words_page};
pub use crate::command::write::Act;
use crate::command::{Command, apply_edits, refuse_with};
use crate::document::{Manner, Revision, TextPlace};
use crate::jobs::Job;
use crate::panels::{Context, Pane};
use find::FindAction;
use houserule::ide::{self, Edit, EditSet};
use std::collections::BTreeMap;
use std::sync::Arc;
use view::TextView;

/// A list at the caret.
#[derive(Debug)]
enum Popup {
    /// What could be written.
    Complete {
        items: Vec<ide::Item>,
        chosen: usize,
        /// Whether the user opened the list by its shortcut or moved in it. Then Enter takes the chosen item even if the word at the caret is complete.
        asked: bool,
        job: Option<Job<Vec<ide::Item>>>,
    },
    /// What findings offer; the edits are of that revision.
    Fixes { fixes: Vec<ide::Fix>, chosen: usize, since: Revision },
}

/// What Write keeps between frames.
#[derive(Debug, Default)]
pub struct State {
    open: Vec<Arc<str>>,
    /// The file whose tab was brought into sight last.
    seen: Option<Arc<str>>,
    views: BTreeMap<Arc<str>, TextView>,
    /// Which revision of the game each view knows.
    learned: BTreeMap<Arc<str>, Revision>,
    /// The selection that all panes know, as far as this one has said it or taken it in.
    sent: Option<TextPlace>,
    find: find::Find,
    uses: Option<bars::Uses>,
    ask: Option<ask::WriteQuestion>,
    popup: Option<Popup>,
    /// The caret is to be brought into view.
    bring: bool,
    /// The text is to have the keyboard.
    focus: bool,
    /// Rows that fit.
    page: isize,
    /// What an input method has not finished.
    preedit: String,
}

impl State {
    /// Shows the pane, and gives what is wanted.
    pub fn ui(&mut self, ui: &mut egui::Ui, cx: &Context) -> Vec<Command> {
        let mut out = Vec::new();
        self.focus |= cx.focus == Some(Pane::Write);
        self.open.retain(|f| cx.document.text(f).is_some());
        self.views.retain(|f, _| cx.document.text(f).is_some());
        let Some(file) = cx.here.map(|p| p.file.clone()).filter(|f| cx.document.text(f).is_some()) else {
            return out;
        };
        if !self.open.contains(&file) {
            self.open.push(file.clone());
        }
        self.update_view(&file, cx);
        self.show_tabs(ui, &file, cx, &mut out);
        self.poll_find(&file, cx, &mut out);
        self.show_find_bar(ui, &file, cx, &mut out);
        self.show_uses(ui, cx, &mut out);
        self.show_text(ui, &file, cx, &mut out);
        self.show_question(ui, &file, cx, &mut out);
        self.hand_over(&file, cx, &mut out);
        out
    }

    /// The view of a file, as the document and what is known of it are now.
    fn update_view(&mut self, file: &Arc<str>, cx: &Context) {
        let text = cx.document.text(file).unwrap_or("");
        let v = self.views.entry(file.clone()).or_insert_with(|| TextView::new(file.clone(), text));
        v.follow_text(text);
        match cx.analyses.of_file(cx.document, file) {
            Some(known) => {
                if self.learned.insert(file.clone(), known.revision) != Some(known.revision) {
                    v.forget_analysis();
                }
                v.take_analysis(&known.analysis);
            }
            None if cx.document.subject(file).is_none() => v.colour_alone(),
            None => {}
        }
        if let Some(place) = cx.arrived.filter(|p| p.file == *file) {
            v.select_range(place.range.clone());
            self.bring = true;
            self.popup = None;
            self.sent = cx.here.cloned();
            if cx.front == Pane::Write {
                self.focus = true;
            }
        } else if cx.here != self.sent.as_ref()
            && let Some(here) = cx.here
        {
            // Another pane selected something, or what it did moved the selection.
            v.select_range(here.range.clone());
            self.sent = Some(here.clone());
        }
    }

    /// What was written and where the caret went, as commands.
    fn hand_over(&mut self, file: &Arc<str>, cx: &Context, out: &mut Vec<Command>) {
        let Some(v) = self.views.get_mut(file) else { return };
        if let Some(change) = v.take_change() {
            let name = file.rsplit('/').next().unwrap_or(file);
            let label = match (change.typed, change.text.is_empty()) {
                (true, false) => format!("type in {name}"),
                (true, true) => format!("delete in {name}"),
                (false, _) => format!("edit {name}"),
            };
            let manner = if change.typed { Manner::Typing } else { Manner::Step };
            let set = EditSet::from_edit(label, Edit::new(file.clone(), change.range, change.text));
            out.push(Command::Apply { since: cx.document.revision(), set, manner });
        }
        let here = TextPlace::new(file.clone(), v.selection());
        let elsewhere = out.iter().any(|c| matches!(c, Command::GoTo(_)));
        if cx.here != Some(&here) && !elsewhere {
            out.push(Command::Selected(here.clone()));
            self.sent = Some(here);
        }
    }

    /// What is known of the very text that is shown; says so if it is not known yet.
    fn current_analysis<'a>(
        &mut self,
        file: &Arc<str>,
        cx: &Context<'a>,
        out: &mut Vec<Command>,
    ) -> Option<&'a GameAnalysis> {
        let known = cx.analyses.of_file(cx.document, file);
        let v = self.views.get(file)?;
        let same = known.filter(|k| k.analysis.file(file).is_some_and(|(_, f)| f.text == v.text()));
        if same.is_none() {
            let why = if cx.document.subject(file).is_none() {
                "This file belongs to no game"
            } else {
                "The text is still being checked"
            };
            out.push(Command::Say(why.into()));
        }
        same
    }

    /// Does one of its commands. What that means for texts comes back.
    pub fn do_act(&mut self, act: Act, cx: &Context) -> Vec<Command> {
        let mut out = Vec::new();
        let Some(file) = cx.here.map(|p| p.file.clone()).filter(|f| cx.document.text(f).is_some()) else {
            return vec![Command::Say("No file is open".into())];
        };
        self.update_view(&file, cx);
        if !self.open.contains(&file) {
            self.open.push(file.clone());
        }
        match act {
            Act::Find | Act::Replace => {
                let selected = self.views.get(&file).map_or("", |v| v.selected_text()).to_string();
                self.find.open_bar(act == Act::Replace, &selected);
            }
            Act::FindNext | Act::FindPrevious => {
                self.do_with_found(FindAction::Step(act == Act::FindNext), &file, cx, &mut out);
            }
            Act::GoToLine => self.ask = Some(ask::WriteQuestion::for_line()),
            Act::GoToName => self.ask = Some(ask::WriteQuestion::for_name()),
            Act::Complete => self.open_completion(&file, cx, true),
            Act::Explain => out.push(self.explain_word(&file)),
            Act::Definition => {
                if let (Some(k), Some(at)) =
                    (self.current_analysis(&file, cx, &mut out), self.caret_of(&file))
                {
                    out.push(go_to_definition(k, &file, at, cx));
                }
            }
            Act::References => {
                if let (Some(k), Some(at)) =
                    (self.current_analysis(&file, cx, &mut out), self.caret_of(&file))
                {
                    let list = ide::find_references(&k.analysis, &file, at);
                    out.push(Command::Say(match list.len() {
                        0 => "There is no name here that the rules declare".into(),
                        1 => "1 use".into(),
                        n => format!("{n} uses"),
                    }));
                    self.uses = bars::Uses::from_references(list, k);
                }
            }
            Act::Rename => {
                if let (Some(k), Some(at)) =
                    (self.current_analysis(&file, cx, &mut out), self.caret_of(&file))
                {
                    match ide::check_rename(&k.analysis, &file, at) {
                        Ok((_, name)) => self.ask = Some(ask::WriteQuestion::for_rename(&file, at, name, k)),
                        Err(refusal) => out.push(Command::Refuse { since: k.revision, refusal }),
                    }
                }
            }
            Act::Format => {
                if let Some(v) = self.views.get(&file) {
                    out.push(match ide::format_text(&file, v.text()) {
                        Ok(set) if set.is_empty() => Command::Say("It is already laid out".into()),
                        Ok(set) => apply_edits(cx.document.revision(), set),
                        Err(refusal) => Command::Refuse { since: cx.document.revision(), refusal },
                    });
                }
            }
            Act::Fix => {
                if let (Some(k), Some(at)) =
                    (self.current_analysis(&file, cx, &mut out), self.caret_of(&file))
                {
                    let fixes = ide::find_fixes(&k.analysis, &file, at..at);
                    if fixes.is_empty() {
                        out.push(refuse_with("No finding here has a fix"));
                    } else {
                        self.popup = Some(Popup::Fixes { fixes, chosen: 0, since: k.revision });
                        self.focus = true;
                    }
                }
            }
            Act::Insert(what) => {
                if let (Some(k), Some(at)) =
                    (self.current_analysis(&file, cx, &mut out), self.caret_of(&file))
                {
                    match ide::plan_insert(&k.analysis, &file, at, what) {
                        Ok((set, range)) => {
                            out.push(apply_edits(k.revision, set));
                            out.push(Command::GoTo(TextPlace::new(file.clone(), range)));
                        }
                        Err(refusal) => out.push(Command::Refuse { since: k.revision, refusal }),
                    }
                }
            }
            Act::Fold => self.with_view(&file, |v| v.toggle_fold(v.line_of(v.caret))),
            Act::FoldAll => self.with_view(&file, TextView::toggle_all),
            Act::Comment => self.with_view(&file, TextView::toggle_comments),
            Act::CloseTab => out.extend(self.close_tab(&file)),
            Act::NextTab => {
                let at = self.open.iter().position(|f| *f == file).unwrap_or(0);
                if let Some(next) = self.open.get((at + 1) % self.open.len().max(1)) {
                    out.push(self.go_back_to(next));
                }
            }
        }
        self.hand_over(&file, cx, &mut out);
        out
    }

    fn with_view(&mut self, file: &Arc<str>, f: impl FnOnce(&mut TextView)) {
        if let Some(v) = self.views.get_mut(file) {
            f(v);
            self.bring = true;
        }
    }

    /// Whether a list at the caret is open: Escape closes it first.
    pub fn has_list(&self) -> bool {
        self.popup.is_some()
    }

    /// The section of the book on the word at the caret; the list of words where there is none.
    fn explain_word(&self, file: &Arc<str>) -> Command {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let parts = self.views.get(file).and_then(|v| v.text().split_at_checked(v.caret));
        let (before, behind) = parts.unwrap_or_default();
        let start = before.trim_end_matches(is_word).len();
        let end = behind.find(|c| !is_word(c)).unwrap_or(behind.len());
        let word = format!("{}{}", before.get(start..).unwrap_or(""), behind.get(..end).unwrap_or(""));
        if word.is_empty() {
            return Command::ShowBook(words_page());
        }
        match find_word(&word).filter(|_| ide::list_words().contains(&word.as_str())) {
            Some(place) => Command::ShowBook(place),
            None => refuse_with(format!(
                "{word} is no word of the language; go to its declaration to read what it is here"
            )),
        }
    }

    fn caret_of(&self, file: &Arc<str>) -> Option<usize> {
        self.views.get(file).map(|v| v.caret)
    }

    /// Shows an open file as it was left.
    fn go_back_to(&self, file: &Arc<str>) -> Command {
        let at = self.views.get(file).map_or(0..0, TextView::selection);
        Command::GoTo(TextPlace::new(file.clone(), at))
    }

    /// A file has another name: its tab stays where it is, and what is looked at in it.
    pub fn note_renamed(&mut self, file: &Arc<str>, to: &Arc<str>) {
        for f in self.open.iter_mut().filter(|f| *f == file) {
            *f = to.clone();
        }
        if let Some(mut view) = self.views.remove(file) {
            view.file = to.clone();
            view.forget_analysis();
            self.views.insert(to.clone(), view);
        }
        self.learned.remove(file);
    }

    /// Closes a tab; the one beside it is shown.
    fn close_tab(&mut self, file: &Arc<str>) -> Option<Command> {
        let at = self.open.iter().position(|f| f == file)?;
        if self.open.len() == 1 {
            return Some(Command::Say("The last open file stays open".into()));
        }
        self.open.remove(at);
        let view = self.views.remove(file);
        drop(view);
        let next = self.open.get(at.min(self.open.len().saturating_sub(1)))?.clone();
        Some(self.go_back_to(&next))
    }

    /// Asks what could be written at the caret.
    fn open_completion(&mut self, file: &Arc<str>, cx: &Context, asked: bool) {
        let Some(v) = self.views.get(file) else { return };
        let Some(known) = cx.analyses.of_file(cx.document, file) else { return };
        let (analysis, name, text, at) =
            (known.analysis.clone(), file.clone(), v.text().to_string(), v.caret);
        let job = cx.jobs.start("Completing", move |_| ide::complete(&analysis, &name, &text, at));
        let (items, chosen, was) = match self.popup.take() {
            Some(Popup::Complete { items, chosen, asked, .. }) => (items, chosen, asked),
            _ => (Vec::new(), 0, false),
        };
        self.popup = Some(Popup::Complete { items, chosen, asked: asked || was, job: Some(job) });
        self.focus = true;
    }
}

/// To the declaration of the word at an offset.
fn go_to_definition(k: &GameAnalysis, file: &Arc<str>, at: usize, cx: &Context) -> Command {
    match ide::find_definition(&k.analysis, file, at) {
        // It may be declared in another file, which has changed since.
        Some(p) => {
            let range = cx.document.follow_range(k.revision, &p.file, p.range()).range;
            Command::GoTo(TextPlace::new(p.file.clone(), range))
        }
        None => Command::Say("There is no name here that the rules declare".into()),
    }
}
