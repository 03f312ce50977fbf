//! Lists the options of a question: runs enumerators, collects segments, decides whether `done` and `pass` are allowed.
use crate::base::bitset::get_bit;
use crate::base::fault::{Fault, FaultKind, Stop};
use crate::base::window::slice;
use crate::data::decision::{Last, What, Words};
use crate::data::state::{Fiber, Wait};
use crate::data::subsets::Subsets;
use crate::eval::pure::Args;
use crate::scheduler::core::Core;
use crate::scheduler::registers::{base_window, bounds};
use crate::world::knowledge;
use houserule_program::ir::*;

impl Core {
    /// Lists the options of a fiber that waits with a menu. False if there are none: then it is not asked.
    pub(crate) fn menu_options(&mut self, p: &Program, fiber: &Fiber, player: i64) -> Result<bool, Stop> {
        self.context.opts.clear();
        let r = self.with_memo(fiber, |core| core.collect_options(p, fiber, player));
        // Only good until something runs.
        self.options_for = if r.is_ok() { Some(u32::MAX) } else { None };
        r
    }

    fn collect_options(&mut self, p: &Program, fiber: &Fiber, player: i64) -> Result<bool, Stop> {
        let Wait::Menu { offer, .. } = fiber.wait else { return Ok(false) };
        let offer = p.offers.get(offer.index()).ok_or(FaultKind::BadProgram("an offer that is not there"))?;
        let win = base_window(fiber).ok_or(FaultKind::BadProgram("a fiber without a window"))?;
        // Most offers have one menu, which is always open and has no conditional end.
        if let [(ix, at)] = offer.menus.as_slice()
            && let Some(menu) = p.menus.get(ix.index())
            && menu.open.is_none()
            && menu.done.is_none()
            && !matches!(menu.pass.as_ref().map(|e| e.when), Some(EndWhen::Func(_) | EndWhen::ByAction(..)))
        {
            let args = Args { who: player, params: slice(win, *at, menu.params as usize) };
            self.context.menu_actions(self.world.with(p), &mut self.state, menu, args)?;
            let some = !self.context.opts.is_empty();
            let pass = match menu.pass.as_ref().map(|e| e.when) {
                None => !some && !offer.silent,
                Some(EndWhen::NoAction) => !some,
                Some(_) => true,
            };
            if pass {
                self.context.opts.push(What::Pass, 0, 0, Last::Unit);
            }
            return Ok(some || pass);
        }
        let (mut done, mut pass) = (false, false);
        let mut open: smallvec::SmallVec<[bool; 8]> = smallvec::SmallVec::new();
        for (ix, at) in &offer.menus {
            let menu = p.menus.get(ix.index()).ok_or(FaultKind::BadProgram("a menu that is not there"))?;
            let args = Args { who: player, params: slice(win, *at, menu.params as usize) };
            let is_open = self.context.is_open(self.world.with(p), &mut self.state, menu, args)?;
            open.push(is_open);
            if is_open {
                self.context.menu_actions(self.world.with(p), &mut self.state, menu, args)?;
            }
        }
        let some = !self.context.opts.is_empty();
        for ((ix, at), is_open) in offer.menus.iter().zip(&open) {
            let Some(menu) = p.menus.get(ix.index()).filter(|_| *is_open) else { continue };
            let args = Args { who: player, params: slice(win, *at, menu.params as usize) };
            if !done && let Some(end) = &menu.done {
                done = self.context.can_end(self.world.with(p), &mut self.state, end, args, some)?;
            }
            if !pass && let Some(end) = &menu.pass {
                pass = self.context.can_end(self.world.with(p), &mut self.state, end, args, some)?;
            }
        }
        if !some && !pass && (offer.silent || !done) {
            if offer.silent || !open.contains(&true) {
                return Ok(false);
            }
            pass = true;
        }
        if done {
            self.context.opts.push(What::Done, 0, 0, Last::Unit);
        }
        if pass {
            self.context.opts.push(What::Pass, 0, 0, Last::Unit);
        }
        Ok(true)
    }

