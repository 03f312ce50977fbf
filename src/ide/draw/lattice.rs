//! The geometry of a map: columns from the west, rows from the south, and the vectors by which spaces are moved, turned and mirrored.
//!
//! A vector is a step that means the same wherever it begins: columns and rows on squares, axial coordinates on hexes. So what is copied as vectors keeps its neighbours
//! whichever row it is put down in.
use houserule_syntax::ast::{Expr, ExprKind, Layout, Picture, Shape};
use std::sync::Arc;

/// How the spaces of a drawn map touch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Topology {
    /// Rows of squares; `diagonal` tells whether slanting neighbours are neighbours.
    Squares {
        /// Slanting neighbours are neighbours.
        diagonal: bool,
    },
    /// Rows of hexes: every second row, counted from the south, lies half a hex to the east; in a rhombus each row lies half a hex further.
    Hexes {
        /// Each row half a hex further.
        rhombus: bool,
    },
}

/// How the spaces of a map of squares or hexes touch.
pub(crate) fn to_topology(shape: &Shape) -> Topology {
    match shape.layout {
        Layout::Hexes => Topology::Hexes { rhombus: shape.rhombus },
        _ => Topology::Squares { diagonal: shape.diagonal },
    }
}

/// The size with which a map is declared; one that no map can have is none.
pub(crate) fn declared_size(shape: &Shape) -> Option<(u32, u32)> {
    let n = |e: &Option<Expr>| match e.as_ref().map(|e| &*e.kind) {
        Some(ExprKind::Int(n)) => u32::try_from(*n).ok().filter(|n| *n <= 100),
        _ => None,
    };
    Some((n(&shape.width)?, n(&shape.height)?))
}

/// Columns and rows of a picture; what is too large is cut.
pub(crate) fn drawn_size(p: &Picture) -> (u32, u32) {
    let columns = p.rows.iter().map(|r| r.cells.len()).max().unwrap_or(0);
    (columns.min(100) as u32, p.rows.len().min(100) as u32)
}

/// A place on a map: column from the west and row from the south, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot {
    /// From the west.
    pub column: u32,
    /// From the south.
    pub row: u32,
}

impl Spot {
    /// A place.
    pub fn new(column: u32, row: u32) -> Spot {
        Spot { column, row }
    }

    /// What the rules call it: `D5`.
    pub fn name(self) -> Arc<str> {
        format!("{}{}", column_name(self.column), self.row + 1).into()
    }

    /// The place that rules call so, whether a map has it or not.
    pub fn from_name(name: &str) -> Option<Spot> {
        let letters = name.bytes().take_while(u8::is_ascii_uppercase).count();
        let (letters, digits) = name.split_at_checked(letters)?;
        let sound = (1..=2).contains(&letters.len())
            && (1..=3).contains(&digits.len())
            && digits.bytes().all(|b| b.is_ascii_digit());
        if !sound {
            return None;
        }
        let column = letters.bytes().fold(0u32, |n, b| n * 26 + u32::from(b - b'A') + 1).checked_sub(1)?;
        let row = digits.parse::<u32>().ok()?.checked_sub(1)?;
        Some(Spot { column, row })
    }
}

/// The letters of a column: A to Z, then AA and so on.
pub fn column_name(column: u32) -> String {
    let mut n = column + 1;
    let mut letters = Vec::new();
    while n > 0 {
        letters.push(b'A' + ((n - 1) % 26) as u8);
        n = (n - 1) / 26;
    }
    letters.iter().rev().map(|b| char::from(*b)).collect()
}

/// A step that means the same from every space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Vector {
    /// Columns to the east; on hexes along the row.
    pub q: i32,
    /// Rows to the north; on hexes along the line to the north-east.
    pub r: i32,
}

impl Vector {
    /// A step.
    pub fn new(q: i32, r: i32) -> Vector {
        Vector { q, r }
    }

    /// One step and then another.
    pub fn plus(self, o: Vector) -> Vector {
        Vector { q: self.q.saturating_add(o.q), r: self.r.saturating_add(o.r) }
    }

    /// The step back.
    pub fn reversed(self) -> Vector {
        Vector { q: self.q.saturating_neg(), r: self.r.saturating_neg() }
    }
}

