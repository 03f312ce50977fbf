//! Reads, watches and writes files. Everything here may take long and is called from jobs.
use houserule::text::wrap_png;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// Endings of files that are texts of the document.
const ENDS: [&str; 5] = ["rules", "scenario", "rhai", "svg", "png"];

/// Folders that never hold games.
const SKIPPED: [&str; 3] = ["target", "node_modules", "vendor"];

/// How deep folders are searched.
const DEEPEST: usize = 12;

/// How many files a folder may hold, and how many bytes in all, before it is taken for the wrong folder.
const MOST: (usize, u64) = (5_000, 64 << 20);

/// When a file was last written, and its length: what tells that it was changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stamp(Option<SystemTime>, u64);

/// A folder as it was found.
#[derive(Debug, Default)]
pub struct LoadedFolder {
    /// Texts by name.
    pub texts: Vec<(Arc<str>, String)>,
    /// What each file looked like.
    pub stamps: BTreeMap<Arc<str>, Stamp>,
    /// Files that are no texts, and why.
    pub unreadable: Vec<String>,
}

/// What is other than it was: a name with its new text, or none if the file is gone.
pub type Seen = Vec<(Arc<str>, Option<(String, Stamp)>)>;

/// One file that was to be written, or removed if there is no text.
#[derive(Debug)]
pub struct Written {
    /// The file's name.
    pub name: Arc<str>,
    /// What it holds now; none if it is gone.
    pub text: Option<String>,
    /// How it went.
    pub outcome: Outcome,
}

/// How writing went.
#[derive(Debug)]
pub enum Outcome {
    /// It is written; this is what it looks like now.
    Done(Option<Stamp>),
    /// Somebody else has changed it: nothing was written.
    Changed,
    /// It could not be written, and why.
    Failed(String),
}

fn read_stamp(path: &Path) -> io::Result<Stamp> {
    let meta = std::fs::metadata(path)?;
    // A pipe or a device may never end.
    if !meta.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    Ok(Stamp(meta.modified().ok(), meta.len()))
}

/// Names and paths of all texts below a folder, in order. A folder that several links lead to is listed once, by its own name if it has one here.
fn list_texts(root: &Path) -> io::Result<Vec<(Arc<str>, PathBuf)>> {
    fn go(
        dir: &Path,
        name: &str,
        depth: usize,
        listed: &mut BTreeSet<PathBuf>,
        out: &mut Vec<(Arc<str>, PathBuf)>,
    ) -> io::Result<()> {
        if !listed.insert(dir.canonicalize()?) {
            return Ok(());
        }
        let mut entries = std::fs::read_dir(dir)?.collect::<io::Result<Vec<_>>>()?;
        // Links come last, so that what they lead to has been listed by its own name.
        entries.sort_by_key(|e| (e.file_type().is_ok_and(|t| t.is_symlink()), e.file_name()));
        for entry in entries {
            let own = entry.file_name().to_string_lossy().into_owned();
            let full = if name.is_empty() { own.clone() } else { format!("{name}/{own}") };
            let path = entry.path();
            // A link to nowhere is neither.
            let Ok(meta) = std::fs::metadata(&path) else { continue };
            if meta.is_dir() {
                if depth < DEEPEST && !own.starts_with('.') && !SKIPPED.contains(&own.as_str()) {
                    // A folder that may not be read holds nothing to find.
                    go(&path, &full, depth + 1, listed, out).ok();
                }
            } else if path.extension().is_some_and(|e| ENDS.iter().any(|x| e.eq_ignore_ascii_case(x))) {
                out.push((full.into(), path));
            }
            if out.len() > MOST.0 {
                return Err(io::Error::other("it holds too many files to be a folder of games"));
            }
        }
        Ok(())
    }
    let mut out = Vec::new();
    go(root, "", 0, &mut BTreeSet::new(), &mut out)?;
    out.sort();
    Ok(out)
}

/// The text of a file; of a PNG the SVG that shows it.
fn read_text(path: &Path) -> io::Result<String> {
    match path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png")) {
        true => Ok(wrap_png(&std::fs::read(path)?)),
        false => std::fs::read_to_string(path),
    }
}

