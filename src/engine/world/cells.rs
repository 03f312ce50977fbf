//! Reads and writes attributes with their planes, and components with their places.
use crate::base::bitset::{bits, put_bit};
use crate::base::fault::{FaultKind, Stop};
use crate::data::state::State;
use crate::world::tables::{PackedAttr, Rules};
use houserule_program::ir::{AttrIx, Components, NONE, Place, PlaceFact, Program, ZoneIx};

/// The [`State`] before anything has run.
pub(crate) fn initial_state(p: &Program, seed: u64) -> State {
    let mut st = State::default();
    st.head.seed = seed;
    st.head.turn = NONE;
    st.planes = vec![0; p.planes as usize];
    st.cells = vec![0; p.cells as usize];
    st.streams = vec![0; p.players as usize + 1];
    st.verdicts = vec![None; p.players as usize];
    st.seen = vec![Vec::new(); p.histories.len()];
    for a in &p.attrs {
        let n = a.of.and_then(|u| p.universes.get(u.index())).map_or(1, |u| u.n);
        for i in 0..n as usize {
            let v = a.initial.get(i).or(a.initial.first()).copied().unwrap_or(0);
            if let Some(c) = st.cells.get_mut(a.cell as usize + i) {
                *c = v;
            }
            if let Some(g) = a.planes.and_then(|g| p.groups.get(g.index())) {
                let k = plane_of(v, g.lo, u32::from(g.n));
                put_bit(&mut st.planes, g.at as usize + k as usize * g.w as usize, i, true);
            }
        }
    }
    // Number 0 is that of everything that is in force from the start.
    st.head.next_layer = 1;
    for pl in &p.places {
        if is_slot(pl) {
            set_cell(&mut st, pl.seq, 0, i32::MIN);
        }
    }
    for comps in &p.comps {
        let n = p.universes.get(comps.universe.index()).map_or(0, |u| u.n as usize);
        let w = crate::data::state::words_of(p, comps.universe.index());
        let boxed = p.places.get(comps.boxed as usize);
        for c in 0..n {
            let face = comps.initial.get(c).copied().unwrap_or(0);
            set_cell(&mut st, comps.place, c, i32::from(comps.boxed));
            set_cell(&mut st, comps.face, c, i32::from(face));
            if comps.up != u32::MAX {
                set_cell(&mut st, comps.up, c, 1);
            }
            if let Some(b) = boxed {
                put_bit(&mut st.planes, b.plane as usize, c, true);
            }
            for seat in 0..p.seats as usize {
                put_bit(&mut st.planes, comps.known as usize + seat * w, c, true);
            }
            if let Some(g) = comps.by_face.and_then(|g| p.groups.get(g.index())) {
                let k = plane_of(i32::from(face), g.lo, u32::from(g.n));
                put_bit(&mut st.planes, g.at as usize + k as usize * g.w as usize, c, true);
            }
        }
    }
    st
}

pub(crate) fn set_cell(st: &mut State, first: u32, i: usize, v: i32) {
    if let Some(c) = st.cells.get_mut(first as usize + i) {
        *c = v;
    }
}

/// The plane of a value in a group; the last is that of none.
pub(crate) fn plane_of(v: i32, lo: i32, n: u32) -> u32 {
    let k = i64::from(v) - i64::from(lo);
    if (0..i64::from(n)).contains(&k) { k as u32 } else { n }
}

/// A cell as a register; none if it does not exist.
#[inline]
pub(crate) fn cell(st: &State, at: usize) -> i64 {
    st.cells.get(at).map_or(NONE, |c| i64::from(*c))
}

/// Reads a number attribute.
#[inline]
pub(crate) fn load(st: &State, a: &PackedAttr, e: i64) -> Result<i64, Stop> {
    if e < 0 || e >= i64::from(a.n) {
        return Err(Stop::no_thing(e));
    }
    match st.cells.get(a.cell as usize + e as usize) {
        Some(c) => Ok(i64::from(*c)),
        None => Err(Stop::from(FaultKind::BadProgram("an attribute's cell"))),
    }
}

/// The value to be stored: range checked or clamped.
#[inline(always)]
pub(crate) fn fit(a: &PackedAttr, attr: AttrIx, v: i64) -> Result<i32, Stop> {
    if v >= i64::from(a.lo) && v <= i64::from(a.hi) {
        return Ok(v as i32);
    }
    fit_out_of_range(a, attr, v)
}

