//! Makes enumerators of actions: nested loops over the parameters, with each guard as early as its parameters are known. Also the plain guards for *why not?*, and the effects.
use crate::analysis::attached::Attached;
use crate::analysis::names::USED;
use crate::fn_builder::{Available, Bind, FnBuild, TrialSet};
use crate::ir::*;
use crate::layout::tables::Tables;
use crate::lower::options::condition::{Condition, Source};
use crate::lower::options::pushdown::{Cut, Cuts};
use crate::lower::{Event, Lower};
use crate::setup::SeededFault;
use houserule_model::body::flow::{self, Fact};
use houserule_model::body::{build, sealed, walk};
use houserule_model::hir::*;
use houserule_text::Span;
use rustc_hash::FxHashMap as HashMap;
use std::rc::Rc;

/// The name that stands for "a layer forbids it" in a guard.
const LAYER_FORBIDS: LocalId = LocalId(3_000_000);

impl<'m> Tables<'m> {
    /// The attribute that records whether a `once` action was used, by the component or the player; and the parameter that is the component.
    fn used_attribute(&mut self, id: ActionId, once: &Once) -> (AttrIx, Option<LocalId>) {
        let a = &self.m.actions[id.index()];
        let decl = self.add_decl("action", &a.name, a.span);
        let kind = a.carrier.as_ref().and_then(|c| self.kind_of_carrier(c));
        let this = kind.and_then(|_| a.params.first()).map(|p| p.local);
        (self.used_attr(decl, Some(kind.unwrap_or(builtin_kinds::PLAYER)), once, a.span), this)
    }

    pub fn bind_menu(&mut self, f: &mut FnBuild, menu: &Menu) {
        f.me = Some(0);
        f.bind(LocalId(0), Bind::Reg(0));
        let mut r = 1;
        for p in &menu.params {
            f.bind(p.local, Bind::Reg(r));
            r += self.width(&menu.locals[p.local.index()].ty, p.span);
        }
    }

    /// All guards of an action in source order, without the domains of its parameters.
    pub fn conditions(&mut self, id: ActionId) -> Vec<Condition<'m>> {
        let m = self.m;
        let a = &m.actions[id.index()];
        let mut out = Vec::new();
        if let Some(menu) = a.menus.first() {
            let (of, all) = (Source::Menu(*menu), a.params.len());
            let Menu { needs, leaves, .. } = &m.menus[menu.index()];
            out.extend(needs.iter().map(|g| Condition::of_guard(of.clone(), g, 0, false)));
            out.extend(leaves.iter().map(|g| Condition::of_guard(of.clone(), g, all, true)));
        }
        if let Some(once) = &a.once {
            let used = build::cond(a.span, ExprKind::Local(USED));
            let cond = build::cond(a.span, ExprKind::Not(used));
            let message = match &once.per {
                Some(per) => format!("once per {per}, and that has been"),
                None => String::from("once, and that has been"),
            };
            let reason = Some(Text { parts: vec![TextPart::Literal(message.into())], span: a.span });
            let upto = usize::from(a.carrier.is_some());
            out.push(Condition {
                source: Source::Own,
                cond,
                reason,
                upto,
                span: a.span,
                is_behind_effect: false,
            });
        }
        if let Some(c) = &a.when {
            let (cond, upto) = (c.clone(), last_param(a, c));
            out.push(Condition {
                source: Source::Own,
                cond,
                reason: None,
                upto,
                span: c.span,
                is_behind_effect: false,
            });
        }
        out.extend(a.head.iter().filter_map(|h| match h {
            HeadStep::Needs(g) => Some(Condition::of_guard(Source::Own, g, last_param(a, &g.cond), false)),
            HeadStep::MustLeave(g) => Some(Condition::of_guard(Source::Own, g, a.params.len(), true)),
            HeadStep::Let(..) => None,
        }));
        // A guard that needs the owner of the carrier fails if nobody holds the carrier.
        let owner = a.carrier.as_ref().and_then(|_| match a.head.first() {
            Some(HeadStep::Let(l, _)) => Some(*l),
            _ => None,
        });
        if let Some(owner) = owner {
            for c in out.iter_mut().filter(|c| matches!(c.source, Source::Own)) {
                if crate::lower::attachments::needs_name(&c.cond, owner) {
                    let some = crate::lower::attachments::is_somebody(owner, c.span);
                    let both = ExprKind::And(some, c.cond.clone());
                    c.cond = build::cond(c.span, both);
                }
            }
        }
        for (att, head) in self.attachments_around(Event::Action(id)) {
            let AttachKind::Forbid(reason) = &att.what else { continue };
            let cond = match self.layer_of(att) {
                // Whether a layer forbids the action is a function; the guard is a name bound to its call.
                Some(_) => {
                    let span = att.span;
                    let forbidden = build::cond(span, ExprKind::Local(LAYER_FORBIDS));
                    build::cond(span, ExprKind::Not(forbidden))
                }
                None => self.not_forbidden(att, head),
            };
            let upto = head.patterns.iter().rposition(|p| !matches!(p, Pattern::Any)).map_or(0, |i| i + 1);
            out.push(Condition {
                source: Source::Forbid((att, head)),
                cond,
                reason: reason.clone(),
                upto,
                span: att.span,
                is_behind_effect: false,
            });
        }
        out
    }

    pub fn words_upto(&mut self, types: &[(Ty, Span)], n: usize) -> u8 {
        1 + types.iter().take(n).map(|(t, s)| self.width(t, *s)).sum::<u8>()
    }

    /// The domain of a parameter. The first parameter of a component's action is its carrier.
    pub(super) fn picked_from(&mut self, f: &mut FnBuild, a: &Action, k: usize) -> Expr {
        let own = &a.params[k].from;
        if k > 0 { own.clone() } else { self.action_carriers(f, a).unwrap_or_else(|| own.clone()) }
    }
}

