//! Chance that a test orders, and chance as it came: what is drawn, rolled and shuffled, in words that can be ordered again.
use super::decision::{Words, nth_one, ones};
use super::fault::{FaultKind, Stop};
use super::state::State;
use super::tools::Tools;
use super::world::{Look, bits};
use houserule_program::ir::*;

/// A thing as a test names it: itself, or whatever component shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    /// A thing of a universe; of faces whatever component shows that face.
    Thing(UniverseId, i64),
    /// A number, or a die that shows it.
    Number(i64),
    /// A die (by its index in [`Program::comps`]) that shows one of a constant set of sides (its first word in [`Program::sets`]).
    Sides(u16, u32),
}

/// What a test has ordered, one behind the other: heads, each with what it names behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// A draw of so many things.
    Draw(u16),
    /// A shuffle of a place that brings so many things to its top, the first of them on the very top.
    Shuffle(u16, u16),
    /// A thing.
    Said(Said),
}

/// What chance has brought.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chanced {
    /// A die of this kind (index in [`Program::comps`]) shows that side, by its number in the universe of sides and as a number.
    Rolled(usize, usize, i64),
    /// A number was rolled.
    Number(i64),
    /// Things of a universe were drawn: one, or several together.
    Drawn {
        /// Of which universe.
        of: UniverseId,
        /// What was drawn.
        things: Vec<ChancedThing>,
        /// Whether it was one alone that was drawn.
        one: bool,
    },
    /// Faces of a place as they lie after it was shuffled, the top first.
    Shuffled(usize, Vec<ChancedThing>),
}

/// A thing as it was when chance brought it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChancedThing {
    /// Its value, as registers hold it.
    pub value: i64,
    /// Its face, if it is a component.
    pub face: Option<usize>,
    /// The side that it shows, if it is a die, by its number in the universe of sides.
    pub side: Option<usize>,
}

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
    /// Whether it can be a thing of that universe at all.
    fn about(self, p: &Program, u: UniverseId) -> bool {
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

    /// Whether a thing, by its place in sets of the universe, is what was said.
    fn is(self, look: Look<'_>, u: UniverseId, bit: u32) -> bool {
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
                look.side(ci, c).is_some_and(|s| super::maps::has(words, s))
            }
        }
    }
}

/// The number on a side, by its number in the universe of sides.
pub fn shown(comps: &Components, side: usize) -> Option<i64> {
    let most = comps.most_sides();
    comps.sides.get(side / most)?.get(side % most).map(|v| i64::from(*v))
}

/// Heads of what is ordered: where they stand, and what they name.
fn heads(orders: &[Order]) -> impl Iterator<Item = (usize, Order, &[Order])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let head = *orders.get(at)?;
        let n = match head {
            Order::Draw(n) | Order::Shuffle(_, n) => usize::from(n),
            Order::Said(_) => 0,
        };
        let named = orders.get(at + 1..at + 1 + n).unwrap_or(&[]);
        at += 1 + n;
        Some((at - 1 - n, head, named))
    })
}

fn said(orders: &[Order]) -> impl Iterator<Item = Said> + '_ {
    orders.iter().filter_map(|o| if let Order::Said(s) = o { Some(*s) } else { None })
}

