//! A run of games: made ready by one job, then played in blocks, each a job of its own, so that figures are there from the first game on.
use crate::canvas::Signs;
use crate::document::{Revision, Subject};
use crate::jobs::{Failed, Job, Jobs};
use crate::panels::play::tiles::{Players, make_tiles, player_colors};
use crate::play::{Board, Sitter};
use houserule::lab::figures::Figures;
use houserule::lab::retrace::replay_first_game;
use houserule::lab::simulate::{SimError, Simulation, SimulationPlan};
use houserule::play::{Game, Match};
use houserule::text::Files;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::heat::HeatMap;
use egui::Color32;

/// A run that can begin.
pub(super) struct Prepared {
    simulation: Simulation,
    files: Files,
    subject: Subject,
    revision: Revision,
    title: String,
    maps: Vec<HeatMap>,
    colors: Vec<Color32>,
}

impl Prepared {
    /// Makes it ready; what is wrong comes back in words.
    pub fn new(
        game: &Game,
        files: Files,
        plan: &SimulationPlan,
        subject: Subject,
        revision: Revision,
        title: String,
    ) -> Result<Prepared, Vec<String>> {
        let told = |e: SimError| match e {
            SimError::Setup(report) => report
                .findings
                .iter()
                .map(|d| format!("{}: {}", game.files().place(d.at.span), d.message))
                .collect(),
            SimError::Policy(name) => vec![format!("There is no bot {name}")],
        };
        let simulation = Simulation::new(game, plan).map_err(told)?;
        // The maps as they are at the beginning; a game that fails before that has none to show.
        let (maps, colors) = match game.start(&plan.setup) {
            Ok(mut m) => draw_maps(&mut m),
            Err(_) => (Vec::new(), Vec::new()),
        };
        Ok(Prepared { simulation, files, subject, revision, title, maps, colors })
    }
}

/// The maps of a match, and the colours of its players.
fn draw_maps(m: &mut Match) -> (Vec<HeatMap>, Vec<Color32>) {
    let board = Board::from_match(m, 0, None);
    let players: Vec<String> = (0..m.player_count()).map(|i| m.player_name(i)).collect();
    let colors = player_colors(&board);
    let faces = board.players.iter().map(|p| &p.face).collect();
    let drawn = Players { names: &players, colors: &colors, faces };
    let signs = Signs::from_looks(&board.signs);
    // Spaces are counted map after map, by number.
    let mut first = 0;
    let program = m.program().clone();
    let mut maps = Vec::new();
    for (map, slot) in board.maps.iter().zip(&program.maps) {
        let tiles = make_tiles(map, &drawn, &signs);
        maps.push(HeatMap::new(map, tiles, first, &slot.at));
        first += slot.at.len();
    }
    (maps, colors)
}

/// A run with what came of it so far.
#[derive(Clone)]
pub(super) struct Run {
    /// Tells runs apart.
    pub id: u64,
    /// Made ready once, used by every block.
    pub simulation: Arc<Simulation>,
    /// The texts that it is of, as they were then.
    pub files: Files,
    pub subject: Subject,
    pub revision: Revision,
    /// The game's name.
    pub name: String,
    /// What is played, in words.
    pub title: String,
    /// Its maps, for the visits.
    pub maps: Arc<Vec<HeatMap>>,
    /// The colours of its players.
    pub colors: Vec<Color32>,
    /// What came of the games so far.
    pub figures: Figures,
    /// How many games are to be played.
    pub total: u64,
    /// Whether it was stopped before that.
    pub stopped: bool,
}

impl Run {
    pub fn new(prepared: Prepared, id: u64) -> Run {
        let Prepared { simulation, files, subject, revision, title, maps, colors } = prepared;
        Run {
            id,
            name: simulation.game().name().to_string(),
            total: simulation.plan().games,
            simulation: Arc::new(simulation),
            files,
            subject,
            revision,
            title,
            maps: Arc::new(maps),
            colors,
            figures: Figures::default(),
            stopped: false,
        }
    }
}

