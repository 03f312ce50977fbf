//! What a phase remembers while it runs, `has x: T = e` in its block, and its zones, `has zone z: K`; `PHASE.x` in whatever it calls.
//!
//! ```text
//! phase fight(p: player) { has rolls: 0..9 = 0; strike() }
//! rule strike() { fight.rolls += 1 }
//! ```
//!
//! A phase may run within itself, and then each has its own: [`keep_outer_state`] makes of such a phase one that keeps the values of the outer one, calls the
//! block, and puts them back however the block ends. What then lies in its zones is discarded, or goes into the box; so a phase with zones cannot run within itself.
use super::cx::Cx;
use super::leaving::{Left, left_by, stop_if_left};
use super::phase_reads::PhaseReads;
use super::{build, codes, leaving, types, walk};
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Report, Span};
use rustc_hash::FxHashSet as HashSet;
use std::collections::BTreeMap;

impl Cx<'_> {
    /// Reads `has x: T = e`: the value with which the phase begins.
    pub(super) fn read_phase_state(&mut self, a: &ast::AttrDecl, span: Span) -> Option<StmtKind> {
        let of = self.within.rule.map(HasOf::Phase);
        let found =
            self.model().attrs.iter().position(|x| of.is_some() && x.has_of == of && x.span == a.name.span);
        let Some(id) = found.map(|i| AttrId(i as u32)) else {
            // The second of a name has been reported already.
            if !self.model().attrs.iter().any(|x| of.is_some() && x.has_of == of && *x.name == *a.name.text) {
                let message = "only a phase remembers something while it runs";
                let d = Diagnostic::error(codes::PHASE_STATE, span, message);
                self.push(d.help(
                    "write `has` directly in the block of a `phase`; elsewhere use `let`, or an attribute of the table",
                ));
            }
            return None;
        };
        if let Some(per) = &a.per {
            let d = Diagnostic::error(
                codes::PHASE_STATE,
                per.span,
                "what a phase remembers begins anew with each run",
            );
            self.push(d.help("leave out `per`"));
        }
        let ty = self.model().attrs.get(id.index()).map_or(Ty::Error, |x| x.ty.clone());
        if matches!(types::plain(&ty), Ty::Set(_) | Ty::List(_) | Ty::Bag(_)) {
            let d = Diagnostic::error(codes::PHASE_STATE, a.ty.span, "a phase cannot remember a set");
            self.push(d.help("mark the things in it: an attribute of theirs that is yes or no"));
            return None;
        }
        let value = match &a.default {
            Some(e) => self.check_held(e, &ty, &format!("`{}`", a.name.text)),
            None if types::is_maybe(&ty) => build::none(span),
            None => {
                let message = format!("`{}` has no value when the phase begins", a.name.text);
                let d = Diagnostic::error(codes::PHASE_STATE, a.name.span, message);
                self.push(d.help("write it behind the type: `has x: 0..9 = 0`"));
                return None;
            }
        };
        self.note(a.name.span, crate::uses::Def::Attr(id));
        Some(StmtKind::Assign(Lhs::TableAttr(id), Change::Set, value))
    }

    /// Reads `has zone z: K` where it stands: its marks are read with those of all zones.
    pub(super) fn check_phase_zone(&mut self, z: &ast::ZoneDecl) {
        let own = self.within.rule.filter(|_| !self.has.is_empty());
        let own = own.and_then(|r| self.model().zones_of_phase(r).find(|(_, x)| x.span == z.name.span));
        let of = self.within.rule.map(HasOf::Phase);
        let mut zones = self.within.rule.into_iter().flat_map(|r| self.model().zones_of_phase(r));
        let mut attrs = self.model().attrs.iter().filter(|a| of.is_some() && a.has_of == of);
        let is_second = zones.any(|(_, x)| *x.name == *z.name.text) || attrs.any(|a| *a.name == *z.name.text);
        let (message, help) = match (own, &z.index) {
            // The second of a name has been reported already.
            (None, _) if is_second => return,
            (Some((id, _)), None) => return self.note(z.name.span, crate::uses::Def::Zone(id)),
            (Some(_), Some(_)) => (
                "a zone of a phase's own is one zone, not one for each word or number",
                "leave out the brackets, or declare it in `table { }` and empty it where the phase ends",
            ),
            (None, _) => (
                "only a phase has a zone of its own",
                "write `has zone` directly in the block of a `phase`; elsewhere declare it in `table { }`",
            ),
        };
        self.push(Diagnostic::error(codes::PHASE_STATE, z.name.span, message).help(help));
    }
}

