//! Predicate push-down: filters each later parameter by the guards that mention it alone, once for each enumeration, before the first parameter is picked.
use crate::analysis::expr_forms::{conjunction_of, split_conjunction};
use crate::fn_builder::FnBuild;
use crate::ir::*;
use crate::lower::Lower;
use houserule_model::body::{
    build,
    flow::{self, Fact},
};
use houserule_model::hir::*;

/// A condition, its environment, and the number of parameters that it needs.
pub type Known = (Expr, usize, usize);

/// Sets with which the domain of a parameter is intersected.
#[derive(Clone, Copy, Default)]
pub struct Cut {
    /// A set of the things themselves.
    pub things: Option<R>,
    /// A set of the spaces on which they lie, for domains that are found by space.
    pub spaces: Option<R>,
}

impl Cut {
    fn is_none(&self) -> bool {
        self.things.is_none() && self.spaces.is_none()
    }
}

/// The cuts of each parameter.
#[derive(Default)]
pub struct Cuts(pub Vec<Cut>);

impl Cuts {
    /// Whether no parameter has a cut.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Cut::is_none)
    }
}

/// Conditions on one later parameter that are lifted together.
struct LaterConditions {
    /// Number of the parameter.
    k: usize,
    /// Environment of the conditions.
    env: usize,
    /// Whether they depend on a component only by its space.
    space_alone: bool,
    /// Whether one of them may fault for a component on no space.
    needs_space: bool,
    /// The conditions, each with its place among all.
    all: Vec<(usize, Expr)>,
}

