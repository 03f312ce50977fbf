//! Bulk counting for perft: decides from the code whether each choice of a question is a whole turn, so that the last ply can be counted without visiting its positions.
use crate::data::state::{Status, Wait};
use crate::machine::game::Machine;
use houserule_program::ir::*;

/// The most instructions that the search visits.
const MOST: usize = 20_000;

impl Machine {
    /// The number of options, if one seat is asked for an action, and each of its options ends the turn without another question and without chance.
    ///
    /// # Errors
    /// A rule error in a guard.
    pub fn whole_turns(&mut self) -> Result<Option<u64>, crate::base::fault::Fault> {
        if self.questions().len() != 1 || !self.is_one_choice_a_turn() {
            return Ok(None);
        }
        Ok(Some(self.options(0)?.count()))
    }

    fn is_one_choice_a_turn(&self) -> bool {
        let p = self.program();
        let mut running = self.state().fibers.iter().filter(|f| f.status != Status::Free);
        let (Some(fiber), None) = (running.next(), running.next()) else { return false };
        let Wait::Menu { offer, .. } = fiber.wait else { return false };
        let Some(offer) = p.offers.get(offer.index()) else { return false };
        let mut search = TurnSearch { p, left: MOST, quiet: vec![None; p.funcs.len()] };
        let actions = offer.menus.iter().filter_map(|(m, _)| p.menus.get(m.index())).flat_map(|m| &m.actions);
        actions.filter_map(|a| p.actions.get(a.index())).all(|a| search.never_suspends(a.effect))
            && search.reaches_next_turn(fiber.pc, &fiber.links.iter().map(|l| l.pc).collect::<Vec<_>>())
    }
}

/// A search through the code for questions and draws.
struct TurnSearch<'p> {
    p: &'p Program,
    left: usize,
    /// By function, once it is known or being computed: whether it and all that it calls never ask, roll, fork or begin a turn.
    quiet: Vec<Option<bool>>,
}

impl TurnSearch<'_> {
    fn never_suspends(&mut self, f: FuncId) -> bool {
        let Some(slot) = self.quiet.get_mut(f.index()) else { return false };
        if let Some(known) = *slot {
            return known;
        }
        // A recursive call suspends only if the rest of the function does.
        *slot = Some(true);
        let Some(func) = self.p.funcs.get(f.index()) else { return false };
        let code = self.p.code.get(func.start as usize..func.end as usize).unwrap_or(&[]);
        let quiet = code.iter().all(|ins| match ins {
            Ins::Call { f, .. } => self.never_suspends(*f),
            ins => !may_suspend(ins) && !matches!(ins, Ins::TurnBegin { .. } | Ins::TurnEnd),
        });
        if let Some(slot) = self.quiet.get_mut(f.index()) {
            *slot = Some(quiet);
        }
        quiet
    }

    /// Whether every path from there, with these callers, reaches the next turn or the end of the game before a question or a draw.
    fn reaches_next_turn(&mut self, from: u32, callers: &[u32]) -> bool {
        let mut ways = vec![(from, callers.len())];
        let mut seen = Vec::new();
        while let Some((mut pc, mut depth)) = ways.pop() {
            loop {
                if seen.contains(&(pc, depth)) {
                    break;
                }
                seen.push((pc, depth));
                let Some(ins) = self.p.code.get(pc as usize).copied() else { return false };
                if self.left == 0 || may_suspend(&ins) {
                    return false;
                }
                self.left -= 1;
                match ins {
                    Ins::TurnBegin { .. } | Ins::End => break,
                    Ins::Ret => match depth.checked_sub(1).and_then(|d| Some((*callers.get(d)?, d))) {
                        Some(caller) => {
                            (pc, depth) = caller;
                            continue;
                        }
                        // The end of the rules is the end of the game.
                        None => break,
                    },
                    Ins::Call { f, .. } if !self.never_suspends(f) => return false,
                    Ins::Jmp { to } => {
                        pc = to;
                        continue;
                    }
                    ins => ways.extend(ins.target().map(|to| (to, depth))),
                }
                pc += 1;
            }
        }
        true
    }
}

/// Whether an instruction asks, draws, runs a script, or forks.
fn may_suspend(ins: &Ins) -> bool {
    matches!(ins.kind(), InsKind::Question | InsKind::Chance) || matches!(ins, Ins::Hook { .. })
}
