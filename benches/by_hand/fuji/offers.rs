//! What may be answered, and how a uniform player draws: every option with the same chance, all subsets that answer one question as one option, then every subset alike.
use super::cards::SLOPE;
use super::*;

/// An answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Choice {
    Done,
    /// The marker goes there.
    Place(u8),
    Use(Gear),
    /// A card to somebody.
    Pass(u8, u8),
    SayGood(u8),
    SayPoor(u8),
    SayHigh,
    SaySafe(u8),
    SayDanger(u8),
    /// Dice are rolled again.
    Reroll(u32),
    SetAside(u8),
    Eat(u8),
    /// One thing: a cell, a player, a die, a card, an injury, a value.
    One(u8),
    /// A set of things.
    Set(u32),
}

/// All subsets of a set, of these sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Subset {
    pub of: u32,
    pub least: u32,
    pub most: u32,
}

impl Subset {
    fn any(of: u32) -> Subset {
        Subset { of, least: 0, most: of.count_ones() }
    }

    fn up_to(of: u32, most: u32) -> Subset {
        Subset { of, least: 0, most: most.min(of.count_ones()) }
    }

    fn exactly(of: u32, n: u32) -> Subset {
        Subset { of, least: n, most: n }
    }

    /// Every one with the same chance: a size first, weighted by how many there are, then thing by thing.
    fn draw<C: Chance>(&self, chance: &mut C) -> u32 {
        let n = self.of.count_ones();
        let many = |k: u32| (0..k).fold(1, |x, i| x * (n - i) / (i + 1));
        let all: u32 = (self.least..=self.most).map(many).sum();
        let mut k = chance.below(all);
        let mut size = self.least;
        while k >= many(size) {
            k -= many(size);
            size += 1;
        }
        let (mut out, mut left) = (0, n);
        for x in bits(self.of) {
            if size == 0 {
                break;
            }
            if chance.below(left) < size {
                out |= 1 << x;
                size -= 1;
            }
            left -= 1;
        }
        out
    }
}

/// What may be answered to one question; kept from one to the next, so that nothing is allocated.
#[derive(Clone, Default, Debug)]
pub struct Options {
    pub list: Vec<Choice>,
    /// Subsets, too: of dice to be rolled again in a menu, else the whole answer.
    pub subset: Option<Subset>,
    /// Whether it is a menu.
    pub menu: bool,
}

impl Options {
    /// A uniform answer.
    pub fn draw<C: Chance>(&self, chance: &mut C) -> Choice {
        let n = self.list.len() as u32 + u32::from(self.subset.is_some());
        let k = chance.below(n) as usize;
        match (self.list.get(k), &self.subset) {
            (Some(choice), _) => *choice,
            (None, Some(s)) if self.menu => Choice::Reroll(s.draw(chance)),
            (None, Some(s)) => Choice::Set(s.draw(chance)),
            (None, None) => Choice::Done,
        }
    }

    fn one_of(&mut self, set: u32) {
        self.list.extend(bits(set).map(Choice::One));
    }
}

impl<const PLAIN: bool> Fuji<PLAIN> {
    /// Who is asked now (bits).
    pub fn asked(&self) -> u8 {
        match self.step {
            Step::Divide => 1,
            Step::Pack | Step::Rerolling | Step::Boost => self.waiting,
            Step::Planning | Step::Equipping => match self.act {
                Act::No => self.everybody() & !self.done,
                Act::RerollOne => self.waiting,
                Act::Lend(p) | Act::Reroll { who: p, .. } => 1 << p,
                _ => 1 << self.actor,
            },
            // The table: any of them may say.
            Step::Next => self.left & self.left.wrapping_neg(),
            Step::Path | Step::Injury => 1 << self.turn,
            Step::Leg => 1 << self.actor,
            Step::Over => 0,
        }
    }

    /// What `p` may answer.
    pub fn options(&self, p: u8, out: &mut Options) {
        out.list.clear();
        out.subset = None;
        out.menu = false;
        let me = &self.players[p as usize];
        match self.step {
            Step::Divide => out.subset = Some(Subset::exactly(u32::from(self.everybody()), 2)),
            Step::Pack => {
                out.subset = Some(match self.too_many(p) {
                    (0, dice) => Subset::exactly(me.dice, dice),
                    (cards, _) => Subset::exactly(me.gear, cards),
                });
            }
            Step::Planning | Step::Equipping => match self.act {
                Act::No => self.act_freely(p, out),
                act => self.within(act, p, out),
            },
            Step::Rerolling => self.retry(p, out),
            Step::Boost => self.boost(p, out),
            Step::Next => out.one_of(u32::from(self.left)),
            Step::Path => {
                let (n, sets) = self.ways(p);
                out.list.extend(sets[..n].iter().map(|s| Choice::Set(*s)));
            }
            Step::Injury => out.one_of(u32::from(!me.wounds & 15)),
            Step::Leg => out.one_of(self.own_dice(p)),
            Step::Over => {}
        }
    }

