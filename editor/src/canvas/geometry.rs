//! The geometry of a map on the screen: where each space is, and which space is under a point.
use egui::{Pos2, Rect, Vec2};

/// A place: column from the west, row from the south.
pub type At = (u32, u32);

/// How high a hex is for its width.
const HIGH: f32 = 1.154_700_5;
/// How far the rows of hexes are apart for the width of one.
const APART: f32 = 0.866_025_4;

/// How the places of a map lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Grid {
    /// Hexes, with a corner at the top; else squares.
    pub hexes: bool,
    /// Of hexes: each row lies half a hex further east than the one below; else every second one does.
    pub slanted: bool,
    /// How many columns.
    pub columns: u32,
    /// How many rows.
    pub rows: u32,
}

impl Grid {
    /// How large the map is, if a space is that wide.
    pub fn size(&self, scale: f32) -> Vec2 {
        let (c, r) = (self.columns as f32, self.rows as f32);
        if !self.hexes {
            return Vec2::new(c, r) * scale;
        }
        let shift = if self.slanted {
            (r - 1.0).max(0.0) / 2.0
        } else if self.rows > 1 {
            0.5
        } else {
            0.0
        };
        Vec2::new(c + shift, (r - 1.0).max(0.0) * APART + HIGH) * scale
    }

    /// The sides of a space, as directions of the rules: 0 is the north, 1 the north-east, and so on clockwise.
    pub fn sides(&self) -> &'static [u8] {
        if self.hexes { &[1, 2, 3, 5, 6, 7] } else { &[0, 2, 4, 6] }
    }

    /// The place beyond a side of a place, if the map has it.
    pub fn beyond(&self, (column, row): At, side: u8) -> Option<At> {
        // Along a row of hexes, what lies north-west of a place has its column or the one before.
        let odd = (row & 1) as i64;
        let (up, down) = match (self.hexes, self.slanted) {
            (false, _) => (0, 0),
            (true, true) => (-1, 0),
            (true, false) => (odd - 1, odd - 1),
        };
        let (x, y) = match side {
            0 => (0, 1),
            1 => (up + 1, 1),
            2 => (1, 0),
            3 => (down + 1, -1),
            4 => (0, -1),
            5 => (down, -1),
            6 => (-1, 0),
            _ => (up, 1),
        };
        let column = u32::try_from(i64::from(column) + x).ok().filter(|c| *c < self.columns)?;
        let row = u32::try_from(i64::from(row) + y).ok().filter(|r| *r < self.rows)?;
        Some((column, row))
    }

    /// How far a row begins to the east, in widths of a space.
    fn shift(&self, row: i64) -> f32 {
        match (self.hexes, self.slanted) {
            (false, _) => 0.0,
            (true, true) => row as f32 / 2.0,
            (true, false) => row.rem_euclid(2) as f32 / 2.0,
        }
    }

    /// How far two rows are apart, in widths of a space.
    pub fn apart(&self) -> f32 {
        if self.hexes { APART } else { 1.0 }
    }

    /// The map in a canvas.
    pub fn place_in(&self, canvas: Rect, scale: f32, pan: Vec2) -> Placed {
        let size = self.size(scale);
        Placed { grid: *self, scale, min: canvas.center() + pan - size / 2.0 }
    }
}

/// A map somewhere on the screen.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    grid: Grid,
    scale: f32,
    min: Pos2,
}

/// Columns and rows that are to be seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The westmost and one past the eastmost column.
    pub columns: (u32, u32),
    /// The southmost and one past the northmost row.
    pub rows: (u32, u32),
}

impl Range {
    /// The places, from the north-west on, as they are read.
    pub fn spots(&self) -> impl Iterator<Item = At> + use<> {
        let (columns, rows) = (self.columns, self.rows);
        (rows.0..rows.1).rev().flat_map(move |r| (columns.0..columns.1).map(move |c| (c, r)))
    }
}

impl Placed {
    /// The middle of a place.
    pub fn middle(&self, at: At) -> Pos2 {
        self.middle_of(i64::from(at.0), i64::from(at.1))
    }