/// What is done with what lies in a phase's own zones when the phase ends: it is discarded; what its kind discards nowhere, or to its owner, goes into the box.
fn empty_zones(m: &Model, phase: RuleId, span: Span) -> Vec<StmtKind> {
    let empty = |(id, z): (ZoneId, &Zone)| {
        let holds = types::any_of(z.holds.clone());
        let ty = if z.slot { types::maybe(holds) } else { types::set_of(holds) };
        let all = build::expr(ty, span, ExprKind::Zone(None, id, None));
        let related = |k: KindId| z.holds.iter().any(|h| types::is_a(m, *h, k) || types::is_a(m, k, *h));
        let discards =
            (0..).map(KindId).zip(&m.kinds).any(|(k, kind)| !kind.discards.is_empty() && related(k));
        let kind = z.holds.first().copied().unwrap_or(KindId(0));
        let to = build::expr(Ty::Place, span, ExprKind::Box(kind));
        let discard = discards.then(|| StmtKind::Discard(all.clone()));
        discard.into_iter().chain([StmtKind::Move(Box::new(Move {
            what: all,
            to,
            under: false,
            face: None,
        }))])
    };
    m.zones_of_phase(phase).flat_map(empty).collect()
}

/// Makes each phase that remembers something keep what an outer run of itself remembers; and each that is left from within (`end`) give its value.
pub fn keep_outer_state(m: &mut Model, left: &BTreeMap<RuleId, Left>) {
    for i in 0..m.rules.len() {
        let Some(outer) = m.rules.get(i).filter(|r| {
            let phase = RuleId(i as u32);
            !r.has.is_empty() || left.contains_key(&phase) || m.zones_of_phase(phase).next().is_some()
        }) else {
            continue;
        };
        let (span, inner) = (outer.span, RuleId(m.rules.len() as u32));
        // The block becomes a second rule. Its place is that of the first attribute or statement, so that no two rules have one place.
        let first = outer.has.first().and_then(|a| m.attrs.get(a.index())).map(|a| a.span);
        let own = outer.body.body.as_ref().and_then(|b| b.first()).map(|s| s.span);
        let first = first.or(own).unwrap_or(span);
        let block = Rule { phase: false, title: None, has: Vec::new(), span: first, ..outer.clone() };
        let Rule { has, gives, body, .. } = outer.clone();
        let stmt = |kind| Stmt { span, kind };
        let mut locals: Vec<Local> = body.locals.iter().take(body.params).cloned().collect();
        let args = locals
            .iter()
            .enumerate()
            .map(|(i, l)| build::local(LocalId(i as u32), l.ty.clone(), span))
            .collect();
        let me = LocalId(locals.len() as u32);
        locals.push(Local { name: "me".into(), ty: types::player(), span });
        let mut out = Vec::new();
        for a in &has {
            let ty = m.attrs.get(a.index()).map_or(Ty::Error, |x| x.ty.clone());
            out.push(stmt(StmtKind::Let(
                LocalId(locals.len() as u32),
                build::expr(ty.clone(), span, ExprKind::TableAttr(*a)),
            )));
            locals.push(Local { name: "outer".into(), ty, span });
        }
        let result = LocalId(locals.len() as u32);
        if gives == Ty::Nothing {
            out.push(stmt(StmtKind::Call(inner, None, args)));
        } else {
            let call = build::expr(gives.clone(), span, ExprKind::Rule(inner, None, args));
            out.push(stmt(StmtKind::Let(result, call)));
            locals.push(Local { name: "result".into(), ty: gives.clone(), span });
        }
        let emptied = empty_zones(m, RuleId(i as u32), span);
        // What is attached to discards acts although a phase is being left.
        let leaving = m.leaving.filter(|_| !emptied.is_empty());
        let (note, number) = (LocalId(locals.len() as u32), Ty::Int(0, i32::MAX));
        if let Some(a) = leaving {
            let now = build::expr(number.clone(), span, ExprKind::TableAttr(a));
            locals.push(Local { name: "leaving".into(), ty: number.clone(), span });
            out.push(stmt(StmtKind::Let(note, now)));
            out.push(stmt(StmtKind::Assign(Lhs::TableAttr(a), Change::Set, build::int(0, span))));
        }
        out.extend(emptied.into_iter().map(stmt));
        if let Some(a) = leaving {
            let note = build::local(note, number, span);
            out.push(stmt(StmtKind::Assign(Lhs::TableAttr(a), Change::Set, note)));
        }
        for (k, a) in has.iter().enumerate() {
            let l = LocalId(me.0 + 1 + k as u32);
            let ty = locals.get(l.index()).map_or(Ty::Error, |l| l.ty.clone());
            out.push(stmt(StmtKind::Assign(Lhs::TableAttr(*a), Change::Set, build::local(l, ty, span))));
        }
        if let Some(x) = left.get(&RuleId(i as u32)) {
            let clear = stmt(StmtKind::Assign(Lhs::TableAttr(x.leaving), Change::Set, build::int(0, span)));
            let mut give = vec![clear];
            if let Some(a) = x.result {
                let value = LocalId(locals.len() as u32);
                locals.push(Local { name: "value".into(), ty: gives.clone(), span });
                let read = build::expr(gives.clone(), span, ExprKind::TableAttr(a));
                give.push(stmt(StmtKind::Let(value, read)));
                give.push(stmt(StmtKind::Assign(Lhs::TableAttr(a), Change::Set, build::none(span))));
                give.push(stmt(StmtKind::Give(build::local(value, gives.clone(), span))));
            } else {
                give.push(stmt(StmtKind::Stop));
            }
            let now = build::expr(Ty::Int(0, i32::MAX), span, ExprKind::TableAttr(x.leaving));
            let own = ExprKind::Compare(Comparison::Eq, now, build::int(x.number, span));
            out.push(stmt(StmtKind::If(build::cond(span, own), give, Vec::new())));
        }
        // Another phase may be left through this one.
        out.extend(m.leaving.map(|a| stop_if_left(a, span)));
        if gives != Ty::Nothing {
            out.push(stmt(StmtKind::Give(build::local(result, gives, span))));
        }
        if let Some(r) = m.rules.get_mut(i) {
            (r.me, r.body) = (me, Body { locals, params: body.params, body: Some(out) });
        }
        m.rules.push(block);
    }
}

