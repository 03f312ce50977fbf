//! Weaves attachments around events: `forbid` first, then `instead of` from the newest to the oldest, then `before`, the event itself, and `after`.
use crate::analysis::attached::Attached;
use crate::fn_builder::{Bind, FnBuild, Label};
use crate::ir::*;
use crate::layout::tables::{Layout, Tables};
use crate::lower::attachments::Age;
use crate::lower::{Event, Job, Lower};
use houserule_model::body::walk;
use houserule_model::hir::*;
use houserule_text::Span;

/// The result of evaluating an attachment on entering an event.
enum Judged {
    /// An attachment without a carrier: a register says whether it applies.
    One { flag: R },
    /// Lists of carriers and of their owners (nobody is one more than the last player); and, if arrivals count, who was a carrier on entering.
    Many { carriers: R, owners: R, was: Option<R>, cap: u16 },
    /// An attachment of layers: layers younger than `since` do not count. With a condition, a list of those that apply (the low 16 bits of their numbers).
    Layers { since: R, list: Option<R> },
}

/// The most layers of one attachment that can be evaluated at a time; more are a fault.
const MOST_LAYERS: u16 = 60;

impl Layout<'_> {
    /// The values that patterns match: the event's parameters, without those of an action's menu.
    fn pattern_values(&self, e: Event, params: &[(R, u8)]) -> Vec<Bind> {
        let own = match e {
            Event::Action(a) => self.m.actions.get(a.index()).map_or(0, |a| a.params.len()),
            _ => params.len(),
        };
        params[params.len().saturating_sub(own)..].iter().map(|(r, _)| Bind::Reg(*r)).collect()
    }

    /// In a layer's block, binds `me` to the player who made the layer.
    fn bind_maker(&self, f: &mut FnBuild, a: &Attachment) {
        if let Some(Bind::Reg(r)) = a.maker.and_then(|l| self.binding_of(f, l)) {
            f.me = Some(r);
        }
    }
}

impl<'m> Tables<'m> {
    fn kinds_of_event(&self, e: Event) -> (Vec<Attached<'m>>, Vec<Attached<'m>>, bool) {
        let all = self.attachments_around(e);
        let insteads =
            all.iter().filter(|(a, _)| matches!(a.what, AttachKind::Instead(_))).copied().collect();
        let forbids = all.iter().filter(|(a, _)| matches!(a.what, AttachKind::Forbid(_))).copied().collect();
        let others = all.iter().any(|(a, _)| matches!(a.what, AttachKind::Before(_) | AttachKind::After(_)));
        (insteads, forbids, others)
    }

    /// Emits the result of an event that does not happen.
    pub fn give_nothing(&mut self, f: &mut FnBuild, e: Event, d: R, results: u8) {
        let set = match e {
            Event::Rule(r) => {
                self.m.rules.get(r.index()).is_some_and(|r| matches!(r.gives, Ty::Set(_) | Ty::List(_)))
            }
            _ => false,
        };
        if results > 1 || (set && results == 1) {
            f.emit(Ins::SZero { d, w: results });
        } else if results == 1 {
            f.emit(Ins::Li { d, k: NONE as i32 });
        }
    }

    fn begin_event_func(&mut self, e: Event) -> (FnBuild, Vec<(R, u8)>, u8) {
        let mut f = FnBuild::new(true);
        let me = f.alloc(1);
        f.me = Some(me);
        let (types, results, _, _) = self.event_signature(e);
        let params = self.alloc_parameters(&mut f, &types);
        (f, params, results)
    }

