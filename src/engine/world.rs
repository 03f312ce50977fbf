//! Reading and writing the game's things in a state: attributes with their planes, components with their places.
use super::fault::{FaultKind, Stop};
use super::state::{Link, State};
use houserule_program::ir::{
    ActionSlot, AttrIx, Domain, FuncId, GroupIx, LineTable, NONE, Per, Place, PlaceFact, Program, Show,
    Universe, UniverseSort, ZoneIx,
};

/// Facts worked out from the program once, packed for the run loop.
#[derive(Default)]
pub(crate) struct Fast {
    pub attrs: Vec<AttrFast>,
    pub universes: Vec<UniverseFast>,
    /// Seats (bits) that see faces at each place; `None`: a function says.
    pub seers: Vec<Option<u32>>,
    /// All seats.
    pub seats: u32,
    pub actions: Vec<ActionFast>,
    pub tables: Vec<TableFast>,
    /// What stands in all tables, one behind the other.
    pub values: Vec<i32>,
    /// By place: the space that it is on, or none.
    pub spaces: Vec<i32>,
    /// By universe: the cells of its components.
    lies: Vec<LiesFast>,
    /// By group of planes.
    groups: Vec<GroupFast>,
    /// By zone: those with one place for each holder.
    pub zones: Vec<Option<ZoneFast>>,
    /// By map.
    pub maps: Vec<MapFast>,
    /// By menu whose options are listed again and again: its enumerators in a row, if each leaves its arguments as they were.
    pub chains: Vec<Option<Chain>>,
    /// How many players there are, or 0 if anything goes back to its start value when a turn begins: else a beginning turn is only noted.
    pub plain_turns: u64,
    /// Whether anything goes back to its start value when a round begins.
    pub per_round: bool,
    /// By map.
    pub rays: Vec<RaysFast>,
    /// By table of lines: the lines through each thing.
    pub lines: Vec<LinesFast>,
    /// By offer: those of the usual kind.
    pub usual: Vec<Option<super::inside::Usual>>,
    /// By offer: those of the quickest kind among them.
    pub quick: Vec<Option<super::quick::Quick>>,
}

/// The rays of a map of at most 64 spaces as sets; see [`Fast`]. Empty where there are more, or where a ray does not always lead to greater or always to lesser numbers.
#[derive(Default)]
pub(crate) struct RaysFast {
    pub n: u32,
    /// By direction, then space.
    pub sets: Vec<u64>,
    /// Directions (bits) that lead to greater numbers.
    pub up: u16,
}

/// Lines through things of a universe of one word, as many for each (what is missing is never full), so that looking along them takes the same steps for all. See [`Fast`].
#[derive(Default)]
pub(crate) struct LinesFast {
    /// Lines for each thing; 0: not kept so.
    pub most: usize,
    masks: Vec<u64>,
    /// The lines one by one, where the first of each is the one with the least number.
    pub ascending: Vec<u64>,
}

/// What is summed over with a table; see [`Fast`].
#[derive(Clone, Copy)]
pub(crate) struct TableFast {
    /// Words of a set of its things: of components, if the table is of their faces.
    pub w: u8,
    /// The cells of their faces; `u32::MAX`: the table is of the things themselves.
    pub face: u32,
    /// Where it begins in [`Fast::values`], how long it is, and the number that its first is for.
    at: u32,
    n: u32,
    lo: i32,
}

/// A zone with one place for each holder; see [`Fast`].
#[derive(Clone, Copy)]
pub(crate) struct ZoneFast {
    /// Its first place, and how many holders there are.
    pub first: u32,
    pub n: u32,
    /// The cell of the first place of what it holds, and how many of those there are.
    pub place: u32,
    pub held: u32,
    /// Words of a set of holders, and of what they hold.
    pub w: u8,
    pub held_w: u8,
}

/// Functions in a row; see [`Fast`].
pub(crate) struct Chain {
    pub first: FuncId,
    /// The others, the last first, as calls that come back to their beginnings.
    pub links: Vec<Link>,
}

/// A map; see [`Fast`].
#[derive(Default)]
pub(crate) struct MapFast {
    /// How many spaces, and words of a set of them.
    pub n: usize,
    pub w: usize,
    /// The direction from one space to another in line with it, `ways[from * n + to]`; `u8::MAX`: none. Empty where there are more than 256 spaces, or nothing asks.
    pub ways: Vec<u8>,
}

