//! Simulation: plays many games between policies and counts outcomes with intervals, lengths, and uses of rules and cards. The result does not depend on the number of threads.
use super::game_records::{GameRecord, GameRecords, NewGame, Unfinished};
use super::stats::{Share, Spread, Use, Uses};
use super::tally::Tally;
use super::testing::broken_invariant;
use houserule_bots::{self as bots, Policy, Sight};
use houserule_engine::{
    Choice, Fault, Hooks, Machine, Numbers, Refusal, State, Stream, Verdict, Watcher, below, mix,
};
use houserule_play::{Game, Setup, codes, fault_finding};
use houserule_program::ir::{Decl, DeclIx, Program, Universe};
use houserule_text::{Diagnostic, Report};
use rayon::prelude::*;
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What is to be played.
#[derive(Clone, Debug)]
pub struct SimulationPlan {
    /// The set-up; its seed is of the whole simulation.
    pub setup: Setup,
    /// The number of the first game; a game is the same whichever others are played.
    pub first: u64,
    /// How many games.
    pub games: u64,
    /// A policy's name for each seat; too few are filled up with the last one, none are `random`.
    pub seats: Vec<String>,
    /// Games at once; 0 is one a core.
    pub jobs: usize,
    /// Choices after which a game is called unfinished.
    pub cap: u64,
    /// Whether uses of rules and cards are counted (slower).
    pub uses: bool,
}

/// All games.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Games in order of number. Fewer than planned if it was stopped.
    pub games: GameRecords,
    /// Players' names.
    pub players: Vec<String>,
    /// Whether anybody answers for each.
    pub playing: Vec<bool>,
    /// Each player's policy: that of the first seat that answers.
    pub policies: Vec<String>,
    /// What can be used, in order of name: `action place`, `card guard`.
    pub use_names: Vec<String>,
}

/// Why a simulation could not be run.
#[derive(Debug)]
pub enum SimError {
    /// The set-up.
    Setup(Report),
    /// No such policy; the name.
    Policy(String),
}

/// Plays the games. `done` counts finished games while it runs. When `stop` turns true, games in progress are abandoned and finished games are kept.
/// A game in which the rules fail is kept as unfinished ([`GameRecord::fault`]), and the others go on.
///
/// # Errors
/// See [`SimError`].
pub fn simulate(
    game: &Game,
    plan: &SimulationPlan,
    stop: &AtomicBool,
    done: &AtomicU64,
) -> Result<Summary, SimError> {
    let simulation = Simulation::new(game, plan)?;
    let end = plan.first.saturating_add(plan.games);
    let mut games = GameRecords::default();
    let mut first = plan.first;
    while first < end && !stop.load(Ordering::Relaxed) {
        let next = first.saturating_add(BLOCK).min(end);
        games.append(simulation.play(first..next, stop, done));
        first = next;
    }
    Ok(simulation.summarize(games))
}

/// A simulation that is made ready once and played in blocks of games, for whoever wants to see figures while it runs.
/// A game is the same in whichever block it is played.
pub struct Simulation {
    game: Game,
    plan: SimulationPlan,
    program: Arc<Program>,
    names: Vec<String>,
    use_names: UseNames,
    pool: Option<rayon::ThreadPool>,
}

