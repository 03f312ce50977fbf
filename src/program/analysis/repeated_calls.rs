//! Common-subexpression elimination on expressions, before code is made: `if f(x) == 0 then 0 else n / f(x)` becomes a `let` with one call of `f`.
use houserule_model::body::types;
use houserule_model::body::walk::parts;
use houserule_model::hir::*;

/// The first of the names that shared calls get; the rules' own are far below.
const SHARED: u32 = 3_000_200;

/// So many calls of one body get one.
const SHARED_AT_MOST: u32 = 8;

/// The body with a name for each call that it makes more than once.
pub fn share_calls(body: Expr) -> Expr {
    // Conditions may become sets, which know no such names.
    if !matches!(types::plain(&body.ty), Ty::Int(..)) {
        return body;
    }
    share_calls_named(body, 0)
}

/// The same for whatever is not lifted. `nth`: names of other numbers stand in it already, or will.
pub fn share_calls_named(mut body: Expr, nth: u32) -> Expr {
    for k in 0..SHARED_AT_MOST {
        let Some(call) = find_repeated_call(&body) else { break };
        let l = LocalId(SHARED + nth * SHARED_AT_MOST + k);
        let name = Expr { ty: call.ty.clone(), span: call.span, kind: Box::new(ExprKind::Local(l)) };
        replace_call(&mut body, &call, Some(&name));
        let (ty, span) = (body.ty.clone(), body.span);
        body = Expr { ty, span, kind: Box::new(ExprKind::Let(l, call, body)) };
    }
    body
}

/// Puts a name in place of a call wherever it stands; gives how often it did. Only where a name can stand for it without more.
fn replace_call(e: &mut Expr, call: &Expr, name: Option<&Expr>) -> usize {
    if is_same_call(call, e) {
        if let Some(name) = name {
            // Where it is known to be some it still is.
            *e = Expr { ty: e.ty.clone(), span: e.span, kind: name.kind.clone() };
        }
        return 1;
    }
    let mut all: Vec<&mut Expr> = Vec::new();
    match &mut *e.kind {
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

/// A call that stands more than once in an expression, if the first is always worked out.
fn find_repeated_call(body: &Expr) -> Option<Expr> {
    let mut calls = Vec::new();
    collect_unconditional_calls(body, &mut calls);
    let mut whole = body.clone();
    calls.into_iter().find(|c| replace_call(&mut whole, c, None) > 1).cloned()
}

/// The calls in an expression that are worked out whatever comes.
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
            parts(e).into_iter().for_each(|x| collect_unconditional_calls(x, out));
        }
        _ => {}
    }
}

/// A name or a constant.
fn is_simple(e: &Expr) -> bool {
    matches!(
        &*e.kind,
        ExprKind::Local(_) | ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::None | ExprKind::Member(_)
    )
}

/// Whether two calls of values, names or constants are the same.
pub fn is_same_call(a: &Expr, b: &Expr) -> bool {
    if types::plain(&a.ty) != types::plain(&b.ty) {
        return false;
    }
    match (&*a.kind, &*b.kind) {
        (ExprKind::Value(f, x), ExprKind::Value(g, y)) => {
            f == g && x.len() == y.len() && x.iter().zip(y).all(|(x, y)| is_simple(x) && is_same_call(x, y))
        }
        (ExprKind::Local(x), ExprKind::Local(y)) => x == y,
        (ExprKind::Int(x), ExprKind::Int(y)) => x == y,
        (ExprKind::Bool(x), ExprKind::Bool(y)) => x == y,
        (ExprKind::Member(x), ExprKind::Member(y)) => x == y,
        (ExprKind::None, ExprKind::None) => true,
        _ => false,
    }
}
