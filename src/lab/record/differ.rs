//! What differs between two states, and statements that make up for it.
use super::EXPECTED;
use super::words::{face_word, named, place_word};
use crate::engine::{Look, Machine, State};
use crate::program::ir::{AttrSlot, Program, Show, UniverseSort};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is to be seen of a state: attributes of things that are no components, and what lies where.
#[derive(PartialEq)]
pub(super) struct Seen {
    /// By attribute and thing.
    attrs: BTreeMap<(usize, usize), Option<i64>>,
    /// Faces (and sides) at each place, in order.
    places: Vec<Vec<(Option<usize>, Option<usize>)>>,
}

fn of_components(p: &Program, a: &AttrSlot) -> bool {
    let sort = a.of.and_then(|u| p.universes.get(u.index())).map(|u| &u.sort);
    matches!(sort, Some(UniverseSort::Components(_)))
}

impl Seen {
    pub(super) fn of(look: Look<'_>) -> Seen {
        let p = look.program;
        let mut attrs = BTreeMap::new();
        for (i, a) in p.attrs.iter().enumerate() {
            if a.set_at.is_some() || of_components(p, a) {
                continue;
            }
            let n = a.of.and_then(|u| p.universes.get(u.index())).map_or(1, |u| u.n as usize);
            for t in 0..n {
                attrs.insert((i, t), look.attr(crate::program::ir::AttrIx(i as u16), t));
            }
        }
        let mut places: Vec<Vec<(Option<usize>, Option<usize>)>> = vec![Vec::new(); p.places.len()];
        for (ci, comps) in p.comps.iter().enumerate() {
            let n = p.universes.get(comps.universe.index()).map_or(0, |u| u.n as usize);
            for c in 0..n {
                if let Some(all) = look.place(ci, c).and_then(|place| places.get_mut(place)) {
                    all.push((look.face(ci, c), look.side(ci, c)));
                }
            }
        }
        for (n, place) in p.places.iter().enumerate() {
            let Some(all) = places.get_mut(n) else { continue };
            let zone = p.zones.get(usize::from(place.zone));
            if all.len() > 1 && zone.is_some_and(|z| z.ordered) {
                let ci = usize::from(place.comps);
                *all = look.lying_at(n).into_iter().map(|c| (look.face(ci, c), look.side(ci, c))).collect();
            } else {
                all.sort_unstable();
            }
        }
        Seen { attrs, places }
    }
}

/// What another seed makes of a stretch.
#[derive(Default)]
pub(super) struct Apart {
    /// Why it cannot be mended.
    pub(super) apart: Option<String>,
    /// Places in which other things lie.
    pub(super) contents: BTreeSet<usize>,
    /// Places in which the same things lie in another order.
    pub(super) order: BTreeSet<usize>,
}

pub(super) fn compare(p: &Program, here: &State, there: &State, mut m: Machine) -> Apart {
    let mut out = Apart::default();
    m.set_state(there);
    let b = Seen::of(m.look());
    let asked =
        |m: &Machine| m.questions().iter().map(|q| (q.player, q.anybody, q.seats)).collect::<Vec<_>>();
    let (other, over) = (asked(&m), m.is_over());
    m.set_state(here);
    let a = Seen::of(m.look());
    if asked(&m) != other
        || m.is_over() != over
        || here.round() != there.round()
        || here.turns() != there.turns()
    {
        out.apart = Some(String::from("chance decides who is asked"));
        return out;
    }
    if let Some(((attr, t), _)) = a.attrs.iter().find(|(k, v)| b.attrs.get(k) != Some(v)) {
        let name = p.attrs.get(*attr).map_or("?", |a| &a.name);
        let of = p
            .attrs
            .get(*attr)
            .and_then(|a| a.of)
            .map_or(String::new(), |u| format!(" of {}", named(p, u, *t as i64)));
        out.apart = Some(format!("chance decides {name}{of}"));
        return out;
    }
    for (i, (x, y)) in a.places.iter().zip(&b.places).enumerate() {
        if x == y {
            continue;
        }
        let faces = |all: &[(Option<usize>, Option<usize>)]| {
            let mut f: Vec<_> = all.to_vec();
            f.sort_unstable();
            f
        };
        if faces(x) == faces(y) {
            out.order.insert(i);
        } else {
            out.contents.insert(i);
        }
    }
    out
}

