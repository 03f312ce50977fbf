//! `order by p` of the header: player p chooses the order in which things act after a rule, where that order can matter.
//!
//! ```text
//! game G "G" { players 2; outcome win; order by leader }
//! Card bell { after dusk() { owner.coins = 2 * owner.coins } }
//! Card lamp { after dusk() { owner.coins += 1 } }
//! ```
//!
//! [`link_order`] writes it with what is there. What is attached after the rule no longer acts at once: it marks its thing and brings a layer, which keeps all names. The rule that is
//! called in place of `dusk` ([`Model::ordered`]) calls it, and then lets p choose among the marked things until none is left; the layers of the thing act, each once.
//!
//! ```text
//! after dusk() { this.waits = yes; until end of game { after act(this) once { this.waits = no; owner.coins += 1 } } }
//! rule dusk_and_all_after() { dusk(); repeat until no thing waits { act(choose one of those that wait by leader) } }
//! ```
use super::commute::{self, Effects, Matter};
use super::turn_events::{each_attachment, is_turn_event};
use super::{build, types, walk};
use crate::codes;
use crate::hir::*;
use houserule_text::{Diagnostic, Report, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The names of the rules in which things act: the one that has been chosen, and the rest. No rule of a game can have them.
const ACTS: [&str; 2] = ["act in order", "act at last"];

/// Whether it is a rule in which things act when they are chosen, or at last.
pub(super) fn is_turn_of_a_thing(m: &Model, t: Target) -> bool {
    matches!(t, Target::Rule(r) if m.rules.get(r.index()).is_some_and(|r| ACTS.contains(&&*r.name)))
}

/// Attachments by number: those whose order can matter, two and two, and when.
type Pairs = BTreeMap<(usize, usize), Matter>;

/// What acts after one rule.
#[derive(Default)]
struct Met {
    /// Those whose order can matter after it.
    pairs: Pairs,
    /// What waits after it.
    attached: BTreeSet<usize>,
}

impl Met {
    /// Whether all are of one kind; reports it otherwise.
    fn is_alike(&self, m: &Model, report: &mut Report) -> bool {
        let Some(first) = self.attached.first().copied() else { return true };
        let other = self.attached.iter().copied().find(|i| root_of(m, *i) != root_of(m, first));
        let (Some(a), Some(b)) = (m.attachments.get(first), other.and_then(|i| m.attachments.get(i))) else {
            return true;
        };
        report.push(
            Diagnostic::error(codes::ORDER, b.span, "the order in which things of two kinds act cannot be chosen")
                .also(a.span, "a thing of the other kind acts here")
                .help("declare a kind of which both are: `card A is Thing { … }`; or attach one of the two to a rule that is called later"),
        );
        false
    }
}

/// What is written for an attachment that waits.
#[derive(Clone, Copy)]
struct Act {
    /// The attribute that says whether a thing waits by it.
    waits: AttrId,
    /// The rule in which it acts, with the thing. One rule for all attachments would judge all of their layers at once.
    rule: RuleId,
}

/// What is written for each attachment that waits.
type Acts = BTreeMap<usize, Act>;

/// What is written for a rule after which things wait.
#[derive(Clone, Copy)]
struct Queue {
    /// The attribute that says whether a thing waits.
    waits: AttrId,
    /// The rule in which those act that have not been chosen.
    rest: RuleId,
}

/// Writes the order of what is attached after rules with other statements.
pub fn link_order(m: &mut Model, report: &mut Report) {
    let Some(by) = m.order else { return };
    let mut by_target = find_pairs(m);
    by_target.retain(|t, pairs| is_played(m, *t, pairs, report));
    let all: BTreeSet<usize> =
        by_target.values().flat_map(|x| x.pairs.keys()).flat_map(|(a, b)| [*a, *b]).collect();
    // What waits after one rule waits after the others, too.
    for (i, a) in m.attachments.iter().enumerate().filter(|(i, _)| all.contains(i)) {
        a.heads.iter().for_each(|h| by_target.entry(h.target).or_default().attached.extend([i]));
    }
    let alike = by_target.values().filter(|x| !x.is_alike(m, report)).count() == 0;
    let refused = all.iter().filter(|i| !is_attachment_played(m, **i, report)).count();
    let mut queues: BTreeMap<RuleId, Queue> = BTreeMap::new();
    if alike && refused == 0 {
        m.own_attrs = m.own_attrs.or((!all.is_empty()).then_some(AttrId(m.attrs.len() as u32)));
        let acts = declare_acts(m, &all);
        for (target, met) in &by_target {
            let kind = met.attached.first().and_then(|i| root_of(m, *i));
            let (Target::Rule(r), Some(kind)) = (target, kind) else { continue };
            let happens = name_rule(m, *r);
            let span = m.rules.get(happens.index()).map_or(Span::default(), |r| r.span);
            let queue = Queue {
                waits: add_mark(m, "queued", kind, span),
                rest: new_rule(m, ACTS[1], Vec::new(), span),
            };
            queues.insert(happens, queue);
            write_order(m, (happens, by), (met, &acts, kind), queue);
        }
        for (i, act) in acts {
            wait(m, i, act, &queues);
        }
    }
    for (r, called) in m.ordered.clone() {
        if m.rules.get(called.index()).is_some_and(|x| x.body.body.is_none()) {
            let (mut block, given) = call_with_arguments(m, r, called);
            block.extend(given.map(|g| Stmt { span: g.span, kind: StmtKind::Give(g) }));
            set_block(m, called, block);
        }
    }
}

/// The kind above all kinds of an attachment's carrier.
fn root_of(m: &Model, attachment: usize) -> Option<KindId> {
    let kind = match m.attachments.get(attachment)?.carrier.as_ref()? {
        Carrier::Kind(k) => *k,
        Carrier::Member(x) => m.members.get(x.index())?.kind,
    };
    Some(types::root_of(m, kind))
}

/// Finds, by what they are attached to, what things do after it whose order can matter.
fn find_pairs(m: &Model) -> BTreeMap<Target, Met> {
    let is_thing = |i: usize| root_of(m, i).is_some_and(|k| types::is_component(m, k));
    let mut after: Vec<(usize, &Attachment, Effects)> = Vec::new();
    for (i, a) in m.attachments.iter().enumerate().filter(|(i, _)| is_thing(*i)) {
        if let AttachKind::After(b) = &a.what {
            let by: Vec<&Expr> = a.may.iter().flat_map(|(by, _)| by).collect();
            after.push((i, a, commute::effects_of(m, a.owner, &by, b)));
        }
    }
    let watched = commute::watched_effects(m);
    let mut out: BTreeMap<Target, Met> = BTreeMap::new();
    for (n, (i, a, x)) in after.iter().enumerate() {
        for (j, b, y) in after.get(n..).unwrap_or(&[]) {
            for h in &a.heads {
                let other = b.heads.iter().find(|o| o.target == h.target);
                if !other.is_some_and(|o| can_meet(m, (*i, a, h), (*j, b, o))) {
                    continue;
                }
                let matter = x.matter(y, m, &watched);
                if matter != Matter::Never && (i != j || Differ::of(a).can(matter)) {
                    out.entry(h.target).or_default().pairs.insert((*i, *j), matter);
                }
            }
        }
    }
    out
}

/// Whether two things can act after one event by these attachments.
fn can_meet(
    m: &Model,
    (i, a, h): (usize, &Attachment, &Head),
    (j, b, o): (usize, &Attachment, &Head),
) -> bool {
    // Both are about the thing that brings them, so one event is not about both.
    let is_own = |a: &Attachment, p: &Pattern| match p {
        Pattern::Test(_, e) => match &*e.kind {
            ExprKind::Compare(Comparison::Eq, x, y) => {
                [x, y].into_iter().any(|x| matches!(&*x.kind, ExprKind::Local(l) if Some(*l) == a.this))
            }
            _ => false,
        },
        _ => false,
    };
    let about_one = h.patterns.iter().zip(&o.patterns).any(|(p, q)| is_own(a, p) && is_own(b, q));
    let single = match &a.carrier {
        Some(Carrier::Member(x)) => m.members.get(x.index()).is_some_and(|d| {
            let per_player = m.kinds.get(d.kind.index()).is_some_and(|k| k.per_player);
            d.copies.is_none() && d.family.is_none() && !per_player
        }),
        _ => false,
    };
    !about_one && (i != j || !single)
}

/// In what two things of one attachment must differ for their order to matter. Alike ones do the same one after the other, whichever is the first.
#[derive(Default)]
struct Differ {
    /// In who holds them.
    holder: bool,
    /// In one of these attributes.
    attrs: BTreeSet<AttrId>,
    /// In something else: any two count.
    any: bool,
}

impl Differ {
    fn of(a: &Attachment) -> Differ {
        let mut out = Differ { holder: a.may.is_some(), ..Differ::default() };
        let is_name =
            |e: &Expr, name: Option<LocalId>| matches!(&*e.kind, ExprKind::Local(l) if Some(*l) == name);
        let (mut used, mut known) = (0, 0);
        let mut read = |e: &Expr| {
            out.holder |= is_name(e, a.owner);
            used += usize::from(is_name(e, a.this));
            match &*e.kind {
                ExprKind::Attr(of, x) if is_name(of, a.this) => {
                    out.attrs.insert(*x);
                    known += 1;
                }
                _ => {}
            }
        };
        let (exprs, blocks) = walk::attachment_parts(a);
        let conditions = a.heads.iter().map(|h| walk::pattern_conditions(h).len()).sum::<usize>();
        let conditions = conditions + a.by.iter().chain(&a.when).count();
        exprs.into_iter().skip(conditions).for_each(|e| walk::visit_exprs(e, &mut read));
        blocks.iter().for_each(|b| walk::visit_block_exprs(b, &mut read));
        // What is done with the thing itself is done with the other one, too.
        let mut handled = |s: &Stmt| {
            known += s.kind.does().handles.iter().filter(|e| is_name(e, a.this)).count();
        };
        blocks.iter().for_each(|b| walk::visit_stmts(b, &mut |s| handled(s)));
        out.any = used > known;
        out
    }

    /// Whether two things can differ so, if their order matters then.
    fn can(&self, matter: Matter) -> bool {
        self.holder && matter == Matter::Always || self.any || !self.attrs.is_empty()
    }
}

/// Whether the order of these can be chosen; reports it otherwise.
fn is_played(m: &Model, t: Target, met: &Met, report: &mut Report) -> bool {
    let Some((i, j)) = met.pairs.keys().next().copied() else { return false };
    let (Some(a), Some(b)) = (m.attachments.get(i), m.attachments.get(j)) else { return false };
    if matches!(t, Target::Rule(r) if is_turn_rule(m, r) || m.called_for(r) != r) {
        return true;
    }
    let message =
        "the order in which things act after this cannot be chosen; it can be chosen after rules and phases";
    report.push(
        Diagnostic::error(codes::ORDER, b.span, message)
            .also(a.span, "with this the order can matter")
            .help("attach them to a rule that is called there: `rule name() { }`"),
    );
    false
}

fn is_turn_rule(m: &Model, r: RuleId) -> bool {
    m.rules.get(r.index()).is_some_and(is_turn_event)
}

/// Whether an attachment can wait until its thing is chosen; reports it otherwise.
fn is_attachment_played(m: &Model, i: usize, report: &mut Report) -> bool {
    let Some(a) = m.attachments.get(i) else { return false };
    let rules = |h: &Head| matches!(h.target, Target::Rule(r) if is_turn_rule(m, r) || m.called_for(r) != r);
    let (message, help) = if a.once.is_some() && a.may.is_some() {
        (
            "what acts in an order that is chosen cannot be limited by `once` and ask with `may`",
            "write `may` in the block: `once { may \"…\" { … } }`; then it counts as used whatever the answer is",
        )
    } else if !a.heads.iter().all(rules) {
        (
            "what acts in an order that is chosen is attached to rules and phases only",
            "write two attachments, one for the rules and one for the rest",
        )
    } else {
        return true;
    };
    report.push(Diagnostic::error(codes::ORDER, a.span, message).help(help));
    false
}

/// Adds a rule that does nothing but let act what is attached to it. No two rules or marks have one place.
fn new_rule(m: &mut Model, name: &str, params: Vec<Local>, of: Span) -> RuleId {
    let count = params.len();
    let mut rule = super::turn_events::rule(name, build::beginning(of), false);
    rule.body.locals.splice(0..0, params);
    (rule.body.params, rule.me) = (count, LocalId(count as u32));
    m.rules.push(rule);
    RuleId(m.rules.len() as u32 - 1)
}

/// Adds a mark that things of a kind may have.
fn add_mark(m: &mut Model, name: &str, kind: KindId, of: Span) -> AttrId {
    let id = AttrId(m.attrs.len() as u32);
    let span = build::beginning(of);
    let no = Body { locals: Vec::new(), params: 0, body: build::truth(false, span) };
    let mark = build::own_attribute(name, Ty::Bool, span);
    m.attrs.push(Attr { of: Some(kind), default: Some(no), ..mark });
    m.kinds.get_mut(kind.index()).into_iter().for_each(|k| k.attrs.push(id));
    id
}

/// Declares the marks of what waits, and the rules in which it acts.
fn declare_acts(m: &mut Model, all: &BTreeSet<usize>) -> Acts {
    let mut acts = Acts::new();
    for i in all {
        let Some(kind) = root_of(m, *i) else { continue };
        let span = m.attachments.get(*i).map_or(Span::default(), |a| a.span);
        let this = Local { name: "this".into(), ty: Ty::Of(kind), span: build::beginning(span) };
        let rule = new_rule(m, ACTS[0], vec![this], span);
        acts.insert(*i, Act { waits: add_mark(m, "waits", kind, span), rule });
    }
    acts
}

/// The rule that others call where this one happens. A turn's or round's becomes two: it has no name by which it is called.
fn name_rule(m: &mut Model, r: RuleId) -> RuleId {
    let Some(mut rule) = m.rules.get(r.index()).filter(|x| is_turn_event(x)).cloned() else { return r };
    rule.span = build::beginning(rule.span);
    rule.body.locals.iter_mut().for_each(|l| l.span = rule.span);
    let happens = RuleId(m.rules.len() as u32);
    m.rules.push(rule);
    each_attachment(m, &mut |a| {
        a.heads
            .iter_mut()
            .filter(|h| h.target == Target::Rule(r))
            .for_each(|h| h.target = Target::Rule(happens));
    });
    m.ordered.push((happens, r));
    happens
}

/// The block that calls a rule with the parameters of the one that is called in its place; with the name of what it gives.
fn call_with_arguments(m: &mut Model, r: RuleId, called: RuleId) -> (Block, Option<Expr>) {
    let (Some(gives), Some(outer)) =
        (m.rules.get(r.index()).map(|r| r.gives.clone()), m.rules.get_mut(called.index()))
    else {
        return (Block::new(), None);
    };
    let span = outer.span;
    let params = outer.body.locals.iter().take(outer.body.params).zip(0..);
    let args = params.map(|(l, i)| build::local(LocalId(i), l.ty.clone(), span)).collect();
    if gives == Ty::Nothing {
        return (vec![Stmt { span, kind: StmtKind::Call(r, None, args) }], None);
    }
    let given = LocalId(outer.body.locals.len() as u32);
    outer.body.locals.push(Local { name: "given".into(), ty: gives.clone(), span });
    let call = build::expr(gives.clone(), span, ExprKind::Rule(r, None, args));
    let block = vec![Stmt { span, kind: StmtKind::Let(given, call) }];
    (block, Some(build::local(given, gives, span)))
}

fn set_block(m: &mut Model, r: RuleId, block: Block) {
    m.rules.get_mut(r.index()).into_iter().for_each(|r| r.body.body = Some(block.clone()));
}

/// Makes an attachment wait: it marks its thing, and brings a layer that does once what it did.
fn wait(m: &mut Model, i: usize, act: Act, queues: &BTreeMap<RuleId, Queue>) {
    let kind = root_of(m, i).unwrap_or(KindId(0));
    let Some(a) = m.attachments.get_mut(i) else { return };
    let (Some(this), Some(me)) = (a.this, a.me) else { return };
    let span = a.span;
    let stmt = |kind| Stmt { span, kind };
    let this_ty = a.locals.get(this.index()).map_or(Ty::Error, |l| l.ty.clone());
    let this = build::local(this, this_ty, span);
    let queued: Vec<Queue> = a
        .heads
        .iter()
        .filter_map(|h| if let Target::Rule(r) = h.target { queues.get(&r).copied() } else { None })
        .collect();
    let marks: Vec<AttrId> = queued.iter().map(|q| q.waits).chain([act.waits]).collect();
    let mark = |on| -> Block {
        let set = |a| StmtKind::Assign(Lhs::Attr(this.clone(), a), Change::Set, build::truth(on, span));
        marks.iter().map(|a| stmt(set(*a))).collect()
    };
    let until =
        |inner| stmt(StmtKind::Until(Until::EndOfGame, vec![stmt(StmtKind::Attach(Box::new(inner)))]));
    let new_local = |name: &str, ty: Ty, locals: &mut Vec<Local>| {
        locals.push(Local { name: name.into(), ty, span });
        LocalId(locals.len() as u32 - 1)
    };
    let chosen = new_local("it", Ty::Of(kind), &mut a.locals);
    let acting = new_local("me", types::player(), &mut a.locals);
    let mut block = mark(false);
    let AttachKind::After(body) = &mut a.what else { return };
    let body = std::mem::take(body);
    match a.may.take() {
        None => block.extend(body),
        Some((by, prompt)) => {
            // Without `by` the owner is asked, or who acts if nobody holds the thing.
            let me_now = build::local(me, types::player(), span);
            let owner = a.owner.map(|o| {
                let owner = build::local(o, types::maybe(types::player()), span);
                build::expr(types::player(), span, ExprKind::Default(owner, me_now))
            });
            block.push(stmt(StmtKind::May(Box::new(May { by: by.or(owner), prompt, me, body }))));
        }
    }
    let is_this = ExprKind::Compare(Comparison::Eq, build::local(chosen, Ty::Of(kind), span), this.clone());
    let mut heads = vec![Head {
        target: Target::Rule(act.rule),
        patterns: vec![Pattern::Test(chosen, build::cond(span, is_this))],
    }];
    let rest = |q: &Queue| Head { target: Target::Rule(q.rest), patterns: Vec::new() };
    heads.extend(queued.iter().map(rest));
    let inner = Attachment {
        carrier: None,
        locals: Vec::new(),
        this: None,
        owner: a.owner,
        outer: a.names,
        maker: None,
        me: Some(acting),
        names: 0,
        heads,
        what: AttachKind::After(block),
        by: None,
        during: Vec::new(),
        when: None,
        once: Some(Once { per: None }),
        may: None,
        // No two attachments have one place.
        span: build::beginning(span),
        scope: a.scope,
    };
    a.what = AttachKind::After(mark(true).into_iter().chain([until(inner)]).collect());
}

/// Writes the rule that is called in place of another: it happens, then those that wait act in the order that the player chooses.
///
/// ```text
/// dusk()
/// repeat until nothing waits {
///   let left = what waits; let meet = []
///   for thing in left { for other in left where it != thing { if the order of both can matter { meet += thing } } }
///   let next = first of left
///   let chosen = choose one of meet by p; if chosen is some { next = chosen }
///   if next.waits by … { act(next) }                 # for each attachment
/// }
/// rest()
/// ```
fn write_order(
    m: &mut Model,
    (r, by): (RuleId, ValueId),
    (met, acts, kind): (&Met, &Acts, KindId),
    queue: Queue,
) {
    let called = m.called_for(r);
    let (mut block, given) = call_with_arguments(m, r, called);
    let Some(outer) = m.rules.get(called.index()) else { return };
    let Some(value) = m.values.get(by.index()) else { return };
    let span = value.body.body.as_ref().map_or(value.span, |e| e.span);
    let locals = outer.body.locals.clone();
    let by = build::expr(value.ty.clone(), span, ExprKind::Value(by, Vec::new()));
    let stmt = |kind| Stmt { span, kind };
    let (one, set) = (types::maybe(Ty::Of(kind)), types::set_of(Ty::Of(kind)));
    let mut w = Writer { m, span, kind, locals, acts };
    let (left, meet) = (w.new_local("left", set.clone()), w.new_local("meet", set.clone()));
    let (next, chosen) = (w.new_local("next", one.clone()), w.new_local("chosen", one.clone()));
    let of =
        |l: LocalId| build::local(l, if l == left || l == meet { set.clone() } else { one.clone() }, span);
    let nobody = build::expr(set.clone(), span, ExprKind::Set(Vec::new()));
    let first = build::expr(one.clone(), span, ExprKind::First { n: None, of: of(left), last: false });
    let mut round = vec![
        stmt(StmtKind::Let(left, w.waiting(queue))),
        stmt(StmtKind::Let(meet, nobody)),
        w.find_meeting(&met.pairs, of(left), meet),
        stmt(StmtKind::Let(next, first)),
    ];
    let prompt = Some(Text::plain("What acts first?", span));
    let choose = Choose { many: Many::One, from: of(meet), by: Chooser::Player(by.clone()), prompt };
    let choose = build::expr(one.clone(), span, ExprKind::Choose(Box::new(choose)));
    let is_some = |e: Expr| build::cond(span, ExprKind::IsSome(e));
    let take = stmt(StmtKind::Assign(Lhs::Local(next), Change::Set, of(chosen)));
    let ask = vec![
        stmt(StmtKind::Let(chosen, choose)),
        stmt(StmtKind::If(is_some(of(chosen)), vec![take], Block::new())),
    ];
    let asks_none = types::is_maybe(&by.ty);
    round.extend(if asks_none { vec![stmt(StmtKind::If(is_some(by), ask, Block::new()))] } else { ask });
    round.push(w.act(&met.attached, of(next)));
    let none_waits = build::cond(span, ExprKind::IsEmpty(w.waiting(queue)));
    block.push(stmt(StmtKind::RepeatUntil(none_waits, round)));
    // What has left meanwhile acts, too.
    block.push(stmt(StmtKind::Call(queue.rest, None, Vec::new())));
    block.extend(given.map(|g| stmt(StmtKind::Give(g))));
    let locals = w.locals;
    if let Some(outer) = m.rules.get_mut(called.index()) {
        (outer.body.locals, outer.body.body) = (locals, Some(block));
    }
}

/// Writes expressions and statements of one rule.
struct Writer<'a> {
    m: &'a Model,
    span: Span,
    kind: KindId,
    locals: Vec<Local>,
    acts: &'a Acts,
}

