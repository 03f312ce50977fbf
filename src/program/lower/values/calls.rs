//! Lowers calls of values and hooks: inlined bodies, arguments that are evaluated once, functions of values.
use crate::fn_builder::{Bind, FnBuild};
use crate::ir::*;
use crate::layout::tables::Plain;
use crate::lower::{Job, Lower};
use houserule_model::body::types;
use houserule_model::hir::*;
use std::rc::Rc;

impl Lower<'_> {
    /// Like [`Lower::bind_arguments`]; an argument that must be evaluated and is used more than once in the body is evaluated once, before.
    pub fn bind_arguments_once(
        &mut self,
        f: &mut FnBuild,
        params: usize,
        args: &[Expr],
        body: &Expr,
    ) -> usize {
        let env = self.bind_arguments(f, params, args);
        if f.is_effect || f.trial_values.is_some() {
            return env;
        }
        for (i, a) in args.iter().take(params).enumerate() {
            let l = LocalId(i as u32);
            let plain = !matches!(a.ty, Ty::Set(_) | Ty::List(_) | Ty::Filter(_) | Ty::Text | Ty::Place);
            let cheap = matches!(&*a.kind, ExprKind::Local(_) | ExprKind::Face(..) | ExprKind::Component(..));
            if !plain || cheap || self.known_constant(a).is_some() || !self.is_free(f, a) {
                continue;
            }
            // An argument that may fault is evaluated even if the body does not use it.
            if count_uses(body, l) < 2 && self.cannot_fault(f, a) {
                continue;
            }
            let r = self.expr_reg(f, a);
            f.envs[env].insert(l, Bind::Reg(r));
        }
        env
    }

    pub(super) fn value_call_into(&mut self, f: &mut FnBuild, v: ValueId, args: &[Expr], e: &Expr, d: R) {
        if let Some(a) = self.find_available(f, v, args) {
            f.emit(Ins::Mov { d, a });
            return;
        }
        if self.kept_into(f, v, args, d) {
            return;
        }
        if let Some(table) = self.truth_table(f, v, args) {
            let i = self.expr_reg(f, &args[0]);
            f.emit(Ins::LdTable { d, i, table });
            return;
        }
        if let Some((env, plain)) = self.inline_value(f, v, args) {
            let skip = f.none_label.take();
            self.with_env(f, env, |s, f| s.expr_into(f, &plain.1, d));
            f.none_label = skip;
            return;
        }
        if let Some(at) = self.emit_value_call(f, v, args, e) {
            f.emit(Ins::Mov { d, a: at });
        }
    }

    /// Inlines a call of a value: returns the environment of its arguments and the body; none if the value must be called.
    pub fn inline_value(&mut self, f: &mut FnBuild, v: ValueId, args: &[Expr]) -> Option<(usize, Plain)> {
        let plain = self.inlined_body(f, v)?;
        // An argument that is used more than once is evaluated once.
        let used = self.params_read(v);
        let mut names = rustc_hash::FxHashMap::default();
        for (i, a) in args.iter().take(plain.0).enumerate() {
            // An argument that the body does not use need not be known, unless it may fault or be none.
            let read = used.as_ref().is_none_or(|u| u.get(i).copied().unwrap_or(true));
            let ends = f.none_label.is_some() && types::is_maybe(&a.ty);
            if read || ends || !self.argument_cannot_fault(a) {
                names.insert(LocalId(i as u32), self.bind_argument(f, a, v, i));
            }
        }
        f.envs.push(names);
        Some((f.envs.len() - 1, plain))
    }

    /// Binds an argument of an inlined value: to a register, or, for sets of lists and sets that are cheap to evaluate again, to the expression.
    fn bind_argument(&mut self, f: &mut FnBuild, a: &Expr, v: ValueId, i: usize) -> Bind {
        if let ExprKind::Local(l) = &*a.kind
            && let Some(b) = self.binding_of(f, *l)
        {
            if let Bind::Reg(r) = b {
                self.require_argument(f, a, r, v, i);
            }
            return b;
        }
        let w = self.width(&a.ty, a.span);
        let r = f.alloc(w);
        self.store(f, a, r);
        self.require_argument(f, a, r, v, i);
        Bind::Reg(r)
    }

    pub fn require_argument(&mut self, f: &mut FnBuild, a: &Expr, r: R, v: ValueId, i: usize) {
        let maybe = self.m.values[v.index()].body.locals.get(i).is_some_and(|l| types::is_maybe(&l.ty));
        if !maybe {
            self.require_into(f, a, r);
        }
    }

    /// In an effect, an argument that is none ends the statement, unless the value accepts none there.
    pub fn require_arguments(&mut self, f: &mut FnBuild, v: ValueId, args: &[Expr]) {
        let locals = &self.m.values[v.index()].body.locals;
        for (a, local) in args.iter().zip(locals) {
            if f.none_label.is_some() && types::is_maybe(&a.ty) && !types::is_maybe(&local.ty) {
                self.required_reg(f, a);
            }
        }
    }

    /// Emits a call of a value's function; returns the register of its result.
    pub fn emit_value_call(&mut self, f: &mut FnBuild, v: ValueId, args: &[Expr], e: &Expr) -> Option<R> {
        // A modification that reads the value that it modifies gets the value below it.
        let func = match f.below {
            Some((of, upto)) if of == v => self.value_below(v, upto),
            _ => self.value_func(v),
        };
        let results = self.width(&e.ty, e.span);
        let words: u8 = args.iter().map(|a| self.width(&a.ty, a.span)).sum();
        let at = f.alloc(words.max(results).max(1));
        let mut r = at;
        for (i, a) in args.iter().enumerate() {
            self.store(f, a, r);
            self.require_argument(f, a, r, v, i);
            r += self.width(&a.ty, a.span);
        }
        f.emit(Ins::Call { at, f: func });
        Some(at)
    }

    /// Emits a call of a pure function with a result of one word.
    pub(super) fn call_into(&mut self, f: &mut FnBuild, func: FuncId, args: &[Expr], d: R) {
        let words: u8 = args.iter().map(|a| self.width(&a.ty, a.span)).sum();
        let at = f.alloc(words.max(1));
        let mut r = at;
        for a in args {
            self.store(f, a, r);
            r += self.width(&a.ty, a.span);
        }
        f.emit(Ins::Call { at, f: func });
        f.emit(Ins::Mov { d, a: at });
    }

    /// The function of a value with its first `upto` modifications.
    pub fn value_below(&mut self, v: ValueId, upto: usize) -> FuncId {
        let value = &self.m.values[v.index()];
        let args: u8 = self.signature(&value.body).iter().map(|(t, s)| self.width(t, *s)).sum();
        let results = self.width(&value.ty, value.span);
        let decl = self.add_decl("value", &value.name, value.span);
        let name = value.name.to_string();
        self.func(format!("value {} upto {upto}", v.0), &name, true, args, results, decl, Job::Value(v, upto))
    }

    /// The function of a value with all its modifications.
    pub fn value_func(&mut self, v: ValueId) -> FuncId {
        self.value_below(v, usize::MAX)
    }

    pub(super) fn hook_into(&mut self, f: &mut FnBuild, h: HookId, args: &[Expr], e: &Expr, d: R) {
        if let Some(at) = self.emit_hook_call(f, h, args, e) {
            f.emit(Ins::Mov { d, a: at });
        }
    }

    /// Emits a call of a hook; returns the register of its result.
    pub fn emit_hook_call(&mut self, f: &mut FnBuild, h: HookId, args: &[Expr], e: &Expr) -> Option<R> {
        let Some(ix) = self.hook_ix.get(&h).copied() else {
            self.report_unsupported(e.span, "this hook");
            return None;
        };
        let w = self.hook_words(&e.ty, e.span);
        let words: u8 = args.iter().map(|a| self.hook_words(&a.ty, a.span)).sum();
        let at = f.alloc(words.max(w));
        let mut r = at;
        for a in args {
            let n = self.hook_words(&a.ty, a.span);
            match self.hook_show(&a.ty, a.span) {
                Show::List(u) => {
                    let l = self.list_reg(f, a, u);
                    f.emit(Ins::MovN { d: r, a: l, n });
                }
                _ => {
                    self.store(f, a, r);
                    self.require_into(f, a, r);
                }
            }
            r += n;
        }
        f.emit(Ins::Hook { at, h: ix });
        if types::range(&e.ty).is_some() {
            let table = self.range_table(&e.ty);
            f.emit(Ins::Within { d: at, a: at, table });
        }
        Some(at)
    }

    /// Makes an environment in which a value's parameters are bound to its arguments.
    pub fn bind_arguments(&mut self, f: &mut FnBuild, params: usize, args: &[Expr]) -> usize {
        let env = f.env;
        let mut names = rustc_hash::FxHashMap::default();
        for (i, a) in args.iter().take(params).enumerate() {
            // A name that is bound to a name gets the binding of that name.
            let b = match &*a.kind {
                ExprKind::Local(l) => self.binding_of(f, *l).unwrap_or(Bind::Alias(Rc::new(a.clone()), env)),
                _ => Bind::Alias(Rc::new(a.clone()), env),
            };
            names.insert(LocalId(i as u32), b);
        }
        f.envs.push(names);
        f.envs.len() - 1
    }
}

/// How often a name occurs in an expression.
fn count_uses(e: &Expr, l: LocalId) -> usize {
    let mut n = 0;
    houserule_model::body::walk::visit_exprs(e, &mut |x| {
        n += usize::from(matches!(&*x.kind, ExprKind::Local(y) if *y == l));
    });
    n
}
