//! The order in which rules and options go through components: by what they show, never by their numbers.
//!
//! A component's number is internal to the engine. If components are mixed up (a hand goes into a pile that a seat does not see into, and one of them comes out again), the number
//! would reveal which one it was. So options, and loops of the rules, are ordered by what is public or known. Components that agree in all of this are alike: their order reveals
//! nothing.
use crate::base::bitset::bits;
use crate::data::decision::{Last, Options, Question, What};
use crate::data::state::State;
use crate::world::cells::cell;
use crate::world::knowledge::knows;
use crate::world::tables::Rules;
use houserule_program::ir::{Components, Domain, Program, UniverseId};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// Numbers of components, in order.
pub(crate) type Row = SmallVec<[u16; 64]>;

/// The first part of a component's sort key. Place and back come before the face: the order of components from several places, or with visible marks, must not reveal their faces.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    place: i64,
    at: usize,
    hidden: bool,
    back: u16,
}

/// Sorts the components of a set by place, position there, back (with its attributes), face, side and attributes. What one of `seats` (bits), if given, does not know is not compared.
pub(crate) fn in_order(
    rules: Rules<'_>,
    st: &State,
    ci: usize,
    set: impl Iterator<Item = usize>,
    seats: Option<u32>,
) -> Row {
    let Some(comps) = rules.p.comps.get(ci) else { return Row::new() };
    let mut keyed: SmallVec<[(Key, u16); 64]> =
        set.filter_map(|c| Some((key(rules.p, st, comps, ci, c, seats), u16::try_from(c).ok()?))).collect();
    keyed.sort_unstable_by(|(x, a), (y, b)| {
        let rest = || compare_details(rules, st, comps, usize::from(*a), usize::from(*b), x.hidden);
        x.cmp(y).then_with(rest).then(a.cmp(b))
    });
    keyed.into_iter().map(|(_, c)| c).collect()
}

/// The first component of a set in that order, or the last.
pub(crate) fn end_of(
    rules: Rules<'_>,
    st: &State,
    ci: usize,
    set: impl Iterator<Item = usize>,
    last: bool,
) -> Option<usize> {
    let comps = rules.p.comps.get(ci)?;
    let mut best: Option<(Key, usize)> = None;
    for c in set {
        let k = key(rules.p, st, comps, ci, c, None);
        let better = best.as_ref().is_none_or(|(x, b)| {
            let o = k.cmp(x).then_with(|| compare_details(rules, st, comps, c, *b, false)).then(c.cmp(b));
            o.is_lt() != last
        });
        if better {
            best = Some((k, c));
        }
    }
    best.map(|(_, c)| c)
}

fn key(p: &Program, st: &State, comps: &Components, ci: usize, c: usize, seats: Option<u32>) -> Key {
    let known = seats.is_none_or(|seats| {
        (0..p.seats.min(32) as usize).filter(|s| seats >> s & 1 == 1).all(|s| knows(p, st, s, ci, c))
    });
    let face = cell(st, comps.face as usize + c);
    let back = usize::try_from(face).ok().and_then(|f| comps.backs.get(f)).copied().unwrap_or(0);
    let place = cell(st, comps.place as usize + c);
    let at = usize::try_from(place).ok().and_then(|pl| p.places.get(pl)).map_or(0, |pl| {
        match crate::world::cells::is_ordered(pl) {
            true => crate::world::cells::sequence(st, pl).iter().position(|x| *x == c as i32).unwrap_or(0),
            false => 0,
        }
    });
    Key { place, at, hidden: !known, back }
}

/// Compares what the keys of two components do not contain; of hidden ones only what is on their backs.
fn compare_details(
    rules: Rules<'_>,
    st: &State,
    comps: &Components,
    a: usize,
    b: usize,
    hidden: bool,
) -> Ordering {
    let by = |first: u32| {
        if first == u32::MAX {
            return Ordering::Equal;
        }
        cell(st, first as usize + a).cmp(&cell(st, first as usize + b))
    };
    let of_own = |back: bool| {
        let all =
            comps.attrs.iter().filter(move |x| rules.p.attrs.get(x.index()).is_some_and(|x| x.back == back));
        let mut compared = all.filter_map(|x| rules.world.attrs.get(x.index())).map(|x| by(x.cell));
        compared.find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
    };
    let from_behind =
        by(comps.up).then_with(|| comps.owners.get(a).cmp(&comps.owners.get(b))).then_with(|| of_own(true));
    if hidden {
        return from_behind;
    }
    from_behind.then_with(|| by(comps.face)).then_with(|| by(comps.side)).then_with(|| of_own(false))
}

/// Positions of components in the order for the asked seats, computed for the kinds that need it.
struct Ranks<'a> {
    rules: Rules<'a>,
    st: &'a State,
    seats: u32,
    of: SmallVec<[Option<Vec<u16>>; 4]>,
}

