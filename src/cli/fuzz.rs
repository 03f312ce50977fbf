//! `fuzz`: many random inputs, each held to what must be true of it. One target a kind of input.
use super::args::{FuzzArgs, FuzzTarget, ProgramsArgs};
use super::io::{Exit, Failure, Io};
use crate::lab::generate::{self, Feature, Plan};

/// Runs the command.
pub fn run(args: &FuzzArgs, io: &mut Io) -> Result<Exit, Failure> {
    match &args.target {
        FuzzTarget::Programs(args) => programs(args, io),
    }
}

/// Random programs, held to the laws.
fn programs(args: &ProgramsArgs, io: &mut Io) -> Result<Exit, Failure> {
    let mut without = Vec::new();
    for name in &args.without {
        without.extend(Feature::named(name).map_err(Failure::Wrong)?);
    }
    if args.print {
        for seed in args.seed..args.seed.saturating_add(args.count) {
            io.line(&format!("# seed {seed}\n{}", generate::program(seed, &without).text()))?;
        }
        return Ok(Exit::Fine);
    }
    let plan = Plan {
        seed: args.seed,
        count: args.count,
        laws: args.laws.clone(),
        without,
        choices: args.choices,
        tries: args.tries,
    };
    // A panic is a finding here; it is told with its program, not as it happens.
    std::panic::set_hook(Box::new(|_| {}));
    let done = generate::run(&plan);
    drop(std::panic::take_hook());
    let done = done.map_err(Failure::Wrong)?;
    for f in &done.faults {
        let seeds: Vec<String> = f.seeds.iter().take(8).map(u64::to_string).collect();
        let more = f.seeds.len().saturating_sub(seeds.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        io.line(&format!("{}\nof seed {}{more}\n\n{}", f.what, seeds.join(", "), f.text))?;
    }
    io.line(&format!(
        "{} programs, {} without errors, {} laws held, {} cases compared, {} failures",
        done.programs,
        done.checked,
        done.held,
        done.cases,
        done.faults.iter().map(|f| f.seeds.len()).sum::<usize>()
    ))?;
    Ok(if done.faults.is_empty() { Exit::Fine } else { Exit::Findings })
}