#[inline(never)]
fn fit_out_of_range(a: &PackedAttr, attr: AttrIx, v: i64) -> Result<i32, Stop> {
    if v == NONE {
        return if a.maybe { Ok(i32::MIN) } else { Err(Stop::from(FaultKind::NoneValue)) };
    }
    if a.clamped {
        return Ok(v.clamp(i64::from(a.lo), i64::from(a.hi.max(a.lo))) as i32);
    }
    Err(Stop::from(FaultKind::OutOfRange { attr, value: v }))
}

/// Writes a cell and its planes; `e` is within the attribute's things.
#[inline(always)]
pub(crate) fn store(st: &mut State, a: &PackedAttr, e: usize, v: i32) {
    let Some(c) = st.cells.get_mut(a.cell as usize + e) else { return };
    let old = std::mem::replace(c, v);
    if a.w == 1 && old != v {
        let bit = 1u64 << (e % 64);
        let (from, to) = (plane_of(old, a.plane_lo, a.plane_n), plane_of(v, a.plane_lo, a.plane_n));
        if let Some(word) = st.planes.get_mut(a.at as usize + from as usize) {
            *word &= !bit;
        }
        if let Some(word) = st.planes.get_mut(a.at as usize + to as usize) {
            *word |= bit;
        }
    } else if a.w != 0 && old != v {
        let w = a.w as usize;
        let k = plane_of(old, a.plane_lo, a.plane_n) as usize;
        put_bit(&mut st.planes, a.at as usize + k * w, e, false);
        let k = plane_of(v, a.plane_lo, a.plane_n) as usize;
        put_bit(&mut st.planes, a.at as usize + k * w, e, true);
    }
}

/// The place of a zone for a holder and an index; none if there is none, or if the holder never shows a face that has the zone.
pub(crate) fn place_of(p: &Program, zone: ZoneIx, owner: i64, index: i64) -> Result<i64, Stop> {
    let z = p.zones.get(zone.index()).ok_or(FaultKind::BadProgram("a zone that is not there"))?;
    let owner = match z.of {
        None => 0,
        Some(_) if owner == NONE => return Ok(NONE),
        Some(u) => {
            let n = p.universes.get(u.index()).map_or(0, |u| i64::from(u.n));
            if !(0..n).contains(&owner) {
                return Err(Stop::from(FaultKind::NoSuchThing));
            }
            owner as usize
        }
    };
    let k = if z.indexes <= 1 {
        0
    } else {
        if index == NONE {
            return Ok(NONE);
        }
        let k = index - i64::from(z.index_lo);
        if !(0..i64::from(z.indexes)).contains(&k) {
            return Err(Stop::from(FaultKind::NoSuchThing));
        }
        k
    };
    Ok(z.place(owner, k as usize).map_or(NONE, |place| place as i64))
}

/// The component in a holder's slot of a zone with one slot each, or none.
#[inline(never)]
pub(crate) fn held_component(p: &Program, st: &State, zone: ZoneIx, owner: i64) -> Result<i64, Stop> {
    Ok(match holder_place(p, zone, owner)? {
        Some(pl) if pl.seq != u32::MAX => cell(st, pl.seq as usize),
        _ => NONE,
    })
}

/// A holder's place in a zone with one place each; `None` if the holder is none or has no place.
#[inline]
pub(crate) fn holder_place(p: &Program, zone: ZoneIx, owner: i64) -> Result<Option<&Place>, Stop> {
    let z = p.zones.get(zone.index()).ok_or(FaultKind::BadProgram("a zone that is not there"))?;
    if owner == NONE {
        return Ok(None);
    }
    let n = z.of.and_then(|u| p.universes.get(u.index())).map_or(0, |u| i64::from(u.n));
    if !(0..n).contains(&owner) {
        return Err(Stop::from(FaultKind::NoSuchThing));
    }
    let row = (owner as usize).wrapping_sub(z.holders.0 as usize);
    Ok(if row < z.holders.1 as usize { p.places.get(z.first as usize + row) } else { None })
}

#[inline(never)]
pub(crate) fn place_fact(p: &Program, place: i64, fact: PlaceFact) -> i64 {
    let Some(pl) = usize::try_from(place).ok().and_then(|i| p.places.get(i)) else { return NONE };
    match fact {
        PlaceFact::Space => i64::from(pl.space),
        PlaceFact::Holder => i64::from(pl.holder),
        PlaceFact::Zone if pl.zone == u16::MAX => NONE,
        PlaceFact::Zone => i64::from(pl.zone),
        PlaceFact::Owner => i64::from(pl.owner),
        PlaceFact::Host => match p.zones.get(usize::from(pl.zone)).and_then(|z| p.components_of(z.of?)) {
            Some(_) => i64::from(pl.owner),
            None => NONE,
        },
    }
}

