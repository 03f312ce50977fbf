//! Logs an answer, with the seats that can tell which components it names.
use crate::base::bitset;
use crate::base::fault::Stop;
use crate::context::recorder::Answer;
use crate::data::decision::Choice;
use crate::eval::onlookers::chosen_things;
use crate::scheduler::core::Core;
use houserule_program::ir::*;

impl Core {
    /// Logs an answer while recording is on. It uses none of the step budget.
    pub(crate) fn log_answer(&mut self, p: &Program, answer: &Answer<'_>) -> Result<(), Stop> {
        let action = if let Choice::Action { action, .. } = answer.choice { Some(*action) } else { None };
        if !self.context.rec.watch_answer(p, action) {
            return Ok(());
        }
        let budget = self.context.steps;
        let of = if let Show::Thing(u) = answer.of { Some(u) } else { None };
        for (u, words) in chosen_things(p, answer.choice, of) {
            let Some(ci) = self.world.universes.get(u.index()).map(|u| u.comps).filter(|c| *c != u16::MAX)
            else {
                continue;
            };
            for c in bitset::bits(&words) {
                let seats =
                    self.context.tracing_seats(self.world.with(p), &mut self.state, usize::from(ci), c)?;
                self.context.rec.note_trace(usize::from(ci), c, seats);
            }
        }
        self.context.steps = budget;
        self.context.rec.log_answer(self.world.with(p), &self.state, answer);
        Ok(())
    }
}
