//! Statements: what they change (statements.md). An effect is done up to its first question or its end; a statement that needs a thing and finds none is left out.
use super::*;

/// What is done until the rule ends.
pub(super) fn until_rule_ends(done: Result<()>) -> Result<()> {
    if done == Err(Stop::RuleEnds) { Ok(()) } else { done }
}

/// What a statement gives that needs a thing and finds none, where it is left out.
pub(super) fn or_left_out<T>(done: Result<T>, otherwise: T) -> Result<T> {
    if matches!(done, Err(Stop::Nothing)) { Ok(otherwise) } else { done }
}

impl Evaluator<'_> {
    /// Statements one after the other.
    pub fn block(&mut self, b: &[Stmt], f: &mut Frame) -> Result<()> {
        b.iter().try_for_each(|s| {
            self.steps += 100;
            or_left_out(self.statement(s, f), ())
        })
    }

    /// `let`: where the expression needs a thing and finds none, the name holds nothing.
    pub(super) fn bind_let(&mut self, l: LocalId, e: &Expr, f: &mut Frame) -> Result<()> {
        or_left_out(self.eval(e, f), nothing_of(&e.ty)).map(|d| f.bind(l, d))
    }

    #[allow(clippy::too_many_lines)] // One arm a statement.
    fn statement(&mut self, s: &Stmt, f: &mut Frame) -> Result<()> {
        use StmtKind as K;
        match &s.kind {
            K::Let(l, e) => self.bind_let(*l, e, f)?,
            K::If(c, a, _) if self.truth(c, f)? => self.block(a, f)?,
            K::If(_, _, b) => self.block(b, f)?,
            K::For(l, over, body) => self.many(over, f)?.into_iter().try_for_each(|x| {
                f.bind(*l, x);
                self.block(body, f)
            })?,
            K::Repeat(n, body) => (0..self.int(n, f)?).try_for_each(|_| self.block(body, f))?,
            K::RepeatUntil(c, body) => {
                while !self.truth(c, f)? {
                    self.block(body, f)?;
                }
            }
            K::Needs(g) if self.truth(&g.cond, f)? => {}
            K::Needs(_) | K::Stop => return Err(Stop::RuleEnds),
            K::Everyone(e) => self.everyone(e, s, f)?,
            K::Offer(who, menus) => self.offer(who, menus, s, f)?,
            K::As(me, who, body) => self.needed(who, f).and_then(|who| self.acting(*me, who, body, f))?,
            K::May(m) => {
                let who = self.maybe(m.by.as_ref(), f)?.unwrap_or_else(|| self.me.clone());
                who.thing()?;
                if self.is_asked(&who)? && self.ask_thing()? == Datum::Bool(true) {
                    self.acting(m.me, who, &m.body, f)?;
                }
            }
            K::Attach(a) => {
                let what = known(self.n.layer_of(a), "a layer that is not known")?;
                let names = self.n.layered[what].1.iter().map(|(l, _)| Ok((*l, f.get(*l)?)));
                let names = names.collect::<Result<Vec<(LocalId, Datum)>>>()?;
                let until = self.open.last().copied().unwrap_or((LeaseScope::Game, 0));
                self.add_layer(until, LayerChange::Attached(what, names));
            }
            K::Give(e) => {
                let given = self.eval(e, f)?;
                self.given = if matches!(e.ty, Ty::Set(_)) { given.to_set() } else { given };
                return Err(Stop::RuleEnds);
            }
            K::Proceed(changes) => self.proceed(changes, f)?,
            K::Say(t) => {
                let mut pieces = Vec::new();
                self.pieces_of(t, f, &mut pieces)?;
                self.said.push(pieces);
            }
            K::Verdict(v, who, _) => self.verdict(Some(*v), who.as_ref(), f)?,
            K::Call(r, by, args) => drop(self.call(*r, by.as_ref(), args, f)?),
            K::Assign(lhs, change, e) => self.assign(lhs, *change, e, f)?,
            K::Move(m) => self.move_(m, f)?,
            K::Swap(a, b) => self.swap(a, b, f)?,
            K::Discard(x) => {
                self.needed(x, f).and_then(|all| self.each_happens(EffectWord::Discard, &all))?
            }
            K::Shuffle(zones) => zones.iter().try_for_each(|z| {
                self.place(z, None, f).and_then(|place| self.each_happens(EffectWord::Shuffle, &place))
            })?,
            // Dice are rolled, and things turned over, as things of a set.
            K::Roll(x) => {
                self.eval(x, f).and_then(|all| self.each_happens(EffectWord::Roll, &all.to_set()))?
            }
            K::Flip(x, up) => {
                let all = self.eval(x, f)?.to_set();
                for c in self.in_order(&all)? {
                    let piece = self.w.piece_mut(&c)?;
                    piece.up = up.unwrap_or(!piece.up);
                    if piece.up {
                        self.look_at(&c)?;
                    }
                }
            }
            K::Show(x, to) => {
                let to = to.as_ref().map_or(Ok(Datum::Set(self.n.all(0))), |to| self.needed(to, f))?;
                let (all, seats) = (self.needed(x, f)?, self.n.seats_of(&to));
                all.items().iter().try_for_each(|c| self.w.piece_mut(c).map(|p| p.known |= seats))?;
            }
            K::Becomes(x, face) => {
                let (c, face) = (self.eval(x, f)?, self.eval(face, f)?);
                self.w.piece_mut(&c)?.face = face.number()?;
                let side = self.side_of(&c).map_or(0, |_| self.w.pieces[&c].side);
                self.w.piece_mut(&c)?.side = side;
                self.begin_attributes(&c)?;
            }
            K::Until(until, body) => {
                let until = self.until(until, f)?;
                self.open.push(until);
                let done = self.block(body, f);
                self.open.pop();
                done?;
            }
            K::MustLeave(_) | K::Build(_) | K::CallHook(..) => return unsupported("this statement"),
        }
        // The ends that are watched always.
        if s.kind.does().changes { self.watch() } else { Ok(()) }
    }

    fn each_happens(&mut self, word: EffectWord, all: &Datum) -> Result<()> {
        let all = self.in_order(all)?;
        all.into_iter().try_for_each(|x| self.happen(Target::Effect(word), vec![x]).map(|_| ()))
    }

    /// The pieces of a text. A hole that finds nothing is none.
    fn pieces_of(&mut self, t: &Text, f: &mut Frame, out: &mut Vec<Said>) -> Result<()> {
        for part in &t.parts {
            match part {
                TextPart::Literal(x) => out.push(Said::Words(x.to_string())),
                TextPart::Hole(e) if let ExprKind::Text(inner) = &*e.kind => self.pieces_of(inner, f, out)?,
                TextPart::Hole(e) => {
                    let said = match or_left_out(self.eval(e, f), nothing_of(&e.ty)) {
                        Err(Stop::Unsupported(_)) => None,
                        d => Some(d?),
                    };
                    out.push(Said::Value(e.ty.clone(), said));
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

    pub(super) fn acting(&mut self, me: LocalId, who: Datum, body: &[Stmt], f: &mut Frame) -> Result<()> {
        f.bind(me, who.clone());
        self.as_player(who, |s| s.block(body, f))
    }

    /// One of so many numbers, by the stream of whoever draws, which goes on also where there is but one, or none.
    pub(super) fn draw(&mut self, who: &Datum, n: u64) -> u64 {
        let stream = who.number().map_or(0, |p| p as usize + 1);
        let (seed, count) = (self.w.seed, &mut self.w.drawn[stream]);
        *count += u64::from(n <= 1);
        below(n, || {
            *count += 1;
            mix(seed, stream as u64, *count - 1)
        })
    }

    fn assign(&mut self, lhs: &Lhs, change: Change, e: &Expr, f: &mut Frame) -> Result<()> {
        let of = match lhs {
            Lhs::Attr(x, _) | Lhs::DieValue(x) => self.needed(x, f)?,
            Lhs::Local(_) | Lhs::TableAttr(_) => Datum::None,
        };
        let new = self.eval(e, f)?;
        match lhs {
            Lhs::Local(l) => {
                attach::changed(change, &e.ty, f.get(*l).unwrap_or_default(), new).map(|new| f.bind(*l, new))
            }
            Lhs::Attr(_, a) | Lhs::TableAttr(a) => self.write(*a, of, change, new),
            Lhs::DieValue(_) => {
                let old = Datum::Int(i64::from(self.side_of(&of)?.1.value));
                let value = attach::changed(change, &e.ty, old, new)?.int()?;
                let side = self.face_of(&of)?.sides.iter().position(|(_, s)| i64::from(s.value) == value);
                side.map_or_else(|| fails("a die without such a side"), |side| self.turn(&of, side as u32))
            }
        }
    }

    /// A changed attribute stays in its range: a number that is clamped at its end, any other fails. Nothing that may not be none becomes it.
    pub(super) fn write(&mut self, a: AttrId, of: Datum, change: Change, new: Datum) -> Result<()> {
        let attr = &self.m.attrs[a.index()];
        let new = attach::changed(change, &attr.ty, self.attribute(a, &of)?, new)?;
        let may_be_none = types::is_maybe(&attr.ty) || types::standing(self.m) == Some(a);
        ensure(new != Datum::None || may_be_none, Stop::Nothing)?;
        let new = attach::held(new, &attr.ty, attr.clamped)?;
        let at = (known(self.n.attrs.get(&a).copied(), "a change of what never changes")?, of);
        let old = self.put(at.clone(), new.clone());
        self.layer_on(Slot::Attr(at), old, new);
        Ok(())
    }
}
