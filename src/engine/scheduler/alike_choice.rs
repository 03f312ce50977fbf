//! Finds a choice among the options if it names another of several interchangeable components.
use crate::base::bitset::{get_bit, put_bit};
use crate::data::decision::Choice;
use crate::scheduler::core::Core;
use crate::world::knowledge::alike;
use houserule_program::ir::*;
use smallvec::SmallVec;

impl Core {
    /// The choice as it is among the options that were listed last: itself, or one that differs only by alike components. `u` is the universe of a question for one thing.
    pub(crate) fn canonical(
        &self,
        p: &Program,
        asker: i64,
        u: Option<UniverseId>,
        choice: &Choice,
    ) -> Option<Choice> {
        if self.context.opts.index_of(choice).is_some() {
            return Some(choice.clone());
        }
        match choice {
            Choice::One(x) => {
                let mut all = self.alike_with(p, asker, u?, *x).into_iter().map(Choice::One);
                all.find(|c| self.context.opts.index_of(c).is_some())
            }
            Choice::Action { action, params } => {
                let slot = p.actions.get(action.index())?;
                let (mut at, mut things, mut set) = (0, SmallVec::<[Named; 8]>::new(), None);
                for param in &slot.params {
                    match param.domain {
                        Domain::Thing(u) => {
                            let x = *params.get(at)?;
                            things.push(Named { at, u, x, alike: self.alike_with(p, asker, u, x as i64) });
                        }
                        Domain::Subset(u) => set = Some((at, u)),
                        Domain::Number => {}
                    }
                    at += param.domain.words(p) as usize;
                }
                let mut tried = Choice::Action { action: *action, params: params.clone() };
                let mut left = MOST_ALIKE;
                self.find_alike(&things, set, 0, &mut tried, &mut left).then_some(tried)
            }
            _ => None,
        }
    }

    /// The things that cannot be told apart from a thing, the thing among them.
    fn alike_with(&self, p: &Program, asker: i64, u: UniverseId, x: i64) -> SmallVec<[i64; 8]> {
        let ci = self.world.universes.get(u.index()).map(|u| u.comps).filter(|c| *c != u16::MAX);
        let (Some(ci), Ok(a)) = (ci, usize::try_from(x)) else { return smallvec::smallvec![x] };
        let n = p.universes.get(u.index()).map_or(0, |u| u.n as usize);
        let same = |b: &usize| *b == a || a < n && alike(p, &self.state, asker, ci as usize, a, *b);
        (0..n).filter(same).map(|b| b as i64).collect()
    }

    /// Replaces the things of a choice, from the k-th on, by alike ones until it is one of the options. If one is found, it is left in `tried`.
    fn find_alike(
        &self,
        things: &[Named],
        set: Option<(usize, UniverseId)>,
        k: usize,
        tried: &mut Choice,
        left: &mut usize,
    ) -> bool {
        let Some(thing) = things.get(k) else {
            *left = left.saturating_sub(1);
            let mut moved = tried.clone();
            exchange_in_set(things, set, &mut moved);
            let found = self.context.opts.index_of(&moved).is_some();
            if found {
                *tried = moved;
            }
            return found;
        };
        for y in thing.alike.iter().map(|y| *y as u64) {
            let Choice::Action { params, .. } = &mut *tried else { return false };
            // If a choice names one thing twice, so must the other, and only then.
            let before = things.iter().take(k).filter(|other| other.u == thing.u);
            let apart = before
                .into_iter()
                .any(|other| (other.x == thing.x) != (params.get(other.at).copied() == Some(y)));
            if let Some(word) = params.get_mut(thing.at).filter(|_| !apart) {
                *word = y;
                if self.find_alike(things, set, k + 1, tried, left) {
                    return true;
                }
            }
            if *left == 0 {
                return false;
            }
        }
        false
    }
}

/// Exchanges in the chosen set, whose words begin at a position, each replaced thing and the one that replaces it: a thing that was named apart from the set stays so.
fn exchange_in_set(things: &[Named], set: Option<(usize, UniverseId)>, choice: &mut Choice) {
    let (Some((from, u)), Choice::Action { params, .. }) = (set, choice) else { return };
    for thing in things.iter().filter(|t| t.u == u) {
        let Some(y) = params.get(thing.at).copied().filter(|y| *y != thing.x) else { continue };
        let (x, y) = (thing.x as usize, y as usize);
        let (of_x, of_y) = (get_bit(params, from, x), get_bit(params, from, y));
        put_bit(params, from, x, of_y);
        put_bit(params, from, y, of_x);
    }
}

/// The most choices that are looked up which differ only by alike components.
const MOST_ALIKE: usize = 20_000;

/// One thing that a choice names.
struct Named {
    /// Its position among the words of the choice.
    at: usize,
    u: UniverseId,
    x: u64,
    /// The things that may replace it.
    alike: SmallVec<[i64; 8]>,
}
