//! The states along a match. Every state is kept until there are too many; then every second one of the older half is dropped. A state that is not kept is computed again
//! from the nearest kept state before it.
use houserule_engine::State;

/// States by step: number 0 is the start, number n the state after n choices.
#[derive(Clone, Debug)]
pub struct Timeline {
    states: Vec<Option<State>>,
    kept: usize,
    cap: usize,
}

/// States kept at most unless said.
pub const STATES: usize = 1024;

impl Timeline {
    /// A time line that begins with a state and keeps at most `cap` (at least 4).
    pub fn new(start: State, cap: usize) -> Timeline {
        Timeline { states: vec![Some(start)], kept: 1, cap: cap.max(4) }
    }

    /// Forgets what comes after a step, and puts the next state there.
    pub fn push_state(&mut self, after: usize, state: State) {
        self.truncate(after + 1);
        self.states.resize(after + 1, None);
        self.states.push(Some(state));
        self.kept += 1;
        if self.kept > self.cap {
            self.thin_old();
        }
    }

    /// Forgets all but the first `n` states.
    pub fn truncate(&mut self, n: usize) {
        if n.max(1) < self.states.len() {
            self.states.truncate(n.max(1));
            self.kept = self.states.iter().flatten().count();
        }
    }

    /// The nearest kept state at a step or before it, with its step.
    pub fn nearest_before(&self, step: usize) -> Option<(usize, &State)> {
        let upto = self.states.get(..=step.min(self.states.len().saturating_sub(1)))?;
        upto.iter().enumerate().rev().find_map(|(i, s)| s.as_ref().map(|s| (i, s)))
    }

    /// How many states are kept.
    #[cfg(test)]
    pub fn kept_count(&self) -> usize {
        self.kept
    }

    fn thin_old(&mut self) {
        let kept: Vec<usize> =
            self.states.iter().enumerate().filter(|(_, s)| s.is_some()).map(|(i, _)| i).collect();
        // The first stays always: everything can be played again from it.
        for i in kept.iter().take(kept.len() / 2).skip(1).step_by(2) {
            if let Some(s) = self.states.get_mut(*i) {
                *s = None;
                self.kept -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_the_first_and_the_newest() {
        let mut t = Timeline::new(State::default(), 16);
        for i in 0..500 {
            t.push_state(i, State::default());
            assert!(t.kept_count() <= 16);
            assert_eq!(t.nearest_before(i + 1).map(|(k, _)| k), Some(i + 1), "the newest state is there");
            assert_eq!(t.nearest_before(0).map(|(k, _)| k), Some(0), "the first state is there");
            let near = t.nearest_before(i / 2).map(|(k, _)| k);
            assert!(near.is_some_and(|k| k <= i / 2));
        }
        t.push_state(7, State::default());
        assert_eq!(t.nearest_before(500).map(|(k, _)| k), Some(8), "what came after is forgotten");
    }
}
