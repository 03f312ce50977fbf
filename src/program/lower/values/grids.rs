//! Lowers built-ins about boards to lookups in the tables by space of `index/grids.rs`.
use crate::fn_builder::{FnBuild, Label};
use crate::ir::*;
use crate::layout::tables::GridSort;
use crate::lower::Lower;
use houserule_model::body::types;
use houserule_model::hir::*;

impl Lower<'_> {
    /// Emits `fan`, `leaps`, `between`, `slides`; returns whether the built-in is one of them.
    pub fn board_set_into(&mut self, f: &mut FnBuild, e: &Expr, u: UniverseId, d: R) {
        use Builtin as B;
        let ExprKind::Builtin(b, args) = &*e.kind else { return };
        let w = self.set_words(u);
        let Some(c) = args.first() else { return };
        let (m, _) = self.map_of(&c.ty, c.span);
        let map = MapIx(u16::from(m));
        let end = f.new_label();
        let c = self.space_or_empty(f, c, w, d, end);
        match b {
            B::Fan => match self.grid(map, GridSort::Fan) {
                Some(t) => self.grid_into(f, t, c, &args[1], d),
                None => self.report_unsupported(e.span, "fans on so large a map"),
            },
            B::Leaps => {
                let (x, y) = (self.constant_int(&args[1]), self.constant_int(&args[2]));
                match self.grid(map, GridSort::Leaps(x, y)).and_then(|t| self.p.grids.get(t.index())) {
                    Some(g) => f.emit(Ins::SConstI { d, i: c, w, k: g.at }),
                    None => self.report_unsupported(e.span, "leaps on so large a map"),
                }
            }
            B::Between => {
                let (a, b) = (c, self.space_or_empty(f, &args[1], w, d, end));
                if let Some(t) = self.grid(map, GridSort::Between) {
                    f.emit(Ins::SGrid { d, i: a, j: b, t });
                    f.place_label(end);
                    return;
                }
                // The map is too large for a grid of all pairs: walks from one space towards the other.
                let (way, at, t) = (f.alloc(1), f.alloc(1), f.alloc(1));
                let top = f.new_label();
                f.emit(Ins::SZero { d, w });
                f.emit(Ins::DirOf { d: way, a, b, m });
                f.jnone(way, end);
                f.emit(Ins::Mov { d: at, a });
                f.place_label(top);
                f.emit(Ins::StepC { d: at, c: at, r: way, m });
                f.emit(Ins::Eq { d: t, a: at, b });
                f.jnz(t, end);
                f.emit(Ins::SIns { d, i: at, w });
                f.jmp(top);
            }
            _ => {
                let du = self.universe_of(&args[1].ty, args[1].span);
                let r = self.set_reg(f, &args[1], du);
                let s = match args.get(2).filter(|t| !matches!(&*t.kind, ExprKind::None)) {
                    Some(t) => self.set_reg(f, t, u),
                    None => {
                        let free = self.empty_spaces(u, e);
                        self.set_reg(f, &free, u)
                    }
                };
                f.emit(Ins::Slides { d, c, r, s, m });
            }
        }
        f.place_label(end);
    }

    /// The register of a space; if it may be none, jumps to `end` with the empty set at `d`.
    pub fn space_or_empty(&mut self, f: &mut FnBuild, c: &Expr, w: u8, d: R, end: Label) -> R {
        let r = self.expr_reg(f, c);
        if self.may_be_nowhere(f, c) {
            f.emit(Ins::SZero { d, w });
            f.jnone(r, end);
        }
        r
    }

    /// Emits a set of a grid by the space in a register and another argument, which may be constant.
    fn grid_into(&mut self, f: &mut FnBuild, t: GridIx, i: R, row: &Expr, d: R) {
        let Some(g) = self.p.grids.get(t.index()).copied() else { return };
        match self.known_constant(row) {
            Some(j) if (0..i64::from(g.rows)).contains(&j) => {
                let k = g.at + j as u32 * g.columns * u32::from(g.w);
                f.emit(Ins::SConstI { d, i, w: g.w, k });
            }
            _ => {
                let j = self.required_reg(f, row);
                f.emit(Ins::SGrid { d, i, j, t });
            }
        }
    }

    /// Lifts `x in fan(it, d)` and the like: the things of `u` for which it holds, found from the other end.
    pub fn lift_board(
        &mut self,
        f: &mut FnBuild,
        x: &Expr,
        b: Builtin,
        args: &[Expr],
        u: UniverseId,
    ) -> Option<R> {
        use Builtin as B;
        let c = args.first()?;
        if !self.is_lifted(f, c) || !self.is_free(f, x) || args.iter().skip(1).any(|a| !self.is_free(f, a)) {
            return None;
        }
        if !matches!(b, B::Fan | B::Leaps | B::Between) || types::is_maybe(&x.ty) {
            return None;
        }
        let (m, mu) = self.map_of(&c.ty, c.span);
        if mu != u {
            return None;
        }
        let map = MapIx(u16::from(m));
        let w = self.set_words(u);
        let d = f.alloc(w);
        match b {
            B::Leaps => {
                let (p, q) = (self.known_constant(args.get(1)?)?, self.known_constant(args.get(2)?)?);
                let t = self.grid(map, GridSort::Leaps(p, q))?;
                let k = self.p.grids.get(t.index())?.at;
                let i = self.required_reg(f, x);
                f.emit(Ins::SConstI { d, i, w, k });
            }
            B::Fan => {
                let t = self.grid(map, GridSort::Fan)?;
                let i = self.required_reg(f, x);
                let j = f.alloc(1);
                let way = self.required_reg(f, args.get(1)?);
                f.emit(Ins::AddK { d: j, a: way, k: 4 });
                f.emit(Ins::ModK { d: j, a: j, k: 8 });
                f.emit(Ins::SGrid { d, i, j, t });
            }
            // `between` cannot be read from the other end.
            _ => return None,
        }
        Some(d)
    }

    /// Emits a built-in that a table of the map gives.
    pub fn map_number_into(&mut self, f: &mut FnBuild, b: Builtin, args: &[Expr], e: &Expr, d: R) {
        let map = self.map_of_builtin(b, args);
        let table = map.and_then(|map| self.map_table(map, b));
        let (Some(map), Some(table), Some(first)) = (map, table, args.first()) else {
            self.report_unsupported(e.span, "a word about maps in a game without a map");
            return;
        };
        let mut i = self.required_reg(f, first);
        if let (Builtin::Angle | Builtin::TurnOf, Some(other)) = (b, args.get(1)) {
            let mut j = self.required_reg(f, other);
            let mut n = 8;
            if b == Builtin::TurnOf {
                n = self.turns_of(map).unwrap_or(n);
                let turns = f.alloc(1);
                f.emit(Ins::ModK { d: turns, a: j, k: n as i32 });
                j = turns;
            }
            let (k, n) = (f.alloc(1), f.load_number(n));
            f.emit(Ins::Mul { d: k, a: i, b: n });
            f.emit(Ins::Add { d: k, a: k, b: j });
            i = k;
        }
        f.emit(Ins::LdTable { d, i, table });
    }
}
