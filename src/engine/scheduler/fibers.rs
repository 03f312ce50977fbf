//! Runs fibers and opens questions: `drive` runs until somebody is asked, `take_answer` continues with an answer.
//!
//! *At once*: the children of a fork run in seat order, each to its first question or its end. All questions are open together; answers are held. When none is
//! open, the fibers continue in seat order with their answers, again to their next questions, until all have ended. The order of the answers makes no difference.
//! *Freely*: an answer is taken as it comes. While one sibling is in the middle of an action, the questions of the others wait.
use crate::base::bitset::{count_bits, nth_bit};
use crate::base::event::EventKind;
use crate::base::fault::{FaultKind, Stop};
use crate::base::window;
use crate::base::window::{slice, window, write_words};
use crate::context::exit::Exit;
use crate::context::frames::enter;
use crate::context::pilot::{Course, Pick};
use crate::context::recorder::Answer;
use crate::data::decision::{Choice, Question, QuestionKind, What, Words};
use crate::data::seats::{answering, answering_any};
use crate::data::state::{Fiber, NOBODY, Status, Wait};
use crate::interp::list_ops::{list_at, list_len};
use crate::interp::run_loop::run;
use crate::scheduler::core::Core;
use crate::scheduler::registers::{bounds, ways_of};
use crate::scheduler::rejection::{MAX_DRAWS, Sampled};
use crate::world::knowledge::SeededFault;
use houserule_program::ir::*;

/// The most fibers at a time.
const MAX_FIBERS: usize = 256;

impl Core {
    /// Starts a function as the root fiber; whatever ran before is dropped.
    pub(crate) fn start_root(
        &mut self,
        p: &Program,
        f: FuncId,
        me: i64,
        args: &[u64],
        test_root: bool,
    ) -> Result<(), Stop> {
        let func = p.funcs.get(f.index()).ok_or(FaultKind::BadProgram("a function that is not there"))?;
        self.context.memo.invalidate_all();
        for fiber in &mut self.state.fibers {
            fiber.status = Status::Free;
        }
        self.state.phases.clear();
        self.state.outer_turns.clear();
        self.state.head.test_root = test_root;
        self.state.head.whole_game = f == p.main;
        if self.state.fibers.is_empty() {
            self.state.fibers.push(Fiber::default());
        }
        let Some(fiber) = self.state.fibers.first_mut() else { return Ok(()) };
        reset_fiber(fiber, func.start, f, me, NOBODY);
        let win = window(&mut fiber.stack, 0).ok_or(FaultKind::TooDeep)?;
        win.fill(0);
        win[0] = me as u64;
        match win.get_mut(1..1 + args.len()) {
            Some(room) => room.copy_from_slice(args),
            None => return Err(Stop::from(FaultKind::BadProgram("more arguments than a window holds"))),
        }
        Ok(())
    }

    /// Runs until a question is open that the pilot does not answer, the root has ended, or the game is over.
    pub(crate) fn drive(&mut self, p: &Program, course: &mut Course<'_>) -> Result<(), Stop> {
        self.context.refill();
        self.options_for = None;
        self.settled = false;
        self.may_leave = false;
        loop {
            if self.state.head.over {
                break;
            }
            if let Some(i) = self.find_ready(0, 0) {
                self.run_fiber(p, i, course)?;
                continue;
            }
            if self.state.fibers.len() > 1 && self.resume_free_fibers(p)? {
                continue;
            }
            self.list_questions(p);
            if !self.questions.is_empty() {
                self.context.rec.finish_disclosure(p, &self.state);
                return Ok(());
            }
            let mut resumed = false;
            // They run in the order of the tree, whatever the order here.
            for fiber in &mut self.state.fibers {
                if fiber.status == Status::Held && !fiber.freely {
                    fiber.status = Status::Ready;
                    resumed = true;
                }
            }
            if !resumed {
                if self.state.fibers.iter().all(|f| f.status == Status::Free) {
                    break;
                }
                return Err(Stop::from(FaultKind::Stuck));
            }
        }
        if self.state.head.over {
            for fiber in &mut self.state.fibers {
                fiber.status = Status::Free;
            }
            if !self.state.phases.is_empty() {
                self.context.memo.invalidate_all();
                self.state.phases.clear();
            }
            self.state.rigged.clear();
            self.state.orders.clear();
            self.context.rec.log_plain(EventKind::Ended);
        }
        self.context.rec.finish_disclosure(p, &self.state);
        self.questions.clear();
        Ok(())
    }

