//! Arguments of the commands that play games and measure them.
use super::{Format, MOST_JOBS, SetupArgs, in_range};
use clap::{Args, ValueEnum};
use houserule_lab::perft::LONGEST;
use houserule_play::campaign::MOST_GAMES;
use std::path::PathBuf;

/// List the games built into this program, with their scenarios, variants and options
#[derive(Args, Debug)]
pub struct GamesArgs {
    /// Only this game, with everything that can be chosen for it
    #[arg(value_name = "GAME")]
    pub game: Option<String>,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,
}

/// Compare a game with itself under house rules, in games between bots
///
/// Each game is played twice with one seed: without the house rules of --mod and with them. Told is what differs: how often each player wins, scores, length, what is
/// used more or less, what nobody uses any more, whose users win too often, and the pairs of games that differ most, with the commands that play them again. Every
/// difference has an interval that holds it 95 of 100 times. Without --mod, --sweep compares the values of an option. Exit code 1 if a game ends with a rule error.
#[derive(Args, Debug)]
pub struct BalanceArgs {
    /// A folder, a .rules file, or the name of a shipped game
    #[arg(value_name = "GAME")]
    pub game: String,
    /// How many pairs of games
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000)]
    pub games: u64,
    /// End before that as soon as each player's share of won games is known to so many percentage points up or down
    #[arg(long, value_name = "POINTS")]
    pub until: Option<f64>,
    /// Play all of it once for each value of an option, and draw up a table of them: `level=1..4`, `wind=calm,storm`
    #[arg(long, value_name = "NAME=VALUES")]
    pub sweep: Option<String>,
    #[command(flatten)]
    pub setup: SetupArgs,
    /// A house rule that is in force in both games of each pair; may be repeated
    #[arg(long = "base-mod", value_name = "FILE", help_heading = "Set-up")]
    pub base_mods: Vec<String>,
    /// Which bots sit where, in order; the last one also in all further seats
    #[arg(long, value_name = "BOT,…", value_delimiter = ',', default_value = "random")]
    pub seats: Vec<String>,
    /// The seed of all chance in all games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Games at once; 0 is one a core
    #[arg(long, short, value_name = "N", default_value_t = 0, value_parser = in_range(0, MOST_JOBS))]
    pub jobs: usize,
    /// Choices after which a game is left unfinished
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub cap: u64,
    /// Save the pairs that differ most in this folder, as matches for `replay` and `play --load`
    #[arg(long, value_name = "FOLDER")]
    pub save: Option<PathBuf>,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: BalanceFormat,
}

/// How `balance` prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum BalanceFormat {
    // Text for people
    #[default]
    /// For reading
    Human,
    /// For machines
    Json,
    /// A table for a page or a pull request
    Markdown,
}

/// Play a game in this terminal, against bots or with others at the same screen
///
/// The board, the cards and your own secrets are drawn; what you may do is listed. Answer with the number of a choice or with its words. `help` tells what
/// else can be typed: why not something, undo, save, log. Works through pipes, too: a line is an answer, and at the end of the input the game stops.
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// A folder, a .rules file, or the name of a shipped game
    #[arg(value_name = "GAME")]
    pub game: String,
    #[command(flatten)]
    pub setup: SetupArgs,
    /// Who sits where, in order: `you` (also for another person at this screen) or a bot: random, greedy, beam (docs/bots.md)
    #[arg(long, value_name = "WHO,…", value_delimiter = ',')]
    pub seats: Vec<String>,
    /// The seed of all chance in the game; without it, a new one each time
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// Take back only your own last choice, and only if it uncovered nothing
    #[arg(long)]
    pub fair: bool,
    /// Whether the clocks of the rules run by time (`yes` at a terminal) or by choices (`no` elsewhere)
    #[arg(long, value_name = "YES|NO", value_parser = ["yes", "no"])]
    pub timed: Option<String>,
    /// Start from a file with a block of statements, `given { … }`, in place of the game's beginning
    #[arg(long, value_name = "FILE", conflicts_with = "load")]
    pub given: Option<PathBuf>,
    /// Continue a saved match; `FILE:STEP` from that choice on
    #[arg(long, value_name = "FILE")]
    pub load: Option<PathBuf>,
    /// Play the next game of the campaign in this file, or the first one if there is no such file; at its end it is added to the file (with --json only if a request says so)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["given", "load"])]
    pub campaign: Option<PathBuf>,
    /// Read and write JSON, one object a line, for other programs (docs/json-protocol.md)
    #[arg(long)]
    pub json: bool,
}

