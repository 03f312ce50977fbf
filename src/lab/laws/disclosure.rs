//! Decides which log lines may differ between two worlds that differ only in secrets: a line that discloses something by itself may differ, another only where
//! the view does.
//!
//! ```text
//! The six: hand → pile          the seat looks into the pile: a disclosure
//! The six is shown to Ann       a disclosure to Ann's seat; whoever else is told of it learns no more
//! Ann: coins = 2                an attribute that all see: a disclosure
//! lay The six                   none: it may name the card only where one of the lines above does, or where the seat sees the card now
//! Ann: 4                        a number, or a die that lies where the seat looks: a disclosure
//! ```
use houserule_engine::{Event, EventKind, in_mask};
use houserule_program::ir::{AttrSlot, Place, Program, SeenBy, UniverseId, UniverseSort};
use houserule_text::Span;

/// How two logs of a step differ: in which line, at which place of the rules.
pub(super) enum Differ {
    /// A line in which they differ discloses something.
    Disclosed(ToldLine),
    /// Nothing in them discloses anything, and a line differs that is no choice: an attribute changed, something was turned, moved or shuffled.
    Changed(ToldLine),
    /// Only lines of choices differ.
    Chosen(ToldLine),
}

/// A line of the log that a seat is told.
#[derive(Clone, PartialEq)]
pub(super) struct ToldLine {
    /// What it is about.
    pub kind: EventKind,
    /// Where it differs: the line, or both lines.
    pub text: String,
    /// The rule that wrote it.
    pub span: Span,
}

impl ToldLine {
    /// An event as a seat is told it.
    pub fn from_event(e: &Event, seat: usize) -> Option<ToldLine> {
        Some(ToldLine { kind: e.kind.clone(), text: e.text(Some(seat))?, span: e.span })
    }
}

/// How two logs of a step differ for a seat, which is told different lines. Where chance was another (`chance`), too, what it changed in the open may be told.
pub(super) fn compare_logs(p: &Program, all: &[Event], b: &[Event], seat: usize, chance: bool) -> Differ {
    let read = |log: &[Event]| -> Vec<ToldLine> {
        log.iter().filter_map(|e| ToldLine::from_event(e, seat)).collect()
    };
    let (a, b) = (read(all), read(b));
    let same = a.iter().zip(&b).take_while(|(x, y)| x.text == y.text).count();
    // Behind a shuffle that the seat sees, chance has told which card lies where.
    let told = all.iter().filter(|e| e.text(Some(seat)).is_some()).take(same);
    if let Some(shuffle) = find_open_shuffle(p, told, seat) {
        return Differ::Disclosed(shuffle);
    }
    let (a, b) = (a.get(same..).unwrap_or(&[]), b.get(same..).unwrap_or(&[]));
    let alone = |x: &&ToldLine, other: &[ToldLine]| other.iter().all(|y| y.text != x.text);
    let own: Vec<_> = a.iter().filter(|x| alone(x, b)).chain(b.iter().filter(|x| alone(x, a))).collect();
    // Where the same lines come in another order, all of them count.
    let own = if own.is_empty() { a.iter().chain(b).collect() } else { own };
    // The first differing lines count even if the other world has the same line later.
    let firsts = a.first().into_iter().chain(b.first());
    let disclosing = own.iter().copied().chain(firsts).find(|line| {
        // What rules write where all may read is open from then on, whatever they worked it out from.
        let in_the_open = chance || matches!(line.kind, EventKind::Changed);
        is_disclosing(p, &line.kind, &line.text, seat)
            || in_the_open && is_open_change(p, &line.kind, &line.text)
            || is_turned_again(&line.kind, &line.text, [a, b])
    });
    if let Some(line) = disclosing {
        return Differ::Disclosed(line.clone());
    }
    let words = |x: Option<&ToldLine>| x.map_or("nothing", |x| x.text.as_str()).to_string();
    let first = a.first().or_else(|| b.first());
    let line = ToldLine {
        kind: first.map_or(EventKind::Said, |x| x.kind.clone()),
        text: format!("“{}” against “{}”", words(a.first()), words(b.first())),
        span: first.map(|x| x.span).unwrap_or_default(),
    };
    let chosen = |k: &EventKind| {
        matches!(k, EventKind::Acted(_) | EventKind::Answered | EventKind::Done | EventKind::Passed)
    };
    if own.iter().all(|x| chosen(&x.kind)) { Differ::Chosen(line) } else { Differ::Changed(line) }
}

/// Whether a line that a seat is told discloses something by itself.
fn is_disclosing(p: &Program, kind: &EventKind, text: &str, seat: usize) -> bool {
    match kind {
        EventKind::Moved => is_in_the_open(p, text, seat),
        EventKind::Rolled(Some(place)) => p.places.get(*place).is_some_and(|place| can_see(p, place, seat)),
        EventKind::Shown => is_shown_to(p, text, seat),
        EventKind::Rolled(None) | EventKind::Said | EventKind::Verdict(_) => true,
        _ => false,
    }
}

