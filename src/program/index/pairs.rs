//! Join indexes: for a constant condition on two things, the sets by the second thing, made at compile time.
use crate::ir::*;
use crate::layout::tables::Tables;
use houserule_model::body::{build, types};
use houserule_model::hir::*;
use houserule_text::Span;

/// The most pairs that are evaluated for one index.
const MOST_PAIRS: u32 = 1024;
/// The most members of rows that are evaluated.
const MOST_IN_ROWS: u32 = 4096;
/// The names of the two things; each environment has its own.
pub const ONE: LocalId = LocalId(3_000_102);
/// See [`ONE`].
pub const OTHER: LocalId = LocalId(3_000_103);

impl Tables<'_> {
    /// Restricts each row of a group to the members that meet a constant condition; `None` if the condition is not constant for all.
    pub fn rows_where(&mut self, pair: &Expr, group: GroupIx, u: UniverseId) -> Option<GroupIx> {
        let g = *self.p.groups.get(group.index()).filter(|g| g.fixed && g.universe == u && g.lo == 0)?;
        let (w, lo) = (g.w as usize, i64::from(self.least_of(u)));
        let mut words = self.p.sets.get(g.at as usize..g.at as usize + (g.n as usize + 1) * w)?.to_vec();
        if words.iter().map(|x| x.count_ones()).sum::<u32>() > MOST_IN_ROWS || w == 0 {
            return None;
        }
        for (i, row) in words.chunks_mut(w).enumerate() {
            // The last row is the row of none.
            let one = if i == g.n as usize { NONE } else { i as i64 };
            for j in 0..w * 64 {
                if row.get(j / 64).is_none_or(|x| x >> (j % 64) & 1 == 0) {
                    continue;
                }
                let holds = self.constant_with(pair, &[(ONE, one), (OTHER, j as i64 + lo)]).int()?;
                if holds == 0 {
                    *row.get_mut(j / 64)? &= !(1 << (j % 64));
                }
            }
        }
        let key = (u, words);
        if let Some(known) = self.groups_by_pair.get(&key) {
            return Some(*known);
        }
        let at = self.p.sets.len() as u32;
        self.p.sets.extend_from_slice(&key.1);
        self.p.groups.push(PlaneGroup { at, ..g });
        let made = GroupIx(u16::try_from(self.p.groups.len() - 1).ok()?);
        self.groups_by_pair.insert(key, made);
        Some(made)
    }

    /// By the second thing's number, the things of `u` whose number for the pair meets a comparison with `k`. `first`: the lifted thing is the first of the pair.
    pub fn pair_planes(
        &mut self,
        b: Builtin,
        op: Comparison,
        (p, q): (&Expr, &Expr),
        (e, k): (&Expr, i64),
        first: bool,
        u: UniverseId,
    ) -> Option<GroupIx> {
        let other = if first { q } else { p };
        let Ty::Of(_) = types::plain(&other.ty) else { return None };
        let of = self.universe_of(&types::plain(&other.ty), other.span);
        let (n, m) = (self.things_in(of), self.things_in(u));
        let things = |u: UniverseId| self.p.components_of(u).is_none();
        if n.checked_mul(m).is_none_or(|n| n > MOST_PAIRS) || !things(of) || !things(u) {
            return None;
        }
        let name =
            |x: &Expr, l: LocalId| build::expr(types::plain(&x.ty), Span::default(), ExprKind::Local(l));
        let pair =
            build::expr(e.ty.clone(), e.span, ExprKind::Builtin(b, vec![name(p, ONE), name(q, OTHER)]));
        let w = self.set_words(u);
        // The last row, of none, is empty.
        let mut words = vec![0u64; (n as usize + 1) * w as usize];
        for i in 0..n {
            for j in 0..m {
                let (i64_, j64) =
                    (i64::from(i) + i64::from(self.least_of(of)), i64::from(j) + i64::from(self.least_of(u)));
                let (x, y) = if first { (j64, i64_) } else { (i64_, j64) };
                let value = self.constant_with(&pair, &[(ONE, x), (OTHER, y)]).int()?;
                if compares(op, value, k) {
                    *words.get_mut(i as usize * w as usize + j as usize / 64)? |= 1 << (j % 64);
                }
            }
        }
        let key = (u, words);
        if let Some(group) = self.groups_by_pair.get(&key) {
            return Some(*group);
        }
        let at = self.p.sets.len() as u32;
        self.p.sets.extend_from_slice(&key.1);
        let n = u16::try_from(n).ok()?;
        self.p.groups.push(PlaneGroup { universe: u, at, fixed: true, ordered: false, lo: 0, n, w });
        let group = GroupIx(u16::try_from(self.p.groups.len() - 1).ok()?);
        self.groups_by_pair.insert(key, group);
        Some(group)
    }
}
