//! What is attached to values and events, woven in: modifications in their order; forbids, replacements, what comes before and after.
//!
//! Who carries an attachment is found by a set expression made here; whether it applies by a condition. Both are ordinary expressions in the attachment's own names, so
//! that guards can lift them and effects can judge them once, on entering.
use super::build::{Bind, FnBuild};
use super::ir::*;
use super::lower::{Event, Job, Lower};
use crate::model::body::{types, walk};
use crate::model::hir::*;
use crate::text::Span;
use std::collections::HashMap;

/// A name that no body uses.
const CANDIDATE: LocalId = LocalId(1_000_000);

/// A thing attached, by one of its heads.
pub type Attached<'m> = (&'m Attachment, &'m Head);

/// What was judged on entering an event.
enum Judged {
    /// Applies or not, with its one carrier and owner, if it has any.
    One { flag: R, carrier: Option<(R, R)> },
    /// Lists of carriers and owners.
    Many { carriers: R, owners: R },
}

fn expr(ty: Ty, span: Span, kind: ExprKind) -> Expr {
    Expr { ty, span, kind: Box::new(kind) }
}

fn and(a: Option<Expr>, b: Expr) -> Option<Expr> {
    Some(match a {
        None => b,
        Some(a) => expr(Ty::Bool, b.span, ExprKind::And(a, b)),
    })
}

