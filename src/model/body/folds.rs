//! Reads folds (aggregates): `sum(x in S where P: E)` and the like.
use super::build::{self, expr, truth};
use super::codes;
use super::cx::Cx;
use super::types;
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};

/// The fold of that word.
pub fn read_fold_op(word: &str) -> Option<FoldOp> {
    FoldOp::ALL.iter().find(|(_, w)| *w == word).map(|(op, _)| *op)
}

/// What a fold of several sets is of the first, and what of the others.
fn split_op(op: FoldOp) -> (FoldOp, FoldOp) {
    match op {
        FoldOp::Count => (FoldOp::Sum, FoldOp::Count),
        FoldOp::No => (FoldOp::No, FoldOp::Any),
        FoldOp::Collect => (FoldOp::Union, FoldOp::Collect),
        FoldOp::Most => (FoldOp::Most, FoldOp::Max),
        FoldOp::Least => (FoldOp::Least, FoldOp::Min),
        op => (op, op),
    }
}

/// Whether it is `S.attr`, as it is written.
fn is_field(e: &ast::Expr) -> bool {
    matches!(&*e.kind, ast::ExprKind::Field(..))
}

/// Whether it is the set of numbers that things have: of equal ones it holds one.
pub(super) fn is_gathered(e: &Expr) -> bool {
    let numbers = matches!(&e.ty, Ty::Set(t) if matches!(**t, Ty::Int(..)));
    numbers && matches!(&*e.kind, ExprKind::Fold(f) if f.op == FoldOp::Collect)
}

/// A fold over `S.attr` as one over S: each thing's number counts, also where two are equal. What has none is left out.
fn count_each_number(fold: Fold) -> Fold {
    let ExprKind::Fold(all) = &*fold.over.kind else { return fold };
    let Fold { op: FoldOp::Collect, var: thing, over: things, cond: None, bodies } = &**all else {
        return fold;
    };
    let [number] = bodies.as_slice() else { return fold };
    let (var, span) = (fold.var, number.span);
    let maybe = types::is_maybe(&number.ty);
    let plain = types::plain(&number.ty);
    let value = match maybe {
        true => {
            let zero = expr(Ty::Int(0, 0), span, ExprKind::Int(0));
            expr(plain, span, ExprKind::Default(number.clone(), zero))
        }
        false => number.clone(),
    };
    let named = |e: Expr| {
        let (ty, span) = (e.ty.clone(), e.span);
        match &*e.kind {
            ExprKind::Local(l) if *l == var => value.clone(),
            _ => expr(ty, span, ExprKind::Let(var, value.clone(), e)),
        }
    };
    let is_some = maybe.then(|| expr(Ty::Bool, span, ExprKind::IsSome(number.clone())));
    let cond = match (is_some, fold.cond.map(named)) {
        (Some(a), Some(b)) => Some(expr(Ty::Bool, span, ExprKind::And(a, b))),
        (a, b) => a.or(b),
    };
    let bodies = fold.bodies.into_iter().map(named).collect();
    count_each_number(Fold { op: fold.op, var: *thing, over: things.clone(), cond, bodies })
}

impl<'a> Cx<'a> {
    /// `op(x in S where P, y in T where Q: E, F)`: a fold of a fold of the sets behind the first, which may speak of the names before them.
    pub fn read_fold(
        &mut self,
        op: FoldOp,
        word: &str,
        f: &ast::Fold,
        more: &[&ast::Fold],
        span: Span,
    ) -> Expr {
        let (base, filter) = match &*f.from.kind {
            ast::ExprKind::Where(s, p) => (s, Some(p)),
            _ => (&f.from, None),
        };
        self.each_counts = matches!(&*base.kind, ast::ExprKind::Set(_));
        let over = self.read_source(base, filter, None);
        self.each_counts = false;
        let over = self.read_collection(over, &format!("the set of `{word}`"));
        let el = types::element(self.model(), &over.ty).unwrap_or(Ty::Error);
        let counts_each = matches!(op, FoldOp::Sum | FoldOp::Count) && is_field(base);
        if op == FoldOp::Sum {
            self.warn_added_once(&over, false);
        }
        self.read_in_scope(|cx| {
            let from = cx.locals.len();
            let var = cx.bind(&f.var, el.clone());
            cx.note_unique(var, &over);
            cx.learn_member(&over, var);
            let test = filter.map(|p| cx.read_candidate_filter(p, build::local(var, el.clone(), f.var.span)));
            if let Some(t) = &test {
                cx.learn(t, true);
            }
            let (op, bodies) = match more.split_first() {
                Some((next, more)) => {
                    let (outer, inner) = split_op(op);
                    if let (FoldOp::Least | FoldOp::Most, Some(extra)) =
                        (op, more.last().unwrap_or(next).values.get(1))
                    {
                        let message =
                            format!("`{word}` with several sets takes only one expression after the colon");
                        let help = format!("put one fold into another, or break ties in a second `{word}`");
                        let _ = cx.fail(codes::WRONG_FORM, extra.span, message, help);
                    }
                    (outer, vec![cx.read_fold(inner, word, next, more, span)])
                }
                None => (op, cx.read_fold_bodies(op, word, f)),
            };
            let used = cx.uses.get(from).copied().unwrap_or(1) > 0;
            let has_body = !f.values.is_empty() || !more.is_empty();
            if !used && has_body && test.is_none() {
                cx.warn_unused_fold(var);
            }
            let sure =
                test.is_none() && cx.is_not_empty(&over) && !bodies.iter().any(|b| types::is_maybe(&b.ty));
            let ty = cx.fold_type(op, &bodies, &el, sure);
            let fold = Fold { op, var, over, cond: test, bodies };
            let fold = if counts_each { count_each_number(fold) } else { fold };
            expr(ty, span, ExprKind::Fold(Box::new(fold)))
        })
    }

