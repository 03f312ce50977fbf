//! Finds plain values: nothing fills or modifies them, so that a call can be replaced by the body.
use crate::fn_builder::FnBuild;
use crate::layout::tables::{Layout, Plain, Tables};
use houserule_model::body::{build, types, walk};
use houserule_model::hir::*;
use std::rc::Rc;

/// The body of `team(p)` if nothing modifies it.
pub fn team_body(v: &Value) -> Option<Expr> {
    if !matches!(v.role, ValueRole::Team) {
        return None;
    }
    let player = build::expr(types::player(), v.span, ExprKind::Local(LocalId(0)));
    let kind = ExprKind::Builtin(Builtin::TeamOf, vec![player]);
    Some(build::expr(v.ty.clone(), v.span, kind))
}

impl Tables<'_> {
    /// The body of a value that is not modified, filled or too large to be copied; none otherwise.
    pub fn plain_value(&self, v: ValueId) -> Option<Plain> {
        if let Some(known) = self.plain_values.borrow().get(&v) {
            return known.clone();
        }
        let plain = self.find_plain_value(v).map(Rc::new);
        self.plain_values.borrow_mut().insert(v, plain.clone());
        plain
    }

    /// The body of a value whose call is inlined.
    pub fn inlined_body(&self, f: &FnBuild, v: ValueId) -> Option<Plain> {
        if f.depth < 24 { self.plain_value(v) } else { None }
    }

    /// As [`Self::inlined_body`], of a call whose arguments stand in the body wherever it uses them: none if one of them asks or draws, which must happen once.
    pub fn inlined_call(&self, f: &FnBuild, v: ValueId, args: &[Expr]) -> Option<Plain> {
        if args.iter().any(walk::is_acting) { None } else { self.inlined_body(f, v) }
    }

    fn find_plain_value(&self, v: ValueId) -> Option<(usize, Expr)> {
        let value = self.m.values.get(v.index())?;
        if let Some(body) = self.absent_line(value) {
            return Some((value.body.params, body));
        }
        let written = &self.game_facts.inlined_sizes;
        if written.is_called(v)
            || self.is_filled(v)
            || !self.attachments_on(|t| *t == Target::Value(v)).is_empty()
        {
            return None;
        }
        let body = value.body.body.clone().or_else(|| crate::analysis::plain_value::team_body(value));
        let shared = |b| if self.opts.dry { b } else { crate::analysis::repeated_calls::share_calls(b) };
        body.map(|b| (value.body.params, shared(b)))
    }
}

impl Layout<'_> {
    /// The value of a score line that is not in this set-up: 0 or nothing.
    pub fn absent_line(&self, v: &Value) -> Option<Expr> {
        if !matches!(v.role, ValueRole::Line(..)) || self.set.has(v.scope) {
            return None;
        }
        let kind = if v.ty == Ty::Text { ExprKind::Text(Text::default()) } else { ExprKind::Int(0) };
        Some(build::expr(v.ty.clone(), v.span, kind))
    }
}
