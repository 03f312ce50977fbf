//! Built-in values: of sets and lists, players and time (expressions.md), components and dice (kinds.md), and what is known (secrets.md). Those of maps are in `maps`.
use super::expr::{Evaluator, Frame};
use super::folds::total;
use super::value::{Datum, Failure, Result, fails, known, unsupported};
use crate::model::body::types;
use crate::model::hir::*;

impl Evaluator<'_> {
    fn players(&self, is: impl Fn(u32) -> bool) -> Datum {
        let all = self.n.all(0).into_iter();
        Datum::Set(all.filter(|p| p.number().is_ok_and(&is)).collect())
    }

    /// Whether somebody answers for a player.
    pub fn is_answered(&self, p: &Datum) -> bool {
        self.n.seats_of(p) != 0
    }

    /// Players in table order, beginning so many behind one.
    fn from(&self, p: &Datum, behind: u32) -> Result<Vec<Datum>> {
        let (first, n) = (p.number()?, self.n.count(0));
        Ok((0..n).map(|k| Datum::Thing(0, (first + behind + k) % n)).collect())
    }

    /// The team of those seats that somebody sits on.
    pub(super) fn team_of(&self, p: &Datum) -> Result {
        match self.n.set.teams().get(p.number()? as usize) {
            Some(t) => self.n.thing(builtin_kinds::TEAM, *t),
            None => fails(Failure::NoSuchThing),
        }
    }

    /// A built-in.
    pub(super) fn builtin(&mut self, b: Builtin, args: &[Expr], e: &Expr, f: &mut Frame) -> Result {
        use Builtin as B;
        if b == B::InZone {
            return self.in_zone(args, f);
        }
        let given = self.each(args, f)?;
        let arg = |i: usize| given.get(i).unwrap_or(&Datum::None);
        let first = arg(0);
        Ok(match b {
            // ── Sets and lists
            B::Count if matches!(&*args[0].kind, ExprKind::Builtin(B::Seats, _)) => {
                Datum::Int(i64::from(self.n.set.seats))
            }
            B::Count => Datum::Int(first.items().len() as i64),
            B::Only => match first.to_set().items().as_slice() {
                [one] => one.clone(),
                _ => Datum::None,
            },
            B::SumOf => total(FoldOp::Sum, first.items())?,
            B::MinOf => total(FoldOp::Min, first.items())?,
            B::MaxOf => total(FoldOp::Max, first.items())?,
            B::Reversed => Datum::List(self.in_order(first)?.into_iter().rev().collect()),
            B::Index => {
                let at = self.in_order(first)?.iter().position(|x| x == arg(1));
                at.map_or(Datum::None, |i| Datum::Int(i as i64 + 1))
            }
            // A list that stands where a set is wanted: each once, still in its order.
            B::AsSet => Datum::Set(Vec::new()).with(first),
            B::Gather => return unsupported("what all of a set have"),
            // ── Players
            B::Players => self.players(|p| self.is_answered(&Datum::Thing(0, p))),
            B::Seats => self.players(|p| p < self.n.set.own),
            B::Others => {
                let me = first.number()?;
                self.players(|p| self.is_answered(&Datum::Thing(0, p)) && p != me)
            }
            B::Opponent => Datum::Thing(0, 1u32.wrapping_sub(first.number()?)),
            B::NeighbourPlayers => {
                let (me, n) = (first.number()?, self.n.count(0));
                self.players(|p| p != me && ((p + 1) % n == me || (me + 1) % n == p))
            }
            B::Left => {
                let mut next = self.from(first, 1)?.into_iter();
                let among = arg(1);
                next.find(|p| *among == Datum::None || among.items().contains(p)).unwrap_or(first.clone())
            }
            B::Clockwise => {
                let whom = first.items();
                Datum::List(self.from(arg(1), 0)?.into_iter().filter(|p| whom.contains(p)).collect())
            }
            B::TeamOf => self.team_of(first)?,
            B::Team(n) => self.n.thing(builtin_kinds::TEAM, u32::from(n).saturating_sub(1))?,
            // Each of those who answer for the player must know it.
            B::Sees => {
                let (_, (k, c)) = (first.number()?, self.n.component(arg(1))?);
                let seats = self.n.seats_of(first);
                Datum::Bool(seats != 0 && self.w.is_known(seats, k, c))
            }
            // ── Time and numbers
            B::Round => Datum::Int(self.w.round),
            B::Turns => Datum::Int(self.w.turns),
            B::Turn => self.w.turn.map_or(Datum::None, |p| Datum::Thing(0, p)),
            B::Odd => Datum::Bool(first.int()?.rem_euclid(2) == 1),
            B::Even => Datum::Bool(first.int()?.rem_euclid(2) == 0),
            // ── Components
            B::FaceOf => Datum::Thing(self.n.family_of(first)?.1.face_universe, self.face_of(first)?.0),
            B::At if first.thing()?.0 == 0 => {
                self.attribute(known(types::standing(self.m()), "where players stand")?, first)?
            }
            B::At | B::Holder => self.lies_with(first, b == B::At)?,
            B::OwnerOf => {
                let (k, c) = self.n.component(first)?;
                match self.n.families[k].owners.get(c as usize) {
                    Some(p) => Datum::Thing(0, *p as u32),
                    None => self.lies_with(first, false)?,
                }
            }
            B::Up => Datum::Bool(self.w.piece(self.n, first)?.up),
            B::KeyOf => {
                let (u, n) = first.thing()?;
                let on_map = self.n.boards.contains_key(&u);
                Datum::Int(if on_map { i64::from(n) + 1 } else { i64::from(self.face_of(first)?.1.key) })
            }
            B::DieValue => Datum::Int(i64::from(self.side_of(first)?.value)),
            B::Sides => self.sides(first)?,
            B::NameOf => return unsupported("texts"),
            B::InZone => return unsupported("this built-in"),
            _ => return self.of_maps(b, &given, args, e),
        })
    }

    /// The space at which, or the player with whom a component lies.
    fn lies_with(&self, c: &Datum, space: bool) -> Result {
        let (place, zone) = self.n.at(self.lies_at(c)?);
        let who = u32::try_from(if space { place.space } else { place.holder }).ok();
        let of = zone.and_then(|z| z.of);
        Ok(who.zip(of).map_or(Datum::None, |(n, u)| Datum::Thing(u.0, n)))
    }

    /// Whether a thing lies in some zone of a declaration, whoever's.
    fn in_zone(&mut self, args: &[Expr], f: &mut Frame) -> Result {
        let [c, z] = args else { return unsupported("this test of a zone") };
        let (ExprKind::PlaceOf(_, zone, _) | ExprKind::Zone(_, zone, _)) = &*z.kind else {
            return unsupported("this test of a zone");
        };
        let c = self.eval(c, f)?;
        let here = self.n.zone_at(self.lies_at(&c)?);
        Ok(Datum::Bool(here.is_some_and(|z| z.span == self.m().zones[zone.index()].span)))
    }
}