    /// A sum of numbers that a name stands for, or `collect` gives, where equal ones are held once: most likely each is to be added.
    fn warn_added_once(&mut self, over: &Expr, collected: bool) {
        let once = match &*over.kind {
            ExprKind::Local(l) => self.gathered.contains(l),
            _ => collected && is_gathered(over),
        };
        if once {
            let d = Diagnostic::warning(codes::ADDED_ONCE, over.span, "this adds equal numbers only once");
            self.push(
                d.label("a set contains each number once")
                    .help("to add the number of each thing, write `sum(x in S: x.attr)`"),
            );
        }
    }

    /// `count(S.attr)` of numbers: each of S counts.
    fn warn_counts_each(&mut self, s: &ast::Expr, span: Span) {
        let ast::ExprKind::Field(of, attr) = &*s.kind else { return };
        let attr = &attr.text;
        let of = match of.as_name() {
            Some(n) => n.text.clone(),
            None => "S".into(),
        };
        let message = format!("this counts each thing of `{of}`, even if two have the same number");
        self.push(Diagnostic::warning(codes::COUNTS_EACH, span, message).help(format!(
            "write `count({of})`; to count different numbers, write `count(collect(x in {of}: x.{attr}))`"
        )));
    }

    fn warn_unused_fold(&mut self, var: LocalId) {
        if let Some(l) = self.locals.get(var.0 as usize).cloned()
            && l.ty != Ty::Error
        {
            self.push(Diagnostic::warning(codes::UNUSED, l.span, format!("`{}` is never used", l.name)));
            // One warning is enough.
            if let Some(uses) = self.uses.get_mut(var.0 as usize) {
                *uses += 1;
            }
        }
    }

    fn read_fold_bodies(&mut self, op: FoldOp, word: &str, f: &ast::Fold) -> Vec<Expr> {
        let most = match op {
            FoldOp::Least | FoldOp::Most => usize::MAX,
            _ => 1,
        };
        if f.values.len() > most
            && let Some(extra) = f.values.get(most)
        {
            let _ = self.fail(
                codes::WRONG_FORM,
                extra.span,
                format!("`{word}` takes one expression after the colon; only `least` and `most` take more, to break ties"),
                "leave it out, or join the two with `+`, `and` or another operator",
            );
        }
        let needs_body = !matches!(op, FoldOp::Count | FoldOp::Any | FoldOp::No);
        if f.values.is_empty() && needs_body {
            let help = match op {
                FoldOp::Every => "write what must hold for each of them, as in `every(x in S: x.attr > 0)`",
                _ => "write what is taken of each of them, as in `sum(x in S: x.attr)`",
            };
            let _ = self.fail(
                codes::WRONG_FORM,
                f.span,
                format!("`{word}` needs an expression after a colon: `{word}(x in S: …)`"),
                help,
            );
            return vec![build::error(f.span)];
        }
        f.values
            .iter()
            .take(most)
            .map(|v| match op {
                FoldOp::Sum | FoldOp::Min | FoldOp::Max | FoldOp::Least | FoldOp::Most => {
                    self.read_number_of(v, &format!("the expression of `{word}`"))
                }
                FoldOp::Count | FoldOp::Any | FoldOp::Every | FoldOp::No => {
                    self.read_cond(v, &format!("the condition of `{word}`"))
                }
                FoldOp::Union => {
                    let s = self.read_expr(v, None);
                    self.read_collection(s, "the expression of `union`")
                }
                FoldOp::Collect => self.read_expr(v, None),
            })
            .collect()
    }

    fn fold_type(&self, op: FoldOp, bodies: &[Expr], el: &Ty, sure: bool) -> Ty {
        let body = bodies.first().map(|b| types::plain(&b.ty));
        match op {
            FoldOp::Sum => match body.as_ref().and_then(types::bounds) {
                Some((lo, _)) if lo >= 0 => Ty::Int(0, i32::MAX),
                Some((_, hi)) if hi <= 0 => Ty::Int(i32::MIN, 0),
                _ => types::WIDE,
            },
            FoldOp::Count => Ty::Int(0, i32::MAX),
            FoldOp::Min | FoldOp::Max => {
                let n = body.unwrap_or(Ty::Error);
                if sure { n } else { types::maybe(n) }
            }
            FoldOp::Any | FoldOp::Every | FoldOp::No => Ty::Bool,
            FoldOp::Union => {
                let t = body.and_then(|b| types::element(self.model(), &b)).unwrap_or(Ty::Error);
                types::set_of(t)
            }
            FoldOp::Collect => types::set_of(body.unwrap_or(Ty::Error)),
            FoldOp::Least | FoldOp::Most => types::set_of(el.clone()),
        }
    }

