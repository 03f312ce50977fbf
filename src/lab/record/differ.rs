//! Compares two states and writes the differences as `expect` lines of a test.
use super::EXPECTED;
use super::words::{place_word, write_name};
use houserule_engine::Look;
use houserule_program::ir::{AttrSlot, Program, Show, UniverseSort};
use std::collections::BTreeMap;

/// What is to be seen of a state: attributes of things that are no components, and what lies where.
#[derive(PartialEq)]
pub(super) struct StateSnapshot {
    /// By attribute and thing.
    attrs: BTreeMap<(usize, usize), Option<i64>>,
    /// Faces (and sides) at each place, in order.
    places: Vec<Vec<(Option<usize>, Option<usize>)>>,
}

fn is_of_components(p: &Program, a: &AttrSlot) -> bool {
    let sort = a.of.and_then(|u| p.universes.get(u.index())).map(|u| &u.sort);
    matches!(sort, Some(UniverseSort::Components(_)))
}

impl StateSnapshot {
    pub(super) fn from_look(look: Look<'_>) -> StateSnapshot {
        let p = look.program;
        let mut attrs = BTreeMap::new();
        for (i, a) in p.attrs.iter().enumerate() {
            if is_of_components(p, a) {
                continue;
            }
            let n = a.of.and_then(|u| p.universes.get(u.index())).map_or(1, |u| u.n as usize);
            for t in 0..n {
                attrs.insert((i, t), look.attr(houserule_program::ir::AttrIx(i as u16), t));
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
        StateSnapshot { attrs, places }
    }
}

/// What has changed, as expectations.
pub(super) fn list_changes(p: &Program, then: &StateSnapshot, now: &StateSnapshot) -> Vec<String> {
    let mut out = Vec::new();
    for ((i, t), v) in &now.attrs {
        if then.attrs.get(&(*i, *t)) == Some(v) {
            continue;
        }
        let Some(a) = p.attrs.get(*i) else { continue };
        let of = a.of.map_or(String::new(), |u| format!("{}.", write_name(p, u, *t as i64)));
        let value = match (v, a.show) {
            (None, _) => String::from("none"),
            (Some(v), Show::Thing(u)) => write_name(p, u, *v),
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
        let word = |f: &(Option<usize>, Option<usize>)| Some(write_name(p, faces?, f.0? as i64));
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
