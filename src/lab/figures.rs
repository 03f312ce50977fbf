//! Figures of a simulation that grow with each block of games: outcomes, lengths, scores, uses, visits of spaces. Each number knows some of the games that it
//! counts, so that one of them can be looked at.
//!
//! ```text
//! Simulation::play(block) ─▶ GameRecords ─▶ Figures::from_games ─▶ Figures::merge ─▶ compare.rs: the differences of two runs
//! ```
use super::game_records::{GameRecord, GameRecords, Visits};
use super::simulate::Summary;
use super::stats::{Share, Spread};
use houserule_engine::Verdict;
use houserule_text::Diagnostic;
use std::collections::BTreeMap;

/// Fewer games than these say nothing for sure.
pub const ENOUGH: u64 = 30;

/// So many of the games that a number counts are kept.
const KEPT: usize = 20;

/// How many games a number counts, and the first of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sample {
    /// How many.
    pub count: u64,
    /// The numbers of the first ones.
    pub games: Vec<u64>,
}

impl Sample {
    fn add(&mut self, game: u64) {
        self.count += 1;
        if self.games.len() < KEPT && self.games.last() != Some(&game) {
            self.games.push(game);
        }
    }

    fn merge(&mut self, other: Sample) {
        self.count += other.count;
        let room = KEPT.saturating_sub(self.games.len());
        self.games.extend(other.games.into_iter().take(room));
    }
}

/// The greatest number so far, with the first game that had it; none before there is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Record(pub Option<(i64, u64)>);

impl Record {
    fn add(&mut self, x: i64, game: u64) {
        if self.0.is_none_or(|(most, _)| x > most) {
            self.0 = Some((x, game));
        }
    }

    /// Adds that of later games.
    fn merge(&mut self, other: Record) {
        if let Some((x, game)) = other.0 {
            self.add(x, game);
        }
    }

    /// The game.
    pub fn game(self) -> Option<u64> {
        self.0.map(|(_, game)| game)
    }
}

/// The result of a player in a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Lot {
    /// The player has won.
    Won,
    /// The player has lost.
    Lost,
    /// The player has tied.
    Tied,
}

impl Lot {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Lot; 3] = [Lot::Won, Lot::Lost, Lot::Tied];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Lot::Won => "won",
            Lot::Lost => "lost",
            Lot::Tied => "tied",
        }
    }
}

impl From<Verdict> for Lot {
    fn from(v: Verdict) -> Lot {
        match v {
            Verdict::Won => Lot::Won,
            Verdict::Lost => Lot::Lost,
            Verdict::Tied => Lot::Tied,
        }
    }
}

/// The figures of a player.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayerFigures {
    /// The player's name.
    pub name: String,
    /// The policy of the first seat that answers for the player; empty if nobody does.
    pub policy: String,
    /// Whether anybody answers for the player.
    pub playing: bool,
    /// Games by the player's lot, in the order of [`Lot::ALL`].
    lots: [Sample; 3],
    /// The player's deciding numbers.
    pub scores: Spread,
    /// The first game with the highest of them.
    pub highest: Record,
    /// The first game with the lowest, as a number that is negated.
    lowest: Record,
}

impl PlayerFigures {
    /// The games with this lot.
    pub fn games_with(&self, lot: Lot) -> &Sample {
        &self.lots[lot as usize]
    }

    /// The first game with the player's lowest score.
    pub fn lowest_game(&self) -> Option<u64> {
        self.lowest.game()
    }
}

/// The figures of an action, a rule or a card.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UseFigures {
    /// The games in which it was used.
    pub games: Sample,
    /// How often it was used in these games.
    times: Spread,
    /// The game in which it was used most.
    pub most: Record,
    /// The finished games in which a player who used it won; such a game counts once for each of these players.
    pub won: Sample,
    /// Those in which a player who used it did not win.
    pub not_won: Sample,
}

impl UseFigures {
    /// How often players who used it won.
    pub fn share_won(&self) -> Share {
        Share { count: self.won.count, of: self.won.count + self.not_won.count }
    }

