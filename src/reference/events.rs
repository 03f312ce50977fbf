//! What stands round rules, actions, discards, rolls and shuffles, and what these are themselves (attachments.md, statements.md).
use super::attach::{Age, Does, is_name};
use super::effects::{or_left_out, until_rule_ends};
use super::*;

/// What an `instead of` replaces: what happens, to what, and how old the replacement is.
pub type Replaced = Option<(Target, Vec<Datum>, Age)>;

impl<'a> Evaluator<'a> {
    /// A rule is called; without a thing that it needs the statement is left out.
    pub(super) fn call(&mut self, r: RuleId, by: Option<&Expr>, args: &[Expr], f: &mut Frame) -> Result {
        let by = by.map(|p| self.needed(p, f)).transpose()?;
        let given = self.given(&self.m.rules[r.index()].body.locals, args, f)?;
        self.as_player(by.unwrap_or(self.me.clone()), |s| s.happen(Target::Rule(r), given))
    }

    /// What is handed to a rule or value: what may be none must be there, unless it takes none.
    pub(super) fn given(&mut self, to: &[Local], args: &[Expr], f: &mut Frame) -> Result<Vec<Datum>> {
        let as_is = |(a, to): &(&Expr, &Local)| types::is_maybe(&to.ty) || !types::is_maybe(&a.ty);
        let all = args.iter().zip(to);
        all.map(|x| if as_is(&x) { self.eval(x.0, f) } else { self.needed(x.0, f) }).collect()
    }

    /// What something gives that does not happen.
    fn nothing(&self, e: Target) -> Datum {
        if let Target::Rule(r) = e { nothing_of(&self.m.rules[r.index()].gives) } else { Datum::None }
    }

    /// Something happens, with all that is attached to it: what forbids it, then what replaces it (the newest outermost), what comes before, it, and what comes after.
    pub fn happen(&mut self, e: Target, args: Vec<Datum>) -> Result {
        self.nested += 1;
        covers(self.nested <= 40, "rules within rules so deep")?;
        // What forbids an action is among its guards.
        let forbidden = !matches!(e, Target::Action(_)) && self.forbidden(e, &args)?.is_some();
        let out = if forbidden { Ok(self.nothing(e)) } else { self.replace(e, args, None) };
        self.nested -= 1;
        out
    }

    /// The newest replacement in force that is older than the last one goes on with its block; if there is none, the event happens.
    fn replace(&mut self, e: Target, args: Vec<Datum>, last: Option<Age>) -> Result {
        let mut all = self.applying(e, &args, |k| matches!(k, AttachKind::Instead(_)))?;
        all.retain(|x| last.is_none_or(|age| x.age < age));
        all.sort_by_key(|x| std::cmp::Reverse(x.age));
        for x in all {
            let AttachKind::Instead(block) = &x.a.what else { continue };
            let replaced = Some((e, args.clone(), x.age));
            if let Some(given) = self.run(e, x, block, replaced)? {
                return Ok(given);
            }
        }
        self.with_before_and_after(e, args)
    }

    /// Runs an attachment's block, unless `once` or `may` forbids it. Returns what the block gives.
    fn run(&mut self, e: Target, mut x: InForce<'a>, block: &[Stmt], of: Replaced) -> Result<Option<Datum>> {
        self.as_player(self.me.clone(), |s| {
            let done = s.limits(&mut x)?;
            let given = done.then(|| s.giving(e, of, |s| until_rule_ends(s.block(block, &mut x.names))));
            given.transpose()
        })
    }

    fn giving(&mut self, e: Target, of: Replaced, does: impl FnOnce(&mut Self) -> Result<()>) -> Result {
        let nothing = self.nothing(e);
        let outer = (std::mem::replace(&mut self.given, nothing), std::mem::replace(&mut self.replaced, of));
        let done = does(self);
        let given = std::mem::replace(&mut self.given, outer.0);
        self.replaced = outer.1;
        done.map(|()| given)
    }