/// Reports what reads or changes the state of a phase, or leaves it, where that phase cannot be running.
pub fn check_running(m: &Model, out: &mut Report) {
    let mut left = HashSet::default();
    walk::visit_rule_blocks(m, &mut |b| {
        walk::visit_stmts(b, &mut |s| left.extend(m.leaving.and_then(|a| left_by(s, a))));
    });
    let has_zones = |i: usize| m.zones_of_phase(RuleId(i as u32)).next().is_some();
    let of_interest =
        |(i, r): &(usize, &Rule)| !r.has.is_empty() || has_zones(*i) || left.contains(&RuleId(*i as u32));
    for (i, phase) in m.rules.iter().enumerate().filter(of_interest) {
        report_zones_within(m, RuleId(i as u32), out);
        let mut reached = Reached { m, phase: RuleId(i as u32), targets: HashSet::default() };
        reached.visit_rule(RuleId(i as u32));
        reached.visit_attachments();
        let (mut found, mut ends) = (Vec::new(), Vec::new());
        let mut reads = PhaseReads::new(m, RuleId(i as u32));
        let mut look = |b: &[Stmt]| {
            walk::visit_block_exprs(b, &mut |e| {
                if reads.is_memory(e) {
                    found.push(e.span);
                }
            });
            walk::visit_stmts(b, &mut |s| match &s.kind {
                StmtKind::Assign(Lhs::TableAttr(a), ..) if phase.has.contains(a) => found.push(s.span),
                _ if m.leaving.and_then(|a| left_by(s, a)) == Some(RuleId(i as u32)) => ends.push(s.span),
                _ => {}
            });
        };
        let is_reached = |t: Target| reached.targets.contains(&t);
        let rules = m.rules.iter().zip(0..).filter(|(_, i)| !is_reached(Target::Rule(RuleId(*i))));
        rules.filter_map(|(r, _)| r.body.body.as_ref()).for_each(|b| look(b));
        let actions = m.actions.iter().zip(0..).filter(|(_, i)| !is_reached(Target::Action(ActionId(*i))));
        actions.for_each(|(a, _)| look(&a.body));
        m.setups.iter().for_each(|(_, b)| look(&b.body));
        m.round.iter().for_each(|r| look(&r.body.body));
        let outside = m.attachments.iter().filter(|a| !reached.is_attached(a));
        outside.flat_map(|a| walk::attachment_parts(a).1).for_each(|b| look(b));
        find_in_conditions(&reached, &mut reads, &mut found);
        found.sort();
        found.dedup();
        for span in ends {
            let message = format!("the phase `{}` cannot be running here, so it cannot be left", phase.name);
            let d = Diagnostic::error(codes::LEAVING, span, message).also(phase.span, "declared here");
            out.push(d.help("leave it in the phase, in what it calls, or in an action that it offers"));
        }
        if left.contains(&RuleId(i as u32)) {
            let is_in = |t: Target| reached.targets.contains(&t);
            let within = |e: &[Stmt]| {
                let mut inner = Reached { m, phase: RuleId(i as u32), targets: HashSet::default() };
                inner.visit_block(e);
                inner.visit_attachments();
                inner.targets
            };
            leaving::report_at_once(m, RuleId(i as u32), (&is_in, &|a| reached.is_attached(a)), &within, out);
        }
        for span in found {
            let message = format!("the phase `{}` cannot be running here", phase.name);
            let d = Diagnostic::error(codes::PHASE_STATE, span, message)
                .also(phase.span, "what it remembers is gone when it ends");
            let help = format!(
                "read it in the phase, in what the phase calls, or behind `{} is running and …`; what is needed later, the phase gives with `give`",
                phase.name
            );
            out.push(d.help(help));
        }
    }
}

