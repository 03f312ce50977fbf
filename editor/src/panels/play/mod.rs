//! The Play pane: plays the game of the open file on a copy of its texts.
mod bar;
mod carry;
mod choices;
pub mod data;
mod holders;
mod jobs;
mod keys;
mod log;
pub mod motion;
pub mod pieces;
mod show;
mod start;
mod table;
pub mod tiles;
mod wants;
mod why;

use crate::command::Command;
pub use crate::command::play::Act;
use crate::command::play::Request;
use crate::document::{Revision, Subject, TextPlace};
use crate::jobs::Job;
use crate::panels::made_test::MakingTest;
use crate::panels::setup::Preparation;
use crate::panels::{Context, Pane};
use crate::play::Session;
use crate::play::carry::Parting;
use crate::play::make_test::make_test;
use crate::play::session::{BotAnswer, NoStart};
use crate::play::why::{Why, explain_refusal};
use data::Data;
use egui::Ui;
use houserule::lab::record::Wish;
use houserule::play::{Illegal, Match, Spot};
use motion::Motion;
use std::time::Duration;
pub use wants::Wants;

/// A playtest with what it was started from.
struct Playing {
    subject: Subject,
    /// The texts' revision that it is of.
    revision: Revision,
    session: Session,
    data: Data,
    /// What was shown before, until what moves has been worked out.
    before: Option<Box<Data>>,
    motion: Motion,
}

impl Playing {
    fn new(subject: Subject, revision: Revision, mut session: Session) -> Playing {
        let data = Data::from_session(&mut session);
        Playing { subject, revision, session, data, before: None, motion: Motion::default() }
    }

    /// Makes what is shown anew.
    fn renew(&mut self) {
        let now = Data::from_session(&mut self.session);
        let before = std::mem::replace(&mut self.data, now);
        self.before.get_or_insert_with(|| Box::new(before));
    }

    /// Whether the texts have changed since.
    fn is_stale(&self, cx: &Context) -> bool {
        cx.document.game_touched_at(&self.subject) > self.revision
    }
}

/// A match that was played elsewhere and is to be looked at.
pub struct Shown {
    /// Which game.
    pub subject: Subject,
    /// The texts' revision that it is of.
    pub revision: Revision,
    /// The match.
    pub session: Box<Session>,
    /// What it is, in a sentence.
    pub told: String,
}

/// What is to be begun when the game is loaded.
enum Wanted {
    /// What the form says.
    Form,
    /// The match of a save.
    Saved(String),
}

/// A session, or why there is none.
type Begun = Result<Session, NoStart>;

/// What Play keeps between frames.
#[derive(Default)]
pub struct State {
    /// The game of the open file and its form.
    setup: Preparation,
    wanted: Option<Wanted>,
    starting: Option<(Subject, Revision, Job<Begun>)>,
    playing: Option<Playing>,
    /// The match that was left last, if anything was chosen in it.
    before: Option<Playing>,
    thinking: Option<Job<BotAnswer>>,
    making: Option<MakingTest>,
    /// The match, played again under the rules as they are now.
    carry: carry::Carry,
    why: Option<Why>,
    cursor: Option<Spot>,
    /// What the row or log line under the pointer names on the board, and what is under the pointer there.
    pointed: (Vec<Spot>, Option<Spot>),
    /// From where each map is looked at, and which map is shown.
    views: std::collections::BTreeMap<usize, crate::canvas::Viewport>,
    map: usize,
    typed: String,
    mark: String,
    details: bool,
    /// Whether the log is open; none: where there is room for it.
    log: Option<bool>,
    paused: bool,
    /// Whether bots answer at once until a person is asked.
    skip: bool,
    /// When somebody chose last, a bot or a person, and for how long the next answer of a bot is held back.
    answered: Duration,
    wait: Option<Duration>,
    stay: bool,
    focus_field: bool,
    /// Whether the form is to have the keyboard.
    focus_start: bool,
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

    /// Whether the reasons why something is not offered are shown.
    pub fn explains(&self) -> bool {
        self.why.is_some()
    }

    /// What the row or log line under the pointer names on the board, and what is under the pointer there; for tests.
    pub fn pointed(&self) -> (&[Spot], Option<Spot>) {
        (&self.pointed.0, self.pointed.1)
    }

    /// What moves, for tests.
    pub fn motion(&self) -> Option<&Motion> {
        self.playing.as_ref().map(|p| &p.motion)
    }

    /// Where the match as the changed rules play it parts from the one that is shown, for tests.
    pub fn parting(&self) -> Option<&Parting> {
        self.carry.parting()
    }

    /// Makes what is shown anew.
    pub fn refresh(&mut self) {
        if let Some(p) = &mut self.playing {
            p.renew();
        }
    }

