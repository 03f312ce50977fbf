//! The games that a change touches, as git tells it.
use crate::io::Failure;
use crate::load::Spot;
use crate::store::{Store, to_slashed};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files that differ from a revision, new ones and ones that are gone with them.
pub struct Changed {
    /// The top folder of the repository.
    top: PathBuf,
    /// Those that are there.
    files: HashSet<PathBuf>,
    /// Those that are gone; their folders may be gone, too.
    gone: Vec<PathBuf>,
}

impl Changed {
    /// What differs from a revision in the repository around the current folder.
    pub fn since(rev: &str) -> Result<Changed, Failure> {
        if rev.starts_with('-') {
            return Err(Failure::Usage(format!("--changed-since: {rev} is no revision")));
        }
        let top = PathBuf::from(run_git(&["rev-parse", "--show-toplevel"], Path::new("."))?.trim_end());
        let top = top.canonicalize().unwrap_or(top);
        let mut names = run_git(&["diff", "--name-only", "--no-renames", "-z", rev, "--"], &top)?;
        names.push_str(&run_git(&["ls-files", "--others", "--exclude-standard", "-z"], &top)?);
        let mut changed = Changed { top: top.clone(), files: HashSet::new(), gone: Vec::new() };
        for path in names.split('\0').filter(|n| !n.is_empty()).map(|n| top.join(n)) {
            match path.canonicalize() {
                Ok(file) => drop(changed.files.insert(file)),
                Err(_) => changed.gone.push(path),
            }
        }
        Ok(changed)
    }

    /// Whether a file of a game differs, or one is gone from its folder or from that of its scenarios.
    pub fn touches(&self, spot: &Spot) -> Result<bool, Failure> {
        let bundle = spot.load_bundle()?;
        let real = |path: &Path| path.canonicalize().ok();
        let folder = real(&Path::new(".").join(&spot.folder)).filter(|_| spot.store == Store::Disk);
        if let Some(folder) = folder.as_ref().filter(|f| !f.starts_with(&self.top)) {
            let message = format!("--changed-since: {} is not in this repository", to_slashed(folder));
            return Err(Failure::Usage(message));
        }
        let scenarios = Path::new("scenarios").join(spot.name());
        let was_its = |file: &PathBuf| {
            folder.as_ref().is_some_and(|f| file.starts_with(f))
                || file.parent().is_some_and(|p| p.ends_with(&scenarios))
        };
        let mut paths = bundle.shown.values().filter_map(|shown| real(Path::new(shown)));
        Ok(paths.any(|file| self.files.contains(&file)) || self.gone.iter().any(was_its))
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