impl Ranks<'_> {
    /// The kind of components of a universe, if they can be mixed up.
    fn mixed_kind(&self, u: UniverseId) -> Option<usize> {
        let ci = usize::from(self.rules.world.universes.get(u.index())?.comps);
        self.rules.p.comps.get(ci).filter(|c| c.mixed).map(|_| ci)
    }

    fn rank(&mut self, ci: usize, c: usize) -> u16 {
        if self.of.len() <= ci {
            self.of.resize(ci + 1, None);
        }
        let (rules, st) = (self.rules, self.st);
        let Some(slot) = self.of.get_mut(ci) else { return 0 };
        let ranks = slot.get_or_insert_with(|| {
            let comps = rules.p.comps.get(ci);
            let n = comps.and_then(|k| rules.p.universes.get(k.universe.index())).map_or(0, |u| u.n);
            let mut ranks = vec![0; n as usize];
            let row = in_order(rules, st, ci, 0..n as usize, Some(self.seats));
            for (rank, c) in row.iter().enumerate() {
                if let Some(x) = ranks.get_mut(usize::from(*c)) {
                    *x = rank as u16;
                }
            }
            ranks
        });
        ranks.get(c).copied().unwrap_or(u16::MAX)
    }

    fn sorted(&mut self, ci: usize, set: impl Iterator<Item = usize>) -> Row {
        let mut row: SmallVec<[(u16, u16); 64]> = set.map(|c| (self.rank(ci, c), c as u16)).collect();
        row.sort_unstable();
        row.into_iter().map(|(_, c)| c).collect()
    }
}

/// All components of a universe in the order for a question's seats; `None` if it is no universe of components that can be mixed up.
pub(crate) fn for_reader(rules: Rules<'_>, st: &State, seats: u32, u: UniverseId) -> Option<Row> {
    let ci = usize::from(rules.world.universes.get(u.index())?.comps);
    let n = rules.p.universes.get(u.index())?.n as usize;
    rules.p.comps.get(ci).filter(|c| c.mixed)?;
    Some(in_order(rules, st, ci, 0..n, Some(seats)))
}

/// Brings options into the order for the question's seats.
pub(crate) fn arrange(rules: Rules<'_>, st: &State, q: &Question, options: &mut Options) {
    use crate::data::decision::QuestionKind::{One, Subset};
    let mut ranks = Ranks { rules, st, seats: q.seats, of: SmallVec::new() };
    let asked = match q.kind {
        One(_, u) => Some(Domain::Thing(u)),
        Subset(_, u) => Some(Domain::Subset(u)),
        _ => None,
    };
    for i in 0..options.segments.len() {
        let Some(seg) = options.segments.get(i).copied() else { continue };
        let domain = match seg.what {
            What::Action(a) => rules.p.actions.get(a.index()).and_then(|a| a.params.last()).map(|x| x.domain),
            _ => asked,
        };
        let Some(Domain::Thing(u) | Domain::Subset(u)) = domain else { continue };
        let Some(ci) = ranks.mixed_kind(u) else { continue };
        let (at, w) = match seg.last {
            Last::Set { at, w, .. } => (at, w),
            Last::Subset(s) => (s.at, s.w),
            _ => continue,
        };
        let set = options.words.get(at as usize..at as usize + w as usize).unwrap_or(&[]);
        let row = ranks.sorted(ci, bits(set));
        let first = options.words.len() as u32;
        options.words.extend(row.iter().map(|c| u64::from(*c)));
        if let Some(seg) = options.segments.get_mut(i) {
            match &mut seg.last {
                Last::Subset(s) => *s = s.in_order(first, seg.count, &mut options.words),
                last => *last = Last::List { at: first, n: row.len() as u32 },
            }
        }
    }
    // Segments of one action differ in the parameters before the last.
    let mut from = 0;
    while let Some(first) = options.segments.get(from).copied() {
        let run = options.segments.iter().skip(from).take_while(|s| s.what == first.what).count();
        if let What::Action(a) = first.what
            && run > 1
        {
            sort_run(rules.p, &mut ranks, options, from, run, a.index());
        }
        from += run.max(1);
    }
}

/// Sorts `run` segments of one action, from number `from` on, by their fixed parameters.
fn sort_run(p: &Program, ranks: &mut Ranks, options: &mut Options, from: usize, run: usize, action: usize) {
    let Some(slot) = p.actions.get(action) else { return };
    let before = slot.params.len().saturating_sub(1);
    let moved = |d: Domain| match d {
        Domain::Thing(u) | Domain::Subset(u) => ranks.mixed_kind(u),
        Domain::Number => None,
    };
    let kinds: SmallVec<[(Domain, Option<usize>); 4]> =
        slot.params.iter().take(before).map(|x| (x.domain, moved(x.domain))).collect();
    if kinds.iter().all(|(_, ci)| ci.is_none()) {
        return;
    }
    let Some(segments) = options.segments.get_mut(from..from + run) else { return };
    let words = &options.words;
    segments.sort_by_cached_key(|seg| {
        let mut at = seg.at as usize;
        let mut key: SmallVec<[i64; 8]> = SmallVec::new();
        for (domain, ci) in &kinds {
            let n = domain.words(p) as usize;
            let value = words.get(at..at + n).unwrap_or(&[]);
            at += n;
            match (domain, ci) {
                (Domain::Thing(_), Some(ci)) => {
                    let c = value.first().and_then(|x| usize::try_from(*x as i64).ok());
                    key.push(c.map_or(-1, |c| i64::from(ranks.rank(*ci, c))));
                }
                (Domain::Subset(_), Some(ci)) => {
                    let mut all: SmallVec<[i64; 8]> =
                        bits(value).map(|c| i64::from(ranks.rank(*ci, c))).collect();
                    all.sort_unstable();
                    key.push(all.len() as i64);
                    key.extend(all);
                }
                _ => key.extend(value.iter().map(|x| *x as i64)),
            }
        }
        key
    });
}
