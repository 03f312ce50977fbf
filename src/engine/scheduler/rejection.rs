//! Answers that are drawn before they are tried.
//!
//! Where something must be left by an action, or a way out of the menu, each of its options has to be tried. Who only wants one of them, drawn by the uniform policy, draws from all that may be legal and tries what was drawn:
//! what fails is drawn again, so that each legal option has the same chance. If several fail one after the other, all are tried after all: there may be none. In playouts what was drawn and stands has with that been done.
use crate::base::fault::{FaultKind, Stop};
use crate::base::window::{cut, lay, window};
use crate::context::pilot::{Pick, Pilot};
use crate::data::decision::{Last, What};
use crate::data::state::{Fiber, NOBODY, Status, Wait};
use crate::eval::lookahead::Way;
use crate::scheduler::core::Core;
use crate::scheduler::registers::base_window;
use houserule_program::ir::*;

/// So many draws before all are tried.
pub(crate) const DRAWS: usize = 8;

/// What is left of what may be legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Left {
    Nothing,
    /// Some of it is.
    Something,
    /// What the machine's options hold now.
    All,
}

/// An answer of which it is known that it may be given.
pub(crate) enum Drawn {
    /// None: nobody is asked.
    Nothing,
    Pick(Pick),
    /// It has been given, and what it does is done.
    Gone,
}

/// The menu that a fiber waits with, if it is one alone, with its number, and where its parameters stand.
fn only_menu<'a>(p: &'a Program, fiber: &Fiber) -> Option<(MenuIx, &'a MenuSlot, R)> {
    let Wait::Menu { offer, .. } = fiber.wait else { return None };
    let [(ix, at)] = p.offers.get(offer.index())?.menus.as_slice() else { return None };
    Some((*ix, p.menus.get(ix.index())?, *at))
}

impl Core {
    /// Whether a fiber that waits with a menu is answered so: it is alone, and its menu has actions that are tried.
    pub(crate) fn draws_first(&self, p: &Program, fiber: &Fiber) -> bool {
        let Some((ix, menu, _)) = only_menu(p, fiber) else { return false };
        // None of those whose enumerators run in a row has any that is loose.
        let chained = self.world.chains.get(ix.index()).is_some_and(Option::is_some);
        let by_itself = |e: &EndSlot| matches!(e.when, EndWhen::Always | EndWhen::NoAction);
        let usual = fiber.parent == NOBODY && !fiber.freely && menu.open.is_none();
        let loose = || {
            !chained
                && menu.actions.iter().any(|a| p.actions.get(a.index()).is_some_and(|a| a.loose.is_some()))
        };
        match &menu.lines {
            None => usual && menu.done.is_none() && menu.pass.as_ref().is_none_or(by_itself) && loose(),
            // Whether it can be left must not hang on what stands in it.
            Some(lines) => {
                let by_itself = |e: &EndSlot| matches!(e.when, EndWhen::Always | EndWhen::Func(_));
                let ends = menu.done.as_ref().is_none_or(by_itself) && menu.pass.is_none();
                usual && ends && lines.values.is_empty() && lines.alive.is_some() && !loose()
            }
        }
    }

    /// What may be legal for such a fiber, into the machine's options, which are no longer those of any question; and whether anything is, or a pass.
    pub(crate) fn may_be(&mut self, p: &Program, fiber: &Fiber, player: i64) -> Result<bool, Stop> {
        self.gather_loosely(p, fiber, player)?;
        Ok(self.any_stands(p, fiber, player)? != Left::Nothing)
    }

    /// Whether anything of what may be legal, which the machine's options hold, is.
    fn any_stands(&mut self, p: &Program, fiber: &Fiber, player: i64) -> Result<Left, Stop> {
        for seg in 0..self.context.opts.segments.len() {
            let Some(segment) = self.context.opts.segments.get(seg) else { break };
            // That one could be done is no reason to ask where nothing else is to be done.
            if segment.what == What::Done {
                continue;
            }
            for k in 0..segment.count {
                if self.stands(p, fiber, player, seg, k)? {
                    return Ok(Left::Something);
                }
            }
        }
        // Perhaps a pass is left, or whoever has nothing to do must say so.
        let offer = match fiber.wait {
            Wait::Menu { offer, .. } => p.offers.get(offer.index()),
            _ => None,
        };
        let silent = offer.is_some_and(|o| o.silent);
        let nothing = silent && only_menu(p, fiber).is_some_and(|(_, menu, _)| menu.pass.is_none());
        if nothing && !cfg!(debug_assertions) {
            return Ok(Left::Nothing);
        }
        let some = self.menu_options(p, fiber, player)?;
        debug_assert!(!(some && nothing), "something is left where nothing was found");
        self.options_for = None;
        Ok(if some { Left::All } else { Left::Nothing })
    }

