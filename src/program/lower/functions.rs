//! Compiles one item of the work list into a function: values, events, slots of members, rounds. Also makes the functions that tables of the program name.
use crate::fn_builder::{Bind, FnBuild, Label};
use crate::ir::*;
use crate::layout::tables::{Layout, Tables};
use crate::layout::topology::side_directions;
use crate::lower::{Event, Job, Lower};
use houserule_model::SCORE;
use houserule_model::body::index::DIRECTIONS;
use houserule_model::body::{build, secrets, types};
use houserule_model::hir::*;
use houserule_text::Span;
use std::sync::Arc;

impl<'m> Layout<'m> {
    /// Emits the instruction with which players learn what lies in places that a value opens to them. Runs before each question and at the end of a phase.
    pub fn emit_notice(&self, f: &mut FnBuild) {
        if self.m.zones.iter().any(|z| matches!(z.seen, Seen::By(_))) {
            f.emit(Ins::Notice);
        }
    }

    /// The `discards to` of a kind itself, without that of its parent.
    fn discard_rule(&self, k: KindId) -> Option<&'m Body<Expr>> {
        let lines = &self.m.kinds[k.index()].discards;
        lines.iter().rev().find(|(s, _)| self.set.has(*s)).map(|(_, b)| b)
    }
}

impl Tables<'_> {
    /// Allocates consecutive registers for parameters of these types.
    pub fn alloc_parameters(&mut self, f: &mut FnBuild, types: &[(Ty, Span)]) -> Vec<(R, u8)> {
        let mut out = Vec::new();
        for (ty, span) in types {
            let w = self.width(ty, *span);
            out.push((f.alloc(w), w));
        }
        out
    }

    /// Signature of an event: its parameters (without `me`), the width of its result, its name and its declaration.
    pub fn event_signature(&mut self, e: Event) -> (Vec<(Ty, Span)>, u8, Arc<str>, DeclIx) {
        let m = self.m;
        match e {
            Event::Rule(r) => {
                let rule = &m.rules[r.index()];
                let results = if rule.gives == Ty::Nothing { 0 } else { self.width(&rule.gives, rule.span) };
                let decl = self.add_decl(if rule.phase { "phase" } else { "rule" }, &rule.name, rule.span);
                (self.signature(&rule.body), results, rule.name.clone(), decl)
            }
            Event::Action(a) => {
                let action = &m.actions[a.index()];
                let decl = self.add_decl("action", &action.name, action.span);
                (self.action_params(a), 0, action.name.clone(), decl)
            }
            Event::Setup => {
                let decl = self.add_decl("setup", &"setup".into(), Span::default());
                (Vec::new(), 0, "setup".into(), decl)
            }
            Event::Discard(k) => {
                let kind = &m.kinds[k.index()];
                let decl = self.add_decl("card", &kind.name, kind.span);
                (vec![(Ty::Of(k), kind.span)], 0, format!("discard {}", kind.name).into(), decl)
            }
            Event::Roll(k) => {
                let kind = &m.kinds[k.index()];
                let decl = self.add_decl("card", &kind.name, kind.span);
                (vec![(Ty::Of(k), kind.span)], 0, format!("roll {}", kind.name).into(), decl)
            }
            Event::Shuffle => {
                let decl = self.add_decl("rule", &"shuffle".into(), Span::default());
                (vec![(Ty::Place, Span::default())], 0, "shuffle".into(), decl)
            }
        }
    }

    /// Binds the names in a look: the thing, in register 0, and a component's owner.
    pub fn bind_look_names(&mut self, f: &mut FnBuild, universe: UniverseId) {
        f.bind(LocalId(0), Bind::Reg(0));
        if self.p.components_of(universe).is_some() {
            let owner = f.alloc(1);
            self.owner_into(f, universe, 0, owner);
            f.bind(LocalId(1), Bind::Reg(owner));
        }
    }
}

