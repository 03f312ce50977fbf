//! Reads the operands of a question from the registers of the fiber that asks.
use crate::base::fault::{FaultKind, Stop};
use crate::base::window;
use crate::base::window::Window;
use crate::data::state::Fiber;
use crate::world::tables::Rules;
use houserule_program::ir::*;

/// Puts the sets of spaces that paths can pass into `out`; the operands are in registers from `s` on.
pub(crate) fn ways_of(
    rules: Rules<'_>,
    win: &window::Window,
    s: R,
    (map, costs): (u8, u8),
    w: usize,
    out: &mut Vec<u64>,
) -> Result<(), Stop> {
    let m = rules.p.maps.get(map as usize).ok_or(FaultKind::BadProgram("a map that is not there"))?;
    let n = rules.world.universe(m.spaces.index())?.n as usize;
    let reg = |i: usize| win[s.wrapping_add(i as u8) as usize] as i64;
    let walk = crate::world::paths::Walk {
        map: m,
        n,
        from: reg(0),
        to: reg(1),
        steps: reg(2),
        through: window::slice(win, s.wrapping_add(3), w),
        over: window::slice(win, s.wrapping_add(3).wrapping_add(w as u8), w),
        costs: window::slice(win, s.wrapping_add(3).wrapping_add(2 * w as u8), usize::from(costs) * w),
    };
    walk.sets(out)
}

/// The least and the greatest size of a subset of `n` things.
pub(crate) fn bounds(win: &window::Window, slot: &AskSlot, n: u64) -> (u32, u32) {
    let n = n.min(1 << 16) as i64;
    let get = |r: R, none: i64| match win[r as usize] as i64 {
        NONE => none,
        x => x,
    };
    let max = get(slot.max, n).clamp(0, n);
    let min = get(slot.min, 0).clamp(0, max);
    (min as u32, max as u32)
}

/// The registers of the function in which a fiber stands.
pub(crate) fn base_window(fiber: &Fiber) -> Option<&Window> {
    fiber.stack.get(fiber.base as usize..).and_then(|s| s.first_chunk())
}
