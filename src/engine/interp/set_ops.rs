//! Functions that the interpreter calls for set instructions on the board: components by place and face, spaces by their contents, neighbours and rays.
//! Each is outside the loop, so that the loop keeps no registers for it. They return the steps to charge.
use crate::base::bitset;
use crate::base::fault::{FaultKind, Stop};
use crate::base::window::{Window, check_number, int, reg, slice, write_words};
use crate::data::state::State;
use crate::world::cells::cell;
use crate::world::graph::{Buf, MAX_WORDS};
use crate::world::tables::{Rules, WorldTables, map_at};
use crate::world::{cells, domains, graph, tables};
use houserule_program::ir::*;

/// The most words of sets that are built without a buffer for the largest map.
const FEW: usize = 4;

/// Builds a set of `w` words with a function, and puts it into `d`.
#[inline(always)]
fn write_set(win: &mut Window, d: R, w: usize, make: impl Fn(&Window, &mut [u64])) -> Result<(), Stop> {
    let (mut few, mut many): ([u64; FEW], Buf);
    let room = if w <= FEW {
        few = [0; FEW];
        few.get_mut(..w)
    } else {
        many = [0; MAX_WORDS];
        many.get_mut(..w)
    };
    let room = room.ok_or(FaultKind::BadProgram("a set that is too large"))?;
    make(win, room);
    write_words(win, d, room);
    Ok(())
}

/// The components of set `e`, of `w` words, that pass a test, into `d`. One word takes no buffer.
#[inline(always)]
fn filter_set(
    win: &mut Window,
    (d, e): (R, R),
    w: u8,
    passes: impl Fn(&Window, usize) -> bool,
) -> Result<(), Stop> {
    if w == 1 {
        let (mut rest, mut those) = (win[e as usize], 0u64);
        while rest != 0 {
            let c = rest.trailing_zeros();
            rest &= rest - 1;
            those |= u64::from(passes(win, c as usize)) << c;
        }
        win[d as usize] = those;
        return Ok(());
    }
    write_set(win, d, w as usize, |win, o| {
        let set = slice(win, e, w as usize);
        bitset::bits(set).filter(|c| passes(win, *c)).for_each(|c| graph::put(o, c));
    })
}

/// [`Ins::SAtIn`].
#[inline(never)]
pub(crate) fn at_in(
    world: &WorldTables,
    st: &State,
    win: &mut Window,
    (d, e, s): (R, R, R),
    (u, w): (u8, u8),
) -> Result<u32, Stop> {
    let uni = world.universe(u as usize)?;
    let places = st.cells.get(uni.place as usize..).and_then(|c| c.get(..uni.n as usize)).unwrap_or(&[]);
    filter_set(win, (d, e), uni.w, |win, c| {
        let place = places.get(c).map_or(usize::MAX, |place| *place as usize);
        let space = world.spaces.get(place).map_or(u32::MAX, |x| *x as u32);
        space < 64 * u32::from(w) && win[reg(s, space as usize / 64)] >> (space % 64) & 1 != 0
    })?;
    Ok(1 + uni.n / 16)
}

/// A zone with one place for each holder.
#[inline(always)]
fn zone_of_holders(world: &WorldTables, zone: ZoneIx) -> Result<&tables::PackedZone, Stop> {
    let slot = world.zones.get(zone.index()).and_then(Option::as_ref);
    slot.ok_or_else(|| Stop::from(FaultKind::BadProgram("a zone that is not there")))
}

