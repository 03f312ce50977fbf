//! Where components go, how they lie, and what seats know of them then (statements.md, secrets.md, chance.md).
use super::*;

impl Evaluator<'_> {
    /// A place: a zone, the box of what is moved, or, of a space, the zone there that holds such things.
    pub(super) fn place(&mut self, e: &Expr, moved: Option<KindId>, f: &mut Frame) -> Result {
        let place = match &*e.kind {
            ExprKind::PlaceOf(of, z, i) | ExprKind::Zone(of, z, i) => {
                self.place_of(of.as_ref(), *z, i.as_ref(), f)?
            }
            ExprKind::Box(k) => self.n.boxed(moved.unwrap_or(*k))?,
            ExprKind::If(c, a, _) if self.truth(c, f)? => self.place(a, moved, f)?,
            ExprKind::If(_, _, b) => self.place(b, moved, f)?,
            _ => self.eval(e, f)?,
        };
        let (Datum::Thing(..), Some(k)) = (&place, moved) else { return Ok(place) };
        let fits = |k: KindId, h: KindId| types::is_a(self.m, k, h) || types::is_a(self.m, h, k);
        let holds = |z: ZoneId| self.m.zones[z.index()].holds.iter().any(|h| fits(k, *h));
        let here = |((z, of, i), _): &(&(ZoneId, _, _), _)| *of == place && *i == Datum::None && holds(*z);
        let mut zones = self.n.zones.iter().filter(here);
        match (zones.next(), zones.next()) {
            (Some((_, place)), None) => Ok(Datum::Place(*place)),
            _ => unsupported("a space with several zones for such things"),
        }
    }

    pub(super) fn move_(&mut self, m: &Move, f: &mut Frame) -> Result<()> {
        let element = types::element(self.m, &m.what.ty).unwrap_or_else(|| types::plain(&m.what.ty));
        let kind = types::kinds_of(&element).first().copied();
        let what = self.needed(&m.what, f)?;
        if kind == Some(builtin_kinds::PLAYER) {
            let a = known(types::standing(self.m), "players that stand nowhere")?;
            let to = if let ExprKind::Box(_) = &*m.to.kind { Datum::None } else { self.needed(&m.to, f)? };
            return what.items().into_iter().try_for_each(|p| self.write(a, p, Change::Set, to.clone()));
        }
        let to = self.place(&m.to, kind, f)?;
        let ordered =
            matches!(to, Datum::Place(p) if self.n.places[p as usize].slot.is_some_and(|z| z.ordered));
        let mut all = self.in_order(&if ordered { what.clone() } else { what.to_set() })?;
        // What has an order keeps it where there is one: the first lies uppermost, so to the top the last goes first.
        if ordered && matches!(what, Datum::List(_)) && !m.under {
            all.reverse();
        }
        self.end_stays(&all, &to)?;
        all.iter().try_for_each(|c| self.relocate_seen(c, &to, m.under, m.face))
    }

    /// What leaves its place is set back before any of it moves, in the order of their numbers.
    fn end_stays(&mut self, all: &[Datum], to: &Datum) -> Result<()> {
        let Datum::Place(to) = *to else { return Ok(()) };
        for c in Datum::set(all.to_vec()).items() {
            if self.w.piece(&c)?.place != to {
                self.end_stay(&c)?;
            }
        }
        Ok(())
    }

    /// Moves one component, if there is a place to move it to, and what seats know goes with it.
    pub(super) fn shift(&mut self, c: &Datum, to: &Datum) -> Result<()> {
        self.end_stays(std::slice::from_ref(c), to)?;
        self.relocate_seen(c, to, false, None)
    }

    fn relocate_seen(&mut self, c: &Datum, to: &Datum, under: bool, face: Option<bool>) -> Result<()> {
        let Datum::Place(place) = *to else { return Ok(()) };
        let from = self.w.piece(c)?.place;
        let sources = self.seers(from, c)?;
        self.layer_on(Slot::Place(c.clone()), Datum::Place(from), to.clone());
        self.relocate(c, place, under)?;
        let piece = self.w.piece_mut(c)?;
        piece.up = face.unwrap_or(piece.up);
        self.after_move(c, from, sources)
    }

    /// A component leaves its place and comes to the top, or the bottom, of another.
    pub(super) fn relocate(&mut self, c: &Datum, to: u32, under: bool) -> Result<()> {
        let from = self.w.piece(c)?.place;
        self.w.lying[from as usize].retain(|x| x != c);
        let place = &self.n.places[to as usize];
        covers(place.zone.is_none_or(|z| z.sorted.is_none()), "sorted zones")?;
        let lying = &mut self.w.lying[to as usize];
        let fits = place.slot.is_none_or(|z| lying.len() < usize::from(z.capacity));
        ensure(fits, Stop::Fails("more in a zone than fits"))?;
        lying.insert(if under { lying.len() } else { 0 }, c.clone());
        // What lay there already is no newer for it.
        if from == to { Ok(()) } else { self.arrive(c, to) }
    }

    /// What a component brings into force is the newest where it comes to.
    fn arrive(&mut self, c: &Datum, to: u32) -> Result<()> {
        let (clock, counts) = (self.w.clock, self.n.family_of(c)?.comps.came != u32::MAX);
        let piece = self.w.piece_mut(c)?;
        piece.place = to;
        if counts {
            piece.came = clock;
            self.w.clock += 1;
        }
        Ok(())
    }

    pub(super) fn swap(&mut self, a: &Expr, b: &Expr, f: &mut Frame) -> Result<()> {
        let is_place = |e: &Expr| matches!(&*e.kind, ExprKind::PlaceOf(..) | ExprKind::Zone(..));
        if is_place(a) && is_place(b) {
            return match (self.place(a, None, f)?, self.place(b, None, f)?) {
                (Datum::Place(x), Datum::Place(y)) if x != y => self.swap_places(x, y),
                _ => Ok(()),
            };
        }
        let (x, y) = (self.eval(a, f)?, self.eval(b, f)?);
        let (px, py) = (self.w.piece(&x)?.place, self.w.piece(&y)?.place);
        let (sx, sy) = (self.seers(px, &x)?, self.seers(py, &y)?);
        for c in self.w.lying.iter_mut().flatten().filter(|c| **c == x || **c == y) {
            *c = if *c == x { y.clone() } else { x.clone() };
        }
        if px != py {
            self.end_stay(&x)?;
            self.end_stay(&y)?;
            self.arrive(&x, py)?;
            self.arrive(&y, px)?;
            self.after_move(&x, px, sx)?;
            self.after_move(&y, py, sy)?;
        }
        Ok(())
    }

    /// Two places change what they hold, each in its order.
    fn swap_places(&mut self, a: u32, b: u32) -> Result<()> {
        let mut all = Vec::new();
        for (from, to) in [(a, b), (b, a)] {
            let here = self.w.lying[from as usize].clone();
            self.end_stays(&here, &Datum::Place(to))?;
            for c in here {
                all.push((self.seers(from, &c)?, c, from, to));
            }
        }
        for (_, c, ..) in &all {
            self.relocate(c, u32::from(self.n.family_of(c)?.comps.boxed), false)?;
        }
        for (sources, c, from, to) in &all {
            self.relocate(c, *to, true)?;
            // All of the one place change: to who knows them all it is as plain as before which is which.
            let together = all.iter().filter(|(_, _, x, _)| x == from);
            let whole = together.fold(u32::MAX, |seats, (_, c, ..)| seats & self.w.pieces[c].known);
            let looked_on = self.seers(*to, c)? | sources | whole;
            self.after_move(c, *from, looked_on)?;
        }
        Ok(())
    }

    /// The faces of what lies at a place change places, with all that belongs to each.
    pub(super) fn shuffle(&mut self, place: u32) -> Result<()> {
        let lying = self.w.lying[place as usize].clone();
        for i in (1..lying.len()).rev() {
            let (a, b) = (&lying[i], &lying[self.draw(&Datum::None, i as u64 + 1) as usize]);
            let (x, y) = (self.w.piece(a)?.clone(), self.w.piece(b)?.clone());
            for (c, shown) in [(a, y), (b, x)] {
                let piece = self.w.piece_mut(c)?;
                (piece.face, piece.side) = (shown.face, shown.side);
            }
            for slot in self.n.family_of(a)?.comps.attrs.iter().map(|s| s.index()) {
                let [x, y] = [a, b].map(|c| self.w.attrs.remove(&(slot, c.clone())));
                self.w.attrs.extend(y.map(|y| ((slot, a.clone()), y)));
                self.w.attrs.extend(x.map(|x| ((slot, b.clone()), x)));
            }
        }
        for c in lying {
            self.w.piece_mut(&c)?.known = self.sees_face(place, &c)?;
        }
        Ok(())
    }

    /// A die is turned to a side: who looks on knows it, nobody else does any more.
    pub(super) fn turn(&mut self, c: &Datum, side: u32) -> Result<()> {
        self.w.piece_mut(c)?.side = side;
        if self.place_at(c)?.zone.is_some() {
            self.w.piece_mut(c)?.known = self.seers(self.w.piece(c)?.place, c)?;
        }
        Ok(())
    }

    /// The seats (bits) that see what lies face up at a place. Into the box nobody looks.
    pub(super) fn seers(&mut self, place: u32, c: &Datum) -> Result<u32> {
        let place = &self.n.places[place as usize];
        let Some(zone) = place.zone else { return Ok(0) };
        Ok(match &zone.seen {
            Seen::All => u32::MAX >> (32 - u32::from(self.n.p.seats).clamp(1, 32)),
            Seen::Nobody => 0,
            Seen::Owner => self.n.seats_of(&place.holder),
            Seen::By(b) => {
                let players = self.eval(&b.body, &mut Frame::of(&[place.of.clone(), c.clone()]))?;
                self.n.seats_of(&players)
            }
        })
    }

    /// The seats (bits) that see the face of a component at a place: of what lies face down only who holds it.
    fn sees_face(&mut self, place: u32, c: &Datum) -> Result<u32> {
        let seers = self.seers(place, c)?;
        let holder = &self.n.places[place as usize].holder;
        Ok(if self.w.piece(c)?.up { seers } else { seers & self.n.seats_of(holder) })
    }

    /// Who sees what lies face up where a component lies knows it.
    pub(super) fn look_at(&mut self, c: &Datum) -> Result<()> {
        let seers = self.seers(self.w.piece(c)?.place, c)?;
        self.w.piece_mut(c)?.known |= seers;
        Ok(())
    }

    /// Before somebody chooses, and before a phase is over: where a value says who looks into a zone, they look.
    pub(super) fn notice(&mut self) -> Result<()> {
        for (c, piece) in self.w.pieces.clone() {
            let zone = self.n.places[piece.place as usize].zone;
            if piece.up && zone.is_some_and(|z| matches!(z.seen, Seen::By(_))) {
                self.look_at(&c)?;
            }
        }
        Ok(())
    }

    /// Who sees where a thing has come to knows it. Among things without an order that a seat does not see, it does not know any more which is which: neither what comes there, nor, if
    /// it did not look on, what else lay where it came from. What lies alone is known.
    pub(super) fn after_move(&mut self, c: &Datum, from: u32, sources: u32) -> Result<()> {
        let to = self.w.piece(c)?.place;
        let seers = self.sees_face(to, c)?;
        self.w.piece_mut(c)?.known |= seers;
        if self.place_at(c)?.zone.is_none() {
            return Ok(());
        }
        let mixes = |z: &ir::ZoneSlot| !z.ordered && !z.slot && z.capacity != 1;
        let hides = |place: u32| self.n.places[place as usize].slot.is_some_and(mixes);
        if hides(to) {
            self.w.piece_mut(c)?.known &= seers;
        }
        let mut mixed = self.w.lying[from as usize].clone();
        if hides(from) && from != to && !mixed.is_empty() {
            mixed.push(c.clone());
            for x in mixed {
                self.w.piece_mut(&x)?.known &= seers | sources;
            }
        }
        Ok(())
    }
}