/// The cells of components; see [`Fast`].
#[derive(Clone, Copy)]
struct LiesFast {
    /// How many they are; 0 of things that are no components.
    n: u32,
    face: u32,
    place: u32,
}

/// Planes by a value; see [`Fast`].
#[derive(Clone, Copy)]
struct GroupFast {
    lo: i32,
    n: u32,
    at: u32,
    w: u8,
    ordered: bool,
}

impl TableFast {
    /// What stands there for a number, if anything does.
    #[inline(always)]
    pub fn at(&self, values: &[i32], i: i64) -> Option<i32> {
        let i = i.wrapping_sub(i64::from(self.lo)) as u64;
        if i < u64::from(self.n) { values.get(self.at as usize + i as usize).copied() } else { None }
    }
}

/// See [`Fast`].
#[derive(Clone, Copy)]
pub(crate) struct ActionFast {
    /// Words of all parameters.
    pub words: u8,
    /// Words of all but the last.
    pub fixed: u8,
    /// What the last is picked from; `None`: there are no parameters.
    pub last: Option<Domain>,
    /// Words of the last's universe, and its least number.
    pub w: u8,
    pub lo: i32,
}

/// See [`Fast`].
#[derive(Clone, Copy)]
pub(crate) struct AttrFast {
    pub cell: u32,
    pub n: u32,
    pub lo: i32,
    pub hi: i32,
    pub maybe: bool,
    pub clamped: bool,
    /// Index planes: words a plane, 0: none.
    pub w: u8,
    pub at: u32,
    pub plane_lo: i32,
    pub plane_n: u32,
    /// Set-valued: words a thing, 0: not.
    pub set_w: u8,
    pub set_at: u32,
    /// Words of a set of owners.
    pub owner_w: u8,
    /// Whether it is one of players.
    pub players: bool,
}

/// See [`Fast`].
#[derive(Clone, Copy)]
pub(crate) struct UniverseFast {
    pub n: u32,
    pub w: u8,
    /// Of components: their index; else `u16::MAX`.
    pub comps: u16,
    /// Of numbers: the least.
    pub lo: i32,
    /// Its things in the last word of a set.
    pub rest: u64,
    /// Of components: the cells of their faces and of their places.
    pub face: u32,
    pub place: u32,
    /// Of dice: see [`houserule_program::ir::Components::most_sides`].
    pub most: u32,
}

