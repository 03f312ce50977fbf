//! The FOG written by hand in plain Rust: the base game for four on the drawn bay, from the draft to the end. It knows nothing of the engine.
//!
//! One flat struct without a pointer: where everybody stands, and who stands on each hex. [`Fog::ask`] goes on to the next choice and says what may be chosen, [`Fog::choose`] takes it. What moves
//! there are and which of them come to an end where one may stop is in `moves`.
pub mod bay;
mod moves;

use bay::{AREA_D, BAY, FOG_AT, Ground, LOSS, Type, WHO};
pub use bay::{BONUS, BONUSES, HEXES, ISLANDERS, NONE, PLAYERS};

/// Movement points a turn.
const POWER: u8 = 7;

/// What may be done: islanders, hexes, directions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Choice {
    Done,
    Pick(u8),
    Run(u8, u8),
    Swap(u8, u8),
    Push(u8, u8, u8),
    Jump(u8, u8),
    Cross(u8, u8),
    Squeeze(u8, u8),
    LastBreath(u8, u8),
    DriveOff(u8, u8),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Draft,
    Flight,
    Over,
}

/// What a game begins with, and what it comes to: all that lies on the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stand {
    /// Of each islander: hex, disc, and in bits (from 1) lost, has made a boat ready, sits where somebody was driven off, has moved, has spent a last breath.
    pub islanders: Vec<(u8, u8, u8)>,
    pub rocks: Vec<u8>,
    /// Of each player: movement points, who moved last, points.
    pub players: Vec<(u8, u8, i64)>,
    /// Who holds each bonus; nobody if it lies at its boat.
    pub bonuses: Vec<u8>,
    /// Of areas A to D.
    pub prices: Vec<u8>,
    pub fog: u8,
    pub starter: u8,
    pub over: bool,
    /// Points, lost islanders (negative) and rescued commoners of each player, at the end.
    pub ranks: Vec<Vec<i64>>,
}

/// A game in progress.
#[derive(Clone, Copy, Debug)]
pub struct Fog {
    at: [u8; ISLANDERS],
    disc: [u8; ISLANDERS],
    /// Sets of islanders.
    lost: u32,
    ready: u32,
    seated: u32,
    moved: u32,
    winded: u32,
    /// Who stands on each hex (bits).
    here: [u32; HEXES],
    rocky: [bool; HEXES],
    mp: [u8; PLAYERS],
    mover: [u8; PLAYERS],
    holder: [u8; BONUSES],
    prices: [u8; 4],
    fog: u8,
    starter: u8,
    round: u16,
    /// How many have had their turn in this round.
    turn: u8,
    step: Step,
    /// Choices made.
    pub made: u32,
}

impl Fog {
    /// The draft begins: everything has been laid out.
    pub fn begin(s: &Stand) -> Fog {
        let mut g = Fog {
            at: [NONE; ISLANDERS],
            disc: [NONE; ISLANDERS],
            lost: 0,
            ready: 0,
            seated: 0,
            moved: 0,
            winded: 0,
            here: [0; HEXES],
            rocky: [false; HEXES],
            mp: [0; PLAYERS],
            mover: [NONE; PLAYERS],
            holder: [NONE; BONUSES],
            prices: [0; 4],
            fog: s.fog,
            starter: s.starter,
            round: 0,
            turn: 0,
            step: Step::Draft,
            made: 0,
        };
        for (w, (at, ..)) in s.islanders.iter().enumerate() {
            g.at[w] = *at;
            if *at != NONE {
                g.here[*at as usize] |= 1 << w;
            }
        }
        s.rocks.iter().for_each(|h| g.rocky[*h as usize] = true);
        g.prices.copy_from_slice(&s.prices);
        g
    }

    /// How it stands.
    pub fn stand(&self) -> Stand {
        let sets = [self.lost, self.ready, self.seated, self.moved, self.winded];
        let flags = |w: usize| sets.iter().enumerate().fold(0, |m, (i, set)| m | ((set >> w & 1) as u8) << i);
        let players = 0..PLAYERS as u8;
        let over = self.is_over();
        Stand {
            islanders: (0..ISLANDERS).map(|w| (self.at[w], self.disc[w], flags(w))).collect(),
            rocks: (0..HEXES as u8).filter(|h| self.rocky[*h as usize]).collect(),
            players: players
                .clone()
                .map(|p| (self.mp[p as usize], self.mover[p as usize], self.points(p)))
                .collect(),
            bonuses: self.holder.to_vec(),
            prices: self.prices.to_vec(),
            fog: self.fog,
            starter: self.starter,
            over,
            ranks: if over { players.map(|p| self.rank(p).to_vec()).collect() } else { Vec::new() },
        }
    }

    pub fn is_over(&self) -> bool {
        self.step == Step::Over
    }

    /// Whose turn it is: down the turn board in odd rounds, up in even ones and in the draft.
    #[inline]
    pub fn me(&self) -> u8 {
        let down = self.step != Step::Draft && self.round % 2 == 1;
        let place = if down { self.turn } else { PLAYERS as u8 - 1 - self.turn };
        (self.starter + place) % PLAYERS as u8
    }

    /// The belt of an islander's hex, and of another hex.
    pub fn belts(&self, w: u8, h: u8) -> (u8, u8) {
        (BAY[self.at[w as usize] as usize].belt, BAY[h as usize].belt)
    }

