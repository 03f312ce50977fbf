//! The set-up: what is shuffled, laid out and dealt.
use super::cards::{LANDSCAPES, SLOPE, VILLAGES};
use super::*;

/// From the last to the second: each changes places with one before it, or with itself.
fn shuffle<C: Chance>(cards: &mut [u8], chance: &mut C) {
    for i in (1..cards.len()).rev() {
        let j = chance.below(i as u32 + 1) as usize;
        cards.swap(i, j);
    }
}

impl<const PLAIN: bool> Fuji<PLAIN> {
    /// A game for three or four, at its first question.
    pub fn start<C: Chance>(n: u8, chance: &mut C) -> Self {
        let nobody = Player {
            skill: Skill::Manager,
            at: SLOPE.white,
            marker: NONE,
            fatigue: 0,
            chances: 0,
            lead: 0,
            bars: 0,
            dice: 0,
            aside: 0,
            gear: 0,
            used: 0,
            wounds: 0,
            limped: false,
            said: 0,
            helped: false,
            flares: 0,
            aided: false,
        };
        let mut g = Fuji {
            n,
            players: [nobody; 4],
            face: [0; DICE],
            whose: [NONE; DICE],
            boxed: (1 << DICE) - 1,
            deck: [0; 20],
            top: 0,
            bottom: Gear::ALL.len() as u8,
            discards: 0,
            fresh: 0,
            terrain: [NONE; CELLS],
            land: 0,
            homes: 0,
            rubble: 0,
            burnt: 0,
            tokens: 0,
            vents: 0,
            round: 0,
            made: 0,
            won: false,
            step: Step::Pack,
            waiting: 0,
            holding: 0,
            held: [Choice::Done; 4],
            done: 0,
            actor: 0,
            card: Gear::Radio,
            act: Act::No,
            left: 0,
            turn: NONE,
            eaten: 0,
            hurts: 0,
        };
        // Each card is laid on top of the one before.
        for (i, card) in g.deck[..Gear::ALL.len()].iter_mut().rev().enumerate() {
            *card = i as u8;
        }
        shuffle(&mut g.deck[..Gear::ALL.len()], chance);
        g.lay_out(chance);
        for d in 0..DICE {
            g.face[d] = (d / 8 * 6) as u8;
        }
        for p in 0..n as usize {
            for kind in 0..3 {
                for d in [8 * kind + 2 * p, 8 * kind + 2 * p + 1] {
                    g.whose[d] = p as u8;
                    g.players[p].dice |= 1 << d;
                }
            }
            g.boxed &= !g.players[p].dice;
        }
        if n == 4 {
            g.step = Step::Divide;
        } else {
            g.deal(chance);
        }
        g
    }

    fn lay_out<C: Chance>(&mut self, chance: &mut C) {
        let mut landscapes = [0; LANDSCAPES];
        let mut villages = [0; VILLAGES];
        for (i, t) in landscapes.iter_mut().rev().enumerate() {
            *t = i as u8;
        }
        for (i, t) in villages.iter_mut().rev().enumerate() {
            *t = (LANDSCAPES + i) as u8;
        }
        shuffle(&mut landscapes, chance);
        shuffle(&mut villages, chance);
        let (mut land, mut home) = (landscapes.into_iter(), villages.into_iter());
        for c in SLOPE.lines {
            let sign = SLOPE.sign[c as usize];
            let card = match sign {
                b'V' => {
                    self.burnt |= 1 << c;
                    Some(SUMMIT)
                }
                b'R' => {
                    self.rubble |= 1 << c;
                    Some(SCREE)
                }
                b'4' if self.n < 4 => None,
                b'v' | b'e' | b'4' => {
                    self.homes |= 1 << c;
                    home.next()
                }
                _ => {
                    self.land |= 1 << c;
                    land.next()
                }
            };
            self.terrain[c as usize] = card.unwrap_or(NONE);
            match sign {
                b'E' | b'e' => self.tokens |= 1 << c,
                b'X' => self.vents |= 1 << c,
                _ => {}
            }
        }
    }

    /// Skills and cards, then who has something to put back packs.
    pub(super) fn deal<C: Chance>(&mut self, chance: &mut C) {
        let mut skills: u32 = (1 << Skill::ALL.len()) - 1;
        for p in 0..self.n as usize {
            let k = chance.below(skills.count_ones()) as usize;
            let s = bits(skills).nth(k).unwrap_or(0);
            skills &= !(1 << s);
            self.players[p].skill = Skill::ALL[s as usize];
            for _ in 0..self.players[p].skill.numbers().1 {
                self.players[p].gear |= 1 << self.deck[self.top as usize];
                self.top += 1;
            }
        }
        self.step = Step::Pack;
        self.pack_on(chance);
    }

    /// Cards that `p` must still put back, else dice.
    pub(super) fn too_many(&self, p: u8) -> (u32, u32) {
        let me = &self.players[p as usize];
        let (dice, _, keeps) = me.skill.numbers();
        (me.gear.count_ones().saturating_sub(keeps), me.dice.count_ones().saturating_sub(dice))
    }

    /// Asks whoever has not packed yet, or begins.
    pub(super) fn pack_on<C: Chance>(&mut self, chance: &mut C) {
        self.waiting = (0..self.n).filter(|p| self.too_many(*p) != (0, 0)).fold(0, |m, p| m | 1 << p);
        if self.waiting == 0 {
            self.begin_round(chance);
        }
    }

    /// What `p` has chosen to put back.
    pub(super) fn put_back(&mut self, p: u8, set: u32) {
        if self.too_many(p).0 == 0 {
            self.players[p as usize].dice &= !set;
            self.boxed |= set;
            return;
        }
        self.players[p as usize].gear &= !set;
        // In the order in which they were drawn.
        for i in 0..self.top as usize {
            if set >> self.deck[i] & 1 == 1 {
                self.deck[self.bottom as usize] = self.deck[i];
                self.bottom += 1;
            }
        }
    }
}
