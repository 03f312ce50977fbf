//! Turns and rounds as events: `before turn`, `after round` become attachments to rules that each turn and each round calls.
//!
//! ```text
//! after turn { draw(me) }      # `everyone in turn { B }` becomes `everyone in turn { B; (a rule that does nothing) }`, also if B ends early
//! ```
//!
//! A game without such attachments is left as it is. `before`, `instead of` and `forbid` stand around a rule at the beginning; of the last two, the turn
//! or round is skipped if that rule does not happen.
use super::{build, types};
use crate::hir::*;
use houserule_text::Span;
use std::sync::Arc;

/// What attachments name before [`link_turn_events`]: the turn, and the round.
const NAMED: [RuleId; 2] = [RuleId(u32::MAX), RuleId(u32::MAX - 1)];

/// The words that name the two.
pub const WORDS: [&str; 2] = ["turn", "round"];

/// What stands for the turn or the round in an attachment's head, until [`link_turn_events`].
pub fn named_by(word: &str) -> Option<Target> {
    WORDS.iter().position(|w| *w == word).map(|i| Target::Rule(NAMED[i]))
}

/// The rules that turns or rounds call.
#[derive(Clone, Copy, Default)]
struct Rules {
    begins: Option<RuleId>,
    ends: Option<RuleId>,
    /// Whether the first one may not happen.
    skipped: bool,
}

/// Gives turns and rounds the rules that attachments name.
pub fn link_turn_events(m: &mut Model) {
    let (mut found, mut declared) = ([Rules::default(); 2], Vec::new());
    let first = m.rules.len() as u32;
    each_attachment(m, &mut |a| {
        for h in &mut a.heads {
            let Some(i) = NAMED.iter().position(|r| h.target == Target::Rule(*r)) else { continue };
            found[i].skipped |= matches!(a.what, AttachKind::Instead(_) | AttachKind::Forbid(_));
            let end = matches!(a.what, AttachKind::After(_));
            let id = if end { &mut found[i].ends } else { &mut found[i].begins };
            h.target = Target::Rule(*id.get_or_insert_with(|| {
                declared.push(rule(WORDS[i], a.span, !end));
                RuleId(first + declared.len() as u32 - 1)
            }));
        }
    });
    m.rules.extend(declared);
    let [turn, round] = found;
    if turn.begins.or(turn.ends).is_some() {
        each_block(m, &mut |b| put_around_turns(b, turn));
    }
    if let Some(r) = &mut m.round {
        put_before(&mut r.body.body, round, r.span);
        r.body.body.extend(call_at_end(round, r.span));
    }
}

/// A rule that does nothing but, at a beginning, to say that it happened.
pub(super) fn rule(name: &str, span: Span, begins: bool) -> Rule {
    let me = Local { name: Arc::from("me"), ty: types::player(), span };
    let happened = Stmt { span, kind: StmtKind::Give(build::truth(true, span)) };
    Rule {
        name: name.into(),
        title: None,
        of: None,
        phase: false,
        body: Body {
            locals: vec![me],
            params: 0,
            body: Some(begins.then_some(happened).into_iter().collect()),
        },
        me: LocalId(0),
        gives: if begins { types::maybe(Ty::Bool) } else { Ty::Nothing },
        has: Vec::new(),
        pays: None,
        span,
        doc: None,
        scope: ScopeId(0),
    }
}

/// Whether a rule is one of those that turns and rounds call.
pub fn is_turn_event(r: &Rule) -> bool {
    WORDS.contains(&&*r.name) && r.body.locals.first().is_some_and(|me| r.of.is_none() && me.span == r.span)
}

/// Calls the rules around the block of each player's turn.
fn put_around_turns(b: &mut Block, rules: Rules) {
    for s in b {
        if let StmtKind::Everyone(e) = &mut s.kind
            && matches!(e.mode, Mode::InTurn | Mode::AnyOrder)
        {
            put_before(&mut e.body, rules, s.span);
            e.then.extend(call_at_end(rules, s.span));
        }
    }
}

