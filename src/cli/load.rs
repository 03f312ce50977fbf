//! Finds the files of a game by what a person writes: a name, a folder or a single file, with mods.
use super::io::Failure;
use super::library;
use super::store::{Store, find_crowded, has_end, to_slashed};
use houserule_ide::games;
use houserule_model::MOST_FILES;
use houserule_model::suggest::closest;
use houserule_syntax::{self as syntax, ast::ItemKind};
use houserule_text::{Diagnostic, File, FileId, Files, INSIDE, Report, wrap_png};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Where a game is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot {
    /// On disk or in the binary.
    pub store: Store,
    /// Its folder.
    pub folder: PathBuf,
    /// The one file that it is, where its folder holds several games.
    pub only: Option<PathBuf>,
    /// Files from elsewhere that belong to it now: mods, and a scenario that was asked for by its path.
    pub extra: Vec<(Store, PathBuf)>,
}

/// A game's files in memory.
#[derive(Clone, Debug, Default)]
pub struct Bundle {
    /// What the game is called: its folder's name.
    pub name: String,
    /// Rules, scenarios, mods, and last the scripts beside them.
    pub files: Files,
    /// How a file is called for people, by its name in `files`.
    pub shown: HashMap<String, String>,
    /// What was wrong with the files as such.
    pub findings: Vec<Diagnostic>,
}

/// Endings of files that rules name: scripts and images.
const NAMED_FILES: [&str; 3] = ["rhai", "svg", "png"];

impl Bundle {
    /// A finding's file as a person knows it.
    pub fn shown_name(&self, name: &str) -> String {
        self.shown.get(name).cloned().unwrap_or_else(|| name.to_string())
    }

    /// Adds what was wrong with the files as such; such files have no other findings.
    pub fn add_unread(&self, report: &mut Report) {
        for finding in &self.findings {
            report.findings.retain(|d| d.at.span.file != finding.at.span.file);
        }
        report.findings.extend(self.findings.iter().cloned());
        report.sort_and_dedup();
    }
}

/// What a file of rules is about.
#[derive(Clone, Default, Debug)]
pub struct About {
    /// The word of the game that it declares.
    pub game: Option<String>,
    /// The word of a game that it adds to.
    pub adds_to: Option<String>,
}

/// Looks into a file of rules.
pub fn read_about(text: &str) -> About {
    let mut about = About::default();
    if !may_name_game(text) {
        return about;
    }
    for item in syntax::read_heads(text) {
        match item.kind {
            ItemKind::Game(g) => about.game = about.game.or(Some(g.name.text.as_str().to_string())),
            ItemKind::Mod(m) => about.adds_to = about.adds_to.or(Some(m.game.text.as_str().to_string())),
            ItemKind::Scenario(s) => about.adds_to = about.adds_to.or(Some(s.game.text.as_str().to_string())),
            ItemKind::Part(p) => about.adds_to = about.adds_to.or(Some(p.game.text.as_str().to_string())),
            _ => {}
        }
    }
    about
}

/// Whether an entry of a text may begin with a word that names a game: only then the text is parsed.
fn may_name_game(text: &str) -> bool {
    let names = |entry: &str| ["game", "mod", "part", "scenario"].iter().any(|w| entry.starts_with(w));
    text.split(['\u{FEFF}', '\n', ';', '}']).any(|entry| names(entry.trim_start()))
}

/// A cache of parsed files of rules: each is read and parsed once, however many games ask about it.
#[derive(Default)]
struct FileCache {
    known: HashMap<(Store, PathBuf), About>,
    /// How many files were parsed.
    parsed: usize,
}

impl FileCache {
    /// What a file is about.
    fn look_into(&mut self, store: Store, file: &Path) -> Result<About, Failure> {
        let key = (store, file.to_path_buf());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let found = read_about(&read_text(store, file)?);
        self.parsed += 1;
        self.known.insert(key, found.clone());
        Ok(found)
    }

    /// The game that a file declares.
    fn declared_game(&mut self, store: Store, file: &Path) -> Option<String> {
        self.look_into(store, file).ok().and_then(|a| a.game)
    }
}

