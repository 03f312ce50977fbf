//! Chess with the fifty-move rule, as most people would write it: one array with a border, all moves of the men tried one by one for the king they leave in check.
use super::{Final, Move as Choice, Rival, Rng};

/// Rows are ten wide, with two border rows above and below: a knight never leaves the array.
const WIDE: usize = 10;
const BORDER: i8 = 100;
const PAWN: i8 = 1;
const KNIGHT: i8 = 2;
const BISHOP: i8 = 3;
const ROOK: i8 = 4;
const QUEEN: i8 = 5;
const KING: i8 = 6;
const STRAIGHT: [isize; 4] = [10, 1, -10, -1];
const SLANT: [isize; 4] = [11, -9, -11, 9];
const ALL: [isize; 8] = [10, 1, -10, -1, 11, -9, -11, 9];
const LEAPS: [isize; 8] = [21, 12, -8, -19, -21, -12, 8, 19];

const fn at(cell: usize) -> usize {
    (cell / 8 + 2) * WIDE + cell % 8 + 1
}

fn cell(at: usize) -> u8 {
    ((at / WIDE - 2) * 8 + at % WIDE - 1) as u8
}

/// A move: from, to, what stands there then, and what is special.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Move {
    from: u8,
    to: u8,
    /// The man that arrives, without its colour.
    man: i8,
    special: Special,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Special {
    No,
    Double,
    Passing,
    Castle,
}

/// Behind from and to in a packed choice: the man that a pawn becomes (1 a knight … 4 a queen), or this: the king castles.
const CASTLES: Choice = 5;

/// An array with a border.
#[derive(Clone)]
pub struct Arrays {
    cells: [i8; 120],
    /// 1: white moves, -1: black.
    side: i8,
    kings: [u8; 2],
    /// Who may castle still: white east, white west, black east, black west.
    rights: u8,
    passed: u8,
    quiet: u32,
    plies: u32,
    over: bool,
    winner: u8,
}

/// What a move has changed and its undoing needs.
struct Before {
    taken: i8,
    rights: u8,
    passed: u8,
    quiet: u32,
}

/// The rights that are lost when something moves from or to there.
const fn lost(at: usize) -> u8 {
    match at {
        25 => 1 | 2,
        28 => 1,
        21 => 2,
        95 => 4 | 8,
        98 => 4,
        91 => 8,
        _ => 0,
    }
}
const LOST: [u8; 120] = {
    let mut out = [0; 120];
    let mut i = 0;
    while i < 120 {
        out[i] = lost(i);
        i += 1;
    }
    out
};

/// Room for all moves of a position.
struct Moves {
    list: [Move; 256],
    n: usize,
}

impl Moves {
    #[inline(always)]
    fn new() -> Moves {
        Moves { list: [Move { from: 0, to: 0, man: 0, special: Special::No }; 256], n: 0 }
    }

    #[inline(always)]
    fn push(&mut self, from: usize, to: usize, man: i8, special: Special) {
        self.list[self.n] = Move { from: from as u8, to: to as u8, man, special };
        self.n += 1;
    }
}

impl Arrays {
    fn begin() -> Arrays {
        let mut cells = [BORDER; 120];
        let back = [ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK];
        for c in 0..64 {
            cells[at(c)] = match c / 8 {
                0 => back[c],
                1 => PAWN,
                6 => -PAWN,
                7 => -back[c - 56],
                _ => 0,
            };
        }
        let kings = [at(4) as u8, at(60) as u8];
        Arrays { cells, side: 1, kings, rights: 15, passed: 0, quiet: 0, plies: 0, over: false, winner: 0 }
    }