    /// Shows the pane, and gives what is wanted.
    pub fn ui(&mut self, ui: &mut Ui, cx: &Context) -> Vec<Command> {
        let mut out = Vec::new();
        self.poll_jobs(cx, &mut out);
        let mut wants = Wants::default();
        // Whoever turns to the game does not go on writing elsewhere: its keys are heard where nobody writes.
        if cx.focus == Some(Pane::Play) {
            ui.memory_mut(|m| m.focused().map(|id| m.surrender_focus(id)));
            // Tab goes on from the form, not from the first button of the window.
            self.focus_start = self.playing.is_none();
        }
        if self.playing.is_some() {
            self.handle_keys(ui, cx, &mut wants);
            self.show_session(ui, cx, &mut wants);
        } else {
            self.show_form(ui, cx, &mut wants, &mut out);
        }
        if self.pointed.1 != wants.over || self.pointed.0 != wants.named {
            self.pointed = (std::mem::take(&mut wants.named), wants.over);
            ui.ctx().request_repaint();
        }
        out.extend(wants.into_commands());
        let asked = !self.paused && self.playing.as_ref().is_some_and(|p| p.session.is_bot_asked());
        match self.wait {
            Some(wait) if asked => ui.ctx().request_repaint_after(wait),
            None if asked && self.thinking.is_none() => ui.ctx().request_repaint(),
            _ => {}
        }
        out
    }

    /// A copy of the match as it stands, and of which game it is.
    pub fn fork_match(&self) -> Option<(Subject, Match)> {
        self.playing.as_ref().map(|p| (p.subject.clone(), p.session.the_match().fork()))
    }

    /// Puts the match that is played aside, if anything was chosen in it.
    fn leave_match(&mut self) {
        if let Some(mut left) = self.playing.take() {
            if self.thinking.take().is_some() {
                // What the bot knew that was thinking went with it.
                let sitters = left.session.sitters().to_vec();
                left.session.seat_sitters(sitters);
            }
            if left.data.step.1 > 0 {
                self.before = Some(left);
            }
        }
        self.why = None;
        self.typed.clear();
        self.cursor = None;
        self.views.clear();
    }

    /// Shows a match that was played elsewhere, at its end. Bots wait: it is to be looked at.
    pub fn show_match(&mut self, shown: Shown) -> Vec<Command> {
        let Shown { subject, revision, session, told } = shown;
        self.wrong.clear();
        self.paused = !session.the_match().is_over();
        self.leave_match();
        (self.wanted, self.starting) = (None, None);
        self.playing = Some(Playing::new(subject, revision, *session));
        vec![Command::Show(Pane::Play), Command::Say(told)]
    }

    /// Does one of its commands. What that means for texts comes back.
    pub fn do_act(&mut self, act: Act, cx: &Context) -> Vec<Command> {
        let mut out = Vec::new();
        let step = self.playing.as_ref().map_or((0, 0), |p| p.data.step);
        match act {
            Act::Start => {
                // Of changed texts, the same game is begun again.
                let subject = crate::panels::setup::open_subject(cx);
                let same = |p: &&Playing| p.is_stale(cx) && subject.as_ref().is_none_or(|s| *s == p.subject);
                if let Some(p) = self.playing.as_ref().filter(same) {
                    self.setup.filled.seed = p.session.the_match().setup().seed.to_string();
                }
                self.start_session(cx);
                out.push(Command::Show(Pane::Play));
            }
            Act::Stop => {
                self.leave_match();
                self.wanted = None;
                self.starting = None;
            }
            Act::Before => match self.before.take() {
                Some(before) => {
                    self.leave_match();
                    self.playing = Some(before);
                    self.refresh();
                    out.push(Command::Show(Pane::Play));
                }
                None => {
                    out.push(Command::Say(String::from("No match was left in which anything was chosen")))
                }
            },
            Act::TakeBack => {
                if let Some(p) = &mut self.playing {
                    let back = p.session.undo();
                    if back {
                        self.wrong.clear();
                        self.why = None;
                        self.typed.clear();
                        if !self.stay {
                            p.session.turn_to_asked();
                        }
                    }
                    p.renew();
                    self.mark = p.data.mark.clone().unwrap_or_default();
                    out.push(Command::Say(String::from(if back {
                        "Taken back"
                    } else {
                        "There is nothing to take back"
                    })));
                }
            }
            Act::Earlier => self.answer_request(Request::Scrub(step.0.saturating_sub(1)), cx, &mut out),
            Act::Later => self.answer_request(Request::Scrub(step.0 + 1), cx, &mut out),
            Act::Fork => self.answer_request(Request::Fork, cx, &mut out),
            Act::Pause => {
                self.paused = !self.paused;
                out.push(Command::Say(String::from(if self.paused { "Bots wait" } else { "Bots go on" })));
            }
            Act::NextView => {
                if let Some(p) = &mut self.playing {
                    let next = (p.session.view_as() + 1) % p.session.the_match().seat_count().max(1);
                    p.session.set_view_as(next);
                    p.renew();
                    self.why = None;
                    self.typed.clear();
                    // Whoever looks on as somebody goes on doing so.
                    self.stay = true;
                }
            }
            Act::WhyNot => match self.cursor {
                Some(spot) => self.answer_request(Request::WhyNot(spot), cx, &mut out),
                None => out
                    .push(Command::Say(String::from("First move the cursor with the arrow keys to a thing"))),
            },
            Act::MakeTest => self.answer_request(Request::MakeTest(None), cx, &mut out),
            Act::TypeChoice => self.focus_field = true,
            Act::Save => match &mut self.playing {
                Some(p) => out.push(Command::SaveMatch {
                    name: format!("{}.save", p.session.the_match().game().name().to_lowercase()),
                    text: p.session.to_save(),
                }),
                None => out.push(Command::Say(String::from("There is no match to save: start a game first"))),
            },
            Act::Load => out.push(Command::LoadMatch),
            Act::NewRules => {
                if !self.take_carried() {
                    out.push(Command::Say(String::from("The match is of the rules as they are now")));
                }
            }
            Act::OldRules => self.carry.leave(),
            Act::Skip => {
                self.skip = true;
                self.paused = false;
            }
        }
        out
    }

