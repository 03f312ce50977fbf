//! Computes which spaces a brush covers and which signs it puts there. Pure functions: the preview and the written result come from the same ones.
use super::lattice::{Lattice, Spot, Symmetry, Turn, Vector};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The largest brush.
pub const LARGEST: u32 = 9;

/// What is to be written: a sign for each place, by row and column.
pub type Strokes = BTreeMap<Spot, Arc<str>>;

/// The places of a brush of a size from 1 to [`LARGEST`] about a place: a square of that side, or the hexes less than that many steps away.
pub fn stamp_places(l: &Lattice, at: Spot, size: u32) -> BTreeSet<Spot> {
    let size = size.clamp(1, LARGEST);
    let middle = l.vector(at);
    if l.is_hexes() {
        let n = size as i32 - 1;
        let all = (-n..=n).flat_map(|q| (-n..=n).map(move |r| Vector::new(q, r)));
        return all.filter(|v| (v.q + v.r).abs() <= n).filter_map(|v| l.spot(middle.plus(v))).collect();
    }
    let (from, to) = (-((size as i32 - 1) / 2), size as i32 / 2);
    let all = (from..=to).flat_map(|q| (from..=to).map(move |r| Vector::new(q, r)));
    all.filter_map(|v| l.spot(middle.plus(v))).collect()
}

/// The places of a straight line, both ends with it, one after the other.
pub fn line_places(l: &Lattice, from: Spot, to: Spot) -> Vec<Spot> {
    let (a, b) = (l.vector(from), l.vector(to));
    let n = i64::from(l.distance(from, to));
    if n == 0 {
        return if l.has_spot(from) { vec![from] } else { Vec::new() };
    }
    // Between two places that are equally near the one further on is taken, from whichever end the line is drawn: it is laid from the lesser end.
    let (a, b, turned) = if (a, from) <= (b, to) { (a, b, false) } else { (b, a, true) };
    let between = |x: i32, y: i32, k: i64| i64::from(x) * (n - k) + i64::from(y) * k;
    let mut out: Vec<Spot> = (0..=n)
        .filter_map(|k| {
            let (q, r) = (between(a.q, b.q, k), between(a.r, b.r, k));
            let (q, r) = if l.is_hexes() {
                nearest_hex(q, r, n)
            } else {
                (round_quotient(q, n), round_quotient(r, n))
            };
            l.spot(Vector::new(i32::try_from(q).ok()?, i32::try_from(r).ok()?))
        })
        .collect();
    out.dedup();
    if turned {
        out.reverse();
    }
    out
}

/// `x / n` rounded, a half upwards.
fn round_quotient(x: i64, n: i64) -> i64 {
    (2 * x + n).div_euclid(2 * n)
}

/// The hex nearest to the point `(q, r) / n`: of the three coordinates the one that was rounded most follows from the others.
fn nearest_hex(q: i64, r: i64, n: i64) -> (i64, i64) {
    let s = -q - r;
    let (rq, rr, rs) = (round_quotient(q, n), round_quotient(r, n), round_quotient(s, n));
    let (dq, dr, ds) = ((rq * n - q).abs(), (rr * n - r).abs(), (rs * n - s).abs());
    if dq > dr && dq > ds {
        (-rr - rs, rr)
    } else if dr > ds {
        (rq, -rq - rs)
    } else {
        (rq, rr)
    }
}

/// The places of a rectangle with these corners: whole, or its rim only.
pub fn rectangle_places(l: &Lattice, a: Spot, b: Spot, rim: bool) -> BTreeSet<Spot> {
    let (west, east) = (a.column.min(b.column), a.column.max(b.column));
    let (south, north) = (a.row.min(b.row), a.row.max(b.row));
    let on_rim = |s: &Spot| [west, east].contains(&s.column) || [south, north].contains(&s.row);
    (south..=north.min(l.rows.saturating_sub(1)))
        .flat_map(|row| {
            (west..=east.min(l.columns.saturating_sub(1))).map(move |column| Spot { column, row })
        })
        .filter(|s| l.has_spot(*s) && (!rim || on_rim(s)))
        .collect()
}

/// The places that hang together with a place over sides and have the same sign.
pub fn fill_places<'a>(l: &Lattice, from: Spot, sign: impl Fn(Spot) -> Option<&'a str>) -> BTreeSet<Spot> {
    let mut found = BTreeSet::new();
    if !l.has_spot(from) {
        return found;
    }
    let wanted = sign(from);
    let mut todo = vec![from];
    found.insert(from);
    while let Some(s) = todo.pop() {
        for n in l.neighbours(s) {
            if sign(n) == wanted && found.insert(n) {
                todo.push(n);
            }
        }
    }
    found
}

