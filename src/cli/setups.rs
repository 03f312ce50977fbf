//! Every way in which a game can be begun: scenarios and numbers of players.
use houserule_model::hir::{Scope, ScopeId, ScopeKind};
use houserule_play::setup::player_range;
use houserule_play::{Game, Setup};

/// Every start with each number of players.
pub fn list_setups(game: &Game, seed: u64) -> Vec<Setup> {
    let model = game.model();
    let numbered = (0u32..).map(ScopeId).zip(&model.scopes);
    let scenarios: Vec<(ScopeId, &Scope)> = numbered.filter(|(_, s)| s.kind == ScopeKind::Scenario).collect();
    let mut starts: Vec<(Option<ScopeId>, Option<String>)> = Vec::new();
    if model.first_scenario().is_none() {
        starts.push((None, None));
    }
    starts.extend(scenarios.into_iter().map(|(id, s)| (Some(id), Some(s.name.to_string()))));
    let mut out = Vec::new();
    for (id, scenario) in starts {
        let (least, most) = player_range(model, id);
        for players in least..=most {
            let setup = Setup { scenario: scenario.clone(), ..Setup::with_seed(seed) };
            out.push(setup.with_players(players));
        }
    }
    out
}
