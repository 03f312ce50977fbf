//! Play: the game of the open file, played on a copy of its texts.
mod act;
mod bar;
pub mod data;
mod setup;
mod side;
mod table;

use crate::analyses::Known;
use crate::command::Command;
use crate::document::{Manner, Place, Revision, Subject};
use crate::jobs::{Job, Jobs};
use crate::panels::{Context, Pane, empty};
use crate::play::made::{Made, make_test};
use crate::play::session::{BotAnswer, NoStart};
use crate::play::why::{Why, why_not};
use crate::play::{Begin, Form, Session, Start};
pub use act::{Act, Want};
use data::Data;
use egui::{Key, Ui};
use houserule::ide::Refusal;
use houserule::lab::record::Wish;
use houserule::play::{Game, Illegal, Spot};
use houserule::text::Files;
use std::path::PathBuf;

/// A game that was loaded from the texts.
struct Loaded {
    subject: Subject,
    revision: Revision,
    game: Result<(Game, Files), Vec<String>>,
}

/// A playtest with what it was started from.
struct Playing {
    subject: Subject,
    /// The texts' revision that it is of.
    revision: Revision,
    session: Session,
    data: Data,
}

/// A file that is written or read.
enum Filing {
    Saving(Job<Result<(), String>>, String),
    Loading(Job<Option<String>>, String),
}

/// A game with its files, or what is wrong with it.
type Read = Result<(Game, Files), Vec<String>>;
/// A session, or why there is none.
type Begun = Result<Session, NoStart>;

/// What Play keeps between frames.
#[derive(Default)]
pub struct State {
    filled: setup::Filled,
    form: Option<(Subject, Revision, setup::Filled, Form)>,
    loaded: Option<Loaded>,
    loading: Option<(Subject, Revision, Job<Read>)>,
    starting: Option<(Subject, Revision, Job<Begun>)>,
    playing: Option<Playing>,
    thinking: Option<Job<BotAnswer>>,
    /// The game that is to be started as soon as it has been read.
    soon: Option<Subject>,
    making: Option<(Revision, Job<Result<Made, String>>)>,
    filing: Option<Filing>,
    /// The file field, if it is open, and whether it is for saving.
    asking_file: Option<(bool, String)>,
    why: Option<Why>,
    cursor: Option<Spot>,
    /// From where each map is looked at, and which map is shown.
    views: std::collections::BTreeMap<usize, crate::canvas::View>,
    map: usize,
    typed: String,
    mark: String,
    details: bool,
    paused: bool,
    stay: bool,
    focus_field: bool,
    wrong: Vec<String>,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "State {{ playing: {} }}", self.playing.is_some())
    }
}

/// So many bots' answers are taken in one frame, if they are there at once.
const AT_ONCE: usize = 12;

impl State {
    /// The playtest, for tests.
    pub fn session(&mut self) -> Option<&mut Session> {
        self.playing.as_mut().map(|p| &mut p.session)
    }

    /// What is shown of it, for tests.
    pub fn data(&self) -> Option<&Data> {
        self.playing.as_ref().map(|p| &p.data)
    }

    /// Starts a game as soon as it has been read; one that is being played ends.
    pub fn start_soon(&mut self, subject: Subject) {
        self.playing = None;
        self.thinking = None;
        self.starting = None;
        self.why = None;
        self.soon = Some(subject);
    }

    /// Makes what is shown anew.
    pub fn refresh(&mut self) {
        if let Some(p) = &mut self.playing {
            p.data = Data::of(&mut p.session);
        }
    }

    /// Shows the pane, and gives what is wanted.
    pub fn ui(&mut self, ui: &mut Ui, cx: &Context) -> Vec<Command> {
        let mut out = Vec::new();
        self.tend(cx, &mut out);
        let mut wants = Vec::new();
        // Whoever turns to the game does not go on writing elsewhere: its keys are heard where nobody writes.
        if cx.focus == Some(Pane::Play) {
            ui.memory_mut(|m| m.focused().map(|id| m.surrender_focus(id)));
        }
        if self.playing.is_some() {
            self.keys(ui, cx, &mut wants);
            self.show(ui, cx, &mut wants);
        } else {
            self.show_form(ui, cx, &mut wants);
        }
        for want in wants {
            self.want(want, cx, &mut out);
        }
        if self.thinking.is_none()
            && !self.paused
            && self.playing.as_ref().is_some_and(|p| p.session.bot_is_asked())
        {
            ui.ctx().request_repaint();
        }
        out
    }

