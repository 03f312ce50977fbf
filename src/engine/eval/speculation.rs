//! Speculative execution: [`houserule_program::ir::Ins::Try`] runs an effect function in the middle of pure code, [`houserule_program::ir::Ins::Untry`] restores the state.
//!
//! All of the state is restored except its fibers, which are moved out while options are listed. One copy of the state serves all trials of one search, since the state is the same
//! after each. The effect ends at its first question, at its own end or at the end of the game. Nothing is logged.
use crate::base::fault::{FaultKind, Stop};
use crate::context::frames::enter;
use crate::context::run_context::Context;
use crate::context::trials::Trial;
use crate::data::state::{Fiber, State};
use houserule_program::ir::{FuncId, Program, R};

/// The most nested trials.
const MAX_TRIALS: usize = 8;

/// Begins a trial: `fiber` enters the effect. Returns the code position of its first instruction.
#[inline(never)]
pub(crate) fn begin(
    p: &Program,
    st: &State,
    cx: &mut Context,
    fiber: &mut Fiber,
    (at, f, pc): (R, FuncId, u32),
) -> Result<u32, Stop> {
    let depth = cx.trials.open.len();
    if depth >= MAX_TRIALS {
        return Err(Stop::from(FaultKind::TooDeep));
    }
    let links = fiber.links.len();
    let start = enter(p, fiber, at, f, u16::MAX, pc)?;
    if depth > 0 || !cx.trials.fresh {
        if cx.trials.kept.len() <= depth {
            cx.trials.kept.push(State::default());
        }
        if let Some(kept) = cx.trials.kept.get_mut(depth) {
            kept.copy_from(st);
        }
        cx.trials.fresh = true;
    }
    cx.trials.open.push(Trial {
        links,
        acts: cx.acts,
        recording: cx.rec.pause(),
        keeping: std::mem::replace(&mut cx.memo.speculative, true),
        dirty: cx.memo.dirty,
        seen: st.seen.iter().map(|s| s.len() as u32).collect(),
    });
    Ok(start)
}

/// Ends the effect at a question, an end or a fork: `fiber` returns to the code that began the trial. Returns the code position.
#[inline(never)]
pub(crate) fn stop(cx: &Context, fiber: &mut Fiber) -> Result<u32, Stop> {
    let trial = cx.trials.open.last().ok_or(FaultKind::BadProgram("a trial that is not under way"))?;
    let link = fiber.links.get(trial.links).copied();
    let link = link.ok_or(FaultKind::BadProgram("a trial that has ended"))?;
    fiber.links.truncate(trial.links);
    fiber.leases.clear();
    fiber.base = link.base;
    fiber.func = link.func;
    Ok(link.pc)
}

/// Ends the innermost trial and restores the state. Returns whether the fiber may run effects now.
#[inline(never)]
pub(crate) fn end(st: &mut State, cx: &mut Context) -> Result<bool, Stop> {
    let trial = cx.trials.open.pop().ok_or(FaultKind::BadProgram("a trial that is not under way"))?;
    if let Some(kept) = cx.trials.kept.get(cx.trials.open.len()) {
        st.copy_from(kept);
    }
    st.forget_seen(&trial.seen);
    cx.rec.resume(trial.recording);
    cx.memo.speculative = trial.keeping;
    cx.memo.dirty = trial.dirty;
    Ok(trial.acts)
}

/// Undoes the trials above a depth, after a fault.
#[cold]
pub(crate) fn abandon(st: &mut State, cx: &mut Context, depth: usize) {
    while cx.trials.open.len() > depth && end(st, cx).is_ok() {}
}
