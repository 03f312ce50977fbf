//! Answers a question of a playout without leaving the run loop. The only fiber asks, its enumerators run, the pilot draws an option, and the fiber continues.
//!
//! It serves offers of one menu that is always open and has no `done` ([`crate::world::direct_offers::InlineOffer`]). All other questions leave the loop (see [`crate::scheduler::fibers`]).
//! The state afterwards is the same either way; the law *a playout is step after step* tests it.
use crate::base::fault::{FaultKind, Stop};
use crate::base::window::{slice, window};
use crate::context::exit::{Asking, Exit};
use crate::context::frames::enter;
use crate::context::pilot::{Course, Pick};
use crate::context::run_context::Context;
use crate::data::decision::{Last, What, Words};
use crate::data::seats::answering;
use crate::data::state::{Fiber, Link, State, Wait, frame};
use crate::interp::ask_fast;
use crate::world::direct_offers::InlineOffer;
use crate::world::tables::Rules;
use houserule_program::ir::*;

/// In a [`Link`]: an enumerator returns to the question for which it was run.
pub(crate) const ENUMERATED: u16 = u16::MAX - 1;

/// How the loop continues.
pub(crate) enum Next {
    /// At an enumerator.
    Enumerate(u32),
    /// In the code of the fiber.
    Continue(u32),
    /// The loop returns; [`Context::exit`] is the reason.
    Leave,
}

/// Answers an offer inside the loop, if possible. Returns where the loop continues, and whether it runs an effect there (else an enumerator). `None`: the loop returns with the question.
#[inline(always)]
pub(crate) fn answer_offer(
    rules: Rules<'_>,
    st: &mut State,
    cx: &mut Context,
    fiber: &mut Fiber,
    course: &mut Course<'_>,
    (d, at, player, offer): (R, R, u64, OfferIx),
    pc: u32,
) -> Result<Option<(u32, bool)>, Stop> {
    if let Some(Some(fast)) = std::hint::black_box(rules.world).fast_offers.get(offer.index())
        && let Some(to) =
            ask_fast::answer_offer(rules.p, fast, st, cx, fiber, course, (d, at, player), pc, false)
    {
        return Ok(Some((to, true)));
    }
    let rules = std::hint::black_box(rules);
    Ok(enter_offer(rules, cx, fiber, course, (d, at, player, offer), pc)?.map(|to| (to, false)))
}

/// Opens a question, and enters its first enumerator. `None`: it is not answered inside the loop.
#[inline]
fn enter_offer(
    rules: Rules<'_>,
    cx: &mut Context,
    fiber: &mut Fiber,
    course: &Course<'_>,
    (d, at, player, offer): (R, R, u64, OfferIx),
    pc: u32,
) -> Result<Option<u32>, Stop> {
    let Some(Some(inline)) = rules.world.inline_offers.get(offer.index()) else { return Ok(None) };
    if course.left == 0
        || player >= u64::from(rules.p.players.min(32))
        || answering(rules.p, player as i64) == 0
    {
        return Ok(None);
    }
    cx.opts.clear();
    let asker = std::mem::replace(&mut cx.asker, player as i64);
    cx.asking = Asking { d, at, offer, player: player as u8, done: 0, asker };
    enter_enumerator(rules.p, cx, fiber, inline, pc).map(Some)
}

/// Enters the enumerator of the next action of the menu.
#[inline]
fn enter_enumerator(
    p: &Program,
    cx: &mut Context,
    fiber: &mut Fiber,
    inline: &InlineOffer,
    pc: u32,
) -> Result<u32, Stop> {
    let Some((f, start)) = inline.enumerators.get(cx.asking.done as usize).copied() else {
        return Err(Stop::from(FaultKind::BadProgram("an action that is not there")));
    };
    cx.asking.done += 1;
    let base = fiber.base + frame(p, fiber.func);
    let mut params: Words = Words::new();
    if inline.words > 0
        && let Some(win) = window(&mut fiber.stack, fiber.base as usize)
    {
        params.extend_from_slice(slice(win, inline.params, inline.words as usize));
    }
    let room = window(&mut fiber.stack, base as usize).ok_or(FaultKind::TooDeep)?;
    room[0] = u64::from(cx.asking.player);
    for (to, x) in room.iter_mut().skip(1).zip(params) {
        *to = x;
    }
    fiber.links.push(Link { pc, base: fiber.base, func: fiber.func, acted: ENUMERATED });
    fiber.base = base;
    fiber.func = f.0;
    Ok(start)
}

