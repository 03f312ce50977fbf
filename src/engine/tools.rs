//! What a run brings along that is no part of the state: the budget, scratch strands for pure code, hooks, the log, chance laid down.
use super::ahead::Ahead;
use super::decision::Options;
use super::exec::{Exit, Window, cut, run, window};
use super::fault::{Fault, FaultKind, Frame, Stop};
use super::knowledge::{self, SeededFault};
use super::memo::Memo;
use super::notes::Notes;
use super::recorder::Recorder;
use super::state::{Fiber, Link, State};
use super::trial::{self, Trials};
use super::world::{Chain, Fast, Look};
use houserule_program::ir::*;
use houserule_text::Span;
use std::sync::Arc;

/// From so many menus without an action on, they are what used the steps up.
const DRY: u32 = 100;

/// Where scripts of hooks are run. Set with [`super::Machine::set_hooks`].
pub trait Hooks: Send + Sync {
    /// Runs a hook: `args` and `out` are words as its slot's `params` and `gives` say (sets take their words), `look` is the state to read, `steps` what is left of
    /// the budget, to be lowered by what the script has used.
    ///
    /// # Errors
    /// What went wrong in the script, in words.
    fn call(
        &self,
        hook: &HookSlot,
        args: &[u64],
        out: &mut [u64],
        look: Look<'_>,
        steps: &mut u64,
    ) -> Result<(), String>;
}

/// Pure runs within pure runs (what is on offer asked within a guard, and so on).
const MAX_NESTED: usize = 8;

/// Scratch room and outside help of a run: no part of the state.
#[derive(Default)]
pub(crate) struct Tools {
    pub rec: Recorder,
    /// Which marks were reached.
    pub covered: Covered,
    pub hooks: Option<Arc<dyn Hooks>>,
    pub seeded: Option<SeededFault>,
    /// Steps that a stretch may take, and what is left of them.
    pub budget: u64,
    pub steps: u64,
    /// How often in this stretch a menu was passed over because there was nothing to do in it, and which was the last.
    pub dry: u32,
    pub driest: Option<OfferIx>,
    /// Chance that is laid down from outside, to go through all its outcomes.
    pub script: Option<Script>,
    /// What chance has brought, where somebody wants to know.
    pub lots: Option<Vec<super::chance::Chanced>>,
    /// Why the run loop was left last.
    pub exit: Exit,
    /// Options: those of a question ([`super::machine::Core::options_for`]), or under construction.
    pub opts: Options,
    /// Sets that ways over a map pass, of the question at hand.
    pub ways: Vec<u64>,
    /// The question that is answered without the loop being left.
    pub asking: super::inside::Asking,
    /// Effects on trial.
    pub trials: Trials,
    /// Room for looking ahead over lines of menus.
    pub ahead: Ahead,
    /// What was found and is still good.
    pub memo: Memo,
    /// Sets that the actions of a menu have in common, while its options are listed.
    pub notes: Notes,
    /// For whom options are looked for: alike is what he cannot tell apart.
    pub asker: i64,
    /// Strands that pure functions run in, by depth.
    // Boxed, since one is taken out and put back for every call from outside the loop.
    #[allow(clippy::vec_box)]
    pool: Vec<Box<Fiber>>,
    spare: Vec<Options>,
    nested: usize,
    /// Frames of the fault under way, innermost first.
    frames: Vec<Frame>,
}

/// Marks that were reached ([`Ins::Mark`]), a bit each; empty for programs without marks.
#[derive(Clone, Default)]
pub(crate) struct Covered(pub Vec<u64>);

impl Covered {
    /// A mark was reached.
    pub fn reach(&mut self, n: u32) {
        let word = n as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        if let Some(w) = self.0.get_mut(word) {
            *w |= 1 << (n % 64);
        }
    }
}

/// Chance laid down: numbers for the next draws, and the ranges of the draws that were made.
#[derive(Default)]
pub(crate) struct Script {
    pub numbers: Vec<u64>,
    pub ranges: Vec<u64>,
    /// Turns begun when the first of them was drawn.
    pub turns: Option<i32>,
}

impl Script {
    /// The number for a draw out of `0..n`: what was laid down for it, else 0. A draw with one outcome is none.
    pub fn next(&mut self, n: u64, turns: i32) -> u64 {
        if n <= 1 {
            return 0;
        }
        self.turns.get_or_insert(turns);
        let x = self.numbers.get(self.ranges.len()).copied().unwrap_or(0);
        self.ranges.push(n);
        x % n
    }
}

