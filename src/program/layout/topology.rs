//! Computes the topology of maps: neighbours, rays, distances, lines.
use crate::ir::*;
use houserule_model::hir::{LineSort, Shape};
use std::sync::Arc;

/// Columns and rows of the eight directions, clockwise from north; hexes use six of them.
const SQUARE: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// The step of a direction from a space; none if the shape does not have the direction.
fn step(shape: Shape, dir: usize, col: i32, row: i32) -> Option<(i32, i32)> {
    match shape {
        Shape::Squares { .. } => SQUARE.get(dir).map(|(dc, dr)| (col + dc, row + dr)),
        Shape::Line => match dir {
            2 => Some((col + 1, row)),
            6 => Some((col - 1, row)),
            _ => None,
        },
        Shape::Graph => None,
        Shape::Hexes { rhombus: true } => match dir {
            1 => Some((col, row + 1)),
            2 => Some((col + 1, row)),
            3 => Some((col + 1, row - 1)),
            5 => Some((col, row - 1)),
            6 => Some((col - 1, row)),
            7 => Some((col - 1, row + 1)),
            _ => None,
        },
        Shape::Hexes { rhombus: false } => {
            // Odd rows are shifted half a hex to the east.
            let odd = row & 1;
            match dir {
                1 => Some((col + odd, row + 1)),
                2 => Some((col + 1, row)),
                3 => Some((col + odd, row - 1)),
                5 => Some((col + odd - 1, row - 1)),
                6 => Some((col - 1, row)),
                7 => Some((col + odd - 1, row + 1)),
                _ => None,
            }
        }
    }
}

/// The directions of a shape, clockwise.
fn directions(shape: Shape) -> &'static [usize] {
    match shape {
        Shape::Squares { .. } => &[0, 1, 2, 3, 4, 5, 6, 7],
        Shape::Hexes { .. } => &[1, 2, 3, 5, 6, 7],
        Shape::Line => &[2, 6],
        Shape::Graph => &[],
    }
}

/// The directions that lead over sides, clockwise.
pub fn side_directions(shape: Shape) -> &'static [usize] {
    match shape {
        Shape::Squares { .. } => &[0, 2, 4, 6],
        _ => directions(shape),
    }
}

/// A direction and its neighbours to both sides; a line has no sides.
pub fn fan(shape: Shape, dir: usize) -> Vec<usize> {
    let ways = directions(shape);
    let beside = |turn: usize| (1..4).map(|k| (dir + k * turn) % 8).find(|d| ways.contains(d));
    let mut out: Vec<usize> = ways.iter().copied().filter(|d| *d == dir).collect();
    if ways.len() > 2 {
        out.extend(beside(1));
        out.extend(beside(7));
    }
    out
}

/// The number of turns from one direction of the shape to another, the shorter way round.
pub fn angle(shape: Shape, from: usize, to: usize) -> i32 {
    let ways = directions(shape);
    let turns = |turn: usize| {
        let mut at = from;
        let mut n = 0;
        while at != to {
            at = (at + turn) % 8;
            n += i32::from(at == to || ways.contains(&at));
        }
        n
    };
    turns(1).min(turns(7))
}

/// A direction turned clockwise by so many directions of the shape. One that the shape lacks stands between its neighbours.
pub fn turn(shape: Shape, from: usize, by: usize) -> usize {
    let ways = directions(shape);
    let ring = (from..from + 8).map(|d| d % 8).filter(|d| *d == from || ways.contains(d));
    ring.cycle().nth(by).unwrap_or(from)
}

/// After how many turns each direction comes back, whether or not the shape has it.
pub fn full_turns(shape: Shape) -> usize {
    let n = directions(shape).len();
    if n == 8 { n } else { n * (n + 1) }
}

/// The position after some steps in a direction, over edges and gaps; `None` if it is off any map.
pub fn walk(shape: Shape, dir: usize, steps: i64, from: (i32, i32)) -> Option<(i32, i32)> {
    let steps = u16::try_from(steps).ok().filter(|n| *n <= 4096)?;
    (0..steps).try_fold(from, |(c, r), _| step(shape, dir, c, r))
}

