//! What stands round rules, actions, discards, rolls and shuffles, and what these are themselves (attachments.md, statements.md).
use super::attach::{Age, InForce, is_name, tests_of};
use super::effects::{or_left_out, until_rule_ends};
use super::expr::{Evaluator, Frame};
use super::value::{Datum, Result, known, unsupported};
use super::world::Change;
use crate::model::body::{types, walk};
use crate::model::hir::*;
use crate::program::ir::{self, LeaseScope, Per};

/// Something that attachments stand round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A rule or phase.
    Rule(RuleId),
    /// An action.
    Action(ActionId),
    /// A component is discarded.
    Discard,
    /// A die is rolled.
    Roll,
    /// A zone is shuffled.
    Shuffle,
}

impl Event {
    /// Whether an attachment's target is this.
    pub(super) fn is(self, t: &Target, m: &Model) -> bool {
        match (self, t) {
            (Event::Rule(r), Target::Rule(x)) => r == *x,
            (Event::Action(a), Target::Action(x)) => a == *x,
            (Event::Action(a), Target::Menu(x)) => m.actions[a.index()].menus.contains(x),
            (Event::Discard, Target::Effect(EffectWord::Discard))
            | (Event::Roll, Target::Effect(EffectWord::Roll))
            | (Event::Shuffle, Target::Effect(EffectWord::Shuffle)) => true,
            _ => false,
        }
    }

    /// What something gives that does not happen.
    fn nothing(self, m: &Model) -> Datum {
        match self {
            Event::Rule(r) if matches!(m.rules[r.index()].gives, Ty::Set(_) | Ty::List(_)) => {
                Datum::Set(Vec::new())
            }
            _ => Datum::None,
        }
    }

    /// Patterns are matched with an action's own arguments, without those of its menu.
    fn matched(self, args: &[Datum], m: &Model) -> Vec<Datum> {
        match self {
            Event::Action(a) => args[args.len() - m.actions[a.index()].params.len()..].to_vec(),
            _ => args.to_vec(),
        }
    }
}

/// What is replaced by an `instead of` that runs: what happens, to what, and how old the replacement is.
pub(super) type Replaced = (Event, Vec<Datum>, Age);

impl<'a> Evaluator<'a> {
    /// A rule or an action is done by somebody.
    ///
    /// # Errors
    /// Where it goes no further.
    pub fn act(&mut self, e: Event, me: Datum, args: Vec<Datum>) -> Result {
        self.me = me;
        self.happen(e, args)
    }

    /// A rule is called; without a thing that it needs the statement is left out.
    pub(super) fn call(&mut self, r: RuleId, by: Option<&Expr>, args: &[Expr], f: &mut Frame) -> Result {
        let by = by.map(|p| self.needed(p, f)).transpose()?;
        let locals = &self.m().rules[r.index()].body.locals;
        let mut given = Vec::new();
        for (i, a) in args.iter().enumerate() {
            let may_be_none = locals.get(i).is_some_and(|l| types::is_maybe(&l.ty));
            given.push(if may_be_none { self.eval(a, f)? } else { self.needed(a, f)? });
        }
        self.as_player(by.unwrap_or(self.me.clone()), |s| s.happen(Event::Rule(r), given))
    }

    /// Something happens, with all that is attached to it: what forbids it, then what replaces it (the newest outermost), what comes before, it, and what comes after.
    pub(super) fn happen(&mut self, e: Event, args: Vec<Datum>) -> Result {
        self.nested += 1;
        if self.nested > 40 {
            return unsupported("rules within rules so deep");
        }
        let (m, me, replaced) = (self.m(), self.me.clone(), self.replaced.take());
        // What forbids an action is among its guards.
        let forbidden = !matches!(e, Event::Action(_))
            && self.is_forbidden(|t| e.is(t, m), &e.matched(&args, m), Some(&me))?;
        let out = if forbidden { Ok(e.nothing(m)) } else { self.replace(e, args, None) };
        self.replaced = replaced;
        self.nested -= 1;
        out
    }

    /// What is attached to an event and does this, in force: what applies.
    fn round(
        &mut self,
        e: Event,
        args: &[Datum],
        does: fn(&AttachKind) -> bool,
    ) -> Result<Vec<(InForce<'a>, Frame)>> {
        let (m, me) = (self.m(), self.me.clone());
        self.around(|t| e.is(t, m), does, &e.matched(args, m), Some(&me))
    }

