//! The face of the machine.
use super::decision::{Choice, Options, Question, Reason, Refusal};
use super::event::Event;
use super::exec::Hooks;
use super::fault::Fault;
use super::knowledge::SeededFault;
use super::outcome::Outcome;
use super::state::State;
use super::view::View;
use super::world::Look;
use crate::program::ir::{ActionIx, FuncId, Program, TemplateIx};
use rand::Rng;
use std::sync::Arc;

/// A game in progress: a program, a state, and scratch room that is no part of the state.
pub struct Machine {
    pub(super) program: Arc<Program>,
    pub(super) state: State,
    pub(super) verdict_line: String,
}

impl Machine {
    /// A game at its start, nothing run. `seed` is of all its streams.
    pub fn new(program: Arc<Program>, seed: u64) -> Machine {
        todo!()
    }
    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        todo!()
    }
    /// Where hooks are run; without it, calling one is a fault.
    pub fn set_hooks(&mut self, hooks: Arc<dyn Hooks>) {
        todo!()
    }
    /// Steps that one stretch without a question may take (1,000,000 unless set).
    pub fn set_budget(&mut self, steps: u64) {
        todo!()
    }
    /// Runs the whole game to its first question or its end.
    pub fn start(&mut self) -> Result<(), Fault> {
        todo!()
    }
    /// For tests: runs the bare set-up ([`Program::bare`]) and stops; no question is pending.
    pub fn start_bare(&mut self) -> Result<(), Fault> {
        todo!()
    }
    /// For tests: an effect function of (me, args) runs as a root strand of its own, to its first question or its end. Its results, if it has ended at once,
    /// are copied to `out`; if it asks, they are had from [`Machine::results`] when it has ended. A strand that was left waiting from an earlier call is dropped.
    pub fn run_effect(&mut self, f: FuncId, me: i64, args: &[u64], out: &mut [u64]) -> Result<bool, Fault> {
        todo!()
    }
    /// Whether a strand is running that waits for answers.
    pub fn is_waiting(&self) -> bool {
        todo!()
    }
    /// Results of the root strand that ended last.
    pub fn results(&self) -> &[u64] {
        todo!()
    }
    /// For tests: the next draws of ranges give these numbers instead (each taken modulo the range), dice their sides.
    pub fn rig(&mut self, rolls: &[u64]) {
        todo!()
    }
    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        todo!()
    }
    /// How it ended.
    pub fn outcome(&mut self) -> Option<&Outcome> {
        todo!()
    }
    /// What is asked now, in seat order.
    pub fn questions(&self) -> &[Question] {
        todo!()
    }
    /// The text of a question (by place in [`Machine::questions`]); as its player may read it.
    pub fn prompt(&mut self, q: usize) -> String {
        todo!()
    }
    /// What may be answered.
    pub fn options(&mut self, q: usize) -> Result<&Options, Fault> {
        todo!()
    }
    /// Draws an answer by the uniform policy.
    pub fn draw<G: Rng + ?Sized>(&mut self, q: usize, rng: &mut G) -> Result<Option<Choice>, Fault> {
        todo!()
    }
    /// Answers. On a refusal or fault the state is as before.
    pub fn choose(&mut self, q: usize, choice: &Choice) -> Result<(), Refusal> {
        todo!()
    }
    /// Answers with option `k`, for playouts: no copy is kept, so after a fault the game is over without an outcome.
    pub fn choose_nth(&mut self, q: usize, k: u64) -> Result<(), Fault> {
        todo!()
    }
    /// Draws an answer by the uniform policy and gives it, for playouts: as [`Machine::choose_nth`]. False if there was nothing to answer.
    pub fn step<G: Rng + ?Sized>(&mut self, q: usize, rng: &mut G) -> Result<bool, Fault> {
        todo!()
    }
    /// Why an action with these parameters (the menu's first) is no option for a player: its plain guards that say no, in source order.
    pub fn why_not(&mut self, player: usize, action: ActionIx, params: &[u64]) -> Vec<Reason> {
        todo!()
    }
    /// Why a choice is no answer to a question; empty if it is one (or interchangeable with one).
    pub fn why_not_choice(&mut self, q: usize, choice: &Choice) -> Vec<Reason> {
        todo!()
    }
    /// Runs a pure function.
    pub fn eval(&mut self, f: FuncId, args: &[u64], out: &mut [u64]) -> Result<(), Fault> {
        todo!()
    }
    /// The state.
    pub fn state(&self) -> &State {
        todo!()
    }
    /// Goes to another state of the same program; no allocation once warm.
    pub fn set_state(&mut self, s: &State) {
        todo!()
    }
    /// What a seat may know.
    pub fn view(&mut self, seat: usize) -> View {
        todo!()
    }
    /// The state as hooks and names read it ([`super::value_text`]).
    pub fn look(&self) -> Look<'_> {
        todo!()
    }
    /// Fills a text with what its functions give for these arguments (holes that are registers are read from `args`), as a seat may read it, or with everything open.
    pub fn fill(&mut self, t: TemplateIx, args: &[u64], seat: Option<usize>) -> String {
        todo!()
    }
    /// For bots: a state that the seat cannot tell from the real one: faces that it does not know are permuted among the same backs, other seats' held answers are
    /// forgotten (their questions are open again), the seed is another one.
    pub fn determinize<G: Rng + ?Sized>(&mut self, seat: usize, rng: &mut G) {
        todo!()
    }
    /// Switches the recording of events on or off.
    pub fn record(&mut self, on: bool) {
        todo!()
    }
    /// Takes the events since the last call.
    pub fn take_events(&mut self) -> Vec<Event> {
        todo!()
    }
    /// For the leak law: permutes, in the real state, what a seat cannot know.
    pub fn swap_hidden<G: Rng + ?Sized>(&mut self, seat: usize, rng: &mut G) {
        todo!()
    }
    /// For the tests of the laws: leaks on purpose.
    #[doc(hidden)]
    pub fn seed_fault(&mut self, fault: Option<SeededFault>) {
        todo!()
    }
}