    /// Does one of its commands. What that means for texts comes back.
    pub fn act(&mut self, act: Act, cx: &Context) -> Vec<Command> {
        let mut out = Vec::new();
        let step = self.playing.as_ref().map_or((0, 0), |p| p.data.step);
        match act {
            Act::Start => {
                self.start(cx);
                out.push(Command::Show(Pane::Play));
            }
            Act::Stop => {
                self.playing = None;
                self.thinking = None;
                self.why = None;
            }
            Act::TakeBack => {
                if let Some(p) = &mut self.playing {
                    let back = p.session.undo();
                    p.session.turn_to_asked();
                    out.push(Command::Say(String::from(if back {
                        "Taken back"
                    } else {
                        "There is nothing to take back"
                    })));
                }
            }
            Act::Earlier => self.want(Want::Scrub(step.0.saturating_sub(1)), cx, &mut out),
            Act::Later => self.want(Want::Scrub(step.0 + 1), cx, &mut out),
            Act::Fork => self.want(Want::Fork, cx, &mut out),
            Act::Pause => {
                self.paused = !self.paused;
                out.push(Command::Say(String::from(if self.paused { "Bots wait" } else { "Bots go on" })));
            }
            Act::NextView => {
                if let Some(p) = &mut self.playing {
                    let next = (p.session.view_as() + 1) % p.session.m().seats().max(1);
                    p.session.set_view_as(next);
                    self.why = None;
                }
            }
            Act::WhyNot => match self.cursor {
                Some(spot) => self.want(Want::WhyNot(spot), cx, &mut out),
                None => out.push(Command::Say(String::from(
                    "Move the cursor with the arrow keys to what it is about",
                ))),
            },
            Act::MakeTest => self.want(Want::MakeTest(None), cx, &mut out),
            Act::TypeChoice => self.focus_field = true,
            Act::Save | Act::Load => {
                let name =
                    self.playing.as_ref().map_or("match", |p| p.session.m().game().name()).to_lowercase();
                self.asking_file = Some((act == Act::Save, format!("{name}.save")));
            }
        }
        self.refresh();
        out
    }

    // ── What goes on beside the frames ───────────────────────────────────────────────────────────────────

    fn subject(&self, cx: &Context) -> Option<Subject> {
        cx.here.and_then(|h| cx.document.subject(&h.file))
    }

    /// Takes what jobs have made, and starts what is wanted.
    fn tend(&mut self, cx: &Context, out: &mut Vec<Command>) {
        self.tend_game(cx);
        self.tend_soon(cx);
        if let Some((subject, revision, job)) = &mut self.starting
            && let Some(started) = job.poll()
        {
            let (subject, revision) = (subject.clone(), *revision);
            self.starting = None;
            match started {
                Ok(mut session) => {
                    session.turn_to_asked();
                    self.wrong =
                        session.parted.iter().map(|p| format!("It parts from what was saved {p}")).collect();
                    let data = Data::of(&mut session);
                    self.playing = Some(Playing { subject, revision, session, data });
                    self.typed.clear();
                    self.why = None;
                    self.cursor = None;
                    self.views.clear();
                    self.thinking = None;
                }
                Err(e) => self.wrong = e.told,
            }
        }
        self.tend_bots(cx.jobs);
        if let Some((revision, job)) = &mut self.making
            && let Some(made) = job.poll()
        {
            let since = *revision;
            self.making = None;
            match made {
                Ok(made) => {
                    let notes = made.test.notes.join("; ");
                    let place = Place::new(made.test.file.as_str(), {
                        let at = made.test.at;
                        at + made.test.title_at.start..at + made.test.title_at.end
                    });
                    let label = made.edits.label.clone();
                    out.push(Command::Apply { since, set: made.edits, manner: Manner::Step });
                    out.push(Command::GoTo(place));
                    let notes = if notes.is_empty() { String::new() } else { format!(" – {notes}") };
                    out.push(Command::Say(format!("{label}: it passes{notes}")));
                }
                Err(why) => out.push(Command::Refuse(Refusal::because(format!("No test: {why}")))),
            }
        }
        self.tend_files(cx, out);
    }

