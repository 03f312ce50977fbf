//! What ends with a scope: changes in `until`, and what is renewed each turn, round or phase (attachments.md, kinds.md).
use super::expr::{Evaluator, Frame};
use super::value::{Datum, Result, known};
use super::world::{Change, Layer};
use crate::model::body::types;
use crate::model::hir::*;
use crate::program::ir::{self, LeaseScope, Per};

impl Evaluator<'_> {
    /// An attribute gets another value. In an open layer it is remembered what was there; else layers that lie on it are swept away.
    pub(super) fn put(&mut self, a: AttrId, thing: u32, new: Datum) {
        let old = self.w.attrs.insert((a, thing), new.clone()).unwrap_or(Datum::None);
        match self.open.last().copied() {
            Some(until) => self.add_layer(until, Change::Put(a, thing, old, new)),
            None => self.sweep(a, thing),
        }
    }

    fn sweep(&mut self, a: AttrId, thing: u32) {
        self.w.layers.retain(|l| !matches!(&l.change, Change::Put(x, t, ..) if *x == a && *t == thing));
    }

    pub(super) fn add_layer(&mut self, until: (LeaseScope, i32), change: Change) {
        self.w.layers.push(Layer { since: self.w.clock, until, change });
        self.w.clock += 1;
    }

    /// When a layer that is opened now ends.
    pub(super) fn until(&mut self, until: &Until, f: &mut Frame) -> Result<(LeaseScope, i32)> {
        Ok(match until {
            Until::EndOfTurn => (LeaseScope::Turn, self.w.turn.map_or(ir::NONE as i32, |p| p as i32)),
            Until::EndOfRound => (LeaseScope::Round, self.w.round as i32),
            Until::EndOfNextRound => (LeaseScope::NextRound, self.w.round as i32 + 1),
            Until::EndOfPhase => (LeaseScope::Phase, self.w.phases.last().map_or(-1, |r| self.n.phase(*r))),
            Until::EndOf(r) => (LeaseScope::PhaseNamed, self.n.phase(*r)),
            Until::EndOfGame => (LeaseScope::Game, 0),
            Until::StartOfTurn(p) => (LeaseScope::StartOfTurn, self.eval(p, f)?.number()? as i32),
        })
    }

    /// Takes out every layer whose scope has ended, youngest first. A younger layer on the same thing inherits what would have been put back; what does not hold any more what the
    /// layer put there is left alone.
    pub(super) fn end_layers(&mut self, ended: impl Fn((LeaseScope, i32)) -> bool) -> Result<()> {
        for i in (0..self.w.layers.len()).rev() {
            if !ended(self.w.layers[i].until) {
                continue;
            }
            let gone = self.w.layers.remove(i).change;
            let mut above = self.w.layers.iter_mut().skip(i).map(|l| &mut l.change);
            let inherits = above.any(|younger| match (&gone, younger) {
                (Change::Put(a, x, before, _), Change::Put(b, y, old, _)) if (a, *x) == (&*b, *y) => {
                    *old = before.clone();
                    true
                }
                (Change::Moved(k, c, from, _), Change::Moved(j, d, old, _)) if (*k, *c) == (*j, *d) => {
                    *old = *from;
                    true
                }
                _ => false,
            });
            match gone {
                Change::Put(a, thing, before, now)
                    if !inherits && self.w.attrs.get(&(a, thing)) == Some(&now) =>
                {
                    self.w.attrs.insert((a, thing), before);
                }
                Change::Moved(k, c, from, to) if !inherits && self.w.pieces[k][c as usize].place == to => {
                    let sources = self.seers(to, (k, c))?;
                    self.relocate(k, c, from, false)?;
                    let seers = self.seers(from, (k, c))?;
                    self.after_move(k, c, (to, from), seers, sources);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Sets attributes `per` a scope back to their first value, and lets what is `once per` it be done again. Of players, only `who` if that is given.
    pub(super) fn renew(&mut self, which: impl Fn(Per) -> bool, who: Option<u32>) -> Result<()> {
        let slots = self.n.p.attrs.iter().enumerate();
        for (i, slot) in slots.filter(|(_, s)| s.per.is_some_and(&which)) {
            let players = slot.of == Some(self.n.p.player_universe);
            let things = 0..slot.of.map_or(1, |u| self.n.count(u.0));
            for thing in things.filter(|t| !players || who.is_none_or(|p| p == *t)) {
                match self.n.attr_in(i) {
                    Some(a) => {
                        self.sweep(a, thing);
                        let first = known(self.n.initial.get(&(a, thing)).cloned(), "sets that are renewed")?;
                        self.w.attrs.insert((a, thing), first);
                    }
                    None => {
                        self.w.used.remove(&(self.n.slot_span(i), thing));
                    }
                }
            }
        }
        Ok(())
    }

    /// A component that has become another has what its new kind has: what that begins with, unless it had it before.
    pub(super) fn begin_attributes(&mut self, k: usize, c: u32) -> Result<()> {
        let face = &self.n.families[k].faces[self.w.pieces[k][c as usize].face as usize];
        let Some(member) = face.member.map(|m| &self.m().members[m.index()]) else { return Ok(()) };
        for (a, body) in &member.sets {
            let attr = &self.m().attrs[a.index()];
            let unset = self.w.attrs.get(&(*a, c)) == Some(&Datum::None);
            if unset && attr.default.is_none() && !types::is_maybe(&attr.ty) {
                let first = self.eval(&body.body, &mut Frame::of(vec![Datum::Int(i64::from(face.key))]))?;
                self.put(*a, c, first);
            }
        }
        Ok(())
    }
}
