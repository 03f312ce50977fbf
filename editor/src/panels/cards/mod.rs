//! The Cards pane: all cards of the open game as their faces, with a filter; one of them opened as a form beside its text; import from and export to tables.
//!
//! ```text
//! Analysis ─▶ Data (list_cards) ─▶ gallery ─▶ form ─▶ Intent ─▶ plan ─▶ Command::Apply
//! ```
pub mod data;
mod exchange;
pub mod face;
mod form;
mod gallery;
mod try_it;
mod try_show;

pub use crate::command::cards::Act;
use crate::command::{self, Command};
use crate::document::{Revision, Subject};
use crate::panels::play::Shown;
use crate::panels::{Context, Pane, show_button, show_empty};
use data::{Data, Found, count_text};
use egui::Ui;
use houserule::ide::cards::{Card, CardId, CardKey, OpenCard, open_card};
use houserule::ide::plan::{Intent, plan, suggest_name};
use houserule::play::Match;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An open card with what is shown of it.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    revision: Revision,
    id: CardId,
    card: OpenCard,
}

/// A new card that is being made.
#[derive(Debug)]
struct NewCard {
    /// Whose text it gets.
    like: CardId,
    title: String,
    /// Whether its field is to have the keyboard.
    take: bool,
}

/// What the filter found, and of what.
#[derive(Debug)]
struct Search {
    revision: Revision,
    filter: String,
    kind: Option<Arc<str>>,
    found: Arc<Found>,
}

/// What Cards keeps between frames.
#[derive(Debug, Default)]
pub struct State {
    subject: Option<Subject>,
    data: Option<Arc<Data>>,
    filter: String,
    /// The only kind that is shown.
    kind: Option<Arc<str>>,
    /// What the filter finds.
    search: Option<Search>,
    /// The card that has, or had, the keyboard.
    chosen: Option<CardId>,
    open: Option<CardId>,
    opened: Option<Opened>,
    /// A card that is opened as soon as the texts have been read with it.
    wanted: Option<CardId>,
    drafts: BTreeMap<CardKey, String>,
    making: Option<NewCard>,
    import: Option<exchange::Import>,
    /// What is tried with the cards, of every game.
    bench: try_it::Bench,
    /// Whether the gallery, or the filter, is to have the keyboard.
    take: bool,
    take_filter: bool,
}

impl State {
    /// What is shown, for tests.
    pub fn data(&self) -> Option<&Data> {
        self.data.as_deref()
    }

    /// The card that is open.
    pub fn open(&self) -> Option<&CardId> {
        self.open.as_ref()
    }

    /// Brings what is shown up to date with the open file and with what is known of it.
    fn refresh(&mut self, cx: &Context<'_>) {
        let subject = cx.here.and_then(|h| cx.document.subject(&h.file));
        if subject.is_none() && cx.here.is_some() {
            return;
        }
        if subject != self.subject {
            let (take, bench) = (std::mem::take(&mut self.take), std::mem::take(&mut self.bench));
            *self = State { subject: subject.clone(), take, bench, ..State::default() };
        }
        let Some(known) = subject.as_ref().and_then(|s| cx.analyses.get(s)) else { return };
        if self.data.as_ref().is_none_or(|d| d.revision != known.revision) {
            self.data = Some(Arc::new(Data::from_analysis(&known.analysis, known.revision)));
        }
        let Some(data) = self.data.clone() else { return };
        let is_there = |id: &CardId| data.set.find(id).is_some();
        if let Some(id) = self.wanted.take_if(|id| is_there(id)) {
            self.open_card(id);
        }
        // A card that is gone is closed, but not while its text cannot be read.
        if self.open.as_ref().is_some_and(|id| !is_there(id)) && data.analysis.sound {
            self.close_card();
        }
        self.chosen.take_if(|id| !is_there(id));
        self.making.take_if(|m| !is_there(&m.like));
        if let Some(id) = &self.open
            && self.opened.as_ref().is_none_or(|o| o.id != *id || o.revision != data.revision)
        {
            let opened = open_card(&data.analysis, id);
            let (revision, id) = (data.revision, id.clone());
            self.opened = opened.map(|card| Opened { revision, id, card }).or(self.opened.take());
        }
    }

    fn open_card(&mut self, id: CardId) {
        self.drafts.clear();
        self.making = None;
        self.chosen = Some(id.clone());
        self.open = Some(id);
    }

    fn close_card(&mut self) {
        (self.open, self.opened, self.take) = (None, None, true);
        self.drafts.clear();
    }

    /// The cards that the filter finds.
    fn found(&mut self) -> Arc<Found> {
        let Some(data) = &self.data else { return Arc::default() };
        let same =
            |s: &&Search| s.revision == data.revision && s.filter == self.filter && s.kind == self.kind;
        if let Some(search) = self.search.as_ref().filter(same) {
            return search.found.clone();
        }
        let found = Arc::new(data.find(&self.filter, self.kind.as_deref()));
        let (filter, kind) = (self.filter.clone(), self.kind.clone());
        self.search = Some(Search { revision: data.revision, filter, kind, found: found.clone() });
        found
    }