impl Tools {
    /// Seats that see faces at a place. `c` is what lies or will lie there.
    pub fn seers(
        &mut self,
        p: &Program,
        fast: &Fast,
        st: &mut State,
        place: usize,
        c: usize,
    ) -> Result<u32, Stop> {
        match fast.seers.get(place).copied() {
            Some(Some(mask)) => Ok(mask),
            None => Ok(0),
            Some(None) => {
                let Some(pl) = p.places.get(place) else { return Ok(0) };
                let Some(SeenBy::Func(f)) = p.zones.get(pl.zone as usize).map(|z| z.seen) else {
                    return Ok(0);
                };
                self.seers_by(p, fast, st, f, i64::from(pl.holder), c as i64)
            }
        }
    }

    /// Seats of the players that a function of (holder or none, thing) names.
    pub fn seers_by(
        &mut self,
        p: &Program,
        fast: &Fast,
        st: &mut State,
        f: FuncId,
        holder: i64,
        c: i64,
    ) -> Result<u32, Stop> {
        let mut out = [0u64; 1];
        let args = [holder as u64, c as u64];
        let n = p.funcs.get(f.index()).map_or(0, |f| f.args as usize).min(2);
        self.pure(p, fast, st, f, args.get(..n).unwrap_or(&[]), &mut out)?;
        Ok(knowledge::answering_any(p, out[0]))
    }

    /// Runs a pure function.
    pub fn pure(
        &mut self,
        p: &Program,
        fast: &Fast,
        st: &mut State,
        f: FuncId,
        args: &[u64],
        out: &mut [u64],
    ) -> Result<(), Stop> {
        let (first, rest) = args.split_first().map_or((0, args), |(a, b)| (*a, b));
        self.pure_of(p, fast, st, f, first, rest, out, |_| {})
    }

    /// Runs a pure function of `first` (mostly `me`) and `rest`; `behind` says what comes behind it, with the same arguments.
    #[allow(clippy::too_many_arguments)]
    fn pure_of(
        &mut self,
        p: &Program,
        fast: &Fast,
        st: &mut State,
        f: FuncId,
        first: u64,
        rest: &[u64],
        out: &mut [u64],
        behind: impl FnOnce(&mut Vec<Link>),
    ) -> Result<(), Stop> {
        let Some(func) = p.funcs.get(f.index()) else {
            return Err(Stop::from(FaultKind::BadProgram("a function that is not there")));
        };
        if self.nested >= MAX_NESTED {
            return Err(Stop::from(FaultKind::TooDeep));
        }
        let tried = self.trials.depth();
        self.trials.forget();
        let mut strand = self.pool.pop().unwrap_or_default();
        strand.pc = func.start;
        strand.base = 0;
        strand.func = f.0;
        strand.links.clear();
        behind(&mut strand.links);
        strand.leases.clear();
        let r = match window(&mut strand.stack, 0) {
            Some(win) if rest.len() < 255 => {
                win[0] = first;
                for (room, x) in win.iter_mut().skip(1).zip(rest) {
                    *room = *x;
                }
                self.nested += 1;
                let r = run(p, fast, st, self, &mut strand, u16::MAX, None);
                self.nested -= 1;
                r
            }
            _ => Err(Stop::from(FaultKind::BadProgram("more arguments than a window holds"))),
        };
        let r = match r {
            Ok(()) if matches!(self.exit, Exit::Done) => {
                if let Some(have) = strand.stack.get(..out.len()) {
                    out.copy_from_slice(have);
                }
                Ok(())
            }
            Ok(()) => Err(Stop::from(FaultKind::BadProgram("a pure function that stops"))),
            Err(k) => {
                // What was still to come has called nobody.
                let to_come = |l: &Link| p.funcs.get(l.func as usize).is_some_and(|f| f.start == l.pc);
                strand.links.retain(|l| !to_come(l));
                self.note(p, &strand);
                trial::abandon(st, self, tried);
                Err(k)
            }
        };
        self.pool.push(strand);
        r
    }

    /// What `f` (an enumerator) offers is added to `self.opts`.
    pub fn enumerate(
        &mut self,
        p: &Program,
        fast: &Fast,
        st: &mut State,
        f: FuncId,
        who: i64,
        params: &[u64],
    ) -> Result<(), Stop> {
        if self.memo.on {
            return self.enumerate_kept(p, fast, st, f, who, params);
        }
        let asker = std::mem::replace(&mut self.asker, who);
        let r = self.pure_of(p, fast, st, f, who as u64, params, &mut [], |_| {});
        self.asker = asker;
        r
    }

