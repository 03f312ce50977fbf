//! Built-in values of maps (maps.md).
use super::*;

/// The kind of the things in sets and lists of a type.
fn kind_within(ty: &Ty) -> Option<KindId> {
    if let Ty::Set(t) | Ty::List(t) = types::plain(ty) {
        kind_within(&t)
    } else {
        types::kinds_of(ty).first().copied()
    }
}

/// Whether a space is among those that may be passed: all, where none are named.
fn may_pass(through: &Datum, c: &Datum) -> bool {
    *through == Datum::None || through.items().contains(c)
}

/// What a space costs: the sets hold those that cost 1, 2, 3 …
fn paid_for(sets: &[Datum], c: &Datum) -> Option<i64> {
    (1..).zip(sets).find(|(_, s)| s.items().contains(c)).map(|(n, _)| n)
}

impl<'a> Evaluator<'a> {
    /// The map of a table of spaces.
    pub fn board(&self, universe: u16) -> Result<&'a Board> {
        known(self.n.boards.get(&universe), "spaces off any map")
    }

    /// A built-in of maps.
    #[allow(clippy::too_many_lines)] // One arm a built-in.
    pub(super) fn of_maps(&self, b: Builtin, given: &[Datum], args: &[Expr], e: &Expr) -> Result {
        use Builtin as B;
        let arg = |i: usize| given.get(i).unwrap_or(&Datum::None);
        let dir = |i: usize| arg(i).number();
        let dirs = |i: usize| arg(i).items().iter().map(Datum::number).collect::<Result<Vec<u32>>>();
        let most =
            |i: usize, all: i64| if *arg(i) == Datum::None { Ok(all) } else { Ok(arg(i).int()?.max(0)) };
        let direction = |d: u32| self.n.thing(builtin_kinds::DIRECTION, d);
        // The map of the spaces that come out, or else of those that are given; of directions and lines alone the first.
        let map_of = |ty: &Ty| self.n.boards.get(self.n.universes.get(&kind_within(ty)?)?);
        let map = map_of(&e.ty).or_else(|| map_of(&args.first()?.ty)).or_else(|| map_of(&args.get(2)?.ty));
        let board = known(map.or(self.n.boards.values().next()), "spaces of no map")?;
        Ok(match b {
            B::DirectionSet(k) => {
                let hexes = matches!(board.shape, Shape::Hexes { .. });
                let on_hexes = |d: &u32| k != 1 && !d.is_multiple_of(4);
                let is = |d: &u32| if hexes { on_hexes(d) } else { k > 1 || d % 2 == u32::from(k) };
                Datum::Set((0..8).filter(is).map(direction).collect::<Result<Vec<Datum>>>()?)
            }
            // The spaces of a row or column, from the west or from the south.
            B::LineSpaces => {
                let kind = kind_within(&args[0].ty).map(|k| &self.m.kinds[k.index()].sort);
                let row = matches!(kind, Some(KindSort::Lines(_, LineSort::Row)));
                Datum::List(board.line(row, i64::from(dir(0)?)))
            }
            B::Opposite => direction((dir(0)? + 4) % 8)?,
            B::TurnOf => direction(board.turn(dir(0)?, arg(1).int()?))?,
            B::Angle => Datum::Int(known(board.angle(dir(0)?, dir(1)?), "an angle between these")?),
            B::RowOf | B::ColumnOf => {
                let numbers = arg(0).there()?.items().iter().map(Datum::int).collect::<Result<Vec<i64>>>()?;
                Datum::set(numbers.into_iter().flat_map(|n| board.line(b == B::RowOf, n - 1)))
            }
            B::Lines => Datum::List(board.lines(arg(0).int()?).into_iter().map(Datum::List).collect()),
            B::Joined => {
                let through = |c: &Datum| arg(2).items().contains(c);
                let starts = arg(0).items().into_iter().filter(through).collect();
                let ends = arg(1).items();
                let reached = board.costs_from(starts, &|c| through(c).then_some(1));
                Datum::Bool(reached.keys().any(|c| ends.contains(c)))
            }
            B::Reachable | B::Distance | B::CostReachable | B::CostDistance => {
                let by_cost = matches!(b, B::CostReachable | B::CostDistance);
                let cost = |c: &Datum| match by_cost {
                    true => paid_for(&given[2..], c),
                    false => may_pass(arg(2), c).then_some(1),
                };
                let reached = board.costs_from(arg(0).items(), &cost);
                if matches!(b, B::Distance | B::CostDistance) {
                    return Ok(reached.get(arg(1)).map_or(Datum::None, |n| Datum::Int(*n)));
                }
                let most = most(1, i64::MAX)?;
                Datum::set(reached.into_iter().filter(|(_, n)| *n <= most).map(|(c, _)| c))
            }
            B::DirectionOf => board.direction(arg(0), arg(1)).map_or(Ok(Datum::None), direction)?,
            B::Mirror | B::RowNumber | B::ColumnNumber => {
                let (column, row) = *known(board.at.get(arg(0).there()?), "a space off its map")?;
                let mirrored = || board.spaces.get(&(row, column)).cloned().unwrap_or_default();
                let number = i64::from(if b == B::RowNumber { row } else { column }) + 1;
                if b == B::Mirror { mirrored() } else { Datum::Int(number) }
            }
            B::Ray => {
                let ray = board.ray(arg(0), dir(1)?).into_iter().take_while(|c| may_pass(arg(2), c));
                Datum::List(ray.take(most(3, i64::MAX)? as usize).collect())
            }
            // The beginning of a list that passes one set, if what comes right behind passes the other.
            B::Run => {
                let list = arg(0).items();
                let n = list.iter().take_while(|x| arg(1).items().contains(x)).count();
                let closed = list.get(n).is_some_and(|x| arg(2).items().contains(x));
                Datum::List(if closed { list[..n].to_vec() } else { Vec::new() })
            }
            B::Neighbours => {
                let ways = dirs(1)?;
                let near = |c: Datum| match arg(1) {
                    Datum::None => board.neighbours(&c),
                    _ => ways.iter().filter_map(|d| board.step(&c, *d)).collect(),
                };
                Datum::set(arg(0).items().into_iter().flat_map(near))
            }
            B::Rays => {
                let all = board.directions().into_iter().map(|d| board.ray(arg(0), d));
                Datum::List(all.filter(|r| !r.is_empty()).map(Datum::List).collect())
            }
            B::Fan => Datum::set(board.fan(arg(0), dir(1)?)),
            B::Leaps => Datum::set(board.leaps(arg(0), arg(1).int()?, arg(2).int()?)),
            B::Between => Datum::set(board.between(arg(0), arg(1))),
            // Up to and with the first that is in the way: one that may not be passed, or else one on which something lies.
            B::Slides => {
                let space = |x: &Piece| &self.n.places[x.place as usize].space;
                let occupied = |c: &Datum| self.w.pieces.values().any(|x| space(x) == c);
                let free = |c: &Datum| match arg(2) {
                    Datum::None => !occupied(c),
                    through => may_pass(through, c),
                };
                let slide = |d: u32| {
                    let ray = board.ray(arg(0), d);
                    let open = ray.iter().take_while(|c| free(c)).count();
                    ray.into_iter().take(open + 1)
                };
                Datum::set(dirs(1)?.into_iter().flat_map(slide))
            }
            B::Paths if *arg(0) == Datum::None || *arg(1) == Datum::None => Datum::Set(Vec::new()),
            B::Paths => {
                let most = most(2, 64)?;
                covers(most <= 8 || board.at.len() <= 12, "so long ways")?;
                let cost = |c: &Datum| match &given[5..] {
                    [] => may_pass(arg(3), c).then_some(1),
                    sets => paid_for(sets, c),
                };
                let walks = board.walks(&arg(0).items(), arg(1), most, &cost);
                let passed =
                    |walk: Vec<Datum>| Datum::set(walk.into_iter().skip(1).filter(|c| may_pass(arg(4), c)));
                Datum::set(known(walks, "so many ways")?.into_iter().map(passed))
            }
            _ => return unsupported("this built-in"),
        })
    }
}
