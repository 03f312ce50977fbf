//! `coverage`: lists what the tests of a game and games between bots never reach.
mod outputs;

use crate::args::{CoverageArgs, Format};
use crate::explain::to_pretty_json;
use crate::io::{Exit, Failure, Io};
use crate::store::{to_slashed, write_whole};
use crate::{load, report, seats, setup};
use houserule_lab::coverage::{self, Reached, Unit};
use houserule_lab::line_coverage::cover_lines;
use serde_json::json;

/// Runs the command.
pub fn run(args: &CoverageArgs, io: &mut Io) -> Result<Exit, Failure> {
    let bots = seats::parse_bots(&args.seats)?;
    let loaded = setup::open_bundle(load::find_game(&args.game)?.load_bundle()?, io)?;
    let (game, bundle) = (&loaded.game, &loaded.bundle);
    let units = coverage::list_units(game);
    let tests = coverage::measure_tests(game);
    let games = coverage::measure_games(game, args.games, args.seed, &bots);
    let (unfinished, why) = (games.unfinished, games.why.clone());
    let both = tests.clone().merge(games.clone());
    if args.lcov.is_some() || args.html.is_some() {
        let files = cover_lines(game, &both);
        let write = |file: &std::path::Path, text: String| {
            write_whole(file, text.as_bytes())
                .map_err(|e| Failure::Unreadable(format!("cannot write {}: {e}", to_slashed(file))))
        };
        if let Some(file) = &args.lcov {
            write(file, outputs::to_lcov(&files, &loaded))?;
        }
        if let Some(file) = &args.html {
            write(file, outputs::to_html(&files, &loaded))?;
        }
    }
    let place = |u: &Unit| report::place_text(bundle, game.files(), u.span);
    let count = |r: &Reached| units.iter().filter(|u| u.is_in(r)).count();
    if args.format == Format::Json {
        let list = |of: &dyn Fn(&Unit) -> bool| -> Vec<_> {
            let one = |u: &Unit| json!({ "what": u.what, "name": u.name, "place": place(u) });
            units.iter().filter(|u| of(u)).map(one).collect()
        };
        let part = |r: &Reached| json!({ "reached": count(r), "never": list(&|u: &Unit| !u.is_in(r)) });
        let all = json!({
            "version": 1, "game": bundle.name, "declarations": units.len(), "games": args.games, "seats": args.seats, "unfinished": unfinished,
            "why_unfinished": why.as_ref().map(|(_, w)| w),
            "by_tests": part(&tests), "by_games": part(&games), "together": part(&both),
        });
        io.write_line(&to_pretty_json(&all))?;
        return Ok(Exit::Fine);
    }
    let played = if args.games == 1 { String::from("1 game") } else { format!("{} games", args.games) };
    let by = bots.iter().map(|b| b.to_word()).collect::<Vec<_>>().join(", ");
    let played = if by.is_empty() || by == "random" { played } else { format!("{played} of {by}") };
    let sections: [(String, Vec<&Unit>); 3] = [
        (
            format!("Reached by no test and by none of {played}:"),
            units.iter().filter(|u| !u.is_in(&both)).collect(),
        ),
        (
            String::from("Reached by no test:"),
            units.iter().filter(|u| !u.is_in(&tests) && u.is_in(&games)).collect(),
        ),
        (
            format!("Reached by none of {played}:"),
            units.iter().filter(|u| u.is_in(&tests) && !u.is_in(&games)).collect(),
        ),
    ];
    for (title, list) in sections.into_iter().filter(|(_, list)| !list.is_empty()) {
        let title = io.to_bold(&title);
        io.write_line(&title)?;
        for u in list {
            io.write_line(&format!("  {}: {}", place(u), u.title()))?;
        }
    }
    let mut line = format!(
        "{}: of {} declarations {} reached by the tests, {} by {played}, {} together",
        bundle.name,
        units.len(),
        count(&tests),
        count(&games),
        count(&both)
    );
    if unfinished > 0 {
        let noun = if unfinished == 1 { "game" } else { "games" };
        line.push_str(&format!("; {unfinished} {noun} had no end"));
    }
    io.write_line(&line)?;
    if let Some((_, why)) = why {
        io.write_line(&format!("the first without an end: {why}"))?;
    }
    Ok(Exit::Fine)
}