/// Finds the game that an argument names: a path to a folder or file if there is one, else a shipped game.
pub fn find_game(arg: &str) -> Result<Spot, Failure> {
    let path = Path::new(arg);
    if path.is_file() && (has_end(path, "rules") || has_end(path, "scenario")) {
        return find_spot_of_file(Store::Disk, path);
    }
    if path.is_dir() {
        if !Store::Disk.list_files(path, "rules").is_empty() {
            return Ok(Spot::from_folder(Store::Disk, path));
        }
        let below = find_games_below(Store::Disk, path)?;
        match below.as_slice() {
            [one] => return Ok(one.clone()),
            [] => {}
            many => {
                let names: Vec<String> = many.iter().map(|s| to_slashed(&s.folder)).collect();
                let text = format!("{arg} holds several games; which one? {}", names.join(", "));
                return Err(Failure::Usage(text));
            }
        }
    }
    if let Some(spot) = find_shipped(arg) {
        return Ok(spot);
    }
    if let Some(file) = library::find_mod(arg).filter(|_| !path.exists()) {
        return find_spot_of_file(Store::Shipped, &file);
    }
    if path.is_dir() {
        return Err(Failure::Usage(format!("there are no .rules files in {arg}")));
    }
    if path.exists() {
        return Err(Failure::Usage(format!("{arg} is not a .rules file and not a folder with .rules files")));
    }
    if arg.contains(['/', '\\']) || arg.ends_with(".rules") {
        return Err(Failure::Unreadable(format!("there is no file or folder {arg}")));
    }
    let names = library::game_names();
    let near = closest(&arg.to_lowercase(), names.iter().map(String::as_str));
    let hint = match near {
        Some(near) => format!("did you mean {near}?"),
        None => format!(
            "the shipped games are {}; or give the path of a folder with .rules files",
            names.join(", ")
        ),
    };
    Err(Failure::Usage(format!("there is no game {arg}; {hint}")))
}

/// A shipped game by its folder's name or by the word of its `game` line.
fn find_shipped(name: &str) -> Option<Spot> {
    let declares = |folder: &PathBuf| {
        let mut cache = FileCache::default();
        let files = Store::Shipped.list_files(folder, "rules");
        files.iter().any(|f| cache.declared_game(Store::Shipped, f).as_deref() == Some(name))
    };
    let by_word = || library::game_folders().into_iter().map(|(_, folder)| folder).find(declares);
    let folder = library::find_game(name).or_else(by_word)?;
    Some(Spot::from_folder(Store::Shipped, &folder))
}

/// All games below a folder: one a folder with rules that declare one; mods and lone scenarios with the games that they are for.
pub fn find_games_below(store: Store, folder: &Path) -> Result<Vec<Spot>, Failure> {
    find_below(store, folder, &mut FileCache::default())
}

fn find_below(store: Store, folder: &Path, looked: &mut FileCache) -> Result<Vec<Spot>, Failure> {
    let unreadable =
        |e: std::io::Error| Failure::Unreadable(format!("cannot read {}: {e}", to_slashed(folder)));
    let files = store.walk_folder(folder, &["rules", "scenario"]).map_err(unreadable)?;
    let mut spots: Vec<Spot> = Vec::new();
    let mut known: HashSet<Spot> = HashSet::new();
    // The scenarios that some game holds already.
    let mut held: HashSet<PathBuf> = HashSet::new();
    let mut add = |spot: Spot, held: &mut HashSet<PathBuf>| {
        if known.insert(spot.clone()) {
            held.extend(spot.list_scenarios().into_iter().take(MOST_FILES).map(|(_, f)| canonical_path(&f)));
            spots.push(spot);
        }
    };
    let crowded = find_crowded(&files);
    let mut refused: Vec<&Path> = crowded.iter().copied().collect();
    refused.sort();
    for folder in refused {
        add(Spot::from_folder(store, folder), &mut held);
    }
    let is_alone = |f: &&PathBuf| !f.parent().is_some_and(|p| crowded.contains(p));
    for file in files.iter().filter(|f| has_end(f, "rules")).filter(is_alone) {
        add(find_spot_of(store, file, looked)?, &mut held);
    }
    for file in files.iter().filter(|f| has_end(f, "scenario")).filter(is_alone) {
        if !held.contains(&canonical_path(file)) {
            add(find_spot_of(store, file, looked)?, &mut held);
        }
    }
    Ok(spots)
}

