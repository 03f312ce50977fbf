//! Maps: which spaces touch, and what is asked of that (maps.md). Everything is searched for over columns and rows, from the west and from the south.
use super::*;

/// A map of one set-up.
#[derive(Clone, Debug)]
pub struct Board {
    pub shape: Shape,                        // How its spaces touch.
    pub at: BTreeMap<Datum, (i32, i32)>,     // Column and row of each space.
    pub spaces: BTreeMap<(i32, i32), Datum>, // The space at each column and row.
    pub ways: Vec<(Datum, Datum)>,           // From where to where the ways of a graph lead.
    pub rows: Vec<Vec<Datum>>,               // The places that its rows of ways list.
}

/// What it costs to enter a space; none if it may not be entered.
type Cost<'a> = &'a dyn Fn(&Datum) -> Option<i64>;

/// Columns and rows of a step in each of the eight directions, clockwise from north.
const COMPASS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

impl Board {
    /// The directions that the shape has, clockwise: eight on squares, six on hexes, two on a line.
    pub fn directions(&self) -> Vec<u32> {
        match self.shape {
            Shape::Squares { .. } => (0..8).collect(),
            Shape::Hexes { .. } => vec![1, 2, 3, 5, 6, 7],
            Shape::Line => vec![2, 6],
            Shape::Graph => Vec::new(),
        }
    }

    /// Directions over sides.
    fn straight(&self) -> Vec<u32> {
        let squares = matches!(self.shape, Shape::Squares { .. });
        self.directions().into_iter().filter(|d| !squares || d % 2 == 0).collect()
    }

    /// Where a step in a direction leads from a column and row, on the board or off it.
    fn next(&self, at: (i32, i32), dir: u32) -> Option<(i32, i32)> {
        let dir = self.directions().into_iter().find(|d| *d == dir)?;
        let (mut dc, dr) = COMPASS[dir as usize];
        match self.shape {
            // Each row stands half a hex further to the east: north-east is straight up, north-west one column back.
            Shape::Hexes { rhombus: true } if dir == 1 || dir == 5 => dc = 0,
            // Odd rows stand half a hex to the east of the even ones.
            Shape::Hexes { rhombus: false } if dr != 0 => dc = (dc - 1) / 2 + (at.1 & 1),
            _ => {}
        }
        Some((at.0 + dc, at.1 + dr))
    }

    /// `c step d`.
    pub fn step(&self, c: &Datum, dir: u32) -> Option<Datum> {
        self.spaces.get(&self.next(*self.at.get(c)?, dir)?).cloned()
    }

    /// The spaces that touch one.
    pub fn neighbours(&self, c: &Datum) -> Vec<Datum> {
        let corners = matches!(self.shape, Shape::Squares { diagonal: true });
        let ways = if corners { self.directions() } else { self.straight() };
        let ends = self.ways.iter().filter(|(from, _)| from == c).map(|(_, to)| to.clone());
        ways.into_iter().filter_map(|d| self.step(c, d)).chain(ends).collect()
    }

    /// The spaces from one in a direction, without it, nearest first.
    pub fn ray(&self, c: &Datum, dir: u32) -> Vec<Datum> {
        std::iter::successors(self.step(c, dir), |x| self.step(x, dir)).collect()
    }

    /// The direction from one space to another that stands in line with it.
    pub fn direction(&self, a: &Datum, b: &Datum) -> Option<u32> {
        self.directions().into_iter().find(|d| self.ray(a, *d).contains(b))
    }

    /// The spaces between two that stand in line.
    pub fn between(&self, a: &Datum, b: &Datum) -> Vec<Datum> {
        let ray = self.direction(a, b).map_or_else(Vec::new, |d| self.ray(a, d));
        ray.into_iter().take_while(|x| x != b).collect()
    }

    /// Spaces with what a walk to each from some costs at least; what may not be entered has no cost.
    pub fn costs_from(&self, from: Vec<Datum>, cost: Cost<'_>) -> BTreeMap<Datum, i64> {
        let mut best: BTreeMap<Datum, i64> = from.iter().map(|c| (c.clone(), 0)).collect();
        let mut open = std::collections::VecDeque::from(from);
        while let Some(c) = open.pop_front() {
            for x in self.neighbours(&c) {
                let n = cost(&x).map(|k| best[&c] + k);
                if n.is_some_and(|n| best.get(&x).is_none_or(|m| n < *m)) {
                    best.extend(n.map(|n| (x.clone(), n)));
                    open.push_back(x);
                }
            }
        }
        best
    }

