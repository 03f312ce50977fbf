//! A match that begins in a given state: a block of statements in place of the game's beginning.
use crate::cli::io::{Failure, Io};
use crate::cli::report;
use crate::cli::setup::Loaded;
use crate::lab::testing;
use crate::play::{Game, Match};
use crate::text::File;
use serde_json::Value;
use std::path::Path;

/// The file that the block is read as.
const NAME: &str = "given.rules";

/// The name of the test that the block is made into.
const TITLE: &str = "given state of a match";

/// Why a match cannot begin so.
pub struct Wrong {
    /// In one sentence.
    pub message: String,
    /// What the checker found, for machines.
    pub findings: Value,
    /// The same for people.
    pub shown: String,
}

/// Begins a match in the state that a file describes.
pub fn start(loaded: &Loaded, path: &Path, seed: u64, io: &mut Io) -> Result<Match, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| Failure::Unreadable(format!("cannot read {}: {e}", path.display())))?;
    begin(loaded, &text, seed, Some(io)).map_err(|w| {
        io.warn(&w.shown);
        Failure::Wrong(format!("{}: {}", path.display(), w.message))
    })
}

/// Begins a match in the state that a text describes.
pub fn from_text(loaded: &Loaded, text: &str, seed: u64) -> Result<Match, Wrong> {
    begin(loaded, text, seed, None)
}

fn plain(message: impl Into<String>) -> Wrong {
    Wrong { message: message.into(), findings: Value::Null, shown: String::new() }
}

/// `given on S with A, B { … }` is a test that is played to its end and handed over. What it leaves unsaid is that the rounds begin.
fn begin(loaded: &Loaded, text: &str, seed: u64, io: Option<&Io>) -> Result<Match, Wrong> {
    let body = text.trim_start_matches('\u{feff}');
    let at = body.find(|c: char| !c.is_whitespace()).unwrap_or(0);
    let Some(rest) = body.get(at..).and_then(|b| b.strip_prefix("given")) else {
        return Err(plain("a given state is written `given { … }`"));
    };
    let mut test = format!("{}test \"{TITLE}\"{rest}", body.get(..at).unwrap_or(""));
    if !rest.contains("start at") {
        match test.trim_end().strip_suffix('}') {
            Some(open) => test = format!("{open}\n  start at round\n}}\n"),
            None => return Err(plain("a given state is written `given { … }`")),
        }
    }
    let mut bundle = loaded.bundle.clone();
    bundle.files.add(File::new(NAME, test));
    let game = match Game::load_with_files(&bundle.files) {
        Ok(game) => game,
        Err((files, report)) => {
            let errors: Vec<_> = report.findings.iter().filter(|d| d.is_error()).cloned().collect();
            let findings = errors.iter().map(|d| report::json(&bundle, &files, d)).collect::<Vec<_>>();
            let shown = io.map_or(String::new(), |io| report::draw(&bundle, &files, &errors, io));
            return Err(Wrong {
                message: String::from("the block has errors"),
                findings: findings.into(),
                shown,
            });
        }
    };
    let (mut machine, setup) = testing::given(&game, TITLE, seed).map_err(|f| plain(f.to_string()))?;
    machine.record(true);
    Ok(Match::new(game, setup, machine))
}
