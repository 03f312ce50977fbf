//! Effects on trial: [`houserule_program::ir::Ins::Try`] runs an effect function in the middle of pure code, and [`houserule_program::ir::Ins::Untry`] makes as if nothing had been.
//!
//! What is undone is the whole state but its strands, which are lent out while options are looked for, so no effect can leave anything behind. A copy is taken once for all the
//! trials of one search, since behind each of them the state is as before. The effect ends at its first question, at its own end or at the game's; nothing is told meanwhile.
use crate::base::fault::{FaultKind, Stop};
use crate::context::frames::enter;
use crate::context::tools::Tools;
use crate::context::trials::Trial;
use crate::data::state::{Fiber, State};
use houserule_program::ir::{FuncId, Program, R};

/// Trials within trials.
const MAX_TRIALS: usize = 8;

/// Begins a trial: `strand` stands at the effect's first instruction then. Gives the code position.
#[inline(never)]
pub(crate) fn begin(
    p: &Program,
    st: &State,
    t: &mut Tools,
    strand: &mut Fiber,
    acts: bool,
    (at, f, pc): (R, FuncId, u32),
) -> Result<u32, Stop> {
    let depth = t.trials.open.len();
    if depth >= MAX_TRIALS {
        return Err(Stop::from(FaultKind::TooDeep));
    }
    let links = strand.links.len();
    let start = enter(p, strand, at, f, u16::MAX, pc)?;
    if depth > 0 || !t.trials.fresh {
        if t.trials.kept.len() <= depth {
            t.trials.kept.push(State::default());
        }
        if let Some(kept) = t.trials.kept.get_mut(depth) {
            kept.keep(st);
        }
        t.trials.fresh = true;
    }
    t.trials.open.push(Trial {
        links,
        acts,
        recording: std::mem::replace(&mut t.rec.on, false),
        keeping: std::mem::replace(&mut t.memo.tried, true),
        dirty: t.memo.dirty,
        seen: st.seen.iter().map(|s| s.len() as u32).collect(),
    });
    Ok(start)
}

/// The effect stops where it would stop for a question, an end or its brothers: back to what began the trial. Gives the code position.
#[inline(never)]
pub(crate) fn stop(t: &Tools, strand: &mut Fiber) -> Result<u32, Stop> {
    let trial = t.trials.open.last().ok_or(FaultKind::BadProgram("a trial that is not under way"))?;
    let link = strand.links.get(trial.links).copied();
    let link = link.ok_or(FaultKind::BadProgram("a trial that has ended"))?;
    strand.links.truncate(trial.links);
    strand.leases.clear();
    strand.base = link.base;
    strand.func = link.func;
    Ok(link.pc)
}

/// Ends the innermost trial: all is as before. Gives whether the strand may act now.
#[inline(never)]
pub(crate) fn end(st: &mut State, t: &mut Tools) -> Result<bool, Stop> {
    let trial = t.trials.open.pop().ok_or(FaultKind::BadProgram("a trial that is not under way"))?;
    if let Some(kept) = t.trials.kept.get(t.trials.open.len()) {
        st.put_back(kept);
    }
    st.forget_seen(&trial.seen);
    t.rec.on = trial.recording;
    t.memo.tried = trial.keeping;
    t.memo.dirty = trial.dirty;
    Ok(trial.acts)
}

/// After a fault: the trials above that depth are undone.
#[cold]
pub(crate) fn abandon(st: &mut State, t: &mut Tools, depth: usize) {
    while t.trials.open.len() > depth && end(st, t).is_ok() {}
}