    /// The first fiber in tree order, from fiber `i` down, that can run.
    fn find_ready(&self, i: usize, depth: usize) -> Option<usize> {
        let fiber = self.state.fibers.get(i)?;
        match fiber.status {
            Status::Ready => Some(i),
            Status::Joining if depth < MAX_FIBERS => {
                self.children(i).find_map(|c| self.find_ready(c, depth + 1))
            }
            _ => None,
        }
    }

    /// A fiber's children, in seat order.
    fn children(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        let fibers = self.state.fibers.iter().enumerate();
        fibers.filter(move |(_, f)| f.status != Status::Free && f.parent == i as u16).map(|(k, _)| k)
    }

    /// Computes the questions that are asked now.
    pub(crate) fn list_questions(&mut self, p: &Program) {
        let mut list = std::mem::take(&mut self.questions);
        list.clear();
        if let Some(fiber) = self.state.fibers.first()
            && fiber.status == Status::Asking
            && fiber.asked.is_power_of_two()
            && fiber.missing == fiber.asked
            && !self.state.head.over
        {
            // One fiber asks one player.
            let player = fiber.asked.trailing_zeros() as u8;
            let (kind, span) = self.question_kind(p, fiber);
            let (anybody, seats) = asked_seats(p, fiber, player);
            list.push(Question { id: fiber.question, player, anybody, seats, kind, span, fiber: 0 });
        } else if !self.state.head.over && !self.state.fibers.is_empty() {
            self.collect_questions(p, 0, 0, &mut list);
            list.sort_by_key(|q| q.player);
        }
        self.questions = list;
    }

