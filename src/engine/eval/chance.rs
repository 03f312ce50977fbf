//! Draws, rolls and shuffles: takes the next number of a stream, or what a test has ordered, and logs it in terms that a test can order again.
use crate::base::bitset::bits;
use crate::base::bitset::{count_bits, nth_bit};
use crate::base::fault::{FaultKind, Stop};
use crate::base::stream::{below, mix};
use crate::context::run_context::Context;
use crate::data::chance_order::{Chanced, ChancedThing, Order, Said, heads};
use crate::data::decision::Words;
use crate::data::state::State;
use crate::world::look::Look;
use houserule_program::ir::*;

impl ChancedThing {
    fn of(look: Look<'_>, u: UniverseId, value: i64) -> ChancedThing {
        let component = match look.program.universes.get(u.index()).map(|u| &u.sort) {
            Some(UniverseSort::Components(ci)) => usize::try_from(value).ok().map(|c| (usize::from(*ci), c)),
            _ => None,
        };
        let face = component.and_then(|(ci, c)| look.face(ci, c));
        ChancedThing { value, face, side: component.and_then(|(ci, c)| look.side(ci, c)) }
    }
}

impl Said {
    /// Whether it can be a thing of that universe.
    fn can_be_of(self, p: &Program, u: UniverseId) -> bool {
        let Some(sort) = p.universes.get(u.index()).map(|u| &u.sort) else { return false };
        let comps = match sort {
            UniverseSort::Components(ci) => p.comps.get(usize::from(*ci)),
            _ => None,
        };
        match self {
            Said::Thing(of, _) => of == u || comps.is_some_and(|k| k.faces == of),
            Said::Number(_) => {
                matches!(sort, UniverseSort::Numbers { .. }) || comps.is_some_and(|k| k.showing.is_some())
            }
            Said::Sides(dice, _) => matches!(sort, UniverseSort::Components(ci) if *ci == dice),
        }
    }

    /// Whether it names a thing, given by its number in sets of the universe.
    fn is_thing(self, look: Look<'_>, u: UniverseId, bit: u32) -> bool {
        let p = look.program;
        let Some(sort) = p.universes.get(u.index()).map(|u| &u.sort) else { return false };
        let ci = match sort {
            UniverseSort::Components(ci) => usize::from(*ci),
            UniverseSort::Numbers { lo } => {
                let value = i64::from(bit) + i64::from(*lo);
                return match self {
                    Said::Thing(of, v) => of == u && v == value,
                    Said::Number(n) => n == value,
                    Said::Sides(..) => false,
                };
            }
            _ => return self == Said::Thing(u, i64::from(bit)),
        };
        let Some(comps) = p.comps.get(ci) else { return false };
        let c = bit as usize;
        match self {
            Said::Thing(of, v) if of == comps.faces => look.face(ci, c).is_some_and(|f| f as i64 == v),
            Said::Thing(of, v) => of == u && v == i64::from(bit),
            Said::Number(n) => look.side(ci, c).and_then(|s| shown(comps, s)) == Some(n),
            Said::Sides(_, set) => {
                let words = p.sets.get(set as usize..).unwrap_or(&[]);
                look.side(ci, c).is_some_and(|s| crate::world::graph::has(words, s))
            }
        }
    }
}

/// The number on a side, by its number in the universe of sides.
pub fn shown(comps: &Components, side: usize) -> Option<i64> {
    let most = comps.most_sides();
    comps.sides.get(side / most)?.get(side % most).map(|v| i64::from(*v))
}

fn ordered_things(orders: &[Order]) -> impl Iterator<Item = Said> + '_ {
    orders.iter().filter_map(|o| if let Order::Said(s) = o { Some(*s) } else { None })
}

