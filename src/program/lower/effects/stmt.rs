//! Lowers statements to code that changes the state: effects, loops, turns of players, calls of rules.
use crate::fn_builder::{Bind, FnBuild, Label};
use crate::ir::*;
use crate::layout::tables::{Home, Layout, Tables};
use crate::lower::values::turn_order;
use crate::lower::{Captured, Event, Job, Lower};
use houserule_model::body::{build, types, walk};
use houserule_model::hir::*;
use houserule_text::Span;
use std::collections::BTreeSet;

impl Layout<'_> {
    /// Whether an attribute may be none.
    fn may_be_none(&self, attr: AttrId) -> bool {
        self.m.attrs.get(attr.index()).is_some_and(|a| types::is_maybe(&a.ty))
    }
}

impl Tables<'_> {
    /// The player whose random stream a roll uses.
    pub fn roller(&mut self, f: &mut FnBuild) -> R {
        match f.me {
            Some(r) => r,
            None => f.load_number(NONE),
        }
    }

    pub fn add_ask(&mut self, slot: AskSlot) -> AskIx {
        self.p.asks.push(slot);
        AskIx(self.p.asks.len() as u16 - 1)
    }

    /// After a component has become a face of another kind: sets the attributes of that kind to their start values, unless the component had them before.
    fn begin_attributes(&mut self, f: &mut FnBuild, x: &Expr, c: R, face: R) {
        let Some(ci) = self.comps_of_type(&x.ty) else { return };
        let faces = self.p.comps[ci as usize].faces;
        let mut homes: Vec<(AttrId, Home)> = self.homes.iter().map(|(a, h)| (*a, *h)).collect();
        homes.sort_by_key(|(a, _)| *a);
        for (id, home) in homes {
            let (Home::Cell(attr), Some(a)) = (home, self.m.attrs.get(id.index())) else { continue };
            let own = self.p.attrs[attr.index()].own.clone();
            let of = a.of.filter(|k| self.comps_of.get(&self.root(*k)) == Some(&ci));
            if of.is_none() || own.is_empty() || a.default.is_some() || types::is_maybe(&a.ty) {
                continue;
            }
            let members = self.face_members[ci as usize].clone();
            let given = (0u16..).zip(members).map(|(i, (m, key))| match own.contains(&i) {
                true => self.member_value(m, key, id) as i32,
                false => NONE as i32,
            });
            let given = given.collect();
            let table = self.add_table(&a.name, faces, given);
            let (base, end, t) = (f.next, f.new_label(), f.alloc(1));
            f.emit(Ins::LdAttr { d: t, e: c, attr });
            f.emit(Ins::JSome { a: t, to: end.0 as u32 });
            f.emit(Ins::LdTable { d: t, i: face, table });
            f.jnone(t, end);
            f.emit(Ins::StAttr { e: c, a: t, attr });
            f.place_label(end);
            f.next = base;
        }
    }

    /// Whether the target of a move is a zone with an order.
    fn has_order(&self, to: &Expr) -> bool {
        walk::any_expr(to, &mut |x| {
            let (ExprKind::PlaceOf(_, z, _) | ExprKind::Zone(_, z, _)) = &*x.kind else { return false };
            let zone = self.zone_ix.get(z).and_then(|z| self.p.zones.get(z.index()));
            zone.is_some_and(|z| z.ordered && !z.slot)
        })
    }

    /// Emits a call of an effect function of (me, one word each).
    pub fn call_with(&mut self, f: &mut FnBuild, func: FuncId, args: &[R]) {
        let base = f.next;
        let args: Vec<(R, u8)> = args.iter().map(|a| (*a, 1)).collect();
        f.call(func, f.me, &args, 0);
        f.next = base;
    }

    /// In turns that go on until all pass: registers of the players who have passed since somebody acted, and of whether somebody acted in this turn.
    fn pass_registers(&mut self, f: &mut FnBuild, e: &Everyone) -> Option<(R, R)> {
        e.passing.map(|_| {
            let w = self.set_words(self.p.player_universe);
            let (passed, acted) = (f.alloc(w), f.alloc(1));
            f.emit(Ins::SZero { d: passed, w });
            (passed, acted)
        })
    }
}

