//! The Measure pane: plays many games of the open file between bots on a copy of its texts, and shows what came of them while they are played.
//!
//! ```text
//! form ─▶ Job: Simulation::new ─▶ Jobs: a block of games each ─▶ Figures ─▶ Data ─▶ ui
//! ```
pub mod data;
mod form;
mod heat;
mod plots;
mod run;
mod show;
mod tables;

use crate::command::Command;
pub use crate::command::measure::Act;
use crate::command::measure::Request;
use crate::document::TextPlace;
use crate::jobs::Job;
use crate::panels::play::Shown;
use crate::panels::setup::{LoadedGame, Preparation, open_subject};
use crate::panels::{Context, Pane};
use crate::play::Session;
use data::{Data, SortBy};
use egui::Ui;
use houserule::lab::figures::Figures;
use run::{Prepared, Run, Running};

/// What Measure keeps between frames.
#[derive(Default)]
pub struct State {
    /// The game of the open file and its form.
    setup: Preparation,
    form: form::Fields,
    /// Whether a run is to begin as soon as the game is loaded.
    wanted: bool,
    starting: Option<Job<Result<Prepared, Vec<String>>>>,
    running: Option<Running>,
    run: Option<Run>,
    /// The run that is compared with.
    kept: Option<Run>,
    data: Data,
    showing: Option<Job<Result<Shown, String>>>,
    /// The number whose games are shown one after the other, and how many were shown.
    shown: (String, usize),
    heat: heat::State,
    sort: SortBy,
    wanted_uses: String,
    /// Whether the form is to be folded at the next frame, where it stands above the figures.
    fold: bool,
    wrong: Vec<String>,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "State {{ games: {} }}", self.data.games)
    }
}

impl State {
    /// What is shown, for tests.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// The figures of the run, for tests.
    pub fn figures(&self) -> Option<&Figures> {
        self.run.as_ref().map(|r| &r.figures)
    }

    /// The number of the last run, once games of it are over; 0 before the first.
    pub fn run_number(&self) -> u64 {
        let begun = self.run.as_ref().filter(|_| self.data.games > 0);
        begun.map_or(0, |r| r.id)
    }

    /// Whether games are being played.
    pub fn is_running(&self) -> bool {
        self.wanted || self.starting.is_some() || self.running.is_some()
    }

    /// Shows the pane, and gives what is wanted.
    pub fn ui(&mut self, ui: &mut Ui, cx: &Context) -> Vec<Command> {
        let mut out = Vec::new();
        self.poll_setup(cx);
        // Whoever turns to the figures does not go on writing elsewhere.
        if cx.focus == Some(Pane::Measure) {
            ui.memory_mut(|m| m.focused().map(|id| m.surrender_focus(id)));
        }
        self.show(ui, cx, &mut out);
        out
    }

    /// Does one of its commands.
    pub fn do_act(&mut self, act: Act, cx: &Context) -> Vec<Command> {
        let mut out = Vec::new();
        let say = |text: &str| Command::Say(String::from(text));
        match act {
            Act::Run => {
                self.stop_run();
                (self.wanted, self.wrong) = (true, Vec::new());
                self.poll_setup(cx);
                out.push(Command::Show(Pane::Measure));
            }
            Act::Stop if self.is_running() => {
                self.stop_run();
                let games = self.run.as_ref().map_or(0, |r| r.figures.games);
                out.push(Command::Say(format!("Stopped after {}", data::count_text(games, "game"))));
            }
            Act::Stop => out.push(say("No games are being played")),
            Act::Keep => out.push(match &self.run {
                _ if self.is_running() => say("Games are still being played: stop them, or wait"),
                Some(run) if run.figures.games > 0 => {
                    self.kept = Some(run.clone());
                    self.refresh();
                    say("Kept: the next run is shown beside these figures")
                }
                _ => say("There are no figures to keep: run some games first"),
            }),
            Act::Forget => {
                let kept = self.kept.take().is_some();
                self.refresh();
                out.push(say(if kept {
                    "The next run is compared with nothing"
                } else {
                    "Nothing was kept"
                }));
            }
            Act::SaveTable => out.push(match &self.run {
                Some(run) if run.figures.games > 0 => Command::SaveTable {
                    name: format!("{}.csv", run.name.to_lowercase()),
                    text: data::to_csv(
                        (&run.title, &run.figures),
                        self.base().map(|b| (&*b.title, &b.figures)),
                    ),
                },
                _ => say("There are no figures to save: run some games first"),
            }),
        }
        out
    }

    /// Stops what is being played; what was played so far is kept.
    fn stop_run(&mut self) {
        (self.wanted, self.starting, self.running) = (false, None, None);
        if let Some(run) = &mut self.run {
            run.stopped = run.figures.games < run.total;
        }
    }

    /// The run that the present one is compared with.
    fn base(&self) -> Option<&Run> {
        let now = self.run.as_ref().map(|r| r.id);
        self.kept.as_ref().filter(|k| Some(k.id) != now)
    }

    /// Makes what is shown anew.
    fn refresh(&mut self) {
        self.data = match &self.run {
            Some(run) => Data::from_figures(&run.figures, self.base().map(|b| &b.figures)),
            None => Data::default(),
        };
    }