/// Whether a line is about something that was turned more than once: it lay open in between.
fn is_turned_again(kind: &EventKind, text: &str, logs: [&[ToldLine]; 2]) -> bool {
    let times = |log: &[ToldLine]| log.iter().filter(|x| x.text == text).count();
    matches!(kind, EventKind::Turned(_)) && logs.iter().any(|log| times(log) > 1)
}

/// Whether a line tells what was shuffled, or of an attribute that all see: any but those of components, which may lie hidden.
fn is_open_change(p: &Program, kind: &EventKind, text: &str) -> bool {
    if *kind == EventKind::Shuffled {
        return true;
    }
    let component = |u: UniverseId| {
        p.universes.get(u.index()).is_some_and(|u| matches!(u.sort, UniverseSort::Components(_)))
    };
    let of = |a: &AttrSlot| {
        let named = houserule_engine::change_phrase(&a.name);
        !a.of.is_some_and(component) && (text.starts_with(&named) || text.contains(&format!("'s {named}")))
    };
    matches!(kind, EventKind::Changed | EventKind::LayerEnded) && p.attrs.iter().any(of)
}

/// The line that reveals something although it reads alike in both worlds: what is shown, and what comes to a place into which the seat sees.
pub(super) fn find_revealing(p: &Program, log: &[Event], seat: usize, written: bool) -> Option<ToldLine> {
    log.iter().filter_map(|e| ToldLine::from_event(e, seat)).find(|line| match line.kind {
        EventKind::Shown => is_shown_to(p, &line.text, seat),
        EventKind::Moved => written && is_in_the_open(p, &line.text, seat),
        // Everybody sees what is printed or written on a card's back.
        EventKind::Changed => {
            let named = |a: &AttrSlot| line.text.contains(&houserule_engine::change_phrase(&a.name));
            p.attrs.iter().any(|a| a.back && named(a))
        }
        _ => false,
    })
}

/// Whether something was shown to a player for whom the seat answers.
fn is_shown_to(p: &Program, text: &str, seat: usize) -> bool {
    let (_, names) = text.rsplit_once(" is shown to ").unwrap_or_default();
    names.split(", ").any(|name| {
        let of = |(i, seats): (usize, &u32)| {
            in_mask(*seats, seat) && houserule_engine::thing_title(p, p.player_universe, i as i64) == name
        };
        p.answered.iter().enumerate().any(of)
    })
}

/// Whether an event told of a move from or to a place into which the seat may look: then its face was open, if only in passing.
fn is_in_the_open(p: &Program, text: &str, seat: usize) -> bool {
    p.places.iter().enumerate().any(|(i, place)| {
        let name = houserule_engine::place_phrase(p, i);
        let there =
            text.contains(&format!(" goes from {name} to ")) || text.ends_with(&format!(" to {name}"));
        there && can_see(p, place, seat)
    })
}

/// Whether cards with zones of their own were shuffled. A shuffle moves faces, not the things in these zones, so chance decides which face each thing lies on afterwards.
pub(super) fn is_shuffled_under_things(p: &Program, log: &[Event], seat: usize) -> bool {
    let texts = log.iter().filter(|e| e.kind == EventKind::Shuffled).filter_map(|e| e.text(Some(seat)));
    let carriers = p.places.iter().enumerate().filter(|(_, place)| {
        let cards = p.comps.get(usize::from(place.comps));
        cards.is_some_and(|c| p.zones.iter().any(|z| z.of == Some(c.universe)))
    });
    let begins: Vec<String> =
        carriers.map(|(i, _)| format!("{} is ", houserule_engine::place_phrase(p, i))).collect();
    texts.into_iter().any(|t| begins.iter().any(|b| t.starts_with(b)))
}

/// The line of a shuffle where the seat sees what lies there, or what stands on its back.
pub(super) fn find_open_shuffle<'e>(
    p: &Program,
    log: impl IntoIterator<Item = &'e Event>,
    seat: usize,
) -> Option<ToldLine> {
    let shuffles = log.into_iter().filter(|e| e.kind == EventKind::Shuffled);
    let mut lines = shuffles.filter_map(|e| ToldLine::from_event(e, seat)).peekable();
    lines.peek()?;
    let open = p.places.iter().enumerate().filter(|(_, place)| {
        let marked = p.comps.get(usize::from(place.comps)).is_some_and(|c| {
            let several = c.backs.iter().any(|b| Some(b) != c.backs.first());
            several || p.attrs.iter().any(|a| a.back && a.of == Some(c.universe))
        });
        marked || can_see(p, place, seat)
    });
    let begins: Vec<String> =
        open.map(|(i, _)| format!("{} is ", houserule_engine::place_phrase(p, i))).collect();
    lines.find(|line| begins.iter().any(|b| line.text.starts_with(b)))
}

/// Whether a seat sees what lies at a place, as far as the place alone says.
pub(super) fn can_see(p: &Program, place: &Place, seat: usize) -> bool {
    let Some(zone) = p.zones.get(place.zone as usize) else { return false };
    let holder = usize::try_from(place.holder).ok().and_then(|h| p.answered.get(h)).copied().unwrap_or(0);
    match zone.seen {
        SeenBy::All => true,
        SeenBy::Owner => in_mask(holder, seat),
        SeenBy::Nobody => false,
        // Worked out from the state: not judged here.
        SeenBy::Func(_) => true,
    }
}
