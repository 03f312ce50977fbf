//! Tic-tac-toe.
use super::{Final, Move, Rival, Rng, bits};

/// Nine cells, row by row.
pub struct Arrays {
    cells: [u8; 9],
    player: u8,
    winner: u8,
    plies: u32,
}

/// The lines through each cell, as the two other cells of each.
const THROUGH: [&[(usize, usize)]; 9] = [
    &[(1, 2), (3, 6), (4, 8)],
    &[(0, 2), (4, 7)],
    &[(0, 1), (5, 8), (4, 6)],
    &[(4, 5), (0, 6)],
    &[(3, 5), (1, 7), (0, 8), (2, 6)],
    &[(3, 4), (2, 8)],
    &[(7, 8), (0, 3), (2, 4)],
    &[(6, 8), (1, 4)],
    &[(6, 7), (2, 5), (0, 4)],
];

impl Arrays {
    #[inline(always)]
    fn put(&mut self, c: usize) {
        let p = self.player;
        self.cells[c] = p;
        self.plies += 1;
        if THROUGH[c].iter().any(|(a, b)| self.cells[*a] == p && self.cells[*b] == p) {
            self.winner = p;
        }
        self.player = 3 - p;
    }
}

impl Rival for Arrays {
    const GAME: &'static str = "tic-tac-toe";
    const KIND: &'static str = "arrays";

    #[inline(always)]
    fn start() -> Self {
        Arrays { cells: [0; 9], player: 1, winner: 0, plies: 0 }
    }

    #[inline(always)]
    fn step(&mut self, rng: &mut Rng) -> bool {
        let mut free = [0u8; 9];
        let mut n = 0;
        for (c, owner) in self.cells.iter().enumerate() {
            free[n] = c as u8;
            n += usize::from(*owner == 0);
        }
        if n == 0 || self.winner != 0 {
            return false;
        }
        self.put(free[rng.below(n as u32) as usize] as usize);
        true
    }

    fn play(&mut self, choice: Move) -> bool {
        let open = self.winner == 0 && self.cells.get(choice as usize) == Some(&0);
        if open {
            self.put(choice as usize);
        }
        open
    }

    fn choices(&self) -> Vec<Move> {
        if self.winner != 0 {
            Vec::new()
        } else {
            (0..9).filter(|c| self.cells[usize::from(*c)] == 0).collect()
        }
    }

    fn stand(&self) -> Final {
        let over = self.winner != 0 || self.plies == 9;
        Final { cells: self.cells.to_vec(), winner: self.winner, over, plies: self.plies }
    }

    #[inline(always)]
    fn result(&self) -> (u8, u32) {
        (self.winner, self.plies)
    }
}

/// Two sets of nine bits.
pub struct Bits {
    /// Who is to move, then the other.
    sides: [u64; 2],
    plies: u32,
    won: bool,
}

const ALL: u64 = 0o777;
const LINES: [u64; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o124, 0o421];

impl Bits {
    #[inline(always)]
    fn put(&mut self, cell: u64) {
        let mine = self.sides[0] | cell;
        self.won = LINES.iter().fold(false, |won, l| won | (mine & l == *l));
        self.sides = [self.sides[1], mine];
        self.plies += 1;
    }

    #[inline(always)]
    fn free(&self) -> u64 {
        if self.won { 0 } else { ALL & !(self.sides[0] | self.sides[1]) }
    }

    fn last(&self) -> u8 {
        if self.plies % 2 == 1 { 1 } else { 2 }
    }
}

impl Rival for Bits {
    const GAME: &'static str = "tic-tac-toe";
    const KIND: &'static str = "bitboards";

    #[inline(always)]
    fn start() -> Self {
        Bits { sides: [0; 2], plies: 0, won: false }
    }

    #[inline(always)]
    fn step(&mut self, rng: &mut Rng) -> bool {
        let free = self.free();
        if free == 0 {
            return false;
        }
        self.put(rng.bit(free));
        true
    }

    fn play(&mut self, choice: Move) -> bool {
        let cell = 1u64.checked_shl(u32::from(choice)).unwrap_or(0) & self.free();
        if cell != 0 {
            self.put(cell);
        }
        cell != 0
    }

    fn choices(&self) -> Vec<Move> {
        bits(self.free())
    }

    fn stand(&self) -> Final {
        let (mover, other) = (3 - self.last(), self.last());
        let owner = |c: u32| (self.sides[0] >> c & 1) as u8 * mover + (self.sides[1] >> c & 1) as u8 * other;
        let (winner, plies) = self.result();
        Final { cells: (0..9).map(owner).collect(), winner, over: self.free() == 0, plies }
    }

    #[inline(always)]
    fn result(&self) -> (u8, u32) {
        (if self.won { self.last() } else { 0 }, self.plies)
    }
}
