//! Describes a component to somebody who may not know its face, by its back and where it lies. Choices in words use it.
use houserule_engine::{Look, place_title, place_word, value_text};
use houserule_program::ir::{AttrIx, NONE, Show, UniverseId};

/// Adds what the back shows: ` told=3`, for people ` (told 3)`.
pub(super) fn add_back(look: Look<'_>, u: UniverseId, c: usize, seats: u32, people: bool, out: &mut String) {
    let mut marks = Vec::new();
    for (k, a) in look.program.attrs.iter().enumerate() {
        if a.of != Some(u) || !a.back || !a.own.is_empty() {
            continue;
        }
        let Some(value) = look.attr(AttrIx(k as u16), c).filter(|v| *v != NONE) else { continue };
        let text = value_text(look, a.show, &[value as u64], Some(seats), people);
        match (people, a.show) {
            (_, Show::Truth) if value == 0 => {}
            (true, Show::Truth) => marks.push(a.name.replace('_', " ")),
            (true, _) => marks.push(format!("{} {text}", a.name.replace('_', " "))),
            (false, Show::Truth) => marks.push(a.name.to_string()),
            (false, _) => marks.push(format!("{}={text}", a.name)),
        }
    }
    match (marks.is_empty(), people) {
        (true, _) => {}
        (false, true) => out.push_str(&format!(" ({})", marks.join(", "))),
        (false, false) => out.push_str(&format!(" {}", marks.join(" "))),
    }
}

/// Adds where it lies, if others on offer that are hidden lie elsewhere: ` at A1`; of several that lie in order in one place its position, from 1.
pub(super) fn add_place(
    look: Look<'_>,
    ci: usize,
    c: usize,
    all: impl Iterator<Item = usize>,
    people: bool,
    out: &mut String,
) {
    let Some(place) = look.place(ci, c) else { return };
    let (mut elsewhere, mut beside) = (false, false);
    for other in all.filter(|x| *x != c) {
        let there = look.place(ci, other) == Some(place);
        elsewhere |= !there;
        beside |= there;
    }
    let ordered = look.program.places.get(place).is_some_and(|pl| pl.seq != u32::MAX);
    let position = || look.lying_at(place).iter().position(|x| *x == c).map(|i| i + 1);
    let name = if people { place_title(look.program, place) } else { place_word(look.program, place) };
    match (elsewhere, position().filter(|_| beside && ordered)) {
        (_, Some(n)) => out.push_str(&format!(" at {name} {n}")),
        (true, None) => out.push_str(&format!(" at {name}")),
        (false, None) => {}
    }
}