/// Adds what is read of a phase in conditions that are asked where it may not be running.
fn find_in_conditions(reached: &Reached<'_>, reads: &mut PhaseReads<'_>, found: &mut Vec<Span>) {
    let m = reached.m;
    let is_reached = |t: Target| reached.targets.contains(&t);
    let mut all: Vec<&Expr> = m.invariants.iter().map(|i| &i.cond.body).collect();
    all.extend(m.score.iter().map(|(e, _)| e));
    all.extend(m.ends.iter().chain(&m.needs).map(|(e, _)| e));
    all.extend(m.endings.iter().flat_map(|(_, b)| b.body.who.iter().chain([&b.body.when])));
    let watched = |v: &&Value| matches!(v.role, ValueRole::Heuristic | ValueRole::Out | ValueRole::Line(..));
    all.extend(m.values.iter().filter(watched).filter_map(|v| v.body.body.as_ref()));
    for (a, _) in m.actions.iter().zip(0..).filter(|(_, i)| !is_reached(Target::Action(ActionId(*i)))) {
        all.extend(a.params.iter().flat_map(|p| std::iter::once(&p.from).chain(&p.filter)));
        all.extend(&a.when);
        all.extend(a.head.iter().map(|h| match h {
            HeadStep::Let(_, e) => e,
            HeadStep::Needs(g) | HeadStep::MustLeave(g) => &g.cond,
        }));
    }
    for (menu, _) in m.menus.iter().zip(0..).filter(|(_, i)| !is_reached(Target::Menu(MenuId(*i)))) {
        all.extend(menu.needs.iter().map(|g| &g.cond));
        all.extend(menu.done.iter().chain(&menu.pass).filter_map(|e| e.when.as_ref()));
    }
    all.into_iter().for_each(|e| reads.find(e, found));
    let modifies = |a: &Attachment| a.heads.iter().all(|h| matches!(h.target, Target::Value(_)));
    // What modifies a value is looked at where the value is read.
    for a in m.attachments.iter().filter(|a| !reached.is_attached(a) && !modifies(a)) {
        reads.find_attached(a, found);
    }
}

