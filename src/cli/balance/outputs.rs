//! What `balance` tells: for people, for machines, and as Markdown for a page or a pull request.
use super::Report;
use crate::io::{Failure, Io};
use crate::sim::figures::{count_text, show_unfinished};
use houserule_lab::balance::{Standing, UnlikePair, list_standings};
use houserule_lab::compare::{Change, Difference};
use houserule_lab::figures::{Figures, Lot};
use houserule_lab::stats::Share;
use serde_json::{Value, json};

/// Uses that changed are told up to so many.
const USES: usize = 20;

/// A line of the table: what is measured, its number without and with the house rules, and the difference with its interval.
struct Row {
    what: String,
    before: String,
    now: String,
    difference: String,
    /// Whether the interval leaves no doubt that something differs.
    sure: bool,
}

impl Row {
    fn of_share(what: String, before: Share, now: Share, d: Difference) -> Row {
        let percent = |share: Share| format!("{:.1} %", share.value() * 100.0);
        Row::new(what, percent(before), percent(now), d, 100.0, 1)
    }

    fn of_mean(what: String, before: f64, now: f64, d: Difference) -> Row {
        Row::new(what, format!("{before:.2}"), format!("{now:.2}"), d, 1.0, 2)
    }

    fn new(what: String, before: String, now: String, d: Difference, scale: f64, digits: usize) -> Row {
        let number = |x: f64| {
            // No difference is not one with a sign.
            let x = if (x * scale).abs() < 0.5 / 10f64.powi(digits as i32) { 0.0 } else { x * scale };
            if x == 0.0 { format!("{x:.digits$}") } else { format!("{x:+.digits$}") }
        };
        let difference = match d.change() {
            Change::TooFew => String::from("too few games"),
            _ => format!("{} ({} to {})", number(d.value), number(d.low), number(d.high)),
        };
        Row { what, before, now, difference, sure: matches!(d.change(), Change::More | Change::Less) }
    }
}

/// Outcomes, scores and length.
fn list_rows(r: &Report) -> Vec<Row> {
    let mut out = Vec::new();
    for (i, player) in r.modded.players.iter().enumerate().filter(|(_, p)| p.playing) {
        let at = r.base.players.iter().position(|p| p.name == player.name);
        let (Some(at), Some(Some(change))) = (at, r.change.players.get(i)) else { continue };
        for lot in Lot::ALL {
            let (before, now) = (r.base.share(at, lot), r.modded.share(i, lot));
            if lot == Lot::Won || before.count + now.count > 0 {
                let what = format!("{} {}", player.name, lot.word());
                out.push(Row::of_share(what, before, now, change.of_lot(lot)));
            }
        }
        if let Some(d) = change.score {
            let before = r.base.players.get(at).map_or(0.0, |p| p.scores.mean());
            out.push(Row::of_mean(format!("{} score", player.name), before, player.scores.mean(), d));
        }
    }
    let length = (r.base.length.mean(), r.modded.length.mean());
    out.push(Row::of_mean(String::from("choices a game"), length.0, length.1, r.change.length));
    out
}

/// What was used in more or fewer games, the greatest difference first.
fn list_use_rows(r: &Report) -> Vec<Row> {
    let mut all: Vec<_> = r.change.uses.iter().map(|(name, u)| (name, u.games)).collect();
    all.retain(|(_, d)| matches!(d.change(), Change::More | Change::Less));
    all.sort_by(|(a, x), (b, y)| y.value.abs().total_cmp(&x.value.abs()).then_with(|| a.cmp(b)));
    let row = |(name, d): (&String, Difference)| {
        Row::of_share(name.clone(), r.base.share_used(name), r.modded.share_used(name), d)
    };
    all.into_iter().map(row).collect()
}

/// Names by what became of them, each list with the sentence before it.
fn list_standing_lines(r: &Report) -> Vec<(&'static str, Vec<String>)> {
    let all = list_standings(&r.modded, &r.base);
    let of = |wanted: Standing| {
        all.iter().filter(|(_, s)| *s == wanted).map(|(name, _)| name.clone()).collect::<Vec<_>>()
    };
    let won = |name: &String| match r.modded.uses.get(name) {
        Some(u) => format!("{name} ({:.0} %)", u.share_won().value() * 100.0),
        None => name.clone(),
    };
    let average = "whose users win at least ten points more often than players on the average";
    let lines = [
        ("used in no game any more", of(Standing::Dead)),
        ("used now and never before", of(Standing::New)),
        (average, of(Standing::Dominant).iter().map(won).collect()),
    ];
    lines.into_iter().filter(|(_, names)| !names.is_empty()).collect()
}

