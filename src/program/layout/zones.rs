//! Lays out zones: the places of each, their holders, their capacity.
use crate::ir::*;
use crate::layout::tables::Tables;
use houserule_model::body::types;
use houserule_model::hir::*;

impl Tables<'_> {
    /// Finds which faces can change places, before zones are laid out: those that a shuffled zone holds, and those with equal backs that a zone holds in which faces can be unknown.
    pub fn find_exchange_classes(&mut self) {
        let (m, facts) = (self.m, self.game_facts);
        for (root, ci) in self.layout.comps_of.clone() {
            let at = usize::from(ci);
            let (Some(kinds), Some(comps)) = (self.layout.face_kinds.get(at), self.p.comps.get(at)) else {
                continue;
            };
            let mut classes: Vec<u16> = (0..kinds.len() as u16).collect();
            let join = |classes: &mut Vec<u16>, a: usize, b: usize| {
                let (old, new) = (classes[a], classes[b]);
                classes.iter_mut().filter(|c| **c == old).for_each(|c| *c = new);
            };
            // Who becomes another face has one of its kind, before or afterwards.
            for (of, to) in &facts.becomes {
                let shows = |f: &usize| types::is_a(m, kinds[*f], *of) || types::is_a(m, kinds[*f], *to);
                let all: Vec<usize> = (0..kinds.len()).filter(shows).collect();
                all.windows(2).for_each(|x| join(&mut classes, x[0], x[1]));
            }
            for (id, z) in (0..).map(ZoneId).zip(&m.zones).filter(|(_, z)| self.set.has(z.scope)) {
                let shuffled = facts.shuffled.contains(&id);
                if !shuffled && matches!(z.seen, Seen::All) && !facts.can_turn.contains(&root) {
                    continue;
                }
                let held = |f: &usize| z.holds.iter().any(|k| types::is_a(m, kinds[*f], *k));
                let held: Vec<usize> = (0..kinds.len()).filter(held).collect();
                for (i, a) in held.iter().enumerate() {
                    let alike = |b: &&usize| shuffled || comps.backs[*a] == comps.backs[**b];
                    let Some(b) = held[..i].iter().find(alike) else { continue };
                    join(&mut classes, *a, *b);
                }
            }
            if let Some(comps) = self.p.comps.get_mut(at) {
                comps.classes = classes;
            }
        }
    }

    /// Lays out the rows of ordered places, after all zones: for each family one, with a cell for each component that can lie in one of them.
    pub fn lay_out_rows(&mut self) {
        for ci in 0..self.p.comps.len() {
            let ordered = |z: &ZoneSlot| usize::from(z.holds) == ci && z.ordered;
            let slot_of = |id| self.p.zones.get(self.layout.zone_ix.get(&id)?.index());
            let zones = (0..).map(ZoneId).zip(&self.m.zones);
            let zones: Vec<_> = zones
                .filter_map(|(id, z)| slot_of(id).filter(|slot| ordered(slot)).map(|slot| (z, slot)))
                .collect();
            if zones.is_empty() {
                continue;
            }
            let many = |z: &ZoneSlot| z.holders.1 * u32::from(z.indexes);
            let places: u32 = zones.iter().map(|(_, z)| many(z)).sum();
            // A shuffle exchanges faces, so that as many components as at the start show faces of the kinds that the zones hold; `becomes` makes more of them.
            let kinds = zones.iter().flat_map(|(z, _)| &z.holds).copied().collect::<Vec<_>>();
            let most = match kinds.iter().any(|k| self.game_facts.may_become(self.m, *k)) {
                true => self.things_in(self.p.comps[ci].universe),
                false => self.count_things(&kinds),
            };
            let room = zones.iter().map(|(_, z)| u64::from(many(z)) * u64::from(z.capacity)).sum::<u64>();
            let room = most.min(room.try_into().unwrap_or(u32::MAX));
            let first = self.alloc_cells(places + 1 + room);
            let row = first + places + 1;
            let p = &mut self.p;
            let ordered = |pl: &&mut Place| {
                usize::from(pl.comps) == ci && p.zones.get(usize::from(pl.zone)).is_some_and(|z| z.ordered)
            };
            for (i, pl) in (first..).zip(p.places.iter_mut().filter(ordered)) {
                (pl.seq, pl.row, pl.room) = (i, row, room as u16);
            }
        }
    }

    /// How many things there are of some kinds.
    fn count_things(&self, kinds: &[KindId]) -> u32 {
        let mut all: Vec<u64> = Vec::new();
        for of in kinds.iter().filter_map(|k| self.layout.things_of.get(k)) {
            all.resize(all.len().max(of.len()), 0);
            all.iter_mut().zip(of).for_each(|(a, b)| *a |= b);
        }
        all.iter().map(|x| x.count_ones()).sum()
    }

    /// The components that may come to show a face of a kind: the least number, and how many there are from there up to the greatest.
    fn bearers(&self, kind: KindId) -> Option<(u32, u32)> {
        let ci = usize::from(*self.layout.comps_of.get(&self.root(kind))?);
        let (kinds, comps) = (self.layout.face_kinds.get(ci)?, self.p.comps.get(ci)?);
        let of_kind = kinds.iter().zip(&comps.classes).filter(|(k, _)| types::is_a(self.m, **k, kind));
        let classes: Vec<u16> = of_kind.map(|(_, class)| *class).collect();
        let bears = |face: &u16| comps.classes.get(usize::from(*face)).is_some_and(|c| classes.contains(c));
        let from = comps.initial.iter().position(bears).unwrap_or(0);
        let to = comps.initial.iter().rposition(bears).map_or(from, |last| last + 1);
        Some((from as u32, (to - from) as u32))
    }

    pub fn lay_out_zone(&mut self, id: ZoneId) {
        let m = self.m;
        let z = &m.zones[id.index()];
        if !self.set.has(z.scope) {
            return;
        }
        let Some(holds) = z.holds.first().and_then(|k| self.layout.comps_of.get(&self.root(*k))).copied()
        else {
            self.report_unsupported(z.span, "zones of things that are no components");
            return;
        };
        let (of, holders) = match z.of {
            None => (None, (0, 1)),
            Some(k) => match self.layout.kind_uni.get(&k) {
                Some(u) => (Some(*u), self.bearers(k).unwrap_or((0, self.things_in(*u)))),
                None => return,
            },
        };
        let (indexes, index_lo, index_of) = match &z.index {
            None => (1, 0, None),
            Some(t) => {
                let u = self.universe_of(t, z.span);
                let numbers = self
                    .p
                    .universes
                    .get(u.index())
                    .is_some_and(|u| matches!(u.sort, UniverseSort::Numbers { .. }));
                (self.things_in(u), self.least_of(u), (!numbers).then_some(u))
            }
        };
        let comps = &self.p.comps[holds as usize];
        let n = comps.initial.len() as u16;
        let w = self.set_words(comps.universe);
        let capacity = match (&z.capacity, z.slot) {
            (_, true) => 1,
            (Some(c), false) => self.setup_number(&c.body, &[], "how many fit").clamp(0, i64::from(n)) as u16,
            (None, false) => n,
        };
        let first = self.p.places.len() as u16;
        let ix = ZoneIx(self.p.zones.len() as u16);
        let player = z.of == Some(builtin_kinds::PLAYER);
        let on_space = z.of.is_some_and(|k| types::is_space(m, k));
        let order_asked = self.game_facts.order_read.contains(&id) && !z.slot;
        let ordered = !z.slot && (self.game_facts.keep_order.contains(&id) || z.sorted.is_some());
        // Places must not exceed their numbers: a zone that is too large is left out, and the layout goes on.
        let many = u64::from(holders.1) * u64::from(indexes);
        if many + self.p.places.len() as u64 > 60_000 {
            self.report_unsupported(z.span, format_args!("a zone of {many} places"));
            return;
        }
        for h in holders.0..holders.0 + holders.1 {
            for _ in 0..indexes {
                let plane = self.alloc_planes(u32::from(w));
                let seq = if z.slot { self.alloc_cells(1) } else { u32::MAX };
                self.p.places.push(Place {
                    zone: ix.0,
                    owner: if z.of.is_some() { h as i32 } else { i32::MIN },
                    holder: if player { h as i32 } else { i32::MIN },
                    space: if on_space { h as i32 } else { i32::MIN },
                    comps: holds,
                    plane,
                    seq,
                    row: u32::MAX,
                    room: 0,
                });
            }
        }
        let whole = z.holds.iter().any(|k| self.own_faces(Some(*k)).is_empty());
        let same = if whole { None } else { m.zones.iter().position(|x| x.holds == z.holds) };
        let kinds = same.and_then(|i| u16::try_from(i).ok());
        let decl = self.add_decl("zone", &z.name, z.span);
        let seen = match &z.seen {
            Seen::All => SeenBy::All,
            Seen::Owner => SeenBy::Owner,
            Seen::Nobody => SeenBy::Nobody,
            // The function is made with the code.
            Seen::By(_) => SeenBy::Nobody,
        };
        if !z.slot && capacity != 1 && !matches!(z.seen, Seen::All) {
            self.p.comps[holds as usize].mixed = true;
        }
        self.p.zones.push(ZoneSlot {
            name: m.shown_zone(z),
            of,
            holds,
            kinds,
            first,
            holders,
            indexes: indexes as u16,
            index_lo,
            index_of,
            slot: z.slot,
            ordered,
            order_asked,
            seen,
            capacity,
            unlimited: z.unlimited,
            decl,
        });
        self.layout.zone_ix.insert(id, ix);
    }
}
