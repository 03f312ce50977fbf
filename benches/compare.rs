//! Two files that benchmarks have written, side by side: `cargo bench --bench compare -- OLD.json NEW.json`.
//!
//! For each side of each game that both files know, how many times as fast it is in the new one. Where the game was also written by hand, what counts is the ratio of the
//! engine to that, taken round by round: it is what machines and their load change least. Intervals are of 95 %, by Student's and Welch's rule on logarithms (Welch, B. L., 1947: The
//! generalization of "Student's" problem when several different population variances are involved); a change is called one only if its interval leaves 1 out.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable, clippy::todo)] // A benchmark ends by a panic.
#[allow(dead_code)] // Writing is for what measures.
#[path = "shared/report.rs"]
mod report;

use report::{Facts, Line, Report};
use std::path::Path;
use std::process::ExitCode;

/// A mean of logarithms, the variance of that mean, and its degrees of freedom.
#[derive(Clone, Copy, Debug)]
struct Mean {
    at: f64,
    variance: f64,
    freedom: f64,
}

impl Mean {
    fn of(values: &[f64]) -> Option<Mean> {
        let n = values.len() as f64;
        if values.len() < 2 || values.iter().any(|v| !v.is_finite()) {
            return None;
        }
        let at = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|v| (v - at) * (v - at)).sum();
        Some(Mean { at, variance: squares / (n - 1.0) / n, freedom: n - 1.0 })
    }

    /// How much more than another, with Welch's degrees of freedom.
    fn less(self, other: Mean) -> Mean {
        let variance = self.variance + other.variance;
        let parts =
            self.variance * self.variance / self.freedom + other.variance * other.variance / other.freedom;
        let freedom = if parts > 0.0 { variance * variance / parts } else { self.freedom + other.freedom };
        Mean { at: self.at - other.at, variance, freedom }
    }

    /// As a factor: least, middle, most.
    fn factors(self) -> [f64; 3] {
        let reach = quantile(self.freedom) * self.variance.sqrt();
        [(self.at - reach).exp(), self.at.exp(), (self.at + reach).exp()]
    }
}

/// Student's two-sided 95 % quantile. Between the tabled degrees of freedom the lower one counts, which makes intervals a little wider.
fn quantile(freedom: f64) -> f64 {
    const TABLE: [(f64, f64); 16] = [
        (1.0, 12.706),
        (2.0, 4.303),
        (3.0, 3.182),
        (4.0, 2.776),
        (5.0, 2.571),
        (6.0, 2.447),
        (7.0, 2.365),
        (8.0, 2.306),
        (9.0, 2.262),
        (10.0, 2.228),
        (12.0, 2.179),
        (15.0, 2.131),
        (20.0, 2.086),
        (30.0, 2.042),
        (60.0, 2.000),
        (120.0, 1.980),
    ];
    TABLE.iter().rev().find(|(n, _)| *n <= freedom + 1e-9).map_or(TABLE[0].1, |(_, q)| *q)
}

fn logs(rates: &[f64]) -> Vec<f64> {
    rates.iter().map(|r| r.ln()).collect()
}

/// The engine's speed as a share of the first side by hand of the same game, round by round.
fn against_hand(report: &Report, line: &Line) -> Option<(String, Mean)> {
    let hand = report.lines.iter().find(|l| l.game == line.game && l.kind != "engine")?;
    let both: Vec<f64> = line.rates.iter().zip(&hand.rates).map(|(a, b)| (a / b).ln()).collect();
    Some((hand.kind.clone(), Mean::of(&both)?))
}

fn verdict(f: [f64; 3]) -> &'static str {
    if f[0] > 1.0 {
        "faster"
    } else if f[2] < 1.0 {
        "slower"
    } else {
        "no change seen"
    }
}

fn tell(name: &str, of: &Facts) {
    println!(
        "{name}: {} on {} ({} processors), {}, {}, load {:.1}",
        of.commit, of.processor, of.processors, of.system, of.compiler, of.load
    );
}

