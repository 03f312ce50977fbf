//! The positions of a game's tests, for a rulebook that shows them as examples.
use super::testing::watch_test;
use houserule_engine::{State, View};
use houserule_model::hir::{Test, TestStepKind};
use houserule_play::Game;
use houserule_play::points::slanted_maps;
use houserule_program::ir::Program;
use std::sync::Arc;

/// A position of a test.
pub struct ExamplePosition {
    /// What a seat sees there.
    pub view: View,
    /// Which of its maps are drawn slanted.
    pub slanted: Vec<bool>,
}

/// Whether a test shows how to play: it has a choice, it expects something, and it is no longer than `longest` steps.
pub fn is_example(test: &Test, longest: usize) -> bool {
    let choice = |k: &TestStepKind| matches!(k, TestStepKind::Answer(..) | TestStepKind::Refuse(..));
    let asks = |k: &TestStepKind| {
        matches!(k, TestStepKind::Expect(_) | TestStepKind::ExpectOver(..) | TestStepKind::Refuse(..))
    };
    test.refused.is_none()
        && test.steps.len() <= longest
        && test.steps.iter().any(|s| choice(&s.kind))
        && test.steps.iter().any(|s| asks(&s.kind))
}

/// The position in which the first choice of a test is made, as the seat sees it that makes it. None: the test cannot be played up to there.
pub fn find_position(game: &Game, index: usize) -> Option<ExamplePosition> {
    let test = game.model().tests.get(index)?;
    let first = test
        .steps
        .iter()
        .find(|s| matches!(s.kind, TestStepKind::Answer(..) | TestStepKind::Refuse(..)))?
        .span;
    type Watched = (Arc<Program>, Option<State>);
    let begin = |_: &_, program: &Arc<Program>| Some((program.clone(), None));
    let (program, state): Watched = watch_test(game, index, begin, |w: &mut Watched, before, _, span, _| {
        if span == first && w.1.is_none() {
            w.1 = Some(before.clone());
        }
    })?;
    let mut machine = game.make_machine(program, 0);
    machine.set_state(&state?);
    let seat = machine.questions().first().map_or(0, |q| q.seats.trailing_zeros() as usize);
    let seats = machine.program().seats as usize;
    let view = machine.view(seat.min(seats.saturating_sub(1)));
    let slanted = slanted_maps(machine.program());
    Some(ExamplePosition { view, slanted })
}