impl<'m> Lower<'m> {
    /// Emits the effect of an action: its lets, then its block.
    pub fn emit_action_body(&mut self, f: &mut FnBuild, a: ActionId, params: &[(R, u8)]) {
        let action = &self.m.actions[a.index()];
        f.bind(action.me, Bind::Reg(0));
        let menu_params = params.len() - action.params.len();
        for (i, (r, _)) in params.iter().take(menu_params).enumerate() {
            f.bind(LocalId(i as u32 + 1), Bind::Reg(*r));
        }
        for (p, (r, _)) in action.params.iter().zip(&params[menu_params..]) {
            f.bind(p.local, Bind::Reg(*r));
        }
        if let Some(once) = &action.once {
            let (used, of) = self.used_attribute(a, once);
            let one = f.load_number(1);
            let e = of.and_then(|l| self.binding_of(f, l));
            f.emit(Ins::StAttr { e: if let Some(Bind::Reg(r)) = e { r } else { 0 }, a: one, attr: used });
        }
        for h in &action.head {
            if let HeadStep::Let(l, e) = h {
                if action.carrier.is_some() && matches!(&*e.kind, ExprKind::Builtin(Builtin::Holder, _)) {
                    f.maybe_players.push(*l);
                }
                let s = Stmt { span: e.span, kind: StmtKind::Let(*l, e.clone()) };
                self.emit_stmt(f, &s);
            }
        }
        self.emit_block(f, &action.body);
    }

    /// Binds the name for "`once per …` is used up".
    fn bind_used(&mut self, f: &mut FnBuild, id: ActionId) {
        let a = &self.m.actions[id.index()];
        let Some(once) = &a.once else { return };
        let (attr, this) = self.used_attribute(id, once);
        let decl = self.add_decl("action", &a.name, a.span);
        let func = self.new_func("used", true, 1, 1, decl);
        let mut b = FnBuild::new(false);
        b.alloc(1);
        b.emit(Ins::LdAttr { d: 0, e: 0, attr });
        self.finish_func(func, b);
        let l = this.unwrap_or(a.me);
        let ty = a.locals[l.index()].ty.clone();
        let whose = build::expr(ty, a.span, ExprKind::Local(l));
        f.envs[0].insert(USED, Bind::Call(func, Rc::new(vec![whose]), 0));
    }