impl Lower<'_> {
    /// Emits a block and frees its registers.
    pub fn emit_block(&mut self, f: &mut FnBuild, b: &Block) {
        let base = f.next;
        for s in b {
            self.emit_stmt(f, s);
        }
        f.next = base;
    }

    /// Emits a statement. If a value that it needs is none, the statement ends.
    pub fn emit_stmt(&mut self, f: &mut FnBuild, s: &Stmt) {
        f.set_span(s.span);
        let skip = f.new_label();
        let outer = f.none_label.replace(skip);
        if let StmtKind::Let(l, e) = &s.kind {
            // The name stays; the registers used to compute it are freed.
            let w = self.width(&e.ty, e.span);
            let r = f.alloc(w);
            self.empty_into(f, &e.ty, e.span, r);
            let base = f.next;
            self.store(f, e, r);
            f.next = base;
            f.bind(*l, Bind::Reg(r));
            if self.may_ask_nobody(e) {
                f.maybe_players.push(*l);
            }
            if matches!(e.ty, Ty::Set(_) | Ty::List(_)) {
                f.stored_types.insert((f.env, *l), e.ty.clone());
            }
            if let Some(even_none) = self.secrecy_of(f, e) {
                f.secret_names.insert((f.env, *l), even_none);
            }
            f.place_label(skip);
            f.none_label = outer;
            return;
        }
        let base = f.next;
        self.emit_effect(f, s);
        f.next = base;
        f.place_label(skip);
        f.none_label = outer;
    }

    #[allow(clippy::too_many_lines)] // One arm a statement.
    fn emit_effect(&mut self, f: &mut FnBuild, s: &Stmt) {
        match &s.kind {
            StmtKind::Let(..) => {}
            StmtKind::Assign(lhs, change, e) => self.emit_assign(f, lhs, *change, e, s.span),
            StmtKind::If(c, a, b) => {
                // A condition that is constant in the set-up costs nothing in play.
                if let Some(k) = self.known_constant(c) {
                    self.emit_block(f, if k == 0 { b } else { a });
                    return;
                }
                let (other, end) = (f.new_label(), f.new_label());
                let r = self.required_reg(f, c);
                f.jz(r, other);
                self.emit_block(f, a);
                f.jmp(end);
                f.place_label(other);
                self.emit_block(f, b);
                f.place_label(end);
            }
            StmtKind::For(l, over, body) => self.emit_for(f, *l, over, body),
            StmtKind::Repeat(n, body) => {
                let n = self.required_reg(f, n);
                let left = f.emit_new(1, |d| Ins::Mov { d, a: n });
                let (top, end) = (f.new_label(), f.new_label());
                f.place_label(top);
                let (t, zero) = (f.alloc(1), f.load_number(0));
                f.emit(Ins::Le { d: t, a: left, b: zero });
                f.jnz(t, end);
                self.emit_block(f, body);
                f.emit(Ins::AddK { d: left, a: left, k: -1 });
                f.jmp(top);
                f.place_label(end);
            }
            StmtKind::RepeatUntil(c, body) => {
                self.p.loops.push(s.span);
                let (top, end) = (f.new_label(), f.new_label());
                f.place_label(top);
                let r = self.required_reg(f, c);
                f.jnz(r, end);
                self.emit_block(f, body);
                f.jmp(top);
                f.place_label(end);
            }
            StmtKind::Needs(g) => {
                let r = self.required_reg(f, &g.cond);
                let ok = f.new_label();
                f.jnz(r, ok);
                if f.is_setup && f.exit_label.is_none() {
                    let none = Text { parts: Vec::new(), span: g.span };
                    let t = self.make_template(f, g.reason.as_ref().unwrap_or(&none), true);
                    f.set_span(g.cond.span);
                    f.emit(Ins::Fail { t });
                } else {
                    f.leave();
                }
                f.place_label(ok);
            }
            StmtKind::MustLeave(g) => self.report_unsupported(g.span, "`must leave`"),
            StmtKind::Everyone(e) => match e.mode {
                Mode::InTurn | Mode::OneByOne => self.emit_in_turn(f, e, None),
                Mode::AtOnce | Mode::Freely => match &e.until {
                    Some(c) => {
                        let (top, end) = (f.new_label(), f.new_label());
                        f.place_label(top);
                        let base = f.next;
                        let r = self.required_reg(f, c);
                        f.jnz(r, end);
                        f.next = base;
                        self.emit_at_once(f, e, s.span);
                        f.next = base;
                        f.jmp(top);
                        f.place_label(end);
                    }
                    None => self.emit_at_once(f, e, s.span),
                },
                Mode::AnyOrder => self.emit_in_any_order(f, e, s.span, None),
            },
            StmtKind::Offer(who, menus) => self.emit_offer(f, who, menus, s.span),
            StmtKind::As(me, who, body) => {
                let r = f.alloc(1);
                let x = self.required_reg(f, who);
                f.emit(Ins::Mov { d: r, a: x });
                self.emit_block_as(f, *me, r, body);
            }
            StmtKind::May(m) => {
                let who = match &m.by {
                    Some(e) => self.required_reg(f, e),
                    None => f.me.unwrap_or(0),
                };
                let r = f.emit_new(1, |d| Ins::Mov { d, a: who });
                let prompt = m.prompt.as_ref().map_or(NO_TEMPLATE, |t| self.make_template(f, t, true));
                let decl = self.add_decl("rule", &"may".into(), s.span);
                let end = f.new_label();
                let d = f.alloc(1);
                self.ask_yes_or_no(f, (d, r), (prompt, s.span, decl), end);
                self.emit_block_as(f, m.me, r, &m.body);
                f.place_label(end);
            }
            StmtKind::Move(m) => self.emit_move(f, m),
            StmtKind::Swap(a, b) => self.emit_swap(f, a, b, s.span),
            StmtKind::Discard(x) => {
                let kinds =
                    types::kinds_of(&types::element(self.m, &x.ty).unwrap_or_else(|| types::plain(&x.ty)));
                let k = match kinds.as_slice() {
                    [] => return,
                    [k] => *k,
                    [k, ..] => self.root(*k),
                };
                let func = self.event_func(Event::Discard(k), "", 0, Job::Event(Event::Discard(k)));
                if matches!(x.ty, Ty::Set(_) | Ty::List(_)) {
                    let u = self.universe_of(&x.ty, x.span);
                    let (i, top, end) = self.begin_ordered_walk(f, x, u);
                    self.call_with(f, func, &[i]);
                    f.jmp(top);
                    f.place_label(end);
                } else {
                    let r = self.required_reg(f, x);
                    self.call_with(f, func, &[r]);
                }
                self.watch_endings(f);
            }
            StmtKind::Shuffle(zones) => {
                for z in zones {
                    let p = f.alloc(1);
                    self.place_into(f, z, p);
                    if self.attachments_around(Event::Shuffle).is_empty() {
                        f.emit(Ins::Shuffle { p });
                    } else {
                        let func = self.event_func(Event::Shuffle, "", 0, Job::Event(Event::Shuffle));
                        self.call_with(f, func, &[p]);
                    }
                }
                self.watch_endings(f);
            }
            StmtKind::Roll(x) => {
                let u = self.universe_of(&x.ty, x.span);
                let set = self.set_reg(f, x, u);
                let who = self.roller(f);
                let kind =
                    types::kinds_of(&types::element(self.m, &x.ty).unwrap_or_else(|| types::plain(&x.ty)))
                        .first()
                        .copied()
                        .filter(|k| !self.attachments_around(Event::Roll(*k)).is_empty());
                let (i, top, end) = self.begin_walk(f, set, u);
                match kind {
                    Some(k) => {
                        let func = self.event_func(Event::Roll(k), "", 0, Job::Event(Event::Roll(k)));
                        self.call_with(f, func, &[i]);
                    }
                    None => f.emit(Ins::RollDie { c: i, who, u: u.0 as u8 }),
                }
                f.jmp(top);
                f.place_label(end);
                self.watch_endings(f);
            }
            StmtKind::Flip(x, up) => {
                let u = self.universe_of(&x.ty, x.span);
                let set = self.set_reg(f, x, u);
                let a = f.load_number(match up {
                    None => NONE,
                    Some(up) => i64::from(*up),
                });
                let (i, top, end) = self.begin_walk(f, set, u);
                f.emit(Ins::Flip { c: i, a, u: u.0 as u8 });
                f.jmp(top);
                f.place_label(end);
                self.watch_endings(f);
            }
            StmtKind::Show(x, to) => {
                let u = self.universe_of(&x.ty, x.span);
                let set = self.required_set_reg(f, x, u);
                let players = self.p.player_universe;
                let t = match to {
                    Some(t) => self.required_set_reg(f, t, players),
                    None => f.emit_new(1, |d| Ins::SAll { d, u: players.0 as u8 }),
                };
                f.emit(Ins::Show { s: set, t, u: u.0 as u8 });
                self.watch_endings(f);
            }
            StmtKind::Becomes(x, face) => {
                let u = self.universe_of(&x.ty, x.span);
                let c = self.required_reg(f, x);
                let r = self.required_reg(f, face);
                f.emit(Ins::Become { c, f: r, u: u.0 as u8 });
                self.begin_attributes(f, x, c, r);
                self.watch_endings(f);
            }
            StmtKind::Build(map) => {
                if self.picture(*map).is_some() {
                    let func = self.build_func(*map);
                    let at = f.load_number(NONE);
                    f.emit(Ins::Call { at, f: func });
                    self.watch_endings(f);
                }
            }
            StmtKind::Until(until, body) => {
                let (scope, a) = match until {
                    Until::EndOfTurn => (LeaseScope::Turn, 0),
                    Until::EndOfRound => (LeaseScope::Round, 0),
                    Until::EndOfNextRound => (LeaseScope::NextRound, 0),
                    Until::EndOfPhase => (LeaseScope::Phase, 0),
                    Until::EndOf(r) => {
                        let k = self.phase_ix.get(r).map_or(0, |p| i64::from(p.0));
                        (LeaseScope::PhaseNamed, f.load_number(k))
                    }
                    Until::EndOfGame => (LeaseScope::Game, 0),
                    Until::StartOfTurn(p) => (LeaseScope::StartOfTurn, self.required_reg(f, p)),
                };
                f.emit(Ins::LeaseOpen { scope, a });
                self.emit_block(f, body);
                f.emit(Ins::LeaseClose);
                self.watch_endings(f);
            }
            StmtKind::Attach(a) => self.attach_layer(f, a),
            StmtKind::Give(e) => {
                if let Some(r) = f.result {
                    self.store(f, e, r);
                }
                f.leave();
            }
            StmtKind::Stop => f.leave(),
            StmtKind::Proceed(changes) => self.emit_proceed(f, changes, s.span),
            StmtKind::Say(_) if f.is_trial => {}
            StmtKind::Say(t) => {
                let t = self.make_template(f, t, true);
                f.resume_span(s.span);
                f.emit(Ins::Say { t });
            }
            StmtKind::Verdict(v, who, text) => self.emit_verdict(f, *v, who.as_ref(), text.as_ref()),
            StmtKind::Call(r, by, args) if self.inline_rule(f, *r, by.as_ref(), args) => {}
            StmtKind::Call(r, by, args) => {
                self.emit_rule_call(f, *r, by.as_ref(), args, s.span);
            }
            StmtKind::CallHook(..) => self.report_unsupported(s.span, "hooks that call rules"),
        }
    }

    /// Emits a block in which another player is `me`.
    pub fn emit_block_as(&mut self, f: &mut FnBuild, me: LocalId, r: R, body: &Block) {
        let outer = f.me.replace(r);
        f.bind(me, Bind::Reg(r));
        self.emit_block(f, body);
        f.me = outer;
    }

    fn emit_assign(&mut self, f: &mut FnBuild, lhs: &Lhs, change: Change, e: &Expr, span: Span) {
        match lhs {
            Lhs::Local(l) => {
                let Some(Bind::Reg(r)) = self.binding_of(f, *l) else {
                    self.report_unsupported(span, "changing this name");
                    return;
                };
                if let Some(ty) = f.stored_types.get(&(f.env, *l)).cloned() {
                    self.change_list(f, &ty, change, e, r);
                    return;
                }
                let a = self.new_value_into(f, change, e, true, |f, d| f.emit(Ins::Mov { d, a: r }));
                f.emit(Ins::Mov { d: r, a });
            }
            Lhs::Attr(x, attr) => {
                let maybe = self.may_be_none(*attr);
                let Some(Home::Cell(attr)) = self.homes.get(attr).copied() else {
                    self.report_unsupported(span, "changing this attribute");
                    return;
                };
                let t = self.required_reg(f, x);
                let a =
                    self.new_value_into(f, change, e, maybe, |f, d| f.emit(Ins::LdAttr { d, e: t, attr }));
                f.emit(Ins::StAttr { e: t, a, attr });
            }
            Lhs::TableAttr(attr) => {
                let maybe = self.may_be_none(*attr);
                let Some(Home::Cell(attr)) = self.homes.get(attr).copied() else {
                    self.report_unsupported(span, "changing this attribute");
                    return;
                };
                let a = self.new_value_into(f, change, e, maybe, |f, d| f.emit(Ins::LdGlobal { d, attr }));
                f.emit(Ins::StGlobal { a, attr });
            }
            Lhs::DieValue(x) => {
                let c = self.required_reg(f, x);
                let shown = f.alloc(1);
                if change != Change::Set && !self.shown_into(f, x, shown) {
                    self.report_unsupported(span, "turning something that is not a die");
                    return;
                }
                let a = self.new_value_into(f, change, e, false, |f, d| f.emit(Ins::Mov { d, a: shown }));
                if !self.turn_die_to(f, x, c, a) {
                    self.report_unsupported(span, "turning something that is not a die");
                }
            }
        }
        self.watch_endings(f);
    }

    /// Emits the new value of a change. Unless it may be none (`maybe`), none ends the statement.
    fn new_value_into(
        &mut self,
        f: &mut FnBuild,
        change: Change,
        e: &Expr,
        maybe: bool,
        load: impl Fn(&mut FnBuild, R),
    ) -> R {
        match change {
            Change::Set if maybe => self.expr_reg(f, e),
            Change::Set => self.required_reg(f, e),
            _ => {
                let d = f.alloc(1);
                load(f, d);
                let b = self.required_reg(f, e);
                f.emit(match change {
                    Change::Add => Ins::Add { d, a: d, b },
                    Change::Sub => Ins::Sub { d, a: d, b },
                    Change::AtLeast => Ins::Max { d, a: d, b },
                    _ => Ins::Min { d, a: d, b },
                });
                d
            }
        }
    }

    fn emit_for(&mut self, f: &mut FnBuild, l: LocalId, over: &Expr, body: &Block) {
        if self.loop_over_numbers(f, l, over, body) {
            return;
        }
        let u = self.uni_of(over);
        let w = self.set_words(u);
        // One write for the whole set, if all get the same value.
        if let [one] = body.as_slice()
            && let StmtKind::Assign(Lhs::Attr(x, attr), Change::Set, e) = &one.kind
            && matches!(&*x.kind, ExprKind::Local(y) if *y == l)
            && !crate::analysis::expr_forms::mentions(e, l)
            && self.opts.lift
            && is_simple(e)
            && !self.has_own_order(f, over)
            && let maybe = self.may_be_none(*attr)
            && let Some(Home::Cell(attr)) = self.homes.get(attr).copied()
        {
            let s = f.alloc(w);
            self.set_into(f, over, u, s);
            let a = if maybe { self.expr_reg(f, e) } else { self.required_reg(f, e) };
            f.emit(Ins::StMany { s, a, attr });
            self.watch_endings(f);
            return;
        }
        let (i, top, end) = self.begin_ordered_walk(f, over, u);
        let x = f.emit_new(1, |d| Ins::AddK { d, a: i, k: self.least_of(u) });
        f.bind(l, Bind::Reg(x));
        self.emit_block(f, body);
        f.jmp(top);
        f.place_label(end);
    }

    fn emit_move(&mut self, f: &mut FnBuild, m: &Move) {
        let u = self.universe_of(&m.what.ty, m.what.span);
        if u == self.p.player_universe {
            self.emit_stand(f, m);
            return;
        }
        let mut how = MoveHow(0);
        if m.under {
            how.0 |= MoveHow::UNDER.0;
        }
        match m.face {
            Some(true) => how.0 |= MoveHow::UP.0,
            Some(false) => how.0 |= MoveHow::DOWN.0,
            None => {}
        }
        if matches!(m.what.ty, Ty::Set(_) | Ty::List(_)) {
            let packet = self.has_order(&m.to) && self.has_own_order(f, &m.what);
            let s = match packet {
                true => f.alloc(self.list_words(u)),
                false => self.set_reg(f, &m.what, u),
            };
            if packet {
                self.list_into(f, &m.what, u, s);
            }
            let p = f.alloc(1);
            self.set_box_kind(&m.what);
            self.place_into(f, &m.to, p);
            self.box_kind = None;
            if packet {
                // They keep their order: on top, the last one is put first.
                let w = self.set_words(u);
                let moved = f.emit_new(w, |d| Ins::LSet { d, l: s, w });
                self.end_stays(f, u, moved, p);
                if !m.under {
                    f.emit(Ins::LReverse { d: s });
                }
                f.emit(Ins::MoveList { l: s, p, u: u.0 as u8, how });
            } else {
                self.end_stays(f, u, s, p);
                f.emit(Ins::MoveSet { s, p, u: u.0 as u8, how });
            }
        } else {
            let c = self.required_reg(f, &m.what);
            let p = f.alloc(1);
            self.set_box_kind(&m.what);
            self.place_into(f, &m.to, p);
            self.box_kind = None;
            self.end_stay(f, u, c, p);
            f.emit(Ins::Move { c, p, u: u.0 as u8, how });
        }
        self.watch_endings(f);
    }

    /// Moves players to a space: sets their `at`.
    fn emit_stand(&mut self, f: &mut FnBuild, m: &Move) {
        let Some(attr) = self.p.standing else { return };
        let many = matches!(m.what.ty, Ty::Set(_) | Ty::List(_));
        let players = self.p.player_universe;
        let who = if many { self.set_reg(f, &m.what, players) } else { self.required_reg(f, &m.what) };
        let a = f.alloc(1);
        self.stand_into(f, &m.to, a);
        f.emit(if many { Ins::StMany { s: who, a, attr } } else { Ins::StAttr { e: who, a, attr } });
        self.watch_endings(f);
    }

    /// Emits the space on which a player will stand; the box is none.
    fn stand_into(&mut self, f: &mut FnBuild, to: &Expr, d: R) {
        match &*to.kind {
            ExprKind::Box(_) => f.emit(Ins::Li { d, k: NONE as i32 }),
            ExprKind::If(c, a, b) => self.emit_if(f, c, [a, b], |s, f, x| s.stand_into(f, x, d)),
            _ => {
                self.expr_into(f, to, d);
                self.require_into(f, to, d);
            }
        }
    }

    /// Sets the kind whose box `box` means from here on.
    pub fn set_box_kind(&mut self, what: &Expr) {
        let element = types::element(self.m, &what.ty).unwrap_or_else(|| types::plain(&what.ty));
        self.box_kind = types::kinds_of(&element).first().copied();
    }

    fn emit_swap(&mut self, f: &mut FnBuild, a: &Expr, b: &Expr, span: Span) {
        let place = |e: &Expr| matches!(&*e.kind, ExprKind::PlaceOf(..) | ExprKind::Zone(..));
        if place(a) && place(b) {
            let (p, q) = (f.alloc(1), f.alloc(1));
            self.place_into(f, a, p);
            self.place_into(f, b, q);
            let stays = self.p.attrs.iter().filter(|a| a.per == Some(Per::Stay)).filter_map(|a| a.of);
            let stays: BTreeSet<_> = stays.collect();
            for (from, to) in [(p, q), (q, p)] {
                for &u in &stays {
                    let s = f.emit_new(self.set_words(u), |d| Ins::Members { d, p: from, u: u.0 as u8 });
                    self.end_stays(f, u, s, to);
                }
            }
            f.emit(Ins::SwapPlaces { p, q });
        } else if matches!(types::plain(&a.ty), Ty::Of(_) | Ty::AnyOf(_)) {
            let u = self.universe_of(&a.ty, a.span);
            let (x, y) = (self.required_reg(f, a), self.required_reg(f, b));
            let (p, q) = (f.alloc(1), f.alloc(1));
            f.emit(Ins::LdPlace { d: p, c: x, u: u.0 as u8 });
            f.emit(Ins::LdPlace { d: q, c: y, u: u.0 as u8 });
            self.end_stay(f, u, x, q);
            self.end_stay(f, u, y, p);
            f.emit(Ins::SwapThings { a: x, b: y, u: u.0 as u8 });
        } else {
            self.report_unsupported(span, "swapping these");
        }
        self.watch_endings(f);
    }

    /// Emits a call of a rule; returns the register of its result.
    pub fn emit_rule_call(
        &mut self,
        f: &mut FnBuild,
        r: RuleId,
        by: Option<&Expr>,
        args: &[Expr],
        span: Span,
    ) -> Option<R> {
        f.set_span(span);
        let rule = self.m.rules.get(r.index())?.clone();
        let func = self.event_func(Event::Rule(r), "", 0, Job::Event(Event::Rule(r)));
        let results = if rule.gives == Ty::Nothing { 0 } else { self.width(&rule.gives, span) };
        // The window must be last: arguments are evaluated before it is allocated.
        let mut regs = Vec::new();
        let by = by.map(|p| self.required_reg(f, p));
        for (i, a) in args.iter().enumerate() {
            let w = self.width(&a.ty, a.span);
            let r = f.alloc(w);
            self.store(f, a, r);
            if !rule.body.locals.get(i).is_some_and(|l| types::is_maybe(&l.ty)) {
                self.require_into(f, a, r);
            }
            regs.push((r, w));
        }
        Some(f.call(func, by.or(f.me), &regs, results))
    }

    fn emit_proceed(&mut self, f: &mut FnBuild, changes: &[(usize, Expr)], span: Span) {
        let Some((func, params, results)) = f.proceed.clone() else {
            self.report_unsupported(span, "`proceed` here");
            return;
        };
        let mut regs = Vec::new();
        for (i, (r, w)) in params.iter().enumerate() {
            match changes.iter().find(|(k, _)| *k == i) {
                Some((_, e)) => {
                    let d = f.alloc(*w);
                    self.store(f, e, d);
                    regs.push((d, *w));
                }
                None => regs.push((*r, *w)),
            }
        }
        // The acting player goes on acting, whoever was asked by an attachment.
        let at = f.call(func, Some(0), &regs, results);
        if let (Some(r), true) = (f.result, results > 0) {
            f.emit(Ins::MovN { d: r, a: at, n: results });
        }
    }

    /// Emits `everyone in turn` and `everyone one by one`; in the rounds, `round` is the label behind them.
    pub fn emit_in_turn(&mut self, f: &mut FnBuild, e: &Everyone, round: Option<Label>) {
        let players = self.p.player_universe;
        let n = self.set.players as i32;
        let p = f.emit_new(1, |d| Ins::Li { d, k: 0 });
        // A list of players, if the order is not simply clockwise or anticlockwise.
        let row = (!turn_order::is_round_the_table(&e.who) && self.has_own_order(f, &e.who))
            .then(|| self.make_row(f, &e.who));
        let way = (row.is_none() && turn_order::may_go_back(&e.who)).then(|| f.load_number(1));
        if row.is_none() {
            self.find_first_player(f, &e.who, way, p);
        }
        if let Some(x) = &e.from {
            let r = self.required_reg(f, x);
            match row {
                Some(row) => self.begin_row(f, row, r),
                None => f.emit(Ins::Mov { d: p, a: r }),
            }
        }
        let all = matches!(&*e.who.kind, ExprKind::Builtin(Builtin::Players, _)) && self.set.all_play();
        // Whoever comes to a list after it was made has no place in it.
        let listed = (row.is_none() && turn_order::may_grow(&e.who)).then(|| {
            let d = f.alloc(1);
            self.set_into(f, &e.who, players, d);
            d
        });
        let count = f.load_number(0);
        let passing = self.pass_registers(f, e);
        let (top, next, end) = (f.new_label(), f.new_label(), f.new_label());
        f.place_label(top);
        let base = f.next;
        self.judge_until(f, e, passing, end);
        if let Some(row) = row {
            f.emit(Ins::LGet { d: p, l: row.list, i: row.at });
            f.jnone(p, end);
        }
        if !all {
            // The set of players is evaluated before each turn.
            let s = self.set_reg(f, &e.who, players);
            let t = f.emit_new(1, |d| Ins::STest { d, s, i: p, w: 1 });
            f.jz(t, next);
            if let Some(s) = listed {
                f.emit(Ins::STest { d: t, s, i: p, w: 1 });
                f.jz(t, next);
            }
            f.next = base;
        }
        if let (Some((passed, _)), Some(Passing::AllButOne)) = (passing, e.passing) {
            let t = f.emit_new(1, |d| Ins::STest { d, s: passed, i: p, w: 1 });
            f.jnz(t, next);
            f.next = base;
        }
        if self.has_out_rule() {
            if e.until.is_some() {
                // The turns end when all players are out.
                let s = self.set_reg(f, &e.who, players);
                let (left, t) = (self.remove_out(f, s), f.alloc(1));
                f.emit(Ins::SAny { d: t, s: left, w: 1 });
                f.jz(t, end);
                f.next = base;
            }
            self.jump_if_out(f, p, next);
        }
        let turns = e.mode == Mode::InTurn;
        if turns {
            self.judge_ends(f, Some(p), round);
            f.emit(Ins::TurnBegin { p });
            self.watch_endings_by_time(f);
        }
        let me = f.emit_new(1, |d| Ins::Mov { d, a: p });
        self.emit_turn_body(f, e, me, passing);
        if turns {
            f.emit(Ins::TurnEnd);
            self.watch_endings_by_time(f);
        }
        self.break_if_left(f, end);
        f.place_label(next);
        f.next = base;
        match (row, way) {
            (Some(row), _) => self.advance_row(f, row),
            (None, Some(way)) => {
                f.emit(Ins::Add { d: p, a: p, b: way });
                f.emit(Ins::AddK { d: p, a: p, k: n });
            }
            (None, None) => f.emit(Ins::AddK { d: p, a: p, k: 1 }),
        }
        if row.is_none() {
            f.emit(Ins::ModK { d: p, a: p, k: n });
        }
        if e.until.is_none() && passing.is_none() {
            f.emit(Ins::AddK { d: count, a: count, k: 1 });
            let t = f.alloc(1);
            match row {
                Some(row) => f.emit(Ins::Eq { d: t, a: count, b: row.len }),
                None => f.emit(Ins::EqK { d: t, a: count, k: n }),
            }
            f.jz(t, top);
        } else {
            f.jmp(top);
        }
        f.place_label(end);
    }

    /// Jumps if a phase is being left by `end PHASE`.
    pub fn break_if_left(&mut self, f: &mut FnBuild, out: Label) {
        let Some(a) = self.m.leaving else { return };
        let base = f.next;
        let span = self.m.attrs[a.index()].span;
        let r = self.expr_reg(f, &build::expr(Ty::Int(0, i32::MAX), span, ExprKind::TableAttr(a)));
        f.jnz(r, out);
        f.next = base;
    }

    /// Evaluates the conditions that end the turns, before each turn; jumps to `end`.
    fn judge_until(&mut self, f: &mut FnBuild, e: &Everyone, passing: Option<(R, R)>, end: Label) {
        let base = f.next;
        if let Some(c) = &e.until {
            let r = self.required_reg(f, c);
            f.jnz(r, end);
        }
        if let Some((passed, _)) = passing {
            let players = self.p.player_universe;
            let w = self.set_words(players);
            let s = self.set_reg(f, &e.who, players);
            let s = self.remove_out(f, s);
            let (left, t) = (f.alloc(w), f.alloc(1));
            f.emit(Ins::SAndNot { d: left, a: s, b: passed, w });
            if e.passing == Some(Passing::AllButOne) {
                let one = f.load_number(1);
                f.emit(Ins::SCount { d: t, s: left, w });
                f.emit(Ins::Le { d: t, a: t, b: one });
                f.jnz(t, end);
            } else {
                f.emit(Ins::SAny { d: t, s: left, w });
                f.jz(t, end);
            }
        }
        f.next = base;
    }

    /// Emits what each player does in a turn; records whether it was a pass.
    fn emit_turn_body(&mut self, f: &mut FnBuild, e: &Everyone, me: R, passing: Option<(R, R)>) {
        let outer = std::mem::replace(&mut f.acted, passing.map(|(_, acted)| acted));
        if let Some((_, acted)) = passing {
            f.emit(Ins::Li { d: acted, k: 0 });
        }
        let end = f.new_label();
        let outer_exit = f.exit_label.replace(end);
        self.emit_block_as(f, e.me, me, &e.body);
        f.place_label(end);
        f.exit_label = outer_exit;
        f.acted = None;
        self.emit_block_as(f, e.me, me, &e.then);
        f.acted = outer;
        if let Some((passed, acted)) = passing {
            let w = self.set_words(self.p.player_universe);
            let (pass, out) = (f.new_label(), f.new_label());
            f.jz(acted, pass);
            if e.passing == Some(Passing::All) {
                f.emit(Ins::SZero { d: passed, w });
            }
            f.jmp(out);
            f.place_label(pass);
            f.emit(Ins::SIns { d: passed, i: me, w });
            f.place_label(out);
        }
    }

    /// Emits `everyone in any order`: the table says who of those left is next; `round` as in [`Lower::emit_in_turn`].
    pub fn emit_in_any_order(&mut self, f: &mut FnBuild, e: &Everyone, span: Span, round: Option<Label>) {
        let players = self.p.player_universe;
        let w = self.set_words(players);
        let (p, acted, left) = (f.alloc(1), f.alloc(w), f.alloc(w));
        f.emit(Ins::SZero { d: acted, w });
        let passing = self.pass_registers(f, e);
        let (top, some, end) = (f.new_label(), f.new_label(), f.new_label());
        f.place_label(top);
        let base = f.next;
        self.judge_until(f, e, passing, end);
        // The set of players is evaluated before each turn.
        let s = self.set_reg(f, &e.who, players);
        let mut s = self.remove_out(f, s);
        if let (Some((passed, _)), Some(Passing::AllButOne)) = (passing, e.passing) {
            s = f.emit_new(w, |d| Ins::SAndNot { d, a: s, b: passed, w });
        }
        f.emit(Ins::SAndNot { d: left, a: s, b: acted, w });
        let t = f.emit_new(1, |d| Ins::SAny { d, s: left, w });
        f.jnz(t, some);
        if e.until.is_some() || passing.is_some() {
            // All have acted: begins again, if there are any players.
            f.emit(Ins::SZero { d: acted, w });
            f.emit(Ins::SAny { d: t, s, w });
            f.jnz(t, top);
        }
        f.jmp(end);
        f.place_label(some);
        f.next = base;
        self.judge_ends(f, None, round);
        let parts = vec![TextPart::Literal("Who is next?".into())];
        let prompt = self.make_template(f, &Text { parts, span }, true);
        let decl = self.add_decl("rule", &"everyone".into(), span);
        let always = self.secrecy_of(f, &e.who).is_some();
        let slot = AskSlot::new(players, prompt, span, decl);
        let ask = self.add_ask(AskSlot { always, anybody: true, ..slot });
        self.emit_notice(f);
        f.emit(Ins::Ask { d: p, s: left, who: left, ask });
        f.emit(Ins::SIns { d: acted, i: p, w });
        self.judge_ends_again(f, p, round);
        f.emit(Ins::TurnBegin { p });
        self.watch_endings_by_time(f);
        let me = f.emit_new(1, |d| Ins::Mov { d, a: p });
        self.emit_turn_body(f, e, me, passing);
        f.emit(Ins::TurnEnd);
        self.watch_endings_by_time(f);
        self.break_if_left(f, end);
        f.next = base;
        f.jmp(top);
        f.place_label(end);
    }

    fn emit_at_once(&mut self, f: &mut FnBuild, e: &Everyone, span: Span) {
        // The body becomes a function: outer names that it uses are captured.
        let mut names: Vec<(LocalId, Ty)> = Vec::new();
        let known: Vec<LocalId> = f.envs.get(f.env).map(|m| m.keys().copied().collect()).unwrap_or_default();
        let mut seen = |x: &Expr| {
            if let ExprKind::Local(l) = &*x.kind
                && known.contains(l)
                && *l != e.me
                && !names.iter().any(|(n, _)| n == l)
            {
                names.push((*l, x.ty.clone()));
            }
        };
        walk::visit_block_exprs(&e.body, &mut seen);
        walk::visit_stmts(&e.body, &mut |s| {
            if let StmtKind::Attach(a) = &s.kind {
                walk::visit_attachment_exprs(a, &mut seen);
                if let Some(l) = a.maker {
                    seen(&build::expr(types::player(), span, ExprKind::Local(l)));
                }
            }
        });
        names.sort_by_key(|(l, _)| *l);
        let mut words = 0u8;
        for (_, ty) in &names {
            words = words.saturating_add(self.width(ty, span));
        }
        if words > 100 {
            self.report_unsupported(span, "so many names from outside, used while everyone acts");
            return;
        }
        let at = f.alloc(words.max(1));
        let mut r = at;
        for (l, ty) in &names {
            let w = self.width(ty, span);
            if let Some(Bind::Reg(a)) = self.binding_of(f, *l) {
                f.emit(Ins::MovN { d: r, a, n: w });
            }
            r += w;
        }
        let players = self.p.player_universe;
        let n = self.set.players as u8;
        let s = self.set_reg(f, &e.who, players);
        let s = self.remove_out(f, s);
        // In seat order.
        let list = f.emit_new(1 + n.div_ceil(4), |d| Ins::Li { d, k: 0 });
        let (i, top, end) = f.begin_loop(s, 1);
        f.emit(Ins::LPush { l: list, a: i, cap: u16::from(n) });
        f.jmp(top);
        f.place_label(end);
        let index = self.captured.len();
        self.captured.push(Captured { me: e.me, body: e.body.clone(), names });
        let decl = self.add_decl("rule", &"everyone".into(), span);
        let func = self.func(
            format!("everyone {index}"),
            "everyone",
            false,
            1 + words,
            0,
            decl,
            Job::Everyone(index),
        );
        f.emit(Ins::Fork { l: list, at, n: words, f: func, freely: e.mode == Mode::Freely });
    }
}

/// Whether an expression reads nothing that the writes of a loop could change.
fn is_simple(e: &Expr) -> bool {
    matches!(
        &*e.kind,
        ExprKind::Local(_) | ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::None | ExprKind::Member(_)
    )
}
