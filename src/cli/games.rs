//! `games`: lists the games built into the binary, with what can be chosen for each.
use super::args::{Format, GamesArgs};
use super::explain::pretty;
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
        Some(game) => vec![load::find(game)?],
        None => {
            let folders = library::folders().into_iter();
            folders.map(|(_, folder)| Spot::folder(Store::Shipped, &folder)).collect()
        }
    };
    let mut list = Vec::new();
    for spot in &spots {
        let bundle = spot.load()?;
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
        let games: Vec<_> = list.iter().map(|(name, m)| json(name, m)).collect();
        io.line(&pretty(&serde_json::json!({ "version": 1, "games": games, "mods": library::mods() })))?;
        return Ok(Exit::Fine);
    }
    let width = list.iter().map(|(n, _)| n.chars().count()).max().unwrap_or(0);
    for (name, model) in &list {
        let pad = " ".repeat(width - name.chars().count());
        let line = format!("{}{pad}  {}, {}", io.bold(name), model.title, players(model));
        io.line(&line)?;
        for (kind, word) in [(ScopeKind::Scenario, "scenario"), (ScopeKind::Variant, "variant")] {
            for scope in model.scopes.iter().filter(|s| s.kind == kind) {
                io.line(&format!("    {word} {}: {}", scope.name, scope.title))?;
            }
        }
        for option in &model.options {
            io.line(&format!("    option {} ({}): {}", option.name, values(model, option), option.title))?;
        }
    }
    if args.game.is_none() {
        io.line(&format!("\nmods: {}", library::mods().join(", ")))?;
    }
    Ok(Exit::Fine)
}

/// What an option can be, with nothing else chosen at the set-up.
fn values(model: &Model, option: &GameOption) -> String {
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
    Values::of(model, &base, &option.ty).map_or_else(|| String::from("a value"), |v| v.told())
}

fn players(model: &Model) -> String {
    match model.seat_range(None) {
        (1, 1) => String::from("one player"),
        (a, b) if a == b => format!("{a} players"),
        (a, b) => format!("{a} to {b} players"),
    }
}

fn json(name: &str, model: &Model) -> serde_json::Value {
    let scopes = |kind: ScopeKind| -> Vec<serde_json::Value> {
        let of_kind = model.scopes.iter().filter(|s| s.kind == kind);
        of_kind.map(|s| serde_json::json!({ "name": s.name.as_ref(), "title": s.title.as_ref() })).collect()
    };
    let options: Vec<_> = model
        .options
        .iter()
        .map(|o| serde_json::json!({ "name": o.name.as_ref(), "title": o.title.as_ref(), "values": values(model, o) }))
        .collect();
    serde_json::json!({
        "name": name, "word": model.name.as_ref(), "title": model.title.as_ref(),
        "players": [model.seat_range(None).0, model.seat_range(None).1],
        "scenarios": scopes(ScopeKind::Scenario), "variants": scopes(ScopeKind::Variant), "options": options,
    })
}
