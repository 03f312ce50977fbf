//! Which seats can tell which component an answer names; the log uses it.
use crate::base::bitset;
use crate::base::fault::Stop;
use crate::context::recorder::is_trackable;
use crate::context::run_context::Context;
use crate::data::decision::{Choice, Words};
use crate::data::seats::answering;
use crate::data::state::State;
use crate::world::cells;
use crate::world::cells::cell;
use crate::world::tables::Rules;
use houserule_program::ir::*;

impl Context {
    /// Seats that look at a component at its place: those that see into the place; if it lies face down, of these only its holder's.
    pub fn lookers(&mut self, rules: Rules<'_>, st: &mut State, ci: usize, c: usize) -> Result<u32, Stop> {
        let Some((comps, place)) = place_of_component(rules.p, st, ci, c) else { return Ok(0) };
        let up = comps.up == u32::MAX || cell(st, comps.up as usize + c) != 0;
        let holder = rules.p.places.get(place).map_or(NONE, |pl| i64::from(pl.holder));
        let seers = self.seers(rules, st, place, c)?;
        Ok(if up { seers } else { seers & answering(rules.p, holder) })
    }

    /// Seats that can tell a component from the others at its place: all, if it lies alone or in order; else those that look at it.
    pub fn tracing_seats(
        &mut self,
        rules: Rules<'_>,
        st: &mut State,
        ci: usize,
        c: usize,
    ) -> Result<u32, Stop> {
        if stands_apart(rules.p, st, ci, c) {
            return Ok(rules.world.seats);
        }
        self.lookers(rules, st, ci, c)
    }
}

/// Whether all can tell a component from the others at its place: it lies there alone, or in order.
pub(crate) fn stands_apart(p: &Program, st: &State, ci: usize, c: usize) -> bool {
    place_of_component(p, st, ci, c).is_some_and(|(_, place)| {
        p.places.get(place).is_some_and(|pl| is_trackable(p, pl)) || cells::count_at(p, st, place) == 1
    })
}

/// The components of a kind, and the place where one of them lies.
fn place_of_component<'p>(
    p: &'p Program,
    st: &State,
    ci: usize,
    c: usize,
) -> Option<(&'p Components, usize)> {
    let comps = p.comps.get(ci)?;
    Some((comps, usize::try_from(cell(st, comps.place as usize + c)).unwrap_or(0)))
}

/// The things in an answer, by universe; `of`: the universe of a single thing or set.
pub fn chosen_things(p: &Program, choice: &Choice, of: Option<UniverseId>) -> Vec<(UniverseId, Words)> {
    let one = |u: UniverseId, x: i64| {
        let w = p.universes.get(u.index()).map_or(1, |u| u.w as usize);
        let mut words = Words::from_elem(0, w);
        if let Ok(i) = usize::try_from(x)
            && i < w * 64
        {
            bitset::put_bit(&mut words, 0, i, true);
        }
        (u, words)
    };
    let mut out = Vec::new();
    match (choice, of) {
        (Choice::One(x), Some(u)) => out.push(one(u, *x)),
        (Choice::Subset(words), Some(u)) => out.push((u, words.clone())),
        (Choice::Action { action, params }, _) => {
            let mut at = 0;
            for slot in p.actions.get(action.index()).map_or(&[][..], |a| &a.params) {
                let n = slot.domain.words(p) as usize;
                let words = params.get(at..at + n).unwrap_or(&[]);
                at += n;
                match slot.domain {
                    Domain::Number => {}
                    Domain::Thing(u) => out.extend(words.first().map(|x| one(u, *x as i64))),
                    Domain::Subset(u) => out.push((u, words.into())),
                }
            }
        }
        _ => {}
    }
    out
}
