//! The code of one function, as the passes change it.
use crate::ir::Ins;
use houserule_text::Span;

/// The code of one function, as the passes change it.
#[derive(Default)]
pub struct Unit {
    /// Instructions; jumps hold positions in this list.
    pub code: Vec<Ins>,
    /// Source spans, each from a position on.
    pub spans: Vec<(u32, Span)>,
    /// Number of registers.
    pub registers: u16,
    /// Words of the result.
    pub results: u8,
    /// Whether it is pure.
    pub pure_: bool,
    /// Whether it is an effect on trial: unused instructions are removed even if they may fail.
    pub is_trial: bool,
}
