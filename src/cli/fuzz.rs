//! `fuzz`: tests the program with many random inputs, one target for each kind of input (`lab::fuzz`, `lab::generate`).
use super::args::{FuzzArgs, FuzzTarget, ProgramsArgs, TextsArgs};
use super::io::{Exit, Failure, Io};
use super::load;
use super::store::Store;
use houserule_lab::fuzz;
use houserule_lab::generate::{self, Feature, ProgramPlan};
use houserule_play::Game;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Runs the command.
pub fn run(args: &FuzzArgs, io: &mut Io) -> Result<Exit, Failure> {
    let Some(target) = &args.target else { return super::fuzz_game::run(&args.game, io) };
    match target {
        FuzzTarget::Programs(args) => fuzz_programs(args, io),
        FuzzTarget::Check(args) => fuzz_texts(args, &RULES, &fuzz::check_rules, io),
        FuzzTarget::Fmt(args) => fuzz_texts(args, &RULES, &fuzz::check_formatting, io),
        FuzzTarget::Play(args) => fuzz_texts(args, &RULES, &fuzz::play_rules, io),
        FuzzTarget::Saves(args) => {
            let games: Vec<Game> =
                list_saved_games()?.iter().map(|name| load_shipped(name)).collect::<Result<_, _>>()?;
            let check =
                |g: &Game, text: &str| fuzz::check_save(g, text).and_then(|()| fuzz::check_campaign(g, text));
            fuzz_texts(args, &[SAVES], &|text| games.iter().try_for_each(|g| check(g, text)), io)
        }
        FuzzTarget::Hooks(args) => fuzz_texts(args, &["tests/corpus/hooks"], &fuzz::check_hook, io),
        FuzzTarget::Shapes(args) => super::shapes::run(args, io),
        FuzzTarget::Json(args) => {
            let games = list_saved_games()?;
            let game = games.last().ok_or_else(|| Failure::Wrong("the corpus names no game".into()))?;
            fuzz_texts(args, &["tests/corpus/json"], &|lines| check_conversation(game, lines), io)
        }
    }
}

/// Random programs, held to the laws.
fn fuzz_programs(args: &ProgramsArgs, io: &mut Io) -> Result<Exit, Failure> {
    let mut without = Vec::new();
    for name in &args.without {
        without.extend(Feature::from_name(name).map_err(Failure::Wrong)?);
    }
    if args.print {
        for seed in args.seed..args.seed.saturating_add(args.count) {
            io.write_line(&format!("# seed {seed}\n{}", generate::make_program(seed, &without).to_text()))?;
        }
        return Ok(Exit::Fine);
    }
    if args.digest {
        for seed in args.seed..args.seed.saturating_add(args.count) {
            io.write_line(&match generate::compute_digest(seed, &without, args.choices) {
                Ok(d) => format!("{seed} {:016x} {:016x}", d.code, d.play),
                Err(what) => format!("{seed} {what}"),
            })?;
        }
        return Ok(Exit::Fine);
    }
    let plan = ProgramPlan {
        seed: args.seed,
        count: args.count,
        laws: args.laws.clone(),
        without,
        choices: args.choices,
        tries: args.tries,
    };
    // A panic is a finding here; it is told with its program, not as it happens.
    std::panic::set_hook(Box::new(|_| {}));
    let begun = Instant::now();
    let mut told = begun;
    let done = generate::run(&plan, &mut |d| {
        // Not more than a line in ten seconds.
        if told.elapsed() >= Duration::from_secs(10) {
            told = Instant::now();
            let seconds = begun.elapsed().as_secs();
            let (n, all, failures) = (d.programs, args.count, d.failures);
            io.write_remark(&format!("{seconds} s: {n} of {all} programs, {failures} failures"));
        }
    });
    drop(std::panic::take_hook());
    let done = done.map_err(Failure::Wrong)?;
    for f in &done.faults {
        let seeds: Vec<String> = f.seeds.iter().take(8).map(u64::to_string).collect();
        let more = f.count.saturating_sub(seeds.len() as u64);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        io.write_line(&format!("{}\nof seed {}{more}\n\n{}", f.what, seeds.join(", "), f.text))?;
    }
    io.write_line(&format!(
        "{} programs, {} without errors, {} refused for what they read of hidden things, {} laws held, {} states, {} comparisons, {} unsupported, {} failures",
        done.programs, done.checked, done.refused, done.held, done.states, done.cases, done.unsupported, done.failures
    ))?;
    Ok(if done.faults.is_empty() { Exit::Fine } else { Exit::Findings })
}

/// Where rules are that are changed.
const RULES: [&str; 2] = ["tests/corpus/rules", "tests/suite"];

/// Where saves are that are changed; a save that is called after a game is one of it.
const SAVES: &str = "tests/corpus/saves";

/// The games that saves of the corpus are called after, in order.
fn list_saved_games() -> Result<Vec<String>, Failure> {
    let unreadable = |e: std::io::Error| Failure::Unreadable(format!("cannot read {SAVES}: {e}"));
    let files = Store::Disk.walk_folder(Path::new(SAVES), &["save", "campaign"]).map_err(unreadable)?;
    let stems = files.iter().filter_map(|f| f.file_stem()?.to_str().map(String::from));
    Ok(stems.filter(|name| load::find_game(name).is_ok()).collect())
}