impl Fast {
    pub fn new(p: &Program) -> Fast {
        let comps = |u: &Universe| match u.sort {
            UniverseSort::Components(i) => p.comps.get(i as usize),
            _ => None,
        };
        let universes = p
            .universes
            .iter()
            .map(|u| UniverseFast {
                n: u.n,
                w: u.w.max(1),
                comps: if let UniverseSort::Components(i) = u.sort { i } else { u16::MAX },
                lo: if let UniverseSort::Numbers { lo } = u.sort { lo } else { 0 },
                rest: match u.n % 64 {
                    0 if u.n > 0 => u64::MAX,
                    left => (1 << left) - 1,
                },
                face: comps(u).map_or(u32::MAX, |c| c.face),
                place: comps(u).map_or(u32::MAX, |c| c.place),
                most: comps(u).map_or(1, |c| c.most_sides() as u32),
            })
            .collect::<Vec<_>>();
        let attrs = p
            .attrs
            .iter()
            .map(|a| {
                let owner = a.of.and_then(|u| p.universes.get(u.index()));
                let g = a.planes.and_then(|g| p.groups.get(g.index()));
                let set_w = match (a.set_at, a.show) {
                    (Some(_), Show::Set(u)) => p.universes.get(u.index()).map_or(1, |u| u.w),
                    (Some(_), _) => 1,
                    (None, _) => 0,
                };
                AttrFast {
                    cell: a.cell,
                    n: owner.map_or(1, |u| u.n),
                    lo: a.lo,
                    hi: a.hi,
                    maybe: a.maybe,
                    clamped: a.clamped,
                    w: g.map_or(0, |g| g.w),
                    at: g.map_or(0, |g| g.at),
                    plane_lo: g.map_or(0, |g| g.lo),
                    plane_n: g.map_or(0, |g| u32::from(g.n)),
                    set_w,
                    set_at: a.set_at.unwrap_or(0),
                    owner_w: owner.map_or(1, |u| u.w.max(1)),
                    players: a.of == Some(p.player_universe),
                }
            })
            .collect();
        let seats = if p.seats >= 32 { u32::MAX } else { (1u32 << p.seats) - 1 };
        let seers = super::knowledge::place_seers(p, seats);
        let actions = p.actions.iter().map(|a| action(p, &universes, a)).collect();
        let per = |per| p.attrs.iter().any(|a| a.per == Some(per));
        let (per_turn, per_round) = (per(Per::Turn), per(Per::Round));
        let plain_turns = if per_turn { 0 } else { u64::from(p.players) };
        let words =
            |u: houserule_program::ir::UniverseId| universes.get(u.index()).map_or(1, |u: &UniverseFast| u.w);
        let mut values = Vec::new();
        let tables = p.tables.iter().map(|t| {
            let (at, n) = (values.len() as u32, t.values.len() as u32);
            values.extend_from_slice(&t.values);
            let lo = universes.get(t.universe.index()).map_or(0, |u| u.lo);
            let (w, face) = match p.universes.get(t.universe.index()).map(|u| &u.sort) {
                Some(UniverseSort::Faces(ci)) => match p.comps.get(*ci as usize) {
                    Some(c) => (words(c.universe), c.face),
                    None => (u8::MAX, u32::MAX),
                },
                _ => (words(t.universe), u32::MAX),
            };
            TableFast { w, face, at, n, lo }
        });
        let tables = tables.collect();
        let spaces = p.places.iter().map(|place| place.space).collect();
        let lies = universes.iter().map(|u: &UniverseFast| LiesFast {
            n: if u.place == u32::MAX { 0 } else { u.n },
            face: u.face,
            place: u.place,
        });
        let lies = lies.collect();
        let groups = p.groups.iter().map(|g| GroupFast {
            lo: g.lo,
            n: u32::from(g.n),
            at: g.at,
            w: g.w,
            ordered: g.ordered,
        });
        let groups = groups.collect();
        let zone = |z: &houserule_program::ir::ZoneSlot| {
            let of = universes.get(z.of?.index())?;
            let held = universes.get(p.comps.get(z.holds as usize)?.universe.index())?;
            let (first, place) = (u32::from(z.first), held.place);
            Some(ZoneFast { first, n: of.n, place, held: held.n, w: of.w, held_w: held.w })
        };
        let zones = p.zones.iter().map(zone).collect();
        let chains = p.menus.iter().map(|m| chain(p, m)).collect();
        let asked = p.code.iter().any(|i| matches!(i, houserule_program::ir::Ins::DirOf { .. }));
        let maps = p.maps.iter().map(|m| map(m, universes.get(m.spaces.index()), asked)).collect();
        let rays = p.maps.iter().map(rays).collect();
        let lines = p.line_tables.iter().map(|t| lines_through(t, words(t.universe))).collect();
        let (usual, quick) = (super::inside::Usual::all(p), Vec::new());
        let mut fast = Fast {
            attrs,
            universes,
            seers,
            seats,
            actions,
            tables,
            values,
            spaces,
            lies,
            groups,
            zones,
            maps,
            chains,
            plain_turns,
            per_round,
            rays,
            lines,
            usual,
            quick,
        };
        fast.quick = super::quick::Quick::all(p, &fast);
        fast
    }

    /// The place of a component, if there is such a one.
    #[inline(always)]
    pub fn place_of(&self, st: &State, u: u8, c: i64) -> Option<i32> {
        let its = self.lies.get(u as usize).filter(|x| (c as u64) < u64::from(x.n))?;
        st.cells.get(its.place as usize + c as usize).copied()
    }

    /// The face of a component, if there is such a one.
    #[inline(always)]
    pub fn face_of(&self, st: &State, u: u8, c: i64) -> Option<i32> {
        let its = self.lies.get(u as usize).filter(|x| (c as u64) < u64::from(x.n))?;
        st.cells.get(its.face as usize + c as usize).copied()
    }

