//! Hex, eleven by eleven. The first player joins the south edge with the north edge, the second the west edge with the east edge.
use super::{Final, Move, Rival, Rng};

const SIDE: usize = 11;
const CELLS: usize = SIDE * SIDE;
/// A row of the array, with a border cell at its end; a border row stands below and above.
const WIDE: usize = SIDE + 1;
const SIZE: usize = WIDE * (SIDE + 2) + 1;
/// The six neighbours: east, west, northeast, southwest, northwest, southeast.
const STEPS: [isize; 6] = [1, -1, WIDE as isize, -(WIDE as isize), WIDE as isize - 1, 1 - WIDE as isize];

/// Joined with the edge where a player's chains begin, and with the other.
const NEAR: u8 = 4;
const FAR: u8 = 8;
const OWNER: u8 = 3;

/// Every cell's place in the array, row by row.
const PLACES: [u8; CELLS] = {
    let mut out = [0; CELLS];
    let mut i = 0;
    while i < CELLS {
        out[i] = ((i / SIDE + 1) * WIDE + i % SIDE + 1) as u8;
        i += 1;
    }
    out
};

/// An array with a border: who has a cell, and with which of the two edges it is joined.
pub struct Arrays {
    cells: [u8; SIZE],
    player: u8,
    winner: u8,
    plies: u32,
}

impl Arrays {
    #[inline(always)]
    fn put(&mut self, here: usize) {
        let p = self.player;
        let line = if p == 1 { here / WIDE } else { here % WIDE };
        let mut joined = if line == 1 { NEAR } else { 0 } | if line == SIDE { FAR } else { 0 };
        for step in STEPS {
            let near = self.cells[here.wrapping_add_signed(step)];
            if near & OWNER == p {
                joined |= near;
            }
        }
        self.cells[here] = p | joined;
        let edges = joined & (NEAR | FAR);
        if edges == NEAR | FAR {
            self.winner = p;
        } else if edges != 0 {
            self.spread(here, p, edges);
        }
        self.player = 3 - p;
        self.plies += 1;
    }

    /// Stones that are joined with this one are joined with its edges.
    fn spread(&mut self, here: usize, p: u8, edges: u8) {
        let mut stack = [0u8; CELLS];
        stack[0] = here as u8;
        let mut n = 1;
        while n > 0 {
            n -= 1;
            let c = stack[n] as usize;
            for step in STEPS {
                let next = c.wrapping_add_signed(step);
                // Those that know it already have told the others.
                if self.cells[next] & OWNER == p && self.cells[next] & edges != edges {
                    self.cells[next] |= edges;
                    stack[n] = next as u8;
                    n += 1;
                }
            }
        }
    }
}

impl Rival for Arrays {
    const GAME: &'static str = "hex";
    const KIND: &'static str = "arrays";

    #[inline(always)]
    fn start() -> Self {
        // The border is nobody's and not empty.
        let mut cells = [OWNER; SIZE];
        for place in PLACES {
            cells[place as usize] = 0;
        }
        Arrays { cells, player: 1, winner: 0, plies: 0 }
    }

    #[inline(always)]
    fn step(&mut self, rng: &mut Rng) -> bool {
        if self.winner != 0 {
            return false;
        }
        let mut free = [0u8; CELLS];
        let mut n = 0;
        for place in PLACES {
            free[n] = place;
            n += usize::from(self.cells[place as usize] == 0);
        }
        self.put(free[rng.below(n as u32) as usize] as usize);
        true
    }

    fn play(&mut self, choice: Move) -> bool {
        let fine = self.choices().contains(&choice);
        if fine {
            self.put(PLACES[choice as usize] as usize);
        }
        fine
    }

    fn choices(&self) -> Vec<Move> {
        let free = |c: &Move| self.winner == 0 && self.cells[PLACES[*c as usize] as usize] == 0;
        (0..CELLS as Move).filter(free).collect()
    }

