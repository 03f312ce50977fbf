//! Lifts conditions through an indirection (semi-joins): what lies in a slot, the space of a component, a distance, the members of another set. Conditions on
//! printed values are evaluated for each face at compile time.
use crate::analysis::expr_forms::{conjunction_of, counts_things_there, split_conjunction, without_as_set};
use crate::analysis::none_value::OfNone;
use crate::fn_builder::{Bind, FnBuild};
use crate::ir::*;
use crate::layout::tables::{Layout, Tables};
use crate::lower::Lower;
use houserule_model::body::walk::rewrite_parts;
use houserule_model::body::{build, flow, types};
use houserule_model::hir::*;

/// Name of the component in a slot; each environment has its own.
const HELD: LocalId = LocalId(3_000_100);

/// Name of the space of a component.
const THERE: LocalId = LocalId(3_000_101);

/// The spaces for which a condition holds.
struct Spaces {
    /// The set.
    s: R,
    /// The universe of the spaces.
    of: UniverseId,
    /// What the condition says of a component that lies on no space.
    nowhere: Nowhere,
}

/// Value of a condition for a component that lies on no space.
enum Nowhere {
    /// It is false, or faults.
    No,
    Yes,
    /// It depends on what else the condition reads: evaluate it with [`THERE`] bound to none.
    Asked(Expr, usize),
}

/// Value of a condition for a thing whose slot is empty.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EmptySlot {
    Yes,
    No,
    /// It faults.
    Never,
}

impl EmptySlot {
    fn not(self) -> EmptySlot {
        match self {
            EmptySlot::Yes => EmptySlot::No,
            EmptySlot::No => EmptySlot::Yes,
            EmptySlot::Never => EmptySlot::Never,
        }
    }
}

/// A condition on a space, without the test whether there is a space.
fn assume_on_space(e: &Expr) -> Expr {
    let there =
        |e: &Expr| matches!(&*e.kind, ExprKind::IsSome(x) if matches!(&*x.kind, ExprKind::Local(THERE)));
    match &*e.kind {
        ExprKind::And(a, b) if there(a) => assume_on_space(b),
        ExprKind::And(a, b) if there(b) => assume_on_space(a),
        ExprKind::And(a, b) => {
            build::expr(e.ty.clone(), e.span, ExprKind::And(assume_on_space(a), assume_on_space(b)))
        }
        _ => e.clone(),
    }
}

