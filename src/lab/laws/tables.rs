//! Fills the tables and states of the reference interpreter from those of a program and the engine: the one place that knows how bits and cells are laid out. Reads no code of a program.
use houserule_engine::{LayerOp, State};
use houserule_model::body::{types, walk};
use houserule_model::hir::*;
use houserule_program::Resolved;
use houserule_program::ir::{self, AttrSlot, Program, Show, UniverseId, UniverseSort, VerdictCode};
use houserule_reference::{
    Board, Datum, Face, Family, Layer, LayerChange, Numbers, Piece, Place, Result, Slot, World, unsupported,
};
use std::collections::BTreeMap;

/// The numbers of a game's set-up.
pub(crate) fn number_game<'a>(m: &'a Model, set: &'a Resolved, p: &'a Program) -> Numbers<'a> {
    let mut n = Numbers {
        m,
        set,
        p,
        apart: houserule_model::body::liveness::find(m),
        phases: (0..m.rules.len() as u32).map(|r| (RuleId(r), phase_number(m, p, r as usize))).collect(),
        used: BTreeMap::new(),
        universes: BTreeMap::new(),
        families: Vec::new(),
        members: BTreeMap::new(),
        attrs: BTreeMap::new(),
        initial: BTreeMap::new(),
        printed: BTreeMap::new(),
        options: BTreeMap::new(),
        places: Vec::new(),
        zones: BTreeMap::new(),
        boards: BTreeMap::new(),
        layered: Vec::new(),
    };
    // What is `once` has a slot by that name.
    for (i, slot) in p.attrs.iter().enumerate().filter(|(_, slot)| &*slot.name == "used") {
        n.used.entry(p.decls[slot.decl.index()].span).or_insert(i);
    }
    number_players(&mut n);
    number_kinds(&mut n);
    number_families(&mut n);
    number_maps(&mut n);
    let declared = |what: &str, span| p.decls.iter().position(|d| d.what == what && d.span == span);
    for (i, a) in m.attrs.iter().enumerate() {
        let decl = declared("attribute", a.span);
        // The numbers of a bag are declared in one place.
        let slot = p.attrs.iter().position(|s| Some(s.decl.index()) == decl && s.name == m.shown_name(a));
        if let (true, Some(slot)) = (set.has(a.scope), slot) {
            n.attrs.insert(AttrId(i as u32), slot);
        }
    }
    let mut zones = BTreeMap::new();
    for (i, z) in m.zones.iter().enumerate() {
        let decl = declared("zone", z.span);
        let slot = p.zones.iter().position(|s| Some(s.decl.index()) == decl);
        if let (true, Some(slot)) = (set.has(z.scope), slot) {
            zones.insert(slot, ZoneId(i as u32));
        }
    }
    number_places(&mut n, &zones);
    number_layers(&mut n);
    read_printed(&mut n);
    for (o, word) in &set.options {
        n.options.insert(*o, option_datum(&n, &m.options[o.index()].ty, *word));
    }
    n
}

/// The number of a phase among those of the set-up; of any other rule -1.
fn phase_number(m: &Model, p: &Program, rule: usize) -> i32 {
    let mut phases = p.phases.iter().map(|phase| p.decls[phase.decl.index()].span);
    phases.position(|declared| declared == m.rules[rule].span).map_or(-1, |i| i as i32)
}

/// The table of what a type's values, or the values in a set of that type, are; none of truth values and numbers.
fn universe_of(n: &Numbers<'_>, ty: &Ty) -> Option<u16> {
    let comps = |k: &KindId| n.family(*k).ok().map(|f| f.comps);
    match ty {
        Ty::Maybe(t) | Ty::Set(t) | Ty::List(t) => universe_of(n, t),
        Ty::Of(_) | Ty::AnyOf(_) => n.universes.get(types::kinds_of(ty).first()?).copied(),
        Ty::Filter(k) if !types::is_die(n.m, *k) => Some(comps(k)?.faces.0),
        Ty::Face(k) => Some(comps(k)?.faces.0),
        Ty::Side(k) | Ty::Filter(k) => comps(k)?.showing.map(|u| u.0),
        _ => None,
    }
}