    /// Plans an intent on what is shown.
    fn plan_intent(&self, intent: &Intent) -> Vec<Command> {
        let Some(data) = &self.data else { return Vec::new() };
        match plan(&data.analysis, intent) {
            Ok(set) if set.is_empty() => Vec::new(),
            Ok(set) => vec![command::apply_edits(data.revision, set)],
            Err(refusal) => vec![Command::Refuse { since: data.revision, refusal }],
        }
    }

    /// Puts a copy of a card behind it, and opens it when it has been read.
    fn copy_card(&mut self, like: &CardId, title: Option<String>) -> Vec<Command> {
        let Some(data) = &self.data else { return Vec::new() };
        let name = suggest_name(&data.analysis, title.as_deref().unwrap_or(&like.name));
        let intent = Intent::CopyCard { card: like.clone(), name: name.clone(), title };
        let commands = self.plan_intent(&intent);
        if commands.iter().any(|c| matches!(c, Command::Apply { .. })) {
            self.wanted = Some(CardId { name: name.into(), ..like.clone() });
            self.making = None;
            self.filter.clear();
        }
        commands
    }

    /// Does one of its commands.
    pub fn do_act(&mut self, act: Act, cx: &Context<'_>) -> Vec<Command> {
        self.refresh(cx);
        let none = || vec![Command::Say(String::from("No card is chosen: move to one with the arrow keys"))];
        let found = self.found();
        let here = self.open.clone().or_else(|| self.chosen.clone());
        match act {
            Act::Import => return vec![Command::ChooseCards],
            Act::Export => return vec![self.export_cards()],
            Act::Filter => {
                self.close_card();
                (self.take, self.take_filter, self.import) = (false, true, None);
            }
            Act::Back => {
                if self.making.take().is_some() || self.import.take().is_some() {
                    self.take = true;
                } else if self.open.is_some() {
                    self.close_card();
                } else if !self.filter.is_empty() {
                    self.filter.clear();
                }
            }
            Act::Previous | Act::Next => {
                let Some(data) = self.data.clone() else { return Vec::new() };
                if self.open.is_none() {
                    // Among all cards the gallery answers the keys itself.
                    self.take = true;
                    return Vec::new();
                }
                let Some(here) = here else { return none() };
                match data.neighbour(&found, &here, act == Act::Next) {
                    Some(id) => self.open_card(id),
                    None => return vec![Command::Say(String::from("There is no further card"))],
                }
            }
            Act::New => {
                let first = self.data.as_ref().and_then(|d| d.list(&found).next().map(|c| c.id.clone()));
                match here.or(first) {
                    Some(like) => {
                        self.making = Some(NewCard { like, title: String::new(), take: true });
                        self.import = None;
                    }
                    None => return none(),
                }
            }
            Act::Duplicate => {
                let (Some(data), Some(id)) = (self.data.clone(), here) else { return none() };
                // A card whose title is its name gets none.
                let titled = open_card(&data.analysis, &id).and_then(|c| c.fields.first().cloned());
                let own = titled.filter(|f| f.state == houserule::ide::draw::State::Own);
                let title = own.map(|f| copy_title(&data, &f.text));
                return self.copy_card(&id, title);
            }
            Act::TryIt => {
                let Some(id) = here else { return none() };
                let shown = self.open.is_some() && self.bench.open;
                (self.bench.open, self.bench.scroll) = (!shown, !shown);
                if self.open.is_none() {
                    self.open_card(id);
                }
            }
            Act::Delete => {
                let Some(id) = here else { return none() };
                let commands = self.plan_intent(&Intent::RemoveCard { card: id.clone() });
                if commands.iter().any(|c| matches!(c, Command::Refuse { .. })) {
                    // All its uses are listed there.
                    self.open_card(id);
                }
                return commands;
            }
        }
        Vec::new()
    }

    /// Takes a match of Play as the situation in which the open card is tried.
    pub fn try_match(&mut self, played: Option<(Subject, Match)>, cx: &Context<'_>) -> Vec<Command> {
        let (Some(subject), Some(id)) = (&self.subject, &self.open) else { return Vec::new() };
        let Some((_, m)) = played.filter(|(s, _)| s == subject) else {
            return vec![Command::Say(String::from("Play has no match of this game: start one there first"))];
        };
        self.bench.take_match(cx, (subject.clone(), id.clone()), m);
        Vec::new()
    }

    /// Looks after what was begun in *Try it*, also while another pane is shown. Gives the match that is to be shown in Play, if it is there.
    pub fn poll_bench(&mut self, cx: &Context<'_>, out: &mut Vec<Command>) -> Option<Shown> {
        self.bench.poll_rest(cx, out)
    }

