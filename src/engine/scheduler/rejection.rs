//! Rejection sampling: a playout draws an option first and tests only that one.
//!
//! If a menu must leave something true, or must keep a way out, each of its options has to be executed speculatively. A playout wants one option, drawn uniformly: it draws from a superset
//! (the options before that test) and tests what it drew. An option that fails is drawn again, so each legal option has the same chance. After [`MAX_DRAWS`] failures all options are tested,
//! since there may be none. A sampled option that passes is not executed a second time.
use crate::base::fault::{FaultKind, Stop};
use crate::base::window::{slice, window, write_words};
use crate::context::pilot::{Pick, Pilot};
use crate::data::decision::{Last, What};
use crate::data::state::{Fiber, NOBODY, Status, Wait};
use crate::eval::lookahead::WayOut;
use crate::eval::pure::Args;
use crate::scheduler::core::Core;
use crate::scheduler::registers::base_window;
use houserule_program::ir::*;

/// Draws before all options are tested.
pub(crate) const MAX_DRAWS: usize = 8;

/// What is known about a superset of the legal options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Legal {
    Nothing,
    /// At least one is legal.
    AtLeastOne,
    /// The machine's options hold all legal ones now.
    Listed,
}

/// A sampled answer that is legal.
pub(crate) enum Sampled {
    /// There is none: nobody is asked.
    Nothing,
    Pick(Pick),
    /// It has been applied.
    Applied,
}

/// The menu that a fiber waits with, if the offer has only one: its number, slot, and the register of its parameters.
fn single_menu<'a>(p: &'a Program, fiber: &Fiber) -> Option<(MenuIx, &'a MenuSlot, R)> {
    let Wait::Menu { offer, .. } = fiber.wait else { return None };
    let [(ix, at)] = p.offers.get(offer.index())?.menus.as_slice() else { return None };
    Some((*ix, p.menus.get(ix.index())?, *at))
}

impl Core {
    /// Whether the options of a waiting fiber can be sampled: it has no siblings, and its menu has actions that are tested by execution.
    pub(crate) fn can_sample(&self, p: &Program, fiber: &Fiber) -> bool {
        let Some((ix, menu, _)) = single_menu(p, fiber) else { return false };
        // A menu whose enumerators run in a row has no loose one.
        let chained = self.world.chains.get(ix.index()).is_some_and(Option::is_some);
        let by_itself = |e: &EndSlot| matches!(e.when, EndWhen::Always | EndWhen::NoAction);
        let usual = fiber.parent == NOBODY && !fiber.freely && menu.open.is_none();
        let loose = || {
            !chained
                && menu.actions.iter().any(|a| p.actions.get(a.index()).is_some_and(|a| a.loose.is_some()))
        };
        match &menu.lines {
            None => usual && menu.done.is_none() && menu.pass.as_ref().is_none_or(by_itself) && loose(),
            // Whether it can be left must not depend on its options.
            Some(lines) => {
                let by_itself = |e: &EndSlot| matches!(e.when, EndWhen::Always | EndWhen::Func(_));
                let ends = menu.done.as_ref().is_none_or(by_itself) && menu.pass.is_none();
                usual && ends && lines.values.is_empty() && lines.alive.is_some() && !loose()
            }
        }
    }

    /// Puts a superset of the legal options of such a fiber into the machine's options, which are then those of no question. True if one of them is legal, or a pass.
    pub(crate) fn has_legal_option(&mut self, p: &Program, fiber: &Fiber, player: i64) -> Result<bool, Stop> {
        self.collect_candidates(p, fiber, player)?;
        Ok(self.find_legal(p, fiber, player)? != Legal::Nothing)
    }

    /// Whether an option of the superset in the machine's options is legal.
    fn find_legal(&mut self, p: &Program, fiber: &Fiber, player: i64) -> Result<Legal, Stop> {
        for seg in 0..self.context.opts.segments.len() {
            let Some(segment) = self.context.opts.segments.get(seg) else { break };
            // `done` alone is no reason to ask.
            if segment.what == What::Done {
                continue;
            }
            for k in 0..segment.count {
                if self.is_legal(p, fiber, player, seg, k)? {
                    return Ok(Legal::AtLeastOne);
                }
            }
        }
        // A pass may be allowed, or a player without an action must confirm it.
        let offer = match fiber.wait {
            Wait::Menu { offer, .. } => p.offers.get(offer.index()),
            _ => None,
        };
        let silent = offer.is_some_and(|o| o.silent);
        let nothing = silent && single_menu(p, fiber).is_some_and(|(_, menu, _)| menu.pass.is_none());
        if nothing && !cfg!(debug_assertions) {
            return Ok(Legal::Nothing);
        }
        let some = self.menu_options(p, fiber, player)?;
        debug_assert!(!(some && nothing), "something is left where nothing was found");
        self.options_for = None;
        Ok(if some { Legal::Listed } else { Legal::Nothing })
    }

