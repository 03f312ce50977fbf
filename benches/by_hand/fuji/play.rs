//! What happens: an answer is taken, and the game goes on to its next question.
use super::cards::{LEG, MEMORY, SLOPE, crossed, drain};
use super::offers::{DANGER, GOOD, HIGH, POOR, SAFE};
use super::*;

impl<const PLAIN: bool> Fuji<PLAIN> {
    /// Takes an answer of somebody who is asked, one of the options.
    pub fn choose<C: Chance>(&mut self, p: u8, choice: Choice, chance: &mut C) {
        self.made += 1;
        match self.step {
            Step::Divide => {
                let Choice::Set(two) = choice else { return };
                for q in bits(two) {
                    self.players[q as usize].at = SLOPE.grey;
                }
                self.deal(chance);
            }
            Step::Pack | Step::Rerolling => self.hold(p, choice, chance),
            Step::Planning | Step::Equipping => match (self.act, choice) {
                (Act::No, Choice::Use(card)) => {
                    self.actor = p;
                    self.card = card;
                    self.perform(card, chance);
                }
                (Act::No, _) => {
                    self.act_freely_by(p, choice);
                    self.settle(chance);
                }
                (Act::RerollOne, _) => self.hold(p, choice, chance),
                _ => self.go_on(p, choice, chance),
            },
            Step::Next => {
                if let Choice::One(q) = choice {
                    self.begin_turn(q, chance);
                }
            }
            Step::Boost => {
                match choice {
                    Choice::Eat(n) => {
                        self.players[p as usize].bars -= n;
                        self.eaten += n;
                    }
                    Choice::Pass(card, q) => self.pass(p, card, q),
                    _ => self.waiting &= !(1 << p),
                }
                if !self.can_boost(p) {
                    self.waiting &= !(1 << p);
                }
                if self.waiting == 0 {
                    self.compare(chance);
                }
            }
            Step::Path => {
                if let Choice::Set(over) = choice {
                    self.walk(over, chance);
                }
            }
            Step::Injury => {
                if let Choice::One(kind) = choice {
                    self.injure(kind);
                    self.hurts -= 1;
                    self.suffer(chance);
                }
            }
            Step::Leg => {
                if let Choice::One(d) = choice {
                    self.lose_die(d);
                    self.limp(self.actor + 1, chance);
                }
            }
            Step::Over => {}
        }
    }

    // ------------------------------------------------------------------ all at once

    /// An answer is held until the others have answered; then all are taken in seat order.
    fn hold<C: Chance>(&mut self, p: u8, choice: Choice, chance: &mut C) {
        self.held[p as usize] = choice;
        self.waiting &= !(1 << p);
        self.holding |= 1 << p;
        if self.waiting != 0 {
            return;
        }
        let answered = std::mem::take(&mut self.holding);
        for q in bits(u32::from(answered)) {
            let done = self.take(q, self.held[q as usize], chance);
            if !done && self.step == Step::Rerolling && self.can_retry(q) {
                self.waiting |= 1 << q;
            }
        }
        match self.step {
            Step::Pack => self.pack_on(chance),
            Step::Rerolling if self.waiting == 0 => self.end_rerolling(),
            Step::Planning | Step::Equipping => self.finish(chance),
            _ => {}
        }
    }

    /// Takes what was held; true if `p` is done.
    fn take<C: Chance>(&mut self, p: u8, choice: Choice, chance: &mut C) -> bool {
        match choice {
            Choice::Set(set) => self.put_back(p, set),
            Choice::Reroll(dice) => {
                self.players[p as usize].chances -= 1;
                self.roll(dice, chance);
            }
            Choice::SetAside(d) => {
                self.players[p as usize].helped = true;
                self.set_aside(p, 1 << d);
            }
            Choice::Pass(card, q) => self.pass(p, card, q),
            Choice::One(d) => self.roll(1 << d, chance),
            _ => return true,
        }
        false
    }

    // ------------------------------------------------------------------ the round

    pub(super) fn begin_round<C: Chance>(&mut self, chance: &mut C) {
        self.round += 1;
        for p in 0..self.n as usize {
            self.players[p].helped = false;
            self.roll(self.players[p].dice, chance);
        }
        self.begin(Step::Planning);
    }

