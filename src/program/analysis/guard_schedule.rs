//! Finds the earliest loop in which a guard can be evaluated: an argument need not be known if the value that takes it ignores it.
use crate::fn_builder::{Bind, FnBuild};
use crate::ir::NONE;
use crate::layout::tables::Tables;
use houserule_model::body::{types, walk};
use houserule_model::hir::*;

impl Tables<'_> {
    /// The number of the action's own parameters that a condition needs, at most `upto`, if it cannot fault.
    pub fn required_params(
        &mut self,
        f: &FnBuild,
        a: &Action,
        cond: &Expr,
        env: usize,
        upto: usize,
    ) -> usize {
        if upto == 0 || !self.opts.lift {
            return upto;
        }
        let seen = self.params_read_by(f, a, cond, env);
        upto.min(64 - seen.leading_zeros() as usize)
    }

    /// The action's own parameters that a condition reads, a bit each; all if unknown.
    pub fn params_read_by(&mut self, f: &FnBuild, a: &Action, cond: &Expr, env: usize) -> u64 {
        let mut seen = 0;
        if a.params.len() > 64 {
            return u64::MAX;
        }
        self.collect_params_read(f, a, cond, env, 0, &mut seen);
        seen
    }

    fn collect_params_read(
        &mut self,
        f: &FnBuild,
        a: &Action,
        e: &Expr,
        env: usize,
        depth: usize,
        seen: &mut u64,
    ) {
        if depth > 32 {
            *seen = u64::MAX;
            return;
        }
        match &*e.kind {
            ExprKind::Local(l) => {
                if env == 0
                    && let Some(i) = a.params.iter().position(|p| p.local == *l)
                {
                    *seen |= 1 << i;
                    return;
                }
                match f.envs.get(env).and_then(|e| e.get(l)).cloned() {
                    Some(Bind::Alias(x, inner)) => self.collect_params_read(f, a, &x, inner, depth + 1, seen),
                    Some(Bind::Call(_, args, inner)) => {
                        args.iter().for_each(|x| self.collect_params_read(f, a, x, inner, depth + 1, seen));
                    }
                    _ => {}
                }
            }
            ExprKind::Value(v, args) => {
                let used = self.params_read(*v);
                for (i, x) in args.iter().enumerate() {
                    if used.as_ref().is_none_or(|u| u.get(i).copied().unwrap_or(true))
                        || !self.argument_cannot_fault(x)
                    {
                        self.collect_params_read(f, a, x, env, depth + 1, seen);
                    }
                }
            }
            _ => walk::subexprs(e)
                .into_iter()
                .for_each(|x| self.collect_params_read(f, a, x, env, depth + 1, seen)),
        }
    }

    /// The parameters that a value's body reads, if the value can be inlined.
    pub fn params_read(&mut self, v: ValueId) -> Option<std::rc::Rc<Vec<bool>>> {
        if let Some(known) = self.used_params.get(&v) {
            return known.clone();
        }
        let plain = self.plain_value(v)?;
        let mut used = vec![false; plain.0];
        self.mark_params_read(&plain.1, &mut used);
        let used = Some(std::rc::Rc::new(used));
        self.used_params.insert(v, used.clone());
        used
    }

    /// Whether a value's body never reads a parameter.
    pub fn ignores_param(&mut self, v: ValueId, param: usize) -> bool {
        self.params_read(v).is_some_and(|used| used.get(param) == Some(&false))
    }

    fn mark_params_read(&mut self, e: &Expr, used: &mut [bool]) {
        match &*e.kind {
            ExprKind::Local(l) => {
                if let Some(u) = used.get_mut(l.0 as usize) {
                    *u = true;
                }
            }
            ExprKind::Value(v, args) => {
                let inner = self.params_read(*v);
                for (i, x) in args.iter().enumerate() {
                    if inner.as_ref().is_none_or(|u| u.get(i).copied().unwrap_or(true))
                        || !self.argument_cannot_fault(x)
                    {
                        self.mark_params_read(x, used);
                    }
                }
            }
            _ => walk::subexprs(e).into_iter().for_each(|x| self.mark_params_read(x, used)),
        }
    }

    /// The bounds of a number, by its form.
    pub fn number_bounds(&mut self, e: &Expr, depth: usize) -> Option<(i64, i64)> {
        if depth > 24 || types::is_maybe(&e.ty) {
            return None;
        }
        if let Some(k) = self.known_constant(e) {
            return (k != NONE).then_some((k, k));
        }
        let by_type = match &e.ty {
            Ty::Int(lo, hi) if *lo != i32::MIN && *hi != i32::MAX => Some((i64::from(*lo), i64::from(*hi))),
            _ => None,
        };
        by_type.or_else(|| match &*e.kind {
            ExprKind::If(_, a, b) => {
                let (a, b) = (self.number_bounds(a, depth + 1)?, self.number_bounds(b, depth + 1)?);
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            ExprKind::Value(v, _) => {
                let plain = self.plain_value(*v)?;
                self.number_bounds(&plain.1, depth + 1)
            }
            _ => None,
        })
    }

    /// Whether a comparison is true for all operands and cannot fault. `may_fail`: it may fault, because the same fault happens elsewhere.
    pub fn always_holds(&mut self, f: &FnBuild, e: &Expr, env: usize, may_fail: bool) -> bool {
        let ExprKind::Compare(op, a, b) = &*e.kind else { return false };
        let (Some(x), Some(y)) = (self.number_bounds(a, 0), self.number_bounds(b, 0)) else { return false };
        let holds = match op {
            Comparison::Le => x.1 <= y.0,
            Comparison::Lt => x.1 < y.0,
            Comparison::Ge => x.0 >= y.1,
            Comparison::Gt => x.0 > y.1,
            _ => false,
        };
        holds && (may_fail || self.cannot_fault_in(f, env, e))
    }
}

/// Whether the right side of one comparison is, in the same place of the text, the left side of another, and nothing else in it can fault.
pub fn is_same_comparison(e: &Expr, other: &Expr) -> bool {
    let (ExprKind::Compare(_, x, a), ExprKind::Compare(_, b, _)) = (&*e.kind, &*other.kind) else {
        return false;
    };
    matches!(&*x.kind, ExprKind::Int(_)) && a.span == b.span
}
