//! Vectorisation (`lift`): a condition on each member of a domain becomes set operations. Returns none for conditions that cannot be vectorised; the caller loops over these.
pub mod by_case;
pub mod by_print;
pub mod filter;
pub mod indirect;
pub mod neighbourhood;
pub mod pairs;
pub mod planes;

use crate::analysis::expr_forms::without_as_set;
use crate::fn_builder::{Bind, FnBuild, TrialSet};
use crate::ir::*;
use crate::layout::tables::Tables;
use crate::lower::Lower;
use crate::lower::values::aggregates::split_run_union;
use crate::setup::SeededFault;
use houserule_model::body::walk::rewrite_parts;
use houserule_model::body::{build, types};
use houserule_model::hir::*;

/// First of the names for sides of comparisons that are evaluated once; names of the rules are smaller.
const OPERAND: u32 = 4_000_000;

impl Tables<'_> {
    /// Whether a set expression is its whole universe.
    pub fn is_everything(&self, e: &Expr) -> bool {
        match &*e.kind {
            ExprKind::All(k) if types::is_component(self.m, *k) => self.is_all_of_universe(*k),
            ExprKind::All(_) => true,
            ExprKind::Builtin(Builtin::Players, _) => self.set.all_play(),
            ExprKind::Builtin(Builtin::AsSet, a) => a.first().is_some_and(|a| self.is_everything(a)),
            _ => false,
        }
    }

    /// Whether a kind of components fills its universe.
    fn is_all_of_universe(&self, k: KindId) -> bool {
        let comps = self.comps_of.get(&k).and_then(|c| self.p.comps.get(usize::from(*c)));
        let (Some(comps), Some(those)) = (comps, self.things_of.get(&k)) else { return false };
        those.iter().map(|w| w.count_ones()).sum::<u32>() == self.things_in(comps.universe)
    }

    /// The things that have a value of an attribute, or have none.
    fn lift_is_some(&mut self, f: &mut FnBuild, group: GroupIx, some: bool, u: UniverseId) -> R {
        let d = f.alloc(self.set_words(u));
        self.none_plane_into(f, group, d);
        if some != (self.opts.fault == Some(SeededFault::SomeIsNone)) {
            f.emit(Ins::SNot { d, a: d, u: u.0 as u8 });
        }
        d
    }

    /// Puts those that show a face of the set at `fs` into `d`: of the set that is filtered, if that is known, or of all.
    fn keep_faces(&self, f: &mut FnBuild, fs: R, u: UniverseId, d: R) {
        let s = match f.cut_set {
            Some((s, x)) if x == u => s,
            _ => {
                f.emit(Ins::SAll { d, u: u.0 as u8 });
                d
            }
        };
        f.emit(Ins::SByFace { d, s, f: fs, u: u.0 as u8 });
    }

    /// The components that show one of these faces.
    pub fn faces_set(&mut self, f: &mut FnBuild, faces: &[u16], u: UniverseId) -> R {
        let w = self.set_words(u);
        let fw = self.p.components_of(u).map_or(1, |c| self.set_words(c.faces));
        let mut words = vec![0u64; fw as usize];
        for face in faces {
            words[*face as usize / 64] |= 1 << (face % 64);
        }
        let at = self.add_const_set(&words);
        let fs = f.alloc(fw);
        let d = f.alloc(w);
        f.emit(Ins::SConst { d: fs, w: fw, k: at });
        self.keep_faces(f, fs, u, d);
        d
    }
}

