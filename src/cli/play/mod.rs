//! `play`: a match in the terminal, or over JSON lines.
mod given;
mod json;
pub mod marks;
mod session;
pub mod table;

use super::args::PlayArgs;
use super::io::{Exit, Failure, Io};
use super::seats::{self, Bots, Sitter};
use super::setup::{self, Loaded};
use crate::play::{Match, Setup, setup::player_range};
use std::time::{SystemTime, UNIX_EPOCH};

/// Runs the command.
pub fn run(args: &PlayArgs, io: &mut Io) -> Result<Exit, Failure> {
    let given = seats::parse(&args.seats)?;
    let loaded = setup::load(&args.game, &args.setup, io)?;
    let model = loaded.game.model();
    let seed = args.seed.unwrap_or_else(some_seed);
    let players = seats::players(&given, player_range(model, None));
    let setup = setup::setup(&args.setup, &loaded, seed, players)?;
    let m = start(&loaded, &setup, args, io)?;
    let rest = match (args.json, given.is_empty(), m.program().heuristics.is_empty()) {
        (true, true, _) => Sitter::You,
        (_, _, true) => Sitter::Bot("random"),
        (_, _, false) => Sitter::Bot("greedy"),
    };
    let given = if given.is_empty() { vec![Sitter::You] } else { given };
    let sitters = seats::fill(given, m.seats(), rest)?;
    let bots = Bots::new(&sitters, seed);
    let given = args.given.is_some();
    if args.json {
        json::run(m, bots, &sitters, given, &loaded, io)
    } else {
        session::run(m, bots, &sitters, args, &loaded, io)
    }
}

fn start(loaded: &Loaded, setup: &Setup, args: &PlayArgs, io: &mut Io) -> Result<Match, Failure> {
    match &args.given {
        Some(path) => given::start(loaded, path, setup.seed, io),
        None => loaded.game.start(setup).map_err(|report| loaded.complain(&report, io)),
    }
}

/// A seed that is another one each time, short enough to be typed again.
fn some_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (now.as_nanos() as u64 ^ u64::from(std::process::id()).wrapping_mul(0x9e37_79b9)) % 1_000_000
}
