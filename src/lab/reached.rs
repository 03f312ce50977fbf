//! Collects what games on code with coverage marks have reached: places in the rules, and components that came into play.
use houserule_engine::Machine;
use houserule_text::Span;
use std::collections::{BTreeMap, BTreeSet};

/// What was reached, and what was in play.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// Places in the rules that code can reach, and in how many tests and games it did.
    pub marks: BTreeMap<Span, u64>,
    /// Faces of components that lay somewhere outside their boxes, by their words.
    pub faces: BTreeSet<String>,
    /// Random games that were played.
    pub games: u64,
    /// Games that had no end.
    pub unfinished: u64,
    /// Why the first of these had none: its number among the games, and the words.
    pub why: Option<(u64, String)>,
}

impl Reached {
    /// Notes where a machine has been.
    pub fn note_places(&mut self, m: &Machine) {
        let covered: BTreeSet<Span> = m.covered().collect();
        let all: BTreeSet<Span> = m.program().marks.iter().copied().collect();
        for span in all {
            *self.marks.entry(span).or_default() += u64::from(covered.contains(&span));
        }
    }

    /// Notes what lies outside its box now.
    pub fn note_things(&mut self, m: &Machine) {
        let p = m.program();
        let look = m.look();
        for (ci, comps) in p.comps.iter().enumerate() {
            let Some(faces) = p.universes.get(comps.faces.index()) else { continue };
            for c in 0..comps.initial.len() {
                if look.place(ci, c).is_none_or(|at| at == usize::from(comps.boxed)) {
                    continue;
                }
                if let Some(thing) = look.face(ci, c).and_then(|f| faces.things.get(f))
                    && !self.faces.contains(&*thing.word)
                {
                    self.faces.insert(thing.word.to_string());
                }
            }
        }
    }

    /// Notes how a game ended: with an error, it counts as unfinished.
    pub(super) fn with_end(mut self, game: u64, how: Result<(), String>) -> Reached {
        if let Err(why) = how {
            self.unfinished = 1;
            self.why = Some((game, why));
        }
        self
    }

    /// All that either has.
    pub fn merge(mut self, other: Reached) -> Reached {
        for (span, n) in other.marks {
            *self.marks.entry(span).or_default() += n;
        }
        self.faces.extend(other.faces);
        self.games += other.games;
        self.unfinished += other.unfinished;
        self.why = [self.why.take(), other.why].into_iter().flatten().min();
        self
    }
}