/// [`Ins::HeldIn`].
#[inline(never)]
pub(crate) fn held_in(
    rules: Rules<'_>,
    st: &State,
    win: &mut Window,
    (d, s): (R, R),
    zone: ZoneIx,
) -> Result<u32, Stop> {
    let z = zone_of_holders(rules.world, zone)?;
    let first = z.first as usize;
    let places = rules.p.places.get(first..first + z.many as usize).unwrap_or(&[]);
    let place_of = |holder: usize| places.get(holder.wrapping_sub(z.from as usize));
    if z.held_w == 1 {
        let mut those = 0;
        for k in 0..z.w as usize {
            let mut rest = win[reg(s, k)];
            while rest != 0 {
                let at = k * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let plane = place_of(at).map_or(usize::MAX, |pl| pl.plane as usize);
                those |= st.planes.get(plane).copied().unwrap_or(0);
            }
        }
        win[d as usize] = those;
    } else {
        write_set(win, d, z.held_w as usize, |win, o| {
            for at in bitset::bits(slice(win, s, z.w as usize)) {
                let plane = place_of(at).map_or(usize::MAX, |pl| pl.plane as usize);
                for (i, word) in o.iter_mut().enumerate() {
                    *word |= st.planes.get(plane.wrapping_add(i)).copied().unwrap_or(0);
                }
            }
        })?;
    }
    Ok(1 + z.n / 16)
}

/// [`Ins::SHolders`].
#[inline(never)]
pub(crate) fn holders(
    world: &WorldTables,
    st: &State,
    win: &mut Window,
    (d, s): (R, R),
    zone: ZoneIx,
) -> Result<u32, Stop> {
    let z = zone_of_holders(world, zone)?;
    let (first, places) = (z.first, z.place as usize);
    let lies = st.cells.get(places..places + z.held as usize).unwrap_or(&[]);
    // The number of the holder in whose slot a component lies.
    let of = |c: usize| {
        let row = lies.get(c).map_or(u32::MAX, |x| (*x as u32).wrapping_sub(first));
        if row < z.many { (row + z.from) as usize } else { z.n as usize }
    };
    if z.w == 1 && z.held_w == 1 {
        let (mut rest, mut those) = (win[s as usize], 0u64);
        while rest != 0 {
            let at = of(rest.trailing_zeros() as usize);
            rest &= rest - 1;
            those |= if at < z.n as usize { 1u64 << (at & 63) } else { 0 };
        }
        win[d as usize] = those;
    } else if z.w as usize <= FEW && z.held_w == 1 {
        let (mut rest, mut those) = (win[s as usize], [0u64; FEW]);
        while rest != 0 {
            let at = of(rest.trailing_zeros() as usize);
            rest &= rest - 1;
            those[at / 64 % FEW] |= u64::from(at < z.n as usize) << (at % 64);
        }
        write_words(win, d, those.get(..z.w as usize).unwrap_or(&[]));
    } else {
        write_set(win, d, z.w as usize, |win, o| {
            for c in bitset::bits(slice(win, s, z.held_w as usize)) {
                let at = of(c);
                if at < z.n as usize {
                    graph::put(o, at);
                }
            }
        })?;
    }
    Ok(1 + z.held / 16)
}

/// [`Ins::RayEnd`].
#[inline(never)]
pub(crate) fn ray_end(
    p: &Program,
    win: &mut Window,
    d: R,
    (c, r, s): (R, R, R),
    (m, last): (u8, bool),
) -> Result<u32, Stop> {
    let (mut at, way) = (int(win[c as usize]), int(win[r as usize]));
    let (mut found, mut steps) = (NONE, 1u32);
    while let next @ 0.. = crate::interp::list_ops::step_from(p, m, at, way) {
        at = next;
        steps += 1;
        if win[reg(s, at as usize / 64)] >> (at % 64) & 1 == 1 {
            found = at;
            if !last {
                break;
            }
        }
        // On a map that is a ring, a ray has no end.
        if steps > 1 << 16 {
            return Err(Stop::from(FaultKind::OutOfBudget));
        }
    }
    win[d as usize] = found as u64;
    Ok(steps)
}

/// [`Ins::SCrowdAt`].
#[inline(never)]
pub(crate) fn crowd_at(
    rules: Rules<'_>,
    st: &State,
    win: &mut Window,
    (d, e, n): (R, R, R),
    (u, op, zone): (u8, Comparison, ZoneIx),
) -> Result<u32, Stop> {
    let z = zone_of_holders(rules.world, zone)?;
    let uni = rules.world.universe(u as usize)?;
    let wanted = int(win[n as usize]);
    filter_set(win, (d, e), uni.w, |_, c| {
        let place = cell(st, uni.place as usize + c) as i32;
        let space = rules.world.spaces.get(place as usize).map_or(u32::MAX, |x| *x as u32);
        if space >= z.n {
            return false;
        }
        let at = (z.first + space) as usize;
        let many = match rules.p.places.get(at) {
            Some(pl) if z.held_w == 1 && pl.seq == u32::MAX => {
                st.planes.get(pl.plane as usize).map_or(0, |x| i64::from(x.count_ones()))
            }
            _ => cells::count_at(rules.p, st, at) as i64,
        };
        compares(op, many, wanted)
    })?;
    Ok(1 + uni.n / 16)
}