impl Lower<'_> {
    /// Compiles an item of the work list.
    pub fn make_func(&mut self, func: FuncId, job: Job) {
        let b = match job {
            Job::Value(v, upto) => self.make_value(v, upto),
            Job::Event(e) => self.make_event(e),
            Job::Instead(e) => self.make_instead(e),
            Job::Core(e) => self.make_core(e),
            Job::Body(e) => self.make_body(e),
            Job::Can(r) => self.make_can(r, false),
            Job::Why(r) => self.make_can(r, true),
            Job::Fill(m, i) => self.make_fill(m, i),
            Job::Seers(z) => self.make_seers(z),
            Job::Build(map) => self.make_build(map),
            Job::Rounds => self.make_rounds(),
            Job::Endings { after_setup } => self.make_endings(after_setup),
            Job::Everyone(i) => self.make_everyone(i),
            Job::Tried(a) => self.make_trial_effect(a),
        };
        self.finish_func(func, b);
    }

    /// Makes the function of a holder and a thing to the set of players who see the thing in a zone.
    fn make_seers(&mut self, z: ZoneId) -> FnBuild {
        let mut f = FnBuild::new(false);
        let (owner, it) = (f.alloc(1), f.alloc(1));
        f.bind(LocalId(0), Bind::Reg(owner));
        f.bind(LocalId(1), Bind::Reg(it));
        if let Seen::By(b) = &self.m.zones[z.index()].seen {
            let players = self.p.player_universe;
            let s = self.set_reg(&mut f, &b.body, players);
            f.emit(Ins::Mov { d: 0, a: s });
        }
        f
    }

    /// The function of an event, or of a part of it; `extra` words of arguments follow the parameters.
    pub fn event_func(&mut self, e: Event, part: &str, extra: u8, job: Job) -> FuncId {
        let (params, results, name, decl) = self.event_signature(e);
        let words: u8 = params.iter().map(|(t, s)| self.width(t, *s)).sum();
        let name = if part.is_empty() { name.to_string() } else { format!("{name} ({part})") };
        self.func(format!("{e:?} {part}"), &name, false, 1 + words + extra, results, decl, job)
    }

    /// Makes the body of an event, without attachments.
    pub fn make_body(&mut self, e: Event) -> FnBuild {
        let m = self.m;
        let mut f = FnBuild::new(true);
        let me = f.alloc(1);
        f.me = Some(me);
        let (types, results, _, _) = self.event_signature(e);
        let params = self.alloc_parameters(&mut f, &types);
        match e {
            Event::Rule(r) => {
                let rule = &m.rules[r.index()];
                for (i, (reg, _)) in params.iter().enumerate() {
                    f.bind(LocalId(i as u32), Bind::Reg(*reg));
                }
                if rule.me.index() < params.len() {
                    f.me = Some(params[rule.me.index()].0);
                } else {
                    f.bind(rule.me, Bind::Reg(me));
                }
                self.call_fill(&mut f, r, &params);
                if let Some(block) = &rule.body.body {
                    let phase = rule.phase.then(|| self.phase_ix.get(&r).copied()).flatten();
                    self.make_block_body(&mut f, e, block, results, phase);
                }
            }
            Event::Action(a) => self.emit_action_body(&mut f, a, &params),
            Event::Setup => {
                f.me = None;
                f.is_setup = true;
                for (scope, b) in &m.setups {
                    if self.set.has(*scope) {
                        f.envs.push(rustc_hash::FxHashMap::default());
                        f.env = f.envs.len() - 1;
                        self.emit_block(&mut f, &b.body);
                    }
                }
            }
            Event::Discard(k) => self.emit_discard(&mut f, k, params[0].0),
            Event::Roll(k) => {
                let u = self.universe_of(&Ty::Of(k), m.kinds[k.index()].span);
                f.emit(Ins::RollDie { c: params[0].0, who: me, u: u.0 as u8 });
            }
            Event::Shuffle => f.emit(Ins::Shuffle { p: params[0].0 }),
        }
        f
    }

    /// Emits a block in which `give` and `stop` end the function.
    fn make_block_body(
        &mut self,
        f: &mut FnBuild,
        e: Event,
        block: &Block,
        results: u8,
        phase: Option<PhaseIx>,
    ) {
        let exit = f.new_label();
        f.exit_label = Some(exit);
        if results > 0 {
            let r = f.alloc(results);
            f.result = Some(r);
            self.give_nothing(f, e, r, results);
        }
        if let Some(phase) = phase {
            f.emit(Ins::PhaseBegin { phase });
            self.watch_endings_by_time(f);
        }
        self.emit_block(f, block);
        f.place_label(exit);
        if let Some(phase) = phase {
            self.emit_notice(f);
            f.emit(Ins::PhaseEnd { phase });
            self.watch_endings_by_time(f);
        }
        if let Some(r) = f.result {
            f.emit(Ins::MovN { d: 0, a: r, n: results });
        }
    }

    /// Calls what the component's face fills a rule with, and returns; goes on if it fills nothing.
    fn call_fill(&mut self, f: &mut FnBuild, r: RuleId, params: &[(R, u8)]) {
        let m = self.m;
        let rule = &m.rules[r.index()];
        let (Some(k), Some((this, _)), true) = (rule.of, params.first(), m.fills_of(r).next().is_some())
        else {
            return;
        };
        let u = self.universe_of(&Ty::Of(k), rule.span);
        let face = f.emit_new(1, |d| Ins::LdFace { d, c: *this, u: u.0 as u8 });
        let (params, results, _, _) = self.event_signature(Event::Rule(r));
        let words: u8 = 1 + params.iter().map(|(t, s)| self.width(t, *s)).sum::<u8>();
        let mut faces: Vec<_> = self.faces_of.iter().map(|(m, f)| (*m, *f)).collect();
        faces.sort_by_key(|(m, _)| *m);
        for (id, (first, _, keys)) in faces {
            let Some(member) = m.members.get(id.index()).filter(|d| types::is_a(m, d.kind, k)) else {
                continue;
            };
            let Some(i) = member.rule_fills.iter().position(|(x, _)| *x == r) else { continue };
            let decl = self.add_decl("card", &member.name, member.span);
            let name = format!("{} of {}", rule.name, member.name);
            let func =
                self.func(format!("fill {} {i}", id.0), &name, false, words, results, decl, Job::Fill(id, i));
            let t = f.alloc(1);
            let next = f.new_label();
            if keys == 1 {
                f.emit(Ins::EqK { d: t, a: face, k: i32::from(first) });
            } else {
                let (lo, hi) = (f.load_number(i64::from(first)), f.load_number(i64::from(first + keys - 1)));
                f.emit(Ins::Le { d: lo, a: lo, b: face });
                f.emit(Ins::Le { d: hi, a: face, b: hi });
                f.emit(Ins::And { d: t, a: lo, b: hi });
            }
            f.jz(t, next);
            // The callee takes the same arguments and puts its result into the same place.
            f.emit(Ins::Call { at: 0, f: func });
            f.emit(Ins::Ret);
            f.place_label(next);
            f.next = u16::from(face) + 1;
        }
    }

    fn make_fill(&mut self, id: MemberId, i: usize) -> FnBuild {
        let m = self.m;
        let (r, body) = &m.members[id.index()].rule_fills[i];
        let rule = &m.rules[r.index()];
        let mut f = FnBuild::new(true);
        let me = f.alloc(1);
        f.me = Some(me);
        let types = self.signature(&rule.body);
        for (i, (reg, _)) in self.alloc_parameters(&mut f, &types).into_iter().enumerate() {
            f.bind(LocalId(i as u32), Bind::Reg(reg));
        }
        if rule.me.index() >= types.len() {
            f.bind(rule.me, Bind::Reg(me));
        }
        let results = if rule.gives == Ty::Nothing { 0 } else { self.width(&rule.gives, rule.span) };
        self.make_block_body(&mut f, Event::Rule(*r), &body.body, results, None);
        f
    }

    /// Moves a thing to where the kind of its face discards: by that kind's own line, else by its parent's.
    fn emit_discard(&mut self, f: &mut FnBuild, k: KindId, c: R) {
        let m = self.m;
        let u = self.universe_of(&Ty::Of(k), m.kinds[k.index()].span);
        let end = f.new_label();
        // Subkinds with a line of their own, the narrowest first.
        let mut own: Vec<KindId> = (0..m.kinds.len() as u32)
            .map(KindId)
            .filter(|j| *j != k && types::is_a(m, *j, k) && self.discard_rule(*j).is_some())
            .collect();
        own.sort_by_key(|j| std::cmp::Reverse(types::line_of(m, *j).len()));
        for j in own {
            let base = f.next;
            let next = f.new_label();
            let (face, t) = (f.alloc(1), f.alloc(1));
            f.emit(Ins::LdFace { d: face, c, u: u.0 as u8 });
            let faces = self.universe_of(&Ty::Face(k), m.kinds[k.index()].span);
            let w = self.set_words(faces);
            let words = self.faces_of_kind(j, w);
            let at = self.add_const_set(&words);
            let s = f.emit_new(w, |d| Ins::SConst { d, w, k: at });
            f.emit(Ins::STest { d: t, s, i: face, w });
            f.jz(t, next);
            self.emit_discard_to(f, j, c, u, end);
            f.jmp(end);
            f.place_label(next);
            f.next = base;
        }
        self.emit_discard_to(f, k, c, u, end);
        f.place_label(end);
    }

    /// Moves a thing to where a kind discards; jumps to `end` if there is no such place.
    fn emit_discard_to(&mut self, f: &mut FnBuild, k: KindId, c: R, u: UniverseId, end: Label) {
        let m = self.m;
        let to = types::line_of(m, k).into_iter().find_map(|k| self.discard_rule(k));
        let p = f.alloc(1);
        match to {
            Some(b) => {
                let owner = f.alloc(1);
                self.owner_into(f, u, c, owner);
                f.bind(LocalId(0), Bind::Reg(c));
                f.bind(LocalId(1), Bind::Reg(owner));
                // If the line needs an owner and there is none, there is no place to go to.
                if houserule_model::body::walk::any_expr(&b.body, &mut |e| {
                    matches!(&*e.kind, ExprKind::Local(LocalId(1)))
                }) {
                    f.jnone(owner, end);
                }
                f.none_label = Some(end);
                // In this line, `box` is the box of the thing.
                let outer = self.box_kind.replace(k);
                self.place_into(f, &b.body, p);
                self.box_kind = outer;
                f.none_label = None;
            }
            None => {
                let boxed = self.comps_of.get(&self.root(k)).map_or(0, |c| self.p.comps[*c as usize].boxed);
                f.emit(Ins::Li { d: p, k: i32::from(boxed) });
            }
        }
        self.end_stay(f, u, c, p);
        f.emit(Ins::Move { c, p, u: u.0 as u8, how: MoveHow(0) });
    }

    fn make_rounds(&mut self) -> FnBuild {
        let m = self.m;
        let mut f = FnBuild::new(true);
        f.load_number(NONE);
        let Some(round) = &m.round else { return f };
        let left = match &round.until {
            RoundUntil::Times(n) => {
                let r = self.required_reg(&mut f, n);
                Some(f.emit_new(1, |d| Ins::Mov { d, a: r }))
            }
            RoundUntil::Once => Some(f.load_number(1)),
            _ => None,
        };
        self.watch_endings_after_setup(&mut f);
        let (top, out) = (f.new_label(), f.new_label());
        f.place_label(top);
        if let Some(left) = left {
            let base = f.next;
            let (t, zero) = (f.alloc(1), f.load_number(0));
            f.emit(Ins::Le { d: t, a: left, b: zero });
            f.jnz(t, out);
            f.emit(Ins::AddK { d: left, a: left, k: -1 });
            f.next = base;
        }
        f.emit(Ins::RoundBegin);
        self.watch_endings_by_time(&mut f);
        let base = f.next;
        for s in &round.body.body {
            let inner = f.next;
            match &s.kind {
                StmtKind::Everyone(e) if e.mode == Mode::InTurn => {
                    f.set_span(s.span);
                    self.emit_in_turn(&mut f, e, Some(out));
                }
                StmtKind::Everyone(e) if e.mode == Mode::AnyOrder => {
                    f.set_span(s.span);
                    self.emit_in_any_order(&mut f, e, s.span, Some(out));
                }
                _ => {
                    self.emit_stmt(&mut f, s);
                    continue;
                }
            }
            f.next = inner;
        }
        f.next = base;
        f.emit(Ins::RoundEnd);
        self.watch_endings_by_time(&mut f);
        self.judge_ends(&mut f, None, Some(out));
        f.jmp(top);
        f.place_label(out);
        f.emit(Ins::End);
        f
    }

    fn make_everyone(&mut self, i: usize) -> FnBuild {
        let c = self.captured[i].clone();
        let mut f = FnBuild::new(true);
        let me = f.alloc(1);
        f.me = Some(me);
        f.bind(c.me, Bind::Reg(me));
        for (l, ty) in &c.names {
            let w = self.width(ty, Span::default());
            let r = f.alloc(w);
            f.bind(*l, Bind::Reg(r));
        }
        self.emit_block(&mut f, &c.body);
        f
    }

    /// Compiles all that is reached from outside: the game itself, menus, values, looks, tests.
    pub fn make_declarations(&mut self) {
        let m = self.m;
        for (i, h) in m.hooks.iter().enumerate() {
            if self.set.has(h.scope) {
                let decl = self.add_decl("hook", &h.name, h.span);
                let params = h.params.iter().map(|l| self.hook_show(&l.ty, l.span)).collect();
                let gives = self.hook_show(&h.ty, h.span);
                self.hook_ix.insert(HookId(i as u32), self.p.hooks.len() as u16);
                let (name, script, file) = (h.name.clone(), h.script.clone(), h.file.clone());
                self.p.hooks.push(HookSlot { name, script, file, params, gives, decl });
            }
        }
        self.number_menus();
        if !self.opts.dry || self.tests.is_empty() {
            self.make_game();
        }
        for t in self.tests.clone() {
            self.make_test(t);
        }
    }

    /// Makes what is run when the game is played.
    fn make_game(&mut self) {
        let m = self.m;
        self.make_menus();
        self.make_main();
        self.make_outcome();
        if self.game_facts.has_free_play {
            self.p.out = self.out_func();
        }
        for (i, v) in m.values.iter().enumerate() {
            let id = ValueId(i as u32);
            let plain =
                v.body.locals.iter().take(v.body.params).all(|l| is_storable(&l.ty)) && is_storable(&v.ty);
            // A built-in value is listed only if rules modify it; `out when` has no name.
            let is_listed = match v.role {
                ValueRole::Team => !self.modifications(id).is_empty(),
                ValueRole::InPlay | ValueRole::Out => false,
                _ => true,
            };
            if self.set.has(v.scope) && plain && is_listed {
                self.make_value_slot(id);
            }
            if self.set.has(v.scope) && matches!(v.role, ValueRole::Patch) {
                self.show_print(v);
            }
        }
        for (i, map) in m.maps.iter().enumerate() {
            if let (Some(v), Some(ix)) = (map.in_play, self.map_ix.get(&MapId(i as u32)).copied()) {
                let func = self.value_func(v);
                self.p.maps[ix.index()].in_play = Some(func);
            }
        }
        for (k, kind) in m.kinds.iter().enumerate() {
            if self.set.has(kind.scope) && !kind.look.is_empty() {
                self.make_look(KindId(k as u32));
            }
        }
        self.show_score();
    }

    /// Draws a player's score as it stands, where the highest or lowest wins and all may know it. A look that says something of players says it instead; an attribute is seen anyway.
    fn show_score(&mut self) {
        let (Outcome::Highest(v) | Outcome::Lowest(v)) = self.m.outcome else { return };
        let universe = self.p.player_universe;
        let found = self.p.looks.iter().position(|look| look.universe == universe);
        let rows = found.map_or(&[][..], |i| &self.p.looks[i].rows);
        let says = |row: &LookLine| matches!(&*row.slot, "text" | "corner" | "badge");
        if rows.iter().any(says) || !secrets::is_open(self.m, v) {
            return;
        }
        let row = LookLine { back: false, slot: SCORE.into(), func: self.value_func(v), show: Show::Number };
        match found {
            Some(i) => self.p.looks[i].rows.push(row),
            None => {
                self.p.looks.push(LookSlot { universe, faces: Vec::new(), depth: 0, rows: vec![row] });
            }
        }
    }

    /// Shows what the patch on a space prints there, on each of its sides if there is one print for each side.
    fn show_print(&mut self, v: &Value) {
        let word = |ty: &Ty| match types::plain(ty) {
            Ty::Bool | Ty::Int(..) => true,
            Ty::Of(k) => self.m.kinds.get(k.index()).is_some_and(|k| k.sort == KindSort::Enum),
            _ => false,
        };
        let (Some(of), Some(body)) = (v.of.and_then(|k| self.kind_uni.get(&k).copied()), &v.body.body) else {
            return;
        };
        if !word(&v.ty) {
            return;
        }
        let shape = self.m.maps.iter().find(|m| Some(m.space) == v.of).map(|m| m.shape);
        let sides = match (v.body.params, shape) {
            (2, Some(shape)) => side_directions(shape),
            _ => &[usize::MAX],
        };
        for side in sides {
            let (mut name, mut body) = (v.name.clone(), body.clone());
            if let Some(word) = DIRECTIONS.get(*side) {
                name = format!("{name} {word}").into();
                let (span, ty) = (body.span, body.ty.clone());
                let way = Ty::Of(builtin_kinds::DIRECTION);
                let way = build::expr(way, span, ExprKind::Direction(*side as u8));
                body = build::expr(ty, span, ExprKind::Let(LocalId(1), way, body));
            }
            let decl = self.add_decl("value", &name, v.span);
            let (func, show) = self.shown_func(&name, decl, 1, &body, |s, f| s.bind_look_names(f, of));
            self.p.shown.push(ShownSlot { name, of, func, show });
        }
    }

    /// Adds the functions that say who sees into a zone (`seen by VALUE`).
    pub fn declare_seers(&mut self) {
        for (i, z) in self.m.zones.iter().enumerate() {
            let id = ZoneId(i as u32);
            let Some(ix) = self.zone_ix.get(&id).filter(|_| matches!(z.seen, Seen::By(_))).copied() else {
                continue;
            };
            let decl = self.p.zones[ix.index()].decl;
            let (key, title) = (format!("seen {i}"), format!("who sees {}", z.name));
            let func = self.func(key, &title, true, 2, 1, decl, Job::Seers(id));
            self.p.zones[ix.index()].seen = SeenBy::Func(func);
        }
    }

    fn make_main(&mut self) {
        let none: Arc<str> = "game".into();
        let decl = self.add_decl("game", &none, Span::default());
        let setup = self.event_func(Event::Setup, "", 0, Job::Event(Event::Setup));
        let rounds = self.rounds_func();
        let main = self.new_func("game", false, 1, 0, decl);
        let mut f = FnBuild::new(true);
        let me = f.load_number(NONE);
        let at = f.alloc(1);
        self.check_drawn_maps();
        for map in self.drawn_maps() {
            if !self.is_built_by_rules(map) {
                let build = self.build_func(map);
                f.emit(Ins::Mov { d: at, a: me });
                f.emit(Ins::Call { at, f: build });
            }
        }
        f.emit(Ins::Mov { d: at, a: me });
        f.emit(Ins::Call { at, f: setup });
        f.emit(Ins::Mov { d: at, a: me });
        f.emit(Ins::Call { at, f: rounds });
        f.emit(Ins::End);
        self.finish_func(main, f);
        self.p.main = main;
        let bare = self.new_func("bare", false, 1, 0, decl);
        let mut f = FnBuild::new(true);
        f.alloc(1);
        for map in self.drawn_maps() {
            let build = self.build_func(map);
            let at = f.load_number(NONE);
            f.emit(Ins::Call { at, f: build });
        }
        self.finish_func(bare, f);
        self.p.bare = bare;
    }

    /// The function of the rounds.
    pub fn rounds_func(&mut self) -> FuncId {
        let span = self.m.round.as_ref().map_or(Span::default(), |r| r.span);
        let decl = self.add_decl("round", &"round".into(), span);
        self.func("rounds".into(), "rounds", false, 1, 0, decl, Job::Rounds)
    }

    /// Makes a pure function of an expression, with names bound to registers.
    pub fn pure_func(
        &mut self,
        name: &str,
        decl: DeclIx,
        args: u8,
        e: &Expr,
        bind: impl FnOnce(&mut Self, &mut FnBuild),
    ) -> FuncId {
        let results = self.width(&e.ty, e.span);
        let func = self.new_func(name, true, args, results, decl);
        let mut f = FnBuild::new(false);
        f.alloc(args);
        bind(self, &mut f);
        self.finish_pure(func, f, e, None);
        func
    }

    /// As [`Lower::pure_func`], for what a text shows: a list that has an order keeps it, and what it holds twice.
    pub fn shown_func(
        &mut self,
        name: &str,
        decl: DeclIx,
        args: u8,
        e: &Expr,
        bind: impl FnOnce(&mut Self, &mut FnBuild),
    ) -> (FuncId, Show) {
        let results = self.width(&e.ty, e.span);
        let func = self.new_func(name, true, args, results, decl);
        let mut f = FnBuild::new(false);
        f.alloc(args);
        bind(self, &mut f);
        let list = self.is_told_in_order(&f, e).then(|| self.universe_of(&e.ty, e.span));
        self.finish_pure(func, f, e, list);
        let show = match list {
            Some(u) => Show::List(u),
            None => self.show(&e.ty, e.span),
        };
        (func, show)
    }

    /// Ends a function with the code of an expression, which it returns: as a list over a universe if one is given.
    fn finish_pure(&mut self, func: FuncId, mut f: FnBuild, e: &Expr, list: Option<UniverseId>) {
        let n = match list {
            Some(u) => self.list_words(u),
            None => self.width(&e.ty, e.span),
        };
        let r = f.alloc(n);
        match list {
            Some(u) => {
                // All its words are returned, also those behind its last element.
                f.emit(Ins::SZero { d: r, w: n });
                self.list_into(&mut f, e, u, r);
            }
            None => self.store(&mut f, e, r),
        }
        f.emit(Ins::MovN { d: 0, a: r, n });
        if let Some(made) = self.p.funcs.get_mut(func.index()) {
            made.results = n;
        }
        self.finish_func(func, f);
    }

    /// Makes the function of an invariant's condition. It is true until every player who always stands on a space has been put there.
    fn invariant_func(&mut self, name: &str, decl: DeclIx, e: &Expr) -> FuncId {
        let func = self.new_func(name, true, 0, 1, decl);
        let mut f = FnBuild::new(false);
        let (r, end) = (f.alloc(1), f.new_label());
        f.emit(Ins::Li { d: r, k: 1 });
        self.jump_unless_standing(&mut f, end);
        self.store(&mut f, e, r);
        f.place_label(end);
        self.finish_func(func, f);
        func
    }

    /// Wraps a number of a player: it is 0 until every player who always stands on a space has been put there.
    fn zero_until_standing(&mut self, func: FuncId) -> FuncId {
        if self.p.standing.is_none() {
            return func;
        }
        let decl = self.p.funcs.get(func.index()).map_or(DeclIx(0), |f| f.decl);
        let wrapped = self.new_func("heuristic", true, 1, 1, decl);
        let mut f = FnBuild::new(false);
        let (r, end, over) = (f.alloc(1), f.new_label(), f.new_label());
        self.jump_unless_standing(&mut f, end);
        let at = f.emit_new(1, |d| Ins::Mov { d, a: r });
        f.emit(Ins::Call { at, f: func });
        f.emit(Ins::Mov { d: r, a: at });
        f.jmp(over);
        f.place_label(end);
        f.emit(Ins::Li { d: r, k: 0 });
        f.place_label(over);
        self.finish_func(wrapped, f);
        wrapped
    }

    fn make_outcome(&mut self) {
        let m = self.m;
        self.p.outcome = match &m.outcome {
            Outcome::Win => OutcomeSlot::Win,
            Outcome::Together => OutcomeSlot::Together,
            Outcome::Each => OutcomeSlot::Each,
            Outcome::Highest(v) => OutcomeSlot::Highest(self.value_func(*v)),
            Outcome::Lowest(v) => OutcomeSlot::Lowest(self.value_func(*v)),
            Outcome::HighestAttr(a) => OutcomeSlot::Highest(self.attr_func(*a)),
            Outcome::LowestAttr(a) => OutcomeSlot::Lowest(self.attr_func(*a)),
            Outcome::Ranking(v) => OutcomeSlot::Ranking(self.ranking_lines(*v)),
        };
        self.make_sheets();
        if let Some((e, text)) = &m.score {
            let decl = self.add_decl("score", &"score".into(), e.span);
            let func = self.pure_func("score", decl, 0, e, |_, _| {});
            let t = match text {
                Some(t) => self.reason_template(t, decl, 0, &mut |_, _| {}),
                None => NO_TEMPLATE,
            };
            self.p.score = Some((func, t));
        }
        for (c, text) in &m.ends {
            let Some(text) = text else { continue };
            let decl = self.add_decl("game", &"ends when".into(), c.span);
            let func = self.pure_func("ends when", decl, 0, c, |_, _| {});
            let t = self.reason_template(text, decl, 0, &mut |_, _| {});
            self.p.ends.push((func, t));
        }
        for of_game in [false, true] {
            m.legacy.iter().filter(|row| (row.scope.0 == 0) == of_game).for_each(|row| self.make_legacy(row));
        }
        let set = self.set;
        let in_force = m.scopes.iter().enumerate().filter(|(i, _)| set.has(ScopeId(*i as u32)));
        let broken: Vec<&Arc<str>> =
            in_force.flat_map(|(_, s)| s.breaks.iter().map(|(title, _)| title)).collect();
        for i in &m.invariants {
            if self.set.has(i.scope) && !broken.contains(&&i.title) {
                let decl = self.add_decl("invariant", &i.title, i.span);
                let func = self.invariant_func(&i.title, decl, &i.cond.body);
                let spaces = self.exceptions_func(&i.title, decl, &i.cond.body);
                self.p.invariants.push(InvariantSlot { title: i.title.clone(), func, spaces });
            }
        }
        let set = self.set;
        let scoped = m.scopes.iter().enumerate().filter(|(i, _)| set.has(ScopeId(*i as u32)));
        for (c, text) in m.needs.iter().chain(scoped.flat_map(|(_, s)| &s.needs)) {
            let title: Arc<str> = "needs".into();
            let decl = self.add_decl("needs", &title, c.span);
            let func = self.pure_func("needs", decl, 0, c, |_, _| {});
            let spaces = self.exceptions_func(&title, decl, c);
            let reason = text.as_ref().map(|t| self.reason_template(t, decl, 0, &mut |_, _| {}));
            self.p.needs.push((InvariantSlot { title, func, spaces }, reason.unwrap_or(NO_TEMPLATE)));
        }
        for (i, v) in m.values.iter().enumerate() {
            if matches!(v.role, ValueRole::Heuristic) && self.set.has(v.scope) {
                let func = self.value_func(ValueId(i as u32));
                let func = self.zero_until_standing(func);
                self.p.heuristics.push(NamedFunc { name: v.name.clone(), title: v.name.clone(), func });
            }
        }
    }

    fn make_legacy(&mut self, row: &LegacyRow) {
        if !self.set.has(row.scope) {
            return;
        }
        let decl = self.add_decl("legacy", &"legacy".into(), row.span);
        let mut func = |e: &Expr| self.pure_func("legacy", decl, 0, e, |_, _| {});
        let slot = match &row.kind {
            LegacyKind::Option(o, e) => LegacySlot::Option(*o, func(e)),
            LegacyKind::Next(to, when) => {
                let when = match when {
                    NextWhen::Always => NextSlot::Always,
                    NextWhen::Outcome(v) => NextSlot::Outcome((*v).into()),
                    NextWhen::Holds(c) => NextSlot::Holds(func(c)),
                };
                LegacySlot::Next(to.map(|s| self.m.scopes[s.index()].name.clone()), when)
            }
        };
        self.p.legacy.push(slot);
    }

    /// For a condition on each space of a map: makes the function that returns the spaces that do not meet it.
    fn exceptions_func(&mut self, name: &str, decl: DeclIx, e: &Expr) -> Option<(FuncId, UniverseId)> {
        let ExprKind::Fold(fold) = &*e.kind else { return None };
        let (body, of) = match (&fold.bodies[..], types::element(self.m, &types::plain(&fold.over.ty))) {
            ([body], Some(of)) => (body, of),
            _ => return None,
        };
        let space = types::kinds_of(&of).iter().any(|k| self.m.maps.iter().any(|m| m.space == *k));
        if !space {
            return None;
        }
        let truth = |kind: ExprKind| build::expr(body.ty.clone(), body.span, kind);
        let against = match fold.op {
            FoldOp::Every => truth(ExprKind::Not(body.clone())),
            FoldOp::No => body.clone(),
            _ => return None,
        };
        let cond = match &fold.cond {
            Some(c) => truth(ExprKind::And(c.clone(), against)),
            None => against,
        };
        let each = build::expr(of.clone(), body.span, ExprKind::Local(fold.var));
        let fold = Fold { op: FoldOp::Collect, cond: Some(cond), bodies: vec![each], ..(**fold).clone() };
        let universe = self.universe_of(&of, e.span);
        let all = build::expr(Ty::Set(Box::new(of)), e.span, ExprKind::Fold(Box::new(fold)));
        Some((self.pure_func(name, decl, 0, &all, |_, _| {}), universe))
    }

    /// Makes the function that returns an attribute of a player.
    fn attr_func(&mut self, a: AttrId) -> FuncId {
        let attr = &self.m.attrs[a.index()];
        let decl = self.add_decl("attribute", &attr.name, attr.span);
        let player = build::expr(types::player(), attr.span, ExprKind::Local(LocalId(0)));
        let e = build::expr(attr.ty.clone(), attr.span, ExprKind::Attr(player, a));
        let name = attr.name.clone();
        self.pure_func(&name, decl, 1, &e, |_, f| f.bind(LocalId(0), Bind::Reg(0)))
    }

    fn make_look(&mut self, k: KindId) {
        let kind = &self.m.kinds[k.index()];
        let Some(universe) = self.kind_uni.get(&k).copied() else { return };
        let m = self.m;
        let mut faces = Vec::new();
        if let UniverseSort::Components(c) = self.p.universes[universe.index()].sort {
            for (i, (member, _)) in self.face_members[c as usize].iter().enumerate() {
                // Components without a member have one face, named like their kind.
                let of = m.members.get(member.index()).map(|d| d.kind).or_else(|| {
                    let comps = self.p.comps.get(c as usize)?;
                    let word = &self.p.universes.get(comps.faces.index())?.things.get(i)?.word;
                    let called = |x: &Kind| x.copies.is_some() && *x.name.to_lowercase() == **word;
                    m.kinds.iter().position(called).map(|i| KindId(i as u32))
                });
                if of.is_some_and(|of| types::is_a(m, of, k)) {
                    if faces.len() <= i / 64 {
                        faces.resize(i / 64 + 1, 0);
                    }
                    faces[i / 64] |= 1u64 << (i % 64);
                }
            }
            if faces.is_empty() {
                return;
            }
        }
        let depth = types::line_of(m, k).len() as u8;
        let mut rows = Vec::new();
        for r in &kind.look {
            let decl = self.add_decl("look", &kind.name, kind.span);
            let name = format!("look of {}", kind.name);
            self.look_shown = Some((universe, decl));
            let (func, show) =
                self.shown_func(&name, decl, 1, &r.expr.body, |s, f| s.bind_look_names(f, universe));
            self.look_shown = None;
            rows.push(LookLine { back: r.back, slot: r.slot.clone(), func, show });
        }
        self.p.looks.push(LookSlot { universe, faces, depth, rows });
    }

    /// Makes a text whose holes are pure functions of `args` words; `bind` binds the names in each.
    pub fn reason_template(
        &mut self,
        t: &Text,
        decl: DeclIx,
        args: u8,
        bind: &mut dyn FnMut(&mut Self, &mut FnBuild),
    ) -> TemplateIx {
        let mut parts = Vec::new();
        for p in &t.parts {
            match p {
                TextPart::Literal(x) => parts.push(Piece::Literal(x.clone())),
                TextPart::Hole(e) => {
                    if let ExprKind::Text(inner) = &*e.kind {
                        let ix = self.reason_template(inner, decl, args, bind);
                        parts.extend(self.p.templates[ix.index()].parts.clone());
                    } else {
                        let (func, show) = self.shown_func("text", decl, args, e, |s, f| bind(s, f));
                        parts.push(Piece::Func(func, show));
                    }
                }
            }
        }
        self.p.templates.push(Template { parts });
        TemplateIx(self.p.templates.len() as u16 - 1)
    }
}

/// Whether values of a type fit into registers: sets of lists do not.
fn is_storable(t: &Ty) -> bool {
    match t {
        Ty::Set(t) | Ty::List(t) => !matches!(&**t, Ty::List(_) | Ty::Set(_) | Ty::Place),
        Ty::Maybe(t) => is_storable(t),
        Ty::Bag(_) | Ty::Error | Ty::Nothing => false,
        _ => true,
    }
}