    /// Emits a call with the same arguments (and more after them); the results stay in registers 0...
    fn forward_call(
        &mut self,
        f: &mut FnBuild,
        func: FuncId,
        params: &[(R, u8)],
        results: u8,
        more: impl FnOnce(&mut FnBuild, R) -> u8,
    ) {
        let words: u8 = params.iter().map(|(_, w)| w).sum();
        let at = f.emit_new((1 + words).max(results).max(1), |d| Ins::MovN { d, a: 0, n: 1 + words });
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

    fn mark_used(&mut self, f: &mut FnBuild, a: &Attachment, used: AttrIx) {
        let one = f.load_number(1);
        match a.this.and_then(|l| self.binding_of(f, l)) {
            Some(Bind::Reg(e)) => f.emit(Ins::StAttr { e, a: one, attr: used }),
            _ => f.emit(Ins::StGlobal { a: one, attr: used }),
        }
    }

    /// When an attribute is reset. A phase that this set-up does not have never begins.
    pub fn reset_time(&self, word: Option<&str>) -> Option<Per> {
        Some(match word? {
            "turn" => Per::Turn,
            "round" => Per::Round,
            "phase" => Per::AnyPhase,
            name => match self.p.phases.iter().position(|p| &*p.name == name) {
                Some(phase) => Per::Phase(PhaseIx(phase as u16)),
                None => return (name == "stay").then_some(Per::Stay),
            },
        })
    }

    /// Adds an attribute of the table or of things that no player sees; its values begin at 0.
    pub fn add_hidden_attribute(
        &mut self,
        name: &str,
        of: Option<UniverseId>,
        (hi, show): (i32, Show),
        per: Option<Per>,
        decl: DeclIx,
    ) -> AttrIx {
        let n = of.map_or(1, |u| self.things_in(u));
        let cell = self.alloc_cells(n);
        self.p.attrs.push(AttrSlot {
            name: name.into(),
            of,
            cell,
            lo: 0,
            hi,
            maybe: false,
            clamped: false,
            show,
            planes: None,
            initial: vec![0; n as usize],
            own: Vec::new(),
            per,
            seen: SeenBy::Nobody,
            back: false,
            decl,
        });
        AttrIx(self.p.attrs.len() as u16 - 1)
    }

    /// The attribute that records whether an attachment or an action has been used in its scope: of the carrier, or of the table.
    pub fn used_attr(&mut self, decl: DeclIx, of: Option<KindId>, once: &Once, span: Span) -> AttrIx {
        if let Some(i) = self.p.attrs.iter().position(|x| x.decl == decl && &*x.name == "used") {
            return AttrIx(i as u16);
        }
        let of = of.map(|k| self.universe_of(&Ty::Of(k), span));
        let per = self.reset_time(once.per.as_deref());
        let ix = self.add_hidden_attribute("used", of, (1, Show::Truth), per, decl);
        // Two equal cards differ if one of them has been used.
        if let Some(c) = of.and_then(|u| self.p.comps.iter_mut().find(|c| c.universe == u)) {
            c.attrs.push(ix);
        }
        ix
    }
}

impl<'m> Lower<'m> {
    /// The function of the event inside its replacements.
    fn core_func(&mut self, e: Event) -> FuncId {
        let (_, _, others) = self.kinds_of_event(e);
        if others {
            self.event_func(e, "core", 0, Job::Core(e))
        } else {
            self.event_func(e, "body", 0, Job::Body(e))
        }
    }

    /// Makes the function of an event with all its attachments.
    pub fn make_event(&mut self, e: Event) -> FnBuild {
        let (insteads, forbids, others) = self.kinds_of_event(e);
        if insteads.is_empty() && !others && (forbids.is_empty() || matches!(e, Event::Action(_))) {
            return self.make_body(e);
        }
        let (mut f, params, results) = self.begin_event_func(e);
        // The `forbid`s of an action are among its guards.
        if !matches!(e, Event::Action(_)) {
            let binds = self.pattern_values(e, &params);
            for x in forbids {
                let base = f.next;
                let go = f.new_label();
                let yes = f.new_label();
                self.jump_if_forbidden(&mut f, x, &binds, yes);
                f.jmp(go);
                f.place_label(yes);
                self.give_nothing(&mut f, e, 0, results);
                f.emit(Ins::Ret);
                f.place_label(go);
                f.next = base;
            }
        }
        if insteads.is_empty() {
            let func = self.core_func(e);
            self.forward_call(&mut f, func, &params, results, |_, _| 0);
        } else {
            let func = self.event_func(e, "instead", 2, Job::Instead(e));
            self.forward_call(&mut f, func, &params, results, |f, at| {
                // All replacements are older than this.
                f.emit(Ins::Li { d: at, k: i32::MAX });
                f.emit(Ins::Li { d: at + 1, k: i32::MAX });
                2
            });
        }
        f
    }

