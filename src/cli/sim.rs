//! `sim`: many games between bots, and what came of them.
use super::args::{Format, SimArgs};
use super::explain::pretty;
use super::fmt::write_whole;
use super::io::{Exit, Failure, Io};
use super::seats::{self, Sitter};
use super::{setup, stop};
use crate::engine::Verdict;
use crate::lab::simulate::{GameRecord, Plan, SimError, Summary, simulate};
use crate::lab::stats::{Share, Spread};
use crate::play::setup::player_range;
use crate::text::Report;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::AtomicU64;

/// The lots of a player, with their words.
const LOTS: [(Verdict, &str); 3] = [(Verdict::Won, "won"), (Verdict::Lost, "lost"), (Verdict::Tied, "tied")];

/// Runs the command.
pub fn run(args: &SimArgs, io: &mut Io) -> Result<Exit, Failure> {
    let sitters = seats::parse(&args.seats)?;
    if sitters.contains(&Sitter::You) {
        return Err(Failure::Usage(String::from("bots play here: --seats random,greedy")));
    }
    if let Some(out) = &args.out {
        kind(out)?;
    }
    let loaded = setup::load(&args.game, &args.setup, io)?;
    let players = seats::players(&sitters, player_range(loaded.game.model(), None));
    let setup = setup::setup(&args.setup, &loaded, args.seed, players)?;
    let plan = Plan {
        setup,
        games: args.games,
        seats: sitters.iter().map(|s| s.word().to_string()).collect(),
        jobs: args.jobs,
        cap: args.cap,
        uses: !args.no_uses,
    };
    let program = loaded.game.program(&plan.setup).map_err(|report| loaded.complain(&report, io))?;
    seats::fill(sitters, usize::from(program.seats), Sitter::Bot("random"))?;
    let flag = stop::flag(io);
    let done = AtomicU64::new(0);
    let result = stop::with_bar(io, plan.games, &done, || simulate(&loaded.game, &plan, &flag, &done));
    let summary = match result {
        Ok(summary) => summary,
        Err(SimError::Setup(report)) => return Err(loaded.complain(&report, io)),
        Err(SimError::Policy(name)) => return Err(Failure::Usage(format!("there is no bot {name}"))),
        Err(SimError::Fault(game, finding)) => {
            io.error(&format!("the rules fail in game {game}"));
            return Err(loaded.complain(&Report { findings: vec![*finding] }, io));
        }
    };
    let stopped = (summary.games.len() as u64) < plan.games;
    if let Some(out) = &args.out {
        let text = match kind(out)? {
            Kind::Csv => csv(&summary),
            Kind::Json => {
                let mut all = as_json(&summary, &plan, &loaded.bundle.name);
                let games: Vec<Value> = summary.games.iter().map(game_json).collect();
                if let Some(object) = all.as_object_mut() {
                    object.insert(String::from("each"), Value::Array(games));
                }
                pretty(&all) + "\n"
            }
        };
        write_whole(out, &text)
            .map_err(|e| Failure::Unreadable(format!("cannot write {}: {e}", out.display())))?;
    }
    if args.format == Format::Json {
        io.line(&pretty(&as_json(&summary, &plan, &loaded.bundle.name)))?;
    } else {
        tell(&summary, &plan, loaded.game.title(), io)?;
    }
    if stopped {
        let (n, of) = (summary.games.len(), plan.games);
        io.remark(&format!("Stopped after {n} of {of} games; what is finished has been kept."));
    }
    Ok(Exit::Fine)
}

/// What a file is to hold.
enum Kind {
    Csv,
    Json,
}

fn kind(out: &Path) -> Result<Kind, Failure> {
    match out.extension().and_then(|e| e.to_str()) {
        Some("csv") => Ok(Kind::Csv),
        Some("json") => Ok(Kind::Json),
        _ => Err(Failure::Usage(format!("--out {}: a name that ends in .csv or .json", out.display()))),
    }
}

fn percent(share: Share) -> String {
    let (low, high) = share.interval();
    format!("{:5.1} % ({:.1} to {:.1})", share.value() * 100.0, low * 100.0, high * 100.0)
}

