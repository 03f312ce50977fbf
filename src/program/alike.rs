//! Of things that nothing tells apart one is offered for all (decision 50).
use super::build::FnBuild;
use super::ir::*;
use super::lower::Lower;
use crate::model::body::types;
use crate::model::hir::Ty;
use crate::text::Span;
use rustc_hash::FxHashSet as HashSet;

impl Lower<'_> {
    /// Whether two of a universe may ever be alike. Of components of which each has a face of its own no two are: faces only change places with each other unless something
    /// becomes something else. Plain code asks it of all.
    fn may_be_alike(&self, u: UniverseId) -> bool {
        let Some(UniverseSort::Components(c)) = self.p.universes.get(u.index()).map(|u| &u.sort) else {
            return false;
        };
        let (mut seen, faces) = (HashSet::default(), &self.p.comps[*c as usize].initial);
        !self.opts.fuse || self.facts.becomes || !faces.iter().all(|face| seen.insert(*face))
    }

    /// Leaves one of those in a set that are alike.
    pub fn one_of_alike(&mut self, f: &mut FnBuild, s: R, u: UniverseId) {
        if self.may_be_alike(u) {
            f.emit(Ins::Alike { d: s, s, u: u.0 as u8 });
        }
    }

    /// The same of what can be picked for a parameter: what was picked for those before stands for itself. `upto` parameters stand in registers from `first` on.
    pub fn one_of_alike_but(
        &mut self,
        f: &mut FnBuild,
        (s, u): (R, UniverseId),
        (types, upto): (&[(Ty, Span)], usize),
        first: R,
    ) {
        let (base, w) = (f.next, self.w(u));
        let (mut r, mut picked) = (first, None);
        let upto = if self.may_be_alike(u) { upto } else { 0 };
        for (ty, span) in types.iter().take(upto) {
            let is_thing = matches!(types::plain(ty), Ty::Of(k) if types::is_component(self.m, k));
            if is_thing && self.uni(ty, *span) == u {
                let set = *picked.get_or_insert_with(|| {
                    let set = f.alloc(w);
                    f.emit(Ins::SZero { d: set, w });
                    set
                });
                let none = f.label();
                f.jnone(r, none);
                f.emit(Ins::SIns { d: set, i: r, w });
                f.place(none);
            }
            r += self.width(ty, *span);
        }
        if let Some(picked) = picked {
            f.emit(Ins::SAnd { d: picked, a: picked, b: s, w });
            f.emit(Ins::SAndNot { d: s, a: s, b: picked, w });
        }
        self.one_of_alike(f, s, u);
        if let Some(picked) = picked {
            f.emit(Ins::SOr { d: s, a: s, b: picked, w });
        }
        f.next = base;
    }
}
