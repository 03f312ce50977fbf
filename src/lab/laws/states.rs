//! Laws about states: clones, saves, undo, and the order of simultaneous answers.
use super::legacy::check_campaign;
use super::random_match::{
    Broken, Checked, LawLimits, RandomMatch, count_seats, first_difference, output_for,
};
use houserule_engine::{Choice, Machine};
use houserule_play::{Game, Match, Setup, UndoMode};

/// Checks that a clone equals its original, continues as the original does, and does not change it.
///
/// # Errors
/// The first difference.
pub fn check_clones(game: &Game, setup: &Setup, limits: LawLimits) -> Result<Checked, Broken> {
    let mut c = RandomMatch::new(game, setup, limits)?;
    let mut other = game.make_machine(c.machine.program().clone(), 0);
    let mut checked = Checked::default();
    while c.has_next() {
        let kept = c.machine.state().clone();
        if kept != *c.machine.state() {
            return Err(c.to_broken("a clone differs from its original"));
        }
        // A clone goes on for two choices: what it lacks may show only at the second.
        if checked.states % 2 == 0 {
            other.set_state(&kept);
        }
        let q = c.pick_question();
        let choice = c.draw_choice(q)?;
        if let Err(e) = other.choose(q, &choice) {
            return Err(c.to_broken(format!("a clone refuses what the original takes: {e:?}")));
        }
        if kept != *c.machine.state() {
            return Err(c.to_broken("the original has changed with its clone"));
        }
        c.take_choice(q, &choice)?;
        checked.states += 1;
        checked.cases += 1;
        if other.state() != c.machine.state() {
            let (its, own) = (format!("{:?}", other.state()), format!("{:?}", c.machine.state()));
            let told = first_difference(&its, &own);
            return Err(c.to_broken(format!("a clone goes on otherwise than its original: {told}")));
        }
    }
    Ok(checked)
}

/// A random match with its recorder.
fn play_random_match(game: &Game, setup: &Setup, limits: LawLimits) -> Result<Match, Broken> {
    let mut c = RandomMatch::new(game, setup, limits)?;
    let set = Setup { seed: limits.seed, ..setup.clone() };
    let mut m = game.start(&set).map_err(|r| c.to_broken(format!("{:?}", r.findings)))?;
    while c.has_next() {
        let q = c.pick_question();
        let choice = c.draw_choice(q)?;
        let Some(question) = c.machine.questions().get(q).copied() else { break };
        let seat = question.seats.trailing_zeros() as usize;
        m.choose(seat, question.id, &choice)
            .map_err(|e| c.to_broken(format!("the match refuses {choice:?}: {e}")))?;
        c.take_choice(q, &choice)?;
        if m.state() != c.machine.state() {
            return Err(c.to_broken("a match goes on otherwise than its machine"));
        }
    }
    Ok(m)
}

/// Checks that a saved match loads and replays to the same match, and saves the same text again; so does the campaign with a match that has ended.
///
/// # Errors
/// The first difference.
pub fn check_saves(game: &Game, setup: &Setup, limits: LawLimits) -> Result<Checked, Broken> {
    let mut m = play_random_match(game, setup, limits)?;
    let broken = |step: usize, what: String| Broken::new(limits.seed, step, what);
    let text = m.save();
    let mut loaded = Match::load(game, &text).map_err(|e| broken(0, format!("the save is refused: {e}")))?;
    if let Some(p) = loaded.parted {
        return Err(broken(p.step, format!("the replay parts: {p}")));
    }
    if loaded.game.state() != m.state() {
        return Err(broken(m.step(), String::from("the state is another after loading")));
    }
    if loaded.game.log(None) != m.log(None) {
        return Err(broken(m.step(), String::from("the log is another after loading")));
    }
    let again = loaded.game.save();
    if again != text {
        return Err(broken(
            m.step(),
            format!("the save is another after loading: {}", first_difference(&text, &again)),
        ));
    }
    check_campaign(game, &mut m).map_err(|what| broken(m.step(), what))?;
    Ok(Checked { cases: m.step() as u64, ..Checked::default() })
}

