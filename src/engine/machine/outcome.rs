//! Computes how a game ended: verdicts, places, teams, score sheets.
use crate::data::outcome::{Cell, Outcome, Sheet, SheetRow, Verdict};
use crate::machine::game::Machine;
use houserule_program::ir::{
    FuncId, NONE, OutcomeSlot, Piece, Program, SheetLine, SheetSlot, TemplateIx, VerdictCode,
};

impl Machine {
    /// Computes the outcome of a game that is over.
    pub(crate) fn compute_outcome(&mut self, out: &mut Outcome) {
        let p = self.program.clone();
        let n = p.players as usize;
        out.verdicts.clear();
        out.scores.clear();
        out.places.clear();
        out.text.clear();
        out.texts.clear();
        let each = matches!(p.outcome, OutcomeSlot::Each);
        let funcs: &[_] = match &p.outcome {
            OutcomeSlot::Highest(f) | OutcomeSlot::Lowest(f) => std::slice::from_ref(f),
            OutcomeSlot::Ranking(fs) => fs,
            _ => &[],
        };
        let less = matches!(p.outcome, OutcomeSlot::Lowest(_));
        let teams = p.sheets.iter().any(|s| s.decides && s.teams);
        if !funcs.is_empty() {
            for player in 0..n {
                let of = if teams { self.team_of(player as u64) } else { player as u64 };
                let row = funcs.iter().map(|f| self.score(*f, of)).collect();
                out.scores.push(row);
            }
        }
        let given = &self.core.state.verdicts;
        if given.iter().any(Option::is_some) || out.scores.is_empty() {
            // A player without a verdict loses if somebody has won, else ties.
            // If each wins or loses alone, nobody loses because another has won.
            let won = !each && given.contains(&Some(VerdictCode::Win));
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
            // A player for whom nobody answers takes no place.
            let plays = |i: usize| p.answered.get(i).is_some_and(|seats| *seats != 0);
            let rows = || out.scores.iter().enumerate();
            let best = rows().filter(|(i, _)| plays(*i)).map(|(_, r)| key(r)).max().unwrap_or_default();
            // A team counts as one, with any number of players.
            let sides: Vec<u64> = match teams {
                true => (0..n as u64).map(|i| self.team_of(i)).collect(),
                false => (0..n as u64).collect(),
            };
            let mut first: Vec<u64> = rows()
                .filter(|(i, r)| plays(*i) && key(r) == best)
                .filter_map(|(i, _)| sides.get(i).copied())
                .collect();
            first.sort_unstable();
            first.dedup();
            let lot = |(i, r): (usize, &Vec<i64>)| match plays(i) && key(r) == best {
                true if first.len() == 1 => Verdict::Won,
                true => Verdict::Tied,
                false => Verdict::Lost,
            };
            out.verdicts = rows().map(lot).collect();
            out.places = rows()
                .map(|(i, r)| {
                    let better = rows().filter(|(k, x)| plays(*k) && key(x) > key(r));
                    let mut better: Vec<u64> = better.filter_map(|(k, _)| sides.get(k).copied()).collect();
                    better.sort_unstable();
                    better.dedup();
                    if plays(i) { 1 + better.len() as u32 } else { 0 }
                })
                .collect();
        }
        self.verdict_text(|players| !each || players == 0, &mut out.text);
        // Without a verdict, the condition that holds now has ended the game.
        let undecided = !each || self.core.state.verdicts.contains(&None);
        for (cond, text) in &p.ends {
            let mut v = [0];
            if undecided && out.text.is_empty() && self.eval(*cond, &[], &mut v).is_ok() && v[0] == 1 {
                out.text = self.fill(*text, &[], None);
            }
        }
        if each {
            for (i, v) in self.core.state.verdicts.iter().enumerate() {
                let mut text = String::new();
                match v {
                    Some(_) => self.verdict_text(|players| players >> i & 1 == 1, &mut text),
                    None => text.push_str(&out.text),
                }
                out.texts.push(text);
            }
            if out.texts.iter().all(String::is_empty) {
                out.texts.clear();
            }
        }
        // If all win together, the score that they reached is added.
        let well = matches!(p.outcome, OutcomeSlot::Together) && out.verdicts.contains(&Verdict::Won);
        if let Some((points, line)) = p.score
            && (well || out.text.is_empty() && out.texts.is_empty())
        {
            let line = self.fill(line, &[], None);
            let mut v = [NONE as u64];
            if well && self.eval(points, &[], &mut v).is_ok() {
                out.scores = vec![vec![v[0] as i64]; n];
                let gap = if out.text.is_empty() { "" } else { " " };
                out.text.push_str(&format!("{gap}Score {}: {line}", v[0] as i64));
            } else {
                out.text.push_str(&line);
            }
        }
    }

