//! Fast paths of frequent effects, inlined into the run loop: turns, rounds, attributes. They apply if nothing is logged, no layer is open and no attribute is reset; otherwise
//! `effects.rs` runs the instruction.
use crate::base::fault::{FaultKind, Stop};
use crate::base::window::check_number;
use crate::context::memo;
use crate::context::run_context::Context;
use crate::data::state::State;
use crate::world::cells;
use crate::world::tables::{PackedAttr, WorldTables};
use houserule_program::ir::*;

/// Whether [`begin_turn`] may run.
#[inline(always)]
pub(crate) fn can_begin_turn(world: &WorldTables, st: &State, cx: &Context, whose: i64) -> bool {
    !cx.rec.on
        && st.layers.is_empty()
        && st.head.turn == NONE
        && (whose as u64) < world.plain_turns
        && st.head.turns < i32::MAX
}

/// [`Ins::TurnBegin`].
#[inline(always)]
pub(crate) fn begin_turn(st: &mut State, cx: &mut Context, whose: i64) {
    st.head.turns += 1;
    st.head.turn = whose;
    cx.memo.note_clock();
}

/// Whether [`end_turn`] may run.
#[inline(always)]
pub(crate) fn can_end_turn(st: &State) -> bool {
    st.layers.is_empty() && st.outer_turns.is_empty()
}

/// [`Ins::TurnEnd`].
#[inline(always)]
pub(crate) fn end_turn(st: &mut State, cx: &mut Context) {
    st.head.turn = NONE;
    cx.memo.note_clock();
}

/// The next player round the table of `n`, and how many have had their turn, for [`Ins::TurnNext`].
#[inline(always)]
pub(crate) fn next_player(x: i64, k: i64, n: u8) -> Result<(u64, u64), Stop> {
    // Players and counts are less than n, unless the code is not made by the compiler.
    if (x as u64) < u64::from(n) && (k as u64) < u64::from(n) {
        return Ok((if x + 1 == i64::from(n) { 0 } else { x as u64 + 1 }, k as u64 + 1));
    }
    let next = if x.wrapping_add(1) == i64::from(n) { 0 } else { x.wrapping_add(1) };
    Ok((check_number(x, 0, next)?, check_number(k, 0, k.wrapping_add(1))?))
}

/// [`Ins::RoundBegin`].
#[inline(always)]
pub(crate) fn begin_round(st: &mut State, cx: &mut Context) -> Result<(), Stop> {
    st.head.round = st.head.round.checked_add(1).ok_or(FaultKind::Overflow)?;
    st.outer_turns.clear();
    st.head.turn = NONE;
    cx.memo.note_clock();
    Ok(())
}

/// [`Ins::StAttr`] of a thing that is there.
#[inline(always)]
pub(crate) fn store_attr(
    st: &mut State,
    cx: &mut Context,
    (a, attr): (&PackedAttr, AttrIx),
    thing: i64,
    value: i64,
) -> Result<(), Stop> {
    let v = cells::fit(a, attr, value)?;
    cells::store(st, a, thing as usize, v);
    if a.players {
        cx.memo.note_player_attr(thing, attr);
    } else {
        cx.memo.dirty |= memo::attr_class(attr);
    }
    Ok(())
}