/// What a test orders for a draw from a set: the things that it names, by their places in the set. None if it orders nothing of that kind.
///
/// # Errors
/// It orders something of that kind, but nothing that can be drawn here.
fn ordered(
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
        if !matches!(head, Order::Draw(_)) || !said(named).all(|s| s.about(p, u)) {
            continue;
        }
        about = true;
        let mut taken: Vec<u32> = Vec::new();
        for s in said(named) {
            let fits = |c: &u32| !taken.contains(c) && s.is(look, u, *c);
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

/// One of a set; none of an empty one.
pub(crate) fn one(
    p: &Program,
    st: &mut State,
    t: &mut Tools,
    set: &[u64],
    u: UniverseId,
    who: i64,
) -> Result<Option<u32>, Stop> {
    let n = ones(set);
    if n == 0 {
        super::effects::chance(st, t, who, 0);
        return Ok(None);
    }
    let order = if st.orders.is_empty() { None } else { ordered(p, st, set, u, 1)? };
    let x = match order.and_then(|all| all.first().copied()) {
        Some(x) => Some(x),
        None => nth_one(set, super::effects::chance(st, t, who, n)),
    };
    if t.lots.is_some() {
        drawn(p, st, t, u, x, true);
    }
    Ok(x)
}

/// So many of a set.
pub(crate) fn many(
    p: &Program,
    st: &mut State,
    t: &mut Tools,
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
    let mut have = ones(&left);
    let short = want > have;
    let mut want = want.min(have);
    let order = if st.orders.is_empty() || want == 0 { None } else { ordered(p, st, set, u, want)? };
    for x in order.into_iter().flatten() {
        take(&mut left, x);
        have -= 1;
        want -= 1;
    }
    while want > 0 {
        t.steps = t.steps.checked_sub(1).ok_or(FaultKind::OutOfBudget)?;
        let k = super::effects::chance(st, t, who, have);
        let Some(x) = nth_one(&left, k) else { break };
        take(&mut left, x);
        have -= 1;
        want -= 1;
    }
    if short {
        super::effects::chance(st, t, who, 0);
    }
    if t.lots.is_some() {
        drawn(p, st, t, u, bits(&out).map(|c| c as u32), false);
    }
    Ok(out)
}

/// Tells of a draw.
#[cold]
fn drawn(
    p: &Program,
    st: &State,
    t: &mut Tools,
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
    t.lots.get_or_insert_default().push(Chanced::Drawn { of: u, things, one });
}

/// Tells of a shuffled place.
#[cold]
pub(crate) fn shuffled(p: &Program, st: &State, t: &mut Tools, place: usize, lying: &[usize]) {
    let u = p.places.get(place).and_then(|pl| p.comps.get(usize::from(pl.comps))).map(|k| k.universe);
    let Some(u) = u else { return };
    let look = Look { program: p, state: st };
    let things = lying.iter().map(|c| ChancedThing::of(look, u, *c as i64)).collect();
    t.lots.get_or_insert_default().push(Chanced::Shuffled(place, things));
}

/// Brings what a test orders to the top of a place that is being shuffled; says how many lie there then, which the shuffle leaves alone. `swap` exchanges two of those that lie there.
///
/// # Errors
/// It orders what does not lie there.
pub(crate) fn brought_up(
    p: &Program,
    st: &mut State,
    place: usize,
    lying: &[usize],
    mut swap: impl FnMut(&mut State, usize, usize),
) -> Result<usize, Stop> {
    let of_place = |(_, head, _): &(usize, Order, &[Order])| matches!(head, Order::Shuffle(at, _) if usize::from(*at) == place);
    let Some((at, _, named)) = heads(&st.orders).find(of_place) else { return Ok(0) };
    let wanted: Vec<Said> = said(named).collect();
    st.orders.drain(at..=at + wanted.len());
    let u = p.places.get(place).and_then(|pl| p.comps.get(usize::from(pl.comps))).map(|k| k.universe);
    let u = u.ok_or(FaultKind::NoSuchThing)?;
    for (i, s) in wanted.iter().enumerate() {
        let look = Look { program: p, state: st };
        let found = lying.iter().skip(i).copied().find(|c| s.is(look, u, *c as u32));
        match (lying.get(i).copied(), found) {
            (Some(a), Some(b)) if a != b => swap(st, a, b),
            (Some(_), Some(_)) => {}
            _ => return Err(Stop::from(FaultKind::NotShuffled)),
        }
    }
    Ok(wanted.len())
}

impl super::Machine {
    /// For tests: what chance draws next (`choose … by chance`), in order, instead of what was ordered before: each draw takes the first of these that it can bring. Where more is drawn
    /// than is named, the rest is left to chance.
    pub fn order_draws(&mut self, draws: &[Vec<Said>]) {
        let orders = &mut self.core.state.orders;
        let kept: Vec<Order> = heads(orders)
            .filter(|(_, head, _)| matches!(head, Order::Shuffle(..)))
            .flat_map(|(_, head, named)| std::iter::once(head).chain(named.iter().copied()))
            .collect();
        *orders = kept;
        for draw in draws {
            orders.push(Order::Draw(u16::try_from(draw.len()).unwrap_or(u16::MAX)));
            orders.extend(draw.iter().take(usize::from(u16::MAX)).map(|s| Order::Said(*s)));
        }
    }

    /// For tests: what lies on the top of a place after it is shuffled next; several orders for one place are for one shuffle after the other.
    pub fn order_shuffle(&mut self, place: usize, top: &[Said]) {
        let (Ok(place), Ok(n)) = (u16::try_from(place), u16::try_from(top.len())) else { return };
        let orders = &mut self.core.state.orders;
        orders.push(Order::Shuffle(place, n));
        orders.extend(top.iter().map(|s| Order::Said(*s)));
    }

    /// Switches on or off that chance is told of; see [`super::Machine::take_chance`].
    pub fn tell_chance(&mut self, on: bool) {
        self.core.tools.lots = on.then(Vec::new);
    }

    /// What chance has brought since the last call, in order.
    pub fn take_chance(&mut self) -> Vec<Chanced> {
        self.core.tools.lots.as_mut().map(std::mem::take).unwrap_or_default()
    }
}