impl Lower<'_> {
    /// Lifts a condition on the bound variable; none if there is no vectorised form. A condition that may fault is lifted only over the set in [`FnBuild::lifted_over`].
    pub fn lift_condition(&mut self, f: &mut FnBuild, cond: &Expr, u: UniverseId) -> Option<R> {
        if f.depth > 40 {
            return None;
        }
        // A constant condition holds for all or for none; its parts are not evaluated.
        if let Some(k) = self.known_constant(cond) {
            let d = f.alloc(self.set_words(u));
            f.emit(match k {
                0 => Ins::SZero { d, w: self.set_words(u) },
                _ => Ins::SAll { d, u: u.0 as u8 },
            });
            return Some(d);
        }
        // Parts of a condition that cannot fault cannot fault either.
        match f.lifted_over {
            Some(of) if !self.cannot_fault(f, cond) => self.lift_in_order(f, cond, of, u),
            None if !self.cannot_fault(f, cond) => None,
            of => {
                f.lifted_over = None;
                let found = self.lift_total(f, cond, u);
                f.lifted_over = of;
                found
            }
        }
    }

    /// Lifts a condition that may fault: each part is evaluated only for members for which the rules would evaluate it, and only if there are any.
    fn lift_in_order(
        &mut self,
        f: &mut FnBuild,
        cond: &Expr,
        (of, x): (R, UniverseId),
        u: UniverseId,
    ) -> Option<R> {
        if x != u {
            return None;
        }
        let w = self.set_words(u);
        if self.is_free(f, cond) {
            return Some(self.all_or_none_set(f, cond, u));
        }
        match &*cond.kind {
            ExprKind::Not(a) => {
                let x = self.lift_condition(f, a, u)?;
                Some(f.emit_new(w, |d| Ins::SNot { d, a: x, u: u.0 as u8 }))
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let and = matches!(&*cond.kind, ExprKind::And(..));
                let first = self.lift_condition(f, a, u)?;
                let (rest, d) = (f.alloc(w), f.alloc(w));
                // The second side is evaluated for members that the first does not decide.
                f.emit(match and {
                    true => Ins::SAnd { d: rest, a: of, b: first, w },
                    false => Ins::SAndNot { d: rest, a: of, b: first, w },
                });
                f.emit(Ins::MovN { d, a: if and { rest } else { first }, n: w });
                let (any, end) = (f.alloc(1), f.new_label());
                f.emit(Ins::SAny { d: any, s: rest, w });
                f.jz(any, end);
                let outer = (f.cut_set.replace((rest, u)), f.lifted_over.replace((rest, u)));
                let second = self.lift_condition(f, b, u);
                (f.cut_set, f.lifted_over) = outer;
                f.emit(Ins::SAnd { d: rest, a: rest, b: second?, w });
                f.emit(match and {
                    true => Ins::MovN { d, a: rest, n: w },
                    false => Ins::SOr { d, a: d, b: rest, w },
                });
                f.place_label(end);
                Some(d)
            }
            ExprKind::Value(v, args) => {
                let plain = self.plain_value(*v)?;
                let env = self.bind_arguments(f, plain.0, args);
                for (i, a) in args.iter().enumerate().take(plain.0) {
                    if !self.cannot_fault(f, a) {
                        let r = self.evaluate_once(f, a)?;
                        f.envs.get_mut(env)?.insert(LocalId(i as u32), Bind::Reg(r));
                    }
                }
                self.with_env(f, env, |s, f| s.lift_condition(f, &plain.1, u))
            }
            ExprKind::Local(_) => self.with_definition(f, cond, |s, f, x| s.lift_condition(f, x, u)),
            ExprKind::Compare(..) | ExprKind::In(..) => {
                let known = rewrite_parts(cond, &mut |x| self.evaluate_operand(f, x))?;
                self.lift_condition(f, &known, u)
            }
            _ => None,
        }
    }

    /// One side of a comparison: if it may fault, it is evaluated once and a name is bound to its value.
    fn evaluate_operand(&mut self, f: &mut FnBuild, e: &Expr) -> Option<Expr> {
        if self.cannot_fault(f, e) {
            return Some(e.clone());
        }
        let r = self.evaluate_once(f, e)?;
        let l = LocalId(OPERAND + f.code.len() as u32);
        f.bind(l, Bind::Reg(r));
        Some(build::expr(e.ty.clone(), e.span, ExprKind::Local(l)))
    }

    /// Evaluates an expression that does not depend on the lifted variable, once.
    fn evaluate_once(&mut self, f: &mut FnBuild, e: &Expr) -> Option<R> {
        if !self.is_free(f, e) || matches!(e.ty, Ty::Place | Ty::Text) {
            return None;
        }
        let r = f.alloc(self.width(&e.ty, e.span));
        let outer = (f.cut_set.take(), f.lifted_over.take());
        self.store(f, e, r);
        (f.cut_set, f.lifted_over) = outer;
        Some(r)
    }

    /// The whole universe or the empty set, by a condition that does not depend on the variable.
    fn all_or_none_set(&mut self, f: &mut FnBuild, cond: &Expr, u: UniverseId) -> R {
        let w = self.set_words(u);
        let (d, end) = (f.alloc(w), f.new_label());
        f.emit(Ins::SZero { d, w });
        let outer = (f.cut_set.take(), f.lifted_over.take());
        let r = self.expr_reg(f, cond);
        (f.cut_set, f.lifted_over) = outer;
        f.jz(r, end);
        f.emit(Ins::SAll { d, u: u.0 as u8 });
        f.place_label(end);
        d
    }

    #[allow(clippy::too_many_lines)] // One arm a row of the table in docs/machine.md, section 5.
    fn lift_total(&mut self, f: &mut FnBuild, cond: &Expr, u: UniverseId) -> Option<R> {
        let w = self.set_words(u);
        let u8_ = u.0 as u8;
        if self.is_free(f, cond) {
            return Some(self.all_or_none_set(f, cond, u));
        }
        // Tries the whole condition through printed values first, then through a slot.
        if let Some(d) = self.try_emit(f, |s, f| s.lift_printed(f, cond, u)) {
            return Some(d);
        }
        if let Some(d) = self.try_emit(f, |s, f| s.lift_slot(f, cond, u)) {
            return Some(d);
        }
        if let Some(d) = self.try_emit(f, |s, f| s.lift_by_space(f, cond, u)) {
            return Some(d);
        }
        if let Some(d) = self.try_emit(f, |s, f| s.lift_by_step(f, cond, u)) {
            return Some(d);
        }
        if let Some(d) = self.try_emit(f, |s, f| s.lift_by_print(f, cond, u)) {
            return Some(d);
        }
        match &*cond.kind {
            ExprKind::Value(v, args)
                if let [arg] = args.as_slice()
                    && self.is_lifted(f, arg)
                    && let Some(at) = self.tabulated_truth(*v, u) =>
            {
                Some(f.emit_new(w, |d| Ins::SConst { d, w, k: at }))
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let and = matches!(&*cond.kind, ExprKind::And(..));
                // If one side holds for all or for none, the result is the other side or is decided.
                let free = (self.is_free(f, a), self.is_free(f, b));
                if free.0 != free.1 {
                    let (ours, all) = if free.0 { (b, a) } else { (a, b) };
                    let r = self.lift_condition(f, ours, u)?;
                    let d = f.alloc(w);
                    let end = f.new_label();
                    f.emit(Ins::MovN { d, a: r, n: w });
                    self.branch(f, all, and, end);
                    f.emit(if and { Ins::SZero { d, w } } else { Ins::SAll { d, u: u8_ } });
                    f.place_label(end);
                    return Some(d);
                }
                let x = self.lift_condition(f, a, u)?;
                let y = self.lift_condition(f, b, u)?;
                let d = f.alloc(w);
                f.emit(if and { Ins::SAnd { d, a: x, b: y, w } } else { Ins::SOr { d, a: x, b: y, w } });
                Some(d)
            }
            ExprKind::Not(a) => {
                // `not … is none` and `not … is empty` have a direct form without a complement.
                match &*a.kind {
                    ExprKind::IsEmpty(x) => return self.lift_not_empty(f, x, u),
                    ExprKind::IsSome(x) if let Some(group) = self.own_group(f, x) => {
                        return Some(self.lift_is_some(f, group, false, u));
                    }
                    ExprKind::Not(b) => return self.lift_condition(f, b, u),
                    _ => {}
                }
                let x = self.lift_condition(f, a, u)?;
                Some(f.emit_new(w, |d| Ins::SNot { d, a: x, u: u8_ }))
            }
            ExprKind::IsSome(x) => {
                if let Some(group) = self.own_group(f, x) {
                    return Some(self.lift_is_some(f, group, true, u));
                }
                match &*x.kind {
                    // { line : the first space of the line where P holds exists }
                    ExprKind::First { n: None, of, .. } => {
                        let ExprKind::Where(src, l, p) = &*without_as_set(of).kind else { return None };
                        let ExprKind::Builtin(Builtin::LineSpaces, args) = &*src.kind else { return None };
                        let line = args.first()?;
                        if !self.is_lifted(f, line) || !self.is_free(f, p) {
                            return None;
                        }
                        let t = self.rank_table(&line.ty)?;
                        let spaces = self.p.line_tables[t.index()].universe;
                        let s = self.filter_universe(f, spaces, *l, p);
                        Some(f.emit_new(w, |d| Ins::LinesMeeting { d, s, t }))
                    }
                    ExprKind::Builtin(Builtin::Distance, _) => self.lift_distance(f, x, None, u),
                    ExprKind::Local(l) => match self.binding_of(f, *l) {
                        Some(Bind::Lifted) => Some(f.emit_new(w, |d| Ins::SAll { d, u: u8_ })),
                        Some(Bind::Alias(y, env)) => {
                            let some = build::cond(cond.span, ExprKind::IsSome((*y).clone()));
                            self.with_env(f, env, |s, f| s.lift_condition(f, &some, u))
                        }
                        _ => None,
                    },
                    _ => None,
                }
            }
            ExprKind::IsEmpty(x) => {
                let d = self.lift_not_empty(f, x, u)?;
                f.emit(Ins::SNot { d, a: d, u: u8_ });
                Some(d)
            }
            ExprKind::Compare(op, a, b) => {
                if let Some(there_is) = self.as_existence(*op, a, b)
                    && let Some(d) = self.try_emit(f, |s, f| s.lift_condition(f, &there_is, u))
                {
                    return Some(d);
                }
                let (a, b, op) = if self.is_free(f, a) { (b, a, op.flipped()) } else { (a, b, *op) };
                if !self.is_free(f, b) || matches!(b.ty, Ty::Set(_) | Ty::List(_)) {
                    return None;
                }
                if self.is_lifted(f, a) {
                    if !matches!(op, Comparison::Eq | Comparison::Ne) {
                        return None;
                    }
                    let r = self.expr_reg(f, b);
                    let i = self.value_to_element(f, u, r);
                    let d = f.emit_new(w, |d| Ins::SOne { d, i, w });
                    if op == Comparison::Ne {
                        f.emit(Ins::SNot { d, a: d, u: u8_ });
                    }
                    return Some(d);
                }
                if let Comparison::Le | Comparison::Lt = op
                    && let Some(most) = self.known_constant(b).map(|k| k - i64::from(op == Comparison::Lt))
                {
                    // An unreachable space counts as too far.
                    let far = match &*a.kind {
                        ExprKind::Default(x, other)
                            if self.known_constant(other).is_some_and(|k| k > most) =>
                        {
                            x
                        }
                        _ => a,
                    };
                    if let Some(d) = self.try_emit(f, |s, f| s.lift_distance(f, far, Some(most), u)) {
                        return Some(d);
                    }
                }
                if let Some(d) = self.try_emit(f, |s, f| s.lift_by_face_value(f, op, a, b, u)) {
                    return Some(d);
                }
                if let (Comparison::Lt | Comparison::Le | Comparison::Gt | Comparison::Ge, Some((t, attr))) =
                    (op, self.own_table(f, a))
                {
                    let group = self.fixed_group(attr, t, op, u)?;
                    let d = f.alloc(w);
                    let i = self.expr_reg(f, b);
                    self.value_plane_into(f, group, d, i);
                    return Some(d);
                }
                if let Some(k) = self.known_constant(b).filter(|k| *k != NONE)
                    && !matches!(&*a.kind, ExprKind::Attr(..))
                    && let Some(d) = self.try_emit(f, |s, f| s.lift_by_pair(f, op, a, k, u))
                {
                    return Some(d);
                }
                if let Some(d) = self.try_emit(f, |s, f| s.lift_by_count(f, (op, a, b), u)) {
                    return Some(d);
                }
                if let Some(d) = self.try_emit(f, |s, f| s.lift_by_case(f, (op, a, b), u, 0)) {
                    return Some(d);
                }
                if op.is_order() {
                    return None;
                }
                let group = self.own_group(f, a)?;
                let d = f.alloc(w);
                match self.known_constant(b) {
                    Some(NONE) => self.none_plane_into(f, group, d),
                    Some(k) if let Some(at) = self.plane_at(group, k) => self.plane_into(f, group, d, at),
                    _ => {
                        let i = self.expr_reg(f, b);
                        self.value_plane_into(f, group, d, i);
                    }
                }
                if op == Comparison::Ne {
                    f.emit(Ins::SNot { d, a: d, u: u8_ });
                    if self.opts.fault == Some(SeededFault::NotEqualForgetsNone) {
                        let n = f.alloc(w);
                        self.none_plane_into(f, group, n);
                        f.emit(Ins::SAndNot { d, a: d, b: n, w });
                    }
                }
                Some(d)
            }
            ExprKind::In(x, s) if matches!(&*s.kind, ExprKind::Builtin(..)) && self.is_free(f, x) => {
                let ExprKind::Builtin(b, args) = &*s.kind else { return None };
                self.lift_board(f, x, *b, args, u)
            }
            ExprKind::In(x, s) if self.is_lifted(f, x) && self.is_free(f, s) => match &*s.kind {
                ExprKind::PlaceOf(..) | ExprKind::Box(_) => {
                    let p = f.alloc(1);
                    self.set_box_kind(x);
                    self.place_into(f, s, p);
                    self.box_kind = None;
                    Some(f.emit_new(w, |d| Ins::Members { d, p, u: u8_ }))
                }
                ExprKind::Range(..) => None,
                _ => {
                    let su = self.universe_of(&s.ty, s.span);
                    if su != u && self.is_shown(u, su) {
                        // The dice that show one of these sides.
                        let wanted = self.set_reg(f, s, su);
                        let d = f.emit_new(w, |d| Ins::SAll { d, u: u8_ });
                        f.emit(Ins::SByShown { d, s: d, f: wanted, u: u8_ });
                        return Some(d);
                    }
                    if su != u {
                        return None;
                    }
                    Some(self.set_reg(f, s, u))
                }
            },
            ExprKind::In(x, s) if self.is_free(f, s) => self.lift_attr_among(f, x, s, u),
            ExprKind::Attr(..) => {
                let group = self.own_group(f, cond)?;
                let d = f.alloc(w);
                match self.plane_at(group, 1) {
                    Some(at) => self.plane_into(f, group, d, at),
                    None => {
                        let i = f.load_number(1);
                        self.value_plane_into(f, group, d, i);
                    }
                }
                Some(d)
            }
            ExprKind::IsFace(x, m, None) if self.is_lifted(f, x) && self.p.components_of(u).is_some() => {
                let (first, _, keys) = self.faces_of.get(m).copied().unwrap_or((0, 0, 0));
                let faces: Vec<u16> = (first..first + keys).collect();
                Some(self.faces_set(f, &faces, u))
            }
            ExprKind::Builtin(Builtin::InZone, args)
                if args.first().is_some_and(|x| self.is_lifted(f, x)) =>
            {
                let (ExprKind::PlaceOf(_, z, _) | ExprKind::Zone(_, z, _)) = &*args.get(1)?.kind else {
                    return None;
                };
                let zone =
                    self.zone_ix.get(z).copied().filter(|zone| self.held_universe(*zone) == Some(u))?;
                Some(f.emit_new(w, |d| Ins::ZoneMembers { d, u: u8_, zone }))
            }
            ExprKind::IsKind(x, k)
                if self.is_lifted(f, x) && !matches!(types::plain(&x.ty), Ty::Face(_) | Ty::Side(_)) =>
            {
                let d = f.alloc(w);
                match f.cut_set {
                    Some((s, x)) if x == u && !self.is_whole_family(*k) => self.keep_kind(f, *k, u, (d, s)),
                    _ => self.of_kind_into(f, *k, u, d),
                }
                Some(d)
            }
            ExprKind::Value(v, args)
                if let [arg] = args.as_slice()
                    && f.is_noting
                    && self.is_lifted(f, arg)
                    && let Some((_, r)) = f.available_sets.iter().find(|(x, _)| *x == (*v, u)) =>
            {
                Some(*r)
            }
            ExprKind::Value(v, args) => {
                let plain = self.plain_value(*v)?;
                let (params, body) = &*plain;
                let env = self.bind_arguments_once(f, *params, args, body);
                let (from, asked) = (f.code.len(), f.trial_sets.len());
                let d = self.with_env(f, env, |s, f| s.lift_condition(f, body, u))?;
                // A set of few instructions is not worth caching.
                let looks = |ins: &Ins| matches!(ins, Ins::SHolders { .. } | Ins::SCrowd { .. });
                let worth = f.code.len() > from + 3 || f.code.iter().skip(from).any(looks);
                if f.is_noting && args.len() == 1 && self.is_lifted(f, &args[0]) && worth {
                    f.trial_sets.iter_mut().skip(asked).for_each(|x| x.directly = false);
                    f.trial_sets.push(TrialSet { value: *v, of: u, directly: true });
                }
                Some(d)
            }
            ExprKind::Local(_) => self.with_definition(f, cond, |s, f, x| s.lift_condition(f, x, u)),
            ExprKind::Fold(fold) if matches!(fold.op, FoldOp::Any | FoldOp::Every | FoldOp::No) => {
                match self.try_emit(f, |s, f| s.lift_near(f, fold, u)) {
                    Some(d) => Some(d),
                    None => self.lift_fold(f, fold, u),
                }
            }
            _ => None,
        }
    }

    /// The components whose number, which depends only on printed values, meets a comparison with a number known in play: for each value of that number, a set of faces.
    fn lift_by_face_value(
        &mut self,
        f: &mut FnBuild,
        op: Comparison,
        a: &Expr,
        b: &Expr,
        u: UniverseId,
    ) -> Option<R> {
        let faces = self.p.components_of(u)?.faces;
        if !matches!(a.ty, Ty::Int(..)) || !matches!(&*a.kind, ExprKind::Value(..)) || op == Comparison::Ne {
            return None;
        }
        let mut its: Vec<LocalId> = Vec::new();
        houserule_model::body::walk::visit_exprs(a, &mut |x| {
            if let ExprKind::Local(l) = &*x.kind
                && self.is_lifted(f, x)
            {
                its.push(*l);
            }
        });
        let (mut values, mut lo, mut hi) = (Vec::new(), i32::MAX, i32::MIN);
        for face in 0..self.things_in(faces) {
            let names: Vec<(LocalId, i64)> =
                its.iter().map(|l| (*l, crate::layout::const_eval::OF_FACE + i64::from(face))).collect();
            let x = i32::try_from(self.constant_with(a, &names).int()?).ok().filter(|x| *x != i32::MIN)?;
            (lo, hi) = (lo.min(x), hi.max(x));
            values.push(x);
        }
        let key = (values, op);
        let group = match self.groups_by_values.get(&key) {
            Some(group) => *group,
            None => {
                let group = self.planes_of(&key.0, op, (lo, hi), faces)?;
                self.groups_by_values.insert(key, group);
                group
            }
        };
        let (w, fw) = (self.set_words(u), self.set_words(faces));
        let i = self.expr_reg(f, b);
        let (fs, d) = (f.alloc(fw), f.alloc(w));
        f.emit(Ins::PlaneC { d: fs, i, group });
        self.keep_faces(f, fs, u, d);
        Some(d)
    }

    /// Runs on the expression behind a name, or on the body of the value that is called, in its environment; none for other names, and for values that must be called.
    pub fn with_definition<T>(
        &mut self,
        f: &mut FnBuild,
        e: &Expr,
        run: impl FnOnce(&mut Self, &mut FnBuild, &Expr) -> Option<T>,
    ) -> Option<T> {
        match &*e.kind {
            ExprKind::Local(l) => match self.binding_of(f, *l)? {
                Bind::Alias(x, env) => self.with_env(f, env, |s, f| run(s, f, &x)),
                _ => None,
            },
            ExprKind::Value(v, args) => {
                let plain = self.plain_value(*v)?;
                let (params, body) = &*plain;
                let env = self.bind_arguments_once(f, *params, args, body);
                self.with_env(f, env, |s, f| run(s, f, body))
            }
            _ => None,
        }
    }

    /// { x : e(x) is not empty }
    pub fn lift_not_empty(&mut self, f: &mut FnBuild, e: &Expr, u: UniverseId) -> Option<R> {
        match &*e.kind {
            ExprKind::Value(..) | ExprKind::Local(_) => {
                self.with_definition(f, e, |s, f, x| s.lift_not_empty(f, x, u))
            }
            ExprKind::Builtin(Builtin::AsSet, a) => self.lift_not_empty(f, a.first()?, u),
            // The spaces on which something lies.
            ExprKind::Zone(Some(x), z, None) if self.is_lifted(f, x) => {
                let zone = self.zone_ix.get(z).copied()?;
                let slot = self.p.zones.get(zone.index())?;
                if slot.of != Some(u) || slot.indexes > 1 {
                    return None;
                }
                let of = self.p.comps.get(slot.holds as usize)?.universe;
                let (s, d) = (f.alloc(self.set_words(of)), f.alloc(self.set_words(u)));
                f.emit(Ins::SAll { d: s, u: of.0 as u8 });
                f.emit(Ins::SHolders { d, s, zone });
                Some(d)
            }
            ExprKind::Fold(fold) => {
                let (c, p, q) = split_run_union(fold)?;
                if !self.is_lifted(f, c) || !self.is_free(f, p) || !self.is_free(f, q) {
                    return None;
                }
                let (m, _) = self.map_of(&c.ty, c.span);
                let (p, mut q) = (self.set_reg(f, p, u), self.set_reg(f, q, u));
                let w = self.set_words(u);
                if self.opts.fault == Some(SeededFault::RunNeedNotClose) {
                    let all = f.emit_new(w, |d| Ins::SAll { d, u: u.0 as u8 });
                    q = all;
                }
                Some(f.emit_new(w, |d| Ins::RunSrc { d, p, q, m }))
            }
            _ => None,
        }
    }

    /// The set of all things of `u` for which the condition on the local `l` holds; emits nothing and returns none if there is no vectorised form.
    pub fn lift(
        &mut self,
        f: &mut FnBuild,
        cond: &Expr,
        inner: usize,
        l: LocalId,
        u: UniverseId,
    ) -> Option<R> {
        let outer = f.lifted_over.take();
        let found = self.try_emit(f, |s, f| s.with_lifted(f, inner, l, |s, f| s.lift_condition(f, cond, u)));
        f.lifted_over = outer;
        found
    }

    /// The same for a condition that may fault, evaluated for the things in the nonempty set at `s`.
    pub fn lift_over(
        &mut self,
        f: &mut FnBuild,
        cond: &Expr,
        (inner, l): (usize, LocalId),
        s: R,
        u: UniverseId,
    ) -> Option<R> {
        let outer = f.lifted_over.replace((s, u));
        let found = self.try_emit(f, |s, f| s.with_lifted(f, inner, l, |s, f| s.lift_condition(f, cond, u)));
        f.lifted_over = outer;
        found
    }
}
