//! `fuzz shapes`: checks and formats rules of extreme shapes in a process with limited time and memory.
use super::args::ShapesArgs;
use super::io::{Exit, Failure, Io};
use houserule_lab::fuzz::{LIMITS, SHAPES, Shape, make_files};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How much processor time a shape may take.
const SECONDS: f64 = 2.0;
/// How many bytes of memory.
const MEMORY: u64 = 500_000_000;
/// When a process is ended that does not end by itself: so many seconds of processor time, or so long by the clock.
const MOST_SECONDS: f64 = 10.0;
const PATIENCE: Duration = Duration::from_secs(600);

/// The time and memory that a process used, and how it ended.
struct ProcessUsage {
    seconds: f64,
    memory: u64,
    ended: bool,
    code: Option<i32>,
    /// The codes of the errors that it told.
    said: Vec<String>,
}

/// Runs the command.
pub fn run(args: &ShapesArgs, io: &mut Io) -> Result<Exit, Failure> {
    let wanted = |name: &str| args.names.is_empty() || args.names.iter().any(|n| n == name);
    let unwritable = |e: std::io::Error| Failure::Unreadable(format!("cannot write a shape: {e}"));
    let (mut tried, mut bad) = (0, 0);
    let shapes = SHAPES.iter().map(|s| (s.name, Some(s))).chain([("many-files", None)]);
    for (name, shape) in shapes.filter(|(name, _)| wanted(name)) {
        let files = match shape {
            Some(shape) => vec![(String::from("g.rules"), shape.make_text(args.bytes))],
            None => make_files(args.bytes),
        };
        if args.print {
            for (name, text) in files {
                io.write_line(&format!("# {name}\n{text}"))?;
            }
            continue;
        }
        let folder = tempfile::tempdir().map_err(unwritable)?;
        for (name, text) in &files {
            std::fs::write(folder.path().join(name), text).map_err(unwritable)?;
        }
        let check = run_check(&["check"], folder.path())?;
        let fmt = run_check(&["fmt", "--check"], folder.path())?;
        let may_have =
            |code: &str| shape.map_or(LIMITS.contains(&code), |shape: &Shape| shape.may_have(code));
        let wrong = [&check, &fmt].into_iter().find_map(|taken| find_fault(taken, &may_have));
        tried += 1;
        bad += usize::from(wrong.is_some());
        let mut said = check.said.clone();
        said.extend(wrong);
        io.write_line(&format!(
            "{name:<30} check {:>6.2} s {:>5} MB   fmt {:>6.2} s {:>5} MB   {}",
            check.seconds,
            check.memory / 1_000_000,
            fmt.seconds,
            fmt.memory / 1_000_000,
            said.join(", ")
        ))?;
        io.flush_output()?;
    }
    if !args.print {
        io.write_line(&format!("{tried} shapes of {} bytes, {bad} failures", args.bytes))?;
    }
    Ok(if bad == 0 { Exit::Fine } else { Exit::Findings })
}

/// What is wrong with how a shape was taken.
fn find_fault(taken: &ProcessUsage, may_have: &dyn Fn(&str) -> bool) -> Option<String> {
    if !taken.ended {
        return Some(String::from("DOES NOT END"));
    }
    if !matches!(taken.code, Some(0 | 1)) {
        return Some(format!("FAILS ({:?})", taken.code));
    }
    if taken.seconds > SECONDS {
        return Some(String::from("TAKES TOO LONG"));
    }
    if taken.memory > MEMORY {
        return Some(String::from("TAKES TOO MUCH MEMORY"));
    }
    let other = taken.said.iter().find(|c| !may_have(c))?;
    Some(format!("{other} IS NOT EXPECTED"))
}

/// Runs this program on a folder.
fn run_check(words: &[&str], folder: &Path) -> Result<ProcessUsage, Failure> {
    let failed = |e: std::io::Error| Failure::Unreadable(format!("cannot run a shape: {e}"));
    let mut child = Command::new(std::env::current_exe().map_err(failed)?)
        .args(words)
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    // Both streams are read to their ends meanwhile, so that the process never waits for a reader.
    let mut streams: Vec<Box<dyn Read + Send>> = Vec::new();
    streams.extend(child.stdout.take().map(|s| Box::new(s) as Box<dyn Read + Send>));
    streams.extend(child.stderr.take().map(|s| Box::new(s) as Box<dyn Read + Send>));
    let readers: Vec<_> = streams
        .into_iter()
        .map(|mut s| {
            std::thread::spawn(move || {
                let mut text = Vec::new();
                s.read_to_end(&mut text).ok();
                String::from_utf8_lossy(&text).into_owned()
            })
        })
        .collect();
    let mut taken = watch_process(&mut child).map_err(failed)?;
    let said: String = readers.into_iter().filter_map(|r| r.join().ok()).collect();
    taken.said = find_codes(&said);
    Ok(taken)
}

/// Waits for a process and looks at what it takes. A process that has ended keeps its times until it is waited for.
fn watch_process(child: &mut Child) -> std::io::Result<ProcessUsage> {
    let begun = Instant::now();
    let proc = format!("/proc/{}", child.id());
    let mut taken = ProcessUsage { seconds: 0.0, memory: 0, ended: true, code: None, said: Vec::new() };
    loop {
        let Some((state, seconds)) =
            std::fs::read_to_string(format!("{proc}/stat")).ok().and_then(parse_times)
        else {
            // A system without such files: only the time by the clock is known.
            taken.code = child.wait()?.code();
            taken.seconds = begun.elapsed().as_secs_f64();
            return Ok(taken);
        };
        taken.seconds = seconds;
        let peak = std::fs::read_to_string(format!("{proc}/status")).ok().and_then(|s| parse_peak(&s));
        taken.memory = taken.memory.max(peak.unwrap_or(0));
        if state == 'Z' {
            taken.code = child.wait()?.code();
            return Ok(taken);
        }
        if taken.seconds > MOST_SECONDS || begun.elapsed() > PATIENCE || taken.memory > 4 * MEMORY {
            child.kill()?;
            child.wait()?;
            taken.ended = false;
            return Ok(taken);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The state of a process and its processor time in seconds, of the system's line about it.
fn parse_times(stat: String) -> Option<(char, f64)> {
    // The name, in round brackets, may hold anything.
    let mut words = stat.get(stat.rfind(')')? + 1..)?.split_whitespace();
    let state = words.next()?.chars().next()?;
    let own: f64 = words.nth(10)?.parse().ok()?;
    let system: f64 = words.next()?.parse().ok()?;
    Some((state, (own + system) / 100.0))
}

/// The most memory that a process held.
fn parse_peak(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

/// The codes of errors that stand at the beginnings of lines, each once.
fn find_codes(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for line in text.lines() {
        let word = line.trim_start();
        let is_code = word.len() >= 5
            && word.starts_with('E')
            && word.bytes().skip(1).take(4).all(|b| b.is_ascii_digit());
        if let Some(code) = word.get(..5).filter(|_| is_code)
            && !out.iter().any(|c| c == code)
        {
            out.push(String::from(code));
        }
    }
    out
}
