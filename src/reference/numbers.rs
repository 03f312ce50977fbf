//! Which number each thing of a set-up has, and which faces and sides there are (kinds.md): a program's numbers, so that its states can be read (`lab::laws::tables`).
use super::*;

/// A face of a kind of components.
#[derive(Clone, Debug)]
pub struct Face {
    /// The face itself.
    pub thing: Datum,
    /// The kind of a component that shows it.
    pub kind: KindId,
    /// The member that declares it; none of components without a member.
    pub member: Option<MemberId>,
    /// The number of a family's member.
    pub key: i32,
    /// The sides of a die that shows it, each with what is declared of it.
    pub sides: Vec<(Datum, Side)>,
}

/// Components of a root kind with its subkinds.
#[derive(Clone, Debug)]
pub struct Family<'a> {
    /// All faces by number.
    pub faces: Vec<Face>,
    /// What the tables say of them: their box, backs and owners, and the tables of faces and sides.
    pub comps: &'a ir::Components,
}

/// A place where components can lie: a zone of somebody, or a box.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    /// The zone; none of a box.
    pub zone: Option<&'a Zone>,
    /// Whose it is; the table's own is nobody's.
    pub of: Datum,
    /// The player in whose zone it is.
    pub holder: Datum,
    /// The space that it is on.
    pub space: Datum,
    /// Whether what lies there has an order, whether rules ask for it, and how many fit; none of a box.
    pub slot: Option<&'a ir::ZoneSlot>,
}

/// The numbers of a set-up.
pub struct Numbers<'a> {
    /// The checked game.
    pub m: &'a Model,
    /// The set-up.
    pub set: &'a Resolved,
    /// The tables.
    pub p: &'a ir::Program,
    /// Names and questions by which alike things are told apart.
    pub apart: liveness::Apart,
    /// The table of each kind's things (components: of the root kind's).
    pub universes: BTreeMap<KindId, u16>,
    /// Components, in the tables' order.
    pub families: Vec<Family<'a>>,
    /// What is said of options.
    pub options: BTreeMap<OptionId, Datum>,
    /// Members that are one thing: players, words, named spaces.
    pub members: BTreeMap<MemberId, Datum>,
    /// The slots of attributes that the state holds.
    pub attrs: BTreeMap<AttrId, usize>,
    /// What things begin with in a slot of the state.
    pub initial: BTreeMap<(usize, Datum), Datum>,
    /// What the signs of a drawn map say of spaces, where nothing changes it.
    pub printed: BTreeMap<(AttrId, Datum), Datum>,
    /// All places, by number.
    pub places: Vec<Place<'a>>,
    /// The places of each zone: whose, and with which index.
    pub zones: BTreeMap<(ZoneId, Datum, Datum), u32>,
    /// Maps by the table of their spaces.
    pub boards: BTreeMap<u16, Board>,
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

    /// The slot in which stands whether what is `once` and declared there has been used.
    pub fn used_slot(&self, declared: Span) -> Result<usize> {
        let is = |s: &ir::AttrSlot| &*s.name == "used" && self.p.decls[s.decl.index()].span == declared;
        known(self.p.attrs.iter().position(is), "what is limited and never asked for")
    }

    /// The components of a kind's family.
    pub fn family(&self, k: KindId) -> Result<&Family<'a>> {
        let universe = self.universe(k)?;
        known(self.families.iter().find(|f| f.comps.universe.0 == universe), "components of what has none")
    }

    /// The box of a kind's components, as a place.
    pub fn boxed(&self, k: KindId) -> Result {
        Ok(Datum::Place(u32::from(self.family(k)?.comps.boxed)))
    }

    /// The family that a component, a face or a side belongs to.
    pub fn family_of(&self, x: &Datum) -> Result<&Family<'a>> {
        let u = ir::UniverseId(x.thing()?.0);
        let own = |c: &ir::Components| c.universe == u || c.faces == u || c.showing == Some(u);
        known(self.families.iter().find(|f| own(f.comps)), "the face or the sides of what has none")
    }

    /// The face that a member declares, with a family's key.
    pub fn face(&self, member: MemberId, key: Option<i64>) -> Option<Datum> {
        let family = self.family(self.m.members[member.index()].kind).ok()?;
        let is = |f: &Face| f.member == Some(member) && key.is_none_or(|k| k == i64::from(f.key));
        family.faces.iter().find(|f| is(f)).map(|f| f.thing.clone())
    }

    /// The table of what a type's values, or the values in a set of that type, are; none of truth values and numbers.
    pub fn universe_of(&self, ty: &Ty) -> Option<u16> {
        let comps = |k: &KindId| self.family(*k).ok().map(|f| f.comps);
        match ty {
            Ty::Maybe(t) | Ty::Set(t) | Ty::List(t) => self.universe_of(t),
            Ty::Of(_) | Ty::AnyOf(_) => self.universes.get(types::kinds_of(ty).first()?).copied(),
            Ty::Filter(k) if !types::is_die(self.m, *k) => Some(comps(k)?.faces.0),
            Ty::Face(k) => Some(comps(k)?.faces.0),
            Ty::Side(k) | Ty::Filter(k) => comps(k)?.showing.map(|u| u.0),
            _ => None,
        }
    }

    /// The seats (bits) that answer for a player, or for any of several.
    pub fn seats_of(&self, players: &Datum) -> u32 {
        let seats = |p: &Datum| self.set.answered.get(p.number().ok()? as usize).copied();
        players.items().iter().filter_map(seats).fold(0, |all, one| all | one)
    }

    /// The number of a phase among those of the set-up.
    pub fn phase(&self, r: RuleId) -> i32 {
        let span = self.m.rules[r.index()].span;
        let mut phases = self.p.phases.iter().map(|p| self.p.decls[p.decl.index()].span);
        phases.position(|declared| declared == span).map_or(-1, |i| i as i32)
    }
}