    /// Jumps to `yes` if a `forbid` applies.
    pub fn jump_if_forbidden(&mut self, f: &mut FnBuild, x: Attached<'m>, binds: &[Bind], yes: Label) {
        self.jump_if_forbidden_with(f, x, binds, yes, None);
    }

    /// The same; before the jump it puts the value of a name of the `forbid` into a register.
    fn jump_if_forbidden_with(
        &mut self,
        f: &mut FnBuild,
        (a, h): Attached<'m>,
        binds: &[Bind],
        yes: Label,
        held: Option<(LocalId, R)>,
    ) {
        let base = f.next;
        let env = self.attachment_env(f, a, h, binds, Some(0));
        let outer = std::mem::replace(&mut f.env, env);
        let end = f.new_label();
        let again = self.begin_instances(f, a);
        let not = again.map_or(end, |(_, top, _)| top);
        if let Some(c) = self.applies_condition(a, h) {
            let c = self.expr_reg(f, &c);
            f.jz(c, not);
        }
        if let Some((l, d)) = held
            && let Some(Bind::Reg(a)) = self.binding_of(f, l)
        {
            f.emit(Ins::Mov { d, a });
        }
        f.jmp(yes);
        if let Some((_, _, out)) = again {
            f.place_label(out);
        }
        f.place_label(end);
        f.env = outer;
        f.next = base;
    }

    /// Makes a pure function of `me` and the first arguments of the event, with these types: whether this `forbid` applies. With `name`: the value of that name in the first one
    /// that applies.
    pub fn forbids_func(&mut self, types: &[(Ty, Span)], x: Attached<'m>, name: Option<LocalId>) -> FuncId {
        let words: u8 = types.iter().map(|(t, s)| self.width(t, *s)).sum();
        let decl = self.attachment_decl(x.0);
        let func = self.new_func("forbid", true, 1 + words, 1, decl);
        let mut f = FnBuild::new(false);
        let me = f.alloc(1);
        f.me = Some(me);
        let params = self.alloc_parameters(&mut f, types);
        let binds: Vec<Bind> = params.iter().map(|(r, _)| Bind::Reg(*r)).collect();
        let (yes, end) = (f.new_label(), f.new_label());
        let d = f.load_number(0);
        let held = name.map(|l| (l, d));
        self.jump_if_forbidden_with(&mut f, x, &binds, yes, held);
        f.emit(Ins::Li { d, k: if name.is_some() { NONE as i32 } else { 0 } });
        f.jmp(end);
        f.place_label(yes);
        if name.is_none() {
            f.emit(Ins::Li { d, k: 1 });
        }
        f.place_label(end);
        f.emit(Ins::Mov { d: 0, a: d });
        self.finish_func(func, f);
        func
    }

