//! Why a choice is refused: a condition in its parts, each with the sentence that is told where this part is the first that fails.
use super::Speaker;
use crate::body::{build, types, walk};
use crate::hir::*;

/// A part of a condition.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// What must hold. It is yes where a part before it fails, so that one part at most is told.
    pub cond: Expr,
    /// What is told where it does not.
    pub text: Text,
}

/// How deep calls of values are looked into.
const DEPTH: usize = 3;

/// Names that stand in the body of a value, when it stands where it is called: those of one depth begin here. No body has so many.
const FRESH: u32 = 4_000_000;

/// The distance between the names of two depths.
const FRESH_STEP: u32 = 100_000;

/// The parts of a condition. Where numbers may not be shown the condition stays in one piece, so that it is not told which part fails.
pub fn list_refusals(s: &Speaker<'_>, cond: &Expr) -> Vec<Refusal> {
    let mut parts = Vec::new();
    match s.open {
        true => split(s, cond, DEPTH, &mut parts),
        false => parts.push(cond.clone()),
    }
    guard_each(s, parts)
}

/// Why something is not among those that a parameter offers: the parts that can be told apart. It may be outside although all of them hold.
pub fn list_filter_refusals(s: &Speaker<'_>, picked: &Expr, from: &Expr) -> Vec<Refusal> {
    let mut parts = Vec::new();
    split_membership(s, picked, from, DEPTH, &mut parts);
    guard_each(s, parts)
}

/// Each part, which is asked only where those before it hold.
fn guard_each(s: &Speaker<'_>, parts: Vec<Expr>) -> Vec<Refusal> {
    let mut before: Option<Expr> = None;
    let mut out = Vec::new();
    for part in parts {
        let text = s.sentence(&part, false).to_text(part.span);
        let cond = match &before {
            None => part.clone(),
            Some(b) => build::cond(part.span, ExprKind::Or(build::not(b.clone()), part.clone())),
        };
        out.push(Refusal { cond, text });
        before = Some(match before {
            None => part,
            Some(b) => build::and(b, part),
        });
    }
    out
}

/// The parts of a conjunction, also of one that a value stands for.
fn split(s: &Speaker<'_>, cond: &Expr, depth: usize, out: &mut Vec<Expr>) {
    match &*cond.kind {
        ExprKind::And(a, b) => {
            split(s, a, depth, out);
            split(s, b, depth, out);
        }
        ExprKind::In(x, of) => split_membership(s, x, of, depth, out),
        // A value of one thing reads as an adjective. Of several things what it stands for says more.
        ExprKind::Value(v, args) if args.len() > 1 && depth > 0 => match inline(s.model, *v, args, depth) {
            Some(body) if !matches!(&*body.kind, ExprKind::If(..)) => split(s, &body, depth - 1, out),
            _ => out.push(cond.clone()),
        },
        _ => out.push(cond.clone()),
    }
}

/// The parts of `x in of`.
fn split_membership(s: &Speaker<'_>, x: &Expr, of: &Expr, depth: usize, out: &mut Vec<Expr>) {
    let whole = |out: &mut Vec<Expr>| {
        let kind = ExprKind::In(x.clone(), of.clone());
        out.push(build::expr(Ty::Bool, of.span, kind));
    };
    match &*of.kind {
        ExprKind::Builtin(Builtin::AsSet, args) if args.len() == 1 => {
            split_membership(s, x, &args[0], depth, out);
        }
        ExprKind::Where(inner, l, c) => match substitute(s.model, c, &[(*l, x)], 0) {
            Some(condition) => {
                // A condition that does not read the candidate comes first: `neighbours(m.at) where m.at is some`.
                let is_of_it = walk::any_expr(c, &mut |e| matches!(&*e.kind, ExprKind::Local(y) if y == l));
                if !is_of_it {
                    split(s, &condition, depth, out);
                }
                split_membership(s, x, inner, depth, out);
                if is_of_it {
                    split(s, &condition, depth, out);
                }
            }
            None => whole(out),
        },
        ExprKind::Value(v, args) if depth > 0 => match inline(s.model, *v, args, depth) {
            Some(body) if is_told_by_parts(&body) => split_membership(s, x, &body, depth - 1, out),
            _ => whole(out),
        },
        ExprKind::All(_) => {}
        _ => whole(out),
    }
}

/// Whether it says more of a set than the name of its value.
fn is_told_by_parts(of: &Expr) -> bool {
    match &*of.kind {
        ExprKind::Where(inner, ..) => is_told_by_parts(inner),
        ExprKind::Builtin(Builtin::AsSet, args) => args.first().is_some_and(is_told_by_parts),
        ExprKind::Builtin(b, _) => {
            matches!(b, Builtin::Neighbours | Builtin::Reachable | Builtin::CostReachable)
        }
        kind => matches!(kind, ExprKind::All(_) | ExprKind::Zone(..) | ExprKind::Value(..)),
    }
}

/// What a value of these arguments stands for; none if something may modify or fill it.
fn inline(m: &Model, v: ValueId, args: &[Expr], depth: usize) -> Option<Expr> {
    let value = m.values.get(v.index())?;
    let is_on = |h: &Head| h.target == Target::Value(v);
    let is_filled = m.members.iter().any(|x| x.fills.iter().any(|(f, _)| *f == v));
    if is_filled
        || !matches!(value.role, ValueRole::Plain)
        || m.attachments.iter().any(|a| a.heads.iter().any(is_on))
    {
        return None;
    }
    // An argument that is worked out stands only once in the sentence: names and what they have are short enough.
    let is_short = |e: &Expr| walk::subexprs(e).iter().all(|x| walk::subexprs(x).is_empty());
    if !args.iter().all(is_short)
        || args.iter().zip(&value.body.locals).any(|(a, l)| is_narrower(&l.ty, &a.ty))
    {
        return None;
    }
    let names: Vec<(LocalId, &Expr)> = (0..).map(LocalId).zip(args).take(value.body.params).collect();
    substitute(m, value.body.body.as_ref()?, &names, FRESH + FRESH_STEP * depth as u32)
}

/// Whether a parameter takes less than it is given: the call then checks, the body would not.
fn is_narrower(param: &Ty, given: &Ty) -> bool {
    match (types::bounds(param), types::bounds(given)) {
        (Some((lo, hi)), Some((from, to))) => from < lo || to > hi,
        _ => types::is_maybe(given) && !types::is_maybe(param),
    }
}

/// An expression with other expressions for its names, its own ones counted from `fresh` on; none if it is of a kind that is not rebuilt.
fn substitute(m: &Model, e: &Expr, names: &[(LocalId, &Expr)], fresh: u32) -> Option<Expr> {
    match &*e.kind {
        ExprKind::Local(l) => {
            Some(names.iter().find(|(n, _)| n == l).map_or_else(|| e.clone(), |(_, x)| (*x).clone()))
        }
        _ if walk::subexprs(e).is_empty() => Some(e.clone()),
        ExprKind::Where(of, l, c) => {
            let new = LocalId(l.0 + fresh);
            let it = build::local(new, types::element(m, &of.ty)?, e.span);
            let inner: Vec<(LocalId, &Expr)> =
                std::iter::once((*l, &it)).chain(names.iter().copied()).collect();
            let kind =
                ExprKind::Where(substitute(m, of, names, fresh)?, new, substitute(m, c, &inner, fresh)?);
            Some(build::expr(e.ty.clone(), e.span, kind))
        }
        _ => walk::rewrite_parts(e, &mut |x| substitute(m, x, names, fresh)),
    }
}
