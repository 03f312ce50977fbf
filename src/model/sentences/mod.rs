//! Sentences for players, made from the checked tree: what a condition says, and why a choice is refused where the rules give no reason of their own.
//!
//! ```text
//! it.side == me and not it.tired    Ada is not yours    (of the part that fails)
//! goal in neighbours(x.at)          H9 is not next to Ada
//! count(my.hand) < 3                the number of cards in your hand (4) is at least 3
//! ```
//!
//! Names that a choice has given stand in the text as holes, which the lowering compiles like those of written reasons. Runs after the checker; the lowering of guards reads
//! it. Nothing here knows a game.
mod conditions;
mod effects;
mod filters;
mod nouns;
mod refusals;
pub mod rulebook;

use crate::hir::*;
use conditions::with_article;
pub use effects::describe_member;
pub use filters::filter_text;
use houserule_text::Span;
pub use refusals::{Refusal, list_filter_refusals, list_refusals};

/// Whose words a sentence uses.
#[derive(Clone)]
pub struct Speaker<'m> {
    /// The game.
    pub model: &'m Model,
    /// The local that is the reader: "you".
    pub me: Option<LocalId>,
    /// Whether numbers that are worked out may be shown. Not of conditions on hidden components.
    pub open: bool,
    /// Names bound within the condition, which have no value outside: "it".
    bound: Vec<LocalId>,
}

impl<'m> Speaker<'m> {
    /// Who speaks to `me`.
    pub fn new(model: &'m Model, me: LocalId, open: bool) -> Speaker<'m> {
        Speaker { model, me: Some(me), open, bound: Vec::new() }
    }

    /// That something cannot be picked.
    pub fn refuse_choice(&self, picked: &Expr, span: Span) -> Text {
        self.is_so(picked, false, "on offer here").to_text(span)
    }

    /// That a condition does not hold.
    pub fn refuse(&self, cond: &Expr) -> Text {
        self.sentence(cond, false).to_text(cond.span)
    }

    /// That an effect would leave what it must not leave.
    pub fn refuse_outcome(&self, cond: &Expr) -> Text {
        Phrase::of("afterwards ").join(self.sentence(cond, false)).to_text(cond.span)
    }

    /// That something forbids it: the card that carries the `forbid`, if it may be named.
    pub fn refuse_forbidden(&self, carrier: Option<&Carrier>, span: Span) -> Text {
        let who = match carrier.filter(|_| self.open) {
            Some(Carrier::Member(m)) => self.member_title(*m),
            Some(Carrier::Kind(k)) => with_article(&self.singular(*k)),
            None => return Text::plain("this is forbidden now", span),
        };
        Text::plain(format!("{who} forbids this"), span)
    }

    /// The same with one more name that stands for "it".
    fn with_bound(&self, l: LocalId) -> Speaker<'m> {
        let mut new = self.clone();
        new.bound.push(l);
        new
    }
}

/// A text in parts while it is made.
#[derive(Clone, Debug, Default)]
pub struct Phrase(Vec<TextPart>);

impl Phrase {
    /// Words as they stand.
    fn of(words: &str) -> Phrase {
        Phrase(vec![TextPart::Literal(words.into())])
    }

    /// What an expression gives.
    fn hole(e: &Expr) -> Phrase {
        Phrase(vec![TextPart::Hole(e.clone())])
    }

    /// With words behind it.
    #[must_use]
    fn then(self, words: &str) -> Phrase {
        self.join(Phrase::of(words))
    }

    /// With another one behind it.
    #[must_use]
    fn join(mut self, other: Phrase) -> Phrase {
        for part in other.0 {
            match (self.0.last_mut(), part) {
                (Some(TextPart::Literal(a)), TextPart::Literal(b)) => *a = format!("{a}{b}").into(),
                (_, part) => self.0.push(part),
            }
        }
        self
    }

    /// Several, with `between` between them.
    fn list(all: Vec<Phrase>, between: &str) -> Phrase {
        let mut all = all.into_iter();
        let first = all.next().unwrap_or_default();
        all.fold(first, |a, b| a.then(between).join(b))
    }

    /// As a text at a place.
    fn to_text(&self, span: Span) -> Text {
        Text { parts: self.0.clone(), span }
    }
}

/// What stands for an expression that cannot be said.
const UNSAID: &str = "what the rules ask for";

/// A name of the rules in separate words.
fn to_words(name: &str) -> String {
    name.replace('_', " ")
}
