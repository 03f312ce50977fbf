//! Packed facts about universes and the parameters of actions, for the interpreter.
use houserule_program::ir::*;

/// The parameters of an action.
#[derive(Clone, Copy)]
pub(crate) struct PackedAction {
    /// Words of all parameters.
    pub words: u8,
    /// Words of all but the last.
    pub fixed: u8,
    /// The domain of the last; `None`: there are no parameters.
    pub last: Option<Domain>,
    /// Words of the last parameter's universe, and its least number.
    pub w: u8,
    pub lo: i32,
}

/// A universe: its size, words and kind.
#[derive(Clone, Copy)]
pub(crate) struct PackedUniverse {
    pub n: u32,
    pub w: u8,
    /// Of components: the index of their kind; else `u16::MAX`.
    pub comps: u16,
    /// Of numbers: the least.
    pub lo: i32,
    /// The last word of the full set.
    pub rest: u64,
    /// Of components: the first cells of their faces and of their places; else `u32::MAX`, which is no cell.
    pub face: u32,
    pub place: u32,
    /// Of dice: see [`houserule_program::ir::Components::most_sides`].
    pub most: u32,
}

pub(crate) fn pack_action(p: &Program, universes: &[PackedUniverse], a: &ActionSlot) -> PackedAction {
    let words = a.params.iter().fold(0u8, |n, x| n.saturating_add(x.domain.words(p)));
    let last = a.params.last().map(|x| x.domain);
    let of = match last {
        Some(Domain::Thing(u) | Domain::Subset(u)) => universes.get(u.index()),
        _ => None,
    };
    PackedAction {
        words,
        fixed: words.saturating_sub(last.map_or(0, |d| d.words(p))),
        last,
        w: of.map_or(1, |u| u.w),
        lo: of.map_or(0, |u| u.lo),
    }
}
