//! `play`: a match in the terminal, or over JSON lines.
mod given;
mod json;
mod session;
pub mod table;

use super::args::PlayArgs;
use super::io::{Exit, Failure, Io};
use super::replay;
use super::seats::{self, Bots, Sitter};
use super::setup::{self, Loaded};
use houserule_bots::Bot;
use houserule_play::{Match, Setup, setup::player_range};
use houserule_program::ir::Program;
use std::time::{SystemTime, UNIX_EPOCH};

/// Runs the command.
pub fn run(args: &PlayArgs, io: &mut Io) -> Result<Exit, Failure> {
    let mut given = seats::parse_seats(&args.seats)?;
    let loaded = setup::load_game(&args.game, &args.setup, io)?;
    let seed = args.seed.unwrap_or_else(draw_seed);
    let players = seats::player_count(&given, player_range(loaded.game.model(), None));
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
    play_match(m, setup, &sitters, args, &loaded, io)
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
    let m = m.with_seats(sitters.iter().map(|s| s.to_word()).collect());
    let bots = Bots::new(sitters, m.setup().seed);
    let seed_open = args.seed.is_some() && args.load.is_none() && json::is_alone(sitters);
    let m = if seed_open { m } else { m.with_discreet_faults() };
    if args.json {
        json::run(m, bots, sitters, setup, seed_open, loaded, io)
    } else {
        session::run(m, bots, sitters, args.fair, seed_open, loaded, io)
    }
}

/// A seed that is another one each time, short enough to be typed again.
fn draw_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (now.as_nanos() as u64 ^ u64::from(std::process::id()).wrapping_mul(0x9e37_79b9)) % 1_000_000
}