/// The blocks of a run on their way.
pub(super) struct Running {
    block: Job<Figures>,
    /// The game that comes after the block.
    next: u64,
    /// How many games the block has, and when it was begun.
    games: u64,
    began: Duration,
    /// Games that the block has ended.
    done: Arc<AtomicU64>,
}

/// What came of looking after the blocks.
pub(super) enum Polled {
    /// A block is being played.
    Nothing,
    /// Blocks have come in; more are to come.
    Block,
    /// All games are played.
    Done,
    /// A block broke off.
    Failed(Failed),
}

/// A block is made so large that it takes about this long.
const BLOCK_TIME: Duration = Duration::from_millis(150);

/// The largest block.
const LARGEST: u64 = 1 << 14;

/// Blocks that are taken in one frame, if they are there at once.
const AT_ONCE: usize = 4;

impl Running {
    /// Begins with one game, so that something is shown at once.
    pub fn start(run: &Run, jobs: &Jobs) -> Running {
        Running::play_block(run, jobs, 0, 1)
    }

    fn play_block(run: &Run, jobs: &Jobs, first: u64, games: u64) -> Running {
        let done = Arc::new(AtomicU64::new(0));
        let (counted, simulation) = (done.clone(), run.simulation.clone());
        let next = first.saturating_add(games).min(run.total);
        let block = jobs.start("Playing the games", move |stop| {
            let games = simulation.play(first..next, stop.flag(), &counted);
            Figures::from_games(&simulation.summarize(games), simulation.plan().setup.seed)
        });
        Running { block, next, games: next.saturating_sub(first), began: jobs.now(), done }
    }

    /// Takes blocks that have ended, and begins the next.
    pub fn poll(&mut self, run: &mut Run, jobs: &Jobs) -> Polled {
        let mut polled = Polled::Nothing;
        for _ in 0..AT_ONCE {
            match self.block.poll() {
                None => return polled,
                Some(Err(failed)) => return Polled::Failed(failed),
                Some(Ok(figures)) => run.figures.merge(figures),
            }
            if self.next >= run.total {
                return Polled::Done;
            }
            *self = Running::play_block(run, jobs, self.next, next_size(self.games, jobs.now() - self.began));
            polled = Polled::Block;
        }
        polled
    }

    /// How many games of the block on its way have ended.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }
}

/// How large the next block is, by how long the last one took.
fn next_size(games: u64, took: Duration) -> u64 {
    let wanted = BLOCK_TIME.as_micros() as u64;
    let took = (took.as_micros() as u64).max(1);
    // Grows at most fourfold: one quick game says little of the next.
    (games.saturating_mul(wanted) / took).clamp(1, games.saturating_mul(4)).min(LARGEST)
}

/// Plays one game of a simulation again: the match at its end, or before the choice that failed, and what it is in words.
pub(super) fn replay_game(simulation: &Simulation, game: u64, told: &str) -> Result<(Match, String), String> {
    let plan = SimulationPlan { first: game, games: 1, uses: false, ..simulation.plan().clone() };
    let again = replay_first_game(simulation.game(), &plan)
        .map_err(|_| String::from("The game cannot be set up again"))?;
    let Some(m) = again.game else {
        return Err(format!("Game {game} fails before the first choice: there is nothing to look at"));
    };
    let choices = m.steps().len();
    let told = match again.failing {
        Some((player, words)) => {
            format!("Game {game}, {told}: it fails where {player} chooses {words}")
        }
        None => format!("Game {game}, {told}, at its end after {choices} choices: Alt+, goes back"),
    };
    Ok((m, told))
}

/// Who sat at a seat, by the word of the simulation.
pub(super) fn sitter_of(word: &str) -> Sitter {
    Sitter::from_word(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_grow_with_quick_games_and_shrink_with_slow_ones() {
        let ms = Duration::from_millis;
        assert_eq!(next_size(1, ms(0)), 4);
        assert_eq!(next_size(4, ms(1)), 16);
        assert_eq!(next_size(1, ms(5000)), 1);
        assert_eq!(next_size(100, ms(600)), 25);
        assert_eq!(next_size(LARGEST, ms(1)), LARGEST);
    }
}