    /// Makes the environment of a guard's names; the names of the action itself are in environment 0.
    pub fn condition_env(&mut self, f: &mut FnBuild, id: ActionId, c: &Condition<'m>) -> usize {
        let a = &self.m.actions[id.index()];
        match &c.source {
            Source::Own => 0,
            Source::Menu(id) => {
                let menu = &self.m.menus[id.index()];
                let mut names: HashMap<LocalId, Bind> = HashMap::default();
                names.insert(LocalId(0), Bind::Reg(0));
                for (i, p) in menu.params.iter().enumerate() {
                    if let Some(b) = f.envs[0].get(&LocalId(i as u32 + 1)) {
                        names.insert(p.local, b.clone());
                    }
                }
                f.envs.push(names);
                f.envs.len() - 1
            }
            Source::Forbid((att, head)) => {
                let binds: Vec<Bind> = a
                    .params
                    .iter()
                    .map(|p| {
                        let ty = a.locals[p.local.index()].ty.clone();
                        let e = build::expr(ty, p.span, ExprKind::Local(p.local));
                        Bind::Alias(Rc::new(e), 0)
                    })
                    .collect();
                let env = self.attachment_env(f, att, head, &binds, Some(0));
                if self.layer_of(att).is_some() {
                    self.bind_layer_call(f, id, (att, head), c.upto, env, None);
                }
                env
            }
        }
    }

    /// In the environment of a `forbid` by layers: binds whether a layer forbids it, or one of its names, to a call with `me` and the action's first parameters.
    pub(super) fn bind_layer_call(
        &mut self,
        f: &mut FnBuild,
        id: ActionId,
        x: Attached<'m>,
        upto: usize,
        env: usize,
        of: Option<LocalId>,
    ) {
        let a = &self.m.actions[id.index()];
        let own = a.params.iter().take(upto);
        let types: Vec<_> = own.map(|p| (a.locals[p.local.index()].ty.clone(), p.span)).collect();
        let func = self.forbids_func(&types, x, of);
        let name = |l: LocalId, ty: Ty| build::expr(ty, x.0.span, ExprKind::Local(l));
        let mut args = vec![name(a.me, houserule_model::body::types::player())];
        args.extend(a.params.iter().take(upto).map(|p| name(p.local, a.locals[p.local.index()].ty.clone())));
        f.envs[env].insert(of.unwrap_or(LAYER_FORBIDS), Bind::Call(func, Rc::new(args), 0));
    }

    /// Binds `me`, the menu's parameters and the lets of the head.
    fn bind_action(&mut self, f: &mut FnBuild, id: ActionId, types: &[(Ty, Span)]) -> R {
        let a = &self.m.actions[id.index()];
        f.me = Some(0);
        f.bind(a.me, Bind::Reg(0));
        let mut r = 1;
        for (i, (ty, span)) in types.iter().take(types.len() - a.params.len()).enumerate() {
            f.bind(LocalId(i as u32 + 1), Bind::Reg(r));
            r += self.width(ty, *span);
        }
        self.bind_used(f, id);
        for h in &a.head {
            if let HeadStep::Let(l, e) = h {
                f.bind(*l, Bind::Alias(Rc::new(e.clone()), 0));
            }
        }
        r
    }

    /// Binds all names that a plain guard may read, with the first `own` parameters of the action.
    pub fn bind_all(&mut self, f: &mut FnBuild, id: ActionId, types: &[(Ty, Span)], own: usize) {
        let mut r = self.bind_action(f, id, types);
        let a = &self.m.actions[id.index()];
        for p in a.params.iter().take(own) {
            f.bind(p.local, Bind::Reg(r));
            r += self.width(&a.locals[p.local.index()].ty, p.span);
        }
    }