/// Called when an enumerator has returned: enters the next one, or lets the pilot answer. `pc` is the position after the question.
#[inline]
pub(crate) fn take_enumerated(
    rules: Rules<'_>,
    st: &mut State,
    cx: &mut Context,
    fiber: &mut Fiber,
    course: &mut Course<'_>,
    pc: u32,
) -> Result<Next, Stop> {
    let Asking { d, at, offer, player, done, asker } = cx.asking;
    let bad = || Stop::from(FaultKind::BadProgram("a question that is not there"));
    let inline = rules.world.inline_offers.get(offer.index()).and_then(Option::as_ref).ok_or_else(bad)?;
    if (done as usize) < inline.enumerators.len() {
        return enter_enumerator(rules.p, cx, fiber, inline, pc).map(Next::Enumerate);
    }
    cx.asker = asker;
    if inline.pass[usize::from(!cx.opts.is_empty())] {
        cx.opts.push(What::Pass, 0, 0, Last::Unit);
    }
    fiber.asked = 1 << player;
    fiber.missing = fiber.asked;
    if !cx.opts.is_empty() {
        fiber.save_frame(rules.p);
    }
    let win = window(&mut fiber.stack, fiber.base as usize).ok_or(FaultKind::TooDeep)?;
    if cx.opts.is_empty() {
        win[d as usize] = OFFER_NONE as u64;
        cx.note_empty_menu(offer);
        return Ok(Next::Continue(pc));
    }
    // As Core::open_question.
    fiber.held.clear();
    fiber.question = st.head.next_question;
    st.head.next_question = fiber.question.wrapping_add(1);
    cx.refill();
    let seat = answering(rules.p, i64::from(player)).trailing_zeros() as usize;
    let pick = match &mut course.pilot {
        Some(pilot) => pilot.pick(seat, &cx.opts),
        None => Pick::Stop,
    };
    match pick {
        Pick::At(seg, k) => {
            course.left -= 1;
            let seg = cx.opts.segments.get(seg).ok_or_else(bad)?;
            fiber.missing = 0;
            match seg.what {
                What::Action(action) => {
                    let a = rules.p.actions.get(action.index()).ok_or_else(bad)?;
                    let Some((me, room)) = win.get_mut(at as usize..).and_then(|w| w.split_first_mut())
                    else {
                        return Err(bad());
                    };
                    if cx.opts.write_option(seg, k, room) {
                        *me = u64::from(player);
                        cx.rec.watch_taken(rules.p, st, player, Some((action, room)));
                        return enter(rules.p, fiber, at, a.effect, u16::from(d), pc).map(Next::Continue);
                    }
                }
                What::Pass => {
                    win[d as usize] = OFFER_PASSED as u64;
                    cx.rec.watch_taken(rules.p, st, player, None);
                    return Ok(Next::Continue(pc));
                }
                _ => {}
            }
            let choice = cx.opts.pick(seg, k);
            fiber.held.push((player, choice));
        }
        Pick::Choice(choice) => {
            course.left -= 1;
            fiber.missing = 0;
            fiber.held.push((player, choice));
        }
        Pick::Stop => {}
    }
    // The pilot does not answer, or gives a complete answer: leave the loop.
    fiber.wait = Wait::Menu { d, at, offer };
    if let Some((player, choice)) = fiber.held.last() {
        cx.rec.watch_choice(rules.p, st, &fiber.wait, *player, choice);
    }
    cx.exit = Exit::Asked;
    Ok(Next::Leave)
}