    /// Loads the game of the open file when its texts have changed and nothing is wrong with them.
    fn tend_game(&mut self, cx: &Context) {
        if let Some((subject, revision, job)) = &mut self.loading
            && let Some(game) = job.poll()
        {
            self.loaded = Some(Loaded { subject: subject.clone(), revision: *revision, game });
            self.loading = None;
        }
        if self.playing.is_some() || self.loading.is_some() {
            return;
        }
        let Some(subject) = self.subject(cx) else { return };
        let touched = cx.document.touched_of(&subject);
        if self.loaded.as_ref().is_some_and(|l| l.subject == subject && l.revision >= touched) {
            return;
        }
        let known: Option<&Known> = cx.analyses.get(&subject);
        if !known.is_some_and(|k| k.analysis.sound && cx.analyses.fresh(cx.document, &subject)) {
            return;
        }
        let (files, revision) = (cx.document.files(&subject), cx.document.revision());
        if self.loaded.as_ref().is_none_or(|l| l.subject != subject) {
            self.filled = setup::Filled::default();
        }
        // A scenario's file is opened to be played.
        if let (Some(here), Some(known)) = (cx.here, known) {
            let scopes = known.analysis.model.scopes.iter();
            let own = scopes
                .filter(|s| s.kind == houserule::model::hir::ScopeKind::Scenario)
                .find(|s| known.analysis.files.get(s.span.file).is_some_and(|f| *f.name == *here.file));
            if let Some(own) = own.filter(|_| here.file.ends_with(".scenario")) {
                self.filled.scenario = Some(own.name.to_string());
            }
        }
        let job = cx.jobs.start(move |_| {
            Game::load_with_files(&files).map(|game| (game, files)).map_err(|(files, r)| {
                r.findings.iter().map(|d| format!("{}: {}", files.place(d.at.span), d.message)).collect()
            })
        });
        self.loading = Some((subject, revision, job));
    }

    fn tend_bots(&mut self, jobs: &Jobs) {
        for _ in 0..AT_ONCE {
            let Some(p) = &mut self.playing else { return };
            if let Some(job) = &mut self.thinking {
                let Some(answer) = job.poll() else { return };
                self.thinking = None;
                match p.session.bot_answer(answer) {
                    Ok(true) => {
                        if !self.stay {
                            p.session.turn_to_asked();
                        }
                        p.data = Data::of(&mut p.session);
                    }
                    Ok(false) => {}
                    Err(e) => {
                        self.wrong = vec![told(&p.session, &e)];
                        self.paused = true;
                    }
                }
            }
            if self.paused {
                return;
            }
            let Some(p) = &mut self.playing else { return };
            let Some(task) = p.session.bot_task() else { return };
            self.thinking = Some(jobs.start(move |_| task.run()));
        }
    }

    fn tend_files(&mut self, cx: &Context, out: &mut Vec<Command>) {
        match &mut self.filing {
            Some(Filing::Saving(job, name)) => {
                let Some(done) = job.poll() else { return };
                out.push(Command::Say(match done {
                    Ok(()) => format!("Saved to {name}; `houserule replay {name}` shows it"),
                    Err(e) => format!("Not saved: {e}"),
                }));
                self.filing = None;
            }
            Some(Filing::Loading(job, name)) => {
                let Some(text) = job.poll() else { return };
                let name = name.clone();
                self.filing = None;
                match text {
                    Some(text) => self.begin(cx, Start { begin: Begin::Saved(text), ..Start::default() }),
                    None => out.push(Command::Say(format!("{name} cannot be read"))),
                }
            }
            None => {}
        }
    }

    fn start(&mut self, cx: &Context) {
        if let Some(p) = &mut self.playing {
            // Once more, of the texts as they are now.
            let subject = p.subject.clone();
            let known = self
                .loaded
                .as_ref()
                .is_some_and(|l| l.subject == subject && l.revision >= cx.document.touched_of(&subject));
            if !known {
                self.playing = None;
                self.thinking = None;
                self.tend_game(cx);
                self.tend_game(cx);
            }
        }
        let Some((.., form)) = self.form_of() else {
            self.soon = self.subject(cx);
            return;
        };
        let start = self.filled.start(&form);
        self.begin(cx, start);
    }

