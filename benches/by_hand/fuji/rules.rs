//! What is so now: who may walk where, what dice are worth, how the lava spreads.
use super::cards::{
    ARM, COLOURS, EYE, HOPES, LANDSCAPES, MEMORY, SLOPE, VILLAGES, WORTH, accepts, again, value,
};
use super::*;

/// The cells of which something is so.
fn those(is: impl Fn(usize) -> bool) -> u32 {
    (0..CELLS).filter(|c| is(*c)).fold(0, |m, c| m | 1 << c)
}

/// What a face is worth on a card.
fn counts(terrain: u8, face: u8) -> u32 {
    let v = value(face);
    let colour = COLOURS[face as usize / 6][face as usize % 6];
    if accepts(terrain as usize, colour, v) { u32::from(v) } else { 0 }
}

/// All cells beside a set of cells.
fn beside(cells: u32) -> u32 {
    bits(cells).fold(0, |m, c| m | SLOPE.near[c as usize])
}

impl<const PLAIN: bool> Fuji<PLAIN> {
    fn is_open(&self, c: usize) -> bool {
        (self.terrain[c] as usize) < LANDSCAPES + VILLAGES && self.burnt >> c & 1 == 0
    }

    fn is_landing(&self, c: usize) -> bool {
        (self.terrain[c] as usize) < LANDSCAPES && self.burnt >> c & 1 == 0
    }

    /// Cells that may be entered.
    pub(super) fn open(&self) -> u32 {
        if PLAIN {
            return those(|c| self.is_open(c));
        }
        (self.land | self.homes) & !self.burnt
    }

    /// Landscapes without lava.
    pub(super) fn landing(&self) -> u32 {
        if PLAIN {
            return those(|c| self.is_landing(c));
        }
        self.land & !self.burnt
    }

    /// Plainly: how many steps it is from a cell to each over open ones, at most so many; 255 where it is more.
    fn distances(&self, from: u8, most: u8) -> [u8; CELLS] {
        let mut steps = [u8::MAX; CELLS];
        let mut queue = [0; CELLS];
        steps[from as usize] = 0;
        queue[0] = from;
        let (mut next, mut end) = (0, 1);
        while next < end {
            let here = queue[next] as usize;
            next += 1;
            if steps[here] == most {
                continue;
            }
            for c in SLOPE.beside[here] {
                if c == NONE {
                    break;
                }
                if steps[c as usize] == u8::MAX && self.is_open(c as usize) {
                    steps[c as usize] = steps[here] + 1;
                    queue[end] = c;
                    end += 1;
                }
            }
        }
        steps
    }

    /// Landscapes on which nothing lies and nobody stands or wants to go.
    pub(super) fn bare(&self) -> u32 {
        let mut cells = self.landing() & !self.tokens & !self.vents;
        for p in self.players() {
            cells &= !(1 << p.at);
            if p.marker != NONE {
                cells &= !(1 << p.marker);
            }
        }
        cells
    }

    pub(super) fn active(&self, p: u8, skill: Skill) -> bool {
        let me = &self.players[p as usize];
        me.skill == skill && me.wounds >> MEMORY & 1 == 0
    }

    pub(super) fn handy(&self, p: u8) -> bool {
        self.players[p as usize].wounds >> ARM & 1 == 0
    }

    pub(super) fn everybody(&self) -> u8 {
        (1 << self.n) - 1
    }

    /// Who sits beside `p`.
    pub(super) fn beside_at_table(&self, p: u8) -> [u8; 2] {
        [(p + 1) % self.n, (p + self.n - 1) % self.n]
    }

    pub(super) fn steps(&self, p: u8) -> u8 {
        if self.active(p, Skill::Scout) { 4 } else { 3 }
    }

    pub(super) fn reach(&self, p: u8) -> u32 {
        if PLAIN {
            let steps = self.distances(self.players[p as usize].at, self.steps(p));
            return those(|c| steps[c] != u8::MAX);
        }
        let open = self.open();
        let mut seen = 1 << self.players[p as usize].at;
        for _ in 0..self.steps(p) {
            seen |= beside(seen) & open;
        }
        seen
    }

