//! The shipped games, from their files.
use houserule::model::hir::ScopeKind;
use houserule::play::{Game, Setup};
use houserule::text::{File, Files};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return out };
    let mut entries: Vec<_> = entries.filter_map(Result::ok).map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() { out.extend(files_in(&path)) } else { out.push(path) }
    }
    out
}

/// All texts of a game.
pub fn texts(game: &str) -> Files {
    let mut files = Files::new();
    for folder in [format!("rules/classics/{game}"), format!("rules/{game}"), format!("scenarios/{game}")] {
        for p in files_in(&root().join(folder)) {
            let name = p.strip_prefix(root()).unwrap_or(&p).display().to_string();
            files.add(File::new(name, std::fs::read_to_string(&p).expect("a shipped file")));
        }
    }
    assert!(!files.is_empty(), "there is no game {game}");
    files
}

/// A game with its texts.
pub fn game(name: &str) -> (Game, Files) {
    let files = texts(name);
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{name}: {:?}", r.findings));
    (game, files)
}

/// Names of all shipped games.
pub fn names() -> Vec<String> {
    let folder = |path: &str| std::fs::read_dir(root().join(path)).expect("the shipped games");
    let mut out: Vec<String> = folder("rules/classics")
        .chain(folder("rules"))
        .filter_map(Result::ok)
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .filter(|name| !["classics", "mods"].contains(&name.as_str()))
        .collect();
    out.sort();
    out
}

/// A set-up for each number of players that can be played, with a variant where the rules want one.
pub fn setups(game: &Game) -> Vec<Setup> {
    let (least, most) = game.model().seat_range(None);
    let variants = game.model().scopes.iter().filter(|s| s.kind == ScopeKind::Variant);
    let variants: Vec<String> = variants.map(|s| s.name.to_string()).collect();
    let mut out = Vec::new();
    for n in least..=most {
        let plain = Setup::default().players(n);
        let mut tried = std::iter::once(plain.clone())
            .chain(variants.iter().map(|v| Setup { variants: vec![v.clone()], ..plain.clone() }));
        out.extend(tried.find(|s| game.program(s).is_ok()));
    }
    out
}
