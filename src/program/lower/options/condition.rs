//! A guard of an action, from wherever it comes.
use crate::analysis::attached::Attached;
use houserule_model::hir::*;
use houserule_text::Span;

/// Where a guard comes from: each has names of its own.
#[derive(Clone)]
pub enum Source<'m> {
    /// The action's.
    Own,
    /// Its menu's.
    Menu(MenuId),
    /// A `forbid`.
    Forbid(Attached<'m>),
}

/// A guard with the number of the action's own parameters that must be known.
#[derive(Clone)]
pub struct Condition<'m> {
    /// Where it comes from.
    pub source: Source<'m>,
    /// What must hold.
    pub cond: Expr,
    /// What is told when it does not hold.
    pub reason: Option<Text>,
    /// How many of the action's own parameters must be known.
    pub upto: usize,
    /// Its place.
    pub span: Span,
    /// `must leave`: it must hold behind the effect.
    pub is_behind_effect: bool,
}

impl Condition<'_> {
    /// Whether its names are the action's.
    pub fn is_own(&self) -> bool {
        matches!(self.source, Source::Own)
    }

    /// Whether it stands in the menu: these are asked before all that the action asks.
    pub fn is_of_menu(&self) -> bool {
        matches!(self.source, Source::Menu(_))
    }
}
