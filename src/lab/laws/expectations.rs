//! Compares the reference interpreter with the tests of a game: it must agree with what a test expects, and with what its statements do.
use super::random_match::Broken;
use super::reference::{Compared, Position, describe_stop};
use super::tables;
use crate::testing;
use houserule_engine::{Machine, State};
use houserule_model::hir::*;
use houserule_play::setup::resolve_setup;
use houserule_play::{Game, Setup};
use houserule_program::Resolved;
use houserule_program::ir::Program;
use houserule_reference::{Datum, Evaluator, Frame, Stop};
use houserule_text::Span;
use std::sync::Arc;

/// A test whose steps are compared.
struct Watched<'a> {
    game: &'a Game,
    set: Resolved,
    program: Arc<Program>,
    /// What the test has named.
    frame: Frame,
    out: Compared,
}

/// Every `expect` of a game's tests holds in code exactly if it holds in the reference, and every statement of a test leaves the same state.
pub fn compare_tests(game: &Game) -> Compared {
    let mut out = Compared::default();
    for (i, t) in game.model().tests.iter().enumerate() {
        let begin = |setup: &Setup, program: &Arc<Program>| {
            let set = resolve_setup(game.model(), setup).ok()?;
            Some(Watched {
                game,
                set,
                program: program.clone(),
                frame: Frame::default(),
                out: Compared::default(),
            })
        };
        let look = |w: &mut Watched<'_>, before: &State, m: &Machine, span: Span, held: bool| {
            w.check_step(&t.steps, before, m, span, held);
        };
        match testing::watch_test(game, i, begin, look) {
            Some(w) => out.add_counts(w.out),
            None => *out.unsupported.entry(String::from("tests that cannot be begun")).or_default() += 1,
        }
    }
    out
}

/// The step of that place.
fn step_at(steps: &[TestStep], span: Span) -> Option<&TestStep> {
    steps.iter().find_map(|s| match &s.kind {
        TestStepKind::For(_, _, b) | TestStepKind::Repeat(_, b) => step_at(b, span),
        TestStepKind::If(_, a, b) => step_at(a, span).or_else(|| step_at(b, span)),
        _ => (s.span == span).then_some(s),
    })
}

impl Watched<'_> {
    fn check_step(&mut self, steps: &[TestStep], before: &State, m: &Machine, span: Span, held: bool) {
        let Some(step) = step_at(steps, span) else { return };
        let done = match &step.kind {
            TestStepKind::Expect(e) => self.check_expectation(e, before, held),
            TestStepKind::Do(s) => self.check_statement(s, before, m, held),
            _ => return,
        };
        match done {
            Ok(None) => self.out.cases += 1,
            Ok(Some(what)) => {
                let place = self.game.files().place(span);
                let what = format!("{place}: {what}");
                self.out.broken.push(Broken::new(1, 0, what));
            }
            Err(what) => *self.out.unsupported.entry(what).or_default() += 1,
        }
    }

    fn check_expectation(&mut self, e: &Expr, before: &State, held: bool) -> Result<Option<String>, String> {
        let numbers = tables::number_game(self.game.model(), &self.set, &self.program);
        let world = tables::decode_world(&numbers, before).map_err(describe_stop)?;
        let there = match Evaluator::new(&numbers, world).eval(e, &mut self.frame.clone()) {
            Ok(Datum::Bool(b)) => b,
            Ok(_) | Err(Stop::Fails(_) | Stop::Nothing) => false,
            Err(stop) => return Err(describe_stop(stop)),
        };
        let said = |b: bool| if b { "holds" } else { "does not hold" };
        Ok((there != held)
            .then(|| format!("this {} in code, and {} in the reference", said(held), said(there))))
    }

    fn check_statement(
        &mut self,
        s: &Stmt,
        before: &State,
        m: &Machine,
        held: bool,
    ) -> Result<Option<String>, String> {
        if !before.rigged.is_empty() || !before.orders.is_empty() {
            return Err(String::from("effects: chance that a test orders"));
        }
        let numbers = tables::number_game(self.game.model(), &self.set, &self.program);
        let world = tables::decode_world(&numbers, before).map_err(describe_stop)?;
        let (phases, outer) = (world.phases.clone(), world.outer_turns.clone());
        let mut start = world.clone();
        start.phases.clear();
        start.outer_turns.clear();
        let mut actor = Evaluator::new(&numbers, start);
        let mut frame = self.frame.clone();
        let there = match actor.block(std::slice::from_ref(s), &mut frame) {
            Ok(()) | Err(Stop::RuleEnds) => "ends",
            Err(Stop::Asked) => "asks",
            Err(Stop::Over) => "ends the game",
            Err(Stop::Fails(_) | Stop::Nothing) => "fails",
            Err(stop) => return Err(format!("effects: {}", describe_stop(stop))),
        };
        self.frame = frame;
        let here = match held {
            false => "fails",
            true if m.is_over() && !before.head.over => "ends the game",
            // A game that waited before waits again behind the statement.
            true if m.is_waiting() && there == "asks" => "asks",
            true => "ends",
        };
        if here != there {
            return Ok(Some(format!("this {here} in code, and {there} in the reference")));
        }
        if here == "fails" {
            return Ok(None);
        }
        let after = tables::decode_world(&numbers, m.state()).map_err(describe_stop)?;
        let mut expected = actor.w;
        if here == "ends" {
            // What ran before runs on.
            expected.phases = phases;
            expected.outer_turns = if m.is_waiting() { outer } else { expected.outer_turns };
        }
        let position = Position { game: self.game, numbers: &numbers, world: &world };
        Ok(position.find_difference(after, expected, here != "ends"))
    }
}
