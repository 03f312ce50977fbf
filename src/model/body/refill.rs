//! Draws from zones with `refill`: before the top of such a zone is drawn and nothing is left, the rule of its `refill` is called, once.
//!
//! `move first 2 of deck to my.hand` moves what is there, refills, and moves the rest. All is made of moves, conditions and calls.
use super::build::{self, cond, expr};
use super::cx::Cx;
use super::types;
use crate::hir::*;
use houserule_text::Span;

/// A draw from a zone that is refilled.
struct Draw {
    rule: RuleId,
    /// The holder and the index of the zone.
    args: Vec<Expr>,
    /// The zone.
    from: Expr,
    /// How many; none: one.
    n: Option<Expr>,
    /// Whether chance draws, and not the top is drawn.
    by_chance: bool,
}

impl Cx<'_> {
    /// What is drawn, if it is the top of a zone with `refill`, or drawn from it by chance. The refill itself draws what is there.
    fn find_draw(&self, e: &Expr) -> Option<Draw> {
        let (of, n, by_chance) = match &*e.kind {
            ExprKind::First { n, of, last: false } => (of, n.as_ref(), false),
            ExprKind::Choose(c) if matches!(c.by, Chooser::Chance) => match &c.many {
                Many::One => (&c.from, None, true),
                // `choose n of` is from n to the same n; of any other number of things nobody says how many are missing.
                Many::Subset { min: Some(n), max: Some(m) } if n.span == m.span => (&c.from, Some(n), true),
                Many::Subset { .. } => return None,
            },
            _ => return None,
        };
        let ExprKind::Zone(holder, z, index) = &*of.kind else { return None };
        let rule = self.model().zones.get(z.index())?.refill?;
        let args = holder.iter().chain(index).cloned().collect();
        let draw = || Draw { rule, args, from: of.clone(), n: n.cloned(), by_chance };
        (self.within.rule != Some(rule)).then(draw)
    }

    fn count_of_zone(from: &Expr, span: Span) -> Expr {
        build::builtin(Builtin::Count, vec![from.clone()], Ty::Int(0, i32::MAX), span)
    }

    /// The statements before one that draws: the refill if nothing is left.
    pub(super) fn refill_before(&mut self, drawn: &Expr, span: Span) -> Block {
        let Some(draw) = self.find_draw(drawn) else { return Vec::new() };
        if draw.n.is_some() {
            let _ = self.report_not_played(
                drawn.span,
                "several things of a zone with `refill`, unless `move` draws them",
            );
            return Vec::new();
        }
        let left = Self::count_of_zone(&draw.from, span);
        let empty = cond(span, ExprKind::Compare(Comparison::Eq, left, build::int(0, span)));
        let call = Stmt { span, kind: StmtKind::Call(draw.rule, None, draw.args) };
        vec![Stmt { span, kind: StmtKind::If(empty, vec![call], Vec::new()) }]
    }

    /// A move of what is drawn: with the refill before it, or between the two parts of what is drawn.
    pub(super) fn refill_and_move(&mut self, m: Box<Move>, span: Span, out: &mut Block) -> StmtKind {
        let Some(Draw { rule, args, from, n: Some(n), by_chance }) = self.find_draw(&m.what) else {
            out.extend(self.refill_before(&m.what, span));
            return StmtKind::Move(m);
        };
        let number = types::WIDE;
        let (wanted, left) =
            (self.new_local("it", number.clone(), span), self.new_local("it", number.clone(), span));
        let local = |l| build::local(l, number.clone(), span);
        out.push(Stmt { span, kind: StmtKind::Let(wanted, n) });
        out.push(Stmt { span, kind: StmtKind::Let(left, Self::count_of_zone(&from, span)) });
        let moved = |what| Stmt { span, kind: StmtKind::Move(Box::new(Move { what, ..(*m).clone() })) };
        let part = |n: Expr| {
            let kind = match by_chance {
                true => {
                    let many = Many::Subset { min: Some(n.clone()), max: Some(n) };
                    let choose = Choose { many, from: from.clone(), by: Chooser::Chance, prompt: None };
                    ExprKind::Choose(Box::new(choose))
                }
                false => ExprKind::First { n: Some(n), of: from.clone(), last: false },
            };
            moved(expr(m.what.ty.clone(), m.what.span, kind))
        };
        let all = if by_chance { moved(from.clone()) } else { part(local(left)) };
        let few = cond(span, ExprKind::Compare(Comparison::Lt, local(left), local(wanted)));
        let rest = expr(number.clone(), span, ExprKind::Arith(Arith::Sub, local(wanted), local(left)));
        let call = Stmt { span, kind: StmtKind::Call(rule, None, args) };
        let in_parts = vec![all, call, part(rest)];
        StmtKind::If(few, in_parts, vec![part(local(wanted))])
    }
}
