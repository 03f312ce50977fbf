//! What is attached to values, rules and actions (attachments.md): what of it is in force, on what it applies, and what values become by it.
use super::*;

/// How old something in force is: what stands there from the start is oldest, then each carrier and layer as it came.
pub type Age = (i64, usize, u32);

/// What an attachment does to its target: the sort that is looked up.
pub type Does = fn(&AttachKind) -> bool;

/// An attachment that is in force, brought there by something.
#[derive(Clone)]
pub struct InForce<'a> {
    pub a: &'a Attachment, // What is attached.
    pub head: &'a Head,    // By which of its heads.
    pub order: usize,      // Its place among those of its target: by scope, then in the text.
    pub age: Age,          // When it came into force.
    pub names: Frame,      // From its carrier or layer; then from what it applies to.
}

/// Where a modification comes among the others: `=`, then `+=` and `-=`, then `at least`, then `at most`.
fn rank_of_change(a: &Attachment) -> u8 {
    match &a.what {
        AttachKind::Modify(Change::Set, _) => 0,
        AttachKind::Modify(Change::Add | Change::Sub, _) => 1,
        AttachKind::Modify(Change::AtLeast, _) => 2,
        _ => 3,
    }
}

/// A change of a value, an attribute or a name. Of several things, some come or go; of none and a number, `at least` and `at most` are the number.
pub fn changed(change: Change, ty: &Ty, old: Datum, new: Datum) -> Result {
    let several = matches!(ty, Ty::Set(_) | Ty::List(_));
    // A set that is changed has no order of its own any more.
    let plain = change != Change::Set && matches!(ty, Ty::Set(_));
    let (old, new) = if plain { (old.to_set(), new.to_set()) } else { (old, new) };
    match change {
        Change::Set => Ok(new),
        Change::Add if several => Ok(old.with(&new)),
        Change::Sub if several => Ok(old.without(&new)),
        Change::Add => number(old.int()? + new.int()?),
        Change::Sub => number(old.int()? - new.int()?),
        Change::AtMost if old == Datum::None => Ok(new),
        Change::AtMost if new != Datum::None => Ok(old.min(new)),
        Change::AtMost => Ok(old),
        Change::AtLeast => Ok(old.max(new)),
    }
}

/// A number in the range of its type: one that is clamped stays at its end, any other fails.
pub fn held(d: Datum, ty: &Ty, clamped: bool) -> Result {
    let (Datum::Int(n), Some((lo, hi))) = (&d, types::bounds(ty)) else { return Ok(d) };
    let kept = Datum::Int((*n).clamp(lo.into(), hi.into()));
    if kept == d || clamped { Ok(kept) } else { fails("a number out of its range") }
}

/// Whether an expression is a name.
pub fn is_name(e: &Expr, name: LocalId) -> bool {
    matches!(&*e.kind, ExprKind::Local(l) if *l == name)
}

/// Whether an expression does more with a name than compare it, so that the name must stand for somebody.
pub fn needs_somebody(e: &Expr, name: LocalId) -> bool {
    let compares = matches!(&*e.kind, ExprKind::Compare(..) | ExprKind::In(..) | ExprKind::IsSome(_));
    is_name(e, name) && !types::is_maybe(&e.ty)
        || walk::subexprs(e).into_iter().any(|p| !(compares && is_name(p, name)) && needs_somebody(p, name))
}

