//! Many games by chance: who wins how often, how long games are, what is used. The same bytes for any number of threads: every game has its own seed, sums are whole
//! numbers, rows are in the games' order.
use super::playout::{End, Played, Watch, playout};
use super::stats::{Share, Spread, Uses};
use crate::bots::{self, Policy};
use crate::engine::{Stream, Verdict, mix};
use crate::play::{Game, Setup, fault_finding};
use crate::text::{Diagnostic, Report};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Stream of the seeds of games, and of the bots' own chance in each.
const SEEDS: u64 = 0x51a0;
const DRAWS: u64 = 0x51a1;

/// What is simulated.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The set-up; its seed is of the whole simulation.
    pub setup: Setup,
    /// How many games.
    pub games: u64,
    /// The policy of each seat by name; seats without one are random.
    pub seats: Vec<String>,
    /// How many threads; `None` is one a core.
    pub jobs: Option<usize>,
    /// What is counted.
    pub watch: Watch,
}

/// One game of a simulation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Row {
    /// Its number, from 0.
    pub game: u64,
    /// Its seed: `play --seed` begins the same game.
    pub seed: u64,
    /// Choices taken.
    pub choices: u64,
    /// Rounds begun.
    pub rounds: i32,
    /// Each player's lot; empty if the game was not finished.
    pub verdicts: Vec<&'static str>,
    /// Each player's deciding number, if the game is decided by numbers.
    pub scores: Vec<i64>,
    /// Why it was not finished.
    pub unfinished: Option<String>,
}

/// What came out.
#[derive(Clone, PartialEq, Debug)]
pub struct Simulation {
    /// Games that were played.
    pub games: u64,
    /// Games that were asked for.
    pub asked: u64,
    /// Each player's name.
    pub players: Vec<String>,
    /// How often each player won, tied, lost; of the finished games.
    pub won: Vec<Share>,
    /// See `won`.
    pub tied: Vec<Share>,
    /// See `won`.
    pub lost: Vec<Share>,
    /// Choices a game, of the finished games.
    pub choices: Spread,
    /// Rounds a game, of the finished games.
    pub rounds: Spread,
    /// Each player's deciding number, where the game is decided by numbers.
    pub scores: Vec<Spread>,
    /// Why games were not finished, and how many.
    pub unfinished: BTreeMap<String, u64>,
    /// What was used.
    pub uses: Uses,
    /// Game by game.
    pub rows: Vec<Row>,
    /// The first rule error, by number of game.
    pub fault: Option<(u64, Diagnostic)>,
}

/// Plays many games.
///
/// `stop` ends it early: games that are finished by then are kept. `progress` is told after each game how many are finished, from any thread.
///
/// # Errors
/// What is wrong with the set-up, or a policy that does not exist.
pub fn simulate(
    game: &Game,
    plan: &Plan,
    stop: &AtomicBool,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Simulation, Report> {
    let program = game.program(&plan.setup)?;
    let hooks = game.hooks(&program);
    let players: Vec<String> = (0..i64::from(program.players))
        .map(|i| crate::engine::thing_title(&program, program.player_universe, i))
        .collect();
    if let Some(word) = plan.seats.iter().find(|s| !bots::NAMES.contains(&s.as_str())) {
        let message = format!("there is no policy `{word}`; there are {}", bots::NAMES.join(", "));
        let d = Diagnostic::error(crate::play::codes::PLAYER_NAME, Default::default(), message);
        return Err(Report { findings: vec![d] });
    }
    let done = AtomicU64::new(0);
    let one = |i: u64| -> Option<(u64, u64, Played)> {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let seed = mix(plan.setup.seed, SEEDS, i);
        let mut policies: Vec<Option<Box<dyn Policy>>> = (0..program.seats as usize)
            .map(|s| match plan.seats.get(s).map(String::as_str) {
                // The uniform policy needs no bot: the playout draws itself, which is faster.
                None | Some("random") => None,
                Some(name) => bots::named(name, mix(seed, DRAWS, 1 + s as u64)),
            })
            .collect();
        let mut machine = game.machine(program.clone(), seed);
        let played = match machine.start() {
            Ok(()) => {
                let mut rng = Stream::new(seed, DRAWS);
                playout(&mut machine, hooks.as_ref(), &mut policies, &mut rng, plan.watch)
            }
            Err(f) => Played {
                choices: 0,
                rounds: 0,
                end: End::Fault(Box::new(fault_finding(&f, &program))),
                uses: BTreeMap::new(),
            },
        };
        progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        Some((i, seed, played))
    };
    // In blocks, so that what is kept at a time stays small and rows come in order.
    let mut out = Simulation::new(plan.games, players);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.jobs.unwrap_or(0)).build().ok();
    let mut from = 0;
    while from < plan.games && !stop.load(Ordering::Relaxed) {
        let to = plan.games.min(from + BLOCK);
        let block = || (from..to).into_par_iter().filter_map(one).collect::<Vec<_>>();
        let mut played = match &pool {
            Some(pool) => pool.install(block),
            None => (from..to).filter_map(one).collect(),
        };
        played.sort_by_key(|(i, ..)| *i);
        for (i, seed, p) in played {
            out.add(i, seed, p);
        }
        from = to;
    }
    Ok(out)
}

