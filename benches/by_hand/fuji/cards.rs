//! What is printed: dice, terrain, equipment, skills, the level card, and the slope of scenario 1.

/// Dice in the box.
pub const DICE: usize = 24;
/// Cells of the slope.
pub const CELLS: usize = 30;
/// No cell, no card, no die.
pub const NONE: u8 = 255;

// ------------------------------------------------------------------ dice: a face is its type times six plus its value less one

const PINK: u8 = 1;
const BLUE: u8 = 2;
const YELLOW: u8 = 4;

/// Colours of the values 1 to 6 of each type.
pub const COLOURS: [[u8; 6]; 3] = [
    [BLUE, YELLOW, PINK, PINK, YELLOW, BLUE],
    [YELLOW, PINK, BLUE, BLUE, PINK, YELLOW],
    [PINK, BLUE, YELLOW, YELLOW, BLUE, PINK],
];

/// The value of a face.
pub const fn value(face: u8) -> u8 {
    face % 6 + 1
}

// ------------------------------------------------------------------ terrain

/// Landscapes are 0 to 23, villages 24 to 29.
pub const LANDSCAPES: usize = 24;
pub const VILLAGES: usize = 6;
pub const SUMMIT: u8 = 30;
pub const SCREE: u8 = 31;

/// Which faces count on a card.
pub const fn accepts(terrain: usize, colour: u8, v: u8) -> bool {
    let pink = colour == PINK;
    let blue = colour == BLUE;
    let yellow = colour == YELLOW;
    let odd = v % 2 == 1;
    match terrain {
        0 => yellow || v == 6,
        1 => yellow || v == 4,
        2 => pink || v == 4,
        3 => pink || v == 5,
        4 => blue || v == 6,
        5 => !yellow,
        6 => !pink,
        7 => true,
        8 => odd,
        9 => !odd,
        10 => pink && odd,
        11 => blue && odd,
        12 => yellow && odd,
        13 => yellow && !odd,
        14 => !yellow && odd,
        15 => !yellow && !odd,
        16 => v == 2 || v == 4,
        17 => v == 3 || v == 6,
        18 => v == 3 || v == 5,
        19 => v == 1 || v == 3,
        20 => v == 1 || v == 2,
        21 => blue && v <= 3,
        22 => yellow && v <= 3,
        23 => pink && v <= 3,
        24 => pink && !odd,
        25 => blue && !odd,
        26 => blue || v == 5,
        27 => !blue,
        28 => v == 4 || v == 6,
        29 => v <= 3,
        _ => false,
    }
}

/// What each face is worth on each card: its value if it counts there.
pub static WORTH: [[u8; 18]; 32] = {
    let mut out = [[0; 18]; 32];
    let mut t = 0;
    while t < 32 {
        let mut f = 0;
        while f < 18 {
            if accepts(t, COLOURS[f / 6][f % 6], value(f as u8)) {
                out[t][f] = value(f as u8);
            }
            f += 1;
        }
        t += 1;
    }
    out
};

/// What all six faces of a type are worth together on each card.
pub static HOPES: [[u8; 3]; 32] = {
    let mut out = [[0; 3]; 32];
    let mut t = 0;
    while t < 32 {
        let mut f = 0;
        while f < 18 {
            out[t][f / 6] += WORTH[t][f];
            f += 1;
        }
        t += 1;
    }
    out
};

/// The reroll symbol.
pub fn again(terrain: u8) -> u8 {
    u8::from(matches!(terrain, 19..=23 | 29))
}

// ------------------------------------------------------------------ equipment

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Gear {
    Binoculars,
    Lighter,
    Carabiner,
    Map,
    Tape,
    Compass,
    Machete,
    Radio,
    FirstAid,
    Shovel,
    Rope,
    Flare,
    Flashlight,
    Knife,
    Water,
}

impl Gear {
    pub const ALL: [Gear; 15] = [
        Gear::Binoculars,
        Gear::Lighter,
        Gear::Carabiner,
        Gear::Map,
        Gear::Tape,
        Gear::Compass,
        Gear::Machete,
        Gear::Radio,
        Gear::FirstAid,
        Gear::Shovel,
        Gear::Rope,
        Gear::Flare,
        Gear::Flashlight,
        Gear::Knife,
        Gear::Water,
    ];

