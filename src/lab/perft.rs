//! Perft: counts the positions of a game after so many plies. Published counts show whether rules are right.
//!
//! A **ply** is one whole turn (all choices that are made in it), one choice outside of turns, or one chance outcome: every way in which what is shuffled, drawn or rolled
//! between two choices can come out (docs/decisions/0006). Ways that lead to the same position are counted apart.
use houserule_engine::{Fault, Machine, Options, State, Verdict};
use std::sync::atomic::{AtomicBool, Ordering};

/// More outcomes of one stretch of chance are not gone through.
pub const CHANCE: u64 = 50_000;

/// More choices and chance events in a row are not followed: each one is a call within the one before it.
pub const LONGEST: usize = 500;

/// Counts at one depth.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Positions after exactly so many plies, finished games included.
    pub nodes: u64,
    /// Games that ended with this ply.
    pub finished: u64,
    /// Of these, won by each player alone, in seat order.
    pub won: Vec<u64>,
    /// Of these, with no single winner.
    pub tied: u64,
}

/// Why counting stopped.
#[derive(Debug)]
pub enum Stopped {
    /// The rules failed.
    Fault(Box<Fault>),
    /// One stretch of chance has more than [`CHANCE`] outcomes: so many.
    Chance(u64),
    /// More than [`LONGEST`] choices and chance events follow one another.
    Long,
    /// It was asked to.
    Asked,
}

impl From<Fault> for Stopped {
    fn from(f: Fault) -> Self {
        Stopped::Fault(Box::new(f))
    }
}

/// Counts from the machine's beginning (not started yet) to a depth of at most [`LONGEST`]; entry d of the result is depth d + 1.
///
/// # Errors
/// See [`Stopped`].
pub fn perft(m: &mut Machine, depth: usize, stop: &AtomicBool) -> Result<Vec<Count>, Stopped> {
    count_positions(m, depth, stop, false)
}

/// As [`perft`], of positions alone, which is much faster: where every choice is a whole turn and leaves nothing to chance, those behind the last ply are counted by the options before it.
///
/// # Errors
/// See [`Stopped`].
pub fn count_nodes(m: &mut Machine, depth: usize, stop: &AtomicBool) -> Result<Vec<u64>, Stopped> {
    Ok(count_positions(m, depth, stop, true)?.iter().map(|c| c.nodes).collect())
}

fn count_positions(
    m: &mut Machine,
    depth: usize,
    stop: &AtomicBool,
    bulk: bool,
) -> Result<Vec<Count>, Stopped> {
    let players = m.program().players as usize;
    let mut walk = Walk {
        counts: vec![Count { won: vec![0; players], ..Count::default() }; depth.min(LONGEST)],
        kept: Vec::new(),
        below: 0,
        stop,
        visited: 0,
        bulk,
    };
    let fresh = m.state().clone();
    let begin = |m: &mut Machine| m.start().map_err(Stopped::from);
    walk.walk_chance(m, &fresh, 0, &begin, true)?;
    Ok(walk.counts)
}

struct Walk<'s> {
    counts: Vec<Count>,
    /// How many choices and chance events led to the current position.
    below: usize,
    /// States to go back to with what was on offer there, kept for the next use.
    kept: Vec<(State, Options)>,
    stop: &'s AtomicBool,
    visited: u64,
    bulk: bool,
}