/// Reads all texts below a folder.
///
/// # Errors
/// The folder cannot be read, or holds far more than games would.
pub fn load_folder(root: &Path) -> Result<LoadedFolder, String> {
    let cannot = |e: io::Error| format!("cannot open {}: {e}", root.display());
    let mut out = LoadedFolder::default();
    let mut bytes = 0;
    for (name, path) in list_texts(root).map_err(cannot)? {
        let stamp = match read_stamp(&path) {
            Ok(stamp) => stamp,
            Err(e) => {
                out.unreadable.push(format!("{name} is left out: {e}"));
                continue;
            }
        };
        bytes += stamp.1;
        if bytes > MOST.1 {
            return Err(format!("cannot open {}: its texts are too large for games", root.display()));
        }
        match read_text(&path) {
            Ok(text) => {
                out.stamps.insert(name.clone(), stamp);
                out.texts.push((name, text));
            }
            Err(e) => out.unreadable.push(format!("{name} is left out: {e}")),
        }
    }
    Ok(out)
}

/// Looks which files are other than when they were last looked at.
pub fn find_changes(root: &Path, known: &BTreeMap<Arc<str>, Stamp>) -> Seen {
    let Ok(found) = list_texts(root) else { return Vec::new() };
    let mut out = Vec::new();
    for (name, path) in &found {
        let Ok(now) = read_stamp(path) else { continue };
        if known.get(name) != Some(&now)
            && let Ok(text) = read_text(path)
        {
            out.push((name.clone(), Some((text, now))));
        }
    }
    for name in known.keys() {
        if !found.iter().any(|(n, _)| n == name) {
            out.push((name.clone(), None));
        }
    }
    out
}

/// The path of a file of a folder; none if the name would lead out of it.
pub fn path_of(root: &Path, name: &str) -> Option<PathBuf> {
    let path = Path::new(name);
    let plain = !name.is_empty() && path.components().all(|c| matches!(c, Component::Normal(_)));
    plain.then(|| root.join(path))
}

/// Writes a text whole or not at all: beside the file first, then in its place.
///
/// # Errors
/// Whatever the system says.
pub fn write(path: &Path, text: impl AsRef<[u8]>) -> io::Result<()> {
    // What is behind a link is meant, not the link.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    if path.exists() {
        read_stamp(&path)?;
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let own = path.file_name().unwrap_or_default().to_string_lossy();
    remove_stale(folder, &own);
    let beside = folder.join(format!(".{own}.{}.part", std::process::id()));
    let mut file = std::fs::File::create(&beside)?;
    let done = file.write_all(text.as_ref()).and_then(|()| file.sync_all());
    drop(file);
    if let Ok(meta) = std::fs::metadata(&path) {
        std::fs::set_permissions(&beside, meta.permissions()).ok();
    }
    let done = done.and_then(|()| std::fs::rename(&beside, &path));
    if done.is_err() {
        std::fs::remove_file(&beside).ok();
    }
    done
}

/// How old what was written beside a file must be to be left over from a process that was killed.
const STALE: std::time::Duration = std::time::Duration::from_secs(60);

/// Removes what killed processes have left beside a file.
fn remove_stale(folder: &Path, own: &str) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let head = format!(".{own}.");
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let number = name.strip_prefix(&head).and_then(|rest| rest.strip_suffix(".part"));
        let ours = number.is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit() || b == b'-'));
        let age = entry.metadata().and_then(|m| m.modified()).ok().and_then(|t| t.elapsed().ok());
        if ours && age.is_some_and(|age| age > STALE) {
            std::fs::remove_file(entry.path()).ok();
        }
    }
}

/// Saves files of a folder: each with its new text (none: it is to go) and what it looked like when it was last known. What somebody else has changed is left alone.
pub fn save_files(root: &Path, files: Vec<(Arc<str>, Option<String>, Option<Stamp>)>) -> Vec<Written> {
    let one = |name: &str, text: Option<&str>, known: Option<Stamp>| -> Outcome {
        let Some(path) = path_of(root, name) else {
            return Outcome::Failed(format!("{name} cannot be the name of a file in this folder"));
        };
        if read_stamp(&path).ok() != known {
            return Outcome::Changed;
        }
        let done = match text {
            Some(text) => write(&path, text),
            None => std::fs::remove_file(&path),
        };
        match done {
            Ok(()) => Outcome::Done(read_stamp(&path).ok()),
            Err(e) => Outcome::Failed(format!("cannot write {name}: {e}")),
        }
    };
    // What is to go goes last, and only if all else is written: of a file with another name there is never less than one.
    let (mut files, gone): (Vec<_>, Vec<_>) = files.into_iter().partition(|(_, text, _)| text.is_some());
    let kept = files.len();
    files.extend(gone);
    let mut out: Vec<Written> = Vec::new();
    for (n, (name, text, known)) in files.into_iter().enumerate() {
        let all = out.iter().take(kept).all(|w| matches!(w.outcome, Outcome::Done(_)));
        let outcome = match n >= kept && !all {
            true => Outcome::Failed(format!("{name} stays on the disk until everything else is saved")),
            false => one(&name, text.as_deref(), known),
        };
        out.push(Written { name, text, outcome });
    }
    out
}

