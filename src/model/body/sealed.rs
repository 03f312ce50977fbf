//! Finds sealed answers: those that the rules write where not all players may read (a die's value, an attribute on the front of a component), and those that the rules
//! do not always use. The log shows such an answer only to the players who gave it; the others see the change that follows, as far as they may. Example:
//!
//! ```text
//! let d = choose one of my.dice "Turn which die?"
//! d.value = choose one of 1..6 "To which value?"      # sealed: players who see the die read the value when it is turned
//! ```
use super::walk;
use crate::hir::*;
use houserule_text::Span;
use rustc_hash::FxHashSet as HashSet;

/// The sealed answers of a game.
#[derive(Clone, Default, Debug)]
pub struct Sealed {
    /// Where the `choose` expressions stand.
    pub choices: HashSet<Span>,
    /// Parameters of actions, by their locals.
    pub params: HashSet<(ActionId, LocalId)>,
    /// Where the `choose` expressions stand whose answer the rules do not always use: a later event does not show that it was chosen.
    pub idle: HashSet<Span>,
}

/// Finds the sealed answers.
pub fn find(model: &Model) -> Sealed {
    let mut out = Sealed::default();
    let rules = sealed_parameters(model);
    walk::visit_blocks(model, &mut |b| {
        note_idle(model, b, &mut out.idle);
        let mut w = Writes { model, rules: &rules, locals: HashSet::default() };
        w.go_through_block(b);
        walk::visit_stmts(b, &mut |s| {
            let (es, _) = walk::stmt_parts(s);
            let into_local = matches!(&s.kind, StmtKind::Let(l, _) | StmtKind::Assign(Lhs::Local(l), ..) if w.locals.contains(l));
            if into_local || w.is_hidden(s) {
                for e in es {
                    note_choices(e, &mut out.choices);
                }
            }
            for (r, args) in walk::rule_calls(s) {
                for (_, e) in args.iter().enumerate().filter(|(i, _)| rules.contains(&(r, *i))) {
                    note_choices(e, &mut out.choices);
                }
            }
        });
    });
    for (i, a) in model.actions.iter().enumerate() {
        let mut w = Writes { model, rules: &rules, locals: HashSet::default() };
        w.go_through_block(&a.body);
        let id = ActionId(i as u32);
        out.params.extend(a.params.iter().map(|p| p.local).filter(|l| w.locals.contains(l)).map(|l| (id, l)));
    }
    out
}

/// Notes the questions of a block, and of the blocks in it, whose answers the rules do not always do something with.
fn note_idle(model: &Model, block: &[Stmt], out: &mut HashSet<Span>) {
    for (i, s) in block.iter().enumerate() {
        let answer = match &s.kind {
            StmtKind::Let(l, e) => Some((l, e, block.get(i + 1..).unwrap_or(&[]))),
            StmtKind::For(l, e, b) => Some((l, e, b.as_slice())),
            _ => None,
        };
        if let Some((l, e, rest)) = answer
            && matches!(&*e.kind, ExprKind::Choose(_))
            && !always_acts_on(model, rest, *l)
        {
            out.insert(e.span);
        }
        for b in walk::stmt_parts(s).1 {
            note_idle(model, b, out);
        }
    }
}

/// Whether a block does more with what a name stands for than look at it, whichever way it takes: moves it, turns it, shows it, writes on it.
pub fn always_acts_on(model: &Model, block: &[Stmt], l: LocalId) -> bool {
    Acts { model, depth: 0 }.is_acting_in_block(block, &mut vec![l])
}

/// How deep calls of rules are followed.
const DEPTH: u8 = 8;

/// Looks for what is done with names on every way through a block.
struct Acts<'a> {
    model: &'a Model,
    depth: u8,
}

