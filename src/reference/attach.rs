//! What is attached to values, rules and actions (attachments.md): what of it is in force, on what it applies, and what values become by it.
use super::expr::{Evaluator, Frame};
use super::numbers::Numbers;
use super::value::{Datum, Failure, Result, Stop, fails, number, unsupported, within};
use super::world;
use crate::model::body::{types, walk};
use crate::model::hir::{self, *};

/// How old something in force is: what stands there from the start is oldest, then each carrier and layer as it came.
pub type Age = (i64, usize, u32);

/// An attachment that is in force, brought there by something.
#[derive(Clone)]
pub struct InForce<'a> {
    /// What is attached.
    pub a: &'a Attachment,
    /// By which of its heads.
    pub head: &'a Head,
    /// Its place among those of its target: by where it is declared, then in the order of the text.
    pub order: usize,
    /// When it came into force.
    pub age: Age,
    /// The names that it has from its carrier or its layer.
    pub names: Vec<(LocalId, Datum)>,
}

/// Where a modification comes among the others: `=`, then `+=` and `-=`, then `at least`, then `at most`.
fn rank_of_change(a: &Attachment) -> u8 {
    match &a.what {
        AttachKind::Modify(hir::Change::Set, _) => 0,
        AttachKind::Modify(hir::Change::Add | hir::Change::Sub, _) => 1,
        AttachKind::Modify(hir::Change::AtLeast, _) => 2,
        _ => 3,
    }
}

/// A change of a value, an attribute or a name. Of several things, some come or go; of none and a number, `at least` and `at most` are the number.
pub fn changed(change: hir::Change, ty: &Ty, old: Datum, new: Datum) -> Result {
    let several = matches!(ty, Ty::Set(_) | Ty::List(_));
    match change {
        hir::Change::Set => Ok(new),
        hir::Change::Add if several => Ok(old.with(&new)),
        hir::Change::Sub if several => Ok(old.without(&new)),
        hir::Change::Add => number(old.int()? + new.int()?),
        hir::Change::Sub => number(old.int()? - new.int()?),
        hir::Change::AtLeast => Ok(old.max(new)),
        hir::Change::AtMost if old == Datum::None => Ok(new),
        hir::Change::AtMost if new == Datum::None => Ok(old),
        hir::Change::AtMost => Ok(old.min(new)),
    }
}

/// Whether an expression is a name.
pub fn is_name(e: &Expr, name: LocalId) -> bool {
    matches!(&*e.kind, ExprKind::Local(l) if *l == name)
}

/// Whether an expression does more with a name than compare it, so that the name must stand for somebody.
pub fn needs_somebody(e: &Expr, name: LocalId) -> bool {
    let compares = matches!(&*e.kind, ExprKind::Compare(..) | ExprKind::In(..) | ExprKind::IsSome(_));
    is_name(e, name) && !types::is_maybe(&e.ty)
        || walk::parts(e).into_iter().any(|p| !(compares && is_name(p, name)) && needs_somebody(p, name))
}

/// The tests of a head's patterns.
pub fn tests_of(head: &Head) -> impl Iterator<Item = &Expr> {
    head.patterns.iter().filter_map(|p| if let Pattern::Test(_, e) = p { Some(e) } else { None })
}

impl<'a> Numbers<'a> {
    /// The attachments of a target in the order of loading: the game's, those of variants, of the scenario, of mods, then those of layers. With a rank by which the caller sorts
    /// them first.
    pub fn attached(
        &self,
        is: impl Fn(&Target) -> bool,
        rank: impl Fn(&Attachment) -> u8,
    ) -> Vec<(&'a Attachment, &'a Head)> {
        let layered = self.layered.iter().map(|(a, _)| *a);
        let all = self.m.attachments.iter().chain(layered).filter(|a| self.set.has(a.scope));
        let mut out: Vec<(&Attachment, &Head)> =
            all.filter_map(|a| a.heads.iter().find(|h| is(&h.target)).map(|h| (a, h))).collect();
        out.sort_by_key(|(a, _)| (rank(a), self.rank_of_scope(a)));
        out
    }

    /// Where an attachment comes among those of other scopes; layers come last.
    pub fn rank_of_scope(&self, a: &Attachment) -> u8 {
        if self.layer_of(a).is_some() { u8::MAX } else { self.m.rank_of_scope(a.scope) }
    }

    /// The number of an attachment that layers bring.
    pub fn layer_of(&self, a: &Attachment) -> Option<usize> {
        if a.outer == 0 { None } else { self.layered.iter().position(|(x, _)| x.span == a.span) }
    }
}