    /// Whether a man of `by` could take there.
    #[inline(always)]
    fn attacked(&self, here: usize, by: i8) -> bool {
        let behind = -isize::from(by) * 10;
        for aside in [-1, 1] {
            if self.cells[here.wrapping_add_signed(behind + aside)] == by * PAWN {
                return true;
            }
        }
        for d in LEAPS {
            if self.cells[here.wrapping_add_signed(d)] == by * KNIGHT {
                return true;
            }
        }
        for (i, d) in ALL.iter().enumerate() {
            let mut c = here.wrapping_add_signed(*d);
            if self.cells[c] == by * KING {
                return true;
            }
            while self.cells[c] == 0 {
                c = c.wrapping_add_signed(*d);
            }
            let man = self.cells[c] * by;
            if man == QUEEN || man == if i < 4 { ROOK } else { BISHOP } {
                return true;
            }
        }
        false
    }

    #[inline(always)]
    fn king(&self, side: i8) -> usize {
        self.kings[usize::from(side < 0)] as usize
    }

    /// All moves of the men, whatever becomes of the king.
    #[inline(always)]
    fn men(&self, out: &mut Moves) {
        let side = self.side;
        for row in 2..10 {
            for from in row * WIDE + 1..row * WIDE + 9 {
                let man = self.cells[from] * side;
                if !(1..=KING).contains(&man) {
                    continue;
                }
                match man {
                    PAWN => self.pawn(from, out),
                    KNIGHT => self.steps(from, man, &LEAPS, out),
                    KING => self.steps(from, man, &ALL, out),
                    BISHOP => self.slides(from, man, &SLANT, out),
                    ROOK => self.slides(from, man, &STRAIGHT, out),
                    _ => self.slides(from, man, &ALL, out),
                }
            }
        }
    }

    #[inline(always)]
    fn free_or_foe(&self, to: usize) -> bool {
        let there = self.cells[to];
        there == 0 || (there != BORDER && there * self.side < 0)
    }

    #[inline(always)]
    fn steps(&self, from: usize, man: i8, ways: &[isize], out: &mut Moves) {
        for d in ways {
            let to = from.wrapping_add_signed(*d);
            if self.free_or_foe(to) {
                out.push(from, to, man, Special::No);
            }
        }
    }

    #[inline(always)]
    fn slides(&self, from: usize, man: i8, ways: &[isize], out: &mut Moves) {
        for d in ways {
            let mut to = from.wrapping_add_signed(*d);
            while self.cells[to] == 0 {
                out.push(from, to, man, Special::No);
                to = to.wrapping_add_signed(*d);
            }
            if self.free_or_foe(to) {
                out.push(from, to, man, Special::No);
            }
        }
    }

    #[inline(always)]
    fn pawn(&self, from: usize, out: &mut Moves) {
        let ahead = isize::from(self.side) * 10;
        let row = if self.side > 0 { from / WIDE - 1 } else { 10 - from / WIDE };
        let to = from.wrapping_add_signed(ahead);
        if self.cells[to] == 0 {
            Self::arrive(from, to, row, out);
            let far = to.wrapping_add_signed(ahead);
            if row == 2 && self.cells[far] == 0 {
                out.push(from, far, PAWN, Special::Double);
            }
        }
        for aside in [-1, 1] {
            let to = to.wrapping_add_signed(aside);
            let there = self.cells[to];
            if there != BORDER && there * self.side < 0 {
                Self::arrive(from, to, row, out);
            } else if to == self.passed as usize {
                out.push(from, to, PAWN, Special::Passing);
            }
        }
    }

    #[inline(always)]
    fn arrive(from: usize, to: usize, row: usize, out: &mut Moves) {
        if row == 7 {
            for man in [QUEEN, ROOK, BISHOP, KNIGHT] {
                out.push(from, to, man, Special::No);
            }
        } else {
            out.push(from, to, PAWN, Special::No);
        }
    }

    #[inline(always)]
    fn castles(&self, out: &mut Moves) {
        let shift = if self.side > 0 { 0 } else { 2 };
        let king = self.king(self.side);
        for (right, d, far) in [(1u8, 1isize, 3usize), (2, -1, 4)] {
            if self.rights >> shift & right == 0 {
                continue;
            }
            let free = (1..far).all(|k| self.cells[king.wrapping_add_signed(d * k as isize)] == 0);
            if free
                && !self.attacked(king, -self.side)
                && !self.attacked(king.wrapping_add_signed(d), -self.side)
            {
                out.push(king, king.wrapping_add_signed(2 * d), KING, Special::Castle);
            }
        }
    }