    pub(super) fn in_reach(&self, p: u8) -> bool {
        let marker = self.players[p as usize].marker;
        marker != NONE && self.reach(p) >> marker & 1 == 1
    }

    /// Steps from where `p` stands to the goal.
    fn trip(&self, p: u8) -> Option<u8> {
        let me = &self.players[p as usize];
        let goal = self.goal(p);
        if PLAIN {
            return Some(self.distances(me.at, 100)[goal as usize]).filter(|n| *n != u8::MAX);
        }
        let open = self.open();
        let mut seen = 1u32 << me.at;
        let mut steps = 0;
        while seen >> goal & 1 == 0 {
            let more = seen | beside(seen) & open;
            if more == seen {
                return None;
            }
            seen = more;
            steps += 1;
        }
        Some(steps)
    }

    pub(super) fn goal(&self, p: u8) -> u8 {
        let me = &self.players[p as usize];
        if me.marker == NONE { me.at } else { me.marker }
    }

    /// The card whose requirement counts for `p`.
    pub fn need(&self, p: u8) -> u8 {
        self.terrain[self.goal(p) as usize]
    }

    pub(super) fn rerolls(&self, p: u8) -> u8 {
        let trip = self.trip(p);
        let mut n = again(self.need(p))
            + match trip {
                Some(0) => 2,
                Some(1..=2) => 1,
                _ => 0,
            };
        if self.players[p as usize].wounds >> EYE & 1 == 1 {
            n = 0;
        }
        if trip == Some(4) && self.active(p, Skill::Scout) {
            n = 0;
        }
        if self.active(p, Skill::Survivalist) {
            n += 1;
        }
        n
    }

    pub(super) fn worth(&self, p: u8, terrain: u8) -> u32 {
        if PLAIN {
            return bits(self.players[p as usize].dice).map(|d| counts(terrain, self.face[d as usize])).sum();
        }
        let table = &WORTH[terrain as usize];
        bits(self.players[p as usize].dice).map(|d| u32::from(table[self.face[d as usize] as usize])).sum()
    }

    /// Whether what is rolled is at least what the same dice bring on average, and whether it is at most half of it.
    pub(super) fn luck(&self, p: u8, terrain: u8) -> (bool, bool) {
        let dice = bits(self.players[p as usize].dice);
        let six: u32 = if PLAIN {
            dice.map(|d| (0..6).map(|side| counts(terrain, d / 8 * 6 + side)).sum::<u32>()).sum()
        } else {
            let table = &HOPES[terrain as usize];
            dice.map(|d| u32::from(table[d as usize / 8])).sum()
        };
        let rolled = 600 * self.worth(p, terrain);
        (six > 0 && rolled >= 100 * six, rolled <= 50 * six)
    }

    pub(super) fn high(&self, p: u8) -> bool {
        let dice = self.players[p as usize].dice;
        let high = bits(dice).filter(|d| self.face[*d as usize] % 6 >= 3).count() as u32;
        100 * high >= 65 * dice.count_ones()
    }

    /// By how much `p` would win the comparison now.
    pub fn edge(&self, p: u8) -> i32 {
        let need = self.need(p);
        let most = self.beside_at_table(p).into_iter().map(|n| self.worth(n, need)).max().unwrap_or(0);
        let more = 3 * i32::from(self.players[p as usize].flares) + i32::from(self.eaten);
        self.worth(p, need) as i32 - most as i32 + more
    }

    /// Goals of those who sit beside `p`.
    pub(super) fn taken(&self, p: u8) -> u32 {
        let mut out = 0;
        for n in self.beside_at_table(p) {
            let marker = self.players[n as usize].marker;
            if marker != NONE {
                out |= 1 << marker;
            }
        }
        out
    }