impl<'a> Numbers<'a> {
    /// The attachments of a target (of an action also its menu's): the game's, those of variants, the scenario, mods, layers. Modifications by what they do first.
    fn attached(&self, to: Target) -> Vec<(&'a Attachment, &'a Head)> {
        let is = |t: Target| match (t, to) {
            (Target::Menu(menu), Target::Action(a)) => self.m.actions[a.index()].menus.contains(&menu),
            _ => t == to,
        };
        let layered = self.layered.iter().map(|(a, _)| *a);
        let all = self.m.attachments.iter().chain(layered).filter(|a| self.set.has(a.scope));
        let head = |a: &'a Attachment| Some((a, a.heads.iter().find(|h| is(h.target))?));
        let mut out: Vec<(&Attachment, &Head)> = all.filter_map(head).collect();
        out.sort_by_key(|(a, _)| (rank_of_change(a), self.rank_of_scope(a)));
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
    /// What is attached to a target and does this, in force now: by itself, by each of its carriers, by each layer that has it.
    pub fn in_force(&mut self, to: Target, does: Does) -> Result<Vec<InForce<'a>>> {
        let mut out = Vec::new();
        let all = self.n.attached(to).into_iter().enumerate();
        for (order, (a, head)) in all.filter(|(_, (a, _))| does(&a.what)) {
            let mut bring = |age, names: Vec<(LocalId, Datum)>| {
                let locals = names.into_iter().map(|(l, v)| (l, Ok(v))).collect();
                out.push(InForce { a, head, order, age, names: Frame { locals, ..Frame::default() } });
            };
            if let Some(what) = self.n.layer_of(a) {
                for layer in &self.w.layers {
                    match &layer.change {
                        LayerChange::Attached(x, names) if *x == what => {
                            bring((layer.since, order, 0), names.clone())
                        }
                        _ => {}
                    }
                }
            } else if let Some(carrier) = &a.carrier {
                for c in self.carriers(carrier)? {
                    let came = self.w.pieces.get(&c).map_or(0, |piece| piece.came);
                    let age = (came, order, c.number()?);
                    let names = [(a.owner, self.holder(&c).unwrap_or_default()), (a.this, c)];
                    bring(age, names.into_iter().filter_map(|(l, x)| Some((l?, x))).collect());
                }
            } else {
                bring((0, order, 0), Vec::new());
            }
        }
        Ok(out)
    }

    /// The components that show a member, or are of a kind, and lie in an active zone. Things that are no components always count.
    pub fn carriers(&mut self, carrier: &Carrier) -> Result<Vec<Datum>> {
        let (kind, member) = match carrier {
            Carrier::Kind(k) => (*k, None),
            Carrier::Member(m) => (self.m.members[m.index()].kind, Some(*m)),
        };
        let all = self.all_of(kind)?.items();
        if !types::is_component(self.m, kind) {
            return Ok(all);
        }
        keep(all, |c| Ok((member.is_none() || self.face_of(c)?.member == member) && self.is_active(c)?))
    }

    /// Whether what a component brings is in force where it lies.
    fn is_active(&mut self, c: &Datum) -> Result<bool> {
        match self.place_at(c)?.zone.map(|z| &z.active) {
            None | Some(Active::Never) => Ok(false),
            Some(Active::Always) => Ok(true),
            Some(Active::When(b)) => self.truth(&b.body, &mut Frame::of(&[c.clone(), self.holder(c)?])),
        }
    }

    /// Whether an attachment in force applies to these arguments, done by whoever acts; binds its names. Patterns stand for an action's own arguments, without those of its menu.
    fn applies(&mut self, x: &mut InForce<'a>, args: &[Datum]) -> Result<bool> {
        let (a, f, patterns) = (x.a, &mut x.names, &x.head.patterns);
        f.locals.extend(a.me.map(|l| (l, Ok(self.me.clone()))));
        for (p, arg) in patterns.iter().zip(&args[args.len().saturating_sub(patterns.len())..]) {
            if let Pattern::Bind(l) | Pattern::Test(l, _) = p {
                f.bind(*l, arg.clone());
            }
        }
        // What needs an owner does not apply to what nobody holds.
        if let Some(owner) = a.owner {
            let changed = if let AttachKind::Modify(_, e) = &a.what { Some(e) } else { None };
            let mut asked = walk::pattern_conditions(x.head).into_iter().chain(&a.when).chain(changed);
            if asked.any(|e| needs_somebody(e, owner)) && f.get(owner)? == Datum::None {
                return Ok(false);
            }
        }
        Ok(self.holds(walk::pattern_conditions(x.head), f)?
            && a.by.as_ref().map_or(Ok(true), |by| Ok(self.many(by, f)?.contains(&self.me)))?
            && (a.during.is_empty() || a.during.iter().any(|r| self.w.phases.contains(r)))
            && self.holds(&a.when, f)?)
    }

