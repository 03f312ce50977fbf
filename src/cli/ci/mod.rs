//! `ci`: everything that must hold before a change of rules lands: findings, layout, tests, and games between bots.
mod changed;
mod outputs;

use crate::args::{CiArgs, CiFormat, SetupArgs, SimArgs};
use crate::check::{check_bundle, list_targets};
use crate::explain::to_pretty_json;
use crate::io::{Exit, Failure, Io};
use crate::load::{Bundle, Spot};
use crate::report;
use crate::setups::list_setups;
use crate::sim::again::{file_of, play_command, quote_for_shell, replay_command};
use crate::sim::failures;
use crate::sim::figures::count_text;
use crate::store::{Store, has_end, to_slashed, write_whole};
use houserule_ide::games;
use houserule_lab::checklist::Checklist;
use houserule_lab::simulate::{SimulationPlan, simulate};
use houserule_lab::testing::{self, TestResult};
use houserule_model::hir::{ScopeKind, Test};
use houserule_play::{Game, Setup};
use houserule_syntax as syntax;
use houserule_text::{Code, Diagnostic, FileId, Files, Severity, Span};
use outputs::{Complaint, Place};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

/// Whose complaint it is where no finding of the checker has a code.
const LAYOUT: Code = Code("format");
const TEST: Code = Code("test");
const NUMBERED: Code = Code("numbered");
const ENDLESS: Code = Code("unfinished");

/// What was looked at, and what is wrong with it.
#[derive(Default)]
pub struct Tally {
    complaints: Vec<Complaint>,
    /// What was told already: a game is loaded once more for each of its mods.
    told: HashSet<(String, &'static str, String)>,
    files: HashSet<String>,
    tests: Vec<TestResult>,
    tested: HashSet<(String, String)>,
    games: u64,
}

impl Tally {
    fn count(&self, severity: Severity) -> usize {
        self.complaints.iter().filter(|c| c.severity == severity).count()
    }
}

/// Runs the command.
pub fn run(args: &CiArgs, io: &mut Io) -> Result<Exit, Failure> {
    check_reports(args)?;
    let mut spots = list_targets(&args.paths)?;
    let all = spots.len();
    if let Some(rev) = &args.changed_since {
        let changed = changed::Changed::since(rev)?;
        let mut kept = Vec::new();
        for spot in spots {
            if changed.touches(&spot)? {
                kept.push(spot);
            }
        }
        spots = kept;
    }
    let format = args.format.unwrap_or_else(CiFormat::of_surroundings);
    let mut tally = Tally::default();
    for spot in &spots {
        look_at(spot, args, format, &mut tally, io)?;
    }
    let (errors, warnings) = (tally.count(Severity::Error), tally.count(Severity::Warning));
    let bad = errors > 0 || (args.strict && warnings > 0);
    if format == CiFormat::Json {
        io.write_line(&to_pretty_json(&outputs::to_json(&tally, args.seed, spots.len(), bad)))?;
    } else {
        let of = if spots.len() == all { String::new() } else { format!(" of {all}") };
        let found = if errors + warnings == 0 {
            String::from("nothing to mend")
        } else {
            report::tally_text(errors, warnings)
        };
        let line = format!(
            "{}{of}, {}, {}, {} between bots (seed {}): {found}",
            count_text(spots.len(), "game"),
            count_text(tally.files.len(), "file"),
            count_text(tally.tested.len(), "test"),
            count_text(tally.games as usize, "game"),
            args.seed
        );
        let line = if bad { io.paint_text("1;31", &line) } else { line };
        io.write_line(&line)?;
    }
    let write = |file: &std::path::Path, text: String| {
        let failed = |e| Failure::Unreadable(format!("cannot write {}: {e}", to_slashed(file)));
        write_whole(file, text.as_bytes()).map_err(failed)
    };
    if let Some(file) = &args.junit {
        if args.strict {
            tally.tests.extend(tally.complaints.iter().filter_map(outputs::to_failed_case));
        }
        write(file, testing::to_junit(&tally.tests))?;
    }
    if let Some(file) = &args.sarif {
        write(file, outputs::to_sarif(&tally.complaints))?;
    }
    Ok(if bad { Exit::Findings } else { Exit::Fine })
}

/// Whether the reports can be written: not over rules, not both to one file, and into folders that are there.
fn check_reports(args: &CiArgs) -> Result<(), Failure> {
    if args.junit.is_some() && args.junit == args.sarif {
        return Err(Failure::Usage(String::from("--junit and --sarif name one file: each needs its own")));
    }
    for file in args.junit.iter().chain(&args.sarif) {
        let shown = to_slashed(file);
        if ["rules", "scenario", "rhai"].iter().any(|end| has_end(file, end)) {
            return Err(Failure::Usage(format!("{shown} would be replaced by a report; name another file")));
        }
        let folder = file.parent().filter(|f| !f.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|f| !f.is_dir()) {
            return Err(Failure::Unreadable(format!(
                "cannot write {shown}: there is no folder {}",
                to_slashed(folder)
            )));
        }
    }
    Ok(())
}

/// Everything about one game, with one mod if it is there for that.
fn look_at(
    spot: &Spot,
    args: &CiArgs,
    format: CiFormat,
    tally: &mut Tally,
    io: &mut Io,
) -> Result<(), Failure> {
    let bundle = spot.load_bundle()?;
    let begun = Instant::now();
    let checked = check_bundle(&bundle);
    let mut page = Page { bundle: &bundle, files: &checked.files, format, tally, io };
    page.tally.files.extend(checked.files.iter().map(|(_, f)| bundle.shown_name(&f.name)));
    for finding in &checked.report.findings {
        page.tell(finding, None)?;
    }
    let broken = checked.report.findings.iter().find(|d| d.is_error());
    page.note_step("check", spot, broken.map(|d| (d.at.span, d.message.clone())), begun);
    page.check_layout(spot)?;
    let Some(model) = checked.model.filter(|_| broken.is_none()) else { return Ok(()) };
    let game = Game::from_checked(model.into(), checked.files.clone(), checked.report.clone());
    page.run_tests(&game, spot)?;
    page.play(&game, spot, args)
}

/// One game with its files, and where what is told of it goes.
struct Page<'a> {
    bundle: &'a Bundle,
    files: &'a Files,
    format: CiFormat,
    tally: &'a mut Tally,
    io: &'a mut Io,
}

