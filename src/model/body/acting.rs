//! Reports calls of rules that need an acting player from places where nobody acts: the set-up, a round, a zone's `refill`.
//!
//! ```text
//! rule harvest() { my.coins += 1 }
//! round { harvest() }                                    # E0259
//! round { for p in players { as p { harvest() } } }      # as it should be
//! ```
use super::{codes, walk};
use crate::hir::*;
use houserule_text::{Diagnostic, Report, Span};
use rustc_hash::FxHashMap as HashMap;

/// Reports the calls of such rules where nobody acts.
pub fn check_acting(model: &Model, out: &mut Report) {
    let mut acting = Acting { model, needy: HashMap::default(), guarded: HashMap::default() };
    while acting.find_more() {}
    let setups = model.setups.iter().map(|(_, b)| (&b.body, "nobody acts in the set-up"));
    let round = model.round.iter().map(|r| (&r.body.body, "nobody acts in the round itself"));
    let refills = model.zones.iter().filter_map(|z| model.rules.get(z.refill?.index())?.body.body.as_ref());
    let refills = refills.map(|b| (b, "nobody acts in `refill`"));
    for (block, why) in setups.chain(round).chain(refills) {
        acting.visit_calls(block, &mut |rule, span, how| {
            let Some(reads) = acting.rules_with(how).get(&rule) else { return };
            let name = model.rules.get(rule.index()).map_or("", |r| &*r.name);
            let message = format!("{why}, but `{name}` needs a player who acts");
            out.push(
                Diagnostic::error(codes::NO_ME, span, message)
                    .label("nobody acts here")
                    .also(*reads, "this uses `me`")
                    .help("write who acts: `as p { … }`; or give the rule a parameter `p: player` and use it instead of `me`"),
            );
        });
    }
}

/// What of a rule is worked out.
#[derive(Clone, Copy)]
enum How {
    /// All of it.
    Runs,
    /// Its guards: `can rule()`.
    Guards,
}

struct Acting<'m> {
    model: &'m Model,
    /// Rules that ask who acts, by themselves or through what they call or what is attached to them; with the place.
    needy: HashMap<RuleId, Span>,
    /// Rules whose guards or prohibitions do.
    guarded: HashMap<RuleId, Span>,
}

impl Acting<'_> {
    fn rules_with(&self, how: How) -> &HashMap<RuleId, Span> {
        match how {
            How::Runs => &self.needy,
            How::Guards => &self.guarded,
        }
    }

    /// Looks for more such rules; whether any was found.
    fn find_more(&mut self) -> bool {
        let before = self.needy.len() + self.guarded.len();
        for (i, rule) in self.model.rules.iter().enumerate() {
            let id = RuleId(i as u32);
            let fills = self.model.members.iter().flat_map(|m| &m.rule_fills).filter(|(r, _)| *r == id);
            let bodies = rule.body.body.iter().map(|b| (b, rule.me));
            // The rule of a member has the locals of the rule that it fills.
            let bodies: Vec<_> = bodies.chain(fills.map(|(_, b)| (&b.body, rule.me))).collect();
            let on = |a: &&Attachment| a.heads.iter().any(|h| h.target == Target::Rule(id));
            let attached = || self.model.attachments.iter().filter(on);
            let runs = bodies
                .iter()
                .find_map(|(b, me)| self.find_in(&[], b, *me))
                .or_else(|| attached().find_map(|a| self.find_in_attachment(a)));
            let guards = bodies
                .iter()
                .find_map(|(b, me)| self.find_in(&[], leading_guards(b), *me))
                .or_else(|| attached().filter(|a| is_forbidding(a)).find_map(|a| self.find_in_attachment(a)));
            if let Some(span) = runs {
                self.needy.entry(id).or_insert(span);
            }
            if let Some(span) = guards {
                self.guarded.entry(id).or_insert(span);
            }
        }
        self.needy.len() + self.guarded.len() > before
    }

    /// Where an attachment asks who acts. One with `by` is in force only where somebody does.
    fn find_in_attachment(&self, a: &Attachment) -> Option<Span> {
        let me = a.me.filter(|_| a.by.is_none())?;
        let (exprs, blocks) = walk::attachment_parts(a);
        let none: &[Stmt] = &[];
        self.find_in(&exprs, blocks.first().map_or(none, |b| b.as_slice()), me)
    }

    /// Finds where expressions and statements need the acting player.
    fn find_in(&self, exprs: &[&Expr], block: &[Stmt], me: LocalId) -> Option<Span> {
        let mut found = None;
        let mut read = |e: &Expr| match &*e.kind {
            ExprKind::Local(l) if *l == me => found = found.or(Some(e.span)),
            _ => {}
        };
        exprs.iter().for_each(|e| walk::visit_exprs(e, &mut read));
        walk::visit_block_exprs(block, &mut read);
        let mut call = |r: RuleId, span: Span, how: How| {
            if found.is_none() && self.rules_with(how).contains_key(&r) {
                found = Some(span);
            }
        };
        exprs.iter().for_each(|e| visit_calls_in(e, &mut call));
        self.visit_calls(block, &mut call);
        found
    }

    /// Visits the calls of rules that keep the acting player.
    fn visit_calls(&self, block: &[Stmt], f: &mut dyn FnMut(RuleId, Span, How)) {
        for s in block {
            if let StmtKind::Call(r, None, _) = &s.kind {
                f(*r, s.span, How::Runs);
            }
            let (exprs, blocks) = walk::stmt_parts(s);
            exprs.iter().for_each(|e| visit_calls_in(e, f));
            if !matches!(s.kind, StmtKind::As(..) | StmtKind::May(_) | StmtKind::Everyone(_)) {
                blocks.iter().for_each(|b| self.visit_calls(b, f));
            }
        }
    }
}

/// The guards at the head of a rule.
fn leading_guards(block: &[Stmt]) -> &[Stmt] {
    let n = block.iter().take_while(|s| matches!(s.kind, StmtKind::Let(..) | StmtKind::Needs(_))).count();
    block.get(..n).unwrap_or(&[])
}

fn is_forbidding(a: &Attachment) -> bool {
    matches!(a.what, AttachKind::Forbid(_))
}

/// Visits the calls of rules in an expression that keep the acting player.
fn visit_calls_in(e: &Expr, f: &mut dyn FnMut(RuleId, Span, How)) {
    walk::visit_exprs(e, &mut |x| match &*x.kind {
        ExprKind::Rule(r, None, _) => f(*r, x.span, How::Runs),
        ExprKind::CanRule(r, None, _) => f(*r, x.span, How::Guards),
        _ => {}
    });
}