/// Places, with whose they are: a zone's stand one behind the other, for each holder one an index.
fn number_places(n: &mut Numbers<'_>, zones: &BTreeMap<usize, ZoneId>) {
    for (i, place) in n.p.places.iter().enumerate() {
        let (at, p) = (usize::from(place.zone), n.p);
        let slot = p.zones.get(at);
        let universe = slot.and_then(|z| z.of);
        let thing = |k: i32, u: Option<UniverseId>| {
            u32::try_from(k).ok().zip(u).map_or(Datum::None, |(k, u)| Datum::Thing(u.0, k))
        };
        let (of, space) = (thing(place.owner, universe), thing(place.space, universe));
        let zone = zones.get(&at).map(|id| &n.m.zones[id.index()]);
        if let (Some(slot), Some(id), Some(zone)) = (slot, zones.get(&at), zone) {
            let k = (i as i32 - i32::from(slot.first)) % i32::from(slot.indexes.max(1)) + slot.index_lo;
            let index = match slot.index_of {
                Some(_) => thing(k, slot.index_of),
                None if zone.index.is_some() => Datum::Int(i64::from(k)),
                None => Datum::None,
            };
            n.zones.insert((*id, of.clone(), index), i as u32);
        }
        n.places.push(Place {
            zone,
            of,
            holder: thing(place.holder, Some(n.p.player_universe)),
            space,
            slot,
        });
    }
}

/// All things that have something in a slot of the state: of the table's own none.
fn things_of(n: &Numbers<'_>, slot: &AttrSlot) -> Vec<Datum> {
    slot.of.map_or(vec![Datum::None], |u| n.all(u.0))
}

/// What is said of an option: of components a face.
fn option_datum(n: &Numbers<'_>, ty: &Ty, word: i64) -> Datum {
    match types::plain(ty) {
        _ if word == ir::NONE => Datum::None,
        Ty::Int(..) => Datum::Int(word),
        Ty::Bool => Datum::Bool(word != 0),
        Ty::Of(k) if types::is_component(n.m, k) => n
            .family(k)
            .ok()
            .and_then(|f| f.faces.get(word as usize))
            .map_or(Datum::Absent, |f| f.thing.clone()),
        other => universe_of(n, &other).map_or(Datum::Absent, |u| Datum::Thing(u, word as u32)),
    }
}

/// What attributes begin with, and what drawn maps say of their spaces.
fn read_printed(n: &mut Numbers<'_>) {
    for (at, slot) in attribute_slots(n.p) {
        for (i, thing) in things_of(n, slot).into_iter().enumerate() {
            let first = slot.initial.get(i).or(slot.initial.first()).copied().unwrap_or(0);
            n.initial.extend(decode_single(n, i64::from(first), slot.show).ok().map(|d| ((at, thing), d)));
        }
    }
    for (i, attr) in n.m.attrs.iter().enumerate().filter(|(_, a)| a.drawn) {
        let universe = attr.of.and_then(|k| n.universe(k).ok());
        let is = |s: &&ir::PrintedSlot| s.name == attr.name && Some(s.of.0) == universe;
        let Some(slot) = n.p.printed.iter().find(is) else { continue };
        for (thing, word) in n.p.tables[slot.table.index()].values.iter().enumerate() {
            let said = decode_single(n, i64::from(*word), slot.show).ok();
            let thing = Datum::Thing(slot.of.0, thing as u32);
            n.printed.extend(said.map(|d| ((AttrId(i as u32), thing), d)));
        }
    }
}

/// The slots of attributes and of what is `once`. The order of arrival of a component has a slot, too, but belongs to the component and is left out.
fn attribute_slots(p: &Program) -> impl Iterator<Item = (usize, &AttrSlot)> {
    p.attrs.iter().enumerate().filter(|(_, s)| p.comps.iter().all(|c| c.came != s.cell))
}

