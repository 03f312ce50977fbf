//! `check`: reports all findings of the files of games.
use super::args::{CheckArgs, Format};
use super::explain::to_pretty_json;
use super::io::{Exit, Failure, Io};
use super::load::{self, Bundle, Spot};
use super::report;
use super::setup;
use super::store::Store;
use houserule_model as model;
use houserule_play::find_unplayable_with;
use houserule_text::Diagnostic;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The games that paths name: everything below folders, the games of files, shipped games; without a path, the current folder.
pub fn list_targets(paths: &[String]) -> Result<Vec<Spot>, Failure> {
    let mut spots: Vec<Spot> = Vec::new();
    let here = [String::from(".")];
    let paths = if paths.is_empty() { &here[..] } else { paths };
    for arg in paths {
        let path = Path::new(arg);
        let found =
            if path.is_dir() { load::find_games_below(Store::Disk, &strip_dot(path))? } else { Vec::new() };
        let found = if found.is_empty() { vec![load::find_game(arg)?] } else { found };
        for spot in found {
            if !spots.contains(&spot) {
                spots.push(spot);
            }
        }
    }
    Ok(spots)
}

/// `.` as the empty path, so that names below it are short.
fn strip_dot(path: &Path) -> std::path::PathBuf {
    path.components().filter(|c| !matches!(c, std::path::Component::CurDir)).collect()
}

/// Runs the command.
pub fn run(args: &CheckArgs, io: &mut Io) -> Result<Exit, Failure> {
    let spots = setup::with_mods(list_targets(&args.paths)?, &args.mods)?;
    let mut seen = HashSet::new();
    let mut list = Vec::new();
    let mut files = HashSet::new();
    let (mut errors, mut warnings) = (0, 0);
    for spot in &spots {
        let bundle = spot.load_bundle()?;
        let checked = check_bundle(&bundle);
        files.extend(checked.files.iter().map(|(_, f)| bundle.shown_name(&f.name)));
        // A mod is checked with its game, whose own findings are told once.
        let fresh: Vec<_> = checked
            .report
            .findings
            .iter()
            .filter(|d| {
                seen.insert((
                    report::place_text(&bundle, &checked.files, d.at.span),
                    d.code,
                    d.message.clone(),
                ))
            })
            .cloned()
            .collect();
        errors += fresh.iter().filter(|d| d.is_error()).count();
        warnings += fresh.iter().filter(|d| !d.is_error()).count();
        if args.format == Format::Json {
            list.extend(fresh.iter().map(|d| report::finding_to_json(&bundle, &checked.files, d)));
        } else {
            let text = report::draw_findings(&bundle, &checked.files, &fresh, io);
            io.write_raw(&text)?;
        }
    }
    let bad = errors > 0 || (args.strict && warnings > 0);
    if args.format == Format::Json {
        let all = serde_json::json!({
            "version": 1, "games": spots.len(), "files": files.len(), "errors": errors, "warnings": warnings, "findings": list,
        });
        io.write_line(&to_pretty_json(&all))?;
    } else {
        let games = if spots.len() == 1 { String::from("1 game") } else { format!("{} games", spots.len()) };
        let what = if files.len() == 1 { String::from("1 file") } else { format!("{} files", files.len()) };
        let line = match (errors, warnings) {
            (0, 0) => format!("{games}, {what}: no findings"),
            _ => format!("{games}, {what}: {}", report::tally_text(errors, warnings)),
        };
        let line = if bad { io.paint_text("1;31", &line) } else { line };
        io.write_line(&line)?;
    }
    Ok(if bad { Exit::Findings } else { Exit::Fine })
}

/// All findings of a game's files, those of its set-ups with them.
pub fn check_bundle(bundle: &Bundle) -> model::Checked {
    let mut checked = model::check(&bundle.files);
    bundle.add_unread(&mut checked.report);
    if let Some(m) = checked.model.as_ref().filter(|_| !checked.report.has_errors()) {
        checked.report.findings.extend(find_in_setups(m));
    }
    checked
}

/// What set-ups of a game find.
pub fn find_in_setups(m: &model::hir::Model) -> Vec<Diagnostic> {
    find_unplayable_with(m, &run_in_parallel)
}

/// Bytes of stack of a thread that compiles: as many as a program's first thread usually has.
const STACK: usize = 8 << 20;

/// Has work done by as many threads as the machine has processors.
fn run_in_parallel(n: usize, work: &(dyn Fn(usize) -> Vec<Diagnostic> + Sync)) -> Vec<Vec<Diagnostic>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(n);
    let (next, found) = (AtomicUsize::new(0), Mutex::new(vec![Vec::new(); n]));
    let go_on = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= n {
                break;
            }
            let of_one = work(i);
            if let Some(all) = found.lock().ok().as_mut().and_then(|found| found.get_mut(i)) {
                *all = of_one;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Without another thread this one does all.
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, go_on);
        }
        go_on();
    });
    found.into_inner().unwrap_or_default()
}
