//! What a comparison of two runs of the same seeds tells who balances a game: things that nobody uses any more, things whose users win too often, and the
//! pairs of games that differ most.
use super::compare::pair_games;
use super::figures::{ENOUGH, Figures};

/// Who uses something dominant wins at least so much more often than players do on the average.
const DOMINANT: f64 = 0.1;

/// What became of something that can be used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Standing {
    /// It was used before and is not used now, in no game.
    Dead,
    /// It was not used before and is used now.
    New,
    /// Its users win clearly more often than players do on the average, by ten points at least, and did not before.
    Dominant,
}

/// What is dead, new or dominant now, by name. Differences that so few games may show by chance are left out.
pub fn list_standings(now: &Figures, before: &Figures) -> Vec<(String, Standing)> {
    if now.games.min(before.games) < ENOUGH {
        return Vec::new();
    }
    let names = now.uses.keys().chain(before.uses.keys().filter(|n| !now.uses.contains_key(*n)));
    let standing = |name: &String| {
        let (used, was_used) = (now.share_used(name), before.share_used(name));
        if used.count == 0 && used.interval().1 < was_used.interval().0 {
            return Some(Standing::Dead);
        }
        if was_used.count == 0 && was_used.interval().1 < used.interval().0 {
            return Some(Standing::New);
        }
        (is_dominant(now, name) && !is_dominant(before, name)).then_some(Standing::Dominant)
    };
    let mut out: Vec<(String, Standing)> = names.filter_map(|n| Some((n.clone(), standing(n)?))).collect();
    out.sort();
    out
}

fn is_dominant(figures: &Figures, name: &str) -> bool {
    let Some(used) = figures.uses.get(name) else { return false };
    let (won, all) = (used.share_won(), figures.share_won());
    won.of >= ENOUGH && won.interval().0 > all.value() + DOMINANT
}

/// A pair of games of one number that differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnlikePair {
    /// Their number.
    pub game: u64,
    /// The players who won one of the two and not the other, as bits.
    pub winners: u32,
    /// By how much the players' scores differ, all added.
    pub scores: u64,
    /// By how many choices the lengths differ.
    pub length: u64,
}

/// The pairs that differ most: first by who wins, then by scores, then by length.
pub fn list_unlike_pairs(now: &Figures, before: &Figures, most: usize) -> Vec<UnlikePair> {
    let pair = |(a, b): (&super::figures::GameLine, &super::figures::GameLine)| UnlikePair {
        game: a.game,
        winners: a.lots[0] ^ b.lots[0],
        scores: a.scores.iter().zip(&b.scores).map(|(x, y)| x.abs_diff(*y)).sum(),
        length: a.choices.abs_diff(b.choices),
    };
    let mut all: Vec<UnlikePair> = pair_games(now, before).into_iter().map(pair).collect();
    all.retain(|p| p.winners != 0 || p.scores > 0 || p.length > 0);
    all.sort_by_key(|p| {
        std::cmp::Reverse((p.winners.count_ones(), p.scores, p.length, std::cmp::Reverse(p.game)))
    });
    all.truncate(most);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::GameLine;

    fn figures(lines: &[(u64, u32, &[i64], u64)]) -> Figures {
        let line = |(game, won, scores, choices): &(u64, u32, &[i64], u64)| GameLine {
            game: *game,
            finished: true,
            choices: *choices,
            lots: [*won, 0, 0],
            scores: (*scores).into(),
        };
        Figures { lines: lines.iter().map(line).collect(), ..Figures::default() }
    }

    #[test]
    fn pairs_with_other_winners_come_first() {
        let before =
            figures(&[(0, 1, &[3, 1], 20), (1, 1, &[9, 0], 20), (2, 2, &[1, 2], 20), (3, 1, &[2, 1], 20)]);
        let now =
            figures(&[(0, 1, &[3, 1], 20), (1, 1, &[0, 0], 90), (2, 1, &[2, 1], 20), (3, 1, &[2, 1], 25)]);
        let games: Vec<u64> = list_unlike_pairs(&now, &before, 9).iter().map(|p| p.game).collect();
        assert_eq!(games, [2, 1, 3]);
        assert_eq!(
            list_unlike_pairs(&now, &before, 1)[0],
            UnlikePair { game: 2, winners: 3, scores: 2, length: 0 }
        );
    }
}
