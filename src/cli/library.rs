//! Finds the games and mods that are built into the binary: names, folders and files.
use super::store::Store;
use std::path::{Path, PathBuf};

/// The folders of all shipped games, by name.
pub fn game_folders() -> Vec<(String, PathBuf)> {
    let mut out: Vec<(String, PathBuf)> = Vec::new();
    for file in Store::Shipped.walk_folder(Path::new("rules"), &["rules"]).unwrap_or_default() {
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
pub fn game_names() -> Vec<String> {
    game_folders().into_iter().map(|(n, _)| n).collect()
}

/// The folder of a shipped game, by its name; signs and case do not matter.
pub fn find_game(name: &str) -> Option<PathBuf> {
    let bare =
        |s: &str| s.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let wanted = bare(name);
    game_folders().into_iter().find(|(n, _)| bare(n) == wanted).map(|(_, folder)| folder)
}

/// The files of all shipped mods.
pub fn mod_files() -> Vec<PathBuf> {
    Store::Shipped.list_files(Path::new("rules/mods"), "rules")
}

/// A shipped mod by its file's name.
pub fn find_mod(name: &str) -> Option<PathBuf> {
    mod_files().into_iter().find(|f| f.file_stem().is_some_and(|s| s.eq_ignore_ascii_case(name)))
}

/// The names of all shipped mods.
pub fn mod_names() -> Vec<String> {
    mod_files().iter().filter_map(|f| f.file_stem()).map(|s| s.to_string_lossy().into_owned()).collect()
}
