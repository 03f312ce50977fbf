//! Lowers expressions: a number or thing into one register, a set into several. `X_into(…, d)` emits code that puts X into the registers from `d` on; `X_reg(…)` returns registers that hold it.
use crate::analysis::expr_forms::without_as_set;
use crate::codes::NOT_DRAWN;
use crate::fn_builder::{Bind, FnBuild, Label, NoAction};
use crate::ir::*;
use crate::layout::tables::{Home, Layout, Tables};
use crate::lower::Lower;
use houserule_model::body::{build, types};
use houserule_model::hir::*;
use houserule_text::{Diagnostic, Span};

impl Layout<'_> {
    /// The table of rows or columns of a type.
    pub fn rank_table(&self, ty: &Ty) -> Option<LinesIx> {
        match types::plain(ty) {
            Ty::Of(k) => self.rank_tables.get(&k).copied(),
            _ => None,
        }
    }
}

impl Tables<'_> {
    /// The universe of the components that a zone holds.
    pub fn held_universe(&self, zone: ZoneIx) -> Option<UniverseId> {
        let z = self.p.zones.get(zone.index())?;
        self.p.comps.get(z.holds as usize).map(|c| c.universe)
    }

    /// A zone with one place for each holder.
    pub fn single_place_zone(&self, z: ZoneId) -> Option<ZoneIx> {
        let zone = self.zone_ix.get(&z).copied()?;
        let slot = self.p.zones.get(zone.index())?;
        (slot.of.is_some() && slot.indexes <= 1).then_some(zone)
    }

    /// How a value of a type is passed to and from hooks: a list in its order.
    pub fn hook_show(&mut self, ty: &Ty, span: houserule_text::Span) -> Show {
        match ty {
            Ty::List(t) => Show::List(self.universe_of(t, span)),
            _ => self.show(ty, span),
        }
    }

    /// Words of a value of a type when it is passed to hooks: a list has no set before it.
    pub fn hook_words(&mut self, ty: &Ty, span: houserule_text::Span) -> u8 {
        match self.hook_show(ty, span) {
            Show::List(u) => self.list_words(u),
            _ => self.width(ty, span),
        }
    }

    /// Converts an element of a set to a value.
    pub fn element_to_value(&mut self, f: &mut FnBuild, u: UniverseId, d: R) {
        let lo = self.least_of(u);
        if lo != 0 {
            let end = f.new_label();
            f.jnone(d, end);
            f.emit(Ins::AddK { d, a: d, k: lo });
            f.place_label(end);
        }
    }

    /// Converts a value to an element of a set.
    pub fn value_to_element(&mut self, f: &mut FnBuild, u: UniverseId, r: R) -> R {
        let lo = self.least_of(u);
        if lo == 0 {
            return r;
        }
        let d = f.alloc(1);
        let end = f.new_label();
        f.emit(Ins::Mov { d, a: r });
        f.jnone(d, end);
        f.emit(Ins::AddK { d, a: d, k: -lo });
        f.place_label(end);
        d
    }

    /// Puts the first component that shows the face in register `face` into `d`, or none.
    fn find_by_face(&mut self, f: &mut FnBuild, u: UniverseId, face: R, d: R) {
        let Some(faces) = self.p.components_of(u).map(|c| c.faces) else { return };
        let (w, wf) = (self.set_words(u), self.set_words(faces));
        let (s, fs) = (f.alloc(w), f.alloc(wf));
        f.emit(Ins::SAll { d: s, u: u.0 as u8 });
        f.emit(Ins::SOne { d: fs, i: face, w: wf });
        f.emit(Ins::SByFace { d: s, s, f: fs, u: u.0 as u8 });
        f.emit(Ins::SFirst { d, s, w });
    }
}