fn put_before(b: &mut Block, rules: Rules, span: Span) {
    let stmt = |kind| Stmt { span, kind };
    if let Some(begins) = rules.begins {
        let call = build::expr(types::maybe(Ty::Bool), span, ExprKind::Rule(begins, None, Vec::new()));
        if rules.skipped {
            let inner = std::mem::take(b);
            b.push(stmt(StmtKind::If(build::cond(span, ExprKind::IsSome(call)), inner, Vec::new())));
        } else {
            b.insert(0, stmt(StmtKind::Call(begins, None, Vec::new())));
        }
    }
}

fn call_at_end(rules: Rules, span: Span) -> Option<Stmt> {
    rules.ends.map(|ends| Stmt { span, kind: StmtKind::Call(ends, None, Vec::new()) })
}

/// Every block of the model and the blocks in it, the inner ones first.
fn each_block(m: &mut Model, f: &mut dyn FnMut(&mut Block)) {
    each_rule_block(m, f);
    fn steps(all: &mut [TestStep], f: &mut dyn FnMut(&mut Block)) {
        for s in all {
            match &mut s.kind {
                TestStepKind::Do(s) => {
                    let nothing = Stmt { span: s.span, kind: StmtKind::Stop };
                    let mut one = vec![std::mem::replace(s, nothing)];
                    each_inner(&mut one, f);
                    one.into_iter().for_each(|done| *s = done);
                }
                TestStepKind::For(_, _, b) | TestStepKind::Repeat(_, b) => steps(b, f),
                TestStepKind::If(_, a, b) => {
                    steps(a, f);
                    steps(b, f);
                }
                _ => {}
            }
        }
    }
    m.tests.iter_mut().for_each(|t| steps(&mut t.steps, f));
}

/// A block and the blocks in it, the inner ones first.
fn each_inner(b: &mut Block, f: &mut dyn FnMut(&mut Block)) {
    for s in b.iter_mut() {
        match &mut s.kind {
            StmtKind::If(_, a, b) => {
                each_inner(a, f);
                each_inner(b, f);
            }
            StmtKind::For(_, _, b)
            | StmtKind::Repeat(_, b)
            | StmtKind::RepeatUntil(_, b)
            | StmtKind::As(_, _, b)
            | StmtKind::Until(_, b) => each_inner(b, f),
            StmtKind::Everyone(e) => each_inner(&mut e.body, f),
            StmtKind::May(x) => each_inner(&mut x.body, f),
            StmtKind::Attach(a) => attached_block(a).into_iter().for_each(|b| each_inner(b, f)),
            _ => {}
        }
    }
    f(b);
}

fn attached_block(a: &mut Attachment) -> Option<&mut Block> {
    match &mut a.what {
        AttachKind::Before(b) | AttachKind::After(b) | AttachKind::Instead(b) => Some(b),
        _ => None,
    }
}

/// The same, without tests.
pub(super) fn each_rule_block(m: &mut Model, f: &mut dyn FnMut(&mut Block)) {
    m.rules.iter_mut().filter_map(|r| r.body.body.as_mut()).for_each(|b| each_inner(b, f));
    m.actions.iter_mut().for_each(|a| each_inner(&mut a.body, f));
    m.attachments.iter_mut().filter_map(attached_block).for_each(|b| each_inner(b, f));
    m.setups.iter_mut().for_each(|(_, b)| each_inner(&mut b.body, f));
    m.round.iter_mut().for_each(|r| each_inner(&mut r.body.body, f));
    m.members.iter_mut().flat_map(|x| &mut x.rule_fills).for_each(|(_, b)| each_inner(&mut b.body, f));
}

/// Every attachment, those of layers, too.
pub(super) fn each_attachment(m: &mut Model, f: &mut dyn FnMut(&mut Attachment)) {
    m.attachments.iter_mut().for_each(&mut *f);
    each_block(m, &mut |b| {
        for s in b {
            if let StmtKind::Attach(a) = &mut s.kind {
                f(a);
            }
        }
    });
}
