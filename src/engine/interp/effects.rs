//! Instructions with kind effect or chance: they write, move, roll or log. Each updates cells, planes and sequences together, then what seats know, then the log.
use crate::base::bitset;
use crate::base::bitset::bits;
use crate::base::event::EventKind;
use crate::base::fault::{FaultKind, Stop};
use crate::base::window::{Window, slice, write_words};
use crate::context::memo;
use crate::context::run_context::Context;
use crate::data::chance_order::Chanced;
use crate::data::seats::{answering, answering_any};
use crate::data::state::{LayerOp, Running, State, Until};
use crate::eval::chance::{chance, is_for, take_ordered_number};
use crate::eval::{chance, onlookers};
use crate::interp::layers;
use crate::interp::list_ops::{list_at, list_len};
use crate::world::canonical_order::{Row, in_order};
use crate::world::cells::{cell, set_cell};
use crate::world::knowledge::SeededFault;
use crate::world::naming::value_text;
use crate::world::tables::{PackedAttr, Rules};
use crate::world::{cells, knowledge, look};
use houserule_program::ir::*;
use houserule_program::{line_instructions, loop_instructions, rare_instructions};

/// Runs one instruction. `leases` are the open layers of the fiber, `id` is its number.
pub(crate) fn run(
    rules: Rules<'_>,
    st: &mut State,
    cx: &mut Context,
    win: &mut Window,
    leases: &mut Vec<Until>,
    id: u16,
    ins: Ins,
) -> Result<(), Stop> {
    let lease = leases.last().copied();
    let mut fx = EffectRun { rules, st, cx, lease };
    match ins {
        Ins::StAttr { e, a, attr } => {
            let e = win[e as usize] as i64;
            if e != NONE {
                fx.write_attr(attr, e, win[a as usize] as i64)?;
            }
        }
        Ins::StGlobal { a, attr } => fx.write_attr(attr, 0, win[a as usize] as i64)?,
        Ins::StMany { s, a, attr } => {
            let w = rules.world.attrs.get(attr.index()).map_or(1, |a| a.owner_w as usize);
            let value = win[a as usize] as i64;
            let of = rules.p.attrs.get(attr.index()).and_then(|a| rules.world.universes.get(a.of?.index()));
            for e in fx.in_rule_order(of.map_or(u16::MAX, |u| u.comps), slice(win, s, w)) {
                fx.charge(1)?;
                fx.write_attr(attr, i64::from(e), value)?;
            }
        }
        Ins::Move { c, p: to, u, how } => {
            let (c, to) = (win[c as usize] as i64, win[to as usize] as i64);
            fx.move_component(u, c, to, how)?;
        }
        Ins::MoveSet { s, p: to, u, how } => {
            let uni = rules.world.universe(u as usize)?;
            let to = win[to as usize] as i64;
            for c in fx.in_rule_order(uni.comps, slice(win, s, uni.w as usize)) {
                fx.charge(2)?;
                fx.move_component(u, i64::from(c), to, how)?;
            }
        }
        Ins::MoveList { l, p: to, u, how } => {
            let to = win[to as usize] as i64;
            for i in 0..list_len(win, l) {
                fx.charge(2)?;
                fx.move_component(u, i64::from(list_at(win, l, i)), to, how)?;
            }
        }
        Ins::SwapPlaces { p: a, q: b } => fx.swap_places(win[a as usize] as i64, win[b as usize] as i64)?,
        Ins::SwapThings { a, b, u } => fx.swap_things(u, win[a as usize] as i64, win[b as usize] as i64)?,
        Ins::Shuffle { p: place } => fx.shuffle(win[place as usize] as i64)?,
        Ins::Become { c, f, u } => {
            let (c, f) = (win[c as usize] as i64, win[f as usize] as i64);
            if c != NONE {
                let (ci, c) = fx.component_at(u, c)?;
                let faces = rules.p.comps.get(ci).and_then(|k| rules.world.universes.get(k.faces.index()));
                let faces = faces.map_or(0, |u| u.n);
                match i32::try_from(f) {
                    Ok(f) if (0..faces as i32).contains(&f) => {
                        cells::set_face(rules.p, fx.st, ci, c, f);
                        fx.clamp_side(ci, c);
                    }
                    _ if f == NONE => return Err(Stop::from(FaultKind::NoneValue)),
                    _ => return Err(Stop::from(FaultKind::NoSuchThing)),
                }
                // Who saw another face there before does not know this one.
                let seats = fx.forget_turned(ci, c)?;
                fx.cx.rec.log_turn_over(rules, fx.st, ci, c, seats);
            }
        }
        Ins::Show { s, t: to, u } => {
            let uni = rules.world.universe(u as usize)?;
            let seats = answering_any(rules.p, win[to as usize]);
            let set = slice(win, s, uni.w as usize);
            for c in bits(set) {
                knowledge::set_known(rules.p, fx.st, seats, uni.comps as usize, c, true);
            }
            fx.cx.rec.log_show(rules, fx.st, uni.comps as usize, set, win[to as usize]);
        }
        Ins::Flip { c, a, u } => {
            let (c, a) = (win[c as usize] as i64, win[a as usize] as i64);
            if c != NONE {
                fx.flip(u, c, a)?;
            }
        }
        Ins::StSide { c, a, u } => {
            let (c, a) = (win[c as usize] as i64, win[a as usize] as i64);
            if c != NONE {
                let (ci, c) = fx.component_at(u, c)?;
                fx.set_side(ci, c, a)?;
                let seats = fx.forget_turned(ci, c)?;
                fx.cx.rec.log_turn_over(rules, fx.st, ci, c, seats);
            }
        }
        Ins::RollValue { d, who, table } => {
            let who = win[who as usize] as i64;
            let x = fx.roll_value(table, who)?;
            win[d as usize] = x as u64;
        }
        Ins::PickOne { d, s, who, w, u } => {
            let set = slice(win, s, w as usize);
            let x =
                chance::draw_one(rules.p, fx.st, fx.cx, set, UniverseId(u.into()), win[who as usize] as i64)?;
            win[d as usize] = x.map_or(NONE as u64, u64::from);
        }
        Ins::PickN { d, s, n, who, w, u } => {
            let want = u64::try_from(win[n as usize] as i64).unwrap_or(0);
            let set = slice(win, s, w as usize);
            let who = win[who as usize] as i64;
            let out = chance::draw_many(rules.p, fx.st, fx.cx, set, UniverseId(u.into()), want, who)?;
            write_words(win, d, &out);
        }
        Ins::RollDie { c, who, u } => {
            let (c, who) = (win[c as usize] as i64, win[who as usize] as i64);
            if c != NONE {
                fx.roll_die(u, c, who)?;
            }
        }
        // Speculative execution shows nothing to any seat.
        Ins::Notice if fx.cx.trials.depth() > 0 => {}
        Ins::Notice => fx.notice()?,
        Ins::TurnBegin { p: who } => fx.begin_turn(win[who as usize] as i64)?,
        Ins::TurnIs { p: who } => {
            fx.st.head.turn = win[who as usize] as i64;
            fx.cx.memo.note_clock();
        }
        Ins::TurnEnd => {
            let who = fx.st.head.turn;
            layers::end(rules, fx.st, fx.cx, |u| {
                u.scope == LeaseScope::Turn && (i64::from(u.arg) == who || u.arg == i32::MIN)
            })?;
            fx.st.head.turn = fx.st.outer_turns.pop().unwrap_or(NONE);
        }
        Ins::RoundBegin => {
            fx.st.head.round = fx.st.head.round.checked_add(1).ok_or(FaultKind::Overflow)?;
            // No turn reaches from one round into the next.
            fx.st.outer_turns.clear();
            fx.st.head.turn = NONE;
            fx.cx.rec.log_plain(EventKind::Round(fx.st.head.round));
            fx.reset_attrs(|per| per == Per::Round, None);
        }
        Ins::RoundEnd => {
            let round = fx.st.head.round;
            layers::end(rules, fx.st, fx.cx, |u| {
                matches!(u.scope, LeaseScope::Round | LeaseScope::NextRound) && u.arg <= round
            })?;
        }
        Ins::PhaseBegin { phase } => {
            if fx.st.phases.len() >= 64 {
                return Err(Stop::from(FaultKind::TooDeep));
            }
            fx.st.phases.push(Running { phase: phase.0, fiber: id });
            fx.cx.rec.log_phase(rules.p, phase);
            fx.reset_attrs(|per| per == Per::Phase(phase) || per == Per::AnyPhase, None);
        }
        Ins::PhaseEnd { phase } => {
            if let Some(i) = fx.st.phases.iter().rposition(|r| r.phase == phase.0 && r.fiber == id) {
                fx.st.phases.remove(i);
            }
            layers::end(rules, fx.st, fx.cx, |u| {
                matches!(u.scope, LeaseScope::Phase | LeaseScope::PhaseNamed) && u.arg == i32::from(phase.0)
            })?;
        }
        Ins::LeaseOpen { scope, a } => {
            if leases.len() >= 64 {
                return Err(Stop::from(FaultKind::TooDeep));
            }
            leases.push(layers::scope_end(fx.st, scope, win[a as usize] as i64));
        }
        Ins::LeaseClose => {
            leases.pop();
        }
        Ins::LeaseAttach { at, n, what } => {
            let until = lease.unwrap_or(Until { scope: LeaseScope::Game, arg: 0 });
            let first = fx.st.layer_words.len() as u32;
            fx.st.layer_words.extend_from_slice(slice(win, at, n as usize));
            if fx.st.layers.len() >= 1 << 14 {
                return Err(Stop::from(FaultKind::TooDeep));
            }
            layers::add(fx.st, until, LayerOp::Attached { what: what.0, at: first, n });
        }
        Ins::LeaseDrop { i } => {
            let seq = win[i as usize];
            fx.st.layers.retain(|l| u64::from(l.seq) != seq);
            if fx.st.layers.is_empty() {
                fx.st.layer_words.clear();
            }
        }
        Ins::Record { h } => crate::world::position_hash::record(rules.p, fx.st, h.index()),
        Ins::Say { t: text } => fx.cx.rec.log_text(rules, fx.st, text, win),
        Ins::Fail { t: text } => {
            let text = crate::context::recorder::filled_text(rules.p, fx.st, text, slice(win, 0, 256), None);
            return Err(Stop::from(FaultKind::Rule(text)));
        }
        Ins::Verdict { s, verdict, all, t: text } => {
            let set = if all { u64::MAX } else { win[s as usize] };
            let mut decided = 0u64;
            for (i, v) in fx.st.verdicts.iter_mut().enumerate().take(64) {
                if set >> i & 1 == 1 && v.is_none() {
                    *v = Some(verdict);
                    decided |= 1 << i;
                }
            }
            if decided != 0 {
                fx.cx.memo.note_clock();
            }
            // With a verdict for nobody the game ends as it stands; its text is kept.
            if (decided != 0 || set == 0) && text != NO_TEMPLATE {
                fx.st.verdict_words.push(decided);
                fx.st.verdict_words.push(u64::from(text.0));
                for piece in rules.p.templates.get(text.index()).map_or(&[][..], |t| &t.parts) {
                    if let Piece::Register(r, show) = piece {
                        let words = slice(win, *r, crate::world::tables::width(rules.p, *show));
                        fx.st.verdict_words.extend_from_slice(words);
                    }
                }
            }
            fx.cx.rec.log_verdict(rules, fx.st, decided, verdict, text, win);
        }
        loop_instructions!() | rare_instructions!() | line_instructions!() => {
            return Err(Stop::from(FaultKind::BadProgram("an instruction of another kind")));
        }
    }
    Ok(())
}

