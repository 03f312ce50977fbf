//! `can rule(…)`: whether a rule could begin — nothing forbids it, and the `needs` before its first effect hold.
use super::build::{Bind, FnBuild, Label};
use super::ir::*;
use super::lower::{Event, Job, Lower};
use crate::model::body::{types, walk};
use crate::model::hir::*;
use std::rc::Rc;

impl Lower<'_> {
    /// Whether a rule could begin with these arguments, as a truth value in `d`; with none where a thing is needed it could not.
    pub fn can_rule(&mut self, f: &mut FnBuild, r: RuleId, by: Option<&Expr>, args: &[Expr], d: R) {
        let rule = self.m.rules[r.index()].clone();
        let decl = self.decl(if rule.phase { "phase" } else { "rule" }, &rule.name, rule.span);
        let words: u8 = args.iter().map(|a| self.width(&a.ty, a.span)).sum();
        let func = self.func(format!("can {}", r.0), &rule.name, true, 1 + words, 1, decl, Job::Can(r));
        let (no, end) = (f.label(), f.label());
        let me = by.map(|p| self.one(f, p)).or(f.me);
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
        // What is worked out for the arguments stands behind them: the window is the last thing.
        let last = f.alloc(1 + words);
        f.emit(Ins::MovN { d: last, a: at, n: 1 + words });
        f.emit(Ins::Call { at: last, f: func });
        f.emit(Ins::Mov { d, a: last });
        f.jmp(end);
        f.place(no);
        f.emit(Ins::Li { d, k: 0 });
        f.place(end);
    }

    /// The function behind `can`.
    pub fn make_can(&mut self, r: RuleId) -> FnBuild {
        let m = self.m;
        let rule = &m.rules[r.index()];
        let mut f = FnBuild::new(false);
        let me = f.alloc(1);
        f.me = Some(me);
        let types = self.signature(&rule.body);
        let params = self.parameters(&mut f, &types);
        let binds: Vec<Bind> = params.iter().map(|(r, _)| Bind::Reg(*r)).collect();
        let (no, yes) = (f.label(), f.label());
        for x in self.around(Event::Rule(r)) {
            if matches!(x.0.what, AttachKind::Forbid(_)) {
                self.forbidden(&mut f, x, &binds, no);
            }
        }
        let names = |f: &mut FnBuild| {
            for (i, b) in binds.iter().enumerate() {
                f.bind(LocalId(i as u32), b.clone());
            }
            match params.get(rule.me.index()) {
                Some((r, _)) => f.me = Some(*r),
                None => f.bind(rule.me, Bind::Reg(me)),
            }
        };
        match (&rule.body.body, rule.of, params.first()) {
            (Some(block), ..) => {
                names(&mut f);
                self.leading(&mut f, block, no);
            }
            (None, Some(k), Some((this, _))) => {
                let u = self.uni(&Ty::Of(k), rule.span);
                let face = f.alloc(1);
                f.emit(Ins::LdFace { d: face, c: *this, u: u.0 as u8 });
                let mut faces: Vec<_> = self.faces_of.iter().map(|(m, f)| (*m, *f)).collect();
                faces.sort_by_key(|(m, _)| *m);
                for (id, (first, _, keys)) in faces {
                    let Some(member) = m.members.get(id.index()) else { continue };
                    let Some((_, b)) = member.rule_fills.iter().find(|(x, _)| *x == r) else { continue };
                    let base = f.next;
                    let next = f.label();
                    let (t, lo, hi) =
                        (f.alloc(1), f.li(i64::from(first)), f.li(i64::from(first) + i64::from(keys)));
                    f.emit(Ins::Lt { d: t, a: face, b: hi });
                    f.jz(t, next);
                    f.emit(Ins::Le { d: t, a: lo, b: face });
                    f.jz(t, next);
                    f.envs.push(rustc_hash::FxHashMap::default());
                    f.env = f.envs.len() - 1;
                    names(&mut f);
                    self.leading(&mut f, &b.body, no);
                    f.jmp(yes);
                    f.place(next);
                    f.env = 0;
                    f.next = base;
                }
            }
            _ => {}
        }
        f.place(yes);
        let end = f.label();
        f.emit(Ins::Li { d: 0, k: 1 });
        f.jmp(end);
        f.place(no);
        f.emit(Ins::Li { d: 0, k: 0 });
        f.place(end);
        f
    }

    /// The guards before the first effect; on at `no` if one does not hold.
    fn leading(&mut self, f: &mut FnBuild, block: &Block, no: Label) {
        for s in block {
            match &s.kind {
                StmtKind::Let(l, e) => {
                    let acts = walk::any(e, &mut |x| {
                        matches!(&*x.kind, ExprKind::Choose(_) | ExprKind::Rule(..) | ExprKind::Roll(_))
                    });
                    if acts {
                        return;
                    }
                    f.bind(*l, Bind::Alias(Rc::new(e.clone()), f.env));
                }
                StmtKind::Needs(g) => {
                    let base = f.next;
                    let r = self.one(f, &g.cond);
                    f.jz(r, no);
                    f.next = base;
                }
                _ => return,
            }
        }
    }
}
