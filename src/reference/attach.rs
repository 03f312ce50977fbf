//! Values, what is attached to them and to rules and actions, and `can` (attachments.md).
use super::expr::{Evaluator, Frame};
use super::numbers::Numbers;
use super::value::{Datum, Failure, Result, Stop, fails, number, unsupported, within};
use super::world::{self, Layer};
use crate::model::body::{types, walk};
use crate::model::hir::{self, *};

/// An attachment that is in force, brought there by something.
#[derive(Clone)]
pub struct InForce<'a> {
    /// What is attached.
    pub a: &'a Attachment,
    /// By which of its heads.
    pub head: &'a Head,
    /// Its place among those of its target: by where it is declared, then in the order of the text.
    pub order: usize,
    /// When it came into force: what stands there from the start is oldest, then each carrier and layer as it came.
    pub age: (i64, usize, u32),
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

/// Whether an expression does more with a name than compare it, so that the name must stand for somebody.
pub fn needs_somebody(e: &Expr, name: LocalId) -> bool {
    let is = |x: &Expr| matches!(&*x.kind, ExprKind::Local(l) if *l == name);
    let compares = matches!(&*e.kind, ExprKind::Compare(..) | ExprKind::In(..) | ExprKind::IsSome(_));
    is(e) && !types::is_maybe(&e.ty)
        || walk::parts(e).into_iter().any(|p| !(compares && is(p)) && needs_somebody(p, name))
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

    /// Where an attachment comes among those of other scopes.
    pub fn rank_of_scope(&self, a: &Attachment) -> u8 {
        if self.layer_of(a).is_some() {
            return 4;
        }
        let (mut rank, mut scope) = (0, Some(a.scope));
        while let Some(s) = scope.and_then(|s| self.m.scopes.get(s.index())) {
            rank = rank.max(match s.kind {
                ScopeKind::Game => 0,
                ScopeKind::Variant => 1,
                ScopeKind::Scenario | ScopeKind::Part => 2,
                ScopeKind::Mod => 3,
            });
            scope = s.parent;
        }
        rank
    }

    /// The number of an attachment that layers bring.
    pub fn layer_of(&self, a: &Attachment) -> Option<usize> {
        if a.outer == 0 { None } else { self.layered.iter().position(|(x, _)| x.span == a.span) }
    }
}

