//! `fuzz GAME`: plays a game in ways in which people seldom play, to find where its rules fail; each failure is told with the shortest game that shows it, as a test.
use super::args::{Format, GameFuzzArgs};
use super::explain::to_pretty_json;
use super::io::{Exit, Failure, Io};
use super::report;
use super::setup::{self, Loaded};
use super::setups::{describe_setup, list_wanted_setups};
use super::sim::figures::count_text;
use super::stop;
use houserule_lab::game_fuzz::{FoundFailure, GameFuzzPlan, GameFuzzed, fuzz_game};
use houserule_text::{Diagnostic, Span};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Runs the command.
pub fn run(args: &GameFuzzArgs, io: &mut Io) -> Result<Exit, Failure> {
    let Some(name) = &args.game else {
        let message =
            "name a game, or what of this program is to be tried; `houserule fuzz --help` lists that";
        return Err(Failure::Usage(String::from(message)));
    };
    let loaded = setup::load_game(name, &args.setup, io)?;
    let own = setup::make_setup(&args.setup, &loaded, args.seed, None)?;
    let plan = GameFuzzPlan {
        setups: list_wanted_setups(&args.setup, &loaded, &own),
        seed: args.seed,
        games: args.games,
        cap: args.cap,
        tries: args.tries,
    };
    let flag = stop::make_stop_flag(io);
    let done = AtomicU64::new(0);
    let total = if args.games == u64::MAX { 0 } else { args.games };
    let begun = Instant::now();
    let goes_on = || begun.elapsed() < args.time && !flag.load(Ordering::Relaxed);
    let work = || fuzz_game(&loaded.game, &plan, &goes_on, &done);
    let result = if total == 0 { work() } else { stop::with_bar(io, "games", total, &done, work) };
    let fuzzed = result.map_err(|report| loaded.to_failure(&report, io))?;
    let files = loaded.game.files();
    let tests: Vec<Result<String, String>> =
        fuzzed.found.iter().map(|f| f.to_test(&loaded.game, files)).collect();
    match args.format {
        Format::Human => show(&fuzzed, &tests, args, &loaded, io)?,
        Format::Json => io.write_line(&to_pretty_json(&to_json(&fuzzed, &tests, args, &loaded)))?,
    }
    Ok(if fuzzed.found.is_empty() { Exit::Fine } else { Exit::Findings })
}

/// For people.
fn show(
    all: &GameFuzzed,
    tests: &[Result<String, String>],
    args: &GameFuzzArgs,
    loaded: &Loaded,
    io: &mut Io,
) -> Result<(), Failure> {
    for (found, test) in all.found.iter().zip(tests) {
        let text = report::draw_findings(&loaded.bundle, loaded.game.files(), &[place(found, loaded)], io);
        io.write_raw(&text)?;
        let short = count_text(found.choices.len(), "choice");
        let games = count_text(found.times as usize, "game");
        io.write_line(&format!(
            "found in {games}, first in game {} ({}) after {}; {short} show it ({})",
            found.game,
            found.style.word(),
            count_text(found.unshrunk, "choice"),
            describe_setup(&found.setup),
        ))?;
        match test {
            Ok(text) => io.write_line(&format!("\n{}", text.trim_end()))?,
            Err(why) => io.write_line(&format!("it cannot be written as a test: {why}"))?,
        }
        io.write_line("")?;
    }
    let mut line = format!(
        "{}: {}, {}, seed {}: {}",
        loaded.game.title(),
        count_text(all.games as usize, "game"),
        count_text(all.choices as usize, "choice"),
        args.seed,
        match all.found.len() {
            0 => String::from("nothing found"),
            n => count_text(n, "failure"),
        }
    );
    if let Some(first) = all.first_endless {
        line.push_str(&format!(
            "; {} did not end within {} choices, first game {first}",
            count_text(all.endless as usize, "game"),
            args.cap
        ));
    }
    let line = if all.found.is_empty() { line } else { io.paint_text("1;31", &line) };
    io.write_line(&line)
}

/// The finding with its place; that of an invariant is where the invariant stands.
fn place(found: &FoundFailure, loaded: &Loaded) -> Diagnostic {
    let mut finding = found.finding.clone();
    if finding.at.span == Span::default()
        && let Some(i) = loaded
            .game
            .model()
            .invariants
            .iter()
            .find(|i| finding.message.contains(&format!("“{}”", i.title)))
    {
        finding.at.span = i.span;
    }
    finding
}

/// For machines.
fn to_json(
    all: &GameFuzzed,
    tests: &[Result<String, String>],
    args: &GameFuzzArgs,
    loaded: &Loaded,
) -> Value {
    let found = all.found.iter().zip(tests).map(|(f, test)| {
        json!({
            "finding": report::finding_to_json(&loaded.bundle, loaded.game.files(), &place(f, loaded)),
            "games": f.times, "game": f.game, "style": f.style.word(), "unshrunk": f.unshrunk, "choices": f.choices.len(),
            "scenario": f.setup.scenario, "players": f.setup.players, "seed": f.setup.seed,
            "test": test.as_ref().ok(), "no_test": test.as_ref().err(),
        })
    });
    json!({
        "version": 1, "game": loaded.bundle.name, "seed": args.seed, "games": all.games, "choices": all.choices,
        "endless": all.endless, "first_endless": all.first_endless, "found": found.collect::<Vec<_>>(),
    })
}
