//! Lowers `can rule(…)`: whether a rule could begin, that is, no `forbid` applies and the guards before its first effect hold.
use crate::fn_builder::{Bind, FnBuild, Label};
use crate::ir::*;
use crate::layout::tables::{Layout, Tables};
use crate::lower::options::enumerator::own_names;
use crate::lower::{Event, Job, Lower};
use houserule_model::body::{build, types, walk};
use houserule_model::hir::*;
use houserule_text::Span;
use std::rc::Rc;

impl Layout<'_> {
    /// Whether the holes of a `forbid`'s reason can be filled; holes with sets cannot.
    fn is_plain_reason(&self, a: &Attachment, t: &Text) -> bool {
        let own = |l: LocalId| l.0 < a.outer || a.this == Some(l) || a.owner == Some(l);
        let is_set = |x: &Expr| {
            matches!(&*x.kind, ExprKind::Local(l) if own(*l)) && matches!(x.ty, Ty::Set(_) | Ty::List(_))
        };
        !walk::hole_exprs(t).into_iter().any(|e| walk::any_expr(e, &mut |x| is_set(x)))
    }
}

impl Tables<'_> {
    /// In the names of a reason: binds the names of a `forbid` to functions of `me` and the rule's arguments, with these types and in these registers.
    fn bind_held(
        &mut self,
        f: &mut FnBuild,
        env: usize,
        held: &[(LocalId, FuncId)],
        (types, binds): (&[(Ty, Span)], &[Bind]),
    ) {
        let own = (0..).map(LocalId).zip(binds.iter().cloned());
        f.envs.push(own.chain([(ME, Bind::Reg(0))]).collect());
        let at = f.envs.len() - 1;
        let of = |(i, (ty, span)): (usize, &(Ty, Span))| {
            build::expr(ty.clone(), *span, ExprKind::Local(LocalId(i as u32)))
        };
        let me = build::expr(types::player(), Span::default(), ExprKind::Local(ME));
        let args: Rc<Vec<Expr>> = Rc::new([me].into_iter().chain(types.iter().enumerate().map(of)).collect());
        for (l, func) in held {
            f.envs[env].insert(*l, Bind::Call(*func, args.clone(), at));
        }
    }
}

