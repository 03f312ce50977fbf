//! Breakthrough. A choice is a pawn's cell and 64 times where it goes.
use super::{Final, Move, Rival, Rng};

/// A row of the array is nine cells, the last of them border, with a border row below and above.
const WIDE: usize = 9;
const SIZE: usize = WIDE * 10 + 1;
const BORDER: u8 = 3;
/// No position has more: sixteen pawns with three ways each.
const MOST: usize = 48;

/// Every cell's place in the array, row by row.
const PLACES: [u8; 64] = {
    let mut out = [0; 64];
    let mut i = 0;
    while i < 64 {
        out[i] = ((i / 8 + 1) * WIDE + i % 8 + 1) as u8;
        i += 1;
    }
    out
};

/// The number of the cell at a place of the array.
fn cell(place: u8) -> Move {
    let (row, column) = (place as usize / WIDE - 1, place as usize % WIDE - 1);
    (row * 8 + column) as Move
}

/// An array with a border.
pub struct Arrays {
    cells: [u8; SIZE],
    pawns: [u8; 3],
    player: u8,
    winner: u8,
    plies: u32,
}

impl Arrays {
    #[inline(always)]
    fn moves(&self, out: &mut [(u8, u8); MOST]) -> usize {
        let p = self.player;
        let ahead: isize = if p == 1 { WIDE as isize } else { -(WIDE as isize) };
        let mut n = 0;
        for from in PLACES {
            if self.cells[from as usize] != p {
                continue;
            }
            let front = (from as usize).wrapping_add_signed(ahead);
            if self.cells[front] == 0 {
                out[n] = (from, front as u8);
                n += 1;
            }
            for to in [front - 1, front + 1] {
                if self.cells[to] == 0 || self.cells[to] == 3 - p {
                    out[n] = (from, to as u8);
                    n += 1;
                }
            }
        }
        n
    }

    #[inline(always)]
    fn go(&mut self, from: u8, to: u8) {
        let p = self.player;
        let taken = self.cells[to as usize];
        self.cells[from as usize] = 0;
        self.cells[to as usize] = p;
        self.pawns[taken as usize] = self.pawns[taken as usize].wrapping_sub(1);
        let far = if p == 1 { to as usize >= WIDE * 8 } else { (to as usize) < WIDE * 2 };
        if far || self.pawns[3 - p as usize] == 0 {
            self.winner = p;
        }
        self.player = 3 - p;
        self.plies += 1;
    }

    /// What may be done, packed.
    fn all(&self) -> Vec<(Move, (u8, u8))> {
        let mut moves = [(0, 0); MOST];
        let n = if self.winner == 0 { self.moves(&mut moves) } else { 0 };
        moves[..n].iter().map(|(a, b)| (cell(*a) + 64 * cell(*b), (*a, *b))).collect()
    }
}

impl Rival for Arrays {
    const GAME: &'static str = "breakthrough";
    const KIND: &'static str = "arrays";

    #[inline(always)]
    fn start() -> Self {
        let mut cells = [BORDER; SIZE];
        for (i, place) in PLACES.iter().enumerate() {
            cells[*place as usize] = match i / 8 {
                0 | 1 => 1,
                6 | 7 => 2,
                _ => 0,
            };
        }
        Arrays { cells, pawns: [0, 16, 16], player: 1, winner: 0, plies: 0 }
    }

    #[inline(always)]
    fn step(&mut self, rng: &mut Rng) -> bool {
        if self.winner != 0 {
            return false;
        }
        let mut moves = [(0, 0); MOST];
        let n = self.moves(&mut moves);
        let (from, to) = moves[rng.below(n as u32) as usize];
        self.go(from, to);
        true
    }

    fn play(&mut self, choice: Move) -> bool {
        let found = self.all().into_iter().find(|(c, _)| *c == choice);
        if let Some((_, (from, to))) = found {
            self.go(from, to);
        }
        found.is_some()
    }

