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

/// The expression with each of its parts rewritten; none if a part has no new form, or if the expression is of a kind that binds names or acts.
pub fn rewrite_parts(e: &Expr, new: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Option<Expr> {
    let kind = match &*e.kind {
        ExprKind::And(a, b) => ExprKind::And(new(a)?, new(b)?),
        ExprKind::Or(a, b) => ExprKind::Or(new(a)?, new(b)?),
        ExprKind::Not(a) => ExprKind::Not(new(a)?),
        ExprKind::IsSome(a) => ExprKind::IsSome(new(a)?),
        ExprKind::IsEmpty(a) => ExprKind::IsEmpty(new(a)?),
        ExprKind::IsFace(a, m, None) => ExprKind::IsFace(new(a)?, *m, None),
        ExprKind::IsKind(a, k) => ExprKind::IsKind(new(a)?, *k),
        ExprKind::Attr(a, attr) => ExprKind::Attr(new(a)?, *attr),
        ExprKind::Zone(Some(a), z, None) => ExprKind::Zone(Some(new(a)?), *z, None),
        ExprKind::Compare(op, a, b) => ExprKind::Compare(*op, new(a)?, new(b)?),
        ExprKind::In(a, b) => ExprKind::In(new(a)?, new(b)?),
        ExprKind::Builtin(b, args) => ExprKind::Builtin(*b, args.iter().map(new).collect::<Option<_>>()?),
        ExprKind::Value(v, args) => ExprKind::Value(*v, args.iter().map(new).collect::<Option<_>>()?),
        _ => return None,
    };
    Some(build::expr(e.ty.clone(), e.span, kind))
}

/// Whether a condition depends on the number of things on the space of a thing.
pub fn counts_things_there(e: &Expr) -> bool {
    let ExprKind::Compare(_, a, _) = &*e.kind else { return false };
    let ExprKind::Builtin(Builtin::Count, args) = &*a.kind else { return false };
    let Some(of) = args.first() else { return false };
    let ExprKind::Zone(Some(x), _, None) = &*without_as_set(of).kind else { return false };
    matches!(&*x.kind, ExprKind::Builtin(Builtin::At, _))
}