/// [`Ins::SCrowd`].
#[inline(never)]
pub(crate) fn crowd(
    rules: Rules<'_>,
    st: &State,
    win: &mut Window,
    (d, n): (R, R),
    (op, zone): (Comparison, ZoneIx),
) -> Result<u32, Stop> {
    let z = zone_of_holders(rules.world, zone)?;
    let first = z.first as usize;
    let wanted = int(win[n as usize]);
    let good = move |many| compares(op, many, wanted);
    let places = z.place as usize;
    let lies = st.cells.get(places..places + z.held as usize).unwrap_or(&[]);
    // If only none, one and more are distinguished, two bits for each holder count the components.
    let few = matches!((op, wanted), (_, 0 | 1) | (Comparison::Lt | Comparison::Ge, 2));
    let plain = rules.p.places.get(first).is_some_and(|pl| pl.seq == u32::MAX);
    if few && plain && z.w as usize <= FEW {
        let (mut once, mut twice) = ([0u64; FEW], [0u64; FEW]);
        for place in lies {
            let row = (*place as u32).wrapping_sub(first as u32);
            let at = row.wrapping_add(z.from) as usize;
            let bit = u64::from(row < z.many) << (at % 64);
            let word = at / 64 % FEW;
            twice[word] |= once[word] & bit;
            once[word] |= bit;
        }
        let of = |yes: bool| if yes { u64::MAX } else { 0 };
        let (none, one, more) = (of(good(0)), of(good(1)), of(good(2)));
        let mut left = z.n as usize;
        for (once, twice) in once.iter_mut().zip(twice) {
            let full = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
            *once = full & (!*once & none | *once & !twice & one | twice & more);
            left = left.saturating_sub(64);
        }
        write_words(win, d, once.get(..z.w as usize).unwrap_or(&[]));
        return Ok(1 + z.held / 16);
    }
    let empty = good(0);
    write_set(win, d, z.w as usize, |_, o| {
        let mut left = z.n as usize;
        for word in o.iter_mut() {
            let full = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
            *word = if empty { full } else { 0 };
            left = left.saturating_sub(64);
        }
        // Holders with something in the zone are tested once for each component that lies there.
        for place in lies {
            let row = (*place as u32).wrapping_sub(first as u32) as usize;
            if row >= z.many as usize {
                continue;
            }
            let at = row + z.from as usize;
            let bit = 1 << (at % 64);
            if let Some(word) = o.get_mut(at / 64) {
                let many = cells::count_at(rules.p, st, first + row);
                let yes = good(many as i64);
                *word = if yes { *word | bit } else { *word & !bit };
            }
        }
    })?;
    Ok(1 + z.held / 8 + z.n / 32)
}

/// [`Ins::SByFace`].
#[inline(never)]
pub(crate) fn by_face(
    rules: Rules<'_>,
    st: &State,
    win: &mut Window,
    (d, s, f): (R, R, R),
    u: u8,
) -> Result<u32, Stop> {
    let uni = rules.world.universe(u as usize)?;
    let comps = components(rules.p, &uni)?;
    let fw = rules.world.universes.get(comps.faces.index()).map_or(1, |f| f.w as usize);
    let faces = comps.face as usize;
    if fw == 1 {
        let (wanted, n) = (win[f as usize], uni.n as usize);
        let faces = st.cells.get(faces..).and_then(|c| c.get(..n)).unwrap_or(&[]);
        let has = |face: i32| (face as u32) < 64 && wanted >> face as u32 & 1 == 1;
        filter_set(win, (d, s), uni.w, |_, c| faces.get(c).is_some_and(|face| has(*face)))?;
    } else {
        filter_set(win, (d, s), uni.w, |win, c| {
            usize::try_from(cell(st, faces + c)).is_ok_and(|face| graph::has(slice(win, f, fw), face))
        })?;
    }
    Ok(1 + uni.n / 16)
}