/// How a piece of a map is turned or mirrored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Turn {
    /// A quarter on squares, a sixth on hexes, clockwise.
    Right,
    /// A quarter on squares, a sixth on hexes, counter-clockwise.
    Left,
    /// West becomes east.
    WestEast,
    /// South becomes north.
    SouthNorth,
}

/// Topology and size: what is needed to know which places there are and how they lie.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Lattice {
    /// How the spaces touch.
    pub topology: Topology,
    /// How many columns.
    pub columns: u32,
    /// How many rows.
    pub rows: u32,
}

const SQUARE: [(i32, i32); 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
const HEX: [(i32, i32); 6] = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)];

impl Lattice {
    /// Whether the places are hexes.
    pub fn is_hexes(&self) -> bool {
        matches!(self.topology, Topology::Hexes { .. })
    }

    /// Whether there is such a place.
    pub fn has_spot(&self, s: Spot) -> bool {
        s.column < self.columns && s.row < self.rows
    }

    /// All places, row by row from the south-west.
    pub fn spots(&self) -> impl Iterator<Item = Spot> + use<> {
        let columns = self.columns;
        (0..self.rows).flat_map(move |row| (0..columns).map(move |column| Spot { column, row }))
    }

    /// A place as a step from A1.
    pub fn vector(&self, s: Spot) -> Vector {
        let (c, r) = (s.column as i32, s.row as i32);
        Vector { q: if self.is_staggered() { c - (r - (r & 1)) / 2 } else { c }, r }
    }

    /// The place to which a step from A1 leads, if it lies on the map.
    pub fn spot(&self, v: Vector) -> Option<Spot> {
        let column = if self.is_staggered() { v.q.checked_add(v.r.checked_sub(v.r & 1)? / 2)? } else { v.q };
        let s = Spot { column: u32::try_from(column).ok()?, row: u32::try_from(v.r).ok()? };
        self.has_spot(s).then_some(s)
    }

    /// Whether every second row lies half a hex to the east.
    pub fn is_staggered(&self) -> bool {
        self.topology == (Topology::Hexes { rhombus: false })
    }

    /// The middle of a place, in widths of a space: to the east, and rows to the north.
    pub fn middle(&self, s: Spot) -> (f32, f32) {
        let shift = match self.topology {
            Topology::Squares { .. } => 0.0,
            Topology::Hexes { rhombus: false } => (s.row & 1) as f32 / 2.0,
            Topology::Hexes { rhombus: true } => s.row as f32 / 2.0,
        };
        (s.column as f32 + shift, s.row as f32)
    }

    /// The steps over sides.
    pub fn steps(&self) -> impl Iterator<Item = Vector> + use<> {
        let all: &'static [(i32, i32)] = if self.is_hexes() { &HEX } else { &SQUARE[..4] };
        all.iter().map(|(q, r)| Vector { q: *q, r: *r })
    }

    /// The places beside a place, over sides.
    pub fn neighbours(&self, s: Spot) -> Vec<Spot> {
        let at = self.vector(s);
        self.steps().filter_map(|v| self.spot(at.plus(v))).collect()
    }

    /// How many steps from one place to the other; on squares slanting ones count as one.
    pub fn distance(&self, a: Spot, b: Spot) -> u32 {
        let d = self.vector(a).reversed().plus(self.vector(b));
        if self.is_hexes() {
            (d.q.unsigned_abs() + d.r.unsigned_abs() + (d.q + d.r).unsigned_abs()) / 2
        } else {
            d.q.unsigned_abs().max(d.r.unsigned_abs())
        }
    }

    /// A step, turned or mirrored about where it begins.
    pub fn turn(&self, v: Vector, turn: Turn) -> Vector {
        let Vector { q, r } = v;
        let (q, r) = match (self.is_hexes(), turn) {
            (false, Turn::Right) => (r, -q),
            (false, Turn::Left) => (-r, q),
            (false, Turn::WestEast) => (-q, r),
            (false, Turn::SouthNorth) => (q, -r),
            (true, Turn::Right) => (q + r, -q),
            (true, Turn::Left) => (-r, q + r),
            (true, Turn::WestEast) => (-q - r, r),
            (true, Turn::SouthNorth) => (q + r, -r),
        };
        Vector { q, r }
    }
}

