//! Compares the figures of two runs: of two texts of the rules, of a game with and without a mod or variant, of other bots. Where both runs played the same seeds,
//! each game is compared with the game of the same number, which takes most of chance out of the difference.
use super::figures::{ENOUGH, Figures, GameLine, Lot};
use super::stats::{Share, Spread, Z};
use std::collections::BTreeMap;

/// A difference with its 95 % interval: the new run less the one before.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// The difference.
    pub value: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
    /// The games that it is of: pairs, or the games of the run that has fewer.
    pub games: u64,
}

/// What a difference says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Too few games to say anything.
    TooFew,
    /// It is more now: the whole interval is above 0.
    More,
    /// It is less now: the whole interval is below 0.
    Less,
    /// It may be chance: the interval has 0 in it.
    Unsure,
}

impl Difference {
    /// What it says.
    pub fn change(&self) -> Change {
        if self.games < ENOUGH {
            Change::TooFew
        } else if self.low > 0.0 {
            Change::More
        } else if self.high < 0.0 {
            Change::Less
        } else {
            Change::Unsure
        }
    }

    /// Of two shares of different games (Newcombe's interval, made of both shares' own).
    pub fn of_shares(now: Share, before: Share) -> Difference {
        let (p, q) = (now.value(), before.value());
        let ((now_low, now_high), (before_low, before_high)) = (now.interval(), before.interval());
        let half = |a: f64, b: f64| (a * a + b * b).sqrt();
        Difference {
            value: p - q,
            low: p - q - half(p - now_low, before_high - q),
            high: p - q + half(now_high - p, q - before_low),
            games: now.of.min(before.of),
        }
    }

    /// Of two shares of pairs of games: in `more` of `n` pairs only the new game counts, in `fewer` only the one before. The interval holds about 95 of 100 times
    /// also for few pairs and where they seldom differ, unlike that of the mean of the differences.
    ///
    /// Source: Agresti and Min, *Simple improved confidence intervals for comparing matched proportions*, Statistics in Medicine 24 (2005), 729–740: a half is added
    /// to each of the four counts.
    pub fn of_paired_shares(more: u64, fewer: u64, n: u64) -> Difference {
        if n == 0 {
            return Difference { value: 0.0, low: -1.0, high: 1.0, games: 0 };
        }
        let (b, c, all) = (more as f64 + 0.5, fewer as f64 + 0.5, n as f64 + 2.0);
        let middle = (b - c) / all;
        let half = Z * ((b + c - (b - c).powi(2) / all).max(0.0)).sqrt() / all;
        let value = (more as f64 - fewer as f64) / n as f64;
        // Few pairs that all differ alike: the middle is drawn towards 0, the difference itself stays inside.
        let (low, high) = ((middle - half).clamp(-1.0, value), (middle + half).clamp(value, 1.0));
        Difference { value, low, high, games: n }
    }

    /// Of two means of different games.
    fn of_means(now: &Spread, before: &Spread) -> Difference {
        let value = now.mean() - before.mean();
        let margin = (now.margin().powi(2) + before.margin().powi(2)).sqrt();
        let games = now.count().min(before.count());
        Difference { value, low: value - margin, high: value + margin, games }
    }

    /// Of pairs: the mean of their differences.
    fn of_pairs(pairs: &Spread) -> Difference {
        let (value, margin) = (pairs.mean(), pairs.margin());
        Difference { value, low: value - margin, high: value + margin, games: pairs.count() }
    }
}

/// What changed for a player.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerChange {
    /// By lot, in the order of [`Lot::ALL`].
    lots: [Difference; 3],
    /// The deciding number, where both runs have some.
    pub score: Option<Difference>,
}

impl PlayerChange {
    /// The change of the share of games with that lot.
    pub fn of_lot(&self, lot: Lot) -> Difference {
        self.lots[lot as usize]
    }
}

/// What changed of the uses of something.
#[derive(Clone, PartialEq, Debug)]
pub struct UseChange {
    /// The share of games in which it was used.
    pub games: Difference,
    /// How often players who used it won.
    pub won: Difference,
}

/// The differences of two runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// How many games were compared with the game of the same seed; none if the runs have other seeds or players.
    pub pairs: Option<u64>,
    /// By player of the new run; none for players that the other run does not have.
    pub players: Vec<Option<PlayerChange>>,
    /// Choices a game.
    pub length: Difference,
    /// By name, of all that was used in either run.
    pub uses: BTreeMap<String, UseChange>,
}