    /// How often it was used in a game, over so many games.
    pub fn times(&self, games: u64) -> Spread {
        let mut all = self.times;
        all.add_many(0, games.saturating_sub(self.games.count));
        all
    }
}

/// A rule error, or another reason why games were not finished.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnfinishedFigures {
    /// Why, in words.
    pub why: String,
    /// The rule error, if it is one.
    pub fault: Option<Box<Diagnostic>>,
    /// The games.
    pub games: Sample,
}

/// What is kept of every game, to compare it with the same game of another run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GameLine {
    pub game: u64,
    pub finished: bool,
    pub choices: u64,
    /// By lot, in the order of [`Lot::ALL`]: the players, as bits.
    pub lots: [u32; 3],
    /// Scores by player; empty where there are none.
    pub scores: Box<[i64]>,
}

/// Figures of games of one simulation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// The seed of the simulation.
    pub seed: u64,
    /// Games played.
    pub games: u64,
    /// Games finished.
    pub finished: u64,
    /// The players.
    pub players: Vec<PlayerFigures>,
    /// Finished games by their number of choices.
    pub lengths: BTreeMap<u64, Sample>,
    /// The numbers of choices of finished games.
    pub length: Spread,
    /// By name: `action place`, `card guard`.
    pub uses: BTreeMap<String, UseFigures>,
    /// How often choices named each space, map after map.
    pub visits: Vec<Visits>,
    /// Why games were not finished.
    pub unfinished: Vec<UnfinishedFigures>,
    pub(super) lines: Vec<GameLine>,
}

impl Figures {
    /// The figures of the games of a summary; `seed` is the simulation's.
    pub fn from_games(summary: &Summary, seed: u64) -> Figures {
        let players = summary.players.iter().enumerate().map(|(i, name)| PlayerFigures {
            name: name.clone(),
            policy: summary.policies.get(i).cloned().unwrap_or_default(),
            playing: summary.playing.get(i).copied().unwrap_or(false),
            ..PlayerFigures::default()
        });
        let mut out = Figures { seed, players: players.collect(), ..Figures::default() };
        out.count_games(&summary.games, &summary.use_names);
        out
    }

    fn count_games(&mut self, games: &GameRecords, use_names: &[String]) {
        let mut uses = vec![UseFigures::default(); use_names.len()];
        for g in games.iter() {
            self.games += 1;
            let mut lots = [0u32; 3];
            match g.unfinished {
                Some(why) => self.note_unfinished(why, &g),
                None => {
                    self.finished += 1;
                    self.length.add(g.choices as i64);
                    self.lengths.entry(g.choices).or_default().add(g.game);
                    for (i, player) in self.players.iter_mut().enumerate() {
                        let Some(lot) = g.verdicts.get(i).map(|v| Lot::from(*v)) else { continue };
                        player.lots[lot as usize].add(g.game);
                        lots[lot as usize] |= 1u32.checked_shl(i as u32).unwrap_or(0);
                    }
                    for (player, score) in self.players.iter_mut().zip(g.scores) {
                        player.scores.add(*score);
                        player.highest.add(*score, g.game);
                        player.lowest.add(score.saturating_neg(), g.game);
                    }
                }
            }
            for ((name, times), users) in g.uses.iter().zip(g.users) {
                let Some(u) = uses.get_mut(*name as usize) else { continue };
                u.games.add(g.game);
                u.times.add(i64::from(*times));
                u.most.add(i64::from(*times), g.game);
                if g.unfinished.is_none() {
                    let won = users & lots[Lot::Won as usize];
                    (0..won.count_ones()).for_each(|_| u.won.add(g.game));
                    (0..(users & !won).count_ones()).for_each(|_| u.not_won.add(g.game));
                }
            }
            self.lines.push(GameLine {
                game: g.game,
                finished: g.unfinished.is_none(),
                choices: g.choices,
                lots,
                scores: g.scores.into(),
            });
        }
        let used = use_names.iter().cloned().zip(uses).filter(|(_, u)| u.games.count > 0);
        self.uses.extend(used);
        self.visits = games.visits().to_vec();
    }

