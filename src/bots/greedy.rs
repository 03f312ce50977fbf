//! One-ply search: the greedy bot tries every option in a few worlds that the seat cannot tell from the real one, and takes what stands best on average by the rules' own
//! `heuristic`. Among equals it draws.
//!
//! In a menu it does not do the same thing twice in the same position: where several act freely, two who each look one step ahead would else go round in circles.
use super::sight::hash_view;
use super::{Policy, Sight};
use houserule_engine::{Choice, Fault, QuestionKind, Stream, below};
use std::collections::VecDeque;

/// Worlds that an option is tried in.
const WORLDS: usize = 4;
/// Options that are tried; of more it draws so many.
const TRIED: u64 = 200;
/// Choices in menus that are remembered.
const REMEMBERED: usize = 64;

/// One step ahead over the heuristics.
pub struct Greedy {
    stream: Stream,
    /// The question, what it saw then (hashed), what it chose; newest last.
    chosen: VecDeque<(u32, u64, Choice)>,
}

impl Greedy {
    /// One whose draws depend on nothing but the seed and what it was asked before.
    pub fn new(seed: u64) -> Greedy {
        Greedy { stream: Stream::new(seed, super::STREAM + 1), chosen: VecDeque::new() }
    }

    /// What the seat sees, in a menu; none elsewhere.
    fn menu_view_hash(&mut self, sight: &mut Sight<'_>) -> Option<u64> {
        if !matches!(sight.question().kind, QuestionKind::Menu(_)) {
            return None;
        }
        let id = sight.question().id;
        // Another game, or one that was taken back.
        if self.chosen.back().is_some_and(|(last, ..)| *last >= id) {
            self.chosen.retain(|(last, ..)| *last < id);
        }
        hash_view(&sight.view())
    }

    fn list_candidates(&mut self, sight: &mut Sight<'_>) -> Result<Vec<Choice>, Fault> {
        let options = sight.options()?;
        if let Some(all) = options.list(TRIED) {
            return Ok(all);
        }
        let mut out: Vec<Choice> = Vec::new();
        for _ in 0..TRIED {
            out.extend(options.draw(&mut self.stream).filter(|c| !out.contains(c)));
        }
        Ok(out)
    }
}

impl Policy for Greedy {
    fn name(&self) -> &'static str {
        "greedy"
    }

    fn choose(&mut self, sight: &mut Sight<'_>) -> Result<Option<Choice>, Fault> {
        let mut all = self.list_candidates(sight)?;
        let here = if all.len() > 1 { self.menu_view_hash(sight) } else { None };
        if let Some(here) = here {
            let again = |c: &Choice| self.chosen.iter().any(|(_, there, x)| *there == here && x == c);
            if !all.iter().all(again) {
                all.retain(|c| !again(c));
            }
        }
        if all.len() < 2 {
            return Ok(all.into_iter().next());
        }
        // Sum and number of worlds in which each could be tried.
        let mut found = vec![(0i128, 0i128); all.len()];
        for _ in 0..WORLDS {
            let mut world = sight.imagine_world(&mut self.stream);
            for (choice, sum) in all.iter().zip(&mut found) {
                world.reset();
                // Rules that fail in a world that is only imagined say nothing about the option; a heuristic that fails judges nothing.
                if let Ok(true) = world.choose_option(choice) {
                    sum.0 += i128::from(world.standing()?);
                    sum.1 += 1;
                }
            }
        }
        // a/b > c/d for positive b, d; what could be tried nowhere is worst.
        let better = |a: (i128, i128), b: (i128, i128)| match (a.1, b.1) {
            (0, _) => false,
            (_, 0) => true,
            _ => a.0 * b.1 > b.0 * a.1,
        };
        let mut best: Vec<usize> = Vec::new();
        for i in 0..all.len() {
            match best.first() {
                Some(b) if better(found[*b], found[i]) => {}
                Some(b) if !better(found[i], found[*b]) => best.push(i),
                _ => best = vec![i],
            }
        }
        let k = below(best.len() as u64, || self.stream.draw());
        let choice = best.get(k as usize).and_then(|i| all.get(*i)).cloned();
        if let (Some(here), Some(choice)) = (here, &choice) {
            if self.chosen.len() == REMEMBERED {
                self.chosen.pop_front();
            }
            self.chosen.push_back((sight.question().id, here, choice.clone()));
        }
        Ok(choice)
    }
}