/// Games that are played before their figures are added up.
const BLOCK: u64 = 4096;

impl Simulation {
    fn new(asked: u64, players: Vec<String>) -> Simulation {
        let none = vec![Share { count: 0, of: 0 }; players.len()];
        Simulation {
            games: 0,
            asked,
            won: none.clone(),
            tied: none.clone(),
            lost: none,
            choices: Spread::default(),
            rounds: Spread::default(),
            scores: Vec::new(),
            unfinished: BTreeMap::new(),
            uses: Uses::default(),
            rows: Vec::new(),
            fault: None,
            players,
        }
    }

    fn add(&mut self, i: u64, seed: u64, p: Played) {
        self.games += 1;
        let mut row = Row {
            game: i,
            seed,
            choices: p.choices,
            rounds: p.rounds,
            verdicts: Vec::new(),
            scores: Vec::new(),
            unfinished: p.end.unfinished(),
        };
        match &p.end {
            End::Over(o) => {
                self.choices.add(i64::try_from(p.choices).unwrap_or(i64::MAX));
                self.rounds.add(i64::from(p.rounds));
                for (player, v) in o.verdicts.iter().enumerate() {
                    for (all, which) in [
                        (&mut self.won, Verdict::Won),
                        (&mut self.tied, Verdict::Tied),
                        (&mut self.lost, Verdict::Lost),
                    ] {
                        if let Some(s) = all.get_mut(player) {
                            s.of += 1;
                            s.count += u64::from(*v == which);
                        }
                    }
                    row.verdicts.push(super::testing::verdict_word(*v));
                }
                row.scores = o.scores.iter().filter_map(|s| s.first().copied()).collect();
                for (player, score) in row.scores.iter().enumerate() {
                    if self.scores.len() <= player {
                        self.scores.resize(player + 1, Spread::default());
                    }
                    if let Some(s) = self.scores.get_mut(player) {
                        s.add(*score);
                    }
                }
            }
            End::Fault(d) => {
                self.fault.get_or_insert_with(|| (i, (**d).clone()));
            }
            End::Capped | End::Broken(_) => {}
        }
        if let Some(why) = &row.unfinished {
            *self.unfinished.entry(why.clone()).or_default() += 1;
        }
        for (name, times) in &p.uses {
            self.uses.add_game(name, *times);
        }
        self.rows.push(row);
    }

