//! Playouts: answers a pending question with [`crate::interp::ask_fast`], without listing its options.
use crate::context::pilot::Course;
use crate::data::state::{Status, Wait};
use crate::interp::ask_fast::answer_offer;
use crate::scheduler::core::Core;
use houserule_program::ir::*;

impl Core {
    /// Answers a pending question if the only fiber asks it. The fiber can then run.
    pub(crate) fn answer_fast(&mut self, p: &Program, q: usize, course: &mut Course<'_>) -> bool {
        let Some(question) = self.questions.get(q).filter(|q| q.fiber == 0) else { return false };
        let [fiber] = self.state.fibers.as_slice() else { return false };
        let Wait::Menu { d, at, offer } = fiber.wait else { return false };
        let Some(Some(fast)) = self.world.fast_offers.get(offer.index()) else { return false };
        if self.context.rec.on {
            return false;
        }
        let player = u64::from(question.player);
        self.context.refill();
        let mut all = std::mem::take(&mut self.state.fibers);
        if let Some(fiber) = all.first_mut() {
            let (st, cx, pc) = (&mut self.state, &mut self.context, fiber.pc);
            if let Some(to) = answer_offer(p, fast, st, cx, fiber, course, (d, at, player), pc, true) {
                fiber.pc = to;
                fiber.wait = Wait::Nothing;
                fiber.status = Status::Ready;
            }
        }
        let ready = all.first().is_some_and(|f| f.status == Status::Ready);
        self.state.fibers = all;
        ready
    }
}