    /// Whether a fiber that waits with a menu has an option, as [`Core::menu_options`] lists them; it stops at the first.
    pub(crate) fn has_option(&mut self, p: &Program, fiber: &Fiber, player: i64) -> Result<bool, Stop> {
        self.with_memo(fiber, |core| core.find_option(p, fiber, player))
    }

    /// Runs `list` with the memo if the fiber acts freely.
    #[inline]
    fn with_memo(
        &mut self,
        fiber: &Fiber,
        list: impl FnOnce(&mut Core) -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        let outer = std::mem::replace(&mut self.context.memo.on, fiber.freely);
        let r = list(self);
        self.context.memo.on = outer;
        r
    }

    /// Whether a player who acts freely is out: by `out when`, or, in games in which each wins or loses alone, by a verdict.
    fn is_out(&mut self, p: &Program, player: i64) -> Result<bool, Stop> {
        let verdict = usize::try_from(player).ok().and_then(|i| self.state.verdicts.get(i));
        if matches!(p.outcome, OutcomeSlot::Each) && verdict.is_some_and(Option::is_some) {
            return Ok(true);
        }
        let args = Args { who: player, params: &[] };
        p.out.map_or(Ok(false), |f| self.context.truth(self.world.with(p), &mut self.state, f, args))
    }

    fn find_option(&mut self, p: &Program, fiber: &Fiber, player: i64) -> Result<bool, Stop> {
        let Wait::Menu { offer, .. } = fiber.wait else { return Ok(false) };
        if fiber.freely && self.is_out(p, player)? {
            return Ok(false);
        }
        let (Some(offer), Some(win)) = (p.offers.get(offer.index()), base_window(fiber)) else {
            return Err(Stop::from(FaultKind::BadProgram("an offer that is not there")));
        };
        self.options_for = None;
        self.context.opts.clear();
        for (ix, at) in &offer.menus {
            let menu = p.menus.get(ix.index()).ok_or(FaultKind::BadProgram("a menu that is not there"))?;
            let args = Args { who: player, params: slice(win, *at, menu.params as usize) };
            if !self.context.is_open(self.world.with(p), &mut self.state, menu, args)? {
                continue;
            }
            if menu.lines.is_some() {
                self.context.menu_actions(self.world.with(p), &mut self.state, menu, args)?;
                if !self.context.opts.is_empty() {
                    return Ok(true);
                }
                continue;
            }
            for a in &menu.actions {
                let action =
                    p.actions.get(a.index()).ok_or(FaultKind::BadProgram("an action that is not there"))?;
                self.context.enumerate(self.world.with(p), &mut self.state, action.enumerator, args)?;
                if !self.context.opts.is_empty() {
                    return Ok(true);
                }
            }
        }
        let some = self.menu_options(p, fiber, player)?;
        self.options_for = None;
        Ok(some)
    }

    /// Whether a fiber that waits with a menu may be done; `some`: whether there is something to do there.
    pub(crate) fn can_be_done(
        &mut self,
        p: &Program,
        fiber: &Fiber,
        player: i64,
        some: bool,
    ) -> Result<bool, Stop> {
        self.with_memo(fiber, |core| core.find_done(p, fiber, player, some))
    }

