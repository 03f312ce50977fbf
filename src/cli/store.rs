//! Two places with files, the disk and what is built into the binary, behind one face.
use crate::shipped;
use include_dir::{Dir, DirEntry};
use std::io;
use std::path::{Component, Path, PathBuf};

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

/// How deep folders are searched.
const DEEPEST: usize = 12;

impl Store {
    /// Files and folders of a folder, by name.
    pub fn list(self, folder: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
        let mut out = Vec::new();
        match self {
            Store::Disk => {
                let dir = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
                for entry in std::fs::read_dir(dir)? {
                    let entry = entry?;
                    // A link to nowhere is neither.
                    if let Ok(meta) = std::fs::metadata(entry.path()) {
                        out.push((folder.join(entry.file_name()), meta.is_dir()));
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
            Store::Disk => std::fs::read(file),
            Store::Shipped => {
                let (root, rest) = split(file).ok_or(io::ErrorKind::NotFound)?;
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
    pub fn files(self, folder: &Path, end: &str) -> Vec<PathBuf> {
        let list = self.list(folder).unwrap_or_default();
        list.into_iter().filter(|(p, dir)| !dir && has_end(p, end)).map(|(p, _)| p).collect()
    }

    /// All files below a folder whose names end in one of these, in order. Hidden folders and those of build tools are left out.
    pub fn walk(self, folder: &Path, ends: &[&str]) -> io::Result<Vec<PathBuf>> {
        let mut out = Vec::new();
        self.walk_into(folder, ends, 0, &mut out)?;
        Ok(out)
    }

    fn walk_into(self, folder: &Path, ends: &[&str], depth: usize, out: &mut Vec<PathBuf>) -> io::Result<()> {
        for (path, dir) in self.list(folder)? {
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

/// Whether a file's name ends so, with a stem before it.
pub fn has_end(path: &Path, end: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(end))
}

/// A path with `/` between its parts, for people and as a file's name.
pub fn slashed(path: &Path) -> String {
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

fn split(path: &Path) -> Option<(&'static Dir<'static>, &Path)> {
    if let Ok(rest) = path.strip_prefix("rules") {
        return Some((shipped::rules(), rest));
    }
    path.strip_prefix("scenarios").ok().map(|rest| (shipped::scenarios(), rest))
}

fn shipped_root(path: &Path) -> PathBuf {
    path.components().next().map(|c| PathBuf::from(c.as_os_str())).unwrap_or_default()
}

fn shipped_dir(path: &Path) -> Option<&'static Dir<'static>> {
    let (root, rest) = split(path)?;
    if rest.as_os_str().is_empty() { Some(root) } else { root.get_dir(rest) }
}