/// Which copies of a stroke are made at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Symmetry {
    /// None.
    #[default]
    Off,
    /// West and east alike. In a rhombus: over the long diagonal.
    WestEast,
    /// South and north alike. In a rhombus: over the short diagonal.
    SouthNorth,
    /// Both.
    Both,
    /// Turned by a half.
    Half,
    /// Turned by quarters on squares as wide as high, by sixths on hexes, about the middle space.
    Round,
}

impl Symmetry {
    /// All of them, in the order in which a person is shown them.
    pub const ALL: [Symmetry; 6] = [
        Symmetry::Off,
        Symmetry::WestEast,
        Symmetry::SouthNorth,
        Symmetry::Both,
        Symmetry::Half,
        Symmetry::Round,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Symmetry::Off => "no symmetry",
            Symmetry::WestEast => "west and east alike",
            Symmetry::SouthNorth => "south and north alike",
            Symmetry::Both => "four alike",
            Symmetry::Half => "turned by a half",
            Symmetry::Round => "turned all round",
        }
    }
}

impl Lattice {
    /// A place and its images; places off the map are left out, each is named once.
    pub fn images_of(&self, s: Spot, symmetry: Symmetry) -> Vec<Spot> {
        let found = match symmetry {
            Symmetry::Off => vec![Some(s)],
            Symmetry::WestEast => vec![Some(s), self.mirror_west_east(s)],
            Symmetry::SouthNorth => vec![Some(s), self.mirror_south_north(s)],
            Symmetry::Both => {
                let (a, b) = (self.mirror_west_east(s), self.mirror_south_north(s));
                vec![Some(s), a, b, a.and_then(|a| self.mirror_south_north(a))]
            }
            Symmetry::Half => vec![Some(s), self.turn_half(s)],
            Symmetry::Round => self.turn_round(s),
        };
        let mut out: Vec<Spot> = Vec::new();
        for s in found.into_iter().flatten() {
            if !out.contains(&s) {
                out.push(s);
            }
        }
        out
    }

    fn mirror_west_east(&self, s: Spot) -> Option<Spot> {
        let v = self.vector(s);
        let last = self.columns as i32 - 1;
        match self.topology {
            Topology::Squares { .. } => self.spot(Vector::new(last - v.q, v.r)),
            Topology::Hexes { rhombus: true } => self.spot(Vector::new(v.r, v.q)),
            // About the middle of the even rows: the only line that maps all hexes on hexes.
            Topology::Hexes { rhombus: false } => self.spot(Vector::new(last - v.q - v.r, v.r)),
        }
    }

    fn mirror_south_north(&self, s: Spot) -> Option<Spot> {
        let v = self.vector(s);
        let (columns, rows) = (self.columns as i32 - 1, self.rows as i32 - 1);
        match self.topology {
            Topology::Squares { .. } => self.spot(Vector::new(v.q, rows - v.r)),
            Topology::Hexes { rhombus: true } => {
                // About the other diagonal of the middle; where the sides differ, what has no image stays alone.
                let across = (columns + rows) / 2;
                self.spot(Vector::new(across - v.r, across - v.q))
            }
            Topology::Hexes { rhombus: false } => {
                // Only about a row can hexes be mirrored: with an even number of rows the northmost one stays alone.
                let last = rows - (rows & 1);
                self.spot(Vector::new(v.q + v.r - last / 2, last - v.r))
            }
        }
    }

    fn turn_half(&self, s: Spot) -> Option<Spot> {
        if !self.has_spot(s) {
            return None;
        }
        let (column, row) = (self.columns - 1 - s.column, self.rows - 1 - s.row);
        // On hexes in offset rows: if the rows are even in number, each comes to lie on one of the other parity. Else the odd rows, half a hex to the east, stay odd.
        let back = u32::from(self.is_staggered() && self.rows % 2 == 1 && s.row % 2 == 1);
        Some(Spot { column: column.checked_sub(back)?, row })
    }

