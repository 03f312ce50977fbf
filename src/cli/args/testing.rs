//! Arguments of the commands that test rules.
use super::{Format, MOST_JOBS, SetupArgs, in_range};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// More bytes of one shape do not fit into the places of a text.
const MOST_BYTES: usize = 1 << 30;

/// Run the tests in rules
///
/// Every `test` block below the paths is run, each on its own set-up. Without a path: the current folder. Exit code 1 if one fails.
/// If a game numbers its rules (`numbered F001..F084`), the numbers that no test names are listed, and the exit code is 1 if there is one
/// (not with --filter).
#[derive(Args, Debug)]
pub struct TestArgs {
    /// Folders, files or names of shipped games
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// Only tests whose titles contain this text
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Run all tests under a house rule, to see what it breaks: a .rules file with a `mod`, or the name of a shipped one
    #[arg(long = "mod", value_name = "FILE")]
    pub mods: Vec<String>,
    /// Write the results as JUnit XML, too
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Name the tests that passed, too, with their times
    #[arg(long, short)]
    pub verbose: bool,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,
}

/// For people, for GitHub, or for other machines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum CiFormat {
    // Text for people
    Human,
    // Annotations that GitHub shows beside the changed lines
    Github,
    // JSON for machines
    Json,
}

impl CiFormat {
    /// What is right for where the program runs: a workflow of GitHub says so.
    pub fn of_surroundings() -> CiFormat {
        let on_github = std::env::var_os("GITHUB_ACTIONS").is_some_and(|v| v == "true");
        if on_github { CiFormat::Github } else { CiFormat::Human }
    }
}

/// Check everything that must hold before a change of rules lands
///
/// Findings, layout, tests, and games between bots: from every scenario, for every number of players, with each house rule by itself, without a rule error and
/// with every invariant whole. Prints what is wrong and one line at the end. Without a path, the current folder. Exit code 1 if something is
/// wrong (with --strict also for a warning).
#[derive(Args, Debug)]
pub struct CiArgs {
    /// Folders, files or names of shipped games
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// Warnings count as errors
    #[arg(long)]
    pub strict: bool,
    /// Only games of which a file differs from this revision of git, such as origin/main
    #[arg(long, value_name = "REV")]
    pub changed_since: Option<String>,
    /// Random games of each start and number of players
    #[arg(long, short = 'n', value_name = "N", default_value_t = 20)]
    pub games: u64,
    /// Games between greedy bots, as many
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub greedy: u64,
    /// The seed of all chance in all games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Choices after which a game counts as one that does not end
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub cap: u64,
    /// Games at once; 0 is one a core
    #[arg(long, short, value_name = "N", default_value_t = 0, value_parser = in_range(0, MOST_JOBS))]
    pub jobs: usize,
    /// Write tests, checks and games as JUnit XML, too
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write what is wrong as SARIF, too
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// How to print [default: github in a workflow of GitHub, else human]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<CiFormat>,
}

/// Make small changes to the rules, one at a time, and see whether the tests notice
///
/// A guard is left out, a comparison flipped, a number is one more, an effect or attachment is left out, another player is asked, a layer ends elsewhere, a
/// zone is seen by others, a chance is taken away, signs of a drawn map, an order or the menus on offer are changed. On each such change of
/// which the rules have no errors, the rule tests are run until one fails. The changes that no test notices are listed with their places: there a test is
/// missing, or the change makes no difference. What only bots use, heuristics and their values, is left alone. Exit code 1 if fewer than --least percent are noticed. Nothing is written.
#[derive(Args, Debug)]
pub struct MutateArgs {
    /// A folder, a .rules file, or the name of a shipped game
    #[arg(value_name = "GAME")]
    pub game: String,
    /// Try only so many changes, drawn at random
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Only changes of these sorts: guard, comparison, number, effect, asked, attachment, layer, visibility, chance, map, order, offer
    #[arg(long, value_name = "SORTS", value_delimiter = ',')]
    pub sorts: Vec<String>,
    /// Scenarios that must not be playable: a .scenario file, a page with blocks of them (```scenario), or a folder of such. A change is noticed, too, if one of them
    /// is refused otherwise than before; may be repeated
    #[arg(long, value_name = "PATH")]
    pub refused: Vec<PathBuf>,
    /// Break what the tests with numbers of rules reach, and list those tests that notice nothing
    #[arg(long)]
    pub numbered: bool,
    /// The seed of the random draw
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Changes tried at once; 0 is one a core
    #[arg(long, short, value_name = "N", default_value_t = 0, value_parser = in_range(0, MOST_JOBS))]
    pub jobs: usize,
    /// Percent of the changes that the tests must notice
    #[arg(long, value_name = "PERCENT", default_value_t = 85.0)]
    pub least: f64,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,
}

