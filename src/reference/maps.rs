//! Built-in values of maps (maps.md).
use super::*;

/// Spaces of a map in an order.
fn list(u: u16, all: Vec<u32>) -> Datum {
    Datum::List(all.into_iter().map(|c| Datum::Thing(u, c)).collect())
}

/// The numbers of one thing or of several.
fn numbers(d: &Datum) -> Result<Vec<u32>> {
    d.items().iter().map(Datum::number).collect()
}

/// Whether a space is among those that may be passed: all, where none are named.
fn may_pass(through: &Datum, u: u16, c: u32) -> bool {
    *through == Datum::None || through.items().contains(&Datum::Thing(u, c))
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
        let at = |i: usize| arg(i).number();
        let most =
            |i: usize, all: i64| if *arg(i) == Datum::None { Ok(all) } else { Ok(arg(i).int()?.max(0)) };
        let direction = |d: u32| self.n.thing(builtin_kinds::DIRECTION, d);
        // From nowhere nothing is seen, and no way leads.
        let two = matches!(b, B::Distance | B::DirectionOf | B::Between | B::Paths);
        let one = matches!(b, B::Ray | B::Rays | B::Fan | B::Slides | B::Leaps);
        if (one || two) && *arg(0) == Datum::None || two && *arg(1) == Datum::None {
            let none = matches!(b, B::Distance | B::DirectionOf);
            return Ok(if none { Datum::None } else { Datum::List(Vec::new()) });
        }
        // The map of the spaces that come out, or else of those that are given; of directions and lines alone the first.
        let given_type = args.first().map_or(&e.ty, |a| &a.ty);
        let of_spaces = self.n.universe_of(&e.ty).filter(|u| self.n.boards.contains_key(u));
        let of_spaces =
            of_spaces.or(self.n.universe_of(given_type).filter(|u| self.n.boards.contains_key(u)));
        let first = self.n.boards.keys().next().copied();
        let u = known(of_spaces.or(first), "spaces of no map")?;
        let board = self.board(u)?;
        let set = |all: Vec<u32>| list(u, all).to_set();
        Ok(match b {
            B::DirectionSet(k) => {
                let hexes = matches!(board.shape, Shape::Hexes { .. });
                let is = |d: &u32| match k {
                    _ if hexes => k != 1 && !d.is_multiple_of(4),
                    0 => d.is_multiple_of(2),
                    1 => !d.is_multiple_of(2),
                    _ => true,
                };
                Datum::Set((0..8).filter(is).map(direction).collect::<Result<Vec<Datum>>>()?)
            }
            B::LineSpaces => return self.line_spaces(arg(0)),
            B::Angle => Datum::Int(known(board.angle(at(0)?, at(1)?), "an angle between these")?),
            B::RowOf | B::ColumnOf if *arg(0) == Datum::None => return Err(Stop::Nothing),
            B::RowOf | B::ColumnOf => {
                let mut all = Vec::new();
                for n in arg(0).items() {
                    all.extend(board.line(b == B::RowOf, n.int()? - 1));
                }
                set(all)
            }
            B::Lines => {
                let lines = board.lines(arg(0).int()?);
                Datum::List(lines.into_iter().map(|l| list(u, l)).collect())
            }
            B::Joined => {
                let through = |c: u32| arg(2).items().contains(&Datum::Thing(u, c));
                let starts = numbers(arg(0))?.into_iter().filter(|c| through(*c)).collect::<Vec<u32>>();
                let reached = board.steps_from(&starts, through);
                let ends = numbers(arg(1))?;
                Datum::Bool(reached.iter().any(|(c, _)| ends.contains(c)))
            }
            B::Reachable => {
                let most = most(1, i64::MAX)?;
                let reached = board.steps_from(&numbers(arg(0))?, |c| may_pass(arg(2), u, c));
                set(reached.into_iter().filter(|(_, n)| *n <= most).map(|(c, _)| c).collect())
            }
            B::Distance => {
                let (from, to) = (at(0)?, at(1)?);
                let reached = board.steps_from(&[from], |c| may_pass(arg(2), u, c));
                let found = reached.into_iter().find(|(c, _)| *c == to);
                found.map_or(Datum::None, |(_, n)| Datum::Int(n))
            }
            B::DirectionOf => {
                board.direction(at(0)?, at(1)?).map(direction).transpose()?.unwrap_or(Datum::None)
            }
            B::Mirror => board.mirror(at(0)?).map_or(Datum::None, |c| Datum::Thing(u, c)),
            B::Ray => {
                let most = usize::try_from(most(3, i64::MAX)?).unwrap_or(usize::MAX);
                let ray = board.ray(at(0)?, at(1)?).into_iter();
                list(u, ray.take_while(|c| may_pass(arg(2), u, *c)).take(most).collect())
            }
            // The beginning of a list that passes one set, if what comes right behind passes the other.
            B::Run => {
                let list = arg(0).items();
                let n = list.iter().take_while(|x| arg(1).items().contains(x)).count();
                let closed = list.get(n).is_some_and(|x| arg(2).items().contains(x));
                Datum::List(if closed { list[..n].to_vec() } else { Vec::new() })
            }
            B::Neighbours => {
                let ways = numbers(arg(1))?;
                let near = |c: u32| match arg(1) {
                    Datum::None => board.neighbours(c),
                    _ => ways.iter().filter_map(|d| board.step(c, *d)).collect(),
                };
                set(numbers(arg(0))?.into_iter().flat_map(near).collect())
            }
            B::Rays => {
                let c = at(0)?;
                let all = board.directions().into_iter().map(|d| board.ray(c, d));
                Datum::List(all.filter(|r| !r.is_empty()).map(|r| list(u, r)).collect())
            }
            B::Fan => set(board.fan(at(0)?, at(1)?)),
            B::Leaps => set(board.leaps(at(0)?, arg(1).int()?, arg(2).int()?)),
            B::Between => set(board.between(at(0)?, at(1)?)),
            // Up to and with the first that is in the way: one that may not be passed, or else one on which something lies.
            B::Slides => {
                let free = |c: &u32| match arg(2) {
                    Datum::None => !self.is_occupied(u, *c),
                    through => may_pass(through, u, *c),
                };
                let mut out = Vec::new();
                for d in numbers(arg(1))? {
                    let ray = board.ray(at(0)?, d);
                    let open = ray.iter().take_while(|c| free(c)).count();
                    out.extend(ray.into_iter().take(open + 1));
                }
                set(out)
            }
            B::Paths => {
                let (from, to, most) = (at(0)?, at(1)?, most(2, 64)?);
                if most > 8 && board.at.len() > 12 {
                    return unsupported("so long ways");
                }
                let walks = board.walks(&[from], to, most, &|c| may_pass(arg(3), u, c));
                let passed = |walk: Vec<u32>| {
                    set(walk.into_iter().skip(1).filter(|c| may_pass(arg(4), u, *c)).collect())
                };
                Datum::set(known(walks, "so many ways")?.into_iter().map(passed).collect())
            }
            _ => return unsupported("this built-in"),
        })
    }

    /// Whether a component lies on a space.
    fn is_occupied(&self, universe: u16, space: u32) -> bool {
        self.w.pieces.values().any(|piece| {
            let (place, zone) = self.n.at(piece.place);
            let of = zone.and_then(|z| z.of);
            of.is_some_and(|u| u.0 == universe) && place.owner == space as i32
        })
    }

    /// The spaces of a row or column, from the west or from the south.
    fn line_spaces(&self, line: &Datum) -> Result {
        let (u, n) = line.thing()?;
        let kind = self.n.universes.iter().find(|(_, x)| **x == u).map(|(k, _)| *k);
        let Some(KindSort::Lines(map, sort)) = kind.map(|k| self.m.kinds[k.index()].sort.clone()) else {
            return unsupported("the spaces of what is no line");
        };
        let spaces = self.n.universe(self.m.maps[map.index()].space)?;
        Ok(list(spaces, self.board(spaces)?.line(sort == LineSort::Row, i64::from(n))))
    }
}
