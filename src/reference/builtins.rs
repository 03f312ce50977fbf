//! Built-in values: of sets and lists, players and time (expressions.md), components and dice (kinds.md), maps (maps.md), and what is known (secrets.md).
use super::expr::{Evaluator, Frame};
use super::geometry::Board;
use super::value::{Datum, Failure, Result, fails, number, unsupported};
use crate::model::body::types;
use crate::model::hir::*;

impl Evaluator<'_> {
    /// The map of a table of spaces.
    pub fn board(&self, universe: u16) -> Result<&Board> {
        match self.n.boards.get(&universe) {
            Some(b) => Ok(b),
            None => unsupported("spaces off any map"),
        }
    }

    fn players(&self, is: impl Fn(u32) -> bool) -> Datum {
        let all = self.n.all(0);
        Datum::Set(all.into_iter().filter(|p| p.number().is_ok_and(&is)).collect())
    }

    /// Whether somebody answers for a player.
    fn is_answered(&self, p: u32) -> bool {
        self.n.set.answered.get(p as usize).is_some_and(|seats| *seats != 0)
    }

    /// A built-in.
    #[allow(clippy::too_many_lines)] // One arm a built-in.
    pub fn builtin(&self, b: Builtin, args: &[Expr], e: &Expr, f: &mut Frame) -> Result {
        use Builtin as B;
        if matches!(b, B::Run) {
            return self.run(args, f);
        }
        if b == B::InZone {
            return self.in_zone(args, f);
        }
        let counts = matches!(b, B::Count | B::SumOf);
        let given: Result<Vec<Datum>> = args
            .iter()
            .enumerate()
            .map(|(i, a)| if counts && i == 0 { self.gone_through(a, f) } else { self.eval(a, f) })
            .collect();
        let given = given?;
        let arg = |i: usize| given.get(i).cloned().unwrap_or(Datum::None);
        let there = |i: usize| given.get(i).is_some_and(|x| *x != Datum::None);
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
            B::SumOf => {
                let mut sum = 0;
                for x in first.items() {
                    sum += x.int()?;
                    number(sum)?;
                }
                Datum::Int(sum)
            }
            B::MinOf => first.items().into_iter().min().unwrap_or(Datum::None),
            B::MaxOf => first.items().into_iter().max().unwrap_or(Datum::None),
            B::Reversed => Datum::List(self.in_order(&first)?.into_iter().rev().collect()),
            B::Index => {
                let at = self.in_order(&first)?.iter().position(|x| *x == arg(1));
                at.map_or(Datum::None, |i| Datum::Int(i as i64 + 1))
            }
            // A list that stands where a set is wanted: each once, still in its order.
            B::AsSet => Datum::Set(Vec::new()).with(&first),
            B::Gather => return unsupported("what all of a set have"),
            // ── Players
            B::Players => self.players(|p| self.is_answered(p)),
            B::Seats => self.players(|p| p < self.n.set.own),
            B::Others => {
                let me = first.number()?;
                self.players(|p| self.is_answered(p) && p != me)
            }
            B::Opponent => {
                let me = first.number()?;
                Datum::Thing(0, 1u32.wrapping_sub(me))
            }
            B::NeighbourPlayers => {
                let (me, n) = (first.number()?, self.n.count(0));
                self.players(|p| p != me && ((p + 1) % n == me || (me + 1) % n == p))
            }
            B::Left => {
                let (me, n) = (first.number()?, self.n.count(0));
                let among = there(1).then(|| arg(1).items());
                let next = (1..=n).map(|k| Datum::Thing(0, (me + k) % n));
                let mut next = next.filter(|p| among.as_ref().is_none_or(|s| s.contains(p)));
                next.next().unwrap_or(first)
            }
            B::Clockwise => {
                let (from, n) = (arg(1).number()?, self.n.count(0));
                let whom = first.items();
                let round = (0..n).map(|k| Datum::Thing(0, (from + k) % n));
                Datum::List(round.filter(|p| whom.contains(p)).collect())
            }
            B::TeamOf => {
                let (teams, me) = (self.n.set.teams(), first.number()? as usize);
                match teams.get(me) {
                    Some(t) => Datum::Thing(self.n.universe(builtin_kinds::TEAM)?, *t),
                    None => return fails(Failure::NoSuchThing),
                }
            }
            B::Team(n) => Datum::Thing(self.n.universe(builtin_kinds::TEAM)?, u32::from(n).saturating_sub(1)),
            B::Sees => {
                let (p, c) = (first.number()?, arg(1).thing()?);
                let Some((k, _)) = self.n.family_of(c.0) else {
                    return unsupported("seeing what has no face");
                };
                let seats = self.n.set.answered.get(p as usize).copied().unwrap_or(0);
                let mut own = (0..32).filter(|s| seats >> s & 1 == 1);
                // Each of those who answer for the player must know it.
                Datum::Bool(seats != 0 && own.all(|s| self.is_known(s, k, c.1)))
            }
            // ── Time
            B::Round => Datum::Int(self.w.round),
            B::Turns => Datum::Int(self.w.turns),
            B::Turn => self.w.turn.map_or(Datum::None, |p| Datum::Thing(0, p)),
            // ── Numbers
            B::Odd => Datum::Bool(first.int()?.rem_euclid(2) == 1),
            B::Even => Datum::Bool(first.int()?.rem_euclid(2) == 0),
            // ── Components
            B::FaceOf => {
                let Some((_, family)) = self.n.family_of(first.thing()?.0) else {
                    return unsupported("the face of what has none");
                };
                Datum::Thing(family.face_universe, self.face_of(&first)?.0)
            }
            B::At if first.thing()?.0 == 0 => match types::standing(self.m()) {
                Some(a) => self.attribute(a, Some(&first), first.number()?)?,
                None => return unsupported("where players stand"),
            },
            B::At | B::Holder => {
                let place = self.w.piece(self.n, first.thing()?)?.place;
                self.lies_with(place, b == B::At)
            }
            B::OwnerOf => {
                let c = first.thing()?;
                let owners = self.n.family_of(c.0).map(|(_, family)| &family.owners);
                match owners.and_then(|o| o.get(c.1 as usize)) {
                    Some(p) => Datum::Thing(0, *p as u32),
                    None => self.lies_with(self.w.piece(self.n, c)?.place, false),
                }
            }
            B::Up => Datum::Bool(self.w.piece(self.n, first.thing()?)?.up),
            B::KeyOf => {
                let (u, n) = first.thing()?;
                match self.n.boards.contains_key(&u) {
                    true => Datum::Int(i64::from(n) + 1),
                    false => Datum::Int(i64::from(self.face_of(&first)?.1.key)),
                }
            }
            B::DieValue => Datum::Int(i64::from(self.side_of(&first)?.value)),
            B::Sides => self.sides(&first)?,
            B::NameOf => return unsupported("texts"),
            B::InZone | B::Run => return unsupported("this built-in"),
            // ── Maps
            B::DirectionSet(k) => {
                let u = self.n.universe(builtin_kinds::DIRECTION)?;
                let board = self.n.boards.values().next();
                let hexes = board.is_some_and(|b| matches!(b.shape, Shape::Hexes { .. }));
                let all: &[u32] = match (k, hexes) {
                    (0, false) => &[0, 2, 4, 6],
                    (1, false) => &[1, 3, 5, 7],
                    (_, false) => &[0, 1, 2, 3, 4, 5, 6, 7],
                    (1, true) => &[],
                    (_, true) => &[1, 2, 3, 5, 6, 7],
                };
                Datum::Set(all.iter().map(|d| Datum::Thing(u, *d)).collect())
            }
            B::Angle => {
                let board = self.n.maps.values().next().and_then(|u| self.n.boards.get(u));
                let angle = board.and_then(|b| b.angle(first.number().ok()?, arg(1).number().ok()?));
                match angle {
                    Some(n) => Datum::Int(n),
                    None => return unsupported("an angle between these"),
                }
            }
            B::LineSpaces => self.line_spaces(&first)?,
            B::RowOf | B::ColumnOf => self.rank(b == B::RowOf, &first, e)?,
            B::Lines => {
                let (u, board) = self.board_of(&e.ty)?;
                let lines = board.lines(first.int()?);
                let spaces = |l: Vec<u32>| Datum::List(l.into_iter().map(|c| Datum::Thing(u, c)).collect());
                Datum::List(lines.into_iter().map(spaces).collect())
            }
            B::Joined => {
                let (u, board) = self.board_of(&args[0].ty)?;
                let through = arg(2).items();
                let ends: Vec<Datum> = arg(1).items().into_iter().filter(|x| through.contains(x)).collect();
                let starts =
                    self.spaces(&first)?.into_iter().filter(|c| through.contains(&Datum::Thing(u, *c)));
                let starts: Vec<u32> = starts.collect();
                let reached = board.steps_from(&starts, |c| through.contains(&Datum::Thing(u, c)));
                Datum::Bool(reached.iter().any(|(c, _)| ends.contains(&Datum::Thing(u, *c))))
            }
            B::Reachable => {
                let (u, board) = self.board_of(&args[0].ty)?;
                let through = there(2).then(|| arg(2).items());
                let most = if there(1) { arg(1).int()? } else { i64::MAX };
                let may = |c: u32| through.as_ref().is_none_or(|s| s.contains(&Datum::Thing(u, c)));
                if first == Datum::None {
                    return fails(Failure::NoneValue);
                }
                let reached = board.steps_from(&self.spaces(&first)?, may);
                Datum::set(
                    reached
                        .iter()
                        .filter(|(_, n)| *n <= most.max(0))
                        .map(|(c, _)| Datum::Thing(u, *c))
                        .collect(),
                )
            }
            B::Distance => {
                let ((u, a), (_, to)) = (first.thing()?, arg(1).thing()?);
                let through = there(2).then(|| arg(2).items());
                let may = |c: u32| through.as_ref().is_none_or(|s| s.contains(&Datum::Thing(u, c)));
                let found = self.board(u)?.steps_from(&[a], may).into_iter().find(|(c, _)| *c == to);
                found.map_or(Datum::None, |(_, n)| Datum::Int(n))
            }
            B::DirectionOf => {
                let ((u, a), to) = (first.thing()?, arg(1).number()?);
                let way = self.board(u)?.direction(a, to);
                let directions = self.n.universe(builtin_kinds::DIRECTION)?;
                way.map_or(Datum::None, |d| Datum::Thing(directions, d))
            }
            B::Mirror => {
                let (u, c) = first.thing()?;
                self.board(u)?.mirror(c).map_or(Datum::None, |c| Datum::Thing(u, c))
            }
            // From nowhere nothing is seen.
            B::Neighbours | B::Ray | B::Rays | B::Fan | B::Slides | B::Leaps | B::Between => {
                if first == Datum::None || b == B::Between && !there(1) {
                    return Ok(if b == B::Ray { Datum::List(Vec::new()) } else { Datum::Set(Vec::new()) });
                }
                return self.seen_from(b, &given, e);
            }
            B::Paths => return unsupported("ways"),
        })
    }

    /// The space at which, or the player with whom a place is.
    fn lies_with(&self, place: u32, space: bool) -> Datum {
        let p = &self.n.p.places[place as usize];
        let who = if space { p.space } else { p.holder };
        let zone = self.n.p.zones.get(usize::from(p.zone));
        match (u32::try_from(who), zone.and_then(|z| z.of)) {
            (Ok(n), Some(u)) => Datum::Thing(u.0, n),
            _ => Datum::None,
        }
    }

    /// Whether a thing lies in some zone of a declaration, whoever's.
    fn in_zone(&self, args: &[Expr], f: &mut Frame) -> Result {
        let [c, z] = args else { return unsupported("this test of a zone") };
        let place = self.w.piece(self.n, self.eval(c, f)?.thing()?)?.place;
        let (ExprKind::PlaceOf(_, zone, _) | ExprKind::Zone(_, zone, _)) = &*z.kind else {
            return unsupported("this test of a zone");
        };
        Ok(Datum::Bool(self.n.zone_at(place) == Some(*zone)))
    }

    /// The numbers of spaces, of one or of several.
    fn spaces(&self, d: &Datum) -> Result<Vec<u32>> {
        d.items().iter().map(Datum::number).collect()
    }

    /// The map that a type's spaces are on.
    fn board_of(&self, ty: &Ty) -> Result<(u16, &Board)> {
        let element = |t: &Ty| match t {
            Ty::Set(t) | Ty::List(t) => (**t).clone(),
            t => types::plain(t),
        };
        match self.n.universe_of(&element(&element(ty))) {
            Some(u) => Ok((u, self.board(u)?)),
            None => unsupported("spaces of no map"),
        }
    }

    /// What is seen from a space.
    fn seen_from(&self, b: Builtin, given: &[Datum], e: &Expr) -> Result {
        use Builtin as B;
        let of = |i: usize| given.get(i).cloned().unwrap_or(Datum::None);
        let from = self.spaces(&of(0))?;
        let (u, board) = self.board_of(&e.ty)?;
        let c = from.first().copied().unwrap_or(u32::MAX);
        let list = |all: Vec<u32>| Datum::List(all.into_iter().map(|c| Datum::Thing(u, c)).collect());
        let set = |all: Vec<u32>| list(all).to_set();
        let ways = |i: usize| -> Result<Vec<u32>> { of(i).items().iter().map(Datum::number).collect() };
        Ok(match b {
            B::Neighbours => {
                let dirs = if of(1) == Datum::None { None } else { Some(ways(1)?) };
                let near = |c: &u32| match &dirs {
                    None => board.neighbours(*c),
                    Some(dirs) => dirs.iter().filter_map(|d| board.step(*c, *d)).collect(),
                };
                set(from.iter().flat_map(near).collect())
            }
            B::Ray => {
                if of(1) == Datum::None {
                    return fails(Failure::NoneValue);
                }
                let through = (of(2) != Datum::None).then(|| of(2).items());
                let most = if of(3) == Datum::None { i64::MAX } else { of(3).int()? };
                let may = |c: &u32| through.as_ref().is_none_or(|s| s.contains(&Datum::Thing(u, *c)));
                let most = usize::try_from(most.max(0)).unwrap_or(usize::MAX);
                list(board.ray(c, of(1).number()?).into_iter().take_while(may).take(most).collect())
            }
            B::Rays => {
                let all = board.directions().into_iter().map(|d| board.ray(c, d));
                Datum::List(all.filter(|r| !r.is_empty()).map(list).collect())
            }
            B::Fan => set(board.fan(c, of(1).number()?)),
            B::Leaps => set(board.leaps(c, of(1).int()?, of(2).int()?)),
            B::Between => set(board.between(c, of(1).number()?)),
            _ => {
                let free = |x: &u32| match of(2) {
                    Datum::None => !self.is_occupied(u, *x),
                    through => through.items().contains(&Datum::Thing(u, *x)),
                };
                let mut out = Vec::new();
                for d in ways(1)? {
                    let ray = board.ray(c, d);
                    let open = ray.iter().take_while(|x| free(x)).count();
                    // Up to and with the first that is in the way.
                    out.extend(ray.into_iter().take(open + 1));
                }
                set(out)
            }
        })
    }

    /// Whether a component lies on a space.
    fn is_occupied(&self, universe: u16, space: u32) -> bool {
        let places = self.n.p.places.iter().zip(&self.w.lying);
        let here = |p: &crate::program::ir::Place| {
            let of = self.n.p.zones.get(usize::from(p.zone)).and_then(|z| z.of);
            of.is_some_and(|u| u.0 == universe) && p.owner == space as i32
        };
        places.into_iter().any(|(p, lying)| here(p) && !lying.is_empty())
    }

    /// `run(r, P, until: Q)`: the beginning of a list that passes P, if what comes right behind passes Q.
    fn run(&self, args: &[Expr], f: &mut Frame) -> Result {
        let [list, passes, until] = args else { return unsupported("a run without its ends") };
        let (list, passes, until) =
            (self.many(list, f)?, self.eval(passes, f)?.items(), self.eval(until, f)?.items());
        let n = list.iter().take_while(|x| passes.contains(x)).count();
        let closed = list.get(n).is_some_and(|x| until.contains(x));
        Ok(Datum::List(if closed { list[..n].to_vec() } else { Vec::new() }))
    }

    /// The spaces of a row or column, from the west or from the south.
    fn line_spaces(&self, line: &Datum) -> Result {
        let (u, n) = line.thing()?;
        let kind = self.n.universes.iter().find(|(_, x)| **x == u).map(|(k, _)| *k);
        let Some(KindSort::Lines(map, sort)) = kind.map(|k| self.m().kinds[k.index()].sort.clone()) else {
            return unsupported("the spaces of what is no line");
        };
        let Some(spaces) = self.n.maps.get(&map) else {
            return unsupported("lines of a map that is not there");
        };
        Ok(Datum::List(self.on_line(*spaces, sort == LineSort::Row, i64::from(n))))
    }

    fn on_line(&self, u: u16, row: bool, n: i64) -> Vec<Datum> {
        let at = self.n.boards.get(&u).map_or(&[][..], |b| &b.at);
        let on = |(_, (c, r)): &(usize, &(i32, i32))| i64::from(if row { *r } else { *c }) == n;
        at.iter().enumerate().filter(on).map(|(i, _)| Datum::Thing(u, i as u32)).collect()
    }

    /// `row(n)`, `column(n)`, of one or several numbers from 1.
    fn rank(&self, row: bool, numbers: &Datum, e: &Expr) -> Result {
        let (u, _) = self.board_of(&e.ty)?;
        if *numbers == Datum::None {
            return fails(Failure::NoneValue);
        }
        let mut all = Vec::new();
        for n in numbers.items() {
            all.extend(self.on_line(u, row, n.int()? - 1));
        }
        Ok(Datum::set(all))
    }
}
