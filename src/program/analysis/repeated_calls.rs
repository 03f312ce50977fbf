//! Common-subexpression elimination on expressions, before code is made: `if f(x) == 0 then 0 else n / f(x)` becomes a `let` with one call of `f`.
use houserule_model::body::walk::{subexprs, visit_exprs};
use houserule_model::body::{build, types};
use houserule_model::hir::*;
use std::sync::Arc;

/// First of the names for shared calls; names of the rules are smaller.
const SHARED: u32 = 3_000_200;

/// The most calls of one body that are shared.
const SHARED_AT_MOST: u32 = 8;

/// Rewrites a body so that each repeated call is made once and has a name.
pub fn share_calls(body: Expr) -> Expr {
    // Conditions may be lifted, and lifting does not know these names.
    if !matches!(types::plain(&body.ty), Ty::Int(..)) {
        return body;
    }
    share_calls_named(body, 0)
}

/// The same for an expression that is not lifted. `nth` tells its names from those of other rounds.
pub fn share_calls_named(mut body: Expr, nth: u32) -> Expr {
    for k in 0..SHARED_AT_MOST {
        let Some(call) = find_repeated_call(&body) else { break };
        let l = LocalId(SHARED + nth * SHARED_AT_MOST + k);
        let name = build::expr(call.ty.clone(), call.span, ExprKind::Local(l));
        replace_call(&mut body, &call, Some(&name));
        let (ty, span) = (body.ty.clone(), body.span);
        body = build::expr(ty, span, ExprKind::Let(l, call, body));
    }
    body
}

/// Replaces a call by a name wherever that is possible; returns how often. Without a name it only counts.
fn replace_call(e: &mut Expr, call: &Expr, name: Option<&Expr>) -> usize {
    if is_same_call(call, e) {
        if let Some(name) = name {
            // The place keeps its own type, which may be narrowed.
            *e = Expr { ty: e.ty.clone(), span: e.span, kind: name.kind.clone() };
        }
        return 1;
    }
    let mut all: Vec<&mut Expr> = Vec::new();
    match Arc::make_mut(&mut e.kind) {
        ExprKind::If(a, b, c) => all.extend([a, b, c]),
        ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Default(a, b)
        | ExprKind::Let(_, a, b)
        | ExprKind::Arith(_, a, b)
        | ExprKind::Compare(_, a, b) => all.extend([a, b]),
        ExprKind::Neg(a) | ExprKind::Not(a) | ExprKind::IsSome(a) => all.push(a),
        ExprKind::Value(_, args) => all.extend(args),
        ExprKind::Fold(f) => {
            all.push(&mut f.over);
            all.extend(&mut f.cond);
            all.extend(&mut f.bodies);
        }
        _ => {}
    }
    all.into_iter().map(|x| replace_call(x, call, name)).sum()
}

/// Finds a call that occurs more than once, if the first is evaluated on every path.
fn find_repeated_call(body: &Expr) -> Option<Expr> {
    let mut calls = Vec::new();
    collect_unconditional_calls(body, &mut calls);
    // Most bodies make no call twice: they are not copied.
    let mut all = Vec::new();
    visit_exprs(body, &mut |e| all.extend(matches!(&*e.kind, ExprKind::Value(..)).then_some(e)));
    calls.retain(|c| all.iter().filter(|e| is_same_call(c, e)).count() > 1);
    if calls.is_empty() {
        return None;
    }
    let mut whole = body.clone();
    calls.into_iter().find(|c| replace_call(&mut whole, c, None) > 1).cloned()
}

/// Collects the calls that are evaluated on every path.
fn collect_unconditional_calls<'e>(e: &'e Expr, out: &mut Vec<&'e Expr>) {
    match &*e.kind {
        ExprKind::Value(_, args) => {
            args.iter().for_each(|a| collect_unconditional_calls(a, out));
            if args.iter().all(is_simple) {
                out.push(e);
            }
        }
        ExprKind::If(a, ..) | ExprKind::And(a, _) | ExprKind::Or(a, _) | ExprKind::Default(a, _) => {
            collect_unconditional_calls(a, out)
        }
        ExprKind::Let(_, a, _) => collect_unconditional_calls(a, out),
        ExprKind::Arith(..)
        | ExprKind::Compare(..)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::IsSome(_) => {
            subexprs(e).into_iter().for_each(|x| collect_unconditional_calls(x, out));
        }
        _ => {}
    }
}

/// Whether an expression is a name or a constant.
fn is_simple(e: &Expr) -> bool {
    matches!(
        &*e.kind,
        ExprKind::Local(_) | ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::None | ExprKind::Member(_)
    )
}

/// Whether two calls of values, names or constants are equal.
pub fn is_same_call(a: &Expr, b: &Expr) -> bool {
    let same = match (&*a.kind, &*b.kind) {
        (ExprKind::Value(f, x), ExprKind::Value(g, y)) => {
            f == g && x.len() == y.len() && x.iter().zip(y).all(|(x, y)| is_simple(x) && is_same_call(x, y))
        }
        (ExprKind::Local(x), ExprKind::Local(y)) => x == y,
        (ExprKind::Int(x), ExprKind::Int(y)) => x == y,
        (ExprKind::Bool(x), ExprKind::Bool(y)) => x == y,
        (ExprKind::Member(x), ExprKind::Member(y)) => x == y,
        (ExprKind::None, ExprKind::None) => true,
        _ => false,
    };
    same && types::plain(&a.ty) == types::plain(&b.ty)
}