    /// Whose turn it is next, until somebody has something to do; it is laid down in `out`. False at the end of the game.
    pub fn ask(&mut self, out: &mut Vec<Choice>) -> bool {
        loop {
            match self.step {
                Step::Over => return false,
                Step::Draft => self.picks(out),
                Step::Flight => self.flights(out),
            }
            if !out.is_empty() {
                return true;
            }
            self.next();
        }
    }

    fn picks(&self, out: &mut Vec<Choice>) {
        out.clear();
        let left = |w: &u8| self.at[*w as usize] != NONE && self.disc[*w as usize] == NONE;
        out.extend((0..ISLANDERS as u8).filter(left).map(Choice::Pick));
    }

    /// Takes a choice of whoever's turn it is.
    pub fn choose(&mut self, c: Choice) {
        self.made += 1;
        match c {
            Choice::Pick(w) => {
                self.disc[w as usize] = self.me();
                self.next();
            }
            Choice::Done => self.next(),
            c => self.act(c),
        }
    }

    /// The next turn.
    fn next(&mut self) {
        self.turn += 1;
        if self.turn as usize == PLAYERS {
            self.turn = 0;
            match self.step {
                Step::Draft if (0..ISLANDERS).any(|w| self.at[w] != NONE && self.disc[w] == NONE) => {}
                Step::Draft => {
                    self.step = Step::Flight;
                    self.round = 1;
                }
                _ => {
                    self.roll_in();
                    self.round += 1;
                    if self.fog == 0 {
                        self.step = Step::Over;
                    }
                }
            }
        }
        if self.step == Step::Flight {
            if !(0..ISLANDERS).any(|w| self.movable(w)) {
                self.step = Step::Over;
                return;
            }
            let me = self.me() as usize;
            self.mp[me] = POWER;
            self.mover[me] = NONE;
            self.moved = 0;
            self.winded = 0;
        }
    }

    fn movable(&self, w: usize) -> bool {
        self.at[w] != NONE && self.lost >> w & 1 == 0 && BAY[self.at[w] as usize].boat == NONE
    }

    /// The FOG comes one field nearer and takes who stands there.
    fn roll_in(&mut self) {
        self.fog -= 1;
        for w in 0..ISLANDERS {
            if self.at[w] != NONE {
                let h = &BAY[self.at[w] as usize];
                if h.ground == Ground::Beach && FOG_AT[h.belt as usize] == self.fog {
                    self.lost |= 1 << w;
                }
            }
        }
    }

    fn points(&self, p: u8) -> i64 {
        let mut sum = 0;
        for w in (0..ISLANDERS).filter(|w| self.disc[*w] == p && self.at[*w] != NONE) {
            let h = &BAY[self.at[w] as usize];
            if h.boat != NONE {
                sum += i32::from(self.prices[3 - (h.belt - AREA_D) as usize]);
                sum += if h.boat == WHO[w].nation { 4 } else { 0 };
            }
            if self.lost >> w & 1 == 1 {
                sum -= LOSS[h.belt as usize];
            }
        }
        let mine = (0..BONUSES).filter(|b| self.holder[*b] == p);
        i64::from(sum) + mine.map(|b| i64::from(BONUS[b].1)).sum::<i64>()
    }

    /// What decides the game: points, then fewer lost, then more commoners rescued.
    fn rank(&self, p: u8) -> [i64; 3] {
        let mine = || (0..ISLANDERS).filter(|w| self.disc[*w] == p);
        let rescued = |w: &usize| {
            self.at[*w] != NONE && {
                let h = &BAY[self.at[*w] as usize];
                h.boat != NONE || h.ground == Ground::Pier
            }
        };
        let lost = mine().filter(|w| self.lost >> *w & 1 == 1).count() as i64;
        let commoners = mine().filter(|w| WHO[*w].is == Type::Commoner).filter(rescued).count() as i64;
        [self.points(p), -lost, commoners]
    }

    /// Who has won, from 1; 0 if the first are equal.
    pub fn winner(&self) -> u8 {
        let ranks: [_; PLAYERS] = std::array::from_fn(|p| self.rank(p as u8));
        let best = ranks.iter().max().copied().unwrap_or_default();
        let mut first = (0..PLAYERS).filter(|p| ranks[*p] == best);
        match (first.next(), first.next()) {
            (Some(p), None) => p as u8 + 1,
            _ => 0,
        }
    }
}

/// One random game from the draft to the end: 1 if the first player has won alone, and choices made. All that is legal is worked out, and one of it drawn.
pub fn playout(begin: &Fog, mut below: impl FnMut(u32) -> u32, out: &mut Vec<Choice>) -> (u8, u32) {
    let mut g = *begin;
    while g.ask(out) {
        let k = below(out.len() as u32);
        g.choose(out[k as usize]);
    }
    (u8::from(g.winner() == 1), g.made)
}

/// The same, but what may lead to a dead end is tried only if it is drawn.
pub fn playout_drawn(begin: &Fog, mut below: impl FnMut(u32) -> u32, out: &mut Vec<Choice>) -> (u8, u32) {
    let mut g = *begin;
    loop {
        match g.step {
            Step::Over => break,
            Step::Draft => g.picks(out),
            Step::Flight => g.perhaps(out),
        }
        // Whether one could be done is only asked if there is something else to do.
        if !out.iter().any(|c| *c != Choice::Done && g.leads_out(*c)) {
            g.next();
            continue;
        }
        let drawn = loop {
            let c = out[below(out.len() as u32) as usize];
            if g.leads_out(c) {
                break c;
            }
        };
        g.choose(drawn);
    }
    (u8::from(g.winner() == 1), g.made)
}
