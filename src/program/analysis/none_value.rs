//! Evaluates a condition in which some names are none, at compile time: true, false, faulting, or unknown.
use crate::ir::NONE;
use crate::layout::tables::Tables;
use houserule_model::body::{types, walk};
use houserule_model::hir::*;

/// Abstract value of such a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OfNone {
    /// True.
    Yes,
    /// False.
    No,
    /// False, or faults: never true.
    NotTrue,
    /// Unknown; does not fault because of the none.
    Unknown,
    /// Faults: it reads a part of none.
    Never,
    /// Unknown, and may fault.
    Perhaps,
}
use OfNone::*;

impl OfNone {
    fn not(self) -> OfNone {
        match self {
            Yes => No,
            No => Yes,
            NotTrue => Perhaps,
            Unknown | Never | Perhaps => self,
        }
    }

    fn and(self, then: impl FnOnce() -> OfNone) -> OfNone {
        match self {
            No | NotTrue | Never => self,
            Yes => then(),
            Unknown | Perhaps => match (self, then()) {
                (Unknown, No) => No,
                (_, No | NotTrue | Never) => NotTrue,
                (Unknown, Yes | Unknown) => Unknown,
                _ => Perhaps,
            },
        }
    }
}

impl Tables<'_> {
    /// The value of a condition where these names are none.
    pub fn evaluate_with_none(&mut self, e: &Expr, nones: &[LocalId], depth: usize) -> OfNone {
        if depth > 24 {
            return Perhaps;
        }
        let names: Vec<(LocalId, i64)> = nones.iter().map(|l| (*l, NONE)).collect();
        if let Some(k) = self.constant_with(e, &names).int() {
            return if k != 0 { Yes } else { No };
        }
        let is_none = |x: &Expr| matches!(&*x.kind, ExprKind::Local(l) if nones.contains(l));
        let deep = depth + 1;
        match &*e.kind {
            ExprKind::And(a, b) => {
                self.evaluate_with_none(a, nones, deep).and(|| self.evaluate_with_none(b, nones, deep))
            }
            ExprKind::Or(a, b) => {
                let a = self.evaluate_with_none(a, nones, deep).not();
                a.and(|| self.evaluate_with_none(b, nones, deep).not()).not()
            }
            ExprKind::Not(a) => self.evaluate_with_none(a, nones, deep).not(),
            ExprKind::If(c, a, b) => match self.evaluate_with_none(c, nones, deep) {
                Yes => self.evaluate_with_none(a, nones, deep),
                No => self.evaluate_with_none(b, nones, deep),
                Never => Never,
                asked => {
                    let both =
                        (self.evaluate_with_none(a, nones, deep), self.evaluate_with_none(b, nones, deep));
                    match both {
                        (x, y) if x == y && asked == Unknown => x,
                        (Yes | No | Unknown, Yes | No | Unknown) if asked == Unknown => Unknown,
                        _ => Perhaps,
                    }
                }
            },
            ExprKind::IsSome(x) if is_none(x) => No,
            // The other side is not none.
            ExprKind::Compare(op @ (Comparison::Eq | Comparison::Ne), a, b) if is_none(a) != is_none(b) => {
                let other = if is_none(a) { b } else { a };
                match (types::is_maybe(&other.ty), op) {
                    _ if walk::any_expr(other, &mut |x| is_none(x)) => Never,
                    (true, _) => Unknown,
                    (false, Comparison::Eq) => No,
                    (false, _) => Yes,
                }
            }
            ExprKind::Value(v, args) => {
                let Some(plain) = self.plain_value(*v) else {
                    return if args.iter().any(|a| walk::any_expr(a, &mut |x| is_none(x))) {
                        Perhaps
                    } else {
                        Unknown
                    };
                };
                // An argument that reads a part of none faults.
                if args.iter().any(|a| !is_none(a) && walk::any_expr(a, &mut |x| is_none(x))) {
                    return Perhaps;
                }
                let inner: Vec<LocalId> = (0..plain.0)
                    .filter(|i| args.get(*i).is_some_and(is_none))
                    .map(|i| LocalId(i as u32))
                    .collect();
                if inner.is_empty() {
                    return Unknown;
                }
                self.evaluate_with_none(&plain.1, &inner, deep)
            }
            ExprKind::Compare(_, a, b) => {
                match (
                    self.evaluate_number_with_none(a, nones, deep),
                    self.evaluate_number_with_none(b, nones, deep),
                ) {
                    (Unknown, Unknown) => Unknown,
                    (Never, _) => Never,
                    (Unknown, Never) => Never,
                    _ => Perhaps,
                }
            }
            _ => evaluate_read_with_none(e, nones),
        }
    }

    /// Whether a number can be evaluated where these names are none: `Unknown` if it can, `Never` if it faults.
    fn evaluate_number_with_none(&mut self, e: &Expr, nones: &[LocalId], depth: usize) -> OfNone {
        if depth > 24 {
            return Perhaps;
        }
        let is_none = |x: &Expr| matches!(&*x.kind, ExprKind::Local(l) if nones.contains(l));
        if !walk::any_expr(e, &mut |x| is_none(x)) {
            return Unknown;
        }
        match &*e.kind {
            ExprKind::If(c, a, b) => match self.evaluate_with_none(c, nones, depth + 1) {
                Yes => self.evaluate_number_with_none(a, nones, depth + 1),
                No => self.evaluate_number_with_none(b, nones, depth + 1),
                Never => Never,
                _ => Perhaps,
            },
            ExprKind::Value(v, args)
                if args.iter().all(|a| is_none(a) || !walk::any_expr(a, &mut |x| is_none(x))) =>
            {
                let Some(plain) = self.plain_value(*v) else { return Perhaps };
                let inner: Vec<LocalId> = (0..plain.0)
                    .filter(|i| args.get(*i).is_some_and(is_none))
                    .map(|i| LocalId(i as u32))
                    .collect();
                self.evaluate_number_with_none(&plain.1, &inner, depth + 1)
            }
            _ => evaluate_read_with_none(e, nones),
        }
    }
}

/// Classifies an expression by how it reads these names: `Unknown` if it does not, `Never` if it needs them to be some, `Perhaps` if a part of it accepts none.
fn evaluate_read_with_none(e: &Expr, nones: &[LocalId]) -> OfNone {
    let is_none = |x: &Expr| matches!(&*x.kind, ExprKind::Local(l) if nones.contains(l));
    let takes_none = |x: &Expr| is_none(x) && types::is_maybe(&x.ty) || matches!(&*x.kind, ExprKind::Fold(_));
    if !walk::any_expr(e, &mut |x| is_none(x)) {
        Unknown
    } else if walk::any_expr(e, &mut |x| takes_none(x)) {
        Perhaps
    } else {
        Never
    }
}
