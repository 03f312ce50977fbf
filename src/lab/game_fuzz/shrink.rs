//! Makes a game that shows a failure shorter: leaves choices out as long as the failure stays, and looks for it in other games that are shorter.
//!
//! Source: Zeller and Hildebrandt, *Simplifying and isolating failure-inducing input*, IEEE Transactions on Software Engineering 28 (2002), 183–200 (`ddmin`).
//! A choice that cannot be made without one that was left out is left out, too.
use super::playing::{Failure, Player, STREAM, Start, Style, Taken, find_failure, of_fault, restart};
use houserule_engine::{Machine, Refusal, State, below, mix};
use houserule_play::Game;
use houserule_text::Diagnostic;

/// Choices that are made again at most while one failure is made shorter by leaving out.
const MOST_REPLAYED: usize = 2_000_000;

/// A game that shows a failure.
pub(super) struct Short {
    pub seed: u64,
    pub choices: Vec<Taken>,
    /// The failure as it is told of this game.
    pub finding: Option<Diagnostic>,
}

/// Where games of one set-up are played again.
pub(super) struct Bench<'a> {
    start: &'a Start,
    machine: Machine,
    fresh: State,
    replayed: usize,
}

impl<'a> Bench<'a> {
    pub fn new(game: &Game, start: &'a Start) -> Bench<'a> {
        let machine = game.make_machine(start.program.clone(), 0);
        let fresh = machine.state().clone();
        Bench { start, machine, fresh, replayed: 0 }
    }

    /// The shortest game that shows the failure of this one.
    pub fn shrink(&mut self, failure: &Failure, seed: u64, choices: &[Taken], tries: u32) -> Short {
        let mut best = Short { seed, choices: choices.to_vec(), finding: None };
        self.leave_out(failure, &mut best);
        // Other games of the same set-up, cut off where they are not shorter.
        for k in 0..tries {
            if best.choices.is_empty() {
                break;
            }
            let seed = mix(seed, STREAM + 3, u64::from(k)) >> 33;
            let found = self.search(failure, seed, best.choices.len() - 1);
            if let Some(mut shorter) = found {
                self.leave_out(failure, &mut shorter);
                best = shorter;
            }
        }
        best
    }

    /// Plays at random until the failure shows, within so many choices.
    fn search(&mut self, failure: &Failure, seed: u64, most: usize) -> Option<Short> {
        let mut player =
            Player::new(if seed.is_multiple_of(2) { Style::Random } else { Style::Rare }, seed, self.start);
        let mut choices = Vec::new();
        let m = &mut self.machine;
        let start = self.start;
        let mut go_on = || -> Result<Option<(Failure, Diagnostic)>, houserule_engine::Fault> {
            restart(m, &self.fresh, seed)?;
            loop {
                if m.is_over() {
                    return Ok(None);
                }
                if let Some(found) = find_failure(start, m)? {
                    return Ok(Some(found));
                }
                if choices.len() >= most {
                    return Ok(None);
                }
                let at = below(m.questions().len() as u64, || player.rng.draw()) as usize;
                let Some(q) = m.questions().get(at).copied() else { return Ok(None) };
                let Some(choice) = player.choose(m, at, &q)? else { return Ok(None) };
                choices.push(Taken::new(&q, choice.clone()));
                match m.choose(at, &choice) {
                    Ok(()) => {}
                    Err(Refusal::Fault(fault)) => return Err(fault),
                    Err(_) => return Ok(None),
                }
            }
        };
        let found = match go_on() {
            Ok(found) => found,
            Err(fault) => Some(of_fault(&fault, &start.program)),
        };
        let (_, finding) = found.filter(|(f, _)| f == failure)?;
        Some(Short { seed, choices, finding: Some(finding) })
    }

    /// Leaves out choices, first many at once, as long as the failure stays.
    fn leave_out(&mut self, failure: &Failure, best: &mut Short) {
        let mut size = best.choices.len().div_ceil(2).max(1);
        loop {
            let mut from = 0;
            let mut shorter = false;
            while from < best.choices.len() && self.replayed < MOST_REPLAYED {
                let to = (from + size).min(best.choices.len());
                let rest: Vec<Taken> =
                    best.choices.iter().take(from).chain(best.choices.iter().skip(to)).cloned().collect();
                match self.replay(failure, best.seed, &rest) {
                    Some((kept, finding)) if kept.len() < best.choices.len() => {
                        *best = Short { seed: best.seed, choices: kept, finding: Some(finding) };
                        shorter = true;
                    }
                    _ => from = to,
                }
            }
            if size == 1 && !shorter || self.replayed >= MOST_REPLAYED {
                break;
            }
            size = size.div_ceil(2).max(1);
        }
    }

    /// Makes the choices that can be made; gives those up to the failure, if it shows.
    fn replay(
        &mut self,
        failure: &Failure,
        seed: u64,
        choices: &[Taken],
    ) -> Option<(Vec<Taken>, Diagnostic)> {
        self.replayed += choices.len() + 1;
        let start = self.start;
        let same =
            |found: (Failure, Diagnostic), kept: Vec<Taken>| (found.0 == *failure).then_some((kept, found.1));
        let m = &mut self.machine;
        let mut kept = Vec::new();
        if let Err(fault) = restart(m, &self.fresh, seed) {
            return same(of_fault(&fault, &start.program), kept);
        }
        for taken in choices {
            match find_failure(start, m) {
                Ok(None) => {}
                Ok(Some(found)) => return same(found, kept),
                Err(fault) => return same(of_fault(&fault, &start.program), kept),
            }
            let Some(q) = taken.find_among(m.questions()) else { continue };
            match m.choose(q, &taken.choice) {
                Ok(()) => kept.push(taken.clone()),
                Err(Refusal::Fault(fault)) => {
                    kept.push(taken.clone());
                    return same(of_fault(&fault, &start.program), kept);
                }
                Err(_) => {}
            }
        }
        match find_failure(start, m) {
            Ok(found) => same(found?, kept),
            Err(fault) => same(of_fault(&fault, &start.program), kept),
        }
    }
}
