//! Constant tables of boards, by space: fans, leaps, spaces between two, mirrored spaces, angles.
use crate::analysis::expr_forms::without_as_set;
use crate::fn_builder::FnBuild;
use crate::ir::*;
use crate::layout::tables::{GridSort, Layout, Tables};
use houserule_model::body::{build, types};
use houserule_model::hir::*;
use rustc_hash::FxHashMap as HashMap;

/// The most words of a grid of all pairs of spaces; for larger maps the engine walks from space to space.
const MOST: usize = 1 << 17;

type Place = (i32, i32);

/// A map, while its grids are made.
pub struct Board {
    shape: Shape,
    at: Vec<Place>,
    by_place: HashMap<Place, u16>,
    n: usize,
    w: usize,
}

impl Board {
    fn space(&self, at: Place) -> Option<usize> {
        self.by_place.get(&at).map(|s| *s as usize)
    }

    /// The spaces that are `a` steps in one direction and `b` steps in the next direction to its side away, over edges and gaps.
    fn leaps(&self, c: usize, a: i64, b: i64) -> Vec<usize> {
        let Some(at) = self.at.get(c).copied() else { return Vec::new() };
        let ways = crate::layout::topology::side_directions(self.shape);
        let mut out = Vec::new();
        for (i, d) in ways.iter().enumerate() {
            let far = [(a, b), (b, a)];
            for (a, b) in far {
                // A line has no sides.
                let aside = if ways.len() > 2 { ways.get((i + 1) % ways.len()).copied() } else { None };
                let to =
                    crate::layout::topology::walk(self.shape, *d, a, at).and_then(|at| match (aside, b) {
                        (_, 0) => Some(at),
                        (Some(d), b) => crate::layout::topology::walk(self.shape, d, b, at),
                        (None, _) => None,
                    });
                out.extend(to.and_then(|at| self.space(at)).filter(|x| *x != c));
            }
        }
        out
    }
}

impl Layout<'_> {
    /// The declaration of a map.
    fn declaration_of(&self, map: MapIx) -> Option<&Map> {
        let (id, _) = self.map_ix.iter().find(|(_, ix)| **ix == map)?;
        self.m.maps.get(id.index())
    }

    /// Whether a space may be none: by its type, or because it is where a player stands who may not have been put anywhere yet.
    pub fn may_be_nowhere(&self, f: &FnBuild, c: &Expr) -> bool {
        let player_stands = match &*c.kind {
            ExprKind::Local(l) => f.maybe_players.contains(l),
            ExprKind::Attr(_, a) => types::standing(self.m) == Some(*a),
            _ => false,
        };
        types::is_maybe(&c.ty) || c.ty == Ty::None || player_stands
    }

    /// `straight`, `slant`, `all`, as bits: of the map whose spaces are given, or of the first. On hexes all directions are straight.
    pub fn directions(&self, k: u8, spaces: Option<&Expr>) -> u64 {
        let kind = spaces.and_then(|s| types::element(self.m, &s.ty));
        let map = match kind {
            Some(Ty::Of(k)) => self.m.maps.iter().find(|m| m.space == k),
            _ => self.m.maps.first(),
        };
        let hexes = matches!(map.map(|m| m.shape), Some(Shape::Hexes { .. }));
        match (k, hexes) {
            (0, false) => 0b0101_0101,
            (1, false) => 0b1010_1010,
            (_, false) => 0xff,
            (1, true) => 0,
            (_, true) => 0b1110_1110,
        }
    }
}

