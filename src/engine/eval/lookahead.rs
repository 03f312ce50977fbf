//! Depth-first search over the lines of a menu: actions one after another, as long as the menu is offered again. An action is legal only if a line that begins with it ends as well
//! as any line does ([`LinesSlot`]).
//!
//! A line ends when nothing is on offer any more, when the menu may be left, at a question of an effect, or with the game. Effects run on the state itself; a copy for each depth
//! is put back. Results are memoised by position, so the same actions in another order cost nothing. If the values have a bound and a line reaches it, the search stops.
//! The search is bounded by [`MOST_TRIED`], [`LONGEST`] and the step budget.
use crate::base::fault::{FaultKind, Stop};
use crate::base::window::{window, write_words};
use crate::context::exit::Exit;
use crate::context::frames::clear;
use crate::context::run_context::Context;
use crate::context::search_room::{LineValue, SearchRoom};
use crate::data::decision::{Choice, Last, Options, Words};
use crate::data::state::State;
use crate::eval::pure::Args;
use crate::eval::speculation;
use crate::world::position_hash;
use crate::world::tables::Rules;
use houserule_program::ir::*;
use smallvec::SmallVec;

/// The most effects that are executed for one question.
const MOST_TRIED: u32 = 20_000;
/// If one choice is tested, positions are memoised only after this number of effects.
const FEW: u32 = 32;
/// The most actions in a row.
const LONGEST: usize = 64;

/// The result of a test whether a choice begins a line with a way out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WayOut {
    /// No line has a way out.
    Dead,
    /// There is one; the state is as before.
    Out,
    /// There is one, and the action is applied: it ended without a question. `open`: the menu is known to have an open end after it.
    Applied { open: bool },
}

/// A search under way.
struct Search<'a> {
    rules: Rules<'a>,
    menu: &'a MenuSlot,
    lines: &'a LinesSlot,
    args: Args<'a>,
    ideal: Option<LineValue>,
    /// Whether only one choice is tested.
    alone: bool,
    /// Whether that choice is to be applied if it has a way out; and whether it has been.
    apply: bool,
    applied: bool,
    /// Whether the menu could be left right after it.
    open: bool,
    room: SearchRoom,
}

impl Context {
    /// Adds the actions of an open menu to the options, except those that begin no line that ends as well as the menu demands.
    pub fn menu_actions(
        &mut self,
        rules: Rules<'_>,
        st: &mut State,
        menu: &MenuSlot,
        args: Args<'_>,
    ) -> Result<(), Stop> {
        let (segments, words) = (self.opts.segments.len(), self.opts.words.len());
        let before = self.notes.begin();
        let listed = self.enumerate_menu(rules, st, menu, None, args);
        self.notes.end(before);
        listed?;
        match &menu.lines {
            Some(lines) if self.opts.segments.len() > segments => {
                let menu = (rules, menu, lines, args);
                self.run_search(menu, st, false, |search, st, cx| {
                    search.search_options(st, cx, segments, words)
                })
            }
            _ => Ok(()),
        }
    }

    /// Whether an action of a menu that demands only a way out ([`LinesSlot::values`] is empty) begins a line that has one. If `apply` is set, the action is then applied if possible,
    /// so that the caller need not run it a second time. The caller puts the asking fiber's registers into [`SearchRoom::window`]; if the action is applied, it finds the new ones there.
    pub fn check_way_out(
        &mut self,
        rules: Rules<'_>,
        st: &mut State,
        (menu, lines): (&MenuSlot, &LinesSlot),
        args: Args<'_>,
        choice: &Choice,
        apply: bool,
    ) -> Result<WayOut, Stop> {
        let menu = (rules, menu, lines, args);
        self.run_search(menu, st, true, |search, st, cx| {
            search.apply = apply;
            let value = search.value_of_choice(st, cx, choice, 0)?;
            Ok(match (is_alive(&value), search.applied) {
                (false, _) => WayOut::Dead,
                (true, false) => WayOut::Out,
                (true, true) => WayOut::Applied { open: search.open },
            })
        })
    }

