//! Weaves modifications into values: `=` from the oldest to the newest, then additions and subtractions, then `at least`, then `at most`.
use crate::analysis::attached::Attached;
use crate::analysis::attached::modification_sort;
use crate::fn_builder::{Bind, FnBuild};
use crate::ir::*;
use crate::layout::tables::Tables;
use crate::lower::attachments::Age;
use crate::lower::{Job, Lower};
use houserule_model::body::{types, walk};
use houserule_model::hir::*;

/// A value while it is modified: its parameters and the register of its result.
struct Modified {
    v: ValueId,
    params: Vec<Bind>,
    r: R,
    w: u8,
}

impl<'m> Tables<'m> {
    /// Whether the result depends on the age of these modifications, which are all of one sort.
    fn age_matters(&self, of: &Modified, group: &[Attached<'m>]) -> bool {
        let stands = |a: &Attachment| a.carrier.is_none() && self.layer_of(a).is_none();
        if group.iter().all(|(a, _)| stands(a)) || (group.len() == 1 && !self.may_be_several(group[0].0)) {
            return false;
        }
        if modification_sort(group[0].0) == 0 {
            return true;
        }
        let is =
            |c: Change| group.iter().any(|(a, _)| matches!(&a.what, AttachKind::Modify(d, _) if *d == c));
        let ty = self.m.values.get(of.v.index()).map(|v| &v.ty);
        let set = matches!(ty, Some(Ty::Set(_) | Ty::List(_)));
        let looks_below = group.iter().any(|(a, _)| {
            let AttachKind::Modify(_, e) = &a.what else { return false };
            walk::any_expr(e, &mut |x| match &*x.kind {
                ExprKind::Usual => true,
                ExprKind::Value(v, _) => *v == of.v,
                _ => false,
            })
        });
        looks_below || (set && is(Change::Add) && is(Change::Sub))
    }
}

impl<'m> Lower<'m> {
    /// Makes the function of a value with its first `upto` modifications.
    pub fn make_value(&mut self, v: ValueId, upto: usize) -> FnBuild {
        let m = self.m;
        let value = &m.values[v.index()];
        let mut f = FnBuild::new(false);
        let types = self.signature(&value.body);
        let params = self.alloc_parameters(&mut f, &types);
        for (i, (r, _)) in params.iter().enumerate() {
            f.bind(LocalId(i as u32), Bind::Reg(*r));
        }
        let w = self.width(&value.ty, value.span);
        let r = f.alloc(w);
        match &value.body.body {
            Some(e) if !self.is_filled(v) => {
                self.store(&mut f, &crate::analysis::repeated_calls::share_calls(e.clone()), r)
            }
            _ => match crate::analysis::plain_value::team_body(value) {
                Some(e) => self.store(&mut f, &e, r),
                None => self.emit_value_slot(&mut f, v, &params, r),
            },
        }
        let of = Modified { v, params: params.iter().map(|(r, _)| Bind::Reg(*r)).collect(), r, w };
        let all: Vec<_> = self.modifications(v).into_iter().take(upto).collect();
        let mut first = 0;
        while let Some((a, _)) = all.get(first) {
            let n =
                all[first..].iter().take_while(|(b, _)| modification_sort(b) == modification_sort(a)).count();
            let group = &all[first..first + n];
            if self.age_matters(&of, group) {
                self.modify_by_age(&mut f, &of, first, group);
            } else {
                for (i, x) in group.iter().enumerate() {
                    self.modify_as_written(&mut f, &of, first + i, *x);
                }
            }
            first += n;
        }
        f.below = None;
        if upto == usize::MAX && self.may_leave_range(v) {
            let ty = &self.m.values[v.index()].ty;
            let table = self.range_table(ty);
            f.emit(Ins::Within { d: r, a: r, table });
        }
        f.emit(Ins::MovN { d: 0, a: r, n: w });
        f
    }

    /// Applies one modification, for each carrier or layer.
    fn modify_as_written(&mut self, f: &mut FnBuild, of: &Modified, at: usize, (a, h): Attached<'m>) {
        f.below = Some((of.v, at));
        let base = f.next;
        let env = self.attachment_env(f, a, h, &of.params, None);
        let outer = std::mem::replace(&mut f.env, env);
        let end = f.new_label();
        let again = self.begin_instances(f, a);
        let not = again.map_or(end, |(_, top, _)| top);
        if let Some(c) = self.applies_condition(a, h) {
            let c = self.expr_reg(f, &c);
            f.jz(c, not);
        }
        self.change_value(f, of, a);
        if let Some((_, top, out)) = again {
            f.jmp(top);
            f.place_label(out);
        }
        f.place_label(end);
        f.env = outer;
        f.next = base;
    }

