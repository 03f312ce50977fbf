//! Lifts conditions by case split: comparisons of a number with cases, of one of several attributes, of the number of things on a space.
use crate::analysis::expr_forms::without_as_set;
use crate::fn_builder::{Bind, FnBuild};
use crate::ir::*;
use crate::lower::Lower;
use houserule_model::body::build;
use houserule_model::hir::*;

/// Name of the other side of the comparison, which is evaluated once.
const BOUND: LocalId = LocalId(3_000_104);

impl Lower<'_> {
    /// { x : e(x) op b }, where e has cases by a condition on x: `(if c then 1 else 3) <= b` becomes `c and 1 <= b or not c and 3 <= b`.
    pub fn lift_by_case(
        &mut self,
        f: &mut FnBuild,
        (op, e, b): (Comparison, &Expr, &Expr),
        u: UniverseId,
        depth: usize,
    ) -> Option<R> {
        if depth > 32 {
            return None;
        }
        match &*e.kind {
            ExprKind::Local(l) => match self.binding_of(f, *l)? {
                Bind::Alias(x, env) => self.lift_case_in_env(f, env, (op, &x, b), u, depth),
                _ => None,
            },
            ExprKind::Value(v, args) => {
                let plain = self.plain_value(*v)?;
                let (params, body) = &*plain;
                if !has_cases(body) {
                    return None;
                }
                let env = self.bind_arguments_once(f, *params, args, body);
                self.lift_case_in_env(f, env, (op, body, b), u, depth)
            }
            ExprKind::If(c, yes, no) if !self.is_free(f, c) => {
                let make = |kind| build::cond(e.span, kind);
                let compare = |x: &Expr| make(ExprKind::Compare(op, x.clone(), b.clone()));
                let yes = make(ExprKind::And(c.clone(), compare(yes)));
                let no = make(ExprKind::And(make(ExprKind::Not(c.clone())), compare(no)));
                self.lift_condition(f, &make(ExprKind::Or(yes, no)), u)
            }
            _ => None,
        }
    }

    /// The same in another environment: the other side is evaluated in its own.
    fn lift_case_in_env(
        &mut self,
        f: &mut FnBuild,
        env: usize,
        (op, e, b): (Comparison, &Expr, &Expr),
        u: UniverseId,
        depth: usize,
    ) -> Option<R> {
        let b = match self.known_constant(b) {
            Some(_) => b.clone(),
            None => {
                let r = self.expr_reg(f, b);
                f.envs.get_mut(env)?.insert(BOUND, Bind::Reg(r));
                build::expr(b.ty.clone(), b.span, ExprKind::Local(BOUND))
            }
        };
        self.with_env(f, env, |s, f| s.lift_by_case(f, (op, e, &b), u, depth + 1))
    }

    /// { x : x.a in S }, with S free of x and small: the union of the planes of all values in S.
    pub fn lift_attr_among(&mut self, f: &mut FnBuild, x: &Expr, s: &Expr, u: UniverseId) -> Option<R> {
        if !matches!(s.ty, Ty::Set(_)) {
            return None;
        }
        let group = self.own_group(f, x)?;
        let of = self.universe_of(&s.ty, s.span);
        let (w, sw) = (self.set_words(u), self.set_words(of));
        if sw > 1 {
            return None;
        }
        let (d, those, r) = (f.alloc(w), f.alloc(sw), f.alloc(w));
        self.set_into(f, s, of, those);
        f.emit(Ins::SZero { d, w });
        let (i, top, end) = f.begin_loop(those, sw);
        let value = f.emit_new(1, |d| Ins::AddK { d, a: i, k: self.least_of(of) });
        self.value_plane_into(f, group, r, value);
        f.emit(Ins::SOr { d, a: d, b: r, w });
        f.jmp(top);
        f.place_label(end);
        Some(d)
    }

    /// Whether a count is more than 0, or 0, as the question whether there is something: `count(y in S: Q) > 0` is `any(y in S: Q)`.
    pub fn as_existence(&mut self, op: Comparison, count: &Expr, n: &Expr) -> Option<Expr> {
        let some = match (op, self.known_constant(n)?) {
            (Comparison::Gt | Comparison::Ne, 0) | (Comparison::Ge, 1) => true,
            (Comparison::Le | Comparison::Eq, 0) | (Comparison::Lt, 1) => false,
            _ => return None,
        };
        match &*count.kind {
            ExprKind::Fold(fold) if fold.op == FoldOp::Count => {
                let op = if some { FoldOp::Any } else { FoldOp::No };
                let fold = Fold { op, ..(**fold).clone() };
                Some(build::cond(count.span, ExprKind::Fold(Box::new(fold))))
            }
            ExprKind::Builtin(Builtin::Count, args) => {
                let empty = build::cond(count.span, ExprKind::IsEmpty(args.first()?.clone()));
                Some(if some { build::not(empty) } else { empty })
            }
            _ => None,
        }
    }

    /// { h : count(content of a zone of h) op n }.
    pub fn lift_by_count(
        &mut self,
        f: &mut FnBuild,
        (op, e, n): (Comparison, &Expr, &Expr),
        u: UniverseId,
    ) -> Option<R> {
        let ExprKind::Builtin(Builtin::Count, args) = &*e.kind else { return None };
        let ExprKind::Zone(Some(x), z, None) = &*without_as_set(args.first()?).kind else { return None };
        if !self.is_lifted(f, x) {
            return None;
        }
        let zone = self.zone_ix.get(z).copied()?;
        let slot = self.p.zones.get(zone.index())?;
        if slot.of != Some(u) || slot.indexes > 1 || self.least_of(u) != 0 {
            return None;
        }
        let n = self.expr_reg(f, n);
        Some(f.emit_new(self.set_words(u), |d| Ins::SCrowd { d, n, op, zone }))
    }
}

/// Whether a value has cases, or calls a value that has.
fn has_cases(body: &Expr) -> bool {
    matches!(&*body.kind, ExprKind::If(..) | ExprKind::Value(..))
}
