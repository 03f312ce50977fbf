//! A match: a game in progress with its seats, choices, log and time line. People, bots, the command line and the editor all use it.
use super::decisions::{Decision, Done, Offered};
use super::faults::{discreet_finding, fault_finding, fault_report};
use super::game::Game;
use super::log_lines::{LogLine, Logged, read_lines};
use super::refused::{Illegal, NoUndo, UndoMode};
use super::setup::Setup;
use super::timeline::{STATES, Timeline};
use super::words::{NOT_DONE, TIME_UP, Wording};
use houserule_engine::{
    Choice, Clock, Fault, Legacy, Machine, Options, Outcome, Question, QuestionKind, Reason, Refusal, Sheet,
    State, View, learnt,
};
use houserule_program::ir::{ActionIx, Program};
use houserule_text::Report;
use std::sync::Arc;

/// Choices that a match may take before it is called unfinished, unless said.
pub const CHOICES: usize = 100_000;

/// How many lines of its log a match keeps; of more, the oldest are forgotten.
const LINES: usize = 200_000;

/// A game in progress.
pub struct Match {
    game: Game,
    setup: Setup,
    machine: Machine,
    steps: Vec<Step>,
    now: usize,
    timeline: Timeline,
    log: Vec<Logged>,
    /// How many of its oldest lines are not kept any more.
    forgotten: usize,
    start_log: usize,
    cap: usize,
    given: Option<Arc<str>>,
    discreet: bool,
}

/// What stands in place of a player's name where a question is put to the table.
const TABLE_NAME: &str = "The table";

/// A choice that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The seat that answered.
    pub seat: usize,
    /// On whose behalf; of what was put to the table, the seat's own player.
    pub player: usize,
    /// Whether it was put to the table.
    pub anybody: bool,
    /// The question's number.
    pub question: u32,
    /// What was chosen.
    pub choice: Choice,
    /// The same in words.
    pub words: String,
    /// Whether it uncovered something: a roll, a shuffle, a face that somebody did not know before.
    pub reveals: bool,
    /// Draws of all streams after it.
    pub draws: u64,
    log_end: usize,
    /// Of [`Choice::TimeUp`]: to which step it went back.
    back: usize,
}

/// How a match stands at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Over by the rules.
    Over(Outcome),
    /// Given up, and why.
    Unfinished(String),
}

/// Whether a choice between these states has uncovered something: a roll, a shuffle, a face that somebody did not know before. Then it may not be taken back in fairness.
pub fn is_uncovering(p: &Program, before: &State, after: &State) -> bool {
    after.draws() != before.draws() || learnt(p, before, after) != 0
}

impl Game {
    /// Sets a match up and runs it to its first decision.
    ///
    /// # Errors
    /// What is wrong with the set-up, or what went wrong in the rules on the way.
    pub fn start(&self, setup: &Setup) -> Result<Match, Report> {
        let program = self.lower_setup(setup)?;
        let mut machine = self.make_machine(program.clone(), setup.seed);
        machine.record(true);
        machine.start().map_err(|f| fault_report(&f, &program))?;
        let first = || self.model().first_scenario().map(|s| s.name.to_string());
        let setup = Setup { scenario: setup.scenario.clone().or_else(first), ..setup.clone() };
        Ok(Match::new(self.clone(), setup, machine))
    }
}

impl Match {
    /// A match around a machine that has run to its first question, recording.
    pub fn new(game: Game, setup: Setup, mut machine: Machine) -> Match {
        let log: Vec<Logged> =
            machine.take_events().into_iter().map(|event| Logged { step: 0, event }).collect();
        let timeline = Timeline::new(machine.state().clone(), STATES);
        let start_log = log.len();
        Match {
            game,
            setup,
            machine,
            steps: Vec::new(),
            now: 0,
            timeline,
            log,
            forgotten: 0,
            start_log,
            cap: CHOICES,
            given: None,
            discreet: false,
        }
    }

