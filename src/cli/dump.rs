//! `dump`: prints the bytecode of a game.
use super::args::DumpArgs;
use super::io::{Exit, Failure, Io};
use super::setup;
use houserule_program::{LowerOptions, Pass, PassSet, dump};

/// Runs the command.
pub fn run(args: &DumpArgs, io: &mut Io) -> Result<Exit, Failure> {
    let loaded = setup::load_game(&args.game, &args.setup, io)?;
    let setup = setup::make_setup(&args.setup, &loaded, 1, None)?;
    let how = LowerOptions { lift: !args.no_lift, passes: select_passes(args)?, ..LowerOptions::default() };
    match loaded.game.with_lowering(how).lower_setup(&setup) {
        Ok(program) => {
            io.write_text(&dump::dump(&program, Some(loaded.game.files()), args.stats))?;
            Ok(Exit::Fine)
        }
        Err(report) => Err(loaded.to_failure(&report, io)),
    }
}

/// The passes that the code goes through.
fn select_passes(args: &DumpArgs) -> Result<PassSet, Failure> {
    let named = |name: &String| {
        let found = Pass::ALL.iter().find(|(n, _)| n == name).map(|(_, pass)| *pass);
        found.ok_or_else(|| {
            let all: Vec<&str> = Pass::ALL.iter().map(|(n, _)| *n).collect();
            Failure::Usage(format!("there is no pass {name}; the passes are {}", all.join(", ")))
        })
    };
    let all = match &args.after {
        None => PassSet::ALL,
        Some(name) if name == "none" => PassSet::NONE,
        Some(name) => PassSet::ALL.up_to(named(name)?),
    };
    args.without.iter().try_fold(all, |set, name| Ok(set.without(named(name)?)))
}
