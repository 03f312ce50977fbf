//! Decisions as data: who is asked what, what may be answered, and what an answer is.
//!
//! **The uniform policy** ([`Options::draw`]): every option has the same chance, `done` and `pass` being one option each; all subsets that one choice of an
//! action's other parameters leaves open count as one option together, as does a whole subset question; then every subset of an allowed size has the same chance.
pub use crate::base::bitset::Words;
use crate::base::bitset::{count_bits, nth_bit, select};
use crate::base::fault::Fault;
use crate::base::stream::below;
use crate::data::subsets::Subsets;
use houserule_program::ir::{ActionIx, AskIx, OfferIx, UniverseId};
use houserule_text::Span;
use rand::Rng;

/// What kind of answer is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuestionKind {
    /// An action, `done` or `pass` out of menus.
    Menu(OfferIx),
    /// One thing of a universe.
    One(AskIx, UniverseId),
    /// A subset of a universe.
    Subset(AskIx, UniverseId),
    /// Yes or no.
    Truth(AskIx),
}

/// A pending question. Plain data; its text is [`crate::machine::game::Machine::prompt`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// The number of the question in the game, from 0; no other question of the game has it.
    pub id: u32,
    /// The player who is asked; the first one, if it is put to several.
    pub player: u8,
    /// Whether it is put to the table: any of the seats may answer, for no player.
    pub anybody: bool,
    /// Seats that may answer (bits).
    pub seats: u32,
    /// What is wanted.
    pub kind: QuestionKind,
    /// Where it is asked.
    pub span: Span,
    /// The fiber that waits (internal).
    pub fiber: u16,
}

/// An answer. Values are as in registers: the number of a thing, a number itself, the words of a set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// An action with all its parameters (the menu's first), each in its words.
    Action {
        /// The action.
        action: ActionIx,
        /// Words of all parameters in order.
        params: Words,
    },
    /// Done.
    Done,
    /// Not done: takes a `done` back where others act freely ([`crate::machine::game::Machine::take_back`]); never an option of a pending question.
    NotDone,
    /// Pass.
    Pass,
    /// A clock has run out ([`crate::machine::game::Machine::time_up`]); never an option: whoever measures time reports it, no player does.
    TimeUp,
    /// One thing or number.
    One(i64),
    /// A subset.
    Subset(Words),
    /// Yes or no.
    Truth(bool),
}

/// Why an action is not an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The place of the rule that forbids it.
    pub span: Span,
    /// The reason in the rules' words, filled in; may be empty if the rules give none.
    pub text: String,
}

/// A part of what a choice costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostPart {
    /// How much is to be paid; at least 1.
    pub due: i64,
    /// How much there is to pay from; none where the rules do not count it.
    pub have: Option<i64>,
    /// Of what.
    pub word: std::sync::Arc<str>,
}

/// A choice that was not taken. The state is as before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No such question is pending.
    NotPending,
    /// Not an option; why not.
    Illegal(Vec<Reason>),
    /// The rules failed on it.
    Fault(Fault),
}

/// The values of the last parameter of a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Last {
    /// Nothing is left to pick.
    Unit,
    /// One of a set: `w` words from `at`; register value is the element's number plus `lo`.
    Set {
        /// Place in [`Options::words`].
        at: u32,
        /// Words.
        w: u8,
        /// Added to an element's number.
        lo: i32,
    },
    /// One of a list of `n` register values from `at`.
    List {
        /// Place in [`Options::words`].
        at: u32,
        /// How many.
        n: u32,
    },
    /// A number of `lo..=hi`.
    Range {
        /// Least.
        lo: i64,
        /// Greatest.
        hi: i64,
    },
    /// One of `n` sets of `w` words, one behind the other from `at`.
    OneOf {
        /// Place in [`Options::words`].
        at: u32,
        /// Words of each.
        w: u8,
        /// How many.
        n: u32,
    },
    /// A subset of a set.
    Subset(Subsets),
}