    /// The same of all enumerators of a menu, one after the other.
    #[allow(clippy::too_many_arguments)]
    pub fn enumerate_menu(
        &mut self,
        p: &Program,
        fast: &Fast,
        st: &mut State,
        menu: &MenuSlot,
        chain: Option<&Chain>,
        who: i64,
        params: &[u64],
    ) -> Result<(), Stop> {
        if let Some(chain) = chain.filter(|_| !self.memo.on) {
            let asker = std::mem::replace(&mut self.asker, who);
            let behind = |links: &mut Vec<Link>| links.extend_from_slice(&chain.links);
            let r = self.pure_of(p, fast, st, chain.first, who as u64, params, &mut [], behind);
            self.asker = asker;
            return r;
        }
        for a in &menu.actions {
            let Some(action) = p.actions.get(a.index()) else {
                return Err(Stop::from(FaultKind::BadProgram("an action that is not there")));
            };
            self.enumerate(p, fast, st, action.enumerator, who, params)?;
        }
        Ok(())
    }

    /// The same where what is found is kept.
    #[inline(never)]
    fn enumerate_kept(
        &mut self,
        p: &Program,
        fast: &Fast,
        st: &mut State,
        f: FuncId,
        who: i64,
        params: &[u64],
    ) -> Result<(), Stop> {
        let slot = self.memo.slot(f, who, params);
        let (segments, words) = (self.opts.segments.len(), self.opts.words.len());
        let kept = slot.is_some_and(|i| self.memo.add(i, &mut self.opts));
        if kept && !cfg!(debug_assertions) {
            return Ok(());
        }
        let outer = kept.then(|| {
            let mut room = self.spare.pop().unwrap_or_default();
            room.clone_from(&self.opts);
            room
        });
        if kept {
            self.opts.cut_back(segments, words);
        }
        let asker = std::mem::replace(&mut self.asker, who);
        let r = self.pure_of(p, fast, st, f, who as u64, params, &mut [], |_| {});
        self.asker = asker;
        // Where mistakes are looked for, what is kept is found again.
        if let Some(outer) = outer {
            debug_assert!(r.is_err() || outer == self.opts, "options that are no longer good");
            self.spare.push(outer);
        }
        if let (Some(i), Ok(())) = (slot, &r) {
            self.memo.keep(i, &self.opts, segments, words);
        }
        r
    }

    /// Whether an action of a menu is on offer.
    pub fn can_menu(
        &mut self,
        p: &Program,
        fast: &Fast,
        st: &mut State,
        menu: MenuIx,
        who: i64,
        params: &[u64],
    ) -> Result<bool, Stop> {
        let Some(m) = p.menus.get(menu.index()) else {
            return Err(Stop::from(FaultKind::BadProgram("a menu that is not there")));
        };
        if let Some((open, _)) = m.open
            && !self.truth(p, fast, st, open, who, params)?
        {
            return Ok(false);
        }
        let fresh = self.spare.pop().unwrap_or_default();
        let outer = std::mem::replace(&mut self.opts, fresh);
        self.opts.clear();
        let mut r = Ok(false);
        if m.lines.is_some() {
            r = self.menu_actions(p, fast, st, m, who, params).map(|()| !self.opts.is_empty());
        }
        for a in m.actions.iter().filter(|_| m.lines.is_none()) {
            let Some(action) = p.actions.get(a.index()) else { continue };
            r = self.enumerate(p, fast, st, action.enumerator, who, params).map(|()| !self.opts.is_empty());
            if !matches!(r, Ok(false)) {
                break;
            }
        }
        let used = std::mem::replace(&mut self.opts, outer);
        self.spare.push(used);
        r
    }

