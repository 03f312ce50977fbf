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
    let mut last = f.span;
    for frame in &f.frames {
        if frame.span != last && frame.span != Span::default() {
            d = d.also(frame.span, format!("in {} `{}`", what(frame), frame.name));
            last = frame.span;
        }
    }
    match f.kind {
        FaultKind::BadProgram(_) => d.help("this is a defect in the engine, not in the rules"),
        FaultKind::Outside { lo, hi, .. } => d.help(keep_within(lo, hi)),
        _ => d,
    }
}

/// How a number keeps within the range of a parameter, a result or the cost of a space.
fn keep_within(lo: i32, hi: i32) -> String {
    // The cost of a space has no declaration that could be made wider.
    let of_space = if (lo, hi) == (1, 16) { "; the `cost:` of a space is always 1 to 16" } else { "" };
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