fn number_players(n: &mut Numbers<'_>) {
    let own = n.set.own as usize;
    let player = |i: usize| Datum::Thing(0, i as u32);
    n.members.extend(n.m.named_players().take(own).enumerate().map(|(i, id)| (id, player(i))));
    let more = n.m.extra_players().filter(|id| n.set.has(n.m.members[id.index()].scope));
    n.members.extend(more.enumerate().map(|(i, id)| (id, player(own + i))));
}

fn number_kinds(n: &mut Numbers<'_>) {
    let (m, set) = (n.m, n.set);
    for (i, kind) in m.kinds.iter().enumerate() {
        let id = KindId(i as u32);
        let component = types::is_component(m, id);
        let root = types::root_of(m, id);
        let name = if component { &m.kinds[root.index()].name } else { &kind.name };
        let found = n.p.universes.iter().position(|u| {
            let sort = match u.sort {
                UniverseSort::Components(_) => component,
                UniverseSort::Players | UniverseSort::Words | UniverseSort::Spaces(_) => !component,
                _ => false,
            };
            *u.name == **name && sort
        });
        let Some(found) = found.filter(|_| set.has(kind.scope)) else { continue };
        n.universes.insert(id, found as u16);
        if matches!(kind.sort, KindSort::Enum | KindSort::Space(None)) {
            let here = kind.members.iter().filter(|x| set.has(m.members[x.index()].scope));
            n.members.extend(here.enumerate().map(|(n, x)| (*x, Datum::Thing(found as u16, n as u32))));
        }
    }
}

fn number_families(n: &mut Numbers<'_>) {
    let (m, set) = (n.m, n.set);
    let in_force = m.scopes.iter().enumerate().filter(|(i, _)| set.has(ScopeId(*i as u32)));
    let removes: Vec<&Removed> = in_force.flat_map(|(_, s)| &s.removes).collect();
    let removed = |id: MemberId| removes.iter().any(|r| matches!(r, Removed::Member(x) if *x == id));
    for comps in &n.p.comps {
        let universe = comps.universe.0;
        let kinds = (0..m.kinds.len() as u32).map(KindId);
        let mut faces: Vec<Face> = Vec::new();
        let mut add = |kind, member, key| {
            let n = faces.len() as u32;
            let thing = Datum::Thing(comps.faces.0, n);
            let sides = (n * comps.most_sides() as u32..).zip(sides_of(m, kind, member));
            let side = |(n, side)| (Datum::Thing(comps.showing.map_or(0, |u| u.0), n), side);
            faces.push(Face { thing, kind, member, key, sides: sides.map(side).collect() });
        };
        for kind in kinds.filter(|k| n.universes.get(k) == Some(&universe)) {
            let declared = &m.kinds[kind.index()];
            let here = declared.members.iter().copied();
            for id in here.filter(|id| set.has(m.members[id.index()].scope) && !removed(*id)) {
                let family = m.members[id.index()].family.as_ref();
                let (lo, hi) = family.map_or((0, 0), |(_, lo, hi)| (*lo, *hi));
                (lo..=hi).for_each(|key| add(kind, Some(id), key));
            }
            if declared.copies.is_some() {
                add(kind, None, 0);
            }
        }
        n.families.push(Family { faces, comps });
    }
}

/// A die has the sides that its member says, or else those of its kind.
fn sides_of(m: &Model, kind: KindId, member: Option<MemberId>) -> Vec<Side> {
    let own = member.map(|x| &m.members[x.index()].sides);
    let kinds = types::line_of(m, kind);
    let mut all = own.into_iter().chain(kinds.iter().map(|k| &m.kinds[k.index()].sides));
    all.find(|s| !s.is_empty()).cloned().unwrap_or_default()
}

