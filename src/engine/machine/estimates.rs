//! Heuristics of a position that differs little from a known one: only those are evaluated again that read something that has changed.
use super::determinize::Hidden;
use super::game::Machine;
use crate::base::fault::Fault;
use crate::context::memo::{Reads, heuristic_reads};
use houserule_program::ir::Program;

/// What the heuristics of each player say of one position, the mark.
pub struct Estimates {
    /// By heuristic.
    reads: Vec<Reads>,
    /// By player, then heuristic: what it says at the mark, once that is known.
    known: Vec<Option<i64>>,
}

impl Estimates {
    /// None are known yet.
    pub fn new(p: &Program) -> Estimates {
        let reads = heuristic_reads(p);
        Estimates { known: vec![None; reads.len() * usize::from(p.players)], reads }
    }
}

impl Machine {
    /// Makes the present position the mark.
    pub fn set_mark(&mut self, estimates: &mut Estimates) {
        estimates.known.fill(None);
        self.note_at_mark();
    }

    /// Makes the present position the mark, which differs from the one before at most in another deal of what is hidden.
    pub fn move_mark(&mut self, estimates: &mut Estimates, hidden: &Hidden) {
        let heuristics = estimates.reads.len().max(1);
        for of_player in estimates.known.chunks_mut(heuristics) {
            for (known, reads) in of_player.iter_mut().zip(&estimates.reads) {
                if reads.is_changed_by(hidden.changes) {
                    *known = None;
                }
            }
        }
        self.note_at_mark();
    }

    /// Says that the present position is the mark again, which the caller has to see to.
    pub fn note_at_mark(&mut self) {
        let players = usize::from(self.program.players);
        self.core.context.memo.watch(players);
    }

    /// What a heuristic says of a player now.
    ///
    /// # Errors
    /// What went wrong in it.
    pub fn estimate(
        &mut self,
        estimates: &mut Estimates,
        heuristic: usize,
        player: usize,
    ) -> Result<i64, Fault> {
        let reads = estimates.reads.get(heuristic).copied();
        let changed = reads.is_none_or(|reads| self.core.context.memo.has_changed(reads, player));
        let at = player * estimates.reads.len() + heuristic;
        let known = estimates.known.get_mut(at).filter(|_| !changed);
        match known {
            None => self.evaluate_heuristic(heuristic, player),
            Some(Some(value)) => {
                let value = *value;
                #[cfg(debug_assertions)]
                assert_eq!(
                    self.evaluate_heuristic(heuristic, player).ok(),
                    Some(value),
                    "a heuristic says something else, and nothing that it reads has changed"
                );
                Ok(value)
            }
            // What says the same here and there may be evaluated here.
            Some(unknown) => Ok(*unknown.insert(self.evaluate_heuristic(heuristic, player)?)),
        }
    }

    fn evaluate_heuristic(&mut self, heuristic: usize, player: usize) -> Result<i64, Fault> {
        let Some(func) = self.program.heuristics.get(heuristic).map(|h| h.func) else { return Ok(0) };
        let mut out = [0];
        self.eval(func, &[player as u64], &mut out)?;
        Ok(out[0] as i64)
    }
}
