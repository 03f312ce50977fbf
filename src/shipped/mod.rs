//! The games that ship, built into whatever uses this: rules and scenarios as they are in the project.
mod templates;

pub use templates::Template;

use include_dir::{Dir, File, include_dir};

static RULES: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../rules");
static SCENARIOS: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../scenarios");

/// The folder of all rules; its paths are relative to `rules`.
pub fn rules() -> &'static Dir<'static> {
    &RULES
}

/// The folder of all scenarios; its paths are relative to `scenarios`.
pub fn scenarios() -> &'static Dir<'static> {
    &SCENARIOS
}

/// Every shipped file: its name with `/`, beginning with `rules` or `scenarios`, and its bytes; in order of names.
pub fn files() -> Vec<(String, &'static [u8])> {
    fn go(root: &str, dir: &'static Dir<'static>, out: &mut Vec<(String, &'static [u8])>) {
        let name = |f: &File| {
            let parts: Vec<_> = f.path().iter().map(|p| p.to_string_lossy().into_owned()).collect();
            format!("{root}/{}", parts.join("/"))
        };
        out.extend(dir.files().map(|f| (name(f), f.contents())));
        dir.dirs().for_each(|d| go(root, d, out));
    }
    let mut out = Vec::new();
    go("rules", &RULES, &mut out);
    go("scenarios", &SCENARIOS, &mut out);
    out.sort();
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_ships_is_named_as_in_the_project() {
        let files = super::files();
        assert!(files.len() > 30);
        for (name, bytes) in files {
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(&name);
            assert_eq!(std::fs::read(path).unwrap(), bytes, "{name}");
        }
    }
}