    fn choices(&self) -> Vec<Move> {
        self.all().into_iter().map(|(c, _)| c).collect()
    }

    fn stand(&self) -> Final {
        let cells = PLACES.iter().map(|c| self.cells[*c as usize]).collect();
        Final { cells, winner: self.winner, over: self.winner != 0, plies: self.plies }
    }

    #[inline(always)]
    fn result(&self) -> (u8, u32) {
        (self.winner, self.plies)
    }
}

/// A set of cells each.
pub struct Bits {
    /// Who is to move, then the other. Whoever is to move goes north: the board is turned upside down after every choice.
    sides: [u64; 2],
    plies: u32,
    won: bool,
}

const NOT_WEST: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_EAST: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const FAR: u64 = 0xff << 56;

impl Bits {
    /// Where pawns go straight, to the west, to the east; and from where, as a shift.
    #[inline(always)]
    fn moves(&self) -> [u64; 3] {
        let [mine, other] = self.sides;
        [mine << 8 & !(mine | other), (mine & NOT_WEST) << 7 & !mine, (mine & NOT_EAST) << 9 & !mine]
    }

    #[inline(always)]
    fn go(&mut self, to: u64, by: u32) {
        let mine = (self.sides[0] ^ to >> by) | to;
        let other = self.sides[1] & !to;
        self.won = mine & FAR != 0 || other == 0;
        self.sides = [other.swap_bytes(), mine.swap_bytes()];
        self.plies += 1;
    }

    /// Which row the mover takes for which.
    fn turned(&self, cell: u32) -> u32 {
        if self.plies.is_multiple_of(2) { cell } else { cell ^ 56 }
    }

    /// What may be done, packed, with where to and how far.
    fn all(&self) -> Vec<(Move, u64, u32)> {
        let sets = if self.won { [0; 3] } else { self.moves() };
        let mut out = Vec::new();
        for (set, by) in sets.into_iter().zip([8, 7, 9]) {
            for to in (0..64).filter(|to| set >> to & 1 == 1) {
                let code = self.turned(to - by) + 64 * self.turned(to);
                out.push((code as Move, 1 << to, by));
            }
        }
        out
    }

    fn last(&self) -> u8 {
        if self.plies % 2 == 1 { 1 } else { 2 }
    }
}

impl Rival for Bits {
    const GAME: &'static str = "breakthrough";
    const KIND: &'static str = "bitboards";

    #[inline(always)]
    fn start() -> Self {
        Bits { sides: [0xffff, 0xffff << 48], plies: 0, won: false }
    }

    #[inline(always)]
    fn step(&mut self, rng: &mut Rng) -> bool {
        if self.won {
            return false;
        }
        let sets = self.moves();
        let n = sets.map(u64::count_ones);
        let mut k = rng.below(n[0] + n[1] + n[2]);
        let mut way = 0;
        while k >= n[way] {
            k -= n[way];
            way += 1;
        }
        let mut left = sets[way];
        for _ in 0..k {
            left &= left - 1;
        }
        self.go(left & left.wrapping_neg(), [8, 7, 9][way]);
        true
    }

    fn play(&mut self, choice: Move) -> bool {
        let found = self.all().into_iter().find(|(c, _, _)| *c == choice);
        if let Some((_, to, by)) = found {
            self.go(to, by);
        }
        found.is_some()
    }

    fn choices(&self) -> Vec<Move> {
        self.all().into_iter().map(|(c, _, _)| c).collect()
    }

    fn stand(&self) -> Final {
        let (mover, other) = (3 - self.last(), self.last());
        let owner = |c: u32| {
            let c = self.turned(c);
            (self.sides[0] >> c & 1) as u8 * mover + (self.sides[1] >> c & 1) as u8 * other
        };
        let (winner, plies) = self.result();
        Final { cells: (0..64).map(owner).collect(), winner, over: self.won, plies }
    }

    #[inline(always)]
    fn result(&self) -> (u8, u32) {
        (if self.won { self.last() } else { 0 }, self.plies)
    }
}
