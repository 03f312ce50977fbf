//! Breakpoints as people write them: a name, a line, and perhaps a condition.
use crate::io::Failure;
use crate::report;
use crate::setup::Loaded;
use houserule_lab::debugger::Debugger;
use houserule_model::suggest::closest;
use houserule_text::Span;
use std::collections::BTreeSet;

/// Where a game is stopped.
pub struct Breakpoint {
    /// As it is told.
    pub said: String,
    /// The statements.
    pub places: BTreeSet<Span>,
    /// A value, whether it must be equal, and to what.
    pub condition: Option<(String, bool, String)>,
}

/// Reads `PLACE` or `PLACE if VALUE`.
///
/// # Errors
/// There is no such place.
pub fn read_break(loaded: &Loaded, text: &str) -> Result<Breakpoint, Failure> {
    let (place, condition) = match text.split_once(" if ") {
        Some((place, condition)) => (place.trim(), Some(read_condition(condition))),
        None => (text.trim(), None),
    };
    let statements = Debugger::list_statements(&loaded.game);
    let (file, line) = place.rsplit_once(':').map_or(("", place), |(file, line)| (file, line));
    let places = match line.parse::<u32>() {
        Ok(line) => find_line(loaded, &statements, file, line)?,
        Err(_) => find_named(loaded, &statements, place)?,
    };
    let first = places.first().copied().unwrap_or_default();
    let told = report::place_text(&loaded.bundle, loaded.game.files(), first);
    let said = match &condition {
        Some(_) => format!("{told} ({text})"),
        None => told,
    };
    Ok(Breakpoint { said, places, condition })
}

/// `VALUE`, `VALUE == WORDS`, `VALUE != WORDS`.
fn read_condition(text: &str) -> (String, bool, String) {
    for (sign, equal) in [("==", true), ("!=", false)] {
        if let Some((value, wanted)) = text.split_once(sign) {
            return (value.trim().to_string(), equal, wanted.trim().to_string());
        }
    }
    (text.trim().to_string(), true, String::from("yes"))
}

/// The statements that begin on a line; where none does, on the next line with one in the ten below.
fn find_line(
    loaded: &Loaded,
    statements: &BTreeSet<Span>,
    file: &str,
    line: u32,
) -> Result<BTreeSet<Span>, Failure> {
    let files = loaded.game.files();
    let lines = statements.iter().filter_map(|s| {
        let f = files.get(s.file).filter(|f| f.name.ends_with(file))?;
        let at = f.line_col(s.start as usize).line as u32;
        (at >= line && at < line.saturating_add(10)).then_some((at, *s))
    });
    let lines: Vec<(u32, Span)> = lines.collect();
    let nearest = lines.iter().map(|(at, _)| *at).min();
    let found: BTreeSet<Span> =
        lines.iter().filter(|(at, _)| Some(*at) == nearest).map(|(_, s)| *s).collect();
    if found.is_empty() {
        return Err(Failure::Usage(format!(
            "no statement stands at line {line}; write FILE:LINE, or a name"
        )));
    }
    Ok(found)
}

/// The first statements of what is called so.
fn find_named(loaded: &Loaded, statements: &BTreeSet<Span>, name: &str) -> Result<BTreeSet<Span>, Failure> {
    let model = loaded.game.model();
    let rules = model.rules.iter().filter(|r| &*r.name == name).filter_map(|r| r.body.body.as_ref());
    let actions = model.actions.iter().filter(|a| &*a.name == name).map(|a| &a.body);
    let fills = model.members.iter().flat_map(|m| &m.rule_fills);
    let fills = fills.filter(|(r, _)| model.rules.get(r.index()).is_some_and(|r| &*r.name == name));
    let setups = model.setups.iter().filter(|_| name == "setup").map(|(_, b)| &b.body);
    let rounds = model.round.iter().filter(|_| name == "round").map(|r| &r.body.body);
    let blocks = rules.chain(actions).chain(fills.map(|(_, b)| &b.body)).chain(setups).chain(rounds);
    let found: BTreeSet<Span> =
        blocks.filter_map(|b| b.iter().map(|s| s.span).find(|s| statements.contains(s))).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let names = model.rules.iter().map(|r| &*r.name).chain(model.actions.iter().map(|a| &*a.name));
    let hint = closest(name, names.chain(["setup", "round"]))
        .map_or(String::new(), |near| format!("; did you mean {near}?"));
    Err(Failure::Usage(format!("no rule, phase or action with statements is called `{name}`{hint}")))
}
