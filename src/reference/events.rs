//! What stands round rules, actions, discards, rolls and shuffles, and what these are themselves (attachments.md, statements.md).
use super::attach::InForce;
use super::effects::{Actor, Done, Event, Halt, fails, unsupported};
use super::expr::Frame;
use super::value::{Datum, Failure, Stop};
use super::world::Change;
use crate::model::body::{types, walk};
use crate::model::hir::*;
use crate::program::ir::{self, LeaseScope, Per};

impl<'a> Actor<'a> {
    // ── Rules and what stands round them ─────────────────────────────────────────────────────────────────

    /// A rule is called; without a thing that it needs the statement is left out.
    pub(super) fn call(&mut self, r: RuleId, by: Option<&Expr>, args: &[Expr], f: &mut Frame) -> Done<Datum> {
        let rule = &self.m().rules[r.index()];
        let by = by.map(|p| self.eval(p, f)).transpose()?;
        if by == Some(Datum::None) {
            return fails(Failure::NoneValue);
        }
        let mut given = Vec::new();
        for (i, a) in args.iter().enumerate() {
            let d = self.eval(a, f)?;
            if d == Datum::None && !rule.body.locals.get(i).is_some_and(|l| types::is_maybe(&l.ty)) {
                return fails(Failure::NoneValue);
            }
            given.push(d);
        }
        let me = self.me.clone();
        let outer = std::mem::replace(&mut self.me, by.unwrap_or(me));
        let out = self.happen(Event::Rule(r), given);
        self.me = outer;
        out
    }

    /// Something happens, with all that is attached to it: what forbids it, then what replaces it (the newest outermost), what comes before, it, and what comes after.
    pub(super) fn happen(&mut self, e: Event, args: Vec<Datum>) -> Done<Datum> {
        self.depth += 1;
        if self.depth > 40 {
            return unsupported("rules within rules so deep");
        }
        let (open, replaced) = (std::mem::take(&mut self.open), self.replaced.take());
        self.open = open.clone();
        let m = self.m();
        let matched = self.matched(e, &args);
        // What forbids an action is among its guards.
        let forbidden = !matches!(e, Event::Action(_))
            && self.look().is_forbidden(|t| e.is(t, m), &matched, Some(&self.me))?;
        let out = if forbidden { Ok(self.nothing(e)) } else { self.replace(e, args, None) };
        self.replaced = replaced;
        self.depth -= 1;
        out
    }

    /// Patterns are matched with an action's own arguments, without those of its menu.
    pub(super) fn matched(&self, e: Event, args: &[Datum]) -> Vec<Datum> {
        match e {
            Event::Action(a) => args[args.len() - self.m().actions[a.index()].params.len()..].to_vec(),
            _ => args.to_vec(),
        }
    }

    /// What something gives that does not happen.
    pub(super) fn nothing(&self, e: Event) -> Datum {
        match e {
            Event::Rule(r) if matches!(self.m().rules[r.index()].gives, Ty::Set(_) | Ty::List(_)) => {
                Datum::Set(Vec::new())
            }
            _ => Datum::None,
        }
    }

    /// What is attached to an event, in the order of loading.
    pub(super) fn attached(&self, e: Event) -> Vec<(&'a Attachment, &'a Head)> {
        self.n.attached(|t| e.is(t, self.m()), |_| 0)
    }

    /// What is attached to an event and does this, in force, with its names: those that apply.
    pub(super) fn around(
        &self,
        e: Event,
        args: &[Datum],
        does: impl Fn(&AttachKind) -> bool,
    ) -> Done<Vec<(InForce<'a>, Frame)>> {
        let eval = self.look();
        let mut out = Vec::new();
        for (k, (a, head)) in self.attached(e).into_iter().enumerate() {
            if !does(&a.what) {
                continue;
            }
            for x in eval.brought(k, (a, head))? {
                let (applies, f) = eval.applies(&x, args, Some(&self.me))?;
                if applies {
                    out.push((x, f));
                }
            }
        }
        Ok(out)
    }