/// A path that is the same however it is written.
fn canonical_path(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

fn is_same_path(a: &Path, b: &Path) -> bool {
    a == b || (a.exists() && a.canonicalize().ok() == b.canonicalize().ok())
}

fn read_text(store: Store, file: &Path) -> Result<String, Failure> {
    let bytes = store
        .read(file)
        .map_err(|e| Failure::Unreadable(format!("cannot read {}: {e}", to_slashed(file))))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The game that a file belongs to.
pub fn find_spot_of_file(store: Store, file: &Path) -> Result<Spot, Failure> {
    find_spot_of(store, file, &mut FileCache::default())
}

fn find_spot_of(store: Store, file: &Path, looked: &mut FileCache) -> Result<Spot, Failure> {
    let folder = file.parent().unwrap_or(Path::new("")).to_path_buf();
    let this = looked.look_into(store, file)?;
    let mut spot = Spot::from_folder(store, &folder);
    if this.game.is_some() {
        let others =
            store.list_files(&folder, "rules").into_iter().filter(|f| f.file_name() != file.file_name());
        // Of more files than a game may have, none is looked into.
        let others = others.take(MOST_FILES + 1).collect::<Vec<_>>();
        if others.len() <= MOST_FILES
            && others.iter().any(|other| looked.declared_game(store, other).is_some())
        {
            spot.only = Some(file.to_path_buf());
        }
        return Ok(spot);
    }
    if let Some(word) = this.adds_to {
        let in_folder = has_end(file, "rules")
            && store
                .list_files(&folder, "rules")
                .iter()
                .any(|f| looked.declared_game(store, f).as_deref() == Some(word.as_str()));
        if in_folder {
            return Ok(spot);
        }
        if let Some(mut found) = find_near(store, &folder, &word, looked).or_else(|| find_shipped(&word)) {
            if !found.list_scenarios().iter().any(|(_, f)| is_same_path(f, file)) {
                found.extra.push((store, file.to_path_buf()));
            }
            return Ok(found);
        }
        spot.only = Some(file.to_path_buf());
    }
    Ok(spot)
}

/// A game by its word, in the folders around: the folder itself, the folders in it and beside it, then `rules` beside it and beside what is above it.
fn find_near(store: Store, folder: &Path, word: &str, looked: &mut FileCache) -> Option<Spot> {
    let start = match store {
        // The folder of a file that is named alone is the current one.
        Store::Disk => Path::new(".").join(folder).canonicalize().ok()?,
        Store::Shipped => folder.to_path_buf(),
    };
    for (up, above) in start.ancestors().enumerate() {
        let mut found = store.list_files(above, "rules");
        if up < 2 {
            let inner = store.list_folder(above).unwrap_or_default();
            let inner = inner.into_iter().filter(|(_, is_folder)| *is_folder).take(MOST_FILES);
            found.extend(inner.flat_map(|(folder, _)| store.list_files(&folder, "rules")));
        }
        if store.is_dir(&above.join("rules")) {
            found.extend(store.walk_folder(&above.join("rules"), &["rules"]).unwrap_or_default());
        }
        for file in found {
            // As it is called from here, so that a file has one name.
            let file = to_relative(store, &file);
            if looked.declared_game(store, &file).as_deref() == Some(word) {
                return find_spot_of(store, &file, looked).ok();
            }
        }
    }
    None
}

/// A game by the word of its `game` line: one around the current folder, else a shipped one.
pub fn find_by_word(word: &str) -> Option<Spot> {
    find_near(Store::Disk, Path::new("."), word, &mut FileCache::default()).or_else(|| find_shipped(word))
}

/// A path as a person would write it: relative to the current folder if it is below it.
fn to_relative(store: Store, path: &Path) -> PathBuf {
    if store == Store::Disk
        && let Ok(here) = std::env::current_dir()
        && let Ok(rest) = path.strip_prefix(here.canonicalize().unwrap_or(here))
    {
        return rest.to_path_buf();
    }
    path.to_path_buf()
}

impl Spot {
    /// The game of a whole folder.
    pub fn from_folder(store: Store, folder: &Path) -> Spot {
        Spot { store, folder: folder.to_path_buf(), only: None, extra: Vec::new() }
    }

    /// What the game is called: its folder's name, or its file's where a folder holds several.
    pub fn name(&self) -> String {
        let stem = |p: &Path| p.file_stem().map(|s| s.to_string_lossy().into_owned());
        if let Some(name) = self.only.as_deref().and_then(stem) {
            return name;
        }
        let full = match self.store {
            Store::Disk if self.folder.as_os_str().is_empty() => Path::new(".").canonicalize().ok(),
            Store::Disk => self.folder.canonicalize().ok(),
            Store::Shipped => None,
        };
        let folder = full.as_deref().unwrap_or(&self.folder);
        folder.file_name().map_or_else(|| String::from("game"), |n| n.to_string_lossy().into_owned())
    }

    /// The game's scenarios: beside its rules, and in the folder `scenarios/<name>` beside or above them.
    pub fn list_scenarios(&self) -> Vec<(String, PathBuf)> {
        let name = self.name();
        let mut out = Vec::new();
        if self.only.is_none() {
            for file in self.store.list_files(&self.folder, "scenario") {
                out.push((format!("{name}/{}", file_name_of(&file)), file));
            }
        }
        let start = match self.store {
            Store::Disk => {
                let folder = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
                folder.canonicalize().unwrap_or_default()
            }
            Store::Shipped => self.folder.clone(),
        };
        for above in start.ancestors() {
            let folder = above.join("scenarios").join(&name);
            if self.store.is_dir(&folder) {
                for file in self.store.list_files(&folder, "scenario") {
                    let file = to_relative(self.store, &file);
                    out.push((format!("scenarios/{name}/{}", file_name_of(&file)), file));
                }
                break;
            }
        }
        out
    }

    /// The files from elsewhere, with the mods that those mods need: each lies beside the one that needs it, or is a shipped one.
    fn with_needed_mods(&self) -> Vec<(Store, PathBuf)> {
        let about = |store: Store, file: &Path| {
            let text = store.read(file).unwrap_or_default();
            games::read_about(&String::from_utf8_lossy(&text))
        };
        let mut out = self.extra.clone();
        let mut known: HashSet<std::sync::Arc<str>> = HashSet::new();
        let mut next = 0;
        while let Some((store, file)) = out.get(next).cloned() {
            next += 1;
            let this = about(store, &file);
            known.extend(this.mods.iter().map(|(title, _)| title.clone()));
            for title in this.needs_mods {
                let has = |about: &games::About| about.mods.iter().any(|(t, _)| *t == title);
                if known.contains(&title) || out.iter().skip(next).any(|(s, f)| has(&about(*s, f))) {
                    continue;
                }
                let folder = file.parent().unwrap_or(Path::new("")).to_path_buf();
                let beside = store.list_files(&folder, "rules").into_iter().map(|f| (store, f));
                let shipped = library::mod_files().into_iter().map(|f| (Store::Shipped, f));
                let found = beside.take(MOST_FILES).chain(shipped).find(|(s, f)| has(&about(*s, f)));
                out.extend(found.filter(|f| !out.contains(f)));
            }
        }
        out
    }

    /// Reads everything.
    pub fn load_bundle(&self) -> Result<Bundle, Failure> {
        let mut bundle = Bundle { name: self.name(), ..Bundle::default() };
        let name = bundle.name.clone();
        let rules = match &self.only {
            Some(file) => vec![file.clone()],
            None => self.store.list_files(&self.folder, "rules"),
        };
        let mut beside = vec![(self.store, self.folder.clone(), name.clone())];
        let named = |file: PathBuf| (format!("{name}/{}", file_name_of(&file)), file);
        // One more than a game may have, so that the checker says that it is too much.
        for (called, file) in rules.into_iter().map(named).chain(self.list_scenarios()).take(MOST_FILES + 1) {
            bundle.add_file(self.store, &file, called)?;
        }
        for (store, file) in &self.with_needed_mods() {
            let group = if has_end(file, "scenario") { "scenarios" } else { "mods" };
            bundle.add_file(*store, file, format!("{group}/{}", file_name_of(file)))?;
            let folder = file.parent().unwrap_or(Path::new("")).to_path_buf();
            beside.push((*store, folder, group.to_string()));
        }
        // Scripts and images last, so that numbers of files are those that the checker gives them.
        for (store, folder, called) in beside {
            for ending in NAMED_FILES {
                for file in store.list_files(&folder, ending) {
                    bundle.add_file(store, &file, format!("{called}/{}", file_name_of(&file)))?;
                }
                for inner in INSIDE {
                    for file in store.list_files(&folder.join(inner), ending) {
                        bundle.add_file(store, &file, format!("{called}/{inner}/{}", file_name_of(&file)))?;
                    }
                }
            }
        }
        Ok(bundle)
    }
}

impl Bundle {
    fn add_file(&mut self, store: Store, file: &Path, name: String) -> Result<(), Failure> {
        if self.shown.contains_key(&name) {
            return Ok(());
        }
        if self.files.len() > 2 * MOST_FILES {
            return Err(Failure::Unreadable(format!("{} contains too many files", self.name)));
        }
        let bytes = store
            .read(file)
            .map_err(|e| Failure::Unreadable(format!("cannot read {}: {e}", to_slashed(file))))?;
        let id = FileId(self.files.len() as u16);
        let is_png = name.ends_with(".png");
        let text = match if is_png { Ok(wrap_png(&bytes)) } else { syntax::decode(id, bytes.clone()) } {
            Ok(text) => text,
            Err(finding) => {
                self.findings.push(*finding);
                String::from_utf8_lossy(&bytes).into_owned()
            }
        };
        let shown = match store {
            Store::Disk => to_slashed(file),
            Store::Shipped => format!("<shipped>/{}", to_slashed(file)),
        };
        self.shown.insert(name.clone(), shown);
        self.files.add(File::new(name, text));
        Ok(())
    }
}

fn file_name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_many_games_is_parsed_once() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: String, text: String| std::fs::write(folder.path().join(name), text).unwrap();
        let games = 12;
        for i in 0..games {
            write(
                format!("g{i}.rules"),
                format!("game G{i} \"G\" {{ players 2; outcome win }}\nround once {{ }}\n"),
            );
        }
        std::fs::create_dir(folder.path().join("mods")).unwrap();
        for i in 0..games {
            write(format!("mods/m{i}.rules"), format!("mod \"M{i}\" for G{i} {{ }}\n"));
            write(format!("mods/s{i}.scenario"), format!("scenario s{i} \"S\" for G{i} {{ }}\n"));
        }
        let mut looked = FileCache::default();
        let spots = find_below(Store::Disk, &folder.path().canonicalize().unwrap(), &mut looked).unwrap();
        // Every game alone, with its mod, and with its scenario.
        assert_eq!(spots.len(), 3 * games, "{spots:#?}");
        assert_eq!(looked.parsed, 3 * games, "each file once");
        let own =
            |s: &Spot| s.only.as_deref().and_then(Path::file_name).map(|n| n.to_string_lossy().into_owned());
        let extra = |s: &Spot| s.extra.first().map(|(_, f)| file_name_of(f));
        for i in 0..games {
            let game = Some(format!("g{i}.rules"));
            let wanted = [None, Some(format!("m{i}.rules")), Some(format!("s{i}.scenario"))];
            for with in wanted {
                assert!(spots.iter().any(|s| own(s) == game && extra(s) == with), "{game:?} {with:?}");
            }
        }
    }

    #[test]
    fn of_more_files_than_a_game_may_have_none_is_looked_into() {
        let folder = tempfile::tempdir().unwrap();
        for i in 0..=MOST_FILES {
            std::fs::write(folder.path().join(format!("f{i}.rules")), "value value\n").unwrap();
        }
        let mut looked = FileCache::default();
        let spots = find_below(Store::Disk, folder.path(), &mut looked).unwrap();
        assert_eq!((spots.len(), looked.parsed), (1, 0));
    }
}