/// The topology of the spaces with these columns and rows, row by row from the south-west; of a graph, with the rows of its ways. Distances are still missing.
pub fn topology(
    name: Arc<str>,
    spaces: UniverseId,
    shape: Shape,
    size: (u32, u32),
    at: Vec<(u16, u16)>,
    ways: Vec<Way>,
    rows: Vec<Vec<u16>>,
) -> Topology {
    let n = at.len();
    let w = n.div_ceil(64).max(1);
    let by_place: rustc_hash::FxHashMap<(i32, i32), u16> =
        at.iter().enumerate().map(|(s, (c, r))| ((i32::from(*c), i32::from(*r)), s as u16)).collect();
    let number = |c: i32, r: i32| by_place.get(&(c, r)).copied();
    let mut succ = vec![u16::MAX; 8 * n];
    for dir in 0..8 {
        for s in 0..n {
            let (c, r) = at[s];
            if let Some(t) = step(shape, dir, c.into(), r.into()).and_then(|(c, r)| number(c, r)) {
                succ[dir * n + s] = t;
            }
        }
    }
    let used: u16 = (0..8u16)
        .filter(|d| succ[*d as usize * n..][..n].iter().any(|t| *t != u16::MAX))
        .fold(0, |m, d| m | 1 << d);
    let neighbour_dirs = match shape {
        Shape::Squares { diagonal: false } => used & 0b0101_0101,
        _ => used,
    };
    let mut neighbours = vec![0u64; n * w];
    for s in 0..n {
        for d in (0..8).filter(|d| neighbour_dirs >> d & 1 == 1) {
            let t = succ[d * n + s];
            if t != u16::MAX {
                neighbours[s * w + t as usize / 64] |= 1 << (t % 64);
            }
        }
    }
    for (from, to, one_way) in &ways {
        let ends = [(*from, *to), (*to, *from)];
        for (a, b) in ends.into_iter().take(if *one_way { 1 } else { 2 }) {
            neighbours[usize::from(a) * w + usize::from(b) / 64] |= 1 << (b % 64);
        }
    }
    // A direction is a shift if its step adds the same number for all spaces.
    let mut shifts = Vec::new();
    if n <= 64 {
        for d in 0..8 {
            let mut mask = 0u64;
            let mut by = None;
            let mut same = true;
            for s in 0..n {
                let t = succ[d * n + s];
                if t != u16::MAX {
                    mask |= 1 << s;
                    let delta = i32::from(t) - s as i32;
                    same &= *by.get_or_insert(delta) == delta;
                }
            }
            if !same {
                shifts.clear();
                break;
            }
            shifts.push((by.unwrap_or(0) as i8, mask));
        }
    }
    let (mut rays, mut ray_list) = (Vec::with_capacity(8 * n), Vec::new());
    for d in 0..8 {
        for s in 0..n {
            let from = ray_list.len() as u32;
            let mut at = succ[d * n + s];
            while at != u16::MAX {
                ray_list.push(at);
                at = succ[d * n + at as usize];
            }
            rays.push((from, ray_list.len() as u32));
        }
    }
    Topology {
        name,
        spaces,
        size,
        hexes: matches!(shape, Shape::Hexes { .. }),
        at,
        dirs: 8,
        succ,
        shifts,
        neighbours,
        ways,
        rows,
        in_play: None,
        dist: Vec::new(),
        back: (0..8).map(|d| (d + 4) % 8).collect(),
        rays,
        ray_list,
    }
}

/// Makes a table of lists over a universe of `n` things.
pub fn line_table(universe: UniverseId, lists: Option<UniverseId>, n: usize, all: &[Vec<u16>]) -> LineTable {
    let w = n.div_ceil(64).max(1);
    let mut t = LineTable {
        universe,
        lists,
        ranges: Vec::new(),
        items: Vec::new(),
        masks: Vec::new(),
        through: Vec::new(),
        through_masks: Vec::new(),
        ascending: all.iter().all(|l| l.is_sorted_by(|a, b| a < b)),
    };
    for line in all {
        let from = t.items.len() as u32;
        t.items.extend(line);
        t.ranges.push((from, t.items.len() as u32));
        let at = t.masks.len();
        t.masks.resize(at + w, 0);
        for s in line {
            t.masks[at + *s as usize / 64] |= 1 << (s % 64);
        }
    }
    for s in 0..n {
        let from = t.through_masks.len() / w;
        for (line, mask) in all.iter().zip(t.masks.chunks_exact(w)) {
            if line.contains(&(s as u16)) {
                t.through_masks.extend(mask);
            }
        }
        t.through.push((from as u32, (t.through_masks.len() / w) as u32));
    }
    t
}

/// All lines of `len` spaces, each once: in the four directions from north to southeast, or those of them that the shape has; of a graph, behind each other in a row of its ways.
pub fn lines_of_length(m: &Topology, len: usize) -> LineTable {
    let n = m.at.len();
    let mut all = Vec::new();
    if len == 1 {
        all.extend((0..n as u16).map(|s| vec![s]));
    } else {
        all.extend(m.rows.iter().filter(|_| len > 0).flat_map(|r| r.windows(len)).map(<[u16]>::to_vec));
        for d in 0..4 {
            for s in 0..n {
                let (from, to) = m.rays[d * n + s];
                let ray = &m.ray_list[from as usize..to as usize];
                if len >= 2 && ray.len() + 1 >= len {
                    all.push(std::iter::once(s as u16).chain(ray[..len - 1].iter().copied()).collect());
                }
            }
        }
    }
    line_table(m.spaces, None, n, &all)
}

/// The rows or the columns of a map.
pub fn ranks(m: &Topology, sort: LineSort, lists: UniverseId) -> LineTable {
    let n = m.at.len();
    let count = if sort == LineSort::Column { m.size.0 } else { m.size.1 };
    let all: Vec<Vec<u16>> = (0..count as u16)
        .map(|k| {
            (0..n as u16)
                .filter(|s| {
                    let (c, r) = m.at[*s as usize];
                    k == if sort == LineSort::Column { c } else { r }
                })
                .collect()
        })
        .collect();
    line_table(m.spaces, Some(lists), n, &all)
}
