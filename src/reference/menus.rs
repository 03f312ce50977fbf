//! What a menu offers (menus.md): parameters one after the other, then the guards in the order of the text; and who may be done or pass.
use super::effects::{Actor, Event, Halt};
use super::expr::{Evaluator, Frame};
use super::value::{Datum, Result, unsupported};
use crate::model::body::walk;
use crate::model::hir::*;

impl Evaluator<'_> {
    /// Actions of a menu that a player could take, with their arguments, the menu's first, in the order in which these seats (bits) find them.
    pub fn actions_of(
        &self,
        menu: MenuId,
        me: &Datum,
        given: &[Datum],
        seats: u32,
    ) -> Result<Vec<(ActionId, Vec<Datum>)>> {
        let declared = &self.m().menus[menu.index()];
        let mut out = Vec::new();
        if !self.is_open(menu, me, given)? {
            return Ok(out);
        }
        if declared.best.is_some() || declared.no_dead_ends.is_some() {
            return unsupported("menus whose lines are judged");
        }
        for id in &declared.actions {
            if self.is_in_force(*id) {
                for args in self.choices(menu, *id, (me, seats), given)? {
                    out.push((*id, args));
                }
            }
        }
        Ok(out)
    }

    /// A frame of a menu's own words.
    pub fn frame_of_menu(&self, menu: MenuId, me: &Datum, given: &[Datum]) -> Frame {
        let mut f = Frame::of(vec![me.clone()]);
        for (p, v) in self.m().menus[menu.index()].params.iter().zip(given) {
            f.bind(p.local, v.clone());
        }
        f
    }

    fn is_open(&self, menu: MenuId, me: &Datum, given: &[Datum]) -> Result<bool> {
        match &self.m().menus[menu.index()].open {
            Some((c, _)) => self.truth(c, &mut self.frame_of_menu(menu, me, given)),
            None => Ok(true),
        }
    }

    /// Whether `done` or `pass` may be taken, if the menu has it.
    pub fn may_end(
        &self,
        menu: MenuId,
        done: bool,
        me: &Datum,
        given: &[Datum],
        no_action: bool,
    ) -> Result<bool> {
        // Where it is not open nothing is on offer.
        if !self.is_open(menu, me, given)? {
            return Ok(false);
        }
        let declared = &self.m().menus[menu.index()];
        let Some(ending) = (if done { &declared.done } else { &declared.pass }) else { return Ok(false) };
        let Some(when) = &ending.when else { return Ok(true) };
        let mut f = self.frame_of_menu(menu, me, given);
        f.no_action = Some(no_action);
        self.truth(when, &mut f)
    }

    /// Whether an action is there in this set-up.
    fn is_in_force(&self, id: ActionId) -> bool {
        let a = &self.m().actions[id.index()];
        let scopes = self.m().scopes.iter().enumerate().filter(|(i, _)| self.n.set.has(ScopeId(*i as u32)));
        let removed =
            scopes.flat_map(|(_, s)| &s.removes).any(|r| matches!(r, Removed::Action(x) if *x == id));
        let carried = match &a.carrier {
            Some(Carrier::Member(m)) => self.n.face(*m, None).is_some(),
            _ => true,
        };
        self.n.set.has(a.scope) && !removed && carried
    }

    /// All arguments with which an action may be taken.
    fn choices(
        &self,
        menu: MenuId,
        id: ActionId,
        (me, seats): (&Datum, u32),
        given: &[Datum],
    ) -> Result<Vec<Vec<Datum>>> {
        let a = &self.m().actions[id.index()];
        let mut f = Frame::default();
        f.bind(a.me, me.clone());
        for (i, v) in given.iter().enumerate() {
            f.bind(LocalId(i as u32 + 1), v.clone());
        }
        // What holds for the action whatever is picked: if that does not hold, nothing is picked.
        let mut mf = self.frame_of_menu(menu, me, given);
        for g in &self.m().menus[menu.index()].needs {
            if !self.truth(&g.cond, &mut mf)? {
                return Ok(Vec::new());
            }
        }
        let mentions = |e: &Expr| {
            walk::any(
                e,
                &mut |x| matches!(&*x.kind, ExprKind::Local(l) if a.params.iter().any(|p| p.local == *l)),
            )
        };
        let carried = a.carrier.is_some();
        if !carried && self.is_used_up(a, me)? {
            return Ok(Vec::new());
        }
        if let Some(when) = a.when.as_ref().filter(|w| !carried && !mentions(w))
            && !self.truth(when, &mut f)?
        {
            return Ok(Vec::new());
        }
        let mut out = Vec::new();
        self.pick(a, id, &mut Vec::new(), &f, (me, seats), &mut out)?;
        let leaves: Vec<&Expr> = self.m().menus[menu.index()].leaves.iter().map(|g| &g.cond).collect();
        if !leaves.is_empty() {
            let all = std::mem::take(&mut out);
            for args in all {
                if self.leaves(id, me, &[given, &args].concat(), &leaves, &mut mf.clone())? {
                    out.push(args);
                }
            }
        }
        // Of choices that differ in nothing but which of several alike things is meant, the first stands for all.
        let mut kept: Vec<Vec<Datum>> = Vec::new();
        for args in out {
            let mut same = false;
            for other in &kept {
                let mut all = true;
                for (x, y) in args.iter().zip(other) {
                    all = all && (x == y || self.are_alike(x, y, me)?);
                }
                same |= all;
            }
            if !same {
                kept.push(args);
            }
        }
        let mut out = kept;
        for args in &mut out {
            args.splice(0..0, given.iter().cloned());
        }
        Ok(out)
    }

    /// Whether two components cannot be told apart: they lie in one place, show the same, and have the same of their own, and whoever is asked knows both.
    pub fn are_alike(&self, x: &Datum, y: &Datum, me: &Datum) -> Result<bool> {
        let (Datum::Thing(u, a), Datum::Thing(v, b)) = (x, y) else { return Ok(false) };
        let family = self.n.families.iter().position(|f| f.universe == *u);
        let Some(k) = family.filter(|_| u == v) else { return Ok(false) };
        let (one, other) = (self.w.piece(self.n, (*u, *a))?, self.w.piece(self.n, (*v, *b))?);
        let seats = self.n.set.answered.get(me.number()? as usize).copied().unwrap_or(0);
        let known = |c: u32| (0..32).filter(|s| seats >> s & 1 == 1).all(|s| self.is_known(s, k, c));
        let owners = &self.n.families[k].owners;
        Ok((one.place, one.face, one.side, one.up) == (other.place, other.face, other.side, other.up)
            && owners.get(*a as usize) == owners.get(*b as usize)
            && self.own_numbers(k, *a, None) == self.own_numbers(k, *b, None)
            && (seats == 0 || known(*a) && known(*b)))
    }

    /// Things in the order in which seats find them: by their numbers, components that can be mixed up by what is seen of them.
    fn as_found(&self, all: Vec<Datum>, seats: u32) -> Result<Vec<Datum>> {
        let mut keyed = Vec::new();
        for x in Datum::set(all).items() {
            let mixed = match &x {
                Datum::Thing(u, _) => self.n.families.iter().any(|f| f.universe == *u && f.mixed),
                _ => false,
            };
            keyed.push((if mixed { self.looks(x.thing()?, Some(seats))? } else { Vec::new() }, x));
        }
        keyed.sort();
        Ok(keyed.into_iter().map(|(_, x)| x).collect())
    }

    /// Picks one parameter after the other.
    fn pick(
        &self,
        a: &Action,
        id: ActionId,
        picked: &mut Vec<Datum>,
        f: &Frame,
        (me, seats): (&Datum, u32),
        out: &mut Vec<Vec<Datum>>,
    ) -> Result<()> {
        let Some(p) = a.params.get(picked.len()) else {
            if self.passes(a, id, picked, &mut f.clone(), me)? {
                out.push(picked.clone());
            }
            return Ok(());
        };
        if out.len() > 5_000 {
            return unsupported("so many choices");
        }
        let from = match (&a.carrier, picked.len()) {
            (Some(carrier), 0) => self.bearers(carrier, me)?,
            _ => self.many(&p.from, &mut f.clone())?,
        };
        let from = self.as_found(from, seats)?;
        let all: Vec<Datum> = match &p.many {
            Many::One => from,
            Many::Subset { min, max } => {
                let bound =
                    |b: &Option<Expr>| b.as_ref().map(|e| self.eval(e, &mut f.clone())?.int()).transpose();
                let (min, max) = (bound(min)?.unwrap_or(0), bound(max)?.unwrap_or(from.len() as i64));
                subsets(&from, min, max)?
            }
        };
        for x in all {
            let mut f = f.clone();
            f.bind(p.local, x.clone());
            if let Some(c) = &p.filter
                && !self.truth(c, &mut f)?
            {
                continue;
            }
            picked.push(x);
            self.pick(a, id, picked, &f, (me, seats), out)?;
            picked.pop();
        }
        Ok(())
    }

    /// What an action of a component is picked from first: those in an active place that `me` holds, or nobody.
    fn bearers(&self, carrier: &Carrier, me: &Datum) -> Result<Vec<Datum>> {
        let mut out = Vec::new();
        for c in self.carriers(carrier)? {
            let holder = self.holder(&c)?;
            if holder == *me || holder == Datum::None {
                out.push(c);
            }
        }
        Ok(out)
    }

    /// The guards of an action with all its arguments, in the order of the text; last what forbids it.
    pub fn passes(
        &self,
        a: &Action,
        id: ActionId,
        picked: &[Datum],
        f: &mut Frame,
        me: &Datum,
    ) -> Result<bool> {
        // Where nobody holds what carries the action, its owner is nobody: a guard that needs the owner does not hold.
        let owner = match (&a.carrier, a.head.first()) {
            (Some(_), Some(HeadStep::Let(l, e))) => {
                let holder = self.eval(e, f)?;
                f.bind(*l, holder.clone());
                (holder == Datum::None).then_some(*l)
            }
            _ => None,
        };
        let holds = |e: &Expr, f: &mut Frame| {
            let lacks = owner.is_some_and(|l| super::attach::needs_somebody(e, l));
            Ok(!lacks && self.truth(e, f)?)
        };
        if a.carrier.is_some() && self.is_used_up(a, picked.first().unwrap_or(&Datum::None))? {
            return Ok(false);
        }
        if let Some(when) = &a.when
            && !holds(when, f)?
        {
            return Ok(false);
        }
        for h in &a.head {
            match h {
                HeadStep::Let(l, e) => {
                    let value = self.eval(e, f);
                    self.covered(&value)?;
                    f.bind_result(*l, value);
                }
                HeadStep::Needs(g) => {
                    if !holds(&g.cond, f)? {
                        return Ok(false);
                    }
                }
                HeadStep::MustLeave(_) => {}
            }
        }
        let this = |t: &Target| match t {
            Target::Action(x) => *x == id,
            Target::Menu(x) => a.menus.contains(x),
            _ => false,
        };
        if self.is_forbidden(this, picked, Some(me))? {
            return Ok(false);
        }
        let tried =
            a.head.iter().filter_map(|h| if let HeadStep::MustLeave(g) = h { Some(&g.cond) } else { None });
        let given: Vec<Datum> =
            (1..).map_while(|i| f.get(LocalId(i)).ok()).take(self.given_by_menu(a)).collect();
        self.leaves(id, me, &[&given, picked].concat(), &tried.collect::<Vec<_>>(), f)
    }

    fn given_by_menu(&self, a: &Action) -> usize {
        a.menus.first().map_or(0, |m| self.m().menus[m.index()].params.len())
    }

    /// Whether what must hold holds behind an action's effect, tried up to its first question or its end. Names mean what they meant before.
    fn leaves(
        &self,
        id: ActionId,
        me: &Datum,
        args: &[Datum],
        must: &[&Expr],
        f: &mut Frame,
    ) -> Result<bool> {
        if must.is_empty() {
            return Ok(true);
        }
        let mut actor = Actor::new(self.n, self.w.clone());
        if let Err(Halt::Stop(stop)) = actor.act(Event::Action(id), me.clone(), args.to_vec()) {
            return Err(stop);
        }
        let behind = Evaluator::new(self.n, &actor.w);
        for e in must {
            if !behind.truth(e, f)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an action that can be taken once has been: by that component, or by that player.
    fn is_used_up(&self, a: &Action, by: &Datum) -> Result<bool> {
        if a.once.is_none() || *by == Datum::None {
            return Ok(false);
        }
        Ok(self.w.used.contains(&(u32::from(a.span.file.0), a.span.start, by.number()?)))
    }
}

/// All subsets of allowed sizes: by size, then by the first thing in which they differ.
fn subsets(all: &[Datum], min: i64, max: i64) -> Result<Vec<Datum>> {
    if all.len() > 10 {
        return unsupported("subsets of so many");
    }
    let mut out: Vec<(usize, Vec<usize>)> = Vec::new();
    for bits in 0u32..1 << all.len() {
        let some: Vec<usize> = (0..all.len()).filter(|i| bits >> i & 1 == 1).collect();
        if (min..=max).contains(&(some.len() as i64)) {
            out.push((some.len(), some));
        }
    }
    out.sort();
    Ok(out.into_iter().map(|(_, some)| Datum::set(some.iter().map(|i| all[*i].clone()).collect())).collect())
}
