//! Calls: opens the register window of a function on a fiber's stack, and maps code positions to places in the rules.
use crate::base::fault::{FaultKind, Stop};
use crate::base::window::{Window, window};
use crate::data::state::{Fiber, Link};
use houserule_program::ir::*;
use houserule_text::Span;

/// Calls that may be nested.
pub(crate) const MAX_CALLS: usize = 256;

/// Opens the window of an effect or pure function at register `at` of the one at `base`. Registers beyond the arguments of effects are cleared: states are compared with them.
#[inline(always)]
pub(crate) fn enter(
    p: &Program,
    fiber: &mut Fiber,
    at: R,
    f: FuncId,
    acted: u16,
    pc: u32,
) -> Result<u32, Stop> {
    let func = p.funcs.get(f.index()).ok_or(FaultKind::BadProgram("a function that is not there"))?;
    if fiber.links.len() >= MAX_CALLS {
        return Err(Stop::from(FaultKind::TooDeep));
    }
    let base = fiber.base + u32::from(at);
    let win = window(&mut fiber.stack, base as usize).ok_or(FaultKind::TooDeep)?;
    if !func.pure_ {
        clear(win, func);
    }
    fiber.links.push(Link { pc, base: fiber.base, func: fiber.func, acted });
    fiber.base = base;
    fiber.func = f.0;
    Ok(func.start)
}

/// Clears the registers of an effect beyond its arguments.
#[inline(always)]
pub(crate) fn clear(win: &mut Window, func: &Func) {
    let (args, frame) = (func.args as usize, (func.frame as usize).min(256));
    // What lies behind a frame is nobody's: clearing a few words too many costs less than counting them.
    match win.get_mut(args..args + 8) {
        Some(fresh) if frame <= args + 8 => fresh.fill(0),
        _ => {
            if let Some(fresh) = win.get_mut(args..frame) {
                fresh.fill(0);
            }
        }
    }
}

/// Where an instruction was made from.
pub(crate) fn span_at(p: &Program, pc: u32) -> Span {
    let i = p.spans.partition_point(|(at, _)| *at <= pc);
    i.checked_sub(1).and_then(|i| p.spans.get(i)).map(|x| x.1).unwrap_or_default()
}
