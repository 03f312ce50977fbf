//! Reads statements that move things: `move`, `deal`, `swap`, `discard`, and players who stand on a map; checks what a zone may hold.
use super::build::{self, expr};
use super::codes;
use super::cx::Cx;
use super::index::{Part, Thing};
use super::types;
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};
use std::sync::Arc;

impl<'a> Cx<'a> {
    /// Components: one, none, a set or a list.
    pub fn read_things(&mut self, x: &ast::Expr, role: &str) -> Expr {
        let want = self.wanted_component_type(x);
        let e = self.read_expr(x, want.as_ref());
        self.are_things(e, role)
    }

    fn are_things(&mut self, e: Expr, role: &str) -> Expr {
        let e = self.to_component(e);
        let el = types::element(self.model(), &types::plain(&e.ty)).unwrap_or_else(|| types::plain(&e.ty));
        let kinds = types::kinds_of(&el);
        let fine = !kinds.is_empty() && kinds.iter().all(|k| types::is_component(self.model(), *k));
        if fine || matches!(el, Ty::Error | Ty::None) {
            return e;
        }
        let is = self.show(&e.ty);
        let mut d = Diagnostic::error(
            codes::NOT_MOVABLE,
            e.span,
            format!("{role} must be a component, but this is {is}"),
        );
        if let Ty::Face(k) = &el {
            let name = types::name(self.model(), *k);
            d = d.help(format!(
                "several {name} may show this face; write which one: `the {name} where …`, or `first of ZONE where …`"
            ));
        } else {
            let zones = self.hint_for_place(&el);
            d = d.help(zones.unwrap_or_else(|| {
                "write a card, token, piece or die, or a zone, as in `first of ZONE` or `ZONE where …`".into()
            }));
        }
        self.push(d);
        build::error(e.span)
    }

    /// The component type wanted where a member's bare name stands for the component itself.
    pub fn wanted_component_type(&self, x: &ast::Expr) -> Option<Ty> {
        let n = match &*x.kind {
            ast::ExprKind::Name(n) => n,
            ast::ExprKind::Call(c, _) => match &*c.kind {
                ast::ExprKind::Name(n) => n,
                _ => return None,
            },
            _ => return None,
        };
        if self.find_local(&n.text).is_some() {
            return None;
        }
        self.ix.things(&n.text).iter().find_map(|t| match t {
            Thing::Member(m) => {
                let k = self.model().members.get(m.index())?.kind;
                types::is_component(self.model(), k).then_some(Ty::Of(k))
            }
            _ => None,
        })
    }

    pub(super) fn read_move(&mut self, m: &ast::Move, span: Span) -> Option<StmtKind> {
        let what = self.read_expr(&m.what, self.wanted_component_type(&m.what).as_ref());
        if types::plain(&what.ty) == types::player()
            || types::element(self.model(), &what.ty) == Some(types::player())
        {
            return self.read_stand(what, m, span);
        }
        let what = self.are_things(what, "the thing to move");
        if m.from.is_some() {
            let _ = self.report_not_played(span, "`move … from …`");
        }
        let to = self.read_place(&m.to, "the target of `move`");
        self.check_holds(&what, &to);
        let face = m.lying.map(|l| l == ast::Lying::Up);
        Some(StmtKind::Move(Box::new(Move { what, to, under: m.under, face })))
    }

