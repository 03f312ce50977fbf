//! The application: what is shown where, and the one place where commands are executed. It needs no real window: tests drive it directly.
mod asks;
mod exchange;
mod folder;
mod frame;
mod layout;
pub mod palette;
pub mod question;
mod saves;
pub mod shortcuts;
mod tour;

use crate::analyses::{self, Analyses};
use crate::command::{Act, AfterQuestion, Command};
use crate::dialogs::{Choose, Dialogs, Given};
use crate::document::{Document, Manner, Revision, Step, Subject, TextPlace};
use crate::jobs::{Job, Jobs};
use crate::keys::Keys;
use crate::panels::{Context, Pane, book, cards, draw, files, findings, measure, play, search, start, write};
use crate::settings::{Settings, Theme};
use crate::shipped::Renewal;
use crate::system::Still;
use crate::tour::Progress;
use crate::workspace::Workspace;
use houserule::ide::draw::{FieldKey, SheetId};
use houserule::ide::plan::{Intent, plan};
use houserule::ide::{EditSet, Offer, Refusal};
use question::{Ask, Palette, Shortcuts};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What each pane keeps between frames.
#[derive(Debug, Default)]
pub struct Panes {
    /// The list of files.
    pub files: files::State,
    /// Search in all files.
    pub search: search::State,
    /// The text.
    pub write: write::State,
    /// The map.
    pub draw: draw::State,
    /// The game.
    pub play: play::State,
    /// Figures of many games.
    pub measure: measure::State,
    /// The cards.
    pub cards: cards::State,
    /// The page that is shown where no file is open.
    pub start: start::State,
    /// The book of the language.
    pub book: book::State,
}

/// What is shown on the left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SideList {
    /// Games and their files.
    #[default]
    Files,
    /// Search in all files.
    Search,
    /// The history.
    History,
}

/// What was said last, and what can be done about it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Message {
    /// One sentence.
    pub text: String,
    /// What is offered.
    pub offers: Vec<Offer>,
    /// The revision of which the offers are.
    pub since: Revision,
}

/// Places that commands led to, each with the revision that it is of.
#[derive(Debug, Default)]
struct Trail {
    /// Where one was before.
    behind: Vec<(Revision, TextPlace)>,
    /// Where one went back from.
    ahead: Vec<(Revision, TextPlace)>,
}

/// The editor.
pub struct App {
    /// All texts.
    pub document: Document,
    /// What is known of them.
    pub analyses: Analyses,
    /// What a person has chosen.
    pub settings: Settings,
    /// Shortcuts.
    pub keys: Keys,
    /// What the panes keep.
    pub panes: Panes,
    /// For long work.
    pub jobs: Jobs,
    /// What was said last.
    pub message: Message,
    /// The folder that is open; none for texts that are of no folder.
    pub workspace: Option<Workspace>,
    /// Where settings, recovery and the working copy of the games are; none to keep nothing.
    pub home: Option<PathBuf>,
    /// The system's dialogs.
    pub dialogs: Box<dyn Dialogs>,
    /// Whether the system asks for reduced motion.
    pub still: Still,
    /// Questions, the first of them first.
    pub asks: VecDeque<Ask>,
    side: SideList,
    show_findings: bool,
    here: Option<(Revision, TextPlace)>,
    trail: Trail,
    /// Where a command has just led.
    arrived: Option<TextPlace>,
    /// The pane that is to have the keyboard.
    focus: Option<Pane>,
    front: Pane,
    /// The pane that has the whole window.
    alone: Option<Pane>,
    tiles: egui_tiles::Tree<Pane>,
    opening: Option<folder::Opening>,
    /// What could be renewed in the working copy, and that on its way.
    renewal: Option<Renewal>,
    renewing: Option<Job<Result<Renewal, String>>>,
    picking: Option<Job<Option<PathBuf>>>,
    save_way: Option<saves::SaveJob>,
    exchange: Option<exchange::ExchangeJob>,
    leaving: Option<AfterQuestion>,
    may_close: bool,
    settings_kept: Option<Settings>,
    keeping_settings: Option<Job<()>>,
    /// When the texts last changed.
    changed: (Revision, Duration),
    findings: Option<(Subject, Revision, Revision, Arc<findings::Data>)>,
    /// What the eyes were last set to.
    dressed: Option<(Theme, u16)>,
    composing: bool,
    /// Whether what was written last was in letters that are not Latin.
    foreign: bool,
    asked: bool,
    /// The tour that is being made, and whether one is to begin once the folder is open.
    tour: Option<Progress>,
    tour_waits: bool,
}

