//! Where things lie on a page that is cut: rows and columns of boxes of one size, the bleed around them, and the cut marks.
use super::svg::{Point, Rect, Stroke, Svg};

/// The least room around what is printed, where the cut marks stand.
const RIM: f64 = 4.4;
/// The longest cut mark.
const LONGEST_MARK: f64 = 4.0;
/// Between a cut mark and what is printed.
const MARK_GAP: f64 = 0.4;
/// A cut mark.
const MARK: Stroke = Stroke { color: [60, 60, 60], width: 0.15 };

/// Boxes of one size on a page.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Grid {
    /// How many stand beside each other.
    pub columns: usize,
    /// How many stand below each other.
    pub rows: usize,
    page: Point,
    size: Point,
    gap: Point,
    bleed: f64,
    from: Point,
}

/// How much two boxes stand apart, and where the first one begins, in one direction.
fn spread(page: f64, size: f64, bleed: f64, count: usize) -> (f64, f64) {
    let count = count as f64;
    let free = page - 2.0 * RIM - 2.0 * bleed - count * size;
    let gap = if count > 1.0 { (free / (count - 1.0)).clamp(0.0, 2.0 * bleed) } else { 0.0 };
    (gap, (page - count * size - (count - 1.0) * gap) / 2.0)
}

/// How many boxes have room in one direction.
fn count(page: f64, size: f64, bleed: f64) -> usize {
    let room = page - 2.0 * RIM - 2.0 * bleed;
    // Neighbours stand apart by twice the bleed if all of them have room so, or by less.
    ((room + 1e-6) / size).floor().max(1.0) as usize
}

impl Grid {
    /// As many boxes of a size as a page has room for.
    pub fn new(page: Point, size: Point, bleed: f64) -> Grid {
        let columns = count(page.0, size.0, bleed);
        let rows = count(page.1, size.1, bleed);
        let ((gap_x, x), (gap_y, y)) =
            (spread(page.0, size.0, bleed, columns), spread(page.1, size.1, bleed, rows));
        Grid { columns, rows, page, size, gap: (gap_x, gap_y), bleed, from: (x, y) }
    }

    /// How many boxes a page has.
    pub fn count(&self) -> usize {
        self.columns * self.rows
    }

    /// A box by its number, row by row. On a back, columns are counted from the right, so that a sheet that is turned over its long side has each back behind its front.
    pub fn place(&self, n: usize, back: bool) -> Rect {
        let (column, row) = (n % self.columns, n / self.columns);
        let column = if back { self.columns - 1 - column } else { column };
        let x = self.from.0 + column as f64 * (self.size.0 + self.gap.0);
        let y = self.from.1 + row as f64 * (self.size.1 + self.gap.1);
        Rect::new(x, y, self.size.0, self.size.1)
    }

    /// How far the ground of that box may go over its edges: left, top, right, bottom. Between neighbours each has half of the gap.
    pub fn bleed_of(&self, n: usize, back: bool) -> [f64; 4] {
        let (column, row) = (n % self.columns, n / self.columns);
        let column = if back { self.columns - 1 - column } else { column };
        let side = |outer: bool, gap: f64| if outer { self.bleed } else { (gap / 2.0).min(self.bleed) };
        [
            side(column == 0, self.gap.0),
            side(row == 0, self.gap.1),
            side(column + 1 == self.columns, self.gap.0),
            side(row + 1 == self.rows, self.gap.1),
        ]
    }

    /// The cut marks: beyond the outer edges, at both sides of each column and row.
    pub fn marks(&self) -> Vec<[Point; 2]> {
        let edges = |from: f64, size: f64, gap: f64, count: usize| {
            let begin = move |n: usize| from + n as f64 * (size + gap);
            (0..count).flat_map(move |n| [begin(n), begin(n) + size]).collect::<Vec<f64>>()
        };
        let across = edges(self.from.0, self.size.0, self.gap.0, self.columns);
        let down = edges(self.from.1, self.size.1, self.gap.1, self.rows);
        let ends = |from: f64, page: f64| {
            let inner = from - self.bleed - MARK_GAP;
            let outer = (inner - LONGEST_MARK).max(0.0);
            [(inner, outer), (page - inner, page - outer)]
        };
        let mut out = Vec::new();
        for x in across {
            out.extend(ends(self.from.1, self.page.1).map(|(a, b)| [(x, a), (x, b)]));
        }
        for y in down {
            out.extend(ends(self.from.0, self.page.0).map(|(a, b)| [(a, y), (b, y)]));
        }
        out
    }

    /// Draws the cut marks.
    pub fn draw_marks(&self, svg: &mut Svg) {
        for [a, b] in self.marks() {
            svg.add_line(a, b, MARK, 0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{MOST_BLEED, Paper};

    #[test]
    fn nine_cards_have_room_and_marks_lie_outside_of_them() {
        for paper in [Paper::A4, Paper::Letter] {
            for bleed in [0.0, 1.0, 2.0, MOST_BLEED] {
                let page = paper.size();
                let grid = Grid::new(page, (63.0, 88.0), bleed);
                assert_eq!((grid.columns, grid.rows), (3, 3), "{paper:?} {bleed}");
                let boxes: Vec<(Rect, [f64; 4])> =
                    (0..9).map(|n| (grid.place(n, false), grid.bleed_of(n, false))).collect();
                for (r, [left, top, right, bottom]) in &boxes {
                    assert!(r.x - left >= 4.0 && r.x + r.width + right <= page.0 - 4.0, "{paper:?} {bleed}");
                    assert!(r.y - top >= 4.0 && r.y + r.height + bottom <= page.1 - 4.0, "{paper:?} {bleed}");
                }
                for [a, b] in grid.marks() {
                    let hits = boxes.iter().any(|(r, [left, top, right, bottom])| {
                        let within = |(x, y): Point| {
                            x > r.x - left
                                && x < r.x + r.width + right
                                && y > r.y - top
                                && y < r.y + r.height + bottom
                        };
                        (0..=10).any(|k| {
                            let t = f64::from(k) / 10.0;
                            within((a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t))
                        })
                    });
                    assert!(!hits, "{paper:?} {bleed} {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn backs_lie_behind_their_fronts() {
        let page = Paper::A4.size();
        let grid = Grid::new(page, (63.0, 88.0), 2.0);
        for n in 0..9 {
            let (front, back) = (grid.place(n, false), grid.place(n, true));
            assert!((front.x + front.width - (page.0 - back.x)).abs() < 1e-9, "{n}");
            assert!((front.y - back.y).abs() < 1e-9, "{n}");
        }
    }
}