/// For people.
fn tell(s: &Summary, plan: &Plan, title: &str, io: &mut Io) -> Result<(), Failure> {
    let head = io.bold(title);
    io.line(&format!("{head}: {} games, seed {}", s.games.len(), plan.setup.seed))?;
    let unfinished = s.games.len() as u64 - s.finished();
    let width = s.players.iter().map(|n| n.chars().count()).max().unwrap_or(0);
    for (i, name) in s.players.iter().enumerate() {
        let pad = " ".repeat(width - name.chars().count());
        let mut parts = Vec::new();
        for (lot, word) in LOTS {
            let share = s.share(i, lot);
            if share.count > 0 || lot == Verdict::Won {
                parts.push(format!("{word} {}", percent(share)));
            }
        }
        let scores = s.scores(i);
        if scores.count() > 0 {
            parts.push(format!("score {}", spread(&scores)));
        }
        let policy = s.policies.get(i).map_or("", String::as_str);
        io.line(&format!("  {name}{pad}  {policy:<7} {}", parts.join(", ")))?;
    }
    let lengths = s.lengths();
    if lengths.count() > 0 {
        io.line(&format!("  length  {} choices", spread(&lengths)))?;
    }
    if unfinished > 0 {
        io.line(&format!("  unfinished  {unfinished}"))?;
        let mut why: Vec<&str> = s.games.iter().filter_map(|g| g.unfinished.as_deref()).collect();
        why.sort_unstable();
        why.dedup();
        for why in why.iter().take(5) {
            io.line(&format!("    {why}"))?;
        }
    }
    let uses = s.uses();
    if !uses.0.is_empty() {
        io.line("  used, a game on the average, and in how many games")?;
        let width = uses.0.keys().map(|n| n.chars().count()).max().unwrap_or(0);
        let games = s.games.len().max(1) as u64;
        for (name, u) in &uses.0 {
            let pad = " ".repeat(width - name.chars().count());
            let share = Share { count: u.games, of: games };
            let mean = u.times as f64 / games as f64;
            io.line(&format!("    {name}{pad}  {mean:8.2}  {:5.1} %", share.value() * 100.0))?;
        }
    }
    Ok(())
}

fn spread(s: &Spread) -> String {
    format!("{:.2} (+- {:.2}), {} to {}", s.mean(), s.margin(), s.least(), s.greatest())
}

fn spread_json(s: &Spread) -> Value {
    json!({
        "count": s.count(), "mean": s.mean(), "margin": s.margin(), "deviation": s.deviation(),
        "least": s.least(), "greatest": s.greatest(),
    })
}

fn word(v: Verdict) -> &'static str {
    LOTS.iter().find(|(lot, _)| *lot == v).map_or("", |(_, w)| w)
}

/// For machines; the same for any number of jobs.
fn as_json(s: &Summary, plan: &Plan, game: &str) -> Value {
    let players: Vec<Value> = s
        .players
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
        .collect();
    let uses: serde_json::Map<String, Value> =
        s.uses().0.iter().map(|(n, u)| (n.clone(), json!({ "times": u.times, "games": u.games }))).collect();
    json!({
        "version": 1, "game": game, "seed": plan.setup.seed, "games": s.games.len(), "planned": plan.games,
        "finished": s.finished(), "players": players, "length": spread_json(&s.lengths()), "uses": uses,
    })
}

fn game_json(g: &GameRecord) -> Value {
    let verdicts: Vec<&str> = g.verdicts.iter().map(|v| word(*v)).collect();
    let uses: serde_json::Map<String, Value> = g.uses.iter().map(|(n, k)| (n.clone(), json!(k))).collect();
    json!({
        "game": g.game, "seed": g.seed, "choices": g.choices, "turns": g.turns, "verdicts": verdicts,
        "scores": g.scores, "unfinished": g.unfinished, "uses": uses,
    })
}

/// A line a game; after the players' columns one for each rule and card.
fn csv(s: &Summary) -> String {
    let all = s.uses();
    let names: Vec<&String> = all.0.keys().collect();
    let mut head: Vec<String> = ["game", "seed", "choices", "turns", "unfinished"].map(String::from).to_vec();
    head.extend(s.players.iter().map(|n| field(&format!("verdict {n}"))));
    let scored = s.games.iter().any(|g| !g.scores.is_empty());
    if scored {
        head.extend(s.players.iter().map(|n| field(&format!("score {n}"))));
    }
    head.extend(names.iter().map(|n| field(n)));
    let mut out = head.join(",") + "\n";
    for g in &s.games {
        let mut row =
            vec![g.game.to_string(), g.seed.to_string(), g.choices.to_string(), g.turns.to_string()];
        row.push(field(g.unfinished.as_deref().unwrap_or("")));
        row.extend(
            (0..s.players.len()).map(|i| g.verdicts.get(i).map_or(String::new(), |v| word(*v).to_string())),
        );
        if scored {
            row.extend((0..s.players.len()).map(|i| g.scores.get(i).map_or(String::new(), i64::to_string)));
        }
        row.extend(names.iter().map(|n| {
            let times = g.uses.iter().find(|(name, _)| name == *n).map_or(0, |(_, k)| *k);
            times.to_string()
        }));
        out.push_str(&row.join(","));
        out.push('\n');
    }
    out
}

/// A field of a CSV file, in quotes where it needs them.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}