    pub(super) fn make_enumerator(
        &mut self,
        f: &mut FnBuild,
        id: ActionId,
        types: &[(Ty, Span)],
        conditions: &[Condition<'m>],
    ) {
        // Lowers the guards on trial first, to find the values that they have in common; these are computed once.
        let (mut shared, mut sets) = (Vec::new(), Vec::new());
        // Menus with conditions on lines are enumerated again and again: their actions cache what does not depend on parameters.
        let a = &self.m.actions[id.index()];
        let lines = |x: &Menu| x.best.is_some() || x.no_dead_ends.is_some();
        let menu = a.menus.first().and_then(|x| self.m.menus.get(x.index()));
        f.is_noting = self.opts.lift && menu.is_some_and(|x| lines(x) && x.actions.len() > 1);
        if self.opts.lift {
            let errors = self.errors.len();
            let mut trial = FnBuild::new(false);
            trial.is_noting = f.is_noting;
            trial.trial_values = Some((Vec::new(), 0));
            self.make_enumerator_with(&mut trial, id, types, conditions, (&[], &[]));
            self.errors.truncate(errors);
            shared = trial.trial_values.map_or(Vec::new(), |(asked, _)| asked);
            sets = trial.trial_sets;
        }
        self.make_enumerator_with(f, id, types, conditions, (&shared, &sets));
    }

    fn make_enumerator_with(
        &mut self,
        f: &mut FnBuild,
        id: ActionId,
        types: &[(Ty, Span)],
        conditions: &[Condition<'m>],
        (shared, sets): Common<'_>,
    ) {
        let a = &self.m.actions[id.index()];
        let args = self.words_upto(types, types.len() - a.params.len());
        f.alloc(args);
        self.bind_action(f, id, types);
        let mut conds: Vec<(Expr, usize, usize)> = Vec::new();
        // For each condition, the number of facts from conditions before it.
        let mut known_before: Vec<usize> = Vec::new();
        // A guard that may fault is evaluated only for parameters that pass all guards before it; all later guards stay behind it.
        let mut may_fault = false;
        let mut facts: Vec<(usize, Fact)> = Vec::new();
        // Whether menu and action have the same names for the menu's parameters.
        let of_menu = a.menus.first().and_then(|x| self.m.menus.get(x.index()));
        let same_names = of_menu
            .is_some_and(|x| x.params.iter().enumerate().all(|(i, p)| p.local == LocalId(i as u32 + 1)));
        for (k, p) in a.params.iter().enumerate() {
            p.filter.iter().for_each(|c| note_facts(c, k + 1, &mut facts));
            if (k > 0 || a.carrier.is_none()) && matches!(p.many, Many::One) {
                facts.extend(self.list_domain_facts(p).into_iter().map(|fact| (k + 1, fact)));
            }
        }
        let tried: Vec<&Condition<'m>> = conditions.iter().filter(|c| c.is_behind_effect).collect();
        let plain: Vec<&Condition<'m>> = conditions.iter().filter(|c| !c.is_behind_effect).collect();
        let n_plain = plain.len();
        let of_set = self.first_of_set(a, &plain).unwrap_or(n_plain);
        for (nth, c) in plain.into_iter().enumerate() {
            let env = self.condition_env(f, id, c);
            let mut parts = Vec::new();
            crate::analysis::expr_forms::split_conjunction(&c.cond, &mut parts);
            for (i, part) in parts.iter().enumerate() {
                // If the same comparison stands in a later guard, a fault happens there.
                let again = parts
                    .iter()
                    .skip(i + 1)
                    .any(|other| crate::analysis::guard_schedule::is_same_comparison(part, other));
                if !(self.opts.lift && self.always_holds(f, part, env, again)) {
                    let mut upto = self.required_params(f, a, part, env, c.upto);
                    while !c.is_of_menu() && upto < a.params.len() {
                        let known = facts.iter().filter(|(n, _)| *n <= upto);
                        f.facts = known.map(|(_, fact)| (0, fact.clone())).collect();
                        if !may_fault && self.cannot_fault_in(f, env, part) {
                            break;
                        }
                        upto += 1;
                    }
                    // It depends on the last parameter.
                    if upto == a.params.len() && !c.is_of_menu() && !may_fault {
                        f.facts = facts.iter().map(|(_, fact)| (0, fact.clone())).collect();
                        may_fault = !self.cannot_fault_in(f, env, part);
                    }
                    if nth >= of_set && upto == a.params.len() {
                        continue;
                    }
                    conds.push(((*part).clone(), env, upto));
                    known_before.push(facts.len());
                    if env == 0 || c.is_of_menu() && same_names {
                        note_facts(part, upto, &mut facts);
                    }
                }
            }
        }
        let of_all = |facts: &[(usize, Fact)]| -> Vec<(usize, Fact)> {
            facts.iter().filter(|(n, _)| *n == 0).cloned().collect()
        };
        let dropped = self.opts.fault == Some(SeededFault::GuardDropped);
        if dropped && !conds.is_empty() {
            conds.remove(0);
            known_before.remove(0);
        }
        let end = f.new_label();
        for ((c, env, _), n) in conds.iter().zip(known_before).filter(|((_, _, upto), _)| *upto == 0) {
            f.facts = of_all(facts.get(..n).unwrap_or_default());
            let base = f.next;
            self.with_env(f, *env, |s, f| s.branch(f, c, false, end));
            f.next = base;
        }
        f.facts = of_all(&facts);
        // Filters of later parameters come first among their guards.
        for (k, p) in a.params.iter().enumerate().skip(1).rev() {
            let last = k + 1 == a.params.len();
            if let Some(c) = &p.filter
                && !(last && self.opts.fault == Some(SeededFault::FilterDropped))
            {
                conds.insert(0, (c.clone(), 0, k + 1));
            }
        }
        if f.is_noting && self.opts.fault.is_none() && !a.params.is_empty() {
            let from = self.picked_from(f, a, 0);
            f.first_domain = self.shared_first_domain(f, a, &from, &mut conds, sets, end);
        }
        let Some(ix) = self.action_ix.get(&id).copied() else { return };
        f.argument_words = args;
        if let Some((asked, from)) = &mut f.trial_values {
            asked.clear();
            *from = f.code.len();
        }
        self.compute_common_values(f, shared);
        self.compute_common_sets(f, sets);
        if a.params.is_empty() {
            if !tried.is_empty() {
                let of = crate::lower::options::must_leave::Tuple { fixed: 1, n: args - 1, last: None };
                let ok = self.try_effect(f, id, &tried, of);
                f.jz(ok, end);
            }
            f.emit(Ins::Option { action: ix });
        } else {
            // Fixed parameters are in one row: the menu's, then the action's own.
            let fixed_words: u8 = types.iter().take(types.len() - 1).map(|(t, s)| self.width(t, *s)).sum();
            let fixed = f.alloc(fixed_words);
            if args > 1 {
                f.emit(Ins::MovN { d: fixed, a: 1, n: args - 1 });
            }
            let takes_set = matches!(a.params.last().map(|p| &p.many), Some(Many::Subset { .. }));
            let each = takes_set && (of_set < n_plain || !tried.is_empty());
            let guards = Guards { conds: &conds, tried: &tried, cuts: &[], each };
            self.pick_parameter(f, id, types, 0, fixed, fixed + (args - 1), guards, ix);
        }
        f.place_label(end);
    }

    /// Memoises guards of the first parameter that search a map and read only `me` beside it, each as a set; the domain is intersected with these. Returns the remaining
    /// guards and the numbers of the sets.
    fn kept_guards<'e>(
        &mut self,
        id: ActionId,
        conds: Vec<(&'e Expr, usize)>,
        types: &[(Ty, Span)],
        u: UniverseId,
    ) -> (Vec<(&'e Expr, usize)>, Vec<u8>) {
        let action = &self.m.actions[id.index()];
        if !self.game_facts.has_free_play
            || !self.opts.lift
            || types.len() != action.params.len()
            || action.params.is_empty()
        {
            return (conds, Vec::new());
        }
        let (mut rest, mut kept) = (Vec::new(), Vec::new());
        for (at, (cond, env)) in conds.iter().enumerate() {
            let mut parts = Vec::new();
            crate::analysis::expr_forms::split_conjunction(cond, &mut parts);
            for (nth, c) in parts.into_iter().enumerate() {
                let searches_map = *env == 0
                    && walk::any_expr(
                        c,
                        &mut |e| matches!(&*e.kind, ExprKind::Builtin(b, _) if b.has(builtins::Trait::Search)),
                    );
                match if searches_map { self.kept_guard(id, (at, nth), c, types, u) } else { None } {
                    Some(k) => kept.push(k),
                    None => rest.push((c, *env)),
                }
            }
        }
        match kept.is_empty() {
            true => (conds, kept),
            false => (rest, kept),
        }
    }

    /// Memoises one part of a guard of the first parameter as a set, in games that memoise values; returns its number.
    fn kept_guard(
        &mut self,
        id: ActionId,
        nth: (usize, usize),
        c: &Expr,
        types: &[(Ty, Span)],
        u: UniverseId,
    ) -> Option<u8> {
        if let Some(known) = self.kept_guards.get(&(id, nth)) {
            return *known;
        }
        let a = &self.m.actions[id.index()];
        let (errors, w) = (self.errors.len(), self.set_words(u));
        let mut g = FnBuild::new(false);
        g.alloc(1);
        self.bind_action(&mut g, id, types);
        let set = self.lift(&mut g, c, 0, a.params[0].local, u);
        let fails = self.errors.len() > errors;
        self.errors.truncate(errors);
        let k = match set {
            Some(r) if !fails && w <= 16 => {
                g.emit(Ins::MovN { d: 0, a: r, n: w });
                let decl = self.add_decl("action", &a.name, a.span);
                let func = self.new_func(&format!("{} (where)", a.name), true, 1, w, decl);
                self.finish_func(func, g);
                self.add_kept(func, w)
            }
            _ => None,
        };
        self.kept_guards.insert((id, nth), k);
        k
    }

    /// Emits the loop over one parameter; the last parameter becomes options without a loop.
    #[allow(clippy::too_many_arguments)]
    fn pick_parameter(
        &mut self,
        f: &mut FnBuild,
        id: ActionId,
        types: &[(Ty, Span)],
        k: usize,
        fixed: R,
        next: R,
        guards: Guards<'_, 'm>,
        ix: ActionIx,
    ) {
        let a = &self.m.actions[id.index()];
        let p = &a.params[k];
        let u = self.uni_of(&p.from);
        let w = self.set_words(u);
        let last = k + 1 == a.params.len();
        let subset = matches!(p.many, Many::Subset { .. });
        if subset && !last {
            self.report_unsupported(p.span, "a set as a parameter that is not the last");
            return;
        }
        // The bounds of a subset are in registers before it.
        let head = f.alloc(if subset { 2 } else { 0 });
        let found = f.first_domain.take().filter(|_| k == 0);
        let s = found.unwrap_or_else(|| f.alloc(w));
        let from = if k == 0 && found.is_some() { p.from.clone() } else { self.picked_from(f, a, k) };
        let cut = guards.cuts.get(k).copied().unwrap_or_default();
        let outer = std::mem::replace(&mut f.wanted_spaces, cut.spaces.map(|r| (r, u)));
        if found.is_none() {
            self.set_into(f, &from, u, s);
        }
        // If the domain was not found by spaces, it is restricted to components on the wanted spaces.
        if let (Some((r, _)), Some(spaces)) = (f.wanted_spaces.take(), self.map_found_by(&from, u, 0)) {
            f.emit(Ins::SAtIn { d: s, e: s, s: r, u: u.0 as u8, w: self.set_words(spaces) });
        }
        f.wanted_spaces = outer;
        let mut mine: Vec<(&Expr, usize)> = Vec::new();
        if let Some(c) = p.filter.as_ref().filter(|_| k == 0 && found.is_none())
            && !(last && self.opts.fault == Some(SeededFault::FilterDropped))
        {
            mine.push((c, 0));
        }
        mine.extend(guards.conds.iter().filter(|(_, _, upto)| *upto == k + 1).map(|(c, env, _)| (c, *env)));
        // Facts from the guards of the parameters before this one.
        let before = f.facts.len();
        let own = guards.conds.iter().filter(|(_, env, upto)| *env == 0 && *upto <= k);
        let mut facts = Vec::new();
        own.for_each(|(c, ..)| note_facts(c, 0, &mut facts));
        a.params.iter().take(k).flat_map(|p| &p.filter).for_each(|c| note_facts(c, 0, &mut facts));
        f.facts.extend(facts);
        let mut kept = Vec::new();
        if k == 0 && !subset {
            (mine, kept) = self.kept_guards(id, mine, types, u);
        }
        if let Many::Subset { min, max } = &p.many {
            match min {
                Some(e) => self.expr_into(f, e, head),
                None => f.emit(Ins::Li { d: head, k: 0 }),
            }
            match max {
                Some(e) => self.expr_into(f, e, head + 1),
                None => f.emit(Ins::SCount { d: head + 1, s, w }),
            }
            let none = f.new_label();
            self.guard_subsets(f, (s, w, head), &mine, none);
            f.facts.truncate(before);
            let alike = self.may_be_alike(u) && !self.game_facts.apart.params.contains(&(id, p.local));
            f.emit(match alike || guards.each {
                true => Ins::Subsets { at: fixed, last: head, u: u.0 as u8, alike, action: ix },
                false => Ins::Options { at: fixed, last: head, action: ix },
            });
            f.place_label(none);
            return;
        }
        if k > 0 {
            mine = self.cut_rows(f, (s, &from), (u, p.local), mine);
        }
        let cut = cut.things;
        let full = found.is_none() && self.is_everything(&from);
        match cut {
            Some(a) if full => f.emit(Ins::MovN { d: s, a, n: w }),
            Some(b) => f.emit(Ins::SAnd { d: s, a: s, b, w }),
            None => {}
        }
        let left = self.filter_lifted(f, s, u, p.local, &mine, full && cut.is_none());
        for k in kept {
            let base = f.next;
            let d = f.alloc(w);
            self.recall_or_keep(f, k, 0, d, true);
            f.emit(Ins::SAnd { d: s, a: s, b: d, w });
            f.next = base;
        }
        self.filter_each(f, s, u, p.local, &left);
        f.facts.truncate(before);
        if self.p.components_of(u).is_some() && !self.game_facts.apart.params.contains(&(id, p.local)) {
            self.keep_one_of_alike_but(f, (s, u), (types, types.len() - a.params.len() + k), fixed);
        }
        if last {
            if !guards.tried.is_empty() {
                let (i, top, out) = f.begin_loop(s, w);
                let x = f.emit_new(1, |d| Ins::AddK { d, a: i, k: self.least_of(u) });
                f.bind(p.local, Bind::Reg(x));
                let stays = f.new_label();
                let of =
                    crate::lower::options::must_leave::Tuple { fixed, n: next - fixed, last: Some((x, 1)) };
                let ok = self.try_effect(f, id, guards.tried, of);
                f.jnz(ok, stays);
                f.emit(Ins::SDel { d: s, i, w });
                f.place_label(stays);
                f.jmp(top);
                f.place_label(out);
            }
            f.emit(Ins::Options { at: fixed, last: s, action: ix });
            return;
        }
        let nobody = f.new_label();
        let mut later = (Cuts::default(), Vec::new());
        if k == 0 && self.opts.lift {
            // If the first domain is empty, the guards of other parameters are not evaluated.
            let (code, spans, next) = (f.code.len(), f.spans.len(), f.next);
            let any = f.emit_new(1, |d| Ins::SAny { d, s, w });
            f.jz(any, nobody);
            later = self.push_down_conditions(f, a, guards.conds);
            if later.0.is_empty() {
                f.code.truncate(code);
                f.spans.truncate(spans);
                f.next = next;
            }
        }
        let guards = match later.0.is_empty() {
            true => guards,
            false => Guards { conds: &later.1, cuts: &later.0.0, ..guards },
        };
        let (i, top, out) = f.begin_loop(s, w);
        f.emit(Ins::AddK { d: next, a: i, k: self.least_of(u) });
        f.bind(p.local, Bind::Reg(next));
        self.pick_parameter(f, id, types, k + 1, fixed, next + 1, guards, ix);
        f.jmp(top);
        f.place_label(out);
        f.place_label(nobody);
    }
}

impl Tables<'_> {
    /// Whether the effect of an action uses a parameter on every path (moves it, shows it, changes it). Never if an attachment may replace the effect.
    pub(super) fn is_used(&self, id: ActionId, l: LocalId) -> bool {
        let a = &self.m.actions[id.index()];
        let stands_round = self.attachments_on(|t| *t == Target::Action(id));
        sealed::always_acts_on(self.m, &a.body, l)
            && !stands_round.iter().any(|x| matches!(x.what, AttachKind::Instead(_)))
    }
}

/// What the guards have in common: values, each with whether every path needs it; and sets.
type Common<'a> = (&'a [(Available, bool)], &'a [TrialSet]);

/// The guards while parameters are picked: conditions with their environment and number of parameters, and the `must leave` conditions.
#[derive(Clone, Copy)]
struct Guards<'a, 'm> {
    conds: &'a [(Expr, usize, usize)],
    tried: &'a [&'a Condition<'m>],
    /// For each parameter, the sets found by predicate push-down.
    cuts: &'a [Cut],
    /// Whether a chosen set must pass guards of its own ([`ActionSlot::each`]).
    each: bool,
}

/// Adds the facts that a true condition establishes, with its number of parameters.
pub fn note_facts(c: &Expr, upto: usize, out: &mut Vec<(usize, Fact)>) {
    let mut facts = Vec::new();
    flow::facts(c, true, &mut facts);
    out.extend(facts.into_iter().map(|fact| (upto, fact)));
}

/// Expressions, and the lets of an action's head that they use.
pub fn with_lets<'e>(a: &'e Action, es: impl IntoIterator<Item = &'e Expr>) -> Vec<&'e Expr> {
    let mut all: Vec<&Expr> = es.into_iter().collect();
    for s in a.head.iter().rev() {
        if let HeadStep::Let(l, e) = s
            && all.iter().any(|x| crate::analysis::expr_forms::mentions(x, *l))
        {
            all.push(e);
        }
    }
    all
}

/// How many of the action's own parameters an expression needs, through lets of the head.
pub(super) fn last_param(a: &Action, e: &Expr) -> usize {
    let all = with_lets(a, [e]);
    let is_named = |p: &Param| all.iter().any(|x| crate::analysis::expr_forms::mentions(x, p.local));
    a.params.iter().rposition(is_named).map_or(0, |i| i + 1)
}

/// The names in a reason for the carrier, its owner, and what a layer has captured.
pub fn own_names(a: &Attachment, t: &Text) -> Vec<LocalId> {
    let mut names: Vec<LocalId> = Vec::new();
    for e in walk::hole_exprs(t) {
        walk::visit_exprs(e, &mut |x| {
            if let ExprKind::Local(l) = &*x.kind
                && (l.0 < a.outer || a.this == Some(*l) || a.owner == Some(*l))
                && !matches!(x.ty, Ty::Set(_) | Ty::List(_))
            {
                names.push(*l);
            }
        });
    }
    names.sort_unstable();
    names.dedup();
    names
}
