//! The callback that answers for the seats during a playout (`Pilot`), and how many answers it may still give (`Course`).
use crate::data::decision::{Choice, Options};

/// Who answers in place of the seats during a playout, as long as one fiber asks one player at a time.
pub(crate) trait Pilot {
    /// A seat's answer out of these options.
    fn pick(&mut self, seat: usize, options: &Options) -> Pick;
    /// The same where `n` options of one segment, more than none, are all there is: the number of one. `None`: he does not answer for this seat.
    fn one_of(&mut self, seat: usize, n: u64) -> Option<u64>;
    /// What a seat's next picks are drawn from is kept, so that [`Pilot::rewind`] can undo them.
    fn mark(&mut self, seat: usize);
    /// What was picked for that seat since [`Pilot::mark`] is not used: it has not been drawn.
    fn rewind(&mut self, seat: usize);
}

/// A pilot's answer.
pub(crate) enum Pick {
    /// Answer number `.1` of segment `.0`.
    At(usize, u64),
    /// An answer in full.
    Choice(Choice),
    /// He does not answer for this seat.
    Stop,
}

/// How far a run goes by itself.
#[derive(Default)]
pub(crate) struct Course<'a> {
    pub pilot: Option<&'a mut dyn Pilot>,
    /// Answers that he may still give.
    pub left: u64,
}
