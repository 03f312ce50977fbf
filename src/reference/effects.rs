//! Statements: what they change (statements.md), what stands round rules and actions (attachments.md), what seats learn (secrets.md), chance (chance.md).
//!
//! An effect is done up to its first question or its end. A statement that needs a thing and finds none is left out, and play goes on behind it.
use super::expr::{Evaluator, Frame};
use super::numbers::Numbers;
use super::value::{Datum, Failure, Stop, number};
use super::world::{Change, Layer, World};
use crate::engine::{below, mix};
use crate::model::body::{types, walk};
use crate::model::hir::{self, *};
use crate::program::ir::{self, LeaseScope, Per};

/// Why an effect goes no further.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    /// The rules fail, or the reference does not cover something.
    Stop(Stop),
    /// Somebody is asked.
    Asked,
    /// The game is over.
    Over,
}

impl From<Stop> for Halt {
    fn from(s: Stop) -> Halt {
        Halt::Stop(s)
    }
}

/// The result of a part of an effect.
pub type Done<T = ()> = Result<T, Halt>;

pub(super) fn unsupported<T>(what: impl Into<String>) -> Done<T> {
    Err(Halt::Stop(Stop::Unsupported(what.into())))
}

pub(super) fn fails<T>(f: Failure) -> Done<T> {
    Err(Halt::Stop(Stop::Fails(f)))
}

/// How a block has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// At its end.
    On,
    /// By `stop`, `give` or a `needs` that does not hold: the rule ends.
    Out,
}

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
}

/// Names that no body has, for what acts within an expression have given.
const GIVEN: u32 = 40_000;

/// What is replaced by an `instead of` that runs: what happens, to what, and how old the replacement is.
pub(super) type Replaced = (Event, Vec<Datum>, (i64, usize, u32));

/// Does effects in a state of its own.
pub struct Actor<'a> {
    /// The numbers of the set-up.
    pub n: &'a Numbers<'a>,
    /// The state.
    pub w: World,
    /// Who acts; none where nobody does.
    pub(super) me: Datum,
    /// Open layers: what is changed ends with the innermost one's scope.
    pub(super) open: Vec<(LeaseScope, i32)>,
    /// What the rule that runs gives.
    pub(super) given: Datum,
    /// What the `instead of` that runs replaces.
    pub(super) replaced: Option<Replaced>,
    /// How many names have been given to what acted within expressions.
    names: u32,
    /// Statements done.
    steps: u32,
    /// How deep what happens stands within what happens.
    pub(super) depth: u32,
}

