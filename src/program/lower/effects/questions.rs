//! Lowers questions (offers of menus, choices), verdicts and texts.
use crate::fn_builder::{Bind, FnBuild, Label, NoAction};
use crate::ir::*;
use crate::layout::tables::Layout;
use crate::lower::Lower;
use houserule_model::body::walk::rewrite_parts;
use houserule_model::body::{build, types};
use houserule_model::hir::*;
use houserule_text::Span;
use rustc_hash::FxHashSet as HashSet;

impl Layout<'_> {
    /// Whether an expression reads what not everybody sees. If so, skipping the question would reveal it.
    fn is_secret(&self, e: &Expr, seen: &mut HashSet<ValueId>) -> bool {
        let mut found = false;
        houserule_model::body::walk::visit_exprs(e, &mut |x| match &*x.kind {
            ExprKind::Zone(_, z, _) => {
                let zone = &self.m.zones[z.index()];
                found |= !matches!(zone.seen, Seen::All) || self.m.face_down.contains(z);
            }
            ExprKind::Value(v, _) if seen.insert(*v) => {
                if let Some(b) = self.m.values.get(v.index()).and_then(|v| v.body.body.as_ref()) {
                    found |= self.is_secret(b, seen);
                }
            }
            _ => {}
        });
        found
    }
}

