//! What a drawing leaves out, because the screen has no room for it.
use super::cards::is_hidden_pile;
use houserule_engine::{HolderView, Pile};
use std::collections::BTreeSet;

/// What is folded. Piles are named by the numbers of their places.
#[derive(Clone, Default)]
pub struct Folds {
    pub(super) texts: BTreeSet<u16>,
    pub(super) counted: BTreeSet<u16>,
    pub(super) hidden: bool,
    pub(super) merged: BTreeSet<u16>,
    pub(super) places: bool,
}

impl Folds {
    /// Whether the texts of a pile's cards are left out.
    pub fn drops_texts_of(&self, pile: &Pile) -> bool {
        self.texts.contains(&pile.place)
    }

    /// Whether only the number of a pile's cards is told.
    pub fn is_counted(&self, pile: &Pile) -> bool {
        self.counted.contains(&pile.place)
    }

    /// Whether a pile is told together with others of its holder, by their number.
    pub fn is_merged(&self, pile: &Pile, of_table: bool) -> bool {
        self.merged.contains(&pile.place) || of_table && self.hidden && is_hidden_pile(pile)
    }

    /// How those of a holder are called.
    pub fn merged_name(&self, h: &HolderView) -> &'static str {
        let any = h.piles.iter().any(|p| self.merged.contains(&p.place));
        if any { "folded" } else { "hidden" }
    }

    /// Whether everything beside the table and the players is left out.
    pub fn drops_places(&self) -> bool {
        self.places
    }
}