/// What a segment's options are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// An action.
    Action(ActionIx),
    /// Done.
    Done,
    /// Pass.
    Pass,
    /// Answers to a question for one thing.
    One,
    /// Answers to a question for a subset.
    Subset,
    /// No, then yes.
    Truth,
}

/// Options that differ only in the last parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    /// What they are.
    pub what: What,
    /// Words of all parameters but the last: `n` from `at` in [`Options::words`].
    pub at: u32,
    /// See `at`.
    pub n: u8,
    /// The last parameter.
    pub last: Last,
    /// How many options, saturating.
    pub count: u64,
}

impl Segment {
    /// Its options for the uniform policy: all subsets count as one.
    #[inline]
    fn weight(&self) -> u64 {
        if matches!(self.last, Last::Subset(_)) { 1 } else { self.count }
    }
}

/// All answers to one question, in order: menus as offered, actions as declared, parameters in declared order, then done, then pass; subsets by size, then by
/// their first differing element. Things are in the order of their numbers; those whose numbers are secret are in canonical order
/// ([`crate::machine::game::Machine::options`]). No answer is stored by itself: segments are counted, searched and drawn from.
#[derive(Default, Debug, PartialEq, Eq)]
pub struct Options {
    /// Segments in order.
    pub segments: Vec<Segment>,
    /// Words that segments refer to.
    pub words: Vec<u64>,
    total: u64,
    weight: u64,
}

impl Clone for Options {
    fn clone(&self) -> Self {
        let mut o = Options::default();
        o.clone_from(self);
        o
    }

    // Reuses the memory of `self`.
    fn clone_from(&mut self, from: &Self) {
        self.segments.clone_from(&from.segments);
        self.words.clone_from(&from.words);
        (self.total, self.weight) = (from.total, from.weight);
    }
}

impl Options {
    /// Takes everything out.
    pub fn clear(&mut self) {
        self.segments.clear();
        self.words.clear();
        self.total = 0;
        self.weight = 0;
    }

    /// The number of answers, every subset counted; `u64::MAX` means that many or more.
    pub fn count(&self) -> u64 {
        self.total
    }

    /// The number of options for the uniform policy: all subsets of one segment count as one.
    pub fn weight(&self) -> u64 {
        self.weight
    }

