//! `dump`: what the rules are turned into.
use super::args::DumpArgs;
use super::io::{Exit, Failure, Io};
use super::setup;
use crate::program::dump;
use crate::program::setup::LowerOptions;

/// Runs the command.
pub fn run(args: &DumpArgs, io: &mut Io) -> Result<Exit, Failure> {
    let loaded = setup::load(&args.game, &args.setup, io)?;
    let setup = setup::setup(&args.setup, &loaded, 1, None)?;
    let how = LowerOptions { lift: !args.no_lift, fuse: !args.no_fuse, ..LowerOptions::default() };
    match loaded.game.with_lowering(how).program(&setup) {
        Ok(program) => {
            io.text(&dump::dump(&program, Some(loaded.game.files()), args.stats))?;
            Ok(Exit::Fine)
        }
        Err(report) => Err(loaded.complain(&report, io)),
    }
}