fn pair_text(r: &Report, pair: UnlikePair) -> String {
    let names: Vec<&str> = r
        .modded
        .players
        .iter()
        .enumerate()
        .filter(|(i, _)| pair.winners.checked_shr(*i as u32).unwrap_or(0) & 1 == 1)
        .map(|(_, p)| p.name.as_str())
        .collect();
    let mut parts = Vec::new();
    if !names.is_empty() {
        parts.push(format!("won in one of the two only: {}", names.join(", ")));
    }
    if pair.scores > 0 {
        parts.push(format!("scores differ by {} in all", pair.scores));
    }
    if pair.length > 0 {
        parts.push(format!("{} more or less", count_text(pair.length as usize, "choice")));
    }
    format!("game {}: {}", pair.game, parts.join("; "))
}

fn head(r: &Report) -> String {
    let scenario = r.scenario.as_ref().map_or(String::new(), |s| format!(", {s}"));
    let pairs = count_text(r.change.pairs.unwrap_or(0) as usize, "pair");
    let played = r.base.games.min(r.modded.games);
    let unfinished = match played.saturating_sub(r.change.pairs.unwrap_or(0)) {
        0 => String::new(),
        n => format!(" (and {n} with a game that was not finished)"),
    };
    let mods = r.mods.iter().map(|m| format!("“{m}”")).collect::<Vec<_>>().join(", ");
    let bots: Vec<&str> = r.base.players.iter().filter(|p| p.playing).map(|p| p.policy.as_str()).collect();
    format!(
        "{}{scenario}: without and with {mods}, {pairs} of games{unfinished}, seed {}, {}",
        r.title,
        r.base.seed,
        bots.join(", ")
    )
}

/// For people.
pub fn show(r: &Report, io: &mut Io) -> Result<(), Failure> {
    let title = io.to_bold(&head(r));
    io.write_line(&title)?;
    show_table("", &list_rows(r), io)?;
    let uses = list_use_rows(r);
    if !uses.is_empty() {
        let (told, all) = (uses.len().min(USES), uses.len());
        let of =
            if told < all { format!(" (the {told} greatest of {all} differences)") } else { String::new() };
        io.write_line("")?;
        show_table(&format!("used in so many games{of}"), uses.get(..told).unwrap_or(&[]), io)?;
    }
    for (what, names) in list_standing_lines(r) {
        io.write_line(&format!("\n  {what}: {}", names.join(", ")))?;
    }
    for (what, figures) in [("without", &r.base), ("with", &r.modded)] {
        if figures.unfinished.is_empty() {
            continue;
        }
        io.write_line(&format!("\n  {what} the house rules:"))?;
        let why = figures.unfinished.iter().flat_map(|u| {
            let told = match &u.fault {
                Some(fault) if fault.message != u.why => format!("{}: {}", u.why, fault.message),
                _ => u.why.clone(),
            };
            std::iter::repeat_n(told, usize::try_from(u.games.count).unwrap_or(usize::MAX))
        });
        show_unfinished(why.collect(), io)?;
    }
    if !r.unlike.is_empty() {
        io.write_line("\n  the pairs that differ most")?;
        for u in &r.unlike {
            io.write_line(&format!("    {}", pair_text(r, u.pair)))?;
            for command in &u.commands {
                let line = io.to_faint(command);
                io.write_line(&format!("      {line}"))?;
            }
        }
    }
    Ok(())
}

fn show_table(title: &str, rows: &[Row], io: &mut Io) -> Result<(), Failure> {
    let width = |get: fn(&Row) -> &str, least: usize| {
        rows.iter().map(|r| get(r).chars().count()).max().unwrap_or(0).max(least)
    };
    let what = width(|r| &r.what, title.chars().count());
    let (before, now) = (width(|r| &r.before, 7), width(|r| &r.now, 7));
    let pad = |text: &str, width: usize| " ".repeat(width.saturating_sub(text.chars().count()));
    let line = io.to_faint(&format!(
        "  {title}{}  {}without  {}   with  difference (95 % interval)",
        pad(title, what),
        pad("without", before),
        pad("without", now)
    ));
    io.write_line(&line)?;
    for r in rows {
        let text = format!(
            "  {}{}  {}{}  {}{}  {}",
            r.what,
            pad(&r.what, what),
            pad(&r.before, before),
            r.before,
            pad(&r.now, now),
            r.now,
            r.difference
        );
        let text = if r.sure { io.to_bold(&text) } else { text };
        io.write_line(&text)?;
    }
    Ok(())
}

