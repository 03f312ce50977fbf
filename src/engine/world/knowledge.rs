//! Which seat knows which face: `known[seat]` is a plane over the components. A seat sees what its players see.
//!
//! - Entering a place whose faces a seat sees, and `show`, make the face known.
//! - Shuffling makes it unknown; so does entering an unordered place that the seat cannot look into (it no longer knows which is which), unless only one component fits there.
//! - If a component leaves such a place, which holds several, for another hidden place, all that were in it become unknown: any of them may have left.
//! - Ordered hidden places keep what is known: positions are public.
use crate::base::bitset::{bits, get_bit, put_bit};
use crate::data::seats::answering;
use crate::data::state::{LayerOp, State};
use crate::data::subsets::NOWHERE;
use crate::world::cells::{cell, members};
use crate::world::tables::Rules;
use houserule_program::ir::{NONE, Program, UniverseId};

/// Leaks that tests plant, to show that the laws find them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeededFault {
    /// A view shows faces that its seat does not know.
    ViewShowsFaces,
    /// Shuffling does not make unknown.
    ShuffleKeepsKnown,
    /// An event's arguments are open to all.
    LogUnfiltered,
    /// A question with one answer is not asked, although that reveals something.
    SilentAnswer,
    /// Hidden components keep their numbers and order in views.
    HandlesKept,
    /// Options are ordered by the numbers of components.
    NumberedOptions,
}

/// Whether a seat knows a component's face.
pub(crate) fn knows(p: &Program, st: &State, seat: usize, ci: usize, c: usize) -> bool {
    let Some(comps) = p.comps.get(ci).filter(|_| seat < p.seats as usize) else { return false };
    let w = crate::data::state::words_of(p, comps.universe.index());
    get_bit(&st.planes, comps.known as usize + seat * w, c)
}

/// Seats that know a component.
pub(crate) fn known_by(p: &Program, st: &State, ci: usize, c: usize) -> u32 {
    (0..p.seats.min(32) as usize).filter(|s| knows(p, st, *s, ci, c)).fold(0, |m, s| m | 1 << s)
}

/// Whether each of some seats knows a component's face.
pub(crate) fn known_to_all(p: &Program, st: &State, seats: u32, ci: usize, c: usize) -> bool {
    let mut own = (0..(p.seats as usize).min(32)).filter(|s| seats >> s & 1 == 1).peekable();
    own.peek().is_some() && own.all(|s| knows(p, st, s, ci, c))
}

/// Seats (bits) that know a face in the second state that they did not know in the first.
pub fn learnt(p: &Program, before: &State, after: &State) -> u32 {
    let mut seats = 0;
    for (ci, comps) in p.comps.iter().enumerate() {
        let n = p.universes.get(comps.universe.index()).map_or(0, |u| u.n as usize);
        for seat in 0..(p.seats as usize).min(32) {
            let news = |c: usize| {
                let at = comps.face as usize + c;
                knows(p, after, seat, ci, c)
                    && (!knows(p, before, seat, ci, c) || cell(before, at) != cell(after, at))
            };
            if (0..n).any(news) {
                seats |= 1 << seat;
            }
        }
    }
    seats
}

/// Makes a component's face known or unknown to seats (bits).
pub(crate) fn set_known(p: &Program, st: &mut State, seats: u32, ci: usize, c: usize, on: bool) {
    let Some(comps) = p.comps.get(ci) else { return };
    let w = crate::data::state::words_of(p, comps.universe.index());
    for seat in 0..p.seats as usize {
        if seats >> seat & 1 == 1 {
            put_bit(&mut st.planes, comps.known as usize + seat * w, c, on);
        }
    }
}

/// Updates knowledge after `c` has moved from `from` to `to`, into which `seers` look; `sources` see into `from`.
#[allow(clippy::too_many_arguments)]
pub(crate) fn after_move(
    rules: Rules<'_>,
    st: &mut State,
    ci: usize,
    c: usize,
    from: usize,
    to: usize,
    seers: u32,
    sources: u32,
) {
    let (Some(old), Some(new)) = (rules.p.places.get(from), rules.p.places.get(to)) else { return };
    let up = rules.p.comps.get(ci).is_none_or(|k| k.up == u32::MAX || cell(st, k.up as usize + c) != 0);
    let seers = if up { seers } else { seers & answering(rules.p, i64::from(new.holder)) };
    set_known(rules.p, st, seers, ci, c, true);
    if rules.p.comps.get(ci).is_some_and(|k| k.boxed as usize == to) {
        return;
    }
    let blind = rules.world.seats & !seers;
    if blind == 0 {
        return;
    }
    let single = |z: u16| rules.p.zones.get(z as usize).is_none_or(|z| z.slot || z.capacity == 1);
    if new.seq == u32::MAX && !single(new.zone) {
        set_known(rules.p, st, blind, ci, c, false);
    }
    let mixed = blind & !sources;
    if mixed != 0 && old.seq == u32::MAX && !single(old.zone) && from != to {
        let left: crate::world::cells::Lying =
            crate::base::bitset::bits(members(rules.p, st, from)).collect();
        if !left.is_empty() {
            set_known(rules.p, st, mixed, ci, c, false);
            for x in left {
                set_known(rules.p, st, mixed, ci, x, false);
            }
        }
    }
}

