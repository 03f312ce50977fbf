//! Checks what a seat may know of hidden components by where they lie, what moved and what was shown, without the engine's own record of it.
use super::disclosure::can_see;
use super::random_match::{Broken, Channel, RandomMatch, count_seats};
use super::views::all_holders;
use houserule_engine::{Event, EventKind, Look, Machine, State, View, place_phrase};
use houserule_program::ir::{AttrSlot, Place, Program};

/// Checks what a seat knows after the last step: neither what lies in a place that was shuffled, nor what went among things that it cannot tell apart.
pub(super) fn check_mixed_is_unknown(c: &mut RandomMatch, before: &State) -> Result<(), Broken> {
    let log = c.machine.take_events();
    check_shuffled_is_unknown(c, &log)?;
    for seat in 0..count_seats(c.machine.program()) {
        check_mixed_for_seat(c, before, &log, seat)?;
    }
    Ok(())
}

/// The piles into which a seat does not see and of which it knows something.
pub(super) fn list_known_piles(m: &Machine, seat: usize) -> Vec<usize> {
    let p = m.program();
    let of_kind = |ci: usize, universe: usize| {
        let n = p.universes.get(universe).map_or(0, |u| u.n as usize);
        (0..n).filter(move |x| m.look().knows(seat, ci, *x)).filter_map(move |x| m.look().place(ci, x))
    };
    let known = p.comps.iter().enumerate().flat_map(|(ci, comps)| of_kind(ci, comps.universe.index()));
    known.filter(|at| is_hidden_pile(p, *at, seat)).collect()
}

/// Whether something left a pile of which the seat knew something (`before`: where it did before the step), or to which something came in the step: all see the places in a pile
/// (secrets.md), and so, where chance draws, also which one was drawn.
pub(super) fn is_drawn_from_known_pile(m: &Machine, log: &[Event], before: &[usize], seat: usize) -> bool {
    let p = m.program();
    let told: Vec<String> =
        log.iter().filter(|e| e.kind == EventKind::Moved).filter_map(|e| e.text(None)).collect();
    (0..p.places.len()).filter(|at| is_hidden_pile(p, *at, seat)).any(|at| {
        let name = place_phrase(p, at);
        let left = told.iter().any(|t| t.contains(&format!(" goes from {name} to ")));
        left && (before.contains(&at) || told.iter().any(|t| t.ends_with(&format!(" to {name}"))))
    })
}

/// Whether a place is a pile into which a seat does not see.
fn is_hidden_pile(p: &Program, at: usize, seat: usize) -> bool {
    p.places.get(at).is_some_and(|place| place.seq != u32::MAX && !can_see(p, place, seat))
}

/// Who does not see into a place where several lie in no order, and was shown nothing in this step, knows neither what has come there, nor what stayed when one of them
/// left for another hidden place.
fn check_mixed_for_seat(
    c: &mut RandomMatch,
    before: &State,
    log: &[Event],
    seat: usize,
) -> Result<(), Broken> {
    let p = c.machine.program().clone();
    let told: Vec<(EventKind, String)> =
        log.iter().filter_map(|e| e.text(Some(seat)).map(|t| (e.kind.clone(), t))).collect();
    if told.iter().any(|(k, _)| *k == EventKind::Shown) {
        return Ok(());
    }
    let mixes = |place: &Place| {
        let zone = p.zones.get(usize::from(place.zone));
        zone.is_some_and(|z| !z.slot && z.capacity != 1) && place.seq == u32::MAX && !can_see(&p, place, seat)
    };
    for (ci, comps) in p.comps.iter().enumerate() {
        let n = p.universes.get(comps.universe.index()).map_or(0, |u| u.n as usize);
        for x in 0..n {
            let here = c.machine.look().place(ci, x);
            let Some((at, place)) = here.and_then(|at| Some((at, p.places.get(at)?))) else { continue };
            if !mixes(place) || !c.machine.look().knows(seat, ci, x) {
                continue;
            }
            let there = Look::new(&p, before).place(ci, x);
            let name = place_phrase(&p, at);
            if there != Some(at) {
                return Err(c.to_leak(
                    Channel::View,
                    None,
                    format!("seat {seat} still knows what went among others in {name}"),
                ));
            }
            let left = |t: &str| {
                t.split_once(&format!(" goes from {name} to ")).is_some_and(|(_, to)| {
                    let to = p.places.iter().enumerate().find(|(i, _)| place_phrase(&p, *i) == to);
                    to.is_some_and(|(_, to)| to.zone != u16::MAX && !can_see(&p, to, seat))
                })
            };
            if told.iter().any(|(k, t)| *k == EventKind::Moved && left(t)) {
                return Err(c.to_leak(
                    Channel::View,
                    None,
                    format!("seat {seat} still knows what stayed in {name} when one left"),
                ));
            }
        }
    }
    Ok(())
}

