//! Defines the commands and their arguments with clap; the doc comments here are the help texts.
mod playing;
mod testing;
mod writing;

use crate::io::{Color, Exit, Failure, Io};
use crate::library;
use clap::builder::{RangedU64ValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use houserule_shipped::Template;

pub use playing::*;
pub use testing::*;
pub use writing::*;

/// Each job is a thread: more of them than this are a slip of the keyboard, and the system may not be able to start them.
const MOST_JOBS: usize = 1024;

/// A number of so many to so many, bounds included.
fn in_range(least: usize, most: usize) -> impl TypedValueParser<Value = usize> {
    RangedU64ValueParser::<usize>::new().range(least as u64..=most as u64)
}

/// The names of the games that a new one begins as.
fn template_words() -> clap::builder::PossibleValuesParser {
    Template::ALL.iter().map(|t| t.word).into()
}

/// Write the rules of a tabletop game as text; check them, play them, try them ten thousand times.
///
/// A game is a folder of .rules files. For GAME, give a folder, a .rules file, or the name of a shipped game.
#[derive(Parser, Debug)]
#[command(name = "houserule", version, propagate_version = true, max_term_width = 110)]
pub struct Cli {
    /// When to colour the output; NO_COLOR in the environment means never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Everywhere")]
    pub color: Color,
    /// Draw with ASCII signs only (also chosen where the locale is not UTF-8)
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub ascii: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    Play(PlayArgs),
    Edit(EditArgs),
    Games(GamesArgs),
    #[command(subcommand)]
    New(NewArgs),
    Mods(ModsArgs),
    Cards(CardsArgs),
    Check(CheckArgs),
    Fmt(FmtArgs),
    Explain(ExplainArgs),
    Test(TestArgs),
    Ci(CiArgs),
    Mutate(MutateArgs),
    Coverage(CoverageArgs),
    Fuzz(FuzzArgs),
    Leaks(LeaksArgs),
    Sim(SimArgs),
    Balance(BalanceArgs),
    Replay(ReplayArgs),
    View(ViewArgs),
    Why(WhyArgs),
    Perft(PerftArgs),
    Dump(DumpArgs),
    Debug(DebugArgs),
    Doc(DocArgs),
    Lsp(LspArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// For people or for machines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Format {
    // Text for people
    #[default]
    Human,
    // JSON for machines
    Json,
}

/// How a match is set up.
#[derive(Args, Debug, Clone, Default)]
pub struct SetupArgs {
    /// The start to play: a scenario's name, or a .scenario file
    #[arg(long, value_name = "SCENARIO", help_heading = "Set-up")]
    pub scenario: Option<String>,
    /// Give an option of the game a value; `houserule games GAME` lists them
    #[arg(long = "option", value_name = "NAME=VALUE", help_heading = "Set-up")]
    pub options: Vec<String>,
    /// Switch a variant of the game on
    #[arg(long = "variant", value_name = "NAME", value_delimiter = ',', help_heading = "Set-up")]
    pub variants: Vec<String>,
    /// Play with a house rule: a .rules file with a `mod`, or the name of a shipped one
    #[arg(long = "mod", value_name = "FILE", help_heading = "Set-up")]
    pub mods: Vec<String>,
    /// How many players; without it, as many as the given seats or names, or the fewest
    #[arg(long, value_name = "N", help_heading = "Set-up")]
    pub players: Option<u32>,
    /// The names of the players, in order
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', help_heading = "Set-up")]
    pub names: Vec<String>,
}

/// What stands below the list of commands: examples, shipped games, exit codes.
pub fn after_help() -> String {
    let names = library::game_names();
    let game = names.first().map_or("GAME", String::as_str);
    let any = names.get(names.len() / 2).map_or("GAME", String::as_str);
    let examples = [
        (format!("play {game}"), "play against a bot in this terminal"),
        (format!("play {any} --seats you,greedy"), "choose who sits on which seat"),
        (String::from("check my-game/"), "find what is wrong in your rules"),
        (String::from("test my-game/"), "run the tests in your rules"),
        (format!("sim {game} --games 10000"), "see who wins how often, and how long games last"),
    ];
    let width = examples.iter().map(|(e, _)| e.chars().count()).max().unwrap_or(0);
    let lines: Vec<String> =
        examples.iter().map(|(e, what)| format!("  houserule {e:width$}   {what}\n")).collect();
    format!(
        "Examples:\n{}\n\
         Shipped games:\n  {}\n\n\
         Exit codes:\n  \
           0  fine\n  \
           1  findings or failures: errors in rules, failing tests, files not formatted\n  \
           2  usage: the arguments make no sense\n  \
           3  a file could not be read or written",
        lines.concat(),
        names.join(", ")
    )
}

/// Prints what the argument parser says: help and version are results, all else is a usage error.
pub fn show_clap(e: &clap::Error, io: &mut Io) -> Result<Exit, Failure> {
    let text = e.render();
    let text = if io.color { text.ansi().to_string() } else { text.to_string() };
    if e.use_stderr() {
        io.flush_output()?;
        use std::io::Write;
        write!(io.err, "{text}").ok();
        return Err(Failure::Shown(Exit::Usage));
    }
    io.write_raw(&text)?;
    io.flush_output()?;
    Ok(Exit::Fine)
}