/// Whether something visible and lasting refers to this very component: an attribute that names it, or a layer that changed or captured it.
fn is_named(p: &Program, st: &State, ci: usize, c: usize) -> bool {
    let Some(comps) = p.comps.get(ci) else { return false };
    let by_attribute = comps.named_by.iter().filter_map(|x| p.attrs.get(x.index())).any(|x| {
        let n = x.of.map_or(1, |u| p.universes.get(u.index()).map_or(0, |u| u.n as usize));
        (0..n).any(|i| cell(st, x.cell as usize + i) == c as i64)
    });
    by_attribute
        || st.layers.iter().any(|layer| match layer.op {
            LayerOp::Put { attr, thing, .. } => {
                let of = p.attrs.get(usize::from(attr)).and_then(|x| x.of);
                of == Some(comps.universe) && thing as usize == c
            }
            LayerOp::Moved { u, c: moved, .. } => usize::from(u) == ci && moved as usize == c,
            LayerOp::Attached { what, at, .. } => {
                let things = p.leased.get(usize::from(what)).map_or(&[][..], |l| &l.things);
                let word = |k: u8| st.layer_words.get(at as usize + usize::from(k)).copied();
                things.iter().any(|(k, u)| *u == comps.universe && word(*k) == Some(c as u64))
            }
        })
}

/// Writes the class of each component of a set: two of one class are alike, and nothing else tells them apart (`same`). Returns the place of the classes; [`NOWHERE`]: no two are
/// alike.
pub(crate) fn classes(
    rules: Rules<'_>,
    st: &State,
    asker: i64,
    comps: u16,
    set: &[u64],
    same: impl Fn(usize, usize) -> bool,
    words: &mut Vec<u64>,
) -> u32 {
    let (at, ci) = (words.len(), usize::from(comps));
    let mut found = false;
    for (i, c) in bits(set).enumerate() {
        let first = bits(set).take(i).position(|b| same(b, c) && alike(rules.p, st, asker, ci, b, c));
        found |= first.is_some();
        words.push(first.unwrap_or(i) as u64);
    }
    if !found {
        words.truncate(at);
    }
    if found { at as u32 } else { NOWHERE }
}

/// Whether something lies in the zones of a component of a universe.
fn bears(p: &Program, st: &State, u: UniverseId, c: usize) -> bool {
    p.zones.iter().filter(|z| z.of == Some(u)).any(|z| {
        let places = (0..usize::from(z.indexes)).filter_map(|k| z.place(c, k));
        places.into_iter().any(|place| bits(members(p, st, place)).next().is_some())
    })
}

/// Whether two components cannot be told apart: same face (or the same component, if the asker does not know it), same attributes of its own, same place, nothing names one of
/// them or lies on one of them, and no rule asks for the order there.
pub(crate) fn alike(p: &Program, st: &State, asker: i64, ci: usize, a: usize, b: usize) -> bool {
    let Some(comps) = p.comps.get(ci) else { return false };
    let same = |first: u32| first == u32::MAX || cell(st, first as usize + a) == cell(st, first as usize + b);
    if !same(comps.place) || !same(comps.face) || !same(comps.side) || !same(comps.up) {
        return false;
    }
    if asker != NONE {
        let seats = answering(p, asker);
        // If several seats answer for a player, each must know both: merging them would reveal them to the others.
        let known = |c| known_to_all(p, st, seats, ci, c);
        if seats != 0 && !(known(a) && known(b)) {
            return false;
        }
    }
    let owner = |c: usize| comps.owners.get(c);
    let place = p.places.get(cell(st, comps.place as usize + a) as usize);
    let zone = place.and_then(|place| p.zones.get(usize::from(place.zone)));
    owner(a) == owner(b)
        && !zone.is_some_and(|z| z.order_asked)
        && comps.attrs.iter().all(|x| p.attrs.get(x.index()).is_none_or(|x| same(x.cell)))
        && !is_named(p, st, ci, a)
        && !is_named(p, st, ci, b)
        && !bears(p, st, comps.universe, a)
        && !bears(p, st, comps.universe, b)
}
