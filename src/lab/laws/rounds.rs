//! The law of whole matches: the set-up, rounds, turns and answers lead to the states that the reference interpreter gives when it plays the game from its beginning.
use super::random_match::{Broken, Checked, LawLimits, RandomMatch};
use super::reference::{Position, arguments_of, show_of};
use super::tables::{self, decode};
use houserule_engine::{Choice, QuestionKind};
use houserule_model::hir::ActionId;
use houserule_play::setup::resolve_setup;
use houserule_play::{Game, Setup};
use houserule_reference::{Answer, Datum, Evaluator, Numbers, Stop};

/// At each question of a random match, and at its end, the state is the one to which the reference comes with the same answers.
/// Matches are followed up to the first position at which several players are asked at once.
///
/// # Errors
/// The first difference.
pub fn check_rounds(game: &Game, setup: &Setup, limits: LawLimits) -> Result<Checked, Broken> {
    let mut a = RandomMatch::new(game, setup, limits)?;
    let set = resolve_setup(game.model(), &Setup { seed: limits.seed, ..setup.clone() })
        .map_err(|r| a.to_broken(format!("{:?}", r.findings)))?;
    let program = a.machine.program().clone();
    let numbers = tables::number_game(game.model(), &set, &program);
    let mut out = Checked::default();
    // Drawn maps are built before the set-up begins.
    let mut before = game.make_machine(program.clone(), limits.seed);
    before.start_bare().map_err(|f| a.to_broken(format!("the maps are not built: {f}")))?;
    let Ok(begin) = tables::decode_world(&numbers, before.state()) else {
        out.unsupported += 1;
        return Ok(out);
    };
    // Without a log the engine begins and ends turns in its quick way.
    a.machine.record(false);
    let mut reference = Evaluator::new(&numbers, begin.clone());
    let mut here = Vec::new();
    while a.machine.is_over() || a.machine.questions().len() == 1 {
        let Ok(world) = tables::decode_world(&numbers, a.machine.state()) else { break };
        here.push(world);
        if !a.has_next() {
            break;
        }
        let kind = a.machine.questions()[0].kind;
        let choice = a.draw_choice(0)?;
        let Some(answer) = read_answer(game, &numbers, kind, &choice) else { break };
        a.take_choice(0, &choice)?;
        reference.answers.push_back(answer);
    }
    if here.is_empty() {
        out.unsupported += 1;
        return Ok(out);
    }
    // The last answer may lead to where the match is not followed.
    reference.answers.truncate(here.len() - 1);
    let stop = reference.play();
    let mut there = std::mem::take(&mut reference.answered);
    let mut broken = None;
    match stop {
        Err(Stop::Asked | Stop::Over) => {
            there.push(reference.w.clone());
            let ends = (here.len(), there.len());
            broken = (ends.0 != ends.1).then(|| format!("{} questions, in the reference {}", ends.0, ends.1));
        }
        Err(Stop::Unsupported(_)) => out.unsupported += 1,
        stop => broken = Some(format!("in the reference the match comes to {stop:?}")),
    }
    let position = Position { game, numbers: &numbers, world: &begin };
    let at = |step: usize, what: String| Broken::new(limits.seed, step, what);
    let steps = there.len();
    for (step, (here, there)) in here.into_iter().zip(there).enumerate() {
        out.cases += 1;
        out.states += 1;
        let asks = !here.over;
        if let Some(what) = position.find_difference(here, there, asks) {
            return Err(at(step, format!("the match comes to {what}")));
        }
    }
    broken.map_or(Ok(out), |what| Err(at(steps, what)))
}

/// A choice of the engine as the reference takes it, if it can.
fn read_answer(game: &Game, n: &Numbers<'_>, kind: QuestionKind, choice: &Choice) -> Option<Answer> {
    let universe = match kind {
        QuestionKind::One(_, u) | QuestionKind::Subset(_, u) => Some(u),
        QuestionKind::Menu(_) | QuestionKind::Truth(_) => None,
    };
    Some(match choice {
        Choice::Done | Choice::Pass => Answer::Leaves,
        Choice::Action { action, params } => {
            let slot = n.p.actions.get(action.index())?;
            let span = n.p.decls[slot.decl.index()].span;
            let id = game.model().actions.iter().position(|a| a.span == span)?;
            Answer::Takes(ActionId(id as u32), arguments_of(n, *action, params).ok()?)
        }
        Choice::One(word) => Answer::Gives(decode(n, &[*word as u64], show_of(n.p, universe?)).ok()?),
        Choice::Subset(words) => {
            Answer::Gives(decode(n, words, houserule_program::ir::Show::Set(universe?)).ok()?)
        }
        Choice::Truth(yes) => Answer::Gives(Datum::Bool(*yes)),
        Choice::NotDone | Choice::TimeUp => return None,
    })
}
