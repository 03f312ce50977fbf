//! Bitmap-index synthesis, a part of constant propagation: a set that depends on one number alone becomes a table of bitmaps by that number. Such sets are read from a
//! table, or are unions and intersections of constants and other such sets.
use crate::ir::*;
use std::rc::Rc;

/// A set, mostly of a few words.
pub type Words = smallvec::SmallVec<[u64; 4]>;

/// The most words of new bitmaps in one function.
const MOST_WORDS: usize = 16 << 10;

/// For each number a set, in one row of words; the last set is of none.
type Planes = Rc<Vec<u64>>;

/// Facts about registers at one place of the code.
#[derive(Clone, Default)]
pub struct Rows {
    /// Registers that hold the number of a thing of a universe, or none.
    things: Vec<(R, u8)>,
    /// Registers that hold the place or face of a component: the register, the component's register, and the instruction without both.
    read: Vec<(R, R, Ins)>,
    /// Registers that are copies of another.
    copies: Vec<(R, R)>,
    /// Registers that hold an entry of a table by such a thing, while another register still holds the thing.
    looked_up: Vec<(R, R, TableIx)>,
    /// Sets that depend on one such number: the first register, the width, the number's register, and the bitmaps.
    sets: Vec<(R, u8, R, Planes)>,
}

/// New groups of bitmaps.
#[derive(Default)]
pub struct NewGroups {
    /// For each group: its number, the universe of the number, the words of a set, and the bitmaps.
    pub groups: Vec<(GroupIx, UniverseId, u8, Planes)>,
    words: usize,
}

impl Rows {
    pub fn forget(&mut self, r: R, n: u8) {
        self.things.retain(|(x, _)| !overlap(*x, 1, r, n));
        let over = |a: R, b: R| overlap(a, 1, r, n) || overlap(b, 1, r, n);
        self.read.retain(|(x, c, _)| !over(*x, *c));
        self.copies.retain(|(x, a)| !over(*x, *a));
        self.looked_up.retain(|(x, i, _)| !over(*x, *i));
        self.sets.retain(|(x, w, i, _)| !overlap(*x, *w, r, n) && !overlap(*i, 1, r, n));
    }

    /// Keeps the facts that both have.
    pub fn meet_with(&mut self, o: &Rows) {
        self.things.retain(|x| o.things.contains(x));
        self.read.retain(|x| o.read.contains(x));
        self.copies.retain(|x| o.copies.contains(x));
        self.looked_up.retain(|x| o.looked_up.contains(x));
        self.sets.retain(|(r, w, i, a)| {
            o.sets.iter().any(|(x, v, j, b)| (x, v, j) == (r, w, i) && Rc::ptr_eq(a, b))
        });
    }

    pub fn add_rows(&mut self, o: &mut Rows) {
        self.things.append(&mut o.things);
        self.read.append(&mut o.read);
        self.copies.append(&mut o.copies);
        self.looked_up.append(&mut o.looked_up);
        self.sets.append(&mut o.sets);
    }

    fn thing(&self, r: R) -> Option<u8> {
        self.things.iter().find(|(x, _)| *x == r).map(|(_, u)| *u)
    }

    /// The register from which a register was copied, or the register itself.
    fn origin(&self, r: R) -> R {
        self.copies.iter().find(|(x, _)| *x == r).map_or(r, |(_, a)| *a)
    }

    /// The register that holds what an instruction would read of a component.
    pub fn available_read(&self, ins: &Ins) -> Option<R> {
        let (c, form) = component_read(ins)?;
        self.read.iter().find(|(_, x, other)| *x == c && *other == form).map(|(d, ..)| *d)
    }

    fn set(&self, r: R, w: u8) -> Option<&(R, u8, R, Planes)> {
        self.sets.iter().find(|(x, v, ..)| (*x, *v) == (r, w))
    }

    /// Adds the facts that an instruction establishes about its results to `new`; `constant` returns the words of a constant set.
    pub fn learn(&self, p: &Program, ins: &Ins, constant: impl Fn(R, u8) -> Option<Words>, new: &mut Rows) {
        match *ins {
            Ins::Mov { d, a } if d != a => {
                new.things.extend(self.thing(a).map(|u| (d, u)));
                new.copies.push((d, self.origin(a)));
            }
            Ins::LdAt { d, c, .. } | Ins::LdFace { d, c, .. } if d != c => {
                new.read.extend(component_read(ins).map(|(c, form)| (d, c, form)));
            }
            Ins::LdTable { d, i, table } if d != self.origin(i) => {
                let i = self.origin(i);
                if let Some(u) = self.thing(i)
                    && p.tables.get(table.index()).is_some_and(|t| t.universe.0 as u8 == u)
                {
                    new.looked_up.push((d, i, table));
                }
            }
            Ins::PlaneC { d, i, group } => {
                let i = self.origin(i);
                let Some(g) = p.groups.get(group.index()).filter(|_| !overlap(d, words_of(p, group), i, 1))
                else {
                    return;
                };
                if let Some(u) = self.thing(i) {
                    let n = n(p, u);
                    let value = |k: usize| if k < n { k as i64 } else { NONE };
                    new.sets.push((d, g.w, i, planes(p, g, n, value)));
                } else if let Some((_, of, table)) = self.looked_up.iter().find(|(x, ..)| *x == i)
                    && let (Some(u), Some(t)) = (self.thing(*of), p.tables.get(table.index()))
                    && !overlap(d, g.w, *of, 1)
                {
                    let value = |k: usize| t.values.get(k).map_or(NONE, |v| i64::from(*v));
                    new.sets.push((d, g.w, *of, planes(p, g, n(p, u), value)));
                }
            }
            Ins::SAnd { d, a, b, w } => self.combine_sets(p, (d, a, b, w), constant, |a, b| a & b, new),
            Ins::SOr { d, a, b, w } => self.combine_sets(p, (d, a, b, w), constant, |a, b| a | b, new),
            Ins::SAndNot { d, a, b, w } => self.combine_sets(p, (d, a, b, w), constant, |a, b| a & !b, new),
            _ => {}
        }
    }

