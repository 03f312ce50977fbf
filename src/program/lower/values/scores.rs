//! Lowers scores, rankings and teams to the functions and tables that decide a game.
use crate::fn_builder::FnBuild;
use crate::ir::*;
use crate::layout::words::plain_text;
use crate::lower::Lower;
use houserule_model::hir::*;

impl Lower<'_> {
    /// Emits the team of a player.
    pub fn team_into(&mut self, f: &mut FnBuild, p: &Expr, d: R) {
        let teams = self.set.teams();
        if teams.iter().enumerate().all(|(i, t)| *t == i as u32) {
            return self.expr_into(f, p, d);
        }
        let of = self.p.player_universe;
        let values: Vec<i32> = teams.iter().map(|t| *t as i32).collect();
        let known = self.p.tables.iter().position(|t| &*t.name == "team" && t.values == values);
        let table = known.map_or_else(|| self.add_table(&"team".into(), of, values), |i| TableIx(i as u16));
        let i = self.required_reg(f, p);
        f.emit(Ins::LdTable { d, i, table });
    }

    /// The lines of a ranking that decide: those in force that are numbers.
    pub fn ranking_lines(&mut self, v: ValueId) -> Vec<FuncId> {
        let m = self.m;
        let Some(ValueRole::Ranking(lines)) = m.values.get(v.index()).map(|v| &v.role) else {
            return Vec::new();
        };
        let counts =
            |l: &ValueId| m.values.get(l.index()).is_some_and(|l| self.set.has(l.scope) && l.ty != Ty::Text);
        let lines: Vec<ValueId> = lines.iter().copied().filter(counts).collect();
        lines.into_iter().map(|l| self.value_func(l)).collect()
    }

    /// Makes the tables of scores and rankings.
    pub fn make_sheets(&mut self) {
        let m = self.m;
        for (i, v) in m.values.iter().enumerate() {
            let (ValueRole::Score(lines) | ValueRole::Ranking(lines)) = &v.role else { continue };
            if !self.set.has(v.scope) {
                continue;
            }
            let id = ValueId(i as u32);
            let mut out = Vec::new();
            for l in lines {
                let Some(line) = m.values.get(l.index()).filter(|x| self.set.has(x.scope)) else { continue };
                let ValueRole::Line(name, title) = &line.role else { continue };
                let (name, title) = (name.clone(), plain_text(title));
                out.push(SheetLine { name, title, func: self.value_func(*l), text: line.ty == Ty::Text });
            }
            let ranking = matches!(v.role, ValueRole::Ranking(_));
            let teams = v.body.locals.first().is_some_and(|l| l.ty == Ty::Of(builtin_kinds::TEAM));
            let sum = (!ranking).then(|| self.value_func(id));
            let decides = match m.outcome {
                Outcome::Highest(x) | Outcome::Lowest(x) | Outcome::Ranking(x) => x == id,
                _ => false,
            };
            self.p.sheets.push(SheetSlot { name: v.name.clone(), ranking, decides, teams, lines: out, sum });
        }
        if self.p.sheets.iter().any(|s| s.teams)
            && let Some(i) = m.values.iter().position(|v| matches!(v.role, ValueRole::Team))
        {
            self.p.team = Some(self.value_func(ValueId(i as u32)));
        }
    }
}
