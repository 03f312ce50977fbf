//! Reads comparisons and membership, and decides whether a collection is taken as a set or as a list.
use super::build::{self, cond, expr, not};
use super::codes;
use super::cx::Cx;
use super::types;
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};
use std::sync::Arc;

impl Cx<'_> {
    pub(super) fn read_comparison(
        &mut self,
        op: Comparison,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
    ) -> Expr {
        let equality = matches!(op, Comparison::Eq | Comparison::Ne);
        // The side that is not a bare word decides what the other one means.
        let word = |e: &ast::Expr| {
            matches!(&*e.kind, ast::ExprKind::Name(_) | ast::ExprKind::Set(_) | ast::ExprKind::Int(_))
        };
        let (x, y) = if word(a) && !word(b) {
            let y = self.read_expr(b, None);
            let x = self.read_expr(a, Some(&y.ty.clone()));
            (x, y)
        } else {
            let x = self.read_expr(a, None);
            let y = self.read_expr(b, Some(&x.ty.clone()));
            (x, y)
        };
        if x.ty == Ty::Error || y.ty == Ty::Error {
            return build::error(span);
        }
        if !equality {
            return self.compare_ordered(op, x, y, span);
        }
        // A component beside a face is compared by its face.
        let (x, y) = self.compare_as_faces(x, y);
        let (x, y) = self.compare_as_sets(x, y);
        if !types::comparable(self.model(), &x.ty, &y.ty) {
            let (l, r) = (self.show(&types::plain(&x.ty)), self.show(&types::plain(&y.ty)));
            let hint = self.hint_for_equal(&types::plain(&x.ty), &types::plain(&y.ty));
            return self.fail_if(codes::INCOMPARABLE, span, format!("{l} cannot be equal to {r}"), hint);
        }
        if matches!(&*y.kind, ExprKind::None) || matches!(&*x.kind, ExprKind::None) {
            let other = if matches!(&*y.kind, ExprKind::None) { x } else { y };
            if !types::is_maybe(&other.ty) {
                self.push(
                    Diagnostic::warning(
                        codes::ALWAYS,
                        span,
                        format!("this is always {}", if op == Comparison::Ne { "yes" } else { "no" }),
                    )
                    .label(format!("{} is never none", self.show(&other.ty))),
                );
            }
            let some = cond(span, ExprKind::IsSome(other));
            return if op == Comparison::Ne { some } else { not(some) };
        }
        self.warn_decided(op, &x, &y, span);
        cond(span, ExprKind::Compare(op, x, y))
    }

    /// Warns if two number ranges decide a comparison.
    pub(super) fn warn_decided(&mut self, op: Comparison, x: &Expr, y: &Expr, span: Span) {
        if types::is_maybe(&x.ty) || types::is_maybe(&y.ty) {
            return;
        }
        let constant = |e: &Expr| matches!(&*e.kind, ExprKind::Int(_));
        if let (Some(a), Some(b)) = (types::bounds(&x.ty), types::bounds(&y.ty))
            && !(constant(x) && constant(y))
            && let Some(always) = types::decided(op, a, b)
        {
            self.push(
                Diagnostic::warning(
                    codes::ALWAYS,
                    span,
                    format!("this is always {}", if always { "yes" } else { "no" }),
                )
                .label(format!(
                    "{} beside {}",
                    types::show_range(a.0, a.1),
                    types::show_range(b.0, b.1)
                )),
            );
        }
    }

    pub(super) fn compare_ordered(&mut self, op: Comparison, x: Expr, y: Expr, span: Span) -> Expr {
        for e in [&x, &y] {
            let ty = types::plain(&e.ty);
            let fine = match &ty {
                Ty::Int(..) => true,
                // Words of an enum stand in an order.
                Ty::Of(k) => matches!(types::kind(self.model(), *k).map(|k| &k.sort), Some(KindSort::Enum)),
                _ => false,
            };
            if !fine {
                let is = self.show(&ty);
                let hint = self.hint_for_type(&ty, &types::WIDE);
                return self.fail_if(
                    codes::NOT_A_NUMBER,
                    e.span,
                    format!("`<` and `>` compare numbers and words of an enum, but this is {is}"),
                    hint,
                );
            }
            let _ = self.need_value(e, "only numbers can be compared by `<` or `>`");
        }
        let (a, b) = (types::plain(&x.ty), types::plain(&y.ty));
        if !types::comparable(self.model(), &a, &b) {
            let (l, r) = (self.show(&a), self.show(&b));
            let hint = self.hint_for_equal(&a, &b);
            return self.fail_if(codes::INCOMPARABLE, span, format!("{l} cannot be compared with {r}"), hint);
        }
        self.warn_decided(op, &x, &y, span);
        cond(span, ExprKind::Compare(op, x, y))
    }

    /// Where one is a component and the other a face, the component's face is meant.
    pub(super) fn compare_as_faces(&mut self, x: Expr, y: Expr) -> (Expr, Expr) {
        let show = |e: Expr, ty: Ty| {
            let span = e.span;
            let ty = if types::is_maybe(&e.ty) { types::maybe(ty) } else { ty };
            build::builtin(Builtin::FaceOf, vec![e], ty, span)
        };
        match (self.face_type(&x.ty, &y.ty), self.face_type(&y.ty, &x.ty)) {
            (Some(ty), _) => (show(x, ty), y),
            (_, Some(ty)) => {
                let y = show(y, ty);
                (x, y)
            }
            _ => (x, y),
        }
    }

    /// The type of the face of a thing that is compared with a face: none if they are of different families.
    pub(super) fn face_type(&self, thing: &Ty, face: &Ty) -> Option<Ty> {
        let Ty::Face(of) = types::plain(face) else { return None };
        let kinds = match types::plain(thing) {
            Ty::Side(k) => vec![k],
            ty => types::kinds_of(&ty),
        };
        let fits = |k: &&KindId| {
            types::is_component(self.model(), **k)
                && types::comparable(self.model(), &Ty::Face(**k), &Ty::Face(of))
        };
        let k = *kinds.iter().find(fits)?;
        Some(Ty::Face(if kinds.len() > 1 { of } else { k }))
    }

    /// Where one is a list (or line) and the other a set, both are taken as sets.
    pub(super) fn compare_as_sets(&mut self, x: Expr, y: Expr) -> (Expr, Expr) {
        match (&x.ty, &y.ty) {
            (Ty::List(_), Ty::Set(_)) => (self.as_set(x), y),
            (Ty::Set(_), Ty::List(_)) => {
                let y = self.as_set(y);
                (x, y)
            }
            _ => (x, y),
        }
    }

    /// A set as it is, a list or a line as its set.
    pub fn as_set(&mut self, e: Expr) -> Expr {
        let span = e.span;
        match types::element(self.model(), &e.ty) {
            Some(el) if !matches!(e.ty, Ty::Set(_) | Ty::Error) => {
                build::builtin(Builtin::AsSet, vec![e], types::set_of(el), span)
            }
            _ => e,
        }
    }

    pub(super) fn as_set_or_list(&mut self, e: Expr) -> Expr {
        let span = e.span;
        match (&e.ty, types::element(self.model(), &e.ty)) {
            (Ty::Of(_), Some(el)) => build::builtin(Builtin::LineSpaces, vec![e], types::list_of(el), span),
            _ => e,
        }
    }

    /// Something to go through: a set, list, line, range, zone.
    pub fn read_collection(&mut self, e: Expr, role: &str) -> Expr {
        let ty = self.need_value(&e, &format!("{role} must be a set or a list"));
        if ty == Ty::Error || matches!(ty, Ty::Set(_) | Ty::List(_) | Ty::Bag(_)) {
            return e;
        }
        let span = e.span;
        if let Some(el) = types::element(self.model(), &ty) {
            return build::builtin(Builtin::LineSpaces, vec![e], types::list_of(el), span);
        }
        let is = self.show(&ty);
        let help = match ty {
            Ty::Int(..) => {
                "for the numbers up to n, write `1..n`; for one thing, put it into brackets: `[…]`"
            }
            _ => {
                "put it into brackets: `[…]`, or write the set that is meant, as in `players` or `Card where …`"
            }
        };
        let message = format!("{role} must be a set or a list, but this is {is}");
        self.fail(codes::NOT_A_SET, span, message, help)
    }

    /// What is gone through or counted off: written out, it is a list, and may hold a thing twice.
    pub(super) fn read_sequence(&mut self, e: &ast::Expr) -> Expr {
        match &*e.kind {
            ast::ExprKind::Set(_) => self.read_expr(e, Some(&types::list_of(Ty::Error))),
            _ => self.read_expr(e, None),
        }
    }

    /// Something in an order: a list; a zone's things from the top; words in theirs. Anything else is warned of.
    pub fn as_list(&mut self, e: Expr, role: &str) -> Expr {
        let e = self.read_collection(e, role);
        let span = e.span;
        if types::element(self.model(), &e.ty).is_none() {
            return e;
        }
        if matches!(e.ty, Ty::List(_) | Ty::Bag(_)) {
            return e;
        }
        if self.has_order(&e) {
            return self.make_list(e);
        }
        self.push(
            Diagnostic::warning(
                codes::UNORDERED,
                span,
                format!("{role} needs an order, but this set has none"),
            )
            .label(self.show(&e.ty))
            .help("let a player choose: `choose one of …`; or draw one: `choose one of … by chance`"),
        );
        self.make_list(e)
    }

    /// Whether a kind is the spaces of a map of one line, which come as they stand.
    fn is_on_a_line(&self, k: KindId) -> bool {
        self.model().maps.iter().any(|m| m.space == k && m.shape == Shape::Line)
    }

    /// Whether a value is that of the spaces in play of a growing map.
    pub(super) fn is_in_play(&self, v: ValueId) -> bool {
        self.model().maps.iter().any(|m| m.in_play == Some(v))
    }

    /// Whether a set comes in an order that the rules know: a pile from the top, words as declared, players as seated, what is all alike.
    pub(super) fn has_order(&self, e: &Expr) -> bool {
        if types::is_ordered(self.model(), &e.ty) {
            return true;
        }
        match &*e.kind {
            ExprKind::Zone(..) => true,
            // Of the box and of a kind, things of one face are alike.
            ExprKind::Box(_) | ExprKind::Set(_) | ExprKind::List(_) | ExprKind::Range(..) => true,
            ExprKind::All(k) => types::is_component(self.model(), *k) || self.is_on_a_line(*k),
            ExprKind::Value(v, _) if self.is_in_play(*v) => {
                matches!(&e.ty, Ty::Set(k) if matches!(**k, Ty::Of(k) if self.is_on_a_line(k)))
            }
            ExprKind::Faces(_) => true,
            ExprKind::Where(s, ..) => self.has_order(s),
            ExprKind::Union(a, b) => self.has_order(a) && self.has_order(b),
            ExprKind::Without(a, _) => self.has_order(a),
            ExprKind::If(_, a, b) => self.has_order(a) && self.has_order(b),
            _ => false,
        }
    }

    /// Whether a set comes in an order that is not that of its kind: a zone's, or that in which it is written out.
    pub(super) fn has_own_order(&self, e: &Expr) -> bool {
        match &*e.kind {
            ExprKind::Zone(..) | ExprKind::Set(_) => true,
            ExprKind::Where(s, ..) | ExprKind::Without(s, _) => self.has_own_order(s),
            ExprKind::Union(a, b) | ExprKind::If(_, a, b) => self.has_own_order(a) && self.has_own_order(b),
            _ => false,
        }
    }

    /// Gives an expression the type of a list, down to the zone that it reads. Where only a set is stored, a list is made of the set.
    pub(super) fn make_list(&mut self, mut e: Expr) -> Expr {
        let Ty::Set(t) = &e.ty else { return e };
        let ty = types::list_of((**t).clone());
        match &*e.kind {
            ExprKind::Fold(_)
            | ExprKind::Local(_)
            | ExprKind::Value(..)
            | ExprKind::Rule(..)
            | ExprKind::Hook(..)
            | ExprKind::Usual => {
                let span = e.span;
                return build::builtin(Builtin::AsSet, vec![e], ty, span);
            }
            ExprKind::Where(s, l, p) => {
                let s = self.make_list(s.clone());
                e.kind = Arc::new(ExprKind::Where(s, *l, p.clone()));
            }
            _ => {}
        }
        e.ty = ty;
        e
    }

    pub(super) fn is_in(&mut self, item: &ast::Expr, set: &ast::Expr, span: Span) -> Expr {
        let s = self.read_expr(set, None);
        if s.ty == Ty::Error {
            let _ = self.read_expr(item, None);
            return build::error(span);
        }
        let s = self.read_collection(s, "the right side of `in`");
        let Some(el) = types::element(self.model(), &s.ty) else {
            let _ = self.read_expr(item, None);
            return build::error(span);
        };
        let x = self.read_expr(item, Some(&el));
        if x.ty == Ty::Error {
            return build::error(span);
        }
        // A face in a set of components: whether one of them shows it.
        if let (Ty::Of(k), ExprKind::First { .. }) = (types::plain(&x.ty), &*x.kind)
            && let Some(face) = self.read_face_word(item)
            && let ExprKind::Face(m, key) = Arc::unwrap_or_clone(face.kind)
        {
            let var = self.new_local("it", Ty::Of(k), span);
            let body = cond(span, ExprKind::IsFace(build::local(var, el.clone(), span), m, key));
            let fold = Fold { op: FoldOp::Any, var, over: s, cond: None, bodies: vec![body] };
            return expr(Ty::Bool, span, ExprKind::Fold(Box::new(fold)));
        }
        // A face in a set of components: the one that shows it is meant.
        let x = if types::kinds_of(&el).is_empty() { x } else { self.to_component(x) };
        // A component in a set of faces: its face is meant.
        let x = match self.face_type(&x.ty, &el) {
            Some(ty) => {
                let sp = x.span;
                build::builtin(Builtin::FaceOf, vec![x], ty, sp)
            }
            None => x,
        };
        if !types::comparable(self.model(), &x.ty, &el) {
            let (l, r) = (self.show(&types::plain(&x.ty)), self.show(&s.ty));
            let mut d = Diagnostic::error(codes::INCOMPARABLE, span, format!("{l} cannot be in {r}"));
            let each = types::element(self.model(), &x.ty);
            d = if each.is_some_and(|t| types::comparable(self.model(), &t, &el)) {
                d.help(
                    "the left side of `in` is one thing; for the things of a set that are in another set, write `… where it in …`",
                )
            } else {
                d.help_if(self.hint_for_type(&x.ty, &el))
            };
            self.push(d);
            return build::error(span);
        }
        if let (ExprKind::Range(..), Some(a), Some(b)) = (&*s.kind, types::bounds(&x.ty), types::bounds(&el))
            && (a.1 < b.0 || b.1 < a.0)
        {
            self.push(Diagnostic::warning(codes::ALWAYS, span, "this is always no").label(format!(
                "{} cannot be in {}",
                types::show_range(a.0, a.1),
                types::show_range(b.0, b.1)
            )));
        }
        cond(span, ExprKind::In(x, s))
    }
}
