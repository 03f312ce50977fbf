//! Filters of sets: applies the vectorised conditions first and loops over the members for the rest.
use crate::analysis::expr_forms::{conjunction_of, counts_things_there, split_conjunction};
use crate::fn_builder::{Bind, FnBuild};
use crate::ir::*;
use crate::layout::tables::Tables;
use crate::lower::Lower;
use houserule_model::body::{build, flow};
use houserule_model::hir::*;
use std::borrow::Cow;

impl Tables<'_> {
    /// Whether the vectorised condition needs a loop, judged by its form.
    pub fn needs_loop(&self, f: &FnBuild, e: &Expr, depth: usize) -> bool {
        match &*e.kind {
            _ if depth > 40 => true,
            ExprKind::Local(_) => false,
            _ if self.is_free(f, e) => false,
            ExprKind::Fold(_) | ExprKind::Where(..) => true,
            ExprKind::Builtin(b, _) if b.has(builtins::Trait::Search) => true,
            ExprKind::Value(v, args) => {
                args.iter().any(|a| self.needs_loop(f, a, depth + 1))
                    || self.plain_value(*v).is_none_or(|plain| has_loop(self, &plain.1, 0))
            }
            ExprKind::In(_, s) if self.is_free(f, s) && has_loop(self, s, 0) => true,
            _ => {
                houserule_model::body::walk::subexprs(e).into_iter().any(|x| self.needs_loop(f, x, depth + 1))
            }
        }
    }
}