impl Acts<'_> {
    /// Whether something is done with one of the names before the block can end.
    fn is_acting_in_block(&self, block: &[Stmt], names: &mut Vec<LocalId>) -> bool {
        let known = names.len();
        let mut acts = false;
        for s in block {
            if self.is_acting_in_stmt(s, names) {
                acts = true;
                break;
            }
            // Another name for the same thing.
            if let StmtKind::Let(l, e) = &s.kind
                && is_naming(e, names)
            {
                names.push(*l);
            }
            if can_end(s) {
                break;
            }
        }
        names.truncate(known);
        acts
    }

    fn is_acting_in_stmt(&self, s: &Stmt, names: &mut Vec<LocalId>) -> bool {
        match &s.kind {
            StmtKind::If(_, a, b) => self.is_acting_in_block(a, names) && self.is_acting_in_block(b, names),
            StmtKind::For(l, e, b) if is_naming(e, names) => self.is_acting_in_block(b, &mut vec![*l]),
            StmtKind::As(_, _, b) | StmtKind::Until(_, b) => self.is_acting_in_block(b, names),
            StmtKind::Call(r, _, args) => self.is_acting_in_call(*r, args, names),
            StmtKind::CallHook(_, args) => args.iter().any(|x| is_naming(x, names)),
            StmtKind::Let(_, e)
            | StmtKind::Assign(Lhs::Local(_) | Lhs::TableAttr(_), _, e)
            | StmtKind::Give(e) => match &*e.kind {
                ExprKind::Rule(r, _, args) => self.is_acting_in_call(*r, args, names),
                _ => false,
            },
            k => k.does().handles.into_iter().any(|x| is_naming(x, names)),
        }
    }

    /// Whether a rule does something with one of these arguments, whatever face fills it in.
    fn is_acting_in_call(&self, r: RuleId, args: &[Expr], names: &[LocalId]) -> bool {
        let Some(rule) = self.model.rules.get(r.index()).filter(|_| self.depth < DEPTH) else { return false };
        let inner = Acts { model: self.model, depth: self.depth + 1 };
        let bodies: Vec<&Block> = rule.body.body.iter().chain(self.model.fills_of(r)).collect();
        let mut given = args.iter().enumerate().filter(|(_, x)| is_naming(x, names));
        given.any(|(i, _)| {
            !bodies.is_empty()
                && bodies.iter().all(|b| inner.is_acting_in_block(b, &mut vec![LocalId(i as u32)]))
        })
    }
}

/// Whether an expression is what one of the names stands for, or a set or list that holds it.
fn is_naming(e: &Expr, names: &[LocalId]) -> bool {
    match &*e.kind {
        ExprKind::Local(l) => names.contains(l),
        ExprKind::Set(all) | ExprKind::List(all) => all.iter().any(|x| is_naming(x, names)),
        ExprKind::Union(a, b) => is_naming(a, names) || is_naming(b, names),
        ExprKind::If(_, a, b) => is_naming(a, names) && is_naming(b, names),
        _ => false,
    }
}

/// Whether the rule can end within a statement.
fn can_end(s: &Stmt) -> bool {
    let does = s.kind.does();
    does.leaves || does.blocks.into_iter().any(|b| b.iter().any(can_end))
}

fn note_choices(e: &Expr, out: &mut HashSet<Span>) {
    walk::visit_exprs(e, &mut |x| {
        if let ExprKind::Choose(_) = &*x.kind {
            out.insert(x.span);
        }
    });
}

/// Parameters of rules that are written down hidden, by their place.
fn sealed_parameters(model: &Model) -> HashSet<(RuleId, usize)> {
    let mut found = HashSet::default();
    loop {
        let before = found.len();
        for (i, r) in model.rules.iter().enumerate() {
            let id = RuleId(i as u32);
            let fills = model.members.iter().flat_map(|m| &m.rule_fills).filter(|(f, _)| *f == id);
            let mut sealed = HashSet::default();
            for body in r.body.body.iter().chain(fills.map(|(_, b)| &b.body)) {
                let mut w = Writes { model, rules: &found, locals: HashSet::default() };
                w.go_through_block(body);
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
    fn go_through_block(&mut self, b: &[Stmt]) {
        loop {
            let before = self.locals.len();
            walk::visit_stmts(b, &mut |s| {
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
                    self.note_numbers_in(e);
                }
                for (r, args) in walk::rule_calls(s) {
                    for (i, e) in args.iter().enumerate() {
                        if self.rules.contains(&(r, i)) {
                            self.note_numbers_in(e);
                        }
                    }
                }
            });
            if self.locals.len() == before {
                return;
            }
        }
    }

    fn note_numbers_in(&mut self, e: &Expr) {
        walk::visit_exprs(e, &mut |x| {
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
