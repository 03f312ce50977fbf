//! Lowers sets to bitsets in registers; conditions on members are vectorised where they can be (`bitset/`).
use crate::fn_builder::{Bind, FnBuild};
use crate::ir::*;
use crate::layout::tables::{Home, Tables};
use crate::lower::Lower;
use houserule_model::body::{build, types};
use houserule_model::hir::*;

impl Tables<'_> {
    /// Emits a constant set.
    pub fn const_set_into(&mut self, f: &mut FnBuild, words: &[u64], d: R) {
        let k = self.add_const_set(words);
        f.emit(Ins::SConst { d, w: words.len() as u8, k });
    }

    /// Emits a constant set into new registers.
    pub fn const_set_reg(&mut self, f: &mut FnBuild, words: &[u64]) -> R {
        let d = f.alloc(words.len() as u8);
        self.const_set_into(f, words, d);
        d
    }

    /// Emits all things of a universe into new registers.
    pub fn all_reg(&self, f: &mut FnBuild, u: UniverseId) -> R {
        f.emit_new(self.set_words(u), |d| Ins::SAll { d, u: u.0 as u8 })
    }

    /// Emits the components of a kind by the faces that they show, which a shuffle and `becomes` change.
    pub fn of_kind_into(&mut self, f: &mut FnBuild, k: KindId, u: UniverseId, d: R) {
        if self.is_whole_family(k) {
            let words = self.things_of.get(&k).cloned().unwrap_or_default();
            self.const_set_into(f, &words, d);
            return;
        }
        f.emit(Ins::SAll { d, u: u.0 as u8 });
        self.keep_kind(f, k, u, (d, d));
    }

    /// Puts the components of the set at `s` that are of a kind into `d`.
    pub fn keep_kind(&mut self, f: &mut FnBuild, k: KindId, u: UniverseId, (d, s): (R, R)) {
        let Some(faces) = self.p.components_of(u).map(|c| c.faces) else { return };
        if self.is_whole_family(k) {
            return;
        }
        let w = self.set_words(faces);
        let words = self.faces_of_kind(k, w);
        let base = f.next;
        let faces = self.const_set_reg(f, &words);
        f.emit(Ins::SByFace { d, s, f: faces, u: u.0 as u8 });
        f.next = base;
    }

    /// For all components of a kind that shares its numbers with others: the condition on one of them that it is of this kind. A filter asks it where that is cheapest.
    fn kind_test(&self, all: &Expr, it: LocalId) -> Option<Expr> {
        let ExprKind::All(k) = &*all.kind else { return None };
        if !self.opts.lift || !types::is_component(self.m, *k) || self.is_whole_family(*k) {
            return None;
        }
        let it = build::expr(Ty::Of(*k), all.span, ExprKind::Local(it));
        Some(build::cond(all.span, ExprKind::IsKind(it, *k)))
    }

    /// Begins a loop over a set whose order may be observed: components that can be mixed up come in the order of what they show, other things by number.
    pub fn begin_walk(
        &self,
        f: &mut FnBuild,
        s: R,
        u: UniverseId,
    ) -> (R, crate::fn_builder::Label, crate::fn_builder::Label) {
        let w = self.set_words(u);
        if !self.is_mixed(u) {
            return f.begin_loop(s, w);
        }
        let left = f.emit_new(w, |d| Ins::MovN { d, a: s, n: w });
        f.begin_shown_loop(left, u.0 as u8)
    }
}