/// Compares a run with one before it.
pub fn compare_runs(now: &Figures, before: &Figures) -> Comparison {
    let names = |f: &Figures| f.players.iter().map(|p| p.name.clone()).collect::<Vec<_>>();
    let paired = now.seed == before.seed && names(now) == names(before);
    let pairs: Vec<(&GameLine, &GameLine)> = if paired { pair_games(now, before) } else { Vec::new() };
    let paired = paired && !pairs.is_empty();
    let spread = |number: &dyn Fn(&GameLine) -> Option<i64>| {
        let mut out = Spread::default();
        pairs.iter().filter_map(|(a, b)| Some(number(a)? - number(b)?)).for_each(|x| out.add(x));
        out
    };
    let player_change = |i: usize| {
        let name = &now.players.get(i)?.name;
        let at = before.players.iter().position(|p| p.name == *name)?;
        let of_lot = |lot: Lot| match paired {
            true => {
                let had = |g: &GameLine| g.lots[lot as usize].checked_shr(i as u32).unwrap_or(0) & 1 == 1;
                let only = |now: bool| pairs.iter().filter(|(a, b)| (had(a), had(b)) == (now, !now)).count();
                Difference::of_paired_shares(only(true) as u64, only(false) as u64, pairs.len() as u64)
            }
            false => Difference::of_shares(now.share(i, lot), before.share(at, lot)),
        };
        let (a, b) = (now.players.get(i)?.scores, before.players.get(at)?.scores);
        let score = (a.count() > 0 && b.count() > 0).then(|| match paired {
            true => Difference::of_pairs(&spread(&|g| g.scores.get(i).copied())),
            false => Difference::of_means(&a, &b),
        });
        Some(PlayerChange { lots: Lot::ALL.map(of_lot), score })
    };
    let use_change = |name: &String| {
        let won = |f: &Figures| f.uses.get(name).map_or(Share { count: 0, of: 0 }, |u| u.share_won());
        UseChange {
            games: Difference::of_shares(now.share_used(name), before.share_used(name)),
            won: Difference::of_shares(won(now), won(before)),
        }
    };
    Comparison {
        pairs: paired.then_some(pairs.len() as u64),
        players: (0..now.players.len()).map(player_change).collect(),
        length: match paired {
            true => Difference::of_pairs(&spread(&|g| i64::try_from(g.choices).ok())),
            false => Difference::of_means(&now.length, &before.length),
        },
        uses: now.uses.keys().chain(before.uses.keys()).map(|n| (n.clone(), use_change(n))).collect(),
    }
}

/// Finished games of the same number.
pub(super) fn pair_games<'a>(now: &'a Figures, before: &'a Figures) -> Vec<(&'a GameLine, &'a GameLine)> {
    let mut rest = before.lines.iter().peekable();
    let mut out = Vec::new();
    for line in &now.lines {
        while rest.next_if(|other| other.game < line.game).is_some() {}
        if let Some(other) = rest.next_if(|other| other.game == line.game)
            && line.finished
            && other.finished
        {
            out.push((line, other));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newcombe_agrees_with_the_published_value() {
        // 56 of 70 less 48 of 80: 0.0524 to 0.3339 (Newcombe 1998, method 10).
        let d = Difference::of_shares(Share { count: 56, of: 70 }, Share { count: 48, of: 80 });
        assert!(
            (d.value - 0.2).abs() < 1e-9 && (d.low - 0.0524).abs() < 1e-4 && (d.high - 0.3339).abs() < 1e-4
        );
        assert_eq!((d.change(), d.games), (Change::More, 70));
        let d = Difference::of_shares(Share { count: 0, of: 29 }, Share { count: 80, of: 80 });
        assert_eq!(d.change(), Change::TooFew);
        let d = Difference::of_shares(Share { count: 40, of: 80 }, Share { count: 41, of: 80 });
        assert_eq!(d.change(), Change::Unsure);
    }

    #[test]
    fn pairs_that_all_differ_alike_are_sure() {
        let mut pairs = Spread::default();
        (0..40).for_each(|_| pairs.add(-1));
        let d = Difference::of_pairs(&pairs);
        assert_eq!((d.value, d.low, d.high, d.change()), (-1.0, -1.0, -1.0, Change::Less));
        assert_eq!(Difference::of_pairs(&Spread::default()).change(), Change::TooFew);
    }

    /// Pairs drawn with known shares: the interval must hold the true difference at least 94 of 100 times, and not by being as wide as it likes.
    #[test]
    fn intervals_of_pairs_hold_what_they_say() {
        let mut drawn = 0;
        // How often only the new game counts, how often only the one before.
        for (p, q) in [(0.1, 0.1), (0.02, 0.01), (0.3, 0.2), (0.5, 0.05), (0.005, 0.005)] {
            for n in [40u64, 100, 400] {
                let (runs, mut held, mut width) = (2000, 0, 0.0);
                for _ in 0..runs {
                    let (mut more, mut fewer) = (0, 0);
                    for _ in 0..n {
                        drawn += 1;
                        let x = houserule_engine::mix(5, 0, drawn) as f64 / u64::MAX as f64;
                        more += u64::from(x < p);
                        fewer += u64::from((p..p + q).contains(&x));
                    }
                    let d = Difference::of_paired_shares(more, fewer, n);
                    assert!(d.low <= d.value && d.value <= d.high);
                    held += u32::from(d.low <= p - q && p - q <= d.high);
                    width += d.high - d.low;
                }
                let share = f64::from(held) / f64::from(runs);
                assert!(share > 0.94, "{p} {q} {n}: {share}");
                // Where differences are rare any interval that holds is wide beside them.
                let ideal = 2.0 * Z * ((p + q - (p - q).powi(2)) / n as f64).sqrt();
                let width = width / f64::from(runs);
                assert!(width < 1.15 * ideal + 2.0 / n as f64, "{p} {q} {n}: {width} for {ideal}");
            }
        }
    }
}
