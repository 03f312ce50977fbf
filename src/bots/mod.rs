//! Bots: policies that answer for a seat. A policy gets a [`Sight`], never the state: what its seat may know, the question, the options, and worlds that the seat
//! cannot tell from the real one.
mod greedy;
mod random;
mod sight;

pub use greedy::Greedy;
pub use random::Random;
pub use sight::{STREAM, Sight, World};

use crate::engine::{Choice, Fault};
use crate::play::{Illegal, Match, fault_finding};

/// Answers for a seat.
pub trait Policy: Send {
    /// How it is called on the command line.
    fn name(&self) -> &'static str;

    /// Its answer to the question that the sight is of; `None` if there is nothing to answer.
    ///
    /// # Errors
    /// What went wrong in the rules while it looked.
    fn choose(&mut self, sight: &mut Sight<'_>) -> Result<Option<Choice>, Fault>;
}

/// A policy by its name on the command line.
pub fn named(name: &str, seed: u64) -> Option<Box<dyn Policy>> {
    match name {
        "random" => Some(Box::new(Random::new(seed))),
        "greedy" => Some(Box::new(Greedy::new(seed))),
        _ => None,
    }
}

/// A bot's own seed: chance of its own for every seat, all from the match's seed.
pub fn seed_of(seed: u64, seat: usize) -> u64 {
    seed.wrapping_add(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(seat as u64 + 1))
}

/// Names of all policies.
pub const NAMES: [&str; 2] = ["random", "greedy"];

/// Lets a policy answer a question of a match for a seat.
///
/// # Errors
/// Why its answer was not taken, or what went wrong in the rules.
pub fn answer(m: &mut Match, seat: usize, question: u32, policy: &mut dyn Policy) -> Result<(), Illegal> {
    let Some(q) = m.questions().iter().position(|q| q.id == question) else {
        return Err(Illegal::NotPending);
    };
    let hooks = m.game().hooks(m.program());
    let chosen = Sight::new(m.machine(), hooks, seat, q).map(|mut s| policy.choose(&mut s));
    match chosen {
        Some(Ok(Some(choice))) => m.choose(seat, question, &choice),
        Some(Ok(None)) | None => Err(Illegal::NotPending),
        Some(Err(f)) => Err(Illegal::Fault(Box::new(fault_finding(&f, m.program())))),
    }
}
