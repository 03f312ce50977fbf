//! The texts in which parts of the grammar are looked for: the book's examples, the small games and the pages of `tests/suite`.
use crate::support::{files_in, root};
use houserule::text::{File, Files};

/// Longer texts show nothing that a short one cannot.
const LONGEST: usize = 7_000;

/// A text with what it stands on.
pub struct Text {
    /// Its file; of a page, with the number of the block.
    pub name: String,
    prelude: Option<String>,
    pub text: String,
    scripts: Vec<(String, String)>,
}

impl Text {
    /// The same source with another text.
    pub fn with(&self, text: &str) -> Files {
        let mut files = Files::new();
        if let Some(prelude) = &self.prelude {
            files.add(File::new("prelude.rules", prelude.clone()));
        }
        files.add(File::new("it.rules", text));
        for (name, script) in self.scripts.iter().filter(|(name, _)| self.text.contains(name.as_str())) {
            files.add(File::new(name.clone(), script.clone()));
        }
        files
    }
}

/// All texts, short ones first, those last that are written to be wrong.
pub fn texts() -> Vec<Text> {
    let prelude =
        |name: &str| std::fs::read_to_string(root().join(format!("docs/book/preludes/{name}.rules"))).ok();
    let paths: Vec<_> = ["tests/suite", "docs/book"].iter().flat_map(|f| files_in(&root().join(f))).collect();
    let ends = |p: &std::path::Path, end: &str| p.extension().is_some_and(|e| e == end);
    let mut scripts = vec![("likely.rhai".to_string(), "fn likely(n) { n }".to_string())];
    for path in paths.iter().filter(|p| ends(p, "rhai")) {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        scripts.push((name, std::fs::read_to_string(path).expect("a script")));
    }
    let mut out = Vec::new();
    for path in &paths {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let name = path.strip_prefix(root()).unwrap_or(path).display().to_string();
        if ends(path, "rules") && !name.contains("preludes/") {
            out.push(Text { name, prelude: None, text, scripts: scripts.clone() });
        } else if ends(path, "md") {
            let blocks = text.split("```").skip(1).step_by(2).filter(|b| b.starts_with("rules"));
            for (i, block) in blocks.enumerate() {
                let (head, text) = block.split_once('\n').unwrap_or((block, ""));
                out.push(Text {
                    name: format!("{name}#{}", i + 1),
                    prelude: head.strip_prefix("rules ").and_then(prelude),
                    text: text.to_string(),
                    scripts: scripts.clone(),
                });
            }
        }
    }
    out.retain(|t| t.text.len() < LONGEST);
    let is_wrong = |t: &Text| t.name.contains("suite/check/") || t.name.contains("suite/mistakes/");
    out.sort_by_key(|t| (is_wrong(t), t.text.len() + t.prelude.as_ref().map_or(0, String::len)));
    out
}