/// List what the tests and games between bots never reach
///
/// The rules, phases, actions, values, endings and attachments that no test reaches, those that no random game reaches, and those that neither does, each with
/// its place; and the cards and other members that never come into play. The games go over all scenarios, variants, options and numbers of players that the
/// rules allow, drawn at random.
#[derive(Args, Debug)]
pub struct CoverageArgs {
    /// A folder, a .rules file, or the name of a shipped game
    #[arg(value_name = "GAME")]
    pub game: String,
    /// How many games
    #[arg(long, short = 'n', value_name = "N", default_value_t = 200)]
    pub games: u64,
    /// Which bots sit where, in order; the last one also in all further seats
    #[arg(long, value_name = "BOT,…", value_delimiter = ',', default_value = "random")]
    pub seats: Vec<String>,
    /// The seed of all chance in the games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Write which lines, ways and declarations tests and games have reached as a trace file of lcov, too
    #[arg(long, value_name = "FILE")]
    pub lcov: Option<PathBuf>,
    /// Write the rules as a page, each line coloured by whether it was reached, too
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,
}

/// Try many random inputs, to find faults of a game's rules, or of this program
///
/// `fuzz GAME` plays a game in ways in which people seldom play: at random, rare actions first, the ends of all lists, idle, always the same, greedily. It looks for rule
/// errors, endless loops, invariants that do not hold and positions in which nothing can be done. Each failure is shrunk to few choices and printed as a `test`.
/// `fuzz programs` and the others try this program: each input that shows a fault is made as small as it can be, and printed with the number that makes it again.
/// Exit code 1 if anything is found.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct FuzzArgs {
    #[command(flatten)]
    pub game: GameFuzzArgs,
    /// What is tried.
    #[command(subcommand)]
    pub target: Option<FuzzTarget>,
}

/// What is tried of the rules of a game.
#[derive(Args, Debug)]
pub struct GameFuzzArgs {
    /// A folder, a .rules file, or the name of a shipped game: its rules are tried
    #[arg(value_name = "GAME")]
    pub game: Option<String>,
    /// How long to play: 90s, 5m, 1h
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = read_time)]
    pub time: std::time::Duration,
    /// How many games to play at most
    #[arg(long, short = 'n', value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    pub games: u64,
    #[command(flatten)]
    pub setup: SetupArgs,
    /// The seed of all that is drawn
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Choices after which a game is left
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    pub cap: usize,
    /// Other games that are tried to make a failure shorter
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    pub tries: u32,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,
}

/// Look whether a player can tell what is hidden, and list the rules that tell it
///
/// Plays random games, each in two worlds that differ only in what a seat may not know: other cards in other hands, other answers not yet opened. Whatever that seat gets
/// must be the same in both: its view, who is asked, questions, options, reasons, log, errors, taking back. A difference that no rule has told is a leak, shown with the
/// rule that causes it. Rules may tell what is hidden; which of them do is listed, so that you can see whether they should.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    houserule leaks jewellers                     one minute of games on every start\n  \
    houserule leaks my-game --games 200           so many games, however long they take\n  \
    houserule leaks my-game --format json         for programs")]
pub struct LeaksArgs {
    /// A folder, a .rules file, or the name of a shipped game
    #[arg(value_name = "GAME")]
    pub game: String,
    /// How long to search: 90s, 5m, 1h; without it a minute, or as long as the games of --games take
    #[arg(long, value_name = "TIME", default_value = "60s", default_value_if("games", clap::builder::ArgPredicate::IsPresent, "2000h"), hide_default_value = true, value_parser = read_time)]
    pub time: std::time::Duration,
    /// How many games to play at most
    #[arg(long, short = 'n', value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    pub games: u64,
    #[command(flatten)]
    pub setup: SetupArgs,
    /// The seed of the first game; each other has the next
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Choices after which a game is left
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub cap: usize,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,
}

