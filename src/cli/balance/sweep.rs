//! `balance --sweep`: the same games for each value of an option.
use super::Side;
use crate::args::{BalanceArgs, BalanceFormat};
use crate::explain::to_pretty_json;
use crate::io::{Exit, Failure, Io};
use crate::stop;
use houserule_lab::figures::{Figures, Lot};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};

/// Values that an option may be swept over.
const MOST: usize = 100;

/// Games with one value of the option.
struct Point {
    value: String,
    /// The games without the house rules, and those with them if there are any.
    sides: Vec<Figures>,
}

/// Runs the command.
pub fn run(args: &BalanceArgs, wish: &str, io: &mut Io) -> Result<Exit, Failure> {
    let (name, values) = read_sweep(wish)?;
    if args.setup.options.iter().any(|o| o.split('=').next().is_some_and(|n| n.trim() == name)) {
        return Err(Failure::Usage(format!("--option and --sweep both give {name} a value")));
    }
    let flag = stop::make_stop_flag(io);
    let done = AtomicU64::new(0);
    let modded: &[bool] = if args.setup.mods.is_empty() { &[false] } else { &[false, true] };
    let mut points: Vec<Point> = Vec::new();
    let mut title = String::new();
    for value in values {
        let mut point = Point { value: value.clone(), sides: Vec::new() };
        for with in modded {
            let mut options = args.setup.options.clone();
            // An option of the house rules is not one of the game without them.
            if *with || modded.len() == 1 || has_option(args, &name, io)? {
                options.push(format!("{name}={value}"));
            }
            let side = Side::open_with(args, *with, &options, io)?;
            title = side.loaded.game.title().to_string();
            let simulation = side.make_simulation(io)?;
            let games = stop::with_bar(io, "games", args.games, &done, || {
                simulation.play(0..args.games, &flag, &done)
            });
            point.sides.push(Figures::from_games(&simulation.summarize(games), args.seed));
        }
        points.push(point);
        if flag.load(Ordering::Relaxed) {
            io.write_remark("Stopped. The table has the games that were finished.");
            break;
        }
    }
    match args.format {
        BalanceFormat::Json => io.write_line(&to_pretty_json(&to_json(&title, &name, args, &points)))?,
        BalanceFormat::Human => show(&title, &name, args, &points, false, io)?,
        BalanceFormat::Markdown => show(&title, &name, args, &points, true, io)?,
    }
    let failed = |f: &Figures| f.unfinished.iter().any(|u| u.fault.is_some());
    let bad = points.iter().flat_map(|p| &p.sides).any(failed);
    Ok(if bad { Exit::Findings } else { Exit::Fine })
}

/// Whether the game without the house rules has the option.
fn has_option(args: &BalanceArgs, name: &str, io: &mut Io) -> Result<bool, Failure> {
    let side = Side::open_with(args, false, &args.setup.options, io)?;
    Ok(side.loaded.game.model().options.iter().any(|o| *o.name == *name))
}

/// The option, and the values: `level=1..4` or `wind=calm,storm`.
fn read_sweep(wish: &str) -> Result<(String, Vec<String>), Failure> {
    let wrong = |what: &str| {
        Failure::Usage(format!("--sweep {wish}: {what}; write for example level=1..4 or wind=calm,storm"))
    };
    let (name, values) = wish.split_once('=').ok_or_else(|| wrong("there is no ="))?;
    let values: Vec<String> = match values.split_once("..") {
        Some((from, to)) => {
            let number = |text: &str| {
                text.trim().parse::<i64>().map_err(|_| wrong(&format!("{text} is not a number")))
            };
            let (from, to) = (number(from)?, number(to)?);
            let most = from.saturating_add(MOST as i64);
            (from..=to.min(most)).map(|n| n.to_string()).collect()
        }
        None => values.split(',').map(|v| v.trim().to_string()).filter(|v| !v.is_empty()).collect(),
    };
    match values.len() {
        0 => Err(wrong("there is no value")),
        n if n > MOST => Err(wrong(&format!("there are more than {MOST} values"))),
        _ => Ok((name.trim().to_string(), values)),
    }
}