impl Lower<'_> {
    /// Emits a `case` over known words or numbers and evaluates the subject once; into a set over `u`, or into one register. Returns false if it is no such chain.
    pub fn case_chain_into(&mut self, f: &mut FnBuild, e: &Expr, d: R, u: Option<UniverseId>) -> bool {
        if f.is_effect {
            return false;
        }
        let Some((subject, arms, rest)) = case_arms(self, e) else { return false };
        let end = f.new_label();
        let base = f.next;
        let (x, t) = (f.alloc(1), f.alloc(1));
        self.expr_into(f, subject, x);
        for (k, arm) in arms {
            let next = f.new_label();
            f.emit(Ins::EqK { d: t, a: x, k: k as i32 });
            f.jz(t, next);
            let inner = f.next;
            match u {
                Some(u) => self.set_into(f, arm, u, d),
                None => self.expr_into(f, arm, d),
            }
            f.next = inner;
            f.jmp(end);
            f.place_label(next);
        }
        match u {
            Some(u) => self.set_into(f, rest, u, d),
            None => self.expr_into(f, rest, d),
        }
        f.place_label(end);
        f.next = base;
        true
    }

    /// Whether a value can be none. The checker's types say where it cannot, except for a player who is out.
    fn can_be_none(&mut self, f: &FnBuild, e: &Expr) -> bool {
        types::is_maybe(&e.ty)
            || match &*e.kind {
                ExprKind::Local(l) => f.maybe_players.contains(l),
                ExprKind::Choose(_) => self.may_ask_nobody(e),
                _ => e.ty == Ty::None,
            }
    }

    /// Emits a value that is needed into `r`: in an effect, none ends the statement.
    pub fn require_into(&mut self, f: &mut FnBuild, e: &Expr, r: R) {
        if let Some(skip) = f.none_label
            && self.can_be_none(f, e)
        {
            f.jnone(r, skip);
        }
    }

    /// Emits `d = 0` and a jump to `end` for a value in `r` that is none; nothing if it cannot be.
    fn no_if_none(&mut self, f: &mut FnBuild, (e, r): (&Expr, R), d: R, end: Label) {
        if self.can_be_none(f, e) {
            f.emit(Ins::Li { d, k: 0 });
            f.jnone(r, end);
        }
    }

    /// The register of a thing, number or truth value that is needed.
    pub fn required_reg(&mut self, f: &mut FnBuild, e: &Expr) -> R {
        let r = self.expr_reg(f, e);
        self.require_into(f, e, r);
        r
    }

    /// The register of a value of one register: a new one, or the one that holds it.
    pub fn expr_reg(&mut self, f: &mut FnBuild, e: &Expr) -> R {
        if let ExprKind::Local(l) = &*e.kind
            && let Some(Bind::Reg(r)) = self.binding_of(f, *l)
        {
            return r;
        }
        let d = f.alloc(1);
        self.expr_into(f, e, d);
        d
    }

    /// Emits a value of one register into `d`.
    #[allow(clippy::too_many_lines)] // One arm a form of the language.
    pub fn expr_into(&mut self, f: &mut FnBuild, e: &Expr, d: R) {
        if f.depth > 60 {
            self.report_unsupported(e.span, "values nested this deep");
            return;
        }
        f.set_span(e.span);
        if let Some(k) = self.known_constant(e) {
            f.emit(Ins::Li { d, k: k as i32 });
            return;
        }
        let base = f.next;
        match &*e.kind {
            ExprKind::Local(l) => match self.binding_of(f, *l) {
                Some(Bind::Reg(a)) => {
                    if a != d {
                        f.emit(Ins::Mov { d, a });
                    }
                }
                Some(Bind::Alias(x, env)) => self.with_env(f, env, |s, f| s.expr_into(f, &x, d)),
                Some(Bind::Call(func, args, env)) => {
                    self.with_env(f, env, |s, f| s.call_into(f, func, &args, d))
                }
                _ => self.report_unsupported(e.span, "a name whose value is not kept up to here"),
            },
            ExprKind::Text(t) => {
                let t = self.make_template(f, t, false);
                f.emit(Ins::Li { d, k: i32::from(t.0) });
            }
            ExprKind::Phase(r) => {
                let k = self.phase_ix.get(r).map_or(0, |p| i32::from(p.0));
                f.emit(Ins::Li { d, k });
            }
            ExprKind::PhaseNow => f.emit(Ins::LdClock { d, what: Clock::Phase }),
            ExprKind::Running(r) => {
                if let Some(phase) = self.phase_ix.get(r).copied() {
                    f.emit(Ins::Running { d, phase });
                }
            }
            // An option whose values are components names a face.
            ExprKind::Option(o) => match self.option_face(*o) {
                Some(NONE) => f.emit(Ins::Li { d, k: NONE as i32 }),
                Some(face) => {
                    let u = self.universe_of(&e.ty, e.span);
                    let face = f.load_number(face);
                    self.find_by_face(f, u, face, d);
                }
                None => self.report_unsupported(e.span, "an option that is not known at set-up"),
            },
            ExprKind::Component(m, key) => {
                // The one component that shows the face.
                let (u, k) = (self.universe_of(&e.ty, e.span), self.m.members[m.index()].kind);
                let face = build::expr(Ty::Face(k), e.span, ExprKind::Face(*m, key.clone()));
                let fr = self.expr_reg(f, &face);
                self.find_by_face(f, u, fr, d);
            }
            ExprKind::Face(m, Some(key)) => {
                let (first, least, _) = self.faces_of.get(m).copied().unwrap_or((0, 0, 1));
                let k = self.required_reg(f, key);
                f.emit(Ins::AddK { d, a: k, k: i32::from(first) - least });
            }
            ExprKind::Attr(x, a) => self.attr_into(f, x, *a, d),
            ExprKind::TableAttr(a) => match self.homes.get(a) {
                Some(Home::Cell(attr)) => f.emit(Ins::LdGlobal { d, attr: *attr }),
                Some(Home::Table(table)) => {
                    let table = *table;
                    let i = f.load_number(0);
                    f.emit(Ins::LdTable { d, i, table });
                }
                _ => self.report_unsupported(e.span, "this attribute"),
            },
            ExprKind::Zone(Some(x), z, None)
                if let (true, Some(zone)) = (self.m.zones[z.index()].slot, self.single_place_zone(*z)) =>
            {
                let o = self.required_reg(f, x);
                f.emit(Ins::LdHeld { d, o, zone });
            }
            ExprKind::Zone(..) => {
                let p = f.alloc(1);
                self.place_into(f, e, p);
                let i = f.load_number(0);
                f.emit(Ins::ZGet { d, p, i });
            }
            ExprKind::PlaceOf(..) | ExprKind::Box(_) => self.place_into(f, e, d),
            ExprKind::Value(v, args) => self.value_call_into(f, *v, args, e, d),
            ExprKind::Hook(h, args) => self.hook_into(f, *h, args, e, d),
            ExprKind::Builtin(b, args) => self.builtin_into(f, *b, args, e, d),
            ExprKind::Where(x, l, cond) => {
                // The operand is one thing: the result is the thing, or none.
                let r = self.expr_reg(f, x);
                f.emit(Ins::Mov { d, a: r });
                let end = f.new_label();
                f.jnone(r, end);
                f.bind(*l, Bind::Reg(r));
                let c = self.expr_reg(f, cond);
                f.jnz(c, end);
                f.emit(Ins::Li { d, k: NONE as i32 });
                f.place_label(end);
            }
            ExprKind::Fold(fold) => self.fold_into(f, fold, e, d),
            ExprKind::Not(x) => {
                let a = self.required_reg(f, x);
                f.emit(Ins::Not { d, a });
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let and = matches!(&*e.kind, ExprKind::And(..));
                let end = f.new_label();
                let r = self.required_reg(f, a);
                f.emit(Ins::Mov { d, a: r });
                f.jump_if(d, !and, end);
                let r = self.required_reg(f, b);
                f.emit(Ins::Mov { d, a: r });
                f.place_label(end);
            }
            ExprKind::Compare(op, a, b) => self.compare_into(f, *op, a, b, d),
            ExprKind::In(x, s) => self.in_into(f, x, s, d),
            ExprKind::IsSome(x) => {
                if matches!(x.ty, Ty::Set(_) | Ty::List(_)) {
                    f.emit(Ins::Li { d, k: 1 });
                } else {
                    let a = self.expr_reg(f, x);
                    f.emit(Ins::EqK { d, a, k: NONE as i32 });
                    f.emit(Ins::Not { d, a: d });
                }
            }
            ExprKind::IsEmpty(x) => {
                if let Some(p) = self.whole_zone_place(f, x) {
                    f.emit(Ins::ZLen { d, p });
                    f.emit(Ins::EqK { d, a: d, k: 0 });
                } else {
                    let u = self.uni_of(x);
                    let s = self.set_reg(f, x, u);
                    let w = self.set_words(u);
                    f.emit(Ins::SAny { d, s, w });
                    f.emit(Ins::Not { d, a: d });
                }
            }
            ExprKind::IsKind(x, k) => {
                // The kind of a component is the kind of the face that it shows.
                let faces = Ty::Face(types::kinds_of(&types::plain(&x.ty)).first().copied().unwrap_or(*k));
                let u = self.universe_of(&faces, x.span);
                let w = self.set_words(u);
                let words = self.faces_of_kind(*k, w);
                let at = self.add_const_set(&words);
                let i = self.expr_reg(f, x);
                let end = f.new_label();
                self.no_if_none(f, (x, i), d, end);
                let (face, s) = (f.alloc(1), f.alloc(w));
                self.face_number(f, x, i, face);
                f.emit(Ins::SConst { d: s, w, k: at });
                f.emit(Ins::STest { d, s, i: face, w });
                f.place_label(end);
            }
            ExprKind::IsFace(x, m, key) => {
                let c = self.expr_reg(f, x);
                let end = f.new_label();
                self.no_if_none(f, (x, c), d, end);
                self.face_number(f, x, c, d);
                let (first, least, keys) = self.faces_of.get(m).copied().unwrap_or((u16::MAX, 0, 1));
                match key {
                    Some(k) => {
                        let k = self.required_reg(f, k);
                        let t = f.emit_new(1, |d| Ins::AddK { d, a: k, k: i32::from(first) - least });
                        f.emit(Ins::Eq { d, a: d, b: t });
                    }
                    None if keys == 1 => f.emit(Ins::EqK { d, a: d, k: i32::from(first) }),
                    None => {
                        let (lo, hi) =
                            (f.load_number(i64::from(first)), f.load_number(i64::from(first + keys - 1)));
                        f.emit(Ins::Le { d: lo, a: lo, b: d });
                        f.emit(Ins::Le { d: hi, a: d, b: hi });
                        f.emit(Ins::And { d, a: lo, b: hi });
                    }
                }
                f.place_label(end);
            }
            ExprKind::Arith(op, a, b) => {
                let ra = self.required_reg(f, a);
                if *op == Arith::Mod
                    && let Some(k) = self.known_constant(b).filter(|k| *k > 0)
                    && let Ok(k) = i32::try_from(k)
                {
                    f.emit(Ins::ModK { d, a: ra, k });
                    return;
                }
                // The register of a name may be returned as it is: the right side has no effects, so it cannot change it.
                let rb = self.required_reg(f, b);
                f.emit(match op {
                    Arith::Add => Ins::Add { d, a: ra, b: rb },
                    Arith::Sub => Ins::Sub { d, a: ra, b: rb },
                    Arith::Mul => Ins::Mul { d, a: ra, b: rb },
                    Arith::Div => Ins::Div { d, a: ra, b: rb },
                    Arith::Mod => Ins::Mod { d, a: ra, b: rb },
                });
            }
            ExprKind::Neg(x) => {
                let a = self.required_reg(f, x);
                f.emit(Ins::Neg { d, a });
            }
            ExprKind::If(..) if self.case_chain_into(f, e, d, None) => {}
            ExprKind::If(c, a, b) => self.emit_if(f, c, [a, b], |s, f, x| s.expr_into(f, x, d)),
            ExprKind::Let(l, x, body) => {
                let w = self.width(&x.ty, x.span);
                let r = f.alloc(w);
                self.store(f, x, r);
                f.bind(*l, Bind::Reg(r));
                self.expr_into(f, body, d);
            }
            ExprKind::Default(a, b) => {
                let end = f.new_label();
                // If the first alternative ends the statement early, the second is taken.
                let other = f.new_label();
                let outer = f.none_label;
                f.none_label = outer.map(|_| other);
                self.expr_into(f, a, d);
                f.none_label = outer;
                f.emit(Ins::JSome { a: d, to: end.0 as u32 });
                f.place_label(other);
                self.expr_into(f, b, d);
                f.place_label(end);
            }
            ExprKind::Step(c, r) => {
                let (map, _) = self.map_of(&c.ty, c.span);
                let c2 = self.expr_reg(f, c);
                if !types::is_maybe(&r.ty) {
                    // A direction that is none leads to none.
                    let r = self.expr_reg(f, r);
                    f.emit(Ins::StepC { d, c: c2, r, m: map });
                    f.next = base;
                    return;
                }
                let end = f.new_label();
                f.emit(Ins::Li { d, k: NONE as i32 });
                f.jnone(c2, end);
                let r = self.required_reg(f, r);
                f.emit(Ins::StepC { d, c: c2, r, m: map });
                f.place_label(end);
            }
            ExprKind::First { n: None, of, last } => self.first_into(f, of, *last, d),
            ExprKind::The(s) => {
                let u = self.uni_of(s);
                let r = self.set_reg(f, s, u);
                let w = self.set_words(u);
                f.emit(Ins::SOnly { d, s: r, w });
                // None or several is a fault.
                let there = f.new_label();
                f.emit(Ins::JSome { a: d, to: there.0 as u32 });
                f.emit(Ins::Add { d, a: d, b: d });
                f.place_label(there);
                self.element_to_value(f, u, d);
            }
            // The spaces of a line are numbered in their order.
            ExprKind::Nth(of, n)
                if let ExprKind::All(k) = &*of.kind
                    && types::line_length(self.m, *k).is_some() =>
            {
                let (r, u) = (self.required_reg(f, n), self.universe_of(&Ty::Of(*k), of.span));
                let length = i64::from(self.things_in(u));
                let (lo, hi, t) = (f.load_number(1), f.load_number(length), f.alloc(1));
                let no = f.new_label();
                f.emit(Ins::Le { d: t, a: lo, b: r });
                f.jz(t, no);
                f.emit(Ins::Le { d: t, a: r, b: hi });
                f.jz(t, no);
                f.emit(Ins::AddK { d, a: r, k: -1 });
                f.none_from(d, no);
            }
            ExprKind::Nth(of, n) if self.has_own_order(f, of) => {
                let n = self.required_reg(f, n);
                let i = f.emit_new(1, |d| Ins::AddK { d, a: n, k: -1 });
                self.nth_of(f, of, i, d);
            }
            ExprKind::Nth(of, n) => {
                let u = self.uni_of(of);
                let s = self.set_reg(f, of, u);
                let n = self.required_reg(f, n);
                // Loops over the set up to the n-th member.
                let left = f.emit_new(1, |d| Ins::Mov { d, a: n });
                let (i, top, end) = self.begin_walk(f, s, u);
                f.emit(Ins::Mov { d, a: i });
                f.emit(Ins::AddK { d: left, a: left, k: -1 });
                f.jnz(left, top);
                f.none_from(d, end);
                self.element_to_value(f, u, d);
            }
            ExprKind::Choose(c) => self.choose_into(f, c, e, d),
            ExprKind::Roll(k) => self.roll_into(f, *k, d, e.span),
            ExprKind::Rule(r, by, args) => {
                if let Some(at) = self.emit_rule_call(f, *r, by.as_ref(), args, e.span) {
                    f.emit(Ins::Mov { d, a: at });
                }
            }
            ExprKind::CanRule(r, by, args) => self.can_rule_into(f, *r, by.as_ref(), args, d),
            ExprKind::CanMenu(p, menu, args) => self.can_menu_into(f, p, *menu, args, d),
            ExprKind::NoAction => match f.no_action {
                Some(NoAction::In(a)) => f.emit(Ins::Mov { d, a }),
                known => f.emit(Ins::Li { d, k: i32::from(known == Some(NoAction::Known(true))) }),
            },
            ExprKind::PositionSeen(map, times) => {
                let h = self.history(*map);
                let (n, k) = (f.alloc(1), f.alloc(1));
                f.emit(Ins::SeenTimes { d: n, h });
                // The position on trial is in no history yet.
                f.emit(Ins::Li { d: k, k: *times as i32 - i32::from(f.is_behind_trial) });
                f.emit(Ins::Le { d, a: k, b: n });
            }
            ExprKind::Usual => match f.usual {
                Some(a) => f.emit(Ins::Mov { d, a }),
                None => self.report_unsupported(e.span, "`usual` here"),
            },
            ExprKind::Space(map, ..) => {
                let name = &self.m.maps[map.index()].name;
                self.report_not_there(e.span, &format!("this space is not on {name} in this set-up"));
            }
            ExprKind::Line(..) => {
                self.report_not_there(e.span, "no map has this row or column in this set-up")
            }
            ExprKind::Face(id, None) => {
                let name = &self.m.members[id.index()].name;
                let gone = |(i, s): &(usize, &Scope)| {
                    self.set.has(ScopeId(*i as u32)) && s.removes.contains(&Removed::Member(*id))
                };
                let by = self.m.scopes.iter().enumerate().find(gone);
                let by = by.map_or(String::new(), |(_, s)| format!(": “{}” removes it", s.title));
                self.report_not_there(e.span, &format!("`{name}` is not in this set-up{by}"));
            }
            _ => self.report_unsupported(e.span, "this expression"),
        }
        f.next = base;
    }

    fn report_not_there(&mut self, span: Span, message: &str) {
        let d = Diagnostic::error(NOT_DRAWN, span, message);
        self.errors.push(d.help(
            "write what every set-up has, as in `row(size)` or `c.row == size`, or leave the set-up out",
        ));
    }

    fn attr_into(&mut self, f: &mut FnBuild, x: &Expr, a: AttrId, d: R) {
        let component = self.m.attrs[a.index()].of.is_some_and(|k| types::is_component(self.m, k));
        match self.homes.get(&a).copied() {
            Some(Home::Cell(attr)) if component && let Ty::Face(k) = types::plain(&x.ty) => {
                // A face is the one component that shows it.
                let u = self.universe_of(&Ty::Of(k), x.span);
                let (face, thing) = (self.required_reg(f, x), f.alloc(1));
                self.find_by_face(f, u, face, thing);
                f.emit(Ins::LdAttr { d, e: thing, attr });
            }
            Some(Home::Cell(attr)) => {
                let e = self.required_reg(f, x);
                f.emit(Ins::LdAttr { d, e, attr });
            }
            Some(Home::Table(table)) => {
                let i = self.required_reg(f, x);
                if component {
                    self.face_number(f, x, i, d);
                    f.emit(Ins::LdTable { d, i: d, table });
                } else {
                    f.emit(Ins::LdTable { d, i, table });
                }
            }
            Some(Home::Side(table)) => {
                if !self.side_table_into(f, x, table, d) {
                    self.report_unsupported(x.span, "a face attribute of something that is not a die");
                }
            }
            Some(Home::Sets(..) | Home::Lists(_)) => {
                self.report_unsupported(x.span, "a set where one thing is needed")
            }
            None => self.report_unsupported(x.span, "this attribute"),
        }
    }

    /// Emits the number of a place.
    pub fn place_into(&mut self, f: &mut FnBuild, e: &Expr, d: R) {
        match &*e.kind {
            ExprKind::PlaceOf(of, z, index) | ExprKind::Zone(of, z, index) => {
                let Some(zone) = self.zone_ix.get(z).copied() else {
                    self.report_unsupported(e.span, "this zone");
                    return;
                };
                let o = match of {
                    Some(x) => self.required_reg(f, x),
                    None => d,
                };
                let i = match index {
                    Some(x) => self.required_reg(f, x),
                    None => d,
                };
                if of.is_none() || index.is_none() {
                    let k = self.p.zones[zone.index()].index_lo;
                    if o == d && of.is_none() || i == d {
                        f.emit(Ins::Li { d, k });
                    }
                }
                f.emit(Ins::PlaceOf { d, o, i, zone });
            }
            ExprKind::Box(k) => {
                let k = self.box_kind.as_ref().unwrap_or(k);
                let boxed = self.comps_of.get(&self.root(*k)).map_or(0, |c| self.p.comps[*c as usize].boxed);
                f.emit(Ins::Li { d, k: i32::from(boxed) });
            }
            ExprKind::If(c, a, b) => self.emit_if(f, c, [a, b], |s, f, x| s.place_into(f, x, d)),
            _ => match (types::plain(&e.ty), self.box_kind) {
                // A space: the zone there that holds such components.
                (Ty::Of(space), Some(k)) => self.place_on(f, e, space, k, d),
                _ => self.expr_into(f, e, d),
            },
        }
    }

    /// Emits the place on a space for components of a kind.
    fn place_on(&mut self, f: &mut FnBuild, e: &Expr, space: KindId, k: KindId, d: R) {
        let m = self.m;
        let fits = |z: &Zone| z.holds.iter().any(|h| types::is_a(m, k, *h) || types::is_a(m, *h, k));
        let mut zones =
            m.zones.iter().enumerate().filter(|(_, z)| {
                z.of == Some(space) && z.index.is_none() && self.set.has(z.scope) && fits(z)
            });
        let (zone, more) = (zones.next(), zones.next());
        let zone =
            zone.filter(|_| more.is_none()).and_then(|(i, _)| self.single_place_zone(ZoneId(i as u32)));
        let Some(zone) = zone else {
            self.report_unsupported(
                e.span,
                "a space that holds such things in no zone, or in several: name the zone",
            );
            return;
        };
        let o = self.required_reg(f, e);
        let i = f.load_number(0);
        f.emit(Ins::PlaceOf { d, o, i, zone });
    }

    /// The place of a whole zone that is read as a set, if the expression is one.
    pub fn whole_zone_place(&mut self, f: &mut FnBuild, e: &Expr) -> Option<R> {
        match &*e.kind {
            ExprKind::Zone(_, z, _) if !self.m.zones[z.index()].slot => {
                let p = f.alloc(1);
                self.place_into(f, e, p);
                Some(p)
            }
            ExprKind::Builtin(Builtin::AsSet, args) => self.whole_zone_place(f, args.first()?),
            _ => None,
        }
    }

    /// Emits a value of any width into the registers from `d` on.
    pub fn store(&mut self, f: &mut FnBuild, e: &Expr, d: R) {
        if matches!(e.ty, Ty::Set(_) | Ty::List(_) | Ty::Filter(_)) {
            let u = self.universe_of(&e.ty, e.span);
            match self.list_behind(&e.ty, e.span) {
                Some(behind) => self.store_list(f, e, u, behind, d),
                None => self.set_into(f, e, u, d),
            }
        } else {
            self.expr_into(f, e, d);
        }
    }

    fn compare_into(&mut self, f: &mut FnBuild, op: Comparison, a: &Expr, b: &Expr, d: R) {
        if matches!(a.ty, Ty::Set(_) | Ty::List(_) | Ty::Filter(_))
            || matches!(b.ty, Ty::Set(_) | Ty::List(_))
        {
            let u = self.uni_of_both(a, b);
            let lists = crate::facts::list_order::is_list(a) && crate::facts::list_order::is_list(b);
            if lists && (self.has_own_order(f, a) || self.has_own_order(f, b)) {
                self.same_lists(f, a, b, u, d);
            } else {
                let (x, y) = (self.set_reg(f, a, u), self.set_reg(f, b, u));
                let w = self.set_words(u);
                f.emit(Ins::SEq { d, a: x, b: y, w });
            }
            if op == Comparison::Ne {
                f.emit(Ins::Not { d, a: d });
            }
            return;
        }
        let x = self.expr_reg(f, a);
        if let (Comparison::Eq | Comparison::Ne, Some(k)) = (op, self.known_constant(b)) {
            f.emit(Ins::EqK { d, a: x, k: k as i32 });
            if op == Comparison::Ne {
                f.emit(Ins::Not { d, a: d });
            }
            return;
        }
        let y = self.expr_reg(f, b);
        f.emit(match op {
            Comparison::Eq => Ins::Eq { d, a: x, b: y },
            Comparison::Ne => Ins::Ne { d, a: x, b: y },
            Comparison::Lt => Ins::Lt { d, a: x, b: y },
            Comparison::Le => Ins::Le { d, a: x, b: y },
            Comparison::Gt => Ins::Lt { d, a: y, b: x },
            Comparison::Ge => Ins::Le { d, a: y, b: x },
        });
    }

    fn in_into(&mut self, f: &mut FnBuild, x: &Expr, s: &Expr, d: R) {
        match &*s.kind {
            ExprKind::Range(a, b) => {
                let x = self.expr_reg(f, x);
                let a = self.required_reg(f, a);
                let b = self.required_reg(f, b);
                let t = f.emit_new(1, |d| Ins::Le { d, a, b: x });
                f.emit(Ins::Le { d, a: x, b });
                f.emit(Ins::And { d, a: d, b: t });
            }
            ExprKind::PlaceOf(..) | ExprKind::Box(_) => {
                let u = self.universe_of(&x.ty, x.span);
                let c = self.expr_reg(f, x);
                let p = f.alloc(1);
                self.set_box_kind(x);
                self.place_into(f, s, p);
                self.box_kind = None;
                let end = f.new_label();
                f.emit(Ins::Li { d, k: 0 });
                f.jnone(c, end);
                f.emit(Ins::LdPlace { d, c, u: u.0 as u8 });
                f.emit(Ins::Eq { d, a: d, b: p });
                f.place_label(end);
            }
            _ if self.test_among_numbers(f, x, s, d) => {}
            _ => {
                let u = self.uni_of(s);
                let i = match &s.ty {
                    Ty::Filter(_) => self.filter_element(f, x),
                    _ => {
                        let i = self.expr_reg(f, x);
                        self.value_to_element(f, u, i)
                    }
                };
                let r = self.set_reg(f, s, u);
                let w = self.set_words(u);
                f.emit(Ins::STest { d, s: r, i, w });
            }
        }
    }

    /// Emits the first (or last) element of a set or list.
    pub fn first_into(&mut self, f: &mut FnBuild, of: &Expr, last: bool, d: R) {
        let inner = without_as_set(of);
        // A filter of something without an order of its own.
        if self.has_own_order(f, inner)
            && let Some(p) = self.whole_zone_place(f, inner)
        {
            let i = f.load_end_index(p, last);
            f.emit(Ins::ZGet { d, p, i });
            return;
        }
        if let ExprKind::Where(src, l, cond) = &*inner.kind {
            // A filter of an ordered zone.
            if self.has_own_order(f, src)
                && let Some(p) = self.whole_zone_place(f, src)
            {
                let i = f.load_end_index(p, last);
                let (top, end) = (f.new_label(), f.new_label());
                f.place_label(top);
                f.emit(Ins::ZGet { d, p, i });
                f.jnone(d, end);
                f.bind(*l, Bind::Reg(d));
                let c = self.expr_reg(f, cond);
                f.jnz(c, end);
                f.emit(Ins::AddK { d: i, a: i, k: if last { -1 } else { 1 } });
                f.jmp(top);
                f.place_label(end);
                return;
            }
            // A filter of a line of the board.
            if let (ExprKind::Builtin(Builtin::LineSpaces, args), false) = (&*src.kind, last)
                && let Some(t) = args.first().and_then(|a| self.rank_table(&a.ty))
                && self.with_lifted(f, f.env, *l, |s, f| s.cannot_fault(f, cond))
            {
                let i = self.required_reg(f, &args[0]);
                let u = self.p.line_tables[t.index()].universe;
                let s = self.filter_universe(f, u, *l, cond);
                f.emit(Ins::LineFirst { d, i, s, t });
                return;
            }
        }
        let along = match &*inner.kind {
            ExprKind::Where(src, ..) => src,
            _ => inner,
        };
        if let ExprKind::Builtin(Builtin::Ray, args) = &*along.kind
            && let [c, way, ..] = args.as_slice()
        {
            self.ray_end_into(f, inner, (c, way), last, d);
            return;
        }
        if self.has_own_order(f, inner) {
            let u = self.uni_of(of);
            let l = self.list_reg(f, inner, u);
            let i = f.load_number(0);
            if last {
                f.emit(Ins::LLen { d: i, l });
                f.emit(Ins::AddK { d: i, a: i, k: -1 });
            }
            f.emit(Ins::LGet { d, l, i });
            self.element_to_value(f, u, d);
            return;
        }
        let u = self.uni_of(of);
        let s = self.set_reg(f, of, u);
        let w = self.set_words(u);
        if self.is_mixed(u) {
            let left = f.emit_new(w, |d| Ins::MovN { d, a: s, n: w });
            f.emit(Ins::TakeFirst { d, s: left, u: u.0 as u8, last });
        } else {
            f.emit(if last { Ins::SLast { d, s, w } } else { Ins::SFirst { d, s, w } });
        }
        self.element_to_value(f, u, d);
    }

    /// Emits the first (or last) space of a ray, or of a filtered ray, in the order of the ray.
    fn ray_end_into(&mut self, f: &mut FnBuild, of: &Expr, (c, way): (&Expr, &Expr), last: bool, d: R) {
        let (m, _) = self.map_of(&c.ty, c.span);
        let u = self.universe_of(&of.ty, of.span);
        // A condition that can be vectorised is not cut to the ray: the scan meets only spaces of the ray.
        let whole = match &*of.kind {
            ExprKind::Where(ray, l, cond) if self.opts.lift && is_plain_ray(ray) => {
                let env = f.env;
                let needs_loop = self.with_lifted(f, env, *l, |s, f| s.needs_loop(f, cond, 0));
                let outer = f.cut_set.take();
                let lifted = if needs_loop { None } else { self.lift(f, cond, env, *l, u) };
                f.cut_set = outer;
                lifted
            }
            _ => None,
        };
        let s = match whole {
            Some(s) => s,
            None => self.set_reg(f, of, u),
        };
        let end = f.new_label();
        let c = self.expr_reg(f, c);
        // If the space is none there is no ray. What may fault is evaluated only if there is a ray.
        if types::is_maybe(&way.ty) || !matches!(&*way.kind, ExprKind::Local(_) | ExprKind::Direction(_)) {
            let there = f.emit_new(1, |d| Ins::Mov { d, a: c });
            f.emit(Ins::Li { d, k: NONE as i32 });
            f.jnone(there, end);
        }
        let r = self.required_reg(f, way);
        f.emit(Ins::RayEnd { d, c, r, s, m, last });
        f.place_label(end);
    }

    /// Emits the set of all things of a universe that pass a condition.
    pub fn filter_universe(&mut self, f: &mut FnBuild, u: UniverseId, l: LocalId, cond: &Expr) -> R {
        let w = self.set_words(u);
        let s = f.emit_new(w, |d| Ins::SAll { d, u: u.0 as u8 });
        self.filter_full(f, s, u, l, cond);
        s
    }

    /// Emits code with the names of another environment.
    pub fn with_env<T>(
        &mut self,
        f: &mut FnBuild,
        env: usize,
        run: impl FnOnce(&mut Self, &mut FnBuild) -> T,
    ) -> T {
        let outer = std::mem::replace(&mut f.env, env);
        f.depth += 1;
        let out = run(self, f);
        f.depth -= 1;
        f.env = outer;
        out
    }
}

