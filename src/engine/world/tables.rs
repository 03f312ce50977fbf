//! `WorldTables`: tables computed once from a program, packed for fast access by the interpreter.
use crate::base::fault::{FaultKind, Stop};
use crate::data::state::{Link, State};
use crate::world::domains::{PackedAction, PackedUniverse, pack_action};
use crate::world::graph::MAX_WORDS;
use houserule_program::ir::*;

// Not inlined, so that the run loop keeps no register for it.
#[inline(never)]
pub(crate) fn map_of<'a>(rules: Rules<'a>, m: u8) -> Result<(&'a Topology, usize, usize), Stop> {
    map_at(rules, m)
}

/// A map, with how many spaces it has and the words of a set of them.
#[inline(always)]
pub(crate) fn map_at<'a>(rules: Rules<'a>, m: u8) -> Result<(&'a Topology, usize, usize), Stop> {
    let (Some(map), Some(its)) = (rules.p.maps.get(m as usize), rules.world.maps.get(m as usize)) else {
        return Err(Stop::from(FaultKind::BadProgram("a map that is not there")));
    };
    if its.w > MAX_WORDS {
        return Err(Stop::from(FaultKind::BadProgram("a map that is too large")));
    }
    Ok((map, its.n, its.w))
}

/// Words of a value that is shown in this way.
pub(crate) fn width(p: &Program, show: Show) -> usize {
    match show {
        Show::Set(u) => crate::data::state::words_of(p, u.index()),
        Show::List(u) => 1 + p.universes.get(u.index()).map_or(0, |u| (u.list_room() as usize).div_ceil(4)),
        _ => 1,
    }
}

/// A program with the tables computed from it: what stays the same during a game.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'a> {
    pub p: &'a Program,
    pub world: &'a WorldTables,
}

/// Facts computed from the program once, packed for the run loop.
#[derive(Default)]
pub(crate) struct WorldTables {
    pub attrs: Vec<PackedAttr>,
    pub universes: Vec<PackedUniverse>,
    /// By place: the seats (bits) that see faces there; `None`: a function computes them.
    pub seers: Vec<Option<u32>>,
    /// All seats (bits).
    pub seats: u32,
    pub actions: Vec<PackedAction>,
    pub tables: Vec<PackedTable>,
    /// The values of all tables, one after the other.
    pub values: Vec<i32>,
    /// By place: the space that it is on, or none.
    pub spaces: Vec<i32>,
    /// By universe: the cells of its components. Apart from `universes`, because the run loop is slower with the larger rows.
    lies: Vec<PackedLies>,
    /// By group of planes.
    groups: Vec<PackedGroup>,
    /// By zone: its facts, if it has one place for each holder.
    pub zones: Vec<Option<PackedZone>>,
    /// By map.
    pub maps: Vec<PackedMap>,
    /// By menu: its enumerators as a chain of calls, if the menu looks ahead over lines and each enumerator leaves its arguments as they were.
    pub chains: Vec<Option<Chain>>,
    /// The number of players; 0 if an attribute is reset when a turn begins, so that the fast path of a turn does not apply.
    pub plain_turns: u64,
    /// Whether an attribute is reset when a round begins.
    pub per_round: bool,
    /// By map.
    pub rays: Vec<PackedRays>,
    /// By table of lines: the lines through each thing.
    pub lines: Vec<PackedLines>,
    /// By offer: its facts, if a playout answers it inside the run loop.
    pub inline_offers: Vec<Option<crate::world::direct_offers::InlineOffer>>,
    /// By offer: its facts, if a playout answers it without an enumerator.
    pub fast_offers: Vec<Option<crate::world::direct_offers::FastOffer>>,
}

/// The rays of a map as sets. Empty if the map has more than 64 spaces, or if the numbers along a direction neither always rise nor always fall.
#[derive(Default)]
pub(crate) struct PackedRays {
    pub n: u32,
    /// By direction, then space.
    pub sets: Vec<u64>,
    /// Directions (bits) that lead to greater numbers.
    pub up: u16,
}

/// The lines through each thing of a universe of one word. Each thing has the same number of entries, padded with lines that no set contains, so that every search takes the same
/// number of steps.
#[derive(Default)]
pub(crate) struct PackedLines {
    /// Entries for each thing; 0: there is no such table.
    pub most: usize,
    masks: Vec<u64>,
    /// The lines in order, if the first thing of each is the one with the least number.
    pub ascending: Vec<u64>,
}

/// A table of values by thing.
#[derive(Clone, Copy)]
pub(crate) struct PackedTable {
    /// Words of a set of its things; of a table by face, of a set of components.
    pub w: u8,
    /// Of a table by face: the first cell of the components' faces; else `u32::MAX`.
    pub face: u32,
    /// Its first position in [`WorldTables::values`], its length, and the number of its first thing.
    at: u32,
    n: u32,
    lo: i32,
}

/// A zone with one place for each holder.
#[derive(Clone, Copy)]
pub(crate) struct PackedZone {
    /// Its first place, and how many there are.
    pub first: u32,
    pub many: u32,
    /// The first holder that has a place, and the number of all holders.
    pub from: u32,
    pub n: u32,
    /// Of the components that it holds: the first cell of their places, and their number.
    pub place: u32,
    pub held: u32,
    /// Words of a set of holders, and of a set of the components that it holds.
    pub w: u8,
    pub held_w: u8,
}

