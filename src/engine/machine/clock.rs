//! Clocks of menus. The machine measures no time: it says which clock runs. When the caller reports that it has run out, the machine goes back to the last state in which the menu
//! could be left, and leaves it there.
use crate::base::event::EventKind;
use crate::base::fault::Fault;
use crate::data::decision::{Choice, Question, QuestionKind, Reason, Refusal};
use crate::data::state::{Fiber, State, Wait};
use crate::machine::game::Machine;
use houserule_program::ir::{Ins, NONE, OfferIx, Program, R};

/// A clock that runs while a question waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// The player at the menu.
    pub player: u8,
    /// The offer.
    pub offer: OfferIx,
    /// Actions that the player has taken since it was offered.
    pub spent: u32,
    /// How long the player may stay, if time is measured.
    pub seconds: Option<u32>,
}

/// An offer in a fiber's call stack: its player, and the base of the frame that asks.
struct Place {
    offer: OfferIx,
    who: i64,
    base: u32,
}

fn read_register(fiber: &Fiber, base: u32, r: R) -> u64 {
    fiber.stack.get(base as usize + r as usize).copied().unwrap_or(0)
}

/// The offer in whose action a frame waits, which continues at position `pc`.
fn waiting_offer(p: &Program, fiber: &Fiber, base: u32, pc: u32) -> Option<Place> {
    let ins = pc.checked_sub(1).and_then(|at| p.code.get(at as usize))?;
    let Ins::AskMenu { who, offer, .. } = *ins else { return None };
    Some(Place { offer, who: read_register(fiber, base, who) as i64, base })
}

/// The innermost offer with a clock in whose menu or action a fiber waits.
fn clocked_offer(p: &Program, fiber: &Fiber, question: &Question) -> Option<Place> {
    let clocked = |at: &Place| p.offers.get(at.offer.index()).is_some_and(|o| o.clock.is_some());
    let here = match fiber.wait {
        Wait::Menu { offer, .. } => Some(Place { offer, who: i64::from(question.player), base: fiber.base }),
        _ => None,
    };
    let outer = fiber.links.iter().rev().filter(|l| l.acted != u16::MAX);
    here.into_iter().chain(outer.filter_map(|l| waiting_offer(p, fiber, l.base, l.pc))).find(clocked)
}

impl Machine {
    /// The clock that runs for the player of question number `q`, if one does: that of its menu, or of the menu in whose action it is asked.
    ///
    /// # Errors
    /// A rule error while it is computed.
    pub fn clock(&mut self, q: usize) -> Result<Option<Clock>, Fault> {
        let p = self.program.clone();
        if p.offers.iter().all(|o| o.clock.is_none()) {
            return Ok(None);
        }
        let Some(question) = self.questions().get(q).copied() else { return Ok(None) };
        let Some(fiber) = self.state().fibers.get(question.fiber as usize) else { return Ok(None) };
        let Some(at) = clocked_offer(&p, fiber, &question) else { return Ok(None) };
        let Some(offer) = p.offers.get(at.offer.index()) else { return Ok(None) };
        let Some(slot) = offer.clock.as_ref().filter(|_| at.who == i64::from(question.player)) else {
            return Ok(None);
        };
        let spent = read_register(fiber, at.base, slot.spent) as u32;
        let mut calls = Vec::new();
        for (menu, func) in &slot.seconds {
            let Some((ix, r)) = offer.menus.get(usize::from(*menu)) else { continue };
            let words = p.menus.get(ix.index()).map_or(0, |m| m.params);
            let mut args = vec![at.who as u64];
            args.extend((0..words).map(|i| read_register(fiber, at.base, r.wrapping_add(i))));
            calls.push((*func, args));
        }
        let mut seconds: Option<u32> = None;
        for (func, args) in calls {
            let mut out = [NONE as u64];
            self.eval(func, &args, &mut out)?;
            let n = out[0] as i64;
            if n != NONE {
                let n = u32::try_from(n.max(0)).unwrap_or(u32::MAX);
                seconds = Some(seconds.map_or(n, |s| s.min(n)));
            }
        }
        Ok(Some(Clock { player: question.player, offer: at.offer, spent, seconds }))
    }