/// Who does not see into what was shuffled in the last step knows nothing there but what has come there since, or was shown.
fn check_shuffled_is_unknown(c: &mut RandomMatch, log: &[Event]) -> Result<(), Broken> {
    let p = c.machine.program().clone();
    let log: Vec<(EventKind, String)> =
        log.iter().map(|e| (e.kind.clone(), e.text(None).unwrap_or_default())).collect();
    for seat in 0..count_seats(&p) {
        let view = c.machine.view(seat);
        for pile in all_piles(&view) {
            let Some(place) = p.places.get(usize::from(pile.place)).filter(|pl| !can_see(&p, pl, seat))
            else {
                continue;
            };
            let name = place_phrase(&p, usize::from(pile.place));
            let shuffled = format!("{name} is ");
            let last = log.iter().rposition(|(k, t)| *k == EventKind::Shuffled && t.starts_with(&shuffled));
            let Some(last) = last.filter(|_| place.zone != u16::MAX) else { continue };
            if log.iter().skip(last).any(|(kind, _)| *kind == EventKind::Shown) {
                continue;
            }
            let came = log.iter().skip(last).filter(|(_, t)| t.ends_with(&format!(" to {name}"))).count();
            if pile.cards.len() - pile.hidden > came {
                return Err(c.to_leak(
                    Channel::View,
                    None,
                    format!("seat {seat} still knows what lies in {name}, which was shuffled"),
                ));
            }
        }
    }
    Ok(())
}

/// Checks that a view shows neither number nor attributes of a hidden component, except those of its back, and that the order of hidden ones tells nothing.
pub(super) fn check_hidden_has_no_name(
    c: &RandomMatch,
    state: &State,
    m: &mut Machine,
    seat: usize,
) -> Result<(), Broken> {
    m.set_state(state);
    let v = m.view(seat);
    let p = c.machine.program();
    for pile in all_piles(&v) {
        let mut hidden = false;
        for card in &pile.cards {
            let of_back = |name: &str| {
                let own = |a: &AttrSlot| {
                    a.of.is_some_and(|u| p.universes.get(u.index()).is_some_and(|u| u.name == card.kind))
                };
                p.attrs.iter().any(|a| a.back && &*a.name == name && own(a))
            };
            if card.face.is_none()
                && (card.face_number.is_some()
                    || card.side.is_some()
                    || card.attrs.iter().any(|a| !of_back(&a.name)))
            {
                return Err(c.to_leak(
                    Channel::View,
                    None,
                    format!("seat {seat} cannot see a card in {}, but can tell which it is", pile.zone),
                ));
            }
            if !pile.ordered && hidden && card.face.is_some() {
                return Err(c.to_leak(
                    Channel::View,
                    None,
                    format!("hidden cards in {} show seat {seat} where they lie", pile.zone),
                ));
            }
            hidden |= card.face.is_none();
        }
    }
    Ok(())
}

fn all_piles(v: &View) -> impl Iterator<Item = &houserule_engine::Pile> {
    all_holders(v).flat_map(|h| &h.piles)
}