    /// The newest replacement in force that is older than the last one goes on with its block; if there is none, the event happens.
    pub(super) fn replace(
        &mut self,
        e: Event,
        args: Vec<Datum>,
        last: Option<(i64, usize, u32)>,
    ) -> Done<Datum> {
        let matched = self.matched(e, &args);
        let mut all = self.around(e, &matched, |k| matches!(k, AttachKind::Instead(_)))?;
        all.retain(|(x, _)| last.is_none_or(|age| x.age < age));
        all.sort_by_key(|(x, _)| std::cmp::Reverse(x.age));
        for (x, mut f) in all {
            let me = self.me.clone();
            if !self.limits(&x, &mut f)? {
                continue;
            }
            let AttachKind::Instead(block) = &x.a.what else { continue };
            let given = self.nothing(e);
            let outer = std::mem::replace(&mut self.given, given);
            let kept = self.replaced.replace((e, args, x.age));
            self.block(block, &mut f)?;
            self.replaced = kept;
            self.me = me;
            return Ok(std::mem::replace(&mut self.given, outer));
        }
        self.with_before_and_after(e, args)
    }

    /// `once` and `may`: whether it is done. In a layer whoever made it acts.
    pub(super) fn limits(&mut self, x: &InForce<'_>, f: &mut Frame) -> Done<bool> {
        let layer = self.n.layer_of(x.a);
        if let Some(maker) = x.a.maker.filter(|_| layer.is_some()) {
            self.me = f.get(maker)?;
        }
        let thing = match x.a.this {
            Some(l) => f.get(l)?.number()?,
            None => 0,
        };
        let key = (u32::from(x.a.span.file.0), x.a.span.start, thing);
        if x.a.once.is_some() && layer.is_none() && self.w.used.contains(&key) {
            return Ok(false);
        }
        if let Some((by, _)) = &x.a.may {
            let owner = x.a.owner.map(|l| f.get(l)).transpose()?.filter(|o| *o != Datum::None);
            let who = match by {
                Some(p) => self.eval(p, f)?,
                None => owner.unwrap_or_else(|| self.me.clone()),
            };
            if who == Datum::None || !self.is_answered(&who) {
                return Ok(false);
            }
            return self.ask();
        }
        if x.a.once.is_some() {
            match layer {
                Some(what) => self.w.layers.retain(|l| {
                    l.since != x.age.0 || !matches!(&l.change, Change::Attached(w, _) if *w == what)
                }),
                None => {
                    self.w.used.insert(key);
                }
            }
        }
        Ok(true)
    }

    /// What comes before and after is judged on entering. What names its own component also counts after if the component has come only now.
    pub(super) fn with_before_and_after(&mut self, e: Event, args: Vec<Datum>) -> Done<Datum> {
        let matched = self.matched(e, &args);
        let round = |k: &AttachKind| matches!(k, AttachKind::Before(_) | AttachKind::After(_));
        let mut judged = self.around(e, &matched, round)?;
        if judged.is_empty() && self.attached(e).iter().all(|(a, _)| !round(&a.what)) {
            return self.body(e, args);
        }
        let there: Vec<(usize, Vec<u32>)> = self.carried_now(e)?;
        self.run_judged(&judged, true)?;
        let given = self.body(e, args)?;
        for (x, f) in self.around(e, &matched, |k| matches!(k, AttachKind::After(_)))? {
            let names_this = x.head.patterns.iter().any(|p| match p {
                Pattern::Test(_, t) => {
                    walk::any(t, &mut |y| matches!(&*y.kind, ExprKind::Local(l) if Some(*l) == x.a.this))
                }
                _ => false,
            });
            let was = there.iter().any(|(k, all)| *k == x.order && all.contains(&x.age.2));
            if names_this && !was && x.a.carrier.is_some() {
                judged.push((x, f));
            }
        }
        self.run_judged(&judged, false)?;
        Ok(given)
    }

