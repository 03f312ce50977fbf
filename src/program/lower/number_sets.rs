//! Sets of numbers: how far they reach, and numbers that are gone through one by one where no set of them is needed.
//!
//! A set has a bit for each number that it may hold. Of `[count(players), p.coins]` the bounds are worked out from its parts; `sum([n, 3])` and `for i in 1..n` need no set at all.
use crate::ir::*;
use crate::lower::Lower;
use crate::lower::fn_builder::{Bind, FnBuild};
use houserule_model::body::types;
use houserule_model::hir::*;

/// A range of more numbers than this is no universe of a set.
pub const MOST: i64 = 1024;

/// Numbers that are gone through one by one.
enum Numbers<'e> {
    /// Written out: each counts, also if it stands there twice.
    Listed(&'e [Expr]),
    /// From one to another.
    Range(&'e Expr, &'e Expr),
    /// Of a list under a name, or that a value gives: each counts.
    Stored(&'e Expr),
}

impl Lower<'_> {
    /// The universe of a set: of numbers whose type has no narrow bounds, what the expression itself can give.
    pub fn uni_of(&mut self, e: &Expr) -> UniverseId {
        let ty = self.narrow(&e.ty, e);
        self.uni(&ty, e.span)
    }

    /// The universe of two sets that are compared.
    pub fn uni_of_both(&mut self, a: &Expr, b: &Expr) -> UniverseId {
        let (x, y) = (self.narrow(&a.ty, a), self.narrow(&b.ty, b));
        let wide = if matches!(x, Ty::Set(_) | Ty::List(_)) { &x } else { &y };
        let both = types::join(self.m, &x, &y).unwrap_or_else(|| wide.clone());
        self.uni(&both, a.span)
    }

    /// The type of a set (or of one number) with bounds that are worked out where it has none.
    pub fn narrow(&mut self, ty: &Ty, e: &Expr) -> Ty {
        match ty {
            Ty::Set(t) => Ty::Set(Box::new(self.narrow(t, e))),
            Ty::List(t) => Ty::List(Box::new(self.narrow(t, e))),
            Ty::Maybe(t) => Ty::Maybe(Box::new(self.narrow(t, e))),
            Ty::Int(lo, hi) if is_wide(*lo, *hi) => match self.reach(e, 0) {
                Some((lo, hi)) => match (i32::try_from(lo), i32::try_from(hi)) {
                    (Ok(lo), Ok(hi)) => Ty::Int(lo, hi),
                    _ => ty.clone(),
                },
                None => ty.clone(),
            },
            _ => ty.clone(),
        }
    }

    /// The least and the most of the numbers that an expression gives: of a set, of its members.
    fn reach(&mut self, e: &Expr, depth: usize) -> Option<(i64, i64)> {
        if depth > 32 {
            return None;
        }
        let deep = depth + 1;
        let one = |me: &mut Self, x: &Expr| me.reach(x, deep);
        let join = |a: (i64, i64), b: (i64, i64)| (a.0.min(b.0), a.1.max(b.1));
        let worked_out = match &*e.kind {
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
            ExprKind::Builtin(Builtin::Count, args) => Some((0, self.size(args.first()?))),
            ExprKind::Builtin(Builtin::Index, args) => Some((1, self.size(args.first()?))),
            ExprKind::Builtin(
                Builtin::AsSet | Builtin::Reversed | Builtin::Only | Builtin::MinOf | Builtin::MaxOf,
                args,
            ) => one(self, args.first()?),
            ExprKind::Fold(fold) => match fold.op {
                FoldOp::Count => Some((0, self.size(&fold.over))),
                FoldOp::Collect | FoldOp::Union | FoldOp::Min | FoldOp::Max => {
                    one(self, fold.bodies.first()?)
                }
                FoldOp::Least | FoldOp::Most => one(self, &fold.over),
                FoldOp::Sum => {
                    let (n, (lo, hi)) = (self.size(&fold.over), one(self, fold.bodies.first()?)?);
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
            _ => self.known(e).filter(|k| *k != NONE).map(|k| (k, k)),
        };
        let ty = types::element(self.m, &e.ty).unwrap_or_else(|| types::plain(&e.ty));
        let Ty::Int(lo, hi) = types::plain(&ty) else { return None };
        let (lo, hi) = (i64::from(lo), i64::from(hi));
        // Whatever is known more narrowly holds.
        Some(worked_out.map_or((lo, hi), |(a, b)| (a.max(lo), b.min(hi).max(a.max(lo)))))
    }

    /// How many things a set may hold at most.
    fn size(&mut self, e: &Expr) -> i64 {
        let errors = self.errors.len();
        if let ExprKind::Set(all) | ExprKind::List(all) = &*e.kind
            && all.iter().all(|x| types::element(self.m, &x.ty).is_none())
        {
            return all.len() as i64;
        }
        let u = self.uni_of(e);
        let fails = self.errors.len() > errors;
        self.errors.truncate(errors);
        if fails { i64::from(i32::MAX) } else { i64::from(self.n(u)) }
    }

    /// A fold of numbers that are written out, or of a range without narrow bounds: one number after the other. False if it is no such fold.
    pub fn fold_numbers(&mut self, f: &mut FnBuild, fold: &Fold, d: R) -> bool {
        let adds = matches!(fold.op, FoldOp::Sum | FoldOp::Count);
        let Some(numbers) = self.numbers(&fold.over).or_else(|| self.stored_numbers(f, adds, &fold.over))
        else {
            return false;
        };
        let truth = matches!(fold.op, FoldOp::Any | FoldOp::Every | FoldOp::No);
        if !truth && !matches!(fold.op, FoldOp::Sum | FoldOp::Count | FoldOp::Min | FoldOp::Max) {
            return false;
        }
        let acc = f.li(match fold.op {
            FoldOp::Sum | FoldOp::Count | FoldOp::Any => 0,
            FoldOp::Every | FoldOp::No => 1,
            _ => NONE,
        });
        let done = f.label();
        self.each_number(f, &numbers, &mut |s, f, x| {
            let next = f.label();
            f.bind(fold.var, Bind::Reg(x));
            if let Some(c) = &fold.cond {
                s.branch(f, c, false, next);
            }
            match (fold.op, fold.bodies.first()) {
                (FoldOp::Count, b) => {
                    if let Some(b) = b {
                        s.branch(f, b, false, next);
                    }
                    f.emit(Ins::AddK { d: acc, a: acc, k: 1 });
                }
                (FoldOp::Any | FoldOp::No, b) => {
                    if let Some(b) = b {
                        s.branch(f, b, false, next);
                    }
                    f.emit(Ins::Li { d: acc, k: i32::from(fold.op == FoldOp::Any) });
                    f.jmp(done);
                }
                (FoldOp::Every, Some(b)) => {
                    s.branch(f, b, true, next);
                    f.emit(Ins::Li { d: acc, k: 0 });
                    f.jmp(done);
                }
                (op, Some(b)) => {
                    let r = s.one(f, b);
                    f.emit(match op {
                        FoldOp::Sum => Ins::Add { d: acc, a: acc, b: r },
                        FoldOp::Min => Ins::Min { d: acc, a: acc, b: r },
                        _ => Ins::Max { d: acc, a: acc, b: r },
                    });
                }
                _ => {}
            }
            f.place(next);
        });
        f.place(done);
        f.emit(Ins::Mov { d, a: acc });
        true
    }

    /// `count`, `sum`, `min`, `max` of numbers that are written out, or of a range without narrow bounds. False if it is no such set.
    pub fn of_numbers(&mut self, f: &mut FnBuild, b: Builtin, of: &Expr, d: R) -> bool {
        let adds = matches!(b, Builtin::SumOf | Builtin::Count);
        let Some(numbers) = self.numbers(of).or_else(|| self.stored_numbers(f, adds, of)) else {
            return false;
        };
        match b {
            Builtin::Count | Builtin::SumOf => f.emit(Ins::Li { d, k: 0 }),
            _ => f.emit(Ins::Li { d, k: NONE as i32 }),
        }
        self.each_number(f, &numbers, &mut |_, f, x| {
            f.emit(match b {
                Builtin::Count => Ins::AddK { d, a: d, k: 1 },
                Builtin::SumOf => Ins::Add { d, a: d, b: x },
                Builtin::MinOf => Ins::Min { d, a: d, b: x },
                _ => Ins::Max { d, a: d, b: x },
            });
        });
        true
    }

    /// `x in [a, b]` of numbers without narrow bounds. False if it is no such set.
    pub fn among_numbers(&mut self, f: &mut FnBuild, x: &Expr, of: &Expr, d: R) -> bool {
        let (ExprKind::Set(all) | ExprKind::List(all)) = &*of.kind else { return false };
        if self.numbers(of).is_none() || !self.is_too_wide(of) {
            return false;
        }
        let x = self.one(f, x);
        let found = f.label();
        f.emit(Ins::Li { d, k: 1 });
        for e in all {
            let base = f.next;
            let (r, t) = (self.needed(f, e), f.alloc(1));
            f.emit(Ins::Eq { d: t, a: x, b: r });
            f.jnz(t, found);
            f.next = base;
        }
        f.emit(Ins::Li { d, k: 0 });
        f.place(found);
        true
    }

    /// A loop through a range of numbers without narrow bounds, from the first on. False if it is no such range.
    pub fn for_numbers(&mut self, f: &mut FnBuild, l: LocalId, over: &Expr, body: &Block) -> bool {
        let numbers = self.numbers(over).filter(|n| matches!(n, Numbers::Range(..)));
        let Some(numbers) = numbers else { return false };
        self.each_number(f, &numbers, &mut |s, f, x| {
            f.bind(l, Bind::Reg(x));
            s.block(f, body);
        });
        true
    }

    /// The numbers of a list that is written out, or of a range that is too wide for a set.
    fn numbers<'e>(&mut self, e: &'e Expr) -> Option<Numbers<'e>> {
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

    /// The numbers of a list that may hold one of them twice, where that matters.
    fn stored_numbers<'e>(&mut self, f: &FnBuild, adds: bool, e: &'e Expr) -> Option<Numbers<'e>> {
        let list = matches!(&e.ty, Ty::List(t) if matches!(**t, Ty::Int(..)));
        (adds && list && self.facts.repeats && self.has_own_order(f, e)).then_some(Numbers::Stored(e))
    }

    /// Whether a set of what the expression gives would be too large.
    fn is_too_wide(&mut self, e: &Expr) -> bool {
        let ty = self.narrow(&e.ty, e);
        let ty = types::element(self.m, &ty).map(|t| types::plain(&t));
        matches!(ty, Some(Ty::Int(lo, hi)) if is_wide(lo, hi))
    }

    /// Whether it is a list of numbers that is written out.
    pub fn is_listed(&mut self, e: &Expr) -> bool {
        matches!(self.numbers(e), Some(Numbers::Listed(_)))
    }

    fn each_number(
        &mut self,
        f: &mut FnBuild,
        numbers: &Numbers<'_>,
        body: &mut dyn FnMut(&mut Self, &mut FnBuild, R),
    ) {
        let x = f.alloc(1);
        match numbers {
            Numbers::Listed(all) => {
                for e in *all {
                    let base = f.next;
                    let r = self.needed(f, e);
                    f.emit(Ins::Mov { d: x, a: r });
                    body(self, f, x);
                    f.next = base;
                }
            }
            Numbers::Stored(e) => {
                let u = self.uni_of(e);
                let (i, top, end) = self.walk_ordered(f, e, u);
                f.emit(Ins::AddK { d: x, a: i, k: self.lo(u) });
                let base = f.next;
                body(self, f, x);
                f.next = base;
                f.jmp(top);
                f.place(end);
            }
            Numbers::Range(from, to) => {
                let (at, last, t) = (f.alloc(1), f.alloc(1), f.alloc(1));
                let r = self.needed(f, from);
                f.emit(Ins::AddK { d: at, a: r, k: 0 });
                let r = self.needed(f, to);
                f.emit(Ins::AddK { d: last, a: r, k: 0 });
                let (top, end) = (f.label(), f.label());
                f.place(top);
                f.emit(Ins::Le { d: t, a: at, b: last });
                f.jz(t, end);
                f.emit(Ins::Mov { d: x, a: at });
                f.emit(Ins::AddK { d: at, a: at, k: 1 });
                let base = f.next;
                body(self, f, x);
                f.next = base;
                f.jmp(top);
                f.place(end);
            }
        }
    }
}

fn is_wide(lo: i32, hi: i32) -> bool {
    i64::from(hi) - i64::from(lo) >= MOST
}