impl Page<'_> {
    /// Tells what is wrong, once; `more` is said below it.
    fn tell(&mut self, finding: &Diagnostic, more: Option<&str>) -> Result<(), Failure> {
        let place = report::place_text(self.bundle, self.files, finding.at.span);
        if !self.tally.told.insert((place, finding.code.0, finding.message.clone())) {
            return Ok(());
        }
        let complaint = Complaint {
            severity: finding.severity,
            code: finding.code.0,
            message: finding.message.clone(),
            help: match (&finding.help, more) {
                (Some(help), Some(more)) => Some(format!("{help}\n{more}")),
                (help, more) => more.map(String::from).or_else(|| help.clone()),
            },
            place: Place::of(self.bundle, self.files, finding.at.span),
        };
        match self.format {
            CiFormat::Human => {
                let text =
                    report::draw_findings(self.bundle, self.files, std::slice::from_ref(finding), self.io);
                self.io.write_raw(&text)?;
                if let Some(more) = more {
                    self.io.write_line(&format!("{more}\n"))?;
                }
            }
            CiFormat::Github => self.io.write_line(&outputs::to_annotation(&complaint))?,
            CiFormat::Json => {}
        }
        self.tally.complaints.push(complaint);
        Ok(())
    }

    /// A step as a test case of JUnit.
    fn note_step(&mut self, step: &str, spot: &Spot, broken: Option<(Span, String)>, begun: Instant) {
        let failure = broken.map(|(span, message)| {
            let place = report::place_text(self.bundle, self.files, span);
            testing::Failure { span, place, message }
        });
        let title = match spot.extra.first() {
            Some((_, file)) => format!("{step}, with {}", to_slashed(file)),
            None => String::from(step),
        };
        let (file, span) = (spot_arg(spot), Span::default());
        self.tally.tests.push(TestResult {
            title,
            file,
            span,
            failure,
            broken_by: None,
            time: begun.elapsed(),
        });
    }

    /// Whether the files on the disk are laid out.
    fn check_layout(&mut self, spot: &Spot) -> Result<(), Failure> {
        let begun = Instant::now();
        let mut wrong: Vec<Diagnostic> = Vec::new();
        for (i, (_, file)) in self.bundle.files.iter().enumerate() {
            let shown = self.bundle.shown_name(&file.name);
            let path = std::path::Path::new(&shown);
            let laid_out = has_end(path, "rules") || has_end(path, "scenario");
            if shown.starts_with("<shipped>") || spot.store == Store::Shipped || !laid_out {
                continue;
            }
            let id = FileId(u16::try_from(i).unwrap_or(u16::MAX));
            // What cannot be read is a finding already.
            let Ok(new) = syntax::format_file(id, &file.text) else { continue };
            if *new != *file.text {
                let at = first_difference(&file.text, &new);
                let line = file.text.get(at..).and_then(|rest| rest.lines().next()).map_or(0, str::len);
                let span = Span { file: id, start: at as u32, end: (at + line.max(1)) as u32 };
                let what = Diagnostic::error(LAYOUT, span, format!("{shown} is not laid out"));
                wrong.push(what.help(format!("houserule fmt {}", quote_for_shell(&shown))));
            }
        }
        wrong.iter().try_for_each(|d| self.tell(d, None))?;
        self.note_step("layout", spot, wrong.first().map(|d| (d.at.span, d.message.clone())), begun);
        Ok(())
    }

    /// The tests in the rules, and whether they name each number of a checklist.
    fn run_tests(&mut self, game: &Game, spot: &Spot) -> Result<(), Failure> {
        let begun = Instant::now();
        self.run_tests_under_mods(game, spot)?;
        // A game is loaded once more for each of its mods; its own tests count once.
        let key = |t: &Test| (report::place_text(self.bundle, self.files, t.span), t.title.to_string());
        let fresh: HashSet<_> =
            game.model().tests.iter().map(key).filter(|k| !self.tally.tested.contains(k)).collect();
        let results = testing::run_where(game, |t| fresh.contains(&key(t)), &[]);
        self.tally.tested.extend(fresh);
        for mut result in results {
            if let Some(f) = &result.failure {
                let message = format!("{}: {}", result.title, f.message);
                self.tell(&Diagnostic::error(TEST, f.span, message), None)?;
            }
            result.file = self.bundle.shown_name(&result.file);
            if let Some(f) = &mut result.failure {
                f.place = report::place_text(self.bundle, self.files, f.span);
            }
            self.tally.tests.push(result);
        }
        let model = game.model();
        let span = model.numbered.first().map_or(Span::default(), |n| n.span);
        let list = Checklist::from_model(model).map_or(Vec::new(), |list| list.complaints());
        list.iter()
            .try_for_each(|told| self.tell(&Diagnostic::error(NUMBERED, span, told.as_str()), None))?;
        if !model.numbered.is_empty() {
            self.note_step("numbered rules", spot, list.first().map(|told| (span, told.clone())), begun);
        }
        Ok(())
    }

    /// The game's own tests with the mods in force: which fail is said in the mod (`expects to break`).
    fn run_tests_under_mods(&mut self, game: &Game, spot: &Spot) -> Result<(), Failure> {
        let mods = testing::mod_names(game);
        if mods.is_empty() {
            return Ok(());
        }
        let begun = Instant::now();
        let scopes = &game.model().scopes;
        let is_of_mod = |t: &Test| scopes.get(t.scope.index()).is_some_and(|s| s.kind == ScopeKind::Mod);
        let mut broken = None;
        for result in testing::run_where(game, |t| !is_of_mod(t), &mods) {
            let Some(f) = result.failure else { continue };
            let (title, with) = (result.title, mods.join("”, “"));
            let message = format!("{title}, with “{with}”: {}", f.message);
            let more = format!(
                "if the house rule is meant to change this, write in it: expects to break \"{title}\""
            );
            self.tell(&Diagnostic::error(TEST, f.span, message.as_str()), Some(&more))?;
            broken = broken.or(Some((f.span, message)));
        }
        self.note_step("the game's own tests", spot, broken, begun);
        Ok(())
    }

    /// Games between bots from every start, for each number of players: no rule error, no broken invariant.
    fn play(&mut self, game: &Game, spot: &Spot, args: &CiArgs) -> Result<(), Failure> {
        if args.games + args.greedy == 0 {
            return Ok(());
        }
        let begun = Instant::now();
        let mut broken = None;
        for setup in list_setups(game, args.seed) {
            for (bot, games) in [("random", args.games), ("greedy", args.greedy)] {
                if games > 0 {
                    let found = self.play_some(game, spot, &setup, bot, games, args)?;
                    broken = broken.or(found);
                }
            }
        }
        self.note_step("games between bots", spot, broken, begun);
        Ok(())
    }

    /// Games of one start between bots of one sort. Returns the first rule error.
    fn play_some(
        &mut self,
        game: &Game,
        spot: &Spot,
        setup: &Setup,
        bot: &str,
        games: u64,
        args: &CiArgs,
    ) -> Result<Option<(Span, String)>, Failure> {
        let plan = SimulationPlan {
            setup: setup.clone(),
            first: 0,
            games,
            seats: vec![bot.to_string()],
            jobs: args.jobs,
            cap: args.cap,
            uses: false,
        };
        // A number of players that a condition of the rules refuses is not played.
        let Ok(program) = game.lower_setup(setup) else { return Ok(None) };
        let played = simulate(game, &plan, &AtomicBool::new(false), &AtomicU64::new(0));
        let Ok(summary) = played else { return Ok(None) };
        self.tally.games += summary.games.len() as u64;
        let again = sim_args(spot, setup, bot, args);
        let start = describe(spot, setup, bot);
        let failed = failures::group(summary.faults());
        for f in &failed {
            let g = &f.first;
            let more = format!(
                "in {} of {games} games ({start}), first in game {} after {} choices; to look at it:\n  {}\n  {}",
                f.times,
                g.game,
                g.choices,
                replay_command(&again, g.game),
                play_command(&again, &file_of(&again, g.game), usize::from(program.seats)),
            );
            self.tell(f.finding(), Some(&more))?;
        }
        let mut endless = summary.games.iter().filter(|g| g.unfinished.is_some() && g.fault.is_none());
        if let Some(first) = endless.next() {
            let (many, cap) = (1 + endless.count(), args.cap);
            let message = format!("{many} of {games} games ({start}) did not end within {cap} choices");
            // Of a house rule, it is that which keeps them going.
            let scopes = &game.model().scopes;
            let of_mod = scopes.iter().find(|s| s.kind == ScopeKind::Mod);
            let span = of_mod.or(scopes.first()).map_or(Span::default(), |s| s.span);
            let finding =
                Diagnostic { severity: Severity::Warning, ..Diagnostic::error(ENDLESS, span, message) };
            let more = format!("to look at the first of them:\n  {}", replay_command(&again, first.game));
            self.tell(&finding, Some(&more))?;
        }
        Ok(failed.first().map(|f| (f.finding().at.span, f.finding().message.clone())))
    }
}