    fn find_done(&mut self, p: &Program, fiber: &Fiber, player: i64, some: bool) -> Result<bool, Stop> {
        let Wait::Menu { offer, .. } = fiber.wait else { return Ok(false) };
        let (Some(offer), Some(win)) = (p.offers.get(offer.index()), base_window(fiber)) else {
            return Ok(false);
        };
        for (ix, at) in &offer.menus {
            let Some(menu) = p.menus.get(ix.index()) else { continue };
            let args = Args { who: player, params: slice(win, *at, menu.params as usize) };
            let open = self.context.is_open(self.world.with(p), &mut self.state, menu, args)?;
            if let Some(end) = menu.done.as_ref().filter(|_| open)
                && self.context.can_end(self.world.with(p), &mut self.state, end, args, some)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Makes the machine's options those of a pending question.
    pub(crate) fn find_options(&mut self, p: &Program, q: usize) -> Result<(), Fault> {
        let Some(question) = self.questions.get(q).copied() else {
            return Err(self.context.fault(FaultKind::BadProgram("a question that is not there")));
        };
        if self.options_for == Some(question.id) {
            return Ok(());
        }
        self.options_for = None;
        let i = question.fiber as usize;
        // The fibers are moved out of the state and put back as they were: options change nothing.
        let all = std::mem::take(&mut self.state.fibers);
        self.context.refill();
        let r = match all.get(i) {
            Some(fiber) if matches!(fiber.wait, Wait::Menu { .. }) => {
                self.menu_options(p, fiber, i64::from(question.player)).map(|_| ())
            }
            Some(fiber) => self.collect_answers(p, fiber),
            None => Err(Stop::from(FaultKind::BadProgram("a fiber that is not there"))),
        };
        self.state.fibers = all;
        match r {
            Ok(()) => {
                self.options_for = Some(question.id);
                Ok(())
            }
            Err(k) => {
                self.context.opts.clear();
                self.options_for = None;
                Err(self.context.fault(k))
            }
        }
    }

    /// Lists the answers to the question (not a menu) with which a fiber waits.
    pub(crate) fn collect_answers(&mut self, p: &Program, fiber: &Fiber) -> Result<(), Stop> {
        self.context.opts.clear();
        let Wait::Ask { s, ask, .. } = fiber.wait else { return Ok(()) };
        let slot = p.asks.get(ask.index()).ok_or(FaultKind::BadProgram("a question that is not there"))?;
        let uni = self.world.universe(slot.universe.index())?;
        let w = uni.w as usize;
        let win = base_window(fiber).ok_or(FaultKind::BadProgram("a fiber without a window"))?;
        if let Some(map) = slot.ways {
            crate::scheduler::registers::ways_of(
                self.world.with(p),
                win,
                s,
                (map, slot.costs),
                w,
                &mut self.context.ways,
            )?;
            let (o, sets) = (&mut self.context.opts, &self.context.ways);
            o.words.extend_from_slice(sets);
            let n = (sets.len() / w.max(1)) as u32;
            o.push(What::Subset, 0, 0, Last::OneOf { at: 0, w: uni.w, n });
            return Ok(());
        }
        let o = &mut self.context.opts;
        if slot.truth {
            o.push(What::Truth, 0, 0, Last::Range { lo: 0, hi: 1 });
        } else if slot.one {
            o.words.extend_from_slice(slice(win, s, w));
            o.push(What::One, 0, 0, Last::Set { at: 0, w: uni.w, lo: uni.lo });
            if o.is_empty() && slot.even_none {
                // The only answer is none.
                o.push(What::One, 0, 0, Last::Unit);
            }
        } else {
            let set: Words = slice(win, s, w).into();
            let (min, max) = bounds(win, slot, crate::base::bitset::count_bits(&set));
            o.words.extend_from_slice(&set);
            let mut subsets = Subsets::all(0, uni.w, min, max);
            if let (Some(apart), 1) = (&slot.alike, fiber.asked.count_ones()) {
                let asker = i64::from(fiber.asked.trailing_zeros());
                let rules = self.world.with(p);
                let side = |r: R, c: usize| get_bit(slice(win, r, w), 0, c);
                let same = |a: usize, b: usize| apart.iter().all(|r| side(*r, a) == side(*r, b));
                subsets.classes =
                    knowledge::classes(rules, &self.state, asker, uni.comps, &set, same, &mut o.words);
            }
            o.push(What::Subset, 0, 0, Last::Subset(subsets));
        }
        Ok(())
    }
}
