//! `play`: a match in the terminal, or over JSON lines.
mod campaign;
mod given;
mod json;
mod lists;
mod session;
pub mod table;
mod ticks;
mod titles;

#[cfg(test)]
mod tests;

use super::args::PlayArgs;
use super::io::{Exit, Failure, Io};
use super::replay;
use super::seats::{self, Bots, Sitter};
use super::setup::{self, Loaded};
use houserule_bots::Bot;
use houserule_play::{Match, Opened, Setup, setup::player_range};
use houserule_program::ir::Program;

/// Runs the command.
pub fn run(args: &PlayArgs, io: &mut Io) -> Result<Exit, Failure> {
    let mut given = seats::parse_seats(&args.seats)?;
    let loaded = setup::load_game(&args.game, &args.setup, io)?;
    let seed = args.seed.unwrap_or_else(setup::draw_seed);
    let players = seats::player_count(&given, player_range(loaded.game.model(), None).0);
    let mut setup = setup::make_setup(&args.setup, &loaded, seed, players)?;
    if let Some(file) = &args.load {
        let m = replay::open_at(&loaded, &file.to_string_lossy(), io)?;
        if given.is_empty() {
            // Who sat there when it was saved sits there again.
            given = seats::parse_seats(&m.setup().seats).unwrap_or_default();
        }
        let sitters = assign_seats(given, args.json, m.program())?;
        let setup = m.setup().clone();
        return play_match(m, setup, &sitters, args, &loaded, io);
    }
    let mut first = None;
    let campaign = match &args.campaign {
        None => None,
        Some(file) => {
            let campaign = campaign::open(file, args, &loaded, io)?;
            if campaign.opened.is_over() {
                return Ok(Exit::Fine);
            }
            let next = campaign.opened.next_setup(&setup);
            first = Some(std::mem::replace(&mut setup, next));
            Some(campaign)
        }
    };
    let people = given.is_empty() || given.contains(&Sitter::You);
    let timed = args.timed.as_ref().map_or(io.interactive && people && !args.json, |word| word == "yes");
    if timed && let Ok(program) = loaded.game.lower_setup(&setup) {
        // Where no clock counts seconds there is nothing to measure.
        setup.timed = program.offers.iter().flat_map(|o| &o.clock).any(|c| !c.seconds.is_empty());
    }
    if let Some(path) = &args.given {
        let m = given::start_match(&loaded, path, &setup, io)?;
        let sitters = assign_seats(given, args.json, m.program())?;
        return play_match(m, setup, &sitters, args, &loaded, io);
    }
    let program = loaded.game.lower_setup(&setup).map_err(|report| loaded.to_failure(&report, io))?;
    let sitters = assign_seats(given, args.json, &program)?;
    let m = loaded.game.start(&setup).map_err(|report| loaded.to_failure(&report, io))?;
    match campaign {
        None => play_match(m, setup, &sitters, args, &loaded, io),
        Some(campaign) if args.json => {
            let (m, bots, seed_open) = seat(m, &sitters, args);
            let setup = Setup { timed: setup.timed, ..first.unwrap_or(setup) };
            let beginning = json::Beginning { setup, seed_open, before: campaign.opened };
            json::run(m, bots, &sitters, beginning, &loaded, io)
        }
        Some(campaign) => {
            let (exit, m) = play_in_terminal(m, &sitters, args, &loaded, io)?;
            campaign.end_game(m, io)?;
            Ok(exit)
        }
    }
}

/// Assigns every seat. A seat that is not named is a bot's; if none is named, the first is a person's, and over JSON all are the other program's.
fn assign_seats(given: Vec<Sitter>, json: bool, program: &Program) -> Result<Vec<Sitter>, Failure> {
    let rest = match (json && given.is_empty(), program.heuristics.is_empty()) {
        (true, _) => Sitter::You,
        (false, true) => Sitter::Bot(Bot::Random),
        (false, false) => Sitter::Bot(Bot::Greedy),
    };
    let given = if given.is_empty() { vec![Sitter::You] } else { given };
    seats::fill_seats(given, usize::from(program.seats), rest)
}

fn play_match(
    m: Match,
    setup: Setup,
    sitters: &[Sitter],
    args: &PlayArgs,
    loaded: &Loaded,
    io: &mut Io,
) -> Result<Exit, Failure> {
    if !args.json {
        return Ok(play_in_terminal(m, sitters, args, loaded, io)?.0);
    }
    let (m, bots, seed_open) = seat(m, sitters, args);
    json::run(m, bots, sitters, json::Beginning { setup, seed_open, before: Opened::default() }, loaded, io)
}

fn play_in_terminal(
    m: Match,
    sitters: &[Sitter],
    args: &PlayArgs,
    loaded: &Loaded,
    io: &mut Io,
) -> Result<(Exit, Match), Failure> {
    let (m, bots, seed_open) = seat(m, sitters, args);
    session::run(m, bots, sitters, args.fair, seed_open, loaded, io)
}

/// The match with its seats, its bots, and whether the seed may be told.
fn seat(m: Match, sitters: &[Sitter], args: &PlayArgs) -> (Match, Bots, bool) {
    let m = m.with_seats(sitters.iter().map(|s| s.to_word()).collect());
    let bots = Bots::new(sitters, m.setup().seed);
    let seed_open = args.seed.is_some() && args.load.is_none() && json::is_alone(sitters);
    (if seed_open { m } else { m.with_discreet_faults() }, bots, seed_open)
}