    /// Samples an answer for such a fiber, if it has a legal one. Most samples are legal; only if one is not, the options are searched for a legal one, and a new sample is drawn.
    /// A legal sample is applied at once if possible.
    pub(crate) fn sample_and_apply(
        &mut self,
        p: &Program,
        fiber: &mut Fiber,
        player: i64,
        seat: usize,
        pilot: &mut dyn Pilot,
    ) -> Result<Sampled, Stop> {
        self.collect_candidates(p, fiber, player)?;
        self.context.refill();
        let opts = &self.context.opts;
        let action = |seg: usize| opts.segments.get(seg).is_some_and(|s| matches!(s.what, What::Action(_)));
        let mut other = None;
        let acts = (0..opts.segments.len()).any(action);
        if acts {
            pilot.mark(seat);
            match pilot.pick(seat, opts) {
                Pick::At(seg, k) if action(seg) => match self.try_option(p, fiber, player, seg, k)? {
                    WayOut::Applied { .. } => return Ok(Sampled::Applied),
                    WayOut::Out => return Ok(Sampled::Pick(Pick::At(seg, k))),
                    WayOut::Dead => {}
                },
                pick => other = Some(pick),
            }
        }
        let left = self.find_legal(p, fiber, player)?;
        match (left, other) {
            (Legal::AtLeastOne, Some(pick)) => return Ok(Sampled::Pick(pick)),
            (Legal::AtLeastOne, None) if acts => {
                return self.sample_legal(p, fiber, player, seat, pilot, MAX_DRAWS - 1).map(Sampled::Pick);
            }
            _ => {}
        }
        // The sample is undone: nobody is asked, or the options differ.
        if acts {
            pilot.rewind(seat);
        }
        match left {
            Legal::Nothing => return Ok(Sampled::Nothing),
            // The machine's options are no longer the superset that is sampled.
            Legal::Listed => self.collect_candidates(p, fiber, player)?,
            Legal::AtLeastOne => {}
        }
        self.sample_legal(p, fiber, player, seat, pilot, MAX_DRAWS).map(Sampled::Pick)
    }

    /// Whether a sampled option is legal. If nothing prevents it, the option is then applied, as if the fiber had run it.
    fn try_option(
        &mut self,
        p: &Program,
        fiber: &mut Fiber,
        player: i64,
        seg: usize,
        k: u64,
    ) -> Result<WayOut, Stop> {
        let lines = single_menu(p, fiber).and_then(|(_, menu, at)| Some((menu, at, menu.lines.as_ref()?)));
        // With coverage marks or an open layer, or where somebody watches, the option is only tested here.
        let (Some((menu, at, lines)), Wait::Menu { d, at: own, .. }, true) =
            (lines, fiber.wait, p.marks.is_empty() && fiber.leases.is_empty() && !self.context.rec.watched)
        else {
            return Ok(if self.is_legal(p, fiber, player, seg, k)? { WayOut::Out } else { WayOut::Dead });
        };
        let bad = || Stop::from(FaultKind::BadProgram("an option that is not there"));
        let frame = p.funcs.get(fiber.func as usize).map_or(256, |f| (f.frame as usize).min(256));
        let Some(win) = window(&mut fiber.stack, fiber.base as usize) else { return Err(bad()) };
        let seg = self.context.opts.segments.get(seg).ok_or_else(bad)?;
        let choice = self.context.opts.pick(seg, k);
        let within = frame.saturating_sub(own as usize);
        self.context.search_room.window.clear();
        self.context.search_room.window.extend_from_slice(slice(win, own, within));
        let args = Args { who: player, params: slice(win, at, menu.params as usize) };
        let way = self.context.check_way_out(
            self.world.with(p),
            &mut self.state,
            (menu, lines),
            args,
            &choice,
            true,
        )?;
        if let WayOut::Applied { open } = way {
            write_words(win, own, &self.context.search_room.window);
            win[d as usize] = OFFER_ACTED as u64;
            // If the same menu is offered again at once, it need not be checked again whether it can be left.
            let asks = fiber.pc.wrapping_sub(1);
            let again = match p.code.get(fiber.pc as usize) {
                Some(Ins::JEqK { a, k, to }) => *a == d && i64::from(*k) == OFFER_ACTED && *to == asks,
                _ => false,
            };
            self.may_leave = again && open;
        }
        Ok(way)
    }

