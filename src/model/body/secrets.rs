//! Names worked out from secrets and still used behind a question: whoever guesses at what is hidden must go back to before the name was worked out.
//!
//! A component's number is no secret, so a name for a card or a set of cards is not meant; a name for what is printed on a hidden one is.
use super::codes;
use super::guards::{Leak, Look};
use super::walk;
use crate::model::hir::*;
use crate::text::{Diagnostic, Report, Span};
use std::collections::HashSet;

/// Judges every block of the game.
pub fn check(model: &Model, out: &mut Report) {
    let asking = asking(model);
    every_block(model, &mut |b| {
        let mut w = Watch { model, asking: &asking, kept: Vec::new(), told: HashSet::new(), out };
        w.block(b);
    });
}

/// The rules that may ask somebody, by themselves or by what they call.
fn asking(model: &Model) -> HashSet<RuleId> {
    let mut found: HashSet<RuleId> = HashSet::new();
    loop {
        let before = found.len();
        for (i, r) in model.rules.iter().enumerate() {
            let id = RuleId(i as u32);
            let own = r.body.body.as_ref().is_some_and(|b| asks(b, &found));
            let filled = || {
                model
                    .members
                    .iter()
                    .flat_map(|m| &m.rule_fills)
                    .any(|(r, b)| *r == id && asks(&b.body, &found))
            };
            if !found.contains(&id) && (own || filled()) {
                found.insert(id);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn asks(b: &[Stmt], rules: &HashSet<RuleId>) -> bool {
    let mut out = false;
    walk::every_stmt(b, &mut |s| out |= stmt_asks(s, rules));
    walk::every_in(b, &mut |e| out |= expr_asks(e, rules));
    out
}

/// Whether the statement itself asks (its expressions and blocks apart).
fn stmt_asks(s: &Stmt, rules: &HashSet<RuleId>) -> bool {
    match &s.kind {
        StmtKind::Offer(..) | StmtKind::May(_) | StmtKind::Either(_) => true,
        StmtKind::Call(r, ..) => rules.contains(r),
        _ => false,
    }
}

fn expr_asks(e: &Expr, rules: &HashSet<RuleId>) -> bool {
    match &*e.kind {
        ExprKind::Choose(c) => matches!(c.by, Chooser::Player(_)),
        ExprKind::Rule(r, ..) => rules.contains(r),
        _ => false,
    }
}

/// A name worked out from a secret.
struct Kept {
    local: LocalId,
    leak: Leak,
    bound: Span,
    /// The first question behind it.
    question: Option<Span>,
}

struct Watch<'a> {
    model: &'a Model,
    asking: &'a HashSet<RuleId>,
    kept: Vec<Kept>,
    told: HashSet<LocalId>,
    out: &'a mut Report,
}

impl Watch<'_> {
    fn block(&mut self, b: &[Stmt]) {
        for s in b {
            let (es, bs) = walk::inside(s);
            for e in &es {
                self.uses(e);
            }
            if stmt_asks(s, self.asking)
                || es.iter().any(|e| walk::any(e, &mut |e| expr_asks(e, self.asking)))
            {
                for k in &mut self.kept {
                    k.question.get_or_insert(s.span);
                }
            }
            if let StmtKind::Let(l, e) = &s.kind {
                self.named(*l, e, s.span);
            }
            // What is asked in one way of a branch is behind what stands after it.
            for b in bs {
                self.block(b);
            }
        }
    }

    fn named(&mut self, l: LocalId, e: &Expr, bound: Span) {
        let secret = matches!(
            e.ty,
            Ty::Int(..)
                | Ty::Bool
                | Ty::Face(_)
                | Ty::Text
                | Ty::Maybe(_)
                | Ty::Set(_)
                | Ty::List(_)
                | Ty::Of(_)
        );
        // What somebody has chosen was told by the answer.
        let chosen = walk::any(e, &mut |e| matches!(&*e.kind, ExprKind::Choose(_)));
        if !secret || chosen {
            return;
        }
        let mut look = Look::new(self.model, []);
        look.look(e);
        if let Some(leak) = look.leaks.into_iter().next() {
            self.kept.push(Kept { local: l, leak, bound, question: None });
        }
    }

    fn uses(&mut self, e: &Expr) {
        let mut used = Vec::new();
        walk::every(e, &mut |e| {
            if let ExprKind::Local(l) = &*e.kind {
                used.push((*l, e.span));
            }
        });
        for (l, span) in used {
            let Some(k) = self.kept.iter().find(|k| k.local == l) else { continue };
            let Some(question) = k.question else { continue };
            if !self.told.insert(l) {
                continue;
            }
            let zone =
                self.model.zones.get(k.leak.zone.index()).map(|z| z.name.to_string()).unwrap_or_default();
            self.out.push(
                Diagnostic::warning(
                    codes::SECRET_KEPT,
                    span,
                    format!("this was worked out from {} of what lies hidden in `{zone}`, and a question has been asked since", k.leak.what),
                )
                .label("used behind the question")
                .also(k.bound, "worked out here")
                .also(question, "somebody is asked here")
                .help("work it out again behind the question, or keep it in an attribute with its own `seen by`"),
            );
        }
    }
}

/// Calls `f` with every block of the game (blocks inside blocks not again).
pub fn every_block<'m>(model: &'m Model, f: &mut dyn FnMut(&'m [Stmt])) {
    for r in &model.rules {
        if let Some(b) = &r.body.body {
            f(b);
        }
    }
    for m in &model.members {
        for (_, b) in &m.rule_fills {
            f(&b.body);
        }
    }
    for a in &model.actions {
        f(&a.body);
    }
    for (_, b) in &model.setups {
        f(&b.body);
    }
    if let Some(r) = &model.round {
        f(&r.body.body);
    }
    for z in &model.zones {
        if let Some(b) = &z.refill {
            f(&b.body);
        }
    }
    for a in &model.attachments {
        if let AttachKind::Before(b) | AttachKind::After(b) | AttachKind::Instead(b) = &a.what {
            f(b);
        }
    }
    for t in &model.tests {
        steps(&t.steps, f);
    }
}

fn steps<'m>(all: &'m [TestStep], f: &mut dyn FnMut(&'m [Stmt])) {
    for s in all {
        match &s.kind {
            TestStepKind::Do(s) => f(std::slice::from_ref(s)),
            TestStepKind::For(_, _, b) | TestStepKind::Repeat(_, b) => steps(b, f),
            TestStepKind::If(_, a, b) => {
                steps(a, f);
                steps(b, f);
            }
            _ => {}
        }
    }
}
