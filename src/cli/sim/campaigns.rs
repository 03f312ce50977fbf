//! `sim --campaign`: plays whole campaigns between bots, and prints statistics of the campaigns and of each of their games.
use super::again::{file_of, play_command, replay_command, to_failure};
use super::failures;
use super::figures::*;
use crate::args::{Format, SimArgs};
use crate::explain::to_pretty_json;
use crate::io::{Exit, Failure, Io};
use crate::setup::Loaded;
use crate::store::write_whole;
use crate::{save, stop};
use houserule_lab::campaigns::{
    CampaignGame, CampaignRecord, CampaignSummary, replay_campaign, simulate_campaigns,
};
use houserule_lab::simulate::SimulationPlan;
use houserule_lab::stats::Spread;
use houserule_play::NO_CAMPAIGN;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::AtomicU64;

/// Games of the row that are drawn; the rest is counted.
const DRAWN: usize = 20;

/// Runs the command.
pub fn run(
    args: &SimArgs,
    plan: &SimulationPlan,
    seats: usize,
    loaded: &Loaded,
    io: &mut Io,
) -> Result<Exit, Failure> {
    if !loaded.game.has_campaign() {
        return Err(Failure::Usage(NO_CAMPAIGN.into()));
    }
    let flag = stop::make_stop_flag(io);
    let done = AtomicU64::new(0);
    let play = || simulate_campaigns(&loaded.game, plan, args.longest, &flag, &done);
    let result = stop::with_bar(io, "campaigns", plan.games, &done, play);
    let summary = result.map_err(|e| to_failure(&e, loaded, io))?;
    let faults = summary.campaigns.iter().filter_map(|c| Some((c, c.fault.as_deref()?)));
    let failures = failures::group(faults);
    if let Some(out) = &args.out {
        let text = match file_kind(out)? {
            FileKind::Csv => to_csv(&summary),
            FileKind::Json => {
                let mut all = as_json(&summary, plan, &failures, args, loaded);
                all["each"] = summary.campaigns.iter().map(campaign_json).collect();
                to_pretty_json(&all) + "\n"
            }
        };
        write_whole(out, text.as_bytes())
            .map_err(|e| Failure::Unreadable(format!("cannot write {}: {e}", out.display())))?;
    }
    if args.format == Format::Json {
        io.write_line(&to_pretty_json(&as_json(&summary, plan, &failures, args, loaded)))?;
    } else {
        show_summary(&summary, plan, loaded, io)?;
    }
    let (n, of) = (summary.campaigns.len(), plan.games);
    if (n as u64) < of {
        io.write_remark(&format!("Stopped after {n} of {of} campaigns; the finished ones are kept."));
    }
    if let (Some(file), Some(record), true) = (&args.save, summary.campaigns.first(), args.only.is_some()) {
        save_replayed(file, record, plan, args, loaded, io)?;
    }
    if failures.is_empty() {
        return Ok(Exit::Fine);
    }
    tell_failures(&failures, seats, args, loaded, io);
    Ok(Exit::Findings)
}

/// A way in which the rules failed, with the first campaign that came to it.
type Failed<'a> = failures::Failed<'a, &'a CampaignRecord>;

