//! What ends with a scope: changes in `until`, and what is renewed each turn, round or phase (attachments.md, kinds.md).
use super::*;

impl Evaluator<'_> {
    /// What stands in a slot of the state becomes another; gives what was there.
    pub(super) fn put(&mut self, at: (usize, Datum), new: Datum) -> Datum {
        let old = self.w.attrs.insert(at.clone(), new.clone()).unwrap_or_default();
        if old != new {
            self.said.push(vec![Said::Changed(at, new)]);
        }
        old
    }

    /// What is set in an open layer is remembered with what was there; else layers that lie on it are swept away.
    pub(super) fn layer_on(&mut self, slot: Slot, old: Datum, new: Datum) {
        match self.open.last().copied() {
            Some(until) => self.add_layer(until, LayerChange::Set(slot, old, new)),
            None => self.sweep(&slot),
        }
    }

    fn sweep(&mut self, slot: &Slot) {
        self.w.layers.retain(|l| !matches!(&l.change, LayerChange::Set(x, ..) if x == slot));
    }

    pub(super) fn add_layer(&mut self, until: (LeaseScope, i32), change: LayerChange) {
        self.w.layers.push(Layer { since: self.w.clock, until, change });
        self.w.clock += 1;
    }

    /// When a layer that is opened now ends.
    pub(super) fn until(&mut self, until: &Until, f: &mut Frame) -> Result<(LeaseScope, i32)> {
        Ok(match until {
            Until::EndOfTurn => (LeaseScope::Turn, self.w.turn.map_or(ir::NONE as i32, |p| p as i32)),
            Until::EndOfRound => (LeaseScope::Round, self.w.round as i32),
            Until::EndOfNextRound => (LeaseScope::NextRound, self.w.round as i32 + 1),
            Until::EndOfPhase => (LeaseScope::Phase, self.w.phases.last().map_or(-1, |r| self.n.phases[r])),
            Until::EndOf(r) => (LeaseScope::PhaseNamed, self.n.phases[r]),
            Until::EndOfGame => (LeaseScope::Game, 0),
            Until::StartOfTurn(p) => (LeaseScope::StartOfTurn, self.eval(p, f)?.number()? as i32),
        })
    }

    /// Takes out each layer whose scope has ended, youngest first. What it would put back a younger one on the same thing inherits; what has been changed since is left alone.
    pub(super) fn end_layers(&mut self, ended: impl Fn((LeaseScope, i32)) -> bool) -> Result<()> {
        for i in (0..self.w.layers.len()).rev() {
            if !ended(self.w.layers[i].until) {
                continue;
            }
            let LayerChange::Set(slot, before, now) = self.w.layers.remove(i).change else { continue };
            let above = self.w.layers[i..].iter_mut().find_map(|l| match &mut l.change {
                LayerChange::Set(x, old, _) if *x == slot => Some(old),
                _ => None,
            });
            match (above, slot, &before) {
                (Some(old), ..) => *old = before,
                (None, Slot::Attr(at), _) if self.w.attrs.get(&at) == Some(&now) => {
                    self.w.attrs.insert(at, before);
                }
                (None, Slot::Place(c), Datum::Place(from)) => {
                    let to = self.w.piece(&c)?.place;
                    if now == Datum::Place(to) {
                        let sources = self.seers(to, &c)?;
                        self.relocate(&c, *from, false)?;
                        self.after_move(&c, to, sources)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Sets attributes `per` a scope back to their first value, and lets what is `once per` it be done again. Of players, only `who` if that is given.
    pub(super) fn renew(&mut self, which: impl Fn(Per) -> bool, who: Option<&Datum>) {
        for (at, first) in &self.n.initial {
            let slot = &self.n.p.attrs[at.0];
            let others = slot.of == Some(self.n.p.player_universe) && who.is_some_and(|p| *p != at.1);
            if slot.per.is_some_and(&which) && !others {
                self.sweep(&Slot::Attr(at.clone()));
                self.w.attrs.insert(at.clone(), first.clone());
            }
        }
    }

    /// A component leaves its place: what is `per stay` is as a component with its face has it at the start.
    pub(super) fn end_stay(&mut self, c: &Datum) -> Result<()> {
        let n = self.n;
        let (first, face) = (&n.family_of(c)?.comps.initial, self.face_of(c)?.thing.number()?);
        let same = |x: &Datum| {
            x.number().is_ok_and(|x| first.get(x as usize).is_some_and(|f| u32::from(*f) == face))
        };
        for (slot, _) in n.p.attrs.iter().enumerate().filter(|(_, a)| a.per == Some(Per::Stay)) {
            let at = (slot, c.clone());
            let begins = n.initial.iter().find(|((s, x), _)| *s == slot && same(x));
            if let (Some((_, first)), true) = (begins, self.w.attrs.contains_key(&at)) {
                let old = self.put(at.clone(), first.clone());
                self.layer_on(Slot::Attr(at), old, first.clone());
            }
        }
        Ok(())
    }

    /// A component that has become another has what its new kind has: what that begins with, unless it had it before.
    pub(super) fn begin_attributes(&mut self, c: &Datum) -> Result<()> {
        let face = self.face_of(c)?;
        let Some(member) = face.member.map(|m| &self.m.members[m.index()]) else { return Ok(()) };
        for (a, body) in &member.sets {
            let attr = &self.m.attrs[a.index()];
            let begins = attr.default.is_none() && !types::is_maybe(&attr.ty);
            let Some(slot) = self.n.attrs.get(a).filter(|_| begins) else { continue };
            let at = (*slot, c.clone());
            if self.w.attrs.get(&at) == Some(&Datum::None) {
                let first = self.eval(&body.body, &mut Frame::of(&[Datum::Int(i64::from(face.key))]))?;
                let old = self.put(at.clone(), first.clone());
                self.layer_on(Slot::Attr(at), old, first);
            }
        }
        Ok(())
    }
}
