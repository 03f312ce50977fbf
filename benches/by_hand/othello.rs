//! Othello. A forced pass is a choice of its own; the two that end a game are none.
use super::{Final, Move, PASS, Rival, Rng, bits};

/// A row of the array is nine cells, the last of them border, with border rows around.
const WIDE: usize = 9;
const SIZE: usize = WIDE * 10 + 1;
const BORDER: u8 = 3;
const STEPS: [isize; 8] = [1, -1, 9, -9, 8, -8, 10, -10];

fn at(column: usize, row: usize) -> usize {
    (row + 1) * WIDE + column + 1
}

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

/// An array with a border.
pub struct Arrays {
    cells: [u8; SIZE],
    player: u8,
    plies: u32,
    over: bool,
}

impl Arrays {
    /// Whether a disc of `p` there would turn something over.
    #[inline(always)]
    fn turns(&self, here: usize, p: u8) -> bool {
        let other = 3 - p;
        STEPS.iter().any(|step| {
            let mut c = here.wrapping_add_signed(*step);
            if self.cells[c] != other {
                return false;
            }
            while self.cells[c] == other {
                c = c.wrapping_add_signed(*step);
            }
            self.cells[c] == p
        })
    }

    #[inline(always)]
    fn moves(&self, p: u8, out: &mut [u8; 64]) -> usize {
        let mut n = 0;
        for place in PLACES {
            if self.cells[place as usize] == 0 && self.turns(place as usize, p) {
                out[n] = place;
                n += 1;
            }
        }
        n
    }

    #[inline(always)]
    fn lay(&mut self, here: usize) {
        let (p, other) = (self.player, 3 - self.player);
        self.cells[here] = p;
        for step in STEPS {
            let mut c = here.wrapping_add_signed(step);
            while self.cells[c] == other {
                c = c.wrapping_add_signed(step);
            }
            if self.cells[c] == p {
                c = c.wrapping_add_signed(-step);
                while c != here {
                    self.cells[c] = p;
                    c = c.wrapping_add_signed(-step);
                }
            }
        }
        self.plies += 1;
        self.player = other;
    }

    fn any(&self, p: u8) -> bool {
        PLACES.iter().any(|c| self.cells[*c as usize] == 0 && self.turns(*c as usize, p))
    }
}

impl Rival for Arrays {
    const GAME: &'static str = "othello";
    const KIND: &'static str = "arrays";

    #[inline(always)]
    fn start() -> Self {
        let mut cells = [BORDER; SIZE];
        for place in PLACES {
            cells[place as usize] = 0;
        }
        for (column, row, p) in [(3, 4, 1), (4, 3, 1), (3, 3, 2), (4, 4, 2)] {
            cells[at(column, row)] = p;
        }
        Arrays { cells, player: 1, plies: 0, over: false }
    }

    #[inline(always)]
    fn step(&mut self, rng: &mut Rng) -> bool {
        let mut moves = [0u8; 64];
        let n = self.moves(self.player, &mut moves);
        if n > 0 {
            self.lay(moves[rng.below(n as u32) as usize] as usize);
            return true;
        }
        if self.over || !self.any(3 - self.player) {
            self.over = true;
            return false;
        }
        self.player = 3 - self.player;
        self.plies += 1;
        true
    }

    fn play(&mut self, choice: Move) -> bool {
        let fine = self.choices().contains(&choice);
        if fine && choice == PASS {
            self.player = 3 - self.player;
            self.plies += 1;
        } else if fine {
            self.lay(PLACES[choice as usize] as usize);
        }
        fine
    }

    fn choices(&self) -> Vec<Move> {
        let fits = |c: &Move| {
            let here = PLACES[*c as usize] as usize;
            self.cells[here] == 0 && self.turns(here, self.player)
        };
        let mut out: Vec<Move> = (0..64).filter(fits).collect();
        if out.is_empty() && self.any(3 - self.player) {
            out.push(PASS);
        }
        out
    }

    fn stand(&self) -> Final {
        let cells = PLACES.iter().map(|c| self.cells[*c as usize]).collect();
        let (winner, plies) = self.result();
        let over = self.choices().is_empty();
        Final { cells, winner: if over { winner } else { 0 }, over, plies }
    }