/// A time as `90s`, `5m`, `1h`, or seconds.
fn read_time(text: &str) -> Result<std::time::Duration, String> {
    let cut = text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
    let (number, unit) = text.split_at(cut);
    let seconds = match unit {
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(String::from("write for example 90s, 5m or 1h")),
    };
    let number: f64 = number.trim().parse().map_err(|_| String::from("write for example 90s, 5m or 1h"))?;
    let all = number * seconds;
    if !(0.0..=1e7).contains(&all) {
        return Err(String::from("from 0 seconds to 2000 hours"));
    }
    Ok(std::time::Duration::from_secs_f64(all))
}

/// The kinds of input that can be tried.
#[derive(Subcommand, Debug)]
pub enum FuzzTarget {
    Programs(ProgramsArgs),
    /// Check rules with random changes
    Check(TextsArgs),
    /// Format rules with random changes: the layout must stay as it is when formatted again, and keep the meaning
    Fmt(TextsArgs),
    /// Check rules with random changes, and play those without errors at random
    Play(TextsArgs),
    /// Load saves and campaigns with random changes: what loads must save again, and load as the same
    Saves(TextsArgs),
    /// Compile and call hook scripts with random changes
    Hooks(TextsArgs),
    /// Send requests with random changes to `play --json`: every answer must be a JSON object
    Json(TextsArgs),
    Shapes(ShapesArgs),
}

/// Check and lay out rules of absurd shapes, each with at most 2 s of processor time and 500 MB of memory
#[derive(Args, Debug)]
pub struct ShapesArgs {
    /// Only these shapes
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// How many bytes each of them has
    #[arg(long, value_name = "N", default_value_t = 4 << 20, value_parser = in_range(0, MOST_BYTES))]
    pub bytes: usize,
    /// Print the shapes, and try nothing
    #[arg(long)]
    pub print: bool,
}

/// Options of the targets that change the texts of a corpus
#[derive(Args, Debug)]
pub struct TextsArgs {
    /// How many texts
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000)]
    pub count: u64,
    /// The number that the first text comes from; the next comes from the next number
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// The folder with the texts that are changed [default: tests/corpus/… of this project]
    #[arg(long, value_name = "FOLDER")]
    pub corpus: Option<PathBuf>,
    /// How many smaller texts are tried of one that fails
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub tries: usize,
    /// How long one text may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    pub seconds: u64,
    /// Print the texts, and try nothing
    #[arg(long)]
    pub print: bool,
}

/// Make random games that have no errors, play them, and hold them to the laws
#[derive(Args, Debug)]
pub struct ProgramsArgs {
    /// How many programs
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000)]
    pub count: u64,
    /// The number that the first program comes from; the next comes from the next number
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Only these laws
    #[arg(long = "law", value_name = "NAME")]
    pub laws: Vec<String>,
    /// Leave these parts of the language out of the programs; `known` are those of which a fault is known
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub without: Vec<String>,
    /// How many choices of each match are looked at
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub choices: usize,
    /// How many smaller programs are tried of one that fails
    #[arg(long, value_name = "N", default_value_t = 1500)]
    pub tries: usize,
    /// Print the programs, and try nothing
    #[arg(long)]
    pub print: bool,
    /// Print of each program a hash of its code and one of a random match, and hold no laws: builds that print the same compile and play alike
    #[arg(long, conflicts_with = "print")]
    pub digest: bool,
}

/// Stop a game at statements of its rules, step through them, and look at values
///
/// Goes statement by statement, also backwards; stops at rules, phases, actions and lines, also on a condition; shows what has happened, which rules are running, and values with what
/// modifies them taken in. Commands are read line by line, so a file of them can be handed in. Bots answer the questions that you leave to them.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    houserule debug my-game                              from the set-up on\n  \
    houserule debug my-game --break score                stop where the rule score begins\n  \
    houserule debug my-game --break 'pay if pot == 9'    only if pot is 9 then")]
pub struct DebugArgs {
    /// A folder, a .rules file, or the name of a shipped game
    #[arg(value_name = "GAME")]
    pub game: String,
    /// Stop at a rule, a phase or an action by its name, at LINE or FILE:LINE; with ` if VALUE` on a condition
    #[arg(long = "break", value_name = "PLACE")]
    pub breaks: Vec<String>,
    /// The seed of all chance, and of the bots
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// The bot that answers questions
    #[arg(long, value_name = "BOT", default_value = "random")]
    pub bot: Vec<String>,
    #[command(flatten)]
    pub setup: SetupArgs,
}