    /// Runs a search. The state is afterwards as before, unless the action is applied.
    fn run_search<T>(
        &mut self,
        (rules, menu, lines, args): (Rules<'_>, &MenuSlot, &LinesSlot, Args<'_>),
        st: &mut State,
        alone: bool,
        look: impl FnOnce(&mut Search<'_>, &mut State, &mut Context) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let mut room = std::mem::take(&mut self.search_room);
        room.known.clear();
        room.tried = 0;
        let ideal = lines.ideal.as_ref().map(|best| {
            let good = best.iter().map(|x| if lines.least { -i64::from(*x) } else { i64::from(*x) });
            std::iter::once(1).chain(good).collect()
        });
        let mut search = Search {
            rules,
            menu,
            lines,
            args,
            ideal,
            alone,
            apply: false,
            applied: false,
            open: false,
            room,
        };
        let recording = self.rec.pause();
        let keeping = std::mem::replace(&mut self.memo.speculative, true);
        let dirty = self.memo.dirty;
        // Speculative execution does not count for coverage.
        let covered = (!rules.p.marks.is_empty()).then(|| std::mem::take(&mut self.covered));
        let depth = self.trials.depth();
        let r = look(&mut search, st, self);
        if r.is_err() {
            speculation::abandon(st, self, depth);
        }
        self.rec.resume(recording);
        self.memo.speculative = keeping;
        self.memo.dirty = if search.applied { self.memo.dirty | dirty } else { dirty };
        if let Some(before) = covered {
            self.covered = before;
        }
        self.search_room = search.room;
        r
    }
}

impl Search<'_> {
    /// Removes those options behind the first `segments` and `words` that begin no line that ends well enough.
    fn search_options(
        &mut self,
        st: &mut State,
        cx: &mut Context,
        segments: usize,
        words: usize,
    ) -> Result<(), Stop> {
        let mut all = self.room.opts.pop().unwrap_or_default();
        all.clone_from(&cx.opts);
        cx.opts.cut_back(segments, words);
        let r = self.keep_legal(st, cx, &all, segments);
        self.room.opts.push(all);
        r
    }

    /// Puts the legal ones of the options behind the first `segments` back.
    fn keep_legal(
        &mut self,
        st: &mut State,
        cx: &mut Context,
        all: &Options,
        segments: usize,
    ) -> Result<(), Stop> {
        let mut best =
            if self.can_leave(st, cx, true)? { Some(self.value_at_end(st, cx, true)?) } else { None };
        let mut values: Vec<LineValue> = Vec::new();
        for seg in all.segments.get(segments..).unwrap_or(&[]) {
            for k in 0..seg.count {
                let value = self.value_of_choice(st, cx, &all.pick(seg, k), 0)?;
                if best.as_ref().is_none_or(|b| *b < value) {
                    best = Some(value.clone());
                }
                values.push(value);
            }
        }
        let needs_way_out = self.lines.alive.is_some();
        let is_legal = |v: &LineValue| best.as_ref() == Some(v) && (!needs_way_out || is_alive(v));
        let mut values = values.iter();
        for seg in all.segments.get(segments..).unwrap_or(&[]) {
            let at = cx.opts.words.len() as u32;
            cx.opts.words.extend_from_slice(
                all.words.get(seg.at as usize..).and_then(|w| w.get(..seg.n as usize)).unwrap_or(&[]),
            );
            let first = cx.opts.words.len() as u32;
            let mut n = 0;
            let unit = matches!(seg.last, Last::Unit);
            for k in 0..seg.count {
                if !values.next().is_some_and(is_legal) {
                    continue;
                }
                n += 1;
                if let (false, Choice::Action { params, .. }) = (unit, all.pick(seg, k)) {
                    cx.opts.words.extend(params.last());
                }
            }
            let last = if unit && n > 0 { Last::Unit } else { Last::List { at: first, n } };
            cx.opts.push(seg.what, at, seg.n, last);
        }
        Ok(())
    }

