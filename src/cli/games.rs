//! `games`: lists the games built into the binary, with what can be chosen for each.
use super::args::{Format, GamesArgs};
use super::explain::to_pretty_json;
use super::io::{Exit, Failure, Io};
use super::library;
use super::load::{self, Spot};
use super::store::Store;
use houserule_model as model;
use houserule_model::hir::{GameOption, Model, ScopeId, ScopeKind};
use houserule_play::values::Values;
use houserule_program::Resolved;

/// Runs the command.
pub fn run(args: &GamesArgs, io: &mut Io) -> Result<Exit, Failure> {
    let spots = match &args.game {
        Some(game) => vec![load::find_game(game)?],
        None => {
            let folders = library::game_folders().into_iter();
            folders.map(|(_, folder)| Spot::from_folder(Store::Shipped, &folder)).collect()
        }
    };
    let mut list = Vec::new();
    for spot in &spots {
        let bundle = spot.load_bundle()?;
        let checked = model::check(&bundle.files);
        match checked.model {
            Some(model) => list.push((bundle.name, model)),
            None if args.game.is_some() => {
                let text = format!("{} has errors; `houserule check {0}` shows them", bundle.name);
                return Err(Failure::Wrong(text));
            }
            None => {}
        }
    }
    if args.format == Format::Json {
        let games: Vec<_> = list.iter().map(|(name, m)| to_json(name, m)).collect();
        io.write_line(&to_pretty_json(
            &serde_json::json!({ "version": 1, "games": games, "mods": library::mod_names() }),
        ))?;
        return Ok(Exit::Fine);
    }
    let width = list.iter().map(|(n, _)| n.chars().count()).max().unwrap_or(0);
    for (name, model) in &list {
        let pad = " ".repeat(width - name.chars().count());
        let line = format!("{}{pad}  {}, {}", io.to_bold(name), model.title, player_range_text(model));
        io.write_line(&line)?;
        for (kind, word) in
            [(ScopeKind::Scenario, "scenario"), (ScopeKind::Part, "part"), (ScopeKind::Variant, "variant")]
        {
            for scope in model.scopes.iter().filter(|s| s.kind == kind) {
                io.write_line(&format!("    {word} {}: {}", scope.name, scope.title))?;
            }
        }
        for option in &model.options {
            io.write_line(&format!(
                "    option {} ({}): {}",
                option.name,
                option_values(model, option),
                option.title
            ))?;
        }
    }
    if args.game.is_none() {
        io.write_line(&format!("\nmods: {}", library::mod_names().join(", ")))?;
    }
    Ok(Exit::Fine)
}

/// What an option can be, with nothing else chosen at the set-up.
fn option_values(model: &Model, option: &GameOption) -> String {
    let (least, _) = model.seat_range(None);
    let base = Resolved {
        players: least,
        seats: least,
        own: least,
        answered: (0..least.min(16)).map(|p| 1 << p).collect(),
        scopes: vec![ScopeId(0), option.scope],
        options: Vec::new(),
        names: Vec::new(),
        timed: false,
    };
    Values::from_type(model, &base, &option.ty).map_or_else(|| String::from("a value"), |v| v.describe())
}

fn player_range_text(model: &Model) -> String {
    match model.seat_range(None) {
        (1, 1) => String::from("one player"),
        (a, b) if a == b => format!("{a} players"),
        (a, b) => format!("{a} to {b} players"),
    }
}

fn to_json(name: &str, model: &Model) -> serde_json::Value {
    let scopes = |kind: ScopeKind| -> Vec<serde_json::Value> {
        let of_kind = model.scopes.iter().filter(|s| s.kind == kind);
        of_kind.map(|s| serde_json::json!({ "name": s.name.as_ref(), "title": s.title.as_ref() })).collect()
    };
    let options: Vec<_> = model
        .options
        .iter()
        .map(|o| serde_json::json!({ "name": o.name.as_ref(), "title": o.title.as_ref(), "values": option_values(model, o) }))
        .collect();
    serde_json::json!({
        "name": name, "word": model.name.as_ref(), "title": model.title.as_ref(),
        "players": [model.seat_range(None).0, model.seat_range(None).1],
        "scenarios": scopes(ScopeKind::Scenario), "parts": scopes(ScopeKind::Part), "variants": scopes(ScopeKind::Variant), "options": options,
    })
}
