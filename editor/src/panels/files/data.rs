//! What the list of files shows, as plain data.
use crate::document::Document;
use std::sync::Arc;

/// One file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileEntry {
    /// The file's name.
    pub name: Arc<str>,
    /// What it is called in the list.
    pub shown: String,
    /// Whether it is other than on disk.
    pub dirty: bool,
}

/// A game, or what is of no game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The game's title.
    pub title: String,
    /// The file with its `game` line; none for what is of no game.
    pub game: Option<Arc<str>>,
    /// Rules, scenarios, mods, scripts and images, each with a heading; none of them is empty.
    pub parts: Vec<(&'static str, Vec<FileEntry>)>,
}

/// All of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Data {
    /// Games by title.
    pub groups: Vec<Group>,
}

impl Data {
    /// What there is, as far as a name or title has the wanted letters.
    pub fn from_document(document: &Document, wanted: &str) -> Data {
        let wanted = wanted.to_lowercase();
        let has = |s: &str| wanted.is_empty() || s.to_lowercase().contains(&wanted);
        let entry = |name: &Arc<str>, shown: &str| FileEntry {
            name: name.clone(),
            shown: shown.to_string(),
            dirty: document.is_dirty(name),
        };
        let last = |name: &Arc<str>| name.rsplit('/').next().unwrap_or(name).to_string();
        let mut groups = Vec::new();
        for game in &document.games().games {
            let all = has(&game.title);
            let named = |files: &[Arc<str>]| -> Vec<FileEntry> {
                files.iter().filter(|n| all || has(n)).map(|n| entry(n, &last(n))).collect()
            };
            let rules = named(&game.rules);
            let scenarios = game
                .scenarios
                .iter()
                .filter(|(_, t, f)| all || has(t) || has(f))
                .map(|(_, t, f)| entry(f, t));
            let mods = game.mods.iter().filter(|(t, f)| all || has(t) || has(f)).map(|(t, f)| entry(f, t));
            // A script that several mods call is one file.
            let mut scripts = game.scripts.clone();
            for (_, script) in &game.mod_scripts {
                if !scripts.contains(script) {
                    scripts.push(script.clone());
                }
            }
            // An image of pixels is no text that could be opened.
            scripts.retain(|name| !name.ends_with(".png"));
            let (scripts, images) =
                scripts.into_iter().partition::<Vec<_>, _>(|name| name.ends_with(".rhai"));
            let mut parts = vec![
                ("Rules", rules),
                ("Scenarios", scenarios.collect()),
                ("Mods", mods.collect()),
                ("Scripts", named(&scripts)),
                ("Images", named(&images)),
            ];
            parts.retain(|(_, e)| !e.is_empty());
            if !parts.is_empty() {
                groups.push(Group { title: game.title.to_string(), game: Some(game.file.clone()), parts });
            }
        }
        groups.sort_by_key(|g| g.title.to_lowercase());
        let strays: Vec<FileEntry> =
            document.games().strays.iter().filter(|(n, _)| has(n)).map(|(n, _)| entry(n, n)).collect();
        if !strays.is_empty() {
            groups.push(Group { title: "Of no game".into(), game: None, parts: vec![("Files", strays)] });
        }
        Data { groups }
    }
}