impl Lower<'_> {
    /// The registers of an optional set: all things of the universe if it is not given.
    pub fn set_reg_or_all(&mut self, f: &mut FnBuild, e: Option<&Expr>, u: UniverseId) -> R {
        match e {
            Some(e) => self.set_reg(f, e, u),
            None => self.all_reg(f, u),
        }
    }

    /// The universe over which a set or list of numbers is kept, if it is not the wanted one: names and results keep the range of their type.
    pub fn kept_over(&mut self, f: &FnBuild, e: &Expr, u: UniverseId) -> Option<UniverseId> {
        let (Ty::Set(t) | Ty::List(t)) = &e.ty else { return None };
        if !matches!(&**t, Ty::Int(lo, hi) if !crate::layout::number_domains::is_wide(*lo, *hi)) {
            return None;
        }
        let kept = match &*e.kind {
            ExprKind::Local(l) => matches!(self.binding_of(f, *l), Some(Bind::Reg(_))),
            ExprKind::Value(v, args) => self.inlined_call(f, *v, args).is_none(),
            ExprKind::Attr(..) | ExprKind::TableAttr(_) | ExprKind::Choose(_) => true,
            ExprKind::Rule(..) | ExprKind::Hook(..) | ExprKind::Usual => true,
            _ => false,
        };
        (kept && !self.is_over(&e.ty, u)).then(|| self.universe_of(&e.ty, e.span))
    }

    /// Whether numbers of a type have the numbers of a universe.
    fn is_over(&self, ty: &Ty, u: UniverseId) -> bool {
        let element = types::element(self.m, ty);
        let Some(Ty::Int(lo, hi)) = element else { return true };
        lo == self.least_of(u) && hi.abs_diff(lo) + 1 == self.things_in(u)
    }

    /// Puts the members of a set over `from` into a set over `u`.
    fn widen_set(&mut self, f: &mut FnBuild, e: &Expr, from: UniverseId, u: UniverseId, d: R) {
        let s = self.set_reg(f, e, from);
        let w = self.set_words(u);
        let out = f.emit_new(w, |d| Ins::SZero { d, w });
        let (i, top, end) = self.begin_walk(f, s, from);
        let k = self.least_of(from) - self.least_of(u);
        let at = f.emit_new(1, |d| Ins::AddK { d, a: i, k });
        f.emit(Ins::SIns { d: out, i: at, w });
        f.jmp(top);
        f.place_label(end);
        f.emit(Ins::MovN { d, a: out, n: w });
    }

    /// The registers of a set over universe `u`: new ones, or those that hold it.
    pub fn set_reg(&mut self, f: &mut FnBuild, e: &Expr, u: UniverseId) -> R {
        if self.kept_over(f, e, u).is_none()
            && let ExprKind::Local(l) = &*e.kind
            && let Some(Bind::Reg(r)) = self.binding_of(f, *l)
            && matches!(e.ty, Ty::Set(_) | Ty::List(_) | Ty::Filter(_))
        {
            return r;
        }
        if let ExprKind::Builtin(Builtin::AsSet, a) = &*e.kind
            && let Some(x) = a.first().filter(|x| matches!(&*x.kind, ExprKind::Local(_)))
        {
            return self.set_reg(f, x, u);
        }
        let w = self.set_words(u);
        let d = f.alloc(w);
        self.set_into(f, e, u, d);
        d
    }

    /// As [`Lower::set_reg`]; a single thing is needed.
    pub fn required_set_reg(&mut self, f: &mut FnBuild, e: &Expr, u: UniverseId) -> R {
        if matches!(e.ty, Ty::Set(_) | Ty::List(_) | Ty::Filter(_)) {
            return self.set_reg(f, e, u);
        }
        let r = self.required_reg(f, e);
        let i = self.value_to_element(f, u, r);
        let w = self.set_words(u);
        f.emit_new(w, |d| Ins::SOne { d, i, w })
    }

    /// Emits a set over universe `u` into the registers from `d` on. A single thing is the set of it; none is the empty set.
    #[allow(clippy::too_many_lines)] // One arm a form of the language.
    pub fn set_into(&mut self, f: &mut FnBuild, e: &Expr, u: UniverseId, d: R) {
        f.set_span(e.span);
        let w = self.set_words(u);
        let u8_ = u.0 as u8;
        let base = f.next;
        if !matches!(e.ty, Ty::Set(_) | Ty::List(_) | Ty::Filter(_)) {
            let r = self.expr_reg(f, e);
            let i = self.value_to_element(f, u, r);
            f.emit(Ins::SOne { d, i, w });
            f.next = base;
            return;
        }
        if let Some(from) = self.kept_over(f, e, u) {
            self.widen_set(f, e, from, u, d);
            f.next = base;
            return;
        }
        match &*e.kind {
            ExprKind::Local(l) => match self.binding_of(f, *l) {
                Some(Bind::Reg(a)) => {
                    if a != d {
                        f.emit(Ins::MovN { d, a, n: w });
                    }
                }
                Some(Bind::Alias(x, env)) => self.with_env(f, env, |s, f| s.set_into(f, &x, u, d)),
                _ => self.report_unsupported(e.span, "a name whose value is not kept up to here"),
            },
            ExprKind::All(k) => {
                if types::is_component(self.m, *k) {
                    self.of_kind_into(f, *k, u, d);
                } else {
                    f.emit(Ins::SAll { d, u: u8_ });
                }
            }
            ExprKind::Faces(k) => {
                let words = self.faces_of_kind(*k, w);
                self.const_set_into(f, &words, d);
            }
            ExprKind::Attr(x, a) => {
                let component = self.m.attrs[a.index()].of.is_some_and(|k| types::is_component(self.m, k));
                match self.homes.get(a).copied() {
                    Some(Home::Lists(t)) => {
                        let i = self.printed_line(f, x, component);
                        f.emit(Ins::LineSet { d, i, t });
                    }
                    Some(Home::Sets(k, of)) if of == u => {
                        let mut i = self.required_reg(f, x);
                        if component {
                            let face = f.alloc(1);
                            self.face_number(f, x, i, face);
                            i = face;
                        }
                        f.emit(Ins::SConstI { d, i, w, k });
                    }
                    _ => self.report_unsupported(e.span, "this set"),
                }
            }
            ExprKind::TableAttr(a) => match self.homes.get(a).copied() {
                Some(Home::Lists(t)) => {
                    let i = f.load_number(0);
                    f.emit(Ins::LineSet { d, i, t });
                }
                Some(Home::Sets(k, of)) if of == u => f.emit(Ins::SConst { d, w, k }),
                _ => self.report_unsupported(e.span, "this set"),
            },
            ExprKind::Filter(k, l, test) => {
                let words = match self.constant_set(e, u, &[]) {
                    Some(words) => words,
                    None => self.printed_all(&Ty::Filter(*k), w),
                };
                self.const_set_into(f, &words, d);
                if self.constant_set(e, u, &[]).is_none() {
                    self.filter_into(f, d, u, *l, test);
                }
            }
            ExprKind::Builtin(b, args) => match self.constant_spaces(*b, args, u, &[]) {
                Some(words) => {
                    self.const_set_into(f, &words, d);
                }
                None => self.builtin_set_into(f, e, u, d),
            },
            ExprKind::Zone(Some(x), z, None)
                if let Some(zone) =
                    self.single_place_zone(*z).filter(|zone| self.held_universe(*zone) == Some(u)) =>
            {
                let o = self.required_reg(f, x);
                f.emit(Ins::Held { d, o, zone });
            }
            ExprKind::Zone(..) => {
                let p = f.alloc(1);
                self.place_into(f, e, p);
                f.emit(Ins::Members { d, p, u: u8_ });
            }
            ExprKind::Box(k) => {
                let p = f.alloc(1);
                self.place_into(f, e, p);
                f.emit(Ins::Members { d, p, u: u8_ });
                if self.root(*k) != *k {
                    self.keep_kind(f, *k, u, (d, d));
                }
            }
            ExprKind::Value(v, args)
                if let [arg] = args.as_slice()
                    && self.opts.lift
                    && !self.ignores_param(*v, 0)
                    && let Some(group) = self.planes_of_value(*v, u) =>
            {
                let i = self.expr_reg(f, arg);
                self.require_argument(f, arg, i, *v, 0);
                f.emit(Ins::PlaneC { d, i, group });
            }
            ExprKind::Where(s, l, cond) => {
                if let (Ty::List(t), Some(table)) = (&s.ty, self.lines_of(f, s)) {
                    let _ = (t, table);
                    self.report_unsupported(e.span, "filtered lists of lists");
                }
                let env = f.env;
                let kind = self.kind_test(s, *l);
                let (full, conds) = match (self.components_on_spaces(f, s, u, *l, cond, d), &kind) {
                    (Some(rest), _) => (false, rest),
                    (None, Some(kind)) => {
                        f.emit(Ins::SAll { d, u: u8_ });
                        (true, vec![kind, cond])
                    }
                    (None, None) => {
                        self.set_into(f, s, u, d);
                        (self.is_everything(s), vec![cond])
                    }
                };
                let conds: Vec<(&Expr, usize)> = conds.into_iter().map(|c| (c, env)).collect();
                let rest = self.filter_lifted(f, d, u, *l, &conds, full);
                self.filter_each(f, d, u, *l, &rest);
            }
            ExprKind::Union(a, b) | ExprKind::Without(a, b) if few_members(b).is_some() => {
                self.set_into(f, a, u, d);
                for x in few_members(b).unwrap_or(&[]) {
                    let base = f.next;
                    let r = self.expr_reg(f, x);
                    let i = self.value_to_element(f, u, r);
                    f.emit(match &*e.kind {
                        ExprKind::Union(..) => Ins::SIns { d, i, w },
                        _ => Ins::SDel { d, i, w },
                    });
                    f.next = base;
                }
            }
            ExprKind::Union(a, b) => {
                self.set_into(f, a, u, d);
                let r = self.set_reg(f, b, u);
                f.emit(Ins::SOr { d, a: d, b: r, w });
            }
            ExprKind::Without(a, b) => {
                self.set_into(f, a, u, d);
                let r = self.set_reg(f, b, u);
                f.emit(Ins::SAndNot { d, a: d, b: r, w });
            }
            ExprKind::Set(all) | ExprKind::List(all) => {
                let known: Option<Vec<i64>> =
                    all.iter()
                        .map(|x| {
                            if matches!(x.ty, Ty::Set(_) | Ty::List(_)) {
                                None
                            } else {
                                self.known_constant(x)
                            }
                        })
                        .collect();
                if let Some(known) = known {
                    let lo = i64::from(self.least_of(u));
                    let mut words = vec![0u64; w as usize];
                    for k in known.into_iter().filter(|k| *k != NONE) {
                        let i = (k - lo) as usize;
                        if let Some(word) = words.get_mut(i / 64) {
                            *word |= 1 << (i % 64);
                        }
                    }
                    self.const_set_into(f, &words, d);
                } else {
                    f.emit(Ins::SZero { d, w });
                    for x in all {
                        let base = f.next;
                        if matches!(x.ty, Ty::Set(_) | Ty::List(_)) {
                            let r = self.set_reg(f, x, u);
                            f.emit(Ins::SOr { d, a: d, b: r, w });
                        } else {
                            let r = self.expr_reg(f, x);
                            let i = self.value_to_element(f, u, r);
                            f.emit(Ins::SIns { d, i, w });
                        }
                        f.next = base;
                    }
                }
            }
            ExprKind::Range(a, b) => {
                let (a, b) = (self.required_reg(f, a), self.required_reg(f, b));
                f.emit(Ins::SRange { d, a, b, u: u8_ });
            }
            ExprKind::If(..) if self.case_chain_into(f, e, d, Some(u)) => {}
            ExprKind::If(c, a, b) => self.emit_if(f, c, [a, b], |s, f, x| s.set_into(f, x, u, d)),
            ExprKind::Let(l, x, body) => {
                let w = self.width(&x.ty, x.span);
                let r = f.alloc(w);
                self.store(f, x, r);
                f.bind(*l, Bind::Reg(r));
                self.set_into(f, body, u, d);
            }
            ExprKind::First { n: Some(n), of, last } => self.first_n_into(f, n, of, *last, u, d),
            ExprKind::Fold(fold) => self.fold_set(f, fold, e, u, d),
            ExprKind::Value(v, args) => {
                if let Some(a) = self.find_available(f, *v, args) {
                    f.emit(Ins::MovN { d, a, n: w });
                } else if self.kept_into(f, *v, args, d) {
                } else if let Some(plain) = self.inlined_call(f, *v, args) {
                    let (params, body) = &*plain;
                    let env = self.bind_arguments_once(f, *params, args, body);
                    self.require_arguments(f, *v, args);
                    let skip = f.none_label.take();
                    self.with_env(f, env, |s, f| s.set_into(f, body, u, d));
                    f.none_label = skip;
                } else if let Some(at) = self.emit_value_call(f, *v, args, e) {
                    f.emit(Ins::MovN { d, a: at, n: w });
                }
            }
            ExprKind::Hook(h, args) => {
                if let Some(at) = self.emit_hook_call(f, *h, args, e) {
                    f.emit(match self.hook_show(&e.ty, e.span) {
                        Show::List(_) => Ins::LSet { d, l: at, w },
                        _ => Ins::MovN { d, a: at, n: w },
                    });
                }
            }
            ExprKind::Rule(r, by, args) => {
                if let Some(at) = self.emit_rule_call(f, *r, by.as_ref(), args, e.span) {
                    f.emit(Ins::MovN { d, a: at, n: w });
                }
            }
            ExprKind::Choose(c) => self.choose_into(f, c, e, d),
            ExprKind::Usual => match f.usual {
                Some(a) => f.emit(Ins::MovN { d, a, n: w }),
                None => self.report_unsupported(e.span, "`usual` here"),
            },
            _ => self.report_unsupported(e.span, "this set"),
        }
        f.next = base;
    }

    pub fn first_n_into(
        &mut self,
        f: &mut FnBuild,
        count: &Expr,
        of: &Expr,
        last: bool,
        u: UniverseId,
        d: R,
    ) {
        let w = self.set_words(u);
        let n = self.required_reg(f, count);
        let left = f.emit_new(1, |d| Ins::Mov { d, a: n });
        f.emit(Ins::SZero { d, w });
        let (top, end) = (f.new_label(), f.new_label());
        let zone = self.whole_zone_place(f, of);
        if zone.is_none() && self.has_own_order(f, of) {
            let l = f.alloc(self.list_words(u));
            let taken = build::expr(
                of.ty.clone(),
                of.span,
                ExprKind::First { n: Some(count.clone()), of: of.clone(), last },
            );
            self.list_into(f, &taken, u, l);
            f.emit(Ins::LSet { d, l, w });
            return;
        }
        if let Some(p) = zone {
            let i = f.load_end_index(p, last);
            let c = f.alloc(1);
            f.place_label(top);
            let t = f.alloc(1);
            let zero = f.load_number(0);
            f.emit(Ins::Le { d: t, a: left, b: zero });
            f.jnz(t, end);
            f.emit(Ins::ZGet { d: c, p, i });
            f.jnone(c, end);
            f.emit(Ins::SIns { d, i: c, w });
            f.emit(Ins::AddK { d: i, a: i, k: if last { -1 } else { 1 } });
        } else {
            let s = self.set_reg(f, of, u);
            let i = f.load_number(NONE);
            let rest = (last || self.is_mixed(u)).then(|| f.emit_new(w, |d| Ins::MovN { d, a: s, n: w }));
            f.place_label(top);
            let t = f.alloc(1);
            let zero = f.load_number(0);
            f.emit(Ins::Le { d: t, a: left, b: zero });
            f.jnz(t, end);
            match rest {
                Some(s) if self.is_mixed(u) => {
                    f.emit(Ins::TakeFirst { d: i, s, u: u.0 as u8, last });
                    f.jnone(i, end);
                }
                Some(s) => {
                    f.emit(Ins::SLast { d: i, s, w });
                    f.jnone(i, end);
                    f.emit(Ins::SDel { d: s, i, w });
                }
                None => f.emit(Ins::SNext { i, s, w, to: end.0 as u32 }),
            }
            f.emit(Ins::SIns { d, i, w });
        }
        f.emit(Ins::AddK { d: left, a: left, k: -1 });
        f.jmp(top);
        f.place_label(end);
    }
}

/// The members of a written set of at most two.
fn few_members(e: &Expr) -> Option<&[Expr]> {
    match &*e.kind {
        ExprKind::Set(all)
            if all.len() <= 2 && all.iter().all(|x| !matches!(x.ty, Ty::Set(_) | Ty::List(_))) =>
        {
            Some(all)
        }
        _ => None,
    }
}