    /// Which components bring each attachment of an event into force now.
    pub(super) fn carried_now(&self, e: Event) -> Done<Vec<(usize, Vec<u32>)>> {
        let eval = self.look();
        let mut out = Vec::new();
        for (k, (a, head)) in self.attached(e).into_iter().enumerate() {
            out.push((k, eval.brought(k, (a, head))?.iter().map(|x| x.age.2).collect()));
        }
        Ok(out)
    }

    /// In the order of loading; of one scope first what nobody carries, then seat by seat from whoever acts, what nobody holds last; layers last of all.
    pub(super) fn run_judged(&mut self, judged: &[(InForce<'a>, Frame)], before: bool) -> Done {
        let n = self.n.count(0);
        let me = self.me.number().unwrap_or(0);
        let mut order: Vec<(Vec<i64>, usize)> = Vec::new();
        for (i, (x, f)) in judged.iter().enumerate() {
            let rank = i64::from(self.n.rank_of_scope(x.a));
            let carried = x.a.carrier.is_some() && self.n.layer_of(x.a).is_none();
            let owner = match (&x.a.carrier, x.a.owner) {
                (_, Some(l)) => f.get(l)?,
                (Some(Carrier::Kind(builtin_kinds::PLAYER)), None) => {
                    x.a.this.map_or(Ok(Datum::None), |l| f.get(l))?
                }
                _ => Datum::None,
            };
            let seat = owner.number().map_or(i64::from(n), |p| i64::from((p + n - me % n) % n));
            let key = match carried {
                true => vec![rank, 1, seat, x.order as i64, i as i64],
                false => vec![rank, 0, x.order as i64, x.age.0, i as i64],
            };
            order.push((key, i));
        }
        order.sort();
        for (_, i) in order {
            let (x, f) = &judged[i];
            let block = match (&x.a.what, before) {
                (AttachKind::Before(b), true) | (AttachKind::After(b), false) => b,
                _ => continue,
            };
            let mut f = f.clone();
            let kept = self.me.clone();
            match self.limits(x, &mut f) {
                Ok(true) => {
                    let (given, replaced) = (self.given.clone(), self.replaced.take());
                    self.block(block, &mut f)?;
                    (self.given, self.replaced) = (given, replaced);
                }
                Ok(false) => {}
                Err(halt) => return Err(halt),
            }
            self.me = kept;
        }
        Ok(())
    }

    /// What happens itself.
    pub(super) fn body(&mut self, e: Event, args: Vec<Datum>) -> Done<Datum> {
        let nothing = self.nothing(e);
        let outer = std::mem::replace(&mut self.given, nothing);
        let done = match e {
            Event::Rule(r) => self.rule(r, args),
            Event::Action(a) => self.action(a, args),
            Event::Discard => self.discard(args),
            Event::Roll => {
                let me = self.me.clone();
                let sides = self.look().face_of(&args[0])?.1.sides.len() as u64;
                let (k, c) = self.component(&args[0])?;
                let side = self.draw(&me, sides) as u32;
                self.turn(k, c, side)
            }
            Event::Shuffle => match args[0] {
                Datum::Place(p) => self.shuffle(p),
                _ => Ok(()),
            },
        };
        let given = std::mem::replace(&mut self.given, outer);
        done.map(|()| given)
    }

    pub(super) fn rule(&mut self, r: RuleId, args: Vec<Datum>) -> Done {
        let rule = &self.m().rules[r.index()];
        let mut f = Frame::of(args.clone());
        let me = match args.get(rule.me.index()) {
            Some(by) => by.clone(),
            None => {
                f.bind(rule.me, self.me.clone());
                self.me.clone()
            }
        };
        let member = match (rule.of, args.first()) {
            (Some(k), Some(this)) if types::is_component(self.m(), k) => self.look().face_of(this)?.1.member,
            _ => None,
        };
        let fill = member.and_then(|m| self.m().members[m.index()].rule_fills.iter().find(|(x, _)| *x == r));
        let block = match (&rule.body.body, fill) {
            (Some(block), _) => block,
            (None, Some((_, body))) => &body.body,
            (None, None) => return Ok(()),
        };
        let slot = self.n.p.phases.iter().position(|p| self.n.p.decls[p.decl.index()].span == rule.span);
        if rule.phase {
            self.w.phases.push(r);
            let slot = slot.map(|i| ir::PhaseIx(i as u16));
            self.renew(|per| per == Per::AnyPhase || slot.is_some_and(|s| per == Per::Phase(s)), None)?;
            self.watch()?;
        }
        let outer = std::mem::replace(&mut self.me, me);
        self.block(block, &mut f)?;
        self.me = outer;
        if rule.phase {
            self.notice()?;
            if let Some(i) = self.w.phases.iter().rposition(|x| *x == r) {
                self.w.phases.remove(i);
            }
            let k = slot.map_or(-1, |i| i as i32);
            self.end_layers(|(scope, arg)| {
                matches!(scope, LeaseScope::Phase | LeaseScope::PhaseNamed) && arg == k
            })?;
            self.watch()?;
        }
        Ok(())
    }

    /// What an action does: it counts as used, then its names, then its block. Its guards have been asked before.
    pub(super) fn action(&mut self, id: ActionId, args: Vec<Datum>) -> Done {
        let a = &self.m().actions[id.index()];
        let mut f = Frame::default();
        f.bind(a.me, self.me.clone());
        let own = args.len() - a.params.len();
        for (i, v) in args.iter().take(own).enumerate() {
            f.bind(LocalId(i as u32 + 1), v.clone());
        }
        for (p, v) in a.params.iter().zip(&args[own..]) {
            f.bind(p.local, v.clone());
        }
        if a.once.is_some() {
            let by = if a.carrier.is_some() { f.get(a.params[0].local)? } else { self.me.clone() };
            self.w.used.insert((u32::from(a.span.file.0), a.span.start, by.number()?));
        }
        let names = a.head.iter().filter_map(|h| match h {
            HeadStep::Let(l, e) => Some(Stmt { span: e.span, kind: StmtKind::Let(*l, e.clone()) }),
            _ => None,
        });
        let names: Vec<Stmt> = names.collect();
        self.block(&names, &mut f)?;
        self.block(&a.body, &mut f)?;
        Ok(())
    }

    /// A thing goes to where the kind of its face discards; where that asks for an owner and there is none, it stays.
    pub(super) fn discard(&mut self, args: Vec<Datum>) -> Done {
        let c = &args[0];
        let (k, n) = self.component(c)?;
        let kind = self.look().face_of(c)?.1.kind;
        let kinds = types::line_of(self.m(), kind);
        let said =
            |k: &KindId| self.m().kinds[k.index()].discards.iter().rev().find(|(s, _)| self.n.set.has(*s));
        let Some((_, to)) = kinds.iter().find_map(said) else {
            return self.shift(k, n, self.n.families[k].boxed, false, None);
        };
        let owner = match self.n.families[k].owners.get(n as usize) {
            Some(p) => Datum::Thing(0, *p as u32),
            None => self.look().holder(c)?,
        };
        let asks = walk::any(&to.body, &mut |e| matches!(&*e.kind, ExprKind::Local(LocalId(1))));
        if asks && owner == Datum::None {
            return Ok(());
        }
        let mut f = Frame::of(vec![c.clone(), owner]);
        let place = match self.place(&to.body, Some(kind), &mut f) {
            Err(Halt::Stop(Stop::Fails(Failure::NoneValue))) => return Ok(()),
            r => r?,
        };
        match place {
            Datum::Place(to) => self.shift(k, n, to, false, None),
            _ => Ok(()),
        }
    }
}
