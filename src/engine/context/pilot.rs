//! The callback that answers for the seats during a playout (`Pilot`), and how many answers it may still give (`Course`).
use crate::data::decision::{Choice, Options};

/// Answers in place of the seats during a playout, as long as one fiber asks one player at a time.
pub(crate) trait Pilot {
    /// A seat's answer out of these options.
    fn pick(&mut self, seat: usize, options: &Options) -> Pick;
    /// As [`Pilot::pick`], if the options are `n` (at least one) of one segment: the number of one. `None`: the pilot does not answer for this seat.
    fn pick_one_of(&mut self, seat: usize, n: u64) -> Option<u64>;
    /// Remembers a seat's source of numbers, so that [`Pilot::rewind`] can undo its next picks.
    fn mark(&mut self, seat: usize);
    /// Restores the seat's source of numbers: picks since [`Pilot::mark`] are undone.
    fn rewind(&mut self, seat: usize);
}

/// A pilot's answer.
pub(crate) enum Pick {
    /// Answer number `.1` of segment `.0`.
    At(usize, u64),
    /// A complete answer.
    Choice(Choice),
    /// The pilot does not answer for this seat.
    Stop,
}

/// How far a run continues without leaving for answers.
#[derive(Default)]
pub(crate) struct Course<'a> {
    pub pilot: Option<&'a mut dyn Pilot>,
    /// Answers that the pilot may still give.
    pub left: u64,
    /// Whether the pilot only answers while every invariant of the rules holds.
    pub checked: bool,
    /// Whether one did not hold: then the pilot gives no more answers.
    pub broken: bool,
}

impl Course<'_> {
    /// Whether the pilot may give another answer.
    pub fn goes_on(&self) -> bool {
        self.left > 0 && !self.broken
    }
}