    /// Makes the function of replacements: the newest one that is in force and older than the last one taken runs its block; if there is none, the event happens.
    pub fn make_instead(&mut self, e: Event) -> FnBuild {
        let (insteads, _, _) = self.kinds_of_event(e);
        let (mut f, params, results) = self.begin_event_func(e);
        let last = Age { age: f.alloc(1), place: f.alloc(1) };
        let binds = self.pattern_values(e, &params);
        let me = f.me;
        let top = f.new_label();
        f.place_label(top);
        let found = self.find_by_age(&mut f, &insteads, (last, true), |s, f, (a, h), _| {
            s.attachment_env(f, a, h, &binds, Some(0))
        });
        let base = f.next;
        last.copy_from(&mut f, found.age);
        let chain = self.event_func(e, "instead", 2, Job::Instead(e));
        let mut handed = params.clone();
        handed.extend([(last.age, 1), (last.place, 1)]);
        for (k, ((a, _), env)) in insteads.iter().zip(found.envs).enumerate() {
            f.env = env;
            let (t, next) = (f.alloc(1), f.new_label());
            f.emit(Ins::EqK { d: t, a: found.which, k: k as i32 });
            f.jz(t, next);
            self.bind_instance(&mut f, a, found.thing);
            f.me = me;
            self.bind_maker(&mut f, a);
            self.check_limits(&mut f, a, found.thing, top);
            f.proceed = Some((chain, handed.clone(), results));
            let exit = f.new_label();
            f.exit_label = Some(exit);
            if results > 0 {
                let r = f.alloc(results);
                f.result = Some(r);
                self.give_nothing(&mut f, e, r, results);
            }
            if let AttachKind::Instead(block) = &a.what {
                self.emit_block(&mut f, block);
            }
            f.place_label(exit);
            if let Some(r) = f.result.take() {
                f.emit(Ins::MovN { d: 0, a: r, n: results });
            }
            f.emit(Ins::Ret);
            f.exit_label = None;
            f.proceed = None;
            f.place_label(next);
            f.next = base;
        }
        f.env = 0;
        f.me = me;
        let own = self.core_func(e);
        self.forward_call(&mut f, own, &params, results, |_, _| 0);
        f
    }

    /// Emits `once …` and `may`; jumps to `not` if one fails. After a yes, the player who was asked is `me`.
    fn check_limits(&mut self, f: &mut FnBuild, a: &Attachment, thing: R, not: Label) {
        let layer = self.layer_of(a).is_some();
        let used = match &a.once {
            Some(once) if !layer => {
                let decl = self.attachment_decl(a);
                let of = a.carrier.as_ref().and_then(|c| self.kind_of_carrier(c));
                Some(self.used_attr(decl, of, once, a.span))
            }
            Some(Once { per: Some(per) }) => {
                self.report_unsupported(a.span, format_args!("once per {per} in a layer"));
                None
            }
            _ => None,
        };
        if let Some(used) = used {
            let t = f.alloc(1);
            match a.this.and_then(|l| self.binding_of(f, l)) {
                Some(Bind::Reg(e)) => f.emit(Ins::LdAttr { d: t, e, attr: used }),
                _ => f.emit(Ins::LdGlobal { d: t, attr: used }),
            }
            f.jnz(t, not);
        }
        if let Some((by, prompt)) = &a.may {
            // Asks the player that it names, else the owner of the carrier, else the acting player.
            let who = f.alloc(1);
            match by {
                Some(p) => {
                    let p = self.expr_reg(f, p);
                    f.emit(Ins::Mov { d: who, a: p });
                }
                None => match a.owner.and_then(|o| self.binding_of(f, o)) {
                    Some(Bind::Reg(o)) => {
                        let held = f.new_label();
                        f.emit(Ins::Mov { d: who, a: o });
                        f.emit(Ins::JSome { a: who, to: held.0 as u32 });
                        f.emit(Ins::Mov { d: who, a: 0 });
                        f.place_label(held);
                    }
                    _ => f.emit(Ins::Mov { d: who, a: 0 }),
                },
            }
            let prompt = prompt.as_ref().map_or(NO_TEMPLATE, |t| self.make_template(f, t, true));
            let d = f.alloc(1);
            let decl = self.attachment_decl(a);
            f.jnone(who, not);
            let who = self.ask_yes_or_no(f, (d, who), (prompt, a.span, decl), not);
            f.me = Some(who);
            if let Some(l) = a.me {
                f.bind(l, Bind::Reg(who));
            }
        }
        match used {
            Some(used) => self.mark_used(f, a, used),
            None if layer && a.once.is_some() => f.emit(Ins::LeaseDrop { i: thing }),
            None => {}
        }
    }

