//! Describes in words how a game ended, and names piles: for the terminal and the editor.
use houserule_engine::{Outcome, Pile, Sheet, Verdict, View};

/// A line about how a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EndLine {
    /// About all of them, with what it says of winning.
    All(String, Option<Verdict>),
    /// About one side.
    Side {
        /// Whose side: player by player.
        players: Vec<usize>,
        /// `won`, `lost`, `tied`, with scores behind where there are some.
        how: String,
    },
}

/// How a game ended: one word for all where all share it, else a line for each side, the best first. Sides are teams where a sheet ranks them, else each player is one.
pub fn end_lines(view: &View, outcome: &Outcome, together: bool, sheets: &[Sheet]) -> Vec<EndLine> {
    let mut out = Vec::new();
    let text = (!outcome.text.is_empty()).then(|| EndLine::All(outcome.text.clone(), None));
    if together && let Some(first) = outcome.verdicts.first() {
        let word = match first {
            Verdict::Won => "You have won together.",
            Verdict::Lost => "You have lost together.",
            Verdict::Tied => "Nobody has won or lost.",
        };
        out.push(EndLine::All(String::from(word), Some(*first)));
        out.extend(text);
        return out;
    }
    out.extend(text);
    let ranked = sheets.iter().find(|s| s.ranking && !s.places.is_empty());
    let mut sides: Vec<Vec<usize>> = match ranked.filter(|s| !s.columns.is_empty()) {
        Some(sheet) => sheet.columns.clone(),
        None => (0..outcome.verdicts.len()).map(|i| vec![i]).collect(),
    };
    let first = |side: &[usize]| side.first().copied().unwrap_or(usize::MAX);
    sides.sort_by_key(|side| outcome.places.get(first(side)).copied().unwrap_or(0));
    for players in sides {
        let i = first(&players);
        let Some(verdict) = outcome.verdicts.get(i) else { continue };
        if view.answered.get(i).is_some_and(Vec::is_empty) {
            continue;
        }
        let word = match verdict {
            Verdict::Won => "won",
            Verdict::Lost => "lost",
            Verdict::Tied => "tied",
        };
        let scores =
            outcome.scores.get(i).map(|s| s.iter().map(i64::to_string).collect::<Vec<_>>().join(", "));
        let tail = scores.filter(|s| !s.is_empty()).map_or(String::new(), |s| format!(" ({s})"));
        let said = match outcome.texts.get(i).filter(|t| !t.is_empty() && **t != outcome.text) {
            Some(text) => format!(". {text}"),
            None => String::new(),
        };
        out.push(EndLine::Side { players, how: format!("{word}{tail}{said}") });
    }
    out
}

/// Names of players side by side.
pub fn player_names(view: &View, players: &[usize]) -> String {
    let name = |i: &usize| {
        view.players.get(*i).map_or_else(|| format!("player {}", i + 1), |p| p.name.title.to_string())
    };
    players.iter().map(name).collect::<Vec<_>>().join(" + ")
}

/// What a pile is called: its zone, with its index where it has one.
pub fn pile_name(pile: &Pile) -> String {
    let index = match (&pile.called, pile.index) {
        (Some(called), _) => format!(" {}", called.title),
        (None, Some(i)) => format!(" {i}"),
        (None, None) => String::new(),
    };
    format!("{}{index}", pile.zone.replace('_', " "))
}