impl<'m> Lower<'m> {
    /// Attachments in force on some target, in order of declaration.
    pub fn attachments(&self, is: impl Fn(&Target) -> bool) -> Vec<Attached<'m>> {
        self.attached(&is)
            .into_iter()
            .filter_map(|a| a.heads.iter().find(|h| is(&h.target)).map(|h| (a, h)))
            .collect()
    }

    /// Attachments in force on an event.
    pub fn around(&self, e: Event) -> Vec<Attached<'m>> {
        let m = self.m;
        let all = self.attachments(|t| match (t, e) {
            (Target::Rule(x), Event::Rule(r)) => *x == r,
            (Target::Action(x), Event::Action(a)) => *x == a,
            (Target::Menu(x), Event::Action(a)) => m.actions[a.index()].menus.contains(x),
            (Target::Setup, Event::Setup) => true,
            (Target::Effect(EffectWord::Discard), Event::Discard(_)) => true,
            _ => false,
        });
        match e {
            // Patterns that ask for things of other kinds fit none of this one.
            Event::Discard(k) => all.into_iter().filter(|(a, h)| self.fits_kind(a, h, k)).collect(),
            _ => all,
        }
    }

    fn fits_kind(&self, a: &Attachment, h: &Head, k: KindId) -> bool {
        let m = self.m;
        let root = self.root(k);
        let same = |x: KindId| self.root(x) == root;
        let Some(Pattern::Test(_, e)) = h.patterns.first() else { return true };
        let mut fits = true;
        walk::every(e, &mut |x| match &*x.kind {
            ExprKind::Local(l) if Some(*l) == a.this => {
                fits &= match &a.carrier {
                    Some(Carrier::Member(id)) => m.members.get(id.index()).is_some_and(|d| same(d.kind)),
                    Some(Carrier::Kind(k)) => same(*k),
                    None => true,
                }
            }
            ExprKind::IsFace(_, id, _) => fits &= m.members.get(id.index()).is_some_and(|d| same(d.kind)),
            ExprKind::IsKind(_, x) => fits &= same(*x),
            _ => {}
        });
        fits
    }

    /// An environment for an attachment: names in its patterns, and `me`.
    pub fn attachment_env(
        &mut self,
        f: &mut FnBuild,
        a: &Attachment,
        h: &Head,
        params: &[Bind],
        me: Option<R>,
    ) -> usize {
        let mut names = HashMap::new();
        for (p, b) in h.patterns.iter().zip(params) {
            match p {
                Pattern::Bind(l) | Pattern::Test(l, _) => {
                    names.insert(*l, b.clone());
                }
                Pattern::Any => {}
            }
        }
        if let (Some(l), Some(r)) = (a.me, me) {
            names.insert(l, Bind::Reg(r));
        }
        f.envs.push(names);
        f.envs.len() - 1
    }

    /// When an attachment applies, in its own names; none: always.
    pub fn applies(&mut self, a: &Attachment, h: &Head) -> Option<Expr> {
        let span = a.span;
        let mut out = None;
        for p in &h.patterns {
            if let Pattern::Test(_, e) = p {
                out = and(out, e.clone());
            }
        }
        if let (Some(by), Some(me)) = (&a.by, a.me) {
            let me = expr(types::player(), span, ExprKind::Local(me));
            let kind = if matches!(by.ty, Ty::Set(_) | Ty::List(_)) {
                ExprKind::In(me, by.clone())
            } else {
                ExprKind::Compare(Comparison::Eq, me, by.clone())
            };
            out = and(out, expr(Ty::Bool, span, kind));
        }
        let mut during = None;
        for r in &a.during {
            let running = expr(Ty::Bool, span, ExprKind::Running(*r));
            during = Some(match during {
                None => running,
                Some(d) => expr(Ty::Bool, span, ExprKind::Or(d, running)),
            });
        }
        if let Some(d) = during {
            out = and(out, d);
        }
        if let Some(w) = &a.when {
            out = and(out, w.clone());
        }
        out
    }

    /// The components whose attachment is in force, as a set expression; none: it has no carrier.
    pub fn carriers(&mut self, a: &Attachment) -> Option<Expr> {
        let m = self.m;
        let span = a.span;
        let (kind, member) = match &a.carrier {
            None => return None,
            Some(Carrier::Kind(k)) => (*k, None),
            Some(Carrier::Member(id)) => (m.members.get(id.index())?.kind, Some(*id)),
        };
        let of = Ty::Of(kind);
        let it = || expr(of.clone(), span, ExprKind::Local(CANDIDATE));
        let all = expr(types::set_of(of.clone()), span, ExprKind::All(kind));
        if !types::is_component(m, kind) {
            // Spaces and players that carry something always do.
            return Some(all);
        }
        let mut active: Option<Expr> = None;
        for (i, z) in m.zones.iter().enumerate() {
            if !self.set.has(z.scope) || !z.holds.iter().any(|k| self.root(*k) == self.root(kind)) {
                continue;
            }
            match &z.active {
                Active::Never => continue,
                Active::Always => {}
                Active::When(_) => {
                    self.fail(z.span, "`active when`");
                    continue;
                }
            }
            let place = expr(Ty::Place, span, ExprKind::PlaceOf(None, ZoneId(i as u32), None));
            let here = expr(Ty::Bool, span, ExprKind::Builtin(Builtin::InZone, vec![it(), place]));
            active = Some(match active {
                None => here,
                Some(a) => expr(Ty::Bool, span, ExprKind::Or(a, here)),
            });
        }
        let active = active.unwrap_or_else(|| expr(Ty::Bool, span, ExprKind::Bool(false)));
        let cond = match member {
            Some(id) => and(Some(expr(Ty::Bool, span, ExprKind::IsFace(it(), id, None))), active),
            None => Some(active),
        };
        Some(expr(all.ty.clone(), span, ExprKind::Where(all, CANDIDATE, cond?)))
    }

    /// Who holds a carrier.
    fn owner_of(&self, a: &Attachment) -> Option<(LocalId, Expr)> {
        let (this, owner) = (a.this?, a.owner?);
        let ty = a.locals.get(this.index()).map_or(Ty::Error, |l| l.ty.clone());
        let this = expr(ty, a.span, ExprKind::Local(this));
        let maybe = types::maybe(types::player());
        Some((owner, expr(maybe, a.span, ExprKind::Builtin(Builtin::Holder, vec![this]))))
    }

    /// That an attachment does not apply, as one condition in its own names: what a `forbid` asks of a guard.
    pub fn not_forbidden(&mut self, a: &Attachment, h: &Head) -> Expr {
        let span = a.span;
        let yes = || expr(Ty::Bool, span, ExprKind::Bool(true));
        let applies = self.applies(a, h).unwrap_or_else(yes);
        let Some(over) = self.carriers(a) else {
            return expr(Ty::Bool, span, ExprKind::Not(applies));
        };
        let body = match self.owner_of(a) {
            Some((owner, holder)) => expr(Ty::Bool, span, ExprKind::Let(owner, holder, applies)),
            None => applies,
        };
        let fold =
            Fold { op: FoldOp::No, var: a.this.unwrap_or(CANDIDATE), over, cond: None, bodies: vec![body] };
        expr(Ty::Bool, span, ExprKind::Fold(Box::new(fold)))
    }

    // ── Values ───────────────────────────────────────────────────────────────────────────────────────────

    /// Modifications of a value in the order in which they are made.
    pub fn modifications(&self, v: ValueId) -> Vec<Attached<'m>> {
        let mut all = self.attachments(|t| *t == Target::Value(v));
        all.sort_by_key(|(a, _)| match &a.what {
            AttachKind::Modify(Change::Set, _) => 0,
            AttachKind::Modify(Change::Add | Change::Sub, _) => 1,
            AttachKind::Modify(Change::AtLeast, _) => 2,
            _ => 3,
        });
        all
    }

    /// A value with its first `upto` modifications.
    pub fn make_value(&mut self, v: ValueId, upto: usize) -> FnBuild {
        let m = self.m;
        let value = &m.values[v.index()];
        let mut f = FnBuild::new(false);
        let types = self.signature(&value.body);
        let params = self.parameters(&mut f, &types);
        for (i, (r, _)) in params.iter().enumerate() {
            f.bind(LocalId(i as u32), Bind::Reg(*r));
        }
        let w = self.width(&value.ty, value.span);
        let r = f.alloc(w);
        let set = matches!(value.ty, Ty::Set(_) | Ty::List(_));
        match &value.body.body {
            Some(e) => self.store(&mut f, e, r),
            None => self.value_slot_body(&mut f, v, &params, r),
        }
        let binds: Vec<Bind> = params.iter().map(|(r, _)| Bind::Reg(*r)).collect();
        for (a, h) in self.modifications(v).into_iter().take(upto) {
            let AttachKind::Modify(change, e) = &a.what else { continue };
            if a.once.is_some() {
                self.fail(a.span, "values modified once");
            }
            let base = f.next;
            let env = self.attachment_env(&mut f, a, h, &binds, None);
            let outer = std::mem::replace(&mut f.env, env);
            let end = f.label();
            let over = self.carriers(a);
            let again = over.map(|over| {
                let u = self.uni(&over.ty, a.span);
                let sw = self.w(u);
                let s = f.alloc(sw);
                self.set_into(&mut f, &over, u, s);
                let (i, top, out) = f.each(s, sw);
                let this = f.alloc(1);
                f.emit(Ins::Mov { d: this, a: i });
                if let Some(l) = a.this {
                    f.bind(l, Bind::Reg(this));
                }
                if let Some((l, holder)) = self.owner_of(a) {
                    let o = f.alloc(1);
                    self.into(&mut f, &holder, o);
                    f.bind(l, Bind::Reg(o));
                }
                (top, out)
            });
            let not = again.map_or(end, |(top, _)| top);
            if let Some(c) = self.applies(a, h) {
                let c = self.one(&mut f, &c);
                f.jz(c, not);
            }
            let usual = f.alloc(w);
            f.emit(Ins::MovN { d: usual, a: r, n: w });
            f.usual = Some(usual);
            if set {
                let u = self.uni(&value.ty, value.span);
                let x = f.alloc(w);
                self.set_into(&mut f, e, u, x);
                f.emit(match change {
                    Change::Add => Ins::SOr { d: r, a: r, b: x, w },
                    Change::Sub => Ins::SAndNot { d: r, a: r, b: x, w },
                    _ => Ins::MovN { d: r, a: x, n: w },
                });
            } else {
                let x = f.alloc(1);
                self.into(&mut f, e, x);
                f.emit(match change {
                    Change::Add => Ins::Add { d: r, a: r, b: x },
                    Change::Sub => Ins::Sub { d: r, a: r, b: x },
                    Change::AtLeast => Ins::Max { d: r, a: r, b: x },
                    Change::AtMost => Ins::Min { d: r, a: r, b: x },
                    Change::Set => Ins::Mov { d: r, a: x },
                });
            }
            f.usual = None;
            if let Some((top, out)) = again {
                f.jmp(top);
                f.place(out);
            }
            f.place(end);
            f.env = outer;
            f.next = base;
        }
        f.emit(Ins::MovN { d: 0, a: r, n: w });
        f
    }

    /// What the face's member gives a value.
    fn value_slot_body(&mut self, f: &mut FnBuild, v: ValueId, params: &[(R, u8)], r: R) {
        let m = self.m;
        let value = &m.values[v.index()];
        let (Some(k), Some((this, _))) = (value.of, params.first()) else {
            self.fail(value.span, "a value without a body");
            return;
        };
        let u = self.uni(&Ty::Of(k), value.span);
        let face = f.alloc(1);
        f.emit(Ins::LdFace { d: face, c: *this, u: u.0 as u8 });
        let end = f.label();
        let mut faces: Vec<_> = self.faces_of.iter().map(|(m, f)| (*m, *f)).collect();
        faces.sort_by_key(|(m, _)| *m);
        for (id, (first, _, keys)) in faces {
            let Some(member) = m.members.get(id.index()).filter(|d| types::is_a(m, d.kind, k)) else {
                continue;
            };
            let Some((_, b)) = member.fills.iter().find(|(x, _)| *x == v) else { continue };
            let (t, next) = (f.alloc(1), f.label());
            let hi = f.li(i64::from(first + keys));
            f.emit(Ins::Lt { d: t, a: face, b: hi });
            f.jz(t, next);
            f.emit(Ins::Li { d: hi, k: i32::from(first) });
            f.emit(Ins::Le { d: t, a: hi, b: face });
            f.jz(t, next);
            self.store(f, &b.body, r);
            f.jmp(end);
            f.place(next);
        }
        let t = TemplateIx(self.p.templates.len() as u16);
        self.p.templates.push(Template {
            parts: vec![Piece::Literal(format!("nothing says what `{}` is here", value.name).into())],
        });
        f.emit(Ins::Fail { t });
        f.place(end);
    }

    /// A value's entry among those that can be explained.
    pub fn value_slot(&mut self, v: ValueId) {
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

    fn attachment_decl(&mut self, a: &Attachment) -> DeclIx {
        let m = self.m;
        let name = match &a.carrier {
            Some(Carrier::Member(id)) => m.members[id.index()].name.clone(),
            Some(Carrier::Kind(k)) => m.kinds[k.index()].name.clone(),
            None => m.scopes.get(a.scope.index()).map_or_else(|| "game".into(), |s| s.name.clone()),
        };
        self.decl("attachment", &name, a.span)
    }

    // ── Events ───────────────────────────────────────────────────────────────────────────────────────────

    fn split(&self, e: Event) -> (Vec<Attached<'m>>, Vec<Attached<'m>>, bool) {
        let all = self.around(e);
        let insteads =
            all.iter().filter(|(a, _)| matches!(a.what, AttachKind::Instead(_))).copied().collect();
        let forbids = all.iter().filter(|(a, _)| matches!(a.what, AttachKind::Forbid(_))).copied().collect();
        let others = all.iter().any(|(a, _)| matches!(a.what, AttachKind::Before(_) | AttachKind::After(_)));
        (insteads, forbids, others)
    }

    /// The event's function for what stands inside its replacements.
    fn inner(&mut self, e: Event, upto: usize) -> FuncId {
        let (_, _, others) = self.split(e);
        if upto > 0 {
            let extra = self.taken_words(e, upto);
            self.event_func(e, &format!("instead {upto}"), extra, Job::Instead(e, upto))
        } else if others {
            self.event_func(e, "core", 0, Job::Core(e))
        } else {
            self.event_func(e, "body", 0, Job::Body(e))
        }
    }

    /// Words for the carriers that have replaced the event already, at one level.
    fn taken_words(&mut self, e: Event, upto: usize) -> u8 {
        let (insteads, _, _) = self.split(e);
        match insteads.get(upto - 1).and_then(|(a, _)| self.carriers(a)) {
            Some(over) => {
                let u = self.uni(&over.ty, over.span);
                self.w(u)
            }
            None => 0,
        }
    }

    /// An event with all that is attached.
    pub fn make_event(&mut self, e: Event) -> FnBuild {
        let (insteads, forbids, others) = self.split(e);
        if insteads.is_empty() && !others && (forbids.is_empty() || matches!(e, Event::Action(_))) {
            return self.make_body(e);
        }
        let (mut f, params, results) = self.entry(e);
        let me = 0;
        if !matches!(e, Event::Action(_)) {
            let binds: Vec<Bind> = params.iter().map(|(r, _)| Bind::Reg(*r)).collect();
            for (a, h) in forbids {
                let base = f.next;
                let env = self.attachment_env(&mut f, a, h, &binds, Some(me));
                let c = self.not_forbidden(a, h);
                let go = f.label();
                let r = self.within(&mut f, env, |s, f| s.one(f, &c));
                f.jnz(r, go);
                if results > 0 {
                    f.emit(Ins::Li { d: 0, k: NONE as i32 });
                }
                f.emit(Ins::Ret);
                f.place(go);
                f.next = base;
            }
        }
        let func = self.inner(e, insteads.len());
        let extra = if insteads.is_empty() { 0 } else { self.taken_words(e, insteads.len()) };
        self.pass_on(&mut f, func, &params, results, |f, at| {
            if extra > 0 {
                f.emit(Ins::SZero { d: at, w: extra });
            }
            extra
        });
        f
    }

    fn entry(&mut self, e: Event) -> (FnBuild, Vec<(R, u8)>, u8) {
        let mut f = FnBuild::new(true);
        let me = f.alloc(1);
        f.me = Some(me);
        let (types, results, _, _) = self.event(e);
        let params = self.parameters(&mut f, &types);
        (f, params, results)
    }

    /// Calls with the same arguments (and more behind them); results end in registers 0...
    fn pass_on(
        &mut self,
        f: &mut FnBuild,
        func: FuncId,
        params: &[(R, u8)],
        results: u8,
        more: impl FnOnce(&mut FnBuild, R) -> u8,
    ) {
        let words: u8 = params.iter().map(|(_, w)| w).sum();
        let at = f.alloc((1 + words).max(results).max(1));
        f.emit(Ins::MovN { d: at, a: 0, n: 1 + words });
        let behind = f.next as R;
        let extra = more(f, at + 1 + words);
        if u16::from(at + 1 + words + extra) > u16::from(behind) {
            f.alloc(at + 1 + words + extra - behind);
        }
        f.emit(Ins::Call { at, f: func });
        if results > 0 {
            f.emit(Ins::MovN { d: 0, a: at, n: results });
        }
    }

    /// One replacement: goes on with its block if it applies, else with what is inside.
    pub fn make_instead(&mut self, e: Event, upto: usize) -> FnBuild {
        let (insteads, _, _) = self.split(e);
        let (a, h) = insteads[upto - 1];
        let (mut f, params, results) = self.entry(e);
        let extra = self.taken_words(e, upto);
        let taken = f.alloc(extra);
        let binds: Vec<Bind> = params.iter().map(|(r, _)| Bind::Reg(*r)).collect();
        let env = self.attachment_env(&mut f, a, h, &binds, Some(0));
        f.env = env;
        let not = f.label();
        let own = self.inner(e, upto - 1);
        let inner_extra = if upto > 1 { self.taken_words(e, upto - 1) } else { 0 };
        let mut again: Option<R> = None;
        if let Some(over) = self.carriers(a) {
            let u = self.uni(&over.ty, a.span);
            let w = self.w(u);
            let s = f.alloc(w);
            self.set_into(&mut f, &over, u, s);
            f.emit(Ins::SAndNot { d: s, a: s, b: taken, w });
            let this = f.alloc(1);
            // The first that applies; others come when this one goes on.
            f.emit(Ins::Li { d: this, k: NONE as i32 });
            let (top, found) = (f.label(), f.label());
            f.place(top);
            f.emit(Ins::SNext { i: this, s, w, to: not.0 as u32 });
            if let Some(l) = a.this {
                f.bind(l, Bind::Reg(this));
            }
            if let Some((l, holder)) = self.owner_of(a) {
                let o = f.alloc(1);
                self.into(&mut f, &holder, o);
                f.bind(l, Bind::Reg(o));
            }
            if let Some(c) = self.applies(a, h) {
                let c = self.one(&mut f, &c);
                f.jz(c, top);
            }
            f.jmp(found);
            f.place(found);
            f.emit(Ins::SIns { d: taken, i: this, w });
            again = Some(taken);
        } else if let Some(c) = self.applies(a, h) {
            let c = self.one(&mut f, &c);
            f.jz(c, not);
        }
        self.limits(&mut f, a, not);
        // On goes, for one with carriers, the same replacement by another carrier.
        let (on, on_extra) = match again {
            Some(_) => (self.inner(e, upto), extra),
            None => (own, inner_extra),
        };
        let mut handed = params.clone();
        if let (Some(t), true) = (again, extra > 0) {
            handed.push((t, extra));
        } else if on_extra > 0 {
            let z = f.alloc(on_extra);
            f.emit(Ins::SZero { d: z, w: on_extra });
            handed.push((z, on_extra));
        }
        f.proceed = Some((on, handed, results));
        let exit = f.label();
        f.exit = Some(exit);
        if results > 0 {
            let r = f.alloc(results);
            f.result = Some(r);
            f.emit(Ins::Li { d: r, k: NONE as i32 });
        }
        if let AttachKind::Instead(block) = &a.what {
            self.block(&mut f, block);
        }
        f.place(exit);
        if let Some(r) = f.result {
            f.emit(Ins::MovN { d: 0, a: r, n: results });
        }
        f.emit(Ins::Ret);
        f.place(not);
        self.pass_on(&mut f, own, &params, results, |f, at| {
            if inner_extra > 0 {
                f.emit(Ins::SZero { d: at, w: inner_extra });
            }
            inner_extra
        });
        f
    }

    /// `once per …` and `may`: on a no, on at `not`.
    fn limits(&mut self, f: &mut FnBuild, a: &Attachment, not: super::build::Label) {
        if let Some(once) = &a.once {
            let used = self.used_attr(a, once);
            let (t, of) = (f.alloc(1), a.this.and_then(|l| self.bound(f, l)));
            match of {
                Some(Bind::Reg(e)) => f.emit(Ins::LdAttr { d: t, e, attr: used }),
                _ => f.emit(Ins::LdGlobal { d: t, attr: used }),
            }
            f.jnz(t, not);
            if a.may.is_none() {
                self.mark_used(f, a, used);
            }
        }
        if let Some((by, prompt)) = &a.may {
            let who = match by {
                Some(p) => self.one(f, p),
                None => f.me.unwrap_or(0),
            };
            let prompt = prompt.as_ref().map_or(NO_TEMPLATE, |t| self.template(f, t, true));
            let d = f.alloc(1);
            let decl = self.attachment_decl(a);
            let ask = self.ask(AskSlot {
                universe: self.p.truth_universe,
                one: true,
                min: 0,
                max: 0,
                list: false,
                prompt,
                always: true,
                even_none: false,
                several: false,
                truth: true,
                span: a.span,
                decl,
            });
            f.jnone(who, not);
            f.emit(Ins::Ask { d, s: d, who, ask });
            f.jz(d, not);
            if let Some(once) = &a.once {
                let used = self.used_attr(a, once);
                self.mark_used(f, a, used);
            }
        }
    }

    fn mark_used(&mut self, f: &mut FnBuild, a: &Attachment, used: AttrIx) {
        let one = f.li(1);
        match a.this.and_then(|l| self.bound(f, l)) {
            Some(Bind::Reg(e)) => f.emit(Ins::StAttr { e, a: one, attr: used }),
            _ => f.emit(Ins::StGlobal { a: one, attr: used }),
        }
    }

    /// Whether an attachment has been used in its scope: an attribute of its carrier, or of the table.
    fn used_attr(&mut self, a: &Attachment, once: &Once) -> AttrIx {
        let decl = self.attachment_decl(a);
        if let Some(i) = self.p.attrs.iter().position(|x| x.decl == decl && &*x.name == "used") {
            return AttrIx(i as u16);
        }
        let of = a.carrier.as_ref().map(|c| match c {
            Carrier::Member(id) => self.m.members[id.index()].kind,
            Carrier::Kind(k) => *k,
        });
        let of = of.map(|k| self.uni(&Ty::Of(k), a.span));
        let n = of.map_or(1, |u| self.n(u));
        let cell = self.p.cells;
        self.p.cells += n;
        let per = match once.per.as_deref() {
            None => None,
            Some("turn") => Some(Per::Turn),
            Some("round") => Some(Per::Round),
            Some(name) => {
                let phase = self.p.phases.iter().position(|p| &*p.name == name);
                if phase.is_none() {
                    self.fail(a.span, format_args!("once per {name}"));
                }
                phase.map(|i| Per::Phase(PhaseIx(i as u16)))
            }
        };
        self.p.attrs.push(AttrSlot {
            name: "used".into(),
            of,
            cell,
            lo: 0,
            hi: 1,
            maybe: false,
            clamped: false,
            show: Show::Truth,
            planes: None,
            set_at: None,
            initial: vec![0; n as usize],
            per,
            seen: SeenBy::All,
            decl,
        });
        AttrIx(self.p.attrs.len() as u16 - 1)
    }

    /// The event with what comes before and after it, all judged on entering.
    pub fn make_core(&mut self, e: Event) -> FnBuild {
        let (mut f, params, results) = self.entry(e);
        let all: Vec<_> = self
            .around(e)
            .into_iter()
            .filter(|(a, _)| matches!(a.what, AttachKind::Before(_) | AttachKind::After(_)))
            .collect();
        let binds: Vec<Bind> = params.iter().map(|(r, _)| Bind::Reg(*r)).collect();
        let mut judged = Vec::new();
        for (a, h) in &all {
            let env = self.attachment_env(&mut f, a, h, &binds, Some(0));
            judged.push((env, self.judge(&mut f, a, h, env)));
        }
        for ((a, _), (env, j)) in all.iter().zip(&judged) {
            if let AttachKind::Before(b) = &a.what {
                self.run_attached(&mut f, a, *env, j, b);
            }
        }
        let func = self.event_func(e, "body", 0, Job::Body(e));
        let words: u8 = params.iter().map(|(_, w)| w).sum();
        let at = f.alloc((1 + words).max(results).max(1));
        f.emit(Ins::MovN { d: at, a: 0, n: 1 + words });
        f.emit(Ins::Call { at, f: func });
        for ((a, _), (env, j)) in all.iter().zip(&judged) {
            if let AttachKind::After(b) = &a.what {
                self.run_attached(&mut f, a, *env, j, b);
            }
        }
        if results > 0 {
            f.emit(Ins::MovN { d: 0, a: at, n: results });
        }
        f
    }

    /// Judges whether an attachment applies, and for whom.
    fn judge(&mut self, f: &mut FnBuild, a: &Attachment, h: &Head, env: usize) -> Judged {
        let outer = std::mem::replace(&mut f.env, env);
        let out = match self.carriers(a) {
            None => {
                let flag = f.li(1);
                if let Some(c) = self.applies(a, h) {
                    let base = f.next;
                    self.into(f, &c, flag);
                    f.next = base;
                }
                Judged::One { flag, carrier: None }
            }
            Some(over) => {
                let u = self.uni(&over.ty, a.span);
                let w = self.w(u);
                let most = match &a.carrier {
                    Some(Carrier::Member(id)) => self.copies(*id),
                    _ => self.n(u),
                };
                if most <= 1 {
                    let (flag, this, owner) = (f.li(0), f.li(NONE), f.li(NONE));
                    let base = f.next;
                    let end = f.label();
                    let s = self.set(f, &over, u);
                    f.emit(Ins::SFirst { d: this, s, w });
                    f.jnone(this, end);
                    self.bind_carrier(f, a, this, owner, true);
                    f.emit(Ins::Li { d: flag, k: 1 });
                    if let Some(c) = self.applies(a, h) {
                        self.into(f, &c, flag);
                    }
                    f.place(end);
                    f.next = base;
                    Judged::One { flag, carrier: Some((this, owner)) }
                } else {
                    let words = (1 + most.div_ceil(4)) as u8;
                    let (carriers, owners) = (f.alloc(words), f.alloc(words));
                    f.emit(Ins::Li { d: carriers, k: 0 });
                    f.emit(Ins::Li { d: owners, k: 0 });
                    let base = f.next;
                    // From the acting seat on; what nobody holds comes last.
                    let players = self.set.players as i32;
                    let (k, p, this, owner, t) = (f.li(0), f.alloc(1), f.alloc(1), f.alloc(1), f.alloc(1));
                    let s = f.alloc(w);
                    self.set_into(f, &over, u, s);
                    let (turn, next, end, me_none, have) =
                        (f.label(), f.label(), f.label(), f.label(), f.label());
                    f.place(turn);
                    f.emit(Ins::Mov { d: p, a: k });
                    f.jnone(0, me_none);
                    f.emit(Ins::EqK { d: t, a: k, k: players });
                    f.jnz(t, have);
                    f.emit(Ins::Add { d: p, a: k, b: 0 });
                    f.emit(Ins::ModK { d: p, a: p, k: players });
                    f.place(me_none);
                    f.place(have);
                    let (i, top, out) = f.each(s, w);
                    f.emit(Ins::Mov { d: this, a: i });
                    self.bind_carrier(f, a, this, owner, true);
                    let o = f.alloc(1);
                    f.emit(Ins::Mov { d: o, a: owner });
                    let held = f.label();
                    f.emit(Ins::JSome { a: o, to: held.0 as u32 });
                    f.emit(Ins::Li { d: o, k: players });
                    f.place(held);
                    f.emit(Ins::Eq { d: t, a: o, b: p });
                    f.jz(t, top);
                    if let Some(c) = self.applies(a, h) {
                        let c = self.one(f, &c);
                        f.jz(c, top);
                    }
                    f.emit(Ins::LPush { l: carriers, a: this, cap: most as u16 });
                    f.emit(Ins::LPush { l: owners, a: o, cap: most as u16 });
                    f.jmp(top);
                    f.place(out);
                    f.place(next);
                    f.emit(Ins::AddK { d: k, a: k, k: 1 });
                    f.emit(Ins::EqK { d: t, a: k, k: players + 1 });
                    f.jnz(t, end);
                    f.jmp(turn);
                    f.place(end);
                    f.next = base;
                    Judged::Many { carriers, owners }
                }
            }
        };
        f.env = outer;
        out
    }

    /// How many components show a member's faces.
    fn copies(&self, id: MemberId) -> u32 {
        let Some((first, _, keys)) = self.faces_of.get(&id).copied() else { return 0 };
        let Some(kind) = self.m.members.get(id.index()).map(|m| self.root(m.kind)) else { return 0 };
        let Some(c) = self.comps_of.get(&kind) else { return 0 };
        let all = &self.p.comps[*c as usize].initial;
        // What can become another face may be any number of them.
        let mut becomes = false;
        walk::whole(self.m, &mut |_| {}, &mut |s| becomes |= matches!(s.kind, StmtKind::Becomes(..)));
        if becomes {
            all.len() as u32
        } else {
            all.iter().filter(|f| (first..first + keys).contains(*f)).count() as u32
        }
    }

    fn bind_carrier(&mut self, f: &mut FnBuild, a: &Attachment, this: R, owner: R, judge: bool) {
        if let Some(l) = a.this {
            f.bind(l, Bind::Reg(this));
        }
        if let Some((l, holder)) = self.owner_of(a) {
            if judge {
                self.into(f, &holder, owner);
            }
            f.bind(l, Bind::Reg(owner));
        }
    }

    /// Runs a block for each that was judged to apply.
    fn run_attached(&mut self, f: &mut FnBuild, a: &Attachment, env: usize, j: &Judged, b: &Block) {
        let outer = std::mem::replace(&mut f.env, env);
        let base = f.next;
        let exit = f.label();
        let outer_exit = f.exit.replace(exit);
        match j {
            Judged::One { flag, carrier } => {
                f.jz(*flag, exit);
                if let Some((this, owner)) = carrier {
                    self.bind_carrier(f, a, *this, *owner, false);
                }
                self.limits(f, a, exit);
                self.block(f, b);
                f.place(exit);
            }
            Judged::Many { carriers, owners } => {
                let (i, n, this, owner, t) = (f.li(0), f.alloc(1), f.alloc(1), f.alloc(1), f.alloc(1));
                f.emit(Ins::LLen { d: n, l: *carriers });
                let (top, end) = (f.label(), f.label());
                f.place(top);
                f.emit(Ins::Lt { d: t, a: i, b: n });
                f.jz(t, end);
                f.emit(Ins::LGet { d: this, l: *carriers, i });
                f.emit(Ins::LGet { d: owner, l: *owners, i });
                f.emit(Ins::AddK { d: i, a: i, k: 1 });
                f.emit(Ins::EqK { d: t, a: owner, k: self.set.players as i32 });
                let held = f.label();
                f.jz(t, held);
                f.emit(Ins::Li { d: owner, k: NONE as i32 });
                f.place(held);
                self.bind_carrier(f, a, this, owner, false);
                self.limits(f, a, exit);
                self.block(f, b);
                f.place(exit);
                f.jmp(top);
                f.place(end);
            }
        }
        f.exit = outer_exit;
        f.env = outer;
        f.next = base;
    }
}
