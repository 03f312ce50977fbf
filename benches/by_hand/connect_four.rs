//! Connect four: seven columns of six.
use super::{Final, Move, Rival, Rng, bits};

const COLUMNS: usize = 7;
const ROWS: usize = 6;
/// Cells in a row of the array: a border column keeps runs from going round the edge.
const WIDE: usize = COLUMNS + 1;

/// Rows from the bottom, each with a border cell at its end, one border row below and above.
pub struct Arrays {
    cells: [u8; WIDE * (ROWS + 2) + 1],
    heights: [u8; COLUMNS],
    player: u8,
    winner: u8,
    plies: u32,
}

fn at(column: usize, row: usize) -> usize {
    (row + 1) * WIDE + column + 1
}

impl Arrays {
    #[inline(always)]
    fn drop(&mut self, column: usize) {
        let p = self.player;
        let here = at(column, self.heights[column] as usize);
        self.heights[column] += 1;
        self.cells[here] = p;
        self.plies += 1;
        for step in [1, WIDE - 1, WIDE, WIDE + 1] {
            let mut n = 1;
            let mut c = here + step;
            while self.cells[c] == p {
                n += 1;
                c += step;
            }
            c = here - step;
            while self.cells[c] == p {
                n += 1;
                c -= step;
            }
            if n >= 4 {
                self.winner = p;
                break;
            }
        }
        self.player = 3 - p;
    }
}

impl Rival for Arrays {
    const GAME: &'static str = "connect four";
    const KIND: &'static str = "arrays";

    #[inline(always)]
    fn start() -> Self {
        let cells = [0; WIDE * (ROWS + 2) + 1];
        Arrays { cells, heights: [0; COLUMNS], player: 1, winner: 0, plies: 0 }
    }

    #[inline(always)]
    fn step(&mut self, rng: &mut Rng) -> bool {
        if self.winner != 0 {
            return false;
        }
        let mut open = [0u8; COLUMNS];
        let mut n = 0;
        for (c, h) in self.heights.iter().enumerate() {
            if (*h as usize) < ROWS {
                open[n] = c as u8;
                n += 1;
            }
        }
        if n == 0 {
            return false;
        }
        self.drop(open[rng.below(n as u32) as usize] as usize);
        true
    }

    fn play(&mut self, choice: Move) -> bool {
        let open =
            self.winner == 0 && self.heights.get(choice as usize).is_some_and(|h| (*h as usize) < ROWS);
        if open {
            self.drop(choice as usize);
        }
        open
    }

    fn choices(&self) -> Vec<Move> {
        let open = |c: &Move| self.winner == 0 && (self.heights[*c as usize] as usize) < ROWS;
        (0..COLUMNS as Move).filter(open).collect()
    }

    fn stand(&self) -> Final {
        let cells = (0..ROWS).flat_map(|r| (0..COLUMNS).map(move |c| self.cells[at(c, r)])).collect();
        let over = self.winner != 0 || self.plies as usize == ROWS * COLUMNS;
        Final { cells, winner: self.winner, over, plies: self.plies }
    }

    #[inline(always)]
    fn result(&self) -> (u8, u32) {
        (self.winner, self.plies)
    }
}

/// Seven bits a column, the top one always empty.
pub struct Bits {
    /// Who is to move, then the other.
    sides: [u64; 2],
    plies: u32,
    won: bool,
}

const HIGH: u32 = ROWS as u32 + 1;
/// The lowest cell of every column.
const FLOOR: u64 = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28 | 1 << 35 | 1 << 42;
const BOARD: u64 = FLOOR * ((1 << ROWS) - 1);

#[inline(always)]
fn four(x: u64) -> bool {
    let run = |by: u32| {
        let two = x & x >> by;
        two & two >> (2 * by)
    };
    run(1) | run(HIGH - 1) | run(HIGH) | run(HIGH + 1) != 0
}

impl Bits {
    /// The cell where a disc would come to lie, in every column that is open.
    #[inline(always)]
    fn open(&self) -> u64 {
        if self.won { 0 } else { ((self.sides[0] | self.sides[1]) + FLOOR) & BOARD }
    }

    #[inline(always)]
    fn put(&mut self, cell: u64) {
        let mine = self.sides[0] | cell;
        self.won = four(mine);
        self.sides = [self.sides[1], mine];
        self.plies += 1;
    }

    fn last(&self) -> u8 {
        if self.plies % 2 == 1 { 1 } else { 2 }
    }
}

impl Rival for Bits {
    const GAME: &'static str = "connect four";
    const KIND: &'static str = "bitboards";

    #[inline(always)]
    fn start() -> Self {
        Bits { sides: [0; 2], plies: 0, won: false }
    }

    #[inline(always)]
    fn step(&mut self, rng: &mut Rng) -> bool {
        let open = self.open();
        if open == 0 {
            return false;
        }
        self.put(rng.bit(open));
        true
    }

    fn play(&mut self, choice: Move) -> bool {
        let column =
            if (choice as usize) < COLUMNS { ((1u64 << ROWS) - 1) << (HIGH * u32::from(choice)) } else { 0 };
        let cell = self.open() & column;
        if cell != 0 {
            self.put(cell);
        }
        cell != 0
    }

    fn choices(&self) -> Vec<Move> {
        bits(self.open()).into_iter().map(|b| b / HIGH as Move).collect()
    }

    fn stand(&self) -> Final {
        let (mover, other) = (3 - self.last(), self.last());
        let owner =
            |bit: u32| (self.sides[0] >> bit & 1) as u8 * mover + (self.sides[1] >> bit & 1) as u8 * other;
        let cells = (0..ROWS as u32)
            .flat_map(|r| (0..COLUMNS as u32).map(move |c| c * HIGH + r))
            .map(owner)
            .collect();
        let (winner, plies) = self.result();
        Final { cells, winner, over: self.open() == 0, plies }
    }

    #[inline(always)]
    fn result(&self) -> (u8, u32) {
        (if self.won { self.last() } else { 0 }, self.plies)
    }
}
