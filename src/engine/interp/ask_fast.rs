//! Asks and answers a question of a playout that has one action with one parameter, whose domain a few set operations compute ([`crate::world::direct_offers::FastOffer`]). No
//! segment is built, and the run loop is not entered for the enumerator.
//!
//! If anything prevents it (no seat answers, there is no option, an instruction would fail), nothing changes, and the question is asked in the ordinary way.
use crate::base::bitset::{Ranks, count_bits, nth_bit};
use crate::base::window::{WINDOW, Window, reg, slice, window};
use crate::context::frames::MAX_CALLS;
use crate::context::pilot::Course;
use crate::context::run_context::Context;

use crate::data::seats::answering;
use crate::data::state::{Fiber, Link, State};
use crate::world::direct_offers::FastOffer;
use houserule_program::ir::*;
use houserule_program::slow_instructions;

/// Runs the code that computes a domain; `None` if an operand is out of bounds. Its arms are the instructions with the mark `fast` ([`Ins::is_fast`]).
#[inline(never)]
fn run_fast(p: &Program, st: &State, code: &[Ins], win: &mut Window) -> Option<()> {
    for ins in code {
        match *ins {
            Ins::Li { d, k } => win[d as usize] = i64::from(k) as u64,
            Ins::Mov { d, a } => win[d as usize] = win[a as usize],
            Ins::Plane { d, w: 1, at } => win[d as usize] = *st.planes.get(at as usize)?,
            Ins::Plane { d, w, at } => {
                let words = st.planes.get(at as usize..at as usize + w as usize)?;
                win.get_mut(d as usize..d as usize + words.len())?.copy_from_slice(words);
            }
            Ins::PlaneI { d, i, group } => {
                let g = p.groups.get(group.index())?;
                let i = win[i as usize] as i64;
                let k = if i == NONE { i64::from(g.n) } else { i - i64::from(g.lo) };
                let there = (0..i64::from(g.n)).contains(&k) || i == NONE;
                win[d as usize] =
                    if there { *st.planes.get(g.at as usize + usize::try_from(k).ok()?)? } else { 0 };
            }
            Ins::SConst { d, w, k } => {
                let words = p.sets.get(k as usize..k as usize + w as usize)?;
                win.get_mut(d as usize..d as usize + words.len())?.copy_from_slice(words);
            }
            Ins::SAnd { d, a, b, w } => each(win, (d, a, b, w), |x, y| x & y),
            Ins::SOr { d, a, b, w } => each(win, (d, a, b, w), |x, y| x | y),
            Ins::SAndNot { d, a, b, w } => each(win, (d, a, b, w), |x, y| x & !y),
            Ins::LinesMeeting { d, s, t } => {
                let t = p.line_tables.get(t.index())?;
                let set = win[s as usize];
                let masks = t.masks.get(..t.ranges.len())?;
                let meet = |all: u64, (i, m): (usize, &u64)| all | u64::from(m & set != 0) << i;
                win[d as usize] = masks.iter().enumerate().fold(0, meet);
            }
            slow_instructions!() => return None,
        }
    }
    Some(())
}

#[inline(always)]
fn each(win: &mut Window, (d, a, b, w): (R, R, R, u8), f: impl Fn(u64, u64) -> u64) {
    win[d as usize] = f(win[a as usize], win[b as usize]);
    for i in 1..w as usize {
        win[reg(d, i)] = f(win[reg(a, i)], win[reg(b, i)]);
    }
}

/// Asks a player and applies the answer. Returns the code position of its effect; `None`: not answered here. `pending`: the question was opened before.
#[inline(never)]
#[allow(clippy::too_many_arguments)]
pub(crate) fn answer_offer(
    p: &Program,
    offer: &FastOffer,
    st: &mut State,
    cx: &mut Context,
    fiber: &mut Fiber,
    course: &mut Course<'_>,
    (d, at, player): (R, R, u64),
    pc: u32,
    pending: bool,
) -> Option<u32> {
    let seats = if player < 32 { answering(p, player as i64) } else { 0 };
    let cheap = cx.steps > offer.code.len() as u64;
    if seats == 0 || course.left == 0 || !cheap || fiber.links.len() >= MAX_CALLS {
        return None;
    }
    let frame = crate::data::state::frame(p, fiber.func);
    let base = fiber.base as usize;
    let behind = base + frame as usize;
    if fiber.stack.len() < behind + WINDOW {
        window(&mut fiber.stack, behind)?;
    }
    // The frame of the function that asks, and behind it a window for the code; the effect's frame begins within the first.
    let all = fiber.stack.get_mut(base..behind + WINDOW)?;
    let room = all.get_mut(frame as usize..)?.first_chunk_mut::<WINDOW>()?;
    let word = match offer.plane {
        Some(at) => Some(*st.planes.get(at as usize)?),
        None => {
            room[0] = player;
            run_fast(p, st, &offer.code, room)?;
            (offer.w == 1).then(|| room[offer.last as usize])
        }
    };
    let pilot = course.pilot.as_mut()?;
    let seat = seats.trailing_zeros() as usize;
    let x = if let Some(set) = word {
        let ranks = Ranks::of(set);
        if ranks.count() == 0 {
            return None;
        }
        ranks.select(set, pilot.pick_one_of(seat, ranks.count())?)
    } else {
        let set = slice(room, offer.last, offer.w as usize);
        let n = count_bits(set);
        if n == 0 {
            return None;
        }
        nth_bit(set, pilot.pick_one_of(seat, n)?).unwrap_or(0)
    };
    let args = all.get_mut(at as usize..at as usize + WINDOW)?;
    args[0] = player;
    args[1] = (i64::from(x) + i64::from(offer.lo)) as u64;
    // As `enter` does.
    match args.get_mut(2..10) {
        Some(fresh) if offer.frame <= 10 => fresh.fill(0),
        _ => args.get_mut(2..offer.frame)?.fill(0),
    }
    cx.rec.watch_taken(p, st, player as u8, Some((offer.action, &[args[1]])));
    course.left -= 1;
    fiber.missing = 0;
    if !pending {
        // As Core::open_question.
        fiber.asked = 1 << player;
        if !fiber.held.is_empty() {
            fiber.held.clear();
        }
        fiber.question = st.head.next_question;
        st.head.next_question = fiber.question.wrapping_add(1);
        fiber.save_frame(p);
        cx.refill();
    }
    fiber.links.push(Link { pc, base: fiber.base, func: fiber.func, acted: u16::from(d) });
    fiber.base += u32::from(at);
    fiber.func = offer.effect.0;
    Some(offer.start)
}