    /// Where the plane of a value stands, and its words; `None` of a value that has none.
    #[inline(always)]
    pub fn plane(&self, group: GroupIx, i: i64) -> Option<(usize, usize)> {
        let g = self.groups.get(group.index())?;
        let mut k = i.wrapping_sub(i64::from(g.lo)) as u64;
        if k >= u64::from(g.n) {
            k = match i {
                // Behind the others stands what is of none.
                NONE => u64::from(g.n),
                _ if g.ordered && g.n > 0 => {
                    if i < i64::from(g.lo) {
                        0
                    } else {
                        u64::from(g.n) - 1
                    }
                }
                _ => return None,
            };
        }
        Some((g.at as usize + k as usize * g.w as usize, g.w as usize))
    }

    #[inline(always)]
    pub fn universe(&self, u: usize) -> Result<UniverseFast, Stop> {
        self.universes
            .get(u)
            .copied()
            .ok_or_else(|| Stop::from(FaultKind::BadProgram("a universe that is not there")))
    }
}

fn chain(p: &Program, m: &houserule_program::ir::MenuSlot) -> Option<Chain> {
    m.lines.as_ref()?;
    let mut links = Vec::new();
    for a in m.actions.iter().rev() {
        let action = p.actions.get(a.index()).filter(|a| a.loose.is_none())?;
        let func = p.funcs.get(action.enumerator.index())?;
        let code = p.code.get(func.start as usize..func.end as usize)?;
        let kept = |ins| {
            let u = houserule_program::ir::def_use::used(p, ins)?;
            let own = u.writes.iter().all(|(r, _)| *r >= func.args);
            (own && u.window.is_none_or(|r| r >= func.args)).then_some(())
        };
        code.iter().try_for_each(kept)?;
        links.push(Link { pc: func.start, base: 0, func: action.enumerator.0, acted: u16::MAX });
    }
    let first = links.pop()?;
    Some(Chain { first: FuncId(first.func), links })
}

fn map(m: &houserule_program::ir::Topology, u: Option<&UniverseFast>, asked: bool) -> MapFast {
    let (n, w) = u.map_or((0, 0), |u| (u.n as usize, u.w as usize));
    let mut ways = Vec::new();
    if asked && (1..=256).contains(&n) {
        ways.resize(n * n, u8::MAX);
        for (a, row) in ways.chunks_mut(n).enumerate() {
            for (b, way) in row.iter_mut().enumerate() {
                *way = u8::try_from(super::maps::direction(m, n, a, b)).unwrap_or(u8::MAX);
            }
        }
    }
    MapFast { n, w, ways }
}

fn rays(m: &houserule_program::ir::Topology) -> RaysFast {
    let n = m.at.len();
    let mut out = RaysFast { n: n as u32, ..RaysFast::default() };
    if n > 64 || m.rays.len() < m.dirs as usize * n {
        return out;
    }
    for dir in 0..m.dirs as usize {
        let (mut up, mut down) = (true, true);
        for c in 0..n {
            let (a, b) = m.rays.get(dir * n + c).copied().unwrap_or((0, 0));
            let list = m.ray_list.get(a as usize..b as usize).unwrap_or(&[]);
            let mut before = c;
            let mut set = 0u64;
            for x in list.iter().map(|x| usize::from(*x)) {
                up &= x > before;
                down &= x < before;
                before = x;
                set |= 1u64 << (x & 63);
            }
            out.sets.push(set);
        }
        if !up && !down {
            out.sets.clear();
            return out;
        }
        out.up |= u16::from(up) << dir;
    }
    out
}

impl RaysFast {
    /// The rays from a space in each of these directions, each as long as it goes through a set, and the space that ends it.
    #[inline]
    pub fn slides(&self, c: usize, dirs: u64, through: u64) -> u64 {
        let n = self.n as usize;
        let (mut out, mut rest) = (0u64, dirs & 0xff);
        while rest != 0 {
            let dir = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let Some(ray) = self.sets.get(dir * n + c) else { continue };
            let ends = ray & !through;
            let mut part = *ray;
            if ends != 0 {
                let first =
                    if self.up >> dir & 1 == 1 { ends.trailing_zeros() } else { 63 - ends.leading_zeros() };
                part &= !self.sets.get(dir * n + first as usize).copied().unwrap_or(0);
            }
            out |= part;
        }
        out
    }
}