    /// The newest replacement in force that is older than the last one goes on with its block; if there is none, the event happens.
    fn replace(&mut self, e: Event, args: Vec<Datum>, last: Option<Age>) -> Result {
        let mut all = self.round(e, &args, |k| matches!(k, AttachKind::Instead(_)))?;
        all.retain(|(x, _)| last.is_none_or(|age| x.age < age));
        all.sort_by_key(|(x, _)| std::cmp::Reverse(x.age));
        for (x, mut f) in all {
            let me = self.me.clone();
            let AttachKind::Instead(block) = &x.a.what else { continue };
            if !self.limits(&x, &mut f)? {
                continue;
            }
            let nothing = e.nothing(self.m());
            let outer = std::mem::replace(&mut self.given, nothing);
            let kept = self.replaced.replace((e, args, x.age));
            until_rule_ends(self.block(block, &mut f))?;
            self.replaced = kept;
            self.me = me;
            return Ok(std::mem::replace(&mut self.given, outer));
        }
        self.with_before_and_after(e, args)
    }

    /// `proceed`: the replaced event goes on, with other arguments where they are named.
    pub(super) fn proceed(&mut self, changes: &[(usize, Expr)], f: &mut Frame) -> Result<()> {
        let (e, mut args, age) = known(self.replaced.clone(), "`proceed` here")?;
        for (i, x) in changes {
            args[*i] = self.eval(x, f)?;
        }
        let kept = self.replaced.take();
        self.given = self.as_player(self.me.clone(), |s| s.replace(e, args, Some(age)))?;
        self.replaced = kept;
        Ok(())
    }

    /// `once` and `may`: whether it is done. In a layer whoever made it acts.
    fn limits(&mut self, x: &InForce<'_>, f: &mut Frame) -> Result<bool> {
        let layer = self.n.layer_of(x.a);
        if let Some(maker) = x.a.maker.filter(|_| layer.is_some()) {
            self.me = f.get(maker)?;
        }
        let thing = x.a.this.map_or(Ok(0), |l| f.get(l)?.number())?;
        if x.a.once.is_some() && layer.is_none() && self.w.used.contains(&(x.a.span, thing)) {
            return Ok(false);
        }
        if let Some((by, _)) = &x.a.may {
            let owner = x.a.owner.map(|l| f.get(l)).transpose()?.filter(|o| *o != Datum::None);
            let who = self.maybe(by.as_ref(), f)?.or(owner).unwrap_or_else(|| self.me.clone());
            return if self.is_answered(&who) { self.ask() } else { Ok(false) };
        }
        match layer {
            _ if x.a.once.is_none() => {}
            Some(what) => self
                .w
                .layers
                .retain(|l| l.since != x.age.0 || !matches!(&l.change, Change::Attached(w, _) if *w == what)),
            None => {
                self.w.used.insert((x.a.span, thing));
            }
        }
        Ok(true)
    }

    /// What comes before and after is judged on entering. What names its own component also counts after if the component has come only now.
    fn with_before_and_after(&mut self, e: Event, args: Vec<Datum>) -> Result {
        let stands = |k: &AttachKind| matches!(k, AttachKind::Before(_) | AttachKind::After(_));
        let mut judged = self.round(e, &args, stands)?;
        let m = self.m();
        let attached = self.n.attached(|t| e.is(t, m), |_| 0);
        if !attached.iter().any(|(a, _)| stands(&a.what)) {
            return self.body(e, args);
        }
        let mut there = Vec::new();
        for (k, x) in attached.into_iter().enumerate() {
            there.extend(self.brought(k, x)?.iter().map(|x| (x.order, x.age.2)));
        }
        self.run_judged(&judged, true)?;
        let given = self.body(e, args.clone())?;
        for (x, f) in self.round(e, &args, |k| matches!(k, AttachKind::After(_)))? {
            let is_this = |y: &Expr| x.a.this.is_some_and(|l| is_name(y, l));
            let names_this = tests_of(x.head).any(|t| walk::any(t, &mut |y| is_this(y)));
            if names_this && x.a.carrier.is_some() && !there.contains(&(x.order, x.age.2)) {
                judged.push((x, f));
            }
        }
        self.run_judged(&judged, false)?;
        Ok(given)
    }