impl Writer<'_> {
    fn new_local(&mut self, name: &str, ty: Ty) -> LocalId {
        self.locals.push(Local { name: name.into(), ty, span: self.span });
        LocalId(self.locals.len() as u32 - 1)
    }

    /// The things in active places that wait.
    fn waiting(&mut self, queue: Queue) -> Expr {
        let (span, ty) = (self.span, Ty::Of(self.kind));
        let it = self.new_local("it", ty.clone());
        let thing = build::local(it, ty.clone(), span);
        let waits = build::cond(span, ExprKind::Attr(thing.clone(), queue.waits));
        let up = build::builtin(Builtin::Up, vec![thing], Ty::Bool, span);
        build::expr(types::set_of(ty), span, ExprKind::Where(self.places(), it, build::and(up, waits)))
    }

    /// Lets the next one do all for which it waits after this rule.
    fn act(&mut self, attached: &BTreeSet<usize>, next: Expr) -> Stmt {
        let (span, ty) = (self.span, Ty::Of(self.kind));
        let one = self.new_local("thing", ty.clone());
        let thing = build::local(one, ty, span);
        let stmt = |kind| Stmt { span, kind };
        let acts = attached.iter().filter_map(|i| Some((i, self.acts.get(i)?)));
        let acts = acts.map(|(i, act)| {
            let call = stmt(StmtKind::Call(act.rule, None, vec![thing.clone()]));
            stmt(StmtKind::If(self.waits_by(&thing, &BTreeSet::from([*i])), vec![call], Block::new()))
        });
        stmt(StmtKind::For(one, build::single(next), acts.collect()))
    }

    /// Puts into a set those of which the order with another one can matter.
    fn find_meeting(&mut self, pairs: &Pairs, left: Expr, meet: LocalId) -> Stmt {
        let (span, ty) = (self.span, Ty::Of(self.kind));
        let (one, two) = (self.new_local("thing", ty.clone()), self.new_local("other", ty.clone()));
        let (thing, other) = (build::local(one, ty.clone(), span), build::local(two, ty, span));
        let stmt = |kind| Stmt { span, kind };
        let mut found = Block::new();
        for i in self.acts.keys() {
            let with = |((a, b), matter): (&(usize, usize), &Matter)| match i {
                _ if a == i => Some((*b, *matter)),
                _ if b == i => Some((*a, *matter)),
                _ => None,
            };
            let others: BTreeMap<usize, Matter> = pairs.iter().filter_map(with).collect();
            let waits = self.waits_by(&thing, &BTreeSet::from([*i]));
            let meets = build::and(waits, self.matters(&thing, &other, *i, &others));
            let add = StmtKind::Assign(Lhs::Local(meet), Change::Add, build::single(thing.clone()));
            if !others.is_empty() {
                found.push(stmt(StmtKind::If(meets, vec![stmt(add)], Block::new())));
            }
        }
        let differs = build::cond(span, ExprKind::Compare(Comparison::Ne, other, thing));
        let found = vec![stmt(StmtKind::If(differs, found, Block::new()))];
        stmt(StmtKind::For(one, left.clone(), vec![stmt(StmtKind::For(two, left, found))]))
    }

    /// Whether the order of a thing, which waits by an attachment, and another one can matter, which waits by one of these; one that waits by the same must differ.
    fn matters(&self, thing: &Expr, other: &Expr, by: usize, all: &BTreeMap<usize, Matter>) -> Expr {
        let span = self.span;
        let compare = |how, a: Expr, b: Expr| build::cond(span, ExprKind::Compare(how, a, b));
        let holder =
            |e: &Expr| build::builtin(Builtin::Holder, vec![e.clone()], types::maybe(types::player()), span);
        let holders = |how| compare(how, holder(other), holder(thing));
        let mut conds = Vec::new();
        for matter in [Matter::Always, Matter::OfOneOwner] {
            let unlike: BTreeSet<usize> =
                all.iter().filter(|(i, x)| **i != by && **x == matter).map(|(i, _)| *i).collect();
            let waits = self.waits_by(other, &unlike);
            let one_owner = matter == Matter::OfOneOwner && !unlike.is_empty();
            conds.push(if one_owner { build::and(waits, holders(Comparison::Eq)) } else { waits });
        }
        if let (Some(a), Some(matter)) = (self.m.attachments.get(by), all.get(&by)) {
            let how = Differ::of(a);
            let mut in_what = vec![build::truth(how.any, span)];
            if how.holder && *matter == Matter::Always {
                in_what.push(holders(Comparison::Ne));
            }
            in_what.extend(how.attrs.iter().filter_map(|x| {
                let ty = self.m.attrs.get(x.index())?.ty.clone();
                let of = |e: &Expr| build::expr(ty.clone(), span, ExprKind::Attr(e.clone(), *x));
                Some(compare(Comparison::Ne, of(other), of(thing)))
            }));
            let mut same = build::and(self.waits_by(other, &BTreeSet::from([by])), self.any_of(in_what));
            if *matter == Matter::OfOneOwner {
                same = build::and(same, holders(Comparison::Eq));
            }
            conds.push(same);
        }
        self.any_of(conds)
    }

    fn waits_by(&self, thing: &Expr, all: &BTreeSet<usize>) -> Expr {
        let marks = all.iter().filter_map(|i| self.acts.get(i)).map(|act| act.waits);
        self.any_of(marks.map(|a| build::cond(self.span, ExprKind::Attr(thing.clone(), a))).collect())
    }

    fn any_of(&self, conds: Vec<Expr>) -> Expr {
        let or = |a, b| build::cond(self.span, ExprKind::Or(a, b));
        let known = |e: &Expr, is: bool| matches!(&*e.kind, ExprKind::Bool(b) if *b == is);
        if conds.iter().any(|e| known(e, true)) {
            return build::truth(true, self.span);
        }
        conds
            .into_iter()
            .filter(|e| !known(e, false))
            .reduce(or)
            .unwrap_or_else(|| build::truth(false, self.span))
    }

    /// What lies in places where attachments are in force.
    fn places(&mut self) -> Expr {
        let (m, span) = (self.m, self.span);
        let ty = types::set_of(Ty::Of(self.kind));
        let holds = |z: &Zone| z.holds.iter().any(|k| types::is_a(m, *k, self.kind));
        let zones =
            (0..).map(ZoneId).zip(&m.zones).filter(|(_, z)| !matches!(z.active, Active::Never) && holds(z));
        let zones: Vec<(ZoneId, &Zone)> = zones.collect();
        let sets: Vec<Expr> = zones.into_iter().map(|(id, z)| self.things_in(id, z)).collect();
        let union = |a, b| build::expr(ty.clone(), span, ExprKind::Union(a, b));
        sets.into_iter()
            .reduce(union)
            .unwrap_or_else(|| build::expr(ty.clone(), span, ExprKind::Set(Vec::new())))
    }

    /// What lies in a zone, whosever and of whatever index.
    fn things_in(&mut self, id: ZoneId, z: &Zone) -> Expr {
        let span = self.span;
        let holds = types::any_of(z.holds.clone());
        let set = types::set_of(holds.clone());
        let mut over = Vec::new();
        let mut name = |w: &mut Self, ty: Ty, all: ExprKind| {
            let var = w.new_local("each", ty.clone());
            over.push((var, build::expr(types::set_of(ty.clone()), span, all)));
            build::local(var, ty, span)
        };
        let whose = z.of.map(|k| name(self, Ty::Of(k), ExprKind::All(k)));
        let index = z.index.as_ref().map(|ty| match types::plain(ty) {
            Ty::Int(a, b) => {
                name(self, Ty::Int(a, b), ExprKind::Range(build::int(a, span), build::int(b, span)))
            }
            Ty::Of(k) => name(self, Ty::Of(k), ExprKind::All(k)),
            other => name(self, other, ExprKind::Error),
        });
        let kind = ExprKind::Zone(whose, id, index);
        let mut things = if z.slot {
            build::single(build::expr(types::maybe(holds), span, kind))
        } else {
            build::expr(set.clone(), span, kind)
        };
        for (var, over) in over {
            let fold = Fold { op: FoldOp::Union, var, over, cond: None, bodies: vec![things] };
            things = build::expr(set.clone(), span, ExprKind::Fold(Box::new(fold)));
        }
        things
    }
}