/// [`Ins::ZLen`].
#[inline(never)]
pub(crate) fn count_at(p: &Program, st: &State, win: &mut Window, d: R, q: R) {
    let n = usize::try_from(int(win[q as usize])).map_or(0, |i| cells::count_at(p, st, i));
    win[d as usize] = n as u64;
}

/// [`Ins::RunSrc`].
#[inline(never)]
pub(crate) fn run_sources(
    rules: Rules<'_>,
    win: &mut Window,
    (d, through, end): (R, R, R),
    m: u8,
) -> Result<u64, Stop> {
    let (map, n, w) = map_at(rules, m)?;
    write_set(win, d, w, |win, o| {
        graph::run_sources(map, n, slice(win, through, w), slice(win, end, w), o);
    })?;
    Ok(if w == 1 { 9 } else { 1 + n as u64 + w as u64 })
}

/// [`Ins::Neigh`].
#[inline(never)]
pub(crate) fn neighbours(rules: Rules<'_>, win: &mut Window, d: R, c: R, m: u8) -> Result<(), Stop> {
    let (map, _, w) = map_at(rules, m)?;
    let words = usize::try_from(int(win[c as usize])).map_or(&[][..], |c| graph::neighbours(map, c, w));
    if words.len() == w {
        write_words(win, d, words);
    } else {
        (0..w).for_each(|k| win[reg(d, k)] = 0);
    }
    Ok(())
}

/// [`Ins::DirOf`].
#[inline(never)]
pub(crate) fn direction(rules: Rules<'_>, win: &mut Window, (d, a, b): (R, R, R), m: u8) -> Result<(), Stop> {
    let (map, n, _) = map_at(rules, m)?;
    let (a, b) = (win[a as usize], win[b as usize]);
    let directions = rules.world.maps.get(m as usize).map_or(&[][..], |m| &m.directions);
    if !directions.is_empty() {
        let there = a < n as u64 && b < n as u64;
        let way = if there { directions.get(a as usize * n + b as usize) } else { None };
        win[d as usize] = way.filter(|x| **x != u8::MAX).map_or(NONE, |x| i64::from(*x)) as u64;
        return Ok(());
    }
    let x = match (usize::try_from(int(a)), usize::try_from(int(b))) {
        (Ok(a), Ok(b)) => graph::direction(map, n, a, b),
        _ => NONE,
    };
    win[d as usize] = x as u64;
    Ok(())
}

/// [`Ins::Dilate`].
#[inline(never)]
pub(crate) fn dilate(rules: Rules<'_>, win: &mut Window, (d, s): (R, R), m: u8) -> Result<u32, Stop> {
    let (map, n, w) = map_at(rules, m)?;
    if w <= FEW {
        let mut those = [0u64; FEW];
        for k in 0..w {
            let mut rest = win[reg(s, k)];
            while rest != 0 {
                let c = k * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let next = graph::neighbours(map, c, w);
                those.iter_mut().zip(next).for_each(|(o, x)| *o |= x);
            }
        }
        write_words(win, d, those.get(..w).unwrap_or(&[]));
    } else {
        write_set(win, d, w, |win, o| graph::dilate(map, slice(win, s, w), o))?;
    }
    Ok(1 + n as u32 / 16)
}

/// [`Ins::RaySet`], and [`Ins::RayThru`] with the registers of the set and of the most spaces.
#[inline(never)]
pub(crate) fn ray(
    rules: Rules<'_>,
    win: &mut Window,
    (d, c, r): (R, R, R),
    through: Option<(R, R)>,
    m: u8,
) -> Result<(), Stop> {
    let (map, n, w) = map_at(rules, m)?;
    let c = usize::try_from(int(win[c as usize])).unwrap_or(usize::MAX);
    let dir = usize::try_from(int(win[r as usize])).ok().filter(|r| *r < map.dirs as usize);
    write_set(win, d, w, |win, o| match (dir, through) {
        (None, _) => {}
        (Some(dir), None) => graph::ray(map, n, c, dir, o),
        (Some(dir), Some((s, most))) => {
            let most = match int(win[most as usize]) {
                NONE => n,
                k => usize::try_from(k).unwrap_or(0),
            };
            graph::ray_through(map, n, c, dir, slice(win, s, w), most, o);
        }
    })
}