/// `with calm-wind.rules, scenario cry, 2 players, random`.
fn describe(spot: &Spot, setup: &Setup, bot: &str) -> String {
    let files = spot.extra.iter().filter(|(_, f)| has_end(f, "rules"));
    let mut parts: Vec<String> = files.map(|(_, f)| format!("with {}", to_slashed(f))).collect();
    parts.extend(setup.scenario.as_ref().map(|s| format!("scenario {s}")));
    parts.extend(setup.players.map(|n| format!("{n} players")));
    parts.push(bot.to_string());
    parts.join(", ")
}

/// A game as commands are told it.
fn spot_arg(spot: &Spot) -> String {
    match (&spot.only, spot.store) {
        (_, Store::Shipped) => spot.name(),
        (Some(file), Store::Disk) => to_slashed(file),
        (None, Store::Disk) if spot.folder.as_os_str().is_empty() => String::from("."),
        (None, Store::Disk) => to_slashed(&spot.folder),
    }
}

/// The simulation as `sim` is told it.
fn sim_args(spot: &Spot, setup: &Setup, bot: &str, args: &CiArgs) -> SimArgs {
    let game = spot_arg(spot);
    let mods = spot.extra.iter().filter(|(_, f)| has_end(f, "rules")).map(|(_, f)| to_slashed(f)).collect();
    // A scenario that lies elsewhere is named by its file.
    let declares = |file: &&PathBuf| {
        let text = Store::Disk.read(file).unwrap_or_default();
        let about = games::read_about(&String::from_utf8_lossy(&text));
        about.scenarios.iter().any(|(name, ..)| setup.scenario.as_deref() == Some(name))
    };
    let lone = spot.extra.iter().map(|(_, f)| f).filter(|f| has_end(f, "scenario")).find(declares);
    let scenario = lone.map(|f| to_slashed(f)).or_else(|| setup.scenario.clone());
    SimArgs {
        game,
        games: args.games,
        campaign: false,
        longest: 1,
        setup: SetupArgs {
            scenario,
            options: Vec::new(),
            variants: Vec::new(),
            mods,
            players: setup.players,
            names: Vec::new(),
        },
        seats: vec![bot.to_string()],
        seed: args.seed,
        jobs: args.jobs,
        cap: args.cap,
        only: None,
        save: None,
        out: None,
        no_uses: true,
        format: Default::default(),
    }
}

/// The byte from which two texts differ, at the beginning of its line.
fn first_difference(a: &str, b: &str) -> usize {
    a.split_inclusive('\n')
        .zip(b.split_inclusive('\n'))
        .take_while(|(x, y)| x == y)
        .map(|(x, _)| x.len())
        .sum()
}
