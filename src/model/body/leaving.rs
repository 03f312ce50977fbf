//! `end PHASE v` leaves a running phase from within: from rules that it calls, from actions that it offers, from what is attached to them.
//!
//! ```text
//! phase hunt(p: player): int { search(p); give 0 }
//! rule search(p: player) { if tired(p) { end hunt 3 }; p.coins += 1 }
//! ```
//!
//! [`link_leaving`] writes it with statements that are there: `end` notes in an attribute of the game's own which phase is left, and stops its rule. Behind each call that may leave a
//! phase stands a test that stops the caller as well. The phase itself clears the note and gives the value ([`super::phase_state::keep_outer_state`]). Loops over players and menus
//! that are offered again read [`Model::leaving`] in the compiler and the reference.
use super::cx::Cx;
use super::turn_events::{self, each_attachment, each_rule_block, is_turn_event};
use super::{build, codes, types, walk};
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Report, Span};
use rustc_hash::FxHashSet as HashSet;
use std::collections::{BTreeMap, BTreeSet};

/// What stands for [`Model::leaving`] until [`link_leaving`].
const LEAVING: AttrId = AttrId(u32::MAX);

/// What stands for the value that a phase gives when it is left.
fn result_of(phase: RuleId) -> AttrId {
    AttrId(u32::MAX - 1 - phase.0)
}

/// How a phase that is left gives its value.
#[derive(Clone, Copy)]
pub struct Left {
    /// The attribute that says which phase is left, by its number.
    pub leaving: AttrId,
    /// The number of this one.
    pub number: i32,
    /// The attribute that holds the value.
    pub result: Option<AttrId>,
}

/// The phases that a body may leave.
type Phases = BTreeSet<RuleId>;

impl Cx<'_> {
    /// Reads `end PHASE v`.
    pub(super) fn read_end(
        &mut self,
        phase: &ast::Name,
        e: Option<&ast::Expr>,
        span: Span,
    ) -> Option<StmtKind> {
        let r = self.find_phase(phase, &[])?;
        let gives = self.model().rules.get(r.index()).map(|r| r.gives.clone()).unwrap_or(Ty::Nothing);
        let name = &phase.text;
        if matches!(gives, Ty::Set(_) | Ty::List(_) | Ty::Bag(_) | Ty::Text) {
            let what = self.show(&gives);
            let message =
                format!("`{name}` gives {what}, and a phase that is left gives one thing or number");
            let d = Diagnostic::error(codes::LEAVING, span, message);
            self.push(d.help("mark what it gives with an attribute, and write the phase without a type"));
            return None;
        }
        let value = match (e, &gives) {
            (Some(e), Ty::Nothing) => {
                let e = self.read_expr(e, None);
                let help = format!("leave the value out, or declare what it gives: `phase {name}(): type`");
                let _ = self.fail(codes::NO_GIVE, e.span, format!("`{name}` gives no value"), help);
                return None;
            }
            (Some(e), ty) => Some(self.check_held(e, &ty.clone(), "the result of the phase")),
            (None, Ty::Nothing | Ty::Maybe(_)) => None,
            (None, ty) => {
                let message = format!("`{name}` must give {}", self.show(ty));
                let d = Diagnostic::error(codes::LEAVING, span, message);
                self.push(d.help(format!("write the value behind it: `end {name} …`")));
                return None;
            }
        };
        let stop = || Stmt { span, kind: StmtKind::Stop };
        let mut leave: Block = value.map(|e| set(result_of(r), e, span)).into_iter().collect();
        leave.extend([set(LEAVING, build::int(r.0 as i32 + 1, span), span), stop()]);
        // Where the phase is not running, there is nothing to leave but the rule itself.
        Some(StmtKind::If(build::cond(span, ExprKind::Running(r)), leave, vec![stop()]))
    }
}

fn set(a: AttrId, e: Expr, span: Span) -> Stmt {
    Stmt { span, kind: StmtKind::Assign(Lhs::TableAttr(a), Change::Set, e) }
}

/// The phase that a statement leaves.
pub fn left_by(s: &Stmt, leaving: AttrId) -> Option<RuleId> {
    let StmtKind::Assign(Lhs::TableAttr(a), _, e) = &s.kind else { return None };
    match &*e.kind {
        ExprKind::Int(n) if *a == leaving => u32::try_from(*n - 1).ok().map(RuleId),
        _ => None,
    }
}

/// Whether a block is what `read_end` makes.
pub fn is_end(b: &[Stmt]) -> bool {
    b.iter().any(|s| left_by(s, LEAVING).is_some())
}

