//! Simulation of campaigns: rows of games between policies, each set up as the end of the one before has handed on (`legacy`).
//!
//! All first games are played, then all second ones, and so on; games of one set-up share its program. Game i of a campaign is game i of a simulation with the
//! campaign's seed and the game's set-up. The result does not depend on the number of threads.
use super::game_records::{GameRecord, GameRecords};
use super::retrace::{Retraced, replay_first_game};
use super::simulate::{SimError, SimulationPlan, Summary, Table, UseNames, prepare, seed_of_game};
use houserule_model::hir::{LegacyKind, LegacyRow};
use houserule_play::{Campaign, Game, Setup, codes, fault_finding};
use houserule_text::{Diagnostic, Report};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A game of a campaign.
#[derive(Clone, Debug)]
pub struct CampaignGame {
    /// How it was set up; the seed is the campaign's.
    pub setup: Setup,
    /// What came of it, the only one in here; its number is its place in the campaign, from 0.
    record: GameRecords,
    /// The options that its end sets, with their values in words; none if it has no end, or hands on what it may not.
    pub handed: Option<Vec<(String, String)>>,
}

impl CampaignGame {
    /// What came of it; its number is its place in the campaign, from 0.
    pub fn record(&self) -> Option<GameRecord<'_>> {
        self.record.first()
    }
}

/// A campaign.
#[derive(Clone, Debug)]
pub struct CampaignRecord {
    /// Its number, from 0.
    pub campaign: u64,
    /// The seed of its chance.
    pub seed: u64,
    /// Its games.
    pub games: Vec<CampaignGame>,
    /// Why it has not come to its end.
    pub unfinished: Option<String>,
    /// What is wrong with the rules, if that is why.
    pub fault: Option<Box<Diagnostic>>,
}

/// All campaigns.
#[derive(Clone, Debug, Default)]
pub struct CampaignSummary {
    /// In order of number. Fewer than planned if it was stopped.
    pub campaigns: Vec<CampaignRecord>,
    /// Who plays, without games: of the set-up with most players.
    table: Summary,
}

/// Campaigns that are played at a time: however many are asked for, only so many are on their way.
const BLOCK: u64 = 1 << 10;

/// Games of one set-up that one thread plays in a row.
const CHUNK: usize = 16;

/// A campaign on its way.
struct Course {
    record: CampaignRecord,
    /// How its next game is set up; none if it has ended.
    next: Option<Setup>,
}

/// What came of a game: the record, and what it hands on.
struct Played {
    game: CampaignGame,
    next: Option<Setup>,
    fault: Option<Box<Diagnostic>>,
}

/// Plays campaigns: the plan says how many (`games`) and with which first set-up; none has more than so many games. Uses are not counted.
/// `done` counts campaigns that have ended while it runs; when `stop` turns true, those on their way are left out.
/// A campaign whose rules fail, or that does not end within its bound, is kept as unfinished ([`CampaignRecord::fault`]).
///
/// # Errors
/// See [`SimError`].
pub fn simulate_campaigns(
    game: &Game,
    plan: &SimulationPlan,
    longest: u64,
    stop: &AtomicBool,
    done: &AtomicU64,
) -> Result<CampaignSummary, SimError> {
    let plan = &SimulationPlan { uses: false, ..plan.clone() };
    let (program, names) = prepare(game, plan)?;
    let mut out = CampaignSummary { campaigns: Vec::new(), table: Summary::without_games(&program, &names) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.jobs).build().ok();
    let end = plan.first.saturating_add(plan.games);
    let mut first = plan.first;
    while first < end && !stop.load(Ordering::Relaxed) {
        let next = first.saturating_add(BLOCK).min(end);
        let mut run = || play_block(game, plan, longest, first..next, &mut out, stop, done);
        match &pool {
            Some(p) => p.install(run),
            None => run(),
        }
        first = next;
    }
    Ok(out)
}

