//! The log in words and the time line, as one seat may know them.
use super::session::Session;
use houserule::engine::EventKind;
use houserule::play::{LogLine, Match};
use houserule::text::Files;
use std::collections::BTreeMap;
use std::ops::Range;

/// A line of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogEntry {
    /// After how many choices.
    pub step: usize,
    /// The line, with the player who acted.
    pub text: String,
    /// Whether a round or phase begins with it.
    pub heading: bool,
    /// Whether it is only a change that the drawing shows anyway.
    pub detail: bool,
    /// Who acted.
    pub player: Option<usize>,
    /// The rule that caused it: `action place`.
    pub rule: String,
    /// Where that stands: file and bytes. None where it is in no file of the game.
    pub place: Option<(String, Range<usize>)>,
}

/// A place of the time line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tick {
    /// After so many choices.
    pub step: usize,
    /// Who chose, where the seat may know.
    pub player: Option<usize>,
    /// What was chosen, or what came of it, as the seat may know.
    pub what: String,
    /// What the place is called.
    pub mark: Option<String>,
    /// Whether play stands here.
    pub here: bool,
}

/// Whether a line says what a player chose.
fn is_act(kind: &EventKind) -> bool {
    matches!(kind, EventKind::Acted(_) | EventKind::Done | EventKind::Passed | EventKind::Answered)
}

/// The log up to where play stands, as a seat may know it.
pub fn list_log(m: &Match, files: &Files, seat: usize) -> Vec<LogEntry> {
    m.log(Some(seat)).iter().map(|l| to_entry(m, files, l)).collect()
}

fn to_entry(m: &Match, files: &Files, l: &LogLine) -> LogEntry {
    let text = match l.player {
        Some(p) if is_act(&l.kind) => format!("{}: {}", m.player_name(p), l.text),
        _ => l.text.clone(),
    };
    // A block that a match began in is in no file.
    let own = m.game().files().get(l.span.file).filter(|f| files.iter().any(|(_, g)| g.name == f.name));
    LogEntry {
        step: l.step,
        text,
        heading: matches!(l.kind, EventKind::Round(_) | EventKind::Phase(_)),
        detail: !l.is_news(),
        player: l.player.filter(|_| is_act(&l.kind)),
        rule: l.rule.clone(),
        place: own.filter(|_| !l.span.range().is_empty()).map(|f| (f.name.clone(), l.span.range())),
    }
}

/// The time line as a seat may know it: the beginning, its own choices, and every step that told it something. Of the others it learns nothing, not even that there were any.
pub fn list_ticks(session: &Session, seat: usize) -> Vec<Tick> {
    let m = session.the_match();
    let line = session.line();
    let mut lines: BTreeMap<usize, Vec<LogLine>> = BTreeMap::new();
    for l in m.log_of_line(Some(seat)) {
        lines.entry(l.step).or_default().push(l);
    }
    let mark = |step: usize| line.marks.iter().find(|k| k.step == step).map(|k| k.name.clone());
    let mut out = vec![Tick {
        step: 0,
        player: None,
        what: String::from("The beginning"),
        mark: mark(0),
        here: m.step() == 0,
    }];
    for (i, s) in m.steps().iter().enumerate() {
        let step = i + 1;
        let here = lines.get(&step).map_or(&[][..], |l| l);
        let acts: Vec<&LogLine> = here.iter().filter(|l| is_act(&l.kind)).collect();
        let own = s.seat == seat;
        let what = match acts.as_slice() {
            [] if own => s.words.clone(),
            [] => match here.first() {
                Some(first) => first.text.clone(),
                None if mark(step).is_some() || m.step() == step => String::from("…"),
                None => continue,
            },
            acts => acts.iter().map(|l| l.text.as_str()).collect::<Vec<_>>().join("; "),
        };
        let player = acts.first().and_then(|l| l.player).or(own.then_some(s.player));
        out.push(Tick { step, player, what, mark: mark(step), here: m.step() == step });
    }
    out
}
