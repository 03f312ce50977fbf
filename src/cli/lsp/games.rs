//! The games that a client has files of: their texts, those that are being edited in front of those on the disk, and what was found in them.
use super::places::to_path;
use crate::check::find_in_setups;
use crate::load::{Bundle, find_spot_of_file};
use crate::store::Store;
use houserule_ide::Analysis;
use houserule_text::{Diagnostic, File, FileId, Files};
use lsp_types::Uri;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// A text that the client has open.
pub struct Document {
    /// As the client names it.
    pub uri: Uri,
    /// As it is now.
    pub text: String,
    /// The client's number of this state.
    pub version: i32,
}

/// A game of which the client has a file open.
pub struct OpenGame {
    bundle: Bundle,
    /// By the names of files in the analysis: where they are on the disk. Files that came with the program are nowhere.
    paths: HashMap<String, PathBuf>,
    /// What is known of the texts as they are.
    pub analysis: Analysis,
    /// What set-ups find, of the texts as they were when it was asked last.
    setup_findings: Vec<Diagnostic>,
    /// Whether a text has changed since the analysis.
    changed: bool,
    /// Whether set-ups have been asked since the last change.
    asked: bool,
    /// Whether the client knows the findings.
    told: bool,
}

impl OpenGame {
    /// Where a file of the analysis is on the disk.
    pub fn path_of(&self, name: &str) -> Option<&PathBuf> {
        self.paths.get(name)
    }

    /// The name of a file in the analysis.
    fn name_of(&self, path: &Path) -> Option<&str> {
        self.paths.iter().find(|(_, p)| *p == path).map(|(name, _)| name.as_str())
    }

    /// The findings of a file, those of set-ups and of reading with them.
    pub fn findings(&self, file: FileId) -> Vec<&Diagnostic> {
        let unread = self.bundle.findings.iter().filter(move |d| d.at.span.file == file);
        if self.bundle.findings.iter().any(|d| d.at.span.file == file) {
            return unread.collect();
        }
        let setups = self.setup_findings.iter().filter(move |d| d.at.span.file == file);
        self.analysis.findings(file).chain(setups).collect()
    }
}

/// Everything that the client has open.
#[derive(Default)]
pub struct Games {
    documents: BTreeMap<PathBuf, Document>,
    games: Vec<OpenGame>,
}

/// A path that is the same however it is written.
fn whole_path(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| std::env::current_dir().unwrap_or_default().join(path))
}

impl Games {
    /// The client has opened a text, or changed it.
    pub fn put_document(&mut self, uri: Uri, text: String, version: i32) {
        let Some(path) = to_path(&uri).map(|p| whole_path(&p)) else { return };
        let is_new = !self.documents.contains_key(&path);
        self.documents.insert(path.clone(), Document { uri, text, version });
        if is_new {
            // It may be a file that its game does not have yet.
            self.games.retain(|g| g.name_of(&path).is_some() || !is_beside(g, &path));
        }
        self.note_change(&path);
    }

    /// The client has closed a text: that on the disk counts again.
    pub fn close_document(&mut self, uri: &Uri) {
        let Some(path) = to_path(uri).map(|p| whole_path(&p)) else { return };
        self.documents.remove(&path);
        self.forget_game_of(&path);
    }

    /// Files on the disk have changed: games are read again.
    pub fn forget_disk(&mut self) {
        self.games.clear();
    }

    fn forget_game_of(&mut self, path: &Path) {
        self.games.retain(|g| g.name_of(path).is_none());
    }

    fn note_change(&mut self, path: &Path) {
        for g in self.games.iter_mut().filter(|g| g.name_of(path).is_some()) {
            g.changed = true;
            g.asked = false;
            g.told = false;
        }
    }

    /// The text of an open document.
    pub fn document(&self, uri: &Uri) -> Option<&Document> {
        self.documents.get(&whole_path(&to_path(uri)?))
    }

    /// The open document of a path.
    pub fn document_at(&self, path: &Path) -> Option<&Document> {
        self.documents.get(path)
    }