/// For a page or a pull request.
pub fn to_markdown(r: &Report) -> String {
    let mut out = format!("{}\n\n", head(r));
    let mut table = |title: &str, rows: &[Row]| {
        out.push_str(&format!(
            "| {title} | without | with | difference (95 % interval) |\n|---|---:|---:|---|\n"
        ));
        for row in rows {
            let difference =
                if row.sure { format!("**{}**", row.difference) } else { row.difference.clone() };
            let what = row.what.replace('|', "\\|");
            out.push_str(&format!("| {what} | {} | {} | {difference} |\n", row.before, row.now));
        }
        out.push('\n');
    };
    table("", &list_rows(r));
    let uses = list_use_rows(r);
    if !uses.is_empty() {
        table("used in so many games", uses.get(..uses.len().min(USES)).unwrap_or(&[]));
    }
    for (what, names) in list_standing_lines(r) {
        out.push_str(&format!("- {what}: {}\n", names.join(", ")));
    }
    for (what, figures) in [("Without", &r.base), ("With", &r.modded)] {
        for u in &figures.unfinished {
            let why = u.fault.as_ref().map_or(u.why.clone(), |f| f.message.clone());
            let games = count_text(u.games.count as usize, "game");
            out.push_str(&format!("- {what} the house rules {games} not finished: {why}\n"));
        }
    }
    for u in &r.unlike {
        out.push_str(&format!("- {}\n", pair_text(r, u.pair)));
    }
    out
}

fn difference_json(d: Difference) -> Value {
    let says = match d.change() {
        Change::TooFew => "too few",
        Change::More => "more",
        Change::Less => "less",
        Change::Unsure => "unsure",
    };
    json!({ "value": d.value, "low": d.low, "high": d.high, "games": d.games, "says": says })
}

fn share_json(s: Share) -> Value {
    let (low, high) = s.interval();
    json!({ "count": s.count, "share": s.value(), "low": low, "high": high })
}

/// For machines.
pub fn to_json(r: &Report) -> Value {
    let players = r.modded.players.iter().enumerate().filter(|(_, p)| p.playing).filter_map(|(i, p)| {
        let at = r.base.players.iter().position(|b| b.name == p.name)?;
        let change = r.change.players.get(i)?.as_ref()?;
        let mut out = json!({ "name": p.name, "policy": p.policy });
        for lot in Lot::ALL {
            out[lot.word()] = json!({
                "without": share_json(r.base.share(at, lot)), "with": share_json(r.modded.share(i, lot)),
                "difference": difference_json(change.of_lot(lot)),
            });
        }
        if let (Some(d), Some(before)) = (change.score, r.base.players.get(at)) {
            out["score"] = json!({
                "without": before.scores.mean(), "with": p.scores.mean(), "difference": difference_json(d),
            });
        }
        Some(out)
    });
    let uses: serde_json::Map<String, Value> = r
        .change
        .uses
        .iter()
        .map(|(name, u)| {
            let told = json!({
                "without": share_json(r.base.share_used(name)), "with": share_json(r.modded.share_used(name)),
                "difference": difference_json(u.games), "won": difference_json(u.won),
            });
            (name.clone(), told)
        })
        .collect();
    let standings: serde_json::Map<String, Value> = list_standings(&r.modded, &r.base)
        .into_iter()
        .map(|(name, s)| {
            let word = match s {
                Standing::Dead => "dead",
                Standing::New => "new",
                Standing::Dominant => "dominant",
            };
            (name, Value::from(word))
        })
        .collect();
    let unlike = r.unlike.iter().map(|u| {
        json!({
            "game": u.pair.game, "other_winners": u.pair.winners.count_ones(), "scores": u.pair.scores, "choices": u.pair.length,
            "again": u.commands,
        })
    });
    json!({
        "version": 1, "game": r.title, "scenario": r.scenario, "mods": r.mods, "seed": r.base.seed, "pairs": r.change.pairs,
        "players": players.collect::<Vec<_>>(),
        "length": { "without": r.base.length.mean(), "with": r.modded.length.mean(), "difference": difference_json(r.change.length) },
        "uses": uses, "standings": standings, "unlike": unlike.collect::<Vec<_>>(),
        "unfinished": { "without": unfinished_json(&r.base), "with": unfinished_json(&r.modded) },
    })
}

fn unfinished_json(f: &Figures) -> Vec<Value> {
    let one = |u: &houserule_lab::figures::UnfinishedFigures| json!({ "why": u.why, "fault": u.fault.as_ref().map(|f| &f.message), "games": u.games.count, "first": u.games.games.first() });
    f.unfinished.iter().map(one).collect()
}
