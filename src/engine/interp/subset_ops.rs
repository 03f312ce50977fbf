//! The instruction that offers the subsets of a set: one of several that differ only by alike elements, and only those that pass the guards.
use crate::base::fault::{FaultKind, MOST_SETS, Stop};
use crate::base::window::{Window, slice};
use crate::context::run_context::Context;
use crate::data::decision::{Last, What};
use crate::data::state::State;
use crate::data::subsets::{NOWHERE, Subsets};
use crate::eval::pure::Args;
use crate::interp::list_ops::add_options;
use crate::world::knowledge;
use crate::world::tables::Rules;
use houserule_program::ir::*;
use smallvec::SmallVec;

/// [`Ins::Subsets`]: a segment of an action's options.
pub(crate) fn offer_subsets(
    rules: Rules<'_>,
    st: &mut State,
    cx: &mut Context,
    win: &Window,
    (at, last, action): (R, R, ActionIx),
    (u, alike): (u8, bool),
) -> Result<(), Stop> {
    let bad = || Stop::from(FaultKind::BadProgram("subsets of an action that has none"));
    let slot = rules.p.actions.get(action.index()).ok_or_else(bad)?;
    let before = (cx.opts.segments.len(), cx.opts.words.len());
    add_options(rules.world, &mut cx.opts, win, at, last, action)?;
    let Some(segment) = cx.opts.segments.get(before.0).copied() else { return Ok(()) };
    let Last::Subset(mut subsets) = segment.last else { return Err(bad()) };
    cx.opts.cut_back(before.0, cx.opts.words.len());
    if alike {
        let mut picked: SmallVec<[u64; 8]> = SmallVec::new();
        let mut from = at;
        for param in slot.params.iter().take(slot.params.len().saturating_sub(1)) {
            if matches!(param.domain, Domain::Thing(of) if of.0 == u16::from(u)) {
                picked.push(win[from as usize]);
            }
            from = from.wrapping_add(param.domain.words(rules.p));
        }
        let set = slice(win, last.wrapping_add(2), subsets.w as usize);
        let comps = rules.world.universe(u as usize)?.comps;
        let apart = |c: usize| picked.contains(&(c as u64));
        let same = |a: usize, b: usize| !apart(a) && !apart(b);
        subsets.classes = knowledge::classes(rules, st, cx.asker, comps, set, same, &mut cx.opts.words);
    }
    if let Some(each) = slot.each {
        subsets.only =
            judge_subsets(rules, st, cx, (&subsets, each), slice(win, at, segment.n as usize), action)?;
        let passing = cx.opts.words.len() - subsets.only as usize;
        if passing == 0 {
            cx.opts.cut_back(before.0, before.1);
            return Ok(());
        }
        cx.opts.push_subsets(What::Action(action), segment, subsets, passing as u64);
    } else {
        cx.opts.push(What::Action(action), segment.at, segment.n, Last::Subset(subsets));
    }
    Ok(())
}

/// Writes the numbers of the subsets that pass the guards behind the words of the options. Returns the place.
fn judge_subsets(
    rules: Rules<'_>,
    st: &mut State,
    cx: &mut Context,
    (subsets, each): (&Subsets, FuncId),
    fixed: &[u64],
    action: ActionIx,
) -> Result<u32, Stop> {
    debug_assert!(subsets.only == NOWHERE, "subsets that are judged already");
    let n = subsets.count(&cx.opts.words);
    if n > MOST_SETS {
        return Err(Stop::from(FaultKind::TooManySets(action)));
    }
    let who = cx.asker;
    let mut passing: SmallVec<[u64; 64]> = SmallVec::new();
    let mut args: SmallVec<[u64; 16]> = SmallVec::from_slice(fixed);
    for k in 0..n {
        args.truncate(fixed.len());
        args.extend(subsets.nth(&cx.opts.words, k));
        if cx.truth(rules, st, each, Args { who, params: &args })? {
            passing.push(k);
        }
    }
    let place = cx.opts.words.len() as u32;
    cx.opts.words.extend(passing);
    Ok(place)
}