    /// Does what one of its parts asked for.
    pub fn do_request(&mut self, request: Request, cx: &Context) -> Vec<Command> {
        let mut out = Vec::new();
        self.answer_request(request, cx, &mut out);
        out
    }

    fn answer_request(&mut self, request: Request, cx: &Context, out: &mut Vec<Command>) {
        let Some(p) = &mut self.playing else {
            if let Request::GoTo(file, range) = request {
                out.push(Command::GoTo(TextPlace::new(file, range)));
            }
            return;
        };
        let s = &mut p.session;
        let before = s.generation();
        let mut done: Result<(), Illegal> = Ok(());
        match request {
            Request::Pick(row) => done = s.pick_row(row),
            Request::Click(spot) => {
                self.cursor = Some(spot);
                match s.click_spot(spot) {
                    Ok(true) => {}
                    // Nothing is offered there: why not?
                    Ok(false) => self.why = Some(explain_refusal(s.the_match_mut(), p.data.view_as, spot)),
                    Err(e) => done = Err(e),
                }
            }
            Request::Cursor(spot) => {
                self.cursor = Some(spot);
                return;
            }
            Request::Confirm => {
                if p.data.choices.as_ref().is_some_and(|c| c.complete.is_some()) {
                    done = s.confirm();
                }
            }
            Request::Unpick => drop(s.unpick()),
            Request::Question(q) => {
                s.picker = crate::play::Picker { question: Some(q), ..Default::default() };
                self.typed.clear();
            }
            Request::Typed(text) => s.picker.typed = text,
            Request::Say(words) => {
                // What is left of the list is taken if it is one.
                let one = p.data.choices.as_ref().filter(|c| c.rows.len() == 1 && c.more == 0);
                done = match one {
                    Some(_) => s.pick_row(0),
                    None => s.choose_in_words(&words),
                };
                self.typed.clear();
                s.picker.typed.clear();
            }
            Request::WhyNot(spot) => {
                self.cursor = Some(spot);
                self.why = Some(explain_refusal(s.the_match_mut(), p.data.view_as, spot));
            }
            Request::CloseWhy => self.why = None,
            Request::ViewAs(seat) => {
                s.set_view_as(seat);
                self.why = None;
                self.typed.clear();
                self.stay = true;
            }
            Request::Scrub(step) => drop(s.go_to_step(step)),
            Request::Fork => {
                s.fork_line("");
                out.push(Command::Say(format!("This is {} now", s.line().name)));
            }
            Request::Mark(name) => s.mark_step(&name),
            Request::Line(n) => drop(s.go_to_line(n)),
            Request::MakeTest(words) => {
                // The texts as they are now: the test must pass there.
                let files = cx.document.files(&p.subject);
                let wish = Wish { title: String::new(), refused: words.map(|w| (p.data.view_as, w)) };
                let fork = s.the_match().fork();
                self.making = Some(MakingTest::start(cx, move || make_test(&fork, &files, &wish)));
            }
            Request::GoTo(file, range) => {
                let range = cx.document.follow_range(p.revision, &file, range).range;
                out.push(Command::GoTo(TextPlace::new(file, range)));
            }
            Request::NextGame => {
                if let Some(start) = s.next_start() {
                    let (game, files) = (s.the_match().game().clone(), s.files().clone());
                    let job =
                        cx.jobs.start("Starting the match", move |_| Session::start(&game, &files, &start));
                    self.starting = Some((p.subject.clone(), p.revision, job));
                }
            }
        }
        if let Err(e) = done {
            self.wrong = vec![describe_illegal(s, &e)];
            out.push(Command::Say(describe_illegal(s, &e)));
        } else if s.generation() != before {
            self.wrong.clear();
            self.why = None;
            self.typed.clear();
            if !self.stay {
                s.turn_to_asked();
            }
        }
        let moved = s.generation() != before;
        p.renew();
        if moved {
            self.answered = cx.jobs.now();
            self.mark = p.data.mark.clone().unwrap_or_default();
        }
    }
}

fn describe_illegal(s: &Session, e: &Illegal) -> String {
    match e {
        Illegal::Fault(d) => {
            format!("A rule error: {}: {}", s.the_match().game().files().place(d.at.span), d.message)
        }
        e => format!("No: {e}."),
    }
}