/// Statements that bring to the top of a shuffled place what is drawn from it in a stretch, the last first.
pub(super) fn drawn_from(
    p: &Arc<Program>,
    before: &State,
    after: &State,
    loose: &BTreeSet<usize>,
) -> Vec<String> {
    let mut out = Vec::new();
    let mut m = Machine::new(p.clone(), 0);
    m.set_state(after);
    let gone = |place: usize, c: usize| {
        m.look().place(usize::from(p.places.get(place).map_or(0, |x| x.comps)), c) != Some(place)
    };
    let mut then = Machine::new(p.clone(), 0);
    then.set_state(before);
    for place in loose {
        let lying = then.look().lying_at(*place);
        let Some(last) = lying.iter().rposition(|c| gone(*place, *c)) else { continue };
        let (Some(slot), Some(name)) = (p.places.get(*place), place_word(p, *place)) else { continue };
        for c in lying.iter().take(last + 1).rev() {
            let Some(face) = face_word(then.look(), slot, *c) else { continue };
            out.push(format!("move first of {name} where {face} to {name}"));
        }
    }
    out
}

/// Statements that lay down what lies at some places, out of the one of them that holds most; with that place.
pub(super) fn laid_down(
    p: &Program,
    state: &State,
    places: &BTreeSet<usize>,
    mut m: Machine,
) -> Option<(Vec<String>, usize)> {
    m.set_state(state);
    let look = m.look();
    let mut out = Vec::new();
    let mut pools = None;
    let kinds: BTreeSet<u16> = places.iter().filter_map(|n| p.places.get(*n)).map(|pl| pl.comps).collect();
    for kind in kinds {
        let of_kind = |n: &&usize| p.places.get(**n).is_some_and(|pl| pl.comps == kind);
        let all: Vec<usize> = places.iter().filter(of_kind).copied().collect();
        let named = |n: &&usize| place_word(p, **n).is_some();
        let slot = |n: usize| {
            p.places.get(n).and_then(|pl| p.zones.get(usize::from(pl.zone))).is_some_and(|z| z.slot)
        };
        let pool =
            all.iter().filter(named).filter(|n| !slot(**n)).max_by_key(|n| look.lying_at(**n).len()).copied();
        // Dice that show something else lie where they should.
        let pool = pool?;
        let pool_name = place_word(p, pool)?;
        let mut lay = Vec::new();
        for n in all.iter().filter(|n| **n != pool) {
            let name = place_word(p, *n)?;
            let place = p.places.get(*n)?;
            let take = if slot(*n) {
                format!("if {name} is some {{ move {name} to {pool_name} }}")
            } else {
                format!("move {name} to {pool_name}")
            };
            out.push(take);
            // The top one comes last.
            for c in look.lying_at(*n).into_iter().rev() {
                lay.push(format!("move first of {pool_name} where {} to {name}", face_word(look, place, c)?));
            }
        }
        out.extend(lay);
        pools = Some(pool);
    }
    Some((out, pools?))
}

/// What has changed, as expectations.
pub(super) fn changed(p: &Program, then: &Seen, now: &Seen) -> Vec<String> {
    let mut out = Vec::new();
    for ((i, t), v) in &now.attrs {
        if then.attrs.get(&(*i, *t)) == Some(v) {
            continue;
        }
        let Some(a) = p.attrs.get(*i) else { continue };
        let of = a.of.map_or(String::new(), |u| format!("{}.", named(p, u, *t as i64)));
        let value = match (v, a.show) {
            (None, _) => String::from("none"),
            (Some(v), Show::Thing(u)) => named(p, u, *v),
            (Some(v), Show::Truth) => String::from(if *v == 0 { "no" } else { "yes" }),
            (Some(v), _) => v.to_string(),
        };
        out.push(match (v, a.show) {
            (Some(v), Show::Truth) => format!("expect {}{of}{}", if *v == 0 { "not " } else { "" }, a.name),
            (None, _) => format!("expect {of}{} is none", a.name),
            _ => format!("expect {of}{} == {value}", a.name),
        });
    }
    for (n, (x, y)) in then.places.iter().zip(&now.places).enumerate() {
        if x == y {
            continue;
        }
        let (Some(name), Some(place)) = (place_word(p, n), p.places.get(n)) else { continue };
        let slot = p.zones.get(usize::from(place.zone)).is_some_and(|z| z.slot);
        let faces = p.comps.get(usize::from(place.comps)).map(|c| c.faces);
        let word = |f: &(Option<usize>, Option<usize>)| Some(named(p, faces?, f.0? as i64));
        if slot {
            out.push(match y.first().and_then(word) {
                Some(face) => format!("expect {name} is {face}"),
                None => format!("expect {name} is none"),
            });
            continue;
        }
        if x.len() != y.len() {
            out.push(format!("expect count({name}) == {}", y.len()));
        }
        for f in y
            .iter()
            .filter(|f| y.iter().filter(|g| g.0 == f.0).count() > x.iter().filter(|g| g.0 == f.0).count())
        {
            if let Some(face) = word(f) {
                out.push(format!(
                    "expect count({name} where {face}) == {}",
                    y.iter().filter(|g| g.0 == f.0).count()
                ));
            }
        }
    }
    out.dedup();
    out.truncate(EXPECTED);
    out
}
