//! `sim`: plays many games between bots and prints statistics.
pub mod again;
mod campaigns;
pub mod failures;
pub mod figures;

use crate::args::{Format, SimArgs};
use crate::explain::to_pretty_json;
use crate::io::{Exit, Failure, Io};
use crate::report;
use crate::save;
use crate::seats;
use crate::setup::Loaded;
use crate::store::write_whole;
use crate::{setup, stop};
use again::{file_of, play_command, replay_command, to_failure};
use figures::*;
use houserule_bots::Bot;
use houserule_lab::game_records::GameRecord;
use houserule_lab::retrace::{Retraced, replay_first_game};
use houserule_lab::simulate::{SimulationPlan, Summary, simulate};
use houserule_lab::stats::Share;
use houserule_play::setup::player_range;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::AtomicU64;

/// Runs the command.
pub fn run(args: &SimArgs, io: &mut Io) -> Result<Exit, Failure> {
    let bots = seats::parse_bots(&args.seats)?;
    if let Some(out) = &args.out {
        file_kind(out)?;
    }
    let loaded = setup::load_game(&args.game, &args.setup, io)?;
    let players = seats::player_count(&bots, player_range(loaded.game.model(), None).0);
    let setup = setup::make_setup(&args.setup, &loaded, args.seed, players)?;
    let plan = SimulationPlan {
        setup,
        first: args.only.unwrap_or(0),
        games: if args.only.is_some() { 1 } else { args.games },
        seats: bots.iter().map(|b| b.to_word()).collect(),
        jobs: args.jobs,
        cap: args.cap,
        uses: !args.no_uses,
    };
    let program = loaded.game.lower_setup(&plan.setup).map_err(|report| loaded.to_failure(&report, io))?;
    seats::fill_seats(bots, usize::from(program.seats), Bot::Random)?;
    if args.campaign {
        return campaigns::run(args, &plan, usize::from(program.seats), &loaded, io);
    }
    let flag = stop::make_stop_flag(io);
    let done = AtomicU64::new(0);
    let result =
        stop::with_bar(io, "games", plan.games, &done, || simulate(&loaded.game, &plan, &flag, &done));
    let summary = result.map_err(|e| to_failure(&e, &loaded, io))?;
    let failures = failures::group(summary.faults());
    let stopped = (summary.games.len() as u64) < plan.games;
    if let Some(out) = &args.out {
        let text = match file_kind(out)? {
            FileKind::Csv => to_csv(&summary, &loaded),
            FileKind::Json => {
                let mut all = as_json(&summary, &plan, &failures, args, &loaded);
                all["each"] = json!([]);
                let each = format!("\n  \"each\": [{}]", games_json(&summary, &loaded));
                to_pretty_json(&all).replacen("\n  \"each\": []", &each, 1) + "\n"
            }
        };
        write_whole(out, text.as_bytes())
            .map_err(|e| Failure::Unreadable(format!("cannot write {}: {e}", out.display())))?;
    }
    if args.format == Format::Json {
        io.write_line(&to_pretty_json(&as_json(&summary, &plan, &failures, args, &loaded)))?;
    } else {
        show_summary(&summary, &plan, &loaded, io)?;
    }
    if stopped {
        let (n, of) = (summary.games.len(), plan.games);
        io.write_remark(&format!("Stopped after {n} of {of} games; the finished ones are kept."));
    }
    if let (Some(file), Some(_)) = (&args.save, args.only) {
        let again = replay_first_game(&loaded.game, &plan).map_err(|e| to_failure(&e, &loaded, io))?;
        save_replayed(again, file, &args.game, io)?;
    }
    if failures.is_empty() {
        return Ok(Exit::Fine);
    }
    tell_failures(&failures, usize::from(program.seats), args, &loaded, io);
    Ok(Exit::Findings)
}

/// A way in which the rules failed, with the first game that came to it.
type Failed<'a> = failures::Failed<'a, GameRecord<'a>>;

