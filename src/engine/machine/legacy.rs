//! What the end of a game hands to the next one of a campaign (`legacy`).
use super::game::Machine;
use crate::base::fault::Fault;
use crate::data::outcome::Verdict;
use houserule_program::ir::{LegacySlot, NextSlot, OptionId};
use std::sync::Arc;

/// What a game hands on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Legacy {
    /// Options with their values, each once; the others stay as they are.
    pub options: Vec<(OptionId, i64)>,
    /// What is next, if a row says so: the word of a scenario, or that none is.
    pub next: Option<Option<Arc<str>>>,
}

impl Machine {
    /// What this game hands on as it stands: of several rows for one option, and of several scenarios, the first row that counts.
    ///
    /// # Errors
    /// A rule error in a row.
    pub fn legacy(&mut self) -> Result<Legacy, Fault> {
        let program = self.program().clone();
        let mut out = Legacy::default();
        for row in &program.legacy {
            match row {
                LegacySlot::Option(o, func) => {
                    if out.options.iter().all(|(p, _)| p != o) {
                        let mut value = [0];
                        self.eval(*func, &[], &mut value)?;
                        out.options.push((*o, value[0] as i64));
                    }
                }
                LegacySlot::Next(name, when) => {
                    if out.next.is_none() && self.is_next(when)? {
                        out.next = Some(name.clone());
                    }
                }
            }
        }
        Ok(out)
    }

    fn is_next(&mut self, when: &NextSlot) -> Result<bool, Fault> {
        Ok(match when {
            NextSlot::Always => true,
            NextSlot::Holds(func) => {
                let mut holds = [0];
                self.eval(*func, &[], &mut holds)?;
                holds == [1]
            }
            NextSlot::Outcome(code) => {
                let (wanted, program) = (Verdict::from(*code), self.program().clone());
                // Players for whom nobody answers do not count.
                let is_wanted = |(v, seats): (&Verdict, &u32)| *seats == 0 || *v == wanted;
                self.outcome().is_some_and(|o| o.verdicts.iter().zip(&program.answered).all(is_wanted))
            }
        })
    }
}