impl Tables<'_> {
    fn board_of(&self, map: MapIx) -> Option<Board> {
        let shape = self.declaration_of(map)?.shape;
        let t = self.p.maps.get(map.index())?;
        let at: Vec<Place> = t.at.iter().map(|(c, r)| (i32::from(*c), i32::from(*r))).collect();
        let by_place = at.iter().enumerate().map(|(i, at)| (*at, i as u16)).collect();
        let n = at.len();
        Some(Board { shape, at, by_place, n, w: n.div_ceil(64).max(1) })
    }

    /// The sets of a grid, row by row; `None` if they would take too many words.
    fn grid_sets(&self, map: MapIx, sort: GridSort) -> Option<(u32, Vec<u64>)> {
        let board = self.board_of(map)?;
        let t = self.p.maps.get(map.index())?;
        let (n, w) = (board.n, board.w);
        let rows = match sort {
            GridSort::Fan => 8,
            GridSort::Leaps(..) | GridSort::Near(_) => 1,
            GridSort::Between => n,
            GridSort::Rows | GridSort::Columns => 1,
        };
        let columns = match sort {
            GridSort::Rows => t.size.1 as usize + 1,
            GridSort::Columns => t.size.0 as usize + 1,
            _ => n,
        };
        if rows * columns * w > MOST {
            return None;
        }
        let mut words = vec![0u64; rows * columns * w];
        let mut put = |row: usize, column: usize, x: usize| {
            if let Some(word) = words.get_mut((row * columns + column) * w + x / 64) {
                *word |= 1 << (x % 64);
            }
        };
        match sort {
            GridSort::Fan => {
                for d in 0..8 {
                    for way in crate::layout::topology::fan(board.shape, d) {
                        for c in 0..n {
                            let to = t.succ.get(way * n + c).copied().unwrap_or(u16::MAX);
                            if to != u16::MAX {
                                put(d, c, to as usize);
                            }
                        }
                    }
                }
            }
            GridSort::Near(dirs) => {
                for way in (0..8).filter(|d| dirs >> d & 1 == 1) {
                    for c in 0..n {
                        let to = t.succ.get(way * n + c).copied().unwrap_or(u16::MAX);
                        if to != u16::MAX {
                            put(0, c, to as usize);
                        }
                    }
                }
            }
            GridSort::Leaps(a, b) => {
                for c in 0..n {
                    board.leaps(c, a, b).into_iter().for_each(|x| put(0, c, x));
                }
            }
            GridSort::Between => {
                for d in 0..8 {
                    for c in 0..n {
                        let Some((from, to)) = t.rays.get(d * n + c).copied() else { continue };
                        let ray = t.ray_list.get(from as usize..to as usize).unwrap_or(&[]);
                        for (k, goal) in ray.iter().enumerate() {
                            ray.iter().take(k).for_each(|x| put(*goal as usize, c, *x as usize));
                        }
                    }
                }
            }
            GridSort::Rows | GridSort::Columns => {
                for (x, at) in board.at.iter().enumerate() {
                    let k = if sort == GridSort::Rows { at.1 } else { at.0 };
                    put(0, usize::try_from(k).unwrap_or(0) + 1, x);
                }
            }
        }
        Some((columns as u32, words))
    }

    /// The grid of a built-in over a map, made at the first use; `None` if it would be too large.
    pub fn grid(&mut self, map: MapIx, sort: GridSort) -> Option<GridIx> {
        if let Some(t) = self.grids.get(&(map, sort)) {
            return Some(*t);
        }
        let (columns, words) = self.grid_sets(map, sort)?;
        let universe = self.p.maps.get(map.index())?.spaces;
        let w = self.set_words(universe);
        let rows = words.len() as u32 / columns.max(1) / u32::from(w);
        let at = self.p.sets.len() as u32;
        self.p.sets.extend(words);
        self.p.grids.push(Grid { universe, columns, rows, at, w });
        let ix = GridIx(self.p.grids.len() as u16 - 1);
        self.grids.insert((map, sort), ix);
        Some(ix)
    }

    /// Where the sets of neighbours in known directions begin in [`Program::sets`], by space.
    pub fn neighbour_sets_at(&mut self, map: MapIx, dirs: &Expr) -> Option<u32> {
        let u = self.universe_of(&dirs.ty, dirs.span);
        let words = self.constant_set(dirs, u, &[])?;
        let bits = u8::try_from(*words.first()?).ok()?;
        let t = self.grid(map, GridSort::Near(bits))?;
        self.p.grids.get(t.index()).map(|g| g.at)
    }

    /// The set of a grid at a known row and column.
    fn grid_words(&mut self, map: MapIx, sort: GridSort, row: i64, column: i64) -> Option<Vec<u64>> {
        let g = self.grid(map, sort)?;
        let g = self.p.grids.get(g.index())?;
        let (i, j) = (u32::try_from(column).ok()?, u32::try_from(row).ok()?);
        if i >= g.columns || j >= g.rows {
            return None;
        }
        let at = g.at as usize + (j as usize * g.columns as usize + i as usize) * g.w as usize;
        self.p.sets.get(at..at + g.w as usize).map(<[u64]>::to_vec)
    }

    /// The set of spaces that a built-in gives for known arguments.
    pub fn constant_spaces(
        &mut self,
        b: Builtin,
        args: &[Expr],
        u: UniverseId,
        names: &[(LocalId, i64)],
    ) -> Option<Vec<u64>> {
        use Builtin as B;
        let Some(UniverseSort::Spaces(Some(map))) = self.p.universes.get(u.index()).map(|u| u.sort.clone())
        else {
            return None;
        };
        let first = args.first()?;
        let int = |s: &mut Self, i: usize| s.constant_with(args.get(i)?, names).int();
        // If the space is none, the set is empty.
        if matches!(b, B::Fan | B::Leaps | B::Between | B::Neighbours)
            && !matches!(first.ty, Ty::Set(_) | Ty::List(_))
            && (int(self, 0)? == NONE || b == B::Between && int(self, 1)? == NONE)
        {
            return Some(vec![0; self.set_words(u) as usize]);
        }
        match b {
            B::Fan => {
                let (c, d) = (int(self, 0)?, int(self, 1)?);
                self.grid_words(map, GridSort::Fan, d, c)
            }
            B::Leaps => {
                let (c, a, b) = (int(self, 0)?, int(self, 1)?, int(self, 2)?);
                self.grid_words(map, GridSort::Leaps(a, b), 0, c)
            }
            B::Between => {
                let (c, d) = (int(self, 0)?, int(self, 1)?);
                self.grid_words(map, GridSort::Between, d, c)
            }
            B::RowOf | B::ColumnOf => {
                let sort = if b == B::RowOf { GridSort::Rows } else { GridSort::Columns };
                let numbers: Vec<i64> = match &*without_as_set(first).kind {
                    ExprKind::Range(a, b) => {
                        let a = self.constant_with(a, names).int()?;
                        let b = self.constant_with(b, names).int()?;
                        (a..=b.min(a.saturating_add(1024))).collect()
                    }
                    ExprKind::Set(all) | ExprKind::List(all) => {
                        let all = all.iter().map(|x| self.constant_with(x, names).int());
                        all.collect::<Option<_>>()?
                    }
                    _ => vec![self.constant_with(without_as_set(first), names).int()?],
                };
                let mut out = vec![0u64; self.set_words(u) as usize];
                for k in numbers {
                    let words = self.grid_words(map, sort, 0, k)?;
                    out.iter_mut().zip(words).for_each(|(a, b)| *a |= b);
                }
                Some(out)
            }
            B::Neighbours
                if !matches!(first.ty, Ty::Set(_) | Ty::List(_))
                    && args.get(1).is_none_or(|d| matches!(&*d.kind, ExprKind::None)) =>
            {
                let c = usize::try_from(int(self, 0)?).ok()?;
                let w = self.set_words(u) as usize;
                let t = self.p.maps.get(map.index())?;
                t.neighbours.get(c * w..c * w + w).map(<[u64]>::to_vec)
            }
            _ => None,
        }
    }

    /// The expression for the spaces of a universe without components.
    pub fn empty_spaces(&mut self, u: UniverseId, at: &Expr) -> Expr {
        let m = self.m;
        let kind = types::element(m, &at.ty).map(|t| types::plain(&t));
        let Some(Ty::Of(k)) = kind else { return at.clone() };
        let it = LocalId(u32::MAX);
        let span = at.span;
        let expr = |ty: Ty, kind: ExprKind| build::expr(ty, span, kind);
        let own = expr(Ty::Of(k), ExprKind::Local(it));
        let mut test: Option<Expr> = None;
        for (i, z) in m.zones.iter().enumerate() {
            let Some(holds) = z.holds.first().copied() else { continue };
            if z.of != Some(k) || !self.set.has(z.scope) {
                continue;
            }
            if z.index.is_some() {
                self.report_unsupported(
                    span,
                    "whether anything lies in zones of a family: write what is free with `through:`",
                );
            }
            let id = ZoneId(i as u32);
            let thing = Ty::Of(holds);
            let ty = if z.slot { Ty::Maybe(Box::new(thing)) } else { Ty::Set(Box::new(thing)) };
            let zone = expr(ty, ExprKind::Zone(Some(own.clone()), id, None));
            let empty = if z.slot {
                expr(Ty::Bool, ExprKind::Not(expr(Ty::Bool, ExprKind::IsSome(zone))))
            } else {
                expr(Ty::Bool, ExprKind::IsEmpty(zone))
            };
            test = Some(match test {
                None => empty,
                Some(t) => expr(Ty::Bool, ExprKind::And(t, empty)),
            });
        }
        let _ = u;
        let all = expr(at.ty.clone(), ExprKind::All(k));
        match test {
            None => all,
            Some(t) => expr(at.ty.clone(), ExprKind::Where(all, it, t)),
        }
    }

    /// The table of a built-in by space, or by a direction and another number: [`Tables::turns_of`] times the direction plus the number.
    pub fn map_table(&mut self, map: MapIx, b: Builtin) -> Option<TableIx> {
        if let Some(t) = self.map_numbers.get(&(map, b)) {
            return Some(*t);
        }
        let board = self.board_of(map)?;
        let universe = self.p.maps.get(map.index())?.spaces;
        let shape = board.shape;
        let n = crate::layout::topology::full_turns(shape);
        let pairs =
            |n, value: &dyn Fn(usize, usize) -> i32| (0..8 * n).map(|i| value(i / n, i % n)).collect();
        let (name, values): (&str, Vec<i32>) = match b {
            Builtin::Angle => ("angle", pairs(8, &|d, e| crate::layout::topology::angle(shape, d, e))),
            Builtin::TurnOf => ("turn", pairs(n, &|d, n| crate::layout::topology::turn(shape, d, n) as i32)),
            Builtin::RowNumber => ("row", board.at.iter().map(|(_, row)| row + 1).collect()),
            Builtin::ColumnNumber => ("column", board.at.iter().map(|(column, _)| column + 1).collect()),
            Builtin::Mirror => {
                let mirrored = board.at.iter().map(|(c, r)| board.space((*r, *c)));
                ("mirror", mirrored.map(|s| s.map_or(NONE as i32, |s| s as i32)).collect())
            }
            _ => return None,
        };
        let t = self.add_table(&name.into(), universe, values);
        self.map_numbers.insert((map, b), t);
        Some(t)
    }

    /// A built-in of a space or of directions, for known arguments.
    pub fn constant_of_map(&mut self, b: Builtin, args: &[Expr], at: &[i64]) -> Option<i64> {
        let direction = |d: i64| (0..8).contains(&d).then_some(d);
        if b == Builtin::Opposite {
            return Some((direction(*at.first()?)? + 4) % 8);
        }
        let map = self.map_of_builtin(b, args)?;
        let i = match (b, at) {
            (Builtin::Angle, [d, e]) => direction(*d)? * 8 + direction(*e)?,
            (Builtin::TurnOf, [d, n]) => {
                let turns = self.turns_of(map)?;
                direction(*d)? * turns + n.rem_euclid(turns)
            }
            (_, [c]) => *c,
            _ => return None,
        };
        let t = self.map_table(map, b)?;
        let x = self.p.tables.get(t.index())?.values.get(usize::try_from(i).ok()?)?;
        Some(i64::from(*x))
    }

    /// After how many turns each direction of a map comes back.
    pub fn turns_of(&self, map: MapIx) -> Option<i64> {
        Some(crate::layout::topology::full_turns(self.declaration_of(map)?.shape) as i64)
    }

    /// The map of a built-in: that of its space or, for directions, the map that is named behind `of`, or the first of the game.
    pub fn map_of_builtin(&mut self, b: Builtin, args: &[Expr]) -> Option<MapIx> {
        let of = match b {
            Builtin::Angle | Builtin::TurnOf => args.get(2),
            _ => args.first(),
        };
        match of {
            Some(c) => Some(MapIx(u16::from(self.map_of(&c.ty, c.span).0))),
            None => self.map_ix.values().copied().min(),
        }
    }
}
