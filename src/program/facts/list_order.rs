//! Finds where rules read the order of a list.
use houserule_model::body::{types, walk};
use houserule_model::hir::*;

/// Whether an expression reads the order of a stored list: a name, or the result of a value, rule or hook.
pub fn asks_stored(e: &Expr) -> bool {
    let stored = |x: &Expr| {
        let kind = &*x.kind;
        matches!(x.ty, Ty::List(_))
            && matches!(
                kind,
                ExprKind::Local(_)
                    | ExprKind::Value(..)
                    | ExprKind::Rule(..)
                    | ExprKind::Hook(..)
                    | ExprKind::Usual
            )
    };
    walk::any_expr(e, &mut |x| stored(x))
}

/// The operand whose order an expression reads.
pub fn ordered_operand(e: &Expr) -> Option<&Expr> {
    match &*e.kind {
        ExprKind::First { of, .. } | ExprKind::Nth(of, _) => Some(of),
        ExprKind::Builtin(b, a) if b.asks_order() => a.first(),
        ExprKind::Compare(_, a, b) if is_list(a) && is_list(b) => Some(e),
        _ => None,
    }
}

/// The operand whose order a statement reads.
pub fn ordered_statement(s: &Stmt) -> Option<&Expr> {
    s.kind.does().through
}

/// Whether the type of an expression is a list.
pub fn is_list(e: &Expr) -> bool {
    matches!(e.ty, Ty::List(_))
}

/// Whether a text shows the members of a list in their order. Components are shown by what the reader knows.
pub fn may_tell_order(m: &Model, e: &Expr) -> bool {
    let component = |k: &KindId| types::is_component(m, *k);
    matches!(&e.ty, Ty::List(t) if !types::kinds_of(t).iter().any(component))
}
