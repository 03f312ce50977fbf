//! Defines the commands and their arguments with clap; the doc comments here are the help texts.
use super::io::{Color, Exit, Failure, Io};
use super::library;
use clap::builder::{RangedU64ValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use houserule_lab::perft::LONGEST;
use houserule_play::campaign::MOST_GAMES;
use houserule_shipped::Template;
use std::path::PathBuf;

/// Each job is a thread: more of them than this are a slip of the keyboard, and the system may not be able to start them.
const MOST_JOBS: usize = 1024;

/// More bytes of one shape do not fit into the places of a text.
const MOST_BYTES: usize = 1 << 30;

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

/// Make something to begin from: a game, a scenario, a card, a house rule
///
/// What is made passes `check` and `test` as it is. No file is replaced.
#[derive(Subcommand, Debug)]
pub enum NewArgs {
    Game(NewGame),
    Scenario(NewScenario),
    Card(NewCard),
    Mod(NewMod),
}

/// Make a small whole game with tests, in a folder of its own
#[derive(Args, Debug)]
pub struct NewGame {
    /// The game's title, such as "Harvest moon"
    #[arg(value_name = "TITLE")]
    pub title: String,
    /// What it is like
    #[arg(long, value_name = "GAME", default_value = "board", value_parser = template_words())]
    pub like: String,
    /// Where the game's folder is made
    #[arg(long = "in", value_name = "FOLDER", default_value = ".")]
    pub folder: PathBuf,
}

/// Make a scenario of a game, as a copy of another or built on it
#[derive(Args, Debug)]
pub struct NewScenario {
    /// The scenario's title, such as "The long way"
    #[arg(value_name = "TITLE")]
    pub title: String,
    /// Whose scenario it is: a folder, a .rules file, or the name of a shipped game
    #[arg(long = "for", value_name = "GAME")]
    pub game: String,
    /// The scenario that it begins as [default: the first one of the game]
    #[arg(long, value_name = "SCENARIO")]
    pub like: Option<String>,
    /// Where the file is made
    #[arg(long = "in", value_name = "FOLDER", default_value = ".")]
    pub folder: PathBuf,
}

/// Make a card of a game of yours, behind another card and with its text
#[derive(Args, Debug)]
pub struct NewCard {
    /// The card's title, such as "Rope ladder"
    #[arg(value_name = "TITLE")]
    pub title: String,
    /// Whose card it is: a folder or a .rules file
    #[arg(long = "for", value_name = "GAME")]
    pub game: String,
    /// The name or title of the card that is copied [default: the first one of the game]
    #[arg(long, value_name = "CARD")]
    pub like: Option<String>,
}

/// Make a house rule for a game, in a file of its own
#[derive(Args, Debug)]
pub struct NewMod {
    /// The house rule's title, such as "Short evening"
    #[arg(value_name = "TITLE")]
    pub title: String,
    /// Which game it changes: a folder, a .rules file, or the name of a shipped game
    #[arg(long = "for", value_name = "GAME")]
    pub game: String,
    /// Where the file is made
    #[arg(long = "in", value_name = "FOLDER", default_value = ".")]
    pub folder: PathBuf,
}

/// List what house rules change of a game
///
/// What each of them says, where two of them touch the same thing, and each thing that is changed in full: as the game declares it, and what each house rule makes
/// of it. Of two that meet the one that is named later has the last word.
#[derive(Args, Debug)]
pub struct ModsArgs {
    /// A folder, a .rules file, or the name of a shipped game
    #[arg(value_name = "GAME")]
    pub game: String,
    /// A house rule: a .rules file with a `mod`, or the name of a shipped one; may be repeated
    #[arg(long = "mod", value_name = "FILE")]
    pub mods: Vec<String>,
    /// Leave out what is changed in full
    #[arg(long)]
    pub brief: bool,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,
}

/// Find what is wrong in rules, without playing them
///
/// Every error and warning of every file is shown in one run. Paths are folders (every game below them is checked), .rules and .scenario files, or
/// names of shipped games; without a path, the current folder. Exit code 1 if there is an error (with --strict also for a warning).
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Folders, files or names of shipped games
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// Check the games together with a house rule: a .rules file with a `mod`, or the name of a shipped one; may be repeated
    #[arg(long = "mod", value_name = "FILE")]
    pub mods: Vec<String>,
    /// Warnings count as errors
    #[arg(long)]
    pub strict: bool,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,
}

/// Lay out rules in the common way
///
/// Rewrites .rules and .scenario files in place: blanks, indentation and alignment, never words, comments or drawn maps. Files with errors are left alone
/// and named. Without a path, every file below the current folder; `-` reads standard input and writes standard output.
#[derive(Args, Debug)]
pub struct FmtArgs {
    /// Folders or files; `-` for standard input
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Change nothing; say which files would change, and exit with 1 if there is one
    #[arg(long)]
    pub check: bool,
}