    /// `proceed`: the replaced event goes on, with other arguments where they are named.
    pub(super) fn proceed(&mut self, changes: &[(usize, Expr)], f: &mut Frame) -> Result<()> {
        let (e, mut args, age) = known(self.replaced.clone(), "`proceed` here")?;
        for (i, x) in changes {
            args[*i] = self.eval(x, f)?;
        }
        self.given = self.replace(e, args, Some(age))?;
        Ok(())
    }

    /// The slot in which stands whether what is `once` and declared there has been used by or with a thing.
    fn used_slot(&self, declared: Span, by: Datum) -> Result<(usize, Datum)> {
        let slot = self.n.used.get(&declared).copied();
        known(slot, "what is limited and never asked for").map(|slot| (slot, by))
    }

    /// Whether it has been.
    pub fn is_used(&self, declared: Span, by: &Datum) -> Result<bool> {
        Ok(self.w.attrs.get(&self.used_slot(declared, by.clone())?) == Some(&Datum::Bool(true)))
    }

    /// `once` and `may`: whether it is done. In a layer whoever made it acts.
    fn limits(&mut self, x: &mut InForce<'a>) -> Result<bool> {
        let (a, f, layer) = (x.a, &mut x.names, self.n.layer_of(x.a));
        if let Some(maker) = a.maker.filter(|_| layer.is_some()) {
            self.me = f.get(maker)?;
        }
        let once = a.once.is_some();
        let thing = a.this.map_or(Ok(Datum::None), |l| f.get(l))?;
        if once && layer.is_none() && self.is_used(a.span, &thing)? {
            return Ok(false);
        }
        if let Some((by, _)) = &a.may {
            let owner = a.owner.map(|l| f.get(l)).transpose()?.filter(|o| *o != Datum::None);
            let who = self.maybe(by.as_ref(), f)?.or(owner).unwrap_or_else(|| self.me.clone());
            if !self.is_asked(&who)? || self.ask_thing()? != Datum::Bool(true) {
                return Ok(false);
            }
        }
        if let Some(what) = layer.filter(|_| once) {
            let is = |change: &LayerChange| matches!(change, LayerChange::Attached(w, _) if *w == what);
            self.w.layers.retain(|l| l.since != x.age.0 || !is(&l.change));
        } else if once {
            self.put(self.used_slot(a.span, thing)?, Datum::Bool(true));
        }
        Ok(true)
    }

    /// What comes before and after is judged on entering. What names its own component also counts after if the component has come only now.
    fn with_before_and_after(&mut self, e: Target, args: Vec<Datum>) -> Result {
        let stands: Does = |k| matches!(k, AttachKind::Before(_) | AttachKind::After(_));
        let mut judged = self.applying(e, &args, stands)?;
        let there: Vec<_> = self.in_force(e, stands)?.iter().map(|x| (x.order, x.age.2)).collect();
        self.run_judged(e, &judged, true)?;
        let given = self.body(e, &args)?;
        for x in self.applying(e, &args, |k| matches!(k, AttachKind::After(_)))? {
            let is_this = |y: &Expr| x.a.this.is_some_and(|l| is_name(y, l));
            let names_this =
                walk::pattern_conditions(x.head).into_iter().any(|t| walk::any_expr(t, &mut |y| is_this(y)));
            if names_this && x.a.carrier.is_some() && !there.contains(&(x.order, x.age.2)) {
                judged.push(x);
            }
        }
        self.run_judged(e, &judged, false)?;
        Ok(given)
    }

