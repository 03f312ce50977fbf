//! Moves in a turn, what they do, and which of them are on offer: those behind which some move after the other comes to where the turn may end.
use super::bay::{BAY, DIRECTIONS, FOG_AT, Ground, Hex, Leap, Trait, WHO};
use super::{BONUS, BONUSES, Choice, Fog, ISLANDERS, NONE};

const EAST: usize = 1;
const WEST: usize = 4;

fn jump_price(w: usize) -> u8 {
    if WHO[w].can == Trait::Jumper { 2 } else { 3 }
}

/// Of crossing and squeezing, each of which somebody is good at.
fn hard_price(w: usize, good: Trait) -> u8 {
    match WHO[w].can {
        Trait::Allrounder => 3,
        can if can == good => 2,
        _ => 4,
    }
}

impl Fog {
    fn taken(&self, h: u8) -> bool {
        self.here[h as usize] != 0
    }

    fn free(&self, h: u8) -> bool {
        let open = matches!(BAY[h as usize].ground, Ground::Beach | Ground::Shore | Ground::Pier);
        open && !self.rocky[h as usize] && !self.taken(h)
    }

    /// Somebody on the beach, who can be pushed and jumped over.
    fn crowd(&self, h: u8) -> bool {
        BAY[h as usize].ground == Ground::Beach && self.taken(h)
    }

    fn blocked(&self, h: u8) -> bool {
        BAY[h as usize].ground == Ground::Woods || self.rocky[h as usize] || self.crowd(h)
    }

    /// How many stand where room is counted: a stern is one place.
    fn crew(&self, h: u8) -> u32 {
        let hex = &BAY[h as usize];
        let beside = if hex.twin != NONE { self.here[hex.twin as usize].count_ones() } else { 0 };
        self.here[h as usize].count_ones() + beside
    }

    fn suits(&self, w: usize, h: u8) -> bool {
        let hex = &BAY[h as usize];
        hex.ground != Ground::Woods
            && !self.rocky[h as usize]
            && hex.wants.is_none_or(|wanted| wanted == WHO[w].is)
    }

    fn vacant(&self, w: usize, h: u8) -> bool {
        self.suits(w, h) && self.crew(h) < BAY[h as usize].room
    }

    /// Whether somebody may stay where he is.
    fn settled(&self, w: usize) -> bool {
        let h = self.at[w];
        self.seated >> w & 1 == 1 || self.suits(w, h) && self.crew(h) <= BAY[h as usize].room
    }

    /// Whoever of these moved last and cannot stay where he is.
    fn busy(&self, me: u8) -> u8 {
        let w = self.mover[me as usize];
        if w != NONE && !self.settled(w as usize) { w } else { NONE }
    }

    // -------------------------------------------------------------- what is on offer

    /// All that is legal in a turn, with done; nothing if there is nothing to do but that.
    pub(super) fn flights(&self, out: &mut Vec<Choice>) {
        out.clear();
        self.visit(&mut |c| {
            if self.leads_out(c) {
                out.push(c);
            }
            false
        });
        if !out.is_empty() && self.busy(self.me()) == NONE {
            out.push(Choice::Done);
        }
    }

    /// The same with what leads to dead ends.
    pub fn perhaps(&self, out: &mut Vec<Choice>) {
        out.clear();
        self.visit(&mut |c| {
            out.push(c);
            false
        });
        if self.busy(self.me()) == NONE {
            out.push(Choice::Done);
        }
    }

    /// Shows all moves of the player whose turn it is until one is taken; whether one was.
    fn visit(&self, take: &mut impl FnMut(Choice) -> bool) -> bool {
        let me = self.me();
        let busy = self.busy(me);
        if busy != NONE {
            return self.moves(busy as usize, me, take);
        }
        let mine = |w: &usize| self.disc[*w] == me && self.lost >> *w & 1 == 0;
        (0..ISLANDERS).filter(mine).any(|w| self.moves(w, me, take))
    }

