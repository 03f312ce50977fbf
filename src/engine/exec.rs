//! The interpreter.
use super::world::Look;
use crate::program::ir::HookSlot;

/// Where scripts of hooks are run. Set with [`super::Machine::set_hooks`].
pub trait Hooks: Send + Sync {
    /// Runs a hook: `args` and `out` are words as its slot's `params` and `gives` say (sets take their words), `look` is the state to read, `steps` what is left of
    /// the budget, to be lowered by what the script has used.
    ///
    /// # Errors
    /// What went wrong in the script, in words.
    fn call(
        &self,
        hook: &HookSlot,
        args: &[u64],
        out: &mut [u64],
        look: Look<'_>,
        steps: &mut u64,
    ) -> Result<(), String>;
}

/// Scratch room and outside help of a run: no part of the state.
#[derive(Default)]
pub(crate) struct Tools {
    pub rec: super::recorder::Recorder,
}

impl Tools {
    /// Seats that see faces at a place.
    pub fn seers(
        &mut self,
        _p: &crate::program::ir::Program,
        fast: &super::world::Fast,
        _st: &super::state::State,
        place: usize,
        _c: usize,
    ) -> Result<u32, super::fault::FaultKind> {
        Ok(fast.seers.get(place).copied().flatten().unwrap_or(0))
    }
}