    /// Which sets of eruption tokens a walk of `p` to the goal can pass: how many, and they.
    pub fn ways(&self, p: u8) -> (usize, [u32; 4]) {
        let mut ways = Ways { open: self.open(), vents: self.vents, goal: self.goal(p), n: 0, sets: [0; 4] };
        let from = self.players[p as usize].at;
        if ways.vents & ways.open == 0 || from == ways.goal {
            return (1, [0; 4]);
        }
        ways.walk(from, self.steps(p), 1 << from, 0);
        (ways.n, ways.sets)
    }

    /// The next wave; the game ends when it comes over somebody.
    pub(super) fn erupt(&mut self) {
        let wave = if PLAIN {
            let burnable = |c: usize| self.is_landing(c) || self.rubble & !self.burnt & 1 << c != 0;
            let hot = |c: &u8| *c != NONE && self.burnt >> c & 1 == 1;
            those(|c| burnable(c) && SLOPE.beside[c].iter().any(hot))
        } else {
            beside(self.burnt) & (self.land | self.rubble) & !self.burnt
        };
        for c in bits(wave) {
            self.burnt |= 1 << c;
            if self.players().iter().any(|p| p.at == c) {
                self.step = Step::Over;
                return;
            }
        }
    }

    /// Of the dice that lie with `p` those that look different: of alike ones the first. One that somebody has lent is known by who gets it back.
    pub(super) fn different(&self, p: u8) -> u32 {
        let mut seen = 0u64;
        let mut out = 0;
        for d in bits(self.players[p as usize].dice) {
            let key = 1 << self.face[d as usize];
            if seen & key == 0 || self.whose[d as usize] != p {
                out |= 1 << d;
            }
            if self.whose[d as usize] == p {
                seen |= key;
            }
        }
        out
    }

    /// Dice of `p` that are in play, wherever they lie. Alike ones each count: whoever hurts `p` may hold a die by name meanwhile, for all that the compiler knows.
    pub(super) fn own_dice(&self, p: u8) -> u32 {
        let own = (0..DICE).filter(|d| self.whose[*d] == p).fold(0u32, |m, d| m | 1 << d);
        self.players().iter().fold(0, |m, q| m | (q.dice | q.aside) & own)
    }

    /// Whether using the card would do something.
    pub(super) fn can(&self, p: u8, card: Gear) -> bool {
        match card {
            Gear::Binoculars => self.bare().count_ones() >= 2,
            Gear::Rope => self.landing() & SLOPE.near[self.players[p as usize].at as usize] != 0,
            Gear::Knife => self.copies(p) != 0,
            _ => true,
        }
    }

    /// Cards that a pocket knife can copy now.
    pub(super) fn copies(&self, p: u8) -> u32 {
        let shown = self.players().iter().fold(0, |m, q| m | q.gear) & self.for_now() & !Gear::Knife.bit();
        bits(shown).filter(|c| self.can(p, Gear::ALL[*c as usize])).fold(0, |m, c| m | 1 << c)
    }

    /// Cards for this phase.
    pub(super) fn for_now(&self) -> u32 {
        match self.step {
            Step::Planning => cards::FOR_PLANNING,
            Step::Equipping => cards::FOR_EQUIPPING,
            _ => 0,
        }
    }
}

/// All walks are tried.
struct Ways {
    open: u32,
    vents: u32,
    goal: u8,
    n: usize,
    sets: [u32; 4],
}

impl Ways {
    fn walk(&mut self, here: u8, steps: u8, seen: u32, passed: u32) {
        if here == self.goal {
            if !self.sets[..self.n].contains(&passed) {
                self.sets[self.n] = passed;
                self.n += 1;
            }
            return;
        }
        if steps == 0 {
            return;
        }
        for c in bits(SLOPE.near[here as usize] & self.open & !seen) {
            self.walk(c, steps - 1, seen | 1 << c, passed | self.vents & 1 << c);
        }
    }
}