    /// The menus of phases 2 and 4.
    fn act_freely(&self, p: u8, out: &mut Options) {
        out.menu = true;
        let me = &self.players[p as usize];
        let mut done = true;
        if self.step == Step::Planning {
            let reach = self.reach(p);
            let taken = self.taken(p);
            let mut goals = reach & !taken;
            if goals == 0 {
                goals = reach & 1 << me.at;
            }
            done = false;
            if me.marker != NONE {
                done = reach >> me.marker & 1 == 1;
                goals &= !(1 << me.marker);
            }
            out.list.extend(bits(goals).map(Choice::Place));
        }
        if self.handy(p) {
            let cards = bits(me.gear & self.for_now() & !self.fresh).map(|c| Gear::ALL[c as usize]);
            out.list.extend(cards.filter(|c| self.can(p, *c)).map(Choice::Use));
        }
        self.passes(p, out);
        self.talk(p, out);
        if done {
            out.list.push(Choice::Done);
        }
    }

    /// What the equipment manager passes on.
    fn passes(&self, p: u8, out: &mut Options) {
        if self.active(p, Skill::Manager) {
            for card in bits(self.players[p as usize].gear) {
                out.list.extend((0..self.n).filter(|q| *q != p).map(|q| Choice::Pass(card, q)));
            }
        }
    }

    /// True sentences that `p` has not said in this phase.
    fn talk(&self, p: u8, out: &mut Options) {
        let said = self.players[p as usize].said;
        if said & (GOOD | POOR) != GOOD | POOR {
            for c in bits(self.open()) {
                let (good, poor) = self.luck(p, self.terrain[c as usize]);
                if good && said & GOOD == 0 {
                    out.list.push(Choice::SayGood(c));
                }
                if poor && said & POOR == 0 {
                    out.list.push(Choice::SayPoor(c));
                }
            }
        }
        if said & HIGH == 0 && self.high(p) {
            out.list.push(Choice::SayHigh);
        }
        if said & (SAFE | DANGER) != SAFE | DANGER {
            for q in (0..self.n).filter(|q| *q != p && self.players[*q as usize].marker != NONE) {
                let (good, poor) = self.luck(p, self.need(q));
                if poor && said & SAFE == 0 {
                    out.list.push(Choice::SaySafe(q));
                }
                if good && said & DANGER == 0 {
                    out.list.push(Choice::SayDanger(q));
                }
            }
        }
    }

    /// The menu of phase 3; empty if there is nothing to do.
    fn retry(&self, p: u8, out: &mut Options) {
        out.menu = true;
        let me = &self.players[p as usize];
        if me.chances > 0 && me.dice != 0 {
            out.subset = Some(Subset { of: me.dice, least: 1, most: me.dice.count_ones() });
        }
        self.passes(p, out);
        if self.active(p, Skill::Buddy) && !me.helped {
            out.list.extend(bits(self.different(p)).map(Choice::SetAside));
        }
        out.list.push(Choice::Done);
    }

    /// Whether that menu holds more than done.
    pub(super) fn can_retry(&self, p: u8) -> bool {
        let me = &self.players[p as usize];
        me.dice != 0 && (me.chances > 0 || self.active(p, Skill::Buddy) && !me.helped)
            || me.gear != 0 && self.active(p, Skill::Manager)
    }

    /// The menu of everybody's turn in phase 5.
    fn boost(&self, p: u8, out: &mut Options) {
        out.menu = true;
        self.passes(p, out);
        if self.active(p, Skill::Gatherer) {
            out.list.extend((1..=self.players[p as usize].bars).map(Choice::Eat));
        }
        out.list.push(Choice::Done);
    }

    pub(super) fn can_boost(&self, p: u8) -> bool {
        let me = &self.players[p as usize];
        me.gear != 0 && self.active(p, Skill::Manager) || me.bars > 0 && self.active(p, Skill::Gatherer)
    }

    /// Questions while an equipment card is used.
    fn within(&self, act: Act, p: u8, out: &mut Options) {
        let me = &self.players[p as usize];
        let others = u32::from(self.everybody()) & !(1 << p);
        match act {
            Act::SwapFirst => out.one_of(self.bare()),
            Act::SwapWith(a) => out.one_of(self.bare() & !(1 << a)),
            Act::Climb => out.one_of(self.landing() & SLOPE.near[me.at as usize]),
            Act::AskWhom | Act::GiveTo(_) => out.one_of(others),
            Act::Lend(_) => out.subset = Some(Subset::up_to(me.dice, 1)),
            Act::RerollOne | Act::GiveDie | Act::Turn => out.one_of(self.different(p)),
            Act::Tape => out.subset = Some(Subset::any(self.showing(p, 1))),
            Act::Compass => out.subset = Some(Subset::any(self.showing(p, 6))),
            Act::Machete => out.subset = Some(Subset::up_to(me.dice, 2)),
            Act::TurnTo(_) => out.list.extend((1..=6).map(Choice::One)),
            Act::Drink => out.one_of(u32::from(self.everybody())),
            Act::Reroll { .. } => out.subset = Some(Subset::any(me.dice)),
            Act::Copy => out.one_of(self.copies(p)),
            Act::No => {}
        }
    }

    /// Dice of `p` that show a value.
    fn showing(&self, p: u8, v: u8) -> u32 {
        bits(self.players[p as usize].dice)
            .filter(|d| cards::value(self.face[*d as usize]) == v)
            .fold(0, |m, d| m | 1 << d)
    }
}

// What was said in this phase.
pub(super) const GOOD: u8 = 1;
pub(super) const POOR: u8 = 2;
pub(super) const HIGH: u8 = 4;
pub(super) const SAFE: u8 = 8;
pub(super) const DANGER: u8 = 16;
