//! Replays one game of a simulation as a match that can be looked at, saved and continued.
use super::game_records::GameRecords;
use super::simulate::{SimError, SimulationPlan, Table, UseNames, prepare};
use houserule_play::{Game, Match, Setup};

/// A game of a simulation, played again.
pub struct Retraced {
    /// What came of it, the only one in here: the same as in the simulation.
    pub record: GameRecords,
    /// The match after the last choice that the rules took; `None` if they failed before anybody was asked.
    pub game: Option<Match>,
    /// The choice that brought a failure: the player's name, and the choice in words.
    pub failing: Option<(String, String)>,
}

/// Plays the first game of a plan again, choice by choice.
///
/// # Errors
/// See [`SimError`].
pub fn replay_first_game(game: &Game, plan: &SimulationPlan) -> Result<Retraced, SimError> {
    let (program, names) = prepare(game, plan)?;
    let use_names = UseNames::of(&program);
    let mut answers = Vec::new();
    let mut record = GameRecords::default();
    Table::new(game, &program, plan, &names, &use_names).play_game(
        plan.first,
        Some(&mut answers),
        &mut record,
    );
    let seed = record.first().map_or(0, |g| g.seed);
    let setup = Setup { seed, seats: names, ..plan.setup.clone() };
    let Ok(mut m) = game.start(&setup) else {
        return Ok(Retraced { record, game: None, failing: None });
    };
    let mut failing = None;
    for a in &answers {
        let player = m.questions().iter().find(|q| q.id == a.question).map(|q| q.player as usize);
        let said = m.choice_words(a.question, &a.choice);
        if m.choose(a.seat, a.question, &a.choice).is_err() {
            failing = player.zip(said.ok()).map(|(p, words)| (m.player_name(p), words));
            break;
        }
    }
    Ok(Retraced { record, game: Some(m), failing })
}