/// Stops the rule if a phase is being left.
pub fn stop_if_left(leaving: AttrId, span: Span) -> Stmt {
    let now = build::expr(Ty::Int(0, i32::MAX), span, ExprKind::TableAttr(leaving));
    let is_left = build::cond(span, ExprKind::Compare(Comparison::Ne, now, build::int(0, span)));
    Stmt { span, kind: StmtKind::If(is_left, vec![Stmt { span, kind: StmtKind::Stop }], Vec::new()) }
}

/// Writes `end` with other statements. Returns the phases that are left somewhere.
pub fn link_leaving(m: &mut Model, report: &mut Report) -> BTreeMap<RuleId, Left> {
    // Each attribute has a place of its own: that of the phase, and that at which a phase is left.
    let mut left: BTreeMap<RuleId, (Span, Option<AttrId>)> = BTreeMap::new();
    walk::visit_rule_blocks(m, &mut |b| {
        walk::visit_stmts(b, &mut |s| {
            if let Some(r) = left_by(s, LEAVING) {
                left.entry(r).or_insert((s.span, None));
            }
        });
    });
    let Some(span) = left.keys().next().and_then(|r| m.rules.get(r.index())).map(|r| r.span) else {
        return BTreeMap::new();
    };
    let leaving = AttrId(m.attrs.len() as u32);
    m.leaving = Some(leaving);
    m.own_attrs = m.own_attrs.or(m.leaving);
    let nothing = Body { locals: Vec::new(), params: 0, body: build::int(0, span) };
    let note = build::own_attribute("leaving", Ty::Int(0, m.rules.len() as i32), span);
    m.attrs.push(Attr { default: Some(nothing), ..note });
    for (r, (span, result)) in &mut left {
        let Some(rule) = m.rules.get(r.index()).filter(|x| x.gives != Ty::Nothing) else { continue };
        *result = Some(AttrId(m.attrs.len() as u32));
        m.attrs.push(build::own_attribute("result", types::maybe(types::plain(&rule.gives)), *span));
    }
    each_rule_block(m, &mut |b| {
        for s in b {
            if let StmtKind::Assign(Lhs::TableAttr(a), ..) = &mut s.kind {
                let result = left.iter().find(|(r, _)| *a == result_of(**r)).and_then(|(_, own)| own.1);
                *a = if *a == LEAVING { leaving } else { result.unwrap_or(*a) };
            }
        }
    });
    let may = find_leaving(m, leaving);
    report_calls_within(m, &may, report);
    stop_callers(m, &may, leaving);
    end_turns_whole(m, leaving);
    let of = |(r, (_, result)): (RuleId, (Span, Option<AttrId>))| {
        (r, Left { leaving, number: r.0 as i32 + 1, result })
    };
    left.into_iter().map(of).collect()
}

/// What a block calls and offers itself, and the phases that it leaves.
fn reach(m: &Model, b: &[Stmt], leaving: AttrId) -> (Vec<Target>, Phases) {
    let (mut targets, mut phases) = (Vec::new(), Phases::new());
    walk::visit_block_exprs(b, &mut |e| {
        if let ExprKind::Rule(r, ..) = &*e.kind {
            targets.push(Target::Rule(*r));
        }
    });
    walk::visit_stmts(b, &mut |s| {
        phases.extend(left_by(s, leaving));
        targets.extend(called_by(m, s));
    });
    (targets, phases)
}

/// What a statement calls and offers.
fn called_by(m: &Model, s: &Stmt) -> Vec<Target> {
    match &s.kind {
        StmtKind::Call(r, ..) => vec![Target::Rule(*r)],
        StmtKind::Let(_, e) => match &*e.kind {
            ExprKind::Rule(r, ..) => vec![Target::Rule(*r)],
            _ => Vec::new(),
        },
        StmtKind::Offer(_, menus) => {
            let of = |id: &MenuId| m.menus.get(id.index()).map(|x| x.actions.clone()).unwrap_or_default();
            menus.iter().flat_map(|(id, _)| of(id)).map(Target::Action).collect()
        }
        // What a script calls is not known.
        StmtKind::CallHook(..) => (0..m.rules.len() as u32).map(RuleId).map(Target::Rule).collect(),
        _ => Vec::new(),
    }
}

/// What an attachment's head is attached to: of a menu, its actions.
fn targets_of(m: &Model, h: &Head) -> Vec<Target> {
    match h.target {
        Target::Menu(id) => m
            .menus
            .get(id.index())
            .map_or(Vec::new(), |x| x.actions.iter().map(|a| Target::Action(*a)).collect()),
        t => vec![t],
    }
}

