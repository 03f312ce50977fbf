//! What a benchmark writes for machines: where it ran, and every round's rate, so that two files can be compared with intervals.
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::Command;

/// The name of the format, and its version: it changes when a field changes its meaning.
pub const FORMAT: &str = "houserule-bench";
pub const VERSION: u32 = 1;

/// Where a benchmark ran. What the system does not tell is empty or 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// The processor's name.
    pub processor: String,
    /// Processors that the system offers.
    pub processors: usize,
    /// Main memory, in KiB.
    pub memory: u64,
    /// Operating system and architecture.
    pub system: String,
    /// The compiler that is found now.
    pub compiler: String,
    /// The commit that is checked out, with `+` if something has been changed since.
    pub commit: String,
    /// How many were waiting for a processor when it began, on average over a minute: beside processes of others rates mean little.
    pub load: f64,
    /// Seconds since 1970 when it ended.
    pub time: u64,
}

impl Facts {
    pub fn here() -> Facts {
        let file = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let field = |text: &str, name: &str| -> String {
            let line = text.lines().find(|l| l.starts_with(name)).and_then(|l| l.split_once(':'));
            line.map_or(String::new(), |(_, value)| value.trim().into())
        };
        let said = |program: &str, args: &[&str]| -> String {
            let done = Command::new(program).args(args).current_dir(env!("CARGO_MANIFEST_DIR")).output();
            let done = done.ok().filter(|d| d.status.success());
            done.map_or(String::new(), |d| String::from_utf8_lossy(&d.stdout).trim().into())
        };
        let changed = !said("git", &["status", "--porcelain", "--untracked-files=no"]).is_empty();
        Facts {
            processor: field(&file("/proc/cpuinfo"), "model name"),
            processors: std::thread::available_parallelism().map_or(0, Into::into),
            memory: field(&file("/proc/meminfo"), "MemTotal")
                .split(' ')
                .next()
                .and_then(|n| n.parse().ok())
                .unwrap_or(0),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            compiler: said("rustc", &["--version"]),
            commit: said("git", &["rev-parse", "--short", "HEAD"]) + if changed { "+" } else { "" },
            load: file("/proc/loadavg").split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0.0),
            time: std::time::SystemTime::now()
                .duration_since(std::time::UNIX_EPOCH)
                .map_or(0, |d| d.as_secs()),
        }
    }
}

/// One side of one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The game and its set-up.
    pub game: String,
    /// Who played: `engine`, or a way of writing it by hand.
    pub kind: String,
    /// Games a second, round by round. Rounds with the same number ran one after the other: their ratio is what a busy machine spoils least.
    pub rates: Vec<f64>,
    /// How many games.
    pub games: u64,
    /// Mean choices a game, and its standard error.
    pub length: f64,
    /// Its standard error.
    pub error: f64,
    /// Bytes of a state; 0 if that was not measured.
    pub bytes: usize,
}

/// What one run has measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub format: String,
    pub version: u32,
    /// The benchmark.
    pub bench: String,
    pub machine: Facts,
    pub lines: Vec<Line>,
}

impl Report {
    pub fn new(bench: &str) -> Report {
        Report {
            format: FORMAT.into(),
            version: VERSION,
            bench: bench.into(),
            machine: Facts::here(),
            lines: Vec::new(),
        }
    }

    /// Writes it to a file.
    pub fn write(&self, path: &Path) {
        let text = serde_json::to_string_pretty(self).expect("plain data");
        std::fs::write(path, text + "\n").unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }

    /// Reads it from a file. The error is a sentence.
    pub fn read(path: &Path) -> Result<Report, String> {
        let at = path.display();
        let text = std::fs::read_to_string(path).map_err(|e| format!("{at}: {e}"))?;
        let report: Report = serde_json::from_str(&text).map_err(|e| format!("{at}: {e}"))?;
        if report.format != FORMAT || report.version != VERSION {
            return Err(format!(
                "{at}: this is {} {}, not {FORMAT} {VERSION}",
                report.format, report.version
            ));
        }
        Ok(report)
    }
}
