//! Turns what happens into events while recording is on.
use super::state::State;
use super::world::Fast;
use crate::program::ir::Program;

/// Collects events.
#[derive(Default)]
pub(crate) struct Recorder {
    pub on: bool,
}

impl Recorder {
    pub fn changed(
        &mut self,
        _p: &Program,
        _st: &State,
        _fast: &Fast,
        _attr: u16,
        _thing: usize,
        _layer: bool,
    ) {
    }
    #[allow(clippy::too_many_arguments)]
    pub fn moved(
        &mut self,
        _p: &Program,
        _st: &State,
        _fast: &Fast,
        _ci: usize,
        _c: usize,
        _from: usize,
        _to: usize,
    ) {
    }
}
