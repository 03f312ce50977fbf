//! Position hashes for repetition rules: the contents of a map, or the whole position, as a number of 128 bits, stored whenever a menu that counts repetitions is offered.
//!
//! A hash is computed when it is needed and not updated by writes, so games without such a rule pay nothing. Two different positions have the same hash with a probability of about
//! one in 10^38. The hashes are the same on every machine and in every run.
use crate::data::state::{State, Status};
use crate::world::cells;
use crate::world::cells::cell;
use houserule_program::ir::{AttrSlot, HistorySlot, Per, Program, SeenBy};

/// A hash under construction: two halves that are mixed separately.
struct Hash([u64; 2]);

impl Hash {
    fn new(seed: u64) -> Hash {
        let mut n = Hash([0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03]);
        n.put(seed);
        n
    }

    #[inline]
    fn put(&mut self, x: u64) {
        // The finaliser of SplitMix64 and that of MurmurHash3, each over its own half.
        let mut a = self.0[0].rotate_left(5) ^ x;
        a = (a ^ (a >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        a = (a ^ (a >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        self.0[0] = (a ^ (a >> 31)).wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut b = self.0[1].wrapping_add(x).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        b = (b ^ (b >> 33)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        self.0[1] = b ^ (b >> 33) ^ 0xD1B5_4A32_D192_ED03;
    }

    /// Adds a hash; the order of additions makes no difference.
    fn join(&mut self, o: &Hash) {
        self.0[0] = self.0[0].wrapping_add(o.0[0]);
        self.0[1] = self.0[1].wrapping_add(o.0[1]);
    }
}

/// The hash of a state without its fibers and histories: two states that differ only by what is done next have the same.
pub(crate) fn hash_state(st: &State) -> [u64; 2] {
    let mut n = Hash::new(2);
    st.planes.iter().for_each(|x| n.put(*x));
    st.cells.iter().for_each(|x| n.put(*x as u32 as u64));
    n.put(st.layers.len() as u64);
    n.put(st.phases.len() as u64);
    n.0
}

/// The hash of the present position, as a history takes it.
fn hash_position(p: &Program, st: &State, h: &HistorySlot) -> [u64; 2] {
    let mut n = Hash::new(1);
    if h.whole {
        n.put(st.head.turn as u64);
    }
    for a in h.attrs.iter().filter_map(|a| p.attrs.get(a.index())) {
        let things = a.of.and_then(|u| p.universes.get(u.index())).map_or(1, |u| u.n as usize);
        if let Some(g) = a.planes.and_then(|g| p.groups.get(g.index())) {
            // The plane of none follows from the others.
            let words = g.n as usize * g.w as usize;
            let at = g.at as usize;
            if words * 2 <= things {
                st.planes.get(at..at + words).unwrap_or(&[]).iter().for_each(|w| n.put(*w));
                continue;
            }
        }
        for pair in st.cells.get(a.cell as usize..a.cell as usize + things).unwrap_or(&[]).chunks(2) {
            let second = pair.get(1).copied().unwrap_or(0);
            n.put(u64::from(pair[0] as u32) | u64::from(second as u32) << 32);
        }
    }
    let mut lying = Hash([0, 0]);
    for ci in &h.comps {
        let Some(comps) = p.comps.get(*ci as usize) else { continue };
        let count = p.universes.get(comps.universe.index()).map_or(0, |u| u.n as usize);
        for c in 0..count {
            let place = cell(st, comps.place as usize + c);
            let Some(pl) = usize::try_from(place).ok().and_then(|i| p.places.get(i)) else { continue };
            let Some(zone) = p.zones.get(pl.zone as usize) else { continue };
            // Hidden components are not part of it.
            let down = comps.up != u32::MAX && cell(st, comps.up as usize + c) == 0;
            if zone.seen != SeenBy::All || down || !h.takes(p, zone) {
                continue;
            }
            let mut one = Hash::new(2);
            one.put(place as u64);
            one.put(cell(st, comps.face as usize + c) as u64);
            if comps.side != u32::MAX {
                one.put(cell(st, comps.side as usize + c) as u64);
            }
            if zone.ordered {
                let at = (0..cells::count_at(p, st, place as usize))
                    .position(|i| cells::component_at(p, st, place as usize, i) == c as i64);
                one.put(at.map_or(u64::MAX, |i| i as u64));
            }
            for a in comps.attrs.iter().filter_map(|a| p.attrs.get(a.index())) {
                if a.seen == SeenBy::All && a.per.is_none_or(|per| per == Per::Stay) {
                    one.put(cell(st, a.cell as usize + c) as u64);
                }
            }
            lying.join(&one);
        }
    }
    n.put(lying.0[0]);
    n.put(lying.0[1]);
    n.0
}

/// How often the present position is in a history.
pub(crate) fn count_seen(p: &Program, st: &State, h: usize) -> i64 {
    let (Some(slot), Some(kept)) = (p.histories.get(h), st.seen.get(h)) else { return 0 };
    let now = hash_position(p, st, slot);
    kept.iter().filter(|k| **k == now).count() as i64
}

/// Adds the present position to a history.
pub(crate) fn record(p: &Program, st: &mut State, h: usize) {
    let Some(slot) = p.histories.get(h) else { return };
    let now = hash_position(p, st, slot);
    if let Some(kept) = st.seen.get_mut(h) {
        kept.push(now);
    }
}

impl State {
    /// A hash of the position and of the place where the rules wait, whatever was done before; bots use it to look at each position only once.
    pub fn number(&self) -> u64 {
        let [a, b] = hash_state(self);
        self.streams.iter().copied().fold(self.mix_place(mix(a, b)), mix)
    }

    /// As [`State::number`], without what nobody sees, such as when a component came to its place, and without chance.
    pub fn number_seen(&self, p: &Program) -> u64 {
        let nobody = p.attrs.iter().filter(|a| a.seen == SeenBy::Nobody);
        let width = |a: &AttrSlot| a.of.and_then(|u| p.universes.get(u.index())).map_or(1, |u| u.n as usize);
        let mut unseen: Vec<_> = nobody.map(|a| (a.cell as usize, a.cell as usize + width(a))).collect();
        unseen.sort_unstable();
        let (mut n, mut from) = (Hash::new(3), 0);
        self.planes.iter().for_each(|x| n.put(*x));
        for (start, end) in unseen.into_iter().chain([(self.cells.len(), self.cells.len())]) {
            self.cells.get(from..start).unwrap_or(&[]).iter().for_each(|x| n.put(*x as u32 as u64));
            from = from.max(end);
        }
        n.put(self.layers.len() as u64);
        n.put(self.phases.len() as u64);
        self.mix_place(mix(n.0[0], n.0[1]))
    }

    /// Adds whose turn it is and where the rules wait.
    fn mix_place(&self, n: u64) -> u64 {
        let head = [
            self.head.turn as u64,
            self.head.turns as u64,
            self.head.round as u64,
            u64::from(self.head.over),
        ];
        let start = head.into_iter().fold(n, mix);
        self.fibers.iter().filter(|f| f.status != Status::Free).fold(start, |n, f| {
            let n = mix(mix(n, u64::from(f.pc)), u64::from(f.missing));
            f.links.iter().fold(n, |n, l| mix(n, u64::from(l.pc)))
        })
    }
}

fn mix(n: u64, x: u64) -> u64 {
    (n.rotate_left(7) ^ x).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