    fn turn_round(&self, s: Spot) -> Vec<Option<Spot>> {
        if !self.is_hexes() {
            if self.columns != self.rows {
                return vec![Some(s), self.turn_half(s)];
            }
            let last = self.columns as i32 - 1;
            let mut v = self.vector(s);
            return (0..4)
                .map(|_| {
                    let at = self.spot(v);
                    v = Vector::new(v.r, last - v.q);
                    at
                })
                .collect();
        }
        let middle = self.vector(Spot { column: self.columns.saturating_sub(1) / 2, row: self.rows / 2 });
        let mut v = middle.reversed().plus(self.vector(s));
        (0..6)
            .map(|_| {
                let at = self.spot(middle.plus(v));
                v = self.turn(v, Turn::Right);
                at
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Lattice> {
        let kinds = [
            Topology::Squares { diagonal: false },
            Topology::Hexes { rhombus: false },
            Topology::Hexes { rhombus: true },
        ];
        let sizes = [(1, 1), (2, 3), (5, 5), (6, 6), (7, 4), (4, 7)];
        let of = |topology| sizes.map(|(columns, rows)| Lattice { topology, columns, rows });
        kinds.into_iter().flat_map(of).collect()
    }

    #[test]
    fn names_and_places() {
        assert_eq!((&*Spot::new(3, 4).name(), &*Spot::new(26, 0).name()), ("D5", "AA1"));
        assert_eq!(Spot::from_name("D5"), Some(Spot::new(3, 4)));
        assert_eq!(Spot::from_name("AB12"), Some(Spot::new(27, 11)));
        for bad in ["", "D", "5", "d5", "D0", "ABC1", "D5x", "Dé", "ABCDEFGHIJKLMNOP1"] {
            assert_eq!(Spot::from_name(bad), None, "{bad}");
        }
    }

    #[test]
    fn vectors_lead_back() {
        for l in all() {
            for s in l.spots() {
                assert_eq!(l.spot(l.vector(s)), Some(s));
                for n in l.neighbours(s) {
                    assert_eq!(l.distance(s, n), 1);
                    assert!(l.neighbours(n).contains(&s));
                }
            }
        }
    }

    #[test]
    fn hexes_touch_as_the_engine_says() {
        let l = Lattice { topology: Topology::Hexes { rhombus: false }, columns: 3, rows: 3 };
        let names = |s: &str| -> Vec<String> {
            let mut all: Vec<String> =
                l.neighbours(Spot::from_name(s).unwrap()).iter().map(|s| s.name().to_string()).collect();
            all.sort();
            all
        };
        assert_eq!(names("B2"), ["A2", "B1", "B3", "C1", "C2", "C3"]);
        assert_eq!(names("B1"), ["A1", "A2", "B2", "C1"]);
    }

    #[test]
    fn turning_keeps_distances_and_comes_round() {
        for l in all() {
            let n = if l.is_hexes() { 6 } else { 4 };
            for (q, r) in [(1, 0), (2, -1), (-3, 2)] {
                let v = Vector::new(q, r);
                let round = (0..n).fold(v, |v, _| l.turn(v, Turn::Right));
                assert_eq!(round, v);
                assert_eq!(l.turn(l.turn(v, Turn::Right), Turn::Left), v);
                for t in [Turn::WestEast, Turn::SouthNorth] {
                    assert_eq!(l.turn(l.turn(v, t), t), v);
                }
            }
            let steps: Vec<Vector> = l.steps().collect();
            for t in [Turn::Right, Turn::Left, Turn::WestEast, Turn::SouthNorth] {
                assert!(steps.iter().all(|s| steps.contains(&l.turn(*s, t))), "{l:?} {t:?}");
            }
        }
    }

    #[test]
    fn symmetry_keeps_neighbours_and_leads_back() {
        for l in all() {
            for sym in Symmetry::ALL {
                for s in l.spots() {
                    let images = l.images_of(s, sym);
                    assert_eq!(images.first(), Some(&s));
                    assert!(images.iter().all(|i| l.has_spot(*i)));
                }
            }
            for f in [Lattice::mirror_west_east, Lattice::mirror_south_north, Lattice::turn_half] {
                for s in l.spots() {
                    let Some(t) = f(&l, s) else { continue };
                    assert_eq!(f(&l, t), Some(s), "{l:?} {s:?}");
                    for n in l.neighbours(s) {
                        if let Some(m) = f(&l, n) {
                            assert!(l.neighbours(t).contains(&m), "{l:?} {s:?} {n:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn half_a_turn_covers_whole_maps() {
        for l in all().iter().filter(|l| !l.is_staggered() || l.rows % 2 == 0) {
            assert!(l.spots().all(|s| l.turn_half(s).is_some()), "{l:?}");
        }
    }
}
