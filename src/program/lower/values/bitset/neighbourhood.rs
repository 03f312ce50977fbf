//! Lifts conditions on the space one step away ([`Lower::lift_by_step`]), and on neighbours by dilation: `{ x : any(h in S where h in neighbours(x): Q(h)) }`, with S and Q free of x, is the set of neighbours of { h in S : Q(h) }.
use crate::analysis::expr_forms::{conjunction_of, split_conjunction, without_as_set};
use crate::analysis::none_value::OfNone;
use crate::fn_builder::{Bind, FnBuild};
use crate::ir::*;
use crate::layout::tables::Layout;
use crate::lower::Lower;
use houserule_model::body::walk::rewrite_parts;
use houserule_model::body::{build, types, walk};
use houserule_model::hir::*;

/// Name of the space that is one step from the lifted one.
const NEXT: LocalId = LocalId(3_000_105);

impl Layout<'_> {
    /// Replaces the space one step from the lifted space by [`NEXT`], if the condition reads nothing else of the space; notes the step and its direction.
    fn rewrite_to_step<'e>(
        &self,
        f: &FnBuild,
        e: &'e Expr,
        step: &mut Option<(&'e Expr, &'e Expr)>,
    ) -> Option<Expr> {
        if let ExprKind::Step(x, dir) = &*e.kind
            && self.is_lifted(f, x)
            && self.is_free(f, dir)
        {
            if step.is_some_and(|(_, other)| !is_same_direction(dir, other)) {
                return None;
            }
            *step = Some((x, dir));
            return Some(build::expr(types::plain(&e.ty), e.span, ExprKind::Local(NEXT)));
        }
        if self.is_free(f, e) {
            return Some(e.clone());
        }
        let parts = walk::subexprs(e).into_iter().map(|x| self.rewrite_to_step(f, x, step));
        let mut parts = parts.collect::<Option<Vec<Expr>>>()?.into_iter();
        rewrite_parts(e, &mut |_| parts.next())
    }
}

/// Whether two expressions are one direction by their form.
fn is_same_direction(a: &Expr, b: &Expr) -> bool {
    match (&*a.kind, &*b.kind) {
        (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
        (ExprKind::Direction(a), ExprKind::Direction(b)) => a == b,
        _ => false,
    }
}

impl Lower<'_> {
    /// { x : P(x step d) }, with d free of x: finds the spaces for which P holds, then those from which the step leads to one of them.
    pub fn lift_by_step(&mut self, f: &mut FnBuild, cond: &Expr, u: UniverseId) -> Option<R> {
        if !self.p.is_map(u) {
            return None;
        }
        let mut step = None;
        let body = self.rewrite_to_step(f, cond, &mut step)?;
        let (from, dir) = step?;
        let (m, of) = self.map_of(&from.ty, from.span);
        if of != u {
            return None;
        }
        // At the edge of the map, where the step leads nowhere.
        let edge = match self.evaluate_with_none(&body, &[NEXT], 0) {
            OfNone::Yes => true,
            OfNone::No | OfNone::NotTrue | OfNone::Never => false,
            OfNone::Unknown | OfNone::Perhaps => return None,
        };
        let w = self.set_words(u);
        let (d, r) = (f.alloc(w), self.expr_reg(f, dir));
        let env = f.extended_env(NEXT, Bind::Lifted)?;
        let outer = (f.cut_set.take(), f.lifted_over.take());
        let s = self.with_env(f, env, |s, f| s.lift_condition(f, &body, u));
        (f.cut_set, f.lifted_over) = outer;
        let s = s?;
        if edge {
            let no = f.emit_new(w, |d| Ins::SNot { d, a: s, u: u.0 as u8 });
            f.emit(Ins::StepSrc { d, s: no, r, m });
            f.emit(Ins::SNot { d, a: d, u: u.0 as u8 });
        } else {
            f.emit(Ins::StepSrc { d, s, r, m });
        }
        Some(d)
    }

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