    /// The game of a file, analysed as its texts are now, and the file's name in it.
    pub fn game_of(&mut self, uri: &Uri) -> Option<(&OpenGame, String)> {
        let path = whole_path(&to_path(uri)?);
        let at = match self.games.iter().position(|g| g.name_of(&path).is_some()) {
            Some(at) => at,
            None => {
                let game = self.open_game(&path);
                self.games.push(game);
                self.games.len() - 1
            }
        };
        let documents = &self.documents;
        let game = self.games.get_mut(at)?;
        if game.changed {
            let files = texts_now(&game.bundle, &game.paths, documents);
            game.analysis = Analysis::after_change(&game.analysis, &files);
            game.changed = false;
        }
        let name = game.name_of(&path)?.to_string();
        Some((game, name))
    }

    /// Reads the game of a file; a file that belongs to no game is one by itself.
    fn open_game(&self, path: &Path) -> OpenGame {
        let of_file = |path: &Path| find_spot_of_file(Store::Disk, path).and_then(|spot| spot.load_bundle());
        // A file that is not on the disk yet belongs to the game of its folder.
        let neighbour = || {
            let all = Store::Disk.list_files(path.parent()?, "rules");
            all.into_iter().find(|f| whole_path(f) != path)
        };
        let mut bundle = of_file(path).ok().or_else(|| of_file(&neighbour()?).ok()).unwrap_or_default();
        let named = bundle.shown.iter().filter(|(_, shown)| !shown.starts_with("<shipped>"));
        let mut paths: HashMap<String, PathBuf> =
            named.map(|(name, shown)| (name.clone(), whole_path(Path::new(shown)))).collect();
        let folders: Vec<PathBuf> =
            paths.values().filter_map(|p| p.parent()).map(Path::to_path_buf).collect();
        if !paths.is_empty() && !paths.values().any(|p| p == path) && path.exists() {
            // The folder holds another game.
            bundle = Bundle::default();
            paths.clear();
        }
        let is_new =
            |p: &&PathBuf| !p.exists() && p.parent().is_some_and(|own| folders.iter().any(|f| f == own));
        let mut missing: Vec<PathBuf> = self.documents.keys().filter(is_new).cloned().collect();
        if !missing.iter().any(|p| p == path) {
            missing.push(path.to_path_buf());
        }
        for p in missing {
            if paths.values().any(|known| *known == p) {
                continue;
            }
            let name = p.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&p).unwrap_or_default();
            bundle.files.add(File::new(name.clone(), text));
            paths.insert(name, p);
        }
        let analysis = Analysis::from_source(&texts_now(&bundle, &paths, &self.documents));
        OpenGame {
            bundle,
            paths,
            analysis,
            setup_findings: Vec::new(),
            changed: false,
            asked: false,
            told: false,
        }
    }

    /// The number of a game whose findings the client does not know yet; they count as told from then on. Set-ups are asked only if `whole`.
    pub fn take_untold(&mut self, whole: bool) -> Option<usize> {
        let uris: Vec<Uri> = self.documents.values().map(|d| d.uri.clone()).collect();
        for uri in &uris {
            // Opens and analyses what is needed.
            let _ = self.game_of(uri);
        }
        let at = self.games.iter().position(|g| !g.told || whole && !g.asked)?;
        let game = self.games.get_mut(at)?;
        if whole && !game.asked {
            game.asked = true;
            game.setup_findings =
                if game.analysis.sound { find_in_setups(&game.analysis.model) } else { Vec::new() };
        } else {
            // What set-ups found was found of other texts.
            game.setup_findings.clear();
        }
        game.told = true;
        Some(at)
    }

    /// An open game by its number.
    pub fn get(&self, at: usize) -> Option<&OpenGame> {
        self.games.get(at)
    }
}

/// Whether a file lies in the folder of a game, so that it may be one of it.
fn is_beside(g: &OpenGame, path: &Path) -> bool {
    g.paths.values().any(|p| p.parent() == path.parent())
}

/// A game's files, open documents in front of the disk.
fn texts_now(
    bundle: &Bundle,
    paths: &HashMap<String, PathBuf>,
    documents: &BTreeMap<PathBuf, Document>,
) -> Files {
    let mut out = Files::new();
    for (_, f) in bundle.files.iter() {
        let open = paths.get(&f.name).and_then(|path| documents.get(path));
        out.add(match open {
            Some(d) => File::new(f.name.clone(), d.text.as_str()),
            None => f.clone(),
        });
    }
    out
}
