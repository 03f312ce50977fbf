//! Calls: opens the register window of a function on a fiber's stack, and maps code positions to places in the rules.
use crate::base::fault::{FaultKind, Stop};
use crate::base::window::{Window, window};
use crate::data::state::{Fiber, Link};
use houserule_program::ir::*;
use houserule_text::Span;

/// The most nested calls.
pub(crate) const MAX_CALLS: usize = 256;

/// Calls a function with its window at register `at` of the caller's. Registers of effects beyond the arguments are cleared: states are compared with them.
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
    // Words behind a frame are unused: clearing eight words costs less than clearing the exact number.
    match win.get_mut(args..args + 8) {
        Some(fresh) if frame <= args + 8 => fresh.fill(0),
        _ => {
            if let Some(fresh) = win.get_mut(args..frame) {
                fresh.fill(0);
            }
        }
    }
}

/// The place in the rules that an instruction is compiled from.
pub(crate) fn span_at(p: &Program, pc: u32) -> Span {
    let i = p.spans.partition_point(|(at, _)| *at <= pc);
    i.checked_sub(1).and_then(|i| p.spans.get(i)).map(|x| x.1).unwrap_or_default()
}
