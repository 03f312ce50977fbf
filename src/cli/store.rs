//! Reads files from two places through one interface: the disk, and what is built into the binary.
use houserule_model::MOST_FILES;
use houserule_shipped as shipped;
use include_dir::{Dir, DirEntry};
use std::collections::{HashMap, HashSet};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Where a path is to be looked up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Store {
    /// In the file system.
    Disk,
    /// In the binary: paths begin with `rules` or `scenarios`.
    Shipped,
}

/// Folders that never hold games of the user.
const SKIPPED: [&str; 3] = ["target", "node_modules", "vendor"];

/// How many bytes of a file are read: more than any of them may hold, so that one that is too large is told so where it is read.
pub const LARGEST: u64 = 16 << 20;

/// How deep folders are searched.
const DEEPEST: usize = 12;

impl Store {
    /// Files and folders of a folder, by name.
    pub fn list_folder(self, folder: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
        let mut out = Vec::new();
        match self {
            Store::Disk => {
                let dir = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
                for entry in std::fs::read_dir(dir)? {
                    let entry = entry?;
                    let mut sort = entry.file_type();
                    if sort.as_ref().is_ok_and(|s| s.is_symlink()) {
                        sort = std::fs::metadata(entry.path()).map(|m| m.file_type());
                    }
                    // A link to nowhere is neither.
                    if let Ok(sort) = sort {
                        out.push((folder.join(entry.file_name()), sort.is_dir()));
                    }
                }
            }
            Store::Shipped => {
                let dir = shipped_dir(folder).ok_or(io::ErrorKind::NotFound)?;
                let root = shipped_root(folder);
                for entry in dir.entries() {
                    out.push((root.join(entry.path()), matches!(entry, DirEntry::Dir(_))));
                }
            }
        }
        out.sort();
        Ok(out)
    }

    /// The bytes of a file.
    pub fn read(self, file: &Path) -> io::Result<Vec<u8>> {
        match self {
            Store::Disk => read_whole(file, LARGEST),
            Store::Shipped => {
                let (root, rest) = split_shipped(file).ok_or(io::ErrorKind::NotFound)?;
                Ok(root.get_file(rest).ok_or(io::ErrorKind::NotFound)?.contents().to_vec())
            }
        }
    }

    /// Whether there is such a folder.
    pub fn is_dir(self, path: &Path) -> bool {
        match self {
            Store::Disk => path.as_os_str().is_empty() || path.is_dir(),
            Store::Shipped => shipped_dir(path).is_some(),
        }
    }

    /// Files of a folder whose names end so, in order.
    pub fn list_files(self, folder: &Path, end: &str) -> Vec<PathBuf> {
        let list = self.list_folder(folder).unwrap_or_default();
        list.into_iter().filter(|(p, dir)| !dir && has_end(p, end)).map(|(p, _)| p).collect()
    }

    /// All files below a folder whose names end in one of these, in order. Hidden folders and those of build tools are left out.
    pub fn walk_folder(self, folder: &Path, ends: &[&str]) -> io::Result<Vec<PathBuf>> {
        let mut out = Vec::new();
        self.walk_into(folder, ends, 0, &mut out)?;
        Ok(out)
    }

    fn walk_into(self, folder: &Path, ends: &[&str], depth: usize, out: &mut Vec<PathBuf>) -> io::Result<()> {
        for (path, dir) in self.list_folder(folder)? {
            if !dir {
                if ends.iter().any(|e| has_end(&path, e)) {
                    out.push(path);
                }
                continue;
            }
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if depth < DEEPEST && !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
                // A folder that may not be read holds nothing to find.
                self.walk_into(&path, ends, depth + 1, out).ok();
            }
        }
        Ok(())
    }
}

/// The bytes of a file that holds at most so many.
///
/// # Errors
/// What the system says; that it is too large; that it is no regular file: a pipe or a device may never end.
pub fn read_whole(file: &Path, most: u64) -> io::Result<Vec<u8>> {
    if !std::fs::metadata(file)?.is_file() {
        return Err(no_file());
    }
    let mut bytes = Vec::new();
    std::fs::File::open(file)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it is larger than {} MiB", most >> 20)));
    }
    Ok(bytes)
}