    /// Starts the game that is wanted, if it has been read by now.
    fn tend_soon(&mut self, cx: &Context) {
        let Some(wanted) = &self.soon else { return };
        if self.subject(cx).as_ref() != Some(wanted) {
            self.soon = None;
            return;
        }
        let read = self.loaded.as_ref().filter(|l| {
            l.subject == *wanted && l.revision >= cx.document.touched_of(wanted) && self.loading.is_none()
        });
        if let Some(read) = read {
            let sound = read.game.is_ok();
            self.soon = None;
            if sound {
                self.start(cx);
            }
        }
    }

    fn begin(&mut self, cx: &Context, start: Start) {
        let Some(Loaded { subject, revision, game: Ok((game, files)) }) = &self.loaded else { return };
        let (game, files) = (game.clone(), files.clone());
        self.wrong.clear();
        let job = cx.jobs.start(move |_| Session::start(&game, &files, &start));
        self.starting = Some((subject.clone(), *revision, job));
    }

    /// The form as it is filled in, worked out anew where that has changed.
    fn form_of(&mut self) -> Option<(Subject, Form)> {
        let Loaded { subject, revision, game: Ok((game, _)) } = self.loaded.as_ref()? else { return None };
        let known = self
            .form
            .as_ref()
            .is_some_and(|(s, r, filled, _)| (s, r, filled) == (subject, revision, &self.filled));
        if !known {
            let rough = Form { mods: Vec::new(), ..Form::default() };
            let first = self
                .form
                .as_ref()
                .filter(|(s, r, ..)| (s, r) == (subject, revision))
                .map(|(.., f)| f.clone());
            let first = first.unwrap_or_else(|| Form::of(game, &self.filled.setup(&rough)));
            let form = Form::of(game, &self.filled.setup(&first));
            self.form = Some((subject.clone(), *revision, self.filled.clone(), form));
        }
        self.form.as_ref().map(|(s, _, _, f)| (s.clone(), f.clone()))
    }

    // ── What is shown ────────────────────────────────────────────────────────────────────────────────────