impl Lower<'_> {
    /// Searches the set at `s` for a member that passes the remaining conditions; stops at the first.
    pub fn any_passes(
        &mut self,
        f: &mut FnBuild,
        s: R,
        u: UniverseId,
        l: LocalId,
        rest: &[(&Expr, usize)],
        d: R,
    ) {
        let w = self.set_words(u);
        if rest.is_empty() {
            f.emit(Ins::SAny { d, s, w });
            return;
        }
        let base = f.next;
        let found = f.load_number(0);
        let (i, top, end) = f.begin_loop(s, w);
        let x = f.emit_new(1, |d| Ins::AddK { d, a: i, k: self.least_of(u) });
        let outer = self.binding_of(f, l);
        f.bind(l, Bind::Reg(x));
        for (c, env) in rest {
            let inner = f.next;
            self.branch_in(f, *env, c, false, top);
            f.next = inner;
        }
        f.emit(Ins::Li { d: found, k: 1 });
        f.place_label(end);
        f.emit(Ins::Mov { d, a: found });
        if let Some(b) = outer {
            f.bind(l, b);
        }
        f.next = base;
    }

    /// Removes from the set at `s` the members that fail: first by lifted conjuncts, then one by one.
    pub fn filter_into(&mut self, f: &mut FnBuild, s: R, u: UniverseId, l: LocalId, cond: &Expr) {
        let env = f.env;
        let rest = self.filter_lifted(f, s, u, l, &[(cond, env)], false);
        self.filter_each(f, s, u, l, &rest);
    }

    /// Applies the conjuncts that can be lifted and returns the others. `full`: the set at `s` holds the whole universe, so the first result can replace it.
    pub fn filter_lifted<'e>(
        &mut self,
        f: &mut FnBuild,
        s: R,
        u: UniverseId,
        l: LocalId,
        conds: &[(&'e Expr, usize)],
        mut full: bool,
    ) -> Vec<(&'e Expr, usize)> {
        let w = self.set_words(u);
        let mut rest = Vec::new();
        if !self.opts.lift {
            conds.iter().for_each(|(cond, env)| {
                let mut conjuncts = Vec::new();
                split_conjunction(cond, &mut conjuncts);
                rest.extend(conjuncts.into_iter().map(|c| (c, *env)));
            });
            return rest;
        }
        // Conjuncts that need a loop run last, and only if the set is not empty. A conjunct that may fault stays in its place: it is evaluated for the members that pass all before it.
        let outer_asked = f.lifted_over.take();
        let fact_count = f.facts.len();
        let mut parts: Vec<(Part<'e>, usize, Stage)> = Vec::new();
        let (mut n, mut barriers) = (0, 0);
        for (cond, env) in conds {
            let mut conjuncts = Vec::new();
            split_conjunction(cond, &mut conjuncts);
            let mut there: Option<usize> = None;
            for c in conjuncts {
                n += 1;
                let (free, may_fault) =
                    self.with_lifted(f, *env, l, |s, f| (s.is_free(f, c), !s.cannot_fault(f, c)));
                barriers += usize::from(may_fault);
                let mut turn = Stage {
                    barriers,
                    needs_loop: false,
                    by_face: tests_face(c),
                    may_fault,
                    known: f.facts.len(),
                };
                if free {
                    let mut facts = Vec::new();
                    flow::facts(c, true, &mut facts);
                    f.facts.extend(facts.into_iter().map(|fact| (*env, fact)));
                }
                // A conjunct that does not depend on the member is evaluated once; it may protect those after it.
                if free || may_fault {
                    there = None;
                    parts.push((if free { Part::Once(n, c) } else { Part::One(n, c) }, *env, turn));
                    barriers += usize::from(may_fault);
                    continue;
                }
                // Conjuncts on the same space are combined.
                if self.depends_on_space_alone(f, c, *env, l, u) {
                    match there.and_then(|i| parts.get_mut(i)) {
                        Some((Part::Together(all), ..)) => all.push((n, c)),
                        _ => {
                            there = Some(parts.len());
                            parts.push((Part::Together(vec![(n, c)]), *env, turn));
                        }
                    }
                    continue;
                }
                turn.needs_loop = self.with_lifted(f, *env, l, |s, f| s.needs_loop(f, c, 0));
                parts.push((Part::One(n, c), *env, turn));
            }
        }
        parts.sort_by_key(|(_, _, turn)| (turn.barriers, turn.needs_loop, turn.by_face));
        let nothing = f.new_label();
        let (mut asked, mut left) = (false, Vec::new());
        // Whether a remaining conjunct may fault: then all conjuncts after it remain, too.
        let mut strict = false;
        let mut parts = std::collections::VecDeque::from(parts);
        let facts = std::mem::take(&mut f.facts);
        while let Some((part, env, Stage { needs_loop, may_fault, known, .. })) = parts.pop_front() {
            let base = f.next;
            f.facts = facts.get(..known).unwrap_or_default().to_vec();
            if strict || may_fault && !left.is_empty() {
                strict = true;
                match part {
                    Part::Once(n, c) | Part::One(n, c) => left.push((n, c, env)),
                    Part::Together(all) => left.extend(all.into_iter().map(|(n, c)| (n, c, env))),
                }
                continue;
            }
            if needs_loop && !full && !asked || may_fault && !(full && self.things_in(u) > 0) {
                let any = f.emit_new(1, |d| Ins::SAny { d, s, w });
                f.jz(any, nothing);
                asked = true;
            }
            let whole;
            if let Part::Once(_, c) = part {
                let on = f.new_label();
                self.branch_in(f, env, c, true, on);
                f.emit(Ins::SZero { d: s, w });
                f.jmp(nothing);
                f.place_label(on);
                f.next = base;
                continue;
            }
            // Several conditions on the space become one set of spaces.
            if let (false, Part::Together(all)) = (full, &part) {
                let mut together = vec![(conjunction_of(all), env)];
                together.extend(parts.iter().map_while(|(next, env, _)| match next {
                    Part::Together(all) => Some((conjunction_of(all), *env)),
                    _ => None,
                }));
                let crowded = all.len() > 1 && all.iter().any(|(_, c)| counts_things_there(c));
                if (together.len() > 1 || crowded) && self.cut_by_space(f, s, u, l, &together) {
                    parts.drain(..together.len() - 1);
                    f.next = base;
                    continue;
                }
            }
            let c = match &part {
                Part::Once(_, c) | Part::One(_, c) => *c,
                Part::Together(all) => {
                    whole = conjunction_of(all);
                    &whole
                }
            };
            if !full && self.filter_unless_global(f, s, u, l, (c, env)) {
                f.next = base;
                continue;
            }
            let outer = std::mem::replace(&mut f.cut_set, (!full).then_some((s, u)));
            let lifted = match may_fault {
                true => self.lift_over(f, c, (env, l), s, u),
                false => self.lift(f, c, env, l, u),
            };
            f.cut_set = outer;
            match (lifted, part) {
                (Some(r), _) if full => {
                    f.emit(Ins::MovN { d: s, a: r, n: w });
                    full = false;
                }
                (Some(r), _) => match f.code.last_mut() {
                    // The last instruction has cut the set itself.
                    Some(Ins::SAtIn { d, e, .. } | Ins::SByFace { d, s: e, .. }) if *d == r && *e == s => {
                        *d = s
                    }
                    _ => f.emit(Ins::SAnd { d: s, a: s, b: r, w }),
                },
                (None, Part::One(_, c))
                    if left.is_empty() && !full && self.filter_disjunction(f, s, u, l, c, env) => {}
                (None, Part::Once(..)) => {}
                (None, Part::One(n, c)) => {
                    strict |= may_fault;
                    left.push((n, c, env));
                }
                (None, Part::Together(all)) => left.extend(all.into_iter().map(|(n, c)| (n, c, env))),
            }
            f.next = base;
        }
        f.place_label(nothing);
        f.lifted_over = outer_asked;
        f.facts = facts;
        f.facts.truncate(fact_count);
        // The remaining conjuncts are evaluated in source order: one may protect the next.
        left.sort_by_key(|(n, ..)| *n);
        rest.extend(left.into_iter().map(|(_, c, env)| (c, env)));
        rest
    }

    /// Removes from the set at `s` the members for which both sides of an `or` are false, if the first side can be lifted: only the members that fail it are tested by the second.
    fn filter_disjunction(
        &mut self,
        f: &mut FnBuild,
        s: R,
        u: UniverseId,
        l: LocalId,
        c: &Expr,
        env: usize,
    ) -> bool {
        let ExprKind::Or(a, b) = &*c.kind else { return false };
        let w = self.set_words(u);
        let outer = f.cut_set.replace((s, u));
        let lifted = self.lift_over(f, a, (env, l), s, u);
        f.cut_set = outer;
        let Some(yes) = lifted else { return false };
        let rest = f.emit_new(w, |d| Ins::SAndNot { d, a: s, b: yes, w });
        // Mostly no members are left.
        let (any, done) = (f.alloc(1), f.new_label());
        f.emit(Ins::SAny { d: any, s: rest, w });
        f.jz(any, done);
        f.emit(Ins::SAnd { d: s, a: s, b: yes, w });
        self.filter_each(f, rest, u, l, &[(b, env)]);
        f.emit(Ins::SOr { d: s, a: s, b: rest, w });
        f.place_label(done);
        true
    }

    /// Removes the members that fail from the full set at `s`.
    pub fn filter_full(&mut self, f: &mut FnBuild, s: R, u: UniverseId, l: LocalId, cond: &Expr) {
        let env = f.env;
        let rest = self.filter_lifted(f, s, u, l, &[(cond, env)], true);
        self.filter_each(f, s, u, l, &rest);
    }

    /// Loops over the set and removes the members that fail.
    pub fn filter_each(&mut self, f: &mut FnBuild, s: R, u: UniverseId, l: LocalId, rest: &[(&Expr, usize)]) {
        let w = self.set_words(u);
        if rest.is_empty() {
            return;
        }
        let base = f.next;
        let (i, top, end) = f.begin_loop(s, w);
        let x = f.emit_new(1, |d| Ins::AddK { d, a: i, k: self.least_of(u) });
        let drop = f.new_label();
        let outer = self.binding_of(f, l);
        f.bind(l, Bind::Reg(x));
        // Values that several of the conditions need are computed once.
        let mut together: Vec<(Cow<'_, Expr>, usize)> = Vec::new();
        for (n, (c, env)) in rest.iter().enumerate().rev() {
            match together.pop_if(|(_, same)| *same == *env) {
                Some((all, _)) => {
                    let both = build::cond(c.span, ExprKind::And((*c).clone(), all.into_owned()));
                    let both = crate::analysis::repeated_calls::share_calls_named(both, n as u32);
                    together.push((Cow::Owned(both), *env));
                }
                None => together.push((Cow::Borrowed(*c), *env)),
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
        f.place_label(drop);
        f.emit(Ins::SDel { d: s, i, w });
        f.jmp(top);
        f.place_label(end);
        if let Some(b) = outer {
            f.bind(l, b);
        }
        f.next = base;
    }

    /// Like [`Lower::branch`], in another environment.
    fn branch_in(&mut self, f: &mut FnBuild, env: usize, c: &Expr, when: bool, to: crate::fn_builder::Label) {
        if env == f.env {
            self.branch(f, c, when, to);
        } else {
            self.with_env(f, env, |s, f| s.branch(f, c, when, to));
        }
    }

    /// For a disjunction whose first side does not depend on the member (`busy is none or busy == w`): filters the set at `s` by the second side, only if the first is false.
    fn filter_unless_global(
        &mut self,
        f: &mut FnBuild,
        s: R,
        u: UniverseId,
        l: LocalId,
        (c, env): (&Expr, usize),
    ) -> bool {
        let not = |e: &Expr| match &*e.kind {
            ExprKind::Not(x) => x.clone(),
            _ => build::cond(e.span, ExprKind::Not(e.clone())),
        };
        let (all, when, rest) = match &*c.kind {
            ExprKind::Or(a, b) => (a, true, b.clone()),
            ExprKind::Not(x) => match &*x.kind {
                ExprKind::And(a, b) => (a, false, not(b)),
                _ => return false,
            },
            _ => return false,
        };
        if !self.with_lifted(f, env, l, |s, f| s.is_free(f, all)) {
            return false;
        }
        let w = self.set_words(u);
        let on = f.new_label();
        let cut = |me: &mut Self, f: &mut FnBuild| {
            me.branch_in(f, env, all, when, on);
            let outer = f.cut_set.replace((s, u));
            let lifted = me.lift_over(f, &rest, (env, l), s, u);
            f.cut_set = outer;
            f.emit(Ins::SAnd { d: s, a: s, b: lifted?, w });
            Some(s)
        };
        let done = self.try_emit(f, cut).is_some();
        if done {
            f.place_label(on);
        }
        done
    }

    /// Runs an analysis of a condition while a name is bound as the lifted variable.
    pub fn with_lifted<T>(
        &mut self,
        f: &mut FnBuild,
        env: usize,
        l: LocalId,
        ask: impl FnOnce(&mut Self, &mut FnBuild) -> T,
    ) -> T {
        let outer = self.binding_of(f, l);
        f.bind(l, Bind::Lifted);
        let found = if env == f.env { ask(self, f) } else { self.with_env(f, env, ask) };
        match outer {
            Some(b) => f.bind(l, b),
            None => {
                let env = f.env;
                f.envs[env].remove(&l);
            }
        }
        found
    }
}

/// Whether the body of a value has a loop, or calls a value that has.
fn has_loop(tables: &Tables<'_>, e: &Expr, depth: usize) -> bool {
    houserule_model::body::walk::any_expr(e, &mut |x| match &*x.kind {
        ExprKind::Fold(_) | ExprKind::Where(..) => true,
        ExprKind::Builtin(b, _) if b.has(builtins::Trait::Search) => true,
        ExprKind::Value(v, _) => {
            depth > 8 || tables.plain_value(*v).is_none_or(|plain| has_loop(tables, &plain.1, depth + 1))
        }
        _ => false,
    })
}

/// Whether a condition asks what face or kind a component is.
fn tests_face(c: &Expr) -> bool {
    match &*c.kind {
        ExprKind::IsFace(..) | ExprKind::IsKind(..) => true,
        ExprKind::Not(x) => tests_face(x),
        _ => false,
    }
}

/// Sort key and state of a part of a filter.
#[derive(Clone, Copy)]
struct Stage {
    /// Number of parts before it that may fault, counted so that no part moves past one.
    barriers: usize,
    /// Whether it needs a loop.
    needs_loop: bool,
    /// Whether the face of each member is looked at: better when few are left.
    by_face: bool,
    /// Whether it may fault.
    may_fault: bool,
    /// Number of facts that the conjuncts before it establish.
    known: usize,
}

/// A part of a filter that is lifted at once.
enum Part<'e> {
    /// The n-th conjunct; it does not depend on the member.
    Once(usize, &'e Expr),
    /// The n-th conjunct.
    One(usize, &'e Expr),
    /// Conjuncts that depend only on the space of a component.
    Together(Vec<(usize, &'e Expr)>),
}