/// Draws the failures with the rules beside them, and says how to look at each.
fn tell_failures(all: &[Failed<'_>], seats: usize, args: &SimArgs, loaded: &Loaded, io: &mut Io) {
    failures::show(all, loaded, io, |f| {
        if args.save.is_some() {
            return None;
        }
        let (number, games) = (f.first.campaign, f.first.games.len());
        let told = match f.times {
            1 => format!("in campaign {number}"),
            n => format!("in {n} campaigns, first in campaign {number}"),
        };
        let has_no_end = f.first.games.last().is_some_and(|g| g.handed.is_none());
        let place = if has_no_end { "in" } else { "after" };
        let again = replay_command(args, number);
        let mut text = format!("{told}, {place} its game {games}; to look at it:\n  {again}\n");
        if has_no_end {
            let beside = file_of(args, number).with_extension("save");
            text.push_str(&format!("  {}\n", play_command(args, &beside, seats)));
        }
        Some(text)
    });
    let campaigns: u64 = all.iter().map(|f| f.times).sum();
    io.write_error(&match campaigns {
        1 => String::from("one campaign did not come to its end; it is kept as unfinished"),
        n => format!("{n} campaigns did not come to their end; they are kept as unfinished"),
    });
}

/// Saves a campaign that was played again, and beside it the game that its file cannot hold.
fn save_replayed(
    file: &Path,
    record: &CampaignRecord,
    plan: &SimulationPlan,
    args: &SimArgs,
    loaded: &Loaded,
    io: &mut Io,
) -> Result<(), Failure> {
    let again = replay_campaign(&loaded.game, plan, record);
    let (campaign, open) = again.map_err(|e| to_failure(&e, loaded, io))?;
    let cannot = |e: std::io::Error| Failure::Unreadable(format!("cannot write {}: {e}", file.display()));
    write_whole(file, campaign.to_text().as_bytes()).map_err(cannot)?;
    let (number, games) = (record.campaign, campaign.games.len());
    let games = count_text(games, "game");
    let (name, place) = (&args.game, file.display());
    io.write_remark(&format!("Campaign {number} of {name} is saved in {place}: {games}."));
    if let Some(mut m) = open.and_then(|open| open.game) {
        let beside = file.with_extension("save");
        save::write(&mut m, &beside).map_err(Failure::Unreadable)?;
        io.write_remark(&format!("The game that it cannot hold is saved in {}.", beside.display()));
    }
    Ok(())
}

/// How many games the ended campaigns had.
fn count_games(s: &CampaignSummary) -> Spread {
    let mut out = Spread::default();
    let ended = s.campaigns.iter().filter(|c| c.unfinished.is_none());
    ended.for_each(|c| out.add(c.games.len() as i64));
    out
}

/// Which scenarios were played at a place of the row, and how often.
fn count_scenarios(s: &CampaignSummary, place: usize) -> BTreeMap<&str, u64> {
    let mut out = BTreeMap::new();
    for g in s.campaigns.iter().filter_map(|c| c.games.get(place)) {
        *out.entry(g.setup.scenario.as_deref().unwrap_or("")).or_default() += 1;
    }
    out
}

/// For people.
fn show_summary(
    s: &CampaignSummary,
    plan: &SimulationPlan,
    loaded: &Loaded,
    io: &mut Io,
) -> Result<(), Failure> {
    show_head(&count_text(s.campaigns.len(), "campaign"), plan, loaded, io)?;
    let games = count_games(s);
    if games.count() > 0 {
        io.write_line(&format!("  games   {} a campaign", spread_text(&games)))?;
    }
    show_unfinished(s.campaigns.iter().filter_map(|c| c.unfinished.clone()).collect(), io)?;
    let last = s.last_games();
    if !last.games.is_empty() {
        io.write_line("  how the last games end")?;
        show_players(&last, "    ", io)?;
    }
    for place in 0..s.longest().min(DRAWN) {
        let at = s.games_at(place);
        let scenarios = count_scenarios(s, place);
        let told: Vec<String> = scenarios
            .iter()
            .filter(|(word, _)| !word.is_empty())
            .map(|(word, n)| if scenarios.len() == 1 { (*word).to_string() } else { format!("{word} {n}") })
            .collect();
        let told = if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) };
        let campaigns = count_text(at.games.len(), "campaign");
        io.write_line(&format!("  game {}, in {campaigns}{told}", place + 1))?;
        show_players(&at, "    ", io)?;
    }
    if s.longest() > DRAWN {
        io.write_line(&format!("  and {} more; --format json and --out have all", s.longest() - DRAWN))?;
    }
    Ok(())
}