    /// One line a game, for tables.
    pub fn csv(&self) -> String {
        let mut out = String::from("game,seed,choices,rounds");
        for p in &self.players {
            let _ = write!(out, ",{}", field(&format!("result {p}")));
        }
        for p in self.players.iter().take(self.scores.len()) {
            let _ = write!(out, ",{}", field(&format!("score {p}")));
        }
        out.push_str(",unfinished\n");
        for r in &self.rows {
            let _ = write!(out, "{},{},{},{}", r.game, r.seed, r.choices, r.rounds);
            for i in 0..self.players.len() {
                let _ = write!(out, ",{}", r.verdicts.get(i).unwrap_or(&""));
            }
            for i in 0..self.scores.len().min(self.players.len()) {
                let _ = write!(out, ",{}", r.scores.get(i).map_or_else(String::new, i64::to_string));
            }
            let _ = writeln!(out, ",{}", field(r.unfinished.as_deref().unwrap_or("")));
        }
        out
    }

    /// All figures, with their intervals, and the games.
    pub fn json(&self) -> String {
        let share = |s: &Share| {
            let (low, high) = s.interval();
            serde_json::json!({ "count": s.count, "of": s.of, "share": s.value(), "low": low, "high": high })
        };
        let spread = |s: &Spread| {
            serde_json::json!({
                "mean": s.mean(), "margin": s.margin(), "deviation": s.deviation(), "least": s.least(), "greatest": s.greatest()
            })
        };
        let players: Vec<serde_json::Value> = self
            .players
            .iter()
            .enumerate()
            .map(|(i, name)| {
                serde_json::json!({
                    "name": name,
                    "won": self.won.get(i).map(share),
                    "tied": self.tied.get(i).map(share),
                    "lost": self.lost.get(i).map(share),
                    "score": self.scores.get(i).map(spread),
                })
            })
            .collect();
        let uses: serde_json::Map<String, serde_json::Value> = self
            .uses
            .0
            .iter()
            .map(|(name, u)| (name.clone(), serde_json::json!({ "times": u.times, "games": u.games })))
            .collect();
        let whole = serde_json::json!({
            "version": 1,
            "games": self.games,
            "asked": self.asked,
            "players": players,
            "choices": spread(&self.choices),
            "rounds": spread(&self.rounds),
            "unfinished": self.unfinished,
            "uses": uses,
            "rows": self.rows,
        });
        serde_json::to_string_pretty(&whole).unwrap_or_default()
    }
}

/// A field of a table: in quotes where it must be.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Outcome;

    fn played(choices: u64, verdicts: &[Verdict]) -> Played {
        let end = if verdicts.is_empty() {
            End::Capped
        } else {
            End::Over(Outcome { verdicts: verdicts.to_vec(), scores: Vec::new(), text: String::new() })
        };
        Played { choices, rounds: 1, end, uses: BTreeMap::from([(String::from("action go"), choices)]) }
    }

    #[test]
    fn shares_are_of_the_finished_games() {
        let mut s = Simulation::new(3, vec!["A, the first".into(), "B".into()]);
        s.add(0, 7, played(5, &[Verdict::Won, Verdict::Lost]));
        s.add(1, 8, played(9, &[]));
        s.add(2, 9, played(7, &[Verdict::Tied, Verdict::Tied]));
        assert_eq!((s.won[0].count, s.won[0].of, s.tied[1].count, s.lost[1].count), (1, 2, 1, 1));
        assert_eq!((s.choices.count(), s.choices.mean()), (2, 6.0));
        assert_eq!(s.unfinished.get("too many choices"), Some(&1));
        assert_eq!(s.uses.0["action go"].times, 21);
        let csv = s.csv();
        assert!(
            csv.starts_with(
                "game,seed,choices,rounds,\"result A, the first\",result B,unfinished\n0,7,5,1,won,lost,\n"
            ),
            "{csv}"
        );
        assert!(csv.contains("1,8,9,1,,,too many choices\n"), "{csv}");
        let json: serde_json::Value = serde_json::from_str(&s.json()).unwrap();
        assert_eq!(json["players"][0]["won"]["of"], 2);
    }
}