impl Layout<'_> {
    /// Replaces the component in the lifted thing's slot by [`HELD`], if the condition reads nothing else of the thing; also returns its value for an empty slot.
    fn rewrite_to_held(&self, f: &FnBuild, e: &Expr, zone: &mut Option<ZoneId>) -> Option<(Expr, EmptySlot)> {
        let bare = match &*e.kind {
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let ((a, x), (b, y)) = (self.rewrite_to_held(f, a, zone)?, self.rewrite_to_held(f, b, zone)?);
                // The side that the first side leaves open.
                let (kind, open) = match &*e.kind {
                    ExprKind::And(..) => (ExprKind::And(a, b), EmptySlot::Yes),
                    _ => (ExprKind::Or(a, b), EmptySlot::No),
                };
                return Some((build::expr(e.ty.clone(), e.span, kind), if x == open { y } else { x }));
            }
            ExprKind::Not(a) => {
                let (a, x) = self.rewrite_to_held(f, a, zone)?;
                return Some((build::expr(e.ty.clone(), e.span, ExprKind::Not(a)), x.not()));
            }
            ExprKind::IsSome(_) | ExprKind::IsFace(_, _, None) | ExprKind::IsKind(..) => EmptySlot::No,
            ExprKind::Attr(..) if e.ty == Ty::Bool => EmptySlot::Never,
            ExprKind::Compare(_, a, b) if self.is_free(f, a) != self.is_free(f, b) => EmptySlot::Never,
            _ => return None,
        };
        let compares = matches!(&*e.kind, ExprKind::Compare(..));
        let new = rewrite_parts(e, &mut |x| match &*x.kind {
            _ if compares && self.is_free(f, x) => Some(x.clone()),
            ExprKind::Attr(..) if compares => rewrite_parts(x, &mut |y| self.held_in_slot(f, y, zone)),
            _ if compares => None,
            _ => self.held_in_slot(f, x, zone),
        })?;
        Some((new, bare))
    }

    /// [`HELD`], if the expression is the component in the lifted thing's slot.
    fn held_in_slot(&self, f: &FnBuild, e: &Expr, zone: &mut Option<ZoneId>) -> Option<Expr> {
        let ExprKind::Zone(Some(x), z, None) = &*e.kind else { return None };
        if !self.is_lifted(f, x) || !self.m.zones.get(z.index())?.slot || zone.is_some_and(|y| y != *z) {
            return None;
        }
        *zone = Some(*z);
        Some(build::expr(types::plain(&e.ty), e.span, ExprKind::Local(HELD)))
    }

    /// Replaces the space of the lifted component by [`THERE`], if the condition reads nothing else of the component.
    fn rewrite_to_space(&self, f: &FnBuild, e: &Expr, ty: &mut Option<Ty>) -> Option<Expr> {
        if let ExprKind::Builtin(Builtin::At, args) = &*e.kind
            && let [x] = args.as_slice()
            && self.is_lifted(f, x)
        {
            let space = types::plain(&e.ty);
            *ty = Some(space.clone());
            return Some(build::expr(space, e.span, ExprKind::Local(THERE)));
        }
        if self.is_free(f, e) {
            return Some(e.clone());
        }
        match &*e.kind {
            ExprKind::IsFace(..) | ExprKind::IsKind(..) => None,
            ExprKind::Builtin(b, _) if !matches!(b, Builtin::Count | Builtin::AsSet) => None,
            _ => rewrite_parts(e, &mut |x| self.rewrite_to_space(f, x, ty)),
        }
    }

    /// Replaces the lifted component by the face [`HELD`].
    fn rewrite_to_face(&self, f: &FnBuild, e: &Expr) -> Option<Expr> {
        match &*e.kind {
            ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Not(_) => {
                rewrite_parts(e, &mut |x| self.rewrite_to_face(f, x))
            }
            ExprKind::Attr(..) | ExprKind::IsFace(_, _, None) => rewrite_parts(e, &mut |x| {
                let Ty::Of(k) = types::plain(&x.ty) else { return None };
                let face = || build::expr(Ty::Face(k), x.span, ExprKind::Local(HELD));
                self.is_lifted(f, x).then(face)
            }),
            ExprKind::Compare(..) => rewrite_parts(e, &mut |x| match &*x.kind {
                ExprKind::Attr(..) if !self.is_free(f, x) => self.rewrite_to_face(f, x),
                ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Member(_) | ExprKind::None => {
                    Some(x.clone())
                }
                _ => None,
            }),
            _ => None,
        }
    }
}

impl Tables<'_> {
    /// The map by which a set is found: the set is what lies on some of its spaces, as [`Lower::components_on_spaces`] finds it, also through values with plain arguments.
    pub fn map_found_by(&mut self, e: &Expr, u: UniverseId, depth: usize) -> Option<UniverseId> {
        match &*e.kind {
            _ if depth > 32 || !self.opts.lift => None,
            ExprKind::Builtin(Builtin::AsSet, a) => self.map_found_by(a.first()?, u, depth + 1),
            ExprKind::Value(v, args) => {
                let plain = |a: &Expr| matches!(&*a.kind, ExprKind::Local(_));
                let body = self.plain_value(*v).filter(|_| args.iter().all(plain))?;
                self.map_found_by(&body.1, u, depth + 1)
            }
            ExprKind::Where(source, ..) => {
                let source = without_as_set(source);
                let ExprKind::Fold(fold) = &*source.kind else {
                    return self.map_found_by(source, u, depth + 1);
                };
                let spaces = self.universe_of(&fold.over.ty, fold.over.span);
                let held = matches!(fold.op, FoldOp::Union | FoldOp::Collect) && self.p.is_map(spaces);
                let zone = self.zone_of_each(fold.bodies.first()?, fold.var, spaces, u);
                zone.filter(|_| held).map(|_| spaces)
            }
            _ => None,
        }
    }

    /// { c : P(what is printed on c) }: P is evaluated for every face at compile time.
    pub fn lift_printed(&mut self, f: &mut FnBuild, cond: &Expr, u: UniverseId) -> Option<R> {
        let faces = self.p.components_of(u)?.faces;
        let face = self.rewrite_to_face(f, cond)?;
        let mut those = Vec::new();
        for k in 0..self.things_in(faces) {
            if self.constant_with(&face, &[(HELD, i64::from(k))]).int()? != 0 {
                those.push(k as u16);
            }
        }
        Some(self.faces_set(f, &those, u))
    }
}