/// A case chain: the subject, the arms by value, and the `else`.
type Arms<'e> = (&'e Expr, Vec<(i64, &'e Expr)>, &'e Expr);

/// Matches a chain of at least three comparisons of one subject with known words or numbers.
fn case_arms<'e>(lower: &mut Lower<'_>, e: &'e Expr) -> Option<Arms<'e>> {
    let mut out: Vec<(i64, &Expr)> = Vec::new();
    let mut subject: Option<&Expr> = None;
    let mut rest = e;
    while let ExprKind::If(c, a, b) = &*rest.kind {
        let ExprKind::Compare(Comparison::Eq, x, k) = &*c.kind else { break };
        let Some(k) = lower.known_constant(k).filter(|k| i16::try_from(*k).is_ok()) else { break };
        match subject {
            None if is_read(x) => subject = Some(x),
            Some(s) if is_same_read(s, x) => {}
            _ => break,
        }
        out.push((k, a));
        rest = b;
    }
    let subject = subject.filter(|_| out.len() >= 3)?;
    Some((subject, out, rest))
}

/// Whether an expression is a name or an attribute of a name.
fn is_read(e: &Expr) -> bool {
    match &*e.kind {
        ExprKind::Local(_) | ExprKind::TableAttr(_) => true,
        ExprKind::Attr(x, _) => is_read(x),
        _ => false,
    }
}

fn is_same_read(a: &Expr, b: &Expr) -> bool {
    match (&*a.kind, &*b.kind) {
        (ExprKind::Local(x), ExprKind::Local(y)) => x == y,
        (ExprKind::TableAttr(x), ExprKind::TableAttr(y)) => x == y,
        (ExprKind::Attr(x, p), ExprKind::Attr(y, q)) => p == q && is_same_read(x, y),
        _ => false,
    }
}

/// Whether a ray goes to the edge, through anything.
fn is_plain_ray(e: &Expr) -> bool {
    let ExprKind::Builtin(Builtin::Ray, args) = &*e.kind else { return false };
    args.iter().skip(2).all(|a| matches!(&*a.kind, ExprKind::None))
}
