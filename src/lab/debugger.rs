//! A debugger for rules: stops a game in front of a statement, and goes on statement by statement, forwards and backwards.
//!
//! Between two questions a game runs through a *stretch*. A stretch is run once to the end, and its statements are noted; to stop at one of them, the state before the stretch
//! is restored and the stretch runs again up to there. So a game can be looked at in every state that it passes, and going back is as easy as going on.
//! Code is compiled without optimisations and with coverage marks, so that statements are in the order in which they are written.
use houserule_bots::Bot;
use houserule_engine::{Choice, Event, Fault, Frame, Machine, Question, Refusal, State, Stream};
use houserule_model::body::walk;
use houserule_play::words::Wording;
use houserule_play::{Game, Setup};
use houserule_program::ir::Program;
use houserule_program::{LowerOptions, PassSet};
use houserule_text::{Report, Span};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most marks of one stretch that are kept.
const LONGEST: usize = 2_000_000;

/// The stream from which choices are drawn.
const DEBUG: u64 = 0xdeb6;

/// What begins a stretch.
#[derive(Clone, Debug)]
enum Beginning {
    /// The set-up.
    Start,
    /// The answer to a question.
    Answer(usize, Choice),
}

/// A statement at which a stretch can be stopped.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// How many marks lie before it.
    marks: u64,
    /// The statement.
    span: Span,
}

/// A game that is debugged.
pub struct Debugger {
    program: Arc<Program>,
    machine: Machine,
    game: Game,
    seed: u64,
    /// The state before the stretch, and what begins it.
    before: State,
    beginning: Beginning,
    /// The statements of the stretch.
    steps: Vec<Step>,
    /// The present one; none: the stretch is over.
    at: Option<usize>,
    /// The state behind the stretch.
    after: State,
    /// Why the stretch has ended with an error.
    failed: Option<Fault>,
    frames: Vec<Frame>,
    events: Vec<String>,
    rng: Stream,
    choices: usize,
}

/// Where a game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// In front of a statement.
    Before(Span),
    /// A question waits for an answer.
    Asked,
    /// The rules have failed.
    Failed,
    /// The game is over.
    Over,
}

/// How to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// To the next statement, also into what it calls.
    Into,
    /// To the next statement of the same rule, or of one that has called it.
    Over,
    /// To the statement behind the call of this rule.
    Out,
    /// To the statement before.
    Back,
}

impl Debugger {
    /// A game from its set-up on, stopped in front of the first statement.
    ///
    /// # Errors
    /// Why the set-up cannot be played.
    pub fn new(game: &Game, setup: &Setup) -> Result<Debugger, Report> {
        let game = game.with_lowering(LowerOptions {
            lift: false,
            passes: PassSet::NONE,
            cover: true,
            ..game.lowering()
        });
        let program = game.lower_setup(setup)?;
        let machine = game.make_machine(program.clone(), setup.seed);
        let mut out = Debugger {
            before: machine.state().clone(),
            after: machine.state().clone(),
            program,
            machine,
            seed: setup.seed,
            beginning: Beginning::Start,
            steps: Vec::new(),
            at: None,
            failed: None,
            frames: Vec::new(),
            events: Vec::new(),
            rng: Stream::new(setup.seed, DEBUG),
            choices: 0,
            game,
        };
        out.run_stretch();
        out.go_to(0);
        Ok(out)
    }

    /// The statements of a game's rules at which it can be stopped.
    pub fn list_statements(game: &Game) -> BTreeSet<Span> {
        let mut out = BTreeSet::new();
        walk::visit_rule_blocks(game.model(), &mut |b| {
            walk::visit_stmts(b, &mut |s| {
                out.insert(s.span);
            });
        });
        out
    }