/// One instruction under way; `lease` is the innermost open layer.
struct EffectRun<'a> {
    rules: Rules<'a>,
    st: &'a mut State,
    cx: &'a mut Context,
    lease: Option<Until>,
}

impl EffectRun<'_> {
    /// Takes steps from the budget.
    fn charge(&mut self, steps: u64) -> Result<(), Stop> {
        self.cx.steps = self.cx.steps.checked_sub(steps).ok_or(FaultKind::OutOfBudget)?;
        Ok(())
    }

    /// The members of a set in the order in which rules go through them: components of a kind that can be mixed up in canonical order, all others by number.
    fn in_rule_order(&self, comps: u16, set: &[u64]) -> Row {
        let ci = usize::from(comps);
        if self.rules.p.comps.get(ci).is_some_and(|c| c.mixed) {
            return in_order(self.rules, self.st, ci, bits(set), None);
        }
        bits(set).map(|c| c as u16).collect()
    }

    /// A component of a universe, with its kind.
    fn component_at(&self, u: u8, c: i64) -> Result<(usize, usize), Stop> {
        let uni = self.rules.world.universe(u as usize)?;
        if c < 0 || c >= i64::from(uni.n) {
            return Err(Stop::no_thing(c));
        }
        Ok((uni.comps as usize, c as usize))
    }

    /// Writes an attribute of a thing; as a layer if one is open.
    fn write_attr(&mut self, attr: AttrIx, e: i64, value: i64) -> Result<(), Stop> {
        let a: PackedAttr = match self.rules.world.attrs.get(attr.index()) {
            Some(a) => *a,
            None => return Err(Stop::from(FaultKind::BadProgram("an attribute that is not there"))),
        };
        if e < 0 || e >= i64::from(a.n) {
            return Err(Stop::no_thing(e));
        }
        let thing = e as usize;
        let v = cells::fit(&a, attr, value)?;
        let old = cell(self.st, a.cell as usize + thing) as i32;
        if let Some(until) = self.lease {
            if self.st.layers.len() >= 1 << 14 {
                return Err(Stop::from(FaultKind::TooDeep));
            }
            let op = LayerOp::Put { attr: attr.0, thing: thing as u32, old, new: v };
            layers::add(self.st, until, op);
        } else if !self.st.layers.is_empty() {
            layers::sweep(self.st, attr.0, thing as u32);
        }
        cells::store(self.st, &a, thing, v);
        if old != v {
            self.cx.rec.log_change(self.rules, self.st, attr.0, thing, false);
        }
        Ok(())
    }

    /// Moves a component; none of either does nothing.
    fn move_component(&mut self, u: u8, c: i64, to: i64, how: MoveHow) -> Result<(), Stop> {
        if c == NONE || to == NONE {
            return Ok(());
        }
        let (ci, c) = self.component_at(u, c)?;
        let to = usize::try_from(to).map_err(|_| FaultKind::NoSuchThing)?;
        if to >= self.rules.p.places.len() {
            return Err(Stop::from(FaultKind::NoSuchThing));
        }
        let comps =
            self.rules.p.comps.get(ci).ok_or(FaultKind::BadProgram("components that are not there"))?;
        let from = usize::try_from(cell(self.st, comps.place as usize + c)).unwrap_or(0);
        // Which seats look on may depend on the state: it is computed before and after the move.
        let sources = self.cx.seers(self.rules, self.st, from, c)?;
        if let Some(until) = self.lease {
            let op = LayerOp::Moved { u: ci as u16, c: c as u32, old: from as u16, new: to as u16 };
            layers::add(self.st, until, op);
        } else if !self.st.layers.is_empty() {
            layers::sweep_move(self.st, ci as u16, c as u32);
        }
        cells::relocate(self.rules.p, self.st, ci, c, to, how.has(MoveHow::UNDER))?;
        if comps.up != u32::MAX {
            if how.has(MoveHow::UP) {
                set_cell(self.st, comps.up, c, 1);
            } else if how.has(MoveHow::DOWN) {
                set_cell(self.st, comps.up, c, 0);
            }
        }
        let seers = self.cx.seers(self.rules, self.st, to, c)?;
        knowledge::after_move(self.rules, self.st, ci, c, from, to, seers, sources);
        self.cx.rec.log_move(self.rules, self.st, ci, c, from, to);
        Ok(())
    }

    fn swap_places(&mut self, a: i64, b: i64) -> Result<(), Stop> {
        if a == NONE || b == NONE || a == b {
            return Ok(());
        }
        let (Ok(a), Ok(b)) = (usize::try_from(a), usize::try_from(b)) else {
            return Err(Stop::from(FaultKind::NoSuchThing));
        };
        let (Some(pa), Some(pb)) = (self.rules.p.places.get(a), self.rules.p.places.get(b)) else {
            return Err(Stop::from(FaultKind::NoSuchThing));
        };
        let ci = pa.comps as usize;
        if pb.comps as usize != ci {
            return Err(Stop::from(FaultKind::BadProgram("a place for other components")));
        }
        let boxed = self.rules.p.comps.get(ci).map_or(0, |c| c.boxed as usize);
        let (at_a, at_b) =
            (cells::lying_at(self.rules.p, self.st, a), cells::lying_at(self.rules.p, self.st, b));
        let n = (at_a.len() + at_b.len()) as u64;
        self.charge(2 * n)?;
        let mut watched: smallvec::SmallVec<[u32; 16]> = smallvec::SmallVec::new();
        for (c, from) in at_a.iter().map(|c| (c, a)).chain(at_b.iter().map(|c| (c, b))) {
            watched.push(self.cx.seers(self.rules, self.st, from, *c)?);
        }
        let mut watched = watched.into_iter();
        for c in at_a.iter().chain(&at_b) {
            cells::relocate(self.rules.p, self.st, ci, *c, boxed, false)?;
        }
        for (things, from, to) in [(&at_a, a, b), (&at_b, b, a)] {
            for c in things {
                let sources = watched.next().unwrap_or(0);
                cells::relocate(self.rules.p, self.st, ci, *c, to, true)?;
                let seers = self.cx.seers(self.rules, self.st, to, *c)?;
                // Everything from one place goes to the other: a seat that knew them all still does.
                let both = seers | sources | self.seats_knowing_all(ci, things);
                knowledge::after_move(self.rules, self.st, ci, *c, from, to, seers, both);
                self.cx.rec.log_move(self.rules, self.st, ci, *c, from, to);
            }
        }
        Ok(())
    }

    /// Seats that know every one of these.
    fn seats_knowing_all(&self, ci: usize, things: &[usize]) -> u32 {
        things
            .iter()
            .fold(self.rules.world.seats, |m, c| m & knowledge::known_by(self.rules.p, self.st, ci, *c))
    }

    fn swap_things(&mut self, u: u8, a: i64, b: i64) -> Result<(), Stop> {
        if a == NONE || b == NONE || a == b {
            return Ok(());
        }
        let ((ci, a), (_, b)) = (self.component_at(u, a)?, self.component_at(u, b)?);
        let comps =
            self.rules.p.comps.get(ci).ok_or(FaultKind::BadProgram("components that are not there"))?;
        let place = |st: &State, c: usize| usize::try_from(cell(st, comps.place as usize + c)).unwrap_or(0);
        let (pa, pb) = (place(self.st, a), place(self.st, b));
        let spot = |p: &Program, st: &State, place: usize, c: usize| {
            let pl = p.places.get(place)?;
            if cells::is_slot(pl) {
                return Some(pl.seq as usize);
            }
            if !cells::is_ordered(pl) {
                return None;
            }
            let begin = usize::try_from(cell(st, pl.seq as usize)).ok()?;
            let at = cells::sequence(st, pl).iter().position(|x| *x == c as i32)?;
            Some(pl.row as usize + begin + at)
        };
        let (sa, sb) = (spot(self.rules.p, self.st, pa, a), spot(self.rules.p, self.st, pb, b));
        if let Some(x) = sa.and_then(|i| self.st.cells.get_mut(i)) {
            *x = b as i32;
        }
        if let Some(x) = sb.and_then(|i| self.st.cells.get_mut(i)) {
            *x = a as i32;
        }
        if pa == pb {
            return Ok(());
        }
        let watched =
            [self.cx.seers(self.rules, self.st, pa, a)?, self.cx.seers(self.rules, self.st, pb, b)?];
        set_cell(self.st, comps.place, a, pb as i32);
        set_cell(self.st, comps.place, b, pa as i32);
        cells::note_arrival(comps, self.st, a);
        cells::note_arrival(comps, self.st, b);
        for (c, from, to) in [(a, pa, pb), (b, pb, pa)] {
            if let (Some(x), Some(y)) = (self.rules.p.places.get(from), self.rules.p.places.get(to)) {
                bitset::put_bit(&mut self.st.planes, x.plane as usize, c, false);
                bitset::put_bit(&mut self.st.planes, y.plane as usize, c, true);
            }
        }
        for ((c, from, to), sources) in [(a, pa, pb), (b, pb, pa)].into_iter().zip(watched) {
            let seers = self.cx.seers(self.rules, self.st, to, c)?;
            knowledge::after_move(self.rules, self.st, ci, c, from, to, seers, sources);
            self.cx.rec.log_move(self.rules, self.st, ci, c, from, to);
        }
        Ok(())
    }

    /// Permutes the faces at a place, with sides and attributes; afterwards only the seats that look on know them.
    fn shuffle(&mut self, place: i64) -> Result<(), Stop> {
        if place == NONE {
            return Ok(());
        }
        let place = usize::try_from(place).map_err(|_| FaultKind::NoSuchThing)?;
        let ci = self.rules.p.places.get(place).ok_or(FaultKind::NoSuchThing)?.comps as usize;
        let comps =
            self.rules.p.comps.get(ci).ok_or(FaultKind::BadProgram("components that are not there"))?;
        let lying = cells::lying_at(self.rules.p, self.st, place);
        self.charge(2 * lying.len() as u64)?;
        let top = if self.st.orders.is_empty() {
            0
        } else {
            chance::bring_ordered_up(self.rules.p, self.st, place, &lying, |st, a, b| {
                swap_faces(self.rules, st, comps, ci, (a, b), true);
            })?
        };
        for i in (top + 1..lying.len()).rev() {
            let j = top + chance(self.st, self.cx, NONE, (i - top) as u64 + 1) as usize;
            if let (Some(a), Some(b)) = (lying.get(i), lying.get(j))
                && a != b
            {
                swap_faces(self.rules, self.st, comps, ci, (*a, *b), true);
            }
        }
        if self.cx.seeded != Some(SeededFault::ShuffleKeepsKnown) {
            for c in &lying {
                let seers = self.cx.seers(self.rules, self.st, place, *c)?;
                let up = comps.up == u32::MAX || cell(self.st, comps.up as usize + *c) != 0;
                let holder = self.rules.p.places.get(place).map_or(NONE, |pl| i64::from(pl.holder));
                let seers = if up { seers } else { seers & answering(self.rules.p, holder) };
                knowledge::set_known(self.rules.p, self.st, self.rules.world.seats & !seers, ci, *c, false);
                knowledge::set_known(self.rules.p, self.st, seers, ci, *c, true);
            }
        }
        if self.cx.chance_log.is_some() {
            chance::log_shuffle(self.rules.p, self.st, self.cx, place, &lying);
        }
        self.cx.rec.log_shuffle(self.rules.p, self.st, place);
        Ok(())
    }

    fn flip(&mut self, u: u8, c: i64, a: i64) -> Result<(), Stop> {
        let (ci, c) = self.component_at(u, c)?;
        let comps = self.rules.p.comps.get(ci).filter(|k| k.up != u32::MAX);
        let comps = comps.ok_or(FaultKind::BadProgram("turning what is never turned"))?;
        let was = cell(self.st, comps.up as usize + c) != 0;
        let up = if a == NONE { !was } else { a != 0 };
        set_cell(self.st, comps.up, c, i32::from(up));
        if up {
            let place = usize::try_from(cell(self.st, comps.place as usize + c)).unwrap_or(0);
            let seers = self.cx.seers(self.rules, self.st, place, c)?;
            knowledge::set_known(self.rules.p, self.st, seers, ci, c, true);
        }
        if was != up {
            self.cx.rec.log_turn_over(self.rules, self.st, ci, c, self.rules.world.seats);
        }
        Ok(())
    }

    /// The numbers on the sides of a die.
    fn sides(&self, ci: usize, c: usize) -> &[i32] {
        let Some(comps) = self.rules.p.comps.get(ci) else { return &[] };
        let face = usize::try_from(cell(self.st, comps.face as usize + c)).unwrap_or(usize::MAX);
        comps.sides.get(face).map_or(&[], |s| s)
    }

    /// Puts a die that has become one with fewer sides on its first side if it has no side of the old number.
    fn clamp_side(&mut self, ci: usize, c: usize) {
        let n = self.sides(ci, c).len() as i64;
        if let Some(comps) = self.rules.p.comps.get(ci).filter(|k| k.side != u32::MAX)
            && i64::from(cell(self.st, comps.side as usize + c) as i32) >= n
        {
            set_cell(self.st, comps.side, c, 0);
        }
    }

    fn set_side(&mut self, ci: usize, c: usize, a: i64) -> Result<(), Stop> {
        let n = self.sides(ci, c).len() as i64;
        let comps = self.rules.p.comps.get(ci).filter(|k| k.side != u32::MAX);
        let comps = comps.ok_or(FaultKind::BadProgram("a side of what has none"))?;
        if !(0..n).contains(&a) {
            return Err(Stop::no_thing(a));
        }
        set_cell(self.st, comps.side, c, a as i32);
        Ok(())
    }

    /// Takes the side that a test orders: the first of its rolls that this die can show. `None` if it orders nothing for `who`.
    fn take_ordered_side(&mut self, (ci, c): (usize, usize), n: u64, who: i64) -> Result<Option<u64>, Stop> {
        let mut any = false;
        for at in 0..self.st.rigged.len() {
            let Some((of, x)) = self.st.rigged.get(at).copied() else { break };
            if !is_for(of, who) {
                continue;
            }
            any = true;
            let found = match TestRoll::sides(x) {
                None => {
                    let side = self.sides(ci, c).iter().position(|s| i64::from(*s) as u64 == x);
                    side.map(|i| i as u64)
                }
                Some((dice, set)) if usize::from(dice) == ci => {
                    let look = look::Look { program: self.rules.p, state: self.st };
                    let most = self.rules.p.comps.get(ci).map_or(1, |k| k.most_sides());
                    let first = look.face(ci, c).unwrap_or(0) * most;
                    let words = self.rules.p.sets.get(set as usize..).unwrap_or(&[]);
                    (0..n).find(|k| crate::world::graph::has(words, first + *k as usize))
                }
                Some(_) => None,
            };
            if let Some(k) = found {
                self.st.rigged.remove(at);
                return Ok(Some(k));
            }
        }
        if any { Err(Stop::from(FaultKind::NoSuchFace)) } else { Ok(None) }
    }

    /// Updates knowledge when a component shows another side or face. A seat that does not look on no longer knows it, nor, if several lie there hidden, any of the others.
    /// Returns the seats that can tell that it is this one.
    fn forget_turned(&mut self, ci: usize, c: usize) -> Result<u32, Stop> {
        let all = self.rules.world.seats;
        let Some(comps) = self.rules.p.comps.get(ci) else { return Ok(all) };
        let place = usize::try_from(cell(self.st, comps.place as usize + c)).unwrap_or(0);
        if comps.boxed as usize == place {
            return Ok(all);
        }
        let lookers = self.cx.lookers(self.rules, self.st, ci, c)?;
        let tracing = if onlookers::stands_apart(self.rules.p, self.st, ci, c) { all } else { lookers };
        knowledge::set_known(self.rules.p, self.st, lookers, ci, c, true);
        knowledge::set_known(self.rules.p, self.st, all & !lookers, ci, c, false);
        let blind = all & !tracing;
        if blind != 0 {
            let lying: cells::Lying = bits(cells::members(self.rules.p, self.st, place)).collect();
            for x in lying {
                let knowing = blind & knowledge::known_by(self.rules.p, self.st, ci, x);
                if knowing != 0 {
                    let looking = self.cx.lookers(self.rules, self.st, ci, x)?;
                    knowledge::set_known(self.rules.p, self.st, knowing & !looking, ci, x, false);
                }
            }
        }
        Ok(tracing)
    }

    /// See [`Ins::Notice`].
    fn notice(&mut self) -> Result<(), Stop> {
        let due = self.cx.memo.take_sight_change();
        if !due && !cfg!(debug_assertions) {
            return Ok(());
        }
        for (i, place) in self.rules.p.places.iter().enumerate() {
            if self.rules.world.seers.get(i).copied() != Some(None) {
                continue;
            }
            let ci = place.comps as usize;
            let up = self.rules.p.comps.get(ci).map_or(u32::MAX, |k| k.up);
            let words: crate::data::decision::Words = cells::members(self.rules.p, self.st, i).into();
            // Components that the same seats see for the first time are one entry of the log.
            let mut news = crate::data::decision::Words::from_elem(0, words.len());
            let mut news_to = 0;
            for c in bits(&words) {
                let blind = self.rules.world.seats & !knowledge::known_by(self.rules.p, self.st, ci, c);
                if blind == 0 || (up != u32::MAX && cell(self.st, up as usize + c) == 0) {
                    continue;
                }
                self.charge(1)?;
                let seers = self.cx.seers(self.rules, self.st, i, c)? & blind;
                if seers == 0 {
                    continue;
                }
                debug_assert!(due, "somebody sees more, and it was not noted");
                if seers != news_to {
                    self.cx.rec.log_notice(self.rules, self.st, ci, &news, news_to);
                    news.iter_mut().for_each(|w| *w = 0);
                    news_to = seers;
                }
                bitset::put_bit(&mut news, 0, c, true);
                self.cx.memo.dirty |= memo::knowledge_class(ci);
                knowledge::set_known(self.rules.p, self.st, seers, ci, c, true);
            }
            self.cx.rec.log_notice(self.rules, self.st, ci, &news, news_to);
        }
        Ok(())
    }

    fn roll_die(&mut self, u: u8, c: i64, who: i64) -> Result<(), Stop> {
        let (ci, c) = self.component_at(u, c)?;
        let n = self.sides(ci, c).len() as u64;
        if n == 0 {
            return Err(Stop::from(FaultKind::EmptyRange));
        }
        // A test orders a die's roll by the value that it shows; a value that is on no side counts as a side's number.
        let k = match self.take_ordered_side((ci, c), n, who)? {
            Some(k) => k,
            None => chance(self.st, self.cx, who, n),
        };
        self.set_side(ci, c, k as i64)?;
        self.forget_turned(ci, c)?;
        if let Some(chance_log) = &mut self.cx.chance_log {
            let side = look::Look { program: self.rules.p, state: self.st }.side(ci, c).unwrap_or(0);
            let shown = self.rules.p.comps.get(ci).and_then(|k| chance::shown(k, side)).unwrap_or(k as i64);
            chance_log.push(Chanced::Rolled(ci, side, shown));
        }
        if self.cx.rec.watch(self.rules.p) {
            let name = self.rules.p.comps.get(ci).map_or(String::new(), |k| format!("{} ", k.title));
            let look = look::Look { program: self.rules.p, state: self.st };
            let shown = self.rules.p.comps.get(ci).map_or(String::new(), |k| {
                value_text(look, Show::Thing(k.universe), &[c as u64], None, true)
            });
            let seers = knowledge::known_by(self.rules.p, self.st, ci, c);
            let place = self.rules.p.comps.get(ci).map_or(NONE, |k| cell(self.st, k.place as usize + c));
            self.cx.rec.log_roll(self.rules.p, who, shown, (name, usize::try_from(place).ok()), seers);
        }
        Ok(())
    }

    /// One of the values of a table, as a roll of a die with these sides. A test orders it by its value, as with dice in play.
    fn roll_value(&mut self, table: TableIx, who: i64) -> Result<i64, Stop> {
        let table =
            self.rules.p.tables.get(table.index()).ok_or(FaultKind::BadProgram("a roll of no such table"))?;
        let n = table.values.len() as u64;
        if n == 0 {
            return Err(Stop::from(FaultKind::EmptyRange));
        }
        let k = match take_ordered_number(self.st, who) {
            Some(x) => {
                let side = table.values.iter().position(|v| i64::from(*v) as u64 == x);
                side.map_or(x % n, |i| i as u64)
            }
            None => chance(self.st, self.cx, who, n),
        };
        let x = table.values.get(k as usize).copied().map_or(NONE, i64::from);
        if let Some(chance_log) = &mut self.cx.chance_log {
            chance_log.push(Chanced::Number(x));
        }
        if self.cx.rec.watch(self.rules.p) {
            let shown = format!("{} {x}", table.name);
            self.cx.rec.log_roll(self.rules.p, who, shown, (String::new(), None), self.rules.world.seats);
        }
        Ok(x)
    }

    /// Resets the attributes that a scope resets. With `who`, attributes of players are reset for that player alone.
    fn reset_attrs(&mut self, which: impl Fn(Per) -> bool, who: Option<i64>) {
        for (i, a) in self.rules.p.attrs.iter().enumerate() {
            let Some(per) = a.per else { continue };
            if !which(per) {
                continue;
            }
            let Some(f) = self.rules.world.attrs.get(i).copied() else { continue };
            let only = match who {
                Some(x) if a.of == Some(self.rules.p.player_universe) => Some(x),
                _ => None,
            };
            for e in 0..f.n as usize {
                if only.is_some_and(|x| x != e as i64) {
                    continue;
                }
                let v = a.initial.get(e).or(a.initial.first()).copied().unwrap_or(0);
                if !self.st.layers.is_empty() {
                    layers::sweep(self.st, i as u16, e as u32);
                }
                cells::store(self.st, &f, e, v);
            }
        }
    }

    fn begin_turn(&mut self, who: i64) -> Result<(), Stop> {
        if who < 0 || who >= i64::from(self.rules.p.players) {
            return Err(Stop::no_thing(who));
        }
        self.st.head.turns = self.st.head.turns.checked_add(1).ok_or(FaultKind::Overflow)?;
        if self.st.head.turn != NONE {
            // Turns that were left without an end do not pile up.
            if self.st.outer_turns.len() >= 16 {
                self.st.outer_turns.remove(0);
            }
            self.st.outer_turns.push(self.st.head.turn);
        }
        self.st.head.turn = who;
        layers::end(self.rules, self.st, self.cx, |u| {
            u.scope == LeaseScope::StartOfTurn && i64::from(u.arg) == who
        })?;
        self.cx.rec.log_turn(who);
        self.reset_attrs(|per| per == Per::Turn, Some(who));
        Ok(())
    }
}

/// Exchanges the faces of two components, with sides and attributes; attributes on the back only if `back`.
pub(crate) fn swap_faces(
    rules: Rules<'_>,
    st: &mut State,
    comps: &Components,
    ci: usize,
    (a, b): (usize, usize),
    back: bool,
) {
    let face = |st: &State, c: usize| cell(st, comps.face as usize + c) as i32;
    let (face_a, face_b) = (face(st, a), face(st, b));
    cells::set_face(rules.p, st, ci, a, face_b);
    cells::set_face(rules.p, st, ci, b, face_a);
    if comps.side != u32::MAX {
        let (sa, sb) = (cell(st, comps.side as usize + a) as i32, cell(st, comps.side as usize + b) as i32);
        set_cell(st, comps.side, a, sb);
        set_cell(st, comps.side, b, sa);
    }
    for x in &comps.attrs {
        if !back && rules.p.attrs.get(x.index()).is_some_and(|x| x.back) {
            continue;
        }
        if let Some(f) = rules.world.attrs.get(x.index()) {
            let (va, vb) = (cell(st, f.cell as usize + a) as i32, cell(st, f.cell as usize + b) as i32);
            cells::store(st, f, a, vb);
            cells::store(st, f, b, va);
        }
    }
}
