//! Lowers conditions to control flow: a condition that only decides where to continue gets jumps in place of a truth value.
use crate::fn_builder::{Bind, FnBuild, Label};
use crate::ir::*;
use crate::lower::Lower;
use houserule_model::body::types;
use houserule_model::hir::*;

impl Lower<'_> {
    /// Jumps to `to` if the condition has the value `when`, and falls through otherwise.
    pub fn branch(&mut self, f: &mut FnBuild, e: &Expr, when: bool, to: Label) {
        if f.depth > 60 || f.is_effect {
            return self.branch_on_value(f, e, when, to);
        }
        if let Some(k) = self.known_constant(e) {
            if (k != 0) == when {
                f.jmp(to);
            }
            return;
        }
        // A conjunction or disjunction has no code of its own; coverage marks it all the same.
        if self.opts.cover {
            f.places.push((f.code.len() as u32, e.span));
        }
        let base = f.next;
        match &*e.kind {
            ExprKind::Not(x) if !types::is_maybe(&x.ty) => self.branch(f, x, !when, to),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                // A false part decides `and`; a true part decides `or`.
                let decides = matches!(&*e.kind, ExprKind::Or(..));
                if decides == when {
                    self.branch(f, a, when, to);
                    self.branch(f, b, when, to);
                } else {
                    let on = f.new_label();
                    self.branch(f, a, decides, on);
                    self.branch(f, b, when, to);
                    f.place_label(on);
                }
            }
            ExprKind::IsSome(x) if !matches!(x.ty, Ty::Set(_) | Ty::List(_)) => {
                let a = self.expr_reg(f, x);
                f.set_span(e.span);
                let to = to.0 as u32;
                f.emit(if when { Ins::JSome { a, to } } else { Ins::JNone { a, to } });
            }
            ExprKind::Compare(op @ (Comparison::Eq | Comparison::Ne), a, b)
                if !matches!(a.ty, Ty::Set(_) | Ty::List(_) | Ty::Filter(_))
                    && !matches!(b.ty, Ty::Set(_) | Ty::List(_)) =>
            {
                let Some(k) = self.known_constant(b) else { return self.branch_on_value(f, e, when, to) };
                let small = i16::try_from(k);
                if small.is_err() && k != NONE {
                    return self.branch_on_value(f, e, when, to);
                }
                let a = self.expr_reg(f, a);
                f.set_span(e.span);
                let to = to.0 as u32;
                let same = (*op == Comparison::Eq) == when;
                f.emit(match (same, small) {
                    (true, Ok(k)) => Ins::JEqK { a, k, to },
                    (false, Ok(k)) => Ins::JNeK { a, k, to },
                    (true, Err(_)) => Ins::JNone { a, to },
                    (false, Err(_)) => Ins::JSome { a, to },
                });
            }
            ExprKind::Let(l, x, body) => {
                let r = f.alloc(self.width(&x.ty, x.span));
                self.store(f, x, r);
                f.bind(*l, Bind::Reg(r));
                self.branch(f, body, when, to);
            }
            ExprKind::Local(l) => match self.binding_of(f, *l) {
                Some(Bind::Alias(x, env)) => self.with_env(f, env, |s, f| s.branch(f, &x, when, to)),
                _ => self.branch_on_value(f, e, when, to),
            },
            ExprKind::Value(v, args)
                if self.inlined_body(f, *v).is_some() && self.kept_number(*v, args).is_none() =>
            {
                if let Some(a) = self.find_available(f, *v, args) {
                    return f.jump_if(a, when, to);
                }
                if self.truth_table(f, *v, args).is_some() {
                    return self.branch_on_value(f, e, when, to);
                }
                if let Some(r) = self.test_available_set(f, *v, args) {
                    f.jump_if(r, when, to);
                } else if let Some((env, plain)) = self.inline_value(f, *v, args) {
                    let skip = f.none_label.take();
                    self.with_env(f, env, |s, f| s.branch(f, &plain.1, when, to));
                    f.none_label = skip;
                }
            }
            _ => self.branch_on_value(f, e, when, to),
        }
        f.next = base;
    }

    /// Emits the side of a conditional expression that the condition picks.
    pub fn emit_if(
        &mut self,
        f: &mut FnBuild,
        cond: &Expr,
        [yes, no]: [&Expr; 2],
        emit: impl Fn(&mut Self, &mut FnBuild, &Expr),
    ) {
        let (other, end) = (f.new_label(), f.new_label());
        self.branch(f, cond, false, other);
        emit(self, f, yes);
        f.jmp(end);
        f.place_label(other);
        emit(self, f, no);
        f.place_label(end);
    }

    fn branch_on_value(&mut self, f: &mut FnBuild, e: &Expr, when: bool, to: Label) {
        let base = f.next;
        let r = self.required_reg(f, e);
        f.jump_if(r, when, to);
        f.next = base;
    }
}
