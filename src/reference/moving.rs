//! Where components go, how they lie, and what seats know of them then (statements.md, secrets.md, chance.md).
use super::effects::{Actor, Done, Halt, fails, unsupported};
use super::expr::Frame;
use super::value::{Datum, Failure};
use super::world::Change;
use crate::model::body::types;
use crate::model::hir::{self, *};

impl<'a> Actor<'a> {
    // ── Moving ───────────────────────────────────────────────────────────────────────────────────────────

    /// A place: a zone, the box of what is moved, or, of a space, the zone there that holds such things.
    pub(super) fn place(&mut self, e: &Expr, moved: Option<KindId>, f: &mut Frame) -> Done<Datum> {
        match (&*e.kind, moved) {
            (ExprKind::PlaceOf(of, z, index) | ExprKind::Zone(of, z, index), _) => {
                let of = of.as_ref().map(|x| self.settle(x, f)).transpose()?;
                Ok(self.look().place(of.as_ref(), *z, index.as_ref(), f)?)
            }
            (ExprKind::Box(k), moved) => {
                let family = self.n.family(moved.unwrap_or(*k))?;
                Ok(Datum::Place(self.n.families[family].boxed))
            }
            (ExprKind::If(c, a, b), _) => {
                let chosen = if self.truth(c, f)? { a } else { b };
                self.place(chosen, moved, f)
            }
            (_, moved) => match (self.eval(e, f)?, moved) {
                (Datum::Thing(u, space), Some(k)) => {
                    let m = self.m();
                    let fits =
                        |z: &Zone| z.holds.iter().any(|h| types::is_a(m, k, *h) || types::is_a(m, *h, k));
                    let here = |z: &Zone| z.of.is_some_and(|k| self.n.universes.get(&k) == Some(&u));
                    let mut zones =
                        m.zones.iter().enumerate().filter(|(_, z)| {
                            here(z) && z.index.is_none() && self.n.set.has(z.scope) && fits(z)
                        });
                    match (zones.next(), zones.next()) {
                        (Some((i, _)), None) => {
                            Ok(Datum::Place(self.n.place(ZoneId(i as u32), Some(space), None)?))
                        }
                        _ => unsupported("a space with several zones for such things"),
                    }
                }
                (d, _) => Ok(d),
            },
        }
    }

    pub(super) fn move_(&mut self, m: &Move, f: &mut Frame) -> Done {
        let element = types::element(self.m(), &m.what.ty).unwrap_or_else(|| types::plain(&m.what.ty));
        let kind = types::kinds_of(&element).first().copied();
        if kind == Some(builtin_kinds::PLAYER) {
            let Some(a) = types::standing(self.m()) else { return unsupported("players that stand nowhere") };
            let who = self.eval_things(&m.what, f)?;
            let to = match &*m.to.kind {
                ExprKind::Box(_) => Datum::None,
                _ => self.eval(&m.to, f)?,
            };
            if to == Datum::None && !matches!(&*m.to.kind, ExprKind::Box(_)) {
                return fails(Failure::NoneValue);
            }
            for p in who {
                self.write(a, p.number()?, hir::Change::Set, to.clone())?;
            }
            return self.watch();
        }
        let what = self.eval(&m.what, f)?;
        if what == Datum::None {
            return fails(Failure::NoneValue);
        }
        let to = self.place(&m.to, kind, f)?;
        let mut all = self.look().in_order(&what)?;
        // What has an order keeps it: the first lies uppermost, so to the top the last goes first.
        if matches!(what, Datum::List(_)) && !m.under {
            all.reverse();
        }
        for c in all {
            let Datum::Place(to) = to else { continue };
            let (k, c) = self.component(&c)?;
            self.shift(k, c, to, m.under, m.face)?;
        }
        self.watch()
    }

    /// Moves one component, and what seats know goes with it.
    pub(super) fn shift(&mut self, k: usize, c: u32, to: u32, under: bool, face: Option<bool>) -> Done {
        let from = self.w.pieces[k][c as usize].place;
        let sources = self.seers(from, (k, c))?;
        match self.open.last().copied() {
            Some(until) => self.add_layer(until, Change::Moved(k, c, from, to)),
            None => {
                self.w.layers.retain(|l| !matches!(&l.change, Change::Moved(x, y, ..) if (*x, *y) == (k, c)))
            }
        }
        self.relocate(k, c, to, under)?;
        if let Some(up) = face {
            self.w.pieces[k][c as usize].up = up;
        }
        let seers = self.seers(to, (k, c))?;
        self.after_move(k, c, (from, to), seers, sources);
        Ok(())
    }

