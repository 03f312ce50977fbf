//! Constructors of typed expressions, and of attributes that the checker adds.
use super::types;
use crate::hir::*;
use houserule_text::Span;
use std::sync::Arc;

/// An expression of that type at that place.
pub fn expr(ty: Ty, span: Span, kind: ExprKind) -> Expr {
    Expr { ty, span, kind: Arc::new(kind) }
}

/// What stands for something already reported.
pub fn error(span: Span) -> Expr {
    expr(Ty::Error, span, ExprKind::Error)
}

/// `yes` or `no`.
pub fn truth(b: bool, span: Span) -> Expr {
    expr(Ty::Bool, span, ExprKind::Bool(b))
}

/// A number.
pub fn int(n: i32, span: Span) -> Expr {
    expr(Ty::Int(n, n), span, ExprKind::Int(n))
}

/// `none`.
pub fn none(span: Span) -> Expr {
    expr(Ty::None, span, ExprKind::None)
}

/// A bound name.
pub fn local(id: LocalId, ty: Ty, span: Span) -> Expr {
    expr(ty, span, ExprKind::Local(id))
}

/// A condition of that sort.
pub fn cond(span: Span, kind: ExprKind) -> Expr {
    expr(Ty::Bool, span, kind)
}

/// Negation; of a negation, what was negated.
pub fn not(e: Expr) -> Expr {
    let span = e.span;
    match &*e.kind {
        ExprKind::Not(inner) => inner.clone(),
        _ => cond(span, ExprKind::Not(e)),
    }
}

/// Both.
pub fn and(a: Expr, b: Expr) -> Expr {
    let span = a.span.to(b.span);
    match &*a.kind {
        ExprKind::Bool(true) => b,
        _ => match &*b.kind {
            ExprKind::Bool(true) => a,
            _ => cond(span, ExprKind::And(a, b)),
        },
    }
}

/// A built-in.
pub fn builtin(b: Builtin, args: Vec<Expr>, ty: Ty, span: Span) -> Expr {
    expr(ty, span, ExprKind::Builtin(b, args))
}

/// All players, as a list in seat order.
pub fn players(span: Span) -> Expr {
    builtin(Builtin::Players, Vec::new(), types::set_of(types::player()), span)
}

/// The set with that one thing in it; of none, the empty set.
pub fn single(e: Expr) -> Expr {
    let span = e.span;
    let ty = types::set_of(types::plain(&e.ty));
    expr(ty, span, ExprKind::Set(vec![e]))
}

/// A number held to the range of a type, unless its own bounds lie within.
pub fn held_to_range(e: Expr, to: &Ty) -> Expr {
    match (types::bounds(&e.ty), types::range(to)) {
        (Some((a, b)), Some((lo, hi))) if a < lo || b > hi => {
            let range = Ty::Int(lo, hi);
            let ty = if types::is_maybe(&e.ty) { types::maybe(range) } else { range };
            let span = e.span;
            builtin(Builtin::Held, vec![e], ty, span)
        }
        _ => e,
    }
}

/// The place of what the checker adds to a declaration: its beginning. A word of the text never means what has this place.
pub fn beginning(of: Span) -> Span {
    Span { end: of.start, ..of }
}

/// An attribute of the table that no rule names.
pub fn own_attribute(name: &str, ty: Ty, span: Span) -> Attr {
    Attr {
        name: name.into(),
        of: None,
        ty,
        default: None,
        clamped: false,
        per: None,
        side: AttrSide::Front,
        assigned: true,
        drawn: false,
        has_of: None,
        parts: Vec::new(),
        is_part: false,
        span,
        doc: None,
        scope: ScopeId(0),
    }
}