impl App {
    /// The editor with these texts.
    pub fn new(document: Document, settings: Settings, jobs: Jobs) -> App {
        App {
            document,
            analyses: Analyses::default(),
            keys: Keys::from_settings(&settings),
            panes: Panes::default(),
            jobs,
            message: Message::default(),
            workspace: None,
            home: None,
            dialogs: Box::new(Given::default()),
            still: Still::default(),
            asks: VecDeque::new(),
            side: SideList::default(),
            show_findings: settings.layout.findings.1,
            here: None,
            trail: Trail::default(),
            arrived: None,
            focus: None,
            front: Pane::Write,
            alone: None,
            tiles: layout::to_tiles(settings.layout.panes.as_ref()),
            opening: None,
            renewal: None,
            renewing: None,
            picking: None,
            save_way: None,
            exchange: None,
            leaving: None,
            may_close: false,
            settings_kept: None,
            keeping_settings: None,
            changed: (Revision::default(), Duration::ZERO),
            findings: None,
            dressed: None,
            composing: false,
            foreign: false,
            asked: false,
            tour: None,
            tour_waits: false,
            settings,
        }
    }

    /// The open file and what is selected in it, in the present text.
    pub fn here(&self) -> Option<&TextPlace> {
        self.here.as_ref().map(|(_, p)| p)
    }

    /// The pane that has the keyboard.
    pub fn front(&self) -> Pane {
        self.front
    }

    /// The game of the open file.
    pub fn subject(&self) -> Option<Subject> {
        self.document.subject(&self.here()?.file)
    }

    /// Looks after what is done beside the frames. Called before each.
    pub fn poll_jobs(&mut self) {
        self.poll_folder();
        self.poll_saves();
        self.poll_exchange();
        // What was begun in a pane comes to its end, whichever is shown by then.
        self.run_in_panes(|panes, cx| {
            let mut done = panes.search.poll_jobs(cx);
            panes.play.poll_made_test(cx, &mut done);
            panes.measure.poll_run(cx);
            if let Some(shown) = panes.measure.take_shown(&mut done) {
                done.extend(panes.play.show_match(shown));
            }
            if let Some(shown) = panes.cards.poll_bench(cx, &mut done) {
                done.extend(panes.play.show_match(shown));
            }
            done
        });
        let wanted: Vec<Subject> = self.subject().into_iter().collect();
        for failed in self.analyses.poll_jobs(&self.document, &wanted, &self.jobs) {
            self.set_message(format!("{failed}. {}", analyses::NEXT));
        }
        // The set-ups take longer than the check, so they are tried where somebody reads the findings.
        let tried = if self.show_findings { &wanted[..] } else { &[] };
        for subject in tried {
            if let Some(failed) = self.analyses.try_setups(&self.document, subject, &self.jobs) {
                self.set_message(format!("{failed}. {}", analyses::NEXT));
            }
        }
        self.update_findings();
        self.poll_tour();
    }

    /// What is wrong with the game of the open file; none before it was checked.
    pub fn findings(&self) -> Option<Arc<findings::Data>> {
        let subject = self.subject()?;
        self.findings.as_ref().filter(|(s, ..)| *s == subject).map(|(.., data)| data.clone())
    }

