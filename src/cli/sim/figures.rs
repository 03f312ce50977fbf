//! Figures of a simulation, for people and for machines.
use crate::io::{Failure, Io};
use crate::setup::{self, Loaded};
use houserule_engine::Verdict;
use houserule_lab::simulate::{SimulationPlan, Summary};
use houserule_lab::stats::{Share, Spread};
use serde_json::{Value, json};
use std::path::Path;

/// The results of a player (won, lost, tied), with their words.
pub const LOTS: [(Verdict, &str); 3] =
    [(Verdict::Won, "won"), (Verdict::Lost, "lost"), (Verdict::Tied, "tied")];

/// Reasons why something was not finished that are told.
const REASONS: usize = 5;

/// What a file is to hold.
pub enum FileKind {
    /// A line a game.
    Csv,
    /// One object.
    Json,
}

/// What the ending of a file's name says.
pub fn file_kind(out: &Path) -> Result<FileKind, Failure> {
    match out.extension().and_then(|e| e.to_str()) {
        Some("csv") => Ok(FileKind::Csv),
        Some("json") => Ok(FileKind::Json),
        _ => Err(Failure::Usage(format!("--out {}: the name must end in .csv or .json", out.display()))),
    }
}

/// A share in percent, with its interval.
pub fn percent_text(share: Share) -> String {
    let (low, high) = share.interval();
    format!("{:5.1} % ({:.1} to {:.1})", share.value() * 100.0, low * 100.0, high * 100.0)
}

/// So many things in words: `1 game`, `3 games`.
pub fn count_text(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// The first line for people: what was played, how many of it, and the seed.
pub fn show_head(played: &str, plan: &SimulationPlan, loaded: &Loaded, io: &mut Io) -> Result<(), Failure> {
    let head = io.to_bold(loaded.game.title());
    let scenario = setup::scenario_title(loaded, &plan.setup).map_or(String::new(), |t| format!(", {t}"));
    io.write_line(&format!("{head}{scenario}: {played}, seed {}", plan.setup.seed))
}

/// How many were not finished, and why.
pub fn show_unfinished(mut why: Vec<String>, io: &mut Io) -> Result<(), Failure> {
    if why.is_empty() {
        return Ok(());
    }
    io.write_line(&format!("  unfinished  {}", why.len()))?;
    why.sort_unstable();
    why.dedup();
    why.iter().take(REASONS).try_for_each(|why| io.write_line(&format!("    {why}")))
}

/// Who won how often, with which scores, and how long the games were.
pub fn show_players(s: &Summary, indent: &str, io: &mut Io) -> Result<(), Failure> {
    let width = s.players.iter().map(|n| n.chars().count()).max().unwrap_or(0);
    for (i, name) in s.players.iter().enumerate().filter(|(i, _)| s.playing.get(*i) == Some(&true)) {
        let pad = " ".repeat(width - name.chars().count());
        let mut parts = Vec::new();
        for (lot, word) in LOTS {
            let share = s.share(i, lot);
            if share.count > 0 || lot == Verdict::Won {
                parts.push(format!("{word} {}", percent_text(share)));
            }
        }
        let scores = s.scores(i);
        if scores.count() > 0 {
            parts.push(format!("score {}", spread_text(&scores)));
        }
        let policy = s.policies.get(i).map_or("", String::as_str);
        io.write_line(&format!("{indent}{name}{pad}  {policy:<7} {}", parts.join(", ")))?;
    }
    let lengths = s.lengths();
    if lengths.count() > 0 {
        io.write_line(&format!("{indent}length  {} choices", spread_text(&lengths)))?;
    }
    Ok(())
}

/// The same for machines.
pub fn players_json(s: &Summary) -> Vec<Value> {
    s.players
        .iter()
        .enumerate()
        .map(|(i, name)| {
            let mut p =
                json!({ "name": name, "policy": s.policies.get(i), "score": spread_json(&s.scores(i)) });
            for (lot, word) in LOTS {
                let share = s.share(i, lot);
                let (low, high) = share.interval();
                if let Some(object) = p.as_object_mut() {
                    let value =
                        json!({ "count": share.count, "share": share.value(), "low": low, "high": high });
                    object.insert(word.to_string(), value);
                }
            }
            p
        })
        .collect()
}

/// A mean with its interval and bounds.
pub fn spread_text(s: &Spread) -> String {
    format!("{:.2} (+- {:.2}), {} to {}", s.mean(), s.margin(), s.least(), s.greatest())
}

/// The same for machines.
pub fn spread_json(s: &Spread) -> Value {
    json!({
        "count": s.count(), "mean": s.mean(), "margin": s.margin(), "deviation": s.deviation(),
        "least": s.least(), "greatest": s.greatest(),
    })
}

/// The word of a result.
pub fn verdict_word(v: Verdict) -> &'static str {
    LOTS.iter().find(|(lot, _)| *lot == v).map_or("", |(_, w)| w)
}

/// Writes a number; quicker than formatting.
pub fn push_number(out: &mut String, n: impl itoa::Integer) {
    out.push_str(itoa::Buffer::new().format(n));
}

/// A field of a CSV file, in quotes where it needs them.
pub fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}
