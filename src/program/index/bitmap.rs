//! Bitmap indexes: for each value of an attribute, the set of things that have it. Constant attributes get theirs at compile time; the engine maintains the others.
use crate::fn_builder::FnBuild;
use crate::ir::*;
use crate::layout::tables::{Home, Tables};
use houserule_model::body::types;
use houserule_model::hir::*;
use houserule_text::Span;

impl Tables<'_> {
    /// The index of `x.a`, where x is the lifted variable; also of `x.a.b`, if neither changes.
    pub fn own_group(&mut self, f: &FnBuild, e: &Expr) -> Option<GroupIx> {
        let ExprKind::Attr(x, a) = &*e.kind else { return None };
        if self.is_lifted(f, x)
            && let Home::Cell(ix) = *self.homes.get(a)?
        {
            return self.p.attrs[ix.index()].planes;
        }
        let (t, a) = self.own_table(f, e)?;
        let u = self.p.tables.get(t.index())?.universe;
        self.fixed_group(a, t, Comparison::Eq, u)
    }

    /// The constant table of `x.a`, `x.a.b` and so on, where x is the lifted variable, with the last attribute; none if one of them changes.
    pub fn own_table(&mut self, f: &FnBuild, e: &Expr) -> Option<(TableIx, AttrId)> {
        let ExprKind::Attr(x, a) = &*e.kind else { return None };
        let Home::Table(t) = *self.homes.get(a)? else { return None };
        let table = self.p.tables.get(t.index())?;
        if matches!(self.p.universes.get(table.universe.index())?.sort, UniverseSort::Faces(_)) {
            return None;
        }
        if self.is_lifted(f, x) {
            return Some((t, *a));
        }
        let (inner, _) = self.own_table(f, x)?;
        if let Some(both) = self.composed_tables.get(&(inner, t)) {
            return Some((*both, *a));
        }
        let first = self.p.tables.get(inner.index())?;
        let second = self.p.tables.get(t.index())?;
        let through = |x: &i32| usize::try_from(*x).ok().and_then(|x| second.values.get(x)).copied();
        // A thing without a value faults when it is read, so there is no table.
        let values: Option<Vec<i32>> = first.values.iter().map(through).collect();
        let (name, universe, values) = (second.name.clone(), first.universe, values?);
        let both = self.add_table(&name, universe, values);
        self.composed_tables.insert((inner, t), both);
        Some((both, *a))
    }

    /// The table of a truth value of one thing that reads nothing that changes.
    pub fn truth_table(&mut self, f: &FnBuild, v: ValueId, args: &[Expr]) -> Option<TableIx> {
        let [_] = args else { return None };
        if f.is_effect || !self.opts.lift || self.ignores_param(v, 0) {
            return None;
        }
        if let Some(known) = self.truth_tables.get(&v) {
            return *known;
        }
        let made = self.make_truth_table(v);
        self.truth_tables.insert(v, made);
        made
    }

    fn make_truth_table(&mut self, v: ValueId) -> Option<TableIx> {
        let value = &self.m.values[v.index()];
        // A table has no row for none.
        let ty = value.body.locals.first()?.ty.clone();
        let Ty::Of(k) = ty else { return None };
        if types::is_component(self.m, k) || value.ty != Ty::Bool {
            return None;
        }
        let u = self.universe_of(&ty, value.span);
        if self.least_of(u) != 0 {
            return None;
        }
        let at = self.tabulated_truth(v, u)? as usize;
        let bit = |i: usize| self.p.sets.get(at + i / 64).map_or(0, |w| (w >> (i % 64)) as i32 & 1);
        let values = (0..self.things_in(u) as usize).map(bit).collect();
        let name = value.name.clone();
        Some(self.add_table(&name, u, values))
    }

    /// The set of things for which a truth value holds, if it reads nothing that changes; its place in [`Program::sets`].
    pub fn tabulated_truth(&mut self, v: ValueId, u: UniverseId) -> Option<u32> {
        if let Some(known) = self.truth_sets.get(&(v, u)) {
            return *known;
        }
        self.truth_sets.insert((v, u), None);
        let made = self.tabulate_truth(v, u);
        self.truth_sets.insert((v, u), made);
        made
    }

    fn tabulate_truth(&mut self, v: ValueId, u: UniverseId) -> Option<u32> {
        let plain = self.plain_value(v)?;
        let (params, body) = &*plain;
        let things = self.p.components_of(u).is_none();
        if *params != 1 || body.ty != Ty::Bool || !things || self.things_in(u) > 512 {
            return None;
        }
        let mut words = vec![0u64; self.set_words(u) as usize];
        for i in 0..self.things_in(u) {
            if self.constant_with(body, &[(LocalId(0), i64::from(i) + i64::from(self.least_of(u)))]).int()?
                != 0
            {
                *words.get_mut(i as usize / 64)? |= 1 << (i % 64);
            }
        }
        Some(self.add_const_set(&words))
    }

    /// Fixed planes for a comparison of an attribute of non-components with a number: by that number, the things whose own number meets the comparison. A thing without a value is in
    /// no plane but, for `==`, in the plane of none.
    pub fn fixed_group(&mut self, a: AttrId, t: TableIx, op: Comparison, u: UniverseId) -> Option<GroupIx> {
        let table = self.p.tables.get(t.index())?;
        let of_faces = matches!(self.p.universes.get(table.universe.index())?.sort, UniverseSort::Faces(_));
        if table.universe != u || of_faces {
            return None;
        }
        if let Some(group) = self.groups_by_table.get(&(t, op)) {
            return Some(*group);
        }
        let (lo, hi) = match types::plain(&self.m.attrs[a.index()].ty) {
            Ty::Int(lo, hi) => (lo, hi),
            Ty::Bool => (0, 1),
            ty => {
                let of = self.universe_of(&ty, Span::default());
                (0, self.things_in(of) as i32 - 1)
            }
        };
        let values = self.p.tables.get(t.index())?.values.clone();
        let group = self.planes_of(&values, op, (lo, hi), u)?;
        self.groups_by_table.insert((t, op), group);
        Some(group)
    }

    /// Fixed planes over a universe for a comparison: by number, the things whose own number meets it; last, the plane of none.
    pub fn planes_of(
        &mut self,
        values: &[i32],
        op: Comparison,
        (lo, hi): (i32, i32),
        u: UniverseId,
    ) -> Option<GroupIx> {
        let ordered = op != Comparison::Eq;
        // The other number may be beyond the table: the planes at both ends stand for these.
        let (lo, hi) = if ordered { (lo.checked_sub(1)?, hi.checked_add(1)?) } else { (lo, hi) };
        let n = u16::try_from(i64::from(hi) - i64::from(lo) + 1).ok().filter(|n| *n <= 64)?;
        let w = self.set_words(u);
        let mut words = vec![0u64; (n as usize + 1) * w as usize];
        let mut put = |k: usize, thing: usize| {
            if let Some(word) = words.get_mut(k * w as usize + thing / 64) {
                *word |= 1 << (thing % 64);
            }
        };
        for (thing, x) in values.iter().enumerate() {
            if i64::from(*x) == NONE {
                if op == Comparison::Eq {
                    put(n as usize, thing);
                }
                continue;
            }
            for k in 0..n as usize {
                let v = lo + k as i32;
                if op.holds(i64::from(*x), i64::from(v)) {
                    put(k, thing);
                }
            }
        }
        // Planes are stored in one piece, because they are looked up by value.
        let at = self.p.sets.len() as u32;
        self.p.sets.extend_from_slice(&words);
        self.p.groups.push(PlaneGroup { universe: u, at, fixed: true, ordered, lo, n, w });
        Some(GroupIx(u16::try_from(self.p.groups.len() - 1).ok()?))
    }

    /// The plane of a known value.
    pub fn plane_at(&self, group: GroupIx, k: i64) -> Option<u32> {
        let g = self.p.groups.get(group.index())?;
        let i = u32::try_from(k - i64::from(g.lo)).ok().filter(|i| *i < u32::from(g.n))?;
        Some(g.at + i * u32::from(g.w))
    }
}
