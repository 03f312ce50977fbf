//! Comprehensions as set operations, where they can be (the table of the design), and one by one where not.
use super::build::{Bind, FnBuild};
use super::folds::runs;
use super::ir::*;
use super::lower::{Home, Lower};
use super::setup::SeededFault;
use super::shared::Asked;
use super::through::counts_there;
use crate::model::body::types;
use crate::model::hir::*;
use crate::text::Span;

impl Lower<'_> {
    /// Whether an expression is all of its universe.
    pub fn everything(&self, e: &Expr) -> bool {
        match &*e.kind {
            ExprKind::All(k) if types::is_component(self.m, *k) => self.all_of_universe(*k),
            ExprKind::All(_) => true,
            ExprKind::Builtin(Builtin::Players, _) => self.set.all_play(),
            ExprKind::Builtin(Builtin::AsSet, a) => a.first().is_some_and(|a| self.everything(a)),
            _ => false,
        }
    }

    /// Whether a kind of components is all that its universe holds.
    fn all_of_universe(&self, k: KindId) -> bool {
        let comps = self.comps_of.get(&k).and_then(|c| self.p.comps.get(usize::from(*c)));
        let (Some(comps), Some(those)) = (comps, self.things_of.get(&k)) else { return false };
        those.iter().map(|w| w.count_ones()).sum::<u32>() == self.n(comps.universe)
    }

    /// Whether anything in the set at `s` passes all that is left to judge: stops at the first.
    pub fn search(
        &mut self,
        f: &mut FnBuild,
        s: R,
        u: UniverseId,
        l: LocalId,
        rest: &[(&Expr, usize)],
        d: R,
    ) {
        let w = self.w(u);
        if rest.is_empty() {
            f.emit(Ins::SAny { d, s, w });
            return;
        }
        let base = f.next;
        let found = f.li(0);
        let (i, top, end) = f.each(s, w);
        let x = f.alloc(1);
        f.emit(Ins::AddK { d: x, a: i, k: self.lo(u) });
        let outer = self.bound(f, l);
        f.bind(l, Bind::Reg(x));
        let skip = f.skip.take();
        for (c, env) in rest {
            let inner = f.next;
            self.branch_in(f, *env, c, false, top);
            f.next = inner;
        }
        f.skip = skip;
        f.emit(Ins::Li { d: found, k: 1 });
        f.place(end);
        f.emit(Ins::Mov { d, a: found });
        if let Some(b) = outer {
            f.bind(l, b);
        }
        f.next = base;
    }

    /// Takes out of the set at `s` what does not pass: lifted conjuncts first, then one by one.
    pub fn filter_into(&mut self, f: &mut FnBuild, s: R, u: UniverseId, l: LocalId, cond: &Expr) {
        let env = f.env;
        let rest = self.filter_lifted(f, s, u, l, &[(cond, env)], false);
        self.filter_each(f, s, u, l, &rest);
    }

    /// Takes out what lifted conjuncts say, and gives the others. `full`: the set holds everything, so the first can stand for it.
    pub fn filter_lifted<'e>(
        &mut self,
        f: &mut FnBuild,
        s: R,
        u: UniverseId,
        l: LocalId,
        conds: &[(&'e Expr, usize)],
        mut full: bool,
    ) -> Vec<(&'e Expr, usize)> {
        let w = self.w(u);
        let mut rest = Vec::new();
        if !self.opts.lift {
            conds.iter().for_each(|(cond, env)| {
                let mut conjuncts = Vec::new();
                split(cond, &mut conjuncts);
                rest.extend(conjuncts.into_iter().map(|c| (c, *env)));
            });
            return rest;
        }
        // What takes a loop comes last, and only if something is left to judge.
        let mut parts: Vec<(Part<'e>, usize, bool)> = Vec::new();
        let mut n = 0;
        for (cond, env) in conds {
            let mut conjuncts = Vec::new();
            split(cond, &mut conjuncts);
            let mut there: Option<usize> = None;
            for c in conjuncts {
                n += 1;
                // What does not hang on the thing is asked once; it may make sure that what stands behind it can be asked.
                if self.judged_lifted(f, *env, l, |s, f| s.free(f, c)) {
                    there = None;
                    parts.push((Part::Once(c), *env, false));
                    continue;
                }
                // What looks at the same space is found together.
                if self.only_of_space(f, c, *env, l, u) {
                    match there.and_then(|i| parts.get_mut(i)) {
                        Some((Part::Together(all), ..)) => all.push((n, c)),
                        _ => {
                            there = Some(parts.len());
                            parts.push((Part::Together(vec![(n, c)]), *env, false));
                        }
                    }
                    continue;
                }
                let dear = self.judged_lifted(f, *env, l, |s, f| s.dear(f, c, 0));
                parts.push((Part::One(n, c), *env, dear));
            }
        }
        parts.sort_by_key(|(_, _, dear)| *dear);
        let nothing = f.label();
        let (mut asked, mut left) = (false, Vec::new());
        let mut parts = std::collections::VecDeque::from(parts);
        while let Some((part, env, dear)) = parts.pop_front() {
            let base = f.next;
            if dear && !full && !asked {
                let any = f.alloc(1);
                f.emit(Ins::SAny { d: any, s, w });
                f.jz(any, nothing);
                asked = true;
            }
            let whole;
            if let Part::Once(c) = part {
                let on = f.label();
                self.branch_in(f, env, c, true, on);
                f.emit(Ins::SZero { d: s, w });
                f.jmp(nothing);
                f.place(on);
                f.next = base;
                continue;
            }
            // What several conditions say of the space is one set of spaces.
            if let (false, Part::Together(all)) = (full, &part) {
                let mut said = vec![(all_of(all), env)];
                said.extend(parts.iter().map_while(|(next, env, _)| match next {
                    Part::Together(all) => Some((all_of(all), *env)),
                    _ => None,
                }));
                let crowded = all.len() > 1 && all.iter().any(|(_, c)| counts_there(c));
                if (said.len() > 1 || crowded) && self.cut_by_space(f, s, u, l, &said) {
                    parts.drain(..said.len() - 1);
                    f.next = base;
                    continue;
                }
            }
            let c = match &part {
                Part::Once(c) => *c,
                Part::One(_, c) => *c,
                Part::Together(all) => {
                    whole = all_of(all);
                    &whole
                }
            };
            if !full && self.cut_unless(f, s, u, l, (c, env)) {
                f.next = base;
                continue;
            }
            let outer = std::mem::replace(&mut f.domain, (!full).then_some((s, u)));
            let lifted = self.lift(f, c, env, l, u);
            f.domain = outer;
            match (lifted, part) {
                (Some(r), _) if full => {
                    f.emit(Ins::MovN { d: s, a: r, n: w });
                    full = false;
                }
                (Some(r), _) => match f.code.last_mut() {
                    // It was cut out of the set itself.
                    Some(Ins::SAtIn { d, e, .. } | Ins::SByFace { d, s: e, .. }) if *d == r && *e == s => {
                        *d = s
                    }
                    _ => f.emit(Ins::SAnd { d: s, a: s, b: r, w }),
                },
                (None, Part::One(_, c))
                    if left.is_empty() && !full && self.one_or_other(f, s, u, l, c, env) => {}
                (None, Part::Once(_)) => {}
                (None, Part::One(n, c)) => left.push((n, c, env)),
                (None, Part::Together(all)) => left.extend(all.into_iter().map(|(n, c)| (n, c, env))),
            }
            f.next = base;
        }
        f.place(nothing);
        // What is judged one by one is judged in the order in which it stands: one may make sure that the next can be asked.
        left.sort_by_key(|(n, ..)| *n);
        rest.extend(left.into_iter().map(|(_, c, env)| (c, env)));
        rest
    }

    /// Of a condition that holds of all where something holds that does not look at the thing (`busy is none or busy == w`): where it does not, the set at `s` is cut with the rest.
    fn cut_unless(
        &mut self,
        f: &mut FnBuild,
        s: R,
        u: UniverseId,
        l: LocalId,
        (c, env): (&Expr, usize),
    ) -> bool {
        let not = |e: &Expr| match &*e.kind {
            ExprKind::Not(x) => x.clone(),
            _ => Expr { ty: Ty::Bool, span: e.span, kind: Box::new(ExprKind::Not(e.clone())) },
        };
        let (all, when, rest) = match &*c.kind {
            ExprKind::Or(a, b) => (a, true, b.clone()),
            ExprKind::Not(x) => match &*x.kind {
                ExprKind::And(a, b) => (a, false, not(b)),
                _ => return false,
            },
            _ => return false,
        };
        if !self.judged_lifted(f, env, l, |s, f| s.free(f, all)) {
            return false;
        }
        let w = self.w(u);
        let on = f.label();
        let cut = |me: &mut Self, f: &mut FnBuild| {
            me.branch_in(f, env, all, when, on);
            let outer = f.domain.replace((s, u));
            let lifted = me.judged_lifted(f, env, l, |s, f| s.lifted(f, &rest, u));
            f.domain = outer;
            f.emit(Ins::SAnd { d: s, a: s, b: lifted?, w });
            Some(s)
        };
        let done = self.attempt(f, cut).is_some();
        if done {
            f.place(on);
        }
        done
    }

    /// Takes out of the set at `s` those of which neither side of an `or` holds, if the first can be lifted: only the others are judged by the second.
    fn one_or_other(
        &mut self,
        f: &mut FnBuild,
        s: R,
        u: UniverseId,
        l: LocalId,
        c: &Expr,
        env: usize,
    ) -> bool {
        let ExprKind::Or(a, b) = &*c.kind else { return false };
        let w = self.w(u);
        let outer = f.domain.replace((s, u));
        let lifted = self.lift(f, a, env, l, u);
        f.domain = outer;
        let Some(yes) = lifted else { return false };
        let rest = f.alloc(w);
        f.emit(Ins::SAndNot { d: rest, a: s, b: yes, w });
        // Mostly none are left.
        let (any, done) = (f.alloc(1), f.label());
        f.emit(Ins::SAny { d: any, s: rest, w });
        f.jz(any, done);
        f.emit(Ins::SAnd { d: s, a: s, b: yes, w });
        self.filter_each(f, rest, u, l, &[(b, env)]);
        f.emit(Ins::SOr { d: s, a: s, b: rest, w });
        f.place(done);
        true
    }

    /// Asks something of a condition while a name stands for what is being lifted.
    pub fn judged_lifted<T>(
        &mut self,
        f: &mut FnBuild,
        env: usize,
        l: LocalId,
        ask: impl FnOnce(&mut Self, &mut FnBuild) -> T,
    ) -> T {
        let outer = self.bound(f, l);
        f.bind(l, Bind::Lifted);
        let found = if env == f.env { ask(self, f) } else { self.within(f, env, ask) };
        match outer {
            Some(b) => f.bind(l, b),
            None => {
                let env = f.env;
                f.envs[env].remove(&l);
            }
        }
        found
    }

    /// Whether a condition takes a loop to judge for what is lifted, as far as its form tells.
    pub fn dear(&self, f: &FnBuild, e: &Expr, depth: usize) -> bool {
        match &*e.kind {
            _ if depth > 40 => true,
            ExprKind::Local(_) => false,
            _ if self.free(f, e) => false,
            ExprKind::Fold(_) | ExprKind::Where(..) => true,
            ExprKind::Builtin(Builtin::Reachable | Builtin::Distance, _) => true,
            ExprKind::Value(v, args) => {
                args.iter().any(|a| self.dear(f, a, depth + 1))
                    || self.plain_value(*v).is_none_or(|plain| takes_a_loop(self, &plain.1, 0))
            }
            ExprKind::In(_, s) if self.free(f, s) && takes_a_loop(self, s, 0) => true,
            _ => crate::model::body::walk::parts(e).into_iter().any(|x| self.dear(f, x, depth + 1)),
        }
    }

    /// Takes out of the full set at `s` what does not pass.
    pub fn filter_full(&mut self, f: &mut FnBuild, s: R, u: UniverseId, l: LocalId, cond: &Expr) {
        let env = f.env;
        let rest = self.filter_lifted(f, s, u, l, &[(cond, env)], true);
        self.filter_each(f, s, u, l, &rest);
    }

    /// Takes out one by one what does not pass.
    pub fn filter_each(&mut self, f: &mut FnBuild, s: R, u: UniverseId, l: LocalId, rest: &[(&Expr, usize)]) {
        let w = self.w(u);
        if rest.is_empty() {
            return;
        }
        let base = f.next;
        let (i, top, end) = f.each(s, w);
        let x = f.alloc(1);
        f.emit(Ins::AddK { d: x, a: i, k: self.lo(u) });
        let drop = f.label();
        let outer = self.bound(f, l);
        f.bind(l, Bind::Reg(x));
        let skip = f.skip.take();
        // What several of them ask for is worked out once.
        let mut together: Vec<(Expr, usize)> = Vec::new();
        for (n, (c, env)) in rest.iter().enumerate().rev() {
            match together.last_mut() {
                Some((all, same)) if same == env => {
                    let both = ExprKind::And((*c).clone(), all.clone());
                    let both = Expr { ty: Ty::Bool, span: c.span, kind: Box::new(both) };
                    *all = super::shared::shared_calls(both, n as u32);
                }
                _ => together.push(((*c).clone(), *env)),
            }
        }
        together.reverse();
        let rest = together;
        for (k, (c, env)) in rest.iter().enumerate() {
            let inner = f.next;
            let last = k + 1 == rest.len();
            self.branch_in(f, *env, c, last, if last { top } else { drop });
            f.next = inner;
        }
        f.skip = skip;
        f.place(drop);
        f.emit(Ins::SDel { d: s, i, w });
        f.jmp(top);
        f.place(end);
        if let Some(b) = outer {
            f.bind(l, b);
        }
        f.next = base;
    }

    /// The set of all things of `u` for which the condition on local `l` holds; nothing is emitted if there is no such code.
    pub fn lift(
        &mut self,
        f: &mut FnBuild,
        cond: &Expr,
        inner: usize,
        l: LocalId,
        u: UniverseId,
    ) -> Option<R> {
        self.attempt(f, |s, f| s.judged_lifted(f, inner, l, |s, f| s.lifted(f, cond, u)))
    }

    /// Whether the expression is the variable that is being lifted.
    pub fn is_lifted(&self, f: &FnBuild, e: &Expr) -> bool {
        match &*e.kind {
            ExprKind::Local(l) => match self.bound(f, *l) {
                Some(Bind::Lifted) => true,
                Some(Bind::Alias(x, env)) => {
                    let mut inner = x;
                    let mut at = env;
                    // An alias of the variable is the variable.
                    for _ in 0..32 {
                        let ExprKind::Local(l2) = &*inner.kind else { return false };
                        match f.envs.get(at).and_then(|e| e.get(l2)) {
                            Some(Bind::Lifted) => return true,
                            Some(Bind::Alias(y, e2)) => {
                                at = *e2;
                                inner = y.clone();
                            }
                            _ => return false,
                        }
                    }
                    false
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether the expression looks at the variable that is being lifted, by whatever name.
    fn depends(&self, f: &FnBuild, e: &Expr, env: usize, depth: usize) -> bool {
        if depth > 32 {
            return true;
        }
        let mut found = false;
        crate::model::body::walk::every(e, &mut |x| {
            if let ExprKind::Local(l) = &*x.kind {
                found |= match f.envs.get(env).and_then(|e| e.get(l)) {
                    Some(Bind::Lifted) => true,
                    Some(Bind::Alias(y, e2)) => self.depends(f, y, *e2, depth + 1),
                    Some(Bind::Call(_, args, e2)) => args.iter().any(|y| self.depends(f, y, *e2, depth + 1)),
                    _ => false,
                };
            }
        });
        found
    }

    pub fn free(&self, f: &FnBuild, e: &Expr) -> bool {
        !self.depends(f, e, f.env, 0)
    }

    #[allow(clippy::too_many_lines)] // The table of vm.md section 4, a row an arm.
    pub fn lifted(&mut self, f: &mut FnBuild, cond: &Expr, u: UniverseId) -> Option<R> {
        let w = self.w(u);
        let u8_ = u.0 as u8;
        if f.depth > 40 {
            return None;
        }
        if self.free(f, cond) {
            // All or nothing.
            let d = f.alloc(w);
            let end = f.label();
            f.emit(Ins::SZero { d, w });
            let r = self.one(f, cond);
            f.jz(r, end);
            f.emit(Ins::SAll { d, u: u8_ });
            f.place(end);
            return Some(d);
        }
        // The most at once: the whole of it through what is printed, or through what lies in a slot.
        if let Some(d) = self.attempt(f, |s, f| s.lifted_print(f, cond, u)) {
            return Some(d);
        }
        if let Some(d) = self.attempt(f, |s, f| s.lifted_slot(f, cond, u)) {
            return Some(d);
        }
        if let Some(d) = self.attempt(f, |s, f| s.lifted_at(f, cond, u)) {
            return Some(d);
        }
        match &*cond.kind {
            ExprKind::Value(v, args)
                if let [arg] = args.as_slice()
                    && self.is_lifted(f, arg)
                    && let Some(at) = self.tabulated_truth(*v, u) =>
            {
                let d = f.alloc(w);
                f.emit(Ins::SConst { d, w, k: at });
                Some(d)
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let and = matches!(&*cond.kind, ExprKind::And(..));
                // One side holds of all or of none: the other is what is left, or it is overruled.
                let free = (self.free(f, a), self.free(f, b));
                if free.0 != free.1 {
                    let (ours, all) = if free.0 { (b, a) } else { (a, b) };
                    let r = self.lifted(f, ours, u)?;
                    let d = f.alloc(w);
                    let end = f.label();
                    f.emit(Ins::MovN { d, a: r, n: w });
                    self.branch(f, all, and, end);
                    f.emit(if and { Ins::SZero { d, w } } else { Ins::SAll { d, u: u8_ } });
                    f.place(end);
                    return Some(d);
                }
                let x = self.lifted(f, a, u)?;
                let y = self.lifted(f, b, u)?;
                if let Some(d) = self.joined_constants(f, and, w) {
                    return Some(d);
                }
                let d = f.alloc(w);
                f.emit(if and { Ins::SAnd { d, a: x, b: y, w } } else { Ins::SOr { d, a: x, b: y, w } });
                Some(d)
            }
            ExprKind::Not(a) => {
                // What is not none is some, what is not empty has something: no set is turned over twice.
                match &*a.kind {
                    ExprKind::IsEmpty(x) => return self.lifted_not_empty(f, x, u),
                    ExprKind::IsSome(x) if self.own_group(f, x).is_some() => {
                        let group = self.own_group(f, x)?;
                        let d = f.alloc(w);
                        self.none_plane(f, group, d);
                        if self.opts.fault == Some(SeededFault::SomeIsNone) {
                            f.emit(Ins::SNot { d, a: d, u: u8_ });
                        }
                        return Some(d);
                    }
                    ExprKind::Not(b) => return self.lifted(f, b, u),
                    _ => {}
                }
                let x = self.lifted(f, a, u)?;
                let d = f.alloc(w);
                f.emit(Ins::SNot { d, a: x, u: u8_ });
                Some(d)
            }
            ExprKind::IsSome(x) => {
                if let Some(group) = self.own_group(f, x) {
                    let d = f.alloc(w);
                    self.none_plane(f, group, d);
                    if self.opts.fault != Some(SeededFault::SomeIsNone) {
                        f.emit(Ins::SNot { d, a: d, u: u8_ });
                    }
                    return Some(d);
                }
                match &*x.kind {
                    // { line : first of line where P is some }
                    ExprKind::First { n: None, of, .. } => {
                        let inner = match &*of.kind {
                            ExprKind::Builtin(Builtin::AsSet, a) => a.first()?,
                            _ => of,
                        };
                        let ExprKind::Where(src, l, p) = &*inner.kind else { return None };
                        let ExprKind::Builtin(Builtin::LineSpaces, args) = &*src.kind else { return None };
                        let line = args.first()?;
                        if !self.is_lifted(f, line) || !self.free_but(f, p, *l) {
                            return None;
                        }
                        let t = self.rank_table(&line.ty)?;
                        let spaces = self.p.line_tables[t.index()].universe;
                        let s = self.filtered_all(f, spaces, *l, p);
                        let d = f.alloc(w);
                        f.emit(Ins::LinesMeeting { d, s, t });
                        Some(d)
                    }
                    ExprKind::Builtin(Builtin::Distance, _) => self.lifted_distance(f, x, None, u),
                    ExprKind::Local(l) => match self.bound(f, *l) {
                        Some(Bind::Lifted) => {
                            let d = f.alloc(w);
                            f.emit(Ins::SAll { d, u: u8_ });
                            Some(d)
                        }
                        Some(Bind::Alias(y, env)) => {
                            let some = Expr {
                                ty: Ty::Bool,
                                span: cond.span,
                                kind: Box::new(ExprKind::IsSome((*y).clone())),
                            };
                            self.within(f, env, |s, f| s.lifted(f, &some, u))
                        }
                        _ => None,
                    },
                    _ => None,
                }
            }
            ExprKind::IsEmpty(x) => {
                let d = self.lifted_not_empty(f, x, u)?;
                f.emit(Ins::SNot { d, a: d, u: u8_ });
                Some(d)
            }
            ExprKind::Compare(op, a, b) => {
                let (a, b, op) = if self.free(f, a) { (b, a, flipped(*op)) } else { (a, b, *op) };
                if !self.free(f, b) || matches!(b.ty, Ty::Set(_) | Ty::List(_)) {
                    return None;
                }
                if self.is_lifted(f, a) {
                    if !matches!(op, Comparison::Eq | Comparison::Ne) {
                        return None;
                    }
                    let r = self.one(f, b);
                    let i = self.element(f, u, r);
                    let d = f.alloc(w);
                    f.emit(Ins::SOne { d, i, w });
                    if op == Comparison::Ne {
                        f.emit(Ins::SNot { d, a: d, u: u8_ });
                    }
                    return Some(d);
                }
                if let Comparison::Le | Comparison::Lt = op
                    && let Some(most) = self.known(b).map(|k| k - i64::from(op == Comparison::Lt))
                {
                    // Where no way leads it is too far, whatever stands for the distance there.
                    let far = match &*a.kind {
                        ExprKind::Default(x, other) if self.known(other).is_some_and(|k| k > most) => x,
                        _ => a,
                    };
                    if let Some(d) = self.attempt(f, |s, f| s.lifted_distance(f, far, Some(most), u)) {
                        return Some(d);
                    }
                }
                if let Some(d) = self.by_face(f, op, a, b, u) {
                    return Some(d);
                }
                if let Some(d) = self.attempt(f, |s, f| s.by_face_value(f, op, a, b, u)) {
                    return Some(d);
                }
                if let (Comparison::Lt | Comparison::Le | Comparison::Gt | Comparison::Ge, Some((t, attr))) =
                    (op, self.own_table(f, a))
                {
                    let group = self.fixed_group(attr, t, op, u)?;
                    let d = f.alloc(w);
                    let i = self.one(f, b);
                    self.plane_of(f, group, d, i);
                    return Some(d);
                }
                if let Some(k) = self.known(b).filter(|k| *k != NONE)
                    && !matches!(&*a.kind, ExprKind::Attr(..))
                    && let Some(d) = self.attempt(f, |s, f| s.lifted_by_pair(f, op, a, k, u))
                {
                    return Some(d);
                }
                if let Some(d) = self.attempt(f, |s, f| s.lifted_by_count(f, (op, a, b), u)) {
                    return Some(d);
                }
                if let Some(d) = self.attempt(f, |s, f| s.lifted_by_case(f, (op, a, b), u, 0)) {
                    return Some(d);
                }
                let group = self.own_group(f, a)?;
                let d = f.alloc(w);
                match op {
                    Comparison::Eq | Comparison::Ne => {
                        match self.known(b) {
                            Some(NONE) => self.none_plane(f, group, d),
                            Some(k) if self.plane_at(group, k).is_some() => {
                                let at = self.plane_at(group, k).unwrap_or(0);
                                self.plane(f, group, d, at);
                            }
                            _ => {
                                let i = self.one(f, b);
                                self.plane_of(f, group, d, i);
                            }
                        }
                        if op == Comparison::Ne {
                            f.emit(Ins::SNot { d, a: d, u: u8_ });
                            if self.opts.fault == Some(SeededFault::NotEqualForgetsNone) {
                                let n = f.alloc(w);
                                self.none_plane(f, group, n);
                                f.emit(Ins::SAndNot { d, a: d, b: n, w });
                            }
                        }
                    }
                    _ => {
                        let ExprKind::Attr(_, attr) = &*self.unaliased(f, a)?.kind else { return None };
                        let Some(Home::Cell(attr)) = self.homes.get(attr).copied() else { return None };
                        let r = self.one(f, b);
                        let op = match op {
                            Comparison::Lt => Cmp::Lt,
                            Comparison::Le => Cmp::Le,
                            Comparison::Gt => Cmp::Gt,
                            _ => Cmp::Ge,
                        };
                        f.emit(Ins::SScan { d, a: r, op, attr });
                    }
                }
                Some(d)
            }
            ExprKind::In(x, s) if matches!(&*s.kind, ExprKind::Builtin(..)) && self.free(f, x) => {
                let ExprKind::Builtin(b, args) = &*s.kind else { return None };
                self.lifted_board(f, x, *b, args, u)
            }
            ExprKind::In(x, s) if self.is_lifted(f, x) && self.free(f, s) => match &*s.kind {
                ExprKind::PlaceOf(..) | ExprKind::Box(_) => {
                    let p = f.alloc(1);
                    self.box_of(x);
                    self.place_into(f, s, p);
                    self.boxing = None;
                    let d = f.alloc(w);
                    f.emit(Ins::Members { d, p, u: u8_ });
                    Some(d)
                }
                ExprKind::Range(..) => None,
                _ => {
                    let su = self.uni(&s.ty, s.span);
                    if su != u && self.is_shown(u, su) {
                        // Of dice those that show one of these sides.
                        let wanted = self.set(f, s, su);
                        let d = f.alloc(w);
                        f.emit(Ins::SAll { d, u: u8_ });
                        f.emit(Ins::SByShown { d, s: d, f: wanted, u: u8_ });
                        return Some(d);
                    }
                    if su != u {
                        return None;
                    }
                    Some(self.set(f, s, u))
                }
            },
            ExprKind::In(x, s) if self.free(f, s) => self.lifted_attr_among(f, x, s, u),
            ExprKind::Attr(..) => {
                let group = self.own_group(f, cond)?;
                let d = f.alloc(w);
                match self.plane_at(group, 1) {
                    Some(at) => self.plane(f, group, d, at),
                    None => {
                        let i = f.li(1);
                        self.plane_of(f, group, d, i);
                    }
                }
                Some(d)
            }
            ExprKind::IsFace(x, m, None)
                if self.is_lifted(f, x)
                    && matches!(
                        self.p.universes.get(u.index()).map(|u| &u.sort),
                        Some(UniverseSort::Components(_))
                    ) =>
            {
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
                let zone = self.zone_ix.get(z).copied().filter(|zone| self.holds(*zone) == Some(u))?;
                let d = f.alloc(w);
                f.emit(Ins::ZoneMembers { d, u: u8_, zone });
                Some(d)
            }
            // What is of a kind is so for good.
            ExprKind::IsKind(x, k)
                if self.is_lifted(f, x) && !matches!(types::plain(&x.ty), Ty::Face(_) | Ty::Side(_)) =>
            {
                let words = self.things_of.get(k).cloned().unwrap_or_else(|| vec![0; w as usize]);
                let at = self.const_set(&words);
                let d = f.alloc(w);
                f.emit(Ins::SConst { d, w, k: at });
                Some(d)
            }
            ExprKind::Value(v, args)
                if let [arg] = args.as_slice()
                    && f.notes
                    && self.is_lifted(f, arg)
                    && let Some((_, r)) = f.ready_sets.iter().find(|(x, _)| *x == (*v, u)) =>
            {
                Some(*r)
            }
            ExprKind::Value(v, args) => {
                let plain = self.plain_value(*v)?;
                let (params, body) = &*plain;
                let env = self.inlined_once(f, *params, args, body);
                let (from, asked) = (f.code.len(), f.asked_sets.len());
                let d = self.within(f, env, |s, f| s.lifted(f, body, u))?;
                // What takes so little is not worth noting.
                let looks = |ins: &Ins| matches!(ins, Ins::SHolders { .. } | Ins::SCrowd { .. });
                let worth = f.code.len() > from + 3 || f.code.iter().skip(from).any(looks);
                if f.notes && args.len() == 1 && self.is_lifted(f, &args[0]) && worth {
                    f.asked_sets.iter_mut().skip(asked).for_each(|x| x.directly = false);
                    f.asked_sets.push(Asked { value: *v, of: u, directly: true });
                }
                Some(d)
            }
            ExprKind::Local(l) => match self.bound(f, *l) {
                Some(Bind::Alias(x, env)) => self.within(f, env, |s, f| s.lifted(f, &x, u)),
                _ => None,
            },
            ExprKind::Fold(fold) if matches!(fold.op, FoldOp::Any | FoldOp::Every | FoldOp::No) => {
                // any / every (n in neighbours(x): Q(n))
                let ExprKind::Builtin(Builtin::Neighbours, args) = &*fold.over.kind else {
                    if let Some(d) = self.attempt(f, |s, f| s.lifted_near(f, fold, u)) {
                        return Some(d);
                    }
                    return self.lifted_fold(f, fold, u);
                };
                if args.len() > 1 && !matches!(&*args[1].kind, ExprKind::None)
                    || !self.is_lifted(f, args.first()?)
                {
                    return None;
                }
                let mut q: Vec<&Expr> = fold.bodies.iter().collect();
                if fold.op != FoldOp::Every {
                    q.extend(fold.cond.iter());
                } else if fold.cond.is_some() {
                    return None;
                }
                if q.iter().any(|e| !self.free_but(f, e, fold.var)) {
                    return None;
                }
                let (m, _) = self.map_of(&fold.over.ty, fold.over.span);
                let s = f.alloc(w);
                f.emit(Ins::SAll { d: s, u: u8_ });
                for e in q {
                    self.filter_into(f, s, u, fold.var, e);
                }
                let d = f.alloc(w);
                if fold.op == FoldOp::Every {
                    f.emit(Ins::SNot { d: s, a: s, u: u8_ });
                }
                f.emit(Ins::Dilate { d, s, m });
                if fold.op != FoldOp::Any {
                    f.emit(Ins::SNot { d, a: d, u: u8_ });
                }
                Some(d)
            }
            _ => None,
        }
    }

    /// Two constant sets that have just been laid down, as one.
    pub fn joined_constants(&mut self, f: &mut FnBuild, and: bool, w: u8) -> Option<R> {
        let (Ins::SConst { w: v, k: a, .. }, Ins::SConst { d, w: x, k: b }) =
            (*f.code.get(f.code.len().checked_sub(2)?)?, *f.code.last()?)
        else {
            return None;
        };
        let end = f.code.len() as u32;
        if v != w || x != w || f.labels_at(end) || f.labels_at(end - 1) {
            return None;
        }
        let word = |at: u32, i: usize| self.p.sets.get(at as usize + i).copied().unwrap_or(0);
        let both = |i: usize| if and { word(a, i) & word(b, i) } else { word(a, i) | word(b, i) };
        let words: Vec<u64> = (0..w as usize).map(both).collect();
        let k = self.const_set(&words);
        f.code.truncate(f.code.len() - 2);
        f.emit(Ins::SConst { d, w, k });
        Some(d)
    }

    /// Whether the expression looks at nothing that is being lifted, but perhaps at its own variable.
    fn free_but(&self, f: &FnBuild, e: &Expr, _own: LocalId) -> bool {
        self.free(f, e)
    }

    /// The expression behind aliases.
    fn unaliased(&self, f: &FnBuild, e: &Expr) -> Option<Expr> {
        match &*e.kind {
            ExprKind::Local(l) => match self.bound(f, *l) {
                Some(Bind::Alias(x, env)) if env == f.env => Some((*x).clone()),
                _ => None,
            },
            _ => Some(e.clone()),
        }
    }

    /// The index planes of `x.a`, where x is the variable; of `x.a.b` where neither changes.
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

    /// The table of `x.a`, where x is the variable, or of `x.a.b`, and so on, where none of them changes; with the last attribute.
    fn own_table(&mut self, f: &FnBuild, e: &Expr) -> Option<(TableIx, AttrId)> {
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
        if let Some(both) = self.composed.get(&(inner, t)) {
            return Some((*both, *a));
        }
        let first = self.p.tables.get(inner.index())?;
        let second = self.p.tables.get(t.index())?;
        let through = |x: &i32| usize::try_from(*x).ok().and_then(|x| second.values.get(x)).copied();
        // What has none there is a fault to be found where it is looked at.
        let values: Option<Vec<i32>> = first.values.iter().map(through).collect();
        let (name, universe, values) = (second.name.clone(), first.universe, values?);
        let both = self.table(&name, universe, values);
        self.composed.insert((inner, t), both);
        Some((both, *a))
    }

    /// The table of a value that is yes or no of a thing and looks at nothing that changes: it is looked up.
    pub fn truth_table(&mut self, f: &FnBuild, v: ValueId, args: &[Expr]) -> Option<TableIx> {
        let [_] = args else { return None };
        if f.effect || !self.opts.lift {
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
        let ty = types::plain(&value.body.locals.first()?.ty);
        let Ty::Of(k) = ty else { return None };
        if types::is_component(self.m, k) || value.ty != Ty::Bool {
            return None;
        }
        let u = self.uni(&ty, value.span);
        if self.lo(u) != 0 {
            return None;
        }
        let at = self.tabulated_truth(v, u)? as usize;
        let bit = |i: usize| self.p.sets.get(at + i / 64).map_or(0, |w| (w >> (i % 64)) as i32 & 1);
        let values = (0..self.n(u) as usize).map(bit).collect();
        let name = value.name.clone();
        Some(self.table(&name, u, values))
    }

    /// As [`Lower::branch`] with the names of an environment.
    fn branch_in(&mut self, f: &mut FnBuild, env: usize, c: &Expr, when: bool, to: super::build::Label) {
        if env == f.env {
            self.branch(f, c, when, to);
        } else {
            self.within(f, env, |s, f| s.branch(f, c, when, to));
        }
    }

    /// Of which things a value is yes, if it looks at nothing that changes.
    fn tabulated_truth(&mut self, v: ValueId, u: UniverseId) -> Option<u32> {
        if let Some(known) = self.truths.get(&(v, u)) {
            return *known;
        }
        self.truths.insert((v, u), None);
        let made = self.tabulate_truth(v, u);
        self.truths.insert((v, u), made);
        made
    }

    fn tabulate_truth(&mut self, v: ValueId, u: UniverseId) -> Option<u32> {
        let plain = self.plain_value(v)?;
        let (params, body) = &*plain;
        let things = !matches!(self.p.universes.get(u.index())?.sort, UniverseSort::Components(_));
        if *params != 1 || body.ty != Ty::Bool || !things || self.n(u) > 512 {
            return None;
        }
        let mut words = vec![0u64; self.w(u) as usize];
        for i in 0..self.n(u) {
            if self.constant_with(body, &[(LocalId(0), i64::from(i) + i64::from(self.lo(u)))]).int()? != 0 {
                *words.get_mut(i as usize / 64)? |= 1 << (i % 64);
            }
        }
        Some(self.const_set(&words))
    }

    /// Fixed planes of what stands in a table of things that are no components: by value, those whose own compares so with it. Where one is none, or (but for `==`) either is,
    /// nothing does.
    fn fixed_group(&mut self, a: AttrId, t: TableIx, op: Comparison, u: UniverseId) -> Option<GroupIx> {
        let table = self.p.tables.get(t.index())?;
        let of_faces = matches!(self.p.universes.get(table.universe.index())?.sort, UniverseSort::Faces(_));
        if table.universe != u || of_faces {
            return None;
        }
        if let Some(group) = self.fixed.get(&(t, op)) {
            return Some(*group);
        }
        let (lo, hi) = match types::plain(&self.m.attrs[a.index()].ty) {
            Ty::Int(lo, hi) => (lo, hi),
            Ty::Bool => (0, 1),
            ty => {
                let of = self.uni(&ty, Span::default());
                (0, self.n(of) as i32 - 1)
            }
        };
        let values = self.p.tables.get(t.index())?.values.clone();
        let group = self.planes_of(&values, op, (lo, hi), u)?;
        self.fixed.insert((t, op), group);
        Some(group)
    }

    /// Fixed planes over a universe: by number, the things whose own compares so with it; behind them those that have none.
    fn planes_of(
        &mut self,
        values: &[i32],
        op: Comparison,
        (lo, hi): (i32, i32),
        u: UniverseId,
    ) -> Option<GroupIx> {
        let ordered = op != Comparison::Eq;
        // A number may be compared with one that no thing of the table can have: as with the next to those.
        let (lo, hi) = if ordered { (lo.checked_sub(1)?, hi.checked_add(1)?) } else { (lo, hi) };
        let n = u16::try_from(i64::from(hi) - i64::from(lo) + 1).ok().filter(|n| *n <= 64)?;
        let w = self.w(u);
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
                let yes = match op {
                    Comparison::Eq | Comparison::Ne => *x == v,
                    Comparison::Lt => *x < v,
                    Comparison::Le => *x <= v,
                    Comparison::Gt => *x > v,
                    Comparison::Ge => *x >= v,
                };
                if yes {
                    put(k, thing);
                }
            }
        }
        // As one piece: it is found by value.
        let at = self.p.sets.len() as u32;
        self.p.sets.extend_from_slice(&words);
        self.p.groups.push(PlaneGroup { universe: u, at, fixed: true, ordered, lo, n, w });
        Some(GroupIx(u16::try_from(self.p.groups.len() - 1).ok()?))
    }

    /// A plane of a group by its place.
    fn plane(&mut self, f: &mut FnBuild, group: GroupIx, d: R, at: u32) {
        let g = self.p.groups[group.index()];
        f.emit(if g.fixed { Ins::SConst { d, w: g.w, k: at } } else { Ins::Plane { d, w: g.w, at } });
    }

    /// A plane of a group by the value in a register.
    pub fn plane_of(&mut self, f: &mut FnBuild, group: GroupIx, d: R, i: R) {
        let fixed = self.p.groups[group.index()].fixed;
        f.emit(if fixed { Ins::PlaneC { d, i, group } } else { Ins::PlaneI { d, i, group } });
    }

    /// The plane of a value that is known.
    fn plane_at(&self, group: GroupIx, k: i64) -> Option<u32> {
        let g = self.p.groups.get(group.index())?;
        let i = u32::try_from(k - i64::from(g.lo)).ok().filter(|i| *i < u32::from(g.n))?;
        Some(g.at + i * u32::from(g.w))
    }

    fn none_plane(&mut self, f: &mut FnBuild, group: GroupIx, d: R) {
        let g = self.p.groups[group.index()];
        self.plane(f, group, d, g.at + u32::from(g.n) * u32::from(g.w));
    }

    /// Components whose printed attribute compares so with a constant.
    fn by_face(&mut self, f: &mut FnBuild, op: Comparison, a: &Expr, b: &Expr, u: UniverseId) -> Option<R> {
        let ExprKind::Attr(x, attr) = &*a.kind else { return None };
        if !self.is_lifted(f, x)
            || !types::kinds_of(&types::plain(&x.ty)).iter().any(|k| types::is_component(self.m, *k))
        {
            return None;
        }
        let Some(Home::Table(t)) = self.homes.get(attr).copied() else { return None };
        let k = self.known(b)?;
        let values = self.p.tables[t.index()].values.clone();
        let none = |v: i64| v == NONE || k == NONE;
        let faces: Vec<u16> = values
            .iter()
            .enumerate()
            .filter(|(_, v)| {
                let v = i64::from(**v);
                match op {
                    Comparison::Eq => v == k,
                    Comparison::Ne => v != k,
                    Comparison::Lt => !none(v) && v < k,
                    Comparison::Le => !none(v) && v <= k,
                    Comparison::Gt => !none(v) && v > k,
                    Comparison::Ge => !none(v) && v >= k,
                }
            })
            .map(|(i, _)| i as u16)
            .collect();
        Some(self.faces_set(f, &faces, u))
    }

    /// Components of which a number that hangs on what is printed alone compares so with one that is known in play: by its values, the faces of which that holds.
    fn by_face_value(
        &mut self,
        f: &mut FnBuild,
        op: Comparison,
        a: &Expr,
        b: &Expr,
        u: UniverseId,
    ) -> Option<R> {
        let UniverseSort::Components(ci) = self.p.universes.get(u.index())?.sort else { return None };
        let faces = self.p.comps.get(ci as usize)?.faces;
        if !matches!(a.ty, Ty::Int(..)) || !matches!(&*a.kind, ExprKind::Value(..)) || op == Comparison::Ne {
            return None;
        }
        let mut its: Vec<LocalId> = Vec::new();
        crate::model::body::walk::every(a, &mut |x| {
            if let ExprKind::Local(l) = &*x.kind
                && self.is_lifted(f, x)
            {
                its.push(*l);
            }
        });
        let (mut values, mut lo, mut hi) = (Vec::new(), i32::MAX, i32::MIN);
        for face in 0..self.n(faces) {
            let names: Vec<(LocalId, i64)> =
                its.iter().map(|l| (*l, super::consts::OF_FACE + i64::from(face))).collect();
            let x = i32::try_from(self.constant_with(a, &names).int()?).ok().filter(|x| *x != i32::MIN)?;
            (lo, hi) = (lo.min(x), hi.max(x));
            values.push(x);
        }
        let key = (values, op);
        let group = match self.by_value.get(&key) {
            Some(group) => *group,
            None => {
                let group = self.planes_of(&key.0, op, (lo, hi), faces)?;
                self.by_value.insert(key, group);
                group
            }
        };
        let (w, fw) = (self.w(u), self.w(faces));
        let i = self.one(f, b);
        let (fs, d) = (f.alloc(fw), f.alloc(w));
        f.emit(Ins::PlaneC { d: fs, i, group });
        let s = match f.domain {
            Some((s, x)) if x == u => s,
            _ => {
                f.emit(Ins::SAll { d, u: u.0 as u8 });
                d
            }
        };
        f.emit(Ins::SByFace { d, s, f: fs, u: u.0 as u8 });
        Some(d)
    }

    /// All components that show one of these faces.
    pub fn faces_set(&mut self, f: &mut FnBuild, faces: &[u16], u: UniverseId) -> R {
        let w = self.w(u);
        let index = match self.p.universes[u.index()].sort {
            UniverseSort::Components(i) => i,
            _ => 0,
        };
        let fu = self.p.comps[index as usize].faces;
        let fw = self.w(fu);
        let mut words = vec![0u64; fw as usize];
        for face in faces {
            words[*face as usize / 64] |= 1 << (face % 64);
        }
        let at = self.const_set(&words);
        let fs = f.alloc(fw);
        let d = f.alloc(w);
        f.emit(Ins::SConst { d: fs, w: fw, k: at });
        f.emit(Ins::SAll { d, u: u.0 as u8 });
        f.emit(Ins::SByFace { d, s: d, f: fs, u: u.0 as u8 });
        d
    }

    /// { x : e(x) is not empty }
    pub fn lifted_not_empty(&mut self, f: &mut FnBuild, e: &Expr, u: UniverseId) -> Option<R> {
        match &*e.kind {
            ExprKind::Value(v, args) => {
                let plain = self.plain_value(*v)?;
                let (params, body) = &*plain;
                let env = self.inlined_once(f, *params, args, body);
                self.within(f, env, |s, f| s.lifted_not_empty(f, body, u))
            }
            ExprKind::Local(l) => match self.bound(f, *l) {
                Some(Bind::Alias(x, env)) => self.within(f, env, |s, f| s.lifted_not_empty(f, &x, u)),
                _ => None,
            },
            ExprKind::Builtin(Builtin::AsSet, a) => self.lifted_not_empty(f, a.first()?, u),
            // Spaces on which something lies.
            ExprKind::Zone(Some(x), z, None) if self.is_lifted(f, x) => {
                let zone = self.zone_ix.get(z).copied()?;
                let slot = self.p.zones.get(zone.index())?;
                if slot.of != Some(u) || slot.indexes > 1 {
                    return None;
                }
                let of = self.p.comps.get(slot.holds as usize)?.universe;
                let (s, d) = (f.alloc(self.w(of)), f.alloc(self.w(u)));
                f.emit(Ins::SAll { d: s, u: of.0 as u8 });
                f.emit(Ins::SHolders { d, s, zone });
                Some(d)
            }
            ExprKind::Fold(fold) => {
                let (c, p, q) = runs(fold)?;
                if !self.is_lifted(f, c) || !self.free(f, p) || !self.free(f, q) {
                    return None;
                }
                let (m, _) = self.map_of(&c.ty, c.span);
                let (p, mut q) = (self.set(f, p, u), self.set(f, q, u));
                let w = self.w(u);
                if self.opts.fault == Some(SeededFault::RunNeedNotClose) {
                    let all = f.alloc(w);
                    f.emit(Ins::SAll { d: all, u: u.0 as u8 });
                    q = all;
                }
                let d = f.alloc(w);
                f.emit(Ins::RunSrc { d, p, q, m });
                Some(d)
            }
            _ => None,
        }
    }

    // ── Folds ────────────────────────────────────────────────────────────────────────────────────────────
}

/// Whether a value's body has a loop in it, or that of a value that it asks.
fn takes_a_loop(lower: &Lower<'_>, e: &Expr, depth: usize) -> bool {
    crate::model::body::walk::any(e, &mut |x| match &*x.kind {
        ExprKind::Fold(_) | ExprKind::Where(..) => true,
        ExprKind::Builtin(Builtin::Reachable | Builtin::Distance, _) => true,
        ExprKind::Value(v, _) => {
            depth > 8 || lower.plain_value(*v).is_none_or(|plain| takes_a_loop(lower, &plain.1, depth + 1))
        }
        _ => false,
    })
}

/// What is lifted at once.
enum Part<'e> {
    /// Does not look at what is lifted.
    Once(&'e Expr),
    /// The n-th conjunct.
    One(usize, &'e Expr),
    /// Conjuncts that look at nothing but the space on which a component lies.
    Together(Vec<(usize, &'e Expr)>),
}

/// All of some conditions.
pub fn all_of(all: &[(usize, &Expr)]) -> Expr {
    let mut parts = all.iter().map(|(_, e)| (*e).clone());
    let first = parts.next().unwrap_or_else(|| crate::model::body::build::truth(true, Span::default()));
    parts.fold(first, |a, b| {
        let span = a.span;
        Expr { ty: Ty::Bool, span, kind: Box::new(ExprKind::And(a, b)) }
    })
}

/// Whether a name stands in an expression.
pub fn mentions(e: &Expr, l: LocalId) -> bool {
    crate::model::body::walk::any(e, &mut |x| matches!(&*x.kind, ExprKind::Local(y) if *y == l))
}

/// The parts of a conjunction in order.
pub fn split<'e>(e: &'e Expr, out: &mut Vec<&'e Expr>) {
    match &*e.kind {
        ExprKind::And(a, b) => {
            split(a, out);
            split(b, out);
        }
        _ => out.push(e),
    }
}

fn flipped(op: Comparison) -> Comparison {
    match op {
        Comparison::Lt => Comparison::Gt,
        Comparison::Le => Comparison::Ge,
        Comparison::Gt => Comparison::Lt,
        Comparison::Ge => Comparison::Le,
        other => other,
    }
}