    #[inline(always)]
    fn make(&mut self, m: Move) -> Before {
        let (from, to) = (m.from as usize, m.to as usize);
        let before =
            Before { taken: self.cells[to], rights: self.rights, passed: self.passed, quiet: self.quiet };
        let pawn = self.cells[from] * self.side == PAWN;
        self.quiet = if pawn || before.taken != 0 { 0 } else { self.quiet + 1 };
        self.rights &= !(LOST[from] | LOST[to]);
        self.cells[from] = 0;
        self.cells[to] = m.man * self.side;
        self.passed = 0;
        if m.man == KING {
            self.kings[usize::from(self.side < 0)] = m.to;
        }
        match m.special {
            Special::No => {}
            Special::Double => self.passed = (m.from + m.to) / 2,
            Special::Passing => self.cells[to.wrapping_add_signed(-10 * isize::from(self.side))] = 0,
            Special::Castle => {
                let (rook, over) = if to > from { (to + 1, to - 1) } else { (to - 2, to + 1) };
                self.cells[rook] = 0;
                self.cells[over] = ROOK * self.side;
            }
        }
        self.side = -self.side;
        before
    }

    #[inline(always)]
    fn unmake(&mut self, m: Move, before: &Before, was: i8) {
        let (from, to) = (m.from as usize, m.to as usize);
        self.side = -self.side;
        self.cells[from] = was * self.side;
        self.cells[to] = before.taken;
        self.rights = before.rights;
        self.passed = before.passed;
        self.quiet = before.quiet;
        if m.man == KING {
            self.kings[usize::from(self.side < 0)] = m.from;
        }
        match m.special {
            Special::No | Special::Double => {}
            Special::Passing => {
                self.cells[to.wrapping_add_signed(-10 * isize::from(self.side))] = -PAWN * self.side;
            }
            Special::Castle => {
                let (rook, over) = if to > from { (to + 1, to - 1) } else { (to - 2, to + 1) };
                self.cells[rook] = ROOK * self.side;
                self.cells[over] = 0;
            }
        }
    }

    /// The legal moves.
    #[inline(always)]
    fn moves(&mut self, out: &mut Moves) {
        self.men(out);
        self.castles(out);
        let mut n = 0;
        for i in 0..out.n {
            let m = out.list[i];
            let was = self.cells[m.from as usize] * self.side;
            let before = self.make(m);
            // The other side moves now.
            if !self.attacked(self.king(-self.side), self.side) {
                out.list[n] = m;
                n += 1;
            }
            self.unmake(m, &before, was);
        }
        out.n = n;
    }

    /// Plays one uniformly random move; false if the game is over and there was none.
    #[inline(always)]
    fn go_on(&mut self, rng: &mut Rng) -> bool {
        if self.over {
            return false;
        }
        let mut moves = Moves::new();
        self.moves(&mut moves);
        if moves.n == 0 {
            self.over = true;
            if self.attacked(self.king(self.side), -self.side) {
                self.winner = if self.side > 0 { 2 } else { 1 };
            }
            return false;
        }
        if self.quiet >= 100 {
            self.over = true;
            return false;
        }
        let m = moves.list[rng.below(moves.n as u32) as usize];
        self.make(m);
        self.plies += 1;
        true
    }

    /// As the engine packs it.
    fn told(&self, m: Move) -> Choice {
        let (from, to) = (Choice::from(cell(m.from as usize)), Choice::from(cell(m.to as usize)));
        let pawn = self.cells[m.from as usize] * self.side == PAWN;
        match m.special {
            Special::Castle => CASTLES << 12 | Choice::from(m.to > m.from),
            _ if pawn && m.man != PAWN => (m.man as Choice - 1) << 12 | to << 6 | from,
            _ => to << 6 | from,
        }
    }

