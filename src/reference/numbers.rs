//! Which number each thing of a set-up has, and which faces and sides there are (kinds.md). The numbers are those of a program's tables, from which `lab::laws::tables` fills them
//! in: without them its states could not be read.
use super::geometry::Board;
use super::value::{Datum, Failure, Result, fails, known};
use crate::model::body::types;
use crate::model::hir::*;
use crate::program::Resolved;
use crate::program::ir::{Place, Program, ZoneSlot};
use crate::text::Span;
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
    /// All faces by number.
    pub faces: Vec<Face>,
    /// The table of the components.
    pub universe: u16,
    /// The table of their faces.
    pub face_universe: u16,
    /// The table of the sides of dice.
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
    /// What things begin with in attributes that the state holds; the table's own under 0.
    pub initial: BTreeMap<(AttrId, u32), Datum>,
    /// What the signs of a drawn map say of spaces, where nothing changes it.
    pub printed: BTreeMap<(AttrId, u32), Datum>,
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
    /// The table of a kind's things.
    pub fn universe(&self, k: KindId) -> Result<u16> {
        known(self.universes.get(&k).copied(), "a kind that this set-up does not have")
    }

    /// A thing of a kind, by its number.
    pub fn thing(&self, k: KindId, n: u32) -> Result {
        Ok(Datum::Thing(self.universe(k)?, n))
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
        known(self.families.iter().position(|f| f.universe == universe), "components of what has none")
    }

    /// The family that a component, a face or a side belongs to.
    pub fn family_of(&self, x: &Datum) -> Result<(usize, &Family)> {
        let u = x.thing()?.0;
        let own = |f: &Family| f.universe == u || f.face_universe == u || f.side_universe == Some(u);
        let found = self.families.iter().enumerate().find(|(_, f)| own(f));
        known(found, "the face or the sides of what has none")
    }

    /// A component: its family and number.
    pub fn component(&self, x: &Datum) -> Result<(usize, u32)> {
        let (u, c) = x.thing()?;
        let family = self.families.iter().position(|f| f.universe == u);
        Ok((known(family, "what lies somewhere and is no component")?, c))
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
        let family = |k: &KindId| self.families.get(self.family(*k).ok()?);
        match ty {
            Ty::Maybe(t) | Ty::Set(t) | Ty::List(t) => self.universe_of(t),
            Ty::Of(k) => self.universes.get(k).copied(),
            Ty::AnyOf(ks) => self.universes.get(ks.first()?).copied(),
            Ty::Face(k) => Some(family(k)?.face_universe),
            Ty::Side(k) => family(k)?.side_universe,
            Ty::Filter(k) if types::is_die(self.m, *k) => family(k)?.side_universe,
            Ty::Filter(k) => Some(family(k)?.face_universe),
            _ => None,
        }
    }

    /// A place of a zone: whose, and which index.
    pub fn place(&self, zone: ZoneId, owner: Option<u32>, index: Option<&Datum>) -> Result<u32> {
        let z = self.zones.get(&zone).and_then(|z| self.p.zones.get(*z));
        let z = known(z, "a zone that this set-up does not have")?;
        let k = match index {
            None => 0,
            Some(Datum::Int(n)) => n - i64::from(z.index_lo),
            Some(x) => i64::from(x.number()?) - i64::from(z.index_lo),
        };
        if !(0..i64::from(z.indexes.max(1))).contains(&k) {
            return fails(Failure::NoSuchThing);
        }
        Ok(u32::from(z.first) + owner.unwrap_or(0) * u32::from(z.indexes.max(1)) + k as u32)
    }

    /// A place, with the table of its zone; none of a box.
    pub fn at(&self, place: u32) -> (&'a Place, Option<&'a ZoneSlot>) {
        let place = &self.p.places[place as usize];
        (place, self.p.zones.get(usize::from(place.zone)))
    }

    /// The declaration of a place's zone; none of a box.
    pub fn zone_at(&self, place: u32) -> Option<&'a Zone> {
        let zone = usize::from(self.p.places[place as usize].zone);
        self.zones.iter().find(|(_, z)| **z == zone).map(|(id, _)| &self.m.zones[id.index()])
    }

    /// The player in whose zone a place is.
    pub fn holder_at(&self, place: u32) -> Datum {
        u32::try_from(self.at(place).0.holder).map_or(Datum::None, |p| Datum::Thing(0, p))
    }

    /// The seats (bits) that answer for a player.
    pub fn seats_of(&self, p: &Datum) -> u32 {
        p.number().map_or(0, |p| self.set.answered.get(p as usize).copied().unwrap_or(0))
    }

    /// The attribute that a slot of the tables holds; none of a slot that counts what is limited.
    pub fn attr_in(&self, slot: usize) -> Option<AttrId> {
        self.attrs.iter().find(|(_, s)| **s == slot).map(|(id, _)| *id)
    }

    /// Where the declaration of a slot of the tables stands.
    pub fn slot_span(&self, slot: usize) -> Span {
        self.p.decls[self.p.attrs[slot].decl.index()].span
    }

    /// The number of a phase among those of the set-up.
    pub fn phase(&self, r: RuleId) -> i32 {
        let declared = |i: &usize| self.m.rules[*i].phase && self.set.has(self.m.rules[*i].scope);
        let mut phases = (0..self.m.rules.len()).filter(declared);
        phases.position(|i| i == r.index()).map_or(-1, |i| i as i32)
    }
}