fn number_maps(n: &mut Numbers<'_>) {
    for map in n.m.maps.iter().filter(|map| n.set.has(map.scope)) {
        let Some(universe) = n.universes.get(&map.space).copied() else { continue };
        let Some(t) = n.p.maps.iter().find(|t| t.spaces.0 == universe) else { continue };
        let places = t.at.iter().map(|(c, r)| (i32::from(*c), i32::from(*r)));
        let at: BTreeMap<_, _> = (0..).map(|c| Datum::Thing(universe, c)).zip(places).collect();
        let spaces = at.iter().map(|(c, at)| (*at, c.clone())).collect();
        let in_force = || map.ways.iter().filter(|r| n.set.has(r.scope));
        let place = |m: &MemberId| n.members.get(m).cloned();
        let leads = |(a, b, one_way): (MemberId, MemberId, bool)| {
            let back = if one_way { None } else { Some((b, a)) };
            [Some((a, b)), back].into_iter().flatten().filter_map(|(a, b)| Some((place(&a)?, place(&b)?)))
        };
        let ways = in_force().flat_map(WayRow::ways).flat_map(leads).collect();
        let pairs = |r: &WayRow| r.ways().map(|(a, b, _)| vec![a, b]).collect::<Vec<_>>();
        let rows = in_force().flat_map(|r| if r.star { pairs(r) } else { vec![r.places.clone()] });
        let rows = rows.filter_map(|r| r.iter().map(place).collect()).collect();
        n.boards.insert(universe, Board { shape: map.shape, at, spaces, ways, rows });
    }
}

fn number_layers(n: &mut Numbers<'_>) {
    let mut all: Vec<&Attachment> = Vec::new();
    walk::visit_game(n.m, &mut |_| {}, &mut |s| {
        if let StmtKind::Attach(a) = &s.kind {
            all.push(a);
        }
    });
    for leased in &n.p.leased {
        let span = n.p.decls[leased.decl.index()].span;
        let Some(a) = all.iter().find(|a| a.span == span) else { continue };
        let mut names: BTreeMap<LocalId, Ty> = BTreeMap::new();
        walk::visit_attachment_exprs(a, &mut |x| {
            if let ExprKind::Local(l) = &*x.kind
                && l.0 < a.outer
            {
                names.entry(*l).or_insert_with(|| x.ty.clone());
            }
        });
        if let Some(l) = a.maker {
            names.entry(l).or_insert_with(types::player);
        }
        n.layered.push((a, names.into_iter().collect()));
    }
}

// ── Registers ────────────────────────────────────────────────────────────────────────────────────────────

/// How a value of a type stands in registers, and in how many.
pub(crate) fn register_form(n: &Numbers<'_>, ty: &Ty) -> Result<(Show, usize)> {
    let universe = || universe_of(n, ty).map(UniverseId);
    Ok(match ty {
        Ty::Bool => (Show::Truth, 1),
        Ty::Int(..) => (Show::Number, 1),
        Ty::Place => (Show::Place, 1),
        Ty::Phase => (Show::Phase, 1),
        Ty::Maybe(t) => register_form(n, t)?,
        Ty::Set(_) | Ty::List(_) | Ty::Filter(_) => match universe() {
            Some(u) => (Show::Set(u), set_width(n, u)),
            None => return unsupported("names that hold sets of numbers"),
        },
        _ => match universe() {
            Some(u) => (Show::Thing(u), 1),
            None => return unsupported("names of this type"),
        },
    })
}

fn set_width(n: &Numbers<'_>, u: UniverseId) -> usize {
    n.p.universes.get(u.index()).map_or(1, |u| usize::from(u.w))
}

/// The number for which the first bit of a set stands.
fn first_number(n: &Numbers<'_>, u: UniverseId) -> i64 {
    match n.p.universes.get(u.index()).map(|u| &u.sort) {
        Some(UniverseSort::Numbers { lo }) => i64::from(*lo),
        _ => 0,
    }
}

/// A value as the engine holds it, by how the engine says that it reads.
pub(crate) fn decode(n: &Numbers<'_>, words: &[u64], show: Show) -> Result {
    let first = words.first().copied().unwrap_or(0) as i64;
    Ok(match show {
        Show::Set(u) => {
            let bit = |i: &i64| words.get(*i as usize / 64).is_some_and(|w| w >> (i % 64) & 1 == 1);
            let all = (0..words.len() as i64 * 64).filter(bit);
            Datum::set(all.map(|i| decode_element(n, u, i + first_number(n, u))))
        }
        Show::List(u) => {
            let item = |i: i64| words.get(1 + i as usize / 4).map_or(0, |w| w >> (i % 4 * 16) & 0xffff);
            let lo = first_number(n, u);
            Datum::List((0..first).map(|i| decode_element(n, u, item(i) as i64 + lo)).collect())
        }
        _ => return decode_single(n, first, show),
    })
}