/// Writes a file so that it is either the old one or the new one, never half of it. Behind a link, the file that it leads to is written.
///
/// # Errors
/// What the system says; that something is there that is no regular file.
pub fn write_whole(file: &Path, text: &[u8]) -> io::Result<()> {
    let file = follow_links(file);
    let old = std::fs::metadata(&file).ok();
    if old.as_ref().is_some_and(|m| !m.is_file()) {
        return Err(no_file());
    }
    let folder = match file.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    };
    let own = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    remove_stale(folder, &own);
    let beside = folder.join(part_name(&own));
    let written = write_beside(&beside, text, old).and_then(|()| std::fs::rename(&beside, &file));
    if written.is_err() {
        std::fs::remove_file(&beside).ok();
    }
    written
}

fn no_file() -> io::Error {
    io::Error::other("it is not a regular file")
}

/// Where a path leads: through links, also to where nothing is yet.
fn follow_links(file: &Path) -> PathBuf {
    let mut file = file.to_path_buf();
    for _ in 0..40 {
        let Ok(target) = std::fs::read_link(&file) else { break };
        file = file.parent().unwrap_or(Path::new("")).join(target);
    }
    file
}

/// The name of what is written beside a file, to be renamed when it is whole.
fn part_name(own: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!(".{own}.{}-{}.part", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// How old what was written beside a file must be to be left over from a run that was killed.
const STALE: Duration = Duration::from_secs(60);

/// Removes what killed runs have left beside a file.
fn remove_stale(folder: &Path, own: &str) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let head = format!(".{own}.");
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(number) = name.strip_prefix(&head).and_then(|rest| rest.strip_suffix(".part")) else {
            continue;
        };
        let ours = number.bytes().all(|b| b.is_ascii_digit() || b == b'-');
        let age = entry.metadata().and_then(|m| m.modified()).ok().and_then(|t| t.elapsed().ok());
        if ours && age.is_some_and(|age| age > STALE) {
            std::fs::remove_file(entry.path()).ok();
        }
    }
}

/// Writes a new file, as readable as the old one is.
fn write_beside(file: &Path, text: &[u8], old: Option<std::fs::Metadata>) -> io::Result<()> {
    let mut new = std::fs::OpenOptions::new().write(true).create_new(true).open(file)?;
    new.write_all(text)?;
    new.sync_all()?;
    match old {
        Some(meta) => new.set_permissions(meta.permissions()),
        None => Ok(()),
    }
}

/// The folders that hold more of these files than a game may have: what is in them is refused before any of it is read.
pub fn find_crowded(files: &[PathBuf]) -> HashSet<&Path> {
    let mut held: HashMap<&Path, usize> = HashMap::new();
    for folder in files.iter().filter_map(|f| f.parent()) {
        *held.entry(folder).or_default() += 1;
    }
    held.into_iter().filter(|(_, n)| *n > MOST_FILES).map(|(folder, _)| folder).collect()
}

/// Whether a file's name ends so, with a stem before it.
pub fn has_end(path: &Path, end: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(end))
}

/// A path with `/` between its parts, for people and as a file's name.
pub fn to_slashed(path: &Path) -> String {
    let mut out = String::new();
    for part in path.components() {
        match part {
            Component::RootDir => out.push('/'),
            Component::CurDir => {}
            other => {
                if !out.is_empty() && !out.ends_with('/') {
                    out.push('/');
                }
                out.push_str(&other.as_os_str().to_string_lossy());
            }
        }
    }
    out
}

fn split_shipped(path: &Path) -> Option<(&'static Dir<'static>, &Path)> {
    if let Ok(rest) = path.strip_prefix("rules") {
        return Some((shipped::rules(), rest));
    }
    path.strip_prefix("scenarios").ok().map(|rest| (shipped::scenarios(), rest))
}

fn shipped_root(path: &Path) -> PathBuf {
    path.components().next().map(|c| PathBuf::from(c.as_os_str())).unwrap_or_default()
}

fn shipped_dir(path: &Path) -> Option<&'static Dir<'static>> {
    let (root, rest) = split_shipped(path)?;
    if rest.as_os_str().is_empty() { Some(root) } else { root.get_dir(rest) }
}