fn compare(old: &Report, new: &Report) -> String {
    use std::fmt::Write;
    let mut out = String::new();
    for line in &new.lines {
        let Some(before) = old.lines.iter().find(|l| l.game == line.game && l.kind == line.kind) else {
            let _ = writeln!(out, "{:<22} {:<10} only in the new file", line.game, line.kind);
            continue;
        };
        if let (Some(a), Some(b)) = (Mean::of(&logs(&before.rates)), Mean::of(&logs(&line.rates))) {
            let f = b.less(a).factors();
            let _ = writeln!(
                out,
                "{:<22} {:<10} {:>6.3} times as fast ({:.3} to {:.3}): {}",
                line.game,
                line.kind,
                f[1],
                f[0],
                f[2],
                verdict(f)
            );
        } else {
            let _ = writeln!(out, "{:<22} {:<10} too few rounds", line.game, line.kind);
        }
        if line.kind == "engine"
            && let (Some((hand, a)), Some((_, b))) = (against_hand(old, before), against_hand(new, line))
        {
            let f = b.less(a).factors();
            let _ = writeln!(
                out,
                "{:<22} {:<10} {:>6.3} times as fast ({:.3} to {:.3}): {}; {hand} {:.2}, now {:.2} times as fast as the engine",
                "",
                "by hand",
                f[1],
                f[0],
                f[2],
                verdict(f),
                (-a.at).exp(),
                (-b.at).exp()
            );
        }
        if before.bytes != line.bytes {
            let _ =
                writeln!(out, "{:<22} {:<10} a state: {} bytes, now {}", "", "", before.bytes, line.bytes);
        }
    }
    let gone = old.lines.iter().filter(|l| !new.lines.iter().any(|n| n.game == l.game && n.kind == l.kind));
    let gone: Vec<String> = gone.map(|l| format!("{} ({})", l.game, l.kind)).collect();
    if !gone.is_empty() {
        let _ = writeln!(out, "only in the old file: {}", gone.join(", "));
    }
    out
}

/// The rules of this file, tried on made-up rates, before real ones are judged by them.
fn try_out() {
    let line = |kind: &str, rates: &[f64]| Line {
        game: "g".into(),
        kind: kind.into(),
        rates: rates.into(),
        games: 1,
        length: 1.0,
        error: 0.0,
        bytes: 0,
    };
    let report = |lines: Vec<Line>| Report { lines, ..Report::new("made up") };
    let a = report(vec![line("arrays", &[100.0, 110.0, 90.0]), line("engine", &[50.0, 55.0, 45.0])]);
    // The machine is twice as slow, unevenly; the engine is half again as fast as it was.
    let b = report(vec![line("arrays", &[50.0, 25.0, 80.0]), line("engine", &[37.5, 18.75, 60.0])]);
    let said = compare(&a, &b);
    assert!(said.contains("1.500 times as fast (1.500 to 1.500): faster"), "{said}");
    assert!(said.contains("no change seen"), "{said}");
    let f = Mean::of(&[0.0, 0.2]).expect("two values").factors();
    // A mean of 0.1 with a standard error of 0.1, times 12.706.
    assert!((f[2].ln() - 1.3706).abs() < 1e-6 && (f[0].ln() + 1.1706).abs() < 1e-6, "{f:?}");
}

fn main() -> ExitCode {
    try_out();
    let paths: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let [old, new] = paths.as_slice() else {
        // All benchmarks run without arguments, too.
        println!(
            "cargo bench --bench compare -- OLD.json NEW.json; other benchmarks write such files with --out FILE"
        );
        return ExitCode::SUCCESS;
    };
    match (Report::read(Path::new(old)), Report::read(Path::new(new))) {
        (Ok(a), Ok(b)) => {
            tell("old", &a.machine);
            tell("new", &b.machine);
            print!("{}", compare(&a, &b));
            ExitCode::SUCCESS
        }
        (a, b) => {
            for e in [a.err(), b.err()].into_iter().flatten() {
                eprintln!("{e}");
            }
            ExitCode::from(3)
        }
    }
}