/// Let bots play many games, and say who wins how often
///
/// Shares come with their 95 % confidence intervals, then lengths, and how often each action and card was used. The figures do not depend on --jobs.
/// With --campaign: how many games the campaigns have, how the last ones end, and the same figures for all first games, all second ones, and so on.
/// Ctrl-C ends early and keeps what is finished. A game with a rule error is kept as unfinished, and the others go on; the exit code is then 1.
#[derive(Args, Debug)]
pub struct SimArgs {
    /// A folder, a .rules file, or the name of a shipped game
    #[arg(value_name = "GAME")]
    pub game: String,
    /// How many games; with --campaign, how many campaigns
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000)]
    pub games: u64,
    /// Play whole campaigns: the end of a game says how the next one is set up (`legacy`), until none is next. Uses are not counted
    #[arg(long)]
    pub campaign: bool,
    /// With --campaign: the most games of a campaign; one that goes on is an error in the rules
    #[arg(long, value_name = "N", default_value_t = 100, requires = "campaign", value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES as u64))]
    pub longest: u64,
    #[command(flatten)]
    pub setup: SetupArgs,
    /// Which bots sit where, in order; the last one also in all further seats
    #[arg(long, value_name = "BOT,…", value_delimiter = ',', default_value = "random")]
    pub seats: Vec<String>,
    /// The seed of all chance in all games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Games at once; 0 is one a core
    #[arg(long, short, value_name = "N", default_value_t = 0, value_parser = in_range(0, MOST_JOBS))]
    pub jobs: usize,
    /// Choices after which a game is left unfinished
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub cap: u64,
    /// Play only the game, or the campaign, of this number again (they count from 0), the same as among all
    #[arg(long, value_name = "NUMBER")]
    pub only: Option<u64>,
    /// With --only: save that game as a match, for `replay` and `play --load`, or that campaign, for `play --campaign`; up to the rule error, if there is one
    #[arg(long, value_name = "FILE", requires = "only")]
    pub save: Option<PathBuf>,
    /// Write every game to a file, too: .csv or .json
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Do not count how often actions and cards are used (faster)
    #[arg(long)]
    pub no_uses: bool,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,
}

/// Play a saved match again, and show what happened
///
/// Every choice is taken again and checked. Where the file was cut off, edited, or no longer agrees with the rules, the replay stops and says so (exit code 1).
#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// A match written with `save`
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Only up to this choice; 0 is the beginning
    #[arg(long, value_name = "STEP")]
    pub to: Option<usize>,
    /// Only what this seat may know; seats count from 1
    #[arg(long, value_name = "S")]
    pub seat: Option<usize>,
    /// The place of the game, if it is not a shipped one
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// The mods of the match, if they are not shipped ones
    #[arg(long = "mod", value_name = "FILE")]
    pub mods: Vec<String>,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,
}

/// Draw a saved match as one seat sees it
#[derive(Args, Debug)]
pub struct ViewArgs {
    /// A match written with `save`
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Whose view; seats count from 1
    #[arg(long, value_name = "S")]
    pub seat: usize,
    /// As it was after this choice; 0 is the beginning
    #[arg(long, value_name = "STEP")]
    pub to: Option<usize>,
    /// The place of the game, if it is not a shipped one
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// The mods of the match, if they are not shipped ones
    #[arg(long = "mod", value_name = "FILE")]
    pub mods: Vec<String>,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,
}

/// Explain a value: its declared value, and what each modification in force changes; or a rule: what forbids it, replaces it, acts before and after it
#[derive(Args, Debug)]
pub struct WhyArgs {
    /// A folder, a .rules file, or the name of a shipped game
    #[arg(value_name = "GAME")]
    pub game: String,
    /// The value, rule or action with its arguments in the rules' words: `name(argument, argument)`
    #[arg(value_name = "VALUE")]
    pub value: String,
    /// Of a rule or an action: who acts; else whose turn it is, or who is asked
    #[arg(long, value_name = "PLAYER")]
    pub by: Option<String>,
    /// In a saved match, at its end or after so many choices; else at the beginning of a new match
    #[arg(long, value_name = "FILE[:STEP]")]
    pub at: Option<String>,
    /// The seed of all chance in a new match
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub setup: SetupArgs,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,
}

/// Count the ways in which a game can continue
///
/// A ply is one whole turn, one forced pass, or one outcome of chance. Published counts tell whether rules are right.
#[derive(Args, Debug)]
pub struct PerftArgs {
    /// A folder, a .rules file, or the name of a shipped game
    #[arg(value_name = "GAME")]
    pub game: String,
    /// How many plies to count
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = in_range(0, LONGEST))]
    pub depth: usize,
    /// Count positions alone, much faster: not who has won
    #[arg(long)]
    pub nodes: bool,
    #[command(flatten)]
    pub setup: SetupArgs,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,
}

/// Print the compiled rules of a game: tables and code
#[derive(Args, Debug)]
pub struct DumpArgs {
    /// A folder, a .rules file, or the name of a shipped game
    #[arg(value_name = "GAME")]
    pub game: String,
    #[command(flatten)]
    pub setup: SetupArgs,
    /// Only figures: how large, how many loops are left
    #[arg(long)]
    pub stats: bool,
    /// Leave loops over sets as they are written
    #[arg(long)]
    pub no_lift: bool,
    /// The last pass that the code goes through: peephole, sum-idiom, induction, const-prop, cleanup, licm, superinstructions; `none` for the code as it was lowered
    #[arg(long, value_name = "PASS")]
    pub after: Option<String>,
    /// Passes that are left out
    #[arg(long, value_name = "PASS,…", value_delimiter = ',')]
    pub without: Vec<String>,
}

/// Print a script that makes a shell complete commands and options
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// Which shell
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// Write pages of the manual, one for each command
#[derive(Args, Debug)]
pub struct ManArgs {
    /// The folder that they are written to
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}
