//! What a menu offers (menus.md): parameters one after the other, then the guards in the order of the text; and who may be done or pass.
use super::*;

/// An action with its menu, the menu's arguments, and the seats (bits) in whose order its choices are found. Who is asked acts.
#[derive(Clone, Copy)]
struct Asked<'b> {
    id: ActionId,
    a: &'b Action,
    menu: MenuId,
    given: &'b [Datum],
    seats: u32,
}

/// Actions with their arguments, the menu's first.
type Choices = Vec<(ActionId, Vec<Datum>)>;

impl<'a> Evaluator<'a> {
    /// Actions of a menu that a player could take, in the order in which these seats (bits) find them.
    pub fn actions_of(&mut self, menu: MenuId, me: &Datum, given: &[Datum], seats: u32) -> Result<Choices> {
        let declared = &self.m.menus[menu.index()];
        self.as_player(me.clone(), |s| {
            let mut out = Vec::new();
            if !s.is_open(menu, me, given)? {
                return Ok(out);
            }
            if declared.best.is_some() || declared.no_dead_ends.is_some() {
                return unsupported("menus whose lines are judged");
            }
            for id in declared.actions.iter().copied() {
                if s.is_there(id) {
                    let asked = Asked { id, a: &s.m.actions[id.index()], menu, given, seats };
                    out.extend(s.choices(asked)?.into_iter().map(|args| (id, args)));
                }
            }
            Ok(out)
        })
    }

    /// The names of a menu's own words: who is asked, and its arguments.
    pub fn frame_of_menu(&self, menu: MenuId, me: &Datum, given: &[Datum]) -> Frame {
        let mut f = Frame::of(std::slice::from_ref(me));
        for (p, v) in self.m.menus[menu.index()].params.iter().zip(given) {
            f.bind(p.local, v.clone());
        }
        f
    }

    /// Whether a menu is open: else nothing is on offer.
    pub fn is_open(&mut self, menu: MenuId, me: &Datum, given: &[Datum]) -> Result<bool> {
        let open = self.m.menus[menu.index()].open.as_ref().map(|(c, _)| c);
        let mut f = self.frame_of_menu(menu, me, given);
        self.as_player(me.clone(), |s| s.holds(open, &mut f))
    }

    /// Whether `done` or `pass` may be taken, if the menu is open and has it.
    pub fn may_end(
        &mut self,
        id: MenuId,
        done: bool,
        me: &Datum,
        given: &[Datum],
        none: bool,
    ) -> Result<bool> {
        let menu = &self.m.menus[id.index()];
        let ending = if done { &menu.done } else { &menu.pass };
        let mut f = Frame { no_action: none, ..self.frame_of_menu(id, me, given) };
        Ok(self.is_open(id, me, given)?
            && match ending {
                None => false,
                Some(ending) => self.as_player(me.clone(), |s| s.holds(ending.when.as_ref(), &mut f))?,
            })
    }

    /// Whether an action is there in this set-up.
    fn is_there(&self, id: ActionId) -> bool {
        let a = &self.m.actions[id.index()];
        let scopes = self.m.scopes.iter().enumerate().filter(|(i, _)| self.n.set.has(ScopeId(*i as u32)));
        let mut removes = scopes.flat_map(|(_, s)| &s.removes);
        let removed = removes.any(|r| matches!(r, Removed::Action(x) if *x == id));
        let carried = !matches!(&a.carrier, Some(Carrier::Member(m)) if self.n.face(*m, None).is_none());
        self.n.set.has(a.scope) && !removed && carried
    }

    /// The names of an action: who acts, the menu's arguments, and its own.
    pub(super) fn frame_of_action(&self, a: &Action, given: &[Datum], own: &[Datum]) -> Frame {
        let mut f = Frame::default();
        f.bind(a.me, self.me.clone());
        for (i, v) in given.iter().enumerate() {
            f.bind(LocalId(i as u32 + 1), v.clone());
        }
        for (p, v) in a.params.iter().zip(own) {
            f.bind(p.local, v.clone());
        }
        f
    }

    /// All arguments with which an action may be taken.
    fn choices(&mut self, asked: Asked<'_>) -> Result<Vec<Vec<Datum>>> {
        let Asked { id, a, menu, given, .. } = asked;
        let (mut f, mut of_menu) =
            (self.frame_of_action(a, given, &[]), self.frame_of_menu(menu, &self.me, given));
        let menu = &self.m.menus[menu.index()];
        // What holds for the action whatever is picked: if that does not hold, nothing is picked.
        for g in &menu.needs {
            if !self.truth(&g.cond, &mut of_menu)? {
                return Ok(Vec::new());
            }
        }
        let picked =
            |x: &Expr| matches!(&*x.kind, ExprKind::Local(l) if a.params.iter().any(|p| p.local == *l));
        let early = |w: &&Expr| a.carrier.is_none() && !walk::any(w, &mut |x| picked(x));
        if a.carrier.is_none() && self.is_used_up(a, &self.me)?
            || !self.holds(a.when.as_ref().filter(early), &mut f)?
        {
            return Ok(Vec::new());
        }
        // Of choices that differ in nothing but which of several alike things is meant, the first stands for all.
        let must: Vec<&Expr> = menu.leaves.iter().map(|g| &g.cond).collect();
        let (mut firsts, mut offered, mut out) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
        for own in self.picks(asked)? {
            let args = [given, &own].concat();
            if self.passes(asked, &own)? && self.leaves(id, &args, &must, &mut of_menu)? {
                let alike: Vec<Datum> = args.iter().map(|x| self.first_alike(x, &mut firsts)).collect();
                out.extend(offered.insert(alike).then_some(args));
            }
        }
        Ok(out)
    }