    /// The numbers that a built-in is of, and the type of one of them: of a list, and of `S.attr`, each counts; of a set, equal ones count once.
    pub fn numbers_of(&mut self, word: &str, s: &ast::Expr) -> Option<(Expr, Ty)> {
        self.each_counts = matches!(&*s.kind, ast::ExprKind::Set(_));
        let over = self.read_source(s, None, None);
        self.each_counts = false;
        let over = self.read_collection(over, &format!("what `{word}` is of"));
        let (el, span) = (types::plain(&types::element(self.model(), &over.ty)?), over.span);
        match el {
            Ty::Int(..) => {}
            Ty::Error => return None,
            _ => {
                let is = self.show(&over.ty);
                let message = format!("`{word}` is of numbers, and this is {is}");
                let help = format!("write a number of each of them: `{word}(x in …: x.attr)`");
                let _ = self.fail(codes::NOT_A_NUMBER, span, message, help);
                return None;
            }
        }
        let one = if self.is_not_empty(&over) { el.clone() } else { types::maybe(el.clone()) };
        if !is_field(s) || !is_gathered(&over) {
            return Some((over, one));
        }
        let var = self.new_local("it", el.clone(), span);
        let bodies = vec![build::local(var, el.clone(), span)];
        let each = count_each_number(Fold { op: FoldOp::Collect, var, over, cond: None, bodies });
        Some((expr(types::list_of(el), span, ExprKind::Fold(Box::new(each))), one))
    }

    /// `op(S)`: a fold of a set as it is.
    pub fn fold_of(&mut self, op: FoldOp, word: &str, s: &ast::Expr, span: Span) -> Expr {
        self.each_counts = matches!(&*s.kind, ast::ExprKind::Set(_));
        let over = self.read_source(s, None, None);
        self.each_counts = false;
        let over = self.read_collection(over, &format!("the expression of `{word}`"));
        let Some(el) = types::element(self.model(), &over.ty) else { return build::error(span) };
        if el == Ty::Error {
            return build::error(span);
        }
        if op == FoldOp::Sum {
            self.warn_added_once(&over, !is_field(s));
        }
        if is_field(s) && is_gathered(&over) && matches!(op, FoldOp::Sum | FoldOp::Count) {
            if op == FoldOp::Count {
                self.warn_counts_each(s, span);
            }
            let (ty, n) = (self.fold_type(op, &[], &el, true), self.new_local("it", el.clone(), over.span));
            let bodies = match op {
                FoldOp::Sum => vec![build::local(n, el, over.span)],
                _ => Vec::new(),
            };
            let fold = count_each_number(Fold { op, var: n, over, cond: None, bodies });
            return expr(ty, span, ExprKind::Fold(Box::new(fold)));
        }
        match op {
            FoldOp::Count => build::builtin(Builtin::Count, vec![over], Ty::Int(0, i32::MAX), span),
            FoldOp::Sum | FoldOp::Min | FoldOp::Max => {
                let Ty::Int(..) = types::plain(&el) else {
                    let is = self.show(&over.ty);
                    return self.fail(
                        codes::NOT_A_NUMBER,
                        over.span,
                        format!("`{word}` needs numbers, but this is {is}"),
                        format!("write a number of each of them: `{word}(x in …: x.attr)`"),
                    );
                };
                let sure = self.is_not_empty(&over);
                let (b, ty) = match op {
                    FoldOp::Sum => (Builtin::SumOf, types::WIDE),
                    FoldOp::Min => (Builtin::MinOf, if sure { el } else { types::maybe(el) }),
                    _ => (Builtin::MaxOf, if sure { el } else { types::maybe(el) }),
                };
                build::builtin(b, vec![over], ty, span)
            }
            FoldOp::Union if types::element(self.model(), &el).is_some() => {
                let inner = types::element(self.model(), &el).unwrap_or(Ty::Error);
                let var = self.new_local("it", el.clone(), over.span);
                let body = build::local(var, el, over.span);
                let fold = Fold { op, var, over, cond: None, bodies: vec![body] };
                expr(types::set_of(inner), span, ExprKind::Fold(Box::new(fold)))
            }
            FoldOp::Any | FoldOp::No => {
                let var = self.new_local("it", el, over.span);
                let fold = Fold { op, var, over, cond: None, bodies: vec![truth(true, span)] };
                expr(Ty::Bool, span, ExprKind::Fold(Box::new(fold)))
            }
            _ => self.fail(
                codes::WRONG_FORM,
                span,
                format!("write the number of each thing: `{word}(x in … : …)`"),
                format!("for example `{word}(p in players: p.attr)`"),
            ),
        }
    }
}