    fn update_findings(&mut self) {
        let Some(subject) = self.subject() else {
            self.findings = None;
            return;
        };
        let Some(known) = self.analyses.get(&subject) else { return };
        let now = (known.revision, self.document.revision());
        let tried = known.unplayable.is_some();
        if !self
            .findings
            .as_ref()
            .is_some_and(|(s, a, d, f)| *s == subject && (*a, *d) == now && f.tried == tried)
        {
            let data = Arc::new(findings::Data::from_known(&self.document, known));
            self.findings = Some((subject, now.0, now.1, data));
        }
    }

    /// Does what a command says. This is the only place where anything is done.
    pub fn carry_out(&mut self, command: Command) {
        match command {
            Command::Do(act) => self.do_act(act),
            Command::Write(act) => self.run_in_panes(|panes, cx| panes.write.do_act(act, cx)),
            Command::Draw(act) => self.run_in_panes(|panes, cx| panes.draw.do_act(act, cx)),
            Command::Play(act) => self.run_in_panes(|panes, cx| panes.play.do_act(act, cx)),
            Command::AskPlay(request) => self.run_in_panes(|panes, cx| panes.play.do_request(request, cx)),
            Command::AskMeasure(request) => {
                self.run_in_panes(|panes, cx| panes.measure.do_request(request, cx))
            }
            Command::Measure(act) => self.run_in_panes(|panes, cx| panes.measure.do_act(act, cx)),
            Command::Cards(act) => self.run_in_panes(|panes, cx| panes.cards.do_act(act, cx)),
            Command::TryMatch => self.run_in_panes(|panes, cx| {
                let played = panes.play.fork_match();
                panes.cards.try_match(played, cx)
            }),
            Command::Apply { since, set, manner } => self.apply_edits(since, set, manner),
            Command::Create { label, name, text } => match self.document.add(&label, name.clone(), text) {
                Ok(_) => {
                    self.go_to(TextPlace::new(name, 0..0));
                    self.set_message(label);
                }
                Err(refusal) => self.show_refusal(refusal),
            },
            Command::AskMove(name) => {
                // Its game is read meanwhile.
                if self.open_file().as_ref() != Some(&name) {
                    self.go_to(TextPlace::new(name.clone(), 0..0));
                }
                let (to, title) =
                    (name.to_string(), self.only_scenario_of(&name).map(|(_, t)| (t.clone(), t)));
                self.queue_question(Ask::Move { name, to, title });
            }
            Command::Move { name, to, title } => self.move_file(&name, to, title),
            Command::Remove(name) => self.remove_file(&name),
            Command::Refuse { since, refusal } => self.refuse_since(since, refusal),
            Command::GoTo(place) => self.go_to(place),
            Command::Selected(place) => self.here = Some((self.document.revision(), place)),
            Command::Show(pane) => self.show_pane(pane),
            Command::ShowAlone(pane) => {
                self.show_pane(pane);
                self.alone = Some(pane);
            }
            Command::ShowAll => self.alone = None,
            Command::Say(text) => self.set_message(text),
            Command::ShowBook(place) => self.panes.book.open(place),
            Command::Travel(done) => {
                let now = self.document.history().done.len();
                for _ in done..now {
                    self.undo_or_redo(true);
                }
                for _ in now..done {
                    self.undo_or_redo(false);
                }
            }
            Command::Open(path) => self.want_open(path),
            Command::OpenShipped => self.open_shipped(),
            Command::Browse => {
                let start = self.workspace.as_ref().map(|w| w.root.clone());
                let (title, what) = ("Open a folder of games", Choose::Folder);
                self.picking = Some(self.dialogs.ask(&self.jobs, title, what, start.as_deref()));
            }
            Command::SaveMatch { name, text } => self.save_text(saves::What::Match, &name, text),
            Command::SaveTable { name, text } => self.save_text(saves::What::Table, &name, text),
            Command::SaveCards { name, text } => self.save_text(saves::What::Cards, &name, text),
            Command::ChooseCards => self.choose_cards(),
            Command::Pace(pace) => self.settings.pace = pace,
            Command::KeepStamps(stamps) => self.settings.stamps = stamps,
            Command::LoadMatch => self.load_match(),
            Command::ChooseMap => self.choose_map(),
            Command::ExportMap { format, name } => self.export_map(format, &name),
            Command::KeepMine { name, now } => self.keep_mine(&name, now),
            Command::TakeOther { name, now } => self.take_other(&name, now),
            Command::Recover(kept) => self.recover_files(kept),
            Command::Renew => self.renew_copy(),
            Command::ForgetRecovery => {
                if let Some(workspace) = &mut self.workspace {
                    workspace.keep_again();
                }
            }
            Command::Leave { then, save } => self.leave_folder(then, save),
            Command::SetShortcut { id, text } => {
                match text {
                    Some(text) => self.settings.shortcuts.insert(id.to_string(), text),
                    None => self.settings.shortcuts.remove(id),
                };
                self.keys = Keys::from_settings(&self.settings);
            }
        }
    }