fn lines_through(t: &LineTable, w: u8) -> LinesFast {
    let most = t.through.iter().map(|(a, b)| b.saturating_sub(*a) as usize).max().unwrap_or(0);
    // A set of 64 things may be full of anything, and long rows would only be filled up.
    let ascending = if w == 1 && t.ascending { t.masks.clone() } else { Vec::new() };
    if w != 1 || t.through.len() >= 64 || most > 16 {
        return LinesFast { ascending, ..LinesFast::default() };
    }
    let mut masks = Vec::with_capacity(most * t.through.len());
    for (a, b) in &t.through {
        let there = t.through_masks.get(*a as usize..*b as usize).unwrap_or(&[]);
        masks.extend_from_slice(there);
        masks.extend((there.len()..most).map(|_| u64::MAX));
    }
    LinesFast { most, masks, ascending }
}

impl LinesFast {
    /// Whether a line through a thing lies wholly in a set.
    #[inline(always)]
    pub fn full(&self, thing: u64, set: u64) -> bool {
        let first = usize::try_from(thing).ok().and_then(|c| c.checked_mul(self.most));
        let masks = first.and_then(|i| self.masks.get(i..)).and_then(|m| m.get(..self.most));
        let mut any = false;
        for m in masks.unwrap_or(&[]) {
            any |= m & !set == 0;
        }
        any
    }
}

fn action(p: &Program, universes: &[UniverseFast], a: &ActionSlot) -> ActionFast {
    let words = a.params.iter().fold(0u8, |n, x| n.saturating_add(x.domain.words(p)));
    let last = a.params.last().map(|x| x.domain);
    let of = match last {
        Some(Domain::Thing(u) | Domain::Subset(u)) => universes.get(u.index()),
        _ => None,
    };
    ActionFast {
        words,
        fixed: words.saturating_sub(last.map_or(0, |d| d.words(p))),
        last,
        w: of.map_or(1, |u| u.w),
        lo: of.map_or(0, |u| u.lo),
    }
}

