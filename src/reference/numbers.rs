//! Which number each thing of a set-up has, and which faces and sides there are (kinds.md): a program's numbers, so that its states can be read (`lab::laws::tables`).
use super::*;

/// A face of a kind of components.
#[derive(Clone, Debug)]
pub struct Face {
    pub thing: Datum,              // The face itself.
    pub kind: KindId,              // The kind of a component that shows it.
    pub member: Option<MemberId>,  // The member that declares it; none of components without a member.
    pub key: i32,                  // The number of a family's member.
    pub sides: Vec<(Datum, Side)>, // The sides of a die that shows it, each with what is declared of it.
}

/// Components of a root kind with its subkinds.
#[derive(Clone, Debug)]
pub struct Family<'a> {
    pub faces: Vec<Face>,          // All faces by number.
    pub comps: &'a ir::Components, // Its box, backs and owners, and the tables of faces and sides.
}

/// A place where components can lie: a zone of somebody, or a box.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    pub zone: Option<&'a Zone>,         // The zone; none of a box.
    pub of: Datum,                      // Whose it is; the table's own is nobody's.
    pub holder: Datum,                  // The player in whose zone it is.
    pub space: Datum,                   // The space that it is on.
    pub slot: Option<&'a ir::ZoneSlot>, // Its order, whether rules ask for it, its room; none of a box.
}

/// The numbers of a set-up.
pub struct Numbers<'a> {
    pub m: &'a Model,                                       // The checked game.
    pub set: &'a Resolved,                                  // The set-up.
    pub p: &'a ir::Program,                                 // The tables.
    pub apart: liveness::Apart, // Names and questions by which alike things are told apart.
    pub phases: BTreeMap<RuleId, i32>, // The number of each phase; of a rule that is none, -1.
    pub used: BTreeMap<Span, usize>, // The slot of whether what is `once` and declared there has been used.
    pub universes: BTreeMap<KindId, u16>, // The table of each kind's things (components: of the root kind's).
    pub families: Vec<Family<'a>>, // Components, in the tables' order.
    pub options: BTreeMap<OptionId, Datum>, // What is said of options.
    pub members: BTreeMap<MemberId, Datum>, // Members that are one thing: players, words, named spaces.
    pub attrs: BTreeMap<AttrId, usize>, // The slots of attributes that the state holds.
    pub initial: BTreeMap<(usize, Datum), Datum>, // What things begin with in a slot of the state.
    pub printed: BTreeMap<(AttrId, Datum), Datum>, // What drawn maps say of spaces.
    pub places: Vec<Place<'a>>, // All places, by number.
    pub zones: BTreeMap<(ZoneId, Datum, Datum), u32>, // The places of each zone: whose, and with which index.
    pub boards: BTreeMap<u16, Board>, // Maps by the table of their spaces.
    pub layered: Vec<(&'a Attachment, Vec<(LocalId, Ty)>)>, // What layers attach, with its names.
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

    /// All things of a table.
    pub fn all(&self, universe: u16) -> Vec<Datum> {
        let many = self.p.universes.get(usize::from(universe)).map_or(0, |u| u.n);
        (0..many).map(|n| Datum::Thing(universe, n)).collect()
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

    /// The seats (bits) that answer for a player, or for any of several.
    pub fn seats_of(&self, players: &Datum) -> u32 {
        let seats = |p: &Datum| self.set.answered.get(p.number().ok()? as usize).copied();
        players.items().iter().filter_map(seats).fold(0, |all, one| all | one)
    }
}