    /// A phase in which all act freely.
    fn begin(&mut self, step: Step) {
        self.step = step;
        self.act = Act::No;
        self.done = 0;
        for p in &mut self.players {
            p.said = 0;
        }
    }

    fn begin_rerolling(&mut self) {
        self.step = Step::Rerolling;
        self.waiting = 0;
        for p in 0..self.n {
            self.players[p as usize].chances = self.rerolls(p);
            if self.can_retry(p) {
                self.waiting |= 1 << p;
            }
        }
        if self.waiting == 0 {
            self.end_rerolling();
        }
    }

    fn end_rerolling(&mut self) {
        for p in 0..self.n {
            if self.active(p, Skill::Gatherer) {
                let me = &mut self.players[p as usize];
                me.bars = (me.bars + me.chances).min(3);
            }
        }
        self.begin(Step::Equipping);
    }

    /// After an action in phases 2 and 4: who is done may no longer be; when all are, it goes on.
    fn settle<C: Chance>(&mut self, chance: &mut C) {
        if self.step == Step::Planning {
            for p in bits(u32::from(self.done)) {
                if !self.in_reach(p) {
                    self.done &= !(1 << p);
                }
            }
        }
        if self.done != self.everybody() {
            return;
        }
        if self.step == Step::Planning {
            self.begin_rerolling();
        } else {
            self.left = self.everybody();
            self.next_turn(chance);
        }
    }

    fn act_freely_by(&mut self, p: u8, choice: Choice) {
        let me = &mut self.players[p as usize];
        match choice {
            Choice::Place(c) => me.marker = c,
            Choice::Pass(card, q) => self.pass(p, card, q),
            Choice::SayGood(_) => me.said |= GOOD,
            Choice::SayPoor(_) => me.said |= POOR,
            Choice::SayHigh => me.said |= HIGH,
            Choice::SaySafe(_) => me.said |= SAFE,
            Choice::SayDanger(_) => me.said |= DANGER,
            _ => self.done |= 1 << p,
        }
    }

    // ------------------------------------------------------------------ small things

    fn roll<C: Chance>(&mut self, dice: u32, chance: &mut C) {
        let mut roll = |g: &mut Self, d: u8| g.face[d as usize] = d / 8 * 6 + chance.below(6) as u8;
        if C::SHOWN_FIRST {
            let mut row: Vec<u8> = bits(dice).collect();
            row.sort_by_key(|d| (self.whose[*d as usize], self.face[*d as usize]));
            row.into_iter().for_each(|d| roll(self, d));
        } else {
            bits(dice).for_each(|d| roll(self, d));
        }
    }

    fn turn_to(&mut self, d: u8, v: u8) {
        self.face[d as usize] = d / 8 * 6 + v - 1;
    }

    fn set_aside(&mut self, p: u8, dice: u32) {
        let me = &mut self.players[p as usize];
        me.dice &= !dice;
        me.aside |= dice;
    }

    fn lend(&mut self, dice: u32, from: u8, to: u8) {
        self.players[from as usize].dice &= !dice;
        self.players[to as usize].dice |= dice;
    }

    fn pass(&mut self, p: u8, card: u8, q: u8) {
        self.players[p as usize].gear &= !(1 << card);
        self.players[q as usize].gear |= 1 << card;
    }

    // ------------------------------------------------------------------ equipment

    /// The card does what is printed on it, up to its first question.
    fn perform<C: Chance>(&mut self, card: Gear, chance: &mut C) {
        let p = self.actor;
        let me = &mut self.players[p as usize];
        let armed = me.dice != 0;
        self.act = match card {
            Gear::Binoculars => Act::SwapFirst,
            Gear::Lighter => Act::AskWhom,
            Gear::Carabiner => {
                self.waiting =
                    (0..self.n).filter(|q| self.players[*q as usize].dice != 0).fold(0, |m, q| m | 1 << q);
                if self.waiting == 0 { Act::No } else { Act::RerollOne }
            }
            Gear::Map if armed => Act::GiveDie,
            Gear::Map => Act::GiveTo(NONE),
            Gear::Tape => Act::Tape,
            Gear::Compass => Act::Compass,
            Gear::Machete if armed => Act::Machete,
            Gear::Shovel if armed => Act::Turn,
            Gear::Flashlight if armed => Act::Reroll { who: p, left: 1 },
            Gear::Water => Act::Drink,
            Gear::Radio | Gear::Machete | Gear::Shovel | Gear::Flashlight => Act::No,
            Gear::FirstAid => {
                me.aided = true;
                Act::No
            }
            Gear::Flare => {
                me.flares += 1;
                Act::No
            }
            Gear::Rope => {
                let near = SLOPE.near[me.at as usize];
                let cells = self.landing() & near;
                if cells.count_ones() == 1 {
                    self.climb(p, cells.trailing_zeros() as u8);
                    Act::No
                } else {
                    Act::Climb
                }
            }
            Gear::Knife => {
                let cards = self.copies(p);
                if cards.count_ones() == 1 {
                    return self.perform(Gear::ALL[cards.trailing_zeros() as usize], chance);
                }
                Act::Copy
            }
        };
        if self.act == Act::No {
            self.finish(chance);
        }
    }