    /// Makes the function of the event with its `before` and `after` attachments; all are evaluated on entering.
    pub fn make_core(&mut self, e: Event) -> FnBuild {
        let (mut f, params, results) = self.begin_event_func(e);
        let all: Vec<Attached<'m>> = self
            .attachments_around(e)
            .into_iter()
            .filter(|(a, _)| matches!(a.what, AttachKind::Before(_) | AttachKind::After(_)))
            .collect();
        let binds = self.pattern_values(e, &params);
        let mut judged = Vec::new();
        for (a, h) in &all {
            let env = self.attachment_env(&mut f, a, h, &binds, Some(0));
            let j = self.judge_attachment(&mut f, a, h, env);
            judged.push((*a, *h, env, j));
        }
        self.run_judged(&mut f, &judged, true);
        let func = self.event_func(e, "body", 0, Job::Body(e));
        let words: u8 = params.iter().map(|(_, w)| w).sum();
        let at = f.emit_new((1 + words).max(results).max(1), |d| Ins::MovN { d, a: 0, n: 1 + words });
        f.emit(Ins::Call { at, f: func });
        for (a, h, env, j) in &judged {
            self.judge_arrivals(&mut f, a, h, *env, j);
        }
        self.run_judged(&mut f, &judged, false);
        if results > 0 {
            f.emit(Ins::MovN { d: 0, a: at, n: results });
        }
        f
    }

    /// Evaluates whether an attachment applies, and for which carriers.
    fn judge_attachment(&mut self, f: &mut FnBuild, a: &Attachment, h: &Head, env: usize) -> Judged {
        let outer = std::mem::replace(&mut f.env, env);
        let out = if self.layer_of(a).is_some() {
            let since = f.emit_new(1, |d| Ins::LdClock { d, what: Clock::Age });
            let cond = self.applies_condition(a, h);
            let list = cond.map(|c| {
                let list = f.emit_new(1 + (MOST_LAYERS / 4) as u8, |d| Ins::Li { d, k: 0 });
                let base = f.next;
                let bits = f.alloc(1);
                if let Some((i, top, out)) = self.begin_instances(f, a) {
                    let c = self.expr_reg(f, &c);
                    f.jz(c, top);
                    f.emit(Ins::ModK { d: bits, a: i, k: 1 << 16 });
                    f.emit(Ins::LPush { l: list, a: bits, cap: MOST_LAYERS });
                    f.jmp(top);
                    f.place_label(out);
                }
                f.next = base;
                list
            });
            Judged::Layers { since, list }
        } else if let Some(over) = self.carriers(a) {
            let u = self.universe_of(&over.ty, a.span);
            let w = self.set_words(u);
            let most = match &a.carrier {
                Some(Carrier::Member(id)) => self.count_copies(*id),
                _ => self.things_in(u),
            };
            let words = (1 + most.max(1).div_ceil(4)) as u8;
            let (carriers, owners) = (f.alloc(words), f.alloc(words));
            f.emit(Ins::Li { d: carriers, k: 0 });
            f.emit(Ins::Li { d: owners, k: 0 });
            let was = (matches!(a.what, AttachKind::After(_)) && names_this(a, h)).then(|| f.alloc(w));
            if let Some(was) = was {
                self.set_into(f, &over, u, was);
            }
            let cap = most.max(1) as u16;
            self.judge_carriers(f, a, h, (carriers, owners), cap, None);
            Judged::Many { carriers, owners, was, cap }
        } else {
            let flag = f.load_number(1);
            if let Some(c) = self.applies_condition(a, h) {
                let base = f.next;
                self.expr_into(f, &c, flag);
                f.next = base;
            }
            Judged::One { flag }
        };
        f.env = outer;
        out
    }