    /// Whether an action of one of an offer's menus can be taken; the menus' parameters stand in `win`.
    pub fn can_offer(
        &mut self,
        p: &Program,
        fast: &Fast,
        st: &mut State,
        offer: OfferIx,
        who: i64,
        win: &Window,
    ) -> Result<bool, Stop> {
        let Some(o) = p.offers.get(offer.index()) else {
            return Err(Stop::from(FaultKind::BadProgram("an offer that is not there")));
        };
        for (menu, at) in &o.menus {
            let n = p.menus.get(menu.index()).map_or(0, |m| m.params as usize);
            if self.can_menu(p, fast, st, *menu, who, cut(win, *at, n))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A truth value of (me, parameters).
    pub fn truth(
        &mut self,
        p: &Program,
        fast: &Fast,
        st: &mut State,
        f: FuncId,
        who: i64,
        params: &[u64],
    ) -> Result<bool, Stop> {
        if self.memo.on {
            return self.truth_kept(p, fast, st, f, who, params);
        }
        let n = p.funcs.get(f.index()).map_or(0, |f| f.args as usize).saturating_sub(1);
        let mut out = [0u64; 1];
        self.pure_of(p, fast, st, f, who as u64, params.get(..n).unwrap_or(params), &mut out, |_| {})?;
        Ok(out[0] != 0)
    }

    /// The same where what is found is kept.
    #[inline(never)]
    fn truth_kept(
        &mut self,
        p: &Program,
        fast: &Fast,
        st: &mut State,
        f: FuncId,
        who: i64,
        params: &[u64],
    ) -> Result<bool, Stop> {
        let slot = self.memo.slot(f, who, params);
        let kept = slot.and_then(|i| self.memo.truth(i));
        if let Some(truth) = kept.filter(|_| !cfg!(debug_assertions)) {
            return Ok(truth);
        }
        let n = p.funcs.get(f.index()).map_or(0, |f| f.args as usize).saturating_sub(1);
        let mut out = [0u64; 1];
        self.pure_of(p, fast, st, f, who as u64, params.get(..n).unwrap_or(params), &mut out, |_| {})?;
        debug_assert!(kept.is_none_or(|k| k == (out[0] != 0)), "a truth value that is no longer good");
        if let Some(i) = slot {
            self.memo.keep_truth(i, out[0] != 0);
        }
        Ok(out[0] != 0)
    }

    /// A strand to run something in; see [`Tools::give_back`].
    pub fn strand(&mut self) -> Box<Fiber> {
        self.pool.pop().unwrap_or_default()
    }

    /// A strand is not needed any more.
    pub fn give_back(&mut self, strand: Box<Fiber>) {
        self.pool.push(strand);
    }

    /// Says that something failed while lines of a menu were looked at.
    pub fn note_menu(&mut self, p: &Program, menu: &MenuSlot, span: Span) {
        let name = p.decls.get(menu.decl.index()).map_or_else(|| menu.name.clone(), |d| d.name.clone());
        self.frames.push(Frame { decl: menu.decl, name, span, args: Vec::new() });
    }

    /// A new stretch begins.
    pub fn refill(&mut self) {
        self.steps = self.budget;
        self.dry = 0;
    }

    /// There was nothing to do in what was offered.
    pub fn ran_dry(&mut self, offer: OfferIx) {
        self.dry = self.dry.saturating_add(1);
        self.driest = Some(offer);
    }

    /// Keeps where a strand stood when it failed.
    pub fn note(&mut self, p: &Program, strand: &Fiber) {
        let mut at = (strand.func, strand.pc, strand.base);
        for link in strand.links.iter().rev().map(Some).chain([None]) {
            if let Some(f) = p.funcs.get(at.0 as usize) {
                let from = at.2 as usize;
                let args = strand.stack.get(from..from + f.args as usize).unwrap_or(&[]);
                self.frames.push(Frame {
                    decl: f.decl,
                    name: f.name.clone(),
                    span: span_at(p, at.1.saturating_sub(1)),
                    args: args.iter().map(|x| *x as i64).collect(),
                });
            }
            if let Some(l) = link {
                at = (l.func, l.pc, l.base);
            }
        }
    }

    /// The fault under way, with its frames.
    pub fn fault(&mut self, stop: impl Into<Stop>) -> Fault {
        let mut kind = stop.into().kind();
        if let (FaultKind::OutOfBudget, Some(offer), DRY..) = (&kind, self.driest, self.dry) {
            kind = FaultKind::RanDry(offer);
        }
        let frames = std::mem::take(&mut self.frames);
        Fault { kind, span: frames.first().map(|f| f.span).unwrap_or_default(), frames }
    }
}

/// Where an instruction was made from.
pub(crate) fn span_at(p: &Program, pc: u32) -> Span {
    let i = p.spans.partition_point(|(at, _)| *at <= pc);
    i.checked_sub(1).and_then(|i| p.spans.get(i)).map(|x| x.1).unwrap_or_default()
}