    /// Shows the pane, and gives what is wanted.
    pub fn ui(&mut self, ui: &mut Ui, cx: &Context<'_>) -> Vec<Command> {
        let mut out = Vec::new();
        self.refresh(cx);
        if cx.focus == Some(Pane::Cards) {
            ui.memory_mut(|m| m.focused().map(|id| m.surrender_focus(id)));
            self.take = self.open.is_none() && self.import.is_none() && !self.take_filter;
        }
        let Some(data) = self.data.clone() else {
            let next = match self.subject {
                Some(_) => "The game is being read.",
                None => "Open a game in the list on the left: its cards and tokens are shown here.",
            };
            show_empty(ui, "No cards are shown", next);
            return out;
        };
        if data.set.groups.is_empty() {
            let next = "Declare a kind in the text, such as `card Card { rank: 1..9 }`, and a card: `Card queen \"Queen\" { rank: 9 }`.";
            show_empty(ui, "No cards are shown: this game has none yet", next);
            return out;
        }
        if exchange::show_import(self, ui, &mut out) {
            return out;
        }
        self.show_new(ui, &data, &mut out);
        let shown: Option<Card> =
            self.open.as_ref().and_then(|id| data.set.find(id)).map(|(_, card)| card.clone());
        match shown {
            Some(card) => form::show_card(self, ui, cx, &card, &mut out),
            None => self.show_all(ui, cx, &data, &mut out),
        }
        out
    }

    /// The field for the title of a new card.
    fn show_new(&mut self, ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
        let Some(mut making) = self.making.take() else { return };
        let like = data.set.find(&making.like).map_or("", |(_, c)| &c.title);
        let (mut made, mut over) = (false, false);
        egui::Frame::group(ui.style()).show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                let label = ui.label(format!("New card with the text of {like}. Its title"));
                let field = egui::TextEdit::singleline(&mut making.title).desired_width(200.0);
                let r = ui.add(field).labelled_by(label.id);
                if std::mem::take(&mut making.take) {
                    r.request_focus();
                }
                let enter = r.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
                over |= r.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Escape));
                let some = !making.title.trim().is_empty();
                made = (ui.add_enabled(some, crate::style::primary_button("Make card")).clicked() || enter)
                    && some;
                over |= ui.button("Cancel").clicked();
                if some {
                    let name = suggest_name(&data.analysis, making.title.trim());
                    ui.label(format!("is called {name} in the rules"));
                }
            });
        });
        if made {
            let title = making.title.trim().to_string();
            let like = making.like.clone();
            self.making = Some(making);
            out.extend(self.copy_card(&like, Some(title)));
        } else if !over {
            self.making = Some(making);
        }
    }

    /// The filter, and all cards that it finds.
    fn show_all(&mut self, ui: &mut Ui, cx: &Context<'_>, data: &Data, out: &mut Vec<Command>) {
        ui.horizontal_wrapped(|ui| {
            let label = ui.label("Filter");
            let hint = "name, title, kind, value";
            let field = egui::TextEdit::singleline(&mut self.filter).hint_text(hint).desired_width(180.0);
            let r = ui.add(field).labelled_by(label.id);
            if std::mem::take(&mut self.take_filter) {
                r.request_focus();
            }
            // From the filter to what it finds.
            let down = ui.input(|i| i.key_pressed(egui::Key::ArrowDown));
            if r.has_focus() && down || r.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter)) {
                (self.take, self.chosen) = (true, None);
            }
            if data.set.groups.len() > 1 {
                let label = ui.label("Kind");
                let titled =
                    |k: &Arc<str>| data.set.groups.iter().find(|g| g.kind == *k).map(|g| g.title.clone());
                let shown = self.kind.as_ref().and_then(titled).unwrap_or_else(|| String::from("all kinds"));
                egui::ComboBox::from_id_salt("kind")
                    .selected_text(shown)
                    .show_ui(ui, |ui| {
                        ui.selectable_value(&mut self.kind, None, "all kinds");
                        for g in &data.set.groups {
                            ui.selectable_value(&mut self.kind, Some(g.kind.clone()), &g.title);
                        }
                    })
                    .response
                    .labelled_by(label.id);
            }
            for act in [Act::New, Act::Import, Act::Export] {
                show_button(ui, cx.keys, Command::Cards(act), true, out);
            }
        });
        let found = self.found();
        if found.count() == 0 {
            ui.add_space(20.0);
            ui.label(format!(
                "None of {} is found by “{}”.",
                count_text(data.set.count(), "card", "cards"),
                self.filter
            ));
            return;
        }
        let take = std::mem::take(&mut self.take);
        let done = gallery::show(ui, data, &found, self.chosen.as_ref(), take);
        if let Some(chosen) = done.chosen {
            self.chosen = Some(chosen);
        }
        if let Some(id) = done.opened {
            self.open_card(id);
        }
        out.extend(done.act.map(Command::Cards));
    }
}

/// A title that no card has: `Queen 2`.
fn copy_title(data: &Data, title: &str) -> String {
    let stem = title.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    let stem = if stem.is_empty() { title } else { stem };
    let taken = |t: &String| data.set.groups.iter().flat_map(|g| &g.cards).any(|c| c.title == *t);
    let mut all = (2..10_000).map(|n| format!("{stem} {n}"));
    all.find(|t| !taken(t)).unwrap_or_else(|| title.to_string())
}
