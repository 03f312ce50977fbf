//! Input of the compiler beside the model: one resolved set-up (scopes in force, players, options) and the options of code generation.
use super::passes::PassSet;
use houserule_model::hir::*;
use std::sync::Arc;

/// How many instructions the code of a set-up may have, unless [`LowerOptions::most_code`](super::LowerOptions::most_code) says otherwise.
pub const MOST_CODE: usize = 1_000_000;

/// A set-up: all names are resolved and all conditions evaluated.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// Number of players, with those beside the seats' own players.
    pub players: u32,
    /// How many seats.
    pub seats: u32,
    /// Number of players that belong to the seats; these come first. One for each seat, unless the header says who answers for whom.
    pub own: u32,
    /// For each player, the seats that answer for it, as bits; 0 means nobody.
    pub answered: Vec<u32>,
    /// Scopes in force: the game, then scenario, its parts, variants, mods, in load order.
    pub scopes: Vec<ScopeId>,
    /// Values of options that differ from their defaults: numbers, truth values, places of members.
    pub options: Vec<(OptionId, i64)>,
    /// Players' names for display. If empty, the names from the rules or Player 1, Player 2 ….
    pub names: Vec<Arc<str>>,
    /// Whether time is measured. If so, clocks count seconds; if not, choices.
    pub timed: bool,
}

impl Resolved {
    /// The players for whom somebody answers (`players`), as bits.
    pub fn playing(&self) -> u64 {
        let answered = self.answered.iter().enumerate().filter(|(_, seats)| **seats != 0);
        answered.fold(0, |m, (i, _)| m | 1u64.checked_shl(i as u32).unwrap_or(0))
    }

    /// Whether somebody answers for every player.
    pub fn all_play(&self) -> bool {
        self.answered.iter().all(|seats| *seats != 0)
    }

    /// The team of each player, from 0, unless a rule sets it: players for whom the same single seat answers are a team; every other player is a team alone.
    pub fn teams(&self) -> Vec<u32> {
        let mut out: Vec<u32> = Vec::new();
        for (i, seats) in self.answered.iter().enumerate() {
            let mate = self.answered.iter().take(i).position(|s| s == seats && seats.is_power_of_two());
            let new = out.iter().max().map_or(0, |t| t + 1);
            out.push(mate.and_then(|k| out.get(k).copied()).unwrap_or(new));
        }
        out
    }

    /// Whether declarations of that scope are in force.
    pub fn has(&self, scope: ScopeId) -> bool {
        scope.0 == 0 || self.scopes.contains(&scope)
    }

    /// Whether a scope in force removes a member or an action.
    pub fn removes(&self, m: &Model, what: Removed) -> bool {
        m.scopes.iter().zip(0..).any(|(s, i)| self.has(ScopeId(i)) && s.removes.contains(&what))
    }
}

/// Options of code generation. They never change a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LowerOptions {
    /// Whether conditions on members of a set are vectorised.
    pub lift: bool,
    /// The passes that run on the code of each function.
    pub passes: PassSet,
    /// Whether a mark is inserted for every place of the text ([`crate::ir::Ins::Mark`]), for coverage. Needs `lift` and all passes off, or places are lost.
    pub cover: bool,
    /// Whether only findings are wanted: code that would stand in several places is made once, and nothing is put together that could run.
    pub dry: bool,
    /// The most instructions that the code of a set-up may have; more are reported as E0913.
    pub most_code: usize,
    /// A planted mistake, for tests of the tests.
    #[doc(hidden)]
    pub fault: Option<SeededFault>,
}

impl Default for LowerOptions {
    fn default() -> Self {
        LowerOptions {
            lift: true,
            passes: PassSet::ALL,
            cover: false,
            dry: false,
            most_code: MOST_CODE,
            fault: None,
        }
    }
}

/// Mistakes of the compiler that the property tests must find.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeededFault {
    /// The vectorised `!=` leaves out things whose value is none.
    NotEqualForgetsNone,
    /// The first guard of an action is left out of its enumerator.
    GuardDropped,
    /// The vectorised `run` accepts runs that are not closed.
    RunNeedNotClose,
    /// The vectorised `is some` means `is none`.
    SomeIsNone,
    /// The filter of the last parameter is left out.
    FilterDropped,
}

/// The names of the eight directions, clockwise, in the order of their numbers.
pub const COMPASS: [&str; 8] =
    ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];