    /// The value of the best line that begins with a choice. The state is afterwards as before, unless the choice is applied.
    fn value_of_choice(
        &mut self,
        st: &mut State,
        cx: &mut Context,
        choice: &Choice,
        depth: usize,
    ) -> Result<LineValue, Stop> {
        let Choice::Action { action, params } = choice else {
            return Err(Stop::from(FaultKind::BadProgram("a line of what is no action")));
        };
        self.room.tried += 1;
        if self.room.tried > MOST_TRIED || depth >= LONGEST {
            cx.push_menu_frame(self.rules.p, self.menu, self.lines.span);
            return Err(Stop::from(FaultKind::TooManyLines));
        }
        if self.room.kept.len() <= depth {
            self.room.kept.push(State::default());
        }
        if let Some(kept) = self.room.kept.get_mut(depth) {
            kept.copy_from(st);
        }
        let seen: SmallVec<[u32; 2]> = st.seen.iter().map(|s| s.len() as u32).collect();
        let apply = self.apply && depth == 0;
        let acted = self.apply_action(st, cx, *action, params, apply);
        let ended = matches!(acted, Ok(true));
        let r = match acted {
            Ok(true) if self.lines.again => self.best_value(st, cx, depth + 1),
            Ok(_) => self.value_at_end(st, cx, true),
            Err(k) => Err(k),
        };
        if apply && ended && r.as_ref().is_ok_and(is_alive) {
            self.applied = true;
            return r;
        }
        if let Some(kept) = self.room.kept.get(depth) {
            st.copy_from(kept);
        }
        st.forget_seen(&seen);
        r
    }

    /// The value of the best line from here.
    fn best_value(&mut self, st: &mut State, cx: &mut Context, depth: usize) -> Result<LineValue, Stop> {
        // If only a way out is demanded, an open end is enough: nothing is listed.
        if self.lines.values.is_empty() && self.can_always_leave(st, cx)? {
            self.open |= depth == 1;
            return self.value_at_end(st, cx, true);
        }
        // If one choice is tested, the position after it recurs only from a greater depth, and rarely within the first few actions.
        let often = !self.alone || depth > 1 && self.room.tried > FEW;
        let key = often.then(|| position_hash::hash_state(st));
        if let Some(known) = key.and_then(|key| self.room.known.get(&key)) {
            return Ok(known.clone());
        }
        let r = match self.lines.values.is_empty() {
            true => self.find_way_out(st, cx, depth),
            false => self.best_of_options(st, cx, depth),
        };
        if let (Ok(best), Some(key)) = (&r, key) {
            self.room.known.insert(key, best.clone());
        }
        r
    }

    /// The value of the best line from here, by the values of all options.
    fn best_of_options(&mut self, st: &mut State, cx: &mut Context, depth: usize) -> Result<LineValue, Stop> {
        let fresh = self.room.opts.pop().unwrap_or_default();
        let outer = std::mem::replace(&mut cx.opts, fresh);
        cx.opts.clear();
        let r = self.collect_offered(st, cx);
        let all = std::mem::replace(&mut cx.opts, outer);
        let r = r.and_then(|()| {
            let some = !all.is_empty();
            let leave = self.can_leave(st, cx, some)?;
            let mut best = if leave || !some { Some(self.value_at_end(st, cx, leave)?) } else { None };
            for choice in all.iter() {
                if best.is_some() && best == self.ideal {
                    break;
                }
                let value = self.value_of_choice(st, cx, &choice, depth)?;
                if best.as_ref().is_none_or(|b| *b < value) {
                    best = Some(value);
                }
            }
            Ok(best.unwrap_or_default())
        });
        self.room.opts.push(all);
        r
    }

    /// The value of a line from here if only a way out is demanded: actions are tested one after the other, up to the first that has one.
    fn find_way_out(&mut self, st: &mut State, cx: &mut Context, depth: usize) -> Result<LineValue, Stop> {
        let mut some = false;
        if cx.is_open(self.rules, st, self.menu, self.args)? {
            let before = cx.notes.begin();
            let mut found = Ok(None);
            for a in &self.menu.actions {
                found = self.way_out_by(st, cx, *a, depth, &mut some);
                if !matches!(found, Ok(None)) {
                    break;
                }
            }
            cx.notes.end(before);
            if let Some(value) = found? {
                return Ok(value);
            }
        }
        let leave = self.can_leave(st, cx, some)?;
        self.value_at_end(st, cx, leave)
    }

    /// The value of a line with a way out that begins with an action, if there is one. Sets `some` if the action is on offer.
    fn way_out_by(
        &mut self,
        st: &mut State,
        cx: &mut Context,
        a: ActionIx,
        depth: usize,
        some: &mut bool,
    ) -> Result<Option<LineValue>, Stop> {
        let Some(action) = self.rules.p.actions.get(a.index()) else { return Ok(None) };
        let fresh = self.room.opts.pop().unwrap_or_default();
        let outer = std::mem::replace(&mut cx.opts, fresh);
        cx.opts.clear();
        let listed = cx.enumerate(self.rules, st, action.enumerator, self.args);
        let all = std::mem::replace(&mut cx.opts, outer);
        let found = listed.and_then(|()| {
            *some |= !all.is_empty();
            for choice in all.iter() {
                let value = self.value_of_choice(st, cx, &choice, depth)?;
                if is_alive(&value) {
                    return Ok(Some(value));
                }
            }
            Ok(None)
        });
        self.room.opts.push(all);
        found
    }