    /// Notes that the match began in the state that this text describes, so that a save tells it.
    pub fn with_beginning(mut self, given: &str) -> Match {
        self.given = Some(Arc::from(given));
        self
    }

    /// Sets the words for who answers for each seat.
    pub fn with_seats(mut self, seats: Vec<String>) -> Match {
        self.setup.seats = seats;
        self
    }

    /// The text of the state in which it began, if that is not the game's beginning.
    pub fn given_text(&self) -> Option<&str> {
        self.given.as_deref()
    }

    /// Sets the limit on choices.
    pub fn with_cap(mut self, choices: usize) -> Match {
        self.cap = choices;
        self
    }

    /// Lets rule errors leave out what some seat may not know: numbers, texts of scripts, and which rules were running.
    pub fn with_discreet_faults(mut self) -> Match {
        self.discreet = true;
        self
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// How it was set up.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Its program.
    pub fn program(&self) -> &Arc<Program> {
        self.machine.program()
    }

    /// How many players.
    pub fn player_count(&self) -> usize {
        self.program().players as usize
    }

    /// How many seats.
    pub fn seat_count(&self) -> usize {
        self.program().seats as usize
    }

    /// The first player for whom a seat answers.
    pub fn player_of(&self, seat: usize) -> usize {
        let answers = |seats: &u32| seat < 32 && seats >> seat & 1 == 1;
        self.program().answered.iter().position(answers).unwrap_or(seat)
    }

    /// A player's name for people.
    pub fn player_name(&self, player: usize) -> String {
        houserule_engine::thing_title(self.program(), self.program().player_universe, player as i64)
    }

    /// The state.
    pub fn state(&self) -> &State {
        self.machine.state()
    }

    /// The machine, for callers that may see everything (the lab, the laws); bots get a `Sight` instead.
    pub fn machine(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// Read access to the state, for what puts things into words.
    pub(super) fn look(&self) -> houserule_engine::Look<'_> {
        self.machine.look()
    }

    // ── Asking and answering ─────────────────────────────────────────────────────────────────────────────

    /// Raw pending questions, in seat order.
    pub fn questions(&self) -> &[Question] {
        if self.now >= self.cap { &[] } else { self.machine.questions() }
    }

    /// What is asked now, in seat order, for people.
    ///
    /// # Errors
    /// What went wrong in the rules while the options were counted.
    pub fn decisions(&mut self) -> Result<Vec<Decision>, Illegal> {
        let questions: Vec<Question> = self.questions().to_vec();
        let mut out = Vec::new();
        for (i, q) in questions.iter().enumerate() {
            let count = self.machine.options(i).map(Options::count).map_err(|f| self.to_illegal(&f))?;
            out.push(Decision {
                question: q.id,
                player: q.player as usize,
                anybody: q.anybody,
                name: if q.anybody { TABLE_NAME.into() } else { self.player_name(q.player as usize) },
                seats: seat_list(q.seats),
                prompt: self.machine.prompt(i),
                kind: q.kind,
                count,
                span: q.span,
            });
        }
        Ok(out)
    }

    /// Who is done where everyone acts freely, in seat order: each may take it back (“not done”) until all are done. Nobody is asked for it.
    pub fn list_dones(&self) -> Vec<Done> {
        if self.now >= self.cap {
            return Vec::new();
        }
        let done = |q: &Question| Done {
            question: q.id,
            player: q.player as usize,
            name: self.player_name(q.player as usize),
            seats: seat_list(q.seats),
        };
        self.machine.dones().iter().map(done).collect()
    }

    /// Up to `most` answers to a question, from number `from` on, in words.
    ///
    /// # Errors
    /// No such question, or what went wrong in the rules.
    pub fn list_options(&mut self, question: u32, from: u64, most: usize) -> Result<Vec<Offered>, Illegal> {
        self.list_options_for(None, question, from, most)
    }

    /// Lists options as [`Match::list_options`] does, in the words of one seat that may answer: what it alone knows is called by its face.
    ///
    /// # Errors
    /// No such question, or what went wrong in the rules.
    pub fn list_options_for(
        &mut self,
        seat: Option<usize>,
        question: u32,
        from: u64,
        most: usize,
    ) -> Result<Vec<Offered>, Illegal> {
        let (i, q, options) = self.find_question_for(seat, question)?;
        let wording = Wording { seat, ..Wording::new(self.machine.look(), &q, &options) };
        let upto = options.count().min(from.saturating_add(most as u64));
        let mut out: Vec<Offered> = (from..upto)
            .filter_map(|k| options.nth(k))
            .map(|choice| Offered {
                words: wording.choice_text(&choice),
                title: wording.choice_title(&choice),
                path: wording.choice_path(&choice),
                cost: Vec::new(),
                choice,
            })
            .collect();
        for o in &mut out {
            if let Some(title) = self.machine.way_title(i, &o.choice) {
                o.path = vec![title.clone()];
                o.title = title;
            }
            o.cost = self.machine.list_costs(i, &o.choice);
        }
        Ok(out)
    }

    /// A choice out of its words.
    ///
    /// # Errors
    /// No such question, or what is wrong with the words.
    pub fn parse_choice(&mut self, question: u32, words: &str) -> Result<Choice, Illegal> {
        self.parse_choice_for(None, question, words)
    }

    /// A choice out of its words, or out of the words of a seat that may answer.
    ///
    /// # Errors
    /// No such question, or what is wrong with the words.
    pub fn parse_choice_for(
        &mut self,
        seat: Option<usize>,
        question: u32,
        words: &str,
    ) -> Result<Choice, Illegal> {
        let (_, q, options) = self.find_question_for(seat, question)?;
        let wording = Wording { seat, ..Wording::new(self.machine.look(), &q, &options) };
        wording.parse_choice(words).map_err(Illegal::Words)
    }

    /// A choice in words.
    ///
    /// # Errors
    /// No such question, or what went wrong in the rules.
    pub fn choice_words(&mut self, question: u32, choice: &Choice) -> Result<String, Illegal> {
        let (_, q, options) = self.find_question(question)?;
        Ok(Wording::new(self.machine.look(), &q, &options).choice_text(choice))
    }

    pub(super) fn find_question(&mut self, question: u32) -> Result<(usize, Question, Options), Illegal> {
        self.check_open()?;
        let found = self.machine.questions().iter().position(|q| q.id == question);
        let Some(i) = found else { return Err(Illegal::NotPending) };
        let Some(q) = self.machine.questions().get(i).copied() else { return Err(Illegal::NotPending) };
        match self.machine.options(i).cloned() {
            Ok(options) => Ok((i, q, options)),
            Err(f) => Err(self.to_illegal(&f)),
        }
    }

    /// Finds a question that a seat may answer, if a seat is given: the answers may tell others what they may not know.
    fn find_question_for(
        &mut self,
        seat: Option<usize>,
        question: u32,
    ) -> Result<(usize, Question, Options), Illegal> {
        let found = self.find_question(question)?;
        if seat.is_some_and(|s| s >= 32 || found.1.seats >> s & 1 == 0) {
            return Err(Illegal::NotYours { seats: seat_list(found.1.seats) });
        }
        Ok(found)
    }

    fn check_open(&self) -> Result<(), Illegal> {
        if self.machine.is_over() {
            return Err(Illegal::Over);
        }
        if self.now >= self.cap {
            return Err(Illegal::Capped(self.cap));
        }
        Ok(())
    }

    /// A rule error as this match tells it.
    pub fn to_illegal(&self, f: &Fault) -> Illegal {
        let told = if self.discreet { discreet_finding(f) } else { fault_finding(f, self.program()) };
        Illegal::Fault(Box::new(told))
    }

    /// Answers a question for a seat. What came after this point in the time line is forgotten.
    ///
    /// # Errors
    /// Why not; the match is as before.
    pub fn choose(&mut self, seat: usize, question: u32, choice: &Choice) -> Result<(), Illegal> {
        match choice {
            Choice::NotDone => return self.take_back(seat, question),
            Choice::TimeUp => return self.time_up(seat, question),
            _ => {}
        }
        let (i, q, options) = self.find_question_for(Some(seat), question)?;
        let words = Wording::new(self.machine.look(), &q, &options).choice_text(choice);
        let before = self.machine.state().clone();
        match self.machine.choose(i, choice) {
            Ok(()) => {}
            Err(Refusal::NotPending) => return Err(Illegal::NotPending),
            Err(Refusal::Illegal(reasons)) => return Err(Illegal::Refused(reasons)),
            Err(Refusal::Fault(f)) => return Err(self.to_illegal(&f)),
        }
        self.note_choice(&before, seat, &q, choice, words);
        Ok(())
    }

    /// Takes a `done` back, of those that [`Match::list_dones`] tells: its menu is asked again.
    ///
    /// # Errors
    /// Why not; the match is as before.
    pub fn take_back(&mut self, seat: usize, question: u32) -> Result<(), Illegal> {
        self.check_open()?;
        let dones = self.machine.dones();
        let Some((i, q)) = dones.iter().enumerate().find(|(_, q)| q.id == question) else {
            return Err(Illegal::NotPending);
        };
        if seat >= 32 || q.seats >> seat & 1 == 0 {
            return Err(Illegal::NotYours { seats: seat_list(q.seats) });
        }
        let before = self.machine.state().clone();
        match self.machine.take_back(i) {
            Ok(()) => {}
            Err(Refusal::NotPending) => return Err(Illegal::NotPending),
            Err(Refusal::Illegal(reasons)) => return Err(Illegal::Refused(reasons)),
            Err(Refusal::Fault(f)) => return Err(self.to_illegal(&f)),
        }
        self.note_choice(&before, seat, q, &Choice::NotDone, NOT_DONE.into());
        Ok(())
    }

    /// Notes a choice that was taken.
    fn note_choice(&mut self, before: &State, seat: usize, q: &Question, choice: &Choice, words: String) {
        let question = q.id;
        let after = self.machine.state();
        let draws = after.draws().iter().fold(0u64, |a, b| a.wrapping_add(*b));
        let reveals = is_uncovering(self.machine.program(), before, after);
        self.steps.truncate(self.now);
        let keep = self.log_end(self.now);
        self.log.truncate(keep - self.forgotten);
        self.timeline.push_state(self.now, self.machine.state().clone());
        self.now += 1;
        let step = self.now;
        self.log.extend(self.machine.take_events().into_iter().map(|event| Logged { step, event }));
        if self.log.len() > LINES {
            let old = self.log.len() - LINES / 2;
            self.log.drain(..old);
            self.forgotten += old;
        }
        self.steps.push(Step {
            seat,
            player: if q.anybody { self.player_of(seat) } else { q.player as usize },
            anybody: q.anybody,
            question,
            choice: choice.clone(),
            words,
            reveals,
            draws,
            log_end: self.forgotten + self.log.len(),
            back: step,
        });
    }

    // ── Clocks ───────────────────────────────────────────────────────────────────────────────────────────

    /// The clock that runs against whoever is asked that question, if one does and time is measured in this match.
    ///
    /// # Errors
    /// No such question, or what went wrong in the rules.
    pub fn clock(&mut self, question: u32) -> Result<Option<Clock>, Illegal> {
        if !self.setup.timed {
            return Ok(None);
        }
        self.check_open()?;
        let Some(i) = self.machine.questions().iter().position(|q| q.id == question) else {
            return Err(Illegal::NotPending);
        };
        let clock = self.machine.clock(i).map_err(|f| self.to_illegal(&f))?;
        Ok(clock.filter(|c| c.seconds.is_some()))
    }

    /// The clock that runs while a question waits has run out, says whoever measures time: the match goes back to where its menu could last be left since it was put
    /// before the player, and leaves it there. It is a choice like any other: saved, taken back, replayed.
    ///
    /// # Errors
    /// No such question, no clock that runs by seconds, or nowhere to go back to; the match is as before.
    pub fn time_up(&mut self, seat: usize, question: u32) -> Result<(), Illegal> {
        let (i, q, _) = self.find_question(question)?;
        if seat >= 32 || q.seats >> seat & 1 == 0 {
            return Err(Illegal::NotYours { seats: seat_list(q.seats) });
        }
        let no = |text: &str| Illegal::Refused(vec![Reason { span: q.span, text: text.into() }]);
        let Some(clock) = self.clock(question)? else { return Err(no("no clock runs here")) };
        let now = self.now;
        let before = self.machine.state().clone();
        let mut back = None;
        let mut step = now;
        let mut asked = i;
        // Back over the player's own choices, to the menu where it could be left.
        let found = loop {
            let kind = self.machine.questions().get(asked).map(|q| q.kind);
            let runs = match self.machine.clock(asked) {
                Ok(c) => c.filter(|c| c.offer == clock.offer && c.spent <= clock.spent),
                Err(f) => break Err(f),
            };
            let Some(at) = runs else { break Ok(()) };
            if kind == Some(QuestionKind::Menu(clock.offer)) {
                match self.machine.way_out(asked) {
                    Ok(Some(_)) => {
                        back = Some((step, self.machine.state().clone()));
                        break Ok(());
                    }
                    Ok(None) if at.spent == 0 => break Ok(()),
                    Ok(None) => {}
                    Err(f) => break Err(f),
                }
            }
            let own = step.checked_sub(1).and_then(|i| self.steps.get(i)).filter(|s| s.seat == seat);
            let Some(question) = own.map(|s| s.question) else { break Ok(()) };
            if !self.at(step - 1) {
                break Ok(());
            }
            step -= 1;
            let Some(i) = self.machine.questions().iter().position(|q| q.id == question) else {
                break Ok(());
            };
            asked = i;
        };
        self.now = now;
        self.machine.set_state(&before);
        found.map_err(|f| self.to_illegal(&f))?;
        let Some((step, state)) = back else {
            return Err(no("time is up, but there was no point where this menu could be left"));
        };
        match self.machine.time_up(&state, clock.player) {
            Ok(()) => {}
            Err(Refusal::NotPending) => return Err(Illegal::NotPending),
            Err(Refusal::Illegal(reasons)) => return Err(Illegal::Refused(reasons)),
            Err(Refusal::Fault(f)) => return Err(self.to_illegal(&f)),
        }
        self.note_choice(&before, seat, &q, &Choice::TimeUp, TIME_UP.into());
        if let Some(s) = self.steps.last_mut() {
            s.back = step;
        }
        Ok(())
    }

    /// Answers in words whatever is asked of a seat: the first of its questions that the words fit.
    ///
    /// # Errors
    /// Why not; the match is as before.
    pub fn choose_in_words(&mut self, seat: usize, words: &str) -> Result<(), Illegal> {
        self.check_open()?;
        if words.trim() == NOT_DONE {
            let done = self.machine.dones().into_iter().find(|q| seat < 32 && q.seats >> seat & 1 == 1);
            return self.take_back(seat, done.ok_or(Illegal::NotPending)?.id);
        }
        let asked: Vec<u32> = self
            .machine
            .questions()
            .iter()
            .filter(|q| seat < 32 && q.seats >> seat & 1 == 1)
            .map(|q| q.id)
            .collect();
        let mut first = None;
        for q in asked {
            let tried = self.parse_choice_for(Some(seat), q, words).and_then(|c| self.choose(seat, q, &c));
            match tried {
                Ok(()) => return Ok(()),
                Err(e) => first = first.or(Some(e)),
            }
        }
        Err(first.unwrap_or_else(|| {
            let all = self.machine.questions().iter().fold(0, |m, q| m | q.seats);
            if all == 0 { Illegal::NotPending } else { Illegal::NotYours { seats: seat_list(all) } }
        }))
    }

    /// Why an action with these parameters (in words of registers, the menu's first) is not open to a player.
    pub fn why_not(&mut self, player: usize, action: ActionIx, params: &[u64]) -> Vec<Reason> {
        self.machine.why_not(player, action, params)
    }

    /// Why a choice, in words (those of a seat, too), is no answer to a question; empty if it is one.
    ///
    /// # Errors
    /// No such question, or words that mean nothing.
    pub fn why_not_in_words(
        &mut self,
        seat: Option<usize>,
        question: u32,
        words: &str,
    ) -> Result<Vec<Reason>, Illegal> {
        let choice = self.parse_choice_for(seat, question, words)?;
        let (i, ..) = self.find_question(question)?;
        Ok(self.machine.why_not_choice(i, &choice))
    }

    // ── Looking ──────────────────────────────────────────────────────────────────────────────────────────

    /// What a seat may know, and nothing else.
    pub fn view(&mut self, seat: usize) -> View {
        self.machine.view(seat)
    }

    /// The log up to now: of a seat, or all of it.
    pub fn log(&self, seat: Option<usize>) -> Vec<LogLine> {
        self.log_since(seat, 0)
    }

    /// The log from a step on (0: from the start; step n tells what choice n brought).
    pub fn log_since(&self, seat: Option<usize>, step: usize) -> Vec<LogLine> {
        let upto = self.log.get(..self.log_end(self.now) - self.forgotten).unwrap_or(&[]);
        read_lines(self.program(), seat, upto.get(upto.partition_point(|l| l.step < step)..).unwrap_or(&[]))
    }

    /// The log of the whole time line, what was taken back included.
    pub fn log_of_line(&self, seat: Option<usize>) -> Vec<LogLine> {
        read_lines(self.program(), seat, &self.log)
    }

    /// Where the log of a step ends, counted from the match's first line.
    fn log_end(&self, step: usize) -> usize {
        let end = match step.checked_sub(1) {
            None => self.start_log,
            Some(i) => self.steps.get(i).map_or(self.forgotten + self.log.len(), |s| s.log_end),
        };
        end.max(self.forgotten)
    }

    /// How the match ended, if it has.
    pub fn ending(&mut self) -> Option<Ending> {
        if self.machine.is_over() {
            return self.machine.outcome().cloned().map(Ending::Over);
        }
        (self.now >= self.cap)
            .then(|| Ending::Unfinished(format!("the game has no end after {} choices", self.cap)))
    }

    /// What the rules hand on as the match stands now; [`Match::hand_on`] says it in words.
    pub(super) fn legacy(&mut self) -> Result<Legacy, String> {
        let program = self.program().clone();
        self.machine.legacy().map_err(|f| fault_finding(&f, &program).message)
    }

    /// Scores and rankings line by line, with everything open: for the end of a match.
    pub fn sheets(&mut self) -> Vec<Sheet> {
        self.machine.sheets()
    }

    /// Whether nobody is asked any more.
    pub fn is_over(&self) -> bool {
        self.machine.is_over() || self.now >= self.cap
    }

    /// Choices taken up to now; [`Match::steps`] may hold more, to be redone.
    pub fn step(&self) -> usize {
        self.now
    }

    /// All choices of the time line, those that were taken back included.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    // ── Time line ────────────────────────────────────────────────────────────────────────────────────────

    /// Takes the last choice back.
    ///
    /// # Errors
    /// Why not.
    pub fn undo(&mut self, mode: UndoMode) -> Result<(), NoUndo> {
        let Some(step) = self.now.checked_sub(1).and_then(|i| self.steps.get(i)) else {
            return Err(NoUndo::Nothing);
        };
        if let UndoMode::Fair { seat } = mode {
            if step.seat != seat {
                return Err(NoUndo::OthersChoice);
            }
            if self.game.has_hidden_lots() {
                return Err(NoUndo::HiddenLots);
            }
            if step.reveals {
                return Err(NoUndo::Revealed);
            }
        }
        self.at(self.now - 1);
        Ok(())
    }

    /// Takes the next choice again. False if there is none.
    pub fn redo(&mut self) -> bool {
        self.now < self.steps.len() && self.at(self.now + 1)
    }

    /// Goes to a step of the time line (number n: after n choices). False if there is no such step.
    pub fn at(&mut self, step: usize) -> bool {
        if step > self.steps.len() {
            return false;
        }
        let Some(mut i) = self.timeline.nearest_before(step).map(|(i, _)| i) else { return false };
        // A clock that ran out goes back to a step that must be played, too.
        while let Some(back) = self.clock_rewinds(i, step).find(|b| *b < i) {
            let Some((earlier, _)) = self.timeline.nearest_before(back) else { return false };
            i = earlier;
        }
        let mut kept: Vec<(usize, State)> = Vec::new();
        let needed: Vec<usize> = self.clock_rewinds(i, step).collect();
        let Some((_, state)) = self.timeline.nearest_before(i) else { return false };
        let back = self.machine.state().clone();
        self.machine.set_state(state);
        self.machine.record(false);
        let mut fine = true;
        while fine && i < step {
            if needed.contains(&i) {
                kept.push((i, self.machine.state().clone()));
            }
            let next = self.steps.get(i);
            if let Some(s) = next.filter(|s| s.choice == Choice::TimeUp) {
                let player = u8::try_from(s.player).unwrap_or(u8::MAX);
                let state = kept.iter().find(|(k, _)| *k == s.back).map(|(_, state)| state);
                fine = state.is_some_and(|state| self.machine.time_up(state, player).is_ok());
                i += 1;
                continue;
            }
            if let Some(s) = next.filter(|s| s.choice == Choice::NotDone) {
                let done = self.machine.dones().iter().position(|q| q.id == s.question);
                fine = done.is_some_and(|d| self.machine.take_back(d).is_ok());
                i += 1;
                continue;
            }
            let q = next.and_then(|s| self.machine.questions().iter().position(|q| q.id == s.question));
            fine = match (next, q) {
                (Some(s), Some(q)) => self.machine.choose(q, &s.choice).is_ok(),
                _ => false,
            };
            i += 1;
        }
        if fine {
            self.now = step;
        } else {
            self.machine.set_state(&back);
        }
        self.machine.take_events();
        self.machine.record(true);
        fine
    }

    /// The steps to which clocks that ran out between two steps went back.
    fn clock_rewinds(&self, from: usize, to: usize) -> impl Iterator<Item = usize> + '_ {
        let between = self.steps.get(from..to).unwrap_or(&[]);
        between.iter().filter(|s| s.choice == Choice::TimeUp).map(|s| s.back)
    }

    /// A match of its own that goes on from here.
    pub fn fork(&self) -> Match {
        let mut machine = self.game.make_machine(self.program().clone(), self.setup.seed);
        machine.set_state(self.machine.state());
        machine.record(true);
        Match {
            game: self.game.clone(),
            setup: self.setup.clone(),
            machine,
            steps: self.steps.clone(),
            now: self.now,
            timeline: self.timeline.clone(),
            log: self.log.clone(),
            forgotten: self.forgotten,
            start_log: self.start_log,
            cap: self.cap,
            given: self.given.clone(),
            discreet: self.discreet,
        }
    }
}

/// Seats of a set of bits.
pub fn seat_list(seats: u32) -> Vec<usize> {
    (0..32).filter(|s| seats >> s & 1 == 1).collect()
}