/// Checks that undo restores every state step by step, that redo does, and that any step can be reached directly.
///
/// # Errors
/// The first difference.
pub fn check_undo(game: &Game, setup: &Setup, limits: LawLimits) -> Result<Checked, Broken> {
    let mut m = play_random_match(game, setup, limits)?;
    let n = m.step();
    let broken = |step: usize, what: &str| Broken::new(limits.seed, step, what);
    let mut states = vec![m.state().clone()];
    let mut logs = vec![m.log(None)];
    while m.step() > 0 {
        m.undo(UndoMode::Free).map_err(|e| broken(m.step(), &e.to_string()))?;
        states.push(m.state().clone());
        logs.push(m.log(None));
    }
    states.reverse();
    logs.reverse();
    let fresh = RandomMatch::new(game, setup, limits)?;
    if states.first() != Some(fresh.machine.state()) {
        return Err(broken(0, "all taken back is not the beginning"));
    }
    for step in 1..=n {
        if !m.redo() {
            return Err(broken(step, "a choice cannot be taken again"));
        }
        if states.get(step) != Some(m.state()) || logs.get(step) != Some(&m.log(None)) {
            return Err(broken(step, "taken again it is another"));
        }
    }
    // There and back in great steps.
    for k in (0..=n).step_by(7).chain((0..=n).rev().step_by(11)) {
        if !m.at(k) || states.get(k) != Some(m.state()) {
            return Err(broken(k, "gone to directly it is another"));
        }
    }
    let fork = m.fork();
    if fork.state() != m.state() {
        return Err(broken(m.step(), "a fork is another"));
    }
    Ok(Checked { cases: 2 * n as u64, ..Checked::default() })
}

/// Checks that answers to simultaneous questions give every seat the same bytes in one order and in the reverse order.
///
/// # Errors
/// The first difference.
pub fn check_simultaneous(game: &Game, setup: &Setup, limits: LawLimits) -> Result<Checked, Broken> {
    let mut c = RandomMatch::new(game, setup, limits)?;
    let mut other = game.make_machine(c.machine.program().clone(), 0);
    let mut checked = Checked::default();
    while c.has_next() {
        let n = c.machine.questions().len();
        // What is done freely is done in the order in which it comes.
        if n > 1 && !c.machine.acts_freely() {
            let mut answers: Vec<(u8, Choice)> = Vec::new();
            for q in 0..n {
                let choice = c.draw_choice(q)?;
                if let Some(question) = c.machine.questions().get(q) {
                    answers.push((question.player, choice));
                }
            }
            other.set_state(c.machine.state());
            let mut forwards = game.make_machine(c.machine.program().clone(), 0);
            forwards.set_state(c.machine.state());
            let one = give_answers(&mut forwards, answers.iter());
            let two = give_answers(&mut other, answers.iter().rev());
            // Menus that wait for each other (`freely`) may close before all have answered; only what all could answer is compared.
            if one && two {
                checked.cases += 1;
                for seat in 0..count_seats(c.machine.program()) {
                    let a = output_for(&mut forwards, seat).map_err(|e| c.to_rule_error(e))?;
                    let b = output_for(&mut other, seat).map_err(|e| c.to_rule_error(e))?;
                    if a != b {
                        let what = first_difference(&a.to_text(), &b.to_text());
                        return Err(c.to_broken(format!(
                            "answers in another order change what seat {seat} sees: {what}"
                        )));
                    }
                }
                if forwards.state().draws() != other.state().draws() {
                    return Err(c.to_broken("answers in another order draw other random numbers"));
                }
            }
        }
        c.advance()?;
    }
    Ok(checked)
}

fn give_answers<'a>(m: &mut Machine, answers: impl Iterator<Item = &'a (u8, Choice)>) -> bool {
    for (player, choice) in answers {
        let Some(q) = m.questions().iter().position(|q| q.player == *player) else { return false };
        if m.choose(q, choice).is_err() {
            return false;
        }
    }
    true
}
