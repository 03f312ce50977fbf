//! Checks what `must leave` tries: the effect of an action up to its first question, while options are enumerated. Lines of a menu (`must minimise`, `no dead ends`) try action after action.
//!
//! So all that it does must be known to whoever is asked: nothing is rolled, shuffled or drawn by lot, nothing hidden is looked at or moved, and no script is run. Rules that the
//! effect calls, and what is attached to them, count. What stands behind a question of the effect itself is not tried.
use super::codes;
use super::leaks::{Guarded, Reported, report_leaks};
use super::look::Look;
use super::taint::{Calls, Lies};
use super::walk;
use crate::hir::*;
use houserule_text::{Diagnostic, Report, Span};
use rustc_hash::FxHashSet as HashSet;
use std::rc::Rc;

/// Judges every action that something must be left by.
pub fn check_tried(model: &Model, out: &mut Report) {
    let calls = Calls::new(model);
    for (i, a) in model.actions.iter().enumerate() {
        let id = ActionId(i as u32);
        let own = a.head.iter().find_map(|h| if let HeadStep::MustLeave(g) = h { Some(g) } else { None });
        let menus = || a.menus.iter().filter_map(|m| model.menus.get(m.index()));
        let by_lines = |m: &Menu| m.best.as_ref().map(|b| b.span).or(m.no_dead_ends.as_ref().map(|d| d.0));
        let by_menu = |m: &Menu| m.leaves.first().map(|g| g.span).or_else(|| by_lines(m));
        let Some(must) = own.map(|g| g.span).or_else(|| menus().find_map(by_menu)) else { continue };
        let mut t = TrialCheck {
            model,
            calls: &calls,
            must,
            seen: HashSet::default(),
            chance: Vec::new(),
            told: Reported::default(),
            out,
        };
        let mut look = Look::new(&calls, [a.me]);
        for s in &a.head {
            match s {
                HeadStep::Let(l, e) => {
                    let lies = look.look_at(e);
                    look.bind(*l, lies);
                }
                HeadStep::MustLeave(g) => {
                    look.look_at(&g.cond);
                }
                HeadStep::Needs(_) => {}
            }
        }
        t.go_through_block(&mut look, &a.body);
        t.report_reads(&mut look);
        let values = || menus().flat_map(|m| &m.best).flat_map(|b| &b.values);
        for e in menus().flat_map(|m| &m.leaves).map(|g| &g.cond).chain(values()) {
            let mut look = Look::new(&calls, [LocalId(0)]);
            look.look_at(e);
            t.report_reads(&mut look);
        }
        let menus = a.menus.clone();
        t.go_through_attached(&|target| match target {
            Target::Action(x) => x == id,
            Target::Menu(m) => menus.contains(&m),
            _ => false,
        });
        t.finish();
    }
}

struct TrialCheck<'a, 'o> {
    model: &'a Model,
    calls: &'o Rc<Calls<'a>>,
    /// Where `must leave` stands.
    must: Span,
    seen: HashSet<RuleId>,
    chance: Vec<Span>,
    told: Reported,
    out: &'o mut Report,
}

impl<'a> TrialCheck<'a, '_> {
    /// Looks through a block; false behind what asks somebody.
    fn go_through_block(&mut self, look: &mut Look<'a>, b: &'a Block) -> bool {
        for s in b {
            let does = s.kind.does();
            let es = does.exprs;
            for e in &es {
                self.look_at_expr(look, e);
            }
            let asked = es.iter().any(|e| {
                walk::any_expr(
                    e,
                    &mut |e| matches!(&*e.kind, ExprKind::Choose(c) if matches!(c.by, Chooser::Player(_))),
                )
            });
            if asked || does.asks {
                return false;
            }
            match &s.kind {
                StmtKind::Let(l, e) | StmtKind::For(l, e, _) => {
                    let lies = look.look_at(e);
                    look.bind(*l, lies);
                }
                StmtKind::Call(r, by, args) => self.go_through_rule(look, *r, by.as_ref(), args),
                StmtKind::CallHook(h, _) => look.hooks.push((*h, s.span)),
                _ => {}
            }
            if does.draws {
                self.chance.push(s.span);
            }
            for x in does.handles.into_iter().filter(|_| does.moves) {
                self.note_moved(look, x);
            }
            for b in does.blocks {
                self.go_through_block(look, b);
            }
        }
        true
    }

    fn look_at_expr(&mut self, look: &mut Look<'a>, e: &'a Expr) {
        look.look_at(e);
        walk::visit_exprs(e, &mut |e| match &*e.kind {
            ExprKind::Choose(c) if matches!(c.by, Chooser::Chance) => self.chance.push(e.span),
            ExprKind::Roll(_) => self.chance.push(e.span),
            ExprKind::Rule(r, by, args) => self.go_through_rule(look, *r, by.as_ref(), args),
            _ => {}
        });
    }

    /// What lies hidden and is moved may lie open then, and decide.
    fn note_moved(&mut self, look: &mut Look<'a>, what: &Expr) {
        if let lies @ (Lies::In(_) | Lies::Boxed(_)) = look.look_at(what) {
            look.note_leak(lies, what.span, "the face, by moving it,");
        }
    }

    fn go_through_rule(&mut self, outer: &mut Look<'a>, r: RuleId, by: Option<&'a Expr>, args: &'a [Expr]) {
        if !self.seen.insert(r) {
            return;
        }
        let model = self.model;
        let Some(rule) = model.rules.get(r.index()) else { return };
        let fills = model.members.iter().flat_map(|m| &m.rule_fills).filter(|(x, _)| *x == r);
        for body in rule.body.body.iter().chain(fills.map(|(_, b)| &b.body)) {
            let mut look = Look::new(self.calls, by.is_none().then_some(rule.me));
            for (i, x) in args.iter().enumerate() {
                let lies = outer.look_at(x);
                look.bind(LocalId(i as u32), lies);
            }
            self.go_through_block(&mut look, body);
            self.report_reads(&mut look);
        }
        self.go_through_attached(&|target| target == Target::Rule(r));
    }

    /// What is attached to what is tried.
    fn go_through_attached(&mut self, to: &dyn Fn(Target) -> bool) {
        let model = self.model;
        for a in &model.attachments {
            let (AttachKind::Before(b) | AttachKind::After(b) | AttachKind::Instead(b)) = &a.what else {
                continue;
            };
            if a.heads.iter().any(|h| to(h.target)) {
                let mut look = Look::new(self.calls, a.me.into_iter().chain(a.owner));
                self.go_through_block(&mut look, b);
                self.report_reads(&mut look);
            }
        }
    }

    fn report_reads(&mut self, look: &mut Look<'a>) {
        report_leaks(self.model, look, Guarded::Option, &mut self.told, self.out);
    }

    fn finish(&mut self) {
        for span in std::mem::take(&mut self.chance) {
            self.out.push(
                Diagnostic::error(codes::TRIED, span, "`must leave` tries this effect, so the effect cannot use chance")
                    .label("tried while the options are collected")
                    .also(self.must, "it is tried because of this")
                    .help("write `needs` with a condition before the effect instead, or ask a player before the chance"),
            );
        }
    }
}
