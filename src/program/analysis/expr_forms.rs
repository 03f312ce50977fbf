//! Helpers on the form of expressions: splits and joins conjunctions, searches for names.
use houserule_model::body::build;
use houserule_model::hir::*;
use houserule_text::Span;

/// Whether an expression contains a name.
pub fn mentions(e: &Expr, l: LocalId) -> bool {
    houserule_model::body::walk::any_expr(e, &mut |x| matches!(&*x.kind, ExprKind::Local(y) if *y == l))
}

/// Collects the conjuncts of a condition, in order.
pub fn split_conjunction<'e>(e: &'e Expr, out: &mut Vec<&'e Expr>) {
    match &*e.kind {
        ExprKind::And(a, b) => {
            split_conjunction(a, out);
            split_conjunction(b, out);
        }
        _ => out.push(e),
    }
}

/// Joins conditions by `and`.
pub fn conjunction_of(all: &[(usize, &Expr)]) -> Expr {
    let mut parts = all.iter().map(|(_, e)| (*e).clone());
    let first = parts.next().unwrap_or_else(|| build::truth(true, Span::default()));
    parts.fold(first, |a, b| {
        let span = a.span;
        build::cond(span, ExprKind::And(a, b))
    })
}

/// Strips conversions to a set.
pub fn without_as_set(e: &Expr) -> &Expr {
    match &*e.kind {
        ExprKind::Builtin(Builtin::AsSet, a) => a.first().map_or(e, without_as_set),
        _ => e,
    }
}

/// Whether a condition depends on the number of things on the space of a thing.
pub fn counts_things_there(e: &Expr) -> bool {
    let ExprKind::Compare(_, a, _) = &*e.kind else { return false };
    let ExprKind::Builtin(Builtin::Count, args) = &*a.kind else { return false };
    let Some(of) = args.first() else { return false };
    let ExprKind::Zone(Some(x), _, None) = &*without_as_set(of).kind else { return false };
    matches!(&*x.kind, ExprKind::Builtin(Builtin::At, _))
}
