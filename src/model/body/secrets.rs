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
    let keeping = keeping(model, &asking);
    every_block(model, &mut |b| {
        let mut w = Watch {
            model,
            asking: &asking,
            keeping: &keeping,
            kept: Vec::new(),
            under: Vec::new(),
            told: HashSet::new(),
            out: Some(out),
        };
        w.block(b);
    });
}

/// Parameters of rules that are used behind a question asked inside, by themselves or by handing them on: (rule, place of the parameter).
fn keeping(model: &Model, asking: &Asking) -> HashSet<(RuleId, usize)> {
    let mut found = HashSet::new();
    loop {
        let before = found.len();
        for id in &asking.rules {
            let Some(rule) = model.rules.get(id.index()) else { continue };
            let bodies = rule.body.body.iter().chain(
                model
                    .members
                    .iter()
                    .flat_map(|m| &m.rule_fills)
                    .filter(|(r, _)| r == id)
                    .map(|(_, b)| &b.body),
            );
            for body in bodies {
                let kept = (0..rule.body.params).map(|i| Kept {
                    local: LocalId(i as u32),
                    leak: None,
                    bound: rule.span,
                    question: None,
                });
                let mut w = Watch {
                    model,
                    asking,
                    keeping: &found,
                    kept: kept.collect(),
                    under: Vec::new(),
                    told: HashSet::new(),
                    out: None,
                };
                w.block(body);
                let told: Vec<usize> =
                    w.told.iter().map(|l| l.index()).filter(|i| *i < rule.body.params).collect();
                found.extend(told.into_iter().map(|i| (*id, i)));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// What may ask somebody.
#[derive(Default, PartialEq, Clone)]
struct Asking {
    /// Rules, by themselves, by what they call or by what is attached to them.
    rules: HashSet<RuleId>,
    /// Effect words, by what is attached to them.
    effects: Vec<EffectWord>,
}

fn asking(model: &Model) -> Asking {
    let mut found = Asking::default();
    loop {
        let before = found.clone();
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
            if !found.rules.contains(&id) && (own || filled()) {
                found.rules.insert(id);
            }
        }
        for a in &model.attachments {
            let (AttachKind::Before(b) | AttachKind::After(b) | AttachKind::Instead(b)) = &a.what else {
                continue;
            };
            if a.may.is_none() && !asks(b, &found) {
                continue;
            }
            for head in &a.heads {
                match head.target {
                    Target::Rule(r) => {
                        found.rules.insert(r);
                    }
                    Target::Effect(w) if !found.effects.contains(&w) => found.effects.push(w),
                    _ => {}
                }
            }
        }
        if found == before {
            return found;
        }
    }
}

fn asks(b: &[Stmt], asking: &Asking) -> bool {
    let mut out = false;
    walk::every_stmt(b, &mut |s| out |= stmt_asks(s, asking));
    walk::every_in(b, &mut |e| out |= expr_asks(e, asking));
    out
}

/// Whether the statement itself asks (its expressions and blocks apart).
fn stmt_asks(s: &Stmt, asking: &Asking) -> bool {
    match &s.kind {
        StmtKind::Offer(..) | StmtKind::May(_) => true,
        StmtKind::Call(r, ..) => asking.rules.contains(r),
        StmtKind::Discard(_) => asking.effects.contains(&EffectWord::Discard),
        StmtKind::Roll(_) => asking.effects.contains(&EffectWord::Roll),
        StmtKind::Shuffle(_) => asking.effects.contains(&EffectWord::Shuffle),
        _ => false,
    }
}

fn expr_asks(e: &Expr, asking: &Asking) -> bool {
    match &*e.kind {
        ExprKind::Choose(c) => matches!(c.by, Chooser::Player(_)),
        ExprKind::Rule(r, ..) => asking.rules.contains(r),
        _ => false,
    }
}

/// A name worked out from a secret, or one that may be.
struct Kept {
    local: LocalId,
    /// The secret; none of a parameter, which may be anything.
    leak: Option<Leak>,
    bound: Span,
    /// The first question behind it.
    question: Option<Span>,
}

struct Watch<'a> {
    model: &'a Model,
    asking: &'a Asking,
    keeping: &'a HashSet<(RuleId, usize)>,
    kept: Vec<Kept>,
    /// Secrets by which it was decided that we are here: what is written down here tells them.
    under: Vec<Leak>,
    /// Names that are used behind a question.
    told: HashSet<LocalId>,
    /// Where it is reported; nowhere while parameters are judged.
    out: Option<&'a mut Report>,
}

impl Watch<'_> {
    fn block(&mut self, b: &[Stmt]) {
        for s in b {
            let (es, bs) = walk::inside(s);
            for e in &es {
                self.uses(e);
            }
            self.handed_on(s, &es);
            if let StmtKind::For(_, over, body) = &s.kind
                && asks(body, self.asking)
                && let Some(leak) = self.secret_in(over)
            {
                self.report(over.span, &leak, over.span, s.span);
            }
            if stmt_asks(s, self.asking)
                || es.iter().any(|e| walk::any(e, &mut |e| expr_asks(e, self.asking)))
            {
                for k in &mut self.kept {
                    k.question.get_or_insert(s.span);
                }
            }
            match &s.kind {
                StmtKind::Let(l, e) => self.named(*l, e, s.span),
                StmtKind::Assign(Lhs::Local(l), _, e) => {
                    self.named(*l, e, s.span);
                    if let Some(leak) = self.under.first().cloned() {
                        self.kept.push(Kept { local: *l, leak: Some(leak), bound: s.span, question: None });
                    }
                }
                _ => {}
            }
            let way = if bs.is_empty() { None } else { es.iter().find_map(|e| self.secret_in(e)) };
            let deep = self.under.len();
            self.under.extend(way);
            // What is asked in one way of a branch is behind what stands after it.
            for b in bs {
                self.block(b);
            }
            self.under.truncate(deep);
        }
    }

    fn named(&mut self, l: LocalId, e: &Expr, bound: Span) {
        let secret = matches!(
            e.ty,
            Ty::Int(..)
                | Ty::Bool
                | Ty::Face(_)
                | Ty::Side(_)
                | Ty::Filter(_)
                | Ty::Text
                | Ty::Maybe(_)
                | Ty::Set(_)
                | Ty::List(_)
                | Ty::Of(_)
        );
        if !secret {
            return;
        }
        if let Some(leak) = self.secret_in(e) {
            self.kept.push(Kept { local: l, leak: Some(leak), bound, question: None });
        }
    }

    /// The first secret that an expression reads.
    fn secret_in(&self, e: &Expr) -> Option<Leak> {
        // What somebody has chosen was told by the answer.
        if walk::any(e, &mut |e| matches!(&*e.kind, ExprKind::Choose(_))) {
            return None;
        }
        let mut look = Look::new(self.model, []);
        look.look(e);
        look.leaks.into_iter().next().or_else(|| {
            // A name for a secret that is still good, or for one that was worked out before: what is made of it is as secret.
            let mut found = None;
            walk::every(e, &mut |e| {
                if let ExprKind::Local(l) = &*e.kind
                    && found.is_none()
                {
                    found = self.kept.iter().find(|k| k.local == *l).and_then(|k| k.leak.clone());
                }
            });
            found
        })
    }

    /// Secrets that are handed to a rule, which asks and uses them then.
    fn handed_on(&mut self, s: &Stmt, es: &[&Expr]) {
        let mut calls: Vec<(RuleId, Vec<Expr>, Span)> = Vec::new();
        if let StmtKind::Call(r, _, args) = &s.kind {
            calls.push((*r, args.clone(), s.span));
        }
        for e in es {
            walk::every(e, &mut |e| {
                if let ExprKind::Rule(r, _, args) = &*e.kind {
                    calls.push((*r, args.clone(), e.span));
                }
            });
        }
        for (rule, args, call) in calls {
            for (_, arg) in args.iter().enumerate().filter(|(i, _)| self.keeping.contains(&(rule, *i))) {
                let known = if let ExprKind::Local(l) = &*arg.kind {
                    self.kept.iter().find(|k| k.local == *l).map(|k| (k.local, k.leak.clone(), k.bound))
                } else {
                    None
                };
                match known {
                    Some((l, leak, bound)) => {
                        if self.told.insert(l)
                            && let Some(leak) = leak
                        {
                            self.report(arg.span, &leak, bound, call);
                        }
                    }
                    None => {
                        if let Some(leak) = self.secret_in(arg) {
                            self.report(arg.span, &leak, arg.span, call);
                        }
                    }
                }
            }
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
            let Some(k) = self.kept.iter().find(|k| k.local == l && k.question.is_some()) else { continue };
            let Some(question) = k.question else { continue };
            if !self.told.insert(l) {
                continue;
            }
            let (leak, bound) = (k.leak.clone(), k.bound);
            if let Some(leak) = leak {
                self.report(span, &leak, bound, question);
            }
        }
    }

    fn report(&mut self, used: Span, leak: &Leak, bound: Span, question: Span) {
        let zone = self.model.zones.get(leak.zone.index()).map(|z| z.name.to_string()).unwrap_or_default();
        let Some(out) = &mut self.out else { return };
        out.push(
            Diagnostic::error(
                codes::SECRET_KEPT,
                used,
                format!("this was worked out from {} of what lies hidden in `{zone}`, and is still used behind a question", leak.what),
            )
            .label("used behind the question")
            .also(bound, "worked out here")
            .also(question, "somebody is asked here")
            .help("work it out again behind the question, or keep the things themselves by name: which they are tells nothing"),
        );
    }
}

/// Calls `f` with every block of the game, its tests included (blocks inside blocks not again).
pub fn every_block<'m>(model: &'m Model, f: &mut dyn FnMut(&'m [Stmt])) {
    rule_blocks(model, f);
    for t in &model.tests {
        steps(&t.steps, f);
    }
}

/// Calls `f` with every block of the game's rules (blocks inside blocks not again).
pub fn rule_blocks<'m>(model: &'m Model, f: &mut dyn FnMut(&'m [Stmt])) {
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