/// A single value as tables and states hold it.
fn decode_single(n: &Numbers<'_>, word: i64, show: Show) -> Result {
    Ok(match show {
        _ if word == ir::NONE => Datum::None,
        _ if word == ir::ABSENT => Datum::Absent,
        Show::Number => Datum::Int(word),
        Show::Truth => Datum::Bool(word != 0),
        Show::Thing(u) => decode_element(n, u, word),
        Show::Place => Datum::Place(word as u32),
        Show::Phase => {
            let mut all = (0..n.m.rules.len() as u32).map(RuleId);
            all.find(|r| i64::from(n.phases[r]) == word).map_or(Datum::None, |r| Datum::Phase(r.0))
        }
        Show::Set(_) | Show::List(_) | Show::Text => return unsupported("texts and sets that are kept"),
    })
}

/// A thing of a table, or the number or truth value that it stands for.
fn decode_element(n: &Numbers<'_>, u: UniverseId, i: i64) -> Datum {
    match n.p.universes.get(u.index()).map(|u| &u.sort) {
        Some(UniverseSort::Numbers { .. }) => Datum::Int(i),
        Some(UniverseSort::Truth) => Datum::Bool(i != 0),
        _ => Datum::Thing(u.0, i as u32),
    }
}

/// A value as the engine takes it.
pub(super) fn encode(n: &Numbers<'_>, d: &Datum, show: Show) -> Result<Vec<u64>> {
    let one = |d: &Datum| {
        Ok(match d {
            Datum::None => ir::NONE,
            Datum::Absent => ir::ABSENT,
            Datum::Bool(b) => i64::from(*b),
            Datum::Int(n) => *n,
            Datum::Thing(_, n) | Datum::Place(n) => i64::from(*n),
            _ => return unsupported("arguments of this sort"),
        })
    };
    match show {
        Show::Set(u) => {
            let mut words = vec![0u64; set_width(n, u)];
            for x in d.items() {
                let i = (one(&x)? - first_number(n, u)) as usize;
                if let Some(w) = words.get_mut(i / 64) {
                    *w |= 1 << (i % 64);
                }
            }
            Ok(words)
        }
        Show::List(u) => {
            let all = d.items();
            let room = n.p.universes.get(u.index()).map_or(0, ir::Universe::list_room) as usize;
            if all.len() > room {
                return unsupported("longer lists than there is room for");
            }
            let mut words = vec![0u64; 1 + room.div_ceil(4)];
            words[0] = all.len() as u64;
            for (i, x) in all.iter().enumerate() {
                words[1 + i / 4] |= ((one(x)? - first_number(n, u)) as u64) << (i % 4 * 16);
            }
            Ok(words)
        }
        Show::Text | Show::Phase => unsupported("arguments of this sort"),
        _ => Ok(vec![one(d)? as u64]),
    }
}

// ── States ───────────────────────────────────────────────────────────────────────────────────────────────