    /// The middle of the space in a column and a row that the map may not have.
    pub fn middle_of(&self, column: i64, row: i64) -> Pos2 {
        let up = (i64::from(self.grid.rows) - 1 - row) as f32;
        let x = column as f32 + self.grid.shift(row) + 0.5;
        let y = if self.grid.hexes { up * APART + HIGH / 2.0 } else { up + 0.5 };
        self.min + Vec2::new(x, y) * self.scale
    }

    /// The box around the whole map.
    pub fn bounds(&self) -> Rect {
        Rect::from_min_size(self.min, self.grid.size(self.scale))
    }

    /// How far two columns and two rows are apart, in points.
    pub fn step(&self) -> Vec2 {
        Vec2::new(1.0, self.grid.apart()) * self.scale
    }

    /// The box around a place.
    pub fn rect(&self, at: At) -> Rect {
        self.rect_about(self.middle(at))
    }

    /// The box around a space with that middle.
    pub fn rect_about(&self, middle: Pos2) -> Rect {
        let high = if self.grid.hexes { HIGH } else { 1.0 };
        Rect::from_center_size(middle, Vec2::new(1.0, high) * self.scale)
    }

    /// The corners of a hex, drawn in by some points.
    pub fn corners(&self, at: At, inset: f32) -> Vec<Pos2> {
        self.corners_about(self.middle(at), inset)
    }

    /// The outline of a space with that middle, drawn in by some points.
    pub fn outline_about(&self, middle: Pos2, inset: f32) -> Vec<Pos2> {
        if self.grid.hexes {
            return self.corners_about(middle, inset);
        }
        let r = self.rect_about(middle).shrink(inset);
        vec![r.left_top(), r.right_top(), r.right_bottom(), r.left_bottom()]
    }

    fn corners_about(&self, m: Pos2, inset: f32) -> Vec<Pos2> {
        let r = (self.scale * HIGH / 2.0 - inset).max(0.5);
        (0..6)
            .map(|k| {
                let a = std::f32::consts::FRAC_PI_3 * (k as f32 + 0.5);
                m + Vec2::new(a.cos(), a.sin()) * r
            })
            .collect()
    }

    /// The ends of a side of a place, clockwise.
    pub fn side(&self, at: At, side: u8) -> [Pos2; 2] {
        if !self.grid.hexes {
            let r = self.rect(at);
            return match side {
                0 => [r.left_top(), r.right_top()],
                2 => [r.right_top(), r.right_bottom()],
                4 => [r.right_bottom(), r.left_bottom()],
                _ => [r.left_bottom(), r.left_top()],
            };
        }
        // The first corner lies in the south of the east side, the next ones clockwise.
        let first = match side {
            1 => 4,
            2 => 5,
            3 => 0,
            5 => 1,
            6 => 2,
            _ => 3,
        };
        let corners = self.corners(at, 0.0);
        let corner = |n: usize| corners.get(n % 6).copied().unwrap_or(self.middle(at));
        [corner(first), corner(first + 1)]
    }

    /// The place under a point.
    pub fn place_at(&self, p: Pos2) -> Option<At> {
        let v = (p - self.min) / self.scale;
        let (columns, rows) = (self.grid.columns, self.grid.rows);
        if !self.grid.hexes {
            if v.x < 0.0 || v.y < 0.0 || v.x >= columns as f32 || v.y >= rows as f32 {
                return None;
            }
            return Some((v.x as u32, rows - 1 - v.y as u32)).filter(|a| a.0 < columns);
        }
        // The nearest middle of the rows around: hexes are the places nearest to their middles.
        let guess = ((v.y - HIGH / 2.0) / APART).round() as i64;
        let near = (guess - 1..=guess + 1).filter_map(|up| {
            let row = (i64::from(rows) - 1)
                .checked_sub(up)
                .and_then(|r| u32::try_from(r).ok())
                .filter(|r| *r < rows)?;
            let column = (v.x - self.grid.shift(i64::from(row)) - 0.5).round();
            let column = (column >= 0.0 && column < columns as f32).then_some(column as u32)?;
            Some(((column, row), (self.middle((column, row)) - p).length_sq()))
        });
        let best = near.min_by(|a, b| a.1.total_cmp(&b.1))?;
        let reach = self.scale * HIGH / 2.0;
        (best.1 <= reach * reach).then_some(best.0)
    }