/// A file's text, if there is one.
pub fn read(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// A file's bytes, if there is one.
pub fn read_bytes(path: &Path) -> Option<Vec<u8>> {
    std::fs::read(path).ok()
}

/// A file's bytes, if it is a file of at most so many.
///
/// # Errors
/// What the system says, or that it is too large.
pub fn read_at_most(path: &Path, most: usize) -> Result<Vec<u8>, String> {
    let cannot = |e: io::Error| e.to_string();
    let Stamp(_, size) = read_stamp(path).map_err(cannot)?;
    if size > most as u64 {
        return Err(format!("it is larger than {} MB", most >> 20));
    }
    std::fs::read(path).map_err(cannot)
}

/// Removes a file; that it is not there is as good.
pub fn remove_file(path: &Path) {
    std::fs::remove_file(path).ok();
}

/// Puts the games that ship into a folder, if it is not there yet: all of them or none, so that an interrupted run can be repeated. Says whether it did.
///
/// # Errors
/// What cannot be written, and why.
pub fn unpack_shipped(folder: &Path) -> Result<bool, String> {
    if folder.exists() {
        return Ok(false);
    }
    let own = folder.file_name().unwrap_or_default().to_string_lossy();
    let beside = folder.with_file_name(format!(".{own}.{}.part", std::process::id()));
    let fill = || -> Result<(), String> {
        for (name, bytes) in houserule::shipped::files() {
            let path = beside.join(&name);
            let made = path
                .parent()
                .map_or(Ok(()), std::fs::create_dir_all)
                .and_then(|()| std::fs::write(&path, bytes));
            made.map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        }
        std::fs::rename(&beside, folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))
    };
    let done = fill();
    if done.is_err() {
        std::fs::remove_dir_all(&beside).ok();
        // Another window may have been quicker.
        if folder.exists() {
            return Ok(false);
        }
    }
    done.map(|()| true)
}

/// The folder to open for a path that somebody named, and the file to show in it: a folder as it is; for a file in `rules` or `scenarios` the folder that holds them, else the file's own.
pub fn root_of(path: &Path) -> (PathBuf, Option<Arc<str>>) {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    if !path.is_file() {
        return (path, None);
    }
    let own = path.parent().unwrap_or(Path::new("."));
    // A folder far above that happens to hold `rules` is not meant: the file lies in `rules` or `scenarios` there.
    let inside = |a: &Path| {
        let first = path.strip_prefix(a).ok().and_then(|p| p.iter().next());
        first.is_some_and(|f| f == "rules" || f == "scenarios")
    };
    let root = path.ancestors().skip(1).find(|a| inside(a) && a.join("rules").is_dir()).unwrap_or(own);
    let name = path.strip_prefix(root).ok().map(|p| {
        let parts: Vec<_> = p.iter().map(|x| x.to_string_lossy().into_owned()).collect();
        Arc::from(parts.join("/"))
    });
    (root.to_path_buf(), name)
}

