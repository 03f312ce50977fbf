//! `perft`: counts the positions after so many plies.
use super::args::{Format, PerftArgs};
use super::explain::to_pretty_json;
use super::io::{Exit, Failure, Io};
use super::{setup, stop};
use houserule_lab::perft::{Count, LONGEST, Stopped, count_nodes, perft};
use houserule_play::fault_report;
use serde_json::json;

/// Runs the command.
pub fn run(args: &PerftArgs, io: &mut Io) -> Result<Exit, Failure> {
    let loaded = setup::load_game(&args.game, &args.setup, io)?;
    let setup = setup::make_setup(&args.setup, &loaded, 1, None)?;
    let program = loaded.game.lower_setup(&setup).map_err(|report| loaded.to_failure(&report, io))?;
    let mut machine = loaded.game.make_machine(program.clone(), setup.seed);
    let flag = stop::make_stop_flag(io);
    let counted = if args.nodes {
        let of = |nodes| Count { nodes, ..Count::default() };
        count_nodes(&mut machine, args.depth, &flag).map(|all| all.into_iter().map(of).collect())
    } else {
        perft(&mut machine, args.depth, &flag)
    };
    let counts: Vec<Count> = match counted {
        Ok(counts) => counts,
        Err(Stopped::Asked) => {
            return Err(Failure::Wrong(String::from("stopped; a smaller --depth is faster")));
        }
        Err(Stopped::Chance(n)) => {
            let text = format!("one chance event has {n} outcomes, which are too many to count");
            return Err(Failure::Wrong(text));
        }
        Err(Stopped::Long) => {
            let text = format!(
                "a game goes on for more than {LONGEST} choices, which are too many to count; a smaller --depth helps, unless one turn is as long as that"
            );
            return Err(Failure::Wrong(text));
        }
        Err(Stopped::Fault(f)) => return Err(loaded.to_failure(&fault_report(&f, &program), io)),
    };
    if args.format == Format::Json {
        let list: Vec<_> = counts
            .iter()
            .enumerate()
            .map(|(i, c)| {
                if args.nodes {
                    return json!({ "depth": i + 1, "nodes": c.nodes });
                }
                json!({ "depth": i + 1, "nodes": c.nodes, "finished": c.finished, "won": c.won, "tied": c.tied })
            })
            .collect();
        io.write_line(&to_pretty_json(&json!({ "version": 1, "game": loaded.bundle.name, "counts": list })))?;
        return Ok(Exit::Fine);
    }
    if args.nodes {
        for (i, c) in counts.iter().enumerate() {
            io.write_line(&format!("{}  {}", i + 1, c.nodes))?;
        }
        return Ok(Exit::Fine);
    }
    let names: Vec<String> = program
        .universes
        .get(program.player_universe.index())
        .map(|u| u.things.iter().map(|t| format!("{} won", t.title)).collect())
        .unwrap_or_default();
    let mut rows = vec![vec![String::from("depth"), String::from("nodes"), String::from("finished")]];
    if let Some(head) = rows.first_mut() {
        head.extend(names);
        head.push(String::from("undecided"));
    }
    // Behind the longest game there is nothing to tell.
    for (i, c) in counts.iter().enumerate().take_while(|(i, c)| *i == 0 || c.nodes > 0) {
        let mut row = vec![(i + 1).to_string(), c.nodes.to_string(), c.finished.to_string()];
        row.extend(c.won.iter().map(u64::to_string));
        row.push(c.tied.to_string());
        rows.push(row);
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |k: usize| rows.iter().filter_map(|r| r.get(k)).map(|t| t.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in &rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(t, w)| format!("{t:>w$}")).collect();
        io.write_line(&cells.join("  "))?;
    }
    Ok(Exit::Fine)
}