    /// Lets a pane do something, and carries out the commands that it gives back.
    fn run_in_panes(&mut self, f: impl FnOnce(&mut Panes, &Context) -> Vec<Command>) {
        for command in self.with_panes(None, None, |panes, _, cx| f(panes, cx)) {
            self.carry_out(command);
        }
    }

    /// Calls a function with the panes, their tiles, and what they see: the one place where a [`Context`] is made.
    fn with_panes<R>(
        &mut self,
        arrived: Option<&TextPlace>,
        focus: Option<Pane>,
        f: impl FnOnce(&mut Panes, &mut egui_tiles::Tree<Pane>, &Context) -> R,
    ) -> R {
        let here = self.here.as_ref().map(|(_, p)| p);
        let drawn = self.panes.draw.drawn_setup(here);
        let folder = self.workspace.as_ref().map(|w| w.root.to_string_lossy());
        let cx = Context {
            document: &self.document,
            analyses: &self.analyses,
            settings: &self.settings,
            keys: &self.keys,
            here,
            arrived,
            focus,
            front: self.front,
            drawn: drawn.as_ref(),
            jobs: &self.jobs,
            folder: folder.as_deref(),
            renewal: self.renewal.as_ref(),
        };
        f(&mut self.panes, &mut self.tiles, &cx)
    }