/// What [`State`] looks like before anything has run.
pub(crate) fn blank(p: &Program, seed: u64) -> State {
    let mut st = State::default();
    st.head.seed = seed;
    st.head.turn = NONE;
    st.planes = vec![0; p.planes as usize];
    st.cells = vec![0; p.cells as usize];
    st.streams = vec![0; p.players as usize + 1];
    st.verdicts = vec![None; p.players as usize];
    st.seen = vec![Vec::new(); p.histories.len()];
    for a in &p.attrs {
        if a.set_at.is_some() {
            continue;
        }
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
    // What was there from the start has no number of its own.
    st.head.next_layer = 1;
    for pl in &p.places {
        if pl.seq != u32::MAX && is_slot(p, pl) {
            set_cell(&mut st, pl.seq, 0, i32::MIN);
        }
    }
    for comps in &p.comps {
        let n = p.universes.get(comps.universe.index()).map_or(0, |u| u.n as usize);
        let w = super::state::words_of(p, comps.universe.index());
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
                if b.seq != u32::MAX {
                    set_cell(&mut st, b.seq, 1 + c, c as i32);
                    set_cell(&mut st, b.seq, 0, c as i32 + 1);
                }
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

/// Which plane of a group a value has; none's is the last.
pub(crate) fn plane_of(v: i32, lo: i32, n: u32) -> u32 {
    let k = i64::from(v) - i64::from(lo);
    if (0..i64::from(n)).contains(&k) { k as u32 } else { n }
}

pub(crate) fn put_bit(planes: &mut [u64], at: usize, i: usize, on: bool) {
    if let Some(word) = planes.get_mut(at + i / 64) {
        let bit = 1u64 << (i % 64);
        if on {
            *word |= bit;
        } else {
            *word &= !bit;
        }
    }
}

pub(crate) fn get_bit(planes: &[u64], at: usize, i: usize) -> bool {
    planes.get(at + i / 64).is_some_and(|w| w >> (i % 64) & 1 == 1)
}

/// A cell as a register; none for one that is not there.
#[inline]
pub(crate) fn cell(st: &State, at: usize) -> i64 {
    st.cells.get(at).map_or(NONE, |c| i64::from(*c))
}

/// Reads a number attribute.
#[inline]
pub(crate) fn load(st: &State, a: &AttrFast, e: i64) -> Result<i64, Stop> {
    if e < 0 || e >= i64::from(a.n) {
        return Err(Stop::no_thing(e));
    }
    match st.cells.get(a.cell as usize + e as usize) {
        Some(c) => Ok(i64::from(*c)),
        None => Err(Stop::from(FaultKind::BadProgram("an attribute's cell"))),
    }
}

/// The value as it may be stored: range checked or cut.
#[inline(always)]
pub(crate) fn fit(a: &AttrFast, attr: AttrIx, v: i64) -> Result<i32, Stop> {
    if v >= i64::from(a.lo) && v <= i64::from(a.hi) {
        return Ok(v as i32);
    }
    unfit(a, attr, v)
}

#[inline(never)]
fn unfit(a: &AttrFast, attr: AttrIx, v: i64) -> Result<i32, Stop> {
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
pub(crate) fn store(st: &mut State, a: &AttrFast, e: usize, v: i32) {
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

/// The place of a zone for a holder and an index; none if there is none.
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
            owner
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
    Ok(i64::from(z.first) + owner * i64::from(z.indexes.max(1)) + k)
}

/// What lies in a holder's slot of a zone with one each, or none.
#[inline(never)]
pub(crate) fn held(p: &Program, st: &State, zone: ZoneIx, owner: i64) -> Result<i64, Stop> {
    Ok(match place_held(p, zone, owner)? {
        Some(pl) if pl.seq != u32::MAX => cell(st, pl.seq as usize),
        _ => NONE,
    })
}

/// The place that a holder has in a zone with one each; none's is none.
#[inline]
pub(crate) fn place_held(p: &Program, zone: ZoneIx, owner: i64) -> Result<Option<&Place>, Stop> {
    let z = p.zones.get(zone.index()).ok_or(FaultKind::BadProgram("a zone that is not there"))?;
    if owner == NONE {
        return Ok(None);
    }
    let n = z.of.and_then(|u| p.universes.get(u.index())).map_or(0, |u| i64::from(u.n));
    if !(0..n).contains(&owner) {
        return Err(Stop::from(FaultKind::NoSuchThing));
    }
    Ok(p.places.get(z.first as usize + owner as usize))
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
    }
}

/// How many lie at a place.
pub(crate) fn count_at(p: &Program, st: &State, place: usize) -> usize {
    let Some(pl) = p.places.get(place) else { return 0 };
    if pl.seq != u32::MAX {
        let first = cell(st, pl.seq as usize);
        return if is_slot(p, pl) { usize::from(first != NONE) } else { usize::try_from(first).unwrap_or(0) };
    }
    members(p, st, place).iter().map(|w| w.count_ones() as usize).sum()
}

/// The plane of a place's members.
pub(crate) fn members<'a>(p: &Program, st: &'a State, place: usize) -> &'a [u64] {
    let Some(pl) = p.places.get(place) else { return &[] };
    let w = p.comps.get(pl.comps as usize).map_or(1, |c| super::state::words_of(p, c.universe.index()));
    st.planes.get(pl.plane as usize..pl.plane as usize + w).unwrap_or(&[])
}

/// The component at a position of an ordered place.
pub(crate) fn at_position(p: &Program, st: &State, place: usize, i: usize) -> i64 {
    match p.places.get(place) {
        Some(pl) if pl.seq != u32::MAX && is_slot(p, pl) => {
            if i == 0 {
                cell(st, pl.seq as usize)
            } else {
                NONE
            }
        }
        Some(pl) if pl.seq != u32::MAX && (i as i64) < cell(st, pl.seq as usize) => {
            cell(st, pl.seq as usize + 1 + i)
        }
        Some(pl) if pl.seq == u32::MAX => bits(members(p, st, place)).nth(i).map_or(NONE, |c| c as i64),
        _ => NONE,
    }
}

/// Whether the place is of a slot: then its sequence is one cell.
#[inline]
pub(crate) fn is_slot(p: &Program, pl: &Place) -> bool {
    p.zones.get(pl.zone as usize).is_some_and(|z| z.slot)
}

/// Components of one place, in room that most piles fit in.
pub(crate) type Lying = smallvec::SmallVec<[usize; 64]>;

/// Components at a place: in order if it is ordered, else by number.
pub(crate) fn lying_at(p: &Program, st: &State, place: usize) -> Lying {
    match p.places.get(place) {
        Some(pl) if pl.seq != u32::MAX => (0..count_at(p, st, place))
            .filter_map(|i| usize::try_from(at_position(p, st, place, i)).ok())
            .collect(),
        _ => bits(members(p, st, place)).collect(),
    }
}

/// Numbers of set bits.
pub(crate) fn bits(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(i, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let b = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            Some(i * 64 + b)
        })
    })
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
    if let Some(old) = p.places.get(from) {
        put_bit(&mut st.planes, old.plane as usize, c, false);
        if old.seq != u32::MAX && is_slot(p, old) {
            set_cell(st, old.seq, 0, i32::MIN);
        } else if old.seq != u32::MAX {
            let seq = old.seq as usize;
            let n = usize::try_from(cell(st, seq)).unwrap_or(0);
            if let Some(list) = st.cells.get_mut(seq + 1..seq + 1 + n)
                && let Some(i) = list.iter().position(|x| *x == c as i32)
            {
                list.copy_within(i + 1.., i);
                set_cell(st, old.seq, 0, n as i32 - 1);
            }
        }
    }
    let zone = p.zones.get(to.zone as usize);
    let room = zone.map_or(usize::MAX, |z| if z.slot { 1 } else { z.capacity as usize });
    if room < usize::from(u16::MAX) && count_at(p, st, place) >= room {
        return Err(Stop::from(FaultKind::ZoneFull(ZoneIx(to.zone))));
    }
    set_cell(st, comps.place, c, place as i32);
    if from != place {
        arrived(comps, st, c);
    }
    put_bit(&mut st.planes, to.plane as usize, c, true);
    if to.seq != u32::MAX && is_slot(p, &to) {
        set_cell(st, to.seq, 0, c as i32);
    } else if to.seq != u32::MAX {
        let seq = to.seq as usize;
        let n = usize::try_from(cell(st, seq)).unwrap_or(0);
        if n >= to.cap as usize {
            return Err(Stop::from(FaultKind::ZoneFull(ZoneIx(to.zone))));
        }
        let face = cell(st, comps.face as usize + c);
        let sorted = zone.and_then(|z| z.sorted).and_then(|t| p.tables.get(t.index()));
        let at = match sorted {
            Some(t) => {
                let key = |f: i64| usize::try_from(f).ok().and_then(|f| t.values.get(f)).copied();
                let mine = key(face);
                (0..n)
                    .find(|i| {
                        let other = cell(st, seq + 1 + i);
                        let f = usize::try_from(other).map_or(NONE, |o| cell(st, comps.face as usize + o));
                        key(f) > mine
                    })
                    .unwrap_or(n)
            }
            None if under => n,
            None => 0,
        };
        if let Some(list) = st.cells.get_mut(seq + 1..seq + 2 + n) {
            list.copy_within(at..n, at + 1);
            if let Some(x) = list.get_mut(at) {
                *x = c as i32;
            }
            set_cell(st, to.seq, 0, n as i32 + 1);
        }
    }
    Ok(from)
}

