//! What holds of every game, whatever its rules: checked on random matches by tests, and by whoever doubts. Each law is a function of a game, a set-up and a seed.
//!
//! | law | says |
//! |---|---|
//! | [`reasons`] | the plain guards of an action say nothing exactly when it, or something interchangeable, is an option |
//! | [`lowering`] | lifted and fused code gives the same bytes and reasons as plain code |
//! | [`clones`] | a clone goes on as the original does |
//! | [`saves`] | saved, loaded and replayed: the same |
//! | [`undo`] | taken back and taken again: the same |
//! | [`simultaneous`] | the order in which simultaneous questions are answered does not matter |
//! | [`worlds`] | two worlds that differ only in what a seat may not know give that seat the same bytes |
//! | [`reference()`] | values, menus, reasons, effects and what they say are in code what the reference evaluator says |
//! | [`greedy_is_fair`] | a bot's choice is unchanged when what it may not know is permuted |
mod course;
mod digest;
mod disclosure;
mod expectations;
mod guards;
mod knowledge;
mod options;
mod reference;
mod secrets;
mod states;
mod tables;
mod views;

pub use course::{Broken, Checked, Limits};
pub use digest::{Digest, digest};
pub use expectations::compare_tests;
pub use options::{lowering, passes, reasons};
pub use reference::{Compared, compare_reference, reference};
pub use secrets::{beam_is_fair, greedy_is_fair, worlds, worlds_with};
pub use states::{clones, saves, simultaneous, undo};

use houserule_play::{Game, Setup};

/// A law as a function.
pub type Law = fn(&Game, &Setup, Limits) -> Result<Checked, Broken>;

/// All laws with their names.
pub const ALL: [(&str, Law); 9] = [
    ("reasons", reasons),
    ("lowering", lowering),
    ("reference", reference),
    ("clones", clones),
    ("saves", saves),
    ("undo", undo),
    ("simultaneous", simultaneous),
    ("worlds", worlds),
    ("greedy is fair", greedy_is_fair),
];
