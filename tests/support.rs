//! What several tests need: the shipped games from their files.
use houserule::model::hir::ScopeKind;
use houserule::play::{Game, Setup};
use houserule::text::{File, Files, Report};
use std::path::{Path, PathBuf};

/// The project's folder, also for the tests of a package inside it.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let outer = here.parent().filter(|_| !here.join("rules").is_dir());
    outer.unwrap_or(here).to_path_buf()
}

/// All files of a folder, deep, in order.
pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return out };
    let mut entries: Vec<_> = entries.filter_map(Result::ok).map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            out.extend(files_in(&path));
        } else {
            out.push(path);
        }
    }
    out
}

/// Adds files with names relative to the project.
pub fn add(files: &mut Files, paths: impl IntoIterator<Item = PathBuf>) {
    for p in paths {
        let name = p.strip_prefix(root()).unwrap_or(&p).display().to_string();
        files.add(File::new(name, std::fs::read_to_string(&p).expect("a shipped file")));
    }
}

/// The source of a shipped game with its scenarios.
pub fn source(game: &str) -> Files {
    let mut files = Files::new();
    for folder in ["rules/classics", "rules"] {
        let rules = files_in(&root().join(folder).join(game));
        add(
            &mut files,
            rules.into_iter().filter(|f| f.extension().is_some_and(|e| e == "rules" || e == "rhai")),
        );
    }
    add(&mut files, files_in(&root().join("scenarios").join(game)));
    assert!(!files.is_empty(), "there is no game {game}");
    files
}

/// A shipped game, checked.
pub fn game(name: &str) -> Game {
    Game::load(&source(name)).unwrap_or_else(|r| panic!("{name}: {:?}", r.findings))
}

/// A shipped game with mods.
pub fn modded(name: &str, mods: &[&str]) -> Game {
    let mut files = source(name);
    add(&mut files, mods.iter().map(|m| root().join(format!("rules/mods/{m}.rules"))));
    Game::load(&files).unwrap_or_else(|r| panic!("{name}: {:?}", r.findings))
}

/// Names of all shipped games.
pub fn games() -> Vec<String> {
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

/// Set-ups for all numbers of players; where the rules want a variant for a number, with each that will do.
pub fn setups(game: &Game) -> Vec<Setup> {
    let (least, most) = game.model().seat_range(None);
    let variants = game.model().scopes.iter().filter(|s| s.kind == ScopeKind::Variant);
    let variants: Vec<String> = variants.map(|s| s.name.to_string()).collect();
    let mut out = Vec::new();
    for n in least..=most {
        let plain = Setup::default().with_players(n);
        if game.lower_setup(&plain).is_ok() {
            out.push(plain);
            continue;
        }
        let with = variants.iter().map(|v| Setup { variants: vec![v.clone()], ..plain.clone() });
        out.extend(with.filter(|s| game.lower_setup(s).is_ok()));
    }
    out
}

/// What a report says, a finding a line.
pub fn findings<T>(result: &Result<T, Report>) -> String {
    let told =
        |r: &Report| r.findings.iter().map(|d| format!("{} {}", d.code.0, d.message)).collect::<Vec<_>>();
    result.as_ref().err().map(told).unwrap_or_default().join("\n")
}

/// Small games as text in a folder of `tests/suite`, one a file, with their names.
pub fn small(folder: &str) -> Vec<(String, Game)> {
    let games: Vec<(String, Game)> = files_in(&root().join("tests/suite").join(folder))
        .into_iter()
        .map(|path| {
            let name = path.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            let mut files = Files::new();
            add(&mut files, [path]);
            let game = Game::load(&files);
            let told = findings(&game);
            (name.clone(), game.unwrap_or_else(|_| panic!("{name}:\n{told}")))
        })
        .collect();
    assert!(!games.is_empty(), "no games in {folder}");
    games
}