    fn do_act(&mut self, act: Act) {
        match act {
            Act::Undo => self.undo_or_redo(true),
            Act::Redo => self.undo_or_redo(false),
            Act::Palette => self.queue_question(Ask::Palette(Palette::new(false))),
            Act::GoToFile => self.queue_question(Ask::Palette(Palette::new(true))),
            Act::Save => {
                let file = self.open_file();
                // Of a file that has a new name the old one goes with it.
                let new = file.as_ref().is_some_and(|f| self.document.saved_text(f).is_none());
                let gone =
                    self.document.dirty_files().iter().filter(|f| new && self.document.text(f).is_none());
                let all = file.iter().chain(gone).cloned().collect();
                self.save_files(all);
            }
            Act::SaveAll => self.save_files(self.document.dirty_files().iter().cloned().collect()),
            Act::Autosave => {
                self.settings.autosave = !self.settings.autosave;
                let on = if self.settings.autosave { "on" } else { "off" };
                self.set_message(format!("Saving by itself is {on}"));
            }
            Act::Motion => {
                let moves = !self.settings.has_motion();
                self.settings.moves = Some(moves);
                let on = if moves { "on" } else { "off" };
                self.set_message(format!("Motion is {on}"));
            }
            Act::OpenFolder => self.queue_question(Ask::Folder(String::new())),
            Act::NewGame => self.queue_question(Ask::NewGame { title: String::new(), template: 0 }),
            Act::NewScenario => {
                let own = self.subject().map(|s| s.game);
                let from = self.open_file().filter(|f| f.ends_with(".scenario"));
                match own.or_else(|| self.document.games().games.first().map(|g| g.file.clone())) {
                    Some(game) => self.queue_question(Ask::NewScenario { game, title: String::new(), from }),
                    None => self.set_message(String::from("There is no game yet: make one with New game")),
                }
            }
            Act::MoveFile => {
                if let Some(name) = self.open_file() {
                    self.carry_out(Command::AskMove(name));
                }
            }
            Act::RemoveFile => {
                if let Some(file) = self.open_file() {
                    self.remove_file(&file);
                }
            }
            Act::Close => self.want_leave(AfterQuestion::Close),
            Act::ShowStart => {
                self.here = None;
                self.show_pane(Pane::Write);
            }
            Act::ShowWrite => self.show_or_fill(Pane::Write),
            Act::ShowDraw => self.show_or_fill(Pane::Draw),
            Act::ShowPlay => self.show_or_fill(Pane::Play),
            Act::ShowMeasure => self.show_or_fill(Pane::Measure),
            Act::ShowCards => self.show_or_fill(Pane::Cards),
            Act::NextPane => {
                let at = Pane::ALL.iter().position(|p| *p == self.front).unwrap_or(0);
                self.show_pane(Pane::ALL.get(at + 1).copied().unwrap_or(Pane::Write));
            }
            Act::ShowFiles => {
                self.side = SideList::Files;
                self.panes.files.focus = true;
            }
            Act::ShowSearch => {
                self.side = SideList::Search;
                self.panes.search.focus = true;
            }
            Act::ShowHistory => self.side = SideList::History,
            Act::ShowFindings => self.show_findings = !self.show_findings,
            Act::NextFinding => self.show_finding(true),
            Act::PreviousFinding => self.show_finding(false),
            Act::Back => self.walk_places(true),
            Act::Forward => self.walk_places(false),
            Act::Theme => {
                self.settings.theme = match self.settings.theme {
                    Theme::Dark => Theme::Light,
                    Theme::Light | Theme::System => Theme::Dark,
                };
            }
            Act::ZoomIn => self.set_zoom(self.settings.zoom.saturating_add(10)),
            Act::ZoomOut => self.set_zoom(self.settings.zoom.saturating_sub(10)),
            Act::ZoomReset => self.set_zoom(100),
            Act::Book => self.panes.book.open(crate::book::words_page()),
            Act::Tour => self.begin_tour(true),
            Act::SkipStep => self.skip_tour_step(),
            Act::EndTour => self.tour = None,
            Act::Shortcuts => self.queue_question(Ask::Shortcuts(Shortcuts::default())),
        }
    }

    fn set_zoom(&mut self, percent: u16) {
        self.settings.zoom = percent.clamp(50, 300);
        self.set_message(format!("Size {} %", self.settings.zoom));
    }

    /// Says something in the status bar and to screen readers.
    pub fn set_message(&mut self, text: String) {
        self.message = Message { text, ..Message::default() };
    }

    /// Asks a question, unless it is being asked already.
    pub fn queue_question(&mut self, ask: Ask) {
        if !self.asks.contains(&ask) {
            self.asks.push_back(ask);
        }
    }

    fn show_finding(&mut self, forward: bool) {
        let data = self.findings();
        let found = data.as_ref().and_then(|d| d.next_from(self.here(), forward)).cloned();
        match found {
            Some(f) => {
                self.go_to(f.place);
                self.show_pane(Pane::Write);
                self.set_message(f.message);
            }
            None => self.set_message(String::from(match data.is_some_and(|d| d.tried) {
                true => "Nothing is wrong with this game",
                false => {
                    "Nothing is wrong with the text of this game; the list of findings tries its set-ups, too"
                }
            })),
        }
    }

    /// Back and forward through the places that commands led to.
    fn walk_places(&mut self, back: bool) {
        let (from, to) = match back {
            true => (&mut self.trail.behind, &mut self.trail.ahead),
            false => (&mut self.trail.ahead, &mut self.trail.behind),
        };
        // What is in files that are gone by now is no place to go to.
        let place = loop {
            match from.pop() {
                Some((_, place)) if self.document.text(&place.file).is_none() => {}
                other => break other,
            }
        };
        let Some((revision, place)) = place else { return };
        to.extend(self.here.take());
        let range = self.document.follow_range(revision, &place.file, place.range).range;
        self.note_arrival(TextPlace::new(place.file, range));
    }

