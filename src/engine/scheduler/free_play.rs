//! *Everyone freely*: a player who is done waits for the others, may take it back until all are done, and is asked again when `done` is no longer allowed.
//!
//! A fiber that is done is held with `done` as its answer, and still waits with its menu: no code behind the menu has run. It continues together with its
//! siblings, in seat order, when all of them are done or have ended.
use crate::base::event::EventKind;
use crate::base::fault::{FaultKind, Stop};
use crate::context::pilot::Course;
use crate::data::decision::{Choice, Question};
use crate::data::seats::answering;
use crate::data::state::{Fiber, Status, Wait};
use crate::scheduler::core::Core;
use houserule_program::ir::*;

/// Whether a fiber waits at the menu of its actions, not in the middle of one.
fn is_at_menu(fiber: &Fiber) -> bool {
    matches!(fiber.wait, Wait::Menu { .. }) && fiber.links.len() == fiber.home as usize
}

impl Fiber {
    /// Whether it is done, and waits for siblings that act freely.
    pub(crate) fn is_done(&self) -> bool {
        self.freely && self.status == Status::Held
    }

    /// Whether an answer makes it done.
    pub(crate) fn is_done_by(&self, choice: &Choice) -> bool {
        self.freely && *choice == Choice::Done && is_at_menu(self)
    }

    /// Whether it is in use, and is one of the freely acting children of a fiber.
    fn is_free_sibling(&self, parent: u16) -> bool {
        self.freely && self.status != Status::Free && self.parent == parent
    }

    /// Whether it is done, or waits at the menu of its actions.
    fn is_between_actions(&self) -> bool {
        self.is_done() || (self.status == Status::Asking && is_at_menu(self))
    }

    /// Holds `done` for the player who is asked.
    fn hold_done(&mut self) {
        self.held.clear();
        self.held.push((self.asked.trailing_zeros() as u8, Choice::Done));
        self.missing = 0;
        self.status = Status::Held;
    }
}

impl Core {
    /// Updates the fibers that act freely when none of them is in the middle of an action: asks a player again if `done` is no longer allowed, closes menus without an action,
    /// and lets siblings that are all done continue. True if one can run now.
    pub(crate) fn resume_free_fibers(&mut self, p: &Program) -> Result<bool, Stop> {
        if !self.state.fibers.iter().any(|f| f.freely && f.status != Status::Free) {
            return Ok(false);
        }
        // They are moved out of the state, as for a run; options change nothing.
        let mut all = std::mem::take(&mut self.state.fibers);
        let r = self.resume_free_groups(p, &mut all);
        self.state.fibers = all;
        self.options_for = None;
        r
    }

    fn resume_free_groups(&mut self, p: &Program, all: &mut [Fiber]) -> Result<bool, Stop> {
        let mut runs = false;
        let mut parents: smallvec::SmallVec<[u16; 16]> =
            all.iter().filter(|f| f.freely && f.status != Status::Free).map(|f| f.parent).collect();
        parents.sort_unstable();
        parents.dedup();
        for parent in parents {
            let sibling = |f: &&mut Fiber| f.is_free_sibling(parent);
            if !all.iter_mut().filter(sibling).all(|f| f.is_between_actions()) {
                continue;
            }
            for fiber in all.iter_mut().filter(sibling) {
                runs |= self.resume_free_fiber(p, fiber)?;
            }
            if all.iter_mut().filter(sibling).all(|f| f.is_done()) {
                for fiber in all.iter_mut().filter(sibling) {
                    fiber.status = Status::Ready;
                    runs = true;
                }
            }
        }
        Ok(runs)
    }

    /// Asks a fiber's player again, or closes its menu, if that is due. True if the fiber can run now.
    fn resume_free_fiber(&mut self, p: &Program, fiber: &mut Fiber) -> Result<bool, Stop> {
        let player = i64::from(fiber.asked.trailing_zeros());
        if fiber.is_done() {
            if !self.can_be_done(p, fiber, player, true)? && self.has_option(p, fiber, player)? {
                self.reopen_menu(p, fiber);
            }
        } else if !self.has_option(p, fiber, player)? {
            return self.close_empty_menu(p, fiber, player).map(|held| !held);
        }
        Ok(false)
    }

    /// Closes the menu of a fiber that has no available action. True if the fiber is then done; otherwise the menu is skipped and the fiber continues.
    pub(crate) fn close_empty_menu(
        &mut self,
        p: &Program,
        fiber: &mut Fiber,
        player: i64,
    ) -> Result<bool, Stop> {
        if fiber.home == u16::MAX {
            fiber.home = fiber.links.len() as u16;
        }
        if fiber.freely
            && is_at_menu(fiber)
            && answering(p, player) != 0
            && self.can_be_done(p, fiber, player, false)?
        {
            fiber.question = self.state.head.next_question;
            self.state.head.next_question = fiber.question.wrapping_add(1);
            fiber.hold_done();
            return Ok(true);
        }
        let Wait::Menu { d, .. } = std::mem::replace(&mut fiber.wait, Wait::Nothing) else {
            return Ok(false);
        };
        let win =
            crate::base::window::window(&mut fiber.stack, fiber.base as usize).ok_or(FaultKind::TooDeep)?;
        win[d as usize] = OFFER_NONE as u64;
        fiber.missing = 0;
        fiber.status = Status::Ready;
        Ok(false)
    }

    /// Asks the player of a fiber that is done again.
    fn reopen_menu(&mut self, p: &Program, fiber: &mut Fiber) {
        let player = fiber.held.pop().map_or(NONE, |(player, _)| i64::from(player));
        fiber.missing = fiber.asked;
        self.options_for = None;
        self.open_question(p, fiber);
        self.context.rec.log_asker(p, player, fiber.func, EventKind::Reopened, "is not done any more");
    }

    /// Whether somebody acts freely now.
    pub(crate) fn has_free_fibers(&self) -> bool {
        self.state.fibers.iter().any(|f| f.freely && f.status != Status::Free)
    }

    /// The questions of those who are done and may take it back, in seat order.
    pub(crate) fn list_done_players(&self, p: &Program) -> Vec<Question> {
        let all = &self.state.fibers;
        let busy = |parent: u16| {
            let mut siblings = all.iter().filter(|f| f.is_free_sibling(parent));
            siblings.any(|f| !f.is_between_actions())
        };
        let mut out: Vec<Question> = all
            .iter()
            .enumerate()
            .filter(|(_, f)| f.is_done() && !busy(f.parent) && !self.state.head.over)
            .map(|(i, f)| {
                let player = f.asked.trailing_zeros() as u8;
                let (kind, span) = self.question_kind(p, f);
                Question {
                    id: f.question,
                    player,
                    anybody: false,
                    seats: answering(p, i64::from(player)),
                    kind,
                    span,
                    fiber: i as u16,
                }
            })
            .collect();
        out.sort_by_key(|q| q.player);
        out
    }

    pub(crate) fn take_back(&mut self, p: &Program, question: &Question) -> Result<(), Stop> {
        let mut all = std::mem::take(&mut self.state.fibers);
        if let Some(fiber) = all.get_mut(question.fiber as usize) {
            self.reopen_menu(p, fiber);
        }
        self.state.fibers = all;
        self.drive(p, &mut Course::default())
    }
}