fn load_shipped(name: &str) -> Result<Game, Failure> {
    let bundle = load::find_game(name)?.load_bundle()?;
    Game::load(&bundle.files).map_err(|_| Failure::Wrong(format!("{name} has errors")))
}

/// Changed texts of a corpus.
fn fuzz_texts(
    args: &TextsArgs,
    folders: &[&str],
    target: fuzz::Target<'_>,
    io: &mut Io,
) -> Result<Exit, Failure> {
    let folders =
        args.corpus.clone().map_or_else(|| folders.iter().map(PathBuf::from).collect(), |f| vec![f]);
    let mut corpus = Vec::new();
    for folder in folders {
        corpus.extend(read_texts(&folder)?);
    }
    if args.print {
        for seed in args.seed..args.seed.saturating_add(args.count) {
            io.write_line(&format!("# number {seed}\n{}", fuzz::make_text(seed, &corpus)))?;
        }
        return Ok(Exit::Fine);
    }
    let plan = fuzz::FuzzPlan { seed: args.seed, count: args.count, tries: args.tries };
    // A panic is a finding here; it is told with its text, not as it happens.
    std::panic::set_hook(Box::new(|_| {}));
    let guard = Guard::start_guard(Duration::from_secs(args.seconds));
    let guarded = |text: &str| guard.run_guarded(|| target(text));
    let faults = fuzz::run(plan, &corpus, &guarded, &mut |seed| guard.seed.store(seed, Ordering::Relaxed));
    drop(guard);
    drop(std::panic::take_hook());
    for f in &faults {
        io.write_line(&format!("{}\nof number {}\n\n{}\n", f.what, f.seed, f.text))?;
    }
    io.write_line(&format!("{} texts, {} failures", args.count, faults.len()))?;
    Ok(if faults.is_empty() { Exit::Fine } else { Exit::Findings })
}

/// All texts of a folder, in order.
fn read_texts(folder: &Path) -> Result<Vec<String>, Failure> {
    let unreadable =
        |e: std::io::Error| Failure::Unreadable(format!("cannot read {}: {e}", folder.display()));
    let files = Store::Disk
        .walk_folder(folder, &["rules", "save", "campaign", "rhai", "jsonl"])
        .map_err(unreadable)?;
    let bytes =
        files.iter().map(|f| Store::Disk.read(f)).collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    Ok(bytes.iter().map(|b| String::from_utf8_lossy(b).into_owned()).collect())
}

/// A conversation: every line of the answer is an object of JSON, and there is one for each line that is asked.
fn check_conversation(game: &str, lines: &str) -> Result<(), String> {
    // A conversation can write files; here it does not.
    if lines.contains("save") || lines.contains("\\u") {
        return Ok(());
    }
    let sink = Sink::default();
    let mut io = Io::in_memory(lines, Box::new(sink.clone()), Box::new(Sink::default()));
    let exit = super::run(["houserule", "play", game, "--json"].map(Into::into), &mut io);
    let bytes = sink.0.lock().map(|b| b.clone()).unwrap_or_default();
    let said = String::from_utf8(bytes).map_err(|_| String::from("the answers are no text"))?;
    for line in said.lines() {
        match serde_json::from_str(line) {
            Ok(serde_json::Value::Object(_)) => {}
            _ => return Err(format!("this answer is no object: {line}")),
        }
    }
    if exit == Exit::Fine { Ok(()) } else { Err(format!("the conversation ended with {exit:?}")) }
}

/// A stream that can be read afterwards.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if let Ok(mut all) = self.0.lock() {
            all.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// How many pages of memory the process may hold: 2 GiB.
const PAGES: u64 = 1 << 19;

/// Ends the process, with the number of the text, if one takes too long or too much memory: nothing else can stop it.
struct Guard {
    seed: Arc<AtomicU64>,
    begun: Arc<Mutex<Option<Instant>>>,
    done: Arc<AtomicBool>,
}

impl Guard {
    fn start_guard(most: Duration) -> Guard {
        let guard = Guard { seed: Arc::default(), begun: Arc::default(), done: Arc::default() };
        let (seed, begun, done) = (guard.seed.clone(), guard.begun.clone(), guard.done.clone());
        std::thread::spawn(move || {
            while !done.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(100));
                let late = begun.lock().is_ok_and(|b| b.is_some_and(|b| b.elapsed() > most));
                let large = read_resident_pages().is_some_and(|n| n > PAGES);
                if late || large {
                    let why = if late { "takes too long" } else { "takes more than 2 GiB" };
                    let text = format!("the text of number {} {why}\n", seed.load(Ordering::Relaxed));
                    std::io::stdout().write_all(text.as_bytes()).ok();
                    std::process::exit(i32::from(Exit::Findings.code()));
                }
            }
        });
        guard
    }

    fn run_guarded<T>(&self, run: impl FnOnce() -> T) -> T {
        self.set_deadline(Some(Instant::now()));
        let out = run();
        self.set_deadline(None);
        out
    }

    fn set_deadline(&self, at: Option<Instant>) {
        if let Ok(mut begun) = self.begun.lock() {
            *begun = at;
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}

/// How many pages of memory the process holds, where the system says so.
fn read_resident_pages() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split_whitespace().nth(1)?.parse().ok()
}