impl Lower<'_> {
    /// { x : distance(from, x) is some }, or at most n steps.
    pub fn lift_distance(
        &mut self,
        f: &mut FnBuild,
        e: &Expr,
        most: Option<i64>,
        u: UniverseId,
    ) -> Option<R> {
        let ExprKind::Builtin(Builtin::Distance, args) = &*e.kind else { return None };
        let (from, to) = (args.first()?, args.get(1)?);
        if !self.is_lifted(f, to)
            || !self.is_free(f, from)
            || most.is_some_and(|n| !(0..1 << 20).contains(&n))
        {
            return None;
        }
        let through = args.get(2).filter(|t| !matches!(&*t.kind, ExprKind::None));
        if through.is_some_and(|t| !self.is_free(f, t)) {
            return None;
        }
        let (m, of) = self.map_of(&to.ty, to.span);
        if of != u {
            return None;
        }
        let w = self.set_words(u);
        let d = f.alloc(w);
        let c = self.expr_reg(f, from);
        let n = f.load_number(most.unwrap_or(NONE));
        let s = self.set_reg_or_all(f, through, u);
        f.emit(Ins::Reach { d, c, n, s, m });
        Some(d)
    }

    /// { x : any / every / no (y in S: Q(x, y)) }, with S free of x: the union (for `every`, the intersection) of { x : Q(x, y) } over all y.
    pub fn lift_fold(&mut self, f: &mut FnBuild, fold: &Fold, u: UniverseId) -> Option<R> {
        if !self.is_free(f, &fold.over) || fold.bodies.len() > 1 {
            return None;
        }
        if !matches!(types::plain(&fold.over.ty), Ty::Set(_)) {
            return None;
        }
        let every = fold.op == FoldOp::Every;
        let body = fold.bodies.first();
        let (w, of) = (self.set_words(u), self.universe_of(&fold.over.ty, fold.over.span));
        let ow = self.set_words(of);
        let (d, s) = (f.alloc(w), f.alloc(ow));
        self.set_into(f, &fold.over, of, s);
        f.emit(if every { Ins::SAll { d, u: u.0 as u8 } } else { Ins::SZero { d, w } });
        let (i, top, end) = f.begin_loop(s, ow);
        let x = f.emit_new(1, |d| Ins::AddK { d, a: i, k: self.least_of(of) });
        let outer = self.binding_of(f, fold.var);
        f.bind(fold.var, Bind::Reg(x));
        let base = f.next;
        let r = self.lift_body(f, fold.cond.as_ref(), body, every, u);
        f.next = base;
        if let Some(b) = outer {
            f.bind(fold.var, b);
        }
        let r = r?;
        f.emit(if every { Ins::SAnd { d, a: d, b: r, w } } else { Ins::SOr { d, a: d, b: r, w } });
        f.jmp(top);
        f.place_label(end);
        if fold.op == FoldOp::No {
            f.emit(Ins::SNot { d, a: d, u: u.0 as u8 });
        }
        Some(d)
    }

    /// The set for which condition and body of a fold hold; for `every`, for which the body holds or the condition does not.
    fn lift_body(
        &mut self,
        f: &mut FnBuild,
        cond: Option<&Expr>,
        body: Option<&Expr>,
        every: bool,
        u: UniverseId,
    ) -> Option<R> {
        let w = self.set_words(u);
        let c = match cond {
            Some(c) => Some(self.lift_condition(f, c, u)?),
            None => None,
        };
        let b = match body {
            Some(b) => Some(self.lift_condition(f, b, u)?),
            None => None,
        };
        let d = f.alloc(w);
        match (c, b) {
            (Some(c), Some(b)) if every => {
                f.emit(Ins::SNot { d, a: c, u: u.0 as u8 });
                f.emit(Ins::SOr { d, a: d, b, w });
            }
            (Some(c), Some(b)) => f.emit(Ins::SAnd { d, a: c, b, w }),
            (None, Some(b)) => return Some(b),
            (Some(c), None) if !every => return Some(c),
            _ => return None,
        }
        Some(d)
    }

    /// { x : P(component in x's slot) }: finds the components, then the things whose slot holds them.
    pub fn lift_slot(&mut self, f: &mut FnBuild, cond: &Expr, u: UniverseId) -> Option<R> {
        let mut zone = None;
        let (body, bare) = self.rewrite_to_held(f, cond, &mut zone)?;
        let ix = self.zone_ix.get(&zone?).copied()?;
        let z = self.p.zones.get(ix.index())?;
        if !z.slot || z.of != Some(u) || z.indexes > 1 {
            return None;
        }
        let of = self.p.comps.get(z.holds as usize)?.universe;
        let env = f.extended_env(HELD, Bind::Lifted)?;
        let s = self.with_env(f, env, |s, f| s.lift_condition(f, &body, of))?;
        let d = f.alloc(self.set_words(u));
        if bare == EmptySlot::Yes {
            // The condition holds for an empty slot: removes the things whose component fails.
            let no = f.emit_new(self.set_words(of), |d| Ins::SNot { d, a: s, u: of.0 as u8 });
            f.emit(Ins::SHolders { d, s: no, zone: ix });
            f.emit(Ins::SNot { d, a: d, u: u.0 as u8 });
        } else {
            f.emit(Ins::SHolders { d, s, zone: ix });
        }
        Some(d)
    }

    /// { c : P(space of c) }: finds the spaces, then the components on them.
    pub fn lift_by_space(&mut self, f: &mut FnBuild, cond: &Expr, u: UniverseId) -> Option<R> {
        let domain = f.cut_set;
        let Spaces { s, of, nowhere } = self.lift_to_spaces(f, cond, u)?;
        let (w, sw) = (self.set_words(u), self.set_words(of));
        let e = match domain {
            Some((e, x)) if x == u => e,
            _ => f.emit_new(w, |d| Ins::SAll { d, u: u.0 as u8 }),
        };
        let d = f.alloc(w);
        match nowhere {
            Nowhere::No => f.emit(Ins::SAtIn { d, e, s, u: u.0 as u8, w: sw }),
            Nowhere::Yes => {
                let no = f.emit_new(sw, |d| Ins::SNot { d, a: s, u: of.0 as u8 });
                f.emit(Ins::SAtIn { d, e, s: no, u: u.0 as u8, w: sw });
                f.emit(Ins::SNot { d, a: d, u: u.0 as u8 });
            }
            Nowhere::Asked(body, env) => {
                let (base, end) = (f.next, f.new_label());
                let (away, somewhere) = (f.alloc(w), f.alloc(sw));
                f.emit(Ins::SAtIn { d, e, s, u: u.0 as u8, w: sw });
                f.emit(Ins::SAll { d: somewhere, u: of.0 as u8 });
                f.emit(Ins::SAtIn { d: away, e, s: somewhere, u: u.0 as u8, w: sw });
                f.emit(Ins::SAndNot { d: away, a: e, b: away, w });
                let any = f.emit_new(1, |d| Ins::SAny { d, s: away, w });
                f.jz(any, end);
                let none = f.load_number(NONE);
                f.envs.get_mut(env)?.insert(THERE, Bind::Reg(none));
                self.with_env(f, env, |s, f| s.branch(f, &body, false, end));
                f.emit(Ins::SOr { d, a: d, b: away, w });
                f.place_label(end);
                f.next = base;
            }
        }
        Some(d)
    }

    /// The spaces for which P holds, if the condition depends on the component only by its space.
    fn lift_to_spaces(&mut self, f: &mut FnBuild, cond: &Expr, u: UniverseId) -> Option<Spaces> {
        let UniverseSort::Components(ci) = self.p.universes.get(u.index())?.sort else { return None };
        let mut ty = None;
        let body = self.rewrite_to_space(f, cond, &mut ty)?;
        let of = self.universe_of(&ty?, cond.span);
        // All components of the universe lie on spaces of one map.
        let on = |z: &ZoneSlot| z.holds == ci && z.of.is_some_and(|x| x != of && self.p.is_map(x));
        if self.least_of(of) != 0 || !self.p.is_map(of) || self.p.zones.iter().any(on) {
            return None;
        }
        let env = f.extended_env(THERE, Bind::Lifted)?;
        let domain = f.cut_set.take();
        // A component on no space: the condition is evaluated with none, and is false where that faults.
        let nowhere = match self.evaluate_with_none(&body, &[THERE], 0) {
            OfNone::Yes => Nowhere::Yes,
            OfNone::No | OfNone::NotTrue | OfNone::Never => Nowhere::No,
            OfNone::Unknown => {
                f.envs.push(f.envs.get(f.env)?.clone());
                Nowhere::Asked(body.clone(), f.envs.len() - 1)
            }
            OfNone::Perhaps => return None,
        };
        let body = if matches!(nowhere, Nowhere::No) { assume_on_space(&body) } else { body };
        let s = self.with_env(f, env, |s, f| s.lift_condition(f, &body, of));
        f.cut_set = domain;
        Some(Spaces { s: s?, of, nowhere })
    }

    /// Emits the components on some spaces (`union(h in S: h.things)`) that pass a condition: conjuncts on the space alone are applied to the spaces first.
    /// Returns the conjuncts that are left.
    pub fn components_on_spaces<'e>(
        &mut self,
        f: &mut FnBuild,
        source: &Expr,
        u: UniverseId,
        l: LocalId,
        cond: &'e Expr,
        d: R,
    ) -> Option<Vec<&'e Expr>> {
        let ExprKind::Fold(fold) = &*without_as_set(source).kind else { return None };
        if !self.opts.lift || !matches!(fold.op, FoldOp::Union | FoldOp::Collect) {
            return None;
        }
        let spaces = self.universe_of(&fold.over.ty, fold.over.span);
        let zone = self.zone_of_each(fold.bodies.first()?, fold.var, spaces, u)?;
        if !self.p.is_map(spaces) {
            return None;
        }
        let env = f.env;
        let mut parts = Vec::new();
        split_conjunction(cond, &mut parts);
        // A conjunct that does not depend on the thing is evaluated once, before all others: the conjuncts written after it rely on its facts.
        let fact_count = f.facts.len();
        let (mut once, mut each) = (Vec::new(), Vec::new());
        for c in parts {
            let (total, free) = self.with_lifted(f, env, l, |s, f| (s.cannot_fault(f, c), s.is_free(f, c)));
            if !total {
                f.facts.truncate(fact_count);
                return None;
            }
            if free {
                once.push((c, f.facts.len()));
                let mut facts = Vec::new();
                flow::facts(c, true, &mut facts);
                f.facts.extend(facts.into_iter().map(|fact| (env, fact)));
            } else {
                each.push(c);
            }
        }
        let (here, rest): (Vec<&Expr>, Vec<&Expr>) =
            each.into_iter().partition(|c| self.depends_on_space_alone(f, c, env, l, u));
        let wanted = f.wanted_spaces.take();
        let those_too = wanted.filter(|(_, x)| *x == u).map(|(r, _)| r);
        if here.is_empty() && those_too.is_none() {
            f.wanted_spaces = wanted;
            f.facts.truncate(fact_count);
            return None;
        }
        let on_space: Vec<(usize, &Expr)> = here.into_iter().map(|c| (0, c)).collect();
        let done = self.try_emit(f, |s, f| {
            let (sw, base, end) = (s.set_words(spaces), f.next, f.new_label());
            let over = f.alloc(sw);
            if !once.is_empty() {
                f.emit(Ins::SZero { d, w: s.set_words(u) });
            }
            let facts = f.facts.clone();
            for (c, known) in &once {
                f.facts.truncate(*known);
                s.branch(f, c, false, end);
                f.facts.clone_from(&facts);
            }
            s.set_into(f, &fold.over, spaces, over);
            match &fold.cond {
                Some(c) if s.is_everything(&fold.over) => s.filter_full(f, over, spaces, fold.var, c),
                Some(c) => s.filter_into(f, over, spaces, fold.var, c),
                None => {}
            }
            if !on_space.is_empty() {
                let all = conjunction_of(&on_space);
                let those = s.with_lifted(f, env, l, |s, f| s.spaces_by_contents(f, &all, u, spaces))?;
                f.emit(Ins::SAnd { d: over, a: over, b: those, w: sw });
            }
            if let Some(those) = those_too {
                f.emit(Ins::SAnd { d: over, a: over, b: those, w: sw });
            }
            f.emit(Ins::HeldIn { d, s: over, zone });
            f.place_label(end);
            f.next = base;
            Some(d)
        });
        if done.is_none() || those_too.is_none() {
            f.wanted_spaces = wanted;
        }
        f.facts.truncate(fact_count);
        done.map(|_| rest)
    }

    /// Removes from the set at `e` the components whose space fails a condition, with one lookup of the space for each. If this is not possible, no code is emitted.
    pub fn cut_by_space(
        &mut self,
        f: &mut FnBuild,
        e: R,
        u: UniverseId,
        l: LocalId,
        conds: &[(Expr, usize)],
    ) -> bool {
        // Counts of things on a space come last, one by one, when few spaces are left.
        let mut parts: Vec<(&Expr, usize)> = Vec::new();
        for (cond, env) in conds {
            let mut own = Vec::new();
            split_conjunction(cond, &mut own);
            parts.extend(own.into_iter().map(|c| (c, *env)));
        }
        let (counted, others): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|(c, _)| counts_things_there(c));
        let spaces_of = |s: &mut Self, f: &mut FnBuild, (cond, env): &(&Expr, usize)| {
            let found = s.with_lifted(f, *env, l, |s, f| s.lift_to_spaces(f, cond, u))?;
            matches!(found.nowhere, Nowhere::No).then_some((found.s, found.of))
        };
        let cut = |s: &mut Self, f: &mut FnBuild| {
            let mut all: Option<(R, UniverseId)> = None;
            for cond in &others {
                let here = f.code.len();
                let (those, of) = spaces_of(s, f, cond)?;
                let w = s.set_words(of);
                let Some((before, x)) = all else {
                    all = Some((those, of));
                    continue;
                };
                if x != of {
                    return None;
                }
                // Every other condition implies that there is a space.
                let of_all = |f: &FnBuild, at: usize, r: R| matches!(f.code.get(at), Some(Ins::SAll { d, .. }) if *d == r);
                if f.code.len() == here + 1 && of_all(f, here, those) {
                    f.code.pop();
                    continue;
                }
                if here > 0 && of_all(f, here - 1, before) && f.code.len() == here + 1 {
                    all = Some((those, of));
                    continue;
                }
                all = Some((f.emit_new(w, |d| Ins::SAnd { d, a: before, b: those, w }), of));
            }
            if let Some((those, of)) = all {
                f.emit(Ins::SAtIn { d: e, e, s: those, u: u.0 as u8, w: s.set_words(of) });
            }
            for cond in &counted {
                let (those, of) = spaces_of(s, f, cond)?;
                f.emit(Ins::SAtIn { d: e, e, s: those, u: u.0 as u8, w: s.set_words(of) });
            }
            Some(e)
        };
        self.try_emit(f, cut).is_some()
    }

    /// The spaces of a map whose contents meet a condition.
    pub fn spaces_by_contents(
        &mut self,
        f: &mut FnBuild,
        cond: &Expr,
        u: UniverseId,
        spaces: UniverseId,
    ) -> Option<R> {
        let found = self.lift_to_spaces(f, cond, u)?;
        (found.of == spaces).then_some(found.s)
    }

    /// Tries to emit code; if that fails, removes all that was emitted.
    pub fn try_emit(
        &mut self,
        f: &mut FnBuild,
        run: impl FnOnce(&mut Self, &mut FnBuild) -> Option<R>,
    ) -> Option<R> {
        let (code, spans, next, errors) = (f.code.len(), f.spans.len(), f.next, self.errors.len());
        let asked = f.trial_mark();
        let out = run(self, f);
        if out.is_none() || self.errors.len() > errors {
            f.code.truncate(code);
            f.spans.truncate(spans);
            f.reset_trial(asked);
            f.next = next;
            self.errors.truncate(errors);
            return None;
        }
        out
    }

    /// Whether a condition depends on a component only by its space.
    pub fn depends_on_space_alone(
        &mut self,
        f: &mut FnBuild,
        c: &Expr,
        env: usize,
        l: LocalId,
        u: UniverseId,
    ) -> bool {
        if self.p.components_of(u).is_none() {
            return false;
        }
        let mut ty = None;
        let found = self.with_lifted(f, env, l, |s, f| s.rewrite_to_space(f, c, &mut ty).is_some());
        found && ty.is_some()
    }
}
