//! The working copy of the shipped games: what was put into it, what this program would put there now, and what was changed since.
//!
//! Beside the copy stands a list of what was put in, a print of each file. A file that is as it was put in may be renewed; one that is not has changes of a person's, and
//! is never touched.
use crate::disk;
use houserule::text::fnv1a;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Prints of files by name.
type Prints = BTreeMap<String, String>;

/// What other games ship now than are in the copy.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Renewal {
    /// Files that are as they were put in, and others now, or new.
    pub renewed: Vec<String>,
    /// Files that are as they were put in and no longer ship.
    pub gone: Vec<String>,
    /// Files that ship otherwise now, but have changes of a person's: they stay as they are.
    pub kept: Vec<String>,
}

impl Renewal {
    /// How many files change.
    pub fn change_count(&self) -> usize {
        self.renewed.len() + self.gone.len()
    }

    /// What was done, in a sentence.
    pub fn describe(&self) -> String {
        let files = |n: usize| if n == 1 { String::from("1 file") } else { format!("{n} files") };
        let done = match self.change_count() {
            0 => String::from("Nothing was renewed"),
            n => format!("Renewed {}", files(n)),
        };
        match self.kept.as_slice() {
            [] => done,
            [one] => format!("{done}; {one} has changes of yours and stays as it is"),
            several => format!("{done}; as they are stay, with changes of yours: {}", several.join(", ")),
        }
    }
}

/// What tells a file's bytes from others: their number, and a sum that is the same in every run.
fn fingerprint(bytes: &[u8]) -> String {
    format!("{:016x}-{}", fnv1a(bytes.iter().copied()), bytes.len())
}

/// Where the list of what was put into a copy stands: beside it.
fn list_of(folder: &Path) -> PathBuf {
    let own = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!("{own}.prints"))
}

/// A line a file: its print and its name.
fn read(text: &str) -> Prints {
    let line = |l: &str| l.split_once(' ').map(|(print, name)| (name.to_string(), print.to_string()));
    text.lines().filter_map(line).collect()
}

fn write_list(prints: &Prints) -> String {
    prints.iter().map(|(name, print)| format!("{print} {name}\n")).collect()
}

/// What is to be done about a copy: `put` was put into it, `ships` would be now, and `is` tells what is there.
fn plan_renewal(put: &Prints, ships: &Prints, is: impl Fn(&str) -> Option<String>) -> Renewal {
    let mut out = Renewal::default();
    let names: BTreeSet<&String> = put.keys().chain(ships.keys()).collect();
    for name in names {
        let (was, new, now) = (put.get(name), ships.get(name), is(name));
        if was == new || now.as_ref() == new {
            // The same ships as before, or it is there already.
            continue;
        }
        match (now.as_ref() == was, new) {
            (true, Some(_)) => out.renewed.push(name.clone()),
            (true, None) => out.gone.push(name.clone()),
            (false, _) => out.kept.push(name.clone()),
        }
    }
    out
}

fn shipped_prints() -> Prints {
    houserule::shipped::files().into_iter().map(|(name, bytes)| (name, fingerprint(bytes))).collect()
}

fn plan_folder(folder: &Path) -> Renewal {
    // Without a list nobody knows what is a person's: only what is missing is put in.
    let put = disk::read(&list_of(folder)).map(|t| read(&t)).unwrap_or_default();
    let is =
        |name: &str| disk::path_of(folder, name).and_then(|p| disk::read_bytes(&p)).map(|b| fingerprint(&b));
    plan_renewal(&put, &shipped_prints(), is)
}

/// Puts the games that ship into a folder, if it is not there yet, and the list of them beside it.
///
/// # Errors
/// What cannot be written, and why.
pub fn unpack_copy(folder: &Path) -> Result<(), String> {
    if disk::unpack_shipped(folder)? {
        note_shipped(folder)?;
    }
    Ok(())
}

/// Notes what ships now as what was put in.
fn note_shipped(folder: &Path) -> Result<(), String> {
    let list = list_of(folder);
    disk::write(&list, write_list(&shipped_prints()))
        .map_err(|e| format!("cannot write {}: {e}", list.display()))
}

/// What other games ship now than are in a copy; none if there is nothing to say.
pub fn find_renewal(folder: &Path) -> Option<Renewal> {
    let plan = plan_folder(folder);
    if plan == Renewal::default() {
        // What there is may have come there another way; from now on it is known as what was put in. That it could not be noted is said when it matters.
        let known = disk::read(&list_of(folder)).is_some_and(|t| read(&t) == shipped_prints());
        if !known {
            note_shipped(folder).ok();
        }
        return None;
    }
    Some(plan)
}