    /// `deal n of Z to zone of S`: n times round the table, each gets the first of Z. The checked statement is made of loops and a move.
    pub(super) fn read_deal(&mut self, d: &ast::Deal, span: Span) -> Option<StmtKind> {
        let n = self.read_number_of(&d.count, "how many each gets");
        let whom = match &d.whom {
            Some(s) => self.read_as(s, &types::set_of(types::player()), "to whom is dealt"),
            None => build::players(span),
        };
        self.forget();
        let first = ast::ExprKind::FirstOf { last: false, count: None, from: d.from.clone() };
        let what = self.read_expr(&ast::Expr::new(first, d.from.span), None);
        let what = self.are_things(what, "what is dealt");
        let each = self.new_local("it", types::player(), span);
        let Some(Part::Zone(z)) = self.find_part(&types::player(), &d.to.text) else {
            let parts = self.ix.parts_of(builtin_kinds::PLAYER).into_iter();
            let zones = parts.filter(|(_, p)| matches!(p, Part::Zone(_))).map(|(w, _)| w.to_string());
            let message = format!("players have no zone or slot `{}`", d.to.text);
            let _ = self.report_unknown(codes::NO_PART, &d.to, message, zones.collect());
            return None;
        };
        self.note(d.to.span, Part::Zone(z).def());
        if self.model().zones.get(z.index()).is_some_and(|z| z.index.is_some()) {
            let message = format!("`{}` has an index: which of them gets the cards?", d.to.text);
            let help =
                format!("deal in a loop: `for p in players {{ move first of … to p.{}[1] }}`", d.to.text);
            let _ = self.fail(codes::WRONG_FORM, d.to.span, message, help);
            return None;
        }
        let of = build::local(each, types::player(), span);
        let to = build::expr(Ty::Place, d.to.span, ExprKind::PlaceOf(Some(of), z, None));
        self.check_holds(&what, &to);
        let face = d.lying.map(|l| l == ast::Lying::Up);
        let mut one = self.refill_before(&what, span);
        one.push(Stmt { span, kind: StmtKind::Move(Box::new(Move { what, to, under: false, face })) });
        let round = StmtKind::For(each, whom, one);
        Some(match *n.kind {
            ExprKind::Int(1) => round,
            _ => StmtKind::Repeat(n, vec![Stmt { span, kind: round }]),
        })
    }

    /// `move p to SPACE`: players stand where their `at` says, and nowhere in the box if that may be none.
    fn read_stand(&mut self, what: Expr, m: &ast::Move, span: Span) -> Option<StmtKind> {
        let to = self.read_place(&m.to, "the target of `move`");
        let Some(at) = types::standing(self.model()) else {
            let d =
                Diagnostic::error(codes::STANDING, what.span, "players have no place on a map in this game");
            self.push(
                d.help("declare it: `player { at: SPACES }`, or `at: SPACES?` if a player may stand nowhere"),
            );
            return None;
        };
        if m.under || m.lying.is_some() || m.from.is_some() {
            let _ = self.fail(
                codes::STANDING,
                span,
                "a player has no face and cannot lie under something",
                "write `move p to c` alone",
            );
        }
        self.check_stands_on(&to, at);
        Some(StmtKind::Move(Box::new(Move { what, to, under: false, face: None })))
    }

    /// Whether a player can stand there.
    fn check_stands_on(&mut self, to: &Expr, at: AttrId) {
        let Some(attr) = self.model().attrs.get(at.index()) else { return };
        let (ty, declared) = (attr.ty.clone(), attr.span);
        let spaces = types::plain(&ty);
        let called = match &spaces {
            Ty::Of(k) => types::name(self.model(), *k),
            _ => String::from("SPACES"),
        };
        let (message, help) = match &*to.kind {
            ExprKind::If(_, a, b) => {
                self.check_stands_on(a, at);
                self.check_stands_on(b, at);
                return;
            }
            ExprKind::Box(_) if types::is_maybe(&ty) => return,
            ExprKind::Box(_) => (
                String::from("players cannot leave the map in this game"),
                format!("to allow it, declare `at: {called}?`"),
            ),
            _ if types::plain(&to.ty) == spaces || matches!(to.ty, Ty::Error | Ty::None) => return,
            _ => (format!("a player must stand on a {called}"), format!("write which {called}")),
        };
        let d = Diagnostic::error(codes::STANDING, to.span, message).also(declared, "declared here");
        self.push(d.help(help));
    }