    /// An answer to a question that the card asks.
    fn go_on<C: Chance>(&mut self, p: u8, choice: Choice, chance: &mut C) {
        let (one, set) = match choice {
            Choice::One(x) => (x, 0),
            Choice::Set(set) => (0, set),
            _ => return,
        };
        let me = self.actor;
        let armed = |g: &Self, q: u8| g.players[q as usize].dice != 0;
        self.act = match self.act {
            Act::SwapFirst => {
                let rest = self.bare() & !(1 << one);
                if rest.count_ones() == 1 {
                    self.terrain.swap(one as usize, rest.trailing_zeros() as usize);
                    Act::No
                } else {
                    Act::SwapWith(one)
                }
            }
            Act::SwapWith(a) => {
                self.terrain.swap(a as usize, one as usize);
                Act::No
            }
            Act::Climb => {
                self.climb(p, one);
                Act::No
            }
            Act::AskWhom if armed(self, one) => Act::Lend(one),
            Act::Lend(from) => {
                self.lend(set, from, me);
                Act::No
            }
            Act::GiveDie => Act::GiveTo(one),
            Act::GiveTo(d) => {
                if d != NONE {
                    self.lend(1 << d, me, one);
                }
                Act::No
            }
            Act::Tape => {
                bits(set).for_each(|d| self.turn_to(d, 6));
                Act::No
            }
            Act::Compass => {
                bits(set).for_each(|d| self.turn_to(d, 1));
                Act::No
            }
            Act::Machete => {
                self.set_aside(me, set);
                Act::No
            }
            Act::Turn => Act::TurnTo(one),
            Act::TurnTo(d) => {
                self.turn_to(d, one);
                Act::No
            }
            Act::Drink if armed(self, one) => Act::Reroll { who: one, left: if one == me { 2 } else { 1 } },
            Act::Reroll { who, left } => {
                self.roll(set, chance);
                if left > 1 { Act::Reroll { who, left: left - 1 } } else { Act::No }
            }
            Act::Copy => return self.perform(Gear::ALL[one as usize], chance),
            Act::AskWhom | Act::Drink | Act::RerollOne | Act::No => Act::No,
        };
        if self.act == Act::No {
            self.finish(chance);
        }
    }

    /// The card that was used is spent; a Tinkerer turns it first.
    fn finish<C: Chance>(&mut self, chance: &mut C) {
        self.act = Act::No;
        if self.is_over() {
            return;
        }
        let tinkers = self.active(self.actor, Skill::Tinkerer);
        let card = self.card.bit();
        let me = &mut self.players[self.actor as usize];
        if tinkers && me.used & card == 0 {
            me.used |= card;
        } else {
            me.gear &= !card;
            self.discards |= card;
        }
        self.settle(chance);
    }

    fn climb(&mut self, p: u8, to: u8) {
        self.players[p as usize].at = to;
        self.arrive(p, self.vents & 1 << to);
    }

    /// Eruption tokens that were passed go off, then equipment is picked up.
    fn arrive(&mut self, p: u8, over: u32) {
        for c in bits(over) {
            self.vents &= !(1 << c);
            self.erupt();
            if self.is_over() {
                return;
            }
        }
        let here = 1 << self.players[p as usize].at;
        if self.tokens & here == 0 {
            return;
        }
        self.tokens &= !here;
        if self.top < self.bottom {
            let card = 1 << self.deck[self.top as usize];
            self.top += 1;
            self.players[p as usize].gear |= card;
            self.fresh |= card;
        }
    }

