//! What a menu offers (menus.md): parameters one after the other, then the guards in the order of the text; and who may be done or pass.
use super::*;

/// Actions with their arguments, the menu's first.
type Choices = Vec<(ActionId, Vec<Datum>)>;

impl<'a> Evaluator<'a> {
    /// Actions of a menu that a player could take, in the order in which these seats (bits) find them.
    pub fn actions_of(&mut self, menu: MenuId, me: &Datum, given: &[Datum], seats: u32) -> Result<Choices> {
        let declared = &self.m.menus[menu.index()];
        let mut out = Vec::new();
        if !self.is_open(menu, me, given)? {
            return Ok(out);
        }
        covers(declared.best.is_none() && declared.no_dead_ends.is_none(), "menus whose lines are judged")?;
        for id in declared.actions.iter().copied() {
            if self.is_there(id) {
                let all = self.as_player(me.clone(), |s| s.choices(id, declared, given, seats))?;
                out.extend(all.into_iter().map(|args| (id, args)));
            }
        }
        Ok(out)
    }

    /// Whether a menu is open: else nothing is on offer.
    pub fn is_open(&mut self, menu: MenuId, me: &Datum, given: &[Datum]) -> Result<bool> {
        let menu = &self.m.menus[menu.index()];
        let mut f = Frame::acting(me, &[], &menu.params, given);
        self.as_player(me.clone(), |s| s.holds(menu.open.as_ref().map(|(c, _)| c), &mut f))
    }