/// A table: a line for each value, without and with the house rules.
fn show(
    title: &str,
    name: &str,
    args: &BalanceArgs,
    points: &[Point],
    markdown: bool,
    io: &mut Io,
) -> Result<(), Failure> {
    let players: Vec<&str> = points
        .iter()
        .flat_map(|p| p.sides.last())
        .flat_map(|f| f.players.iter().filter(|p| p.playing))
        .map(|p| p.name.as_str())
        .fold(Vec::new(), |mut all, name| {
            all.extend((!all.contains(&name)).then_some(name));
            all
        });
    let mut head = vec![name.to_string()];
    let sides = points.first().map_or(1, |p| p.sides.len());
    head.extend((sides > 1).then(|| String::from("house rules")));
    head.extend(players.iter().map(|p| format!("{p} won")));
    head.extend(["choices a game", "not finished"].map(String::from));
    let mut rows = vec![head];
    for point in points {
        for (i, f) in point.sides.iter().enumerate() {
            let mut row = vec![point.value.clone()];
            row.extend((sides > 1).then(|| String::from(if i == 0 { "without" } else { "with" })));
            for name in &players {
                let at = f.players.iter().position(|p| p.name == *name);
                row.push(at.map_or(String::from("–"), |at| {
                    let share = f.share(at, Lot::Won);
                    let (low, high) = share.interval();
                    format!("{:.1} % ({:.1} to {:.1})", share.value() * 100.0, low * 100.0, high * 100.0)
                }));
            }
            row.push(format!("{:.2} (+- {:.2})", f.length.mean(), f.length.margin()));
            row.push((f.games - f.finished).to_string());
            rows.push(row);
        }
    }
    let line = format!("{title}: {} games for each value of {name}, seed {}", args.games, args.seed);
    let line = if markdown { format!("{line}\n") } else { io.to_bold(&line) };
    io.write_line(&line)?;
    let widths: Vec<usize> = (0..rows.first().map_or(0, Vec::len))
        .map(|i| rows.iter().filter_map(|r| r.get(i)).map(|c| c.chars().count()).max().unwrap_or(0))
        .collect();
    for (n, row) in rows.iter().enumerate() {
        if markdown {
            io.write_line(&format!("| {} |", row.join(" | ")))?;
            if n == 0 {
                io.write_line(&format!("|{}", "---|".repeat(row.len())))?;
            }
            continue;
        }
        let padded = row
            .iter()
            .zip(&widths)
            .map(|(c, w)| format!("{c}{}", " ".repeat(w.saturating_sub(c.chars().count()))));
        let text = format!("  {}", padded.collect::<Vec<_>>().join("  "));
        let text = if n == 0 { io.to_faint(text.trim_end()) } else { text.trim_end().to_string() };
        io.write_line(&text)?;
    }
    Ok(())
}

fn to_json(title: &str, name: &str, args: &BalanceArgs, points: &[Point]) -> Value {
    let side = |f: &Figures| {
        let players = f.players.iter().enumerate().filter(|(_, p)| p.playing).map(|(i, p)| {
            let share = f.share(i, Lot::Won);
            let (low, high) = share.interval();
            json!({ "name": p.name, "won": share.value(), "low": low, "high": high, "score": p.scores.mean() })
        });
        json!({
            "players": players.collect::<Vec<_>>(), "length": f.length.mean(), "length_margin": f.length.margin(),
            "games": f.games, "finished": f.finished,
        })
    };
    let point = |p: &Point| json!({ "value": p.value, "without": p.sides.first().map(side), "with": p.sides.get(1).map(side) });
    json!({
        "version": 1, "game": title, "option": name, "seed": args.seed,
        "points": points.iter().map(point).collect::<Vec<_>>(),
    })
}