    /// Its bit in a set of cards.
    pub const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// Cards for phase 2, and for phase 4.
pub const FOR_PLANNING: u32 = Gear::Binoculars.bit()
    | Gear::Radio.bit()
    | Gear::Rope.bit()
    | Gear::Flashlight.bit()
    | Gear::Knife.bit();
pub const FOR_EQUIPPING: u32 = 0x7FFF & !(Gear::Binoculars.bit() | Gear::Flashlight.bit());

// ------------------------------------------------------------------ skills and injuries

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Skill {
    Manager,
    Scout,
    Buddy,
    Survivalist,
    Gatherer,
    Tinkerer,
}

impl Skill {
    pub const ALL: [Skill; 6] =
        [Skill::Manager, Skill::Scout, Skill::Buddy, Skill::Survivalist, Skill::Gatherer, Skill::Tinkerer];

    /// Dice, cards drawn, cards kept.
    pub fn numbers(self) -> (u32, u32, u32) {
        match self {
            Skill::Manager => (6, 4, 2),
            Skill::Scout => (5, 2, 2),
            Skill::Buddy => (6, 1, 1),
            Skill::Survivalist => (5, 1, 1),
            Skill::Gatherer => (6, 1, 1),
            Skill::Tinkerer => (5, 3, 1),
        }
    }
}

/// Injuries, in the order of their tokens.
pub const LEG: u8 = 0;
pub const ARM: u8 = 1;
pub const MEMORY: u8 = 2;
pub const EYE: u8 = 3;

/// What a turn costs at level 2, by the lead.
pub fn drain(lead: u8) -> u8 {
    match lead {
        0 => 4,
        1..=2 => 3,
        3..=4 => 2,
        5..=6 => 1,
        _ => 0,
    }
}

/// Injury spaces of the track up to there.
pub fn crossed(fatigue: u8) -> u8 {
    (fatigue / 5).min(4)
}

// ------------------------------------------------------------------ scenario 1

/// V volcano, R rubble, L landscape, E with equipment, X with an eruption token, S where all start, G where two of four start, v village, e with equipment, 4 for four players.
const PICTURE: [&[u8; 8]; 7] =
    [b"V...vvv4", b"R...e...", b"RGELvXE.", b"SL.L.L..", b".LLLXLE.", b".E..L.L.", b"....ELE."];

/// The slope, its cells numbered row by row from the south-west.
pub struct Slope {
    /// What is drawn there.
    pub sign: [u8; CELLS],
    /// Cells beside each.
    pub near: [u32; CELLS],
    /// The same as a list, with [`NONE`] behind.
    pub beside: [[u8; 4]; CELLS],
    /// Cells line by line from the north, as cards are laid out.
    pub lines: [u8; CELLS],
    pub white: u8,
    pub grey: u8,
}

pub static SLOPE: Slope = {
    let mut s = Slope {
        sign: [0; CELLS],
        near: [0; CELLS],
        beside: [[NONE; 4]; CELLS],
        lines: [0; CELLS],
        white: NONE,
        grey: NONE,
    };
    let mut number = [[NONE; 8]; 7];
    let mut n = 0;
    let mut y = 0;
    while y < 7 {
        let mut x = 0;
        while x < 8 {
            let sign = PICTURE[6 - y][x];
            if sign != b'.' {
                number[y][x] = n;
                s.sign[n as usize] = sign;
                match sign {
                    b'S' => s.white = n,
                    b'G' => s.grey = n,
                    _ => {}
                }
                if x > 0 && number[y][x - 1] != NONE {
                    let west = number[y][x - 1];
                    s.near[n as usize] |= 1 << west;
                    s.near[west as usize] |= 1 << n;
                }
                if y > 0 && number[y - 1][x] != NONE {
                    let south = number[y - 1][x];
                    s.near[n as usize] |= 1 << south;
                    s.near[south as usize] |= 1 << n;
                }
                n += 1;
            }
            x += 1;
        }
        y += 1;
    }
    let mut c = 0;
    while c < CELLS {
        let (mut o, mut i) = (0, 0);
        while o < CELLS {
            if s.near[c] >> o & 1 == 1 {
                s.beside[c][i] = o as u8;
                i += 1;
            }
            o += 1;
        }
        c += 1;
    }
    let mut k = 0;
    let mut y = 7;
    while y > 0 {
        y -= 1;
        let mut x = 0;
        while x < 8 {
            if number[y][x] != NONE {
                s.lines[k] = number[y][x];
                k += 1;
            }
            x += 1;
        }
    }
    s
};
