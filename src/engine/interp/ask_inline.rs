//! Questions that a pilot answers without the run loop being left: in playouts the only strand asks, what is on offer is found, one of it is drawn, and the strand goes on.
//!
//! This is the quick way for offers of the usual kind: one menu that is always open and has no `done`. All others, and whatever else a question brings, leave the loop
//! (see [`crate::scheduler::fibers`]); what is left behind is the same either way, which the law *a playout is step after step* holds.
use crate::base::fault::{FaultKind, Stop};
use crate::base::window::{cut, window};
use crate::context::exit::{Asking, Exit};
use crate::context::frames::enter;
use crate::context::pilot::{Course, Pick};
use crate::context::tools::Tools;
use crate::data::decision::{Last, What, Words};
use crate::data::seats::answering;
use crate::data::state::{Fiber, Link, State, Wait, frame};
use crate::world::direct_offers::Usual;
use crate::world::tables::Fast;
use houserule_program::ir::*;

/// In a [`Link`]: an enumerator returns to the question for which it was run.
pub(crate) const FOUND: u16 = u16::MAX - 1;

/// How the loop goes on.
pub(crate) enum Then {
    /// With an enumerator, there.
    Enumerate(u32),
    /// With the strand, there.
    On(u32),
    /// It is left: [`Tools::exit`] says why.
    Leave,
}

/// A strand asks. `None`: not in this way.
#[inline]
pub(crate) fn ask(
    p: &Program,
    fast: &Fast,
    t: &mut Tools,
    strand: &mut Fiber,
    course: &Course<'_>,
    (d, at, who, offer): (R, R, R, OfferIx),
    pc: u32,
) -> Result<Option<u32>, Stop> {
    let Some(Some(usual)) = fast.usual.get(offer.index()) else { return Ok(None) };
    let Some(win) = window(&mut strand.stack, strand.base as usize) else { return Ok(None) };
    let player = win[who as usize];
    if course.left == 0 || player >= u64::from(p.players.min(32)) || answering(p, player as i64) == 0 {
        return Ok(None);
    }
    t.opts.clear();
    let asker = std::mem::replace(&mut t.asker, player as i64);
    t.asking = Asking { d, at, offer, player: player as u8, done: 0, asker };
    enumerate(p, t, strand, usual, pc).map(Some)
}

/// Begins with the next action of the menu.
#[inline]
fn enumerate(p: &Program, t: &mut Tools, strand: &mut Fiber, usual: &Usual, pc: u32) -> Result<u32, Stop> {
    let Some((f, start)) = usual.enumerators.get(t.asking.done as usize).copied() else {
        return Err(Stop::from(FaultKind::BadProgram("an action that is not there")));
    };
    t.asking.done += 1;
    let base = strand.base + frame(p, strand.func);
    let mut params: Words = Words::new();
    if usual.words > 0
        && let Some(win) = window(&mut strand.stack, strand.base as usize)
    {
        params.extend_from_slice(cut(win, usual.params, usual.words as usize));
    }
    let Some(room) = window(&mut strand.stack, base as usize) else {
        return Err(Stop::from(FaultKind::TooDeep));
    };
    room[0] = u64::from(t.asking.player);
    for (to, x) in room.iter_mut().skip(1).zip(params) {
        *to = x;
    }
    strand.links.push(Link { pc, base: strand.base, func: strand.func, acted: FOUND });
    strand.base = base;
    strand.func = f.0;
    Ok(start)
}

/// An enumerator has returned to the strand, which stands behind its question at `pc`: the next, or the answer.
#[inline]
pub(crate) fn found(
    p: &Program,
    fast: &Fast,
    st: &mut State,
    t: &mut Tools,
    strand: &mut Fiber,
    course: &mut Course<'_>,
    pc: u32,
) -> Result<Then, Stop> {
    let Asking { d, at, offer, player, done, asker } = t.asking;
    let bad = || Stop::from(FaultKind::BadProgram("a question that is not there"));
    let usual = fast.usual.get(offer.index()).and_then(Option::as_ref).ok_or_else(bad)?;
    if (done as usize) < usual.enumerators.len() {
        return enumerate(p, t, strand, usual, pc).map(Then::Enumerate);
    }
    t.asker = asker;
    if usual.pass[usize::from(!t.opts.is_empty())] {
        t.opts.push(What::Pass, 0, 0, Last::Unit);
    }
    strand.asked = 1 << player;
    strand.missing = strand.asked;
    if !t.opts.is_empty() {
        strand.settle(p);
    }
    let Some(win) = window(&mut strand.stack, strand.base as usize) else {
        return Err(Stop::from(FaultKind::TooDeep));
    };
    if t.opts.is_empty() {
        win[d as usize] = OFFER_NONE as u64;
        t.ran_dry(offer);
        return Ok(Then::On(pc));
    }
    // As Core::ask.
    strand.held.clear();
    strand.question = st.head.next_question;
    st.head.next_question = strand.question.wrapping_add(1);
    t.refill();
    let seat = answering(p, i64::from(player)).trailing_zeros() as usize;
    let pick = match &mut course.pilot {
        Some(pilot) => pilot.pick(seat, &t.opts),
        None => Pick::Stop,
    };
    match pick {
        Pick::At(seg, k) => {
            course.left -= 1;
            let seg = t.opts.segments.get(seg).ok_or_else(bad)?;
            strand.missing = 0;
            match seg.what {
                What::Action(action) => {
                    let a = p.actions.get(action.index()).ok_or_else(bad)?;
                    let Some((me, room)) = win.get_mut(at as usize..).and_then(|w| w.split_first_mut())
                    else {
                        return Err(bad());
                    };
                    if t.opts.lay_down(seg, k, room) {
                        *me = u64::from(player);
                        return enter(p, strand, at, a.effect, u16::from(d), pc).map(Then::On);
                    }
                }
                What::Pass => {
                    win[d as usize] = OFFER_PASSED as u64;
                    return Ok(Then::On(pc));
                }
                _ => {}
            }
            let choice = t.opts.pick(seg, k);
            strand.held.push((player, choice));
        }
        Pick::Choice(choice) => {
            course.left -= 1;
            strand.missing = 0;
            strand.held.push((player, choice));
        }
        Pick::Stop => {}
    }
    // Somebody else answers, or at greater length: outside.
    strand.wait = Wait::Menu { d, at, offer };
    t.exit = Exit::Asked;
    Ok(Then::Leave)
}
