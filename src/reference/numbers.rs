//! Which number each thing of a set-up has, and what is printed on it (kinds.md). The one file that knows the tables of a program: without their numbers its states could not be
//! read. Nothing here is code of a program.
use super::geometry::Board;
use super::value::{Datum, Result, unsupported};
use crate::model::body::{types, walk};
use crate::model::hir::*;
use crate::program::Resolved;
use crate::program::ir::{self, Program, Show, UniverseSort};
use std::collections::BTreeMap;

/// A face of a kind of components.
#[derive(Clone, Debug)]
pub struct Face {
    /// The kind of a component that shows it.
    pub kind: KindId,
    /// The member that declares it; none of components without a member.
    pub member: Option<MemberId>,
    /// The number of a family's member.
    pub key: i32,
    /// The sides of a die that shows it.
    pub sides: Vec<Side>,
}

/// Components of a root kind with its subkinds.
#[derive(Clone, Debug)]
pub struct Family {
    /// The kind that all of them are.
    pub root: KindId,
    /// All faces by number.
    pub faces: Vec<Face>,
    /// Tables of components, of their faces and of the sides of dice.
    pub universe: u16,
    /// See above.
    pub face_universe: u16,
    /// See above.
    pub side_universe: Option<u16>,
    /// How many numbers each face has among the sides.
    pub most_sides: u32,
    /// How many components.
    pub count: u32,
    /// Number of the box.
    pub boxed: u32,
    /// Of kinds of which each player has a set: whose each is.
    pub owners: Vec<i32>,
    /// Whether its things can be mixed up, so that they go by what they show.
    pub mixed: bool,
    /// Which faces look alike from behind.
    pub backs: Vec<u16>,
}

/// The numbers of a set-up.
pub struct Numbers<'a> {
    /// The checked game.
    pub m: &'a Model,
    /// The set-up.
    pub set: &'a Resolved,
    /// The tables.
    pub p: &'a Program,
    /// The table of each kind's things (components: of the root kind's).
    pub universes: BTreeMap<KindId, u16>,
    /// Components, in the tables' order.
    pub families: Vec<Family>,
    /// Numbers of members that are one thing: players, words, named spaces.
    pub members: BTreeMap<MemberId, u32>,
    /// Attributes that the state holds.
    pub attrs: BTreeMap<AttrId, usize>,
    /// Zones.
    pub zones: BTreeMap<ZoneId, usize>,
    /// Maps by the table of their spaces.
    pub boards: BTreeMap<u16, Board>,
    /// The same by the map.
    pub maps: BTreeMap<MapId, u16>,
    /// Attachments that layers can bring, by the number that states know them by, with the names that they have from their rules.
    pub layered: Vec<(&'a Attachment, Vec<(LocalId, Ty)>)>,
}

