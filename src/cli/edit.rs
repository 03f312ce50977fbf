//! `edit`: starts the editor, which is a program of its own beside this one.
use super::args::EditArgs;
use super::io::{Exit, Failure, Io};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the command.
pub fn run(args: &EditArgs, _io: &mut Io) -> Result<Exit, Failure> {
    if let Some(path) = args.path.as_ref().filter(|p| !p.exists()) {
        return Err(Failure::Unreadable(format!("there is no file or folder {}", path.display())));
    }
    let own = std::env::current_exe().unwrap_or_default();
    let program = find_beside(&own).ok_or_else(|| to_failure(&own))?;
    // It is waited for, so that what it says when it cannot open a window is seen.
    let status = Command::new(&program).args(&args.path).status();
    match status {
        Ok(status) if status.success() => Ok(Exit::Fine),
        Ok(status) if status.code() == Some(2) => Err(Failure::Shown(Exit::Usage)),
        Ok(_) => Err(Failure::Shown(Exit::Unreadable)),
        Err(e) => Err(Failure::Unreadable(format!("cannot start {}: {e}", program.display()))),
    }
}

/// The editor beside a program, if it is there.
fn find_beside(own: &Path) -> Option<PathBuf> {
    let name = format!("houserule-editor{}", std::env::consts::EXE_SUFFIX);
    Some(own.parent()?.join(name)).filter(|p| p.is_file())
}

fn to_failure(own: &Path) -> Failure {
    let folder = own.parent().unwrap_or(Path::new("."));
    Failure::Unreadable(format!(
        "the editor, houserule-editor, was not found in the folder of this program, {}; put it there, or build it in the project: cargo build --release -p houserule-editor",
        folder.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_editor_is_looked_for_beside_this_program() {
        let dir = tempfile::tempdir().unwrap();
        let own = dir.path().join("houserule");
        assert_eq!(find_beside(&own), None);
        let Failure::Unreadable(text) = to_failure(&own) else { panic!() };
        assert!(text.contains("cargo build --release -p houserule-editor"), "{text}");
        let program = dir.path().join(format!("houserule-editor{}", std::env::consts::EXE_SUFFIX));
        std::fs::write(&program, "").unwrap();
        assert_eq!(find_beside(&own), Some(program));
    }
}
