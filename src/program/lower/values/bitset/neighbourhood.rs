//! Lifts conditions on neighbours by dilation: `{ x : any(h in S where h in neighbours(x): Q(h)) }`, with S and Q free of x, is the set of neighbours of { h in S : Q(h) }.
use crate::analysis::expr_forms::{conjunction_of, split_conjunction, without_as_set};
use crate::fn_builder::FnBuild;
use crate::ir::*;
use crate::lower::Lower;
use houserule_model::hir::*;

impl Lower<'_> {
    /// Lifts a fold over a set of spaces that is restricted to the neighbours of the lifted space: one step on the map in place of a loop.
    pub fn lift_near(&mut self, f: &mut FnBuild, fold: &Fold, u: UniverseId) -> Option<R> {
        if fold.bodies.len() > 1 || fold.op == FoldOp::Every && fold.cond.is_some() {
            return None;
        }
        let outer = f.env;
        let domain = f.cut_set.take();
        let d = self.dilate_set(f, &fold.over, u, 0, &mut |s, f, set| {
            s.with_env(f, outer, |s, f| {
                // The body is evaluated for those that pass the condition.
                let q = match (&fold.cond, fold.bodies.as_slice()) {
                    (Some(c), [body]) => conjunction_of(&[(0, c), (0, body)]),
                    (Some(q), []) | (None, [q]) => q.clone(),
                    _ => return None,
                };
                if !s.is_free(f, &q) {
                    return None;
                }
                if fold.op != FoldOp::Every {
                    s.filter_into(f, set, u, fold.var, &q);
                    return Some(());
                }
                // The spaces for which it is false.
                let w = s.set_words(u);
                let good = f.emit_new(w, |d| Ins::MovN { d, a: set, n: w });
                s.filter_into(f, good, u, fold.var, &q);
                f.emit(Ins::SAndNot { d: set, a: set, b: good, w });
                Some(())
            })
        });
        f.cut_set = domain;
        let d = d?;
        if fold.op != FoldOp::Any {
            f.emit(Ins::SNot { d, a: d, u: u.0 as u8 });
        }
        Some(d)
    }

    /// { x : the set has a member }, for a set of spaces that is restricted to the neighbours of x; `cut` removes the members that fail the other conditions.
    pub fn dilate_set(
        &mut self,
        f: &mut FnBuild,
        over: &Expr,
        u: UniverseId,
        depth: usize,
        cut: &mut dyn FnMut(&mut Self, &mut FnBuild, R) -> Option<()>,
    ) -> Option<R> {
        if depth > 32 || self.least_of(u) != 0 {
            return None;
        }
        match &*over.kind {
            ExprKind::Value(..) | ExprKind::Local(_) => {
                self.with_definition(f, over, |s, f, x| s.dilate_set(f, x, u, depth + 1, cut))
            }
            ExprKind::Builtin(Builtin::AsSet, a) => self.dilate_set(f, a.first()?, u, depth + 1, cut),
            ExprKind::Builtin(Builtin::Neighbours, args) if self.are_beside_lifted(f, args) => {
                let m = self.map_both_ways(over, u)?;
                let s = self.all_reg(f, u);
                cut(self, f, s)?;
                Some(f.emit_new(self.set_words(u), |d| Ins::Dilate { d, s, m }))
            }
            ExprKind::Where(source, l, cond) => {
                if !self.is_free(f, source) || self.universe_of(&source.ty, source.span) != u {
                    return None;
                }
                let mut parts = Vec::new();
                split_conjunction(cond, &mut parts);
                let nth = parts.iter().position(|c| self.is_next_to_lifted(f, c, *l))?;
                parts.remove(nth);
                if parts.iter().any(|c| !self.is_free(f, c)) {
                    return None;
                }
                let m = self.map_both_ways(source, u)?;
                let w = self.set_words(u);
                let s = f.alloc(w);
                self.set_into(f, source, u, s);
                for c in parts {
                    self.filter_into(f, s, u, *l, c);
                }
                cut(self, f, s)?;
                Some(f.emit_new(w, |d| Ins::Dilate { d, s, m }))
            }
            _ => None,
        }
    }

    /// The map of these spaces, if they are those of `u` and each is a neighbour of its neighbours.
    fn map_both_ways(&mut self, spaces: &Expr, u: UniverseId) -> Option<u8> {
        let (m, of) = self.map_of(&spaces.ty, spaces.span);
        (of == u && self.p.maps.get(usize::from(m))?.is_two_way()).then_some(m)
    }

    /// Whether the arguments of `neighbours` are the lifted space alone, in any direction.
    fn are_beside_lifted(&self, f: &FnBuild, args: &[Expr]) -> bool {
        is_anywhere(args) && args.first().is_some_and(|of| self.is_lifted(f, of))
    }

    /// Whether a condition says that the space `l` and the lifted space are neighbours.
    fn is_next_to_lifted(&self, f: &FnBuild, c: &Expr, l: LocalId) -> bool {
        let ExprKind::In(x, s) = &*c.kind else { return false };
        let ExprKind::Builtin(Builtin::Neighbours, args) = &*without_as_set(s).kind else { return false };
        let Some(of) = args.first() else { return false };
        let is_l = |e: &Expr| matches!(&*e.kind, ExprKind::Local(x) if *x == l);
        let one = matches!(of.ty, Ty::Of(_) | Ty::Maybe(_));
        one && (is_l(x) && self.are_beside_lifted(f, args)
            || is_l(of) && is_anywhere(args) && self.is_lifted(f, x))
    }
}

/// Whether `neighbours` is asked for in all directions.
fn is_anywhere(args: &[Expr]) -> bool {
    args.get(1).is_none_or(|d| matches!(&*d.kind, ExprKind::None))
}