impl Lower<'_> {
    /// Makes the cuts, from conditions that can be lifted; returns them and the remaining conditions. A condition that needs a loop remains: later it may be evaluated for fewer things.
    pub fn push_down_conditions(
        &mut self,
        f: &mut FnBuild,
        a: &Action,
        conds: &[Known],
    ) -> (Cuts, Vec<Known>) {
        let mut cuts = vec![Cut::default(); a.params.len()];
        // In source order: one condition may protect another.
        let mut rest: Vec<(usize, Known)> = Vec::new();
        let mut next = 0;
        let mut groups: Vec<LaterConditions> = Vec::new();
        for (cond, env, upto) in conds {
            let k = upto.saturating_sub(1);
            let Some(p) = a.params.get(k).filter(|p| k > 0 && matches!(p.many, Many::One)) else {
                next += 1;
                rest.push((next, (cond.clone(), *env, *upto)));
                continue;
            };
            let u = self.uni_of(&p.from);
            // Things that are found by space lie on a space.
            let lies = self.map_found_by(&p.from, u, 0).filter(|_| *env == 0).and_then(|_| placed_fact(p));
            let mut parts = Vec::new();
            split_conjunction(cond, &mut parts);
            for c in parts {
                next += 1;
                // Conditions on the same space are combined.
                let space_alone = self.depends_on_space_alone(f, c, *env, p.local, u);
                let anywhere = self.cannot_fault_in(f, *env, c);
                let fact_count = f.facts.len();
                f.facts.extend(lies.iter().filter(|_| space_alone).map(|fact| (*env, fact.clone())));
                let alone = (anywhere || space_alone && self.cannot_fault_in(f, *env, c))
                    && self.params_read_by(f, a, c, *env) == 1 << k
                    && !self.with_lifted(f, *env, p.local, |s, f| s.needs_loop(f, c, 0) || s.is_free(f, c));
                f.facts.truncate(fact_count);
                if !alone {
                    rest.push((next, (c.clone(), *env, *upto)));
                    continue;
                }
                match groups.iter_mut().find(|s| space_alone && s.space_alone && (s.k, s.env) == (k, *env)) {
                    Some(together) => {
                        together.all.push((next, c.clone()));
                        together.needs_space |= !anywhere;
                    }
                    None => groups.push(LaterConditions {
                        k,
                        env: *env,
                        space_alone,
                        needs_space: !anywhere,
                        all: vec![(next, c.clone())],
                    }),
                }
            }
        }
        // Conditions on the space come first: the others are evaluated for the things that are left.
        groups.sort_by_key(|s| !s.space_alone);
        for LaterConditions { k, env, space_alone, needs_space, all } in groups {
            let Some(p) = a.params.get(k) else { continue };
            let u = self.uni_of(&p.from);
            let w = self.set_words(u);
            let before = f.next;
            let found_on = if space_alone { self.map_found_by(&p.from, u, 0) } else { None };
            if let (Some(spaces), Some(cut)) = (found_on, cuts.get_mut(k))
                && self.cut_spaces(f, (&all, env), p.local, (u, spaces), &mut cut.spaces)
            {
                continue;
            }
            if needs_space {
                rest.extend(all.into_iter().map(|(n, c)| (n, (c, env, k + 1))));
                continue;
            }
            let known = cuts.get(k).and_then(|c| c.things);
            let s = known.unwrap_or_else(|| f.alloc(w));
            let base = f.next;
            let many: Vec<(usize, &Expr)> = all.iter().map(|(_, c)| (0, c)).collect();
            let outer = std::mem::replace(&mut f.cut_set, known.map(|s| (s, u)));
            let lifted = self.lift(f, &conjunction_of(&many), env, p.local, u);
            f.cut_set = outer;
            f.next = base;
            match (lifted, known) {
                (Some(r), Some(_)) => match f.code.last_mut() {
                    // The last instruction has cut the set itself.
                    Some(Ins::SAtIn { d, e, .. } | Ins::SByFace { d, s: e, .. }) if *d == r && *e == s => {
                        *d = s
                    }
                    _ => f.emit(Ins::SAnd { d: s, a: s, b: r, w }),
                },
                (Some(r), None) => f.emit(Ins::MovN { d: s, a: r, n: w }),
                (None, _) => {
                    f.next = if known.is_some() { base } else { before };
                    rest.extend(all.into_iter().map(|(n, c)| (n, (c, env, k + 1))));
                    continue;
                }
            }
            if let Some(cut) = cuts.get_mut(k) {
                cut.things = Some(s);
            }
        }
        rest.sort_by_key(|(n, _)| *n);
        (Cuts(cuts), rest.into_iter().map(|(_, c)| c).collect())
    }

    /// Restricts a set of spaces by conditions on what lies there; returns false if that is not possible.
    fn cut_spaces(
        &mut self,
        f: &mut FnBuild,
        (all, env): (&[(usize, Expr)], usize),
        l: LocalId,
        (u, spaces): (UniverseId, UniverseId),
        known: &mut Option<R>,
    ) -> bool {
        let w = self.set_words(spaces);
        let (before, had) = (f.next, *known);
        let s = had.unwrap_or_else(|| f.alloc(w));
        let base = f.next;
        let many: Vec<(usize, &Expr)> = all.iter().map(|(_, c)| (0, c)).collect();
        let cond = conjunction_of(&many);
        let found = self.try_emit(f, |me, f| {
            let r = me.with_lifted(f, env, l, |me, f| me.spaces_by_contents(f, &cond, u, spaces))?;
            f.emit(match had {
                Some(_) => Ins::SAnd { d: s, a: s, b: r, w },
                None => Ins::MovN { d: s, a: r, n: w },
            });
            Some(s)
        });
        f.next = if found.is_some() { base } else { before };
        *known = found.or(had);
        found.is_some()
    }
}

/// The fact that the thing of a parameter lies on a space.
fn placed_fact(p: &Param) -> Option<Fact> {
    let of = |kind| build::expr(Ty::Error, p.span, kind);
    let at = of(ExprKind::Builtin(Builtin::At, vec![of(ExprKind::Local(p.local))]));
    Some(Fact { path: flow::path(&at)?, known: flow::Known::Some, fleeting: false, through: Vec::new() })
}
