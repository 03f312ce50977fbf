//! Makes the slots of menus and actions that the engine reads: numbers, conditions, guards with their reasons.
use crate::fn_builder::{Bind, FnBuild, NoAction};
use crate::ir::*;
use crate::lower::options::condition::{Condition, Source};
use crate::lower::options::enumerator::{last_param, own_names};
use crate::lower::{Event, Job, Lower};
use houserule_model::body::{build, types, walk};
use houserule_model::hir::*;
use houserule_model::sentences::{Refusal, Speaker, list_filter_refusals, list_refusals};
use houserule_text::Span;

impl<'m> Lower<'m> {
    /// Numbers all menus and actions in force, because functions refer to them.
    pub fn number_menus(&mut self) {
        let m = self.m;
        for (i, menu) in m.menus.iter().enumerate() {
            if self.set.has(menu.scope) {
                self.menu_ix.insert(MenuId(i as u32), MenuIx(self.menu_ix.len() as u16));
            }
        }
        for (i, a) in m.actions.iter().enumerate() {
            let id = ActionId(i as u32);
            if self.set.has(a.scope) && !self.set.removes(m, Removed::Action(id)) && !a.menus.is_empty() {
                // The actions of a member that is not in this set-up are left out.
                if matches!(&a.carrier, Some(Carrier::Member(x)) if !self.faces_of.contains_key(x)) {
                    continue;
                }
                self.action_ix.insert(id, ActionIx(self.action_ix.len() as u16));
            }
        }
    }

    /// Makes all menus and actions that have a number, in the order of their numbers.
    pub fn make_menus(&mut self) {
        for i in 0..self.m.actions.len() as u32 {
            if self.action_ix.contains_key(&ActionId(i)) {
                self.make_action_slot(ActionId(i));
            }
        }
        for i in 0..self.m.menus.len() as u32 {
            if self.menu_ix.contains_key(&MenuId(i)) {
                self.make_menu_slot(MenuId(i));
            }
        }
    }

    fn make_menu_slot(&mut self, id: MenuId) {
        let menu = &self.m.menus[id.index()];
        let decl = self.add_decl("menu", &menu.name, menu.span);
        let types: Vec<_> =
            menu.params.iter().map(|p| (menu.locals[p.local.index()].ty.clone(), p.span)).collect();
        let params: u8 = types.iter().map(|(t, s)| self.width(t, *s)).sum();
        let args = 1 + params;
        let mut bind = |s: &mut Self, f: &mut FnBuild| s.bind_menu(f, menu);
        let open = menu.open.as_ref().map(|(c, t)| {
            let func = self.pure_func("open", decl, args, c, bind);
            let made = Speaker::new(self.m, LocalId(0), true).refuse(c);
            (func, self.reason_template(t.as_ref().unwrap_or(&made), decl, args, &mut bind))
        });
        let mut end = |s: &mut Self, e: &Ending| {
            let when = match &e.when {
                None => EndWhen::Always,
                Some(c) if matches!(&*c.kind, ExprKind::NoAction) => EndWhen::NoAction,
                Some(c) if walk::any_expr(c, &mut |x| matches!(&*x.kind, ExprKind::NoAction)) => {
                    let mut way = |none: bool| {
                        s.pure_func("when", decl, args, c, |s, f| {
                            bind(s, f);
                            f.no_action = Some(NoAction::Known(none));
                        })
                    };
                    EndWhen::ByAction(way(false), way(true))
                }
                Some(c) => EndWhen::Func(s.pure_func("when", decl, args, c, bind)),
            };
            let made = match &e.when {
                Some(c) => Some(Speaker::new(s.m, LocalId(0), true).refuse(c)),
                None => None,
            };
            let told = e.reason.as_ref().or(made.as_ref());
            let reason = told.map_or(NO_TEMPLATE, |t| s.reason_template(t, decl, args, &mut bind));
            let title = e.title.as_ref().map_or(NO_TEMPLATE, |t| s.reason_template(t, decl, args, &mut bind));
            EndSlot { when, reason, title }
        };
        let done = menu.done.as_ref().map(|e| end(self, e));
        let pass = menu.pass.as_ref().map(|e| end(self, e));
        let actions = menu.actions.iter().filter_map(|a| self.action_ix.get(a).copied()).collect();
        let lines = self.make_lines_slot(menu, decl, args);
        self.p.menus.push(MenuSlot {
            name: menu.name.clone(),
            title: menu.title.clone(),
            params,
            actions,
            open,
            done,
            pass,
            lines,
            decl,
        });
    }

