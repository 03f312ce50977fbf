//! Rule errors as findings.
use super::codes;
use houserule_engine::{Fault, FaultKind, Frame};
use houserule_program::ir::Program;
use houserule_text::{Diagnostic, Report, Span};

/// That a set-up does not meet a condition, with the condition's reason, if it has one.
pub fn unmet_finding(condition: Span, reason: String) -> Diagnostic {
    let reason = Some(reason).filter(|t| !t.is_empty());
    let message = reason.unwrap_or_else(|| String::from("the rules do not allow this set-up"));
    Diagnostic::error(codes::NEEDS, condition, message).label("this condition is not met")
}

/// A rule error as a finding, with the rules' own stack.
pub fn fault_finding(f: &Fault, p: &Program) -> Diagnostic {
    let what = |frame: &Frame| p.decls.get(frame.decl.index()).map_or("rule", |x| x.what);
    if let (FaultKind::Rule(reason), Some("setup")) = (&f.kind, f.frames.first().map(what)) {
        return unmet_finding(f.span, reason.clone());
    }
    let mut d = Diagnostic::error(codes::RULE_FAULT, f.span, f.message(p)).label("this rule was running");
    for call in fold_cycles(&list_calls(f)) {
        let times = if call.times > 1 { format!(", {} times", call.times) } else { String::new() };
        d = d.also(call.frame.span, format!("in {} `{}`{times}", what(call.frame), call.frame.name));
    }
    if matches!(f.kind, FaultKind::OutOfBudget)
        && let Some(repeat) = find_loop(f, p)
    {
        let d = d.also(repeat, "this `repeat` goes round without an end");
        return d.help("let what it does make the condition behind `until` true, or leave it by `stop`");
    }
    match f.kind {
        FaultKind::BadProgram(_) => d.help("this is a defect in the engine, not in the rules"),
        FaultKind::Outside { lo, hi, .. } => d.help(keep_within(lo, hi)),
        _ => d,
    }
}

/// The `repeat` in which the innermost call ran that has one.
fn find_loop(f: &Fault, p: &Program) -> Option<Span> {
    let holds = |all: &Span, at: Span| all.to(at) == *all && all.file == at.file;
    let around = |at: Span| p.loops.iter().filter(move |l| holds(l, at)).min_by_key(|l| l.range().len());
    let found = f.frames.iter().find_map(|frame| around(frame.span))?;
    // Its first line may be far above: the word `repeat` is shown.
    let word = found.start.saturating_add("repeat".len() as u32);
    Some(Span { end: word.min(found.end), ..*found })
}

/// A call of the stack of a fault, and how many calls of the same cycle follow one another.
struct Call<'f> {
    frame: &'f Frame,
    times: usize,
}

/// The calls that are told, innermost first: without those whose place has just been told.
fn list_calls(f: &Fault) -> Vec<&Frame> {
    let mut last = f.span;
    let mut out = Vec::new();
    for frame in f.frames.iter().filter(|frame| frame.span != Span::default()) {
        if frame.span != last {
            out.push(frame);
            last = frame.span;
        }
    }
    out
}

/// Folds rules that call each other again and again: each of the cycle is told once, with how often.
fn fold_cycles<'f>(calls: &[&'f Frame]) -> Vec<Call<'f>> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(first) = calls.get(at) {
        let rest = calls.get(at..).unwrap_or_default();
        let is_same = |(a, b): (&&Frame, &&Frame)| a.span == b.span && a.decl == b.decl;
        // The shortest cycle: as many calls as lie between two of the same place.
        let length = rest.iter().skip(1).position(|c| is_same((c, first))).map_or(1, |n| n + 1);
        let again = rest.iter().zip(rest.iter().skip(length)).take_while(|(a, b)| is_same((*a, *b))).count();
        let times = 1 + again / length;
        let cycle = if times > MOST_TOLD { length } else { 1 };
        let times = if times > MOST_TOLD { times } else { 1 };
        out.extend(rest.iter().take(cycle).map(|frame| Call { frame, times }));
        at += cycle * times;
    }
    out
}

/// How often a cycle of calls may go round and be told call by call.
const MOST_TOLD: usize = 2;

/// How a number keeps within the range of a parameter, a result or the cost of a space.
fn keep_within(lo: i32, hi: i32) -> String {
    // The cost of a space has no declaration that could be made wider.
    let of_space = if (lo, hi) == (1, 16) {
        "; the `cost:` of a space is always 1 to 16, and `through: …` leaves spaces out"
    } else {
        ""
    };
    let keep = "make the range wider where the parameter or result is declared, or keep the number within it";
    format!("{keep}: `max([{lo}, …])`, `min([{hi}, …])`{of_space}")
}

/// A rule error as a finding without what some seat may not know: the numbers, and which rules were running.
pub fn discreet_finding(f: &Fault) -> Diagnostic {
    let more = "to see more, play alone with `--seed`, or use `test`, `sim` or the editor";
    Diagnostic::error(codes::RULE_FAULT, f.span, f.kind.discreet()).label("this rule was running").help(more)
}

/// A rule error as a report.
pub fn fault_report(f: &Fault, p: &Program) -> Report {
    Report { findings: vec![fault_finding(f, p)] }
}
