//! Conditions on two things of which one is being lifted, where what they say of a pair never changes: sets by the other thing, worked out while the program is made.
use super::build::FnBuild;
use super::ir::*;
use super::lower::Lower;
use crate::model::body::types;
use crate::model::hir::*;
use crate::text::Span;

/// Pairs that are judged while a program is made.
const MOST_PAIRS: u32 = 1024;
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
        use super::build::Bind;
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