/// The number of components at a place.
pub(crate) fn count_at(p: &Program, st: &State, place: usize) -> usize {
    let Some(pl) = p.places.get(place) else { return 0 };
    if is_ordered(pl) {
        return sequence(st, pl).len();
    }
    if is_slot(pl) {
        return usize::from(cell(st, pl.seq as usize) != NONE);
    }
    members(p, st, place).iter().map(|w| w.count_ones() as usize).sum()
}

/// The plane of a place's members.
pub(crate) fn members<'a>(p: &Program, st: &'a State, place: usize) -> &'a [u64] {
    let Some(pl) = p.places.get(place) else { return &[] };
    let w = p.comps.get(pl.comps as usize).map_or(1, |c| crate::data::state::words_of(p, c.universe.index()));
    st.planes.get(pl.plane as usize..pl.plane as usize + w).unwrap_or(&[])
}

/// The component at a position of an ordered place.
pub(crate) fn component_at(p: &Program, st: &State, place: usize, i: usize) -> i64 {
    match p.places.get(place) {
        Some(pl) if is_ordered(pl) => sequence(st, pl).get(i).map_or(NONE, |c| i64::from(*c)),
        Some(pl) if is_slot(pl) => {
            if i == 0 {
                cell(st, pl.seq as usize)
            } else {
                NONE
            }
        }
        Some(_) => bits(members(p, st, place)).nth(i).map_or(NONE, |c| c as i64),
        None => NONE,
    }
}

/// Whether a place is a slot: then it has one cell.
#[inline]
pub(crate) fn is_slot(pl: &Place) -> bool {
    pl.seq != u32::MAX && pl.row == u32::MAX
}

/// Whether a place keeps an order: then its components stand in the row of their family.
#[inline]
pub(crate) fn is_ordered(pl: &Place) -> bool {
    pl.row != u32::MAX
}

/// The components at an ordered place, the top first.
#[inline]
pub(crate) fn sequence<'a>(st: &'a State, pl: &Place) -> &'a [i32] {
    let (row, seq) = (pl.row as usize, pl.seq as usize);
    match st.cells.get(seq..seq + 2) {
        Some([from, to]) => st.cells.get(row + *from as usize..row + *to as usize).unwrap_or(&[]),
        _ => &[],
    }
}

/// Takes the entry at a position out of an ordered place, or makes room for one: the entries behind it move up or down, and the places behind this one begin earlier or later.
fn shift_row(st: &mut State, pl: &Place, at: usize, in_: bool) {
    let (row, seq) = (pl.row as usize, pl.seq as usize);
    let entry = row + usize::try_from(cell(st, seq)).unwrap_or(0) + at;
    let end = row + usize::try_from(cell(st, row - 1)).unwrap_or(0);
    if in_ && entry <= end {
        st.cells.copy_within(entry..end, entry + 1);
    } else if !in_ && entry < end {
        st.cells.copy_within(entry + 1..end, entry);
        // What is not in use is 0, so that equal states have equal cells.
        set_cell(st, 0, end - 1, 0);
    }
    for begin in st.cells.get_mut(seq + 1..row).unwrap_or_default() {
        *begin += if in_ { 1 } else { -1 };
    }
}

/// Moves an entry of a row from a position in one place to a position in another, or in the same one: what lies between moves up or down.
fn move_in_row(st: &mut State, (old, gap): (&Place, usize), (to, at): (&Place, usize)) {
    let row = to.row as usize;
    let entry =
        |st: &State, pl: &Place, i: usize| row + usize::try_from(cell(st, pl.seq as usize)).unwrap_or(0) + i;
    let (from, before) = (entry(st, old, gap), entry(st, to, at));
    let (first, last) = (old.seq.min(to.seq) as usize, old.seq.max(to.seq) as usize);
    let c = cell(st, from) as i32;
    let later = from >= before;
    if later && from < st.cells.len() {
        st.cells.copy_within(before..from, before + 1);
        set_cell(st, 0, before, c);
    } else if !later && before <= st.cells.len() {
        st.cells.copy_within(from + 1..before, from);
        set_cell(st, 0, before - 1, c);
    }
    for begin in st.cells.get_mut(first + 1..=last).unwrap_or_default() {
        *begin += if later { 1 } else { -1 };
    }
}

/// The components of one place, without allocation for most piles.
pub(crate) type Lying = smallvec::SmallVec<[usize; 64]>;

/// Components at a place: in order if it is ordered, else by number.
pub(crate) fn lying_at(p: &Program, st: &State, place: usize) -> Lying {
    match p.places.get(place) {
        Some(pl) if is_ordered(pl) => sequence(st, pl).iter().map(|c| *c as usize).collect(),
        _ => bits(members(p, st, place)).collect(),
    }
}

