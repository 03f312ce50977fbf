//! Built-in values: of sets and lists, players and time (expressions.md), components and dice (kinds.md), and what is known (secrets.md). Those of maps are in `maps`.
use super::*;

impl<'a> Evaluator<'a> {
    /// Whether somebody answers for a player.
    pub fn is_answered(&self, p: &Datum) -> bool {
        self.n.seats_of(p) != 0
    }

    /// Players in table order, beginning so many behind one.
    fn from(&self, p: &Datum, behind: u32) -> Result<Vec<Datum>> {
        let mut round = self.n.all(0);
        let first = (p.number()? + behind) as usize % round.len().max(1);
        round.rotate_left(first);
        Ok(round)
    }

    /// The team of those seats that somebody sits on.
    pub(super) fn team_of(&self, p: &Datum) -> Result {
        let team = self.n.set.teams().get(p.number()? as usize).copied();
        team.map_or_else(|| fails("the team of who does not play"), |t| self.n.thing(builtin_kinds::TEAM, t))
    }

    pub(super) fn builtin(&mut self, b: Builtin, args: &[Expr], e: &Expr, f: &mut Frame) -> Result {
        use Builtin as B;
        let given = self.each(args, f)?;
        let (first, second) = (given.first().unwrap_or(&Datum::None), given.get(1).unwrap_or(&Datum::None));
        let players = || self.n.all(0).into_iter();
        let answered = || players().filter(|p| self.is_answered(p));
        Ok(match b {
            B::Count if matches!(&*args[0].kind, ExprKind::Builtin(B::Seats, _)) => {
                Datum::Int(i64::from(self.n.set.seats))
            }
            B::Count => Datum::Int(folds::once_each(first.items()).len() as i64),
            B::Only => match first.to_set().items().as_slice() {
                [one] => one.clone(),
                _ => Datum::None,
            },
            B::SumOf => return folds::total(FoldOp::Sum, &first.items()),
            B::MinOf => return folds::total(FoldOp::Min, &first.items()),
            B::MaxOf => return folds::total(FoldOp::Max, &first.items()),
            B::Median => {
                let mut all = first.items();
                all.sort();
                all.get(all.len().saturating_sub(1) / 2).cloned().unwrap_or_default()
            }
            B::Reversed => Datum::List(self.in_order(first)?.into_iter().rev().collect()),
            B::Index => {
                let at = self.in_order(first)?.iter().position(|x| x == second);
                at.map_or(Datum::None, |i| Datum::Int(i as i64 + 1))
            }
            // A list that stands where a set is wanted: each once, still in its order.
            B::AsSet => Datum::Set(Vec::new()).with(first),
            B::Widened => first.clone(),
            B::Players => Datum::Set(answered().collect()),
            B::Seats => Datum::Set(players().take(self.n.set.own as usize).collect()),
            B::Others => Datum::Set(first.thing().map(|_| answered().filter(|p| p != first).collect())?),
            B::Opponent => Datum::Thing(0, 1u32.wrapping_sub(first.number()?)),
            B::NeighbourPlayers => {
                let round = self.from(first, 1)?;
                let beside = [round.first(), round.iter().rev().nth(1)].into_iter().flatten();
                Datum::set(beside.filter(|p| *p != first).cloned())
            }
            B::Left => {
                let mut next = self.from(first, 1)?.into_iter();
                let among = second.items();
                next.find(|p| *second == Datum::None || among.contains(p)).unwrap_or(first.clone())
            }
            B::Clockwise => {
                let whom = first.items();
                Datum::List(self.from(second, 0)?.into_iter().filter(|p| whom.contains(p)).collect())
            }
            B::TeamOf => self.team_of(first)?,
            B::Team(n) => self.n.thing(builtin_kinds::TEAM, u32::from(n).saturating_sub(1))?,
            // Each of those who answer for the player must know it.
            B::Sees => {
                let seats = first.thing().map(|_| self.n.seats_of(first))?;
                Datum::Bool(seats != 0 && seats & !self.w.piece(second)?.known == 0)
            }
            B::Round => Datum::Int(self.w.round),
            B::Turns => Datum::Int(self.w.turns),
            B::Turn => self.w.turn.map_or(Datum::None, |p| Datum::Thing(0, p)),
            B::Held => attach::held(first.clone(), &e.ty, false)?,
            B::Odd | B::Even => Datum::Bool((first.int()?.rem_euclid(2) == 1) == (b == B::Odd)),
            B::FaceOf => self.face_of(first)?.thing.clone(),
            B::At if first.thing()?.0 == 0 => {
                self.attribute(known(types::standing(self.m), "where players stand")?, first)?
            }
            B::At => self.place_at(first)?.space.clone(),
            B::Holder => self.holder(first)?,
            B::Host if self.n.family_of(&self.place_at(first)?.of).is_err() => Datum::None,
            B::Host => self.place_at(first)?.of.clone(),
            B::OwnerOf => self.owner_of(first)?,
            B::Up => Datum::Bool(self.w.piece(first)?.up),
            B::KeyOf => match first.thing()? {
                (u, n) if self.n.boards.contains_key(&u) => Datum::Int(i64::from(n) + 1),
                _ => Datum::Int(i64::from(self.face_of(first)?.key)),
            },
            B::DieValue => Datum::Int(i64::from(self.side_of(first)?.1.value)),
            B::Sides => Datum::set(self.face_of(first)?.sides.iter().map(|(side, _)| side.clone())),
            _ => return self.of_maps(b, &given, args, e),
        })
    }

    /// The player to whom a component belongs, of kinds of which each player has a set; else who holds it.
    pub(super) fn owner_of(&self, c: &Datum) -> Result {
        self.w.piece(c)?;
        let owner = self.n.family_of(c)?.comps.owners.get(c.number()? as usize);
        owner.map_or_else(|| self.holder(c), |p| Ok(Datum::Thing(0, *p as u32)))
    }

    pub(super) fn place_at(&self, c: &Datum) -> Result<&'a Place<'a>> {
        Ok(&self.n.places[self.w.piece(c)?.place as usize])
    }

    pub(super) fn holder(&self, c: &Datum) -> Result {
        Ok(self.place_at(c)?.holder.clone())
    }

    pub(super) fn in_zone(&mut self, args: &[Expr], f: &mut Frame) -> Result {
        let (ExprKind::PlaceOf(_, zone, _) | ExprKind::Zone(_, zone, _)) = &*args[1].kind else {
            return unsupported("this test of a zone");
        };
        let c = self.eval(&args[0], f)?;
        Ok(Datum::Bool(self.place_at(&c)?.zone.is_some_and(|z| z.span == self.m.zones[zone.index()].span)))
    }
}
