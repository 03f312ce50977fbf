//! The games that a change touches, as git tells it.
use crate::io::Failure;
use crate::load::Spot;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files that differ from a revision, new ones and ones that are gone with them.
pub struct Changed {
    files: HashSet<PathBuf>,
    /// The folders of files that are gone.
    emptied: HashSet<PathBuf>,
}

impl Changed {
    /// What differs from a revision in the repository around the current folder.
    pub fn since(rev: &str) -> Result<Changed, Failure> {
        if rev.starts_with('-') {
            return Err(Failure::Usage(format!("--changed-since: {rev} is no revision")));
        }
        let top = PathBuf::from(run_git(&["rev-parse", "--show-toplevel"], Path::new("."))?.trim_end());
        let mut names = run_git(&["diff", "--name-only", "--no-renames", "-z", rev, "--"], &top)?;
        names.push_str(&run_git(&["ls-files", "--others", "--exclude-standard", "-z"], &top)?);
        let mut changed = Changed { files: HashSet::new(), emptied: HashSet::new() };
        for name in names.split('\0').filter(|n| !n.is_empty()) {
            let path = top.join(name);
            match (path.canonicalize(), path.parent().map(Path::canonicalize)) {
                (Ok(file), _) => changed.files.insert(file),
                (Err(_), Some(Ok(folder))) => changed.emptied.insert(folder),
                _ => false,
            };
        }
        Ok(changed)
    }

    /// Whether a file of a game differs, or one is gone from its folders.
    pub fn touches(&self, spot: &Spot) -> Result<bool, Failure> {
        let bundle = spot.load_bundle()?;
        let real = |path: &Path| path.canonicalize().ok();
        let mut paths = bundle.shown.values().filter_map(|shown| real(Path::new(shown)));
        Ok(paths.any(|file| {
            self.files.contains(&file) || file.parent().is_some_and(|folder| self.emptied.contains(folder))
        }))
    }
}

/// What git says, without colours and pagers.
fn run_git(args: &[&str], folder: &Path) -> Result<String, Failure> {
    let done = Command::new("git").args(args).current_dir(folder).output();
    let done = done.map_err(|e| Failure::Unreadable(format!("cannot run git: {e}")))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        let said = said.lines().next().unwrap_or("it failed").trim_start_matches("fatal: ");
        return Err(Failure::Usage(format!("--changed-since: git says: {said}")));
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}