    /// The conditions on whole lines of a menu, if there are any.
    fn make_lines_slot(&mut self, menu: &Menu, decl: DeclIx, args: u8) -> Option<LinesSlot> {
        if menu.best.is_none() && menu.no_dead_ends.is_none() {
            return None;
        }
        let mut bind = |s: &mut Self, f: &mut FnBuild| s.bind_menu(f, menu);
        let mut reason_of = |s: &mut Self, t: &Option<Text>| {
            t.as_ref().map_or(NO_TEMPLATE, |t| s.reason_template(t, decl, args, &mut bind))
        };
        let alive = menu.no_dead_ends.as_ref().map(|(span, t)| (*span, reason_of(self, t)));
        let reason = menu.best.as_ref().map_or(NO_TEMPLATE, |b| reason_of(self, &b.reason));
        let (least, span) = menu.best.as_ref().map_or((false, menu.span), |b| (b.least, b.span));
        let values = menu.best.iter().flat_map(|b| &b.values);
        let bound = |e: &Expr| {
            let (lo, hi) = types::bounds(&e.ty)?;
            let (end, open) = if least { (lo, i32::MIN) } else { (hi, i32::MAX) };
            (end != open).then_some(end)
        };
        let ideal = values.clone().map(bound).collect();
        let values =
            values.map(|e| self.pure_func("line", decl, args, e, |s, f| s.bind_menu(f, menu))).collect();
        let m = self.m;
        for a in menu.actions.iter().filter_map(|a| m.actions.get(a.index())) {
            if let Some(p) = a.params.iter().find(|p| matches!(p.many, Many::Subset { .. })) {
                self.report_unsupported(p.span, "subsets as parameters where lines of a menu are judged");
            }
        }
        Some(LinesSlot { again: menu.done.is_some(), alive, values, least, ideal, reason, span })
    }

    fn make_action_slot(&mut self, id: ActionId) {
        let m = self.m;
        let a = &m.actions[id.index()];
        let decl = self.add_decl("action", &a.name, a.span);
        let types = self.action_params(id);
        let menu_params = types.len() - a.params.len();
        let menu = a.menus.first().and_then(|x| m.menus.get(x.index()));
        let mut params = Vec::new();
        for (i, (ty, span)) in types.iter().enumerate() {
            let many = i.checked_sub(menu_params).map(|k| &a.params[k].many);
            let u = self.universe_of(ty, *span);
            let domain =
                if matches!(many, Some(Many::Subset { .. })) { Domain::Subset(u) } else { Domain::Thing(u) };
            let name = match i.checked_sub(menu_params) {
                Some(k) => a.locals[a.params[k].local.index()].name.clone(),
                None => menu.map_or_else(|| "".into(), |m| m.locals[m.params[i].local.index()].name.clone()),
            };
            let sealed = i.checked_sub(menu_params).is_some_and(|k| {
                a.params.get(k).is_some_and(|x| self.game_facts.sealed.params.contains(&(id, x.local)))
            });
            let used = i.checked_sub(menu_params).is_none_or(|k| self.is_used(id, a.params[k].local));
            params.push(ParamSlot { name, domain, sealed, used });
        }
        if a.menus
            .iter()
            .skip(1)
            .any(|x| !m.menus[x.index()].needs.is_empty() || !m.menus[x.index()].params.is_empty())
        {
            self.report_unsupported(a.span, "actions in several menus that ask for different things");
        }
        let conditions = self.conditions(id);
        let args: u8 = 1 + types.iter().take(menu_params).map(|(t, s)| self.width(t, *s)).sum::<u8>();
        let enumerator = self.new_func(&format!("{} (options)", a.name), true, args, 0, decl);
        let mut f = FnBuild::new(false);
        self.make_enumerator(&mut f, id, &types, &conditions);
        self.finish_func(enumerator, f);
        let tried: Vec<Condition<'m>> = conditions.iter().filter(|c| c.is_behind_effect).cloned().collect();
        let each = self.make_set_guard(id, &types, &conditions, decl);
        let (mut loose, mut tries) = (None, None);
        // Sets are tried one by one where they are offered, and not drawn before.
        if self.opts.lift && !tried.is_empty() && each.is_none() {
            let plain: Vec<Condition<'m>> =
                conditions.iter().filter(|c| !c.is_behind_effect).cloned().collect();
            let func = self.new_func(&format!("{} (may be)", a.name), true, args, 0, decl);
            let mut f = FnBuild::new(false);
            self.make_enumerator(&mut f, id, &types, &plain);
            self.finish_func(func, f);
            loose = Some(func);
            tries = Some(self.make_must_leave_guard(id, &types, &tried.iter().collect::<Vec<_>>(), decl));
        }
        let guards = self.make_guards(id, &types, &conditions, decl);
        let costs = self.make_costs(id, &types, decl);
        let effect = self.event_func(Event::Action(id), "", 0, Job::Event(Event::Action(id)));
        self.p.actions.push(ActionSlot {
            name: a.name.clone(),
            title: a.title.clone(),
            said: a.said.clone(),
            params,
            enumerator,
            loose,
            tries,
            each,
            guards,
            costs,
            effect,
            decl,
        });
    }