    fn stand(&self) -> Final {
        let cells = PLACES.iter().map(|c| self.cells[*c as usize] & OWNER).collect();
        Final { cells, winner: self.winner, over: self.winner != 0, plies: self.plies }
    }

    #[inline(always)]
    fn result(&self) -> (u8, u32) {
        (self.winner, self.plies)
    }
}

/// A set of 121 cells each.
pub struct Bits {
    stones: [u128; 2],
    /// What of them is joined with the edge where chains begin.
    joined: [u128; 2],
    plies: u32,
    won: bool,
}

const BOARD: u128 = (1 << CELLS) - 1;
const ROW: u128 = (1 << SIDE) - 1;
const WEST: u128 = {
    let mut out = 0;
    let mut i = 0;
    while i < SIDE {
        out |= 1 << (i * SIDE);
        i += 1;
    }
    out
};
const EAST: u128 = WEST << (SIDE - 1);
/// Where chains begin and end.
const EDGES: [(u128, u128); 2] = [(ROW, ROW << (CELLS - SIDE)), (WEST, EAST)];

/// The neighbours of a set.
#[inline(always)]
fn around(x: u128) -> u128 {
    let (inner, outer) = (x & !WEST, x & !EAST);
    outer << 1 | inner >> 1 | x << SIDE | x >> SIDE | inner << (SIDE - 1) | outer >> (SIDE - 1)
}

/// The n-th cell of a set.
#[inline(always)]
fn nth(set: u128, n: u32) -> u128 {
    let (low, high) = (set as u64, (set >> 64) as u64);
    let below = low.count_ones();
    let (mut left, skip, by) = if n < below { (low, n, 0) } else { (high, n - below, 64) };
    for _ in 0..skip {
        left &= left - 1;
    }
    u128::from(left & left.wrapping_neg()) << by
}

impl Bits {
    #[inline(always)]
    fn free(&self) -> u128 {
        if self.won { 0 } else { BOARD & !(self.stones[0] | self.stones[1]) }
    }

    #[inline(always)]
    fn put(&mut self, cell: u128) {
        let p = (self.plies % 2) as usize;
        let (near, far) = EDGES[p];
        self.stones[p] |= cell;
        self.plies += 1;
        if cell & near == 0 && around(cell) & self.joined[p] == 0 {
            return;
        }
        let left = self.stones[p] & !self.joined[p];
        let mut new = cell;
        loop {
            let more = around(new) & left & !new;
            if more == 0 {
                break;
            }
            new |= more;
        }
        self.joined[p] |= new;
        self.won = new & far != 0;
    }

    fn last(&self) -> u8 {
        if self.plies % 2 == 1 { 1 } else { 2 }
    }
}

impl Rival for Bits {
    const GAME: &'static str = "hex";
    const KIND: &'static str = "bitboards";

    #[inline(always)]
    fn start() -> Self {
        Bits { stones: [0; 2], joined: [0; 2], plies: 0, won: false }
    }

    #[inline(always)]
    fn step(&mut self, rng: &mut Rng) -> bool {
        let free = self.free();
        if free == 0 {
            return false;
        }
        self.put(nth(free, rng.below(free.count_ones())));
        true
    }

    fn play(&mut self, choice: Move) -> bool {
        let cell = 1u128.checked_shl(choice.into()).unwrap_or(0) & self.free();
        if cell != 0 {
            self.put(cell);
        }
        cell != 0
    }

    fn choices(&self) -> Vec<Move> {
        let free = self.free();
        (0..CELLS as Move).filter(|c| free >> c & 1 == 1).collect()
    }

    fn stand(&self) -> Final {
        let owner = |c: usize| (self.stones[0] >> c & 1) as u8 + 2 * (self.stones[1] >> c & 1) as u8;
        let (winner, plies) = self.result();
        Final { cells: (0..CELLS).map(owner).collect(), winner, over: self.won, plies }
    }

    #[inline(always)]
    fn result(&self) -> (u8, u32) {
        (if self.won { self.last() } else { 0 }, self.plies)
    }
}
