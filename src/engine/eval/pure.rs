//! Runs pure functions in the middle of other code: values, truth values, enumerators.
use crate::base::fault::{FaultKind, Stop};
use crate::base::window::window;
use crate::context::exit::Exit;
use crate::context::run_context::Context;
use crate::data::seats;
use crate::data::state::{Link, State};
use crate::eval::speculation;
use crate::world::tables::{Chain, Rules};
use houserule_program::ir::*;

/// For whom a condition or an enumerator runs, and with the parameters of which menu or action.
#[derive(Clone, Copy)]
pub struct Args<'a> {
    /// The player who acts; -1 if nobody does.
    pub who: i64,
    /// The parameters.
    pub params: &'a [u64],
}

/// Pure runs within pure runs (what is on offer asked within a guard, and so on).
const MAX_NESTED: usize = 8;

impl Context {
    /// Seats that see faces at a place. `c` is what lies or will lie there.
    pub fn seers(&mut self, rules: Rules<'_>, st: &mut State, place: usize, c: usize) -> Result<u32, Stop> {
        match rules.world.seers.get(place).copied() {
            Some(Some(mask)) => Ok(mask),
            None => Ok(0),
            Some(None) => {
                let Some(pl) = rules.p.places.get(place) else { return Ok(0) };
                let Some(SeenBy::Func(f)) = rules.p.zones.get(pl.zone as usize).map(|z| z.seen) else {
                    return Ok(0);
                };
                self.seers_by(rules, st, f, i64::from(pl.holder), c as i64)
            }
        }
    }

    /// Seats of the players that a function of (holder or none, thing) names.
    pub fn seers_by(
        &mut self,
        rules: Rules<'_>,
        st: &mut State,
        f: FuncId,
        holder: i64,
        c: i64,
    ) -> Result<u32, Stop> {
        let mut out = [0u64; 1];
        let args = [holder as u64, c as u64];
        let n = rules.p.funcs.get(f.index()).map_or(0, |f| f.args as usize).min(2);
        self.pure(rules, st, f, args.get(..n).unwrap_or(&[]), &mut out)?;
        Ok(seats::answering_any(rules.p, out[0]))
    }

    /// Runs a pure function.
    pub fn pure(
        &mut self,
        rules: Rules<'_>,
        st: &mut State,
        f: FuncId,
        args: &[u64],
        out: &mut [u64],
    ) -> Result<(), Stop> {
        let (first, rest) = args.split_first().map_or((0, args), |(a, b)| (*a, b));
        self.pure_of(rules, st, f, first, rest, out, &[])
    }

    /// Runs a pure function of `first` (mostly `me`) and `rest`, then the calls in `queued`, innermost last, with the same arguments.
    #[allow(clippy::too_many_arguments)]
    fn pure_of(
        &mut self,
        rules: Rules<'_>,
        st: &mut State,
        f: FuncId,
        first: u64,
        rest: &[u64],
        out: &mut [u64],
        queued: &[Link],
    ) -> Result<(), Stop> {
        let func =
            rules.p.funcs.get(f.index()).ok_or(FaultKind::BadProgram("a function that is not there"))?;
        if self.nested >= MAX_NESTED {
            return Err(Stop::from(FaultKind::TooDeep));
        }
        let tried = self.trials.depth();
        self.trials.forget();
        let mut fiber = self.take_fiber();
        fiber.pc = func.start;
        fiber.base = 0;
        fiber.func = f.0;
        fiber.links.clear();
        if !queued.is_empty() {
            fiber.links.extend_from_slice(queued);
        }
        fiber.leases.clear();
        let r = match window(&mut fiber.stack, 0) {
            Some(win) if rest.len() < 255 => {
                win[0] = first;
                for (room, x) in win.iter_mut().skip(1).zip(rest) {
                    *room = *x;
                }
                self.nested += 1;
                let r = (self.run.0)(rules, st, self, &mut fiber, u16::MAX, None);
                self.nested -= 1;
                r
            }
            _ => Err(Stop::from(FaultKind::BadProgram("more arguments than a window holds"))),
        };
        let r = match r {
            Ok(()) if matches!(self.exit, Exit::Done) => {
                if let Some(have) = fiber.stack.get(..out.len()) {
                    out.copy_from_slice(have);
                }
                Ok(())
            }
            Ok(()) => Err(Stop::from(FaultKind::BadProgram("a pure function that stops"))),
            Err(k) => {
                // A queued function that was not entered is no caller.
                let waits = |l: &Link| rules.p.funcs.get(l.func as usize).is_some_and(|f| f.start == l.pc);
                fiber.links.retain(|l| !waits(l));
                self.push_frames(rules.p, &fiber);
                speculation::abandon(st, self, tried);
                Err(k)
            }
        };
        self.return_fiber(fiber);
        r
    }

