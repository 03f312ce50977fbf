//! Every way in which a game can be begun: scenarios and numbers of players.
use crate::args::SetupArgs;
use crate::setup::Loaded;
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

/// Every start with each number of players, as far as the arguments leave them open.
pub fn list_wanted_setups(args: &SetupArgs, loaded: &Loaded, own: &Setup) -> Vec<Setup> {
    let players = args.players.or((!args.names.is_empty()).then_some(args.names.len() as u32));
    let all = list_setups(&loaded.game, own.seed).into_iter();
    let open = all.filter(|s| args.scenario.is_none() || s.scenario == own.scenario);
    let open = open.filter(|s| players.is_none_or(|n| s.players == Some(n)));
    let out: Vec<Setup> =
        open.map(|s| Setup { scenario: s.scenario, players: s.players, ..own.clone() }).collect();
    if out.is_empty() { vec![own.clone()] } else { out }
}

/// `scenario cry, 2 players, seed 7`.
pub fn describe_setup(setup: &Setup) -> String {
    let mut parts: Vec<String> = setup.scenario.iter().map(|s| format!("scenario {s}")).collect();
    parts.extend(setup.players.map(|n| format!("{n} players")));
    parts.push(format!("seed {}", setup.seed));
    parts.join(", ")
}