    /// Whether there is nothing to answer.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    fn slice(&self, at: u32, n: usize) -> &[u64] {
        self.words.get(at as usize..at as usize + n).unwrap_or(&[])
    }

    /// Adds a segment without fixed parameters whose last is picked from a set of one word; an empty one is left out.
    #[inline]
    pub(crate) fn push_word(&mut self, what: What, word: u64, lo: i32) {
        let count = u64::from(word.count_ones());
        if count > 0 {
            let at = self.words.len() as u32;
            self.words.push(word);
            self.push_counted(what, at, 0, Last::Set { at, w: 1, lo }, count);
        }
    }

    /// As [`Options::push_word`], with one fixed parameter of one word before the set.
    #[inline]
    pub(crate) fn push_words(&mut self, what: What, [fixed, word]: [u64; 2], lo: i32) {
        let count = u64::from(word.count_ones());
        if count > 0 {
            let at = self.words.len() as u32;
            self.words.extend([fixed, word]);
            self.push_counted(what, at, 1, Last::Set { at: at + 1, w: 1, lo }, count);
        }
    }

    /// Adds a segment of `count` options, at least one, that are no subsets.
    #[inline]
    pub(crate) fn push_counted(&mut self, what: What, at: u32, n: u8, last: Last, count: u64) {
        self.total = self.total.saturating_add(count);
        self.weight = self.weight.saturating_add(count);
        self.segments.push(Segment { what, at, n, last, count });
    }

    /// Adds a segment (counting it); empty ones are left out.
    pub(crate) fn push(&mut self, what: What, at: u32, n: u8, last: Last) {
        let count = match last {
            Last::Unit => 1,
            Last::Set { at, w, .. } => count_bits(self.slice(at, w as usize)),
            Last::List { n, .. } | Last::OneOf { n, .. } => u64::from(n),
            Last::Range { lo, hi } => {
                hi.checked_sub(lo).and_then(|n| u64::try_from(n).ok()).map_or(0, |n| n.saturating_add(1))
            }
            Last::Subset(s) => s.count(&self.words),
        };
        if count > 0 {
            self.add(Segment { what, at, n, last, count });
        }
    }

    /// Adds the `count` subsets, at least one, that passed the guards; the other parameters are those of a segment.
    pub(crate) fn push_subsets(&mut self, what: What, of: Segment, subsets: Subsets, count: u64) {
        self.add(Segment { what, at: of.at, n: of.n, last: Last::Subset(subsets), count });
    }

    fn add(&mut self, segment: Segment) {
        self.total = self.total.saturating_add(segment.count);
        self.weight = self.weight.saturating_add(segment.weight());
        self.segments.push(segment);
    }

    /// Removes all but the first `segments` segments and `words` words.
    pub(crate) fn cut_back(&mut self, segments: usize, words: usize) {
        for s in self.segments.get(segments..).unwrap_or(&[]) {
            self.total = self.total.wrapping_sub(s.count);
            self.weight = self.weight.wrapping_sub(s.weight());
        }
        self.segments.truncate(segments);
        self.words.truncate(words);
    }

    /// Adds segments that refer to `words`, and these words.
    pub(crate) fn append(&mut self, segments: &[Segment], words: &[u64]) {
        let by = self.words.len() as u32;
        self.words.extend_from_slice(words);
        segments.iter().for_each(|s| self.add(shift_segment(*s, by)));
    }

    /// The answer with these words as the last parameter.
    fn answer(&self, seg: &Segment, last: &[u64]) -> Choice {
        match seg.what {
            What::Done => Choice::Done,
            What::Pass => Choice::Pass,
            What::One => Choice::One(last.first().map_or(houserule_program::ir::NONE, |x| *x as i64)),
            What::Truth => Choice::Truth(last.first().is_some_and(|x| *x != 0)),
            What::Subset => Choice::Subset(Words::from_slice(last)),
            What::Action(action) => {
                let mut params = Words::from_slice(self.slice(seg.at, seg.n as usize));
                params.extend_from_slice(last);
                Choice::Action { action, params }
            }
        }
    }

    /// Answer number `k` of a segment.
    pub fn pick(&self, seg: &Segment, k: u64) -> Choice {
        match seg.last {
            Last::Unit => self.answer(seg, &[]),
            Last::Set { at, w, lo } => {
                let i = nth_bit(self.slice(at, w as usize), k).unwrap_or(0);
                self.answer(seg, &[(i64::from(i) + i64::from(lo)) as u64])
            }
            Last::List { at, .. } => {
                let item = self.words.get(at as usize + k as usize).copied().unwrap_or(0);
                self.answer(seg, &[item])
            }
            Last::Range { lo, .. } => self.answer(seg, &[lo.saturating_add(k as i64) as u64]),
            Last::OneOf { at, w, .. } => {
                let w = w as usize;
                let first = (at as usize).saturating_add((k as usize).saturating_mul(w));
                self.answer(seg, self.words.get(first..first.saturating_add(w)).unwrap_or(&[]))
            }
            Last::Subset(s) => self.answer(seg, &s.pick(&self.words, k)),
        }
    }

    /// Answer number `k` of a segment; `done` if there is no such segment.
    pub fn pick_in(&self, seg: usize, k: u64) -> Choice {
        self.segments.get(seg).map_or(Choice::Done, |seg| self.pick(seg, k))
    }

    /// Answer number `k` of [`Options::count`], from 0.
    pub fn nth(&self, mut k: u64) -> Option<Choice> {
        for seg in &self.segments {
            if k < seg.count {
                return Some(self.pick(seg, k));
            }
            k -= seg.count;
        }
        None
    }

    /// All answers in order; none at all if there are more than `cap`.
    pub fn list(&self, cap: u64) -> Option<Vec<Choice>> {
        (self.total <= cap).then(|| self.iter().collect())
    }

    /// All answers in order, made as they are asked for.
    pub fn iter(&self) -> impl Iterator<Item = Choice> + '_ {
        self.segments.iter().flat_map(move |seg| (0..seg.count).map(move |k| self.pick(seg, k)))
    }

    /// The number of a choice among the answers; `None` if it is not one.
    pub fn index_of(&self, choice: &Choice) -> Option<u64> {
        let mut base = 0u64;
        for seg in &self.segments {
            if let Some(k) = self.index_in(seg, choice) {
                return Some(base.saturating_add(k));
            }
            base = base.saturating_add(seg.count);
        }
        None
    }

    fn index_in(&self, seg: &Segment, choice: &Choice) -> Option<u64> {
        let truth;
        let one;
        let last: &[u64] = match (seg.what, choice) {
            (What::Done, Choice::Done) | (What::Pass, Choice::Pass) => return Some(0),
            (What::One, Choice::One(x)) if seg.last == Last::Unit => {
                return (*x == houserule_program::ir::NONE).then_some(0);
            }
            (What::One, Choice::One(x)) => {
                one = [*x as u64];
                &one
            }
            (What::Truth, Choice::Truth(x)) => {
                truth = [u64::from(*x)];
                &truth
            }
            (What::Subset, Choice::Subset(words)) => words,
            (What::Action(a), Choice::Action { action, params }) if a == *action => {
                let fixed = self.slice(seg.at, seg.n as usize);
                if params.get(..fixed.len()) != Some(fixed) {
                    return None;
                }
                &params[fixed.len()..]
            }
            _ => return None,
        };
        match seg.last {
            Last::Unit => last.is_empty().then_some(0),
            Last::Set { at, w, lo } => {
                let [x] = last else { return None };
                let i = usize::try_from((*x as i64).checked_sub(i64::from(lo))?).ok()?;
                let set = self.slice(at, w as usize);
                let word = set.get(i / 64)?;
                if word >> (i % 64) & 1 == 0 {
                    return None;
                }
                let below = word & ((1u64 << (i % 64)) - 1);
                Some(count_bits(&set[..i / 64]) + u64::from(below.count_ones()))
            }
            Last::List { at, n } => {
                let [x] = last else { return None };
                self.slice(at, n as usize).iter().position(|y| y == x).map(|k| k as u64)
            }
            Last::Range { lo, hi } => {
                let [x] = last else { return None };
                let x = *x as i64;
                (lo <= x && x <= hi).then(|| (x - lo) as u64)
            }
            Last::OneOf { at, w, n } => {
                let w = w as usize;
                let all = self.slice(at, w * n as usize);
                all.chunks_exact(w.max(1)).position(|set| set == last).map(|k| k as u64)
            }
            Last::Subset(s) => s.index_of(&self.words, last, seg.count),
        }
    }

    /// Draws by the uniform policy: a segment, and the number of an answer in it. `Ok(None)`: there is nothing to draw; `Err`: a subset of that segment is to be drawn
    /// ([`Options::draw_subset`]).
    #[inline]
    pub(crate) fn draw_at<G: Rng + ?Sized>(&self, rng: &mut G) -> Result<Option<(usize, u64)>, usize> {
        if self.weight == 0 {
            return Ok(None);
        }
        let mut k = below(self.weight, || rng.next_u64());
        for (i, seg) in self.segments.iter().enumerate() {
            let weight = seg.weight();
            if k < weight {
                return if matches!(seg.last, Last::Subset(_)) { Err(i) } else { Ok(Some((i, k))) };
            }
            k -= weight;
        }
        Ok(None)
    }

    /// Writes all words of answer `k` of a segment of an action into `out`; false if they do not fit, or if it is a subset.
    #[inline]
    pub(crate) fn write_option(&self, seg: &Segment, k: u64, out: &mut [u64]) -> bool {
        if let (0, Last::Set { at, w: 1, lo }) = (seg.n, seg.last)
            && let Some(x) = out.first_mut()
        {
            let word = self.words.get(at as usize).copied().unwrap_or(0);
            *x = (i64::from(select(word, k)) + i64::from(lo)) as u64;
            return true;
        }
        self.write_any(seg, k, out)
    }

    fn write_any(&self, seg: &Segment, k: u64, out: &mut [u64]) -> bool {
        let fixed = self.slice(seg.at, seg.n as usize);
        let Some((room, rest)) = out.split_at_mut_checked(fixed.len()) else { return false };
        room.copy_from_slice(fixed);
        let last = match seg.last {
            Last::Unit => return true,
            Last::Set { at, w, lo } => {
                (i64::from(nth_bit(self.slice(at, w as usize), k).unwrap_or(0)) + i64::from(lo)) as u64
            }
            Last::List { at, .. } => self.words.get(at as usize + k as usize).copied().unwrap_or(0),
            Last::Range { lo, .. } => lo.saturating_add(k as i64) as u64,
            Last::Subset(_) | Last::OneOf { .. } => return false,
        };
        match rest.first_mut() {
            Some(x) => {
                *x = last;
                true
            }
            None => false,
        }
    }

    /// Draws by the uniform policy (see the top of this file); `None` if there is nothing to draw.
    pub fn draw<G: Rng + ?Sized>(&self, rng: &mut G) -> Option<Choice> {
        match self.draw_at(rng) {
            Ok(at) => at.map(|(seg, k)| self.pick_in(seg, k)),
            Err(seg) => Some(self.draw_subset(seg, rng)),
        }
    }

    /// Draws a subset.
    pub(crate) fn draw_subset<G: Rng + ?Sized>(&self, seg: usize, rng: &mut G) -> Choice {
        let Some(seg) = self.segments.get(seg) else { return Choice::Done };
        let Last::Subset(s) = seg.last else { return self.pick(seg, 0) };
        self.answer(seg, &s.draw(&self.words, seg.count, rng))
    }
}

