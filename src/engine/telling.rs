//! Tells an answer to the recorder, with who can tell which things were taken.
use super::decision::{Choice, Words};
use super::fault::Stop;
use super::knowledge::answering;
use super::machine::Core;
use super::recorder::{Answer, is_trackable};
use super::state::State;
use super::tools::Tools;
use super::world::{self, Fast, cell};
use houserule_program::ir::*;

impl Core {
    /// Tells an answer while recording is on. Costs none of the rules' budget.
    pub(super) fn tell_answer(&mut self, p: &Program, answer: &Answer<'_>) -> Result<(), Stop> {
        if !self.tools.rec.on {
            return Ok(());
        }
        let budget = self.tools.steps;
        let of = match answer.of {
            Show::Thing(u) => Some(u),
            _ => None,
        };
        for (u, words) in chosen_things(p, answer.choice, of) {
            let Some(ci) = self.fast.universes.get(u.index()).map(|u| u.comps).filter(|c| *c != u16::MAX)
            else {
                continue;
            };
            for c in world::bits(&words) {
                let seats = self.tools.tracing(p, &self.fast, &mut self.state, usize::from(ci), c)?;
                self.tools.rec.trace(usize::from(ci), c, seats);
            }
        }
        self.tools.steps = budget;
        self.tools.rec.answered(p, &self.state, &self.fast, answer);
        Ok(())
    }
}

impl Tools {
    /// Seats that look at a component where it lies: those who see into its place, and of what lies face down only its holder.
    pub fn lookers(
        &mut self,
        p: &Program,
        fast: &Fast,
        st: &mut State,
        ci: usize,
        c: usize,
    ) -> Result<u32, Stop> {
        let Some((comps, place)) = lying(p, st, ci, c) else { return Ok(0) };
        let up = comps.up == u32::MAX || cell(st, comps.up as usize + c) != 0;
        let holder = p.places.get(place).map_or(NONE, |pl| i64::from(pl.holder));
        let seers = self.seers(p, fast, st, place, c)?;
        Ok(if up { seers } else { seers & answering(p, holder) })
    }

    /// Seats that can tell a component from the others at its place: all, where it lies alone or in order; else those who look at it.
    pub fn tracing(
        &mut self,
        p: &Program,
        fast: &Fast,
        st: &mut State,
        ci: usize,
        c: usize,
    ) -> Result<u32, Stop> {
        if stands_apart(p, st, ci, c) {
            return Ok(fast.seats);
        }
        self.lookers(p, fast, st, ci, c)
    }
}

/// Whether all can tell a component from the others at its place: it lies there alone, or in order.
pub(super) fn stands_apart(p: &Program, st: &State, ci: usize, c: usize) -> bool {
    lying(p, st, ci, c).is_some_and(|(_, place)| {
        p.places.get(place).is_some_and(|pl| is_trackable(p, pl)) || world::count_at(p, st, place) == 1
    })
}

/// The components of a kind, and the place where one of them lies.
fn lying<'p>(p: &'p Program, st: &State, ci: usize, c: usize) -> Option<(&'p Components, usize)> {
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
            world::put_bit(&mut words, 0, i, true);
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
