//! Which answers the rules write down where not everybody may read: a die's value, an attribute on the front of a component; and with which they do nothing.
//!
//! The log tells such an answer to those who answered; the change that follows tells the others what they may see. Example:
//!
//! ```text
//! let d = choose one of my.dice "Turn which die?"
//! d.value = choose one of 1..6 "To which value?"      # sealed: who sees the die reads the value when it is turned
//! ```
use super::walk;
use crate::model::hir::*;
use crate::text::Span;
use std::collections::HashSet;

/// The sealed answers of a game.
#[derive(Clone, Default, Debug)]
pub struct Sealed {
    /// Where the `choose` expressions stand.
    pub choices: HashSet<Span>,
    /// Parameters of actions, by their locals.
    pub params: HashSet<(ActionId, LocalId)>,
    /// Where the `choose` expressions stand with whose answer the rules do nothing: what happens to it later tells nobody that it was chosen.
    pub idle: HashSet<Span>,
}

/// Finds the sealed answers.
pub fn find(model: &Model) -> Sealed {
    let mut out = Sealed::default();
    let rules = sealed_parameters(model);
    walk::every_block(model, &mut |b| {
        walk::every_stmt(b, &mut |s| {
            if let StmtKind::For(l, e, _) | StmtKind::Let(l, e) = &s.kind
                && matches!(&*e.kind, ExprKind::Choose(_))
                && !acts_on(model, b, *l)
            {
                out.idle.insert(e.span);
            }
        });
        let mut w = Writes { model, rules: &rules, locals: HashSet::new() };
        w.block(b);
        walk::every_stmt(b, &mut |s| {
            let (es, _) = walk::inside(s);
            let into_local = matches!(&s.kind, StmtKind::Let(l, _) | StmtKind::Assign(Lhs::Local(l), ..) if w.locals.contains(l));
            if into_local || w.is_hidden(s) {
                for e in es {
                    note_choices(e, &mut out.choices);
                }
            }
            for (r, args) in walk::calls(s) {
                for (_, e) in args.iter().enumerate().filter(|(i, _)| rules.contains(&(r, *i))) {
                    note_choices(e, &mut out.choices);
                }
            }
        });
    });
    for (i, a) in model.actions.iter().enumerate() {
        let mut w = Writes { model, rules: &rules, locals: HashSet::new() };
        w.block(&a.body);
        let id = ActionId(i as u32);
        out.params.extend(a.params.iter().map(|p| p.local).filter(|l| w.locals.contains(l)).map(|l| (id, l)));
    }
    out
}

/// Whether a block does anything with what a name stands for but look at it.
pub fn acts_on(model: &Model, block: &[Stmt], l: LocalId) -> bool {
    let is = |e: &Expr| walk::any(e, &mut |x| matches!(&*x.kind, ExprKind::Local(y) if *y == l));
    let is_thing =
        |e: &Expr| super::types::kinds_of(&e.ty).iter().any(|k| super::types::is_component(model, *k));
    let mut found = false;
    walk::every_stmt(block, &mut |s| {
        found |= match &s.kind {
            StmtKind::Move(m) => is(&m.what),
            StmtKind::Discard(x)
            | StmtKind::Roll(x)
            | StmtKind::Flip(x, _)
            | StmtKind::Show(x, _)
            | StmtKind::Becomes(x, _)
            | StmtKind::Assign(Lhs::Attr(x, _) | Lhs::DieValue(x), ..) => is(x),
            StmtKind::Swap(x, y) => is(x) || is(y),
            StmtKind::Let(_, x) | StmtKind::For(_, x, _) => is_thing(x) && is(x),
            StmtKind::Call(_, _, args) | StmtKind::CallHook(_, args) => args.iter().any(is),
            _ => false,
        };
    });
    walk::every_in(block, &mut |e| {
        found |= matches!(&*e.kind, ExprKind::Rule(_, _, args) if args.iter().any(is));
    });
    found
}

fn note_choices(e: &Expr, out: &mut HashSet<Span>) {
    walk::every(e, &mut |x| {
        if let ExprKind::Choose(_) = &*x.kind {
            out.insert(x.span);
        }
    });
}

/// Parameters of rules that are written down hidden, by their place.
fn sealed_parameters(model: &Model) -> HashSet<(RuleId, usize)> {
    let mut found = HashSet::new();
    loop {
        let before = found.len();
        for (i, r) in model.rules.iter().enumerate() {
            let id = RuleId(i as u32);
            let fills = model.members.iter().flat_map(|m| &m.rule_fills).filter(|(f, _)| *f == id);
            let mut sealed = HashSet::new();
            for body in r.body.body.iter().chain(fills.map(|(_, b)| &b.body)) {
                let mut w = Writes { model, rules: &found, locals: HashSet::new() };
                w.block(body);
                sealed.extend(w.locals);
            }
            found.extend(sealed.iter().map(|l| l.index()).filter(|l| *l < r.body.params).map(|l| (id, l)));
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Locals that reach a hidden place.
struct Writes<'a> {
    model: &'a Model,
    rules: &'a HashSet<(RuleId, usize)>,
    locals: HashSet<LocalId>,
}

impl Writes<'_> {
    /// Goes through a block until nothing more is found: a name may be written down through another.
    fn block(&mut self, b: &[Stmt]) {
        loop {
            let before = self.locals.len();
            walk::every_stmt(b, &mut |s| {
                let written = match &s.kind {
                    StmtKind::Let(l, e) | StmtKind::Assign(Lhs::Local(l), _, e)
                        if self.locals.contains(l) =>
                    {
                        Some(e)
                    }
                    StmtKind::Assign(_, _, e) if self.is_hidden(s) => Some(e),
                    _ => None,
                };
                if let Some(e) = written {
                    self.numbers_in(e);
                }
                for (r, args) in walk::calls(s) {
                    for (i, e) in args.iter().enumerate() {
                        if self.rules.contains(&(r, i)) {
                            self.numbers_in(e);
                        }
                    }
                }
            });
            if self.locals.len() == before {
                return;
            }
        }
    }

    fn numbers_in(&mut self, e: &Expr) {
        walk::every(e, &mut |x| {
            if let ExprKind::Local(l) = &*x.kind {
                self.locals.insert(*l);
            }
        });
    }

    /// Whether a statement writes where not everybody may read.
    fn is_hidden(&self, s: &Stmt) -> bool {
        match &s.kind {
            StmtKind::Assign(Lhs::DieValue(_), ..) => true,
            StmtKind::Assign(Lhs::Attr(_, a), ..) => self.model.attrs.get(a.index()).is_some_and(|a| {
                let hides = |z: &Zone, k: KindId| !matches!(z.seen, Seen::All) && z.holds.contains(&k);
                a.side == AttrSide::Front
                    && a.of.is_some_and(|k| {
                        super::types::is_component(self.model, k)
                            && self.model.zones.iter().any(|z| hides(z, k))
                    })
            }),
            _ => false,
        }
    }
}