    /// Puts the carriers to which it applies on a list, in the components' order, with their owners; leaves out those in a set.
    fn judge_carriers(
        &mut self,
        f: &mut FnBuild,
        a: &Attachment,
        h: &Head,
        (carriers, owners): (R, R),
        cap: u16,
        but: Option<R>,
    ) {
        let base = f.next;
        if let Some((this, top, out)) = self.begin_instances(f, a) {
            if let (Some(s), Some(over)) = (but, self.carriers(a)) {
                let u = self.universe_of(&over.ty, a.span);
                let w = self.set_words(u);
                let t = f.emit_new(1, |d| Ins::STest { d, s, i: this, w });
                f.jnz(t, top);
            }
            if let Some(c) = self.applies_condition(a, h) {
                let c = self.expr_reg(f, &c);
                f.jz(c, top);
            }
            let o = f.alloc(1);
            match a.owner.and_then(|o| self.binding_of(f, o)) {
                Some(Bind::Reg(r)) => f.emit(Ins::Mov { d: o, a: r }),
                _ if matches!(a.carrier, Some(Carrier::Kind(builtin_kinds::PLAYER))) => {
                    f.emit(Ins::Mov { d: o, a: this });
                }
                _ => f.emit(Ins::Li { d: o, k: NONE as i32 }),
            }
            let held = f.new_label();
            f.emit(Ins::JSome { a: o, to: held.0 as u32 });
            f.emit(Ins::Li { d: o, k: self.set.players as i32 });
            f.place_label(held);
            f.emit(Ins::LPush { l: carriers, a: this, cap });
            f.emit(Ins::LPush { l: owners, a: o, cap });
            f.jmp(top);
            f.place_label(out);
        }
        f.next = base;
    }

    /// An attachment with `this` in its pattern also applies to a component that became a carrier during the event.
    fn judge_arrivals(&mut self, f: &mut FnBuild, a: &Attachment, h: &Head, env: usize, j: &Judged) {
        let Judged::Many { carriers, owners, was: Some(was), cap } = j else { return };
        let outer = std::mem::replace(&mut f.env, env);
        self.judge_carriers(f, a, h, (*carriers, *owners), *cap, Some(*was));
        f.env = outer;
    }

    /// Runs the attachments that apply, in order of loading: first those without a carrier, then by seats from the acting player, then by component; layers last.
    fn run_judged(
        &mut self,
        f: &mut FnBuild,
        all: &[(&'m Attachment, &'m Head, usize, Judged)],
        before: bool,
    ) {
        let block = |a: &'m Attachment| match &a.what {
            AttachKind::Before(b) if before => Some(b),
            AttachKind::After(b) if !before => Some(b),
            _ => None,
        };
        for rank in 0..=4 {
            let now: Vec<_> = all.iter().filter(|(a, ..)| self.rank(a) == rank).collect();
            let mut carried = Vec::new();
            for (a, _, env, j) in now {
                let Some(b) = block(a) else { continue };
                let base = f.next;
                let outer = std::mem::replace(&mut f.env, *env);
                match j {
                    Judged::One { flag } => {
                        let end = f.new_label();
                        f.jz(*flag, end);
                        self.emit_attached_block(f, a, 0, b, end);
                        f.place_label(end);
                    }
                    Judged::Layers { since, list } => self.run_layers(f, a, *since, *list, b),
                    Judged::Many { carriers, owners, .. } => carried.push((*a, *env, b, *carriers, *owners)),
                }
                f.env = outer;
                f.next = base;
            }
            self.run_carried(f, &carried);
        }
    }