/// An engine's state as the reference has it.
pub(crate) fn decode_world(n: &Numbers<'_>, state: &State) -> Result<World> {
    let p = n.p;
    let cell = |i: u32| state.cells.get(i as usize).map_or(ir::NONE, |v| i64::from(*v));
    let mut w = World {
        round: i64::from(state.round()),
        turns: i64::from(state.turns()),
        turn: state.turn().map(|p| p as u32),
        over: state.head.over,
        outer_turns: state.outer_turns.iter().map(|p| *p as u32).collect(),
        clock: i64::from(state.head.next_layer),
        seed: state.head.seed,
        drawn: state.draws().to_vec(),
        lying: vec![Vec::new(); p.places.len()],
        ..World::default()
    };
    for (at, slot) in attribute_slots(p) {
        for (i, thing) in things_of(n, slot).into_iter().enumerate() {
            w.attrs.insert((at, thing), decode_single(n, cell(slot.cell + i as u32), slot.show)?);
        }
    }
    for comps in &p.comps {
        read_components(n, state, comps, &mut w);
    }
    for (i, place) in p.places.iter().enumerate() {
        if place.row != u32::MAX {
            let (from, to) = (cell(place.seq) as u32, cell(place.seq + 1) as u32);
            let u = p.comps[usize::from(place.comps)].universe.0;
            w.lying[i] = (from..to).map(|k| Datum::Thing(u, cell(place.row + k) as u32)).collect();
        }
    }
    let running = |p: u16| (0..n.m.rules.len() as u32).map(RuleId).find(|r| n.phases[r] == i32::from(p));
    w.phases = state.phases().filter_map(running).collect();
    let verdict = |v: VerdictCode| match v {
        VerdictCode::Win => Verdict::Win,
        VerdictCode::Lose => Verdict::Lose,
        VerdictCode::Tie => Verdict::Tie,
    };
    w.verdicts = state.verdicts.iter().map(|v| v.map(verdict)).collect();
    for layer in &state.layers {
        let change = match layer.op {
            LayerOp::Put { attr, thing, old, new } => {
                let slot = &p.attrs[usize::from(attr)];
                let of = slot.of.map_or(Datum::None, |u| Datum::Thing(u.0, thing));
                let [old, new] = [old, new].map(|word| decode_single(n, i64::from(word), slot.show));
                LayerChange::Set(Slot::Attr((usize::from(attr), of)), old?, new?)
            }
            LayerOp::Moved { u, c, old, new } => {
                let c = Datum::Thing(p.comps[usize::from(u)].universe.0, c);
                let [old, new] = [old, new].map(|place| Datum::Place(u32::from(place)));
                LayerChange::Set(Slot::Place(c), old, new)
            }
            LayerOp::Attached { what, at, n: words } => {
                let Some((_, names)) = n.layered.get(usize::from(what)) else {
                    return unsupported("a layer that is not known");
                };
                let all = state.layer_words.get(at as usize..at as usize + usize::from(words));
                let (mut held, mut from) = (Vec::new(), 0);
                for (local, ty) in names {
                    let (show, width) = register_form(n, ty)?;
                    let own = all.and_then(|all| all.get(from..from + width)).unwrap_or(&[]);
                    held.push((*local, decode(n, own, show)?));
                    from += width;
                }
                LayerChange::Attached(usize::from(what), held)
            }
        };
        let until = (layer.until.scope, layer.until.arg);
        w.layers.push(Layer { since: i64::from(layer.seq), until, change });
    }
    Ok(w)
}

fn read_components(n: &Numbers<'_>, state: &State, comps: &ir::Components, w: &mut World) {
    let cell = |i: u32| state.cells.get(i as usize).map_or(ir::NONE, |v| i64::from(*v));
    let optional = |first: u32, i: u32| if first == u32::MAX { 0 } else { cell(first + i) };
    let bit = |at: usize, i: usize| state.planes.get(at + i / 64).is_some_and(|w| w >> (i % 64) & 1 == 1);
    let words = usize::from(n.p.universes[comps.universe.index()].w);
    for (i, c) in n.all(comps.universe.0).into_iter().enumerate() {
        let at = cell(comps.place + i as u32) as u32;
        // A zone without an order of its own goes by numbers.
        if !n.places[at as usize].slot.is_some_and(|z| z.ordered) {
            w.lying[at as usize].push(c.clone());
        }
        let seats = 0..usize::from(n.p.seats);
        let piece = Piece {
            place: at,
            face: cell(comps.face + i as u32) as u32,
            side: optional(comps.side, i as u32) as u32,
            up: comps.up == u32::MAX || cell(comps.up + i as u32) != 0,
            came: optional(comps.came, i as u32),
            known: seats.filter(|s| bit(comps.known as usize + s * words, i)).fold(0, |m, s| m | 1 << s),
        };
        w.pieces.insert(c, piece);
    }
}
