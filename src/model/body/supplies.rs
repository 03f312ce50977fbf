//! Supplies that are never empty, `zone bank: Coin unlimited`: whoever draws from one gets something, and nobody counts what is left.
//!
//! ```text
//! let c = first of bank where gold     # a coin, never none
//! move first 2 of bank to my.purse     # becomes: twice, the first one of the bank
//! ```
//!
//! `Coin gold x40` says how many can be in use at once; to draw one more is a rule error, as with `the`.
use super::build::{self, expr};
use super::codes;
use super::cx::Cx;
use super::{types, walk};
use crate::hir::*;
use houserule_text::{Diagnostic, Report, Span};
use rustc_hash::FxHashSet as HashSet;

/// The supply from which a list is drawn, or from that of its things that pass a test.
fn supply_of<'e>(model: &Model, list: &'e Expr) -> Option<&'e Expr> {
    match &*list.kind {
        ExprKind::Zone(_, z, _) => model.zones.get(z.index()).is_some_and(|z| z.unlimited).then_some(list),
        ExprKind::Where(of, ..) => supply_of(model, of),
        ExprKind::Builtin(Builtin::AsSet, args) => supply_of(model, args.first()?),
        _ => None,
    }
}

impl Cx<'_> {
    /// `first of Z`: the thing that is drawn, if Z is a supply.
    pub(super) fn draw_from_supply(&mut self, of: &Expr, span: Span) -> Option<Expr> {
        supply_of(self.model(), of)?;
        let el = types::element(self.model(), &of.ty)?;
        let n = Some(build::int(1, span));
        let first =
            expr(types::list_of(el.clone()), span, ExprKind::First { n, of: of.clone(), last: false });
        let one = self.as_set(first);
        Some(expr(el, span, ExprKind::The(one)))
    }

    /// `move first n of Z to …`: n times the one that is drawn, if Z is a supply.
    pub(super) fn move_from_supply(&mut self, m: Box<Move>, span: Span, out: &mut Block) -> StmtKind {
        let ExprKind::First { n: Some(n), of, last: false } = &*m.what.kind else {
            return self.refill_and_move(m, span, out);
        };
        match self.draw_from_supply(of, m.what.span) {
            Some(what) => {
                let one = Stmt { span, kind: StmtKind::Move(Box::new(Move { what, ..(*m).clone() })) };
                StmtKind::Repeat(n.clone(), vec![one])
            }
            None => self.refill_and_move(m, span, out),
        }
    }
}

/// Reports whatever asks what is left in a supply. Tests may.
pub fn check_supplies(model: &Model, out: &mut Report) {
    let (mut drawn, mut read) = (HashSet::default(), Vec::new());
    walk::visit_rules(
        model,
        &mut |e| match &*e.kind {
            ExprKind::The(s) => {
                if let ExprKind::Builtin(Builtin::AsSet, args) = &*s.kind
                    && let Some(ExprKind::First { n: Some(_), of, last: false }) =
                        args.first().map(|a| &*a.kind)
                {
                    drawn.extend(supply_of(model, of).map(|z| z.span));
                }
            }
            ExprKind::Zone(_, z, _) if model.zones.get(z.index()).is_some_and(|z| z.unlimited) => {
                read.push((e.span, *z));
            }
            _ => {}
        },
        &mut |_| {},
    );
    for (span, z) in read.into_iter().filter(|(span, _)| !drawn.contains(span)) {
        let name = model.zones.get(z.index()).map_or("", |z| &*z.name);
        let message = format!("`{name}` is unlimited: nobody counts, lists or searches what is left in it");
        let help = format!(
            "draw from it: `first of {name}`, `first of {name} where …`, `move first 2 of {name} to …`; what players hold can be counted"
        );
        out.push(Diagnostic::error(codes::UNCOUNTED, span, message).help(help));
    }
}