    /// Runs the stretch to its end and notes its statements. The machine is in the state before it.
    fn run_stretch(&mut self) {
        self.machine.record(true);
        self.machine.take_events();
        self.machine.trace_marks(true);
        let ended = match &self.beginning {
            Beginning::Start => self.machine.start(),
            Beginning::Answer(q, choice) => match self.machine.choose(*q, choice) {
                Ok(()) => Ok(()),
                Err(Refusal::Fault(fault)) => Err(fault),
                // It was asked before whether the choice is possible.
                Err(_) => Ok(()),
            },
        };
        let trace = self.machine.take_trace();
        self.machine.trace_marks(false);
        self.failed = ended.err();
        self.after = self.machine.state().clone();
        let statements = Debugger::list_statements(&self.game);
        let mut steps: Vec<Step> = Vec::new();
        let mut last = None;
        for (marks, n) in trace.iter().take(LONGEST).enumerate() {
            let Some(span) = self.program.marks.get(*n as usize).copied() else { continue };
            if !statements.contains(&span) {
                continue;
            }
            // A statement may have several marks, one behind the other; a loop comes back to the first.
            let goes_on = last.is_some_and(|(number, place)| place == span && *n > number);
            last = Some((*n, span));
            if !goes_on {
                steps.push(Step { marks: marks as u64, span });
            }
        }
        self.steps = steps;
        self.at = None;
    }

    /// Restores the state in front of the statement with that number in the stretch; behind the last one, the state in which the stretch ended.
    fn go_to(&mut self, number: usize) {
        let Some(step) = self.steps.get(number).copied() else {
            self.machine.set_state(&self.after);
            self.frames.clear();
            self.at = None;
            if self.failed.is_none() {
                self.events = self.read_events_of_stretch();
                self.machine.set_state(&self.after);
            }
            return;
        };
        let paused = self.run_up_to(step.marks);
        self.events = to_lines(&self.machine.take_events());
        self.frames = paused.map(|f| f.frames).unwrap_or_default();
        self.at = Some(number);
    }

    /// Runs the stretch again, up to a mark.
    fn run_up_to(&mut self, marks: u64) -> Option<Fault> {
        match self.beginning.clone() {
            Beginning::Start => {
                self.machine = self.game.make_machine(self.program.clone(), self.seed);
                self.machine.record(true);
                self.machine.start_paused(marks).ok().flatten()
            }
            Beginning::Answer(q, choice) => {
                self.machine.set_state(&self.before);
                self.machine.record(true);
                self.machine.take_events();
                self.machine.choose_paused(q, &choice, marks).ok().flatten()
            }
        }
    }

    fn read_events_of_stretch(&mut self) -> Vec<String> {
        self.run_up_to(u64::MAX);
        to_lines(&self.machine.take_events())
    }

    /// Where the game is.
    pub fn standing(&self) -> Standing {
        match self.at.and_then(|n| self.steps.get(n)) {
            Some(step) => Standing::Before(step.span),
            None if self.failed.is_some() => Standing::Failed,
            None if self.machine.is_over() => Standing::Over,
            None => Standing::Asked,
        }
    }

    /// The error with which the stretch has ended.
    pub fn failure(&self) -> Option<&Fault> {
        self.failed.as_ref()
    }

    /// The calls that are running, innermost first.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// What has happened in this stretch so far, with everything open.
    pub fn events(&self) -> &[String] {
        &self.events
    }