impl Lower<'_> {
    /// Emits whether a rule could begin with these arguments, as a truth value in `d`; false if a needed argument is none.
    pub fn can_rule_into(&mut self, f: &mut FnBuild, r: RuleId, by: Option<&Expr>, args: &[Expr], d: R) {
        let (no, end) = (f.new_label(), f.new_label());
        let at = self.call_can(f, (r, by, args), false, no);
        f.emit(Ins::Mov { d, a: at });
        f.jmp(end);
        f.place_label(no);
        f.emit(Ins::Li { d, k: 0 });
        f.place_label(end);
    }

    /// Calls the function for `can`, or the one for its reason; returns the register of the results. Jumps to `no` if an argument is none.
    fn call_can(&mut self, f: &mut FnBuild, can: Can<'_>, why: bool, no: Label) -> R {
        let (r, by, args) = can;
        let rule = self.m.rules[r.index()].clone();
        let decl = self.add_decl(if rule.phase { "phase" } else { "rule" }, &rule.name, rule.span);
        let words: u8 = args.iter().map(|a| self.width(&a.ty, a.span)).sum();
        let results = if why { 2 + words } else { 1 };
        let (key, job) = if why { ("why", Job::Why(r)) } else { ("can", Job::Can(r)) };
        let func = self.func(format!("{key} {}", r.0), &rule.name, true, 1 + words, results, decl, job);
        let me = by.map(|p| self.expr_reg(f, p)).or(f.me);
        let at = f.alloc(1 + words);
        match me {
            Some(me) => f.emit(Ins::Mov { d: at, a: me }),
            None => f.emit(Ins::Li { d: at, k: NONE as i32 }),
        }
        let mut to = at + 1;
        for (i, a) in args.iter().enumerate() {
            self.store(f, a, to);
            let maybe = rule.body.locals.get(i).is_some_and(|l| types::is_maybe(&l.ty));
            if types::is_maybe(&a.ty) && !maybe {
                f.jnone(to, no);
            }
            to += self.width(&a.ty, a.span);
        }
        // The window must be last: arguments are evaluated before it is allocated.
        let last = f.emit_new(results.max(1 + words), |d| Ins::MovN { d, a: at, n: 1 + words });
        f.emit(Ins::Call { at: last, f: func });
        last
    }

    /// The reason of a guard. A guard without a reason that asks `can` of a rule gets the reason of that rule.
    pub fn guard_reason(
        &mut self,
        cond: &Expr,
        reason: Option<&Text>,
        decl: DeclIx,
        args: u8,
        bind: &mut dyn FnMut(&mut Self, &mut FnBuild),
    ) -> TemplateIx {
        if let Some(t) = reason {
            return self.reason_template(t, decl, args, bind);
        }
        let ExprKind::CanRule(r, by, given) = &*cond.kind else { return NO_TEMPLATE };
        let results = 2 + given.iter().map(|a| self.width(&a.ty, a.span)).sum::<u8>();
        let func = self.new_func("why not", true, args, results, decl);
        let mut f = FnBuild::new(false);
        f.alloc(args);
        bind(self, &mut f);
        let no = f.new_label();
        let at = self.call_can(&mut f, (*r, by.as_ref(), given), true, no);
        f.emit(Ins::MovN { d: 0, a: at, n: results });
        f.none_from(0, no);
        self.finish_func(func, f);
        self.p.templates.push(Template { parts: vec![Piece::Reason(func)] });
        TemplateIx(self.p.templates.len() as u16 - 1)
    }

    /// Makes the function for `can`, of `me` and the rule's parameters. With `why`: the function that returns the template of the reason (or none) and, after it, its arguments.
    pub fn make_can(&mut self, r: RuleId, why: bool) -> FnBuild {
        let m = self.m;
        let rule = &m.rules[r.index()];
        let decl = self.add_decl(if rule.phase { "phase" } else { "rule" }, &rule.name, rule.span);
        let mut f = FnBuild::new(false);
        let me = f.alloc(1);
        f.me = Some(me);
        let types = self.signature(&rule.body);
        let params = self.alloc_parameters(&mut f, &types);
        let args = 1 + params.iter().map(|(_, w)| w).sum::<u8>();
        let kept = f.alloc(args);
        if why {
            f.emit(Ins::MovN { d: kept, a: 0, n: args });
        }
        let binds: Vec<Bind> = params.iter().map(|(r, _)| Bind::Reg(*r)).collect();
        let (no, yes) = (f.new_label(), f.new_label());
        let mut reasons: Vec<(Label, TemplateIx)> = Vec::new();
        for x in self.attachments_around(Event::Rule(r)) {
            let AttachKind::Forbid(reason) = &x.0.what else { continue };
            let mut to = no;
            if why && let Some(t) = reason.as_ref().filter(|t| self.is_plain_reason(x.0, t)) {
                let names = own_names(x.0, t);
                let held: Vec<(LocalId, FuncId)> =
                    names.into_iter().map(|l| (l, self.forbids_func(&types, x, Some(l)))).collect();
                let t = self.reason_template(t, decl, args, &mut |s, f| {
                    let env = s.attachment_env(f, x.0, x.1, &binds, Some(0));
                    s.bind_held(f, env, &held, (&types, &binds));
                    f.env = env;
                });
                to = f.new_label();
                reasons.push((to, t));
            }
            self.jump_if_forbidden(&mut f, x, &binds, to);
        }
        let names = |f: &mut FnBuild| {
            for (i, b) in binds.iter().enumerate() {
                f.bind(LocalId(i as u32), b.clone());
            }
            match params.get(rule.me.index()) {
                Some((r, _)) => f.me = Some(*r),
                None => {
                    f.me = Some(me);
                    f.bind(rule.me, Bind::Reg(me));
                }
            }
        };
        let leading = Leading { decl, args, no, names: &names };
        let mut told_to = why.then_some(&mut reasons);
        if let (Some(k), Some((this, _)), true) = (rule.of, params.first(), m.fills_of(r).next().is_some()) {
            let u = self.universe_of(&Ty::Of(k), rule.span);
            let face = f.emit_new(1, |d| Ins::LdFace { d, c: *this, u: u.0 as u8 });
            let mut faces: Vec<_> = self.faces_of.iter().map(|(m, f)| (*m, *f)).collect();
            faces.sort_by_key(|(m, _)| *m);
            for (id, (first, _, keys)) in faces {
                let Some(member) = m.members.get(id.index()) else { continue };
                let Some((_, b)) = member.rule_fills.iter().find(|(x, _)| *x == r) else { continue };
                let base = f.next;
                let next = f.new_label();
                let (t, lo, hi) = (
                    f.alloc(1),
                    f.load_number(i64::from(first)),
                    f.load_number(i64::from(first) + i64::from(keys)),
                );
                f.emit(Ins::Lt { d: t, a: face, b: hi });
                f.jz(t, next);
                f.emit(Ins::Le { d: t, a: lo, b: face });
                f.jz(t, next);
                f.envs.push(rustc_hash::FxHashMap::default());
                f.env = f.envs.len() - 1;
                names(&mut f);
                self.check_leading_guards(&mut f, &b.body, &leading, told_to.as_deref_mut());
                f.jmp(yes);
                f.place_label(next);
                f.env = 0;
                f.next = base;
            }
        }
        if let Some(block) = &rule.body.body {
            names(&mut f);
            self.check_leading_guards(&mut f, block, &leading, told_to);
        }
        f.place_label(yes);
        let end = f.new_label();
        f.emit(Ins::Li { d: 0, k: if why { NONE as i32 } else { 1 } });
        f.jmp(end);
        for (label, t) in reasons {
            f.place_label(label);
            f.emit(Ins::MovN { d: 1, a: kept, n: args });
            f.emit(Ins::Li { d: 0, k: i32::from(t.0) });
            f.jmp(end);
        }
        f.place_label(no);
        f.emit(Ins::Li { d: 0, k: if why { NONE as i32 } else { 0 } });
        f.place_label(end);
        f
    }

    /// Emits the guards before the first effect; jumps to `no` if one fails or, with `reasons`, to a new label for its reason.
    fn check_leading_guards(
        &mut self,
        f: &mut FnBuild,
        block: &Block,
        of: &Leading<'_>,
        mut reasons: Option<&mut Vec<(Label, TemplateIx)>>,
    ) {
        let mut lets: Vec<(LocalId, Rc<Expr>)> = Vec::new();
        for s in block {
            match &s.kind {
                StmtKind::Let(_, e) if walk::is_acting(e) => return,
                StmtKind::Let(l, e) => {
                    let e = Rc::new(e.clone());
                    f.bind(*l, Bind::Alias(e.clone(), f.env));
                    lets.push((*l, e));
                }
                StmtKind::Needs(g) => {
                    let base = f.next;
                    let r = self.expr_reg(f, &g.cond);
                    let mut to = of.no;
                    if let Some(reasons) = reasons.as_deref_mut() {
                        let t =
                            self.guard_reason(&g.cond, g.reason.as_ref(), of.decl, of.args, &mut |_, f| {
                                (of.names)(f);
                                for (l, e) in &lets {
                                    f.bind(*l, Bind::Alias(e.clone(), f.env));
                                }
                            });
                        to = f.new_label();
                        reasons.push((to, t));
                    }
                    f.jz(r, to);
                    f.next = base;
                }
                _ => return,
            }
        }
    }
}

/// The name of the acting player among the rule's arguments.
const ME: LocalId = LocalId(u32::MAX - 7);

/// A rule, its acting player, and its arguments.
type Can<'a> = (RuleId, Option<&'a Expr>, &'a [Expr]);

/// Context of a rule's guards: its declaration, words of arguments, where to jump if one fails, and how to bind the rule's names.
struct Leading<'a> {
    decl: DeclIx,
    args: u8,
    no: Label,
    names: &'a dyn Fn(&mut FnBuild),
}
