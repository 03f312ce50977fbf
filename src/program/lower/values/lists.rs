//! Lowers lists: collections with an order of their own.
//!
//! In registers a list is its length, then four things a word. It is made where the rules read an order (`L[n]`, `index`, `first`, `for`, `reversed`), from what has one: a written
//! list, a ray, an ordered zone, players from one on, and filters and parts of these. Everything else comes in the order of its universe ([`Tables::begin_walk`](crate::layout::tables::Tables::begin_walk)).
//! A stored list is the set of its things and, if the rules read the order of any stored list, the list after it.
use crate::facts::list_order::{is_list, may_tell_order};
use crate::fn_builder::{Bind, FnBuild, Label};
use crate::ir::*;
use crate::layout::tables::{Home, Tables};
use crate::lower::Lower;
use houserule_model::body::{types, walk};
use houserule_model::hir::*;
use houserule_text::Span;

/// Whether an expression is a written list, or one thing: in a union it has a place before or after the other side.
fn is_written_out(e: &Expr) -> bool {
    match &*e.kind {
        ExprKind::Set(all) | ExprKind::List(all) => !all.is_empty(),
        ExprKind::Where(s, ..) | ExprKind::Without(s, _) | ExprKind::First { n: Some(_), of: s, .. } => {
            is_written_out(s)
        }
        ExprKind::Builtin(Builtin::AsSet, a) => a.first().is_some_and(is_written_out),
        ExprKind::If(_, a, b) => is_written_out(a) || is_written_out(b),
        ExprKind::Let(_, _, body) => is_written_out(body),
        _ => false,
    }
}

