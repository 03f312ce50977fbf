//! Arguments of the commands with which games are written and printed.
use super::{Format, SetupArgs, template_words};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// What stands below the help of `cards`.
const CARDS_EXAMPLES: &str = "Examples:
  houserule cards my-game/                                    list what there is to print
  houserule cards my-game/ --pdf cards.pdf --backs            all of it, for printing on both sides
  houserule cards my-game/ --what cards --svg sheets          the cards alone, a file for each page
  houserule cards my-game/ --what boards --tile --pdf b.pdf   the maps at their true size";

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

/// Open the editor: write, draw and play in one window
///
/// Starts the program houserule-editor beside this one. Without a path it opens the folder of last time, or a working copy of the shipped games.
#[derive(Args, Debug)]
pub struct EditArgs {
    /// A folder with rules and scenarios, or one of its files
    #[arg(value_name = "PATH")]
    pub path: Option<PathBuf>,
}
