//! The laws: property tests that hold for every game, checked on random matches. Each law is a function of a game, a set-up and a seed.
//!
//! | law | says |
//! |---|---|
//! | [`check_reasons`] | the plain guards of an action say nothing exactly when it, or something interchangeable, is an option |
//! | [`check_lowering`] | lifted and fused code gives the same bytes and reasons as plain code |
//! | [`check_clones`] | a clone goes on as the original does |
//! | [`check_saves`] | saved, loaded and replayed: the same |
//! | [`check_undo`] | taken back and taken again: the same |
//! | [`check_simultaneous`] | the order in which simultaneous questions are answered does not matter |
//! | [`check_worlds`] | two worlds that differ only in what a seat may not know give that seat the same bytes |
//! | [`check_reference()`] | values, menus, reasons, effects, what they say and what is handed on are in code what the reference evaluator says |
//! | [`check_rounds`] | set-up, rounds, turns and answers lead to the states to which the reference interpreter comes |
//! | [`check_greedy_is_fair`] | a bot's choice is unchanged when what it may not know is permuted |
mod digest;
mod disclosure;
mod expectations;
mod guards;
mod knowledge;
mod legacy;
mod options;
mod random_match;
mod reference;
mod rounds;
mod secrets;
mod states;
pub(crate) mod tables;
mod views;

pub use digest::{Digest, compute_digest};
pub use expectations::compare_tests;
pub use options::{check_lowering, check_passes, check_reasons};
pub use random_match::{Broken, Channel, Checked, LawLimits, Violation};
pub use reference::{Compared, check_reference, compare_reference};
pub use rounds::check_rounds;
pub use secrets::{
    Disclosure, WorldsCompared, check_beam_is_fair, check_greedy_is_fair, check_worlds, check_worlds_with,
    compare_worlds,
};
pub use states::{check_clones, check_saves, check_simultaneous, check_undo};

use houserule_play::{Game, Setup};

/// A law as a function.
pub type Law = fn(&Game, &Setup, LawLimits) -> Result<Checked, Broken>;

/// All laws with their names.
pub const ALL: [(&str, Law); 10] = [
    ("reasons", check_reasons),
    ("lowering", check_lowering),
    ("reference", check_reference),
    ("rounds", check_rounds),
    ("clones", check_clones),
    ("saves", check_saves),
    ("undo", check_undo),
    ("simultaneous", check_simultaneous),
    ("worlds", check_worlds),
    ("greedy is fair", check_greedy_is_fair),
];
