//! Makes a loaded game and a set-up from the arguments of a command.
use super::args::SetupArgs;
use super::io::{Exit, Failure, Io};
use super::library;
use super::load::{self, Bundle, Spot};
use super::report;
use super::store::{Store, has_end};
use houserule_model::codes::MODS_MEET;
use houserule_model::hir::ScopeKind;
use houserule_model::suggest::closest;
use houserule_play::{Game, Setup};
use houserule_text::{Diagnostic, Files, Report, Span};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A game that can be played, with its files as a person knows them.
pub struct Loaded {
    /// The files as read.
    pub bundle: Bundle,
    /// The checked game.
    pub game: Game,
}

impl Loaded {
    /// Shows a report about this game on the error stream, and ends.
    pub fn to_failure(&self, report: &Report, io: &mut Io) -> Failure {
        // Words of a set-up that are wrong stand on the command line, not in the rules: a place would mislead.
        let (placed, plain): (Vec<_>, Vec<_>) =
            report.findings.iter().cloned().partition(|d| d.at.span != Span::default() && !is_of_setup(d));
        if !placed.is_empty() {
            report::show_report(&self.bundle, self.game.files(), &Report { findings: placed }, io);
        }
        for d in plain {
            let help = d.help.as_deref().map_or(String::new(), |h| format!(" ({h})"));
            io.write_error(&format!("{}{help}", d.message));
        }
        let usage = report.findings.iter().all(is_of_setup);
        Failure::Shown(if usage { Exit::Usage } else { Exit::Findings })
    }
}

/// Whether a finding is about the words of a set-up, and so about the arguments.
fn is_of_setup(d: &Diagnostic) -> bool {
    use houserule_play::codes::*;
    [NO_SCENARIO, NO_VARIANT, NO_MOD, NO_OPTION, OPTION_VALUE, PLAYER_COUNT, PLAYER_NAME].contains(&d.code)
}

/// Loads a game with mods and, if it is named by a path, a scenario.
pub fn load_game(name: &str, setup: &SetupArgs, io: &mut Io) -> Result<Loaded, Failure> {
    let mut spot = load::find_game(name)?;
    for wanted in &setup.mods {
        spot.extra.push(find_mod(wanted)?);
    }
    if let Some(path) = setup.scenario.as_deref().map(Path::new).filter(|p| has_end(p, "scenario")) {
        if !path.is_file() {
            return Err(Failure::Unreadable(format!("there is no file {}", path.display())));
        }
        if !spot.list_scenarios().iter().any(|(_, f)| f.canonicalize().ok() == path.canonicalize().ok()) {
            spot.extra.push((Store::Disk, path.to_path_buf()));
        }
    }
    let loaded = open_bundle(spot.load_bundle()?, io)?;
    // Nobody who plays has asked for findings; that of two house rules one may have less to say concerns them.
    for d in loaded.game.warnings().findings.iter().filter(|d| d.code == MODS_MEET) {
        io.write_remark(&format!("{} ({})", d.message, d.help.as_deref().unwrap_or_default()));
    }
    Ok(loaded)
}

/// Checks a game's files; if they have errors, shows them and ends.
pub fn open_bundle(bundle: Bundle, io: &mut Io) -> Result<Loaded, Failure> {
    let found = if bundle.findings.is_empty() {
        Game::load_with_files(&bundle.files)
    } else {
        let checked = houserule_model::check(&bundle.files);
        Err((checked.files, checked.report))
    };
    match found {
        Ok(game) => Ok(Loaded { bundle, game }),
        Err((files, mut report)) => {
            bundle.add_unread(&mut report);
            show_warnings(&bundle, &files, &report, io);
            Err(Failure::Shown(Exit::Findings))
        }
    }
}

fn show_warnings(bundle: &Bundle, files: &Files, report: &Report, io: &mut Io) {
    report::show_report(bundle, files, report, io);
    let errors = report.findings.iter().filter(|d| d.is_error()).count();
    io.write_error(&format!("{} cannot be played: {}", bundle.name, report::tally_text(errors, 0)));
}

/// A mod by its file, or by the name of a shipped one.
pub fn find_mod(wanted: &str) -> Result<(Store, PathBuf), Failure> {
    let path = Path::new(wanted);
    if path.is_file() {
        return Ok((Store::Disk, path.to_path_buf()));
    }
    if let Some(file) = library::find_mod(wanted) {
        return Ok((Store::Shipped, file));
    }
    if wanted.contains(['/', '\\']) || wanted.ends_with(".rules") {
        return Err(Failure::Unreadable(format!("there is no file {wanted}")));
    }
    let names = library::mod_names();
    let hint = match closest(wanted, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("the shipped mods are {}; or give a file", names.join(", ")),
    };
    Err(Failure::Usage(format!("there is no mod {wanted}; {hint}")))
}