    /// The places that may be seen in a canvas.
    pub fn visible_places(&self, canvas: Rect) -> Range {
        let (columns, rows) = (self.grid.columns, self.grid.rows);
        let a = (canvas.min - self.min) / self.scale;
        let b = (canvas.max - self.min) / self.scale;
        let up = |y: f32| (y / self.grid.apart()).clamp(-2.0, rows as f32 + 2.0);
        let top = (up(a.y).floor() - 1.0).max(0.0) as u32;
        let bottom = (up(b.y).ceil() + 1.0).max(0.0) as u32;
        let most = if self.grid.hexes && self.grid.slanted { rows as f32 / 2.0 } else { 1.0 };
        let most = if self.grid.hexes { most } else { 0.0 };
        let west = (a.x - 1.0 - most).floor().clamp(0.0, columns as f32) as u32;
        let east = (b.x + 1.0).ceil().clamp(0.0, columns as f32) as u32;
        Range { columns: (west, east), rows: (rows.saturating_sub(bottom.min(rows)), rows - top.min(rows)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_in_the_middle_is_its_place() {
        let canvas = Rect::from_min_size(Pos2::new(10.0, 20.0), Vec2::new(400.0, 300.0));
        for (hexes, slanted) in [(false, false), (true, false), (true, true)] {
            let grid = Grid { hexes, slanted, columns: 9, rows: 7 };
            for scale in [7.0, 33.0, 120.0] {
                let placed = grid.place_in(canvas, scale, Vec2::new(13.0, -40.0));
                let seen: Vec<At> = placed.visible_places(canvas).spots().collect();
                for c in 0..9 {
                    for r in 0..7 {
                        let m = placed.middle((c, r));
                        assert_eq!(placed.place_at(m), Some((c, r)), "{grid:?} {scale}");
                        assert!(!canvas.contains(m) || seen.contains(&(c, r)), "{grid:?} {scale} {c} {r}");
                    }
                }
                assert_eq!(placed.place_at(placed.middle((0, 0)) + Vec2::new(-scale * 1.2, 0.0)), None);
                assert_eq!(placed.place_at(placed.middle((8, 6)) + Vec2::new(scale * 1.2, 0.0)), None);
            }
        }
    }

    #[test]
    fn a_step_over_a_side_leads_to_the_place_that_lies_there() {
        for (hexes, slanted) in [(false, false), (true, false), (true, true)] {
            let grid = Grid { hexes, slanted, columns: 5, rows: 5 };
            let p = grid.place_in(Rect::from_min_size(Pos2::ZERO, Vec2::splat(900.0)), 60.0, Vec2::ZERO);
            for at in (0..5).flat_map(|c| (0..5).map(move |r| (c, r))) {
                for side in grid.sides() {
                    let [a, b] = p.side(at, *side);
                    let middle = a + (b - a) / 2.0;
                    let there = p.middle(at) + (middle - p.middle(at)) * 2.0;
                    assert_eq!(grid.beyond(at, *side), p.place_at(there), "{grid:?} {at:?} {side}");
                    // 0 is the north, and the others follow clockwise.
                    let v = (middle - p.middle(at)).normalized();
                    let angle = f32::from(*side) * 45.0_f32.to_radians();
                    assert!(v.x * angle.sin() - v.y * angle.cos() > 0.9, "{grid:?} {side} {v:?}");
                }
            }
        }
    }

    #[test]
    fn north_is_up_and_odd_rows_lie_to_the_east() {
        let grid = Grid { hexes: true, slanted: false, columns: 3, rows: 3 };
        let p = grid.place_in(Rect::from_min_size(Pos2::ZERO, Vec2::splat(300.0)), 50.0, Vec2::ZERO);
        assert!(p.middle((0, 1)).y < p.middle((0, 0)).y);
        assert!((p.middle((0, 1)).x - p.middle((0, 0)).x - 25.0).abs() < 0.01);
        assert!((p.middle((0, 2)).x - p.middle((0, 0)).x).abs() < 0.01);
    }
}