    #[inline(always)]
    fn result(&self) -> (u8, u32) {
        let (mut first, mut second) = (0, 0);
        for c in self.cells {
            first += u32::from(c == 1);
            second += u32::from(c == 2);
        }
        (winner(first, second), self.plies)
    }
}

fn winner(first: u32, second: u32) -> u8 {
    u8::from(first != second) + u8::from(second > first)
}

/// Two sets of 64 bits.
pub struct Bits {
    mine: u64,
    others: u64,
    plies: u32,
    first_to_move: bool,
}

/// Without the westmost and without the eastmost column.
const NOT_WEST: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_EAST: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// One step in each of the eight directions: shift (negative: right) and what may be there afterwards.
const WAYS: [(i32, u64); 8] = [
    (8, !0),
    (-8, !0),
    (1, NOT_WEST),
    (-1, NOT_EAST),
    (9, NOT_WEST),
    (-9, NOT_EAST),
    (7, NOT_EAST),
    (-7, NOT_WEST),
];

#[inline(always)]
fn shift(x: u64, by: i32) -> u64 {
    if by > 0 { x << by } else { x >> -by }
}

/// All of `through` that is reached from `from` in one direction without a gap: doubling the length of the run that is known.
#[inline(always)]
fn run(from: u64, through: u64, by: i32, kept: u64) -> u64 {
    let mut open = through & kept;
    let mut run = open & shift(from, by);
    run |= open & shift(run, by);
    open &= shift(open, by);
    run |= open & shift(run, 2 * by);
    run | open & shift(run, 2 * by)
}

#[inline(always)]
fn moves(mine: u64, others: u64) -> u64 {
    let mut out = 0;
    for (by, kept) in WAYS {
        out |= shift(run(mine, others, by, kept), by) & kept;
    }
    out & !(mine | others)
}

#[inline(always)]
fn flips(cell: u64, mine: u64, others: u64) -> u64 {
    let mut out = 0;
    for (by, kept) in WAYS {
        let row = run(cell, others, by, kept);
        let closed = shift(row, by) & kept & mine != 0;
        out |= if closed { row } else { 0 };
    }
    out
}

impl Bits {
    #[inline(always)]
    fn lay(&mut self, cell: u64) {
        let turned = flips(cell, self.mine, self.others);
        (self.mine, self.others) = (self.others & !turned, self.mine | turned | cell);
        self.first_to_move = !self.first_to_move;
        self.plies += 1;
    }

    fn pass(&mut self) {
        (self.mine, self.others) = (self.others, self.mine);
        self.first_to_move = !self.first_to_move;
        self.plies += 1;
    }
}

impl Rival for Bits {
    const GAME: &'static str = "othello";
    const KIND: &'static str = "bitboards";

    #[inline(always)]
    fn start() -> Self {
        Bits { mine: 1 << 28 | 1 << 35, others: 1 << 27 | 1 << 36, plies: 0, first_to_move: true }
    }

    #[inline(always)]
    fn step(&mut self, rng: &mut Rng) -> bool {
        let open = moves(self.mine, self.others);
        if open != 0 {
            self.lay(rng.bit(open));
            return true;
        }
        if moves(self.others, self.mine) == 0 {
            return false;
        }
        self.pass();
        true
    }

    fn play(&mut self, choice: Move) -> bool {
        let fine = self.choices().contains(&choice);
        if fine && choice == PASS {
            self.pass();
        } else if fine {
            self.lay(1 << choice);
        }
        fine
    }

    fn choices(&self) -> Vec<Move> {
        let mut out = bits(moves(self.mine, self.others));
        if out.is_empty() && moves(self.others, self.mine) != 0 {
            out.push(PASS);
        }
        out
    }

    fn stand(&self) -> Final {
        let (mover, other) = if self.first_to_move { (1, 2) } else { (2, 1) };
        let owner = |c: u32| (self.mine >> c & 1) as u8 * mover + (self.others >> c & 1) as u8 * other;
        let (winner, plies) = self.result();
        let over = self.choices().is_empty();
        Final { cells: (0..64).map(owner).collect(), winner: if over { winner } else { 0 }, over, plies }
    }

    #[inline(always)]
    fn result(&self) -> (u8, u32) {
        let (mine, others) = (self.mine.count_ones(), self.others.count_ones());
        let (first, second) = if self.first_to_move { (mine, others) } else { (others, mine) };
        (winner(first, second), self.plies)
    }
}