/// Takes the things that a test orders for a draw from a set, by their numbers in the set. `None` if it orders nothing of that kind.
///
/// # Errors
/// It orders something of that kind, but nothing that can be drawn here.
fn take_ordered(
    p: &Program,
    st: &mut State,
    set: &[u64],
    u: UniverseId,
    want: u64,
) -> Result<Option<Vec<u32>>, Stop> {
    let look = Look { program: p, state: st };
    let mut about = false;
    let mut found = None;
    for (at, head, named) in heads(&st.orders) {
        if !matches!(head, Order::Draw(_)) || !ordered_things(named).all(|s| s.can_be_of(p, u)) {
            continue;
        }
        about = true;
        let mut taken: Vec<u32> = Vec::new();
        for s in ordered_things(named) {
            let fits = |c: &u32| !taken.contains(c) && s.is_thing(look, u, *c);
            match bits(set).map(|c| c as u32).find(fits) {
                Some(c) => taken.push(c),
                None => break,
            }
        }
        if taken.len() == named.len() && taken.len() as u64 <= want {
            found = Some((at, taken));
            break;
        }
    }
    match found {
        Some((at, taken)) => {
            st.orders.drain(at..=at + taken.len());
            Ok(Some(taken))
        }
        None if about => Err(Stop::from(FaultKind::NoSuchDraw)),
        None => Ok(None),
    }
}

/// Draws one element of a set; `None` from an empty set.
pub(crate) fn draw_one(
    p: &Program,
    st: &mut State,
    cx: &mut Context,
    set: &[u64],
    u: UniverseId,
    who: i64,
) -> Result<Option<u32>, Stop> {
    let n = count_bits(set);
    if n == 0 {
        crate::eval::chance::chance(st, cx, who, 0);
        return Ok(None);
    }
    let order = if st.orders.is_empty() { None } else { take_ordered(p, st, set, u, 1)? };
    let x = match order.and_then(|all| all.first().copied()) {
        Some(x) => Some(x),
        None => nth_bit(set, crate::eval::chance::chance(st, cx, who, n)),
    };
    if cx.chance_log.is_some() {
        log_draw(p, st, cx, u, x, true);
    }
    Ok(x)
}

/// Draws `want` elements of a set, or all if there are fewer.
pub(crate) fn draw_many(
    p: &Program,
    st: &mut State,
    cx: &mut Context,
    set: &[u64],
    u: UniverseId,
    want: u64,
    who: i64,
) -> Result<Words, Stop> {
    let mut left: Words = set.into();
    let mut out = Words::from_elem(0, left.len());
    let mut take = |left: &mut Words, x: u32| {
        let (i, bit) = (x as usize / 64, 1u64 << (x % 64));
        if let (Some(a), Some(b)) = (left.get_mut(i), out.get_mut(i)) {
            *a &= !bit;
            *b |= bit;
        }
    };
    let mut have = count_bits(&left);
    let short = want > have;
    let mut want = want.min(have);
    let order = if st.orders.is_empty() || want == 0 { None } else { take_ordered(p, st, set, u, want)? };
    for x in order.into_iter().flatten() {
        take(&mut left, x);
        have -= 1;
        want -= 1;
    }
    while want > 0 {
        cx.steps = cx.steps.checked_sub(1).ok_or(FaultKind::OutOfBudget)?;
        let k = crate::eval::chance::chance(st, cx, who, have);
        let Some(x) = nth_bit(&left, k) else { break };
        take(&mut left, x);
        have -= 1;
        want -= 1;
    }
    if short {
        crate::eval::chance::chance(st, cx, who, 0);
    }
    if cx.chance_log.is_some() {
        log_draw(p, st, cx, u, bits(&out).map(|c| c as u32), false);
    }
    Ok(out)
}