    /// Whether behind a choice one can come to where one may stop.
    pub(super) fn leads_out(&self, c: Choice) -> bool {
        let (w, goal) = match c {
            Choice::Run(w, h)
            | Choice::Jump(w, h)
            | Choice::Cross(w, h)
            | Choice::Squeeze(w, h)
            | Choice::LastBreath(w, h) => (w as usize, h),
            // Whoever changes places, pushes or drives off stands well.
            _ => return true,
        };
        if self.vacant(w, goal) {
            return true;
        }
        let mut then = *self;
        then.act(c);
        then.visit(&mut |c| then.leads_out(c))
    }

    /// Shows all moves of an islander until one is taken; whether one was.
    #[inline]
    fn moves(&self, w: usize, me: u8, take: &mut impl FnMut(Choice) -> bool) -> bool {
        let from = self.at[w];
        let here = &BAY[from as usize];
        let mp = self.mp[me as usize];
        let who = w as u8;
        let breath = WHO[w].can == Trait::Enduring && self.moved >> w & 1 == 1 && self.winded >> w & 1 == 0;
        // After a last breath only last breaths.
        let fresh = self.winded == 0 && mp > 0;
        if !fresh && !breath {
            return false;
        }
        for d in 0..DIRECTIONS {
            if !here.exit[d] {
                continue;
            }
            let goal = here.near[d];
            let there = &BAY[goal as usize];
            let wet = there.ground != Ground::Beach;
            let enter = (wet || self.free(goal))
                && FOG_AT[there.belt as usize] < self.fog
                && (there.ground != Ground::Stern || self.vacant(w, goal));
            if enter && fresh && take(Choice::Run(who, goal)) {
                return true;
            }
            if enter && breath && take(Choice::LastBreath(who, goal)) {
                return true;
            }
            if !fresh || !self.taken(goal) {
                continue;
            }
            if there.ground == Ground::Berth {
                if self.drives_off(w, here, goal) && take(Choice::DriveOff(who, goal)) {
                    return true;
                }
            } else if there.ground != Ground::Stern
                && (wet || there.belt >= here.belt)
                && self.beside(w, goal, d, mp, take)
            {
                return true;
            }
        }
        fresh && here.ground == Ground::Beach && self.leaps(w, here, mp, take)
    }

    /// Changing places with who stands beside, and pushing him.
    fn beside(&self, w: usize, goal: u8, d: usize, mp: u8, take: &mut impl FnMut(Choice) -> bool) -> bool {
        let from = self.at[w];
        let on_beach = BAY[goal as usize].ground == Ground::Beach;
        let swaps = mp >= if on_beach { 3 } else { 1 }
            && self.here[from as usize].count_ones() == 1
            && !self.rocky[from as usize];
        let pushes = on_beach && BAY[from as usize].ground == Ground::Beach && self.pushes(w, goal, d, mp);
        let mut all = self.here[goal as usize] & !self.lost;
        while all != 0 {
            let x = all.trailing_zeros() as u8;
            all &= all - 1;
            if swaps && take(Choice::Swap(w as u8, x)) || pushes && take(Choice::Push(w as u8, x, d as u8)) {
                return true;
            }
        }
        false
    }

    /// Up to two in a row, onto a free hex, not backwards.
    fn pushes(&self, w: usize, goal: u8, d: usize, mp: u8) -> bool {
        let price = if WHO[w].can == Trait::Pusher { 2 } else { 3 };
        if mp < price || d > EAST && d < WEST {
            return false;
        }
        let mut behind = BAY[goal as usize].near[d];
        if behind != NONE && self.crowd(behind) {
            behind = BAY[behind as usize].near[d];
        }
        behind != NONE && self.free(behind)
    }

    /// Whether an islander of the boat's nation may sit down on strangers.
    fn drives_off(&self, w: usize, here: &Hex, goal: u8) -> bool {
        let boat = BAY[goal as usize].boat;
        let free_beside = |d: usize| {
            let h = here.near[d];
            here.exit[d] && BAY[h as usize].boat == boat && self.vacant(w, h)
        };
        // Each stranger is driven off once.
        let there = self.here[goal as usize];
        let strangers = (0..ISLANDERS).filter(|x| there >> x & 1 == 1 && WHO[*x].nation != boat).count();
        WHO[w].nation == boat
            && self.suits(w, goal)
            && !self.vacant(w, goal)
            && strangers > (there & self.seated).count_ones() as usize
            && !(0..DIRECTIONS).any(free_beside)
    }