    /// What is attached to a target and does this, in force: what applies to these arguments, with its names.
    pub fn applying(&mut self, to: Target, args: &[Datum], does: Does) -> Result<Vec<InForce<'a>>> {
        keep(self.in_force(to, does)?, |x| self.applies(x, args))
    }

    /// Whether something forbids a rule or action to whoever acts, and its reason if it has one.
    pub fn forbidden(&mut self, to: Target, args: &[Datum]) -> Result<Option<Option<&'a Text>>> {
        for mut x in self.in_force(to, |k| matches!(k, AttachKind::Forbid(_)))? {
            if let (AttachKind::Forbid(reason), true) = (&x.a.what, self.applies(&mut x, args)?) {
                return Ok(Some(reason.as_ref()));
            }
        }
        Ok(None)
    }

    /// A value of these arguments: what its declaration or its member says, then each modification in force. `below`: with so many of the modifications that are declared.
    pub fn value(&mut self, v: ValueId, args: Vec<Datum>, below: Option<usize>) -> Result {
        let value = &self.m.values[v.index()];
        let filled = self.filled(value.of, &args)?.and_then(|m| m.fills.iter().find(|(x, _)| *x == v));
        let mut out = match filled.map(|(_, b)| &b.body).or(value.body.body.as_ref()) {
            // A line that this set-up does not have counts nothing.
            _ if matches!(value.role, ValueRole::Line(..)) && !self.n.set.has(value.scope) => Datum::Int(0),
            Some(e) => self.eval(e, &mut Frame::of(&args))?,
            // Whose team somebody is of, before anything modifies it.
            None if matches!(value.role, ValueRole::Team) => self.team_of(&args[0])?,
            None => return fails("a value slot that no member fills"),
        };
        let mut chain = self.in_force(Target::Value(v), |_| true)?;
        chain.retain(|x| below.is_none_or(|n| x.order < n));
        chain.sort_by_key(|x| (rank_of_change(x.a), x.age));
        for mut x in chain {
            let (AttachKind::Modify(change, e), true) = (&x.a.what, self.applies(&mut x, &args)?) else {
                continue;
            };
            covers(x.a.once.is_none(), "values modified once")?;
            x.names.usual = Some(out.clone());
            x.names.below = Some((v, x.order));
            let by = self.eval(e, &mut x.names)?;
            out = changed(*change, &value.ty, out, by)?;
        }
        let out = if below.is_none() { held(out, &value.ty, false)? } else { out };
        Ok(if matches!(value.ty, Ty::Set(_)) { out.to_set() } else { out })
    }

    /// The member whose face a component shows: what of its kind's values and rules it fills in.
    fn filled(&self, of: Option<KindId>, args: &[Datum]) -> Result<Option<&'a Member>> {
        let this =
            args.first().filter(|x| of.is_some_and(|k| types::is_component(self.m, k)) && **x != Datum::None);
        let face = this.map(|this| self.face_of(this)).transpose()?;
        Ok(face.and_then(|face| face.member).map(|m| &self.m.members[m.index()]))
    }

    /// What a rule does: its own block, or what its component's member fills in.
    pub fn block_of(&self, r: RuleId, args: &[Datum]) -> Result<&'a [Stmt]> {
        let rule = &self.m.rules[r.index()];
        let filled = self.filled(rule.of, args)?;
        let fill = filled.and_then(|m| m.rule_fills.iter().find(|(x, _)| *x == r)).map(|(_, b)| &b.body);
        Ok(fill.or(rule.body.body.as_ref()).map_or(&[], |b| b))
    }

    /// `can rule(…)`: nothing forbids the rule to whoever acts, and every `needs` before its first effect holds. Without a thing that it needs it cannot begin.
    /// None if it can; else the reason of what hinders it, if that has one of its own.
    pub fn hindered(&mut self, r: RuleId, args: Vec<Datum>) -> Result<Option<Option<&'a Text>>> {
        let rule = &self.m.rules[r.index()];
        let mut given = args.iter().zip(&rule.body.locals);
        let lacks = given.any(|(x, l)| *x == Datum::None && !types::is_maybe(&l.ty));
        let forbidden = if lacks { Some(None) } else { self.forbidden(Target::Rule(r), &args)? };
        if forbidden.is_some() {
            return Ok(forbidden);
        }
        let mut f = Frame::of(&args);
        f.bind(rule.me, args.get(rule.me.index()).unwrap_or(&self.me).clone());
        for s in self.block_of(r, &args)? {
            match &s.kind {
                StmtKind::Let(l, e) if !walk::is_acting(e) => self.bind_late(*l, e, &mut f)?,
                StmtKind::Needs(g) if !self.truth(&g.cond, &mut f)? => return Ok(Some(g.reason.as_ref())),
                StmtKind::Needs(_) => {}
                _ => break,
            }
        }
        Ok(None)
    }

    /// A name among guards: that the rules fail is kept until it is asked for.
    pub fn bind_late(&mut self, l: LocalId, e: &Expr, f: &mut Frame) -> Result<()> {
        match self.eval(e, f) {
            Err(stop @ Stop::Unsupported(_)) => return Err(stop),
            value => f.locals.insert(l, value),
        };
        Ok(())
    }
}
