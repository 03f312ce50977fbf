//! One set-up of a game: what is in force, how many play, what the options are.
use super::passes::PassSet;
use houserule_model::hir::*;
use std::sync::Arc;

/// How many instructions the code of a set-up may have, unless [`LowerOptions::most_code`](super::LowerOptions::most_code) says otherwise.
pub const MOST_CODE: usize = 1_000_000;

/// A set-up with every name resolved and every condition already judged.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// How many players, those counted that are there beside the seats' own.
    pub players: u32,
    /// How many seats.
    pub seats: u32,
    /// How many players are the seats' own: the first ones. One a seat, unless the header says who answers for whom.
    pub own: u32,
    /// For each player the seats (bits) that answer for it; 0 is nobody.
    pub answered: Vec<u32>,
    /// Scopes in force: the game, then scenario, its parts, variants, mods, in load order.
    pub scopes: Vec<ScopeId>,
    /// Values of options that differ from their defaults: numbers, truth values, places of members.
    pub options: Vec<(OptionId, i64)>,
    /// Players' names for people; empty: the rules' own, or Player 1 ….
    pub names: Vec<Arc<str>>,
    /// Whether somebody measures time: then seconds of clocks count, and not the choices that stand for them.
    pub timed: bool,
}

impl Resolved {
    /// The players (bits) for whom somebody answers: `players`.
    pub fn playing(&self) -> u64 {
        let answered = self.answered.iter().enumerate().filter(|(_, seats)| **seats != 0);
        answered.fold(0, |m, (i, _)| m | 1u64.checked_shl(i as u32).unwrap_or(0))
    }

    /// Whether there is no player for whom nobody answers.
    pub fn all_play(&self) -> bool {
        self.answered.iter().all(|seats| *seats != 0)
    }

    /// The team (from 0) of each player, as long as no rule says otherwise: players for whom one seat alone answers are a team, everybody else is one.
    pub fn teams(&self) -> Vec<u32> {
        let mut out: Vec<u32> = Vec::new();
        for (i, seats) in self.answered.iter().enumerate() {
            let mate = self.answered.iter().take(i).position(|s| s == seats && seats.is_power_of_two());
            let new = out.iter().max().map_or(0, |t| t + 1);
            out.push(mate.and_then(|k| out.get(k).copied()).unwrap_or(new));
        }
        out
    }

    /// Whether a declaration of that scope is in force.
    pub fn has(&self, scope: ScopeId) -> bool {
        scope.0 == 0 || self.scopes.contains(&scope)
    }
}

/// How code is made. Games are the same bytes whatever is chosen here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LowerOptions {
    /// Comprehensions become set operations where they can.
    pub lift: bool,
    /// The passes that the code of each function goes through.
    pub passes: PassSet,
    /// The test of the model whose code is made with it.
    pub test: Option<usize>,
    /// Every place of the text is marked when it is reached ([`crate::ir::Ins::Mark`]), for coverage. Without `lift` and passes, or places are lost.
    pub cover: bool,
    /// How many instructions the code of a set-up may have: E0913 says so where it has more.
    pub most_code: usize,
    /// A mistake put in on purpose, for tests of the tests.
    #[doc(hidden)]
    pub fault: Option<SeededFault>,
}

impl Default for LowerOptions {
    fn default() -> Self {
        LowerOptions {
            lift: true,
            passes: PassSet::ALL,
            test: None,
            cover: false,
            most_code: MOST_CODE,
            fault: None,
        }
    }
}

/// Mistakes of the lowering that laws must catch.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeededFault {
    /// A lifted `!=` forgets what is none.
    NotEqualForgetsNone,
    /// The first guard of an action is left out of its enumerator.
    GuardDropped,
    /// A lifted run need not be closed.
    RunNeedNotClose,
    /// A lifted `is some` is taken for `is none`.
    SomeIsNone,
    /// The last parameter's own filter is left out.
    FilterDropped,
}

/// The names of the eight directions, clockwise, in the order of their numbers.
pub const COMPASS: [&str; 8] =
    ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];
