//! Turns the values that a `test` block names into a choice of the engine. A component may be named by its face, a die by what it shows.
use houserule_engine::{Choice, QuestionKind, Words};
use houserule_play::words::{Wording, least_value, set_bits};
use houserule_program::ir::{Domain, NONE, Program, Show, TestAnswer, UniverseId, UniverseSort};

/// One argument or answer as a test says it: each part of it with how it is shown, in words.
type Parts = [(Show, Vec<u64>)];

/// The choice that an answer of a test stands for; `values` are the results of its functions.
///
/// # Errors
/// Why it is no answer to the question, in words.
pub fn answer_of(
    w: &Wording<'_>,
    a: &TestAnswer,
    values: &[Vec<(Show, Vec<u64>)>],
) -> Result<Choice, String> {
    match (a, w.question.kind) {
        (TestAnswer::Done, QuestionKind::Menu(_)) => Ok(Choice::Done),
        (TestAnswer::Pass, QuestionKind::Menu(_)) => Ok(Choice::Pass),
        (TestAnswer::Yes(y), QuestionKind::Truth(_)) => Ok(Choice::Truth(*y)),
        (TestAnswer::Action(ix, args), QuestionKind::Menu(_)) => {
            let params = w.look.program.actions.get(ix.index()).map_or(&[][..], |a| &a.params);
            if params.len() != args.len() || values.len() != args.len() {
                return Err(format!("this action takes {} arguments", params.len()));
            }
            let mut words = Words::new();
            for (i, (param, parts)) in params.iter().zip(values).enumerate() {
                let all = w.list_candidates(*ix, i, &words);
                match param.domain {
                    Domain::Number => words.push(first_number(only_part(parts)?.1) as u64),
                    Domain::Thing(u) => words.push(find_one(w, u, parts, &all)? as u64),
                    Domain::Subset(u) => words.extend(fit_set(w, u, parts, &all)?),
                }
            }
            Ok(Choice::Action { action: *ix, params: words })
        }
        (TestAnswer::Value(_), kind) => {
            let parts = values.first().map_or(&[][..], |v| v);
            match kind {
                QuestionKind::Truth(_) => {
                    Ok(Choice::Truth(!matches!(first_number(only_part(parts)?.1), 0 | NONE)))
                }
                QuestionKind::One(_, u) => find_one(w, u, parts, &w.list_answers()).map(Choice::One),
                QuestionKind::Subset(_, u) => fit_set(w, u, parts, &w.list_answers()).map(Choice::Subset),
                QuestionKind::Menu(_) => Err(String::from("an action is asked for, not a thing")),
            }
        }
        (_, QuestionKind::Menu(_)) => Err(String::from("an action is asked for")),
        (_, QuestionKind::Truth(_)) => Err(String::from("yes or no is asked for")),
        (_, QuestionKind::One(..)) => Err(String::from("one thing is asked for")),
        (_, QuestionKind::Subset(..)) => Err(String::from("a set of things is asked for")),
    }
}

fn first_number(value: &[u64]) -> i64 {
    value.first().map_or(NONE, |w| *w as i64)
}

/// The only part of what is said where one thing is asked for.
fn only_part(parts: &Parts) -> Result<(Show, &[u64]), String> {
    match parts {
        [(show, value)] => Ok((*show, value)),
        _ => Err(String::from("one thing is asked for")),
    }
}

fn find_one(w: &Wording<'_>, u: UniverseId, parts: &Parts, all: &[i64]) -> Result<i64, String> {
    let (show, value) = only_part(parts)?;
    match to_die_filter(w, u, show, value) {
        Some(shows) => find_die(w, u, all, &[], &shows),
        None => find_thing(w, u, show, first_number(value), all, &[]),
    }
}

/// The components' table if a universe is of components whose faces are another universe.
fn faces_of(p: &Program, u: UniverseId, v: UniverseId) -> Option<usize> {
    match p.universes.get(u.index())?.sort {
        UniverseSort::Components(ci) if p.comps.get(ci as usize)?.faces == v => Some(ci as usize),
        _ => None,
    }
}

fn find_thing(
    w: &Wording<'_>,
    u: UniverseId,
    show: Show,
    value: i64,
    all: &[i64],
    taken: &[i64],
) -> Result<i64, String> {
    let p = w.look.program;
    let of = match show {
        Show::Thing(v) | Show::Set(v) | Show::List(v) => v,
        _ => return Ok(value),
    };
    // Words of two enums have the same numbers.
    let words = |u: UniverseId| p.universes.get(u.index()).filter(|u| matches!(u.sort, UniverseSort::Words));
    if let (Some(_), Some(said)) = (words(u), words(of).filter(|_| u != of && value != NONE)) {
        let word = usize::try_from(value).ok().and_then(|i| said.things.get(i));
        return Err(format!("`{}` is no answer to this question", word.map_or("?", |t| &t.word)));
    }
    let Some(ci) = faces_of(p, u, of).filter(|_| value != NONE) else { return Ok(value) };
    let shows =
        |c: i64| usize::try_from(c).ok().and_then(|c| w.look.face(ci, c)).is_some_and(|f| f as i64 == value);
    find_component(w, u, ci, all, taken, &shows).ok_or_else(|| {
        let other = if taken.is_empty() { "" } else { "other " };
        format!("there is no {other}component of that face")
    })
}