/// Component `c` has come to where it lies now: what it brings into force is the newest.
pub(crate) fn arrived(comps: &houserule_program::ir::Components, st: &mut State, c: usize) {
    if comps.came != u32::MAX {
        let now = st.head.next_layer;
        st.head.next_layer = now.wrapping_add(1);
        set_cell(st, comps.came, c, i32::try_from(now).unwrap_or(i32::MAX));
    }
}

/// Component `c` shows face `f`.
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

/// A state to be read: what hooks are given.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// The program.
    pub program: &'a Program,
    pub(crate) state: &'a State,
}

impl<'a> Look<'a> {
    /// A state of a program, to be read.
    pub fn new(program: &'a Program, state: &'a State) -> Self {
        Look { program, state }
    }

    /// A copy of the whole state, for who reads it after the machine has gone on.
    pub fn copy_state(&self) -> State {
        self.state.clone()
    }

    /// Whether a seat knows the face of component `c` of a kind of components.
    pub fn knows(&self, seat: usize, comps: usize, c: usize) -> bool {
        super::knowledge::knows(self.program, self.state, seat, comps, c)
    }

    /// An attribute's value for a thing (0 for the table); `None` for none, or where there is no such thing.
    pub fn attr(&self, attr: AttrIx, thing: usize) -> Option<i64> {
        let a = self.program.attrs.get(attr.index())?;
        let n = a.of.map_or(Some(1), |u| self.program.universes.get(u.index()).map(|u| u.n))?;
        if thing >= n as usize || a.set_at.is_some() {
            return None;
        }
        Some(cell(self.state, a.cell as usize + thing)).filter(|v| *v != NONE)
    }

