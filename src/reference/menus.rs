//! What a menu offers (menus.md): parameters one after the other, then the guards in the order of the text; and who may be done or pass.
use super::attach::needs_somebody;
use super::events::Event;
use super::expr::{Evaluator, Frame};
use super::value::{Datum, Result, Stop, unsupported};
use crate::model::body::walk;
use crate::model::hir::*;
use std::collections::{BTreeMap, BTreeSet};

/// An action, and for whom its choices are found: a player, and the seats (bits) in whose order.
#[derive(Clone, Copy)]
struct Asked<'b> {
    id: ActionId,
    a: &'b Action,
    me: &'b Datum,
    seats: u32,
}

impl<'a> Evaluator<'a> {
    /// Actions of a menu that a player could take, with their arguments, the menu's first, in the order in which these seats (bits) find them.
    pub fn actions_of(
        &mut self,
        menu: MenuId,
        me: &Datum,
        given: &[Datum],
        seats: u32,
    ) -> Result<Vec<(ActionId, Vec<Datum>)>> {
        self.as_player(me.clone(), |s| s.actions_as(menu, me, given, seats))
    }

    fn actions_as(
        &mut self,
        menu: MenuId,
        me: &Datum,
        given: &[Datum],
        seats: u32,
    ) -> Result<Vec<(ActionId, Vec<Datum>)>> {
        let declared = &self.m().menus[menu.index()];
        let mut out = Vec::new();
        let open = self.is_open(menu, me, given)?;
        if open && (declared.best.is_some() || declared.no_dead_ends.is_some()) {
            return unsupported("menus whose lines are judged");
        }
        for id in declared.actions.iter().copied() {
            if !open || !self.is_in_force(id) {
                continue;
            }
            let asked = Asked { id, a: &self.m().actions[id.index()], me, seats };
            out.extend(self.choices(menu, asked, given)?.into_iter().map(|args| (id, args)));
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

    pub fn is_open(&mut self, menu: MenuId, me: &Datum, given: &[Datum]) -> Result<bool> {
        let mut f = self.frame_of_menu(menu, me, given);
        self.m().menus[menu.index()].open.as_ref().map_or(Ok(true), |(c, _)| self.truth(c, &mut f))
    }

    /// Whether `done` or `pass` may be taken, if the menu is open and has it.
    pub fn may_end(
        &mut self,
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
        let mut f = self.frame_of_menu(menu, me, given);
        f.no_action = Some(no_action);
        ending.when.as_ref().map_or(Ok(true), |when| self.as_player(me.clone(), |s| s.truth(when, &mut f)))
    }

    /// Whether an action is there in this set-up.
    fn is_in_force(&self, id: ActionId) -> bool {
        let a = &self.m().actions[id.index()];
        let scopes = self.m().scopes.iter().enumerate().filter(|(i, _)| self.n.set.has(ScopeId(*i as u32)));
        let mut removes = scopes.flat_map(|(_, s)| &s.removes);
        let removed = removes.any(|r| matches!(r, Removed::Action(x) if *x == id));
        let carried = !matches!(&a.carrier, Some(Carrier::Member(m)) if self.n.face(*m, None).is_none());
        self.n.set.has(a.scope) && !removed && carried
    }

    /// The names of an action: who acts, and the menu's arguments.
    pub(super) fn frame_of_action(&self, a: &Action, me: &Datum, given: &[Datum]) -> Frame {
        let mut f = Frame::default();
        f.bind(a.me, me.clone());
        for (i, v) in given.iter().enumerate() {
            f.bind(LocalId(i as u32 + 1), v.clone());
        }
        f
    }

    /// All arguments with which an action may be taken.
    fn choices(&mut self, menu: MenuId, asked: Asked<'_>, given: &[Datum]) -> Result<Vec<Vec<Datum>>> {
        let (declared, a, me) = (&self.m().menus[menu.index()], asked.a, asked.me);
        let mut f = self.frame_of_action(a, me, given);
        // What holds for the action whatever is picked: if that does not hold, nothing is picked.
        let mut of_menu = self.frame_of_menu(menu, me, given);
        for g in &declared.needs {
            if !self.truth(&g.cond, &mut of_menu)? {
                return Ok(Vec::new());
            }
        }
        let picked =
            |x: &Expr| matches!(&*x.kind, ExprKind::Local(l) if a.params.iter().any(|p| p.local == *l));
        let early = |w: &&Expr| a.carrier.is_none() && !walk::any(w, &mut |x| picked(x));
        if a.carrier.is_none() && self.is_used_up(a, me)?
            || !a.when.as_ref().filter(early).map_or(Ok(true), |w| self.truth(w, &mut f))?
        {
            return Ok(Vec::new());
        }
        let mut all = Vec::new();
        self.pick(asked, &mut Vec::new(), &f, given, &mut all)?;
        let leaves: Vec<&Expr> = declared.leaves.iter().map(|g| &g.cond).collect();
        // Of choices that differ in nothing but which of several alike things is meant, the first stands for all.
        let (mut firsts, mut offered, mut out) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
        for args in all {
            let args = [given, &args].concat();
            if self.leaves(asked, &args, &leaves, &mut of_menu)?
                && offered
                    .insert(args.iter().map(|x| self.first_alike(x, me, &mut firsts)).collect::<Vec<_>>())
            {
                out.push(args);
            }
        }
        Ok(out)
    }

    /// The first argument that cannot be told apart from this one. `firsts` holds it for each thing that was asked about.
    fn first_alike(&self, x: &Datum, me: &Datum, firsts: &mut BTreeMap<Datum, Datum>) -> Datum {
        if !matches!(x, Datum::Thing(..)) {
            return x.clone();
        }
        if let Some(first) = firsts.get(x) {
            return first.clone();
        }
        let first = firsts.values().find(|y| self.are_alike(x, y, me)).unwrap_or(x).clone();
        firsts.insert(x.clone(), first.clone());
        first
    }

    /// Whether two components cannot be told apart: they lie in one place, show the same, and have the same of their own, and whoever is asked knows both.
    pub(super) fn are_alike(&self, x: &Datum, y: &Datum, me: &Datum) -> bool {
        let (Ok((k, a)), Ok((j, b))) = (self.n.component(x), self.n.component(y)) else { return false };
        let (one, other) = (&self.w.pieces[k][a as usize], &self.w.pieces[j][b as usize]);
        let (seats, owners) = (self.n.seats_of(me), &self.n.families[k].owners);
        k == j
            && (one.place, one.face, one.side, one.up) == (other.place, other.face, other.side, other.up)
            && owners.get(a as usize) == owners.get(b as usize)
            && self.own_numbers(k, a, None) == self.own_numbers(k, b, None)
            && self.w.is_known(seats, k, a)
            && self.w.is_known(seats, k, b)
    }

    /// Picks one parameter after the other.
    fn pick(
        &mut self,
        asked: Asked<'_>,
        picked: &mut Vec<Datum>,
        f: &Frame,
        given: &[Datum],
        out: &mut Vec<Vec<Datum>>,
    ) -> Result<()> {
        let Some(p) = asked.a.params.get(picked.len()) else {
            if self.passes(asked, picked, &mut f.clone(), given)? {
                out.push(picked.clone());
            }
            return Ok(());
        };
        if out.len() > 5_000 {
            return unsupported("so many choices");
        }
        let from = match (&asked.a.carrier, picked.len()) {
            (Some(carrier), 0) => self.bearers(carrier, asked.me)?,
            _ => self.many(&p.from, &mut f.clone())?,
        };
        let from = self.as_seen(Datum::set(from).items(), Some(asked.seats))?;
        let all: Vec<Datum> = match &p.many {
            Many::One => from,
            Many::Subset { min, max } => {
                let min = self.maybe(min.as_ref(), &mut f.clone())?.map_or(Ok(0), |n| n.int())?;
                let most = from.len() as i64;
                let max = self.maybe(max.as_ref(), &mut f.clone())?.map_or(Ok(most), |n| n.int())?;
                subsets(&from, min, max)?
            }
        };
        for x in all {
            let mut f = f.clone();
            f.bind(p.local, x.clone());
            if !p.filter.as_ref().map_or(Ok(true), |c| self.truth(c, &mut f))? {
                continue;
            }
            picked.push(x);
            self.pick(asked, picked, &f, given, out)?;
            picked.pop();
        }
        Ok(())
    }

    /// What an action of a component is picked from first: those in an active place that `me` holds, or nobody.
    fn bearers(&mut self, carrier: &Carrier, me: &Datum) -> Result<Vec<Datum>> {
        let mut all = self.carriers(carrier)?;
        all.retain(|c| self.holder(c).is_ok_and(|h| h == *me || h == Datum::None));
        Ok(all)
    }

    /// The guards of an action with all its arguments, in the order of the text; then what forbids it, and what it must leave.
    fn passes(&mut self, asked: Asked<'_>, picked: &[Datum], f: &mut Frame, given: &[Datum]) -> Result<bool> {
        let Asked { id, a, me, .. } = asked;
        if a.carrier.is_some() && self.is_used_up(a, picked.first().unwrap_or(&Datum::None))? {
            return Ok(false);
        }
        // Where nobody holds what carries the action, its owner is nobody: a guard that needs the owner does not hold.
        let mut nobody = None;
        if let (Some(_), Some(HeadStep::Let(l, e))) = (&a.carrier, a.head.first()) {
            let holder = self.eval(e, f)?;
            nobody = (holder == Datum::None).then_some(*l);
            f.bind(*l, holder);
        }
        let lacks = |e: &Expr| nobody.is_some_and(|l| needs_somebody(e, l));
        if let Some(when) = &a.when
            && (lacks(when) || !self.truth(when, f)?)
        {
            return Ok(false);
        }
        let mut tried = Vec::new();
        for h in &a.head {
            match h {
                HeadStep::Let(l, e) => self.bind_late(*l, e, f)?,
                HeadStep::Needs(g) if lacks(&g.cond) || !self.truth(&g.cond, f)? => return Ok(false),
                HeadStep::Needs(_) => {}
                HeadStep::MustLeave(g) => tried.push(&g.cond),
            }
        }
        let m = self.m();
        Ok(!self.is_forbidden(|t| Event::Action(id).is(t, m), picked, Some(me))?
            && self.leaves(asked, &[given, picked].concat(), &tried, f)?)
    }

    /// Whether what must hold holds behind an action's effect, tried up to its first question or its end. Names mean what they meant before.
    fn leaves(&self, asked: Asked<'_>, args: &[Datum], must: &[&Expr], f: &mut Frame) -> Result<bool> {
        if must.is_empty() {
            return Ok(true);
        }
        let mut tried = Evaluator::new(self.n, self.w.clone());
        match tried.act(Event::Action(asked.id), asked.me.clone(), args.to_vec()) {
            Ok(_) | Err(Stop::Asked | Stop::Over) => {}
            Err(stop) => return Err(stop),
        }
        for e in must {
            if !tried.ask_for(e, f)?.truth()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an action that can be taken once has been: by that component, or by that player.
    fn is_used_up(&self, a: &Action, by: &Datum) -> Result<bool> {
        Ok(a.once.is_some() && *by != Datum::None && self.w.used.contains(&(a.span, by.number()?)))
    }
}

/// All subsets of allowed sizes: by size, then by the first thing in which they differ.
fn subsets(all: &[Datum], min: i64, max: i64) -> Result<Vec<Datum>> {
    if all.len() > 10 {
        return unsupported("subsets of so many");
    }
    let some = |bits: u32| (0..all.len()).filter(|i| bits >> i & 1 == 1).collect::<Vec<usize>>();
    let mut out: Vec<Vec<usize>> = (0..1 << all.len()).map(some).collect();
    out.retain(|some| (min..=max).contains(&(some.len() as i64)));
    out.sort_by_key(|some| (some.len(), some.clone()));
    Ok(out.into_iter().map(|some| Datum::set(some.iter().map(|i| all[*i].clone()).collect())).collect())
}