    /// Runs blocks for the carriers on their lists, seat by seat from the acting player; carriers that nobody holds come last.
    fn run_carried(&mut self, f: &mut FnBuild, all: &[(&'m Attachment, usize, &'m Block, R, R)]) {
        if all.is_empty() {
            return;
        }
        let base = f.next;
        let players = self.set.players as i32;
        let (k, p, t) = (f.load_number(0), f.alloc(1), f.alloc(1));
        let (turn, have, end) = (f.new_label(), f.new_label(), f.new_label());
        f.place_label(turn);
        f.emit(Ins::Mov { d: p, a: k });
        f.jnone(0, have);
        f.emit(Ins::EqK { d: t, a: k, k: players });
        f.jnz(t, have);
        f.emit(Ins::Add { d: p, a: k, b: 0 });
        f.emit(Ins::ModK { d: p, a: p, k: players });
        f.place_label(have);
        for (a, env, b, carriers, owners) in all {
            let inner = f.next;
            let outer = std::mem::replace(&mut f.env, *env);
            let (i, n, this, owner) = (f.load_number(0), f.alloc(1), f.alloc(1), f.alloc(1));
            let (top, out) = (f.new_label(), f.new_label());
            f.emit(Ins::LLen { d: n, l: *carriers });
            f.place_label(top);
            f.emit(Ins::Lt { d: t, a: i, b: n });
            f.jz(t, out);
            f.emit(Ins::LGet { d: this, l: *carriers, i });
            f.emit(Ins::LGet { d: owner, l: *owners, i });
            f.emit(Ins::AddK { d: i, a: i, k: 1 });
            f.emit(Ins::Eq { d: t, a: owner, b: p });
            f.jz(t, top);
            let held = f.new_label();
            f.emit(Ins::EqK { d: t, a: owner, k: players });
            f.jz(t, held);
            f.emit(Ins::Li { d: owner, k: NONE as i32 });
            f.place_label(held);
            if let Some(l) = a.this {
                f.bind(l, Bind::Reg(this));
            }
            if let Some(l) = a.owner {
                f.bind(l, Bind::Reg(owner));
                f.maybe_players.push(l);
            }
            self.emit_attached_block(f, a, this, b, top);
            f.jmp(top);
            f.place_label(out);
            f.env = outer;
            f.next = inner;
        }
        f.emit(Ins::AddK { d: k, a: k, k: 1 });
        f.emit(Ins::EqK { d: t, a: k, k: players + 1 });
        f.jnz(t, end);
        f.jmp(turn);
        f.place_label(end);
        f.next = base;
    }

    /// Runs a block for each layer that was in force on entering, in order of age.
    fn run_layers(&mut self, f: &mut FnBuild, a: &'m Attachment, since: R, list: Option<R>, b: &'m Block) {
        let Some((i, top, out)) = self.begin_instances(f, a) else { return };
        let t = f.emit_new(1, |d| Ins::Le { d, a: since, b: i });
        f.jnz(t, out);
        if let Some(list) = list {
            let (k, n, x, bits) = (f.load_number(0), f.alloc(1), f.alloc(1), f.alloc(1));
            let (next, yes) = (f.new_label(), f.new_label());
            f.emit(Ins::LLen { d: n, l: list });
            f.emit(Ins::ModK { d: bits, a: i, k: 1 << 16 });
            f.place_label(next);
            f.emit(Ins::Lt { d: t, a: k, b: n });
            f.jz(t, top);
            f.emit(Ins::LGet { d: x, l: list, i: k });
            f.emit(Ins::AddK { d: k, a: k, k: 1 });
            f.emit(Ins::Eq { d: t, a: x, b: bits });
            f.jnz(t, yes);
            f.jmp(next);
            f.place_label(yes);
        }
        self.emit_attached_block(f, a, i, b, top);
        f.jmp(top);
        f.place_label(out);
    }

    /// Runs one block after its limits; `stop` ends this block only.
    fn emit_attached_block(
        &mut self,
        f: &mut FnBuild,
        a: &'m Attachment,
        thing: R,
        b: &'m Block,
        not: Label,
    ) {
        let (me, env) = (f.me, f.env);
        let own = a.me.and_then(|l| self.binding_of(f, l).map(|b| (l, b)));
        let exit = f.new_label();
        let outer = f.exit_label.replace(exit);
        self.bind_maker(f, a);
        self.check_limits(f, a, thing, not);
        self.emit_block(f, b);
        f.place_label(exit);
        f.exit_label = outer;
        f.env = env;
        f.me = me;
        if let Some((l, b)) = own {
            f.bind(l, b);
        }
    }
}

/// Whether an attachment names its component in a pattern: `after gain(this)`.
fn names_this(a: &Attachment, h: &Head) -> bool {
    let is = |x: &Expr| matches!(&*x.kind, ExprKind::Local(l) if Some(*l) == a.this);
    h.patterns.iter().any(|p| match p {
        Pattern::Test(_, e) => walk::any_expr(e, &mut |x| is(x)),
        _ => false,
    })
}