/// Functions that run one after the other.
pub(crate) struct Chain {
    pub first: FuncId,
    /// The others, the last first, as frames that return to their first instruction.
    pub links: Vec<Link>,
}

/// A map.
#[derive(Default)]
pub(crate) struct PackedMap {
    /// The number of spaces, and words of a set of them.
    pub n: usize,
    pub w: usize,
    /// The direction from one space to another in line with it, `directions[from * n + to]`; `u8::MAX`: none. Empty if the map has more than 256 spaces, or no code needs it.
    pub directions: Vec<u8>,
}

/// An attribute. `cell` is its first cell, `n` the number of its owners.
#[derive(Clone, Copy)]
pub(crate) struct PackedAttr {
    pub cell: u32,
    pub n: u32,
    pub lo: i32,
    pub hi: i32,
    pub maybe: bool,
    pub clamped: bool,
    /// Words of an index plane; 0: it has none. Then the first word of the planes, the value of the first plane, and the number of planes.
    pub w: u8,
    pub at: u32,
    pub plane_lo: i32,
    pub plane_n: u32,
    /// Words of a set of owners.
    pub owner_w: u8,
    /// Whether its owners are the players.
    pub players: bool,
}

/// The components of a universe: their number (0 if the universe has none), and the first cells of their faces and places.
#[derive(Clone, Copy)]
struct PackedLies {
    n: u32,
    face: u32,
    place: u32,
}

/// A group of planes: the value of the first plane, the number of planes, their first word, and the words of one.
#[derive(Clone, Copy)]
struct PackedGroup {
    lo: i32,
    n: u32,
    at: u32,
    w: u8,
    ordered: bool,
}

impl PackedTable {
    /// The value for a thing's number, if there is one.
    #[inline(always)]
    pub fn at(&self, values: &[i32], i: i64) -> Option<i32> {
        let i = i.wrapping_sub(i64::from(self.lo)) as u64;
        if i < u64::from(self.n) { values.get(self.at as usize + i as usize).copied() } else { None }
    }
}