impl Simulation {
    /// Makes it ready.
    ///
    /// # Errors
    /// See [`SimError`].
    pub fn new(game: &Game, plan: &SimulationPlan) -> Result<Simulation, SimError> {
        let (program, names) = prepare(game, plan)?;
        let use_names = UseNames::of(&program);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.jobs).build().ok();
        Ok(Simulation { game: game.clone(), plan: plan.clone(), program, names, use_names, pool })
    }

    /// The program that its games run.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// What it was made of.
    pub fn plan(&self) -> &SimulationPlan {
        &self.plan
    }

    /// The game that it plays.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Plays the games of these numbers; fewer if it is stopped.
    pub fn play(&self, numbers: std::ops::Range<u64>, stop: &AtomicBool, done: &AtomicU64) -> GameRecords {
        let run = || {
            // Few games are shared out one by one, so that each thread has some.
            let shares = 4 * rayon::current_num_threads() as u64;
            let chunk = (numbers.end.saturating_sub(numbers.start) / shares.max(1)).clamp(1, CHUNK);
            let chunks: Vec<u64> = numbers.clone().step_by(chunk as usize).collect();
            let make_table = || {
                let mut table =
                    Table::new(&self.game, &self.program, &self.plan, &self.names, &self.use_names);
                table.stop_by(stop);
                table
            };
            let play_chunk = |table: &mut Table<'_>, from: u64| {
                let mut out = GameRecords::default();
                for i in from..from.saturating_add(chunk).min(numbers.end) {
                    if stop.load(Ordering::Relaxed) || !table.play_game(i, None, &mut out) {
                        break;
                    }
                }
                done.fetch_add(out.len() as u64, Ordering::Relaxed);
                out
            };
            let all: Vec<GameRecords> = chunks.into_par_iter().map_init(make_table, play_chunk).collect();
            let mut out = GameRecords::default();
            all.into_iter().for_each(|chunk| out.append(chunk));
            out
        };
        match &self.pool {
            Some(pool) => pool.install(run),
            None => run(),
        }
    }

    /// Who plays, and what can be used, with these games.
    pub fn summarize(&self, games: GameRecords) -> Summary {
        let use_names = self.use_names.names.clone();
        Summary { games, use_names, ..Summary::without_games(&self.program, &self.names) }
    }
}

/// The program, and a policy's name for every seat.
pub(super) fn prepare(game: &Game, plan: &SimulationPlan) -> Result<(Arc<Program>, Vec<String>), SimError> {
    let program = game.lower_setup(&plan.setup).map_err(SimError::Setup)?;
    let names: Vec<String> = (0..program.seats as usize)
        .map(|s| plan.seats.get(s).or(plan.seats.last()).cloned().unwrap_or_else(|| "random".into()))
        .collect();
    match names.iter().find(|n| bots::policy_by_name(n, 0).is_none()) {
        Some(n) => Err(SimError::Policy(n.clone())),
        None => Ok((program, names)),
    }
}

/// The seats that play by the uniform policy, each with a stream of its own.
struct Uniform(Vec<Option<Stream>>);

impl Numbers for Uniform {
    type Source = Stream;

    fn of(&mut self, seat: usize) -> Option<&mut Stream> {
        self.0.get_mut(seat).and_then(Option::as_mut)
    }
}

/// Choices that are made in a row before a game looks whether it is to be stopped.
const STRETCH: u64 = 256;

/// Games that one thread plays in a row.
const CHUNK: u64 = 16;

/// Games that are shared out among the threads at a time: however many games are asked for, the list of what is to do stays short.
const BLOCK: u64 = 1 << 20;

/// An answer as it was given.
pub(super) struct Answer {
    pub seat: usize,
    /// The question's number.
    pub question: u32,
    pub choice: Choice,
}

/// What came of a game so far.
#[derive(Default)]
struct Course {
    choices: u64,
    unfinished: Option<String>,
    /// An invariant that did not hold.
    broken: Option<Diagnostic>,
    /// Whether it was left because it is to be stopped.
    stopped: bool,
}

/// The names of what is counted.
pub(super) struct UseNames {
    /// In order.
    names: Vec<String>,
    /// The place of a name and a counter of that name ([`Tally::counts`]), in order; counters that are left out have none.
    counters: Vec<(u32, u32)>,
}

impl UseNames {
    pub fn of(p: &Program) -> UseNames {
        let actions = p.actions.iter().map(|a| Some(format!("action {}", a.name)));
        // Actions are counted by the choices.
        let is_told = |d: &Decl| !matches!(d.what, "action" | "game" | "round");
        let decls = p.decls.iter().map(|d| is_told(d).then(|| format!("{} {}", d.what, d.name)));
        let faces = p.comps.iter().filter_map(|c| p.universes.get(c.faces.index())).flat_map(|u| &u.things);
        let cards = faces.map(|face| Some(format!("card {}", face.word)));
        let all: Vec<Option<String>> = actions.chain(decls).chain(cards).collect();
        let mut names: Vec<String> = all.iter().flatten().cloned().collect();
        names.sort();
        names.dedup();
        let place = |name: &String| names.binary_search(name).ok();
        let counters = all.iter().enumerate();
        let mut counters: Vec<(u32, u32)> =
            counters.filter_map(|(i, name)| Some((place(name.as_ref()?)? as u32, i as u32))).collect();
        counters.sort_unstable();
        UseNames { counters, names }
    }