    /// Runs enumerator `f`, which adds its options to `self.opts`.
    pub fn enumerate(
        &mut self,
        rules: Rules<'_>,
        st: &mut State,
        f: FuncId,
        args: Args<'_>,
    ) -> Result<(), Stop> {
        if self.memo.on {
            return self.enumerate_memoised(rules, st, f, args);
        }
        self.run_enumerators(rules, st, f, args, &[])
    }

    /// Runs an enumerator and the calls queued behind it. Components are alike if `who` cannot tell them apart.
    fn run_enumerators(
        &mut self,
        rules: Rules<'_>,
        st: &mut State,
        f: FuncId,
        args: Args<'_>,
        queued: &[Link],
    ) -> Result<(), Stop> {
        let asker = std::mem::replace(&mut self.asker, args.who);
        let r = self.pure_of(rules, st, f, args.who as u64, args.params, &mut [], queued);
        self.asker = asker;
        r
    }

    /// Runs all enumerators of a menu, one after the other.
    pub fn enumerate_menu(
        &mut self,
        rules: Rules<'_>,
        st: &mut State,
        menu: &MenuSlot,
        chain: Option<&Chain>,
        args: Args<'_>,
    ) -> Result<(), Stop> {
        if let Some(chain) = chain.filter(|_| !self.memo.on) {
            return self.run_enumerators(rules, st, chain.first, args, &chain.links);
        }
        for a in &menu.actions {
            let action = rules.p.actions.get(a.index());
            let action = action.ok_or(FaultKind::BadProgram("an action that is not there"))?;
            self.enumerate(rules, st, action.enumerator, args)?;
        }
        Ok(())
    }

    /// As [`Context::enumerate`], with the memo.
    #[inline(never)]
    fn enumerate_memoised(
        &mut self,
        rules: Rules<'_>,
        st: &mut State,
        f: FuncId,
        args: Args<'_>,
    ) -> Result<(), Stop> {
        let slot = self.memo.find_slot(f, args.who, args.params);
        let (segments, words) = (self.opts.segments.len(), self.opts.words.len());
        let kept = slot.is_some_and(|i| self.memo.recall_options(i, &mut self.opts));
        if kept && !cfg!(debug_assertions) {
            return Ok(());
        }
        // Debug builds list memoised options again and compare.
        let expected = kept.then(|| {
            let mut room = self.spare.pop().unwrap_or_default();
            room.clone_from(&self.opts);
            room
        });
        if kept {
            self.opts.cut_back(segments, words);
        }
        let r = self.run_enumerators(rules, st, f, args, &[]);
        if let Some(expected) = expected {
            debug_assert!(r.is_err() || expected == self.opts, "memoised options are out of date");
            self.spare.push(expected);
        }
        if let (Some(i), Ok(())) = (slot, &r) {
            self.memo.keep_options(i, &self.opts, segments, words);
        }
        r
    }

    /// Whether a menu is open.
    pub fn is_open(
        &mut self,
        rules: Rules<'_>,
        st: &mut State,
        menu: &MenuSlot,
        args: Args<'_>,
    ) -> Result<bool, Stop> {
        menu.open.map_or(Ok(true), |(f, _)| self.truth(rules, st, f, args))
    }

    /// Runs a condition of (me, parameters).
    pub fn truth(
        &mut self,
        rules: Rules<'_>,
        st: &mut State,
        f: FuncId,
        args: Args<'_>,
    ) -> Result<bool, Stop> {
        if self.memo.on {
            return self.truth_memoised(rules, st, f, args);
        }
        self.run_condition(rules, st, f, args)
    }

    fn run_condition(
        &mut self,
        rules: Rules<'_>,
        st: &mut State,
        f: FuncId,
        args: Args<'_>,
    ) -> Result<bool, Stop> {
        let n = rules.p.funcs.get(f.index()).map_or(0, |f| f.args as usize).saturating_sub(1);
        let params = args.params.get(..n).unwrap_or(args.params);
        let mut out = [0u64; 1];
        self.pure_of(rules, st, f, args.who as u64, params, &mut out, &[])?;
        Ok(out[0] != 0)
    }

    /// As [`Context::truth`], with the memo.
    #[inline(never)]
    fn truth_memoised(
        &mut self,
        rules: Rules<'_>,
        st: &mut State,
        f: FuncId,
        args: Args<'_>,
    ) -> Result<bool, Stop> {
        let slot = self.memo.find_slot(f, args.who, args.params);
        let kept = slot.and_then(|i| self.memo.recall_truth(i));
        if let Some(truth) = kept.filter(|_| !cfg!(debug_assertions)) {
            return Ok(truth);
        }
        let truth = self.run_condition(rules, st, f, args)?;
        debug_assert!(kept.is_none_or(|k| k == truth), "a memoised truth value is out of date");
        if let Some(i) = slot {
            self.memo.keep_truth(i, truth);
        }
        Ok(truth)
    }
}