/// Every attachment that acts, those of layers, too.
fn attachments(m: &Model) -> Vec<&Attachment> {
    let mut all: Vec<&Attachment> = m.attachments.iter().collect();
    walk::visit_rule_blocks(m, &mut |b| {
        walk::visit_stmts(b, &mut |s| {
            if let StmtKind::Attach(a) = &s.kind {
                all.push(a);
            }
        });
    });
    all.retain(|a| matches!(a.what, AttachKind::Before(_) | AttachKind::After(_) | AttachKind::Instead(_)));
    all
}

fn block_of(a: &Attachment) -> &[Stmt] {
    match &a.what {
        AttachKind::Before(b) | AttachKind::After(b) | AttachKind::Instead(b) => b,
        _ => &[],
    }
}

/// The phases that each rule and action may leave, with what is attached to it; and those that the block of an attachment may, by its place.
struct MayLeave {
    by_target: BTreeMap<Target, Phases>,
    by_block: BTreeMap<Span, Phases>,
}

impl MayLeave {
    fn of(&self, targets: &[Target]) -> bool {
        targets.iter().any(|t| self.by_target.get(t).is_some_and(|p| !p.is_empty()))
    }

    fn of_attachment(&self, a: &Attachment) -> bool {
        self.by_block.get(&a.span).is_some_and(|p| !p.is_empty())
    }
}

fn find_leaving(m: &Model, leaving: AttrId) -> MayLeave {
    let bodies: Vec<_> = bodies(m).map(|(t, b)| (t, reach(m, b, leaving))).collect();
    let all: Vec<_> = attachments(m).into_iter().map(|a| (a, reach(m, block_of(a), leaving))).collect();
    let mut may = MayLeave { by_target: BTreeMap::new(), by_block: BTreeMap::new() };
    loop {
        let mut grown = false;
        let found = |may: &MayLeave, targets: &[Target], own: &Phases| -> Phases {
            let more = targets.iter().filter_map(|t| may.by_target.get(t)).flatten();
            more.chain(own).copied().collect()
        };
        let mut put = |to: &mut Phases, mut phases: Phases, of: Option<Target>| {
            // A phase is left no further than to itself.
            if let Some(Target::Rule(r)) = of {
                phases.remove(&r);
            }
            let before = to.len();
            to.extend(phases);
            grown |= to.len() > before;
        };
        for (t, (targets, own)) in &bodies {
            let phases = found(&may, targets, own);
            put(may.by_target.entry(*t).or_default(), phases, Some(*t));
        }
        for (a, (targets, own)) in &all {
            let phases = found(&may, targets, own);
            put(may.by_block.entry(a.span).or_default(), phases.clone(), None);
            for t in a.heads.iter().flat_map(|h| targets_of(m, h)) {
                put(may.by_target.entry(t).or_default(), phases.clone(), Some(t));
            }
        }
        if !grown {
            return may;
        }
    }
}

/// Reports a call that may leave a phase in the middle of a statement, and what is attached to an effect: there is no place at which the rest could be left out.
fn report_calls_within(m: &Model, may: &MayLeave, report: &mut Report) {
    let mut found = Vec::new();
    walk::visit_rule_blocks(m, &mut |b| {
        walk::visit_stmts(b, &mut |s| {
            let whole = match &s.kind {
                StmtKind::Let(_, e) | StmtKind::Give(e) => Some(e.span),
                _ => None,
            };
            for e in walk::stmt_parts(s).0 {
                walk::visit_exprs(e, &mut |x| {
                    if let ExprKind::Rule(r, ..) = &*x.kind
                        && whole != Some(x.span)
                        && may.of(&[Target::Rule(*r)])
                    {
                        found.push((x.span, m.rules.get(r.index()).map(|r| r.name.clone())));
                    }
                });
            }
        });
    });
    for (span, name) in found {
        let name = name.unwrap_or_default();
        let message = format!("`{name}` may leave a phase, so nothing can be done with its value here");
        report.push(
            Diagnostic::error(codes::LEAVING_WITHIN, span, message)
                .help(format!("write `let x = {name}(…)` before it, and then use `x`")),
        );
    }
    for a in attachments(m).into_iter().filter(|a| may.of_attachment(a)) {
        if a.heads.iter().any(|h| super::ordering::is_turn_of_a_thing(m, h.target)) {
            let message = "what acts in an order that is chosen (`order by`) cannot leave a phase";
            let d = Diagnostic::error(codes::LEAVING_WITHIN, a.span, message);
            report
                .push(d.help("note it in an attribute, and leave the phase where the rule has been called"));
        }
        if a.heads.iter().any(|h| matches!(h.target, Target::Effect(_) | Target::Setup)) {
            let message = "what is attached to an effect or to the set-up cannot leave a phase";
            let d = Diagnostic::error(codes::LEAVING_WITHIN, a.span, message);
            report.push(d.help("attach it to the rule or the action in which that happens"));
        }
    }
}