    fn apply_edits(&mut self, since: Revision, set: EditSet, manner: Manner) {
        let label = set.label.clone();
        match self.document.apply_since(since, set, manner) {
            Ok(_) => {
                if manner == Manner::Step {
                    self.set_message(label);
                }
                self.follow_selection();
            }
            Err(refusal) => self.show_refusal(refusal),
        }
    }

    /// Undo and redo: they say what they did and lead there.
    fn undo_or_redo(&mut self, back: bool) {
        let step = if back { self.document.undo() } else { self.document.redo() };
        let text = match &step {
            Some(step) if back => format!("Taken back: {}", step.describe()),
            Some(step) => format!("Done again: {}", step.describe()),
            None if back => String::from("There is nothing to take back"),
            None => String::from("There is nothing to do again"),
        };
        self.set_message(text);
        self.follow_selection();
        if let Some(place) = step.and_then(|s: Step| s.place)
            && self.document.text(&place.file).is_some()
        {
            self.note_arrival(place);
        }
    }

    /// Takes a file away, as a step; if it was open, what was open before it is.
    fn remove_file(&mut self, file: &Arc<str>) {
        match self.document.remove(&format!("remove {file}"), file) {
            Ok(_) => self.set_message(format!("{file} is removed; saving removes it from the disk")),
            Err(refusal) => return self.show_refusal(refusal),
        }
        self.follow_selection();
    }

    /// The word and title of the scenario of a file that holds nothing but one.
    fn only_scenario_of(&self, file: &str) -> Option<(Arc<str>, String)> {
        let games = self.document.games().games.iter();
        let mut all = games.flat_map(|g| &g.scenarios).filter(|(_, _, f)| **f == *file);
        let (word, title, _) = all.next()?;
        all.next().is_none().then(|| (word.clone(), title.to_string()))
    }

    /// Gives a file another name, and its scenario another title, as one step; who names it follows, and so does what is open.
    fn move_file(&mut self, name: &Arc<str>, to: Arc<str>, title: Option<String>) {
        let now = self.document.revision();
        let edits = match self.rename_uses(name, &to, title.as_deref()) {
            Ok(edits) => edits,
            Err(refusal) => {
                // What is offered is of the texts that were checked.
                let since = self.analyses.of_file(&self.document, name).map_or(now, |k| k.revision);
                return self.refuse_since(since, refusal);
            }
        };
        let called = title.as_deref().unwrap_or(&to);
        if *name == to {
            let done = EditSet::new(format!("call {name} {called}"), edits)
                .map_err(|_| Refusal::with_reason(format!("two changes of {name} are in the same place")));
            return match done {
                Ok(set) => self.apply_edits(self.document.revision(), set, Manner::Step),
                Err(refusal) => self.show_refusal(refusal),
            };
        }
        if let Err(refusal) = self.document.rename(&format!("call {name} {to}"), name, to.clone(), edits) {
            return self.show_refusal(refusal);
        }
        self.set_message(match self.document.subject(&to) {
            Some(_) => format!("{name} is now called {to}; saving renames it on the disk"),
            None => format!("{name} is now called {to}, and belongs to no game there"),
        });
        self.settings.rename_file(name, &to);
        self.panes.write.note_renamed(name, &to);
        if let Some((_, here)) = self.here.as_mut().filter(|(_, h)| h.file == *name) {
            here.file = to.clone();
            let place = here.clone();
            self.note_arrival(place);
        }
        self.follow_selection();
    }

