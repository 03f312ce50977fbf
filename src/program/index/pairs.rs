//! Join indexes: for a condition on two things that never changes, the sets by the other thing, made at compile time.
use crate::ir::*;
use crate::lower::Lower;
use crate::lower::fn_builder::FnBuild;
use houserule_model::body::types;
use houserule_model::hir::*;
use houserule_text::Span;

/// Pairs that are judged while a program is made.
const MOST_PAIRS: u32 = 1024;
/// And members of rows that are judged.
const MOST_IN_ROWS: u32 = 4096;
/// Names for the two; each is an environment's own.
const ONE: LocalId = LocalId(3_000_102);
/// See [`ONE`].
const OTHER: LocalId = LocalId(3_000_103);

impl Lower<'_> {
    /// { x : e(x) op k }, of a number that hangs on x and one other thing: by whatever names and values, and by conditions that do not look at x.
    pub fn lifted_by_pair(
        &mut self,
        f: &mut FnBuild,
        op: Comparison,
        e: &Expr,
        k: i64,
        u: UniverseId,
    ) -> Option<R> {
        use crate::lower::fn_builder::Bind;
        if f.depth > 40 {
            return None;
        }
        match &*e.kind {
            ExprKind::Local(l) => match self.bound(f, *l)? {
                Bind::Alias(x, env) => self.within(f, env, |s, f| s.lifted_by_pair(f, op, &x, k, u)),
                _ => None,
            },
            ExprKind::Value(v, args) => {
                let plain = self.plain_value(*v)?;
                let (params, body) = &*plain;
                let env = self.inlined_once(f, *params, args, body);
                self.within(f, env, |s, f| s.lifted_by_pair(f, op, body, k, u))
            }
            // Where there is no other thing, and then nothing holds, its row is empty.
            ExprKind::If(c, a, b)
                if let (ExprKind::IsSome(x), ExprKind::Builtin(pair, args)) = (&*c.kind, &*a.kind)
                    && let [p, q] = args.as_slice()
                    && self.is_lifted(f, p) != self.is_lifted(f, q)
                    && let first = self.is_lifted(f, p)
                    && let other = if first { q } else { p }
                    && crate::lower::cse::same(other, x)
                    && self.free(f, x)
                    && self.known(b).is_some_and(|b| !compares(op, b, k)) =>
            {
                let group = self.pair_planes(*pair, op, (p, q), (a, k), first, u)?;
                let of = self.uni(&types::plain(&other.ty), other.span);
                let r = self.one(f, other);
                let i = self.element(f, of, r);
                let d = f.alloc(self.w(u));
                f.emit(Ins::PlaneC { d, i, group });
                Some(d)
            }
            ExprKind::If(c, a, b) if self.free(f, c) => {
                let w = self.w(u);
                let d = f.alloc(w);
                let base = f.next;
                let (other, end) = (f.label(), f.label());
                self.branch(f, c, false, other);
                f.next = base;
                let r = self.either_by_pair(f, op, a, k, u)?;
                f.emit(Ins::MovN { d, a: r, n: w });
                f.jmp(end);
                f.place(other);
                f.next = base;
                let r = self.either_by_pair(f, op, b, k, u)?;
                f.emit(Ins::MovN { d, a: r, n: w });
                f.place(end);
                f.next = base;
                Some(d)
            }
            ExprKind::Let(l, a, b) if self.free(f, a) => {
                let r = self.one(f, a);
                f.bind(*l, Bind::Reg(r));
                self.lifted_by_pair(f, op, b, k, u)
            }
            ExprKind::Builtin(b, args) => {
                let [p, q] = args.as_slice() else { return None };
                let first = self.is_lifted(f, p);
                if first == self.is_lifted(f, q) {
                    return None;
                }
                let other = if first { q } else { p };
                if !self.free(f, other) {
                    return None;
                }
                let group = self.pair_planes(*b, op, (p, q), (e, k), first, u)?;
                let of = self.uni(&types::plain(&other.ty), other.span);
                let r = self.needed(f, other);
                let i = self.element(f, of, r);
                let d = f.alloc(self.w(u));
                f.emit(Ins::PlaneC { d, i, group });
                Some(d)
            }
            _ => None,
        }
    }

    /// Where a set has just been found as a row of fixed planes by one thing (`leaps(w.at, 1, 1)`), what conditions say of that thing and of a member, and never changes, is judged now: the row is cut
    /// beforehand. Gives the conditions that are left.
    pub fn cut_rows<'e>(
        &mut self,
        f: &mut FnBuild,
        (s, from): (R, &Expr),
        (u, l): (UniverseId, LocalId),
        conds: Vec<(&'e Expr, usize)>,
    ) -> Vec<(&'e Expr, usize)> {
        let mut from = from;
        while let ExprKind::Builtin(Builtin::AsSet, a) = &*from.kind {
            let Some(inner) = a.first() else { return conds };
            from = inner;
        }
        let (ExprKind::Value(_, args), Some(Ins::PlaneC { d, group, .. })) =
            (&*from.kind, f.code.last().copied())
        else {
            return conds;
        };
        let ([of], true, true) = (args.as_slice(), d == s, self.opts.lift) else { return conds };
        // Whose place it is by the names of the action: a condition may have others.
        let Some(of) = self.whose_place(f, of) else { return conds };
        let mut group = group;
        let mut left = Vec::new();
        for (c, env) in conds {
            let pair = self.judged_lifted(f, env, l, |s, f| s.of_pair(f, c, of, 0));
            match pair.and_then(|pair| self.rows_where(&pair, group, u)) {
                Some(cut) => group = cut,
                None => left.push((c, env)),
            }
        }
        if let Some(Ins::PlaneC { group: its, .. }) = f.code.last_mut() {
            *its = group;
        }
        left
    }

    /// A condition with [`ONE`] in place of the thing that a row is of, and [`OTHER`] in place of what is being lifted, if it looks at no other names.
    fn of_pair(&self, f: &FnBuild, e: &Expr, of: R, depth: usize) -> Option<Expr> {
        let with = |kind| Some(Expr { ty: e.ty.clone(), span: e.span, kind: Box::new(kind) });
        if depth > 32 {
            return None;
        }
        if self.is_lifted(f, e) {
            return with(ExprKind::Local(OTHER));
        }
        if self.whose_place(f, e) == Some(of) {
            return with(ExprKind::Local(ONE));
        }
        let one = |x: &Expr| self.of_pair(f, x, of, depth + 1);
        match &*e.kind {
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::None
            | ExprKind::Member(_)
            | ExprKind::Direction(_) => Some(e.clone()),
            ExprKind::And(a, b) => with(ExprKind::And(one(a)?, one(b)?)),
            ExprKind::Or(a, b) => with(ExprKind::Or(one(a)?, one(b)?)),
            ExprKind::Not(a) => with(ExprKind::Not(one(a)?)),
            ExprKind::IsSome(a) => with(ExprKind::IsSome(one(a)?)),
            ExprKind::IsEmpty(a) => with(ExprKind::IsEmpty(one(a)?)),
            ExprKind::Attr(a, attr) => with(ExprKind::Attr(one(a)?, *attr)),
            ExprKind::Compare(op, a, b) => with(ExprKind::Compare(*op, one(a)?, one(b)?)),
            ExprKind::In(a, b) => with(ExprKind::In(one(a)?, one(b)?)),
            ExprKind::Builtin(b, args) => {
                with(ExprKind::Builtin(*b, args.iter().map(one).collect::<Option<_>>()?))
            }
            ExprKind::Value(v, args) => {
                with(ExprKind::Value(*v, args.iter().map(one).collect::<Option<_>>()?))
            }
            _ => None,
        }
    }

    /// The register of the thing, where an expression says where one lies.
    fn whose_place(&self, f: &FnBuild, e: &Expr) -> Option<R> {
        let ExprKind::Builtin(Builtin::At, args) = &*e.kind else { return None };
        let [x] = args.as_slice() else { return None };
        let ExprKind::Local(l) = &*x.kind else { return None };
        match self.bound(f, *l)? {
            crate::lower::fn_builder::Bind::Reg(r) => Some(r),
            _ => None,
        }
    }

    /// The rows of a group, each cut to those members of which such a condition holds; `None` if it cannot be told of all.
    fn rows_where(&mut self, pair: &Expr, group: GroupIx, u: UniverseId) -> Option<GroupIx> {
        let g = *self.p.groups.get(group.index()).filter(|g| g.fixed && g.universe == u && g.lo == 0)?;
        let (w, lo) = (g.w as usize, i64::from(self.lo(u)));
        let mut words = self.p.sets.get(g.at as usize..g.at as usize + (g.n as usize + 1) * w)?.to_vec();
        if words.iter().map(|x| x.count_ones()).sum::<u32>() > MOST_IN_ROWS || w == 0 {
            return None;
        }
        for (i, row) in words.chunks_mut(w).enumerate() {
            // Behind the others stands what is of none.
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
        if let Some(known) = self.by_pair.get(&key) {
            return Some(*known);
        }
        let at = self.p.sets.len() as u32;
        self.p.sets.extend_from_slice(&key.1);
        self.p.groups.push(PlaneGroup { at, ..g });
        let made = GroupIx(u16::try_from(self.p.groups.len() - 1).ok()?);
        self.by_pair.insert(key, made);
        Some(made)
    }

    /// One side of such a number, which may be the same for all.
    fn either_by_pair(
        &mut self,
        f: &mut FnBuild,
        op: Comparison,
        e: &Expr,
        k: i64,
        u: UniverseId,
    ) -> Option<R> {
        if let Some(x) = self.known(e) {
            let d = f.alloc(self.w(u));
            let yes = compares(op, x, k);
            f.emit(if yes { Ins::SAll { d, u: u.0 as u8 } } else { Ins::SZero { d, w: self.w(u) } });
            return Some(d);
        }
        self.lifted_by_pair(f, op, e, k, u)
    }

    /// By the other thing's number, the things of `u` of which the pair's number compares so with `k`. `first`: what is lifted stands first.
    fn pair_planes(
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
        let of = self.uni(&types::plain(&other.ty), other.span);
        let (n, m) = (self.n(of), self.n(u));
        let things = |u: UniverseId| {
            !matches!(self.p.universes.get(u.index()).map(|u| &u.sort), Some(UniverseSort::Components(_)))
        };
        if n.checked_mul(m).is_none_or(|n| n > MOST_PAIRS) || !things(of) || !things(u) {
            return None;
        }
        let name = |x: &Expr, l: LocalId| Expr {
            ty: types::plain(&x.ty),
            span: Span::default(),
            kind: Box::new(ExprKind::Local(l)),
        };
        let pair = Expr {
            ty: e.ty.clone(),
            span: e.span,
            kind: Box::new(ExprKind::Builtin(b, vec![name(p, ONE), name(q, OTHER)])),
        };
        let w = self.w(u);
        // Behind them stands what is of none: nothing.
        let mut words = vec![0u64; (n as usize + 1) * w as usize];
        for i in 0..n {
            for j in 0..m {
                let (i64_, j64) =
                    (i64::from(i) + i64::from(self.lo(of)), i64::from(j) + i64::from(self.lo(u)));
                let (x, y) = if first { (j64, i64_) } else { (i64_, j64) };
                let value = self.constant_with(&pair, &[(ONE, x), (OTHER, y)]).int()?;
                if compares(op, value, k) {
                    *words.get_mut(i as usize * w as usize + j as usize / 64)? |= 1 << (j % 64);
                }
            }
        }
        let key = (u, words);
        if let Some(group) = self.by_pair.get(&key) {
            return Some(*group);
        }
        let at = self.p.sets.len() as u32;
        self.p.sets.extend_from_slice(&key.1);
        let n = u16::try_from(n).ok()?;
        self.p.groups.push(PlaneGroup { universe: u, at, fixed: true, ordered: false, lo: 0, n, w });
        let group = GroupIx(u16::try_from(self.p.groups.len() - 1).ok()?);
        self.by_pair.insert(key, group);
        Some(group)
    }
}

/// Whether two numbers compare so: what is none equals none alone, and has no place in an order.
fn compares(op: Comparison, a: i64, b: i64) -> bool {
    let some = a != NONE && b != NONE;
    match op {
        Comparison::Eq => a == b,
        Comparison::Ne => a != b,
        Comparison::Lt => some && a < b,
        Comparison::Le => some && a <= b,
        Comparison::Gt => some && a > b,
        Comparison::Ge => some && a >= b,
    }
}
