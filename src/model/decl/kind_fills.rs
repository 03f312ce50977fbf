//! What a kind fills: `card Upgrade is Page { resolve { move this to upgrades } }` holds for each member of the kind, unless the member or a nearer kind fills it.
use super::{Declarer, Job};
use crate::body::types;
use crate::hir::*;
use houserule_syntax::ast;
use rustc_hash::FxHashSet as HashSet;

/// Something that a kind fills for its members.
#[derive(Clone, Copy)]
pub(in crate::decl) enum Fill<'t> {
    /// A value, or the value of an attribute.
    Value(&'t ast::FillValue),
    /// A rule.
    Rule(&'t ast::FillRule),
}

impl<'t> Fill<'t> {
    fn name(self) -> &'t ast::Name {
        match self {
            Fill::Value(f) => &f.name,
            Fill::Rule(f) => &f.name,
        }
    }
}

impl<'t> Declarer<'t> {
    /// Hands what kinds fill on to their members.
    pub(in crate::decl) fn fill_by_kinds(&mut self) {
        let fills = std::mem::take(&mut self.kind_fills);
        if fills.is_empty() {
            return;
        }
        let own: HashSet<(MemberId, &str)> = (self.jobs.iter())
            .filter_map(|j| match j {
                Job::MemberFill(m, f) => Some((*m, f.name.text.as_str())),
                Job::MemberRule(m, f) => Some((*m, f.name.text.as_str())),
                Job::MemberSet(m, n, _) => Some((*m, n.text.as_str())),
                _ => None,
            })
            .collect();
        let mut jobs = Vec::new();
        for (k, fill) in &fills {
            let name = fill.name();
            let unnamed =
                |j: &Job<'_>| matches!(j, Job::KindCopies(x, _) if types::is_a(&self.model, *x, *k));
            if self.jobs.iter().any(unnamed) {
                self.report_not_played(name.span, "what a kind fills whose components have no members");
                continue;
            }
            let line = types::line_of(&self.model, *k);
            let attr = |a: &Attr| {
                a.has_of.is_none() && a.of.is_some_and(|x| line.contains(&x)) && *a.name == *name.text
            };
            let is_attr = self.model.attrs.iter().any(attr);
            let mut filled = false;
            for (i, sub) in self.model.kinds.iter().enumerate() {
                let mut line = types::line_of(&self.model, KindId(i as u32)).into_iter();
                let nearer = line.by_ref().take_while(|x| x != k).collect::<Vec<_>>();
                if !types::is_a(&self.model, KindId(i as u32), *k)
                    || nearer.iter().any(|x| fills.iter().any(|(y, f)| x == y && f.name().text == name.text))
                {
                    continue;
                }
                for m in sub.members.iter().filter(|m| !own.contains(&(**m, name.text.as_str()))) {
                    let job = match *fill {
                        Fill::Value(f) if is_attr => Job::MemberSet(*m, &f.name, &f.value),
                        Fill::Value(f) => Job::MemberFill(*m, f),
                        Fill::Rule(f) => Job::MemberRule(*m, f),
                    };
                    // What is wrong with it is told once.
                    jobs.push(if filled { Job::Again(Box::new(job)) } else { job });
                    filled = true;
                }
            }
        }
        self.jobs.extend(jobs);
    }
}
