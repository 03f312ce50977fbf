//! Checks seats that answer for several players: `players … answered by …` of the header.
use super::{Declarer, Job, codes};
use crate::body::walk;
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Report};

impl<'t> Declarer<'t> {
    /// `answered by` behind the header's players.
    pub fn read_answered_by(&mut self, who: &ast::Players, e: &'t ast::Expr, scope: ScopeId) {
        let d = |message: &str| Diagnostic::error(codes::ANSWERED, e.span, message);
        if scope != ScopeId(0) {
            let d = d("only the `game` declaration can say who answers for whom");
            self.report.push(
                d.help("write it there for every number of seats: `answered by case count(seats) { … }`"),
            );
            return;
        }
        if !matches!(who, ast::Players::Named(_)) {
            let d = d("`answered by` needs players with names");
            self.report.push(d.help("write `seats 1..2` and `players black, white answered by …`"));
            return;
        }
        self.jobs.push(Job::Answered(e));
    }

    /// Seats and players must fit together, once both are known.
    pub fn check_seats_and_players(&mut self) {
        let m = &self.model;
        let named = m.named_players().count() as u32;
        let at = self.game.unwrap_or_default();
        let found = match (m.seats, &m.answered) {
            (None, Some(e)) => Some((e.span, String::from("this game does not say how many seats it has"))),
            (Some(_), None) if named == 0 => Some((at, String::from("`seats` needs players with names"))),
            (Some((_, most)), None) if most > named => {
                Some((at, format!("{most} seats are too many for {named} players")))
            }
            _ => None,
        };
        if let Some((span, message)) = found {
            let d = Diagnostic::error(codes::ANSWERED, span, message);
            self.report.push(d.help("write `seats 1..2` and `players black, white answered by case count(seats) { 1: [1, 1], else: [1, 2] }`"));
        }
    }
}

/// Whether each list that is written down can say who answers for whom: no more numbers than players, and no seat left out below the highest.
pub fn check_seat_lists(m: &Model, e: &Expr, out: &mut Report) {
    let named = m.named_players().count();
    walk::visit_exprs(e, &mut |x| {
        let (ExprKind::List(all) | ExprKind::Set(all)) = &*x.kind else { return };
        let numbers: Vec<i32> = all
            .iter()
            .filter_map(|n| if let ExprKind::Int(n) = &*n.kind { Some(*n) } else { None })
            .collect();
        let most = numbers.iter().copied().max().unwrap_or(0);
        let missing = (1..=most).find(|n| !numbers.contains(n));
        let message = match missing {
            _ if numbers.len() > named => format!("there are {} numbers for {named} players", numbers.len()),
            Some(n) => format!("seat {n} answers for nobody"),
            None if numbers.is_empty() => String::from("this list names no seat"),
            None => return,
        };
        out.push(
            Diagnostic::error(codes::ANSWERED, x.span, message)
                .help("write for each player the number of the seat that answers"),
        );
    });
}