/// Renews a copy: files that are as they were put in. What stays with changes of a person's is not asked about again until it ships otherwise once more.
///
/// # Errors
/// What cannot be written, and why; trying again does the rest.
pub fn renew_copy(folder: &Path) -> Result<Renewal, String> {
    let plan = plan_folder(folder);
    for (name, bytes) in houserule::shipped::files() {
        if plan.renewed.contains(&name)
            && let Some(path) = disk::path_of(folder, &name)
        {
            disk::write(&path, bytes).map_err(|e| format!("cannot write {name}: {e}"))?;
        }
    }
    for path in plan.gone.iter().filter_map(|name| disk::path_of(folder, name)) {
        disk::remove_file(&path);
    }
    note_shipped(folder)?;
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prints(all: &[(&str, &str)]) -> Prints {
        all.iter().map(|(n, p)| (n.to_string(), p.to_string())).collect()
    }

    #[test]
    fn what_a_person_changed_stays() {
        let put = prints(&[
            ("same", "1"),
            ("new", "1"),
            ("mine", "1"),
            ("old", "1"),
            ("kept", "1"),
            ("gone", "1"),
            ("there", "1"),
        ]);
        let ships = prints(&[
            ("same", "1"),
            ("new", "2"),
            ("mine", "2"),
            ("gone", "2"),
            ("there", "2"),
            ("added", "2"),
            ("taken", "2"),
        ]);
        let is = prints(&[
            ("same", "x"),
            ("new", "1"),
            ("mine", "x"),
            ("old", "1"),
            ("kept", "x"),
            ("there", "2"),
            ("taken", "x"),
            ("own", "x"),
        ]);
        let plan = plan_renewal(&put, &ships, |name| is.get(name).cloned());
        assert_eq!(plan.renewed, ["added", "new"]);
        assert_eq!(plan.gone, ["old"]);
        assert_eq!(
            plan.kept,
            ["gone", "kept", "mine", "taken"],
            "removed, no longer shipped, changed, and a name that is taken"
        );
        assert_eq!(
            plan.describe(),
            "Renewed 3 files; as they are stay, with changes of yours: gone, kept, mine, taken"
        );
        assert_eq!(read(&write_list(&put)), put);
    }

    #[test]
    fn a_copy_of_an_older_program_is_renewed_but_for_what_was_changed() {
        let dir = tempfile::tempdir().unwrap();
        let copy = dir.path().join("games");
        unpack_copy(&copy).unwrap();
        assert_eq!(find_renewal(&copy), None);
        // As an older program left it: three files were others, one is not there yet, one no longer ships.
        let all = houserule::shipped::files();
        let name = |n: usize| all[n].0.clone();
        let list = list_of(&copy);
        let mut put = read(&std::fs::read_to_string(&list).unwrap());
        for n in 0..3 {
            std::fs::write(copy.join(name(n)), "older").unwrap();
            put.insert(name(n), fingerprint(b"older"));
        }
        std::fs::remove_file(copy.join(name(3))).unwrap();
        put.remove(&name(3));
        std::fs::write(copy.join("rules/old.rules"), "older").unwrap();
        put.insert(String::from("rules/old.rules"), fingerprint(b"older"));
        std::fs::write(&list, write_list(&put)).unwrap();
        // A person has changed one of them since, and another that ships as before.
        std::fs::write(copy.join(name(1)), "mine").unwrap();
        std::fs::write(copy.join(name(5)), "mine, too").unwrap();
        let wanted = find_renewal(&copy).unwrap();
        assert_eq!(
            (&wanted.gone[..], &wanted.kept[..]),
            (&[String::from("rules/old.rules")][..], &[name(1)][..])
        );
        assert_eq!(wanted.renewed, [name(0), name(2), name(3)]);
        assert_eq!(renew_copy(&copy), Ok(wanted));
        let text = |n: usize| std::fs::read(copy.join(name(n))).unwrap();
        assert_eq!(
            (text(1), text(5)),
            (b"mine".to_vec(), b"mine, too".to_vec()),
            "nothing of a person's is lost"
        );
        for n in [0, 2, 3] {
            assert_eq!(text(n), all[n].1);
        }
        assert!(!copy.join("rules/old.rules").exists());
        assert_eq!(find_renewal(&copy), None, "it is not said again");
        // A copy without a list is known from now on, if it is as it ships.
        for n in [1, 5] {
            std::fs::write(copy.join(name(n)), all[n].1).unwrap();
        }
        std::fs::remove_file(&list).unwrap();
        assert_eq!(find_renewal(&copy), None);
        assert_eq!(read(&std::fs::read_to_string(&list).unwrap()), shipped_prints());
        for n in [1, 5] {
            std::fs::write(copy.join(name(n)), "mine").unwrap();
        }
        // Else nothing is known of what is there, so nothing of it is touched.
        std::fs::remove_file(&list).unwrap();
        let wanted = find_renewal(&copy).unwrap();
        assert_eq!((wanted.change_count(), &wanted.kept[..]), (0, &[name(1), name(5)][..]));
    }
}