    /// Loads the game of the open file for the form, and begins a run that is wanted as soon as that is there.
    fn poll_setup(&mut self, cx: &Context) {
        let subject = open_subject(cx);
        self.setup.poll_jobs(cx, subject.as_ref(), false);
        if !self.wanted {
            return;
        }
        let Some(subject) = subject else {
            return self.give_up("Open the game first that is to be measured.".into());
        };
        if !self.setup.is_loaded(cx, &subject) {
            let unsound = cx.analyses.get(&subject).is_some_and(|k| !k.analysis.sound);
            if let Some(failed) = cx.analyses.failure_of(cx.document, &subject) {
                self.give_up(format!("{failed}. The games can be run when the texts have changed."));
            } else if unsound && cx.analyses.is_fresh(cx.document, &subject) {
                self.give_up(String::from(
                    "No games can be run as the texts are now: the list of findings says what is wrong.",
                ));
            }
            return;
        }
        if let Some(LoadedGame { game: Err(wrong), .. }) = &self.setup.loaded {
            let wrong = wrong.clone();
            self.wanted = false;
            self.wrong = wrong;
            return;
        }
        let Some(form) = self.setup.update_form() else { return };
        self.wanted = false;
        match self.form.to_plan(&mut self.setup.filled, &form) {
            Ok((plan, title)) => {
                let Some(LoadedGame { subject, revision, game: Ok((game, files)) }) = &self.setup.loaded
                else {
                    return;
                };
                let (subject, revision) = (subject.clone(), *revision);
                let (game, files) = (game.clone(), files.clone());
                self.starting = Some(cx.jobs.start("Preparing the games", move |_| {
                    Prepared::new(&game, files, &plan, subject, revision, title)
                }));
            }
            Err(wrong) => self.wrong = wrong,
        }
    }

    fn give_up(&mut self, why: String) {
        self.wanted = false;
        self.wrong = vec![why];
    }

    /// Takes what jobs have made and starts the next block of games; also while another pane is shown.
    pub fn poll_run(&mut self, cx: &Context) {
        if let Some(prepared) = self.starting.as_mut().and_then(Job::poll) {
            self.starting = None;
            match prepared {
                Ok(Ok(prepared)) => {
                    let id = self.run.iter().chain(&self.kept).map(|r| r.id).max().unwrap_or(0) + 1;
                    let run = Run::new(prepared, id);
                    self.running = Some(Running::start(&run, cx.jobs));
                    self.run = Some(run);
                    self.heat = heat::State::default();
                    self.fold = true;
                    self.refresh();
                }
                Ok(Err(wrong)) => self.wrong = wrong,
                Err(failed) => self.wrong = vec![format!("{failed}. Run the games again.")],
            }
        }
        let (Some(running), Some(run)) = (&mut self.running, &mut self.run) else { return };
        match running.poll(run, cx.jobs) {
            run::Polled::Nothing => return,
            run::Polled::Block => {}
            run::Polled::Done => self.running = None,
            run::Polled::Failed(failed) => {
                self.running = None;
                self.stop_run();
                self.wrong = vec![format!("{failed}. The games played so far are kept; run them again.")];
            }
        }
        self.refresh();
    }

    /// The match that was asked for, if it is there.
    pub fn take_shown(&mut self, out: &mut Vec<Command>) -> Option<Shown> {
        let shown = self.showing.as_mut()?.poll()?;
        self.showing = None;
        match shown {
            Ok(Ok(shown)) => return Some(shown),
            Ok(Err(why)) => out.push(Command::Say(why)),
            Err(failed) => out.push(Command::Say(format!("{failed}. Choose the game again"))),
        }
        None
    }

    /// Does what one of its parts asked for.
    pub fn do_request(&mut self, request: Request, cx: &Context) -> Vec<Command> {
        let mut out = Vec::new();
        match request {
            Request::Games(told, games) => {
                let Some(run) = &self.run else { return out };
                self.shown.1 = if self.shown.0 == told { (self.shown.1 + 1) % games.len().max(1) } else { 0 };
                self.shown.0.clone_from(&told);
                let Some(game) = games.get(self.shown.1).copied() else {
                    out.push(Command::Say(format!("There is no such game: {told}")));
                    return out;
                };
                let (simulation, files) = (run.simulation.clone(), run.files.clone());
                let (subject, revision) = (run.subject.clone(), run.revision);
                self.showing = Some(cx.jobs.start("Showing a game", move |_| {
                    let (m, told) = run::replay_game(&simulation, game, &told)?;
                    let sitters = m.setup().seats.iter().map(|w| run::sitter_of(w)).collect();
                    let session = Box::new(Session::from_match(m, &files, sitters));
                    Ok(Shown { subject, revision, session, told })
                }));
            }
            Request::Fault(n) => {
                let Some(run) = &self.run else { return out };
                let fault = run.figures.unfinished.get(n).and_then(|u| u.fault.as_ref());
                let Some(span) = fault.map(|f| f.at.span) else { return out };
                let files = run.simulation.game().files();
                let Some(file) = files.get(span.file) else { return out };
                let range = cx.document.follow_range(run.revision, &file.name, span.range()).range;
                out.push(Command::GoTo(TextPlace::new(&*file.name, range)));
            }
        }
        out
    }
}
