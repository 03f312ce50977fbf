//! Names of things and values: the words of rules, saves and tests, and the titles for people.
use crate::base::bitset;
use crate::world::knowledge::known_to_all;
use crate::world::look::Look;
use houserule_program::ir::{NONE, Program, Show, UniverseId, UniverseSort};

/// The word of a thing as rules, saves and tests write it; `value` is the value of a register (a number is itself).
/// Components have no word of their own and read as their kind and number; see [`value_text`] for their faces.
pub fn thing_word(p: &Program, u: UniverseId, value: i64) -> String {
    thing_name(p, u, value, false)
}

/// The title of a thing for people; as [`thing_word`].
pub fn thing_title(p: &Program, u: UniverseId, value: i64) -> String {
    thing_name(p, u, value, true)
}

fn thing_name(p: &Program, u: UniverseId, value: i64, people: bool) -> String {
    if value == NONE {
        return "none".into();
    }
    let Some(uni) = p.universes.get(u.index()) else { return value.to_string() };
    match uni.sort {
        UniverseSort::Numbers { .. } => value.to_string(),
        UniverseSort::Components(_) => format!("{}#{value}", uni.name),
        UniverseSort::Truth if uni.things.is_empty() => if value == 0 { "no" } else { "yes" }.into(),
        _ => match usize::try_from(value).ok().and_then(|i| uni.things.get(i)) {
            Some(t) if people && !t.title.is_empty() => t.title.to_string(),
            Some(t) => t.word.to_string(),
            None => format!("{}#{value}", uni.name),
        },
    }
}

/// The text of a register's value: titles if `people`, else words. A component reads as its face, a die as its side; if one of `seats` (bits) does not know the face, as its kind.
pub fn value_text(look: Look<'_>, show: Show, words: &[u64], seats: Option<u32>, people: bool) -> String {
    let p = look.program;
    let first = words.first().map_or(NONE, |x| *x as i64);
    match show {
        Show::Number if first == NONE => "none".into(),
        Show::Number => first.to_string(),
        Show::Truth => if first == NONE || first == 0 { "no" } else { "yes" }.into(),
        Show::Thing(u) => thing(look, u, first, seats, people),
        // A set of sides is a filter: it reads as the rules write it.
        Show::Set(u) if let Some(f) = p.filters.iter().find(|f| f.universe == u && *f.set == *words) => {
            if people { &f.title } else { &f.word }.to_string()
        }
        Show::Set(u) => {
            let lo = first_number(p, u);
            // Behind a set may stand the list that it was made of.
            let w = crate::data::state::words_of(p, u.index());
            let words = words.get(..w).unwrap_or(words);
            let mut all: Vec<_> =
                bitset::bits(words).map(|i| thing(look, u, i as i64 + lo, seats, people)).collect();
            if let Some(UniverseSort::Components(_)) = p.universes.get(u.index()).map(|u| &u.sort) {
                // Sorted by face and side, unknown ones last: the order of their numbers could reveal which is which.
                let known =
                    |i: usize, ci: u16| seats.is_none_or(|s| known_to_all(p, look.state, s, ci as usize, i));
                let mut keyed: Vec<_> = bitset::bits(words)
                    .map(|i| match look.comps_of(u) {
                        Some(ci) if known(i, ci) => (0, look.face(ci as usize, i), look.side(ci as usize, i)),
                        _ => (1, None, None),
                    })
                    .zip(all)
                    .collect();
                keyed.sort_by_key(|(k, _)| *k);
                all = keyed.into_iter().map(|(_, t)| t).collect();
            }
            join_names(&all)
        }
        Show::List(u) => {
            let n = usize::try_from(first).unwrap_or(0);
            let lo = first_number(p, u);
            let all: Vec<_> = (0..n)
                .filter_map(|k| words.get(1 + k / 4).map(|w| (w >> (k % 4 * 16)) as u16))
                .map(|i| thing(look, u, i64::from(i) + lo, seats, people))
                .collect();
            join_names(&all)
        }
        Show::Place => place_text(p, first, people),
        Show::Phase => match usize::try_from(first).ok().and_then(|i| p.phases.get(i)) {
            Some(ph) if people => ph.title.to_string(),
            Some(ph) => ph.name.to_string(),
            None => "none".into(),
        },
        Show::Text => {
            let parts = usize::try_from(first).ok().and_then(|i| p.templates.get(i));
            let mut out = String::new();
            for piece in parts.map_or(&[][..], |t| &t.parts) {
                if let houserule_program::ir::Piece::Literal(t) = piece {
                    out.push_str(t);
                }
            }
            out
        }
    }
}

