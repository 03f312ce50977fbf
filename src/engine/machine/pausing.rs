//! Pauses a run in front of a coverage mark, for a debugger. Only programs that are compiled with marks can be paused.
use super::game::Machine;
use crate::base::fault::{Fault, FaultKind};
use crate::context::pilot::Course;
use crate::data::decision::{Choice, Refusal};

impl Machine {
    /// Switches the trace of marks on or off. A trace that was made before is dropped.
    pub fn trace_marks(&mut self, on: bool) {
        self.core.context.covered.trace = on.then(Vec::new);
    }

    /// The marks that were reached since [`Machine::trace_marks`], in order, as numbers of [`houserule_program::ir::Program::marks`]. Marks that were passed on trial are left out.
    pub fn take_trace(&mut self) -> Vec<u32> {
        self.core.context.covered.trace.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Runs the set-up until `marks` marks were passed. Gives the pause, with the calls that are running and the state as it is there; none if the run did not come so far.
    /// A machine that was paused cannot go on: it is given another state.
    ///
    /// # Errors
    /// A rule error before that.
    pub fn start_paused(&mut self, marks: u64) -> Result<Option<Fault>, Fault> {
        self.core.context.covered.pause = Some(marks);
        let started = self.start();
        self.end_pause(started)
    }

    /// Answers a question, and runs until `marks` marks were passed: as [`Machine::start_paused`].
    ///
    /// # Errors
    /// A rule error before that, or that the choice is not possible.
    pub fn choose_paused(&mut self, q: usize, choice: &Choice, marks: u64) -> Result<Option<Fault>, Refusal> {
        self.core.find_options(&self.program, q).map_err(Refusal::Fault)?;
        let Some(question) = self.core.questions.get(q).copied() else { return Err(Refusal::NotPending) };
        let Some(choice) = self.canonical(&question, choice) else {
            return Err(Refusal::Illegal(Vec::new()));
        };
        self.keep();
        let logged = self.core.context.rec.len();
        self.core.context.covered.pause = Some(marks);
        let taken = self.core.take_answer(&self.program, q, choice, &mut Course::default());
        let taken = taken.map_err(|stop| self.roll_back(stop, logged));
        self.end_pause(taken).map_err(Refusal::Fault)
    }

    fn end_pause(&mut self, ended: Result<(), Fault>) -> Result<Option<Fault>, Fault> {
        self.core.context.covered.pause = None;
        match ended {
            Ok(()) => Ok(None),
            Err(fault) if fault.kind == FaultKind::Paused => Ok(Some(fault)),
            Err(fault) => Err(fault),
        }
    }
}