/// A component that shows something: of those on offer the first.
fn find_component(
    w: &Wording<'_>,
    u: UniverseId,
    ci: usize,
    all: &[i64],
    taken: &[i64],
    shows: &dyn Fn(i64) -> bool,
) -> Option<i64> {
    let p = w.look.program;
    let fits = |c: &i64| shows(*c) && !taken.contains(c);
    if let Some(c) = all.iter().copied().find(fits) {
        return Some(c);
    }
    // Not on offer: one that the asked player holds, or else any, so that it can be said why not.
    let n = p.universes.get(u.index()).map_or(0, |u| i64::from(u.n));
    let held = |c: &i64| {
        let place = usize::try_from(*c).ok().and_then(|c| w.look.place(ci, c));
        place.and_then(|pl| p.places.get(pl)).is_some_and(|pl| pl.holder == i32::from(w.question.player))
    };
    (0..n).filter(fits).find(held).or_else(|| (0..n).find(fits))
}

/// If dice are asked for and a number or sides are said: whether a die shows one of them.
fn to_die_filter<'w>(
    w: &'w Wording<'_>,
    u: UniverseId,
    show: Show,
    value: &[u64],
) -> Option<Box<dyn Fn(i64) -> bool + 'w>> {
    let p = w.look.program;
    let UniverseSort::Components(ci) = p.universes.get(u.index())?.sort else { return None };
    let ci = usize::from(ci);
    let comps = p.comps.get(ci)?;
    comps.showing?;
    let side = move |c: i64| w.look.side(ci, usize::try_from(c).ok()?);
    match show {
        Show::Number if first_number(value) != NONE => {
            let n = first_number(value);
            Some(Box::new(move |c| {
                let value = side(c)
                    .and_then(|s| comps.sides.get(s / comps.most_sides())?.get(s % comps.most_sides()));
                value.is_some_and(|v| i64::from(*v) == n)
            }))
        }
        Show::Set(v) if Some(v) == comps.showing => {
            let sides: Vec<usize> = set_bits(value).collect();
            Some(Box::new(move |c| side(c).is_some_and(|s| sides.contains(&s))))
        }
        _ => None,
    }
}

/// A die that shows what was said.
fn find_die(
    w: &Wording<'_>,
    u: UniverseId,
    all: &[i64],
    taken: &[i64],
    shows: &dyn Fn(i64) -> bool,
) -> Result<i64, String> {
    let ci = match w.look.program.universes.get(u.index()).map(|u| &u.sort) {
        Some(UniverseSort::Components(ci)) => usize::from(*ci),
        _ => 0,
    };
    let message = if taken.is_empty() { "no die shows that" } else { "no other die shows that" };
    find_component(w, u, ci, all, taken, shows).ok_or_else(|| String::from(message))
}

fn fit_set(w: &Wording<'_>, u: UniverseId, parts: &Parts, all: &[i64]) -> Result<Words, String> {
    let mut taken = Vec::new();
    for (show, value) in parts {
        find_part(w, u, *show, value, all, &mut taken)?;
    }
    let p = w.look.program;
    let lo = least_value(p, u);
    let mut out = Words::from_elem(0, p.universes.get(u.index()).map_or(1, |u| u.w as usize));
    for x in taken {
        let wrong = || String::from("this cannot be chosen here");
        let i = usize::try_from(x - lo).map_err(|_| wrong())?;
        *out.get_mut(i / 64).ok_or_else(wrong)? |= 1 << (i % 64);
    }
    Ok(out)
}

/// Adds the things that a part of a set stands for: others than those that are taken.
fn find_part(
    w: &Wording<'_>,
    u: UniverseId,
    show: Show,
    value: &[u64],
    all: &[i64],
    taken: &mut Vec<i64>,
) -> Result<(), String> {
    let p = w.look.program;
    if let Some(shows) = to_die_filter(w, u, show, value) {
        taken.push(find_die(w, u, all, taken, &shows)?);
        return Ok(());
    }
    let items: Vec<i64> = match show {
        Show::Set(v) => {
            let from = least_value(p, v);
            set_bits(value).map(|i| i as i64 + from).collect()
        }
        Show::List(v) => {
            let from = least_value(p, v);
            let len = usize::try_from(first_number(value)).unwrap_or(0);
            (0..len)
                .filter_map(|k| value.get(1 + k / 4).map(|x| i64::from((x >> (k % 4 * 16)) as u16) + from))
                .collect()
        }
        _ if first_number(value) == NONE => Vec::new(),
        _ => vec![first_number(value)],
    };
    let is_number = |v: UniverseId| {
        matches!(p.universes.get(v.index()).map(|u| &u.sort), Some(UniverseSort::Numbers { .. }))
    };
    let numbers = matches!(show, Show::Set(v) | Show::List(v) if is_number(v));
    for item in items {
        let shown = to_die_filter(w, u, Show::Number, &[item as u64]).filter(|_| numbers);
        taken.push(match shown {
            Some(shows) => find_die(w, u, all, taken, &shows)?,
            None => find_thing(w, u, show, item, all, taken)?,
        });
    }
    Ok(())
}