    /// The compiled game.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The machine in the present state, to read values from.
    pub fn machine(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// How many choices were made.
    pub fn choices(&self) -> usize {
        self.choices
    }

    /// Goes a step. False: there is no such step in this stretch; the game then stands at the end of it, or, backwards, where it was.
    pub fn go(&mut self, way: Way) -> bool {
        let here = self.at.unwrap_or(self.steps.len());
        if way == Way::Back {
            let Some(before) = here.checked_sub(1).filter(|n| *n < self.steps.len()) else { return false };
            self.go_to(before);
            return true;
        }
        let depth = self.frames.len();
        let mut next = here.saturating_add(1);
        while next < self.steps.len() {
            self.go_to(next);
            let fits = match way {
                Way::Over => self.frames.len() <= depth,
                Way::Out => self.frames.len() < depth,
                Way::Into | Way::Back => true,
            };
            if fits {
                return true;
            }
            next += 1;
        }
        self.go_to(self.steps.len());
        false
    }

    /// Goes on to the next statement that is wanted, within the stretch; `here_too`: the present one counts. False: there is none, and the game stands at the end of the stretch.
    pub fn run_to(&mut self, wanted: &dyn Fn(Span) -> bool, here_too: bool) -> bool {
        let here = self.at.unwrap_or(self.steps.len());
        let first = if here_too { here } else { here.saturating_add(1) };
        let found = (first..self.steps.len()).find(|n| self.steps.get(*n).is_some_and(|s| wanted(s.span)));
        self.go_to(found.unwrap_or(self.steps.len()));
        found.is_some()
    }

    /// The questions that wait, if the stretch is over.
    pub fn questions(&self) -> Vec<Question> {
        if self.at.is_some() || self.failed.is_some() {
            Vec::new()
        } else {
            self.machine.questions().to_vec()
        }
    }

    /// The answers to a question in words, at most so many.
    ///
    /// # Errors
    /// A rule error.
    pub fn list_answers(&mut self, q: usize, most: usize) -> Result<Vec<String>, Fault> {
        let Some(question) = self.machine.questions().get(q).copied() else { return Ok(Vec::new()) };
        let options = self.machine.options(q).cloned()?;
        let wording = Wording::new(self.machine.look(), &question, &options);
        Ok(options.iter().take(most).map(|c| wording.choice_text(&c)).collect())
    }

    /// Answers a question and stands in front of the first statement that follows.
    ///
    /// # Errors
    /// Why the answer is not possible.
    pub fn answer(&mut self, q: usize, words: &str) -> Result<(), String> {
        let Some(question) = self.machine.questions().get(q).copied() else {
            return Err(String::from("nobody is asked"));
        };
        let options = self.machine.options(q).cloned().map_err(|f| f.to_string())?;
        let wording = Wording::new(self.machine.look(), &question, &options);
        let choice = wording.parse_choice(words).map_err(|e| e.to_string())?;
        if options.index_of(&choice).is_none() {
            let reasons: Vec<String> =
                self.machine.why_not_choice(q, &choice).into_iter().map(|r| r.text).collect();
            return Err(reasons.join("; "));
        }
        self.take(q, choice);
        Ok(())
    }

    /// Answers the first question as a bot does, and stands in front of the first statement that follows. The answer in words; none: nobody is asked, or the bot finds none.
    pub fn answer_as(&mut self, bot: Bot) -> Option<String> {
        if self.questions().is_empty() {
            return None;
        }
        let question = self.machine.questions().first().copied()?;
        let seat = question.seats.trailing_zeros() as usize;
        let seed = self.rng.draw();
        let hooks = self.game.make_hooks(&self.program);
        let kept = self.machine.state().clone();
        let sight = houserule_bots::Sight::new(&mut self.machine, hooks, seat, 0);
        let choice = sight.and_then(|mut s| bot.make_policy(seed).choose(&mut s).ok().flatten())?;
        self.machine.set_state(&kept);
        let options = self.machine.options(0).cloned().ok()?;
        let said = Wording::new(self.machine.look(), &question, &options).choice_text(&choice);
        self.take(0, choice);
        Some(said)
    }

    fn take(&mut self, q: usize, choice: Choice) {
        self.before = self.machine.state().clone();
        self.beginning = Beginning::Answer(q, choice);
        self.choices += 1;
        self.run_stretch();
        self.go_to(0);
    }
}

fn to_lines(events: &[Event]) -> Vec<String> {
    events.iter().filter_map(|e| e.text(None)).filter(|t| !t.is_empty()).collect()
}