    /// Applies modifications of one sort, from the oldest to the newest.
    fn modify_by_age(&mut self, f: &mut FnBuild, of: &Modified, at: usize, group: &[Attached<'m>]) {
        let base = f.next;
        let done = Age::new(f, false);
        let (top, out) = (f.new_label(), f.new_label());
        f.place_label(top);
        let found = self.find_by_age(f, group, (done, false), |s, f, (a, h), k| {
            f.below = Some((of.v, at + k));
            s.attachment_env(f, a, h, &of.params, None)
        });
        f.jnone(found.which, out);
        done.copy_from(f, found.age);
        for (k, ((a, _), env)) in group.iter().zip(found.envs).enumerate() {
            f.below = Some((of.v, at + k));
            let inner = f.next;
            let outer = std::mem::replace(&mut f.env, env);
            let (t, next) = (f.alloc(1), f.new_label());
            f.emit(Ins::EqK { d: t, a: found.which, k: k as i32 });
            f.jz(t, next);
            self.bind_instance(f, a, found.thing);
            self.change_value(f, of, a);
            f.jmp(top);
            f.place_label(next);
            f.env = outer;
            f.next = inner;
        }
        f.place_label(out);
        f.next = base;
    }

    /// Applies the change of a modification to the result.
    fn change_value(&mut self, f: &mut FnBuild, of: &Modified, a: &Attachment) {
        let AttachKind::Modify(change, e) = &a.what else { return };
        let value = &self.m.values[of.v.index()];
        let (r, w) = (of.r, of.w);
        let usual = f.emit_new(w, |d| Ins::MovN { d, a: r, n: w });
        f.usual = Some(usual);
        if matches!(value.ty, Ty::Set(_) | Ty::List(_)) {
            self.change_list(f, &value.ty, *change, e, r);
        } else if w > 1 {
            let x = f.alloc(w);
            self.store(f, e, x);
            f.emit(Ins::MovN { d: r, a: x, n: w });
        } else {
            let x = f.alloc(1);
            self.store(f, e, x);
            f.emit(match change {
                Change::Add => Ins::Add { d: r, a: r, b: x },
                Change::Sub => Ins::Sub { d: r, a: r, b: x },
                Change::AtLeast => Ins::Max { d: r, a: r, b: x },
                Change::AtMost => Ins::Min { d: r, a: r, b: x },
                Change::Set => Ins::Mov { d: r, a: x },
            });
        }
        f.usual = None;
    }

    /// Emits what the member on the component's face gives for a value.
    fn emit_value_slot(&mut self, f: &mut FnBuild, v: ValueId, params: &[(R, u8)], r: R) {
        let m = self.m;
        let value = &m.values[v.index()];
        let (Some(k), Some((this, _))) = (value.of, params.first()) else {
            self.report_unsupported(value.span, "a value without a body");
            return;
        };
        let u = self.universe_of(&Ty::Of(k), value.span);
        let face = f.emit_new(1, |d| Ins::LdFace { d, c: *this, u: u.0 as u8 });
        let end = f.new_label();
        let mut faces: Vec<_> = self.faces_of.iter().map(|(m, f)| (*m, *f)).collect();
        faces.sort_by_key(|(m, _)| *m);
        for (id, (first, _, keys)) in faces {
            let Some(member) = m.members.get(id.index()).filter(|d| types::is_a(m, d.kind, k)) else {
                continue;
            };
            let Some((_, b)) = member.fills.iter().find(|(x, _)| *x == v) else { continue };
            let (t, next) = (f.alloc(1), f.new_label());
            let hi = f.load_number(i64::from(first + keys));
            f.emit(Ins::Lt { d: t, a: face, b: hi });
            f.jz(t, next);
            f.emit(Ins::Li { d: hi, k: i32::from(first) });
            f.emit(Ins::Le { d: t, a: hi, b: face });
            f.jz(t, next);
            self.store(f, &b.body, r);
            f.jmp(end);
            f.place_label(next);
        }
        if let Some(usual) = &value.body.body {
            self.store(f, usual, r);
        } else {
            let t = TemplateIx(self.p.templates.len() as u16);
            self.p.templates.push(Template {
                parts: vec![Piece::Literal(
                    format!("no modification gives `{}` a value here", value.name).into(),
                )],
            });
            f.emit(Ins::Fail { t });
        }
        f.place_label(end);
    }

    /// Adds a value to those that `why` can explain.
    pub fn make_value_slot(&mut self, v: ValueId) {
        let m = self.m;
        let value = &m.values[v.index()];
        let func = self.value_func(v);
        let params =
            value.body.locals.iter().take(value.body.params).map(|l| self.show(&l.ty, l.span)).collect();
        let show = self.show(&value.ty, value.span);
        let mods = self.modifications(v);
        let mut chain = Vec::new();
        if !mods.is_empty() {
            let (args, results) = (self.p.funcs[func.index()].args, self.p.funcs[func.index()].results);
            let own = self.p.funcs[func.index()].decl;
            for upto in 0..=mods.len() {
                let decl = match upto.checked_sub(1).and_then(|i| mods.get(i)) {
                    Some((a, _)) => self.attachment_decl(a),
                    None => own,
                };
                let name = value.name.to_string();
                let f = self.func(
                    format!("value {} upto {upto}", v.0),
                    &name,
                    true,
                    args,
                    results,
                    decl,
                    Job::Value(v, upto),
                );
                chain.push((decl, f));
            }
        }
        self.p.values.push(ValueSlot { name: value.name.clone(), func, params, show, chain });
    }
}
