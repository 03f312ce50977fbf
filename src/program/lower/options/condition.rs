//! A guard of an action: data that `enumerator` and `must_leave` share.
use crate::analysis::attached::Attached;
use houserule_model::hir::*;
use houserule_text::Span;

/// The origin of a guard; each has names of its own.
#[derive(Clone)]
pub enum Source<'m> {
    /// The action itself.
    Own,
    /// Its menu.
    Menu(MenuId),
    /// A `forbid` attachment.
    Forbid(Attached<'m>),
}

/// A guard of an action.
#[derive(Clone)]
pub struct Condition<'m> {
    /// Its origin.
    pub source: Source<'m>,
    /// The condition.
    pub cond: Expr,
    /// The reason that is shown if it fails.
    pub reason: Option<Text>,
    /// Number of the action's own parameters that must be known.
    pub upto: usize,
    /// Place in the text.
    pub span: Span,
    /// Whether it is a `must leave` condition: it must hold after the effect.
    pub is_behind_effect: bool,
}

impl<'m> Condition<'m> {
    /// A `needs` or `must leave` line.
    pub fn of_guard(source: Source<'m>, g: &Guard, upto: usize, is_behind_effect: bool) -> Condition<'m> {
        let (cond, reason) = (g.cond.clone(), g.reason.clone());
        Condition { source, cond, reason, upto, span: g.span, is_behind_effect }
    }

    /// Whether its names are those of the action.
    pub fn is_own(&self) -> bool {
        matches!(self.source, Source::Own)
    }

    /// Whether it belongs to the menu; these guards come before all of the action.
    pub fn is_of_menu(&self) -> bool {
        matches!(self.source, Source::Menu(_))
    }
}
