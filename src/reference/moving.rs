//! Where components go, how they lie, and what seats know of them then (statements.md, secrets.md, chance.md).
use super::expr::{Evaluator, Frame};
use super::value::{Datum, Failure, Result, fails, known, unsupported};
use super::world::Change;
use crate::model::body::types;
use crate::model::hir::{self, *};

impl Evaluator<'_> {
    /// A place: a zone, the box of what is moved, or, of a space, the zone there that holds such things.
    pub(super) fn place(&mut self, e: &Expr, moved: Option<KindId>, f: &mut Frame) -> Result {
        match &*e.kind {
            ExprKind::PlaceOf(of, z, index) | ExprKind::Zone(of, z, index) => {
                return self.place_of(of.as_ref(), *z, index.as_ref(), f);
            }
            ExprKind::Box(k) => {
                let family = self.n.family(moved.unwrap_or(*k))?;
                return Ok(Datum::Place(self.n.families[family].boxed));
            }
            ExprKind::If(c, a, b) => {
                let chosen = if self.truth(c, f)? { a } else { b };
                return self.place(chosen, moved, f);
            }
            _ => {}
        }
        let (u, space, k) = match (self.eval(e, f)?, moved) {
            (Datum::Thing(u, space), Some(k)) => (u, space, k),
            (place, _) => return Ok(place),
        };
        let (m, n) = (self.m(), self.n);
        let fits = |z: &Zone| z.holds.iter().any(|h| types::is_a(m, k, *h) || types::is_a(m, *h, k));
        let here = |z: &Zone| z.of.is_some_and(|k| n.universes.get(&k) == Some(&u)) && n.set.has(z.scope);
        let zones = m.zones.iter().enumerate();
        let mut zones = zones.filter(|(_, z)| here(z) && z.index.is_none() && fits(z));
        match (zones.next(), zones.next()) {
            (Some((i, _)), None) => Ok(Datum::Place(n.place(ZoneId(i as u32), Some(space), None)?)),
            _ => unsupported("a space with several zones for such things"),
        }
    }

    // ── Moving ───────────────────────────────────────────────────────────────────────────────────────────

    pub(super) fn move_(&mut self, m: &Move, f: &mut Frame) -> Result<()> {
        let element = types::element(self.m(), &m.what.ty).unwrap_or_else(|| types::plain(&m.what.ty));
        let kind = types::kinds_of(&element).first().copied();
        let what = self.needed(&m.what, f)?;
        if kind == Some(builtin_kinds::PLAYER) {
            let a = known(types::standing(self.m()), "players that stand nowhere")?;
            let off = matches!(&*m.to.kind, ExprKind::Box(_));
            let to = if off { Datum::None } else { self.needed(&m.to, f)? };
            for p in what.items() {
                self.write(a, p.number()?, hir::Change::Set, to.clone())?;
            }
            return self.watch();
        }
        let to = self.place(&m.to, kind, f)?;
        let mut all = self.in_order(&what)?;
        // What has an order keeps it: the first lies uppermost, so to the top the last goes first.
        if matches!(what, Datum::List(_)) && !m.under {
            all.reverse();
        }
        for c in all {
            let Datum::Place(to) = to else { continue };
            let (k, c) = self.n.component(&c)?;
            self.shift(k, c, to, m.under, m.face)?;
        }
        self.watch()
    }

    /// Moves one component, and what seats know goes with it.
    pub(super) fn shift(&mut self, k: usize, c: u32, to: u32, under: bool, face: Option<bool>) -> Result<()> {
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
    pub(super) fn relocate(&mut self, k: usize, c: u32, to: u32, under: bool) -> Result<()> {
        let from = self.w.pieces[k][c as usize].place;
        self.w.lying[from as usize].retain(|x| *x != c);
        if self.n.zone_at(to).is_some_and(|z| z.sorted.is_some() || z.unlimited || z.refill.is_some()) {
            return unsupported("sorted zones and supplies");
        }
        let lying = &mut self.w.lying[to as usize];
        if self.n.at(to).1.is_some_and(|z| lying.len() >= usize::from(z.capacity)) {
            return fails(Failure::ZoneFull);
        }
        lying.insert(if under { lying.len() } else { 0 }, c);
        self.w.pieces[k][c as usize].place = to;
        // What lay there already is no newer for it.
        if from != to {
            self.arrive(k, c);
        }
        Ok(())
    }

    /// What a component brings into force is the newest where it comes to.
    fn arrive(&mut self, k: usize, c: u32) {
        if self.n.p.comps[k].came != u32::MAX {
            self.w.pieces[k][c as usize].came = self.w.clock;
            self.w.clock += 1;
        }
    }

    pub(super) fn swap(&mut self, a: &Expr, b: &Expr, f: &mut Frame) -> Result<()> {
        let is_place = |e: &Expr| matches!(&*e.kind, ExprKind::PlaceOf(..) | ExprKind::Zone(..));
        if is_place(a) && is_place(b) {
            if let (Datum::Place(x), Datum::Place(y)) = (self.place(a, None, f)?, self.place(b, None, f)?)
                && x != y
            {
                self.swap_places(x, y)?;
            }
            return self.watch();
        }
        let (x, y) = (self.eval(a, f)?, self.eval(b, f)?);
        let ((k, x), (_, y)) = (self.n.component(&x)?, self.n.component(&y)?);
        let (px, py) = (self.w.pieces[k][x as usize].place, self.w.pieces[k][y as usize].place);
        let (sx, sy) = (self.seers(px, (k, x))?, self.seers(py, (k, y))?);
        let mut places = vec![px, py];
        places.dedup();
        for place in places {
            for c in &mut self.w.lying[place as usize] {
                *c = match *c {
                    c if c == x => y,
                    c if c == y => x,
                    c => c,
                };
            }
        }
        if px == py {
            return self.watch();
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
    fn swap_places(&mut self, a: u32, b: u32) -> Result<()> {
        let k = usize::from(self.n.at(a).0.comps);
        let both = [(a, b), (b, a)].map(|(from, to)| (self.w.lying[from as usize].clone(), from, to));
        let mut sources = Vec::new();
        for (things, from, _) in &both {
            for c in things {
                sources.push(self.seers(*from, (k, *c))?);
                self.relocate(k, *c, self.n.families[k].boxed, false)?;
            }
        }
        let mut sources = sources.into_iter();
        for (things, from, to) in both {
            for c in &things {
                self.relocate(k, *c, to, true)?;
                let seers = self.seers(to, (k, *c))?;
                // All of the one place change: who lies where is as plain as before.
                let knows_all = |s: &usize| things.iter().all(|c| self.w.is_known(1 << s, k, *c));
                let whole = (0..self.w.known.len()).filter(knows_all).fold(0, |m, s| m | 1 << s);
                let looked_on = seers | sources.next().unwrap_or(0) | whole;
                self.after_move(k, *c, (from, to), seers, looked_on);
            }
        }
        Ok(())
    }

    /// The faces of what lies at a place change places, with all that belongs to each.
    pub(super) fn shuffle(&mut self, place: u32) -> Result<()> {
        let k = usize::from(self.n.at(place).0.comps);
        let lying = self.w.lying[place as usize].clone();
        for i in (1..lying.len()).rev() {
            let j = self.draw(&Datum::None, i as u64 + 1) as usize;
            let (a, b) = (lying[i], lying[j]);
            let (x, y) = (self.w.pieces[k][a as usize].clone(), self.w.pieces[k][b as usize].clone());
            (self.w.pieces[k][a as usize].face, self.w.pieces[k][a as usize].side) = (y.face, y.side);
            (self.w.pieces[k][b as usize].face, self.w.pieces[k][b as usize].side) = (x.face, x.side);
            for slot in self.n.p.comps[k].attrs.iter().map(|s| s.index()) {
                if let Some(id) = self.n.attr_in(slot) {
                    let (x, y) = (self.w.attrs.remove(&(id, a)), self.w.attrs.remove(&(id, b)));
                    self.w.attrs.extend(y.map(|y| ((id, a), y)));
                    self.w.attrs.extend(x.map(|x| ((id, b), x)));
                } else {
                    let span = self.n.slot_span(slot);
                    let (x, y) = (self.w.used.remove(&(span, a)), self.w.used.remove(&(span, b)));
                    self.w.used.extend(y.then_some((span, a)));
                    self.w.used.extend(x.then_some((span, b)));
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
    pub(super) fn turn(&mut self, k: usize, c: u32, side: u32) -> Result<()> {
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

    fn seats_of_holder(&self, place: u32) -> u32 {
        self.n.seats_of(&self.n.holder_at(place))
    }

    /// The seats (bits) that see what lies face up at a place. Into the box nobody looks.
    pub(super) fn seers(&mut self, place: u32, (k, c): (usize, u32)) -> Result<u32> {
        let Some(zone) = self.n.zone_at(place) else { return Ok(0) };
        Ok(match &zone.seen {
            Seen::All => u32::MAX >> (32 - self.w.known.len().clamp(1, 32)),
            Seen::Nobody => 0,
            Seen::Owner => self.seats_of_holder(place),
            Seen::By(b) => {
                let owner = u32::try_from(self.n.at(place).0.owner).ok().zip(zone.of);
                let holder = owner.map_or(Ok(Datum::None), |(o, kind)| self.n.thing(kind, o))?;
                let it = Datum::Thing(self.n.families[k].universe, c);
                let players = self.eval(&b.body, &mut Frame::of(vec![holder, it]))?;
                players.items().iter().fold(0, |m, p| m | self.n.seats_of(p))
            }
        })
    }

    /// Seats (bits) know the face of a component, or do not know it any more.
    pub(super) fn know(&mut self, seats: u32, k: usize, c: u32, on: bool) {
        for (_, known) in self.w.known.iter_mut().enumerate().filter(|(s, _)| seats >> s & 1 == 1) {
            if on {
                known.insert((k, c))
            } else {
                known.remove(&(k, c))
            };
        }
    }

    /// Before somebody chooses, and before a phase is over: where a value says who looks into a zone, they look.
    pub(super) fn notice(&mut self) -> Result<()> {
        for place in 0..self.w.lying.len() as u32 {
            if !self.n.zone_at(place).is_some_and(|z| matches!(z.seen, Seen::By(_))) {
                continue;
            }
            let k = usize::from(self.n.at(place).0.comps);
            for c in self.w.lying[place as usize].clone() {
                if self.w.pieces[k][c as usize].up {
                    let seers = self.seers(place, (k, c))?;
                    self.know(seers, k, c, true);
                }
            }
        }
        Ok(())
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
            let (place, zone) = self.n.at(place);
            place.seq == u32::MAX && zone.is_some_and(|z| !z.slot && z.capacity != 1)
        };
        let (mixes, from_hides) = (hides(to), hides(from));
        if mixes {
            self.know(!seers, k, c, false);
        }
        let left = self.w.lying[from as usize].clone();
        if from_hides && from != to && !left.is_empty() {
            for x in left.into_iter().chain([c]) {
                self.know(!seers & !sources, k, x, false);
            }
        }
    }
}