/// The places with a sign.
pub fn places_with_sign<'a>(
    l: &Lattice,
    wanted: &str,
    sign: impl Fn(Spot) -> Option<&'a str>,
) -> BTreeSet<Spot> {
    l.spots().filter(|s| sign(*s) == Some(wanted)).collect()
}

/// Places and their images.
pub fn mirror_places(l: &Lattice, spots: &BTreeSet<Spot>, symmetry: Symmetry) -> BTreeSet<Spot> {
    spots.iter().flat_map(|s| l.images_of(*s, symmetry)).collect()
}

/// One sign on all places.
pub fn with_sign(spots: &BTreeSet<Spot>, sign: &str) -> Strokes {
    let sign: Arc<str> = sign.into();
    spots.iter().map(|s| (*s, sign.clone())).collect()
}

/// Signs by weight, chosen by chance. The same seed gives the same signs for the same places, whichever others there are, so that a stroke does not change while it grows;
/// what is written is what came out, never the seed. Without a sign of some weight nothing is written.
pub fn scatter_signs(spots: &BTreeSet<Spot>, signs: &[(Arc<str>, u32)], seed: u64) -> Strokes {
    let all: u64 = signs.iter().map(|(_, w)| u64::from(*w)).sum();
    if all == 0 {
        return Strokes::new();
    }
    let pick = |s: &Spot| {
        let place = u64::from(s.column) << 32 | u64::from(s.row);
        let mut n = mix_bits(seed ^ mix_bits(place)) % all;
        signs.iter().find_map(|(sign, w)| {
            let w = u64::from(*w);
            if n < w {
                return Some(sign.clone());
            }
            n -= w;
            None
        })
    };
    spots.iter().filter_map(|s| Some((*s, pick(s)?))).collect()
}

/// One round of SplitMix64.
fn mix_bits(x: u64) -> u64 {
    let mut z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// A piece of a map in the hand: signs by steps from where it was taken up.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clip {
    /// Steps and signs.
    pub signs: Vec<(Vector, Arc<str>)>,
}

impl Clip {
    /// Takes up places; places without a sign (outside the picture's rows) are taken as `.`.
    pub fn from_places<'a>(
        l: &Lattice,
        spots: &BTreeSet<Spot>,
        from: Spot,
        sign: impl Fn(Spot) -> Option<&'a str>,
    ) -> Clip {
        let back = l.vector(from).reversed();
        let signs = spots.iter().map(|s| (l.vector(*s).plus(back), sign(*s).unwrap_or(".").into()));
        Clip { signs: signs.collect() }
    }

    /// Turns or mirrors the clip about the place where it is held.
    pub fn turn(&self, l: &Lattice, turn: Turn) -> Clip {
        Clip { signs: self.signs.iter().map(|(v, s)| (l.turn(*v, turn), s.clone())).collect() }
    }

    /// What is written if it is put down there. Pieces that fall off the map are not written; how many of them are more than `.` is told.
    pub fn put_down(&self, l: &Lattice, at: Spot) -> (Strokes, usize) {
        let at = l.vector(at);
        let mut strokes = Strokes::new();
        let mut lost = 0;
        for (v, sign) in &self.signs {
            match l.spot(at.plus(*v)) {
                Some(s) => {
                    strokes.insert(s, sign.clone());
                }
                None => lost += usize::from(&**sign != "."),
            }
        }
        (strokes, lost)
    }

    /// What is written if places are taken up and put down elsewhere: what they leave is erased, what is put down holds over it.
    pub fn move_to(&self, l: &Lattice, from: &BTreeSet<Spot>, at: Spot) -> (Strokes, usize) {
        let (put, lost) = self.put_down(l, at);
        let mut strokes = with_sign(from, ".");
        strokes.extend(put);
        (strokes, lost)
    }
}

#[cfg(test)]
mod tests {
    use super::super::lattice::Topology;
    use super::*;

    const SQUARES: Lattice =
        Lattice { topology: Topology::Squares { diagonal: false }, columns: 10, rows: 10 };
    const HEXES: Lattice = Lattice { topology: Topology::Hexes { rhombus: false }, columns: 10, rows: 11 };

    #[test]
    fn stamps_have_their_sizes() {
        let middle = Spot::new(5, 5);
        assert_eq!(stamp_places(&SQUARES, middle, 1), [middle].into());
        for n in 1..=5 {
            assert_eq!(stamp_places(&SQUARES, middle, n).len() as u32, n * n);
            assert_eq!(stamp_places(&HEXES, middle, n).len() as u32, 3 * n * (n - 1) + 1);
        }
        assert_eq!(stamp_places(&SQUARES, Spot::new(0, 0), 3).len(), 4);
    }

