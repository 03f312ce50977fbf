//! Finds which components may come to the box out of a zone that somebody cannot see. Nobody looks into the box: what was hidden stays hidden there,
//! so what rules read of it may reveal it.
use super::seen::{self, Holds};
use super::taint::{Calls, Flow};
use super::{types, walk};
use crate::hir::*;
use std::collections::BTreeSet;

/// The kinds that may come to the box hidden, each with a zone out of which it comes.
pub fn find(calls: &Calls<'_>) -> Vec<(KindId, ZoneId)> {
    let model = calls.model;
    let mut found = BTreeSet::new();
    let mut note = |flow: &Flow<'_>, b: &[Stmt]| note_block(model, flow, b, &mut BTreeSet::new(), &mut found);
    for a in &model.actions {
        note(&calls.flow_of_action(a), &a.body);
    }
    let of_action = |b: &[Stmt]| model.actions.iter().any(|a| std::ptr::eq(a.body.as_slice(), b));
    walk::visit_rule_blocks(model, &mut |b| {
        if !of_action(b) {
            note(&calls.flow_of_block(b), b);
        }
    });
    found.into_iter().collect()
}

/// Notes what a block brings to the box. `shown` are the zones whose things all have been shown, and to which nothing has come since.
fn note_block(
    model: &Model,
    flow: &Flow<'_>,
    block: &[Stmt],
    shown: &mut BTreeSet<ZoneId>,
    found: &mut BTreeSet<(KindId, ZoneId)>,
) {
    for s in block {
        if let Some(what) = what_is_boxed(model, s) {
            for kind in kinds_of(model, what) {
                let mut from = Sources { model, flow, kind, zones: BTreeSet::new() };
                from.collect(what, 0);
                found.extend(from.zones.difference(shown).map(|z| (kind, *z)));
            }
        }
        for inner in walk::stmt_parts(s).1 {
            let mut then = shown.clone();
            // What a loop does once lies there the next time.
            if !matches!(s.kind, StmtKind::If(..)) {
                walk::visit_stmts(inner, &mut |s| forget_shown(s, &mut then));
            }
            note_block(model, flow, inner, &mut then, found);
        }
        note_shown(model, s, shown);
    }
}

/// Notes what all have been shown behind a statement.
fn note_shown(model: &Model, s: &Stmt, shown: &mut BTreeSet<ZoneId>) {
    match &s.kind {
        StmtKind::Show(x, None) if matches!(&*x.kind, ExprKind::Zone(None, _, None)) => {
            walk::visit_exprs(x, &mut |x| {
                if let ExprKind::Zone(_, z, _) = &*x.kind {
                    shown.insert(*z);
                }
            });
        }
        // The block of a phase with zones, behind which they are emptied.
        StmtKind::Call(r, ..) if walk::rule_calls_with_actors(s).len() == 1 => {
            *shown = shown_by_rule(model, *r);
        }
        _ => walk::visit_stmts(std::slice::from_ref(s), &mut |s| forget_shown(s, shown)),
    }
}

/// The zones whose things all have been shown when a rule ends, wherever it ends.
fn shown_by_rule(model: &Model, r: RuleId) -> BTreeSet<ZoneId> {
    let is_target = |a: &Attachment| a.heads.iter().any(|h| h.target == Target::Rule(r));
    let mut fills = model.members.iter().flat_map(|m| &m.rule_fills);
    let body = model.rules.get(r.index()).and_then(|r| r.body.body.as_ref());
    let mut layered = false;
    walk::visit_rule_blocks(model, &mut |b| {
        walk::visit_stmts(b, &mut |s| layered |= matches!(&s.kind, StmtKind::Attach(a) if is_target(a)));
    });
    let (Some(body), false) = (body, layered || model.attachments.iter().any(is_target)) else {
        return BTreeSet::new();
    };
    if fills.any(|(f, _)| *f == r) {
        return BTreeSet::new();
    }
    let (mut shown, mut early) = (BTreeSet::new(), None::<BTreeSet<ZoneId>>);
    for s in body {
        let mut may_end = false;
        walk::visit_stmts(std::slice::from_ref(s), &mut |s| {
            may_end |= !matches!(
                s.kind,
                StmtKind::Say(_)
                    | StmtKind::Let(..)
                    | StmtKind::Assign(..)
                    | StmtKind::If(..)
                    | StmtKind::For(..)
                    | StmtKind::Everyone(_)
                    | StmtKind::Move(_)
                    | StmtKind::Shuffle(_)
                    | StmtKind::Show(..)
                    | StmtKind::Verdict(..)
            );
        });
        if may_end {
            early = Some(early.map_or_else(|| shown.clone(), |e| &e & &shown));
        }
        match &s.kind {
            StmtKind::Call(..) => shown.clear(),
            _ => note_shown(model, s, &mut shown),
        }
    }
    early.map_or_else(|| shown.clone(), |e| &e & &shown)
}

