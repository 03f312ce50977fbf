//! Computes where each space of a map is after rows and columns were added or removed at its sides.
use crate::draw::Spot;

/// How the places of a map move when it is resized.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shift {
    /// Columns to the east, of even rows.
    pub even: i32,
    /// The same of odd rows.
    pub odd: i32,
    /// Rows to the north.
    pub rows: i32,
    /// Columns and rows afterwards.
    pub size: (u32, u32),
}

impl Shift {
    /// Where a place is afterwards; none if it is taken away.
    pub fn moved_place(&self, s: Spot) -> Option<Spot> {
        let by = if s.row & 1 == 0 { self.even } else { self.odd };
        let column = u32::try_from(i64::from(s.column) + i64::from(by)).ok()?;
        let row = u32::try_from(i64::from(s.row) + i64::from(self.rows)).ok()?;
        (column < self.size.0 && row < self.size.1).then_some(Spot { column, row })
    }

    /// Where a place of the map afterwards was before: its column and row, which may lie beside the map that was.
    pub fn place_before(&self, s: Spot) -> (i64, i64) {
        let row = i64::from(s.row) - i64::from(self.rows);
        let by = if row.rem_euclid(2) == 0 { self.even } else { self.odd };
        (i64::from(s.column) - i64::from(by), row)
    }

    /// Whether columns get other letters.
    pub(super) fn is_moving_columns(&self) -> bool {
        self.even != 0 || self.odd != 0
    }

    /// Whether rows get other numbers.
    pub(super) fn is_moving_rows(&self) -> bool {
        self.rows != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_afterwards_leads_back_to_where_it_was() {
        for (even, odd, rows) in [(0, 0, 0), (2, 2, 1), (-1, 0, 1), (0, 1, -1), (1, 2, 3), (-2, -1, -3)] {
            let shift = Shift { even, odd, rows, size: (12, 11) };
            let all = (0..9).flat_map(|r| (0..10).map(move |c| Spot::new(c, r)));
            let kept: Vec<Spot> = all.filter(|s| shift.moved_place(*s).is_some()).collect();
            assert!(kept.len() > 30, "{shift:?}");
            for s in kept {
                let back = shift.moved_place(s).map(|to| shift.place_before(to));
                assert_eq!(back, Some((i64::from(s.column), i64::from(s.row))), "{shift:?}");
            }
        }
        let shift = Shift { even: 0, odd: 1, rows: 1, size: (5, 4) };
        assert_eq!(shift.place_before(Spot::new(0, 0)), (-1, -1), "it lies beside the map that was");
    }
}