    /// Draws an answer for such a fiber, if anything may be answered. What is drawn stands mostly: only where it does not is it asked whether anything does, and only then is it asked
    /// anew. What stands is done at once where it can be.
    pub(crate) fn draw_at_once(
        &mut self,
        p: &Program,
        fiber: &mut Fiber,
        player: i64,
        seat: usize,
        pilot: &mut dyn Pilot,
    ) -> Result<Drawn, Stop> {
        self.gather_loosely(p, fiber, player)?;
        self.context.refill();
        let opts = &self.context.opts;
        let action = |seg: usize| opts.segments.get(seg).is_some_and(|s| matches!(s.what, What::Action(_)));
        let mut other = None;
        let acts = (0..opts.segments.len()).any(action);
        if acts {
            pilot.mark(seat);
            match pilot.pick(seat, opts) {
                Pick::At(seg, k) if action(seg) => match self.goes(p, fiber, player, seg, k)? {
                    Way::Gone { .. } => return Ok(Drawn::Gone),
                    Way::Out => return Ok(Drawn::Pick(Pick::At(seg, k))),
                    Way::Dead => {}
                },
                pick => other = Some(pick),
            }
        }
        let left = self.any_stands(p, fiber, player)?;
        match (left, other) {
            (Left::Something, Some(pick)) => return Ok(Drawn::Pick(pick)),
            (Left::Something, None) if acts => {
                return self.draw_tried(p, fiber, player, seat, pilot, DRAWS - 1).map(Drawn::Pick);
            }
            _ => {}
        }
        // As if nothing had been drawn: nobody is asked, or about something else.
        if acts {
            pilot.rewind(seat);
        }
        match left {
            Left::Nothing => return Ok(Drawn::Nothing),
            // What was looked for last is no longer what may be legal, from which others draw.
            Left::All => self.gather_loosely(p, fiber, player)?,
            Left::Something => {}
        }
        self.draw_tried(p, fiber, player, seat, pilot, DRAWS).map(Drawn::Pick)
    }

    /// Whether what was drawn may be answered; if nothing is in the way, it is then done, as if the fiber had done it.
    fn goes(&mut self, p: &Program, fiber: &mut Fiber, player: i64, seg: usize, k: u64) -> Result<Way, Stop> {
        let lines = only_menu(p, fiber).and_then(|(_, menu, at)| Some((menu, at, menu.lines.as_ref()?)));
        // Who looks which rules are reached, or has something end with a layer that is open, goes the long way.
        let (Some((menu, at, lines)), Wait::Menu { d, at: args, .. }, true) =
            (lines, fiber.wait, p.marks.is_empty() && fiber.leases.is_empty())
        else {
            return Ok(if self.stands(p, fiber, player, seg, k)? { Way::Out } else { Way::Dead });
        };
        let bad = || Stop::from(FaultKind::BadProgram("an option that is not there"));
        let frame = p.funcs.get(fiber.func as usize).map_or(256, |f| (f.frame as usize).min(256));
        let Some(win) = window(&mut fiber.stack, fiber.base as usize) else { return Err(bad()) };
        let seg = self.context.opts.segments.get(seg).ok_or_else(bad)?;
        let choice = self.context.opts.pick(seg, k);
        let within = frame.saturating_sub(args as usize);
        self.context.ahead.window.clear();
        self.context.ahead.window.extend_from_slice(cut(win, args, within));
        let who = (player, cut(win, at, menu.params as usize));
        let way =
            self.context.leads_out(p, &self.world, &mut self.state, (menu, lines), who, &choice, true)?;
        if let Way::Gone { open } = way {
            lay(win, args, &self.context.ahead.window);
            win[d as usize] = OFFER_ACTED as u64;
            // Whoever is asked the same again at once need not be told again that he may leave.
            let asks = fiber.pc.wrapping_sub(1);
            let again = match p.code.get(fiber.pc as usize) {
                Some(Ins::JEqK { a, k, to }) => *a == d && i64::from(*k) == OFFER_ACTED && *to == asks,
                _ => false,
            };
            self.may_leave = again && open;
        }
        Ok(way)
    }

    fn gather_loosely(&mut self, p: &Program, fiber: &Fiber, player: i64) -> Result<(), Stop> {
        let before = self.context.notes.begin();
        let gathered = self.gather_may_be(p, fiber, player);
        self.context.notes.end(before);
        gathered
    }