    /// How many positions so many plies on.
    pub fn count(&mut self, depth: u32) -> u64 {
        let mut moves = Moves::new();
        self.moves(&mut moves);
        if depth <= 1 {
            return moves.n as u64;
        }
        let mut all = 0;
        for m in &moves.list[..moves.n] {
            let was = self.cells[m.from as usize] * self.side;
            let before = self.make(*m);
            all += self.count(depth - 1);
            self.unmake(*m, &before, was);
        }
        all
    }
}

impl Rival for Arrays {
    const GAME: &'static str = "chess";
    const KIND: &'static str = "arrays";

    #[inline(always)]
    fn start() -> Self {
        Arrays::begin()
    }

    #[inline(always)]
    fn step(&mut self, rng: &mut Rng) -> bool {
        self.go_on(rng)
    }

    fn play(&mut self, choice: Choice) -> bool {
        let mut moves = Moves::new();
        if !self.over && self.quiet < 100 {
            self.moves(&mut moves);
        }
        let Some(m) = moves.list[..moves.n].iter().copied().find(|m| self.told(*m) == choice) else {
            return false;
        };
        self.make(m);
        self.plies += 1;
        true
    }

    fn choices(&self) -> Vec<Choice> {
        let mut moves = Moves::new();
        if !self.over && self.quiet < 100 {
            self.clone().moves(&mut moves);
        }
        moves.list[..moves.n].iter().map(|m| self.told(*m)).collect()
    }

    /// Behind the cells (1 to 6 a white pawn … king, 9 to 14 a black one) stand the cell that was passed, from 1 on, and how quiet it is.
    fn stand(&self) -> Final {
        let mut moves = Moves::new();
        self.clone().moves(&mut moves);
        let mated = moves.n == 0 && self.attacked(self.king(self.side), -self.side);
        let man = |c: usize| match self.cells[at(c)] {
            m if m < 0 => 8 + (-m) as u8,
            m => m as u8,
        };
        let mut cells: Vec<u8> = (0..64).map(man).collect();
        cells.push(if self.passed == 0 { 0 } else { cell(self.passed as usize) + 1 });
        cells.push(self.quiet.min(100) as u8);
        let winner = if !mated {
            0
        } else if self.side > 0 {
            2
        } else {
            1
        };
        Final { cells, winner, over: moves.n == 0 || self.quiet >= 100, plies: self.plies }
    }

    fn result(&self) -> (u8, u32) {
        (self.winner, self.plies)
    }
}

/// The same, but a move is drawn before it is tried, and drawn again if the king is left in check: each legal move has the same chance, and most are never tried. For information.
pub struct Drawn(Arrays);

impl Rival for Drawn {
    const GAME: &'static str = "chess";
    const KIND: &'static str = "drawn";

    #[inline(always)]
    fn start() -> Self {
        Drawn(Arrays::begin())
    }

    #[inline(always)]
    fn step(&mut self, rng: &mut Rng) -> bool {
        let game = &mut self.0;
        if game.over {
            return false;
        }
        let mut moves = Moves::new();
        game.men(&mut moves);
        game.castles(&mut moves);
        while moves.n > 0 {
            let i = rng.below(moves.n as u32) as usize;
            let m = moves.list[i];
            let was = game.cells[m.from as usize] * game.side;
            let before = game.make(m);
            if !game.attacked(game.king(-game.side), game.side) {
                // There is a move: so it is a tie now, if it is quiet for too long.
                if before.quiet >= 100 {
                    game.unmake(m, &before, was);
                    game.over = true;
                    return false;
                }
                game.plies += 1;
                return true;
            }
            game.unmake(m, &before, was);
            moves.n -= 1;
            moves.list[i] = moves.list[moves.n];
        }
        game.over = true;
        if game.attacked(game.king(game.side), -game.side) {
            game.winner = if game.side > 0 { 2 } else { 1 };
        }
        false
    }

    fn play(&mut self, choice: Choice) -> bool {
        self.0.play(choice)
    }

    fn choices(&self) -> Vec<Choice> {
        self.0.choices()
    }

    fn stand(&self) -> Final {
        self.0.stand()
    }

    fn result(&self) -> (u8, u32) {
        self.0.result()
    }
}