    fn collect_questions(&self, p: &Program, i: usize, depth: usize, out: &mut Vec<Question>) {
        let Some(fiber) = self.state.fibers.get(i) else { return };
        match fiber.status {
            Status::Asking => {
                let (kind, span) = self.question_kind(p, fiber);
                let mut nth = 0;
                for player in 0..p.players.min(32) {
                    if fiber.asked >> player & 1 == 0 {
                        continue;
                    }
                    if fiber.missing >> player & 1 == 1 {
                        let (anybody, seats) = asked_seats(p, fiber, player);
                        out.push(Question {
                            id: fiber.question.wrapping_add(nth),
                            player,
                            anybody,
                            seats,
                            kind,
                            span,
                            fiber: i as u16,
                        });
                    }
                    nth += 1;
                }
            }
            Status::Joining if depth < MAX_FIBERS => {
                // If one of several freely acting siblings is in the middle of an action, the others wait.
                let busy = self.children(i).find(|c| {
                    self.state.fibers.get(*c).is_some_and(|f| {
                        f.freely
                            && !f.is_done()
                            && (f.status != Status::Asking || f.links.len() > f.home as usize)
                    })
                });
                match busy {
                    Some(c) => self.collect_questions(p, c, depth + 1, out),
                    None => {
                        for c in self.children(i) {
                            self.collect_questions(p, c, depth + 1, out);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    pub(crate) fn question_kind(&self, p: &Program, fiber: &Fiber) -> (QuestionKind, houserule_text::Span) {
        match fiber.wait {
            Wait::Menu { offer, .. } => {
                (QuestionKind::Menu(offer), p.offers.get(offer.index()).map(|o| o.span).unwrap_or_default())
            }
            Wait::Ask { ask, .. } => match p.asks.get(ask.index()) {
                Some(a) if a.truth => (QuestionKind::Truth(ask), a.span),
                Some(a) if a.one => (QuestionKind::One(ask, a.universe), a.span),
                Some(a) => (QuestionKind::Subset(ask, a.universe), a.span),
                None => (QuestionKind::Truth(ask), houserule_text::Span::default()),
            },
            Wait::Nothing => (QuestionKind::Truth(AskIx(u16::MAX)), houserule_text::Span::default()),
        }
    }

    /// Runs one fiber to its next stop. If it comes to a fault, its calls are added to the fault's call stack.
    fn run_fiber(&mut self, p: &Program, i: usize, course: &mut Course<'_>) -> Result<(), Stop> {
        // All fibers are moved out of the state while one runs: only a fork accesses another.
        let mut all = std::mem::take(&mut self.state.fibers);
        let r = self.run_to_stop(p, &mut all, i, course);
        if let (Err(_), Some(fiber)) = (&r, all.get(i)) {
            self.context.push_frames(p, fiber);
        }
        self.state.fibers = all;
        self.wake_parent(i);
        r
    }

    /// If a fiber has ended, and was the last that its parent waited for, the parent can run.
    fn wake_parent(&mut self, i: usize) {
        let Some(fiber) = self.state.fibers.get(i) else { return };
        if fiber.status != Status::Free {
            return;
        }
        let parent = fiber.parent as usize;
        if self.state.phases.iter().any(|r| r.fiber == i as u16) {
            self.context.memo.invalidate_all();
            self.state.phases.retain(|r| r.fiber != i as u16);
        }
        if parent == NOBODY as usize {
            if !self.state.head.test_root {
                self.state.head.over = true;
            }
            return;
        }
        let waits = self.children(parent).next().is_some();
        if let Some(up) = self.state.fibers.get_mut(parent)
            && up.status == Status::Joining
            && !waits
        {
            up.status = Status::Ready;
        }
    }

    fn run_to_stop(
        &mut self,
        p: &Program,
        all: &mut Vec<Fiber>,
        i: usize,
        course: &mut Course<'_>,
    ) -> Result<(), Stop> {
        let alone = all.iter().enumerate().all(|(k, f)| k == i || f.status == Status::Free);
        let Some(fiber) = all.get_mut(i) else { return Ok(()) };
        if fiber.wait != Wait::Nothing && !self.deliver_answer(p, fiber, alone)? {
            return Ok(());
        }
        loop {
            let Some(fiber) = all.get_mut(i) else { return Ok(()) };
            // If no other fiber is under way and nothing is logged, a pilot may answer inside the loop.
            let inside = alone
                && course.goes_on()
                && course.pilot.is_some()
                && fiber.parent == NOBODY
                && !self.context.rec.on;
            let on_the_way = if inside && !course.checked { Some(&mut *course) } else { None };
            run(self.world.with(p), &mut self.state, &mut self.context, fiber, i as u16, on_the_way)?;
            match self.context.exit {
                Exit::Asked if fiber.missing == 0 => {
                    if !self.deliver_answer(p, fiber, true)? {
                        return Ok(());
                    }
                }
                Exit::Asked => {
                    fiber.status = Status::Asking;
                    self.options_for = Some(fiber.question);
                    return Ok(());
                }
                Exit::Done => {
                    if fiber.parent == NOBODY {
                        let n = p.funcs.get(fiber.func as usize).map_or(0, |f| f.results as usize);
                        self.results.clear();
                        self.results.extend_from_slice(fiber.stack.get(..n).unwrap_or(&[]));
                    }
                    fiber.status = Status::Free;
                    return Ok(());
                }
                Exit::Over => return Ok(()),
                Exit::Menu { d, at, who, offer } => {
                    let win = window(&mut fiber.stack, fiber.base as usize).ok_or(FaultKind::TooDeep)?;
                    let player = win[who as usize] as i64;
                    fiber.wait = Wait::Menu { d, at, offer };
                    fiber.missing = 1 << single_player(p, player)?;
                    fiber.asked = fiber.missing;
                    // A pilot that answers at once needs all options; otherwise it matters only whether there is one.
                    let first = alone && self.can_sample(p, fiber);
                    let answers = answering(p, player);
                    let mut drawn = None;
                    if alone && course.pilot.is_some() {
                        self.check_invariants(p, course);
                    }
                    let some = match &mut course.pilot {
                        _ if answers == 0 => {
                            self.may_leave = false;
                            false
                        }
                        Some(pilot) if first && inside && course.left > 0 && !course.broken => {
                            let seat = answers.trailing_zeros() as usize;
                            match self.sample_and_apply(p, fiber, player, seat, &mut **pilot)? {
                                Sampled::Nothing => false,
                                Sampled::Pick(pick) => {
                                    drawn = Some(pick);
                                    true
                                }
                                Sampled::Applied => {
                                    self.open_question(p, fiber);
                                    mark_answered(fiber, course);
                                    fiber.wait = Wait::Nothing;
                                    continue;
                                }
                            }
                        }
                        _ if first => self.has_legal_option(p, fiber, player)?,
                        Some(_) if alone => self.menu_options(p, fiber, player)?,
                        _ => self.has_option(p, fiber, player)?,
                    };
                    if !some {
                        self.options_for = None;
                        if fiber.freely && self.close_empty_menu(p, fiber, player)? {
                            fiber.save_frame(p);
                            return Ok(());
                        }
                        fiber.wait = Wait::Nothing;
                        let win = window(&mut fiber.stack, fiber.base as usize).ok_or(FaultKind::TooDeep)?;
                        win[d as usize] = OFFER_NONE as u64;
                        self.context.note_empty_menu(offer);
                        continue;
                    }
                    self.open_question(p, fiber);
                    let answered = match drawn {
                        Some(pick) => self.apply_pick(p, fiber, course, pick, first)?,
                        None => alone && self.ask_pilot(p, fiber, course, first)?,
                    };
                    if !answered {
                        return Ok(());
                    }
                }
                Exit::Ask { d, s, who, ask } => {
                    if self.prepare_question(p, fiber, d, s, who, ask)? {
                        self.open_question(p, fiber);
                        if !(alone && self.ask_pilot(p, fiber, course, false)?) {
                            return Ok(());
                        }
                    }
                }
                Exit::Fork { l, at, n, f, freely } => {
                    if self.start_children(p, all, i, l, at, n, f, freely)? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// The fiber stops with a question.
    #[inline]
    pub(crate) fn open_question(&mut self, p: &Program, fiber: &mut Fiber) {
        fiber.status = Status::Asking;
        fiber.held.clear();
        fiber.question = self.state.head.next_question;
        self.state.head.next_question = fiber.question.wrapping_add(fiber.asked.count_ones());
        if fiber.freely && fiber.home == u16::MAX {
            fiber.home = fiber.links.len() as u16;
        }
        fiber.save_frame(p);
        if self.options_for.is_some() {
            self.options_for = Some(fiber.question);
        }
    }

    /// Prepares a question to be asked. False if nobody needs to be asked: then its answer is in register `d`.
    fn prepare_question(
        &mut self,
        p: &Program,
        fiber: &mut Fiber,
        d: R,
        s: R,
        who: R,
        ask: AskIx,
    ) -> Result<bool, Stop> {
        let slot = p.asks.get(ask.index()).ok_or(FaultKind::BadProgram("a question that is not there"))?;
        let uni = self.world.universe(slot.universe.index())?;
        let w = uni.w as usize;
        let win = window(&mut fiber.stack, fiber.base as usize).ok_or(FaultKind::TooDeep)?;
        let wanted = if slot.several || slot.anybody {
            win[who as usize] as u32
        } else {
            1 << single_player(p, win[who as usize] as i64)?
        };
        let asked = (0..p.players.min(32))
            .filter(|i| wanted >> i & 1 == 1 && answering(p, i64::from(*i)) != 0)
            .fold(0u32, |m, i| m | 1 << i);
        // Of those who may answer for the table, the first stands for all.
        let asked = if slot.anybody { asked & asked.wrapping_neg() } else { asked };
        let always = slot.always && self.context.seeded != Some(SeededFault::SilentAnswer);
        let even_none = slot.even_none && self.context.seeded != Some(SeededFault::SilentAnswer);
        let n = count_bits(window::slice(win, s, w));
        let lo = i64::from(uni.lo);
        if let Some(map) = slot.ways {
            ways_of(self.world.with(p), win, s, (map, slot.costs), w, &mut self.context.ways)?;
            let sets = &self.context.ways;
            let settled = sets.is_empty() || (sets.len() <= w && !always);
            if settled || asked == 0 {
                // No path, only one, or nobody to ask: the first path passes least.
                for i in 0..w {
                    win[d.wrapping_add(i as u8) as usize] = sets.get(i).copied().unwrap_or(0);
                }
                return Ok(false);
            }
        } else if slot.truth {
            if asked == 0 {
                win[d as usize] = 0;
                return Ok(false);
            }
        } else if slot.one {
            if (n == 0 && !even_none) || asked == 0 {
                // If nobody answers for any of the players who are left, they go in table order.
                let first = if slot.anybody { nth_bit(window::slice(win, s, w), 0) } else { None };
                win[d as usize] = first.map_or(NONE, i64::from) as u64;
                return Ok(false);
            }
            if n == 1 && !always {
                let x = nth_bit(window::slice(win, s, w), 0).map_or(NONE, i64::from);
                win[d as usize] = (x + lo) as u64;
                return Ok(false);
            }
        } else {
            let (min, max) = bounds(win, slot, n);
            let mut set: Words = window::slice(win, s, w).into();
            if (n == 0 && !even_none) || asked == 0 || (max == 0 && n > 0) {
                set.fill(0);
                write_words(win, d, &set);
                return Ok(false);
            }
            if u64::from(min) >= n && !always {
                write_words(win, d, &set);
                return Ok(false);
            }
        }
        fiber.wait = Wait::Ask { d, s, ask };
        fiber.asked = asked;
        fiber.missing = asked;
        self.options_for = None;
        Ok(true)
    }

    #[allow(clippy::too_many_arguments)]
    fn start_children(
        &mut self,
        p: &Program,
        all: &mut Vec<Fiber>,
        i: usize,
        l: R,
        at: R,
        n: u8,
        f: FuncId,
        freely: bool,
    ) -> Result<bool, Stop> {
        let func = p.funcs.get(f.index()).ok_or(FaultKind::BadProgram("a function that is not there"))?;
        let Some(fiber) = all.get_mut(i) else { return Ok(false) };
        let win = window(&mut fiber.stack, fiber.base as usize).ok_or(FaultKind::TooDeep)?;
        let count = list_len(win, l);
        let captured: Words = window::slice(win, at, n as usize).into();
        let whom: smallvec::SmallVec<[u16; 8]> = (0..count).map(|j| list_at(win, l, j)).collect();
        let leases = fiber.leases.clone();
        let mut k = 1;
        for me in whom {
            let me = i64::from(me);
            if me >= i64::from(p.players) {
                return Err(Stop::from(FaultKind::NoSuchThing));
            }
            while all.get(k).is_some_and(|f| f.status != Status::Free || k == i) {
                k += 1;
            }
            if k >= MAX_FIBERS {
                return Err(Stop::from(FaultKind::TooDeep));
            }
            if k >= all.len() {
                all.push(Fiber::default());
            }
            let Some(child) = all.get_mut(k) else { break };
            reset_fiber(child, func.start, f, me, i as u16);
            child.freely = freely;
            child.leases.clone_from(&leases);
            let room = window(&mut child.stack, 0).ok_or(FaultKind::TooDeep)?;
            room.fill(0);
            room[0] = me as u64;
            write_words(room, 1, &captured);
        }
        if count == 0 {
            return Ok(false);
        }
        if let Some(fiber) = all.get_mut(i) {
            fiber.status = Status::Joining;
            fiber.save_frame(p);
        }
        Ok(true)
    }

    /// Gives a fiber its answers; `alone` if no other fiber is under way. False if it must be asked again.
    fn deliver_answer(&mut self, p: &Program, fiber: &mut Fiber, alone: bool) -> Result<bool, Stop> {
        let done = fiber.held.last().is_some_and(|(_, choice)| fiber.is_done_by(choice));
        let wait = std::mem::replace(&mut fiber.wait, Wait::Nothing);
        match wait {
            Wait::Nothing => Ok(true),
            Wait::Menu { d, at, offer } => {
                let Some((player, mut choice)) = fiber.held.pop() else {
                    return Err(Stop::from(FaultKind::BadProgram("an answer that is not there")));
                };
                let player = i64::from(player);
                // An answer `done` of a freely acting fiber has been checked and logged before.
                let fresh = self.fresh.take() == Some(fiber.question);
                if !alone && !done && !fresh {
                    // What siblings did since may have changed the options.
                    fiber.wait = Wait::Menu { d, at, offer };
                    let some = self.menu_options(p, fiber, player)?;
                    // The choice may name a component that another one stands for by now.
                    let still = self.canonical(p, player, None, &choice).filter(|_| some);
                    self.options_for = None;
                    if let Some(still) = still {
                        choice = still;
                    } else if some {
                        fiber.missing = fiber.asked;
                        self.open_question(p, fiber);
                        return Ok(false);
                    }
                    fiber.wait = Wait::Nothing;
                    if !some {
                        let win = window(&mut fiber.stack, fiber.base as usize).ok_or(FaultKind::TooDeep)?;
                        win[d as usize] = OFFER_NONE as u64;
                        return Ok(true);
                    }
                }
                if !done {
                    self.log_answer(p, &Answer::of(player, &choice))?;
                }
                let win = window(&mut fiber.stack, fiber.base as usize).ok_or(FaultKind::TooDeep)?;
                match choice {
                    Choice::Done => win[d as usize] = OFFER_DONE as u64,
                    Choice::Pass => win[d as usize] = OFFER_PASSED as u64,
                    Choice::Action { action, params } => {
                        let a = p
                            .actions
                            .get(action.index())
                            .ok_or(FaultKind::BadProgram("an action that is not there"))?;
                        win[at as usize] = player as u64;
                        write_words(win, at.wrapping_add(1), &params);
                        fiber.pc = enter(p, fiber, at, a.effect, u16::from(d), fiber.pc)?;
                    }
                    _ => return Err(Stop::from(FaultKind::BadProgram("an answer of another kind"))),
                }
                Ok(true)
            }
            Wait::Ask { d, s, ask } => {
                let slot =
                    p.asks.get(ask.index()).ok_or(FaultKind::BadProgram("a question that is not there"))?;
                let w = self.world.universe(slot.universe.index())?.w as usize;
                let plain = !slot.one && !slot.truth && slot.ways.is_none();
                let at_base =
                    window(&mut fiber.stack, fiber.base as usize).filter(|_| plain && self.context.rec.on);
                let bounds: Option<(Words, bool)> = at_base
                    .map(|win| (slice(win, s, w).into(), win[slot.min as usize] == win[slot.max as usize]));
                // If hidden components decide what can be taken, the log must not show what it was taken from.
                let (from, counted) = match &bounds {
                    Some((from, counted)) if !slot.even_none => (Some(&from[..]), *counted),
                    _ => (None, false),
                };
                // The log keeps seat order, whatever order the answers came in.
                fiber.held.sort_by_key(|h| h.0);
                for (player, choice) in &fiber.held {
                    let show = Show::Thing(slot.universe);
                    if let (true, Choice::One(x)) = (slot.anybody, choice) {
                        self.context.rec.log_next(self.world.with(p), &self.state, *x, slot.universe);
                        continue;
                    }
                    let answer = Answer {
                        of: show,
                        sealed: slot.sealed,
                        used: slot.used,
                        from,
                        counted,
                        ..Answer::of(i64::from(*player), choice)
                    };
                    self.log_answer(p, &answer)?;
                }
                let all =
                    fiber.held.first().filter(|h| fiber.held.iter().all(|x| x.1 == h.1)).map(|h| h.1.clone());
                fiber.held.clear();
                let win = window(&mut fiber.stack, fiber.base as usize).ok_or(FaultKind::TooDeep)?;
                match all {
                    Some(Choice::One(x)) => win[d as usize] = x as u64,
                    Some(Choice::Truth(x)) => win[d as usize] = u64::from(x),
                    Some(Choice::Subset(words)) => write_words(win, d, &words),
                    Some(_) => return Err(Stop::from(FaultKind::BadProgram("an answer of another kind"))),
                    None if slot.truth => win[d as usize] = 0,
                    None if slot.one => win[d as usize] = NONE as u64,
                    None => (0..w).for_each(|i| win[d.wrapping_add(i as u8) as usize] = 0),
                }
                Ok(true)
            }
        }
    }

    /// Ends what the pilot may answer if an invariant does not hold or cannot be judged. Whoever let it answer judges it again and says what is wrong.
    fn check_invariants(&mut self, p: &Program, course: &mut Course<'_>) {
        if !course.checked || !course.goes_on() {
            return;
        }
        course.broken = !matches!(self.find_broken_invariant(p), Ok(None));
    }

    /// The first invariant that does not hold. Those that read nothing of what has changed since all held are not judged again.
    pub(crate) fn find_broken_invariant(&mut self, p: &Program) -> Result<Option<usize>, Stop> {
        self.context.refill();
        let rules = self.world.with(p);
        for (i, slot) in p.invariants.iter().enumerate() {
            let judged = self.context.memo.may_be_broken(i);
            if !judged && !cfg!(debug_assertions) {
                continue;
            }
            let mut out = [0];
            self.context.pure(rules, &mut self.state, slot.func, &[], &mut out)?;
            debug_assert!(judged || out != [0], "an invariant that is broken by nothing that it reads");
            if out == [0] {
                return Ok(Some(i));
            }
        }
        self.context.memo.keep_invariants();
        Ok(None)
    }

    /// Lets the pilot answer the question with which the only fiber has just stopped. True if it does: then the fiber continues, in the same state as if the answer had come
    /// from outside.
    #[inline(always)]
    fn ask_pilot(
        &mut self,
        p: &Program,
        fiber: &mut Fiber,
        course: &mut Course<'_>,
        first: bool,
    ) -> Result<bool, Stop> {
        if !course.goes_on() || fiber.parent != NOBODY || !fiber.missing.is_power_of_two() {
            return Ok(false);
        }
        let player = fiber.missing.trailing_zeros() as u8;
        // Of a menu it was looked at before its options were listed.
        if matches!(fiber.wait, Wait::Ask { .. }) {
            self.check_invariants(p, course);
        }
        let (true, Some(pilot)) = (course.goes_on(), &mut course.pilot) else { return Ok(false) };
        self.context.refill();
        if matches!(fiber.wait, Wait::Ask { .. })
            && let Err(stop) = self.collect_answers(p, fiber)
        {
            // The next answer fails; the last was taken completely.
            course.left -= 1;
            self.context.rec.watch_taken(p, &self.state, player, None);
            return Err(stop);
        }
        self.options_for = None;
        let seat = asked_seats(p, fiber, player).1.trailing_zeros() as usize;
        let pick = if first {
            self.sample_legal(p, fiber, i64::from(player), seat, &mut **pilot, MAX_DRAWS)?
        } else {
            pilot.pick(seat, &self.context.opts)
        };
        self.apply_pick(p, fiber, course, pick, first)
    }

    /// Applies the pilot's answer to the question with which the only fiber has just stopped. False if the pilot does not answer.
    #[inline(always)]
    fn apply_pick(
        &mut self,
        p: &Program,
        fiber: &mut Fiber,
        course: &mut Course<'_>,
        pick: Pick,
        first: bool,
    ) -> Result<bool, Stop> {
        let player = fiber.missing.trailing_zeros() as u8;
        let direct = match pick {
            Pick::Stop => {
                // A superset of the legal options is not the list of options.
                self.options_for = (!first).then_some(fiber.question);
                return Ok(false);
            }
            Pick::At(seg, k) => match self.place_answer(p, fiber, player, seg, k)? {
                true => None,
                false => Some(self.context.opts.pick_in(seg, k)),
            },
            Pick::Choice(choice) => Some(choice),
        };
        mark_answered(fiber, course);
        if let Some(choice) = direct {
            self.context.rec.watch_choice(p, &self.state, &fiber.wait, player, &choice);
            fiber.held.push((player, choice));
            return self.deliver_answer(p, fiber, true);
        }
        fiber.wait = Wait::Nothing;
        Ok(true)
    }

    /// Writes answer `k` of a segment of the machine's options into the only fiber's registers. False if it does not wait with a menu, or if answers are logged.
    #[inline(always)]
    fn place_answer(
        &mut self,
        p: &Program,
        fiber: &mut Fiber,
        player: u8,
        seg: usize,
        k: u64,
    ) -> Result<bool, Stop> {
        let (Wait::Menu { d, at, .. }, false) = (fiber.wait, self.context.rec.on) else { return Ok(false) };
        let Some(seg) = self.context.opts.segments.get(seg) else { return Ok(false) };
        let Some(win) = window(&mut fiber.stack, fiber.base as usize) else { return Ok(false) };
        match seg.what {
            What::Done | What::Pass => {
                win[d as usize] = if seg.what == What::Done { OFFER_DONE } else { OFFER_PASSED } as u64;
                self.context.rec.watch_taken(p, &self.state, player, None);
            }
            What::Action(action) => {
                let Some(a) = p.actions.get(action.index()) else { return Ok(false) };
                let Some((me, room)) = win.get_mut(at as usize..).and_then(|w| w.split_first_mut()) else {
                    return Ok(false);
                };
                if !self.context.opts.write_option(seg, k, room) {
                    return Ok(false);
                }
                *me = u64::from(player);
                self.context.rec.watch_taken(p, &self.state, player, Some((action, room)));
                fiber.pc = enter(p, fiber, at, a.effect, u16::from(d), fiber.pc)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Takes answer `k` of a segment of the machine's options, and runs on; the pilot answers what it can.
    pub(crate) fn take_option(
        &mut self,
        p: &Program,
        q: usize,
        seg: usize,
        k: u64,
        course: &mut Course<'_>,
    ) -> Result<(), Stop> {
        let question =
            self.questions.get(q).copied().ok_or(FaultKind::BadProgram("a question that is not there"))?;
        if question.fiber == 0
            && let [_] = self.state.fibers.as_slice()
        {
            let mut all = std::mem::take(&mut self.state.fibers);
            let r = match all.first_mut() {
                Some(fiber) => {
                    let r = self.place_answer(p, fiber, question.player, seg, k);
                    if matches!(r, Ok(true)) {
                        fiber.wait = Wait::Nothing;
                        fiber.missing = 0;
                        fiber.status = Status::Ready;
                    }
                    r
                }
                None => Ok(false),
            };
            self.state.fibers = all;
            if r? {
                return self.drive(p, course);
            }
        }
        let choice = self.context.opts.pick_in(seg, k);
        self.take_answer(p, q, choice, course)
    }

    /// Takes an answer that is known to be an option, and runs on.
    pub(crate) fn take_answer(
        &mut self,
        p: &Program,
        q: usize,
        choice: Choice,
        course: &mut Course<'_>,
    ) -> Result<(), Stop> {
        let question =
            self.questions.get(q).copied().ok_or(FaultKind::BadProgram("a question that is not there"))?;
        let i = question.fiber as usize;
        let fiber = self.state.fibers.get_mut(i).ok_or(FaultKind::BadProgram("a fiber that is not there"))?;
        let (done, wait) = (fiber.is_done_by(&choice), fiber.wait);
        self.context.rec.watch_choice(p, &self.state, &wait, question.player, &choice);
        if done {
            self.log_answer(p, &Answer::of(i64::from(question.player), &choice))?;
        }
        let Some(fiber) = self.state.fibers.get_mut(i) else { return Ok(()) };
        fiber.held.push((question.player, choice));
        fiber.missing &= !(1 << question.player);
        if fiber.missing == 0 {
            let goes_on = (fiber.freely && !done) || fiber.parent == NOBODY;
            fiber.status = if goes_on { Status::Ready } else { Status::Held };
            // The answer is one of the options, and nothing runs before it is delivered.
            self.fresh = (fiber.freely && goes_on).then_some(fiber.question);
        }
        let r = self.drive(p, course);
        self.fresh = None;
        r
    }
}

/// Whether the question with which a fiber waits is put to the table, and the seats that may answer it for a player.
fn asked_seats(p: &Program, fiber: &Fiber, player: u8) -> (bool, u32) {
    if let Wait::Ask { s, ask, .. } = fiber.wait
        && p.asks.get(ask.index()).is_some_and(|a| a.anybody)
        && let Some(win) = crate::scheduler::registers::base_window(fiber)
    {
        return (true, answering_any(p, win[s as usize]));
    }
    (false, answering(p, i64::from(player)))
}

/// Counts an answer to the only fiber's question.
fn mark_answered(fiber: &mut Fiber, course: &mut Course<'_>) {
    course.left -= 1;
    fiber.missing = 0;
    fiber.status = Status::Ready;
}

/// The player in a register, who can be asked.
fn single_player(p: &Program, player: i64) -> Result<u32, Stop> {
    match player {
        NONE => Err(Stop::from(FaultKind::NoneValue)),
        x if (0..i64::from(p.players.min(32))).contains(&x) => Ok(x as u32),
        _ => Err(Stop::from(FaultKind::NoSuchThing)),
    }
}

/// Puts a fiber at the beginning of a function.
fn reset_fiber(fiber: &mut Fiber, start: u32, f: FuncId, me: i64, parent: u16) {
    fiber.status = Status::Ready;
    fiber.wait = Wait::Nothing;
    fiber.pc = start;
    fiber.base = 0;
    fiber.func = f.0;
    fiber.top = 0;
    fiber.me = me;
    fiber.parent = parent;
    fiber.freely = false;
    fiber.home = u16::MAX;
    fiber.question = 0;
    fiber.missing = 0;
    fiber.asked = 0;
    fiber.held.clear();
    fiber.links.clear();
    fiber.leases.clear();
}