    /// Jumping, crossing, squeezing through.
    fn leaps(&self, w: usize, here: &Hex, mp: u8, take: &mut impl FnMut(Choice) -> bool) -> bool {
        if mp < 2 {
            return false;
        }
        let who = w as u8;
        let jumps = mp >= jump_price(w);
        let crosses = mp >= hard_price(w, Trait::Crosser);
        let squeezes = mp >= hard_price(w, Trait::Squeezer);
        for (Leap { goal, over: [a, b] }, straight) in here.leaps.iter().zip(here.straight).take(here.n_leaps)
        {
            let (goal, a, b) = (*goal, *a, *b);
            if BAY[goal as usize].ground != Ground::Shore && !self.free(goal) {
                continue;
            }
            if jumps && straight && a != NONE && self.crowd(a) && take(Choice::Jump(who, goal)) {
                return true;
            }
            let rocky = |h: u8| h != NONE && self.rocky[h as usize];
            if crosses && (rocky(a) || rocky(b)) && take(Choice::Cross(who, goal)) {
                return true;
            }
            let blocked = |h: u8| h != NONE && self.blocked(h);
            if squeezes && blocked(a) && blocked(b) && take(Choice::Squeeze(who, goal)) {
                return true;
            }
        }
        false
    }

    // -------------------------------------------------------------- what it does

    fn put(&mut self, w: usize, h: u8) {
        self.here[self.at[w] as usize] &= !(1 << w);
        self.here[h as usize] |= 1 << w;
        self.at[w] = h;
    }

    fn arrive(&mut self, w: usize, goal: u8) {
        self.seated &= !(1 << w);
        self.put(w, goal);
        if BAY[goal as usize].ground == Ground::Berth && self.settled(w) {
            self.reward(w);
        }
    }

    /// The highest bonus left of the boat, once each.
    fn reward(&mut self, w: usize) {
        if self.ready >> w & 1 == 1 {
            return;
        }
        let boat = BAY[self.at[w] as usize].boat;
        if let Some(b) = (0..BONUSES).find(|b| BONUS[*b].0 == boat && self.holder[*b] == NONE) {
            self.ready |= 1 << w;
            self.holder[b] = self.disc[w];
        }
    }

    /// Does a move.
    pub(super) fn act(&mut self, c: Choice) {
        let me = self.me() as usize;
        let (w, price) = match c {
            Choice::Run(w, goal) => {
                self.arrive(w as usize, goal);
                (w, 1)
            }
            Choice::Swap(w, x) => {
                let (from, goal) = (self.at[w as usize], self.at[x as usize]);
                self.put(x as usize, from);
                self.arrive(w as usize, goal);
                (w, if BAY[goal as usize].ground == Ground::Beach { 3 } else { 1 })
            }
            Choice::Push(w, x, d) => {
                let goal = self.at[x as usize];
                let next = BAY[goal as usize].near[d as usize];
                if self.taken(next) {
                    let last = BAY[next as usize].near[d as usize];
                    self.put(self.here[next as usize].trailing_zeros() as usize, last);
                }
                self.put(x as usize, next);
                self.arrive(w as usize, goal);
                (w, if WHO[w as usize].can == Trait::Pusher { 2 } else { 3 })
            }
            Choice::Jump(w, goal) => {
                self.arrive(w as usize, goal);
                (w, jump_price(w as usize))
            }
            Choice::Cross(w, goal) => {
                self.arrive(w as usize, goal);
                (w, hard_price(w as usize, Trait::Crosser))
            }
            Choice::Squeeze(w, goal) => {
                self.arrive(w as usize, goal);
                (w, hard_price(w as usize, Trait::Squeezer))
            }
            Choice::LastBreath(w, goal) => {
                self.winded |= 1 << w;
                self.arrive(w as usize, goal);
                (w, 0)
            }
            Choice::DriveOff(w, goal) => {
                self.put(w as usize, goal);
                self.seated |= 1 << w;
                self.reward(w as usize);
                (w, 1)
            }
            Choice::Done | Choice::Pick(_) => return,
        };
        self.mp[me] -= price;
        self.mover[me] = w;
        self.moved |= 1 << w;
    }
}