    /// In the order of loading; of one scope first what nobody carries, then seat by seat from whoever acts, what nobody holds last; layers last of all.
    fn run_judged(&mut self, e: Target, judged: &[InForce<'a>], before: bool) -> Result<()> {
        let (n, me) = (self.n.all(0).len() as u32, self.me.number().unwrap_or(0));
        let mut all = Vec::new();
        for x in judged {
            let carried = x.a.carrier.is_some() && self.n.layer_of(x.a).is_none();
            let of_player = matches!(&x.a.carrier, Some(Carrier::Kind(builtin_kinds::PLAYER)));
            let owner = x.a.owner.or(x.a.this.filter(|_| of_player));
            let owner = owner.map_or(Ok(Datum::None), |l| x.names.get(l))?;
            let seat = owner.number().map_or(i64::from(n), |p| i64::from((p + n - me % n) % n));
            let by = if carried { (seat, x.order as i64) } else { (x.order as i64, x.age.0) };
            all.push(((self.n.rank_of_scope(x.a), carried, by), x.clone()));
        }
        all.sort_by_key(|(rank, _)| *rank);
        for (_, x) in all {
            match (&x.a.what, before) {
                (AttachKind::Before(b), true) | (AttachKind::After(b), false) => self.run(e, x, b, None)?,
                _ => None,
            };
        }
        Ok(())
    }

    fn body(&mut self, e: Target, args: &[Datum]) -> Result {
        self.giving(e, None, |s| match (e, args) {
            (Target::Setup, _) => {
                let mut all = s.m.setups.iter().filter(|(scope, _)| s.n.set.has(*scope));
                all.try_for_each(|(_, b)| s.block(&b.body, &mut Frame::default()))
            }
            (Target::Rule(r), _) => s.rule(r, args),
            (Target::Action(a), _) => s.action(a, args),
            (Target::Effect(EffectWord::Discard), [c]) => s.discard(c),
            (Target::Effect(EffectWord::Roll), [c]) => {
                let sides = s.face_of(c)?.sides.len() as u64;
                let side = s.draw(&s.me.clone(), sides) as u32;
                s.turn(c, side)
            }
            (Target::Effect(EffectWord::Shuffle), [Datum::Place(p)]) => s.shuffle(*p),
            _ => unsupported("that this happens"),
        })
    }

    fn rule(&mut self, r: RuleId, args: &[Datum]) -> Result<()> {
        let rule = &self.m.rules[r.index()];
        let block = self.block_of(r, args)?;
        let me = args.get(rule.me.index()).unwrap_or(&self.me).clone();
        let mut f = Frame::of(args);
        f.bind(rule.me, me.clone());
        let phase = self.n.phases[&r];
        if rule.phase {
            self.w.phases.push(r);
            let its = |per| matches!(per, Per::Phase(p) if i32::from(p.0) == phase);
            self.renew(|per| per == Per::AnyPhase || its(per), None);
            self.watch()?;
        }
        until_rule_ends(self.as_player(me, |s| s.block(block, &mut f)))?;
        if rule.phase {
            self.notice()?;
            self.w.phases.pop();
            let ends = |scope| matches!(scope, LeaseScope::Phase | LeaseScope::PhaseNamed);
            self.end_layers(|(scope, arg)| ends(scope) && arg == phase)?;
            self.watch()?;
        }
        Ok(())
    }

    /// What an action does: it counts as used, then its names, then its block. Its guards have been asked before.
    fn action(&mut self, id: ActionId, args: &[Datum]) -> Result<()> {
        let a = &self.m.actions[id.index()];
        let (given, own) = args.split_at(args.len() - a.params.len());
        let mut f = Frame::acting(&self.me, given, &a.params, own);
        if a.once.is_some() {
            let by = if a.carrier.is_some() { own[0].clone() } else { self.me.clone() };
            self.put(self.used_slot(a.span, by)?, Datum::Bool(true));
        }
        for h in &a.head {
            if let HeadStep::Let(l, e) = h {
                self.bind_let(*l, e, &mut f)?;
            }
        }
        until_rule_ends(self.block(&a.body, &mut f))
    }

    /// A thing goes to where the kind of its face discards; where that asks for an owner and there is none, it stays.
    fn discard(&mut self, c: &Datum) -> Result<()> {
        let kind = self.face_of(c)?.kind;
        let declared =
            |k: &KindId| self.m.kinds[k.index()].discards.iter().rev().find(|(s, _)| self.n.set.has(*s));
        let Some((_, to)) = types::line_of(self.m, kind).iter().find_map(declared) else {
            return self.shift(c, &self.n.boxed(kind)?);
        };
        let owner = self.owner_of(c)?;
        if owner == Datum::None && walk::any_expr(&to.body, &mut |e| is_name(e, LocalId(1))) {
            return Ok(());
        }
        let place = self.place(&to.body, Some(kind), &mut Frame::of(&[c.clone(), owner]));
        self.shift(c, &or_left_out(place, Datum::None)?)
    }
}
