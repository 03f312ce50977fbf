//! Finds a choice among the options if it names another of several interchangeable components.
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
                let (mut at, mut things) = (0, SmallVec::<[Named; 8]>::new());
                for param in &slot.params {
                    if let Domain::Thing(u) = param.domain {
                        let x = *params.get(at)?;
                        things.push(Named { at, u, x, alike: self.alike_with(p, asker, u, x as i64) });
                    }
                    at += param.domain.words(p) as usize;
                }
                let mut tried = Choice::Action { action: *action, params: params.clone() };
                let mut left = MOST_ALIKE;
                self.find_alike(&things, 0, &mut tried, &mut left).then_some(tried)
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
    fn find_alike(&self, things: &[Named], k: usize, tried: &mut Choice, left: &mut usize) -> bool {
        let Some(thing) = things.get(k) else {
            *left = left.saturating_sub(1);
            return self.context.opts.index_of(tried).is_some();
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
                if self.find_alike(things, k + 1, tried, left) {
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
