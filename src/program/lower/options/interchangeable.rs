//! Symmetry breaking: of interchangeable components, one stays in the domain of a parameter and stands for all.
use crate::fn_builder::FnBuild;
use crate::ir::*;
use crate::layout::tables::Tables;
use crate::lower::Lower;
use crate::passes::PassSet;
use houserule_model::body::{build, liveness, types};
use houserule_model::hir::{Expr, ExprKind, Ty};
use houserule_text::Span;
use rustc_hash::FxHashSet as HashSet;

impl Tables<'_> {
    /// Whether two components of a universe may ever be alike. If each has a face of its own, no two are: a shuffle exchanges faces, and only `becomes` makes new ones.
    /// Without optimisations it is true for all universes.
    pub fn may_be_alike(&self, u: UniverseId) -> bool {
        let Some(comps) = self.p.components_of(u) else { return false };
        let (mut seen, faces) = (HashSet::default(), &comps.initial);
        self.opts.passes == PassSet::NONE
            || !self.game_facts.becomes.is_empty()
            || !faces.iter().all(|face| seen.insert(*face))
    }

    /// Keeps one of each class of alike components in a set. The components of the second set stay.
    fn keep_one_of_alike(&mut self, f: &mut FnBuild, s: R, u: UniverseId, held: Option<R>) {
        let (ins, w) = (Ins::Alike { d: s, s, u: u.0 as u8 }, self.set_words(u));
        let Some(held) = held else { return f.emit(ins) };
        f.emit(Ins::SAnd { d: held, a: held, b: s, w });
        f.emit(Ins::SAndNot { d: s, a: s, b: held, w });
        f.emit(ins);
        f.emit(Ins::SOr { d: s, a: s, b: held, w });
    }

    /// Keeps one of each class of alike components in the domain of a parameter. Components picked for earlier parameters stay; these are in `upto` parameters, in registers
    /// from `first` on.
    pub fn keep_one_of_alike_but(
        &mut self,
        f: &mut FnBuild,
        (s, u): (R, UniverseId),
        (types, upto): (&[(Ty, Span)], usize),
        first: R,
    ) {
        if !self.may_be_alike(u) {
            return;
        }
        let (base, w) = (f.next, self.set_words(u));
        let (mut r, mut picked) = (first, None);
        for (ty, span) in types.iter().take(upto) {
            let is_thing = matches!(types::plain(ty), Ty::Of(k) if types::is_component(self.m, k));
            if is_thing && self.universe_of(ty, *span) == u {
                self.add_held(f, &mut picked, r, w);
            }
            r += self.width(ty, *span);
        }
        self.keep_one_of_alike(f, s, u, picked);
        f.next = base;
    }

    /// Adds a thing to the set of components that stay, unless it is none.
    fn add_held(&mut self, f: &mut FnBuild, held: &mut Option<R>, thing: R, w: u8) {
        let set = *held.get_or_insert_with(|| f.emit_new(w, |d| Ins::SZero { d, w }));
        let none = f.new_label();
        f.jnone(thing, none);
        f.emit(Ins::SIns { d: set, i: thing, w });
        f.place_label(none);
    }
}

impl Lower<'_> {
    /// The names that are used after a question and may hold things of the asked kind.
    fn names_at(&mut self, f: &FnBuild, at: Span) -> Vec<Expr> {
        let names = self.game_facts.apart.names.get(&at).cloned().unwrap_or_default();
        let bound = names.into_iter().filter(|(l, _)| self.binding_of(f, *l).is_some());
        bound.map(|(l, ty)| build::expr(ty, at, ExprKind::Local(l))).collect()
    }

    /// For a question for a subset: registers of the sets that tell its elements apart, one for each name that is used after it. None: all are told apart.
    pub fn sets_apart_at(&mut self, f: &mut FnBuild, u: UniverseId, at: Span) -> Option<Box<[R]>> {
        if !self.may_be_alike(u) || self.game_facts.apart.questions.contains(&at) {
            return None;
        }
        let w = self.set_words(u);
        let mut sets = Vec::new();
        for name in self.names_at(f, at) {
            let mut set = None;
            if liveness::is_one(&name.ty) {
                let thing = self.expr_reg(f, &name);
                self.add_held(f, &mut set, thing, w);
            } else {
                let r = f.alloc(w);
                self.set_into(f, &name, u, r);
                set = Some(r);
            }
            sets.extend(set);
        }
        Some(sets.into())
    }

    /// Keeps one of each class of alike components in the set of a question. A component stays if a name that is used after the question holds it; a component in a set of such
    /// a name differs from one outside. If callers may hold components, all stay.
    pub fn keep_one_of_alike_at(&mut self, f: &mut FnBuild, s: R, u: UniverseId, at: Span) {
        if !self.may_be_alike(u) || self.game_facts.apart.questions.contains(&at) {
            return;
        }
        let (base, w) = (f.next, self.set_words(u));
        let (mut held, mut sets) = (None, Vec::new());
        for name in self.names_at(f, at) {
            if liveness::is_one(&name.ty) {
                let thing = self.expr_reg(f, &name);
                self.add_held(f, &mut held, thing, w);
            } else {
                let set = f.alloc(w);
                self.set_into(f, &name, u, set);
                sets.push(set);
            }
        }
        if sets.is_empty() {
            self.keep_one_of_alike(f, s, u, held);
            f.next = base;
            return;
        }
        let (all, part) = (f.alloc(w), f.alloc(w));
        f.emit(Ins::SZero { d: all, w });
        for sides in 0..1u32 << sets.len() {
            f.emit(Ins::MovN { d: part, a: s, n: w });
            for (k, set) in sets.iter().enumerate() {
                match sides >> k & 1 {
                    0 => f.emit(Ins::SAnd { d: part, a: part, b: *set, w }),
                    _ => f.emit(Ins::SAndNot { d: part, a: part, b: *set, w }),
                }
            }
            let own = held.map(|h| f.emit_new(w, |d| Ins::MovN { d, a: h, n: w }));
            self.keep_one_of_alike(f, part, u, own);
            f.emit(Ins::SOr { d: all, a: all, b: part, w });
        }
        f.emit(Ins::MovN { d: s, a: all, n: w });
        f.next = base;
    }
}