    /// How the menu of question number `q` may be left now: by `done`, or else by `pass`; `None` if it may not, or if the question is no menu.
    ///
    /// # Errors
    /// A rule error while the options are listed.
    pub fn way_out(&mut self, q: usize) -> Result<Option<Choice>, Fault> {
        if !self.questions().get(q).is_some_and(|q| matches!(q.kind, QuestionKind::Menu(_))) {
            return Ok(None);
        }
        let options = self.options(q)?;
        Ok([Choice::Done, Choice::Pass].into_iter().find(|c| options.index_of(c).is_some()))
    }

    /// Ends a player's stay after the clock has run out: goes back to a state in which the menu could be left, and leaves it there. The random streams are not reset, so that later
    /// draws differ from those that were undone.
    ///
    /// # Errors
    /// Why not; the state is then as before.
    pub fn time_up(&mut self, back: &State, player: u8) -> Result<(), Refusal> {
        let now = self.state().clone();
        self.set_state(back);
        let state = &mut self.core.state;
        state.streams.clone_from(&now.streams);
        state.head.next_question = state.head.next_question.max(now.head.next_question);
        let logged = self.core.context.rec.len();
        let left = self.leave(player);
        if left.is_err() {
            self.core.context.rec.truncate(logged);
            self.set_state(&now);
        }
        left
    }

    fn leave(&mut self, player: u8) -> Result<(), Refusal> {
        let menu = |q: &Question| q.player == player && matches!(q.kind, QuestionKind::Menu(_));
        let Some(i) = self.questions().iter().position(menu) else { return Err(Refusal::NotPending) };
        let Some(q) = self.questions().get(i).copied() else { return Err(Refusal::NotPending) };
        let Some(choice) = self.way_out(i).map_err(Refusal::Fault)? else {
            let text = String::from("time is up, but this cannot be left");
            return Err(Refusal::Illegal(vec![Reason { span: q.span, text }]));
        };
        let func = self.state().fibers.get(q.fiber as usize).map_or(0, |fiber| fiber.func);
        let (p, rec) = (&self.program, &mut self.core.context.rec);
        rec.log_asker(p, i64::from(player), func, EventKind::TimeUp, "time is up");
        self.choose(i, &choice)
    }
}

/// By player: the last state in which the menu with a clock could be left, for callers without a time line.
#[derive(Default)]
pub struct LastWays(Vec<(u8, State)>);

impl LastWays {
    /// Notes the state before a question is answered.
    ///
    /// # Errors
    /// A rule error.
    pub fn note(&mut self, m: &mut Machine, q: usize) -> Result<(), Fault> {
        let Some(clock) = m.clock(q)? else { return Ok(()) };
        // In the middle of an action the menu cannot be left.
        if m.questions().get(q).is_none_or(|q| q.kind != QuestionKind::Menu(clock.offer)) {
            return Ok(());
        }
        let leaves = m.way_out(q)?.is_some();
        if leaves || clock.spent == 0 {
            self.0.retain(|(player, _)| *player != clock.player);
        }
        if leaves {
            self.0.push((clock.player, m.state().clone()));
        }
        Ok(())
    }

    /// Ends the stay of the player of question number `q` after the clock has run out.
    ///
    /// # Errors
    /// Why not; the state is then as before.
    pub fn time_up(&mut self, m: &mut Machine, q: usize) -> Result<(), Refusal> {
        self.note(m, q).map_err(Refusal::Fault)?;
        let clock = m.clock(q).map_err(Refusal::Fault)?;
        let span = m.questions().get(q).map(|q| q.span).unwrap_or_default();
        let no = |text: &str| Refusal::Illegal(vec![Reason { span, text: text.into() }]);
        let Some(clock) = clock.filter(|c| c.seconds.is_some()) else {
            return Err(no("no clock runs in seconds here"));
        };
        let Some((_, back)) = self.0.iter().find(|(player, _)| *player == clock.player) else {
            return Err(no("time is up, but there was no point where this menu could be left"));
        };
        m.time_up(back, clock.player)
    }
}