/// Reports zones of a phase that can run within itself: the inner run would find the things of the outer one.
fn report_zones_within(m: &Model, phase: RuleId, out: &mut Report) {
    let Some((_, zone)) = m.zones_of_phase(phase).next() else { return };
    let Some(rule) = m.rules.get(phase.index()) else { return };
    let mut within = Reached { m, phase, targets: HashSet::default() };
    rule.body.body.iter().for_each(|b| within.visit_block(b));
    within.visit_attachments();
    if within.targets.contains(&Target::Rule(phase)) {
        let message = format!("`{}` can run within itself, so it cannot have a zone of its own", rule.name);
        let d = Diagnostic::error(codes::PHASE_STATE, zone.span, message).also(rule.span, "declared here");
        out.push(d.help("declare the zone in `table { }` or `player { }`"));
    }
}

/// What a phase reaches by calls, offers, values and what is attached to them.
struct Reached<'m> {
    m: &'m Model,
    phase: RuleId,
    targets: HashSet<Target>,
}

impl<'m> Reached<'m> {
    fn visit_rule(&mut self, r: RuleId) {
        if !self.targets.insert(Target::Rule(r)) {
            return;
        }
        let own = self.m.rules.get(r.index()).and_then(|r| r.body.body.as_ref());
        let fills = self.m.members.iter().flat_map(|x| &x.rule_fills).filter(|(f, _)| *f == r);
        own.into_iter().chain(fills.map(|(_, b)| &b.body)).for_each(|b| self.visit_block(b));
    }

    fn visit_menu(&mut self, menu: MenuId) {
        if !self.targets.insert(Target::Menu(menu)) {
            return;
        }
        for (a, i) in self.m.actions.iter().zip(0..).filter(|(a, _)| a.menus.contains(&menu)) {
            self.targets.insert(Target::Action(ActionId(i)));
            self.visit_block(&a.body);
        }
    }

    fn visit_block(&mut self, b: &'m [Stmt]) {
        let (mut rules, mut menus) = (Vec::new(), Vec::new());
        walk::visit_block_exprs(b, &mut |e| {
            if let ExprKind::Rule(r, ..) = &*e.kind {
                rules.push(*r);
            }
        });
        walk::visit_stmts(b, &mut |s| match &s.kind {
            StmtKind::Call(r, ..) => rules.push(*r),
            StmtKind::Offer(_, all) => menus.extend(all.iter().map(|(m, _)| *m)),
            // What a script does is not known.
            StmtKind::CallHook(..) => rules.extend((0..self.m.rules.len() as u32).map(RuleId)),
            _ => {}
        });
        rules.into_iter().for_each(|r| self.visit_rule(r));
        menus.into_iter().for_each(|m| self.visit_menu(m));
    }

    /// Whether an attachment can act while the phase runs.
    fn is_attached(&self, a: &Attachment) -> bool {
        let is = |h: &Head| match h.target {
            Target::Effect(_) => true,
            t => self.targets.contains(&t),
        };
        a.during.contains(&self.phase) || a.heads.iter().any(is)
    }

    fn visit_attachments(&mut self) {
        let mut before = 0;
        while before < self.targets.len() {
            before = self.targets.len();
            for a in self.m.attachments.iter().filter(|a| {
                matches!(a.what, AttachKind::Before(_) | AttachKind::After(_) | AttachKind::Instead(_))
            }) {
                if self.is_attached(a) {
                    walk::attachment_parts(a).1.into_iter().for_each(|b| self.visit_block(b));
                }
            }
        }
    }
}
