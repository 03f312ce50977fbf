//! The background work of the Play pane: reading the game, starting a match, bots, making a test.
use super::{AT_ONCE, Playing, State, Wanted, describe_illegal};
use crate::command::Command;
use crate::document::Subject;
use crate::panels::setup::{LoadedGame, open_subject};
use crate::panels::{Context, Pane};
use crate::play::{Begin, Session, Start};
use std::time::Duration;

impl State {
    /// Takes what jobs have made, and starts what is wanted.
    pub(super) fn poll_jobs(&mut self, cx: &Context, out: &mut Vec<Command>) {
        self.poll_game(cx);
        self.poll_wanted(cx);
        if let Some((subject, revision, job)) = &mut self.starting
            && let Some(started) = job.poll()
        {
            let (subject, revision) = (subject.clone(), *revision);
            self.starting = None;
            match started {
                Err(failed) => {
                    self.wrong = vec![format!("{failed}. Start it again, or start it in another way.")]
                }
                Ok(Ok(mut session)) => {
                    session.turn_to_asked();
                    self.wrong =
                        session.parted.iter().map(|p| format!("It differs from the save {p}")).collect();
                    self.leave_match();
                    // A match in which bots wait may have been left.
                    self.paused = false;
                    self.playing = Some(Playing::new(subject, revision, session));
                }
                Ok(Err(e)) => self.wrong = e.told,
            }
        }
        self.poll_carry(cx);
        self.poll_bots(cx);
        self.poll_made_test(cx, out);
    }

    /// Takes a test that was being made, and puts it in; also while another pane is shown.
    pub fn poll_made_test(&mut self, cx: &Context, out: &mut Vec<Command>) {
        if self.making.as_mut().is_some_and(|making| making.poll(cx, out)) {
            self.making = None;
        }
    }

    /// Loads the game of the open file when its texts have changed and nothing is wrong with them; while another one is played, only if it is wanted.
    fn poll_game(&mut self, cx: &Context) {
        let subject = self.wanted_subject(cx);
        let played = |p: &Playing| !p.is_stale(cx) || subject.as_ref() != Some(&p.subject);
        let hold = self.wanted.is_none() && self.playing.as_ref().is_some_and(played);
        self.setup.poll_jobs(cx, subject.as_ref(), hold);
    }

    /// The game of the open file; with no file open, the one that is played.
    fn wanted_subject(&self, cx: &Context) -> Option<Subject> {
        open_subject(cx).or_else(|| self.playing.as_ref().map(|p| p.subject.clone()))
    }

    /// Begins what is wanted, as soon as the game is loaded as its texts are now.
    fn poll_wanted(&mut self, cx: &Context) {
        if self.wanted.is_none() {
            return;
        }
        let Some(subject) = self.wanted_subject(cx) else {
            self.wanted = None;
            self.wrong = vec![String::from("Open the game first that is to be played.")];
            return;
        };
        if !self.setup.is_loaded(cx, &subject) {
            let unsound = cx
                .analyses
                .get(&subject)
                .is_some_and(|k| !k.analysis.sound && cx.analyses.is_fresh(cx.document, &subject));
            if let Some(failed) = cx.analyses.failure_of(cx.document, &subject) {
                self.wanted = None;
                self.wrong = vec![format!("{failed}. The game can be started when its texts have changed.")];
            }
            if unsound {
                self.wanted = None;
                self.wrong = vec![String::from(
                    "The game cannot be played as its texts are now: the list of findings says what is wrong.",
                )];
            }
            return;
        }
        if let Some(LoadedGame { game: Err(wrong), .. }) = &self.setup.loaded {
            self.wrong.clone_from(wrong);
            self.wanted = None;
            return;
        }
        let Some(form) = self.setup.update_form() else { return };
        let start = match self.wanted.take() {
            Some(Wanted::Form) => {
                let start = self.setup.filled.to_start(&form);
                // The next game is another one, unless somebody says which.
                self.setup.filled.seed = start.setup.seed.wrapping_add(1).to_string();
                start
            }
            Some(Wanted::Saved(text)) => Start { begin: Begin::Saved(text), ..Start::default() },
            None => return,
        };
        let Some(LoadedGame { subject, revision, game: Ok((game, files)) }) = &self.setup.loaded else {
            return;
        };
        let (game, files) = (game.clone(), files.clone());
        self.wrong.clear();
        let job = cx.jobs.start("Starting the match", move |_| Session::start(&game, &files, &start));
        self.starting = Some((subject.clone(), *revision, job));
    }

    /// Lets bots answer; what is shown is worked out once, behind the last of them.
    fn poll_bots(&mut self, cx: &Context) {
        let now = cx.jobs.now();
        let delay = if self.skip { Duration::ZERO } else { cx.settings.pace.delay() };
        let mut answered = false;
        self.wait = None;
        for _ in 0..AT_ONCE {
            let Some(p) = &mut self.playing else { break };
            if let Some(job) = &mut self.thinking {
                let wait = (self.answered + delay).saturating_sub(now);
                if !wait.is_zero() {
                    self.wait = Some(wait);
                    break;
                }
                let Some(answer) = job.poll() else { break };
                self.thinking = None;
                let answer = match answer {
                    Ok(answer) => answer,
                    Err(failed) => {
                        // What it knew went with it.
                        let sitters = p.session.sitters().to_vec();
                        p.session.seat_sitters(sitters);
                        let next = "Bots wait: let them go on, or take a choice back";
                        self.wrong = vec![format!("{failed}. {next}.")];
                        self.paused = true;
                        break;
                    }
                };
                match p.session.take_bot_answer(answer) {
                    Ok(true) => {
                        answered = true;
                        self.answered = now;
                        if !self.stay && p.session.turn_to_asked() {
                            self.typed.clear();
                        }
                    }
                    Ok(false) => {}
                    Err(e) => {
                        self.wrong = vec![describe_illegal(&p.session, &e)];
                        self.paused = true;
                    }
                }
            }
            if self.paused {
                break;
            }
            let Some(task) = p.session.take_bot_task() else {
                self.skip = false;
                break;
            };
            self.thinking = Some(cx.jobs.start("A bot's thinking", move |_| task.run()));
        }
        if answered {
            // It was told of a step that is gone, and perhaps to another seat than the one that looks now.
            self.why = None;
            // What somebody is typing is still what is looked for.
            if let Some(p) = &mut self.playing {
                p.session.picker.typed.clone_from(&self.typed);
            }
            self.refresh();
        }
    }

    /// Starts the game of the open file as the form says, of the texts as they are now.
    pub(super) fn start_session(&mut self, cx: &Context) {
        self.wanted = Some(Wanted::Form);
        self.poll_game(cx);
        self.poll_wanted(cx);
    }

    /// Goes on with a saved match of the game of the open file.
    pub fn go_on_with(&mut self, text: String, cx: &Context) -> Vec<Command> {
        self.wanted = Some(Wanted::Saved(text));
        self.poll_game(cx);
        self.poll_wanted(cx);
        vec![Command::Show(Pane::Play)]
    }
}
