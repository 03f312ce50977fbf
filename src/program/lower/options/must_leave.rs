//! Lowers `must leave`: an option stands only if its effect, executed on trial and undone, leaves a condition true.
use crate::fn_builder::{Bind, FnBuild};
use crate::ir::*;
use crate::lower::Lower;
use crate::lower::options::condition::Condition;
use houserule_model::body::walk;
use houserule_model::hir::*;
use houserule_text::Span;

/// Registers of an action's parameters: those of the menu and all but the last of its own in a row, then the last.
#[derive(Clone, Copy)]
pub struct Tuple {
    /// First register of the row.
    pub fixed: R,
    /// Number of registers in the row.
    pub n: u8,
    /// Register and width of the last parameter, if there is one.
    pub last: Option<(R, u8)>,
}

impl<'m> Lower<'m> {
    /// Executes the effect of an action on trial, evaluates the conditions after it, and undoes it. Returns the register that says whether they hold.
    pub fn try_effect(&mut self, f: &mut FnBuild, id: ActionId, conds: &[&Condition<'m>], of: Tuple) -> R {
        let ok = f.alloc(1);
        let base = f.next;
        let effect = self.trial_effect_func(id);
        let mut envs = Vec::new();
        for c in conds {
            let env = self.condition_env(f, id, c);
            envs.push(self.bind_names_before(f, id, c, env));
        }
        // The window must be last.
        let (n, last) = (of.n, of.last.map_or(0, |(_, w)| w));
        let at = f.emit_new(1 + n + last, |d| Ins::Mov { d, a: 0 });
        if n > 0 {
            f.emit(Ins::MovN { d: at + 1, a: of.fixed, n });
        }
        if let Some((r, w)) = of.last {
            f.emit(Ins::MovN { d: at + 1 + n, a: r, n: w });
        }
        f.emit(Ins::Try { at, f: effect });
        // Available values are no longer right after the effect.
        let (ready, asks) = (std::mem::take(&mut f.available), f.trial_values.take());
        let outer = std::mem::replace(&mut f.is_behind_trial, true);
        let undo = f.new_label();
        let last_of = conds.len().saturating_sub(1);
        for (i, (c, env)) in conds.iter().zip(envs).enumerate() {
            let inner = f.next;
            let r = self.with_env(f, env, |s, f| s.expr_reg(f, &c.cond));
            f.emit(Ins::Mov { d: ok, a: r });
            if i < last_of {
                f.jz(ok, undo);
            }
            f.next = inner;
        }
        f.is_behind_trial = outer;
        f.available = ready;
        f.trial_values = asks;
        f.place_label(undo);
        f.emit(Ins::Untry);
        f.next = base;
        ok
    }

    /// Makes the plain guard for `must leave`: a function of `me` and all parameters.
    pub fn make_must_leave_guard(
        &mut self,
        id: ActionId,
        types: &[(Ty, Span)],
        conds: &[&Condition<'m>],
        decl: DeclIx,
    ) -> FuncId {
        let a = &self.m.actions[id.index()];
        let args = self.words_upto(types, types.len());
        let func = self.new_func(&a.name, true, args, 1, decl);
        let mut f = FnBuild::new(false);
        f.alloc(args);
        self.bind_all(&mut f, id, types, a.params.len());
        let of = Tuple { fixed: 1, n: args - 1, last: None };
        let ok = self.try_effect(&mut f, id, conds, of);
        f.emit(Ins::Mov { d: 0, a: ok });
        self.finish_func(func, f);
        func
    }

    /// Makes the environment of a condition; evaluates the lets of the head that it uses before the effect. Returns the environment.
    fn bind_names_before(&mut self, f: &mut FnBuild, id: ActionId, c: &Condition<'m>, env: usize) -> usize {
        let a = &self.m.actions[id.index()];
        if !c.is_own() {
            return env;
        }
        let mut names = f.envs[env].clone();
        for h in &a.head {
            let HeadStep::Let(l, e) = h else { continue };
            if !walk::any_expr(&c.cond, &mut |x| matches!(&*x.kind, ExprKind::Local(y) if y == l)) {
                continue;
            }
            let w = self.width(&e.ty, e.span);
            let r = f.alloc(w);
            self.with_env(f, env, |s, f| s.store(f, e, r));
            names.insert(*l, Bind::Reg(r));
        }
        f.envs.push(names);
        f.envs.len() - 1
    }
}