impl Tables<'_> {
    /// Emits none, the empty set or the empty list.
    pub fn empty_into(&mut self, f: &mut FnBuild, ty: &Ty, span: Span, d: R) {
        match ty {
            Ty::Set(_) | Ty::List(_) | Ty::Filter(_) => {
                let behind = self.list_behind(ty, span);
                let w = match behind {
                    Some(w) => w,
                    None => self.width(ty, span),
                };
                f.emit(Ins::SZero { d, w });
                if behind.is_some() {
                    f.emit(Ins::Li { d: d + w, k: 0 });
                }
            }
            _ => f.emit(Ins::Li { d, k: NONE as i32 }),
        }
    }

    /// Whether the value of an expression has an order of its own.
    pub fn has_own_order(&mut self, f: &FnBuild, e: &Expr) -> bool {
        match &*e.kind {
            ExprKind::Local(l) => {
                is_list(e)
                    && match self.binding_of(f, *l) {
                        Some(Bind::Alias(x, env)) => self.has_own_order_in(f, &x, env),
                        _ => self.game_facts.stores_order,
                    }
            }
            ExprKind::Zone(_, z, _) => self
                .zone_ix
                .get(z)
                .and_then(|z| self.p.zones.get(z.index()))
                .is_some_and(|z| z.ordered && !z.slot),
            ExprKind::Builtin(b, _) if b.gives_order() => true,
            ExprKind::Builtin(Builtin::AsSet | Builtin::Widened, a) => {
                a.first().is_some_and(|a| self.has_own_order(f, a))
            }
            ExprKind::Set(all) | ExprKind::List(all) => self.is_out_of_order(all),
            ExprKind::Where(s, ..) | ExprKind::Without(s, _) | ExprKind::First { n: Some(_), of: s, .. } => {
                (is_list(s) || matches!(s.ty, Ty::Set(_))) && self.has_own_order(f, s)
            }
            // The things of the second side come after those of the first, if either has an order.
            ExprKind::Union(a, b) => {
                [a, b].into_iter().any(|x| is_written_out(x) || self.has_own_order(f, x))
            }
            ExprKind::If(_, a, b) => self.has_own_order(f, a) || self.has_own_order(f, b),
            ExprKind::Let(_, _, body) => self.has_own_order(f, body),
            ExprKind::Value(v, args) if is_list(e) => match self.inlined_call(f, *v, args) {
                Some(_) => true,
                None => self.game_facts.stores_order,
            },
            ExprKind::Attr(_, a) | ExprKind::TableAttr(a) => {
                matches!(self.homes.get(a), Some(Home::Lists(_)))
            }
            ExprKind::Hook(..) => is_list(e),
            ExprKind::Rule(..) | ExprKind::Usual => is_list(e) && self.game_facts.stores_order,
            _ => false,
        }
    }

    /// Whether a text shows the things of a list in an order of their own.
    pub fn is_told_in_order(&mut self, f: &FnBuild, e: &Expr) -> bool {
        may_tell_order(self.m, e) && self.has_own_order(f, e)
    }

    fn has_own_order_in(&mut self, f: &FnBuild, e: &Expr, env: usize) -> bool {
        match &*e.kind {
            ExprKind::Local(l) => {
                is_list(e)
                    && match f.envs.get(env).and_then(|names| names.get(l)).cloned() {
                        Some(Bind::Alias(x, env)) => self.has_own_order_in(f, &x, env),
                        _ => self.game_facts.stores_order,
                    }
            }
            _ if walk::any_expr(e, &mut |x| matches!(&*x.kind, ExprKind::Local(_)) && is_list(x)) => true,
            _ => self.has_own_order(f, e),
        }
    }

    /// Whether written things are not in the order of their universe, or one may occur twice.
    fn is_out_of_order(&mut self, all: &[Expr]) -> bool {
        let mut last = i64::MIN;
        all.len() > 1
            && all.iter().any(|x| match self.known_constant(x) {
                Some(k) if k > last => {
                    last = k;
                    false
                }
                _ => true,
            })
    }

    /// Whether one of the written things may occur twice.
    fn may_name_twice(&mut self, all: &[Expr]) -> bool {
        let mut seen = Vec::new();
        all.len() > 1
            && all.iter().any(|x| match self.known_constant(x) {
                Some(k) if !seen.contains(&k) => {
                    seen.push(k);
                    false
                }
                _ => true,
            })
    }

    /// Copies the list after a stored set.
    fn take_list(&mut self, f: &mut FnBuild, e: &Expr, u: UniverseId, at: R, l: R) {
        let n = self.list_words(u);
        match self.list_behind(&e.ty, e.span) {
            Some(behind) => f.emit(Ins::MovN { d: l, a: at + behind, n }),
            None => self.report_unsupported(e.span, "the order of this list"),
        }
    }

    /// Adds the things of a constant list to a list.
    pub fn push_line(&mut self, f: &mut FnBuild, line: R, t: LinesIx, l: R, cap: u16) {
        let (c, j) = (f.alloc(1), f.load_number(0));
        let (top, end) = (f.new_label(), f.new_label());
        f.place_label(top);
        f.emit(Ins::LineGet { d: c, i: line, j, t });
        f.jnone(c, end);
        f.emit(Ins::LPush { l, a: c, cap });
        f.emit(Ins::AddK { d: j, a: j, k: 1 });
        f.jmp(top);
        f.place_label(end);
    }
}