impl<'m> Lower<'m> {
    pub fn emit_offer(&mut self, f: &mut FnBuild, who: &Expr, menus: &[(MenuId, Vec<Expr>)], span: Span) {
        let w = self.required_reg(f, who);
        let who = f.emit_new(1, |d| Ins::Mov { d, a: w });
        let m = self.m;
        let mut slots = Vec::new();
        let mut here: Vec<(&'m Menu, Vec<R>)> = Vec::new();
        for (id, args) in menus {
            let (Some(ix), Some(menu)) = (self.menu_ix.get(id).copied(), m.menus.get(id.index())) else {
                continue;
            };
            // All arguments in a row first; other registers must not come between them.
            let words: u8 = args.iter().map(|a| self.width(&a.ty, a.span)).sum();
            let r = f.alloc(words);
            let mut d = r;
            let mut own = Vec::new();
            for a in args {
                self.store(f, a, d);
                own.push(d);
                d += self.width(&a.ty, a.span);
            }
            here.push((menu, own));
            slots.push((ix, r));
        }
        let Some((menu, _)) = here.first() else { return };
        let decl = self.add_decl("menu", &menu.name, menu.span);
        let offer = OfferIx(self.p.offers.len() as u16);
        let done = here.iter().any(|(menu, _)| menu.done.is_some());
        // The ends of the menus in source order, menu after menu.
        let mut endings = Vec::new();
        for (menu, own) in &here {
            endings.extend(menu.endings.iter().filter(|e| !self.is_never(&e.when)).map(|e| (*menu, own, e)));
        }
        // If hidden faces decide whether there is an action, a player without one is asked for `done` or `pass`: skipping would reveal it. Not if an end of the menu
        // reveals it to everybody anyway.
        let is_revealed = endings.iter().any(|(.., e)| mentions_no_action(&e.when));
        let silent = (is_revealed && !done) || !menus.iter().any(|(id, _)| self.is_menu_secret(*id));
        let clock = self.menu_clock(f, &here, decl);
        self.p.offers.push(Offer { menus: slots, silent, clock: clock.clone(), span, decl });
        let (top, out) = (f.new_label(), f.new_label());
        f.place_label(top);
        if self.has_out_rule() {
            self.jump_if_out(f, who, out);
        }
        self.emit_notice(f);
        let ids: Vec<MenuId> = menus.iter().map(|(id, _)| *id).collect();
        self.record_position(f, &ids);
        // Ends that do not depend on whether there is an action are evaluated first, unless an end before them depends on it.
        // A player who may pass, or who is asked to keep a secret, is asked without an action as well.
        let asked = !silent || here.iter().any(|(menu, _)| menu.pass.is_some());
        let hard =
            endings.iter().any(|(.., e)| !is_joined_only(&e.when) || asked && mentions_no_action(&e.when));
        let ask = f.new_label();
        if hard {
            let t = f.emit_new(1, |d| Ins::CanOffer { d, p: who, offer });
            f.emit(Ins::Not { d: t, a: t });
            f.no_action = Some(NoAction::In(t));
            for (menu, own, e) in &endings {
                self.emit_menu_end(f, (menu, own), who, (e, &e.when), None);
            }
            f.no_action = None;
        } else {
            let mut behind = false;
            for (menu, own, e) in &endings {
                if let Some(c) = remove_no_action(&e.when) {
                    let offered = behind.then_some((offer, ask));
                    self.emit_menu_end(f, (menu, own), who, (e, &c), offered);
                }
                behind |= mentions_no_action(&e.when);
            }
        }
        f.place_label(ask);
        // Whoever an end of the menu has decided it for is asked no more.
        if !endings.is_empty() && matches!(self.m.outcome, Outcome::Each) {
            self.jump_if_out(f, who, out);
        }
        if let Some(clock) = &clock {
            self.leave_when_spent(f, &here, (who, clock.spent), offer, out);
        }
        let d = f.alloc(1);
        let at = f.alloc(0);
        f.emit(Ins::AskMenu { d, at, who, offer });
        if let Some(clock) = &clock {
            let one = f.load_number(1);
            f.emit(Ins::Add { d: clock.spent, a: clock.spent, b: one });
        }
        if let Some(acted) = f.acted {
            let (t, no) = (f.alloc(1), f.new_label());
            f.emit(Ins::EqK { d: t, a: d, k: OFFER_ACTED as i32 });
            f.jz(t, no);
            f.emit(Ins::Li { d: acted, k: 1 });
            f.place_label(no);
        }
        if !endings.is_empty() && !hard {
            let t = f.alloc(1);
            f.emit(Ins::EqK { d: t, a: d, k: OFFER_NONE as i32 });
            let some = f.new_label();
            f.jz(t, some);
            f.no_action = Some(NoAction::Known(true));
            for (menu, own, e) in &endings {
                self.emit_menu_end(f, (menu, own), who, (e, &e.when), None);
            }
            f.no_action = None;
            f.place_label(some);
        }
        if done {
            self.break_if_left(f, out);
            let t = f.alloc(1);
            f.emit(Ins::EqK { d: t, a: d, k: OFFER_ACTED as i32 });
            f.jnz(t, top);
        }
        f.place_label(out);
    }

    /// Makes the clocks of menus that are offered together, if there are any, and sets the count of choices to 0.
    fn menu_clock(&mut self, f: &mut FnBuild, all: &[(&'m Menu, Vec<R>)], decl: DeclIx) -> Option<ClockSlot> {
        // A clock whose condition never holds is left out.
        let clocks: Vec<&Expr> =
            all.iter().flat_map(|(m, _)| &m.clock).flat_map(|c| c.seconds.iter().chain(&c.choices)).collect();
        if clocks.into_iter().all(|e| self.known_constant(e) == Some(NONE)) {
            return None;
        }
        let spent = f.load_number(0);
        let mut seconds = Vec::new();
        for (i, (menu, _)) in all.iter().enumerate() {
            if let Some(e) = menu.clock.as_ref().and_then(|c| c.seconds.as_ref()) {
                let types: Vec<_> =
                    menu.params.iter().map(|p| (menu.locals[p.local.index()].ty.clone(), p.span)).collect();
                let args = 1 + types.iter().map(|(t, s)| self.width(t, *s)).sum::<u8>();
                seconds.push((i as u8, self.pure_func("clock", decl, args, e, |s, f| s.bind_menu(f, menu))));
            }
        }
        Some(ClockSlot { spent, seconds })
    }

    /// If the player has made as many choices as the clock of a menu allows, leaves the menus as soon as they may be left.
    fn leave_when_spent(
        &mut self,
        f: &mut FnBuild,
        all: &[(&'m Menu, Vec<R>)],
        (who, spent): (R, R),
        offer: OfferIx,
        out: Label,
    ) {
        for (menu, own) in all {
            let Some(clock) = &menu.clock else { continue };
            // If time is measured, choices count only for clocks without seconds.
            let Some(most) = clock.choices.as_ref().filter(|_| !(self.set.timed && clock.seconds.is_some()))
            else {
                continue;
            };
            let next = f.new_label();
            let most = self.with_menu(f, (menu, own), who, next, |s, f| s.expr_reg(f, most));
            f.jnone(most, next);
            let t = f.emit_new(1, |d| Ins::Lt { d, a: spent, b: most });
            f.jnz(t, next);
            for (menu, own) in all {
                let Some(done) = &menu.done else { continue };
                let not = f.new_label();
                if let Some(when) = &done.when {
                    if mentions_no_action(when) {
                        let t = f.emit_new(1, |d| Ins::CanOffer { d, p: who, offer });
                        f.emit(Ins::Not { d: t, a: t });
                        f.no_action = Some(NoAction::In(t));
                    }
                    let r = self.with_menu(f, (menu, own), who, not, |s, f| s.expr_reg(f, when));
                    f.no_action = None;
                    f.jz(r, not);
                }
                if !f.is_trial {
                    let t = self.make_template(f, &Text::plain("time is up", clock.span), true);
                    f.emit(Ins::Say { t });
                }
                f.jmp(out);
                f.place_label(not);
            }
            f.place_label(next);
        }
    }

    /// Emits code with the names of a menu beside its offer; jumps to `none` if a needed value is none.
    fn with_menu<T>(
        &mut self,
        f: &mut FnBuild,
        (menu, own): (&Menu, &[R]),
        who: R,
        none: Label,
        run: impl FnOnce(&mut Self, &mut FnBuild) -> T,
    ) -> T {
        let outer = f.env;
        f.envs.push([(LocalId(0), Bind::Reg(who))].into_iter().collect());
        f.env = f.envs.len() - 1;
        for (p, r) in menu.params.iter().zip(own) {
            f.bind(p.local, Bind::Reg(*r));
        }
        let skip = f.none_label.replace(none);
        let me = f.me.replace(who);
        let out = run(self, f);
        f.me = me;
        f.none_label = skip;
        f.env = outer;
        out
    }

    /// Emits an end of a menu that applies if a condition holds. With `if_offered`: only if an action is on offer; if none is, jumps to that label.
    fn emit_menu_end(
        &mut self,
        f: &mut FnBuild,
        menu: (&Menu, &[R]),
        who: R,
        (e, when): (&MenuEnding, &Expr),
        if_offered: Option<(OfferIx, Label)>,
    ) {
        let go = f.new_label();
        self.with_menu(f, menu, who, go, |s, f| {
            let r = s.expr_reg(f, when);
            f.jz(r, go);
            if let Some((offer, ask)) = if_offered {
                let t = f.emit_new(1, |d| Ins::CanOffer { d, p: who, offer });
                f.jz(t, ask);
            }
            s.emit_end(f, e);
            f.place_label(go);
        });
    }

    /// Emits a choice: one thing into register `d`, or a set into the registers from `d` on.
    pub fn choose_into(&mut self, f: &mut FnBuild, c: &Choose, e: &Expr, d: R) {
        if f.is_effect {
            self.emit_notice(f);
        }
        if let ExprKind::Builtin(Builtin::Paths, args) = &*c.from.kind {
            return self.choose_way(f, c, args, e, d);
        }
        let u = self.uni_of(&c.from);
        let (w, u8_) = (self.set_words(u), u.0 as u8);
        let one = matches!(c.many, Many::One);
        let s = f.alloc(w);
        self.set_into(f, &c.from, u, s);
        let (min, max) = (f.alloc(1), f.alloc(1));
        if let Many::Subset { min: a, max: b } = &c.many {
            match a {
                Some(a) => {
                    let r = self.required_reg(f, a);
                    f.emit(Ins::Mov { d: min, a: r });
                }
                None => f.emit(Ins::Li { d: min, k: 0 }),
            }
            match b {
                Some(b) => {
                    let r = self.required_reg(f, b);
                    f.emit(Ins::Mov { d: max, a: r });
                }
                None => f.emit(Ins::SCount { d: max, s, w }),
            }
        }
        match &c.by {
            Chooser::Chance => {
                let who = self.roller(f);
                if one {
                    f.emit(Ins::PickOne { d, s, who, w, u: u8_ });
                    self.element_to_value(f, u, d);
                } else {
                    f.emit(Ins::PickN { d, s, n: min, who, w, u: u8_ });
                }
            }
            Chooser::Player(p) => {
                let (who, several) = self.chooser(f, p);
                // Of interchangeable components one stays; in a subset their number counts, so all stay, and one subset stands for those that differ only by them.
                let alike = if one {
                    self.keep_one_of_alike_at(f, s, u, e.span);
                    None
                } else {
                    self.sets_apart_at(f, u, e.span)
                };
                let prompt = c.prompt.as_ref().map_or(NO_TEMPLATE, |t| self.make_template(f, t, true));
                let tells = self.secrecy_of(f, &c.from);
                let decl = self.add_decl("rule", &"choose".into(), e.span);
                let sealed = self.game_facts.sealed.choices.contains(&e.span);
                let used = !self.game_facts.sealed.idle.contains(&e.span);
                let (always, even_none) = (tells.is_some(), tells == Some(true));
                let slot = AskSlot::new(u, prompt, e.span, decl);
                let ask = self.add_ask(AskSlot {
                    one,
                    min,
                    max,
                    alike,
                    always,
                    even_none,
                    several,
                    sealed,
                    used,
                    ..slot
                });
                self.ask_players(f, (d, s, who), ask, several, if one { None } else { Some(w) });
            }
        }
    }

    /// The register of the player who chooses, or of the set of players who must agree; and whether it is a set.
    fn chooser(&mut self, f: &mut FnBuild, p: &Expr) -> (R, bool) {
        if matches!(p.ty, Ty::Set(_) | Ty::List(_)) {
            (self.set_reg(f, p, self.tables.p.player_universe), true)
        } else {
            (self.required_reg(f, p), false)
        }
    }

    /// Asks the player in register `who` for yes or no, into `d`; jumps to `no` after a no, or if that player is out. Returns the register of the player who was asked.
    pub fn ask_yes_or_no(
        &mut self,
        f: &mut FnBuild,
        (d, who): (R, R),
        (prompt, span, decl): (TemplateIx, Span, DeclIx),
        no: Label,
    ) -> R {
        let slot = AskSlot::new(self.p.truth_universe, prompt, span, decl);
        let ask = self.add_ask(AskSlot { always: true, truth: true, ..slot });
        self.emit_notice(f);
        let who = self.players_to_ask(f, who, false, no);
        f.emit(Ins::Ask { d, s: d, who, ask });
        f.jz(d, no);
        who
    }

    /// Emits a question; the answer goes into `d`. If all players to ask are out, the answer is none or the empty set.
    fn ask_players(
        &mut self,
        f: &mut FnBuild,
        (d, s, who): (R, R, R),
        ask: AskIx,
        several: bool,
        set: Option<u8>,
    ) {
        if several || !self.has_out_rule() {
            let nobody = f.new_label();
            let who = self.players_to_ask(f, who, several, nobody);
            f.place_label(nobody);
            f.emit(Ins::Ask { d, s, who, ask });
            return;
        }
        let (nobody, end) = (f.new_label(), f.new_label());
        let who = self.players_to_ask(f, who, false, nobody);
        f.emit(Ins::Ask { d, s, who, ask });
        f.jmp(end);
        f.place_label(nobody);
        match set {
            Some(w) => f.emit(Ins::SZero { d, w }),
            None => f.emit(Ins::Li { d, k: NONE as i32 }),
        }
        f.place_label(end);
    }

    /// Emits the choice of a path over a map; the result is the set of spaces of interest on it, from register `d` on.
    fn choose_way(&mut self, f: &mut FnBuild, c: &Choose, args: &[Expr], e: &Expr, d: R) {
        let [from, to, steps, through, over, costs @ ..] = args else { return };
        let Chooser::Player(p) = &c.by else { return };
        let (map, u) = self.map_of(&from.ty, from.span);
        let w = self.set_words(u);
        if (2 + costs.len()) * usize::from(w) > crate::lower::values::costs::MOST {
            return self
                .report_unsupported(e.span, "such costs on a map of this size: give them a smaller range");
        }
        let s = f.alloc(3 + (2 + costs.len() as u8) * w);
        for (i, x) in [from, to].into_iter().enumerate() {
            let r = self.required_reg(f, x);
            f.emit(Ins::Mov { d: s + i as R, a: r });
        }
        if matches!(&*steps.kind, ExprKind::None) {
            f.emit(Ins::Li { d: s + 2, k: NONE as i32 });
        } else {
            let r = self.required_reg(f, steps);
            f.emit(Ins::Mov { d: s + 2, a: r });
        }
        for (i, x) in [through, over].into_iter().chain(costs).enumerate() {
            let at = s + 3 + w * i as R;
            if matches!(&*x.kind, ExprKind::None) {
                f.emit(Ins::SAll { d: at, u: u.0 as u8 });
            } else {
                self.set_into(f, x, u, at);
            }
        }
        let (who, several) = self.chooser(f, p);
        let prompt = c.prompt.as_ref().map_or(NO_TEMPLATE, |t| self.make_template(f, t, true));
        let always = self.secrecy_of(f, &c.from).is_some();
        let decl = self.add_decl("rule", &"choose".into(), e.span);
        let sealed = self.game_facts.sealed.choices.contains(&e.span);
        let used = !self.game_facts.sealed.idle.contains(&e.span);
        let (ways, slot) = (Some(map), AskSlot::new(u, prompt, e.span, decl));
        let slot = AskSlot {
            one: false,
            min: s,
            max: s,
            always,
            several,
            sealed,
            used,
            ways,
            costs: costs.len() as u8,
            ..slot
        };
        let ask = self.add_ask(slot);
        self.ask_players(f, (d, s, who), ask, several, Some(w));
    }

    /// Whether skipping the question would reveal a secret; if so, whether the lack of answers is a secret as well.
    pub fn secrecy_of(&self, f: &FnBuild, e: &Expr) -> Option<bool> {
        let (mut found, mut even_none) = (self.is_secret(e, &mut HashSet::default()), false);
        houserule_model::body::walk::visit_exprs(e, &mut |x| {
            if let ExprKind::Local(l) = &*x.kind
                && let Some(none) = f.secret_names.get(&(f.env, *l))
            {
                found = true;
                even_none |= none;
            }
        });
        found.then(|| even_none || self.is_emptiness_secret(e))
    }

    /// Whether it is a secret that there is nothing to choose from: not if that depends on how many components lie somewhere, which all see, but if it depends on what is
    /// printed on hidden ones.
    fn is_emptiness_secret(&self, e: &Expr) -> bool {
        let mut look = houserule_model::body::look::Look::new(self.taint(), []);
        look.look_at(e);
        !look.reads.is_empty()
    }

    /// Whether expressions of an action, or the lets they use, read what not everybody sees, for any parameters.
    pub fn reads_hidden<'e>(&self, a: &'e Action, es: impl IntoIterator<Item = &'e Expr>) -> bool {
        use houserule_model::body::look::{Lies, Look};
        let kinds = |l: &Local| {
            let ty = types::plain(&l.ty);
            let own = types::kinds_of(&ty);
            let of_elements = || types::element(self.m, &ty).map_or(Vec::new(), |t| types::kinds_of(&t));
            if own.is_empty() { of_elements() } else { own }
        };
        let kinds: Vec<Vec<KindId>> = a.locals.iter().map(kinds).collect();
        let es = crate::lower::options::enumerator::with_lets(a, es);
        // Where a thing may be of one kind or another, each is tried.
        (0..kinds.iter().map(Vec::len).max().unwrap_or(0).max(1)).any(|n| {
            let mut look = Look::new(self.taint(), []);
            for (i, all) in kinds.iter().enumerate() {
                if let Some(k) = all.get(n).or(all.first()) {
                    look.bind(LocalId(i as u32), Lies::Anywhere(*k));
                }
            }
            es.iter().for_each(|e| {
                look.look_at(e);
            });
            !look.reads.is_empty()
        })
    }

    /// The taint analysis of the game.
    fn taint(&self) -> &std::rc::Rc<houserule_model::body::taint::Calls<'m>> {
        self.taint_calls.get_or_init(|| houserule_model::body::taint::Calls::new(self.m))
    }

    /// Whether it is a secret if the menu has an action on offer.
    fn is_menu_secret(&self, menu: MenuId) -> bool {
        use houserule_model::body::{guards, look::Look};
        let m = self.m;
        let needs = m.menus.get(menu.index()).into_iter().flat_map(|menu| &menu.needs);
        let mut actions = m.actions.iter().filter(|a| a.menus.contains(&menu) && self.set.has(a.scope));
        let ends = m.menus.get(menu.index()).into_iter().flat_map(|menu| menu.done.iter().chain(&menu.pass));
        needs.into_iter().any(|g| self.is_emptiness_secret(&g.cond))
            || ends.filter_map(|e| e.when.as_ref()).any(|w| self.is_emptiness_secret(w))
            || actions.any(|a| {
                let mut look = Look::new(self.taint(), []);
                guards::look_at_action(&mut look, a);
                a.head.iter().for_each(|s| {
                    if let HeadStep::MustLeave(g) = s {
                        look.look_at(&g.cond);
                    }
                });
                !look.reads.is_empty()
            })
    }

    /// Emits `p can menu`: whether anything is on offer.
    pub fn can_menu_into(&mut self, f: &mut FnBuild, p: &Expr, menu: MenuId, args: &[Expr], d: R) {
        let Some(ix) = self.menu_ix.get(&menu).copied() else { return };
        let who = self.required_reg(f, p);
        if !args.is_empty() {
            self.report_unsupported(p.span, "`can` of a menu with parameters");
            return;
        }
        f.emit(Ins::CanMenu { d, p: who, menu: ix });
    }

    /// Emits what an end of the game does: a verdict; or the game is over, and only the text is kept.
    pub fn emit_end(&mut self, f: &mut FnBuild, e: &MenuEnding) {
        if let Some(v) = e.verdict {
            return self.emit_verdict(f, v, e.who.as_ref(), e.text.as_ref());
        }
        let t = e.text.as_ref().map_or(NO_TEMPLATE, |t| self.make_template(f, t, true));
        let nobody = f.load_number(0);
        f.emit(Ins::Verdict { s: nobody, verdict: VerdictCode::Tie, all: false, t });
        f.emit(Ins::End);
    }

    /// Emits a verdict: a player wins, loses or ties. If one result decides the game, all get theirs and the game ends.
    pub fn emit_verdict(&mut self, f: &mut FnBuild, v: Verdict, who: Option<&Expr>, text: Option<&Text>) {
        let t = text.map_or(NO_TEMPLATE, |t| self.make_template(f, t, true));
        let code = VerdictCode::from;
        let players = self.p.player_universe;
        let each = matches!(self.m.outcome, Outcome::Each);
        let end = f.new_label();
        match who {
            None => {
                let s = f.emit_new(1, |d| Ins::SAll { d, u: players.0 as u8 });
                f.emit(Ins::Verdict { s, verdict: code(v), all: true, t });
            }
            Some(x) => {
                let mut s = self.required_set_reg(f, x, players);
                if matches!(x.ty, Ty::Set(_) | Ty::List(_)) {
                    // For an empty set there is no verdict.
                    f.jz(s, end);
                }
                if matches!(self.m.outcome, Outcome::Together) {
                    // All win or all lose, whoever is named.
                    s = f.emit_new(1, |d| Ins::SAll { d, u: players.0 as u8 });
                }
                f.emit(Ins::Verdict { s, verdict: code(v), all: false, t });
                if !each {
                    let other = match v {
                        Verdict::Win => VerdictCode::Lose,
                        Verdict::Lose => VerdictCode::Win,
                        Verdict::Tie => VerdictCode::Tie,
                    };
                    let o = f.emit_new(1, |d| Ins::SNot { d, a: s, u: players.0 as u8 });
                    f.emit(Ins::Verdict { s: o, verdict: other, all: false, t });
                }
            }
        }
        f.emit(if !each || who.is_none() { Ins::End } else { Ins::EndDecided });
        f.place_label(end);
    }

    /// Makes a text; in effects its holes are evaluated into registers, elsewhere they become functions.
    pub fn make_template(&mut self, f: &mut FnBuild, t: &Text, registers: bool) -> TemplateIx {
        let mut parts = Vec::new();
        for p in &t.parts {
            match p {
                TextPart::Literal(x) => parts.push(Piece::Literal(x.clone())),
                TextPart::Hole(e) => match &*e.kind {
                    ExprKind::Text(inner) => {
                        let ix = self.make_template(f, inner, registers);
                        let inner = self.p.templates[ix.index()].parts.clone();
                        parts.extend(inner);
                    }
                    _ if registers && self.is_told_in_order(f, e) => {
                        let u = self.universe_of(&e.ty, e.span);
                        let r = f.emit_new(self.list_words(u), |d| Ins::Li { d, k: 0 });
                        let skip = f.new_label();
                        let outer = f.none_label.replace(skip);
                        self.list_into(f, e, u, r);
                        f.none_label = outer;
                        f.place_label(skip);
                        parts.push(Piece::Register(r, Show::List(u)));
                    }
                    _ if registers => {
                        let w = self.width(&e.ty, e.span);
                        let r = f.alloc(w);
                        let skip = f.new_label();
                        // A hole whose value is none shows none.
                        self.empty_into(f, &e.ty, e.span, r);
                        let outer = f.none_label.replace(skip);
                        self.store(f, e, r);
                        f.none_label = outer;
                        f.place_label(skip);
                        let show = self.show(&e.ty, e.span);
                        parts.push(Piece::Register(r, show));
                    }
                    _ => match self.look_shown {
                        // In a look, a hole is evaluated when it is drawn.
                        Some((universe, decl)) => {
                            let (func, show) =
                                self.shown_func("text", decl, 1, e, |s, f| s.bind_look_names(f, universe));
                            parts.push(Piece::Func(func, show));
                        }
                        None => self.report_unsupported(e.span, "a hole in a text that is used as a value"),
                    },
                },
            }
        }
        // Equal texts get one number, so that texts can be compared by number.
        if let [Piece::Literal(x)] = parts.as_slice() {
            let same = |t: &Template| matches!(t.parts.as_slice(), [Piece::Literal(y)] if x == y);
            if let Some(i) = self.p.templates.iter().position(same) {
                return TemplateIx(i as u16);
            }
        }
        self.p.templates.push(Template { parts });
        TemplateIx(self.p.templates.len() as u16 - 1)
    }
}

/// Whether an expression contains `no action`.
fn mentions_no_action(e: &Expr) -> bool {
    houserule_model::body::walk::any_expr(e, &mut |x| matches!(&*x.kind, ExprKind::NoAction))
}

/// Whether `no action` is combined only by `and` and `or`, so that it can only make the condition true.
fn is_joined_only(e: &Expr) -> bool {
    match &*e.kind {
        ExprKind::NoAction => true,
        ExprKind::And(a, b) | ExprKind::Or(a, b) => is_joined_only(a) && is_joined_only(b),
        _ => !mentions_no_action(e),
    }
}

/// The condition with `no action` replaced by false; none if nothing is left.
fn remove_no_action(e: &Expr) -> Option<Expr> {
    match &*e.kind {
        ExprKind::NoAction => None,
        ExprKind::And(..) => rewrite_parts(e, &mut remove_no_action),
        ExprKind::Or(a, b) => match (remove_no_action(a), remove_no_action(b)) {
            (Some(a), Some(b)) => Some(build::expr(e.ty.clone(), e.span, ExprKind::Or(a, b))),
            (a, b) => a.or(b),
        },
        _ => Some(e.clone()),
    }
}