    // ------------------------------------------------------------------ phases 5 and 6

    fn next_turn<C: Chance>(&mut self, chance: &mut C) {
        match self.left.count_ones() {
            0 => self.limp(0, chance),
            1 => self.begin_turn(self.left.trailing_zeros() as u8, chance),
            _ => self.step = Step::Next,
        }
    }

    fn begin_turn<C: Chance>(&mut self, p: u8, chance: &mut C) {
        self.left &= !(1 << p);
        self.turn = p;
        self.eaten = 0;
        self.waiting = (0..self.n).filter(|q| self.can_boost(*q)).fold(0, |m, q| m | 1 << q);
        if self.waiting == 0 {
            self.compare(chance);
        } else {
            self.step = Step::Boost;
        }
    }

    fn compare<C: Chance>(&mut self, chance: &mut C) {
        let p = self.turn;
        let lead = if self.in_reach(p) { self.edge(p).clamp(0, 200) as u8 } else { 0 };
        self.players[p as usize].lead = lead;
        if lead == 0 {
            return self.tire(chance);
        }
        let (n, sets) = self.ways(p);
        if n > 1 {
            self.step = Step::Path;
        } else {
            self.walk(sets[0], chance);
        }
    }

    fn walk<C: Chance>(&mut self, over: u32, chance: &mut C) {
        let p = self.turn;
        self.players[p as usize].at = self.goal(p);
        if self.players().iter().all(|q| self.homes >> q.at & 1 == 1) {
            self.won = true;
            self.step = Step::Over;
            return;
        }
        self.arrive(p, over);
        if !self.is_over() {
            self.tire(chance);
        }
    }

    fn tire<C: Chance>(&mut self, chance: &mut C) {
        let me = &mut self.players[self.turn as usize];
        me.marker = NONE;
        let was = me.fatigue;
        if !me.aided {
            me.fatigue = (was + drain(me.lead)).min(25);
        }
        if me.fatigue == 25 {
            self.step = Step::Over;
            return;
        }
        self.hurts = crossed(me.fatigue) - crossed(was);
        self.suffer(chance);
    }

    /// Injuries that are still to be chosen; the last kind that is left is not.
    fn suffer<C: Chance>(&mut self, chance: &mut C) {
        while self.hurts > 0 {
            let open = !self.players[self.turn as usize].wounds & 15;
            if open.count_ones() > 1 {
                self.step = Step::Injury;
                return;
            }
            if open != 0 {
                self.injure(open.trailing_zeros() as u8);
            }
            self.hurts -= 1;
        }
        self.eaten = 0;
        self.next_turn(chance);
    }

    fn injure(&mut self, kind: u8) {
        let p = self.turn;
        let tinkers = self.active(p, Skill::Tinkerer);
        let me = &mut self.players[p as usize];
        if kind == MEMORY && tinkers {
            let used = me.gear & me.used;
            me.gear &= !used;
            self.discards |= used;
        }
        me.wounds |= 1 << kind;
    }

    /// Legs cost a die each, seat by seat from `from`; then the lava comes.
    fn limp<C: Chance>(&mut self, from: u8, chance: &mut C) {
        for p in from..self.n {
            let me = &mut self.players[p as usize];
            if me.wounds >> LEG & 1 == 0 || me.limped {
                continue;
            }
            me.limped = true;
            let own = self.own_dice(p);
            if own.count_ones() > 1 {
                self.actor = p;
                self.step = Step::Leg;
                return;
            }
            if own != 0 {
                self.lose_die(own.trailing_zeros() as u8);
            }
        }
        self.erupt();
        if !self.is_over() {
            self.end_round();
            self.begin_round(chance);
        }
    }

    fn lose_die(&mut self, d: u8) {
        for p in &mut self.players {
            p.dice &= !(1 << d);
            p.aside &= !(1 << d);
        }
        self.boxed |= 1 << d;
    }

    /// What was lent or set aside goes home.
    fn end_round(&mut self) {
        self.fresh = 0;
        for p in &mut self.players {
            p.dice = 0;
            p.aside = 0;
            p.flares = 0;
            p.aided = false;
        }
        for d in bits(!self.boxed & ((1 << DICE) - 1)) {
            self.players[self.whose[d as usize] as usize].dice |= 1 << d;
        }
    }
}
