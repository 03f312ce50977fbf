//! The games built into the binary, and `games`, which lists them.
use super::args::{Format, GamesArgs};
use super::explain::pretty;
use super::io::{Exit, Failure, Io};
use super::load::{self, Spot};
use super::store::Store;
use houserule_model as model;
use houserule_model::hir::{GameOption, Model, ScopeId, ScopeKind};
use houserule_play::values::Values;
use houserule_program::Resolved;
use std::path::{Path, PathBuf};

/// The folders of all shipped games, by name.
fn folders() -> Vec<(String, PathBuf)> {
    let mut out: Vec<(String, PathBuf)> = Vec::new();
    for file in Store::Shipped.walk(Path::new("rules"), &["rules"]).unwrap_or_default() {
        let Some(folder) = file.parent() else { continue };
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name != "mods" && !out.iter().any(|(n, _)| *n == name) {
            out.push((name, folder.to_path_buf()));
        }
    }
    out.sort();
    out
}

/// The names of all shipped games.
pub fn names() -> Vec<String> {
    folders().into_iter().map(|(n, _)| n).collect()
}

/// Every shipped game.
pub fn all() -> Vec<Spot> {
    folders().into_iter().map(|(_, f)| Spot::folder(Store::Shipped, &f)).collect()
}

/// A shipped game by its folder's name or by the word of its `game` line; signs and case do not matter.
pub fn find(name: &str) -> Option<Spot> {
    let bare =
        |s: &str| s.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let wanted = bare(name);
    let (_, folder) = folders().into_iter().find(|(n, _)| bare(n) == wanted)?;
    Some(Spot::folder(Store::Shipped, &folder))
}

/// A shipped mod by its file's name.
pub fn find_mod(name: &str) -> Option<PathBuf> {
    let files = Store::Shipped.files(Path::new("rules/mods"), "rules");
    files.into_iter().find(|f| f.file_stem().is_some_and(|s| s.eq_ignore_ascii_case(name)))
}

/// The names of all shipped mods.
pub fn mods() -> Vec<String> {
    let files = Store::Shipped.files(Path::new("rules/mods"), "rules");
    files.iter().filter_map(|f| f.file_stem()).map(|s| s.to_string_lossy().into_owned()).collect()
}

/// Runs `games`.
pub fn run(args: &GamesArgs, io: &mut Io) -> Result<Exit, Failure> {
    let spots = match &args.game {
        Some(game) => vec![load::find(game)?],
        None => all(),
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
        io.line(&pretty(&serde_json::json!({ "version": 1, "games": games, "mods": mods() })))?;
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
        io.line(&format!("\nmods: {}", mods().join(", ")))?;
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