    /// The edits by which the rules name a file by its new name, and its scenario has its new title, in the present texts.
    fn rename_uses(
        &self,
        name: &Arc<str>,
        to: &str,
        title: Option<&str>,
    ) -> Result<Vec<houserule::ide::Edit>, Refusal> {
        let Some(known) = self.analyses.of_file(&self.document, name) else {
            // What it is called in other files is not known before its game has been read.
            let named = title.is_some() || name.ends_with(".rhai");
            return match self.document.subject(name) {
                Some(_) if named => Err(Refusal::with_reason(format!("{name} is being checked: try again"))),
                _ => Ok(Vec::new()),
            };
        };
        let mut edits = houserule::ide::rename_file(&known.analysis, name, to)?;
        if let (Some(title), Some((word, _))) = (title, self.only_scenario_of(name)) {
            let (sheet, field) = (SheetId::Scenario(word), FieldKey::Title);
            let set = plan(&known.analysis, &Intent::SetField { sheet, field, text: title.to_string() })?;
            edits.extend(set.edits().iter().cloned());
        }
        for e in &mut edits {
            let Some(range) = self.document.move_range(known.revision, &e.file, e.range.clone()) else {
                return Err(Refusal::with_reason(format!(
                    "{} is being checked: try again in a moment",
                    e.file
                )));
            };
            e.range = range;
        }
        Ok(edits)
    }

    /// Tells a refusal that is of the present texts.
    fn show_refusal(&mut self, refusal: Refusal) {
        self.refuse_since(self.document.revision(), refusal);
    }

    /// Tells a refusal: what it offers stands there until something else is said, and is carried out on the texts as they are then.
    fn refuse_since(&mut self, since: Revision, refusal: Refusal) {
        self.message = Message { text: refusal.why, offers: refusal.offers, since };
    }

    fn go_to(&mut self, place: TextPlace) {
        if self.here().is_some_and(|h| *h != place) {
            self.trail.behind.extend(self.here.clone());
            self.trail.ahead.clear();
        }
        self.note_arrival(place);
    }

    fn note_arrival(&mut self, place: TextPlace) {
        let Some(text) = self.document.text(&place.file) else {
            self.set_message(format!("There is no file {}", place.file));
            return;
        };
        let end = place.range.end.min(text.len());
        let place = TextPlace::new(place.file, place.range.start.min(end)..end);
        self.settings.note_file(&place.file);
        self.here = Some((self.document.revision(), place.clone()));
        self.arrived = Some(place);
        // A place in a text is to be seen.
        self.alone = self.alone.filter(|p| *p == Pane::Write);
    }

    /// Moves the selection with what was changed before it.
    fn follow_selection(&mut self) {
        if let Some((revision, place)) = &mut self.here {
            if self.document.text(&place.file).is_none() {
                return self.leave_gone();
            }
            place.range = self.document.follow_range(*revision, &place.file, place.range.clone()).range;
            *revision = self.document.revision();
        }
    }

    /// The open file is gone: the one that was open before it is, else the first.
    fn leave_gone(&mut self) {
        self.here = None;
        while let Some((revision, place)) = self.trail.behind.pop() {
            if self.document.text(&place.file).is_some() {
                let range = self.document.follow_range(revision, &place.file, place.range).range;
                return self.note_arrival(TextPlace::new(place.file, range));
            }
        }
        self.open_first();
    }

    /// Brings a pane to the front; one that is there gets the whole window, or gives it back.
    fn show_or_fill(&mut self, pane: Pane) {
        let again = self.front == pane;
        self.show_pane(pane);
        if again {
            self.alone = if self.alone.is_none() { Some(pane) } else { None };
        }
    }

    fn show_pane(&mut self, pane: Pane) {
        self.alone = self.alone.filter(|p| *p == pane);
        self.tiles.make_active(|_, tile| matches!(tile, egui_tiles::Tile::Pane(p) if *p == pane));
        self.front = pane;
        self.focus = Some(pane);
    }

    /// Opens the first file of a game at the first start.
    pub fn open_first(&mut self) {
        let first = self.document.games().games.first().map(|g| g.file.clone());
        if let Some(file) = first.or_else(|| self.document.names().next().cloned()) {
            self.go_to(TextPlace::new(file, 0..0));
        }
    }

    /// The open file's name.
    pub fn open_file(&self) -> Option<Arc<str>> {
        self.here().map(|p| p.file.clone())
    }
}