/// Puts tests behind all that may leave a phase, and before what would go on.
fn stop_callers(m: &mut Model, may: &MayLeave, leaving: AttrId) {
    let actions: Vec<Vec<ActionId>> = m.menus.iter().map(|x| x.actions.clone()).collect();
    let may_leave = |s: &Stmt| -> bool {
        let offered = |b: &[Stmt]| {
            let mut is = false;
            walk::visit_stmts(b, &mut |s| {
                is |= left_by(s, leaving).is_some() || calls_left(s, may, &actions)
            });
            is
        };
        match &s.kind {
            StmtKind::Everyone(e) => offered(&e.body),
            StmtKind::Proceed(_) => true,
            _ => calls_left(s, may, &actions),
        }
    };
    each_rule_block(m, &mut |b| {
        let mut at = 0;
        while let Some(s) = b.get(at) {
            let (span, stops) = (s.span, may_leave(s));
            at += 1;
            if stops {
                b.insert(at, stop_if_left(leaving, span));
                at += 1;
            }
        }
    });
    // What something is attached before does not begin, if that has left the phase; what is attached after does not act.
    let before: Vec<Target> = attachments(m)
        .into_iter()
        .filter(|a| matches!(a.what, AttachKind::Before(_)) && may.of_attachment(a))
        .flat_map(|a| a.heads.iter().flat_map(|h| targets_of(m, h)).collect::<Vec<_>>())
        .collect();
    let begin = |b: &mut Block, span: Span| {
        let head = |s: &Stmt| matches!(s.kind, StmtKind::Let(..) | StmtKind::Needs(_));
        let at = b.iter().position(|s| !head(s)).unwrap_or(b.len());
        b.insert(at, stop_if_left(leaving, span));
    };
    for t in before {
        match t {
            Target::Rule(r) => {
                let span = m.rules.get(r.index()).map_or(Span::default(), |r| r.span);
                let fills = m.members.iter_mut().flat_map(|x| &mut x.rule_fills).filter(|(f, _)| *f == r);
                fills.for_each(|(_, b)| begin(&mut b.body, span));
                let rule = m.rules.get_mut(r.index()).and_then(|r| r.body.body.as_mut());
                rule.into_iter().for_each(|b| begin(b, span));
            }
            Target::Action(a) => {
                if let Some(a) = m.actions.get_mut(a.index()) {
                    a.body.insert(0, stop_if_left(leaving, a.span));
                }
            }
            _ => {}
        }
    }
    let turns: BTreeSet<Target> = (0..m.rules.len() as u32)
        .map(RuleId)
        .filter(|r| m.rules.get(r.index()).is_some_and(is_turn_event))
        .map(Target::Rule)
        .collect();
    each_attachment(m, &mut |a| {
        let menu = |h: &Head| match h.target {
            Target::Menu(id) => {
                actions.get(id.index()).is_some_and(|all| all.iter().any(|a| may.of(&[Target::Action(*a)])))
            }
            t => may.of(&[t]) && !turns.contains(&t),
        };
        let acts = a.heads.iter().any(menu);
        let span = a.span;
        if let (AttachKind::After(b), true) = (&mut a.what, acts) {
            b.insert(0, stop_if_left(leaving, span));
        }
    });
}

/// What is attached after turns acts as after every turn, although a phase is being left: meanwhile nothing is noted. A phase that it leaves itself counts only where none was being left.
fn end_turns_whole(m: &mut Model, leaving: AttrId) {
    let first = m.rules.len();
    let mut added: Vec<Rule> = Vec::new();
    each_rule_block(m, &mut |b| {
        for s in b {
            let StmtKind::Everyone(e) = &mut s.kind else { continue };
            for s in &mut e.then {
                let StmtKind::Call(ends, ..) = &mut s.kind else { continue };
                let whole = added.iter().position(|r| calls(r, *ends)).unwrap_or_else(|| {
                    added.push(whole_end(*ends, leaving, s.span));
                    added.len() - 1
                });
                *ends = RuleId((first + whole) as u32);
            }
        }
    });
    m.rules.extend(added);
}

