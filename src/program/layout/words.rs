//! Lays out domains of named things: players, teams, directions, words of enums, phases.
use crate::ir::*;
use crate::layout::tables::Tables;
use crate::setup::COMPASS;
use houserule_model::hir::*;
use std::sync::Arc;

impl Tables<'_> {
    /// Lays out phases, and the universe for sets of phases.
    pub fn lay_out_phases(&mut self) {
        let m = self.m;
        let mut things = Vec::new();
        for (i, r) in m.rules.iter().enumerate() {
            if r.phase && self.set.has(r.scope) {
                let decl = self.add_decl("phase", &r.name, r.span);
                let title = r.title.clone().unwrap_or_else(|| r.name.clone());
                things.push(Thing { word: r.name.clone(), title: title.clone() });
                self.layout.phase_ix.insert(RuleId(i as u32), PhaseIx(self.p.phases.len() as u16));
                self.p.phases.push(PhaseSlot { name: r.name.clone(), title, decl });
            }
        }
        if !things.is_empty() {
            let n = things.len() as u32;
            self.layout.phase_uni = Some(self.add_universe("phase", n, UniverseSort::Words, things));
        }
    }

    pub fn lay_out_players(&mut self) {
        // The seats' own players first, then the others.
        let own = self.set.own as usize;
        let named: Vec<MemberId> = self.m.named_players().collect();
        let more = self.m.extra_players();
        let more: Vec<MemberId> =
            more.filter(|m| self.m.members.get(m.index()).is_some_and(|d| self.set.has(d.scope))).collect();
        let things = (0..self.set.players as usize)
            .map(|i| {
                let id = if i < own { named.get(i) } else { more.get(i - own) };
                let member = id.and_then(|m| self.m.members.get(m.index()));
                // If a seat may have several players, a name belongs to a person and is shown beside the player's.
                let seat = match (&self.m.answered, self.set.answered.get(i)) {
                    (Some(_), Some(seats)) => seats.trailing_zeros() as usize,
                    _ => i,
                };
                let person = self.set.names.get(seat).cloned();
                let given = match (&self.m.answered, member, person) {
                    (Some(_), Some(m), Some(name)) => {
                        Some(format!("{} ({name})", plain_text(&m.title)).into())
                    }
                    (_, _, person) => person,
                };
                let word = member
                    .map(|m| m.name.clone())
                    .or_else(|| given.clone())
                    .unwrap_or_else(|| format!("Player{}", i + 1).into());
                let title = given
                    .or_else(|| member.map(|m| plain_text(&m.title)))
                    .unwrap_or_else(|| format!("Player {}", i + 1).into());
                Thing { word, title }
            })
            .collect();
        for (i, m) in named.iter().take(own).enumerate() {
            self.layout.member_no.insert(*m, i as u32);
        }
        for (i, m) in more.iter().enumerate() {
            self.layout.member_no.insert(*m, (own + i) as u32);
        }
        let n = self.set.players;
        let u = self.add_universe("player", n, UniverseSort::Players, things);
        self.layout.kind_uni.insert(builtin_kinds::PLAYER, u);
        let truth = ["no", "yes"].map(|w| Thing { word: w.into(), title: w.into() });
        self.add_universe("truth", 2, UniverseSort::Truth, truth.to_vec());
        let things = COMPASS.iter().map(|w| Thing { word: (*w).into(), title: (*w).into() }).collect();
        let u = self.add_universe("Direction", 8, UniverseSort::Words, things);
        self.layout.kind_uni.insert(builtin_kinds::DIRECTION, u);
        let teams = n.max(self.game_facts.teams.into());
        let things = (1..=teams)
            .map(|i| Thing { word: format!("team{i}").into(), title: format!("team {i}").into() })
            .collect();
        let u = self.add_universe("team", teams, UniverseSort::Words, things);
        self.layout.kind_uni.insert(builtin_kinds::TEAM, u);
    }

    pub fn lay_out_words(&mut self, k: KindId) {
        let kind = &self.m.kinds[k.index()];
        let mut things = Vec::new();
        for m in &kind.members {
            let Some(d) = self.m.members.get(m.index()).filter(|d| self.set.has(d.scope)) else { continue };
            self.layout.member_no.insert(*m, things.len() as u32);
            things.push(Thing { word: d.name.clone(), title: plain_text(&d.title) });
        }
        let u = self.add_universe(&kind.name, things.len() as u32, UniverseSort::Words, things);
        self.layout.kind_uni.insert(k, u);
    }
}

/// A text without its holes.
pub fn plain_text(t: &Text) -> Arc<str> {
    let mut out = String::new();
    for p in &t.parts {
        if let TextPart::Literal(t) = p {
            out.push_str(t);
        }
    }
    out.into()
}