    /// The verdict of a player with its text, if there is one, also while the game goes on (in games in which each wins or loses alone).
    pub fn lot(&self, player: usize) -> Option<(Verdict, String)> {
        let lot = Verdict::from(self.core.state.verdicts.get(player).copied().flatten()?);
        let mut text = String::new();
        self.verdict_text(|players| players >> player & 1 == 1, &mut text);
        Some((lot, text))
    }

    /// The score of a player or team. One that comes to a fault counts as none, which is less than every number.
    fn score(&mut self, f: FuncId, of: u64) -> i64 {
        let mut v = [NONE as u64];
        if self.eval(f, &[of], &mut v).is_err() {
            v = [NONE as u64];
        }
        v[0] as i64
    }

    /// The team of a player.
    fn team_of(&mut self, player: u64) -> u64 {
        let team = self.program.team.map(|f| self.score(f, player));
        team.map_or(player, |t| t as u64)
    }

    /// The scores and rankings of all players or teams at present, with everything open: for the end of a game, and for those who may see all.
    pub fn sheets(&mut self) -> Vec<Sheet> {
        let p = self.program.clone();
        p.sheets.iter().map(|s| self.sheet(&p, s)).collect()
    }

    fn sheet(&mut self, p: &Program, slot: &SheetSlot) -> Sheet {
        let plays = (0..p.players as usize).filter(|i| p.answered.get(*i).is_some_and(|s| *s != 0));
        let mut columns: Vec<(u64, Vec<usize>)> = Vec::new();
        for i in plays {
            let of = if slot.teams { self.team_of(i as u64) } else { i as u64 };
            match columns.iter_mut().find(|(x, _)| *x == of) {
                Some((_, players)) => players.push(i),
                None => columns.push((of, vec![i])),
            }
        }
        let mut lines = Vec::new();
        for line in &slot.lines {
            let cells = columns.iter().map(|(of, _)| self.cell(line, *of)).collect();
            lines.push(SheetRow { name: line.name.clone(), title: line.title.clone(), cells });
        }
        let sum = slot.sum.map(|f| columns.iter().map(|(of, _)| self.score(f, *of)).collect());
        let whole = self.outcome().filter(|_| slot.decides).map(|o| o.places.clone()).unwrap_or_default();
        let place = |(_, players): &(u64, Vec<usize>)| players.first().and_then(|i| whole.get(*i)).copied();
        Sheet {
            name: slot.name.clone(),
            ranking: slot.ranking,
            places: columns.iter().filter_map(place).collect(),
            columns: columns.into_iter().map(|(_, players)| players).collect(),
            lines,
            sum: sum.unwrap_or_default(),
        }
    }

    fn cell(&mut self, line: &SheetLine, of: u64) -> Cell {
        let x = self.score(line.func, of);
        match (line.text, u16::try_from(x)) {
            (true, Ok(t)) => Cell::Text(self.fill(TemplateIx(t), &[of], None)),
            (true, Err(_)) => Cell::Text(String::new()),
            (false, _) if x == NONE => Cell::Text(String::from("?")),
            (false, _) => Cell::Number(x),
        }
    }

    /// Appends the text of the first verdict for such players to `out`; its values are stored in the state. A verdict for nobody is an end that leaves the result to the scores.
    fn verdict_text(&self, is_wanted: impl Fn(u64) -> bool, out: &mut String) {
        let p = &self.program;
        let mut words = self.core.state.verdict_words.as_slice();
        while let [players, template, rest @ ..] = words {
            let wanted = is_wanted(*players);
            words = rest;
            for piece in p.templates.get(*template as usize).map_or(&[][..], |t| &t.parts) {
                match piece {
                    Piece::Literal(x) if wanted => out.push_str(x),
                    Piece::Register(_, show) => {
                        let (of_hole, rest) =
                            words.split_at_checked(crate::world::tables::width(p, *show)).unwrap_or_default();
                        words = rest;
                        if wanted {
                            out.push_str(&crate::world::naming::value_text(
                                self.look(),
                                *show,
                                of_hole,
                                None,
                                true,
                            ));
                        }
                    }
                    _ => {}
                }
            }
            if wanted {
                break;
            }
        }
    }
}
