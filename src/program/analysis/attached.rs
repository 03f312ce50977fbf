//! Which attachments a value or an event has in a set-up, and in which order they apply.
use crate::ir::*;
use crate::layout::tables::{Layout, Tables};
use houserule_model::body::flow::Fact;
use houserule_model::body::through;
use houserule_model::body::types;
use houserule_model::hir::*;

/// An attachment, with the one of its heads that matches.
pub type Attached<'m> = (&'m Attachment, &'m Head);

/// The sort of a modification: the order in which modifications of a value are applied.
pub fn modification_sort(a: &Attachment) -> u8 {
    match &a.what {
        AttachKind::Modify(Change::Set, _) => 0,
        AttachKind::Modify(Change::Add | Change::Sub, _) => 1,
        AttachKind::Modify(Change::AtLeast, _) => 2,
        _ => 3,
    }
}

impl<'m> Tables<'m> {
    /// The attachments in force on a target, in order of declaration.
    pub fn attachments(&self, is: impl Fn(&Target) -> bool) -> Vec<Attached<'m>> {
        let mut all: Vec<_> = self
            .attachments_on(&is)
            .into_iter()
            .filter_map(|a| a.heads.iter().find(|h| is(&h.target)).map(|h| (a, h)))
            .collect();
        all.sort_by_key(|(a, _)| self.rank(a));
        all
    }

    /// The order of loading: game, variants, scenario, mods, layers.
    pub fn rank(&self, a: &Attachment) -> u8 {
        if self.layer_of(a).is_some() {
            return 4;
        }
        self.m.rank_of_scope(a.scope)
    }

    /// The number of a layer's attachment. Bodies may be copied, so it is found by its place in the text.
    pub fn layer_of(&self, a: &Attachment) -> Option<LeasedIx> {
        if a.outer == 0 {
            return None;
        }
        self.layer_attachments.iter().position(|l| l.a.span == a.span).map(|i| LeasedIx(i as u16))
    }

    /// The attachments in force that have such a target.
    pub fn attachments_on(&self, is: impl Fn(&Target) -> bool) -> Vec<&'m Attachment> {
        let m: &'m Model = self.m;
        m.attachments
            .iter()
            .chain(self.layer_attachments.iter().map(|l| l.a))
            .filter(|a| self.set.has(a.scope) && a.heads.iter().any(|h| is(&h.target)))
            .filter(|a| match &a.carrier {
                Some(Carrier::Member(x)) => self.faces_of.contains_key(x) || self.member_no.contains_key(x),
                _ => true,
            })
            .collect()
    }

    /// The modifications of a value, by sort, then in order of loading.
    pub fn modifications(&self, v: ValueId) -> Vec<Attached<'m>> {
        let mut all = self.attachments(|t| *t == Target::Value(v));
        all.sort_by_key(|(a, _)| modification_sort(a));
        all
    }

    /// Whether modifications may bring a value out of its declared range. For `=` the range is checked separately.
    pub fn may_leave_range(&self, v: ValueId) -> bool {
        let sums = |a: &Attachment| matches!(&a.what, AttachKind::Modify(c, _) if *c != Change::Set);
        self.m.values.get(v.index()).is_some_and(|x| types::range(&x.ty).is_some())
            && self.modifications(v).iter().any(|(a, _)| sums(a))
    }
}

impl Tables<'_> {
    /// What is certain of a parameter because it is a member of its domain. Nothing is read out of values that something modifies or fills.
    pub fn list_domain_facts(&self, p: &Param) -> Vec<Fact> {
        let is_as_written =
            |v: &ValueId| !self.is_filled(*v) && self.attachments_on(|t| *t == Target::Value(*v)).is_empty();
        let mut facts = through::list_member_facts(self.m, &p.from, p.local);
        facts.retain(|fact| fact.through.iter().all(is_as_written));
        facts
    }
}

impl Layout<'_> {
    /// Whether members give bodies of their own for a value.
    pub fn is_filled(&self, v: ValueId) -> bool {
        self.m.members.iter().any(|d| self.set.has(d.scope) && d.fills.iter().any(|(x, _)| *x == v))
    }
}
