//! Writes choices and things in the words that a test uses.
use houserule_engine::{ChancedThing, Choice, Look, QuestionKind, thing_word, value_text};
use houserule_play::words::{least_value, set_bits};
use houserule_program::ir::{Components, Domain, NONE, Program, Show, UniverseId, UniverseSort};

/// A choice as a test writes it.
pub(super) fn write_choice(look: Look<'_>, kind: QuestionKind, choice: &Choice) -> String {
    let p = look.program;
    match choice {
        Choice::Done => String::from("done"),
        Choice::NotDone => String::from("not done"),
        Choice::Pass => String::from("pass"),
        Choice::TimeUp => String::from("time up"),
        Choice::Truth(yes) => String::from(if *yes { "yes" } else { "no" }),
        Choice::One(v) => match kind {
            QuestionKind::One(_, u) => write_thing(look, u, *v),
            _ => v.to_string(),
        },
        Choice::Subset(set) => match kind {
            QuestionKind::Subset(_, u) => write_list(look, u, set),
            _ => String::from("none"),
        },
        Choice::Action { action, params } => {
            let Some(slot) = p.actions.get(action.index()) else { return String::from("?") };
            let mut args = Vec::new();
            let mut at = 0;
            for param in &slot.params {
                let w = param.domain.words(p) as usize;
                let value = params.get(at..at + w).unwrap_or(&[]);
                at += w;
                let first = value.first().map_or(NONE, |x| *x as i64);
                args.push(match param.domain {
                    Domain::Number => first.to_string(),
                    Domain::Thing(u) => write_thing(look, u, first),
                    Domain::Subset(u) => write_list(look, u, value),
                });
            }
            format!("{}({})", slot.name, args.join(", "))
        }
    }
}

pub(super) fn write_list(look: Look<'_>, u: UniverseId, set: &[u64]) -> String {
    let lo = least_value(look.program, u);
    let all: Vec<String> = set_bits(set).map(|i| write_thing(look, u, i as i64 + lo)).collect();
    match all.as_slice() {
        [] => String::from("none"),
        all => format!("[{}]", all.join(", ")),
    }
}

/// A thing that is no component, as a test writes it. Spaces of a board of one row have no names of their own there.
pub(super) fn write_name(p: &Program, u: UniverseId, value: i64) -> String {
    let universe = p.universes.get(u.index());
    if let Some((name, UniverseSort::Spaces(Some(map)))) = universe.map(|x| (&x.name, &x.sort))
        && p.maps.get(map.index()).is_some_and(|m| m.size.1 == 1)
        && value != NONE
    {
        return format!("{name}({})", value + 1);
    }
    thing_word(p, u, value)
}

/// A thing as a test writes it: a component by its face, a die by what it shows.
pub(super) fn write_thing(look: Look<'_>, u: UniverseId, value: i64) -> String {
    let p = look.program;
    match p.universes.get(u.index()).map(|x| &x.sort) {
        Some(UniverseSort::Components(ci)) if value != NONE => {
            let ci = usize::from(*ci);
            let die = p.comps.get(ci).filter(|k| k.showing.is_some()).and_then(|comps| {
                let c = usize::try_from(value).ok()?;
                let face = look.face(ci, c)?;
                // Dice of several members are told apart by these, others by what they show.
                if p.universes.get(comps.faces.index()).is_some_and(|f| f.n > 1) {
                    return Some(write_name(p, comps.faces, face as i64));
                }
                let side = look.side(ci, c)? % comps.most_sides();
                comps.sides.get(face)?.get(side).map(i32::to_string)
            });
            die.unwrap_or_else(|| value_text(look, Show::Thing(u), &[value as u64], None, false))
        }
        _ => write_name(p, u, value),
    }
}

/// A place as rules write it: `Ann.hand`, `deck`, `Ann.stacks[2]`.
pub(super) fn place_word(p: &Program, n: usize) -> Option<String> {
    let place = p.places.get(n)?;
    let zone = p.zones.get(usize::from(place.zone))?;
    let index = if zone.indexes > 1 || zone.index_of.is_some() {
        let n = (n as i64 - i64::from(zone.first)).rem_euclid(i64::from(zone.indexes.max(1)));
        let k = n + i64::from(zone.index_lo);
        zone.index_of.map_or_else(|| format!("[{k}]"), |u| format!("[{}]", write_name(p, u, k)))
    } else {
        String::new()
    };
    Some(match zone.of {
        Some(u) => format!("{}.{}{index}", write_name(p, u, i64::from(place.owner)), zone.name),
        None => format!("{}{index}", zone.name),
    })
}

/// A thing that chance has brought, as `draws` and `shuffles` name it: a component by its face, a die by what it shows.
pub(super) fn lot_word(p: &Program, u: UniverseId, lot: &ChancedThing) -> Option<String> {
    let Some(UniverseSort::Components(ci)) = p.universes.get(u.index()).map(|x| &x.sort) else {
        return Some(write_name(p, u, lot.value));
    };
    let comps = p.comps.get(usize::from(*ci))?;
    let side = lot.side.and_then(|s| side_word(p, comps, s));
    Some(side.unwrap_or(write_name(p, comps.faces, lot.face? as i64)))
}

/// What a die shows, as `rolls` says it: `4`, `4 pink`. None where its word says the die's name besides.
pub(super) fn side_word(p: &Program, comps: &Components, side: usize) -> Option<String> {
    let word = thing_word(p, comps.showing?, side as i64);
    word.starts_with(|c: char| c.is_ascii_digit()).then_some(word)
}