    /// Whether a place takes such things.
    fn check_holds(&mut self, what: &Expr, to: &Expr) {
        let ExprKind::PlaceOf(_, z, _) = &*to.kind else { return };
        let el =
            types::element(self.model(), &types::plain(&what.ty)).unwrap_or_else(|| types::plain(&what.ty));
        let kinds = types::kinds_of(&el);
        let Some(zone) = self.model().zones.get(z.index()) else { return };
        let takes = |k: &KindId| {
            zone.holds.iter().any(|h| types::is_a(self.model(), *k, *h) || types::is_a(self.model(), *h, *k))
        };
        if kinds.is_empty() || kinds.iter().any(takes) {
            return;
        }
        let holds: Vec<String> = zone.holds.iter().map(|k| types::name(self.model(), *k)).collect();
        let is = self.show(&el);
        let more = kinds.iter().map(|k| types::name(self.model(), *k));
        let wider = holds.iter().cloned().chain(more).collect::<Vec<_>>().join(" or ");
        self.push(
            Diagnostic::error(
                codes::NOT_HELD,
                what.span,
                format!("`{}` holds {}, but this is {is}", zone.name, holds.join(" or ")),
            )
            .label(is)
            .also(zone.span, "declared here")
            .help(format!(
                "move it to a zone for such things, or let this one hold them: `zone {}: {}`",
                zone.name, wider
            )),
        );
    }

    pub(super) fn read_swapped(&mut self, x: &ast::Expr) -> Expr {
        let e = self.read_expr(x, None);
        let span = e.span;
        if let ExprKind::Zone(of, z, i) = &*e.kind {
            return expr(Ty::Place, span, ExprKind::PlaceOf(of.clone(), *z, i.clone()));
        }
        let e = self.to_component(e);
        let el = types::element(self.model(), &types::plain(&e.ty)).unwrap_or_else(|| types::plain(&e.ty));
        let fine = el == Ty::Place
            || el == Ty::Error
            || types::kinds_of(&el)
                .iter()
                .any(|k| types::is_component(self.model(), *k) || types::is_space(self.model(), *k));
        if fine {
            return e;
        }
        let is = self.show(&e.ty);
        self.fail(
            codes::NOT_MOVABLE,
            span,
            format!("only zones, places and components can be swapped, but this is {is}"),
            "to swap two attributes, write `let x = a.attr`, then `a.attr = b.attr` and `b.attr = x`",
        )
    }

    pub(super) fn read_zone_place(&mut self, z: &ast::Expr, role: &str) -> Option<Expr> {
        let e = self.read_expr(z, None);
        let span = e.span;
        match Arc::unwrap_or_clone(e.kind) {
            ExprKind::Zone(of, id, i) => {
                if let Some(zone) = self.model().zones.get(id.index())
                    && zone.slot
                {
                    let d = Diagnostic::warning(
                        codes::ALWAYS,
                        span,
                        format!("`{}` holds at most one thing, so it cannot be shuffled", zone.name),
                    );
                    self.push(d);
                }
                Some(expr(Ty::Place, span, ExprKind::PlaceOf(of, id, i)))
            }
            ExprKind::Error => None,
            _ => {
                let is = self.show(&e.ty);
                let help = self.hint_for_place(&e.ty).unwrap_or_else(|| {
                    "write the name of a zone, as in `deck` of `table { zone deck: Card }`".into()
                });
                let message = format!("{role} must be a zone, but this is {is}");
                let _ = self.fail(codes::NOT_A_PLACE, span, message, help);
                None
            }
        }
    }

    pub(super) fn check_discards(&mut self, x: &Expr) {
        let el = types::element(self.model(), &types::plain(&x.ty)).unwrap_or_else(|| types::plain(&x.ty));
        for k in types::kinds_of(&el) {
            let somewhere = types::line_of(self.model(), k)
                .iter()
                .any(|k| types::kind(self.model(), *k).is_some_and(|k| !k.discards.is_empty()))
                || self.discards.contains(&k);
            if !somewhere && let Some(d) = types::kind(self.model(), k) {
                self.push(
                    Diagnostic::error(
                        codes::NO_DISCARD,
                        x.span,
                        format!("there is no place to which a {} is discarded", d.name),
                    )
                    .also(d.span, "declared here")
                    .help("write it in the kind: `discards to …`"),
                );
            }
        }
    }
}