impl Walk<'_> {
    /// Takes a step in every way in which chance can come out, from a state; the ply that the step itself is has been decided by `whole`.
    fn walk_chance(
        &mut self,
        m: &mut Machine,
        from: &State,
        ply: usize,
        step: &dyn Fn(&mut Machine) -> Result<(), Stopped>,
        start: bool,
    ) -> Result<(), Stopped> {
        let turns = m.state().turns();
        m.lay_down(&[]);
        let went = step(m);
        let (ranges, drawn_in) = m.take_draws();
        went?;
        if ranges.is_empty() {
            let after = if start { ply } else { ply + self.ended_plies(m, turns) };
            return self.arrive(m, ply, after);
        }
        // The first way tells how many draws there are; later draws may depend on earlier ones.
        let mut ways: Vec<(u64, u64)> = ranges.iter().map(|n| (0, *n)).collect();
        // Whether the choice itself was a ply is known before anything is drawn: what chance makes of it may well end a turn, too.
        let choice = match drawn_in {
            Some(now) if !start => usize::from(now == 0 || now != turns),
            _ => 0,
        };
        if choice > 0 {
            self.count_node(ply + choice);
        }
        let mut product = ranges.iter().fold(1u64, |a, n| a.saturating_mul(*n));
        loop {
            if product > CHANCE {
                return Err(Stopped::Chance(product));
            }
            m.set_state(from);
            let script: Vec<u64> = ways.iter().map(|(k, _)| *k).collect();
            m.lay_down(&script);
            let went = step(m);
            let (seen, _) = m.take_draws();
            went?;
            // What was not foreseen is gone through from its first number on.
            for n in seen.iter().skip(ways.len()) {
                ways.push((0, *n));
            }
            ways.truncate(seen.len());
            for (way, n) in ways.iter_mut().zip(&seen) {
                way.1 = *n;
            }
            product = ways.iter().fold(1u64, |a, (_, n)| a.saturating_mul(*n));
            self.arrive(m, ply + choice, ply + choice + 1)?;
            // The next way: the last draw that has another number.
            while let Some((k, n)) = ways.last_mut() {
                *k += 1;
                if *k < *n {
                    break;
                }
                ways.pop();
            }
            if ways.is_empty() {
                return Ok(());
            }
        }
    }

    /// 1 if the choice ended a ply: the turn is over, or there are no turns, or the game is over.
    fn ended_plies(&self, m: &Machine, turns: i32) -> usize {
        let now = m.state().turns();
        usize::from(now == 0 || now != turns || m.is_over())
    }

    fn count_node(&mut self, ply: usize) {
        if let Some(c) = ply.checked_sub(1).and_then(|i| self.counts.get_mut(i)) {
            c.nodes += 1;
        }
    }

    /// A position has been reached with ply `now` (the one before was `before`).
    fn arrive(&mut self, m: &mut Machine, before: usize, now: usize) -> Result<(), Stopped> {
        self.visited += 1;
        if self.visited.is_multiple_of(1024) && self.stop.load(Ordering::Relaxed) {
            return Err(Stopped::Asked);
        }
        if now > before {
            self.count_node(now);
        }
        if m.is_over() {
            if let Some(c) = now.checked_sub(1).and_then(|i| self.counts.get_mut(i)) {
                c.finished += 1;
                let verdicts = m.outcome().map(|o| o.verdicts.clone()).unwrap_or_default();
                let mut winners = verdicts.iter().enumerate().filter(|(_, v)| **v == Verdict::Won);
                match (winners.next(), winners.next()) {
                    (Some((i, _)), None) => {
                        if let Some(w) = c.won.get_mut(i) {
                            *w += 1;
                        }
                    }
                    _ => c.tied += 1,
                }
            }
            return Ok(());
        }
        if now >= self.counts.len() {
            return Ok(());
        }
        if self.bulk
            && now + 1 == self.counts.len()
            && let Some(n) = m.whole_turns()?
        {
            if let Some(c) = self.counts.last_mut() {
                c.nodes += n;
            }
            return Ok(());
        }
        if self.below >= LONGEST {
            return Err(Stopped::Long);
        }
        self.below += 1;
        let (mut here, mut options) = self.kept.pop().unwrap_or_default();
        options.clone_from(m.options(0)?);
        here.clone_from(m.state());
        for (k, choice) in options.iter().enumerate() {
            if k > 0 {
                m.set_state(&here);
            }
            let step = |m: &mut Machine| m.choose_known(0, choice.clone()).map_err(Stopped::from);
            self.walk_chance(m, &here, now, &step, false)?;
        }
        self.kept.push((here, options));
        self.below -= 1;
        Ok(())
    }
}
