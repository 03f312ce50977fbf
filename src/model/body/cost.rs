//! What something costs: `cost 1 chances + n * bars`, `pay 2 wood`, `can pay 2 wood`.
//!
//! A cost is paid from numeric attributes of who acts (`chances` is `my.chances`) or of the component that it stands in (`this`). It becomes a guard, that there is so much, and a
//! payment, so that whatever explains and enumerates guards explains costs.
use super::bags::Bag;
use super::build;
use super::codes;
use super::cx::Cx;
use super::index::Part;
use super::types;
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};

/// One attribute to be paid from.
struct Due {
    /// `me` or `this`.
    whose: Expr,
    /// Whether it is `me`.
    mine: bool,
    attr: AttrId,
    n: Expr,
}

/// A cost that has been read.
pub struct Cost {
    /// That there is so much: one guard an attribute, each with its reason.
    pub guards: Vec<Guard>,
    /// The payments.
    pub payments: Vec<Stmt>,
}

impl Cost {
    /// Has an action ask for the cost; returns the payments.
    pub fn charge(self, action: &mut Action) -> Vec<Stmt> {
        for g in self.guards {
            // The reason reads `needs {n} wood, …`.
            if let Some(TextPart::Literal(said)) = g.reason.as_ref().and_then(|t| t.parts.get(2)) {
                let word = said.trim().trim_end_matches(',').split(", ").next().unwrap_or_default();
                action.costs.push((action.head.len(), word.into()));
            }
            action.head.push(HeadStep::Needs(g));
        }
        self.payments
    }
}

