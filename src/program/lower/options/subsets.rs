//! Lowers guards of an action that takes a set. A guard that reads the set is asked of each set; guards that do not read it are asked once, before any set is made.
use crate::fn_builder::{FnBuild, Label};
use crate::ir::*;
use crate::layout::tables::Tables;
use crate::lower::Lower;
use crate::lower::options::condition::Condition;
use crate::lower::options::enumerator::note_facts;
use crate::lower::options::must_leave::Tuple;
use houserule_model::hir::*;
use houserule_text::Span;

impl Tables<'_> {
    /// The number of the first guard, of those before the effect, that reads the set which an action takes. Those behind it may need what it makes sure of.
    pub fn first_of_set(&self, a: &Action, conditions: &[&Condition<'_>]) -> Option<usize> {
        let takes_set = matches!(a.params.last().map(|p| &p.many), Some(Many::Subset { .. }));
        let reads = |c: &&Condition<'_>| c.upto == a.params.len();
        conditions.iter().position(reads).filter(|_| takes_set)
    }
}

impl<'m> Lower<'m> {
    /// Makes the function that says whether a set passes the guards that read it, and leaves what it must; none if there are no such guards.
    pub fn make_set_guard(
        &mut self,
        id: ActionId,
        types: &[(Ty, Span)],
        conditions: &[Condition<'m>],
        decl: DeclIx,
    ) -> Option<FuncId> {
        let a = &self.m.actions[id.index()];
        let (tried, plain): (Vec<&Condition<'m>>, Vec<_>) =
            conditions.iter().partition(|c| c.is_behind_effect);
        let first = self.first_of_set(a, &plain);
        if !matches!(a.params.last()?.many, Many::Subset { .. }) || first.is_none() && tried.is_empty() {
            return None;
        }
        let args = self.words_upto(types, types.len());
        let func = self.new_func(&format!("{} (set)", a.name), true, args, 1, decl);
        let mut f = FnBuild::new(false);
        f.alloc(args);
        self.bind_all(&mut f, id, types, a.params.len());
        let (holds, no) = (f.alloc(1), f.new_label());
        f.emit(Ins::Li { d: holds, k: 0 });
        for c in plain.iter().skip(first.unwrap_or(plain.len())) {
            let env = self.condition_env(&mut f, id, c);
            let base = f.next;
            self.with_env(&mut f, env, |s, f| s.branch(f, &c.cond, false, no));
            f.next = base;
            if env == 0 {
                note_facts(&c.cond, 0, &mut f.facts);
            }
        }
        if tried.is_empty() {
            f.emit(Ins::Li { d: holds, k: 1 });
        } else {
            let ok = self.try_effect(&mut f, id, &tried, Tuple { fixed: 1, n: args - 1, last: None });
            f.emit(Ins::Mov { d: holds, a: ok });
        }
        f.place_label(no);
        f.emit(Ins::Mov { d: 0, a: holds });
        self.finish_func(func, f);
        Some(func)
    }

    /// Emits the guards that do not read the set: they are asked if a subset with a size in the bounds at `head` exists.
    pub fn guard_subsets(
        &mut self,
        f: &mut FnBuild,
        (s, w, head): (R, u8, R),
        guards: &[(&Expr, usize)],
        none: Label,
    ) {
        if guards.is_empty() {
            return;
        }
        let base = f.next;
        let (n, t) = (f.alloc(1), f.alloc(1));
        f.emit(Ins::SCount { d: n, s, w });
        f.emit(Ins::Min { d: n, a: n, b: head + 1 });
        f.emit(Ins::Le { d: t, a: head, b: n });
        f.jz(t, none);
        f.next = base;
        for (c, env) in guards {
            let base = f.next;
            self.with_env(f, *env, |s, f| s.branch(f, c, false, none));
            f.next = base;
        }
    }
}