    /// Writes the counters that are not 0 behind what `out` has, by name, and for each who used it behind what `users` has; those of one name are added.
    fn collect(&self, tally: &Tally, out: &mut Vec<(u32, u32)>, users: &mut Vec<u32>) {
        let before = out.len();
        for (name, counter) in &self.counters {
            let n = tally.counts().get(*counter as usize).copied().unwrap_or(0);
            let by = tally.users().get(*counter as usize).copied().unwrap_or(0);
            match (out.get_mut(before..).and_then(<[_]>::last_mut), users.last_mut()) {
                _ if n == 0 => {}
                (Some((last, times)), Some(users)) if last == name => {
                    *times = times.saturating_add(n);
                    *users |= by;
                }
                _ => {
                    out.push((*name, n));
                    users.push(by);
                }
            }
        }
    }
}

/// Where one thread plays games in a row.
pub(super) struct Table<'a> {
    game: &'a Game,
    program: &'a Arc<Program>,
    plan: &'a SimulationPlan,
    names: &'a [String],
    use_names: &'a UseNames,
    hooks: Option<Arc<dyn Hooks>>,
    machine: Machine,
    /// The state before a game.
    fresh: State,
    /// The state at the first question, and what the set-up has logged, if the set-up draws nothing: then all games begin with it.
    first: Option<(State, Vec<DeclIx>)>,
    /// Where uses are counted.
    tally: Option<Box<Tally>>,
    /// By seat: its policy if it plays by the uniform one, and otherwise.
    uniform: Uniform,
    policies: Vec<Option<Box<dyn Policy>>>,
    /// When this turns true, a game is left.
    stop: Option<&'a AtomicBool>,
}

