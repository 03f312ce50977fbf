//! The limits of scripts, and the counter of the steps that the call in this thread has taken.
use rhai::{Dynamic, EvalAltResult, EvalContext, Position};
use std::cell::Cell;

/// How much a script may use in one call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Steps: a step is one part of an expression, statement or call that is worked out.
    pub operations: u64,
    /// Calls of the script's functions inside each other.
    pub calls: usize,
    /// Variables at once.
    pub variables: usize,
    /// Characters of a text.
    pub text: usize,
    /// Elements of an array, those of arrays in it counted.
    pub array: usize,
    /// Entries of a map, likewise.
    pub map: usize,
    /// How deep expressions may be nested, outside functions and in them.
    pub depth: usize,
    /// Functions of a script.
    pub functions: usize,
    /// Bytes of a script.
    pub bytes: usize,
}

/// The limits of every script. They are part of the language: a game that runs on one machine runs on all.
pub const LIMITS: Limits = Limits {
    operations: 200_000,
    calls: 24,
    variables: 96,
    text: 256,
    array: 1024,
    map: 128,
    depth: 24,
    functions: 128,
    bytes: 128 * 1024,
};

/// Where the call that runs in this thread stands with its steps. Calls never nest: a script cannot call the rules.
#[derive(Clone, Copy)]
struct Steps {
    /// Parts of the script that were worked out.
    taken: u64,
    /// What functions that are not the script's have charged on top.
    charged: u64,
    allowed: u64,
    /// How many times variables are looked up before the next look at how large one is.
    until: u32,
    /// How many times they were to be, since the last.
    stride: u32,
}

thread_local! {
    static STEPS: Cell<Steps> =
        const { Cell::new(Steps { taken: 0, charged: 0, allowed: 0, until: 1, stride: 1 }) };
}

/// A call begins that may take so many steps, but never more than [`LIMITS`] say.
pub(super) fn begin_call(allowed: u64) {
    STEPS.set(Steps { taken: 0, charged: 0, allowed: allowed.min(LIMITS.operations), until: 1, stride: 1 });
}

/// The call in this thread begins once more, with as many steps allowed.
pub(super) fn begin_again() {
    begin_call(STEPS.get().allowed);
}

/// Steps that the call in this thread has taken; never more than it was allowed.
pub(super) fn used_steps() -> u64 {
    let s = STEPS.get();
    s.taken.saturating_add(s.charged).min(s.allowed)
}

/// Takes one step for a part of the script. If all steps are taken, how many there were.
pub(super) fn count_step() -> Option<Dynamic> {
    let mut s = STEPS.get();
    s.taken = s.taken.saturating_add(1);
    STEPS.set(s);
    steps_over(s)
}

/// Takes steps for work that rhai does not count.
pub(super) fn charge_steps(n: u64) -> Result<(), Box<EvalAltResult>> {
    let mut s = STEPS.get();
    s.charged = s.charged.saturating_add(n);
    STEPS.set(s);
    match steps_over(s) {
        Some(token) => Err(EvalAltResult::ErrorTerminated(token, Position::NONE).into()),
        None => Ok(()),
    }
}

/// Elements of a variable that are copied for nothing where it is looked up; of more, each so many take a step.
const FREE: u64 = 128;

/// Charges for a variable that is looked up: rhai copies arrays and maps where they are assigned or handed to a function, in one step whatever their length. Which
/// look-ups copy is not known, and counting takes time: so one in about sixteen is looked at, in a fixed order that no loop keeps step with, and pays for those before.
pub(super) fn charge_look_up(
    context: &EvalContext<'_, '_, '_, '_, '_, '_>,
    name: &str,
    index: usize,
) -> Result<(), Box<EvalAltResult>> {
    let mut s = STEPS.get();
    s.until -= 1;
    if s.until > 0 {
        STEPS.set(s);
        return Ok(());
    }
    let stride = u64::from(s.stride);
    s.stride = 1 + (s.stride * 13 + 7) % 31;
    s.until = s.stride;
    STEPS.set(s);
    let value = match index.checked_sub(1) {
        Some(n) => context.scope().iter_raw().nth(n).map(|(_, _, value)| value),
        None => context.scope().get(name),
    };
    match value.map_or(0, count_elements) / FREE {
        0 => Ok(()),
        n => charge_steps(n * stride),
    }
}

/// How many elements a value is, all that it holds counted.
fn count_elements(x: &Dynamic) -> u64 {
    if let Ok(a) = x.as_array_ref() {
        a.iter().map(count_elements).sum::<u64>() + 1
    } else if let Ok(m) = x.as_map_ref() {
        m.values().map(count_elements).sum::<u64>() + 1
    } else {
        1
    }
}

/// If all steps are taken, how many there were.
fn steps_over(s: Steps) -> Option<Dynamic> {
    let all = s.taken.saturating_add(s.charged);
    (all > s.allowed).then(|| Dynamic::from_int(i64::try_from(s.allowed).unwrap_or(i64::MAX)))
}