    fn gather_may_be(&mut self, p: &Program, fiber: &Fiber, player: i64) -> Result<(), Stop> {
        self.options_for = None;
        self.context.opts.clear();
        let bad = || Stop::from(FaultKind::BadProgram("a menu that is not there"));
        let (Some((ix, menu, at)), Some(win)) = (only_menu(p, fiber), base_window(fiber)) else {
            return Err(bad());
        };
        let params = cut(win, at, menu.params as usize);
        let chain = self.world.chains.get(ix.index()).and_then(Option::as_ref);
        let loose = |a: &ActionIx| p.actions.get(a.index()).is_some_and(|a| a.loose.is_some());
        match chain.is_none() && menu.actions.iter().any(loose) {
            false => {
                self.context.enumerate_menu(p, &self.world, &mut self.state, menu, chain, player, params)?
            }
            true => {
                for a in &menu.actions {
                    let action = p.actions.get(a.index()).ok_or_else(bad)?;
                    let f = action.loose.unwrap_or(action.enumerator);
                    self.context.enumerate(p, &self.world, &mut self.state, f, player, params)?;
                }
            }
        }
        let may_leave = std::mem::take(&mut self.may_leave);
        let done = match menu.done.as_ref().map(|e| e.when) {
            Some(EndWhen::Always) => true,
            Some(EndWhen::Func(_)) if may_leave && !cfg!(debug_assertions) => true,
            Some(EndWhen::Func(f)) => {
                self.context.truth(p, &self.world, &mut self.state, f, player, params)?
            }
            _ => false,
        };
        debug_assert!(done || !may_leave, "a way out that is no longer open");
        if done {
            self.context.opts.push(What::Done, 0, 0, Last::Unit);
        }
        if menu.pass.as_ref().is_some_and(|e| e.when == EndWhen::Always) {
            self.context.opts.push(What::Pass, 0, 0, Last::Unit);
        }
        Ok(())
    }

    /// Draws an answer for such a fiber from what may be legal, which the machine's options hold, and tries it; so many times before all are tried.
    pub(crate) fn draw_tried(
        &mut self,
        p: &Program,
        fiber: &Fiber,
        player: i64,
        seat: usize,
        pilot: &mut dyn Pilot,
        draws: usize,
    ) -> Result<Pick, Stop> {
        for _ in 0..draws {
            match pilot.pick(seat, &self.context.opts) {
                Pick::At(seg, k) if !self.stands(p, fiber, player, seg, k)? => {}
                pick => return Ok(pick),
            }
        }
        self.menu_options(p, fiber, player)?;
        self.options_for = None;
        Ok(pilot.pick(seat, &self.context.opts))
    }

    /// Whether what was drawn may be answered.
    fn stands(&mut self, p: &Program, fiber: &Fiber, player: i64, seg: usize, k: u64) -> Result<bool, Stop> {
        let bad = || Stop::from(FaultKind::BadProgram("an option that is not there"));
        let seg = *self.context.opts.segments.get(seg).ok_or_else(bad)?;
        let What::Action(action) = seg.what else { return Ok(true) };
        if let (Some((_, menu, at)), Some(win)) = (only_menu(p, fiber), base_window(fiber))
            && let Some(lines) = &menu.lines
        {
            let choice = self.context.opts.pick(&seg, k);
            let who = (player, cut(win, at, menu.params as usize));
            let way = self.context.leads_out(
                p,
                &self.world,
                &mut self.state,
                (menu, lines),
                who,
                &choice,
                false,
            )?;
            return Ok(way != Way::Dead);
        }
        let Some(tries) = p.actions.get(action.index()).ok_or_else(bad)?.tries else { return Ok(true) };
        let n = self.world.actions.get(action.index()).map_or(0, |a| a.words as usize);
        let mut room = [0u64; 64];
        let Some(room) = room.get_mut(..n) else { return Err(bad()) };
        if !self.context.opts.lay_down(&seg, k, room) {
            return Err(bad());
        }
        self.context.truth(p, &self.world, &mut self.state, tries, player, room)
    }

    /// The same for a question that is pending; `None` if it is not put to such a fiber, which is alone.
    pub(crate) fn draw_pending(
        &mut self,
        p: &Program,
        q: usize,
        pilot: &mut dyn Pilot,
    ) -> Result<Option<Pick>, Stop> {
        let Some(question) = self.questions.get(q).copied() else { return Ok(None) };
        let running = self.state.fibers.iter().filter(|f| f.status != Status::Free).count();
        let Some(fiber) = self.state.fibers.get(question.fiber as usize).filter(|_| running == 1) else {
            return Ok(None);
        };
        let player = i64::from(question.player);
        if !self.draws_first(p, fiber) {
            return Ok(None);
        }
        let all = std::mem::take(&mut self.state.fibers);
        self.context.refill();
        let seat = question.seats.trailing_zeros() as usize;
        let r = match all.get(question.fiber as usize) {
            Some(fiber) => self
                .gather_loosely(p, fiber, player)
                .and_then(|()| self.draw_tried(p, fiber, player, seat, pilot, DRAWS))
                .map(Some),
            None => Ok(None),
        };
        self.state.fibers = all;
        r
    }
}