/// Games with these mods beside what else they are loaded with. Where a mod is asked for, games are not looked at once more with each mod that lies about.
pub fn with_mods(spots: Vec<Spot>, mods: &[String]) -> Result<Vec<Spot>, Failure> {
    let found = mods.iter().map(|wanted| find_mod(wanted)).collect::<Result<Vec<_>, _>>()?;
    let mut out: Vec<Spot> = Vec::new();
    for mut spot in spots {
        if !found.is_empty() {
            spot.extra.retain(|(_, file)| has_end(file, "scenario"));
            spot.extra.extend(found.iter().cloned());
        }
        if !out.contains(&spot) {
            out.push(spot);
        }
    }
    Ok(out)
}

/// The set-up that arguments describe, for so many players if somebody says so.
pub fn make_setup(
    args: &SetupArgs,
    loaded: &Loaded,
    seed: u64,
    players: Option<u32>,
) -> Result<Setup, Failure> {
    let mut setup = Setup::with_seed(seed);
    for pair in &args.options {
        let Some((name, value)) = pair.split_once('=') else {
            return Err(Failure::Usage(format!("--option {pair}: write it as name=value")));
        };
        setup.options.insert(name.trim().to_string(), value.trim().to_string());
    }
    setup.variants = args.variants.clone();
    setup.names = args.names.iter().map(|n| n.trim().to_string()).collect();
    setup.players = args.players.or(players);
    setup.scenario = match &args.scenario {
        Some(word) if has_end(Path::new(word), "scenario") => Some(read_scenario_word(word, loaded)?),
        Some(word) => Some(word.clone()),
        None => loaded.game.model().first_scenario().map(|s| s.name.to_string()),
    };
    Ok(setup)
}

/// The scenario that is played, by its title and, as `--scenario` takes it, its word.
pub fn scenario_title(loaded: &Loaded, setup: &Setup) -> Option<String> {
    let word = setup.scenario.as_deref()?;
    let all = &loaded.game.model().scopes;
    let found =
        all.iter().find(|s| s.kind == ScopeKind::Scenario && (*s.name == *word || *s.title == *word))?;
    Some(format!("{} (scenario {})", found.title, found.name))
}

/// The options and variants that were chosen, for people: `Level card: level 3; Pick the skills: yes`; none if none was.
pub fn chosen_options(loaded: &Loaded, setup: &Setup) -> Option<String> {
    let model = loaded.game.model();
    let option = |(word, value): (&String, &String)| {
        let title = model.options.iter().find(|o| *o.name == **word).map(|o| o.title.to_string());
        format!("{}: {}", title.unwrap_or_else(|| word.clone()), value.replace('_', " "))
    };
    let variant = |word: &String| {
        let of = |s: &&houserule_model::hir::Scope| s.kind == ScopeKind::Variant && *s.name == **word;
        model.scopes.iter().find(of).map_or_else(|| word.clone(), |s| s.title.to_string())
    };
    let all: Vec<String> =
        setup.options.iter().map(option).chain(setup.variants.iter().map(variant)).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

/// The word of the one scenario that a file declares.
fn read_scenario_word(path: &str, loaded: &Loaded) -> Result<String, Failure> {
    let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let model = loaded.game.model();
    let words: Vec<&str> = model
        .scopes
        .iter()
        .filter(|s| s.kind == ScopeKind::Scenario)
        .filter(|s| {
            loaded.game.files().get(s.span.file).is_some_and(|f| f.name.ends_with(&format!("/{name}")))
        })
        .map(|s| s.name.as_ref())
        .collect();
    match words.as_slice() {
        [one] => Ok((*one).to_string()),
        [] => Err(Failure::Usage(format!("{path} declares no scenario"))),
        many => {
            Err(Failure::Usage(format!("{path} declares several scenarios; name one: {}", many.join(", "))))
        }
    }
}

/// A seed that is another one each time, short enough to be typed again.
pub fn draw_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (now.as_nanos() as u64 ^ u64::from(std::process::id()).wrapping_mul(0x9e37_79b9)) % 1_000_000
}