impl WorldTables {
    pub fn new(p: &Program) -> WorldTables {
        let comps = |u: &Universe| match u.sort {
            UniverseSort::Components(i) => p.comps.get(i as usize),
            _ => None,
        };
        let universes = p
            .universes
            .iter()
            .map(|u| PackedUniverse {
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
                PackedAttr {
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
                    owner_w: owner.map_or(1, |u| u.w.max(1)),
                    players: a.of == Some(p.player_universe),
                }
            })
            .collect();
        let seats = if p.seats >= 32 { u32::MAX } else { (1u32 << p.seats) - 1 };
        let seers = crate::data::seats::place_seers(p, seats);
        let actions = p.actions.iter().map(|a| pack_action(p, &universes, a)).collect();
        let per = |per| p.attrs.iter().any(|a| a.per == Some(per));
        let (per_turn, per_round) = (per(Per::Turn), per(Per::Round));
        let plain_turns = if per_turn { 0 } else { u64::from(p.players) };
        let words = |u: UniverseId| universes.get(u.index()).map_or(1, |u: &PackedUniverse| u.w);
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
            PackedTable { w, face, at, n, lo }
        });
        let tables = tables.collect();
        let spaces = p.places.iter().map(|place| place.space).collect();
        let lies = universes.iter().map(|u: &PackedUniverse| PackedLies {
            n: if u.place == u32::MAX { 0 } else { u.n },
            face: u.face,
            place: u.place,
        });
        let lies = lies.collect();
        let groups = p.groups.iter().map(|g| PackedGroup {
            lo: g.lo,
            n: u32::from(g.n),
            at: g.at,
            w: g.w,
            ordered: g.ordered,
        });
        let groups = groups.collect();
        let zone = |z: &ZoneSlot| {
            let of = universes.get(z.of?.index())?;
            let held = universes.get(p.comps.get(z.holds as usize)?.universe.index())?;
            let (first, (from, many)) = (u32::from(z.first), z.holders);
            let (n, place) = (of.n, held.place);
            Some(PackedZone { first, many, from, n, place, held: held.n, w: of.w, held_w: held.w })
        };
        let zones = p.zones.iter().map(zone).collect();
        let chains = p.menus.iter().map(|m| pack_chain(p, m)).collect();
        let directions = p.code.iter().any(|i| matches!(i, Ins::DirOf { .. }));
        let maps = p.maps.iter().map(|m| pack_map(m, universes.get(m.spaces.index()), directions)).collect();
        let rays = p.maps.iter().map(pack_rays).collect();
        let lines = p.line_tables.iter().map(|t| pack_lines(t, words(t.universe))).collect();
        let (inline_offers, fast_offers) = (crate::world::direct_offers::InlineOffer::all(p), Vec::new());
        let mut world = WorldTables {
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
            inline_offers,
            fast_offers,
        };
        world.fast_offers =
            crate::world::direct_offers::FastOffer::all(p, &world.actions, &world.inline_offers);
        world
    }

    /// The program that these tables are computed from, with them.
    #[inline(always)]
    pub fn with<'a>(&'a self, p: &'a Program) -> Rules<'a> {
        Rules { p, world: self }
    }

    /// The place of a component, if it exists.
    #[inline(always)]
    pub fn place_of(&self, st: &State, u: u8, c: i64) -> Option<i32> {
        let its = self.lies.get(u as usize).filter(|x| (c as u64) < u64::from(x.n))?;
        st.cells.get(its.place as usize + c as usize).copied()
    }

    /// The face of a component, if it exists.
    #[inline(always)]
    pub fn face_of(&self, st: &State, u: u8, c: i64) -> Option<i32> {
        let its = self.lies.get(u as usize).filter(|x| (c as u64) < u64::from(x.n))?;
        st.cells.get(its.face as usize + c as usize).copied()
    }

    /// The first word of the plane of a value, and its length; `None` if the value has no plane.
    #[inline(always)]
    pub fn plane(&self, group: GroupIx, i: i64) -> Option<(usize, usize)> {
        let g = self.groups.get(group.index())?;
        let mut k = i.wrapping_sub(i64::from(g.lo)) as u64;
        if k >= u64::from(g.n) {
            k = match i {
                // The last plane is that of none.
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
    pub fn universe(&self, u: usize) -> Result<PackedUniverse, Stop> {
        self.universes
            .get(u)
            .copied()
            .ok_or_else(|| Stop::from(FaultKind::BadProgram("a universe that is not there")))
    }
}

impl PackedRays {
    /// The rays from a space in each of these directions, each up to the first space that is not in a set, and that space.
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

impl PackedLines {
    /// Whether a line through a thing lies wholly in a set.
    #[inline(always)]
    pub fn has_full_line(&self, thing: u64, set: u64) -> bool {
        let first = usize::try_from(thing).ok().and_then(|c| c.checked_mul(self.most));
        let masks = first.and_then(|i| self.masks.get(i..)).and_then(|m| m.get(..self.most));
        let mut any = false;
        for m in masks.unwrap_or(&[]) {
            any |= m & !set == 0;
        }
        any
    }
}

/// The enumerators of a menu that looks ahead over lines, if none of them is loose or overwrites its arguments.
fn pack_chain(p: &Program, m: &MenuSlot) -> Option<Chain> {
    m.lines.as_ref()?;
    let mut links = Vec::new();
    for a in m.actions.iter().rev() {
        let action = p.actions.get(a.index()).filter(|a| a.loose.is_none())?;
        let func = p.funcs.get(action.enumerator.index())?;
        let code = p.code.get(func.start as usize..func.end as usize)?;
        let kept = |ins| {
            let u = def_use::used(p, ins)?;
            let own = u.writes.iter().all(|(r, _)| *r >= func.args);
            (own && u.window.is_none_or(|r| r >= func.args)).then_some(())
        };
        code.iter().try_for_each(kept)?;
        links.push(Link { pc: func.start, base: 0, func: action.enumerator.0, acted: u16::MAX });
    }
    let first = links.pop()?;
    Some(Chain { first: FuncId(first.func), links })
}

fn pack_map(m: &Topology, u: Option<&PackedUniverse>, with_directions: bool) -> PackedMap {
    let (n, w) = u.map_or((0, 0), |u| (u.n as usize, u.w as usize));
    let mut directions = Vec::new();
    if with_directions && (1..=256).contains(&n) {
        directions = vec![u8::MAX; n * n];
        // The least direction counts, so it is written last.
        for (i, (from, to)) in m.rays.iter().enumerate().take(m.dirs as usize * n).rev() {
            let ray = m.ray_list.get(*from as usize..*to as usize).unwrap_or(&[]);
            for b in ray.iter().map(|b| usize::from(*b)).filter(|b| *b != i % n) {
                if let Some(d) = directions.get_mut(i % n * n + b) {
                    *d = (i / n) as u8;
                }
            }
        }
    }
    PackedMap { n, w, directions }
}

fn pack_rays(m: &Topology) -> PackedRays {
    let n = m.at.len();
    let mut out = PackedRays { n: n as u32, ..PackedRays::default() };
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

fn pack_lines(t: &LineTable, w: u8) -> PackedLines {
    let most = t.through.iter().map(|(a, b)| b.saturating_sub(*a) as usize).max().unwrap_or(0);
    // A full set of 64 things would contain the padding, and long rows would be mostly padding.
    let ascending = if w == 1 && t.ascending { t.masks.clone() } else { Vec::new() };
    if w != 1 || t.through.len() >= 64 || most > 16 {
        return PackedLines { ascending, ..PackedLines::default() };
    }
    let mut masks = Vec::with_capacity(most * t.through.len());
    for (a, b) in &t.through {
        let lines = t.through_masks.get(*a as usize..*b as usize).unwrap_or(&[]);
        masks.extend_from_slice(lines);
        masks.extend((lines.len()..most).map(|_| u64::MAX));
    }
    PackedLines { most, masks, ascending }
}