    /// The first argument that cannot be told apart from this one. `firsts` holds it for each thing that was asked about.
    fn first_alike(&self, x: &Datum, firsts: &mut BTreeMap<Datum, Datum>) -> Datum {
        if let Some(first) = firsts.get(x) {
            return first.clone();
        }
        let first = firsts.values().find(|y| self.are_alike(x, y)).unwrap_or(x).clone();
        firsts.insert(x.clone(), first.clone());
        first
    }

    /// Whether two components cannot be told apart: they lie in one place, show the same, and have the same of their own, and whoever is asked knows both.
    pub(super) fn are_alike(&self, x: &Datum, y: &Datum) -> bool {
        let (Some(one), Some(other)) = (self.w.pieces.get(x), self.w.pieces.get(y)) else { return false };
        let unknown = self.n.seats_of(&self.me) & !(one.known & other.known);
        (one.place, one.face, one.side, one.up) == (other.place, other.face, other.side, other.up)
            && self.owner_of(x) == self.owner_of(y)
            && self.own(x, None) == self.own(y, None)
            && unknown == 0
    }

    /// What can be picked for the parameters, one after the other, before the guards are asked.
    fn picks(&mut self, asked: Asked<'_>) -> Result<Vec<Vec<Datum>>> {
        let a = asked.a;
        let mut all = vec![Vec::new()];
        for (i, p) in a.params.iter().enumerate() {
            for picked in std::mem::take(&mut all) {
                let mut f = self.frame_of_action(a, asked.given, &picked);
                let from = match &a.carrier {
                    Some(carrier) if i == 0 => self.bearers(carrier)?,
                    _ => self.many(&p.from, &mut f)?,
                };
                let mut from = self.as_seen(Datum::set(from).items(), asked.seats)?;
                if let Many::Subset { .. } = p.many {
                    let (min, max) = self.bounds(&p.many, from.len(), &mut f)?;
                    from = subsets(&from, min, max)?;
                }
                if let Some(filter) = &p.filter {
                    from = self.passing(from, p.local, filter, &mut f)?;
                }
                all.extend(from.into_iter().map(|x| [&picked[..], &[x]].concat()));
                if all.len() > 5_000 {
                    return unsupported("so many choices");
                }
            }
        }
        Ok(all)
    }

    /// What an action of a component is picked from first: those in an active place that whoever is asked holds, or nobody.
    fn bearers(&mut self, carrier: &Carrier) -> Result<Vec<Datum>> {
        let mut all = self.carriers(carrier)?;
        all.retain(|c| self.holder(c).is_ok_and(|h| h == self.me || h == Datum::None));
        Ok(all)
    }

    /// The guards of an action with all its arguments, in the order of the text; then what forbids it, and what it must leave.
    fn passes(&mut self, asked: Asked<'_>, own: &[Datum]) -> Result<bool> {
        let Asked { id, a, given, .. } = asked;
        let (args, f) = ([given, own].concat(), &mut self.frame_of_action(a, given, own));
        if a.carrier.is_some() && self.is_used_up(a, own.first().unwrap_or(&Datum::None))? {
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
        if a.when.as_ref().is_some_and(lacks) || !self.holds(a.when.as_ref(), f)? {
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
        Ok(!self.is_forbidden(Target::Action(id), &args)? && self.leaves(id, &args, &must, f)?)
    }

    /// Whether what must hold holds behind an action's effect, tried up to its first question or its end. Names mean what they meant before.
    fn leaves(&self, id: ActionId, args: &[Datum], must: &[&Expr], f: &mut Frame) -> Result<bool> {
        if must.is_empty() {
            return Ok(true);
        }
        let mut tried = Evaluator::new(self.n, self.w.clone());
        match tried.act(Target::Action(id), self.me.clone(), args.to_vec()) {
            Ok(_) | Err(Stop::Asked | Stop::Over) => {}
            Err(stop) => return Err(stop),
        }
        for e in must {
            if !tried.truth(e, f)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an action that can be taken once has been: by that component, or by that player.
    fn is_used_up(&self, a: &Action, by: &Datum) -> Result<bool> {
        Ok(a.once.is_some() && *by != Datum::None && self.is_used(a.span, by)?)
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
    Ok(out.into_iter().map(|some| Datum::set(some.into_iter().map(|i| all[i].clone()))).collect())
}
