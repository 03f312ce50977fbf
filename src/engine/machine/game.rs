//! `Machine`: a program, a state and the methods that the other rooms call. `scheduler::core::Core` does the work.
use crate::base::event::Event;
use crate::base::fault::{Fault, FaultKind, Stop};
use crate::base::stream::below;
use crate::context::pilot::{Course, Pick, Pilot};
use crate::context::recorder::Watcher;
use crate::context::run_context::{Context, Hooks, Interpreter};
use crate::data::decision::{Choice, Options, Question, Refusal};
use crate::data::outcome::Outcome;
use crate::data::state::{State, Status};
use crate::interp::run_loop;
use crate::scheduler::core::Core;
use crate::world::cells::initial_state;
use crate::world::knowledge::SeededFault;
use crate::world::look::Look;
use crate::world::tables::WorldTables;
use houserule_program::ir::{FuncId, NONE, Program};
use houserule_text::Span;
use rand::Rng;
use std::sync::Arc;

/// The default budget: steps between two questions.
const BUDGET: u64 = 10_000_000;

/// A game in progress: a program, a state, and what a run uses beside the state.
pub struct Machine {
    pub(crate) program: Arc<Program>,
    pub(crate) core: Core,
    /// The state before the present choice.
    backup: State,
    /// Whether a playout came to a fault: then the game is over without an outcome.
    faulted: bool,
    /// The number of answers taken before the fault.
    made_before_fault: u64,
    /// Whether components of some kind can be mixed up ([`houserule_program::ir::Components::mixed`]).
    mixed: bool,
    /// The options in canonical order, as they were last shown.
    shown: Options,
}

/// Gives seats the random numbers with which their answers are drawn.
pub trait Numbers {
    /// A source of numbers; a copy of it gives the same numbers again.
    type Source: Rng + Clone;

    /// A seat's source; `None` if the seat does not answer at random.
    fn of(&mut self, seat: usize) -> Option<&mut Self::Source>;
}

/// One source for all seats.
struct One<'a, G>(&'a mut G);

impl<G: Rng + Clone> Numbers for One<'_, G> {
    type Source = G;

    fn of(&mut self, _: usize) -> Option<&mut G> {
        Some(self.0)
    }
}

/// Answers by the uniform policy for the seats that have a source of numbers.
struct Uniform<'a, N: Numbers> {
    numbers: &'a mut N,
    /// The copy of a seat's source that [`Pilot::mark`] made.
    marked: Option<N::Source>,
}

impl<N: Numbers> Pilot for Uniform<'_, N> {
    fn pick(&mut self, seat: usize, options: &Options) -> Pick {
        let Some(rng) = self.numbers.of(seat) else { return Pick::Stop };
        match options.draw_at(rng) {
            Ok(Some((seg, k))) => Pick::At(seg, k),
            Ok(None) => Pick::Stop,
            Err(seg) => Pick::Choice(options.draw_subset(seg, rng)),
        }
    }

    fn pick_one_of(&mut self, seat: usize, n: u64) -> Option<u64> {
        let rng = self.numbers.of(seat)?;
        Some(below(n, || rng.next_u64()))
    }

    fn mark(&mut self, seat: usize) {
        self.marked = self.numbers.of(seat).cloned();
    }

    fn rewind(&mut self, seat: usize) {
        if let (Some(rng), Some(before)) = (self.numbers.of(seat), self.marked.take()) {
            *rng = before;
        }
    }
}