impl<'a> Evaluator<'a> {
    /// What brings an attachment into force now: itself, each of its carriers, each layer that has it.
    pub fn brought<'b>(
        &self,
        order: usize,
        (a, head): (&'b Attachment, &'b Head),
    ) -> Result<Vec<InForce<'b>>> {
        let one = |age, names| InForce { a, head, order, age, names };
        if let Some(what) = self.n.layer_of(a) {
            let of = |l: &Layer| match &l.change {
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
            let (u, n) = c.thing()?;
            let component = self.n.family_of(u).is_some();
            let came = if component { self.w.piece(self.n, (u, n))?.came } else { 0 };
            let holder = if component { self.holder(&c)? } else { Datum::None };
            let mut names = Vec::new();
            names.extend(a.this.map(|l| (l, c.clone())));
            names.extend(a.owner.map(|l| (l, holder)));
            out.push(one((came, order, n), names));
        }
        Ok(out)
    }

    /// The player in whose zone a component lies.
    pub fn holder(&self, c: &Datum) -> Result {
        let place = &self.n.p.places[self.w.piece(self.n, c.thing()?)?.place as usize];
        Ok(u32::try_from(place.holder).map_or(Datum::None, |p| Datum::Thing(0, p)))
    }

    /// The components that show a member, or are of a kind, and lie in an active zone. Things that are no components always count.
    pub fn carriers(&self, carrier: &Carrier) -> Result<Vec<Datum>> {
        let kind = match carrier {
            Carrier::Kind(k) => *k,
            Carrier::Member(m) => self.m().members[m.index()].kind,
        };
        if !types::is_component(self.m(), kind) {
            return Ok(self.n.all(self.n.universe(kind)?));
        }
        let family = &self.n.families[self.n.family(kind)?];
        let mut out = Vec::new();
        for c in self.n.all(family.universe) {
            let (_, face) = self.face_of(&c)?;
            let is = match carrier {
                Carrier::Kind(k) => types::is_a(self.m(), face.kind, *k),
                Carrier::Member(m) => face.member == Some(*m),
            };
            if is && self.is_active(&c)? {
                out.push(c);
            }
        }
        Ok(out)
    }

    /// Whether what a component brings is in force where it lies.
    fn is_active(&self, c: &Datum) -> Result<bool> {
        let place = self.w.piece(self.n, c.thing()?)?.place;
        let Some(zone) = self.n.zone_at(place) else { return Ok(false) };
        match &self.m().zones[zone.index()].active {
            Active::Never => Ok(false),
            Active::Always => Ok(true),
            Active::When(b) => self.truth(&b.body, &mut Frame::of(vec![c.clone(), self.holder(c)?])),
        }
    }

    /// Whether an attachment in force applies to these arguments, done by that player; with its names bound.
    pub fn applies(&self, x: &InForce<'_>, args: &[Datum], me: Option<&Datum>) -> Result<(bool, Frame)> {
        let (a, mut f) = (x.a, Frame::default());
        for (l, v) in &x.names {
            f.bind(*l, v.clone());
        }
        if let (Some(l), Some(me)) = (a.me, me) {
            f.bind(l, me.clone());
        }
        for (p, arg) in x.head.patterns.iter().zip(args) {
            if let Pattern::Bind(l) | Pattern::Test(l, _) = p {
                f.bind(*l, arg.clone());
            }
        }
        // What needs an owner does not apply to what nobody holds.
        if let Some(owner) = a.owner {
            let tests = x
                .head
                .patterns
                .iter()
                .filter_map(|p| if let Pattern::Test(_, e) = p { Some(e) } else { None });
            let changed = if let AttachKind::Modify(_, e) = &a.what { Some(e) } else { None };
            let needed = tests.chain(&a.when).chain(changed).any(|e| needs_somebody(e, owner));
            if needed && f.get(owner)? == Datum::None {
                return Ok((false, f));
            }
        }
        for p in &x.head.patterns {
            if let Pattern::Test(_, e) = p
                && !self.truth(e, &mut f)?
            {
                return Ok((false, f));
            }
        }
        if let (Some(by), Some(l)) = (&a.by, a.me) {
            let (whom, me) = (self.eval(by, &mut f)?, f.get(l)?);
            if !whom.items().contains(&me) {
                return Ok((false, f));
            }
        }
        if !a.during.is_empty() && !a.during.iter().any(|r| self.w.phases.contains(r)) {
            return Ok((false, f));
        }
        let when = match &a.when {
            Some(w) => self.truth(w, &mut f)?,
            None => true,
        };
        Ok((when, f))
    }

    /// Whether something forbids a rule or action to that player.
    pub fn is_forbidden(
        &self,
        is: impl Fn(&Target) -> bool,
        args: &[Datum],
        me: Option<&Datum>,
    ) -> Result<bool> {
        for (k, x) in self.n.attached(is, |_| 0).into_iter().enumerate() {
            if !matches!(x.0.what, AttachKind::Forbid(_)) {
                continue;
            }
            for x in self.brought(k, x)? {
                if self.applies(&x, args, me)?.0 {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    // ── Values ───────────────────────────────────────────────────────────────────────────────────────────

    /// A value of these arguments: what its declaration or its member says, then each modification in force. `below`: with so many of the modifications that are declared.
    pub fn value(&self, v: ValueId, args: Vec<Datum>, below: Option<usize>) -> Result {
        let value = &self.m().values[v.index()];
        let mut f = Frame::of(args.clone());
        let mut out = match self.value_body(value, v, &args)? {
            Some(e) => within(self.eval(e, &mut f))?,
            // Whose team somebody is of, before anything modifies it.
            None if matches!(value.role, ValueRole::Team) => {
                let kind = ExprKind::Builtin(Builtin::TeamOf, vec![local(0, types::player())]);
                self.eval(&Expr { ty: value.ty.clone(), span: value.span, kind: Box::new(kind) }, &mut f)?
            }
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
            let several = matches!(value.ty, Ty::Set(_) | Ty::List(_));
            out = match (change, several) {
                (hir::Change::Set, _) => by,
                (hir::Change::Add, true) => out.with(&by),
                (hir::Change::Sub, true) => out.without(&by),
                (hir::Change::Add, _) => number(out.int()? + by.int()?)?,
                (hir::Change::Sub, _) => number(out.int()? - by.int()?)?,
                // Of none and a number it is the number.
                (hir::Change::AtLeast, _) => out.max(by),
                (hir::Change::AtMost, _) if out == Datum::None => by,
                (hir::Change::AtMost, _) if by == Datum::None => out,
                (hir::Change::AtMost, _) => out.min(by),
            };
        }
        Ok(out)
    }

    /// What a member fills a kind's value with, else the value's own body.
    fn value_body(&self, value: &'a Value, v: ValueId, args: &[Datum]) -> Result<Option<&'a Expr>> {
        // A line that this set-up does not have counts nothing.
        if matches!(value.role, ValueRole::Line(..)) && !self.n.set.has(value.scope) {
            return Ok(Some(&NOTHING));
        }
        if value.of.is_some_and(|k| types::is_component(self.m(), k))
            && let Some(this) = args.first().filter(|this| **this != Datum::None)
            && let Some(m) = self.face_of(this)?.1.member
            && let Some((_, body)) = self.m().members[m.index()].fills.iter().find(|(x, _)| *x == v)
        {
            return Ok(Some(&body.body));
        }
        Ok(value.body.body.as_ref())
    }

    // ── can ──────────────────────────────────────────────────────────────────────────────────────────────

    /// `can rule(…)`: nothing forbids the rule, and every `needs` before its first effect holds. Without a thing that it needs it cannot begin.
    pub fn can(&self, r: RuleId, by: Option<Datum>, args: Vec<Datum>) -> Result<bool> {
        let rule = &self.m().rules[r.index()];
        for (x, l) in args.iter().zip(&rule.body.locals) {
            if *x == Datum::None && !types::is_maybe(&l.ty) {
                return Ok(false);
            }
        }
        if self.is_forbidden(|t| *t == Target::Rule(r), &args, by.as_ref())? {
            return Ok(false);
        }
        let member = match (rule.of, args.first()) {
            (Some(k), Some(this)) if types::is_component(self.m(), k) => self.face_of(this)?.1.member,
            _ => None,
        };
        let fill = member.and_then(|m| self.m().members[m.index()].rule_fills.iter().find(|(x, _)| *x == r));
        let block = match (&rule.body.body, fill) {
            (Some(block), _) => block,
            (None, Some((_, body))) => &body.body,
            (None, None) => return Ok(true),
        };
        let mut f = Frame::of(args);
        if rule.me.index() >= rule.body.params {
            f.bind(rule.me, by.unwrap_or(Datum::None));
        }
        for s in block {
            match &s.kind {
                StmtKind::Let(l, e) => {
                    let acts = walk::any(e, &mut |x| {
                        matches!(&*x.kind, ExprKind::Choose(_) | ExprKind::Rule(..) | ExprKind::Roll(_))
                    });
                    if acts {
                        return Ok(true);
                    }
                    let value = self.eval(e, &mut f);
                    self.covered(&value)?;
                    f.bind_result(*l, value);
                }
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

    /// Passes on that something is not covered; that the rules fail is kept until it is asked for.
    pub fn covered(&self, r: &Result) -> Result<()> {
        match r {
            Err(Stop::Unsupported(what)) => unsupported(what.clone()),
            _ => Ok(()),
        }
    }
}

fn local(n: u32, ty: Ty) -> Expr {
    Expr { ty, span: crate::text::Span::default(), kind: Box::new(ExprKind::Local(LocalId(n))) }
}

/// The number 0, where a set-up has no such line.
static NOTHING: std::sync::LazyLock<Expr> = std::sync::LazyLock::new(|| Expr {
    ty: Ty::Int(0, 0),
    span: crate::text::Span::default(),
    kind: Box::new(ExprKind::Int(0)),
});