/// Leaves out the zones to which a statement may bring something that was not shown.
fn forget_shown(s: &Stmt, shown: &mut BTreeSet<ZoneId>) {
    let to_zone = |m: &Move| match &*m.to.kind {
        ExprKind::PlaceOf(_, z, _) => Some(Some(*z)),
        ExprKind::Box(_) => Some(None),
        _ => None,
    };
    let calls = !walk::rule_calls_with_actors(s).is_empty();
    match &s.kind {
        StmtKind::Say(_)
        | StmtKind::Let(..)
        | StmtKind::Assign(..)
        | StmtKind::If(..)
        | StmtKind::For(..)
        | StmtKind::Verdict(..)
            if !calls => {}
        StmtKind::Move(m) if !calls && to_zone(m).is_some() => {
            if let Some(z) = to_zone(m).flatten() {
                shown.remove(&z);
            }
        }
        _ => shown.clear(),
    }
}

/// The kinds of things that an expression gives.
fn kinds_of(model: &Model, e: &Expr) -> Vec<KindId> {
    let plain = types::plain(&e.ty);
    types::kinds_of(&types::element(model, &plain).unwrap_or(plain))
}

/// What a statement brings to the box.
fn what_is_boxed<'m>(model: &Model, s: &'m Stmt) -> Option<&'m Expr> {
    let is_box = |e: &Expr| walk::any_expr(e, &mut |x| matches!(&*x.kind, ExprKind::Box(_)));
    match &s.kind {
        StmtKind::Move(m) if is_box(&m.to) => Some(&m.what),
        StmtKind::Discard(x) => {
            let kinds = kinds_of(model, x);
            let discards = |k: &Kind| k.discards.iter().any(|(_, to)| is_box(&to.body));
            let related = |i: u32| {
                kinds.iter().any(|k| types::is_a(model, KindId(i), *k) || types::is_a(model, *k, KindId(i)))
            };
            let to_box = (0u32..).zip(&model.kinds).any(|(i, k)| related(i) && discards(k));
            to_box.then_some(x)
        }
        _ => None,
    }
}

/// Collects the zones that somebody cannot see, or in which things may lie face down, out of which components may come.
struct Sources<'a> {
    model: &'a Model,
    flow: &'a Flow<'a>,
    kind: KindId,
    zones: BTreeSet<ZoneId>,
}

impl Sources<'_> {
    fn collect(&mut self, e: &Expr, depth: usize) {
        let component = |ty: &Ty| {
            let element = types::element(self.model, &types::plain(ty)).unwrap_or_else(|| types::plain(ty));
            types::kinds_of(&element).iter().any(|k| types::is_component(self.model, *k))
        };
        let mut anywhere = false;
        let mut zones = Vec::new();
        let mut names = Vec::new();
        walk::visit_exprs(e, &mut |x| match &*x.kind {
            ExprKind::Zone(_, z, _) | ExprKind::PlaceOf(_, z, _) => zones.push(*z),
            ExprKind::Local(l) if component(&x.ty) => names.push(*l),
            ExprKind::All(_) | ExprKind::Attr(..) | ExprKind::TableAttr(_) if component(&x.ty) => {
                anywhere = true
            }
            ExprKind::Value(..) | ExprKind::Rule(..) | ExprKind::Hook(..) if component(&x.ty) => {
                anywhere = true
            }
            _ => {}
        });
        for l in names {
            match self.flow.made.get(&l) {
                Some(made) if depth < 16 => made.iter().for_each(|d| self.collect(d.from, depth + 1)),
                // The variable of a filter is one of what is filtered; a parameter of a rule may lie anywhere.
                _ => anywhere |= depth < 16 && !is_bound_within(e, l),
            }
        }
        if anywhere {
            let related =
                |h: &KindId| types::is_a(self.model, *h, self.kind) || types::is_a(self.model, self.kind, *h);
            let all = (0u32..).zip(&self.model.zones).filter(|(_, z)| z.holds.iter().any(related));
            zones.extend(all.map(|(i, _)| ZoneId(i)));
        }
        let is_hidden = |z: &ZoneId| {
            self.model.zones.get(z.index()).is_some_and(|zone| {
                !seen::is_seen(self.model, zone, Holds::Unknown) || self.model.face_down.contains(z)
            })
        };
        self.zones.extend(zones.into_iter().filter(is_hidden));
    }
}

/// Whether a name is the variable of a filter or fold within an expression.
fn is_bound_within(e: &Expr, l: LocalId) -> bool {
    walk::any_expr(e, &mut |x| match &*x.kind {
        ExprKind::Where(_, v, _) | ExprKind::Let(v, ..) => *v == l,
        ExprKind::Fold(f) => f.var == l,
        ExprKind::Choose(_) => true,
        _ => false,
    })
}