/// Puts component `c` of comps `ci` into `place`, keeping planes, sequences and cells together. Knowledge is not touched.
pub(crate) fn relocate(
    p: &Program,
    st: &mut State,
    ci: usize,
    c: usize,
    place: usize,
    under: bool,
) -> Result<usize, Stop> {
    let comps = p.comps.get(ci).ok_or(FaultKind::BadProgram("components that are not there"))?;
    let to = *p.places.get(place).ok_or(FaultKind::NoSuchThing)?;
    if to.comps as usize != ci {
        return Err(Stop::from(FaultKind::BadProgram("a place for other components")));
    }
    let from_at = comps.place as usize + c;
    let from = usize::try_from(cell(st, from_at)).map_err(|_| FaultKind::NoSuchThing)?;
    let mut gap = None;
    if let Some(old) = p.places.get(from) {
        put_bit(&mut st.planes, old.plane as usize, c, false);
        if is_slot(old) {
            set_cell(st, old.seq, 0, i32::MIN);
        } else if is_ordered(old) {
            gap = sequence(st, old).iter().position(|x| *x == c as i32).map(|i| (*old, i));
        }
    }
    // Within a row, the entry moves with what is between.
    let stays = gap.filter(|(old, _)| old.row == to.row);
    if let (Some((old, i)), None) = (gap, stays) {
        shift_row(st, &old, i, false);
    }
    let zone = p.zones.get(to.zone as usize);
    let room = zone.map_or(usize::MAX, |z| if z.slot { 1 } else { z.capacity as usize });
    if room < usize::from(u16::MAX)
        && count_at(p, st, place) - usize::from(stays.is_some() && from == place) >= room
    {
        return Err(Stop::from(FaultKind::ZoneFull(ZoneIx(to.zone))));
    }
    set_cell(st, comps.place, c, place as i32);
    if from != place {
        note_arrival(comps, st, c);
    }
    put_bit(&mut st.planes, to.plane as usize, c, true);
    if is_slot(&to) {
        set_cell(st, to.seq, 0, c as i32);
    } else if is_ordered(&to) {
        // The layout makes room for all that can show faces of the kinds that the zones hold.
        if stays.is_none() && cell(st, to.row as usize - 1) >= i64::from(to.room) {
            return Err(Stop::from(FaultKind::ZoneFull(ZoneIx(to.zone))));
        }
        let n = sequence(st, &to).len();
        let at = if under { n } else { 0 };
        if let Some((old, i)) = stays {
            move_in_row(st, (&old, i), (&to, at));
            return Ok(from);
        }
        shift_row(st, &to, at, true);
        let begin = usize::try_from(cell(st, to.seq as usize)).unwrap_or(0);
        set_cell(st, to.row, begin + at, c as i32);
    }
    Ok(from)
}

/// Notes that component `c` has just come to its place: what it brings into force is the newest.
pub(crate) fn note_arrival(comps: &houserule_program::ir::Components, st: &mut State, c: usize) {
    if comps.came != u32::MAX {
        let now = st.head.next_layer;
        st.head.next_layer = now.wrapping_add(1);
        set_cell(st, comps.came, c, i32::try_from(now).unwrap_or(i32::MAX));
    }
}

/// Makes component `c` show face `f`.
pub(crate) fn set_face(p: &Program, st: &mut State, ci: usize, c: usize, f: i32) {
    let Some(comps) = p.comps.get(ci) else { return };
    let at = comps.face as usize + c;
    let old = cell(st, at) as i32;
    if let Some(x) = st.cells.get_mut(at) {
        *x = f;
    }
    if let Some(g) = comps.by_face.and_then(|g| p.groups.get(g.index())) {
        let w = g.w as usize;
        let k = plane_of(old, g.lo, u32::from(g.n)) as usize;
        put_bit(&mut st.planes, g.at as usize + k * w, c, false);
        let k = plane_of(f, g.lo, u32::from(g.n)) as usize;
        put_bit(&mut st.planes, g.at as usize + k * w, c, true);
    }
}

/// A component's cell.
#[inline(never)]
pub(crate) fn comp_cell(
    rules: Rules<'_>,
    st: &State,
    u: u8,
    c: i64,
    first: impl Fn(&Components) -> u32,
) -> Result<i64, Stop> {
    let uni = rules.world.universe(u as usize)?;
    let comps = rules
        .p
        .comps
        .get(uni.comps as usize)
        .ok_or(FaultKind::BadProgram("components that are not there"))?;
    if c < 0 || c >= i64::from(uni.n) {
        return Err(Stop::no_thing(c));
    }
    let first = first(comps);
    if first == u32::MAX {
        return Ok(1);
    }
    Ok(cell(st, first as usize + c as usize))
}
