//! `test`: runs the `test` blocks of games.
use super::args::{Format, TestArgs};
use super::check::list_targets;
use super::explain::to_pretty_json;
use super::io::{Exit, Failure, Io};
use super::store::write_whole;
use super::{report, setup};
use houserule_lab::checklist::Checklist;
use houserule_lab::testing::{self, TestResult};
use houserule_text::{Diagnostic, Severity};
use serde_json::json;
use std::collections::HashSet;

/// The finding that a failed step is drawn as.
const FAILED: houserule_text::Code = houserule_text::Code("test");

/// The checklists of the games that were tested, each with its game's title. A game is loaded once more for each of its mods; its checklist counts once.
#[derive(Default)]
struct Checklists {
    all: Vec<(String, Checklist)>,
    places: HashSet<String>,
}

impl Checklists {
    fn note_game(&mut self, loaded: &setup::Loaded) {
        let (model, files) = (loaded.game.model(), loaded.game.files());
        let mut fresh = false;
        for n in &model.numbered {
            fresh |= self.places.insert(report::place_text(&loaded.bundle, files, n.span));
        }
        if fresh && let Some(list) = Checklist::from_model(model) {
            self.all.push((model.title.to_string(), list));
        }
    }

    fn to_json(&self) -> serde_json::Value {
        let one = |(game, list): &(String, Checklist)| {
            let excused: Vec<_> =
                list.not_played.iter().map(|(n, why)| json!({ "number": n, "reason": why })).collect();
            json!({
                "game": game, "rules": list.rules, "tested": list.tested, "not_played": excused,
                "missing": list.missing, "unknown": list.unknown, "not_played_but_tested": list.both,
                "whole": list.is_whole(),
            })
        };
        self.all.iter().map(one).collect()
    }
}

/// Runs the command.
pub fn run(args: &TestArgs, io: &mut Io) -> Result<Exit, Failure> {
    let mut results: Vec<TestResult> = Vec::new();
    let mut seen = HashSet::new();
    let mut list = Vec::new();
    let mut broken = 0;
    let mut checklists = Checklists::default();
    for spot in setup::with_mods(list_targets(&args.paths)?, &args.mods)? {
        let bundle = spot.load_bundle()?;
        let loaded = match setup::open_bundle(bundle, io) {
            Ok(loaded) => loaded,
            Err(Failure::Shown(_)) => {
                broken += 1;
                continue;
            }
            Err(e) => return Err(e),
        };
        let (game, bundle) = (&loaded.game, &loaded.bundle);
        // Which numbers the tests name is asked of the rules as they are written.
        if args.filter.is_none() && args.mods.is_empty() {
            checklists.note_game(&loaded);
        }
        // Every mod that a game is loaded with here is one that was asked for.
        let under = if args.mods.is_empty() { Vec::new() } else { testing::mod_names(game) };
        for mut result in testing::run_under(game, args.filter.as_deref(), &under) {
            // A game is loaded once more for each of its mods; its own tests count once.
            let place = report::place_text(bundle, game.files(), result.span);
            if !seen.insert((place.clone(), result.title.clone())) {
                continue;
            }
            result.file = bundle.shown_name(&result.file);
            if args.format == Format::Json {
                list.push(json!({
                    "title": result.title, "file": result.file, "place": place, "passed": result.failure.is_none(),
                    "broken_by": result.broken_by,
                    "seconds": result.time.as_secs_f64(),
                    "failure": result.failure.as_ref().map(|f| json!({
                        "place": report::place_text(bundle, game.files(), f.span), "message": f.message,
                    })),
                }));
            } else if let Some(f) = &result.failure {
                let finding = Diagnostic {
                    severity: Severity::Error,
                    ..Diagnostic::error(FAILED, f.span, format!("{}: {}", result.title, f.message))
                };
                let text = report::draw_findings(bundle, game.files(), &[finding], io);
                io.write_raw(&text)?;
            } else if args.verbose {
                let sign = io.paint_text("32", "ok");
                let broken = result.broken_by.as_ref();
                let broken = broken.map_or(String::new(), |m| format!(", broken by “{m}” as it expects"));
                io.write_line(&format!("{sign} {} ({place}, {:.0?}){broken}", result.title, result.time))?;
            }
            results.push(result);
        }
    }
    if let Some(file) = &args.junit {
        write_whole(file, testing::to_junit(&results).as_bytes())
            .map_err(|e| Failure::Unreadable(format!("cannot write {}: {e}", file.display())))?;
    }
    let failed = results.iter().filter(|r| r.failure.is_some()).count();
    let bad = failed > 0 || broken > 0 || checklists.all.iter().any(|(_, list)| !list.is_whole());
    if args.format == Format::Json {
        let all = json!({
            "version": 1, "tests": results.len(), "failed": failed, "broken_games": broken, "results": list,
            "checklists": checklists.to_json(),
        });
        io.write_line(&to_pretty_json(&all))?;
    } else {
        for (game, list) in &checklists.all {
            for complaint in list.complaints() {
                let line = io.paint_text("1;31", &format!("{game}: {complaint}"));
                io.write_line(&line)?;
            }
            io.write_line(&format!("{game}: {}", list.to_line()))?;
        }
        let tests =
            if results.len() == 1 { String::from("1 test") } else { format!("{} tests", results.len()) };
        let expected = results.iter().filter(|r| r.broken_by.is_some()).count();
        let mut line = format!("{tests}, {} passed, {failed} failed", results.len() - failed - expected);
        if expected > 0 {
            line.push_str(&format!(", {expected} broken as the mods expect"));
        }
        if broken > 0 {
            line.push_str(&format!("; {broken} with errors not tested"));
        }
        let line = io.paint_text(if bad { "1;31" } else { "1;32" }, &line);
        io.write_line(&line)?;
        if failed > 0 && !args.mods.is_empty() {
            tell_how_to_expect(&results, io);
        }
    }
    Ok(if bad { Exit::Findings } else { Exit::Fine })
}

/// Tests that fail under a house rule may be what it changes: the line that says so, ready for its text.
fn tell_how_to_expect(results: &[TestResult], io: &mut Io) {
    let failed: Vec<String> =
        results.iter().filter(|r| r.failure.is_some()).map(|r| format!("\"{}\"", r.title)).collect();
    io.write_remark(&format!(
        "If the house rule is meant to change what these show, write in it:\n  expects to break {}",
        failed.join(",\n    ")
    ));
}
