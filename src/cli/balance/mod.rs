//! `balance`: plays a game without and with house rules on the same seeds, and tells what differs.
mod outputs;
mod sweep;

use crate::args::{BalanceArgs, BalanceFormat, Format, SetupArgs, SimArgs};
use crate::explain::to_pretty_json;
use crate::io::{Exit, Failure, Io};
use crate::seats;
use crate::setup::{self, Loaded};
use crate::sim::again::{replay_command, to_failure};
use crate::sim::save_replayed;
use crate::stop;
use crate::store::to_slashed;
use houserule_bots::Bot;
use houserule_lab::balance::{UnlikePair, list_unlike_pairs};
use houserule_lab::compare::{Comparison, compare_runs};
use houserule_lab::figures::{Figures, Lot};
use houserule_lab::retrace::replay_first_game;
use houserule_lab::simulate::{Simulation, SimulationPlan};
use houserule_model::hir::ScopeKind;
use houserule_play::setup::player_range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Pairs that are played before it is asked whether enough is known.
const BLOCK: u64 = 200;

/// Pairs of games that are named.
const PAIRS: usize = 3;

/// One of the two games that are compared: which rules, who plays.
struct Side {
    loaded: Loaded,
    plan: SimulationPlan,
    /// As `sim` is told it.
    again: SimArgs,
}

/// What was played of a game without and with house rules.
struct Report {
    title: String,
    /// The scenario, if there is one.
    scenario: Option<String>,
    /// The titles of the house rules that are compared.
    mods: Vec<String>,
    base: Figures,
    modded: Figures,
    change: Comparison,
    unlike: Vec<Unlike>,
}

/// A pair of games that differ, with the commands that play them again: without and with the house rules.
struct Unlike {
    pair: UnlikePair,
    commands: [String; 2],
}

/// Runs the command.
pub fn run(args: &BalanceArgs, io: &mut Io) -> Result<Exit, Failure> {
    if let Some(until) = args.until.filter(|points| points.is_nan() || *points < 0.1 || *points > 50.0) {
        return Err(Failure::Usage(format!("--until {until}: give percentage points from 0.1 to 50")));
    }
    if let Some(wish) = &args.sweep {
        return sweep::run(args, wish, io);
    }
    if args.setup.mods.is_empty() {
        let message = "name the house rules: --mod FILE, or the name of a shipped one; or the values of an option: --sweep NAME=VALUES";
        return Err(Failure::Usage(String::from(message)));
    }
    let sides = [Side::open(args, false, io)?, Side::open(args, true, io)?];
    let [base, modded] = play_pairs(&sides, args, io)?;
    let change = compare_runs(&modded, &base);
    let pairs = list_unlike_pairs(&modded, &base, PAIRS);
    if let Some(folder) = &args.save {
        save_pairs(&sides, &pairs, folder, io)?;
    }
    let unlike = pairs.into_iter().map(|pair| {
        // The two matches are not saved in one file.
        let command = |side: &Side, what: &str| {
            let (file, own) = (format!("game-{}.save", pair.game), format!("game-{}-{what}.save", pair.game));
            replay_command(&side.again, pair.game).replace(&file, &own)
        };
        let commands = [command(&sides[0], "without"), command(&sides[1], "with")];
        Unlike { pair, commands }
    });
    let report = Report {
        title: sides[0].loaded.game.title().to_string(),
        scenario: setup::scenario_title(&sides[0].loaded, &sides[0].plan.setup),
        mods: compared_mods(&sides),
        base,
        modded,
        change,
        unlike: unlike.collect(),
    };
    match args.format {
        BalanceFormat::Human => outputs::show(&report, io)?,
        BalanceFormat::Json => io.write_line(&to_pretty_json(&outputs::to_json(&report)))?,
        BalanceFormat::Markdown => io.write_raw(&outputs::to_markdown(&report))?,
    }
    let failed =
        [&report.base, &report.modded].iter().any(|f| f.unfinished.iter().any(|u| u.fault.is_some()));
    Ok(if failed { Exit::Findings } else { Exit::Fine })
}

impl Side {
    /// Loads one side: without or with the house rules that are compared.
    fn open(args: &BalanceArgs, modded: bool, io: &mut Io) -> Result<Side, Failure> {
        Side::open_with(args, modded, &args.setup.options, io)
    }

