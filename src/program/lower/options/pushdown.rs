//! Predicate push-down: what guards say of a later parameter alone is found once an enumeration, as a set that cuts what the parameter is picked from.
use crate::analysis::expr_forms::{conjunction_of, split_conjunction};
use crate::fn_builder::FnBuild;
use crate::ir::*;
use crate::lower::Lower;
use houserule_model::body::flow::{self, Fact};
use houserule_model::hir::*;

/// A condition, where its names are known, and how many parameters it knows.
pub type Known = (Expr, usize, usize);

/// Sets that cut what a parameter is picked from.
#[derive(Clone, Copy, Default)]
pub struct Cut {
    /// Of those things themselves.
    pub things: Option<R>,
    /// Of the spaces on which they lie, where they are found by what lies on spaces.
    pub spaces: Option<R>,
}

impl Cut {
    fn is_none(&self) -> bool {
        self.things.is_none() && self.spaces.is_none()
    }
}

/// For each parameter what cuts what it is picked from.
#[derive(Default)]
pub struct Cuts(pub Vec<Cut>);

impl Cuts {
    /// Whether nothing is cut.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Cut::is_none)
    }
}

/// Conditions on one parameter that are lifted together.
struct LaterConditions {
    /// Which parameter.
    k: usize,
    /// Where the names are known.
    env: usize,
    /// Whether they look at nothing of a component but the space on which it lies.
    space_alone: bool,
    /// Whether one of them may fault of what lies on no space.
    needs_space: bool,
    /// Each with its number among all.
    all: Vec<(usize, Expr)>,
}

impl Lower<'_> {
    /// Makes those sets, of conditions that can be lifted; gives them, and the conditions that are left. What takes a loop to judge stays where it was: few may be left for it.
    pub fn push_down_conditions(
        &mut self,
        f: &mut FnBuild,
        a: &Action,
        conds: &[Known],
    ) -> (Cuts, Vec<Known>) {
        let mut cuts = vec![Cut::default(); a.params.len()];
        // In the order in which they stand: one may guard another.
        let mut rest: Vec<(usize, Known)> = Vec::new();
        let mut next = 0;
        let mut said: Vec<LaterConditions> = Vec::new();
        for (cond, env, upto) in conds {
            let k = upto.saturating_sub(1);
            let Some(p) = a.params.get(k).filter(|p| k > 0 && matches!(p.many, Many::One)) else {
                next += 1;
                rest.push((next, (cond.clone(), *env, *upto)));
                continue;
            };
            let u = self.uni_of(&p.from);
            // What is found by what lies on spaces lies on one.
            let lies = self.map_found_by(&p.from, u, 0).filter(|_| *env == 0).and_then(|_| placed_fact(p));
            let mut parts = Vec::new();
            split_conjunction(cond, &mut parts);
            for c in parts {
                next += 1;
                // What looks at the same space is found together.
                let space_alone = self.depends_on_space_alone(f, c, *env, p.local, u);
                let anywhere = self.cannot_fault_in(f, *env, c);
                let certain = f.facts.len();
                f.facts.extend(lies.iter().filter(|_| space_alone).map(|fact| (*env, fact.clone())));
                let alone = (anywhere || space_alone && self.cannot_fault_in(f, *env, c))
                    && self.params_read_by(f, a, c, *env) == 1 << k
                    && !self.with_lifted(f, *env, p.local, |s, f| s.needs_loop(f, c, 0) || s.is_free(f, c));
                f.facts.truncate(certain);
                if !alone {
                    rest.push((next, (c.clone(), *env, *upto)));
                    continue;
                }
                match said.iter_mut().find(|s| space_alone && s.space_alone && (s.k, s.env) == (k, *env)) {
                    Some(together) => {
                        together.all.push((next, c.clone()));
                        together.needs_space |= !anywhere;
                    }
                    None => said.push(LaterConditions {
                        k,
                        env: *env,
                        space_alone,
                        needs_space: !anywhere,
                        all: vec![(next, c.clone())],
                    }),
                }
            }
        }
        // Where something lies is looked at first: the others are then asked of what lies somewhere.
        said.sort_by_key(|s| !s.space_alone);
        for LaterConditions { k, env, space_alone, needs_space, all } in said {
            let Some(p) = a.params.get(k) else { continue };
            let u = self.uni_of(&p.from);
            let w = self.w(u);
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
                    // It was cut out of the set itself.
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

    /// Cuts a set of spaces with those of which conditions on what lies there hold; false where they cannot be found.
    fn cut_spaces(
        &mut self,
        f: &mut FnBuild,
        (all, env): (&[(usize, Expr)], usize),
        l: LocalId,
        (u, spaces): (UniverseId, UniverseId),
        known: &mut Option<R>,
    ) -> bool {
        let w = self.w(spaces);
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

/// That what a parameter stands for lies on a space.
fn placed_fact(p: &Param) -> Option<Fact> {
    let of = |kind| Expr { ty: Ty::Error, span: p.span, kind: Box::new(kind) };
    let at = of(ExprKind::Builtin(Builtin::At, vec![of(ExprKind::Local(p.local))]));
    Some(Fact { path: flow::path(&at)?, known: flow::Known::Some, fleeting: false })
}