/// Explain a code such as E0201 that `check` has shown
///
/// Says what the finding means, and shows a short wrong text and the corrected one. Without a code, lists all codes.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The code, such as E0201 or W0001
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,
}

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

/// A size of paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum PaperSize {
    // 210 × 297 mm
    #[default]
    A4,
    // 8.5 × 11 inches
    Letter,
}

/// A part of a game that is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum PrintedPart {
    // Cards
    Cards,
    // Counters: tokens, pieces, sides of dice, patches
    Tokens,
    // Maps
    Boards,
}

/// Print a game: its cards, tokens and boards on sheets to cut out
///
/// Cards are 63 × 88 mm, nine a page, with bleed and cut marks, each as often as the set-up has it. Tokens, pieces and the sides of dice become counters of 20 mm; the
/// maps of a scenario fill a page each. All are drawn as their `look` says. Without --pdf and --svg, what would be printed is listed.
#[derive(Args, Debug)]
#[command(after_help = CARDS_EXAMPLES)]
pub struct CardsArgs {
    /// A folder, a .rules file, or the name of a shipped game
    #[arg(value_name = "GAME")]
    pub game: String,
    /// Write all pages into one PDF
    #[arg(long, value_name = "FILE")]
    pub pdf: Option<PathBuf>,
    /// Write each page as an SVG file into a folder
    #[arg(long, value_name = "FOLDER")]
    pub svg: Option<PathBuf>,
    /// Print only these parts
    #[arg(long, value_name = "PART,…", value_delimiter = ',')]
    pub what: Vec<PrintedPart>,
    /// Print only components of this kind, by its name in the rules
    #[arg(long, value_name = "KIND")]
    pub kind: Option<String>,
    /// The size of the paper
    #[arg(long, value_name = "PAPER", default_value = "a4")]
    pub paper: PaperSize,
    /// How far the ground of a card goes over its edge, in millimetres: 0 to 3
    #[arg(long, value_name = "MM", default_value_t = 2.0)]
    pub bleed: f64,
    /// Print the backs, too: after each page one that lies behind it when the sheet is turned over its long side
    #[arg(long)]
    pub backs: bool,
    /// Print boards with spaces of 25 mm, over several pages that are glued together
    #[arg(long)]
    pub tile: bool,
    #[command(flatten)]
    pub setup: SetupArgs,
}

/// What stands below the help of `cards`.
const CARDS_EXAMPLES: &str = "Examples:
  houserule cards my-game/                                    list what there is to print
  houserule cards my-game/ --pdf cards.pdf --backs            all of it, for printing on both sides
  houserule cards my-game/ --what cards --svg sheets          the cards alone, a file for each page
  houserule cards my-game/ --what boards --tile --pdf b.pdf   the maps at their true size";

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

/// Write a rulebook from the rules
///
/// What the `##` lines say, and the declarations in sentences: components with their numbers, set-up, rounds and phases, actions with costs and conditions, cards with
/// their effects, variants, scenarios and house rules, tests as examples with their positions, words, an index. A rule for which there are no words stands there as it is written.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    houserule doc jewellers --html jewellers.html     one page with contents and index\n  \
    houserule doc my-game --markdown RULES.md         for a wiki or a repository\n  \
    houserule doc my-game --mod quick.rules           with a house rule, to the terminal")]
pub struct DocArgs {
    /// A folder, a .rules file, or the name of a shipped game
    #[arg(value_name = "GAME")]
    pub game: String,
    /// Write one HTML page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write Markdown; without --html and --markdown it is printed
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// How many tests to show as examples
    #[arg(long, value_name = "N", default_value_t = 24)]
    pub examples: usize,
    #[command(flatten)]
    pub setup: SetupArgs,
}

/// Serve an editor that speaks the Language Server Protocol
///
/// Findings while you type, completion, hover, definitions, references, rename, layout, outline, folding, quick fixes, colours, and what cards have that is not written on
/// them. Messages go over the standard streams; an editor starts this command by itself.
#[derive(Args, Debug)]
pub struct LspArgs {
    /// Accepted and not needed: some editors say it
    #[arg(long, hide = true)]
    pub stdio: bool,
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

/// Open the editor: write, draw and play in one window
///
/// Starts the program houserule-editor beside this one. Without a path it opens the folder of last time, or a working copy of the shipped games.
#[derive(Args, Debug)]
pub struct EditArgs {
    /// A folder with rules and scenarios, or one of its files
    #[arg(value_name = "PATH")]
    pub path: Option<PathBuf>,
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
