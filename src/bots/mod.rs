//! Bots: policies that answer for a seat. A policy gets a [`Sight`], never the state: what its seat may know, the question, the options, and worlds that the seat
//! cannot tell from the real one.
mod beam;
mod greedy;
mod random;
mod sight;

pub use beam::{Beam, Breadth};
pub use greedy::Greedy;
pub use random::Random;
pub use sight::{STREAM, Sight, World};

use houserule_engine::{Choice, Fault};
use houserule_play::{Illegal, Match};

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

/// A bot with what it is told on the command line: `random`, `greedy`, `beam`, `beam:WIDTH`, `beam:WIDTH:TURNS`, `beam:WIDTH:TURNS:NODES`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bot {
    /// [`Random`]
    Random,
    /// [`Greedy`]
    Greedy,
    /// [`Beam`]
    Beam(Breadth),
}

impl Bot {
    /// Reads the words of the command line; `None` if there is no such bot, or one of its numbers is 0 or none.
    pub fn from_word(word: &str) -> Option<Bot> {
        let mut parts = word.split(':');
        let name = parts.next()?;
        let mut numbers = Vec::new();
        for part in parts {
            numbers.push(part.parse::<u32>().ok().filter(|n| *n > 0)?);
        }
        match (name, numbers.as_slice()) {
            ("random", []) => Some(Bot::Random),
            ("greedy", []) => Some(Bot::Greedy),
            ("beam", [] | [_] | [_, _] | [_, _, _]) => {
                let usual = Breadth::default();
                let number = |i: usize, usual: usize| numbers.get(i).map_or(usual, |n| *n as usize);
                let width = number(0, usual.width);
                Some(Bot::Beam(Breadth {
                    width,
                    turns: number(1, usual.turns),
                    nodes: numbers.get(2).map_or(Breadth::enough_answers(width), |n| u64::from(*n)),
                }))
            }
            _ => None,
        }
    }

    /// The words that it is read from.
    pub fn to_word(self) -> String {
        match self {
            Bot::Random => String::from("random"),
            Bot::Greedy => String::from("greedy"),
            Bot::Beam(b) if b == Breadth::default() => String::from("beam"),
            Bot::Beam(b) => format!("beam:{}:{}:{}", b.width, b.turns, b.nodes),
        }
    }

    /// One that plays, whose draws depend on nothing but the seed and what it is asked.
    pub fn make_policy(self, seed: u64) -> Box<dyn Policy> {
        match self {
            Bot::Random => Box::new(Random::new(seed)),
            Bot::Greedy => Box::new(Greedy::new(seed)),
            Bot::Beam(breadth) => Box::new(Beam::new(seed, breadth)),
        }
    }
}

/// A bot's own seed: chance of its own for every seat, all from the match's seed.
pub fn seed_of(seed: u64, seat: usize) -> u64 {
    seed.wrapping_add(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(seat as u64 + 1))
}

/// A policy by its name on the command line.
pub fn policy_by_name(name: &str, seed: u64) -> Option<Box<dyn Policy>> {
    Bot::from_word(name).map(|bot| bot.make_policy(seed))
}

/// Names of all policies.
pub const NAMES: [&str; 3] = ["random", "greedy", "beam"];

/// Lets a policy answer a question of a match for a seat.
///
/// # Errors
/// Why its answer was not taken, or what went wrong in the rules.
pub fn answer_question(
    m: &mut Match,
    seat: usize,
    question: u32,
    policy: &mut dyn Policy,
) -> Result<(), Illegal> {
    let Some(q) = m.questions().iter().position(|q| q.id == question) else {
        return Err(Illegal::NotPending);
    };
    let hooks = m.game().make_hooks(m.program());
    let chosen = Sight::new(m.machine(), hooks, seat, q).map(|mut s| policy.choose(&mut s));
    match chosen {
        Some(Ok(Some(choice))) => m.choose(seat, question, &choice),
        Some(Ok(None)) | None => Err(Illegal::NotPending),
        Some(Err(f)) => Err(m.to_illegal(&f)),
    }
}