/// The set of one seat, as a reader of texts.
pub fn alone(seat: usize) -> Option<u32> {
    Some(u32::try_from(seat).ok().and_then(|s| 1u32.checked_shl(s)).unwrap_or(0))
}

/// The number that is added to an element's number to get its register value.
pub(crate) fn first_number(p: &Program, u: UniverseId) -> i64 {
    match p.universes.get(u.index()).map(|u| &u.sort) {
        Some(UniverseSort::Numbers { lo }) => i64::from(*lo),
        _ => 0,
    }
}

fn thing(look: Look<'_>, u: UniverseId, value: i64, seats: Option<u32>, people: bool) -> String {
    let p = look.program;
    if let Some(uni) = p.universes.get(u.index())
        && let UniverseSort::Components(ci) = uni.sort
        && let Ok(c) = usize::try_from(value)
        && let Some(comps) = p.comps.get(ci as usize)
    {
        if seats.is_some_and(|s| !known_to_all(p, look.state, s, ci as usize, c)) {
            let hidden = comps.hidden_title(look.face(ci as usize, c));
            return if people { hidden } else { &uni.name }.to_string();
        }
        // A die reads as the side that it shows.
        if let (Some(u), Some(s)) = (comps.showing, look.side(ci as usize, c)) {
            return thing_name(p, u, s as i64, people);
        }
        return match look.face(ci as usize, c) {
            Some(f) => thing_name(p, comps.faces, f as i64, people),
            None => uni.name.to_string(),
        };
    }
    thing_name(p, u, value, people)
}

/// A place for people, by its zone and holder: `Player 1's hand`.
pub fn place_title(p: &Program, place: usize) -> String {
    place_text(p, place as i64, true)
}

/// A place in a sentence: that of the table with its article, `the deck`.
pub fn place_phrase(p: &Program, place: usize) -> String {
    let text = place_title(p, place);
    let zone = p.places.get(place).and_then(|at| p.zones.get(at.zone as usize));
    if zone.is_some_and(|z| z.of.is_none()) { format!("the {text}") } else { text }
}

/// What stands in the log between whose attribute changed and its new value.
pub fn change_phrase(attribute: &str) -> String {
    format!("{} is now ", attribute.replace('_', " "))
}

/// A place as rules write it: `Player1.hand`.
pub fn place_word(p: &Program, place: usize) -> String {
    place_text(p, place as i64, false)
}

/// A place by its zone and holder.
pub(crate) fn place_text(p: &Program, place: i64, people: bool) -> String {
    let Some(pl) = usize::try_from(place).ok().and_then(|i| p.places.get(i)) else { return "none".into() };
    let Some(z) = p.zones.get(pl.zone as usize) else { return "the box".into() };
    let index = if z.indexes > 1 || z.index_of.is_some() {
        let k = (place - i64::from(z.first)).rem_euclid(i64::from(z.indexes.max(1))) + i64::from(z.index_lo);
        match z.index_of {
            Some(u) if people => format!(" {}", thing_name(p, u, k, true)),
            Some(u) => format!("[{}]", thing_name(p, u, k, false)),
            None if people => format!(" {k}"),
            None => format!("[{k}]"),
        }
    } else {
        String::new()
    };
    let name = if people { z.name.replace('_', " ") } else { z.name.to_string() };
    let Some(u) = z.of else { return format!("{name}{index}") };
    let holder = thing_name(p, u, i64::from(pl.owner), people);
    // If spaces have one zone only for such components, the name of the space is enough.
    let alone =
        || p.zones.iter().filter(|x| x.of == z.of && x.holds == z.holds).count() == 1 && z.indexes <= 1;
    if people && pl.space != i32::MIN && alone() {
        return holder;
    }
    if people { format!("{holder}'s {name}{index}") } else { format!("{holder}.{name}{index}") }
}

fn join_names(all: &[String]) -> String {
    match all {
        [] => "nothing".into(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