    fn note_unfinished(&mut self, why: &str, g: &GameRecord<'_>) {
        let same = |u: &&mut UnfinishedFigures| {
            u.why == why && u.fault.as_ref().map(|f| f.at.span) == g.fault.map(|f| f.at.span)
        };
        if let Some(known) = self.unfinished.iter_mut().find(same) {
            return known.games.add(g.game);
        }
        let mut games = Sample::default();
        games.add(g.game);
        let fault = g.fault.map(|f| Box::new(f.clone()));
        self.unfinished.push(UnfinishedFigures { why: why.to_string(), fault, games });
    }

    /// Adds the figures of later games of the same simulation.
    pub fn merge(&mut self, other: Figures) {
        if self.players.is_empty() {
            *self = other;
            return;
        }
        self.games += other.games;
        self.finished += other.finished;
        self.length.merge(&other.length);
        for (player, new) in self.players.iter_mut().zip(other.players) {
            player.lots.iter_mut().zip(new.lots).for_each(|(own, new)| own.merge(new));
            player.scores.merge(&new.scores);
            player.highest.merge(new.highest);
            player.lowest.merge(new.lowest);
        }
        for (choices, sample) in other.lengths {
            self.lengths.entry(choices).or_default().merge(sample);
        }
        for (name, new) in other.uses {
            let own = self.uses.entry(name).or_default();
            own.games.merge(new.games);
            own.times.merge(&new.times);
            own.most.merge(new.most);
            own.won.merge(new.won);
            own.not_won.merge(new.not_won);
        }
        if self.visits.len() < other.visits.len() {
            self.visits.resize(other.visits.len(), Visits::default());
        }
        self.visits.iter_mut().zip(other.visits).for_each(|(own, new)| own.merge(new));
        for new in other.unfinished {
            let span = |u: &UnfinishedFigures| u.fault.as_ref().map(|f| f.at.span);
            match self.unfinished.iter_mut().find(|u| u.why == new.why && span(u) == span(&new)) {
                Some(own) => own.games.merge(new.games),
                None => self.unfinished.push(new),
            }
        }
        self.lines.extend(other.lines);
    }

    /// The share of finished games in which a player had that lot.
    pub fn share(&self, player: usize, lot: Lot) -> Share {
        let count = self.players.get(player).map_or(0, |p| p.games_with(lot).count);
        Share { count, of: self.finished }
    }

    /// How often a player wins who is any of those that play: what the win rates of uses are measured by.
    pub fn share_won(&self) -> Share {
        let playing = || self.players.iter().filter(|p| p.playing);
        let count = playing().map(|p| p.games_with(Lot::Won).count).sum();
        Share { count, of: self.finished * playing().count() as u64 }
    }

    /// The share of games in which something was used.
    pub fn share_used(&self, name: &str) -> Share {
        Share { count: self.uses.get(name).map_or(0, |u| u.games.count), of: self.games }
    }

    /// Finished games by length, in so many bars at most: the least and greatest length that a bar counts, and its games.
    pub fn length_bars(&self, most: u64) -> Vec<(u64, u64, Sample)> {
        let (Some((least, _)), Some((greatest, _))) =
            (self.lengths.first_key_value(), self.lengths.last_key_value())
        else {
            return Vec::new();
        };
        let width = (greatest - least + 1).div_ceil(most.max(1)).max(1);
        let bars = (greatest - least) / width + 1;
        let mut out: Vec<(u64, u64, Sample)> =
            (0..bars).map(|i| (least + i * width, least + (i + 1) * width - 1, Sample::default())).collect();
        for (choices, sample) in &self.lengths {
            if let Some((.., bar)) = out.get_mut(((choices - least) / width) as usize) {
                bar.merge(sample.clone());
            }
        }
        out
    }
}