impl<'a> Numbers<'a> {
    /// The numbers of a game's set-up.
    pub fn new(m: &'a Model, set: &'a Resolved, p: &'a Program) -> Numbers<'a> {
        let mut n = Numbers {
            m,
            set,
            p,
            universes: BTreeMap::new(),
            families: Vec::new(),
            members: BTreeMap::new(),
            attrs: BTreeMap::new(),
            zones: BTreeMap::new(),
            boards: BTreeMap::new(),
            maps: BTreeMap::new(),
            layered: Vec::new(),
        };
        n.number_players();
        n.number_kinds();
        n.number_families();
        n.number_maps();
        let declared = |what: &str, span| p.decls.iter().position(|d| d.what == what && d.span == span);
        for (i, a) in m.attrs.iter().enumerate() {
            let decl = declared("attribute", a.span);
            let slot = p.attrs.iter().position(|s| Some(s.decl.index()) == decl);
            if let (true, Some(slot)) = (set.has(a.scope), slot) {
                n.attrs.insert(AttrId(i as u32), slot);
            }
        }
        for (i, z) in m.zones.iter().enumerate() {
            let decl = declared("zone", z.span);
            let slot = p.zones.iter().position(|s| Some(s.decl.index()) == decl);
            if let (true, Some(slot)) = (set.has(z.scope), slot) {
                n.zones.insert(ZoneId(i as u32), slot);
            }
        }
        n.number_layers();
        n
    }

    fn number_players(&mut self) {
        let own = self.set.own as usize;
        for (i, id) in self.m.named_players().take(own).enumerate() {
            self.members.insert(id, i as u32);
        }
        let more = self.m.extra_players().filter(|id| self.set.has(self.m.members[id.index()].scope));
        for (i, id) in more.enumerate() {
            self.members.insert(id, (own + i) as u32);
        }
    }

    fn number_kinds(&mut self) {
        for (i, kind) in self.m.kinds.iter().enumerate() {
            let id = KindId(i as u32);
            let component = types::is_component(self.m, id);
            let root = types::line_of(self.m, id).last().copied().unwrap_or(id);
            let name = if component { &self.m.kinds[root.index()].name } else { &kind.name };
            let found = self.p.universes.iter().position(|u| {
                let components = matches!(u.sort, UniverseSort::Components(_));
                let plain =
                    matches!(u.sort, UniverseSort::Players | UniverseSort::Words | UniverseSort::Spaces(_));
                *u.name == **name && if component { components } else { plain }
            });
            let Some(found) = found.filter(|_| self.set.has(kind.scope)) else { continue };
            self.universes.insert(id, found as u16);
            if matches!(kind.sort, KindSort::Enum | KindSort::Space(None)) {
                let here = kind.members.iter().filter(|x| self.set.has(self.m.members[x.index()].scope));
                self.members.extend(here.enumerate().map(|(n, x)| (*x, n as u32)));
            }
        }
    }

    fn number_families(&mut self) {
        let (m, set) = (self.m, self.set);
        let in_force = m.scopes.iter().enumerate().filter(|(i, _)| set.has(ScopeId(*i as u32)));
        let removes: Vec<&Removed> = in_force.flat_map(|(_, s)| &s.removes).collect();
        let removed = |id: MemberId| removes.iter().any(|r| matches!(r, Removed::Member(x) if *x == id));
        for comps in &self.p.comps {
            let universe = comps.universe.0;
            let of_this = |k: &KindId| self.universes.get(k) == Some(&universe);
            let kinds: Vec<KindId> = (0..m.kinds.len() as u32).map(KindId).filter(of_this).collect();
            let mut faces = Vec::new();
            for kind in &kinds {
                let declared = &m.kinds[kind.index()];
                for id in declared
                    .members
                    .iter()
                    .filter(|id| set.has(m.members[id.index()].scope) && !removed(**id))
                {
                    let (lo, hi) =
                        m.members[id.index()].family.as_ref().map_or((0, 0), |(_, lo, hi)| (*lo, *hi));
                    let sides = self.sides_of(*kind, Some(*id));
                    faces.extend((lo..=hi).map(|key| Face {
                        kind: *kind,
                        member: Some(*id),
                        key,
                        sides: sides.clone(),
                    }));
                }
                if declared.copies.is_some() {
                    faces.push(Face { kind: *kind, member: None, key: 0, sides: self.sides_of(*kind, None) });
                }
            }
            let root =
                kinds.first().map_or(KindId(0), |k| types::line_of(m, *k).last().copied().unwrap_or(*k));
            self.families.push(Family {
                root,
                most_sides: faces.iter().map(|f| f.sides.len()).max().unwrap_or(0).max(1) as u32,
                faces,
                universe,
                face_universe: comps.faces.0,
                side_universe: comps.showing.map(|u| u.0),
                count: self.p.universes[comps.universe.index()].n,
                boxed: u32::from(comps.boxed),
                owners: comps.owners.clone(),
                mixed: comps.mixed,
                backs: comps.backs.clone(),
            });
        }
    }

    /// A die has the sides that its member says, or else those of its kind.
    fn sides_of(&self, kind: KindId, member: Option<MemberId>) -> Vec<Side> {
        let own = member.map(|x| &self.m.members[x.index()].sides);
        let kinds = types::line_of(self.m, kind);
        let all = own.into_iter().chain(kinds.iter().map(|k| &self.m.kinds[k.index()].sides));
        all.into_iter().find(|s| !s.is_empty()).cloned().unwrap_or_default()
    }

    fn number_maps(&mut self) {
        for (i, map) in self.m.maps.iter().enumerate().filter(|(_, map)| self.set.has(map.scope)) {
            let Some(universe) = self.universes.get(&map.space).copied() else { continue };
            let Some(t) = self.p.maps.iter().find(|t| t.spaces.0 == universe) else { continue };
            let at = t.at.iter().map(|(c, r)| (i32::from(*c), i32::from(*r))).collect();
            self.boards.insert(universe, Board { shape: map.shape, at });
            self.maps.insert(MapId(i as u32), universe);
        }
    }

    fn number_layers(&mut self) {
        let mut all: Vec<&'a Attachment> = Vec::new();
        walk::whole(self.m, &mut |_| {}, &mut |s| {
            if let StmtKind::Attach(a) = &s.kind {
                all.push(a);
            }
        });
        for leased in &self.p.leased {
            let span = self.p.decls[leased.decl.index()].span;
            let Some(a) = all.iter().find(|a| a.span == span) else { continue };
            let mut names: Vec<(LocalId, Ty)> = Vec::new();
            walk::every_of(a, &mut |x| {
                if let ExprKind::Local(l) = &*x.kind
                    && l.0 < a.outer
                    && !names.iter().any(|(n, _)| n == l)
                {
                    names.push((*l, x.ty.clone()));
                }
            });
            if let Some(l) = a.maker.filter(|l| !names.iter().any(|(n, _)| n == l)) {
                names.push((l, types::player()));
            }
            names.sort_by_key(|(l, _)| *l);
            self.layered.push((a, names));
        }
    }

    // ── Looking up ───────────────────────────────────────────────────────────────────────────────────────

    /// The table of a kind's things.
    pub fn universe(&self, k: KindId) -> Result<u16> {
        match self.universes.get(&k) {
            Some(u) => Ok(*u),
            None => unsupported(format!("{} in this set-up", self.m.kinds[k.index()].name)),
        }
    }

    /// How many things a table has.
    pub fn count(&self, universe: u16) -> u32 {
        self.p.universes.get(usize::from(universe)).map_or(0, |u| u.n)
    }

    /// All things of a table.
    pub fn all(&self, universe: u16) -> Vec<Datum> {
        (0..self.count(universe)).map(|n| Datum::Thing(universe, n)).collect()
    }

    /// The number of a kind of components in [`Numbers::families`].
    pub fn family(&self, k: KindId) -> Result<usize> {
        let universe = self.universe(k)?;
        match self.families.iter().position(|f| f.universe == universe) {
            Some(i) => Ok(i),
            None => unsupported("components of what has none"),
        }
    }

    /// The family that a thing, a face or a side belongs to.
    pub fn family_of(&self, universe: u16) -> Option<(usize, &Family)> {
        let own = |f: &Family| {
            f.universe == universe || f.face_universe == universe || f.side_universe == Some(universe)
        };
        self.families.iter().enumerate().find(|(_, f)| own(f))
    }

    /// The face that a member declares, with a family's key.
    pub fn face(&self, member: MemberId, key: Option<i64>) -> Option<Datum> {
        let kind = self.m.members.get(member.index())?.kind;
        let family = self.families.get(self.family(kind).ok()?)?;
        let is = |f: &Face| f.member == Some(member) && key.is_none_or(|k| k == i64::from(f.key));
        let n = family.faces.iter().position(is)?;
        Some(Datum::Thing(family.face_universe, n as u32))
    }

    /// The table of what a type's values, or the values in a set of that type, are; none of truth values and numbers.
    pub fn universe_of(&self, ty: &Ty) -> Option<u16> {
        match ty {
            Ty::Maybe(t) | Ty::Set(t) | Ty::List(t) => self.universe_of(t),
            Ty::Of(k) => self.universes.get(k).copied(),
            Ty::AnyOf(ks) => self.universes.get(ks.first()?).copied(),
            Ty::Face(k) => Some(self.families.get(self.family(*k).ok()?)?.face_universe),
            Ty::Side(k) => self.families.get(self.family(*k).ok()?)?.side_universe,
            Ty::Filter(k) => {
                let f = self.families.get(self.family(*k).ok()?)?;
                Some(if types::is_die(self.m, *k) { f.side_universe? } else { f.face_universe })
            }
            _ => None,
        }
    }

    /// A place of a zone: whose, and which index.
    pub fn place(&self, zone: ZoneId, owner: Option<u32>, index: Option<&Datum>) -> Result<u32> {
        let Some(z) = self.zones.get(&zone).and_then(|z| self.p.zones.get(*z)) else {
            return unsupported(format!("the zone {} in this set-up", self.m.zones[zone.index()].name));
        };
        let k = match index {
            None => 0,
            Some(Datum::Int(n)) => n - i64::from(z.index_lo),
            Some(x) => i64::from(x.number()?) - i64::from(z.index_lo),
        };
        if !(0..i64::from(z.indexes.max(1))).contains(&k) {
            return super::value::fails(super::value::Failure::NoSuchThing);
        }
        Ok(u32::from(z.first) + owner.unwrap_or(0) * u32::from(z.indexes.max(1)) + k as u32)
    }

    /// The declaration of a place's zone; none of a box.
    pub fn zone_at(&self, place: u32) -> Option<ZoneId> {
        let zone = usize::from(self.p.places.get(place as usize)?.zone);
        self.zones.iter().find(|(_, z)| **z == zone).map(|(id, _)| *id)
    }

    // ── Registers ────────────────────────────────────────────────────────────────────────────────────────

    /// A value as the engine holds it, by how the engine says that it reads.
    pub fn decode(&self, words: &[u64], show: Show) -> Result {
        let first = words.first().copied().unwrap_or(0) as i64;
        let set = matches!(show, Show::Set(_) | Show::List(_));
        if first == ir::NONE && !set {
            return Ok(Datum::None);
        }
        if first == ir::ABSENT && !set {
            return Ok(Datum::Absent);
        }
        Ok(match show {
            Show::Number => Datum::Int(first),
            Show::Truth => Datum::Bool(first != 0),
            Show::Thing(u) => self.element(u, first),
            Show::Place => Datum::Place(first as u32),
            Show::Phase => {
                let phases =
                    self.m.rules.iter().enumerate().filter(|(_, r)| r.phase && self.set.has(r.scope));
                phases.map(|(i, _)| Datum::Phase(i as u32)).nth(first as usize).unwrap_or(Datum::None)
            }
            Show::Set(u) => {
                let bit = |i: &i64| words.get(*i as usize / 64).is_some_and(|w| w >> (i % 64) & 1 == 1);
                let lo = self.least(u);
                Datum::set(
                    (0..words.len() as i64 * 64).filter(bit).map(|i| self.element(u, i + lo)).collect(),
                )
            }
            Show::List(u) => {
                let item = |i: i64| words.get(1 + i as usize / 4).map_or(0, |w| w >> (i % 4 * 16) & 0xffff);
                Datum::List((0..first).map(|i| self.element(u, item(i) as i64)).collect())
            }
            Show::Text => return unsupported("texts"),
        })
    }

    /// A value as the engine takes it.
    pub fn encode(&self, d: &Datum, show: Show) -> Result<Vec<u64>> {
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
                let mut words = vec![0u64; self.p.universes.get(u.index()).map_or(1, |u| usize::from(u.w))];
                for x in d.items() {
                    let i = (one(&x)? - self.least(u)) as usize;
                    if let Some(w) = words.get_mut(i / 64) {
                        *w |= 1 << (i % 64);
                    }
                }
                Ok(words)
            }
            Show::List(_) | Show::Text | Show::Phase => unsupported("arguments of this sort"),
            _ => Ok(vec![one(d)? as u64]),
        }
    }

    fn least(&self, u: ir::UniverseId) -> i64 {
        match self.p.universes.get(u.index()).map(|u| &u.sort) {
            Some(UniverseSort::Numbers { lo }) => i64::from(*lo),
            _ => 0,
        }
    }

    fn element(&self, u: ir::UniverseId, n: i64) -> Datum {
        match self.p.universes.get(u.index()).map(|u| &u.sort) {
            Some(UniverseSort::Numbers { .. }) => Datum::Int(n),
            Some(UniverseSort::Truth) => Datum::Bool(n != 0),
            _ => Datum::Thing(u.0, n as u32),
        }
    }
}
