//! Claims on a folder: each window that has a folder open holds one, and keeps what is not saved in a file of its own. So a second window never sees, or loses, what the first has not saved.
use houserule::text::fnv1a;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// So many windows may have one folder open and keep what is not saved.
const WINDOWS: usize = 8;

/// A window's hold on a folder. It ends with the program, however that ends.
#[derive(Debug)]
pub struct Claim {
    /// Where this window keeps what is not saved.
    pub recovery: PathBuf,
    /// How many windows had the folder open before.
    pub others: usize,
    /// The lock; none where the system has no locks.
    _lock: Option<File>,
}

impl Claim {
    /// Claims a folder for this window; none if too many others have it open. `home` is where recovery files are.
    pub fn take(home: &Path, root: &Path) -> Option<Claim> {
        let folder = home.join("recovery");
        std::fs::create_dir_all(&folder).ok();
        (0..WINDOWS).find_map(|others| {
            let recovery = folder.join(recovery_name(root, others));
            let free = |lock| Some(Claim { recovery: recovery.clone(), others, _lock: lock });
            let Ok(file) = File::create(recovery.with_extension("lock")) else { return free(None) };
            match file.try_lock() {
                Ok(()) => free(Some(file)),
                Err(TryLockError::WouldBlock) => None,
                Err(TryLockError::Error(_)) => free(None),
            }
        })
    }
}

/// The name of the recovery file of a folder: the same in every run.
fn recovery_name(root: &Path, others: usize) -> String {
    let number = fnv1a(root.to_string_lossy().bytes());
    if others == 0 { format!("{number:016x}.ron") } else { format!("{number:016x}-{others}.ron") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_window_keeps_a_file_of_its_own() {
        let home = tempfile::tempdir().unwrap();
        let root = Path::new("/games");
        let first = Claim::take(home.path(), root).unwrap();
        let second = Claim::take(home.path(), root).unwrap();
        assert_eq!((first.others, second.others), (0, 1));
        assert_ne!(first.recovery, second.recovery);
        assert_eq!(Claim::take(home.path(), Path::new("/other")).unwrap().others, 0);
        let path = first.recovery.clone();
        drop(first);
        let again = Claim::take(home.path(), root).unwrap();
        assert_eq!((again.others, again.recovery), (0, path), "what a window leaves is free again");
    }

    #[test]
    fn too_many_windows_have_no_file() {
        let home = tempfile::tempdir().unwrap();
        let all: Vec<_> = (0..WINDOWS + 2).map(|_| Claim::take(home.path(), Path::new("/games"))).collect();
        assert_eq!(all.iter().flatten().count(), WINDOWS);
    }
}
