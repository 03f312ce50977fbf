//! What is printed: the bay of the scenario, who the islanders are, the bonuses, and what rows cost.

/// Nobody, no hex, no boat.
pub const NONE: u8 = 255;
pub const PLAYERS: usize = 4;
pub const ISLANDERS: usize = 32;
pub const BONUSES: usize = 14;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ground {
    Woods,
    Beach,
    Shore,
    Pier,
    Berth,
    Stern,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Leader,
    Elder,
    Warrior,
    Sailor,
    Commoner,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trait {
    Pusher,
    Jumper,
    Crosser,
    Squeezer,
    Allrounder,
    Enduring,
}

#[derive(Clone, Copy, Debug)]
pub struct Islander {
    pub nation: u8,
    pub is: Type,
    pub can: Trait,
}

/// Blue, green and red, letter by letter: type and trait.
const PEOPLE: [&[u8]; 3] = [b"LpCjCcEsEaEeWpWjWcSsSa", b"LeCpCjEcEsWaWeSpSjSc", b"LsCaCeEpEjEcWsWaSeSpSj"];

pub static WHO: [Islander; ISLANDERS] = {
    let mut out = [Islander { nation: 0, is: Type::Leader, can: Trait::Pusher }; ISLANDERS];
    let mut w = 0;
    let mut nation = 0;
    while nation < 3 {
        let letters = PEOPLE[nation];
        let mut i = 0;
        while i < letters.len() {
            out[w].nation = nation as u8;
            out[w].is = match letters[i] {
                b'L' => Type::Leader,
                b'E' => Type::Elder,
                b'W' => Type::Warrior,
                b'S' => Type::Sailor,
                _ => Type::Commoner,
            };
            out[w].can = match letters[i + 1] {
                b'p' => Trait::Pusher,
                b'j' => Trait::Jumper,
                b'c' => Trait::Crosser,
                b's' => Trait::Squeezer,
                b'a' => Trait::Allrounder,
                _ => Trait::Enduring,
            };
            w += 1;
            i += 2;
        }
        nation += 1;
    }
    out
};

/// Boat and points of each bonus, those of a boat the highest first.
pub const BONUS: [(u8, u8); BONUSES] = [
    (0, 6),
    (0, 5),
    (0, 4),
    (0, 3),
    (0, 2),
    (1, 6),
    (1, 5),
    (1, 4),
    (1, 3),
    (2, 6),
    (2, 5),
    (2, 4),
    (2, 3),
    (2, 2),
];

/// The first belt of a boat. Belts from the village outwards: rows A to J, the shore, areas D, C, B and A.
pub const AREA_D: u8 = 11;
/// Where the FOG stands when it takes a belt, and what an islander costs who is lost there.
pub const FOG_AT: [u8; 15] = [7, 6, 5, 4, 3, 3, 2, 2, 1, 1, 0, 0, 0, 0, 0];
pub const LOSS: [i32; 15] = [4, 4, 3, 3, 3, 3, 2, 2, 2, 2, 0, 0, 0, 0, 0];

/// From row O in the north to row A in the south. Of a berth: boat, for whom, `+` for two; of a stern: boat and x.
const PICTURE: [&[u8; 33]; 15] = [
    b".  =  bl bs =  gl gw =  re+rl =  ",
    b"=  be bw+=  ge gs+=  rw rs =  .  ",
    b".  =  bc+be =  gc gc =  rs rc+=  ",
    b"~  bx bx ~  gx gx ~  rx rx ~  .  ",
    b".  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ",
    b"W  o  o  o  o  o  o  o  o  o  W  ",
    b".  W  o  o  o  o  o  o  o  o  W  ",
    b".  W  o  o  o  o  o  o  o  W  .  ",
    b".  .  W  o  o  o  o  o  o  W  .  ",
    b".  W  o  o  o  o  o  o  o  W  .  ",
    b".  .  W  o  o  o  o  o  o  W  .  ",
    b".  .  W  o  o  o  o  o  W  .  .  ",
    b".  .  W  o  o  o  o  o  o  W  .  ",
    b".  .  W  o  o  o  o  o  W  .  .  ",
    b".  .  W  o  o  o  o  o  o  W  .  ",
];

const COLUMNS: usize = 11;
const ROWS: usize = 15;

pub const HEXES: usize = {
    let (mut n, mut y) = (0, 0);
    while y < ROWS {
        let mut x = 0;
        while x < COLUMNS {
            n += (PICTURE[y][3 * x] != b'.') as usize;
            x += 1;
        }
        y += 1;
    }
    n
};

/// Directions: northeast, east, southeast, southwest, west, northwest.
pub const DIRECTIONS: usize = 6;

/// A hex two away: the one that lies between, or the two that do.
#[derive(Clone, Copy, Debug)]
pub struct Leap {
    pub goal: u8,
    pub over: [u8; 2],
}

#[derive(Clone, Copy, Debug)]
pub struct Hex {
    pub ground: Ground,
    pub belt: u8,
    pub boat: u8,
    pub wants: Option<Type>,
    pub room: u32,
    /// The neighbour in each direction.
    pub near: [u8; DIRECTIONS],
    /// In which of these directions one may step.
    pub exit: [bool; DIRECTIONS],
    /// Hexes two away that do not lie further back; a straight one has one hex between.
    pub leaps: [Leap; 12],
    pub straight: [bool; 12],
    pub n_leaps: usize,
    /// The other hex of a stern.
    pub twin: u8,
}

/// A step on hexes whose odd rows stand half a hex to the east.
const fn step((x, y): (i32, i32), d: usize) -> (i32, i32) {
    let odd = y & 1;
    match d {
        0 => (x + odd, y + 1),
        1 => (x + 1, y),
        2 => (x + odd, y - 1),
        3 => (x + odd - 1, y - 1),
        4 => (x - 1, y),
        _ => (x + odd - 1, y + 1),
    }
}

const fn at(number: &[[u8; COLUMNS]; ROWS], (x, y): (i32, i32)) -> u8 {
    if x < 0 || y < 0 || x >= COLUMNS as i32 || y >= ROWS as i32 {
        NONE
    } else {
        number[y as usize][x as usize]
    }
}

/// Whether one may step from a hex onto another beside it.
const fn passage(a: &Hex, b: &Hex) -> bool {
    use Ground::*;
    match b.ground {
        Woods => false,
        Beach => matches!(a.ground, Beach | Shore),
        Shore => matches!(a.ground, Beach | Shore | Pier),
        Pier | Stern => matches!(a.ground, Shore | Pier),
        Berth => a.belt == b.belt && (matches!(a.ground, Pier) || a.boat == b.boat),
    }
}

/// Hexes are numbered row by row from the south-west.
pub static BAY: [Hex; HEXES] = {
    let nothing = Hex {
        ground: Ground::Woods,
        belt: 0,
        boat: NONE,
        wants: None,
        room: 1,
        near: [NONE; DIRECTIONS],
        exit: [false; DIRECTIONS],
        leaps: [Leap { goal: NONE, over: [NONE; 2] }; 12],
        straight: [false; 12],
        n_leaps: 0,
        twin: NONE,
    };
    let mut bay = [nothing; HEXES];
    let mut number = [[NONE; COLUMNS]; ROWS];
    let mut n = 0;
    let mut y = 0;
    while y < ROWS {
        let mut x = 0;
        while x < COLUMNS {
            let row = PICTURE[ROWS - 1 - y];
            let sign = row[3 * x];
            if sign != b'.' {
                let h = &mut bay[n];
                h.belt = y as u8;
                h.ground = match sign {
                    b'W' => Ground::Woods,
                    b'o' => Ground::Beach,
                    b'~' => Ground::Shore,
                    b'=' => Ground::Pier,
                    _ if row[3 * x + 1] == b'x' => Ground::Stern,
                    _ => Ground::Berth,
                };
                h.boat = match sign {
                    b'b' => 0,
                    b'g' => 1,
                    b'r' => 2,
                    _ => NONE,
                };
                h.wants = match row[3 * x + 1] {
                    b'l' => Some(Type::Leader),
                    b'e' => Some(Type::Elder),
                    b'w' => Some(Type::Warrior),
                    b's' => Some(Type::Sailor),
                    b'c' => Some(Type::Commoner),
                    _ => None,
                };
                h.room = match (h.ground, row[3 * x + 2]) {
                    (Ground::Stern, _) => 4,
                    (_, b'+') => 2,
                    _ => 1,
                };
                number[y][x] = n as u8;
                n += 1;
            }
            x += 1;
        }
        y += 1;
    }
    // Neighbours first, then what needs them.
    let mut y = 0;
    while y < ROWS {
        let mut x = 0;
        while x < COLUMNS {
            let h = number[y][x];
            if h != NONE {
                let mut d = 0;
                while d < DIRECTIONS {
                    let place = step((x as i32, y as i32), d);
                    let near = at(&number, place);
                    bay[h as usize].near[d] = near;
                    if near != NONE {
                        let (a, b) = (bay[h as usize], bay[near as usize]);
                        bay[h as usize].exit[d] = passage(&a, &b);
                        if matches!(a.ground, Ground::Stern) && matches!(b.ground, Ground::Stern) {
                            bay[h as usize].twin = near;
                        }
                    }
                    // Two steps this way, or one this way and one the next.
                    let beside = at(&number, step((x as i32, y as i32), (d + 1) % DIRECTIONS));
                    let far = [(d, [near, NONE]), ((d + 1) % DIRECTIONS, [near, beside])];
                    let mut i = 0;
                    while i < 2 {
                        let (then, over) = far[i];
                        let goal = at(&number, step(place, then));
                        if goal != NONE && bay[goal as usize].belt >= y as u8 {
                            let hex = &mut bay[h as usize];
                            hex.leaps[hex.n_leaps] = Leap { goal, over };
                            hex.straight[hex.n_leaps] = i == 0;
                            hex.n_leaps += 1;
                        }
                        i += 1;
                    }
                    d += 1;
                }
            }
            x += 1;
        }
        y += 1;
    }
    bay
};