impl Lower<'_> {
    /// Stores a list: its set, and the list after it.
    pub fn store_list(&mut self, f: &mut FnBuild, e: &Expr, u: UniverseId, behind: u8, d: R) {
        self.list_into(f, e, u, d + behind);
        f.emit(Ins::LSet { d, l: d + behind, w: behind });
    }

    /// The registers of a list: new ones, or those that hold it. They must not be changed.
    pub fn list_reg(&mut self, f: &mut FnBuild, e: &Expr, u: UniverseId) -> R {
        if let ExprKind::Local(l) = &*e.kind
            && let Some(Bind::Reg(r)) = self.binding_of(f, *l)
            && self.kept_over(f, e, u).is_none()
            && let Some(behind) = self.list_behind(&e.ty, e.span)
        {
            return r + behind;
        }
        let words = self.list_words(u);
        let l = f.alloc(words);
        self.list_into(f, e, u, l);
        l
    }

    /// Emits the value of an expression as a list at `l`, in its order.
    #[allow(clippy::too_many_lines)] // One arm a form of the language.
    pub fn list_into(&mut self, f: &mut FnBuild, e: &Expr, u: UniverseId, l: R) {
        f.set_span(e.span);
        if self.is_too_long(u) && self.p.components_of(u).is_some() {
            self.report_long_order(e);
            return;
        }
        let cap = self.list_room(u);
        let w = self.set_words(u);
        let base = f.next;
        if let Some(from) = self.kept_over(f, e, u) {
            self.widen_list(f, e, from, u, l);
            f.next = base;
            return;
        }
        match &*e.kind {
            ExprKind::Local(x) if is_list(e) => match self.binding_of(f, *x) {
                Some(Bind::Reg(r)) if let Some(behind) = self.list_behind(&e.ty, e.span) => {
                    let n = self.list_words(u);
                    f.emit(Ins::MovN { d: l, a: r + behind, n });
                }
                Some(Bind::Alias(x, env)) => self.with_env(f, env, |s, f| s.list_into(f, &x, u, l)),
                _ => self.report_unsupported(e.span, "the order of this name"),
            },
            ExprKind::Builtin(Builtin::AsSet | Builtin::Widened, a) if let Some(x) = a.first() => {
                self.list_into(f, x, u, l)
            }
            ExprKind::Zone(..) if self.has_own_order(f, e) => {
                let p = f.alloc(1);
                self.place_into(f, e, p);
                f.emit(Ins::Li { d: l, k: 0 });
                let (c, i) = (f.alloc(1), f.load_number(0));
                let (top, end) = (f.new_label(), f.new_label());
                f.place_label(top);
                f.emit(Ins::ZGet { d: c, p, i });
                f.jnone(c, end);
                f.emit(Ins::LPush { l, a: c, cap });
                f.emit(Ins::AddK { d: i, a: i, k: 1 });
                f.jmp(top);
                f.place_label(end);
            }
            // The members of the run, in the order of the list.
            ExprKind::Builtin(Builtin::Run, args) if let Some(list) = args.first() => {
                let s = f.alloc(w);
                self.set_into(f, e, u, s);
                f.emit(Ins::Li { d: l, k: 0 });
                self.push_each(f, list, u, l, Some(s));
            }
            // Walks step by step to the end of the ray.
            ExprKind::Builtin(Builtin::Ray, args) if let [c, way, ..] = args.as_slice() => {
                f.emit(Ins::Li { d: l, k: 0 });
                let (m, _) = self.map_of(&c.ty, c.span);
                let s = f.alloc(w);
                self.set_into(f, e, u, s);
                let (x, t, end) = (f.alloc(1), f.alloc(1), f.new_label());
                f.emit(Ins::SAny { d: t, s, w });
                f.jz(t, end);
                self.expr_into(f, c, x);
                let r = self.expr_reg(f, way);
                let top = f.new_label();
                f.place_label(top);
                f.emit(Ins::StepC { d: x, c: x, r, m });
                f.jnone(x, end);
                f.emit(Ins::STest { d: t, s, i: x, w });
                f.jz(t, end);
                f.emit(Ins::SDel { d: s, i: x, w });
                f.emit(Ins::LPush { l, a: x, cap });
                f.jmp(top);
                f.place_label(end);
            }
            ExprKind::Builtin(Builtin::LineSpaces, args)
                if let Some(t) = args.first().and_then(|a| self.rank_table(&a.ty)) =>
            {
                let i = self.required_reg(f, &args[0]);
                f.emit(Ins::Li { d: l, k: 0 });
                self.push_line(f, i, t, l, cap);
            }
            ExprKind::Attr(x, a) if let Some(Home::Lists(t)) = self.homes.get(a).copied() => {
                let component = self.m.attrs[a.index()].of.is_some_and(|k| types::is_component(self.m, k));
                let i = self.printed_line(f, x, component);
                f.emit(Ins::Li { d: l, k: 0 });
                self.push_line(f, i, t, l, cap);
            }
            ExprKind::TableAttr(a) if let Some(Home::Lists(t)) = self.homes.get(a).copied() => {
                let i = f.load_number(0);
                f.emit(Ins::Li { d: l, k: 0 });
                self.push_line(f, i, t, l, cap);
            }
            ExprKind::Builtin(Builtin::Clockwise, args) if let [among, from] = args.as_slice() => {
                let n = self.set.players as i32;
                let s = self.set_reg(f, among, u);
                let p = f.alloc(1);
                self.expr_into(f, from, p);
                self.require_into(f, from, p);
                f.emit(Ins::Li { d: l, k: 0 });
                let (left, t) = (f.load_number(i64::from(n)), f.alloc(1));
                let (top, next, end) = (f.new_label(), f.new_label(), f.new_label());
                f.place_label(top);
                f.jz(left, end);
                f.emit(Ins::STest { d: t, s, i: p, w });
                f.jz(t, next);
                f.emit(Ins::LPush { l, a: p, cap });
                f.place_label(next);
                f.emit(Ins::AddK { d: p, a: p, k: 1 });
                f.emit(Ins::ModK { d: p, a: p, k: n });
                f.emit(Ins::AddK { d: left, a: left, k: -1 });
                f.jmp(top);
                f.place_label(end);
            }
            ExprKind::Builtin(Builtin::Reversed, args) if let Some(x) = args.first() => {
                self.list_into(f, x, u, l);
                f.emit(Ins::LReverse { d: l });
            }
            ExprKind::Set(all) | ExprKind::List(all) => {
                if all.len() > usize::from(cap) {
                    self.report_unsupported(
                        e.span,
                        format_args!("a list of {} where there is room for {cap}", all.len()),
                    );
                    return;
                }
                f.emit(Ins::Li { d: l, k: 0 });
                // In a written set each thing counts once.
                let once = matches!(&*e.kind, ExprKind::Set(_)) && self.may_name_twice(all);
                let left = once.then(|| f.alloc(w));
                if let Some(left) = left {
                    f.emit(Ins::SAll { d: left, u: u.0 as u8 });
                }
                for x in all {
                    let base = f.next;
                    if matches!(x.ty, Ty::Set(_) | Ty::List(_)) {
                        self.push_each(f, x, u, l, left);
                        if let Some(left) = left {
                            let s = self.set_reg(f, x, u);
                            f.emit(Ins::SAndNot { d: left, a: left, b: s, w });
                        }
                    } else {
                        let r = self.expr_reg(f, x);
                        let end = f.new_label();
                        f.jnone(r, end);
                        let i = self.value_to_element(f, u, r);
                        if let Some(left) = left {
                            let t = f.emit_new(1, |d| Ins::STest { d, s: left, i, w });
                            f.jz(t, end);
                            f.emit(Ins::SDel { d: left, i, w });
                        }
                        f.emit(Ins::LPush { l, a: i, cap });
                        f.place_label(end);
                    }
                    f.next = base;
                }
            }
            // The members of the source that are in the filtered set, in the order of the source.
            ExprKind::Where(source, ..) | ExprKind::Without(source, _) if self.has_own_order(f, source) => {
                let s = f.alloc(w);
                self.set_into(f, e, u, s);
                f.emit(Ins::Li { d: l, k: 0 });
                self.push_each(f, source, u, l, Some(s));
            }
            ExprKind::First { n: Some(n), of, last } => {
                let n = self.required_reg(f, n);
                let source = self.list_reg(f, of, u);
                let (len, i, stop, x, t) = (f.alloc(1), f.alloc(1), f.alloc(1), f.alloc(1), f.alloc(1));
                let zero = f.load_number(0);
                f.emit(Ins::LLen { d: len, l: source });
                if *last {
                    f.emit(Ins::Sub { d: i, a: len, b: n });
                    f.emit(Ins::Max { d: i, a: i, b: zero });
                    f.emit(Ins::Mov { d: stop, a: len });
                } else {
                    f.emit(Ins::Mov { d: i, a: zero });
                    f.emit(Ins::Min { d: stop, a: len, b: n });
                }
                f.emit(Ins::Li { d: l, k: 0 });
                let (top, end) = (f.new_label(), f.new_label());
                f.place_label(top);
                f.emit(Ins::Lt { d: t, a: i, b: stop });
                f.jz(t, end);
                f.emit(Ins::LGet { d: x, l: source, i });
                f.emit(Ins::LPush { l, a: x, cap });
                f.emit(Ins::AddK { d: i, a: i, k: 1 });
                f.jmp(top);
                f.place_label(end);
            }
            // The first side, then what the second has in addition.
            ExprKind::Union(a, b) if self.has_own_order(f, e) => {
                self.list_into(f, a, u, l);
                let (s, more) = (f.alloc(w), f.alloc(w));
                f.emit(Ins::LSet { d: s, l, w });
                self.set_into(f, b, u, more);
                f.emit(Ins::SAndNot { d: more, a: more, b: s, w });
                self.push_each(f, b, u, l, Some(more));
            }
            ExprKind::If(c, a, b) => self.emit_if(f, c, [a, b], |s, f, x| s.list_into(f, x, u, l)),
            ExprKind::Let(x, of, body) => {
                let r = f.alloc(self.width(&of.ty, of.span));
                self.store(f, of, r);
                f.bind(*x, Bind::Reg(r));
                self.list_into(f, body, u, l);
            }
            ExprKind::Value(v, args) if is_list(e) => {
                if let Some(plain) = self.inlined_call(f, *v, args) {
                    let (params, body) = &*plain;
                    let env = self.bind_arguments_once(f, *params, args, body);
                    self.require_arguments(f, *v, args);
                    let skip = f.none_label.take();
                    self.with_env(f, env, |s, f| s.list_into(f, body, u, l));
                    f.none_label = skip;
                } else if let Some(at) = self.emit_value_call(f, *v, args, e) {
                    self.take_list(f, e, u, at, l);
                }
            }
            ExprKind::Rule(r, by, args) if is_list(e) => {
                if let Some(at) = self.emit_rule_call(f, *r, by.as_ref(), args, e.span) {
                    self.take_list(f, e, u, at, l);
                }
            }
            ExprKind::Hook(h, args) if is_list(e) => {
                if let Some(at) = self.emit_hook_call(f, *h, args, e) {
                    let n = self.list_words(u).min(self.hook_words(&e.ty, e.span));
                    f.emit(Ins::MovN { d: l, a: at, n });
                }
            }
            ExprKind::Usual if is_list(e) => match f.usual {
                Some(a) => self.take_list(f, e, u, a, l),
                None => self.report_unsupported(e.span, "`usual` here"),
            },
            _ if self.is_too_long(u) => self.report_long_order(e),
            _ => {
                let s = self.set_reg(f, e, u);
                f.emit(Ins::Li { d: l, k: 0 });
                let (i, top, end) = self.begin_walk(f, s, u);
                f.emit(Ins::LPush { l, a: i, cap });
                f.jmp(top);
                f.place_label(end);
            }
        }
        f.next = base;
    }

    /// Puts the numbers of a list over `from` into a list over `u`, in their order.
    fn widen_list(&mut self, f: &mut FnBuild, e: &Expr, from: UniverseId, u: UniverseId, l: R) {
        let source = self.list_reg(f, e, from);
        let (cap, k) = (self.list_room(u), self.least_of(from) - self.least_of(u));
        f.emit(Ins::Li { d: l, k: 0 });
        let (i, top, end) = f.begin_list_loop(source);
        let x = f.emit_new(1, |d| Ins::AddK { d, a: i, k });
        f.emit(Ins::LPush { l, a: x, cap });
        f.jmp(top);
        f.place_label(end);
    }

    fn report_long_order(&mut self, e: &Expr) {
        self.report_unsupported(e.span, "an order of more than 476 things");
    }

    /// Emits the number of the list that is printed on a thing.
    pub fn printed_line(&mut self, f: &mut FnBuild, x: &Expr, component: bool) -> R {
        let i = self.required_reg(f, x);
        if !component {
            return i;
        }
        let face = f.alloc(1);
        self.face_number(f, x, i, face);
        face
    }

    /// Adds the value of an expression to a list, in its order; with `among`, only members of that set.
    fn push_each(&mut self, f: &mut FnBuild, e: &Expr, u: UniverseId, l: R, among: Option<R>) {
        let cap = self.list_room(u);
        let (i, top, end) = self.begin_ordered_walk(f, e, u);
        if let Some(s) = among {
            let t = f.emit_new(1, |d| Ins::STest { d, s, i, w: self.set_words(u) });
            f.jz(t, top);
        }
        f.emit(Ins::LPush { l, a: i, cap });
        f.jmp(top);
        f.place_label(end);
    }

    /// Begins a loop over the value of an expression, in its order.
    pub fn begin_ordered_walk(&mut self, f: &mut FnBuild, e: &Expr, u: UniverseId) -> (R, Label, Label) {
        let ordered = self.has_own_order(f, e);
        // So many components are taken one by one from the top of their place.
        let from_the_top = ordered && self.is_too_long(u) && self.p.components_of(u).is_some();
        if !ordered || from_the_top {
            let w = self.set_words(u);
            let s = f.alloc(w);
            self.set_into(f, e, u, s);
            return if from_the_top { f.begin_shown_loop(s, u.0 as u8) } else { self.begin_walk(f, s, u) };
        }
        let l = self.list_reg(f, e, u);
        f.begin_list_loop(l)
    }

    /// Emits the n-th element of a list (from 0, in a register) as an element of a set, or none.
    pub fn nth_of(&mut self, f: &mut FnBuild, of: &Expr, i: R, d: R) {
        if let Some(p) = self.ordered_zone(f, of) {
            f.emit(Ins::ZGet { d, p, i });
            return;
        }
        let u = self.universe_of(&of.ty, of.span);
        let l = self.list_reg(f, of, u);
        f.emit(Ins::LGet { d, l, i });
        self.element_to_value(f, u, d);
    }

    /// The place of a zone that is read as a list, if it is ordered.
    fn ordered_zone(&mut self, f: &mut FnBuild, e: &Expr) -> Option<R> {
        if self.has_own_order(f, e) { self.whole_zone_place(f, e) } else { None }
    }

    /// Changes a stored list, or the set that stands for it: `=`, `+=` (new things are added at the end), `-=`.
    pub fn change_list(&mut self, f: &mut FnBuild, ty: &Ty, change: Change, e: &Expr, r: R) {
        let u = self.universe_of(ty, e.span);
        let w = self.set_words(u);
        let Some(behind) = self.list_behind(ty, e.span) else {
            let s = self.set_reg(f, e, u);
            f.emit(match change {
                Change::Add => Ins::SOr { d: r, a: r, b: s, w },
                Change::Sub => Ins::SAndNot { d: r, a: r, b: s, w },
                _ => Ins::MovN { d: r, a: s, n: w },
            });
            return;
        };
        let (l, words, cap) = (r + behind, self.list_words(u), self.list_room(u));
        match change {
            Change::Add => {
                let (i, top, end) = self.begin_ordered_walk(f, e, u);
                let t = f.emit_new(1, |d| Ins::STest { d, s: r, i, w });
                f.jnz(t, top);
                f.emit(Ins::LPush { l, a: i, cap });
                f.emit(Ins::SIns { d: r, i, w });
                f.jmp(top);
                f.place_label(end);
            }
            Change::Sub => {
                let s = self.set_reg(f, e, u);
                f.emit(Ins::SAndNot { d: r, a: r, b: s, w });
                let rest = f.alloc(words);
                f.emit(Ins::Li { d: rest, k: 0 });
                let (x, top, end) = f.begin_list_loop(l);
                let t = f.emit_new(1, |d| Ins::STest { d, s: r, i: x, w });
                f.jz(t, top);
                f.emit(Ins::LPush { l: rest, a: x, cap });
                f.jmp(top);
                f.place_label(end);
                f.emit(Ins::MovN { d: l, a: rest, n: words });
            }
            _ => {
                let new = f.alloc(words);
                self.list_into(f, e, u, new);
                f.emit(Ins::MovN { d: l, a: new, n: words });
                f.emit(Ins::LSet { d: r, l, w });
            }
        }
    }

    /// Emits whether two lists have the same things in the same order.
    pub fn same_lists(&mut self, f: &mut FnBuild, a: &Expr, b: &Expr, u: UniverseId, d: R) {
        let (x, y) = (self.list_reg(f, a, u), self.list_reg(f, b, u));
        let (k, i, j, t) = (f.load_number(0), f.alloc(1), f.alloc(1), f.alloc(1));
        let (top, end) = (f.new_label(), f.new_label());
        f.place_label(top);
        f.emit(Ins::LGet { d: i, l: x, i: k });
        f.emit(Ins::LGet { d: j, l: y, i: k });
        f.emit(Ins::AddK { d: k, a: k, k: 1 });
        f.emit(Ins::Eq { d, a: i, b: j });
        f.jz(d, end);
        f.emit(Ins::EqK { d: t, a: i, k: NONE as i32 });
        f.jz(t, top);
        f.place_label(end);
    }
}
