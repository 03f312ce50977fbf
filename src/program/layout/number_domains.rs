//! Computes the domains of sets of numbers: their bounds, from the expressions that give them.
use crate::ir::*;
use crate::layout::tables::Tables;
use houserule_model::body::types;
use houserule_model::hir::*;

/// A range of more numbers than this is no universe of a set.
pub const MOST: i64 = 1024;

/// Numbers that are enumerated one by one.
pub enum Numbers<'e> {
    /// Written numbers; each counts, also if it is there twice.
    Listed(&'e [Expr]),
    /// A range: the first and the last number.
    Range(&'e Expr, &'e Expr),
    /// A stored list; each number counts.
    Stored(&'e Expr),
}

impl Tables<'_> {
    /// The universe of a set. For numbers without narrow bounds in their type, the bounds of the expression.
    pub fn uni_of(&mut self, e: &Expr) -> UniverseId {
        let ty = self.narrow(&e.ty, e);
        self.universe_of(&ty, e.span)
    }

    /// The common universe of two sets that are compared.
    pub fn uni_of_both(&mut self, a: &Expr, b: &Expr) -> UniverseId {
        let (x, y) = (self.narrow(&a.ty, a), self.narrow(&b.ty, b));
        let wide = if matches!(x, Ty::Set(_) | Ty::List(_)) { &x } else { &y };
        let both = types::join(self.m, &x, &y).unwrap_or_else(|| wide.clone());
        self.universe_of(&both, a.span)
    }

    /// The type of a set, or of a number, with bounds computed from the expression if it has none.
    pub fn narrow(&mut self, ty: &Ty, e: &Expr) -> Ty {
        match ty {
            Ty::Set(t) => Ty::Set(Box::new(self.narrow(t, e))),
            Ty::List(t) => Ty::List(Box::new(self.narrow(t, e))),
            Ty::Maybe(t) => Ty::Maybe(Box::new(self.narrow(t, e))),
            Ty::Int(lo, hi) if is_wide(*lo, *hi) => match self.member_bounds(e, 0) {
                Some((lo, hi)) => match (i32::try_from(lo), i32::try_from(hi)) {
                    (Ok(lo), Ok(hi)) => Ty::Int(lo, hi),
                    _ => ty.clone(),
                },
                None => ty.clone(),
            },
            _ => ty.clone(),
        }
    }

    /// The bounds of a number, or of the members of a set.
    fn member_bounds(&mut self, e: &Expr, depth: usize) -> Option<(i64, i64)> {
        if depth > 32 {
            return None;
        }
        let deep = depth + 1;
        let one = |me: &mut Self, x: &Expr| me.member_bounds(x, deep);
        let join = |a: (i64, i64), b: (i64, i64)| (a.0.min(b.0), a.1.max(b.1));
        let computed = match &*e.kind {
            ExprKind::Set(all) | ExprKind::List(all) => {
                let mut out: Option<(i64, i64)> = None;
                for x in all {
                    let r = one(self, x)?;
                    out = Some(out.map_or(r, |o| join(o, r)));
                }
                out
            }
            ExprKind::Range(a, b) => {
                let (a, b) = (one(self, a)?, one(self, b)?);
                Some((a.0, b.1.max(a.0)))
            }
            ExprKind::Union(a, b) | ExprKind::If(_, a, b) | ExprKind::Default(a, b) => {
                Some(join(one(self, a)?, one(self, b)?))
            }
            ExprKind::Without(a, _) | ExprKind::Where(a, ..) | ExprKind::Let(_, _, a) => one(self, a),
            ExprKind::First { of, .. } | ExprKind::Nth(of, _) | ExprKind::The(of) => one(self, of),
            ExprKind::Builtin(b, args) if b.facts().reach != builtins::Reach::ByType => match b.facts().reach
            {
                builtins::Reach::Size => Some((0, self.most_members(args.first()?))),
                builtins::Reach::Place => Some((1, self.most_members(args.first()?))),
                builtins::Reach::Members | builtins::Reach::ByType => one(self, args.first()?),
            },
            ExprKind::Fold(fold) => match fold.op {
                FoldOp::Count => Some((0, self.most_members(&fold.over))),
                FoldOp::Collect | FoldOp::Union | FoldOp::Min | FoldOp::Max => {
                    one(self, fold.bodies.first()?)
                }
                FoldOp::Least | FoldOp::Most => one(self, &fold.over),
                FoldOp::Sum => {
                    let (n, (lo, hi)) = (self.most_members(&fold.over), one(self, fold.bodies.first()?)?);
                    Some((lo.min(0).saturating_mul(n), hi.max(0).saturating_mul(n)))
                }
                _ => None,
            },
            ExprKind::Value(v, _) => {
                let plain = self.plain_value(*v)?;
                one(self, &plain.1)
            }
            ExprKind::Arith(op, a, b) => {
                let (a, b) = (one(self, a)?, one(self, b)?);
                let narrow = |(lo, hi)| Some((i32::try_from(lo).ok()?, i32::try_from(hi).ok()?));
                let (lo, hi) = types::arith(*op, narrow(a)?, narrow(b)?);
                Some((i64::from(lo), i64::from(hi)))
            }
            ExprKind::Neg(x) => one(self, x).map(|(lo, hi)| (-hi, -lo)),
            _ => self.known_constant(e).filter(|k| *k != NONE).map(|k| (k, k)),
        };
        let ty = types::element(self.m, &e.ty).unwrap_or_else(|| types::plain(&e.ty));
        let Ty::Int(lo, hi) = types::plain(&ty) else { return None };
        let (lo, hi) = (i64::from(lo), i64::from(hi));
        // The narrower bounds hold.
        Some(computed.map_or((lo, hi), |(a, b)| (a.max(lo), b.min(hi).max(a.max(lo)))))
    }

    /// The most things that a set may hold.
    fn most_members(&mut self, e: &Expr) -> i64 {
        let errors = self.errors.len();
        if let ExprKind::Set(all) | ExprKind::List(all) = &*e.kind
            && all.iter().all(|x| types::element(self.m, &x.ty).is_none())
        {
            return all.len() as i64;
        }
        let u = self.uni_of(e);
        let fails = self.errors.len() > errors;
        self.errors.truncate(errors);
        if fails { i64::from(i32::MAX) } else { i64::from(self.things_in(u)) }
    }

    /// The numbers of a written list, or of a range that is too wide for a set.
    pub fn numbers<'e>(&mut self, e: &'e Expr) -> Option<Numbers<'e>> {
        let mut e = e;
        while let ExprKind::Builtin(Builtin::AsSet, args) = &*e.kind {
            e = args.first()?;
        }
        let Ty::Int(..) = types::plain(&types::element(self.m, &e.ty)?) else { return None };
        match &*e.kind {
            ExprKind::Set(all) | ExprKind::List(all) => {
                let single = |x: &Expr| matches!(x.ty, Ty::Int(..));
                (!all.is_empty() && all.iter().all(single)).then_some(Numbers::Listed(all))
            }
            ExprKind::Range(a, b) if self.is_too_wide(e) => Some(Numbers::Range(a, b)),
            _ => None,
        }
    }

    /// Whether the set of an expression would be too large.
    pub fn is_too_wide(&mut self, e: &Expr) -> bool {
        let ty = self.narrow(&e.ty, e);
        let ty = types::element(self.m, &ty).map(|t| types::plain(&t));
        matches!(ty, Some(Ty::Int(lo, hi)) if is_wide(lo, hi))
    }

    /// Whether an expression is a written list of numbers.
    pub fn is_listed(&mut self, e: &Expr) -> bool {
        matches!(self.numbers(e), Some(Numbers::Listed(_)))
    }
}

pub fn is_wide(lo: i32, hi: i32) -> bool {
    i64::from(hi) - i64::from(lo) >= MOST
}