/// Logs a draw.
#[cold]
fn log_draw(
    p: &Program,
    st: &State,
    cx: &mut Context,
    u: UniverseId,
    all: impl IntoIterator<Item = u32>,
    one: bool,
) {
    let look = Look { program: p, state: st };
    let lo = match p.universes.get(u.index()).map(|u| &u.sort) {
        Some(UniverseSort::Numbers { lo }) => i64::from(*lo),
        _ => 0,
    };
    let things = all.into_iter().map(|c| ChancedThing::of(look, u, i64::from(c) + lo)).collect();
    cx.chance_log.get_or_insert_default().push(Chanced::Drawn { of: u, things, one });
}

/// Logs a shuffled place.
#[cold]
pub(crate) fn log_shuffle(p: &Program, st: &State, cx: &mut Context, place: usize, lying: &[usize]) {
    let u = p.places.get(place).and_then(|pl| p.comps.get(usize::from(pl.comps))).map(|k| k.universe);
    let Some(u) = u else { return };
    let look = Look { program: p, state: st };
    let things = lying.iter().map(|c| ChancedThing::of(look, u, *c as i64)).collect();
    cx.chance_log.get_or_insert_default().push(Chanced::Shuffled(place, things));
}

/// Brings what a test orders to the top of a place that is being shuffled, by `swap`. Returns the number of these components, which the shuffle must not move.
///
/// # Errors
/// The test orders a thing that is not there.
pub(crate) fn bring_ordered_up(
    p: &Program,
    st: &mut State,
    place: usize,
    lying: &[usize],
    mut swap: impl FnMut(&mut State, usize, usize),
) -> Result<usize, Stop> {
    let of_place = |(_, head, _): &(usize, Order, &[Order])| matches!(head, Order::Shuffle(at, _) if usize::from(*at) == place);
    let Some((at, _, named)) = heads(&st.orders).find(of_place) else { return Ok(0) };
    let wanted: Vec<Said> = ordered_things(named).collect();
    st.orders.drain(at..=at + wanted.len());
    let u = p.places.get(place).and_then(|pl| p.comps.get(usize::from(pl.comps))).map(|k| k.universe);
    let u = u.ok_or(FaultKind::NoSuchThing)?;
    for (i, s) in wanted.iter().enumerate() {
        let look = Look { program: p, state: st };
        let found = lying.iter().skip(i).copied().find(|c| s.is_thing(look, u, *c as u32));
        match (lying.get(i).copied(), found) {
            (Some(a), Some(b)) if a != b => swap(st, a, b),
            (Some(_), Some(_)) => {}
            _ => return Err(Stop::from(FaultKind::NotShuffled)),
        }
    }
    Ok(wanted.len())
}

/// The next number of `0..n` of a player's stream, or the table's.
pub(crate) fn chance(st: &mut State, cx: &mut Context, who: i64, n: u64) -> u64 {
    if cx.trials.depth() > 0 {
        // The checker allows no rolls in speculative effects.
        return 0;
    }
    if let Some(script) = &mut cx.script {
        return script.next(n, st.head.turns);
    }
    let stream = usize::try_from(who).map_or(0, |i| i + 1);
    let seed = st.head.seed;
    match st.streams.get_mut(stream) {
        // A draw with one outcome counts, too: otherwise the number of draws would reveal how many hidden things there are.
        Some(count) if n <= 1 => {
            *count = count.wrapping_add(1);
            0
        }
        Some(count) => below(n, || {
            let x = mix(seed, stream as u64, *count);
            *count = count.wrapping_add(1);
            x
        }),
        None => 0,
    }
}

/// Takes the first number that a test has ordered for a roll by that player.
pub(crate) fn take_ordered_number(st: &mut State, who: i64) -> Option<u64> {
    let at = st.rigged.iter().position(|(of, x)| is_for(*of, who) && TestRoll::sides(*x).is_none())?;
    Some(st.rigged.remove(at).1)
}

/// Whether an order for player `of`, or for all if none, is for a roll by `who`, or by the test itself if none.
pub(crate) fn is_for(of: i64, who: i64) -> bool {
    of == NONE || who == NONE || of == who
}