    #[test]
    fn lines_hang_together_and_are_the_same_from_both_ends() {
        for l in [SQUARES, HEXES] {
            for a in l.spots().step_by(7) {
                for b in l.spots() {
                    let there = line_places(&l, a, b);
                    assert_eq!((there.first(), there.last()), (Some(&a), Some(&b)), "{l:?}");
                    assert_eq!(there.len() as u32, l.distance(a, b) + 1);
                    assert!(there.windows(2).all(|p| l.distance(p[0], p[1]) == 1));
                    let mut back = line_places(&l, b, a);
                    back.reverse();
                    assert_eq!(there, back);
                }
            }
        }
    }

    #[test]
    fn fills_stop_at_other_signs() {
        let wall = |s: Spot| Some(if s.column == 4 { "#" } else { "." });
        assert_eq!(fill_places(&SQUARES, Spot::new(0, 0), wall).len(), 40);
        assert_eq!(fill_places(&SQUARES, Spot::new(4, 3), wall).len(), 10);
        assert_eq!(places_with_sign(&SQUARES, ".", wall).len(), 90);
        assert!(fill_places(&SQUARES, Spot::new(40, 0), wall).is_empty());
    }

    #[test]
    fn rectangles_whole_and_rims() {
        let (a, b) = (Spot::new(7, 2), Spot::new(4, 5));
        assert_eq!(rectangle_places(&SQUARES, a, b, false).len(), 16);
        assert_eq!(rectangle_places(&SQUARES, a, b, true).len(), 12);
    }

    #[test]
    fn chance_keeps_to_weights_and_to_its_places() {
        let signs: Vec<(Arc<str>, u32)> = vec![("a".into(), 3), ("b".into(), 1), ("c".into(), 0)];
        let all: BTreeSet<Spot> = SQUARES.spots().collect();
        let got = scatter_signs(&all, &signs, 7);
        let count = |sign: &str| got.values().filter(|s| &***s == sign).count();
        assert_eq!(got.len(), 100);
        assert!((55..95).contains(&count("a")) && count("c") == 0);
        let one: BTreeSet<Spot> = [Spot::new(3, 3)].into();
        assert_eq!(scatter_signs(&one, &signs, 7)[&Spot::new(3, 3)], got[&Spot::new(3, 3)]);
        assert_ne!(scatter_signs(&all, &signs, 8), got);
        assert!(scatter_signs(&all, &[], 8).is_empty());
    }

    /// What is put down elsewhere, at either parity, turned or mirrored, has the same neighbours as before.
    #[test]
    fn pieces_keep_their_neighbours() {
        for l in [SQUARES, HEXES, Lattice { topology: Topology::Hexes { rhombus: true }, ..HEXES }] {
            let from = Spot::new(4, 4);
            let spots = stamp_places(&l, from, 3);
            let signs: BTreeMap<Spot, String> =
                spots.iter().enumerate().map(|(i, s)| (*s, format!("s{i}"))).collect();
            let clip = Clip::from_places(&l, &spots, from, |s| signs.get(&s).map(String::as_str));
            let beside = |strokes: &Strokes| -> BTreeSet<(Arc<str>, Arc<str>)> {
                let near = |s: Spot| l.neighbours(s).into_iter().filter_map(|n| strokes.get(&n).cloned());
                strokes.iter().flat_map(|(s, a)| near(*s).map(|b| (a.clone(), b))).collect()
            };
            let (before, _) = clip.put_down(&l, from);
            for at in [Spot::new(5, 5), Spot::new(4, 6), Spot::new(3, 3)] {
                for turn in
                    [None, Some(Turn::Right), Some(Turn::Left), Some(Turn::WestEast), Some(Turn::SouthNorth)]
                {
                    let piece = turn.map_or(clip.clone(), |t| clip.turn(&l, t));
                    let (after, lost) = piece.put_down(&l, at);
                    assert_eq!((lost, beside(&after)), (0, beside(&before)), "{l:?} {at:?} {turn:?}");
                }
            }
            assert!(clip.put_down(&l, Spot::new(0, 0)).1 > 0);
        }
    }

    #[test]
    fn moving_leaves_nothing_behind_but_what_is_put_there() {
        let from: BTreeSet<Spot> = [Spot::new(0, 0), Spot::new(1, 0)].into();
        let clip = Clip::from_places(&SQUARES, &from, Spot::new(0, 0), |s| {
            Some(if s.column == 0 { "a" } else { "b" })
        });
        let (strokes, _) = clip.move_to(&SQUARES, &from, Spot::new(1, 0));
        let signs: Vec<&str> = (0..3).map(|c| &*strokes[&Spot::new(c, 0)]).collect();
        assert_eq!(signs, [".", "a", "b"]);
    }
}
