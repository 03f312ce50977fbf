//! Methods of `Machine` for play in any order: who is done, and taking it back.
use crate::data::decision::{Question, Reason, Refusal};
use crate::data::state::{Fiber, Status};
use crate::machine::game::Machine;

impl Machine {
    /// Whether players act freely now: then their choices take effect in the order in which they come.
    pub fn acts_freely(&self) -> bool {
        self.core.has_free_fibers()
    }

    /// Players who act freely and are done, as the questions that they have answered: each may take it back until all are done. These are no pending questions: nobody has to answer
    /// them, and bots do not.
    pub fn dones(&self) -> Vec<Question> {
        if self.core.state.fibers.len() < 2 { Vec::new() } else { self.core.list_done_players(&self.program) }
    }

    /// Takes a `done` back (by place in [`Machine::dones`]): its menu is asked again, as a new question.
    ///
    /// # Errors
    /// Why it was not taken back; the state is then as before.
    pub fn take_back(&mut self, done: usize) -> Result<(), Refusal> {
        let Some(question) = self.dones().get(done).copied() else { return Err(Refusal::NotPending) };
        self.keep();
        let logged = self.core.context.rec.len();
        match self.core.take_back(&self.program, &question) {
            // The player has no available action, and is done again at once.
            Ok(()) if self.dones().iter().any(|q| q.fiber == question.fiber) => {
                self.core.context.rec.truncate(logged);
                self.restore();
                let text = String::from("there is nothing left to do");
                Err(Refusal::Illegal(vec![Reason { span: question.span, text }]))
            }
            Ok(()) => Ok(()),
            Err(stop) => Err(Refusal::Fault(self.roll_back(stop, logged))),
        }
    }

    /// Whether an answer of a player is held until others have answered, too.
    pub fn holds(&self, player: u8) -> bool {
        let waits =
            |fiber: &Fiber| (fiber.status == Status::Held && !fiber.freely) || fiber.status == Status::Asking;
        self.core
            .state
            .fibers
            .iter()
            .any(|fiber| waits(fiber) && fiber.held.iter().any(|(who, _)| *who == player))
    }
}