    fn show_form(&mut self, ui: &mut Ui, cx: &Context, wants: &mut Vec<Want>) {
        let Some(subject) = self.subject(cx) else {
            empty(
                ui,
                "No game is being played",
                "Open a game or a scenario in the list on the left, then start it here.",
            );
            return;
        };
        if self.loaded.as_ref().is_none_or(|l| l.subject != subject) {
            let sound = cx.analyses.get(&subject).map(|k| k.analysis.sound);
            match sound {
                Some(false) => empty(
                    ui,
                    "This game cannot be played yet",
                    "Something is wrong with it: the list of findings says what.",
                ),
                _ => empty(ui, "One moment", "The game is being read."),
            }
            return;
        }
        if let Some(Loaded { game: Err(wrong), .. }) = &self.loaded {
            empty(ui, "This game cannot be played yet", wrong.first().map_or("", String::as_str));
            return;
        }
        let Some((_, form)) = self.form_of() else { return };
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            for wrong in &self.wrong {
                ui.colored_label(ui.visuals().error_fg_color, wrong);
            }
            if setup::ui(ui, &mut self.filled, &form) {
                wants.push(Want::Act(Act::Start));
            }
            if ui.link("Go on with a saved match …").clicked() {
                wants.push(Want::Act(Act::Load));
            }
            self.file_field(ui, cx);
        });
    }

    fn show(&mut self, ui: &mut Ui, cx: &Context, wants: &mut Vec<Want>) {
        egui::Panel::top("play top").show(ui, |ui| self.top(ui, cx, wants));
        egui::Panel::bottom("play line").show(ui, |ui| {
            if let Some(p) = &self.playing {
                bar::ui(ui, &p.data, &mut self.mark, wants);
            }
        });
        let wide = ui.available_width();
        egui::Panel::right("play side").default_size((wide * 0.38).clamp(180.0, 360.0)).resizable(true).show(
            ui,
            |ui| {
                let Some(p) = &self.playing else { return };
                let high = ui.available_height();
                egui::Panel::bottom("play log").default_size(high * 0.36).resizable(true).show(ui, |ui| {
                    side::log(ui, &p.data, &mut self.details, wants);
                });
                let focus = std::mem::take(&mut self.focus_field);
                egui::ScrollArea::vertical().id_salt("choices").auto_shrink(false).show(ui, |ui| {
                    if let Some(why) = &self.why {
                        side::why(ui, why, wants);
                        ui.separator();
                    }
                    side::choices(ui, &p.data, &mut self.typed, focus, wants);
                });
            },
        );
        let Some(p) = &self.playing else { return };
        ui.strong(&p.data.board.clock);
        let drawn: Vec<usize> = (0..p.data.board.maps.len()).filter(|n| p.data.drawn(*n)).collect();
        let Some(first) = drawn.first() else {
            egui::ScrollArea::both().id_salt("table").auto_shrink(false).show(ui, |ui| {
                table::ui(ui, &p.data, self.cursor, wants);
            });
            return;
        };
        let high = ui.available_height();
        egui::Panel::bottom("play holders").default_size(high * 0.42).resizable(true).show(ui, |ui| {
            egui::ScrollArea::vertical().id_salt("table").auto_shrink(false).show(ui, |ui| {
                table::ui(ui, &p.data, self.cursor, wants);
            });
        });
        if drawn.len() > 1 {
            ui.horizontal(|ui| {
                for n in &drawn {
                    let name = p.data.board.maps.get(*n).map_or("", |m| &m.name);
                    ui.selectable_value(&mut self.map, *n, name);
                }
            });
        }
        let shown = if drawn.contains(&self.map) { self.map } else { *first };
        table::map(ui, &p.data, shown, self.views.entry(shown).or_default(), self.cursor, wants);
    }

    fn top(&mut self, ui: &mut Ui, cx: &Context, wants: &mut Vec<Want>) {
        let Some(p) = &self.playing else { return };
        ui.horizontal_wrapped(|ui| {
            for act in [Act::Stop, Act::TakeBack, Act::MakeTest, Act::Save] {
                let info = act.info();
                let shown = if info.icon.is_empty() {
                    info.name.to_string()
                } else {
                    format!("{} {}", info.icon, info.name)
                };
                let r = ui.button(shown).on_hover_text(cx.keys.tooltip(&Command::Play(act)));
                r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, info.name));
                if r.clicked() {
                    wants.push(Want::Act(act));
                }
            }
            let bots = p.data.seats.iter().any(|s| s.sitter != crate::play::Sitter::Person);
            if bots {
                let text = if self.paused { "Bots go on" } else { "Bots wait" };
                if ui.button(text).on_hover_text(cx.keys.tooltip(&Command::Play(Act::Pause))).clicked() {
                    wants.push(Want::Act(Act::Pause));
                }
            }
            ui.separator();
            ui.label("View as");
            for (i, seat) in p.data.seats.iter().enumerate() {
                let asked = if seat.asked { " •" } else { "" };
                let r = ui.selectable_label(i == p.data.view_as, format!("{}{asked}", seat.name));
                let said = format!("View as {} ({})", seat.name, seat.sitter.title());
                r.widget_info(|| {
                    egui::WidgetInfo::selected(egui::Role::Button, true, i == p.data.view_as, &said)
                });
                if r.on_hover_text(said).clicked() {
                    wants.push(Want::ViewAs(i));
                }
            }
            let mut follow = !self.stay;
            if ui
                .checkbox(&mut follow, "turn to who is asked")
                .on_hover_text("Show the view of the person who is asked.")
                .changed()
            {
                self.stay = !follow;
            }
            if self.thinking.is_some() {
                ui.weak("a bot thinks …");
            }
            if self.making.is_some() {
                ui.weak("making a test …");
            }
        });
        let stale = cx.document.touched_of(&p.subject) > p.revision;
        if stale {
            ui.horizontal(|ui| {
                ui.weak("The texts have changed since this game was started.");
                if ui
                    .button("Start again")
                    .on_hover_text("Start a game of the texts as they are now.")
                    .clicked()
                {
                    wants.push(Want::Act(Act::Start));
                }
            });
        }
        for wrong in &self.wrong {
            ui.colored_label(ui.visuals().error_fg_color, wrong);
        }
        self.file_field(ui, cx);
    }

    /// Where a match is saved to or loaded from, while that is asked.
    fn file_field(&mut self, ui: &mut Ui, cx: &Context) {
        let Some((saving, name)) = &mut self.asking_file else { return };
        let saving = *saving;
        let mut done = None;
        ui.horizontal(|ui| {
            let text = if saving { "Save the match to" } else { "Go on with the match in" };
            let label = ui.label(text);
            let field = ui.add(egui::TextEdit::singleline(name).desired_width(240.0)).labelled_by(label.id);
            let entered = field.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
            if ui.button(if saving { "Save it" } else { "Load it" }).clicked() || entered {
                done = Some(true);
            }
            if ui.button("Cancel").clicked() {
                done = Some(false);
            }
        });
        let Some(go) = done else { return };
        let name = name.clone();
        self.asking_file = None;
        if !go {
            return;
        }
        let path = PathBuf::from(&name);
        self.filing = match (saving, &mut self.playing) {
            (true, Some(p)) => {
                let text = p.session.save();
                let job = cx.jobs.start(move |_| crate::disk::write(&path, &text).map_err(|e| e.to_string()));
                Some(Filing::Saving(job, name))
            }
            (true, None) => None,
            (false, _) => Some(Filing::Loading(cx.jobs.start(move |_| crate::disk::read(&path)), name)),
        };
    }

    // ── The keyboard ─────────────────────────────────────────────────────────────────────────────────────

    /// Keys of rows, Enter, Backspace and the cursor; only where Play is in front and nobody writes.
    fn keys(&mut self, ui: &Ui, cx: &Context, wants: &mut Vec<Want>) {
        if cx.front != Pane::Play || ui.ctx().text_edit_focused() {
            return;
        }
        let Some(p) = &self.playing else { return };
        let on_widget = ui.ctx().memory(|m| m.focused().is_some());
        let pressed: Vec<(Key, Option<Key>)> = ui.input(|i| {
            let keys = i.events.iter().filter_map(|e| match e {
                egui::Event::Key { key, physical_key, pressed: true, modifiers, .. } if !modifiers.any() => {
                    Some((*key, *physical_key))
                }
                _ => None,
            });
            keys.collect()
        });
        for (key, physical) in pressed {
            match key {
                Key::Enter if !on_widget => wants.push(Want::Confirm),
                Key::Backspace => wants.push(Want::Unpick),
                Key::Escape if self.why.is_some() => wants.push(Want::CloseWhy),
                Key::Escape => wants.push(Want::Unpick),
                Key::Space if !on_widget => wants.extend(self.cursor.map(Want::Click)),
                Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp | Key::ArrowDown if !on_widget => {
                    self.cursor = moved(&p.data, self.cursor, key);
                }
                _ => {
                    // Where letters are not Latin, the place of the key counts.
                    let char_of = |k: Key| {
                        let name = k.name();
                        let mut chars = name.chars();
                        chars.next().filter(|c| c.is_ascii_alphanumeric() && chars.next().is_none())
                    };
                    let c = char_of(key).or(physical.and_then(char_of));
                    let row = c.and_then(|c| p.data.choices.as_ref()?.row_of_key(c));
                    wants.extend(row.map(Want::Pick));
                }
            }
        }
    }

    // ── Doing ────────────────────────────────────────────────────────────────────────────────────────────

    fn want(&mut self, want: Want, cx: &Context, out: &mut Vec<Command>) {
        if let Want::Act(act) = want {
            out.extend(self.act(act, cx));
            return;
        }
        let Some(p) = &mut self.playing else { return };
        let s = &mut p.session;
        let before = s.generation();
        let mut done: Result<(), Illegal> = Ok(());
        match want {
            Want::Pick(row) => done = s.pick(row),
            Want::Click(spot) => {
                self.cursor = Some(spot);
                match s.click(spot) {
                    Ok(true) => {}
                    // Nothing is offered there: why not?
                    Ok(false) => self.why = Some(why_not(s.m_mut(), p.data.view_as, spot)),
                    Err(e) => done = Err(e),
                }
            }
            Want::Cursor(spot) => {
                self.cursor = Some(spot);
                return;
            }
            Want::Confirm => {
                if p.data.choices.as_ref().is_some_and(|c| c.complete.is_some()) {
                    done = s.confirm();
                }
            }
            Want::Unpick => drop(s.unpick()),
            Want::Question(q) => s.picker = crate::play::Picker { question: Some(q), ..Default::default() },
            Want::Typed(text) => s.picker.typed = text,
            Want::Say(words) => {
                // What is left of the list is taken if it is one.
                let one = p.data.choices.as_ref().filter(|c| c.rows.len() == 1 && c.more == 0);
                done = match one {
                    Some(_) => s.pick(0),
                    None => s.say(&words),
                };
                self.typed.clear();
                s.picker.typed.clear();
            }
            Want::WhyNot(spot) => {
                self.cursor = Some(spot);
                self.why = Some(why_not(s.m_mut(), p.data.view_as, spot));
            }
            Want::CloseWhy => self.why = None,
            Want::ViewAs(seat) => {
                s.set_view_as(seat);
                self.why = None;
                self.stay = true;
            }
            Want::Scrub(step) => drop(s.scrub(step)),
            Want::Fork => {
                s.fork("");
                out.push(Command::Say(format!("This is {} now", s.line().name)));
            }
            Want::Mark(name) => s.mark(&name),
            Want::Line(n) => drop(s.go_to_line(n)),
            Want::MakeTest(words) => {
                // The texts as they are now: the test must pass there.
                let (files, revision) = (cx.document.files(&p.subject), cx.document.revision());
                let wish = Wish { title: String::new(), refused: words.map(|w| (p.data.view_as, w)) };
                let fork = s.m().fork();
                let job = cx.jobs.start(move |_| make_test(&fork, &files, &wish));
                self.making = Some((revision, job));
            }
            Want::GoTo(file, range) => {
                let range = cx.document.followed(p.revision, &file, range).range;
                out.push(Command::GoTo(Place::new(file, range)));
            }
            Want::Act(_) => {}
        }
        if let Err(e) = done {
            self.wrong = vec![told(s, &e)];
            out.push(Command::Say(told(s, &e)));
        } else if s.generation() != before {
            self.wrong.clear();
            self.why = None;
            self.typed.clear();
            if !self.stay {
                s.turn_to_asked();
            }
        }
        p.data = Data::of(s);
        if s.generation() != before {
            self.mark = p.data.mark.clone().unwrap_or_default();
        }
    }
}