impl<'a> Table<'a> {
    pub fn new(
        game: &'a Game,
        program: &'a Arc<Program>,
        plan: &'a SimulationPlan,
        names: &'a [String],
        use_names: &'a UseNames,
    ) -> Table<'a> {
        let machine = game.make_machine(program.clone(), 0);
        let fresh = machine.state().clone();
        let hooks = game.make_hooks(program);
        let (uniform, policies, tally) =
            (Uniform(Vec::new()), Vec::new(), plan.uses.then(|| Box::new(Tally::new(program))));
        let first = None;
        Table {
            game,
            program,
            plan,
            names,
            use_names,
            hooks,
            machine,
            fresh,
            first,
            tally,
            uniform,
            policies,
            stop: None,
        }
    }

    /// Plays a game and adds what came of it to `out`. If the answers are wanted, one that brought a failure is the last of them.
    /// False if the game was left because it is to be stopped: nothing is added then.
    pub fn play_game(
        &mut self,
        index: u64,
        answers: Option<&mut Vec<Answer>>,
        out: &mut GameRecords,
    ) -> bool {
        self.play_game_of(self.plan.setup.seed, index, answers, out)
    }

    /// Lets games be left between two choices when this turns true.
    pub fn stop_by(&mut self, stop: &'a AtomicBool) {
        self.stop = Some(stop);
    }

    /// Plays a game of the simulation that has this seed, whatever the plan says of it.
    pub fn play_game_of(
        &mut self,
        simulation: u64,
        index: u64,
        answers: Option<&mut Vec<Answer>>,
        out: &mut GameRecords,
    ) -> bool {
        let seed = seed_of_game(simulation, index);
        let mut course = Course::default();
        if let Some(tally) = &mut self.tally {
            tally.begin(self.first.as_ref().map_or(&[][..], |(_, logged)| logged.as_slice()));
        }
        let fault = self.start(seed).and_then(|()| self.play_on(seed, &mut course, answers)).err();
        let m = &mut self.machine;
        self.tally = take_tally(m);
        if let Some(tally) = self.tally.as_mut().filter(|_| fault.is_none()) {
            // What the choice that brought a failure has done does not count.
            tally.end_choice();
        }
        if course.stopped {
            return false;
        }
        let fault = fault.map(|f| fault_finding(&f, self.program));
        let fault = fault.or_else(|| course.broken.take()).map(Box::new);
        let Course { choices, unfinished, .. } = course;
        let why = fault.as_ref().map(|f| f.message.clone()).or(unfinished);
        let turns = m.state().turns();
        let unfinished = why.map(|why| Unfinished { why, fault });
        let ended = if unfinished.is_none() { m.outcome() } else { None };
        let scores = ended.into_iter().flat_map(|o| &o.scores).filter_map(|s| s.first().copied());
        let verdicts = ended.into_iter().flat_map(|o| &o.verdicts);
        let (tally, names) = (self.tally.as_deref(), self.use_names);
        let new = NewGame { game: index, seed, choices, turns, unfinished };
        let spaces = tally.map_or(&[][..], Tally::spaces);
        let uses = |uses: &mut Vec<_>, users: &mut Vec<_>| {
            tally.into_iter().for_each(|t| names.collect(t, uses, users));
        };
        out.push(new, verdicts, scores, uses, spaces);
        true
    }

    /// The machine, as the last game has left it.
    pub fn machine(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// Plays to the first question.
    fn start(&mut self, seed: u64) -> Result<(), Fault> {
        let m = &mut self.machine;
        m.set_state(self.first.as_ref().map_or(&self.fresh, |(state, _)| state));
        m.reseed(seed);
        watch(m, self.tally.take());
        if self.first.is_some() {
            return Ok(());
        }
        m.start()?;
        if m.state().draws().iter().all(|n| *n == 0) {
            let tally = take_tally(m);
            let logged = tally.as_ref().map_or(Vec::new(), |tally| tally.logged_so_far().to_vec());
            self.first = Some((m.state().clone(), logged));
            watch(m, tally);
        }
        Ok(())
    }

    fn play_on(
        &mut self,
        seed: u64,
        course: &mut Course,
        mut answers: Option<&mut Vec<Answer>>,
    ) -> Result<(), Fault> {
        let Table { game, program, plan, names, hooks, machine: m, uniform, policies, stop, .. } = self;
        uniform.0.clear();
        policies.clear();
        for (seat, name) in names.iter().enumerate() {
            let own = mix(seed, STREAM + 1, seat as u64);
            // The uniform policy needs no sight: it draws straight from the options.
            let plain = name == "random";
            uniform.0.push(plain.then(|| Stream::new(own, bots::STREAM)));
            policies.push(if plain { None } else { bots::policy_by_name(name, own) });
        }
        let mut order = Stream::new(seed, STREAM + 2);
        let give_up = |course: &mut Course, why: String| course.unfinished = Some(why);
        while !m.is_over() {
            if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                course.stopped = true;
                break;
            }
            // What must hold is looked at between any two answers, here or by the machine.
            if !program.invariants.is_empty()
                && let Some(title) = broken_invariant(m)?
            {
                course.broken = Some(to_finding(game, &title));
                break;
            }
            // Where several are asked at once, chance says who answers next.
            let pending = m.questions().len() as u64;
            let at = if pending > 1 { below(pending, || order.draw()) as usize } else { 0 };
            let Some(q) = m.questions().get(at).copied() else {
                give_up(course, String::from("nobody is asked and nothing ends the game"));
                break;
            };
            if course.choices >= plan.cap {
                give_up(course, format!("{} choices were made and the game had not ended", course.choices));
                break;
            }
            let seat = q.seats.trailing_zeros() as usize;
            if uniform.of(seat).is_some() && answers.is_none() {
                match m.play_on(at, (plan.cap - course.choices).min(STRETCH), true, uniform) {
                    Ok(0) => {
                        give_up(course, String::from("there was nothing to answer"));
                        break;
                    }
                    Ok(made) => course.choices += made,
                    Err(fault) => {
                        course.choices += m.made_before_fault();
                        return Err(fault);
                    }
                }
                continue;
            }
            let policy = policies.get_mut(seat).and_then(Option::as_mut);
            let choice = match policy {
                None => m.sample(at, uniform)?,
                Some(p) => match Sight::new(m, hooks.clone(), seat, at) {
                    Some(mut sight) => p.choose(&mut sight)?,
                    None => None,
                },
            };
            let Some(choice) = choice else {
                give_up(course, String::from("there was nothing to answer"));
                break;
            };
            if let Some(all) = &mut answers {
                all.push(Answer { seat, question: q.id, choice: choice.clone() });
            }
            match m.choose(at, &choice) {
                Ok(()) => {}
                Err(Refusal::Fault(f)) => return Err(f),
                Err(r) => {
                    give_up(course, format!("an answer was refused: {r:?}"));
                    break;
                }
            }
            course.choices += 1;
        }
        Ok(())
    }
}

