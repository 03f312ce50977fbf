//! How a game ended.
use super::machine::Machine;
use crate::program::ir::{NONE, OutcomeSlot, Piece, VerdictCode};
use serde::Serialize;

/// A player's lot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Verdict {
    /// Won.
    Won,
    /// Lost.
    Lost,
    /// Tied.
    Tied,
}

/// How a game ended: made when it is over, kept until the state changes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Outcome {
    /// Each player's lot.
    pub verdicts: Vec<Verdict>,
    /// Each player's numbers, the deciding one first; empty if the game is not decided by numbers.
    pub scores: Vec<Vec<i64>>,
    /// What was said with the verdict, or the game's own score line; may be empty.
    pub text: String,
}

impl Machine {
    /// Works the outcome out; only called when the game is over.
    pub(super) fn work_out(&mut self, out: &mut Outcome) {
        let p = self.program.clone();
        let n = p.players as usize;
        out.verdicts.clear();
        out.scores.clear();
        out.text.clear();
        let funcs: &[_] = match &p.outcome {
            OutcomeSlot::Highest(f) | OutcomeSlot::Lowest(f) => std::slice::from_ref(f),
            OutcomeSlot::Ranking(fs) => fs,
            _ => &[],
        };
        let less = matches!(p.outcome, OutcomeSlot::Lowest(_));
        if !funcs.is_empty() {
            for player in 0..n {
                let mut row = Vec::new();
                for f in funcs {
                    let mut v = [NONE as u64];
                    // A score that fails counts as none, which is less than every number.
                    if self.eval(*f, &[player as u64], &mut v).is_err() {
                        v = [NONE as u64];
                    }
                    row.push(v[0] as i64);
                }
                out.scores.push(row);
            }
        }
        let given = &self.core.state.verdicts;
        if given.iter().any(Option::is_some) || out.scores.is_empty() {
            // Whoever has no verdict: loses if somebody won, else wins if somebody lost and alone is left, else ties.
            let won = given.contains(&Some(VerdictCode::Win));
            out.verdicts.extend((0..n).map(|i| match given.get(i).copied().flatten() {
                Some(VerdictCode::Win) => Verdict::Won,
                Some(VerdictCode::Lose) => Verdict::Lost,
                Some(VerdictCode::Tie) => Verdict::Tied,
                None if won => Verdict::Lost,
                None => Verdict::Tied,
            }));
        } else {
            let key =
                |row: &Vec<i64>| -> Vec<i64> { row.iter().map(|x| if less { -x } else { *x }).collect() };
            // Whom nobody answers for is in the way of nobody.
            let plays = |i: usize| p.answered.get(i).is_some_and(|seats| *seats != 0);
            let rows = || out.scores.iter().enumerate();
            let best = rows().filter(|(i, _)| plays(*i)).map(|(_, r)| key(r)).max().unwrap_or_default();
            let first = rows().filter(|(i, r)| plays(*i) && key(r) == best).count();
            let lot = |(i, r): (usize, &Vec<i64>)| match plays(i) && key(r) == best {
                true if first == 1 => Verdict::Won,
                true => Verdict::Tied,
                false => Verdict::Lost,
            };
            out.verdicts = rows().map(lot).collect();
        }
        self.verdict_text(&mut out.text);
        // Where all win together, how well they did is told beside it.
        let well = matches!(p.outcome, OutcomeSlot::Together) && out.verdicts.contains(&Verdict::Won);
        if let Some((points, line)) = p.score
            && (well || out.text.is_empty())
        {
            let line = self.fill(line, &[], None);
            let mut v = [NONE as u64];
            if well && self.eval(points, &[], &mut v).is_ok() {
                let gap = if out.text.is_empty() { "" } else { " " };
                out.text.push_str(&format!("{gap}Score {}: {line}", v[0] as i64));
            } else {
                out.text.push_str(&line);
            }
        }
    }

    /// What was said with the verdict, out of the registers that were kept.
    fn verdict_text(&self, out: &mut String) {
        let p = &self.program;
        let mut at = 0;
        let Some(t) = p.templates.get(self.core.state.head.verdict_text as usize) else { return };
        for piece in &t.parts {
            match piece {
                Piece::Literal(x) => out.push_str(x),
                Piece::Register(_, show) => {
                    let w = super::ops::width(p, *show);
                    let words = self.core.state.verdict_words.get(at..at + w).unwrap_or(&[]);
                    at += w;
                    out.push_str(&super::naming::value_text(self.look(), *show, words, None, true));
                }
                Piece::Func(..) => {}
            }
        }
    }
}