    /// A component leaves its place and comes to the top, or the bottom, of another.
    pub(super) fn relocate(&mut self, k: usize, c: u32, to: u32, under: bool) -> Done {
        let from = self.w.pieces[k][c as usize].place;
        self.w.lying[from as usize].retain(|x| *x != c);
        if let Some(z) = self.n.zone_at(to) {
            let zone = &self.m().zones[z.index()];
            if zone.sorted.is_some() || zone.unlimited || zone.refill.is_some() {
                return unsupported("sorted zones and supplies");
            }
            let slot = self.n.p.zones.get(usize::from(self.n.p.places[to as usize].zone));
            let room = slot.map_or(u16::MAX, |z| z.capacity);
            if self.w.lying[to as usize].len() >= usize::from(room) {
                return fails(Failure::ZoneFull);
            }
        }
        let lying = &mut self.w.lying[to as usize];
        lying.insert(if under { lying.len() } else { 0 }, c);
        self.w.pieces[k][c as usize].place = to;
        // What lay there already is no newer for it.
        if from != to {
            self.arrive(k, c);
        }
        Ok(())
    }

    /// What a component brings into force is the newest where it comes to.
    pub(super) fn arrive(&mut self, k: usize, c: u32) {
        if self.n.p.comps[k].came != u32::MAX {
            self.w.pieces[k][c as usize].came = self.w.clock;
            self.w.clock += 1;
        }
    }

    pub(super) fn swap(&mut self, a: &Expr, b: &Expr, f: &mut Frame) -> Done {
        let is_place = |e: &Expr| matches!(&*e.kind, ExprKind::PlaceOf(..) | ExprKind::Zone(..));
        if is_place(a) && is_place(b) {
            let (x, y) = (self.place(a, None, f)?, self.place(b, None, f)?);
            if let (Datum::Place(x), Datum::Place(y)) = (x, y)
                && x != y
            {
                self.swap_places(x, y)?;
            }
            return self.watch();
        }
        let (x, y) = (self.eval(a, f)?, self.eval(b, f)?);
        let ((k, x), (_, y)) = (self.component(&x)?, self.component(&y)?);
        let (px, py) = (self.w.pieces[k][x as usize].place, self.w.pieces[k][y as usize].place);
        if x == y {
            return self.watch();
        }
        let (sx, sy) = (self.seers(px, (k, x))?, self.seers(py, (k, y))?);
        for place in [px, py] {
            for c in &mut self.w.lying[place as usize] {
                *c = if *c == x {
                    y
                } else if *c == y {
                    x
                } else {
                    *c
                };
            }
            if px == py {
                return self.watch();
            }
        }
        self.w.pieces[k][x as usize].place = py;
        self.w.pieces[k][y as usize].place = px;
        self.arrive(k, x);
        self.arrive(k, y);
        for (c, from, to, sources) in [(x, px, py, sx), (y, py, px, sy)] {
            let seers = self.seers(to, (k, c))?;
            self.after_move(k, c, (from, to), seers, sources);
        }
        self.watch()
    }

    /// Two places change what they hold, each in its order.
    pub(super) fn swap_places(&mut self, a: u32, b: u32) -> Done {
        let k = usize::from(self.n.p.places[a as usize].comps);
        let (at_a, at_b) = (self.w.lying[a as usize].clone(), self.w.lying[b as usize].clone());
        let mut watched = Vec::new();
        for (c, from) in at_a.iter().map(|c| (*c, a)).chain(at_b.iter().map(|c| (*c, b))) {
            watched.push(self.seers(from, (k, c))?);
        }
        for c in at_a.iter().chain(&at_b) {
            self.relocate(k, *c, self.n.families[k].boxed, false)?;
        }
        let mut watched = watched.into_iter();
        for (things, from, to) in [(&at_a, a, b), (&at_b, b, a)] {
            for c in things {
                let sources = watched.next().unwrap_or(0);
                self.relocate(k, *c, to, true)?;
                let seers = self.seers(to, (k, *c))?;
                // All of the one place change: who lies where is as plain as before.
                let whole = (0..self.w.known.len())
                    .filter(|s| things.iter().all(|c| self.w.known[*s].contains(&(k, *c))));
                let whole = whole.fold(0, |m, s| m | 1 << s);
                self.after_move(k, *c, (from, to), seers, seers | sources | whole);
            }
        }
        Ok(())
    }

    /// The faces of what lies at a place change places, with all that belongs to each.
    pub(super) fn shuffle(&mut self, place: u32) -> Done {
        let k = usize::from(self.n.p.places[place as usize].comps);
        let lying = self.w.lying[place as usize].clone();
        for i in (1..lying.len()).rev() {
            let j = self.draw(&Datum::None, i as u64 + 1) as usize;
            let (a, b) = (lying[i], lying[j]);
            let (x, y) = (self.w.pieces[k][a as usize].clone(), self.w.pieces[k][b as usize].clone());
            (self.w.pieces[k][a as usize].face, self.w.pieces[k][a as usize].side) = (y.face, y.side);
            (self.w.pieces[k][b as usize].face, self.w.pieces[k][b as usize].side) = (x.face, x.side);
            for slot in &self.n.p.comps[k].attrs {
                let id = self.n.attrs.iter().find(|(_, s)| **s == slot.index()).map(|(id, _)| *id);
                if let Some(id) = id {
                    let (x, y) = (self.w.attrs.get(&(id, a)).cloned(), self.w.attrs.get(&(id, b)).cloned());
                    self.w.attrs.extend(y.map(|y| ((id, a), y)));
                    self.w.attrs.extend(x.map(|x| ((id, b), x)));
                } else {
                    let span = self.n.p.decls[self.n.p.attrs[slot.index()].decl.index()].span;
                    let key = |c| (u32::from(span.file.0), span.start, c);
                    let (x, y) = (self.w.used.remove(&key(a)), self.w.used.remove(&key(b)));
                    self.w.used.extend(y.then(|| key(a)));
                    self.w.used.extend(x.then(|| key(b)));
                }
            }
        }
        for c in lying {
            let mut seers = self.seers(place, (k, c))?;
            if !self.w.pieces[k][c as usize].up {
                seers &= self.seats_of_holder(place);
            }
            self.know(!seers, k, c, false);
            self.know(seers, k, c, true);
        }
        Ok(())
    }