/// Sets where uses are counted.
fn watch(m: &mut Machine, tally: Option<Box<Tally>>) {
    m.set_watcher(tally.map(|tally| tally as Box<dyn Watcher>));
}

/// Takes back where uses were counted.
fn take_tally(m: &mut Machine) -> Option<Box<Tally>> {
    let watcher: Box<dyn Any> = m.set_watcher(None)?;
    watcher.downcast().ok()
}

/// The finding of an invariant that does not hold.
fn to_finding(game: &Game, title: &str) -> Diagnostic {
    let found = game.model().invariants.iter().find(|i| *i.title == *title);
    let span = found.map(|i| i.span).unwrap_or_default();
    let message = format!("the invariant “{title}” does not hold");
    Diagnostic::error(codes::BROKEN_INVARIANT, span, message).label("not so between two choices")
}

/// The stream of a simulation's seeds.
const STREAM: u64 = 0x51b0;

/// The seed of a game of a simulation.
pub(super) fn seed_of_game(simulation: u64, index: u64) -> u64 {
    mix(simulation, STREAM, index)
}

impl Summary {
    /// Who plays, and no game.
    pub(super) fn without_games(program: &Program, names: &[String]) -> Summary {
        let title = |u: &Universe| u.things.iter().map(|t| t.title.to_string()).collect();
        let seat = |seats: &u32| names.get(seats.trailing_zeros() as usize).cloned().unwrap_or_default();
        Summary {
            players: program.universes.first().map(title).unwrap_or_default(),
            playing: program.answered.iter().map(|seats| *seats != 0).collect(),
            policies: program.answered.iter().map(seat).collect(),
            ..Summary::default()
        }
    }

    /// Games in which the rules failed.
    pub fn faults(&self) -> impl Iterator<Item = (GameRecord<'_>, &Diagnostic)> {
        self.games.iter().filter_map(|g| g.fault.map(|f| (g, f)))
    }

    /// Games that were finished.
    pub fn finished(&self) -> u64 {
        (self.games.len() - self.games.unfinished()) as u64
    }

    /// Share of finished games in which a player had that lot.
    pub fn share(&self, player: usize, lot: Verdict) -> Share {
        let count = self.games.iter().filter(|g| g.verdicts.get(player) == Some(&lot)).count() as u64;
        Share { count, of: self.finished() }
    }

    /// Choices a finished game.
    pub fn lengths(&self) -> Spread {
        let mut s = Spread::default();
        self.games.iter().filter(|g| g.unfinished.is_none()).for_each(|g| s.add(g.choices as i64));
        s
    }

    /// A player's deciding numbers.
    pub fn scores(&self, player: usize) -> Spread {
        let mut s = Spread::default();
        self.games.iter().filter_map(|g| g.scores.get(player).copied()).for_each(|x| s.add(x));
        s
    }

    /// Uses over all games.
    pub fn uses(&self) -> Uses {
        let mut all = vec![Use::default(); self.use_names.len()];
        for (name, times) in self.games.iter().flat_map(|g| g.uses) {
            if let Some(u) = all.get_mut(*name as usize) {
                u.times += u64::from(*times);
                u.games += 1;
            }
        }
        let used = self.use_names.iter().zip(all).filter(|(_, u)| u.games > 0);
        Uses(used.map(|(name, u)| (name.clone(), u)).collect())
    }
}