    fn collect_candidates(&mut self, p: &Program, fiber: &Fiber, player: i64) -> Result<(), Stop> {
        let before = self.context.notes.begin();
        let gathered = self.enumerate_candidates(p, fiber, player);
        self.context.notes.end(before);
        gathered
    }

    fn enumerate_candidates(&mut self, p: &Program, fiber: &Fiber, player: i64) -> Result<(), Stop> {
        self.options_for = None;
        self.context.opts.clear();
        let bad = || Stop::from(FaultKind::BadProgram("a menu that is not there"));
        let (Some((ix, menu, at)), Some(win)) = (single_menu(p, fiber), base_window(fiber)) else {
            return Err(bad());
        };
        let args = Args { who: player, params: slice(win, at, menu.params as usize) };
        let chain = self.world.chains.get(ix.index()).and_then(Option::as_ref);
        let loose = |a: &ActionIx| p.actions.get(a.index()).is_some_and(|a| a.loose.is_some());
        match chain.is_none() && menu.actions.iter().any(loose) {
            false => self.context.enumerate_menu(self.world.with(p), &mut self.state, menu, chain, args)?,
            true => {
                for a in &menu.actions {
                    let action = p.actions.get(a.index()).ok_or_else(bad)?;
                    let f = action.loose.unwrap_or(action.enumerator);
                    self.context.enumerate(self.world.with(p), &mut self.state, f, args)?;
                }
            }
        }
        let may_leave = std::mem::take(&mut self.may_leave);
        let done = match menu.done.as_ref().map(|e| e.when) {
            Some(EndWhen::Always) => true,
            Some(EndWhen::Func(_)) if may_leave && !cfg!(debug_assertions) => true,
            Some(EndWhen::Func(f)) => self.context.truth(self.world.with(p), &mut self.state, f, args)?,
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

    /// Samples an option of such a fiber from the superset in the machine's options and tests it; after `draws` failures all are tested.
    pub(crate) fn sample_legal(
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
                Pick::At(seg, k) if !self.is_legal(p, fiber, player, seg, k)? => {}
                pick => return Ok(pick),
            }
        }
        self.menu_options(p, fiber, player)?;
        self.options_for = None;
        Ok(pilot.pick(seat, &self.context.opts))
    }

    /// Whether a sampled option is legal.
    fn is_legal(
        &mut self,
        p: &Program,
        fiber: &Fiber,
        player: i64,
        seg: usize,
        k: u64,
    ) -> Result<bool, Stop> {
        let bad = || Stop::from(FaultKind::BadProgram("an option that is not there"));
        let seg = *self.context.opts.segments.get(seg).ok_or_else(bad)?;
        let What::Action(action) = seg.what else { return Ok(true) };
        if let (Some((_, menu, at)), Some(win)) = (single_menu(p, fiber), base_window(fiber))
            && let Some(lines) = &menu.lines
        {
            let choice = self.context.opts.pick(&seg, k);
            let args = Args { who: player, params: slice(win, at, menu.params as usize) };
            let way = self.context.check_way_out(
                self.world.with(p),
                &mut self.state,
                (menu, lines),
                args,
                &choice,
                false,
            )?;
            return Ok(way != WayOut::Dead);
        }
        let Some(tries) = p.actions.get(action.index()).ok_or_else(bad)?.tries else { return Ok(true) };
        let n = self.world.actions.get(action.index()).map_or(0, |a| a.words as usize);
        let mut room = [0u64; 64];
        let Some(room) = room.get_mut(..n) else { return Err(bad()) };
        if !self.context.opts.write_option(&seg, k, room) {
            return Err(bad());
        }
        self.context.truth(self.world.with(p), &mut self.state, tries, Args { who: player, params: room })
    }

    /// Samples a legal option of a pending question; `None` if its fiber cannot be sampled.
    pub(crate) fn sample_pending(
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
        if !self.can_sample(p, fiber) {
            return Ok(None);
        }
        let all = std::mem::take(&mut self.state.fibers);
        self.context.refill();
        let seat = question.seats.trailing_zeros() as usize;
        let r = match all.get(question.fiber as usize) {
            Some(fiber) => self
                .collect_candidates(p, fiber, player)
                .and_then(|()| self.sample_legal(p, fiber, player, seat, pilot, MAX_DRAWS))
                .map(Some),
            None => Ok(None),
        };
        self.state.fibers = all;
        r
    }
}