    /// Whether `done` or `pass` may be taken in one of these menus: one that is open and has it. `dry`: whether there is no action.
    pub fn may_end(&mut self, at: &[(MenuId, Vec<Datum>)], done: bool, p: &Datum, dry: bool) -> Result<bool> {
        for (id, given) in at {
            let menu = &self.m.menus[id.index()];
            let Some(ending) = (if done { &menu.done } else { &menu.pass }) else { continue };
            let mut f = Frame { no_action: dry, ..Frame::acting(p, &[], &menu.params, given) };
            let may = |s: &mut Self| s.holds(&ending.when, &mut f);
            if self.is_open(*id, p, given)? && self.as_player(p.clone(), may)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether an action is there in this set-up.
    fn is_there(&self, id: ActionId) -> bool {
        let a = &self.m.actions[id.index()];
        let mut removes = self.n.set.scopes.iter().flat_map(|s| &self.m.scopes[s.index()].removes);
        let removed = removes.any(|r| matches!(r, Removed::Action(x) if *x == id));
        let carried = !matches!(&a.carrier, Some(Carrier::Member(m)) if self.n.face(*m, None).is_none());
        self.n.set.has(a.scope) && !removed && carried
    }

    /// All arguments with which whoever acts may take an action.
    fn choices(&mut self, id: ActionId, menu: &Menu, given: &[Datum], seats: u32) -> Result<Vec<Vec<Datum>>> {
        let (a, me) = (&self.m.actions[id.index()], self.me.clone());
        let mut of_menu = Frame::acting(&me, &[], &menu.params, given);
        // What holds for the action whatever is picked: if that does not hold, nothing is picked.
        let picked = |x: &Expr| a.params.iter().any(|p| attach::is_name(x, p.local));
        let early = |w: &&Expr| a.carrier.is_none() && !walk::any_expr(w, &mut |x| picked(x));
        if !self.holds(menu.needs.iter().map(|g| &g.cond), &mut of_menu)?
            || a.carrier.is_none() && a.once.is_some() && self.is_used(a.span, &me)?
            || !self.holds(a.when.as_ref().filter(early), &mut Frame::acting(&me, given, &[], &[]))?
        {
            return Ok(Vec::new());
        }
        // Of choices that differ in nothing but which of several alike things is meant, that with the least numbers stands for all.
        let must: Vec<&Expr> = menu.leaves.iter().map(|g| &g.cond).collect();
        let (mut of_alike, mut out) = (BTreeMap::<Vec<Datum>, BTreeSet<Vec<Datum>>>::new(), Vec::new());
        for own in self.picks(a, given, seats)? {
            let args = [given, &own].concat();
            if self.passes(id, given, &own)? && self.leaves(id, &args, &must, &mut of_menu)? {
                let mut alike: Vec<Datum> = Vec::new();
                for (i, x) in args.iter().enumerate() {
                    let of = i.checked_sub(given.len()).map(|i| (id, a.params[i].local));
                    let own = of.is_some_and(|p| self.n.apart.params.contains(&p));
                    let before = args.iter().zip(&alike).find(|(y, _)| *y == x).map(|(_, one)| one.clone());
                    alike.push(before.unwrap_or(if own { x.clone() } else { self.first_alike(x, &alike) }));
                }
                of_alike.entry(alike).or_default().insert(args.clone());
                out.push(args);
            }
        }
        let least: BTreeSet<_> = of_alike.values().filter_map(BTreeSet::first).collect();
        out.retain(|args| least.contains(args));
        Ok(out)
    }

    /// The first in its place, but for these, that nothing tells apart from this one: face, what it has, who knows it, what names it, what lies on it, or where it lies if rules ask for that.
    /// Of each thing in a set, the first that stands for no other.
    pub(super) fn first_alike(&self, x: &Datum, but: &[Datum]) -> Datum {
        if let Datum::Set(all) = x {
            return Datum::set(all.iter().fold(Vec::new(), |firsts: Vec<Datum>, y| {
                let one = if but.contains(y) { y } else { &self.first_alike(y, &[but, &firsts].concat()) };
                [&firsts[..], std::slice::from_ref(one)].concat()
            }));
        }
        let named = |x: &Datum| {
            self.w.attrs.values().any(|d| d == x)
                || self.n.places.iter().zip(&self.w.lying).any(|(at, lies)| at.of == *x && !lies.is_empty())
                || self.w.layers.iter().any(|l| match &l.change {
                    LayerChange::Set(Slot::Attr((_, of)) | Slot::Place(of), ..) => of == x,
                    LayerChange::Attached(_, names) => names.iter().any(|(_, d)| d == x),
                })
        };
        let apart =
            |one: &Piece| named(x) || self.n.places[one.place as usize].slot.is_some_and(|z| z.order_asked);
        let Some(one) = self.w.pieces.get(x).filter(|one| !apart(one)) else { return x.clone() };
        let seats = self.n.seats_of(&self.me);
        let is_alike = |y: &&Datum| {
            let other = &self.w.pieces[*y];
            !but.contains(y)
                && !named(y)
                && (one.face, one.side, one.up) == (other.face, other.side, other.up)
                && self.owner_of(x) == self.owner_of(y)
                && self.own(x, None) == self.own(y, None)
                && seats & !(one.known & other.known) == 0
        };
        self.w.lying[one.place as usize].iter().find(is_alike).unwrap_or(x).clone()
    }

    /// What can be picked for the parameters, one after the other, before the guards are asked.
    fn picks(&mut self, a: &Action, given: &[Datum], seats: u32) -> Result<Vec<Vec<Datum>>> {
        let mut all = vec![Vec::new()];
        for (i, p) in a.params.iter().enumerate() {
            for picked in std::mem::take(&mut all) {
                let mut f = Frame::acting(&self.me, given, &a.params, &picked);
                // An action of a component is picked from those in an active place that whoever is asked holds, or nobody.
                let from = match &a.carrier {
                    Some(carrier) if i == 0 => self.carriers(carrier)?,
                    _ => self.many(&p.from, &mut f)?,
                };
                let mut from = self.as_seen(Datum::set(from).items(), seats)?;
                if a.carrier.is_some() && i == 0 {
                    from.retain(|c| self.holder(c).is_ok_and(|h| h == self.me || h == Datum::None));
                }
                if let Many::Subset { .. } = p.many {
                    let (min, max) = self.bounds(&p.many, from.len(), &mut f)?;
                    from = subsets(&from, min, max)?;
                }
                let from = self.passing(from, p.local, p.filter.as_ref(), &mut f)?;
                all.extend(from.into_iter().map(|x| [&picked[..], &[x]].concat()));
                covers(all.len() <= 5_000, "so many choices")?;
            }
        }
        Ok(all)
    }

    /// The guards of an action with all its arguments, in the order of the text; then what forbids it, and what it must leave.
    fn passes(&mut self, id: ActionId, given: &[Datum], own: &[Datum]) -> Result<bool> {
        let (a, args) = (&self.m.actions[id.index()], &[given, own].concat());
        let f = &mut Frame::acting(&self.me, given, &a.params, own);
        if a.carrier.is_some() && a.once.is_some() && self.is_used(a.span, &own[0])? {
            return Ok(false);
        }
        // Where nobody holds what carries the action, its owner is nobody: a guard that needs the owner does not hold.
        let mut nobody = None;
        if let (Some(_), Some(HeadStep::Let(l, e))) = (&a.carrier, a.head.first()) {
            let holder = self.eval(e, f)?;
            nobody = (holder == Datum::None).then_some(*l);
            f.bind(*l, holder);
        }
        let lacks = |e: &Expr| nobody.is_some_and(|l| attach::needs_somebody(e, l));
        if a.when.as_ref().is_some_and(lacks) || !self.holds(&a.when, f)? {
            return Ok(false);
        }
        let mut must = Vec::new();
        for h in &a.head {
            match h {
                HeadStep::Let(l, e) => self.bind_late(*l, e, f)?,
                HeadStep::Needs(g) if lacks(&g.cond) || !self.truth(&g.cond, f)? => return Ok(false),
                HeadStep::Needs(_) => {}
                HeadStep::MustLeave(g) => must.push(&g.cond),
            }
        }
        Ok(self.forbidden(Target::Action(id), args)?.is_none() && self.leaves(id, args, &must, f)?)
    }

    /// Whether what must hold holds behind an action's effect, tried up to its first question or its end. Names mean what they meant before.
    fn leaves(&self, id: ActionId, args: &[Datum], must: &[&Expr], f: &mut Frame) -> Result<bool> {
        if must.is_empty() {
            return Ok(true);
        }
        let mut tried = Evaluator::new(self.n, self.w.clone());
        tried.me = self.me.clone();
        match tried.happen(Target::Action(id), args.to_vec()) {
            Ok(_) | Err(Stop::Asked | Stop::Over) => tried.holds(must.iter().copied(), f),
            Err(stop) => Err(stop),
        }
    }
}

/// All subsets of allowed sizes: by size, then by the first thing in which they differ.
fn subsets(all: &[Datum], min: i64, max: i64) -> Result<Vec<Datum>> {
    covers(all.len() <= 10, "subsets of so many")?;
    let some = |bits: u32| (0..all.len()).filter(|i| bits >> i & 1 == 1).collect::<Vec<usize>>();
    let fits = |some: &Vec<usize>| (min..=max).contains(&(some.len() as i64));
    let mut out: Vec<Vec<usize>> = (0..1 << all.len()).map(some).filter(fits).collect();
    out.sort_by_key(|some| (some.len(), some.clone()));
    Ok(out.into_iter().map(|some| Datum::set(some.into_iter().map(|i| all[i].clone()))).collect())
}