impl Cx<'_> {
    /// Reads a cost.
    pub fn read_cost(&mut self, cost: &ast::Cost) -> Cost {
        let mut out = Cost { guards: Vec::new(), payments: Vec::new() };
        if let Some(from) = &cost.from {
            if !self.refuse_free_terms(&cost.what)
                && let Some(bag) = self.read_bag(&cost.what, None)
            {
                self.charge_bag(bag, Some(from), cost.what.span, (&mut out.guards, &mut out.payments));
            }
            return out;
        }
        let (mut dues, mut goods) = (Vec::new(), Vec::new());
        self.read_dues(&cost.what, &mut dues, &mut goods);
        for d in dues {
            let attr = &self.model().attrs[d.attr.index()];
            let (span, ty) = (d.n.span, attr.ty.clone());
            let word = attr.name.replace('_', " ");
            if let (Some((least, _)), Some((lo, hi))) = (types::bounds(&d.n.ty), types::bounds(&attr.ty))
                && least > hi
            {
                let message = format!("nobody can pay {least} {word}: `{}` is {lo}..{hi}", attr.name);
                let e = Diagnostic::error(codes::OUTSIDE, span, message).also(attr.span, "declared here");
                self.push(e.help("let it cost less, or make the range wider where it is declared"));
            }
            let has = build::expr(ty, span, ExprKind::Attr(d.whose.clone(), d.attr));
            let le = |a: &Expr, b: &Expr| {
                build::cond(span, ExprKind::Compare(Comparison::Le, a.clone(), b.clone()))
            };
            let enough = le(&d.n, &has);
            // A number that is worked out may come out below nothing: that is no cost.
            let cond = match types::bounds(&d.n.ty) {
                Some((lo, _)) if lo < 0 => build::and(le(&build::int(0, span), &d.n), enough),
                _ => enough,
            };
            let says = |t: &str| TextPart::Literal(t.into());
            let mut parts = vec![says("needs "), TextPart::Hole(d.n.clone()), says(&format!(" {word}, "))];
            if d.mine {
                parts.push(says("you have "));
            } else {
                parts.push(TextPart::Hole(d.whose.clone()));
                parts.push(says(" has "));
            }
            parts.push(TextPart::Hole(has));
            out.guards.push(Guard { cond, reason: Some(Text { parts, span }), span });
            let kind = StmtKind::Assign(Lhs::Attr(d.whose, d.attr), Change::Sub, d.n);
            out.payments.push(Stmt { span, kind });
        }
        for bag in goods {
            self.charge_bag(bag, None, cost.what.span, (&mut out.guards, &mut out.payments));
        }
        out
    }

    /// Whether a cost could be paid.
    pub fn can_pay(&mut self, e: &ast::Cost, span: Span) -> Expr {
        let known = self.out.findings.len();
        let cost = self.read_purely("a cost", |cx| cx.read_cost(e));
        if self.out.findings.len() > known {
            return build::error(span);
        }
        cost.guards.into_iter().fold(build::truth(true, span), |all, g| build::and(all, g.cond))
    }

    fn read_dues(&mut self, e: &ast::Expr, out: &mut Vec<Due>, goods: &mut Vec<Bag>) {
        use ast::BinaryOp as B;
        match &*e.kind {
            ast::ExprKind::Binary(B::Add, a, b) => {
                self.read_dues(a, out, goods);
                self.read_dues(b, out, goods);
            }
            _ if self.is_of_goods(e) => {
                if !self.refuse_free_terms(e)
                    && let Some(bag) = self.read_bag(e, None)
                {
                    // Twice of the same goods is one sum.
                    match goods.iter_mut().find(|old| old.of == bag.of) {
                        Some(old) => old.add(bag),
                        None => goods.push(bag),
                    }
                }
            }
            ast::ExprKind::Binary(B::Or, ..) => {
                let _ = self.report_not_played(e.span, "one of several costs (`or`)");
            }
            ast::ExprKind::Amount(n, unit) => {
                let value = i32::try_from(n.value).unwrap_or(i32::MAX);
                self.read_due(build::int(value, n.span), unit, out);
            }
            ast::ExprKind::Binary(B::Mul, n, unit) if unit.as_name().is_some() => {
                let n = self.read_number_of(n, "the cost");
                if let Some(unit) = unit.as_name() {
                    self.read_due(n, unit, out);
                }
            }
            ast::ExprKind::Name(n) if n.text == "nothing" && self.find_local("nothing").is_none() => {}
            _ => {
                let d = Diagnostic::error(codes::WRONG_FORM, e.span, "a cost needs an amount of something");
                self.push(d.help("write `2 wood`, `n * wood`, `2 wood + 1 coins` or `nothing`"));
            }
        }
    }

    /// Whether a part of a cost is of goods: of words of an enum, and not of a number that somebody has.
    fn is_of_goods(&self, e: &ast::Expr) -> bool {
        use ast::BinaryOp as B;
        let unit = match &*e.kind {
            ast::ExprKind::Amount(_, unit) => unit,
            ast::ExprKind::Binary(B::Mul, _, x) if self.is_bag_path(x) => return true,
            ast::ExprKind::Binary(B::Mul, _, x) => match x.as_name() {
                Some(unit) => unit,
                None => return matches!(&*x.kind, ast::ExprKind::Field(..)),
            },
            ast::ExprKind::Binary(B::Sub, a, _) => return self.is_of_goods(a),
            _ => return self.is_bag_path(e),
        };
        let owned = |ty: Ty| matches!(self.find_part(&ty, &unit.text), Some(Part::Attr(_)));
        if let Some(l) = self.find_local(&unit.text) {
            let ty = self.locals.get(l.0 as usize).map(|l| types::plain(&l.ty));
            return matches!(ty, Some(Ty::Of(k)) if types::kind(self.model(), k).is_some_and(|k| k.sort == KindSort::Enum));
        }
        let own = self
            .this
            .iter()
            .any(|this| self.own_attr(this, &unit.text).is_some() || owned(types::plain(&this.ty)));
        !own && !owned(types::player()) && !self.words_named(&unit.text, None).is_empty()
    }

    fn read_due(&mut self, n: Expr, unit: &ast::Name, out: &mut Vec<Due>) {
        if n.ty == Ty::Error {
            return;
        }
        let Some((whose, mine, attr)) = self.find_purse(unit) else { return };
        let Some(a) = self.model().attrs.get(attr.index()) else { return };
        if !matches!(a.ty, Ty::Int(..)) {
            let (is, declared) = (self.show(&a.ty), a.span);
            let d = Diagnostic::error(
                codes::NOT_A_NUMBER,
                unit.span,
                format!("only numbers can be paid, but `{}` is {is}", unit.text),
            );
            self.push(
                d.also(declared, "declared here")
                    .help("pay with an attribute that is a number, as in `coins: 0..20 = 0`"),
            );
            return;
        }
        if self.refuse_no_cost(&n) {
            return;
        }
        // Twice of the same is one sum: each alone could be paid where both could not.
        if let Some(d) = out.iter_mut().find(|d| d.attr == attr && d.mine == mine) {
            let (a, b) = (types::bounds(&d.n.ty), types::bounds(&n.ty));
            let (lo, hi) = match (a, b) {
                (Some(a), Some(b)) => types::arith(Arith::Add, a, b),
                _ => (i32::MIN, i32::MAX),
            };
            let span = d.n.span.to(n.span);
            let sum = ExprKind::Arith(Arith::Add, d.n.clone(), n);
            d.n = build::expr(Ty::Int(lo, hi), span, sum);
            return;
        }
        out.push(Due { whose, mine, attr, n });
    }

    /// Refuses an amount that costs nothing in every game: a constant of zero, or a number below zero.
    pub(super) fn refuse_no_cost(&mut self, n: &Expr) -> bool {
        let message = match (&*n.kind, types::bounds(&n.ty)) {
            (ExprKind::Int(0), _) => "a cost of 0 is no cost",
            (_, Some((_, hi))) if hi < 0 => "a cost cannot be negative",
            _ => return false,
        };
        let _ = self.fail(codes::OUTSIDE, n.span, message, "leave it out, or write `cost nothing`");
        true
    }

    /// Refuses terms of a sum of goods that cost nothing, such as `0 wood`: in the sum they would not be seen.
    fn refuse_free_terms(&mut self, e: &ast::Expr) -> bool {
        use ast::BinaryOp as B;
        let (n, span) = match &*e.kind {
            ast::ExprKind::Binary(B::Add, a, b) => {
                return self.refuse_free_terms(a) | self.refuse_free_terms(b);
            }
            ast::ExprKind::Amount(n, _) => (n.value, n.span),
            ast::ExprKind::Binary(B::Mul, n, _) => match &*n.kind {
                ast::ExprKind::Int(value) => (*value, n.span),
                _ => return false,
            },
            _ => return false,
        };
        n == 0 && self.refuse_no_cost(&build::int(0, span))
    }

    /// From what a unit is paid: the component's own number before the player's.
    fn find_purse(&mut self, unit: &ast::Name) -> Option<(Expr, bool, AttrId)> {
        if let Some(this) = self.this.clone() {
            let ty = types::plain(&this.ty);
            let found = self.own_attr(&this, &unit.text).or(match self.find_part(&ty, &unit.text) {
                Some(Part::Attr(a)) => Some(a),
                _ => None,
            });
            if let Some(a) = found {
                self.note(unit.span, crate::uses::Def::Attr(a));
                self.count_use(&this);
                return Some((this, false, a));
            }
        }
        if let Some(Part::Attr(a)) = self.ix.part(builtin_kinds::PLAYER, &unit.text) {
            self.note(unit.span, crate::uses::Def::Attr(a));
            let me = self.read_me(unit.span);
            return (me.ty != Ty::Error).then_some((me, true, a));
        }
        let mut words: Vec<String> = Vec::new();
        let kinds = self.this.iter().flat_map(|t| types::kinds_of(&t.ty)).chain([builtin_kinds::PLAYER]);
        for (w, p) in kinds.flat_map(|k| self.ix.parts_of(k)).collect::<Vec<_>>() {
            if matches!(p, Part::Attr(_)) {
                words.push(w.to_string());
            }
        }
        let message = format!("a player cannot pay `{}`: it is not an attribute of players", unit.text);
        let _ = self.report_unknown(codes::NO_NAME, unit, message, words);
        None
    }
}
