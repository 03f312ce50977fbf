//! Lifts conditions on two things to a row of the precomputed join (`index/pairs.rs`).
use crate::analysis::expr_forms::without_as_set;
use crate::fn_builder::FnBuild;
use crate::index::pairs::{ONE, OTHER};
use crate::ir::*;
use crate::layout::tables::Layout;
use crate::lower::Lower;
use houserule_model::body::walk::rewrite_parts;
use houserule_model::body::{build, types};
use houserule_model::hir::*;

impl Layout<'_> {
    /// Replaces the row's thing by [`ONE`] and the lifted thing by [`OTHER`], if the condition reads no other names.
    fn rewrite_to_pair(&self, f: &FnBuild, e: &Expr, of: R, depth: usize) -> Option<Expr> {
        let name = |l| Some(build::expr(e.ty.clone(), e.span, ExprKind::Local(l)));
        if depth > 32 {
            return None;
        }
        if self.is_lifted(f, e) {
            return name(OTHER);
        }
        if self.place_owner(f, e) == Some(of) {
            return name(ONE);
        }
        match &*e.kind {
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::None
            | ExprKind::Member(_)
            | ExprKind::Direction(_) => Some(e.clone()),
            ExprKind::Zone(..) | ExprKind::IsFace(..) | ExprKind::IsKind(..) => None,
            _ => rewrite_parts(e, &mut |x| self.rewrite_to_pair(f, x, of, depth + 1)),
        }
    }

    /// If an expression is the space on which a thing lies: the register of the thing.
    fn place_owner(&self, f: &FnBuild, e: &Expr) -> Option<R> {
        let ExprKind::Builtin(Builtin::At, args) = &*e.kind else { return None };
        let [x] = args.as_slice() else { return None };
        let ExprKind::Local(l) = &*x.kind else { return None };
        match self.binding_of(f, *l)? {
            crate::fn_builder::Bind::Reg(r) => Some(r),
            _ => None,
        }
    }
}

impl Lower<'_> {
    /// { x : e(x) op k }, for a number that depends on x and one other thing, through names, values, and conditions free of x.
    pub fn lift_by_pair(
        &mut self,
        f: &mut FnBuild,
        op: Comparison,
        e: &Expr,
        k: i64,
        u: UniverseId,
    ) -> Option<R> {
        use crate::fn_builder::Bind;
        if f.depth > 40 {
            return None;
        }
        match &*e.kind {
            ExprKind::Local(_) | ExprKind::Value(..) => {
                self.with_definition(f, e, |s, f, x| s.lift_by_pair(f, op, x, k, u))
            }
            // The row of none is empty, and the condition is false for none.
            ExprKind::If(c, a, b)
                if let (ExprKind::IsSome(x), ExprKind::Builtin(pair, args)) = (&*c.kind, &*a.kind)
                    && let [p, q] = args.as_slice()
                    && self.is_lifted(f, p) != self.is_lifted(f, q)
                    && let first = self.is_lifted(f, p)
                    && let other = if first { q } else { p }
                    && crate::analysis::repeated_calls::is_same_call(other, x)
                    && self.is_free(f, x)
                    && self.known_constant(b).is_some_and(|b| !compares(op, b, k)) =>
            {
                let group = self.pair_planes(*pair, op, (p, q), (a, k), first, u)?;
                let r = self.expr_reg(f, other);
                Some(self.row_of(f, group, other, r, u))
            }
            ExprKind::If(c, a, b) if self.is_free(f, c) => {
                let w = self.set_words(u);
                let d = f.alloc(w);
                let base = f.next;
                let (other, end) = (f.new_label(), f.new_label());
                self.branch(f, c, false, other);
                f.next = base;
                let r = self.lift_either_by_pair(f, op, a, k, u)?;
                f.emit(Ins::MovN { d, a: r, n: w });
                f.jmp(end);
                f.place_label(other);
                f.next = base;
                let r = self.lift_either_by_pair(f, op, b, k, u)?;
                f.emit(Ins::MovN { d, a: r, n: w });
                f.place_label(end);
                f.next = base;
                Some(d)
            }
            ExprKind::Let(l, a, b) if self.is_free(f, a) => {
                let r = self.expr_reg(f, a);
                f.bind(*l, Bind::Reg(r));
                self.lift_by_pair(f, op, b, k, u)
            }
            ExprKind::Builtin(b, args) => {
                let [p, q] = args.as_slice() else { return None };
                let first = self.is_lifted(f, p);
                if first == self.is_lifted(f, q) {
                    return None;
                }
                let other = if first { q } else { p };
                if !self.is_free(f, other) {
                    return None;
                }
                let group = self.pair_planes(*b, op, (p, q), (e, k), first, u)?;
                let r = self.required_reg(f, other);
                Some(self.row_of(f, group, other, r, u))
            }
            _ => None,
        }
    }

    /// The row of the precomputed join for the other thing, whose value is in register `r`.
    fn row_of(&mut self, f: &mut FnBuild, group: GroupIx, other: &Expr, r: R, u: UniverseId) -> R {
        let of = self.universe_of(&types::plain(&other.ty), other.span);
        let i = self.value_to_element(f, of, r);
        f.emit_new(self.set_words(u), |d| Ins::PlaneC { d, i, group })
    }

    /// One side of such a number; it may be free of x.
    fn lift_either_by_pair(
        &mut self,
        f: &mut FnBuild,
        op: Comparison,
        e: &Expr,
        k: i64,
        u: UniverseId,
    ) -> Option<R> {
        if let Some(x) = self.known_constant(e) {
            let d = f.alloc(self.set_words(u));
            let yes = compares(op, x, k);
            f.emit(if yes { Ins::SAll { d, u: u.0 as u8 } } else { Ins::SZero { d, w: self.set_words(u) } });
            return Some(d);
        }
        self.lift_by_pair(f, op, e, k, u)
    }

    /// After a set was emitted as a row of fixed planes by one thing (`leaps(w.at, 1, 1)`): evaluates constant conditions on that thing and a member at compile time and restricts the
    /// row. Returns the conditions that are left.
    pub fn cut_rows<'e>(
        &mut self,
        f: &mut FnBuild,
        (s, from): (R, &Expr),
        (u, l): (UniverseId, LocalId),
        conds: Vec<(&'e Expr, usize)>,
    ) -> Vec<(&'e Expr, usize)> {
        let (ExprKind::Value(_, args), Some(Ins::PlaneC { d, group, .. })) =
            (&*without_as_set(from).kind, f.code.last().copied())
        else {
            return conds;
        };
        let ([of], true, true) = (args.as_slice(), d == s, self.opts.lift) else { return conds };
        // The owner of the place by the names of the action: a condition may have other names.
        let Some(of) = self.place_owner(f, of) else { return conds };
        let mut group = group;
        let mut left = Vec::new();
        for (c, env) in conds {
            let pair = self.with_lifted(f, env, l, |s, f| s.rewrite_to_pair(f, c, of, 0));
            match pair.and_then(|pair| self.rows_where(&pair, group, u)) {
                Some(cut) => group = cut,
                None => left.push((c, env)),
            }
        }
        if let Some(Ins::PlaneC { group: its, .. }) = f.code.last_mut() {
            *its = group;
        }
        left
    }
}