impl Machine {
    /// A game before its set-up. `seed` is the seed of all its streams.
    pub fn new(program: Arc<Program>, seed: u64) -> Machine {
        let world = WorldTables::new(&program);
        let state = initial_state(&program, seed);
        let mut context = Context::default();
        context.run = Interpreter(run_loop::run);
        context.budget = BUDGET;
        context.asker = NONE;
        context.memo = crate::context::memo::Memo::new(&program);
        let core = Core {
            world,
            state,
            context,
            questions: Vec::new(),
            options_for: None,
            fresh: None,
            outcome: Outcome::default(),
            settled: false,
            results: Vec::new(),
            may_leave: false,
        };
        let mixed = program.comps.iter().any(|c| c.mixed);
        let backup = State::default();
        Machine {
            program,
            core,
            backup,
            faulted: false,
            made_before_fault: 0,
            mixed,
            shown: Options::default(),
        }
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Sets what runs hooks; without it, a call of a hook is a fault.
    pub fn set_hooks(&mut self, hooks: Arc<dyn Hooks>) {
        self.core.context.hooks = Some(hooks);
    }

    /// Sets the most steps between two questions (10,000,000 unless set).
    pub fn set_budget(&mut self, steps: u64) {
        self.core.context.budget = steps;
    }

    /// Runs the whole game to its first question or its end.
    ///
    /// # Errors
    /// A rule error; the state is then as before.
    pub fn start(&mut self) -> Result<(), Fault> {
        let f = self.program.main;
        self.begin(f, NONE, &[], false)
    }

    /// For tests: runs the bare set-up ([`Program::bare`]) and stops; no question is pending.
    ///
    /// # Errors
    /// A rule error, or that a question was asked; the state is then as before.
    pub fn start_bare(&mut self) -> Result<(), Fault> {
        let f = self.program.bare;
        if f.index() >= self.program.funcs.len() {
            return Ok(());
        }
        self.begin(f, NONE, &[], true)?;
        if self.is_waiting() {
            self.restore();
            return Err(self.core.context.fault(FaultKind::Asked));
        }
        Ok(())
    }

    /// For tests: runs an effect function of (me, args) as a root fiber of its own, to its first question or its end. If it ends at once, its results are copied to `out`; if it asks,
    /// [`Machine::results`] gives them when it has ended. A fiber that waits from an earlier call is dropped. True if it has ended.
    ///
    /// # Errors
    /// A rule error; the state is then as before.
    pub fn run_effect(&mut self, f: FuncId, me: i64, args: &[u64], out: &mut [u64]) -> Result<bool, Fault> {
        self.begin(f, me, args, true)?;
        if self.is_waiting() {
            return Ok(false);
        }
        let n = out.len().min(self.core.results.len());
        if let (Some(a), Some(b)) = (out.get_mut(..n), self.core.results.get(..n)) {
            a.copy_from_slice(b);
        }
        Ok(true)
    }

    /// For tests: as [`Machine::run_effect`], beside a game that waits for answers: if it ends at once, the game waits as before, and its options are listed again. If it asks a
    /// question, the waiting fibers are dropped.
    ///
    /// # Errors
    /// A rule error; the state is then as before.
    pub fn run_aside(&mut self, f: FuncId, me: i64, args: &[u64], out: &mut [u64]) -> Result<bool, Fault> {
        let kept = self.is_waiting().then(|| self.core.state.clone());
        let ended = self.run_effect(f, me, args, out)?;
        if let Some(kept) = kept
            && ended
            && !self.is_over()
        {
            let now = &mut self.core.state;
            now.fibers = kept.fibers;
            now.phases = kept.phases;
            now.outer_turns = kept.outer_turns;
            now.head.test_root = kept.head.test_root;
            self.core.context.memo.invalidate_all();
            self.core.options_for = None;
            self.core.list_questions(&self.program);
        }
        Ok(ended)
    }

    fn begin(&mut self, f: FuncId, me: i64, args: &[u64], test_root: bool) -> Result<(), Fault> {
        self.keep();
        let logged = self.core.context.rec.len();
        self.faulted = false;
        let started = self.core.start_root(&self.program, f, me, args, test_root);
        started
            .and_then(|()| self.core.drive(&self.program, &mut Course::default()))
            .map_err(|stop| self.roll_back(stop, logged))
    }

    /// Undoes a choice or a start that came to a fault: the log is cut back to `logged` entries, the state is as [`Machine::keep`] left it.
    pub(crate) fn roll_back(&mut self, stop: Stop, logged: usize) -> Fault {
        let fault = self.core.context.fault(stop);
        if fault.kind == FaultKind::Paused {
            return fault;
        }
        self.core.context.rec.truncate(logged);
        self.restore();
        fault
    }

    /// Copies the state, for [`Machine::restore`].
    pub(crate) fn keep(&mut self) {
        self.backup.clone_from(&self.core.state);
    }

    pub(crate) fn restore(&mut self) {
        self.core.state.clone_from(&self.backup);
        self.core.context.memo.invalidate_all();
        self.core.options_for = None;
        self.core.settled = false;
        self.core.list_questions(&self.program);
    }

    /// Whether a fiber is in use.
    pub fn is_waiting(&self) -> bool {
        self.core.state.fibers.iter().any(|f| f.status != Status::Free)
    }

    /// Results of the root fiber that ended last.
    pub fn results(&self) -> &[u64] {
        &self.core.results
    }

    /// For tests: the next rolls of a player (or none: of any player) give these numbers (each modulo the range), in place of those ordered for the same player before. What the test
    /// itself rolls takes any of them. A die shows the side with that value; a value that is on no side counts as a side's number. Shuffles are ordered by
    /// [`Machine::order_shuffle`].
    pub fn rig(&mut self, who: Option<usize>, rolls: &[u64]) {
        let who = who.map_or(NONE, |p| p as i64);
        let rigged = &mut self.core.state.rigged;
        rigged.retain(|(of, _)| *of != who);
        rigged.extend(rolls.iter().map(|x| (who, *x)));
    }

    /// To enumerate all outcomes of chance: from now on draws give these numbers in order (each modulo its range), then 0, and use no stream.
    pub fn lay_down(&mut self, numbers: &[u64]) {
        let script = self.core.context.script.get_or_insert_default();
        script.ranges.clear();
        script.turns = None;
        script.numbers.clear();
        script.numbers.extend_from_slice(numbers);
    }

    /// Ends [`Machine::lay_down`]. Returns the ranges of the draws made since, in order (without draws with one outcome), and how many turns had begun at the first draw.
    pub fn take_draws(&mut self) -> (Vec<u64>, Option<i32>) {
        self.core.context.script.take().map(|s| (s.ranges, s.turns)).unwrap_or_default()
    }

    /// Sets another seed, before the game has started.
    pub fn reseed(&mut self, seed: u64) {
        self.core.state.head.seed = seed;
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.core.state.head.over
    }

    /// How it ended; `None` while it goes on, and after a fault in a playout.
    pub fn outcome(&mut self) -> Option<&Outcome> {
        if !self.core.state.head.over || self.faulted {
            return None;
        }
        if !self.core.settled {
            // The memory of the last outcome is reused.
            let mut outcome = std::mem::take(&mut self.core.outcome);
            self.compute_outcome(&mut outcome);
            self.core.outcome = outcome;
            self.core.settled = true;
        }
        Some(&self.core.outcome)
    }

    /// The questions that are asked now, in seat order.
    pub fn questions(&self) -> &[Question] {
        &self.core.questions
    }

    /// The options of a question. Components with secret numbers are in canonical order, so that the order reveals nothing either.
    ///
    /// # Errors
    /// A rule error in a guard.
    pub fn options(&mut self, q: usize) -> Result<&Options, Fault> {
        self.core.find_options(&self.program, q)?;
        let Core { world, state, context, questions, .. } = &self.core;
        match questions.get(q).filter(|_| self.mixed && context.seeded != Some(SeededFault::NumberedOptions))
        {
            Some(question) => {
                self.shown.clone_from(&context.opts);
                crate::world::canonical_order::arrange(
                    world.with(&self.program),
                    state,
                    question,
                    &mut self.shown,
                );
                Ok(&self.shown)
            }
            None => Ok(&context.opts),
        }
    }

    /// Draws an answer by the uniform policy.
    ///
    /// # Errors
    /// A rule error in a guard.
    pub fn draw<G: Rng + ?Sized>(&mut self, q: usize, rng: &mut G) -> Result<Option<Choice>, Fault> {
        self.core.find_options(&self.program, q)?;
        Ok(self.core.context.opts.draw(rng))
    }

    /// Answers. On a refusal or fault the state is as before.
    ///
    /// # Errors
    /// Why the choice was not taken.
    pub fn choose(&mut self, q: usize, choice: &Choice) -> Result<(), Refusal> {
        let Some(question) = self.core.questions.get(q).copied() else { return Err(Refusal::NotPending) };
        self.core.find_options(&self.program, q).map_err(Refusal::Fault)?;
        let Some(choice) = self.canonical(&question, choice) else {
            return Err(Refusal::Illegal(self.why_not_choice(q, choice)));
        };
        self.keep();
        let logged = self.core.context.rec.len();
        let taken = self.core.take_answer(&self.program, q, choice, &mut Course::default());
        taken.map_err(|stop| Refusal::Fault(self.roll_back(stop, logged)))
    }

    /// A choice as it is among the options of a question now: itself, or one that differs only by alike components; none if it is no option.
    ///
    /// # Errors
    /// A rule error.
    pub fn find_choice(&mut self, q: usize, choice: &Choice) -> Result<Option<Choice>, Fault> {
        let Some(question) = self.core.questions.get(q).copied() else { return Ok(None) };
        self.core.find_options(&self.program, q)?;
        Ok(self.canonical(&question, choice))
    }

    /// Answers with option `k`, for playouts: no copy is kept, so after a fault the game is over without an outcome.
    ///
    /// # Errors
    /// A rule error, also if there is no option of that number.
    pub fn choose_nth(&mut self, q: usize, k: u64) -> Result<(), Fault> {
        self.core.find_options(&self.program, q)?;
        match self.core.context.opts.nth(k) {
            Some(choice) => self.choose_known(q, choice),
            None => Err(self.core.context.fault(FaultKind::BadProgram("an option that is not there"))),
        }
    }

    /// Draws an answer by the uniform policy and gives it, for playouts: as [`Machine::choose_nth`]. False if there was nothing to answer.
    ///
    /// # Errors
    /// A rule error.
    pub fn step<G: Rng + Clone>(&mut self, q: usize, rng: &mut G) -> Result<bool, Fault> {
        Ok(self.play_on(q, 1, false, &mut One(rng))? == 1)
    }

    /// Plays on by the uniform policy until the game is over or `most` answers were given. Returns how many. The first question is always answered next; the draws are those of repeated
    /// calls of [`Machine::step`] on question 0, but faster: questions are not listed between two answers.
    ///
    /// # Errors
    /// A rule error; the game is then over without an outcome.
    pub fn playout<G: Rng + Clone>(&mut self, rng: &mut G, most: u64) -> Result<u64, Fault> {
        let mut made = 0;
        while made < most && !self.is_over() {
            match self.play_on(0, most - made, false, &mut One(rng))? {
                0 => break,
                more => made += more,
            }
        }
        Ok(made)
    }

    /// Answers question `q` by the uniform policy, and then, as long as one player alone is asked, the questions to seats that have a source of numbers; `most` answers
    /// at most; with `checked` none, after the first, while an invariant does not hold. Returns how many: 0 if there was nothing to answer, or no source for the first
    /// seat.
    ///
    /// # Errors
    /// A rule error; the game is then over without an outcome.
    pub fn play_on<N: Numbers>(
        &mut self,
        q: usize,
        most: u64,
        checked: bool,
        numbers: &mut N,
    ) -> Result<u64, Fault> {
        let checked = checked && !self.program.invariants.is_empty();
        if most == 0 {
            return Ok(0);
        }
        self.made_before_fault = 0;
        let mut pilot = Uniform { numbers, marked: None };
        let mut course = Course { pilot: Some(&mut pilot), left: most, checked, broken: false };
        if self.core.answer_fast(&self.program, q, &mut course) {
            let r = self.core.drive(&self.program, &mut course);
            let left = course.left;
            return self.count_answers(r, most, left);
        }
        let pick = self.pick(q, &mut pilot)?;
        let mut course = Course { pilot: Some(&mut pilot), left: most - 1, checked, broken: false };
        let r = match pick {
            Pick::Stop => return Ok(0),
            Pick::At(seg, k) => self.core.take_option(&self.program, q, seg, k, &mut course),
            Pick::Choice(choice) => self.core.take_answer(&self.program, q, choice, &mut course),
        };
        let left = course.left;
        self.count_answers(r, most, left)
    }

    /// A pilot's answer to a question.
    fn pick(&mut self, q: usize, pilot: &mut dyn Pilot) -> Result<Pick, Fault> {
        let drawn = self.core.sample_pending(&self.program, q, pilot);
        if let Some(pick) = drawn.map_err(|stop| self.core.context.fault(stop))? {
            return Ok(pick);
        }
        self.core.find_options(&self.program, q)?;
        let seat = self.core.questions.get(q).map_or(0, |q| q.seats.trailing_zeros() as usize);
        Ok(pilot.pick(seat, &self.core.context.opts))
    }

    /// The answer that [`Machine::play_on`] would give to a question, with the same draws; nothing is answered. `None`: it would give none.
    ///
    /// # Errors
    /// A rule error in a guard.
    pub fn sample<N: Numbers>(&mut self, q: usize, numbers: &mut N) -> Result<Option<Choice>, Fault> {
        Ok(match self.pick(q, &mut Uniform { numbers, marked: None })? {
            Pick::Stop => None,
            Pick::At(seg, k) => Some(self.core.context.opts.pick_in(seg, k)),
            Pick::Choice(choice) => Some(choice),
        })
    }

    /// How many answers a run has taken; `left` are those that it might still have given.
    fn count_answers(&mut self, r: Result<(), Stop>, most: u64, left: u64) -> Result<u64, Fault> {
        r.map(|()| most - left).map_err(|stop| {
            // The last answer is the one that brought the fault.
            self.made_before_fault = (most - left).saturating_sub(1);
            self.fail(stop)
        })
    }

    /// After a fault in [`Machine::play_on`]: the number of answers that it had taken completely.
    pub fn made_before_fault(&self) -> u64 {
        self.made_before_fault
    }

    /// Answers with a choice that is known to be one of the options in this very state, as [`Machine::choose_nth`]: it is not looked up again.
    ///
    /// # Errors
    /// A rule error.
    pub fn choose_known(&mut self, q: usize, choice: Choice) -> Result<(), Fault> {
        let taken = self.core.take_answer(&self.program, q, choice, &mut Course::default());
        taken.map_err(|stop| self.fail(stop))
    }

    /// Ends a game whose playout came to a fault, without an outcome.
    #[cold]
    fn fail(&mut self, kind: Stop) -> Fault {
        let fault = self.core.context.fault(kind);
        self.core.state.head.over = true;
        self.faulted = true;
        self.core.context.asker = NONE;
        self.core.questions.clear();
        for fiber in &mut self.core.state.fibers {
            fiber.status = Status::Free;
        }
        fault
    }

    /// Runs a pure function.
    ///
    /// # Errors
    /// A rule error.
    pub fn eval(&mut self, f: FuncId, args: &[u64], out: &mut [u64]) -> Result<(), Fault> {
        self.core.context.refill();
        let r =
            self.core.context.pure(self.core.world.with(&self.program), &mut self.core.state, f, args, out);
        r.map_err(|k| self.core.context.fault(k))
    }

    /// The first invariant that does not hold, by its number.
    ///
    /// # Errors
    /// A rule error while one is judged.
    pub fn find_broken_invariant(&mut self) -> Result<Option<usize>, Fault> {
        let found = self.core.find_broken_invariant(&self.program);
        found.map_err(|k| self.core.context.fault(k))
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.core.state
    }

    /// Sets another state of the same program; no allocation once warm.
    pub fn set_state(&mut self, s: &State) {
        self.core.state.clone_from(s);
        self.core.context.memo.invalidate_all();
        self.core.options_for = None;
        self.core.settled = false;
        self.faulted = false;
        self.core.list_questions(&self.program);
    }

    /// The state as hooks and names read it ([`crate::value_text`]).
    pub fn look(&self) -> Look<'_> {
        Look { program: &self.program, state: &self.core.state }
    }