/// Where the editor keeps what is its own: settings, recovery and the working copy of the games. None if the system names no such place.
pub fn home_folder() -> Option<PathBuf> {
    let var = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    if let Some(own) = var("HOUSERULE_HOME") {
        return Some(own);
    }
    if cfg!(windows) {
        return var("APPDATA").map(|p| p.join("houserule"));
    }
    if cfg!(target_os = "macos") {
        return var("HOME").map(|p| p.join("Library/Application Support/houserule"));
    }
    var("XDG_DATA_HOME").or_else(|| var("HOME").map(|p| p.join(".local/share"))).map(|p| p.join("houserule"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_seen_and_what_others_changed_is_not_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let put = |name: &str, text: &str| {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        put("rules/a.rules", "one");
        put("rules/.hidden/b.rules", "no");
        put("note.txt", "no");
        std::fs::write(root.join("bad.rules"), [0xff, 0xfe]).unwrap();
        let loaded = load_folder(root).unwrap();
        assert_eq!(loaded.texts, [("rules/a.rules".into(), "one".to_string())]);
        assert_eq!(loaded.unreadable.len(), 1);
        assert!(find_changes(root, &loaded.stamps).iter().all(|(n, _)| &**n != "rules/a.rules"));
        put("rules/a.rules", "three");
        put("c.scenario", "new");
        let seen = find_changes(root, &loaded.stamps);
        let names: Vec<&str> = seen.iter().map(|(n, _)| &**n).collect();
        assert_eq!(names, ["c.scenario", "rules/a.rules"]);
        let a: Arc<str> = "rules/a.rules".into();
        let files = vec![(a.clone(), Some("mine".to_string()), loaded.stamps.get(&a).copied())];
        assert!(matches!(save_files(root, files)[0].outcome, Outcome::Changed));
        assert_eq!(read(&root.join("rules/a.rules")).unwrap(), "three");
        let known = seen[1].1.as_ref().map(|(_, s)| *s);
        assert!(matches!(
            save_files(root, vec![(a.clone(), Some("mine".into()), known)])[0].outcome,
            Outcome::Done(_)
        ));
        assert_eq!(read(&root.join("rules/a.rules")).unwrap(), "mine");
        assert!(matches!(
            save_files(root, vec![("../x.rules".into(), Some("".into()), None)])[0].outcome,
            Outcome::Failed(_)
        ));
        // Of a file that got another name the old one goes only when the new one is there.
        let (from, to): (Arc<str>, Arc<str>) = ("rules/a.rules".into(), "rules/z.rules".into());
        let looks = read_stamp(&root.join("rules/a.rules")).ok();
        put("rules/z.rules", "somebody else's");
        let moving = |known| vec![(from.clone(), None, looks), (to.clone(), Some("mine".to_string()), known)];
        let done = save_files(root, moving(None));
        assert!(matches!(done[0].outcome, Outcome::Changed) && matches!(done[1].outcome, Outcome::Failed(_)));
        assert!(root.join("rules/a.rules").exists());
        let done = save_files(root, moving(read_stamp(&root.join("rules/z.rules")).ok()));
        assert!(done.iter().all(|w| matches!(w.outcome, Outcome::Done(_))));
        assert!(!root.join("rules/a.rules").exists());
        assert_eq!(read(&root.join("rules/z.rules")).unwrap(), "mine");
        std::fs::remove_file(root.join("rules/z.rules")).unwrap();
        put("rules/a.rules", "mine");
        std::fs::remove_file(root.join("c.scenario")).unwrap();
        let stamps = [("c.scenario".into(), known.unwrap())].into();
        assert!(find_changes(root, &stamps).contains(&("c.scenario".into(), None)));
        assert_eq!(std::fs::read_dir(root.join("rules")).unwrap().count(), 2, "nothing is left beside");
    }

    /// A link that leads back lists nothing twice, and a folder keeps its own name.
    #[cfg(unix)]
    #[test]
    fn links_list_nothing_twice() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        std::fs::create_dir_all(root.join("rules/game")).unwrap();
        std::fs::write(root.join("rules/game/a.rules"), "one").unwrap();
        std::os::unix::fs::symlink(root, root.join("rules/round")).unwrap();
        std::os::unix::fs::symlink(root.join("rules/game"), root.join("again")).unwrap();
        let names: Vec<_> =
            load_folder(root).unwrap().texts.into_iter().map(|(n, _)| n.to_string()).collect();
        assert_eq!(names, ["rules/game/a.rules"]);
        // A link to a folder outside the root is followed.
        let other = tempfile::tempdir().unwrap();
        std::fs::write(other.path().join("b.rules"), "two").unwrap();
        std::os::unix::fs::symlink(other.path(), root.join("other")).unwrap();
        assert_eq!(load_folder(root).unwrap().texts.len(), 2);
    }

    #[test]
    fn a_file_opens_the_folder_around_its_rules() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        unpack_shipped(&root.join("games")).unwrap();
        let all = load_folder(&root.join("games")).unwrap();
        assert!(all.texts.len() > 30 && all.unreadable.is_empty());
        assert_eq!(std::fs::read_dir(&root).unwrap().count(), 1, "nothing is left beside");
        let (name, _) = &all.texts[0];
        assert_eq!(root_of(&root.join("games").join(&**name)), (root.join("games"), Some(name.clone())));
        assert_eq!(root_of(&root), (root.clone(), None));
        let lone = root.join("elsewhere/lone.rules");
        std::fs::create_dir_all(root.join("rules")).unwrap();
        std::fs::create_dir_all(root.join("elsewhere")).unwrap();
        std::fs::write(&lone, "").unwrap();
        assert_eq!(root_of(&lone), (root.join("elsewhere"), Some("lone.rules".into())));
    }
}