    /// A die is turned to a side: who looks on knows it, nobody else does any more.
    pub(super) fn turn(&mut self, k: usize, c: u32, side: u32) -> Done {
        self.w.pieces[k][c as usize].side = side;
        let place = self.w.pieces[k][c as usize].place;
        if place != self.n.families[k].boxed {
            let seers = self.seers(place, (k, c))?;
            self.know(seers, k, c, true);
            self.know(!seers, k, c, false);
        }
        Ok(())
    }

    // ── Knowledge ────────────────────────────────────────────────────────────────────────────────────────

    pub(super) fn seats_of(&self, p: &Datum) -> u32 {
        p.number().map_or(0, |p| self.n.set.answered.get(p as usize).copied().unwrap_or(0))
    }

    pub(super) fn seats_of_holder(&self, place: u32) -> u32 {
        u32::try_from(self.n.p.places[place as usize].holder)
            .map_or(0, |p| self.seats_of(&Datum::Thing(0, p)))
    }

    /// The seats (bits) that see what lies face up at a place. Into the box nobody looks.
    pub(super) fn seers(&self, place: u32, (k, c): (usize, u32)) -> Done<u32> {
        let Some(z) = self.n.zone_at(place) else { return Ok(0) };
        Ok(match &self.m().zones[z.index()].seen {
            Seen::All => u32::MAX >> (32 - self.w.known.len().clamp(1, 32)),
            Seen::Nobody => 0,
            Seen::Owner => self.seats_of_holder(place),
            Seen::By(b) => {
                let owner = &self.n.p.places[place as usize];
                let of = self.m().zones[z.index()].of;
                let holder = match (u32::try_from(owner.owner), of) {
                    (Ok(o), Some(kind)) => Datum::Thing(self.n.universe(kind)?, o),
                    _ => Datum::None,
                };
                let it = Datum::Thing(self.n.families[k].universe, c);
                let players = self.look().eval(&b.body, &mut Frame::of(vec![holder, it]))?;
                players.items().iter().fold(0, |m, p| m | self.seats_of(p))
            }
        })
    }

    pub(super) fn know(&mut self, seats: u32, k: usize, c: u32, on: bool) {
        for (s, known) in self.w.known.iter_mut().enumerate() {
            if seats >> s & 1 == 1 {
                if on {
                    known.insert((k, c))
                } else {
                    known.remove(&(k, c))
                };
            }
        }
    }

    /// Before somebody chooses, and before a phase is over: where a value says who looks into a zone, they look.
    pub(super) fn notice(&mut self) -> Done {
        for place in 0..self.w.lying.len() as u32 {
            let zone = self.n.zone_at(place).map(|z| &self.m().zones[z.index()].seen);
            if !matches!(zone, Some(Seen::By(_))) {
                continue;
            }
            let k = usize::from(self.n.p.places[place as usize].comps);
            for c in self.w.lying[place as usize].clone() {
                if self.w.pieces[k][c as usize].up {
                    let seers = self.seers(place, (k, c))?;
                    self.know(seers, k, c, true);
                }
            }
        }
        Ok(())
    }

    /// Somebody is asked.
    pub(super) fn ask<T>(&mut self) -> Done<T> {
        self.notice()?;
        Err(Halt::Asked)
    }

    /// Who sees where a thing comes to knows it. Among things without an order that a seat does not see, it does not know any more which is which: neither what comes there, nor, if
    /// it did not look on, what else lay where it came from. What lies alone is known.
    pub(super) fn after_move(&mut self, k: usize, c: u32, (from, to): (u32, u32), seers: u32, sources: u32) {
        let up = self.w.pieces[k][c as usize].up;
        let seers = if up { seers } else { seers & self.seats_of_holder(to) };
        self.know(seers, k, c, true);
        if to == self.n.families[k].boxed {
            return;
        }
        let hides = |place: u32| {
            let p = &self.n.p.places[place as usize];
            let alone = self.n.p.zones.get(usize::from(p.zone)).is_none_or(|z| z.slot || z.capacity == 1);
            p.seq == u32::MAX && !alone
        };
        let (mixes, from_hides) = (hides(to), hides(from));
        if mixes {
            self.know(!seers, k, c, false);
        }
        if from_hides && from != to && !self.w.lying[from as usize].is_empty() {
            self.know(!seers & !sources, k, c, false);
            for x in self.w.lying[from as usize].clone() {
                self.know(!seers & !sources, k, x, false);
            }
        }
    }
}
