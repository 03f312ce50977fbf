//! What happened in a match, line by line, as one seat may read it.
use houserule_engine::{Event, EventKind, Part};
use houserule_program::ir::Program;
use houserule_text::Span;

/// An event of a match, and after how many choices it came.
#[derive(Clone, Debug)]
pub(super) struct Logged {
    pub step: usize,
    pub event: Event,
}

/// What the last choice named, as a seat may read it.
#[derive(Default)]
struct Chosen {
    step: usize,
    things: Vec<String>,
}

impl Chosen {
    /// Notes what a choice names; of a move, whether the choice of the same step says it: it names what moves, or where its player goes.
    fn tells(&mut self, line: &Logged, seat: Option<usize>) -> bool {
        let read = |part: &Part| part.read_by(seat).map(String::from);
        match line.event.kind {
            EventKind::Acted(_) | EventKind::Answered => {
                let parts = line.event.parts.iter().filter_map(read);
                let things = parts.flat_map(|text| text.split(", ").map(String::from).collect::<Vec<_>>());
                *self = Chosen { step: line.step, things: things.collect() };
                false
            }
            EventKind::Moved if line.step == self.step => {
                // A component goes a way that is told in one piece; a player goes to a place.
                let thing = match line.event.parts.as_slice() {
                    [who, _way] => read(who),
                    parts => parts.last().and_then(read),
                };
                thing.is_some_and(|thing| self.things.contains(&thing))
            }
            _ => false,
        }
    }
}

/// A line of the log as somebody may read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// After how many choices.
    pub step: usize,
    /// What sort of event.
    pub kind: EventKind,
    /// The player who acted, if one did.
    pub player: Option<usize>,
    /// In the game's words.
    pub text: String,
    /// The rule that caused it: `action place`.
    pub rule: String,
    /// Where in it.
    pub span: Span,
    /// Whether the line of what the player chose says it already: something moves that is named there. Or it is not at the table: something in the box is turned.
    pub told: bool,
}

impl LogLine {
    /// Whether it tells what happened at the table: no attribute that the drawing shows, nothing that the choice before it says already, and nothing that is only set out at
    /// the beginning.
    pub fn is_news(&self) -> bool {
        match self.kind {
            EventKind::Changed | EventKind::LayerEnded => false,
            EventKind::Moved | EventKind::Turned(_) if self.told => false,
            EventKind::Moved | EventKind::Shuffled | EventKind::Turned(_) => self.step != 0,
            _ => true,
        }
    }
}

/// The lines of a log as a seat may read them; without a seat, all of them.
pub(super) fn read_lines(p: &Program, seat: Option<usize>, log: &[Logged]) -> Vec<LogLine> {
    let mut chosen = Chosen::default();
    log.iter()
        .filter_map(|l| {
            let text = l.event.text(seat)?;
            let told = chosen.tells(l, seat) || is_in_the_box(p, &l.event.kind);
            let rule = p.decls.get(l.event.decl.index()).map(|d| format!("{} {}", d.what, d.name));
            Some(LogLine {
                step: l.step,
                kind: l.event.kind.clone(),
                player: l.event.player.map(usize::from),
                text,
                rule: rule.unwrap_or_default(),
                span: l.event.span,
                told,
            })
        })
        .filter(|l| !l.text.is_empty())
        .collect()
}

/// Whether something was turned that lies in the box.
fn is_in_the_box(p: &Program, kind: &EventKind) -> bool {
    let EventKind::Turned(Some(place)) = kind else { return false };
    p.places.get(*place).is_some_and(|place| place.zone == u16::MAX)
}