fn play_block(
    game: &Game,
    plan: &SimulationPlan,
    longest: u64,
    numbers: std::ops::Range<u64>,
    out: &mut CampaignSummary,
    stop: &AtomicBool,
    done: &AtomicU64,
) {
    let begin = |campaign: u64| {
        let seed = seed_of_game(plan.setup.seed, campaign);
        let record = CampaignRecord { campaign, seed, games: Vec::new(), unfinished: None, fault: None };
        Course { record, next: Some(Setup { seed, ..plan.setup.clone() }) }
    };
    let mut courses: Vec<Course> = numbers.map(begin).collect();
    for number in 0..longest {
        let mut by_setup: BTreeMap<String, (Setup, Vec<&mut Course>)> = BTreeMap::new();
        for course in courses.iter_mut() {
            let Some(next) = &course.next else { continue };
            let setup = Setup { seed: 0, ..next.clone() };
            by_setup.entry(format!("{setup:?}")).or_insert_with(|| (setup, Vec::new())).1.push(course);
        }
        if by_setup.is_empty() {
            break;
        }
        let tables: Vec<Option<Summary>> = by_setup
            .into_par_iter()
            .map(|(_, (setup, all))| play_games(game, plan, setup, number, all, stop, done))
            .collect();
        for table in tables.into_iter().flatten() {
            if table.players.len() > out.table.players.len() {
                out.table = table;
            }
        }
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    let stopped = stop.load(Ordering::Relaxed);
    for Course { mut record, next } in courses {
        if next.is_some() {
            if stopped {
                continue;
            }
            let fault = find_endless(game, longest);
            record.unfinished = Some(fault.message.clone());
            record.fault = Some(Box::new(fault));
            done.fetch_add(1, Ordering::Relaxed);
        }
        out.campaigns.push(record);
    }
}

/// That a campaign has not ended.
fn find_endless(game: &Game, longest: u64) -> Diagnostic {
    let rows = &game.model().legacy;
    let is_next = |row: &&LegacyRow| matches!(row.kind, LegacyKind::Next(..));
    let span = rows.iter().find(is_next).or(rows.first()).map(|row| row.span).unwrap_or_default();
    let games = if longest == 1 { "1 game" } else { &format!("{longest} games") };
    Diagnostic::error(codes::ENDLESS_CAMPAIGN, span, format!("the campaign has not ended after {games}"))
        .help("`next none when …` says when no game is next; `--longest` says how many games a campaign may have")
}

/// Plays the next game of campaigns whose next game is set up in the same way. Gives who plays there, if the set-up can be played.
fn play_games(
    game: &Game,
    plan: &SimulationPlan,
    setup: Setup,
    number: u64,
    courses: Vec<&mut Course>,
    stop: &AtomicBool,
    done: &AtomicU64,
) -> Option<Summary> {
    let plan = SimulationPlan { setup, ..plan.clone() };
    let (program, names) = match prepare(game, &plan) {
        Ok(prepared) => prepared,
        Err(e) => {
            let fault = match e {
                SimError::Setup(Report { findings }) => findings.into_iter().next().map(Box::new),
                SimError::Policy(_) => None,
            };
            for course in courses {
                let why = fault.as_ref().map_or("", |f| &f.message);
                course.record.unfinished = Some(format!("game {} cannot be set up: {why}", number + 1));
                course.record.fault = fault.clone();
                course.next = None;
                done.fetch_add(1, Ordering::Relaxed);
            }
            return None;
        }
    };
    let use_names = UseNames::of(&program);
    courses.into_par_iter().with_min_len(CHUNK).for_each_init(
        || Table::new(game, &program, &plan, &names, &use_names),
        |table, course| {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let played = play_one(game, table, &plan.setup, course.record.seed, number);
            course.record.unfinished = match &played.fault {
                Some(fault) => Some(fault.message.clone()),
                None => played.game.record().and_then(|r| r.unfinished).map(String::from),
            };
            course.record.fault = played.fault;
            course.record.games.push(played.game);
            course.next = played.next;
            done.fetch_add(u64::from(course.next.is_none()), Ordering::Relaxed);
        },
    );
    Some(Summary::without_games(&program, &names))
}

fn play_one(game: &Game, table: &mut Table<'_>, setup: &Setup, seed: u64, number: u64) -> Played {
    let mut record = GameRecords::default();
    table.play_game_of(seed, number, None, &mut record);
    let setup = Setup { seed, ..setup.clone() };
    let fault = record.first().and_then(|r| r.fault).cloned();
    let (mut handed, mut next, mut fault) = (None, None, fault.map(Box::new));
    if record.unfinished() == 0 {
        let machine = table.machine();
        let program = machine.program().clone();
        let legacy = machine.legacy().map_err(|f| Box::new(fault_finding(&f, &program)));
        match legacy.and_then(|legacy| game.hand_on(&setup, &program, legacy)) {
            Ok(found) => (handed, next) = (Some(found.options), found.next),
            Err(found) => fault = Some(found),
        }
    }
    Played { game: CampaignGame { setup, record, handed }, next, fault }
}

/// Plays a campaign again: gives it as its file holds it, and the game that it cannot hold.
///
/// # Errors
/// See [`SimError`].
pub fn replay_campaign(
    game: &Game,
    plan: &SimulationPlan,
    record: &CampaignRecord,
) -> Result<(Campaign, Option<Retraced>), SimError> {
    let mut out = Campaign::default();
    for (g, first) in record.games.iter().zip(0..) {
        let plan = SimulationPlan { setup: g.setup.clone(), first, games: 1, ..plan.clone() };
        let mut again = replay_first_game(game, &plan)?;
        match &mut again.game {
            Some(m) if g.handed.is_some() => out.games.push(m.save()),
            _ => return Ok((out, Some(again))),
        }
    }
    Ok((out, None))
}

impl CampaignSummary {
    /// Games of that place in their campaigns, from 0.
    pub fn games_at(&self, place: usize) -> Summary {
        self.collect_games(|c| c.games.get(place))
    }

    /// The last games of campaigns that have ended.
    pub fn last_games(&self) -> Summary {
        self.collect_games(|c| if c.unfinished.is_none() { c.games.last() } else { None })
    }

    /// The most games that a campaign had.
    pub fn longest(&self) -> usize {
        self.campaigns.iter().map(|c| c.games.len()).max().unwrap_or(0)
    }

    fn collect_games(&self, pick: impl Fn(&CampaignRecord) -> Option<&CampaignGame>) -> Summary {
        let mut games = GameRecords::default();
        self.campaigns.iter().filter_map(pick).for_each(|g| games.append(g.record.clone()));
        Summary { games, ..self.table.clone() }
    }
}