/// For machines; the same for any number of jobs.
fn as_json(
    s: &CampaignSummary,
    plan: &SimulationPlan,
    failures: &[Failed<'_>],
    args: &SimArgs,
    loaded: &Loaded,
) -> Value {
    let to_fault = |f: &Failed<'_>| {
        let c = f.first;
        let own = json!({
            "campaigns": f.times, "campaign": c.campaign, "seed": c.seed, "games": c.games.len(),
        });
        failures::to_json(f, c.campaign, own, args, loaded)
    };
    let faults: Vec<Value> = failures.iter().map(to_fault).collect();
    let row = |place: usize| {
        let at = s.games_at(place);
        json!({
            "game": place + 1, "games": at.games.len(), "finished": at.finished(), "scenarios": count_scenarios(s, place),
            "players": players_json(&at), "length": spread_json(&at.lengths()),
        })
    };
    let ended = s.campaigns.iter().filter(|c| c.unfinished.is_none()).count();
    json!({
        "version": 1, "game": loaded.bundle.name, "seed": plan.setup.seed, "campaigns": s.campaigns.len(),
        "planned": plan.games, "longest": args.longest, "ended": ended, "games": spread_json(&count_games(s)),
        "last": players_json(&s.last_games()), "row": (0..s.longest()).map(row).collect::<Vec<_>>(), "faults": faults,
    })
}

/// A campaign as an entry of the file.
fn campaign_json(c: &CampaignRecord) -> Value {
    json!({
        "campaign": c.campaign, "seed": c.seed, "unfinished": c.unfinished, "failed": c.fault.is_some(),
        "games": c.games.iter().map(game_json).collect::<Vec<_>>(),
    })
}

fn game_json(g: &CampaignGame) -> Value {
    let (Some(r), s) = (g.record(), &g.setup) else { return Value::Null };
    let verdicts: Vec<&str> = r.verdicts.iter().map(|v| verdict_word(*v)).collect();
    let handed: Option<Map<String, Value>> =
        g.handed.as_ref().map(|all| all.iter().map(|(o, v)| (o.clone(), json!(v))).collect());
    json!({
        "scenario": s.scenario, "options": s.options, "seed": r.seed, "choices": r.choices, "turns": r.turns,
        "unfinished": r.unfinished, "verdicts": verdicts, "scores": r.scores, "handed": handed,
    })
}

/// A line a game; the last columns are the options that ends hand on.
fn to_csv(s: &CampaignSummary) -> String {
    let players = s.games_at(0).players;
    let games = || s.campaigns.iter().flat_map(|c| &c.games);
    let options: BTreeSet<&str> =
        games().flat_map(|g| g.handed.iter().flatten()).map(|(o, _)| o.as_str()).collect();
    let scored = games().filter_map(CampaignGame::record).any(|r| !r.scores.is_empty());
    let mut head: Vec<String> =
        ["campaign", "game", "seed", "scenario", "choices", "turns", "unfinished"].map(String::from).to_vec();
    head.extend(players.iter().map(|n| csv_field(&format!("verdict {n}"))));
    if scored {
        head.extend(players.iter().map(|n| csv_field(&format!("score {n}"))));
    }
    head.extend(options.iter().map(|o| format!("handed {o}")));
    let mut out = head.join(",") + "\n";
    for c in &s.campaigns {
        for (i, g) in c.games.iter().enumerate() {
            let Some(r) = g.record() else { continue };
            // What keeps a campaign from its end stands beside its last game.
            let why = if i + 1 == c.games.len() { &c.unfinished } else { &None };
            let mut row = vec![
                c.campaign.to_string(),
                (i + 1).to_string(),
                r.seed.to_string(),
                g.setup.scenario.clone().unwrap_or_default(),
                r.choices.to_string(),
                r.turns.to_string(),
                csv_field(why.as_deref().unwrap_or_default()),
            ];
            let cells = 0..players.len();
            row.extend(cells.clone().map(|i| r.verdicts.get(i).map_or("", |v| verdict_word(*v)).to_string()));
            if scored {
                row.extend(cells.map(|i| r.scores.get(i).map_or(String::new(), i64::to_string)));
            }
            row.extend(options.iter().map(|o| {
                let found = g.handed.iter().flatten().find(|(name, _)| name == o);
                found.map_or(String::new(), |(_, v)| csv_field(v))
            }));
            out.push_str(&row.join(","));
            out.push('\n');
        }
    }
    out
}
