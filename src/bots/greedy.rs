//! Looks one answer ahead: tries every option in a few worlds that the seat cannot tell from the real one, and takes what stands best on average by the rules' own
//! `heuristic`. Among equals it draws.
use super::{Policy, Sight};
use crate::engine::{Choice, Fault, Stream, below};

/// Worlds that an option is tried in.
const WORLDS: usize = 4;
/// Options that are tried; of more it draws so many.
const TRIED: u64 = 200;

/// One step ahead over the heuristics.
pub struct Greedy {
    stream: Stream,
}

impl Greedy {
    /// One whose draws depend on nothing but the seed and what it was asked before.
    pub fn new(seed: u64) -> Greedy {
        Greedy { stream: Stream::new(seed, super::STREAM + 1) }
    }

    fn candidates(&mut self, sight: &mut Sight<'_>) -> Result<Vec<Choice>, Fault> {
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
        let all = self.candidates(sight)?;
        if all.len() < 2 {
            return Ok(all.into_iter().next());
        }
        // Sum and number of worlds in which each could be tried.
        let mut found = vec![(0i128, 0i128); all.len()];
        for _ in 0..WORLDS {
            let mut world = sight.imagine(&mut self.stream);
            for (choice, sum) in all.iter().zip(&mut found) {
                world.again();
                // Rules that fail in a world that is only imagined say nothing about the option.
                if let Ok(true) = world.choose(choice)
                    && let Ok(value) = world.standing()
                {
                    sum.0 += i128::from(value);
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
        Ok(best.get(k as usize).and_then(|i| all.get(*i)).cloned())
    }
}