    fn open_with(args: &BalanceArgs, modded: bool, options: &[String], io: &mut Io) -> Result<Side, Failure> {
        let mut mods = args.base_mods.clone();
        mods.extend(args.setup.mods.iter().filter(|_| modded).cloned());
        let setup = SetupArgs { mods, options: options.to_vec(), ..args.setup.clone() };
        let bots = seats::parse_bots(&args.seats)?;
        let loaded = setup::load_game(&args.game, &setup, io)?;
        let players = seats::player_count(&bots, player_range(loaded.game.model(), None).0);
        let plan = SimulationPlan {
            setup: setup::make_setup(&setup, &loaded, args.seed, players)?,
            first: 0,
            games: args.games,
            seats: bots.iter().map(|b| b.to_word()).collect(),
            jobs: args.jobs,
            cap: args.cap,
            uses: true,
        };
        let program =
            loaded.game.lower_setup(&plan.setup).map_err(|report| loaded.to_failure(&report, io))?;
        seats::fill_seats(bots, usize::from(program.seats), Bot::Random)?;
        let again = SimArgs {
            game: args.game.clone(),
            games: args.games,
            campaign: false,
            longest: 1,
            setup,
            seats: args.seats.clone(),
            seed: args.seed,
            jobs: args.jobs,
            cap: args.cap,
            only: None,
            save: None,
            out: None,
            no_uses: true,
            format: Format::Human,
        };
        Ok(Side { loaded, plan, again })
    }

    fn make_simulation(&self, io: &mut Io) -> Result<Simulation, Failure> {
        Simulation::new(&self.loaded.game, &self.plan).map_err(|e| to_failure(&e, &self.loaded, io))
    }
}

/// The titles of the mods that only the second side has.
fn compared_mods(sides: &[Side; 2]) -> Vec<String> {
    let titles = |s: &Side| -> Vec<String> {
        let all = s.loaded.game.model().scopes.iter().filter(|s| s.kind == ScopeKind::Mod);
        all.map(|s| s.title.to_string()).collect()
    };
    let base = titles(&sides[0]);
    titles(&sides[1]).into_iter().filter(|t| !base.contains(t)).collect()
}

/// Plays games of one number on both sides, until there are as many as asked for or enough is known.
fn play_pairs(sides: &[Side; 2], args: &BalanceArgs, io: &mut Io) -> Result<[Figures; 2], Failure> {
    let simulations = [sides[0].make_simulation(io)?, sides[1].make_simulation(io)?];
    let flag = stop::make_stop_flag(io);
    let done = AtomicU64::new(0);
    let work = || play_blocks(&simulations, args, &flag, &done);
    let figures = stop::with_bar(io, "games", args.games.saturating_mul(2), &done, work);
    if flag.load(Ordering::Relaxed) {
        io.write_remark(&format!(
            "Stopped after {} of {} pairs.",
            figures[0].games.min(figures[1].games),
            args.games
        ));
    }
    Ok(figures)
}

fn play_blocks(
    simulations: &[Simulation; 2],
    args: &BalanceArgs,
    stop: &AtomicBool,
    done: &AtomicU64,
) -> [Figures; 2] {
    let mut out =
        simulations.each_ref().map(|s| Figures::from_games(&s.summarize(Default::default()), args.seed));
    let mut first = 0;
    while first < args.games && !stop.load(Ordering::Relaxed) {
        let next = first.saturating_add(BLOCK).min(args.games);
        for (figures, simulation) in out.iter_mut().zip(simulations) {
            let games = simulation.play(first..next, stop, done);
            figures.merge(Figures::from_games(&simulation.summarize(games), args.seed));
        }
        first = next;
        if args.until.is_some_and(|points| is_known(&compare_runs(&out[1], &out[0]), points / 100.0)) {
            break;
        }
    }
    out
}

/// Whether the differences of the shares of won games are known to so much up or down.
fn is_known(change: &Comparison, width: f64) -> bool {
    let mut players = change.players.iter().flatten().map(|p| p.of_lot(Lot::Won));
    players.all(|d| d.high - d.low <= 2.0 * width)
}

/// Saves pairs of games as matches, those without the house rules as `NUMBER-without.save`, those with them as `NUMBER-with.save`.
fn save_pairs(sides: &[Side; 2], pairs: &[UnlikePair], folder: &Path, io: &mut Io) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|e| Failure::Unreadable(format!("cannot make the folder {}: {e}", to_slashed(folder))))?;
    for pair in pairs {
        for (side, what) in sides.iter().zip(["without", "with"]) {
            let plan = SimulationPlan { first: pair.game, games: 1, ..side.plan.clone() };
            let again =
                replay_first_game(&side.loaded.game, &plan).map_err(|e| to_failure(&e, &side.loaded, io))?;
            let file = folder.join(format!("{}-{what}.save", pair.game));
            save_replayed(again, &file, &side.again.game, io)?;
        }
    }
    Ok(())
}