    fn combine_sets(
        &self,
        p: &Program,
        (d, a, b, w): (R, R, R, u8),
        constant: impl Fn(R, u8) -> Option<Words>,
        join: impl Fn(u64, u64) -> u64,
        new: &mut Rows,
    ) {
        let (x, y) = (self.set(a, w), self.set(b, w));
        let Some((_, _, i, _)) = x.or(y) else { return };
        let (Some(u), false) = (self.thing(*i), overlap(d, w, *i, 1)) else { return };
        let w = w as usize;
        let side = |known: Option<&(R, u8, R, Planes)>, r: R| match known {
            Some((_, _, j, planes)) => (j == i).then(|| planes.clone()),
            None => constant(r, w as u8).map(|k| Rc::new(k.repeat(n(p, u) + 1))),
        };
        let (Some(x), Some(y)) = (side(x, a), side(y, b)) else { return };
        let planes: Vec<u64> = x.iter().zip(y.iter()).map(|(x, y)| join(*x, *y)).collect();
        if planes.len() == (n(p, u) + 1) * w {
            new.sets.push((d, w as u8, *i, Rc::new(planes)));
        }
    }

    /// An instruction that looks such a set up, in place of the one that combines it.
    pub fn find_planes(&self, p: &Program, ins: &Ins, new: &Rows, made: &mut NewGroups) -> Option<Ins> {
        let (d, w) = match *ins {
            Ins::SAnd { d, w, .. } | Ins::SOr { d, w, .. } | Ins::SAndNot { d, w, .. } => (d, w),
            // By an entry of a table.
            Ins::PlaneC { d, i, group } if self.thing(self.origin(i)).is_none() => (d, words_of(p, group)),
            _ => return None,
        };
        let (_, _, i, planes) = new.set(d, w)?;
        if !planes.is_empty() && planes.iter().all(|x| *x == 0) {
            return Some(Ins::SZero { d, w });
        }
        let there = made.groups.iter().find(|(_, _, v, x)| *v == w && x == planes).map(|(group, ..)| *group);
        let group = match there {
            Some(group) => group,
            None if made.words + planes.len() <= MOST_WORDS => {
                let k = p.groups.len() + made.groups.len();
                let group = GroupIx(u16::try_from(k).ok().filter(|k| *k < 60_000)?);
                made.words += planes.len();
                // The universe of the things is not used for a fixed group.
                made.groups.push((group, UniverseId(0), w, planes.clone()));
                group
            }
            None => return None,
        };
        Some(Ins::PlaneC { d, i: *i, group })
    }

    /// Whether a register holds a thing of that universe, or none.
    pub fn is_thing_of(&self, r: R, u: u8) -> bool {
        self.thing(r) == Some(u)
    }

    /// Records that a register holds a thing.
    pub fn add_thing(&mut self, r: R, u: u8) {
        self.things.push((r, u));
    }
}

/// The register of the component of which an instruction reads the place or face, and the instruction without registers.
fn component_read(ins: &Ins) -> Option<(R, Ins)> {
    match *ins {
        Ins::LdAt { c, u, .. } => Some((c, Ins::LdAt { d: 0, c: 0, u })),
        Ins::LdFace { c, u, .. } => Some((c, Ins::LdFace { d: 0, c: 0, u })),
        _ => None,
    }
}

fn n(p: &Program, u: u8) -> usize {
    p.universes.get(u as usize).map_or(0, |u| u.n as usize)
}

fn words_of(p: &Program, group: GroupIx) -> u8 {
    p.groups.get(group.index()).map_or(1, |g| g.w)
}

/// The bitmaps of a fixed group for each of `n` things, by their values; the last is that of none.
fn planes(p: &Program, g: &PlaneGroup, n: usize, value: impl Fn(usize) -> i64) -> Planes {
    let w = g.w as usize;
    let last = i64::from(g.n) - 1;
    let mut out = Vec::with_capacity((n + 1) * w);
    for k in 0..=n {
        let at = match value(k) {
            NONE => Some(i64::from(g.n)),
            v => {
                let k = v - i64::from(g.lo);
                if g.ordered { Some(k.clamp(0, last.max(0))) } else { (0..=last).contains(&k).then_some(k) }
            }
        };
        let words = at.and_then(|k| {
            let from = g.at as usize + usize::try_from(k).ok()? * w;
            p.sets.get(from..from + w)
        });
        match words {
            Some(words) => out.extend_from_slice(words),
            None => out.extend(std::iter::repeat_n(0, w)),
        }
    }
    Rc::new(out)
}

/// Adds the new groups to a program.
pub fn add_groups(p: &mut Program, made: NewGroups) {
    for (group, universe, w, planes) in made.groups {
        debug_assert_eq!(group.index(), p.groups.len());
        let n = (planes.len() / w.max(1) as usize).saturating_sub(1);
        let at = p.sets.len() as u32;
        p.sets.extend_from_slice(&planes);
        p.groups.push(PlaneGroup { universe, at, fixed: true, ordered: false, lo: 0, n: n as u16, w });
    }
}