fn calls(r: &Rule, called: RuleId) -> bool {
    let body = r.body.body.as_deref().unwrap_or_default();
    body.iter().any(|s| matches!(s.kind, StmtKind::Call(x, ..) if x == called))
}

/// `{ let note = leaving; leaving = 0; ends(); if note != 0 { leaving = note } }`
fn whole_end(ends: RuleId, leaving: AttrId, span: Span) -> Rule {
    let mut r = turn_events::rule(turn_events::WORDS[0], span, false);
    let stmt = |kind| Stmt { span, kind };
    let (note, number) = (LocalId(r.body.locals.len() as u32), Ty::Int(0, i32::MAX));
    r.body.locals.push(Local { name: "leaving".into(), ty: number.clone(), span });
    let now = build::expr(number.clone(), span, ExprKind::TableAttr(leaving));
    let noted = || build::local(note, number.clone(), span);
    let was_left = build::cond(span, ExprKind::Compare(Comparison::Ne, noted(), build::int(0, span)));
    r.body.body = Some(vec![
        stmt(StmtKind::Let(note, now)),
        set(leaving, build::int(0, span), span),
        stmt(StmtKind::Call(ends, None, Vec::new())),
        stmt(StmtKind::If(was_left, vec![set(leaving, noted(), span)], Vec::new())),
    ]);
    r
}

/// Whether a statement calls or offers what may leave a phase.
fn calls_left(s: &Stmt, may: &MayLeave, actions: &[Vec<ActionId>]) -> bool {
    match &s.kind {
        StmtKind::Call(r, ..) => may.of(&[Target::Rule(*r)]),
        StmtKind::Let(_, e) => matches!(&*e.kind, ExprKind::Rule(r, ..) if may.of(&[Target::Rule(*r)])),
        StmtKind::Offer(_, menus) => menus
            .iter()
            .filter_map(|(id, _)| actions.get(id.index()))
            .flatten()
            .any(|a| may.of(&[Target::Action(*a)])),
        StmtKind::CallHook(..) => true,
        _ => false,
    }
}

/// What is reached by calls and offers: from a phase, rules and actions, and attachments; from a block, rules and actions.
pub type Reached<'a> = (&'a dyn Fn(Target) -> bool, &'a dyn Fn(&Attachment) -> bool);

/// Reports players who act at once or freely where a phase is left, or runs and can be left.
pub fn report_at_once<'m>(
    m: &'m Model,
    phase: RuleId,
    (is_reached, is_attached): Reached<'_>,
    within: &dyn Fn(&'m [Stmt]) -> HashSet<Target>,
    out: &mut Report,
) {
    let Some(leaving) = m.leaving else { return };
    let leaves = |b: &[Stmt]| reach(m, b, leaving).1.contains(&phase);
    let mut look = |b: &'m [Stmt], runs: bool| {
        walk::visit_stmts(b, &mut |s| {
            let StmtKind::Everyone(e) = &s.kind else { return };
            if !matches!(e.mode, Mode::AtOnce | Mode::Freely) {
                return;
            }
            let inner = within(&e.body);
            let own = || leaves(&e.body) || bodies(m).any(|(t, b)| inner.contains(&t) && leaves(b));
            if inner.contains(&Target::Rule(phase)) || runs && own() {
                let name = m.rules.get(phase.index()).map_or("", |r| &r.name);
                let message = format!("players who act at once or freely cannot leave `{name}`");
                let d = Diagnostic::error(codes::LEAVING_WITHIN, s.span, message);
                out.push(d.help("let them act `one by one` or `in turn`"));
            }
        });
    };
    bodies(m).for_each(|(t, b)| look(b, is_reached(t)));
    m.setups.iter().for_each(|(_, b)| look(&b.body, false));
    m.round.iter().for_each(|r| look(&r.body.body, false));
    m.attachments.iter().for_each(|a| look(block_of(a), is_attached(a)));
}

/// The blocks of rules and actions.
fn bodies(m: &Model) -> impl Iterator<Item = (Target, &[Stmt])> {
    let rules = m
        .rules
        .iter()
        .zip(0..)
        .filter_map(|(r, i)| r.body.body.as_deref().map(|b| (Target::Rule(RuleId(i)), b)));
    let fills = m.members.iter().flat_map(|x| &x.rule_fills).map(|(r, b)| (Target::Rule(*r), &*b.body));
    let actions = m.actions.iter().zip(0..).map(|(a, i)| (Target::Action(ActionId(i)), &*a.body));
    rules.chain(fills).chain(actions)
}