/// Draws the failures with the rules beside them, and says how to look at each.
fn tell_failures(all: &[Failed<'_>], seats: usize, args: &SimArgs, loaded: &Loaded, io: &mut Io) {
    failures::show(all, loaded, io, |f| {
        let (game, seed, choices) = (f.first.game, f.first.seed, f.first.choices);
        let told = match f.times {
            1 => format!("in game {game}"),
            n => format!("in {n} games, first in game {game}"),
        };
        let replay = replay_command(args, game);
        let play = play_command(args, &file_of(args, game), seats);
        args.save.is_none().then(|| {
            format!(
                "{told} (its seed is {seed}) after {choices} choices; to look at it:\n  {replay}\n  {play}\n"
            )
        })
    });
    let games: u64 = all.iter().map(|f| f.times).sum();
    io.write_error(&match games {
        1 => String::from("one game ended with a rule error; it is kept as unfinished"),
        n => format!("{n} games ended with a rule error; they are kept as unfinished"),
    });
}

/// Saves a game that was played again.
pub fn save_replayed(again: Retraced, file: &Path, game: &str, io: &mut Io) -> Result<(), Failure> {
    let Some(mut m) = again.game else {
        io.write_remark("A rule error comes before the first question, so there is nothing to save.");
        return Ok(());
    };
    save::write(&mut m, file).map_err(Failure::Unreadable)?;
    let told = match again.failing {
        Some((player, words)) => format!(" up to where {player} chooses {words}"),
        None => String::new(),
    };
    let number = again.record.first().map_or(0, |g| g.game);
    io.write_remark(&format!("Game {number} of {game} is saved in {}{told}.", file.display()));
    Ok(())
}

/// For people.
fn show_summary(s: &Summary, plan: &SimulationPlan, loaded: &Loaded, io: &mut Io) -> Result<(), Failure> {
    show_head(&count_text(s.games.len(), "game"), plan, loaded, io)?;
    show_players(s, "  ", io)?;
    show_unfinished(s.games.iter().filter_map(|g| why_unfinished(&g, loaded)).collect(), io)?;
    let uses = s.uses();
    if !uses.0.is_empty() {
        io.write_line("  used, a game on the average, and in how many games")?;
        let width = uses.0.keys().map(|n| n.chars().count()).max().unwrap_or(0);
        let games = s.games.len().max(1) as u64;
        for (name, u) in &uses.0 {
            let pad = " ".repeat(width - name.chars().count());
            let share = Share { count: u.games, of: games };
            let mean = u.times as f64 / games as f64;
            io.write_line(&format!("    {name}{pad}  {mean:8.2}  {:5.1} %", share.value() * 100.0))?;
        }
    }
    Ok(())
}

/// For machines; the same for any number of jobs.
fn as_json(
    s: &Summary,
    plan: &SimulationPlan,
    failures: &[Failed<'_>],
    args: &SimArgs,
    loaded: &Loaded,
) -> Value {
    let to_fault = |f: &Failed<'_>| {
        let g = &f.first;
        let own = json!({ "games": f.times, "game": g.game, "seed": g.seed, "choices": g.choices });
        failures::to_json(f, g.game, own, args, loaded)
    };
    let faults: Vec<Value> = failures.iter().map(to_fault).collect();
    let uses: serde_json::Map<String, Value> =
        s.uses().0.iter().map(|(n, u)| (n.clone(), json!({ "times": u.times, "games": u.games }))).collect();
    json!({
        "version": 1, "game": loaded.bundle.name, "seed": plan.setup.seed, "games": s.games.len(), "planned": plan.games,
        "finished": s.finished(), "players": players_json(s), "length": spread_json(&s.lengths()), "uses": uses,
        "faults": faults,
    })
}

/// Why a game was not finished; a failure of the rules with its place.
fn why_unfinished(g: &GameRecord<'_>, loaded: &Loaded) -> Option<String> {
    let why = g.unfinished?;
    Some(match g.fault {
        Some(f) => {
            format!("{why} ({})", report::place_text(&loaded.bundle, loaded.game.files(), f.at.span))
        }
        None => why.to_string(),
    })
}

/// Every game as a JSON object, with commas between, indented as the entries of a list in an object. Written field by field: values of all games would take more time than playing them.
fn games_json(s: &Summary, loaded: &Loaded) -> String {
    let quoted = |text: &str| to_pretty_json(&Value::from(text));
    let names: Vec<String> = s.use_names.iter().map(|n| format!("{}: ", quoted(n))).collect();
    let mut out = String::new();
    for g in s.games.iter() {
        out.push_str(if out.is_empty() {
            "\n    {\n      \"choices\": "
        } else {
            ",\n    {\n      \"choices\": "
        });
        push_number(&mut out, g.choices);
        out.push_str(if g.fault.is_some() {
            ",\n      \"failed\": true"
        } else {
            ",\n      \"failed\": false"
        });
        out.push_str(",\n      \"game\": ");
        push_number(&mut out, g.game);
        out.push_str(",\n      \"scores\": ");
        push_list(&mut out, '[', ']', g.scores.iter(), |out, x| push_number(out, *x));
        out.push_str(",\n      \"seed\": ");
        push_number(&mut out, g.seed);
        out.push_str(",\n      \"turns\": ");
        push_number(&mut out, g.turns);
        out.push_str(",\n      \"unfinished\": ");
        match why_unfinished(&g, loaded) {
            Some(why) => out.push_str(&quoted(&why)),
            None => out.push_str("null"),
        }
        out.push_str(",\n      \"uses\": ");
        push_list(&mut out, '{', '}', g.uses.iter(), |out, (name, times)| {
            out.push_str(names.get(*name as usize).map_or("", String::as_str));
            push_number(out, *times);
        });
        out.push_str(",\n      \"verdicts\": ");
        push_list(&mut out, '[', ']', g.verdicts.iter(), |out, v| {
            out.push('"');
            out.push_str(verdict_word(*v));
            out.push('"');
        });
        out.push_str("\n    }");
    }
    if !out.is_empty() {
        out.push_str("\n  ");
    }
    out
}

/// A list or an object that is a field of a game.
fn push_list<T>(
    out: &mut String,
    open: char,
    close: char,
    all: impl ExactSizeIterator<Item = T>,
    mut push: impl FnMut(&mut String, T),
) {
    out.push(open);
    let some = all.len() > 0;
    for (i, x) in all.enumerate() {
        out.push_str(if i == 0 { "\n        " } else { ",\n        " });
        push(out, x);
    }
    if some {
        out.push_str("\n      ");
    }
    out.push(close);
}

/// A line a game; after the players' columns one for each rule and card.
fn to_csv(s: &Summary, loaded: &Loaded) -> String {
    let all = s.uses();
    let used: Vec<u32> = (0..s.use_names.len() as u32)
        .filter(|i| s.use_names.get(*i as usize).is_some_and(|n| all.0.contains_key(n)))
        .collect();
    let mut head: Vec<String> = ["game", "seed", "choices", "turns", "unfinished"].map(String::from).to_vec();
    head.extend(s.players.iter().map(|n| csv_field(&format!("verdict {n}"))));
    let scored = s.games.iter().any(|g| !g.scores.is_empty());
    if scored {
        head.extend(s.players.iter().map(|n| csv_field(&format!("score {n}"))));
    }
    head.extend(all.0.keys().map(|n| csv_field(n)));
    let mut out = head.join(",") + "\n";
    for g in s.games.iter() {
        for n in [g.game, g.seed, g.choices] {
            push_number(&mut out, n);
            out.push(',');
        }
        push_number(&mut out, g.turns);
        out.push(',');
        if let Some(why) = why_unfinished(&g, loaded) {
            out.push_str(&csv_field(&why));
        }
        for i in 0..s.players.len() {
            out.push(',');
            out.push_str(g.verdicts.get(i).map_or("", |v| verdict_word(*v)));
        }
        for i in 0..if scored { s.players.len() } else { 0 } {
            out.push(',');
            if let Some(x) = g.scores.get(i) {
                push_number(&mut out, *x);
            }
        }
        let mut rest = g.uses;
        for i in &used {
            out.push(',');
            let times = match rest.split_first() {
                Some(((name, times), more)) if name == i => {
                    rest = more;
                    *times
                }
                _ => 0,
            };
            push_number(&mut out, times);
        }
        out.push('\n');
    }
    out
}