/// [`Ins::Held`].
#[inline(never)]
pub(crate) fn held(
    rules: Rules<'_>,
    st: &State,
    win: &mut Window,
    (d, o): (R, R),
    zone: ZoneIx,
) -> Result<(), Stop> {
    let place = cells::holder_place(rules.p, zone, int(win[o as usize]))?;
    let comps = rules.p.zones.get(zone.index()).and_then(|z| rules.p.comps.get(z.holds as usize));
    let uni = rules.world.universe(comps.map_or(usize::MAX, |c| c.universe.index()))?;
    let w = uni.w as usize;
    match place.map(|pl| pl.plane as usize) {
        Some(at) => write_words(win, d, st.planes.get(at..at + w).unwrap_or(&[])),
        None => (0..w).for_each(|i| win[reg(d, i)] = 0),
    }
    Ok(())
}

/// The components of a universe of them.
fn components<'p>(p: &'p Program, uni: &domains::PackedUniverse) -> Result<&'p Components, Stop> {
    let comps = p.comps.get(uni.comps as usize);
    comps.ok_or_else(|| Stop::from(FaultKind::BadProgram("components that are not there")))
}

/// [`Ins::SByShown`].
#[inline(never)]
pub(crate) fn by_shown(
    rules: Rules<'_>,
    st: &State,
    win: &mut Window,
    (d, s, f): (R, R, R),
    u: u8,
) -> Result<u32, Stop> {
    let uni = rules.world.universe(u as usize)?;
    let comps = components(rules.p, &uni)?;
    let sides = comps.showing.and_then(|u| rules.world.universes.get(u.index()));
    let (sw, most) = (sides.map_or(1, |u| u.w as usize), uni.most as usize);
    if sw == 1 {
        let wanted = win[f as usize];
        let has = |side: usize| side < 64 && wanted >> side & 1 == 1;
        filter_set(win, (d, s), uni.w, |_, c| shown_side(comps, st, most, c).is_some_and(has))?;
    } else {
        filter_set(win, (d, s), uni.w, |win, c| {
            shown_side(comps, st, most, c).is_some_and(|side| graph::has(slice(win, f, sw), side))
        })?;
    }
    Ok(1 + uni.n / 16)
}

/// [`Ins::SumShown`].
#[inline(never)]
pub(crate) fn sum_shown(
    rules: Rules<'_>,
    st: &State,
    win: &mut Window,
    (d, s): (R, R),
    (u, table): (u8, TableIx),
) -> Result<u32, Stop> {
    let uni = rules.world.universe(u as usize)?;
    let comps = components(rules.p, &uni)?;
    let t = rules.p.tables.get(table.index()).ok_or(FaultKind::BadProgram("a table that is not there"))?;
    let most = uni.most as usize;
    let mut sum = 0i64;
    for c in bitset::bits(slice(win, s, uni.w as usize)) {
        let v = shown_side(comps, st, most, c).and_then(|i| t.values.get(i)).copied();
        let v = v.ok_or(FaultKind::OutsideTable)?;
        sum += if v == i32::MIN { 0 } else { i64::from(v) };
    }
    win[d as usize] = check_number(0, 0, sum)?;
    Ok(1 + uni.n / 16)
}

/// The number of the side that a die shows, in the universe of sides.
#[inline(always)]
fn shown_side(comps: &Components, st: &State, most: usize, c: usize) -> Option<usize> {
    let face = usize::try_from(cell(st, comps.face as usize + c)).ok()?;
    let side = usize::try_from(cell(st, comps.side as usize + c)).ok()?;
    Some(face * most + side)
}