    /// In the order of loading; of one scope first what nobody carries, then seat by seat from whoever acts, what nobody holds last; layers last of all.
    fn run_judged(&mut self, judged: &[(InForce<'a>, Frame)], before: bool) -> Result<()> {
        let (n, me) = (self.n.count(0), self.me.number().unwrap_or(0));
        let mut order: Vec<(Vec<i64>, usize)> = Vec::new();
        for (i, (x, f)) in judged.iter().enumerate() {
            let carried = x.a.carrier.is_some() && self.n.layer_of(x.a).is_none();
            let of_player = matches!(&x.a.carrier, Some(Carrier::Kind(builtin_kinds::PLAYER)));
            let owner = x.a.owner.or(x.a.this.filter(|_| of_player));
            let owner = owner.map_or(Ok(Datum::None), |l| f.get(l))?;
            let seat = owner.number().map_or(i64::from(n), |p| i64::from((p + n - me % n) % n));
            let rank = i64::from(self.n.rank_of_scope(x.a));
            let by = if carried { [seat, x.order as i64] } else { [x.order as i64, x.age.0] };
            order.push((vec![rank, i64::from(carried), by[0], by[1]], i));
        }
        order.sort();
        for (_, i) in order {
            let (x, f) = &judged[i];
            let block = match (&x.a.what, before) {
                (AttachKind::Before(b), true) | (AttachKind::After(b), false) => b,
                _ => continue,
            };
            let mut f = f.clone();
            self.as_player(self.me.clone(), |s| {
                if s.limits(x, &mut f)? {
                    let (given, replaced) = (s.given.clone(), s.replaced.take());
                    until_rule_ends(s.block(block, &mut f))?;
                    (s.given, s.replaced) = (given, replaced);
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    // ── What happens itself ──────────────────────────────────────────────────────────────────────────────

    fn body(&mut self, e: Event, args: Vec<Datum>) -> Result {
        let nothing = e.nothing(self.m());
        let outer = std::mem::replace(&mut self.given, nothing);
        let done = match (e, args.first()) {
            (Event::Rule(r), _) => self.rule(r, args),
            (Event::Action(a), _) => self.action(a, args),
            (Event::Discard, Some(c)) => self.discard(c),
            (Event::Roll, Some(c)) => {
                let sides = self.face_of(c)?.1.sides.len() as u64;
                let (k, c) = self.n.component(c)?;
                let side = self.draw(&self.me.clone(), sides) as u32;
                self.turn(k, c, side)
            }
            (Event::Shuffle, Some(Datum::Place(p))) => self.shuffle(*p),
            _ => Ok(()),
        };
        let given = std::mem::replace(&mut self.given, outer);
        done.map(|()| given)
    }

    fn rule(&mut self, r: RuleId, args: Vec<Datum>) -> Result<()> {
        let rule = &self.m().rules[r.index()];
        let block = self.block_of(r, &args)?;
        let me = args.get(rule.me.index()).unwrap_or(&self.me).clone();
        let mut f = Frame::of(args);
        f.bind(rule.me, me.clone());
        if !rule.phase {
            return until_rule_ends(self.as_player(me, |s| s.block(block, &mut f)));
        }
        self.w.phases.push(r);
        let phases = &self.n.p.phases;
        let slot = phases.iter().position(|p| self.n.p.decls[p.decl.index()].span == rule.span);
        let slot = slot.map(|i| ir::PhaseIx(i as u16));
        self.renew(|per| per == Per::AnyPhase || slot.is_some_and(|s| per == Per::Phase(s)), None)?;
        self.watch()?;
        until_rule_ends(self.as_player(me, |s| s.block(block, &mut f)))?;
        self.notice()?;
        if let Some(i) = self.w.phases.iter().rposition(|x| *x == r) {
            self.w.phases.remove(i);
        }
        let ended = slot.map_or(-1, |i| i32::from(i.0));
        self.end_layers(|(scope, arg)| {
            matches!(scope, LeaseScope::Phase | LeaseScope::PhaseNamed) && arg == ended
        })?;
        self.watch()
    }

    /// What an action does: it counts as used, then its names, then its block. Its guards have been asked before.
    fn action(&mut self, id: ActionId, args: Vec<Datum>) -> Result<()> {
        let a = &self.m().actions[id.index()];
        let (given, own) = args.split_at(args.len() - a.params.len());
        let me = self.me.clone();
        let mut f = self.frame_of_action(a, &me, given);
        for (p, v) in a.params.iter().zip(own) {
            f.bind(p.local, v.clone());
        }
        if a.once.is_some() {
            let by = if a.carrier.is_some() { &own[0] } else { &me };
            self.w.used.insert((a.span, by.number()?));
        }
        for h in &a.head {
            if let HeadStep::Let(l, e) = h {
                let name = Stmt { span: e.span, kind: StmtKind::Let(*l, e.clone()) };
                self.block(&[name], &mut f)?;
            }
        }
        until_rule_ends(self.block(&a.body, &mut f))
    }

    /// A thing goes to where the kind of its face discards; where that asks for an owner and there is none, it stays.
    fn discard(&mut self, c: &Datum) -> Result<()> {
        let (k, n) = self.n.component(c)?;
        let kind = self.face_of(c)?.1.kind;
        let declared =
            |k: &KindId| self.m().kinds[k.index()].discards.iter().rev().find(|(s, _)| self.n.set.has(*s));
        let Some((_, to)) = types::line_of(self.m(), kind).iter().find_map(declared) else {
            return self.shift(k, n, self.n.families[k].boxed, false, None);
        };
        let owner = match self.n.families[k].owners.get(n as usize) {
            Some(p) => Datum::Thing(0, *p as u32),
            None => self.holder(c)?,
        };
        if owner == Datum::None && walk::any(&to.body, &mut |e| is_name(e, LocalId(1))) {
            return Ok(());
        }
        let place = self.place(&to.body, Some(kind), &mut Frame::of(vec![c.clone(), owner]));
        match or_left_out(place, Datum::None)? {
            Datum::Place(to) => self.shift(k, n, to, false, None),
            _ => Ok(()),
        }
    }
}
