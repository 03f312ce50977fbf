//! `fuzz`: many random inputs, each held to what must be true of it. One target a kind of input.
use super::args::{FuzzArgs, FuzzTarget, ProgramsArgs};
use super::io::{Exit, Failure, Io};
use crate::lab::generate::{self, Plan};

/// Runs the command.
pub fn run(args: &FuzzArgs, io: &mut Io) -> Result<Exit, Failure> {
    match &args.target {
        FuzzTarget::Programs(args) => programs(args, io),
    }
}

/// Random programs, held to the laws.
fn programs(args: &ProgramsArgs, io: &mut Io) -> Result<Exit, Failure> {
    let plan = Plan { seed: args.seed, count: args.count, laws: args.laws.clone(), ..Plan::default() };
    let done = generate::run(&plan).map_err(Failure::Wrong)?;
    for f in &done.failures {
        io.line(&format!("seed {}: {}\n{}", f.seed, f.what, f.text))?;
    }
    io.line(&format!(
        "{} programs, {} without errors, {} laws held, {} cases compared, {} failures",
        done.programs,
        done.checked,
        done.held,
        done.cases,
        done.failures.len()
    ))?;
    Ok(if done.failures.is_empty() { Exit::Fine } else { Exit::Findings })
}
