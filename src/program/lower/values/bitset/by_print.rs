//! Lifts conditions that read a thing only through another thing that is printed on it (`h.slot.tile is some`, where four hexes share a slot): the others are tested, each once, and
//! stand for all things on which they are printed.
use crate::fn_builder::{Bind, FnBuild};
use crate::ir::*;
use crate::layout::tables::{Home, Tables};
use crate::lower::Lower;
use houserule_model::body::walk::rewrite_parts;
use houserule_model::body::{build, types, walk};
use houserule_model::hir::*;

/// Name of the thing that is printed on the lifted one.
const PRINTED: LocalId = LocalId(3_000_106);

/// Through which printed attribute a condition reads a thing.
type Through = Option<(TableIx, AttrId)>;

impl Tables<'_> {
    /// Replaces what is printed on the lifted thing by [`PRINTED`], if the condition reads nothing else of it. `it` is the thing's name in the body of a value that is called with it.
    fn rewrite_to_printed(
        &mut self,
        f: &FnBuild,
        e: &Expr,
        it: Option<LocalId>,
        through: &mut Through,
    ) -> Option<Expr> {
        let is_thing = |t: &Self, x: &Expr| match (it, &*x.kind) {
            (Some(l), ExprKind::Local(x)) => l == *x,
            (Some(_), _) => false,
            (None, _) => t.is_lifted(f, x),
        };
        match &*e.kind {
            ExprKind::Attr(x, a) if is_thing(self, x) => {
                let Home::Table(t) = *self.homes.get(a)? else { return None };
                let of = types::plain(&e.ty);
                if !matches!(of, Ty::Of(_)) || through.is_some_and(|known| known != (t, *a)) {
                    return None;
                }
                *through = Some((t, *a));
                Some(build::expr(of, e.span, ExprKind::Local(PRINTED)))
            }
            _ if is_thing(self, e) => None,
            _ if it.is_none() && self.is_free(f, e) => Some(e.clone()),
            ExprKind::Local(_) => None,
            ExprKind::Value(v, args)
                if let [x] = args.as_slice()
                    && is_thing(self, x) =>
            {
                let plain = self.plain_value(*v)?;
                let body = self.rewrite_to_printed(f, &plain.1, Some(LocalId(0)), through)?;
                // What the rules have made sure of is known of the call.
                Some(Expr { ty: e.ty.clone(), span: e.span, ..body })
            }
            ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Member(_) => Some(e.clone()),
            _ => rewrite_parts(e, &mut |x| self.rewrite_to_printed(f, x, it, through)),
        }
    }
}

impl Lower<'_> {
    /// { x : P(x.a) }, where x.a is printed and many things share it: finds the y for which P holds, then all x on which one of them is printed.
    pub fn lift_by_print(&mut self, f: &mut FnBuild, cond: &Expr, u: UniverseId) -> Option<R> {
        // The body of a value is lifted by itself, so that the set may be kept for later.
        if matches!(&*cond.kind, ExprKind::Value(..)) {
            return None;
        }
        let mut through = None;
        let body = self.rewrite_to_printed(f, cond, None, &mut through)?;
        let (t, attr) = through?;
        // What is printed on both is compared without a loop.
        if !walk::any_expr(&body, &mut |x| matches!(&*x.kind, ExprKind::Zone(..))) {
            return None;
        }
        let ty = types::plain(&self.m.attrs.get(attr.index())?.ty);
        let of = self.universe_of(&ty, cond.span);
        let printed = self.p.tables.get(t.index())?;
        let each_has_one = printed.values.iter().all(|x| i64::from(*x) != NONE);
        if !each_has_one || self.least_of(of) != 0 || self.things_in(of) * 2 > self.things_in(u) {
            return None;
        }
        let group = self.fixed_group(attr, t, Comparison::Eq, u)?;
        // It is evaluated for one after the other, so what stands before a part protects it.
        let env = f.extended_env(PRINTED, Bind::Reg(0))?;
        if !self.with_env(f, env, |s, f| s.cannot_fault(f, &body)) {
            return None;
        }
        let w = self.set_words(u);
        let d = f.emit_new(w, |d| Ins::SZero { d, w });
        let base = f.next;
        let those = self.with_env(f, env, |s, f| s.filter_universe(f, of, PRINTED, &body));
        let (i, top, end) = f.begin_loop(those, self.set_words(of));
        let e = f.emit_new(w, |d| Ins::PlaneC { d, i, group });
        f.emit(Ins::SOr { d, a: d, b: e, w });
        f.jmp(top);
        f.place_label(end);
        f.next = base;
        Some(d)
    }
}