    /// Makes the environment of a `forbid`'s reason: `this`, `owner`, and what a layer has captured.
    fn reason_env(&mut self, f: &mut FnBuild, id: ActionId, c: &Condition<'m>) -> usize {
        let env = self.condition_env(f, id, c);
        let (Source::Forbid((att, head)), Some(t)) = (&c.source, &c.reason) else { return env };
        let names = own_names(att, t);
        for l in names {
            self.bind_layer_call(f, id, (att, head), c.upto, env, Some(l));
        }
        env
    }

    /// Makes the texts that say how much of each thing an action costs, and how much there is of it.
    fn make_costs(&mut self, id: ActionId, types: &[(Ty, Span)], decl: DeclIx) -> Vec<CostSlot> {
        let a = &self.m.actions[id.index()];
        let args = self.words_upto(types, types.len());
        let mut out = Vec::new();
        for (k, word) in &a.costs {
            let Some(HeadStep::Needs(Guard { reason: Some(reason), span, .. })) = a.head.get(*k) else {
                continue;
            };
            // The reason reads `needs {n} wood, you have {m}`.
            let holes: Vec<&TextPart> =
                reason.parts.iter().filter(|p| matches!(p, TextPart::Hole(_))).collect();
            let Some((due, rest)) = holes.split_first() else { continue };
            let mut bind = |s: &mut Self, f: &mut FnBuild| s.bind_all(f, id, types, a.params.len());
            let lift = std::mem::replace(&mut self.opts.lift, false);
            let mut text = |s: &mut Self, part: &TextPart| {
                let text = Text { parts: vec![part.clone()], span: *span };
                s.reason_template(&text, decl, args, &mut bind)
            };
            let due = text(self, due);
            let have = rest.last().map_or(NO_TEMPLATE, |part| text(self, part));
            out.push(CostSlot { due, have, word: word.clone() });
            self.opts.lift = lift;
        }
        out
    }

    /// Makes a guard like `guard` of each part of a condition, with its sentence as the reason. `func` is a name, a declaration and the number of words.
    fn push_refusals(
        &mut self,
        out: &mut Vec<GuardSlot>,
        (name, decl, args): (&str, DeclIx, u8),
        parts: Vec<Refusal>,
        guard: GuardSlot,
        bind: &mut dyn FnMut(&mut Self, &mut FnBuild),
    ) {
        for part in parts {
            let func = self.pure_func(name, decl, args, &part.cond, |s, f| bind(s, f));
            let reason = self.reason_template(&part.text, decl, args, bind);
            out.push(GuardSlot { func, reason, ..guard.clone() });
        }
    }

