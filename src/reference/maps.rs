//! Built-in values of maps (maps.md).
use super::expr::Evaluator;
use super::geometry::Board;
use super::value::{Datum, Failure, Result, fails, known, unsupported};
use crate::model::hir::*;

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

    /// The map that a type's spaces are on.
    fn board_of(&self, ty: &Ty) -> Result<(u16, &'a Board)> {
        let u = known(self.n.universe_of(ty), "spaces of no map")?;
        Ok((u, self.board(u)?))
    }

    /// A built-in of maps. From nowhere nothing is seen, and no way leads.
    #[allow(clippy::too_many_lines)] // One arm a built-in.
    pub(super) fn of_maps(&self, b: Builtin, given: &[Datum], args: &[Expr], e: &Expr) -> Result {
        use Builtin as B;
        let arg = |i: usize| given.get(i).unwrap_or(&Datum::None);
        let nowhere = *arg(0) == Datum::None;
        let direction = |d: u32| self.n.thing(builtin_kinds::DIRECTION, d);
        if let B::DirectionSet(k) = b {
            let hexes = self.n.boards.values().next().is_some_and(|b| matches!(b.shape, Shape::Hexes { .. }));
            let all: &[u32] = match (k, hexes) {
                (0, false) => &[0, 2, 4, 6],
                (1, false) => &[1, 3, 5, 7],
                (_, false) => &[0, 1, 2, 3, 4, 5, 6, 7],
                (1, true) => &[],
                (_, true) => &[1, 2, 3, 5, 6, 7],
            };
            return Ok(Datum::Set(all.iter().map(|d| direction(*d)).collect::<Result<Vec<Datum>>>()?));
        }
        if b == B::LineSpaces {
            return self.line_spaces(arg(0));
        }
        // The map of the spaces that come out, or else of those that are given; of directions alone the first.
        let given_type = args.first().map_or(&e.ty, |a| &a.ty);
        let (u, board) = match (b, self.n.maps.values().next()) {
            (B::Angle, Some(u)) => (*u, self.board(*u)?),
            _ => self.board_of(&e.ty).or_else(|_| self.board_of(given_type))?,
        };
        let place = |c: Option<u32>| c.map_or(Datum::None, |c| Datum::Thing(u, c));
        Ok(match b {
            B::Angle => {
                let n = board.angle(arg(0).number()?, arg(1).number()?);
                Datum::Int(known(n, "an angle between these")?)
            }
            B::RowOf | B::ColumnOf if nowhere => return fails(Failure::NoneValue),
            B::RowOf | B::ColumnOf => {
                let mut all = Vec::new();
                for n in arg(0).items() {
                    all.extend(board.line(b == B::RowOf, n.int()? - 1));
                }
                list(u, all).to_set()
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
                let most = if *arg(1) == Datum::None { i64::MAX } else { arg(1).int()?.max(0) };
                let reached = board.steps_from(&numbers(arg(0))?, |c| may_pass(arg(2), u, c));
                let near = reached.into_iter().filter(|(_, n)| *n <= most);
                list(u, near.map(|(c, _)| c).collect()).to_set()
            }
            B::Distance | B::DirectionOf if nowhere || *arg(1) == Datum::None => Datum::None,
            B::Distance => {
                let (from, to) = (arg(0).number()?, arg(1).number()?);
                let reached = board.steps_from(&[from], |c| may_pass(arg(2), u, c));
                let found = reached.into_iter().find(|(c, _)| *c == to);
                found.map_or(Datum::None, |(_, n)| Datum::Int(n))
            }
            B::DirectionOf => match board.direction(arg(0).number()?, arg(1).number()?) {
                Some(d) => direction(d)?,
                None => Datum::None,
            },
            B::Mirror => place(board.mirror(arg(0).number()?)),
            B::Ray | B::Run if nowhere => Datum::List(Vec::new()),
            B::Ray => {
                let most = if *arg(3) == Datum::None { i64::MAX } else { arg(3).int()? };
                let most = usize::try_from(most.max(0)).unwrap_or(usize::MAX);
                let ray = board.ray(arg(0).number()?, arg(1).number()?);
                list(u, ray.into_iter().take_while(|c| may_pass(arg(2), u, *c)).take(most).collect())
            }
            // The beginning of a list that passes one set, if what comes right behind passes the other.
            B::Run => {
                let list = arg(0).items();
                let n = list.iter().take_while(|x| arg(1).items().contains(x)).count();
                let closed = list.get(n).is_some_and(|x| arg(2).items().contains(x));
                Datum::List(if closed { list[..n].to_vec() } else { Vec::new() })
            }
            B::Neighbours | B::Rays | B::Fan | B::Slides | B::Leaps | B::Between if nowhere => {
                Datum::Set(Vec::new())
            }
            B::Between if *arg(1) == Datum::None => Datum::Set(Vec::new()),
            B::Neighbours => {
                let ways = numbers(arg(1))?;
                let near = |c: u32| match arg(1) {
                    Datum::None => board.neighbours(c),
                    _ => ways.iter().filter_map(|d| board.step(c, *d)).collect(),
                };
                list(u, numbers(arg(0))?.into_iter().flat_map(near).collect()).to_set()
            }
            B::Rays => {
                let c = arg(0).number()?;
                let all = board.directions().into_iter().map(|d| board.ray(c, d));
                Datum::List(all.filter(|r| !r.is_empty()).map(|r| list(u, r)).collect())
            }
            B::Fan => list(u, board.fan(arg(0).number()?, arg(1).number()?)).to_set(),
            B::Leaps => list(u, board.leaps(arg(0).number()?, arg(1).int()?, arg(2).int()?)).to_set(),
            B::Between => list(u, board.between(arg(0).number()?, arg(1).number()?)).to_set(),
            // Up to and with the first that is in the way: one that may not be passed, or else one on which something lies.
            B::Slides => {
                let free = |c: &u32| match arg(2) {
                    Datum::None => !self.is_occupied(u, *c),
                    through => may_pass(through, u, *c),
                };
                let mut out = Vec::new();
                for d in numbers(arg(1))? {
                    let ray = board.ray(arg(0).number()?, d);
                    let open = ray.iter().take_while(|c| free(c)).count();
                    out.extend(ray.into_iter().take(open + 1));
                }
                list(u, out).to_set()
            }
            B::Paths if nowhere || *arg(1) == Datum::None => Datum::List(Vec::new()),
            B::Paths => {
                let most = if *arg(2) == Datum::None { 64 } else { arg(2).int()?.max(0) };
                let (from, to) = (arg(0).number()?, arg(1).number()?);
                if most > 8 && board.count() > 12 {
                    return unsupported("so long ways");
                }
                let walks = board.walks(&mut vec![from], to, most, &|c| may_pass(arg(3), u, c));
                let passed = |walk: Vec<u32>| {
                    let all = walk.into_iter().skip(1).filter(|c| may_pass(arg(4), u, *c));
                    list(u, all.collect()).to_set()
                };
                Datum::set(known(walks, "so many ways")?.into_iter().map(passed).collect())
            }
            _ => return unsupported("this built-in"),
        })
    }

    /// Whether a component lies on a space.
    fn is_occupied(&self, universe: u16, space: u32) -> bool {
        (0..self.w.lying.len() as u32).any(|at| {
            let (place, zone) = self.n.at(at);
            let of = zone.and_then(|z| z.of);
            of.is_some_and(|u| u.0 == universe)
                && place.owner == space as i32
                && !self.lying_at(at).is_empty()
        })
    }

    /// The spaces of a row or column, from the west or from the south.
    fn line_spaces(&self, line: &Datum) -> Result {
        let (u, n) = line.thing()?;
        let kind = self.n.universes.iter().find(|(_, x)| **x == u).map(|(k, _)| *k);
        let Some(KindSort::Lines(map, sort)) = kind.map(|k| self.m().kinds[k.index()].sort.clone()) else {
            return unsupported("the spaces of what is no line");
        };
        let spaces = known(self.n.maps.get(&map), "lines of a map that is not there")?;
        Ok(list(*spaces, self.board(*spaces)?.line(sort == LineSort::Row, i64::from(n))))
    }
}
