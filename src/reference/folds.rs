//! Comparisons, membership and folds (expressions.md).
use super::expr::{Evaluator, Frame};
use super::value::{Datum, Result, known, number, unsupported, within};
use crate::model::body::types;
use crate::model::hir::*;
use std::cmp::Ordering;

/// Two sets are equal if they hold the same, two lists if they hold the same in the same order. Nothing is more or less than none.
pub fn compare(op: Comparison, (x, a): (&Datum, &Ty), (y, b): (&Datum, &Ty)) -> Result {
    let several = |d: &Datum| matches!(d, Datum::Set(_) | Datum::List(_));
    let equal = match (a, b) {
        (Ty::List(_), Ty::List(_)) => x.items() == y.items(),
        _ if several(x) || several(y) => x.to_set() == y.to_set(),
        _ => x == y,
    };
    let order = match (x, y) {
        (Datum::Int(a), Datum::Int(b)) => Some(a.cmp(b)),
        (Datum::Thing(u, a), Datum::Thing(v, b)) if u == v => Some(a.cmp(b)),
        (Datum::Bool(a), Datum::Bool(b)) => Some(a.cmp(b)),
        (Datum::None, _) | (_, Datum::None) => None,
        _ if matches!(op, Comparison::Eq | Comparison::Ne) => None,
        _ => return unsupported("an order of these"),
    };
    Ok(Datum::Bool(match op {
        Comparison::Eq => equal,
        Comparison::Ne => !equal,
        Comparison::Lt => order.is_some_and(Ordering::is_lt),
        Comparison::Le => order.is_some_and(Ordering::is_le),
        Comparison::Gt => order.is_some_and(Ordering::is_gt),
        Comparison::Ge => order.is_some_and(Ordering::is_ge),
    }))
}

impl Evaluator<'_> {
    /// `x in S`: none is in nothing. In a range it lies between the ends; in a place it lies there; a filter is asked of what it shows.
    pub(super) fn is_in(&mut self, of: &Expr, s: &Expr, f: &mut Frame) -> Result {
        let x = self.eval(of, f)?;
        if let ExprKind::Range(a, b) = &*s.kind {
            let (a, b) = (self.int(a, f)?, self.int(b, f)?);
            return Ok(Datum::Bool(matches!(x, Datum::Int(n) if a <= n && n <= b)));
        }
        let place = match &*s.kind {
            // Whose box it is, the thing says.
            ExprKind::Box(_) => {
                let k = known(types::kinds_of(&of.ty).first().copied(), "the box of this")?;
                Datum::Place(self.n.families[self.n.family(k)?].boxed)
            }
            _ => self.eval(s, f)?,
        };
        Ok(Datum::Bool(match (place, &s.ty) {
            _ if x == Datum::None => false,
            (Datum::Place(place), _) => self.lies_at(&x)? == place,
            (passes, Ty::Filter(k)) if types::is_die(self.m(), *k) => {
                passes.items().contains(&self.shown_side(&x)?)
            }
            (passes, Ty::Filter(_)) => {
                let face = Datum::Thing(self.n.family_of(&x)?.1.face_universe, self.face_of(&x)?.0);
                passes.items().contains(&face)
            }
            (set, _) => set.items().contains(&x),
        }))
    }

    /// A fold goes through what passes its condition, in order.
    pub(super) fn fold(&mut self, fold: &Fold, ty: &Ty, f: &mut Frame) -> Result {
        let mut passing = Vec::new();
        for x in self.many(&fold.over, f)? {
            f.bind(fold.var, x.clone());
            if fold.cond.as_ref().map_or(Ok(true), |c| within(self.truth(c, f)))? {
                passing.push(x);
            }
        }
        if matches!(fold.op, FoldOp::Least | FoldOp::Most) {
            return self.best(fold, passing, f);
        }
        // What is said of one of them: without a body, of a truth value yes, else the thing itself.
        let says = matches!(fold.op, FoldOp::Any | FoldOp::No | FoldOp::Every | FoldOp::Count);
        let mut of = |s: &mut Self, x: &Datum| {
            f.bind(fold.var, x.clone());
            let bare = if says { Datum::Bool(true) } else { x.clone() };
            fold.bodies.first().map_or(Ok(bare), |b| within(s.eval(b, f)))
        };
        Ok(match fold.op {
            FoldOp::Any | FoldOp::No | FoldOp::Every => {
                let sought = fold.op != FoldOp::Every;
                for x in &passing {
                    if of(self, x)?.truth()? == sought {
                        return Ok(Datum::Bool(fold.op == FoldOp::Any));
                    }
                }
                Datum::Bool(fold.op != FoldOp::Any)
            }
            FoldOp::Count => {
                let mut n = 0;
                for x in &passing {
                    n += i64::from(of(self, x)?.truth()?);
                }
                Datum::Int(n)
            }
            FoldOp::Union | FoldOp::Collect => {
                let mut all = Vec::new();
                for x in &passing {
                    let more = of(self, x)?;
                    all.extend(self.in_order(&more)?);
                }
                if matches!(ty, Ty::List(_)) { Datum::List(all) } else { Datum::set(all) }
            }
            _ => {
                let all: Result<Vec<Datum>> = passing.iter().map(|x| of(self, x)).collect();
                return total(fold.op, all?);
            }
        })
    }

    /// Those with the highest (lowest) number, the next numbers breaking ties. What has no number is never among them. One thing alone is it, without its number being asked.
    fn best(&mut self, fold: &Fold, passing: Vec<Datum>, f: &mut Frame) -> Result {
        if passing.len() == 1 && fold.bodies.iter().all(|b| !types::is_maybe(&b.ty)) {
            return Ok(Datum::set(passing));
        }
        let mut best: Option<Vec<Datum>> = None;
        let mut out = Vec::new();
        for x in passing {
            f.bind(fold.var, x.clone());
            let numbers = within(self.each(&fold.bodies, f))?;
            if numbers.first() == Some(&Datum::None) {
                continue;
            }
            if numbers.contains(&Datum::None) {
                return unsupported("ties that are broken by none");
            }
            let order = best.as_ref().map_or(Ordering::Greater, |b| numbers.cmp(b));
            match if best.is_some() && fold.op == FoldOp::Least { order.reverse() } else { order } {
                Ordering::Less => continue,
                Ordering::Equal => {}
                Ordering::Greater => {
                    out.clear();
                    best = Some(numbers);
                }
            }
            out.push(x);
        }
        Ok(Datum::set(out))
    }
}

/// The sum of numbers; the least or greatest of what is there, or none.
pub fn total(op: FoldOp, all: Vec<Datum>) -> Result {
    let there = all.iter().filter(|x| **x != Datum::None);
    Ok(match op {
        FoldOp::Min => there.min().cloned().unwrap_or(Datum::None),
        FoldOp::Max => there.max().cloned().unwrap_or(Datum::None),
        _ => {
            let mut sum = 0;
            for x in all {
                sum += x.int()?;
                number(sum)?;
            }
            Datum::Int(sum)
        }
    })
}
