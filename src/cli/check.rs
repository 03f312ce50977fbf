//! `check`: every finding of every file.
use super::args::{CheckArgs, Format};
use super::explain::pretty;
use super::io::{Exit, Failure, Io};
use super::load::{self, Spot};
use super::report;
use super::store::Store;
use houserule_model as model;
use houserule_play::not_in_the_engine;
use std::collections::HashSet;
use std::path::Path;

/// The games that paths name: everything below folders, the games of files, shipped games; without a path, the current folder.
pub fn targets(paths: &[String]) -> Result<Vec<Spot>, Failure> {
    let mut spots: Vec<Spot> = Vec::new();
    let here = [String::from(".")];
    let paths = if paths.is_empty() { &here[..] } else { paths };
    for arg in paths {
        let path = Path::new(arg);
        let found = if path.is_dir() { load::games_below(Store::Disk, &clean(path))? } else { Vec::new() };
        let found = if found.is_empty() { vec![load::find(arg)?] } else { found };
        for spot in found {
            if !spots.contains(&spot) {
                spots.push(spot);
            }
        }
    }
    Ok(spots)
}

/// `.` as the empty path, so that names below it are short.
fn clean(path: &Path) -> std::path::PathBuf {
    path.components().filter(|c| !matches!(c, std::path::Component::CurDir)).collect()
}

/// Runs the command.
pub fn run(args: &CheckArgs, io: &mut Io) -> Result<Exit, Failure> {
    let spots = targets(&args.paths)?;
    let mut seen = HashSet::new();
    let mut list = Vec::new();
    let mut files = HashSet::new();
    let (mut errors, mut warnings) = (0, 0);
    for spot in &spots {
        let bundle = spot.load()?;
        let mut checked = model::check(&bundle.files);
        bundle.complete(&mut checked.report);
        if let Some(m) = checked.model.as_ref().filter(|_| !checked.report.has_errors()) {
            checked.report.findings.extend(not_in_the_engine(m));
        }
        files.extend(checked.files.iter().map(|(_, f)| bundle.shown(&f.name)));
        // A mod is checked with its game, whose own findings are told once.
        let fresh: Vec<_> = checked
            .report
            .findings
            .iter()
            .filter(|d| {
                seen.insert((report::place(&bundle, &checked.files, d.at.span), d.code, d.message.clone()))
            })
            .cloned()
            .collect();
        errors += fresh.iter().filter(|d| d.is_error()).count();
        warnings += fresh.iter().filter(|d| !d.is_error()).count();
        if args.format == Format::Json {
            list.extend(fresh.iter().map(|d| report::json(&bundle, &checked.files, d)));
        } else {
            let text = report::draw(&bundle, &checked.files, &fresh, io);
            io.raw(&text)?;
        }
    }
    let bad = errors > 0 || (args.strict && warnings > 0);
    if args.format == Format::Json {
        let all = serde_json::json!({
            "version": 1, "games": spots.len(), "files": files.len(), "errors": errors, "warnings": warnings, "findings": list,
        });
        io.line(&pretty(&all))?;
    } else {
        let games = if spots.len() == 1 { String::from("1 game") } else { format!("{} games", spots.len()) };
        let what = if files.len() == 1 { String::from("1 file") } else { format!("{} files", files.len()) };
        let line = match (errors, warnings) {
            (0, 0) => format!("{games}, {what}: no findings"),
            _ => format!("{games}, {what}: {}", report::tally(errors, warnings)),
        };
        let line = if bad { io.paint("1;31", &line) } else { line };
        io.line(&line)?;
    }
    Ok(if bad { Exit::Findings } else { Exit::Fine })
}