    /// Switches the recording of events on or off.
    pub fn record(&mut self, on: bool) {
        self.core.context.rec.on = on;
    }

    /// Sets who is told what happens; it changes no game. Returns who was told before.
    pub fn set_watcher(&mut self, watcher: Option<Box<dyn Watcher>>) -> Option<Box<dyn Watcher>> {
        self.core.context.rec.watched = watcher.is_some();
        std::mem::replace(&mut self.core.context.rec.watcher, watcher)
    }

    /// The places in the rules that were reached so far, in the order of the code; none without coverage marks.
    pub fn covered(&self) -> impl Iterator<Item = Span> + '_ {
        let bits = &self.core.context.covered.bits;
        let reached = move |n: usize| bits.get(n / 64).is_some_and(|w| w >> (n % 64) & 1 != 0);
        self.program.marks.iter().enumerate().filter(move |(n, _)| reached(*n)).map(|(_, s)| *s)
    }

    /// Takes the events since the last call.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.core.context.rec.take_events()
    }

    /// For the tests of the laws: plants a leak.
    #[doc(hidden)]
    pub fn seed_fault(&mut self, fault: Option<SeededFault>) {
        self.core.context.seeded = fault;
        self.core.context.rec.unfiltered = fault == Some(SeededFault::LogUnfiltered);
    }
}
