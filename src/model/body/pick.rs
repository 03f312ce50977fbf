//! Reads picks: `choose`, `first of`, `the`, `K of p`.
use super::build::{self, cond, expr, int};
use super::codes;
use super::cx::{Cx, Mode};
use super::types;
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};

impl Cx<'_> {
    pub(super) fn read_choose(&mut self, c: &ast::Choose, span: Span, want: Option<&Ty>) -> Expr {
        if let Mode::Pure(what) = self.mode {
            return self.fail(
                codes::ACTS_IN_PURE,
                span,
                format!("{what} cannot ask a player: `choose` is only possible in rules, phases and actions"),
                "ask in a rule and give the answer: `rule r(): T { let x = choose …; give x }`; for the first of a set, write `first of S`",
            );
        }
        let chooser = match &c.by {
            Some(ast::ChooseBy::Chance(_)) => Chooser::Chance,
            Some(ast::ChooseBy::Player(p)) => {
                let p = self.read_expr(p, Some(&types::player()));
                let several = types::element(self.model(), &p.ty).is_some();
                let want = if several { types::set_of(types::player()) } else { types::player() };
                Chooser::Player(self.fit_to(p, &want, "the player who chooses"))
            }
            None => Chooser::Player(self.read_me(span)),
        };
        if let (Chooser::Chance, Some(t)) = (&chooser, &c.prompt) {
            let d = Diagnostic::error(
                codes::WRONG_FORM,
                t.span,
                "a choice by chance has no prompt, because nobody is asked",
            );
            self.push(d.help("leave out the text; to write the result to the log, use `say \"…\"`"));
        }
        let many = self.read_many(&c.many, "the amount to choose");
        if let ast::ExprKind::Call(callee, args) = &*c.from.kind
            && let Some(n) = callee.as_name()
            && n.text == "paths"
            && self.ix.things("paths").is_empty()
        {
            if !matches!(many, Many::One) || matches!(chooser, Chooser::Chance) {
                let d = Diagnostic::error(codes::WRONG_FORM, span, "a player chooses exactly one path");
                self.push(d.help("write `choose one of paths(…)`"));
                return build::error(span);
            }
            let prompt = c.prompt.as_ref().map(|t| self.read_text(t));
            let Some(from) = self.read_paths(n, args, c.from.span) else { return build::error(span) };
            let ty = from.ty.clone();
            return expr(
                ty,
                span,
                ExprKind::Choose(std::boxed::Box::new(Choose { many, from, by: chooser, prompt })),
            );
        }
        let inner = match (&many, want.map(types::plain)) {
            (Many::One, Some(t)) => Some(types::set_of(t)),
            (_, t) => t,
        };
        let from = self.read_expr(&c.from, inner.as_ref());
        let from = self.read_collection(from, "the set to choose from");
        let el = types::element(self.model(), &from.ty).unwrap_or(Ty::Error);
        let several = matches!(&chooser, Chooser::Player(p) if types::element(self.model(), &p.ty).is_some());
        let sure = self.is_not_empty(&from) && !several;
        let prompt = c.prompt.as_ref().map(|t| self.read_text(t));
        let ty = match &many {
            Many::One if sure => el,
            Many::One => types::maybe(el),
            Many::Subset { .. } => types::set_of(el),
        };
        expr(ty, span, ExprKind::Choose(std::boxed::Box::new(Choose { many, from, by: chooser, prompt })))
    }

    /// How many are chosen.
    pub fn read_many(&mut self, m: &ast::Many, role: &str) -> Many {
        use ast::ManyKind as K;
        match &m.kind {
            K::One => Many::One,
            K::Any => Many::Subset { min: None, max: None },
            K::Some => Many::Subset { min: Some(int(1, m.span)), max: None },
            K::UpTo(n) => Many::Subset { min: None, max: Some(self.count_of(n, role)) },
            K::Range(a, b) => {
                let min = self.count_of(a, role);
                let max = b.as_ref().map(|b| self.count_of(b, role));
                Many::Subset { min: Some(min), max }
            }
            K::Exactly(n) => {
                let n = self.count_of(n, role);
                Many::Subset { min: Some(n.clone()), max: Some(n) }
            }
        }
    }

    pub(super) fn count_of(&mut self, e: &ast::Expr, role: &str) -> Expr {
        let n = self.read_number_of(e, role);
        if let Some((_, hi)) = types::bounds(&n.ty)
            && hi < 0
        {
            let d = Diagnostic::error(codes::OUTSIDE, n.span, format!("{role} cannot be negative"));
            self.push(d.help("write 0 or a greater number"));
        }
        n
    }

    pub(super) fn read_first_of(
        &mut self,
        last: bool,
        count: Option<&ast::Expr>,
        from: &ast::Expr,
        span: Span,
    ) -> Expr {
        let word = if last { "`last`" } else { "`first`" };
        let n = count.map(|c| self.count_of(c, "the amount to take"));
        if let Some(from) = find_comparison(from) {
            let message = format!("{word} takes everything after `of`, and here that is yes or no");
            let help = "put brackets around the left side: `(first of S) == x`";
            self.push(Diagnostic::error(codes::WRONG_FORM, from, message).help(help));
            return build::error(span);
        }
        let of = self.read_sequence(from);
        let of = self.as_list(of, word);
        if n.is_none()
            && !last
            && let Some(drawn) = self.draw_from_supply(&of, span)
        {
            return drawn;
        }
        let el = types::element(self.model(), &of.ty).unwrap_or(Ty::Error);
        let ty = match &n {
            Some(_) => types::list_of(el),
            None if self.is_not_empty(&of) => el,
            None => types::maybe(el),
        };
        expr(ty, span, ExprKind::First { n, of, last })
    }

    pub(super) fn read_the(
        &mut self,
        what: &ast::Expr,
        of: Option<&ast::Expr>,
        filter: Option<&ast::Expr>,
        span: Span,
    ) -> Expr {
        let s = match (of, what.as_name()) {
            (Some(p), Some(kind)) => self.read_kind_of(kind, p, span),
            (Some(p), None) => {
                let _ = self.read_expr(p, None);
                self.fail(
                    codes::WRONG_FORM,
                    what.span,
                    "write the name of a kind before `of`",
                    "for example `the Man of me`, or a set with a condition: `Man where it.owner == me`",
                )
            }
            (None, _) => self.read_expr(what, None),
        };
        let s = self.read_collection(s, "the set of `the`");
        let s = match filter {
            Some(f) => self.make_filtered(s, f, span),
            None => s,
        };
        let el = types::element(self.model(), &s.ty).unwrap_or(Ty::Error);
        expr(el, span, ExprKind::The(s))
    }

    /// `K of p`: p's things of a kind of which every player has a set.
    pub fn read_kind_of(&mut self, kind: &ast::Name, p: &ast::Expr, span: Span) -> Expr {
        let k = self.find_kind(kind);
        let p = self.read_as(p, &types::player(), "the owner");
        let Some(k) = k else {
            return self.report_no_such_kind(kind);
        };
        let all = expr(types::set_of(Ty::Of(k)), kind.span, ExprKind::All(k));
        if !types::is_component(self.model(), k) {
            let name = types::name(self.model(), k);
            return self.fail(
                codes::WRONG_FORM,
                span,
                format!("`{name}` is not a kind of components, so players have no set of it"),
                format!("write which ones are meant: `{name} where …`"),
            );
        }
        if p.ty == Ty::Error {
            return build::error(span);
        }
        let it = self.new_local("it", Ty::Of(k), span);
        let owner = build::builtin(
            Builtin::OwnerOf,
            vec![build::local(it, Ty::Of(k), span)],
            types::maybe(types::player()),
            span,
        );
        let test = cond(span, ExprKind::Compare(Comparison::Eq, owner, p));
        expr(types::set_of(Ty::Of(k)), span, ExprKind::Where(all, it, test))
    }
}

/// The place of a comparison, which is yes or no and holds nothing to pick from.
fn find_comparison(e: &ast::Expr) -> Option<Span> {
    use ast::BinaryOp as B;
    match &*e.kind {
        ast::ExprKind::Binary(B::Eq | B::Ne | B::Lt | B::Le | B::Gt | B::Ge, ..)
        | ast::ExprKind::In { .. }
        | ast::ExprKind::Is { .. } => Some(e.span),
        _ => None,
    }
}