    /// The kind of components (by index in `Program::comps`) whose universe this is.
    pub(crate) fn comps_of(&self, u: houserule_program::ir::UniverseId) -> Option<u16> {
        match self.program.universes.get(u.index()).map(|u| &u.sort) {
            Some(UniverseSort::Components(ci)) => Some(*ci),
            _ => None,
        }
    }

    /// All things of a kind of components in the order in which these seats (bits) find them; `None` for other kinds and for those whose numbers are no secret.
    pub fn in_order_for(&self, seats: u32, u: houserule_program::ir::UniverseId) -> Option<Vec<i64>> {
        let fast = Fast::new(self.program);
        let row = super::order::for_reader(self.program, &fast, self.state, seats, u)?;
        Some(row.into_iter().map(i64::from).collect())
    }

    /// The face of a component (by index in `Program::comps`).
    pub fn face(&self, comps: usize, c: usize) -> Option<usize> {
        let cs = self.program.comps.get(comps)?;
        let n = self.program.universes.get(cs.universe.index())?.n;
        if c >= n as usize {
            return None;
        }
        usize::try_from(cell(self.state, cs.face as usize + c)).ok()
    }

    /// The side that a die shows, by its number in the universe of sides of its kind.
    pub fn side(&self, comps: usize, c: usize) -> Option<usize> {
        let cs = self.program.comps.get(comps)?;
        cs.showing?;
        let face = self.face(comps, c)?;
        let side = usize::try_from(cell(self.state, cs.side as usize + c)).ok()?;
        let n = cs.sides.get(face)?.len();
        (side < n).then(|| cs.most_sides() * face + side)
    }

    /// The place of a component (by index in `Program::comps`).
    pub fn place(&self, comps: usize, c: usize) -> Option<usize> {
        let cs = self.program.comps.get(comps)?;
        let n = self.program.universes.get(cs.universe.index())?.n;
        if c >= n as usize {
            return None;
        }
        usize::try_from(cell(self.state, cs.place as usize + c)).ok()
    }

    /// Components at a place: in order if it is ordered, else by what they show if their numbers could tell a secret, else by number.
    pub fn lying_at(&self, place: usize) -> Vec<usize> {
        self.lying(place, None)
    }

    /// The same in an order that tells a seat nothing: what it does not know counts as not there, as in what it is offered.
    pub fn lying_to(&self, place: usize, seat: usize) -> Vec<usize> {
        self.lying(place, u32::try_from(seat).ok().and_then(|s| 1u32.checked_shl(s)))
    }

    fn lying(&self, place: usize, seats: Option<u32>) -> Vec<usize> {
        let all = lying_at(self.program, self.state, place);
        let Some(pl) = self.program.places.get(place).filter(|pl| pl.seq == u32::MAX) else {
            return all.into_vec();
        };
        let ci = usize::from(pl.comps);
        if !self.program.comps.get(ci).is_some_and(|c| c.mixed) {
            return all.into_vec();
        }
        let fast = Fast::new(self.program);
        let row = super::order::in_order(self.program, &fast, self.state, ci, all.into_iter(), seats);
        row.into_iter().map(usize::from).collect()
    }

    /// Rounds begun.
    pub fn round(&self) -> i32 {
        self.state.head.round
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Option<usize> {
        self.state.turn()
    }
}
