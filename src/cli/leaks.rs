//! `leaks`: looks in random games whether a seat can tell what it may not know, and lists which rules tell hidden things.
use crate::args::{Format, LeaksArgs};
use crate::explain::to_pretty_json;
use crate::io::{Exit, Failure, Io};
use crate::setup::{self, Loaded};
use crate::setups::{describe_setup, list_wanted_setups};
use crate::sim::figures::count_text;
use crate::{report, stop};
use houserule_lab::leaks::{Leak, LeakPlan, LeaksFound, find_leaks, kind_words};
use houserule_play::codes;
use houserule_text::Diagnostic;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Runs the command.
pub fn run(args: &LeaksArgs, io: &mut Io) -> Result<Exit, Failure> {
    let loaded = setup::load_game(&args.game, &args.setup, io)?;
    let own = setup::make_setup(&args.setup, &loaded, args.seed, None)?;
    let plan = LeakPlan {
        setups: list_wanted_setups(&args.setup, &loaded, &own),
        seed: args.seed,
        games: args.games,
        choices: args.cap,
        fault: None,
    };
    let flag = stop::make_stop_flag(io);
    let done = AtomicU64::new(0);
    let begun = Instant::now();
    let goes_on = || begun.elapsed() < args.time && !flag.load(Ordering::Relaxed);
    let work = || find_leaks(&loaded.game, &plan, &goes_on, &done);
    let total = if args.games == u64::MAX { 0 } else { args.games };
    let result = if total == 0 { work() } else { stop::with_bar(io, "games", total, &done, work) };
    let found = result.map_err(|report| loaded.to_failure(&report, io))?;
    match args.format {
        Format::Human => show(&found, args, &loaded, io)?,
        Format::Json => io.write_line(&to_pretty_json(&to_json(&found, args, &loaded)))?,
    }
    Ok(if found.leaks.is_empty() { Exit::Fine } else { Exit::Findings })
}

/// For people.
fn show(found: &LeaksFound, args: &LeaksArgs, loaded: &Loaded, io: &mut Io) -> Result<(), Failure> {
    for leak in &found.leaks {
        let text = report::draw_findings(&loaded.bundle, loaded.game.files(), &[to_finding(leak)], io);
        io.write_raw(&text)?;
        let games = count_text(leak.games as usize, "game");
        let choices = count_text(leak.step, "choice");
        io.write_line(&format!(
            "found in {games}, first after {choices} of {}\n  {}\n",
            describe_setup(&leak.setup),
            leak.what
        ))?;
    }
    if !found.told.is_empty() {
        let title = io.to_bold("Rules that tell a seat what it could not know before:");
        io.write_line(&title)?;
        for row in &found.told {
            let place = report::place_text(&loaded.bundle, loaded.game.files(), row.at);
            let times = count_text(row.times as usize, "time");
            let readers = match row.readers {
                0 => String::from("as far as it follows from what happens"),
                n => format!("to {}", count_text(n, "seat")),
            };
            io.write_line(&format!("  {place}: {}; {times}, {readers}", kind_words(&row.kind)))?;
            io.write_line(&format!("    {}", row.text))?;
        }
        io.write_line("")?;
    }
    if let (n, Some(first)) = &found.failed {
        let games = count_text(*n as usize, "game");
        io.write_remark(&format!(
            "{games} ended early with an error of the rules ({first}); `houserule fuzz {}` shows it.",
            args.game
        ));
    }
    let mut line = format!(
        "{}: {}, seed {}, {} of what a seat gets: {}",
        loaded.game.title(),
        count_text(found.games as usize, "game"),
        args.seed,
        count_text(found.compared as usize, "comparison"),
        match found.leaks.len() {
            0 => String::from("no leak"),
            n => count_text(n, "leak"),
        }
    );
    if !found.leaks.is_empty() {
        line = io.paint_text("1;31", &line);
    }
    io.write_line(&line)
}

/// A leak with the rule that causes it.
fn to_finding(leak: &Leak) -> Diagnostic {
    let message = format!("a seat can tell what it may not know, by {}", leak.channel.words());
    let finding = Diagnostic::error(codes::LEAK, leak.at.unwrap_or_default(), message);
    match leak.at {
        Some(_) => finding
            .label("this differs with what is hidden from the seat")
            .help("read only what the seat may know, or let a rule tell it first"),
        None => finding.help("no rule is its cause: this is a fault of the program; please report it"),
    }
}

/// For machines.
fn to_json(found: &LeaksFound, args: &LeaksArgs, loaded: &Loaded) -> Value {
    let files = loaded.game.files();
    let leaks = found.leaks.iter().map(|l| {
        json!({
            "finding": report::finding_to_json(&loaded.bundle, files, &to_finding(l)), "channel": l.channel.word(), "what": l.what,
            "games": l.games, "choices": l.step, "scenario": l.setup.scenario, "players": l.setup.players, "seed": l.setup.seed,
        })
    });
    let told = found.told.iter().map(|t| {
        json!({
            "place": report::place_text(&loaded.bundle, files, t.at), "how": kind_words(&t.kind), "times": t.times,
            "readers": t.readers, "line": t.text,
        })
    });
    json!({
        "version": 1, "game": loaded.bundle.name, "seed": args.seed, "games": found.games, "compared": found.compared,
        "failed": found.failed.0, "first_failed": found.failed.1,
        "leaks": leaks.collect::<Vec<_>>(), "told": told.collect::<Vec<_>>(),
    })
}