fn told(s: &Session, e: &Illegal) -> String {
    match e {
        Illegal::Fault(d) => {
            format!("The rules fail: {}: {}", s.m().game().files().place(d.at.span), d.message)
        }
        e => format!("No: {e}."),
    }
}

/// The cursor, one space further; where there is none yet, on the first thing that is lit up.
fn moved(data: &Data, cursor: Option<Spot>, key: Key) -> Option<Spot> {
    let lit = || data.choices.as_ref().and_then(|c| c.lit.keys().next().copied());
    let all = || {
        let holders = data.board.table.iter().chain(&data.board.players).chain(&data.board.others);
        holders.flat_map(|h| {
            h.spot.into_iter().chain(h.piles.iter().flat_map(|p| p.pieces.iter().map(|x| x.spot)))
        })
    };
    let first =
        || data.board.maps.iter().position(|m| !m.cells.is_empty()).map(|map| Spot::Space { map, space: 0 });
    let Some(now) = cursor else { return lit().or_else(first).or_else(|| all().next()) };
    if let Spot::Space { map, space } = now {
        let board = data.board.maps.get(map)?;
        let (c, r) = board.cells.get(space)?.at;
        let (dc, dr) = match key {
            Key::ArrowLeft => (-1, 0),
            Key::ArrowRight => (1, 0),
            Key::ArrowUp => (0, 1),
            _ => (0, -1),
        };
        // The next one that way, over gaps.
        for n in 1..64 {
            let (c, r) = (i32::from(c) + dc * n, i32::from(r) + dr * n);
            let there = board.cells.iter().position(|x| (i32::from(x.at.0), i32::from(x.at.1)) == (c, r));
            if let Some(space) = there {
                return Some(Spot::Space { map, space });
            }
        }
        return Some(now);
    }
    let row: Vec<Spot> = all().collect();
    let at = row.iter().position(|s| *s == now).unwrap_or(0);
    let on = matches!(key, Key::ArrowRight | Key::ArrowDown);
    let next = if on { at + 1 } else { at.saturating_sub(1) };
    row.get(next).copied().or(Some(now))
}