    /// Lists all actions that the menu offers now, however their lines end.
    fn collect_offered(&self, st: &mut State, cx: &mut Context) -> Result<(), Stop> {
        if !cx.is_open(self.rules, st, self.menu, self.args)? {
            return Ok(());
        }
        let before = cx.notes.begin();
        let listed = cx.enumerate_menu(self.rules, st, self.menu, None, self.args);
        cx.notes.end(before);
        listed
    }

    /// Whether the menu can be left; `some`: whether anything is on offer.
    fn can_leave(&self, st: &mut State, cx: &mut Context, some: bool) -> Result<bool, Stop> {
        self.has_open_end(st, cx, some, |_| true)
    }

    /// Whether the menu can be left, whatever is on offer.
    fn can_always_leave(&self, st: &mut State, cx: &mut Context) -> Result<bool, Stop> {
        self.has_open_end(st, cx, true, |when| matches!(when, EndWhen::Always | EndWhen::Func(_)))
    }

    /// Whether `done` or `pass`, if it is of that sort, is allowed.
    #[inline]
    fn has_open_end(
        &self,
        st: &mut State,
        cx: &mut Context,
        some: bool,
        sort: impl Fn(EndWhen) -> bool,
    ) -> Result<bool, Stop> {
        for end in self.menu.done.iter().chain(&self.menu.pass).filter(|end| sort(end.when)) {
            if cx.can_end(self.rules, st, end, self.args, some)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The value of a line that ends here.
    fn value_at_end(&self, st: &mut State, cx: &mut Context, alive: bool) -> Result<LineValue, Stop> {
        let mut out = LineValue::new();
        out.push(i64::from(alive || self.lines.alive.is_none()));
        if self.lines.values.is_empty() {
            return Ok(out);
        }
        let mut args = Words::new();
        args.push(self.args.who as u64);
        args.extend_from_slice(self.args.params);
        for f in &self.lines.values {
            let mut v = [0u64; 1];
            cx.pure(self.rules, st, *f, &args, &mut v)?;
            let x = v[0] as i64;
            out.push(if self.lines.least { x.saturating_neg() } else { x });
        }
        Ok(out)
    }

    /// Runs an action's effect to its end or to its first question. True if play would return to the menu. `own`: with the registers of the asking fiber.
    fn apply_action(
        &mut self,
        st: &mut State,
        cx: &mut Context,
        action: ActionIx,
        params: &[u64],
        own: bool,
    ) -> Result<bool, Stop> {
        let effect = self.rules.p.actions.get(action.index()).map(|a| a.effect);
        let func = effect.and_then(|f| Some((f, self.rules.p.funcs.get(f.index())?)));
        let (f, func) = func.ok_or(FaultKind::BadProgram("an action that is not there"))?;
        let mut fiber = cx.take_fiber();
        fiber.pc = func.start;
        fiber.base = 0;
        fiber.func = f.0;
        fiber.me = self.args.who;
        fiber.links.clear();
        fiber.leases.clear();
        let r = match window(&mut fiber.stack, 0) {
            Some(win) if params.len() < 255 => {
                if own {
                    write_words(win, 0, &self.room.window);
                }
                clear(win, func);
                win[0] = self.args.who as u64;
                for (room, x) in win.iter_mut().skip(1).zip(params) {
                    *room = *x;
                }
                (cx.run.0)(self.rules, st, cx, &mut fiber, 0, None)
            }
            _ => Err(Stop::from(FaultKind::BadProgram("more arguments than a window holds"))),
        };
        if r.is_err() {
            cx.push_frames(self.rules.p, &fiber);
        }
        if own && let Some(left) = fiber.stack.get(..self.room.window.len()) {
            self.room.window.copy_from_slice(left);
        }
        cx.return_fiber(fiber);
        r?;
        Ok(matches!(cx.exit, Exit::Done) && !st.head.over)
    }
}

/// Whether the menu can be left at the end of a line with this value.
fn is_alive(value: &LineValue) -> bool {
    value.first().is_some_and(|alive| *alive != 0)
}