    /// The walks that go on from one that has begun, to a space for at most so much, that enter no space twice; none if there are too many.
    pub fn walks(&self, walk: &[Datum], to: &Datum, left: i64, cost: Cost<'_>) -> Option<Vec<Vec<Datum>>> {
        let here = walk.last()?;
        if here == to {
            return Some(vec![walk.to_vec()]);
        }
        let mut out = Vec::new();
        for c in self.neighbours(here).into_iter().filter(|c| !walk.contains(c)) {
            if let Some(k) = cost(&c).filter(|k| *k <= left) {
                out.extend(self.walks(&[walk, &[c]].concat(), to, left - k, cost)?);
            }
        }
        (out.len() < 5_000).then_some(out)
    }

    /// The space in a direction and those in the next directions to either side. A direction that the shape has not has still the nearest of the shape beside it.
    pub fn fan(&self, c: &Datum, dir: u32) -> Vec<Datum> {
        let aside = if self.directions().len() > 2 { 1 } else { 0 };
        [0, aside, -aside].iter().filter_map(|by| self.step(c, self.turn(dir, *by))).collect()
    }

    /// The spaces so many steps one way and so many aside, and the other way round, over edges and gaps.
    pub fn leaps(&self, c: &Datum, a: i64, b: i64) -> Vec<Datum> {
        let ways = self.straight();
        let walk = |at: (i32, i32), dir: u32, n: i64| (0..n).try_fold(at, |at, _| self.next(at, dir));
        let mut out = Vec::new();
        for (i, dir) in ways.iter().enumerate() {
            let there =
                |(far, aside): &(i64, i64)| *far >= 0 && *aside >= 0 && (*aside == 0 || ways.len() > 2);
            for (far, aside) in [(a, b), (b, a)].into_iter().filter(there) {
                let at = self.at.get(c).and_then(|at| walk(*at, *dir, far));
                let at = at.and_then(|at| walk(at, ways[(i + 1) % ways.len()], aside));
                out.extend(at.and_then(|at| self.spaces.get(&at)).filter(|x| *x != c).cloned());
            }
        }
        out
    }

    /// The spaces of a row or a column, from the west or from the south.
    pub fn line(&self, row: bool, n: i64) -> Vec<Datum> {
        let is = |(column, on_row): (i32, i32)| i64::from(if row { on_row } else { column }) == n;
        self.at.iter().filter(|(_, at)| is(**at)).map(|(c, _)| c.clone()).collect()
    }

    /// All lines of so many spaces, each once.
    pub fn lines(&self, n: i64) -> Vec<Vec<Datum>> {
        if self.shape == Shape::Graph {
            let single: Vec<Vec<Datum>> = self.at.keys().map(|c| vec![c.clone()]).collect();
            let rows = if n == 1 { &single } else { &self.rows };
            let lines = rows.iter().filter(|_| n > 0).flat_map(|r| r.windows(n.max(1) as usize));
            return lines.map(<[Datum]>::to_vec).collect();
        }
        let half = self.directions().into_iter().filter(|d| *d < 4).take(if n == 1 { 1 } else { 4 });
        let all = half.flat_map(|d| self.at.keys().map(move |c| (c, d)));
        let line = |(c, d): (&Datum, u32)| [vec![c.clone()], self.ray(c, d)].concat();
        let long = all.map(line).filter(|l| n > 0 && l.len() as i64 >= n);
        long.map(|l| l[..n as usize].to_vec()).collect()
    }

    /// A direction turned clockwise, from one that the map has to the next.
    pub fn turn(&self, from: u32, by: i64) -> u32 {
        let ring: Vec<u32> = (0..8).filter(|d| *d == from || self.directions().contains(d)).collect();
        let at = ring.iter().position(|d| *d == from).unwrap_or(0) as i64 + by;
        ring[at.rem_euclid(ring.len() as i64) as usize]
    }

    /// How many turns lead from one direction to the other, the shorter way.
    pub fn angle(&self, from: u32, to: u32) -> Option<i64> {
        let ways = self.directions();
        let place = |d| ways.iter().position(|x| *x == d);
        let apart = place(from)?.abs_diff(place(to)?);
        Some(apart.min(ways.len() - apart) as i64)
    }
}