    /// Makes the plain guards: each is a function of `me` and the parameters that it reads.
    fn make_guards(
        &mut self,
        id: ActionId,
        types: &[(Ty, Span)],
        conditions: &[Condition<'m>],
        decl: DeclIx,
    ) -> Vec<GuardSlot> {
        let a = &self.m.actions[id.index()];
        let menu_params = types.len() - a.params.len();
        let lift = std::mem::replace(&mut self.opts.lift, false);
        let mut out = Vec::new();
        for (k, p) in a.params.iter().enumerate() {
            let args = self.words_upto(types, menu_params + k + 1);
            let mut domain = FnBuild::new(false);
            domain.alloc(args);
            self.bind_all(&mut domain, id, types, k + 1);
            let u = self.uni_of(&p.from);
            let w = self.set_words(u);
            let from = self.picked_from(&mut domain, a, k);
            let s = self.set_reg(&mut domain, &from, u);
            let Some(Bind::Reg(x)) = self.binding_of(&domain, p.local) else { continue };
            let d = domain.alloc(1);
            match &p.many {
                Many::One => {
                    let i = self.value_to_element(&mut domain, u, x);
                    domain.emit(Ins::STest { d, s, i, w });
                }
                Many::Subset { min, max } => {
                    domain.emit(Ins::SSub { d, a: x, b: s, w });
                    let n = domain.emit_new(1, |d| Ins::SCount { d, s: x, w });
                    for (bound, least) in [(min, true), (max, false)] {
                        if let Some(b) = bound {
                            let b = self.expr_reg(&mut domain, b);
                            let t = domain.alloc(1);
                            domain.emit(if least {
                                Ins::Le { d: t, a: b, b: n }
                            } else {
                                Ins::Le { d: t, a: n, b }
                            });
                            domain.emit(Ins::And { d, a: d, b: t });
                        }
                    }
                }
            }
            let wary = k > 0 && self.reads_hidden(a, [&p.from]);
            let upto = (menu_params + k + 1) as u8;
            let speaker = Speaker::new(self.m, a.me, !wary);
            let picked = build::local(p.local, a.locals[p.local.index()].ty.clone(), p.span);
            // For a parameter that takes a subset, the condition is not split into parts.
            let parts = match (&p.many, k > 0 || a.carrier.is_none()) {
                (Many::One, true) if !wary => list_filter_refusals(&speaker, &picked, &from),
                _ => Vec::new(),
            };
            // The last guard has the general sentence. It fails only where the value is no candidate although every part holds.
            for part in &parts {
                let t = self.expr_reg(&mut domain, &part.cond);
                let fails = domain.emit_new(1, |d| Ins::Not { d, a: t });
                domain.emit(Ins::Or { d, a: d, b: fails });
            }
            domain.emit(Ins::Mov { d: 0, a: d });
            let func = self.new_func(&format!("{} ({})", a.name, types.len()), true, args, 1, decl);
            self.finish_func(func, domain);
            let mut bind = |s: &mut Self, f: &mut FnBuild| s.bind_all(f, id, types, k + 1);
            let guard =
                GuardSlot { upto, wary, span: p.span, func: FuncId(0), tried: false, reason: NO_TEMPLATE };
            self.push_refusals(&mut out, (&a.name, decl, args), parts, guard, &mut bind);
            let text = speaker.refuse_choice(&picked, p.span);
            let reason = self.reason_template(&text, decl, args, &mut bind);
            out.push(GuardSlot { func, upto, tried: false, wary, reason, span: p.span });
            if let Some(c) = &p.filter {
                let wary = self.reads_hidden(a, [c]);
                let parts = list_refusals(&Speaker::new(self.m, a.me, !wary), c);
                let guard = GuardSlot {
                    upto,
                    wary,
                    span: c.span,
                    func: FuncId(0),
                    tried: false,
                    reason: NO_TEMPLATE,
                };
                self.push_refusals(&mut out, (&a.name, decl, args), parts, guard, &mut bind);
            }
        }
        for c in conditions {
            let mut c = c.clone();
            // A reason may read more parameters than its guard.
            if let (Source::Own, Some(t)) = (&c.source, &c.reason) {
                c.upto = walk::hole_exprs(t).into_iter().map(|e| last_param(a, e)).fold(c.upto, usize::max);
            }
            let c = &c;
            let args = self.words_upto(types, menu_params + c.upto);
            let func = |s: &mut Self| match c.is_behind_effect {
                true => s.make_must_leave_guard(id, types, &[c], decl),
                false => s.pure_func(&a.name, decl, args, &c.cond, |s, f| {
                    s.bind_all(f, id, types, c.upto);
                    f.env = s.condition_env(f, id, c);
                }),
            };
            let mut bind = |s: &mut Self, f: &mut FnBuild| {
                s.bind_all(f, id, types, c.upto);
                f.env = s.reason_env(f, id, c);
            };
            let upto = (menu_params + c.upto) as u8;
            let holes = c.reason.iter().flat_map(walk::hole_exprs);
            let wary = self.reads_hidden(a, std::iter::once(&c.cond).chain(holes));
            let is_told = c.reason.is_some() || matches!(&*c.cond.kind, ExprKind::CanRule(..));
            // Without a reason of the rules a sentence is made of the condition.
            let made = match &c.source {
                _ if is_told => None,
                Source::Forbid((att, _)) => {
                    let speaker = Speaker::new(self.m, a.me, !wary);
                    Some(speaker.refuse_forbidden(att.carrier.as_ref(), c.span))
                }
                _ if c.is_behind_effect => Some(Speaker::new(self.m, a.me, false).refuse_outcome(&c.cond)),
                source => {
                    let me = if matches!(source, Source::Own) { a.me } else { LocalId(0) };
                    let speaker = Speaker::new(self.m, me, !wary);
                    let parts = list_refusals(&speaker, &c.cond);
                    let guard = GuardSlot {
                        upto,
                        wary,
                        span: c.span,
                        func: FuncId(0),
                        tried: false,
                        reason: NO_TEMPLATE,
                    };
                    self.push_refusals(&mut out, (&a.name, decl, args), parts, guard, &mut bind);
                    continue;
                }
            };
            let told = c.reason.as_ref().or(made.as_ref());
            let reason = self.guard_reason(&c.cond, told, decl, args, &mut bind);
            let func = func(self);
            out.push(GuardSlot { func, upto, tried: c.is_behind_effect, wary, reason, span: c.span });
        }
        self.opts.lift = lift;
        // In source order, if they stand in the same file as the action.
        out.sort_by_key(|g| (g.span.file != a.span.file, g.span.start));
        out
    }
}
