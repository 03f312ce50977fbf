//! Statements: what they change (statements.md). An effect is done up to its first question or its end; a statement that needs a thing and finds none is left out, and play goes on
//! behind it.
use super::attach::changed;
use super::events::Event;
use super::expr::{Evaluator, Frame, Said};
use super::value::{Datum, Failure, Result, Stop, fails, known, unsupported};
use super::world::Change;
use crate::engine::{below, mix};
use crate::model::body::types;
use crate::model::hir::{self, *};
use crate::program::ir::LeaseScope;

/// What is done until the rule ends.
pub(super) fn until_rule_ends(done: Result<()>) -> Result<()> {
    if done == Err(Stop::RuleEnds) { Ok(()) } else { done }
}

/// What a statement gives that needs a thing and finds none, where it is left out.
pub(super) fn or_left_out<T>(done: Result<T>, otherwise: T) -> Result<T> {
    match done {
        Err(Stop::Fails(Failure::NoneValue)) => Ok(otherwise),
        done => done,
    }
}

impl Evaluator<'_> {
    /// Statements one after the other.
    ///
    /// # Errors
    /// Where they go no further.
    pub fn block(&mut self, b: &[Stmt], f: &mut Frame) -> Result<()> {
        for s in b {
            self.steps = (0, self.steps.1 + 1);
            if self.steps.1 > 20_000 {
                return unsupported("so long an effect");
            }
            match self.statement(s, f) {
                Err(Stop::Fails(Failure::NoneValue)) => {
                    if let StmtKind::Let(l, e) = &s.kind {
                        let set = matches!(e.ty, Ty::Set(_) | Ty::List(_));
                        f.bind(*l, if set { Datum::Set(Vec::new()) } else { Datum::None });
                    }
                }
                done => done?,
            }
        }
        Ok(())
    }

    #[allow(clippy::too_many_lines)] // One arm a statement.
    fn statement(&mut self, s: &Stmt, f: &mut Frame) -> Result<()> {
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
                    self.block(body, f)?;
                }
            }
            StmtKind::Repeat(n, body) => {
                for _ in 0..self.int(n, f)? {
                    self.block(body, f)?;
                }
            }
            StmtKind::RepeatUntil(c, body) => {
                while !self.truth(c, f)? {
                    self.steps.1 += 1;
                    self.block(body, f)?;
                }
            }
            StmtKind::Needs(g) if self.truth(&g.cond, f)? => {}
            StmtKind::Needs(_) | StmtKind::Stop => return Err(Stop::RuleEnds),
            StmtKind::Everyone(e) => return self.everyone(e, s, f),
            StmtKind::Offer(who, menus) => self.offer(who, menus, s, f)?,
            StmtKind::As(me, who, body) => {
                let who = self.needed(who, f)?;
                return self.acting(*me, who, body, f);
            }
            StmtKind::May(m) => {
                let who = self.maybe(m.by.as_ref(), f)?.unwrap_or_else(|| self.me.clone());
                who.thing()?;
                if self.is_asked(&who)? {
                    return self.ask();
                }
            }
            StmtKind::Move(m) => self.move_(m, f)?,
            StmtKind::Swap(a, b) => self.swap(a, b, f)?,
            StmtKind::Discard(x) => {
                let all = self.needed(x, f)?;
                for c in self.in_order(&all)? {
                    self.happen(Event::Discard, vec![c])?;
                }
                self.watch()?;
            }
            StmtKind::Shuffle(zones) => {
                for z in zones {
                    let place = self.place(z, None, f)?;
                    if place != Datum::None {
                        self.happen(Event::Shuffle, vec![place])?;
                    }
                }
                self.watch()?;
            }
            // Dice are rolled, and things turned over, as things of a set.
            StmtKind::Roll(x) => {
                let all = self.eval(x, f)?.to_set();
                for c in self.in_order(&all)? {
                    self.happen(Event::Roll, vec![c])?;
                }
                self.watch()?;
            }
            StmtKind::Flip(x, up) => {
                let all = self.eval(x, f)?.to_set();
                for c in self.in_order(&all)? {
                    let (k, c) = self.n.component(&c)?;
                    let piece = &mut self.w.pieces[k][c as usize];
                    piece.up = up.unwrap_or(!piece.up);
                    if piece.up {
                        let place = piece.place;
                        let seers = self.seers(place, (k, c))?;
                        self.know(seers, k, c, true);
                    }
                }
                self.watch()?;
            }
            StmtKind::Show(x, to) => {
                let all = self.needed(x, f)?;
                let to = match to {
                    Some(to) => self.needed(to, f)?.items(),
                    None => self.n.all(0),
                };
                let seats = to.iter().fold(0, |m, p| m | self.n.seats_of(p));
                for c in all.items() {
                    let (k, c) = self.n.component(&c)?;
                    self.know(seats, k, c, true);
                }
                self.watch()?;
            }
            StmtKind::Becomes(x, face) => {
                let (c, face) = (self.eval(x, f)?, self.eval(face, f)?);
                let (k, c) = self.n.component(&c)?;
                self.w.pieces[k][c as usize].face = face.number()?;
                self.begin_attributes(k, c)?;
                self.watch()?;
            }
            StmtKind::Until(until, body) => {
                let until = self.until(until, f)?;
                self.open.push(until);
                let done = self.block(body, f);
                self.open.pop();
                done?;
                self.watch()?;
            }
            StmtKind::Attach(a) => {
                let what = known(self.n.layer_of(a), "a layer that is not known")?;
                let names = self.n.layered[what].1.iter().map(|(l, _)| Ok((*l, f.get(*l)?)));
                let names = names.collect::<Result<Vec<(LocalId, Datum)>>>()?;
                let until = self.open.last().copied().unwrap_or((LeaseScope::Game, 0));
                self.add_layer(until, Change::Attached(what, names));
            }
            StmtKind::Give(e) => {
                self.given = self.eval(e, f)?;
                return Err(Stop::RuleEnds);
            }
            StmtKind::Proceed(changes) => self.proceed(changes, f)?,
            StmtKind::Say(t) => {
                let mut pieces = Vec::new();
                self.pieces_of(t, f, &mut pieces)?;
                self.said.push(pieces);
            }
            StmtKind::Verdict(v, who, _) => self.verdict(*v, who.as_ref(), f)?,
            StmtKind::Call(r, by, args) => {
                self.call(*r, by.as_ref(), args, f)?;
            }
            StmtKind::MustLeave(_) | StmtKind::Build(_) | StmtKind::CallHook(..) => {
                return unsupported("this statement");
            }
        }
        Ok(())
    }

    /// The pieces of a text. A hole that finds nothing is none.
    fn pieces_of(&mut self, t: &Text, f: &mut Frame, out: &mut Vec<Said>) -> Result<()> {
        for part in &t.parts {
            match part {
                TextPart::Literal(x) => out.push(Some((Ty::Text, Datum::Text(x.to_string())))),
                TextPart::Hole(e) if let ExprKind::Text(inner) = &*e.kind => self.pieces_of(inner, f, out)?,
                TextPart::Hole(e) => {
                    let none = if matches!(e.ty, Ty::Set(_)) { Datum::Set(Vec::new()) } else { Datum::None };
                    out.push(match or_left_out(self.eval(e, f), none) {
                        Err(Stop::Unsupported(_)) => None,
                        d => Some((e.ty.clone(), d?)),
                    });
                }
            }
        }
        Ok(())
    }

    /// Does something while somebody acts.
    pub(super) fn as_player<T>(&mut self, me: Datum, does: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.me, me);
        let done = does(self);
        self.me = outer;
        done
    }

    /// A block in which another player acts.
    pub(super) fn acting(&mut self, me: LocalId, who: Datum, body: &[Stmt], f: &mut Frame) -> Result<()> {
        f.bind(me, who.clone());
        self.as_player(who, |s| s.block(body, f))
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

    /// `roll` of a kind of dice without a die.
    pub(super) fn roll_number(&mut self, k: KindId) -> Result {
        let kinds = types::line_of(self.m(), k);
        let sides = kinds.iter().map(|k| &self.m().kinds[k.index()].sides).find(|s| !s.is_empty());
        let sides = known(sides, "a roll of a die without sides")?;
        let side = self.draw(&self.me.clone(), sides.len() as u64) as usize;
        Ok(Datum::Int(i64::from(sides[side].value)))
    }

    // ── Changes ──────────────────────────────────────────────────────────────────────────────────────────

    fn assign(&mut self, lhs: &Lhs, change: hir::Change, e: &Expr, f: &mut Frame) -> Result<()> {
        match lhs {
            Lhs::Local(l) => {
                let (new, old) = (self.eval(e, f)?, f.get(*l).unwrap_or(Datum::None));
                f.bind(*l, changed(change, &e.ty, old, new)?);
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
                let old = Datum::Int(i64::from(self.side_of(&c)?.value));
                let new = self.eval(e, f)?;
                let value = changed(change, &e.ty, old, new)?.int()?;
                let is = |s: &Side| i64::from(s.value) == value;
                let side = self.face_of(&c)?.1.sides.iter().position(is);
                let Some(side) = side else { return fails(Failure::NoSuchThing) };
                let (k, c) = self.n.component(&c)?;
                self.turn(k, c, side as u32)?;
            }
        }
        self.watch()
    }

    /// A changed attribute stays in its range: a number that is clamped at its end, any other fails. Nothing that may not be none becomes it.
    pub(super) fn write(&mut self, a: AttrId, thing: u32, change: hir::Change, new: Datum) -> Result<()> {
        let attr = &self.m().attrs[a.index()];
        let Some(old) = self.w.attrs.get(&(a, thing)).cloned() else { return fails(Failure::NoSuchThing) };
        let new = match (changed(change, &attr.ty, old, new)?, types::plain(&attr.ty)) {
            (Datum::None, _) if !types::is_maybe(&attr.ty) && types::standing(self.m()) != Some(a) => {
                return fails(Failure::NoneValue);
            }
            (Datum::Int(n), Ty::Int(lo, hi)) => {
                let kept = n.clamp(i64::from(lo), i64::from(hi));
                if kept != n && !attr.clamped {
                    return fails(Failure::OutOfRange);
                }
                Datum::Int(kept)
            }
            (new, _) => new,
        };
        self.put(a, thing, new);
        Ok(())
    }
}