impl<'a> Evaluator<'a> {
    /// What brings an attachment into force now: itself, each of its carriers, each layer that has it.
    pub fn brought(
        &mut self,
        order: usize,
        (a, head): (&'a Attachment, &'a Head),
    ) -> Result<Vec<InForce<'a>>> {
        let one = |age, names| InForce { a, head, order, age, names };
        if let Some(what) = self.n.layer_of(a) {
            let of = |l: &world::Layer| match &l.change {
                world::Change::Attached(x, names) if *x == what => {
                    Some(one((l.since, order, 0), names.clone()))
                }
                _ => None,
            };
            return Ok(self.w.layers.iter().filter_map(of).collect());
        }
        let Some(carrier) = &a.carrier else { return Ok(vec![one((0, order, 0), Vec::new())]) };
        let mut out = Vec::new();
        for c in self.carriers(carrier)? {
            let came = self.w.piece(self.n, &c).map_or(0, |piece| piece.came);
            let holder = self.holder(&c).unwrap_or(Datum::None);
            let names = a.this.map(|l| (l, c.clone())).into_iter().chain(a.owner.map(|l| (l, holder)));
            out.push(one((came, order, c.number()?), names.collect()));
        }
        Ok(out)
    }

    /// The player in whose zone a component lies.
    pub fn holder(&self, c: &Datum) -> Result {
        Ok(self.n.holder_at(self.lies_at(c)?))
    }

    /// The components that show a member, or are of a kind, and lie in an active zone. Things that are no components always count.
    pub fn carriers(&mut self, carrier: &Carrier) -> Result<Vec<Datum>> {
        let kind = match carrier {
            Carrier::Kind(k) => *k,
            Carrier::Member(m) => self.m().members[m.index()].kind,
        };
        let all = self.all_of(kind)?.items();
        if !types::is_component(self.m(), kind) {
            return Ok(all);
        }
        let mut out = Vec::new();
        for c in all {
            let member = self.face_of(&c)?.1.member;
            let is = !matches!(carrier, Carrier::Member(m) if member != Some(*m));
            if is && self.is_active(&c)? {
                out.push(c);
            }
        }
        Ok(out)
    }

    /// Whether what a component brings is in force where it lies.
    fn is_active(&mut self, c: &Datum) -> Result<bool> {
        match self.n.zone_at(self.lies_at(c)?).map(|z| &z.active) {
            None | Some(Active::Never) => Ok(false),
            Some(Active::Always) => Ok(true),
            Some(Active::When(b)) => {
                let holder = self.holder(c)?;
                self.truth(&b.body, &mut Frame::of(vec![c.clone(), holder]))
            }
        }
    }

    /// Whether an attachment in force applies to these arguments, done by that player; with its names bound.
    pub fn applies(&mut self, x: &InForce<'_>, args: &[Datum], me: Option<&Datum>) -> Result<(bool, Frame)> {
        let (a, mut f) = (x.a, Frame::default());
        let me = a.me.zip(me.cloned());
        for (l, v) in x.names.iter().cloned().chain(me) {
            f.bind(l, v);
        }
        for (p, arg) in x.head.patterns.iter().zip(args) {
            if let Pattern::Bind(l) | Pattern::Test(l, _) = p {
                f.bind(*l, arg.clone());
            }
        }
        // What needs an owner does not apply to what nobody holds.
        if let Some(owner) = a.owner {
            let changed = if let AttachKind::Modify(_, e) = &a.what { Some(e) } else { None };
            let mut asked = tests_of(x.head).chain(&a.when).chain(changed);
            if asked.any(|e| needs_somebody(e, owner)) && f.get(owner)? == Datum::None {
                return Ok((false, f));
            }
        }
        for e in tests_of(x.head) {
            if !self.truth(e, &mut f)? {
                return Ok((false, f));
            }
        }
        if let (Some(by), Some(l)) = (&a.by, a.me) {
            let (whom, me) = (self.eval(by, &mut f)?, f.get(l)?);
            if !whom.items().contains(&me) {
                return Ok((false, f));
            }
        }
        let during = a.during.is_empty() || a.during.iter().any(|r| self.w.phases.contains(r));
        let when = during && a.when.as_ref().map_or(Ok(true), |w| self.truth(w, &mut f))?;
        Ok((when, f))
    }

    /// What is attached to something and does this, in force, with its names: those that apply.
    pub fn around(
        &mut self,
        is: impl Fn(&Target) -> bool,
        does: impl Fn(&AttachKind) -> bool,
        args: &[Datum],
        me: Option<&Datum>,
    ) -> Result<Vec<(InForce<'a>, Frame)>> {
        let mut out = Vec::new();
        for (k, x) in self.n.attached(is, |_| 0).into_iter().enumerate() {
            if !does(&x.0.what) {
                continue;
            }
            for x in self.brought(k, x)? {
                let (applies, f) = self.applies(&x, args, me)?;
                if applies {
                    out.push((x, f));
                }
            }
        }
        Ok(out)
    }

    /// Whether something forbids a rule or action to that player.
    pub fn is_forbidden(
        &mut self,
        is: impl Fn(&Target) -> bool,
        args: &[Datum],
        me: Option<&Datum>,
    ) -> Result<bool> {
        for (k, x) in self.n.attached(is, |_| 0).into_iter().enumerate() {
            let forbids = matches!(x.0.what, AttachKind::Forbid(_));
            for x in if forbids { self.brought(k, x)? } else { Vec::new() } {
                if self.applies(&x, args, me)?.0 {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    // ── Values ───────────────────────────────────────────────────────────────────────────────────────────

    /// A value of these arguments: what its declaration or its member says, then each modification in force. `below`: with so many of the modifications that are declared.
    pub fn value(&mut self, v: ValueId, args: Vec<Datum>, below: Option<usize>) -> Result {
        let value = &self.m().values[v.index()];
        let filled = self.filled(value.of, &args)?.and_then(|m| m.fills.iter().find(|(x, _)| *x == v));
        let mut out = match filled.map(|(_, b)| &b.body).or(value.body.body.as_ref()) {
            // A line that this set-up does not have counts nothing.
            _ if matches!(value.role, ValueRole::Line(..)) && !self.n.set.has(value.scope) => Datum::Int(0),
            Some(e) => within(self.eval(e, &mut Frame::of(args.clone())))?,
            // Whose team somebody is of, before anything modifies it.
            None if matches!(value.role, ValueRole::Team) => self.team_of(&args[0])?,
            None => return fails(Failure::Unfilled),
        };
        let all = self.n.attached(|t| *t == Target::Value(v), rank_of_change);
        let mut chain: Vec<InForce<'_>> = Vec::new();
        for (k, x) in all.into_iter().enumerate().take(below.unwrap_or(usize::MAX)) {
            chain.extend(self.brought(k, x)?);
        }
        chain.sort_by_key(|x| (rank_of_change(x.a), x.age));
        for x in chain {
            let (applies, mut f) = self.applies(&x, &args, None)?;
            let AttachKind::Modify(change, e) = &x.a.what else { continue };
            if !applies {
                continue;
            }
            if x.a.once.is_some() {
                return unsupported("values modified once");
            }
            f.usual = Some(out.clone());
            f.below = Some((v, x.order));
            let by = within(self.eval(e, &mut f))?;
            out = changed(*change, &value.ty, out, by)?;
        }
        Ok(out)
    }

    /// The member whose face a component shows: what of its kind's values and rules it fills in.
    fn filled(&self, of: Option<KindId>, args: &[Datum]) -> Result<Option<&'a Member>> {
        match (of, args.first()) {
            (Some(k), Some(this)) if types::is_component(self.m(), k) && *this != Datum::None => {
                Ok(self.face_of(this)?.1.member.map(|m| &self.m().members[m.index()]))
            }
            _ => Ok(None),
        }
    }

    /// What a rule does: its own block, or what its component's member fills in.
    pub fn block_of(&self, r: RuleId, args: &[Datum]) -> Result<&'a [Stmt]> {
        let rule = &self.m().rules[r.index()];
        let filled = self.filled(rule.of, args)?;
        let fill = filled.and_then(|m| m.rule_fills.iter().find(|(x, _)| *x == r)).map(|(_, b)| &b.body);
        Ok(rule.body.body.as_ref().or(fill).map_or(&[], |b| b))
    }

    // ── can ──────────────────────────────────────────────────────────────────────────────────────────────

    /// `can rule(…)`: nothing forbids the rule, and every `needs` before its first effect holds. Without a thing that it needs it cannot begin.
    pub fn can(&mut self, r: RuleId, by: Datum, args: Vec<Datum>) -> Result<bool> {
        let rule = &self.m().rules[r.index()];
        let mut given = args.iter().zip(&rule.body.locals);
        if given.any(|(x, l)| *x == Datum::None && !types::is_maybe(&l.ty))
            || self.is_forbidden(
                |t| *t == Target::Rule(r),
                &args,
                Some(&by).filter(|p| **p != Datum::None),
            )?
        {
            return Ok(false);
        }
        let block = self.block_of(r, &args)?;
        let mut f = Frame::of(args);
        if rule.me.index() >= rule.body.params {
            f.bind(rule.me, by);
        }
        for s in block {
            match &s.kind {
                StmtKind::Let(_, e) if walk::acts(e) => return Ok(true),
                StmtKind::Let(l, e) => self.bind_late(*l, e, &mut f)?,
                StmtKind::Needs(g) => {
                    if !self.truth(&g.cond, &mut f)? {
                        return Ok(false);
                    }
                }
                _ => return Ok(true),
            }
        }
        Ok(true)
    }

    /// A name among guards: that the rules fail is kept until it is asked for.
    pub fn bind_late(&mut self, l: LocalId, e: &Expr, f: &mut Frame) -> Result<()> {
        match self.eval(e, f) {
            Err(Stop::Unsupported(what)) => unsupported(what),
            value => {
                f.bind_result(l, value);
                Ok(())
            }
        }
    }
}