impl<'a> Actor<'a> {
    /// For a state.
    pub fn new(n: &'a Numbers<'a>, w: World) -> Actor<'a> {
        let (me, given) = (Datum::None, Datum::None);
        Actor { n, w, me, open: Vec::new(), given, replaced: None, names: 0, steps: 0, depth: 0 }
    }

    pub(super) fn m(&self) -> &'a Model {
        self.n.m
    }

    pub(super) fn look(&self) -> Evaluator<'_> {
        Evaluator::new(self.n, &self.w)
    }

    /// A rule or an action is done by somebody.
    ///
    /// # Errors
    /// Where it goes no further.
    pub fn act(&mut self, e: Event, me: Datum, args: Vec<Datum>) -> Done<Datum> {
        self.me = me;
        self.happen(e, args)
    }

    /// Statements on nobody's behalf.
    ///
    /// # Errors
    /// Where they go no further.
    pub fn run(&mut self, b: &[Stmt], f: &mut Frame) -> Done {
        self.block(b, f).map(|_| ())
    }

    // ── Expressions that act ─────────────────────────────────────────────────────────────────────────────

    pub(super) fn eval(&mut self, e: &Expr, f: &mut Frame) -> Done<Datum> {
        let e = self.settle(e, f)?;
        Ok(self.look().eval(&e, f)?)
    }

    pub(super) fn truth(&mut self, e: &Expr, f: &mut Frame) -> Done<bool> {
        Ok(self.eval(e, f)?.truth()?)
    }

    pub(super) fn many(&mut self, e: &Expr, f: &mut Frame) -> Done<Vec<Datum>> {
        let d = self.eval(e, f)?;
        Ok(self.look().in_order(&d)?)
    }

    /// An expression in which whatever acts has acted, from left to right: names stand for what that gave.
    pub(super) fn settle(&mut self, e: &Expr, f: &mut Frame) -> Done<Expr> {
        use ExprKind as K;
        let acts =
            |e: &Expr| walk::any(e, &mut |x| matches!(&*x.kind, K::Choose(_) | K::Roll(_) | K::Rule(..)));
        if !acts(e) {
            return Ok(e.clone());
        }
        let value = match &*e.kind {
            K::Choose(c) => self.choose(c, e, f)?,
            K::Roll(k) => self.roll_number(*k)?,
            K::Rule(r, by, args) => self.call(*r, by.as_ref(), args, f)?,
            K::If(c, a, b) => {
                let chosen = if self.truth(c, f)? { a } else { b };
                return self.settle(chosen, f);
            }
            K::Default(a, b) => {
                let first = match self.eval(a, f) {
                    // The first may end early inside; then the second counts.
                    Err(Halt::Stop(Stop::Fails(Failure::NoneValue))) => Datum::None,
                    r => r?,
                };
                if first == Datum::None {
                    return self.settle(b, f);
                }
                first
            }
            K::Let(l, x, body) => {
                let x = self.eval(x, f)?;
                f.bind(*l, x);
                return self.settle(body, f);
            }
            kind => {
                let mut part = |x: &Expr| -> Done<Expr> {
                    // What stands before an act is worked out before it.
                    let d = self.eval(x, f)?;
                    Ok(self.name(d, x, f))
                };
                let kind = match kind {
                    K::Attr(x, a) => K::Attr(part(x)?, *a),
                    K::Not(x) => K::Not(part(x)?),
                    K::Neg(x) => K::Neg(part(x)?),
                    K::IsSome(x) => K::IsSome(part(x)?),
                    K::IsEmpty(x) => K::IsEmpty(part(x)?),
                    K::Compare(op, a, b) => K::Compare(*op, part(a)?, part(b)?),
                    K::Arith(op, a, b) => K::Arith(*op, part(a)?, part(b)?),
                    K::Union(a, b) => K::Union(part(a)?, part(b)?),
                    K::Without(a, b) => K::Without(part(a)?, part(b)?),
                    K::In(a, b) => K::In(part(a)?, part(b)?),
                    K::Value(v, args) => K::Value(*v, args.iter().map(part).collect::<Done<_>>()?),
                    K::Builtin(b, args) => K::Builtin(*b, args.iter().map(part).collect::<Done<_>>()?),
                    K::Set(all) => K::Set(all.iter().map(part).collect::<Done<_>>()?),
                    K::List(all) => K::List(all.iter().map(part).collect::<Done<_>>()?),
                    _ => return unsupported("an act within such an expression"),
                };
                return Ok(Expr { ty: e.ty.clone(), span: e.span, kind: Box::new(kind) });
            }
        };
        Ok(self.name(value, e, f))
    }

    pub(super) fn name(&mut self, d: Datum, e: &Expr, f: &mut Frame) -> Expr {
        self.names = (self.names + 1) % 10_000;
        let l = LocalId(GIVEN + self.names);
        f.bind(l, d);
        Expr { ty: e.ty.clone(), span: e.span, kind: Box::new(ExprKind::Local(l)) }
    }

    // ── Chance ───────────────────────────────────────────────────────────────────────────────────────────

    /// One of so many numbers, by the stream of whoever draws.
    pub(super) fn draw(&mut self, who: &Datum, n: u64) -> u64 {
        let stream = who.number().map_or(0, |p| p as usize + 1);
        let (seed, count) = (self.w.seed, &mut self.w.drawn[stream]);
        below(n, || {
            *count += 1;
            mix(seed, stream as u64, *count - 1)
        })
    }

    pub(super) fn roll_number(&mut self, k: KindId) -> Done<Datum> {
        let kinds = types::line_of(self.m(), k);
        let sides = kinds.iter().map(|k| &self.m().kinds[k.index()].sides).find(|s| !s.is_empty());
        let Some(sides) = sides else { return unsupported("a roll of a die without sides") };
        let me = self.me.clone();
        let side = self.draw(&me, sides.len() as u64) as usize;
        Ok(Datum::Int(i64::from(sides[side].value)))
    }

    pub(super) fn choose(&mut self, c: &Choose, e: &Expr, f: &mut Frame) -> Done<Datum> {
        self.notice()?;
        if matches!(&*c.from.kind, ExprKind::Builtin(Builtin::Paths, _)) {
            return unsupported("ways");
        }
        let from = Datum::set(self.many(&c.from, f)?).items();
        let one = matches!(c.many, Many::One);
        let mut bound = |b: &Option<Expr>, usual: usize| -> Done<i64> {
            match b {
                Some(b) => Ok(self.eval(b, f)?.int()?),
                None => Ok(usual as i64),
            }
        };
        let (min, max) = match &c.many {
            Many::One => (1, 1),
            Many::Subset { min, max } => (bound(min, 0)?, bound(max, from.len())?),
        };
        let Chooser::Player(p) = &c.by else {
            let me = self.me.clone();
            let (mut left, mut out) = (from, Vec::new());
            let want = if one { 1 } else { min.max(0) as usize };
            while out.len() < want && !left.is_empty() {
                let k = self.draw(&me, left.len() as u64) as usize;
                out.push(left.remove(k));
            }
            return Ok(if one { out.pop().unwrap_or(Datum::None) } else { Datum::set(out) });
        };
        let who = self.eval(p, f)?;
        if who == Datum::None {
            return fails(Failure::NoneValue);
        }
        let mut from = from;
        if one {
            let mut kept: Vec<Datum> = Vec::new();
            for x in from {
                let mut same = false;
                for y in &kept {
                    same = same || self.look().are_alike(&x, y, &self.me)?;
                }
                if !same {
                    kept.push(x);
                }
            }
            from = kept;
        }
        let mut answered = false;
        for p in who.items() {
            answered = answered || self.is_asked(&p)?;
        }
        // Silence may tell a secret: then there is a question even for one thing, or for none.
        let slot = self.n.p.asks.iter().find(|a| a.span == e.span);
        let (always, even_none) = slot.map_or((false, false), |a| (a.always, a.even_none));
        let nothing = if one { Datum::None } else { Datum::Set(Vec::new()) };
        match from.len() {
            0 if !even_none => Ok(nothing),
            _ if !answered => Ok(nothing),
            1 if one && !always => Ok(from.remove(0)),
            n if !one && max <= 0 && n > 0 => Ok(nothing),
            n if !one && min >= n as i64 && !always => Ok(Datum::set(from)),
            _ => self.ask(),
        }
    }

    pub(super) fn is_answered(&self, p: &Datum) -> bool {
        p.number().is_ok_and(|p| self.n.set.answered.get(p as usize).is_some_and(|s| *s != 0))
    }

    /// Whether a player is out, and so asked nothing and left out by `everyone`: by what the rules say, or, where each wins or loses alone, because that is decided.
    pub(super) fn is_out(&self, p: &Datum) -> Done<bool> {
        if matches!(self.m().outcome, Outcome::Each) && self.w.verdicts[p.number()? as usize].is_some() {
            return Ok(true);
        }
        let said = &self.m().kinds[builtin_kinds::PLAYER.index()].out_when;
        for (_, body) in said.iter().filter(|(s, _)| self.n.set.has(*s)) {
            if self.look().truth(&body.body, &mut Frame::of(vec![p.clone()]))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a player is there to be asked.
    pub(super) fn is_asked(&self, p: &Datum) -> Done<bool> {
        Ok(self.is_answered(p) && !self.is_out(p)?)
    }

    /// The players of a set or list who are not out.
    pub(super) fn playing(&mut self, who: &Expr, f: &mut Frame) -> Done<Vec<Datum>> {
        let mut out = Vec::new();
        for p in self.many(who, f)? {
            if !self.is_out(&p)? {
                out.push(p);
            }
        }
        Ok(out)
    }

    // ── Statements ───────────────────────────────────────────────────────────────────────────────────────

    pub(super) fn block(&mut self, b: &[Stmt], f: &mut Frame) -> Done<Flow> {
        for s in b {
            self.steps += 1;
            if self.steps > 20_000 {
                return unsupported("so long an effect");
            }
            let flow = match self.statement(s, f) {
                // What a statement needs and does not find ends it.
                Err(Halt::Stop(Stop::Fails(Failure::NoneValue))) => {
                    if let StmtKind::Let(l, e) = &s.kind {
                        let set = matches!(e.ty, Ty::Set(_) | Ty::List(_));
                        f.bind(*l, if set { Datum::Set(Vec::new()) } else { Datum::None });
                    }
                    Flow::On
                }
                r => r?,
            };
            if flow == Flow::Out {
                return Ok(Flow::Out);
            }
        }
        Ok(Flow::On)
    }

    #[allow(clippy::too_many_lines)] // One arm a statement.
    pub(super) fn statement(&mut self, s: &Stmt, f: &mut Frame) -> Done<Flow> {
        match &s.kind {
            StmtKind::Let(l, e) => {
                let d = self.eval(e, f)?;
                f.bind(*l, d);
            }
            StmtKind::Assign(lhs, change, e) => self.assign(lhs, *change, e, f)?,
            StmtKind::If(c, a, b) => {
                let b = if self.truth(c, f)? { a } else { b };
                return self.block(b, f);
            }
            StmtKind::For(l, over, body) => {
                for x in self.many(over, f)? {
                    f.bind(*l, x);
                    if self.block(body, f)? == Flow::Out {
                        return Ok(Flow::Out);
                    }
                }
            }
            StmtKind::Repeat(n, body) => {
                for _ in 0..self.eval(n, f)?.int()? {
                    if self.block(body, f)? == Flow::Out {
                        return Ok(Flow::Out);
                    }
                }
            }
            StmtKind::RepeatUntil(c, body) => {
                while !self.truth(c, f)? {
                    self.steps += 1;
                    if self.block(body, f)? == Flow::Out {
                        return Ok(Flow::Out);
                    }
                }
            }
            StmtKind::Needs(g) => {
                if !self.truth(&g.cond, f)? {
                    return Ok(Flow::Out);
                }
            }
            StmtKind::Everyone(e) => return self.everyone(e, s, f),
            StmtKind::Offer(who, menus) => self.offer(who, menus, s, f)?,
            StmtKind::As(me, who, body) => {
                let who = self.eval(who, f)?;
                who.thing()?;
                return self.acting(*me, who, body, f);
            }
            StmtKind::May(m) => {
                let who = match &m.by {
                    Some(e) => self.eval(e, f)?,
                    None => self.me.clone(),
                };
                who.thing()?;
                if self.is_asked(&who)? {
                    return self.ask();
                }
            }
            StmtKind::Move(m) => self.move_(m, f)?,
            StmtKind::Swap(a, b) => self.swap(a, b, f)?,
            StmtKind::Discard(x) => {
                for c in self.eval_things(x, f)? {
                    self.happen(Event::Discard, vec![c])?;
                }
            }
            StmtKind::Shuffle(zones) => {
                for z in zones {
                    let place = self.place(z, None, f)?;
                    if place != Datum::None {
                        self.happen(Event::Shuffle, vec![place])?;
                    }
                }
            }
            // Dice are rolled, and things turned over, as things of a set.
            StmtKind::Roll(x) => {
                let all = self.eval(x, f)?.to_set();
                for c in self.look().in_order(&all)? {
                    self.happen(Event::Roll, vec![c])?;
                }
            }
            StmtKind::Flip(x, up) => {
                let all = self.eval(x, f)?.to_set();
                for c in self.look().in_order(&all)? {
                    let (k, c) = self.component(&c)?;
                    let piece = &mut self.w.pieces[k][c as usize];
                    piece.up = up.unwrap_or(!piece.up);
                    if piece.up {
                        let place = piece.place;
                        let seers = self.seers(place, (k, c))?;
                        self.know(seers, k, c, true);
                    }
                }
            }
            StmtKind::Show(x, to) => {
                let all = self.eval(x, f)?;
                let to = match to {
                    Some(t) => Some(self.eval(t, f)?),
                    None => None,
                };
                if all == Datum::None || to == Some(Datum::None) {
                    return fails(Failure::NoneValue);
                }
                let to = to.map_or_else(|| self.n.all(0), |t| t.items());
                let seats = to.iter().fold(0, |m, p| m | self.seats_of(p));
                for c in all.items() {
                    let (k, c) = self.component(&c)?;
                    self.know(seats, k, c, true);
                }
            }
            StmtKind::Becomes(x, face) => {
                let (c, face) = (self.eval(x, f)?, self.eval(face, f)?);
                let (k, c) = self.component(&c)?;
                self.w.pieces[k][c as usize].face = face.number()?;
                self.begin_attributes(k, c)?;
            }
            StmtKind::Until(until, body) => {
                let until = self.until(until, f)?;
                self.open.push(until);
                let flow = self.block(body, f);
                self.open.pop();
                return flow;
            }
            StmtKind::Attach(a) => {
                let Some(what) = self.n.layer_of(a) else {
                    return unsupported("a layer that is not known");
                };
                let mut names = Vec::new();
                for (l, _) in &self.n.layered[what].1 {
                    names.push((*l, f.get(*l)?));
                }
                let until = self.open.last().copied().unwrap_or((LeaseScope::Game, 0));
                self.add_layer(until, Change::Attached(what, names));
            }
            StmtKind::Give(e) => {
                self.given = self.eval(e, f)?;
                return Ok(Flow::Out);
            }
            StmtKind::Stop => return Ok(Flow::Out),
            StmtKind::Proceed(changes) => {
                let Some((e, mut args, age)) = self.replaced.clone() else {
                    return unsupported("`proceed` here");
                };
                for (i, x) in changes {
                    args[*i] = self.eval(x, f)?;
                }
                let kept = self.replaced.take();
                let me = self.me.clone();
                let given = self.replace(e, args, Some(age))?;
                self.me = me;
                self.replaced = kept;
                self.given = given;
            }
            StmtKind::Say(_) => {}
            StmtKind::Verdict(v, who, _) => self.verdict(*v, who.as_ref(), f)?,
            StmtKind::Call(r, by, args) => {
                self.call(*r, by.as_ref(), args, f)?;
            }
            StmtKind::MustLeave(_) | StmtKind::Build(_) | StmtKind::CallHook(..) => {
                return unsupported("this statement");
            }
        }
        Ok(Flow::On)
    }

    /// A block in which another player acts.
    pub(super) fn acting(&mut self, me: LocalId, who: Datum, body: &[Stmt], f: &mut Frame) -> Done<Flow> {
        let outer = std::mem::replace(&mut self.me, who.clone());
        f.bind(me, who);
        let flow = self.block(body, f);
        self.me = outer;
        flow
    }

    /// One thing, which must be there, or several.
    pub(super) fn eval_things(&mut self, x: &Expr, f: &mut Frame) -> Done<Vec<Datum>> {
        let d = self.eval(x, f)?;
        if d == Datum::None {
            return fails(Failure::NoneValue);
        }
        Ok(self.look().in_order(&d)?)
    }

    pub(super) fn component(&self, c: &Datum) -> Done<(usize, u32)> {
        let (u, c) = c.thing()?;
        match self.n.families.iter().position(|f| f.universe == u) {
            Some(k) => Ok((k, c)),
            None => unsupported("what is no component"),
        }
    }

    // ── Changes ──────────────────────────────────────────────────────────────────────────────────────────

    pub(super) fn assign(&mut self, lhs: &Lhs, change: hir::Change, e: &Expr, f: &mut Frame) -> Done {
        match lhs {
            Lhs::Local(l) => {
                let new = self.eval(e, f)?;
                let old = f.get(*l).unwrap_or(Datum::None);
                let new = match (change, matches!(e.ty, Ty::Set(_) | Ty::List(_))) {
                    (hir::Change::Set, _) => new,
                    (hir::Change::Add, true) => old.with(&new),
                    (_, true) => old.without(&new),
                    _ => changed(change, &old, &new)?,
                };
                f.bind(*l, new);
            }
            Lhs::Attr(x, a) => {
                let thing = self.eval(x, f)?.number()?;
                let new = self.eval(e, f)?;
                self.write(*a, thing, change, new)?;
            }
            Lhs::TableAttr(a) => {
                let new = self.eval(e, f)?;
                self.write(*a, 0, change, new)?;
            }
            Lhs::DieValue(x) => {
                let c = self.eval(x, f)?;
                let old = Datum::Int(i64::from(self.look().side_of(&c)?.value));
                let new = self.eval(e, f)?;
                let value = changed(change, &old, &new)?.int()?;
                let is = |s: &Side| i64::from(s.value) == value;
                let side = self.look().face_of(&c)?.1.sides.iter().position(is);
                let Some(side) = side else { return fails(Failure::NoSuchThing) };
                let (k, c) = self.component(&c)?;
                self.turn(k, c, side as u32)?;
            }
        }
        self.watch()
    }

    /// A changed attribute stays in its range: a number that is clamped at its end, any other fails. Nothing that may not be none becomes it.
    pub(super) fn write(&mut self, a: AttrId, thing: u32, change: hir::Change, new: Datum) -> Done {
        let attr = &self.m().attrs[a.index()];
        let Some(old) = self.w.attrs.get(&(a, thing)).cloned() else { return fails(Failure::NoSuchThing) };
        let new = changed(change, &old, &new)?;
        let stands = types::standing(self.m()) == Some(a);
        if new == Datum::None && !types::is_maybe(&attr.ty) && !stands {
            return fails(Failure::NoneValue);
        }
        let new = match (&new, types::plain(&attr.ty)) {
            (Datum::Int(n), Ty::Int(lo, hi)) if !(i64::from(lo)..=i64::from(hi)).contains(n) => {
                if !attr.clamped {
                    return fails(Failure::OutOfRange);
                }
                Datum::Int((*n).clamp(i64::from(lo), i64::from(hi)))
            }
            _ => new,
        };
        self.put(a, thing, new);
        Ok(())
    }

    /// In an open layer it is remembered what was there; else layers that lie on it are swept away.
    pub(super) fn put(&mut self, a: AttrId, thing: u32, new: Datum) {
        let old = self.w.attrs.insert((a, thing), new.clone()).unwrap_or(Datum::None);
        match self.open.last().copied() {
            Some(until) => self.add_layer(until, Change::Put(a, thing, old, new)),
            None => self.sweep(a, thing),
        }
    }

    pub(super) fn sweep(&mut self, a: AttrId, thing: u32) {
        self.w.layers.retain(|l| !matches!(&l.change, Change::Put(x, t, ..) if *x == a && *t == thing));
    }

    pub(super) fn add_layer(&mut self, until: (LeaseScope, i32), change: Change) {
        self.w.layers.push(Layer { since: self.w.clock, until, change });
        self.w.clock += 1;
    }

    /// When a layer that is opened now ends.
    pub(super) fn until(&mut self, until: &Until, f: &mut Frame) -> Done<(LeaseScope, i32)> {
        let phase = |s: &Self, r: &RuleId| {
            let phases = (0..s.m().rules.len())
                .filter(|i| s.m().rules[*i].phase && s.n.set.has(s.m().rules[*i].scope));
            phases.into_iter().position(|i| i == r.index()).map_or(-1, |i| i as i32)
        };
        let none = ir::NONE as i32;
        Ok(match until {
            Until::EndOfTurn => (LeaseScope::Turn, self.w.turn.map_or(none, |p| p as i32)),
            Until::EndOfRound => (LeaseScope::Round, self.w.round as i32),
            Until::EndOfNextRound => (LeaseScope::NextRound, self.w.round as i32 + 1),
            Until::EndOfPhase => (LeaseScope::Phase, self.w.phases.last().map_or(-1, |r| phase(self, r))),
            Until::EndOf(r) => (LeaseScope::PhaseNamed, phase(self, r)),
            Until::EndOfGame => (LeaseScope::Game, 0),
            Until::StartOfTurn(p) => (LeaseScope::StartOfTurn, self.eval(p, f)?.number()? as i32),
        })
    }

    /// Takes out every layer whose scope has ended, youngest first. A younger layer on the same thing inherits what would have been put back; what does not hold any more what the layer
    /// put there is left alone.
    pub(super) fn end_layers(&mut self, ended: impl Fn((LeaseScope, i32)) -> bool) -> Done {
        for i in (0..self.w.layers.len()).rev() {
            if !ended(self.w.layers[i].until) {
                continue;
            }
            let gone = self.w.layers.remove(i);
            let above = self.w.layers.iter_mut().skip(i);
            match gone.change {
                Change::Put(a, thing, before, now) => {
                    let mut younger = above.filter_map(|l| match &mut l.change {
                        Change::Put(x, t, old, _) if *x == a && *t == thing => Some(old),
                        _ => None,
                    });
                    match younger.next() {
                        Some(slot) => *slot = before,
                        None if self.w.attrs.get(&(a, thing)) == Some(&now) => {
                            self.w.attrs.insert((a, thing), before);
                        }
                        None => {}
                    }
                }
                Change::Moved(k, c, from, to) => {
                    let mut younger = above.filter_map(|l| match &mut l.change {
                        Change::Moved(x, y, old, _) if (*x, *y) == (k, c) => Some(old),
                        _ => None,
                    });
                    match younger.next() {
                        Some(slot) => *slot = from,
                        None if self.w.pieces[k][c as usize].place == to => {
                            let sources = self.seers(to, (k, c))?;
                            self.relocate(k, c, from, false)?;
                            let seers = self.seers(from, (k, c))?;
                            self.after_move(k, c, (to, from), seers, sources);
                        }
                        None => {}
                    }
                }
                Change::Attached(..) => {}
            }
        }
        Ok(())
    }

    /// Attributes go back to their first value, and what is limited is renewed: of one player where it is the player's.
    pub(super) fn renew(&mut self, which: impl Fn(Per) -> bool, who: Option<u32>) -> Done {
        let slots = self.n.p.attrs.iter().enumerate();
        for (i, slot) in slots.filter(|(_, s)| s.per.is_some_and(&which)) {
            let players = slot.of == Some(self.n.p.player_universe);
            let id = self.n.attrs.iter().find(|(_, s)| **s == i).map(|(id, _)| *id);
            for thing in 0..slot.of.map_or(1, |u| self.n.count(u.0)) {
                if players && who.is_some_and(|p| p != thing) {
                    continue;
                }
                match id {
                    Some(a) => {
                        let first = slot.initial.get(thing as usize).or(slot.initial.first()).copied();
                        let first = self.n.decode(&[i64::from(first.unwrap_or(0)) as u64], slot.show)?;
                        self.sweep(a, thing);
                        self.w.attrs.insert((a, thing), first);
                    }
                    None => {
                        let span = self.n.p.decls[slot.decl.index()].span;
                        self.w.used.remove(&(u32::from(span.file.0), span.start, thing));
                    }
                }
            }
        }
        Ok(())
    }

    /// A component that has become another has what its new kind has: what that begins with, unless it had it before.
    pub(super) fn begin_attributes(&mut self, k: usize, c: u32) -> Done {
        let family = &self.n.families[k];
        let face = &family.faces[self.w.pieces[k][c as usize].face as usize];
        let Some(member) = face.member.map(|m| &self.m().members[m.index()]) else { return Ok(()) };
        for (a, body) in &member.sets {
            let attr = &self.m().attrs[a.index()];
            let unset = self.w.attrs.get(&(*a, c)) == Some(&Datum::None);
            if unset && attr.default.is_none() && !types::is_maybe(&attr.ty) {
                let key = Datum::Int(i64::from(face.key));
                let first = self.look().eval(&body.body, &mut Frame::of(vec![key]))?;
                self.put(*a, c, first);
            }
        }
        Ok(())
    }

    // ── Ends ─────────────────────────────────────────────────────────────────────────────────────────────

    pub(super) fn verdict(&mut self, v: Verdict, who: Option<&Expr>, f: &mut Frame) -> Done {
        let each = matches!(self.m().outcome, Outcome::Each);
        let mut whom = match who {
            None => None,
            Some(x) => Some(self.eval_things(x, f)?),
        };
        if matches!(self.m().outcome, Outcome::Together) {
            // All win or all lose, whoever is named.
            whom = None;
        }
        let other = match v {
            Verdict::Win => Verdict::Lose,
            Verdict::Lose => Verdict::Win,
            Verdict::Tie => Verdict::Tie,
        };
        for (i, slot) in self.w.verdicts.iter_mut().enumerate() {
            let is = whom.as_ref().is_none_or(|w| w.contains(&Datum::Thing(0, i as u32)));
            if slot.is_none() && (is || !each) {
                *slot = Some(if is { v } else { other });
            }
        }
        let answered = self.n.set.answered.iter();
        let decided = self.w.verdicts.iter().zip(answered).all(|(v, seats)| v.is_some() || *seats == 0);
        if !each || whom.is_none() || decided {
            self.w.over = true;
            return Err(Halt::Over);
        }
        Ok(())
    }

    /// The ends that are watched always, as soon as all players stand who always do.
    pub(super) fn watch(&mut self) -> Done {
        let m = self.m();
        if let Some(a) = types::standing(m).map(|a| (a, &m.attrs[a.index()]))
            && !types::is_maybe(&a.1.ty)
            && a.1.default.is_none()
        {
            let nowhere = |p: &Datum| {
                self.is_answered(p)
                    && p.number().is_ok_and(|n| self.w.attrs.get(&(a.0, n)) == Some(&Datum::None))
            };
            if self.n.all(0).iter().any(nowhere) {
                return Ok(());
            }
        }
        for (scope, e) in m.endings.iter().filter(|(s, _)| self.n.set.has(*s)) {
            let _ = scope;
            let mut f = Frame::default();
            let holds = match self.truth(&e.body.when, &mut f) {
                Err(Halt::Stop(Stop::Fails(Failure::NoneValue))) => false,
                r => r?,
            };
            if holds {
                match self.verdict(e.body.verdict, e.body.who.as_ref(), &mut f) {
                    Err(Halt::Stop(Stop::Fails(Failure::NoneValue))) => {}
                    r => r?,
                }
            }
        }
        Ok(())
    }

    // ── Menus and players ────────────────────────────────────────────────────────────────────────────────

    /// A menu is put before somebody: the first end that holds is it; if there is anything to do, or something else to say, there is a question.
    pub(super) fn offer(
        &mut self,
        who: &Expr,
        menus: &[(MenuId, Vec<Expr>)],
        s: &Stmt,
        f: &mut Frame,
    ) -> Done {
        let who = self.eval(who, f)?;
        who.thing()?;
        if self.is_out(&who)? {
            return Ok(());
        }
        let (mut any, mut all) = (false, Vec::new());
        for (menu, args) in menus {
            let given: Done<Vec<Datum>> = args.iter().map(|a| self.eval(a, f)).collect();
            all.push((*menu, given?));
        }
        self.notice()?;
        for (menu, given) in &all {
            if self.m().menus[menu.index()].clock.is_some() {
                return unsupported("an offer with a clock");
            }
            let actions = match self.look().actions_of(*menu, &who, given, 0) {
                Err(Stop::Fails(_)) => return unsupported("an offer whose guards fail"),
                r => r?,
            };
            any = any || !actions.is_empty();
        }
        let Some((menu, given)) = all.first() else { return Ok(()) };
        let mut own = self.look().frame_of_menu(*menu, &who, given);
        own.no_action = Some(!any);
        for e in &self.m().menus[menu.index()].endings {
            match self.truth(&e.when, &mut own) {
                Err(Halt::Stop(Stop::Fails(Failure::NoneValue))) | Ok(false) => {}
                r => {
                    r?;
                    self.verdict(e.verdict, e.who.as_ref(), &mut own)?;
                }
            }
        }
        // Where hidden faces decide whether there is anything to do, whoever may be done says so.
        let silent = self.n.p.offers.iter().find(|o| o.span == s.span).is_none_or(|o| o.silent);
        // Nothing but a pass is put before somebody, too; nothing but `done` only there.
        let mut asked = any;
        for (menu, given) in &all {
            for done in [false, true] {
                asked = asked || (!done || !silent) && self.look().may_end(*menu, done, &who, given, !any)?;
            }
        }
        if self.is_answered(&who) && asked {
            return Err(Halt::Asked);
        }
        Ok(())
    }

    pub(super) fn everyone(&mut self, e: &Everyone, s: &Stmt, f: &mut Frame) -> Done<Flow> {
        if e.until_all_pass {
            return unsupported("until all pass");
        }
        match e.mode {
            Mode::InTurn => self.in_turn(e, f),
            Mode::AnyOrder => {
                if e.until.is_some() {
                    return unsupported("any order, until something holds");
                }
                let always = self.n.p.asks.iter().any(|a| a.span == s.span && a.always);
                let mut acted: Vec<Datum> = Vec::new();
                loop {
                    let mut left = Datum::set(self.playing(&e.who, f)?).items();
                    left.retain(|p| !acted.contains(p));
                    let asked = left.iter().any(|p| self.is_answered(p));
                    match left.first().cloned() {
                        None => return Ok(Flow::On),
                        Some(_) if asked && (left.len() > 1 || always) => return self.ask(),
                        Some(p) => {
                            acted.push(p.clone());
                            self.one_turn(e, p, f)?;
                        }
                    }
                }
            }
            Mode::AtOnce | Mode::Freely => {
                if e.until.is_some() {
                    return unsupported("at once, until something holds");
                }
                let mut asked = false;
                for p in Datum::set(self.playing(&e.who, f)?).items() {
                    // Each goes on to a first question of his own.
                    match self.acting(e.me, p, &e.body, &mut f.clone()) {
                        Err(Halt::Asked) => asked = true,
                        r => {
                            r?;
                        }
                    }
                }
                if asked { Err(Halt::Asked) } else { Ok(Flow::On) }
            }
        }
    }

    /// One after the other: of a list in its order, else in table order; from somebody on where one is named. Who is among them, and whether it is over, is judged before each turn.
    pub(super) fn in_turn(&mut self, e: &Everyone, f: &mut Frame) -> Done<Flow> {
        let n = self.n.count(0);
        let who = self.eval(&e.who, f)?;
        let from = match &e.from {
            Some(x) => Some(self.eval(x, f)?.number()?),
            None => None,
        };
        let round: Vec<Datum> = match who {
            Datum::List(mut all) => {
                let begins = all.iter().position(|p| from.is_some() && p.number().ok() == from);
                all.rotate_left(begins.unwrap_or(0));
                all
            }
            _ => (0..n).map(|k| Datum::Thing(0, (from.unwrap_or(0) + k) % n)).collect(),
        };
        let mut turns = 0;
        loop {
            for p in &round {
                if let Some(c) = &e.until
                    && self.truth(c, f)?
                {
                    return Ok(Flow::On);
                }
                let there = self.playing(&e.who, f)?;
                if e.until.is_some() && there.is_empty() {
                    return Ok(Flow::On);
                }
                if there.contains(p) {
                    self.one_turn(e, p.clone(), f)?;
                }
                turns += 1;
                if turns > 500 {
                    return unsupported("so many turns");
                }
            }
            if e.until.is_none() {
                return Ok(Flow::On);
            }
        }
    }

    pub(super) fn one_turn(&mut self, e: &Everyone, p: Datum, f: &mut Frame) -> Done {
        let who = p.number()?;
        self.w.turns += 1;
        self.w.outer_turns.extend(self.w.turn);
        self.w.turn = Some(who);
        self.end_layers(|u| u == (LeaseScope::StartOfTurn, who as i32))?;
        self.renew(|per| per == Per::Turn, Some(who))?;
        if self.acting(e.me, p, &e.body, f)? == Flow::Out {
            return unsupported("a turn that ends the rule");
        }
        let turn = self.w.turn.map_or(ir::NONE as i32, |p| p as i32);
        self.end_layers(|(scope, arg)| scope == LeaseScope::Turn && (arg == turn || arg == ir::NONE as i32))?;
        self.w.turn = self.w.outer_turns.pop();
        Ok(())
    }
}

/// The new value of what is changed.
fn changed(change: hir::Change, old: &Datum, new: &Datum) -> Result<Datum, Stop> {
    match change {
        hir::Change::Set => Ok(new.clone()),
        hir::Change::Add => number(old.int()? + new.int()?),
        hir::Change::Sub => number(old.int()? - new.int()?),
        hir::Change::AtLeast => Ok(old.clone().max(new.clone())),
        hir::Change::AtMost => Ok(old.clone().min(new.clone())),
    }
}
