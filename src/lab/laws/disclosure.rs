//! Which lines of the log disclose something by themselves. Two worlds that differ in secrets may differ in such a line; a line of another sort may differ only where
//! the view does.
//!
//! ```text
//! The six: hand → pile          the seat looks into the pile: a disclosure
//! The six is shown to Ann       a disclosure to whoever is told of it
//! lay The six                   none: it may name the card only where one of the lines above does, or where the seat sees the card now
//! Ann: 4                        what somebody rolled: a disclosure
//! ```
use crate::engine::{Event, EventKind, in_mask};
use crate::program::ir::{Place, Program, SeenBy};

/// How two logs of a step differ.
pub(super) enum Differ {
    /// A line in which they differ discloses something.
    Disclosed,
    /// Nothing in them discloses anything, and a line differs that is no choice: an attribute changed, something was turned, moved or shuffled.
    Changed(String),
    /// Only lines of choices differ.
    Chosen(String),
}

/// How two logs of a step differ for a seat, which is told different lines.
pub(super) fn differ(p: &Program, a: &[Event], b: &[Event], seat: usize) -> Differ {
    let text = |log: &[Event]| -> Vec<(EventKind, String)> {
        log.iter().filter_map(|e| e.text(Some(seat)).map(|t| (e.kind.clone(), t))).collect()
    };
    let (a, b) = (text(a), text(b));
    let same = a.iter().zip(&b).take_while(|(x, y)| x.1 == y.1).count();
    let (a, b) = (a.get(same..).unwrap_or(&[]), b.get(same..).unwrap_or(&[]));
    let alone = |x: &&(EventKind, String), other: &[(EventKind, String)]| other.iter().all(|y| y.1 != x.1);
    let own: Vec<_> = a.iter().filter(|x| alone(x, b)).chain(b.iter().filter(|x| alone(x, a))).collect();
    // Where the same lines come in another order, all of them count.
    let own = if own.is_empty() { a.iter().chain(b).collect() } else { own };
    // The first differing lines count even if the other world has the same line later.
    let firsts = a.first().into_iter().chain(b.first());
    if own.iter().copied().chain(firsts).any(|(kind, text)| discloses(p, kind, text, seat)) {
        return Differ::Disclosed;
    }
    let line = |x: Option<&(EventKind, String)>| x.map_or("nothing", |x| x.1.as_str()).to_string();
    let what = format!("“{}” against “{}”", line(a.first()), line(b.first()));
    // One world's log has more lines. The engine skips a question that has one answer, and this law does not judge that. It judges only extra lines about a move or a change.
    let judged = |x: Option<&(EventKind, String)>| {
        x.is_none_or(|(k, _)| matches!(k, EventKind::Moved | EventKind::Changed | EventKind::Turned))
    };
    if a.is_empty() != b.is_empty() && !(judged(a.first()) && judged(b.first())) {
        return Differ::Disclosed;
    }
    // The line of an answer that takes nothing is open to seats that see every candidate. Hidden cards may decide that; the law does not judge it yet.
    let nothing = |x: Option<&(EventKind, String)>| x.is_some_and(|(_, text)| text == "nothing");
    if nothing(a.first()) != nothing(b.first()) {
        return Differ::Disclosed;
    }
    let chosen = |k: &EventKind| {
        matches!(k, EventKind::Acted(_) | EventKind::Answered | EventKind::Done | EventKind::Passed)
    };
    if own.iter().all(|(kind, _)| chosen(kind)) { Differ::Chosen(what) } else { Differ::Changed(what) }
}

/// Whether a line that a seat is told discloses something by itself.
fn discloses(p: &Program, kind: &EventKind, text: &str, seat: usize) -> bool {
    match kind {
        EventKind::Moved => in_the_open(p, text, seat),
        EventKind::Rolled | EventKind::Shown | EventKind::Said | EventKind::Verdict(_) => true,
        _ => false,
    }
}

/// Whether lines that read alike in both worlds lay something open: what is shown, and, where something else may be written on it, what comes where the seat looks.
pub(super) fn brings_to_light(p: &Program, log: &[Event], seat: usize, written: bool) -> bool {
    log.iter().any(|e| {
        e.text(Some(seat)).is_some_and(|text| match e.kind {
            EventKind::Shown => true,
            EventKind::Moved => written && in_the_open(p, &text, seat),
            // Everybody sees what is printed or written on a card's back.
            EventKind::Changed => p.attrs.iter().any(|a| a.back && text.contains(&format!("{} = ", a.name))),
            _ => false,
        })
    })
}

/// Whether an event told of a move from or to a place into which the seat may look: then its face was open, if only in passing.
fn in_the_open(p: &Program, text: &str, seat: usize) -> bool {
    p.places.iter().enumerate().any(|(i, place)| {
        let name = crate::engine::place_title(p, i);
        let there = text.contains(&format!(": {name} →")) || text.ends_with(&format!("→ {name}"));
        there && sees(p, place, seat)
    })
}

/// Whether something was shuffled where the seat sees what lies there, or what stands on its back.
pub(super) fn shuffled_in_the_open(p: &Program, log: &[Event], seat: usize) -> bool {
    let texts: Vec<String> =
        log.iter().filter(|e| e.kind == EventKind::Shuffled).filter_map(|e| e.text(Some(seat))).collect();
    !texts.is_empty()
        && p.places.iter().enumerate().any(|(i, place)| {
            let name = crate::engine::place_title(p, i);
            let marked = p.comps.get(usize::from(place.comps)).is_some_and(|c| {
                let several = c.backs.iter().any(|b| Some(b) != c.backs.first());
                several || p.attrs.iter().any(|a| a.back && a.of == Some(c.universe))
            });
            (marked || sees(p, place, seat)) && texts.iter().any(|t| t.starts_with(&format!("{name} is ")))
        })
}

/// Whether a seat sees what lies at a place, as far as the place alone says.
pub(super) fn sees(p: &Program, place: &Place, seat: usize) -> bool {
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
