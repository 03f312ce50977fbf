//! Whether a choice will be a whole turn: found out from the code, so that positions behind the last ply of a count need not be reached one by one.
use crate::data::state::{Status, Wait};
use crate::machine::game::Machine;
use houserule_program::ir::*;

/// Instructions that are looked through before it is given up.
const MOST: usize = 20_000;

impl Machine {
    /// If one seat alone is asked for an action, and whatever it takes ends its turn without another question and without chance: how many options it has.
    ///
    /// # Errors
    /// A rule error in a guard.
    pub fn whole_turns(&mut self) -> Result<Option<u64>, crate::base::fault::Fault> {
        if self.questions().len() != 1 || !self.one_choice() {
            return Ok(None);
        }
        Ok(Some(self.options(0)?.count()))
    }

    fn one_choice(&self) -> bool {
        let p = self.program();
        let mut running = self.state().fibers.iter().filter(|f| f.status != Status::Free);
        let (Some(fiber), None) = (running.next(), running.next()) else { return false };
        let Wait::Menu { offer, .. } = fiber.wait else { return false };
        let Some(offer) = p.offers.get(offer.index()) else { return false };
        let mut looked = Looked { p, left: MOST, quiet: vec![None; p.funcs.len()] };
        let actions = offer.menus.iter().filter_map(|(m, _)| p.menus.get(m.index())).flat_map(|m| &m.actions);
        actions.filter_map(|a| p.actions.get(a.index())).all(|a| looked.quiet(a.effect))
            && looked.next_turn(fiber.pc, &fiber.links.iter().map(|l| l.pc).collect::<Vec<_>>())
    }
}

struct Looked<'p> {
    p: &'p Program,
    left: usize,
    /// Of each function, once it is known or being found out: whether it never asks, rolls or begins anything at once, with all that it calls.
    quiet: Vec<Option<bool>>,
}

impl Looked<'_> {
    fn quiet(&mut self, f: FuncId) -> bool {
        let Some(slot) = self.quiet.get_mut(f.index()) else { return false };
        if let Some(known) = *slot {
            return known;
        }
        // Whoever calls himself is as quiet as the rest of him.
        *slot = Some(true);
        let Some(func) = self.p.funcs.get(f.index()) else { return false };
        let code = self.p.code.get(func.start as usize..func.end as usize).unwrap_or(&[]);
        let quiet = code.iter().all(|ins| match ins {
            Ins::Call { f, .. } => self.quiet(*f),
            ins => !loud(ins) && !matches!(ins, Ins::TurnBegin { .. } | Ins::TurnEnd),
        });
        if let Some(slot) = self.quiet.get_mut(f.index()) {
            *slot = Some(quiet);
        }
        quiet
    }

    /// Whether every way from there, with callers behind it, comes to the next turn or the end of the game before anything else is asked or rolled.
    fn next_turn(&mut self, from: u32, callers: &[u32]) -> bool {
        let mut ways = vec![(from, callers.len())];
        let mut seen = Vec::new();
        while let Some((mut pc, mut depth)) = ways.pop() {
            loop {
                if seen.contains(&(pc, depth)) {
                    break;
                }
                seen.push((pc, depth));
                let Some(ins) = self.p.code.get(pc as usize).copied() else { return false };
                if self.left == 0 || loud(&ins) {
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
                    Ins::Call { f, .. } if !self.quiet(f) => return false,
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

/// What asks, draws, runs a script, or lets several act.
fn loud(ins: &Ins) -> bool {
    matches!(ins.kind(), InsKind::Question | InsKind::Chance) || matches!(ins, Ins::Hook { .. })
}
