//! Comparisons, membership and folds (expressions.md).
use super::*;

/// Two sets are equal if they hold the same, two lists if they hold the same in the same order. Nothing is more or less than none.
pub fn compare(op: Comparison, (x, a): (&Datum, &Ty), (y, b): (&Datum, &Ty)) -> Result {
    let several = |d: &Datum| matches!(d, Datum::Set(_) | Datum::List(_));
    let equal = match (a, b) {
        (Ty::List(_), Ty::List(_)) => x.items() == y.items(),
        _ if several(x) || several(y) => x.to_set() == y.to_set(),
        _ => x == y,
    };
    Ok(Datum::Bool(match op {
        Comparison::Eq => equal,
        Comparison::Ne => !equal,
        _ if *x == Datum::None || *y == Datum::None => false,
        _ if std::mem::discriminant(x) != std::mem::discriminant(y) => {
            return unsupported("an order of these");
        }
        op => op.holds(x, y),
    }))
}

impl Evaluator<'_> {
    /// `x in S`: none is in nothing. In a range it lies between the ends; in a place it lies there; a filter is asked of what it shows.
    pub(super) fn is_in(&mut self, of: &Expr, s: &Expr, f: &mut Frame) -> Result {
        let x = self.eval(of, f)?;
        let set = match &*s.kind {
            ExprKind::Range(a, b) => {
                let (a, b) = (self.int(a, f)?, self.int(b, f)?);
                return Ok(Datum::Bool(matches!(x, Datum::Int(n) if a <= n && n <= b)));
            }
            // Whose box it is, the thing says.
            ExprKind::Box(_) => self.n.boxed(*known(types::kinds_of(&of.ty).first(), "the box of this")?)?,
            _ => self.eval(s, f)?,
        };
        let asked = match (&set, &s.ty) {
            _ if x == Datum::None => return Ok(Datum::Bool(false)),
            (Datum::Place(_), _) => Datum::Place(self.w.piece(&x)?.place),
            (_, Ty::Filter(k)) if types::is_die(self.m, *k) => self.side_of(&x)?.0.clone(),
            (_, Ty::Filter(_)) => self.face_of(&x)?.thing.clone(),
            _ => x,
        };
        Ok(Datum::Bool(set.items().contains(&asked)))
    }

    /// A fold goes through what passes its condition, in order.
    pub(super) fn fold(&mut self, fold: &Fold, ty: &Ty, f: &mut Frame) -> Result {
        let over = once_each(self.many(&fold.over, f)?);
        let passing = self.passing(over, fold.var, fold.cond.as_ref(), f)?;
        if matches!(fold.op, FoldOp::Least | FoldOp::Most) {
            return self.best(fold, passing, f);
        }
        // What is said of one of them: without a body, of a truth value yes, else the thing itself.
        let judges = matches!(fold.op, FoldOp::Any | FoldOp::No | FoldOp::Every | FoldOp::Count);
        let mut all = Vec::new();
        for x in passing {
            f.bind(fold.var, x.clone());
            let bare = if judges { Datum::Bool(true) } else { x };
            let said = fold.bodies.first().map_or(Ok(bare), |b| self.eval(b, f))?;
            // One that decides is the last that is asked for.
            match fold.op {
                FoldOp::Any | FoldOp::No if said.truth()? => return Ok(Datum::Bool(fold.op == FoldOp::Any)),
                FoldOp::Every if !said.truth()? => return Ok(Datum::Bool(false)),
                FoldOp::Count if !said.truth()? => {}
                FoldOp::Union | FoldOp::Collect => all.extend(self.in_order(&said)?),
                _ => all.push(said),
            }
        }
        match fold.op {
            FoldOp::Any | FoldOp::No | FoldOp::Every => Ok(Datum::Bool(fold.op != FoldOp::Any)),
            FoldOp::Count => Ok(Datum::Int(all.len() as i64)),
            FoldOp::Union | FoldOp::Collect if matches!(ty, Ty::List(_)) => Ok(Datum::List(all)),
            FoldOp::Union | FoldOp::Collect => Ok(Datum::set(all)),
            op => total(op, &all),
        }
    }

    /// Those with the highest (lowest) number, the next numbers breaking ties. What has no number is never among them. One thing alone is it, without its number being asked.
    fn best(&mut self, fold: &Fold, passing: Vec<Datum>, f: &mut Frame) -> Result {
        if passing.len() == 1 && fold.bodies.iter().all(|b| !types::is_maybe(&b.ty)) {
            return Ok(Datum::set(passing));
        }
        let mut judged = Vec::new();
        for x in passing {
            f.bind(fold.var, x.clone());
            let numbers = self.each(&fold.bodies, f)?;
            if numbers.first() != Some(&Datum::None) {
                covers(!numbers.contains(&Datum::None), "ties that are broken by none")?;
                judged.push((numbers, x));
            }
        }
        let all = judged.iter().map(|(numbers, _)| numbers);
        let best = if fold.op == FoldOp::Least { all.min() } else { all.max() }.cloned();
        judged.retain(|(numbers, _)| Some(numbers) == best.as_ref());
        Ok(Datum::set(judged.into_iter().map(|(_, x)| x)))
    }
}

/// Of a list, things and words count once; numbers count as often as they are there.
pub fn once_each(mut all: Vec<Datum>) -> Vec<Datum> {
    let mut seen = BTreeSet::new();
    all.retain(|x| matches!(x, Datum::Int(_)) || seen.insert(x.clone()));
    all
}

/// The sum of numbers; the least or greatest of what is there, or none.
pub fn total(op: FoldOp, all: &[Datum]) -> Result {
    let there = all.iter().filter(|x| **x != Datum::None);
    match op {
        FoldOp::Min => Ok(there.min().cloned().unwrap_or_default()),
        FoldOp::Max => Ok(there.max().cloned().unwrap_or_default()),
        _ => all.iter().try_fold(Datum::Int(0), |sum, x| number(sum.int()? + x.int()?)),
    }
}
