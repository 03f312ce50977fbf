//! Read access to a state from outside the engine: hooks and tests use it.
use crate::data::state::State;
use crate::world::cells::{cell, lying_at};
use crate::world::tables::WorldTables;
use houserule_program::ir::{AttrIx, Components, NONE, Program, UniverseSort};

/// Read access to a state; hooks get it.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// The program.
    pub program: &'a Program,
    pub(crate) state: &'a State,
}

impl<'a> Look<'a> {
    /// Read access to a state of a program.
    pub fn new(program: &'a Program, state: &'a State) -> Self {
        Look { program, state }
    }

    /// A copy of the whole state, for readers that outlive the next step of the machine.
    pub fn copy_state(&self) -> State {
        self.state.clone()
    }

    /// Whether a seat knows the face of component `c` of a kind of components.
    pub fn knows(&self, seat: usize, comps: usize, c: usize) -> bool {
        crate::world::knowledge::knows(self.program, self.state, seat, comps, c)
    }

    /// An attribute's value for a thing (0 for the table); `None` for none, or where there is no such thing.
    pub fn attr(&self, attr: AttrIx, thing: usize) -> Option<i64> {
        let a = self.program.attrs.get(attr.index())?;
        let n = a.of.map_or(Some(1), |u| self.program.universes.get(u.index()).map(|u| u.n))?;
        if thing >= n as usize {
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

    /// All components of a kind in canonical order for these seats (bits); `None` for other kinds and for those whose numbers are no secret.
    pub fn in_order_for(&self, seats: u32, u: houserule_program::ir::UniverseId) -> Option<Vec<i64>> {
        let world = WorldTables::new(self.program);
        let row = crate::world::canonical_order::for_reader(world.with(self.program), self.state, seats, u)?;
        Some(row.into_iter().map(i64::from).collect())
    }

    /// The face of a component (by index in `Program::comps`).
    pub fn face(&self, comps: usize, c: usize) -> Option<usize> {
        self.component_cell(comps, c, |k| k.face)
    }

    /// A cell of a component, if the component exists; `first` is the first cell of its kind.
    fn component_cell(&self, comps: usize, c: usize, first: fn(&Components) -> u32) -> Option<usize> {
        let kind = self.program.comps.get(comps)?;
        let n = self.program.universes.get(kind.universe.index())?.n as usize;
        if c < n { usize::try_from(cell(self.state, first(kind) as usize + c)).ok() } else { None }
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
        self.component_cell(comps, c, |k| k.place)
    }

    /// Components at a place: in order if it is ordered; else in canonical order if their numbers are secret; else by number.
    pub fn lying_at(&self, place: usize) -> Vec<usize> {
        self.lying(place, None)
    }

    /// As [`Look::lying_at`], in an order that reveals nothing to a seat: what it does not know is not compared.
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
        let world = WorldTables::new(self.program);
        let row = crate::world::canonical_order::in_order(
            world.with(self.program),
            self.state,
            ci,
            all.into_iter(),
            seats,
        );
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