/// The segment after its words have moved by `by`.
pub(crate) fn shift_segment(mut s: Segment, by: u32) -> Segment {
    s.at = s.at.wrapping_add(by);
    match &mut s.last {
        Last::Set { at, .. } | Last::List { at, .. } | Last::OneOf { at, .. } => *at = at.wrapping_add(by),
        Last::Subset(s) => *s = s.shifted(by),
        Last::Unit | Last::Range { .. } => {}
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::stream::Stream;

    fn subsets(set: u64, min: u32, max: u32) -> Options {
        let mut o = Options { words: vec![set], ..Options::default() };
        o.push(What::Subset, 0, 0, Last::Subset(Subsets::all(0, 1, min, max)));
        o
    }

    #[test]
    fn subsets_are_counted_numbered_and_found_again() {
        let o = subsets(0b1101_1010, 1, 3);
        assert_eq!(o.count(), 5 + 10 + 10);
        let all: Vec<_> = o.iter().collect();
        for (k, c) in all.iter().enumerate() {
            assert_eq!(o.index_of(c), Some(k as u64));
        }
        assert_eq!(o.weight(), 1);
        assert_eq!(o.index_of(&Choice::Subset(Words::from_slice(&[0b100]))), None);
    }

    #[test]
    fn subsets_are_drawn_evenly() {
        let o = subsets(0b1_1110, 0, 2);
        let mut seen = [0u32; 11];
        let mut rng = Stream::new(5, 0);
        for _ in 0..11_000 {
            seen[o.index_of(&o.draw(&mut rng).unwrap()).unwrap() as usize] += 1;
        }
        assert!(seen.iter().all(|n| (850..1150).contains(n)), "{seen:?}");
    }

    #[test]
    fn huge_numbers_of_subsets_saturate_and_can_still_be_drawn() {
        let mut o = Options { words: vec![u64::MAX; 4], ..Options::default() };
        o.push(What::Subset, 0, 0, Last::Subset(Subsets::all(0, 4, 0, 256)));
        assert_eq!(o.count(), u64::MAX);
        let mut rng = Stream::new(5, 0);
        let c = o.draw(&mut rng).unwrap();
        assert!(o.index_of(&c).is_some());
    }
}
