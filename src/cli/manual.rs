//! `completions` and `man`: what shells and `man` know of the commands, made from the commands themselves.
use super::args::{Cli, CompletionsArgs, ManArgs};
use super::io::{Exit, Failure, Io};
use super::store::to_slashed;
use clap::CommandFactory;

/// The program's name, as it is typed.
const NAME: &str = "houserule";

/// Prints the script that makes a shell complete commands.
pub fn run_completions(args: &CompletionsArgs, io: &mut Io) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), NAME, &mut script);
    io.write_raw(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Fine)
}

/// Writes a page of the manual for each command.
pub fn run_man(args: &ManArgs, io: &mut Io) -> Result<Exit, Failure> {
    let folder = &args.folder;
    let unwritable = |e| Failure::Unreadable(format!("cannot write to {}: {e}", to_slashed(folder)));
    std::fs::create_dir_all(folder).map_err(unwritable)?;
    clap_mangen::generate_to(Cli::command(), folder).map_err(unwritable)?;
    let page = folder.join(format!("{NAME}.1"));
    io.write_line(&format!("{}: the first of the pages; `man {0}` shows it", to_slashed(&page)))?;
    Ok(Exit::Fine)
}
