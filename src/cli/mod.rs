//! The command line: reads arguments, files and the terminal, and calls the other rooms. One file for each command; the only room that touches files, threads and the terminal.
//!
//! [`main`] is what the binary runs. [`run`] is the same with its streams handed in, which is how the tests use it.
mod args;
mod balance;
mod cards;
mod check;
mod ci;
mod coverage;
mod debug;
mod doc;
pub mod draw;
mod dump;
mod edit;
mod excerpt;
mod explain;
mod fmt;
mod fuzz;
mod fuzz_game;
mod games;
mod io;
mod leaks;
mod library;
mod load;
mod lsp;
mod manual;
mod mods;
mod mutate;
mod new;
mod perft;
mod play;
mod replay;
mod report;
mod save;
mod seats;
mod setup;
mod setups;
mod shapes;
mod sim;
mod stop;
mod store;
mod test;
mod value_calls;
mod why;

pub use args::Cli;
pub use io::{Exit, Failure, Io};

use args::Command;
use clap::{CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the program's own arguments on the program's own streams.
pub fn main() -> ExitCode {
    let mut io = Io::from_process();
    let exit = run(std::env::args_os(), &mut io);
    ExitCode::from(exit.code())
}

/// Runs arguments (the first is the program's name) on the given streams, and says how it went.
pub fn run(args: impl IntoIterator<Item = OsString>, io: &mut Io) -> Exit {
    match dispatch(args, io).and_then(|exit| io.flush_output().map(|()| exit)) {
        Ok(exit) => exit,
        Err(failure) => {
            let exit = failure.exit();
            if let Some(text) = failure.failure_text() {
                io.write_error(&text);
            }
            exit
        }
    }
}

fn dispatch(args: impl IntoIterator<Item = OsString>, io: &mut Io) -> Result<Exit, Failure> {
    let command = Cli::command().after_long_help(args::after_help());
    // Texts that nobody looks at on a terminal are the same everywhere; on a terminal its own width is asked for.
    let command = if io.interactive { command } else { command.term_width(io.width) };
    let cli = match command.try_get_matches_from(args).and_then(|m| Cli::from_arg_matches(&m)) {
        Ok(cli) => cli,
        Err(e) => return args::show_clap(&e, io),
    };
    io.set_style(cli.color, cli.ascii);
    match cli.command {
        Command::Check(args) => check::run(&args, io),
        Command::Ci(args) => ci::run(&args, io),
        Command::Mods(args) => mods::run(&args, io),
        Command::Cards(args) => cards::run(&args, io),
        Command::New(args) => new::run(&args, io),
        Command::Fmt(args) => fmt::run(&args, io),
        Command::Explain(args) => explain::run(&args, io),
        Command::Test(args) => test::run(&args, io),
        Command::Mutate(args) => mutate::run(&args, io),
        Command::Coverage(args) => coverage::run(&args, io),
        Command::Play(args) => play::run(&args, io),
        Command::Fuzz(args) => fuzz::run(&args, io),
        Command::Leaks(args) => leaks::run(&args, io),
        Command::Sim(args) => sim::run(&args, io),
        Command::Debug(args) => debug::run(&args, io),
        Command::Doc(args) => doc::run(&args, io),
        Command::Lsp(_) => lsp::run(),
        Command::Balance(args) => balance::run(&args, io),
        Command::Replay(args) => replay::run(&args, io),
        Command::View(args) => replay::run_view(&args, io),
        Command::Why(args) => why::run(&args, io),
        Command::Perft(args) => perft::run(&args, io),
        Command::Dump(args) => dump::run(&args, io),
        Command::Completions(args) => manual::run_completions(&args, io),
        Command::Man(args) => manual::run_man(&args, io),
        Command::Edit(args) => edit::run(&args, io),
        Command::Games(args) => games::run(&args, io),
    }
}
